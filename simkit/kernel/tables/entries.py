"""The doors into the compiled code of this family; kept on disk as those of `simkit.kernel.entries` are."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.kernel.compiled import SOURCE_HASH, entry
from simkit.kernel.tables.choice import best_play, value_plays
from simkit.kernel.tables.cube import log_odds
from simkit.kernel.tables.game import STREAMS, play_game, worth_of_win
from simkit.kernel.tables.plays import MAX_PLAYS, list_plays
from simkit.kernel.tables.records import Desk


def _build(source_hash: int) -> Any:
    """Make the entry points; each names the hash, so that it is part of the key of its stored code."""

    @entry
    def play_games(
        rules: Any, players: Any, games: Any, seed: int, forced: Any, most_rolls: int, over: Any
    ) -> int:
        """Play every game in place, to its end or for so many rolls.

        `players`: how each of the two plays, then how each takes the opening play. `forced`, int64 (n,): what
        binds each game's first roll; `over`, bool (n,), is set to whether it has ended.
        """
        desk = Desk(
            np.empty((3, MAX_PLAYS), np.int64),
            np.empty(MAX_PLAYS, np.int64),
            np.empty((3, MAX_PLAYS), np.int64),
            np.empty(MAX_PLAYS, np.int64),
            np.empty((4, 5), np.int64),
            np.empty((STREAMS, 5), np.int64),
        )
        for k in range(len(games)):
            over[k] = play_game(rules[0], players, games[k], seed, forced[k], most_rolls, desk)
        return source_hash

    @entry
    def list_positions(rules: Any, boards: Any, die_1: int, die_2: int, plays: Any) -> tuple[int, int]:
        """List the legal plays of a roll as `list_plays` does; return how many.

        `boards`, int64 (4,): the mover's words, the other's in his own numbers.
        """
        steps = np.empty((4, 5), np.int64)
        count = list_plays(rules[0], boards[0], boards[1], boards[2], boards[3], die_1, die_2, plays, steps)
        return count, source_hash

    @entry
    def win_points(rules: Any, low: int, high: int) -> tuple[int, int]:
        """Points of a game won against men who stand so, in their owner's numbers."""
        return worth_of_win(rules[0], low, high), source_hash

    @entry
    def choose(rules: Any, players: Any, boards: Any, plays: Any, count: int) -> tuple[int, int]:
        """Return the place of the play that the first of `players` takes, who has an evaluation."""
        desk = Desk(
            plays,
            np.empty(MAX_PLAYS, np.int64),
            np.empty((3, MAX_PLAYS), np.int64),
            np.empty(MAX_PLAYS, np.int64),
            np.empty((4, 5), np.int64),
            np.empty((STREAMS, 5), np.int64),
        )
        return best_play(rules[0], players[0], boards[2], boards[3], count, desk), source_hash

    @entry
    def values_of_plays(players: Any, boards: Any, plays: Any, count: int, values: Any) -> int:
        """Enter what each of `count` plays is worth on the spot to the first of `players`, who evaluates."""
        value_plays(players[0], boards[2], boards[3], plays, count, values)
        return source_hash

    @entry
    def judge_chances(players: Any, boards: Any, odds: Any) -> int:
        """Enter the log odds of the side to roll in `odds`, int64 (n,), as the first of `players` sees them.

        `boards`, int64 (n, 4): the words of the side to roll and of the other, each in its own numbers.
        """
        for k in range(len(boards)):
            odds[k] = log_odds(players[0], boards[k, 0], boards[k, 1], boards[k, 2], boards[k, 3])
        return source_hash

    return play_games, list_positions, win_points, choose, values_of_plays, judge_chances


play_games, list_positions, win_points, choose, values_of_plays, judge_chances = _build(SOURCE_HASH)
