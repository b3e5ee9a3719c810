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
from simkit.analysis.clusters import GROUPS
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
EXCHANGES: Final = f"from {FLIPS} exchanges of the sides of groups"
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
    rests_on = sums.pairs[measure.name].powers.rests_on if sums.paired else min(one.rests_on, two.rests_on)
    for part in QUANTILES:
        yield _sides(
            measure, f"quantile {part:g}", measure.unit, *(quantile(side, part, level) for side in (one, two))
        )
    if not measure.signed:
        yield top_shares(one, two, measure, level, rests_on)
    yield winsorised(one, two, measure, level, rests_on)
    yield from distances(one, two, measure, level, rests_on)
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


def top_shares(one: Tally, two: Tally, measure: Measure, level: float, rests_on: float) -> Shape:
    """The part of the total that the largest hundredth of the matches make up; numbers of 0 or more."""
    numbers, table = _both(one, two)

    def share(counts: NDArray[Any]) -> NDArray[Any]:
        above = np.cumsum(counts[..., ::-1], axis=-1)[..., ::-1] - counts
        taken = np.clip(TOP * counts.sum(axis=-1, keepdims=True) - above, 0, counts)
        return np.asarray((taken @ numbers) / (counts @ numbers))

    def alone(side: int, tally: Tally) -> Interval:
        return _by_groups(table[:, side], share, tally.n, level, tally.rests_on, log=True)

    def apart(counts: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(share(counts[..., 1, :]) - share(counts[..., 0, :]))

    return Shape(
        measure=measure,
        detail=f"top {100 * TOP:g} % of matches",
        unit="share of the total",
        baseline=alone(0, one),
        variant=alone(1, two),
        difference=_by_groups(table, apart, min(one.n, two.n), level, rests_on),
    )


def _by_groups(
    sums: NDArray[np.float64],
    function: Callable[[NDArray[Any]], NDArray[Any]],
    n: int,
    level: float,
    rests_on: float,
    *,
    log: bool = False,
) -> Interval:
    """A number by groups of matches, those left out that have none."""
    held = (sums > 0).any(axis=tuple(range(1, sums.ndim)))
    return intervals.jackknife(sums[held], function, n, level, log=log, fewest=_FEWEST, rests_on=rests_on)


def _both(one: Tally, two: Tally) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Numbers, and matches by group that has any on either side, by side and by number."""
    numbers, table = aligned(one, two)
    return numbers.astype(np.float64), table[(table > 0).any(axis=(1, 2))].astype(np.float64)


def winsorised(one: Tally, two: Tally, measure: Measure, level: float, rests_on: float) -> Shape:
    """Means with the largest hundredth of the numbers lowered to the next, and the smallest raised if below 0.

    Where the hundredth begins is itself uncertain: intervals reach as far as they would if it began at either end
    of its own interval. The mean rises with it, so that nothing between reaches farther.
    """
    sums = _cut_off(one, two, measure.signed, None, level)
    lower, upper = (_cut_off(one, two, measure.signed, end, level) for end in ("low", "high"))

    def mean(s: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(s[..., 1] / s[..., 0])

    def apart(s: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(mean(s[..., 1, :]) - mean(s[..., 0, :]))

    def side(place: int, tally: Tally) -> Interval:
        numbers = _clipped(tally, measure.signed, None, level)
        rests = intervals.effective_of(numbers, tally.table.sum(axis=0))
        return _by_groups(sums[:, place], mean, tally.n, level, rests)

    def reaching(found: Interval, down: float, up: float) -> Interval:
        return dataclasses.replace(found, low=found.low - down, high=found.high + up)

    middle, least, most = (mean(each.sum(axis=0)) for each in (sums, lower, upper))
    less, more = middle - least, most - middle

    return Shape(
        measure=measure,
        detail="winsorised mean",
        unit=measure.unit,
        baseline=reaching(side(0, one), less[0], more[0]),
        variant=reaching(side(1, two), less[1], more[1]),
        difference=reaching(
            _by_groups(sums, apart, min(one.n, two.n), level, rests_on), less[1] + more[0], more[1] + less[0]
        ),
    )


def _cut_off(one: Tally, two: Tally, signed: bool, end: str | None, level: float) -> NDArray[np.float64]:
    """Matches and sums of numbers cut off, (GROUPS, sides, 2), at an `end` of the interval of where that is."""
    return np.stack(
        [
            np.stack([side.sums[:, 0], side.table @ _clipped(side, signed, end, level)], axis=1)
            for side in (one, two)
        ],
        axis=1,
    ).astype(np.float64)


def _clipped(tally: Tally, signed: bool, end: str | None, level: float) -> NDArray[np.int64]:
    """Numbers, no larger than all but a hundredth are; nor smaller, where they may be."""

    def at(part: float) -> int:
        found = quantile(tally, part, level)
        value = found.mean if end is None else getattr(found, end)
        return round(value if math.isfinite(value) else found.mean)

    if not tally.n:
        return tally.numbers
    return np.clip(tally.numbers, at(TOP) if signed else tally.low, at(1 - TOP))


# ---------------------------------------------------------------- how far apart


def distances(one: Tally, two: Tally, measure: Measure, level: float, rests_on: float) -> Iterator[Shape]:
    """How far apart two distributions are, beside how far they would be if nothing but chance parted them.

    The earth mover's distance is what a match's number has to change by, on average, to make one distribution of
    the other; the largest gap is that between their shares of matches up to some number. Chance is seen in how
    groups of matches differ from one another, pairs staying together.

    What is seen lies no farther from the true distance than what is seen lies from the truth (the triangle
    inequality), and that is as far as chance takes two sides from one another: so the interval reaches to either
    side, and holds where there is no distance at all.
    """
    _, table = _both(one, two)
    n = min(one.n, two.n)
    exchanged = _exchanged(table)
    for detail, unit, function in (
        ("earth mover's distance", measure.unit, _moved),
        ("largest gap", "share of matches", _gap),
    ):
        chances = function(exchanged)
        found = _distance(float(function(_apart(table.sum(axis=0)))), chances, n, level, rests_on)
        by_chance = intervals.computed(float(chances.mean()), n, EXCHANGES, level)
        yield Shape(measure=measure, detail=detail, unit=unit, difference=found)
        yield Shape(measure=measure, detail=f"{detail}, by chance", unit=unit, difference=by_chance)


def _distance(seen: float, chances: NDArray[Any], n: int, level: float, rests_on: float) -> Interval:
    """A distance with an interval that reaches as far as chance does, and not below 0."""
    method = f"as far as chance takes it, {EXCHANGES}"
    if n < _FEWEST or rests_on < intervals.FEWEST_DIFFERING:
        why = intervals.TOO_FEW if n < _FEWEST else intervals.ON_TOO_FEW
        return intervals.unknown(n, level, f"{method}; {why}", seen)
    freedom = min(GROUPS, rests_on) - 1  # of what groups tell of chance
    wider = intervals.student_quantile(level, freedom) / intervals.normal_quantile(level)
    reach = float(np.quantile(chances, level)) * wider * math.sqrt(GROUPS / (GROUPS - 1))
    se = reach / intervals.normal_quantile(level)
    found = intervals.exact(seen, n, method, level)
    return dataclasses.replace(found, se=se, low=max(seen - reach, 0.0), high=seen + reach)


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
