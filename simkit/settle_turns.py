"""Set rows of three, four or five players to the money of each; whatever is settled, it adds up to nothing.

Two sides are settled as two players are (`simkit.settle`), and partners share. À tourner each of three wins or
loses by himself. Amounts are whole jetons; what cannot be divided goes to who came to the table first. The
formulas are in docs/rules.md, II.6, and what the sources leave open in docs/rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.errors import UsageError
from simkit.rules import (
    SEATS,
    GeneralTailBasis,
    RoundFive,
    Settlement,
    TableMode,
    TokenTailBasis,
    TokenTailTie,
    TournerParisRule,
    Written,
    replace,
)
from simkit.settle import (
    SETTLED_FROM,
    Column,
    Integers,
    Rows,
    higher_dice,
    match_starts,
    round_amount,
    set_values,
    settle,
)

TURNS_SETTLED_FROM = (*SETTLED_FROM, "first_player", "player_1_seat", "player_2_seat", "idle_seat")
"""Columns of `sets` that some settlement reads where more than two are at the table."""


def settle_by_turns(
    sets: Rows, match: Written, *, n_sets: int | None = None, seed: int = 0
) -> dict[str, Column]:
    """Settle written matches of three to five players from their set rows.

    Parameters
    ----------
    sets : mapping of column name to array
        Whole matches, ordered by match_id and set_no; the columns `TURNS_SETTLED_FROM`.
    match : Written
        What was played, with the settlement that makes money of it.
    n_sets : int, optional
        Settle the first n_sets sets of each match as a match of that length; by default all of them.
    seed : int
        The seed of the run, for the dice that decide a five; see `simkit.settle.settle`.

    Returns
    -------
    dict
        One entry per match, amounts int64 in jetons. Of each player p from 1: `sets_played_p` int16 and `money_p`.
        Of two sides also the columns of `simkit.settle.settle`, signed for side 1. À tourner, of each player,
        `sets_won_p` int16, `set_points_p` with the consolations of sets he sat out, `token_tail_p`, `paris_p` with
        their tail, `exact_p`, their sum, `rounded_p`, `general_tail_p`; and `winner` int8, who has the highest
        exact result, 0 if two have. `settled` bool: a match that lacks a set is not settled, its amounts are 0.

    Raises
    ------
    ConfigError
        No match of these players has so many sets.
    UsageError
        A column is missing, or the rows are not whole matches in order.
    """
    n_sets = match.sets if n_sets is None else replace(match, sets=n_sets).sets
    missing = [name for name in TURNS_SETTLED_FROM if name not in sets]
    if missing:
        raise UsageError(
            f"settling {match.players} players needs the columns {', '.join(missing)}, which these set rows lack"
        )
    starts = match_starts(sets)
    of_players = sets_of_players(
        sets, starts, match.players, n_sets, won=match.table_mode is TableMode.TOURNER
    )
    turns = turn_order(sets, starts, match.players)
    if match.table_mode is TableMode.TOURNER:
        settled = _settle_tourner(sets, starts, turns, match.settlement, n_sets, seed)
    else:
        settled = settle(sets, match.settlement, n_sets=n_sets, seed=seed)
        settled |= shared("money", settled["money"], turns, match.table_mode)
    return {"match_id": settled["match_id"], **of_players, **settled}


def sets_of_players(
    sets: Rows, starts: Any, players: int, n_sets: int, *, won: bool = False
) -> dict[str, Column]:
    """Sets played by each player and, where each is a side of his own, sets won."""
    counted, columns = sets["set_no"] <= n_sets, {}
    for player in range(1, players + 1):
        sat = [counted & (sets[f"player_{side}_seat"] == player) for side in (1, 2)]
        columns[f"sets_played_{player}"] = _per_match(sat[0] | sat[1], starts).astype(np.int16)
        if won:
            his = (sat[0] & (sets["winner"] == 1)) | (sat[1] & (sets["winner"] == 2))
            columns[f"sets_won_{player}"] = _per_match(his, starts).astype(np.int16)
    return columns


def turn_order(sets: Rows, starts: NDArray[np.intp], players: int) -> Integers:
    """Return who came to the table when: int64 (matches, players), 0 for who threw first in the first set."""
    came = np.empty((len(starts), players), np.int64)
    never = np.int64(2 * 10**6)
    for player in range(players):
        when = np.full(len(sets["set_no"]), never + player)
        for side in (1, 2):
            place = 2 * sets["set_no"].astype(np.int64) + (sets["first_player"] != side)
            when = np.where(sets[f"player_{side}_seat"] == player + 1, place, when)
        came[:, player] = np.minimum.reduceat(when, starts) if starts.size else 0
    return np.argsort(np.argsort(came, axis=1), axis=1)


def dealt(amount: Integers, among: NDArray[np.bool_], turns: Integers) -> Integers:
    """Divide whole jetons between some players of each match; odd ones go to those who came first.

    Parameters
    ----------
    amount
        int64 (n,), of either sign.
    among
        bool (n, players), between whom; at least one.
    turns
        int64 (n, players), as `turn_order` gives.

    Returns
    -------
    int64 (n, players), which adds up to `amount`; 0 for the others.
    """
    each, odd = np.divmod(np.abs(amount), among.sum(axis=1))
    place = np.argsort(np.argsort(np.where(among, turns, turns.shape[1] + turns), axis=1), axis=1)
    parts: Integers = np.sign(amount)[:, None] * among * (each[:, None] + (place < odd[:, None]))
    return parts


def shared(name: str, money: Integers, turns: Integers, mode: TableMode) -> dict[str, Column]:
    """What each partner wins of what side 1 wins, or side 2 loses: a column `name_p` for each player."""
    one, two = SEATS[mode]
    side = np.repeat([1, -1], [one, two])
    parts = sum(dealt(sign * money, np.broadcast_to(side == sign, turns.shape), turns) for sign in (1, -1))
    return _by_player(name, parts)


def _by_player(name: str, amounts: Any) -> dict[str, Column]:
    return {f"{name}_{player + 1}": amounts[:, player] for player in range(amounts.shape[1])}


def _per_match(column: Column, starts: NDArray[np.intp]) -> Integers:
    return np.add.reduceat(column, starts, dtype=np.int64) if starts.size else np.zeros(0, dtype=np.int64)


# ---------------------------------------------------------------- à tourner


def _settle_tourner(
    sets: Rows, starts: NDArray[np.intp], turns: Integers, settlement: Settlement, n_sets: int, seed: int
) -> dict[str, Column]:
    """Settle matches of three players, each for himself."""
    counted = (sets["set_no"] <= n_sets) & (sets["winner"] > 0)
    settled = _per_match(counted, starts) == n_sets
    points, lost = _points_and_losses(sets, starts, counted, settlement)
    points, lost = points * settled[:, None], lost * settled[:, None]
    tokens, holdings = tourner_tokens(points, lost, turns, settlement)
    paris = tourner_paris(lost, turns, settlement)
    paid = paris.sum(axis=1) - paris.sum(axis=2)
    exact = points + tokens + paid
    rounded = _rounded_debts(exact, sets["match_id"][starts], settlement, seed)
    decides = {
        GeneralTailBasis.EXACT: exact,
        GeneralTailBasis.ROUNDED: rounded,
        GeneralTailBasis.TOKEN_TAIL_WINNER: holdings,
    }[settlement.general_tail_basis]
    wins = _alone_ahead(decides)
    general = settlement.general_tail * (3 * wins - wins.any(axis=1, keepdims=True))  # two pay the third
    ahead = _alone_ahead(exact)
    return {
        "match_id": sets["match_id"][starts],
        **_by_player("set_points", points),
        **_by_player("token_tail", tokens),
        **_by_player("paris", paid),
        **_by_player("exact", exact),
        **_by_player("rounded", rounded),
        **_by_player("general_tail", general),
        **_by_player("money", rounded + general),
        "winner": (ahead * np.arange(1, 4)).sum(axis=1).astype(np.int8),
        "settled": settled,
    }


def tourner_set(sets: Rows, settlement: Settlement) -> tuple[Column, Column]:
    """What the loser of each set pays à tourner: to its winner, and to the one who sat out; 0 if it was capped."""
    values = set_values(sets, settlement)
    return values["value"], values["consolation"] * settlement.tourner_idle_consolation


def _points_and_losses(
    sets: Rows, starts: NDArray[np.intp], counted: Column, settlement: Settlement
) -> tuple[Integers, Integers]:
    """Points and lost sets of each player: int64 (matches, 3)."""
    to_winner, to_idle = tourner_set(sets, settlement)
    first = sets["winner"] == 1
    winner = np.where(first, sets["player_1_seat"], sets["player_2_seat"])
    loser = np.where(first, sets["player_2_seat"], sets["player_1_seat"])
    points, lost = (np.empty((len(starts), 3), np.int64) for _ in range(2))
    for player in range(3):
        loses = counted & (loser == player + 1)
        gain = to_winner * (winner == player + 1) + to_idle * (sets["idle_seat"] == player + 1)
        points[:, player] = _per_match(counted * gain - loses * (to_winner + to_idle), starts)
        lost[:, player] = _per_match(loses, starts)
    return points, lost


def tourner_tokens(
    points: Integers, lost: Integers, turns: Integers, settlement: Settlement
) -> tuple[Integers, Integers]:
    """The tail of tokens à tourner: what it brings each player, and what decided it; int64 (n, 3) both.

    Each has laid out so many tokens for every set he lost, and whoever is ahead takes all of them.
    """
    laid = settlement.tokens_per_set * lost
    by_holdings = settlement.token_tail_basis is TokenTailBasis.HOLDINGS
    holdings = points - laid if by_holdings else points
    leads = holdings == holdings.max(axis=1, initial=-(2**62))[:, None]
    taken = dealt(laid.sum(axis=1), leads, turns)
    if settlement.token_tail_tie is TokenTailTie.NONE:
        taken = np.where(leads.sum(axis=1)[:, None] > 1, laid, taken)
    return taken - laid, holdings


def tourner_paris(lost: Integers, turns: Integers, settlement: Settlement) -> Integers:
    """What each pays to each for lost sets à tourner: int64 (n, 3 payers, 3 payees).

    Parameters
    ----------
    lost
        int64 (n, 3), sets lost; they add up to the sets of the match, of which each should lose a third.
    turns
        int64 (n, 3), as `turn_order` gives.
    settlement
        `tourner_paris_rule`, `paris_per_set`, `tail_of_sets`.
    """
    payments = np.zeros((len(lost), 3, 3), np.int64)
    if settlement.tourner_paris_rule is TournerParisRule.NONE:
        return payments
    excess = lost - lost.sum(axis=1)[:, None] // 3
    pays, is_paid = excess > 0, excess < 0
    for payer, payee in _pairs():
        both = pays[:, payer] & is_paid[:, payee]
        beyond = np.minimum(excess[:, payer], -excess[:, payee])
        payments[:, payer, payee] = both * 2 * settlement.paris_per_set * beyond
    alone_pays = pays.sum(axis=1) == 1
    others = np.where(alone_pays[:, None], is_paid, pays)  # the two, or the one, with whom one is alone
    if settlement.tourner_paris_rule is TournerParisRule.PAIRWISE_FULL_TAIL:
        tails = others * settlement.tail_of_sets
    else:
        among = np.where(others.any(axis=1)[:, None], others, True)
        tails = dealt(np.full(len(lost), settlement.tail_of_sets), among, turns)
    for payer, payee in _pairs():
        both = pays[:, payer] & is_paid[:, payee]
        payments[:, payer, payee] += both * np.where(alone_pays, tails[:, payee], tails[:, payer])
    return payments


def _pairs() -> Iterator[tuple[int, int]]:
    return ((payer, payee) for payer in range(3) for payee in range(3) if payer != payee)


def _alone_ahead(amounts: Integers) -> NDArray[np.bool_]:
    """Whether a player has more than each of the others, bool (n, 3)."""
    best = amounts == amounts.max(axis=1, initial=-(2**62))[:, None]
    ahead: NDArray[np.bool_] = best & (best.sum(axis=1) == 1)[:, None]
    return ahead


def _rounded_debts(exact: Integers, match_id: Column, settlement: Settlement, seed: int) -> Integers:
    """Round what each of two owes to the third, or has from him, who alone wins or alone loses."""
    rounded = np.empty_like(exact)
    for player in range(3):
        die = higher_dice(match_id, seed, player) if settlement.round_five is RoundFive.DIE else None
        rounded[:, player] = round_amount(exact[:, player], settlement, die)
    rows, alone = np.arange(len(exact)), np.argmax(np.abs(exact), axis=1)
    rounded[rows, alone] = 0
    rounded[rows, alone] = -rounded.sum(axis=1)
    return rounded
