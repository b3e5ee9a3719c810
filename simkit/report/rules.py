"""Rule sets side by side: where they differ, what that means, and what all of them share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from simkit.rules import WORKS, Rule, RuleSet
from simkit.rules.page import describe

PARTS: Final = ("Game", "Match", "Settlement")
ABSENT: Final = "\u2013"
"""Stands where a rule set has no such rule."""


@dataclass(frozen=True)
class Value:
    """A rule's value in one rule set, and whether it is another than the first one's."""

    text: str
    differs: bool


@dataclass(frozen=True)
class Row:
    """A rule in which rule sets differ: its value in each."""

    rule: Rule
    values: tuple[Value, ...]
    readings: tuple[tuple[str, str], ...]
    """What each value means, where the sources dispute it."""


@dataclass(frozen=True)
class Part:
    """Rules of the game, the match or the settlement."""

    title: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Rules:
    """What a page says of the rules that were played.

    Attributes
    ----------
    sets
        The rule sets, the first being the one others are compared with.
    rows
        Rules in which they differ.
    own
        Of a single rule set, the rules that are not at their usual value.
    shared
        The other rules.
    works
        The works behind the keys that the rules cite.
    """

    sets: tuple[RuleSet, ...]
    rows: tuple[Row, ...]
    own: tuple[Part, ...]
    shared: tuple[Part, ...]
    works: tuple[tuple[str, str], ...]

    @property
    def count_shared(self) -> int:
        """How many rules are shared."""
        return sum(len(part.rules) for part in self.shared)


def side_by_side(rule_sets: Sequence[RuleSet]) -> Rules:
    """Sort the rules of one or more rule sets into what differs and what does not."""
    every = [{rule.path: rule for rule in described(rules)} for rules in rule_sets]
    paths = dict.fromkeys(path for rules in every for path in rules)
    differing = [
        path for path in paths if len({rules[path].value if path in rules else ABSENT for rules in every}) > 1
    ]
    same = [rule for rule in every[0].values() if rule.path not in differing]
    alone = len(rule_sets) == 1
    return Rules(
        sets=tuple(rule_sets),
        rows=tuple(_row([rules.get(path) for rules in every]) for path in differing),
        own=_parts(rule for rule in same if alone and rule.usual),
        shared=_parts(rule for rule in same if not (alone and rule.usual)),
        works=works_cited(rule for rules in every for rule in rules.values()),
    )


def described(rules: RuleSet) -> list[Rule]:
    """Every rule of a rule set in words."""
    return [rule for part in (rules.game, rules.match) for rule in describe(part)]


def _row(rules: Sequence[Rule | None]) -> Row:
    """A rule as each rule set has it; None where it has no such rule."""
    texts = [ABSENT if rule is None else rule.value for rule in rules]
    known = [rule for rule in rules if rule is not None]
    readings = {rule.value: rule.reading for rule in known if rule.reading}
    return Row(
        rule=known[0],
        values=tuple(Value(text, text != texts[0]) for text in texts),
        readings=tuple(readings.items()),
    )


def _parts(rules: Iterable[Rule]) -> tuple[Part, ...]:
    """Rules by what they are of; parts without any are left out."""
    every = list(rules)
    found = (
        Part(title, tuple(rule for rule in every if rule.path.startswith(f"{title.lower()}.")))
        for title in PARTS
    )
    return tuple(part for part in found if part.rules)


def works_cited(rules: Iterable[Rule]) -> tuple[tuple[str, str], ...]:
    """The works behind the keys that rules cite."""
    cited = " ".join(f"{rule.sources} {rule.readings}" for rule in rules)
    return tuple((key, work) for key, work in WORKS.items() if re.search(rf"\b{key}\b", cited))
