"""Matches of toutes tables that start from given positions: where their games begin, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit import cli, tables
from simkit.catalogue import player, rule_set
from simkit.dataset import PlaySpec, open_run, verify
from simkit.drivers import State, TablesEngine, play_chunk
from simkit.drivers.points import games_from
from simkit.errors import IllegalPosition, UsageError
from simkit.position import parse
from simkit.rules import PairFirstStarter, RuleSet
from simkit.transcript import PointsTranscript

RULES = rule_set("toutes_tables_225")
LINEAR, RANDOM = player("tables_linear"), player("random")
PAIR = (LINEAR, LINEAR)
LATE = "22 23:2 off:12 | 5:7 6:7 24"
HIT = State(parse("bar 12:5 17:3 19:6 | 1 3 6:5 8:3 13:5"), roller=1, dice=(3, 1))
GIVEN = State(parse(LATE), dice=(6, 1))


def games_of(rules: RuleSet, starts: tuple[State, ...], count: int = 40) -> Any:
    return play_chunk(rules, PAIR, 5, 0, count, starts).sets


def test_men_stand_where_they_are_put() -> None:
    games = games_from((GIVEN, HIT), np.arange(4))
    for k, state in enumerate((GIVEN, HIT, GIVEN, HIT)):
        who = state.roller
        words = tables.words_of(state.position).tolist()
        assert [games.low[k, who], games.high[k, who], games.low[k, 1 - who], games.high[k, 1 - who]] == words
        assert (games.roller[k], games.first_player[k]) == (who, who)
        assert (games.die_1[k], games.die_2[k]) == state.dice
    engine = TablesEngine(RULES, PAIR, 5)
    engine.play(games, most_rolls=1)
    # The ace must hit the man on 24 (rules.md III.5), and 3-1 from the bar hits one or the other.
    assert games.hits.sum(axis=1).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("rule", PairFirstStarter)
def test_the_given_start_serves_the_first_game_alone(rule: PairFirstStarter) -> None:
    rules = RULES.with_match(match_points=7, pair_first_starter=rule)
    rows = games_of(rules, (GIVEN,))
    dice = np.stack([rows[f"start_{letter}"] for letter in "abcd"], axis=1)
    opening = np.sort(np.stack([rows["opening_1"], rows["opening_2"]], axis=1), axis=1)
    first = rows["set_no"] == 1
    assert (dice[first] == 0).all() and (dice[~first] > 0).all()
    assert (opening[first] == (1, 6)).all() and (rows["first_player"][first] == 1).all()
    second = np.flatnonzero(rows["set_no"] == 2)
    third = second[np.isin(second + 1, np.flatnonzero(rows["set_no"] == 3))] + 1
    assert len(third) > 5
    assert (dice[third] == dice[third - 1]).all()  # games 2 and 3 share a start
    assert (rows["first_player"][third] != rows["first_player"][third - 1]).all()
    before = second - 1
    expected = {
        PairFirstStarter.ALTERNATE: 3 - rows["first_player"][before],
        PairFirstStarter.WINNER: rows["winner"][before],
        PairFirstStarter.LOSER: 3 - rows["winner"][before],
    }
    if rule in expected:
        assert np.array_equal(rows["first_player"][second], expected[rule])
    else:
        assert set(rows["first_player"][second]) == {1, 2}


def test_whole_starts_are_counted_after_the_given_one() -> None:
    rules = RULES.with_match(match_points=2, match_end_mid_pair=False)
    chunk = play_chunk(rules, PAIR, 5, 0, 60, (GIVEN,))
    assert (chunk.matches["games"] % 2 == 1).all()


def test_a_start_of_the_225_is_the_match_without_its_draw() -> None:
    rules = RULES.with_match(match_points=1)
    whole = play_chunk(rules, PAIR, 5, 0, 40).sets
    for k in range(40):
        dice = tuple(int(whole[f"start_{letter}"][k]) for letter in "abcd")
        who = int(whole["first_player"][k]) - 1
        roll = int(whole["opening_1"][k]), int(whole["opening_2"][k])
        state = State(tables.start(*dice), roller=who, first_player=who, dice=roll)  # type: ignore[arg-type]
        again = play_chunk(rules, PAIR, 5, k, 1, (state,)).sets
        for name in ("winner", "points", "rolls", "hits_1", "pips_left_1", "off_2", "opening_1"):
            assert again[name][0] == whole[name][k], name


def test_a_run_keeps_its_starts_and_tells_its_matches(tmp_path: Path) -> None:
    states = (simkit.start(LATE, dice="6-1"), HIT)
    run = simkit.simulate(RULES, "tables_linear", matches=12, seed=5, out=tmp_path / "run", starts=states)
    verify(run)
    assert open_run(tmp_path / "run").plays[0].starts == states
    assert "it serves the first game." in (tmp_path / "run" / "README.md").read_text()
    told = simkit.replay(run, 1)
    assert isinstance(told, PointsTranscript)
    assert f"Game 1 from {HIT.position}: player 2 is to roll." in told.text(200)
    assert told.sets[0].draw is None and told.sets[1].draw is not None
    assert "he draws" in told.text(200).split("Game 2")[1].split("\n")[0]


def test_starts_that_cannot_be() -> None:
    for state, words in (
        (
            State(parse(LATE), points=(4, 0), bredouille=(True, False)),
            "points, holes, runs and do-overs are of trictrac",
        ),
        (State(parse("1:15 | 1:15")), "both sides stand on 1"),
        (State(parse(LATE), roller=2), "roller and first player are 0 or 1"),
        (State(parse(LATE), dice=(7, 1)), "two numbers from 1 to 6"),
    ):
        with pytest.raises((UsageError, IllegalPosition), match=words):
            PlaySpec(RULES, (RANDOM, RANDOM), 3, (state,))


def test_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["simulate", "toutes_tables_225", "--players", "random", "--matches", "8", "-q"]
    asked = ["--from", LATE, "--roll", "6-1", "--to-roll", "2"]
    assert cli.call([*command, *asked]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"Every match starts from {LATE}, player 2 rolls 6-1." in out
    assert cli.call([*command, *asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["plays"][0]["starts"][0]["dice"] == [6, 1]
    assert cli.call(["replay", "toutes_tables_225", "--players", "random", "--from", LATE, "--short"]) == 0
    assert "is to roll." in capsys.readouterr().out
    for more, words in (
        (
            ["--score", "3:4b 2:0"],
            "holes:points are of trictrac; of toutes_tables_225 it is the points of the",
        ),
        (["--roll-number", "2"], "--roll-number is of trictrac"),
    ):
        assert cli.call([*command, *asked, *more]) == 2
        assert words in " ".join(capsys.readouterr().err.split())
