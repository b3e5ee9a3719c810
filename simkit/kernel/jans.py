"""Filling and conserving a quarter (rules.md 3.2, M16, M17)."""

from __future__ import annotations

from typing import Any

from simkit.kernel.board import PETIT, made, missing, moved, occupied
from simkit.kernel.compiled import kernel
from simkit.kernel.plays import is_listed


@kernel
def quarter_in_play(low: int, high: int) -> tuple[int, int]:
    """Return which of a player's quarters a roll may fill or keep (0 petit, 1 grand, 2 retour) and what it lacks.

    At most one can matter: each needs ten of the fifteen men. (-1, 0) if none does.
    """
    for place in range(3):
        lacking = missing(low, high, PETIT << (0, 6, 18)[place])
        if lacking <= 2:
            return place, lacking
    return -1, 0


@kernel
def ways_to_fill(low: int, high: int, die_1: int, die_2: int, quarter: int, plays: Any, count: int) -> int:
    """Count the ways to fill a quarter that lacks one man, given the plays that leave it full (one at least).

    Directly by either die, and by one man with both dice, each with a man to spare. Malfilâtre 2013, XIII;
    J.L. 1852, nos 53 and 398. A direct way can always be completed (M17) when some play leaves the quarter full:
    the man who fills otherwise, by the other die or by both, can play that die to the same arrow or to the one
    just left, and the quarter stays full.
    """
    empty = quarter & ~made(low, high)
    men = occupied(low, high)
    ways = 0
    for k in range(1 if die_1 == die_2 else 2):
        start = empty >> (die_1, die_2)[k]
        if men & start:
            end_low, end_high = moved(low, high, start, empty)
            if not quarter & ~made(end_low, end_high):  # the man was to spare
                ways += 1
    start = empty >> (die_1 + die_2)
    if men & start:
        end_low, end_high = moved(low, high, start, empty)
        ways += is_listed(end_low, end_high, plays, count)  # only so is the rest on the way a legal one
    return ways
