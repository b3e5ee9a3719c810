"""reproduce: a run made again from its own provenance, and compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.options import Jobs, Json, Quiet, RunFolder
from simkit.cli.printing import print_item, print_json, print_text
from simkit.errors import VerificationFailed

if TYPE_CHECKING:
    from simkit.reproduction import Reproduction


def reproduce(
    run: RunFolder,
    into: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the new run there; else it is thrown away.")
    ] = None,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a run again from its own run.json and compare rows and estimates. Fails with 5 if they differ.

    Rows must be the same to the bit; estimates to one part in 10^9. A run without rows is compared by its
    estimates.

    \b
    Example:
      simkit reproduce my_run
    """
    from simkit.progress import reporter
    from simkit.reproduction import reproduce as made_again

    found = made_again(run, into=into, jobs=jobs, progress=reporter(quiet=quiet))
    if as_json:
        print_json(reproduction_plain(found, into is not None))
    else:
        _print(found, into is not None)
    if not found.same:
        raise typer.Exit(VerificationFailed.exit_code)


def reproduction_plain(found: Reproduction, stays: bool) -> dict[str, Any]:
    """Turn what was found into plain values."""
    plain = {**vars(found), "folder": str(found.folder), "again": str(found.again) if stays else None}
    return {"schema": "simkit.reproduction/1", "same": found.same, **plain}


def _print(found: Reproduction, stays: bool) -> None:
    print_text(
        f"{found.folder}, written by simkit {found.written_by}: {found.matches:,} matches played again with "
        f"{found.made_by}."
    )
    if found.rows:
        kept, now = found.rows
        print_text(f"Content hash {kept[:16]} kept, {now[:16]} made again.")
    if found.estimates:
        print_text(
            f"{found.estimates} estimates compared; the largest relative difference is {found.largest:.2g}."
        )
    for note in found.notes:
        print_text(f"Note: {note}.")
    if stays:
        print(found.again)
    if found.same:
        print("The same.")
        return
    print("Different:")
    for words in found.differences:
        print_item(words)
