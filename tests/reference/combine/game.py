"""Two ledgers on one board: what holes enter, what a player may decide, how sets and honours games end (II.7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..written import (
    PRESETS,
    Ledger,
    enter_holes,
    outcome_of_going,
    partie_price,
    pick_up,
    value_of_ledger,
)
from .basket import Basket, PoolRules

ECRIRE_OPEN, ECRIRE_SCORED, HONOURS = "ecrire_open", "ecrire_scored", "honours"
"""What is suspended: a written set under way, the next one until a pickup, the honours game."""


class OrderError(Exception):
    """An event that cannot follow those before it."""


@dataclass(frozen=True)
class CombinedRules:
    """What combiné adds to the written game; the tariff of the sets is that of `ecrire_classical`."""

    sets: int = 12
    set_min_holes: int = 6
    target_holes: int = 12
    honours_double_max_loser_holes: int = 6
    continuation: bool = True
    """Whether the holes of an event beyond the twelfth open the next honours game."""
    suspension: bool = True
    suspend_when_behind: str = "freeze"
    """Suspending the written set below six, the other having six: `freeze`, `concede` or `forbid` (C17)."""
    last_set_scored: str = "until_pickup"
    """After a suspension has scored the last set: `until_pickup`, or `ends_match`."""
    unfinished_honours: str = "void"
    """The honours game under way when the last set ends: `void`, or `play_on`."""
    pool: PoolRules = field(default_factory=PoolRules)
    tariff: dict[str, Any] = field(default_factory=lambda: dict(PRESETS["ecrire_classical"]))


@dataclass(frozen=True)
class SetEnded:
    """A written set, or an attempt at one. `ended_by` is who went or suspended; of a do-over nobody is winner."""

    set_no: int
    status: str
    winner: int | None
    ended_by: int
    ledger: Ledger
    refaits: int
    value: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class GameEnded:
    """An honours game. `shares` is what the two sides take of the basket, None if it stays.

    `set_no` is one more than the last for a game played on after the sets; `after_scored` says that its set had
    been scored by suspension before.
    """

    set_no: int
    winner: int
    price: int
    ledger: Ledger
    paid: int
    in_basket: int
    shares: list[int] | None
    after_scored: bool = False


@dataclass
class Combined:
    """A match of combiné under way."""

    rules: CombinedRules = field(default_factory=CombinedRules)
    set_no: int = 1
    ecrire: Ledger = field(default_factory=Ledger)
    refaits: int = 0
    honours: Ledger = field(default_factory=Ledger)
    suspended: str | None = None
    suspender: int | None = None
    decided: bool = False
    """Whether the set has been won by a suspension, so that the next one awaits a pickup."""
    sets_over: bool = False
    """Whether the last set has ended; the match may then be played on for the honours game."""
    over: bool = False
    basket: Basket = field(default_factory=Basket)
    fish: list[int] = field(default_factory=lambda: [0, 0])
    """What the honours games have brought each side, the baskets apart."""
    ended: list[SetEnded | GameEnded] = field(default_factory=list)

    @property
    def ecrire_active(self) -> bool:
        return not self.sets_over and self.suspended not in (ECRIRE_OPEN, ECRIRE_SCORED)

    @property
    def is_last_set(self) -> bool:
        """Also of what is played on after it."""
        return self.set_no == self.rules.sets

    @property
    def honours_active(self) -> bool:
        return self.suspended != HONOURS

    # ---------------------------------------------------------------- holes

    def make_holes(self, who: int, holes: int, *, own_die: bool) -> None:
        """II.7.2: the holes of an event enter one by one, so that the twelfth splits them."""
        if self.over:
            raise OrderError("the match is over")
        counts = True
        for _ in range(holes):
            if self.over:
                return
            if self.ecrire_active:
                enter_holes(self.ecrire, who, 1, own_die, self.rules.set_min_holes)
            if self.honours_active and counts:
                enter_holes(self.honours, who, 1, own_die, self.rules.set_min_holes)
                if self.honours.holes[who] == self.rules.target_holes:
                    self.end_honours(who)
                    counts = self.rules.continuation

    def end_honours(self, winner: int) -> None:
        """The loser pays the price to the winner and to the basket; the next game begins (II.7.2, II.7.5)."""
        ledger, loser = self.honours, 1 - winner
        tariff = {
            "price_scheme": "honours",
            "honours_double_max_loser_holes": self.rules.honours_double_max_loser_holes,
        }
        price = partie_price(
            ledger.run[winner] == "intact", ledger.holes[loser], ledger.first_scorer == loser, tariff
        )
        paid = price * self.rules.pool.unit
        before = self.basket.is_open
        shares = self.basket.game_won(winner, price, last_set=self.is_last_set)
        self.fish[winner] += paid
        self.fish[loser] -= paid
        self.ended.append(
            GameEnded(
                set_no=self.set_no + self.sets_over,
                winner=winner,
                price=price,
                ledger=ledger,
                paid=paid,
                in_basket=paid if before else 0,
                shares=shares,
                after_scored=self.suspended == ECRIRE_SCORED,
            )
        )
        self.honours = Ledger()
        if self.sets_over:
            self.end_match()

    # ---------------------------------------------------------------- decisions

    def options(self, who: int, *, own_die: bool) -> list[str]:
        """II.7.3: what the scorer may do after his holes."""
        if self.over:
            return ["game_over"]
        if not own_die:
            return ["hold"]
        words = ["hold", "go" if self.outcome(who) == "pickup" else f"go:{self.outcome(who)}"]
        if self.suspended is None and not self.sets_over and self.rules.suspension:
            behind = self.ecrire.holes[who] < self.rules.set_min_holes <= self.ecrire.holes[1 - who]
            if not (behind and self.rules.suspend_when_behind == "forbid"):
                words.append("suspend_ecrire")
            words.append("suspend_honours")
        return words

    def outcome(self, who: int) -> str:
        """What going does in the written game: `pickup`, `win`, `refait` or `concede`."""
        return (
            outcome_of_going(self.ecrire, who, self.rules.set_min_holes) if self.ecrire_active else "pickup"
        )

    def decide(self, who: int, then: str, *, own_die: bool) -> None:
        """Do what the scorer decides; `go` may name its outcome, which must be right."""
        options = self.options(who, own_die=own_die)
        plain = [option.partition(":")[0] for option in options]
        if then not in options and then not in plain:
            raise OrderError(f"{then} is not open: {', '.join(options)}")
        if then == "suspend_ecrire":
            self.suspend_ecrire(who)
        elif then == "suspend_honours":
            self.suspended, self.suspender = HONOURS, who
        elif then.startswith("go"):
            self.go(who)

    def go(self, who: int) -> None:
        """A real pickup: it ends the written set from six on, and any suspension; never an honours game."""
        if self.ecrire_active:
            outcome = self.outcome(who)
            if outcome == "pickup":
                pick_up(self.ecrire, who)
            else:
                self.end_attempt(who, outcome)
        self.suspended = self.suspender = None
        if self.decided:
            self.next_set()

    def suspend_ecrire(self, who: int) -> None:
        """The suspender has gone in the written game only: from six on that ends the set, below it is frozen."""
        mine, his = self.ecrire.holes[who], self.ecrire.holes[1 - who]
        least, behind = self.rules.set_min_holes, self.rules.suspend_when_behind
        if mine >= least or (his >= least and behind == "concede"):
            self.end_attempt(who, outcome_of_going(self.ecrire, who, least))
            if self.decided and self.is_last_set and self.rules.last_set_scored == "ends_match":
                self.next_set()
            else:
                self.suspended, self.suspender = ECRIRE_SCORED, who
        else:
            self.ecrire.picked_up[who] = True
            self.suspended, self.suspender = ECRIRE_OPEN, who

    # ---------------------------------------------------------------- ends

    def end_attempt(self, who: int, outcome: str) -> None:
        """II.5.1: a set won or conceded, or to be done over."""
        ledger, self.ecrire = self.ecrire, Ledger()
        if outcome == "refait":
            self.refaits += 1
            self.ended.append(SetEnded(self.set_no, "refait", None, who, ledger, self.refaits))
            return
        winner = who if outcome == "win" else 1 - who
        value = value_of_ledger(ledger, winner, self.refaits, self.rules.tariff, self.rules.set_min_holes)
        status = "won" if outcome == "win" else "conceded"
        self.ended.append(SetEnded(self.set_no, status, winner, who, ledger, self.refaits, value))
        self.refaits, self.decided = 0, True

    def next_set(self) -> None:
        """The next set begins; after the last one only an honours game under way may be played on."""
        self.decided = False
        if not self.is_last_set:
            self.set_no += 1
            if self.is_last_set:
                self.basket.begin_last_set()
            return
        self.sets_over = True
        if self.rules.unfinished_honours == "void" or not any(self.honours.holes):
            self.end_match()

    def end_match(self) -> None:
        """Whose the basket then is, `Basket.end` tells."""
        self.over, self.suspended, self.suspender = True, None, None
