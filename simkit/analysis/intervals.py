"""Intervals for what matches show. The match is the independent unit: everything here is clustered by match.

All of them work from sums, so that rows can be read once, block by block, and forgotten. Integer sums stay
exact; floating point begins where a variance is formed.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.errors import UsageError

LEVEL = 0.95
NOTHING_VARIED = "nothing varied"
"""Ends the method of an interval that is missing because all that was observed was alike."""
TOO_FEW = "too few matches"
"""Ends the method of an interval that is missing because it would not cover as often as it says."""
ON_TOO_FEW = "rests on too few"
"""Ends the method of an interval that is missing because all but a few were alike, or a few outweigh all."""
FEWEST_DIFFERING = 5
"""Matches that a spread must rest on for numbers by groups of them."""


@dataclass(frozen=True, kw_only=True)
class Interval:
    """An estimate and how far to trust it."""

    n: int
    """Independent units (matches) behind it."""
    mean: float
    """The estimate, in its own unit; nan where nothing was observed."""
    se: float
    """Standard error, same unit; nan where it cannot be told."""
    low: float
    high: float
    level: float
    """Nominal coverage of low to high."""
    method: str
    """How the interval was made."""


def unknown(n: int, level: float, method: str, mean: float = math.nan) -> Interval:
    """An interval that says nothing: too few matches."""
    return Interval(n=n, mean=mean, se=math.nan, low=math.nan, high=math.nan, level=level, method=method)


def why_none(difference: Interval) -> str:
    """Why a difference has no interval, in a few words; empty where it has one."""
    if math.isfinite(difference.low):
        return ""
    if NOTHING_VARIED in difference.method:
        return "all alike" if difference.mean == 0 else "always by as much"
    return ON_TOO_FEW if ON_TOO_FEW in difference.method else TOO_FEW


def proportion(successes: float, n: int, level: float = LEVEL) -> Interval:
    """Wilson's score interval for a share of n matches.

    Parameters
    ----------
    successes : float
        Matches that show it; those that show it in part count in part, and make the interval too wide.
    n : int
        All matches.
    level : float
        Nominal coverage, between 0 and 1.

    Raises
    ------
    UsageError
        successes is not between 0 and n, or level not between 0 and 1.
    """
    if not 0 <= successes <= n:
        raise UsageError(f"{successes} successes among {n} matches")
    z = normal_quantile(level)
    if n == 0:
        return unknown(0, level, "Wilson")
    share = successes / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Interval(
        n=n,
        mean=share,
        se=math.sqrt(share * (1 - share) / n),
        low=0.0 if successes == 0 else centre - half,
        high=1.0 if successes == n else centre + half,
        level=level,
        method="Wilson",
    )


def exact_ends(successes: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Clopper's and Pearson's ends for a share; the numbers need not be whole.

    The probability of so many successes or more is half of what the level leaves at the lower end, that of so
    many or fewer at the upper.
    """
    from scipy.special import betaincinv

    check_level(level)
    tail = (1 - level) / 2
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes > 0 else 0.0
    high = float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return low, high


def quotient(one: int, two: int, n: int, level: float = LEVEL) -> Interval:
    """Interval for the quotient of two shares of the same n matches: `one` successes over `two`.

    Made of the two Wilson intervals (MOVER; Donner and Zou 2012), so that it holds for rare and for absent
    successes. A positive correlation of the two is neglected, which makes it too wide rather than too narrow.
    """
    a, b = proportion(one, n, level), proportion(two, n, level)
    method = "quotient of Wilson intervals (MOVER)"
    if two == 0:
        return unknown(n, level, method)
    product = a.mean * b.mean
    below, above = a.low * (2 * a.mean - a.low), a.high * (2 * a.mean - a.high)
    root_low = math.sqrt(max(product**2 - below * b.high * (2 * b.mean - b.high), 0.0))
    floor = b.low * (2 * b.mean - b.low)
    value = a.mean / b.mean
    return Interval(
        n=n,
        mean=value,
        se=math.hypot(a.se, value * b.se) / b.mean,
        low=below / (product + root_low) if below else 0.0,
        high=(product + math.sqrt(product**2 - floor * above)) / floor,
        level=level,
        method=method,
    )


def effective(second: float, fourth: float, n: float) -> float:
    """On how many matches in effect the spread of a number rests: n over 1 more than its excess kurtosis.

    All n under the normal law. Where few differ it is hardly more than there are of these, and less where a
    handful of them outweighs the rest. Student's law with one degree of freedom less keeps intervals of rare
    events honest (coverage in docs/statistics.md).

    Parameters
    ----------
    second, fourth
        Sums over n matches of the second and the fourth power of the distance from the mean.
    """
    if not (second > 0 and fourth > 0):
        return 0.0
    return n / (1 + max(n * fourth / second**2 - 3, 0.0))


