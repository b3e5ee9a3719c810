"""Words for values, limits and docstrings; what `base` and `ruleset` say to a reader."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import sys
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, TypeVar

T = TypeVar("T")


def cached(function: Callable[[type], T]) -> Callable[[type], T]:
    """Remember a function's answer for each class."""
    return functools.cache(function)


def show_value(value: object) -> str:
    """Show a value as the user wrote it, shortened to fit a line."""
    text = f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def either(words: Iterable[str]) -> str:
    """Join words with commas and a last *or*."""
    listed = list(dict.fromkeys(words))
    return " or ".join([", ".join(listed[:-1]), listed[-1]]) if len(listed) > 1 else "".join(listed)


def number_words(kind: type, bounds: Mapping[str, Any]) -> str:
    """Say which numbers lie within pydantic's bounds: *an even number from 2 to 24*."""
    step = bounds.get("multiple_of", 1)
    if kind is int:
        low = bounds["ge"] if "ge" in bounds else bounds["gt"] + 1 if "gt" in bounds else None
        high = bounds["le"] if "le" in bounds else bounds["lt"] - 1 if "lt" in bounds else None
        if low is not None and high is not None and (high - low) // step < 4:
            return either(str(number) for number in range(low, high + 1, step))
        noun = {1: "a whole number", 2: "an even number"}.get(step, f"a multiple of {step}")
        if low is not None and high is not None:
            return f"{noun} from {low} to {high}"
        return noun + (
            f", {low} or more" if low is not None else f", {high} or less" if high is not None else ""
        )
    signs = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
    limits = " and ".join(f"{words} {bounds[name]:g}" for name, words in signs.items() if name in bounds)
    return f"a number {limits}".rstrip()


def first_sentence(doc: str) -> str:
    """Return a docstring's first sentence on one line."""
    return split_sentence(doc)[0]


def split_sentence(doc: str) -> tuple[str, str]:
    """Split a docstring into its first sentence and the rest, each on one line and without emphasis."""
    head, stop, rest = " ".join(doc.replace("*", "").split()).partition(". ")
    return head + "." * bool(stop), rest


@cached
def attribute_docs(cls: type) -> dict[str, str]:
    """Return the docstring that stands beneath each field or enum member, read from the source."""
    docs: dict[str, str] = {}
    for owner in reversed(cls.__mro__[:-1]):
        for node, below in itertools.pairwise(_body(owner)):
            name = _assigned(node)
            if name and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                docs[name] = inspect.cleandoc(str(below.value.value))
    return docs


def _body(cls: type) -> list[ast.stmt]:
    """The statements of a class; none without its source at hand, as in an interactive session."""
    return _bodies(cls.__module__).get(cls.__qualname__, [])


@functools.cache
def _bodies(module: str) -> Mapping[str, list[ast.stmt]]:
    """The statements of every class of a module by its name, read in one go; of nested ones too."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, TypeError, SyntaxError):
        return {}
    found: dict[str, list[ast.stmt]] = {}

    def gather(body: list[ast.stmt], within: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                found[f"{within}{node.name}"] = node.body
                gather(node.body, f"{within}{node.name}.")

    gather(tree.body, "")
    return found


def _assigned(node: ast.stmt) -> str:
    target = node.target if isinstance(node, ast.AnnAssign) else None
    if isinstance(node, ast.Assign):
        target = node.targets[0]  # type: ignore[assignment]
    return target.id if isinstance(target, ast.Name) else ""
