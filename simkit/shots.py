"""Shots in toutes tables and backgammon: whether a roll forces a man to be left to a hit, counted out.

Positions are those of `simkit.tables`, in the mover's numbers. A position leaves a *shot* if at least one of the
36 throws has a legal play of the player whose turn it is that hits a man: by one die, by both or by steps of a
double, entering from the bar or not. A throw *forces* a shot if every legal play of it leaves one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from simkit.kernel.tables.entries import list_positions
from simkit.kernel.tables.lower import lower_tables
from simkit.kernel.tables.plays import MAX_PLAYS
from simkit.position import MEN, Position
from simkit.rules import PointMatch, Tables
from simkit.tables import Dice, check, legal_plays, words_of

THROWS = 36


@dataclass(frozen=True)
class Shots:
    """What the rolls of a position do, counted out."""

    forced: int
    """Throws of 36 that force a shot."""
    least: int
    """Throws of 36 times 36 that are followed by a hit, if every throw is played so that the fewest are."""


def rolls() -> Iterator[tuple[Dice, int]]:
    """The 21 rolls, each with its throws of 36."""
    for low, high in combinations_with_replacement(range(1, 7), 2):
        yield (low, high), 1 if low == high else 2


def turned(position: Position) -> Position:
    """The same men in the numbers of the other."""
    return Position(
        tuple(reversed(position.other)),
        tuple(reversed(position.mover)),
        position.off[::-1],
        position.bar[::-1],
    )


def throws_that_hit(game: Tables, position: Position) -> int:
    """Count the throws of 36 by which the mover may hit a man.

    Raises
    ------
    IllegalPosition
        If the men cannot stand so.
    """
    check(position)
    if 1 not in position.other:
        return 0
    rules, words = lower_tables(game, PointMatch()), words_of(position)
    plays = np.empty((3, MAX_PLAYS), np.int64)
    throws = 0
    for dice, ways in rolls():
        count, _ = list_positions(rules, words, *dice, plays)
        throws += ways * bool(plays[2, :count].any())
    return throws


def fewest_hits(game: Tables, position: Position, dice: Dice) -> int:
    """Count the throws of 36 that hit after the legal play of a roll that leaves the fewest; 0: no shot is forced.

    Raises
    ------
    IllegalPosition
        If the men cannot stand so.
    """
    return _fewest(game, legal_plays(game, position, dice))


def _fewest(game: Tables, plays: Iterable[Position]) -> int:
    fewest = THROWS
    for play in sorted(plays, key=lambda play: play.mover.count(1)):  # the safest first
        over = play.off[0] == MEN
        fewest = min(fewest, 0 if over else throws_that_hit(game, turned(play)))
        if not fewest:
            break
    return fewest


def compared(one: Tables, other: Tables, position: Position) -> tuple[Shots, Shots, int]:
    """Count what the 36 throws of the mover leave to the other, by two games.

    Returns
    -------
    tuple
        Of either game, and the throws of 36 of which they allow different plays.

    Raises
    ------
    IllegalPosition
        If the men cannot stand so.
    """
    left: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    differ = 0
    for dice, ways in rolls():
        ours, theirs = (set(legal_plays(game, position, dice)) for game in (one, other))
        hits = _fewest(one, ours)
        left[0].append((ways, hits))
        left[1].append((ways, hits if ours == theirs else _fewest(other, theirs)))
        differ += ways * (ours != theirs)
    return _shots(left[0]), _shots(left[1]), differ


def _shots(left: Sequence[tuple[int, int]]) -> Shots:
    """From the throws of each roll, and how many hit after it at least."""
    return Shots(
        forced=sum(ways for ways, hits in left if hits), least=sum(ways * hits for ways, hits in left)
    )