def effective_of(numbers: NDArray[Any], counts: NDArray[Any]) -> float:
    """The `effective` number of matches of which so many had each of these numbers."""
    n = float(counts.sum())
    if not n:
        return 0.0
    square = (numbers - counts @ numbers / n) ** 2
    return effective(float(counts @ square), float(counts @ square**2), n)


def mean(
    n: int,
    total: float,
    total_of_squares: float,
    level: float = LEVEL,
    *,
    rests_on: float = math.inf,
    method: str = "t",
) -> Interval:
    """Student's interval for a mean per match, from the sum and the sum of squares over n matches.

    `rests_on`: the `effective` number of matches, if known; its degrees of freedom are one less, as of n.
    """
    if n == 0:
        return unknown(0, level, method)
    average = total / n
    if n == 1:
        return unknown(1, level, method, average)
    variance = max(total_of_squares - total * average, 0.0) / (n - 1)
    return by_student(n, average, math.sqrt(variance / n), min(n, rests_on) - 1, level, method)


def by_student(n: int, centre: float, se: float, freedom: float, level: float, method: str) -> Interval:
    """Student's interval with so many degrees of freedom; none below 1."""
    if freedom < 1 and not _alike(centre, se):
        return unknown(n, level, f"{method}; {ON_TOO_FEW}", centre)
    return around(n, centre, se, student_quantile(level, max(freedom, 1.0)), level, method)


def ratio(
    n: int, sum_x: float, sum_y: float, sum_xx: float, sum_xy: float, sum_yy: float, level: float = LEVEL
) -> Interval:
    """Interval for sum(y) / sum(x) over n matches: a number per set, clustered by match.

    x and y are sums within one match (its sets, its holes), so that what the sets of one match have in
    common widens the interval as it should. Linearised ratio estimator, Cochran 1977, 2.11.
    """
    method = "ratio, clustered by match"
    if n == 0 or sum_x == 0:
        return unknown(n, level, method)
    value = sum_y / sum_x
    if n == 1:
        return unknown(1, level, method, value)
    residual = max(sum_yy - 2 * value * sum_xy + value * value * sum_xx, 0.0)
    se = math.sqrt(n * residual / (n - 1)) / abs(sum_x)
    return around(n, value, se, student_quantile(level, n - 1), level, method)


def quantile(counts: NDArray[np.int64], share: float, level: float = LEVEL) -> Interval:
    """Interval for a quantile of whole numbers, one per match, from how often each was seen.

    The ends are order statistics whose ranks follow from the binomial distribution (David and Nagaraja 2003,
    7.1); no law of the numbers is assumed. None is given where there are too few matches for such a rank.

    Parameters
    ----------
    counts : array of int
        How often each number was seen; the index is the number.
    share : float
        Which quantile, between 0 and 1.
    level : float
        Nominal coverage.
    """
    from scipy.stats import binom

    check_level(level)
    method = "order statistics"
    n = int(counts.sum())
    if n == 0:
        return unknown(0, level, method)
    upto = np.cumsum(counts)
    value = float(np.searchsorted(upto, math.ceil(share * n)))
    first, last = (int(binom.ppf(side, n, share)) for side in ((1 - level) / 2, (1 + level) / 2))
    if first < 1 or last + 1 > n:
        return unknown(n, level, method, value)
    low, high = (float(np.searchsorted(upto, rank)) for rank in (first, last + 1))
    se = (high - low) / (2 * normal_quantile(level))
    return Interval(n=n, mean=value, se=se, low=low, high=high, level=level, method=method)


