"""What a research dataset has beside the tables of a run: what it says of it, and whether that is what is there.

`dataset.json` says what was asked for; `holes/` has a file beside each of matches, `records/` one of each play;
`datapackage.json` and `croissant.json` name every file of rows with its digest. All of them are compared with one
another and with the rows, and nothing is simulated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.dataset import FIGURE_SUMS, HOLES, Part, StoredPlay
from simkit.dataset.folder import DATASET, LARGE_JSON, Described, parse_json, read_json
from simkit.dataset.parquet import Columns, read_blocks
from simkit.dataset.schema import Table
from simkit.errors import VerificationFailed
from simkit.files import open_plain
from simkit.records import FOLDER as RECORDS
from simkit.records import MOST_RECORDS, chosen, file_name, lines

EXTRAS: Final = (HOLES.name, RECORDS)
"""Tables that are kept if asked for; those of the run are always there, as the others rest on them."""
PACKAGE, CROISSANT = "datapackage.json", "croissant.json"
RECORD_SETS: Final = b' "recordSet": ['
"""The line of `croissant.json` with which they begin."""
AGAIN: Final = "the command that built it, given again, makes them agree"


@dataclass(frozen=True)
class Asked:
    """What `dataset.json` says that a research dataset holds."""

    digest: str
    matches: int
    seed: int
    extras: tuple[str, ...]
    records: int


def asked(folder: Path) -> Asked | None:
    """What a research dataset was asked to hold; None where this is none.

    Raises
    ------
    VerificationFailed
        `dataset.json` does not say.
    """
    if not (folder / DATASET).exists():
        return None
    plain = read_json(folder / DATASET)
    try:
        extras, seed = plain["extras"], plain["seed"]
        fits = (
            plain["schema"] == "simkit.dataset/1"
            and isinstance(extras, list)
            and len(extras) == len(set(extras))
            and set(extras) <= set(EXTRAS)
            and all(type(plain[name]) is int for name in ("matches", "records"))
            and 0 <= plain["records"] <= min(plain["matches"], MOST_RECORDS)
            and (RECORDS in extras) == (plain["records"] > 0)
            and isinstance(seed, str)
            and seed.isascii()
            and seed.isdecimal()
            and len(seed) <= 20
            and isinstance(plain["digest"], str)
        )
    except (KeyError, TypeError):
        fits = False
    if not fits:
        raise VerificationFailed(f"{DATASET} describes no research dataset")
    return Asked(plain["digest"], plain["matches"], int(seed), tuple(extras), plain["records"])


def files_of(asked: Asked, parts: Sequence[Part], plays: int) -> list[str]:
    """The files of the tables that were asked for, relative to the folder."""
    names = [part.path(HOLES).as_posix() for part in parts if HOLES.name in asked.extras]
    return names + [file_name(play) for play in range(plays) if RECORDS in asked.extras]


def standing(folder: Path) -> list[str]:
    """The files of such tables that a folder holds."""
    found = (*folder.glob(f"{HOLES.name}/p*.parquet"), *folder.glob(f"{RECORDS}/p*.jsonl"))
    return sorted(path.relative_to(folder).as_posix() for path in found)


# -- what is said and what is there ------------------------------------------------------------------------


def said_faults(folder: Path, found: Described, parts: Sequence[Part]) -> Iterator[str]:
    """Compare `dataset.json` with the run and with the files that are there.

    Raises
    ------
    VerificationFailed
        `dataset.json` does not say what was asked for.
    """
    here, one = standing(folder), asked(folder)
    if one is None:
        for name in dict.fromkeys(Path(name).parts[0] for name in here):
            yield f"{name}/ is here, and no {DATASET} that asks for it"
        for name in (name for name in (PACKAGE, CROISSANT) if (folder / name).exists()):
            yield f"{name} is here, and no {DATASET}"
        return
    if one.digest != found.digest:
        yield f"{DATASET} is of another play"
    if any(play.seed != one.seed for play in found.plays):
        yield f"{DATASET} has the seed {one.seed}, and the matches were played with another"
    for number, play in enumerate(found.plays):
        held = sum(part.matches for part in parts if part.play == number)
        if held != one.matches:
            again = f"simkit dataset --matches {max(held, one.matches)} makes them agree"
            yield f"{DATASET} has {one.matches} matches of each play, and {held} of {play.title} are here; {again}"
    named = files_of(one, parts, len(found.plays))
    for name in named:
        if name not in here:
            yield f"{name} is missing"
    for name in dict.fromkeys(Path(name).parts[0] for name in here if name not in named):
        if name not in one.extras:
            yield f"{name}/ is here, and {DATASET} says that there is none; {AGAIN}"


def description_faults(folder: Path, parts: Sequence[Part], digests: Mapping[str, str]) -> Iterator[str]:
    """Compare the files that the descriptions for other tools name with those that are here.

    `digests`: SHA-256 of every file by its name, as they have been found to be.

    Raises
    ------
    VerificationFailed
        A description cannot be read.
    """
    if not (folder / DATASET).exists():
        return
    rows = {part.path(table).as_posix() for part in parts for table in part.family.played}
    rows |= {name for name in digests if name.startswith(f"{FIGURE_SUMS.name}/")} | set(standing(folder))
    for file, listed, name, digest in (
        (PACKAGE, "resources", "path", "hash"),
        (CROISSANT, "distribution", "contentUrl", "sha256"),
    ):
        if not (folder / file).exists():
            yield f"{file} is missing"
            continue
        plain = _head(folder / file)
        try:
            told = {one[name]: one[digest].removeprefix("sha256:") for one in plain[listed]}
        except (AttributeError, KeyError, TypeError):
            yield f"{file} describes no dataset"
            continue
        for one in sorted(rows - told.keys()):
            yield f"{file} does not name {one}"
        for one in sorted(told.keys() - rows, key=str):
            yield f"{file} names {one!r}, and there is no such table"
        for one in sorted(rows & told.keys()):
            if told[one] != digests.get(one, told[one]):
                yield f"{file} has another digest of {one} than the file"


def _head(path: Path) -> Any:
    """A description without its record sets, which take many times the rest; its lines are as they were written.

    Raises
    ------
    VerificationFailed
        It cannot be read.
    """
    kept: list[bytes] = []
    size = 0
    with open_plain(path) as file:
        for line in iter(lambda: file.readline(LARGE_JSON + 1), b""):
            if line.startswith(RECORD_SETS):
                kept[-1:] = [kept[-1].rstrip(b",\n") + b"\n}\n"] if kept else []
                break
            kept.append(line)
            size += len(line)
            if size > LARGE_JSON:
                raise VerificationFailed(f"{path.name} is larger than a description can be")
    return parse_json(path.name, b"".join(kept))


# -- holes -------------------------------------------------------------------------------------------------


def hole_faults(rows: Columns) -> Iterator[str]:
    """Say what cannot be in some rows of holes, whole matches, by what they say themselves."""
    if not len(rows["match_id"]):
        return
    points = sum(
        rows[column.name].astype(np.int64) for column in HOLES.data if column.name.startswith("from_")
    )
    if not np.array_equal(points, rows["points"]):
        yield "points are not those of the figures"
    if (~rows["own_die"] & ((rows["decision"] != 0) | (rows["going"] != 0))).any():
        yield "a decision on the other's roll"
    if not np.array_equal(
        rows["going"] != 0, rows["decision"] == HOLES.column("decision").values.index("go")
    ):
        yield "decision and going do not agree"
    if not (rows["holes"] > 0).all():
        yield "an event without a hole"
    first = _begins(rows, "match_id", "set_no", "attempt")
    for player in (1, 2):
        made = np.where(rows["player"] == player, rows["holes"], 0).astype(np.int64)
        if not np.array_equal(_running(made, first), rows[f"holes_{player}"]):
            yield f"holes_{player} are not those made before and now"


def _begins(rows: Columns, *names: str) -> NDArray[np.bool_]:
    """Where a row differs from the one before it in any of some columns; true of the first."""
    found = np.ones(len(rows[names[0]]), np.bool_)
    if len(found):
        found[1:] = np.any([rows[name][1:] != rows[name][:-1] for name in names], axis=0)
    return found


def _running(numbers: NDArray[np.int64], first: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Sums of numbers up to each, from the last place where `first` is true on."""
    sums = np.cumsum(numbers)
    starts = np.flatnonzero(first)
    before = np.repeat((sums - numbers)[starts], np.diff(np.r_[starts, len(numbers)]))
    return sums - before


