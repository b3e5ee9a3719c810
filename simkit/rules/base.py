"""What every config object is: a frozen, strict value that says in plain words what it refuses.

`config` is the project's one alias for a frozen, keyword-only, strict pydantic dataclass. Bad values raise
`ConfigError` with every problem at once, each as ``path: value is not allowed; what is (source)``.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from enum import Enum
from types import NoneType, SimpleNamespace
from typing import Annotated, Any, Literal, TypeVar, dataclass_transform, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass as pydantic_dataclass
from pydantic.fields import FieldInfo as PydanticField
from pydantic_core import ArgsKwargs

from simkit.errors import ConfigError
from simkit.rules.wording import attribute_docs, cached, either, first_sentence, number_words, show_value
from simkit.rules.works import in_words

T = TypeVar("T")
Layer = Literal["play", "settlement"]

OURS = "Our alternative"
"""Cited for a reading that no source holds, there to measure what a rule does."""

NonNegative = Annotated[int, Field(ge=0, le=10_000)]
"""A payment: any whole number of jetons up to a limit no sum over a match can overflow."""


@dataclasses.dataclass(frozen=True)
class Cited:
    """What a field's type does not say: its sources, its unit and, where needed, its allowed values in words.

    Stands in a field's annotation: ``Annotated[NonNegative, Cited("S0 section 6", unit="points")]``. A source
    is a key of `simkit.rules.WORKS` with the place in that work. For a truth value `sources` hold the default
    and `other` the contrary reading; the readings of an enum are cited at its members.
    """

    sources: tuple[str, ...]
    unit: str
    allowed: str
    other: str

    def __init__(self, *sources: str, unit: str = "", allowed: str = "", other: str = "") -> None:
        object.__setattr__(self, "sources", sources)
        object.__setattr__(self, "unit", unit)
        object.__setattr__(self, "allowed", allowed)
        object.__setattr__(self, "other", other)


@dataclasses.dataclass(frozen=True)
class FieldInfo:
    """One field of a config class, as `simkit show`, the schemas and the documentation need it.

    `default` is `dataclasses.MISSING` where the field must be given; `layer` is ``"settlement"`` when the
    field can be changed after play without a roll, else ``"play"``; `other` cites who holds the contrary of a
    truth value's default; `group` is the heading the field stands under.
    """

    name: str
    type: str
    unit: str
    allowed: str
    doc: str
    sources: tuple[str, ...]
    layer: Layer
    default: Any
    other: str = ""
    group: str = ""


@dataclasses.dataclass(frozen=True)
class Unbuilt:
    """Stands for a part whose own problems are already listed, so that it is not blamed twice."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
def config(cls: type[T]) -> type[T]:
    """Make `cls` a frozen, keyword-only, strict dataclass whose construction errors are `ConfigError`.

    Strict: no value is converted (``True`` is no whole number, ``"own"`` no enum member), no unknown field
    is taken. Methods marked `cross_check` are asked once the fields they read are sound.
    """
    settings = ConfigDict(strict=True, extra="forbid")
    built: Any = pydantic_dataclass(frozen=True, kw_only=True, config=settings)(cls)
    validate = built.__init__

    @functools.wraps(validate)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        _validate_into(self, place_of(type(self)), args, kwargs)

    built.__config_validate__ = validate
    built.__init__ = init
    return built  # type: ignore[no-any-return]


def cross_check(method: Callable[[Any], str | None]) -> Callable[[Any], str | None]:
    """Mark a method of a config class that compares fields; it returns one problem, path first, or None.

    It may read fields of its own object only: it is also asked when *other* fields are wrong.
    """
    method.__cross_check__ = True  # type: ignore[attr-defined]
    return method


def is_config(cls: object) -> bool:
    """Tell whether `cls` was made by `config`."""
    return isinstance(cls, type) and "__config_validate__" in vars(cls)


def place_of(cls: type) -> str:
    """Return the dotted path a class's fields have in a rule set, or the class name outside of one."""
    place = getattr(cls, "PLACE", cls.__name__)
    assert isinstance(place, str)
    return place


def join(place: str, name: str) -> str:
    """Return the dotted path of a field, its bare name at the top of a document."""
    return f"{place}.{name}" if place else name


def build(cls: type[T], place: str, values: Mapping[str, Any]) -> T:
    """Construct `cls`, naming its fields below `place` in error messages."""
    made = object.__new__(cls)
    _validate_into(made, place, (), values)
    return made


