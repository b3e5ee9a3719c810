"""How two sides differ beyond their means: quantiles, the weight of the largest, distances, matches cut short.

Everything is made of how often each number was seen, by group of matches; groups of pairs on the same dice stay
together, so that intervals know of the pairing where their method says by groups.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.comparison import Sums
from simkit.analysis.intervals import Interval
from simkit.analysis.measure import DURATIONS, Measure
from simkit.analysis.tallies import Tally, aligned

QUANTILES: Final = (0.5, 0.9, 0.99)
TOP: Final = 0.01
"""The largest matches, as a share of all."""
_FEWEST: Final = round(10 / TOP)
"""Matches below which the largest hundredth is too few to tell of others."""
FLIPS: Final = 499
"""Times that groups change sides, to see how far apart two sides are by chance."""
LONGER: Final = "order statistics, cut matches lasting longer"
"""The method of quantiles in which matches that were cut go on."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """One number of a distribution, on either side and between them; None where it does not exist.

    Attributes
    ----------
    detail
        `quantile 0.9`, `top 1 % of matches`, `winsorised mean`, `earth mover's distance`, `the same by chance`,
        `largest gap`, `cut short`, or `quantile 0.9, cut matches going on`.
    unit
        Of the three numbers.
    """

    measure: Measure
    detail: str
    unit: str
    baseline: Interval | None = None
    variant: Interval | None = None
    difference: Interval | None = None


def shapes(sums: Sums, measure: Measure, level: float = intervals.LEVEL) -> Iterator[Shape]:
    """What there is to say of a measure besides its means; nothing of one that is won, drawn or lost."""
    if not measure.unit.startswith("share"):
        yield from (_in_its_unit(shape) for shape in _shapes(sums, measure, level))


def _in_its_unit(shape: Shape) -> Shape:
    """The same with numbers that were counted in parts of the measure's unit as numbers of that unit."""
    parts = shape.measure.parts
    if parts == 1 or shape.unit != shape.measure.unit:
        return shape
    baseline, variant, difference = (
        None if one is None else intervals.scaled(one, 1 / parts)
        for one in (shape.baseline, shape.variant, shape.difference)
    )
    return dataclasses.replace(shape, baseline=baseline, variant=variant, difference=difference)


def _shapes(sums: Sums, measure: Measure, level: float) -> Iterator[Shape]:
    one, two = (side[measure.name] for side in sums.sides)
    for part in QUANTILES:
        yield _sides(
            measure, f"quantile {part:g}", measure.unit, *(quantile(side, part, level) for side in (one, two))
        )
    if not measure.signed:
        yield top_shares(one, two, measure, level)
    yield winsorised(one, two, measure, level)
    yield from distances(one, two, measure, level)
    if measure.name in DURATIONS and sums.left_out:
        yield from _cut_short(sums, measure, level)


def _sides(measure: Measure, detail: str, unit: str, one: Interval, two: Interval) -> Shape:
    """A number of each side, and its difference as if the sides were independent."""
    return Shape(
        measure=measure,
        detail=detail,
        unit=unit,
        baseline=one,
        variant=two,
        difference=intervals.difference(two, one),
    )


def quantile(tally: Tally, part: float, level: float) -> Interval:
    """A quantile by order statistics, as `simkit.analysis.intervals.quantile`, of numbers that may be below 0."""
    found = intervals.quantile(tally.table.sum(axis=0), part, level)
    ends = {name: getattr(found, name) + tally.low for name in ("mean", "low", "high")}
    return dataclasses.replace(found, **ends)


# ---------------------------------------------------------------- the largest


