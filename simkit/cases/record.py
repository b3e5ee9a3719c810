"""The printed record: how many numbers of each treatise the engine finds again, and what is printed wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from simkit.cases import CaseResult, judge_document, read_file
from simkit.cases.reading import PrintedError
from simkit.errors import UsageError

HEAD = """\
# The printed record

The treatises print hundreds of numbers: how many rolls fill a jan, hit a man or conserve, what a roll scores,
tables of chances, games told roll by roll. Here each of them that can be stated exactly is counted again by the
engine, under the rules of [rules.md](rules.md). Positions, values and notes are those of the case files; this page
is written by `python -m simkit.cases`, and a test keeps it current.

*Judged* are the numbers that the engine can count; *as printed*, those it finds again. *Skipped* are those whose
position or question is told in words only. A few readings of the rules (where a man may rest, what is a way of
filling) were settled by what the treatises' own counts require: agreement is not wholly independent of them.
"""

GAMES = """
## Games told roll by roll

Every roll was scored and every play tried. Where the source claims to print all marks of a roll, the last two
columns tell how many such rolls there are, and how many of them are marked as the rules require.
"""

ERRORS = """\
## Where the print differs

Not all of these are the printer's: some are oversights of the author, some count by a rule of thumb, and some may
be slips of the edition that was read. The last column tells how sure the reading of the print is. The flèches of
the notes are numbered as in the books, the talon being 0.
"""

Table = list[Sequence[object]]


@dataclass
class Work:
    """What is counted of one treatise."""

    cases: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    errors: list[tuple[str, PrintedError]] = field(default_factory=list)


def printed_record(paths: Iterable[str | Path]) -> str:
    """Write `docs/printed_record.md`.

    Parameters
    ----------
    paths : iterable of str or Path
        Case files; what they hold of printed numbers and sequences of rolls is judged, other cases are left out.

    Returns
    -------
    str
        Markdown, ending in a newline.

    Raises
    ------
    UsageError
        A file cannot be read, or a number of it contradicts the engine: then there is nothing to record.
    """
    titles: dict[str, str] = {}
    works: dict[str, Work] = {}
    skipped: Counter[str] = Counter()
    for path in map(Path, paths):
        document = read_file(path)
        titles |= _titles(document)
        for case, result in judge_document(path, document, _no_rule_sets):
            if "published" in case or "rows" in case or "events" in case:
                if result.status == "failed":
                    raise UsageError(f"{path}: {result.id}: {result.reason}")
                source: Any = case.get("source")
                name = source.get("work") if isinstance(source, dict) else None
                _enter(works.setdefault(str(name), Work()), case, result)
                if result.status == "skipped":
                    skipped[result.reason] += 1
    return "\n".join(_lines(titles, works, skipped)) + "\n"


def _no_rule_sets(name: str) -> NoReturn:
    raise UsageError(f"no rule set is needed for a printed number, not {name}")


def _titles(document: Mapping[str, object]) -> dict[str, str]:
    """Titles of the works by their short names, without what the files say of places in them."""
    about = document.get("format")
    works = about.get("works") if isinstance(about, Mapping) else None
    return {
        name: str(title).split(" (where")[0]
        for name, title in (works.items() if isinstance(works, Mapping) else ())
    }


def _enter(work: Work, case: Mapping[str, Any], result: CaseResult) -> None:
    as_printed = result.status == "passed" and not result.printed_errors
    status = "as printed" if as_printed else result.status
    if "events" not in case:
        (work.rows if "rows" in case else work.cases)[status] += 1
    else:
        work.games["replayed" if result.status == "passed" else result.status] += 1
        if result.status == "passed":
            work.games["rolls"] += len(case["events"])
            work.games["told"] += sum(event["points_agree"] is not None for event in case["events"])
            work.games["as printed"] += sum(event["points_agree"] is True for event in case["events"])
    work.errors += [(result.id, error) for error in result.printed_errors]


def _lines(titles: Mapping[str, str], works: Mapping[str, Work], skipped: Counter[str]) -> Iterator[str]:
    yield HEAD
    yield "## Numbers\n"
    counts: Table = []
    for name, work in sorted(works.items()):
        for what, counted in (("numbers", work.cases), ("rows of tables", work.rows)):
            if counted:
                judged = counted["as printed"] + counted["passed"]
                counts.append(
                    (titles.get(name, name), what, judged, counted["as printed"], counted["skipped"])
                )
    total = [sum(int(str(row[column])) for row in counts) for column in (2, 3, 4)]
    yield from _table(("treatise", "", "judged", "as printed", "skipped"), [*counts, ("all", "", *total)])
    yield "Skipped:\n"
    yield from (f"- {number}: {reason}" for reason, number in sorted(skipped.items()))
    yield GAMES
    games: Table = [
        (
            titles.get(name, name),
            *(work.games[key] for key in ("replayed", "skipped", "rolls", "told", "as printed")),
        )
        for name, work in sorted(works.items())
        if work.games
    ]
    yield from _table(
        ("treatise", "replayed", "skipped", "rolls", "rolls with all marks", "as printed"), games
    )
    yield ERRORS
    for name, work in sorted(works.items()):
        if work.errors:
            yield f"### {titles.get(name, name)}\n"
            rows = [
                (error.where, f"`{id}`", error.what, *error.differing(), error.note, error.confidence)
                for id, error in work.errors
            ]
            yield from _table(
                ("where", "case", "what is counted", "printed", "right", "note", "reading"), rows
            )


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    rows = list(rows)
    numbers = [all(isinstance(row[column], int) for row in rows) for column in range(len(head))]
    yield "| " + " | ".join(head) + " |"
    yield "|" + "|".join("---:" if number else "---" for number in numbers) + "|"
    for row in rows:
        yield "| " + " | ".join(_plain(cell) for cell in row) + " |"
    yield ""


def _plain(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) else str(cell).replace("|", "\\|").replace("<", "&lt;")
