"""A difference of two players with the luck of the dice taken off: luck as a control variate.

Luck is 0 on average whoever plays, for every roll is weighed against the mean of all rolls from where it was
thrown. What of the result goes along with it may therefore be taken off without moving the mean. How much that is
(the coefficients) is found by regression, for each group of pairs on all the others, so that nothing of a group's
own luck is in the coefficients that are used on it, and there is no bias.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.clusters import GROUPS
from simkit.analysis.comparison import together, verdict
from simkit.analysis.intervals import Interval
from simkit.analysis.measure import Measure
from simkit.analysis.multiplicity import each_level
from simkit.errors import VerificationFailed

ALARM: Final = 0.001
"""How often the test of the luck itself may fail by chance, over all that it looks at."""
FEWEST: Final = 2 * GROUPS
"""Pairs below which luck is not taken off."""


class LuckSums:
    """What is kept of the luck in pairs of matches, and of what goes along with it; by group of pairs.

    Parameters
    ----------
    kinds
        What luck is counted in.
    parts
        Into how many parts its units are cut.
    measures
        Whose differences it is to be taken off.
    """

    def __init__(self, kinds: Sequence[str], parts: int, measures: Sequence[Measure]) -> None:
        self.kinds, self.parts, self.measures = tuple(kinds), parts, tuple(measures)
        size = 1 + len(kinds) + len(measures)
        self.moments = np.zeros((GROUPS, size, size))
        self.alone = np.zeros((2, 3, len(kinds)))
        side = (2 + len(kinds)) ** 2
        self.fourths = {one.name: np.zeros((side, side)) for one in measures}

    def add(
        self,
        match_id: NDArray[Any],
        one: NDArray[np.int64],
        two: NDArray[np.int64],
        changes: Mapping[str, NDArray[np.int64]],
    ) -> None:
        """Take pairs into account.

        Parameters
        ----------
        match_id
            int64 (n,).
        one, two
            The luck of player 1 less that of player 2, int64 (n, kinds), in the match in which the baseline is
            player 1, and in the other.
        changes
            By measure the variant's number less the baseline's, summed over the pair, int64 (n,).
        """
        for place, luck in enumerate((one, two)):
            luck = luck.astype(np.float64)
            self.alone[place] += np.stack([np.ones_like(luck), luck, luck * luck]).sum(axis=1)
        columns = [np.ones((len(match_id), 1)), two - one]
        columns += [changes[each.name][:, np.newaxis] for each in self.measures]
        rows = np.concatenate(columns, axis=1).astype(np.float64)
        for group in range(GROUPS):
            of_group = rows[match_id % GROUPS == group]
            self.moments[group] += of_group.T @ of_group
        before = 1 + len(self.kinds)
        for place, fourth in enumerate(self.fourths.values(), before):
            one_pair = rows[:, [*range(before), place]]
            products = (one_pair[:, :, np.newaxis] * one_pair[:, np.newaxis, :]).reshape(len(rows), -1)
            fourth += products.T @ products

    def means(self) -> Iterator[tuple[int, str, Interval]]:
        """The mean luck of player 1 in either match of a pair: its place, the kind, and an interval of the test.

        The intervals are so wide that by chance one in a thousand tests has any without 0 in it.
        """
        level = each_level(1 - ALARM, self.alone.shape[0] * len(self.kinds))
        for place, (counts, totals, squares) in enumerate(self.alone):
            for number, kind in enumerate(self.kinds):
                found = intervals.mean(int(counts[number]), totals[number], squares[number], level)
                yield place, kind, intervals.scaled(found, 1 / self.parts)

    def check(self, names: Sequence[str]) -> None:
        """Refuse luck that is not 0 on average; `names` says whose matches those of either place are.

        Raises
        ------
        VerificationFailed
            The mean of a kind of luck lies farther from 0 than chance takes it once in a thousand tests.
        """
        for place, kind, found in self.means():
            if found.low > 0 or found.high < 0:
                raise VerificationFailed(
                    f"luck of {kind} in {found.n:,} matches of {names[place]}: {found.mean:+.4g} a match for "
                    f"player 1, [{found.low:.4g}, {found.high:.4g}] at {found.level:.3%}; it is 0 where dice are "
                    "fair and every roll is weighed against all others, so that nothing is adjusted by it"
                )


@dataclass(frozen=True, kw_only=True)
class Adjusted:
    """One measure of two players with the luck taken off.

    Attributes
    ----------
    difference
        The variant's number less the baseline's, per match.
    factor
        How many times more pairs would have been needed without it.
    verdict
        By the margin of the comparison.
    luck
        By kind: the variant's luck less the baseline's, a match.
    coefficients
        By kind: what a unit of luck brought, in the unit of the measure.
    """

    measure: Measure
    difference: Interval
    factor: Interval
    verdict: str
    luck: Mapping[str, Interval]
    coefficients: Mapping[str, float]

    @property
    def why(self) -> str:
        """Why no interval of the difference is given, in a few words; empty where there is one."""
        return intervals.why_none(self.difference)

    @property
    def numbers(self) -> Iterator[tuple[str, str, Interval]]:
        """Ending of the name, unit and interval of what stands in a table of estimates."""
        yield "_adjusted_difference", self.measure.unit, self.difference
        yield "_luck_factor", "times", self.factor
        for kind, one in self.luck.items():
            yield f"_luck_of_{kind}", "units of luck", one


def adjusted(
    sums: LuckSums, measure: Measure, *, margin: float = 0.0, level: float = intervals.LEVEL, family: int = 1
) -> Adjusted:
    """Take the luck off the difference of one measure.

    Parameters
    ----------
    margin, level, family
        As for `simkit.analysis.comparison.contrast`.
    """
    kinds = len(sums.kinds)
    place = 1 + kinds + sums.measures.index(measure)
    kept = [*range(1 + kinds), place]
    moments = sums.moments[sums.moments[:, 0, 0] > 0][:, kept][:, :, kept]
    total = moments.sum(axis=0)
    n = int(total[0, 0])
    unit = 1 / (2 * measure.parts)
    rests_on = _rests_on(total, sums.fourths[measure.name])
    alone = _adjusted_mean(moments, each_level(level, family), rests_on)
    difference = together(intervals.scaled(alone, unit), level, family)
    coefficients = _coefficients(total) * sums.parts / measure.parts  # luck and change are both of a pair
    factor = (
        intervals.jackknife(moments, _factor, n, level, log=True, rests_on=rests_on)
        if n >= FEWEST
        else intervals.unknown(n, level, f"jackknife over groups of matches, log scale; {intervals.TOO_FEW}")
    )
    luck = {
        kind: intervals.scaled(
            intervals.mean(n, total[0, 1 + k], total[1 + k, 1 + k], level), 1 / (2 * sums.parts)
        )
        for k, kind in enumerate(sums.kinds)
    }
    return Adjusted(
        measure=measure,
        difference=difference,
        factor=factor,
        verdict=verdict(difference, margin, measure.ends),
        luck=luck,
        coefficients=dict(zip(sums.kinds, map(float, coefficients), strict=True)),
    )


def _coefficients(moments: NDArray[np.float64]) -> NDArray[np.float64]:
    """What luck goes along with, (..., kinds), by least squares; kinds that never vary get 0."""
    n = moments[..., 0, 0]
    means = moments[..., 0, 1:] / n[..., np.newaxis]
    spread = moments[..., 1:, 1:] - n[..., np.newaxis, np.newaxis] * (
        means[..., :, np.newaxis] * means[..., np.newaxis, :]
    )
    scale = np.sqrt(np.maximum(np.einsum("...ii->...i", spread), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    alike = spread / (scale[..., :, np.newaxis] * scale[..., np.newaxis, :])
    found = np.linalg.pinv(alike[..., :-1, :-1], rcond=1e-9) @ alike[..., :-1, -1:]
    return np.asarray(found[..., 0] * scale[..., -1:] / scale[..., :-1])


def _left_over(moments: NDArray[np.float64], coefficients: NDArray[np.float64]) -> tuple[Any, Any]:
    """Sum and sum of squares of what is left of the last number, (...,), luck being taken off by coefficients."""
    taken = np.concatenate([-coefficients, np.ones((*coefficients.shape[:-1], 1))], axis=-1)
    total = np.einsum("...i,...i->...", moments[..., 0, 1:], taken)
    squares = np.einsum("...i,...ij,...j->...", taken, moments[..., 1:, 1:], taken)
    return total, squares


def _adjusted_mean(moments: NDArray[np.float64], level: float, rests_on: float) -> Interval:
    """The mean of a pair, the coefficients for each group of pairs found on all the others.

    Where few pairs differ in what is left, it rests on these.
    """
    n, kinds = int(moments[:, 0, 0].sum()), moments.shape[1] - 2
    method = "t over pairs with the seats exchanged, less luck by coefficients of the other groups"
    if n < FEWEST:
        return intervals.unknown(n, level, f"{method}; {intervals.TOO_FEW}")
    totals, squares = _left_over(moments, _coefficients(moments.sum(axis=0) - moments))
    mean, freedom = float(totals.sum()) / n, n - 1 - kinds
    spread = max(float(squares.sum()) - n * mean * mean, 0.0) / freedom
    return intervals.by_student(n, mean, math.sqrt(spread / n), min(freedom, rests_on - 1), level, method)


def _rests_on(moments: NDArray[np.float64], fourths: NDArray[np.float64]) -> float:
    """On how many pairs in effect the spread of what is left rests; coefficients of all of them.

    `fourths`: sums of all products of four of 1, the kinds of luck, and the change, as a matrix of pairs of these.
    """
    n, coefficients = float(moments[0, 0]), _coefficients(moments)
    total, squares = (float(x) for x in _left_over(moments, coefficients))
    taken = np.concatenate([[-total / n], -coefficients, [1.0]])
    square = np.outer(taken, taken).reshape(-1)
    return intervals.effective(squares - total**2 / n, float(square @ fourths @ square), n)


def _factor(moments: NDArray[np.float64]) -> NDArray[np.float64]:
    """The variance of a pair over what is left of it, each by its degrees of freedom."""
    n, kinds = moments[..., 0, 0], moments.shape[-1] - 2
    total, squares = moments[..., 0, -1], moments[..., -1, -1]
    left, left_squares = _left_over(moments, _coefficients(moments))
    before = (squares - total**2 / n) / (n - 1)
    after = (left_squares - left**2 / n) / (n - 1 - kinds)
    return np.asarray(before / after)
