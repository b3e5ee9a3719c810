"""Distributions beside one another, against SciPy and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from simkit.analysis import comparison, shapes
from simkit.analysis.comparison import Sums
from simkit.analysis.measure import Measure, name_of
from simkit.analysis.shapes import Shape
from simkit.analysis.tallies import Tally

ROLLS = Measure(name="rolls", unit="rolls", says="rolls")
RESULT = Measure(name="result", unit="points", says="result", signed=True)
WINS = Measure(name="wins", unit="share of matches", says="wins", parts=2)


def sums(one: NDArray[np.int64], two: NDArray[np.int64], measure: Measure = ROLLS) -> Sums:
    n = len(one)
    blocks = [
        {
            "match_id": np.arange(n),
            "whole": np.ones(n, bool),
            name_of(0, measure.name): numbers,
            name_of(0, "winner"): np.ones(n, np.int8),
        }
        for numbers in (one, two)
    ]
    return comparison.sum_pairs([(blocks[0], blocks[1])], [measure])


def skewed(n: int, seed: int = 5) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    random = np.random.default_rng(seed)
    one = np.rint(random.lognormal(4, 0.8, n)).astype(np.int64)
    return one, one + random.integers(0, 9, n)


def by_detail(found: Sums, measure: Measure = ROLLS) -> dict[str, Shape]:
    return {one.detail: one for one in shapes.shapes(found, measure)}


def test_quantiles_are_order_statistics_of_numbers_of_either_sign() -> None:
    one, two = (np.rint(x).astype(np.int64) for x in np.random.default_rng(3).normal(-5, 60, (2, 2000)))
    found = by_detail(sums(one, two, RESULT), RESULT)["quantile 0.9"]
    assert found.baseline and found.variant and found.difference
    ends = stats.quantile_test(one, p=0.9).confidence_interval()
    assert found.baseline.mean == np.sort(one)[1799]
    assert abs(found.baseline.low - ends.low) <= 2 and abs(found.baseline.high - ends.high) <= 2
    assert found.difference.mean == found.variant.mean - found.baseline.mean


def test_the_largest_hundredth() -> None:
    one, two = skewed(3000)
    found = by_detail(sums(one, two))
    top = found["top 1 % of matches"]
    assert top.baseline and top.difference and top.unit == "share of the total"
    assert top.baseline.mean == pytest.approx(np.sort(one)[-30:].sum() / one.sum())
    assert top.baseline.low < top.baseline.mean < top.baseline.high
    plain, bounded = (two - one).mean(), found["winsorised mean"].difference
    assert bounded is not None and bounded.mean == pytest.approx(plain, abs=0.5)
    assert found["winsorised mean"].baseline and found["winsorised mean"].baseline.mean < one.mean()
    assert "top 1 % of matches" not in by_detail(sums(one - 50, two - 50, RESULT), RESULT)


def test_distances_are_those_of_scipy_beside_chance() -> None:
    one, two = skewed(4000)
    found = by_detail(sums(one, two))
    moved, gap = found["earth mover's distance"].difference, found["largest gap"].difference
    assert moved and gap
    assert moved.mean == pytest.approx(stats.wasserstein_distance(one, two))
    assert gap.mean == pytest.approx(stats.ks_2samp(one, two).statistic)
    random = np.random.default_rng(8)
    alike = by_detail(sums(*random.poisson(60, (2, 4000))))
    now, chance = (alike[f"largest gap{end}"].difference for end in ("", ", by chance"))
    assert now and chance and now.mean < 2 * chance.mean
    assert chance.mean == pytest.approx(0.85 * math.sqrt(2 / 4000), rel=0.25)  # Kolmogorov's mean


def test_chance_hardly_hangs_on_how_far_apart_the_sides_are() -> None:
    random = np.random.default_rng(8)
    one, two = random.poisson(60, (2, 4000))
    near, far = (
        by_detail(sums(one, two + shift))["earth mover's distance, by chance"].difference for shift in (0, 30)
    )
    assert near and far
    assert 1 <= far.mean / near.mean < 1.5  # the square root of two, where they do not overlap


def test_what_is_won_drawn_or_lost_has_no_shape() -> None:
    one = np.arange(2000) % 3
    assert not list(shapes.shapes(sums(one, one, WINS), WINS))


def test_few_matches_say_nothing_of_the_largest() -> None:
    found = by_detail(sums(*skewed(300)))
    top = found["top 1 % of matches"].baseline
    assert top and math.isnan(top.low) and math.isfinite(top.mean)


def ended_and_cut(
    lasted: NDArray[np.int64], seen: NDArray[np.int64], cut: NDArray[np.bool_]
) -> tuple[Tally, Tally]:
    """Tallies of durations that ended, and of those that were cut at what was seen of them."""
    ended, going = Tally(), Tally()
    match = np.arange(len(lasted))
    ended.add(match[~cut], lasted[~cut])
    going.add(match[cut], seen[cut])
    return ended, going


def test_cut_durations_go_on() -> None:
    lasted = np.ceil(np.random.default_rng(4).exponential(100, 3000)).astype(np.int64)
    limit = np.full(3000, 180)
    ended, cut = ended_and_cut(lasted, limit, lasted > limit)
    whole, _ = ended_and_cut(lasted, lasted, np.zeros(3000, bool))
    found = shapes.quantile_going_on((ended,), cut, 0.5, 0.95)
    known = shapes.quantile(whole, 0.5, 0.95)
    assert (found.n, found.mean, found.low, found.high) == (3000, known.mean, known.low, known.high)
    assert found.method == "order statistics, cut matches lasting longer"
    assert shapes.quantile(ended, 0.5, 0.95).high < found.low
    beyond = shapes.quantile_going_on((ended,), cut, 0.9, 0.95)
    assert beyond.low == 181 and math.isnan(beyond.mean) and math.isnan(beyond.high)
    assert beyond.method.endswith("which leave it open")
    halves = ended_and_cut(lasted, limit, np.arange(3000) % 2 == 0)
    nobody, everybody = Tally(), shapes.quantile_going_on((Tally(),), cut, 0.5, 0.95)
    assert everybody.low == 181 and math.isnan(everybody.mean)
    assert shapes.quantile_going_on((halves[0],), nobody, 0.5, 0.95) == shapes.quantile(halves[0], 0.5, 0.95)


def test_rolls_of_pools_cut_at_their_matches_are_told_by_bounds() -> None:
    """Half of the pools are ten times as fast: these are cut at few rolls, and are no sample of the others."""
    random = np.random.default_rng(4)
    pace, matches = random.choice([10, 100], 2000), random.geometric(1 / 6, 2000)
    lasted, seen = pace * matches, pace * np.minimum(matches, 10)
    ended, cut = ended_and_cut(lasted, seen, matches > 10)
    in_order = np.sort(lasted)
    data = stats.CensoredData(uncensored=lasted[matches <= 10], right=seen[matches > 10])
    below = stats.ecdf(data).sf
    assert below.quantiles[below.probabilities <= 0.1][0] > in_order[1799]  # Kaplan's and Meier's is not it
    for part in (0.5, 0.6, 0.7, 0.8, 0.9, 0.99):
        found = shapes.quantile_going_on((ended,), cut, part, 0.95)
        true = in_order[math.ceil(part * 2000) - 1]
        assert (
            found.low <= true
            and not found.high < true
            and found.mean in (true, pytest.approx(math.nan, nan_ok=True))
        )
    assert shapes.quantile_going_on((ended,), cut, 0.5, 0.95).mean == in_order[999]


def test_cut_matches_are_told_of_either_side() -> None:
    one, two = skewed(2000)
    blocks = [
        {
            "match_id": np.arange(2000),
            "whole": np.arange(2000) % every != 0,
            name_of(0, "rolls"): numbers,
            name_of(0, "winner"): np.ones(2000, np.int8),
        }
        for numbers, every in ((one, 10), (two, 8))
    ]
    found = by_detail(comparison.sum_pairs([(blocks[0], blocks[1])], [ROLLS]))
    cut = found["cut short"]
    assert cut.baseline and cut.variant and (cut.baseline.mean, cut.variant.mean) == (0.1, 0.125)
    assert cut.baseline.n == 2000
    going_on = found["quantile 0.5, cut matches going on"]
    assert going_on.baseline and going_on.baseline.n == 2000
    assert going_on.baseline.low <= np.median(one) <= going_on.baseline.high
    assert math.isnan(going_on.baseline.mean)  # cut matches lie below the median and above
