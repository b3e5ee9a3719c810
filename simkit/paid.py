"""Who pays whom what, payment by payment: the facts that a settlement adds up. Nothing is played again.

Of two players, and of three each for himself, every payment has its reason; partners, whose shares are whole
jetons, pay and are paid for a match as a whole. What a settlement gives a player is what he is paid here less what
he pays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from simkit.errors import UsageError
from simkit.honours import PAID_FOR, games_needed, payments, settle_partners
from simkit.rules import Combine, PoolDrain, PoolFill, RuleSet, TableMode, TwelveHoles, Written
from simkit.settle import (
    Column,
    Integers,
    Rows,
    match_starts,
    partie_prices,
    set_values,
    settle,
    settle_parties,
)
from simkit.settle_turns import TURNS_SETTLED_FROM, settle_by_turns, tourner_paris, tourner_set, turn_order

WHAT: Final = (
    *PAID_FOR,
    "honours",
    "set",
    "consolation",
    "tokens",
    "paris",
    "tail_of_sets",
    "rounding",
    "general_tail",
    "partie",
)
"""What is paid for: to the places of `simkit.honours.PAID_FOR` come the games of honours as a whole; a set; its
consolation, to who sat out; the tail of tokens; lost sets, à tourner with their tail; the tail of sets; what
rounding adds; the general tail; a partie."""
UNITS: Final = ("jetons", "fish", "stakes")
_COMBINE_JETONS: Final = PAID_FOR.index("written")

Group = tuple[Any, ...]
"""match_id, set_no, payer, payee, what, amount: columns, or one value for all; an amount below zero is paid the
other way."""


def payments_of(
    rules: RuleSet, sets: Rows, games: Rows | None = None, *, n_sets: int | None = None, seed: int = 0
) -> dict[str, Column]:
    """List the payments of whole matches.

    Parameters
    ----------
    rules
        What was played, with the settlement.
    sets, games
        Rows of `sets`, and of trictrac combiné of `honours_games`, of the same matches, ordered.
    n_sets
        Sets of the match, all by default: the first n_sets of the rows are used.
    seed
        The seed of the run, for the dice that decide a five.

    Returns
    -------
    dict
        One entry per payment above zero: match_id; `set_no` int16, the set or partie it follows, 0 for the start
        and one more than the match has for its end; `game_no` int16, of trictrac combiné the game of honours in
        the same way, else 0; `payer`, `payee` int8, players, or 0 for the basket; `what` and `unit` int8, places
        in `WHAT` and `UNITS`; `amount` int64. A match that is not settled has none.

    Raises
    ------
    UsageError
        A pool, whose players pay the pot; trictrac combiné without its games; or as the settlement of the match.
    """
    match = rules.match
    if isinstance(match, Combine):
        games = games_needed(games)
        if match.players == 2:
            return _of_both_games(sets, games, match, n_sets, seed)
        return _laid_out(_of_partners_of_both(sets, games, match, n_sets, seed))
    if isinstance(match, Written):
        by = _of_two if match.players == 2 else _by_turns
        return _laid_out(by(sets, match, match.sets if n_sets is None else n_sets, seed))
    if isinstance(match, TwelveHoles):
        return _laid_out(_of_parties(sets, match, n_sets), unit="stakes")
    pool = isinstance(match, PoolFill | PoolDrain)
    why = (
        "a pool is paid by and to the pot and nobody pays another; what each player pays, takes and wins is a row "
        "of its settlement (simkit settle RUN --out FILE, or simkit.settle_run in Python)"
        if pool
        else ("a match to points has points only")
    )
    raise UsageError(f"{rules.name}: {why}")


def _of_parties(sets: Rows, match: TwelveHoles, n_parties: int | None) -> Iterator[Group]:
    """Parties: the stakes of each."""
    whole = settle_parties(
        sets, match.settlement, n_parties=match.parties if n_parties is None else n_parties
    )
    counted = _counted(sets, whole, match.parties if n_parties is None else n_parties)
    winner, price = sets["winner"], partie_prices(sets, match.settlement)
    yield sets["match_id"], sets["set_no"], 3 - winner, winner, "partie", price * counted


def _of_two(sets: Rows, match: Written, n_sets: int, seed: int) -> Iterator[Group]:
    """A written match of two, set by set."""
    whole = settle(sets, match.settlement, n_sets=n_sets, seed=seed)
    value, winner = (
        set_values(sets, match.settlement)["value"] * _counted(sets, whole, n_sets),
        sets["winner"],
    )
    yield sets["match_id"], sets["set_no"], 3 - winner, winner, "set", value
    tails = {
        "tokens": whole["token_tail"],
        "paris": whole["paris"],
        "tail_of_sets": whole["tail_of_sets"],
        "rounding": whole["rounded"] - whole["exact"],
        "general_tail": whole["general_tail"],
    }
    for what, amount in tails.items():
        yield whole["match_id"], n_sets + 1, 2, 1, what, amount


def _by_turns(sets: Rows, match: Written, n_sets: int, seed: int) -> Iterator[Group]:
    """A written match of three players or more."""
    whole = settle_by_turns(sets, match, n_sets=n_sets, seed=seed)
    if match.table_mode is TableMode.TOURNER:
        yield from _tourner(sets, match, whole, n_sets)
    else:
        yield from _cleared(whole, n_sets + 1, "written", _each(whole, "money", match.players))


def _tourner(sets: Rows, match: Written, whole: Rows, n_sets: int) -> Iterator[Group]:
    """Three players, each for himself."""
    tariff, first = match.settlement, sets["winner"] == 1
    counted = _counted(sets, whole, n_sets)
    seats = sets["player_1_seat"], sets["player_2_seat"]
    winner, loser = np.where(first, *seats), np.where(first, *seats[::-1])
    to_winner, to_idle = tourner_set(sets, tariff)
    yield sets["match_id"], sets["set_no"], loser, winner, "set", to_winner * counted
    yield sets["match_id"], sets["set_no"], loser, sets["idle_seat"], "consolation", to_idle * counted
    starts = match_starts(sets)
    lost = np.stack(
        [
            np.add.reduceat(counted * (loser == player), starts, dtype=np.int64)
            if starts.size
            else np.zeros(0, np.int64)
            for player in (1, 2, 3)
        ],
        axis=1,
    )
    paris = tourner_paris(lost, turn_order(sets, starts, 3), tariff)
    for payer, payee in product(range(3), repeat=2):
        amount = paris[:, payer, payee] * whole["settled"]
        yield whole["match_id"], n_sets + 1, payer + 1, payee + 1, "paris", amount
    rounding = _each(whole, "rounded", 3) - _each(whole, "exact", 3)
    yield from _cleared(whole, n_sets + 1, "tokens", _each(whole, "token_tail", 3))
    yield from _cleared(whole, n_sets + 1, "rounding", rounding)
    yield from _cleared(whole, n_sets + 1, "general_tail", _each(whole, "general_tail", 3))


def _of_partners_of_both(
    sets: Rows, games: Rows, match: Combine, n_sets: int | None, seed: int
) -> Iterator[Group]:
    """Trictrac combiné with partners: both games as a whole."""
    missing = [name for name in TURNS_SETTLED_FROM if name not in sets]
    if missing:
        raise UsageError(f"payments of {match.players} players need the columns {', '.join(missing)}")
    whole = settle_partners(sets, games, match, n_sets=n_sets, seed=seed)
    end = (match.sets if n_sets is None else n_sets) + 1
    for what, name in (("written", "written_money"), ("honours", "honours_fish")):
        yield from _cleared(whole, end, what, _each(whole, name, match.players))


def _of_both_games(
    sets: Rows, games: Rows, match: Combine, n_sets: int | None, seed: int
) -> dict[str, Column]:
    """Trictrac combiné of two: what `simkit.honours.payments` lists, with the set each follows."""
    found = payments(sets, games, match, n_sets=n_sets, seed=seed)
    match_id, game_no = found["match_id"], found["game_no"]
    keys = games["match_id"] * _MOST_GAMES + games["game_no"]
    place = np.minimum(np.searchsorted(keys, match_id * _MOST_GAMES + game_no), max(len(keys) - 1, 0))
    end = (match.sets if n_sets is None else n_sets) + 1
    set_no = np.where(game_no == 0, 0, games["set_no"][place] if len(keys) else end)
    ended = np.isin(found["what"], [WHAT.index("unfinished"), _COMBINE_JETONS])
    set_no = np.where(ended, end, set_no)
    unit = np.where(found["what"] == _COMBINE_JETONS, UNITS.index("jetons"), UNITS.index("fish"))
    return {
        "match_id": match_id,
        "set_no": set_no.astype(np.int16),
        **{name: column for name, column in found.items() if name not in ("match_id", "amount")},
        "amount": found["amount"],
        "unit": unit.astype(np.int8),
    }


_MOST_GAMES: Final = 1 << 16


def _counted(sets: Rows, whole: Rows, n_sets: int) -> Column:
    """Which rows belong to the first sets of a settled match."""
    settled: Column = whole["settled"][np.searchsorted(whole["match_id"], sets["match_id"])]
    return settled & (sets["set_no"] <= n_sets)


def _each(whole: Rows, name: str, players: int) -> Integers:
    """A column of every player, int64 (matches, players)."""
    return np.stack([whole[f"{name}_{player + 1}"] for player in range(players)], axis=1).astype(np.int64)


def _cleared(whole: Rows, set_no: int, what: str, nets: Integers) -> Iterator[Group]:
    """Let those who lose pay those who win, each in the order of the seats; `nets` add up to nothing."""
    owed, due = np.maximum(-nets, 0), np.maximum(nets, 0)
    for payer, payee in product(range(nets.shape[1]), repeat=2):
        amount = np.minimum(owed[:, payer], due[:, payee])
        owed[:, payer] -= amount
        due[:, payee] -= amount
        yield whole["match_id"], set_no, payer + 1, payee + 1, what, amount


def _laid_out(groups: Iterator[Group] | Sequence[Group], unit: str = "") -> dict[str, Column]:
    """Lay groups of payments out as columns, in order of match and set; what is zero is none."""
    rows = [
        np.broadcast_arrays(*(WHAT.index(part) if isinstance(part, str) else part for part in group))
        for group in groups
    ]
    match_id, set_no, payer, payee, what, amount = (
        np.concatenate([group[place] for group in rows]).astype(np.int64) for place in range(6)
    )
    order = np.lexsort((set_no, match_id))
    order = order[amount[order] != 0]
    backwards = amount < 0
    payer, payee = np.where(backwards, payee, payer), np.where(backwards, payer, payee)
    fish = np.where(what == WHAT.index("honours"), UNITS.index("fish"), UNITS.index(unit or "jetons"))
    return {
        "match_id": match_id[order],
        "set_no": set_no[order].astype(np.int16),
        "game_no": np.zeros(len(order), np.int16),
        "payer": payer[order].astype(np.int8),
        "payee": payee[order].astype(np.int8),
        "what": what[order].astype(np.int8),
        "amount": np.abs(amount[order]),
        "unit": fish[order].astype(np.int8),
    }
