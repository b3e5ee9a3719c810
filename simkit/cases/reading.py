"""Reading case files strictly: nothing in a case may be overlooked, so that nothing passes by accident."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from simkit.errors import UsageError
from simkit.files import read_plain

MAX_BYTES: Final = 32 * 2**20
"""The largest case file read, in bytes; the books' own collections stay below one megabyte."""

LISTS: Final = ("cases", "tables", "games")
"""Where the files keep what is judged: examples and printed numbers, rows of tables, sequences of rolls."""

MAX_DEPTH: Final = 60
"""How deep lists and objects of a case file may be nested; the books' own collections need nine levels."""

WHOLE: Final = 60
"""Values of at most so many characters are told whole where they differ."""

SHOWN: Final = 120
"""Characters told of a longer one."""

MOST_DIFFERENCES: Final = 8
"""Differences told of one place of a case."""

LARGEST_NUMBER: Final = 20_000
"""The largest number a case may hold; the sets table counts holes in 16 bits."""


class CaseError(Exception):
    """A case that cannot be judged."""


class NotUnderstoodError(CaseError):
    """Something in a case that this version does not know: the case is skipped, never passed."""


class MalformedError(CaseError):
    """A case that cannot be what it says it is, or a record that cannot be followed: it fails."""


class _Missing:
    """The absence of a default."""


_MISSING: Final = _Missing()


