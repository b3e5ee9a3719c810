"""One roll of a match as the kernel played it: read off the unit before and after, never reckoned anew.

What was marked is what the engine added to its sums of figures; what a decision could have been is asked of the
engine itself, on a copy of the unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from simkit.combined import Both, of_unit
from simkit.drivers import Engine
from simkit.explain import Explained, Play, best, explain_roll, sequences
from simkit.kernel.records import (
    ENDED_BY,
    FREE,
    GO,
    JAN_DE_RENCONTRE,
    NOT_SUSPENDED,
    PLAYED_ON,
    SIX_TABLES,
    TO_THE_END,
    WRITTEN_OPEN,
    WRITTEN_SCORED,
)
from simkit.numbering import OURS, Numbering
from simkit.play import RUNS, Run, Score, after_go, legal_plays, mark
from simkit.position import MEN, Position, unpack
from simkit.rules import Combine, RuleSet

PICKUP, DO_OVER, WIN, CONCESSION = "pickup", "do_over", "win", "concession"
"""What going does."""
REPRISE, STALL = "reprise", "stall"
"""Why the men start again though nobody has gone: after bearing off, and for want of points."""


@dataclass(frozen=True)
class Gain:
    """What a roll gives one player.

    Attributes
    ----------
    player
        1 or 2.
    awards
        What he is given points for, with reasons.
    points
        Their sum.
    marked
        Whether he marks them; not if the other goes, or has ended the partie.
    before, after
        The score around it.
    holes
        Holes made of it, also those beyond the last of a partie, which `after` does not count.
    """

    player: int
    awards: tuple[Explained, ...]
    points: int
    marked: bool
    before: Score
    after: Score
    holes: int


@dataclass(frozen=True)
class Decision:
    """Hold or go, after a hole on one's own roll.

    `going` is what going did, or would have done: "pickup", "win", "do_over" or "concession". `suspends`: the game
    that he suspended instead, "ecrire" or "honours"; for the game that goes on he holds.
    """

    went: bool
    going: str
    suspends: str | None = None


@dataclass(frozen=True)
class Roll:
    """One roll of a set or partie. Players are 1 and 2; pairs are of these two.

    Attributes
    ----------
    number
        Within the set, do-overs included, from 1.
    attempt, setting
        Attempt at the set and setting (*relevé*) of that attempt, from 1.
    player
        Who throws.
    roll_of_player
        His rolls since the men last started, with this one.
    position
        The men before, in his numbers.
    before, after
        The score before the roll, and after all that follows from it; whoever goes leaves no points.
    gains
        What the roll gives him, then what it gives the other; left out where it gives nothing.
    decision
        None if there was none to take.
    play
        How he moved; None if he went or the partie was over.
    runs
        The runs of holes after the roll: "none", "intact" or "broken".
    restart
        Why the men start again after it: "pickup", "do_over", "reprise" or "stall".
    again
        Whether the same dice are thrown again, being also the first of the new start.
    ends
        How it ended the set: "win" or "concession".
    both
        Of trictrac combiné: both games after the roll, of a set that has ended the next one's empty ledger. The
        scores and runs keep the holes of a set scored by suspension up to the pickup.
    """

    number: int
    attempt: int
    setting: int
    player: int
    roll_of_player: int
    dice: tuple[int, int]
    position: Position
    before: Score
    gains: tuple[Gain, ...]
    decision: Decision | None
    play: Play | None
    after: Score
    runs: tuple[Run, Run]
    restart: str | None
    again: bool
    ends: str | None
    both: Both | None = None


@dataclass(frozen=True)
class Moment:
    """A roll as the engine plays it: unit records before and after, and what it added to the figures."""

    before: Any
    after: Any
    marked: Any
    over: bool


class WatchedEngine(Engine):
    """Plays the units of a single match roll by roll and keeps every roll, unit by unit."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.units: list[list[Moment]] = []

    def play(self, units: Any, forced: Any = FREE, most_rolls: int = TO_THE_END) -> Any:
        """Play on in place as every engine does; return which units are over."""
        over = np.zeros(len(units), np.bool_)
        moments: list[Moment] = []
        for _ in range(most_rolls if len(units) else 0):
            before, marked = units.copy(), self.figures.copy()
            over = super().play(units, forced, 1)
            if _rolls(units) > _rolls(before):  # a unit at its cap ends without a roll
                moments.append(Moment(before, units.copy(), self.figures - marked, bool(over[0])))
            if over[0]:
                break
            forced = FREE
        if len(units):
            self.units.append(moments)
        return over


