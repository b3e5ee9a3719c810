"""Differences between pairs of players, row by row."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.skill import by_rules, by_skill

COMPARED = ("winner_changes", "leader_loses")


def share(successes: int, n: int, sets: int, measure: str = "winner_changes") -> Estimate:
    return Estimate(
        measure=measure,
        sets=sets,
        tail_of_sets=20,
        tokens_per_set=2,
        contrast="tail_of_sets=0",
        unit="share of matches",
        interval=intervals.proportion(successes, n),
    )


def test_a_difference_has_the_error_of_both() -> None:
    weak, strong = [share(50, 1000, 4), share(20, 1000, 8)], [share(30, 500, 8), share(1, 2, 6)]
    (found,) = by_skill(strong, weak, "random, random", COMPARED)
    one, two = strong[0].interval, weak[1].interval
    assert (found.measure, found.sets, found.contrast) == (
        "winner_changes_by_skill",
        8,
        "players=random, random",
    )
    assert found.interval.mean == pytest.approx(0.04)
    assert found.interval.se == pytest.approx(math.hypot(one.se, two.se))
    assert found.interval.low < 0.04 < found.interval.high
    assert found.interval.n == 500


def test_only_the_same_settlement_and_chosen_measures_are_compared() -> None:
    base = [share(5, 100, 4), share(5, 100, 4, "made_draw")]
    other = [replace(base[0], tail_of_sets=40), base[1]]
    assert not list(by_skill(other, base, "random, random", COMPARED))


def test_what_neither_pair_shows_has_a_bound_all_the_same() -> None:
    (found,) = by_skill([share(0, 500, 2)], [share(0, 1000, 2)], "random, random", COMPARED)
    assert found.interval.mean == found.interval.se == 0
    assert found.interval.low == pytest.approx(-0.00383, abs=1e-5), "as far as 0 of 1000 may lie off"
    assert found.interval.high == pytest.approx(0.00762, abs=1e-5), "as far as 0 of 500 may"


def test_rule_sets_are_compared_in_the_same_way() -> None:
    base = [share(5, 100, 4), replace(share(50, 100, 4), detail="other")]
    (found,) = by_rules([share(10, 100, 4)], base, "classical", COMPARED)
    assert (found.measure, found.contrast) == ("winner_changes_by_rules", "rules=classical")
    assert found.interval.mean == pytest.approx(0.05)
