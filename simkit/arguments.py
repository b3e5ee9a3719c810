"""What is given to a public function, looked at before it is used: a refusal names argument, value and rule."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, TypeVar

from simkit.errors import UsageError

T = TypeVar("T")

LONGEST = 60
"""Characters of a value that a message quotes."""


def said(value: object) -> str:
    """A value as a message quotes it: on one line, cut where it is long."""
    try:
        words = " ".join(repr(value).split())
    except ValueError:  # Python writes no number of thousands of digits
        bits = f" of {value.bit_length()} bits" if isinstance(value, int) else ""
        return f"a {type(value).__name__}{bits}"
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}..."


def refuse(name: str, value: object, accepted: str) -> NoReturn:
    """Raise UsageError: the argument, its value, what is accepted."""
    raise UsageError(f"{name}: {said(value)} is not {accepted}")


def check_type(name: str, value: object, kind: type[T], accepted: str) -> T:
    """`value`, if it is of a type; else UsageError."""
    if not isinstance(value, kind):
        refuse(name, value, accepted)
    return value


def check_whole(name: str, value: object, low: int, high: int, high_words: str = "") -> int:
    """`value`, if it is a whole number from `low` to `high`.

    Raises
    ------
    UsageError
        It is not; the message names the field, the value and what is allowed.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise UsageError(f"{name}: {said(value)} is not a whole number from {low} to {high_words or high}")
    return value


def check_text(name: str, value: object) -> str:
    """`value`, if it is a text; else UsageError."""
    return check_type(name, value, str, "a text")


def check_mapping(name: str, value: object, accepted: str) -> dict[str, Any]:
    """`value` as a dict, if it is a mapping of texts; else UsageError."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        refuse(name, value, accepted)
    return dict(value)


def check_items(name: str, value: object, kind: type[T], accepted: str) -> tuple[T, ...]:
    """What a sequence holds, if all is of a type; one alone stands for a sequence of one. Else UsageError."""
    if isinstance(value, kind):
        return (value,)
    items = items_of(value)
    if items is None or not all(isinstance(item, kind) for item in items):
        refuse(name, value, accepted)
    return items


def items_of(value: object) -> tuple[Any, ...] | None:
    """What a list, an array, a column or the like holds, in its order; None where it is no such thing."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return None
    try:
        return tuple(value)
    except TypeError:  # an array without a dimension
        return None


def check_number(name: str, value: object, above: float, below: float, accepted: str) -> float:
    """`value` as a float, if it is a number above one bound and below another; else UsageError."""
    if isinstance(value, bool | str | bytes):
        refuse(name, value, accepted)
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        refuse(name, value, accepted)
    if not above < number < below:
        refuse(name, value, accepted)
    return number


def read_change(name: str, text: str) -> tuple[str, Any]:
    """Read ``PATH=VALUE``; a value is JSON, else numbers in a row (`1-6-1-5`, `1,6,1,5`), else a word."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        refuse(name, text, "a change; write PATH=VALUE, as settlement.tail_of_sets=0")
    try:
        return path.strip(), json.loads(value)
    except (ValueError, RecursionError):
        return path.strip(), row_of(value) or value


def row_of(text: str) -> list[int]:
    """Read whole numbers in a row, parted by hyphens, commas or blanks; none where the text is anything else."""
    if not re.fullmatch(r"\s*[0-9]{1,9}(?:(?:\s*[-,]\s*|\s+)[0-9]{1,9})+\s*", text):
        return []
    return [int(number) for number in re.findall(r"[0-9]+", text)]
