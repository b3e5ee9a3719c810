"""Two rule sets or pairs of players compared match by match: differences, effects, verdicts by a margin."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.clusters import GROUPS
from simkit.analysis.intervals import Interval
from simkit.analysis.measure import DURATIONS, Measure, name_of
from simkit.analysis.multiplicity import each_level, two_sided
from simkit.analysis.precision import SAME_FROM, SEQUENCE, most_at_every_look, sequence
from simkit.analysis.question import Rows
from simkit.analysis.tallies import PairTally, Tally, aligned

Pairing: TypeAlias = Literal["same play", "same dice", "independent", "seats exchanged"]
"""One play settled twice; two plays whose matches meet the same dice; two plays on different dice; two players who
meet twice on the same dice, in either seat."""

SAME_PLAY: Final = "one play: nothing to differ"
UNDECIDED: Final = "undecided"
EQUIVALENT: Final = "equivalent"
THE_SAME: Final = "the same"
PAIRED: Final = "paired t"
WELCH: Final = "Welch's t, independent"
APART: Final = "difference of Clopper-Pearson intervals (MOVER), independent"
FEW_PAIRS: Final = "exact, from the share of pairs that differ"
_FEWEST: Final = 2 * GROUPS
"""Matches below which no group of them stands for many."""
FEW: Final = 20
"""Matches that the spread of an independent side must rest on to be taken for itself, if it is the smaller."""
_FAR_OUT: Final = 0.001
"""Probabilities so small are not read off the normal law where they can be counted."""
_RARE: Final = 5
"""Pairs that differ in what is a share, below which a bound by their number alone is the narrower."""


# ---------------------------------------------------------------- sums


class Sums:
    """What is kept of the matches of two sides, or of pairs of them.

    Attributes
    ----------
    sides
        By side and measure.
    pairs
        By measure; empty where matches are not paired.
    left_out
        Matches of either side, or pairs, that do not count because a match was cut.
    gone_on
        By side and measure of duration: matches that were cut, by where.
    beside
        By side and measure of duration: matches that ended, but whose partner was cut.
    differing
        Pairs with another winner.
    """

    def __init__(self, measures: Sequence[Measure], paired: bool) -> None:
        self.measures = tuple(measures)
        self.paired = paired
        self.sides = [{one.name: Tally() for one in measures} for _ in range(2)]
        self.pairs = {one.name: PairTally(one.parts) for one in measures if paired}
        durations = [one.name for one in measures if one.name in DURATIONS]
        self.gone_on, self.beside = (
            [{name: Tally() for name in durations} for _ in range(2)] for _ in range(2)
        )
        self.left_out = 0
        self.differing = 0

    @property
    def n(self) -> tuple[int, int]:
        """Matches counted of either side."""
        one, two = (next(iter(side.values())).n for side in self.sides)
        return one, two

    def add(self, side: int, rows: Rows, place: int = 0) -> None:
        """Take matches of one side into account; `place` says which rule set of the rows."""
        _add(self.gone_on[side], rows, place, ~rows["whole"])
        self.left_out += int((~rows["whole"]).sum())
        _add(self.sides[side], rows, place, rows["whole"])

    def add_pairs(self, one: Rows, two: Rows, places: tuple[int, int] = (0, 0)) -> None:
        """Take pairs into account, row for row the same match."""
        whole = one["whole"] & two["whole"]
        self.left_out += int((~whole).sum())
        for side, (rows, place) in enumerate(zip((one, two), places, strict=True)):
            _add(self.gone_on[side], rows, place, ~rows["whole"])
            _add(self.sides[side], rows, place, whole)
            _add(self.beside[side], rows, place, rows["whole"] & ~whole)
        match_id = one["match_id"][whole]
        numbers = [
            {name: rows[name_of(place, name)][whole] for name in ("winner", *self.pairs)}
            for rows, place in zip((one, two), places, strict=True)
        ]
        self.differing += int((numbers[0]["winner"] != numbers[1]["winner"]).sum())
        for name, tally in self.pairs.items():
            tally.add(match_id, numbers[0][name], numbers[1][name])


def _add(tallies: Mapping[str, Tally], rows: Rows, place: int, chosen: NDArray[np.bool_]) -> None:
    for name, tally in tallies.items():
        tally.add(rows["match_id"][chosen], rows[name_of(place, name)][chosen])


def sum_pairs(
    blocks: Iterable[tuple[Rows, Rows]], measures: Sequence[Measure], places: tuple[int, int] = (0, 0)
) -> Sums:
    """Sum up pairs of matches; blocks as `simkit.analysis.question.paired` makes them."""
    found = Sums(measures, paired=True)
    for one, two in blocks:
        found.add_pairs(one, two, places)
    return found


# ---------------------------------------------------------------- estimates


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """One measure of a variant against the baseline, matches of both in the same unit.

    Attributes
    ----------
    means
        Of the baseline and of the variant, each alone.
    difference
        The variant's mean less the baseline's; with several differences asked for, the intervals hold together.
    freedom
        Degrees of freedom of its test: one less than the matches in effect that its spread rests on.
    relative
        The same as a share of the baseline's mean; None where numbers may be below 0.
    effect
        The difference over the standard deviation of a match (Cohen's d, both sides' variances averaged).
    superiority
        How often the variant's match is the higher, ties counting half: on the same dice, or at random.
    variance_factor
        How many times more matches on dice of their own would be needed for the same precision; None where the
        matches are not paired.
    margin
        Differences up to it do not matter to who asked; 0 if none was declared.
    verdict
        One of the measure's ends, `equivalent`, `undecided`, or `the same` of what cannot differ.
    sequence
        The confidence sequence of the difference at these matches; wider, and true at every look.
    deviation
        The standard deviation of a match, both sides' variances averaged; 0 where no match of either side varies.
    alike
        Whether every match of both sides has one and the same number, as a pot that the rules fix.
    short
        Of a share that all but so few pairs show on one side alone: those few; None elsewhere.
    """

    measure: Measure
    means: tuple[Interval, Interval]
    difference: Interval
    freedom: float
    relative: Interval | None
    effect: Interval
    superiority: Interval
    variance_factor: Interval | None
    margin: float
    verdict: str
    sequence: Interval
    deviation: float
    alike: bool = False
    short: int | None = None

    @property
    def chance(self) -> float:
        """Student's probability of as large a difference by chance, not adjusted.

        Where hardly a pair differs it is no less than four on one side have, and where all but a few go the same
        way all the way that of the sign test; of two samples each of one number, far out, that of such a split.
        """
        if self.short is not None:
            return _sign_test(self.short, self.difference.n)
        found = two_sided(self.difference.mean, self.difference.se, self.freedom)
        if FEW_PAIRS in self.difference.method and self.difference.mean:
            return max(found, 2.0 ** (2 - _RARE))
        if APART in self.difference.method and abs(self.difference.mean) == 1:
            return max(found, min(_apart_by_chance(*(side.n for side in self.means)), _FAR_OUT))
        return found

    @property
    def why(self) -> str:
        """Why no interval of the difference is given, or no more than a bound, in a few words; else empty."""
        if math.isfinite(self.difference.low):
            none_differs = FEW_PAIRS in self.difference.method and not self.difference.se > 0
            same = self.verdict == UNDECIDED and not self.difference.mean and (self.alike or none_differs)
            return "all alike" if same else ""
        return intervals.why_none(self.difference)

    @property
    def bound(self) -> bool:
        """Whether its interval is a bound on what was not seen."""
        return self.alike or self.short == 0 or (APART in self.difference.method and not self.deviation)

    @property
    def known_alike(self) -> bool:
        """Whether all matches are alike, and so many that any other is rare; no verdict is told of these."""
        return self.alike and self.verdict == UNDECIDED and self.difference.n >= SAME_FROM


def contrast(
    sums: Sums,
    measure: Measure,
    pairing: Pairing,
    *,
    margin: float = 0.0,
    level: float = intervals.LEVEL,
    family: int = 1,
    tuned_at: int | None = None,
    by_sequence: bool = False,
) -> Contrast:
    """Compare two sides by one measure.

    Parameters
    ----------
    margin
        Differences up to it do not matter; 0 for none.
    level, family
        So many differences are to hold together at this level.
    tuned_at
        Matches at which the confidence sequence is narrowest; those there are if not given.
    by_sequence
        Take interval and verdict of the difference from the confidence sequence: for who stopped because of them.
    """
    one, two = (side[measure.name] for side in sums.sides)
    means = (mean_of(one, measure, level), mean_of(two, measure, level))
    constant = pairing == "same play" and not measure.by_settlement
    short = None
    n = min(one.n, two.n)
    if constant:
        difference, freedom = intervals.exact(0.0, n, SAME_PLAY, level), math.inf
        always = difference
    else:
        alone = each_level(level, family)
        difference, freedom = (
            _paired(sums, measure, alone) if sums.paired else _welch(one, two, measure, alone)
        )
        always = sequence(difference, alone, tuned_at or n, freedom)
        if sums.paired:
            pairs = sums.pairs[measure.name]
            short = short_of(measure, n, pairs.differing, pairs.all_the_way)
            difference = bounded(difference, pairs.differing, short, measure)
            always = bounded(always, pairs.differing, short, measure, most_at_every_look)
        elif difference.method == APART:
            always = _apart_at_every_look(one, two, measure, alone)
        always = together(always, level, family)
        difference = always if by_sequence else together(difference, level, family)
    by_group = _by_group(sums, measure)
    spreads = [one.rests_on, two.rests_on]
    if sums.paired:
        spreads.append(sums.pairs[measure.name].powers.rests_on)
    weakest = min(spreads)  # what is measured by a spread is no better known than it

    def jackknife(
        function: Callable[[NDArray[Any]], NDArray[Any]], rests_on: float, log: bool = False
    ) -> Interval:
        return intervals.jackknife(by_group, function, n, level, log=log, fewest=_FEWEST, rests_on=rests_on)

    return Contrast(
        measure=measure,
        means=means,
        difference=difference,
        freedom=freedom,
        relative=None
        if measure.signed or constant
        else _less_one(jackknife(_ratio, of_means(spreads), log=True)),
        effect=intervals.exact(0.0, n, SAME_PLAY, level) if constant else jackknife(_effect, weakest),
        superiority=_superiority(sums, measure, constant, level),
        variance_factor=jackknife(_variance_factor, weakest, log=True)
        if sums.paired and not constant
        else None,
        margin=margin,
        verdict=THE_SAME if constant else verdict(difference, margin, measure.ends),
        sequence=always,
        deviation=deviation_of(one, two, measure),
        alike=not constant and alike(one, two),
        short=short,
    )


def of_means(spreads: Sequence[float]) -> float:
    """On how many matches a ratio of means rests: a side that does not vary takes nothing from it."""
    return min((each for each in spreads if each), default=0.0)


def deviation_of(one: Tally, two: Tally, measure: Measure) -> float:
    """The standard deviation of a match in the measure's unit, both sides' variances averaged."""
    return math.sqrt(sum(_moments(side)[2] for side in (one, two)) / 2) / measure.parts


def _moments(tally: Tally) -> tuple[int, float, float]:
    """Matches, mean and variance of a match, in parts of the measure's unit; exactly 0 where nothing varies."""
    n, total, squares = (int(x) for x in tally.sums.sum(axis=0))
    return n, total / max(n, 1), (n * squares - total**2) / (n * (n - 1)) if n > 1 else 0.0


