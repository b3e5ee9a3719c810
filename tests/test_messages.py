"""What the commands say where something is not as it should be: the place, what it takes, and the next step."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from simkit import api, catalogue, cli, experiment
from simkit.catalogue import rule_set
from simkit.drivers import read_state
from simkit.drivers.start import AT_THE_TALONS
from simkit.errors import ConfigError, UsageError
from simkit.stopping import Stopped, note_on

BACKGAMMON = "1:2 12:5 17:3 19:5 | 6:5 8:3 13:5 24:2"


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    capsys.readouterr()
    return cli.call([str(one) for one in arguments]), capsys.readouterr().err


def test_names_are_counted_as_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    listed = catalogue.names()
    code, err = said(capsys, "diff", "backgammon", "nope")
    assert (code, f"simkit list names the {len(listed.rule_sets)} there are" in err) == (2, True)
    every = {*listed.rule_sets, *listed.players, *listed.experiments}
    code, err = said(capsys, "show", "nope")
    assert (code, f"simkit list names the {len(every)} there are" in err) == (2, True)


@pytest.mark.parametrize(
    ("score", "words"),
    [
        ("-1-1", "score '-1-1': a score below 0"),
        ("2--1", "a score below 0"),
        ("2-1 game:0", "'game:0'; which game of its start it is, from 1"),
        ("2-1 owner:3", "'owner:3'; the player who has the cube, 1 or 2"),
        ("2-1 crawford:now", "'crawford:now'; past is the only value"),
        ("2-1 crown:1", "'crown:1' is none of cube:2"),
    ],
)
def test_scores_of_a_match_to_points(score: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, err = said(capsys, "rollout", "backgammon", BACKGAMMON, "3-1", f"--score={score}")
    assert (code, words in " ".join(err.split())) == (2, True)


@pytest.mark.parametrize(
    ("score", "words"),
    [
        ("-1:0 0:0", "a score below 0"),
        ("1:0 0:-2", "a score below 0"),
        ("1:0 0:2 run:3", "'run:3'; the player whose run of holes is whole, 1 or 2"),
        ("1:0 0:2 rolls:4", "'rolls:4'; the rolls of player 1 and of player 2"),
        ("1:0 0:2 rung:1", "'rung:1' is none of run:1"),
    ],
)
def test_scores_of_trictrac(score: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_state(AT_THE_TALONS, score)
    with pytest.raises(UsageError, match="player 3 cannot be the one to roll; the players are 1 and 2"):
        read_state(AT_THE_TALONS, to_roll=3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 one own go", ", line 1: '1 one own go'"),
        ("", ", there is no event"),
        ("1 1 own hold\nsets 3", ", line 2: 'sets 3'; how many sets there are must be the first line"),
        ("sets 3\nsets 4\n1 1 own hold", ", line 2: 'sets 4'; how many sets there are is said already"),
        ("sets many", ", line 1: 'sets many'; how many sets there are is a whole number"),
    ],
)
def test_a_script_of_holes_that_cannot_be_read_is_named(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "holes.txt"
    file.write_text(text, encoding="utf-8")
    code, err = said(capsys, "holes", file)
    assert (code, f"{file}{words}" in err) == (2, True)


def test_a_record_that_is_no_json_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "match.json"
    file.write_text("{", encoding="utf-8")
    assert said(capsys, "resume", file)[0] == 3
    assert said(capsys, "resume", tmp_path / "none.json")[0] == 2


def test_settling_refuses_what_is_no_rule_otherwise_than_a_rule_of_play(tmp_path: Path) -> None:
    rules = rule_set("ecrire_academie").with_match(sets=2)
    run = api.simulate(rules, ("random", "random"), matches=2, out=tmp_path)
    for path in ("game.move_rule", "match.nope", "nope.nope", "settlement.nope"):
        with pytest.raises(ConfigError, match=r"no such (field|rule)"):
            api.settle_summary(run, {path: "max_dice"})
    with pytest.raises(UsageError, match=r"game\.go_enabled is a rule of play"):
        api.settle_summary(run, {"game.go_enabled": False})


def test_an_experiment_that_is_stopped_says_what_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise Stopped(128 + signal.SIGTERM)

    monkeypatch.setattr(experiment, "run_experiment", stopped)
    with pytest.raises(Stopped) as caught:
        said(capsys, "run", "honours", "--quiet")
    assert caught.value.code == 143
    told = "stopped: what was played is kept; the same command goes on from there"
    assert note_on(caught.value) == told
    assert capsys.readouterr().err == f"simkit: {told}\n"
