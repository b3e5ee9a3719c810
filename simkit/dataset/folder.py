"""A run folder: how its files are named, read with suspicion, and written so that a crash leaves them whole.

    run.json              what is played: written first
    journal.jsonl         one line per published part, the only record of what the folder holds
    matches/ sets/        (games/) one Parquet file per part, named by play, first match and number of matches
    figures/              sums over the run, written again at the end of each run
    estimates.parquet     README.md     page.json report.html     made from the rest
    manifest.json         written last: every file with size and digests, and a digest of itself; without it a
                          run is unfinished
    .staging/ .lock       a writer's own: files in the making, and the mark that somebody is writing

A part is published in one order: written and synced in `.staging`, renamed into its folder, then noted in
the journal. Whatever a crash leaves behind is either noted, hence whole, or not noted, hence thrown away and
played again by the next run. Every file that is not made from the others carries a digest, in the journal or
in itself, and the next run plays again whatever does not fit it.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit import __version__
from simkit.dataset.parquet import (
    REMEDY,
    ROWS_PER_GROUP,
    ColumnHash,
    Columns,
    arrow_schema,
    arrow_table,
    check_columns,
    count_rows,
    encode,
    open_writer,
    read_frame,
    read_labels,
)
from simkit.dataset.plays import (
    DICE,
    MAX_MATCHES,
    RUN_NAME,
    PlaySpec,
    StoredPlay,
    canonical,
    check_plays,
    readable,
    run_digest,
)
from simkit.dataset.schema import ESTIMATES, FIGURE_SUMS, FIGURES, TABLES, Family, Table
from simkit.errors import FolderMismatch, SimkitError, UsageError, VerificationFailed
from simkit.files import open_plain, read_plain

RUN, JOURNAL, MANIFEST, CARD = "run.json", "journal.jsonl", "manifest.json", "README.md"
STAGING, LOCK = ".staging", ".lock"
DATASET = "dataset.json"
DESCRIPTIONS: Final = (
    DATASET, "datapackage.json", "croissant.json", "data_dictionary.md", "LICENSE", "CITATION.cff",
)  # fmt: skip
"""What a research dataset has besides; see `simkit.research`."""
FURTHER: Final = ("report*.html", "holes/p*.parquet", "records/p*.jsonl", "schemas/*.json")
"""Files of which there may be several."""
LOCKED_BYTE: Final = 2**30
"""Where Windows locks the file, beyond what is written in it, which others may read."""

SMALL_JSON: Final = 16 * 2**20
LARGE_JSON: Final = 256 * 2**20
MOST_ROWS: Final = 2**40
"""Rows of a further table in one part; a match may have any number."""
"""Larger files of these kinds are not ours and are refused unread (bytes)."""

MOST_NAMED: Final = 8
"""Runs that a message names where no run is meant by what was given."""

PART_NAME: Final = re.compile(r"p\d{3}-\d{10}-\d{10}\.parquet")

OLDER_DICE: Final = (
    "was played with dice {}, which this simkit reads and no longer throws (it has " + DICE + ")"
)
"""What is said where a run should be gone on with."""

Sums = NDArray[np.int64]
"""Shape (2 sides, figures, 2): ways and points."""


@dataclass(frozen=True)
class FileFacts:
    """What the journal keeps of one file."""

    rows: int
    bytes: int
    sha256: str
    content_sha256: str


@dataclass(frozen=True)
class Part:
    """A published stretch of one play: matches `first` to `first + matches - 1`."""

    play: int
    first: int
    matches: int
    files: Mapping[str, FileFacts]
    figures: tuple[tuple[tuple[int, int], ...], ...]
    family: Family = field(repr=False)
    """What is kept of its play; tables of two families may have the same names and other columns."""
    of: str = field(default="", repr=False)
    """Digest of what decides the rows of its play; empty in lines of an older version."""

    @property
    def end(self) -> int:
        """The match after its last."""
        return self.first + self.matches

    def path(self, table: Table) -> Path:
        """Its file of one table, relative to the run folder."""
        return Path(table.name) / part_name(self.play, self.first, self.matches)

    def line(self) -> bytes:
        """Its line in the journal; `check` is a digest of the rest."""
        plain = {
            "play": self.play,
            "first": self.first,
            "matches": self.matches,
            "files": {name: vars(facts) for name, facts in self.files.items()},
            "figures": self.figures,
            **({"of": self.of} if self.of else {}),
        }
        return json.dumps({**plain, "check": digest_of(plain)}, separators=(",", ":")).encode() + b"\n"


def part_name(play: int, first: int, matches: int) -> str:
    """File name of a part; in this order, names sort as their matches do."""
    return f"p{play:03d}-{first:010d}-{matches:010d}.parquet"


# -- reading -------------------------------------------------------------------------------------------


def read_json(path: Path, limit: int = SMALL_JSON) -> Any:
    """A JSON file that may come from anywhere.

    Raises
    ------
    VerificationFailed
        It is missing, a link, larger than `limit` bytes, or no JSON.
    """
    return parse_json(path.name, _read_limited(path, limit))


def parse_json(name: str, text: bytes) -> Any:
    """JSON without NaN or infinities; `name` is the file's, for the message."""
    try:
        found = json.loads(text, parse_constant=_no_constant)
        if b"\\u" in text:  # an escape may be half of a character, which cannot be written again
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except (ValueError, RecursionError) as error:
        raise VerificationFailed(f"{name} is no JSON: {error or type(error).__name__}") from error


