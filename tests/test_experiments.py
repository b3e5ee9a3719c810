"""Every experiment of the catalogue, made small: it plays, estimates, judges and writes its page.

The declarations are those of the catalogue with fewer rule sets, pairs and matches. The first matches of a run are
the same for any number of them, so the numbers stand here exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import simkit
from simkit import catalogue
from simkit.analysis.suspension import Suspension
from simkit.dataset import StoredPlay, run_digest
from simkit.experiment import Experiment, ExperimentResult, asks_of_tables, design
from simkit.report.findings import findings
from simkit.report.influence import influence

ROOT = Path(__file__).resolve().parents[1]
RANDOM, PRUDENT = ("random", "random"), ("prudent", "prudent")
LINEAR = ("tables_linear", "tables_linear")
SMALL: Mapping[str, dict[str, Any]] = {
    "combine_stakes": {"matches": 30, "players": (PRUDENT, RANDOM)},
    "conventions": {"matches": 6, "players": (RANDOM,)},
    "conventions_base": {"matches": 8, "players": (RANDOM, PRUDENT)},
    "honours": {"matches": 20, "players": (PRUDENT, RANDOM)},
    "many_players": {"matches": 12, "players": (PRUDENT, ("prudent", "random"))},
    "pool_holding": {"matches": 30},
    "pools": {"matches": 30},
    "rounding": {"matches": 20, "players": (RANDOM, ("greedy", "prudent"), ("prudent", "greedy"))},
    "set_counts": {"matches": 12, "players": (PRUDENT, RANDOM)},
    "soumille": {"matches": 16, "players": (("greedy", "greedy"), PRUDENT)},
    "suspension": {
        "matches": 12,
        "players": (PRUDENT, ("prudent", "prudent_never_suspends"), RANDOM),
        "analysis": Suspension(
            followed=12,
            gap_states=3,
            agree_states=2,
            gap_repeats=4,
            region_states=4,
            region_repeats=2,
            grandes=3,
            grande_repeats=2,
        ),
    },
    "tail_of_sets": {"matches": 20, "players": (PRUDENT, RANDOM)},
    "tail_of_tokens": {"matches": 20, "players": (PRUDENT, RANDOM)},
    "twelve_hole_duration": {"matches": 18, "players": (PRUDENT, RANDOM)},
    "written_duration": {"matches": 12, "players": (PRUDENT, RANDOM)},
    "starting_positions": {"matches": 400},
    "bearing_off_rule": {"matches": 400, "players": (LINEAR, RANDOM)},
    "double_readings": {"matches": 30, "players": (LINEAR, RANDOM)},
    "openings": {"matches": 400},
    "pairing": {"matches": 60, "players": (LINEAR, RANDOM)},
    "backgammon_225_cube": {"matches": 30},
}
LESS: Mapping[str, tuple[str, ...]] = {
    "rounding": ("ecrire_guiton",),
    "set_counts": ("ecrire_academie", "ecrire_classical", "ecrire_guiton"),
    "tail_of_sets": ("ecrire_academie", "ecrire_lepeintre"),
    "tail_of_tokens": ("ecrire_academie", "ecrire_classical", "ecrire_jl1852"),
    "twelve_hole_duration": ("classical", "twelve_hole", "academie"),
    "written_duration": ("ecrire_academie", "ecrire_guiton"),
}
"""Rule sets that are enough: those of the claims, and another to compare with; all where none are named."""

DECLARED = {name: catalogue.experiment(name) for name in catalogue.names().experiments}

Key = tuple[str, str, str]  # measure, detail, player 1
KNOWN: Mapping[str, Mapping[Key, float]] = {
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
        ("anything_changes", "", "tables_linear"): 0.03,
        ("winner_changes", "", "random"): 0.0125,
        ("rolls_change", "", "random"): -0.2575,
        ("doubled", "max_dice", "tables_linear"): 0.1775,
        ("behind_wins", "contact, max_points", "tables_linear"): 0.03526011560693642,
        ("behind_wins_change", "shot", "tables_linear"): 0.044444444444444446,
        ("double_games", "back_game, max_dice", "random"): 0.8571428571428571,
        ("wins_lost", "shot", "tables_linear"): 0.8615384615384616,
        ("shot_forced", "back_game, max_points", "random"): 0.20532407407407405,
        ("shot_hit", "shot, max_points", "random"): 0.32376543209876546,
        ("forced_alone_change", "contact", "random"): 0.0012499565987292107,
    },
    "double_readings": {
        ("doubled", "off0", "tables_linear"): 0.22777777777777777,
        ("otherwise", "off0_or_not_all_home", "random"): 0.04111111111111111,
        ("loser", "some off, not all home", "random"): 0.0,
        ("winner_changes", "3, off0", "random"): 0.0,
        ("match_games", "7, off0_and_not_all_home", "tables_linear"): 9.866666666666667,
        ("games_change", "7, off0", "tables_linear"): -0.26666666666666666,
    },
    "openings": {
        ("over_random", "", "tables_linear"): 0.1025,
        ("over_second", "6-5", "random"): -0.04950495049504952,
        ("ahead_wins", "", "tables_linear"): 0.015,
        ("over_random_book", "", "random"): 0.0044444444444444444,
        ("starts_over_random", "", "tables_linear"): 114.0,
    },
    "pairing": {
        ("first_wins", "", "tables_linear"): 0.5222222222222223,
        ("double_points", "", "random"): 0.36129032258064514,
        ("pair_wins", "fresh_throw", "tables_linear"): 0.49298088410991636,
        ("pair_points", "same_roll_as_first", "random"): 0.0,
        ("match_first_wins", "whole pairs", "random"): 0.5,
        ("match_first_wins", "fresh_throw", "tables_linear"): 0.5,
    },
    "backgammon_225_cube": {
        ("rolls", "no_cube", "tables_cube"): 52.75,
        ("rolls_change", "", "tables_cube_lookahead"): -10.420618444055947,
        ("dropped", "", "tables_cube"): 0.3644067796610169,
        ("at_4", "", "tables_cube"): 0.17796610169491525,
        ("match_to_1", "cube", "tables_cube_lookahead"): 0.5,
    },
    "combine_stakes": {
        ("size", "written", "prudent"): 5.4,
        ("size", "honours, pool in", "random"): 9.5,
        ("price", "pool out", "prudent"): 88.88888888888889,
        ("size_sd", "written", "random"): 3.643447905992092,
        ("correlation", "pool in", "prudent"): 0.4343098748429857,
        ("same_way", "", "random"): 0.7037037037037037,
    },
    "suspension": {
        ("disagree", "all", "prudent"): 0.14017521902377972,
        ("advice", "both go", "prudent"): 0.2503128911138924,
        ("gap", "advice differs", "prudent"): 0.05357142857142857,
        ("gap_as_judged", "advice differs", "prudent"): 3.300595238095238,
        ("suspend_over_hold", "others_honours, 10 or 11", "prudent"): -30.875,
        ("region", "own_run", "prudent"): -77.0,
        ("gain", "honours", "prudent"): -4.583333333333333,
        ("repeat_wins", "", "random"): 0.5625,
        ("pool_size", "", "prudent"): 8.833333333333334,
    },
    "honours": {
        ("class", "treble or quadruple", "prudent"): 0.13445378151260504,
        ("class", "double", "random"): 0.45161290322580644,
        ("falls_early", "second scorer", "prudent"): 0.5535714285714286,
        ("run_reaches", "first scorer, 5", "random"): 0.26881720430107525,
        ("games", "", "prudent"): 10.45,
    },
    "conventions": {
        ("winner_changes", "refait_growth=geometric", "random"): 0.0,
        ("result_moves", "mult_petite_held=3, mult_grande_held=5", "random"): 1.5,
        ("payer_changes", "general_tail_basis=token_tail_winner", "random"): 0.16666666666666666,
        ("size_change", "tokens_per_set=0", "random"): -7.0,
        ("anything_changes", "set_first_die=alternate", "random"): 1.0,
        ("winner_changes_unrelated", "set_first_die=alternate", "random"): 0.5,
        ("size_change_p", "tail_of_sets=0", "random"): 0.7207737006922321,
    },
    "conventions_base": {
        ("rolls_change", "go_enabled=false", "prudent"): -0.75,
        ("winner_changes", "false_hits_enabled=false", "prudent"): 0.625,
        ("rolls_change_p", "bredouille_enabled=false", "random"): 0.3443445571167789,
        ("anything_changes", "fill_obligation=false", "random"): 0.0,
        ("rolls_change", "movement_scope=own_half", "prudent"): 7.125,
        ("rolls_change", "points_per_hole=10", "prudent"): -23.375,
        ("loser_holes_change", "hit_points.petit=2, on a doublet 4", "random"): -0.125,
        ("rolls_change", "impuissance_points=4", "prudent"): -3.375,
        ("first_wins_change", "jan_points=2, on a doublet 4", "prudent"): -0.125,
    },
    "many_players": {
        ("largest_loss", "two", "prudent"): 60.833333333333336,
        ("largest_loss", "tourner, split_tail", "prudent"): 95.83333333333333,
        ("ordered", "tourner, pairwise_full_tail, middle", "prudent"): 6.666666666666667,
        ("in_between", "tourner, pairwise_full_tail", "prudent"): 0.6666666666666666,
        ("larger_loss", "pairwise_full_tail, chouette", "prudent"): 66.25,
        ("loses", "tourner, pairwise_full_tail, third", "prudent"): 223.33333333333334,
        ("loses_more_per_set", "chouette, one of two partners", "prudent"): -1.0416666666666679,
        ("lone_result", "", "prudent"): 20.833333333333332,
        ("idle_result", "pairwise_full_tail, grande", "prudent"): 75.0,
        ("idle_if_less_marked_wins", "split_tail", "prudent"): 3.934504034171808,
    },
    "pools": {
        ("net_on_reentry", "4 players, place 4", "prudent"): 0.0,
        ("net_on_defeat_fitted", "5 players, place 1", "random"): -0.09745047204054151,
        ("last_less_next_on_defeat_exact", "3 players", "prudent"): -0.030612244897959183,
        ("unfinished", "4 players, 7 matches", "random"): 0.26666666666666666,
        ("evening", "5 players", "prudent"): 0.5333333333333333,
        ("pot_quantile", "6 players, 0.5", "random"): 30.0,
        ("advice_exact", "5 players, 2 wins counted", "prudent"): 0.3666230974668082,
        ("lone_net", "4 players, place 2", "prudent"): 2.8666666666666667,
    },
    "pool_holding": {
        ("net", "4 players, place 1", "prudent_pot"): 0.36666666666666664,
        ("unequal", "4 players", "prudent"): 0.36222222222222217,
        ("late_last_less_first", "4 players", "prudent"): -0.66,
        ("holes_paid", "4 players", "prudent_pot"): 11.481481481481481,
        ("lone_mean", "4 players", "prudent_pot"): 0.5683333333333332,
        ("most_matches", "4 players", "prudent"): 20.0,
    },
    "rounding": {
        ("step_of_a_hole", "", "random"): 0.05,
        ("step_of_a_point", "", "greedy"): 0.15,
        ("result_of_1", "", "greedy"): 41.55,
        ("five_up_for_1", "", "prudent"): -0.5,
        ("paid_over", "up", "random"): 0.3,
        ("mean_size", "", "prudent"): 76.6,
    },
    "set_counts": {
        ("winner_holes", "", "prudent"): 6.59375,
        ("kind", "petite without pickup", "prudent"): 0.2534722222222222,
        ("settings_ended", "reprise", "prudent"): 0.012364760432766615,
        ("pickup_ratio", "petite", "random"): 4.25,
        ("value_mean", "own", "random"): 8.472222222222221,
        ("value_sd", "doubled", "prudent"): 6.807219715749423,
        ("one_set_decides_own", "", "prudent"): 0.08333333333333333,
        ("doubling_changes_winner", "", "random"): 0.0,
        ("dearest_set_own", "", "random"): 0.26199261992619927,
        ("winner_holes_from", "12", "random"): 0.04861111111111111,
        ("hole_adds", "hole 12, with pickup", "prudent"): 30.0,
        ("done_over", "", "random"): 0.05555555555555555,
    },
    "soumille": {
        ("rolls", "", "greedy"): 129.875,
        ("stalls", "", "greedy"): 0.0,
        ("rolls_by_rules", "", "prudent"): 716.3125,
        ("stalls_by_rules", "", "greedy"): 4.875,
        ("loser_holes", "", "prudent"): 5.1875,
    },
    "tail_of_sets": {
        ("mean_abs_exact", "", "prudent"): 60.95,
        ("winner_changes", "", "random"): 0.15,
        ("variance_tail_of_sets", "", "random"): 0.23662677160636422,
        ("leader_loses", "", "prudent"): 0.05,
        ("winner_changes_tossed", "", "random"): 0.03955238685597552,
    },
    "tail_of_tokens": {
        ("token_tail_against_sets", "set_points", "prudent"): -8.4,
        ("tails_opposed", "holdings", "random"): 0.1,
        ("tails_agree", "holdings", "prudent"): 0.85,
        ("result_larger", "set_points", "prudent"): 0.9,
        ("result_change", "holdings", "random"): 8.0,
        ("tokens_with_sets_paid_first", "set_points", "random"): 1.0,
    },
    "twelve_hole_duration": {
        ("rolls", "", "prudent"): 125.05555555555556,
        ("first_wins", "", "prudent"): 0.4444444444444444,
        ("settings_ended", "going", "random"): 0.8636363636363636,
        ("points_share", "hits", "prudent"): 0.7320736434108527,
        ("set_to_partie", "", "prudent"): 0.48356286095068857,
        ("loses_from_11_0", "", "random"): 0.0,
        ("win_by_score", "3-4", "prudent"): 1.0,
    },
    "written_duration": {
        ("set_rolls", "", "prudent"): 66.67361111111111,
        ("set_rolls_quantile", "0.5", "prudent"): 62.0,
        ("seconds_fitted", "", "random"): 27.272727272727273,
        ("seconds_by_range", "", "prudent"): 26.681870011402506,
        ("rolls", "", "random"): 654.8333333333334,
        ("skewness", "", "prudent"): -0.04645656630159988,
        ("set_to_partie", "", "random"): 0.583219722790275,
        ("matches_above_middle", "", "prudent"): 0.8333333333333334,
        ("above_middle_by_range", "", "random"): 0.9583333333333334,
        ("minutes_quantile", "0.95", "prudent"): 318.38709677419354,
    },
}


def small(name: str) -> Experiment:
    """The declaration cut down, with the claims that are still asked."""
    declared = DECLARED[name]
    rules, change = LESS.get(name, declared.rules), SMALL[name]
    pairs = change.get("players", declared.players)
    asked = (replace(one, players=_left(one.players, pairs)) for one in declared.claims)
    claims = tuple(one for one in asked if set(one.rules) <= set(rules))
    return replace(declared, rules=rules, claims=claims, **change)


def _left(pairs: tuple[tuple[str, str], ...], of: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in pairs if pair in of)


@pytest.fixture(scope="module", params=sorted(SMALL))
def result(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ExperimentResult:
    return simkit.run(small(request.param), jobs=1, root=tmp_path_factory.mktemp("results"))


def test_every_experiment_is_here_with_all_its_claims() -> None:
    assert set(SMALL) == set(KNOWN) == set(DECLARED)
    for name in SMALL:
        assert [claim.id for claim in small(name).claims] == [claim.id for claim in DECLARED[name].claims]


def test_no_claim_is_declared_twice() -> None:
    claims = [claim for one in DECLARED.values() for claim in one.claims]
    assert (
        len({claim.id for claim in claims}) == len({claim.text for claim in claims if claim.id != "B2b"}) + 1
    )


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
    claims = result.experiment.claims
    assert {verdict.claim for verdict in result.verdicts} == {claim.id for claim in claims}
    for claim in claims:
        assert f"<strong>{claim.id}. " in page
        assert claim.skill_note in page
    assert not claims or f"Criteria were set {result.experiment.criteria_set}." in page


def test_every_claim_asks_for_what_is_estimated(result: ExperimentResult) -> None:
    """A claim may lack an interval of so few matches, but not the number."""
    known = set(result.estimates["measure"])
    for claim in result.experiment.claims:
        tests = getattr(claim.test, "tests", (claim.test,))
        assert {test.measure for test in tests if test.measure} <= known | {"five_up_of_advantage"}, claim.id


def test_its_rows_have_one_key_each(result: ExperimentResult) -> None:
    stored = result.stored.assign(detail=result.stored["detail"].fillna(""))
    key = ["measure", "rules", "player_1", "player_2", "sets", "tail_of_sets", "tokens_per_set", "contrast"]
    assert not stored[[*key, "detail"]].duplicated().any()


def test_its_page_is_made_again_from_the_estimates(
    result: ExperimentResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a row and without playing: the same bytes."""
    before = (result.folder / "report.html").read_bytes()
    monkeypatch.setattr("simkit.kept.example", lambda *_: pytest.fail("a match was played"))
    monkeypatch.setattr("simkit.experiment.analyse", lambda *_, **__: pytest.fail("rows were read"))
    again = simkit.api.rebuild_report(result.folder, result.experiment)
    assert again.read_bytes() == before
    assert b'<section id="match">' in before


