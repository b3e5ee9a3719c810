"""One measure of a match when rule sets or players are compared, and those that many kinds of match have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis.question import Rows


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One number of a match."""

    name: str
    """Its name on the command line and in frames."""
    unit: str
    """What it counts, after the number."""
    says: str
    """What it is, in words."""
    by_settlement: bool = False
    """Whether it hangs on the settlement; else matches played alike are alike in it."""
    parts: int = 1
    """It is kept as a whole number of so many parts: 2 where a draw counts half."""
    signed: bool = False
    """Whether it may be below 0."""
    ends: tuple[str, str] = ("more", "less")
    """What a difference above and below 0 is called."""

    @property
    def share(self) -> bool:
        """Whether it is a share, so that no mean of it lies beyond 0 and 1."""
        return self.unit.startswith("share")


ROLLS: Final = Measure(name="rolls", unit="rolls", says="rolls of both players, do-overs included")
FIRST: Final = Measure(
    name="first_wins",
    unit="share of matches",
    says="chance of him who throws first, a draw counting half",
    by_settlement=True,
    parts=2,
)
WINS: Final = Measure(
    name="wins",
    unit="share of matches",
    says="matches won by player 1, a draw counting half",
    by_settlement=True,
    parts=2,
    ends=("better", "worse"),
)
SETTINGS: Final = Measure(name="settings", unit="settings", says="settings of the men, do-overs included")
HOLES: Final = Measure(
    name="holes", unit="holes", says="holes of both players in all sets or parties, do-overs left out"
)
DO_OVERS: Final = Measure(name="do_overs", unit="do-overs", says="sets done over")


def result_and_size(
    unit: str,
    says: str,
    *,
    of: str = "player 1",
    names: tuple[str, str] = ("result", "size"),
    by_settlement: bool = True,
) -> tuple[Measure, Measure]:
    """A result of player 1, or of whom `of` names, and its size whoever wins."""
    return (
        Measure(
            name=names[0],
            unit=unit,
            says=f"{says}, signed for {of}",
            by_settlement=by_settlement,
            signed=True,
            ends=("better", "worse"),
        ),
        Measure(name=names[1], unit=unit, says=f"{says}, whoever wins", by_settlement=by_settlement),
    )


DURATIONS: Final = ("rolls", "matches")
"""Measures of which a match, or a pool, that was cut still tells something: that it would have gone on."""


def name_of(number: int, measure: str) -> str:
    """The column of a measure under one of several rule sets."""
    return f"{number}.{measure}"


def known(played: Rows) -> dict[str, NDArray[Any]]:
    """Which matches rows are of, and whether these came to their end."""
    return {"match_id": played["match_id"], "whole": ~played["truncated"]}


def numbered(numbers: Rows, places: Iterable[int]) -> dict[str, NDArray[Any]]:
    """Columns as they are called under each of these rule sets."""
    return {name_of(place, name): column for place in places for name, column in numbers.items()}


def chances(winner: NDArray[Any], first_player: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """In halves: a match won counts 2, a draw 1."""
    drawn = (winner == 0).astype(np.int64)
    return {"wins": 2 * (winner == 1) + drawn, "first_wins": 2 * (winner == first_player) + drawn}
