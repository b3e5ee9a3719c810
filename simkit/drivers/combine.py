"""The match of trictrac combiné: sets as in the written match, and the games of honours that go on across them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.drivers.chunk import in_order
from simkit.drivers.start import start_units
from simkit.kernel.records import BROKEN, CAPPED, COMBINED_UNIT, INTACT, MAX_HONOURS, NO_RUN, PLAYED_ON
from simkit.rules import Combine, UnfinishedHonours

CARRIED = ("honours_holes", "honours_run", "honours_own_die", "honours_first")
"""What the game of honours takes along from one set to the next."""

LOG_WIDTHS = (1, 1, 1, 2, 1, 8, 8, 8, 16)
"""Bits of the fields of a finished game of honours, as `simkit.kernel.combine.logged` writes it."""


@dataclass(frozen=True)
class OpenHonours:
    """A game of honours under way between two sets; players are 1 and 2.

    Attributes
    ----------
    holes
        Of either player.
    run
        Whose run of holes is unbroken; 0 for nobody. If the other has holes, it is the run with the necktie.
    first_scorer
        Who made the first hole; 0 for nobody, or where it is not known.
    own_die
        Holes that either made on his own die.
    """

    holes: tuple[int, int] = (0, 0)
    run: int = 0
    first_scorer: int = 0
    own_die: tuple[int, int] = (0, 0)


def open_honours(unit: Any) -> OpenHonours:
    """Read the game of honours under way off the record of a unit that is over."""
    runs = [who + 1 for who in (0, 1) if unit.honours_run[who] == INTACT]
    return OpenHonours(
        holes=(int(unit.honours_holes[0]), int(unit.honours_holes[1])),
        run=runs[0] if runs else 0,
        first_scorer=int(unit.honours_first) + 1,
        own_die=(int(unit.honours_own_die[0]), int(unit.honours_own_die[1])),
    )


def resumed_sets(match_ids: Any, unit_no: int, first: Any, honours: OpenHonours) -> Any:
    """Units, all alike, that go on with a game of honours under way; for the rest see `start_units`."""
    units = start_units(match_ids, unit_no, first, kind=COMBINED_UNIT)
    units.honours_holes, units.honours_own_die = honours.holes, honours.own_die
    units.honours_run = [
        NO_RUN if not honours.holes[who] else INTACT if honours.run == who + 1 else BROKEN for who in (0, 1)
    ]
    units.honours_first = honours.first_scorer - 1
    return units


def following_sets(before: Any, unit_no: int, first: Any) -> Any:
    """Units that follow others in their matches and go on with the game of honours as it stands.

    `first`: int64 (n,), who throws first in each, 0 or 1.
    """
    units = start_units(before.match_id, unit_no, first, kind=COMBINED_UNIT)
    for name in CARRIED:
        units[name] = before[name]
    return units


def honours_rests(match: Combine, units: Any, first: Any) -> Any:
    """Units that play on the games of honours which the last sets have left under way, if they are played on.

    Parameters
    ----------
    match
        The match, whose `combine_unfinished_honours` tells.
    units
        The units of the last sets.
    first
        int64 (n,), who throws first in each of the units to come: 0 or 1.

    Returns
    -------
    recarray of units
        For the matches with such a game, in their order; often none.
    """
    open_games = (units.ended_by != CAPPED) & (units.honours_holes.sum(axis=1) > 0)
    if match.combine_unfinished_honours is not UnfinishedHonours.PLAY_ON:
        open_games[:] = False
    before = units[open_games]
    rests = following_sets(before, match.sets, first[open_games])
    rests.suspension = PLAYED_ON
    return rests


def honours_columns(rounds: Sequence[Any], target_holes: int) -> dict[str, Any]:
    """Return one row per finished game of honours from the units of each round, in order of match and game."""
    units = in_order(rounds)
    counts = np.minimum(units.games, MAX_HONOURS)
    words = units.game_log[np.arange(MAX_HONOURS) < counts[:, None]]
    match_id = np.repeat(units.match_id, counts)
    winner, intact_1, intact_2, first, scored, losers, own_1, own_2, roll = _fields(words, LOG_WIDTHS)
    holes = [np.where(winner == side, target_holes, losers) for side in range(2)]
    columns: dict[str, Any] = {
        "match_id": match_id,
        "game_no": _numbered(match_id).astype(np.int16),
        "set_no": (np.repeat(units.unit_no, counts) + 1).astype(np.int16),
        "winner": (winner + 1).astype(np.int8),
        "first_scorer": first.astype(np.int8),
    }
    for side, own in enumerate((own_1, own_2)):
        columns[f"holes_{side + 1}"] = holes[side].astype(np.int16)
        columns[f"holes_own_die_{side + 1}"] = own.astype(np.int16)
    for side, intact in enumerate((intact_1, intact_2)):
        columns[f"run_intact_{side + 1}"] = intact.astype(np.bool_)
    columns["after_scored"] = scored.astype(np.bool_)
    columns["roll"] = roll.astype(np.int32)
    return columns


def last_games(units: Any) -> dict[str, Any]:
    """Read off the last game of honours that each unit has finished; every unit has.

    `winner`, `first_scorer`: int64 (n,), 0 or 1; `run_intact`: bool (n, 2); `losers_holes`: int64 (n,).
    """
    words = units.game_log[np.arange(len(units)), np.minimum(units.games, MAX_HONOURS) - 1]
    winner, intact_1, intact_2, first, _, losers, *_ = _fields(words, LOG_WIDTHS)
    intact = np.stack([intact_1, intact_2], axis=1).astype(np.bool_)
    return {"winner": winner, "first_scorer": first - 1, "run_intact": intact, "losers_holes": losers}


def suspension_columns(units: Any) -> dict[str, Any]:
    """Return what the rows of sets say of suspensions."""
    columns: dict[str, Any] = {}
    for name in ("written_suspended", "honours_suspended"):
        for side in range(2):
            columns[f"{name}_{side + 1}"] = units[name][:, side].astype(np.int16)
    columns["scored_by_suspension"] = units.scored.astype(np.bool_)
    columns["rolls_after_scored"] = units.tail_rolls.astype(np.int32)
    return columns


def match_columns(
    sets: Sequence[Any], rests: Any, games: dict[str, Any], first_match: int, count: int
) -> dict[str, Any]:
    """Return what the rows of matches say of the games of honours.

    `sets`: the units of each round; `rests`: those played on for the game of honours; `games`: the columns of
    `honours_columns`.
    """
    columns: dict[str, Any] = {}
    row = games["match_id"] - first_match
    for side in range(2):
        won = np.bincount(row, games["winner"] == side + 1, count)
        columns[f"honours_won_{side + 1}"] = won.astype(np.int16)
    left = np.zeros((count, 2), np.int16)
    for units in (*sets, rests):
        left[units.match_id - first_match] = units.honours_holes
    for side in range(2):
        columns[f"honours_left_{side + 1}"] = left[:, side]
    played_on = np.zeros(count, np.int32)
    played_on[rests.match_id - first_match] = rests.rolls
    columns["rolls_played_on"] = played_on
    return columns


def _fields(words: Any, widths: Sequence[int]) -> list[Any]:
    """Take whole numbers apart into fields of so many bits, from the lowest up."""
    found = []
    for width in widths:
        found.append(words & ((1 << width) - 1))
        words = words >> width
    return found


def _numbered(match_id: Any) -> Any:
    """Number the rows of each match from 1; the rows of a match follow one another."""
    if not len(match_id):
        return match_id
    first = np.flatnonzero(np.concatenate(([True], np.diff(match_id) != 0)))
    lengths = np.diff(np.append(first, len(match_id)))
    return np.arange(len(match_id)) - np.repeat(first, lengths) + 1
