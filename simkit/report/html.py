"""A run's estimates as one self-contained page: no script, nothing fetched, fit for paper and telephone."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.analysis.bearing_off import BearingOff
from simkit.analysis.combine_stakes import CombineStakes
from simkit.analysis.conventions import Conventions
from simkit.analysis.cube import DoublingCube
from simkit.analysis.double_readings import DoubleReadings
from simkit.analysis.honours import Honours
from simkit.analysis.intervals import NOTHING_VARIED
from simkit.analysis.many_players import ManyPlayers
from simkit.analysis.openings import Openings
from simkit.analysis.pairing import Pairing
from simkit.analysis.parties import Parties
from simkit.analysis.pools import Pools
from simkit.analysis.question import MAIN
from simkit.analysis.rounding import Rounding
from simkit.analysis.set_counts import SetCounts
from simkit.analysis.starts import StartingPositions
from simkit.analysis.suspension import Suspension
from simkit.analysis.tails import TailsOfSets
from simkit.analysis.tokens import TailOfTokens
from simkit.analysis.words import count, in_words
from simkit.analysis.written_conventions import WrittenConventions
from simkit.analysis.written_duration import WrittenDuration
from simkit.experiment import asks_of_tables
from simkit.files import write_whole
from simkit.report import (
    bearing_off,
    combine_stakes,
    conventions,
    cube,
    double_readings,
    honours,
    many_players,
    openings,
    pairing,
    parties,
    pools,
    rounding,
    set_counts,
    starts,
    suspension,
    tails,
    tokens,
    written_conventions,
    written_duration,
)
from simkit.report.answer import claim_words, refused, verdict_words
from simkit.report.cite import citation
from simkit.report.match import match_told
from simkit.report.numbers import Cell, Estimate, Table, printed, quick
from simkit.report.page import Answer
from simkit.report.rules import side_by_side
from simkit.rules import PointMatch, RuleSet

if TYPE_CHECKING:
    import pandas as pd

    from simkit.analysis.criteria import Verdict
    from simkit.experiment import ExperimentResult
    from simkit.players import Player, Players

LIMITS = (
    "The players are programs of stated, modest skill. Where two levels of play agree, stronger players may "
    "still differ; where they differ, the direction of the change is all that should be read from it.",
    "Intervals express chance alone: the sampling of matches at this seed, not a wrong reading of a rule. "
    "Disputed rules and the readings chosen are in docs/rulings.md.",
)
ALIKE = "Both players of a pair play alike. Nothing is said here on matches between unequal players."
MANY = "Every interval and every verdict is for one number by itself{}; of many, some miss by chance."

ANSWERS: Mapping[type, Callable[[ExperimentResult], Answer]] = {
    TailsOfSets: tails.answer,
    TailOfTokens: tokens.answer,
    Parties: parties.answer,
    Conventions: conventions.answer,
    Rounding: rounding.answer,
    WrittenConventions: written_conventions.answer,
    SetCounts: set_counts.answer,
    WrittenDuration: written_duration.answer,
    StartingPositions: starts.answer,
    BearingOff: bearing_off.answer,
    DoubleReadings: double_readings.answer,
    Pairing: pairing.answer,
    Openings: openings.answer,
    DoublingCube: cube.answer,
    Pools: pools.answer,
    ManyPlayers: many_players.answer,
    CombineStakes: combine_stakes.answer,
    Honours: honours.answer,
    Suspension: suspension.answer,
}
"""Which part of the page belongs to which question."""


def write_report(folder: Path, result: ExperimentResult) -> Path:
    """Write the page of a result into a run folder: `report.html`, or one beside that of a larger run.

    Parameters
    ----------
    folder : pathlib.Path
        The run's folder, which exists.
    result : ExperimentResult
        What the experiment estimated.

    Returns
    -------
    pathlib.Path
        The page. It is complete or not there at all: written beside its place and renamed.
    """
    page = folder / result.page_name
    write_whole(page, render(result))
    return page


def render(result: ExperimentResult) -> str:
    """The page as text; the same result gives the same text."""
    return filled("page.html.j2", **page_parts(result))


def filled(template: str, **parts: Any) -> str:
    """A template of this package with its parts filled in."""
    from importlib.resources import files

    import jinja2
    from markupsafe import Markup, escape

    def read(name: str) -> str:
        return (files("simkit.report") / name).read_text(encoding="utf-8")

    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        loader=jinja2.FunctionLoader(read),
    )
    environment.filters["wrap_at_underscores"] = lambda name: Markup(
        escape(name).replace("_", Markup("_<wbr>")).replace(".", Markup(".<wbr>"))
    )
    return environment.get_template(template).render(css=read("page.css"), **parts)


def page_parts(result: ExperimentResult) -> dict[str, Any]:
    """Everything the template prints, by the name it has there."""
    from simkit import __version__

    result = replace(result, estimates=quick(result.estimates))
    experiment = result.experiment
    answer = ANSWERS[type(experiment.analysis)](result)
    alike = all(one == two for one, two in experiment.players)
    return {
        "version": __version__,
        "name": experiment.name,
        "title": experiment.title,
        "question": experiment.question,
        "answer": answer,
        "verdict_words": verdict_words(result.verdicts, experiment.criteria_set),
        "claim_words": tuple(claim_words(result.verdicts)),
        "words": (*answer.words, *refused(result.sanity)),
        "claims": claims(result.verdicts),
        "players": [
            player_in_words(player, of_tables=asks_of_tables(experiment.analysis))
            for player in different(result.players)
        ],
        "sanity": sanity_tables(result.sanity),
        "sanity_written": "conceded" in result.sanity,
        "of_tables": asks_of_tables(experiment.analysis),
        "design": tuple(design(result, answer)),
        "rules": side_by_side(result.rules),
        "match": None if result.example is None else match_told(result.example),
        "limits": (
            LIMITS[0],
            *answer.limits,
            *((ALIKE,) if alike else ()),
            *LIMITS[1:],
            MANY.format(but(answer)),
        ),
        "command": result.command,
        "estimates_count": count(len(result.estimates)),
        "digests": tuple(digests(result)),
        "citation": citation(
            f"simkit-{experiment.name}-{result.digest[:12]}",
            experiment.title,
            (
                f"version {__version__}",
                f"experiment {experiment.name}",
                f"run {result.digest[:12]}",
                f"seed {experiment.seed}",
                cited_matches(result),
            ),
        ),
    }


def cited_matches(result: ExperimentResult) -> str:
    """How many matches, and single games of tables, the numbers rest on: the digest of a run does not say."""
    if not asks_of_tables(result.experiment.analysis):
        each = sorted({int(n) for n in result.sanity["matches"]})
        return f"{in_words([count(n) for n in each])} matches a pair of players"
    held = list(zip(result.run.plays, result.run.counts, strict=True))
    numbers = {
        word: sorted({number for play, number in held if of_one_game(play.rules) == single})
        for word, single in (("single games", True), ("matches", False))
    }
    said = [f"{in_words([count(n) for n in each])} {word}" for word, each in numbers.items() if each]
    return f"{' and '.join(said)} a pair of players"


def of_single_games(result: ExperimentResult) -> bool:
    """Whether the play that the rule sets themselves stand for is of single games."""
    plays = result.experiment.analysis.plays(result.rules[0])
    return of_one_game(plays[MAIN].rules)


def of_one_game(rules: RuleSet) -> bool:
    """Whether a match of toutes tables or backgammon is a single game."""
    return isinstance(rules.match, PointMatch) and rules.match.match_points == 1


def claims(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Verdicts gathered by claim: what it says, its criterion, and what each pair of players says."""
    found: dict[str, dict[str, Any]] = {}
    for verdict in verdicts:
        claim = found.setdefault(
            verdict.claim,
            {
                "id": verdict.claim,
                "statement": verdict.statement,
                "source": verdict.source,
                "criterion": verdict.criterion,
                "skill_note": verdict.skill_note,
                "rules": len({one.rules for one in verdicts if one.claim == verdict.claim}) > 1,
                "verdicts": [],
            },
        )
        claim["verdicts"].append(verdict)
    return list(found.values())


