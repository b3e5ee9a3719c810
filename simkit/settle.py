"""Set rows to match money: set values, tails, paris, rounding. Nothing is played again.

Column arithmetic over the rows of the table `sets`. Amounts are whole jetons (points of the score sheet),
signed for player 1: what player 1 wins, player 2 loses. Source 000, 4 to 9; the formulas
are in docs/rules.md, II.5.2 to II.5.7, and the readings of the other treatises in docs/rulings.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simkit.errors import UsageError
from simkit.rules import (
    GeneralTailBasis,
    LateRunPrice,
    PartieSettlement,
    PriceScheme,
    Progression,
    RefaitGrowth,
    RoundFive,
    Settlement,
    TokenTailBasis,
    TokenTailTie,
)

Column: TypeAlias = NDArray[Any]
Integers: TypeAlias = NDArray[np.int64]
Rows: TypeAlias = Mapping[str, Column]

SETTLED_FROM = (
    "match_id",
    "set_no",
    "winner",
    "holes_1",
    "holes_2",
    "run_intact_1",
    "run_intact_2",
    "picked_up_1",
    "picked_up_2",
    "reached_six_1",
    "reached_six_2",
    "do_overs",
    "first_scorer",
)
"""Columns of `sets` that some settlement reads."""

NO_KIND, SIMPLE, PETITE, GRANDE = range(4)
GRANDE_HOLES = 12
MOST_DOUBLINGS = 20
"""Of the price of a run; 126 holes in one set, which no play comes near."""


# ---------------------------------------------------------------- one set


def set_value(
    winner_holes: Column,
    loser_holes: Column,
    do_overs: Column | int,
    run_intact: Column,
    held: Column | bool,
    settlement: Settlement,
) -> dict[str, Column]:
    """Price decided sets: m (W + c) - L, the loser's holes counted once. Source 000, 4.

    Parameters
    ----------
    winner_holes, loser_holes : integer arrays
        Holes of the set's winner and loser.
    do_overs : integer array or int
        Sets done over (*refaits*) before this one; each carries the consolation forward.
    run_intact : bool array
        Whether the winner made all his holes in one unbroken run.
    held : bool array or bool
        Whether the run counts as made without a pickup.
    settlement : Settlement
        The tariff.

    Returns
    -------
    dict
        `value` int32, points of the set; `multiplier` int32; `consolation` int32, already multiplied;
        `kind` int8: 1 simple, 2 petite, 3 grande bredouille.
    """
    winner_holes = np.asarray(winner_holes, dtype=np.int32)
    run_intact = np.asarray(run_intact, dtype=bool)
    kind = np.where(run_intact, np.where(winner_holes >= GRANDE_HOLES, GRANDE, PETITE), SIMPLE).astype(
        np.int8
    )
    multiplier = _multiplier(kind, winner_holes, held, settlement)
    ties = np.asarray(do_overs, dtype=np.int32)
    growth = 1 + ties if settlement.refait_growth is RefaitGrowth.LINEAR else np.left_shift(np.int32(1), ties)
    consolation = multiplier * (np.int32(settlement.consolation) * growth)
    value = multiplier * winner_holes + consolation - loser_holes
    return {
        "value": value.astype(np.int32, copy=False),
        "multiplier": multiplier,
        "consolation": consolation.astype(np.int32, copy=False),
        "kind": kind,
    }


def _multiplier(kind: Column, winner_holes: Column, held: Column | bool, settlement: Settlement) -> Column:
    """Times that holes and consolation count, int32."""
    if settlement.progression is Progression.DOUBLE_EVERY_6:
        sixes = np.where(kind > SIMPLE, winner_holes // 6, 0)
        if sixes.max(initial=0) > MOST_DOUBLINGS:
            raise UsageError(
                f"settlement.progression = double_every_6: a run of {int(winner_holes.max())} holes would count "
                f"more than {2**MOST_DOUBLINGS} times"
            )
        doubled: Column = np.left_shift(np.int32(1), sixes.astype(np.int32))
        return doubled
    by_kind = np.array(
        [
            (0, 1, settlement.mult_petite, settlement.mult_grande),
            (0, 1, settlement.mult_petite_held, settlement.mult_grande_held),
        ],
        dtype=np.int32,
    )
    multiplied: Column = by_kind[np.asarray(held, dtype=np.int8), kind]
    return multiplied


def set_values(sets: Rows, settlement: Settlement) -> dict[str, Column]:
    """Value of every row of `sets` to its winner.

    Parameters
    ----------
    sets : mapping of column name to array
        Columns winner, holes_1, holes_2, run_intact_1, run_intact_2, and those the tariff asks for:
        do_overs when there is a consolation, picked_up_1 and picked_up_2 when a held run has its own price.
    settlement : Settlement
        The tariff.

    Returns
    -------
    dict
        As `set_value`, one entry per row; all 0 where nobody won (a capped set).

    Raises
    ------
    UsageError
        A column is missing; the message names it and the settlement field that needs it.
    """
    _need(sets, ("winner", "holes_1", "holes_2"), "the value of a set")
    _need(sets, ("run_intact_1", "run_intact_2"), "settlement.mult_petite and settlement.mult_grande")
    winner = sets["winner"]
    first = winner == 1
    winner_holes = np.where(first, sets["holes_1"], sets["holes_2"])
    loser_holes = np.where(first, sets["holes_2"], sets["holes_1"])
    run_intact = np.where(first, sets["run_intact_1"], sets["run_intact_2"])

    do_overs: Column | int = 0
    if settlement.consolation:
        _need(sets, ("do_overs",), "settlement.consolation with settlement.refait_growth")
        do_overs = sets["do_overs"]
    held: Column | bool = False
    if settlement.progression is Progression.TWO_STEP and (
        settlement.mult_petite,
        settlement.mult_grande,
    ) != (settlement.mult_petite_held, settlement.mult_grande_held):
        held = _held(sets, first, settlement)

    values = set_value(winner_holes, loser_holes, do_overs, run_intact, held, settlement)
    undecided = winner == 0
    if undecided.any():
        for column in values.values():
            column[undecided] = 0
    return values


def _held(sets: Rows, first: Column, settlement: Settlement) -> Column:
    """Whether a run is priced as held: the winner's own, or the run the loser failed to cash."""
    _need(
        sets,
        ("picked_up_1", "picked_up_2"),
        "settlement.mult_petite_held, settlement.mult_grande_held and settlement.late_run_price",
    )
    picked_up = np.where(first, sets["picked_up_1"], sets["picked_up_2"])
    if settlement.late_run_price is LateRunPrice.MISSED_RUN_OF_OPPONENT:
        _need(sets, ("reached_six_1", "reached_six_2"), "settlement.late_run_price")
        by_loser = np.where(first, sets["picked_up_2"], sets["picked_up_1"])
        missed = np.where(first, sets["reached_six_2"], sets["reached_six_1"])
        picked_up = np.where(missed, by_loser, picked_up)
    return ~picked_up