def digest_of(plain: Any) -> str:
    """SHA-256 of plain values as canonical JSON, 64 hex digits."""
    return hashlib.sha256(canonical(plain)).hexdigest()


@dataclass(frozen=True)
class Described:
    """What `run.json` says: the name of the run, its plays, and whether it is as it was written.

    The plays are those of its digest in any case; names, titles and other prose are sure only if `intact`.
    """

    name: str
    plays: tuple[StoredPlay, ...]
    intact: bool
    rows_of: str = ""
    """Name of the runs that hold its rows, one for each play; empty where the folder holds them itself."""
    matches: tuple[int, ...] = ()
    """How many of their matches count, of each play."""
    dice: str = DICE
    """The dice it was played with; a run of older ones can be read, and not gone on with."""

    @property
    def digest(self) -> str:
        """Digest of what was played."""
        return run_digest(self.plays, self.dice)


def read_run(folder: Path) -> Described:
    """What `run.json` says of a run folder; the digests in it are recomputed.

    Raises
    ------
    UsageError
        There is no run in this folder.
    VerificationFailed
        `run.json` does not describe a run, describes another than its digest says, or was changed.
    """
    found = describe_run(folder)
    if not found.intact:
        raise VerificationFailed(
            f"{folder / RUN} was changed after it was written; restore it, or run the command that wrote it "
            "again: it writes that file anew"
        )
    return found


def describe_run(folder: Path) -> Described:
    """What `run.json` says, changed or not; what is raised is as for `read_run`."""
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise UsageError(f"no run folder: {folder} {what}{_meant(folder)}")
    if not (folder / RUN).exists():
        raise UsageError(f"no run folder: {folder} holds no {RUN}{_meant(folder)}")
    plain = read_json(folder / RUN)
    if (
        not isinstance(plain, dict)
        or plain.get("schema") != "run/1"
        or not isinstance(plain.get("plays"), list)
    ):
        raise VerificationFailed(f"{RUN} does not describe a run (schema run/1)")
    dice = plain.get("dice")
    if not isinstance(dice, str) or not readable(dice):
        raise VerificationFailed(f"{RUN}: played with dice {dice!r}; this simkit reads those up to {DICE}")
    plays = tuple(StoredPlay.from_plain(play) for play in plain["plays"])
    if not plays or run_digest(plays, dice) != plain.get("digest"):
        raise VerificationFailed(f"{RUN}: its digest is not that of its plays")
    name, rows_of, seal = plain.get("name"), plain.get("rows_of", ""), plain.pop("sha256", None)
    if rows_of and not (isinstance(rows_of, str) and RUN_NAME.fullmatch(rows_of)):
        raise VerificationFailed(f"{RUN}: rows_of = {rows_of!r} is no name of a run")
    matches = plain.get("matches", []) if rows_of else []
    if rows_of and not (
        isinstance(matches, list)
        and len(matches) == len(plays)
        and all(type(number) is int and 1 <= number <= MAX_MATCHES for number in matches)
    ):
        raise VerificationFailed(f"{RUN}: matches = {matches!r} is no number for each of its plays")
    intact = isinstance(name, str) and seal == digest_of(plain)
    return Described(str(name or ""), plays, intact, rows_of, tuple(matches), dice)


def _meant(folder: Path) -> str:
    """Name the runs that may be meant: those in a folder of runs, or in the one in results/ that has the name."""
    around = folder if folder.is_dir() else Path("results") / folder
    found = sorted(one.parent for one in around.glob(f"*/{RUN}")) if around.is_dir() else []
    named = "; ".join(f"{one} of {_size(one)}" for one in found[:MOST_NAMED])
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return f"; the runs of this name are {named}{more}" if found else ""


def _size(folder: Path) -> str:
    """Say of how many plays a run is, by which one of an experiment is told from one of a rule set."""
    try:
        plays = len(read_json(folder / RUN)["plays"])
    except (KeyError, TypeError, VerificationFailed):
        return "unknown plays"
    return f"{plays} play{'s' * (plays != 1)}"


def check_labels(folder: Path, plays: Sequence[StoredPlay], parts: Sequence[Part]) -> None:
    """Compare the names in `run.json` with the labels in the rows, one file of each play.

    Raises
    ------
    VerificationFailed
        They differ: somebody changed one of them.
    """
    for part in {part.play: part for part in parts}.values():
        table = part.family.matches
        path, labels = part.path(table), plays[part.play].labels
        for column, found in read_labels(folder / path, table).items():
            if found != labels[column]:
                raise VerificationFailed(
                    f"{folder}: {column} is {labels[column]!r} in {RUN} and {found!r} in the rows "
                    f"({path.as_posix()}); one of them was changed"
                )