def replace(obj: T, **changes: Any) -> T:
    """Return a copy of a config object with some fields changed, validated like a new one.

    Raises
    ------
    ConfigError
        If a field does not exist or a value is not allowed; every problem is listed.
    """
    values = {name: getattr(obj, name) for name in fields_of(type(obj))}
    return type(obj)(**(values | changes))


@cached
def type_hints(cls: type) -> dict[str, Any]:
    """Return the annotations of the fields of a config class, constraints included."""
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def fields_of(cls: type) -> tuple[str, ...]:
    """Return the field names of a config class in the order of their declaration."""
    return tuple(type_hints(cls))


@cached
def defaults_of(cls: type) -> dict[str, Any]:
    """Return the default of each field that has one."""
    return {
        field.name: field.default
        for field in dataclasses.fields(cls)
        if field.default is not dataclasses.MISSING
    }


@cached
def field_info(cls: type) -> tuple[FieldInfo, ...]:
    """Describe every field of a config class: unit, allowed values, meaning, sources and layer."""
    docs = attribute_docs(cls)
    groups = _groups(cls)
    layer: Layer = getattr(cls, "LAYER", "play")
    return tuple(
        FieldInfo(
            name=name,
            type=type_words(hint),
            unit=cited(hint).unit,
            allowed=allowed_words(hint),
            doc=first_sentence(docs.get(name, "")),
            sources=cited(hint).sources,
            layer="settlement" if any(_layer(part) == "settlement" for part in configs_in(hint)) else layer,
            default=defaults_of(cls).get(name, dataclasses.MISSING),
            other=cited(hint).other,
            group=groups[name],
        )
        for name, hint in type_hints(cls).items()
    )


def cited(hint: Any) -> Cited:
    """Return the `Cited` part of an annotation, empty if there is none."""
    return next((part for part in _metadata(hint) if isinstance(part, Cited)), Cited())


def configs_in(hint: Any) -> tuple[type, ...]:
    """Return the config classes an annotation admits."""
    if is_config(hint):
        return (hint,)
    return tuple(found for part in get_args(hint) for found in configs_in(part))


def item_hint(hint: Any) -> Any:
    """Return the annotation of a tuple's items, Any if the annotation admits no tuple."""
    if get_origin(hint) is tuple:
        return get_args(hint)[0]
    return next((found for part in get_args(hint) if (found := item_hint(part)) is not Any), Any)