def partie_prices(sets: Rows, settlement: PartieSettlement) -> Column:
    """Stakes that each twelve-hole partie is worth to its winner. Rules II.4.

    Parameters
    ----------
    sets : mapping of column name to array
        Column winner and those the price asks for: run_intact_1 and run_intact_2 where an unbroken run is
        paid, with holes_1, holes_2 and first_scorer where honours are.
    settlement : PartieSettlement
        The price.

    Returns
    -------
    int8 array
        1 to 4; 0 where nobody won.

    Raises
    ------
    UsageError
        A column is missing; the message names it and the price that needs it.
    """
    _need(sets, ("winner",), "settlement.price_scheme")
    winner = sets["winner"]
    won = winner != 0
    if settlement.price_scheme is PriceScheme.PLAIN:
        plain: Column = won.astype(np.int8)
        return plain
    purpose = f"settlement.price_scheme = {settlement.price_scheme.value}"
    _need(sets, ("run_intact_1", "run_intact_2"), purpose)
    run_intact = np.where(winner == 1, sets["run_intact_1"], sets["run_intact_2"])
    if settlement.price_scheme is PriceScheme.DOUBLE:
        doubled: Column = np.where(won, 1 + run_intact, 0).astype(np.int8)
        return doubled
    _need(sets, ("holes_1", "holes_2", "first_scorer"), purpose)
    loser_holes = np.where(winner == 1, sets["holes_2"], sets["holes_1"])
    scored_second = sets["first_scorer"] == 3 - winner
    honours: Column = np.select(
        [
            ~won,
            loser_holes == 0,
            run_intact & scored_second,
            loser_holes <= settlement.honours_double_max_loser_holes,
        ],
        [0, 4, 3, 2],
        default=1,
    ).astype(np.int8)
    return honours


