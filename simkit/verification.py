"""Whether a run folder is what was written: every byte, every row, and chunks simulated again.

Three kinds of evidence, each independent of the others. *Digests*: `run.json`, every line of the journal and
the manifest carry a digest of themselves; the manifest has the size and digest of every other file, the journal
those of the rows and of their decoded columns. *Rows*: counts, keys, labels and sums agree with one another.
*Replay*: chunks chosen at random are simulated again from `run.json` and compared with the rows, the holes and the
matches told in full. Whoever changes these and computes every digest anew is found by the last alone, with the
chance that a changed chunk is chosen.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.batch import Plan, play_task
from simkit.dataset import (
    DICE,
    FIGURE_SUMS,
    HOLES,
    MAX_SEED,
    Part,
    PlaySpec,
    StoredPlay,
    Table,
    check_whole,
)
from simkit.dataset.bounds import beyond, bounds, uneven
from simkit.dataset.estimated import estimate_faults
from simkit.dataset.folder import (
    FURTHER,
    JOURNAL,
    LARGE_JSON,
    LOCK,
    MANIFEST,
    OLDER_DICE,
    RUN,
    STAGING,
    Described,
    FileFacts,
    check_labels,
    describe_run,
    digest_of,
    figure_columns,
    file_sha256,
    json_bytes,
    made_files,
    read_journal,
    read_json,
    refuse_writer,
    rows_in,
    sum_figures,
)
from simkit.dataset.parquet import ColumnHash, Columns, read_blocks, read_labels
from simkit.dataset.run import inside
from simkit.dataset.schema import TABLES
from simkit.drivers.hole_events import hole_events
from simkit.errors import UsageError, VerificationFailed
from simkit.extras import (
    HoleSums,
    asked,
    description_faults,
    hole_faults,
    record_faults,
    rows_told,
    said_faults,
)
from simkit.provenance import plays_again
from simkit.records import FOLDER as RECORDS
from simkit.records import Tell, chosen, file_name, line_of, lines
from simkit.rowless import Rowless, check_rowless

MOST_PROBLEMS: Final = 1000
"""Further ones are counted and not told."""
FOLDERS: Final = {
    *(table.name for table in TABLES),
    *(Path(name).parts[0] for name in FURTHER if "/" in name),
}
"""Folders in a run folder, which are named with a file in them."""


@dataclass(frozen=True)
class Replayed:
    """A chunk simulated again: matches `first` to `first + matches - 1` of a play of a folder."""

    folder: str
    play: int
    title: str
    first: int
    matches: int
    same: bool


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What was found in a run folder.

    Attributes
    ----------
    problems : tuple of str
        All that is not as it was written; empty if the run is sound.
    notes : tuple of str
        What is worth knowing and no fault.
    files, bytes, rows, matches : int
        What was read; rows of all tables that grow with the matches.
    replayed : tuple of Replayed
        The chunks simulated again, in the order of their matches.
    chunks : int
        How many there are to choose from; 0 if none was asked for.
    seed : int
        Seed of the choice.
    kept : Rowless or None
        What can be said of results kept without their rows; None where the rows are here, or should be.
    """

    folder: Path
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    files: int
    bytes: int
    rows: int
    matches: int
    replayed: tuple[Replayed, ...]
    chunks: int
    seed: int
    kept: Rowless | None = None

    @property
    def sound(self) -> bool:
        """Whether nothing was found amiss."""
        return not self.problems


