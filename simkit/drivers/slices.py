"""Matches of a lock-step table by slices: their units in one array, in the order in which they begin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.drivers.chunk import ChunkTables, Rounds, words_of_records
from simkit.drivers.engine import Engine
from simkit.drivers.match import rounds_of_chunk
from simkit.drivers.points import TablesEngine
from simkit.drivers.start import State
from simkit.kernel.lockstep import Memory
from simkit.rules import RuleSet

SLICE: Final = 4096
"""Matches whose units are made ready together, and lie together."""

Array = NDArray[Any]


@dataclass
class _Slice:
    """Matches that go on together, round by round."""

    first: int
    """Its first match."""
    rounds: Rounds
    begins: int
    """The place of its first unit; it keeps a place for every match."""
    units: Any = None
    """The records of the round under way, as they were before it; None after the last."""
    begun: int = 0
    """How many of them have begun."""

    @property
    def places(self) -> slice:
        """Where the units of the round lie."""
        return slice(self.begins, self.begins + len(self.units))


class Slices:
    """All matches of a table, which begin by slices as there is room, so that new ones begin while others end.

    Units lie in the order in which they begin: those at the table are then close together, and are met in order.

    Parameters
    ----------
    rules, engine, starts
        As for `rounds_of_chunk`.
    kind
        The kind of unit records.
    streams, figures
        Streams of dice, and figures, of a unit.
    first_match, count
        The matches, by number.
    abreast
        Most units at the table at once.

    Attributes
    ----------
    units, words
        The records of all units that have a place, and the same as whole numbers.
    memory
        What they keep between their rolls.
    done
        The tables of slices that are over, by their first match.
    """

    def __init__(
        self,
        rules: RuleSet,
        engine: Engine | TablesEngine,
        starts: tuple[State, ...],
        kind: Any,
        streams: int,
        figures: int,
        first_match: int,
        count: int,
        abreast: int,
    ) -> None:
        self._rules, self._engine, self._starts = rules, engine, starts
        self._next, self._end = first_match, first_match + count
        self._size = min(SLICE, count)
        self._under_way: list[_Slice] = []
        self._empty: list[int] = []
        self.done: dict[int, ChunkTables] = {}
        self.units = np.zeros(0, kind)
        self.words = np.zeros((0, kind.itemsize // 8), np.int64)
        self.memory = Memory(
            np.zeros((0, streams, 5), np.int64),
            np.zeros((0, figures, 2), np.int64),
            np.zeros((figures, 2), np.int64),
            np.zeros((figures, 2), np.int64),
            np.zeros(0, np.bool_),
            np.zeros(abreast, np.int64),
        )

    def begin(self, room: int) -> Array:
        """Let units begin, as many as wait and there is room for; their places, int64 (k,)."""
        self._go_on()
        begun = [np.zeros(0, np.int64)]
        for one in self._under_way:
            begun.append(_begun(one, room))
            room -= len(begun[-1])
        while room and self._next < self._end:
            self._under_way.append(self._new_slice())
            begun.append(_begun(self._under_way[-1], room))
            room -= len(begun[-1])
        return np.concatenate(begun)

    def _go_on(self) -> None:
        """Let slices whose units are over come to their next round, and go if there is none."""
        for one in self._under_way:
            if one.begun == len(one.units) and self.memory.over[one.places].all():
                words_of_records(one.units)[:] = self.words[one.places]
                self._next_round(one)
        self._under_way = [one for one in self._under_way if one.units is not None]

    def _new_slice(self) -> _Slice:
        """Take the next matches up, at their first units."""
        count = min(self._size, self._end - self._next)
        rounds = rounds_of_chunk(self._rules, self._engine, self._next, count, self._starts)
        one = _Slice(self._next, rounds, self._empty.pop() if self._empty else self._more_places())
        self._next += count
        self._next_round(one)
        return one

    def _next_round(self, one: _Slice) -> None:
        """Put the next units of a slice in their places; keep its tables if there are none."""
        try:
            one.units = next(one.rounds)
            while not len(one.units):
                one.units = next(one.rounds)
        except StopIteration as end:
            self.done[one.first] = end.value
            self._empty.append(one.begins)
            one.units = None
            return
        one.begun = 0
        self.words[one.places] = words_of_records(one.units)
        self.memory.streams[one.places, :, 4] = -1
        self.memory.over[one.places] = False

    def _more_places(self) -> int:
        """Make places for another slice; return the first."""
        begins = len(self.units)
        memory = self.memory
        self.words = _longer(self.words, self._size)
        self.units = self.words.reshape(-1).view(self.units.dtype)
        self.memory = memory._replace(
            streams=_longer(memory.streams, self._size),
            gains=_longer(memory.gains, self._size),
            over=_longer(memory.over, self._size),
        )
        return begins


def _begun(one: _Slice, room: int) -> Array:
    """Let at most so many units of a slice begin; their places."""
    count = min(room, len(one.units) - one.begun)
    first = one.begins + one.begun
    one.begun += count
    return np.arange(first, first + count)


def _longer(values: Array, count: int) -> Array:
    """The same with so many rows more, of noughts, whose memory is not taken before they are written."""
    longer = np.zeros((len(values) + count, *values.shape[1:]), values.dtype)
    longer[: len(values)] = values
    return longer
