"""Pools: what a place in line is worth, how long they last, how unequally they end, what a stronger player wins.

The pool is the match and the independent unit. Equal players are simulated and solved exactly side by side; the
exact chain knows nothing of the board but who wins, and how many holes a draining pool pays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Needed, Played
from simkit.drivers.pools import holes_paid
from simkit.errors import ConfigError
from simkit.pools_exact import (
    HALF,
    DrainValues,
    FillValues,
    advice_worth,
    drain_values,
    fill_survival,
    fill_values,
)
from simkit.progress import Monitor
from simkit.rules import FillAnteTiming, FillStreak, Pool, PoolDrain, PoolFill, RuleSet, replace
from simkit.shares import SETTLED_FROM, STAKE, settle_pools

QUANTILES = (0.05, 0.5, 0.95, 0.99)
LONG = (1, 2, 4, 8)
"""Lengths of filling pools at which is told how many are unfinished, as multiples of the mean of equal players."""
LONG_TIMES = 4
"""The one of them that counts as long, measure `unfinished_long`."""
FINE = 1000
"""The chance of the player who has stayed goes into the exact chain in steps of one in so many."""

SHARES = (*SETTLED_FROM, "played")
LENGTHS = ("matches", "rolls", "truncated")
OF_TWO = ("winner", "holes_1", "holes_2", "run_intact_1", "run_intact_2")

STAKES, POOLS, MATCHES = "stakes a pool", "share of pools", "matches of two"


@dataclass(frozen=True, kw_only=True)
class Pools:
    """What the places in line of a pool are worth, and how pools go, for several numbers of players."""

    sizes: tuple[int, ...] = (3, 4, 5, 6)
    """Numbers of players; that of the rule set itself among them."""
    seconds_per_roll: float = 25.0
    """What a roll with its marking and moving takes: a parameter, by which rolls become time."""
    evening_minutes: int = 240
    """How long an evening is: a parameter."""

    by_settlement: ClassVar[bool] = True
    by_players: ClassVar[tuple[str, ...]] = ()
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        if not self.sizes or len(set(self.sizes)) < len(self.sizes) or not set(self.sizes) <= {*range(3, 9)}:
            yield f"sizes = {self.sizes}: numbers of players from 3 to 8, each once"
        if not 0 < self.seconds_per_roll <= 3600:
            yield f"seconds_per_roll = {self.seconds_per_roll}: above 0, an hour at most"
        if not 1 <= self.evening_minutes <= 1440:
            yield f"evening_minutes = {self.evening_minutes}: from 1 to 1440"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Players", f"{', '.join(map(str, self.sizes))} in a pool"
        yield "A roll", f"{self.seconds_per_roll:g} seconds, a parameter"
        yield "An evening", f"{self.evening_minutes} minutes, a parameter"

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The first player of a pair alone among the second's kind, at each place; and alone, at each size."""
        match = rules.match
        if not isinstance(match, PoolFill | PoolDrain):
            raise ConfigError(f"{rules.name} is no pool")
        n = match.players
        if n not in self.sizes:
            raise ConfigError(f"{rules.name}: match.players {n} is not among the sizes {self.sizes}")
        needed = {MAIN: Needed(rules=rules, seats=_alone(n, 0))}
        for place in range(1, n):
            own = replace(rules, name=f"{rules.name}_place_{place + 1}")
            needed[_lone(place)] = Needed(rules=own, seats=_alone(n, place))
        for size in self.sizes:
            own = rules if size == n else rules.with_match(players=size)
            named = replace(own, name=f"{rules.name}_{size}_players")
            needed[_equal(size)] = Needed(rules=named, seats=(0,) * size)
        return needed

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        match = rules.match
        assert isinstance(match, PoolFill | PoolDrain)  # plays has refused others
        if any(played.place[_lone(place)] != played.place[MAIN] for place in range(1, match.players)):
            yield from _lone_nets(match, played, level)
            return
        for size in self.sizes:
            yield from _of_size(replace(match, players=size), played, self, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """Nothing: nobody wins a pool from anybody."""
        return None


def _alone(players: int, place: int) -> tuple[int, ...]:
    return tuple(0 if seat == place else 1 for seat in range(players))


def _lone(place: int) -> str:
    return f"lone {place + 1}" if place else MAIN


def _equal(size: int) -> str:
    return f"equal {size}"


def _of(players: int) -> str:
    """The value of `detail` for a number of players: `4 players`."""
    return f"{players} players"


def _place(players: int, place: int) -> str:
    return f"{_of(players)}, place {place + 1}"


# ---------------------------------------------------------------- sums


@dataclass(frozen=True, eq=False)
class ShareSums:
    """Sums over pools of what their players take and pay, in hundredths of a stake; two of them add up."""

    n: int
    products: NDArray[np.int64]
    """(players, players): sums of products of the nets of two places."""
    nets: NDArray[np.int64]
    """(players,): sums of the nets."""
    won_last: NDArray[np.int64]
    """(players,): pools whose last match each place won."""
    late: NDArray[np.int64]
    """Of pools with something left after the first round: their number; of the net of the last place less that of
    the first the sum and the sum of squares."""
    unequal: NDArray[np.float64]
    """Sum, and sum of squares, of how unequal takings are: Gini's index by that of one who takes all."""
    pots: NDArray[np.int64]
    """How many pools took in each number of antes or stakes."""

    def __add__(self, other: ShareSums) -> ShareSums:
        return ShareSums(
            self.n + other.n,
            self.products + other.products,
            self.nets + other.nets,
            self.won_last + other.won_last,
            self.late + other.late,
            self.unequal + other.unequal,
            clusters.added(self.pots, other.pots),
        )

    def net(self, place: int, level: float) -> intervals.Interval:
        """Mean net of a place, in stakes."""
        total, squares = int(self.nets[place]), int(self.products[place, place])
        return intervals.scaled(intervals.mean(self.n, total, squares, level), 1 / STAKE)

    def less(self, one: int, two: int, level: float) -> intervals.Interval:
        """Mean of the net of one place less that of another in the same pool, in stakes."""
        p = self.products
        squares = int(p[one, one] - 2 * p[one, two] + p[two, two])
        found = intervals.mean(self.n, int(self.nets[one] - self.nets[two]), squares, level)
        return intervals.scaled(found, 1 / STAKE)


def share_sums(played: Played, match: Pool, key: str = MAIN) -> ShareSums:
    """Read and settle rows of `shares` block by block; pools that were cut are left out."""
    n = match.players
    none = np.zeros(n, np.int64)
    total = ShareSums(
        0, np.zeros((n, n), np.int64), none, none, np.zeros(3, np.int64), np.zeros(2), np.zeros(1, np.int64)
    )
    for rows in played.rows("shares", SHARES, key):
        total = total + _block_sums(rows, match)
    return total


def _block_sums(rows: Mapping[str, NDArray[Any]], match: Pool) -> ShareSums:
    n = match.players
    settled = settle_pools(rows, match)
    kept = settled["settled"].reshape(-1, n)[:, 0]

    def table(column: NDArray[Any]) -> NDArray[np.int64]:
        chosen: NDArray[np.int64] = column.reshape(-1, n)[kept].astype(np.int64)
        return chosen

    net, won = table(settled["net"]), table(settled["won"])
    beyond = table(rows["played"]).sum(axis=1) // 2 > n - 1
    late = (net[:, -1] - net[:, 0])[beyond]
    unequal = inequality(won)
    return ShareSums(
        len(net),
        net.T @ net,
        net.sum(axis=0),
        table(rows["won_last"]).sum(axis=0),
        np.array([late.size, late.sum(), (late * late).sum()]),
        np.array([unequal.sum(), (unequal * unequal).sum()]),
        np.bincount(table(settled["paid"]).sum(axis=1) // STAKE, minlength=1),
    )


def inequality(takings: NDArray[Any]) -> NDArray[np.float64]:
    """Gini's index of the takings in each pool, int64 (pools, players), by that of one who takes all: 0 to 1."""
    n = takings.shape[1]
    order = np.sort(takings, axis=1) @ (2 * np.arange(1, n + 1) - n - 1)
    found: NDArray[np.float64] = order / (takings.sum(axis=1) * (n - 1))
    return found


@dataclass(frozen=True, eq=False)
class LengthSums:
    """How many pools had each number of matches, those that lasted beyond an evening, and those that were cut."""

    matches: NDArray[np.int64]
    late: int
    cut: int

    @property
    def n(self) -> int:
        """Pools, cut ones among them."""
        return int(self.matches.sum()) + self.cut


def length_sums(played: Played, evening_rolls: float, key: str) -> LengthSums:
    """Read rows of `matches` block by block. A cut pool counts as unfinished at every length, and as late."""
    counts, late, cut = np.zeros(1, np.int64), 0, 0
    for rows in played.matches(LENGTHS, key):
        ended = ~rows["truncated"]
        counts = clusters.added(counts, np.bincount(rows["matches"][ended], minlength=1))
        late += int((rows["rolls"] > evening_rolls)[ended].sum()) + int((~ended).sum())
        cut += int((~ended).sum())
    return LengthSums(counts, late, cut)


def payments(played: Played, match: Pool, key: str) -> NDArray[np.int64]:
    """Matches of two by holes paid and side that won, int64 (holes, 2); a filling pool pays none."""
    total = np.zeros((1, 2), np.int64)
    for rows in played.sets(OF_TWO, key):
        sides = []
        for side in (1, 2):
            own = rows["winner"] == side
            holes, others, intact = (
                rows[name][own].astype(np.int64)
                for name in (f"holes_{side}", f"holes_{3 - side}", f"run_intact_{side}")
            )
            sides.append(np.bincount(holes_paid(match, holes, others, intact.astype(bool)), minlength=1))
        size = max(len(total), *map(len, sides))
        columns = [clusters.added(np.zeros(size, np.int64), side) for side in sides]
        grown = np.zeros((size, 2), np.int64)
        grown[: len(total)] = total
        total = grown + np.stack(columns, axis=1)
    return total


# ---------------------------------------------------------------- measures


def _lone_nets(match: Pool, played: Played, level: float) -> Iterator[Estimate]:
    """What the first player of a pair comes to among the second's kind, by place; `lone_mean`, over all places.

    The places of equal players add up to nought, so that their mean tells what he is worth beyond his place.
    """
    nets = [share_sums(played, match, _lone(place)).net(place, level) for place in range(match.players)]
    for place, net in enumerate(nets):
        yield Estimate(measure="lone_net", detail=_place(match.players, place), unit=STAKES, interval=net)
    mean, se, low, high = (
        sum(getattr(net, name) for net in nets) / len(nets) for name in ("mean", "se", "low", "high")
    )
    # The plays share their dice; errors that were all alike are the worst that can be.
    method = "mean over places, their errors taken as equal"
    found = intervals.Interval(
        n=min(net.n for net in nets), mean=mean, se=se, low=low, high=high, level=level, method=method
    )
    yield Estimate(measure="lone_mean", detail=_of(match.players), unit=STAKES, interval=found)


def _of_size(match: Pool, played: Played, question: Pools, level: float) -> Iterator[Estimate]:
    """Every number of equal players in pools of one size."""
    key = _equal(match.players)
    seconds = question.evening_minutes * 60
    lengths = length_sums(played, seconds / question.seconds_per_roll, key)
    paid = payments(played, match, key)
    yield from _lengths(match, lengths, level)
    if isinstance(match, PoolFill):
        yield from _filling(match, played, paid, key, level)
    else:
        yield from _draining(match, played, paid, key, level)


def _lengths(match: Pool, sums: LengthSums, level: float) -> Iterator[Estimate]:
    """Matches of a pool, and how many are unfinished after how many; pools that outlast an evening.

    `matches`, `matches_quantile`, `cut`, `evening`; of filling pools `unfinished`, detail `4 players, 28 matches`,
    with `unfinished_exact`; of draining ones `most_matches`, which no pool can exceed.
    """
    of = _of(match.players)
    places = np.arange(len(sums.matches))
    ended = int(sums.matches.sum())
    total, squares = int(places @ sums.matches), int(places**2 @ sums.matches)
    mean = intervals.mean(ended, total, squares, level)
    yield Estimate(measure="matches", detail=of, unit=MATCHES, interval=mean)
    for share in QUANTILES:
        found = intervals.quantile(sums.matches, share, level)
        yield Estimate(measure="matches_quantile", detail=f"{of}, {share:g}", unit=MATCHES, interval=found)
    for measure, count in (("cut", sums.cut), ("evening", sums.late)):
        share_of = intervals.proportion(count, sums.n, level)
        yield Estimate(measure=measure, detail=of, unit=POOLS, interval=share_of)
    if isinstance(match, PoolDrain):
        most = intervals.exact(match.pot_holes, ended, "exact, a hole each at least", level)
        yield Estimate(measure="most_matches", detail=of, unit=MATCHES, interval=most)
        return
    yield _exact("matches", of, MATCHES, fill_values(match).matches, ended, level)
    survival = fill_survival(match, LONG[-1] * match.usual_units)
    for times in LONG:
        after = times * match.usual_units
        unfinished = int(sums.matches[after + 1 :].sum()) + sums.cut
        detail = f"{of}, {after} matches"
        share_of = intervals.proportion(unfinished, sums.n, level)
        yield Estimate(measure="unfinished", detail=detail, unit=POOLS, interval=share_of)
        yield _exact("unfinished", detail, POOLS, survival[after], sums.n, level)
        if times == LONG_TIMES:
            yield Estimate(measure="unfinished_long", detail=of, unit=POOLS, interval=share_of)


def _filling(
    match: PoolFill, played: Played, paid: NDArray[np.int64], key: str, level: float
) -> Iterator[Estimate]:
    """What places are worth under both ante rules, simulated and exact; the pot; the interest of who waits.

    `_exact`: equal players with equal chances in each match. `_fitted`: the same chain with the share of matches
    that the player who has stayed won here, `stays_wins`.
    """
    of = _of(match.players)
    stays = Fraction(round(FINE * int(paid[:, 0].sum()) / max(1, int(paid.sum()))), FINE)
    yield _computed("stays_wins", of, "share of matches", float(stays), int(paid.sum()), level)
    fitted_length = float(fill_values(match, stays).matches)
    yield _computed("matches_fitted", of, MATCHES, fitted_length, int(paid.sum()), level)
    for timing in FillAnteTiming:
        own = replace(match, settlement=replace(match.settlement, fill_ante_timing=timing))
        sums = share_sums(played, own, key)
        exact, fitted = fill_values(own), fill_values(own, stays)
        yield from _places(sums, f"_{timing.value}", match.players, level)
        yield from _chain(exact, fitted, f"_{timing.value}", match.players, sums.n, level)
        if timing is match.settlement.fill_ante_timing:
            yield from _wins(sums, exact, match.players, level)
            yield from _inequality(sums, of, level)
            for share in QUANTILES:
                found = intervals.quantile(sums.pots, share, level)
                yield Estimate(
                    measure="pot_quantile", detail=f"{of}, {share:g}", unit="antes", interval=found
                )
    worths: list[Fraction] = []
    fewest = 1 if match.fill_streak is FillStreak.COUNT_DETHRONING else 0
    for streak in range(fewest, match.players - 1):
        worth = advice_worth(match, streak, match.players)
        worths += worth
        mean = sum(worth, Fraction(0)) / len(worth)
        yield _exact("advice", f"{of}, {streak} wins counted", STAKES, mean, match.players - 2, level)
    yield _exact("advice_least", of, STAKES, min(worths), len(worths), level)


def _draining(
    match: PoolDrain, played: Played, paid: NDArray[np.int64], key: str, level: float
) -> Iterator[Estimate]:
    """What places are worth, simulated and by the exact chain with the holes paid here; who takes late.

    `late`: pools with something left after the first round; `late_last_less_first`: in them, the net of the last
    place less that of the first.
    """
    of = _of(match.players)
    sums = share_sums(played, match, key)
    yield from _places(sums, "", match.players, level)
    yield from _inequality(sums, of, level)
    number, total, squares = map(int, sums.late)
    late = intervals.scaled(intervals.mean(number, total, squares, level), 1 / STAKE)
    yield Estimate(measure="late_last_less_first", detail=of, unit=STAKES, interval=late)
    share = intervals.proportion(number, sums.n, level)
    yield Estimate(measure="late", detail=of, unit=POOLS, interval=share)
    count = int(paid.sum())
    if not count:
        return
    fitted = drain_values(match, [(here[0] / count, here[1] / count) for here in paid.tolist()])
    yield from _chain(None, fitted, "", match.players, sums.n, level)
    holes = np.arange(len(paid)) @ paid.sum(axis=1) / count
    yield _computed("holes_paid", of, "holes a match", float(holes), count, level)


def _places(sums: ShareSums, suffix: str, players: int, level: float) -> Iterator[Estimate]:
    """`net` of each place; `last_less_first` and `last_less_before`, the last but one."""
    for place in range(players):
        net = sums.net(place, level)
        yield Estimate(measure=f"net{suffix}", detail=_place(players, place), unit=STAKES, interval=net)
    for measure, other in (("last_less_first", 0), ("last_less_before", players - 2)):
        found = sums.less(players - 1, other, level)
        yield Estimate(measure=f"{measure}{suffix}", detail=_of(players), unit=STAKES, interval=found)


def _chain(
    exact: FillValues | None,
    fitted: FillValues | DrainValues,
    suffix: str,
    players: int,
    n: int,
    level: float,
) -> Iterator[Estimate]:
    """The same by the chain; `last_less_next_exact`: the last place less the best of the others."""
    for place in range(players):
        detail = _place(players, place)
        if exact is not None:
            yield _exact(f"net{suffix}", detail, STAKES, exact.net[place], n, level)
        yield _computed(f"net{suffix}_fitted", detail, STAKES, float(fitted.net[place]), n, level)
    if exact is not None:
        ahead = exact.net[-1] - max(exact.net[:-1])
        yield _exact(f"last_less_next{suffix}", _of(players), STAKES, ahead, n, level)


def _wins(sums: ShareSums, exact: FillValues, players: int, level: float) -> Iterator[Estimate]:
    """Pools won by each place."""
    for place in range(players):
        detail = _place(players, place)
        won = intervals.proportion(int(sums.won_last[place]), sums.n, level)
        yield Estimate(measure="wins", detail=detail, unit=POOLS, interval=won)
        yield _exact("wins", detail, POOLS, exact.wins[place], sums.n, level)


def _inequality(sums: ShareSums, of: str, level: float) -> Iterator[Estimate]:
    """`unequal`: how unequal takings are, 0 to 1; `net_size`: root of the mean square of a net."""
    total, squares = map(float, sums.unequal)
    yield Estimate(
        measure="unequal",
        detail=of,
        unit="of one taking all",
        interval=intervals.mean(sums.n, total, squares, level),
    )
    players = len(sums.nets)
    size = (float(np.trace(sums.products)) / (players * max(1, sums.n))) ** 0.5 / STAKE
    yield _computed("net_size", of, STAKES, size, sums.n, level)


def _exact(measure: str, detail: str, unit: str, value: Fraction, n: int, level: float) -> Estimate:
    found = intervals.exact(float(value), n, f"exact, a chain of players who win with {HALF}", level)
    return Estimate(measure=f"{measure}_exact", detail=detail, unit=unit, interval=found)


def _computed(measure: str, detail: str, unit: str, value: float, n: int, level: float) -> Estimate:
    found = intervals.computed(value, n, "from sums over all pools", level)
    return Estimate(measure=measure, detail=detail, unit=unit, interval=found)
