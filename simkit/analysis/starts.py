"""The 225 starts of toutes tables: what each is worth to the first player, and how long and lively its games are.

Single games are played, so that the game is the match and the independent unit. The numbers of the starts are
read together: their intervals hold for all 225 at once.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.question import MAIN, Needed, Played, Rows
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import STANDARD_START, PointMatch, RuleSet, SecondGameOpening, StartSelection, Tables
from simkit.tables import TABLES, Start, all_starts, legal_plays, pips, start

COLUMNS = (
    "match_id",
    "start_a",
    "start_b",
    "start_c",
    "start_d",
    "first_player",
    "winner",
    "points",
    "rolls",
    "hits_1",
    "hits_2",
)
"""Columns of `games` that are read."""

STARTS = all_starts()
GROUPS = 20
"""Groups of matches over which the jackknife goes, by the match's number modulo so many."""

NUMBERS = {
    "first_wins": "share of games",
    "doubled": "share of games",
    "rolls": "rolls per game",
    "hits": "hits per game",
}
"""What is told of every start: who threw first wins; the game counts more than one point; rolls of both players;
men that both hit."""
ONE, FIRST, DOUBLED, ROLLS, HITS, ROLLS_SQUARED, HITS_SQUARED = range(7)
PLACES = {"first_wins": FIRST, "doubled": DOUBLED, "rolls": ROLLS, "hits": HITS}
SQUARES = {FIRST: FIRST, DOUBLED: DOUBLED, ROLLS: ROLLS_SQUARED, HITS: HITS_SQUARED}
"""Where the sum of squares of each number stands."""


def name_of(dice: Start) -> str:
    """`1-6, 1-5`: the dice of a start, as estimates name it."""
    a, b, c, d = dice
    return f"{a}-{b}, {c}-{d}"


STANDARD = name_of(STANDARD_START)


@cache
def race() -> NDArray[np.int64]:
    """Points that each player has to go from each start, int64 (225,)."""
    return np.array([pips(start(*dice))[0] for dice in STARTS], np.int64)


@cache
def freedom() -> NDArray[np.float64]:
    """Mean number of plays of an opening roll from each start, float64 (225,): of the 15 rolls of two numbers."""
    rolls = tuple(combinations(range(1, 7), 2))
    counts = [[len(legal_plays(TABLES, start(*dice), roll)) for roll in rolls] for dice in STARTS]
    return np.array([sum(plays) / len(rolls) for plays in counts], np.float64)


# ---------------------------------------------------------------- sums


def start_sums(blocks: Iterable[Rows]) -> NDArray[np.int64]:
    """Read rows of games block by block and sum them up by start; games that were cut are left out.

    Parameters
    ----------
    blocks : iterable of mappings of column name to array
        Rows of games; columns as `COLUMNS`.

    Returns
    -------
    ndarray
        int64 (GROUPS, 225, 7): games, and the sums of PLACES and SQUARES.
    """
    sums = np.zeros((GROUPS, len(STARTS), 7), np.int64)
    for block in blocks:
        sums += _block_sums(block)
    return sums


def _block_sums(games: Rows) -> NDArray[np.int64]:
    won = games["winner"] != 0
    rows = {name: games[name][won].astype(np.int64) for name in COLUMNS}
    cell = rows["match_id"] % GROUPS * len(STARTS) + start_places(rows)
    hits, rolls = rows["hits_1"] + rows["hits_2"], rows["rolls"]
    numbers = (
        np.ones_like(rolls),
        rows["winner"] == rows["first_player"],
        rows["points"] > 1,
        rolls,
        hits,
        rolls * rolls,
        hits * hits,
    )
    size = GROUPS * len(STARTS)
    # Sums of whole numbers below 2**53 are exact in floating point.
    columns = [np.bincount(cell, number, size).astype(np.int64) for number in numbers]
    return np.stack(columns, axis=1).reshape(GROUPS, len(STARTS), 7)


def start_places(games: Rows) -> NDArray[np.int64]:
    """The place in STARTS of each game's start, from its columns `start_a` to `start_d`."""
    return _places()[tuple(games[f"start_{letter}"] for letter in "abcd")]


@cache
def _places() -> NDArray[np.int64]:
    """The place of each start in STARTS, by its four dice."""
    places: NDArray[np.int64] = np.full((7, 7, 7, 7), -1, np.int64)
    for place, dice in enumerate(STARTS):
        places[dice] = place
    return places


