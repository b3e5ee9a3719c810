"""Matches of toutes tables and backgammon that go on from a score: what is read, refused, kept and told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit import cli
from simkit.catalogue import player, rule_set
from simkit.dataset import PlaySpec, StoredPlay, open_run, run_digest, verify
from simkit.drivers import State, TablesEngine, check_state, play_chunk, read_state, tables_of, write_score
from simkit.drivers.points import rounds_of_points
from simkit.errors import UsageError
from simkit.players import Players
from simkit.position import parse
from simkit.reproduction import reproduce
from simkit.rollouts import DECIDED, rollout
from simkit.rules import RuleSet, TripleCondition
from simkit.tables import legal_plays
from simkit.transcript import PointsTranscript
from simkit.verification import verify_run

PAIRS, SINGLE = rule_set("toutes_tables_225"), rule_set("backgammon")
CUBE = rule_set("backgammon_cube")
PLAYED_OUT = PAIRS.with_match(match_end_mid_pair=False)
LINEAR, CUBED, RANDOM = player("tables_linear"), player("tables_cube"), player("random")
STANDARD = "1:2 12:5 17:3 19:5 | 6:5 8:3 13:5 24:2"
LATE = "22 23:2 off:12 | 5:7 6:7 24"
LAST = "23:2 off:13 | 1:15"


# ---------------------------------------------------------------- as text


@pytest.mark.parametrize(
    ("score", "fields"),
    [
        ("2-1", {"match_score": (2, 1)}),
        ("5-4 cube:2 owner:1", {"match_score": (5, 4), "cube": 2, "cube_owner": 0}),
        ("6-4 crawford:past", {"match_score": (6, 4), "crawford_past": True}),
        (
            "0-0 game:1 threw-first:2 start:2-5-1-3 opened:6-1",
            {"game_of_start": 1, "first_player": 1, "start_dice": (2, 5, 1, 3), "opening_roll": (6, 1)},
        ),
    ],
)
def test_scores(score: str, fields: dict[str, Any]) -> None:
    state = read_state(parse(LATE), score)
    assert state == State(parse(LATE), rolls_of=(3, 3), **fields)
    assert write_score(state) == score
    assert State.from_plain(state.to_plain()) == state
    with_blanks = score.replace("-", "  ", 1)
    assert read_state(parse(LATE), with_blanks) == state


@pytest.mark.parametrize(
    "score",
    ["2-1-0", "2-", "2", "-1-0", "2-1 cube:two", "2-1 owner:3", "2-1 crawford:1", "2-1 cube:2 cube:2", "2-1b",
     "2-1 hello", "2-1 threw-first:2", "10000-0", "2-1 start:1-6", "2-1 opened:61"],
)  # fmt: skip
def test_what_is_no_score(score: str) -> None:
    with pytest.raises(UsageError, match=f"score '{score}'"):
        read_state(parse(LATE), score)


# ---------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    ("rules", "score", "words"),
    [
        (PAIRS, "3-1", r"match score 3-1: the match is over with 3 \(match\.match_points\)"),
        (PAIRS.with_match(match_points=1), "1-0", "a match to one point is a single game, and has no score"),
        (PAIRS, "1-0 game:1", "before game 1 from a start nobody stands so: a start serves 2 games"),
        (PAIRS, "0-0 game:2", "before game 2 from a start nobody stands so"),
        (PAIRS, "0-0 game:3", r"game 3 of its start: a start serves 2 games \(match\.games_per_start\)"),
        (PAIRS, "0-0 game:1", "nothing tells which it is; add it as start:1-6-1-5"),
        (PAIRS, "0-0 game:1 start:6-1-1-5", "four dice a < b"),
        (PAIRS, "1-0 game:2 start:1-6-1-5", "game 2 is the last from it"),
        (PAIRS, "2-1 start:1-6-1-5", "say with game:1 that there is one"),
        (PAIRS, "1-0 start:1-6-1-5", "game 2 is the last from it"),
        (PAIRS, "1-1", "game 1 of 2 from its start, which 1-1 tells: the next begins"),
        (PAIRS, "0-0 game:1 start:1-6-1-5 opened:6-1", "no further game opens with that roll"),
        (PLAYED_OUT, "5-0 game:2", "of 2 points at most, lead to no more"),
        (PLAYED_OUT, "3-2 game:1 start:1-6-1-5", "once the games of a start are played out, and 0 games"),
        (PAIRS, "2-1 cube:2 owner:1", r"need the doubling cube, which is not used \(match\.cube false\)"),
        (CUBE, "5-4 cube:3 owner:1", r"cube 3: 1, or a double up to 32 \(match\.cube_limit\)"),
        (CUBE.with_match(cube_limit=2), "5-4 cube:4 owner:1", r"cube 4: 1, or a double up to 2"),
        (CUBE, "5-4 cube:2", "add owner:1 or owner:2"),
        (CUBE, "5-4 owner:2", "cube 1 of player 2: before the first double"),
        (CUBE, "6-4 cube:2 owner:1", "if that is past, add crawford:past"),
        (CUBE, "5-4 crawford:past", "past only when somebody has one point to go"),
        (CUBE, "6-0 crawford:past", "and the other has won it"),
        (CUBE.with_match(crawford=False), "6-4 crawford:past", r"rests in no game \(match\.crawford false\)"),
    ],
)
def test_scores_that_cannot_be(rules: RuleSet, score: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as refused:
        check_state(read_state(parse(LATE), score), rules)
    assert str(refused.value).startswith(rules.name) and LATE in str(refused.value)


def test_states_that_are_none() -> None:
    for changes, words in (
        ({"match_score": (-1, 0)}, "match score -1-0: none is below zero"),
        ({"match_score": (5000, 0)}, "at most 1000"),
        ({"match_score": (1, True)}, "match_score .*: two whole numbers"),
        ({"cube": 2.0}, "cube 2.0 is no whole number"),
        ({"crawford_past": 1}, "crawford_past 1 is no truth value"),
        ({"start_dice": (1, 6)}, r"start_dice \(1, 6\): four numbers"),
        ({"cube_owner": 2, "cube": 2}, "cube owner 2: 0, 1, or -1"),
    ):
        with pytest.raises(UsageError, match=words):
            check_state(State(parse(LATE), **changes), CUBE)
    with pytest.raises(
        UsageError, match="of toutes tables and backgammon; a score of trictrac is holes:points"
    ):
        check_state(read_state(parse("1:9 6 7 8 9 12:2 | 13:2 24:13"), "2-1"), rule_set("classical"))
    with pytest.raises(UsageError, match="points, holes, runs and do-overs are of trictrac"):
        check_state(read_state(parse(LATE), "0:4 0:0"), PAIRS)
    with pytest.raises(UsageError, match="rolls are counted in trictrac alone"):
        read_state(parse(LATE), "2-1", roll_number=3)


@pytest.mark.parametrize(
    ("rules", "score"),
    [
        (PAIRS, "2-2 game:1 start:1-6-1-5"),
        (PLAYED_OUT, "4-2 game:2"),
        (PLAYED_OUT, "4-2"),
        (PLAYED_OUT, "7-7 game:1 start:1-6-1-5"),
        (CUBE, "6-6 cube:2 owner:2"),
        (CUBE, "0-0 game:1"),
        (CUBE.with_match(crawford=False), "6-4 cube:2 owner:1"),
    ],
)
def test_scores_that_can_be(rules: RuleSet, score: str) -> None:
    check_state(read_state(parse(LATE), score), rules)


# ---------------------------------------------------------------- play


def test_points_before_it_count_and_the_match_ends_by_them() -> None:
    state = read_state(parse(STANDARD), "2-1")
    found = play_chunk(SINGLE.with_match(match_points=3), (LINEAR, LINEAR), 7, 0, 60, (state,))
    points = np.stack([found.matches["points_1"], found.matches["points_2"]], axis=1)
    assert (points.max(axis=1) >= 3).all() and (points >= (2, 1)).all()
    assert (found.matches["games"][found.matches["games_won_1"] > 0] <= 2).all()
    made = np.bincount(found.sets["match_id"], found.sets["points"])
    assert np.array_equal(points.sum(axis=1), 3 + made)


def test_a_score_is_part_of_the_digest_only_where_it_is_given() -> None:
    digests = {
        score: run_digest(
            [StoredPlay.of(PlaySpec(SINGLE, (LINEAR, LINEAR), 3, (simkit.start(LATE, score),)))]
        )
        for score in ("", "0-0", "1-0", "0-1")
    }
    assert digests[""] == digests["0-0"]
    assert len(set(digests.values())) == 3
    plain = simkit.start(LATE).to_plain()
    assert set(plain) == {"position", "rolls_of"}


def test_a_run_is_kept_verified_and_made_again(tmp_path: Path) -> None:
    states = (
        simkit.start(STANDARD, "5-4 cube:2 owner:1"),
        simkit.start(LATE, "4-6 crawford:past cube:4 owner:2", to_roll=2, dice="6-1"),
    )
    run = simkit.simulate(
        CUBE, ("tables_cube", "tables_linear"), matches=40, seed=5, out=tmp_path / "run", starts=states
    )
    verify(run)
    assert verify_run(run.folder, replay=None).sound
    assert open_run(run.folder).plays[0].starts == states
    assert reproduce(run.folder, into=tmp_path / "again").same
    page = (run.folder / "README.md").read_text()
    assert "score 5-4 cube:2 owner:1" in page and "points made before it count in the match" in page
    told = simkit.replay(run, 0).text(200)
    assert "player 1 is to roll. Score 5 to 4. The cube is at 2, player 1's." in told
    one, two = run.matches.loc[0, ["points_1", "points_2"]]
    assert f", {one} to {two}, in" in told


@pytest.mark.parametrize(
    ("score", "rests"), [("6-4", True), ("6-4 crawford:past", False), ("6-6", False), ("5-4", False)]
)
def test_the_game_in_which_the_cube_rests_is_told(score: str, rests: bool) -> None:
    told = simkit.replay(CUBE, 0, players="tables_cube", starts=simkit.start(LATE, score))
    assert isinstance(told, PointsTranscript)
    assert told.sets[0].cube_rests is rests
    assert ("The cube rests in this game." in told.text(300).split("Game 2")[0]) is rests


def test_the_further_game_of_a_pair_is_told() -> None:
    given = simkit.start(LATE, "0-0 game:1 threw-first:2 start:2-5-1-3")
    told = simkit.replay("toutes_tables_225", 0, players="tables_linear", starts=given).text(300)
    assert "player 1 is to roll. It is game 1 of 2 from its start." in told
    assert "Game 2 from start 2-5 1-3: player 1 begins; it is his turn from this start." in told
    assert "Game 3" not in told or "he draws" in told.split("Game 3")[1]


# ---------------------------------------------------------------- rollouts


def test_with_a_score_the_match_is_played_on() -> None:
    rules, both, start = (
        SINGLE.with_match(match_points=3),
        (LINEAR, RANDOM),
        read_state(parse(STANDARD), "1-2", dice=(3, 1)),
    )
    found = rollout(rules, start, both, matches=30, seed=5, jobs=1)
    assert (found.kind, found.unit) == ("matches", "matches")
    listed = legal_plays(tables_of(rules)[0], start.position, (3, 1))
    for one in found.candidates[:3]:
        assert one.play is not None
        winners = winners_after(rules, both, start, listed.index(one.play.position))
        assert one.won.mean == pytest.approx((winners == 1).mean())
        assert one.value.mean == pytest.approx(2 * one.won.mean - 1)


def winners_after(rules: RuleSet, both: Players, start: State, place: int) -> Any:
    """Who wins 30 matches from a state whose first play is bound, round by round."""
    engine = TablesEngine(rules, both, 5)
    rounds = rounds_of_points(rules, engine, 0, 30, (start,))
    games = next(rounds)
    engine.play(games, place)
    try:
        while True:
            games = next(rounds)
            engine.play(games)
    except StopIteration as end:
        return end.value.matches["winner"]


def test_a_roll_that_ends_the_match_is_certain_and_one_that_does_not_is_not() -> None:
    double = SINGLE.with_match(match_points=3, triple_condition=TripleCondition.NONE)
    for score, certain in (("1-0", True), ("0-1", False), ("2-2", True)):
        start = read_state(parse(LAST), score, dice=(6, 5))  # a double game
        (only,) = rollout(double, start, (RANDOM, RANDOM), matches=20).candidates
        assert (only.value.method == DECIDED) is certain
    start = read_state(parse("23:2 off:13 | 1:14 off"), "3-6 cube:2 owner:1 crawford:past", dice=(6, 5))
    (only,) = rollout(CUBE, start, (CUBED, CUBED), matches=20).candidates
    assert only.value.method != DECIDED


# ---------------------------------------------------------------- at the command line


def test_at_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ["--from", STANDARD, "--score", "5-4 cube:2 owner:1", "--to-roll", "2"]
    assert cli.call(["simulate", "backgammon_cube", "--matches", "8", "-q", *asked]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"Every match starts from {STANDARD}, score 5-4 cube:2 owner:1, player 2 is to roll." in out
    assert cli.call(["replay", "backgammon_cube", "--json", *asked]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["start"] == {
        "position": STANDARD, "score": "5-4 cube:2 owner:1", "to_roll": 2, "dice": None,
    }  # fmt: skip
    assert plain["result"]["points_1"] >= 5
    command = ["rollout", "backgammon_cube", STANDARD, "6-5", "--matches", "20", "--score", "5-6"]
    assert cli.call(command) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "score 5-6, player 1 rolls 6-5 play value in matches wins" in out
    assert "A match won counts 1 and one lost -1." in out and "share of matches he wins" in out
    assert cli.call(["plays", "backgammon", "1-6 1-5", "3-1", "--json"]) == 0
    by_dice = json.loads(capsys.readouterr().out)
    assert by_dice["position"] == STANDARD and len(by_dice["plays"]) == 16
    assert cli.call(["rollout", "backgammon", "1-1 2-3", "3-1"]) == 2
    assert "dice that fall equal are thrown again" in capsys.readouterr().err
    assert cli.call([*command[:-1], "7-6"]) == 2
    assert "the match is over with 7" in capsys.readouterr().err
