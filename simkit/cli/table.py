"""score, plays: one roll on the table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.options import DiceText, Json, Names, PositionText, RulesName, ShowBoard, SvgFile, whole
from simkit.cli.printing import print_item, print_json, print_table, print_text, say
from simkit.cli.tables import TablesTable, tell_plays, tell_roll
from simkit.cli.written import write
from simkit.errors import UsageError

if TYPE_CHECKING:
    from simkit.numbering import Numbering
    from simkit.position import Position
    from simkit.rules import Trictrac


def score(
    rules: RulesName,
    position: PositionText,
    dice: DiceText,
    roll_number: Annotated[
        int | None,
        typer.Option(
            parser=whole, metavar="N", help="Which roll of the mover's this is since the men started, from 1."
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
    """Score a roll and explain every award; in toutes tables tell pips, and who can be hit.

    Laws are sections of docs/rules.md, sources keys of docs/sources.md. Six tables needs --roll-number 3.

    \b
    Examples:
      simkit score classical "1:11 7 8 6 11 | 24:13 18 17" 6-5
      simkit score classical "T:13 11:2 | a11:2 aT:13" 6-1 --numbering guiton --board
      simkit score toutes_tables "bar 12:5 17:3 19:6 | 1 3 6:5 8:3 13:5" 3-1
    """
    from simkit import api, explain
    from simkit.rules import Tables

    if isinstance(api.rule_set(rules).game, Tables):
        if roll_number is not None or took_coin or met:
            raise UsageError(
                "--roll-number, --took-coin and --met are of trictrac; toutes tables has none of them"
            )
        tell_roll(TablesTable.laid(rules, position, dice, names), board, svg, as_json)
        return
    table = Table.laid(rules, position, dice, names)
    check_past(table, roll_number, took_coin, met)
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
    remark_on_past(table, roll_number, took_coin, met)
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
    Laws are those of docs/rules.md, section 2 of part I, and part III; bar/3 is a man who comes in, * a man hit.
    That a play is illegal is an answer: the exit code is 0, and legal in --json is false.

    \b
    Examples:
      simkit plays classical "1:15 | 24:15" 6-5
      simkit plays classical "1:15 | 24:15" 6-5 "1/7/12"
      simkit plays toutes_tables "22 23:2 off:12 | 24 6:7 5:7" 6-1 "22/23/off"
    """
    from simkit import api, explain, numbering
    from simkit.rules import Tables

    if isinstance(api.rule_set(rules).game, Tables):
        tell_plays(TablesTable.laid(rules, position, dice, names), play, board, svg, as_json)
        return
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


def check_past(table: Table, roll_number: int | None, took_coin: bool, met: bool) -> None:
    """Refuse what is said of the rolls before if the men tell otherwise."""
    coin, talon = (table.names.write(arrow) for arrow in (12, 1))
    men = table.position.mover
    if took_coin and men[11] < 2:
        raise UsageError(
            f"--took-coin: two of the mover's men would stand on {coin}, and {men[11] or 'none'} does"
        )
    if met and (men[0] < sum(men) or table.position.off[0]):
        raise UsageError(f"--met tells of the mover's first roll, and some of his men have left {talon}")
    if met and roll_number not in (None, 1):
        raise UsageError(
            f"--met tells of the mover's first roll, and --roll-number says it is number {roll_number}"
        )


def remark_on_past(table: Table, roll_number: int | None, took_coin: bool, met: bool) -> None:
    """Say which words on the rolls before change nothing under these rules, and which one is lacking."""
    from simkit.explain import third_roll_scores
    from simkit.rules.trictrac import MezeasWindow

    if took_coin and table.game.mezeas_window is MezeasWindow.WHILE_CONDITION_HOLDS:
        say(f"--took-coin changes nothing: {table.rules} does not tie mezeas to it (game.mezeas_window)")
    if met and not table.game.jan_de_rencontre_enabled:
        say(
            f"--met changes nothing: {table.rules} has no points for it (game.jan_de_rencontre_enabled is false)"
        )
    more = third_roll_scores(table.game, table.position, table.dice) if roll_number is None else 0
    if more:
        say(
            f"as the mover's third roll since the men started this one scores {more} more, six tables; if it is, "
            "add --roll-number 3"
        )


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
        from simkit.position import read_dice

        found, named = api.rule_set(rules), numbering.numbering(names)
        return cls(
            found.name,
            found.trictrac_game,
            numbering.read(position, named, found.trictrac_game),
            read_dice(dice),
            named,
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

        if svg is not None:
            write("--svg", svg, boards.svg_board(self.position, self.dice, self.names))

    def plain(self) -> dict[str, Any]:
        """Give what was asked, as JSON holds it."""
        from simkit import numbering

        return {
            "rules": self.rules,
            "position": numbering.write(self.position, self.names),
            "numbering": self.names.name,
            "dice": self.dice,
        }


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
