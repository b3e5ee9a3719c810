"""A rule set as a page of rules that a historian can read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from inspect import cleandoc
from itertools import groupby
from textwrap import wrap as wrap_text
from typing import TYPE_CHECKING, Any

from simkit.rules.base import OURS, Layer, defaults_of, field_info, is_config, join
from simkit.rules.wording import attribute_docs, split_sentence
from simkit.rules.works import WORKS

if TYPE_CHECKING:
    from simkit.rules.ruleset import RuleSet

WIDTH = 100
COLUMN = 33
NARROW = 70
"""Below this width a rule's name has a line of its own, and its text stands beneath it."""

wrap = partial(wrap_text, break_long_words=False, break_on_hyphens=False)


@dataclass(frozen=True)
class Rule:
    """One rule of a rule set in words.

    `path` is what `simkit.rules.apply` takes; `reading` says what the chosen word of a disputed rule means,
    and `readings` lists the words not chosen with their sources; `usual` is the default of the field's class
    when the rule differs from it, else empty; `group` is the heading it stands under, if any; `allowed` says which
    values the rule takes.
    """

    path: str
    value: str
    unit: str
    doc: str
    reading: str
    sources: str
    readings: tuple[tuple[str, str], ...]
    usual: str
    layer: Layer
    group: str = ""
    allowed: str = ""


def rule_words(value: Any) -> str:
    """Show the value of a rule: an enum's word, a number, ``none``; a tariff as it writes itself."""
    if isinstance(value, Enum):
        return str(value.value)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_config(type(value)) and not _is_one_value(value):
        parts = ((info.name, getattr(value, info.name)) for info in field_info(type(value)))
        return ", ".join(f"{name} {rule_words(part)}" for name, part in parts)
    return str(value)


def describe(part: object, place: str = "") -> tuple[Rule, ...]:
    """Put every rule of a game, match, settlement or whole rule set in words, in order of declaration.

    A part with rules of its own (the settlement) is listed rule by rule, a tariff as one rule.
    """
    return tuple(_rules(part, place or str(getattr(type(part), "PLACE", ""))))


def page(rules: RuleSet, width: int = WIDTH) -> tuple[str, ...]:
    """Return a rule set as a page of rules, line by line, with the works its citations stand for."""
    described = [rule for part in (rules.game, rules.match) for rule in describe(part)]
    lines = [*wrap(f"{rules.title} ({rules.name})", width)]
    for paragraph in rules.notes.splitlines():
        lines += wrap(paragraph, width, initial_indent="  ", subsequent_indent="  ")
    for source in rules.sources:
        lines += wrap(f"From {source}.", width, initial_indent="  ", subsequent_indent="    ")
    own = [f"{rule.path} {rule.value}" for rule in described if rule.usual]
    if own:
        lines += wrap(
            f"Not at the default: {', '.join(own)}.", width, initial_indent="  ", subsequent_indent="  "
        )
    for title, part in rules.parts:
        lines += ["", *_about(title, part, width)]
        for group, found in groupby(described, key=lambda rule: rule.group):
            listed = [rule for rule in found if rule.path.startswith(f"{title.lower()}.")]
            lines += ["", group] if listed and group else []
            lines += [line for rule in listed for line in rule_lines(rule, width)]
    lines += ["", *wrap(f"A rule's full name begins with its section, as in {described[0].path}.", width)]
    if any(rule.usual for rule in described):
        lines += ["* differs from the default."]
    lines += ["", "Works cited", *_works(described, width)]
    settled = "every settlement field is at its default" if rules.settlement else "there is no settlement"
    whole = rules.digest if rules.digest != rules.play_digest else f"the same; {settled}"
    lines.append("")
    for name, digest in (("play digest", rules.play_digest), ("digest", whole)):
        line = f"{name:<11}  {digest}"
        lines += [line] if len(line) <= width else [name, *wrap(digest, width)]
    return tuple(lines)