class HoleSums:
    """The holes of the last attempt at each set, by a file of holes fed block by block of whole matches."""

    def __init__(self) -> None:
        self._last: list[NDArray[np.int64]] = []

    def update(self, rows: Columns) -> None:
        """Look at the next rows."""
        ends = np.r_[_begins(rows, "match_id", "set_no")[1:], True] if len(rows["match_id"]) else []
        kept = ("match_id", "set_no", "attempt", "holes_1", "holes_2")
        self._last.append(
            np.column_stack([rows[name][np.flatnonzero(ends)].astype(np.int64) for name in kept])
        )

    def faults(self, path: Path, table: Table) -> Iterator[str]:
        """Compare them with the file of the sets of the same matches."""
        last = np.concatenate([np.zeros((0, 5), np.int64), *self._last])
        names = ("match_id", "set_no", "do_overs", "holes_1", "holes_2")
        blocks = [
            np.column_stack([block[name].astype(np.int64) for name in names])
            for block in read_blocks(path, table, names)
        ]
        sets = np.concatenate([np.zeros((0, 5), np.int64), *blocks])
        place = np.full(len(sets), -1)
        keys, known = _keys(sets), _keys(last)
        if len(last):
            found = np.searchsorted(known, keys).clip(max=len(last) - 1)
            place = np.where(known[found] == keys, found, -1)
        told = np.zeros((len(sets), 2), np.int64)
        final = (
            (place >= 0) & (last[place, 2] == sets[:, 2] + 1) if len(last) else np.zeros(len(sets), np.bool_)
        )
        told[final] = last[place[final], 3:]
        if len(wrong := np.flatnonzero((told != sets[:, 3:]).any(axis=1))):
            match, number = sets[wrong[0], :2].tolist()
            yield f"the holes of match {match}, set {number}, do not come to those in {table.name}"
        if (place >= 0).sum() != len(last):
            yield f"holes of sets that are not in {table.name}"


