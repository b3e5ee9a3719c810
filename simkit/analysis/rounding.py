"""What rounding the final difference does: how near a step results lie, what is paid too much, and to whom.

The same results are rounded in every way there is, so that what is compared is match against match.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.question import MAIN, Needed, Played, Rows, length_problems
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import RoundFive, RuleSet, Settlement, Written
from simkit.settle import SETTLED_FROM, higher_dice, round_amount, settle

WAYS: tuple[RoundFive, ...] = tuple(RoundFive)
"""Where a five may go."""

SHARES = ("step_of_a_point", "step_of_a_hole", "five", "to_nought", "changed")
"""Counts of matches, in the order of `RoundingSums.counts`; `shares_of` says what they are."""
MATCHES = "share of matches"
POINTS = "points per match"

ONE, RESULT, SIZE, FIVE_UP = range(4)
# Places in the vector of one match; for each way of WAYS two more, what is paid over and player 1's gain.
OVER, GAIN = 4, 4 + len(WAYS)
NUMBERS = GAIN + len(WAYS)


@dataclass(frozen=True, eq=False)
class RoundingSums:
    """Sums over matches, by length; two of them add up. Built by `rounding_sums`."""

    lengths: tuple[int, ...]
    unit: int
    """To multiples of which the result is rounded, in points."""
    remainders: NDArray[np.int64]
    """(lengths, unit) matches by the size of the exact result modulo the unit."""
    counts: NDArray[np.int64]
    """(lengths, SHARES) matches."""
    products: NDArray[np.int64]
    """(lengths, NUMBERS, NUMBERS) sums of products of the numbers of one match."""

    def __add__(self, other: RoundingSums) -> RoundingSums:
        return dataclasses.replace(
            self,
            remainders=self.remainders + other.remainders,
            counts=self.counts + other.counts,
            products=self.products + other.products,
        )

    def n(self, i: int) -> int:
        """Matches counted at a length."""
        return int(self.products[i, ONE, ONE])

    def mean(self, i: int, number: int, level: float) -> Interval:
        """Mean of one number over the matches of a length."""
        p = self.products[i]
        return intervals.mean(self.n(i), int(p[ONE, number]), int(p[number, number]), level)

    def share_of_result(self, i: int, number: int, level: float) -> Interval:
        """One number as a part of player 1's mean result."""
        p, x, y = self.products[i], RESULT, number
        return intervals.ratio(
            self.n(i), int(p[ONE, x]), int(p[ONE, y]), int(p[x, x]), int(p[x, y]), int(p[y, y]), level
        )


def rounding_sums(
    blocks: Iterable[Rows], settlement: Settlement, lengths: Sequence[int], seed: int
) -> RoundingSums:
    """Read set rows block by block and sum up what rounding makes of every length.

    Parameters
    ----------
    blocks : iterable of mappings of column name to array
        Set rows of one play, whole matches in each block; columns as `simkit.settle.settle` needs them.
    settlement : Settlement
        It rounds (`round_unit`).
    lengths : sequence of int
        Even numbers of sets; the first sets of a match are the shorter match.
    seed : int
        The seed of the run, for the dice that decide a five.
    """
    lengths, unit = tuple(sorted(lengths)), settlement.round_unit
    assert unit is not None
    size = len(lengths)
    total = RoundingSums(
        lengths,
        unit,
        np.zeros((size, unit), dtype=np.int64),
        np.zeros((size, len(SHARES)), dtype=np.int64),
        np.zeros((size, NUMBERS, NUMBERS), dtype=np.int64),
    )
    for block in blocks:
        parts = [_length_sums(block, settlement, length, seed) for length in lengths]
        arrays = (np.stack([part[k] for part in parts]) for k in range(3))
        total = total + RoundingSums(lengths, unit, *arrays)
    return total


