"""How estimates are chosen and printed: rows of a frame in, words and exact values out."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from simkit.analysis import words
from simkit.analysis.intervals import NOTHING_VARIED
from simkit.rules import RuleSet, Written

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Estimate:
    """One number of the `estimates` table with its interval."""

    sets: int
    """Length of the match; 0 where it has none."""
    mean: float
    low: float
    high: float
    n: int
    unit: str
    method: str
    detail: str = ""

    @property
    def exact(self) -> bool:
        """Whether the number was computed, and has no interval of its own."""
        return self.method.startswith(("exact", "computed"))


@dataclass(frozen=True)
class Cell:
    """One cell of a printed table: what is read, and the value behind it."""

    text: str
    note: str = ""
    value: float | None = None
    n: int = 0
    """Of how many independent units it is an estimate; 0 where it is none."""
    method: str = ""
    """How its interval was made."""


MOST_TOLD, LONGEST_TOLD = 4, 200
"""Numbers and methods named beneath a table at most, and letters of the former."""


@dataclass(frozen=True)
class Table:
    """A table as printed: the first cell of each row is its heading."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""

    @property
    def foot(self) -> str:
        """What the numbers rest on and how their intervals were made: `n 4 320; Wilson`; empty without any."""
        told = [cell for row in self.rows for cell in row if cell.n]
        if not told:
            return ""
        methods = list(dict.fromkeys(cell.method for cell in told if cell.method))
        shown = "; ".join(methods) if len(methods) <= MOST_TOLD else f"{len(methods)} methods, see Design"
        return "; ".join(filter(None, (f"n {self._behind()}", shown)))

    def _behind(self) -> str:
        """The n of all numbers: one, or one for each column or row, or the least and the most."""
        every = sorted({cell.n for row in self.rows for cell in row if cell.n})
        if len(every) == 1:
            return words.count(every[0])
        for heads, lines in (
            (self.columns, list(zip(*self.rows, strict=False))),
            (tuple(row[0].text for row in self.rows), list(self.rows)),
        ):
            found = [{cell.n for cell in line if cell.n} for line in lines]
            if len(every) <= MOST_TOLD and all(len(one) <= 1 for one in found):
                by_n = {n: [head for head, one in zip(heads, found, strict=False) if n in one] for n in every}
                told = ", ".join(f"{words.count(n)} ({', '.join(some)})" for n, some in by_n.items())
                if len(told) <= LONGEST_TOLD:
                    return told
        return f"{words.count(every[0])} to {words.count(every[-1])}"


@dataclass(frozen=True)
class Side:
    """A rule set with its own settlement, and the two who play it."""

    rules: str
    player_1: str
    player_2: str
    label: str
    """`greedy against greedy`, and the rule set where there are several."""
    tail_of_sets: int | None = None
    """Of a written match, as `tokens_per_set`; None for single parties."""
    tokens_per_set: int | None = None
    round_unit: int | None = None
    """To what the result is rounded, in points; None where it is not."""


WORDS = ("measure", "rules", "player_1", "player_2", "contrast", "detail", "unit", "method")


def quick(estimates: pd.DataFrame) -> pd.DataFrame:
    """The same table with its words as categories, by which rows are chosen many times faster."""
    return estimates.astype(dict.fromkeys(WORDS, "category"))


def sides(rule_sets: Sequence[RuleSet], estimates: pd.DataFrame) -> list[Side]:
    """Every rule set and pair of players in the estimates, in their order.

    Parameters
    ----------
    rule_sets : sequence of RuleSet
        Those the estimates name.
    estimates : pandas.DataFrame
        The table of a run, one row per number.
    """
    own = {rules.name: rules.match.settlement for rules in rule_sets if isinstance(rules.match, Written)}
    keys = estimates[["rules", "player_1", "player_2"]].drop_duplicates()
    found = []
    for rules, one, two in keys.itertuples(index=False, name=None):
        label = f"{one} against {two}" + (f", {rules}" if len(rule_sets) > 1 else "")
        side = Side(rules=rules, player_1=one, player_2=two, label=label)
        if rules in own:
            side = replace(
                side,
                tail_of_sets=own[rules].tail_of_sets,
                tokens_per_set=own[rules].tokens_per_set,
                round_unit=own[rules].round_unit,
            )
        found.append(side)
    return found


