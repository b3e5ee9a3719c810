"""The commands. Results go to stdout, everything else to stderr; nothing here computes.

Exit codes: 0 fine; 1 failing cases, or an error nobody expected; 2 usage; 3 invalid configuration; 4 a folder
that holds another play; 5 stored data that is damaged; 6 a budget used up; 7 a worker lost; 129 SIGHUP;
130 Ctrl-C; 143 SIGTERM.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn, TypeAlias

import typer

from simkit import __version__
from simkit.errors import ConfigError, SimkitError, UsageError
from simkit.stopping import Stopped, forget, stop

if TYPE_CHECKING:
    from simkit.api import Settled
    from simkit.dataset import Run
    from simkit.numbering import Numbering
    from simkit.position import Position
    from simkit.rules import RuleSet, Trictrac

app = typer.Typer(
    name="simkit",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


PAGE: Final = 100
"""The widest lines of prose, in characters."""
UNBOUNDED: Final = 10**6
"""Tables are as wide as they are where no terminal shows them."""
NARROWEST: Final = 60
"""The narrowest page assumed where the output is no terminal."""


def whole(text: str) -> int:
    """Read a whole number of an option; its range is checked where it is used."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{textwrap.shorten(text, 60)!r} is not a whole number") from None


Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing of the progress.")]
Jobs: TypeAlias = Annotated[
    int | None,
    typer.Option(parser=whole, metavar="N", help="Workers. By default every core that may be used."),
]
Changes: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="Change one rule; may be given several times."),
]
RulesName: TypeAlias = Annotated[str, typer.Argument(metavar="RULES", help="A rule set.")]
PositionText: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="POSITION", help="The men, both sides in the mover's numbers: 'mover | other'."),
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
    Path | None, typer.Option("--svg", metavar="FILE", help="Also draw the board there, as SVG.")
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


@app.command("list")
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


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A rule set, a player or an experiment.")],
    as_json: Json = False,
) -> None:
    """Print a rule set, a player or an experiment in words.

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


@app.command()
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


@app.command()
def simulate(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="What to play.")],
    matches: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Matches the run holds at the end.")
    ] = 1000,
    seed: Annotated[int, typer.Option(parser=whole, metavar="S", help="Seed of all dice.")] = 0,
    players: Annotated[
        str, typer.Option(metavar="P,Q", help="Player 1 and player 2; one name plays both sides.")
    ] = "greedy",
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder of the run. By default results/RULES/DIGEST."),
    ] = None,
    changes: Changes = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Play matches and keep every set. The same command again goes on where it stopped.

    \b
    Examples:
      simkit simulate ecrire_academie --matches 10000 --players prudent,greedy
      simkit simulate ecrire_academie --set match.sets=24 --seed 7 --out my_run
    """
    from simkit import api
    from simkit.progress import reporter

    run = api.simulate(
        api.changed(api.rule_set(rules), parsed(changes)),
        [part.strip() for part in players.split(",")] if "," in players else players,
        matches=matches,
        seed=seed,
        jobs=jobs,
        out=out,
        progress=reporter(quiet=quiet),
    )
    found = run_facts(run)
    if as_json:
        print_json(found)
        return
    print_table(
        [
            ("rules", "player 1", "player 2", "matches", "cut short", "sets won 1", "sets won 2", "rolls"),
            *[tuple(row.values()) for row in found["plays"]],
        ],
        numbers=5,
    )
    print(f"\n{run.folder}")