def _length_sums(
    sets: Rows, settlement: Settlement, length: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Remainders, counts and products of the matches of one length in a block."""
    rows = _first_sets(sets, length)
    found = settle(rows, settlement, n_sets=length, seed=seed)
    whole = found["settled"]
    exact, paid = found["exact"][whole], found["rounded"][whole]
    die = higher_dice(found["match_id"], seed)[whole]
    more = settle(_one_hole_more(rows, length), settlement, n_sets=length, seed=seed)["rounded"][whole]
    counts = _counts(exact, paid, more, settlement, die)
    numbers = _numbers(exact, settlement, die)
    unit = settlement.round_unit
    assert unit is not None
    return np.bincount(np.abs(exact) % unit, minlength=unit), counts, numbers @ numbers.T


def _first_sets(sets: Rows, length: int) -> Rows:
    counted = sets["set_no"] <= length
    return {name: column[counted] for name, column in sets.items()}


def _one_hole_more(sets: Rows, length: int) -> Rows:
    """The same rows, the winner of the last set having made one hole more."""
    changed = dict(sets)
    for player in (1, 2):
        won = (sets["set_no"] == length) & (sets["winner"] == player)
        changed[f"holes_{player}"] = sets[f"holes_{player}"] + won.astype(sets[f"holes_{player}"].dtype)
    return changed


def _counts(
    exact: NDArray[np.int64],
    paid: NDArray[np.int64],
    paid_with_hole: NDArray[np.int64],
    settlement: Settlement,
    die: NDArray[Any],
) -> NDArray[np.int64]:
    """How many matches show each of SHARES."""
    unit = settlement.round_unit
    assert unit is not None
    shown = {
        "step_of_a_point": round_amount(exact + 1, settlement, die) != paid,
        "step_of_a_hole": paid_with_hole != paid,
        "five": 2 * (np.abs(exact) % unit) == unit,
        "to_nought": (exact != 0) & (paid == 0),
        "changed": exact != paid,
    }
    return np.array([int(shown[name].sum()) for name in SHARES], dtype=np.int64)


def _numbers(exact: NDArray[np.int64], settlement: Settlement, die: NDArray[Any]) -> NDArray[np.int64]:
    """The numbers of each match, shape (NUMBERS, matches)."""
    size = np.abs(exact)
    paid = {way: round_amount(exact, dataclasses.replace(settlement, round_five=way), die) for way in WAYS}
    table = np.zeros((NUMBERS, exact.size), dtype=np.int64)
    table[ONE], table[RESULT], table[SIZE] = 1, exact, size
    table[FIVE_UP] = paid[RoundFive.UP] - paid[RoundFive.DIE]
    for k, way in enumerate(WAYS):
        table[OVER + k] = np.abs(paid[way]) - size
        table[GAIN + k] = paid[way] - exact
    return table


# ---------------------------------------------------------------- measures


def shares_of(sums: RoundingSums, level: float) -> Iterator[Estimate]:
    """Shares of matches, under the rule set's own way with a five.

    `step_of_a_point`: one point more for player 1 changes what is paid. `step_of_a_hole`: one hole more for the
    winner of the last set does, the match settled again. `five`: the result lies half-way. `to_nought`:
    something is won and nothing paid. `changed`: another sum is paid than was won. `remainder`, by detail:
    the last digit of the result, its size modulo the unit.
    """
    for i, length in enumerate(sums.lengths):
        for k, share in enumerate(SHARES):
            found = intervals.proportion(int(sums.counts[i, k]), sums.n(i), level)
            yield Estimate(measure=share, sets=length, unit=MATCHES, interval=found)
        for remainder in range(sums.unit):
            found = intervals.proportion(int(sums.remainders[i, remainder]), sums.n(i), level)
            yield Estimate(
                measure="remainder", sets=length, detail=str(remainder), unit=MATCHES, interval=found
            )


def sums_paid(sums: RoundingSums, level: float) -> Iterator[Estimate]:
    """Points per match; by detail, where a five goes.

    `mean_size`: of the exact result, without its sign. `paid_over`: what is paid less what was won, by
    whoever lost. `result_of_1`: the exact result of player 1. `gain_of_1`: what he is paid less what he won.
    `five_up_for_1`: what a five rounded up instead of by dice brings him.
    """
    for i, length in enumerate(sums.lengths):
        for measure, number in (("mean_size", SIZE), ("result_of_1", RESULT), ("five_up_for_1", FIVE_UP)):
            found = sums.mean(i, number, level)
            yield Estimate(measure=measure, sets=length, unit=POINTS, interval=found)
        for k, way in enumerate(WAYS):
            for measure, number in (("paid_over", OVER + k), ("gain_of_1", GAIN + k)):
                found = sums.mean(i, number, level)
                yield Estimate(measure=measure, sets=length, detail=way.value, unit=POINTS, interval=found)


def shares_of_advantage(sums: RoundingSums, level: float) -> Iterator[Estimate]:
    """What rounding does to an advantage, as a part of it; only where one player has it beyond chance.

    `advantage_changes`, by detail where a five goes: player 1's gain through the sum of his exact results.
    `five_up_of_advantage`: the same of a five rounded up instead of by dice.
    """
    for i, length in enumerate(sums.lengths):
        result = sums.mean(i, RESULT, level)
        if not (result.low > 0 or result.high < 0):
            continue
        numbers = [("five_up_of_advantage", "", FIVE_UP)]
        numbers += [("advantage_changes", way.value, GAIN + k) for k, way in enumerate(WAYS)]
        for measure, detail, number in numbers:
            found = sums.share_of_result(i, number, level)
            yield Estimate(
                measure=measure, sets=length, detail=detail, unit="share of the mean result", interval=found
            )


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class Rounding:
    """What rounding does to matches of several lengths, wherever a five goes."""

    lengths: tuple[int, ...]
    """Numbers of sets; the longest is played, and its first sets are the shorter matches."""

    by_settlement: ClassVar[bool] = True
    by_players: ClassVar[tuple[str, ...]] = ()
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        yield from length_problems(self.lengths)

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Sets", ", ".join(map(str, self.lengths))
        yield "A five goes", ", ".join(way.value for way in WAYS)

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The longest match; the shorter ones are its beginning."""
        if not isinstance(rules.match, Written):
            raise ConfigError(f"{rules.name} is not a match of several sets")
        if rules.match.settlement.round_unit is None:
            raise ConfigError(f"{rules.name} does not round (settlement.round_unit none)")
        return {MAIN: Needed(rules=rules.with_match(sets=max(self.lengths)))}

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every measure at every length."""
        assert isinstance(rules.match, Written)
        blocks = played.sets(SETTLED_FROM)
        sums = rounding_sums(blocks, rules.match.settlement, self.lengths, played.seed())
        for measure in (shares_of, sums_paid, shares_of_advantage):
            yield from measure(sums, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of sets won by player 1, as for any run."""
        return None
