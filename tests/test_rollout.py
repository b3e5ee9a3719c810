"""Rollouts: paired dice, the order of the plays, verdicts, and what is told."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

import simkit
from simkit import cli, rollouts, tables
from simkit.catalogue import player, rule_set
from simkit.drivers import (
    Engine,
    State,
    TablesEngine,
    games_from,
    read_state,
    set_columns,
    tables_of,
    units_from,
)
from simkit.errors import ConfigError, UsageError
from simkit.play import legal_plays
from simkit.position import parse
from simkit.rollouts import rollout
from simkit.settle import set_values

PARTIE, SETS = rule_set("classical"), rule_set("ecrire_academie")
PRUDENT, RANDOM = player("prudent"), player("random")
PLACE = parse("1:7 6:2 7:2 8:2 12:2 | 14:2 16 18 24:11")


def place(score: str, **values: Any) -> State:
    return read_state(PLACE, score, dice=(6, 5), **values)


def test_numbers_are_those_of_units_played_by_hand() -> None:
    start = place("3:4b 2:0", to_roll=2)
    found = rollout(SETS, start, (PRUDENT, RANDOM), matches=120, seed=5, jobs=1)
    listed = legal_plays(SETS.game, PLACE, (6, 5))
    assert len(found.candidates) == len(listed) and not found.may_go
    for one in found.candidates:
        assert one.play is not None
        units = units_from(start, np.arange(120), game=SETS.game)
        Engine(SETS, (PRUDENT, RANDOM), 5).play(units, listed.index(one.play.position))
        rows = set_columns([units])
        worth = np.where(rows["winner"] == 2, 1, -1) * set_values(rows, SETS.match.settlement)["value"]  # type: ignore[arg-type]
        assert one.value.mean == pytest.approx(worth.mean())
        assert one.won.mean == pytest.approx((rows["winner"] == 2).mean())
        assert one.value.n == found.n == 120


def test_jobs_and_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    start = place("3:10b 2:0")
    one = rollout(PARTIE, start, (PRUDENT, PRUDENT), matches=300, seed=5, jobs=1)
    monkeypatch.setattr(rollouts, "CHUNK", 37)
    two = rollout(PARTIE, start, (PRUDENT, PRUDENT), matches=300, seed=5, jobs=2)
    assert one == two
    assert one.may_go and [each.going for each in one.candidates].count("go") == 1


def test_the_best_stands_first_and_the_worse_lie_below_it() -> None:
    found = rollout(PARTIE, place("3:10b 2:0"), (PRUDENT, PRUDENT), matches=500)
    best, *others = found.candidates
    assert best.verdict == "best" and best.difference is None
    assert found.pairs == len(found.candidates) * len(others) // 2
    for one in others:
        assert one.difference is not None and one.difference.mean <= 0
        assert one.difference.mean == pytest.approx(one.value.mean - best.value.mean)
        assert (one.verdict == "worse") == (one.difference.high < 0)
        assert one.difference.method == f"paired t, Bonferroni over {found.pairs} pairs"
    assert "worse" in {one.verdict for one in others}
    means = [one.value.mean for one in found.candidates]
    assert means == sorted(means, reverse=True)


def test_a_simultaneous_interval_is_wider_than_one_alone() -> None:
    found = rollout(PARTIE, place("3:10b 2:0"), (PRUDENT, PRUDENT), matches=500)
    one = found.candidates[1].difference
    assert one is not None
    assert (one.high - one.low) / 2 > 2.7 * one.se  # 21 pairs or more: t of 0.9988


def test_paired_dice_narrow_the_difference() -> None:
    found = rollout(SETS, place("3:4b 2:0", to_roll=2), (PRUDENT, PRUDENT), matches=1000)
    first, second = found.candidates[:2]
    assert second.difference is not None
    assert second.difference.se < np.hypot(first.value.se, second.value.se)


def test_what_going_does() -> None:
    both = (RANDOM, RANDOM)
    for score, going in (
        ("6:10b 4:0", "go, wins the set"),
        ("3:10b 2:0", "go"),
        ("3:10b 8:0", "go, concedes the set"),
        ("5:10b 7:0", "go, set done over"),
        ("3:0 2:0", ""),
    ):
        found = rollout(SETS, place(score), both, matches=20)
        assert [one.going for one in found.candidates if one.play is None] == [going] * bool(going)
    assert not rollout(PARTIE, place("11:10b 2:0"), both, matches=20).may_go
    assert not rollout(SETS.with_match(max_holes_per_set=8), place("7:10b 2:0"), both, matches=20).may_go
    assert not rollout(PARTIE.with_game(go_enabled=False), place("3:10b 2:0"), both, matches=20).may_go


def test_what_the_roll_decides_is_certain() -> None:
    found = rollout(PARTIE, place("11:10b 0:0"), (RANDOM, RANDOM), matches=20)
    assert {(one.value.low, one.value.high, one.won.low) for one in found.candidates} == {(1.0, 1.0, 1.0)}
    assert [one.verdict for one in found.candidates[1:]] == ["no worse within chance"] * (
        len(found.candidates) - 1
    )
    goer = rollout(SETS, place("6:10b 4:0"), (RANDOM, RANDOM), matches=20).candidates
    assert [one.value.method for one in goer if one.play is None] == ["decided by the roll"]


def test_capped_units_are_left_out_of_all_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rollouts._chunk

    def capping(*arguments: Any) -> Any:
        chunk = whole(*arguments)
        first, forced = arguments[4], arguments[6]
        if first == 0 and forced == 1:
            chunk[:, :3] = 0
        return chunk

    monkeypatch.setattr(rollouts, "_chunk", capping)
    found = rollout(PARTIE, place("3:0 2:4b"), (RANDOM, RANDOM), matches=30, jobs=1)
    assert found.n == 27 and {one.value.n for one in found.candidates} == {27}
    assert sorted(one.capped for one in found.candidates)[-2:] == [0, 3]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"matches": 1}, "matches: 1"),
        ({"seed": -1}, "seed: -1"),
        ({"jobs": 0}, "jobs: 0"),
        ({"start": dataclasses.replace(place("3:0 2:4b"), dice=None)}, "needs the roll"),
        ({"start": dataclasses.replace(place("3:0 2:4b"), points=(12, 4))}, "12 points"),
    ],
)
def test_what_is_refused(changes: dict[str, Any], words: str) -> None:
    asked = {"rules": PARTIE, "start": place("3:0 2:4b"), "players": (RANDOM, RANDOM), "matches": 20}
    with pytest.raises(UsageError, match=words):
        rollout(**(asked | changes))


def test_from_python() -> None:
    found = simkit.rollout("classical", str(PLACE), (6, 5), score="3:10b 2:0", players="random", matches=50)
    frame = found.frame
    assert frame["verdict"].iloc[0] == "best" and frame["goes"].sum() == 1
    assert frame["difference"].isna().tolist() == [True] + [False] * (len(frame) - 1)
    again = simkit.rollout("classical", str(PLACE), "6-5", score="3:10b 2:0", players="random", matches=50)
    assert again == found
    state = simkit.start(str(PLACE), "3:10b 2:0")
    assert simkit.rollout("classical", state, "65", players="random", matches=50) == found
    assert simkit.start(str(PLACE), dice="6-5").dice == (6, 5)
    with pytest.raises(UsageError, match="dice '7-5'"):
        simkit.start(str(PLACE), dice="7-5")
    assert simkit.rollout("classical", state, (6, 5), players="random", matches=50) == found
    with pytest.raises(UsageError, match="part of a state"):
        simkit.rollout("classical", state, (6, 5), score="3:10b 2:0")


def test_one_legal_play_is_compared_with_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.call(["rollout", "classical", "1:15 | 24:15", "6-5", "--matches", "10"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "There is nothing to compare: this is all the roll allows." in out
    assert "pairs" not in out


def test_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["rollout", "ecrire_academie", "T:7 5:2 6:2 7:2 11:2 | a10:2 a8 a6 aT:11", "6-5"]
    asked = ["--score", "4:0 7:10b", "--to-roll", "2", "--numbering", "guiton", "--matches", "40"]
    assert cli.call([*command, *asked, "--players", "prudent,random"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "score 4:0 7:10b, player 2 rolls 6-5" in out
    assert "go, wins the set +7.000 (certain) 100.0 % (certain) - best" in out
    assert (
        "n = 40 sets from each play with the same dice, seed 0; prudent plays on as player 1 and random"
        in out
    )
    assert cli.call([*command, *asked, "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["unit"] == "points" and plain["n"] == 40 and plain["may_go"]
    assert plain["start"]["position"] == command[2]
    assert plain["candidates"][0]["difference"] is None
    assert cli.call([*command[:3], "7-5", *asked]) == 2
    assert capsys.readouterr().err.startswith("simkit: dice '7-5'")


# ---------------------------------------------------------------- toutes tables and backgammon

STANDARD = "1:2 12:5 17:3 19:5 | 6:5 8:3 13:5 24:2"


def test_a_game_is_ranked_by_its_points_played_by_hand() -> None:
    rules, both = rule_set("toutes_tables"), (player("tables_linear"), player("random"))
    start = read_state(parse(STANDARD), to_roll=2, dice=(3, 1))
    found = rollout(rules, start, both, matches=60, seed=5, jobs=1)
    listed = tables.legal_plays(tables_of(rules)[0], start.position, (3, 1))
    assert (found.kind, found.unit, found.may_go) == ("games", "points", False)
    assert {one.play.position for one in found.candidates if one.play} == set(listed)
    for one in found.candidates:
        assert one.play is not None
        games = games_from((start,), np.arange(60))
        TablesEngine(rules, both, 5).play(games, listed.index(one.play.position))
        worth = np.where(games.winner == 1, games.points, -games.points)
        assert one.value.mean == pytest.approx(worth.mean())
        assert one.won.mean == pytest.approx((games.winner == 1).mean())
    best = found.candidates[0]
    for one in found.candidates[1:]:
        assert one.difference is not None and one.difference.mean <= 0
        assert one.difference.mean == pytest.approx(one.value.mean - best.value.mean)


def test_jobs_and_chunks_change_nothing_in_backgammon(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, both = rule_set("backgammon_cube"), (player("tables_cube"),) * 2
    start = read_state(parse(STANDARD), dice=(6, 5))
    one = rollout(rules, start, both, matches=90, seed=5, jobs=1)
    monkeypatch.setattr(rollouts, "CHUNK", 37)
    assert one == rollout(rules, start, both, matches=90, seed=5, jobs=2)


def test_the_last_men_off_win_what_the_other_loses() -> None:
    start = read_state(parse("23:2 off:13 | 1:3 off:12"), dice=(6, 5))
    (only,) = rollout(rule_set("backgammon"), start, (RANDOM, RANDOM), matches=20).candidates
    assert (only.value.mean, only.value.method) == (1.0, rollouts.DECIDED)
    start = read_state(parse("23:2 off:13 | 1:15"), dice=(6, 5))
    (only,) = rollout(rule_set("backgammon"), start, (RANDOM, RANDOM), matches=20).candidates
    assert only.value.mean == 2.0


def test_a_player_of_trictrac_cannot_play_on() -> None:
    start = read_state(parse(STANDARD), dice=(6, 5))
    with pytest.raises(ConfigError, match="he plays trictrac"):
        rollout(rule_set("backgammon"), start, (PRUDENT, PRUDENT), matches=20)


def test_a_roll_of_backgammon_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["rollout", "backgammon", STANDARD, "6-5", "--matches", "40"]
    assert cli.call(command) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith(f"backgammon, {STANDARD}, player 1 rolls 6-5 play value in points wins")
    assert "n = 40 games from each play with the same dice" in out and "share of games he wins" in out
    assert "tables_linear plays on as player 1" in out and "going" not in out
    assert cli.call([*command, "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert (plain["kind"], plain["unit"], plain["may_go"]) == ("games", "points", False)
    assert cli.call([*command, "--score", "3:0 2:0"]) == 2
    assert "are of trictrac" in capsys.readouterr().err
    assert simkit.rollout("backgammon", STANDARD, "6-5", matches=40).players[0].name == "tables_linear"
