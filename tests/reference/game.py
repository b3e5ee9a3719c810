"""One unit played to its end: a partie, or a set of the written game with its do-overs.

The order of a roll is that of rules.md 4.1, 4.7 and II.3; the row a unit leaves is that of II.5.9.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from . import written
from .awards import Award, roll, totals
from .board import COIN, Counts, counts_of, start
from .options import CLASSICAL, Options
from .plays import ALL_OFF, LegalPlays
from .score import Score, holes_of, mark, may_go, restart_after_sortie
from .written import Ledger

Dice = tuple[int, int]


@dataclass
class Table:
    """All there is to see. Men in each player's own count; his rolls since the men were on the talons."""

    men: list[Counts]
    score: Score = field(default_factory=Score)
    ledger: Ledger = field(default_factory=Ledger)
    roll_number: list[int] = field(default_factory=lambda: [0, 0])
    do_overs: int = 0
    took_coin: list[bool] = field(default_factory=lambda: [False, False])
    """Whether each player's last roll since the men started took his coin (`mezeas_window`)."""
    quiet_rolls: int = 0
    """Rolls in a row, since the men started, that gave neither player points (`stall_limit`)."""

    def put_men_back(self) -> None:
        """Both sides return to their talons: after going (4.4), after a sortie (M22), and when play stalls."""
        self.men = [counts_of(start()), counts_of(start())]
        self.roll_number = [0, 0]
        self.took_coin = [False, False]
        self.quiet_rolls = 0


@dataclass(frozen=True)
class HoleEvent:
    """Holes made by one mark (II.3). `then` is `hold`, or what going did; None on the other's die."""

    by: int
    holes: int
    own_die: bool
    then: str | None


@dataclass(frozen=True)
class Rolled:
    """One roll as it was played, for transcripts and invariants. `after` is None when the mover went."""

    roller: int
    dice: Dice
    before: tuple[Counts, Counts]
    awards: tuple[Award, ...]
    unplayed: int
    after: Counts | None
    score: Score


ChoosePlay = Callable[[Table, int, Dice, LegalPlays], Counts]
"""(table, mover, dice, legal plays) -> one of the positions."""
ChooseGo = Callable[[Table, int, Dice, list[str]], str]
"""(table, scorer, dice, options) -> one of the options; asked before the roll is played (4.4)."""


def draw_first_throw(method: str, throw: Callable[[], Dice]) -> tuple[int, Dice | None]:
    """4.6: who throws first, and his first roll if the draw is played; equal dice are thrown again.

    `throw` gives the dice of players 0 and 1.
    """
    while True:
        dice = throw()
        if dice[0] != dice[1]:
            first = 0 if dice[0] > dice[1] else 1
            return first, dice if method == "draw_is_first_throw" else None


