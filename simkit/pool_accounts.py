"""A run of pools settled: what each player of the line pays and takes, by the mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.intervals import Interval
from simkit.dataset import Run
from simkit.errors import UsageError
from simkit.rules import Pool, PoolDrain, PoolFill, RuleSet
from simkit.shares import SETTLED_FROM, STAKE, settle_pools

SUMMED = ("won_last", "paid", "won", "net")


@dataclass(frozen=True, kw_only=True)
class SeatAccount:
    """What one player of a pool comes to; amounts in stakes (antes), means over pools."""

    seat: int
    """Place in line, from 1."""
    player: str
    won_last: Interval
    """Share of pools whose last match he won; of filling pools those he won."""
    paid: Interval
    won: Interval
    net: Interval
    net_sd: float
    """Standard deviation of the net between pools."""


@dataclass(frozen=True, kw_only=True)
class PoolSettled:
    """What a settlement makes of one play of a run of pools."""

    rules: RuleSet
    """The rules with the settlement used."""
    matches: int
    """Pools settled."""
    unsettled: int
    """Pools that were cut; they are in no other number."""
    seats: tuple[SeatAccount, ...]


def pool_blocks(
    run: Run, place: int, rules: RuleSet
) -> Iterator[tuple[dict[str, NDArray[Any]], NDArray[np.bool_]]]:
    """Yield settled pools block by block, one row per player, and who won the last match."""
    match = pool_of(rules)
    for rows in run.iter_rows("shares", place, SETTLED_FROM):
        yield settle_pools(rows, match), rows["won_last"]


def pool_of(rules: RuleSet) -> Pool:
    """The pool of a rule set; raises UsageError for another match."""
    if isinstance(rules.match, PoolFill | PoolDrain):
        return rules.match
    raise UsageError(f"{rules.name} is no pool")


class PoolSums:
    """Sums over settled pools by place in line; exact, so that blocks can be forgotten."""

    def __init__(self, players: int) -> None:
        self.n = self.unsettled = 0
        self.sums = np.zeros((len(SUMMED), players), np.int64)
        self.squares = np.zeros((len(SUMMED), players), np.int64)

    def add(self, rows: Mapping[str, NDArray[Any]], won_last: NDArray[np.bool_]) -> None:
        """Take the rows of whole pools, as `settle_pools` makes them."""
        players = self.sums.shape[1]
        settled = rows["settled"].reshape(-1, players)[:, 0]
        self.n += int(settled.sum())
        self.unsettled += int((~settled).sum())
        columns = {**rows, "won_last": won_last}
        for k, name in enumerate(SUMMED):
            values = columns[name].reshape(-1, players)[settled].astype(np.int64)
            self.sums[k] += values.sum(axis=0)
            self.squares[k] += (values * values).sum(axis=0)

    def mean(self, name: str, seat: int, level: float = intervals.LEVEL) -> Interval:
        """Mean of an amount per pool, in stakes; of `won_last` the share of pools."""
        k = SUMMED.index(name)
        if name == "won_last":
            return intervals.proportion(int(self.sums[k, seat]), self.n, level)
        found = intervals.mean(self.n, int(self.sums[k, seat]), int(self.squares[k, seat]), level)
        return intervals.scaled(found, 1 / STAKE)

    def account(self, seat: int, player: str) -> SeatAccount:
        """What one place in line comes to."""
        net = self.mean("net", seat)
        return SeatAccount(
            seat=seat + 1,
            player=player,
            won_last=self.mean("won_last", seat),
            paid=self.mean("paid", seat),
            won=self.mean("won", seat),
            net=net,
            net_sd=net.se * self.n**0.5,
        )

    def settled(self, rules: RuleSet, players: tuple[str, ...]) -> PoolSettled:
        """All places together."""
        seats = tuple(self.account(seat, player) for seat, player in enumerate(players))
        return PoolSettled(rules=rules, matches=self.n, unsettled=self.unsettled, seats=seats)
