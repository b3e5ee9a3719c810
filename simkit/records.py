"""Matches told in full beside the rows of a research dataset: which ones, and a JSON document a line for each."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from simkit.dataset import PlaySpec
from simkit.dataset.folder import parse_json
from simkit.errors import VerificationFailed

FOLDER: Final = "records"
MOST_RECORDS: Final = 100_000
LARGEST_LINE: Final = 64 * 2**20
"""Bytes; a match told in full takes some hundred thousand."""

Tell = Callable[[PlaySpec, int], Any]
"""Tells a match of a play as plain values."""


def file_name(play: int) -> str:
    """The file of a play, relative to the folder of the dataset."""
    return f"{FOLDER}/p{play:03d}.jsonl"


def chosen(seed: int, play: int, matches: int, records: int) -> list[int]:
    """The matches of a play that are told, in order: so many of all, by the seed of the dice; no more than all."""
    return sorted(random.Random(f"{seed} {play}").sample(range(matches), min(records, matches)))


def line_of(plain: Any) -> bytes:
    """A match told as plain values, as its line."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), default=int).encode() + b"\n"


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with the numbers of their matches, one after the other.

    Raises
    ------
    VerificationFailed
        A line is no match told, or longer than `LARGEST_LINE`.
    """
    name = f"{FOLDER}/{path.name}"
    with path.open("rb") as file:
        for number, text in enumerate(iter(lambda: file.readline(LARGEST_LINE), b""), 1):
            plain = parse_json(f"{name}, line {number}", text)
            match = plain.get("match") if isinstance(plain, dict) else None
            if type(match) is not int:
                raise VerificationFailed(f"{name}, line {number} is no match told")
            yield match, text