def player_in_words(player: Player, *, of_tables: bool = False) -> dict[str, Any]:
    """A player's name and his words: each plain line with the indented lines that belong to it.

    Of toutes tables and backgammon without going, which only trictrac knows.
    """
    from simkit.players import without_going

    player = without_going(player) if of_tables else player
    parts: list[tuple[str, list[str]]] = []
    for line in player.words():
        if line.startswith(" ") and parts:
            parts[-1][1].append(line.strip())
        else:
            parts.append((line.strip(), []))
    return {"name": player.name, "parts": parts}


SANITY = {
    "conceded": ("conceded sets", "share"),
    "done_over": ("sets done over", "share"),
    "capped": ("capped sets", "share"),
    "petite": ("petites bredouilles, of decided sets", "share"),
    "grande": ("grandes bredouilles, of decided sets", "share"),
    "winner_holes": ("winner's holes in a set", "holes"),
    "loser_holes": ("loser's holes in a set", "holes"),
    "rolls": ("rolls in a set, do-overs included", "rolls per set"),
}
SANITY_OF_GAMES = {
    "capped": ("capped games", "share"),
    "doubled": ("games of more than one point", "share"),
    "rolls": ("rolls in a game", "rolls per game"),
    "hits": ("men hit in a game", "hits per game"),
}
SANITY_OF_A_PARTIE = {
    "capped": ("capped parties", "share"),
    "winner_holes": ("winner's holes", "holes"),
    "loser_holes": ("loser's holes", "holes"),
    "rolls": ("rolls in a partie", "rolls per partie"),
}


