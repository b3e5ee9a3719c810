"""Where units start: from the talons, or from any state a play can lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.errors import UsageError
from simkit.kernel.board import START_HIGH, START_LOW
from simkit.kernel.records import BROKEN, INTACT, NO_RUN, UNIT
from simkit.position import CLASSICAL, Position, check, pack
from simkit.rules import Trictrac


def start_units(match_ids: Any, unit_no: int, first: Any, first_throws: Any = None) -> Any:
    """Return unit records at the start of a unit: all men on the talons, nothing marked.

    Parameters
    ----------
    match_ids
        int64 (n,), the matches.
    unit_no
        Place of the unit in its match, from 0.
    first
        int64 (n,), who throws first: 0 or 1.
    first_throws
        int64 (n, 2), the first throw where the draw is that throw (GU ch. III), else None.
    """
    units = np.zeros(len(match_ids), UNIT).view(np.recarray)
    units.match_id, units.unit_no = match_ids, unit_no
    units.low, units.high = START_LOW, START_HIGH
    units.roller = units.first_player = first
    if first_throws is not None:
        units.die_1, units.die_2 = first_throws[:, 0], first_throws[:, 1]
    units.first_scorer = units.winner = -1
    units.settings = 1
    return units


@dataclass(frozen=True)
class State:
    """A unit under way, before a roll. Pairs are of players 1 and 2; `roller` and `first_player` are 0 or 1.

    `position` is seen by the roller; `run` holds `NO_RUN`, `INTACT` or `BROKEN` of `simkit.kernel.records`;
    `rolls_of` counts each player's rolls since the men last started; `first_scorer` is who made the first hole,
    -1 for nobody or not known.
    """

    position: Position
    roller: int = 0
    first_player: int = 0
    points: tuple[int, int] = (0, 0)
    bredouille: tuple[bool, bool] = (False, False)
    rolls_of: tuple[int, int] = (0, 0)
    holes: tuple[int, int] = (0, 0)
    run: tuple[int, int] = (NO_RUN, NO_RUN)
    picked_up: tuple[bool, bool] = (False, False)
    first_scorer: int = -1
    do_overs: int = 0


def units_from(state: State, match_ids: Any, unit_no: int = 0, game: Trictrac = CLASSICAL) -> Any:
    """Return unit records that all start from a state, one for each match; the dice are those of the place.

    `game`: the rules under which the men must be able to stand so.

    Holes made before count as made on the own die; of a run broken since, it is not known whether it was whole
    at six holes.

    Raises
    ------
    IllegalPosition, UsageError
        For men that cannot stand so, or a score and a ledger that cannot be.
    """
    check(state.position, game)
    for problem in _faults(state):
        raise UsageError(f"{problem} [{state.position}]")
    units = start_units(match_ids, unit_no, state.first_player)
    mine, his = pack(state.position.mover), pack(state.position.other[::-1])
    for side, words in ((state.roller, mine), (1 - state.roller, his)):
        units.low[:, side], units.high[:, side] = words
    units.roller = state.roller
    for name in ("points", "bredouille", "rolls_of", "holes", "run", "picked_up", "first_scorer", "do_overs"):
        units[name] = getattr(state, name)
    units.intact_at_six = [state.holes[side] >= 6 and state.run[side] == INTACT for side in range(2)]
    units.holes_own_die = state.holes
    units.first_throw = -1  # the first throws are past
    return units


def _faults(state: State) -> Any:
    """Say what no play leads to in a score and a ledger."""
    if state.roller not in (0, 1) or state.first_player not in (0, 1) or state.first_scorer not in (-1, 0, 1):
        yield "roller, first player and first scorer are 0 or 1, the last also -1"
    if min(*state.points, *state.holes, *state.rolls_of, state.do_overs) < 0:
        yield f"points {state.points}, holes {state.holes}, rolls {state.rolls_of}: none is below zero"
    if all(state.bredouille):
        yield "both players in bredouille: the first to score again ends the other's (J.L. 1852, no. 144)"
    for side, other in ((0, 1), (1, 0)):
        name, holes, run = f"player {side + 1}", state.holes[side], state.run[side]
        if state.bredouille[side] and not state.points[side]:
            yield f"{name} is in bredouille without a point"
        if (holes == 0) != (run == NO_RUN):
            yield f"{name} has {holes} holes; a run begins with the first hole and is kept or broken from then on"
        if run == BROKEN and not state.holes[other]:
            yield f"{name}'s run is broken and the other has no hole to break it (J.L. 1852, no. 225)"
        if state.picked_up[side] and not holes:
            yield f"{name} has picked up since his first hole and has none"
    if state.run == (INTACT, INTACT):
        yield "two unbroken runs: every hole breaks the other's run (J.L. 1852, no. 225)"
