"""replay: a match roll by roll."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.options import Json, Names, asked_players, parsed, whole
from simkit.cli.printing import page_width, print_json, say
from simkit.cli.starts import RollNumber, ScoreText, ToRoll, asked_start, start_plain
from simkit.cli.table import award_plain
from simkit.cli.tables import tell_match
from simkit.cli.written import folder_to_write
from simkit.errors import UsageError, clipped
from simkit.files import write_whole

if TYPE_CHECKING:
    from simkit.combined import Both
    from simkit.numbering import Numbering
    from simkit.play import Score
    from simkit.rules import RuleSet
    from simkit.scoresheet import Scoresheet
    from simkit.transcript import Decision, Gain, Roll, SetTold, Transcript

SCHEMA = "simkit.transcript/1"


def replay(
    source: Annotated[
        str, typer.Argument(metavar="RUN|RULES", help="The folder of a run, or what to play: a rule set.")
    ],
    number: Annotated[
        int | None, typer.Argument(parser=whole, metavar="[MATCH]", help="Number of the match, from 0.")
    ] = None,
    match: Annotated[
        int | None, typer.Option("--match", parser=whole, metavar="M", help="The same; 0 if not given.")
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="P,Q",
            help="All players at the table, by their numbers; one name plays for all. By default those of the "
            "run, or greedy, tables_linear, or tables_cube.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=whole, metavar="S", help="Seed of all dice; a run has its own.")
    ] = None,
    play: Annotated[
        int | None,
        typer.Option(parser=whole, metavar="K", help="Which play of a run that holds several, from 0."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="N|PATH=VALUE",
            help="A number tells this set (or partie, or game) only, from 1; PATH=VALUE changes a rule, not of a "
            "run. May be given several times.",
        ),
    ] = None,
    men: Annotated[bool, typer.Option("--men", help="Say of every award which men make it.")] = False,
    short: Annotated[
        bool, typer.Option("--short", help="Leave the rolls out: the ends of the sets and the settlement.")
    ] = False,
    board: Annotated[bool, typer.Option("--board", help="Draw the board before every roll.")] = False,
    board_at: Annotated[
        list[int] | None,
        typer.Option(parser=whole, metavar="N", help="Draw it before this roll; may be given several times."),
    ] = None,
    scoresheet: Annotated[
        bool,
        typer.Option("--scoresheet", help="Print the scoresheet of a written match instead."),
    ] = False,
    svg: Annotated[
        Path | None,
        typer.Option(
            "--svg",
            parser=folder_to_write,
            metavar="DIR",
            help="Also write the board before every roll there, as SVG.",
        ),
    ] = None,
    names: Names = "magriel",
    position: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="POSITION",
            help="Start here, the men seen by the player to roll; with a cube he may double first unless --roll "
            "is given or the game begins here. Not for a run.",
        ),
    ] = None,
    score: ScoreText = "",
    roll: Annotated[
        str | None,
        typer.Option("--roll", metavar="DICE", help="The first roll, as 6-5; thrown if not given."),
    ] = None,
    roll_number: RollNumber = None,
    to_roll: ToRoll = 1,
    as_json: Json = False,
) -> None:
    """Tell a match roll by roll as the kernel plays it, and how it is settled.

    A match of a run is compared with the rows that the run holds of it.

    \b
    Examples:
      simkit replay my_run 17 --set 2
      simkit replay classical --players greedy,prudent --seed 7 --match 3 --board-at 12
      simkit replay my_run 17 --scoresheet
      simkit replay pool_drain --set match.players=3 --players prudent,random,random --short
    """
    from simkit import api, numbering
    from simkit.transcript import PointsTranscript
    from simkit.transcript.words import EVERY_ROLL

    if number is not None and match is not None:
        raise UsageError(f"two matches are asked for, {number} and --match {match}")
    named = numbering.numbering(names)
    set_no, changes = set_number(settings), parsed([text for text in settings or () if "=" in text])
    if scoresheet and (set_no or men or short or board or board_at or svg):
        raise UsageError(
            "--scoresheet is of a whole match and tells no rolls; no other choice of telling fits it"
        )
    played: str | RuleSet = source
    if changes:
        refuse_changed_run(source)
        played = api.changed(api.rule_set(source), changes)
    start = None
    if position is not None:
        start = asked_start(api.rule_set(played), position, named, score, roll, roll_number, to_roll)
    elif score or roll or roll_number is not None or to_roll != 1:
        raise UsageError(
            "--score, --roll, --roll-number and --to-roll tell of a position; give it with --from"
        )
    told = api.replay(
        played,
        next((one for one in (number, match) if one is not None), 0),
        play=play,
        players=asked_players(players),
        seed=seed,
        starts=start or (),
        set_no=set_no,
        numbering=names,
    )
    if isinstance(told, PointsTranscript):
        if scoresheet or men:
            raise UsageError(
                f"--scoresheet and --men are of trictrac; {told.rules.name} has no awards and no jetons"
            )
        tell_match(told, None if board else board_at or (), not short, svg, as_json)
        return
    if scoresheet:
        print_sheet(sheet_of(told), as_json)
        return
    check_rolls(told, board_at or ())
    if svg is not None:
        say(f"{draw(told, svg)} boards in {svg}")
    if as_json:
        print_json(transcript_plain(told))
    else:
        boards = EVERY_ROLL if board else board_at or ()
        print(told.text(page_width(), boards=boards, men=men, rolls=not short))


def set_number(settings: Sequence[str] | None) -> int | None:
    """Read the number of the set to tell out of what `--set` was given; what has a `=` changes a rule."""
    numbers = [text for text in settings or () if "=" not in text]
    if len(numbers) > 1:
        raise UsageError(f"--set {numbers[0]} and --set {numbers[1]}: one set is told, or all of the match")
    if numbers and not re.fullmatch("-?[0-9]+", numbers[0].strip()):
        raise UsageError(
            f"--set {clipped(numbers[0])}: give the number of a set, or PATH=VALUE to change a rule, as "
            "match.sets=24"
        )
    return whole(numbers[0].strip()) if numbers else None


def refuse_changed_run(source: str) -> None:
    """Refuse to change the rules of what is played already."""
    if Path(source).is_dir():
        raise UsageError(
            f"{source} is a run, played by its own rules; --set PATH=VALUE changes those of a rule set (simkit "
            "replay RULES), simkit settle RUN --set the settlement of a run"
        )


def sheet_of(told: Transcript) -> Scoresheet:
    """Write the scoresheet of a match told."""
    from simkit.scoresheet import scoresheet

    told.rules.refuse_more_than_two("a scoresheet")
    one, two = told.players
    return scoresheet(told.rows, told.rules, players=(one.name, two.name), seed=told.seed)


def print_sheet(sheet: Scoresheet, as_json: bool) -> None:
    """Print a scoresheet."""
    if as_json:
        print_json(sheet.to_plain())
    else:
        print(sheet)


def check_rolls(told: Transcript, numbers: Collection[int]) -> None:
    """Refuse rolls that no set told has."""
    last = max((len(one.rolls) for one in told.sets), default=0)
    for number in numbers:
        if not 1 <= number <= last:
            raise UsageError(f"--board-at {number}: the rolls told are numbered 1 to {last}")


def draw(told: Transcript, folder: Path) -> int:
    """Write the board before every roll as SVG; return how many."""
    from simkit import boards

    written = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for one in told.sets:
            for roll in one.rolls:
                path = folder / f"set_{one.set_no:02d}_roll_{roll.number:05d}.svg"
                write_whole(path, boards.svg_board(roll.position, roll.dice, told.names))
                written += 1
    except OSError as error:
        raise UsageError(f"--svg {folder}: {error.strerror or error}") from None
    return written


# ---------------------------------------------------------------- as JSON


def transcript_plain(told: Transcript) -> dict[str, Any]:
    """Turn a transcript into plain values; players are 1 and 2."""
    least = getattr(told.rules.match, "set_min_holes", 6)
    return {
        "schema": SCHEMA,
        "rules": told.rules.name,
        "digest": told.rules.digest,
        "players": [{"name": one.name, "digest": one.digest} for one in told.players],
        "seed": told.seed,
        "match": told.match,
        "numbering": told.names.name,
        "start": start_plain(told.start, told.rules) if told.start else None,
        "sets": [set_plain(one, told.names, least) for one in told.sets],
        "settlement": told.settled,
    }


def set_plain(one: SetTold, names: Numbering, least: int = 6) -> dict[str, Any]:
    """Turn a set into plain values: its row, its worth, its rolls; for `least` see `roll_plain`."""
    return {
        "set_no": one.set_no,
        "draw": one.draw,
        "row": one.row,
        "worth": one.worth or None,
        **({"honours_games": one.honours} if one.honours else {}),
        **({"pool": vars(one.pool)} if one.pool else {}),
        "rolls": [roll_plain(roll, names, least) for roll in one.rolls],
    }


def roll_plain(roll: Roll, names: Numbering, least: int = 6) -> dict[str, Any]:
    """Turn a roll into plain values; positions and moves are text in the names of the arrows.

    `least`: holes from which a set can be ended.
    """
    from simkit import explain, numbering

    return {
        "number": roll.number,
        "attempt": roll.attempt,
        "setting": roll.setting,
        "player": roll.player,
        "roll_of_player": roll.roll_of_player,
        "dice": roll.dice,
        "position": numbering.write(roll.position, names),
        "before": score_plain(roll.before),
        "gains": [gain_plain(gain) for gain in roll.gains],
        "decision": roll.decision and decision_plain(roll.decision),
        "play": roll.play
        and {
            "moves": explain.moves(roll.play.steps, names),
            "position": numbering.write(roll.play.position, names),
        },
        "after": score_plain(roll.after) | {"runs": roll.runs},
        "restart": roll.restart,
        "again": roll.again,
        "ends": roll.ends,
        **({"both": both_plain(roll.both, least)} if roll.both else {}),
    }


def decision_plain(decision: Decision) -> dict[str, Any]:
    """Turn a decision into plain values; what is suspended is said where something is."""
    plain = {"went": decision.went, "going": decision.going}
    return plain | ({"suspends": decision.suspends} if decision.suspends else {})


def both_plain(both: Both, least: int) -> dict[str, Any]:
    """Turn the two games of trictrac combiné into plain values, with pegs, banner and neckties as they stand."""
    from simkit.pegs import standing

    shown = standing(both.written, both.honours, both.suspended, set_min_holes=least)
    return {
        "written_holes": both.written.holes,
        "honours_holes": both.honours.holes,
        "honours_runs": both.honours.run,
        "suspended": both.suspended,
        "suspender": None if both.suspender is None else both.suspender + 1,
        "pegs": shown.pegs,
        "black_at_last_hole": shown.black_at_last_hole,
        "banner": None if shown.banner is None else shown.banner + 1,
        "neckties": {
            game: [who + 1 for who in worn]
            for game, worn in zip(("written", "honours"), shown.neckties, strict=True)
        },
    }


def gain_plain(gain: Gain) -> dict[str, Any]:
    """Turn what a roll gives a player into plain values."""
    return {
        "player": gain.player,
        "points": gain.points,
        "marked": gain.marked,
        "holes": gain.holes,
        "after": score_plain(gain.after),
        "awards": [award_plain(one) for one in gain.awards],
    }


def score_plain(score: Score) -> dict[str, Any]:
    """Turn a score into plain values."""
    return {"points": score.points, "bredouille": score.bredouille, "holes": score.holes}
