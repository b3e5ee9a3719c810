"""starts; and what score, plays and replay tell of toutes tables and backgammon."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from simkit.cli.options import Json
from simkit.cli.printing import page_width, print_json, print_table, print_text, say
from simkit.cli.written import drawing_to_write, write
from simkit.errors import UsageError, clipped

if TYPE_CHECKING:
    from simkit.numbering import Numbering
    from simkit.position import Position
    from simkit.rules import Tables
    from simkit.transcript import PointsTranscript

Start: TypeAlias = tuple[int, int, int, int]

MEN_HIT = {1: "one man", 2: "two men", 3: "three men", 4: "four men"}
"""Men that one play hits."""


def starts(
    dice: Annotated[
        str | None,
        typer.Argument(
            metavar="[DICE]", help="Only the start of these two rolls, as '1-6 1-5'; the lower number first."
        ),
    ] = None,
    board: Annotated[bool, typer.Option("--board", help="Draw every board.")] = False,
    svg: Annotated[
        Path | None,
        typer.Option(
            "--svg",
            parser=drawing_to_write,
            metavar="FILE",
            help="Also draw there, as SVG, the board, or a sheet of all 225.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the 225 starts of toutes tables and backgammon: dice, pips of each player, men.

    The first roll places two men of a side on its arrow a and five on 25 - b, the second five on 13 - c and three
    on 12 + d; the other side stands alike.

    \b
    Examples:
      simkit starts
      simkit starts "1-6 1-5" --board
      simkit starts --svg starts.svg
    """
    from simkit import boards, tables

    listed = tables.all_starts() if dice is None else (start_of(dice),)
    if svg is not None:
        draw(listed, svg)
    if as_json:
        print_json({"schema": "simkit.starts/1", "starts": [start_plain(one) for one in listed]})
        return
    if not board:
        print_table([("dice", "men, mover | other", "", "pips"), *map(start_row, listed)], numbers=1)
        return
    for place, one in enumerate(listed):
        position = tables.start(*one)
        words, _, standard, pips = start_row(one)
        print(
            "\n" * (place > 0)
            + ", ".join([f"start {words}", f"{pips} pips", *([standard] if standard else [])])
        )
        print(boards.text_board(position, with_bar=True))


def start_of(dice: str) -> Start:
    """Read the two rolls of a start: `1-6 1-5`, or `1 6 1 5`."""
    from simkit import tables

    numbers = dice.replace("-", " ").replace(",", " ").split()
    if len(numbers) != 4 or not all(re.fullmatch("[0-9]{1,9}", number) for number in numbers):
        raise UsageError(f"start '{clipped(dice)}': write two rolls, as '1-6 1-5'")
    a, b, c, d = map(int, numbers)
    tables.start(a, b, c, d)  # refuses equal dice, and those that are none
    return a, b, c, d


def start_row(one: Start) -> tuple[str, str, str, int]:
    """Give what is printed of a start: dice, men, whether it is the usual one, pips of each player."""
    from simkit import tables
    from simkit.rules import STANDARD_START

    a, b, c, d = one
    position = tables.start(*one)
    standard = "standard" if one == STANDARD_START else ""
    return f"{a}-{b} {c}-{d}", str(position), standard, tables.pips(position)[0]


def start_plain(one: Start) -> dict[str, Any]:
    """Give a start as plain values: dice, pips of each player, men, picture in letters."""
    from simkit import boards, tables
    from simkit.rules import STANDARD_START

    position = tables.start(*one)
    return {
        **dict(zip("abcd", one, strict=True)),
        "pips": tables.pips(position)[0],
        "standard": one == STANDARD_START,
        "position": str(position),
        "picture": boards.text_board(position, with_bar=True),
    }


def draw(listed: tuple[Start, ...], svg: Path) -> None:
    """Draw one board, or a sheet of all of them, fifteen in a row."""
    from simkit import boards, tables

    if len(listed) == 1:
        drawing = boards.svg_board(tables.start(*listed[0]), with_bar=True)
    else:
        named = [(start_row(one)[0], tables.start(*one)) for one in listed]
        drawing = boards.svg_sheet(named, across=15)
    write_svg(svg, drawing)


def write_svg(svg: Path, drawing: str) -> None:
    """Write a drawing to the file named."""
    write("--svg", svg, drawing)


# ---------------------------------------------------------------- one roll on the table


@dataclass(frozen=True)
class TablesTable:
    """What lies on the table when a single roll of toutes tables is asked about."""

    rules: str
    game: Tables
    position: Position
    dice: tuple[int, int]
    names: Numbering

    @classmethod
    def laid(cls, rules: str, position: str, dice: str, names: str) -> TablesTable:
        """Read the arguments of a command."""
        from simkit import api, numbering
        from simkit.cli.starts import men_of
        from simkit.drivers import tables_of
        from simkit.position import read_dice

        found, named = api.rule_set(rules), numbering.numbering(names)
        laid = men_of(position, named)
        return cls(found.name, tables_of(found)[0], laid, read_dice(dice), named)

    def head(self, with_board: bool) -> str:
        """Give the first lines of the answer: rules, position and roll, or the board."""
        from simkit import boards, numbering

        lines = [
            f"{self.rules}, roll {numbering.roll_words(self.dice)}",
            numbering.write(self.position, self.names),
        ]
        drawn = boards.text_board(self.position, self.dice, self.names, with_bar=True) if with_board else ""
        return "\n".join([*lines, *(["", drawn] if drawn else [])])

    def draw(self, svg: Path | None) -> None:
        """Write the board as SVG, if a file is named."""
        from simkit import boards

        if svg is not None:
            write_svg(svg, boards.svg_board(self.position, self.dice, self.names, with_bar=True))

    def plain(self) -> dict[str, Any]:
        """Give what was asked, as JSON holds it."""
        from simkit import numbering

        return {
            "rules": self.rules,
            "position": numbering.write(self.position, self.names),
            "numbering": self.names.name,
            "dice": self.dice,
            "roll": numbering.roll_words(self.dice),
        }


