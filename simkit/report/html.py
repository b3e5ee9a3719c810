"""A run's estimates as one self-contained page: no script, nothing fetched, fit for paper and telephone."""

from __future__ import annotations

import math
import platform
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.analysis.intervals import NOTHING_VARIED
from simkit.analysis.words import count, in_words, number
from simkit.report.answer import (
    LENGTHS,
    SPOKEN,
    answer_table,
    claim_words,
    details,
    pair_words,
    refused,
    summary,
    verdict_words,
)
from simkit.report.figures import all_figures
from simkit.report.numbers import Cell, Estimate, Side, Table, choose, printed, sides
from simkit.rules import WORKS, RuleSet
from simkit.rules.page import describe

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult, Verdict
    from simkit.players import Player

LIMITS = (
    "The players are programs of stated, modest skill. Where two levels of play agree, stronger players may "
    "still differ; where they differ, the direction of the change is all that should be read from it.",
    "The effect shown is mechanical: the same play is settled with and without the tail. The players do not "
    "know the settlement and never play for the tail. Players who know it might end sets sooner or later "
    "than these do.",
    "A shorter match is the beginning of a longer one, which is exact for players who do not look at the "
    "number of sets left; these do not.",
    "Both players of a pair play alike. Nothing is said here on matches between unequal players.",
    "Intervals express chance alone: the sampling of matches at this seed, not a wrong reading of a rule. "
    "Disputed rules and the readings chosen are in docs/rulings.md.",
    "Every interval and every verdict is for one number by itself; of many, some miss by chance.",
    "The dotted curves belong to sets that do not know of one another: each won by the toss of a coin, its "
    "value drawn from all the sets of these players. Where a curve lies further from its dotted one than "
    "chance explains, the sets of a match do depend on one another.",
)


def write_report(folder: Path, result: ExperimentResult) -> Path:
    """Write `report.html` into a run folder.

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
    page = folder / "report.html"
    draft = folder / ".report.html.draft"
    try:
        draft.write_text(render(result), encoding="utf-8")
        draft.replace(page)
    finally:
        draft.unlink(missing_ok=True)
    return page


def render(result: ExperimentResult) -> str:
    """The page as text; the same result gives the same text."""
    from importlib.resources import files

    import jinja2

    here = files("simkit.report")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True
    )
    template = environment.from_string((here / "page.html.j2").read_text(encoding="utf-8"))
    css = (here / "page.css").read_text(encoding="utf-8")
    return template.render(css=css, **page_parts(result))


def page_parts(result: ExperimentResult) -> dict[str, Any]:
    """Everything the template prints, by the name it has there."""
    from simkit import __version__

    experiment, estimates = result.experiment, result.estimates
    shown = sides(result.rules, estimates)
    return {
        "version": __version__,
        "name": experiment.name,
        "title": experiment.title,
        "question": experiment.question,
        "summary": summary(estimates, shown),
        "details": tuple(details(estimates, shown)),
        "verdict_words": verdict_words(result.verdicts),
        "claim_words": tuple(claim_words(result.verdicts)),
        "pair_words": (*pair_words(estimates, shown), *refused(result.sanity)),
        "answer_table": answer_table(estimates, shown),
        "claims": claims(result.verdicts),
        "figures": all_figures(estimates, shown),
        "crosstables": [(side.label, cross_tables(estimates, side)) for side in shown],
        "skill_words": skill_words(estimates, shown),
        "skill": skill_table(estimates, shown),
        "players": [player_in_words(player) for player in different(result.players)],
        "sanity": sanity_table(result.sanity),
        "design": tuple(design(result)),
        "rules": [rules_in_words(rules) for rules in result.rules],
        "works": works_cited(result.rules),
        "limits": LIMITS,
        "command": result.command,
        "estimates_count": count(len(estimates)),
        "digests": tuple(digests(result)),
        "citation": "The simkit authors: simkit, a laboratory for the rules of trictrac, "
        f"version {__version__}. Experiment {experiment.name}, run {result.digest[:12]}.",
    }


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
                "verdicts": [],
            },
        )
        claim["verdicts"].append(verdict)
    return list(found.values())


def cross_tables(estimates: pd.DataFrame, side: Side) -> list[Table]:
    """Results without the tail against results with it, as shares with counts, at a few lengths."""
    results = {"1": "player 1 wins", "draw": "draw", "2": "player 2 wins"}
    columns = ("without the tail", *(f"{words} with it" for words in results.values()))
    found = {
        (row, column): {e.sets: e for e in choose(estimates, f"outcome_{row}_{column}", side)}
        for row in results
        for column in results
    }
    tables = []
    for length in (k for k in SPOKEN if k in found["1", "1"]):
        rows = []
        for row, words in results.items():
            shares = [found[row, column][length] for column in results]
            cells = (Cell(number(e.mean, e.unit), count(e.mean * e.n), e.mean) for e in shares)
            rows.append((Cell(words), *cells))
        tables.append(Table(columns, tuple(rows), f"{length} sets"))
    return tables


def skill_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """The main numbers of each pair of players side by side, and how far the others are from the first."""
    asked = (
        ("winner_changes", "winner changes with the tail", LENGTHS),
        ("leader_loses", "leader on points loses when the sets are paid", (8,)),
        ("variance_tail_of_sets", "share of variance due to the tail of sets", (8,)),
        ("mean_abs_exact", "mean size of the result, points", (8,)),
        ("draw", "drawn matches", (8,)),
    )
    columns = [(side.label, "", side) for side in shown]
    columns += [(f"{side.label}: difference from the first pair", "_by_skill", side) for side in shown[1:]]
    rows = []
    for measure, words, lengths in asked:
        found = [{e.sets: e for e in choose(estimates, measure + end, side)} for _, end, side in columns]
        for length in lengths:
            if all(length in series for series in found):
                cells = (printed(series[length]) for series in found)
                rows.append((Cell(f"{words}, {length} sets"), *cells))
    return Table(("", *(heading for heading, _, _ in columns)), tuple(rows))


def skill_words(estimates: pd.DataFrame, shown: Sequence[Side]) -> str:
    """In which direction the share of winner changes moves from the first pair of players to the others."""
    if len(shown) < 2:
        return "There is only one pair of players; nothing can be said on skill."
    sentences = []
    for side in shown[1:]:
        found = [e for e in choose(estimates, "winner_changes_by_skill", side) if e.sets in LENGTHS]
        by_words = {
            "more often": [e.sets for e in found if e.low > 0],
            "less often": [e.sets for e in found if e.high < 0],
        }
        clear = [f"{words} at {in_words(sets)} sets" for words, sets in by_words.items() if sets]
        unclear = [e.sets for e in found if not (e.low > 0 or e.high < 0)]
        said = [f"the tail changes the winner {' and '.join(clear)}"] if clear else []
        if unclear:
            said.append(f"no difference can be told from chance at {in_words(unclear)} sets")
        if said:
            sentences.append(f"With {side.label}, compared with {shown[0].label}, {'; '.join(said)}.")
    return " ".join(sentences)


def player_in_words(player: Player) -> dict[str, Any]:
    """A player's name and his words: each plain line with the indented lines that belong to it."""
    parts: list[tuple[str, list[str]]] = []
    for line in player.words():
        if line.startswith(" ") and parts:
            parts[-1][1].append(line.strip())
        else:
            parts.append((line.strip(), []))
    return {"name": player.name, "parts": parts}


