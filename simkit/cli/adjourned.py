"""adjourn and resume: a match of sets put down between two of them, and taken up again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from simkit.cli.options import Json, asked_players, whole
from simkit.cli.printing import interval_words, print_json, print_table, print_text, share
from simkit.cli.replay import print_sheet
from simkit.cli.written import record_to_write, write

if TYPE_CHECKING:
    from simkit.adjourned_honours import Honours
    from simkit.adjournment import Adjournment, Resumed
    from simkit.scoresheet import Table

Players = Annotated[
    str | None,
    typer.Option(
        metavar="P,Q",
        help="Player 1 and player 2; one name plays both sides. By default those who played so far, else greedy.",
    ),
]


def adjourn(
    source: Annotated[
        str, typer.Argument(metavar="RUN|RULES", help="The folder of a run, or what to play: a rule set.")
    ],
    match: Annotated[int, typer.Argument(parser=whole, metavar="MATCH", help="Number of the match, from 0.")],
    after: Annotated[int, typer.Option(parser=whole, metavar="K", help="Sets played before it is put down.")],
    out: Annotated[
        Path, typer.Option(parser=record_to_write, metavar="FILE", help="Write the record there, FILE.json.")
    ],
    players: Players = None,
    seed: Annotated[
        int | None, typer.Option(parser=whole, metavar="S", help="Seed of all dice; a run has its own.")
    ] = None,
    play: Annotated[
        int | None,
        typer.Option(parser=whole, metavar="K", help="Which play of a run that holds several, from 0."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Put a written match, or one of trictrac combiné, of two players down between two sets.

    \b
    Examples:
      simkit adjourn my_run 17 --after 3 --out match.json
      simkit adjourn combine 0 --players prudent,greedy --seed 7 --after 4 --out match.json
    """
    from simkit import api

    record = api.adjourn(source, match, after=after, play=play, players=asked_players(players), seed=seed)
    write("--out", out, record.to_json())
    if as_json:
        print(record.to_json(), end="")
    else:
        print_standing(record)
        print(f"\n{out}")