def choose(
    estimates: pd.DataFrame,
    measure: str,
    side: Side,
    *,
    tail_of_sets: int | None = None,
    tokens_per_set: int | None = None,
    detail: str | None = None,
) -> list[Estimate]:
    """Estimates of a measure, by number of sets and in their order.

    Parameters
    ----------
    estimates : pandas.DataFrame
        The table of a run.
    measure : str
        Value of the column `measure`.
    side : Side
        Rule set and players.
    tail_of_sets, tokens_per_set : int, optional
        The settlement wanted; by default the rule set's own. It does not matter to measures without one.
    detail : str, optional
        Value of the column `detail`; all of them if not given.

    Returns
    -------
    list of Estimate
        Empty when the run did not ask for the measure.
    """
    settled = (
        side.tail_of_sets if tail_of_sets is None else tail_of_sets,
        side.tokens_per_set if tokens_per_set is None else tokens_per_set,
    )
    rows = _indexed(estimates).get((measure, side.rules, side.player_1, side.player_2), ())
    return [row.estimate for row in rows if row.fits(settled, detail)]


@dataclass(frozen=True)
class _Row:
    """An estimate, with the settlement it was made under: empty where that plays no part."""

    estimate: Estimate
    settled: tuple[float | None, float | None]

    def fits(self, settled: tuple[int | None, int | None], detail: str | None) -> bool:
        """Whether it is under this settlement, and of this detail; None for any."""
        own = zip(self.settled, settled, strict=True)
        return (detail is None or (detail == self.estimate.detail != "")) and all(
            wanted is None or here is None or here == wanted for here, wanted in own
        )


_Rows: TypeAlias = Mapping[tuple[str, str, str, str], Sequence[_Row]]
_KNOWN: Final[dict[int, tuple[weakref.ref[Any], _Rows]]] = {}
"""The rows of tables that are in use, by the place of a table in memory."""


def _indexed(estimates: pd.DataFrame) -> _Rows:
    """Rows by measure, rules and players, by number of sets; read once from a table, which then stays as it is."""
    key = id(estimates)
    known = _KNOWN.get(key)
    if known is not None and known[0]() is estimates:
        return known[1]
    columns = ("measure", "rules", "player_1", "player_2", "sets", "tail_of_sets", "tokens_per_set")
    numbers = ("mean", "low", "high", "n", "unit", "method", "detail")
    ordered = estimates.sort_values("sets", kind="stable")
    found: dict[tuple[str, str, str, str], list[_Row]] = {}
    for row in zip(*(ordered[name].tolist() for name in (*columns, *numbers)), strict=True):
        measure, rules, one, two, sets, tail, tokens, mean, low, high, n, unit, method, detail = row
        estimate = Estimate(
            0 if is_empty(sets) else int(sets),
            float(mean),
            float(low),
            float(high),
            int(n),
            str(unit),
            str(method),
            "" if is_empty(detail) else str(detail),
        )
        settled = (None if is_empty(tail) else tail, None if is_empty(tokens) else tokens)
        found.setdefault((measure, rules, one, two), []).append(_Row(estimate, settled))
    _KNOWN[key] = weakref.ref(estimates, lambda _: _KNOWN.pop(key, None)), found
    return found


def single(estimates: pd.DataFrame, measure: str, side: Side, detail: str | None = None) -> Estimate | None:
    """The one estimate of a measure, and of a detail where it has several; None if there is none."""
    found = choose(estimates, measure, side, detail=detail)
    return found[0] if found else None


def printed_or_empty(estimate: Estimate | None) -> Cell:
    """As `printed`; an empty cell for what was not estimated."""
    return printed(estimate) if estimate else Cell("")


def is_empty(value: object) -> bool:
    """Whether a cell of a frame is empty."""
    import pandas as pd

    return value is None or value is pd.NA or value != value


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
    text = words.within(e.mean, e.low, e.high, e.unit)
    return Cell(text, note, None if math.isnan(e.mean) else e.mean, e.n, e.method)


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


def capital(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]