def alike(one: Tally, two: Tally) -> bool:
    """Whether all matches of both sides have one number: no spread on either, and the same mean."""
    (n, total, squares), (m, other, others) = ([int(x) for x in side.sums.sum(axis=0)] for side in (one, two))
    return n * squares == total**2 and m * others == other**2 and total * m == other * n


def together(one: Interval, level: float, family: int) -> Interval:
    """The interval of one difference of a family, under the level of all of them."""
    words = f", Bonferroni over {family} differences" if family > 1 else ""
    return dataclasses.replace(one, level=level, method=f"{one.method}{words}")


def verdict(difference: Interval, margin: float, ends: tuple[str, str] = ("more", "less")) -> str:
    """Say on which side of a margin a difference lies, or that it lies within, or that it cannot be told.

    The whole interval must lie there. Without a margin (0) two sides are never called equivalent.
    """
    low, high = difference.low, difference.high
    if not (math.isfinite(low) and math.isfinite(high)):
        return UNDECIDED
    if low > margin:
        return ends[0]
    if high < -margin:
        return ends[1]
    return EQUIVALENT if -margin < low and high < margin else UNDECIDED


def winner_differs(sums: Sums, level: float) -> Interval:
    """The share of pairs that another player won, or nobody; a draw is a third outcome."""
    return intervals.proportion(sums.differing, sums.n[0], level)


