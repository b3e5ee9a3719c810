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
from simkit.kernel.records import HOLD, RANDOM
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
    while progress[NEXT] < count and progress[PLAYS_WRITTEN] + MAX_PLAYS <= len(after.plays):
        k, written, at = progress[NEXT], progress[WRITTEN], progress[PLAYS_WRITTEN]
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
                    after.offsets[written + 1] = at + listed
                    progress[WRITTEN], progress[PLAYS_WRITTEN] = written + 1, at + listed
            else:
                memory.theirs[progress[THEIRS]] = place
                progress[THEIRS] += 1
        memory.over[place] = over
        progress[NEXT] += 1


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
    def draw_below(
        units: Any, places: Any, streams: Any, seed: int, going: bool, limits: Any, drawn: Any
    ) -> int:
        """Draw a number below each limit from the stream of the roller's plays, or of his goings."""
        purpose = GOING if going else PLAYS
        for k in range(len(places)):
            place = places[k]
            drawn[k] = below(limits[k], word_for(units[place], streams[place], purpose, seed))
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
        taken: Any,
        others_gain: Any,
        may_go: Any,
        streams: Any,
        seed: int,
        deeds: Any,
    ) -> int:
        """Enter whether the first of `players` would go, were he to take these plays; `taken`, int64 (n, 2)."""
        for k in range(len(places)):
            unit = units[places[k]]
            deeds[k] = HOLD
            if may_go[k]:
                word = word_for(unit, streams[places[k]], GOING, seed)
                deeds[k] = deed_of(
                    rules[0], players[0], unit, unit.roller, others_gain[k], taken[k, 0], taken[k, 1], word
                )
        return source_hash

    @entry
    def outcomes_of_going(rules: Any, mine: Any, others: Any, outcomes: Any) -> int:
        """Enter what going does to who has so many holes against so many."""
        for k in range(len(mine)):
            outcomes[k] = outcome_of_going(rules[0], mine[k], others[k])
        return source_hash

    @entry
    def enter_features(others: Any, offsets: Any, plays: Any, features: Any) -> int:
        """Enter what each play has of the features; `others`, int64 (n, 2), the adverse words of each roll."""
        for k in range(len(others)):
            other = mirrored(occupied(others[k, 0], others[k, 1]))
            reach = within_reach_of(other)
            for play in range(offsets[k], offsets[k + 1]):
                found = features_of(plays[play, 0], plays[play, 1], reach)
                for place in range(len(found)):
                    features[play, place] = found[place]
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
    def first_best(values: Any, offsets: Any, best: Any) -> int:
        """Enter the place of the greatest value among the plays of each roll, the first of equals."""
        for k in range(len(best)):
            first = offsets[k]
            best[k] = 0
            for place in range(first + 1, offsets[k + 1]):
                if values[place] > values[first + best[k]]:
                    best[k] = place - first
        return source_hash

    return (
        step_units,
        draw_below,
        choices_of,
        deeds_of,
        outcomes_of_going,
        enter_features,
        count_men,
        first_best,
    )


(
    step_units,
    draw_below,
    choices_of,
    deeds_of,
    outcomes_of_going,
    enter_features,
    count_men,
    first_best,
) = _build(SOURCE_HASH)
