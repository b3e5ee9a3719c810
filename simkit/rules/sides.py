"""Who plays with whom, in words: the players of a table by their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from simkit.rules.combine import Combine, table_of
from simkit.rules.pools import PoolDrain, PoolFill
from simkit.rules.ruleset import Match
from simkit.rules.written import SEATS, Written


def sides_of(match: Match) -> tuple[tuple[int, ...], ...]:
    """Number the players from 1, side by side; in a pool and à tourner each is a side of his own."""
    sizes = SEATS[table_of(match)] if isinstance(match, Written | Combine) else (1,) * match.players
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    return tuple(tuple(range(end - size + 1, end + 1)) for size, end in zip(sizes, ends, strict=True))


def side_words(match: Match, names: Sequence[str]) -> tuple[str, ...]:
    """Name the players of each side, of more than two with their numbers: ``1 prudent + 2 greedy``."""
    if match.players == 2:
        return tuple(names)
    return tuple(" + ".join(f"{one} {names[one - 1]}" for one in side) for side in sides_of(match))


def seated_words(match: Match, names: Sequence[str]) -> str:
    """Say who plays against whom: ``1 prudent + 2 greedy against 3 prudent + 4 random``."""
    sides = side_words(match, names)
    if len(sides) == 2:
        return " against ".join(sides)
    return (
        f"{', '.join(sides)}, {'in line' if isinstance(match, PoolFill | PoolDrain) else 'each for himself'}"
    )