@dataclass
class Unit:
    """A unit in play. `kind` is `partie` (ends at `options.holes_to_win`) or `set` (II.5.1)."""

    kind: str
    first: int
    throw: Callable[[], Dice]
    choose_play: ChoosePlay
    choose_go: ChooseGo
    options: Options = CLASSICAL
    first_dice: Dice | None = None
    max_rolls: int | None = None
    set_min_holes: int = 6
    max_holes: int | None = None
    """The hole at which a set ends, won by who reaches it on either die (`max_holes_per_set`)."""
    table: Table = field(default_factory=lambda: Table([counts_of(start()), counts_of(start())]))

    events: list[HoleEvent] = field(default_factory=list)
    history: list[Rolled] = field(default_factory=list)
    rolls: int = 0
    settings: int = 1
    rolls_do_overs: int = 0
    settings_do_overs: int = 0
    sorties: int = 0
    stalls: int = 0
    """How often the men started again because nobody scored; such a restart is no pickup and no new setting."""
    opening_dice: list[Dice | None] = field(default_factory=lambda: [None, None])
    """The first roll of each player in this unit, do-overs or not (`jan_de_rencontre_enabled`)."""
    dice_again: Dice | None = None
    """The dice of a sortie that are also the next roll (`sortie_single_roll_convention`)."""

    def __post_init__(self) -> None:
        assert self.kind == "partie" or self.options.go_enabled, "a set ends by going"

    def play(self) -> dict[str, Any]:
        """Play to the end and return the row of II.5.9, with players called 1 and 2."""
        roller, dice = self.first, self.first_dice
        while self.max_rolls is None or self.rolls + self.rolls_do_overs < self.max_rolls:
            ended = self.play_roll(roller, dice or self.next_dice())
            dice = None
            if isinstance(ended, int):
                roller = ended
            else:
                return self.row(*ended)
        return self.row(None, "capped")

    def next_dice(self) -> Dice:
        """The dice of the next roll: thrown, or those of the sortie again (`sortie_single_roll_convention`)."""
        dice, self.dice_again = self.dice_again, None
        return dice or self.throw()

    def play_roll(self, roller: int, dice: Dice) -> int | tuple[int, str]:
        """One roll in the order of 4.1: the next roller, or winner and manner if the unit is over."""
        table, other = self.table, 1 - roller
        self.rolls += 1
        table.roll_number[roller] += 1
        before = (table.men[0], table.men[1])
        mine, his = before[roller], before[other]
        plays, found = roll(
            mine,
            his,
            dice,
            table.roll_number[roller],
            self.options,
            took_coin=table.took_coin[roller],
            rencontre=self.is_rencontre(roller, dice),
        )
        mover_points, other_points = totals(found)

        def note(after: Counts | None) -> None:
            self.history.append(
                Rolled(roller, dice, before, tuple(found), plays.unplayed, after, table.score.copy())
            )

        made = mark(table.score, roller, mover_points, self.options)
        if made:
            self.enter(roller, made, own_die=True)
            choice = self.decide(roller, dice, other_points, sortie=ALL_OFF in plays.positions)
            self.events.append(HoleEvent(roller, made, own_die=True, then=choice))
            if choice == "game_over":
                note(None)
                return roller, "win"
            if choice != "hold":
                won = self.options.opponent_marks_on_go and self.other_marks(other, other_points)
                ended = (other, "win") if won else self.go(roller, choice)
                note(None)
                return ended
        after = self.choose_play(table, roller, dice, plays)
        assert after in plays.positions, "a play must be one of the legal ones"
        table.men[roller] = after
        table.took_coin[roller] = mine[COIN - 1] < 2 <= after[COIN - 1]
        table.quiet_rolls = 0 if mover_points or other_points else table.quiet_rolls + 1
        won = self.other_marks(other, other_points)
        if after == ALL_OFF and not won:
            self.restart_after_sortie(dice)
        note(after)
        if won:
            return other, "win"
        if after == ALL_OFF:
            return roller
        if table.quiet_rolls == self.options.stall_limit:
            table.put_men_back()
            self.stalls += 1
        return other

    def is_rencontre(self, roller: int, dice: Dice) -> bool:
        """3.7: the second player's first roll of the unit is the first player's, whichever die fell first."""
        is_his_first = self.opening_dice[roller] is None
        if is_his_first:
            self.opening_dice[roller] = dice
        opening = self.opening_dice[self.first]
        if roller == self.first or opening is None:
            return False
        return is_his_first and sorted(opening) == sorted(dice)

    def other_marks(self, other: int, points: int) -> bool:
        """4.1, step 5: the other marks what the roll gave him; whether that ends a partie."""
        table = self.table
        received = mark(table.score, other, points, self.options)
        if received:
            self.enter(other, received, own_die=False)
            self.events.append(HoleEvent(other, received, own_die=False, then=None))
        return self.is_over(other)

    def enter(self, who: int, holes: int, *, own_die: bool) -> None:
        written.enter_holes(self.table.ledger, who, holes, own_die, self.set_min_holes, self.last_hole)

    @property
    def last_hole(self) -> int | None:
        """The hole that ends the unit, beyond which none counts (II.4; `max_holes_per_set`)."""
        return self.options.holes_to_win if self.kind == "partie" else self.max_holes

    def is_over(self, who: int) -> bool:
        """Whether the holes of `who` end the unit, on whichever die they came."""
        return self.last_hole is not None and self.table.ledger.holes[who] >= self.last_hole

    def restart_after_sortie(self, dice: Dice) -> None:
        """M22: the men start again; with `sortie_single_roll_convention` the same dice are the next roll."""
        self.sorties += 1
        restart_after_sortie(self.table.score, self.options)
        self.table.put_men_back()
        if self.options.sortie_single_roll_convention:
            self.dice_again = dice

    def decide(self, roller: int, dice: Dice, other_points: int, *, sortie: bool) -> str:
        """Ask hold or go where there is a choice.

        With `opponent_marks_on_go` what going does in a set is judged by the holes after the whole roll (II.5.1),
        those included that the other is about to mark.
        """
        if self.is_over(roller):
            return "game_over"
        going = may_go(sortie, self.options)
        ledger = self.table.ledger
        if self.kind == "partie":
            choices = written.partie_options(ledger, roller, True, self.options.holes_to_win, going)
        else:
            if self.options.opponent_marks_on_go:
                ledger = deepcopy(ledger)
                received = holes_of(self.table.score, 1 - roller, other_points, self.options)
                if received:
                    written.enter_holes(
                        ledger, 1 - roller, received, False, self.set_min_holes, self.max_holes
                    )
            choices = written.set_options(ledger, roller, True, self.set_min_holes, going)
        if len(choices) == 1:
            return choices[0]
        choice = self.choose_go(self.table, roller, dice, choices)
        assert choice in choices, "a decision must be one of the options"
        return choice

    def go(self, who: int, choice: str) -> int | tuple[int, str]:
        """4.4 and II.5.1: points wiped, men back, and in a written set perhaps its end."""
        table = self.table
        table.score.wipe_points()
        table.put_men_back()
        if choice == "go":
            written.pick_up(table.ledger, who)
            self.settings += 1
            return who
        if choice == "go:win":
            return who, "win"
        if choice == "go:concede":
            return 1 - who, "concession"
        table.do_overs += 1
        table.ledger = Ledger()
        table.score = Score()
        self.rolls_do_overs += self.rolls
        self.settings_do_overs += self.settings
        self.rolls, self.settings = 0, 1
        return self.first

    def row(self, winner: int | None, ended_by: str) -> dict[str, Any]:
        ledger = self.table.ledger
        row: dict[str, Any] = {
            "first_player": self.first + 1,
            "first_scorer": 0 if ledger.first_scorer is None else ledger.first_scorer + 1,
            "winner": 0 if winner is None else winner + 1,
            "ended_by": ended_by,
            "do_overs": self.table.do_overs,
            "rolls": self.rolls,
            "settings": self.settings,
            "rolls_do_overs": self.rolls_do_overs,
            "settings_do_overs": self.settings_do_overs,
            "sorties": self.sorties,
            "stalls": self.stalls,
        }
        for player in (0, 1):
            row |= {
                f"holes_{player + 1}": ledger.holes[player],
                f"holes_own_die_{player + 1}": ledger.holes_own_die[player],
                f"holes_other_die_{player + 1}": ledger.holes_other_die[player],
                f"run_intact_{player + 1}": ledger.run[player] == "intact",
                f"picked_up_{player + 1}": ledger.picked_up[player],
                f"reached_six_{player + 1}": ledger.holes[player] >= self.set_min_holes,
                f"intact_at_six_{player + 1}": ledger.run_at_six[player] == "intact",
            }
        return row
