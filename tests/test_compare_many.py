"""simkit compare: trictrac combiné, pools, and tables of three to five players; numbers checked on the rows."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.stats import binomtest, kurtosis, sem, t

import simkit
from simkit import cli
from simkit.comparisons import Comparison
from simkit.dataset import Run
from simkit.errors import UsageError


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def compared(*sides: str, **options: Any) -> Comparison:
    return simkit.compare(*sides, players="random", jobs=1, **{"matches": 60} | options)


def check(found: Comparison, numbers: dict[str, tuple[NDArray[Any], NDArray[Any]]]) -> None:
    """Differences, means and intervals are those of Student's t on the numbers of each pair."""
    rows = found.frame.set_index("measure")
    for name, (one, two) in numbers.items():
        row, change = rows.loc[name], np.asarray(two, float) - np.asarray(one, float)
        assert row["difference"] == pytest.approx(change.mean()), name
        assert (row["baseline_mean"], row["variant_mean"]) == pytest.approx((one.mean(), two.mean())), name
        assert row["n"] == len(change)
        if change.std() > 0 and row["verdict"] != "the same":
            law = t(len(change) / (1 + max(float(kurtosis(change)), 0.0)) - 1)
            half = law.ppf(1 - 0.025 / found.family) * sem(change)
            known = (change.mean() - half, change.mean() + half)
            assert (row["difference_low"], row["difference_high"]) == pytest.approx(known), name


def runs(found: Comparison) -> tuple[Run, Run]:
    return found.baseline.run, found.variants[0].side.run


def column(frame: pd.DataFrame, name: str) -> NDArray[Any]:
    return frame[name].to_numpy()


# ---------------------------------------------------------------- pools


def nets(run: Run, changes: dict[str, Any] | None = None) -> tuple[NDArray[Any], NDArray[Any]]:
    """What each place takes less what it puts in, and the pot, in stakes: one row per pool."""
    rows = simkit.settle_run(run, changes)
    table = [rows.pivot(index="match_id", columns="seat", values=name).to_numpy() for name in ("net", "paid")]
    return table[0] / 100, table[1].sum(axis=1) / 100


def test_pools_are_compared_place_by_place() -> None:
    found = compared("pool_drain", "pool_drain_fallavel")
    one, two = runs(found)
    assert found.variants[0].pairing == "same dice"
    nets_1, nets_2 = nets(one)[0], nets(two)[0]
    numbers = {f"net_{place + 1}": (nets_1[:, place], nets_2[:, place]) for place in range(4)}
    numbers |= {
        name: (column(one.matches, name), column(two.matches, name))
        for name in ("matches", "rolls", "settings", "do_overs")
    }
    last = [column(run.matches, "last_winner") for run in (one, two)]
    numbers |= {f"last_{place}": (last[0] == place, last[1] == place) for place in range(1, 5)}
    check(found, numbers)
    differs = found.variants[0].winner_differs
    known = binomtest(int((last[0] != last[1]).sum()), 60).proportion_ci(method="wilson")
    assert differs is not None and (differs.low, differs.high) == pytest.approx(tuple(known))


def test_what_differs_in_the_antes_alone_is_settled_and_not_played() -> None:
    found = compared("pool_fill", vary=[{"settlement.fill_ante_timing": "on_defeat"}])
    assert found.variants[0].pairing == "same play" and len(list(Path("results/pool_fill").iterdir())) == 1
    run = found.baseline.run
    own, other = nets(run), nets(run, {"fill_ante_timing": "on_defeat"})
    check(found, {f"net_{place + 1}": (own[0][:, place], other[0][:, place]) for place in range(4)})
    check(found, {"pot": (own[1], other[1])})
    rows = found.frame.set_index("measure")
    assert (rows.loc[["wins_1", "matches", "rolls"], "verdict"] == "the same").all()
    assert found.family == 5  # four places and the pot


