"""What the matches of a chunk share whatever is played: their tables, and the draw for the first throw."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from simkit.kernel.dice import DRAWING
from simkit.kernel.entries import draw_higher


@dataclass(frozen=True)
class ChunkTables:
    """What a chunk of matches leaves behind.

    `matches` and `sets`: columns by name, one entry per match, or per set, partie or game in order of match and
    number (the schemas of `simkit.dataset`). `figures`: int64 (2 sides, figures, 2), ways and points marked; of a
    match to points it holds no figure. `others`: columns of the further tables of the family, by table.
    """

    matches: dict[str, Any]
    sets: dict[str, Any]
    figures: Any
    others: dict[str, dict[str, Any]] = field(default_factory=dict)


Rounds: TypeAlias = Generator[Any, None, ChunkTables]
"""The matches of a chunk as they go on: yields records of units, to be played in place to their end before the
next are asked for, and returns the tables."""


def played_out(rounds: Rounds, play: Callable[[Any], object]) -> ChunkTables:
    """Play all units of a chunk as they come; return its tables."""
    while True:
        try:
            units = next(rounds)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        play(units)


def in_order(rounds: Sequence[Any]) -> Any:
    """The records of the units of all rounds, in order of match and number."""
    kind = rounds[0].dtype
    words = np.concatenate([words_of_records(units) for units in rounds])
    units: Any = words.reshape(-1).view(kind).view(np.recarray)
    order = np.lexsort((units.unit_no, units.match_id))
    return words[order].reshape(-1).view(kind).view(np.recarray)


def words_of_records(records: Any) -> Any:
    """Records as rows of whole numbers, the same memory: NumPy copies these whole, records field by field."""
    return np.asarray(records).view(np.int64).reshape(len(records), records.dtype.itemsize // 8)


def first_draws(key: int, match_ids: Any, unit_no: int) -> Any:
    """Draw for the first throw of a unit: int64 (n, 2), a die for each player, never equal."""
    return different_dice(key, match_ids, unit_no, DRAWING)


def different_dice(key: int, match_ids: Any, unit_no: int, purpose: int) -> Any:
    """Throw two dice until they differ, for each match: int64 (n, 2)."""
    draws = np.empty((len(match_ids), 2), np.int64)
    draw_higher(key, match_ids, unit_no, purpose, draws)
    return draws