def top_shares(one: Tally, two: Tally, measure: Measure, level: float) -> Shape:
    """The part of the total that the largest hundredth of the matches make up; numbers of 0 or more."""
    numbers, table = _both(one, two)

    def share(counts: NDArray[Any]) -> NDArray[Any]:
        above = np.cumsum(counts[..., ::-1], axis=-1)[..., ::-1] - counts
        taken = np.clip(TOP * counts.sum(axis=-1, keepdims=True) - above, 0, counts)
        return np.asarray((taken @ numbers) / (counts @ numbers))

    def alone(side: int, n: int) -> Interval:
        return _by_groups(table[:, side], share, n, level)

    def apart(counts: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(share(counts[..., 1, :]) - share(counts[..., 0, :]))

    return Shape(
        measure=measure,
        detail=f"top {100 * TOP:g} % of matches",
        unit="share of the total",
        baseline=alone(0, one.n),
        variant=alone(1, two.n),
        difference=_by_groups(table, apart, min(one.n, two.n), level),
    )


def _by_groups(
    sums: NDArray[np.float64], function: Callable[[NDArray[Any]], NDArray[Any]], n: int, level: float
) -> Interval:
    """A number by groups of matches, those left out that have none."""
    held = (sums > 0).any(axis=tuple(range(1, sums.ndim)))
    return intervals.jackknife(sums[held], function, n, level, fewest=_FEWEST)


def _both(one: Tally, two: Tally) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Numbers, and matches by group that has any on either side, by side and by number."""
    numbers, table = aligned(one, two)
    return numbers.astype(np.float64), table[(table > 0).any(axis=(1, 2))].astype(np.float64)


def winsorised(one: Tally, two: Tally, measure: Measure, level: float) -> Shape:
    """Means with the largest hundredth of the numbers lowered to the next, and the smallest raised if below 0."""
    sums = np.stack(
        [np.stack([side.sums[:, 0], _bounded(side, measure.signed)], axis=1) for side in (one, two)], axis=1
    ).astype(np.float64)

    def mean(s: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(s[..., 1] / s[..., 0])

    def apart(s: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(mean(s[..., 1, :]) - mean(s[..., 0, :]))

    return Shape(
        measure=measure,
        detail="winsorised mean",
        unit=measure.unit,
        baseline=_by_groups(sums[:, 0], mean, one.n, level),
        variant=_by_groups(sums[:, 1], mean, two.n, level),
        difference=_by_groups(sums, apart, min(one.n, two.n), level),
    )


def _bounded(tally: Tally, signed: bool) -> NDArray[np.int64]:
    """Sums by group of the numbers, no larger than all but a hundredth are; nor smaller, where they may be."""
    upto = np.cumsum(tally.table.sum(axis=0)) / max(tally.n, 1)
    high = tally.numbers[min(int(np.searchsorted(upto, 1 - TOP)), len(upto) - 1)]
    low = tally.numbers[int(np.searchsorted(upto, TOP))] if signed else tally.low
    return np.asarray(tally.table @ np.clip(tally.numbers, low, high))


# ---------------------------------------------------------------- how far apart


def distances(one: Tally, two: Tally, measure: Measure, level: float) -> Iterator[Shape]:
    """How far apart two distributions are, beside how far they would be if nothing but chance parted them.

    The earth mover's distance is what a match's number has to change by, on average, to make one distribution of
    the other; the largest gap is that between their shares of matches up to some number. Chance is seen in how
    groups of matches differ from one another, pairs staying together.
    """
    _, table = _both(one, two)
    n = min(one.n, two.n)
    exchanged = _exchanged(table)
    for detail, unit, function in (
        ("earth mover's distance", measure.unit, _moved),
        ("largest gap", "share of matches", _gap),
    ):
        found = _distance(table, function, n, level)
        how = f"from {FLIPS} exchanges of the sides of groups"
        by_chance = intervals.computed(float(function(exchanged).mean()), n, how, level)
        yield Shape(measure=measure, detail=detail, unit=unit, difference=found)
        yield Shape(measure=measure, detail=f"{detail}, by chance", unit=unit, difference=by_chance)


def _distance(
    table: NDArray[np.float64], function: Callable[[NDArray[Any]], NDArray[Any]], n: int, level: float
) -> Interval:
    """A distance with an interval that does not go below 0."""

    def of(counts: NDArray[Any]) -> NDArray[Any]:
        return function(_apart(counts))

    found = intervals.jackknife(table, of, n, level, fewest=_FEWEST)
    return dataclasses.replace(found, low=max(found.low, 0.0)) if math.isfinite(found.low) else found


def _apart(counts: NDArray[Any]) -> NDArray[Any]:
    """Differences of the shares of matches up to each number; counts (..., 2, numbers)."""
    upto = np.cumsum(counts, axis=-1) / counts.sum(axis=-1, keepdims=True)
    return np.asarray(upto[..., 1, :] - upto[..., 0, :])


def _moved(apart: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(np.abs(apart).sum(axis=-1))


def _gap(apart: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(np.abs(apart).max(axis=-1))


def _exchanged(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """`_apart` as chance alone may make it, (FLIPS, numbers).

    What each group has beyond its part of all matches of its side, with its sides exchanged or not.
    """
    upto = np.cumsum(table, axis=-1)
    beyond = upto - upto[..., -1:] * (upto.sum(axis=0) / upto[..., -1].sum(axis=0)[:, np.newaxis])
    shares = beyond / upto[..., -1].sum(axis=0)[:, np.newaxis]
    signs = np.random.default_rng(0).choice((-1.0, 1.0), (FLIPS, len(table)))
    return np.asarray(signs @ (shares[:, 1] - shares[:, 0]))


# ---------------------------------------------------------------- cut short


def _cut_short(sums: Sums, measure: Measure, level: float) -> Iterator[Shape]:
    """Shares of matches that were cut, and quantiles in which these go on beyond where they were cut."""
    name = measure.name
    cut = [side[name] for side in sums.gone_on]
    ended = [(sums.sides[number][name], sums.beside[number][name]) for number in range(len(sums.sides))]
    whole = [sum(tally.n for tally in tallies) for tallies in ended]
    shares = (
        intervals.proportion(one.n, one.n + other, level) for one, other in zip(cut, whole, strict=True)
    )
    yield _sides(measure, "cut short", "share of matches", *shares)
    for part in QUANTILES:
        found = (
            quantile_going_on(tallies, one, part, level) for tallies, one in zip(ended, cut, strict=True)
        )
        yield _sides(measure, f"quantile {part:g}, cut matches going on", measure.unit, *found)


def quantile_going_on(ended: tuple[Tally, ...], cut: Tally, part: float, level: float) -> Interval:
    """A quantile of durations of which some are only known to be longer than where they were cut.

    Order statistics twice: as if those that were cut had ended with their next step, and as if they never did.
    The true order statistics lie between, whatever decided where matches were cut. Kaplan's and Meier's
    estimate would need cuts that hang on nothing: a pool that is cut at its matches has had fewer rolls where
    these were short, and a match whose set is cut has had fewer where more sets were left.

    Returns
    -------
    Interval
        The number is nan where the two differ; the upper end where cut matches reach it.
    """
    size = max(int(tally.numbers[-1]) for tally in (*ended, cut)) + 3
    whole = np.sum([_by_number(tally, size) for tally in ended], axis=0)
    if not cut.n:
        return intervals.quantile(whole, part, level)
    at_once, never = whole + np.roll(_by_number(cut, size), 1), whole.copy()
    never[-1] += cut.n
    soonest, latest = (intervals.quantile(counts, part, level) for counts in (at_once, never))
    known = soonest.mean == latest.mean
    mean = latest.mean if known else math.nan
    high = math.nan if latest.high == size - 1 else latest.high
    se = (high - soonest.low) / (2 * intervals.normal_quantile(level)) if known else math.nan
    method = LONGER if known else f"{LONGER}, which leave it open"
    return dataclasses.replace(soonest, mean=mean, se=se, high=high, method=method)


def _by_number(tally: Tally, size: int) -> NDArray[np.int64]:
    """How often each number from 0 was seen."""
    return np.bincount(tally.numbers, tally.table.sum(axis=0), size).astype(np.int64)
