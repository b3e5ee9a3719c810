"""A match put down and taken up again is the match; a record written by hand goes on with new dice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit import cli
from simkit.adjournment import Adjournment, Known, Origin, adjourned, check, resume
from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk, play_rest
from simkit.errors import ConfigError, SimkitError, UsageError
from simkit.rules import RuleSet
from simkit.scoresheet import Standing, Table, scoresheet
from simkit.settle import settle

SEED, MATCH = 7, 17
PAIR = (player("greedy"), player("prudent"))
WRITTEN = ("ecrire_academie", "ecrire_classical", "ecrire_malfilatre")


def whole(rules: RuleSet, match: int = MATCH) -> dict[str, Any]:
    return play_chunk(rules, PAIR, SEED, match, 1).sets


def put_down(rules: RuleSet, after: int, match: int = MATCH) -> Adjournment:
    one, two = (Known(each.name, each.digest) for each in PAIR)
    return adjourned(rules, whole(rules, match), after, Origin(SEED, match, (one, two)))


def by_hand(**changes: Any) -> dict[str, Any]:
    plain = {
        "schema": "simkit.adjournment/1",
        "rules": "ecrire_classical",
        "sets_played": 3,
        "first_player": 2,
        "sets_won": [2, 1],
        "set_points": [31, 12],
    }
    return {name: value for name, value in (plain | changes).items() if value is not None}


def read(plain: Any) -> Adjournment:
    return Adjournment.from_json(json.dumps(plain), rule_set)


# ---------------------------------------------------------------- the same match


@pytest.mark.parametrize("name", WRITTEN)
def test_a_match_taken_up_again_ends_as_if_undisturbed(name: str) -> None:
    rules = rule_set(name)
    rows = whole(rules)
    undisturbed = settle(rows, rules.match.settlement, n_sets=8, seed=SEED)  # type: ignore[arg-type]
    sheet = scoresheet(rows, rules, players=("greedy", "prudent"), seed=SEED)
    for after in range(1, 8):
        record = Adjournment.from_json(put_down(rules, after).to_json())
        found = resume(record, PAIR)
        assert all(np.array_equal(found.sets[column], rows[column][after:]) for column in rows)
        assert found.settled.keys() == undisturbed.keys()
        assert all(np.array_equal(found.settled[column], undisturbed[column]) for column in undisturbed)
        assert found.scoresheet() == sheet


def test_the_rest_of_many_matches_is_the_rest_of_a_chunk() -> None:
    rules = rule_set("ecrire_guiton")
    chunk = play_chunk(rules, PAIR, SEED, 0, 30).sets
    third = chunk["set_no"] == 3
    for first in (1, 2):
        rest = play_rest(rules, PAIR, SEED, 0, 30, 2, first - 1).sets
        for match in chunk["match_id"][third & (chunk["first_player"] == first)]:
            kept = (chunk["match_id"] == match) & (chunk["set_no"] > 2)
            now = rest["match_id"] == match
            assert all(np.array_equal(chunk[name][kept], rest[name][now]) for name in chunk)


def test_what_is_put_down_is_what_stood_then() -> None:
    record = put_down(rule_set("ecrire_classical"), 3)
    assert (record.sets_played, record.first_player) == (3, 1)
    assert record.standing == Standing((1, 2), (6, 29), Table((5, 32), (0, 1), (2, 1)))
    assert Adjournment.from_json(record.to_json()) == record
    assert Adjournment.from_json(record.to_json()).to_json() == record.to_json()


def test_new_dice_end_a_match_in_other_ways() -> None:
    record = put_down(rule_set("ecrire_academie"), 5)
    found = resume(record, PAIR, seed=11, matches=40)
    assert found.settled["match_id"].tolist() == [*range(40)]
    assert len({*found.settled["exact"].tolist()}) > 10
    again = resume(record, PAIR, seed=11, matches=20)
    assert np.array_equal(found.settled["exact"][:20], again.settled["exact"])
    assert found.scoresheet(3).settled["exact"] == found.settled["exact"][3]
    assert found.scoresheet(3).settled["money"] == found.settled["money"][3]
    with pytest.raises(UsageError, match="matches 2: with its own dice a match ends in one way only"):
        resume(record, PAIR, matches=2)
    with pytest.raises(UsageError, match="matches: 0 is not a whole number from 1 to 100000"):
        resume(record, PAIR, seed=0, matches=0)


# ---------------------------------------------------------------- written by hand


def test_a_record_by_hand_is_played_on_and_settled_with_what_it_says() -> None:
    found = resume(read(by_hand()), PAIR, seed=4, matches=50)
    assert set(found.sets["set_no"].tolist()) == {*range(4, 9)}
    assert (found.sets["first_player"][found.sets["set_no"] == 4] == 2).all()
    values = found.settled["set_points_1"] - found.settled["set_points_2"]
    assert np.array_equal(values, found.settled["set_points"])
    assert (found.settled["sets_won_1"] + found.settled["sets_won_2"] == 8).all()
    assert (found.settled["sets_won_1"] >= 2).all()
    for place in range(5):
        sheet = found.scoresheet(place)
        assert sheet.settled["money"] == found.settled["money"][place]
        assert sheet.points.brought == Standing((2, 1), (31, 12))
        assert sheet.jetons is not None
        assert sheet.jetons.exact == found.settled["exact"][place]


def test_jetons_told_by_hand_are_those_that_lie_there() -> None:
    """31 to 12 points: 19 jetons ahead; a stake of 20 each, one marker for a set lost."""
    told = {"jetons": [38, -1], "fish": [0, 0], "markers": [1, 2]}
    with pytest.raises(ConfigError, match="two whole numbers from 0 on"):
        read(by_hand(**told))
    record = read(by_hand(jetons=[28, 9], fish=[1, 0], markers=[1, 2]))
    sheet = resume(record, PAIR).scoresheet()
    assert sheet.jetons is not None
    assert sheet.jetons.lines[1].after == Table((28, 9), (1, 0), (1, 2))


def capped(plain: dict[str, Any]) -> None:
    plain["sets"][1]["winner"] = 0


def other_points(plain: dict[str, Any]) -> None:
    plain["set_points"][0] += 1


def no_row(plain: dict[str, Any]) -> None:
    del plain["sets"][2]["do_overs"]


def no_origin(plain: dict[str, Any]) -> None:
    del plain["origin"]


def wrong_turn(plain: dict[str, Any]) -> None:
    plain["first_player"] = 3 - plain["first_player"]


def wrong_word(plain: dict[str, Any]) -> None:
    plain["sets"][0]["ended_by"] = "victory"


def wrong_number(plain: dict[str, Any]) -> None:
    plain["sets"][0]["holes_1"] = 7.0


def wrong_seed(plain: dict[str, Any]) -> None:
    plain["origin"]["seed"] = str(2**64)


def wrong_order(plain: dict[str, Any]) -> None:
    plain["sets"].reverse()


def no_yes(plain: dict[str, Any]) -> None:
    plain["sets"][0]["run_intact_1"] = 1


def one_player(plain: dict[str, Any]) -> None:
    plain["origin"]["players"].pop()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (capped, r"sets: set 2 says player 0 won it with holes 1-6"),
        (other_points, r"set_points: 7-29, but the rows of sets come to 6-29"),
        (no_row, r"sets: row 3 must hold exactly set_no, first_player"),
        (no_origin, r"origin: given exactly if sets is"),
        (wrong_turn, r"first_player: 2, but player 1 throws first after these sets"),
        (wrong_word, r"sets: row 1, ended_by: \"victory\" is not one of win, concession, capped"),
        (wrong_number, r"sets: row 1, holes_1: 7.0 is not a whole number from 0 to 32767"),
        (wrong_seed, r"origin.seed: \"18446744073709551616\" is not allowed"),
        (wrong_order, r"sets: set_no must be 1 to 3"),
        (no_yes, r"sets: row 1, run_intact_1: 1 is neither true nor false"),
        (one_player, r"origin.players: .* two objects with name and digest"),
    ],
)
def test_a_record_that_was_changed_is_refused(spoil: Callable[[dict[str, Any]], None], words: str) -> None:
    plain = json.loads(put_down(rule_set("ecrire_classical"), 3).to_json())
    spoil(plain)
    with pytest.raises(ConfigError, match=words):
        read(plain)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema": "simkit.adjournment/9"}, r'schema: "simkit.adjournment/9" is not allowed'),
        ({"rules": "whist"}, "rules: no rule set is called whist"),
        ({"rules": 3}, "rules: 3 is not allowed; a rule set or its name"),
        ({"rules": "twelve_hole"}, "rules: twelve_hole is not played in sets"),
        ({"weather": "fine"}, "weather: no such field; there are schema, rules"),
        ({"sets_played": 4}, "sets_played: 4, but sets_won holds 3"),
        ({"sets_played": None}, "sets_played: null is not allowed"),
        ({"first_player": 0}, "first_player: 0 is not allowed; a whole number from 1 to 2"),
        ({"first_player": True}, "first_player: true is not allowed"),
        ({"sets_won": [2]}, r"sets_won: \[2\] is not allowed"),
        ({"sets_won": [7, 1], "sets_played": 8}, "put down after 1 to 7"),
        ({"set_points": [5, 12]}, "player 1 has 5 points from 2 sets; each is worth 3 at least"),
        ({"jetons": [28, 9]}, "fish: null is not allowed"),
        ({"jetons": [28, 9], "fish": [1, 0], "markers": [2, 1]}, "markers: 2-1, but the sets lost leave 1-2"),
        (
            {"jetons": [28, 19], "fish": [0, 0], "markers": [1, 2]},
            "50 with the markers, but both started with 20",
        ),
        (
            {"jetons": [28, 9], "fish": [0, 0], "markers": [1, 2]},
            r"player 1 is \+9 by them, and \+19 by set_points",
        ),
        ({"jetons": [28, 9], "fish": [2, 1], "markers": [1, 2]}, "fish: 2-1; those of one go back"),
    ],
)
def test_a_record_by_hand_that_cannot_be_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read(by_hand(**changes))


@pytest.mark.parametrize("text", ["", "[]", "nothing", '{"schema": 1, "schema": 1}', "[" * 100_000])
def test_what_is_no_record_at_all(text: str) -> None:
    with pytest.raises(ConfigError):
        Adjournment.from_json(text)


def test_what_cannot_be_put_down() -> None:
    rules = rule_set("ecrire_academie")
    rows = whole(rules)
    for after in (0, 8, True, 2.0):
        with pytest.raises(UsageError, match="a match of 8 sets is put down after 1 to 7"):
            adjourned(rules, rows, after)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="twelve_hole is played in parties"):
        adjourned(rule_set("twelve_hole"), rows, 1)
    rows["winner"][4] = 0
    with pytest.raises(UsageError, match="after 6 sets: set 5 of this match was stopped without a winner"):
        adjourned(rules, rows, 6)


def test_the_table_is_left_out_where_jetons_are_too_few() -> None:
    rules = rule_set("ecrire_academie").with_settlement(stake=1)
    record = put_down(rules, 4)
    assert record.standing.table is None
    assert "jetons" not in json.loads(record.to_json())
    check(Adjournment.from_json(record.to_json()))


# ---------------------------------------------------------------- commands


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.call([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "a_run"
    simkit.simulate("ecrire_classical", ("greedy", "prudent"), matches=20, seed=SEED, jobs=1, out=folder)
    return folder


def test_from_a_run_to_a_file_and_back(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "match.json"
    code, out, err = told(capsys, "adjourn", run, MATCH, "--after", 3, "--out", record)
    assert (code, err) == (0, "")
    assert "Match 17 of seed 7, ecrire_classical: 3 of 8 sets played." in out
    standing = (
        "points 6-29. Player 1 throws first next. On the table: player 1 5 jetons in hand, 0 fish won, 2 jetons "
        "laid out for lost sets; player 2 32 jetons in hand, 1 fish won, 1 jeton laid out for lost sets."
    )
    assert standing in " ".join(out.split())
    code, sheet, _ = told(capsys, "replay", run, MATCH, "--scoresheet")
    code, out, err = told(capsys, "resume", record)
    assert (code, err) == (0, "")
    assert out.endswith(sheet)
    plain = json.loads(told(capsys, "resume", record, "--json")[1])
    assert plain == json.loads(told(capsys, "replay", run, MATCH, "--scoresheet", "--json")[1])
    code, out, err = told(capsys, "resume", record, "--seed", 3, "--matches", 20)
    assert (code, err) == (0, "")
    assert "1 wins" in out
    facts = json.loads(told(capsys, "resume", record, "--seed", 3, "--matches", 20, "--json")[1])
    assert facts["settled"] == facts["won_1"] + facts["drawn"] + facts["won_2"] == 20
    assert facts["result"]["n"] == 20


def test_a_record_by_hand_and_its_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "match.json"
    record.write_text(json.dumps(by_hand()))
    code, out, err = told(capsys, "resume", record, "--players", "prudent,random", "--seed", 2)
    assert (code, err) == (0, "")
    assert "A match, ecrire_classical: 3 of 8 sets played." in out
    assert "Player 1 is prudent, player 2 random." in out
    assert "      sets 1 to 3" in out
    assert simkit.resume(record, seed=2).players[0].name == "greedy"


def test_commands_refuse(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match.json"
    assert told(capsys, "adjourn", run, 1, "--after", 8, "--out", out)[0] == 2
    assert told(capsys, "adjourn", "twelve_hole", 1, "--after", 1, "--out", out)[0] == 2
    assert told(capsys, "adjourn", run, 1, "--after", 2, "--out", tmp_path / "no" / "file")[0] == 2
    assert told(capsys, "resume", tmp_path / "missing.json")[0] == 2
    out.write_text("{}")
    code, _, err = told(capsys, "resume", out)
    assert (code, "schema: null is not allowed" in err) == (3, True)
    out.write_text(" " * 1_000_001)
    assert told(capsys, "resume", out)[0] == 2
    out.write_bytes(b"\xff\xfe")
    assert told(capsys, "resume", out)[0] == 3
    plain = json.loads(put_down(rule_set("ecrire_classical"), 3).to_json())
    plain["origin"]["players"][0]["digest"] = "0" * 64
    out.write_text(json.dumps(plain))
    code, _, err = told(capsys, "resume", out)
    assert (code, "player greedy is another now" in err) == (2, True)
    assert told(capsys, "resume", out, "--players", "greedy,prudent")[0] == 0


def test_a_scoresheet_is_of_a_whole_written_match(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = told(capsys, "replay", "twelve_hole", 1, "--scoresheet")
    assert (code, "a scoresheet is kept of a written match only" in err) == (2, True)
    code, _, err = told(capsys, "replay", "ecrire_academie", 1, "--scoresheet", "--set", 2)
    assert (code, "--scoresheet is of a whole match" in err) == (2, True)


def test_errors_are_ours() -> None:
    with pytest.raises(SimkitError, match="prudent"):
        simkit.resume(put_down(rule_set("ecrire_academie"), 2), ("prudent", "nobody"))


def test_blocks_of_matches_are_one_row_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    record = put_down(rule_set("ecrire_classical"), 6)
    whole = resume(record, PAIR, seed=5, matches=30)
    monkeypatch.setattr("simkit.adjournment.BLOCK", 7)
    blocks = resume(record, PAIR, seed=5, matches=30)
    assert all(np.array_equal(whole.sets[name], blocks.sets[name]) for name in whole.sets)
    assert all(np.array_equal(whole.settled[name], blocks.settled[name]) for name in whole.settled)
