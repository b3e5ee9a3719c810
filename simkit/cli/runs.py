"""simulate, settle, run, report: play and its numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.options import (
    Changes,
    Dask,
    Jobs,
    Json,
    Names,
    Quiet,
    RunFolder,
    Until,
    asked_players,
    parsed,
    sizes,
    whole,
    workers,
)
from simkit.cli.pools import holds_pools, pool_facts, pool_plain, print_pools
from simkit.cli.printing import interval_words, print_json, print_table, print_text, records, share
from simkit.cli.starts import RollNumber, ScoreText, ToRoll, asked_start, start_plain, start_words
from simkit.cli.written import refuse_twice, rows_to_write
from simkit.errors import BudgetUsedUp, UsageError

if TYPE_CHECKING:
    from simkit.analysis.precision import Stop
    from simkit.api import Settled, SettledByTurns
    from simkit.dataset import Run, StoredPlay
    from simkit.pool_accounts import PoolSettled
    from simkit.rules import RuleSet


def simulate(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="What to play.")],
    matches: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Matches the run holds at the end.")
    ] = 1000,
    seed: Annotated[int, typer.Option(parser=whole, metavar="S", help="Seed of all dice.")] = 0,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="P,Q",
            help="All players at the table, by their numbers; one name plays for all. By default greedy, "
            "tables_linear, or tables_cube.",
        ),
    ] = None,
    jobs: Jobs = None,
    dask: Dask = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder of the run. By default results/RULES/DIGEST."),
    ] = None,
    changes: Changes = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="POSITION",
            help="Start every match here, the men seen by the player to roll; with a cube he may double first "
            "unless --roll is given or the game begins here.",
        ),
    ] = None,
    score: ScoreText = "",
    roll: Annotated[
        str | None,
        typer.Option("--roll", metavar="DICE", help="The first roll, as 6-5; thrown if not given."),
    ] = None,
    roll_number: RollNumber = None,
    to_roll: ToRoll = 1,
    names: Names = "magriel",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Play matches and keep every set or game. The same command again goes on where it stopped.

    With --from the first set, partie or game of every match starts from a position; later ones start as they
    always do. In toutes tables and backgammon --score is the score of the match, and may tell the cube and which
    game of its start it is.

    \b
    Examples:
      simkit simulate ecrire_academie --matches 10000 --players prudent,greedy
      simkit simulate ecrire_academie --set match.sets=24 --seed 7 --out my_run
      simkit simulate toutes_tables_225 --matches 10000 --set match.match_points=5
      simkit simulate toutes_tables_225 --from "22 23:2 off:12 | 24 6:7 5:7" --roll 6-1
      simkit simulate backgammon_cube --from "1:2 12:5 17:3 19:5 | 6:5 8:3 13:5 24:2" --score "5-4 cube:2 owner:1"
      simkit simulate classical --from "1:9 6 7 8 9 12:2 | 13:2 24:13" --score "3:4b 2:0" --roll 6-5
    """
    from simkit import api, numbering
    from simkit.progress import reporter

    found_rules, named = api.changed(api.rule_set(rules), parsed(changes)), numbering.numbering(names)
    if position is None and (score or roll or roll_number is not None or to_roll != 1):
        raise UsageError(
            "--score, --roll, --roll-number and --to-roll tell of a position; give it with --from"
        )
    with workers(dask, jobs):
        run = api.simulate(
            found_rules,
            asked_players(players) or (),
            matches=matches,
            seed=seed,
            jobs=jobs,
            out=out,
            progress=reporter(quiet=quiet),
            starts=()
            if position is None
            else asked_start(found_rules, position, named, score, roll, roll_number, to_roll),
        )
    found = run_facts(run)
    if as_json:
        print_json(found)
        return
    left_out = ("starts", "players")
    rows = [{name: value for name, value in row.items() if name not in left_out} for row in found["plays"]]
    if found_rules.match.players > 2:
        rows = [with_seats(row, play) for row, play in zip(rows, run.plays, strict=True)]
    words = 3 if "player_2" in rows[0] or "side_2" in rows[0] else 2
    heads = {"truncated": "cut short"}
    if "sets_won_1" in rows[0]:
        heads |= dict(zip(("sets_won_1", "sets_won_2"), won_heads(found_rules), strict=True))
    head = tuple(heads.get(name, name.replace("_", " ")) for name in rows[0])
    print_table([head, *(tuple(row.values()) for row in rows)], numbers=len(head) - words)
    for start in run.plays[0].starts:
        print_text(f"\nEvery match starts from {start_words(start, named, found_rules)}.")
    print(f"\n{run.folder}")


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
        typer.Option(
            parser=rows_to_write,
            metavar="FILE",
            help="Also write one row per match there, of pools one per player: FILE.parquet or FILE.csv.",
        ),
    ] = None,
    payments: Annotated[
        Path | None,
        typer.Option(
            parser=rows_to_write,
            metavar="FILE",
            help="Also write every payment there, who pays whom what: FILE.parquet or FILE.csv. Not of pools.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Settle a run again, without playing.

    In the rows of --out money_1, money_2, ... are what each player wins. Of two players, and of two sides, exact,
    money and the parts of them are what player 1, or side 1, wins, and winner is 1 or 2, the player or side; à
    tourner winner is the player. The columns are in the data dictionary (docs/data_dictionary.md).

    \b
    Examples:
      simkit settle my_run --set settlement.tail_of_sets=0 --sets 8
      simkit settle my_run --out matches.csv --payments payments.csv
    """
    from simkit import api

    refuse_twice(("--out", out), ("--payments", payments))
    opened = api.open(run)
    if payments is not None:
        api.write_payments(opened, parsed(changes), payments, sets=sets)
    if holds_pools(opened):
        pools = api.settle_pool_summary(opened, parsed(changes), sets=sets, out=out)
        if as_json:
            print_json(
                {"run": str(run), "plays": [pool_plain(one, settlement_plain(one.rules)) for one in pools]}
            )
            return
        print_pools(pools)
        for line in tariff_words(opened, pools):
            print_text(f"\n{line}")
        return
    found = api.settle_summary(opened, parsed(changes), sets=sets, out=out)
    if as_json:
        print_json({"run": str(run), "plays": [settled_plain(one) for one in found]})
        return
    by_turns = [one for one in found if not isinstance(one, api.Settled)]
    print_by_turns(by_turns)
    print_of_two([one for one in found if isinstance(one, api.Settled)])
    for one in found:
        if one.unsettled:
            print_text(
                f"\n{settled_title(one)}: {one.unsettled} matches lack a set that was cut and are left out."
            )
    for line in tariff_words(opened, found):
        print_text(f"\n{line}")
    if by_turns:
        print_text(
            "\nMoney is each player's own, in jetons, mean per match with its 95 % interval; its size counts it "
            "won or lost; - stands where there are too few matches. A match differs when somebody has other money "
            "than under the run's own settlement."
        )
    else:
        print_text(
            "\nThe exact result is what player 1 wins before rounding and the general tail (in a partie: his "
            "stakes; in trictrac combiné: both games, in jetons), mean per match with its 95 % interval; its size "
            "counts whoever wins; - stands where there are too few matches. A winner differs when he is another "
            "than under the run's own settlement."
        )


def print_of_two(found: Sequence[Settled]) -> None:
    """Print what a settlement makes of plays of two players, a row for each."""
    if not found:
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
    if any(one.parts for one in found):
        print_text("")
        print_parts(found)


def print_by_turns(found: Sequence[SettledByTurns]) -> None:
    """Print what a settlement makes of plays of three players or more, a row for each player."""
    if not found:
        return
    head = (
        "rules",
        "player",
        "sets",
        "matches",
        "wins",
        "even",
        "loses",
        "match differs",
        "money",
        "its size",
    )
    rows = [
        (
            one.rules.name,
            f"{place + 1} {name}",
            one.sets,
            one.matches,
            share(one.won[place], one.matches),
            share(one.matches - one.won[place] - one.lost[place], one.matches),
            share(one.lost[place], one.matches),
            f"{one.changed} ({share(one.changed, one.matches)})",
            interval_words(one.money[place]),
            interval_words(one.size[place]),
        )
        for one in found
        for place, name in enumerate(one.players)
    ]
    print_table([head, *rows], numbers=8)


def settled_title(one: Settled | SettledByTurns) -> str:
    """Name a settled play."""
    from simkit.api import Settled
    from simkit.rules import seated_words

    players = (one.player_1, one.player_2) if isinstance(one, Settled) else one.players
    return f"{one.rules.name}, {seated_words(one.rules.match, players)}"


def run(
    experiment: Annotated[str, typer.Argument(metavar="EXPERIMENT", help="An experiment.")],
    matches: Annotated[
        int | None,
        typer.Option(parser=whole, metavar="N", help="Matches of every pair, instead of its own numbers."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=whole, metavar="S", help="Another seed than its own.")
    ] = None,
    until: Until = None,
    jobs: Jobs = None,
    dask: Dask = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run an experiment and write its report.

    It plays what is not played yet, estimates, and judges its claims; all of it goes below ./results.
    With --until it plays until the numbers of a measure are known well enough, looking at fixed counts, and at
    most the matches asked for; if these do not suffice it keeps the results, says what would, and ends with 6.

    \b
    Examples:
      simkit run tail_of_sets --matches 1000
      simkit run twelve_hole_duration --until rolls=5
      simkit run tail_of_sets --dask tcp://192.168.0.7:8786
    """
    from simkit import api
    from simkit.progress import reporter

    with workers(dask, jobs):
        result = api.run(
            experiment,
            matches=matches,
            seed=seed,
            jobs=jobs,
            progress=reporter(quiet=quiet),
            until=sizes("--until", until) if until else None,
        )
    page = result.folder / result.page_name
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
                "stop": None if result.stop is None else vars(result.stop),
            }
        )
        refuse_short(result.stop)
        return
    several = len({verdict.rules for verdict in result.verdicts}) > 1
    for verdict in result.verdicts:
        print(f"{verdict.rules}: {verdict.heading}" if several else verdict.heading)
        print_text(verdict.statement, "  ")
        print_text(verdict.numbers, "  ")
    print_stop(result.stop)
    print(f"\nReport: {page}")
    refuse_short(result.stop)