def mean_of(tally: Tally, measure: Measure, level: float = intervals.LEVEL) -> Interval:
    """The mean of a match in the unit of the measure: of what every match shows or does not, Wilson's interval."""
    n, total, squares = (int(x) for x in tally.sums.sum(axis=0))
    found = intervals.mean(n, total, squares, level, rests_on=tally.rests_on)
    found = intervals.scaled(found, 1 / measure.parts)
    if not measure.share:
        return found
    whole = squares == total * measure.parts  # no match shows it in part
    return share_of(found, whole, level)


def share_of(found: Interval, whole: bool, level: float) -> Interval:
    """The interval of a share whose mean was found by Student's law.

    Wilson's where every match shows it or does not, and where Student's law gives none: what lies between 0 and 1
    varies no more than what is either.
    """
    if found.n and (whole or not math.isfinite(found.low)):
        shown = found.mean * found.n
        return intervals.proportion(round(shown) if whole else shown, found.n, level)
    return intervals.cut(found, 0.0, 1.0)


def _paired(sums: Sums, measure: Measure, level: float) -> tuple[Interval, float]:
    one, two = (side[measure.name] for side in sums.sides)
    change = int(two.sums[:, 1].sum() - one.sums[:, 1].sum())
    pairs = sums.pairs[measure.name]
    squares, rests_on = int(pairs.sums[:, 0].sum()), pairs.powers.rests_on
    found = intervals.mean(one.n, change, squares, level, rests_on=rests_on, method=PAIRED)
    return intervals.scaled(found, 1 / measure.parts), min(one.n, rests_on) - 1


