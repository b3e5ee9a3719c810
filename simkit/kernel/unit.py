"""One unit of play: a partie, or a set with its do-overs, from any state to its end."""

from __future__ import annotations

from typing import Any

from simkit.kernel.awards import score_roll
from simkit.kernel.board import COIN, START_HIGH, START_LOW, made
from simkit.kernel.choice import best_play, deed_of
from simkit.kernel.combine import enter_combined, go_combined, has_ended_honours, suspend
from simkit.kernel.compiled import by_field, inlined, kernel
from simkit.kernel.dice import DICE_OF_1, GOING, PLAYS, below, dice_of, word_at
from simkit.kernel.ledger import DO_OVER, PICKUP, enter_holes, go
from simkit.kernel.plays import is_listed
from simkit.kernel.records import CAPPED, FIGURES, FREE, GO, HOLD, MAX_ROLLS, RANDOM, TO_OTHER, WIN
from simkit.kernel.scoring import mark

N_FIGURES = len(FIGURES)
BOTH = "honours_holes"
"""The field by which a unit of trictrac combiné is known."""
STREAMS = 6
"""Dice, plays and goings of either player: the purposes a unit draws from."""


enter = by_field(BOTH, 0, enter_holes, enter_combined)
"""Enter holes in the set, or in both games."""
pick_up = by_field(BOTH, 0, go, go_combined)
"""Enter in the ledgers that a player goes."""


@kernel
def word_for(unit: Any, streams: Any, purpose: int, seed: int) -> int:
    """Draw the roller's word for a purpose: its place is the roller's roll within the setting."""
    who = unit.roller
    stream = purpose + who  # each player's rolls, plays and goings are numbered apart
    return word_at(
        streams[stream], unit.rolls_of[who] - 1, unit.unit_no, unit.start_no, stream, seed, unit.match_id
    )


@kernel
def throw(unit: Any, streams: Any, seed: int) -> tuple[int, int]:
    """Throw the dice, or take over the draw that was itself the first throw."""
    if unit.die_1:
        die_1, die_2 = unit.die_1, unit.die_2
        unit.die_1 = unit.die_2 = 0
        return die_1, die_2
    return dice_of(word_for(unit, streams, DICE_OF_1, seed))


@kernel
def restart_men(unit: Any, streams: Any, roller: int) -> None:
    """Put all men back on the talons: after going, and for the *reprise* after bearing off."""
    for who in range(2):
        unit.low[who], unit.high[who] = START_LOW, START_HIGH
        unit.rolls_of[who] = 0
        unit.took_coin[who] = 0
    unit.roller = roller
    unit.start_no += 1
    unit.quiet_rolls = 0
    streams[:, 4] = -1


@kernel
def leave(unit: Any, rules: Any, streams: Any, who: int) -> int:
    """Let a player go: points are wiped, the men restart, the goer throws; return what going did."""
    outcome = pick_up(unit, rules, who)
    if outcome in (PICKUP, DO_OVER):
        for player in range(2):
            unit.points[player] = unit.bredouille[player] = 0
        restart_men(unit, streams, unit.first_player if outcome == DO_OVER else who)
        if outcome == PICKUP:
            unit.settings += 1
    return outcome


@kernel
def tally(figures: Any, gains: Any, mover: int, to_other: bool) -> None:
    """Add what one side marks on this roll to the run's figures, int64 (sides, figures, 2)."""
    for figure in range(N_FIGURES):
        if gains[figure, 0] and (figure in TO_OTHER) == to_other:
            side = 1 - mover if to_other else mover
            figures[side, figure, 0] += gains[figure, 0]
            figures[side, figure, 1] += gains[figure, 1]


@kernel
def marks(unit: Any, rules: Any, who: int, points: int, own_die: int) -> int:
    """Mark what a roll gives a player, enter the holes made; return them."""
    holes = mark(unit, rules, who, points)
    if holes:
        enter(unit, rules, who, holes, own_die)
    return holes


