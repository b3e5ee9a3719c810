"""A rule set as a page of Markdown, always of the same shape, and the list of all pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc
from itertools import groupby

from simkit.rules.page import Rule, cited_works, describe, rule_words
from simkit.rules.ruleset import RuleSet, diff, sameness
from simkit.rules.tables import Tables
from simkit.rules.trictrac import Trictrac
from simkit.rules.wording import first_sentence
from simkit.rules.works import WORKS

STANDARD = {Trictrac: "classical", Tables: "toutes_tables_225"}
"""The rule set with which every other of its game is compared."""

STANDARD_MATCH = "ecrire_academie"
"""The rule set with which those of another match than `STANDARD` has are compared too."""

WRITTEN_BY = "This page is written by `python -m simkit.catalogue docs/rules` from the rule sets themselves."


def sheets(rule_sets: Mapping[str, RuleSet], aliases: Mapping[str, str]) -> dict[str, str]:
    """Write a page for each rule set, and the list of them.

    Parameters
    ----------
    rule_sets
        All rule sets by name; each page compares with `STANDARD` and with the one it is made of.
    aliases
        Other name -> name.

    Returns
    -------
    dict
        File name -> Markdown, ending in a newline.
    """
    pages = {
        f"{name}.md": sheet(rules, rule_sets, _others(name, aliases)) for name, rules in rule_sets.items()
    }
    rows = [
        (f"[`{name}`]({name}.md)", ", ".join(map(_code, _others(name, aliases))), rules.title)
        for name, rules in rule_sets.items()
    ]
    listed = ["# Rule sets", "", WRITTEN_BY, "", *_table(("name", "also called", "title"), rows)]
    listed += [
        "",
        "What a rule means is told in [the rules as simulated](../rules.md), why it was chosen in the "
        "[rulings](../rulings.md).",
    ]
    return {"README.md": "\n".join(listed) + "\n", **pages}


def sheet(rules: RuleSet, rule_sets: Mapping[str, RuleSet], also_called: Sequence[str] = ()) -> str:
    """Write the page of one rule set."""
    standard = STANDARD[type(rules.game)]
    lines = [f"# {rules.title}", "", WRITTEN_BY, ""]
    called = f" (also called {', '.join(map(_code, also_called))})" if also_called else ""
    lines += [f"Name: {_code(rules.name)}{called}.", ""]
    lines += ["## What it is", "", *_paragraphs(rules.notes.splitlines())]
    lines += ["From:", "", *(f"- {source}" for source in rules.sources), ""]
    lines += ["## In short", "", *_in_short(rules), ""]
    lines += ["## How it differs", "", *_differences(rules, rule_sets)]
    lines += ["## Every rule", "", "A value in bold is not the default.", "", *_every_rule(rules)]
    lines += ["## Digests", ""]
    lines += _table(
        ("digest", "of"),
        [
            (_code(rules.play_digest), "everything that play depends on"),
            (_code(rules.digest), "all rules, the settlement too"),
        ],
    )
    lines += [
        "",
        "## Shown by",
        "",
        "```",
        f"simkit show {rules.name}",
        *([f"simkit diff {standard} {rules.name}"] if rules.name != standard else []),
        "```",
    ]
    return "\n".join(lines) + "\n"


def _others(name: str, aliases: Mapping[str, str]) -> list[str]:
    return [alias for alias, target in aliases.items() if target == name]


def _in_short(rules: RuleSet) -> Iterator[str]:
    """Say of each part what it is, and which of its rules are not at the default."""
    for title, part in rules.parts:
        own = [
            f"{_code(rule.path.partition('.')[2])} {rule.value}" for rule in _of(title, rules) if rule.usual
        ]
        ways = f"Not at the default: {', '.join(own)}." if own else "Every rule is at its default."
        yield f"- {title}. {first_sentence(cleandoc(type(part).__doc__ or ''))} {ways}"


def _of(title: str, rules: RuleSet) -> list[Rule]:
    described = (*describe(rules.game), *describe(rules.match))
    return [rule for rule in described if rule.path.startswith(f"{title.lower()}.")]


def parent_of(name: str, known: Iterable[str]) -> str:
    """Return the longest name of which a rule set's name is an extension; empty if there is none."""
    return max((other for other in known if name.startswith(f"{other}_")), key=len, default="")


def _differences(rules: RuleSet, rule_sets: Mapping[str, RuleSet]) -> Iterator[str]:
    standard = STANDARD[type(rules.game)]
    names = (standard, STANDARD_MATCH, parent_of(rules.name, rule_sets))
    same_match = [name for name in names[1:] if name and type(rule_sets[name].match) is type(rules.match)]
    others = dict.fromkeys((standard, *same_match))
    others.pop(rules.name, None)
    if not others:
        yield from ("The others are compared with this one.", "")
    for name in others:
        other = rule_sets[name]
        yield from (f"From [{_code(name)}]({name}.md):", "")
        another_match = type(rules.match) is not type(other.match)
        if another_match:
            kinds = (type(other.match).__name__, type(rules.match).__name__)
            yield from (f"It is another match, {_code(kinds[1])} and not {_code(kinds[0])}: see below.", "")
        rows = [
            (_code(found.path), rule_words(found.a), rule_words(found.b))
            for found in diff(other, rules)
            if not another_match or found.path.startswith("game.")
        ]
        if rows:
            yield from _table(("rule", name, rules.name), rows)
        else:
            yield sameness(other, rules) or "The game on the board is the same."
        yield ""


def _every_rule(rules: RuleSet) -> Iterator[str]:
    described: list[Rule] = []
    for title, _ in rules.parts:
        for group, found in groupby(_of(title, rules), key=lambda rule: rule.group):
            listed = [*found]
            described += listed
            yield from (f"### {title}: {group.lower()}" if group else f"### {title}", "")
            yield from _table(
                ("rule", "value", "unit", "allowed", "what it is", "sources"), map(_row, listed)
            )
            yield ""
    yield from ("Works cited:", "")
    yield from (f"- {key}: {WORKS[key]}" for key in cited_works(described))
    yield ""


def _row(rule: Rule) -> tuple[str, ...]:
    reading = f" Here: {rule.reading[0].lower()}{rule.reading[1:]}" if rule.reading else ""
    others = "; ".join(f"{word} [{cited}]" for word, cited in rule.readings)
    sources = rule.sources + (f". Other readings: {others}" if others else "")
    return (
        _code(rule.path.partition(".")[2]),
        f"**{rule.value}**" if rule.usual else rule.value,
        rule.unit,
        rule.allowed,
        rule.doc + reading,
        sources,
    )


def _paragraphs(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from (text, "")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def _code(text: str) -> str:
    return f"`{text}`"