def resume(
    record: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A record: by adjourn, or written by hand as docs/notation.md tells."
        ),
    ],
    players: Players = None,
    seed: Annotated[
        int | None,
        typer.Option(
            parser=whole, metavar="S", help="Seed of new dice. By default those of the match, or of seed 0."
        ),
    ] = None,
    matches: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Play the rest so many times, with new dice.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Take up such a match again: the rest is played, and the whole settled.

    A match of a run goes on with its own dice, to the end it has in the run.

    \b
    Examples:
      simkit resume match.json
      simkit resume match.json --seed 7 --matches 10000
    """
    from simkit import api

    found = api.resume(record, asked_players(players), seed=seed, matches=matches)
    if matches == 1:
        if not as_json:
            print_standing(found.record)
            print()
        if found.record.honours is None:
            print_sheet(found.scoresheet(), as_json)
        else:
            print_both_games(found, str(record), as_json)
        return
    facts = ends(found)
    if as_json:
        intervals = {name: vars(facts[name]) for name in ("result", "size")}
        print_json({"record": str(record), "seed": found.seed, **facts, **intervals})
        return
    print_standing(found.record)
    print()
    n = facts["settled"]
    print_table(
        [
            ("player 1", "player 2", "matches", "1 wins", "drawn", "2 wins", "exact result", "its size"),
            (
                *(one.name for one in found.players),
                matches,
                *(share(facts[name], n) for name in ("won_1", "drawn", "won_2")),
                interval_words(facts["result"]),
                interval_words(facts["size"]),
            ),
        ],
        numbers=6,
    )
    cut = matches - n
    print_text(
        "\nThe exact result is what player 1 wins in the whole match before rounding and the general tail, mean "
        "with its 95 % interval; its size counts whoever wins."
        + (f" {cut} matches were cut short and are left out." if cut else "")
    )


def print_standing(record: Adjournment) -> None:
    """Say where a match stands."""
    match, standing = record.rules.match, record.standing
    origin = record.origin
    name = f"Match {origin.match} of seed {origin.seed}" if origin else "A match"
    print_text(f"{name}, {record.rules.name}: {record.sets_played} of {match.units} sets played.")
    sets, points = (f"{one}-{two}" for one, two in (standing.sets_won, standing.set_points))
    print_text(
        f"Players 1 and 2: sets {sets}, points {points}. Player {record.first_player} throws first next."
    )
    if standing.table is not None:
        print_text(table_words(standing.table))
    if record.honours is not None:
        print_text(honours_words(record.honours))


def table_words(table: Table) -> str:
    """Say what lies before the players."""
    told = {
        f"player {player}": (
            f"{_jetons(jetons)} in hand, {fish} fish won, {_jetons(markers)} laid out for lost sets"
        )
        for player, jetons, fish, markers in zip((1, 2), table.jetons, table.fish, table.markers, strict=True)
    }
    return f"On the table: {'; '.join(f'{name} {words}' for name, words in told.items())}."


def _jetons(count: int) -> str:
    return f"{count} jeton{'s' * (count != 1)}"


def honours_words(honours: Honours) -> str:
    """Say how the games of honours and their pool stand."""
    from simkit.transcript.words import pool_words

    game, standing, pool = honours.under_way, honours.standing, honours.standing.pool
    holes = f"{game.holes[0]}-{game.holes[1]}"
    run = f", player {game.run}'s run unbroken" if game.run else ""
    return (
        f"Games of honours won {standing.games_won[0]}-{standing.games_won[1]}, for "
        f"{standing.fish[0]}-{standing.fish[1]} fish; under way at {holes} holes{run}; "
        f"{pool_words(sum(pool.basket), pool.contract - 1 if pool.contract else None, None)}."
    )


def print_both_games(found: Resumed, record: str, as_json: bool) -> None:
    """Print what a match of trictrac combiné has come to, the games of honours that were played now and before."""
    from simkit.honours import honours_log
    from simkit.rules import Combine
    from simkit.transcript.words import CLASSES

    match = found.record.rules.match
    assert isinstance(match, Combine)
    settled = {name: column[0].item() for name, column in found.settled.items() if name != "match_id"}
    if as_json:
        print_json({"record": record, "seed": found.seed, "settlement": settled})
        return
    games = found.games
    classes = honours_log(games, match.settlement, match.sets)["class"]
    for k, winner in enumerate(games["winner"].tolist()):
        won = games[f"holes_{winner}"][k], games[f"holes_{3 - winner}"][k]
        print_text(
            f"Set {games['set_no'][k]}: player {winner} wins game of honours {games['game_no'][k]}, "
            f"{CLASSES[int(classes[k])]}, by {won[0]} holes to {won[1]}."
        )
    if not settled["settled"]:
        print_text("The match was cut short and is not settled.")
        return
    rate = match.settlement.honours_fish_jetons
    rows = (
        ("sets won", f"{settled['sets_won_1']}-{settled['sets_won_2']}"),
        ("written match, exact", f"{settled['written']:+} jetons"),
        ("written match, money", f"{settled['written_money']:+} jetons"),
        ("games of honours", f"{settled['honours']:+} fish"),
        ("pool", f"{settled['pool']:+} fish"),
        (f"both, a fish {rate} jetons", f"{settled['money']:+} jetons"),
    )
    print()
    print_table([("settlement", "player 1"), *rows], numbers=1)


def ends(found: Resumed) -> dict[str, Any]:
    """Sum up how a match ends that was played on many times."""
    from simkit.analysis import intervals

    settled = found.settled["settled"]
    exact = found.settled["exact"][settled]
    n, squares = len(exact), float((exact * exact).sum())
    drawn, won_1, won_2 = np.bincount(found.settled["winner"][settled], minlength=3).tolist()
    return {
        "matches": len(settled),
        "settled": n,
        "won_1": won_1,
        "drawn": drawn,
        "won_2": won_2,
        "result": intervals.mean(n, float(exact.sum()), squares),
        "size": intervals.mean(n, float(np.abs(exact).sum()), squares),
    }