def _rolls(units: Any) -> int:
    return int(units[0].rolls + units[0].rolls_do_overs)


@dataclass(frozen=True)
class Teller:
    """Turns the moments of a match into rolls.

    `engine` plays the same match and may be asked on copies of its units.
    """

    rules: RuleSet
    engine: Engine
    names: Numbering = OURS

    def roll(self, moment: Moment) -> Roll:
        """Tell one roll."""
        before, after = moment.before[0], moment.after[0]
        who = int(before.roller)
        dice = (int(after.thrown_1), int(after.thrown_2))
        score = score_of(after)
        position = standing(before, who)
        outcome = self._outcome(moment)
        gains = tuple(self._gains(moment, position, dice))
        restart = _restart(before, after, outcome)
        return Roll(
            number=_rolls(moment.before) + 1,
            attempt=int(before.do_overs) + 1 - awaits_do_over(before),
            setting=int(before.settings),
            player=who + 1,
            roll_of_player=int(before.rolls_of[who]) + 1,
            dice=dice,
            position=position,
            before=score_of(before),
            gains=gains,
            decision=self._decision(moment, outcome),
            play=None if outcome else self._play(moment, position, dice, restart),
            after=after_go(score) if outcome else score,
            runs=(RUNS[int(after.run[0])], RUNS[int(after.run[1])]),
            restart=restart,
            again=restart == REPRISE and bool(after.die_1),
            ends=ENDED_BY[int(after.ended_by)] if moment.over else None,
            both=of_unit(after, moment.over) if isinstance(self.rules.match, Combine) else None,
        )

    def _outcome(self, moment: Moment) -> str | None:
        """Say what the roller's going did; None if he did not go."""
        before, after = moment.before[0], moment.after[0]
        if suspended_by(moment):
            return None
        if resting(before) == WRITTEN_SCORED and resting(after) != WRITTEN_SCORED:
            return PICKUP  # the set had been scored before
        if not moment.over:
            if after.do_overs > before.do_overs:
                return DO_OVER
            return PICKUP if after.settings > before.settings else None
        held = self._asked(moment.before, 0)  # the last hole ends a partie for who holds, too
        end = (after.winner, after.ended_by)
        if held.over and (held.after[0].winner, held.after[0].ended_by) == end:
            return None
        return ENDED_BY[int(after.ended_by)]

    def _asked(self, before: Any, forced: int) -> Moment:
        """Play the same roll on a copy, with a play or a decision that is asked for."""
        units = before.copy()
        over = self.engine.play(units, forced, 1)
        return Moment(before, units, self.engine.figures, bool(over[0]))

    def _gains(self, moment: Moment, position: Position, dice: tuple[int, int]) -> Iterator[Gain]:
        """Tell what the roll gives the roller, then the other, and mark it in this order (rules.md 4.1)."""
        before = moment.before[0]
        who = int(before.roller)
        if not moment.marked.any():
            return  # whoever does not mark what is his lets the other mark first
        given = explain_roll(
            self.rules.trictrac_game,
            position,
            dice,
            roll_number=int(before.rolls_of[who]) + 1 if moment.marked[who, SIX_TABLES, 0] else None,
            took_coin=bool(before.took_coin[who]),
            met=bool(moment.marked[who, JAN_DE_RENCONTRE, 0]),
            names=self.names,
        )
        score, last_hole = score_of(before), int(self.engine.lowered.last_hole[0])
        rests = resting(before) in SET_RESTS
        for side, to, points in ((who, "mover", given.mover_points), (1 - who, "other", given.other_points)):
            if points:
                awards = tuple(one for one in given.awards if one.award.to == to)
                marked = bool(moment.marked[side].any())
                new, holes = mark(self.rules.trictrac_game, score, side, points) if marked else (score, 0)
                if rests:
                    new = replace(new, holes=score.holes)
                if last_hole:  # beyond it none is counted
                    new = replace(new, holes=(min(new.holes[0], last_hole), min(new.holes[1], last_hole)))
                yield Gain(side + 1, awards, points, marked, score, new, holes)
                score = new

    def _decision(self, moment: Moment, outcome: str | None) -> Decision | None:
        """Tell whether the roller went, and what going did or, asked on a copy, would have done."""
        if outcome:
            return Decision(True, outcome)
        suspends = suspended_by(moment)
        if not moment.marked[int(moment.before[0].roller)].any():
            return None
        going = self._outcome(self._asked(moment.before, GO))
        return Decision(False, going, suspends) if going else None

    def _play(
        self, moment: Moment, position: Position, dice: tuple[int, int], restart: str | None
    ) -> Play | None:
        """Tell how the roller moved; None if the partie ended before that."""
        men = self._men_after(moment, restart)
        if moment.over and all(
            men != one.mover for one in legal_plays(self.rules.trictrac_game, position, dice)
        ):
            return None
        ways = sequences(position.mover, dice)[men] if men != position.mover else [()]
        steps = best(self.rules.trictrac_game, position, dice, ways) if len(ways) > 1 else ways[0]
        return Play(steps, Position(men, position.other, (MEN - sum(men), position.off[1])))

    def _men_after(self, moment: Moment, restart: str | None) -> tuple[int, ...]:
        """Give the roller's men after his play, be it that all men have started again since."""
        who = int(moment.before[0].roller)
        unit = moment.after[0]
        if restart == REPRISE:
            return (0,) * 24
        if restart == STALL:
            before = moment.before.copy()
            before.quiet_rolls = -1  # the same roll with the limit far away
            unit = self._asked(before, FREE).after[0]
        return _men(int(unit.low[who]), int(unit.high[who]))