def read_journal(
    folder: Path, plays: Sequence[StoredPlay], note: Callable[[str], None] | None = None
) -> tuple[Part, ...]:
    """All published parts, ordered by play and first match; a last line cut short by a crash does not count.

    With `note`, a damaged line is told there and left out.

    Raises
    ------
    VerificationFailed
        A line is no part of this run, or two parts hold the same match.
    """
    if not (folder / JOURNAL).exists():
        return ()
    *lines, _ = _read_limited(folder / JOURNAL, LARGE_JSON).split(b"\n")
    read, digests = [], [digest_of(play.identity) for play in plays]
    for number, line in enumerate(lines, 1):
        try:
            read.append(_part(parse_json(f"{JOURNAL}, line {number}", line), plays, digests, number))
        except VerificationFailed as error:
            if note is None:
                raise VerificationFailed(f"{error}; {REMEDY}") from error
            note(f"{error}; its matches are played again")
    latest = {(part.play, part.first, part.matches): part for part in read}
    parts = tuple(latest[key] for key in sorted(latest))
    for before, after in itertools.pairwise(parts):
        if before.play == after.play and before.end > after.first:
            raise VerificationFailed(f"{JOURNAL}: match {after.first} of play {after.play} is held twice")
    return parts


Stretch = tuple[int, int, int]
"""Play, first match and number of matches: what one part holds."""


def read_promised(folder: Path, plays: Sequence[StoredPlay], dice: str = DICE) -> tuple[Stretch, ...] | None:
    """The parts that the manifest of a run counts; none without one, None if nothing can be made of it.

    A writer takes the manifest away before it plays on, and the journal then only grows: who reads the manifest
    first, and then the journal, finds every one of these parts there.
    """
    if not (folder / MANIFEST).exists():
        return ()
    try:
        plain = read_json(folder / MANIFEST, LARGE_JSON)
        if plain["digest"] != run_digest(plays, dice):
            return None
        return tuple(
            (play, _whole(first, MAX_MATCHES), _whole(matches, MAX_MATCHES))
            for play, one in zip(range(len(plays)), plain["plays"], strict=True)
            for first, matches in one["ranges"]
        )
    except (VerificationFailed, KeyError, TypeError, ValueError):
        return None


def unnamed(promised: Sequence[Stretch] | None, parts: Sequence[Part]) -> list[Stretch]:
    """The parts that a manifest counts and the journal does not name."""
    named = {(part.play, part.first, part.matches) for part in parts}
    return [one for one in promised or () if one not in named]


def unnamed_words(plays: Sequence[StoredPlay], lost: Sequence[Stretch]) -> str:
    """Say which matches the journal should name: how many, and the first stretches of them."""
    shown = "; ".join(
        f"{first} to {first + matches - 1} of {plays[play].title}"
        for play, first, matches in lost[:MOST_NAMED]
    )
    more = f" and {len(lost) - MOST_NAMED} more stretches" if len(lost) > MOST_NAMED else ""
    count = sum(matches for _, _, matches in lost)
    return f"{JOURNAL} does not name {count:,} of the matches that {MANIFEST} counts: {shown}{more}"


def refuse_unnamed(
    folder: Path,
    plays: Sequence[StoredPlay],
    promised: Sequence[Stretch] | None,
    parts: Sequence[Part],
) -> None:
    """Refuse a run whose journal has lost parts; without a manifest it was interrupted, and nothing is promised.

    Raises
    ------
    VerificationFailed
        The manifest counts matches that the journal does not name, or there is one that cannot be read beside a
        journal that names nothing.
    """
    if lost := unnamed(promised, parts):
        raise VerificationFailed(f"{folder}: {unnamed_words(plays, lost)}; {REMEDY}")
    if promised is None and not parts:
        raise VerificationFailed(
            f"{folder}: {JOURNAL} names no match, and {MANIFEST} cannot be read or is of another run; {REMEDY}"
        )


def sound(folder: Path, part: Part) -> bool:
    """Whether the files of a part are there, of the size noted, with footers that count the rows noted."""
    return all(_is_sound(folder, part, table) for table in part.family.played)


def unsound_file(folder: Path, part: Part) -> str:
    """Name the first file of a part that is not intact, with its folder; the last if it has just been mended."""
    *others, last = part.family.played
    found = next((table for table in others if not _is_intact(folder, part, table)), last)
    return part.path(found).as_posix()


def _is_sound(folder: Path, part: Part, table: Table) -> bool:
    """Whether the file of one table of a part is sound."""
    path, facts = folder / part.path(table), part.files[table.name]
    try:
        return path.lstat().st_size == facts.bytes and count_rows(path) == facts.rows
    except (OSError, VerificationFailed):
        return False


def intact(folder: Path, part: Part) -> bool:
    """Whether the files of a part are sound and have the bytes noted; every byte is read."""
    return all(_is_intact(folder, part, table) for table in part.family.played)


