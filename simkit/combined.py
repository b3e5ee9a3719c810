"""Trictrac combiné by hand: the two ledgers of a match under way, and what a hole, a pickup or a suspension does.

The compiled functions that play matches do all of it. Players are 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from simkit.drivers.combine import honours_columns
from simkit.errors import UsageError
from simkit.kernel import entries
from simkit.kernel.lower import lower
from simkit.kernel.records import (
    COMBINED_UNIT,
    HONOURS_SUSPENDED,
    NOT_SUSPENDED,
    PLAYED_ON,
    SUSPEND_HONOURS,
    SUSPEND_WRITTEN,
    WRITTEN_OPEN,
    WRITTEN_SCORED,
)
from simkit.play import OUTCOMES, RUNS, Ledger, flags, pair, unit_record
from simkit.rules import Combine, Trictrac

Suspended = Literal["ecrire_open", "ecrire_scored", "honours"]
"""The written set frozen, or scored until the next pickup; the game of honours frozen."""

CODES: Final[dict[Suspended | None, int]] = {
    None: NOT_SUSPENDED,
    "honours": HONOURS_SUSPENDED,
    "ecrire_open": WRITTEN_OPEN,
    "ecrire_scored": WRITTEN_SCORED,
}
EMPTY: Final = Ledger()
DEEDS: Final = {"suspend_ecrire": SUSPEND_WRITTEN, "suspend_honours": SUSPEND_HONOURS}


@dataclass(frozen=True)
class HonoursGame:
    """A finished game of honours: its winner, who made its first hole (None: not known), holes, unbroken runs."""

    winner: int
    first_scorer: int | None
    holes: tuple[int, int]
    run_intact: tuple[bool, bool]


@dataclass(frozen=True)
class Both:
    """The two games of a match under way.

    Attributes
    ----------
    written
        The set under way; once a suspension has scored one, the next, which awaits the pickup.
    honours
        The game of honours under way; it knows no pickups and no do-overs.
    honours_first
        Who made the first hole of it; None for nobody, or where it is not known.
    suspended
        Which game rests, if any.
    suspender
        Who suspended it.
    """

    written: Ledger = EMPTY
    honours: Ledger = EMPTY
    honours_first: int | None = None
    suspended: Suspended | None = None
    suspender: int | None = None


@dataclass(frozen=True)
class EndedSet:
    """How a set ended: `outcome` win, refait or concede, its winner (None for a do-over), and its last ledger."""

    outcome: str
    winner: int | None
    ledger: Ledger


def enter_holes(
    match: Combine, both: Both, who: int, holes: int, *, own_die: bool = True
) -> tuple[Both, tuple[HonoursGame, ...]]:
    """Return the games after player `who` has made holes, and the games of honours they have finished.

    Raises
    ------
    UsageError
        No such player, or fewer than one hole.
    """
    if who not in (0, 1) or holes < 1:
        raise UsageError(f"{holes} holes of player {who}: one hole or more, player 0 or 1")
    units = _record(both)
    entries.enter_both(units, lower(Trictrac(), match), who, holes, int(own_die))
    return _read(units[0], both), _finished(units, match)


def options(match: Combine, both: Both, who: int, *, own_die: bool = True) -> tuple[str, ...]:
    """Return what player `who` may do after a hole: hold, go and what that would end, suspend either game."""
    if not own_die:
        return ("hold",)
    written, honours, _ = entries.suspensions(_record(both), lower(Trictrac(), match), who)
    _, ended = go(match, both, who)
    going = "go" if ended is None else f"go:{ended.outcome}"
    return ("hold", going, *["suspend_ecrire"] * bool(written), *["suspend_honours"] * bool(honours))


def go(match: Combine, both: Both, who: int) -> tuple[Both, EndedSet | None]:
    """Let player `who` pick up after a hole on his own die; return the games, and the set that this ended."""
    units = _record(both)
    outcome = OUTCOMES[int(entries.leave_both(units, lower(Trictrac(), match), who)[0])]
    if both.suspended == "ecrire_scored":  # what ended then, ended with the suspension
        return replace(both, suspended=None, suspender=None), None
    return _after(_read(units[0], both), both, units[0], outcome)


def suspend(match: Combine, both: Both, who: int, deed: str) -> tuple[Both, EndedSet | None]:
    """Let player `who` suspend a game after a hole on his own die; return the games, and the set that this scored.

    Raises
    ------
    UsageError
        He may not, or `deed` is neither suspend_ecrire nor suspend_honours; the message says what stands in the
        way.
    """
    if deed not in options(match, both, who):
        raise UsageError(f"{deed} by player {who + 1}: {_in_the_way(match, both, deed)}")
    units = _record(both)
    entries.suspend_game(units, lower(Trictrac(), match), who, DEEDS[deed])
    after = _read(units[0], both)
    if after.suspended != "ecrire_scored":
        return after, None
    winner = int(units[0].winner)
    outcome = "refait" if winner < 0 else "win" if winner == who else "concede"
    return _after(after, both, units[0], outcome)


def _in_the_way(match: Combine, both: Both, deed: str) -> str:
    if deed not in DEEDS:
        return f"no suspension; {' or '.join(DEEDS)}"
    if not match.suspension:
        return "match.suspension is off"
    if both.suspended is not None:
        return f"{both.suspended} is on, and only one game can rest at a time, up to the next pickup"
    return (
        "he has fewer than six holes and the other has six (match.combine_suspend_when_behind = "
        f"{match.combine_suspend_when_behind.value})"
    )


def _after(after: Both, before: Both, unit: Any, outcome: str) -> tuple[Both, EndedSet | None]:
    """Lay out the next set once one has ended."""
    if outcome == "pickup":
        return after, None
    winner = None if outcome == "refait" else int(unit.winner)
    written = after.written if winner is None else EMPTY
    return replace(after, written=written), EndedSet(outcome, winner, before.written)


def _record(both: Both) -> Any:
    """Both games as a unit record, in an array of one."""
    written, honours = both.written, both.honours
    return unit_record(
        COMBINED_UNIT,
        holes=written.holes,
        run=[RUNS.index(run) for run in written.run],
        picked_up=written.picked_up,
        do_overs=written.do_overs,
        honours_holes=honours.holes,
        honours_run=[RUNS.index(run) for run in honours.run],
        honours_first=-1 if both.honours_first is None else both.honours_first,
        suspension=CODES[both.suspended],
        suspender=-1 if both.suspender is None else both.suspender,
    )


def _read(unit: Any, before: Both) -> Both:
    """Both games of a unit record."""
    states = {code: name for name, code in CODES.items()}
    first, suspender = int(unit.honours_first), int(unit.suspender)
    return replace(
        before,
        written=Ledger(pair(unit.holes), _runs(unit.run), flags(unit.picked_up), int(unit.do_overs)),
        honours=Ledger(pair(unit.honours_holes), _runs(unit.honours_run)),
        honours_first=None if first < 0 else first,
        suspended=states[int(unit.suspension)],
        suspender=None if suspender < 0 else suspender,
    )


def of_unit(unit: Any, over: bool) -> Both:
    """Read both games off a unit record as it is played; a set that has been decided leaves an empty ledger."""
    if unit.suspension == PLAYED_ON:
        unit = unit.copy()
        unit.suspension = NOT_SUSPENDED
    both = _read(unit, Both())
    if unit.winner >= 0:
        both = replace(both, written=Ledger())
    return replace(both, suspended=None, suspender=None) if over else both


def _runs(codes: Sequence[int]) -> Any:
    return RUNS[int(codes[0])], RUNS[int(codes[1])]


def _finished(units: Any, match: Combine) -> tuple[HonoursGame, ...]:
    """The games of honours that a unit record logs."""
    games = honours_columns([units], match.target_holes)
    return tuple(
        HonoursGame(
            winner=int(games["winner"][k]) - 1,
            first_scorer=int(games["first_scorer"][k]) - 1 if games["first_scorer"][k] else None,
            holes=(int(games["holes_1"][k]), int(games["holes_2"][k])),
            run_intact=(bool(games["run_intact_1"][k]), bool(games["run_intact_2"][k])),
        )
        for k in range(len(games["winner"]))
    )
