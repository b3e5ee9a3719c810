"""Intervals from groups of matches: the numbers of the rows, as sure as the matches make them and not the sets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.clusters import GROUPS

MATCHES, SETS = 640, 6


def sets_of_matches(seed: int, alike: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """match_id and a number of each set; with `alike`, one number for all sets of a match."""
    random = np.random.default_rng(seed)
    match = np.repeat(np.arange(MATCHES), SETS)
    if alike:
        return match, np.repeat(random.poisson(9, MATCHES), SETS)
    return match, random.poisson(9, MATCHES * SETS)


def share_above(seed: int, alike: bool, number: int) -> intervals.Interval:
    match, seen = sets_of_matches(seed, alike)
    shown, of = clusters.sums(match, seen > number), clusters.sums(match, np.ones(match.size))
    return clusters.share(shown, of, MATCHES, 0.95)


def test_sums_and_histograms_are_those_of_the_rows() -> None:
    match, seen = sets_of_matches(1, alike=False)
    sums, histograms = clusters.sums(match, seen), clusters.histograms(match, seen, 12)
    assert histograms.shape == (GROUPS, 13)
    for group in (0, 5, 63):
        here = seen[match % GROUPS == group]
        assert sums[group] == here.sum()
        assert histograms[group].tolist() == np.bincount(np.minimum(here, 12), minlength=13).tolist()
    halves = clusters.added(
        *(clusters.histograms(m, s) for m, s in ((match[:9], seen[:9]), (match[9:], seen[9:])))
    )
    assert (halves == clusters.histograms(match, seen)).all()


def test_a_share_is_nearly_wilsons_where_sets_are_independent() -> None:
    found = share_above(2, False, 11)
    match, seen = sets_of_matches(2, alike=False)
    wilson = intervals.proportion(int((seen > 11).sum()), match.size)
    assert found.mean == wilson.mean and found.n == MATCHES
    assert (found.high - found.low) / (wilson.high - wilson.low) == pytest.approx(1, abs=0.25)


def test_sets_that_are_alike_count_as_matches() -> None:
    _, seen = sets_of_matches(3, alike=True)
    found = share_above(3, True, 11)
    by_match = intervals.proportion(int((seen[::SETS] > 11).sum()), MATCHES)
    assert found.mean == by_match.mean
    assert (found.high - found.low) / (by_match.high - by_match.low) == pytest.approx(1, abs=0.25)


@pytest.mark.parametrize("alike", [False, True])
def test_intervals_cover_as_often_as_they_say(alike: bool) -> None:
    """The true share above 11 and the true median of a Poisson law of mean 9, over 300 samples of 640 matches."""
    true = 1 - sum(math.exp(-9) * 9**k / math.factorial(k) for k in range(12))
    shares = medians = 0
    for seed in range(300):
        share = share_above(1000 + seed, alike, 11)
        shares += share.low <= true <= share.high
        match, seen = sets_of_matches(1000 + seed, alike)
        median = clusters.quantile(clusters.histograms(match, seen), 0.5, MATCHES, 0.95)
        medians += median.low <= 9 <= median.high
    assert 0.92 <= shares / 300 <= 0.985
    assert medians / 300 >= 0.93


def test_never_and_always_keep_an_interval() -> None:
    of = np.full(GROUPS, 30)
    never, always = clusters.share(of * 0, of, 64, 0.95), clusters.share(of, of, 64, 0.95)
    high = 1 - 0.025 ** (1 / (64 * 30))  # none of so many, as likely as half of five in a hundred
    assert (never.mean, never.low, never.high) == (0, 0, pytest.approx(high))
    assert (always.mean, always.high, always.low) == (1, 1, pytest.approx(1 - high))


@pytest.mark.parametrize("expected", [0.5, 2, 6, 20])
@pytest.mark.parametrize("together", [1, 3])
def test_the_rarest_shares_are_covered(expected: float, together: int) -> None:
    """So many matches with it are expected of 6400 of ten sets; where one set of a match shows it, three may."""
    random = np.random.default_rng(round(10 * expected) + together)
    of = np.full(GROUPS, 1000)
    true = expected * together / of.sum()
    held = 0
    for _ in range(600):
        shown = together * random.poisson(expected / GROUPS, GROUPS)
        found = clusters.share(shown, of, 6400, 0.95)
        held += found.low <= true <= found.high
    assert held / 600 >= (0.94 if together == 1 else 0.9 if expected >= 6 else 0.8)


@pytest.mark.parametrize("part", [0.05, 0.25, 0.5, 0.95])
def test_a_quantile_is_that_of_the_sets(part: float) -> None:
    match, seen = sets_of_matches(4, alike=False)
    found = clusters.quantile(clusters.histograms(match, seen), part, MATCHES, 0.95)
    assert found.mean == np.quantile(seen, part, method="inverted_cdf")
    assert found.low <= found.mean <= found.high


def test_a_ratio_is_that_of_the_sums() -> None:
    match, seen = sets_of_matches(5, alike=False)
    found = clusters.ratio(
        clusters.sums(match, seen), clusters.sums(match, np.ones(match.size)), MATCHES, 0.95
    )
    assert found.mean == pytest.approx(seen.mean())
    assert found.se == pytest.approx(seen.std() / math.sqrt(seen.size), rel=0.25)
    assert found.n == MATCHES


def test_an_inverse_turns_the_ends() -> None:
    one = intervals.exact(60, 10, "t")
    wide = clusters.inverse(
        1800, intervals.Interval(n=1, mean=60, se=2, low=50, high=75, level=0.95, method="t")
    )
    assert clusters.inverse(1800, one).mean == 30
    assert (wide.low, wide.mean, wide.high, wide.se) == (24, 30, 36, pytest.approx(1))


def test_nothing_is_never_an_error() -> None:
    none = np.zeros(GROUPS, dtype=np.int64)
    for found in (
        clusters.share(none, none, 0, 0.95),
        clusters.ratio(none, none, 0, 0.95),
        clusters.quantile(np.zeros((GROUPS, 1), dtype=np.int64), 0.5, 0, 0.95),
    ):
        assert math.isnan(found.mean) and math.isnan(found.low)
