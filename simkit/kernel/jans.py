"""Filling and conserving a quarter (rules.md 3.2, M16, M17)."""

from __future__ import annotations

from typing import Any

from simkit.kernel.board import BOARD, COIN, RETOUR, made, moved, occupied, with_spare
from simkit.kernel.compiled import kernel
from simkit.kernel.plays import is_listed, rests


@kernel
def is_completed(low: int, high: int, die: int, quarter: int, plays: Any, count: int) -> bool:
    """Tell whether a play in the list goes on from a filled quarter with `die`, if at all, and leaves it full."""
    if is_listed(low, high, plays, count):
        return True  # the other die cannot be played
    men = occupied(low, high)
    while men:
        start = men & -men
        men ^= start
        end_low, end_high = moved(low, high, start, start << die & BOARD)
        if not quarter & ~made(end_low, end_high) and is_listed(end_low, end_high, plays, count):
            return True
    return False


@kernel
def ways_to_fill(
    rules: Any, low: int, high: int, die_1: int, die_2: int, quarter: int, plays: Any, count: int
) -> int:
    """Count the ways to fill a quarter that lacks one man, given the plays that leave it full (one at least).

    Directly by either die, and by one man with both dice, each with a man to spare. Malfilâtre 2013, XIII;
    J.L. 1852, nos 53 and 398. A direct way can always be completed (M17) when some play leaves the quarter full:
    the man who fills otherwise, by the other die or by both, can play that die to the same arrow or to the one
    just left, and the quarter stays full. Only a limit of men on an arrow can stand against that.
    """
    empty = quarter & ~made(low, high)
    men = occupied(low, high)
    ways = 0
    for k in range(1 if die_1 == die_2 else 2):
        start = empty >> (die_1, die_2)[k]
        if men & start:
            end_low, end_high = moved(low, high, start, empty)
            if not quarter & ~made(end_low, end_high):  # the man was to spare
                rest = (die_2, die_1)[k]
                ways += not rules.max_men or is_completed(end_low, end_high, rest, quarter, plays, count)
    start = empty >> (die_1 + die_2)
    if men & start:
        end_low, end_high = moved(low, high, start, empty)
        if not quarter & ~made(end_low, end_high):
            ways += is_listed(end_low, end_high, plays, count)  # only so is the rest on the way a legal one
    return ways


@kernel
def coin_pair_reaches(rules: Any, low: int, high: int, other: int, die_1: int, die_2: int) -> bool:
    """Tell whether one of the last two men of the coin would fill the jan de retour with both dice.

    An older school counted that way although the man cannot leave alone (Charpentier 1698).
    """
    men = occupied(low, high)
    if not rules.coin_left_by_two:
        return False  # then the man may leave alone, and his way is one like another
    if not men & COIN & made(low, high) & ~with_spare(low, high):
        return False
    touched = rests(rules, men, other, 0)
    arrives = COIN << (die_1 + die_2) & RETOUR & ~made(low, high)
    return arrives != 0 and (touched & (COIN << die_1 | COIN << die_2)) != 0