def test_pools_that_were_cut_go_on_in_the_quantiles(capsys: pytest.CaptureFixture[str]) -> None:
    base = simkit.simulate(
        simkit.rule_set("pool_fill").with_match(max_matches=6), "random", matches=80, jobs=1
    )
    found = simkit.compare(base, vary=[{"match.fill_streak": "defences_only"}], measures=["matches"], jobs=1)
    assert found.variants[0].left_out > 0
    rows = found.estimates
    cut = rows[(rows["detail"] == "cut short") & (rows["measure"] == "matches_baseline")]
    assert cut["mean"].iloc[0] == pytest.approx(base.matches["truncated"].mean())
    going = rows["detail"].astype(str) == "quantile 0.5, cut matches going on"
    assert going.any()
    assert cli.call(["compare", str(base.folder), "--set", "match.fill_streak=defences_only", "--shape"]) == 0
    assert "cut at the most matches of a pool, or at the cap on rolls, are left out" in " ".join(
        capsys.readouterr().out.split()
    )
    assert cli.call(["compare", str(base.folder), "--set", "match.players=5"]) == 2
    assert "4 and 5 players are at the table (match.players)" in " ".join(capsys.readouterr().err.split())


def test_quantiles_of_cut_pools_hold_those_of_the_same_pools_played_on() -> None:
    rules = simkit.rule_set("pool_fill")
    whole, cut = (
        simkit.simulate(rules.with_match(max_matches=most), "random", matches=300, jobs=1)
        for most in (10_000, 6)
    )
    found = simkit.compare(cut, whole, measures=["rolls", "matches"], jobs=1)
    assert 30 < found.variants[0].left_out < 250
    going_on = [one for one in found.variants[0].shapes if one.detail.endswith("going on")]
    assert len(going_on) == 6
    for one in going_on:
        assert one.baseline and one.variant and one.variant.n == one.baseline.n == 300
        assert not one.baseline.low > one.variant.mean and not one.baseline.high < one.variant.mean
        assert one.baseline.mean == one.variant.mean or math.isnan(one.baseline.mean)
    assert all(one.baseline and math.isfinite(one.baseline.low) for one in going_on if "0.5" in one.detail)


def test_amounts_in_hundredths_have_shapes_in_stakes() -> None:
    found = compared("pool_drain", "pool_drain_fallavel", matches=150, measures=["net_1"])
    own = nets(found.baseline.run)[0][:, 0]
    shapes = {one.detail: one for one in found.variants[0].shapes}
    median = shapes["quantile 0.5"].baseline
    assert median is not None and median.mean == pytest.approx(np.sort(own)[74])
    moved = shapes["earth mover's distance"].difference
    other = nets(found.variants[0].side.run)[0][:, 0]
    assert moved is not None and moved.mean == pytest.approx(np.abs(np.sort(own) - np.sort(other)).mean())


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("one", "two", "players"),
    [("tourner_guiton", "tourner_classical", 3), ("chouette_guiton", None, 3), ("five_jl1852", None, 5)],
)
def test_tables_are_compared_player_by_player(one: str, two: str | None, players: int) -> None:
    found = compared(*filter(None, (one, two)), vary=[] if two else [{"match.set_min_holes": 7}])
    first, second = runs(found)
    settled = [simkit.settle_run(run) for run in (first, second)]
    names = [f"money_{player}" for player in range(1, players + 1)]
    numbers = {name: (column(settled[0], name), column(settled[1], name)) for name in names}
    paid = [rows[names].clip(lower=0).sum(axis=1).to_numpy() for rows in settled]
    numbers["paid"] = (paid[0], paid[1])
    numbers["rolls"] = (column(first.matches, "rolls"), column(second.matches, "rolls"))
    numbers["holes"] = tuple(  # type: ignore[assignment]
        column(run.matches, "holes_1").astype(int) + column(run.matches, "holes_2") for run in (first, second)
    )
    winner = [column(rows, "winner") for rows in settled]
    if one.startswith("tourner"):
        numbers |= {f"wins_{player}": (winner[0] == player, winner[1] == player) for player in (1, 2, 3)}
    else:
        sizes = [np.abs(column(rows, "exact")) for rows in settled]
        numbers["size"] = (sizes[0], sizes[1])
        halves = [(winner_of == 1) + (winner_of == 0) / 2 for winner_of in winner]
        numbers["wins"] = (halves[0], halves[1])
    check(found, numbers)


