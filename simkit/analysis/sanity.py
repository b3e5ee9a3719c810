"""Whether players play the game at all: how their sets end, how long they are, what they are worth.

A table of findings stands on the players who made it; this one stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.rules import Settlement
from simkit.settle import GRANDE, PETITE, SETTLED_FROM, Rows, match_starts, set_values

if TYPE_CHECKING:
    import pandas as pd

MOST_CAPPED = 0.01
"""A pair with a larger share of capped sets is not used in findings."""
ENDED_BY = ("win", "concession", "capped")
"""Codes of the column ended_by while it is a number."""
COLUMNS = (*SETTLED_FROM, "ended_by", "rolls", "rolls_do_overs")
"""Columns of `sets` that are read."""

ALL_SETS, DECIDED = range(2)
# Each number: of which sets, in which unit.
NUMBERS: dict[str, tuple[int, str]] = {
    "conceded": (ALL_SETS, "share of sets"),
    "done_over": (ALL_SETS, "share of sets"),
    "do_overs": (ALL_SETS, "do-overs per set"),
    "capped": (ALL_SETS, "share of sets"),
    "petite": (DECIDED, "share of decided sets"),
    "grande": (DECIDED, "share of decided sets"),
    "winner_holes": (DECIDED, "holes per decided set"),
    "loser_holes": (DECIDED, "holes per decided set"),
    "rolls": (ALL_SETS, "rolls per set, do-overs included"),
}
OF_A_PARTIE = {
    "capped": "share of parties",
    "winner_holes": "holes per decided partie",
    "loser_holes": "holes per decided partie",
    "rolls": "rolls per partie",
}
"""Those that a single partie has, with their units; nothing is conceded, done over or unbroken to a price."""

OF_GAMES = {
    "capped": "share of games",
    "doubled": "share of decided games",
    "rolls": "rolls per game",
    "hits": "hits per game",
}
"""Those of toutes tables and backgammon; `doubled` are games of more than one point."""
GAME_COLUMNS = ("match_id", "set_no", "winner", "points", "rolls", "hits_1", "hits_2")
"""Columns of `games` that are read."""


@dataclass(frozen=True, eq=False)
class SanitySums:
    """Sums over matches of what their sets looked like; two of them add up. Built by `sanity_sums`."""

    matches: int
    sets: int
    truncated: int
    """Matches with a capped set."""
    products: NDArray[np.int64]
    """Sums over matches of products of (sets, decided sets, and the NUMBERS in order)."""
    written: bool
    """Whether the matches are written ones; else single parties."""

    @property
    def units(self) -> dict[str, str]:
        """The numbers these matches have, with their units."""
        return {name: unit for name, (_, unit) in NUMBERS.items()} if self.written else OF_A_PARTIE

    def __add__(self, other: SanitySums) -> SanitySums:
        return SanitySums(
            self.matches + other.matches,
            self.sets + other.sets,
            self.truncated + other.truncated,
            self.products + other.products,
            self.written,
        )

    @property
    def capped(self) -> float:
        """Share of capped sets; 0 without sets."""
        return self.interval("capped").mean if self.sets else 0.0

    @property
    def usable(self) -> bool:
        """Whether the pair may be used in findings."""
        return self.capped <= MOST_CAPPED

    def interval(self, number: str, level: float = intervals.LEVEL) -> Interval:
        """One of NUMBERS with its interval, clustered by match."""
        y = 3 + list(NUMBERS).index(number)
        x = 1 + NUMBERS[number][0]
        p = self.products
        return intervals.ratio(
            self.matches, int(p[0, x]), int(p[0, y]), int(p[x, x]), int(p[x, y]), int(p[y, y]), level
        )


def sanity_sums(blocks: Iterable[Rows], settlement: Settlement | None) -> SanitySums:
    """Read set rows block by block; whole matches in each block.

    `settlement` tells a petite from a grande; None for single parties. Columns: `COLUMNS`.
    """
    size = 3 + len(NUMBERS)
    total = SanitySums(0, 0, 0, np.zeros((size, size), dtype=np.int64), settlement is not None)
    for block in blocks:
        total = total + _block_sums(block, settlement)
    return total


def _block_sums(sets: Rows, settlement: Settlement | None) -> SanitySums:
    starts = match_starts(sets)
    winner = sets["winner"]
    size = 3 + len(NUMBERS)
    written = settlement is not None
    if not starts.size:
        return SanitySums(0, 0, 0, np.zeros((size, size), dtype=np.int64), written)
    decided = winner != 0
    kind = set_values(sets, settlement)["kind"] if settlement else np.zeros(winner.size, dtype=np.int8)
    most, least = np.maximum(sets["holes_1"], sets["holes_2"]), np.minimum(sets["holes_1"], sets["holes_2"])
    per_set = {
        "conceded": _ended(sets["ended_by"], "concession"),
        "done_over": sets["do_overs"] > 0,
        "do_overs": sets["do_overs"],
        "capped": _ended(sets["ended_by"], "capped"),
        "petite": kind == PETITE,
        "grande": kind == GRANDE,
        "winner_holes": most * decided,
        "loser_holes": least * decided,
        "rolls": sets["rolls"] + sets["rolls_do_overs"],
    }
    columns = [np.ones(winner.size, dtype=np.int64), decided, *(per_set[name] for name in NUMBERS)]
    sums = [np.add.reduceat(column, starts, dtype=np.int64) for column in columns]
    table = np.stack([np.ones(starts.size, dtype=np.int64), *sums], axis=1)
    truncated = int((table[:, 3 + list(NUMBERS).index("capped")] > 0).sum())
    return SanitySums(starts.size, winner.size, truncated, table.T @ table, written)


@dataclass(frozen=True, eq=False)
class GameSums:
    """Sums over matches of what their games of toutes tables or backgammon looked like; two of them add up."""

    matches: int
    truncated: int
    """Matches with a capped game."""
    products: NDArray[np.int64]
    """Sums over matches of products of (games, decided games, and the numbers OF_GAMES in order)."""

    units: ClassVar[dict[str, str]] = OF_GAMES

    def __add__(self, other: GameSums) -> GameSums:
        return GameSums(
            self.matches + other.matches, self.truncated + other.truncated, self.products + other.products
        )

    @property
    def sets(self) -> int:
        """Games, which stand in the place of sets."""
        return int(self.products[0, 1])

    @property
    def capped(self) -> float:
        """Share of capped games; 0 without games."""
        return self.interval("capped").mean if self.sets else 0.0

    @property
    def usable(self) -> bool:
        """Whether the pair may be used in findings."""
        return self.capped <= MOST_CAPPED

    def interval(self, number: str, level: float = intervals.LEVEL) -> Interval:
        """One of OF_GAMES with its interval, clustered by match."""
        x, y = 2 if number == "doubled" else 1, 3 + list(OF_GAMES).index(number)
        p = self.products
        return intervals.ratio(
            self.matches, int(p[0, x]), int(p[0, y]), int(p[x, x]), int(p[x, y]), int(p[y, y]), level
        )


def game_sums(blocks: Iterable[Rows]) -> GameSums:
    """Read rows of games block by block; whole matches in each block. Columns: `GAME_COLUMNS`."""
    size = 3 + len(OF_GAMES)
    total = GameSums(0, 0, np.zeros((size, size), dtype=np.int64))
    for games in blocks:
        starts = match_starts(games)
        if not starts.size:
            continue
        decided = games["winner"] != 0
        hits = games["hits_1"] + games["hits_2"]
        per_game = (np.ones_like(decided), decided, ~decided, games["points"] > 1, games["rolls"], hits)
        sums = [np.add.reduceat(column, starts, dtype=np.int64) for column in per_game]
        table = np.stack([np.ones(starts.size, dtype=np.int64), *sums], axis=1)
        total = total + GameSums(starts.size, int((table[:, 3] > 0).sum()), table.T @ table)
    return total


def _ended(ended_by: NDArray[Any], how: str) -> NDArray[np.bool_]:
    """ended_by is a code while it is played, a word in the files."""
    numbers = np.issubdtype(ended_by.dtype, np.integer)
    same: NDArray[np.bool_] = ended_by == (ENDED_BY.index(how) if numbers else how)
    return same


def sanity_row(sums: SanitySums | GameSums, level: float = intervals.LEVEL) -> dict[str, float | int | bool]:
    """One row of the table: matches, truncated, sets, usable, and NAME, NAME_low, NAME_high of its numbers."""
    row: dict[str, float | int | bool] = {
        "matches": sums.matches,
        "truncated": sums.truncated,
        "sets": sums.sets,
        "usable": sums.usable,
    }
    for name in sums.units:
        found = sums.interval(name, level)
        row |= {name: found.mean, f"{name}_low": found.low, f"{name}_high": found.high}
    return row


def sanity_estimates(
    sums: SanitySums | GameSums, sets: int | None, level: float = intervals.LEVEL
) -> list[Estimate]:
    """The same numbers as rows of `estimates`, measures `sanity_*`; `sets` is the length of a written match."""
    return [
        Estimate(measure=f"sanity_{name}", sets=sets, unit=unit, interval=sums.interval(name, level))
        for name, unit in sums.units.items()
    ]


def sanity_frame(
    rows: Iterable[tuple[str, str, str, SanitySums | GameSums]], level: float = intervals.LEVEL
) -> pd.DataFrame:
    """The sanity table: one row per (rules, player_1, player_2, sums)."""
    import pandas as pd

    return pd.DataFrame(
        [
            {"rules": rules, "player_1": one, "player_2": two, **sanity_row(sums, level)}
            for rules, one, two, sums in rows
        ]
    )
