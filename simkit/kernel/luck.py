"""How lucky a roll of trictrac was: what it brought less what a roll brings from there on average.

Each number is a function of what stood before the roll and of the roll alone, taken less its mean over the 36
rolls; so the sum over a match is 0 on average whoever plays, and however well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.kernel.awards import score_roll
from simkit.kernel.board import made, mirrored, occupied
from simkit.kernel.choice import best_play, within_reach_of, worth_of_position
from simkit.kernel.compiled import SOURCE_HASH, entry, kernel
from simkit.kernel.plays import MAX_PLAYS
from simkit.kernel.records import CAPPED, FIGURES

AWARDS, HOLES, POSITION = 0, 1, 2
"""Points that the roller marks less those the other does; holes they make at once; what the men are worth after
the best play."""


@kernel
def weigh_roll(
    rules: Any, judge: Any, unit: Any, die_1: int, die_2: int, plays: Any, gains: Any, brought: Any
) -> None:
    """Enter what a roll brings the roller of a unit in `brought`, int64 (3,), positions as `judge` sees them."""
    who, other = unit.roller, 1 - unit.roller
    low, high = unit.low[other], unit.high[other]
    gain, others_gain, count, _ = score_roll(
        rules,
        unit.low[who],
        unit.high[who],
        low,
        high,
        unit.rolls_of[who] + 1,
        unit.took_coin[who],
        0,
        die_1,
        die_2,
        plays,
        gains,
    )
    men, closed = mirrored(occupied(low, high)), mirrored(made(low, high))
    best = best_play(rules, judge, low, high, plays, count)
    hole = rules.points_per_hole
    brought[AWARDS] = gain - others_gain
    brought[HOLES] = (unit.points[who] + gain) // hole - (unit.points[other] + others_gain) // hole
    brought[POSITION] = worth_of_position(
        rules, judge, plays[best, 0], plays[best, 1], men, closed, within_reach_of(men)
    )


@kernel
def enter_luck(
    rules: Any, judge: Any, before: Any, after: Any, plays: Any, gains: Any, brought: Any, luck: Any
) -> None:
    """Add 36 times the luck of the roll between two states of a unit to `luck`, int64 (3,), player 1's up."""
    thrown_1, thrown_2 = max(after.thrown_1, after.thrown_2), min(after.thrown_1, after.thrown_2)
    sign = 1 if before.roller == 0 else -1
    for die_1 in range(1, 7):
        for die_2 in range(1, die_1 + 1):
            weigh_roll(rules, judge, before, die_1, die_2, plays, gains, brought)
            times = -1 if die_1 == die_2 else -2
            if die_1 == thrown_1 and die_2 == thrown_2:
                times += 36
            for k in range(len(brought)):
                luck[k] += sign * times * brought[k]


def _build(source_hash: int) -> Any:
    """Make the entry point, as `simkit.kernel.entries` does."""

    @entry
    def add_unit_luck(rules: Any, judges: Any, before: Any, after: Any, over: Any, luck: Any) -> int:
        """Add the luck of one roll of each unit to `luck`, int64 (n, 3).

        `before`, `after`: the units around the roll; `over`, which have ended. A roll that was known before, and a
        unit that was cut, count nothing.
        """
        plays = np.empty((MAX_PLAYS, 2), np.int64)
        gains = np.zeros((len(FIGURES), 2), np.int64)
        brought = np.zeros(3, np.int64)
        for k in range(len(before)):
            if not before[k].die_1 and not (over[k] and after[k].ended_by == CAPPED):
                enter_luck(rules[0], judges[0], before[k], after[k], plays, gains, brought, luck[k])
        return source_hash

    return add_unit_luck


add_unit_luck = _build(SOURCE_HASH)