@dataclass
class _Findings:
    """Gathers problems and counts while a folder is read; `where` goes before each."""

    problems: dict[str, None] = field(default_factory=dict)
    """Each once, in the order in which they were found."""
    notes: list[str] = field(default_factory=list)
    files: int = 0
    bytes: int = 0
    rows: int = 0
    where: str = ""

    def fault(self, words: str) -> None:
        """Note a problem, unless it is known."""
        self.problems.setdefault(f"{self.where}{words}")

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn damage, and what cannot be read, into a problem."""
        try:
            yield
        except (VerificationFailed, UsageError) as error:
            self.fault(str(error))
        except OSError as error:
            path = Path(error.filename or "")
            name = "/".join(path.parts[-2:]) if path.parent.name in FOLDERS else path.name
            self.fault(f"{name} cannot be read: {error.strerror or error}")

    def take(self, others: _Findings) -> None:
        """Add what was found elsewhere."""
        self.problems |= others.problems
        self.files += others.files
        self.bytes += others.bytes
        self.rows += others.rows

    def ends(self) -> tuple[str, ...]:
        """The problems, no more of them than anybody reads."""
        more = len(self.problems) - MOST_PROBLEMS
        shown = tuple(self.problems)[:MOST_PROBLEMS]
        return (*shown, f"and {more} more") if more > 0 else shown


def verify_run(
    folder: str | Path,
    *,
    replay: int | None = 0,
    seed: int = 0,
    rows: bool = True,
    tell: Tell | None = None,
) -> Verification:
    """Read every byte of a run, and of the runs that hold its rows; simulate chunks again.

    Parameters
    ----------
    folder : path
        A run folder.
    replay : int or None
        Chunks to simulate again, chosen at random without repetition; None for all of them. Where all chunks of
        a part are chosen, its sums of figures are compared too.
    seed : int
        Seed of the choice.
    rows : bool
        Whether to decode the rows too; without, every byte is read and compared with its digest, and no more.
    tell : callable, optional
        Tells a match as plain values, for the matches of a research dataset that are told in full.

    Returns
    -------
    Verification
        Everything found; a damaged run raises nothing.

    Raises
    ------
    UsageError
        There is no run in this folder, `replay` or `seed` is no number that can be, or a player of a run to be
        replayed is unknown.
    SimkitError
        A living process is writing the run, or one that holds its rows.
    """
    folder = Path(folder)
    if replay is not None and (isinstance(replay, bool) or not isinstance(replay, int) or replay < 0):
        raise UsageError(f"replay: {replay!r} is not a number of chunks, or None for all")
    check_whole("seed", seed, 0, MAX_SEED, "2**64 - 1")
    if not any((folder / name).exists() for name in (RUN, MANIFEST, JOURNAL)):
        describe_run(folder)  # which says that there is no run
    refuse_writer(folder)
    found = _Findings()
    opened = [_Folder(folder, found)]
    if opened[0].without_rows:
        if replay != 0:
            raise UsageError(
                f"replay: {folder} is kept without its rows, and there are none to compare with what is "
                "simulated again; simkit reproduce plays them all and compares the estimates"
            )
        return _verify_rowless(opened[0])
    opened += opened[0].elsewhere()
    for one in opened[1:]:
        refuse_writer(one.folder)
    for one in opened:
        one.check(rows)
    if found.problems:  # of a writer that came while we read
        for one in opened:
            refuse_writer(one.folder)
    if not rows:
        found.notes.append("bytes were compared with their digests, and no row was decoded")
    chunks: list[_Chunk] = []
    if replay != 0:
        chunks = [chunk for one in opened for chunk in one.chunks()]
    if replay is not None:
        if replay > len(chunks):
            found.notes.append(
                f"{replay} chunks were to be simulated again, and all {len(chunks)} there are were"
            )
        places = random.Random(seed).sample(range(len(chunks)), min(replay, len(chunks)))
        again = [chunks[place] for place in sorted(places)]
    else:
        again = chunks
    replayed = tuple(_replay(again, found, tell))
    return Verification(
        folder=folder,
        problems=found.ends(),
        notes=tuple(found.notes),
        files=found.files,
        bytes=found.bytes,
        rows=found.rows,
        matches=sum(part.matches for one in opened for part in one.parts),
        replayed=replayed,
        chunks=len(chunks),
        seed=seed,
    )


def _verify_rowless(folder: _Folder) -> Verification:
    """Check what is there of results kept without their rows."""
    found, described = folder.found, folder.described
    problems, kept = check_rowless(folder.folder, described)
    found.where = ""
    for problem in problems:
        found.fault(problem)
    return Verification(
        folder=folder.folder,
        problems=found.ends(),
        notes=(),
        files=kept.files,
        bytes=kept.bytes,
        rows=0,
        matches=0,
        replayed=(),
        chunks=0,
        seed=0,
        kept=kept,
    )


class _Folder:
    """One folder that holds rows, or names others for them."""

    def __init__(
        self, folder: Path, found: _Findings, where: str = "", play: StoredPlay | None = None
    ) -> None:
        self.folder = folder
        self.found = found
        self.where = where
        self.wanted = play
        """Whose rows should be here, where another folder's rows are."""
        self.least = 0
        """How many matches of them that folder counts."""
        self.name = ""
        self.listed: Mapping[str, str] = {}
        """Digests of the files that its manifest names."""

    @cached_property
    def without_rows(self) -> bool:
        """Whether this is a result kept without its rows: estimates, and nothing that rows would leave."""
        if any((self.folder / name).exists() for name in (MANIFEST, JOURNAL, STAGING)):
            return False
        if not all((self.folder / name).exists() for name in (RUN, "estimates.parquet")):
            return False
        found = self.described
        if found is None:
            return True
        played = {table.name for play in found.plays for table in (*play.family.played, *play.family.sums)}
        return not any((self.folder / name).exists() for name in played) and not any(
            (place / RUN).exists() for place in rows_in(self.folder, found.rows_of, found.plays, found.dice)
        )

    @cached_property
    def described(self) -> Described | None:
        """What `run.json` says, or None if nothing can be made of it; what is wrong with it is told."""
        self.found.where = self.where
        if not (self.folder / RUN).exists():
            self.found.fault(f"{RUN} is missing")
            return None
        with self.found.told():
            found = describe_run(self.folder)
            if not found.intact:
                self.found.fault(
                    f"{RUN} was changed after it was written: its digest is not that of its content"
                )
            elif (self.folder / RUN).read_bytes() != json_bytes(read_json(self.folder / RUN)):
                self.found.fault(f"{RUN} was changed after it was written: the same values, other bytes")
            if self.wanted is not None and found.plays[0].identity != self.wanted.identity:
                raise VerificationFailed(f"{RUN} is of another play than {self.wanted.title}")
            return found
        return None

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What the journal notes, without the lines that are damaged, which are told."""
        found = self.described
        if found is None or found.rows_of:
            return ()
        self.found.where = self.where
        with self.found.told():
            if not (self.folder / JOURNAL).exists():
                raise VerificationFailed(f"{JOURNAL} is missing: nothing says which rows there should be")
            try:
                parts = read_journal(self.folder, found.plays)
            except VerificationFailed as error:
                self.found.fault(str(error))
                parts = read_journal(self.folder, found.plays, lambda _: None)
            written = {part.line() for part in parts}
            for number, line in enumerate((self.folder / JOURNAL).read_bytes().splitlines(keepends=True), 1):
                if line not in written:
                    self.found.fault(f"{JOURNAL}, line {number} is not as it was written")
            return parts
        return ()

    def elsewhere(self) -> list[_Folder]:
        """The folders that hold its rows, where it holds none itself."""
        found = self.described
        if found is None or not found.rows_of:
            return []
        folders = []
        places = rows_in(self.folder, found.rows_of, found.plays, found.dice)
        for play, least, place in zip(found.plays, found.matches, places, strict=True):
            name = f"{place.parent.name}/{place.name}"
            if not (place / RUN).exists():
                self.found.where = self.where
                self.found.fault(f"the rows of {play.title} are not there: {name} holds no {RUN}")
                continue
            one = _Folder(place, self.found, f"{name}: ", play)
            one.least, one.name = least, found.name
            folders.append(one)
        return folders

    def check(self, rows: bool = True) -> None:
        """Read everything; without `rows` no more than bytes and digests."""
        found = self.described
        self.found.where = self.where
        self.listed = listed = self._check_manifest(found)
        if found is None:
            return
        self._check_files(found, rows)
        self._check_matches(found)
        with self.found.told():
            check_labels(self.folder, found.plays, self.parts)
        self._check_made(found, listed)
        self._check_extras(found, rows)
        self._check_strangers(found)

    def _check_files(self, described: Described, rows: bool) -> None:
        """Read the files of all parts, as many at a time as there are cores; findings stay in order."""
        from joblib import effective_n_jobs

        def look(one: tuple[Part, Table]) -> _Findings:
            found = _Findings(where=self.where)
            part, table = one
            with found.told():
                if table is not HOLES:
                    self._check_file(part, table, described.plays[part.play], found, rows)
                elif rows and (self.folder / part.path(HOLES)).exists():
                    self._check_holes(part, described.plays[part.play], found)
            return found

        files = [(part, table) for part in self.parts for table in (*part.family.played, HOLES)]
        with ThreadPoolExecutor(int(effective_n_jobs(-1))) as pool:
            waiting = [pool.submit(look, one) for one in files]
            try:
                for one in waiting:
                    self.found.take(one.result())
            finally:  # where something stops us, those not begun are not
                for one in waiting:
                    one.cancel()

    def _check_manifest(self, found: Described | None) -> dict[str, str]:
        """Compare everything the manifest names; the names in it, with the digests of their files."""
        path = self.folder / MANIFEST
        if not path.exists():
            rowless = "" if self.parts else ", or kept without its rows"
            self.found.fault(
                f"{MANIFEST} is missing: the run was interrupted{rowless}; the same command again finishes it"
            )
            return {}
        names: dict[str, str] = {}
        with self.found.told():
            plain = read_json(path, LARGE_JSON)
            if not isinstance(plain, dict) or plain.get("schema") != "manifest/1":
                raise VerificationFailed(f"{MANIFEST} is no manifest of a run (schema manifest/1)")
            self.found.files += 1
            self.found.bytes += path.stat().st_size
            if path.read_bytes() != json_bytes(plain):
                self.found.fault(f"{MANIFEST} is not as it was written")
            seal = plain.pop("sha256", None)
            if seal != digest_of(plain):
                what = "has no digest of its own" if seal is None else "was changed after it was written"
                self.found.fault(f"{MANIFEST} {what}")
            if found is not None and plain.get("digest") != found.digest:
                self.found.fault(f"{MANIFEST} is of another run")
            if found is not None:
                self._check_ranges(found, plain)
            noted = {
                part.path(table).as_posix(): part.files[table.name]
                for part in self.parts
                for table in part.family.played
            }
            for entry in _entries(plain):
                names[entry["path"]] = entry["sha256"]
                with self.found.told():
                    self._check_entry(entry, noted.get(entry["path"]))
            for name in sorted(noted.keys() - names.keys()):
                self.found.fault(f"{name} is not in {MANIFEST}")
        return names

    def _check_ranges(self, found: Described, plain: Mapping[str, Any]) -> None:
        """Compare the matches that the manifest counts with the journal."""
        held = [
            [[part.first, part.matches] for part in self.parts if part.play == play]
            for play in range(len(found.plays))
        ]
        counts = found.matches or [sum(matches for _, matches in ranges) for ranges in held]
        try:
            told = [(play["matches"], play["ranges"]) for play in plain["plays"]]
        except (KeyError, TypeError):
            told = []
        if told != list(zip(counts, held, strict=True)):
            self.found.fault(f"{MANIFEST} counts other matches than {JOURNAL if self.parts else RUN}")

    def _check_entry(self, entry: Mapping[str, Any], noted: FileFacts | None) -> None:
        """Compare a line of the manifest with the journal, and the file with both."""
        if noted is not None:
            if {**vars(noted), "path": entry["path"]} != dict(entry):
                self.found.fault(f"{entry['path']}: {JOURNAL} and {MANIFEST} differ")
            return  # the file itself is read with its part
        path = inside(self.folder, entry["path"])
        self.found.files += 1
        self.found.bytes += path.stat().st_size
        if path.stat().st_size != entry["bytes"] or file_sha256(path) != entry["sha256"]:
            self.found.fault(f"{entry['path']} has other bytes than {MANIFEST} names")

    def _check_file(self, part: Part, table: Table, play: StoredPlay, found: _Findings, rows: bool) -> None:
        """Read the file of a part: size and bytes; then pages, decoded columns, number of rows, keys, bounds."""
        name, facts = part.path(table).as_posix(), part.files[table.name]
        path = self.folder / name
        if path.is_symlink() or not path.is_file():
            raise VerificationFailed(f"{name} is missing, or no plain file")
        found.files += 1
        found.bytes += path.stat().st_size
        if path.stat().st_size != facts.bytes:
            raise VerificationFailed(f"{name} has {path.stat().st_size} bytes, not {facts.bytes}")
        if file_sha256(path) != facts.sha256:
            found.fault(f"{name} has other bytes than were written")
        if not rows:
            return
        digest, keys, limits = ColumnHash(table), _Keys(part, table), bounds(play, table)
        wrong: dict[str, None] = {}
        for block in read_blocks(path, table, threads=False):
            digest.update(block)
            keys.update(block)
            wrong |= dict.fromkeys(beyond(limits, block))
            if not play.starts:
                wrong |= dict.fromkeys(uneven(table, block))
        found.rows += keys.rows
        if digest.hexdigest() != facts.content_sha256:
            found.fault(f"{name} has other columns than were written")
        if keys.rows != facts.rows:
            found.fault(f"{name} has {keys.rows} rows, not {facts.rows}")
        for words in (*keys.faults(), *wrong):
            found.fault(f"{name}: {words}")

    def _check_holes(self, part: Part, play: StoredPlay, found: _Findings) -> None:
        """Read the holes of a part: pages, labels, keys, bounds, and that they come to the holes of its sets."""
        name = part.path(HOLES).as_posix()
        path = self.folder / name
        keys, sums, limits = _Keys(part, HOLES), HoleSums(), bounds(play, HOLES)
        wrong: dict[str, None] = {}
        for block in read_blocks(path, HOLES, threads=False):
            keys.update(block)
            sums.update(block)
            wrong |= dict.fromkeys((*beyond(limits, block), *hole_faults(block)))
        found.rows += keys.rows
        for column, label in read_labels(path, HOLES).items():
            if label != play.labels[column]:
                wrong.setdefault(f"{column} is {label!r}, and {play.labels[column]!r} in {RUN}")
        wrong = dict.fromkeys(keys.faults()) | wrong
        units = part.family.units
        with suppress(VerificationFailed):  # of the sets, which is told where they are read for themselves
            wrong = wrong or dict.fromkeys(sums.faults(self.folder / part.path(units), units))
        for words in wrong:
            found.fault(f"{name}: {words}")

    def _check_matches(self, found: Described) -> None:
        """Every play has its matches from 0 on without a gap, and as many as are wanted of it."""
        for number, play in enumerate(found.plays):
            at = 0
            for part in (one for one in self.parts if one.play == number):
                if part.first != at:
                    self.found.fault(f"matches {at} to {part.first - 1} of {play.title} are missing")
                at = part.end
            if at < self.least:
                self.found.fault(f"{at} matches of {play.title} are here, and {self.least} are wanted")

    def _check_made(self, found: Described, listed: Mapping[str, str]) -> None:
        """What is made from the rows: in the manifest, sums as the journal has them, estimates named once."""
        if listed:
            for name in made_files(self.folder):
                if name not in listed:
                    self.found.fault(f"{name} is not in {MANIFEST}")
        with self.found.told():
            name = f"{FIGURE_SUMS.name}/figures.parquet"
            path = self.folder / name
            family = found.plays[0].family
            if path.exists() and not found.rows_of:
                sums = sum_figures(self.parts, len(found.plays), len(family.figures))
                blocks = list(read_blocks(path, FIGURE_SUMS))
                for column in FIGURE_SUMS.data:
                    told = np.concatenate([block[column.name] for block in blocks])
                    kept = np.concatenate([figure_columns(one)[column.name] for one in sums])
                    if not np.array_equal(told, kept):
                        self.found.fault(
                            f"figures/figures.parquet: {column.name} are not the sums of {JOURNAL}"
                        )
            elif listed and name not in listed and family.sums and not found.rows_of:
                self.found.fault("figures/figures.parquet is missing")
        with self.found.told():
            path = self.folder / "estimates.parquet"
            if path.exists():
                for words in estimate_faults(path):
                    self.found.fault(f"estimates.parquet: {words}")

    def _check_extras(self, found: Described, rows: bool) -> None:
        """What a research dataset was asked to hold is there and described, and what is told in full can be."""
        with self.found.told():
            for words in said_faults(self.folder, found, self.parts):
                self.found.fault(words)
        with self.found.told():
            for words in description_faults(self.folder, self.parts, self.listed):
                self.found.fault(words)
        with self.found.told():
            wanted = asked(self.folder) if rows else None
            for number, play in enumerate(found.plays if wanted and wanted.records else ()):
                with self.found.told():
                    self._check_records(number, play, wanted.records if wanted else 0)

    def _check_records(self, number: int, play: StoredPlay, wanted: int) -> None:
        """Read the matches of a play that are told in full."""
        if not (self.folder / file_name(number)).is_file():  # which has been told
            return
        matches = sum(part.matches for part in self.parts if part.play == number)
        picked = chosen(play.seed, number, matches, min(wanted, matches))
        try:
            rows = rows_told(self.folder, self.parts, number, picked)
        except VerificationFailed:  # which is told where they are read for themselves
            return
        for words in record_faults(self.folder, number, play, matches, wanted, rows):
            self.found.fault(words)

    def _check_strangers(self, found: Described) -> None:
        """Files in the folders of the tables, which readers of the whole folder would take for rows."""
        ours = {part.path(table).as_posix() for part in self.parts for table in part.family.played}
        ours |= {*made_files(self.folder), MANIFEST, LOCK, RUN}
        tables = {table.name for play in found.plays for table in (*play.family.played, *play.family.sums)}
        tables |= {Path(name).parts[0] for name in FURTHER if "/" in name}
        for path in sorted(self.folder.iterdir()):
            if path.name == STAGING:
                self.found.notes.append(f"{self.where}{STAGING} is there: a writer is at work, or was killed")
            elif path.name in tables and path.is_dir():
                for inner in sorted(path.iterdir()):
                    if f"{path.name}/{inner.name}" not in ours:
                        self.found.fault(f"{path.name}/{inner.name} is no file of this run")
            elif path.name not in ours:
                self.found.notes.append(f"{self.where}{path.name} is no file of this run; it was not read")

    def chunks(self) -> Iterator[_Chunk]:
        """Everything that can be simulated again, cut as it was played."""
        found = self.described
        if found is None or not self.parts:
            return
        if found.dice != DICE:
            raise UsageError(
                f"{self.folder} {OLDER_DICE.format(found.dice)}; nothing of it is simulated again"
            )
        for number, spec in enumerate(plays_again(self.name or found.name, found.plays)):
            size = Plan.of(spec).chunk
            for part in (one for one in self.parts if one.play == number):
                starts = [part.first, *range((part.first // size + 1) * size, part.end, size)]
                for first, end in zip(starts, [*starts[1:], part.end], strict=True):
                    yield _Chunk(self, part, spec, first, end - first)


@dataclass(frozen=True)
class _Chunk:
    """Matches `first` to `first + matches - 1` of a part, and how to play them."""

    holder: _Folder
    part: Part
    spec: PlaySpec
    first: int
    matches: int


def _replay(chunks: Sequence[_Chunk], found: _Findings, tell: Tell | None) -> Iterator[Replayed]:
    """Simulate chunks again and compare rows, holes and matches told; and sums, of parts that are chosen whole."""
    sums: dict[tuple[Path, int, int], list[Any]] = {}
    records: dict[tuple[Path, int], _Records] = {}
    for chunk in chunks:
        part, spec = chunk.part, chunk.spec
        played = play_task(None, spec, chunk.first, chunk.matches)
        others = getattr(played, "others", {})
        rows = {part.family.matches.name: played.matches, part.family.units.name: played.sets, **others}
        found.where = chunk.holder.where
        title = StoredPlay.of(spec).title
        tables = list(part.family.played)
        if (chunk.holder.folder / part.path(HOLES)).exists():
            tables.append(HOLES)
            rows[HOLES.name] = hole_events(spec.rules, spec.players, spec.seed, chunk.first, chunk.matches)
        differs = [
            table.name for table in tables if _content(table, [rows[table.name]]) != _kept(chunk, table)
        ]
        told = records.get((chunk.holder.folder, part.play))
        if told is None:
            told = records[chunk.holder.folder, part.play] = _Records(chunk, found)
        if not told.same(chunk, tell):
            differs.append(RECORDS)
        if differs:
            found.fault(
                f"matches {chunk.first} to {chunk.first + chunk.matches - 1} of {title}, simulated again, have "
                f"other rows in {' and '.join(differs)}"
            )
        held = sums.setdefault((chunk.holder.folder, part.play, part.first), [0, 0])
        held[0] += chunk.matches
        held[1] = held[1] + played.figures
        if held[0] == part.matches and part.family.figures:
            kept = np.array(part.figures, np.int64).reshape(held[1].shape)
            if not np.array_equal(held[1], kept):
                found.fault(f"matches {part.first} to {part.end - 1} of {title} sum up to other figures")
                differs.append("figures")
        yield Replayed(
            str(chunk.holder.folder.name), part.play, title, chunk.first, chunk.matches, not differs
        )


class _Records:
    """The matches of a play that are told in full: which, and the digest of each line."""

    def __init__(self, chunk: _Chunk, found: _Findings) -> None:
        """Read the file of a play; a fault if it tells other matches than the seed chooses."""
        holder, play = chunk.holder, chunk.part.play
        self._digests: dict[int, str] = {}
        self._found = found
        path = holder.folder / file_name(play)
        if not path.is_file() or path.is_symlink():
            return
        with found.told():
            told = [(match, hashlib.sha256(text).hexdigest()) for match, text in lines(path)]
            matches = sum(part.matches for part in holder.parts if part.play == play)
            one = asked(holder.folder)
            wanted = one.records if one else len(told)
            if not wanted == len(told) <= matches:
                raise VerificationFailed(f"{file_name(play)} tells {len(told)} matches, not {wanted}")
            if [match for match, _ in told] != chosen(chunk.spec.seed, play, matches, wanted):
                found.fault(f"{file_name(play)} tells other matches than those that the seed chooses")
            self._digests = dict(told)

    def same(self, chunk: _Chunk, tell: Tell | None) -> bool:
        """Whether the matches of a chunk that are told, told again, are the same to the letter."""
        matches = range(chunk.first, chunk.first + chunk.matches)
        told = [match for match in self._digests if match in matches]
        if told and tell is None:
            words = "matches told in full were not compared: nothing was given that tells one"
            if words not in self._found.notes:
                self._found.notes.append(words)
            return True
        return all(
            hashlib.sha256(line_of(tell(chunk.spec, match))).hexdigest() == self._digests[match]
            for match in told
            if tell is not None
        )


def _kept(chunk: _Chunk, table: Table) -> str:
    """Content hash of the rows of a chunk as the folder holds them; empty if they cannot be read."""
    path = chunk.holder.folder / chunk.part.path(table)
    rows = []
    try:
        for block in read_blocks(path, table):
            ids = block["match_id"]
            chosen_rows = (ids >= chunk.first) & (ids < chunk.first + chunk.matches)
            if chosen_rows.any():
                rows.append({name: column[chosen_rows] for name, column in block.items()})
    except VerificationFailed:
        return ""
    return _content(table, rows)


def _content(table: Table, blocks: Sequence[Columns]) -> str:
    digest = ColumnHash(table)
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()


class _Keys:
    """Whether the keys of a file are there, each once and in order, fed block by block of whole matches."""

    def __init__(self, part: Part, table: Table) -> None:
        self._part = part
        self._inner = next((name for name in table.key if name not in _OUTER), None)
        self._whole = table in (part.family.matches, part.family.units)
        self._next = part.first
        self._faults: list[str] = []
        self.rows = 0

    def update(self, block: Columns) -> None:
        """Look at the next rows."""
        ids = block["match_id"]
        self.rows += len(ids)
        if not len(ids):
            return
        begins = np.ones(len(ids), np.bool_)
        np.not_equal(ids[1:], ids[:-1], out=begins[1:])
        starts = np.flatnonzero(begins)
        named = ids[starts]
        expected = np.arange(self._next, self._next + len(named))
        if self._whole and not np.array_equal(named, expected):
            self._faults.append(f"match {self._next} or one after it is missing, or not in its place")
        elif (np.diff(named) <= 0).any() or named[0] < self._next or named[-1] >= self._part.end:
            self._faults.append("matches that do not belong here, or not in their order")
        self._next = int(named[-1]) + 1
        if self._inner is None:
            repeated = len(named) != len(ids)
        else:
            repeated = not _counts_from_one(block[self._inner], begins)
        if repeated:
            self._faults.append(f"keys {self._inner or 'match_id'} are missing, or there twice")

    def faults(self) -> Iterator[str]:
        """What was found, each thing once."""
        if self._whole and not self._faults and self._next != self._part.end:
            yield f"match {self._next} and those after it are missing"
        yield from dict.fromkeys(self._faults)


def _counts_from_one(places: NDArray[np.integer[Any]], begins: NDArray[np.bool_]) -> bool:
    """Whether `places` are 1 where a match begins, and one more than the place before it elsewhere."""
    if (places < 1).any():  # a step beyond the largest number of its type would look like one
        return False
    follows = places[1:] - places[:-1] == 1
    return np.array_equal(places == 1, begins) and bool((begins[1:] | follows).all())


_OUTER: Final = ("rules", "player_1", "player_2", "match_id")
"""Labels and match; what a key has beyond them counts from 1 within the match."""


def _entries(plain: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The files of a manifest.

    Raises
    ------
    VerificationFailed
        They are none.
    """
    files = plain.get("files")
    if not isinstance(files, list) or not all(
        isinstance(entry, dict)
        and isinstance(entry.get("path"), str)
        and isinstance(entry.get("sha256"), str)
        and type(entry.get("bytes")) is int
        for entry in files
    ):
        raise VerificationFailed(f"{MANIFEST} is no manifest of a run")
    return files