def _about(title: str, part: object, width: int) -> list[str]:
    """Return what a part is, its whole description, as wrapped lines."""
    first, *more = cleandoc(type(part).__doc__ or "").split("\n\n")
    lines = wrap(f"{title}: {' '.join(first.split())}", width)
    for paragraph in more:
        lines += wrap(" ".join(paragraph.split()), width, initial_indent="  ", subsequent_indent="  ")
    return lines


def rule_lines(rule: Rule, width: int = WIDTH) -> list[str]:
    """Return one rule as lines: its name in the first column, then value, meaning and sources.

    A truth value at its default is told shortly: who holds otherwise stands beside its sources.
    """
    name = ("* " if rule.usual else "  ") + rule.path.partition(".")[2]
    text = f"{rule.value} {rule.unit}".strip() + f". {rule.doc}"
    if rule.reading:
        text = text.removesuffix(".") + f": {_lower(rule.reading)}"
    settled = rule.value in {"true", "false"} and not rule.usual
    against = f"; otherwise {rule.readings[0][1]}" if settled and rule.readings else ""
    text += f" [{rule.sources}{against}]" if rule.sources else ""
    if rule.readings and not settled:
        text += " Other readings: " + "; ".join(f"{word} [{cited}]" for word, cited in rule.readings) + "."
    if rule.usual:
        text += f" Default: {rule.usual}."
    column = COLUMN if width >= NARROW else 4
    body = wrap(text, width - column)
    if len(name) >= column:
        return [name, *(" " * column + line for line in body)]
    return [f"{name:<{column}}{body[0]}", *(" " * column + line for line in body[1:])]


def _rules(part: object, place: str, group: str = "") -> Iterator[Rule]:
    for info in field_info(type(part)):
        value = getattr(part, info.name)
        path = join(place, info.name)
        if is_config(type(value)) and not _is_one_value(value):
            yield from _rules(value, str(getattr(type(value), "PLACE", path)), info.group)
            continue
        default = defaults_of(type(part)).get(info.name, value)
        reading, cited = _reading(value)
        readings = [(str(other.value), _reading(other)[1]) for other in _others(value)]
        if isinstance(value, bool) and info.other:
            by_default = "; ".join(info.sources)
            cited, contrary = (by_default, info.other) if value == default else (info.other, by_default)
            readings = [(rule_words(not value), contrary)] if contrary != OURS else []
        yield Rule(
            path=path,
            value=rule_words(value),
            unit=info.unit if not isinstance(value, Enum) and value is not None else "",
            doc=info.doc,
            reading=reading,
            sources=cited or "; ".join(info.sources),
            readings=tuple(readings),
            usual=rule_words(default) if default != value else "",
            layer=info.layer,
            group=info.group or group,
            allowed=info.allowed,
        )


def _is_one_value(part: object) -> bool:
    """Tell whether a part writes itself as one value, as a tariff does."""
    return "__str__" in vars(type(part))


def _reading(value: object) -> tuple[str, str]:
    if not isinstance(value, Enum):
        return "", ""
    words, cited = split_sentence(attribute_docs(type(value)).get(value.name, ""))
    return words, cited.rstrip(".")


def _others(value: object) -> list[Enum]:
    return [other for other in type(value) if other is not value] if isinstance(value, Enum) else []


def cited_works(described: Iterable[Rule]) -> list[str]:
    """Return the keys of the works that some rules cite, in the order of `WORKS`."""
    text = " ".join(rule.sources + " " + " ".join(cited for _, cited in rule.readings) for rule in described)
    return [key for key in WORKS if re.search(rf"\b{key}\b", text)]


def _works(described: list[Rule], width: int) -> list[str]:
    keys = cited_works(described)
    return [line for key in keys for line in wrap(f"  {key}  {WORKS[key]}", width, subsequent_indent=" " * 6)]


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
