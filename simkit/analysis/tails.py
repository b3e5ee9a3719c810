"""What the tails do: who wins with and without the tail of sets, and where the result's variance comes from.

Every number is a comparison of settlements *of the same play*. The rows of a run are read block by block
and only sums are kept, by groups of matches, so that any number of matches fits in memory and every measure
can have an interval that treats the match as the unit.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.clusters import GROUPS
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.question import MAIN, Needed, Played, length_problems
from simkit.errors import ConfigError, UsageError
from simkit.progress import Estimate as Standing
from simkit.rules import RoundFive, RuleSet, Settlement, Written, apply_all
from simkit.settle import SETTLED_FROM, Rows, higher_dice, match_starts, pay, set_values, settle

REFERENCE_SETS = 8
"""The length that other lengths are compared with: the usual match of two players."""

SHARE = "share of matches"
POINTS = "points"
NO_TAIL = "tail_of_sets=0"
NO_TOKENS = "tokens_per_set=0"
AT_REFERENCE = f"sets={REFERENCE_SETS}"

# What each 3 x 3 table of signs counts: rows the sign of the first, columns of the second, in order -, 0, +.
WINNER, WINNER_ROUNDED, LEADER, SETS_WINNER, TAILS = range(5)
# Places in the vector of amounts whose products are summed.
ONE, SET_POINTS, TOKEN_TAIL, PARIS, TAIL_OF_SETS, ABSOLUTE, TOKENS_FOR_SETS = range(7)
PARTS = slice(SET_POINTS, TAIL_OF_SETS + 1)

Sums: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TailSums:
    """Sums over matches, from which every measure of this module follows; two of them add up.

    Built by `tail_sums`. The axes are lengths, settlements, and groups of matches.
    """

    lengths: tuple[int, ...]
    settlements: tuple[Settlement, ...]
    truncated: int
    """Matches left out because a set was capped before the longest length."""
    matches: Sums
    """(groups,) matches counted."""
    signs: Sums
    """(lengths, settlements, 5 tables, groups, 3, 3) counts of matches by two signs."""
    moments: Sums
    """(lengths, settlements, groups, 7, 7) sums of products of one match's amounts."""
    values: Sums
    """How many sets had each value: index is the value in points."""

    @property
    def n(self) -> int:
        """Matches counted."""
        return int(self.matches.sum())

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Groups that hold any match."""
        return self.matches > 0

    def __add__(self, other: TailSums) -> TailSums:
        if (self.lengths, self.settlements) != (other.lengths, other.settlements):
            raise UsageError("only sums over the same lengths and settlements add up")
        return dataclasses.replace(
            self,
            truncated=self.truncated + other.truncated,
            matches=self.matches + other.matches,
            signs=self.signs + other.signs,
            moments=self.moments + other.moments,
            values=clusters.added(self.values, other.values),
        )

    def cells(self) -> Iterator[tuple[int, int, int, Settlement]]:
        """(index of length, length, index of settlement, settlement) of every cell."""
        for i, length in enumerate(self.lengths):
            for j, settlement in enumerate(self.settlements):
                yield i, length, j, settlement

    def table(self, i: int, j: int, which: int) -> Sums:
        """One 3 x 3 table of signs over all groups."""
        total: Sums = self.signs[i, j, which].sum(axis=0)
        return total


def tail_sums(
    blocks: Iterable[Rows], settlements: Sequence[Settlement], lengths: Sequence[int], seed: int = 0
) -> TailSums:
    """Read set rows block by block and sum up what each length and settlement makes of them.

    Parameters
    ----------
    blocks : iterable of mappings of column name to array
        Set rows of one play, whole matches in each block; columns as `simkit.settle.set_values` needs them.
    settlements : sequence of Settlement
        They may differ in tail_of_sets and tokens_per_set.
    lengths : sequence of int
        Even numbers of sets, at most the sets played; the first sets of a match are the shorter match.
    seed : int
        The seed of the run, for the dice of fives; see `simkit.settle.settle`.

    Returns
    -------
    TailSums
        Matches with a capped set within the longest length are left out of every length, and counted.

    Raises
    ------
    UsageError
        Odd or repeated lengths, settlements that differ in other fields, or rows that lack a column.
    """
    lengths = tuple(sorted(lengths))
    settlements = tuple(settlements)
    check_design(lengths, settlements)
    total = _empty(lengths, settlements)
    for block in blocks:
        total = total + _block_sums(block, settlements, lengths, seed)
    return total


def check_design(lengths: tuple[int, ...], settlements: tuple[Settlement, ...]) -> None:
    """Refuse lengths and settlements that `tail_sums` could not compare; raises UsageError."""
    wrong = [length for length in lengths if length < 2 or length % 2]
    if wrong or not lengths or len(set(lengths)) < len(lengths):
        raise UsageError(f"lengths = {lengths}: each an even number of sets, 2 or more, named once")
    if not settlements or len({_plain(one) for one in settlements}) > 1:
        raise UsageError("the settlements compared may differ in tail_of_sets and tokens_per_set only")
    if len(set(settlements)) < len(settlements):
        raise UsageError("the same settlement is named twice")


def _plain(settlement: Settlement) -> Settlement:
    return dataclasses.replace(settlement, tail_of_sets=0, tokens_per_set=0)


def _empty(lengths: tuple[int, ...], settlements: tuple[Settlement, ...]) -> TailSums:
    cells = (len(lengths), len(settlements))
    return TailSums(
        lengths=lengths,
        settlements=settlements,
        truncated=0,
        matches=np.zeros(GROUPS, dtype=np.int64),
        signs=np.zeros((*cells, 5, GROUPS, 3, 3), dtype=np.int64),
        moments=np.zeros((*cells, GROUPS, 7, 7), dtype=np.int64),
        values=np.zeros(1, dtype=np.int64),
    )


def _block_sums(
    sets: Rows, settlements: tuple[Settlement, ...], lengths: tuple[int, ...], seed: int
) -> TailSums:
    """Sums over the whole matches of one block."""
    match_id, set_points, sets_won, value = whole_matches(sets, settlements[0], lengths[-1])
    starts = match_starts(sets)
    group = match_id % GROUPS
    order = np.argsort(group, kind="stable")
    group, set_points, sets_won = group[order], set_points[order], sets_won[order]
    dice = dice_of_fives(match_id[order], settlements[0], seed)
    bounds = np.searchsorted(group, np.arange(GROUPS + 1))
    base = _empty(lengths, settlements)
    signs, moments = base.signs, base.moments
    for i, length in enumerate(lengths):
        D, won_1 = set_points[:, length - 1], sets_won[:, length - 1]
        without: dict[int, dict[str, NDArray[Any]]] = {}
        for j, settlement in enumerate(settlements):
            tokens = settlement.tokens_per_set
            if tokens not in without:
                bare = dataclasses.replace(settlement, tail_of_sets=0)
                without[tokens] = pay(D, won_1, length - won_1, bare, dice)
            paid = pay(D, won_1, length - won_1, settlement, dice)
            for which, (one, two) in enumerate(_sign_pairs(paid, without[tokens])):
                cell = group * 9 + (3 * np.sign(one) + np.sign(two) + 4)
                signs[i, j, which] = np.bincount(cell, minlength=9 * GROUPS).reshape(GROUPS, 3, 3)
            amounts = _amounts(paid)
            for g in np.flatnonzero(np.diff(bounds)):
                rows = amounts[bounds[g] : bounds[g + 1]]
                moments[i, j, g] = np.rint(rows.T @ rows).astype(np.int64)  # whole numbers below 2**53
    return dataclasses.replace(
        base,
        truncated=starts.size - match_id.size,
        matches=np.diff(bounds).astype(np.int64),
        values=np.bincount(value.ravel(), minlength=1).astype(np.int64),
    )


def dice_of_fives(match_id: Sums, settlement: Settlement, seed: int) -> NDArray[Any] | None:
    """Who throws the higher die in each match, where dice decide a five."""
    return higher_dice(match_id, seed) if settlement.round_five is RoundFive.DIE else None


def whole_matches(sets: Rows, settlement: Settlement, longest: int) -> tuple[Sums, Sums, Sums, Sums]:
    """match_id, running set points and sets won of player 1, and set values: (matches, longest) each."""
    starts = match_starts(sets)
    winner, set_no = sets["winner"], sets["set_no"]
    rows = np.diff(starts, append=winner.size)
    used = set_no <= longest
    valued = np.add.reduceat(used & (winner != 0), starts, dtype=np.int64) if starts.size else rows
    whole = valued == longest
    used &= np.repeat(whole, rows)
    value = set_values(sets, settlement)["value"][used].reshape(-1, longest)
    first = (winner[used] == 1).reshape(-1, longest)
    set_points = np.cumsum(np.where(first, value, -value), axis=1, dtype=np.int64)
    return sets["match_id"][starts][whole], set_points, np.cumsum(first, axis=1, dtype=np.int64), value


def _sign_pairs(
    paid: Mapping[str, NDArray[Any]], bare: Mapping[str, NDArray[Any]]
) -> tuple[tuple[NDArray[Any], NDArray[Any]], ...]:
    """The pairs of amounts whose signs are tabled, in the order WINNER ... TAILS."""
    sets_payment = paid["paris"] + paid["tail_of_sets"]
    return (
        (bare["exact"], paid["exact"]),
        (bare["rounded"], paid["rounded"]),
        (paid["set_points"] + paid["token_tail"], paid["exact"]),
        (sets_payment, paid["exact"]),
        (paid["token_tail"], sets_payment),
    )


def _amounts(paid: Mapping[str, NDArray[Any]]) -> NDArray[np.float64]:
    """(matches, 7): what one match adds to the moments."""
    sets_payment = paid["paris"] + paid["tail_of_sets"]
    columns = (
        np.ones_like(paid["exact"]),
        paid["set_points"],
        paid["token_tail"],
        paid["paris"],
        paid["tail_of_sets"],
        np.abs(paid["exact"]),
        paid["token_tail"] * np.sign(sets_payment),
    )
    return np.stack(columns, axis=1).astype(np.float64)


# ---------------------------------------------------------------- measures

Measure: TypeAlias = Callable[[TailSums, float], Iterator[Estimate]]
"""From sums and a level of confidence to estimates; its name and first line are its description."""

PLAYERS = {0: "2", 1: "draw", 2: "1"}


def _estimate(
    measure: str, sets: int, settlement: Settlement, unit: str, interval: Interval, contrast: str = ""
) -> Estimate:
    return Estimate(
        measure=measure,
        sets=sets,
        tail_of_sets=settlement.tail_of_sets,
        tokens_per_set=settlement.tokens_per_set,
        contrast=contrast,
        unit=unit,
        interval=interval,
    )


def winner_changes(sums: TailSums, level: float) -> Iterator[Estimate]:
    """Share of matches whose winner differs with the tail of sets from the winner without it.

    A draw is a third outcome. The parts: overturned (one player to the other), draw decided, made a draw;
    and the nine shares `outcome_<without>_<with>`. By the exact result, and by the rounded one.
    """
    for i, length, j, settlement in sums.cells():
        if settlement.tail_of_sets == 0:
            continue
        for which, suffix in ((WINNER, ""), (WINNER_ROUNDED, "_rounded")):
            table = sums.table(i, j, which)
            counts = {
                f"winner_changes{suffix}": _changed(table),
                f"winner_overturned{suffix}": _reversed(table),
                f"draw_decided{suffix}": table[1, 0] + table[1, 2],
                f"made_draw{suffix}": table[0, 1] + table[2, 1],
            } | {
                f"outcome{suffix}_{PLAYERS[a]}_{PLAYERS[b]}": table[a, b]
                for a in (2, 1, 0)
                for b in (2, 1, 0)
            }
            for measure, count in counts.items():
                interval = intervals.proportion(int(count), sums.n, level)
                yield _estimate(measure, length, settlement, SHARE, interval, NO_TAIL)


def winner_changes_ratio(sums: TailSums, level: float) -> Iterator[Estimate]:
    """Winner changes at this length, as a multiple of those at eight sets of the same play."""
    if REFERENCE_SETS not in sums.lengths:
        return
    reference = sums.lengths.index(REFERENCE_SETS)
    for i, length, j, settlement in sums.cells():
        if settlement.tail_of_sets and length != REFERENCE_SETS:
            here = int(_changed(sums.table(i, j, WINNER)))
            there = int(_changed(sums.table(reference, j, WINNER)))
            ratio = intervals.quotient(here, there, sums.n, level)
            yield _estimate("winner_changes_ratio", length, settlement, "times", ratio, AT_REFERENCE)


def winner_changes_tossed(sums: TailSums, level: float) -> Iterator[Estimate]:
    """Winner changes if every set were a fair toss of its own, worth what sets were worth in this play.

    A reference, counted out exactly from how often each value of a set was seen.
    """
    if not sums.n:
        return
    states = _tossed_states(sums.lengths, _distribution(sums.values))
    for i, length, _, settlement in sums.cells():
        if settlement.tail_of_sets:
            share = _off(_tossed_tables(states[i], *_tossed_paid(states[i], settlement))[WINNER])
            interval = intervals.exact(
                share, sums.n, "exact, given the values of sets: fair independent sets counted out", level
            )
            yield _estimate("winner_changes_tossed", length, settlement, SHARE, interval, NO_TAIL)


def token_tail_relief(sums: TailSums, level: float) -> Iterator[Estimate]:
    """What the tail of tokens takes back of the effects of paying the sets, on the same play.

    `token_tail_relief`: by how much it lowers the share of winner changes. `token_tail_saves_leader`: by how
    much it lowers the share of matches that the leader on points loses. Negative where it raises them.
    """
    places = {(one.tail_of_sets, one.tokens_per_set): j for j, one in enumerate(sums.settlements)}
    for i, length, j, settlement in sums.cells():
        bare = places.get((settlement.tail_of_sets, 0))
        if not (settlement.tail_of_sets and settlement.tokens_per_set) or bare is None:
            continue
        for measure, which, count in (
            ("token_tail_relief", WINNER, _changed),
            ("token_tail_saves_leader", LEADER, _reversed),
        ):
            without, with_tokens = count(sums.signs[i, bare, which]), count(sums.signs[i, j, which])
            groups = np.stack([without - with_tokens, sums.matches], axis=-1)[sums.kept]
            interval = intervals.jackknife(groups, lambda s: s[..., 0] / s[..., 1], sums.n, level)
            yield _estimate(measure, length, settlement, SHARE, interval, NO_TOKENS)


def leader_overturned(sums: TailSums, level: float) -> Iterator[Estimate]:
    """How often the payment of the sets costs the leader on points the match.

    `leader_loses`: the leader on set points and tail of tokens ends up behind. `leader_overturned`: the
    winner before that payment is not the winner after it, draws counted as an outcome of their own.
    """
    for i, length, j, settlement in sums.cells():
        table = sums.table(i, j, LEADER)
        loses = intervals.proportion(int(_reversed(table)), sums.n, level)
        yield _estimate("leader_loses", length, settlement, SHARE, loses)
        changed = intervals.proportion(int(_changed(table)), sums.n, level)
        yield _estimate("leader_overturned", length, settlement, SHARE, changed)


def variance_shares(sums: TailSums, level: float) -> Iterator[Estimate]:
    """Where the variance of the exact result G comes from: Cov(part, G) / Var(G), which add up to one.

    The parts are set points, tail of tokens, payment per set (*paris*) and tail of sets. With them the
    correlation of G with the set points.
    """
    parts = ("set_points", "token_tail", "paris", "tail_of_sets")
    for i, length, j, settlement in sums.cells():
        moments = sums.moments[i, j][sums.kept]
        for k, part in enumerate(parts):
            share = intervals.jackknife(moments, functools.partial(_share, part=k), sums.n, level)
            yield _estimate(f"variance_{part}", length, settlement, "share of the variance of G", share)
        correlation = intervals.jackknife(moments, _correlation, sums.n, level)
        yield _estimate("correlation_with_set_points", length, settlement, "correlation", correlation)


def variance_ratio(sums: TailSums, level: float) -> Iterator[Estimate]:
    """The tail of sets' share of the variance, as a multiple of its share at eight sets of the same play."""
    if REFERENCE_SETS not in sums.lengths:
        return
    reference = sums.lengths.index(REFERENCE_SETS)
    for i, length, j, settlement in sums.cells():
        if settlement.tail_of_sets and length != REFERENCE_SETS:
            both = np.stack([sums.moments[i, j], sums.moments[reference, j]], axis=1)[sums.kept]
            ratio = intervals.jackknife(both, _ratio_of_tail_shares, sums.n, level, log=True)
            yield _estimate("variance_tail_of_sets_ratio", length, settlement, "times", ratio, AT_REFERENCE)


