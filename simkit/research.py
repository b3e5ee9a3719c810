"""Research datasets: a run of named rule sets and players, with holes, games in full and descriptions for others.

The folder of a dataset is a run folder, so that it is resumed, verified and made again as any run is, and holds
beside `matches`, `sets` and `figures`:

    holes/            one Parquet file beside each of matches: every hole event
    records/          matches chosen at random, told roll by roll: a JSON document a line, a file per play
    dataset.json      what was asked for
    datapackage.json  schemas/        Frictionless: every file with its digest, every column
    croissant.json                    the same in Croissant 1.0
    README.md  LICENSE  CITATION.cff  data_dictionary.md
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from simkit import __version__
from simkit.arguments import check_items, check_text, items_of, refuse
from simkit.batch import Plan, play_run, play_task
from simkit.dataset import (
    DICE,
    FIGURE_SUMS,
    HOLES,
    MAX_MATCHES,
    MAX_SEED,
    RUN_NAME,
    Part,
    PlaySpec,
    Run,
    StoredPlay,
    Table,
    check_path,
    check_plays,
    check_whole,
    data_dictionary,
    run_digest,
)
from simkit.dataset.folder import (
    CARD,
    DATASET,
    LARGE_JSON,
    MANIFEST,
    RUN,
    STAGING,
    Encoder,
    describe_run,
    encoded_figures,
    figure_columns,
    file_sha256,
    json_bytes,
    lock,
    publish,
    read_json,
    write_manifest,
    writing,
)
from simkit.dataset.parquet import read_blocks
from simkit.dataset.run import card
from simkit.drivers.hole_events import hole_events, refuse_without_holes
from simkit.errors import FolderMismatch, UsageError, VerificationFailed
from simkit.extras import EXTRAS, asked, standing
from simkit.players import Player, Players
from simkit.records import FOLDER as RECORDS
from simkit.records import MOST_RECORDS, Tell, chosen, file_name, line_of
from simkit.rules import RuleSet

if TYPE_CHECKING:
    from simkit.progress import Reporter

HOLE_CHUNK: Final = 64
"""Matches that a worker tells the holes of in one go."""
PILOT_MATCHES: Final = 64
"""Matches of each play that an estimate plays, at most."""
OVERHEAD: Final = 1.15
"""Of writing over playing, measured on runs at random."""
START_SECONDS: Final = 1.0
"""A command until it plays its first match, the kernel being compiled: measured."""
WORKER_SECONDS: Final = 1.5
"""A worker process until it tells its first hole: measured."""
COMPILING_SECONDS: Final = 3.0
"""Processor time of the first match of a play, from which on it was compiled for: loading what is compiled takes
some tenths of a second, compiling some ten seconds and more."""
TOLD_MATCHES: Final = 2
"""Matches of each play that an estimate tells in full, at most."""

LICENCES: Final = {
    "CC-BY-4.0": ("Creative Commons Attribution 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "CC0-1.0": ("Creative Commons Zero 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "MIT": ("MIT License", "https://opensource.org/license/mit/"),
}
AUTHORS: Final = "The simkit authors"
MIT: Final = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
"""The text that this licence asks to be passed on; it must stand in every copy."""


@dataclass(frozen=True, kw_only=True)
class Research:
    """What a research dataset holds.

    Attributes
    ----------
    name
        A word of letters, digits, `_`, `-` and `.`.
    rules, players
        Every rule set is played by all players named together; one named alone plays for all.
    matches, seed
        Of each play.
    extras
        Of `EXTRAS`.
    records
        Matches of each play told in full, chosen at random by the seed.
    licence
        A key of `LICENCES`.

    Raises
    ------
    UsageError
        Something of it cannot be.
    """

    name: str
    rules: tuple[RuleSet, ...]
    players: tuple[Players, ...]
    matches: int
    seed: int = 0
    title: str = ""
    extras: tuple[str, ...] = ()
    records: int = 0
    licence: str = "CC-BY-4.0"

    def __post_init__(self) -> None:
        for field in ("name", "title", "licence"):
            check_text(field, getattr(self, field))
        for field, kind, words in (("rules", RuleSet, "rule sets"), ("extras", str, "names of tables")):
            object.__setattr__(
                self, field, check_items(field, getattr(self, field), kind, f"a list of {words}")
            )
        _check_players(self.players)
        if not RUN_NAME.fullmatch(self.name):
            raise UsageError(f"name: {self.name!r} is not a word of letters, digits, '_', '-' and '.'")
        check_whole("matches", self.matches, 1, MAX_MATCHES)
        check_whole("seed", self.seed, 0, MAX_SEED, "2**64 - 1")
        check_whole("records", self.records, 0, min(self.matches, MOST_RECORDS))
        if unknown := [name for name in self.extras if name not in EXTRAS]:
            raise UsageError(f"tables: {unknown[0]!r} is none of {', '.join(EXTRAS)}")
        if ("records" in self.extras) != bool(self.records):
            raise UsageError(
                f"records: {self.records} matches to tell, and tables {', '.join(self.extras) or 'none'}"
            )
        if self.licence not in LICENCES:
            raise UsageError(f"licence: {self.licence!r} is none of {', '.join(LICENCES)}")
        check_plays(self.plays)
        if "holes" in self.extras:
            for rules in self.rules:
                refuse_without_holes(rules)

    @cached_property
    def plays(self) -> tuple[PlaySpec, ...]:
        """Every rule set with every pair of players."""
        return tuple(
            PlaySpec(rules, players * rules.match.players if len(players) == 1 else players, self.seed)
            for rules in self.rules
            for players in self.players
        )

    @property
    def heading(self) -> str:
        """The title, or one made from the name."""
        return self.title or f"Simulated matches: {self.name}"

    def told(self, play: int) -> list[int]:
        """The matches of a play that are told in full, in order."""
        return chosen(self.seed, play, self.matches, self.records)

    def to_plain(self) -> dict[str, Any]:
        """What `dataset.json` holds."""
        return {
            "schema": "simkit.dataset/1",
            "name": self.name,
            "title": self.heading,
            "digest": run_digest(check_plays(self.plays)),
            "rules": [rules.name for rules in self.rules],
            "players": [[one.name for one in players] for players in self.players],
            "matches": self.matches,
            "seed": str(self.seed),
            "extras": list(self.extras),
            "records": self.records,
            "licence": self.licence,
            "dice": DICE,
            "simkit": __version__,
        }


# -- what it would take ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Share:
    """What one table takes of a dataset."""

    table: str
    rows: int
    bytes: int


@dataclass(frozen=True)
class Forecast:
    """What a dataset would take, by a short pilot of each play.

    `seconds` is of `jobs` workers as fast as the one that played the pilot, once everything is compiled.
    """

    tables: tuple[Share, ...]
    matches: int
    seconds: float
    jobs: int
    pilot: int
    """Matches the pilot played."""
    compiling: float = 0.0
    """Seconds in which code was compiled for the pilot, which is kept; 0 if it was compiled already."""

    @property
    def bytes(self) -> int:
        """Bytes of all tables."""
        return sum(share.bytes for share in self.tables)


def _check_players(players: object) -> None:
    tables = items_of(players)
    for table in tables or ():
        check_items("players", items_of(table), Player, "a list of tables, each with its players")
    if tables is None:
        refuse("players", players, "a list of tables, each with its players")


def forecast(research: Research, *, jobs: int | None = None, tell: Tell | None = None) -> Forecast:
    """Play a few matches of each play and reckon size and time of the whole; nothing is written."""
    from joblib import effective_n_jobs

    workers = int(effective_n_jobs(-1 if jobs is None else jobs))
    rows: dict[str, float] = {}
    size: dict[str, float] = {}
    figures: dict[StoredPlay, Any] = {}
    apart = "holes" in research.extras and workers > 1
    seconds, pilot, compiling = START_SECONDS + WORKER_SECONDS * apart, 0, 0.0
    for number, spec in enumerate(research.plays):
        plan, stored = Plan.of(spec), StoredPlay.of(spec)
        count = min(research.matches, PILOT_MATCHES)
        compiling += _warmed(research, number, tell)
        begun = time.perf_counter()
        chunk = play_task(None, spec, 0, count)
        spent = (time.perf_counter() - begun) * OVERHEAD
        family = stored.family
        found = {family.matches: chunk.matches, family.units: chunk.sets}
        found |= {table: getattr(chunk, "others", {})[table.name] for table in family.others}
        files, times = -(-research.matches // plan.round), research.matches / count
        seconds += spent * times / min(workers, -(-research.matches // plan.chunk))
        if "holes" in research.extras:
            begun = time.perf_counter()
            found[HOLES] = hole_events(spec.rules, spec.players, spec.seed, 0, count)
            spent = time.perf_counter() - begun
            seconds += spent * times / min(workers, -(-research.matches // HOLE_CHUNK))
        for table, columns in found.items():
            held, whole = _encoded(table, stored, columns)
            _, empty = _encoded(table, stored, {name: column[:0] for name, column in columns.items()})
            rows[table.name] = rows.get(table.name, 0) + held * times
            size[table.name] = size.get(table.name, 0) + (whole - empty) * times + empty * files
        if family.sums:
            figures[stored] = chunk.figures
        pilot += count
        if research.records and tell is not None:
            begun = time.perf_counter()
            lines = [line_of(tell(spec, match)) for match in research.told(number)[:TOLD_MATCHES]]
            seconds += (time.perf_counter() - begun) * research.records / len(lines)
            rows["records"] = rows.get("records", 0) + research.records
            size["records"] = size.get("records", 0) + sum(map(len, lines)) * research.records / len(lines)
    if figures:  # one file, of as many rows however many matches are played
        rows[FIGURE_SUMS.name] = len(figures) * len(figure_columns(chunk.figures)["side"])
        plays = tuple(figures)
        size[FIGURE_SUMS.name] = len(encoded_figures(plays, [*figures.values()], run_digest(plays)))
    shares = tuple(Share(name, round(rows[name]), round(size[name])) for name in rows)
    return Forecast(shares, research.matches * len(research.plays), seconds, workers, pilot, compiling)


def _warmed(research: Research, number: int, tell: Tell | None) -> float:
    """Play, and tell, one match of a play, by which code is loaded or compiled; seconds, if it was compiled."""
    spec = research.plays[number]
    begun, worked = time.perf_counter(), time.process_time()
    play_task(None, spec, 0, 1)
    if "holes" in research.extras:
        hole_events(spec.rules, spec.players, spec.seed, 0, 1)
    if research.records and tell is not None and number == 0:  # the plays of a dataset are of one family
        tell(spec, research.told(number)[0])
    return time.perf_counter() - begun if time.process_time() - worked > COMPILING_SECONDS else 0.0


def _encoded(table: Table, play: StoredPlay, columns: Mapping[str, Any]) -> tuple[int, int]:
    """Rows, and bytes of a Parquet file of them."""
    encoder = Encoder(table, play.labels, _metadata([play], 0, table))
    encoder.add(columns)
    facts, content = encoder.finish()
    return facts.rows, len(content)


# -- building --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Built:
    """A research dataset as it lies there."""

    research: Research
    run: Run
    files: int
    bytes: int


def build(
    research: Research,
    folder: str | Path,
    *,
    jobs: int | None = None,
    progress: Reporter | None = None,
    tell: Tell | None = None,
) -> Built:
    """Play, tell and describe a research dataset; what the folder holds already is kept.

    A table that is there and was not asked for again stays one of the dataset, is brought up to date like the
    others and described; the research of what is returned names it.

    Parameters
    ----------
    research : Research
        What it holds.
    folder : path
        Its folder; made if it is not there.
    jobs : int, optional
        Workers; they change no byte of a table.
    progress : Reporter, optional
        Told after each round; silent if not given.
    tell : callable, optional
        Tells a match as plain values; needed for `records`.

    Raises
    ------
    FolderMismatch
        The folder holds another play, more matches, or matches told in full without a word on how many.
    SimkitError
        As `simkit.batch.play_run`.
    """
    folder = check_path("folder", folder)
    research = _with_what_stands(research, folder, progress)
    if research.records and tell is None:
        raise UsageError("records: nothing was given that tells a match")
    known = _digests(folder)
    run = play_run(
        research.plays, research.matches, folder=folder, name=research.name, jobs=jobs, progress=progress
    )
    if any(count != research.matches for count in run.counts):
        raise FolderMismatch(
            f"{folder} holds {max(run.counts)} matches of a play and not {research.matches}; name another folder"
        )
    with writing(folder), lock(folder):
        (folder / MANIFEST).unlink(missing_ok=True)
        if "holes" in research.extras:
            (folder / HOLES.name).mkdir(exist_ok=True)
            for part in run.parts:
                _write_holes(run, part, research.plays[part.play], known, jobs)
        if research.records and tell is not None:
            (folder / RECORDS).mkdir(exist_ok=True)
            for number, spec in enumerate(research.plays):
                lines = (line_of(tell(spec, match)) for match in research.told(number))
                publish(folder, file_name(number), lines)
        _describe(research, run)
        write_manifest(folder, run.plays, run.parts)
        (folder / STAGING).rmdir()
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".lock"]
    return Built(research, run, len(files), sum(path.stat().st_size for path in files))


def _with_what_stands(research: Research, folder: Path, progress: Reporter | None) -> Research:
    """The same dataset with the tables that its folder holds besides, so that none is lost or left undescribed."""
    here = {Path(name).parts[0] for name in standing(folder)}
    more = tuple(name for name in EXTRAS if name in here and name not in research.extras)
    fewer = _records_asked(folder) - research.records
    if RECORDS in research.extras and fewer > 0 and progress is not None:
        progress.note(f"{fewer:,} matches of each play that {folder} told in full are not asked for, and go")
    if not more or not (folder / RUN).exists():
        return research
    if describe_run(folder).digest != run_digest(check_plays(research.plays)):
        return research  # which is refused when it is to be played
    records = research.records
    if RECORDS in more:
        records = _records_asked(folder)
        if records > research.matches:
            raise FolderMismatch(
                f"{folder} tells {records} matches of each play in full, and {research.matches} of each are asked "
                "for; ask for as many, or say how many to tell with --tables records --records K"
            )
        if not records:
            raise FolderMismatch(
                f"{folder} holds matches told in full in {RECORDS}/, and no {DATASET} that says how many of the "
                f"{research.matches} of each play; say so with --tables records --records K, or take {RECORDS}/ "
                "away"
            )
    if progress is not None:
        progress.note(f"{' and '.join(more)} of an earlier call stay in {folder}, and are kept up to date")
    extras = tuple(name for name in EXTRAS if name in (*research.extras, *more))
    return replace(research, extras=extras, records=records)


def _records_asked(folder: Path) -> int:
    """How many matches of each play a dataset was asked to tell; 0 if it does not say."""
    try:
        found = asked(folder)
    except VerificationFailed:
        return 0
    return found.records if found else 0


def named_before(folder: Path) -> dict[str, str]:
    """Title and licence of the dataset in this folder, as arguments of `Research`; empty where there is none."""
    try:
        plain = read_json(folder / DATASET) if (folder / DATASET).exists() else {}
        found = {field: plain[field] for field in ("title", "licence") if isinstance(plain.get(field), str)}
    except (VerificationFailed, AttributeError):
        return {}
    return found if found.get("licence") in LICENCES else {}


def _digests(folder: Path) -> dict[str, str]:
    """Digests of files by the manifest of a finished dataset; none if there is none to be read."""
    try:
        plain = read_json(folder / MANIFEST, LARGE_JSON)
        return {entry["path"]: entry["sha256"] for entry in plain["files"]}
    except (VerificationFailed, KeyError, TypeError):
        return {}


def _write_holes(run: Run, part: Part, spec: PlaySpec, known: Mapping[str, str], jobs: int | None) -> None:
    """Write the holes of a part, unless they are there as they were written."""
    name = part.path(HOLES).as_posix()
    if _there(run.folder / name, known.get(name)):
        return
    from joblib import Parallel, delayed

    stretches = [
        (first, min(HOLE_CHUNK, part.end - first)) for first in range(part.first, part.end, HOLE_CHUNK)
    ]
    parallel = Parallel(
        n_jobs=-1 if jobs is None else jobs, prefer="processes", return_as="generator", batch_size=1
    )
    encoder = Encoder(HOLES, run.plays[part.play].labels, _metadata(run.plays, part.play, HOLES))
    tasks = (delayed(hole_events)(spec.rules, spec.players, spec.seed, *one) for one in stretches)
    for columns in parallel(tasks):
        encoder.add(columns)
    publish(run.folder, name, encoder.finish()[1])


def _there(path: Path, sha256: str | None) -> bool:
    """Whether a file is there: by its digest, or if none is known by its pages."""
    if not path.is_file() or path.is_symlink():
        return False
    if sha256 is not None:
        return file_sha256(path) == sha256
    try:
        return all(True for _ in read_blocks(path, HOLES))
    except VerificationFailed:
        return False


def _metadata(plays: Sequence[StoredPlay], place: int, table: Table) -> dict[str, str]:
    """What a file of holes says of itself."""
    play = plays[place]
    return {
        "version": __version__,
        "dice": DICE,
        "run_digest": run_digest(plays),
        "play_digest": play.rules.play_digest,
        "rules": play.rules.to_json(),
        "seed": str(play.seed),
        "row": table.row,
    }


# -- describing ------------------------------------------------------------------------------------------


def _describe(research: Research, run: Run) -> None:
    """Write everything that says what the files are."""
    folder = run.folder
    (folder / "schemas").mkdir(exist_ok=True)
    files = list(_files(research, run))
    tables = {table.name: table for table, _ in files}
    for table in tables.values():
        publish(folder, f"schemas/{table.name}.json", json_bytes(table_schema(table)))
    name, path = LICENCES[research.licence]
    texts: dict[str, bytes | Iterator[bytes]] = {
        DATASET: json_bytes(research.to_plain()),
        "data_dictionary.md": data_dictionary().encode(),
        "LICENSE": (
            f"{research.heading}\nby {AUTHORS}\n\n{name} ({research.licence})\n{path}\n"
            + (f"\nCopyright (c) {AUTHORS}\n\n{MIT}" if research.licence == "MIT" else "")
        ).encode(),
        "CITATION.cff": json_bytes(_citation(research)),
        CARD: _card(research, run, tables).encode(),
        "datapackage.json": json_bytes(_datapackage(research, run, files)),
        "croissant.json": _croissant(research, run, files),
    }
    for file, content in texts.items():
        publish(folder, file, content)


def _files(research: Research, run: Run) -> Iterator[tuple[Table, str]]:
    """Every Parquet file with its table."""
    for part in run.parts:
        holes = (HOLES,) if "holes" in research.extras else ()
        for table in (*part.family.played, *holes):
            yield table, part.path(table).as_posix()
    if run.family.sums:
        yield FIGURE_SUMS, f"{FIGURE_SUMS.name}/figures.parquet"


def _records(research: Research) -> list[str]:
    return [file_name(number) for number in range(len(research.plays) * bool(research.records))]


def _description(research: Research) -> str:
    rules = ", ".join(rules.name for rules in research.rules)
    pairs = "; ".join(" against ".join(one.name for one in players) for players in research.players)
    return (
        f"{research.matches} simulated matches of each of the rule sets {rules}, by the players {pairs}, dice "
        f"from seed {research.seed}. Made by simkit {__version__}; the same command makes the same rows."
    )


_KINDS: Final = {"bool": "boolean", "float64": "number", "category": "string"}


def table_schema(table: Table) -> dict[str, Any]:
    """A table as a Frictionless table schema."""
    fields = []
    for column in table.columns:
        limits: dict[str, Any] = {} if column.nullable else {"required": True}
        if column.values:
            limits["enum"] = list(column.values)
        fields.append(
            {
                "name": column.name,
                "type": _KINDS.get(column.dtype, "integer"),
                "description": column.description,
                "unit": column.unit,
                "constraints": limits,
            }
        )
    return {"name": table.schema_name, "row": table.row, "fields": fields, "primaryKey": list(table.key)}


def _datapackage(research: Research, run: Run, files: Sequence[tuple[Table, str]]) -> dict[str, Any]:
    """A Frictionless data package."""
    title, path = LICENCES[research.licence]
    resources = [
        {
            "name": _slug(name),
            "path": name,
            "format": "parquet",
            "mediatype": "application/vnd.apache.parquet",
            "bytes": (run.folder / name).stat().st_size,
            "hash": f"sha256:{file_sha256(run.folder / name)}",
            "schema": f"schemas/{table.name}.json",
        }
        for table, name in files
    ]
    resources += [
        {
            "name": _slug(name),
            "path": name,
            "format": "jsonl",
            "mediatype": "application/jsonl",
            "bytes": (run.folder / name).stat().st_size,
            "hash": f"sha256:{file_sha256(run.folder / name)}",
        }
        for name in _records(research)
    ]
    return {
        "name": _slug(research.name),
        "id": run.digest,
        "title": research.heading,
        "description": _description(research),
        "version": __version__,
        "licenses": [{"name": research.licence, "path": path, "title": title}],
        "contributors": [{"title": AUTHORS, "role": "author"}],
        "keywords": ["trictrac", "simulation", "history of games"],
        "resources": resources,
    }


def _slug(name: str) -> str:
    """A name of lower-case letters, digits and `-`."""
    kept = "".join(letter if letter.isalnum() else "-" for letter in name.lower())
    return kept.replace("-parquet", "").strip("-")


_TYPES: Final = {"bool": "sc:Boolean", "float64": "sc:Float", "category": "sc:Text"}


def _croissant(research: Research, run: Run, files: Sequence[tuple[Table, str]]) -> Iterator[bytes]:
    """A Croissant 1.0 description, piece by piece: a file object and a record set for every file of rows.

    Readers take no set of files out of a list of files, so there is none.
    """
    head = json_bytes(_croissant_head(research, run, files))
    yield head.removesuffix(b"\n}\n") + b',\n "recordSet": ['
    for number, (table, name) in enumerate(files):
        record = json_bytes(_record_set(table, name)).rstrip().replace(b"\n", b"\n  ")
        yield b",\n  " * bool(number) + record
    yield b"\n ]\n}\n"


def _record_set(table: Table, name: str) -> dict[str, Any]:
    """The record set of a file of rows."""
    place = _slug(name)
    return {
        "@type": "cr:RecordSet",
        "@id": place,
        "name": place,
        "description": f"One record: {table.row}.",
        "key": [{"@id": f"{place}/{column}"} for column in table.key],
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{place}/{column.name}",
                "name": column.name,
                "description": column.description,
                "dataType": _TYPES.get(column.dtype, "sc:Integer"),
                "source": {"fileObject": {"@id": name}, "extract": {"column": column.name}},
            }
            for column in table.columns
        ],
    }


def _croissant_head(research: Research, run: Run, files: Sequence[tuple[Table, str]]) -> dict[str, Any]:
    """What a Croissant description holds before its record sets."""
    objects = [
        {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": name,
            "contentSize": f"{(run.folder / name).stat().st_size} B",
            "encodingFormat": "application/jsonlines" if name.endswith(".jsonl") else "application/x-parquet",
            "sha256": file_sha256(run.folder / name),
        }
        for name in [*(name for _, name in files), *_records(research)]
    ]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": research.name,
        "description": _description(research),
        "license": LICENCES[research.licence][1],
        "version": __version__,
        "creator": {"@type": "sc:Organization", "name": AUTHORS},
        "citeAs": f"{AUTHORS}: {research.heading}, simkit {__version__}, digest {run.digest}",
        "keywords": ["trictrac", "simulation"],
        "distribution": objects,
    }


_CR: Final = (
    "citeAs", "column", "extract", "field", "fileProperty", "fileObject", "fileSet", "format", "includes",
    "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex",
    "repeated", "replace", "separator", "source", "subField", "transform",
)  # fmt: skip
_CONTEXT: Final = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{name: f"cr:{name}" for name in _CR},
}


def _citation(research: Research) -> dict[str, Any]:
    """CITATION.cff, which is YAML; JSON is YAML too."""
    works = dict.fromkeys(source.work for rules in research.rules for source in rules.sources)
    return {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": research.heading,
        "authors": [{"name": AUTHORS}],
        "version": __version__,
        "license": research.licence,
        "identifiers": [
            {
                "type": "other",
                "value": f"sha256:{run_digest(check_plays(research.plays))}",
                "description": "Digest of what was played",
            }
        ],
        "references": [
            {"type": "book", "title": work, "authors": [{"name": work.partition(",")[0]}]} for work in works
        ],
    }


def _card(research: Research, run: Run, tables: Mapping[str, Table]) -> str:
    """The dataset card: that of the run, with what a dataset has beside it."""
    configs = [{"config_name": name, "data_files": f"{name}/*.parquet"} for name in tables]
    front = {"license": research.licence.lower(), "pretty_name": research.heading, "configs": configs}
    body = card(run.plays, run.counts, research.heading).split("---\n", 2)[2]
    body = body.partition("\n## Licence and citation")[0]
    more = ["", "## Beside the tables of a run", ""]
    if "holes" in research.extras:
        more += [
            f"- `holes/`: one row per hole event ({HOLES.row}); columns in `data_dictionary.md`. Over the last "
            "attempt at a set they add up to the holes of `sets`.",
        ]
    if research.records:
        more += [
            f"- `records/`: {research.records} matches of each play, chosen at random by the seed and told roll "
            "by roll, a JSON document a line, as `simkit replay --json` prints them.",
        ]
    more += [
        "- `datapackage.json` with `schemas/` (Frictionless) and `croissant.json` (Croissant 1.0) describe "
        "every file; `dataset.json` is what was asked for.",
        "- `simkit verify` reads every byte of this folder, `--replay` simulates it again; `simkit reproduce` "
        "makes its matches again from `run.json`.",
        "",
        "## Licence and citation",
        "",
        f"{LICENCES[research.licence][0]} ({research.licence}), see `LICENSE`; how to cite it is in "
        f"`CITATION.cff`. Digest of what was played: {run.digest}.",
        "",
    ]
    return f"---\n{json.dumps(front)}\n---\n{body}" + "\n".join(more)
