"""The double game by its three readings: how often a game counts otherwise, and what becomes of a match.

No reading touches play and no player of ours knows them, so that the same games are counted by all three. Single
games give the rates. Matches are played by the reading that gives fewest points, whose games are those of the
other readings too, and of shorter matches, as far as these go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Needed, Played, Rows
from simkit.analysis.starts import single_games
from simkit.drivers.points import decided
from simkit.errors import ConfigError
from simkit.position import Position
from simkit.progress import Monitor
from simkit.rules import DoubleCondition, PointMatch, RuleSet, TripleCondition, replace
from simkit.settle import match_starts
from simkit.tables import points_of_win

FEWEST: Final = DoubleCondition.OFF0_AND_NOT_ALL_HOME
"""The reading by which fewest games count double."""
READINGS: Final = tuple(DoubleCondition)
OTHERS: Final = tuple(reading for reading in READINGS if reading is not FEWEST)
MATCHES: Final = "matches"
"""Key of the play of whole matches."""

GAME_COLUMNS = ("winner", "off_1", "off_2", "all_home_1", "all_home_2")
MATCH_COLUMNS = ("match_id", "set_no", *GAME_COLUMNS)
"""Columns of `games` that are read, of single games and of matches."""

CELLS: Final = {
    "none off, not all home": (0, 0),
    "none off, all home": (0, 1),
    "some off, all home": (1, 1),
    "some off, not all home": (1, 0),
}
"""How the loser stands at the end: whether he has borne a man off, whether all are in his return jan."""


@cache
def worth() -> NDArray[np.int64]:
    """Points of a game by reading, men off (none, some) and men home (not all, all), int64 (3, 2, 2)."""
    table = np.zeros((len(READINGS), 2, 2), np.int64)
    for place, reading in enumerate(READINGS):
        match = PointMatch(double_condition=reading)
        for off, home in CELLS.values():
            men = [0] * 24  # seen by the winner: the loser's return jan are arrows 1 to 6
            men[0], men[11] = 13, 2 - off
            if home:
                men[0], men[11] = 15 - off, 0
            lost = Position((0,) * 24, tuple(men), (15, off))
            table[place, off, home] = points_of_win(match, lost)
    return table


def cells(games: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How the loser of each game stands: whether men are off, and whether all are home; 0 or 1, int64 (n,)."""
    second = games["winner"] == 1  # who then lost
    off = np.where(second, games["off_2"], games["off_1"]) > 0
    home = np.where(second, games["all_home_2"], games["all_home_1"])
    return off.astype(np.int64), home.astype(np.int64)


# ---------------------------------------------------------------- single games


def cell_sums(blocks: Iterable[Rows]) -> NDArray[np.int64]:
    """Games by how the loser stands, int64 (2, 2); games that were cut are left out. Columns: `GAME_COLUMNS`."""
    sums = np.zeros((2, 2), np.int64)
    for block in blocks:
        won = block["winner"] != 0
        off, home = cells({name: block[name][won] for name in GAME_COLUMNS})
        sums += np.bincount(2 * off + home, minlength=4).reshape(2, 2)
    return sums


def rates(sums: NDArray[np.int64], level: float) -> Iterator[Estimate]:
    """How games count.

    `loser`: shares of games by how the loser stands, by CELLS. `doubled`: share that counts double, by reading.
    `otherwise`: share that another reading counts otherwise than FEWEST, by that reading.
    """
    n = int(sums.sum())

    def share(measure: str, detail: str, chosen: NDArray[np.bool_]) -> Estimate:
        found = intervals.proportion(int(sums[chosen].sum()), n, level)
        return Estimate(measure=measure, detail=detail, unit="share of games", interval=found)

    for name, place in CELLS.items():
        chosen = np.zeros((2, 2), np.bool_)
        chosen[place] = True
        yield share("loser", name, chosen)
    for reading, points in zip(READINGS, worth(), strict=True):
        yield share("doubled", reading.value, points > 1)
    base = worth()[READINGS.index(FEWEST)]
    for reading in OTHERS:
        yield share("otherwise", reading.value, worth()[READINGS.index(reading)] != base)


# ---------------------------------------------------------------- matches


@dataclass(frozen=True, eq=False)
class MatchSums:
    """Sums over whole matches of some lengths, by each reading; built by `match_sums`."""

    n: int
    """Matches counted: those without a game that was cut."""
    changes: NDArray[np.int64]
    """(lengths, readings): matches with another winner than by FEWEST."""
    games: NDArray[np.int64]
    """(lengths, readings): games played."""
    change: NDArray[np.int64]
    """(lengths, readings, 2): games less those by FEWEST, and the squares of that."""
    squares: NDArray[np.int64]
    """(lengths, readings): squares of the games of a match."""


def match_sums(blocks: Iterable[Rows], match: PointMatch, lengths: Sequence[int]) -> MatchSums:
    """Count matches to each number of points by each reading, from the games of matches to the longest by FEWEST.

    Whole matches in each block. Columns: `MATCH_COLUMNS`.
    """
    shape = (len(lengths), len(READINGS))
    n, change = 0, np.zeros((*shape, 2), np.int64)
    changes, games, squares = (np.zeros(shape, np.int64) for _ in range(3))
    for block in blocks:
        winner, played = _by_reading(block, match, lengths)
        n += winner.shape[-1]
        base = READINGS.index(FEWEST)
        changes += (winner != winner[:, base : base + 1]).sum(axis=-1)
        games += played.sum(axis=-1)
        squares += (played**2).sum(axis=-1)
        more = played - played[:, base : base + 1]
        change += np.stack([more.sum(axis=-1), (more**2).sum(axis=-1)], axis=-1)
    return MatchSums(n, changes, games, change, squares)


