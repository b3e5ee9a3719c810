"""Pools of trictrac combiné as they are drawn: after how many games, and how large they are.

A pool is drawn by who wins two games of honours in a row. If each game is as likely to go to either player, every
game after the first draws it with one half.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.question import Played, Rows
from simkit.honours import honours_log
from simkit.rules import Combine

LAST_POOL_GAME = 7
"""Games of a pool from which on they are counted together."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

POOLS, GAMES = "share of pools", "share of games"


class PoolSums:
    """Games of pools outside the last set: how many a pool has had, and whether the last of them drew it.

    `risk`, `drawn`, int64 (groups, games): pools that had a game of that number, from 1, and those it drew.
    `sizes`, int64 (fish + 1,): how often so many fish were drawn, of the pools opened with a match. Of later ones
    the long are more often cut by the last set, so that those drawn before it would be too small.
    `matches`: how many there were.
    """

    def __init__(self) -> None:
        self.risk = np.zeros((clusters.GROUPS, 2), np.int64)
        self.drawn = np.zeros((clusters.GROUPS, 2), np.int64)
        self.sizes = np.zeros(1, np.int64)
        self.matches = 0

    def add(self, matches: int, games: Rows, match: Combine) -> None:
        """Count the games of whole matches."""
        log = honours_log(games, match.settlement, match.sets)
        fish = log["drawn_1"] + log["drawn_2"]
        number = pool_game(games["match_id"], fish > 0)
        inside = games["set_no"] < match.sets
        drew = inside & (fish > 0)
        match_id = games["match_id"]
        self.risk = clusters.added(self.risk, clusters.histograms(match_id[inside], number[inside]))
        self.drawn = clusters.added(self.drawn, clusters.histograms(match_id[drew], number[drew]))
        _, first_draws = np.unique(match_id[drew], return_index=True)
        self.sizes = clusters.added(self.sizes, np.bincount(fish[drew][first_draws], minlength=1))
        self.matches += matches


def pool_game(match_id: NDArray[Any], draws: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Number each game within its pool, from 1; a pool ends with the game that draws it, or with the match."""
    places = np.arange(len(match_id))
    opens = np.ones(len(match_id), np.bool_)
    opens[1:] = (match_id[1:] != match_id[:-1]) | draws[:-1]
    return places - np.maximum.accumulate(np.where(opens, places, 0)) + 1


def pool_sums(played: Played, match: Combine) -> PoolSums:
    """Read the pools of a play."""
    found = PoolSums()
    for sets, games in played.combined(("match_id",)):
        found.add(len(np.unique(sets["match_id"])), games, match)
    return found


def pool_shares(sums: NDArray[Any]) -> NDArray[Any]:
    """Chance that a pool is drawn by its game of each number from 2, the last counting all later ones.

    `sums`, (..., 2, numbers): games of pools by number, and those of them that drew. Made of the chance that a
    game draws a pool that has come so far, so that pools cut by the last set do not distort it.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        hazards = sums[..., 1, 2:] / sums[..., 0, 2:]
    alive = np.cumprod(1 - hazards, axis=-1)
    before = np.concatenate([np.ones((*alive.shape[:-1], 1)), alive[..., :-1]], axis=-1)
    shares = before * hazards
    shares[..., -1] = before[..., -1]
    return np.asarray(shares)


GEOMETRIC = np.array([0.5**k for k in range(1, LAST_POOL_GAME - 1)] + [0.5 ** (LAST_POOL_GAME - 2)])
"""The same if every game after the first draws the pool with one half."""


def distance(sums: NDArray[Any]) -> NDArray[Any]:
    """Total variation distance of `pool_shares` from `GEOMETRIC`."""
    return np.asarray(np.abs(pool_shares(sums) - GEOMETRIC).sum(axis=-1) / 2)


def of_pools(sums: PoolSums, level: float) -> Iterator[Estimate]:
    """How pools end outside the last set.

    `pool_games`, by number of games, `7` and more together, with `pool_games_geometric`; `repeat_wins`: games
    after the first of a pool that the winner of the one before wins; `repeat_wins_at`, by number; `pool_distance`:
    total variation distance of both; `pool_chi2` and `pool_p`: whether each number draws with one half;
    `pool_size` and `pool_size_quantile`, fish in the first pool of a match, where it is drawn; `pool_left`:
    matches in which it is not before the last set.
    """
    table = np.stack([_capped(sums.risk), _capped(sums.drawn)], axis=1)
    kept = table[:, 0].sum(axis=1) > 0
    n = sums.matches
    for k, number in enumerate(range(2, LAST_POOL_GAME + 1)):
        share = intervals.jackknife(table[kept].astype(np.float64), partial(_at, k), n, level)
        yield _share("pool_games", POOLS, share, str(number))
        exact = intervals.exact(float(GEOMETRIC[k]), n, "exact, each game drawing with one half", level)
        yield _share("pool_games_geometric", POOLS, exact, str(number))
        hazard = clusters.share(table[:, 1, number], table[:, 0, number], n, level)
        yield _share("repeat_wins_at", GAMES, hazard, str(number))
    repeat = clusters.share(table[:, 1, 2:].sum(axis=1), table[:, 0, 2:].sum(axis=1), n, level)
    yield _share("repeat_wins", GAMES, repeat)
    yield _share(
        "pool_distance", POOLS, intervals.jackknife(table[kept].astype(np.float64), distance, n, level)
    )
    risk, drawn = table[:, 0, 2:].sum(axis=0), table[:, 1, 2:].sum(axis=0)
    chi2 = float((((drawn - risk / 2) ** 2)[risk > 0] / (risk[risk > 0] / 4)).sum())
    freedom = int((risk > 0).sum())
    words = f"chi-square of {freedom} degrees of freedom, each game drawing with one half"
    yield _share("pool_chi2", "chi-square", intervals.computed(chi2, n, words, level))
    yield _share("pool_p", "probability", intervals.computed(_upper_tail(chi2, freedom), n, words, level))
    places = np.arange(len(sums.sizes))
    pools, total, squares = (int(part @ sums.sizes) for part in (places**0, places, places**2))
    yield _share("pool_size", "fish", intervals.mean(pools, total, squares, level))
    yield _share("pool_left", "share of matches", intervals.proportion(n - pools, n, level))
    for part in QUANTILES:
        yield _share("pool_size_quantile", "fish", intervals.quantile(sums.sizes, part, level), f"{part:g}")


def _at(place: int, sums: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(pool_shares(sums)[..., place])


def _capped(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Counts by number of games, those beyond the last counted with it."""
    wide = np.pad(counts, [(0, 0), (0, max(0, LAST_POOL_GAME + 1 - counts.shape[1]))])
    found = wide[:, : LAST_POOL_GAME + 1].copy()
    found[:, -1] += wide[:, LAST_POOL_GAME + 1 :].sum(axis=1)
    return found


def _upper_tail(chi2: float, freedom: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(freedom, chi2)) if freedom else math.nan


def _share(measure: str, unit: str, interval: Interval, detail: str = "") -> Estimate:
    return Estimate(measure=measure, detail=detail, unit=unit, interval=interval)
