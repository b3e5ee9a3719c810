"""Sums over matches by group, and what two sides differ by, against SciPy on the plain numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from simkit.analysis import comparison, intervals
from simkit.analysis.comparison import Sums, contrast, verdict
from simkit.analysis.measure import Measure, name_of
from simkit.analysis.multiplicity import each_level, holm, two_sided
from simkit.analysis.precision import most_at_every_look
from simkit.analysis.shapes import shapes
from simkit.analysis.tallies import FARTHEST, Tally, aligned

ROLLS = Measure(name="rolls", unit="rolls", says="rolls")
WINS = Measure(name="wins", unit="share", says="wins", by_settlement=True, parts=2, ends=("better", "worse"))

Numbers = NDArray[np.int64]


def block(rolls: Numbers, *, whole: NDArray[np.bool_] | None = None, first: int = 0) -> dict[str, Numbers]:
    n = len(rolls)
    return {
        "match_id": np.arange(first, first + n),
        "whole": np.ones(n, bool) if whole is None else whole,  # type: ignore[dict-item]
        name_of(0, "rolls"): rolls,
        name_of(0, "wins"): 2 * (rolls % 3 == 0).astype(np.int64) + (rolls % 3 == 1),
        name_of(0, "winner"): rolls % 3,
    }


def two(n: int, seed: int = 1) -> tuple[Numbers, Numbers]:
    random = np.random.default_rng(seed)
    one = random.poisson(60, n)
    return one, one + random.integers(-9, 12, n)


def test_a_tally_counts_and_sums_in_any_blocks() -> None:
    numbers = np.random.default_rng(2).integers(-40, 90, 1000)
    whole, parts = Tally(), Tally()
    whole.add(np.arange(1000), numbers)
    for first in range(0, 1000, 130):
        parts.add(np.arange(1000)[first : first + 130], numbers[first : first + 130])
    np.testing.assert_array_equal(whole.sums, parts.sums)
    found, table = aligned(whole, parts)
    np.testing.assert_array_equal(table[:, 0], table[:, 1])
    assert whole.n == 1000 and whole.sums[:, 1].sum() == numbers.sum()
    assert (table[:, 0].sum(axis=0) @ found) == numbers.sum()


def test_what_lies_far_out_is_summed_as_it_is_and_counted_at_the_end() -> None:
    tally = Tally()
    tally.add(np.arange(3), np.array([5, 10**6, -(10**6)]))
    assert tally.sums[:, 1].sum() == 5 and tally.sums[:, 2].sum() == 25 + 2 * 10**12
    assert tally.table[:, 0].sum() == tally.table[:, -1].sum() == 1
    assert (tally.numbers[0], tally.numbers[-1]) == (-FARTHEST, FARTHEST)


def test_spread_that_lies_far_out_rests_on_what_lies_there() -> None:
    numbers = np.random.default_rng(3).poisson(9, 2000)
    numbers[:40] = np.arange(40) * 10**7
    tally = Tally()
    tally.add(np.arange(2000), numbers)
    assert tally.rests_on == pytest.approx(rests_on(numbers))
    narrow = Tally()
    narrow.add(np.arange(2000), 10**6 + numbers % 5)
    assert narrow.rests_on == pytest.approx(rests_on(numbers % 5))


def rests_on(numbers: NDArray[Any]) -> float:
    """Matches over 1 more than the excess kurtosis, by SciPy."""
    return len(numbers) / (1 + max(float(stats.kurtosis(numbers)), 0.0))


def test_pairs_are_judged_by_the_paired_t_test() -> None:
    one, other = two(2000)
    sums = comparison.sum_pairs([(block(one), block(other))], [ROLLS, WINS])
    found = contrast(sums, ROLLS, "same dice")
    expected = stats.ttest_rel(other, one)
    law = stats.t(rests_on(other - one) - 1)
    half = law.ppf(0.975) * (other - one).std(ddof=1) / math.sqrt(2000)
    assert found.difference.mean == pytest.approx((other - one).mean())
    assert found.difference.high - found.difference.mean == pytest.approx(half)
    assert found.difference.mean - found.difference.low == pytest.approx(half)
    assert found.chance == pytest.approx(2 * law.sf(abs(expected.statistic)))
    assert expected.confidence_interval().high == pytest.approx(found.difference.high, rel=2e-3)
    assert found.superiority.mean == pytest.approx(((other > one) + 0.5 * (other == one)).mean())
    assert found.effect.mean == pytest.approx(
        (other - one).mean() / math.sqrt((one.var(ddof=1) + other.var(ddof=1)) / 2)
    )
    assert found.variance_factor is not None and found.relative is not None
    assert found.variance_factor.mean == pytest.approx(
        (one.var(ddof=1) + other.var(ddof=1)) / (other - one).var(ddof=1)
    )
    assert found.relative.mean == pytest.approx(other.mean() / one.mean() - 1)
    assert found.difference.method == "paired t" and found.verdict == "more"
    wins = contrast(sums, WINS, "same dice")
    assert wins.means[0].mean == pytest.approx(((one % 3 == 0) + 0.5 * (one % 3 == 1)).mean())
    assert comparison.winner_differs(sums, 0.95).mean == pytest.approx((one % 3 != other % 3).mean())


def test_other_dice_are_judged_by_welch_and_by_mann_and_whitney() -> None:
    one, _ = two(1500)
    _, other = two(900, seed=7)
    sums = Sums([ROLLS], paired=False)
    sums.add(0, block(one))
    sums.add(1, block(other))
    found = contrast(sums, ROLLS, "independent")
    expected = stats.ttest_ind(other, one, equal_var=False)
    ends = expected.confidence_interval()
    assert (found.difference.low, found.difference.high) == pytest.approx((ends.low, ends.high), rel=5e-3)
    a, b = (side.var(ddof=1) / len(side) for side in (one, other))
    freedom = (a + b) ** 2 / (a**2 / (rests_on(one) - 1) + b**2 / (rests_on(other) - 1))
    assert found.freedom == pytest.approx(freedom)
    assert found.chance == pytest.approx(2 * stats.t(freedom).sf(abs(expected.statistic)))
    share = stats.mannwhitneyu(other, one).statistic / (len(one) * len(other))
    assert found.superiority.mean == pytest.approx(share)
    assert found.superiority.low < share < found.superiority.high
    assert found.variance_factor is None and found.difference.method == "Welch's t, independent"


def test_cut_matches_count_on_neither_side() -> None:
    one, other = two(400)
    whole = np.arange(400) % 7 != 0
    sums = comparison.sum_pairs([(block(one, whole=whole), block(other))], [ROLLS])
    left = comparison.sum_pairs(
        [({k: v[whole] for k, v in block(one).items()}, {k: v[whole] for k, v in block(other).items()})],
        [ROLLS],
    )
    assert contrast(sums, ROLLS, "same dice") == contrast(left, ROLLS, "same dice")
    assert sums.left_out == (~whole).sum() and left.left_out == 0
    assert sums.gone_on[0]["rolls"].n == (~whole).sum() and sums.gone_on[1]["rolls"].n == 0


def test_one_play_cannot_differ_in_what_settling_leaves_alone() -> None:
    one, _ = two(300)
    sums = comparison.sum_pairs([(block(one), block(one))], [ROLLS])
    found = contrast(sums, ROLLS, "same play", margin=1)
    assert found.verdict == "the same" and (found.difference.low, found.difference.high) == (0, 0)
    unlike = contrast(sums, ROLLS, "same dice", margin=1)
    assert unlike.verdict == "undecided" and math.isnan(unlike.difference.low)


def rare(changes: list[int], measure: Measure, n: int = 1000, **options: Any) -> comparison.Contrast:
    """A contrast of pairs of which only the first ones differ; numbers of either side 0 or 1 where they may be."""
    change = np.array(changes + [0] * (n - len(changes)))
    one = np.where(change == 0, np.arange(n) % 2, change < 0) * measure.parts
    sides = [block(np.zeros(n, int)) | {f"0.{measure.name}": side} for side in (one, one + change)]
    return contrast(comparison.sum_pairs([(sides[0], sides[1])], [measure]), measure, "same dice", **options)


def test_a_handful_of_pairs_that_differ_decides_nothing() -> None:
    assert rare([1, 1, 1, 1], ROLLS).verdict == "undecided"  # McNemar: 0.125
    assert rare([1, 1, 1, 1], ROLLS).chance > 0.125 and rare([2, 2, 2, 2], WINS, n=10).chance == 0.125
    assert rare([1] * 5, ROLLS).verdict == rare([1] * 6, ROLLS).verdict == "undecided"
    assert rare([1] * 8, ROLLS).verdict == "more" and rare([-1] * 8, ROLLS).verdict == "less"
    assert rare([1] * 7 + [-1], ROLLS).verdict == "undecided"  # McNemar: 0.070
    for changes in ([1], [90, 1, -1, 1]):  # one alone, and one that outweighs all others
        found = rare(changes, ROLLS)
        assert found.difference.method.endswith(intervals.ON_TOO_FEW) and found.why == "rests on too few"
        assert (found.verdict, found.chance) == ("undecided", 1.0) and math.isnan(found.effect.low)
    assert rare([], ROLLS).why == rare([], WINS).why == "all alike" and rare([1] * 8, ROLLS).why == ""
    assert rare([], WINS, margin=0.5).why == ""
    always = rare([1] * 8, ROLLS, by_sequence=True)
    assert always.verdict == "undecided" and always.difference.low < 0 < always.difference.high


@pytest.mark.parametrize(("changes", "differing"), [([], 0), ([2], 1), ([2, -2, 1], 3), ([2, 2, 2, 2], 4)])
def test_shares_differ_by_no_more_than_the_pairs_that_do(changes: list[int], differing: int) -> None:
    found = rare(changes, WINS, n=10_000, margin=0.01)
    most = stats.binomtest(differing, 10_000).proportion_ci(0.95, method="exact").high
    assert (found.difference.low, found.difference.high) == pytest.approx((-most, most))
    assert found.difference.mean == pytest.approx(sum(changes) / 20_000) and found.verdict == "equivalent"
    assert (found.superiority.low, found.superiority.high) == pytest.approx((0.5 - most / 2, 0.5 + most / 2))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("short", [1, 4])
def test_all_but_a_few_pairs_that_go_one_way_are_judged_by_these(short: int, sign: int) -> None:
    """One match lost of a thousand takes neither verdict nor p away."""
    found = rare([2 * sign] * (1000 - short) + [-2 * sign] * (short - 1) + [0], WINS)
    most = stats.binomtest(short, 1000).proportion_ci(0.95, method="exact").high
    ends = sorted((sign * 1.0, sign * (1 - 2 * most)))
    assert (found.difference.low, found.difference.high) == pytest.approx(tuple(ends))
    assert found.verdict == ("better" if sign > 0 else "worse") and found.why == ""
    assert found.chance == pytest.approx(stats.binomtest(short, 1000).pvalue, rel=1e-6)
    higher = sorted((0.5 + sign * 0.5, 0.5 + sign * (0.5 - most)))
    assert (found.superiority.low, found.superiority.high) == pytest.approx(tuple(higher))
    always = rare([2 * sign] * (1000 - short) + [0] * short, WINS, by_sequence=True)
    assert always.verdict == found.verdict and always.difference.low <= always.difference.mean


@pytest.mark.parametrize(
    ("changes", "n"), [([], 300), ([2, -2, 1], 300), ([2] * 300, 300), ([-2] * 300, 300)]
)
def test_shares_have_a_bound_at_every_look_too(changes: list[int], n: int) -> None:
    differing = 0 if len(changes) == n else len(changes)
    found = rare(changes, WINS, n=n, by_sequence=True)
    most = most_at_every_look(differing, n, 0.95)
    low, high = (-most, most) if len(changes) < n else (1 - 2 * most, 1.0)
    if changes[:2] == [-2, -2]:
        low, high = -high, -low
    assert (found.difference.low, found.difference.high) == pytest.approx((low, high))
    assert most > stats.binomtest(differing, n).proportion_ci(0.95, method="exact").high
    assert found.difference.method.startswith("confidence sequence, exact") and found.why in ("", "all alike")
    assert found.verdict == {300: "better" if changes[:1] == [2] else "worse"}.get(len(changes), "undecided")


def test_what_is_most_at_every_look_is_passed_seldom() -> None:
    """A share of 3 in 1000, looked at 40 times, in 4000 runs at 95 %, beside an end that holds at one look."""
    random, runs, share = np.random.default_rng(4), 4000, 0.003
    looks = np.unique(np.geomspace(100, 20_000, 40).astype(int))
    steps = random.binomial(np.diff(looks, prepend=0), share, (runs, len(looks)))
    seen = np.cumsum(steps, axis=1)
    missed = {}
    for upper in (most_at_every_look, comparison.most_of):
        ends = [
            np.array([upper(k, n, 0.95) for k in range(min(n, 120))])[seen[:, place]]
            for place, n in enumerate(looks.tolist())
        ]
        missed[upper] = float((np.array(ends) < share).any(axis=0).mean())
    assert missed[most_at_every_look] < 0.05 < missed[comparison.most_of]
    assert most_at_every_look(5, 5, 0.95) == 1 and most_at_every_look(0, 99, 0.95) == pytest.approx(
        1 - (0.05 / 100) ** (1 / 99)
    )


def independent(measure: Measure, *sides: NDArray[Any], **options: Any) -> comparison.Contrast:
    sums = Sums([measure], paired=False)
    for place, side in enumerate(sides):
        sums.add(place, block(np.zeros(len(side), int)) | {f"0.{measure.name}": side})
    return contrast(sums, measure, "independent", **options)


def test_independent_shares_have_a_bound_at_every_look_too() -> None:
    won = np.full(10_000, 2)
    same = independent(WINS, won, won, by_sequence=True, margin=0.01)
    plain = independent(WINS, won, won, margin=0.01)
    assert same.verdict == plain.verdict == "equivalent" and same.difference.high > plain.difference.high
    assert independent(WINS, 0 * won, won, by_sequence=True).verdict == "better"


@pytest.mark.parametrize("few", [0, 1, 2, 3])
def test_one_event_more_does_not_take_an_interval_away(few: int) -> None:
    """Of independent matches one side may hardly vary."""
    for measure in (ROLLS, WINS):
        found = independent(measure, *((np.arange(10_000) < shown) * measure.parts for shown in (few, 100)))
        assert found.verdict in ("more", "better") and found.chance < 1e-9, (few, measure.name)
        assert found.difference.mean == pytest.approx((100 - few) / 10_000)
    hardly = independent(ROLLS, *((np.arange(1000) < shown) * 1 for shown in (0, 4)))
    assert hardly.verdict == "undecided" and math.isnan(hardly.superiority.low)


@pytest.mark.parametrize("few", [2, 5, 20])
def test_a_small_sample_that_hardly_varies_is_not_taken_for_known(few: int) -> None:
    """Matches of one kind on either side: few of them, which are often alike, beside 200."""
    random, runs = np.random.default_rng(few), 200
    wrong = {"wins": 0, "rolls": 0}
    for _ in range(runs):
        for measure, draw in (
            (WINS, lambda n: 2 * random.integers(0, 2, n)),
            (ROLLS, lambda n: random.poisson(0.3, n)),
        ):
            found = independent(measure, draw(200), draw(few))
            assert (found.chance < 0.05) == (found.verdict != "undecided")
            wrong[measure.name] += found.verdict != "undecided"
    assert max(wrong.values()) < 0.09 * runs  # 5 % should be; one chance in a hundred of more


def test_small_samples_of_one_number_each_have_a_p_as_their_verdict() -> None:
    for n in range(1, 12):
        for m in range(1, 30):
            found = independent(WINS, np.zeros(n, int), np.full(m, 2))
            assert (found.chance < 0.05) == (found.verdict == "better"), (n, m)
    half = independent(WINS, np.ones(40, int), np.repeat([0, 2], 20))
    assert half.why == "" and not half.alike and half.difference.low < 0 < half.difference.high


def test_two_samples_of_one_number_each() -> None:
    won, lost = np.full(200, 2), np.zeros(300, int)
    apart, same = independent(WINS, lost, won), independent(WINS, lost, lost)
    exact = stats.fisher_exact([[200, 0], [0, 300]]).pvalue
    assert apart.chance == pytest.approx(exact)
    assert apart.verdict == "better" and apart.difference.low > 0.95 and apart.difference.high == 1
    assert (
        same.alike
        and same.why == "all alike"
        and not same.known_alike
        and same.difference.low < 0 < same.difference.high
        and same.chance == 1
    )
    assert independent(ROLLS, lost, won).why == "always by as much"


@pytest.mark.parametrize(("one", "verdict"), [(1, "better"), (-1, "worse")])
def test_what_every_pair_shows_is_known_but_for_a_bound(one: int, verdict: str) -> None:
    found = rare([2 * one] * 200, WINS, n=200)
    most = stats.binomtest(0, 200).proportion_ci(0.95, method="exact").high
    ends = (1 - 2 * most, 1.0)
    assert (found.difference.low, found.difference.high) == pytest.approx(
        ends if one > 0 else (-1.0, -ends[0])
    )
    assert found.verdict == verdict and found.chance == pytest.approx(stats.binomtest(200, 200).pvalue)
    higher = found.superiority
    assert (higher.low, higher.high) == pytest.approx((1 - most, 1.0) if one > 0 else (0.0, most))
    games = rare([one] * 200, ROLLS, n=200)
    assert games.verdict == "undecided" and games.why == "always by as much"


def test_neither_way_is_taken_where_as_many_pairs_go_either_way() -> None:
    for higher, lower in ((4, 4), (3, 1), (2, 2), (1, 3)):
        one, other = (
            comparison.paired_superiority(8, *both, 0.95) for both in ((higher, lower), (lower, higher))
        )
        assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low))
        assert one.low <= one.mean <= one.high


def test_shares_of_one_side_lie_between_nothing_and_all() -> None:
    seen = Tally()
    seen.add(np.arange(1000), 2 * (np.arange(1000) < 3))
    assert comparison.mean_of(seen, WINS) == intervals.proportion(3, 1000)
    seen.add(np.arange(20), np.ones(20, int))  # draws
    found = comparison.mean_of(seen, WINS)
    assert found.method == "t" and found.mean == pytest.approx(13 / 1020) and found.low >= 0


@pytest.mark.parametrize("few", [2, 50, 300])
def test_sides_of_unlike_length_count_with_all_their_matches(few: int) -> None:
    """Groups of matches that one side lacks stand for the other all the same."""
    random = np.random.default_rng(few)
    one, other = random.poisson(50, few), random.poisson(40, 300)
    sums = Sums([ROLLS], paired=False)
    sums.add(0, block(one))
    sums.add(1, block(other))
    found = contrast(sums, ROLLS, "independent")
    assert found.relative is not None
    assert found.relative.mean == pytest.approx(other.mean() / one.mean() - 1)
    spread = math.sqrt((one.var(ddof=1) + other.var(ddof=1)) / 2)
    assert found.effect.mean == pytest.approx((other.mean() - one.mean()) / spread)
    share = stats.mannwhitneyu(other, one).statistic / (few * 300)
    assert found.superiority.mean == pytest.approx(share)
    shown = {shape.detail: shape for shape in shapes(sums, ROLLS)}
    moved = stats.wasserstein_distance(one, other)
    assert shown["earth mover's distance"].difference.mean == pytest.approx(moved)  # type: ignore[union-attr]
    for detail in ("winsorised mean", "top 1 % of matches"):
        sides = shown[detail].baseline, shown[detail].variant, shown[detail].difference
        assert [side and side.n for side in sides] == [few, 300, few]
    if few < 100:  # nothing is among the largest hundredth but the largest number
        means = shown["winsorised mean"].baseline, shown["winsorised mean"].variant
        expected = (one.mean(), np.minimum(other, np.sort(other)[296]).mean())
        assert [each and each.mean for each in means] == pytest.approx(expected)


def test_factors_rest_on_the_side_that_hardly_varies() -> None:
    n = 1000
    one, other = (np.arange(n) < 4).astype(int), (np.arange(n) >= n - 44).astype(int)
    sums = comparison.sum_pairs([(block(one), block(other))], [ROLLS])
    found = contrast(sums, ROLLS, "same dice")
    assert found.verdict == "more" and found.variance_factor is not None
    assert found.variance_factor.method.endswith(intervals.ON_TOO_FEW)
    assert found.variance_factor.mean == pytest.approx(
        (one.var(ddof=1) + other.var(ddof=1)) / (other - one).var(ddof=1)
    )


def test_what_is_measured_by_a_spread_is_not_known_where_a_side_never_varies() -> None:
    """A side may have had no rare event by chance; the other's spread does not tell of it."""
    found = independent(ROLLS, np.zeros(300, int), (np.arange(3000) < 12) * 1)
    for one in (found.effect, found.superiority):
        assert one.method.endswith(intervals.ON_TOO_FEW) and math.isnan(one.low)
    one = np.zeros(2000, int)
    sums = comparison.sum_pairs([(block(one), block((np.arange(2000) % 50 == 0) * 1))], [ROLLS])
    assert math.isnan(contrast(sums, ROLLS, "same dice").effect.low)


