"""The doubling cube by the modern rules: who may double, whose the cube is, when it rests (III.9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Cube(NamedTuple):
    """What it shows, and which player owns it; None while it lies between them."""

    value: int = 1
    owner: int | None = None


def may_double(cube: Cube, player: int, limit: int, rolls_played: int, *, rests: bool) -> bool:
    """Whether a player about to throw may double: not before the first roll of a game, nor beyond the limit."""
    if rests or rolls_played == 0:
        return False
    return cube.owner in (None, player) and 2 * cube.value <= limit


def taken(cube: Cube, by: int) -> Cube:
    """The cube after a double that was taken: twice as much, and his who took."""
    return Cube(2 * cube.value, by)


def crawford_games(scores: Sequence[tuple[int, int]], match_points: int, *, past: bool = False) -> list[bool]:
    """Which games of a match are the one in which the cube rests, by the scores before them, unless it is past."""
    if past:
        return [False for _ in scores]
    one_to_go = [match_points - 1 in score and max(score) == match_points - 1 for score in scores]
    return [here and not any(one_to_go[:game]) for game, here in enumerate(one_to_go)]
