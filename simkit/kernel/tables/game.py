"""One game, from any position to its end."""

from __future__ import annotations

from typing import Any

from simkit.kernel.board import BOARD, PETIT, men_on
from simkit.kernel.compiled import kernel, popcount
from simkit.kernel.dice import DICE_OF_1, PLAYS, below, dice_of, word_at
from simkit.kernel.records import CAPPED, FREE, MAX_ROLLS, RANDOM, WIN
from simkit.kernel.tables.choice import best_play, ranked_play
from simkit.kernel.tables.cube import drops_a_double, pips_of
from simkit.kernel.tables.plays import is_home, list_plays, sent_to_bar
from simkit.kernel.tables.records import BAR, DROP, OFF0, OFF0_AND_NOT_ALL_HOME

STREAMS = 4
"""Dice and plays of either player: the purposes a game draws from."""


@kernel
def word_for(game: Any, desk: Any, purpose: int, seed: int) -> int:
    """Draw the roller's word for a purpose: its place is his roll within the game."""
    stream = purpose + game.roller
    index = game.rolls_of[game.roller] - 1
    return word_at(desk.streams[stream], index, game.unit_no, 0, stream, seed, game.match_id)


@kernel
def throw(game: Any, desk: Any, seed: int) -> tuple[int, int]:
    """Throw the dice, or take over the roll that is known."""
    if game.die_1:
        die_1, die_2 = game.die_1, game.die_2
        game.die_1 = game.die_2 = 0
    else:
        die_1, die_2 = dice_of(word_for(game, desk, DICE_OF_1, seed))
    if not game.opening_1:
        game.opening_1, game.opening_2 = die_1, die_2
    game.thrown_1, game.thrown_2 = die_1, die_2
    return die_1, die_2


@kernel
def worth_of_win(rules: Any, low: int, high: int) -> int:
    """Points of a game won against men who stand so, in their owner's numbers: 1, 2 or 3 (S4 and its readings)."""
    none_off = men_on(low, high, BOARD | BAR) == 15
    if rules.triple and none_off and men_on(low, high, PETIT | BAR):
        return 3
    at_home = is_home(low, high)
    if rules.double == OFF0_AND_NOT_ALL_HOME:
        return 2 if none_off and not at_home else 1
    if rules.double == OFF0:
        return 2 if none_off else 1
    return 2 if none_off or not at_home else 1


@kernel
def note_end(game: Any, winner: int, ended_by: int) -> None:
    """Enter how a game ended, and how far each player's men had to go: 25 from the bar, one from arrow 24."""
    game.winner, game.ended_by = winner, ended_by
    for who in range(2):
        low, high = game.low[who], game.high[who]
        game.pips_left[who] = pips_of(low, high)
        game.off[who] = 15 - men_on(low, high, BOARD | BAR)
        game.all_home[who] = is_home(low, high)


@kernel
def chosen_play(rules: Any, player: Any, game: Any, seed: int, count: int, forced: int, desk: Any) -> int:
    """Return the place of the play the roller takes: the one asked for, or his own choice."""
    if forced >= 0:
        return forced
    if count == 1:
        return 0
    if player.choice == RANDOM:
        return below(count, word_for(game, desk, PLAYS, seed))
    other = 1 - game.roller
    if player.rank:
        return ranked_play(player, game.low[other], game.high[other], count, desk)
    return best_play(rules, player, game.low[other], game.high[other], count, desk)


@kernel
def open_roll(rules: Any, players: Any, game: Any, seed: int, desk: Any) -> tuple[bool, int]:
    """Drop a double, or throw and list the plays; tell whether the game is over, and how many plays there are."""
    who = game.roller
    other = 1 - who
    if rules.cube_limit > 1 and drops_a_double(rules, players, game):
        note_end(game, who, DROP)
        game.points = game.cube
        return True, 0
    game.rolls += 1
    game.rolls_of[who] += 1
    die_1, die_2 = throw(game, desk, seed)
    low, high = game.low[who], game.high[who]
    return False, list_plays(
        rules, low, high, game.low[other], game.high[other], die_1, die_2, desk.plays, desk.steps
    )


@kernel
def close_roll(rules: Any, game: Any, low: int, high: int, hit: int) -> bool:
    """Take the play `low`, `high` that hits `hit`; tell whether the game is over."""
    who = game.roller
    other = 1 - who
    game.low[who], game.high[who] = low, high
    if hit:
        game.hits[who] += popcount(hit)
        game.low[other], game.high[other] = sent_to_bar(game.low[other], game.high[other], hit)
    if low | high:
        game.roller = other
        return False
    note_end(game, who, WIN)
    game.points = game.cube * worth_of_win(rules, game.low[other], game.high[other])
    return True


@kernel
def place_of_roller(game: Any) -> int:
    """Where the roller stands among the players: each of the two, then each as he takes the opening play."""
    return game.roller if game.rolls > 1 else game.roller + 2


@kernel
def play_roll(rules: Any, players: Any, game: Any, seed: int, forced: int, desk: Any) -> bool:
    """Play one roll, or drop a double before it; tell whether the game is over. `forced`: as in `play_game`.

    `players`: how each of the two plays, then how each takes the opening play.
    """
    over, count = open_roll(rules, players, game, seed, desk)
    if over:
        return True
    choice = chosen_play(rules, players[place_of_roller(game)], game, seed, count, forced, desk)
    return close_roll(rules, game, desk.plays[0, choice], desk.plays[1, choice], desk.plays[2, choice])


@kernel
def is_capped(game: Any) -> bool:
    """End a game that has taken too many rolls."""
    if game.rolls < MAX_ROLLS:
        return False
    note_end(game, -1, CAPPED)
    return True


@kernel
def play_game(
    rules: Any,
    players: Any,
    game: Any,
    seed: int,
    forced: int,
    most_rolls: int,
    desk: Any,
) -> bool:
    """Play a game roll by roll, to its end or for so many rolls; tell whether it is over.

    `forced` binds the first roll: `FREE` leaves it to the player, a place in the list of plays makes him take it.
    """
    desk.streams[:, 4] = -1
    for _ in range(most_rolls):
        if is_capped(game):
            return True
        if play_roll(rules, players, game, seed, forced, desk):
            return True
        forced = FREE
    return False
