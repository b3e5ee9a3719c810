"""Whether playing each start twice, the players exchanging the first throw, makes it fair.

What one game is worth to the player who throws first follows from single games that open as the draw does, with
two different numbers, and from single games that open with any throw. Between players who play alike a second game
that opens as the first, with the same throw or another of two different numbers, gives back exactly what the first
took; one that opens with any throw does so but for the doubles. Whole matches show what is left where one may be
decided after the first game of a start.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.question import MAIN, Needed, Played, Rows
from simkit.analysis.starts import (
    GROUPS,
    STARTS,
    at_once,
    each_of,
    favoured,
    name_of,
    root,
    single_games,
    start_places,
)
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import (
    OpeningRoll,
    PairFirstStarter,
    PointMatch,
    RuleSet,
    SecondGameOpening,
    StartSelection,
    Tables,
    replace,
)

ANY_THROW: Final = OpeningRoll.DRAW_THEN_THROW.value
"""Key of the single games that open with any throw."""
WAYS: Final = tuple(way.value for way in SecondGameOpening)
FRESH, NON_DOUBLE, SAME = WAYS
NO_PAIRS, WHOLE_PAIRS = "no pairs", "whole pairs"
"""Matches in which each game has a start and a draw of its own; which end only with both games of a start."""
MATCHES: Final = (NO_PAIRS, *WAYS, WHOLE_PAIRS)
"""Keys of the plays of whole matches."""

COLUMNS = (
    "match_id",
    "start_a",
    "start_b",
    "start_c",
    "start_d",
    "opening_1",
    "opening_2",
    "first_player",
    "winner",
    "points",
)
"""Columns of `games` that are read of single games."""
MATCH_COLUMNS = ("first_player", "winner")
"""Columns of `matches` that are read of matches."""

ROLLS: Final = tuple(combinations_with_replacement(range(1, 7), 2))
DOUBLES = np.array([low == high for low, high in ROLLS])
CHANCE = np.where(DOUBLES, 1, 2) / 36
"""The 21 opening rolls, and how often a throw is each."""
OF_DIFFERENT = np.where(DOUBLES, 0, 1) / 15
"""The same where the dice must differ."""
FEWEST: Final = 30
"""The fewest games of which a mean of points has an interval: of few, Student's at the level of 225 at once is
wider than the points that can be won."""
ONE, WINS, POINTS, SQUARES = range(4)
"""What is summed of the games of a start and roll: games, those the first player wins, what he wins in points
(less what he loses), and the squares of that."""


# ---------------------------------------------------------------- sums


def opening_sums(blocks: Iterable[Rows], groups: int = GROUPS) -> NDArray[np.int64]:
    """Sum up games by start and opening roll; games that were cut are left out.

    Parameters
    ----------
    blocks : iterable of mappings of column name to array
        Rows of single games; columns as `COLUMNS`.
    groups : int
        Groups of matches, by the match's number modulo so many.

    Returns
    -------
    ndarray
        int64 (groups, 225, 21, 4): for each group of matches, start and roll the sums ONE to SQUARES.
    """
    shape = (groups, len(STARTS), len(ROLLS))
    sums = np.zeros((math.prod(shape), 4), np.int64)
    for block in blocks:
        won = block["winner"] != 0
        rows = {name: block[name][won].astype(np.int64) for name in COLUMNS}
        place = (rows["match_id"] % groups, start_places(rows), _roll_places(rows))
        cell = np.ravel_multi_index(place, shape)
        wins = (rows["winner"] == rows["first_player"]).astype(np.int64)
        points = np.where(wins == 1, 1, -1) * rows["points"]
        for column, number in enumerate((np.ones_like(wins), wins, points, points**2)):
            # Sums of whole numbers below 2**53 are exact in floating point.
            sums[:, column] += np.bincount(cell, number, len(sums)).astype(np.int64)
    return sums.reshape(*shape, 4)


def _roll_places(rows: Rows) -> NDArray[np.int64]:
    """The place in ROLLS of each game's opening roll."""
    places = np.zeros((7, 7), np.int64)
    for place, (low, high) in enumerate(ROLLS):
        places[low, high] = places[high, low] = place
    found: NDArray[np.int64] = places[rows["opening_1"], rows["opening_2"]]
    return found


# ---------------------------------------------------------------- what a start leaves