# ---------------------------------------------------------------- one match


def settle(
    sets: Rows, settlement: Settlement, *, n_sets: int | None = None, seed: int = 0
) -> dict[str, Column]:
    """Settle written matches from their set rows.

    Parameters
    ----------
    sets : mapping of column name to array
        Whole matches, ordered by match_id and set_no; the columns of `set_values` and these two.
    settlement : Settlement
        How sets become money.
    n_sets : int, optional
        Even number of sets of the match: the first n_sets of the rows are used. By default the largest
        set_no of the rows (rounded up to even), so name it where all matches of a block may be cut short.
    seed : int
        The seed of the run, for the dice that decide a five (`settlement.round_five` = die). Each match has its
        own, which no roll on the board uses: settling again gives the same answer.

    Returns
    -------
    dict
        One entry per match: match_id; sets_won_1, sets_won_2 int16; set_points_1, set_points_2 int64, the
        values of the sets each player won; the columns of `pay`; settled bool. A match with fewer than
        n_sets valued sets is not settled: its amounts and its winner are 0.

    Raises
    ------
    UsageError
        A column is missing, the rows are not whole matches in order, or n_sets is not an even number >= 2.
    """
    starts = match_starts(sets)
    set_no, winner = sets["set_no"], sets["winner"]
    if n_sets is None:
        largest = int(set_no.max(initial=2))
        n_sets = largest + largest % 2
    if n_sets < 2 or n_sets % 2:
        raise UsageError(f"n_sets = {n_sets}: a written match has an even number of sets, 2 or more")

    value = set_values(sets, settlement)["value"]
    counted = set_no <= n_sets
    won_1, won_2 = counted & (winner == 1), counted & (winner == 2)
    sets_won_1, sets_won_2 = _per_match(won_1, starts), _per_match(won_2, starts)
    settled = sets_won_1 + sets_won_2 == n_sets
    set_points_1 = _per_match(np.where(won_1, value, 0), starts) * settled
    set_points_2 = _per_match(np.where(won_2, value, 0), starts) * settled
    match_id = sets["match_id"][starts]
    higher_die = higher_dice(match_id, seed) if settlement.round_five is RoundFive.DIE else None
    amounts = pay(
        set_points_1 - set_points_2, sets_won_1 * settled, sets_won_2 * settled, settlement, higher_die
    )
    return {
        "match_id": match_id,
        "sets_won_1": sets_won_1.astype(np.int16),
        "sets_won_2": sets_won_2.astype(np.int16),
        "set_points_1": set_points_1,
        "set_points_2": set_points_2,
        **amounts,
        "settled": settled,
    }


def higher_dice(match_id: Column, seed: int, debt: int = 0) -> Column:
    """Return who throws the higher die when a five is to be decided: 1 or 2, int8, for each match.

    `debt`: which of several that a match may have.
    """
    from simkit.kernel.compiled import signed_word
    from simkit.kernel.dice import ROUNDING
    from simkit.kernel.entries import draw_higher

    draws = np.empty((len(match_id), 2), np.int64)
    draw_higher(signed_word(seed), match_id.astype(np.int64), debt, ROUNDING, draws)
    return np.where(draws[:, 0] > draws[:, 1], 1, 2).astype(np.int8)