# ---------------------------------------------------------------- measures


def enumerated(level: float) -> Iterator[Estimate]:
    """What is counted out: `different_starts`, `standard_starts` among them, and by start `race` and `freedom`.

    `race_least`, `race_most`, `freedom_least` and `freedom_most` are the bounds of both.
    """
    boards = [start(*dice) for dice in STARTS]
    numbers: dict[str, tuple[float, str]] = {
        "different_starts": (len(set(boards)), "starts"),
        "standard_starts": (boards.count(start(*STANDARD_START)), "starts"),
    }
    for name, values, unit in (("race", race(), "points to go"), ("freedom", freedom(), "plays per roll")):
        numbers[f"{name}_least"] = float(values.min()), unit
        numbers[f"{name}_most"] = float(values.max()), unit
        for dice, value in zip(STARTS, values, strict=True):
            yield _exact(name, float(value), unit, level, name_of(dice))
    for measure, (value, unit) in numbers.items():
        yield _exact(measure, value, unit, level)


def _exact(measure: str, value: float, unit: str, level: float, detail: str = "") -> Estimate:
    interval = intervals.exact(value, len(STARTS), "exact, enumerated", level)
    return Estimate(measure=measure, detail=detail, unit=unit, interval=interval)


def of_all(sums: NDArray[np.int64], level: float) -> Iterator[Estimate]:
    """The numbers of NUMBERS over all games, whatever their start."""
    total = sums.sum(axis=(0, 1))
    for measure, unit in NUMBERS.items():
        yield Estimate(measure=measure, unit=unit, interval=_number(total, measure, level))


def by_start(sums: NDArray[np.int64], level: float) -> Iterator[Estimate]:
    """The numbers of NUMBERS by start, each with intervals that hold for all 225 at once.

    Games of different starts are independent, so that 225 intervals of the level's 225th root (Sidak) hold
    together as often as the level says.
    """
    for measure, unit in NUMBERS.items():
        for dice, row in zip(STARTS, sums.sum(axis=0), strict=True):
            found = at_once(_number(row, measure, each_of(level)))
            yield Estimate(measure=measure, detail=name_of(dice), unit=unit, interval=found)


def each_of(level: float) -> float:
    """The level of one of 225 intervals of independent numbers that hold together as often as `level` (Sidak)."""
    return float(level ** (1 / len(STARTS)))


def at_once(one: Interval) -> Interval:
    """An interval made at the level of `each_of`, named so."""
    return dataclasses.replace(one, method=f"{one.method}; 225 at once (Sidak)")


def _number(row: NDArray[np.int64], measure: str, level: float) -> Interval:
    """One number of the games summed up in a row."""
    n, place = int(row[ONE]), PLACES[measure]
    if measure in ("first_wins", "doubled"):
        return intervals.proportion(int(row[place]), n, level)
    return intervals.mean(n, int(row[place]), int(row[SQUARES[place]]), level)


def favoured(
    found: Sequence[Estimate], level: float, measure: str = "first_wins", kind: str = "starts"
) -> Iterator[Estimate]:
    """How many starts favour whom by a measure: `starts_for_first` and `starts_for_second`, or another `kind`.

    At the ends of the interval stand those whose simultaneous intervals allow no other answer: starts that
    favour the player beyond doubt, and all but those that favour the other beyond doubt.
    """
    chances = [one.interval for one in found if one.measure == measure and one.detail]
    for who, first in (("first", True), ("second", False)):
        above = sum(one.low > 0.5 for one in chances)
        below = sum(one.high < 0.5 for one in chances)
        seen = sum((one.mean > 0.5) if first else (one.mean < 0.5) for one in chances)
        sure, against = (above, below) if first else (below, above)
        interval = Interval(
            n=min(one.n for one in chances),
            mean=float(seen),
            se=float("nan"),
            low=float(sure),
            high=float(len(chances) - against),
            level=level,
            method="counted from the intervals of 225 starts at once (Sidak)",
        )
        yield Estimate(measure=f"{kind}_for_{who}", unit="starts", interval=interval)


