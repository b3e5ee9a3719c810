"""When a run is looked at, when it stops, and the confidence sequence."""

from __future__ import annotations

import math

import pytest

from simkit.analysis import intervals
from simkit.analysis.precision import PILOT, SAME_FROM, Stop, needed, next_look, schedule, sequence, tuned


def test_looks_are_at_fixed_counts() -> None:
    counts = schedule(1_000_000)
    assert counts[:4] == (PILOT, 12_500, 15_625, 19_532) and counts[-1] == 1_000_000
    assert schedule(PILOT) == (PILOT,) and schedule(300) == (300,)
    assert schedule(11_000) == (PILOT, 11_000)


def test_the_next_look_is_where_it_may_suffice() -> None:
    counts = schedule(100_000)
    assert next_look(counts, PILOT, PILOT + 1) == 12_500
    assert next_look(counts, PILOT, 15_000) == 15_625
    assert next_look(counts, PILOT, 10**9) == 100_000
    assert next_look(counts, 100_000, 10**9) is None


def test_how_many_matches_it_would_take() -> None:
    found = intervals.mean(100, 500.0, 2900.0)
    half = found.high - found.mean
    assert needed(found, half) == 100 and needed(found, half / 2) == 400
    assert needed(intervals.unknown(70, 0.95, "t"), 1.0) == 140
    assert needed(found, half / 2, bound=True) == 200


def test_a_number_that_never_varied_is_known_from_so_many_matches_on() -> None:
    alike = [intervals.mean(n, 4.0 * n, 16.0 * n) for n in (2, 6_000, SAME_FROM, 50_000)]
    assert [needed(one, 0.1) for one in alike] == [4, SAME_FROM, SAME_FROM, SAME_FROM]


def test_a_sequence_is_narrowest_where_it_is_tuned_and_wider_than_an_interval() -> None:
    def width(n: int, at: int) -> float:
        one = intervals.Interval(n=n, mean=0, se=1, low=-1.96, high=1.96, level=0.95, method="t")
        return sequence(one, 0.95, at).high

    assert width(10_000, 10_000) == pytest.approx(3.08, abs=0.05)  # of Robbins's mixture
    assert width(10_000, 10_000) < width(10_000, 1_000) and width(10_000, 10_000) < width(10_000, 100_000)
    counts = schedule(1_000_000)
    assert tuned(counts) == 100_000
    still = intervals.Interval(n=9, mean=2, se=0, low=2, high=2, level=0.95, method="t")
    assert math.isnan(sequence(still, 0.95, 10).low)


def test_the_end_is_told_in_words() -> None:
    stop = Stop(goal="rolls to within 1", looks=(10_000, 20_000), reached=True)
    assert stop.words == "rolls to within 1: reached with 20,000 matches, after 2 looks"
    short = Stop(goal="rolls to within 1", looks=(300,), reached=False, needed=1_200)
    assert short.words.endswith(
        "not reached with 300 matches, after 1 look; it would take about 1,200 matches; what was played is kept"
    )
    assert "no number of matches can be told" in Stop(goal="x", looks=(3,), reached=False).words
