"""Named positions, and in how many distinct ways each of the 21 rolls can be played from them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement

from .board import BAR, Board, side
from .starts import STANDARD, Start, board_of

ROLLS = tuple((high, low) for low, high in combinations_with_replacement(range(1, 7), 2))
"""1-1, 2-1 to 6-1, 2-2, 3-2 and so on to 6-6: the order of the numbers below."""

NAMED: Mapping[str, Board] = {
    "the standard start": board_of(STANDARD),
    "the start with the fewest plays": board_of(Start(1, 2, 1, 6)),
    "the start with the most plays": board_of(Start(1, 6, 4, 5)),
    "a start where 5-5 is lost": board_of(Start(2, 3, 3, 6)),
    "a start where of 6-5 the six is played": board_of(Start(4, 5, 3, 4)),
    "two on the bar, three points closed": Board(
        side({BAR: 2, 24: 1, 13: 4, 8: 3, 6: 5}), side({6: 3, 5: 2, 3: 2, 8: 3, 13: 3, 24: 2})
    ),
    "one on the bar, lone men at home": Board(
        side({BAR: 1, 23: 1, 13: 5, 8: 3, 6: 5}), side({6: 4, 4: 1, 3: 1, 1: 1, 8: 3, 13: 4, 24: 1})
    ),
    "on the bar, one point open": Board(
        side({BAR: 1, 7: 4, 6: 4, 5: 3, 4: 3}), side({1: 2, 2: 3, 3: 2, 5: 3, 6: 3, 23: 1, 24: 1})
    ),
    "on the bar, all closed": Board(
        side({BAR: 1, 6: 6, 5: 4, 4: 4}), side({1: 2, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3})
    ),
    "behind a wall of six": Board(
        side({24: 2, 23: 1, 6: 5, 5: 4, 4: 3}), side({4: 2, 5: 3, 6: 3, 7: 2, 8: 3, 9: 2})
    ),
    "two points held in the adverse home": Board(
        side({24: 2, 22: 3, 13: 2, 6: 4, 5: 2, 4: 2}), side({6: 3, 5: 2, 4: 3, 8: 3, 7: 2, 13: 2})
    ),
    "a race": Board(
        side({12: 2, 10: 1, 9: 1, 7: 2, 6: 3, 5: 2, 4: 2, 3: 2}), side({10: 2, 8: 3, 6: 5, 5: 5})
    ),
    "the last man comes home": Board(side({8: 1, 6: 3, 5: 2, 4: 2, 2: 1}), side({12: 3, 6: 3, 3: 2})),
    "fifteen men to bear off": Board(
        side({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}), side({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2})
    ),
    "the adverse pair on the ace": Board(
        side({6: 3, 5: 3, 4: 2, 3: 2, 2: 2}), side({24: 2, 13: 2, 8: 3, 6: 4, 5: 4})
    ),
    "a blocked man is farthest": Board(
        side({6: 1, 5: 2, 4: 2, 2: 3}), side({22: 2, 24: 2, 6: 5, 5: 4, 4: 2})
    ),
    "source 004, 3 2 2 against a man on 1": Board(side({3: 1, 2: 2}), side({24: 1, 6: 7, 5: 7})),
    "two men left": Board(side({6: 1, 1: 1}), side({6: 1})),
}

# fmt: off
COUNTS: Mapping[str, tuple[str, str]] = {
    "the standard start": (
        "42 15 16 14 8 10 75 17 18 8 14 73 17 9 14 52 9 14 4 7 11",
        "42 15 16 14 8 10 75 17 18 8 14 73 17 9 14 52 9 14 4 7 11",
    ),
    "the start with the fewest plays": (
        "4 6 6 6 4 1 37 12 10 11 4 18 11 11 4 25 11 4 29 4 1",
        "4 6 6 6 4 1 37 12 10 11 4 18 11 11 4 25 11 4 29 4 1",
    ),
    "the start with the most plays": (
        "94 19 20 18 11 12 75 17 18 8 14 75 16 10 14 52 10 14 8 8 28",
        "94 19 20 18 11 12 75 17 18 8 14 75 16 10 14 52 10 14 8 8 28",
    ),
    "a start where 5-5 is lost": (
        "19 11 9 6 2 8 75 12 14 2 14 42 11 2 11 25 2 11 1 2 28",
        "19 11 9 6 2 8 75 12 14 2 14 42 11 2 11 25 2 11 1 2 28",
    ),
    "a start where of 6-5 the six is played": (
        "19 12 12 8 2 7 87 16 18 3 13 65 18 3 12 60 2 12 1 3 11",
        "19 12 12 8 2 7 87 16 18 3 13 65 18 3 12 60 2 12 1 3 11",
    ),
    "two on the bar, three points closed": (
        "8 1 1 1 1 1 12 1 1 1 1 1 1 1 1 7 1 1 1 1 1",
        "8 1 1 1 1 1 12 1 1 1 1 1 1 1 1 7 1 1 1 1 1",
    ),
    "one on the bar, lone men at home": (
        "26 8 9 8 7 3 28 9 7 8 2 25 9 8 3 14 9 3 34 3 1",
        "26 8 9 8 7 3 28 9 7 8 2 25 9 8 3 14 9 3 34 3 1",
    ),
    "on the bar, one point open": (
        "1 1 1 4 1 1 1 1 4 1 1 1 5 1 1 20 3 2 1 1 1",
        "1 1 1 4 1 1 1 1 4 1 1 1 5 1 1 20 3 2 1 1 1",
    ),
    "on the bar, all closed": (
        "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
    ),
    "behind a wall of six": (
        "73 20 15 10 5 5 41 12 8 4 4 14 6 3 3 5 2 2 1 1 1",
        "73 20 15 10 5 5 41 12 8 4 4 14 6 3 3 5 2 2 1 1 1",
    ),
    "two points held in the adverse home": (
        "50 21 17 13 9 10 88 21 16 11 12 37 13 9 10 15 7 7 6 6 12",
        "50 21 17 13 9 10 88 21 16 11 12 37 13 9 10 15 7 7 6 6 12",
    ),
    "a race": (
        "327 59 51 45 37 29 257 50 44 36 28 134 38 30 24 86 27 22 31 17 8",
        "327 59 51 45 37 29 257 50 44 36 28 134 38 30 24 86 27 22 31 17 8",
    ),
    "the last man comes home": (
        "57 18 18 13 10 4 34 15 12 9 4 20 11 8 4 11 7 4 3 3 1",
        "57 18 18 13 10 4 34 15 12 9 4 20 11 8 4 11 7 4 3 3 1",
    ),
    "fifteen men to bear off": (
        "108 26 21 16 11 6 59 18 14 10 5 29 12 8 4 12 6 3 3 2 1",
        "108 26 21 16 11 6 59 18 14 10 5 29 12 8 4 12 6 3 3 2 1",
    ),
    "the adverse pair on the ace": (
        "27 14 11 8 4 4 27 11 7 4 4 11 6 3 3 2 2 2 1 1 1",
        "27 14 11 8 4 4 27 11 7 4 4 11 6 3 3 2 2 2 1 1 1",
    ),
    "a blocked man is farthest": (
        "1 5 2 3 2 1 6 3 4 3 2 1 2 1 1 1 2 1 1 1 1",
        "1 5 2 3 2 2 6 3 4 3 3 1 2 1 1 1 2 2 1 1 1",
    ),
    "source 004, 3 2 2 against a man on 1": (
        "3 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "3 4 2 2 2 2 1 2 2 2 2 1 1 1 1 1 1 1 1 1 1",
    ),
    "two men left": (
        "2 2 2 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "2 2 2 2 1 2 1 1 1 1 2 1 1 1 2 1 1 2 1 2 1",
    ),
}
"""By `max_points`, then by `max_dice`."""
# fmt: on