SET_RESTS = (WRITTEN_OPEN, WRITTEN_SCORED, PLAYED_ON)
"""Where the holes of trictrac combiné count for the honours alone."""


SUSPENSION = "suspension"


def resting(unit: Any) -> int:
    """Say what rests in a unit; of one game alone nothing does."""
    return int(unit[SUSPENSION]) if SUSPENSION in unit.dtype.names else NOT_SUSPENDED


def awaits_do_over(unit: Any) -> bool:
    """Tell whether a set that was suspended at equal holes awaits the pickup after which it is done over."""
    return resting(unit) == WRITTEN_SCORED and bool(unit.winner < 0)


def suspended_by(moment: Moment) -> str | None:
    """Name the game that the roll's decision has suspended: "ecrire" or "honours"."""
    before, after = moment.before[0], moment.after[0]
    if SUSPENSION not in before.dtype.names:
        return None
    for game, counter in (("ecrire", "written_suspended"), ("honours", "honours_suspended")):
        if (after[counter] > before[counter]).any():
            return game
    return None


def _restart(before: Any, after: Any, outcome: str | None) -> str | None:
    if after.start_no == before.start_no:
        return None
    if outcome == PICKUP and resting(before) == WRITTEN_SCORED:
        return DO_OVER  # of a set scored level before
    return outcome or (REPRISE if after.sorties > before.sorties else STALL)


_men = lru_cache(maxsize=1000)(unpack)  # a board is asked for again with every roll that leaves it


def standing(unit: Any, who: int) -> Position:
    """Give the men of a unit record, in player `who`'s numbers (0 or 1)."""
    low, high = unit.low, unit.high
    mine, his = (_men(int(low[side]), int(high[side])) for side in (who, 1 - who))
    return Position(mine, his[::-1], (MEN - sum(mine), MEN - sum(his)))


def score_of(unit: Any) -> Score:
    """Give the score of a unit record."""
    points, flags, holes = unit.points, unit.bredouille, unit.holes
    return Score(
        (int(points[0]), int(points[1])), (bool(flags[0]), bool(flags[1])), (int(holes[0]), int(holes[1]))
    )
