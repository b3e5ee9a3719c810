"""list, show, diff: what is declared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from simkit.cli.options import Json
from simkit.cli.printing import page_width, print_json, print_table, print_text, wrapped


def list_(as_json: Json = False) -> None:
    """List rule sets, players and experiments.

    \b
    Example:
      simkit list
    """
    from simkit import catalogue

    names = catalogue.names()
    kinds = {
        "rule_sets": {name: catalogue.rule_set(name).title for name in names.rule_sets},
        "players": {name: catalogue.player(name).title for name in names.players},
        "experiments": {name: catalogue.experiment(name).title for name in names.experiments},
    }
    if as_json:
        listed = {
            kind: [{"name": name, "title": title} for name, title in found.items()]
            for kind, found in kinds.items()
        }
        print_json({**listed, "aliases": dict(names.aliases)})
        return
    for number, (kind, found) in enumerate(kinds.items()):
        print("\n" * bool(number) + kind.replace("_", " ").capitalize())
        print_table([(f"  {name}", title) for name, title in found.items()])
    if names.aliases:
        print("\nOther names")
        print_table([(f"  {alias}", name) for alias, name in names.aliases.items()])


def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A rule set, a player or an experiment.")],
    as_json: Json = False,
) -> None:
    """Print a rule set, a player or an experiment in words, in this order if a name stands for several.

    \b
    Examples:
      simkit show ecrire_academie
      simkit show greedy
      simkit show ecrire_academie --json > mine.json
    """
    from simkit import catalogue

    kind, found = catalogue.declared(name)
    if as_json:
        print_json(as_plain(kind, found))
    elif kind == "experiment":
        print("\n".join(experiment_words(found)))
    elif kind == "player":
        print("\n".join(player_words(found)))
    else:
        print("\n".join(found.words(page_width())))
    if not as_json and kind != "experiment" and name in catalogue.names().experiments:
        place = f"experiments/{name}.py:{name.upper()}"
        print_text(
            f"\nAn experiment is named {name} too: simkit run {name}; simkit show {place} in a checkout."
        )


def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A rule set.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another rule set.")],
    as_json: Json = False,
) -> None:
    """Print the rules in which two rule sets differ.

    \b
    Example:
      simkit diff classical academie
    """
    from simkit import catalogue
    from simkit.rules import diff as differences
    from simkit.rules import rule_words, sameness

    a, b = catalogue.rule_set(first), catalogue.rule_set(second)
    rows = [(found.path, rule_words(found.a), rule_words(found.b)) for found in differences(a, b)]
    same_play = a.play_digest == b.play_digest
    if as_json:
        listed = [dict(zip(("path", "a", "b"), row, strict=True)) for row in rows]
        print_json({"a": a.name, "b": b.name, "same_play": same_play, "differences": listed})
        return
    if rows:
        print_table([("rule", a.name, b.name), *rows])
    else:
        print(sameness(a, b))
    if rows and same_play:
        print_text("\nThey differ in settlement only: one play serves both.")


def as_plain(kind: str, found: Any) -> dict[str, Any]:
    """Turn a declaration into plain values."""
    if kind == "rule set":
        digests = {"play_digest": found.play_digest, "digest": found.digest}
        return {"kind": "rule_set", **json.loads(found.to_json()), **digests}
    plain = {"kind": kind, "name": found.name, "title": found.title}
    if kind == "player":
        return {**plain, "digest": found.digest, "words": found.words()}
    return {
        **plain,
        "question": found.question,
        "rules": found.rules,
        "players": found.players,
        "analysis": {"kind": type(found.analysis).__name__, **analysis_plain(found.analysis)},
        "matches": found.matches,
        "seed": found.seed,
        "level": found.level,
        "claims": [
            {
                "id": claim.id,
                "source": claim.source,
                "text": claim.text,
                "criterion": claim.criterion,
                "skill_note": claim.skill_note,
                "rules": claim.rules or found.rules,
                "players": claim.players or found.players,
            }
            for claim in found.claims
        ],
        "criteria_set": found.criteria_set,
    }


def analysis_plain(analysis: Any) -> dict[str, Any]:
    """Give the fields of a question as plain values."""
    import dataclasses

    return {
        field.name: value
        for field in dataclasses.fields(analysis)
        if field.name != "measures"  # functions, all of them by default
        for value in [getattr(analysis, field.name)]
    }


def experiment_words(found: Any) -> Iterator[str]:
    """Print an experiment as a page."""
    facts = [
        ("Rules", ", ".join(found.rules)),
        *(("Players", f"{pair[0]} against {pair[1]}") for pair in found.players),
        *(("Matches", line) for line in match_words(found)),
        *found.analysis.facts(),
        ("Seed", str(found.seed)),
        *([("Rows", f"shared, below results/{found.rows_of}")] if found.rows_of else []),
        *([("Criteria", f"set {found.criteria_set}")] if found.claims else []),
    ]
    yield from (*wrapped(found.title), "", *wrapped(found.question), "")
    for name, words in facts:
        first, *more = wrapped(words, " " * 13)
        yield from (f"{name:<13}{first.lstrip()}", *more)
    for claim in found.claims:
        yield from ("", *wrapped(f"Claim {claim.id}  {claim.text} ({claim.source})"))
        yield from wrapped(claim.criterion, "  ")
        yield from wrapped(claim.skill_note, "  ") if claim.skill_note else ()


def match_words(found: Any) -> Iterator[str]:
    """Say how many matches the pairs of an experiment play."""
    numbers = found.matches_of_pairs
    if len(set(numbers)) == 1:
        yield f"{numbers[0]:,} of each pair"
        return
    for pair, number in zip(found.players, numbers, strict=True):
        yield f"{number:,} of {pair[0]} against {pair[1]}"


def player_words(found: Any) -> Iterator[str]:
    """Print a player as a page."""
    yield from (found.name, "")
    for line in found.words():
        indent = " " * (len(line) - len(line.lstrip()))
        first, *more = wrapped(line.lstrip(), indent + "    ")
        yield from (indent + first.lstrip(), *more)
    yield from ("", f"Digest  {found.digest}")
