"""Chances to hit and to enter (III.8), counted roll by roll with the plays themselves."""

from __future__ import annotations

from itertools import product

from .board import BAR, Board, facing, side
from .plays import all_ways

ROLLS = tuple(product(range(1, 7), repeat=2))


def shot_board(distance: int) -> Board:
    """One man at 24 and fourteen borne off; a lone adverse man so many points before him, nothing between."""
    return Board(side({24: 1}), side({facing(24 - distance): 1}))


def hitting_rolls(distance: int, doubles_played: int = 4) -> int:
    """Rolls out of 36 with which some way of playing hits the man."""
    board = shot_board(distance)
    return sum(any(way.board.other[BAR] for way in all_ways(board, dice, doubles_played)) for dice in ROLLS)


def entering_rolls(open_points: int) -> int:
    """Rolls out of 36 that bring in at least one man, before so many open points and others held by two."""
    closed = dict.fromkeys(range(1, 7 - open_points), 2)
    board = Board(side({BAR: 1}), side(closed))
    return sum(any(way.steps for way in all_ways(board, dice)) for dice in ROLLS)
