"""What is lost in either game of trictrac combiné, each in its own fish, and by which prices losses are alike.

Every match is settled as its first sets alone would be, at several lengths. The written result is that of
`simkit.honours.settle_combined` in whole fish, the honours in fish of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.question import MAIN, Needed, Played, Rows, length_problems
from simkit.errors import ConfigError
from simkit.honours import settle_combined
from simkit.progress import Monitor
from simkit.rules import Combine, RuleSet
from simkit.settle import SETTLED_FROM

WRITTEN, POOL_OUT, POOL_IN = "written", "honours, pool out", "honours, pool in"
GAMES = (WRITTEN, POOL_OUT, POOL_IN)
"""The games whose results are told: of honours without the pool, and with it."""
HONOURS: Mapping[str, str] = {POOL_IN: "pool in", POOL_OUT: "pool out"}
"""The games of honours, and how numbers that set them against the written game name them in `detail`."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
OF_HONOURS = 100
"""The price of a fish of honours beside which that of a written one is told."""
FARTHEST = 2**14
"""Fish up to which results are told apart; no match of 24 sets comes near."""

FISH, TIMES, PRICE = "fish per match", "times", f"(honours {OF_HONOURS})"


class Losses:
    """Results of both games in matches of one length: sums by group of matches, and how often each loss came.

    `sums`, int64 (groups, games, games, 4): of two games together, over the matches of a group, the products of
    the sizes, those of the signed results, the sizes of the first, and its signed results.
    """

    def __init__(self) -> None:
        games = len(GAMES)
        self.sums = np.zeros((clusters.GROUPS, games, games, 4), np.int64)
        self.counts = np.zeros((games, FARTHEST), np.int64)
        self.in_group = np.zeros(clusters.GROUPS, np.int64)
        self.same_way = 0
        """Matches in which one player wins in either game, the pool counted in."""
        self.both_decided = 0

    @property
    def n(self) -> int:
        """Matches counted."""
        return int(self.in_group.sum())

    def add(self, match_id: NDArray[Any], results: NDArray[np.int64]) -> None:
        """Count matches; `results`: fish signed for player 1, int64 (matches, games) in the order of `GAMES`."""
        size = np.abs(results)
        self.in_group += clusters.sums(match_id, np.ones(len(match_id)))
        for one in range(len(GAMES)):
            self.counts[one] += np.bincount(size[:, one], minlength=FARTHEST)
            for two in range(len(GAMES)):
                for place, numbers in enumerate(
                    (
                        size[:, one] * size[:, two],
                        results[:, one] * results[:, two],
                        size[:, one],
                        results[:, one],
                    )
                ):
                    self.sums[:, one, two, place] += clusters.sums(match_id, numbers)
        sides = np.sign(results[:, 0] * results[:, GAMES.index(POOL_IN)])
        self.same_way += int((sides > 0).sum())
        self.both_decided += int((sides != 0).sum())

    def mean_size(self, game: str, level: float) -> Interval:
        """What who loses in a game pays in the mean, matches without a loser counted as nothing."""
        k = GAMES.index(game)
        total = self.sums[:, k, k].sum(axis=0)
        return intervals.mean(self.n, int(total[2]), int(total[0]), level)

    def quantile(self, game: str, share: float, level: float) -> Interval:
        """The loss below which so many lie."""
        return intervals.quantile(self.counts[GAMES.index(game)], share, level)

    def size_ratio(self, over: str, under: str, level: float) -> Interval:
        """Mean size in one game over that in another, by the delta method with the match as its unit."""
        y, x = GAMES.index(over), GAMES.index(under)
        total = self.sums.sum(axis=0)
        return intervals.ratio(
            self.n,
            int(total[x, x, 2]),
            int(total[y, y, 2]),
            int(total[x, x, 0]),
            int(total[x, y, 0]),
            int(total[y, y, 0]),
            level,
        )

    def jackknife(self, function: Any, level: float, *, log: bool = False) -> Interval:
        """A number made of the sums, over groups of matches.

        `function`: takes the sums and, as the last axis, the matches they are over.
        """
        kept = self.in_group > 0
        counted = np.broadcast_to(self.in_group[:, None, None, None], (*self.sums.shape[:-1], 1))
        table = np.concatenate([self.sums, counted], axis=-1)[kept].astype(np.float64)
        return intervals.jackknife(table, function, self.n, level, log=log)

    def sd(self, game: str, level: float) -> Interval:
        """Standard deviation of the signed result."""
        k = GAMES.index(game)
        return self.jackknife(lambda sums: spread(sums, k), level)

    def size_sd(self, game: str, level: float) -> Interval:
        """Standard deviation of the size of a result."""
        k = GAMES.index(game)
        return self.jackknife(lambda sums: spread(sums, k, signed=False), level)

    def sd_ratio(self, over: str, under: str, level: float) -> Interval:
        """Standard deviation in one game over that in another."""
        y, x = GAMES.index(over), GAMES.index(under)
        return self.jackknife(lambda sums: spread(sums, y) / spread(sums, x), level)

    def correlation(self, one: str, two: str, level: float) -> Interval:
        """Correlation of the signed results of two games."""
        y, x = GAMES.index(one), GAMES.index(two)

        def found(sums: NDArray[Any]) -> NDArray[Any]:
            n = sums[..., x, y, 4]
            both = sums[..., x, y, 1] - sums[..., x, x, 3] * sums[..., y, y, 3] / n
            return np.asarray(both / (n - 1) / (spread(sums, x) * spread(sums, y)))

        return self.jackknife(found, level)


