"""Figures and tables of a comparison and of an experiment, as a notebook shows them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest, kurtosis, sem, t

import simkit
from simkit.errors import UsageError


def test_a_comparison_is_drawn_and_shown(tmp_path: Path) -> None:
    found = simkit.compare(
        "ecrire_academie",
        vary=[{"settlement.tail_of_sets": 0}, {"settlement.tail_of_sets": 10}],
        players="random",
        matches=40,
        root=tmp_path,
    )
    figure = found.figure()
    measures = list(dict.fromkeys(found.frame["measure"]))
    assert len(figure.axes) == len(measures)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [
        one.name for one in found.variants
    ]
    assert measures[0] in found._repr_html_()
    assert len(found.figure(measures[-1]).axes) == 1
    with pytest.raises(UsageError, match="what was compared"):
        found.figure("luck")


def test_an_experiment_is_drawn_and_shown(tmp_path: Path) -> None:
    result = simkit.run("twelve_hole_duration", matches=60, root=tmp_path)
    measure = str(result.estimates["measure"].iloc[0])
    assert result.figure(measure).axes[0].get_xlabel().startswith(measure)
    assert "<table" in result._repr_html_()
    with pytest.raises(UsageError, match="the estimates are of"):
        result.figure("luck")


@pytest.mark.parametrize(
    ("rules", "number", "units"),
    [
        ("twelve_hole", "rolls", ["stakes", "share of matches", "rolls", "settings", "holes"]),
        (
            "ecrire_academie",
            "holes",
            ["points", "share of matches", "rolls", "settings", "holes", "do-overs"],
        ),
        (
            "tourner_guiton",
            "money_3",
            ["jetons", "share of matches", "rolls", "settings", "holes", "do-overs"],
        ),
        ("pool_drain", "net_4", ["stakes", "share of pools", "matches", "rolls", "settings", "do-overs"]),
        (
            "combine_classical",
            "honours_games",
            ["jetons", "fish", "share of matches", "rolls", "settings", "holes", "do-overs", "games"],
        ),
        ("toutes_tables", "games", ["points", "share of matches", "rolls", "games", "men"]),
    ],
)
def test_a_run_is_drawn_and_shown(rules: str, number: str, units: list[str], tmp_path: Path) -> None:
    run = simkit.simulate(rules, "random", matches=40, out=tmp_path / "run", jobs=1)
    figure = run.figure()
    assert [axes.get_xlabel() for axes in figure.axes] == units
    names = [label.get_text() for axes in figure.axes for label in axes.get_yticklabels()]
    assert names == list(run.summary["measure"]) and number in names
    row = run.summary.set_index("measure").loc[number]
    values = _by_match(run, number)
    law = t(len(values) / (1 + max(float(kurtosis(values)), 0.0)) - 1)
    half = law.ppf(0.975) * sem(values)
    known = (values.mean() - half, values.mean() + half)
    assert row["mean"] == pytest.approx(values.mean()) and row["n"] == 40
    assert (row["low"], row["high"]) == pytest.approx(known)
    assert len(run.figure(number).axes) == 1
    assert number in run._repr_html_() and "40 matches" in run._repr_html_()
    with pytest.raises(UsageError, match="what these matches are measured by"):
        run.figure("luck")


def _by_match(run: simkit.Run, number: str) -> np.ndarray:
    """A number of each match, from the rows."""
    if number == "holes":
        return (run.matches["holes_1"].astype(int) + run.matches["holes_2"]).to_numpy()
    if number == "honours_games":
        return (run.matches["honours_won_1"].astype(int) + run.matches["honours_won_2"]).to_numpy()
    if number == "money_3":
        return simkit.settle_run(run)["money_3"].to_numpy()
    if number == "net_4":
        rows = simkit.settle_run(run)
        return rows.loc[rows["seat"] == 4, "net"].to_numpy() / 100
    return run.matches[number].to_numpy()


def test_a_run_of_several_plays_and_one_without_rows(tmp_path: Path) -> None:
    result = simkit.run("tail_of_sets", matches=40, root=tmp_path)
    run = simkit.open(result.folder)
    shown = run.first([20] * len(run.plays))
    wins = shown.figure("first_wins").axes[0]
    assert len(wins.get_yticklabels()) == len(run.plays) > 1
    assert set(shown.summary["n"]) == {20} and run.plays[1].title in shown._repr_html_()
    pools = simkit.simulate("pool_fill", "random", matches=30, out=tmp_path / "pools", jobs=1)
    row = pools.summary.set_index("measure").loc["wins_2"]
    won = int((pools.matches["last_winner"] == 2).sum())
    assert (row["low"], row["high"]) == pytest.approx(
        tuple(binomtest(won, 30).proportion_ci(method="wilson"))
    )
    empty = run.first([0] * len(run.plays))
    assert "<table" not in empty._repr_html_()
    with pytest.raises(UsageError, match="kept without its rows"):
        empty.figure()