def shown(value: object, limit: int = 60) -> str:
    """Write a value of a case file as JSON, shortened to `limit` characters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= limit else text[: limit - 1] + "…"


class Fields:
    """One object of a case file. Each key has to be asked for; `unread` tells which were not."""

    def __init__(self, data: object, where: str = "") -> None:
        if not isinstance(data, dict):
            raise MalformedError(f"{where or 'the case'}: an object is needed, found {shown(data)}")
        self.where = where
        self._data: dict[str, object] = data
        self._unread = dict.fromkeys(data)
        self._parts: list[Fields] = []

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def place(self, key: str) -> str:
        """Name a key with the way to it, for messages: `expect.steps[2].after`."""
        return f"{self.where}.{key}" if self.where else key

    def ignore(self, *keys: str) -> None:
        """Count keys as read that say nothing about the rules."""
        for key in keys:
            self._unread.pop(key, None)

    def raw(self, key: str, default: object = _MISSING) -> object:
        """Read a value as it stands."""
        self._unread.pop(key, None)
        if key in self._data:
            return self._data[key]
        if default is _MISSING:
            raise MalformedError(f"{self.place(key)} is missing")
        return default

    def integer(self, key: str, low: int = 0, high: int = LARGEST_NUMBER, default: int | None = None) -> int:
        """Read a whole number between `low` and `high`."""
        value = self.raw(key, _MISSING if default is None else default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self._wrong(key, value, f"a whole number from {low} to {high}")
        return value

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Read true or false."""
        value = self.raw(key, _MISSING if default is None else default)
        if not isinstance(value, bool):
            self._wrong(key, value, "true or false")
        return value

    def text(self, key: str) -> str:
        """Read a string."""
        value = self.raw(key)
        if not isinstance(value, str):
            self._wrong(key, value, "a text")
        return value

    def word(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        """Read one of the words this version knows."""
        value = self.raw(key, _MISSING if default is None else default)
        if not isinstance(value, str):
            self._wrong(key, value, "one of " + ", ".join(allowed))
        if value not in allowed:
            raise NotUnderstoodError(f"{self.place(key)} {shown(value)} is not known to this version")
        return value

    def items(self, key: str) -> list[object]:
        """Read a list."""
        value = self.raw(key)
        if not isinstance(value, list):
            self._wrong(key, value, "a list")
        return value

    def part(self, key: str) -> Fields:
        """Read an object within this one; its keys have to be asked for as well."""
        part = Fields(self.raw(key), self.place(key))
        self._parts.append(part)
        return part

    def parts(self, key: str) -> list[Fields]:
        """Read a list of objects."""
        parts = [Fields(item, f"{self.place(key)}[{n}]") for n, item in enumerate(self.items(key))]
        self._parts += parts
        return parts

    def dice(self, key: str = "dice") -> tuple[int, int]:
        """Read two dice."""
        value = self.items(key)
        if len(value) != 2 or not all(type(die) is int and 1 <= die <= 6 for die in value):
            self._wrong(key, value, "two numbers from 1 to 6")
        first, second = (int(str(die)) for die in value)
        return first, second

    def unread(self) -> list[str]:
        """Name every key, here and in the parts, that nobody has asked for."""
        return [self.place(key) for key in self._unread] + [
            place for part in self._parts for place in part.unread()
        ]

    def _wrong(self, key: str, value: object, needed: str) -> NoReturn:
        raise MalformedError(f"{self.place(key)} is {shown(value)}; it must be {needed}")


@dataclass(frozen=True)
class PrintedError:
    """A place where a treatise prints something else than its rules give.

    Attributes
    ----------
    work, where
        The treatise by its short name, and the place in it.
    what
        What is counted or marked.
    printed, right
        The printed value, and the one the engine finds.
    note
        The reason, as far as it is known.
    confidence
        How sure the reading of the print is: high, medium or low.
    """

    work: str
    where: str
    what: str
    printed: object
    right: object
    note: str
    confidence: str

    def __str__(self) -> str:
        printed, right = self.differing()
        return f"printed {printed}, right {right}: {self.note or self.what}"

    def differing(self) -> tuple[str, str]:
        """Write the printed and the right value; of objects, what differs."""
        printed, right = self.printed, self.right
        if isinstance(printed, Mapping) and isinstance(right, Mapping):
            keys = [key for key in {**right, **printed} if printed.get(key) != right.get(key)]
            return written({key: printed.get(key) for key in keys}), written(
                {key: right.get(key) for key in keys}
            )
        return written(printed), written(right)


def written(value: object) -> str:
    """Write a value of a case file for readers: rolls, moves, or a number under each key."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{str(key).replace('_', ' ')}: {written(item)}" for key, item in value.items())
    if not isinstance(value, list):
        return str(value)
    if not all(isinstance(item, list) for item in value):
        return ", ".join(map(str, value))
    if all(isinstance(place, list) for item in value for place in item):
        return " or ".join(map(written, value)) or "none"
    return ", ".join("→".join(map(str, move)) for move in value)


class Check:
    """What a case expects beside what the engine finds, place by place; and what its source prints wrongly."""

    def __init__(self) -> None:
        self.expected: dict[str, object] = {}
        self.found: dict[str, object] = {}
        self.printed_errors: list[PrintedError] = []

    def compare(self, place: str, expected: object, found: object) -> None:
        """Set one expected value beside the one found."""
        self.expected[place] = expected
        self.found[place] = found

    def compare_keys(self, expect: Fields, found: Mapping[str, object], under: str = "") -> None:
        """Compare every key that both have; a key of `expect` not in `found` stays unread."""
        for key in expect:
            if key in found:
                self.compare(f"{under}{key}", expect.raw(key), found[key])

    def differences(self) -> list[str]:
        """Say where expected and found differ: the way to each part that does, and both values."""
        return [
            words
            for place, value in self.expected.items()
            for words in _some(list(differing(place, value, self.found[place])), place)
        ]


def differing(place: str, expected: object, found: object) -> Iterator[str]:
    """Say where two JSON values differ, part by part; nothing if they are the same."""
    if same(expected, found):
        return
    if max(len(shown(value, MAX_BYTES)) for value in (expected, found)) <= WHOLE:
        yield f"{place}: {_beside(expected, found)}"
    elif isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in dict.fromkeys((*expected, *found)):
            if key not in expected or key not in found:
                yield f"{place}.{key}: {_beside(expected.get(key, _MISSING), found.get(key, _MISSING))}"
            else:
                yield from differing(f"{place}.{key}", expected[key], found[key])
    elif isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        yield from _differing_items(place, expected, found)
    else:
        yield f"{place}: {_beside(expected, found)}"


def _differing_items(place: str, expected: Sequence[object], found: Sequence[object]) -> Iterator[str]:
    """Compare two lists: item by item where items have changed, else what only one of them has."""
    lacking, beyond = _left(expected, found), _left(found, expected)
    changed = [number for number, pair in enumerate(zip(expected, found, strict=False)) if not same(*pair)]
    if len(expected) == len(found) and len(changed) == len(lacking):
        for number in changed:
            yield from differing(f"{place}[{number}]", expected[number], found[number])
    elif len(lacking) == len(beyond) == 1:
        yield f"{place}: {_beside(lacking[0], beyond[0])}"
    elif not lacking and not beyond:
        number = changed[0]
        yield f"{place}[{number}]: {_beside(expected[number], found[number])}; the same in another order"
    else:
        yield from (f"{place}: {shown(item, SHOWN)} is expected and not found" for item in lacking)
        yield from (f"{place}: {shown(item, SHOWN)} is found and not expected" for item in beyond)


def _left(items: Sequence[object], others: Sequence[object]) -> list[object]:
    """Give the items that have no equal among the others, each of which serves once."""
    rest, left = [*others], []
    for item in items:
        place = next((number for number, other in enumerate(rest) if same(item, other)), None)
        if place is None:
            left.append(item)
        else:
            del rest[place]
    return left


def _beside(expected: object, found: object) -> str:
    """Write two values that differ; of long ones the stretch from shortly before the place where they do."""
    one, two = ("nothing" if value is _MISSING else shown(value, MAX_BYTES) for value in (expected, found))
    if max(len(one), len(two)) > SHOWN:
        same_until = next(
            (place for place, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]),
            min(len(one), len(two)),
        )
        one, two = (_stretch(text, max(0, same_until - SHOWN // 3)) for text in (one, two))
    return f"expected {one}, found {two}"


def _stretch(text: str, start: int) -> str:
    end = start + SHOWN
    return f"{'…' * (start > 0)}{text[start:end]}{'…' * (end < len(text))}"


def _some(differences: list[str], place: str) -> list[str]:
    """Leave out all but the first differences of one place, and say how many there are."""
    more = len(differences) - MOST_DIFFERENCES
    if more <= 1:
        return differences
    return [*differences[:MOST_DIFFERENCES], f"{place}: {more} more differences"]


def same(a: object, b: object) -> bool:
    """Tell whether two JSON values are equal; unlike in Python, `true` is not 1."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def read_file(path: str | Path) -> dict[str, object]:
    """Read a case file.

    Parameters
    ----------
    path : str or Path
        A JSON document: an object with one of the lists in `LISTS` at least, or a list of cases alone.

    Returns
    -------
    dict
        The document; its `cases`, `tables`, `games` and the `rows` of its tables are lists of objects.

    Raises
    ------
    UsageError
        The file is missing, too large, not UTF-8, not JSON, cut short, or holds nothing to judge: no list of
        cases, or only empty ones.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder; a case file is needed")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UsageError(f"{path} has {size:,} bytes; a case file has at most {MAX_BYTES:,}")
        content = read_plain(path, MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise UsageError(f"{path} goes on after {MAX_BYTES:,} bytes; a case file has at most that many")
    document = _parse(path, content)
    if depth(document) > MAX_DEPTH:
        raise UsageError(f"{path} is nested too deeply to be a case file")
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:  # half of a pair, written as an escape
        raise UsageError(f"{path} holds a character that cannot be written: {error.reason}") from error
    if isinstance(document, list):
        document = {"cases": document}
    if not isinstance(document, dict) or not any(key in document for key in LISTS):
        raise UsageError(f"{path} holds no cases: an object with a list 'cases' or 'games' is needed")
    judged = 0
    for key in LISTS:
        for number, item in enumerate(_objects(path, document.get(key, []), key), start=1):
            rows = _objects(path, item.get("rows"), f"tables[{number}].rows") if key == "tables" else [item]
            judged += len(rows)
    if not judged:
        raise UsageError(f"{path} holds no cases: its lists are empty")
    return document


def _objects(path: Path, items: object, name: str) -> list[dict[str, object]]:
    """Refuse what is no list of objects; `name` is the list's, a plural."""
    if not isinstance(items, list):
        raise UsageError(f"{path}: '{name}' is {shown(items)}; it must be a list")
    for number, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            raise UsageError(f"{path}: {name}, number {number} is {shown(item)}; it must be an object")
    return items


def depth(value: object) -> int:
    """Count how deep lists and objects are nested in a JSON value, level by level."""
    levels, level = 0, [value]
    while level:
        levels += 1
        inner = [part for part in level if isinstance(part, dict | list)]
        level = [item for part in inner for item in (part.values() if isinstance(part, dict) else part)]
    return levels


def _parse(path: Path, content: bytes) -> object:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise UsageError(f"{path}: the key {shown(twice)} stands twice in one object: {shown(found)}")
        return found

    def no_number(word: str) -> NoReturn:
        raise UsageError(f"{path}: {word} is not a number that JSON knows")

    try:
        text = content.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=once, parse_constant=no_number)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text: byte {error.start} does not fit") from error
    except json.JSONDecodeError as error:
        ends = not text[error.pos :].strip() or error.msg.startswith("Unterminated")
        cut = "it seems to be cut short; " if ends else ""
        raise UsageError(
            f"{path} is not JSON: {cut}line {error.lineno}, column {error.colno}: {error.msg}"
        ) from error
    except RecursionError as error:
        raise UsageError(f"{path} is nested too deeply to be a case file") from error
    except ValueError as error:  # a number of thousands of digits
        raise UsageError(f"{path} holds a number that cannot be read: {error}") from error
