"""Trictrac combiné: a game of honours beside the written set, and the suspension of either (rules.md II.7)."""

from __future__ import annotations

from typing import Any

from simkit.kernel.compiled import kernel
from simkit.kernel.ledger import DO_OVER, PICKUP, SET_WON, enter_holes, go
from simkit.kernel.records import (
    BROKEN,
    CAPPED,
    CONCEDE,
    FORBID,
    HONOURS_SUSPENDED,
    INTACT,
    MAX_HONOURS,
    NO_RUN,
    NOT_SUSPENDED,
    PLAYED_ON,
    SUSPEND_WRITTEN,
    WIN,
    WRITTEN_OPEN,
    WRITTEN_SCORED,
)


@kernel
def counts_for_set(unit: Any) -> bool:
    """Tell whether holes count in the written set just now."""
    return unit.suspension <= HONOURS_SUSPENDED


@kernel
def logged(unit: Any, who: int) -> int:
    """Return a finished game of honours as one whole number, from its lowest bits up.

    Winner (1 bit), runs unbroken of either player (1 each), first scorer plus one (2), whether the set was
    scored already (1), holes of the loser, holes on their own dice of players 1 and 2 (8 each), and the roll of
    the unit, do-overs included (16).
    """
    word = unit.rolls + unit.rolls_do_overs
    word = word << 8 | unit.honours_own_die[1]
    word = word << 8 | unit.honours_own_die[0]
    word = word << 8 | unit.honours_holes[1 - who]
    word = word << 1 | (1 if unit.suspension == WRITTEN_SCORED else 0)
    word = word << 2 | (unit.honours_first + 1)
    word = word << 1 | (1 if unit.honours_run[1] == INTACT else 0)
    word = word << 1 | (1 if unit.honours_run[0] == INTACT else 0)
    return word << 1 | who


@kernel
def wipe_honours(unit: Any) -> None:
    """Begin a game of honours afresh."""
    for who in range(2):
        unit.honours_holes[who] = 0
        unit.honours_run[who] = NO_RUN
        unit.honours_own_die[who] = 0
    unit.honours_first = -1


@kernel
def enter_honours(unit: Any, rules: Any, who: int, holes: int, own_die: int) -> None:
    """Enter holes in the game of honours one by one: after the last of a game comes the first of the next."""
    other = 1 - who
    for _ in range(holes):
        if unit.honours_holes[who] == 0:
            unit.honours_run[who] = INTACT
            if unit.honours_first < 0:
                unit.honours_first = who
        unit.honours_holes[who] += 1
        unit.honours_own_die[who] += own_die
        if unit.honours_run[other] == INTACT:
            unit.honours_run[other] = BROKEN
        if unit.honours_holes[who] == rules.honours_target:
            if unit.games < MAX_HONOURS:
                unit.game_log[unit.games] = logged(unit, who)
            unit.games += 1
            wipe_honours(unit)
            if not rules.continuation or unit.suspension == PLAYED_ON:
                return


@kernel
def enter_combined(unit: Any, rules: Any, who: int, holes: int, own_die: int) -> None:
    """Enter holes in the set and in the game of honours, as far as each counts just now."""
    if counts_for_set(unit):
        enter_holes(unit, rules, who, holes, own_die)
    if unit.suspension != HONOURS_SUSPENDED:
        enter_honours(unit, rules, who, holes, own_die)


@kernel
def has_ended_honours(unit: Any, who: int) -> bool:
    """End a unit played on for the game of honours alone, or one that has made more of them than it can log."""
    if unit.games > MAX_HONOURS:
        unit.winner, unit.ended_by = -1, CAPPED
        return True
    if unit.suspension != PLAYED_ON or not unit.games:
        return False
    unit.winner, unit.ended_by = who, WIN
    return True


@kernel
def may_suspend_written(unit: Any, rules: Any, who: int) -> bool:
    """Tell whether a player who may go may instead suspend the written set."""
    if not rules.suspension or unit.suspension != NOT_SUSPENDED:
        return False
    behind = unit.holes[who] < rules.set_min_holes <= unit.holes[1 - who]
    return not (behind and rules.when_behind == FORBID)


@kernel
def may_suspend_honours(unit: Any, rules: Any) -> bool:
    """Tell whether a player who may go may instead suspend the game of honours."""
    return bool(rules.suspension) and unit.suspension == NOT_SUSPENDED


@kernel
def suspend_written(unit: Any, rules: Any, who: int) -> bool:
    """Go in the written set alone: score it from six holes on, else freeze it; tell whether that ends the unit."""
    unit.suspender = who
    unit.written_suspended[who] += 1
    own, others = unit.holes[who], unit.holes[1 - who]
    least = rules.set_min_holes
    if own < least and not (others >= least and rules.when_behind == CONCEDE):
        unit.picked_up[who] = 1
        unit.suspension = WRITTEN_OPEN
        return False
    outcome = go(unit, rules, who)
    unit.suspension = WRITTEN_SCORED
    unit.scored_at = unit.rolls
    if outcome == DO_OVER:
        return False
    unit.scored = 1
    return unit.unit_no == rules.last_unit


@kernel
def suspend_honours(unit: Any, who: int) -> None:
    """Freeze the game of honours as it stands."""
    unit.suspender = who
    unit.honours_suspended[who] += 1
    unit.suspension = HONOURS_SUSPENDED


@kernel
def suspend(unit: Any, rules: Any, who: int, deed: int) -> bool:
    """Suspend a game, if that is allowed, and hold; tell whether that ends the unit."""
    if deed == SUSPEND_WRITTEN:
        return may_suspend_written(unit, rules, who) and suspend_written(unit, rules, who)
    if may_suspend_honours(unit, rules):
        suspend_honours(unit, who)
    return False


@kernel
def go_combined(unit: Any, rules: Any, who: int) -> int:
    """Enter that a player picks up, which ends any suspension; return what that did, as `go`."""
    suspended = unit.suspension
    if suspended == PLAYED_ON:
        return PICKUP
    unit.suspension, unit.suspender = NOT_SUSPENDED, -1
    if suspended <= HONOURS_SUSPENDED:
        return go(unit, rules, who)
    if suspended == WRITTEN_OPEN:
        return PICKUP
    unit.tail_rolls += unit.rolls - unit.scored_at
    if unit.winner >= 0:
        return SET_WON
    unit.rolls_do_overs += unit.rolls
    unit.rolls = 0
    return DO_OVER
