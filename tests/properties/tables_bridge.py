"""From the twin's boards of toutes tables to the positions of simkit, and back."""

from __future__ import annotations

from reference.tables.board import BAR, OFF, Board

from simkit.position import Position


def position_of(board: Board) -> Position:
    """The mover's arrow is 25 less his distance; the other's distance is the arrow he stands on."""
    own, other = board
    return Position(
        tuple(own[25 - arrow] for arrow in range(1, 25)),
        tuple(other[1:25]),
        (own[OFF], other[OFF]),
        (own[BAR], other[BAR]),
    )


def board_of_position(position: Position) -> Board:
    own = (position.off[0], *reversed(position.mover), position.bar[0])
    return Board(own, (position.off[1], *position.other, position.bar[1]))
