"""`python -m simkit.report RUN FILE.svg` draws the tail curve of a run as a picture of its own.

`python -m simkit.report --findings RESULTS FILE.md` writes what the claims of all experiments have come to, and
`--influence` in its place what another reading of each rule does.
"""

from __future__ import annotations

import sys
from pathlib import Path

from simkit.dataset import open_run
from simkit.errors import SimkitError, UsageError
from simkit.report.figures import STYLE, standalone
from simkit.report.findings import findings
from simkit.report.influence import influence
from simkit.report.numbers import sides
from simkit.report.tails import tail_curve


def main(arguments: list[str]) -> None:
    """Write a page on all results, or draw the curve of a run's first rule set, from estimates in run folders.

    Raises
    ------
    UsageError
        The request is none of them, or the run holds nothing to draw.
    """
    if len(arguments) == 3 and arguments[0] in ("--findings", "--influence"):
        results, page = map(Path, arguments[1:])
        text = findings(results, page.parent) if arguments[0] == "--findings" else influence(results)
        page.write_text(text, encoding="utf-8")
        return
    if len(arguments) != 2:
        raise UsageError(
            "give the folder of a run and the name of the picture, RUN FILE.svg; or --findings or --influence, "
            "the folder of all results and the name of the page, --findings RESULTS FILE.md"
        )
    run, picture = open_run(arguments[0]), Path(arguments[1])
    estimates, first = run.estimates, run.plays[0].rules
    estimates = estimates.loc[estimates["measure"].isin(["winner_changes", "winner_changes_tossed"])]
    estimates = estimates.loc[estimates["rules"] == first.name]
    STYLE["svg.fonttype"] = "path"  # alone on a page, no font of the reader's may decide the widths
    figure = tail_curve(estimates, sides([first], estimates))
    if figure is None:
        raise UsageError(f"{run.folder}: its estimates have no winner_changes to draw")
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_text(standalone(figure), encoding="utf-8")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except SimkitError as error:
        print(error, file=sys.stderr)
        raise SystemExit(error.exit_code) from None
