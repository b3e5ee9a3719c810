"""The findings: what the claims of all experiments with stored results have come to, as one page of Markdown."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from simkit import catalogue
from simkit.analysis.estimates import part
from simkit.analysis.question import MAIN
from simkit.analysis.words import count, in_words
from simkit.batch import run_folder
from simkit.dataset import read_estimates
from simkit.experiment import design, stored_verdicts, wanted

if TYPE_CHECKING:
    import pandas as pd

    from simkit.analysis.criteria import Claim, Verdict
    from simkit.experiment import Experiment

HEAD = """\
# Findings

What the experiments say of the claims of the sources. This page is written by
`python -m simkit.report --findings results docs/findings.md` from the estimates in `results/`; a test writes it
anew.

Confirmed: every interval that the criterion names lies wholly on the claim's side of the threshold. Refuted: one
of them at least lies wholly on the other. Undecided: neither. When the criteria were set stands with each
experiment; thresholds are ours, so an effect may be there and yet be refuted as too small. Intervals are of 95 %,
each for one number by itself, with the match as the independent unit unless something else is named; n is what the
numbers judged rest on.
The players are programs of stated, modest skill: random is the floor.
"""


def findings(results: Path, beside: Path) -> str:
    """The page, for every experiment of the catalogue whose estimates lie below `results`.

    Parameters
    ----------
    results : Path
        The folder of all results.
    beside : Path
        The folder the page will lie in, from which its links go out.
    """
    short: list[str] = []
    entries: list[str] = []
    missing: list[str] = []
    for name in catalogue.names().experiments:
        experiment = catalogue.experiment(name)
        folder = run_folder(design(experiment).plays, root=results, name=name)
        if not (folder / "estimates.parquet").exists():
            missing.append(f"`{name}`")
            continue
        stored = read_estimates(folder)
        verdicts = stored_verdicts(experiment, stored)
        link = Path(os.path.relpath(folder / "report.html", beside)).as_posix()
        outcomes = [_outcome(claim, verdicts) for claim in experiment.claims] or ["no claim is judged"]
        short.append(f"- [{experiment.title}]({link}): {in_words(outcomes)}")
        if experiment.claims:
            entries += _experiment(experiment, stored, verdicts, link)
    if missing:
        short.append(f"- no results are stored of {in_words(missing)}")
    return "\n".join([HEAD, *short, "", *entries])


def _outcome(claim: Claim, verdicts: Sequence[Verdict]) -> str:
    """`B1 refuted`; the outcomes of all pairs of players where they differ."""
    outcomes = dict.fromkeys(one.verdict for one in verdicts if one.claim == claim.id)
    return f"{claim.id} {' or '.join(outcomes)}"


def _experiment(
    experiment: Experiment, stored: pd.DataFrame, verdicts: Sequence[Verdict], link: str
) -> Iterator[str]:
    yield f"## {experiment.title}\n"
    yield f"{experiment.question}\n"
    command = f"simkit run {experiment.name}{_option(experiment, stored)}"
    yield f"Command: `{command}`. Seed {experiment.seed}. Full report: [{experiment.name}]({link}).\n"
    yield f"Criteria were set {experiment.criteria_set}.\n"
    for claim in experiment.claims:
        yield _claim(claim, [one for one in verdicts if one.claim == claim.id], _units(experiment))


def _option(experiment: Experiment, stored: pd.DataFrame) -> str:
    """What the command needs to make as many matches as there are, if not the experiment's own."""
    found = design(experiment)
    numbers = wanted(experiment, found)
    own = {(rules, *pair): numbers[place[MAIN]] for (rules, pair), place in found.place.items()}
    held = {key: _matches(stored, *key) for key in own}
    return "" if held == own else f" --matches {min(held.values())}"


def _matches(stored: pd.DataFrame, rules: str, player_1: str, player_2: str) -> int:
    """Matches that the estimates of a rule set and pair of players stand on."""
    found = part(stored, rules, player_1, player_2)
    found = found.loc[found["measure"] == "sanity_capped"]
    return int(found["n"].iloc[0]) if len(found) else 0


def _units(experiment: Experiment) -> str:
    """What the independent unit of an experiment is called where nothing else is said."""
    from simkit.report.html import of_one_game

    plays = experiment.analysis.plays(design(experiment).rules[0])
    return "games" if of_one_game(plays[MAIN].rules) else "matches"


def _claim(claim: Claim, verdicts: Sequence[Verdict], usual: str) -> str:
    """The claim with a row for each pair of players; `usual`: what n counts where nothing else is said."""
    several = len({one.rules for one in verdicts}) > 1
    lines = [
        f"### {claim.id}. {claim.text}",
        "",
        f"Source: {claim.source}. {claim.criterion}",
        "",
        *([f"Skill: {claim.skill_note}", ""] if claim.skill_note else []),
        "| players | n | verdict | numbers |",
        "|---|---|---|---|",
    ]
    for one in verdicts:
        behind = (
            in_words([f"{count(n)} {units or usual}" for n, units in one.behind]) if one.behind else "none"
        )
        rules = f", {one.rules}" if several or claim.rules else ""
        lines.append(f"| {one.players}{rules} | {behind} | **{one.verdict}** | {one.numbers} |")
    return "\n".join([*lines, ""])
