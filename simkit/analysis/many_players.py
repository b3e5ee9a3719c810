"""Three players: what à tourner, the chouette and a match of two bring who wins, who loses, who is in between.

Three tables play the same number of sets: three à tourner, one against two partners, and two alone. Each match à
tourner is settled by every rule of paris. All results are money, whole jetons per match.
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
from simkit.analysis.question import MAIN, Needed, Played, Rows
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import RuleSet, SetFirstDie, TableMode, TournerParisRule, Written, replace
from simkit.settle import GRANDE, PETITE, SETTLED_FROM, SIMPLE, set_values, settle
from simkit.settle_turns import TURNS_SETTLED_FROM, settle_by_turns

WEAK_THIRD, CHOUETTE, TWO = "weak_third", "chouette", "two"
"""The plays beside the main one, in which the first of a pair sits alone among two like the second."""

PARIS: tuple[TournerParisRule, ...] = tuple(TournerParisRule)
ORDER = ("best", "middle", "worst")
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
KINDS: Mapping[int, str] = {SIMPLE: "simple", PETITE: "petite", GRANDE: "grande"}
FARTHEST = 2**15
"""Jetons up to which results are told apart; no match of 24 sets comes near."""

JETONS, PER_SET, SHARE = "jetons per match", "jetons per set he plays", "share of matches"


class Results:
    """Results of matches, one whole number each, counted so that any number of them fits in memory."""

    def __init__(self) -> None:
        self._seen = np.zeros(2 * FARTHEST + 1, np.int64)

    def add(self, results: NDArray[Any]) -> None:
        """Count the results of some matches."""
        self._seen += np.bincount(results + FARTHEST, minlength=len(self._seen))

    @property
    def n(self) -> int:
        """Matches counted."""
        return int(self._seen.sum())

    def mean(self, level: float) -> Interval:
        """The mean result."""
        values = np.arange(len(self._seen)) - FARTHEST
        return intervals.mean(self.n, int(values @ self._seen), int((values * values) @ self._seen), level)

    def quantile(self, share: float, level: float) -> Interval:
        """The result below which so many lie."""
        found = intervals.quantile(self._seen, share, level)
        ends = {name: getattr(found, name) - FARTHEST for name in ("mean", "low", "high")}
        return Interval(**(vars(found) | ends))


def tourner(paris: TournerParisRule) -> str:
    """The name of the table à tourner with a rule of paris."""
    return f"tourner, {paris.value}"


# ---------------------------------------------------------------- results of a table


def money_at_table(blocks: Iterable[Rows], match: Written, seed: int) -> Iterator[NDArray[np.int64]]:
    """Money of every player, int64 (matches, players), block by block; matches with a capped set are left out."""
    for rows in blocks:
        if match.players == 2:
            found = settle(rows, match.settlement, n_sets=match.sets, seed=seed)
            money = np.stack((found["money"], -found["money"]), axis=1)
        else:
            found = settle_by_turns(rows, match, seed=seed)
            money = np.stack([found[f"money_{player + 1}"] for player in range(match.players)], axis=1)
        yield money[found["settled"]]


class Table:
    """What one table brings: to each seat, in order of success, and in sizes."""

    def __init__(self, players: int) -> None:
        places = ORDER if players == 3 else ("best", "worst")
        self.ordered = {place: Results() for place in places}
        self.seats = [Results() for _ in range(players)]
        self.largest_loss, self.size = Results(), Results()
        self.between = 0
        """Matches in which the third is nearer to nothing than half of what both others win or lose."""

    def add(self, money: NDArray[np.int64]) -> None:
        """Count the matches of a block, int64 (matches, players)."""
        ranked = -np.sort(-money, axis=1)
        for place, column in zip(self.ordered, ranked.T, strict=True):
            self.ordered[place].add(column)
        for seat, column in zip(self.seats, money.T, strict=True):
            seat.add(column)
        self.largest_loss.add(-ranked[:, -1])
        self.size.add(np.abs(money).sum(axis=1))
        if money.shape[1] == 3:
            middle = 2 * np.abs(ranked[:, 1])
            self.between += int(((middle <= ranked[:, 0]) & (middle <= -ranked[:, 2])).sum())


def table_of(blocks: Iterable[Rows], match: Written, seed: int) -> Table:
    """Sum up the matches of one table."""
    table = Table(match.players)
    for money in money_at_table(blocks, match, seed):
        table.add(money)
    return table


# ---------------------------------------------------------------- who sits out


class Idle:
    """What a match brings the one who sits out a set, by how the set ends; sums by group of matches.

    For each case of `CASES`: his money, and the sets counted, int64 (cases, 2, groups).
    """

    CASES: ClassVar[tuple[str, ...]] = (
        *KINDS.values(),
        "other than grande",
        "less marked wins",
        "more marked wins",
    )

    def __init__(self) -> None:
        self.sums = np.zeros((len(self.CASES), 2, clusters.GROUPS), np.int64)
        self.n = 0

    def add(self, rows: Rows, match: Written, seed: int) -> None:
        """Count the sets of whole matches à tourner."""
        found = settle_by_turns(rows, match, seed=seed)
        starts = np.searchsorted(rows["match_id"], found["match_id"])
        of_match = np.repeat(np.arange(len(starts)), np.diff([*starts, len(rows["match_id"])]))
        money = np.stack([found[f"money_{player}"] for player in (1, 2, 3)], axis=1)
        idle = money[of_match, rows["idle_seat"] - 1]
        kind = set_values(rows, match.settlement)["kind"]
        marked = _marked_before(rows, starts, of_match)
        ahead = np.sign(marked[0] - marked[1])  # 1: side 2 is the less marked
        less_wins = np.where(ahead > 0, rows["winner"] == 2, rows["winner"] == 1)
        cases = [
            *(kind == one for one in KINDS),
            kind != GRANDE,
            (ahead != 0) & less_wins,
            (ahead != 0) & ~less_wins,
        ]
        counted = found["settled"][of_match]
        for place, case in enumerate(cases):
            shown = counted & case
            self.sums[place, 0] += clusters.sums(rows["match_id"][shown], idle[shown])
            self.sums[place, 1] += clusters.sums(rows["match_id"][shown], np.ones(int(shown.sum())))
        self.n += int(found["settled"].sum())

    def mean(self, case: str, level: float) -> Interval:
        """His mean money when a set he sat out ended so."""
        over, under = self.sums[self.CASES.index(case)]
        return clusters.ratio(over, under, self.n, level)

    def difference(self, case: str, other: str, level: float) -> Interval:
        """What it brings him that a set he sat out ended in the one way and not in the other."""
        one, two = (self.sums[self.CASES.index(name)] for name in (case, other))
        return clusters.difference(one[0], one[1], two[0], two[1], self.n, level)


def _marked_before(
    rows: Rows, starts: NDArray[np.intp], of_match: NDArray[np.intp]
) -> list[NDArray[np.int64]]:
    """Sets that the player on each side has lost before each set, of whole matches of three."""
    seats = [rows["player_1_seat"], rows["player_2_seat"]]
    before = [np.zeros(len(of_match), np.int64) for _ in seats]
    for player in (1, 2, 3):
        loses = ((seats[0] == player) & (rows["winner"] == 2)) | (
            (seats[1] == player) & (rows["winner"] == 1)
        )
        so_far = np.cumsum(loses) - loses
        so_far -= so_far[starts[of_match]]
        for side, seat in enumerate(seats):
            before[side] += so_far * (seat == player)
    return before


# ---------------------------------------------------------------- measures


def of_table(name: str, table: Table, level: float) -> Iterator[Estimate]:
    """What a table of equal players brings.

    `ordered`, by table and place: the mean result of who does best, worst, and of the one in between;
    `ordered_quantile` the same with a share of matches; `largest_loss`: what the one who does worst loses;
    `size`: what all together win and lose; `in_between`: matches of three in which one has at most half of what
    each of the others wins or loses.
    """
    for place, results in table.ordered.items():
        yield _money("ordered", f"{name}, {place}", results.mean(level))
        for share in QUANTILES:
            found = results.quantile(share, level)
            yield _money("ordered_quantile", f"{name}, {place}, {share:g}", found)
    yield _money("largest_loss", name, table.largest_loss.mean(level))
    yield _money("size", name, table.size.mean(level))
    if len(table.seats) == 3:
        found = intervals.proportion(table.between, table.largest_loss.n, level)
        yield Estimate(measure="in_between", detail=name, unit=SHARE, interval=found)


def between_tables(tables: Mapping[str, Table], level: float) -> Iterator[Estimate]:
    """`larger_loss`, by rule of paris and table: the largest loss à tourner less that of another table."""
    for paris in PARIS:
        own = tables[tourner(paris)].largest_loss.mean(level)
        for other in (TWO, CHOUETTE):
            found = intervals.difference(own, tables[other].largest_loss.mean(level))
            yield _money("larger_loss", f"{paris.value}, {other}", found)


def of_idle(paris: TournerParisRule, idle: Idle, level: float) -> Iterator[Estimate]:
    """What a match brings the one who sat out, by the end of the set and rule of paris.

    `idle_result`, by case; `idle_if_grande`: his mean when the set ended in a grande bredouille less that when it
    did not; `idle_if_less_marked_wins`: when the one who had lost fewer sets won it less when the other did.
    """
    for case in Idle.CASES:
        yield _money("idle_result", f"{paris.value}, {case}", idle.mean(case, level))
    pairs = {
        "idle_if_grande": ("grande", "other than grande"),
        "idle_if_less_marked_wins": ("less marked wins", "more marked wins"),
    }
    for measure, (case, other) in pairs.items():
        yield _money(measure, paris.value, idle.difference(case, other, level))


def of_unequal(tables: Mapping[str, Table], sets: int, level: float) -> Iterator[Estimate]:
    """What the second of a pair loses at each table, and how much more or less than in a match of two.

    `loses`, by table and seat; `loses_more`: less what he loses in a match of two; `loses_per_set` and
    `loses_more_per_set`: the same by the sets he plays.
    """
    alone = negative(tables[TWO].seats[1].mean(level))
    lost = {TWO: alone, f"{CHOUETTE}, one of two partners": negative(tables[CHOUETTE].seats[1].mean(level))}
    for paris in PARIS:
        third, one_of_two = tables[f"{WEAK_THIRD}, {paris.value}"].seats[2], tables[tourner(paris)].seats[1]
        lost[f"{tourner(paris)}, third"] = negative(third.mean(level))
        lost[f"{tourner(paris)}, one of two"] = negative(one_of_two.mean(level))
    for name, found in lost.items():
        plays = sets if name == TWO else sets // 2 if name.startswith(CHOUETTE) else 2 * sets // 3
        per_set = intervals.scaled(found, 1 / plays)
        yield _money("loses", name, found)
        yield _money("loses_per_set", name, per_set, PER_SET)
        if name != TWO:
            alone_per_set = intervals.scaled(alone, 1 / sets)
            yield _money("loses_more", name, intervals.difference(found, alone))
            more = intervals.difference(per_set, alone_per_set)
            yield _money("loses_more_per_set", name, more, PER_SET)


def negative(one: Interval) -> Interval:
    """The same number with the other sign."""
    return Interval(**(vars(one) | {"mean": -one.mean, "low": -one.high, "high": -one.low}))


def _money(measure: str, detail: str, found: Interval, unit: str = JETONS) -> Estimate:
    return Estimate(measure=measure, detail=detail, unit=unit, interval=found)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class ManyPlayers:
    """What three players win and lose à tourner, in a chouette, and in a match of two."""

    by_settlement: ClassVar[bool] = True
    by_players: ClassVar[tuple[str, ...]] = ("largest_loss",)
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """Nothing can be wrong with it."""
        return iter(())

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Tables", "three à tourner, one against two partners, two alone; as many sets at each"
        yield "Paris à tourner", ", ".join(paris.value for paris in PARIS)

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The first of a pair alone among two like the second, the second alone among two like the first; a
        chouette of the first against two like the second; and the two alone.
        """
        match = rules.match
        if not isinstance(match, Written) or match.table_mode is not TableMode.TOURNER:
            raise ConfigError(f"{rules.name} is not played à tourner (match.table_mode tourner)")
        if match.sets % 2:
            raise ConfigError(
                f"{rules.name}: match.sets {match.sets} is odd, and a match of two sides is even"
            )
        return {
            MAIN: Needed(rules=rules, seats=(0, 1, 1)),
            WEAK_THIRD: Needed(rules=replace(rules, name=f"{rules.name}_{WEAK_THIRD}"), seats=(0, 0, 1)),
            CHOUETTE: Needed(rules=of_sides(rules, TableMode.CHOUETTE), seats=(0, 1, 1)),
            TWO: Needed(rules=of_sides(rules, TableMode.TWO), seats=(0, 1)),
        }

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        tables = {key: self._table(rules, key, played) for key in (CHOUETTE, TWO)}
        for paris in PARIS:
            own = settled_by(rules, paris)
            tables[tourner(paris)] = self._table(own, MAIN, played)
            tables[f"{WEAK_THIRD}, {paris.value}"] = self._table(own, WEAK_THIRD, played)
        yield _money("lone_result", "", tables[CHOUETTE].seats[0].mean(level))
        yield _money("first_of_two", "", tables[TWO].seats[0].mean(level))
        if played.place[WEAK_THIRD] != played.place[MAIN]:
            yield from of_unequal(tables, _match(rules).sets, level)
            return
        for name in (*map(tourner, PARIS), CHOUETTE, TWO):
            yield from of_table(name, tables[name], level)
        yield from between_tables(tables, level)
        for paris in PARIS:
            match, idle = _match(settled_by(rules, paris)), Idle()
            for block in played.sets(TURNS_SETTLED_FROM):
                idle.add(block, match, played.seed())
            yield from of_idle(paris, idle, level)

    def _table(self, rules: RuleSet, key: str, played: Played) -> Table:
        """Sum up the matches of one of the plays."""
        match = _match(self.plays(rules)[key].rules)
        columns = SETTLED_FROM if match.players == 2 else TURNS_SETTLED_FROM
        return table_of(played.sets(columns, key), match, played.seed(key))

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of sets won by side 1, as for any run."""
        return None


def of_sides(rules: RuleSet, mode: TableMode) -> RuleSet:
    """The rules à tourner for two sides that throw first in turn."""
    changed = rules.with_match(
        table_mode=mode,
        players=3 if mode is TableMode.CHOUETTE else 2,
        set_first_die=SetFirstDie.ALTERNATE,
    )
    return replace(changed, name=f"{rules.name}_{mode.value}")


def settled_by(rules: RuleSet, paris: TournerParisRule) -> RuleSet:
    """The rules with a rule of paris."""
    return rules.with_settlement(tourner_paris_rule=paris)


def _match(rules: RuleSet) -> Written:
    assert isinstance(rules.match, Written)  # plays has refused others
    return rules.match