def sanity_tables(sanity: pd.DataFrame) -> list[Table]:
    """How the play of each pair looks, a table for each rule set."""
    names = list(dict.fromkeys(sanity["rules"]))
    return [
        sanity_table(sanity.loc[sanity["rules"] == name], name if len(names) > 1 else "") for name in names
    ]


def sanity_table(sanity: pd.DataFrame, caption: str = "") -> Table:
    """How the play of each pair looks under one rule set."""
    records = sanity.to_dict("records")
    written = all(not math.isnan(record.get("conceded", math.nan)) for record in records)
    heads = [f"{r['player_1']} against {r['player_2']}" for r in records]
    rows = [
        (Cell(name), *(Cell(count(record[name]), "", float(record[name])) for record in records))
        for name in (("matches", "sets") if written else ("matches",))
    ]
    other = SANITY_OF_GAMES if "doubled" in sanity else SANITY_OF_A_PARTIE
    for name, (words, unit) in (SANITY if written else other).items():
        rows.append((Cell(words), *(printed(sanity_number(record, name, unit)) for record in records)))
    return Table(("", *heads), tuple(rows), caption)


def sanity_number(record: dict[Hashable, Any], name: str, unit: str) -> Estimate:
    """One number of a row of the sanity frame, with its interval."""
    mean, low, high = (float(record[f"{name}{end}"]) for end in ("", "_low", "_high"))
    method = NOTHING_VARIED if math.isnan(low) else ""
    return Estimate(0, mean, low, high, int(record["matches"]), unit, method)


def design(result: ExperimentResult, answer: Answer) -> Iterator[tuple[str, str]]:
    """How the numbers were made, as terms and their explanation."""
    experiment = result.experiment
    several = len(result.rules) > 1
    held: dict[int, list[str]] = {}
    for record in result.sanity.to_dict("records"):
        label = f"{record['player_1']} against {record['player_2']}"
        held.setdefault(int(record["matches"]), []).append(
            f"{label} ({record['rules']})" if several else label
        )
    equal = len(held) == 1 and several
    yield (
        "single games" if of_single_games(result) else "matches",
        f"{count(next(iter(held)))} of every rule set and pair of players"
        if equal
        else in_words([f"{count(number)} of {label}" for number, labels in held.items() for label in labels]),
    )
    if result.same:
        yield (
            "played once",
            "; ".join(f"{name} is {first} in play" for name, first in result.same.items())
            + f"{', and in what is settled here' if experiment.analysis.by_settlement else ''}: its numbers are "
            "those of the other",
        )
    if result.stop is not None:
        yield (
            "precision",
            f"{result.stop.words}. Looks are at fixed numbers of matches, the first at 10,000 or at the most "
            "allowed, and play stops when every interval is narrow enough, never because something stands out",
        )
    yield from answer.design
    yield "seed", f"{experiment.seed}; all dice of the run follow from it"
    yield (
        "intervals",
        f"{100 * experiment.level:g}\u202f%, each for one number by itself{but(answer)}; the match is the "
        "independent unit unless another is named; n and the method stand beneath each table; none is given where "
        "nothing varied, for what was alike in all matches seen need not be so in others, nor where there "
        "were too few",
    )
    yield "methods", methods(result.estimates)


def methods(estimates: pd.DataFrame) -> str:
    """How the intervals were made, and of how many numbers so; the most frequent first."""
    found = estimates["method"].astype(str).value_counts(sort=False)
    ordered = sorted(((int(number), method) for method, number in found.items() if number), reverse=True)
    return "; ".join(f"{method} ({count(number)})" for number, method in ordered) or "nothing was estimated"


def but(answer: Answer) -> str:
    """Which intervals are not for one number by itself, to be read after that."""
    return f", except {answer.at_once}" if answer.at_once else ""


def different(players: Iterable[Players]) -> list[Player]:
    """Each player once, in order."""
    return list({player.name: player for pair in players for player in pair}.values())


def digests(result: ExperimentResult) -> Iterator[tuple[str, str]]:
    """What identifies the run, its rules, its players and the programs that made the page."""
    from importlib.metadata import version

    yield "run", result.digest
    for rules in result.rules:
        yield f"rules {rules.name}", rules.digest
        yield f"play of {rules.name}", rules.play_digest
    for player in different(result.players):
        yield f"player {player.name}", player.digest
    for package in ("numpy", "numba", "pandas", "matplotlib"):
        yield package, version(package)
    yield "Python", platform.python_version()
