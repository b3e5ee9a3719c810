"""Matches of toutes tables told roll by roll."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import simkit
from simkit import cli, tables
from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
from simkit.errors import UsageError
from simkit.position import mirrored
from simkit.rules import PairFirstStarter, SecondGameOpening, Tables
from simkit.transcript import PointsTranscript, transcribe_points

RULES = rule_set("toutes_tables_225")
PAIR = (player("tables_linear"), player("random"))


@pytest.fixture(scope="module")
def told() -> PointsTranscript:
    return transcribe_points(RULES, PAIR, 7, 3)


def test_the_rolls_told_make_the_rows(told: PointsTranscript) -> None:
    played = play_chunk(RULES, PAIR, 7, 3, 1)
    assert {name: column.tolist() for name, column in told.rows.items()} == {
        name: column.tolist() for name, column in played.sets.items()
    }
    for game in told.sets:
        assert game.rolls[0].position == tables.start(*game.start)
        assert (game.rolls[0].player, len(game.rolls)) == (game.row["first_player"], game.row["rolls"])
        assert game.rolls[-1].player == game.row["winner"]
        hits = [0, 0]
        for roll in game.rolls:
            hits[roll.player - 1] += sum(step.hit for step in roll.steps)
        assert hits == [game.row["hits_1"], game.row["hits_2"]]
        assert game.rolls[-1].pips == (game.row["pips_left_1"], game.row["pips_left_2"])


def test_each_roll_follows_from_the_one_before(told: PointsTranscript) -> None:
    assert isinstance(RULES.game, Tables)
    for game in told.sets:
        for before, after in zip(game.rolls, game.rolls[1:], strict=False):
            assert after.position == mirrored(before.after)
            assert after.player == 3 - before.player
        for roll in game.rolls[:12]:
            assert roll.after in tables.legal_plays(RULES.game, roll.position, roll.dice)


def test_the_text(told: PointsTranscript) -> None:
    text = told.text(96)
    assert max(map(len, text.splitlines())) <= 96
    assert "Game 1 from start 3-5 3-6: player 2 begins; he draws 5 against 4 and plays these numbers." in text
    assert "Game 2 from start 3-5 3-6: player 1 begins; it is his turn from this start." in text
    assert "2-2, Double two  " in text
    assert "Player 1 wins a double game after" in text
    assert text.endswith("Player 1 wins the match, 4 to 0, in 2 games.")
    drawn = told.text(96, boards=None)
    assert drawn.count("x the mover") == sum(len(game.rolls) for game in told.sets)
    assert "  1  2  5-4" not in told.text(96, rolls=False)


@pytest.mark.parametrize("starter", ["draw", "alternate", "loser", "winner"])
@pytest.mark.parametrize("opening", ["fresh_throw", "non_double", "same_roll_as_first"])
def test_who_begins_is_told(starter: str, opening: str) -> None:
    rules = rule_set("toutes_tables_225").with_match(
        match_points=5,
        pair_first_starter=PairFirstStarter(starter),
        second_game_opening=SecondGameOpening(opening),
    )
    found = transcribe_points(replace(rules, name="case"), PAIR, 1, 0)
    assert [game.draw is not None for game in found.sets[:3]] == [True, False, starter == "draw"]
    assert "begins; " in str(found)
    if opening == "same_roll_as_first":
        assert found.sets[0].rolls[0].dice == found.sets[1].rolls[0].dice


def test_one_game_only() -> None:
    found = transcribe_points(RULES, PAIR, 7, 3, set_no=2)
    assert [game.set_no for game in found.sets] == [2]
    with pytest.raises(UsageError, match="games 1 to 2"):
        transcribe_points(RULES, PAIR, 7, 3, set_no=3)


def test_a_match_of_a_run_is_compared_with_its_rows(tmp_path: Path) -> None:
    run = simkit.simulate("backgammon", "random", matches=4, seed=3, jobs=1, out=tmp_path / "run")
    told = simkit.replay(run, 2)
    assert isinstance(told, PointsTranscript)
    assert told.sets[0].row["rolls"] == len(told.sets[0].rolls)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.call(["replay", "toutes_tables", "0", "--seed", "5", "--set", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (game,) = found["games"]
    assert (found["schema"], game["game"], game["start"]) == (
        "simkit.points_transcript/1",
        1,
        {"a": 1, "b": 6, "c": 1, "d": 5},
    )
    assert len(game["rolls"]) == game["row"]["rolls"]
    assert game["rolls"][0]["position"] == str(tables.start(1, 6, 1, 5))
    arguments = [
        "replay",
        "toutes_tables",
        "0",
        "--seed",
        "5",
        "--set",
        "1",
        "--svg",
        str(tmp_path / "boards"),
    ]
    assert cli.call([*arguments, "--board-at", "2"]) == 0
    assert capsys.readouterr().out.count("x the mover") == 1
    assert len(list((tmp_path / "boards").iterdir())) == game["row"]["rolls"]
    for wrong in (["--scoresheet"], ["--men"], ["--board-at", "0"], ["--set", "9"]):
        assert cli.call(["replay", "toutes_tables", "0", "--seed", "5", *wrong]) == 2
        assert "simkit: " in capsys.readouterr().err


def test_doubles_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    rules, pair = rule_set("backgammon_225_cube"), (player("tables_cube"),) * 2
    seen = {"taken": 0, "dropped": 0, "rests": 0}
    for match in range(6):
        told = transcribe_points(rules, pair, 5, match)
        text = told.text(96)
        assert max(map(len, text.splitlines())) <= 96
        for game in told.sets:
            taken = [roll.doubled for roll in game.rolls if roll.doubled]
            assert taken == [2**k for k in range(1, len(taken) + 1)]
            assert game.row["cube"] == (taken or [1])[-1]
            seen["taken"] += len(taken)
            seen["rests"] += game.cube_rests
            if game.row["ended_by"] == "drop":
                seen["dropped"] += 1
                assert game.row["points"] == game.row["cube"]
                assert game.rolls[-1].player == 3 - game.row["winner"], "he was about to throw"
        offers = text.count(" doubles to ")
        assert offers == sum(
            len([r for r in g.rolls if r.doubled]) + (g.row["ended_by"] == "drop") for g in told.sets
        )
        assert text.count("The cube rests in this game.") <= 1
    assert min(seen.values()) > 0, seen
    assert cli.call(["replay", "backgammon_225_cube", "1", "--seed", "5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {game["row"]["ended_by"] for game in found["games"]} == {"win", "drop"}
    assert {roll["doubled"] for game in found["games"] for roll in game["rolls"]} >= {0, 2}


def test_one_of_a_thing_is_told_as_one() -> None:
    text = transcribe_points(RULES.with_match(match_points=1), PAIR, 7, 3).text(200)
    assert "; to 1 point. " in text
    assert text.endswith(", in 1 game.")
