"""A run made again from its own provenance, and compared with what was kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simkit import __version__
from simkit.batch import play_run
from simkit.dataset import (
    DICE,
    ESTIMATES,
    Run,
    Table,
    content_hash,
    matches_estimated,
    open_run,
    read_estimates,
)
from simkit.dataset.folder import OLDER_DICE, RUN, read_json, writing
from simkit.dataset.parquet import array_dtype
from simkit.errors import SimkitError, UsageError, VerificationFailed, WorkerLost
from simkit.experiment import Experiment, run_experiment
from simkit.files import read_plain
from simkit.provenance import experiment_of, plays_again, written_with

if TYPE_CHECKING:
    import pandas as pd

    from simkit.progress import Reporter

TOLERANCE: Final = 1e-9
"""Relative difference of an estimate up to which it counts as the same: sums of floats, and the functions of
SciPy, may differ in their last digits between versions. Rows must be the same to the bit."""
MARK: Final = ".reproduces"
"""Holds the digest of the run that is made again beside it."""
AGAIN: Final = "run the command that wrote it again"
"""How remedies begin that the command can be named for."""
MOST_DIFFERENCES: Final = 20
"""Further ones are counted and not told."""


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """What came of making a run again.

    Attributes
    ----------
    folder, again : Path
        The run, and the one made again; the latter is gone if no place was named for it.
    written_by, made_by : str
        Versions of simkit.
    matches : int
        Matches played again, of all plays.
    rows : tuple of str
        Content hash of the rows kept and of those made again; empty if none are kept.
    estimates : int
        Numbers compared.
    largest : float
        The largest relative difference between two of them.
    differences : tuple of str
        Everything that differs; empty if the run is the same.
    notes : tuple of str
        What could not be compared.
    """

    folder: Path
    again: Path
    written_by: str
    made_by: str
    matches: int
    rows: tuple[str, ...]
    estimates: int
    largest: float
    differences: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether everything that was compared is the same."""
        return not self.differences


@dataclass
class _Findings:
    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    estimates: int = 0
    largest: float = 0.0


def reproduce(
    folder: str | Path,
    *,
    into: str | Path | None = None,
    jobs: int | None = None,
    progress: Reporter | None = None,
) -> Reproduction:
    """Play a run again, estimate again if an experiment made it, and compare.

    Parameters
    ----------
    folder : path
        A run folder; one without rows, as git keeps results, is compared by its estimates.
    into : path, optional
        Where the new run is to stay; it goes to a temporary folder if not given.
    jobs : int, optional
        Workers; they do not change a number.
    progress : Reporter, optional
        Told after each round; silent if not given.

    Raises
    ------
    UsageError
        There is no run, nothing in it can be compared, or a player or experiment is unknown or another now; or
        `into` holds anything but what was made again of this run before, with which it goes on.
    VerificationFailed
        The folder is damaged; the command that mends it is named.
    """
    try:
        return _reproduce(Path(folder), into, jobs, progress)
    except VerificationFailed as error:
        words = str(error).replace(AGAIN, f"run {written_with(Path(folder))} again")
        raise VerificationFailed(words) from error


def _reproduce(
    folder: Path, into: str | Path | None, jobs: int | None, progress: Reporter | None
) -> Reproduction:
    kept = open_run(folder)
    if kept.dice != DICE:
        version = read_json(kept.folder / RUN).get("simkit")
        raise UsageError(f"{folder} {OLDER_DICE.format(kept.dice)}; simkit {version} does")
    if into is not None:
        _take_place(Path(into), kept)
        return _reproduced(kept, Path(into), jobs, progress)
    with TemporaryDirectory(prefix="simkit-") as place, _thrown_away():
        return _reproduced(kept, Path(place), jobs, progress)


