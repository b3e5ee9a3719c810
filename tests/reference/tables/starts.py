"""The 225 starts (III.2), in absolute points: Black goes from 1 to 24, White from 24 to 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import NamedTuple

from .board import Board, Side, pips, side


class Start(NamedTuple):
    """Lower and higher die of the first throw with different dice, and of the second."""

    a: int
    b: int
    c: int
    d: int


STANDARD = Start(1, 6, 1, 5)


def draw(throws: Iterable[tuple[int, int]]) -> Start:
    """Take the first two throws with different dice, in the order thrown."""
    simple = iter(sorted(throw) for throw in throws if throw[0] != throw[1])
    return Start(*next(simple), *next(simple))


def all_starts() -> Iterator[Start]:
    pairs = list(combinations(range(1, 7), 2))
    for (a, b), (c, d) in product(pairs, pairs):
        yield Start(a, b, c, d)


def points(start: Start) -> tuple[dict[int, int], dict[int, int]]:
    """The men of Black and of White, {absolute point: men}.

    First throw, points 1 to 6: two Black on the lower number, five White on the higher. Second throw, points 12 to
    7, where 1 is point 12: five Black on the lower, three White on the higher. The other half is the mirror with
    the colours exchanged.
    """
    black = {start.a: 2, 13 - start.c: 5}
    white = {start.b: 5, 13 - start.d: 3}
    mirror_of_black = {25 - point: men for point, men in black.items()}
    mirror_of_white = {25 - point: men for point, men in white.items()}
    return black | mirror_of_white, white | mirror_of_black


def black_side(men: dict[int, int]) -> Side:
    return side({25 - point: count for point, count in men.items()})


def white_side(men: dict[int, int]) -> Side:
    return side(dict(men))


def board_of(start: Start) -> Board:
    """The start, Black to roll; White's men stand alike."""
    black, white = points(start)
    return Board(black_side(black), white_side(white))


def pips_of(start: Start) -> int:
    return pips(board_of(start).own)
