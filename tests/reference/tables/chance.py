"""How a player reckons his chance of winning, doubles and takes; what positions are worth to one who evaluates.

Written from what the fields of `simkit.players.Doubling` and `TablesEvaluation` say; weights come by field name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import exp, isqrt

from .board import BAR, HOME, MEN, OFF, Board, Side, facing, pips, turned
from .cube import Cube

Weights = Mapping[str, int]
Replies = Callable[[Board, tuple[int, int]], Iterable[Board]]
"""The boards that a roll can lead to, seen by who throws it."""

BACK = range(19, 25)
"""Distances of the back quarter, arrows 1 to 6; then of the others."""
LOW, HIGH, RETURN = range(13, 19), range(7, 13), range(1, HOME + 1)
QUARTERS = {"back": BACK, "low": LOW, "high": HIGH, "home": RETURN}


def held(men: Side) -> set[int]:
    """Distances at which two men or more stand."""
    return {distance for distance in range(1, BAR) if men[distance] >= 2}


def hitters(other: Side, distance: int) -> list[int]:
    """The steps, from 1 to 6, that bring an adverse man on the spot or from the bar to a man at a distance."""
    target = facing(distance)
    return [die for die in range(1, 7) if target + die <= BAR and other[target + die]]


def lone_men(board: Board) -> list[int]:
    """Distances of the lone men with an adverse man up to six arrows before them, or on the bar so near."""
    own, other = board
    return [distance for distance in range(1, BAR) if own[distance] == 1 and hitters(other, distance)]


def longest_row(places: set[int]) -> int:
    best = 0
    for place in places:
        length = 0
        while place + length in places:
            length += 1
        best = max(best, length)
    return best


def is_race(board: Board) -> bool:
    """Whether the men have passed each other."""
    own, other = board
    farthest = [max(distance for distance in range(1, BAR + 1) if men[distance]) for men in (own, other)]
    return sum(farthest) < facing(0)


def log_odds(weights: Weights, board: Board) -> int:
    """Ten-thousandths of the logarithm of the odds of the side to roll."""
    own, other = board
    both = pips(own) + pips(other)
    lead = 10_000 * (pips(other) - pips(own)) // isqrt(10_000 * both)
    if is_race(board):
        return weights["race_roll"] + weights["race_lead"] * lead

    def less(count: Mapping[int, int]) -> int:
        return count[0] - count[1]

    features = {
        side: {
            "off": men[OFF],
            "bar": -men[BAR],
            "back": -sum(men[distance] for distance in BACK),
            "anchor": len(held(men) & set(BACK)),
            "home": len(held(men) & set(RETURN)),
            "prime": longest_row(held(men)),
            "shut": against[BAR] * len(held(men) & set(RETURN)),
        }
        for side, (men, against) in enumerate((board, turned(board)))
    }
    total = weights["contact_roll"] + weights["contact_lead"] * lead
    for name in features[0]:
        total += weights[f"contact_{name}"] * less({side: features[side][name] for side in (0, 1)})
    total -= weights["contact_lone"] * len(lone_men(board))
    return total + weights["contact_lone_other"] * len(lone_men(turned(board)))


def chances(odds: int) -> float:
    """Chances in 1000 of winning."""
    return 1000 / (1 + exp(-odds / 10_000))


def offers(weights: Weights, board: Board, cube: Cube, needed: tuple[int, int]) -> bool:
    """Whether the side to roll doubles; `needed`, the points it and the other need to win the match."""
    if cube.value >= needed[0]:
        return False
    if cube.value >= needed[1]:
        return True
    least = weights["offer_from"] if cube.owner is None else weights["redouble_from"]
    chance = chances(log_odds(weights, board))
    return chance >= least and (weights["play_on_from"] == 1000 or chance < weights["play_on_from"])


def takes(weights: Weights, board: Board) -> bool:
    """Whether the side that is not to roll takes a double."""
    return chances(-log_odds(weights, board)) >= weights["take_from"]


# ---------------------------------------------------------------- what positions are worth


def worth(weights: Weights, board: Board) -> int:
    """What a position is worth to who played: his side's features less the other's, less his risk."""
    own, other = board
    if own[OFF] == MEN:
        raise AssertionError("the game is won")
    shut = weights["shut_out"] * other[BAR] * len(held(own) & set(RETURN))
    return side_worth(weights, own) - side_worth(weights, other) - risk(weights, board) + shut


def side_worth(weights: Weights, men: Side) -> int:
    """By where the men of one side stand and how far they have to go."""
    twos = held(men)
    total = weights["off"] * men[OFF] - weights["pip"] * pips(men) - weights["bar"] * men[BAR]
    total -= weights["back"] * sum(men[distance] for distance in BACK)
    total += sum(weights[f"made_{name}"] * len(twos & set(places)) for name, places in QUARTERS.items())
    total += weights["two_together"] * rows(twos, 2)
    return total + weights["three_together"] * rows(twos, 3)


def rows(places: set[int], length: int) -> int:
    """How often so many adjoining places are all there."""
    return sum(all(place + step in places for step in range(length)) for place in places)


def risk(weights: Weights, board: Board) -> int:
    """What the lone men that can be reached risk, by quarter and by each die that hits."""
    total = 0
    for distance in lone_men(board):
        quarter = next(name for name, places in QUARTERS.items() if distance in places)
        total += weights[f"exposed_{quarter}"] + weights["shot"] * len(hitters(board.other, distance))
    return total


def looked_ahead(weights: Weights, boards: Sequence[Board], candidates: int, replies: Replies) -> int:
    """The place of the play to take by one who compares the plays worth most once the other has answered.

    Of each roll the other takes the play worth most to him; all 36 count alike.
    """
    values = [worth(weights, board) for board in boards]
    ranked = sorted(range(len(boards)), key=lambda place: -values[place])

    def after(place: int) -> int:
        rolls = product(range(1, 7), repeat=2)
        return -sum(
            max(worth(weights, reply) for reply in replies(turned(boards[place]), roll)) for roll in rolls
        )

    return max(ranked[:candidates], key=after)


def best(values: Iterable[int]) -> int:
    """The first place of the greatest."""
    listed = list(values)
    return listed.index(max(listed))
