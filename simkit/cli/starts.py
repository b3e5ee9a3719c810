"""Options that say where play starts: men, score, who is to roll, and the roll."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from simkit.cli.options import whole
from simkit.errors import UsageError, clipped

if TYPE_CHECKING:
    from simkit.drivers import State
    from simkit.numbering import Numbering
    from simkit.position import Position
    from simkit.rules import RuleSet

ScoreText: TypeAlias = Annotated[
    str,
    typer.Option(
        "--score",
        metavar="SCORE",
        help="Holes and points of player 1, then of player 2, as '3:4b 2:8' (b: in bredouille); in toutes tables "
        "and backgammon points of the match, as 2-1, with the cube '5-4 cube:2 owner:1'. More words in "
        "docs/notation.md. By default nothing is scored.",
    ),
]
ToRoll: TypeAlias = Annotated[
    int, typer.Option("--to-roll", parser=whole, metavar="1|2", help="The player to roll; 1 by default.")
]
RollNumber: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--roll-number",
        parser=whole,
        metavar="N",
        help="Which roll of his this is since the men started, from 1.",
    ),
]


def asked_start(
    rules: RuleSet,
    position: str,
    names: Numbering,
    score: str = "",
    dice: str | None = None,
    roll_number: int | None = None,
    to_roll: int = 1,
) -> State:
    """Read a start from a position, a score and a roll as text."""
    from simkit import numbering
    from simkit.drivers import read_state
    from simkit.drivers.tables_state import EXAMPLE, is_below_nought, is_score, parsed_score
    from simkit.position import read_dice
    from simkit.rules import PointMatch

    if isinstance(rules.match, PointMatch):
        if roll_number is not None:
            raise UsageError(f"--roll-number is of trictrac; in {rules.name} rolls are not counted")
        if is_below_nought(score):
            raise UsageError(f"score '{clipped(score)}': a score below 0")
        if score and not is_score(score):
            if not re.match(r"\s*[0-9]+:", score):
                parsed_score(score)  # which says what comes first
            raise UsageError(
                f"score '{clipped(score)}': holes:points are of trictrac; of {rules.name} it is the points of the "
                f"match, as {EXAMPLE}"
            )
        men = men_of(position, names)
    else:
        men = numbering.read(position, names, rules.trictrac_game)
    return read_state(
        men,
        score,
        to_roll=to_roll,
        roll_number=roll_number,
        dice=None if dice is None else read_dice(dice),
    )


def men_of(position: str, names: Numbering) -> Position:
    """Read the men of toutes tables or backgammon: a position, or a start by its dice, as `1-6 1-5`."""
    from simkit import tables
    from simkit.cli.tables import start_of
    from simkit.position import parse

    if re.fullmatch(r"\s*[0-9]-[0-9]\s+[0-9]-[0-9]\s*", position):
        return tables.start(*start_of(position))
    men = parse(position, names.read)
    tables.check(men)
    return men


def start_words(start: State, names: Numbering, rules: RuleSet) -> str:
    """Tell a start in a line: men, the score if there is one, who rolls what."""
    from simkit import numbering
    from simkit.drivers import write_score
    from simkit.drivers.tables_state import told
    from simkit.rules import PointMatch

    roll = f" rolls {start.dice[0]}-{start.dice[1]}" if start.dice else " is to roll"
    bare = isinstance(rules.match, PointMatch) and not told(start)
    score = "" if bare else f", score {write_score(start)}"
    return f"{numbering.write(start.position, names)}{score}, player {start.roller + 1}{roll}"


def start_plain(start: State, rules: RuleSet, names: Numbering | None = None) -> dict[str, Any]:
    """Turn a start into plain values: position and score in their notation, and who rolls what."""
    from simkit import numbering
    from simkit.drivers import write_score
    from simkit.drivers.tables_state import score_words
    from simkit.rules import PointMatch

    return {
        "position": numbering.write(start.position, names or numbering.OURS),
        "score": score_words(start) if isinstance(rules.match, PointMatch) else write_score(start),
        "to_roll": start.roller + 1,
        "dice": start.dice,
    }