def sanity_table(sanity: pd.DataFrame) -> Table:
    """How the play of each pair looks."""
    shown = {
        "conceded": ("conceded sets", "share"),
        "done_over": ("sets done over", "share"),
        "capped": ("capped sets", "share"),
        "petite": ("petites bredouilles, of decided sets", "share"),
        "grande": ("grandes bredouilles, of decided sets", "share"),
        "winner_holes": ("winner's holes in a set", "holes"),
        "loser_holes": ("loser's holes in a set", "holes"),
        "rolls": ("rolls in a set, do-overs included", "rolls"),
    }
    records = sanity.to_dict("records")
    heads = [f"{r['player_1']} against {r['player_2']}" for r in records]
    rows = [
        (Cell(name), *(Cell(count(record[name]), "", float(record[name])) for record in records))
        for name in ("matches", "sets")
    ]
    for name, (words, unit) in shown.items():
        rows.append((Cell(words), *(printed(sanity_number(record, name, unit)) for record in records)))
    return Table(("", *heads), tuple(rows))


def sanity_number(record: dict[Hashable, Any], name: str, unit: str) -> Estimate:
    """One number of a row of the sanity frame, with its interval."""
    mean, low, high = (float(record[f"{name}{end}"]) for end in ("", "_low", "_high"))
    method = NOTHING_VARIED if math.isnan(low) else ""
    return Estimate(0, mean, low, high, int(record["matches"]), unit, method)


def rules_in_words(rules: RuleSet) -> dict[str, Any]:
    """A rule set as sections of rules, each in words with its sources."""
    described = [rule for part in (rules.game, rules.match) for rule in describe(part)]
    parts = [
        {"title": title, "rules": [rule for rule in described if rule.path.startswith(f"{title.lower()}.")]}
        for title in ("Game", "Match", "Settlement")
    ]
    return {
        "title": rules.title,
        "name": rules.name,
        "sources": [str(source) for source in rules.sources],
        "notes": rules.notes,
        "parts": parts,
    }


def works_cited(rule_sets: Iterable[RuleSet]) -> list[tuple[str, str]]:
    """The works behind the keys that the rules cite."""
    described = [rule for rules in rule_sets for part in (rules.game, rules.match) for rule in describe(part)]
    cited = " ".join(f"{rule.sources} {rule.readings}" for rule in described)
    return [(key, work) for key, work in WORKS.items() if re.search(rf"\b{key}\b", cited)]


def design(result: ExperimentResult) -> Iterator[tuple[str, str]]:
    """How the numbers were made, as terms and their explanation."""
    experiment = result.experiment
    held = {
        f"{r['player_1']} against {r['player_2']}": r["matches"] for r in result.sanity.to_dict("records")
    }
    played = [f"{count(number)} of {label}" for label, number in held.items()]
    yield "matches", f"{in_words(played)}, of {max(experiment.lengths)} sets each"
    yield "lengths", f"{in_words(experiment.lengths)} sets; the first sets of the long match are the shorter"
    varied = {
        name: sorted({int(value) for value in result.estimates[column].dropna()})
        for name, column in (("tail of sets", "tail_of_sets"), ("tokens per set", "tokens_per_set"))
    }
    settlements = [f"{name} {in_words(values)}" for name, values in varied.items() if values]
    yield "settlements", f"{'; '.join(settlements)}; all of the same play"
    yield (
        "pairing",
        "each match is played once and settled many times, so a difference between two settlements is due "
        "to the settlement alone; all pairs of players meet the same dice, place by place",
    )
    yield "seed", f"{experiment.seed}; all dice of the run follow from it"
    yield (
        "intervals",
        f"{100 * experiment.level:g}\u202f%, each for one number by itself; the match is the "
        "independent unit; shares by Wilson's interval, other numbers by the method named in "
        "estimates.parquet; none is given where nothing varied, for what was alike in all matches seen need "
        "not be so in others",
    )


def different(players: Iterable[tuple[Player, Player]]) -> list[Player]:
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
