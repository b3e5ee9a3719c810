"""Every experiment of the catalogue, made small: it plays, estimates, judges and writes its page.

The first matches of a run are the same for any number of them, so the numbers stand here exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest

import simkit
from simkit import catalogue
from simkit.dataset import StoredPlay, run_digest
from simkit.experiment import ExperimentResult, design

ROOT = Path(__file__).resolve().parents[1]
MATCHES = {
    "tail_of_sets": 40,
    "tail_of_tokens": 40,
    "twelve_hole_duration": 16,
    "soumille": 32,
    "conventions_base": 12,
    "set_counts": 12,
    "written_duration": 16,
    "starting_positions": 400,
    "bearing_off_rule": 400,
}

Key = tuple[str, str, str]  # measure, detail, player 1
KNOWN: Mapping[str, Mapping[Key, float]] = {
    "tail_of_sets": {
        ("mean_abs_exact", "", "prudent"): 58.65,
        ("winner_changes", "", "greedy"): 0.0,
        ("variance_tail_of_sets", "", "random"): 0.23721254198824893,
        ("leader_loses", "", "prudent"): 0.05,
    },
    "set_counts": {
        ("winner_holes", "", "greedy"): 6.947916666666667,
        ("kind", "petite without pickup", "prudent"): 0.2743055555555556,
        ("settings_ended", "reprise", "greedy"): 0.023809523809523808,
        ("pickup_ratio", "petite", "greedy"): 1.2075471698113207,
        ("value_mean", "own", "random"): 8.649305555555555,
        ("value_mean", "doubled", "greedy"): 10.729166666666666,
        ("one_set_decides_own", "", "prudent"): 0.16666666666666666,
        ("winner_holes_from", "12", "random"): 0.06944444444444445,
        ("hole_adds", "hole 12, with pickup", "greedy"): 30.0,
        ("done_over", "", "random"): 0.05555555555555555,
    },
    "written_duration": {
        ("set_rolls", "", "greedy"): 79.69791666666667,
        ("set_rolls_quantile", "0.5", "prudent"): 61.0,
        ("seconds_fitted", "", "greedy"): 25.0,
        ("rolls", "", "random"): 573.5625,
        ("skewness", "", "prudent"): -0.19032630450803079,
        ("set_to_partie", "", "greedy"): 0.6238584474885845,
        ("matches_above_middle", "", "greedy"): 0.6875,
        ("minutes_quantile", "0.95", "prudent"): 295.57377049180326,
    },
    "starting_positions": {
        ("first_wins", "", "tables_linear"): 0.4975,
        ("rolls", "", "random"): 90.52,
        ("hits", "", "tables_linear"): 5.7125,
        ("starts_for_first", "", "tables_linear"): 78.0,
        ("race_most", "", "random"): 184.0,
        ("freedom_most", "", "random"): 13.933333333333334,
        ("different_starts", "", "random"): 225.0,
    },
    "bearing_off_rule": {
        ("anything_changes", "", "tables_linear"): 0.0175,
        ("winner_changes", "", "random"): 0.01,
        ("rolls_change", "", "random"): -0.17,
        ("doubled", "max_dice", "tables_linear"): 0.155,
        ("behind", "max_points", "random"): 0.1275,
    },
    "tail_of_tokens": {
        ("token_tail_against_sets", "set_points", "prudent"): -7.6,
        ("tails_opposed", "holdings", "random"): 0.025,
        ("tails_agree", "holdings", "greedy"): 0.725,
        ("result_larger", "set_points", "prudent"): 0.875,
    },
    "twelve_hole_duration": {
        ("rolls", "", "greedy"): 135.875,
        ("first_wins", "", "prudent"): 0.5625,
        ("settings_ended", "going", "random"): 0.865546218487395,
        ("points_share", "hits", "greedy"): 0.7629444791016844,
        ("set_to_partie", "", "prudent"): 0.46996838777660693,
        ("loses_from_11_0", "", "random"): 0.0,
        ("win_by_score", "3-4", "greedy"): 0.0,
    },
    "soumille": {
        ("rolls", "", "greedy"): 127.53125,
        ("stalls", "", "greedy"): 0.0,
        ("rolls_by_rules", "", "prudent"): 704.96875,
        ("stalls_by_rules", "", "greedy"): 5.03125,
        ("loser_holes", "", "random"): 6.8125,
    },
    "conventions_base": {
        ("rolls_change", "go_enabled=false", "greedy"): 6.083333333333333,
        ("winner_changes", "false_hits_enabled=false", "prudent"): 0.5,
        ("rolls_change_p", "bredouille_enabled=false", "greedy"): 0.19060309051387045,
        ("anything_changes", "fill_obligation=false", "greedy"): 0.0,
        ("rolls_change", "movement_scope=own_half", "prudent"): 10.5,
    },
}


@pytest.fixture(scope="module", params=sorted(MATCHES))
def result(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ExperimentResult:
    root = tmp_path_factory.mktemp("results")
    return simkit.run(request.param, matches=MATCHES[request.param], jobs=1, root=root)


def test_its_numbers_are_these(result: ExperimentResult) -> None:
    found = result.estimates
    for column, own in (("sets", 8), ("tail_of_sets", 20), ("tokens_per_set", 2)):
        found = found.loc[found[column].isna() | (found[column] == own)]
    for (measure, detail, player), mean in KNOWN[result.experiment.name].items():
        chosen = found.loc[(found["measure"] == measure) & (found["player_1"] == player)]
        chosen = chosen.loc[chosen["detail"].fillna("") == detail]
        assert chosen["mean"].iloc[0] == pytest.approx(mean, rel=1e-12), (measure, detail, player)


def test_it_judges_its_claims_and_writes_a_page(result: ExperimentResult) -> None:
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert not re.search(r"https?:|<script|<link|<img|@import", page)
    assert "nan" not in re.sub(r"<svg.*?</svg>|<[^>]+>", "", page, flags=re.DOTALL).lower().split()
    for claim in result.experiment.claims:
        assert f"<strong>{claim.id}. " in page
    assert {verdict.claim for verdict in result.verdicts} == {claim.id for claim in result.experiment.claims}


def test_its_rows_have_one_key_each(result: ExperimentResult) -> None:
    stored = result.stored.assign(detail=result.stored["detail"].fillna(""))
    key = ["measure", "rules", "player_1", "player_2", "sets", "tail_of_sets", "tokens_per_set", "contrast"]
    assert not stored[[*key, "detail"]].duplicated().any()


def test_its_page_is_made_again_from_the_run(result: ExperimentResult) -> None:
    before = (result.folder / "report.html").read_bytes()
    assert simkit.api.rebuild_report(result.folder).read_bytes() == before


@pytest.mark.parametrize("name", ["conventions_base", "soumille", "twelve_hole_duration"])
def test_the_committed_run_is_that_of_the_declaration(name: str) -> None:
    plays = [StoredPlay.of(play) for play in design(catalogue.experiment(name)).plays]
    folder = ROOT / "results" / name / run_digest(plays)[:12]
    if not (ROOT / "results").is_dir():
        pytest.skip("a wheel has no results")
    described = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert [play["play_digest"] for play in described["plays"]] == [play.rules.play_digest for play in plays]
    for file in ("estimates.parquet", "report.html", "README.md"):
        assert (folder / file).is_file()
    assert pd.read_parquet(folder / "estimates.parquet")["detail"].notna().any()


def test_pages_say_what_they_compare(result: ExperimentResult) -> None:
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    said = {
        "soumille": [
            "soumille_1766_dlp differs from soumille_1766 in 12 rules",
            "fills_enabled false, not true",
        ],
        "twelve_hole_duration": ["twelve_hole is classical in play", "a parameter of this page", "30 to 90"],
        "conventions_base": ["Of 51 single changes of a rule", "No match is changed by"],
        "set_counts": [
            "the twelfth 30, the thirteenth 4",
            "ecrire_academie, doubled",
            "petite without a pickup",
        ],
        "starting_positions": [
            "1\u20116,\u00a01\u20115",
            "hold all together",
            "in a hundred unfinished",
            "games/",
        ],
        "bearing_off_rule": [
            "have another winner",
            "a question for rollouts",
            "the same game until a play differs",
        ],
        "written_duration": ["is fitted: ", "stated by the sources", "15 to 45 minutes"],
    }
    for words in said.get(result.experiment.name, []):
        assert words in page
