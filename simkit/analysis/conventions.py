"""What each rule of the game does: the field changed alone, on the same dice, against the rule set as it stands.

Match m of two plays meets the same dice, place by place, until the rule makes them play apart; so what is
compared is match against match.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.multiplicity import holm, two_sided
from simkit.analysis.question import MAIN, Needed, Played, Rows, paired
from simkit.dataset import ENDED_BY
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import RuleSet, TwelveHoles, apply_all, field_info, replace, rule_words
from simkit.rules.base import enum_in, type_hints

COLUMNS = ("match_id", "first_player", "winner", "ended_by", "holes_1", "holes_2", "rolls", "settings")
PARTIES = "share of parties"

EFFECTS = ("rolls_change", "loser_holes_change", "first_wins_change")
"""Mean differences that are tested; the whole of them, over all fields, is one family."""
SUMMED = ("one", *EFFECTS, "winner_changes", "anything_changes", "rolls_before")


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """Every field of a game flipped alone: to each other reading of an enum, to the other truth value."""

    also: tuple[Mapping[str, Any], ...] = ()
    """Further changes by path, as `simkit.rules.apply_all` takes them: numbers that a source gives, and
    readings that need another field beside them; the first path is the field that is named."""
    without: tuple[str, ...] = ()
    """Fields that are left as they are, because no partie depends on them."""

    by_settlement: ClassVar[bool] = False
    by_players: ClassVar[tuple[str, ...]] = ()
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        if any(not change for change in self.also):
            yield "also: a change of nothing"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Flipped", "every truth value and every other reading of the game, one at a time"
        for change in self.also:
            yield "", ", ".join(f"{path} {rule_words(value)}" for path, value in change.items())
        if self.without:
            yield "Left out", ", ".join(self.without)

    def changes(self, rules: RuleSet) -> dict[str, Mapping[str, Any]]:
        """What is changed, by `field=value`, in the order of the fields; `also` in the place of its field."""
        found: dict[str, Mapping[str, Any]] = {}
        firsts = [(next(iter(change)), change) for change in self.also]
        for field in field_info(type(rules.game)):
            path, now = f"game.{field.name}", getattr(rules.game, field.name)
            if field.name in self.without:
                continue
            ours = [(first, change) for first, change in firsts if f"{first}.".startswith(f"{path}.")]
            for first, change in ours:
                found[f"{first.removeprefix('game.')}={rule_words(change[first])}"] = change
            if ours and not isinstance(now, bool):
                continue
            for value in _others(type_hints(type(rules.game))[field.name], now):
                found[f"{field.name}={rule_words(value)}"] = {path: value}
        return found

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The rule set as it stands, and one play for each change."""
        if not isinstance(rules.match, TwelveHoles) or rules.match.parties > 1:
            raise ConfigError(f"{rules.name} is not a single partie in twelve holes")
        needed = {MAIN: Needed(rules=rules)}
        for detail, change in self.changes(rules).items():
            name = f"{rules.name}_{re.sub('[^a-z0-9]+', '_', detail)}"
            needed[detail] = Needed(rules=replace(apply_all(rules, change), name=name))
        return needed

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """What each change does to length, holes and winner, and which of it stands out of all of it."""
        found: list[Estimate] = []
        for detail in self.changes(rules):
            blocks = paired(played.sets(COLUMNS), played.sets(COLUMNS, detail))
            found += _effects(change_sums(blocks), detail, level)
        yield from found
        yield from adjusted([one for one in found if one.measure in EFFECTS], level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of parties won by player 1, as for any run."""
        return None


def _others(hint: Any, now: Any) -> list[Any]:
    """The values a field may take instead of the one it has: of an enum all others, of a truth value the other."""
    if isinstance(now, bool):
        return [not now]
    enum = enum_in(hint)
    return [value for value in enum if value is not now] if enum else []


# ---------------------------------------------------------------- sums


@dataclass(frozen=True, eq=False)
class ChangeSums:
    """Sums over pairs of parties on the same dice, both played to their end; two of them add up."""

    products: NDArray[np.int64]
    """Sums over matches of products of the numbers `SUMMED`."""
    pairs: int
    """All pairs, cut ones among them."""
    capped: int
    """Parties cut under the changed rules."""

    def __add__(self, other: ChangeSums) -> ChangeSums:
        return ChangeSums(
            self.products + other.products, self.pairs + other.pairs, self.capped + other.capped
        )

    @property
    def n(self) -> int:
        """Pairs counted."""
        return int(self.products[0, 0])


def change_sums(blocks: Iterable[tuple[Rows, Rows]]) -> ChangeSums:
    """Sum up what a change did; pairs of rows before and after it, columns `COLUMNS`."""
    size = len(SUMMED)
    total = ChangeSums(np.zeros((size, size), dtype=np.int64), 0, 0)
    for before, after in blocks:
        total = total + _block_sums(before, after)
    return total


def _block_sums(before: Rows, after: Rows) -> ChangeSums:
    cut = ENDED_BY.index("capped")
    whole = (before["ended_by"] != cut) & (after["ended_by"] != cut)
    a, b = ({name: column[whole] for name, column in rows.items()} for rows in (before, after))
    alike = np.all([a[name] == b[name] for name in COLUMNS], axis=0)
    first_wins = [(rows["winner"] == rows["first_player"]).astype(np.int64) for rows in (a, b)]
    loser = [np.minimum(rows["holes_1"], rows["holes_2"]).astype(np.int64) for rows in (a, b)]
    columns = {
        "one": np.ones(alike.size),
        "rolls_change": b["rolls"].astype(np.int64) - a["rolls"],
        "loser_holes_change": loser[1] - loser[0],
        "first_wins_change": first_wins[1] - first_wins[0],
        "winner_changes": a["winner"] != b["winner"],
        "anything_changes": ~alike,
        "rolls_before": a["rolls"],
    }
    table = np.stack([columns[name] for name in SUMMED]).astype(np.int64)
    return ChangeSums(table @ table.T, whole.size, int((after["ended_by"] == cut).sum()))


# ---------------------------------------------------------------- measures


def _effects(sums: ChangeSums, detail: str, level: float) -> Iterator[Estimate]:
    """The numbers of one change; differences are after it less before it.

    `rolls_change`, `loser_holes_change`, `first_wins_change` (the first thrower's chance); `rolls_change_share`
    of the rolls before; `winner_changes` and `anything_changes`, shares of parties; `capped`.
    """
    units = {
        "rolls_change": "rolls per partie",
        "loser_holes_change": "holes of the loser",
        "first_wins_change": PARTIES,
    }
    for measure, unit in units.items():
        k = SUMMED.index(measure)
        found = intervals.mean(sums.n, int(sums.products[0, k]), int(sums.products[k, k]), level)
        method = f"paired {found.method}"
        yield Estimate(
            measure=measure, detail=detail, unit=unit, interval=dataclasses.replace(found, method=method)
        )
    x, y, p = SUMMED.index("rolls_before"), SUMMED.index("rolls_change"), sums.products
    share = intervals.ratio(
        sums.n, int(p[0, x]), int(p[0, y]), int(p[x, x]), int(p[x, y]), int(p[y, y]), level
    )
    yield Estimate(measure="rolls_change_share", detail=detail, unit="share of rolls", interval=share)
    for measure in ("winner_changes", "anything_changes"):
        share = intervals.proportion(int(p[0, SUMMED.index(measure)]), sums.n, level)
        yield Estimate(measure=measure, detail=detail, unit=PARTIES, interval=share)
    cut = intervals.proportion(sums.capped, sums.pairs, level)
    yield Estimate(measure="capped", detail=detail, unit=PARTIES, interval=cut)


def adjusted(effects: Sequence[Estimate], level: float) -> Iterator[Estimate]:
    """`<measure>_p`: Holm's adjusted probabilities of differences as large by chance, over the whole family.

    One that is below 1 less `level` stands out although so many were looked at (Holm 1979). Where nothing
    varied there is no difference, and the probability is 1.
    """
    found = [one.interval for one in effects]
    chance = [two_sided(one.mean, one.se, one.n - 1) for one in found]
    for one, p in zip(effects, holm(chance), strict=True):
        interval = intervals.computed(
            float(p), one.interval.n, "by Holm's adjustment of Student's test", level
        )
        yield dataclasses.replace(
            one, measure=f"{one.measure}_p", unit="adjusted probability", interval=interval
        )