def _is_intact(folder: Path, part: Part, table: Table) -> bool:
    """Whether the file of one table of a part is sound and has the bytes noted."""
    try:
        return (
            _is_sound(folder, part, table)
            and file_sha256(folder / part.path(table)) == part.files[table.name].sha256
        )
    except OSError:
        return False


def sum_figures(parts: Sequence[Part], plays: int, kinds: int = len(FIGURES)) -> list[Sums]:
    """Times and points of each play, summed exactly over its parts; `kinds`, how many figures there are."""
    sums = [[[[0, 0] for _ in range(kinds)] for _ in range(2)] for _ in range(plays)]
    for part in parts:
        for side, figures in enumerate(part.figures):
            for figure, (ways, points) in enumerate(figures):
                total = sums[part.play][side][figure]
                total[0] += ways
                total[1] += points
    try:
        return [np.array(play, np.int64).reshape(2, kinds, 2) for play in sums]
    except OverflowError as error:
        raise VerificationFailed(f"{JOURNAL}: figures that no run can hold") from error


# -- writing -------------------------------------------------------------------------------------------


class FolderWriter:
    """The one writer of a run folder; use it as a context, it holds the folder's lock.

    Parameters
    ----------
    folder : Path
        The run folder itself; made if it is not there.
    plays : sequence of PlaySpec
        What is to be played.
    name : str
        Name of the run, kept in `run.json`.
    note : callable
        Told in words what the writer found: parts that were damaged, labels that differ.

    Raises
    ------
    UsageError
        The folder is a file, or holds something else than a run.
    FolderMismatch
        The folder holds another play; nothing in it has been touched.
    SimkitError
        Another process is writing there, or the folder cannot be written.
    """

    def __init__(
        self,
        folder: Path,
        plays: Sequence[PlaySpec],
        name: str = "",
        note: Callable[[str], None] | None = None,
    ) -> None:
        self.folder = folder
        self.name = name
        self.plays = check_plays(plays)
        self.family = self.plays[0].family
        if any(play.family is not self.family for play in self.plays):
            raise UsageError(
                "plays of two players and of more cannot share a folder, as they keep other columns of sets; an "
                "experiment may name a run for the rows of each (rows_of)"
            )
        self.digest = run_digest(self.plays)
        self.parts: tuple[Part, ...] = ()
        self._note = note or (lambda _: None)
        self._lock: IO[bytes] | None = None

    def __enter__(self) -> FolderWriter:
        with writing(self.folder):
            self._refuse_strangers()
            _make_folder(self.folder)
            self._lock = lock(self.folder)
        try:
            with writing(self.folder):
                self._take_over()
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._release()

    def missing(self, play: int, matches: int) -> list[tuple[int, int]]:
        """Stretches (first, end) of the first `matches` matches of a play that the folder does not hold."""
        gaps, at = [], 0
        for part in self.parts:
            if part.play == play and at < matches:
                if part.first > at:
                    gaps.append((at, min(part.first, matches)))
                at = max(at, part.end)
        if at < matches:
            gaps.append((at, matches))
        return gaps

    def held(self, play: int) -> int:
        """Matches of a play that the folder holds."""
        return sum(part.matches for part in self.parts if part.play == play)

    def kept(self) -> int:
        """Matches of all plays that the journal on the disk notes, whatever has interrupted the writer."""
        return sum(part.matches for part in read_journal(self.folder, self.plays, lambda _: None))

    def begin_part(self, play: int, first: int, matches: int) -> PartWriter:
        """A part to be filled with chunks and published."""
        return PartWriter(self, play, first, matches)

    def metadata(self, play: int, table: Table) -> dict[str, str]:
        """What the files of one play say of themselves, beside schema name and columns."""
        stored = self.plays[play]
        return {
            "version": __version__,
            "commit": commit(),
            "dice": DICE,
            "run_digest": self.digest,
            "play_digest": stored.rules.play_digest,
            "rules_digest": stored.rules.digest,
            "rules": stored.rules.to_json(),
            "players": json.dumps([player.digest for player in stored.players]),
            "seed": str(stored.seed),
            **({"starts": json.dumps(stored.identity["starts"])} if stored.starts else {}),
            "row": table.row,
        }

    def note_part(self, part: Part) -> None:
        """Enter a part whose files are in place into the journal."""
        with (self.folder / JOURNAL).open("ab") as journal:
            journal.write(part.line())
            journal.flush()
            os.fsync(journal.fileno())
        self.parts = tuple(sorted((*self.parts, part), key=lambda item: (item.play, item.first)))

    def reopen(self) -> None:
        """Take the marks of a finished run away before more is played."""
        with writing(self.folder):
            sums = (self.folder / table.name / "figures.parquet" for table in self.family.sums)
            for path in (self.folder / MANIFEST, *sums):
                path.unlink(missing_ok=True)
            sync_folder(self.folder)

    def finish(self, card: str | None) -> None:
        """Write the sums, the card of the dataset unless it is to stay, and, last, the manifest."""
        with writing(self.folder):
            self._drop_damaged_estimates()
            if self.family.figures:
                write_figures(self)
            if card is not None:
                publish(self.folder, CARD, card.encode())
            write_manifest(self.folder, self.plays, self.parts)

    def _drop_damaged_estimates(self) -> None:
        """Take estimates away that cannot be read, so that the manifest does not vouch for them."""
        path = self.folder / "estimates.parquet"
        if path.exists():
            try:
                read_frame([path], ESTIMATES)
            except VerificationFailed as error:
                self._note(f"{error}; they are taken away")
                path.unlink()

    def _refuse_strangers(self) -> None:
        """Refuse a folder that is not ours to write in, before anything in it is touched."""
        for path in (self.folder, *self.folder.parents):
            if path.exists() and not path.is_dir():
                raise UsageError(f"{self.folder}: {path.name} is a file; name a folder for the run")
        if not self.folder.exists():
            return
        if (self.folder / RUN).exists():
            self._compare()
            return
        ours = {STAGING, LOCK, JOURNAL, *(table.name for table in TABLES)}
        others = sorted(path.name for path in self.folder.iterdir() if path.name not in ours)
        if others:
            raise UsageError(
                f"{self.folder} is no run folder: it holds {others[0]} and no {RUN}; name an empty one"
            )

    def _compare(self) -> Described:
        """What the folder says of itself, if its plays are those asked for."""
        found = describe_run(self.folder)
        if found.digest != self.digest:
            if found.dice != DICE:
                raise FolderMismatch(f"{self.folder} {OLDER_DICE.format(found.dice)}; name another folder")
            held = "; ".join(f"{play.title}, seed {play.seed}" for play in found.plays)
            raise FolderMismatch(
                f"{self.folder} holds another play (digest {found.digest[:12]}: {held}), "
                f"not the one asked for (digest {self.digest[:12]}); name another folder"
            )
        if found.rows_of:
            raise FolderMismatch(
                f"{self.folder} holds no rows of its own, they are those of {found.rows_of}; name another folder"
            )
        return found

    def _take_over(self) -> None:
        """With the lock held: clear what a crash left, write `run.json` if it is new, read the journal."""
        shutil.rmtree(self.folder / STAGING, ignore_errors=True)
        for table in (*self.family.played, *self.family.sums):
            _make_folder(self.folder / table.name)
        found = self._compare() if (self.folder / RUN).exists() else None
        promised = read_promised(self.folder, self.plays)
        noted = read_journal(self.folder, self.plays, self._note)
        if lost := unnamed(promised, noted):
            self._note(f"{unnamed_words(self.plays, lost)}; those asked for are played again")
            (self.folder / MANIFEST).unlink()  # the run is unfinished, whatever interrupts us now
        self.parts = tuple(part for part in noted if intact(self.folder, part))
        for part in noted:
            if part not in self.parts:
                self._note(f"{unsound_file(self.folder, part)} is damaged or missing and is played again")
        if found is None:
            self._write_run()
        else:
            self._keep_labels(found)
        lines = b"".join(part.line() for part in self.parts)
        if _read_limited(self.folder / JOURNAL, LARGE_JSON, missing=b"") != lines:
            publish(self.folder, JOURNAL, lines)
        self._drop_strays()

    def _keep_labels(self, found: Described) -> None:
        """Go on under the names the folder has; write `run.json` anew if it was changed."""
        if found.intact:
            check_labels(self.folder, found.plays, self.parts)
            for held, play in zip(found.plays, self.plays, strict=True):
                if held.labels != play.labels:
                    self._note(f"the folder calls this play {held.title}; its rows keep those labels")
            self.name, self.plays = found.name, found.plays
            return
        try:
            check_labels(self.folder, self.plays, self.parts)
        except VerificationFailed as error:
            raise VerificationFailed(
                f"{self.folder / RUN} was changed after it was written, and the rows were played under other "
                "names than those asked for; restore it, or name another folder"
            ) from error
        self._note(f"{RUN} was changed after it was written, or is of an older version; it is written anew")
        self._write_run()

    def _write_run(self) -> None:
        publish(self.folder, RUN, run_json(self.name, self.plays))

    def _drop_strays(self) -> None:
        """Remove files of parts that were never noted: the matches in them will be played again."""
        for table in self.family.played:
            kept = {part.path(table).name for part in self.parts}
            for path in (self.folder / table.name).iterdir():
                if PART_NAME.fullmatch(path.name) and path.name not in kept:
                    path.unlink()

    def _release(self) -> None:
        shutil.rmtree(self.folder / STAGING, ignore_errors=True)
        if self._lock is not None:
            self._lock.close()
            self._lock = None


