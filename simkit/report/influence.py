"""The influence of every ruling: what another reading of each field does, as one page of Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from simkit import catalogue
from simkit.analysis.conventions import Conventions
from simkit.analysis.words import count, number, span, within
from simkit.analysis.written_conventions import WrittenConventions
from simkit.batch import run_folder
from simkit.dataset import read_estimates
from simkit.experiment import design
from simkit.report.numbers import Estimate, Side, choose, sides

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import Experiment

HEAD = """\
# Influence

What another reading of each rule does, on the same dice: the numbers that [rulings.md](rulings.md) refers to.
This page is written by `python -m simkit.report --influence results docs/influence.md` from the estimates in
`results/`; a test writes it anew.

Each field is changed alone. Differences are with the reading less without it, means over matches with their
intervals of 95 %; n are the matches compared. After a reading that changes the play two matches soon have little
in common, and every second has another winner: there the length, the holes or the size of the result tell
something. The players do not know that a rule has changed. Of so many numbers some intervals miss by chance; the
reports of the experiments say what stands out of all of them.
"""
LENGTH = 8
"""Sets of the match that the written game is told of."""


def influence(results: Path) -> str:
    """The page, from the estimates below `results` of every experiment that flips fields."""
    flipped = (line for one in _experiments() for line in _section(one, results))
    return "\n".join([HEAD, *flipped, *_tables_section(results)])


def measured() -> dict[str, set[str]]:
    """The fields that are flipped, by the heading under which the page tells of them."""
    found: dict[str, set[str]] = {}
    for one in _experiments():
        found[HEADINGS[type(one.analysis)]] = {field for rules in one.rules for field in _fields(one, rules)}
    return found | {TABLES_HEADING: {one.field for told in OF_TABLES.values() for one in told.readings}}


HEADINGS: Mapping[type, str] = {
    Conventions: "Rules of the game",
    WrittenConventions: "Rules of the written game",
}
COLUMNS: Mapping[type, Mapping[str, str]] = {
    Conventions: {
        "rolls of a partie": "rolls_change",
        "holes of the loser": "loser_holes_change",
        "first thrower wins": "first_wins_change",
        "another winner": "winner_changes",
    },
    WrittenConventions: {
        "size of the result": "size_change",
        "first thrower wins": "first_wins_change",
        "another winner": "winner_changes",
        "another payer": "payer_changes",
    },
}


@dataclass(frozen=True)
class Reading:
    """A field with a reading of it, and the detail by which the estimates name that."""

    field: str
    reading: str
    detail: str | None = None


@dataclass(frozen=True)
class Question:
    """What a question of toutes tables tells of fields: of what, measures by heading, and the readings.

    `less`: the changes are those of the rule set's own reading less the other, and are turned round.
    """

    of: str
    columns: Mapping[str, str]
    readings: tuple[Reading, ...]
    less: bool = False


TABLES_HEADING = "Rules of toutes tables"
OF_TABLES: Mapping[str, Question] = {
    "bearing_off_rule": Question(
        of="single games",
        columns={
            "rolls of a game": "rolls_change",
            "games that count double": "doubled_change",
            "first player wins": "first_wins_change",
            "another winner": "winner_changes",
        },
        readings=(Reading("move_rule", "max_dice"),),
        less=True,
    ),
    "double_readings": Question(
        of="matches to 3 points",
        columns={"games of a match": "games_change", "another winner": "winner_changes"},
        readings=(
            Reading("double_condition", "off0", "3, off0"),
            Reading("double_condition", "off0_or_not_all_home", "3, off0_or_not_all_home"),
        ),
    ),
    "pairing": Question(
        of="matches to 3 points; no differences, but what each reading has",
        columns={"who throws first wins the match": "match_first_wins"},
        readings=(
            Reading("second_game_opening", "fresh_throw", "fresh_throw"),
            Reading("second_game_opening", "non_double", "non_double"),
            Reading("second_game_opening", "same_roll_as_first", "same_roll_as_first"),
            Reading("match_end_mid_pair", "false", "whole pairs"),
        ),
    ),
}
"""By experiment, each of one rule set."""


def _experiments() -> Iterator[Experiment]:
    """Those of the catalogue that flip fields, the game first."""
    known = [catalogue.experiment(name) for name in catalogue.names().experiments]
    for question in HEADINGS:
        yield from (one for one in known if isinstance(one.analysis, question))


def _readings(experiment: Experiment, rules: str) -> list[str]:
    """What is put in the place of the rule set's own readings, as the estimates name it."""
    question, found = experiment.analysis, catalogue.rule_set(rules)
    if isinstance(question, Conventions):
        return list(question.changes(found))
    assert isinstance(question, WrittenConventions)
    return [reading.detail for reading in question.asked(found)]


