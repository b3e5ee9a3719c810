"""Bounds decide as they say: what confirms, what refutes, what only can refute, and on how many matches."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from simkit.analysis.criteria import Between, Enclosed, Every, NotTested
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval

PRICE = Between(measure="worth", low=3.0, inside="as much", below="less", says="holes")


def worth(low: float, high: float, n: int = 100, measure: str = "worth") -> Estimate:
    mean = (low + high) / 2
    interval = Interval(n=n, mean=mean, se=0.1, low=low, high=high, level=0.95, method="t")
    return Estimate(measure=measure, unit="holes", interval=interval)


@pytest.mark.parametrize(
    ("ends", "outcome", "meaning"),
    [
        ((1, 2), "refuted", "less"),
        ((4, 5), "confirmed", "as much"),
        ((2, 4), "undecided", "too near a bound to tell"),
    ],
)
def test_one_bound_has_two_sides(ends: tuple[float, float], outcome: str, meaning: str) -> None:
    found = PRICE.decide([worth(*ends)])
    assert (found.outcome, found.meaning, found.matches) == (outcome, meaning, (100,))


def test_an_upper_bound_refutes_and_never_confirms() -> None:
    bound = replace(PRICE, confirms=False)
    assert bound.decide([worth(1, 2)]).outcome == "refuted"
    inside = bound.decide([worth(4, 5)])
    assert (inside.outcome, inside.meaning) == ("undecided", "as much")
    assert bound.decide([worth(2, 4)]).meaning == "too near a bound to tell"


def test_what_was_not_estimated_stands_on_no_matches() -> None:
    for found in ([], [worth(math.nan, math.nan)]):
        assert PRICE.decide(found).outcome == "undecided" and PRICE.decide(found).matches == ()


def test_several_stand_on_the_matches_of_each() -> None:
    both = Every(tests=(PRICE, replace(PRICE, measure="other"), replace(PRICE, measure="third")))
    found = [worth(4, 5, 300), worth(4, 5, 200, "other"), worth(4, 5, 300, "third")]
    assert both.decide(found).matches == (200, 300)


@pytest.mark.parametrize(
    ("least", "most", "outcome"),
    [
        ((1, 2), (1, 2), "confirmed"),
        ((1, 2), (4, 5), "undecided"),
        ((1, 2), (2, 4), "undecided"),
        ((4, 5), (6, 7), "refuted"),
        ((2, 4), (6, 7), "undecided"),
    ],
)
def test_what_is_enclosed_is_confirmed_from_one_side_and_refuted_from_the_other(
    least: tuple[float, float], most: tuple[float, float], outcome: str
) -> None:
    small = Between(measure="least", high=3.0, inside="", above="more")
    test = Enclosed(confirms=replace(small, measure="most", inside="less"), refutes=small)
    found = test.decide([worth(*least, 20, "least"), worth(*most, 30, "most")])
    meanings = {"confirmed": "less", "refuted": "more", "undecided": "the two sides do not tell"}
    assert (found.outcome, found.meaning, found.matches) == (outcome, meanings[outcome], (20, 30))
    assert test.decide([]).outcome == "undecided"


def test_bounds_below_nought_have_a_true_minus() -> None:
    low = Between(measure="worth", low=-0.5, high=0.5, inside="", says="holes")
    assert low.decide([worth(-0.1, 0.1)]).numbers.endswith("bounds \u22120.5 and 0.5 holes.")


def test_what_is_not_tested_is_never_decided() -> None:
    plain = NotTested(why="not judged here", reason="Nobody saw it.")
    for found in ([], [worth(4, 5)]):
        decision = plain.decide(found)
        assert (decision.outcome, decision.meaning, decision.matches) == ("undecided", "not judged here", ())
        assert decision.numbers == "Nobody saw it."
    told = replace(plain, measure="worth", says="holes").decide([worth(4, 5)])
    assert (told.outcome, told.matches) == ("undecided", (100,))
    assert told.numbers == "Nobody saw it. 4.50 holes (4.00 to 5.00)."
