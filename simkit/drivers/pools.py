"""The pools: who plays whom, for all pools of a chunk at once, and what their matches leave behind as columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.drivers.chunk import ChunkTables, Rounds, in_order
from simkit.drivers.engine import Engine
from simkit.drivers.match import drawn_units, set_columns
from simkit.drivers.start import start_units
from simkit.errors import UsageError
from simkit.kernel.records import CAPPED, INTACT
from simkit.rules import DrainRotation, FillStreak, Pool, PoolDrain, PoolFill, PoolFirstDie, RuleSet

INCUMBENT, CHALLENGER = 0, 1
"""The sides of a match: who has stayed at the board, and who has come in; of the first match, first and second in
line."""


def pool_of(rules: RuleSet) -> Pool:
    """The pool of a rule set; raises UsageError for another match."""
    if isinstance(rules.match, PoolFill | PoolDrain):
        return rules.match
    raise UsageError(f"{rules.name} is no pool")


def holes_paid(match: Pool, winner_holes: Any, loser_holes: Any, run_intact: Any) -> Any:
    """Holes for which the winner of a match is paid out of the pot; none in a pool that fills.

    Parameters
    ----------
    match
        The pool.
    winner_holes, loser_holes
        Whole numbers or int arrays.
    run_intact
        Whether the winner's run of holes is unbroken; truth values of the same shape.
    """
    if isinstance(match, PoolFill):
        return np.zeros_like(winner_holes)
    return np.where(run_intact, match.run_multiplier, 1) * winner_holes - loser_holes


class Pools:
    """Pools abreast, all after the same number of matches.

    Attributes
    ----------
    line
        int64 (pools, players): the players from 0 on, in line; the first two are at the board, the one who has
        stayed before the one who comes in.
    streak
        int64 (pools,): wins in a row that count, of the first in line.
    pot
        int64 (pools,): what is left of a draining pool, in hundredths of a stake; below 0 what the last winner's
        holes came to beyond it. Nought in a pool that fills: its pot is settled from rows.
    played
        Matches so far.
    """

    def __init__(self, match: Pool, count: int) -> None:
        self._match = match
        self.line = np.tile(np.arange(match.players, dtype=np.int64), (count, 1))
        self.streak = np.zeros(count, np.int64)
        self.pot = np.full(count, match.pot if isinstance(match, PoolDrain) else 0, np.int64)
        self.played = 0

    def record(self, row: Any, winner: Any, paid: Any) -> Any:
        """Enter the next match of some pools, and change seats; return which of them are over, bool (n,).

        Parameters
        ----------
        row
            int64 (n,), the pools, each once.
        winner
            int64 (n,), the side that won, `INCUMBENT` or `CHALLENGER`.
        paid
            int64 (n,), what `holes_paid` gives.
        """
        match = self._match
        self.played += 1
        if isinstance(match, PoolFill):
            first_win = 1 if match.fill_streak is FillStreak.COUNT_DETHRONING else 0
            self.streak[row] = np.where(winner == INCUMBENT, self.streak[row] + 1, first_win)
            over = self.streak[row] == match.players - 1
            stays = winner
        else:
            self.pot[row] -= match.hole_value * paid
            over = self.pot[row] <= 0
            ring = match.drain_rotation is DrainRotation.RING and self.played > 1
            stays = np.full(len(row), CHALLENGER) if ring else 1 - winner
        line = self.line[row]
        each = np.arange(len(row))
        self.line[row] = np.column_stack([line[each, stays], line[:, 2:], line[each, 1 - stays]])
        return over

    @property
    def pot_holes(self) -> Any:
        """int64 (pools,): holes that empty what is left; nought in a pool that fills."""
        value = self._match.hole_value if isinstance(self._match, PoolDrain) else 1
        return -(-self.pot // value)


def rounds_of_pools(rules: RuleSet, engine: Engine, first_match: int, count: int) -> Rounds:
    """Play `count` pools from pool `first_match` on, match by match, all pools abreast.

    A pool ends as its rules say, or is cut: after `max_matches`, or after a match that was capped.
    """
    match = pool_of(rules)
    pools = Pools(match, count)
    ids = np.arange(first_match, first_match + count, dtype=np.int64)
    units, rounds = drawn_units(rules, engine.key, ids, 0), []
    over = np.zeros(count, np.bool_)
    while len(units):
        row = units.match_id - first_match
        units.seats = pools.line[row, :2]
        units.pot_holes = pools.pot_holes[row]
        yield units
        rounds.append(units)
        ended = units[units.ended_by != CAPPED].view(np.recarray)
        row = ended.match_id - first_match
        over[row] = pools.record(row, ended.winner, _paid(match, ended))
        on = ended.match_id[~over[row]]
        units = _next_units(
            rules, engine.key, on if pools.played < match.max_matches else on[:0], pools.played
        )
    whole = in_order(rounds)
    return ChunkTables(
        matches=_match_columns(whole, pools, over, first_match, count),
        sets=_set_columns(whole, engine),
        figures=engine.figures,
        others={"shares": _share_columns(match, whole, pools, over, first_match, count)},
    )


def _next_units(rules: RuleSet, key: int, ids: Any, unit_no: int) -> Any:
    """The next matches of some pools."""
    first_die = pool_of(rules).pool_first_die
    if first_die is PoolFirstDie.DRAW:
        return drawn_units(rules, key, ids, unit_no)
    first = INCUMBENT if first_die is PoolFirstDie.INCUMBENT else CHALLENGER
    return start_units(ids, unit_no, np.full(len(ids), first, np.int64))


def _paid(match: Pool, units: Any) -> Any:
    """Holes that units won are paid for; 0 for a capped one."""
    each, side = np.arange(len(units)), np.maximum(units.winner, 0)
    intact = units.run[each, side] == INTACT
    paid = holes_paid(match, units.holes[each, side], units.holes[each, 1 - side], intact)
    return np.where(units.winner >= 0, paid, 0)


def _set_columns(units: Any, engine: Engine) -> dict[str, Any]:
    """One row per match of two, with the places in line of both; the order of the units stays."""
    columns = set_columns([units], int(engine.lowered.set_min_holes[0]))
    for side in range(2):
        columns[f"player_{side + 1}_seat"] = (units.seats[:, side] + 1).astype(np.int8)
    return columns


def _match_columns(units: Any, pools: Pools, over: Any, first_match: int, count: int) -> dict[str, Any]:
    """One row per pool, summed over its matches."""
    row = units.match_id - first_match

    def summed(values: Any, dtype: Any) -> Any:
        return np.bincount(row, values, count).astype(dtype)

    opening, last = units[units.unit_no == 0], _last(units)
    winner, loser = _at_end(last, over)
    return {
        "match_id": np.arange(first_match, first_match + count, dtype=np.int64),
        "first_player": (opening["first_player"] + 1).astype(np.int8),
        "matches": (last["unit_no"] + 1).astype(np.int16),
        "last_winner": (winner + 1).astype(np.int8),
        "last_loser": (loser + 1).astype(np.int8),
        "overdraw": np.maximum(-pools.pot, 0).astype(np.int32),
        "rolls": summed(units.rolls + units.rolls_do_overs, np.int32),
        "settings": summed(units.settings + units.settings_do_overs, np.int32),
        "do_overs": summed(units.do_overs, np.int16),
        "sorties": summed(units.sorties, np.int32),
        "truncated": ~over,
    }


def _share_columns(
    match: Pool, units: Any, pools: Pools, over: Any, first_match: int, count: int
) -> dict[str, Any]:
    """One row per player of each pool, in the order of the line."""
    n = match.players
    place = (units.match_id - first_match)[:, None] * n + units.seats

    def summed(values: Any, dtype: Any) -> Any:
        return np.bincount(place.ravel(), np.broadcast_to(values, place.shape).ravel(), count * n).astype(
            dtype
        )

    sides, winner = np.arange(2), units.winner[:, None]
    came = (units.unit_no == 0)[:, None] | (sides == CHALLENGER)
    seat = np.tile(np.arange(n), count)
    won_last, lost_last = (np.repeat(at_end, n) == seat for at_end in _at_end(_last(units), over))
    return {
        "match_id": np.repeat(np.arange(first_match, first_match + count, dtype=np.int64), n),
        "seat": (seat + 1).astype(np.int8),
        "entered": summed(came, np.int16),
        "played": summed(1, np.int16),
        "won": summed(winner == sides, np.int16),
        "lost": summed(winner == 1 - sides, np.int16),
        "holes_won": summed((winner == sides) * _paid(match, units)[:, None], np.int32),
        "won_last": won_last,
        "lost_last": lost_last,
        "overdraw": np.repeat(np.maximum(-pools.pot, 0), n).astype(np.int32),
        "truncated": np.repeat(~over, n),
    }


def _last(units: Any) -> Any:
    """The last unit of each pool, of units in order."""
    return units[np.append(units.match_id[1:] != units.match_id[:-1], True)]


def _at_end(last: Any, over: Any) -> tuple[Any, Any]:
    """Who won and who lost the last match of each pool; -1 where the pool was cut."""
    each, side = np.arange(len(last)), np.maximum(last["winner"], 0)
    winner, loser = (np.where(over, last["seats"][each, one], -1) for one in (side, 1 - side))
    return winner, loser