def test_the_tails_of_a_table_are_settled_and_not_played() -> None:
    found = compared("tourner_guiton", vary=[{"settlement.tail_of_sets": 0}])
    assert found.variants[0].pairing == "same play"
    run = found.baseline.run
    own, other = simkit.settle_run(run), simkit.settle_run(run, {"tail_of_sets": 0})
    names = [f"money_{player}" for player in (1, 2, 3)]
    check(found, {name: (column(own, name), column(other, name)) for name in names})
    assert found.frame.set_index("measure").loc["rolls", "verdict"] == "the same"


# ---------------------------------------------------------------- trictrac combiné


def test_both_games_of_trictrac_combine_are_compared() -> None:
    found = compared("combine_classical", vary=[{"match.suspension": False}], matches=40)
    one, two = runs(found)
    assert found.variants[0].pairing == "same dice"
    settled = [simkit.settle_run(run) for run in (one, two)]
    numbers = {
        name: (column(settled[0], name), column(settled[1], name)) for name in ("written", "honours", "pool")
    }
    numbers |= {
        f"{name}_size": (np.abs(one_side), np.abs(other)) for name, (one_side, other) in numbers.items()
    }
    numbers["result"] = (column(settled[0], "exact"), column(settled[1], "exact"))
    numbers["paid"] = (np.abs(column(settled[0], "money")), np.abs(column(settled[1], "money")))
    games = [run.honours_games.groupby("match_id").size() for run in (one, two)]
    numbers["honours_games"] = tuple(g.reindex(range(40), fill_value=0).to_numpy() for g in games)  # type: ignore[assignment]
    written = [run.sets.groupby("match_id")[["holes_1", "holes_2"]].sum().sum(axis=1) for run in (one, two)]
    numbers["holes"] = (written[0].to_numpy(), written[1].to_numpy())
    numbers["honours_holes"] = (honours_holes(one), honours_holes(two))
    once = column(two.matches, "do_overs") == 0  # without suspension every hole counts in both games
    assert once.any() and (numbers["honours_holes"][1] >= numbers["holes"][1]).all()
    assert (numbers["honours_holes"][1] == numbers["holes"][1])[once].all()
    assert (numbers["honours_holes"][0] != numbers["holes"][0]).any()
    check(found, numbers)


def honours_holes(run: Run) -> NDArray[Any]:
    """Holes of both players in the games of honours of each match, those of an unfinished last one included."""
    rows = run.matches.set_index("match_id")
    made = run.honours_games.groupby("match_id")[["holes_1", "holes_2"]].sum().sum(axis=1)
    left = rows["honours_left_1"].astype(int) + rows["honours_left_2"]
    return (left + made.reindex(rows.index, fill_value=0)).to_numpy()


def test_the_settlement_of_both_games_is_settled_and_not_played() -> None:
    changes = {"settlement.honours_fish_jetons": 13, "settlement.tail_of_sets": 0}
    found = compared("combine_chouette", vary=[changes], matches=40)
    assert found.variants[0].pairing == "same play"
    run = found.baseline.run
    own = simkit.settle_run(run)
    other = simkit.settle_run(run, {path.partition(".")[2]: value for path, value in changes.items()})
    names = ("money_1", "money_2", "money_3", "written", "honours", "pool")
    check(found, {name: (column(own, name), column(other, name)) for name in names})
    rows = found.frame.set_index("measure")
    assert rows.loc["honours", "difference"] == 0 and rows.loc["honours_games", "verdict"] == "the same"


# ---------------------------------------------------------------- refused, and told