def mean_result(sums: TailSums, level: float) -> Iterator[Estimate]:
    """Mean of the exact result's size |G| in points, and the share of draws (G = 0)."""
    for i, length, j, settlement in sums.cells():
        total = sums.moments[i, j].sum(axis=0)
        size = intervals.mean(sums.n, int(total[ONE, ABSOLUTE]), int(total[ABSOLUTE, ABSOLUTE]), level)
        yield _estimate("mean_abs_exact", length, settlement, POINTS, size)
        draws = int(sums.table(i, j, WINNER)[:, 1].sum())
        yield _estimate("draw", length, settlement, SHARE, intervals.proportion(draws, sums.n, level))


def token_tail(sums: TailSums, level: float) -> Iterator[Estimate]:
    """Whether the tail of tokens works against the payment of the sets.

    `tails_opposed`: the two go to different players. `token_tail_for_sets_winner`: mean of the tail of
    tokens, counted for the player with more sets. `sets_winner_wins`: he wins the match, among matches
    where somebody has more sets.
    """
    for i, length, j, settlement in sums.cells():
        tails = sums.table(i, j, TAILS)
        opposed = intervals.proportion(int(_reversed(tails)), sums.n, level)
        yield _estimate("tails_opposed", length, settlement, SHARE, opposed)
        total = sums.moments[i, j].sum(axis=0)
        for_sets = intervals.mean(
            sums.n, int(total[ONE, TOKENS_FOR_SETS]), int(total[TOKENS_FOR_SETS, TOKENS_FOR_SETS]), level
        )
        yield _estimate("token_tail_for_sets_winner", length, settlement, POINTS, for_sets)
        winners = sums.table(i, j, SETS_WINNER)
        wins = intervals.proportion(
            int(winners[0, 0] + winners[2, 2]), int(winners[0].sum() + winners[2].sum()), level
        )
        yield _estimate("sets_winner_wins", length, settlement, "share of matches with a sets winner", wins)


