"""Lock-step: the rolls of many units cut at the choice, so that whoever chooses sees all of them at once.

A roll is opened and closed by the functions that fused play uses; between the two it lies in `Rolls`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from simkit.kernel.board import mirrored, occupied
from simkit.kernel.choice import best_play, deed_of, features_of, within_reach_of
from simkit.kernel.compiled import SOURCE_HASH, entry, inlined, kernel
from simkit.kernel.dice import GOING, PLAYS, below
from simkit.kernel.ledger import outcome_of_going
from simkit.kernel.plays import MAX_PLAYS
from simkit.kernel.records import HOLD, OWN, RANDOM
from simkit.kernel.unit import N_FIGURES, close_roll, is_capped, open_roll, tally, word_for


class Rolls(NamedTuple):
    """Open rolls, one for each unit under way."""

    places: Any
    """int64 (units,): the unit of each roll."""
    offsets: Any
    """int64 (units + 1,): where the plays of each roll begin and end."""
    plays: Any
    """int64 (room, 2), of toutes tables (room, 3): the plays of all rolls, one roll after the other."""
    gain: Any
    """int64 (units,): what the roller has marked."""
    others_gain: Any
    """int64 (units,): what the other has still to mark, unless the roller goes."""
    may_go: Any
    """bool (units,): whether the roller may go."""
    words: Any
    """int64 (units,): the roller's random word for his play, drawn while his dice are at hand."""


class Memory(NamedTuple):
    """What each unit keeps between its rolls."""

    streams: Any
    """int64 (units, streams, 5): the current block of each stream of dice."""
    gains: Any
    """int64 (units, figures, 2): what its open roll gives the other, if the roller may go and thus prevent it."""
    none: Any
    """int64 (figures, 2), noughts: of rolls whose gains are all summed."""
    scratch: Any
    """int64 (figures, 2), for the roll in hand."""
    over: Any
    """bool (units,): whether it has ended."""
    theirs: Any
    """int64 (units,): units in which a player of the kernel is to roll."""


NEXT, WRITTEN, PLAYS_WRITTEN, THEIRS = 0, 1, 2, 3
"""How far a step has come: the next entry to take up; rolls opened, plays listed and units in `Memory.theirs`."""


@kernel
def sum_others(figures: Any, gains: Any, kept: Any, mover: int, asked: bool) -> None:
    """Sum what an open roll gives the other, or keep it while the roller may still go."""
    if asked:
        for figure in range(N_FIGURES):
            kept[figure, 0], kept[figure, 1] = gains[figure, 0], gains[figure, 1]
    else:
        tally(figures, gains, mover, True)


@inlined
def open_next(
    rules: Any,
    unit: Any,
    place: int,
    seed: int,
    figures: Any,
    memory: Any,
    plays: Any,
    rolls: Any,
    written: int,
) -> int:
    """Open the next roll of a unit as entry `written` of `rolls`; return how many plays it has, 0 if it ends."""
    over, listed, gain, others_gain, asked = open_roll(
        rules, unit, seed, memory.streams[place], plays, memory.scratch, figures
    )
    if over:
        return 0
    if others_gain:
        sum_others(figures, memory.scratch, memory.gains[place], unit.roller, asked)
    rolls.places[written] = place
    rolls.gain[written], rolls.others_gain[written], rolls.may_go[written] = gain, others_gain, asked
    return listed


@inlined
def close_next(
    rules: Any, unit: Any, place: int, figures: Any, memory: Any, rolls: Any, k: int, choice: int, deed: int
) -> bool:
    """Close entry `k` of `rolls` as was chosen; tell whether that ended the unit."""
    taken, asked = rolls.offsets[k] + choice, rolls.may_go[k]
    return close_roll(
        rules,
        unit,
        memory.streams[place],
        memory.gains[place] if asked else memory.none,
        figures,
        rolls.plays[taken, 0],
        rolls.plays[taken, 1],
        rolls.gain[k],
        rolls.others_gain[k],
        deed if asked else HOLD,
    )


