"""Playing until a number is known well enough: when to look, when to stop, and intervals that bear looking.

Looks are at fixed numbers of matches, whatever the machine. The first is late enough for the normal law to hold
of means; so an interval of given width may be read as if its number of matches had been fixed. Whoever stops
because a difference stands out needs a confidence sequence, which holds at all looks at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from simkit.analysis import intervals
from simkit.analysis.intervals import Interval

PILOT: Final = 10_000
"""Matches before the first look."""
GROWTH: Final = 1.25
"""Each number of matches that may be looked at over the one before."""
SEQUENCE: Final = "confidence sequence"
"""How its method begins."""
SAME_FROM: Final = PILOT
"""Matches which, if all have one number, make it count as known: fewer than 3 in 10,000 have another, at 95 %."""
SAME: Final = "the same in every match"
"""Said of a number of which no interval is known, since nothing varied."""


def schedule(budget: int, pilot: int = PILOT) -> tuple[int, ...]:
    """The numbers of matches at which a run may be looked at, the last being the budget."""
    counts, step = [], pilot
    while step < budget:
        counts.append(step)
        step = math.ceil(step * GROWTH)
    return (*counts, budget)


def next_look(counts: Sequence[int], now: int, need: int) -> int | None:
    """The first of the counts that is as many as are needed by the look before; the last if none is.

    None where `now` is the last.
    """
    later = [count for count in counts if count > now]
    return next((count for count in later if count >= need), later[-1]) if later else None


def needed(one: Interval, half_width: float, *, bound: bool = False) -> int:
    """Matches by which an interval would be no wider to either side than asked, if matches vary on as they did.

    Twice as many where there is no interval yet; where nothing varied, not more than make it count as known. A
    `bound` on what was not seen narrows as matches grow, and not as their root does.
    """
    wide = max(one.high - one.mean, one.mean - one.low)
    if math.isfinite(wide):
        return math.ceil(one.n * (wide / half_width) ** (1 if bound else 2))
    return min(2 * one.n, SAME_FROM) if intervals.NOTHING_VARIED in one.method else 2 * one.n


@dataclass(frozen=True, kw_only=True)
class Stop:
    """How a run that was to go on until something is known came to its end."""

    goal: str
    """What was to be known, in words."""
    looks: tuple[int, ...]
    """Numbers of matches it was looked at."""
    reached: bool
    """Whether it is known."""
    needed: int | None = None
    """If not, matches it would take by what has been seen; None where that cannot be told."""

    @property
    def words(self) -> str:
        """The end in one sentence, without a full stop."""
        times = f"{len(self.looks)} look{'s' * (len(self.looks) != 1)}"
        if self.reached:
            return f"{self.goal}: reached with {self.looks[-1]:,} matches, after {times}"
        more = "no number of matches can be told" if self.needed is None else f"about {self.needed:,} matches"
        return (
            f"{self.goal}: not reached with {self.looks[-1]:,} matches, after {times}; it would take {more}; what "
            "was played is kept"
        )


def sequence(one: Interval, level: float, tuned_at: int, freedom: float = math.inf) -> Interval:
    """The confidence sequence of a mean at the matches there are: its intervals hold at all looks together.

    Robbins's normal mixture with the variance estimated (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024,
    theorem 2.2); exact as matches grow many.

    Parameters
    ----------
    one
        A mean with its standard error.
    level
        Coverage of all intervals of the sequence together.
    tuned_at
        The number of matches at which it is narrowest; to be fixed before anything is looked at.
    freedom
        Degrees of freedom of its standard error; where they are few it is widened as Student's interval is.
    """
    from scipy.special import lambertw, ndtr, stdtrit

    method = SEQUENCE
    if not one.se > 0 or one.n < 2:
        few = one.method.endswith(intervals.ON_TOO_FEW)
        why = intervals.ON_TOO_FEW if few else intervals.NOTHING_VARIED
        return intervals.unknown(one.n, level, f"{method}; {why}", one.mean)
    miss = 1 - level
    mixture = float(-lambertw(-(miss**2) / math.e, -1).real - 1) / tuned_at
    spread = one.n * mixture + 1
    quantile = math.sqrt(2 * spread / (one.n * mixture) * math.log(math.sqrt(spread) / miss))
    if math.isfinite(freedom):
        quantile = -float(stdtrit(max(freedom, 1.0), float(ndtr(-quantile))))
    return intervals.around(one.n, one.mean, one.se, quantile, level, method)


def most_at_every_look(successes: float, n: float, level: float) -> float:
    """The upper end of a share that holds at all numbers of matches together; exact.

    What the likelihood, averaged evenly over all shares, has over that of the true share is seldom large: it comes
    to 1 over 1 less the level, ever, with no more than that probability (Robbins 1970).
    """
    from scipy.optimize import brentq
    from scipy.special import betaln, xlog1py, xlogy

    intervals.check_level(level)
    average = betaln(successes + 1, n - successes + 1) + math.log(1 - level)
    if successes >= n:
        return 1.0

    def over(share: float) -> float:
        return float(average - xlogy(successes, share) - xlog1py(n - successes, -share))

    return float(brentq(over, successes / n, 1 - 1e-15, xtol=1e-14))


def tuned(counts: Sequence[int]) -> int:
    """Where to tune the sequence of a schedule: midway, in proportion, between its first and last look."""
    return round(math.sqrt(counts[0] * counts[-1]))