@kernel
def has_reached_last_hole(unit: Any, rules: Any, who: int) -> bool:
    """End a partie, or a set with a limit of holes, whose last hole a player has reached."""
    if not rules.last_hole or unit.holes[who] < rules.last_hole:
        return False
    unit.winner, unit.ended_by = who, WIN
    return True


@kernel
def has_honours_ended(unit: Any, rules: Any, who: int) -> bool:
    """End a unit of trictrac combiné as `has_ended_honours` tells; its sets have no last hole."""
    return has_ended_honours(unit, who)


@kernel
def suspends_nothing(unit: Any, rules: Any, who: int, deed: int) -> bool:
    """Stand in for `suspend` where there is one game alone."""
    return False


has_ended = by_field(BOTH, 0, has_reached_last_hole, has_honours_ended)
"""End a unit whose last hole has been made."""
suspended = by_field(BOTH, 0, suspends_nothing, suspend)
"""Suspend a game; tell whether that ends the unit."""


@kernel
def meets_first_throw(unit: Any, die_1: int, die_2: int) -> int:
    """Tell whether the second player's very first roll is the first player's over again (jan de rencontre)."""
    dice = 10 * max(die_1, die_2) + min(die_1, die_2)
    met = 0
    if unit.first_throw == 0:
        unit.first_throw = dice
    elif unit.first_throw > 0 and unit.roller != unit.first_player:
        met = 1 if unit.first_throw == dice else 0
        unit.first_throw = -1
    return met


@kernel
def restart_after_bearing_off(unit: Any, rules: Any, streams: Any, who: int, die_1: int, die_2: int) -> None:
    """Start the men again after the last man has left; he who finished throws again (M22 and its readings)."""
    unit.sorties += 1
    for player in range(2):
        if not rules.sortie_keeps_points:
            unit.points[player] = 0
        if not rules.sortie_keeps_points or not rules.sortie_keeps_bredouille:
            unit.bredouille[player] = 0
    restart_men(unit, streams, who)
    if rules.sortie_roll_again:
        unit.die_1, unit.die_2 = die_1, die_2


@kernel
def may_go(rules: Any, plays: Any, count: int) -> bool:
    """Tell whether a hole on one's own die lets a player go."""
    return rules.go and (rules.go_after_sortie or not is_listed(0, 0, plays, count))


@inlined
def chosen_play(
    rules: Any, player: Any, unit: Any, seed: int, streams: Any, plays: Any, count: int, forced: int
) -> int:
    """Return the place of the play the roller takes: the one asked for, or his own choice."""
    if forced >= 0:
        return forced
    if count == 1:
        return 0
    if player.choice == RANDOM:
        return below(count, word_for(unit, streams, PLAYS, seed))
    other = 1 - unit.roller
    return best_play(rules, player, unit.low[other], unit.high[other], plays, count)


@inlined
def open_roll(
    rules: Any, unit: Any, seed: int, streams: Any, plays: Any, gains: Any, figures: Any
) -> tuple[bool, int, int, int, bool]:
    """Throw, list the plays, and mark what the roll gives the roller; none of it depends on the play he takes.

    Return whether that ended the unit; else how many plays there are, the roller's points, those that the other
    has still to mark, and whether the roller may go.
    """
    who = unit.roller
    other = 1 - who
    unit.rolls += 1
    unit.rolls_of[who] += 1
    die_1, die_2 = throw(unit, streams, seed)
    unit.thrown_1, unit.thrown_2 = die_1, die_2
    gain, others_gain, count, _ = score_roll(
        rules,
        unit.low[who],
        unit.high[who],
        unit.low[other],
        unit.high[other],
        unit.rolls_of[who],
        unit.took_coin[who],
        meets_first_throw(unit, die_1, die_2),
        die_1,
        die_2,
        plays,
        gains,
    )
    asked = False
    if gain:
        tally(figures, gains, who, False)
        if marks(unit, rules, who, gain, 1):
            if has_ended(unit, rules, who):
                return True, count, gain, others_gain, False
            if rules.marks_on_go and others_gain:  # then he marks whether the roller goes or not
                tally(figures, gains, who, True)
                if marks(unit, rules, other, others_gain, 0) and has_ended(unit, rules, other):
                    return True, count, gain, others_gain, False
                others_gain = 0
            asked = bool(may_go(rules, plays, count))
    return False, count, gain, others_gain, asked