@dataclass(frozen=True)
class Number:
    """What is told of the first player: in which unit, and what nobody being favoured means."""

    name: str
    unit: str
    column: int
    even: float


NUMBERS: Final = (
    Number("wins", "share of games", WINS, 0.5),
    Number("points", "points per game", POINTS, 0.0),
)


def of_starts(drawn: NDArray[np.int64], thrown: NDArray[np.int64], level: float) -> Iterator[Estimate]:
    """What the first player has of a start, and what pairing leaves of it; all 225 intervals hold at once.

    `first_wins`, `first_points`: of single games, opened by two different numbers (`drawn`).
    `pair_wins`, `pair_points`: of both games of a pair, mean over the two, of him who begins the first, where the
    second opens with any throw. It differs from an even share only by the doubles, a sixth of all throws: half of
    a sixth of what different numbers are worth more to the player who opens than doubles (of `thrown`).
    """
    each = each_of(level)
    for number in NUMBERS:
        different = drawn.sum(axis=(0, 2))
        doubles = thrown[:, :, DOUBLES].sum(axis=(0, 2))
        for place, dice in enumerate(STARTS):
            alone, double = (of_first(sums[place], number, each) for sums in (different, doubles))
            detail = name_of(dice)
            yield Estimate(
                measure=f"first_{number.name}", detail=detail, unit=number.unit, interval=at_once(alone)
            )
            left = at_once(left_of(alone, double, number))
            yield Estimate(measure=f"pair_{number.name}", detail=detail, unit=number.unit, interval=left)


def of_all(drawn: NDArray[np.int64], thrown: NDArray[np.int64], level: float) -> Iterator[Estimate]:
    """The same over all games, whatever their start, and by how the second game of a pair opens.

    `double_wins`, `double_points`: of single games opened by a double. `pair_wins` and `pair_points` have the way
    of opening as detail; two of three leave exactly nothing.
    """
    for number in NUMBERS:
        alone = of_first(drawn.sum(axis=(0, 1, 2)), number, level)
        double = of_first(thrown[:, :, DOUBLES].sum(axis=(0, 1, 2)), number, level)
        yield Estimate(measure=f"first_{number.name}", unit=number.unit, interval=alone)
        yield Estimate(measure=f"double_{number.name}", unit=number.unit, interval=double)
        for way in WAYS:
            nothing = intervals.exact(number.even, alone.n, "exact, by exchanging the players", level)
            left = left_of(alone, double, number) if way == FRESH else nothing
            yield Estimate(measure=f"pair_{number.name}", detail=way, unit=number.unit, interval=left)


def of_first(row: NDArray[np.int64], number: Number, level: float) -> Interval:
    """A number of the first player over the games summed up in a row; points of few games have no interval."""
    n, total = int(row[ONE]), int(row[number.column])
    if number.column == WINS:
        return intervals.proportion(total, n, level)
    if n < FEWEST:
        return intervals.unknown(n, level, "t", total / n if n else math.nan)
    return intervals.mean(n, total, int(row[SQUARES]), level)


def left_of(alone: Interval, double: Interval, number: Number) -> Interval:
    """What pairing leaves where the second game opens with any throw, from single games of either opening.

    The games may share dice, which makes their difference vary less: the interval is rather too wide.
    """
    found = intervals.scaled(intervals.difference(alone, double), 1 / 12)
    moved = {end: getattr(found, end) + number.even for end in ("mean", "low", "high")}
    return dataclasses.replace(found, **moved, method=f"a twelfth of a {found.method}")


def left_at_most(found: Sequence[Estimate], level: float) -> Iterator[Estimate]:
    """How far the fairest and the least fair start are from an even share of games.

    `first_most`, `pair_most`: the largest distance over the starts, before and after pairing. The ends of the
    interval are the largest of the ends of all starts, which hold at once.
    `starts_for_first`, `starts_for_second`, `pairs_for_first`, `pairs_for_second`: starts that favour a player
    beyond doubt; at the ends of the interval those that must and those that may.
    """
    for name, kind in (("first", "starts"), ("pair", "pairs")):
        chances = [one.interval for one in found if one.measure == f"{name}_wins"]
        away = [_distance(one, 0.5) for one in chances]
        if any(math.isnan(x) for one in away for x in one):
            most = intervals.unknown(min(one.n for one in chances), level, "the largest of 225 starts")
        else:
            mean, low, high = (max(one[place] for one in away) for place in range(3))
            most = Interval(
                n=min(one.n for one in chances),
                mean=mean,
                se=math.nan,
                low=low,
                high=high,
                level=level,
                method="the largest of 225 starts at once (Sidak)",
            )
        yield Estimate(measure=f"{name}_most", unit="share of games", interval=most)
        yield from favoured(found, level, f"{name}_wins", kind)