MEASURES: tuple[Measure, ...] = (
    winner_changes,
    winner_changes_ratio,
    winner_changes_tossed,
    token_tail_relief,
    leader_overturned,
    variance_shares,
    variance_ratio,
    mean_result,
    token_tail,
)


def _changed(tables: NDArray[Any]) -> NDArray[Any]:
    """Matches off the diagonal of 3 x 3 tables, shape (..., 3, 3) to (...)."""
    off: NDArray[Any] = tables.sum(axis=(-2, -1)) - np.trace(tables, axis1=-2, axis2=-1)
    return off


def _reversed(tables: NDArray[Any]) -> NDArray[Any]:
    """Matches with opposite signs, shape (..., 3, 3) to (...)."""
    corners: NDArray[Any] = tables[..., 0, 2] + tables[..., 2, 0]
    return corners


def _covariances(moments: NDArray[Any]) -> NDArray[np.float64]:
    """Covariances of the four parts of G, shape (..., 7, 7) to (..., 4, 4)."""
    sums = moments.astype(np.float64)
    n = sums[..., ONE, ONE, None, None]
    means = sums[..., ONE, PARTS] / n[..., 0]
    covariances: NDArray[np.float64] = sums[..., PARTS, PARTS] / n - means[..., :, None] * means[..., None, :]
    return covariances


