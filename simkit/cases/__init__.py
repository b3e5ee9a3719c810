"""Worked examples: read case files, judge each case with the engine itself, and say what was not understood.

Four kinds of file are read: examples about the board and about a match, numbers printed in the treatises, and
sequences of rolls printed move by move.

A case passes only if every key of it was read and every expected value was found. A case that names a rule, a
kind or a key this version does not know is skipped, with the reason; a case that contradicts itself fails, and so
does one whose id stands in the file before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

from simkit.cases import base, combine, games, match, pools, tables, treatise, turns
from simkit.cases.reading import (
    LISTS,
    Check,
    Fields,
    MalformedError,
    NotUnderstoodError,
    PrintedError,
    read_file,
    same,
    shown,
)
from simkit.cases.rule_sets import Presets, lay_all, of_match_case, twelve_holes
from simkit.errors import ConfigError, UsageError
from simkit.rules import Combine, RuleSet

__all__ = ["CaseReport", "CaseResult", "cases_of", "judge", "judge_files", "read_file", "same"]

PROSE: Final = ("title", "tags", "source", "provenance", "notes", "stated_by_source", "confidence", "figure")
"""Keys that say where a case comes from, not what the rules are."""


@dataclass(frozen=True)
class CaseResult:
    """The verdict on one case; `expected` and `found` map each compared place to its value.

    `printed_errors` tells where the case agrees with the rules and the treatise it is taken from does not.
    """

    id: str
    status: Literal["passed", "failed", "skipped"]
    expected: Mapping[str, object] = field(default_factory=dict)
    found: Mapping[str, object] = field(default_factory=dict)
    reason: str = ""
    printed_errors: tuple[PrintedError, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Give the result as `simkit cases --json` prints it."""
        return {
            "id": self.id,
            "status": self.status,
            "expected": dict(self.expected),
            "found": dict(self.found),
            "reason": self.reason,
            "printed_errors": [vars(error) for error in self.printed_errors],
        }


@dataclass(frozen=True)
class CaseReport:
    """The verdicts on all cases of some files, in their order; remarks on the files change no verdict."""

    results: tuple[CaseResult, ...]
    remarks: tuple[str, ...] = ()

    def count(self, status: str) -> int:
        """Count the cases of one status."""
        return sum(result.status == status for result in self.results)

    @property
    def printed_errors(self) -> int:
        """Count what the sources print wrongly."""
        return sum(len(result.printed_errors) for result in self.results)

    def as_json(self) -> dict[str, object]:
        """Give the report as `simkit cases --json` prints it."""
        return {
            "passed": self.count("passed"),
            "failed": self.count("failed"),
            "skipped": self.count("skipped"),
            "results": [result.as_json() for result in self.results],
        }


def judge_files(paths: Iterable[str | Path], presets: Presets) -> CaseReport:
    """Judge every case of some files.

    Parameters
    ----------
    paths : iterable of str or Path
        Case files; all of them are read before the first case is judged.
    presets : callable
        Looks up a rule set by its name in the catalogue.

    Returns
    -------
    CaseReport
        One result per case, in the order of the files.

    Raises
    ------
    UsageError
        A file cannot be read or does not hold cases.
    """
    documents = [(Path(path), read_file(path)) for path in paths]
    results = [
        result for path, document in documents for _, result in judge_document(path, document, presets)
    ]
    remarks = [remark for path, document in documents for remark in _wrong_counts(path, document)]
    return CaseReport(tuple(results), tuple(remarks))


def _wrong_counts(path: Path, document: Mapping[str, Any]) -> Iterator[str]:
    """Say where a file names another number of cases than it holds."""
    held = [len(document[key]) for key in LISTS if key in document]
    for name in ("meta", "format", None):
        about = document if name is None else document.get(name)
        if isinstance(about, Mapping) and "count" in about and about["count"] not in (sum(held), held[0]):
            place = f"{name}.count" if name else "count"
            yield f"{path}: {place} is {shown(about['count'])}, and the file holds {sum(held)}"


def judge_document(
    path: Path, document: Mapping[str, object], presets: Presets
) -> Iterator[tuple[Mapping[str, object], CaseResult]]:
    """Judge everything in one document; yield each case, row and game with its verdict.

    An id may stand once in a document: the case that has it again fails.
    """
    case_presets = _case_presets(path, document)
    known: set[str] = set()
    for case, nameless in cases_of(path, document):
        result = judge(case, presets, case_presets, nameless=nameless)
        name = case.get("id")
        if isinstance(name, str):
            if name in known:
                result = _again(result, path)
            known.add(name)
        yield case, result


def _again(result: CaseResult, path: Path) -> CaseResult:
    """Fail a case for its id, whatever else there is to say of it."""
    twice = f"{path.name} has another case with the id {result.id}"
    reason = f"{twice}; {result.reason}" if result.reason else twice
    return replace(result, status="failed", reason=reason)


