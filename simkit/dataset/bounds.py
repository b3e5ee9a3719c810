"""How far the numbers of a play can go: what its rules leave of the limits of each column.

`Column.limits` hold whatever the rules; here is what follows besides from the number of sets or games, the hole
that ends a set or partie, who is at the table, and the cap on the rolls of a unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.dataset.plays import StoredPlay
from simkit.dataset.schema import Column, Table
from simkit.kernel.records import MAX_HONOURS, MAX_ROLLS
from simkit.rules import PoolDrain, PoolFill, RuleSet, Trictrac

FROM_ONE = ("set_no", "game_no", "event_no", "attempt", "setting", "roll", "first_player", "player", "seat")
"""Columns that count from 1, or name one of the players, in every table."""


def bounds(play: StoredPlay, table: Table) -> dict[str, tuple[int, int]]:
    """The least and the most of every whole number in a table of a play, by column."""
    most = _most(play.rules, table, play.most_units)
    return {
        column.name: (_least(column), min(column.limits[1], most.get(column.name, column.limits[1])))
        for column in table.data
        if column.dtype.startswith("int")
    }


def _least(column: Column) -> int:
    return int(column.name in FROM_ONE or (column.name.endswith("_seat") and column.name != "idle_seat"))


def last_hole(rules: RuleSet) -> int | None:
    """The hole that ends a set or partie, with which counting stops; None where there is none."""
    match: Any = rules.match.of_two if isinstance(rules.match, PoolFill | PoolDrain) else rules.match
    found = getattr(match, "max_holes_per_set", None)
    return found if hasattr(match, "set_min_holes") else getattr(match, "target_holes", None)


@lru_cache(maxsize=64)
def _most(rules: RuleSet, table: Table, units: int) -> Mapping[str, int]:
    """The most of the columns that the rules bound."""
    players, holes = rules.match.players, last_hole(rules)
    # Trictrac combine may be played on after its last set.
    per_row = MAX_ROLLS * (units + 1 if table.name in ("matches", "honours_games") else 1)
    most = dict.fromkeys(
        ("rolls", "rolls_do_overs", "rolls_after_scored", "rolls_played_on", "roll", "attempt", "setting"),
        per_row,
    )
    most |= dict.fromkeys(("settings", "settings_do_overs"), per_row + units)
    most |= dict.fromkeys(("do_overs", "sorties", "stalls"), per_row)
    most |= dict.fromkeys(("seat", "player_1_seat", "player_2_seat", "idle_seat"), players)
    most |= dict.fromkeys(("last_winner", "last_loser"), players)
    most |= dict.fromkeys(("sets_won_1", "sets_won_2", "games_won_1", "games_won_2", "games"), units)
    most |= dict.fromkeys(("matches", "entered", "played", "won", "lost", "set_no"), units)
    if table.name == "honours_games":  # one may end after the last set
        most |= {"set_no": units + 1, "game_no": MAX_HONOURS * (units + 1)}
    elif holes is not None:
        of_row = holes * (units if table.name == "matches" else 1)
        most |= {
            f"holes{whose}_{player}": of_row for whose in ("", "_own_die", "_other_die") for player in (1, 2)
        }
        most |= {"holes": of_row}
    if isinstance(rules.game, Trictrac):
        most["points_before"] = rules.game.points_per_hole - 1
    return most


def beyond(limits: Mapping[str, tuple[int, int]], rows: Mapping[str, NDArray[Any]]) -> Iterator[str]:
    """Say which numbers of some rows are beyond their bounds, one of each column."""
    for name, (least, most) in limits.items():
        numbers = rows[name]
        if not len(numbers):
            continue
        low, high = int(numbers.min()), int(numbers.max())
        if low < least or high > most:
            wrong = low if low < least else high
            yield f"{wrong} in column {name}, where these rules leave {least} to {most}"


def uneven(table: Table, rows: Mapping[str, NDArray[Any]]) -> Iterator[str]:
    """Say where the holes of sets from the start are not those made on one's own roll and on the other's."""
    names = {column.name for column in table.data}
    for player in (1, 2):
        parts = (f"holes_own_die_{player}", f"holes_other_die_{player}")
        if names.issuperset(parts):
            summed = rows[parts[0]].astype(np.int64) + rows[parts[1]]
            if not np.array_equal(summed, rows[f"holes_{player}"]):
                yield f"holes_{player} is not {' + '.join(parts)}"