def most_of(successes: float, n: float, level: float) -> float:
    """Clopper's and Pearson's upper end for a share."""
    return intervals.exact_ends(successes, n, level)[1]


def short_of(measure: Measure, n: int, differing: int, all_the_way: tuple[int, int]) -> int | None:
    """Of a share, how many of n pairs do not show it on one side alone as all others do; None if not few."""
    short = n - max(all_the_way)
    return short if measure.share and short < min(_RARE, differing, n / 2) else None


def bounded(
    difference: Interval,
    differing: int,
    short: int | None,
    measure: Measure,
    upper: Callable[[float, float, float], float] = most_of,
) -> Interval:
    """The difference of two shares, where hardly a pair differs: it is no more than the share of pairs that do.

    The same where all but the few of `short` go one way all the way: off from there is at most the share of such
    pairs, twice. `upper` gives the upper end of a share, for so many of n pairs at a level.
    """
    if not measure.share or difference.n == 0:
        return difference
    if differing >= _RARE and short is None:
        return intervals.cut(difference, -1.0, 1.0)
    most = upper(differing if short is None else short, difference.n, difference.level)
    low, high = (-most, most) if short is None else (1 - 2 * most, 1.0)
    if short is not None and difference.mean < 0:
        low, high = -high, -low
    method = FEW_PAIRS if upper is most_of else f"{SEQUENCE}, {FEW_PAIRS}"
    return dataclasses.replace(
        difference, se=0.0 if short == 0 else difference.se, low=low, high=high, method=method
    )


def _sign_test(short: int, n: int) -> float:
    """How likely so few of n pairs fall short of one side by chance: twice, for either side."""
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(short, n, 0.5)))