def test_shapes_rest_on_what_differs_too() -> None:
    """Four pairs of a thousand that differ decide nothing, whatever is asked of them."""
    one = np.arange(1000) % 7
    sums = comparison.sum_pairs([(block(one), block(one + (np.arange(1000) < 4)))], [ROLLS])
    assert contrast(sums, ROLLS, "same dice").verdict == "undecided"
    for shape in shapes(sums, ROLLS):
        if shape.difference and not shape.detail.startswith("quantile"):
            assert math.isnan(shape.difference.low), shape.detail
        if shape.baseline and shape.detail == "winsorised mean":
            assert shape.baseline.low < shape.baseline.mean < shape.baseline.high


def test_where_the_largest_hundredth_begins_is_uncertain_too() -> None:
    """Of 1.2 % that are not 0 it may begin among these or at 0."""
    numbers = np.where(np.arange(5000) % 83 == 0, 40 + np.arange(5000) // 83, 0)
    sums = comparison.sum_pairs([(block(numbers), block(numbers + 1))], [ROLLS])
    (found,) = (shape.baseline for shape in shapes(sums, ROLLS) if shape.detail == "winsorised mean")
    assert found is not None
    cut = stats.binom(5000, 0.99).ppf([0.025, 0.975])
    ends = [np.minimum(numbers, np.sort(numbers)[int(rank)]).mean() for rank in cut]
    assert found.low < ends[0] < ends[1] < found.high


def test_a_distance_that_chance_makes_has_0_in_its_interval() -> None:
    random = np.random.default_rng(8)
    for shift in (0, 30):
        one, other = random.poisson(50, 2000), random.poisson(50 + shift, 2000)
        sums = Sums([ROLLS], paired=False)
        sums.add(0, block(one))
        sums.add(1, block(other))
        shown = {shape.detail: shape.difference for shape in shapes(sums, ROLLS)}
        for detail, true in (("earth mover's distance", float(shift)), ("largest gap", None)):
            found = shown[detail]
            assert found is not None and (found.low == 0) == (shift == 0) and found.high > found.mean
            assert true is None or found.low <= true <= found.high


def test_few_matches_have_no_interval_by_groups() -> None:
    one, other = two(40)
    found = contrast(comparison.sum_pairs([(block(one), block(other))], [ROLLS]), ROLLS, "same dice")
    assert math.isfinite(found.difference.low) and math.isnan(found.effect.low)
    assert found.effect.method.endswith(intervals.TOO_FEW)


@pytest.mark.parametrize(
    ("low", "high", "margin", "said"),
    [
        (0.1, 2, 0, "more"),
        (-2, -0.1, 0, "less"),
        (-1, 1, 0, "undecided"),
        (1.1, 2, 1, "more"),
        (-2, -1.1, 1, "less"),
        (0.1, 0.9, 1, "equivalent"),
        (0.1, 1.1, 1, "undecided"),
        (math.nan, math.nan, 1, "undecided"),
    ],
)
def test_a_verdict_needs_the_whole_interval(low: float, high: float, margin: float, said: str) -> None:
    one = intervals.Interval(n=9, mean=(low + high) / 2, se=1, low=low, high=high, level=0.95, method="")
    assert verdict(one, margin) == said


def test_many_differences_hold_together() -> None:
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]).size == 0
    assert each_level(0.95, 5) == pytest.approx(0.99) and each_level(0.95, 0) == pytest.approx(0.95)
    assert two_sided(2.0, 1.0, 10) == pytest.approx(2 * stats.t.sf(2, 10)) and two_sided(1, 0, 10) == 1
    one, other = two(500)
    sums = comparison.sum_pairs([(block(one), block(other))], [ROLLS])
    alone, together = (contrast(sums, ROLLS, "same dice", family=family).difference for family in (1, 5))
    half = stats.t(rests_on(other - one) - 1).ppf(0.995) * stats.sem(other - one)
    assert (together.high - together.low) / 2 == pytest.approx(half)
    assert together.level == alone.level == 0.95
    assert together.method == "paired t, Bonferroni over 5 differences"
