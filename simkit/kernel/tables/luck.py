"""How lucky a roll of toutes tables was: the chance of winning after the best play, less its mean over all rolls.

The best play and the chance are those of one judge, whoever plays; so they are functions of the position and the
roll alone, and the sum over a game is 0 on average.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from simkit.kernel.compiled import SOURCE_HASH, entry, kernel
from simkit.kernel.tables.choice import value_plays
from simkit.kernel.tables.cube import log_odds
from simkit.kernel.tables.plays import MAX_PLAYS, list_plays, sent_to_bar

SURE = 10_000
"""A chance is a whole number of ten-thousandths."""
CHANCE, STAKE = 0, 1
"""The chance of winning; the same times what the cube shows."""


@kernel
def chance_of(judge: Any, low: int, high: int, other_low: int, other_high: int) -> int:
    """The chance, as a judge sees it, of the side that is about to roll; each board in its owner's numbers."""
    odds = log_odds(judge, low, high, other_low, other_high)
    return int(SURE / (1.0 + exp(-odds / 10_000.0)) + 0.5)


@kernel
def chance_after(
    rules: Any, judge: Any, game: Any, die_1: int, die_2: int, plays: Any, values: Any, steps: Any
) -> int:
    """The roller's chance once a roll has been played as the judge would play it."""
    who, other = game.roller, 1 - game.roller
    low, high = game.low[other], game.high[other]
    count = list_plays(rules, game.low[who], game.high[who], low, high, die_1, die_2, plays, steps)
    best, _ = value_plays(judge, low, high, plays, count, values)
    if not plays[0, best] | plays[1, best]:
        return SURE
    hit_low, hit_high = sent_to_bar(low, high, plays[2, best])
    return SURE - chance_of(judge, hit_low, hit_high, plays[0, best], plays[1, best])


@kernel
def enter_luck(
    rules: Any, judge: Any, before: Any, after: Any, plays: Any, values: Any, steps: Any, luck: Any
) -> None:
    """Add 36 times the luck of the roll between two states of a game to `luck`, int64 (2,), player 1's up."""
    thrown_1, thrown_2 = max(after.thrown_1, after.thrown_2), min(after.thrown_1, after.thrown_2)
    total = 0
    for die_1 in range(1, 7):
        for die_2 in range(1, die_1 + 1):
            times = -1 if die_1 == die_2 else -2
            if die_1 == thrown_1 and die_2 == thrown_2:
                times += 36
            total += times * chance_after(rules, judge, before, die_1, die_2, plays, values, steps)
    if before.roller:
        total = -total
    luck[CHANCE] += total
    luck[STAKE] += total * after.cube


def _build(source_hash: int) -> Any:
    """Make the entry point, as `simkit.kernel.tables.entries` does."""

    @entry
    def add_game_luck(rules: Any, judges: Any, before: Any, after: Any, luck: Any) -> int:
        """Add the luck of one roll of each game to `luck`, int64 (n, 2).

        `before`, `after`: the games around the roll, a double before it being part of it. A roll that was known
        before, and a game that ended without one, count nothing.
        """
        plays = np.empty((3, MAX_PLAYS), np.int64)
        values = np.empty(MAX_PLAYS, np.int64)
        steps = np.empty((4, 5), np.int64)
        for k in range(len(before)):
            if not before[k].die_1 and after[k].rolls > before[k].rolls:
                enter_luck(rules[0], judges[0], before[k], after[k], plays, values, steps, luck[k])
        return source_hash

    return add_game_luck


add_game_luck = _build(SOURCE_HASH)
