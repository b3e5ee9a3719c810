"""Whether moves can be made when only some of the laws of III.4 and III.5 are in force, by trying everything.

Every number is given to every man, in every order. Places are distances, as in `board`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple

from .board import BAR, HOME, OFF, Board, facing
from .plays import moved

ALL = tuple(range(BAR + 1))


class Laws(NamedTuple):
    """The laws in force; of the last three the places where they are."""

    bar_first: bool = False
    all_home: bool = False
    men: Collection[int] = ()
    """A man stands where one sets out from."""
    closed: Collection[int] = ()
    """Nobody lands where two of the other's stand."""
    farthest: Collection[int] = ()
    """A larger number takes off only the farthest man."""


EVERY = Laws(True, True, ALL, ALL, ALL)


def numbers_of(dice: tuple[int, int], doubles_played: int) -> tuple[int, ...]:
    return dice if dice[0] != dice[1] else (dice[0],) * doubles_played


def forbids(laws: Laws, board: Board, start: int, number: int) -> bool:
    """Whether a law in force forbids one step of a man who is there."""
    own, other = board
    end = start - number
    if laws.bar_first and own[BAR] and start != BAR:
        return True
    if end > OFF:
        return end in laws.closed and other[facing(end)] >= 2
    if laws.all_home and sum(own[HOME + 1 :]):
        return True
    return start in laws.farthest and end < OFF and sum(own[start + 1 :]) > 0


def tries(numbers: tuple[int, ...], things: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every sequence of (number, which thing it is given to), of every length."""
    for length in range(len(numbers) + 1):
        for order in sorted(set(permutations(numbers, length))):
            for taken in product(range(things), repeat=length):
                yield tuple(zip(order, taken, strict=True))


def can_be_made(laws: Laws, board: Board, numbers: tuple[int, ...], chains: Sequence[Sequence[int]]) -> bool:
    """Whether men go these ways, from each chain's first distance to its last by all between, in some order."""
    return any(_made(laws, board, chains, one) for one in tries(numbers, len(chains)))


def _made(
    laws: Laws, board: Board, chains: Sequence[Sequence[int]], trial: tuple[tuple[int, int], ...]
) -> bool:
    at, due = [chain[0] for chain in chains], [list(chain[1:]) for chain in chains]
    missing = [False] * len(chains)
    for number, man in trial:
        start, end = at[man], max(at[man] - number, OFF)
        if not due[man] or end < due[man][0]:
            return False
        if not missing[man] and not board.own[start]:
            if start in laws.men:
                return False
            missing[man] = True
        if forbids(laws, board, start, number):
            return False
        if not missing[man]:
            board = moved(board, start, number)
        at[man] = end
        if end == due[man][0]:
            due[man].pop(0)
    return not any(due)


def can_come_to(laws: Laws, board: Board, numbers: tuple[int, ...], after: Board) -> bool:
    """Whether some steps lead from one board to the other."""
    layers = {board}
    found = board == after
    for order in {numbers, numbers[::-1]}:
        layers = {board}
        for number in order:
            layers = {
                moved(one, start, number)
                for one in layers
                for start in range(1, BAR + 1)
                if one.own[start] and not forbids(laws, one, start, number)
            }
            found = found or after in layers
    return found
