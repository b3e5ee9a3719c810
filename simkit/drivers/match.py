"""The match: who throws first in each unit, and what its units leave behind as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.errors import UsageError
from simkit.kernel.board import START_HIGH, START_LOW
from simkit.kernel.entries import draw_first_throws, play_units
from simkit.kernel.lower import lower
from simkit.kernel.records import BROKEN, CAPPED, FIGURES, INTACT, NO_RUN, UNIT
from simkit.players import Player, lower_players, refuse_misfit
from simkit.position import Position, check, pack
from simkit.rules import FirstRollMethod, RuleSet, SetFirstDie, Written


@dataclass(frozen=True)
class ChunkTables:
    """What a chunk of matches leaves behind.

    `matches` and `sets`: columns by name, one entry per match, or per set in order of match and set (the
    schemas of `simkit.dataset`). `figures`: int64 (2 sides, figures, 2), times and points marked.
    """

    matches: dict[str, Any]
    sets: dict[str, Any]
    figures: Any


def start_units(match_ids: Any, unit_no: int, first: Any, first_throws: Any = None) -> Any:
    """Return unit records at the start of a unit: all men on the talons, nothing marked.

    Parameters
    ----------
    match_ids
        int64 (n,), the matches.
    unit_no
        Place of the unit in its match, from 0.
    first
        int64 (n,), who throws first: 0 or 1.
    first_throws
        int64 (n, 2), the first throw where the draw is that throw (GU ch. III), else None.
    """
    units = np.zeros(len(match_ids), UNIT).view(np.recarray)
    units.match_id, units.unit_no = match_ids, unit_no
    units.low, units.high = START_LOW, START_HIGH
    units.roller = units.first_player = first
    if first_throws is not None:
        units.die_1, units.die_2 = first_throws[:, 0], first_throws[:, 1]
    units.first_scorer = units.winner = -1
    units.settings = 1
    return units


@dataclass(frozen=True)
class State:
    """A unit under way, before a roll. Pairs are of players 1 and 2, `roller` is 0 or 1.

    `position` is seen by the roller; `run` holds `NO_RUN`, `INTACT` or `BROKEN` of `simkit.kernel.records`;
    `rolls_of` counts each player's rolls since the men last started.
    """

    position: Position
    roller: int = 0
    first_player: int = 0
    points: tuple[int, int] = (0, 0)
    bredouille: tuple[bool, bool] = (False, False)
    rolls_of: tuple[int, int] = (0, 0)
    holes: tuple[int, int] = (0, 0)
    run: tuple[int, int] = (NO_RUN, NO_RUN)
    picked_up: tuple[bool, bool] = (False, False)
    do_overs: int = 0


def units_from(state: State, match_ids: Any, unit_no: int = 0) -> Any:
    """Return unit records that all start from a state, one for each match; the dice are those of the place.

    Raises
    ------
    IllegalPosition, UsageError
        For men that cannot stand so, or a score and a ledger that cannot be.
    """
    check(state.position)
    _check_score(state)
    units = start_units(match_ids, unit_no, state.first_player)
    mine, his = pack(state.position.mover), pack(state.position.other[::-1])
    for side, words in ((state.roller, mine), (1 - state.roller, his)):
        units.low[:, side], units.high[:, side] = words
    units.roller = state.roller
    for name in ("points", "bredouille", "rolls_of", "holes", "run", "picked_up", "do_overs"):
        units[name] = getattr(state, name)
    scored = [side for side in range(2) if state.holes[side]]
    if len(scored) == 1:
        units.first_scorer = scored[0]
    elif scored:  # he whose run was broken scored first; two broken runs do not tell
        units.first_scorer = state.run.index(BROKEN)
    units.intact_at_six = [state.holes[side] >= 6 and state.run[side] == INTACT for side in range(2)]
    units.holes_own_die = state.holes
    return units


def _check_score(state: State) -> None:
    """Refuse points, holes and runs that no play leads to."""
    where = f"[{state.position}]"
    if state.roller not in (0, 1) or state.first_player not in (0, 1):
        raise UsageError(f"roller {state.roller}, first player {state.first_player}: 0 or 1 {where}")
    if min(*state.points, *state.holes, *state.rolls_of, state.do_overs) < 0:
        raise UsageError(f"points {state.points}, holes {state.holes}: none below zero {where}")
    if all(state.bredouille) or any(b and not p for b, p in zip(state.bredouille, state.points, strict=True)):
        raise UsageError(
            f"bredouille {state.bredouille} with points {state.points}: one player at most, and he has points {where}"
        )
    for side in range(2):
        if (state.holes[side] == 0) != (state.run[side] == NO_RUN):
            raise UsageError(
                f"player {side + 1}: a run begins with the first hole, holes {state.holes[side]} {where}"
            )
    if min(state.holes) > 0 and state.run == (INTACT, INTACT):
        raise UsageError(f"two unbroken runs: every hole breaks the other's run (J.L. 1852, no. 225) {where}")


def next_first_thrower(set_first_die: SetFirstDie, first: Any, winner: Any) -> Any:
    """Return who throws first in the next set, from who did in the last and who won it (0 or 1; arrays too)."""
    if set_first_die is SetFirstDie.WINNER_PREV:
        return winner
    return 1 - first


def play_chunk(
    rules: RuleSet, players: tuple[Player, Player], seed: int, first_match: int, count: int
) -> ChunkTables:
    """Play `count` matches from match `first_match` on; a pure function of its arguments.

    A written match stops after a capped set. The interpreter lock is free while units are played.

    Parameters
    ----------
    rules, players
        The rule set; player 1 and player 2.
    seed
        0 to 2**64 - 1, the first word of the dice's key.
    first_match, count
        The matches, by number.
    """
    refuse_misfit(rules, players)
    written = rules.match if isinstance(rules.match, Written) else None
    lowered, lowered_players = lower(rules.game, rules.match), lower_players(players)
    key = seed - (1 << 64) if seed >> 63 else seed
    figures = np.zeros((2, len(FIGURES), 2), np.int64)

    draws = np.empty((count, 2), np.int64)
    draw_first_throws(key, first_match, draws)
    first = (draws[:, 1] > draws[:, 0]).astype(np.int64)
    open_ids = np.arange(first_match, first_match + count, dtype=np.int64)
    throws = draws if rules.game.first_roll_method is FirstRollMethod.DRAW_IS_FIRST_THROW else None
    rounds = []
    for set_index in range(written.sets if written else 1):
        units = start_units(open_ids, set_index, first, throws)
        play_units(lowered, lowered_players, units, key, figures)
        rounds.append(units)
        going_on = units.ended_by != CAPPED
        open_ids, throws = open_ids[going_on], None
        if written:
            first = next_first_thrower(written.set_first_die, units.first_player, units.winner)[going_on]
    return ChunkTables(
        matches=_match_columns(rounds, first_match, count), sets=set_columns(rounds), figures=figures
    )


def set_columns(rounds: Sequence[Any]) -> dict[str, Any]:
    """Return one row per set from the units of each round, in order of match and set."""
    units: Any = np.concatenate(rounds).view(np.recarray)
    units = units[np.lexsort((units.unit_no, units.match_id))]
    columns: dict[str, Any] = {
        "match_id": units.match_id,
        "set_no": (units.unit_no + 1).astype(np.int16),
        "first_player": (units.first_player + 1).astype(np.int8),
        "first_scorer": (units.first_scorer + 1).astype(np.int8),
        "winner": (units.winner + 1).astype(np.int8),
        "ended_by": units.ended_by.astype(np.int8),
    }
    by_player = {
        "holes": (units.holes, np.int16),
        "holes_own_die": (units.holes_own_die, np.int16),
        "holes_other_die": (units.holes_other_die, np.int16),
        "run_intact": (units.run == INTACT, np.bool_),
        "picked_up": (units.picked_up, np.bool_),
        "reached_six": (units.holes >= 6, np.bool_),
        "intact_at_six": (units.intact_at_six, np.bool_),
    }
    for name, (values, dtype) in by_player.items():
        for side in range(2):
            columns[f"{name}_{side + 1}"] = values[:, side].astype(dtype)
    columns["do_overs"] = units.do_overs.astype(np.int16)
    for name in ("rolls", "settings", "rolls_do_overs", "settings_do_overs"):
        columns[name] = units[name].astype(np.int32)
    columns["sorties"] = units.sorties.astype(np.int16)
    return columns


def _match_columns(rounds: Sequence[Any], first_match: int, count: int) -> dict[str, Any]:
    """Return one row per match, summed over its sets."""
    sums: dict[str, Any] = {name: np.zeros(count, np.int64) for name in _SUMS}
    truncated = np.zeros(count, np.bool_)
    for units in rounds:
        row = units.match_id - first_match
        for side in range(2):
            sums[f"sets_won_{side + 1}"][row] += units.winner == side
            sums[f"holes_{side + 1}"][row] += units.holes[:, side]
        sums["rolls"][row] += units.rolls + units.rolls_do_overs
        sums["settings"][row] += units.settings + units.settings_do_overs
        sums["do_overs"][row] += units.do_overs
        sums["sorties"][row] += units.sorties
        truncated[row[units.ended_by == CAPPED]] = True
    return {
        "match_id": np.arange(first_match, first_match + count, dtype=np.int64),
        "first_player": (rounds[0].first_player + 1).astype(np.int8),
        **{name: sums[name].astype(dtype) for name, dtype in _SUMS.items()},
        "truncated": truncated,
    }


_SUMS: dict[str, Any] = {
    "sets_won_1": np.int16,
    "sets_won_2": np.int16,
    "holes_1": np.int32,
    "holes_2": np.int32,
    "rolls": np.int32,
    "settings": np.int32,
    "do_overs": np.int16,
    "sorties": np.int16,
}
