"""Two players compared by duplicate matches: each pair of matches on the same dice, with the seats exchanged.

In one match of a pair the first player sits where the second sits in the other, and so has his dice and his first
throw. What luck does to both seats falls out of their difference. The pair is the unit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.comparison import (
    Contrast,
    Sums,
    alike,
    bounded,
    deviation_of,
    of_means,
    paired_superiority,
    share_of,
    short_of,
    together,
    verdict,
)
from simkit.analysis.intervals import Interval
from simkit.analysis.measure import Measure, known
from simkit.analysis.measures import settled
from simkit.analysis.multiplicity import each_level
from simkit.analysis.precision import most_at_every_look, sequence
from simkit.analysis.question import Rows, paired
from simkit.analysis.tallies import Powers, added_all_the_way
from simkit.dataset import Run
from simkit.errors import UsageError
from simkit.rules import PointMatch, RuleSet, TwelveHoles, Written
from simkit.settle import SETTLED_FROM

SIDES: Final = (1, 2)
ENDS: Final = ("better", "worse")
SEATS: Final = "t over pairs with the seats exchanged"
"""The method of a difference of players."""


def _of(name: str, unit: str, says: str, *, parts: int = 1, signed: bool = False) -> Measure:
    """A number that each player of a match has."""
    return Measure(name=name, unit=unit, says=says, by_settlement=True, parts=parts, signed=signed, ends=ENDS)


_WINS: Final = _of("wins", "share of matches", "matches won, a draw counting half", parts=2)
_HOLES: Final = _of("holes", "holes", "holes made in all sets or parties")
WRITTEN: Final = (
    _of("result", "points", "exact result before rounding and the general tail", signed=True),
    _of("paid", "points", "what he is paid in the end", signed=True),
    _WINS,
    _of("sets", "sets", "sets won"),
    _HOLES,
)
PARTIES: Final = (_of("result", "stakes", "stakes won less stakes lost", signed=True), _WINS, _HOLES)
POINTS: Final = (
    _of("result", "points", "points won less points lost", signed=True),
    _WINS,
    _of("games", "games", "games won"),
    _of("hits", "men", "men of the other's hit"),
)


def of_players(rules: RuleSet) -> tuple[Measure, ...]:
    """What either player of a match can be measured by.

    Raises
    ------
    UsageError
        The matches are not of two players, or of a kind of which no result of one match is known.
    """
    kinds = {Written: WRITTEN, TwelveHoles: PARTIES, PointMatch: POINTS}
    if type(rules.match) not in kinds or rules.match.players != 2:
        raise UsageError(
            f"{rules.name}: so far only players of two at the written game, of parties in twelve holes and of "
            "matches to points are compared by duplicate matches; of other matches rule sets are compared: name a "
            "second one or a variant of it (--set or --vary PATH=VALUE)"
        )
    return kinds[type(rules.match)]


def of_player(player: int, measure: str) -> str:
    """The column of a measure of player 1 or 2."""
    return f"{player}.{measure}"


_SET_COLUMNS: Final = (
    "match_id", "sets_won_1", "sets_won_2", "holes_1", "holes_2", "truncated",
)  # fmt: skip
_POINT_COLUMNS: Final = (
    "match_id", "winner", "points_1", "points_2", "games_won_1", "games_won_2", "hits_1", "hits_2", "truncated",
)  # fmt: skip


def measured_players(run: Run, place: int, rules: RuleSet) -> Iterator[Rows]:
    """Measure both players of every match of a play, by a settlement of these rules.

    Yields
    ------
    mapping of column name to array
        `match_id`, `whole`, and for either player under `of_player(player, name)` the number of each measure,
        int64, in the parts of the measure; in the order of the matches, in blocks.
    """
    if isinstance(rules.match, PointMatch):
        for block in run.iter_matches(place, _POINT_COLUMNS):
            result = block["points_1"].astype(np.int64) - block["points_2"]
            yield known(block) | _both(result, block["winner"], block, games="games_won", hits="hits")
        return
    seed = run.plays[place].seed
    results = (settled(sets, (rules,), seed) for sets in run.iter_sets(place, SETTLED_FROM))
    written = {"sets": "sets_won"} if isinstance(rules.match, Written) else {}
    for played, result in paired(run.iter_matches(place, _SET_COLUMNS), results):
        exact, winner, money = (result.get(f"0.{name}") for name in ("exact", "winner", "money"))
        rows = known(played) | _both(exact, winner, played, holes="holes", **written)
        if money is not None:
            rows |= {of_player(1, "paid"): money, of_player(2, "paid"): -money}
        yield rows


def _both(result: Any, winner: Any, block: Rows, **columns: str) -> dict[str, NDArray[Any]]:
    """The numbers of both players; `columns` by measure, each ending in `_1` and `_2`."""
    drawn = (winner == 0).astype(np.int64)
    rows = {of_player(1, "result"): result, of_player(2, "result"): -result}
    for player in SIDES:
        rows[of_player(player, "wins")] = 2 * (winner == player) + drawn
        for name, column in columns.items():
            rows[of_player(player, name)] = block[f"{column}_{player}"].astype(np.int64)
    return rows


# ---------------------------------------------------------------- sums

(
    _PAIRS, _SUM_A, _SQUARES_A, _SUM_B, _SQUARES_B, _OF_PAIRS_A, _OF_PAIRS_B,
    _CHANGE, _HIGHER, _LOWER, _AHEAD_1, _AHEAD_1_SQUARED, _AHEAD_2, _AHEAD_2_SQUARED,
) = range(14)  # fmt: skip


class ExchangedSums(Sums):
    """What is kept of pairs of matches between a baseline and a variant who exchange their seats.

    Attributes
    ----------
    sides
        How often either player had each number in a match, by measure.
    tables
        By measure and group of pairs, int64 (GROUPS, 14): pairs; sum and squares of either player's numbers;
        squares of his sums of a pair; squares of the variant's lead in a pair; pairs in which he leads, and in
        which he is behind; sum and squares of his lead in the match in which he is player 2, and player 1.
    all_the_way
        By measure: pairs of which either player has all of both matches, the variant first.
    powers
        By measure: of either player's sums of a pair, of the variant's lead in it, and of player 1's.
    """

    def __init__(self, measures: Sequence[Measure]) -> None:
        super().__init__(measures, paired=True)
        self.tables = {one.name: np.zeros((clusters.GROUPS, 14), np.int64) for one in measures}
        self.powers = {one.name: tuple(Powers() for _ in range(4)) for one in measures}
        self.parts = {one.name: one.parts for one in measures}
        self.all_the_way = dict.fromkeys(self.parts, (0, 0))

    @property
    def n(self) -> tuple[int, int]:
        """Pairs counted, twice."""
        pairs = int(next(iter(self.tables.values()))[:, _PAIRS].sum())
        return pairs, pairs

    def add_exchanged(self, one: Rows, two: Rows) -> None:
        """Take pairs into account: the baseline is player 1 in the rows `one`, player 2 in the rows `two`."""
        whole = one["whole"] & two["whole"]
        self.left_out += int((~whole).sum())
        match_id = one["match_id"][whole]
        for name, table in self.tables.items():
            a_1, b_2 = (one[of_player(player, name)][whole] for player in SIDES)
            b_1, a_2 = (two[of_player(player, name)][whole] for player in SIDES)
            for side, numbers in zip(self.sides, ((a_1, a_2), (b_2, b_1)), strict=True):
                for each in numbers:
                    side[name].add(match_id, each)
            first, second = b_2 - a_1, b_1 - a_2
            change = first + second
            columns = (
                np.ones_like(change), a_1 + a_2, a_1 * a_1 + a_2 * a_2, b_1 + b_2, b_1 * b_1 + b_2 * b_2,
                (a_1 + a_2) ** 2, (b_1 + b_2) ** 2, change * change, change > 0, change < 0,
                first, first * first, second, second * second,
            )  # fmt: skip
            self.all_the_way[name] = added_all_the_way(self.all_the_way[name], change, 2 * self.parts[name])
            table += np.stack([clusters.sums(match_id, column) for column in columns], axis=1)
            for powers, numbers in zip(
                self.powers[name], (a_1 + a_2, b_1 + b_2, change, second - first), strict=True
            ):
                powers.add(numbers)


def sum_exchanged(blocks: Iterable[tuple[Rows, Rows]], measures: Sequence[Measure]) -> ExchangedSums:
    """Sum up pairs; blocks as `simkit.analysis.question.paired` makes them of `measured_players`."""
    found = ExchangedSums(measures)
    for one, two in blocks:
        found.add_exchanged(one, two)
    return found


# ---------------------------------------------------------------- estimates


def contrast_players(
    sums: ExchangedSums,
    measure: Measure,
    *,
    margin: float = 0.0,
    level: float = intervals.LEVEL,
    family: int = 1,
    tuned_at: int | None = None,
    by_sequence: bool = False,
) -> Contrast:
    """Compare two players by one measure, per match; arguments as for `simkit.analysis.comparison.contrast`.

    `variance_factor` says how many times more matches on dice of their own, half of them in either seat, would be
    needed for the same interval; below 1 the exchange loses.
    """
    table = sums.tables[measure.name]
    one, two = (side[measure.name] for side in sums.sides)
    total = [int(x) for x in table.sum(axis=0)]
    n, unit = total[_PAIRS], 1 / (2 * measure.parts)
    of_a, of_b, of_change, _ = sums.powers[measure.name]

    def mean(total_of: int, squares: int, powers: Powers, at: float, method: str = "t") -> Interval:
        found = intervals.mean(n, total_of, squares, at, rests_on=powers.rests_on, method=method)
        return intervals.scaled(found, unit)

    def side(total_of: int, squares: int, powers: Powers) -> Interval:
        found = mean(total_of, squares, powers, level)
        return share_of(found, False, level) if measure.share else found

    at, freedom = each_level(level, family), min(n, of_change.rests_on) - 1
    difference = mean(total[_SUM_B] - total[_SUM_A], total[_CHANGE], of_change, at, SEATS)
    differing = total[_HIGHER] + total[_LOWER]
    always = sequence(difference, at, tuned_at or n, freedom)
    short = short_of(measure, n, differing, sums.all_the_way[measure.name])
    always = together(bounded(always, differing, short, measure, most_at_every_look), level, family)
    difference = bounded(difference, differing, short, measure)
    difference = always if by_sequence else together(difference, level, family)
    held = table[table[:, _PAIRS] > 0].astype(np.float64)
    spreads = [each.rests_on for each in (of_a, of_b, of_change)]

    def jackknife(
        function: Callable[[NDArray[Any]], NDArray[Any]], rests_on: float, log: bool = False
    ) -> Interval:
        fewest = 2 * clusters.GROUPS
        return intervals.jackknife(held, function, n, level, log=log, fewest=fewest, rests_on=rests_on)

    relative = None if measure.signed else jackknife(_ratio, of_means(spreads), log=True)
    return Contrast(
        measure=measure,
        means=(
            side(total[_SUM_A], total[_OF_PAIRS_A], of_a),
            side(total[_SUM_B], total[_OF_PAIRS_B], of_b),
        ),
        difference=difference,
        freedom=freedom,
        relative=relative
        and dataclasses.replace(
            relative, mean=relative.mean - 1, low=relative.low - 1, high=relative.high - 1
        ),
        effect=jackknife(_effect, min(spreads)),
        superiority=paired_superiority(n, total[_HIGHER], total[_LOWER], level),
        variance_factor=jackknife(_variance_factor, min(spreads), log=True),
        margin=margin,
        verdict=verdict(difference, margin, measure.ends),
        sequence=always,
        deviation=deviation_of(one, two, measure),
        alike=alike(one, two),
        short=short,
    )


def seat(sums: ExchangedSums, measure: Measure, level: float = intervals.LEVEL) -> Interval:
    """What player 1 has more of than player 2 in a match, both players having sat there.

    Dice and first throws favour neither seat, so it is 0 but for chance, unless matches start from given states.
    """
    total = [int(x) for x in sums.tables[measure.name].sum(axis=0)]
    more = total[_AHEAD_2] - total[_AHEAD_1]
    squares = 2 * (total[_AHEAD_1_SQUARED] + total[_AHEAD_2_SQUARED]) - total[_CHANGE]
    rests_on = sums.powers[measure.name][3].rests_on
    found = intervals.mean(total[_PAIRS], more, squares, level, rests_on=rests_on)
    return intervals.scaled(found, 1 / (2 * measure.parts))


def _variance(total: NDArray[Any], squares: NDArray[Any], n: NDArray[Any]) -> NDArray[Any]:
    return np.asarray((squares - total**2 / n) / (n - 1))


def _ratio(s: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(s[..., _SUM_B] / s[..., _SUM_A])


def _effect(s: NDArray[Any]) -> NDArray[Any]:
    matches = 2 * s[..., _PAIRS]
    spread = _variance(s[..., _SUM_A], s[..., _SQUARES_A], matches)
    spread = spread + _variance(s[..., _SUM_B], s[..., _SQUARES_B], matches)
    return np.asarray((s[..., _SUM_B] - s[..., _SUM_A]) / matches / np.sqrt(spread / 2))


def _variance_factor(s: NDArray[Any]) -> NDArray[Any]:
    n = s[..., _PAIRS]
    alone = _variance(s[..., _AHEAD_1], s[..., _AHEAD_1_SQUARED], n)
    alone = alone + _variance(s[..., _AHEAD_2], s[..., _AHEAD_2_SQUARED], n)
    return np.asarray(alone / _variance(s[..., _SUM_B] - s[..., _SUM_A], s[..., _CHANGE], n))