def print_stop(stop: Stop | None) -> None:
    """Print how a run that was to go on until something is known came to its end."""
    if stop is not None:
        print_text(f"\n{stop.words[0].upper()}{stop.words[1:]}.")


def refuse_short(stop: Stop | None) -> None:
    """End with the code of a budget used up, where it did not suffice; what was found is printed."""
    if stop is not None and not stop.reached:
        raise BudgetUsedUp(stop.words)


def report(
    run: RunFolder,
    experiment: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The experiment, if the run is not named after it."),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Estimate again from all rows the folder holds, and keep that.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Draw the report of an experiment's run again, from its estimates; its rows need not be there.

    Without estimates, or with --anew, it estimates from the rows first. The match that the page tells is played
    where the folder does not keep it yet.

    \b
    Example:
      simkit report results/tail_of_sets/0123456789ab
    """
    from simkit import api

    page = api.rebuild_report(run, experiment, anew=anew)
    if as_json:
        print_json({"report": str(page)})
    else:
        print(page)


def print_parts(found: Sequence[Settled]) -> None:
    """Print what the results of trictrac combiné are made of."""
    head = ("rules", "players", "written game, jetons", "games of honours, fish", "pool, fish")
    rows = [
        (one.rules.name, f"{one.player_1}, {one.player_2}", *map(interval_words, one.parts.values()))
        for one in found
    ]
    print_table([head, *rows], numbers=3)


def run_facts(run: Run) -> dict[str, Any]:
    """Say what a run holds."""
    if holds_pools(run):
        return pool_facts(run)
    of_sets = run.family.units.name == "sets"
    won = ("sets_won_1", "sets_won_2") if of_sets else ("games_won_1", "games_won_2", "points_1", "points_2")
    summed = ("truncated", *won, "rolls")
    plays = []
    for place, play in enumerate(run.plays):
        held, sums = 0, dict.fromkeys(summed, 0)
        for rows in run.iter_matches(place, summed):
            held += len(rows["rolls"])
            for name in sums:
                sums[name] += int(rows[name].sum())
        plays.append(
            {
                **play.labels,
                "players": [player.name for player in play.players],
                "matches": held,
                **sums,
                "starts": [start_plain(start, play.rules) for start in play.starts],
            }
        )
    return {
        "folder": str(run.folder),
        "digest": run.digest,
        "seed": run.plays[0].seed,
        "new_matches": run.new_matches,
        "plays": plays,
    }


def with_seats(row: Mapping[str, Any], play: StoredPlay) -> dict[str, Any]:
    """Put who sits where in the place of the two labels, side by side where there are two sides.

    Where each is for himself nobody is side 1 all along, and what a side has won is left out.
    """
    from simkit.rules import side_words

    sides = side_words(play.rules.match, [player.name for player in play.players])
    seats = {f"side_{number}": words for number, words in enumerate(sides, 1)}
    left_out = ["rules", "player_1", "player_2"]
    if len(sides) > 2:
        seats = {"players": ", ".join(sides)}
        left_out += ["sets_won_1", "sets_won_2"]
    rest = {name: value for name, value in row.items() if name not in left_out}
    return {"rules": row["rules"], **seats, **rest}


def won_heads(rules: RuleSet) -> tuple[str, str]:
    """Name what players 1 and 2 have won: sets, or parties, which nobody calls sets."""
    from simkit.rules import Combine, Written

    if rules.match.players > 2:
        return "sets won side 1", "sets won side 2"
    kind = "sets " * isinstance(rules.match, Written | Combine)
    return f"{kind}won 1", f"{kind}won 2"


def tariff_words(run: Run, found: Sequence[Settled | SettledByTurns | PoolSettled]) -> Iterator[str]:
    """Say by which tariff a run was settled: what differs from its own, once for all plays it is true of."""
    from simkit.rules import diff, rule_words

    plays: dict[str, list[str]] = {}
    for play, one in zip(run.plays, found, strict=True):
        changed = [
            f"{change.path} = {rule_words(change.b)} instead of {rule_words(change.a)}"
            for change in diff(play.rules, one.rules)
        ]
        words = (
            f"Settled with {', '.join(changed)}." if changed else "Settled by the tariff of the run itself."
        )
        plays.setdefault(words, []).append(one.rules.name)
    for words, names in plays.items():
        yield words if len(plays) == 1 else f"{', '.join(dict.fromkeys(names))}: {words}"


def settled_plain(one: Settled | SettledByTurns) -> dict[str, Any]:
    """Turn one settled play into plain values."""
    from simkit.api import Settled

    if not isinstance(one, Settled):
        money, size = ([vars(each) for each in found] for found in (one.money, one.size))
        plain = {**vars(one), "rules": one.rules.name, "settlement": settlement_plain(one.rules)}
        return plain | {"money": money, "size": size}
    plain = {**vars(one), "rules": one.rules.name, "settlement": settlement_plain(one.rules)}
    parts = {name: vars(part) for name, part in one.parts.items()}
    return plain | {"result": vars(one.result), "size": vars(one.size), "parts": parts}


def settlement_plain(rules: RuleSet) -> Any:
    """Give the settlement of a rule set as JSON holds it."""
    return json.loads(rules.to_json())["match"]["settlement"]
