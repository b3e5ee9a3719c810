"""The words in which the files of printed numbers and games tell what a roll's points are for."""

from __future__ import annotations

import re
from typing import Final

from simkit import play
from simkit.cases.reading import Check, Fields, MalformedError, shown

JANS: Final = {"petit": "petit_jan", "grand": "grand_jan", "retour": "jan_de_retour"}
"""The quarters as those files name them, and as figures do."""

KNOWN: Final = re.compile(
    r"conserve (petit|grand|retour)|fill (petit|grand|retour) x\d+"
    r"|hit blot on \d+ x\d+|false hit blot on \d+|hit corner"
    r"|two corners|two corners falsely|mezeas|six tables|\d unplayable"
)

WORDLESS: Final = "?"
"""Stands for a reason without a word in these files, the last man borne off for one, and for unknown words."""

PLAIN: Final = {
    "six_tables": "six tables",
    "deux_tables": "two corners",
    "contre_deux_tables": "two corners falsely",
    "mezeas": "mezeas",
    "corner_hit": "hit corner",
}


def reason(award: play.Award) -> str:
    """Write what an award is for, in the words of these files."""
    figure = award.figure
    if figure in PLAIN:
        return PLAIN[figure]
    if figure == "hit_true":
        return f"hit blot on {award.target} x{award.ways}"
    if figure == "hit_false":
        return f"false hit blot on {award.target}"
    if figure == "impuissance":
        return f"{award.dice_unplayed} unplayable"
    for short, jan in JANS.items():
        if figure == f"conserve_{jan}":
            return f"conserve {short}"
        if figure == f"fill_{jan}":
            return f"fill {short} x{award.ways}"
    return WORDLESS


def compare_reasons(check: Check, place: str, expect: Fields, key: str, awards: list[play.Award]) -> None:
    """Compare one side's points of a roll, each with its reason; unknown words fit a figure without a word."""
    wanted = reasons_given(expect, key)
    known = [(words if KNOWN.fullmatch(words) else WORDLESS, points) for words, points in wanted]
    check.compare(place, sorted(known), sorted((reason(award), award.points) for award in awards))


def total(entries: list[tuple[str, int]]) -> int:
    """Add up the points of a list of reasons."""
    return sum(points for _, points in entries)


def reasons_given(expect: Fields, key: str) -> list[tuple[str, int]]:
    """Read a list of `[reason, points]`."""
    entries: list[tuple[str, int]] = []
    for item in expect.items(key):
        match item:
            case [str() as words, int() as points] if type(points) is int and points >= 0:
                entries.append((words, points))
            case _:
                raise MalformedError(f"{expect.place(key)}: {shown(item)} is no [reason, points]")
    return entries
