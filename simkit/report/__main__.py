"""`python -m simkit.report RUN FILE.svg` draws the tail curve of a run as a picture of its own."""

from __future__ import annotations

import sys
from pathlib import Path

from simkit.dataset import open_run
from simkit.errors import SimkitError, UsageError
from simkit.report.figures import STYLE, standalone, tail_curve
from simkit.report.numbers import sides


def main(arguments: list[str]) -> None:
    """Draw the curve from the estimates that a run folder holds.

    Raises
    ------
    UsageError
        The request is not two paths, or the run holds nothing to draw.
    """
    if len(arguments) != 2:
        raise UsageError("give the folder of a run and the name of the picture: RUN FILE.svg")
    run, picture = open_run(arguments[0]), Path(arguments[1])
    estimates = run.estimates
    estimates = estimates.loc[estimates["measure"].isin(["winner_changes", "winner_changes_tossed"])]
    rules = {play.rules.name: play.rules for play in run.plays}
    STYLE["svg.fonttype"] = "path"  # alone on a page, no font of the reader's may decide the widths
    figure = tail_curve(estimates, sides([*rules.values()], estimates))
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