def _shares(moments: NDArray[Any]) -> NDArray[np.float64]:
    with_g = _covariances(moments).sum(axis=-1)
    shares: NDArray[np.float64] = with_g / with_g.sum(axis=-1, keepdims=True)
    return shares


def _share(moments: NDArray[Any], part: int) -> NDArray[np.float64]:
    share: NDArray[np.float64] = _shares(moments)[..., part]
    return share


def _ratio_of_tail_shares(both: NDArray[Any]) -> NDArray[np.float64]:
    """Shape (..., 2, 7, 7): one length and the reference."""
    tail = _shares(both)[..., TAIL_OF_SETS - 1]
    ratio: NDArray[np.float64] = tail[..., 0] / tail[..., 1]
    return ratio


def _correlation(moments: NDArray[Any]) -> NDArray[np.float64]:
    covariances = _covariances(moments)
    with_g = covariances.sum(axis=-1)
    correlation: NDArray[np.float64] = with_g[..., 0] / np.sqrt(covariances[..., 0, 0] * with_g.sum(axis=-1))
    return correlation


# ---------------------------------------------------------------- the question

VARIED = ("tail_of_sets", "tokens_per_set")
"""Settlement fields that may vary: the columns of `estimates` that tell settlements apart."""
MONEY = ("general_tail", "general_tail_basis", "stake", "fish_unit")
"""Settlement fields that come after the rounded result, of which nothing is asked here."""


