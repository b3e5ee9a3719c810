"""A match told in short on a page: the table of its units, and boards of a few rolls."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from simkit.boards import Look, svg_board
from simkit.example import Example, Shown
from simkit.numbering import roll_words
from simkit.position import parse
from simkit.report.numbers import Cell, Table, capital

LETTERS: Final = 21
"""Size of letters on a board, so that they can be read where it is as wide as a telephone."""


@dataclass(frozen=True)
class Board:
    """A board with what happened there."""

    key: str
    title: str
    why: str
    text: str
    svg: str


@dataclass(frozen=True)
class MatchTold:
    """What the page says of a match.

    Attributes
    ----------
    intro, legend
        Which match it is and how it was chosen; how to read the boards.
    account
        Its units, one in each row.
    heading, told, ends
        Of the unit that is shown: its name, how it begins and why it is shown, how it and the match end.
    boards
        The rolls shown.
    command
        What tells all of it; empty where no command does.
    """

    intro: str
    legend: str
    account: Table
    heading: str
    told: str
    ends: str
    boards: tuple[Board, ...]
    command: str


def match_told(shown: Example) -> MatchTold:
    """Put a match into words, tables and drawings; the same match gives the same bytes."""
    name, _, begins = shown.begins.partition(": ")
    name = capital(name.lower())
    if shown.unit == "game":
        name, _, start = name.partition(" from ")
        begins = f"from {start}: {begins}"
    chosen = f" Shown is {shown.chosen}." if shown.chosen else ""
    return MatchTold(
        intro=_intro(shown),
        legend=_legend(shown),
        account=Table(shown.head, tuple(tuple(Cell(text) for text in row) for row in shown.account)),
        heading=name,
        told=f"{capital(begins.rstrip('.'))}.{chosen}",
        ends=f"{shown.ends} {shown.outcome}".strip(),
        boards=tuple(_board(shown, one) for one in shown.shown),
        command=shown.command,
    )


def _intro(shown: Example) -> str:
    names = [f"player {number} is {name}" for number, name in enumerate(shown.players, start=1)]
    kind = "pool" if "match" in shown.unit else "match"
    return (
        f"Of the first {shown.among} {'pools' if kind == 'pool' else 'matches'} by {shown.rules} on the seed of "
        f"this run, {shown.seed}, {kind} {shown.match} (they are numbered from 0) is the one of median length, "
        f"{shown.rolls:,} rolls, and the first of that length; {', '.join(names)}. It shows how these players "
        "play; no number of this page rests on it alone."
    )


def _legend(shown: Example) -> str:
    light, dark = f"{shown.side} 1", f"{shown.side} 2"
    words = [
        f"The men of {light} are light, those of {dark} dark; whoever throws sits below, and arrows are numbered "
        "as he counts them, 1 to 24",
        "the dice lie below on the right; the board is that before the throw",
        "more than five men on an arrow bear their number",
    ]
    if shown.with_bar:
        words += ["a star after an arrow: a man is hit there"]
    else:
        words += [
            "T marks the talons, C the corners of rest",
            f"holes and points are those of {light} and {dark} after the roll",
            "a star beside them: bredouille, made without the other making any in between",
        ]
    return f"{'; '.join(words)}."


def _board(shown: Example, one: Shown) -> Board:
    who = f"{shown.side} {one.player}"
    dice = roll_words(one.dice) if shown.with_bar else f"{one.dice[0]}-{one.dice[1]}"
    plays = (f"plays {one.play}",) if one.play else ()
    after = ", ".join(f"{term} {value}" for term, value in one.after)
    drawing = svg_board(
        parse(one.position),
        one.dice,
        with_bar=shown.with_bar,
        look=Look(
            letters=LETTERS, mover=who, other=f"{shown.side} {3 - one.player}", dark_mover=one.player == 2
        ),
    )
    return Board(
        key=f"roll-{one.number}",
        title=f"Roll {one.number}: {who} throws {dice}",
        why=capital("; ".join(one.why)),
        text=f"{capital('; '.join((*one.happens, *plays, f'then {after}')))}.",
        svg=inline(drawing),
    )


def inline(drawing: str) -> str:
    """A drawing to stand inside a page, as wide as its place."""
    head, _, rest = drawing.partition(">")
    opened = re.sub(r' (xmlns|width|height)="[^"]*"', "", head)
    return f"{opened}>{rest.rstrip()}"
