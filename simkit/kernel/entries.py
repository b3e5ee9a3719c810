"""The doors into compiled code: the only functions whose machine code is kept on disk.

Numba's cache looks at the file of a function and not at those it calls; the hash of all kernel sources in the
closure of `_build` makes up for that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.kernel.awards import forbidden_quarters, score_roll
from simkit.kernel.combine import (
    enter_combined,
    go_combined,
    may_suspend_honours,
    may_suspend_written,
    suspend,
)
from simkit.kernel.compiled import SOURCE_HASH, entry
from simkit.kernel.dice import dice_of, word_at
from simkit.kernel.hits import ways_to_hit
from simkit.kernel.ledger import enter_holes, go
from simkit.kernel.plays import MAX_PLAYS
from simkit.kernel.scoring import mark
from simkit.kernel.unit import N_FIGURES, STREAMS, play_unit


def _build(source_hash: int) -> Any:
    """Make the entry points; each names the hash, so that it is part of the key of its stored code."""

    @entry
    def play_units(
        rules: Any,
        players: Any,
        units: Any,
        seed: int,
        figures: Any,
        forced: Any,
        most_rolls: int,
        over: Any,
    ) -> int:
        """Play every unit in place, to its end or for so many rolls, adding to `figures`.

        `figures`, int64 (sides, figures, 2); `forced`, int64 (n,): what binds each unit's first roll;
        `over`, bool (n,), is set to whether it has ended.
        """
        streams = np.empty((STREAMS, 5), np.int64)
        plays = np.empty((MAX_PLAYS, 2), np.int64)
        gains = np.zeros((N_FIGURES, 2), np.int64)
        for k in range(len(units)):
            over[k] = play_unit(
                rules[0], players, units[k], seed, streams, plays, gains, figures, forced[k], most_rolls
            )
        return source_hash

    @entry
    def draw_higher(seed: int, matches: Any, unit: int, purpose: int, draws: Any) -> int:
        """Throw a die for each player of each match, equal dice again; `draws`, int64 (n, 2)."""
        stream = np.empty(5, np.int64)
        for k in range(len(draws)):
            stream[4] = -1
            index = 0
            draws[k, 0] = draws[k, 1] = 0
            while draws[k, 0] == draws[k, 1]:
                word = word_at(stream, index, unit, 0, purpose, seed, matches[k])
                draws[k, 0], draws[k, 1] = dice_of(word)
                index += 1
        return source_hash

    @entry
    def closed_quarters(rules: Any, low: int, high: int) -> tuple[int, int]:
        """Mask of the quarters this board, the other's in his own numbers, forbids to the mover (M11)."""
        return forbidden_quarters(rules[0], low, high), source_hash

    @entry
    def score_position(
        rules: Any, boards: Any, memory: Any, die_1: int, die_2: int, plays: Any, gains: Any
    ) -> tuple[int, int, int, int, int]:
        """Score one roll as `score_roll` does.

        `boards`, int64 (4,): the mover's words, the other's in his own numbers; `memory`, int64 (3,): the mover's
        rolls since the men started, whether he has just taken the coin, whether the first throw is met.
        """
        scored = score_roll(
            rules[0],
            boards[0],
            boards[1],
            boards[2],
            boards[3],
            memory[0],
            memory[1],
            memory[2],
            die_1,
            die_2,
            plays,
            gains,
        )
        return scored[0], scored[1], scored[2], scored[3], source_hash

    @entry
    def hit_men(
        men: int, closed: int, lone: int, die_1: int, die_2: int, by_sums: int
    ) -> tuple[int, int, int, int, int]:
        """Count the ways to hit, as `ways_to_hit` does."""
        far, near, false_far, false_near = ways_to_hit(men, closed, lone, die_1, die_2, by_sums)
        return far, near, false_far, false_near, source_hash

    @entry
    def mark_points(units: Any, rules: Any, who: int, points: int) -> tuple[int, int]:
        """Mark points in the first unit; return the holes made."""
        return mark(units[0], rules[0], who, points), source_hash

    @entry
    def enter(units: Any, rules: Any, who: int, holes: int, own_die: int) -> int:
        """Enter holes in the ledger of the first unit."""
        enter_holes(units[0], rules[0], who, holes, own_die)
        return source_hash

    @entry
    def leave(units: Any, rules: Any, who: int) -> tuple[int, int]:
        """Let a player of the first unit go; return what that did."""
        return go(units[0], rules[0], who), source_hash

    @entry
    def enter_both(units: Any, rules: Any, who: int, holes: int, own_die: int) -> int:
        """Enter holes in both games of a combined match, in the first unit."""
        enter_combined(units[0], rules[0], who, holes, own_die)
        return source_hash

    @entry
    def leave_both(units: Any, rules: Any, who: int) -> tuple[int, int]:
        """Let a player of the first unit of a combined match pick up; return what that did."""
        return go_combined(units[0], rules[0], who), source_hash

    @entry
    def suspend_game(units: Any, rules: Any, who: int, deed: int) -> tuple[bool, int]:
        """Let a player of the first unit suspend a game; return whether that ends the unit."""
        return suspend(units[0], rules[0], who, deed), source_hash

    @entry
    def suspensions(units: Any, rules: Any, who: int) -> tuple[bool, bool, int]:
        """Tell whether a player of the first unit may suspend the written set, and the game of honours."""
        written = may_suspend_written(units[0], rules[0], who)
        return written, may_suspend_honours(units[0], rules[0]), source_hash

    return (
        play_units,
        draw_higher,
        closed_quarters,
        score_position,
        hit_men,
        mark_points,
        enter,
        leave,
        enter_both,
        leave_both,
        suspend_game,
        suspensions,
    )


(
    play_units,
    draw_higher,
    closed_quarters,
    score_position,
    hit_men,
    mark_points,
    enter,
    leave,
    enter_both,
    leave_both,
    suspend_game,
    suspensions,
) = _build(SOURCE_HASH)
