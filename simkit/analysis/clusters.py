"""Intervals for numbers per set, from sums by groups of matches: each group is one observation.

What the sets of one match have in common stays within a group, so that it widens an interval as it should.
"""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.intervals import Interval

GROUPS = 64
"""Groups of matches (match_id modulo this); they do not depend on blocks or chunks."""


def sums(match_id: NDArray[Any], numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Sums of whole numbers, one per row, by group of the row's match: int64 (GROUPS,)."""
    total = np.bincount(match_id % GROUPS, weights=numbers, minlength=GROUPS)
    return np.rint(total).astype(np.int64)


def histograms(match_id: NDArray[Any], numbers: NDArray[Any], most: int | None = None) -> NDArray[np.int64]:
    """How many rows of each group have each whole number from 0 on: int64 (GROUPS, largest + 1).

    Numbers above `most` are counted as `most`.
    """
    seen = numbers.astype(np.int64) if most is None else np.minimum(numbers.astype(np.int64), most)
    size = int(seen.max(initial=0)) + 1
    place = match_id % GROUPS * size + seen
    return np.bincount(place, minlength=GROUPS * size).reshape(GROUPS, size).astype(np.int64)


def added(one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.int64]:
    """Two arrays of counts added up, the last axis of which may be shorter in one of them."""
    size = max(one.shape[-1], two.shape[-1])
    first, second = (
        np.pad(each, [(0, 0)] * (each.ndim - 1) + [(0, size - each.shape[-1])]) for each in (one, two)
    )
    total: NDArray[np.int64] = first + second
    return total


def ratio(
    over: NDArray[np.int64], under: NDArray[np.int64], n: int, level: float, units: str = "groups of matches"
) -> Interval:
    """Sum of one number over the sum of another, by group, from n matches; `units` says what the groups are."""
    kept = under > 0
    y, x = over[kept].astype(np.float64), under[kept].astype(np.float64)
    groups = int(kept.sum())
    found = intervals.ratio(groups, x.sum(), y.sum(), float(x @ x), float(x @ y), float(y @ y), level)
    ending = f"; {intervals.NOTHING_VARIED}" if found.method.endswith(intervals.NOTHING_VARIED) else ""
    if groups == 1:
        units, ending = re.sub(r"^(\w+)s\b", r"\1", units), f"; {intervals.TOO_FEW}"
    return dataclasses.replace(found, n=n, method=f"ratio over {groups} {units}{ending}")


def difference(
    over: NDArray[np.int64],
    under: NDArray[np.int64],
    other_over: NDArray[np.int64],
    other_under: NDArray[np.int64],
    n: int,
    level: float,
) -> Interval:
    """One ratio less another, each a sum over a sum by group, from the same n matches.

    Both are linearised together, so that what they have in common within a group is taken into account.
    """
    counted = (under > 0) | (other_under > 0)
    groups = int(counted.sum())
    method = f"difference of ratios over {groups} groups of matches"
    if not under.sum() or not other_under.sum() or groups < 2:
        return intervals.unknown(n, level, method)
    one, two = over.sum() / under.sum(), other_over.sum() / other_under.sum()
    parts = (over - one * under) / under.sum() - (other_over - two * other_under) / other_under.sum()
    se = math.sqrt(groups / (groups - 1) * float((parts[counted] ** 2).sum()))
    return intervals.around(n, one - two, se, intervals.student_quantile(level, groups - 1), level, method)


def share(
    shown: NDArray[np.int64],
    of: NDArray[np.int64],
    n: int,
    level: float,
    units: str = "groups of matches",
    *,
    alone: bool = True,
) -> Interval:
    """Share of sets, `shown` among `of`: (GROUPS,) each, from n matches; it stays within 0 and 1.

    The exact binomial interval for as many independent sets as would vary so much (the sets over the design
    effect, and never more than there are; Korn and Graubard 1998), so that it holds for the rarest share too.
    Where none or all of the sets show it the effect is taken as one, which it nears as what is rare comes once
    in a match and hardly twice; without `alone` each group then counts as one. `units` says what the groups are.
    """
    groups = int((of > 0).sum())
    method = f"Clopper-Pearson, clustered over {groups} {units}"
    by_group = ratio(shown, of, n, level)
    if math.isnan(by_group.mean):
        return intervals.unknown(n, level, method)
    p, sets = by_group.mean, int(of.sum())
    by_chance = p * (1 - p)
    if by_group.se > 0:
        independent = min(by_chance / by_group.se**2, sets)
    else:
        independent = (sets if alone else groups) if p in (0, 1) else n
    low, high = intervals.exact_ends(p * independent, independent, level)
    se = math.sqrt(by_chance / independent)
    return Interval(n=n, mean=p, se=se, low=low, high=high, level=level, method=method)


def quantile(seen: NDArray[np.int64], part: float, n: int, level: float) -> Interval:
    """Quantile of a whole number per set, from its histograms by group (GROUPS, values) of n matches.

    Woodruff 1952: the ends are the numbers below which the share of sets is that of the interval for the share
    below the quantile.
    """
    of = seen.sum(axis=1)
    total = np.cumsum(seen.sum(axis=0))
    method = f"Woodruff, clustered over {int((of > 0).sum())} groups of matches"
    if not total.size or total[-1] == 0:
        return intervals.unknown(n, level, method)

    def at(p: float) -> float:
        return float(np.searchsorted(total, math.ceil(p * total[-1] - 1e-9)))

    value = at(part)
    below = share(seen[:, : int(value) + 1].sum(axis=1), of, n, level)
    half = intervals.student_quantile(level, max(int((of > 0).sum()) - 1, 1)) * below.se
    if not 0 < part - half < part + half < 1:
        return intervals.unknown(n, level, method, value)
    low, high = at(part - half), at(part + half)
    se = (high - low) / (2 * intervals.normal_quantile(level))
    return Interval(n=n, mean=value, se=se, low=low, high=high, level=level, method=method)


def inverse(factor: float, one: Interval) -> Interval:
    """A number divided by an uncertain positive one."""
    return dataclasses.replace(
        one,
        mean=factor / one.mean,
        se=factor * one.se / one.mean**2,
        low=factor / one.high,
        high=factor / one.low,
    )