def pay(
    set_points: Integers,
    sets_won_1: Integers,
    sets_won_2: Integers,
    settlement: Settlement,
    higher_die: Column | None = None,
) -> dict[str, Column]:
    """Settle matches whose sums are known. Source 000, 6 to 9.

    Parameters
    ----------
    set_points : int64 array
        D: values of the sets of player 1 less those of player 2.
    sets_won_1, sets_won_2 : int64 arrays
        Sets won by each; they add up to an even number.
    settlement : Settlement
        How sets become money.
    higher_die : int array, optional
        Who throws the higher die, 1 or 2, should a five be decided by dice.

    Returns
    -------
    dict
        int64, signed for player 1: `set_points` D; `token_tail` T, decided before the sets are paid; `paris`,
        so many points per set won; `tail_of_sets` to the player with more sets; `exact` G, their sum;
        `rounded` R; `general_tail`; `money`, R with the general tail. `winner` int8: 1, 2, or 0 for a draw,
        by the sign of G.

    Raises
    ------
    UsageError
        Tokens would have to be shared out in halves: an odd number of sets; or a five needs dice that are not
        given.
    """
    set_points = np.asarray(set_points, dtype=np.int64)
    more_sets = np.asarray(sets_won_1, dtype=np.int64) - sets_won_2
    token_tail, token_lead = _token_tail(set_points, sets_won_1, sets_won_2, settlement)
    paris = settlement.paris_per_set * more_sets
    tail_of_sets = settlement.tail_of_sets * np.sign(more_sets)
    exact = set_points + token_tail + paris + tail_of_sets
    rounded = round_amount(exact, settlement, higher_die)
    decides = {
        GeneralTailBasis.EXACT: exact,
        GeneralTailBasis.ROUNDED: rounded,
        GeneralTailBasis.TOKEN_TAIL_WINNER: token_lead,
    }[settlement.general_tail_basis]
    general_tail = settlement.general_tail * np.sign(decides)
    return {
        "set_points": set_points,
        "token_tail": token_tail,
        "paris": paris,
        "tail_of_sets": tail_of_sets,
        "exact": exact,
        "rounded": rounded,
        "general_tail": general_tail,
        "money": rounded + general_tail,
        "winner": np.where(exact > 0, 1, np.where(exact < 0, 2, 0)).astype(np.int8),
    }


def _token_tail(
    set_points: Integers, sets_won_1: Integers, sets_won_2: Integers, settlement: Settlement
) -> tuple[Integers, Integers]:
    """The tail of tokens and the sign of who leads before it is taken. Source 000, 8.

    The loser of a set has put out so many tokens. The leader takes back his own and gains the other's, which
    comes to so many points per set he has won; tied players share: half of that per set of difference.
    """
    tokens = settlement.tokens_per_set
    more_sets = np.asarray(sets_won_1, dtype=np.int64) - sets_won_2
    if settlement.token_tail_basis is TokenTailBasis.HOLDINGS:
        lead = np.sign(2 * set_points + tokens * more_sets)  # twice what the first holds above the other
    else:
        lead = np.sign(set_points)
    tail = np.where(lead > 0, tokens * sets_won_1, -tokens * sets_won_2)
    tied = lead == 0
    if settlement.token_tail_tie is TokenTailTie.SHARE:
        both = tokens * more_sets[tied]
        if (both % 2).any():
            raise UsageError(
                "settlement.token_tail_tie = share with settlement.tokens_per_set = "
                f"{tokens} would halve a token: the number of sets must be even"
            )
        tail[tied] = both // 2
    else:
        tail[tied] = 0
    return tail, lead


