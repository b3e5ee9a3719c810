"""What the doubling cube does: to length and worth of games, to who begins and to who plays better.

Matches are played with the cube and without it on the same dice; the match is the independent unit, and every
number per game is a sum over matches over their games.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.question import MAIN, Needed, Played, Rows, paired
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import PointMatch, RuleSet, replace
from simkit.settle import match_starts

WITH, WITHOUT = "cube", "no_cube"
"""Details of the estimates: matches with the cube, and without."""

COLUMNS = ("match_id", "set_no", "first_player", "winner", "points", "rolls", "cube", "ended_by")
"""Columns of `games` that are read."""
DROP = 1
"""Code of a dropped double in `ended_by`."""
FACES = (1, 2, 4, 8, 16, 32)

PER_GAME: Mapping[str, str] = {
    "rolls": "rolls per game",
    "points": "points per game",
    "multiple": "share of games",
    "first_wins": "share of games",
    "first_points": "points per game",
    "games_1": "share of games",
    "points_1": "points per game",
}
"""Per game, with the cube and without: rolls of both; points of whoever wins; games that count double or triple
beside the cube; games won by who began them, and his points less the other's; the same of player 1."""
OF_THE_CUBE: Mapping[str, str] = {
    "offered": "share of games",
    "dropped": "share of games",
    "taken": "share of games",
    **{f"at_{face}": "share of games" for face in FACES},
}
"""Per game, with the cube: a double was offered; the last was dropped; one was taken; what the cube came to."""
PER_MATCH: Mapping[str, str] = {
    "games_per_match": "games per match",
    "rolls_per_match": "rolls per match",
    "match_to_first": "share of matches",
    "match_to_1": "share of matches",
}
"""Per match, with the cube and without: games; rolls; won by who began it; won by player 1."""

GAMES = ONE = 0
PLACES = {name: 1 + place for place, name in enumerate((*PER_GAME, *OF_THE_CUBE, *PER_MATCH))}
SIZE = 2 + len(PLACES)
"""Places in the vector of one match and play: the games at `GAMES`, the numbers at `PLACES`, a one at the end."""
UNIT = SIZE - 1


def match_vectors(blocks: Iterable[Rows]) -> Iterator[Rows]:
    """Sum games up by match.

    Parameters
    ----------
    blocks : iterable of mappings of column name to array
        Rows of games, whole matches in each block; columns as `COLUMNS`.

    Yields
    ------
    mapping
        `match_id`, and `vector`, int64 (matches, SIZE). Matches with a game that was cut are left out.
    """
    for games in blocks:
        starts = match_starts(games)
        if not starts.size:
            continue
        per_game = _of_games(games)
        sums = np.stack(
            [np.add.reduceat(column, starts, dtype=np.int64) for column in per_game.values()], axis=1
        )
        vectors = np.zeros((starts.size, SIZE), np.int64)
        vectors[:, GAMES] = sums[:, 0]
        for place, name in enumerate(per_game):
            if name in PLACES:
                vectors[:, PLACES[name]] = sums[:, place]
        won_by_1 = vectors[:, PLACES["points_1"]] > 0
        vectors[:, PLACES["games_per_match"]] = sums[:, 0]
        vectors[:, PLACES["rolls_per_match"]] = vectors[:, PLACES["rolls"]]
        vectors[:, PLACES["match_to_1"]] = won_by_1
        vectors[:, PLACES["match_to_first"]] = won_by_1 == (games["first_player"][starts] == 1)
        vectors[:, UNIT] = 1
        ended = np.minimum.reduceat(games["winner"], starts) > 0
        yield {"match_id": games["match_id"][starts][ended], "vector": vectors[ended]}


def _of_games(games: Rows) -> dict[str, NDArray[np.int64]]:
    """The numbers of PER_GAME and OF_THE_CUBE game by game, after a one for each game."""
    points, cube = games["points"].astype(np.int64), games["cube"].astype(np.int64)
    by_first, by_1 = games["winner"] == games["first_player"], games["winner"] == 1
    dropped = games["ended_by"] == DROP
    found = {
        "games": np.ones(points.size, np.int64),
        "rolls": games["rolls"],
        "points": points,
        "multiple": points > cube,
        "first_wins": by_first,
        "first_points": np.where(by_first, points, -points),
        "games_1": by_1,
        "points_1": np.where(by_1, points, -points),
        "offered": dropped | (cube > 1),
        "dropped": dropped,
        "taken": cube > 1,
        **{f"at_{face}": cube == face for face in FACES},
    }
    return {name: values.astype(np.int64) for name, values in found.items()}


def products(blocks: Iterable[tuple[Rows, Rows]]) -> NDArray[np.int64]:
    """Sums over matches of products of their numbers, int64 (2 SIZE, 2 SIZE): with the cube, then without."""
    total = np.zeros((2 * SIZE, 2 * SIZE), np.int64)
    for one, two in blocks:
        both = np.concatenate([one["vector"], two["vector"]], axis=1).astype(np.float64)
        total += (both.T @ both).astype(np.int64)  # exact: sums of whole numbers below 2**53
    return total