def _welch(one: Tally, two: Tally, measure: Measure, level: float) -> tuple[Interval, float]:
    """Welch's interval for the difference of the means of independent matches."""
    (n, mean, variance), (m, other, others) = (_moments(side) for side in (one, two))
    difference, fewer = (other - mean) / measure.parts, min(n, m)
    if measure.share and fewer and not (variance > 0 and others > 0):
        return _apart(mean / measure.parts, n, other / measure.parts, m, level)
    if fewer < 2:
        return intervals.unknown(fewer, level, f"{WELCH}; {intervals.TOO_FEW}", difference), 0.0
    if not variance + others > 0:
        return intervals.unknown(fewer, level, f"{WELCH}; {intervals.NOTHING_VARIED}", difference), 0.0
    both = ((n - 1) * variance + (m - 1) * others) / (n + m - 2)
    known = one.rests_on + two.rests_on
    errors, over, most = 0.0, 0.0, math.inf
    for spread, size, rests_on in ((variance, n, one.rests_on), (others, m, two.rests_on)):
        if rests_on < FEW:  # a spread of so few may be small by chance
            most = min(most, size - 1)
            spread, rests_on = (both, known) if spread < both else (spread, rests_on)
        errors += spread / size
        over += (spread / size) ** 2 / max(rests_on - 1, 1.0)
    freedom = min(errors**2 / over, most)
    found = intervals.by_student(fewer, difference, math.sqrt(errors) / measure.parts, freedom, level, WELCH)
    return intervals.cut(found, -1.0, 1.0) if measure.share else found, freedom


def _apart(one: float, n: int, two: float, m: int, level: float) -> tuple[Interval, float]:
    """The difference of two shares of independent matches, of which one is nothing or all.

    Its standard error is what the normal law has with an end as far off on the side of 0, so that p and interval
    agree.
    """
    shares = []
    for share, size in ((one, n), (two, m)):
        low, high = intervals.exact_ends(share * size, size, level)
        shares.append(
            dataclasses.replace(intervals.proportion(share * size, size, level), low=low, high=high)
        )
    found = intervals.difference(shares[1], shares[0])
    reach = found.mean - found.low if found.mean > 0 else found.high - found.mean
    se = reach / intervals.normal_quantile(level)
    return dataclasses.replace(found, level=level, se=se, method=APART), math.inf


def _apart_at_every_look(one: Tally, two: Tally, measure: Measure, level: float) -> Interval:
    """The same at all looks together: each of the four ends misses in a fourth of the runs that may."""
    of_end = each_level(level, 4)
    ends = []
    for tally in (one, two):
        n, mean, _ = _moments(tally)
        shown = n * mean / measure.parts
        ends.append((1 - most_at_every_look(n - shown, n, of_end), most_at_every_look(shown, n, of_end)))
    (low, high), (other_low, other_high) = ends
    mean = (_moments(two)[1] - _moments(one)[1]) / measure.parts
    found = intervals.unknown(min(one.n, two.n), level, f"{SEQUENCE}, {APART}", mean)
    return dataclasses.replace(found, low=other_low - high, high=other_high - low)


def _apart_by_chance(n: int, m: int) -> float:
    """How likely two samples of two numbers fall so that each has one of them; Fisher's exact test.

    Of samples of one size it may as well be the other way.
    """
    found = math.exp(math.lgamma(n + 1) + math.lgamma(m + 1) - math.lgamma(n + m + 1))
    return min(1.0, found * (2 if n == m else 1))


_N_1, _SUM_1, _SQUARES_1, _N_2, _SUM_2, _SQUARES_2, _CHANGE, _HIGHER, _LOWER = range(9)


def _by_group(sums: Sums, measure: Measure) -> NDArray[np.float64]:
    """All sums of a measure by group with matches of either side, (groups, 9), in the order above."""
    one, two = (side[measure.name].sums for side in sums.sides)
    pairs = sums.pairs[measure.name].sums if sums.paired else np.zeros((GROUPS, 3), np.int64)
    table = np.concatenate([one, two, pairs], axis=1).astype(np.float64)
    held = (table[:, _N_1] > 0) | (table[:, _N_2] > 0)
    return np.asarray(table[held])


