"""Pages that tell of several rule sets for each pair of players: their order, their tables, their frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.words import number, with_span
from simkit.report.figures import Figure
from simkit.report.numbers import Cell, Estimate, Side, Table, printed_or_empty, sides, single
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

Pairs = Mapping[str, Sequence[Side]]
"""The rule sets of each pair of players."""


def answer_by_pair(
    result: ExperimentResult,
    *,
    summary: Callable[[pd.DataFrame, Side], str],
    details: Callable[[ExperimentResult, Pairs], Iterator[tuple[str, str]]],
    overview: Callable[[pd.DataFrame, str, Sequence[Side]], Table],
    figures: Callable[[ExperimentResult, Pairs], Iterator[Figure]],
    sections: Callable[[pd.DataFrame, Pairs], Iterator[Section]],
    design: Callable[[ExperimentResult], Iterator[tuple[str, str]]],
    limits: tuple[str, ...],
) -> Answer:
    """A page with a summary by the first rule set and pair, and a table of the rule sets for every pair."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    pairs = by_pair(shown)
    return Answer(
        summary=summary(estimates, shown[0]),
        details=tuple(details(result, pairs)),
        words_title="By rule set and pair of players",
        tables=tuple(overview(estimates, pair, here) for pair, here in pairs.items()),
        figures=tuple(figures(result, pairs)),
        sections=tuple(sections(estimates, pairs)),
        design=tuple(design(result)),
        limits=limits,
    )


def by_pair(shown: Iterable[Side]) -> dict[str, list[Side]]:
    """The rule sets of each pair of players, in their order."""
    found: dict[str, list[Side]] = {}
    for side in shown:
        found.setdefault(f"{side.player_1} against {side.player_2}", []).append(side)
    return found


def by_detail(
    frame: pd.DataFrame,
    measure: str,
    columns: Mapping[str, Side],
    details: Mapping[str, str],
    caption: str = "",
) -> Table:
    """A measure with several details: one row each, one column for each side."""
    rows = tuple(
        (
            Cell(words),
            *(printed_or_empty(single(frame, measure, side, detail)) for side in columns.values()),
        )
        for detail, words in details.items()
        if any(single(frame, measure, side, detail) for side in columns.values())
    )
    return Table(("", *columns), rows, caption)


def by_measure(
    frame: pd.DataFrame, columns: Mapping[str, Side], measures: Mapping[str, str], caption: str = ""
) -> Table:
    """Several measures: one row each, one column for each side."""
    rows = tuple(
        (Cell(words), *(printed_or_empty(single(frame, measure, side)) for side in columns.values()))
        for measure, words in measures.items()
        if any(single(frame, measure, side) for side in columns.values())
    )
    return Table(("", *columns), rows, caption)


def interval_words(e: Estimate) -> str:
    """`52.7 % (50.6 to 54.9 %)`."""
    if math.isnan(e.low):
        return number(e.mean, e.unit)
    return with_span(e.mean, e.low, e.high, e.unit)