def _distance(one: Interval, even: float) -> tuple[float, float, float]:
    """How far a number is from an even one: seen, at least, at most."""
    least = max(one.low - even, even - one.high, 0.0)
    return abs(one.mean - even), least, max(abs(one.low - even), abs(one.high - even))


# ---------------------------------------------------------------- spreads and luck


def spreads(drawn: NDArray[np.int64], thrown: NDArray[np.int64], level: float) -> Iterator[Estimate]:
    """How starts differ, and what opening rolls promise, the noise of counting taken off.

    `first_wins_spread`, `pair_wins_spread`: standard deviations over the 225 starts.
    `opening_luck`: the root mean square of what start and opening rolls promise a player in points over two games,
    before anything else is thrown; by detail NO_PAIRS (two games, each from its own start and draw) and the WAYS.
    """
    both = np.stack([drawn, thrown], axis=1)  # (GROUPS, 2, 225, 21, 4)
    n = int(both[..., ONE].sum())
    for measure, function in (("first_wins_spread", _first_variance), ("pair_wins_spread", _pair_variance)):
        squared = intervals.jackknife(both, function, n, level)
        yield Estimate(measure=measure, unit="share of games", interval=root(squared))
    for way in (NO_PAIRS, FRESH, NON_DOUBLE):
        squared = intervals.jackknife(both, _luck(way), n, level)
        yield Estimate(measure="opening_luck", detail=way, unit="points per pair", interval=root(squared))
    nothing = intervals.exact(0.0, n, "exact, by exchanging the players", level)
    yield Estimate(measure="opening_luck", detail=SAME, unit="points per pair", interval=nothing)