@app.command()
def settle(
    run: RunFolder,
    changes: Changes = None,
    sets: Annotated[
        int | None,
        typer.Option(
            parser=whole, metavar="N", help="Settle the first N sets of each match as a match of N sets."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write one row per match there: FILE.parquet or FILE.csv."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Settle a run again, without playing.

    \b
    Example:
      simkit settle my_run --set settlement.tail_of_sets=0 --sets 8
    """
    from simkit import api

    found = api.settle_summary(api.open(run), parsed(changes), sets=sets, out=out)
    if as_json:
        print_json({"run": str(run), "plays": [settled_plain(one) for one in found]})
        return
    head = ("rules", "players", "sets", "matches", "1 wins", "drawn", "2 wins")
    rows = [
        (
            one.rules.name,
            f"{one.player_1}, {one.player_2}",
            one.sets,
            one.matches,
            share(one.won_1, one.matches),
            share(one.drawn, one.matches),
            share(one.won_2, one.matches),
            f"{one.changed} ({share(one.changed, one.matches)})",
            interval_words(one.result),
            interval_words(one.size),
        )
        for one in found
    ]
    print_table([(*head, "winner differs", "exact result", "its size"), *rows], numbers=8)
    for one in found:
        if one.unsettled:
            print_text(
                f"\n{one.rules.name}, {one.player_1} against {one.player_2}: {one.unsettled} matches lack a "
                "set that was cut and are left out."
            )
    print_text(
        "\nThe exact result is what player 1 wins before rounding and the general tail (in a partie: his "
        "stakes), mean per match with its 95 % interval; its size counts whoever wins; - stands where there are "
        "too few matches. A winner differs when he is another than under the run's own settlement."
    )


@app.command()
def run(
    experiment: Annotated[str, typer.Argument(metavar="EXPERIMENT", help="An experiment.")],
    matches: Annotated[
        int | None,
        typer.Option(parser=whole, metavar="N", help="Matches of every pair, instead of its own numbers."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=whole, metavar="S", help="Another seed than its own.")
    ] = None,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run an experiment and write its report.

    It plays what is not played yet, estimates, and judges its claims; all of it goes below ./results.

    \b
    Example:
      simkit run tail_of_sets --matches 1000
    """
    from simkit import api
    from simkit.progress import reporter

    result = api.run(experiment, matches=matches, seed=seed, jobs=jobs, progress=reporter(quiet=quiet))
    page = result.folder / "report.html"
    if as_json:
        print_json(
            {
                "experiment": result.experiment.name,
                "folder": str(result.folder),
                "report": str(page),
                "digest": result.digest,
                "matches": result.matches,
                "command": result.command,
                "verdicts": [vars(one) for one in result.verdicts],
                "estimates": records(result.estimates),
                "sanity": records(result.sanity),
            }
        )
        return
    for verdict in result.verdicts:
        print(verdict.heading)
        print_text(verdict.statement, "  ")
        print_text(verdict.numbers, "  ")
    print(f"\nReport: {page}")


@app.command()
def score(
    rules: RulesName,
    position: PositionText,
    dice: DiceText,
    roll_number: Annotated[
        int | None,
        typer.Option(
            parser=whole, metavar="N", help="The mover's rolls since the men started, with this one; from 1."
        ),
    ] = None,
    took_coin: Annotated[
        bool, typer.Option("--took-coin", help="The mover took his coin on his roll before.")
    ] = False,
    met: Annotated[
        bool,
        typer.Option("--met", help="The second player's first roll is the same as the first player's."),
    ] = False,
    names: Names = "magriel",
    board: ShowBoard = False,
    svg: SvgFile = None,
    as_json: Json = False,
) -> None:
    """Score a roll and explain every award.

    Laws are sections of docs/rules.md, sources keys of docs/sources.md.

    \b
    Examples:
      simkit score classical "1:11 7 8 6 11 | 24:13 18 17" 6-5
      simkit score classical "T:13 11:2 | a11:2 aT:13" 6-1 --numbering guiton --board
    """
    from simkit import explain

    table = Table.laid(rules, position, dice, names)
    found = explain.explain_roll(
        table.game,
        table.position,
        table.dice,
        roll_number=roll_number,
        took_coin=took_coin,
        met=met,
        names=table.names,
    )
    table.draw(svg)
    if as_json:
        print_json(
            {
                **table.plain(),
                "roll_number": roll_number,
                "mover_points": found.mover_points,
                "other_points": found.other_points,
                "dice_unplayed": found.dice_unplayed,
                "awards": [award_plain(one) for one in found.awards],
            }
        )
        return
    print(table.head(board))
    for one in found.awards:
        ways = f", {one.award.ways} ways" if one.award.ways > 1 else ""
        target = f" on {table.names.write(one.award.target)}" if one.award.target else ""
        print(f"\n{one.award.points} to the {one.award.to}: {one.figure.english}{target}{ways}")
        print_text(one.figure.french, "  ")
        for means in one.means:
            print_item(means)
        print_text(f"rules.md {one.figure.law}; {'; '.join(one.sources)}", "  ")
    print(f"\nMover {found.mover_points} points, other {found.other_points}")


@app.command()
def plays(
    rules: RulesName,
    position: PositionText,
    dice: DiceText,
    play: Annotated[
        str | None,
        typer.Argument(
            metavar="[PLAY]", help="A play to judge: moves as '1/7 1/6', or the position after it."
        ),
    ] = None,
    names: Names = "magriel",
    board: ShowBoard = False,
    svg: SvgFile = None,
    as_json: Json = False,
) -> None:
    """List the legal plays of a roll, or say which law excludes one.

    One man who plays both dice is written with his rest, as 1/6/12; a man borne off as 20/off; no move as -.
    Laws are those of docs/rules.md, section 2.

    \b
    Examples:
      simkit plays classical "1:15 | 24:15" 6-5
      simkit plays classical "1:15 | 24:15" 6-5 "1/7/12"
    """
    from simkit import explain, numbering

    table = Table.laid(rules, position, dice, names)
    verdict = explain.judge(table.game, table.position, table.dice, play, table.names) if play else None
    listed = [] if verdict else explain.list_plays(table.game, table.position, table.dice)
    table.draw(svg)
    if as_json:
        print_json(
            {
                **table.plain(),
                **(
                    {"play": play, "legal": verdict.legal, "reasons": [vars(one) for one in verdict.reasons]}
                    if verdict
                    else {
                        "plays": [
                            {
                                "moves": explain.moves(one.steps, table.names),
                                "position": numbering.write(one.position, table.names),
                            }
                            for one in listed
                        ]
                    }
                ),
            }
        )
        return
    print(table.head(board))
    if verdict and verdict.legal:
        print_text(f"\n{play} is legal: {explain.moves(verdict.steps, table.names)}")
        print(numbering.write(verdict.position, table.names))
    elif verdict:
        print(f"\n{play} is not legal:")
        for reason in verdict.reasons:
            field = f" (game.{reason.field})" if reason.field else ""
            print_text(f"{reason.law}: {reason.words}{field}", "  ")
    else:
        print()
        print_table(
            [
                (explain.moves(one.steps, table.names), numbering.write(one.position, table.names))
                for one in listed
            ]
        )


@app.command()
def cases(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Case files, in JSON.")],
    as_json: Json = False,
) -> None:
    """Check worked examples against the engine. Fails if a case fails.

    What this version does not know is skipped, with the reason.

    \b
    Example:
      simkit cases cases-base.json cases-match.json
    """
    from simkit import catalogue
    from simkit.cases import CaseReport, judge_files

    judged = [judge_files([path], catalogue.rule_set).results for path in files]
    report = CaseReport(tuple(result for results in judged for result in results))
    for path, results in zip(files, judged, strict=True):
        if not results:
            say(f"no cases in {path}")
    if as_json:
        print_json(report.as_json())
    else:
        print_table([(one.status, one.id, one.reason) for one in report.results if one.status != "passed"])
        print(
            f"passed {report.count('passed')}, failed {report.count('failed')}, "
            f"skipped {report.count('skipped')}"
        )
    if report.count("failed"):
        raise typer.Exit(1)


@app.command()
def report(
    run: RunFolder,
    experiment: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The experiment, if the run is not named after it."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the report of an experiment's run anew.

    \b
    Example:
      simkit report results/tail_of_sets/0123456789ab
    """
    from simkit import api

    page = api.rebuild_report(run, experiment)
    if as_json:
        print_json({"report": str(page)})
    else:
        print(page)


@app.command()
def bench(
    only: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only the rows whose name contains this.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs, rougher numbers.")] = False,
    as_json: Json = False,
) -> None:
    """Measure how fast this machine plays and settles.

    Every number is the median of repeated runs.

    \b
    Example:
      simkit bench --only trictrac
    """
    from simkit import bench as benchmarks

    rows = benchmarks.run(only, quick)
    if as_json:
        listed = [{"name": r.name, "median": r.median, "unit": r.unit, "runs": r.runs} for r in rows]
        print_json({"rows": listed})
        return
    table = [(row.name, f"{row.median:,.6g}", row.unit, row.runs) for row in rows]
    print_table([("name", "median", "unit", "runs"), *table])


# ---------------------------------------------------------------- what commands print


def print_json(plain: Any) -> None:
    """Print one JSON document; what is no number becomes null."""
    print(json.dumps(jsonable(plain), indent=2, ensure_ascii=False, allow_nan=False))


def jsonable(value: Any) -> Any:
    """Turn values of the toolkit into what JSON can hold."""
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if hasattr(value, "item"):  # NumPy's numbers
        value = value.item()
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def columns(otherwise: int) -> int:
    """Give the width of the terminal, or what COLUMNS says, or else `otherwise`, in characters."""
    terminal = sys.__stdout__ is not None and sys.__stdout__.isatty()
    return max(shutil.get_terminal_size((otherwise, 24)).columns, 20 if terminal else NARROWEST)


def page_width() -> int:
    """Give the characters a line of prose may have."""
    return min(columns(PAGE), PAGE)


def print_text(text: str, indent: str = "") -> None:
    """Print a paragraph, broken into lines of the page; an empty line before it is kept."""
    print("\n" * text.startswith("\n") + "\n".join(wrapped(text.lstrip("\n"), indent)))


def print_item(text: str) -> None:
    """Print an item of a list."""
    first, *more = wrapped(text, "    ")
    print("\n".join([f"  - {first.lstrip()}", *more]))


def print_table(rows: Sequence[Sequence[object]], numbers: int = 0) -> None:
    """Print rows in aligned columns, the last `numbers` of them to the right.

    Where the terminal is too narrow, words of the last column are wrapped; numbers stand beneath one another,
    each beside the head of its column, which is the first row. Elsewhere a row stays a line.
    """
    texts = [[str(cell) for cell in row] for row in rows]
    if not texts:
        return
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    left = len(widths) - numbers
    room = columns(UNBOUNDED) - sum(width + 2 for width in widths[:-1])
    if numbers and widths[-1] > room:
        print_records(texts)
        return
    for row in texts:
        cells = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        start, line = "  ".join(cells[:-1]), "  ".join(cells).rstrip()
        if len(line) <= columns(UNBOUNDED):
            lines = [line]
        elif room >= 24:
            lines = wrapped(row[-1], " " * (len(start) + 2), columns(UNBOUNDED))
            lines[0] = f"{start}  {lines[0].lstrip()}"
        else:
            indent = " " * (len(start) - len(start.lstrip()) + 4)
            lines = [start.rstrip(), *wrapped(row[-1], indent, columns(UNBOUNDED))]
        print("\n".join(lines))


def print_records(texts: Sequence[Sequence[str]]) -> None:
    """Print the rows of a table one after the other, each cell on a line beside the head of its column."""
    head, *rows = texts
    column = max(map(len, head)) + 2
    for number, row in enumerate(rows):
        print("\n" * bool(number), end="")
        for name, cell in zip(head, row, strict=True):
            first, *more = wrapped(cell, " " * column) or [""]
            print("\n".join([f"{name:<{column}}{first.lstrip()}".rstrip(), *more]))


@dataclass(frozen=True)
class Table:
    """What lies on the table when a single roll is asked about."""

    rules: str
    game: Trictrac
    position: Position
    dice: tuple[int, int]
    names: Numbering

    @classmethod
    def laid(cls, rules: str, position: str, dice: str, names: str) -> Table:
        """Read the arguments of a command."""
        from simkit import api, numbering

        found, named = api.rule_set(rules), numbering.numbering(names)
        return cls(
            found.name, found.game, numbering.read(position, named, found.game), parsed_dice(dice), named
        )

    def head(self, with_board: bool) -> str:
        """Give the first lines of the answer: rules, position and roll, or the board."""
        from simkit import boards, numbering

        roll = f"{self.dice[0]}-{self.dice[1]}"
        lines = [f"{self.rules}, roll {roll}", numbering.write(self.position, self.names)]
        drawn = boards.text_board(self.position, self.dice, self.names) if with_board else ""
        return "\n".join([*lines, *(["", drawn] if drawn else [])])

    def draw(self, svg: Path | None) -> None:
        """Write the board as SVG, if a file is named."""
        from simkit import boards

        if svg is None:
            return
        try:
            svg.write_text(boards.svg_board(self.position, self.dice, self.names), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--svg {svg}: {error.strerror or error}") from None

    def plain(self) -> dict[str, Any]:
        """Give what was asked, as JSON holds it."""
        from simkit import numbering

        return {
            "rules": self.rules,
            "position": numbering.write(self.position, self.names),
            "numbering": self.names.name,
            "dice": self.dice,
        }


def parsed_dice(text: str) -> tuple[int, int]:
    """Read a roll: `6-5`, `6,5`, `6 5` or `65`."""
    found = re.fullmatch(r"\s*([1-6])\s*[-, ]?\s*([1-6])\s*", text)
    if not found:
        raise UsageError(f"dice '{text}': write a roll as 6-5, two numbers from 1 to 6")
    return int(found[1]), int(found[2])


def award_plain(one: Any) -> dict[str, Any]:
    """Turn an explained award into plain values."""
    return {
        **vars(one.award),
        "english": one.figure.english,
        "french": one.figure.french,
        "means": one.means,
        "law": f"rules.md {one.figure.law}",
        "sources": one.sources,
    }


def share(count: int, total: int) -> str:
    """Print a share of matches."""
    return f"{100 * count / total:.2f} %" if total else "-"


def interval_words(found: Any) -> str:
    """Print a mean with its interval; a dash for what too few matches do not tell."""
    mean, low, high = (
        f"{value:.2f}" if isfinite(value) else "-" for value in (found.mean, found.low, found.high)
    )
    return "-" if mean == "-" else f"{mean} [{low}, {high}]"


def records(frame: Any) -> list[dict[str, Any]]:
    """Turn a pandas frame into rows of plain values."""
    rows: list[dict[str, Any]] = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return rows


def run_facts(run: Run) -> dict[str, Any]:
    """Say what a run holds."""
    plays = []
    for place, play in enumerate(run.plays):
        held = cut = rolls = won_1 = won_2 = 0
        for rows in run.iter_matches(place, ("sets_won_1", "sets_won_2", "rolls", "truncated")):
            held += len(rows["rolls"])
            cut += int(rows["truncated"].sum())
            rolls += int(rows["rolls"].sum())
            won_1 += int(rows["sets_won_1"].sum())
            won_2 += int(rows["sets_won_2"].sum())
        plays.append(
            {
                **play.labels,
                "matches": held,
                "truncated": cut,
                "sets_won_1": won_1,
                "sets_won_2": won_2,
                "rolls": rolls,
            }
        )
    return {
        "folder": str(run.folder),
        "digest": run.digest,
        "seed": run.plays[0].seed,
        "new_matches": run.new_matches,
        "plays": plays,
    }


def settled_plain(one: Settled) -> dict[str, Any]:
    """Turn one settled play into plain values."""
    plain = {**vars(one), "rules": one.rules.name, "settlement": settlement_plain(one.rules)}
    return plain | {"result": vars(one.result), "size": vars(one.size)}


def settlement_plain(rules: RuleSet) -> Any:
    """Give the settlement of a rule set as JSON holds it."""
    return json.loads(rules.to_json())["match"]["settlement"]


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
        "settlements": found.settlements,
        "lengths": found.lengths,
        "matches": found.matches,
        "seed": found.seed,
        "level": found.level,
        "claims": [
            {"id": c.id, "source": c.source, "text": c.text, "criterion": c.criterion} for c in found.claims
        ],
    }


def experiment_words(found: Any) -> Iterator[str]:
    """Print an experiment as a page."""
    settled = [", ".join(f"{field} {value}" for field, value in one.items()) for one in found.settlements]
    facts = [
        ("Rules", ", ".join(found.rules)),
        *(("Players", f"{pair[0]} against {pair[1]}") for pair in found.players),
        ("Matches", f"{found.matches:,} of each pair"),
        *(
            ("" if number else "Settlements", words or "as the rules have it")
            for number, words in enumerate(settled)
        ),
        ("Sets", ", ".join(map(str, found.lengths))),
        ("Seed", str(found.seed)),
    ]
    yield from (*wrapped(found.title), "", *wrapped(found.question), "")
    for name, words in facts:
        first, *more = wrapped(words, " " * 13)
        yield from (f"{name:<13}{first.lstrip()}", *more)
    for claim in found.claims:
        yield from ("", *wrapped(f"Claim {claim.id}  {claim.text} ({claim.source})"))
        yield from wrapped(claim.criterion, "  ")


def player_words(found: Any) -> Iterator[str]:
    """Print a player as a page."""
    yield from (found.name, "")
    for line in found.words():
        indent = " " * (len(line) - len(line.lstrip()))
        first, *more = wrapped(line.lstrip(), indent + "    ")
        yield from (indent + first.lstrip(), *more)
    yield from ("", f"Digest  {found.digest}")


def wrapped(text: str, indent: str = "", width: int | None = None) -> list[str]:
    """Break a text into lines fit for the page, or of `width` characters; words stay whole."""
    return textwrap.wrap(
        text,
        width or page_width(),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def parsed(changes: Sequence[str] | None) -> dict[str, Any]:
    """Read `--set path=value`; a value is JSON, or else a word."""
    found: dict[str, Any] = {}
    for change in changes or ():
        path, equals, text = change.partition("=")
        path = path.strip()
        if not equals or not path:
            raise UsageError(f"--set {change}: write PATH=VALUE, as settlement.tail_of_sets=0")
        if path in found:
            raise UsageError(f"--set {path} is given twice")
        try:
            found[path] = json.loads(text)
        except (ValueError, RecursionError):
            found[path] = text
    return found


# ---------------------------------------------------------------- starting and ending


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave with its exit code."""
    sys.exit(call(list(sys.argv[1:] if arguments is None else arguments)))


def call(arguments: list[str]) -> int:
    """Run a command and return its exit code; every error becomes a message on stderr.

    What the command prints is kept until it ends: only then can a disk that is full or a reader that has left
    be told from whatever else may go wrong.
    """
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    printed = StringIO()
    try:
        with signals_end(), redirect_stdout(printed):
            code = answered(arguments)
    except Stopped as stopped:
        say_stopped(stopped)
        raise
    except (KeyboardInterrupt, typer.Abort) as stopped:
        say_stopped(stopped)
        return 130
    except Exception as error:
        if debug:
            import traceback

            traceback.print_exc()
        code = told(error)
    return delivered(printed.getvalue()) or code


def answered(arguments: list[str]) -> int:
    """Run a command; return its exit code."""
    if not arguments:
        app(args=["--help"], prog_name="simkit", standalone_mode=False)
        return 2
    if arguments == ["--version"]:
        print(f"simkit {__version__}")
        return 0
    code = app(args=arguments, prog_name="simkit", standalone_mode=False)
    return code if isinstance(code, int) else 0


def delivered(text: str) -> int:
    """Print what a command has to say; return 0, or 1 if it cannot be written."""
    if sys.stdout is None or not text:
        return 0
    try:
        known = text.encode(sys.stdout.encoding or "utf-8", "replace").decode(sys.stdout.encoding or "utf-8")
        sys.stdout.write(known)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has seen enough
        forget_output()
    except OSError as error:
        forget_output()
        say(f"the output cannot be written: {error.strerror or error}")
        return 1
    return 0


def told(error: Exception) -> int:
    """Say what went wrong; return the exit code."""
    if isinstance(error, ConfigError):
        for problem in error.problems:
            say(problem)
        return error.exit_code
    if isinstance(error, SimkitError):
        say(str(error))
        return error.exit_code
    code, words = getattr(error, "exit_code", None), getattr(error, "format_message", None)
    if isinstance(code, int) and callable(words):  # a mistake on the command line, found by typer
        say(words())
        return code
    say(f"unexpected {type(error).__name__}: {error} (--debug shows where)")
    return 1


def say(text: str) -> None:
    """Say something on stderr, if anybody can hear it."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"simkit: {text}", file=sys.stderr, flush=True)


def say_stopped(stop: BaseException) -> None:
    """Say that a signal has ended the command, and what is kept: a note that the run left on its way."""
    cause: BaseException | None = stop
    while cause is not None:
        if notes := getattr(cause, "__notes__", None):
            say(notes[0])
            return
        cause = cause.__cause__ or cause.__context__
    say("stopped")


def forget_output() -> None:
    """Send what is still to be printed nowhere, so that Python does not fail on it when it ends."""
    with suppress(OSError):  # a stream without a file has nothing to forget
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def signals_end() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP end the program in order, so that workers end with it.

    A signal that is ignored, as SIGHUP is under nohup, stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    before = {number: signal.getsignal(number) for number in SIGNALS}
    taken = [number for number in SIGNALS if before[number] is not signal.SIG_IGN]
    for number in taken:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, before[number])
        forget()