def _ratio(s: NDArray[Any]) -> NDArray[Any]:
    return np.asarray((s[..., _SUM_2] / s[..., _N_2]) / (s[..., _SUM_1] / s[..., _N_1]))


def _less_one(one: Interval) -> Interval:
    return dataclasses.replace(one, mean=one.mean - 1, low=one.low - 1, high=one.high - 1)


def _variances(s: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    one = (s[..., _SQUARES_1] - s[..., _SUM_1] ** 2 / s[..., _N_1]) / (s[..., _N_1] - 1)
    two = (s[..., _SQUARES_2] - s[..., _SUM_2] ** 2 / s[..., _N_2]) / (s[..., _N_2] - 1)
    return one, two


def _effect(s: NDArray[Any]) -> NDArray[Any]:
    one, two = _variances(s)
    difference = s[..., _SUM_2] / s[..., _N_2] - s[..., _SUM_1] / s[..., _N_1]
    return np.asarray(difference / np.sqrt((one + two) / 2))


def _variance_factor(s: NDArray[Any]) -> NDArray[Any]:
    one, two = _variances(s)
    change = s[..., _SUM_2] - s[..., _SUM_1]
    of_change = (s[..., _CHANGE] - change**2 / s[..., _N_1]) / (s[..., _N_1] - 1)
    return np.asarray((one + two) / of_change)


def _superiority(sums: Sums, measure: Measure, constant: bool, level: float) -> Interval:
    one, two = (side[measure.name] for side in sums.sides)
    if constant:
        return intervals.exact(0.5, one.n, SAME_PLAY, level)
    if sums.paired:
        _, higher, lower = (int(x) for x in sums.pairs[measure.name].sums.sum(axis=0))
        return paired_superiority(one.n, higher, lower, level)
    _, table = aligned(one, two)
    table = table[(table > 0).any(axis=(1, 2))].astype(np.float64)
    n, rests_on = min(one.n, two.n), _ranks_rest_on(table.sum(axis=0))
    found = intervals.jackknife(table, _higher_at_random, n, level, fewest=_FEWEST, rests_on=rests_on)
    return intervals.cut(found, 0.0, 1.0)


def _ranks_rest_on(counts: NDArray[Any]) -> float:
    """On how many matches the ranks of two samples, (2, numbers), rest in effect, by the side where fewer vary."""
    ranks = np.cumsum(counts.sum(axis=0)) - counts.sum(axis=0) / 2
    return min(intervals.effective_of(ranks, side) for side in counts)


def paired_superiority(n: int, higher: int, lower: int, level: float) -> Interval:
    """How often the second of a pair is the higher, ties counting half, of n pairs."""
    tied, differing = n - higher - lower, higher + lower
    mean, short = 0.5 + (higher - lower) / (2 * n) if n else math.nan, n - max(higher, lower)
    if n and (differing < _RARE or short < min(_RARE, n / 2)):
        found = intervals.exact(mean, n, FEW_PAIRS, level)
        if short < min(differing, n / 2):
            most = most_of(short, n, level)
            low, high = (1 - most, 1.0) if higher > lower else (0.0, most)
            return dataclasses.replace(found, se=math.sqrt(short) / n, low=low, high=high)
        most = most_of(differing, n, level)
        se = math.sqrt(differing) / (2 * n)
        return dataclasses.replace(found, se=se, low=0.5 - most / 2, high=0.5 + most / 2)
    rests_on = intervals.effective_of(np.array([0.0, 0.5, 1.0]), np.array([lower, tied, higher]))
    found = intervals.mean(n, higher + tied / 2, higher + tied / 4, level, rests_on=rests_on, method=PAIRED)
    return intervals.cut(found, 0.0, 1.0)


def _higher_at_random(table: NDArray[Any]) -> NDArray[Any]:
    """Mann's and Whitney's share of all pairs of matches with the second's higher, ties counting half."""
    one, two = table[..., 0, :], table[..., 1, :]
    below = np.cumsum(one, axis=-1) - one / 2
    return np.asarray((below * two).sum(axis=-1) / (one.sum(axis=-1) * two.sum(axis=-1)))
