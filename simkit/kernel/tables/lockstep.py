"""Lock-step in toutes tables: as `simkit.kernel.lockstep`, of games."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.kernel.board import men_on
from simkit.kernel.compiled import SOURCE_HASH, entry, inlined, kernel
from simkit.kernel.dice import PLAYS
from simkit.kernel.lockstep import NEXT, PLAYS_WRITTEN, THEIRS, WRITTEN
from simkit.kernel.records import FREE
from simkit.kernel.tables.choice import facing, features_of
from simkit.kernel.tables.game import (
    chosen_play,
    close_roll,
    is_capped,
    open_roll,
    place_of_roller,
    word_for,
)
from simkit.kernel.tables.plays import MAX_PLAYS
from simkit.kernel.tables.records import BAR, Desk


@inlined  # a compiled function must not return arrays: nobody would count who holds them
def at_desk(desk: Any, streams: Any) -> Any:
    """Take the same memory with the streams of another game."""
    return Desk(desk.plays, desk.values, desk.replies, desk.reply_values, desk.steps, streams)


@kernel
def step(
    rules: Any,
    players: Any,
    own: Any,
    games: Any,
    seed: int,
    memory: Any,
    desk: Any,
    before: Any,
    count: int,
    after: Any,
    choices: Any,
    closes: bool,
    progress: Any,
) -> None:
    """Close the first `count` rolls of `before` and open the next of the same games in `after`.

    The arguments are those of `simkit.kernel.lockstep.step`; `players` double and take, and of `desk` the streams
    are not used. A play is a row of `before` and `after`.
    """
    k, written, at, theirs = progress[NEXT], progress[WRITTEN], progress[PLAYS_WRITTEN], progress[THEIRS]
    while k < count and at + MAX_PLAYS <= len(after.plays):
        place = before.places[k]
        game = games[place]
        over = False
        if closes:
            taken = before.offsets[k] + choices[k]
            over = close_roll(
                rules, game, before.plays[taken, 0], before.plays[taken, 1], before.plays[taken, 2]
            )
        if not over:
            over = is_capped(game)
        if not over:
            if own[game.roller]:
                its = at_desk(desk, memory.streams[place])
                over, listed = open_roll(rules, players, game, seed, its)
                if not over:
                    for play in range(listed):
                        for word in range(3):
                            after.plays[at + play, word] = desk.plays[word, play]
                    after.places[written] = place
                    after.words[written] = word_for(game, its, PLAYS, seed)
                    written, at = written + 1, at + listed
                    after.offsets[written] = at
            else:
                memory.theirs[theirs] = place
                theirs += 1
        if over:
            memory.over[place] = True
        k += 1
    progress[NEXT], progress[WRITTEN], progress[PLAYS_WRITTEN], progress[THEIRS] = k, written, at, theirs


def _build(source_hash: int) -> Any:
    """Make the entry points, as `simkit.kernel.entries` does."""

    @entry
    def step_games(
        rules: Any,
        players: Any,
        own: Any,
        games: Any,
        seed: int,
        memory: Any,
        desk: Any,
        before: Any,
        count: int,
        after: Any,
        choices: Any,
        closes: bool,
        progress: Any,
    ) -> int:
        """Close and open rolls as `step` does."""
        step(
            rules[0], players, own, games, seed, memory, desk, before, count, after, choices, closes, progress
        )
        return source_hash

    @entry
    def choices_of(
        rules: Any,
        players: Any,
        games: Any,
        places: Any,
        offsets: Any,
        plays: Any,
        streams: Any,
        seed: int,
        desk: Any,
        choices: Any,
    ) -> int:
        """Enter the play that a player would take on each roll; `players`: as in `play_games`, him twice."""
        for k in range(len(places)):
            game = games[places[k]]
            count = offsets[k + 1] - offsets[k]
            for play in range(count):
                for word in range(3):
                    desk.plays[word, play] = plays[offsets[k] + play, word]
            player = players[place_of_roller(game)]
            own = at_desk(desk, streams[places[k]])
            choices[k] = chosen_play(rules[0], player, game, seed, count, FREE, own)
        return source_hash

    @entry
    def enter_features(games: Any, places: Any, offsets: Any, plays: Any, features: Any) -> int:
        """Enter what each play has of the features; `features`, float32 (17, p), a row for each."""
        for k in range(len(places)):
            game = games[places[k]]
            other = 1 - game.roller
            men_there = facing(game.low[other], game.high[other])
            waiting_there = men_on(game.low[other], game.high[other], BAR)
            for play in range(offsets[k], offsets[k + 1]):
                low, high, hit = plays[play, 0], plays[play, 1], plays[play, 2]
                found = features_of(low, high, hit, men_there, waiting_there)
                for place in range(len(found)):
                    features[place, play] = found[place]
        return source_hash

    return step_games, choices_of, enter_features


step_games, choices_of, enter_features = _build(SOURCE_HASH)


def new_desk() -> Desk:
    """Memory to play with, but for the streams, which lie elsewhere."""
    return Desk(
        np.empty((3, MAX_PLAYS), np.int64),
        np.empty(MAX_PLAYS, np.int64),
        np.empty((3, MAX_PLAYS), np.int64),
        np.empty(MAX_PLAYS, np.int64),
        np.empty((4, 5), np.int64),
        np.empty((1, 5), np.int64),
    )
