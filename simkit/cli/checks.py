"""cases, bench: whether the engine is right, and how fast it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simkit.cli.options import Json
from simkit.cli.printing import print_json, print_table, say

if TYPE_CHECKING:
    from simkit.cases import CaseResult


def cases(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Case files, in JSON.")],
    as_json: Json = False,
) -> None:
    """Check worked examples against the engine. Fails if a case fails.

    What this version does not know is skipped, with the reason. A case whose id stands twice in its file fails. A
    case may pass and its source be wrong: then the printed and the right value are listed.

    \b
    Example:
      simkit cases cases-base.json cases-match.json
    """
    from simkit import catalogue
    from simkit.cases import judge_files

    report = judge_files(files, catalogue.listed_rule_set)
    for remark in report.remarks:
        say(remark)
    if as_json:
        print_json(report.as_json())
    else:
        print_table([row for one in report.results for row in case_rows(one)])
        counts = [f"{status} {report.count(status)}" for status in ("passed", "failed", "skipped")]
        if report.printed_errors:
            counts.append(f"printed errors {report.printed_errors}")
        print(", ".join(counts))
    if report.count("failed"):
        raise typer.Exit(1)


def case_rows(result: CaseResult) -> list[tuple[str, str, str]]:
    """Give what is said of a case: nothing of one that passes, unless its source prints an error."""
    reasons = [result.reason] * (result.status != "passed") + [*map(str, result.printed_errors)]
    return [(result.status, result.id, reason) for reason in reasons]


def bench(
    only: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only the rows whose name contains this.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs, rougher numbers.")] = False,
    as_json: Json = False,
) -> None:
    """Measure how fast this machine plays and settles.

    Every number is the median of repeated runs.

    \b
    Example:
      simkit bench --only trictrac
    """
    from simkit import bench as benchmarks

    rows = benchmarks.run(only, quick)
    if as_json:
        listed = [{"name": r.name, "median": r.median, "unit": r.unit, "runs": r.runs} for r in rows]
        print_json({"rows": listed})
        return
    table = [(row.name, f"{row.median:,.6g}", row.unit, row.runs) for row in rows]
    print_table([("name", "median", "unit", "runs"), *table])