def _keys(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Match and set as one number."""
    return rows[:, 0] * 2**16 + rows[:, 1]


# -- matches told in full ----------------------------------------------------------------------------------


def record_faults(
    folder: Path, number: int, play: StoredPlay, matches: int, wanted: int, rows: Columns
) -> Iterator[str]:
    """Look at the matches of a play that are told in full: how many, which, and what they say of its units.

    Parameters
    ----------
    number, play
        The play, by its place and itself.
    matches, wanted
        How many matches there are of it, and how many of them were to be told.
    rows
        Columns of its units, of the matches to be told at least.

    Raises
    ------
    VerificationFailed
        A line is no match told.
    """
    name = file_name(number)
    told = []
    for place, (match, text) in enumerate(lines(folder / name), 1):
        told.append(match)
        if words := _record_fault(parse_json(name, text), play, match, rows):
            yield f"{name}, line {place}: {words}"
    if len(told) != wanted:
        yield f"{name} tells {len(told)} matches, not {wanted}"
    elif wanted > matches:
        yield f"{name} tells {wanted} matches, and the rows are of {matches}"
    elif told != chosen(play.seed, number, matches, wanted):
        yield f"{name} tells other matches than those that the seed chooses"


def _record_fault(plain: Mapping[str, Any], play: StoredPlay, match: int, rows: Columns) -> str:
    """Say what is wrong with a match told; empty if nothing is."""
    units = plain.get(play.family.units.name)
    if plain.get("seed") != play.seed or not isinstance(units, list):
        return "no match of this play"
    own = np.flatnonzero(rows["match_id"] == match)
    if len(own) != len(units):
        return f"{len(units)} {play.family.units.name} of match {match}, and {len(own)} in the rows"
    for place, unit in zip(own.tolist(), units, strict=True):
        told = unit.get("row") if isinstance(unit, dict) else None
        if not isinstance(told, dict):
            return "no match told"
        for column in play.family.units.data:
            value = rows[column.name][place].item()
            kept = column.values[value] if column.values else value
            if column.name not in told:
                return f"{column.name} is missing from match {match}"
            if told[column.name] != kept:
                return f"{column.name} is {told[column.name]!r} of match {match}, and {kept!r} in the rows"
    return ""


def rows_told(
    folder: Path, parts: Sequence[Part], number: int, matches: Sequence[int]
) -> dict[str, NDArray[Any]]:
    """The rows of the units of some matches of a play, as columns.

    Raises
    ------
    VerificationFailed
        A file is damaged.
    """
    found: list[dict[str, NDArray[Any]]] = []
    ids = np.array(matches, np.int64)
    for part in (one for one in parts if one.play == number):
        if ((ids >= part.first) & (ids < part.end)).any():
            for block in read_blocks(folder / part.path(part.family.units), part.family.units):
                chosen_rows = np.isin(block["match_id"], ids)
                found.append({name: column[chosen_rows] for name, column in block.items()})
    if not found:
        return {"match_id": np.zeros(0, np.int64)}
    return {name: np.concatenate([one[name] for one in found]) for name in found[0]}
