"""The ledger of holes and the end of a set (rules.md II.3.1, II.4, II.5.1)."""

from __future__ import annotations

from typing import Any

from simkit.kernel.compiled import kernel
from simkit.kernel.records import BROKEN, CONCESSION, INTACT, NO_RUN, WIN

PICKUP, SET_WON, DO_OVER, SET_CONCEDED = 0, 1, 2, 3
"""What going does."""


@kernel
def enter_holes(unit: Any, rules: Any, who: int, holes: int, own_die: int) -> None:
    """Add holes to a player's ledger; any hole ends the other's run for good (J.L. 1852, no. 225)."""
    other = 1 - who
    if unit.holes[who] == 0:
        unit.run[who] = INTACT
        unit.picked_up[who] = 0
        if unit.first_scorer < 0:
            unit.first_scorer = who
    before = unit.holes[who]
    if rules.last_hole:
        holes = min(holes, rules.last_hole - before)
    unit.holes[who] = before + holes
    if unit.run[other] == INTACT:
        unit.run[other] = BROKEN
    if before < rules.set_min_holes <= unit.holes[who]:
        unit.intact_at_six[who] = 1 if unit.run[who] == INTACT else 0
    if own_die:
        unit.holes_own_die[who] += holes
    else:
        unit.holes_other_die[who] += holes


@kernel
def outcome_of_going(rules: Any, own: int, others: int) -> int:
    """Return what going does after a hole on one's own die, with these holes of the goer and the other."""
    if rules.target_holes or max(own, others) < rules.set_min_holes:
        return PICKUP
    if own > others:
        return SET_WON
    return DO_OVER if own == others else SET_CONCEDED


@kernel
def wipe_ledger(unit: Any) -> None:
    """Start the holes of a set afresh, as a do-over does."""
    for who in range(2):
        unit.holes[who] = 0
        unit.run[who] = NO_RUN
        unit.picked_up[who] = 0
        unit.intact_at_six[who] = 0
        unit.holes_own_die[who] = 0
        unit.holes_other_die[who] = 0
    unit.first_scorer = -1
    unit.rolls = 0
    unit.settings = 1


@kernel
def go(unit: Any, rules: Any, who: int) -> int:
    """Enter in the ledger that a player goes; return what it did. The men are another function's care."""
    outcome = outcome_of_going(rules, unit.holes[who], unit.holes[1 - who])
    if outcome == PICKUP:
        if unit.run[who] == INTACT:
            unit.picked_up[who] = 1
    elif outcome == DO_OVER:
        unit.do_overs += 1
        unit.rolls_do_overs += unit.rolls
        unit.settings_do_overs += unit.settings
        wipe_ledger(unit)
    else:
        unit.winner = who if outcome == SET_WON else 1 - who
        unit.ended_by = WIN if outcome == SET_WON else CONCESSION
    return outcome
