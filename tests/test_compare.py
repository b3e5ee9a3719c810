"""simkit compare: pairing, what is played and what only settled, what is refused, what is printed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from fake_play import spec

import simkit
from simkit import cli, comparisons, duplicates
from simkit.analysis import comparison
from simkit.batch import play_run
from simkit.comparisons import Side, compare_sides
from simkit.dataset import PlaySpec
from simkit.errors import UsageError


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_rules_are_played_on_the_same_dice_and_compared_pair_by_pair() -> None:
    found = simkit.compare("classical", "soumille_1766_dlp", players="prudent", matches=300, seed=3, jobs=1)
    runs = [side.run for side in (found.baseline, found.variants[0].side)]
    assert found.variants[0].pairing == "same dice" and found.variants[0].matches == (300, 300)
    rolls = [run.matches["rolls"].to_numpy() for run in runs]
    row = found.frame.set_index("measure").loc["rolls"]
    assert row["difference"] == pytest.approx((rolls[1] - rolls[0]).mean())
    assert row["baseline_mean"] == pytest.approx(rolls[0].mean())
    assert row["method"] == f"paired t, Bonferroni over {found.family} differences"
    wins = [run.matches["sets_won_1"].to_numpy() for run in runs]
    row = found.frame.set_index("measure").loc["wins"]
    assert row["variant_mean"] == pytest.approx(wins[1].mean())
    differing = found.variants[0].winner_differs
    assert differing is not None and differing.mean == pytest.approx((wins[0] != wins[1]).mean())
    again = simkit.compare(*runs)
    assert again.frame.equals(found.frame)


def test_settlement_alone_is_settled_and_not_played() -> None:
    found = simkit.compare(
        "ecrire_academie",
        "ecrire_academie_no_tail_of_sets",
        matches=60,
        vary=[{"settlement.tail_of_sets": 40}],
        jobs=1,
    )
    assert [one.pairing for one in found.variants] == ["same play"] * 2
    assert [path.name for path in Path("results").iterdir()] == ["ecrire_academie"]
    run = found.baseline.run
    for one, tail in zip(found.variants, (0, 40), strict=True):
        own, other = simkit.settle_run(run), simkit.settle_run(run, {"tail_of_sets": tail})
        change = other["exact"].abs() - own["exact"].abs()
        rows = found.frame[found.frame["variant"] == one.name].set_index("measure")
        assert rows.loc["size", "difference"] == pytest.approx(change.mean())
        assert rows.loc["rolls", "verdict"] == "the same" and rows.loc["rolls", "difference"] == 0
    assert found.family == 10  # of nine measures five hang on the settlement


def test_numbers_do_not_depend_on_what_others_have_played() -> None:
    few = simkit.compare("classical", "soumille", players="random", matches=40, jobs=1)
    simkit.compare("classical", "soumille", players="random", matches=90, jobs=1)
    again = simkit.compare("classical", "soumille", players="random", matches=40, jobs=1)
    assert again.frame.equals(few.frame) and again.baseline.matches == 40


def test_rules_beside_a_run_are_played_as_the_run_was() -> None:
    run = simkit.simulate("classical", players=("prudent", "random"), matches=50, seed=11, jobs=1)
    found = simkit.compare(run, "soumille_1766_dlp", jobs=1)
    side = found.variants[0].side
    assert (side.play.seed, side.matches, side.players) == (11, 50, "prudent against random")
    assert found.variants[0].pairing == "same dice"


def test_another_seed_is_said_and_taken_as_independent(capsys: pytest.CaptureFixture[str]) -> None:
    one = simkit.simulate("classical", players="random", matches=60, seed=1, jobs=1)
    two = simkit.simulate("classical", players="random", matches=80, seed=2, jobs=1, out="two")
    found = simkit.compare(one, two, measures=["rolls"])
    assert found.variants[0].pairing == "independent" and found.variants[0].matches == (60, 80)
    assert found.frame["method"].tolist() == ["Welch's t, independent"]
    assert found.frame["variance_factor"].isna().all() and found.variants[0].winner_differs is None
    assert cli.call(["compare", str(one.folder), str(two.folder)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "seed 2 is another than the baseline's: 60 and 80 matches, taken as independent" in out


def test_other_starts_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    simkit.simulate("classical", players="random", matches=20, jobs=1, out="one")
    begun = simkit.start("1:9 6 7 8 9 12:2 | 13:2 24:13", "3:4b 2:0")
    simkit.simulate("classical", players="random", matches=20, jobs=1, out="two", starts=begun)
    assert cli.call(["compare", "one", "two", "--measure", "rolls"]) == 0
    assert "they do not start from the same positions" in " ".join(capsys.readouterr().out.split())


def test_matches_without_a_partner_do_not_count() -> None:
    run = play_run(spec(), 100, folder="one", jobs=1)
    more = play_run(PlaySpec(spec().rules, spec().players[::-1], 7), 130, folder="two", jobs=1)
    found = compare_sides([Side(run.plays[0].rules, run), Side(more.plays[0].rules, more)])
    assert found.variants[0].matches == (100, 100) and found.variants[0].unpaired == 30
    assert found.name.endswith("anne against ben") and found.variants[0].name.endswith("ben against anne")


def test_games_of_toutes_tables_are_compared() -> None:
    found = simkit.compare("toutes_tables", "backgammon", players="random", matches=40, jobs=1)
    games = [side.run.matches["games"].to_numpy() for side in (found.baseline, found.variants[0].side)]
    rows = found.frame.set_index("measure")
    assert rows.loc["games", "difference"] == pytest.approx(np.mean(games[1] - games[0]))


def test_players_who_are_others_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "backgammon", "backgammon_cube", "--matches", "20", "--jobs", "1", "-q"]
    assert cli.call(command) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert (
        "Differs in players tables_linear against tables_linear | tables_cube against tables_cube; match"
        in out
    )
    assert "Another winner in" in out and "a draw" not in out
    assert cli.call([*command, "--players", "random"]) == 0
    assert "Differs in match.match_points" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("asked", "options", "words"),
    [
        (("ecrire_academie", "classical"), {}, "both are trictrac up to the hole.*wins, first_wins, rolls"),
        (("classical", "toutes_tables_225"), {}, "share men, dice and board and no rule"),
        (("classical",), {}, "1 side to compare"),
        (("classical", "soumill"), {}, "did you mean"),
        (("classical", "soumille"), {"measures": ["length"]}, "'length' is no measure.*there are result"),
        (("classical", "soumille"), {"margin": {"rolls": -1}}, "margin of rolls: -1 is not above 0"),
        (
            ("classical", "soumille"),
            {"margin": {"wins": 5}},
            "wins: 5 is more than all; 5 of a hundred is 0.05",
        ),
        (("classical", "soumille"), {"until": {"wins": 2}}, "until wins: 2 is more than all; .* is 0.02"),
        (("classical", "soumille"), {"margin": {"paid": 1}}, "'paid' is no measure"),
        (("classical", "soumille"), {"level": 1.0}, "a level of confidence"),
        (("classical", "soumille"), {"matches": 1}, "matches: 1"),
        ((), {"vary": [{"settlement.tail_of_sets": 1}]}, "nothing to vary"),
    ],
)
def test_what_is_refused(asked: tuple[str, ...], options: dict[str, object], words: str) -> None:
    arguments = {"matches": 10, "players": "random", "jobs": 1} | options
    with pytest.raises(UsageError, match=words):
        simkit.compare(*asked, **arguments)  # type: ignore[arg-type]
    assert not Path("results").exists()  # nothing was played first


def test_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "classical", "soumille_1766_dlp", "--matches", "200", "--players", "prudent", "-q"]
    assert cli.call([*command, "--margin", "rolls=200", "--margin", "wins=1"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Baseline: classical, prudent against prudent, seed 0, 200 matches." in out
    assert "soumille_1766_dlp: 200 pairs of matches on the same dice" in out
    assert "equivalent (within 1)" in out and "Another winner in" in out
    assert "within it (equivalent)" in out
    assert cli.call([*command, "--json", "--measure", "rolls", "--measure", "wins"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert [row["measure"] for row in plain["comparisons"]] == ["rolls", "wins"]
    assert {row["adjustment"] for row in plain["estimates"]} == {"none", "Bonferroni over 2 differences"}
    assert plain["variants"][0]["changes"] and plain["baseline"]["matches"] == 200
    assert all(row["n"] == 200 and row["level"] == 0.95 and row["method"] for row in plain["estimates"])
    assert cli.call([*command, "--margin", "rolls"]) == 2
    assert "write NAME=SIZE" in capsys.readouterr().err
    assert cli.call([*command, "--margin", "rolls=1", "--margin", "rolls=2"]) == 2
    assert "given twice" in capsys.readouterr().err


def test_play_goes_on_until_a_difference_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "schedule", lambda most: (100, 200, 400, most))
    asked = {"players": "random", "jobs": 1, "measures": ["rolls", "wins"]}
    found = simkit.compare("classical", "soumille_1766_dlp", matches=600, until={"rolls": 12}, **asked)
    assert found.stop is not None and found.stop.reached and len(found.stop.looks) > 1
    rows = found.frame.set_index("measure")
    row = rows.loc["rolls"]
    assert (row["difference_high"] - row["difference_low"]) / 2 <= 12
    assert row["n"] == found.stop.looks[-1] == found.baseline.matches
    assert (rows["looks"] == len(found.stop.looks)).all()
    assert row["sequence_low"] < row["difference_low"] and row["difference_high"] < row["sequence_high"]
    fixed = simkit.compare("classical", "soumille_1766_dlp", matches=found.baseline.matches, **asked)
    same = ["difference", "difference_low", "difference_high", "verdict", "p_adjusted"]
    assert fixed.frame[same].equals(found.frame[same])


def test_a_decision_is_read_from_the_confidence_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "schedule", lambda most: (100, 200, 400, most))
    found = simkit.compare(
        "classical",
        "soumille_1766_dlp",
        players="random",
        matches=1500,
        jobs=1,
        measures=["rolls"],
        margin={"rolls": 2},
        until="decided",
    )
    (one,) = found.variants[0].contrasts
    assert found.stop is not None and found.stop.reached and one.verdict == "more"
    assert one.difference == one.sequence and one.difference.method == "confidence sequence"
    with pytest.raises(UsageError, match="no margin is given"):
        simkit.compare("classical", "soumille", players="random", until="decided", jobs=1)


def test_who_always_wins_is_better_at_the_first_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "schedule", lambda most: (100, most))
    found = simkit.compare(
        "toutes_tables_225",
        players=["tables_linear", "random"],
        measures=["wins"],
        margin={"wins": 0.5},
        until="decided",
        matches=200,
        jobs=1,
    )
    (one,) = found.variants[0].contrasts
    assert found.stop is not None and found.stop.looks == (100,) and one.verdict == "worse"
    assert one.difference == one.sequence and one.chance < 1e-9


def test_a_number_that_never_varies_is_known_at_the_first_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "schedule", lambda most: (20, 40, most))
    for module in (comparisons, comparison):
        monkeypatch.setattr(module, "SAME_FROM", 20)
    asked = {"players": "random", "matches": 60, "jobs": 1, "measures": ["pot", "rolls"]}
    sides = ("pool_drain", "pool_drain_fallavel")
    found = simkit.compare(*sides, until={"pot": 1}, **asked)
    assert found.stop is not None and found.stop.reached and found.stop.looks == (20,)
    assert found.stop.goal == "the difference of pot to within 1 (the same in every match)"
    decided = simkit.compare(*sides, until="decided", margin={"pot": 0.5}, **asked)
    assert decided.stop is not None and decided.stop.reached and decided.stop.looks == (20,)
    both = simkit.compare(*sides, until={"pot": 1, "rolls": 0.1}, **asked)
    assert both.stop is not None and not both.stop.reached and both.stop.needed is not None
    assert list(found.frame["alike"]) == [True, False] and "no difference" in found._repr_html_()
    monkeypatch.setattr(comparisons, "SAME_FROM", 10_000)
    few = simkit.compare(*sides, until={"pot": 1}, **asked)
    assert few.stop is not None and not few.stop.reached and few.stop.needed == 10_000


def test_pairs_that_are_all_alike_are_never_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "schedule", lambda most: (20, 40, most))
    for module in (comparisons, comparison):
        monkeypatch.setattr(module, "SAME_FROM", 20)
    rare = {"vary": [{"match.max_holes_per_set": 200}], "players": "random", "matches": 60, "jobs": 1}
    for goals, margin in (({"rolls": 0.5}, None), ("decided", {"rolls": 1})):
        found = simkit.compare("ecrire_academie", until=goals, margin=margin, measures=["rolls"], **rare)
        assert found.stop is not None and not found.stop.reached and found.stop.looks == (20, 40, 60)
        assert found.stop.needed is None and not found.frame["alike"].any()
        assert found.frame["difference"].iloc[0] == 0


def test_a_budget_used_up_keeps_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "classical", "soumille_1766_dlp", "--players", "random", "--measure", "rolls", "-q"]
    assert cli.call([*command, "--matches", "150", "--until", "rolls=0.5"]) == 6
    told = capsys.readouterr()
    assert "150 pairs of matches" in told.out and "it would take about" in told.err
    assert cli.call([*command, "--matches", "150", "--until", "rolls=0.5", "--json"]) == 6
    plain = json.loads(capsys.readouterr().out)
    assert plain["stop"]["reached"] is False and plain["stop"]["needed"] > 150
    for wrong in ("rolls", "rolls=0", "holes=1"):
        assert cli.call([*command, "--matches", "150", "--until", wrong]) == 2
    stored = simkit.simulate("classical", players="random", matches=120, jobs=1, out="one")
    other = simkit.simulate("soumille_1766_dlp", players="random", matches=120, jobs=1, out="two")
    found = simkit.compare(stored, other, until={"rolls": 0.1}, measures=["rolls"])
    assert found.stop is not None and found.stop.looks == (120,)


def test_shapes_are_told_where_asked(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "classical", "soumille_1766_dlp", "--players", "random", "--measure", "rolls", "-q"]
    assert cli.call([*command, "--matches", "150", "--shape"]) == 0
    out = capsys.readouterr().out
    assert "quantile 0.5" in out and "earth mover's distance, by chance" in out
    assert cli.call([*command, "--matches", "150", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    details = {row["detail"] for row in plain["estimates"]}
    assert {"quantile 0.9", "winsorised mean", "largest gap", None} <= details
