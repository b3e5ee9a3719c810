"""verify: whether a run folder is what was written, and simulates again as it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.options import MOST_DIGITS, Json, RunFolder, whole
from simkit.cli.printing import print_item, print_json, print_text
from simkit.errors import UsageError, VerificationFailed, clipped

if TYPE_CHECKING:
    from simkit.rowless import Rowless
    from simkit.verification import Verification


PAGE = "page.json"


def verify(
    run: RunFolder,
    replay: Annotated[
        str, typer.Option(metavar="K", help="Simulate K chunks of matches again, or all of them.")
    ] = "0",
    seed: Annotated[
        int, typer.Option(parser=whole, metavar="S", help="Seed of the choice of these chunks.")
    ] = 0,
    bytes_only: Annotated[
        bool, typer.Option("--bytes-only", help="Compare bytes with their digests; decode no rows.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check every byte and row of a run, and simulate some of it again. Fails with 5 if anything differs.

    Sizes, digests, page checksums, row counts, keys, limits, labels and sums of every file; of a run whose rows
    lie in others, those too; of a research dataset also holes, matches told and descriptions. What is simulated
    again is compared with rows, holes and matches told in full. Of results kept without their rows, as git keeps
    them, run.json, page.json and the estimates are compared with their digests, and it says what is missing and
    what cannot be checked; that is no error. A run that is being written is not looked at, which ends with 1.

    \b
    Examples:
      simkit verify my_run
      simkit verify results/tail_of_sets/0123456789ab --replay 10 --seed 7
    """
    from simkit.cli.dataset import told
    from simkit.verification import verify_run

    found = verify_run(run, replay=_chunks(replay), seed=seed, rows=not bytes_only, tell=told)
    if as_json:
        print_json(verification_plain(found))
    else:
        _print(found)
    if not found.sound:
        raise typer.Exit(VerificationFailed.exit_code)


def _chunks(text: str) -> int | None:
    if text == "all":
        return None
    if not re.fullmatch("[0-9]+", text):
        raise UsageError(f"--replay {clipped(text)}: give a number of chunks, or all")
    if len(text) > MOST_DIGITS:
        raise UsageError(f"--replay {clipped(text)} is too large; all stands for every chunk there is")
    return int(text)


def verification_plain(found: Verification) -> dict[str, Any]:
    """Turn what was found into plain values."""
    return {
        "schema": "simkit.verification/1",
        "run": str(found.folder),
        "sound": found.sound,
        "problems": found.problems,
        "notes": found.notes,
        "files": found.files,
        "bytes": found.bytes,
        "matches": found.matches,
        "rows": found.rows,
        "kept_without_rows": None if found.kept is None else vars(found.kept),
        "replay": {
            "seed": found.seed,
            "chunks": found.chunks,
            "replayed": [vars(one) for one in found.replayed],
        },
    }


def _print(found: Verification) -> None:
    if found.kept is not None:
        print_text(_kept_words(found, found.kept))
        _print_problems(found)
        return
    print_text(
        f"{found.folder}: {found.files} files, {found.bytes:,} bytes, {found.matches:,} matches, "
        f"{found.rows:,} rows read."
    )
    if found.chunks:
        same = sum(one.same for one in found.replayed)
        played = sum(one.matches for one in found.replayed)
        print_text(
            f"{len(found.replayed)} of {found.chunks} chunks simulated again, {played:,} matches (chosen with "
            f"seed {found.seed}): {same} {'has' if same == 1 else 'have'} the same rows."
        )
    for note in found.notes:
        print_text(f"Note: {note}.")
    if found.sound:
        print("Sound.")
        return
    _print_problems(found)


def _kept_words(found: Verification, kept: Rowless) -> str:
    """Say what was checked of results without rows, what was not, and how to make the rows."""
    named = f"the one that {PAGE} names" if PAGE in kept.checked else "can be read"
    sound = f"run.json is as it was written, estimates.parquet {named}. " if found.sound else ""
    open_ = f"Nothing vouches for {listed(kept.unchecked)}. " if kept.unchecked else ""
    if kept.unsealed:
        open_ += f"{PAGE} was written by an older simkit and carries no digest of itself. "
    if kept.missing:
        open_ += f"{listed(kept.missing)} {'is' if len(kept.missing) == 1 else 'are'} missing. "
    played = f"the {kept.matches:,} matches" if kept.matches else "the matches"
    return (
        f"{found.folder}: the rows are not here and cannot be checked. {sound}{open_}simkit reproduce "
        f"{found.folder} plays {played} again and compares the estimates; {kept.command} plays them and keeps "
        "the rows."
    )


def listed(names: Sequence[str]) -> str:
    """Name several things one after the other."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _print_problems(found: Verification) -> None:
    if found.sound:
        return
    count = len(found.problems)
    print(f"{count} {'problem' if count == 1 else 'problems'}:")
    for problem in found.problems:
        print_item(problem)
