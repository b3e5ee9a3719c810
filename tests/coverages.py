"""How often the intervals cover what is true, by simulation; `python tests/coverages.py` prints it.

The lines stand in docs/statistics.md, and a slow test holds them to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import comparison, intervals, luck, shapes
from simkit.analysis.clusters import GROUPS
from simkit.analysis.measure import Measure
from simkit.analysis.multiplicity import each_level
from simkit.analysis.precision import needed, next_look, schedule, sequence, tuned
from simkit.analysis.tallies import Tally

RUNS: Final = 4000
LEVEL: Final = 0.95
SEED: Final = 1766

VALUES: Final = np.array([-4, 0, 3, 12, 60, 240])
CHANCES: Final = np.array([0.12, 0.72, 0.10, 0.05, 0.009, 0.001])
"""A difference of two matches: mostly none, seldom large."""
MEAN: Final = float(VALUES @ CHANCES)
DEVIATION: Final = math.sqrt(float((VALUES - MEAN) ** 2 @ CHANCES))
SKEWNESS: Final = float((VALUES - MEAN) ** 3 @ CHANCES) / DEVIATION**3
ROLLS: Final = Measure(name="rolls", unit="rolls", says="rolls")
WINS: Final = Measure(name="winner", unit="share of matches", says="matches won")

Counts = NDArray[np.int64]


class Stream:
    """Matches that come one after the other; any number of them may be looked at."""

    def __init__(self, random: np.random.Generator, shift: float = 0.0) -> None:
        self._random, self._shift = random, shift
        self._counts: Counts = np.zeros(len(VALUES), np.int64)

    def mean(self, n: int, level: float = LEVEL) -> intervals.Interval:
        """The interval for the mean of the first n matches; n must not fall."""
        self._counts += self._random.multinomial(n - self._counts.sum(), CHANCES)
        values = VALUES - self._shift
        total, squares = float(values @ self._counts), float(values**2 @ self._counts)
        return intervals.mean(n, total, squares, level, rests_on=intervals.effective_of(values, self._counts))


def covers(one: intervals.Interval, true: float) -> bool:
    return one.low <= true <= one.high


def share(shown: int, runs: int = RUNS) -> str:
    found = intervals.proportion(shown, runs)
    return f"{100 * found.mean:.1f} % | {100 * found.low:.1f} to {100 * found.high:.1f} %"


def fixed_and_stopped(random: np.random.Generator) -> Iterator[str]:
    """Intervals of a number of matches fixed before, and of one found by looking."""
    shown = sum(covers(Stream(random).mean(20_000), MEAN) for _ in range(RUNS))
    yield f"| 20,000 matches, fixed before | 95 % | {share(shown)} |"
    for about in (12_000, 50_000, 300_000):
        goal = intervals.normal_quantile(LEVEL) * DEVIATION / math.sqrt(about)
        shown = looks = 0
        for _ in range(RUNS):
            stream, counts = Stream(random), schedule(1_000_000)
            now: int | None = counts[0]
            while now is not None:
                found, looks = stream.mean(now), looks + 1
                need = needed(found, goal)
                now = None if need <= now else next_look(counts, now, need)
            shown += covers(found, MEAN)
        yield (
            f"| stopped when as narrow as {about:,} matches make it, {looks / RUNS:.1f} looks on average "
            f"| 95 % | {share(shown)} |"
        )


def always(random: np.random.Generator) -> Iterator[str]:
    """What stopping as soon as a difference stands out does, where there is none."""
    counts = schedule(1_000_000)
    plain = sequences = 0
    for _ in range(RUNS):
        stream = Stream(random, shift=MEAN)
        found = [stream.mean(n) for n in counts]
        plain += not all(covers(one, 0) for one in found)
        sequences += not all(covers(sequence(one, LEVEL, tuned(counts)), 0) for one in found)
    yield f"| a plain interval misses at one of {len(counts)} looks | 5 % | {share(plain)} |"
    yield f"| the confidence sequence misses at one of them | 5 % at most | {share(sequences)} |"


def together(random: np.random.Generator) -> Iterator[str]:
    """Several variants against one baseline: how often any difference is found where there is none."""
    several, n = 6, 2_000
    alone = adjusted = 0
    for _ in range(RUNS):
        sides = random.multinomial(n, CHANCES, several + 1)  # sums suffice, for the mean of n matches
        totals, squares = sides @ VALUES, sides @ VALUES**2
        rest = [intervals.mean(n, float(t), float(q)) for t, q in zip(totals, squares, strict=True)]
        differences = [(one.mean - rest[0].mean, math.hypot(one.se, rest[0].se)) for one in rest[1:]]
        for level in (LEVEL, each_level(LEVEL, several)):
            found = any(abs(d) > intervals.normal_quantile(level) * se for d, se in differences)
            alone, adjusted = (alone + found, adjusted) if level == LEVEL else (alone, adjusted + found)
    yield f"| {several} variants, any found to differ, each by itself | none | {share(alone)} |"
    yield f"| {several} variants, any found to differ, all together | 5 % at most | {share(adjusted)} |"


def paired_numbers(random: np.random.Generator) -> Iterator[str]:
    """Numbers that are made by groups of matches, and quantiles: 5,000 pairs on the same dice."""
    runs, n = RUNS // 4, 5_000
    exact = _truth(random)
    shown = dict.fromkeys(exact, 0)
    for _ in range(runs):
        sums = _pairs(random, n)
        one = comparison.contrast(sums, ROLLS, "same dice")
        assert one.relative and one.variance_factor
        told = {
            "difference of means": one.difference,
            "relative difference": one.relative,
            "standardised effect d": one.effect,
            "higher on the same dice": one.superiority,
            "variance-reduction factor": one.variance_factor,
        }
        told |= {
            f"difference of {x.detail}": x.difference for x in shapes.shapes(sums, ROLLS) if x.difference
        }
        told |= {f"{x.detail} alone": x.baseline for x in shapes.shapes(sums, ROLLS) if x.baseline}
        for name in shown:
            shown[name] += covers(told[name], exact[name])
    for name, times in shown.items():
        yield f"| {name}, {n:,} pairs | 95 % | {share(times, runs)} |"


def _pairs(random: np.random.Generator, n: int) -> comparison.Sums:
    """Pairs of skewed whole numbers with much in common, the second on average longer."""
    common = random.lognormal(4.0, 0.5, n)
    both = [np.rint(common + random.gamma(2.0, scale, n)).astype(np.int64) for scale in (8.0, 10.0)]
    sums = comparison.Sums([ROLLS], paired=True)
    rows = [
        {
            "match_id": np.arange(n),
            "whole": np.ones(n, bool),
            "0.rolls": one,
            "0.winner": np.zeros(n, np.int8),
        }
        for one in both
    ]
    sums.add_pairs(rows[0], rows[1])
    return sums


def rare(random: np.random.Generator) -> Iterator[str]:
    """Differences where hardly a pair differs: of whatever size, and of a share."""
    runs, n = RUNS // 4, 1_000
    for expected in (2, 4, 8, 20):
        for words, measure, sign, far in (
            ("all one way and by 1, of a share", WINS, 1.0, False),
            ("either way by 1, of a share", WINS, 0.5, False),
            ("all one way by exponential numbers", ROLLS, 1.0, True),
            ("either way by exponential numbers", ROLLS, 0.5, True),
        ):
            true = expected / n * (2 * sign - 1) * (math.exp(1 / 50) / math.expm1(1 / 50) if far else 1)
            told = shown = 0
            for _ in range(runs):
                found = comparison.contrast(
                    _rare(random, n, expected, sign, far, measure), measure, "same dice"
                )
                if math.isfinite(found.difference.low):
                    told, shown = told + 1, shown + covers(found.difference, true)
            held = f"told in {100 * told / runs:.0f} % of runs"
            yield f"| {expected} of {n:,} pairs differ, {words}; {held} | 95 % | {share(shown, told)} |"


def _rare(
    random: np.random.Generator, n: int, expected: int, sign: float, far: bool, measure: Measure
) -> comparison.Sums:
    """Pairs that differ seldom, `sign` of them upwards."""
    differs = random.random(n) < expected / n
    size = np.ceil(random.exponential(50, n)) if far else np.ones(n)
    change = np.where(differs, np.where(random.random(n) < sign, size, -size), 0).astype(np.int64)
    one = np.where(change == 0, random.integers(0, 2, n), change < 0)  # shares stay 0 or 1
    one = 600 + one if far else one
    sums = comparison.Sums([measure], paired=True)
    match = {"match_id": np.arange(n), "whole": np.ones(n, bool), "0.winner": np.zeros(n, np.int8)}
    sums.add_pairs(match | {f"0.{measure.name}": one}, match | {f"0.{measure.name}": one + change})
    return sums


def _truth(random: np.random.Generator) -> dict[str, float]:
    """The same numbers of four million pairs."""
    sums = _pairs(random, 4_000_000)
    one = comparison.contrast(sums, ROLLS, "same dice")
    assert one.relative and one.variance_factor
    told = list(shapes.shapes(sums, ROLLS))
    kept = (
        "quantile 0.5",
        "quantile 0.99",
        "top 1 % of matches",
        "winsorised mean",
        "earth mover's distance",
        "largest gap",
    )
    return {
        "difference of means": one.difference.mean,
        "relative difference": one.relative.mean,
        "standardised effect d": one.effect.mean,
        "higher on the same dice": one.superiority.mean,
        "variance-reduction factor": one.variance_factor.mean,
        **{
            f"{x.detail} alone": x.baseline.mean
            for x in told
            if x.baseline and (x.detail.startswith("quantile") or x.detail in kept)
        },
        **{f"difference of {x.detail}": x.difference.mean for x in told if x.difference and x.detail in kept},
    }


def far_out(random: np.random.Generator) -> Iterator[str]:
    """Numbers that hang on the largest: few that are not 0, heavy tails, light ones."""
    runs, n = RUNS // 10, 2_000
    laws: tuple[tuple[str, Callable[[int], NDArray[Any]]], ...] = (
        (
            "0 but for 1.2 %",
            lambda size: (random.random(size) < 0.012) * np.ceil(random.exponential(50, size)),
        ),
        ("of Pareto's law (2.5)", lambda size: np.ceil(20 * random.pareto(2.5, size))),
        ("of the exponential law", lambda size: np.ceil(random.exponential(100, size))),
    )
    for words, draw in laws:
        exact = _details(draw(4_000_000), draw(4_000_000))
        seen = [_details(draw(n), draw(n)) for _ in range(runs)]
        for detail, which in (
            ("winsorised mean", "difference"),
            ("winsorised mean", "baseline"),
            ("top 1 % of matches", "baseline"),
            ("earth mover's distance", "difference"),
            ("largest gap", "difference"),
        ):
            true = 0.0 if "distance" in detail or "gap" in detail else getattr(exact[detail], which).mean
            shown = told = 0
            for details in seen:
                found = getattr(details[detail], which)
                if math.isfinite(found.low):
                    told, shown = told + 1, shown + covers(found, true)
            of = f"{which} of {detail}" if which == "difference" else f"{detail} alone"
            held = f"told in {100 * told / runs:.0f} % of runs"
            yield f"| {of}, {n:,} matches {words} on either side; {held} | 95 % | {share(shown, told)} |"


def _details(*sides: NDArray[Any]) -> dict[str, shapes.Shape]:
    """What shapes there are of independent numbers of the same law, by name."""
    sums = comparison.Sums([ROLLS], paired=False)
    for place, numbers in enumerate(sides):
        match = {"match_id": np.arange(len(numbers)), "whole": np.ones(len(numbers), bool)}
        sums.add(
            place, match | {"0.rolls": numbers.astype(np.int64), "0.winner": np.zeros(len(numbers), np.int8)}
        )
    return {one.detail: one for one in shapes.shapes(sums, ROLLS)}


def censored(random: np.random.Generator) -> Iterator[str]:
    """The median of durations of which one in six is cut: at a fixed one, and after so many parts of any pace."""
    runs, n = RUNS // 4, 2_000
    at_once = np.full(n, 180)
    for what, lasts in (
        ("matches cut at a fixed roll", lambda size: (_exponential(random, size), at_once)),
        ("pools cut at a fixed match, by rolls", lambda size: _of_own_pace(random, size)),
    ):
        true, shown, naive = float(np.median(lasts(1_000_000)[0])), 0, 0
        for _ in range(runs):
            lasted, limit = lasts(n)
            ended, cut, match = Tally(), Tally(), np.arange(n)
            ended.add(match[lasted <= limit], lasted[lasted <= limit])
            cut.add(match[lasted > limit], limit[lasted > limit])
            shown += covers(shapes.quantile_going_on((ended,), cut, 0.5, LEVEL), true)
            naive += covers(shapes.quantile(ended, 0.5, LEVEL), true)
        yield f"| median of {what}, one in six, and going on | 95 % or more | {share(shown, runs)} |"
        yield f"| the same with cut ones left out | none | {share(naive, runs)} |"


def _exponential(random: np.random.Generator, n: int) -> Counts:
    return np.ceil(random.exponential(100, n)).astype(np.int64)


def _of_own_pace(random: np.random.Generator, n: int) -> tuple[Counts, Counts]:
    """Rolls of pools whose matches are slow or fast, and where they are cut: after ten matches."""
    pace = np.ceil(random.gamma(2.0, 30.0, n)).astype(np.int64)
    return pace * random.geometric(1 / 6, n), pace * 10


def without_luck(random: np.random.Generator) -> Iterator[str]:
    """Differences of two players with luck taken off: few and many pairs, skewed numbers."""
    runs, factor, mean = RUNS // 4, 2.0, 7  # half of the variance is luck
    for n in (200, 5_000):
        shown, gained, means = 0, 0, []
        for _ in range(runs):
            sums = luck.LuckSums(("awards",), 1, [ROLLS])
            found = _luck(random, n)
            change = mean + 2 * found + 2 * _luck(random, n)
            parts = random.integers(-9, 10, n)  # how it falls on the two matches
            sums.add(np.arange(n), parts[:, np.newaxis], (parts + found)[:, np.newaxis], {"rolls": change})
            one = luck.adjusted(sums, ROLLS)
            shown += covers(one.difference, mean / 2)
            gained += covers(one.factor, factor)
            means.append(one.difference.mean)
        yield f"| difference less luck, {n:,} pairs | 95 % | {share(shown, runs)} |"
        yield f"| factor of the luck, {n:,} pairs | 95 % | {share(gained, runs)} |"
        bias = intervals.mean(runs, sum(means) - runs * mean / 2, sum((x - mean / 2) ** 2 for x in means))
        yield (
            f"| bias of the difference less luck, {n:,} pairs, in standard errors of one run | 0 "
            f"| {bias.mean / bias.se / math.sqrt(runs):+.3f} | ± {1.96 / math.sqrt(runs):.3f} |"
        )


def _luck(random: np.random.Generator, n: int) -> Counts:
    """Whole numbers that are 0 on average, of no normal law."""
    return np.rint(random.gamma(0.5, 8.0, n) - random.gamma(0.5, 8.0, n)).astype(np.int64)


def lines() -> Iterator[str]:
    """The rows of the table, from one seed."""
    random = np.random.default_rng(SEED)
    for part in (fixed_and_stopped, always, together, paired_numbers):
        yield from part(random)
    yield from censored(np.random.default_rng([SEED, 2]))
    yield from without_luck(np.random.default_rng([SEED, 1]))
    yield from rare(np.random.default_rng([SEED, 2]))
    yield from far_out(np.random.default_rng([SEED, 3]))


if __name__ == "__main__":
    print(f"mean {MEAN:.3f}, deviation {DEVIATION:.2f}, skewness {SKEWNESS:.1f}, groups {GROUPS}")
    print("\n".join(lines()))