def cases_of(path: Path, document: Mapping[str, object]) -> Iterator[tuple[dict[str, Any], str]]:
    """Give every case, row and game of a document, and what to call it if it has no id.

    A row is given as its table with that row alone, named after both: `JL-TABLE-C#1`.
    """
    lists: Any = document
    for number, case in enumerate(lists.get("cases", ()), start=1):
        yield case, f"{path.name}, case {number}"
    for number, table in enumerate(lists.get("tables", ()), start=1):
        for row_number, row in enumerate(table["rows"], start=1):
            name = f"{table.get('id')}#{row_number}"
            yield {**table, "id": name, "rows": [row]}, f"{path.name}, table {number}"
    for number, game in enumerate(lists.get("games", ()), start=1):
        yield game, f"{path.name}, game {number}"


def judge(
    case: Mapping[str, object],
    presets: Presets,
    case_presets: Mapping[str, object] | None = None,
    *,
    nameless: str = "a case without id",
) -> CaseResult:
    """Judge one case.

    Parameters
    ----------
    case : mapping
        One object of a case file. Its keys tell what it is: with `events` a sequence of rolls, with `rows` a table
        of one row, with `recomputed` a printed number, else with `kind` a case about the board and with
        `type` one about a match.
    presets : callable
        Looks up a rule set by its name in the catalogue.
    case_presets : mapping, optional
        Rule sets that the case file itself spells out, each an object of fields.
    nameless : str
        What to call the case if it has no id.

    Returns
    -------
    CaseResult
        Passed, failed, or skipped with the reason.
    """
    check = Check()
    name = nameless
    try:
        fields = Fields(dict(case))
        name = fields.text("id")
        if not name.isprintable() or len(name) > 60:
            name = shown(name)
        fields.ignore(*PROSE)
        _judge(fields, presets, case_presets or {}, check)
        unread = fields.unread()
        if unread:
            raise NotUnderstoodError("not understood by this version: " + ", ".join(unread))
    except NotUnderstoodError as reason:
        return CaseResult(name, "skipped", reason=str(reason))
    except (MalformedError, UsageError, ConfigError) as error:
        reasons = [*check.differences(), str(error)]
        return CaseResult(name, "failed", check.expected, check.found, "; ".join(reasons))
    differences = check.differences()
    if not check.expected:
        differences = ["the case expects nothing that could be compared"]
    status: Literal["passed", "failed"] = "failed" if differences else "passed"
    return CaseResult(
        name, status, check.expected, check.found, "; ".join(differences), tuple(check.printed_errors)
    )


def _judge(case: Fields, presets: Presets, case_presets: Mapping[str, object], check: Check) -> None:
    if "events" in case:
        games.replay(case, twelve_holes(), check)
    elif "rows" in case:
        treatise.table_row(case, twelve_holes(), check)
    elif "recomputed" in case or "params" in case:
        treatise.printed_number(case, twelve_holes(), check)
    elif "kind" in case and "type" in case:
        raise NotUnderstoodError("a case with both a kind and a type is not known to this version")
    elif "kind" in case:
        kind = case.text("kind")
        if kind not in base.KINDS:
            raise NotUnderstoodError(f"the kind {shown(kind)} is not known to this version")
        rules = twelve_holes()
        if "config" in case:
            rules = lay_all(rules, case.part("config"))
        base.KINDS[kind](case, rules, check)
    elif "type" in case:
        _judge_typed(case.text("type"), case, presets, case_presets, check)
    else:
        raise MalformedError("the case has neither a kind nor a type")


def _judge_typed(
    kind: str, case: Fields, presets: Presets, case_presets: Mapping[str, object], check: Check
) -> None:
    """Judge a case about a match, or about toutes tables."""
    types = {**match.TYPES, **turns.TYPES, **pools.TYPES, **tables.TYPES, **combine.TYPES}
    if kind not in (*types, tables.COMPARING):
        raise NotUnderstoodError(f"the type {shown(kind)} is not known to this version")
    fields = case.part("rules")
    given = case.part("input") if "input" in case else Fields({}, "input")
    if kind == tables.COMPARING:
        compared = tuple(tables.compared(fields, presets, case_presets))
        tables.bear_off(compared, given, case.part("expected"), check)
        return
    of_both = kind in combine.TYPES or (kind in combine.SHARED and fields.raw("continuation", None) is True)
    bare = combine.combined_rules() if of_both else _without_preset(kind)
    rules = of_match_case(fields, presets, case_presets, bare)
    if isinstance(rules.match, Combine):
        types.update(combine.SHARED)
    types[kind](given, case.part("expected"), rules, check)


def _without_preset(kind: str) -> RuleSet:
    """Give the rule set over which a case of a type lays its fields if it names no other."""
    if kind in tables.TYPES:
        return tables.tables_rules()
    if kind in pools.TYPES:
        return pools.rules_without_preset(kind)
    return match.rules_without_preset(kind)


def _case_presets(path: Path, document: Mapping[str, object]) -> Mapping[str, object]:
    meta = document.get("meta")
    presets = meta.get("case_presets", {}) if isinstance(meta, Mapping) else {}
    if not isinstance(presets, Mapping):
        raise UsageError(f"{path}: meta.case_presets is {shown(presets)}; it must be an object")
    return {name: values for name, values in presets.items() if name != "about"}
