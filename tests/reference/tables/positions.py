"""Boards and rolls for comparing the kernel with the twin: reached in play, and contrived."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .board import BAR, HOME, MEN, OFF, Board, facing, problems, side, turned
from .plays import legal_plays
from .starts import STANDARD, all_starts, board_of


class Case(NamedTuple):
    """A board, the mover's roll, and the family the board is of."""

    board: Board
    dice: tuple[int, int]
    family: str


MOVE_RULES = ("max_points", "max_dice")


def positions(kind: str, count: int, seed: int) -> Iterator[Case]:
    """Yield `count` cases, `played` or `contrived`; the same for the same seed."""
    rng = random.Random(seed)
    source = played(rng) if kind == "played" else contrived(rng)
    return (case for case, _ in zip(source, range(count), strict=False))


def throw(rng: random.Random) -> tuple[int, int]:
    return rng.randint(1, 6), rng.randint(1, 6)


def played(rng: random.Random) -> Iterator[Case]:
    """Random games from random starts, a fifth of them from the standard one; move rules take turns."""
    starts = list(all_starts())
    while True:
        start = STANDARD if rng.random() < 0.2 else rng.choice(starts)
        board, rule = board_of(start), rng.choice(MOVE_RULES)
        while board.other[OFF] < MEN:  # turned: who has just played
            dice = throw(rng)
            yield Case(board, dice, "played")
            board = turned(rng.choice(sorted(legal_plays(board, dice, rule))))


# contrived boards: how a family spreads two sides; whatever comes out wrong is drawn again


def spread(rng: random.Random, men: int, places: list[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for _ in range(men):
        place = rng.choice(places)
        found[place] = found.get(place, 0) + 1
    return found


def some(rng: random.Random, places: range) -> list[int]:
    return rng.sample(list(places), rng.randint(1, min(6, len(places))))


def bearing_off_alone(rng: random.Random) -> Board:
    """All home, nobody in the way."""
    men = rng.choice((1, 2, 3, 4, 6, 9, 12, 15))
    own = spread(rng, men, some(rng, range(1, HOME + 1)))
    return Board(side(own), side(spread(rng, rng.randint(1, MEN), some(rng, range(1, 19)))))


def bearing_off_with_contact(rng: random.Random) -> Board:
    """All home, and the other still holds points there or waits on the bar."""
    men = rng.randint(1, MEN)
    other = spread(rng, rng.randint(1, 4), some(rng, range(19, BAR + 1)))
    free = [place for place in range(1, HOME + 1) if not other.get(facing(place))]
    if not free:
        return bearing_off_alone(rng)
    own = spread(rng, men, free)
    rest = spread(rng, rng.randint(0, MEN - sum(other.values())), some(rng, range(1, 19)))
    return Board(side(own), side({place: other.get(place, 0) + rest.get(place, 0) for place in other | rest}))


def one_man_outside(rng: random.Random) -> Board:
    """A single man keeps the others from bearing off; the roll may bring him in."""
    board = rng.choice((bearing_off_alone, bearing_off_with_contact))(rng)
    own = list(board.own)
    here = rng.choice([place for place in range(1, HOME + 1) if own[place]])
    there = rng.choice([*range(HOME + 1, 13), BAR])
    if there != BAR and board.other[facing(there)]:
        return board
    own[here] -= 1
    own[there] += 1
    return Board(tuple(own), board.other)


def on_the_bar(rng: random.Random) -> Board:
    """One to five of the mover's men on the bar before points of the other's."""
    waiting = rng.choice((1, 1, 1, 2, 2, 3, 4, 5))
    blocks = rng.sample(range(1, HOME + 1), rng.randint(0, HOME))
    other = {place: rng.choice((1, 2, 2, 2, 3)) for place in blocks}
    return scattered_around(rng, {BAR: waiting}, other)


def both_on_the_bar(rng: random.Random) -> Board:
    return scattered_around(rng, {BAR: rng.randint(1, 3)}, {BAR: rng.randint(1, 3)})


def primes(rng: random.Random) -> Board:
    """The other has a wall of four to six points somewhere; the mover has men behind it."""
    length = rng.randint(4, 6)
    first = rng.randint(1, 25 - length)
    other = {facing(place): 2 for place in range(first, first + length)}
    behind = list(range(first + length, BAR + 1))
    return scattered_around(rng, spread(rng, rng.randint(1, 5), behind), other)


def scattered_around(rng: random.Random, own: dict[int, int], other: dict[int, int]) -> Board:
    """Fill both sides up with men anywhere; a few may be off where all others are home or on the bar."""
    own, other = dict(own), dict(other)
    places = list(range(1, 25))
    rng.shuffle(places)
    cut = rng.randint(4, 20)
    for men, mine in ((own, True), (other, False)):
        free = [
            place if mine else facing(place)
            for place in (places[:cut] if mine else places[cut:])
            if not (other if mine else own).get(facing(place) if mine else place)
        ]
        while sum(men.values()) < MEN and free and rng.random() < 0.98:
            place = rng.choice(free)
            men[place] = men.get(place, 0) + 1
    return Board(side(own), side(other))


def anywhere(rng: random.Random) -> Board:
    return scattered_around(rng, {}, {})


def lone_men(rng: random.Random) -> Board:
    """Many single men on both sides."""
    places = list(range(1, 25))
    rng.shuffle(places)
    mine = rng.randint(5, 12)
    own = dict.fromkeys(places[:mine], 1)
    other = dict.fromkeys(map(facing, places[mine:]), 1)
    own[places[0]] += MEN - sum(own.values())
    other[facing(places[-1])] += MEN - sum(other.values())
    return Board(side(own), side(other))


FAMILIES: tuple[Callable[[random.Random], Board], ...] = (
    bearing_off_alone,
    bearing_off_with_contact,
    one_man_outside,
    on_the_bar,
    both_on_the_bar,
    primes,
    anywhere,
    lone_men,
)


def contrived(rng: random.Random) -> Iterator[Case]:
    """Every family in turn."""
    while True:
        for family in FAMILIES:
            board = family(rng)
            if not problems(board):
                yield Case(board, throw(rng), family.__name__)