def round_amount(exact: Integers, settlement: Settlement, higher_die: Column | None = None) -> Integers:
    """Round what the loser owes to whole units, then put the sign back. Source 000, 7.

    `higher_die`: who throws the higher die, 1 or 2, where dice decide a five; he who is paid then has it rounded
    up, he who pays down.

    Raises
    ------
    UsageError
        A five must be decided by dice and they are not given.
    """
    unit = settlement.round_unit
    if unit is None:
        return exact
    exact = np.asarray(exact, dtype=np.int64)
    units, rest = np.divmod(np.abs(exact), unit)
    units += 2 * rest > unit
    half = 2 * rest == unit
    if settlement.round_five is RoundFive.UP:
        units += half
    elif settlement.round_five is RoundFive.HALF_EVEN:
        units += half & (units % 2 == 1)
    elif settlement.round_five is RoundFive.DIE and half.any():
        if higher_die is None:
            raise UsageError(
                f"settlement.round_five = die: {int(exact[half][0])} is rounded by the higher die, and no die "
                "is given"
            )
        units += half & (np.where(exact > 0, 1, 2) == higher_die)
    rounded: Integers = np.sign(exact) * (units * unit)
    return rounded


def settle_parties(sets: Rows, settlement: PartieSettlement, *, n_parties: int = 1) -> dict[str, Column]:
    """Settle matches of parties: the stakes of each partie, summed over the match.

    Parameters
    ----------
    sets : mapping of column name to array
        Whole matches, ordered by match_id and set_no; the columns of `partie_prices` and these two.
    settlement : PartieSettlement
        What each partie is worth.
    n_parties : int
        Parties of the match: the first n_parties of the rows are used.

    Returns
    -------
    dict
        One entry per match: match_id; sets_won_1, sets_won_2 int16, parties won; exact int64, stakes, signed
        for player 1; winner int8: 1, 2, or 0 for a draw, by the sign of exact; settled bool. A match with fewer
        than n_parties decided parties is not settled: its stakes and its winner are 0.

    Raises
    ------
    UsageError
        A column is missing, the rows are not whole matches in order, or n_parties is below 1.
    """
    if n_parties < 1:
        raise UsageError(f"n_parties = {n_parties}: a match has one partie or more")
    starts = match_starts(sets)
    counted = sets["set_no"] <= n_parties
    won_1, won_2 = (counted & (sets["winner"] == player) for player in (1, 2))
    parties_won_1, parties_won_2 = _per_match(won_1, starts), _per_match(won_2, starts)
    settled = parties_won_1 + parties_won_2 == n_parties
    stakes = (won_1.astype(np.int64) - won_2) * partie_prices(sets, settlement)
    exact = _per_match(stakes, starts) * settled
    return {
        "match_id": sets["match_id"][starts],
        "sets_won_1": parties_won_1.astype(np.int16),
        "sets_won_2": parties_won_2.astype(np.int16),
        "exact": exact,
        "winner": np.where(exact > 0, 1, np.where(exact < 0, 2, 0)).astype(np.int8),
        "settled": settled,
    }


# ---------------------------------------------------------------- rows


def match_starts(sets: Rows) -> NDArray[np.intp]:
    """Index of each match's first row, once the rows are known to be whole matches in order.

    Raises
    ------
    UsageError
        match_id does not ascend, or the set_no of a match are not 1, 2, 3 ...
    """
    _need(sets, ("match_id", "set_no", "winner"), "settling a match")
    match_id, set_no = sets["match_id"], sets["set_no"]
    if not match_id.size:
        return np.zeros(0, dtype=np.intp)
    step = np.diff(match_id)
    first = np.concatenate(([True], step != 0))
    follows = np.concatenate(([False], np.diff(set_no) == 1))
    if (step < 0).any() or not np.where(first, set_no == 1, follows).all():
        raise UsageError(
            "set rows must be whole matches ordered by match_id, each with set_no 1, 2, 3 ... without a gap"
        )
    return np.flatnonzero(first)


def _per_match(column: Column, starts: NDArray[np.intp]) -> Integers:
    return np.add.reduceat(column, starts, dtype=np.int64) if starts.size else np.zeros(0, dtype=np.int64)


def _need(sets: Rows, columns: tuple[str, ...], purpose: str) -> None:
    missing = [name for name in columns if name not in sets]
    if missing:
        raise UsageError(
            f"{purpose} needs the column{'s' * (len(missing) > 1)} {', '.join(missing)}, "
            f"which these set rows lack; they hold: {', '.join(sets) or 'nothing'}"
        )
