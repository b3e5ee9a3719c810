"""Sums over matches of one measure, by group of matches: of one side, and of pairs on the same dice.

Rows are read once, block by block, and forgotten; what is kept does not grow with them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.clusters import GROUPS

FARTHEST: Final = 2**16
"""Numbers beyond this, below or above, are counted as this in a distribution; sums have them as they are."""


class Tally:
    """How often a measure took each whole number, by group of matches.

    Attributes
    ----------
    low
        The number of the first column of `table`.
    table
        Matches by number, int64 (GROUPS, numbers).
    """

    def __init__(self) -> None:
        self.low = 0
        self.table = np.zeros((GROUPS, 1), np.int64)
        self._beyond = np.zeros((GROUPS, 2), np.int64)
        self._powers_beyond = [0] * 4

    def add(self, match_id: NDArray[Any], numbers: NDArray[Any]) -> None:
        """Take matches into account."""
        if not match_id.size:
            return
        seen = np.clip(numbers, -FARTHEST, FARTHEST)
        self._reach(int(seen.min()), int(seen.max()))
        width = self.table.shape[1]
        place = match_id % GROUPS * width + (seen - self.low)
        self.table += np.bincount(place, minlength=GROUPS * width).reshape(GROUPS, width)
        far = seen != numbers
        if far.any():
            ends = (numbers[far].tolist(), seen[far].tolist())
            self._powers_beyond = [
                known + sum(int(one) ** power - int(other) ** power for one, other in zip(*ends, strict=True))
                for power, known in enumerate(self._powers_beyond, 1)
            ]
            self._beyond += _sums(
                match_id[far], numbers[far] - seen[far], numbers[far] * numbers[far] - seen[far] * seen[far]
            )

    def _reach(self, lowest: int, highest: int) -> None:
        before = max(self.low - lowest, 0)
        after = max(highest - (self.low + self.table.shape[1] - 1), 0)
        if before or after:
            self.table = np.pad(self.table, ((0, 0), (before, after)))
            self.low -= before

    @property
    def sums(self) -> NDArray[np.int64]:
        """Matches, sum and sum of squares by group, (GROUPS, 3); of the numbers as they are."""
        powers = np.stack([np.ones_like(self.numbers), self.numbers, self.numbers**2], axis=1)
        found: NDArray[np.int64] = self.table @ powers
        found[:, 1:] += self._beyond
        return found

    @property
    def n(self) -> int:
        """Matches counted."""
        return int(self.table.sum())

    @property
    def rests_on(self) -> float:
        """On how many matches in effect the spread rests; see `simkit.analysis.intervals.effective`."""
        counts = self.table.sum(axis=0)
        if not any(self._powers_beyond):
            return intervals.effective_of(self.numbers, counts)
        held = np.flatnonzero(counts)  # in whole numbers of any size, of which nothing is lost
        pairs = list(zip(self.numbers[held].tolist(), counts[held].tolist(), strict=True))
        n, (one, two, three, four) = (
            self.n,
            (
                sum(count * number**power for number, count in pairs) + beyond
                for power, beyond in enumerate(self._powers_beyond, 1)
            ),
        )
        second = n * two - one**2
        fourth = n**3 * four - 4 * n**2 * one * three + 6 * n * one**2 * two - 3 * one**4
        return intervals.effective(second / n, fourth / n**3, n)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of the columns."""
        return self.low + np.arange(self.table.shape[1])


class Powers:
    """Sums over matches of 1, a number, its square, its cube and its fourth power: `sums`, float64, (5,).

    Numbers are counted from the first that was seen, lest their spread be lost in their size.
    """

    def __init__(self) -> None:
        self.sums = np.zeros(5)
        self._from: float | None = None

    def add(self, numbers: NDArray[Any]) -> None:
        """Take matches into account."""
        x = numbers.astype(np.float64)
        if self._from is None and x.size:
            self._from = float(x[0])
        x -= self._from or 0.0
        square = x * x
        self.sums += [x.size, x.sum(), square.sum(), (square * x).sum(), (square * square).sum()]

    @property
    def rests_on(self) -> float:
        """On how many matches in effect the spread rests; see `simkit.analysis.intervals.effective`."""
        n, first, second, third, fourth = (float(x) for x in self.sums)
        if not n:
            return 0.0
        mean = first / n
        central = fourth - 4 * mean * third + 6 * mean**2 * second - 3 * n * mean**4
        return intervals.effective(second - n * mean**2, central, n)


class PairTally:
    """What pairs of matches on the same dice differ by.

    Attributes
    ----------
    sums
        int64, (GROUPS, 3): squares of the second's number less the first's; pairs in which the second's is higher;
        lower.
    powers
        Of the second's number less the first's.
    all_the_way
        Pairs that differ by all of `most`: in which the second's is the higher, and the lower.
    """

    def __init__(self, most: int = 1) -> None:
        self.sums = np.zeros((GROUPS, 3), np.int64)
        self.powers = Powers()
        self.most = most
        self.all_the_way = (0, 0)

    @property
    def differing(self) -> int:
        """Pairs that differ."""
        return int(self.sums[:, 1:].sum())

    def add(self, match_id: NDArray[Any], one: NDArray[Any], two: NDArray[Any]) -> None:
        """Take pairs into account."""
        change = two - one
        self.sums += _sums(match_id, change * change, change > 0, change < 0)
        self.powers.add(change)
        self.all_the_way = added_all_the_way(self.all_the_way, change, self.most)


def added_all_the_way(before: tuple[int, int], change: NDArray[Any], most: int) -> tuple[int, int]:
    """Pairs that differ by `most`, upwards and downwards, with those of before."""
    up, down = before
    return up + int((change == most).sum()), down + int((change == -most).sum())


def _sums(match_id: NDArray[Any], *columns: NDArray[Any]) -> NDArray[np.int64]:
    return np.stack([clusters.sums(match_id, column) for column in columns], axis=1)


def aligned(one: Tally, two: Tally) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of two tallies together, and how often each was seen: (GROUPS, 2, numbers)."""
    low = min(one.low, two.low)
    high = max(int(tally.numbers[-1]) for tally in (one, two))
    tables = [
        np.pad(tally.table, ((0, 0), (tally.low - low, high - int(tally.numbers[-1]))))
        for tally in (one, two)
    ]
    return np.arange(low, high + 1), np.stack(tables, axis=1)