def tell_roll(table: TablesTable, board: bool, svg: Path | None, as_json: bool) -> None:
    """Tell what a roll comes to: pips before it, points that can be travelled, plays that hit."""
    from simkit import steps, tables

    listed = steps.list_plays(table.game, table.position, table.dice)
    mover, other = tables.pips(table.position)
    travelled = sorted({mover - tables.pips(one.position)[0] for one in listed})
    hits = [one.position.bar[1] - table.position.bar[1] for one in listed]
    table.draw(svg)
    if as_json:
        counts = {f"plays_that_hit_{men}": hits.count(men) for men in range(1, max(hits) + 1)}
        facts = {
            "mover_pips": mover,
            "other_pips": other,
            "plays": len(listed),
            "points_travelled": travelled,
        }
        print_json({**table.plain(), **facts, "most_hit": max(hits), **counts})
        return
    print(table.head(board))
    print(f"\nMover {mover} pips, other {other}")
    if not listed[0].steps:
        print_text("No number can be played")
        return
    way = "play travels" if len(listed) == 1 else "plays travel"
    print_text(f"{len(listed)} {way} {' or '.join(map(str, travelled))} points")
    for men in range(1, max(hits) + 1):
        hitting = [
            steps.moves(one.steps, table.names) for one, hit in zip(listed, hits, strict=True) if hit == men
        ]
        if hitting:
            hit_words = f"{'play hits' if len(hitting) == 1 else 'plays hit'} {MEN_HIT[men]}"
            print_text(f"{len(hitting)} {hit_words}: {'; '.join(hitting)}", "  ")


def tell_plays(table: TablesTable, play: str | None, board: bool, svg: Path | None, as_json: bool) -> None:
    """List the legal plays of a roll, or say which law excludes one."""
    from simkit import numbering, steps

    verdict = steps.judge(table.game, table.position, table.dice, play, table.names) if play else None
    listed = [] if verdict else steps.list_plays(table.game, table.position, table.dice)
    rows = [
        (steps.moves(one.steps, table.names), numbering.write(one.position, table.names)) for one in listed
    ]
    table.draw(svg)
    if as_json and verdict:
        reasons = [vars(one) for one in verdict.reasons]
        print_json({**table.plain(), "play": play, "legal": verdict.legal, "reasons": reasons})
        return
    if as_json:
        named = [dict(zip(("moves", "position"), row, strict=True)) for row in rows]
        print_json({**table.plain(), "plays": named})
        return
    print(table.head(board))
    if verdict is None:
        print()
        print_table(rows)
    elif verdict.legal:
        print_text(f"\n{play} is legal: {steps.moves(verdict.told.steps, table.names)}")
        print(numbering.write(verdict.told.position, table.names))
    else:
        print(f"\n{play} is not legal:")
        for reason in verdict.reasons:
            field = f" (game.{reason.field})" if reason.field else ""
            print_text(f"{reason.law}: {reason.words}{field}", "  ")


# ---------------------------------------------------------------- a match told


def tell_match(
    told: PointsTranscript, boards: Collection[int] | None, rolls: bool, svg: Path | None, as_json: bool
) -> None:
    """Print a match roll by roll; `boards`: the rolls before which the board is drawn, None for every one."""
    last = max(len(game.rolls) for game in told.sets)
    for number in boards or ():
        if not 1 <= number <= last:
            raise UsageError(f"--board-at {number}: the rolls told are numbered 1 to {last}")
    if svg is not None:
        draw_rolls(told, svg)
    if as_json:
        print_json(match_plain(told))
    else:
        print(told.text(page_width(), boards=boards, rolls=rolls))


def draw_rolls(told: PointsTranscript, folder: Path) -> None:
    """Write the board before every roll as SVG."""
    from simkit import boards

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--svg {folder}: {error.strerror or error}") from None
    for game in told.sets:
        for roll in game.rolls:
            drawing = boards.svg_board(roll.position, roll.dice, told.names, with_bar=True)
            write_svg(folder / f"game_{game.set_no:02d}_roll_{roll.number:05d}.svg", drawing)
    say(f"{sum(len(game.rolls) for game in told.sets)} boards in {folder}")


def match_plain(told: PointsTranscript) -> dict[str, Any]:
    """Turn a match told into plain values; players are 1 and 2."""
    from simkit import numbering, steps
    from simkit.cli.starts import start_plain as state_plain

    return {
        "schema": "simkit.points_transcript/1",
        "rules": told.rules.name,
        "digest": told.rules.digest,
        "players": [{"name": one.name, "digest": one.digest} for one in told.players],
        "seed": told.seed,
        "match": told.match,
        "numbering": told.names.name,
        "start": state_plain(told.start, told.rules, told.names) if told.start else None,
        "games": [
            {
                "game": game.set_no,
                "start": dict(zip("abcd", game.start, strict=True)),
                "draw": game.draw,
                "cube_rests": game.cube_rests,
                "row": game.row,
                "rolls": [
                    {
                        "number": roll.number,
                        "player": roll.player,
                        "dice": roll.dice,
                        "position": numbering.write(roll.position, told.names),
                        "moves": steps.moves(roll.steps, told.names),
                        "after": numbering.write(roll.after, told.names),
                        "pips": roll.pips,
                        "doubled": roll.doubled,
                    }
                    for roll in game.rolls
                ],
            }
            for game in told.sets
        ],
        "result": {name: column[0] for name, column in told.matches.items()},
    }
