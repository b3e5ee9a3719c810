"""What each disputed reading of the written game does: one reading changed alone, on the same dice.

A reading that says how sets become money is judged on the very same sets, settled twice. One that changes the
play is played again: match m of both plays meets the same dice, place by place, until the reading makes them
part.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.conventions import adjusted
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Needed, Played, Rows, length_problems, paired
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import RuleSet, Settlement, Written, apply_all, diff, replace, rule_words
from simkit.settle import SETTLED_FROM, match_starts, settle

COLUMNS = (*SETTLED_FROM, "first_player", "ended_by", "rolls")
"""Columns of `sets` that are read; a match that differs in none of them has not changed."""

MATCHES, POINTS = "share of matches", "points per match"
EFFECTS = ("size_change", "paid_change", "first_wins_change")
"""Mean differences that are tested; the whole of them, over all readings and lengths, is one family."""
MEANS = {
    "size_change": POINTS,
    "paid_change": POINTS,
    "first_wins_change": MATCHES,
    "result_moves": POINTS,
    "paid_moves": POINTS,
}
SHARES = ("winner_changes", "payer_changes", "payment_changes", "anything_changes")
SUMMED = ("one", *MEANS, *SHARES, "size_before")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One reading of a disputed rule, put in the place of the rule set's own."""

    change: Mapping[str, Any]
    """Paths and values, as `simkit.rules.apply_all` takes them; the first is the field that is named."""
    beside: Mapping[str, Any] = field(default_factory=dict)
    """What is agreed on both sides of the comparison, where the reading would else decide nothing."""
    conflict: str = ""
    """The conflict between the sources that it belongs to, such as `C3`; empty where no source disputes it."""

    @property
    def detail(self) -> str:
        """`refait_growth=geometric`: its name in estimates."""
        fields = (f"{path.rpartition('.')[2]}={rule_words(value)}" for path, value in self.change.items())
        return ", ".join(fields)

    @property
    def settled_only(self) -> bool:
        """Whether it leaves the play alone."""
        return all(path.startswith("settlement.") for path in (*self.change, *self.beside))

    def sides(self, rules: RuleSet) -> tuple[RuleSet, RuleSet]:
        """The rules without it and with it; alike where the rule set reads so itself."""
        without = apply_all(rules, self.beside)
        return without, apply_all(without, self.change)


@dataclass(frozen=True, kw_only=True)
class WrittenConventions:
    """Disputed readings of a written match, each put alone in the place of the rule set's own."""

    readings: tuple[Reading, ...]
    """Those a rule set has itself are left out for it."""
    lengths: tuple[int, ...]
    """Numbers of sets; the longest is played, and its first sets are the shorter matches."""
    sets_of_rules: int | None = None
    """Sets that the rule sets themselves are played for, where they share the rows of longer matches."""

    by_settlement: ClassVar[bool] = True
    by_players: ClassVar[tuple[str, ...]] = ()
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        wrong = tuple(length_problems(self.lengths))
        yield from wrong
        if not wrong and self.sets_of_rules is not None and self.sets_of_rules < max(self.lengths):
            yield f"sets_of_rules = {self.sets_of_rules}: {max(self.lengths)} or more, the longest of the lengths"
        if any(not reading.change for reading in self.readings):
            yield "readings: a change of nothing"
        names = [reading.detail for reading in self.readings]
        if len(set(names)) < len(names):
            yield "readings: one is named twice"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Sets", ", ".join(map(str, self.lengths))
        for number, reading in enumerate(self.readings):
            beside = ", ".join(f"{path} {rule_words(value)}" for path, value in reading.beside.items())
            words = f"{reading.detail}{f' (with {beside} on both sides)' if beside else ''}"
            yield (
                "" if number else "Readings",
                f"{words}{f', {reading.conflict}' if reading.conflict else ''}",
            )

    def asked(self, rules: RuleSet) -> tuple[Reading, ...]:
        """The readings that a rule set does not have itself."""
        return tuple(reading for reading in self.readings if diff(*reading.sides(rules)))

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The rule set as it stands, and one play for each reading that changes the play."""
        if not isinstance(rules.match, Written):
            raise ConfigError(f"{rules.name} is not a match of several sets")
        longest = max(self.lengths)
        needed = {MAIN: Needed(rules=rules.with_match(sets=self.sets_of_rules or longest))}
        for reading in self.asked(rules):
            if not reading.settled_only:
                name = f"{rules.name}_{reading.detail.replace('=', '_').replace(', ', '_')}"
                played = reading.sides(rules)[1].with_match(sets=longest)
                needed[reading.detail] = Needed(rules=replace(played, name=name))
        return needed

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """What each reading does at each length, and which of it stands out of all of it."""
        seed = played.seed()
        asked = self.asked(rules)
        settled = [reading for reading in asked if reading.settled_only]
        found: dict[str, dict[int, ReadingSums]] = settled_again(
            played.sets(COLUMNS),
            {one.detail: _settlements(one, rules) for one in settled},
            self.lengths,
            seed,
        )
        for reading in asked:
            if not reading.settled_only:
                blocks = paired(played.sets(COLUMNS), played.sets(COLUMNS, reading.detail))
                both = _settlements(reading, rules)
                found[reading.detail] = played_again(blocks, both, self.lengths, seed)
        effects: list[Estimate] = []
        for reading in asked:
            for length, sums in found[reading.detail].items():
                effects += _effects(sums, reading, length, level)
        yield from effects
        yield from adjusted([one for one in effects if one.measure in EFFECTS], level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of sets won by player 1, as for any run."""
        return None