class PartWriter:
    """One part in the making; chunks are added in the order of their matches.

    The encoded tables stay in memory, some 20 bytes per set, until `publish` writes them in one go.
    """

    def __init__(self, folder: FolderWriter, play: int, first: int, matches: int) -> None:
        self._folder, self._play, self._first, self._matches = folder, play, first, matches
        self._next = first
        self._family = folder.family
        self._sums = [[[0, 0] for _ in self._family.figures] for _ in range(2)]
        self._tables = {
            table.name: Encoder(table, folder.plays[play].labels, folder.metadata(play, table))
            for table in self._family.played
        }

    def add(
        self, matches: Columns, sets: Columns, figures: Sums, others: Mapping[str, Columns] | None = None
    ) -> None:
        """Add the next chunk: rows of matches, rows of their sets, parties or games, sums of figures.

        `others`: rows of the further tables of the family, by table.

        Raises
        ------
        SimkitError
            The rows are not those of the matches expected.
        """
        units, kinds = self._family.units, len(self._family.figures)
        count = check_columns(self._family.matches, matches)
        ids = matches["match_id"]
        if not count or not np.array_equal(ids, np.arange(self._next, self._next + count)):
            raise SimkitError(f"rows of matches: match {self._next} and those after it were expected")
        rows = {units.name: sets} | {table.name: (others or {})[table.name] for table in self._family.others}
        for table in (units, *self._family.others):
            check_columns(table, rows[table.name])
            owners = rows[table.name]["match_id"]
            if owners.size and (owners[0] < ids[0] or owners[-1] > ids[-1] or (np.diff(owners) < 0).any()):
                raise SimkitError(
                    f"rows of {table.name}: not those of the matches beside them, in their order"
                )
        if figures.shape != (2, kinds, 2) or figures.dtype != np.int64:
            raise SimkitError(f"figures: {figures.dtype} {figures.shape}, not int64 (2, {kinds}, 2)")
        self._next += count
        for total, more in zip(self._sums, figures.tolist(), strict=True):
            for pair, (ways, points) in zip(total, more, strict=True):
                pair[0] += ways
                pair[1] += points
        self._tables[self._family.matches.name].add(matches)
        for name, more_rows in rows.items():
            self._tables[name].add(more_rows)

    def publish(self) -> Part:
        """Write the part, move it into its place and note it.

        Raises
        ------
        SimkitError
            Matches are missing, or the folder cannot be written; the part is then not there.
        """
        if self._next != self._first + self._matches:
            raise SimkitError(f"match {self._next} is missing from the part that should hold it")
        written = {name: encoder.finish() for name, encoder in self._tables.items()}
        part = Part(
            self._play,
            self._first,
            self._matches,
            {name: facts for name, (facts, _) in written.items()},
            tuple(tuple((ways, points) for ways, points in side) for side in self._sums),
            self._family,
            digest_of(self._folder.plays[self._play].identity),
        )
        with writing(self._folder.folder):
            for table in self._family.played:
                publish(self._folder.folder, part.path(table).as_posix(), written[table.name][1])
            self._folder.note_part(part)
        return part


