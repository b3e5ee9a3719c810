"""The 225 starts: what is known of them, counted with the twin."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from statistics import mean, median

import pytest

from .board import problems, turned
from .match import start_numbers
from .plays import all_ways, lawful, legal_plays
from .shots import entering_rolls, hitting_rolls
from .starts import STANDARD, Start, all_starts, board_of, draw, pips_of, points

STARTS = tuple(all_starts())
SIMPLE = tuple(combinations(range(1, 7), 2))


def test_there_are_225_and_no_two_are_alike() -> None:
    assert len(STARTS) == len({board_of(start) for start in STARTS}) == 15 * 15
    assert list(STARTS) == sorted(STARTS)


def test_no_start_favours_a_colour() -> None:
    for start in STARTS:
        board = board_of(start)
        assert turned(board) == board, start
        assert not problems(board), start
        assert sorted(count for count in board.own if count) == [2, 3, 5, 5], start
        black, white = points(start)
        assert {25 - point: men for point, men in black.items()} == white, start
        assert not set(black) & set(white), start


def test_pips() -> None:
    each = {start: pips_of(start) for start in STARTS}
    assert all(each[start] == 149 - 2 * start.a + 5 * start.b + 5 * start.c - 3 * start.d for start in STARTS)
    assert min(each.values()) == each[Start(1, 2, 1, 6)] == 144
    assert max(each.values()) == each[Start(1, 6, 5, 6)] == 184
    assert median(each.values()) == 165
    assert round(mean(each.values()), 2) == 165.33
    assert each[STANDARD] == 167


def test_the_standard_start_is_that_of_backgammon() -> None:
    black, white = points(STANDARD)
    assert black == {1: 2, 12: 5, 17: 3, 19: 5}
    assert white == {24: 2, 13: 5, 8: 3, 6: 5}
    assert [start for start in STARTS if board_of(start) == board_of(STANDARD)] == [STANDARD]


def test_equal_dice_are_thrown_again() -> None:
    assert draw([(4, 4), (5, 2), (3, 3), (1, 1), (6, 1)]) == (2, 5, 1, 6)


def test_plays_of_a_first_roll() -> None:
    counts = {start: mean(len(legal_plays(board_of(start), dice)) for dice in SIMPLE) for start in STARTS}
    assert min(counts.values()) == counts[Start(1, 2, 1, 6)] == 7
    assert max(counts.values()) == counts[Start(1, 6, 4, 5)] == pytest.approx(13.9, abs=0.05)
    assert counts[STANDARD] == pytest.approx(12.7, abs=0.05)
    assert mean(counts.values()) == pytest.approx(10.4, abs=0.05)


def test_first_rolls_that_cannot_be_played_in_full() -> None:
    one_number, nothing = set(), set()
    for start in STARTS:
        for dice in combinations_with_replacement(range(1, 7), 2):
            ways = lawful(all_ways(board_of(start), dice), "max_points")
            played = {len(way.steps) for way in ways}
            if played == {0}:
                nothing.add((start, dice))
            elif dice[0] != dice[1] and played != {2}:
                assert {step.number for way in ways for step in way.steps} == {6}
                one_number.add((start, dice))
    assert one_number == {((4, 5, 3, 4), (5, 6))}
    assert {dice for _, dice in nothing} == {(5, 5)}
    assert {start for start, _ in nothing} == {
        (2, 3, 3, 6),
        (2, 4, 3, 6),
        (2, 5, 3, 6),
        (3, 4, 3, 5),
        (3, 5, 3, 5),
        (4, 5, 3, 4),
    }


def test_shots() -> None:
    """Section 9: a lone man with nothing in the way; a double four times, and twice as in trictrac."""
    assert [hitting_rolls(d) for d in range(1, 13)] == [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]
    assert [hitting_rolls(d, 2) for d in range(1, 13)] == [11, 12, 13, 14, 15, 16, 6, 5, 4, 3, 2, 1]
    assert {d: hitting_rolls(d) for d in range(13, 24) if hitting_rolls(d)} == {15: 1, 16: 1, 18: 1, 20: 1}


def test_entering() -> None:
    assert [entering_rolls(open_points) for open_points in range(7)] == [0, 11, 20, 27, 32, 35, 36]


def test_each_start_serves_its_games() -> None:
    assert start_numbers(5, 2) == [0, 0, 1, 1, 2]
    assert start_numbers(3, 1) == [0, 1, 2]
