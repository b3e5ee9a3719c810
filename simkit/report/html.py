"""A run's estimates as one self-contained page: no script, nothing fetched, fit for paper and telephone."""

from __future__ import annotations

import platform
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.report.figures import Base, all_figures
from simkit.report.numbers import (
    Cell,
    Estimate,
    Side,
    Table,
    by_sets,
    choose,
    count,
    in_words,
    printed,
    sides,
)
from simkit.rules import WORKS, RuleSet
from simkit.rules.page import describe

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult
    from simkit.players import Player

LENGTHS = (4, 8, 12, 24)
"""Numbers of sets spoken of in words; the figures show them all."""
CROSSED = (4, 8, 24)
"""Numbers of sets whose results are tabled with the tail against without."""

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
    "The dotted curves belong to sets won by the toss of a coin, each worth what the sets of these players "
    "were worth. What lies off them comes from one set of a match depending on another.",
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
    settlement = result.rules[0].match.settlement
    base = Base(settlement.tail_of_sets, settlement.tokens_per_set)
    pairs = sides(estimates)
    return {
        "version": __version__,
        "name": experiment.name,
        "title": experiment.title,
        "question": experiment.question,
        "answer": tuple(answer(estimates, base, pairs)),
        "answer_table": answer_table(estimates, base, pairs),
        "verdicts": result.verdicts,
        "figures": all_figures(estimates, base),
        "crosstables": tuple(cross_tables(estimates, base, pairs)),
        "skill_words": skill_words(estimates, base, pairs),
        "skill": (skill_table(estimates, base, pairs),),
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


def answer(estimates: pd.DataFrame, base: Base, pairs: Sequence[Side]) -> Iterator[str]:
    for side in pairs:
        found = {
            e.sets: e for e in choose(estimates, "winner_changes", side, **vars(base)) if e.sets in LENGTHS
        }
        if found:
            spoken = [f"{printed(e).text} of matches of {length} sets" for length, e in found.items()]
            yield (
                f"With {side.label()}, a tail of {base.tail_of_sets} points to the player with more sets "
                f"changes the result of {in_words(spoken)}."
            )


def answer_table(estimates: pd.DataFrame, base: Base, pairs: Sequence[Side]) -> Table:
    """The same shares with their intervals."""
    series = {side.label(): choose(estimates, "winner_changes", side, **vars(base)) for side in pairs}
    kept = {label: [e for e in found if e.sets in LENGTHS] for label, found in series.items()}
    n = max((e.n for found in kept.values() for e in found), default=0)
    caption = (
        f"Matches whose result changes with the tail of {base.tail_of_sets}; beneath each share its 95 % "
        f"interval. {count(n)} matches for each pair of players."
    )
    return by_sets(kept, caption)


def cross_tables(estimates: pd.DataFrame, base: Base, pairs: Sequence[Side]) -> Iterator[Table]:
    """Results without the tail against results with it, as shares with counts, at a few lengths."""
    results = {"1": "player 1 wins", "draw": "draw", "2": "player 2 wins"}
    columns = ("without the tail", *(f"{words} with it" for words in results.values()))
    for side in pairs:
        found = {
            (row, column): {
                e.sets: e for e in choose(estimates, f"outcome_{row}_{column}", side, **vars(base))
            }
            for row in results
            for column in results
        }
        for length in (k for k in CROSSED if k in found["1", "1"]):
            rows = []
            for row, words in results.items():
                shares = [found[row, column][length] for column in results]
                cells = (Cell(f"{100 * e.mean:.2f}\u202f%", count(e.mean * e.n), e.mean) for e in shares)
                rows.append((Cell(words), *cells))
            yield Table(columns, tuple(rows), f"{side.label()}, {length} sets")


def skill_table(estimates: pd.DataFrame, base: Base, pairs: Sequence[Side]) -> Table:
    """The main numbers of each pair of players side by side."""
    asked = (
        ("winner_changes", "winner changes with the tail", LENGTHS),
        ("leader_loses", "leader on points loses when the sets are paid", (8,)),
        ("variance_tail_of_sets", "share of variance due to the tail of sets", (8,)),
        ("token_tail_relief", "taken back by the tail of tokens", (8,)),
        ("mean_abs_exact", "mean size of the result, points", (8,)),
        ("draw", "drawn matches", (8,)),
    )
    rows = []
    for measure, words, lengths in asked:
        found = [{e.sets: e for e in choose(estimates, measure, side, **vars(base))} for side in pairs]
        for length in lengths:
            if all(length in series for series in found):
                cells = (printed(series[length]) for series in found)
                rows.append((Cell(f"{words}, {length} sets"), *cells))
    return Table(("", *(side.label() for side in pairs)), tuple(rows))


def skill_words(estimates: pd.DataFrame, base: Base, pairs: Sequence[Side]) -> str:
    """Whether the intervals of the first two pairs part at the usual lengths."""
    if len(pairs) < 2:
        return "Only one pair of players was asked for; nothing can be said on skill."
    one, two = ({e.sets: e for e in choose(estimates, "winner_changes", s, **vars(base))} for s in pairs[:2])
    more: list[int] = []
    less: list[int] = []
    alike: list[int] = []
    for length in (k for k in LENGTHS if k in one and k in two):
        a, b = one[length], two[length]
        (more if a.low > b.high else less if a.high < b.low else alike).append(length)
    first, second = (side.label() for side in pairs[:2])
    said = [f"more often than with {second} at {in_words(more)} sets"] if more else []
    said += [f"less often than with {second} at {in_words(less)} sets"] if less else []
    said += (
        [f"about as often as with {second}, the intervals overlapping, at {in_words(alike)} sets"]
        if alike
        else []
    )
    return f"With {first} the tail changes the result {in_words(said)}."


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
    heads = [Side(str(r["rules"]), str(r["player_1"]), str(r["player_2"])).label() for r in records]
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
    return Estimate(0, mean, low, high, int(record["matches"]), unit, "")


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
    experiment, estimates = result.experiment, result.estimates
    tails = sorted({int(tail) for tail in estimates["tail_of_sets"]})
    tokens = sorted({int(number) for number in estimates["tokens_per_set"]})
    lengths = sorted({int(length) for length in estimates["sets"]})
    yield "players", "; ".join(f"{one.title} against {two.title}" for one, two in result.players)
    yield "matches", f"{count(result.matches)} for each pair of players, of {max(lengths)} sets each"
    yield "lengths", f"{in_words(lengths)} sets; the first sets of the long match are the shorter match"
    yield (
        "settlements",
        f"tail of sets {in_words(tails)}, tokens per set {in_words(tokens)}, all of the same play",
    )
    yield (
        "pairing",
        "each match is played once and settled many times, so a difference between two settlements is due "
        "to the settlement alone; all pairs of players meet the same dice, place by place",
    )
    yield "seed", f"{experiment.seed}; all dice of the run follow from it"
    yield (
        "intervals",
        f"{100 * float(estimates['level'].iloc[0]):g} %, each for one number by itself; the match is the "
        "independent unit; shares by Wilson's interval, other numbers by the method named in "
        "estimates.parquet",
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