def _settlements(reading: Reading, rules: RuleSet) -> tuple[Settlement, Settlement]:
    without, with_it = (side.match for side in reading.sides(rules))
    assert isinstance(without, Written)
    assert isinstance(with_it, Written)
    return without.settlement, with_it.settlement


# ---------------------------------------------------------------- sums


@dataclass(frozen=True, eq=False)
class ReadingSums:
    """Sums over pairs of matches that both came to an end, without the reading and with it; two add up."""

    products: NDArray[np.int64]
    """Sums over matches of products of the numbers `SUMMED`."""
    winners: NDArray[np.int64]
    """(2, 3): matches without the reading and with it by their winner: none, player 1, player 2."""

    def __add__(self, other: ReadingSums) -> ReadingSums:
        return ReadingSums(self.products + other.products, self.winners + other.winners)

    @property
    def n(self) -> int:
        """Matches counted."""
        return int(self.products[0, 0])


def _empty(lengths: Sequence[int]) -> dict[int, ReadingSums]:
    size = len(SUMMED)
    return {
        length: ReadingSums(np.zeros((size, size), dtype=np.int64), np.zeros((2, 3), dtype=np.int64))
        for length in lengths
    }


def settled_again(
    blocks: Iterable[Rows],
    readings: Mapping[str, tuple[Settlement, Settlement]],
    lengths: Sequence[int],
    seed: int,
) -> dict[str, dict[int, ReadingSums]]:
    """Settle the same set rows without each reading and with it; sums by reading and length.

    `seed` is that of the run, for the dice that decide a five. Blocks hold whole matches, columns `COLUMNS`.
    """
    found = {detail: _empty(lengths) for detail in readings}
    for block in blocks:
        for length in lengths:
            rows = _first_sets(block, length)
            known: dict[Settlement, Rows] = {}
            for detail, both in readings.items():
                for one in both:
                    if one not in known:
                        known[one] = _results(rows, one, length, seed)
                found[detail][length] += _pair_sums(known[both[0]], known[both[1]], alike=True)
    return found


def played_again(
    blocks: Iterable[tuple[Rows, Rows]],
    both: tuple[Settlement, Settlement],
    lengths: Sequence[int],
    seed: int,
) -> dict[int, ReadingSums]:
    """The same of two plays on the same dice; blocks as `simkit.analysis.question.paired` makes them."""
    found = _empty(lengths)
    for pair in blocks:
        for length in lengths:
            rows = [_first_sets(block, length) for block in pair]
            before, after = (
                _results(one, tariff, length, seed) for one, tariff in zip(rows, both, strict=True)
            )
            found[length] += _pair_sums(before, after, alike=_alike(*rows))
    return found


def _first_sets(sets: Rows, length: int) -> Rows:
    counted = sets["set_no"] <= length
    return {name: column[counted] for name, column in sets.items()}


def _results(rows: Rows, settlement: Settlement, length: int, seed: int) -> Rows:
    """Each match settled, with who threw first in it."""
    found = settle(rows, settlement, n_sets=length, seed=seed)
    return {**found, "first_player": rows["first_player"][match_starts(rows)]}