@contextmanager
def _thrown_away() -> Iterator[None]:
    """Say of whatever stops us that nothing is kept, in the place of what the run says of itself."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as stop:
        stop.__notes__ = ["stopped: what was played again is thrown away; --into DIR would keep it"]
        raise
    except SimkitError as error:
        if error.exit_code not in (SimkitError.exit_code, WorkerLost.exit_code):
            raise
        raise type(error)(
            f"{error}. But this was in a temporary folder, now gone; --into DIR would keep it"
        ) from error


def _take_place(place: Path, kept: Run) -> None:
    """Mark the folder where a run is made again, which is empty, or marked for this run.

    Raises
    ------
    UsageError
        It is the run itself, or lies in it, or holds something else.
    """
    if place.resolve() == kept.folder.resolve() or kept.folder.resolve() in place.resolve().parents:
        raise UsageError(f"{place} is the run itself, or lies in it; name another folder")
    if place.exists() and not place.is_dir():
        raise UsageError(f"{place} is a file; name a folder that is empty, or not there")
    mark = place / MARK
    if place.is_dir() and any(place.iterdir()):
        try:
            ours = read_plain(mark, len(kept.digest)).decode(errors="replace") == kept.digest
        except OSError:
            ours = False
        if not ours:
            what = "a run" if (place / RUN).exists() else "something else"
            raise UsageError(f"{place} holds {what}; name a folder that is empty, or not there")
    with writing(place):
        place.mkdir(parents=True, exist_ok=True)
        mark.write_text(f"{kept.digest}\n", encoding="utf-8")


def _reproduced(kept: Run, place: Path, jobs: int | None, progress: Reporter | None) -> Reproduction:
    found = _Findings()
    experiment = experiment_of(kept.name, kept.plays)
    estimated = (kept.folder / "estimates.parquet").exists()
    has_rows = all(kept.counts)
    if experiment is not None and estimated:
        again = _estimated_again(kept, experiment, place, jobs, progress, found)
    elif has_rows:
        if estimated:
            found.notes.append(
                "its estimates were not compared: no experiment of the catalogue plays what this run holds"
            )
        plays = plays_again(kept.name, kept.plays)
        again = play_run(plays, kept.counts, folder=place / "run", jobs=jobs, progress=progress)
    else:
        raise UsageError(
            f"{kept.folder} holds no rows, and no estimates of an experiment as the catalogue now has it; "
            "there is nothing to compare"
        )
    rows: tuple[str, ...] = ()
    if has_rows:
        rows = _compare_rows(kept, again, found)
    else:
        found.notes.append("it holds no rows; only its estimates were compared")
    more = len(found.differences) - MOST_DIFFERENCES
    shown = found.differences[:MOST_DIFFERENCES] + ([f"and {more} more"] if more > 0 else [])
    return Reproduction(
        folder=kept.folder,
        again=again.folder,
        written_by=str(read_json(kept.folder / RUN).get("simkit")),
        made_by=__version__,
        matches=sum(again.counts),
        rows=rows,
        estimates=found.estimates,
        largest=found.largest,
        differences=tuple(shown),
        notes=tuple(found.notes),
    )


def _estimated_again(
    kept: Run,
    experiment: Experiment,
    place: Path,
    jobs: int | None,
    progress: Reporter | None,
    found: _Findings,
) -> Run:
    """Run the experiment with as many matches as its estimates rest on, and compare these."""
    rest_on = matches_estimated(kept.folder)
    own = rest_on in (0, max(experiment.matches_of_pairs))
    result = run_experiment(
        experiment, matches=None if own else rest_on, jobs=jobs, root=place, progress=progress, until={}
    )
    _compare_estimates(read_estimates(kept.folder), result.stored, found)
    return result.run


def _compare_rows(kept: Run, again: Run, found: _Findings) -> tuple[str, str]:
    """Compare the matches that both runs hold: their content hashes, and where they differ, by column."""
    common = [min(counts) for counts in zip(kept.counts, again.counts, strict=True)]
    if common != list(kept.counts) or common != list(again.counts):
        found.notes.append(f"of {kept.counts} matches the first {tuple(common)} of each play were compared")
    ours, theirs = kept.first(common), again.first(common)
    whole = content_hash(ours), content_hash(theirs)
    if whole[0] == whole[1]:
        return whole
    before = len(found.differences)
    for place, play in enumerate(ours.plays):
        for table in play.family.played:
            for words in _columns_that_differ(ours, theirs, place, table):
                found.differences.append(f"{play.title}: {words}")
        sums = [run.figure_sums()[place] for run in (ours, theirs)]
        cut = any(run.is_cut(part) for run in (ours, theirs) for part in run.parts if part.play == place)
        if not cut and not np.array_equal(sums[0], sums[1]):
            found.differences.append(f"{play.title}: figures sum up to other numbers")
        if play.labels != theirs.plays[place].labels:
            found.differences.append(f"{play.title}: called {theirs.plays[place].title} now")
    if len(found.differences) == before:
        found.notes.append("figures were not compared: they are summed over more matches than these")
    return whole


def _columns_that_differ(ours: Run, theirs: Run, place: int, table: Table) -> Iterator[str]:
    for column in table.data:
        digests = []
        for run in (ours, theirs):
            digest = hashlib.sha256()
            for block in run.iter_rows(table.name, place, [column.name]):
                digest.update(np.ascontiguousarray(block[column.name], array_dtype(column)).tobytes())
            digests.append(digest.hexdigest())
        if digests[0] != digests[1]:
            where = _first_match(ours, theirs, place, table, column.name)
            yield f"{table.name}.{column.name} differs, first in {where}"


def _first_match(ours: Run, theirs: Run, place: int, table: Table, column: str) -> str:
    """Say in which match a column differs first."""
    names = ["match_id", column]
    for one, two in zip(_rows(ours, place, table, names), _rows(theirs, place, table, names), strict=False):
        if one != two:
            return f"match {min(int(one[0]), int(two[0]))}"
    return "the number of rows"


def _rows(run: Run, place: int, table: Table, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    for block in run.iter_rows(table.name, place, names):
        yield from zip(*(block[name].tolist() for name in names), strict=True)


def _compare_estimates(kept: pd.DataFrame, again: pd.DataFrame, found: _Findings) -> None:
    """Compare two tables of estimates by their keys."""
    one, two = _by_key(kept), _by_key(again)
    for key in [*(key for key in one if key not in two), *(key for key in two if key not in one)]:
        found.differences.append(
            f"estimate {_named(key)} is only in the run {'kept' if key in one else 'made again'}"
        )
    for key in (key for key in one if key in two):
        found.estimates += 1
        for column, was in one[key].items():
            now = two[key][column]
            if isinstance(was, float) and isinstance(now, float):
                apart = abs(was - now) / max(abs(was), abs(now), 1e-300) if was != now else 0.0
                found.largest = max(found.largest, apart)
                same = apart <= TOLERANCE or abs(was - now) < 1e-15
            else:
                same = was == now
            if not same:
                found.differences.append(f"estimate {_named(key)}: {column} is {now} and was {was}")


Key = tuple[str, ...]


def _by_key(frame: pd.DataFrame) -> dict[Key, dict[str, Any]]:
    """Rows by their key, empty values as None; numbers as floats, words as they are."""
    plain = frame.astype(object).where(frame.notna(), None)
    rows: dict[Key, dict[str, Any]] = {}
    for row in plain.to_dict("records"):
        key = tuple(_word(row[name]) for name in ESTIMATES.key)
        rows[key] = {
            str(name): float(value) if _number(value) else value
            for name, value in row.items()
            if name not in ESTIMATES.key
        }
    return rows


def _word(value: object) -> str:
    return "" if value is None else f"{value:g}" if _number(value) else str(value)


def _number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _named(key: Key) -> str:
    return ", ".join(word for word in key if word)
