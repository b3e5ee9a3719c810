"""Options that say where play starts: men, score, who is to roll, and the roll."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from simkit.cli.options import whole
from simkit.errors import UsageError

if TYPE_CHECKING:
    from simkit.drivers import State
    from simkit.numbering import Numbering
    from simkit.rules import RuleSet

ScoreText: TypeAlias = Annotated[
    str,
    typer.Option(
        "--score",
        metavar="SCORE",
        help="Holes and points of player 1, then of player 2, as '3:4b 2:8' (b: in bredouille), and words as in "
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
    from simkit import numbering, tables
    from simkit.drivers import read_state
    from simkit.position import parse, read_dice
    from simkit.rules import PointMatch

    if isinstance(rules.match, PointMatch):
        if score or roll_number is not None:
            raise UsageError(f"--score and --roll-number are of trictrac; {rules.name} has neither")
        men = parse(position, names.read)
        tables.check(men)
    else:
        men = numbering.read(position, names, rules.trictrac_game)
    return read_state(
        men,
        score,
        to_roll=to_roll,
        roll_number=roll_number,
        dice=None if dice is None else read_dice(dice),
    )


def start_words(start: State, names: Numbering, rules: RuleSet) -> str:
    """Tell a start in a line: men, in trictrac the score, who rolls what."""
    from simkit import numbering
    from simkit.drivers import write_score
    from simkit.rules import PointMatch

    roll = f" rolls {start.dice[0]}-{start.dice[1]}" if start.dice else " is to roll"
    score = "" if isinstance(rules.match, PointMatch) else f", score {write_score(start)}"
    return f"{numbering.write(start.position, names)}{score}, player {start.roller + 1}{roll}"


def start_plain(start: State, names: Numbering | None = None) -> dict[str, Any]:
    """Turn a start into plain values: position and score in their notation, and who rolls what."""
    from simkit import numbering
    from simkit.drivers import write_score

    return {
        "position": numbering.write(start.position, names or numbering.OURS),
        "score": write_score(start),
        "to_roll": start.roller + 1,
        "dice": start.dice,
    }
