"""Config objects as plain values, JSON and digests.

Two forms. The *full* form has every field and can be read back. The *canonical* form is what digests are
made of: fields at their default are left out, so that a field added later changes no digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from enum import Enum
from types import NoneType
from typing import Any, NoReturn, TypeVar, get_args

from simkit.errors import ConfigError
from simkit.rules.base import (
    Layer,
    Unbuilt,
    build,
    configs_in,
    defaults_of,
    enum_in,
    is_config,
    item_hint,
    join,
    no_such_field,
    not_allowed,
    type_hints,
)
from simkit.rules.wording import either, show_value

T = TypeVar("T")

MAX_DEPTH = 20
"""Objects and lists within one another; a rule set has five."""
TOO_DEEP = "nested too deeply to be a rule set"


def to_plain(value: Any, *, sparse: bool = False, leave_out: Layer | None = None, hint: Any = None) -> Any:
    """Turn a config object into dicts, lists, texts and numbers.

    The parts of a rule set, and parts that could be of several classes, carry their class as ``type``.

    Parameters
    ----------
    value
        A config object, enum member, tuple, number, text, truth value or None.
    sparse
        The canonical form: leave out fields at their default, and give every object its ``type``, so that two
        classes at their defaults do not look alike.
    leave_out
        Leave out the fields of this layer (``"settlement"`` gives what play depends on).
    hint
        The annotation of the field that holds the value.
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        inner = item_hint(hint)
        return [to_plain(item, sparse=sparse, leave_out=leave_out, hint=inner) for item in value]
    if not is_config(type(value)):
        return value
    cls = type(value)
    plain: dict[str, Any] = {}
    if sparse or hasattr(cls, "PLACE") or len(configs_in(hint)) > 1:
        plain["type"] = cls.__name__
    for name, inner in type_hints(cls).items():
        item = getattr(value, name)
        if leave_out is not None and getattr(type(item), "LAYER", "play") == leave_out:
            continue
        if sparse and name in defaults_of(cls) and item == defaults_of(cls)[name]:
            continue
        plain[name] = to_plain(item, sparse=sparse, leave_out=leave_out, hint=inner)
    return plain


def canonical(value: Any, *, leave_out: Layer | None = None) -> str:
    """Return the JSON text a digest is made of: sorted keys, no spaces, no field at its default."""
    return canonical_json(to_plain(value, sparse=True, leave_out=leave_out))


def canonical_json(plain: Any) -> str:
    """Write plain values as JSON with sorted keys and no spaces; a number that is not finite is refused."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def parse_json(text: str) -> Any:
    """Read JSON, refusing a key given twice; a byte order mark before it is passed over.

    Raises
    ------
    ConfigError
        If the text is not JSON, with line and column, gives one key twice, is nested deeper than any rule set,
        or holds a number that cannot be read.
    """
    try:
        plain = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise ConfigError(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise ConfigError(TOO_DEEP) from None
    except ValueError:
        raise ConfigError("not JSON: a number of thousands of digits cannot be read") from None
    level = [plain]
    for _ in range(MAX_DEPTH):
        level = [item for part in level if isinstance(part, dict | list) for item in _items(part)]
    if level:
        raise ConfigError(TOO_DEEP)
    return plain


def from_plain(cls: type[T], plain: Any, place: str) -> T:
    """Build a config object from plain values; a field left out takes its default.

    Raises
    ------
    ConfigError
        If anything does not fit; every problem of every part is listed.
    """
    value, problems = _part(cls, plain, place)
    if problems:
        raise ConfigError(tuple(problems))
    assert isinstance(value, cls)
    return value


def value_from_plain(hint: Any, plain: Any, path: str) -> tuple[Any, list[str]]:
    """Turn a plain value into what a field of this annotation holds; return it with any problems.

    What cannot be turned stays as it is, for the field's own check to refuse.
    """
    enum = enum_in(hint)
    if enum and isinstance(plain, str):
        found = [member for member in enum if member.value == plain]
        return (found[0], []) if found else (Unbuilt(), [not_allowed(hint, path, plain)])
    classes = configs_in(hint)
    inner = item_hint(hint)
    if isinstance(plain, list) and inner is not Any:
        pairs = [value_from_plain(inner, item, f"{path}[{index}]") for index, item in enumerate(plain)]
        problems = [text for _, texts in pairs for text in texts]
        return (Unbuilt() if problems else tuple(value for value, _ in pairs)), problems
    if (
        inner is not Any
        or not classes
        or is_config(type(plain))
        or (plain is None and NoneType in get_args(hint))
    ):
        return plain, []
    if not isinstance(plain, Mapping):
        return Unbuilt(), [not_allowed(hint, path, plain)]
    kind = plain.get("type", classes[0].__name__ if len(classes) == 1 else None)
    chosen = [one for one in classes if one.__name__ == kind]
    if not chosen:
        words = either(one.__name__ for one in classes)
        said = "missing" if kind is None else f"{show_value(kind)} is not allowed"
        return Unbuilt(), [f"{path}.type: {said}; {words}"]
    return _part(chosen[0], plain, str(getattr(chosen[0], "PLACE", path)))


def _part(cls: type, plain: Any, place: str) -> tuple[Any, list[str]]:
    if not isinstance(plain, Mapping):
        return Unbuilt(), [
            f"{place}: {show_value(plain)} is not allowed; an object with the fields of {cls.__name__}"
        ]
    hints = type_hints(cls)
    values: dict[str, Any] = {}
    problems: list[str] = []
    for name, item in plain.items():
        if name == "type" and "type" not in hints:  # the caller has chosen the class by it
            continue
        if name not in hints:
            problems.append(no_such_field(cls, place, str(name)))
            continue
        values[name], found = value_from_plain(hints[name], item, join(place, name))
        problems += found
    try:
        return build(cls, place, values), problems
    except ConfigError as error:
        return Unbuilt(), problems + list(error.problems)


def _items(part: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return part.values() if isinstance(part, dict) else part


def _no_number(word: str) -> NoReturn:
    raise ConfigError(f"{word} is not a number that JSON knows")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    twice = tuple(f"{key}: given twice" for key in dict.fromkeys(keys) if keys.count(key) > 1)
    if twice:
        raise ConfigError(twice)
    return dict(pairs)