def spread(sums: NDArray[Any], game: int, *, signed: bool = True) -> NDArray[Any]:
    """Standard deviation of the signed results of a game, or of their sizes; sums as in `Losses.jackknife`."""
    squares, firsts, n = (
        sums[..., game, game, 0],
        sums[..., game, game, 3 if signed else 2],
        sums[..., 0, 0, 4],
    )
    found: NDArray[Any] = np.sqrt(np.maximum(squares - firsts**2 / n, 0.0) / (n - 1))
    return found


def fish_of(
    sets: Rows, games: Rows, match: Combine, n_sets: int, seed: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Settle matches as their first sets alone: those that came to their end, and their fish, (matches, games)."""
    found = settle_combined(sets, games, match, n_sets=n_sets, seed=seed)
    kept = found["settled"]
    fish = np.stack(
        [found["written_money"] // match.settlement.fish_unit, found["honours"], found["honours_fish"]],
        axis=1,
    )
    return found["match_id"][kept], fish[kept]


def losses(
    blocks: Iterable[tuple[Rows, Rows]], match: Combine, lengths: Sequence[int], seed: int
) -> dict[int, Losses]:
    """Sum up matches at several lengths; blocks of the rows of sets and of games of honours."""
    found = {length: Losses() for length in lengths}
    for sets, games in blocks:
        for length, one in found.items():
            one.add(*fish_of(sets, games, match, length, seed))
    return found


# ---------------------------------------------------------------- measures


def of_length(sets: int, found: Losses, level: float) -> Iterator[Estimate]:
    """Every number of matches of one length.

    By game: `size`, the mean of what is lost; `size_quantile`; `size_sd`; `result_sd`, of the signed result. By
    whether the pool counts: `size_ratio` and `sd_ratio`, the written game over the honours; `price` and
    `price_by_sd`, what a written fish would have to be worth for both to be alike; `correlation` of the two
    results; `same_way`, matches that one player wins in both games, of those that somebody wins in either.
    """

    def told(measure: str, unit: str, interval: Interval, detail: str = "") -> Estimate:
        return Estimate(measure=measure, sets=sets, detail=detail, unit=unit, interval=interval)

    for game in GAMES:
        yield told("size", FISH, found.mean_size(game, level), game)
        yield told("size_sd", FISH, found.size_sd(game, level), game)
        yield told("result_sd", FISH, found.sd(game, level), game)
        for share in QUANTILES:
            yield told("size_quantile", FISH, found.quantile(game, share, level), f"{game}, {share:g}")
    for game, name in HONOURS.items():
        yield told("size_ratio", TIMES, found.size_ratio(WRITTEN, game, level), name)
        yield told("sd_ratio", TIMES, found.sd_ratio(WRITTEN, game, level), name)
        price = intervals.scaled(found.size_ratio(game, WRITTEN, level), OF_HONOURS)
        by_sd = intervals.scaled(found.sd_ratio(game, WRITTEN, level), OF_HONOURS)
        yield told("price", PRICE, price, name)
        yield told("price_by_sd", PRICE, by_sd, name)
        yield told("correlation", "correlation", found.correlation(WRITTEN, game, level), name)
    same = intervals.proportion(found.same_way, found.both_decided, level)
    yield told("same_way", "share of matches", same)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class CombineStakes:
    """How much is lost in the written game and in the honours, and at which price losses are alike."""

    lengths: tuple[int, ...] = (8, 12)
    """Numbers of sets."""

    by_settlement: ClassVar[bool] = True
    by_players: ClassVar[tuple[str, ...]] = ("price",)
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        yield from length_problems(self.lengths)

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Sets", ", ".join(map(str, self.lengths))

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The longest match; the first sets of it are the shorter ones."""
        if not isinstance(rules.match, Combine):
            raise ConfigError(f"{rules.name} is no trictrac combiné")
        settlement = rules.match.settlement
        if not settlement.round_unit or settlement.round_unit % settlement.fish_unit:
            raise ConfigError(
                f"{rules.name}: match.settlement.round_unit {settlement.round_unit} is no whole number of fish of "
                f"{settlement.fish_unit} jetons"
            )
        longest = max(self.lengths)
        return {MAIN: Needed(rules=rules if rules.match.sets == longest else rules.with_match(sets=longest))}

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        match = self.plays(rules)[MAIN].rules.match
        assert isinstance(match, Combine)  # plays has refused others
        found = losses(played.combined(SETTLED_FROM), match, self.lengths, played.seed())
        for length, one in found.items():
            yield from of_length(length, one, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of sets won by player 1, as for any run."""
        return None
