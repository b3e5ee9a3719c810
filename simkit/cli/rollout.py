"""rollout: which play of a roll is best, by playing each of them on."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.options import (
    Changes,
    DiceText,
    Jobs,
    Json,
    Names,
    PositionText,
    RulesName,
    asked_players,
    parsed,
    whole,
)
from simkit.cli.printing import print_json, print_table, print_text
from simkit.cli.starts import RollNumber, ScoreText, ToRoll, asked_start, start_plain, start_words

if TYPE_CHECKING:
    from simkit.analysis.intervals import Interval
    from simkit.numbering import Numbering
    from simkit.rollouts import Candidate, Rollout


def rollout(
    rules: RulesName,
    position: PositionText,
    dice: DiceText,
    score: ScoreText = "",
    roll_number: RollNumber = None,
    to_roll: ToRoll = 1,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="P,Q",
            help="Player 1 and player 2; one name plays both sides. By default prudent; in toutes tables "
            "and backgammon tables_linear, with the cube tables_cube.",
        ),
    ] = None,
    matches: Annotated[
        int,
        typer.Option(
            parser=whole, metavar="N", help="Sets, parties, games or matches played from each play."
        ),
    ] = 2000,
    seed: Annotated[int, typer.Option(parser=whole, metavar="S", help="Seed of all dice.")] = 0,
    changes: Changes = None,
    jobs: Jobs = None,
    names: Names = "magriel",
    as_json: Json = False,
) -> None:
    """Rank the plays of a roll by playing each of them on.

    Every play, and in trictrac going where the roll allows it, is played on to the end of the set, partie or game
    by the same players with the same dice. The ranking holds for these players.
    In toutes tables and backgammon with a score other than 0-0 the match is played to its end, and a play is worth
    the matches it wins less those it loses.

    \b
    Examples:
      simkit rollout classical "1:9 6 7 8 9 12:2 | 13:2 24:13" 6-5 --score "3:4b 2:0"
      simkit rollout ecrire_academie "1:7 6:2 7:2 8:2 12:2 | 14:2 16 18 24:11" 6-5 --score "6:10b 4:0"
      simkit rollout backgammon "1:2 12:5 17:3 19:5 | 6:5 8:3 13:5 24:2" 3-1
      simkit rollout backgammon_cube "1:2 12:5 17:3 19:5 | 6:5 8:3 13:5 24:2" 3-1 --score "5-4 cube:2 owner:1"
    """
    from simkit import api, numbering

    found_rules, named = api.changed(api.rule_set(rules), parsed(changes)), numbering.numbering(names)
    found = api.rollout(
        found_rules,
        asked_start(found_rules, position, named, score, dice, roll_number, to_roll),
        players=asked_players(players),
        matches=matches,
        seed=seed,
        jobs=jobs,
    )
    if as_json:
        print_json(rollout_plain(found, named))
        return
    print(f"{found.rules.name}, {start_words(found.start, named, found.rules)}\n")
    amount = f"value in {found.unit}"
    print_table(
        [
            ("", "play", amount, "wins", "to the best", "verdict"),
            *[row(rank, one, named) for rank, one in enumerate(found.candidates, 1)],
        ]
    )
    print_text(f"\n{method_words(found)}")


def row(rank: int, one: Candidate, names: Numbering) -> tuple[str, ...]:
    """Print a candidate as cells of the table."""
    difference = interval_cell(one.difference) if one.difference else "-"
    return str(rank), one.words(names), interval_cell(one.value), share_cell(one.won), difference, one.verdict


def interval_cell(one: Interval) -> str:
    """Print a mean with its interval, three decimals."""
    return f"{one.mean:+z.3f} {bounds(one, '+z.3f')}"


def share_cell(one: Interval) -> str:
    """Print a share with its interval, in percent."""
    from simkit.analysis.intervals import scaled

    return f"{100 * one.mean:.1f} % {bounds(scaled(one, 100), '.1f')}"


def bounds(one: Interval, style: str) -> str:
    """Print the ends of an interval, or why there are none."""
    if one.low == one.high:
        return "(certain)"
    return f"[{one.low:{style}}, {one.high:{style}}]" if isfinite(one.low) else "(nothing varied)"


def method_words(found: Rollout) -> str:
    """Say what the numbers of a rollout are, and for whom they hold."""
    one, two = found.players
    roller, other = found.start.roller + 1, 2 - found.start.roller
    kind = found.kind
    counts = " A match won counts 1 and one lost -1." if found.unit == "matches" else ""
    going = "where nothing is said of going, the roller holds; " if found.may_go else ""
    cut = ""
    if found.n < found.matches:
        most = max(candidate.capped for candidate in found.candidates)
        cut = (
            f" {found.matches - found.n} of {found.matches} are left out everywhere, because with some play they "
            f"were cut at the cap on their rolls (at most {most} with one play)."
        )
    compared = (
        f"; differences are paired, and their intervals hold together over {found.pairs} "
        f"pair{'s' * (found.pairs > 1)} of plays (Bonferroni), since the best is chosen after the play. A play is "
        "worse if its interval lies below 0."
        if found.pairs
        else ". There is nothing to compare: this is all the roll allows."
    )
    return (
        f"Player {roller} rolls; {going}values are his, and player {other}'s are the contrary.{counts} "
        f"n = {found.n} {kind} from each play with the same dice, seed {found.seed}; {one.name} plays on as "
        f"player 1 and {two.name} as player 2, and the numbers hold for these players.{cut} "
        f"Intervals of {found.level:.0%}: t for the mean, Wilson for the share of {kind} he wins{compared}"
    )


def rollout_plain(found: Rollout, names: Numbering) -> dict[str, Any]:
    """Turn a rollout into plain values."""
    from simkit import numbering

    return {
        "rules": found.rules.name,
        "players": [player.name for player in found.players],
        "start": start_plain(found.start, found.rules, names),
        "numbering": names.name,
        "seed": found.seed,
        "matches": found.matches,
        "n": found.n,
        "kind": found.kind,
        "unit": found.unit,
        "may_go": found.may_go,
        "level": found.level,
        "pairs": found.pairs,
        "candidates": [
            {
                "play": one.words(names),
                "position": numbering.write(one.play.position, names) if one.play else None,
                "goes": one.play is None,
                "value": vars(one.value),
                "won": vars(one.won),
                "difference": vars(one.difference) if one.difference else None,
                "verdict": one.verdict,
                "capped": one.capped,
            }
            for one in found.candidates
        ],
    }