class Encoder:
    """A Parquet file in memory that grows chunk by chunk."""

    def __init__(self, table: Table, labels: Mapping[str, str], metadata: Mapping[str, str]) -> None:
        self._table, self._labels = table, labels
        self._schema = arrow_schema(table, metadata)
        self._buffer = io.BytesIO()
        self._writer = open_writer(self._buffer, table, self._schema)
        self._waiting: list[Any] = []
        self._rows = self._rows_waiting = 0
        self._hash = ColumnHash(table)

    def add(self, columns: Columns) -> None:
        """Take rows; they are encoded once they fill a row group."""
        self._waiting.append(arrow_table(self._table, self._schema, self._labels, columns))
        self._rows_waiting += self._waiting[-1].num_rows
        self._hash.update(columns)
        if self._rows_waiting >= ROWS_PER_GROUP:
            self._encode()

    def finish(self) -> tuple[FileFacts, bytes]:
        """Encode what waits; the facts of the file, and the file."""
        if self._rows_waiting:
            self._encode()
        self._writer.close()
        content = self._buffer.getvalue()
        digest = hashlib.sha256(content).hexdigest()
        return FileFacts(self._rows, len(content), digest, self._hash.hexdigest()), content

    def _encode(self) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.concat_tables(self._waiting).combine_chunks())
        self._rows += self._rows_waiting
        self._waiting, self._rows_waiting = [], 0


def rows_in(folder: Path, rows_of: str, plays: Sequence[StoredPlay], dice: str = DICE) -> tuple[Path, ...]:
    """Name the folders that hold the rows of a run, one for each play; none where it holds them itself."""
    if not rows_of:
        return ()
    root = folder.absolute().parents[1] / rows_of
    return tuple(root / run_digest([play], dice)[:12] for play in plays)


def run_json(name: str, plays: Sequence[StoredPlay], rows_of: str = "", matches: Sequence[int] = ()) -> bytes:
    """What `run.json` holds; `sha256` is a digest of the rest. The last two are for rows that lie elsewhere."""
    plain = {
        "schema": "run/1",
        "digest": run_digest(plays),
        "name": name,
        **({"rows_of": rows_of, "matches": list(matches)} if rows_of else {}),
        "dice": DICE,
        "simkit": __version__,
        "commit": commit(),
        "plays": [play.to_plain() for play in plays],
    }
    return json_bytes({**plain, "sha256": digest_of(plain)})


