"""Numbers are printed by one rule."""

from __future__ import annotations

import pytest

from simkit.analysis.words import count, decimals, in_words, lengths_in_words, minus, number, span, threshold


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
