"""A match of trictrac combiné told by its holes and decisions alone, without a board.

What a hole or a decision does is asked of `simkit.combined`, and what is paid of `simkit.honours`; this module
keeps their order and refuses what cannot follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from simkit.combined import Both, EndedSet, HonoursGame, enter_holes, go, options, suspend
from simkit.errors import UsageError, clipped
from simkit.honours import Pools, game_classes
from simkit.pegs import Standing, standing
from simkit.rules import Combine, LastSetScored, UnfinishedHonours
from simkit.settle import set_values

Pair = tuple[int, int]
DIES: Final = ("own", "other")
DECISIONS: Final = ("hold", "go", "go:win", "go:refait", "go:concede", "suspend_ecrire", "suspend_honours")
MOST_HOLES: Final = 60
"""Holes that one event may have; six tables, all hits and a full jan make fewer."""
RESTS: Final = {
    "ecrire_open": "the written set",
    "ecrire_scored": "the written set, which is scored,",
    "honours": "the game of honours",
}
"""What is suspended, in words."""


class OrderError(UsageError):
    """An event that cannot follow those before it."""


@dataclass(frozen=True)
class HoleEvent:
    """Holes that a player (0 or 1) has made on one roll, and what he then does.

    `then` is hold, go, suspend_ecrire or suspend_honours, or go with its outcome as `go:win`; None on the other's
    die, where he holds.
    """

    by: int
    holes: int
    own_die: bool
    then: str | None = None


_NUMBER: Final = re.compile("[0-9]{1,4}")


@dataclass(frozen=True)
class Script:
    """Events written down, and how many sets the match has; None for as many as the rules say."""

    events: tuple[HoleEvent, ...]
    sets: int | None = None
    lines: tuple[int, ...] = field(default=(), compare=False)
    """The line of each event, from 1."""


def read_script(text: str) -> Script:
    """Read events, one to a line: player, holes, whose die, what he then does; `#` begins a remark.

    A first line `sets 8` says how many sets there are.

    Raises
    ------
    UsageError
        A line is neither, or there is no event; the message has its number.
    """
    events, lines, sets = list[HoleEvent](), list[int](), None
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if (
            words[:1] == ["sets"]
            and len(words) == 2
            and _NUMBER.fullmatch(words[1])
            and sets is None
            and not events
        ):
            sets = int(words[1])
        elif words[:1] == ["sets"]:
            raise UsageError(
                f"line {number}: '{clipped(' '.join(words))}'; {_misplaced(words, bool(events), sets)}"
            )
        elif words:
            events.append(_read_event(words, number))
            lines.append(number)
    if not events:
        raise UsageError(
            "there is no event: a line is a player, his holes, own or other, and what he does, as 1 2 own go"
        )
    return Script(tuple(events), sets, tuple(lines))


def _misplaced(words: list[str], after_events: bool, sets: int | None) -> str:
    """Say why a line of sets is none."""
    if after_events:
        return "how many sets there are must be the first line, before any event"
    if sets is not None:
        return "how many sets there are is said already"
    return "how many sets there are is a whole number up to 9999, as sets 8"


def _read_event(words: list[str], number: int) -> HoleEvent:
    who, holes, die, then = [*words, "", "", "", ""][:4]
    if len(words) not in (3, 4) or who not in ("1", "2") or die not in DIES or not _NUMBER.fullmatch(holes):
        large = (
            f"{clipped(holes)} holes are too many, 1 to {MOST_HOLES}; "
            if re.fullmatch("[0-9]{5,}", holes)
            else ""
        )
        raise UsageError(
            f"line {number}: '{clipped(' '.join(words))}'; {large}an event is a player (1 or 2), his holes, "
            "own or other (whose roll it was), and what he then does, as 1 2 own go"
        )
    if then and then not in DECISIONS:
        raise UsageError(f"line {number}: {clipped(then)} is no decision; one of {', '.join(DECISIONS)}")
    return HoleEvent(int(who) - 1, int(holes), die == "own", then or None)


@dataclass(frozen=True)
class PaidGame:
    """A finished game of honours and what was paid, in fish: to the winner, to the basket, out of the basket."""

    game: HonoursGame
    price: int
    paid: int
    into_basket: int
    drawn: Pair


@dataclass(frozen=True)
class Told:
    """A match after an event.

    Attributes
    ----------
    event
        What happened.
    set_no
        The set under way, from 1.
    both
        The two games.
    basket, contract
        Fish in the basket, and who has the contract; None for nobody.
    games, ended
        The games of honours that the event finished, and the set that it ended.
    over
        Whether the match is over.
    """

    event: HoleEvent
    set_no: int
    both: Both
    basket: int
    contract: int | None
    games: tuple[PaidGame, ...]
    ended: EndedSet | None
    over: bool
    set_min_holes: int

    @property
    def standing(self) -> Standing:
        """How pegs, banner and neckties stand."""
        both = self.both
        return standing(both.written, both.honours, both.suspended, set_min_holes=self.set_min_holes)


class ByHoles:
    """A match played by events, one after another.

    Parameters
    ----------
    match
        The rules; a match told so ends with its last set.
    sets
        How many sets it has, be it an odd number; those of the rules by default.
    start
        The games as the first event finds them.

    Raises
    ------
    UsageError
        No sets, or rules by which play goes on after the last set.
    """

    def __init__(self, match: Combine, *, sets: int | None = None, start: Both | None = None) -> None:
        self.match, self.sets = match, match.sets if sets is None else sets
        if self.sets < 1:
            raise UsageError(f"{self.sets} sets: a match has one at least")
        if match.combine_unfinished_honours is UnfinishedHonours.PLAY_ON:
            raise UsageError(
                "match.combine_unfinished_honours = play_on: a match told by its holes ends with its last set"
            )
        self.both = start or Both()
        self.set_no, self.number, self.over = 1, 0, False
        self.scored = False  # the set, by a suspension: the next one awaits the pickup
        self.fish = [0, 0]
        self._pools = Pools(1, match.settlement)

    def play(self, event: HoleEvent) -> Told:
        """Let an event happen.

        Raises
        ------
        OrderError
            It cannot follow those before it; the message says which event and why.
        """
        self.number += 1
        self._refuse(self.over, "the match is over, its last set has ended")
        self._refuse(event.by not in (0, 1), f"player {event.by}: 0 or 1")
        self._refuse(not 1 <= event.holes <= MOST_HOLES, f"{event.holes} holes: 1 to {MOST_HOLES}")
        set_no = self.set_no
        self.both, finished = enter_holes(self.match, self.both, event.by, event.holes, own_die=event.own_die)
        games = tuple(map(self._paid, finished))
        ended = self._decide(event)
        return Told(
            event=event,
            set_no=set_no,
            both=self.both,
            basket=int(self._pools.basket[0]),
            contract=int(self._pools.contract[0]) - 1 if self._pools.contract[0] else None,
            games=games,
            ended=ended,
            over=self.over,
            set_min_holes=self.match.set_min_holes,
        )

    def end(self) -> Pair:
        """Share out the basket that is left when the match is over; return what the players take."""
        shares = self._pools.end()
        return int(shares[0, 0]), int(shares[0, 1])

    @property
    def pool(self) -> Pair:
        """Fish that each player has drawn less those he has put into baskets."""
        return int(self._pools.net[0, 0]), int(self._pools.net[0, 1])

    def _decide(self, event: HoleEvent) -> EndedSet | None:
        """Do what the scorer decides; return the set that this ended."""
        open_to_him = options(self.match, self.both, event.by, own_die=event.own_die)
        then = event.then
        if then is None:
            self._refuse(event.own_die, f"holes on his own die and no decision: {', '.join(open_to_him)}")
            then = "hold"
        allowed = then in open_to_him or (then == "go" and any(word.startswith("go") for word in open_to_him))
        self._refuse(not allowed, f"{then} is not open to him: {self._open_words(event, open_to_him)}")
        if then == "hold":
            return None
        if not then.startswith("go"):
            self.both, ended = suspend(self.match, self.both, event.by, then)
            if ended is not None and ended.winner is not None:
                self.scored = True
                if self._is_last and self.match.combine_last_set_scored is LastSetScored.ENDS_MATCH:
                    self.both = replace(self.both, suspended=None, suspender=None)
                    self._next_set()
            return ended
        self.both, ended = go(self.match, self.both, event.by)
        if self.scored or (ended is not None and ended.winner is not None):
            self._next_set()
        return ended

    def _open_words(self, event: HoleEvent, open_to_him: tuple[str, ...]) -> str:
        if not event.own_die:
            return "after holes on the other's die he must hold"
        resting = f"{RESTS[self.both.suspended]} is suspended already; " if self.both.suspended else ""
        return f"{resting}open are {', '.join(open_to_him)}"

    def _paid(self, game: HonoursGame) -> PaidGame:
        """Pay a finished game of honours."""
        price = class_of(game, self.match)
        paid = price * self.match.settlement.honours_unit_fish
        self.fish[game.winner] += paid
        self.fish[1 - game.winner] -= paid
        into_basket = paid if self._pools.open[0] else 0
        drawn = self._pools.finish_games(
            np.array([0]), np.array([game.winner + 1]), np.array([paid]), np.array([self._is_last])
        )
        return PaidGame(game, price, paid, into_basket, (int(drawn[0, 0]), int(drawn[0, 1])))

    @property
    def _is_last(self) -> bool:
        return self.set_no >= self.sets

    def _next_set(self) -> None:
        self.scored = False
        self.over = self._is_last
        self.set_no += not self.over

    def _refuse(self, wrong: bool, why: str) -> None:
        if wrong:
            raise OrderError(f"event {self.number}: {why}")


def tell(
    match: Combine, events: Iterable[HoleEvent], *, sets: int | None = None, start: Both | None = None
) -> Iterator[Told]:
    """Yield a match after each of its events; for the parameters and errors see `ByHoles`."""
    told = ByHoles(match, sets=sets, start=start)
    for event in events:
        yield told.play(event)


def class_of(game: HonoursGame, match: Combine) -> int:
    """Return the class of a game of honours: 1 single, 2 double, 3 treble, 4 quadruple."""
    first = game.first_scorer
    if first is None:  # of a whole run begun second, the other's holes were there before
        first = (
            1 - game.winner if game.run_intact[game.winner] and game.holes[1 - game.winner] else game.winner
        )
    rows = {
        "winner": np.array([game.winner + 1]),
        "first_scorer": np.array([first + 1]),
        **{f"holes_{side + 1}": np.array([game.holes[side]]) for side in (0, 1)},
        **{f"run_intact_{side + 1}": np.array([game.run_intact[side]]) for side in (0, 1)},
    }
    return int(game_classes(rows, match.settlement)[0])


def worth_of(ended: EndedSet, match: Combine) -> dict[str, int]:
    """Return what `simkit.settle.set_value` gives of a set that has been won or conceded."""
    ledger = ended.ledger
    rows: dict[str, Any] = {
        "winner": np.array([0 if ended.winner is None else ended.winner + 1]),
        "do_overs": np.array([ledger.do_overs]),
        **{f"holes_{side + 1}": np.array([ledger.holes[side]]) for side in (0, 1)},
        **{f"run_intact_{side + 1}": np.array([ledger.run[side] == "intact"]) for side in (0, 1)},
        **{f"picked_up_{side + 1}": np.array([ledger.picked_up[side]]) for side in (0, 1)},
        **{
            f"reached_six_{side + 1}": np.array([ledger.holes[side] >= match.set_min_holes])
            for side in (0, 1)
        },
    }
    return {name: int(column[0]) for name, column in set_values(rows, match.settlement).items()}