@kernel
def step(
    rules: Any,
    own: Any,
    units: Any,
    seed: int,
    figures: Any,
    memory: Any,
    before: Any,
    count: int,
    after: Any,
    choices: Any,
    deeds: Any,
    closes: bool,
    progress: Any,
) -> None:
    """Close the first `count` rolls of `before` and open the next of the same units in `after`.

    `own`, bool (players,): who chooses from outside; where another is to roll, the unit goes to `memory.theirs`.
    `choices`, `deeds`, int64 (count,): what was chosen; `closes`: False where the units of `before` have no open
    roll; `progress`, int64 (4,): where to go on, and how far the step came, which stops where `after` has no more
    room.
    """
    k, written, at, theirs = progress[NEXT], progress[WRITTEN], progress[PLAYS_WRITTEN], progress[THEIRS]
    while k < count and at + MAX_PLAYS <= len(after.plays):
        place = before.places[k]
        unit = units[place]
        over = False
        if closes:
            over = close_next(rules, unit, place, figures, memory, before, k, choices[k], deeds[k])
        if not over:
            over = is_capped(unit)
        if not over:
            if own[unit.seats[unit.roller]]:
                plays = after.plays[at : at + MAX_PLAYS]
                listed = open_next(rules, unit, place, seed, figures, memory, plays, after, written)
                over = listed == 0
                if listed:
                    after.words[written] = word_for(unit, memory.streams[place], PLAYS, seed)
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
    def step_units(
        rules: Any,
        own: Any,
        units: Any,
        seed: int,
        figures: Any,
        memory: Any,
        before: Any,
        count: int,
        after: Any,
        choices: Any,
        deeds: Any,
        closes: bool,
        progress: Any,
    ) -> int:
        """Close and open rolls as `step` does."""
        step(
            rules[0],
            own,
            units,
            seed,
            figures,
            memory,
            before,
            count,
            after,
            choices,
            deeds,
            closes,
            progress,
        )
        return source_hash

    @entry
    def first_wrong(choices: Any, offsets: Any) -> tuple[int, int]:
        """Return the first roll that has no play of the number chosen, -1 if each has."""
        for k in range(len(choices)):
            if not 0 <= choices[k] < offsets[k + 1] - offsets[k]:
                return k, source_hash
        return -1, source_hash

    @entry
    def draw_plays(words: Any, limits: Any, drawn: Any) -> int:
        """Turn the random word of each roll into a number below its limit."""
        for k in range(len(words)):
            drawn[k] = below(limits[k], words[k])
        return source_hash

    @entry
    def draw_goings(
        units: Any, places: Any, may_go: Any, streams: Any, seed: int, limits: Any, drawn: Any
    ) -> int:
        """Draw a number below each limit from the stream of the roller's goings; 0 where he may not go."""
        for k in range(len(places)):
            place, drawn[k] = places[k], 0
            if may_go[k]:
                drawn[k] = below(limits[k], word_for(units[place], streams[place], GOING, seed))
        return source_hash

    @entry
    def choices_of(
        rules: Any,
        players: Any,
        units: Any,
        places: Any,
        offsets: Any,
        plays: Any,
        streams: Any,
        seed: int,
        choices: Any,
    ) -> int:
        """Enter the play that the first of `players` would take on each roll."""
        for k in range(len(places)):
            unit = units[places[k]]
            other, count = 1 - unit.roller, offsets[k + 1] - offsets[k]
            if players[0].choice == RANDOM:
                choices[k] = below(count, word_for(unit, streams[places[k]], PLAYS, seed))
            else:
                listed = plays[offsets[k] : offsets[k + 1]]
                choices[k] = best_play(rules[0], players[0], unit.low[other], unit.high[other], listed, count)
        return source_hash

    @entry
    def deeds_of(
        rules: Any,
        players: Any,
        units: Any,
        places: Any,
        offsets: Any,
        plays: Any,
        choices: Any,
        others_gain: Any,
        may_go: Any,
        streams: Any,
        seed: int,
        deeds: Any,
    ) -> int:
        """Enter what the rollers do where they may go, having chosen these plays, if they have a decision."""
        for k in range(len(places)):
            if may_go[k]:
                unit = units[places[k]]
                player = players[unit.seats[unit.roller]]
                if player.decision != OWN:
                    low, high = plays[offsets[k] + choices[k], 0], plays[offsets[k] + choices[k], 1]
                    word = word_for(unit, streams[places[k]], GOING, seed)
                    deeds[k] = deed_of(rules[0], player, unit, unit.roller, others_gain[k], low, high, word)
        return source_hash

    @entry
    def outcomes_of_going(rules: Any, mine: Any, others: Any, outcomes: Any) -> int:
        """Enter what going does to who has so many holes against so many."""
        for k in range(len(mine)):
            outcomes[k] = outcome_of_going(rules[0], mine[k], others[k])
        return source_hash

    @entry
    def enter_features(units: Any, places: Any, offsets: Any, plays: Any, reach: Any, features: Any) -> int:
        """Enter what each play has of the features, in a column for each: 11 of float32 (p,).

        `reach`, int32 (p,), is memory for what the other's men reach. The second loop has no branch and knows how
        far apart the words lie, so that the machine takes several plays at once.
        """
        for k in range(len(places)):
            unit = units[places[k]]
            other = 1 - unit.roller
            reached = within_reach_of(mirrored(occupied(unit.low[other], unit.high[other])))
            for play in range(offsets[k], offsets[k + 1]):
                reach[play] = reached
        words = plays.reshape(-1)
        near, far, petit, grand, retour, made_grand, full, nearly, spare, coin, talon = features
        for k in range(len(reach)):
            found = features_of(words[2 * k], words[2 * k + 1], reach[k])
            near[k], far[k], petit[k], grand[k], retour[k], made_grand[k] = found[:6]
            full[k], nearly[k], spare[k], coin[k], talon[k] = found[6:]
        return source_hash

    @entry
    def count_men(words: Any, men: Any) -> int:
        """Enter the men on each place of boards, int64 (n, 2): arrows 1 to 24 and, of 25, the bar."""
        for k in range(len(words)):
            low, high = words[k, 0], words[k, 1]
            for place in range(men.shape[1]):
                men[k, place] = (
                    (low >> place & 1)
                    + 2 * (low >> (place + 32) & 1)
                    + 4 * (high >> place & 1)
                    + 8 * (high >> (place + 32) & 1)
                )
        return source_hash

    @entry
    def first_best(values: Any, offsets: Any, best: Any) -> tuple[int, int]:
        """Enter the place of the greatest value among the plays of each roll, the first of equals.

        Place and value are held by name, so that the machine picks them without a jump that it cannot foresee.
        Return the first roll with a value that is no number, at which it stops; -1 if there is none.
        """
        for k in range(len(best)):
            first = offsets[k]
            at, most = first, values[first]
            none = most != most  # only what is no number differs from itself
            for place in range(first + 1, offsets[k + 1]):
                value = values[place]
                none |= value != value
                if value > most:
                    at, most = place, value
            if none:
                return k, source_hash
            best[k] = at - first
        return -1, source_hash

    return (
        step_units,
        first_wrong,
        draw_plays,
        draw_goings,
        choices_of,
        deeds_of,
        outcomes_of_going,
        enter_features,
        count_men,
        first_best,
    )


(
    step_units,
    first_wrong,
    draw_plays,
    draw_goings,
    choices_of,
    deeds_of,
    outcomes_of_going,
    enter_features,
    count_men,
    first_best,
) = _build(SOURCE_HASH)