def test_its_page_is_made_again_from_the_run(result: ExperimentResult) -> None:
    if result.experiment.name not in ("soumille", "tail_of_tokens"):
        pytest.skip("two are enough: rows of its own, and rows shared")
    before = (result.folder / "report.html").read_bytes()
    again = simkit.api.rebuild_report(result.folder, result.experiment, anew=True)
    assert again.read_bytes() == before


def test_the_pages_on_all_results_tell_of_it(
    result: ExperimentResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, folder = result.experiment.name, result.folder
    if name not in ("conventions", "conventions_base", "twelve_hole_duration"):
        pytest.skip("three are enough: those that flip fields, and one with claims of some players only")
    monkeypatch.setattr(catalogue, "experiment", small)
    root = folder.parent.parent
    page = findings(root, root)
    assert f"- [{result.experiment.title}]({name}/{folder.name}/report.html): " in page
    for claim in result.experiment.claims:
        assert f"### {claim.id}. {claim.text}" in page
    told = influence(root)
    if name == "conventions_base":
        assert "| `go_enabled`: false | random against random | 8 | " in told
        assert "| `hit_points.petit`: 2, on a doublet 4 | prudent against prudent | 8 | " in told
        assert "No results are stored of `simkit run conventions`" in told
    elif name == "conventions":
        assert "| `refait_growth`: geometric | random against random, ecrire_guiton | 6 | 0 | 0 | " in told
    else:
        assert "| field" not in told


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_the_committed_run_is_that_of_the_declaration(name: str) -> None:
    plays = [StoredPlay.of(play) for play in design(DECLARED[name]).plays]
    folder = ROOT / "results" / name / run_digest(plays)[:12]
    if not folder.parent.is_dir():
        pytest.skip("no results are kept of it, as in a wheel")
    described = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert [play["play_digest"] for play in described["plays"]] == [play.rules.play_digest for play in plays]
    for file in ("estimates.parquet", "report.html", "README.md"):
        assert (folder / file).is_file()
    assert "detail" in pd.read_parquet(folder / "estimates.parquet")


def test_pages_say_what_they_compare(result: ExperimentResult) -> None:
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    said = {
        "soumille": [
            "soumille_1766_dlp differs from soumille_1766 in 12 rules",
            "fills_enabled false, not true",
        ],
        "twelve_hole_duration": [
            "twelve_hole is classical in play",
            "a parameter of this page",
            "Between equals",
        ],
        "conventions_base": ["Of 55 single changes of a rule", "No match is changed by"],
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
        "double_readings": [
            "single, double, double",
            "has a man outside after bearing others off",
            "without playing again",
        ],
        "openings": [
            "by opening roll",
            "hold all together",
            "A cross: a gain is not beyond doubt",
            "pairs the ways",
            "counted and not tested",
        ],
        "pairing": [
            "before and after pairing",
            "Not played but reckoned",
            "both games of a start played always",
            "900 and 1\u202f800 single games and 60 matches a pair of players",
        ],
        "bearing_off_rule": [
            "have another winner",
            "the same game until a play differs",
            "in back games",
            "force one by most points alone",
            "back games, 120 positions",
            "400 single games a pair of players",
            "<dt>single games</dt>",
        ],
        "backgammon_225_cube": [
            "a double is offered in",
            "Whether it is the same from every start",
            "less the change under backgammon_cube",
            ", backgammon_225_cube: a double is offered in",
            ", backgammon_cube: a double is offered in",
        ],
        "written_duration": ["is fitted: ", "stated by the sources", "15 to 45 minutes"],
    }
    for words in said.get(result.experiment.name, []):
        assert words in page
    assert ("Holds or goes" in page) <= (not asks_of_tables(result.experiment.analysis))
