"""Players compared by duplicate matches: pairs, what is recognised, what is refused, luck taken off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit import cli, comparisons, duplicates
from simkit.analysis import duplicate
from simkit.catalogue import player
from simkit.comparisons import Side
from simkit.drivers.luck import play_with_luck
from simkit.duplicates import Exchanged, luck_of
from simkit.errors import UsageError, VerificationFailed
from simkit.players import CoinToss
from simkit.rules import replace


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_players_meet_twice_on_the_same_dice_in_either_seat() -> None:
    found = simkit.compare("ecrire_academie", players=("random", "prudent"), matches=60, seed=3, jobs=1)
    one = found.variants[0]
    assert found.of_players and (found.name, one.name) == ("random", "prudent")
    assert one.pairing == "seats exchanged" and one.matches == (60, 60) and found.family == 5
    assert len(list(Path("results/ecrire_academie").iterdir())) == 2
    ours, theirs = (
        simkit.settle_run(simkit.simulate("ecrire_academie", players=seats, matches=60, seed=3, jobs=1))
        for seats in (("random", "prudent"), ("prudent", "random"))
    )
    a, b = ours["exact"].to_numpy().astype(float), theirs["exact"].to_numpy().astype(float)
    change = (b - a) / 2  # of prudent less random, a match, is twice what he wins
    row = found.frame.set_index("measure").loc["result"]
    assert row["variant_mean"] == pytest.approx(change.mean()) == -row["baseline_mean"]
    assert row["difference"] == pytest.approx(2 * change.mean())
    assert row["se"] == pytest.approx(2 * change.std(ddof=1) / np.sqrt(60))
    (contrast, *_) = one.contrasts
    assert contrast.superiority.mean == pytest.approx(((change > 0) + (change == 0) / 2).mean())
    alone = a.var(ddof=1) + b.var(ddof=1)
    assert contrast.variance_factor is not None
    assert contrast.variance_factor.mean == pytest.approx(alone / (2 * change).var(ddof=1))
    assert one.seat is not None and one.seat.mean == pytest.approx((a + b).mean())
    wins = found.frame.set_index("measure").loc["wins"]
    assert wins["baseline_mean"] + wins["variant_mean"] == pytest.approx(1)
    sets = found.frame.set_index("measure").loc["sets"]
    assert sets["baseline_mean"] + sets["variant_mean"] == pytest.approx(8)
    assert set(found.estimates["measure"]) >= {"result_seat", "result_difference", "holes"}


def test_runs_with_the_seats_exchanged_are_recognised() -> None:
    runs = [
        simkit.simulate("twelve_hole", players=seats, matches=40, seed=5, jobs=1)
        for seats in (("random", "prudent"), ("prudent", "random"))
    ]
    found = simkit.compare(*runs)
    again = simkit.compare("twelve_hole", players=("random", "prudent"), matches=40, seed=5, jobs=1)
    assert found.of_players and found.frame.equals(again.frame)
    fewer = simkit.compare(*runs, matches=30)
    assert fewer.variants[0].matches == (30, 30)
    other = simkit.simulate("twelve_hole", players=("prudent", "random"), matches=40, seed=6, jobs=1)
    assert not simkit.compare(runs[0], other).of_players  # other dice


def test_a_match_that_is_longer_on_one_side_has_no_partner() -> None:
    one, two = (
        simkit.simulate("twelve_hole", players=seats, matches=count, jobs=1)
        for seats, count in ((("random", "prudent"), 30), (("prudent", "random"), 20))
    )
    found = simkit.compare(one, two)
    assert found.variants[0].matches == (20, 20) and found.variants[0].unpaired == 10


def test_several_players_are_one_family() -> None:
    found = simkit.compare(
        "backgammon_225",
        players=("tables_linear", "random", "tables_cube"),
        matches=20,
        measures=["result", "hits"],
        jobs=1,
    )
    assert [one.name for one in found.variants] == ["random", "tables_cube"] and found.family == 4
    alike = found.variants[1].contrasts[0]
    assert alike.difference.mean == 0 and alike.verdict == "undecided"  # without a cube they play alike
    assert found.variants[0].contrasts[0].verdict == "worse"


def test_play_goes_on_until_a_difference_of_players_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "schedule", lambda most: (50, 100, most))
    found = simkit.compare(
        "twelve_hole",
        players=("random", "prudent"),
        matches=150,
        until={"wins": 0.001},
        measures=["wins"],
        jobs=1,
    )
    assert found.stop is not None and not found.stop.reached and found.stop.looks[-1] == 150


@pytest.mark.parametrize(
    ("sides", "options", "words"),
    [
        (("twelve_hole",), {"players": ("random", "random")}, "random,random: they are one and the same"),
        (("twelve_hole",), {"players": ("random", "prudent", "random")}, "two of them play alike"),
        (("twelve_hole", "classical"), {"luck": ""}, "luck is taken off where players are compared"),
        (("twelve_hole",), {"players": ("random", "prudent"), "measures": ["rolls"]}, "no measure"),
        (
            ("twelve_hole",),
            {"players": ("random", "prudent"), "until": {"wins": 0.1}, "luck": ""},
            "luck and until do not go together",
        ),
        (("twelve_hole",), {"players": ("random", "prudent"), "luck": "random"}, "random cannot tell"),
        (
            ("tourner_guiton",),
            {"players": ("random", "prudent")},
            "tourner_guiton: so far only players of two",
        ),
        (
            ("combine",),
            {"players": ("random", "prudent")},
            "only players of two at the written game",
        ),
    ],
)
def test_what_is_refused(sides: tuple[str, ...], options: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        simkit.compare(*sides, matches=4, jobs=1, **options)  # type: ignore[arg-type]
    assert not Path("results").exists()  # nothing was played first


@pytest.mark.parametrize(
    ("rules", "players"),
    [("twelve_hole", ("greedy", "prudent")), ("backgammon_225_cube", ("tables_linear", "tables_cube"))],
)
def test_luck_is_taken_off(rules: str, players: tuple[str, str]) -> None:
    plain = simkit.compare(rules, players=players, matches=150, measures=["result"], jobs=1)
    found = simkit.compare(rules, players=players, matches=150, measures=["result"], luck="", jobs=1)
    assert found.frame.equals(plain.frame)  # the plain numbers stay as they are
    (one,) = found.variants[0].luck
    assert one.factor.mean > 1 and one.difference.n == 150
    assert abs(one.difference.mean - plain.frame["difference"][0]) < 5 * plain.frame["se"][0]
    rows = found.estimates.set_index("measure")
    assert rows.loc["result_adjusted_difference", "mean"] == one.difference.mean
    assert "less luck by coefficients of the other groups" in rows.loc["result_adjusted_difference", "method"]
    assert rows.loc["result_luck_factor", "unit"] == "times"


def test_luck_of_players_of_ones_own() -> None:
    bold = replace(player("prudent"), name="bold", decision=CoinToss(go_1024=900))
    found = simkit.compare(
        "ecrire_academie", players=(player("prudent"), bold), matches=130, measures=["wins"], luck="", jobs=1
    )
    assert found.variants[0].name == "bold" and found.variants[0].luck[0].difference.n == 130


def test_a_bent_eye_on_the_luck_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def bent(*task: Any) -> Any:
        tables, luck = play_with_luck(*task)
        return tables, luck + 36 * 30  # thirty points a match that no roll was weighed against

    monkeypatch.setattr(duplicates, "play_with_luck", bent)
    with pytest.raises(VerificationFailed, match="so that nothing is adjusted by it"):
        simkit.compare("twelve_hole", players=("greedy", "prudent"), matches=130, luck="", jobs=1)


def test_rows_that_are_not_what_is_played_again_are_refused() -> None:
    runs = [
        simkit.simulate("twelve_hole", players=seats, matches=20, jobs=1)
        for seats in (("random", "prudent"), ("prudent", "random"))
    ]
    exchanged = Exchanged(*(Side(run.plays[0].rules, run) for run in runs))
    wrong = (player("prudent"), player("prudent"))
    with pytest.raises(VerificationFailed, match=r"matches 0 to 19 of .* are not what is played again"):
        luck_of(exchanged, (wrong, wrong), player("prudent"), jobs=1)


def test_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "compare",
        "twelve_hole",
        "--players",
        "random,prudent",
        "--matches",
        "150",
        "--jobs",
        "1",
        "-q",
    ]
    assert cli.call([*command, "--luck", "--margin", "holes=50"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Baseline: random, by twelve_hole, seed 0." in out
    assert "prudent: 150 pairs of matches on the same dice, the seats exchanged." in out
    assert "difference less luck" in out and "Player 1 less player 2, whoever sat there: result" in out
    assert "the pair being the unit" in out and "Luck of prudent a match: awards" in out
    assert cli.call([*command, "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["variants"][0]["pairing"] == "seats exchanged"
    assert cli.call(["compare", "classical", "soumille", "--luck", "--matches", "10", "-q"]) == 2


def test_every_match_of_two_players_has_measures_of_either() -> None:
    for name, known in (("ecrire_guiton", "sets"), ("twelve_hole", "holes"), ("backgammon", "hits")):
        assert known in [one.name for one in duplicate.of_players(simkit.rule_set(name))]
    assert comparisons.MOST_SIDES > 2