def enum_in(hint: Any) -> type[Enum] | None:
    """Return the enum an annotation admits, if any."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    return next((found for part in get_args(hint) if (found := enum_in(part))), None)


def type_words(hint: Any) -> str:
    """Name the type of a field in words: ``whole number``, ``truth value``, an enum's or a class's name."""
    bare = _bare(hint)
    plain = {int: "whole number", bool: "truth value", str: "text", float: "number", NoneType: "none"}
    if bare in plain:
        return plain[bare]
    if get_origin(bare) is tuple:
        return f"tuple of {type_words(get_args(bare)[0])}"
    if isinstance(bare, type):
        return bare.__name__
    return " or ".join(type_words(part) for part in get_args(bare)) or str(bare)


def allowed_words(hint: Any) -> str:
    """Say which values a field takes, in words that can end an error message."""
    stated = cited(hint).allowed
    if stated:
        return stated
    bare = _bare(hint)
    if bare is int or bare is float:
        return number_words(bare, _bounds(hint))
    if bare is bool:
        return "true or false"
    if bare is str:
        return "text"
    if bare is NoneType:
        return "none"
    if isinstance(bare, type) and issubclass(bare, Enum):
        return either(str(member.value) for member in bare)
    origin, parts = get_origin(bare), get_args(bare)
    if origin is tuple and parts:
        return f"a tuple, each item {allowed_words(parts[0])}"
    if origin is Literal:
        return either(str(part) for part in parts)
    if parts:
        return either(allowed_words(part) for part in parts)
    return f"a {bare.__name__}" if isinstance(bare, type) else str(bare)


def no_such_field(cls: type, place: str, name: str) -> str:
    """Word the problem of a field that does not exist, with the nearest one that does."""
    names = fields_of(cls)
    for part in names:
        for inner in configs_in(type_hints(cls)[part]):
            if name in fields_of(inner):
                return f"{join(place, name)}: no such field; it belongs to {_path(place, part, inner)}.{name}"
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the fields are {', '.join(names)}"
    return f"{join(place, name)}: no such field; {hint}"


def not_allowed(hint: Any, path: str, value: object) -> str:
    """Word the problem of a value that a field does not take."""
    enum = enum_in(hint)
    meant = [member for member in enum if member.value == value] if enum and isinstance(value, str) else []
    if enum and meant:
        return f"{path}: {show_value(value)} is text; write {enum.__name__}.{meant[0].name}"
    sources = [source for source in cited(hint).sources if source != OURS]
    allowed = in_words(f"{allowed_words(hint)} ({'; '.join(sources)})") if sources else allowed_words(hint)
    return f"{path}: {show_value(value)} is not allowed; {allowed}"


def _validate_into(obj: Any, place: str, args: tuple[Any, ...], values: Mapping[str, Any]) -> None:
    cls = type(obj)
    faults: list[tuple[str, str]] = []
    try:
        cls.__config_validate__(obj, *args, **values)
    except ValidationError as error:
        faults = list(_faults(cls, place, error))
    wrong = {name for name, _ in faults}
    sound = {name: value for name, value in (defaults_of(cls) | dict(values)).items() if name not in wrong}
    problems = [text for _, text in faults if text]
    problems += _cross_problems(cls, SimpleNamespace(**sound))
    if faults or problems:
        raise ConfigError(tuple(problems)) from None


def _faults(cls: type, place: str, error: ValidationError) -> Iterator[tuple[str, str]]:
    """Yield (field, problem in words); an empty problem for a part that already told its own."""
    seen: set[str] = set()
    for fault in error.errors(include_url=False, include_context=True):
        head = fault["loc"][0] if fault["loc"] else ""
        index = "".join(f"[{step}]" for step in fault["loc"][1:] if isinstance(step, int))
        path = join(place, f"{head}{index}")
        if path not in seen:
            seen.add(path)
            yield str(head), _fault_words(cls, place, path, str(head), fault)


def _fault_words(cls: type, place: str, path: str, name: str, fault: Any) -> str:
    kind, value = fault["type"], fault["input"]
    if isinstance(value, Unbuilt):
        return ""
    if kind == "unexpected_positional_argument":
        names = ", ".join(fields_of(cls))
        return f"{place}: {show_value(value)} was given without a name; the fields are {names}"
    if name not in fields_of(cls):
        return f"{place}: {fault['msg']}" if not name else no_such_field(cls, place, name)
    hint = type_hints(cls)[name]
    if kind.startswith("missing") and isinstance(value, ArgsKwargs):
        return f"{path}: missing; {allowed_words(hint)}"
    if kind in {"value_error", "assertion_error"}:
        return f"{path}: {show_value(value)} is not allowed; {fault['ctx']['error']}"
    return not_allowed(item_hint(hint) if path.endswith("]") else hint, path, value)


def _cross_problems(cls: type, sound: SimpleNamespace) -> Iterator[str]:
    for name in dir(cls):
        check = getattr(cls, name, None)
        if not getattr(check, "__cross_check__", False):
            continue
        assert callable(check)
        try:
            problem = check(sound)
        except AttributeError:  # a field it reads is wrong and has been reported
            continue
        if problem:
            yield in_words(problem)


def _path(place: str, name: str, inner: type) -> str:
    return str(getattr(inner, "PLACE", join(place, name)))


def _groups(cls: type) -> dict[str, str]:
    """Return the heading each field stands under, by the headings that `GROUPS` puts before a field."""
    headings: Mapping[str, str] = getattr(cls, "GROUPS", {})
    heading = ""
    return {name: (heading := headings.get(name, heading)) for name in fields_of(cls)}


def _layer(cls: type) -> Layer:
    layer: Layer = getattr(cls, "LAYER", "play")
    return layer


def _metadata(hint: Any) -> Iterator[Any]:
    if get_origin(hint) is Annotated:
        for part in hint.__metadata__:
            if isinstance(part, PydanticField):
                yield from part.metadata
            else:
                yield part


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _bounds(hint: Any) -> dict[str, Any]:
    names = ("ge", "gt", "le", "lt", "multiple_of")
    return {name: getattr(part, name) for part in _metadata(hint) for name in names if hasattr(part, name)}