@dataclass(frozen=True, kw_only=True)
class TailsOfSets:
    """What the tails of a written match do, at several lengths and under several settlements of one play."""

    settlements: tuple[Mapping[str, int], ...]
    """What each settlement changes in that of the rule set; all are settlements of the same play."""
    lengths: tuple[int, ...]
    """Numbers of sets; the longest is played, and its first sets are the shorter matches."""
    measures: tuple[Measure, ...] = MEASURES

    by_settlement: ClassVar[bool] = True
    by_players: ClassVar[tuple[str, ...]] = (
        "winner_changes",
        "leader_loses",
        "variance_tail_of_sets",
        "mean_abs_exact",
        "draw",
    )
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None
    indifferent_to: ClassVar[tuple[str, ...]] = MONEY

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        for field in ("settlements", "measures"):
            if not getattr(self, field):
                yield f"{field}: none given"
        yield from length_problems(self.lengths)
        for change in self.settlements:
            strange = [field for field in change if field not in VARIED]
            if strange:
                yield f"settlements: {', '.join(strange)} cannot be varied, only {', '.join(VARIED)}"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        for number, change in enumerate(self.settlements):
            words = ", ".join(f"{field} {value}" for field, value in change.items())
            yield "" if number else "Settlements", words or "as the rules have it"
        yield "Sets", ", ".join(map(str, self.lengths))

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The longest match; the shorter ones are its beginning."""
        check_design(tuple(sorted(self.lengths)), self._settlements(rules))
        return {MAIN: Needed(rules=rules.with_match(sets=max(self.lengths)))}

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every measure, at every length and under every settlement."""
        blocks = played.sets(SETTLED_FROM)
        sums = tail_sums(blocks, self._settlements(rules), self.lengths, played.seed())
        for measure in self.measures:
            yield from measure(sums, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> WinnerChanges:
        """The share of winner changes so far."""
        sets = REFERENCE_SETS if REFERENCE_SETS in self.lengths else max(self.lengths)
        return WinnerChanges([_settlement(rules) for rules in plays], sets, level)

    def _settlements(self, rules: RuleSet) -> tuple[Settlement, ...]:
        _settlement(rules)  # refused before its fields are
        varied = (
            apply_all(rules, {f"settlement.{field}": value for field, value in change.items()})
            for change in self.settlements
        )
        return tuple(dict.fromkeys(map(_settlement, varied)))


def _settlement(rules: RuleSet) -> Settlement:
    if not isinstance(rules.match, Written):
        raise ConfigError(f"{rules.name} is not a match of several sets")
    return rules.match.settlement


class WinnerChanges:
    """The monitor of this question: share of winner changes at one length so far, of each play."""

    def __init__(self, settlements: Sequence[Settlement], sets: int, level: float) -> None:
        self._sets, self._level, self._settlements = sets, level, settlements
        self._changed = [0] * len(settlements)
        self._seen = [0] * len(settlements)

    def __call__(self, play: int, matches: Rows, sets: Rows) -> Standing | None:
        """Take the new matches of a play into account."""
        settlement = self._settlements[play]
        own = settle(sets, settlement, n_sets=self._sets)
        bare = settle(sets, dataclasses.replace(settlement, tail_of_sets=0), n_sets=self._sets)
        self._changed[play] += int((own["winner"] != bare["winner"]).sum())
        self._seen[play] += int(own["settled"].sum())
        found = intervals.proportion(self._changed[play], self._seen[play], self._level)
        if not found.n:
            return None
        return Standing(f"winner changes at {self._sets} sets", found.mean, (found.high - found.low) / 2)


# ---------------------------------------------------------------- sets as tosses of a coin


@dataclass(frozen=True, eq=False)
class _States:
    """Every result of a match of tossed sets, with its probability."""

    set_points: Sums
    sets_won: Sums
    sets: int
    probability: NDArray[np.float64]


def coin_flip_curve(
    lengths: Sequence[int], value: int | Mapping[int, float], settlement: Settlement
) -> dict[str, NDArray[np.float64]]:
    """What the tails do if every set is a fair toss: exact values, by enumeration.

    Parameters
    ----------
    lengths : sequence of int
        Even numbers of sets.
    value : int or mapping of int to float
        Points of every set, or their probabilities (made to add up to 1), drawn anew for each set.
    settlement : Settlement
        With the tail of sets; the comparison is with the same settlement without it.

    Returns
    -------
    dict
        One entry per length, named as the measures are: `winner_changes` and its parts, `leader_loses`,
        `leader_overturned`, `draw`, `mean_abs_exact`, `variance_*`.

    Notes
    -----
    Given the sets won by each, the set points are a sum of independent values: the binomial distribution
    of the sets times convolutions of the values. With one fixed value the player with more sets also leads
    on points, and the tail of sets never changes the winner.
    """
    check_design(tuple(sorted(lengths)), (settlement,))
    distribution = {value: 1.0} if isinstance(value, int) else dict(value)
    results = [_tossed(state, settlement) for state in _tossed_states(lengths, distribution)]
    return {name: np.array([one[name] for one in results]) for name in results[0]}


def _distribution(counts: Sums) -> dict[int, float]:
    return {int(v): float(counts[v]) for v in np.flatnonzero(counts)}


def _tossed_states(lengths: Sequence[int], distribution: Mapping[int, float]) -> list[_States]:
    low, total = min(distribution), sum(distribution.values())
    if low < 0 or total <= 0:
        raise UsageError("set values must not be negative, and their probabilities must not all be 0")
    single = np.zeros(max(distribution) + 1)
    for points, weight in distribution.items():
        single[points] += weight / total
    powers = [np.ones(1)]  # the distribution of the sum of k values
    for _ in range(max(lengths)):
        powers.append(np.convolve(powers[-1], single))
    return [_tossed_match(length, powers) for length in lengths]


def _tossed_match(length: int, powers: list[NDArray[np.float64]]) -> _States:
    points, won, probability = [], [], []
    for wins in range(length + 1):
        against = powers[length - wins]
        chance = np.convolve(powers[wins], against[::-1]) * (math.comb(length, wins) / 2**length)
        possible = np.flatnonzero(chance)
        points.append(possible - (against.size - 1))
        won.append(np.full(possible.size, wins))
        probability.append(chance[possible])
    return _States(np.concatenate(points), np.concatenate(won), length, np.concatenate(probability))


def _tossed_paid(
    states: _States, settlement: Settlement
) -> tuple[Mapping[str, NDArray[Any]], Mapping[str, NDArray[Any]]]:
    """Every result settled, and settled without the tail of sets; not rounded, which nobody asks for."""
    lost = states.sets - states.sets_won
    settlement = dataclasses.replace(settlement, round_unit=None)
    bare = dataclasses.replace(settlement, tail_of_sets=0)
    paid, without = (pay(states.set_points, states.sets_won, lost, one) for one in (settlement, bare))
    return paid, without


def _tossed_tables(
    states: _States, paid: Mapping[str, NDArray[Any]], bare: Mapping[str, NDArray[Any]]
) -> list[NDArray[Any]]:
    """The 3 x 3 tables of probabilities by two signs, in the order WINNER ... TAILS."""
    cells = (3 * np.sign(one) + np.sign(two) + 4 for one, two in _sign_pairs(paid, bare))
    return [np.bincount(cell, states.probability, minlength=9).reshape(3, 3) for cell in cells]


def _tossed(states: _States, settlement: Settlement) -> dict[str, float]:
    paid, bare = _tossed_paid(states, settlement)
    tables = _tossed_tables(states, paid, bare)
    winner, leader = tables[WINNER], tables[LEADER]
    amounts = _amounts(paid)
    moments = (amounts * states.probability[:, None]).T @ amounts
    with np.errstate(invalid="ignore"):
        shares = _shares(moments)
    return {
        "winner_changes": _off(winner),
        "winner_overturned": float(winner[0, 2] + winner[2, 0]),
        "draw_decided": float(winner[1, 0] + winner[1, 2]),
        "made_draw": float(winner[0, 1] + winner[2, 1]),
        "leader_loses": float(leader[0, 2] + leader[2, 0]),
        "leader_overturned": _off(leader),
        "draw": float(winner[:, 1].sum()),
        "mean_abs_exact": float(moments[ONE, ABSOLUTE]),
        "variance_set_points": float(shares[0]),
        "variance_token_tail": float(shares[1]),
        "variance_paris": float(shares[2]),
        "variance_tail_of_sets": float(shares[3]),
    }


def _off(table: NDArray[Any]) -> float:
    return float(table[~np.eye(3, dtype=bool)].sum())
