"""How much the opening play of a game is worth, from each of the 225 starts.

The same single games are played on with the same dice after opening plays of different judgement, the rest of
each game by the same players: what differs is the opening play and what follows from it. Game m of all plays has
the same start, first player, opening roll and dice.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.pairing import COLUMNS, DOUBLES, ONE, POINTS, ROLLS, WINS, opening_sums
from simkit.analysis.question import MAIN, Needed, Played, Rows
from simkit.analysis.starts import (
    STANDARD,
    STARTS,
    at_once,
    each_of,
    freedom,
    name_of,
    root,
    single_games,
)
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import OpeningRoll, RuleSet, StartSelection, Tables, replace

HALVES: Final = 50
GROUPS: Final = 2 * HALVES
"""Groups of matches over which the jackknife goes; for spreads, pairs of them."""

JUDGE: Final = "tables_linear"
"""By whose evaluation the plays of an opening roll are the best and the second."""
RANDOM, BEST, SECOND, AHEAD = "random", "best", "second", "ahead"
OPENS: Final = {RANDOM: ("random", 0), BEST: (JUDGE, 0), SECOND: (JUDGE, 1), AHEAD: ("tables_lookahead", 0)}
"""How each play opens its games: a player of the catalogue, and how many better plays are passed over."""
CONTRASTS: Final = {"over_random": (BEST, RANDOM), "over_second": (BEST, SECOND), "ahead": (AHEAD, BEST)}
"""What is compared: the best play of the evaluation with any legal one and with its second; the play found by
looking a roll further with the best on the spot."""
DIFFERENT: Final = tuple(f"{high}-{low}" for low, high in ROLLS if low != high)
"""The opening rolls, of two different numbers."""

Sums = NDArray[np.int64]
"""(GROUPS, 2 plays, 225 starts, 15 rolls, 4): the sums of `opening_sums` of the two plays of a contrast."""


def first(blocks: Iterable[Rows], matches: int) -> Iterator[Rows]:
    """The rows of so many matches, the first of a run."""
    for block in blocks:
        chosen = block["match_id"] < matches
        yield {name: column[chosen] for name, column in block.items()}
        if not chosen.all():
            return


def contrast(sums: NDArray[Any], column: int = POINTS) -> Any:
    """What the first player gains a game by the first of two plays; axes: plays, then the sums."""
    means = sums[..., column] / sums[..., ONE]
    return means[..., 0] - means[..., 1]


# ---------------------------------------------------------------- measures


def of_all(name: str, sums: Sums, level: float) -> Iterator[Estimate]:
    """What an opening play is worth over all games: `NAME` in points, also by roll, and `NAME_wins` in games."""
    whole = sums.sum(axis=(2, 3))
    n = _games(whole)
    for measure, unit, column in (
        (name, "points per game", POINTS),
        (f"{name}_wins", "share of games", WINS),
    ):
        found = intervals.jackknife(whole, partial(contrast, column=column), n, level)
        yield Estimate(measure=measure, unit=unit, interval=_paired(found))
    by_roll = sums.sum(axis=2)
    for place, roll in enumerate(DIFFERENT):
        found = intervals.jackknife(by_roll[:, :, place], contrast, _games(by_roll[:, :, place]), level)
        yield Estimate(measure=name, detail=roll, unit="points per game", interval=_paired(found))


def by_start(name: str, sums: Sums, level: float) -> Iterator[Estimate]:
    """The same by start, in points; all 225 intervals hold at once.

    `starts_NAME`: starts from which it is worth something beyond doubt; at the ends of the interval those that
    must and those that may.
    """
    of_starts, each = sums.sum(axis=3), each_of(level)
    every = []
    for place, dice in enumerate(STARTS):
        own = of_starts[:, :, place]
        found = at_once(_paired(intervals.jackknife(own, contrast, _games(own), each)))
        every.append(found)
        yield Estimate(measure=name, detail=name_of(dice), unit="points per game", interval=found)
    worth = Interval(
        n=min(one.n for one in every),
        mean=float(sum(one.mean > 0 for one in every)),
        se=math.nan,
        low=float(sum(one.low > 0 for one in every)),
        high=float(len(every) - sum(one.high < 0 for one in every)),
        level=level,
        method="counted from the intervals of 225 starts at once (Sidak)",
    )
    yield Estimate(measure=f"starts_{name}", unit="starts", interval=worth)


def across(name: str, sums: Sums, level: float) -> Iterator[Estimate]:
    """How it differs between starts, every start weighing the same.

    `NAME_spread`: standard deviation over the starts, free of the noise of counting: the covariance of two halves
    of the games. `NAME_usual`: at the usual start, less the mean of all. `NAME_with_freedom`: correlation, as
    seen, with the number of plays of an opening roll. `NAME_book`: the 225th part of what it is worth at the usual
    start.
    """
    of_starts = np.moveaxis(sums.sum(axis=3), 1, 2)  # (GROUPS, 225, 2, 4)
    n, usual = _games(sums.sum(axis=(2, 3))), [name_of(dice) for dice in STARTS].index(STANDARD)
    halves = of_starts.reshape(HALVES, 2, *of_starts.shape[1:])

    def one(measure: str, unit: str, function: Callable[[NDArray[Any]], Any]) -> Estimate:
        found = intervals.jackknife(of_starts, function, n, level)
        return Estimate(measure=f"{name}_{measure}", unit=unit, interval=found)

    spread = root(intervals.jackknife(halves, _covariance, n, level))
    yield Estimate(measure=f"{name}_spread", unit="points per game", interval=spread)
    yield one("usual", "points per game", lambda x: contrast(x)[..., usual] - contrast(x).mean(axis=-1))
    yield one("with_freedom", "correlation", _with_freedom)
    yield one("book", "points per game", lambda x: contrast(x)[..., usual] / len(STARTS))


def _covariance(halves: NDArray[Any]) -> Any:
    """Covariance over the starts of what two halves of the games say."""
    values = contrast(halves)
    aside = values - values.mean(axis=-1, keepdims=True)
    return aside.prod(axis=-2).sum(axis=-1) / (values.shape[-1] - 1)


def _with_freedom(sums: NDArray[Any]) -> Any:
    values, by = contrast(sums), freedom() - freedom().mean()
    aside = values - values.mean(axis=-1, keepdims=True)
    return aside @ by / np.sqrt((aside**2).sum(axis=-1) * (by**2).sum())


def _games(sums: NDArray[np.int64]) -> int:
    """Games of the smaller play; axes: groups, plays, then the sums."""
    return int(sums[..., ONE].sum(axis=0).min())


def _paired(one: Interval) -> Interval:
    return dataclasses.replace(one, method=f"paired, {one.method}")


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class Openings:
    """What the opening play of a game is worth, by start."""

    times: int = 1
    """Games of each way to open that does not look ahead, as a multiple of those that do."""

    of_tables: ClassVar[bool] = True
    by_settlement: ClassVar[bool] = False
    by_players: ClassVar[tuple[str, ...]] = ()
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        if self.times < 1:
            yield f"times = {self.times}: from 1 on"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield (
            "Compared",
            f"opening plays: the best and the second by the evaluation of {JUDGE}, the best by looking a "
            "roll further, any legal one; the same games otherwise",
        )

    def plays(self, rules: RuleSet) -> Mapping[str, Needed]:
        """Single games as the players open them themselves, and with each way of opening."""
        own, game = single_games(rules), rules.game
        assert isinstance(game, Tables)
        if game.start_selection is not StartSelection.RANDOM_225:
            raise ConfigError(
                f"{rules.name}: game.start_selection {game.start_selection.value}; the starts need random_225"
            )
        if game.first_roll_method is not OpeningRoll.DRAW_IS_FIRST_THROW:
            raise ConfigError(
                f"{rules.name}: game.first_roll_method {game.first_roll_method.value}; openings are those of "
                "the draw, draw_is_first_throw"
            )
        ways = {
            key: Needed(
                rules=replace(own, name=f"{rules.name}_{key}"),
                times=1 if key == AHEAD else self.times,
                opens_as=name,
                passed_over=rank,
            )
            for key, (name, rank) in OPENS.items()
        }
        return {MAIN: Needed(rules=own, times=self.times), **ways}

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        read: dict[tuple[str, int], NDArray[np.int64]] = {}
        for name, keys in CONTRASTS.items():
            matches = min(played.run.counts[played.place[key]] for key in keys)
            for key in keys:
                if (key, matches) not in read:
                    rows = first(played.games(COLUMNS, key), matches)
                    read[key, matches] = opening_sums(rows, GROUPS)[:, :, ~DOUBLES]
            sums = np.stack([read[key, matches] for key in keys], axis=1)
            yield from of_all(name, sums, level)
            yield from by_start(name, sums, level)
            yield from across(name, sums, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of games won by player 1, as for any run."""
        return None