def _by_reading(
    rows: Rows, match: PointMatch, lengths: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Winner (0 or 1) and games of each match, int64 (lengths, readings, matches); matches cut are left out."""
    won, points = _in_matches(rows)
    winner = np.zeros((len(lengths), len(READINGS), len(won)), np.int64)
    played = np.zeros_like(winner)
    for place in range(len(READINGS)):
        of_sides = [np.where(won == side, points[place], 0).cumsum(axis=1) for side in (1, 2)]
        by_side = np.stack(of_sides, axis=-1)
        for k, length in enumerate(lengths):
            to_it = replace(match, match_points=length)
            for game in range(won.shape[1]):
                on = played[k, place] == 0
                ends = on & decided(to_it, by_side[:, game], game + 1)
                played[k, place][ends] = game + 1
                winner[k, place][ends] = (by_side[ends, game, 1] > by_side[ends, game, 0]).astype(np.int64)
    return winner, played


def _in_matches(rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Winners and points of the games of each whole match, int64 (matches, games) and (readings, matches, games).

    Where a match has no more games both are 0.
    """
    starts = match_starts(rows)
    sizes = np.diff(np.append(starts, len(rows["match_id"])))
    row = np.repeat(np.arange(len(starts)), sizes)
    column = np.arange(len(row)) - starts[row]
    whole = np.ones(len(starts), np.bool_)
    whole[row[rows["winner"] == 0]] = False
    won = np.zeros((len(starts), int(sizes.max(initial=0))), np.int64)
    won[row, column] = rows["winner"]
    points = np.zeros((len(READINGS), *won.shape), np.int64)
    points[:, row, column] = worth()[:, *cells(rows)]
    return won[whole], points[:, whole]


def of_matches(sums: MatchSums, lengths: Sequence[int], level: float) -> Iterator[Estimate]:
    """What the readings do to matches, by length and reading: `3, off0`.

    `match_games`: games in a match. `winner_changes`: share of matches with another winner than by FEWEST;
    `games_change`: games less those by FEWEST, match by match; neither of FEWEST itself.
    """
    for k, length in enumerate(lengths):
        for place, reading in enumerate(READINGS):
            detail = detail_of(length, reading)
            found = intervals.mean(sums.n, int(sums.games[k, place]), int(sums.squares[k, place]), level)
            yield Estimate(measure="match_games", detail=detail, unit="games per match", interval=found)
            if reading is FEWEST:
                continue
            found = intervals.proportion(int(sums.changes[k, place]), sums.n, level)
            yield Estimate(measure="winner_changes", detail=detail, unit="share of matches", interval=found)
            total, squares = (int(x) for x in sums.change[k, place])
            found = intervals.mean(sums.n, total, squares, level)
            yield Estimate(measure="games_change", detail=detail, unit="games per match", interval=found)


def detail_of(length: int, reading: DoubleCondition) -> str:
    """How estimates name a match to so many points by a reading: `3, off0`."""
    return f"{length}, {reading.value}"


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class DoubleReadings:
    """How often games count double by each reading, and what that does to matches."""

    lengths: tuple[int, ...] = (2, 3, 5, 7)
    """Points of the matches that are told of."""
    games_times: int = 1
    """Single games played, as a multiple of the matches."""

    of_tables: ClassVar[bool] = True
    by_settlement: ClassVar[bool] = False
    by_players: ClassVar[tuple[str, ...]] = ()
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        if not self.lengths or len(set(self.lengths)) < len(self.lengths) or min(self.lengths) < 1:
            yield f"lengths = {self.lengths}: numbers of points from 1 on, each once"
        if self.games_times < 1:
            yield f"games_times = {self.games_times}: from 1 on"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield (
            "Compared",
            f"match.double_condition {', '.join(one.value for one in READINGS)}, on the same games",
        )
        yield "Matches to", f"{', '.join(map(str, self.lengths))} points"
        yield "Games", f"{self.games_times} single games for each match"

    def plays(self, rules: RuleSet) -> Mapping[str, Needed]:
        """Single games, and matches to the most points, by the reading that gives fewest."""
        own = single_games(rules)
        match = rules.match
        assert isinstance(match, PointMatch)
        if match.double_condition is not FEWEST or match.triple_condition is not TripleCondition.NONE:
            raise ConfigError(
                f"{rules.name}: match.double_condition {match.double_condition.value}, "
                f"match.triple_condition {match.triple_condition.value}; the readings are compared with "
                f"{FEWEST.value}, without triple games"
            )
        if not match.match_end_mid_pair:
            raise ConfigError(
                f"{rules.name}: match.match_end_mid_pair false; matches are counted to the game that decides "
                "them"
            )
        longest = rules.with_match(match_points=max(self.lengths))
        return {
            MAIN: Needed(rules=own, times=self.games_times),
            MATCHES: Needed(rules=replace(longest, name=f"{rules.name}_matches")),
        }

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        match = rules.match
        assert isinstance(match, PointMatch)
        yield from rates(cell_sums(played.games(GAME_COLUMNS)), level)
        sums = match_sums(played.games(MATCH_COLUMNS, MATCHES), match, self.lengths)
        yield from of_matches(sums, self.lengths, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of games won by player 1, as for any run."""
        return None