def write_figures(folder: FolderWriter) -> None:
    """Write `figures/figures.parquet`: the sums of all parts, by play, side and figure."""
    sums = sum_figures(folder.parts, len(folder.plays))
    publish(
        folder.folder,
        f"{FIGURE_SUMS.name}/figures.parquet",
        encoded_figures(folder.plays, sums, folder.digest),
    )


def encoded_figures(plays: Sequence[StoredPlay], sums: Sequence[Sums], digest: str) -> bytes:
    """The file of figures of a run with this digest, from the sums of each play."""
    import pyarrow as pa

    schema = arrow_schema(FIGURE_SUMS, {"version": __version__, "dice": DICE, "run_digest": digest})
    tables = [
        arrow_table(FIGURE_SUMS, schema, play.labels, figure_columns(of_play))
        for play, of_play in zip(plays, sums, strict=True)
    ]
    rows = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    return encode(FIGURE_SUMS, schema, rows)


def figure_columns(sums: Sums) -> dict[str, NDArray[Any]]:
    """The data columns of `figures` for one play."""
    kinds = len(FIGURES)
    return {
        "side": np.repeat(np.array([1, 2], np.int8), kinds),
        "figure": np.tile(np.arange(kinds, dtype=np.int8), 2),
        "ways": sums[:, :, 0].ravel(),
        "points": sums[:, :, 1].ravel(),
    }


def write_manifest(
    folder: Path, plays: Sequence[StoredPlay], parts: Sequence[Part], matches: Sequence[int] = ()
) -> None:
    """Write `manifest.json`."""
    publish(folder, MANIFEST, manifest(folder, plays, parts, matches))


def made_files(folder: Path) -> list[str]:
    """The files a run folder holds beside those of its parts and the manifest: names relative to it."""
    fixed = (
        RUN,
        JOURNAL,
        CARD,
        f"{FIGURE_SUMS.name}/figures.parquet",
        "estimates.parquet",
        "page.json",
        *DESCRIPTIONS,
    )
    return [name for name in fixed if (folder / name).exists()] + sorted(
        path.relative_to(folder).as_posix() for pattern in FURTHER for path in folder.glob(pattern)
    )


def manifest(
    folder: Path, plays: Sequence[StoredPlay], parts: Sequence[Part], matches: Sequence[int] = ()
) -> bytes:
    """What `manifest.json` should hold: the matches, all files with size and digests, all columns with units.

    Its `sha256` is a digest of the rest. `matches`: how many count of each play, where the rows lie elsewhere.
    """
    files = [
        {"path": part.path(table).as_posix(), **vars(part.files[table.name])}
        for part in parts
        for table in part.family.played
    ]
    for name in made_files(folder):
        facts = {"bytes": (folder / name).stat().st_size, "sha256": file_sha256(folder / name)}
        files.append({"path": name, **facts})
    held = matches or [
        sum(part.matches for part in parts if part.play == place) for place in range(len(plays))
    ]
    plain = {
        "schema": "manifest/1",
        "digest": run_digest(plays),
        "plays": [
            {
                **play.labels,
                **play.identity,
                "matches": held[place],
                "ranges": [[part.first, part.matches] for part in parts if part.play == place],
            }
            for place, play in enumerate(plays)
        ],
        "tables": {
            table.name: {
                "schema": table.schema_name,
                "row": table.row,
                "key": table.key,
                "columns": [
                    {"name": c.name, "type": c.dtype, "unit": c.unit, "description": c.description}
                    for c in table.columns
                ],
            }
            for table in plays[0].family.tables
        },
        "files": sorted(files, key=lambda entry: str(entry["path"])),
    }
    return json_bytes({**plain, "sha256": digest_of(plain)})


def publish(folder: Path, name: str, content: bytes | Iterable[bytes]) -> None:
    """Write one file whole or not at all: in `.staging`, synced, then renamed to `folder/name`.

    Content that comes piece by piece is never held as a whole.
    """
    staging = folder / STAGING
    _make_folder(staging)
    staged = staging / name.replace("/", "-")
    with staged.open("wb") as file:
        file.writelines([content] if isinstance(content, bytes) else content)
        file.flush()
        os.fsync(file.fileno())
    target = folder / name
    staged.replace(target)
    sync_folder(target.parent)


