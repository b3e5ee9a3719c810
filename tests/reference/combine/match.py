"""A match of combiné on the board: rolls in the order of rules.md 4.1, holes and decisions as II.7 has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..awards import roll, totals
from ..board import COIN, Counts, counts_of, start
from ..game import Dice, draw_first_throw
from ..options import CLASSICAL, Options
from ..plays import ALL_OFF, LegalPlays
from ..score import Score, mark, may_go, restart_after_sortie
from ..written import next_set_leader
from .basket import Basket
from .game import ECRIRE_SCORED, Combined, CombinedRules, GameEnded, SetEnded


@dataclass
class Counted:
    """What is counted of one set: of its final attempt, and of its attempts done over."""

    rolls: int = 0
    settings: int = 1
    rolls_do_overs: int = 0
    settings_do_overs: int = 0
    sorties: int = 0
    stalls: int = 0
    tail_rolls: int = 0
    """Rolls between a set scored by suspension and the pickup after it."""
    written_suspended: list[int] = field(default_factory=lambda: [0, 0])
    honours_suspended: list[int] = field(default_factory=lambda: [0, 0])
    scored_by_suspension: bool = False

    def begin_again(self) -> None:
        self.rolls_do_overs += self.rolls
        self.settings_do_overs += self.settings
        self.rolls, self.settings = 0, 1


@dataclass
class CombinedTable:
    """A match under way on the board. `throw`, `choose_play` and `choose` are asked, and see the table.

    `unit_no` is the set, from 0, and one more while the honours game is played on after the last; `starts` counts
    how often the men have started again within it.
    """

    rules: CombinedRules
    throw: Callable[[CombinedTable], Dice]
    choose_play: Callable[[CombinedTable, Dice, LegalPlays], Counts]
    choose: Callable[[CombinedTable, list[str]], str]
    draw: Callable[[], Dice]
    options: Options = CLASSICAL
    set_first_die: str = "alternate"

    state: Combined = field(init=False)
    score: Score = field(default_factory=Score)
    men: list[Counts] = field(default_factory=lambda: [counts_of(start()), counts_of(start())])
    roll_number: list[int] = field(default_factory=lambda: [0, 0])
    took_coin: list[bool] = field(default_factory=lambda: [False, False])
    quiet_rolls: int = 0
    roller: int = 0
    first: int = 0
    leaders: list[int] = field(default_factory=list)
    """Who threw first in each set."""
    unit_no: int = 0
    starts: int = 0
    counted: list[Counted] = field(default_factory=lambda: [Counted()])
    opening: list[Dice | None] = field(default_factory=lambda: [None, None])
    dice_again: Dice | None = None
    first_dice: Dice | None = None
    game_rolls: list[int] = field(default_factory=list)
    """For each honours game that has ended, the roll of its set, do-overs included."""

    def __post_init__(self) -> None:
        self.state = Combined(rules=self.rules, basket=Basket(self.rules.pool))
        self.first, self.first_dice = draw_first_throw(self.options.first_roll_method, self.draw)
        self.roller = self.first
        self.leaders.append(self.first)

    @property
    def now(self) -> Counted:
        return self.counted[-1]

    def play(self, most_rolls: int) -> bool:
        """Play to the end, or for so many rolls; tell whether the match is over."""
        for _ in range(most_rolls):
            if self.state.over:
                break
            self.play_roll()
        return self.state.over

    # ---------------------------------------------------------------- a roll

    def next_dice(self) -> Dice:
        dice = self.first_dice or self.dice_again or self.throw(self)
        self.first_dice = self.dice_again = None
        return dice

    def play_roll(self) -> None:
        who, other = self.roller, 1 - self.roller
        self.now.rolls += 1
        if self.state.suspended == ECRIRE_SCORED:
            self.now.tail_rolls += 1
        self.roll_number[who] += 1
        dice = self.next_dice()
        mine, his = self.men[who], self.men[other]
        plays, found = roll(
            mine,
            his,
            dice,
            self.roll_number[who],
            self.options,
            took_coin=self.took_coin[who],
            rencontre=self.is_rencontre(who, dice),
        )
        points, others_points = totals(found)
        holes = mark(self.score, who, points, self.options)
        if holes:
            self.make_holes(who, holes, own_die=True)
            if self.state.over:
                return
            if may_go(ALL_OFF in plays.positions, self.options):
                if self.options.opponent_marks_on_go:
                    if self.other_marks(other, others_points):
                        return
                    others_points = 0
                if self.decide(who):
                    return
        after = self.choose_play(self, dice, plays)
        assert after in plays.positions, "a play must be one of the legal ones"
        self.men[who] = after
        self.took_coin[who] = mine[COIN - 1] < 2 <= after[COIN - 1]
        scored = sum(totals(found)) > 0
        self.quiet_rolls = 0 if scored else self.quiet_rolls + 1
        if self.other_marks(other, others_points):
            return
        if after == ALL_OFF:
            self.restart_after_sortie(dice)
        elif self.quiet_rolls == self.options.stall_limit:
            self.now.stalls += 1
            self.put_men_back(other)
        else:
            self.roller = other

    def is_rencontre(self, who: int, dice: Dice) -> bool:
        """3.7: the second player's first roll of the set is the first player's."""
        his_first = self.opening[who] is None
        if his_first:
            self.opening[who] = dice
        opening = self.opening[self.first]
        return who != self.first and his_first and opening is not None and sorted(opening) == sorted(dice)

    def other_marks(self, other: int, points: int) -> bool:
        """4.1, step 5; tell whether that ended the match."""
        holes = mark(self.score, other, points, self.options) if points else 0
        if holes:
            self.make_holes(other, holes, own_die=False)
        return self.state.over

    def make_holes(self, who: int, holes: int, *, own_die: bool) -> None:
        ends = len(self.state.ended)
        self.state.make_holes(who, holes, own_die=own_die)
        self.game_rolls += [self.now.rolls + self.now.rolls_do_overs] * (len(self.state.ended) - ends)

    def restart_after_sortie(self, dice: Dice) -> None:
        """M22: the men start again; with `sortie_single_roll_convention` the same dice are the next roll."""
        self.now.sorties += 1
        restart_after_sortie(self.score, self.options)
        self.put_men_back(self.roller)
        if self.options.sortie_single_roll_convention:
            self.dice_again = dice

    def put_men_back(self, roller: int) -> None:
        self.men = [counts_of(start()), counts_of(start())]
        self.roll_number, self.took_coin = [0, 0], [False, False]
        self.quiet_rolls, self.starts, self.roller = 0, self.starts + 1, roller

    # ---------------------------------------------------------------- going

    def decide(self, who: int) -> bool:
        """Ask the scorer, and do it; tell whether the men have started again or the match is over."""
        word = self.choose(self, self.state.options(who, own_die=True))
        was_scored, was_decided = self.state.suspended == ECRIRE_SCORED, self.state.decided
        sets, ends = self.state.set_no + self.state.sets_over, len(self.state.ended)
        self.state.decide(who, word, own_die=True)
        done_over = any(isinstance(one, SetEnded) and one.winner is None for one in self.state.ended[ends:])
        if done_over:
            self.now.begin_again()
        self.now.written_suspended[who] += word == "suspend_ecrire"
        self.now.honours_suspended[who] += word == "suspend_honours"
        if word == "suspend_ecrire" and len(self.state.ended) > ends and not done_over:
            self.now.scored_by_suspension = True
        if self.state.over:
            return True
        if self.state.set_no + self.state.sets_over > sets:
            self.next_unit(who)
            return True
        if not word.startswith("go"):
            return False
        self.score = Score()
        if was_scored and not was_decided:  # the set that was to be done over begins
            self.now.rolls_do_overs += self.now.rolls
            self.now.rolls = 0
            self.put_men_back(self.first)
        elif done_over:
            self.put_men_back(self.first)
        else:
            self.now.settings += 1
            self.put_men_back(who)
        return True

    def next_unit(self, goer: int) -> None:
        """The next set begins, or the honours game is played on after the last."""
        self.unit_no += 1
        self.score = Score()
        self.put_men_back(goer)
        self.starts = 0
        self.opening = [None, None]
        self.counted.append(Counted())
        won = [one.winner for one in self.state.ended if isinstance(one, SetEnded) and one.winner is not None]
        self.first = next_set_leader(self.unit_no, self.leaders[0], self.first, won[-1], self.set_first_die)
        self.leaders.append(self.first)
        self.roller = self.first

    # ---------------------------------------------------------------- what is left

    def set_rows(self) -> list[dict[str, Any]]:
        """The rows of the sets that have been decided, with players called 1 and 2 (II.5.9)."""
        won = [one for one in self.state.ended if isinstance(one, SetEnded) and one.winner is not None]
        return [self.set_row(one, self.counted[place]) for place, one in enumerate(won)]

    def set_row(self, one: SetEnded, counted: Counted) -> dict[str, Any]:
        ledger = one.ledger
        assert one.winner is not None and ledger.first_scorer is not None
        row: dict[str, Any] = {
            "set_no": one.set_no,
            "first_player": self.leaders[one.set_no - 1] + 1,
            "first_scorer": ledger.first_scorer + 1,
            "winner": one.winner + 1,
            "ended_by": "win" if one.status == "won" else "concession",
            "do_overs": one.refaits,
            "rolls": counted.rolls,
            "settings": counted.settings,
            "rolls_do_overs": counted.rolls_do_overs,
            "settings_do_overs": counted.settings_do_overs,
            "sorties": counted.sorties,
            "stalls": counted.stalls,
            "scored_by_suspension": counted.scored_by_suspension,
            "rolls_after_scored": counted.tail_rolls,
        }
        for player in (0, 1):
            row |= {
                f"holes_{player + 1}": ledger.holes[player],
                f"holes_own_die_{player + 1}": ledger.holes_own_die[player],
                f"holes_other_die_{player + 1}": ledger.holes_other_die[player],
                f"run_intact_{player + 1}": ledger.run[player] == "intact",
                f"picked_up_{player + 1}": ledger.picked_up[player],
                f"reached_six_{player + 1}": ledger.holes[player] >= self.rules.set_min_holes,
                f"intact_at_six_{player + 1}": ledger.run_at_six[player] == "intact",
                f"written_suspended_{player + 1}": counted.written_suspended[player],
                f"honours_suspended_{player + 1}": counted.honours_suspended[player],
            }
        return row

    def game_rows(self) -> list[dict[str, Any]]:
        """The rows of the honours games that have ended."""
        games = [one for one in self.state.ended if isinstance(one, GameEnded)]
        rolls = zip(games, self.game_rolls, strict=True)
        return [self.game_row(number, *pair) for number, pair in enumerate(rolls, start=1)]

    @staticmethod
    def game_row(number: int, one: GameEnded, roll: int) -> dict[str, Any]:
        ledger = one.ledger
        row: dict[str, Any] = {
            "game_no": number,
            "set_no": one.set_no,
            "winner": one.winner + 1,
            "first_scorer": 0 if ledger.first_scorer is None else ledger.first_scorer + 1,
            "after_scored": one.after_scored,
            "roll": roll,
        }
        for player in (0, 1):
            row |= {
                f"holes_{player + 1}": ledger.holes[player],
                f"holes_own_die_{player + 1}": ledger.holes_own_die[player],
                f"run_intact_{player + 1}": ledger.run[player] == "intact",
            }
        return row
