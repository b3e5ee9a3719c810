"""Where the men of two sides stand, each by its own distance to go (III.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

BAR, OFF, HOME = 25, 0, 6
MEN = 15

Side = tuple[int, ...]
"""26 counts: index 0 the men off, 1 to 24 the points by distance, 25 the bar."""


class Board(NamedTuple):
    """The men of the player to roll and of the other, each by his own distance."""

    own: Side
    other: Side


def side(men: Mapping[int, int]) -> Side:
    """Write {distance: men} as 26 counts; who is not named is off."""
    on_board = sum(count for distance, count in men.items() if distance != OFF)
    return (MEN - on_board, *(men.get(distance, 0) for distance in range(1, BAR + 1)))


def facing(distance: int) -> int:
    """The other side's distance of the same point."""
    return 25 - distance


def turned(board: Board) -> Board:
    """The same board for the other player."""
    return Board(board.other, board.own)


def pips(men: Side) -> int:
    return sum(distance * count for distance, count in enumerate(men))


def all_home(men: Side) -> bool:
    """Whether nobody is outside the return jan; men off are no hindrance."""
    return sum(men[HOME + 1 :]) == 0


def problems(board: Board) -> list[str]:
    """What is wrong with a board before a roll."""
    found = []
    for name, men in zip(("own", "other"), board, strict=True):
        if sum(men) != MEN or min(men) < 0:
            found.append(f"{name}: {sum(men)} men")
        if men[OFF] == MEN:
            found.append(f"{name}: the game is over")
    shared = [d for d in range(1, 25) if board.own[d] and board.other[facing(d)]]
    return [*found, *(f"both on {distance}" for distance in shared)]
