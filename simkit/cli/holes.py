"""holes: a match of trictrac combiné told by its holes and decisions, with pegs, banner and neckties."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.options import Changes, Json, parsed
from simkit.cli.printing import print_json, print_text
from simkit.errors import UsageError
from simkit.files import read_plain

if TYPE_CHECKING:
    from simkit.by_holes import ByHoles, HoleEvent, PaidGame, Script, Told
    from simkit.rules import Combine

SCHEMA = "simkit.holes/1"
MOST_BYTES = 1_000_000
"""The largest file read; a match of 24 sets needs a hundredth of it."""


def holes(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A line for every event, as '1 2 own go': player, holes, own or other (whose roll), decision.",
        ),
    ],
    rules: Annotated[str, typer.Option(metavar="RULES", help="The rule set.")] = "combine",
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """Follow a match of trictrac combiné hole by hole, as pegs, banner and neckties show it on the board.

    What cannot follow is refused: the message says which event, and why. The file is explained in
    docs/notation.md.

    \b
    Example:
      simkit holes docs/examples/three_marks.txt
    """
    from simkit import api
    from simkit.by_holes import ByHoles
    from simkit.rules import Combine, sides_of

    found = api.changed(api.rule_set(rules), parsed(changes))
    if not isinstance(found.match, Combine):
        raise UsageError(
            f"{found.name} is not trictrac combiné; the holes of one game have no pegs to tell apart"
        )
    script = _script_of(file)
    match = ByHoles(found.match, sets=script.sets)
    told = [
        _played(match, event, file, line) for event, line in zip(script.events, script.lines, strict=True)
    ]
    left = match.end() if match.over else (0, 0)
    if as_json:
        print_json(_plain(found.name, match, told, left))
        return
    print_text(f"{found.title} ({found.name}), {match.sets} sets")
    if found.match.players > 2:
        first, second = (" and ".join(map(str, side)) for side in sides_of(found.match))
        print_text(
            f"Player 1 stands for side 1, whoever of it plays ({first} of the table), player 2 for side 2 "
            f"({second})."
        )
    for number, one in enumerate(told, start=1):
        _print_event(number, one, found.match)
    _print_end(match, left)


def _played(match: ByHoles, event: HoleEvent, file: Path, line: int) -> Told:
    """Let an event happen; what cannot follow is refused with its line."""
    from simkit.by_holes import OrderError

    try:
        return match.play(event)
    except OrderError as error:
        raise OrderError(f"{file}, line {line}, {error}") from None


def _script_of(file: Path) -> Script:
    """Read the events of a file; a line that is none is refused with the file."""
    from simkit.by_holes import read_script

    text = _text_of(file)
    try:
        return read_script(text)
    except UsageError as error:
        raise UsageError(f"{file}, {error}") from None


def _text_of(file: Path) -> str:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise UsageError(f"{file} has more than {MOST_BYTES:,} bytes")
        return read_plain(file).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text: byte {error.start} does not fit") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from None


def _print_event(number: int, one: Told, match: Combine) -> None:
    from simkit.pegs import rails
    from simkit.transcript.words import pool_words

    event = one.event
    die = "" if event.own_die else " on the other's roll"
    made = f"{event.holes} hole{'s' * (event.holes > 1)}{die}"
    print_text(f"\n{number}. Set {one.set_no}: player {event.by + 1} makes {made} and {_decision(one)}.")
    for game in one.games:
        print_text(_game_told(game), "   ")
    if one.ended is not None and one.ended.winner is not None:
        print_text(_set_told(one, match), "   ")
    for line in rails(one.standing):
        print(f"   {line}".rstrip())
    print_text(pool_words(one.basket, one.contract, one.both.suspended), "   ")


def _decision(one: Told) -> str:
    then = one.event.then or "hold"
    if then == "suspend_honours":
        return "suspends the game of honours"
    deed = "suspends the written set" if then == "suspend_ecrire" else "holds" if then == "hold" else "goes"
    ending = {
        "win": ", which wins the set",
        "refait": ": the set is done over",
        "concede": " and concedes the set",
    }
    return deed + (ending[one.ended.outcome] if one.ended else "")


def _game_told(one: PaidGame) -> str:
    from simkit.transcript.words import game_words

    game = one.game
    return game_words(
        f"Player {game.winner + 1}",
        (game.holes[game.winner], game.holes[1 - game.winner]),
        one.price,
        (one.paid, one.into_basket),
        one.drawn,
    )


def _set_told(one: Told, match: Combine) -> str:
    from simkit.by_holes import worth_of
    from simkit.transcript.words import KINDS

    ended = one.ended
    assert ended is not None and ended.winner is not None
    worth, holes_ = worth_of(ended, match), ended.ledger.holes
    return (
        f"Player {ended.winner + 1} wins the set by {holes_[ended.winner]} holes to {holes_[1 - ended.winner]}, "
        f"{KINDS[worth['kind']]}: {worth['value']} points."
    )


def _print_end(match: ByHoles, left: tuple[int, int]) -> None:
    if not match.over:
        print_text("\nThe match goes on.")
        return
    if any(left):
        print_text(f"\nThe basket that nobody has drawn is shared, {left[0]} and {left[1]} fish.")
    (paid, _), (pool, _) = match.fish, match.pool
    print_text(
        f"\nThe match is over. Honours, as player 1 sees it: {paid:+} fish of games, {pool:+} of the pool."
    )


def _plain(name: str, match: ByHoles, told: list[Told], left: tuple[int, int]) -> dict[str, Any]:
    from simkit.cli.replay import both_plain

    return {
        "schema": SCHEMA,
        "rules": name,
        "sets": match.sets,
        "events": [
            {
                "by": one.event.by + 1,
                "holes": one.event.holes,
                "own_die": one.event.own_die,
                "then": one.event.then,
                "set_no": one.set_no,
                **both_plain(one.both, match.match.set_min_holes),
                "basket": one.basket,
                "contract": None if one.contract is None else one.contract + 1,
                "honours_games": [
                    {
                        "winner": game.game.winner + 1,
                        "holes": game.game.holes,
                        "class": game.price,
                        "paid": game.paid,
                        "into_basket": game.into_basket,
                        "drawn": game.drawn,
                    }
                    for game in one.games
                ],
                "set_ended": one.ended
                and {
                    "outcome": one.ended.outcome,
                    "winner": None if one.ended.winner is None else one.ended.winner + 1,
                    "holes": one.ended.ledger.holes,
                },
            }
            for one in told
        ],
        "over": match.over,
        "basket_shared": left,
        "honours_fish": match.fish,
        "pool_fish": match.pool,
    }