@pytest.mark.parametrize(
    ("one", "two", "words"),
    [
        ("pool_fill", "pool_drain", "pool that fills of 4 players and .* by the same rules; matches, rolls"),
        ("tourner_guiton", "chouette_guiton", r"each for himself \(à tourner\) and .* one against two"),
        ("ecrire_guiton", "tourner_guiton", "but 2 and 3 players are at the table"),
        ("combine_classical", "ecrire_classical", "trictrac combiné and .* a written match of sets"),
        ("combine_classical", "combine_chouette", "but 2 and 3 players are at the table"),
        ("pool_fill", "toutes_tables", "share men, dice and board and no rule"),
    ],
)
def test_other_games_are_refused_and_what_is_common_said(one: str, two: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        compared(one, two)
    assert not Path("results").exists()


def test_players_of_more_than_two_are_not_exchanged() -> None:
    with pytest.raises(UsageError, match=r"only players of two .* rule sets are compared"):
        simkit.compare("pool_drain", players=("prudent", "random", "prudent", "random"), jobs=1)


def test_pools_and_tables_are_printed_and_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "--players", "random", "--matches", "60", "--jobs", "1", "-q"]
    assert cli.call([*command, "pool_drain", "pool_drain_fallavel", "--report", "pools.html"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Baseline: pool_drain, 4 times random, seed 0, 60 pools." in out
    assert "60 pairs of pools on the same dice" in out and "the pool being the unit" in out
    assert "Another winner of the last match in" in out and "a draw" not in out
    page = Path("pools.html").read_text(encoding="utf-8")
    assert "What changes, pool by pool, beside pool_drain" in page
    assert "60 pairs of pools that meet the same dice" in page and "standard deviation of a pool" in page
    assert cli.call([*command, "tourner_guiton", "--set", "settlement.tail_of_sets=0", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert {"money_1", "money_2", "money_3"} <= {row["measure"] for row in plain["comparisons"]}


# ---------------------------------------------------------------- --set


def test_a_rule_set_is_compared_with_itself_some_rules_changed(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "ecrire_academie", "--players", "random", "--matches", "40", "--jobs", "1", "-q"]
    changes = ["--set", "settlement.tail_of_sets=0", "--set", "settlement.tokens_per_set=0"]
    assert cli.call([*command, *changes, "--vary", "settlement.tail_of_sets=10", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert [one["changes"] for one in plain["variants"]] == [
        ["settlement.tail_of_sets: 20 | 0", "settlement.tokens_per_set: 2 | 0"],
        ["settlement.tail_of_sets: 20 | 10"],
    ]
    assert cli.call([*command, *changes, "--report", "page.html"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Differs in settlement.tail_of_sets 20 | 0; settlement.tokens_per_set 2 | 0." in out
    assert "Method: paired t" in out  # what cannot differ is read from no confidence sequence
    page = Path("page.html").read_text(encoding="utf-8")
    assert "--set settlement.tail_of_sets=0 --set settlement.tokens_per_set=0" in page
    run = plain["baseline"]["run"]
    assert cli.call(["compare", run, "--set", "match.sets=4", "--matches", "20", "--jobs", "1", "-q"]) == 0
    assert "Differs in match.sets 8 | 4." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ecrire_academie", "ecrire_guiton", "--set", "match.sets=4"), "--vary match.sets=4 adds a variant"),
        (("ecrire_academie", "--set", "match.sets"), "write PATH=VALUE"),
        (
            ("ecrire_academie", "--set", "match.sets=8"),
            "nothing to compare: ecrire_academie has match.sets = 8",
        ),
        (("ecrire_academie", "--set", "match.players=3"), "match.players"),
    ],
)
def test_a_change_that_says_too_little_is_refused(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.call(["compare", *arguments, "-q"]) in (2, 3)
    assert words in " ".join(capsys.readouterr().err.split())
    assert not Path("results").exists()


# ---------------------------------------------------------------- luck of few pairs


def test_too_few_pairs_are_said_where_luck_was_to_be_taken_off(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "classical", "--players", "prudent,random", "--luck", "--jobs", "1", "-q"]
    assert cli.call([*command, "--matches", "20"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "20 pairs are too few to tell what luck brings, which takes 128 or more (--matches 128)" in out
    assert cli.call([*command, "--matches", "20", "--until", "wins=0.1"]) == 2
    assert "compare with --until first, then as many matches with --luck" in " ".join(
        capsys.readouterr().err.split()
    )
