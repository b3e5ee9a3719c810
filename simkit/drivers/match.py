"""The match: who throws first in each unit, and what its units leave behind as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.drivers.engine import Engine
from simkit.drivers.start import start_units
from simkit.kernel.entries import draw_first_throws
from simkit.kernel.records import CAPPED, INTACT
from simkit.players import Player, refuse_misfit
from simkit.rules import FirstRollMethod, RuleSet, SetFirstDie, Written


@dataclass(frozen=True)
class ChunkTables:
    """What a chunk of matches leaves behind.

    `matches` and `sets`: columns by name, one entry per match, or per set in order of match and set (the
    schemas of `simkit.dataset`). `figures`: int64 (2 sides, figures, 2), ways and points marked.
    """

    matches: dict[str, Any]
    sets: dict[str, Any]
    figures: Any


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
    engine = Engine(rules, players, seed)

    draws = np.empty((count, 2), np.int64)
    draw_first_throws(engine.key, first_match, draws)
    first = (draws[:, 1] > draws[:, 0]).astype(np.int64)
    open_ids = np.arange(first_match, first_match + count, dtype=np.int64)
    throws = draws if rules.game.first_roll_method is FirstRollMethod.DRAW_IS_FIRST_THROW else None
    rounds = []
    for set_index in range(written.sets if written else 1):
        units = start_units(open_ids, set_index, first, throws)
        engine.play(units)
        rounds.append(units)
        going_on = units.ended_by != CAPPED
        open_ids, throws = open_ids[going_on], None
        if written:
            first = next_first_thrower(written.set_first_die, units.first_player, units.winner)[going_on]
    return ChunkTables(
        matches=_match_columns(rounds, first_match, count),
        sets=set_columns(rounds, int(engine.lowered.set_min_holes[0])),
        figures=engine.figures,
    )


def set_columns(rounds: Sequence[Any], set_min_holes: int = 6) -> dict[str, Any]:
    """Return one row per set from the units of each round, in order of match and set.

    `set_min_holes`: from how many holes on a player has "reached six".
    """
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
        "reached_six": (units.holes >= set_min_holes, np.bool_),
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