def across(sums: NDArray[np.int64], level: float) -> Iterator[Estimate]:
    """How the numbers differ between starts, every start weighing the same.

    Of each number of NUMBERS: `NAME_spread`, the standard deviation over the starts, the noise of counting
    taken off; `NAME_spread_share`, the same as a part of the mean; `NAME_per_pip`, how much it grows with a point
    to go; `NAME_with_race` and `NAME_with_freedom`, its correlation with `race` and `freedom`.
    """
    n = int(sums[..., ONE].sum())

    def one(measure: str, unit: str, function: Callable[[NDArray[Any]], Any]) -> Estimate:
        found = intervals.jackknife(sums, function, n, level)
        return Estimate(measure=measure, unit=unit, interval=found)

    for name, unit in NUMBERS.items():
        place = PLACES[name]
        for suffix, spread_unit, share in (("", unit, False), ("_share", "share of the mean", True)):
            squared = intervals.jackknife(sums, _variance(place, share=share), n, level)
            yield Estimate(measure=f"{name}_spread{suffix}", unit=spread_unit, interval=root(squared))
        yield one(f"{name}_per_pip", f"{unit} and point to go", _slope(place, race()))
        yield one(f"{name}_with_race", "correlation", _correlation(place, race()))
        yield one(f"{name}_with_freedom", "correlation", _correlation(place, freedom()))


def _means(sums: NDArray[Any], place: int) -> NDArray[np.float64]:
    means: NDArray[np.float64] = sums[..., place] / sums[..., ONE]
    return means


def _variance(place: int, *, share: bool) -> Callable[[NDArray[Any]], Any]:
    """Variance of a number over the starts, less what counting alone would make of it; `share`, in mean squares.

    It may fall below nought by chance.
    """

    def function(sums: NDArray[Any]) -> Any:
        games, means = sums[..., ONE], _means(sums, place)
        noise = (sums[..., SQUARES[place]] / games - means**2) / (games - 1)
        size = means.shape[-1]
        found = means.var(axis=-1) - (size - 1) / size * noise.mean(axis=-1)
        return found / means.mean(axis=-1) ** 2 if share else found

    return function


def root(squared: Interval) -> Interval:
    """A standard deviation from a variance and its interval; nought where that is below nought."""
    mean, low, high = (max(x, 0.0) ** 0.5 for x in (squared.mean, squared.low, squared.high))
    se = squared.se / (2 * mean) if mean else math.nan
    return dataclasses.replace(
        squared, mean=mean, se=se, low=low, high=high, method=f"root of a {squared.method}"
    )


def _slope(place: int, by: NDArray[Any]) -> Callable[[NDArray[Any]], Any]:
    """Slope of the least-squares line of a number by a property of the starts."""
    aside = by - by.mean()
    return lambda sums: _means(sums, place) @ aside / (aside @ aside)


def _correlation(place: int, by: NDArray[Any]) -> Callable[[NDArray[Any]], Any]:
    """Correlation of a number, as seen, with a property of the starts."""
    slope = _slope(place, by)
    return lambda sums: slope(sums) * by.std() / _means(sums, place).std(axis=-1)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class StartingPositions:
    """What each of the 225 starts is worth, in single games."""

    of_tables: ClassVar[bool] = True
    by_settlement: ClassVar[bool] = False
    by_players: ClassVar[tuple[str, ...]] = ()
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words; there is nothing to declare."""
        yield from ()

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Starts", f"all {len(STARTS)}, drawn as the rules say; one game from each draw"

    def plays(self, rules: RuleSet) -> Mapping[str, Needed]:
        """Matches of one game, from drawn starts."""
        own = single_games(rules)
        assert isinstance(own.game, Tables)
        if own.game.start_selection is not StartSelection.RANDOM_225:
            selection = own.game.start_selection.value
            raise ConfigError(f"{rules.name}: game.start_selection {selection}; the starts need random_225")
        return {MAIN: Needed(rules=own)}

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        sums = start_sums(played.games(COLUMNS))
        starts = list(by_start(sums, level))
        yield from enumerated(level)
        yield from of_all(sums, level)
        yield from starts
        yield from favoured(starts, level)
        yield from across(sums, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of games won by player 1, as for any run."""
        return None


def single_games(rules: RuleSet) -> RuleSet:
    """The same rules in matches of one game; raises ConfigError for trictrac."""
    if not isinstance(rules.match, PointMatch):
        raise ConfigError(f"{rules.name} is not a match to points")
    return rules.with_match(
        match_points=1,
        games_per_start=1,
        second_game_opening=SecondGameOpening.FRESH_THROW,
        match_end_mid_pair=True,
    )