def _alike(before: Rows, after: Rows) -> NDArray[np.bool_]:
    """Of each match, whether its rows are the same in both plays; rows of the same matches."""
    starts = [match_starts(rows) for rows in (before, after)]
    sizes = [
        np.diff(at, append=rows["set_no"].size) for at, rows in zip(starts, (before, after), strict=True)
    ]
    alike: NDArray[np.bool_] = sizes[0] == sizes[1]
    kept = [np.repeat(alike, size) for size in sizes]
    same = np.ones(int(sizes[0][alike].sum()), dtype=bool)
    for name in COLUMNS:
        same &= before[name][kept[0]] == after[name][kept[1]]
    whole = np.flatnonzero(alike)
    if whole.size:
        first = np.concatenate(([0], np.cumsum(sizes[0][whole])[:-1]))
        alike[whole] = np.logical_and.reduceat(same, first)
    return alike


def _pair_sums(before: Rows, after: Rows, *, alike: bool | NDArray[np.bool_]) -> ReadingSums:
    """Sums over the matches that both sides settled; `alike` tells matches played alike."""
    whole = before["settled"] & after["settled"]
    a, b = ({name: column[whole] for name, column in rows.items()} for rows in (before, after))
    exact, money = ([rows[name].astype(np.int64) for rows in (a, b)] for name in ("exact", "money"))
    first_wins = [(rows["winner"] == rows["first_player"]).astype(np.int64) for rows in (a, b)]
    moved = (exact[0] != exact[1]) | (money[0] != money[1])
    columns = {
        "one": np.ones(moved.size, dtype=np.int64),
        "size_change": np.abs(exact[1]) - np.abs(exact[0]),
        "paid_change": np.abs(money[1]) - np.abs(money[0]),
        "first_wins_change": first_wins[1] - first_wins[0],
        "result_moves": np.abs(exact[1] - exact[0]),
        "paid_moves": np.abs(money[1] - money[0]),
        "winner_changes": a["winner"] != b["winner"],
        "payer_changes": np.sign(money[0]) != np.sign(money[1]),
        "payment_changes": money[0] != money[1],
        "anything_changes": moved | ~np.broadcast_to(alike, whole.shape)[whole],
        "size_before": np.abs(exact[0]),
    }
    table = np.stack([columns[name] for name in SUMMED]).astype(np.int64)
    winners = np.stack([np.bincount(rows["winner"], minlength=3) for rows in (a, b)]).astype(np.int64)
    return ReadingSums(table @ table.T, winners)


# ---------------------------------------------------------------- measures


def _effects(sums: ReadingSums, reading: Reading, length: int, level: float) -> Iterator[Estimate]:
    """The numbers of one reading at one length; differences are with it less without it.

    `result_moves`: how far the exact result moves, whichever way. `size_change`: how much larger it is, whoever
    wins; `size_change_share` of the mean size before. `paid_moves`, `paid_change`: the same of the money, rounded
    and with the general tail. `first_wins_change`: the chance of him who threw first in the match. Shares of
    matches: `winner_changes` (by the exact result, a draw being a third outcome), `payer_changes` (by the
    money), `payment_changes` (any other sum), `anything_changes` (in the play too). Of readings that change
    the play, `winner_changes_unrelated`: what the share would be if the two plays had nothing in common.
    """
    n, p = sums.n, sums.products

    def one(measure: str, unit: str, interval: intervals.Interval) -> Estimate:
        return Estimate(measure=measure, sets=length, detail=reading.detail, unit=unit, interval=interval)

    for measure, unit in MEANS.items():
        k = SUMMED.index(measure)
        found = intervals.mean(n, int(p[0, k]), int(p[k, k]), level)
        yield one(measure, unit, dataclasses.replace(found, method=f"paired {found.method}"))
    x, y = SUMMED.index("size_before"), SUMMED.index("size_change")
    found = intervals.ratio(n, int(p[0, x]), int(p[0, y]), int(p[x, x]), int(p[x, y]), int(p[y, y]), level)
    yield one("size_change_share", "share of the mean result", found)
    for measure in SHARES:
        found = intervals.proportion(int(p[0, SUMMED.index(measure)]), n, level)
        yield one(measure, MATCHES, found)
    if not reading.settled_only and n:
        shares = sums.winners / n
        unrelated = 1 - float(shares[0] @ shares[1])
        found = intervals.computed(unrelated, n, "from how often each player won in either play", level)
        yield one("winner_changes_unrelated", MATCHES, found)