def _share(sums: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Share won by the first player and the square of its standard error; the last axis are the sums."""
    n = sums[..., ONE]
    share = sums[..., WINS] / n
    return share, share * (1 - share) / (n - 1)


def _spread(values: NDArray[Any], noise: NDArray[Any]) -> Any:
    """Variance over the starts, less what counting alone would make of it."""
    size = values.shape[-1]
    return values.var(axis=-1) - (size - 1) / size * noise.mean(axis=-1)


def _first_variance(both: NDArray[Any]) -> Any:
    return _spread(*_share(both[..., 0, :, :, :].sum(axis=-2)))


def _pair_variance(both: NDArray[Any]) -> Any:
    different, noise_1 = _share(both[..., 0, :, :, :].sum(axis=-2))
    double, noise_2 = _share(both[..., 1, :, :, :][..., DOUBLES, :].sum(axis=-2))
    return _spread((different - double) / 12, (noise_1 + noise_2) / 144)


def _luck(way: str) -> Callable[[NDArray[Any]], Any]:
    """Mean square of what start and opening rolls promise over two games."""

    def function(both: NDArray[Any]) -> Any:
        value, square = _values(both)
        mean, mean_square = _over_rolls(value, square, OF_DIFFERENT)
        if way == NO_PAIRS:  # each of two games by itself, now the one player first, now the other
            return 2 * mean_square.mean(axis=-1)
        if way == NON_DOUBLE:
            return 2 * (mean_square - _squared(value, square, mean, OF_DIFFERENT)).mean(axis=-1)
        other, other_square = _over_rolls(value, square, CHANCE)
        product = mean * other - ((value**2 - square) * OF_DIFFERENT * CHANCE).sum(axis=-1)
        return (mean_square + other_square - 2 * product).mean(axis=-1)

    return function


def _values(both: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points the first player may hope for by start and opening roll, (..., 225, 21), and their squares.

    The squares are free of the noise of counting: what it adds to the square of a mean is taken off.
    """
    sums = np.where(DOUBLES[:, None], both[..., 1, :, :, :], both[..., 0, :, :, :])
    n = sums[..., ONE]
    value = sums[..., POINTS] / n
    noise = (sums[..., SQUARES] / n - value**2) / (n - 1)
    return value, value**2 - noise


def _over_rolls(
    value: NDArray[Any], square: NDArray[Any], chance: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means over the rolls of the value and of its square."""
    return (value * chance).sum(axis=-1), (square * chance).sum(axis=-1)


def _squared(value: NDArray[Any], square: NDArray[Any], mean: NDArray[Any], chance: NDArray[Any]) -> Any:
    """The square of a mean over rolls, free of the noise of counting."""
    return mean**2 - ((value**2 - square) * chance**2).sum(axis=-1)


# ---------------------------------------------------------------- matches


def of_matches(played: Played, level: float) -> Iterator[Estimate]:
    """`match_first_wins`: share of matches won by him who threw first in the first game, by kind of match."""
    for kind in MATCHES:
        n = won = 0
        for block in played.matches(MATCH_COLUMNS, kind):
            ended = block["winner"] != 0
            n += int(ended.sum())
            won += int((ended & (block["winner"] == block["first_player"])).sum())
        found = intervals.proportion(won, n, level)
        yield Estimate(measure="match_first_wins", detail=kind, unit="share of matches", interval=found)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """What the first throw is worth by start, and what playing each start twice leaves of it."""

    drawn_times: int = 1
    """Single games that open as the draw does, as a multiple of the matches."""
    thrown_times: int = 1
    """Single games that open with any throw."""

    of_tables: ClassVar[bool] = True
    by_settlement: ClassVar[bool] = False
    by_players: ClassVar[tuple[str, ...]] = ()
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        for name in ("drawn_times", "thrown_times"):
            if getattr(self, name) < 1:
                yield f"{name} = {getattr(self, name)}: from 1 on"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Compared", f"match.second_game_opening {', '.join(WAYS)}; matches with {' and '.join(MATCHES)}"
        yield (
            "Games",
            f"for each match of every kind {self.drawn_times} single games as drawn and {self.thrown_times} "
            "opened with any throw",
        )

    def plays(self, rules: RuleSet) -> Mapping[str, Needed]:
        """Single games by either opening, and matches of every kind."""
        own = single_games(rules)
        _check(rules)

        def match(kind: str, **changes: Any) -> Needed:
            return Needed(
                rules=replace(rules.with_match(**changes), name=f"{rules.name}_{kind.replace(' ', '_')}")
            )

        thrown = replace(
            own.with_game(first_roll_method=OpeningRoll.DRAW_THEN_THROW), name=f"{rules.name}_{ANY_THROW}"
        )
        return {
            MAIN: Needed(rules=own, times=self.drawn_times),
            ANY_THROW: Needed(rules=thrown, times=self.thrown_times),
            NO_PAIRS: match(NO_PAIRS, games_per_start=1),
            **{way.value: match(way.value, second_game_opening=way) for way in SecondGameOpening},
            WHOLE_PAIRS: match(WHOLE_PAIRS, match_end_mid_pair=False),
        }

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        drawn = opening_sums(played.games(COLUMNS))
        thrown = opening_sums(played.games(COLUMNS, ANY_THROW))
        starts = list(of_starts(drawn, thrown, level))
        yield from of_all(drawn, thrown, level)
        yield from starts
        yield from left_at_most(starts, level)
        yield from spreads(drawn, thrown, level)
        yield from of_matches(played, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of games won by player 1, as for any run."""
        return None


def _check(rules: RuleSet) -> None:
    """Refuse rules whose starts do not serve two games as the article says."""
    game, match = rules.game, rules.match
    assert isinstance(game, Tables)
    assert isinstance(match, PointMatch)
    asked = {
        "game.start_selection": (game.start_selection, StartSelection.RANDOM_225),
        "game.first_roll_method": (game.first_roll_method, OpeningRoll.DRAW_IS_FIRST_THROW),
        "match.pair_first_starter": (match.pair_first_starter, PairFirstStarter.DRAW),
        "match.second_game_opening": (match.second_game_opening, SecondGameOpening.FRESH_THROW),
    }
    wrong = [
        f"{name} {has.value}, not {needs.value}" for name, (has, needs) in asked.items() if has is not needs
    ]
    if match.games_per_start != 2 or not match.match_end_mid_pair:
        wrong.append("a start that does not serve two games of which the first may end the match")
    if wrong:
        raise ConfigError(
            f"{rules.name}: {'; '.join(wrong)}; pairing is asked of the article's way of playing"
        )
