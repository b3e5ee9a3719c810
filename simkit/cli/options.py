"""The application and the options its commands share."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer

from simkit.arguments import check_whole, read_change
from simkit.cli.written import drawing_to_write
from simkit.errors import UsageError, clipped

app = typer.Typer(
    name="simkit",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


MOST_DIGITS: Final = 20
"""Of the largest seed, than which no number is larger."""


def whole(text: str | int) -> int:
    """Read a whole number of an option; its range is checked where it is used."""
    if isinstance(text, int):  # a default
        return text
    if not re.fullmatch("-?[0-9]+", text):
        raise typer.BadParameter(
            f"'{clipped(text)}' is not a whole number, which is written in the digits 0 to 9 alone"
        )
    if len(text.lstrip("-0")) > MOST_DIGITS:
        raise typer.BadParameter(
            f"'{clipped(text)}' is too large: no number has more than {MOST_DIGITS} digits"
        )
    return int(text)


def workers_asked(text: str) -> int:
    """Read a number of workers, also where nothing may be left to play."""
    return check_whole("jobs", whole(text), 1, 1_000_000)


Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing of the progress.")]
Jobs: TypeAlias = Annotated[
    int | None,
    typer.Option(parser=workers_asked, metavar="N", help="Workers. By default every core that may be used."),
]
Dask: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="Have the workers of a Dask cluster play, by its scheduler: tcp://host:8786.",
    ),
]
Changes: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="Change one rule; may be given several times."),
]
RulesName: TypeAlias = Annotated[str, typer.Argument(metavar="RULES", help="A rule set.")]
PositionText: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="The men, both sides in the mover's numbers: 'mover | other'; in toutes tables and backgammon also a "
        "start by its dice, '1-6 1-5'.",
    ),
]
DiceText: TypeAlias = Annotated[str, typer.Argument(metavar="DICE", help="The roll, as 6-5 or 6,5.")]
Names: TypeAlias = Annotated[
    str,
    typer.Option(
        "--numbering",
        metavar="NAME",
        help="Whose names the arrows have: magriel (1 to 24), guiton, malfilatre, lepeintre, soumille or named.",
    ),
]
ShowBoard: TypeAlias = Annotated[bool, typer.Option("--board", help="Draw the board first.")]
SvgFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--svg", parser=drawing_to_write, metavar="FILE", help="Also draw the board there, as SVG."),
]
Until: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--until",
        metavar="NAME=WIDTH",
        help="Play until a measure is known to within this half-width. May be repeated.",
    ),
]
RunFolder: TypeAlias = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


@app.callback()
def simkit(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error; may stand anywhere.")
    ] = False,
) -> None:
    """Play trictrac under stated rules, and measure what a rule does.

    A rule set is named as simkit list has it, or given as a JSON file, or as file.py:NAME.

    \b
    Start with:
      simkit list
      simkit show ecrire_academie
      simkit run tail_of_sets
    """


def parsed(changes: Sequence[str] | None, option: str = "--set") -> dict[str, Any]:
    """Read `path=value` of an option; a value is JSON, else numbers in a row (`1-6-1-5`), else a word."""
    found: dict[str, Any] = {}
    for change in changes or ():
        path, value = read_change(option, change)
        if path in found:
            raise UsageError(f"{option} {path} is given twice")
        found[path] = value
    return found


def asked_players(text: str | None) -> str | list[str] | None:
    """Read `P,Q`, or one name for all; None where nobody is named."""
    if text is None:
        return None
    names = [part.strip() for part in text.split(",")]
    if not all(names):
        raise UsageError(f"--players '{text}': name one player, or all as greedy,prudent")
    return names if len(names) > 1 else names[0]


def sizes(option: str, given: Sequence[str] | None) -> dict[str, float]:
    """Read NAME=SIZE of a repeated option."""
    found: dict[str, float] = {}
    for text in given or ():
        name, equals, size = text.partition("=")
        try:
            value = float(size)
        except ValueError:
            equals = ""
        if not size.isascii() or re.search(r"[_\s]|^\+", size):  # which Python would read
            equals = ""
        if not equals or not name:
            raise UsageError(f"{option} {text}: write NAME=SIZE, as rolls=20")
        if not (math.isfinite(value) and value > 0):
            raise UsageError(
                f"{option} {text}: {size} is no size; give a finite number above 0, as {name}=20"
            )
        if name in found:
            raise UsageError(f"{option} {name} is given twice")
        found[name] = value
    return found


def workers(dask: str | None, jobs: int | None) -> AbstractContextManager[None]:
    """Say who plays within: the cluster asked for, or this machine."""
    if dask is not None and jobs is not None:
        raise UsageError(f"--jobs {jobs}: workers of this machine; those of --dask are as many as there are")
    from simkit.cluster import connected

    return connected(dask)
