"""Numbers are printed by one rule."""

from __future__ import annotations

import random

import pytest

from simkit.analysis.words import (
    count,
    decimals,
    in_words,
    lengths_in_words,
    minus,
    number,
    span,
    threshold,
    with_span,
    within,
)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.28786, "share of the variance of G", "28.8 %"),
        (0.0995, "share", "9.95 %"),
        (0.09996, "share", "10.0 %"),
        (0.0041, "share", "0.41 %"),
        (0.000417, "share", "0.042 %"),
        (-0.0145, "share", "-1.45 %"),
        (0.0, "share", "0.00 %"),
        (1.3118, "times", "1.31"),
        (105.501, "points", "105.5"),
        (0.0833, "times", "0.083"),
        (float("nan"), "times", "\u2013"),
    ],
)
def test_numbers(value: float, unit: str, text: str) -> None:
    assert number(value, unit).replace("\u202f", " ").replace("\u2212", "-") == text


def test_an_end_that_is_not_nought_does_not_look_it() -> None:
    assert span(0.0021, 0.00002, 0.0042, "share") == "0.002 to 0.420"
    assert span(0.0, 0.0, 0.0019, "share", sign=True) == "0.00 to 0.19\u202f%"
    assert span(0.5, 1e-9, 1.0, "points") == "0.0000 to 1.0000"


def test_small_words() -> None:
    assert in_words([4]) == "4"
    assert in_words([4, 8, 24]) == "4, 8 and 24"
    assert count(1234567) == "1\u202f234\u202f567"
    assert minus(-0.0001, 2) == "0.00"
    assert (threshold(0.01, "share"), threshold(1.5, "times")) == ("1\u202f%", "1.5 times")
    assert [decimals(value) for value in (0.0, 12.0, 9.99, 0.01)] == [2, 1, 2, 3]


@pytest.mark.parametrize(
    ("some", "text"),
    [
        ([4], "4"),
        ([4, 6], "4 and 6"),
        ([4, 6, 12, 8], "4 to 12"),
        ([2, 6, 8, 12], "2 and 6 to 12"),
        ([24, 2], "2 and 24"),
    ],
)
def test_lengths(some: list[int], text: str) -> None:
    assert lengths_in_words(some, [2, 4, 6, 8, 12, 24]) == text


@pytest.mark.parametrize(
    ("numbers", "unit", "bounds", "text"),
    [
        ((0.49459, 0.494495, 0.494689), "share", (0.495, 0.505), "49.46 % (49.45 to 49.47 %)"),
        ((0.49529, 0.49522, 0.49537), "share", (0.495, 0.505), "49.53 % (49.52 to 49.54 %)"),
        ((0.491, 0.481, 0.499897), "share", (), "49.1 % (48.10 to 49.99 %)"),
        ((0.491, 0.481, 0.4999997), "share", (0.5,), "49.1 % (48.10000 to 49.99997 %)"),
        ((0.5, 0.5, 0.51), "share", (0.5,), "50.0 % (50.0 to 51.0 %)"),
        ((0.998, 0.99, 0.99996), "share of games", (), "99.8 % (99.000 to 99.996 %)"),
        ((1.2, 1.001, 1.4), "times", (), "1.20 (1.001 to 1.400)"),
        ((0.36, 0.358, 0.360), "of one", (0.5,), "0.36 (0.358 to 0.360)"),
        ((-0.0002, -0.0004, -0.00001), "share of games", (0.0,), "-0.020 % (-0.040 to -0.001 %)"),
    ],
)
def test_as_many_digits_stand_as_decide(
    numbers: tuple[float, float, float], unit: str, bounds: tuple[float, ...], text: str
) -> None:
    told = with_span(*numbers, unit, bounds=bounds)
    assert told.replace("\u202f", " ").replace("\u2212", "-") == text


def test_printed_ends_lie_where_the_ends_do() -> None:
    """Whatever the numbers: on the same side of a bound, and about the number printed."""
    rng = random.Random(3)
    for _ in range(3000):
        bound = round(rng.uniform(0, 1), 3)
        low, mean, high = sorted(bound + rng.choice((-1, 1)) * 10 ** rng.uniform(-8, -1) for _ in range(3))
        ends = span(mean, low, high, "share", bounds=(bound,)).replace("\u2212", "-").split(" to ")
        shown = within(mean, low, high, "share", bounds=(bound,)).replace("\u2212", "-").split("\u202f")[0]
        for value, text in ((low, ends[0]), (high, ends[1])):
            assert (float(text) > float(f"{100 * bound:g}")) == (value > bound)
        assert float(ends[0]) <= float(shown) <= float(ends[1])