def jackknife(
    sums: NDArray[Any],
    function: Callable[[NDArray[Any]], ArrayLike],
    n: int,
    level: float = LEVEL,
    *,
    log: bool = False,
    fewest: int = 0,
    rests_on: float = math.inf,
) -> Interval:
    """Delete-one-group jackknife for any function of sums, such as a share of a variance.

    Parameters
    ----------
    sums : array, shape (groups, ...)
        Sums over the matches of each group; the groups are of (nearly) equal size, and the sums of all
        matches are the sum over groups.
    function : callable
        Takes an array of sums, shape (..., as in one group), and returns the estimate for each.
    n : int
        Matches in all groups together.
    level : float
        Nominal coverage.
    log : bool
        Make the interval on the scale of the logarithm: for positive ratios.
    fewest : int
        None is given below so many matches: for numbers that hang on the few largest values.
    rests_on : float
        The `effective` number of matches, where it may be less than there are groups.

    Returns
    -------
    Interval
        `mean` is the function of all sums. Groups without matches must be left out by the caller.
    """
    groups = len(sums)
    method = f"jackknife over {groups} groups of matches" + (", log scale" if log else "")
    total = sums.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(np.asarray(function(total)))
        if groups < 2 or not math.isfinite(value) or (log and value <= 0):
            return unknown(n, level, method, value)
        if n < fewest:
            return unknown(n, level, f"{method}; {TOO_FEW}", value)
        if rests_on < FEWEST_DIFFERING:
            return unknown(n, level, f"{method}; {ON_TOO_FEW}", value)
        without = np.asarray(function(total - sums), dtype=np.float64)
        deleted = np.log(without) if log else without
    if not np.isfinite(deleted).all():
        return unknown(n, level, method, value)
    se = math.sqrt((groups - 1) / groups * float(np.square(deleted - deleted.mean()).sum()))
    quantile = student_quantile(level, min(groups, rests_on) - 1)
    if not log or _alike(value, se):
        return around(n, value, se, quantile, level, method)
    factor = math.exp(quantile * se)
    return Interval(
        n=n, mean=value, se=value * se, low=value / factor, high=value * factor, level=level, method=method
    )


def exact(value: float, n: int, method: str, level: float = LEVEL) -> Interval:
    """A number that was counted out, not sampled."""
    return Interval(n=n, mean=value, se=0.0, low=value, high=value, level=level, method=method)


def computed(value: float, n: int, what: str, level: float = LEVEL) -> Interval:
    """A number made of estimates, `what` says how, whose own interval is not given."""
    return unknown(n, level, f"computed {what}", value)


def difference(a: Interval, b: Interval) -> Interval:
    """Interval for a less b, two numbers taken as independent, from the interval of each.

    The MOVER of Newcombe (1998, method 10) and of Donner and Zou (2012): shares that were never seen, or
    always, keep an interval of positive width.
    """
    return Interval(
        n=min(a.n, b.n),
        mean=a.mean - b.mean,
        se=math.hypot(a.se, b.se),
        low=a.mean - b.mean - math.hypot(a.mean - a.low, b.high - b.mean),
        high=a.mean - b.mean + math.hypot(a.high - a.mean, b.mean - b.low),
        level=a.level,
        method="difference of intervals taken as independent (MOVER)",
    )


def product(a: Interval, b: Interval) -> Interval:
    """Interval for a times b, two independent numbers of which b is positive and well known.

    By their standard errors and Goodman's (1960) variance of a product; as many of its standard errors as the
    interval of a has.
    """
    value = a.mean * b.mean
    se = math.hypot(a.mean * b.se, b.mean * a.se, a.se * b.se)
    quantile = (a.high - a.low) / (2 * a.se) if a.se > 0 else math.nan
    return around(min(a.n, b.n), value, se, quantile, a.level, f"product of a {a.method} and a {b.method}")


def scaled(one: Interval, factor: float, method: str = "") -> Interval:
    """An interval in another unit: every number of it times a positive factor."""
    numbers = {name: getattr(one, name) * factor for name in ("mean", "se", "low", "high")}
    return dataclasses.replace(one, **numbers, method=method or one.method)


def cut(one: Interval, lowest: float, highest: float) -> Interval:
    """An interval of what cannot lie beyond these ends."""
    return dataclasses.replace(one, low=max(one.low, lowest), high=min(one.high, highest))


def around(n: int, centre: float, se: float, quantile: float, level: float, method: str) -> Interval:
    """An interval of so many standard errors to either side; none where nothing varied.

    Observations that are all alike do not tell how far others may lie from them.
    """
    if _alike(centre, se):
        return unknown(n, level, f"{method}; {NOTHING_VARIED}", centre)
    half = quantile * se
    return Interval(
        n=n, mean=centre, se=se, low=centre - half, high=centre + half, level=level, method=method
    )


def _alike(value: float, se: float) -> bool:
    return se <= 1e-12 * abs(value)


def check_level(level: float) -> None:
    """Refuse a level of confidence that is none."""
    if not 0 < level < 1:
        raise UsageError(f"level = {level}: a level of confidence lies between 0 and 1")


def normal_quantile(level: float) -> float:
    """Standard errors to either side under the normal law."""
    from scipy.special import ndtri

    check_level(level)
    return float(ndtri((1 + level) / 2))


def student_quantile(level: float, freedom: float) -> float:
    """Standard errors to either side under Student's law with so many degrees of freedom."""
    from scipy.special import stdtrit

    check_level(level)
    return float(stdtrit(freedom, (1 + level) / 2))