def json_bytes(plain: Any) -> bytes:
    """`plain` as indented JSON."""
    return (json.dumps(plain, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn a failed write into words.

    Raises
    ------
    SimkitError
        The disk is full, the folder is read-only, or the like.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise SimkitError(
            f"cannot write in {folder}: {reason}. What was finished before is kept; "
            "the same command goes on from there"
        ) from error


def lock(folder: Path) -> IO[bytes]:
    """Lock a run folder until the returned file is closed, or the process ends; the file holds our process id.

    Raises
    ------
    SimkitError
        Another process holds the lock; the message names its id.
    """
    if (folder / LOCK).is_symlink():
        raise SimkitError(f"{LOCK} in {folder} is a link; remove it")
    file = (folder / LOCK).open("a+b")
    try:
        _take(file, alone=True)
    except OSError as error:
        known = _owner(file)
        file.close()
        raise SimkitError(
            f"{folder} is being written by another process{known}; wait for it, or name another folder"
        ) from error
    file.truncate(0)
    file.write(f"{os.getpid()}\n".encode())
    file.flush()
    return file


def refuse_writer(folder: Path) -> None:
    """Refuse to verify a folder that is being written.

    Raises
    ------
    SimkitError
        A living process holds the lock; the message names its id.
    """
    try:
        file = open_plain(folder / LOCK)
    except OSError:  # nobody has ever written here, or none that we could tell
        return
    with file:
        try:
            _take(file, alone=False)  # with others who look; let go when the file is closed
        except OSError as error:
            raise SimkitError(
                f"{folder} is being written by another process{_owner(file)}; "
                "it can be verified once that has ended"
            ) from error


def _take(file: IO[bytes], *, alone: bool) -> None:
    """Lock an open lock file; OSError if another process has it."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)


def _owner(file: IO[bytes]) -> str:
    """The process id that a lock file holds, in words."""
    file.seek(0)
    owner = file.read(20).decode(errors="replace").strip()
    return f" (id {owner})" if owner.isdecimal() else ""


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sync_folder(folder: Path) -> None:
    """Make renames in a folder last through a power cut; Windows has no such call."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@cache
def commit() -> str:
    """The commit of the checkout this package runs from, `-dirty` added if its files were changed since.

    Results kept in the checkout do not count: they are made by it and no part of what makes them. "unknown"
    outside a checkout or without git.
    """
    return commit_of(Path(__file__).resolve().parents[2])


def commit_of(root: Path) -> str:
    """The commit of a checkout, as `commit`."""
    import subprocess

    def git(*words: str) -> str:
        quiet = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
        ran = subprocess.run(
            ["git", *words], cwd=root, env=quiet, capture_output=True, text=True, timeout=10, check=True
        )
        return ran.stdout.strip()

    if not (root / ".git").exists():
        return "unknown"
    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)results")
        return git("rev-parse", "HEAD") + ("-dirty" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def _make_folder(folder: Path) -> None:
    if folder.is_symlink() and folder.name in (STAGING, *(table.name for table in TABLES)):
        raise SimkitError(
            f"{folder.name} in the run folder is a link; a run keeps its files in its own folder"
        )
    folder.mkdir(parents=True, exist_ok=True)


def _read_limited(path: Path, limit: int, missing: bytes | None = None) -> bytes:
    if missing is not None and not path.exists():
        return missing
    if path.is_symlink() or not path.is_file():
        raise VerificationFailed(f"{path.name} is missing, or no plain file")
    try:
        size = path.stat().st_size
        if size > limit:
            raise VerificationFailed(f"{path.name} has {size} bytes; more than {limit} are not read")
        return read_plain(path)
    except OSError as error:
        raise VerificationFailed(f"{path.name} cannot be read: {error.strerror}") from error


def _part(plain: Any, plays: Sequence[StoredPlay], digests: Sequence[str], number: int) -> Part:
    """A line of the journal, every number checked; paths are made from the numbers, never read.

    `digests`: of what decides the rows of each play.
    """
    try:
        if plain.pop("check", None) not in (
            None,
            digest_of(plain),
        ):  # None: no check, an older version's line
            raise ValueError("it was changed after it was written")
        play = _whole(plain["play"], len(plays) - 1)
        if plain.get("of", digests[play]) != digests[play]:
            raise ValueError("it is of another play")
        first, matches = _whole(plain["first"], MAX_MATCHES), _whole(plain["matches"], MAX_MATCHES)
        family = plays[play].family
        most = {family.matches.name: matches, family.units.name: matches * plays[play].most_units}
        most |= {table.name: MOST_ROWS for table in family.others}
        files = {name: _facts(plain["files"][name], rows) for name, rows in most.items()}
        figures = tuple(
            tuple((_whole(ways, 2**63 - 1), _whole(points, 2**63 - 1)) for ways, points in side)
            for side in plain["figures"]
        )
        if matches == 0 or [len(side) for side in figures] != [len(family.figures)] * 2:
            raise ValueError("no part")
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise VerificationFailed(f"{JOURNAL}, line {number}: no part of this run ({error})") from error
    return Part(play, first, matches, files, figures, family, digests[play] if "of" in plain else "")


def _facts(plain: Any, most_rows: int) -> FileFacts:
    digests = [plain["sha256"], plain["content_sha256"]]
    if not all(isinstance(text, str) and re.fullmatch("[0-9a-f]{64}", text) for text in digests):
        raise ValueError("no digest")
    return FileFacts(_whole(plain["rows"], most_rows), _whole(plain["bytes"], 2**63 - 1), *digests)


def _whole(value: Any, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= high:
        raise ValueError(f"{value!r} is not a whole number up to {high}")
    return value


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no number")
