"""Who plays which set where more than two are at the table: lots for the first, then turn by turn.

Rules II.6. A player who leaves is replaced on his own side of the board: by his partner, or à tourner by the one
who sat out. After the first set one leaves, then whoever has played two sets in a row; a lone player, whom nobody
can replace, stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np

from simkit.drivers.chunk import different_dice
from simkit.kernel.dice import LOTS
from simkit.rules import SEATS, Combine, RotationFirstSetLeaver, TableMode, Written, table_of


@dataclass(frozen=True)
class Seating:
    """The turns of the players, for all matches of a chunk.

    Attributes
    ----------
    match
        A match of sets with three players or more.
    first_match
        Number of the first match; the others follow it.
    order
        int64 (matches, players), players from 0: those of side 1 in their turns, then those of side 2; à tourner
        the two of the first set and the third.
    leaver
        int64 (matches,), the side, 0 or 1, that is left after the first set; until `note_first` it is 0.
    """

    match: Written | Combine
    first_match: int
    order: Any
    leaver: Any

    @classmethod
    def drawn(cls, match: Written | Combine, key: int, match_ids: Any) -> Seating:
        """Draw the lots of matches that follow one another."""
        return cls(match, int(match_ids[0]), drawn_order(match, key, match_ids), np.zeros_like(match_ids))

    @property
    def lone(self) -> bool:
        """Whether side 1 is one player against partners."""
        return table_of(self.match) is TableMode.CHOUETTE

    def seat(self, units: Any) -> None:
        """Seat the two players of each unit, which are all the same set of their matches."""
        if len(units):
            rows = units.match_id - self.first_match
            units.seats = seats_of(self.match, self.order[rows], self.leaver[rows], int(units.unit_no[0]))

    def note_first(self, units: Any) -> None:
        """Note who leaves after the first set, which these units were."""
        self.leaver[units.match_id - self.first_match] = first_leaver(self.match, units.winner)

    def stayer(self, before: Any) -> Any:
        """Return the side of the player who stays after these units, 0 or 1 for each."""
        rows = before.match_id - self.first_match
        return staying_side(self.leaver[rows], before.unit_no + 1)


def drawn_order(match: Written | Combine, key: int, match_ids: Any) -> Any:
    """Draw lots for the turns of the players; see `Seating.order`."""
    mode = table_of(match)
    sides = (match.players,) if mode is TableMode.TOURNER else SEATS[mode]
    columns, first = [], 0
    for number, size in enumerate(sides):
        turns = np.array(list(permutations(range(first, first + size))), np.int64)
        columns.append(turns[lots(key, match_ids, number, factorial(size))])
        first += size
    return np.concatenate(columns, axis=1)


def lots(key: int, match_ids: Any, number: int, ways: int) -> Any:
    """Draw lot `number` of each match: int64 (n,) from 0 to ways - 1, each as likely; `ways` divides 30."""
    dice = different_dice(key, match_ids, number, LOTS) - 1
    return (5 * dice[:, 0] + dice[:, 1] - (dice[:, 1] > dice[:, 0])) % ways


def first_leaver(match: Written | Combine, winner: Any) -> Any:
    """Return the side left after the first set, 0 or 1, from the side that won it (arrays too).

    In a chouette side 1 is one player, whom nobody replaces; of five, one of the two leaves first, so that in six
    sets each of them plays three.
    """
    if table_of(match) in (TableMode.CHOUETTE, TableMode.FIVE):
        return 0 * winner
    return winner if match.rotation_first_set_leaver is RotationFirstSetLeaver.WINNER else 1 - winner


def seats_of(match: Written | Combine, order: Any, leaver: Any, unit_no: int) -> Any:
    """Return the two players of a set, int64 (n, 2), counted from 0: on side 1 and on side 2.

    Parameters
    ----------
    match
        A match of sets with three players or more.
    order, leaver
        As in `Seating`.
    unit_no
        Place of the set in its match, from 0.
    """
    rows = np.arange(len(order))
    seats = np.empty((len(order), 2), np.int64)
    mode = table_of(match)
    if mode is TableMode.TOURNER:
        leaves, stays = order[rows, leaver], order[rows, 1 - leaver]
        came = np.stack((leaves, stays, order[:, 2]))  # as they come to the table, again and again
        side = staying_side(leaver, unit_no)
        seats[rows, side], seats[rows, 1 - side] = came[unit_no % 3], came[(unit_no + 1) % 3]
        return seats
    first = 0
    for side, size in enumerate(SEATS[mode]):
        turns = (unit_no + (leaver == side)) // 2
        seats[:, side] = order[rows, first + turns % size]
        first += size
    return seats


def staying_side(leaver: Any, unit_no: Any) -> Any:
    """Return the side, 0 or 1, that plays set `unit_no` (from 0) by the player who played the one before."""
    return np.where(np.asarray(unit_no) % 2, 1 - leaver, leaver)
