"""How estimates are chosen and printed: rows of a frame in, words and exact values out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simkit.analysis import words
from simkit.analysis.intervals import NOTHING_VARIED
from simkit.rules import RuleSet, Written

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Estimate:
    """One number of the `estimates` table with its interval."""

    sets: int
    mean: float
    low: float
    high: float
    n: int
    unit: str
    method: str

    @property
    def exact(self) -> bool:
        """Whether the number was enumerated and not sampled."""
        return self.method.startswith("exact")


@dataclass(frozen=True)
class Cell:
    """One cell of a printed table: what is read, and the value behind it."""

    text: str
    note: str = ""
    value: float | None = None


@dataclass(frozen=True)
class Table:
    """A table as printed: the first cell of each row is its heading."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class Side:
    """A rule set with its own settlement, and the two who play it."""

    rules: str
    player_1: str
    player_2: str
    tail_of_sets: int
    tokens_per_set: int
    round_unit: int | None
    """To what the result is rounded, in points; None where it is not."""
    label: str
    """`greedy against greedy`, and the rule set where there are several."""


def sides(rule_sets: Sequence[RuleSet], estimates: pd.DataFrame) -> list[Side]:
    """Every rule set and pair of players in the estimates, in their order.

    Parameters
    ----------
    rule_sets : sequence of RuleSet
        Written matches; those the estimates name.
    estimates : pandas.DataFrame
        The table of a run, one row per number.
    """
    own = {rules.name: rules.match.settlement for rules in rule_sets if isinstance(rules.match, Written)}
    keys = estimates[["rules", "player_1", "player_2"]].drop_duplicates()
    found = []
    for rules, one, two in keys.itertuples(index=False, name=None):
        label = f"{one} against {two}" + (f", {rules}" if len(own) > 1 else "")
        settled = own[rules]
        found.append(
            Side(
                rules=rules,
                player_1=one,
                player_2=two,
                tail_of_sets=settled.tail_of_sets,
                tokens_per_set=settled.tokens_per_set,
                round_unit=settled.round_unit,
                label=label,
            )
        )
    return found


def choose(
    estimates: pd.DataFrame,
    measure: str,
    side: Side,
    *,
    tail_of_sets: int | None = None,
    tokens_per_set: int | None = None,
) -> list[Estimate]:
    """Estimates of a measure, by number of sets.

    Parameters
    ----------
    estimates : pandas.DataFrame
        The table of a run.
    measure : str
        Value of the column `measure`.
    side : Side
        Rule set and players.
    tail_of_sets, tokens_per_set : int, optional
        The settlement wanted; by default the rule set's own.

    Returns
    -------
    list of Estimate
        Ordered by number of sets; empty when the run did not ask for the measure.
    """
    wanted = {
        "measure": measure,
        "rules": side.rules,
        "player_1": side.player_1,
        "player_2": side.player_2,
        "tail_of_sets": side.tail_of_sets if tail_of_sets is None else tail_of_sets,
        "tokens_per_set": side.tokens_per_set if tokens_per_set is None else tokens_per_set,
    }
    chosen = estimates
    for column, value in wanted.items():
        chosen = chosen.loc[chosen[column] == value]
    chosen = chosen.sort_values("sets", kind="stable")
    columns = [chosen[name] for name in ("sets", "mean", "low", "high", "n", "unit", "method")]
    return [
        Estimate(int(k), float(mean), float(low), float(high), int(n), str(unit), str(method))
        for k, mean, low, high, n, unit, method in zip(*columns, strict=True)
    ]


def printed(estimate: Estimate) -> Cell:
    """A share as `12.3 %`, anything else as it is, with its interval; the exact value stands behind."""
    e = estimate
    if math.isnan(e.mean):
        note = ""
    elif e.exact:
        note = "computed"
    elif math.isnan(e.low):
        note = NOTHING_VARIED if e.method.endswith(NOTHING_VARIED) else "no interval"
    else:
        note = words.span(e.mean, e.low, e.high, e.unit)
    return Cell(words.number(e.mean, e.unit), note, None if math.isnan(e.mean) else e.mean)


def by_sets(columns: dict[str, list[Estimate]], caption: str = "") -> Table:
    """One row per number of sets, one column per series, each number with its interval.

    Parameters
    ----------
    columns : dict of str to list of Estimate
        Series by heading; a number of sets that a series lacks leaves its cell empty.
    """
    lengths = sorted({e.sets for series in columns.values() for e in series})
    found = {name: {e.sets: e for e in series} for name, series in columns.items()}

    def row(length: int) -> Iterator[Cell]:
        yield Cell(str(length))
        for series in found.values():
            estimate = series.get(length)
            yield printed(estimate) if estimate else Cell("")

    return Table(("sets", *columns), tuple(tuple(row(length)) for length in lengths), caption)