@inlined
def close_roll(
    rules: Any,
    unit: Any,
    streams: Any,
    gains: Any,
    figures: Any,
    low: int,
    high: int,
    gain: int,
    others_gain: int,
    deed: int,
) -> bool:
    """Go, or suspend a game, or take the play `low`, `high` and let the other mark; tell whether the unit is over.

    `gains`, `gain`, `others_gain`: from `open_roll`; `deed`: `HOLD` unless the roller may go.
    """
    who = unit.roller
    other = 1 - who
    if deed:
        if deed == GO:
            return leave(unit, rules, streams, who) not in (PICKUP, DO_OVER)
        if suspended(unit, rules, who, deed):
            return True
    unit.took_coin[who] = 1 if made(low, high) & ~made(unit.low[who], unit.high[who]) & COIN else 0
    unit.low[who], unit.high[who] = low, high
    if others_gain:
        tally(figures, gains, who, True)
        if marks(unit, rules, other, others_gain, 0) and has_ended(unit, rules, other):
            return True
    unit.quiet_rolls = 0 if gain or others_gain else unit.quiet_rolls + 1
    if not low | high:
        restart_after_bearing_off(unit, rules, streams, who, unit.thrown_1, unit.thrown_2)
    elif rules.stall_limit and unit.quiet_rolls >= rules.stall_limit:
        restart_men(unit, streams, other)
    else:
        unit.roller = other
    return False


@inlined
def play_roll(
    rules: Any,
    players: Any,
    unit: Any,
    seed: int,
    streams: Any,
    plays: Any,
    gains: Any,
    figures: Any,
    forced: int,
) -> bool:
    """Play one roll (rules.md 4.1 and 4.7); tell whether it ended the unit. `forced`: as in `play_unit`."""
    over, count, gain, others_gain, asked = open_roll(rules, unit, seed, streams, plays, gains, figures)
    if over:
        return True
    player = players[unit.seats[unit.roller]]
    choice = chosen_play(rules, player, unit, seed, streams, plays, count, forced)
    low, high = plays[choice, 0], plays[choice, 1]
    deed = HOLD
    if asked:
        deed = min(forced, HOLD)
        if forced == FREE:
            word = word_for(unit, streams, GOING, seed)
            deed = deed_of(rules, player, unit, unit.roller, others_gain, low, high, word)
    return close_roll(rules, unit, streams, gains, figures, low, high, gain, others_gain, deed)


@kernel
def is_capped(unit: Any) -> bool:
    """End a unit that has taken too many rolls."""
    if unit.rolls + unit.rolls_do_overs < MAX_ROLLS:
        return False
    unit.winner, unit.ended_by = -1, CAPPED
    return True


@kernel
def play_unit(
    rules: Any,
    players: Any,
    unit: Any,
    seed: int,
    streams: Any,
    plays: Any,
    gains: Any,
    figures: Any,
    forced: int,
    most_rolls: int,
) -> bool:
    """Play a unit roll by roll, to its end or for so many rolls; tell whether it is over.

    `forced` binds the first roll: `FREE` leaves it to the player, a place in the list of plays makes him take
    that play and hold, `GO` makes him go if he may, `SUSPEND_WRITTEN` and `SUSPEND_HONOURS` suspend if he may.
    """
    streams[:, 4] = -1
    for _ in range(most_rolls):
        if is_capped(unit):
            return True
        if play_roll(rules, players, unit, seed, streams, plays, gains, figures, forced):
            return True
        forced = FREE
    return False
