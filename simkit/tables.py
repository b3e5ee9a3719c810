"""Toutes tables and backgammon by hand: the 225 starts, positions checked, the legal plays of a roll.

Positions are those of `simkit.position`, in the mover's numbers: he travels from arrow 1 to arrow 24 and stands
25 minus the arrow from the edge; `bar:n` are men on the bar.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

import numpy as np

from simkit.errors import IllegalPosition, UsageError
from simkit.kernel.tables.entries import list_positions, win_points
from simkit.kernel.tables.lower import lower_tables
from simkit.kernel.tables.plays import MAX_PLAYS
from simkit.position import ARROWS, MEN, Position, pack, parse, unpack, write
from simkit.rules import PointMatch, Tables, start_fault

TABLES = Tables()
Dice = tuple[int, int]
Start = tuple[int, int, int, int]


def start(a: int, b: int, c: int, d: int) -> Position:
    """Place the men by the dice of a start, alike for both players (S4).

    Two men of a side on its arrow a, three on 12 + d, five on 13 - c and five on 25 - b.

    Raises
    ------
    UsageError
        If these are not dice a < b and c < d from 1 to 6.
    """
    if problem := start_fault((a, b, c, d)):
        raise UsageError(problem)
    counts = [0] * ARROWS
    for arrow, men in ((a, 2), (13 - c, 5), (12 + d, 3), (25 - b, 5)):
        counts[arrow - 1] = men
    return Position(tuple(counts), tuple(reversed(counts)))


def all_starts() -> tuple[Start, ...]:
    """Return the dice of all 225 starts, by (a, b) and then (c, d)."""
    pairs = tuple(combinations(range(1, 7), 2))
    return tuple((*near, *far) for near, far in product(pairs, pairs))


def start_of_rolls(rolls: Iterable[Dice]) -> Start:
    """Return the dice of the start that rolls place: the first two of different dice, in the order thrown (S4).

    Raises
    ------
    UsageError
        If fewer than two of them have different dice.
    """
    placing = [(min(dice), max(dice)) for dice in rolls if dice[0] != dice[1]]
    if len(placing) < 2:
        raise UsageError("a start is placed by two rolls of different dice (toutes tables 225, source 004)")
    return (*placing[0], *placing[1])


def pips(position: Position) -> tuple[int, int]:
    """Points that the mover and the other still have to go: 25 from the bar, one from the last arrow."""
    sides = (position.mover, tuple(reversed(position.other)))
    mover, other = (
        25 * bar + sum((ARROWS - place) * men for place, men in enumerate(counts))
        for counts, bar in zip(sides, position.bar, strict=True)
    )
    return mover, other


def read(text: str) -> Position:
    """Read a position from its notation; the men must be able to stand so before a roll.

    Raises
    ------
    IllegalPosition
        If the text is no position, or the men cannot stand so.
    """
    position = parse(text)
    check(position)
    return position


def check(position: Position) -> None:
    """Refuse men that cannot stand so before a roll; raises IllegalPosition with the reason and the position."""
    for problem in _faults(position):
        raise IllegalPosition(f"{problem} [{write(position)}]")


def _faults(position: Position) -> Iterator[str]:
    sides = (("the mover", position.mover), ("the other", position.other))
    for (name, counts), off, bar in zip(sides, position.off, position.bar, strict=True):
        if len(counts) != ARROWS or min(*counts, off, bar) < 0:
            yield f"{name} needs 24 counts of men, none below zero"
            return
        men = sum(counts) + off + bar
        if men != MEN:
            yield f"{name} has {men} men; each side has fifteen, on the board, on the bar or borne off"
        if off == MEN:
            yield f"{name} has borne off all his men; the game is over"
    for place, (mine, his) in enumerate(zip(position.mover, position.other, strict=True)):
        if mine and his:
            yield f"both sides stand on {place + 1}; an arrow holds men of one side only"
    homes = (position.mover[18:], position.other[:6])
    if all(position.bar) and all(min(home) >= 2 for home in homes):
        yield "both sides are on the bar before six closed points; nobody could ever move"


def words_of(position: Position) -> Any:
    """Return the words of both boards, int64 (4,): the mover's, and the other's in his own numbers."""
    mover = pack((*position.mover, position.bar[0]))
    return np.array([*mover, *pack((*reversed(position.other), position.bar[1]))], np.int64)


def legal_plays(game: Tables, position: Position, dice: Dice) -> tuple[Position, ...]:
    """Return every distinct position that the mover may reach by a roll, still in his numbers.

    Where no die can be played that is the position itself.

    Raises
    ------
    IllegalPosition
        If the men cannot stand so.
    UsageError
        If the dice are none.
    """
    check(position)
    if not all(type(die) is int and 1 <= die <= 6 for die in dice) or len(dice) != 2:
        raise UsageError(f"dice {dice!r}: two numbers from 1 to 6 are a roll")
    plays = np.empty((3, MAX_PLAYS), np.int64)
    count, _ = list_positions(lower_tables(game, PointMatch()), words_of(position), *dice, plays)
    return tuple(after(position, *(int(word) for word in row)) for row in plays[:, :count].T)


def after(position: Position, low: int, high: int, hit: int) -> Position:
    """Return the position after a play of the kernel: the mover's words, and the mask of the men hit."""
    *mover, bar = unpack(low, high, ARROWS + 1)
    other = tuple(0 if hit >> place & 1 else men for place, men in enumerate(position.other))
    return Position(
        tuple(mover),
        other,
        (MEN - sum(mover) - bar, position.off[1]),
        (bar, position.bar[1] + hit.bit_count()),
    )


def points_of_win(match: PointMatch, position: Position) -> int:
    """Points of a game that the mover has won while the other's men stand so: 1, 2 or 3."""
    points, _ = win_points(lower_tables(TABLES, match), *pack((*reversed(position.other), position.bar[1])))
    return int(points)