def _fields(experiment: Experiment, rules: str) -> Iterator[str]:
    """The fields that are flipped, without the part of a field."""
    for detail in _readings(experiment, rules):
        for change in detail.split(", "):
            name, told, _ = change.partition("=")
            if told:
                yield name.partition(".")[0]


def _section(experiment: Experiment, results: Path) -> Iterator[str]:
    question = type(experiment.analysis)
    yield f"## {HEADINGS[question]}\n"
    folder = run_folder(design(experiment).plays, root=results, name=experiment.name)
    if not (folder / "estimates.parquet").exists():
        yield f"No results are stored of `simkit run {experiment.name}`.\n"
        return
    of = f", matches of {LENGTH} sets" if question is WrittenConventions else ""
    yield f"`simkit run {experiment.name}`, seed {experiment.seed}{of}.\n"
    yield f"| field: reading | players | n | {' | '.join(COLUMNS[question])} |"
    yield f"|---|---|---|{'---|' * len(COLUMNS[question])}"
    stored = read_estimates(folder)
    rule_sets = [catalogue.rule_set(name) for name in experiment.rules]
    shown = sides(rule_sets, stored)
    for rules in experiment.rules:
        here = [side for side in shown if side.rules == rules]
        for detail in _readings(experiment, rules):
            yield from (_row(experiment, stored, side, detail) for side in here)
    yield ""


def _tables_section(results: Path) -> Iterator[str]:
    yield f"## {TABLES_HEADING}\n"
    for name, asked in OF_TABLES.items():
        experiment = catalogue.experiment(name)
        folder = run_folder(design(experiment).plays, root=results, name=name)
        if not (folder / "estimates.parquet").exists():
            yield f"No results are stored of `simkit run {name}`.\n"
            continue
        yield f"`simkit run {name}`, seed {experiment.seed}, {asked.of}.\n"
        yield f"| field: reading | players | n | {' | '.join(asked.columns)} |"
        yield f"|---|---|---|{'---|' * len(asked.columns)}"
        stored = read_estimates(folder)
        for one in asked.readings:
            for side in sides([catalogue.rule_set(name) for name in experiment.rules], stored):
                yield _tables_row(stored, side, asked, one)
        yield ""


def _tables_row(stored: pd.DataFrame, side: Side, asked: Question, reading: Reading) -> str:
    measures = tuple(asked.columns.values())
    found = [_told(stored, measure, side, reading.detail) for measure in measures]
    if asked.less:
        found = [
            one and (_turned(one) if measure.endswith("_change") else one)
            for one, measure in zip(found, measures, strict=True)
        ]
    cells = [_cell(one, measure) for one, measure in zip(found, measures, strict=True)]
    n = count(found[0].n) if found[0] else ""
    pair = f"{side.player_1} against {side.player_2}"
    return f"| `{reading.field}`: {reading.reading} | {pair} | {n} | {' | '.join(cells)} |"


def _turned(one: Estimate) -> Estimate:
    """A difference taken the other way round."""
    return replace(one, mean=-one.mean, low=-one.high, high=-one.low)


def _row(experiment: Experiment, stored: pd.DataFrame, side: Side, detail: str) -> str:
    columns = COLUMNS[type(experiment.analysis)]
    found = [_told(stored, measure, side, detail) for measure in columns.values()]
    cells = [_cell(one, measure) for one, measure in zip(found, columns.values(), strict=True)]
    n = count(found[0].n) if found[0] else ""
    several = len(experiment.rules) > 1
    pair = f"{side.player_1} against {side.player_2}{f', {side.rules}' if several else ''}"
    return f"| `{detail.replace('=', '`: ', 1)} | {pair} | {n} | {' | '.join(cells)} |"


def _told(stored: pd.DataFrame, measure: str, side: Side, detail: str | None) -> Estimate | None:
    found = [one for one in choose(stored, measure, side, detail=detail) if one.sets in (0, LENGTH)]
    return found[0] if found else None


def _cell(one: Estimate | None, measure: str) -> str:
    """`+5.13 (3.2 to 7.1)`; `0` where no match differs."""
    if one is None:
        return ""
    sign = "+" if measure.endswith("_change") and one.mean > 0 else ""
    if one.low != one.low:
        return "0" if one.mean == 0 else f"{sign}{number(one.mean, one.unit)}"
    return f"{sign}{within(one.mean, one.low, one.high, one.unit)} ({span(one.mean, one.low, one.high, one.unit)})"