# ---------------------------------------------------------------- measures


@dataclass(frozen=True)
class _Quotient:
    """A number over games or matches, of one of the two plays: its places in the joint vector."""

    number: int
    over: int

    @classmethod
    def of(cls, name: str, play: str) -> _Quotient:
        aside = 0 if play == WITH else SIZE
        over = UNIT if name in PER_MATCH else GAMES
        return cls(aside + PLACES[name], aside + over)


def one_play(sums: NDArray[np.int64], name: str, play: str, level: float) -> Interval:
    """A number of one play, clustered by match."""
    n, found = int(sums[UNIT, UNIT]), _Quotient.of(name, play)
    if PER_MATCH.get(name) == "share of matches":
        return intervals.proportion(int(sums[found.number, UNIT]), n, level)
    return _ratio(sums, found.number, found.over, level)


def _ratio(sums: NDArray[np.int64], number: int, over: int, level: float) -> Interval:
    """A sum of one place over a sum of another, clustered by match."""
    first, second = (int(sums[UNIT, place]) for place in (over, number))
    squares = (int(sums[over, over]), int(sums[over, number]), int(sums[number, number]))
    return intervals.ratio(int(sums[UNIT, UNIT]), first, second, *squares, level)


def change(sums: NDArray[np.int64], name: str, level: float) -> Interval:
    """A number with the cube less the same without, paired by match on the same dice.

    Each of the two is linearised as a ratio estimator is (Cochran 1977, 2.11), and their residuals are taken match
    by match, so that what the two plays have in common is made use of.
    """
    method = "paired difference of ratios, by match"
    n = int(sums[UNIT, UNIT])
    weights = np.zeros(2 * SIZE)
    value = 0.0
    for sign, play in ((1, WITH), (-1, WITHOUT)):
        found = _Quotient.of(name, play)
        over, number = (float(sums[UNIT, place]) for place in (found.over, found.number))
        if over == 0:
            return intervals.unknown(n, level, method)
        value += sign * number / over
        weights[found.number] += sign * n / over
        weights[found.over] -= sign * n / over * number / over
    if n < 2:
        return intervals.unknown(n, level, method, value)
    variance = max(float(weights @ sums @ weights), 0.0) / (n - 1)
    quantile = intervals.student_quantile(level, n - 1)
    return intervals.around(n, value, math.sqrt(variance / n), quantile, level, method)


def estimates(sums: NDArray[np.int64], level: float) -> Iterator[Estimate]:
    """Every number of PER_GAME and PER_MATCH by both plays, with its `NAME_change`; those of OF_THE_CUBE."""
    for name, unit in {**PER_GAME, **PER_MATCH}.items():
        for play in (WITH, WITHOUT):
            yield Estimate(measure=name, detail=play, unit=unit, interval=one_play(sums, name, play, level))
        yield Estimate(measure=f"{name}_change", unit=unit, interval=change(sums, name, level))
    for name, unit in OF_THE_CUBE.items():
        yield Estimate(measure=name, unit=unit, interval=one_play(sums, name, WITH, level))
    found = _ratio(sums, PLACES["dropped"], PLACES["offered"], level)
    yield Estimate(measure="dropped_of_offered", unit="share of games with a double", interval=found)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class DoublingCube:
    """What the doubling cube does to a match, against the same match without it, on the same dice."""

    of_tables: ClassVar[bool] = True
    by_settlement: ClassVar[bool] = False
    by_players: ClassVar[tuple[str, ...]] = ()
    by_rules: ClassVar[tuple[str, ...]] = tuple(f"{name}_change" for name in (*PER_GAME, *PER_MATCH))
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words; there is nothing to declare."""
        yield from ()

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Compared", "match.cube true against false, on the same dice, over whole matches"

    def plays(self, rules: RuleSet) -> Mapping[str, Needed]:
        """Matches by the rule set, which has the cube, and the same without it."""
        match = rules.match
        if not isinstance(match, PointMatch) or not match.cube:
            raise ConfigError(f"{rules.name} is not played with the doubling cube (match.cube true)")
        usual = {field.name: field.default for field in dataclasses.fields(PointMatch)}
        plain = rules.with_match(cube=False, cube_limit=usual["cube_limit"], crawford=usual["crawford"])
        return {
            MAIN: Needed(rules=rules),
            WITHOUT: Needed(rules=replace(plain, name=f"{rules.name}_without")),
        }

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        both = (match_vectors(played.games(COLUMNS, key)) for key in (MAIN, WITHOUT))
        yield from estimates(products(paired(*both)), level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of games won by player 1, as for any run."""
        return None
