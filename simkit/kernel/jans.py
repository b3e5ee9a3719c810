"""Filling and conserving a quarter (base dossier 3.2, M16, M17)."""

from __future__ import annotations

from typing import Any

from simkit.kernel.board import PETIT, made, missing, moved, occupied
from simkit.kernel.compiled import kernel
from simkit.kernel.plays import end_of_step, is_listed


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
def fills_and_plays_on(
    low: int,
    high: int,
    start: int,
    end: int,
    die: int,
    rest: int,
    other: int,
    quarter: int,
    exact_leaves: int,
    plays: Any,
    count: int,
) -> bool:
    """Tell whether the man on `start` can fill with `die` while `rest` is played, before or after, by another.

    A quarter filled only in passing, which the other number must undo, is not filled (*en passant*, M17).
    """
    for fill_first in (True, False):
        one_low, one_high = low, high
        if fill_first:
            if end_of_step(low, high, start, die, other, exact_leaves, True) != end:
                continue
            one_low, one_high = moved(low, high, start, end)
        men = occupied(one_low, one_high)
        while men:
            man = men & -men
            men ^= man
            to = end_of_step(one_low, one_high, man, rest, other, exact_leaves, True)
            if to < 0:
                continue
            two_low, two_high = moved(one_low, one_high, man, to)
            if not fill_first:
                if not occupied(two_low, two_high) & start:
                    continue
                if end_of_step(two_low, two_high, start, die, other, exact_leaves, True) != end:
                    continue
                two_low, two_high = moved(two_low, two_high, start, end)
            if not quarter & ~made(two_low, two_high) and is_listed(two_low, two_high, plays, count):
                return True
    return False


@kernel
def ways_to_fill(
    low: int,
    high: int,
    other: int,
    die_1: int,
    die_2: int,
    played: int,
    quarter: int,
    exact_leaves: int,
    plays: Any,
    count: int,
) -> int:
    """Count the ways to fill a quarter that lacks one man, given the plays that leave it full.

    Directly by either die, if the rest of the roll can then be played without breaking it, and by one man with
    both dice. Malfilâtre 2013, XIII; Guiton 1822, ch. III; J.L. 1852, nos 53 and 398.
    """
    empty = quarter & ~made(low, high)
    men = occupied(low, high)
    ways = 0
    for k in range(1 if die_1 == die_2 else 2):
        die, rest = (die_1, die_2) if k == 0 else (die_2, die_1)
        start = empty >> die
        if men & start:
            one_low, one_high = moved(low, high, start, empty)
            if quarter & ~made(one_low, one_high):
                continue  # the man was not to spare
            if played == 1:
                ways += is_listed(one_low, one_high, plays, count)
            else:
                ways += fills_and_plays_on(
                    low, high, start, empty, die, rest, other, quarter, exact_leaves, plays, count
                )
    start = empty >> (die_1 + die_2)
    if played == 2 and men & start:
        end_low, end_high = moved(low, high, start, empty)
        ways += is_listed(end_low, end_high, plays, count)
    return ways
