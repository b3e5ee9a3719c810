"""How commands print: JSON, prose as wide as the page, tables."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import isfinite
from typing import Any, Final

PAGE: Final = 100
"""The widest lines of prose, in characters."""
UNBOUNDED: Final = 10**6
"""Tables are as wide as they are where no terminal shows them."""
NARROWEST: Final = 60
"""The narrowest page assumed where the output is no terminal."""


def print_json(plain: Any) -> None:
    """Print one JSON document; what is no number becomes null."""
    print(json.dumps(jsonable(plain), indent=2, ensure_ascii=False, allow_nan=False))


def jsonable(value: Any) -> Any:
    """Turn values of the toolkit into what JSON can hold."""
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if hasattr(value, "item"):  # NumPy's numbers
        value = value.item()
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def columns(otherwise: int) -> int:
    """Give the width of the terminal, or what COLUMNS says, or else `otherwise`, in characters."""
    terminal = sys.__stdout__ is not None and sys.__stdout__.isatty()
    return max(shutil.get_terminal_size((otherwise, 24)).columns, 20 if terminal else NARROWEST)


def page_width() -> int:
    """Give the characters a line of prose may have."""
    return min(columns(PAGE), PAGE)


def print_text(text: str, indent: str = "") -> None:
    """Print a paragraph, broken into lines of the page; an empty line before it is kept."""
    print("\n" * text.startswith("\n") + "\n".join(wrapped(text.lstrip("\n"), indent)))


def print_item(text: str) -> None:
    """Print an item of a list."""
    first, *more = wrapped(text, "    ")
    print("\n".join([f"  - {first.lstrip()}", *more]))


def print_table(rows: Sequence[Sequence[object]], numbers: int = 0) -> None:
    """Print rows in aligned columns, the last `numbers` of them to the right.

    Where the terminal is too narrow, words of the last column are wrapped; numbers stand beneath one another,
    each beside the head of its column, which is the first row. Elsewhere a row stays a line.
    """
    texts = [[str(cell) for cell in row] for row in rows]
    if not texts:
        return
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    left = len(widths) - numbers
    room = columns(UNBOUNDED) - sum(width + 2 for width in widths[:-1])
    if numbers and widths[-1] > room:
        print_records(texts)
        return
    for row in texts:
        cells = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        start, line = "  ".join(cells[:-1]), "  ".join(cells).rstrip()
        if len(line) <= columns(UNBOUNDED):
            lines = [line]
        elif room >= 24:
            lines = wrapped(row[-1], " " * (len(start) + 2), columns(UNBOUNDED))
            lines[0] = f"{start}  {lines[0].lstrip()}"
        else:
            indent = " " * (len(start) - len(start.lstrip()) + 4)
            lines = [start.rstrip(), *wrapped(row[-1], indent, columns(UNBOUNDED))]
        print("\n".join(lines))


def print_records(texts: Sequence[Sequence[str]]) -> None:
    """Print the rows of a table one after the other, each cell on a line beside the head of its column."""
    head, *rows = texts
    column = max(map(len, head)) + 2
    for number, row in enumerate(rows):
        print("\n" * bool(number), end="")
        for name, cell in zip(head, row, strict=True):
            first, *more = wrapped(cell, " " * column) or [""]
            print("\n".join([f"{name:<{column}}{first.lstrip()}".rstrip(), *more]))


def share(count: int, total: int) -> str:
    """Print a share of matches."""
    return f"{100 * count / total:z.2f} %" if total else "-"


def interval_words(found: Any) -> str:
    """Print a mean with its interval; a dash for what too few matches do not tell."""
    mean, low, high = (
        f"{value:z.2f}" if isfinite(value) else "-" for value in (found.mean, found.low, found.high)
    )
    return "-" if mean == "-" else f"{mean} [{low}, {high}]"


def records(frame: Any) -> list[dict[str, Any]]:
    """Turn a pandas frame into rows of plain values."""
    rows: list[dict[str, Any]] = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return rows


def wrapped(text: str, indent: str = "", width: int | None = None) -> list[str]:
    """Break a text into lines fit for the page, or of `width` characters; words stay whole."""
    return textwrap.wrap(
        text,
        width or page_width(),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def say(text: str) -> None:
    """Say something on stderr, if anybody can hear it."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"simkit: {text}", file=sys.stderr, flush=True)
