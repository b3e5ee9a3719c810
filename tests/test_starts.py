"""Starts: what they may be, their score as text, and runs that start from them."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit import cli, simulate, start
from simkit.batch import play_run
from simkit.catalogue import player, rule_set
from simkit.dataset import PlaySpec, StoredPlay, content_hash, open_run, run_digest, verify
from simkit.drivers import State, check_state, play_chunk, read_state, units_from, write_score
from simkit.drivers.start import AT_THE_TALONS, scored_first
from simkit.errors import IllegalPosition, UsageError, VerificationFailed
from simkit.kernel.records import BROKEN, INTACT, NO_RUN
from simkit.position import parse

PARTIE, SETS = rule_set("classical"), rule_set("ecrire_academie").with_match(sets=4)
PRUDENT, RANDOM = player("prudent"), player("random")
PLACE = parse("1:9 6 7 8 9 12:2 | 13:2 24:13")
PLACED = State(PLACE, rolls_of=(3, 3))
THIRD = parse("1:11 4 5 6 7 | 18:2 24:13")
LATE = dataclasses.replace(
    PLACED, roller=1, points=(4, 6), bredouille=(False, True), holes=(3, 2), run=(BROKEN, INTACT), dice=(6, 5)
)


def changed(**values: Any) -> State:
    return dataclasses.replace(PLACED, **values)


# ---------------------------------------------------------------- what a start may be


@pytest.mark.parametrize("state", [PLACED, State(AT_THE_TALONS), LATE, changed(holes=(3, 1), run=(2, 2))])
def test_states_that_can_be(state: State) -> None:
    check_state(state, PARTIE)
    check_state(state, SETS)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"points": (12, 0), "bredouille": (True, False)}, r"12 points; at 12 .*game\.points_per_hole"),
        ({"points": (4, 0)}, "alone has points and is not in bredouille"),
        ({"points": (4, 6), "bredouille": (True, True)}, "both players in bredouille"),
        ({"bredouille": (True, False)}, "without a point"),
        ({"holes": (3, 0)}, "a run begins with the first hole"),
        ({"holes": (3, 0), "run": (BROKEN, NO_RUN)}, "no hole to break it"),
        ({"holes": (3, 2), "run": (INTACT, INTACT)}, "two unbroken runs"),
        ({"holes": (1, 1), "run": (BROKEN, BROKEN)}, "one hole each"),
        ({"holes": (3, 2), "run": (BROKEN, INTACT), "first_scorer": 1}, "cannot have made the first hole"),
        ({"first_scorer": 0}, "cannot have made the first hole"),
        ({"picked_up": (True, False)}, "picked up since his first hole and has none"),
        ({"holes": (12, 0), "run": (INTACT, NO_RUN)}, "the partie is over with 12"),
        ({"do_overs": 1}, "no partie"),
        ({"do_overs": 21}, "do-overs 21: at most"),
        ({"holes": (2000, 0), "run": (INTACT, NO_RUN)}, "at most 1000"),
        ({"rolls_of": (-1, 0)}, "below zero"),
        ({"dice": (7, 1)}, "two numbers from 1 to 6"),
        ({"points": (True, 0)}, "two whole numbers"),
        ({"bredouille": (0, 1)}, "two truth values"),
        ({"roller": 2}, "roller"),
        ({"position": "1:15 | 24:15"}, "position"),
    ],
)
def test_states_that_cannot_be(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        check_state(changed(**changes), PARTIE)


def test_laws_that_depend_on_the_rules() -> None:
    second = changed(points=(4, 6), bredouille=(False, True))
    check_state(second, PARTIE)
    with pytest.raises(UsageError, match="bredouille_second_scorer"):
        check_state(second, PARTIE.with_game(bredouille_second_scorer=False))
    with pytest.raises(UsageError, match="bredouille_enabled"):
        check_state(second, PARTIE.with_game(bredouille_enabled=False))
    check_state(changed(points=(4, 0)), PARTIE.with_game(bredouille_enabled=False))
    check_state(
        changed(points=(4, 0)), PARTIE.with_game(sortie_keeps_points=True, sortie_keeps_bredouille=False)
    )
    long = changed(holes=(14, 2), run=(BROKEN, BROKEN), do_overs=2)
    check_state(long, SETS)
    with pytest.raises(UsageError, match="max_holes_per_set"):
        check_state(long, SETS.with_match(max_holes_per_set=14))
    with pytest.raises(IllegalPosition, match=r"M5.*\[1:14 12 \| 24:15\]"):
        check_state(State(parse("1:14 12 | 24:15")), PARTIE)


def test_who_made_the_first_hole_follows_from_the_ledger() -> None:
    assert scored_first(changed(holes=(3, 0), run=(INTACT, NO_RUN))) == 0
    assert scored_first(changed(holes=(3, 2), run=(BROKEN, INTACT))) == 0
    assert scored_first(changed(holes=(3, 1), run=(BROKEN, BROKEN))) == 0
    assert scored_first(changed(holes=(3, 2), run=(BROKEN, BROKEN))) == -1
    units = units_from(changed(holes=(0, 2), run=(NO_RUN, INTACT)), np.arange(3))
    assert (units.first_scorer == 1).all()


# ---------------------------------------------------------------- the score as text


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("", {}),
        ("3:4b 2:0", {"holes": (3, 2), "points": (4, 0), "bredouille": (True, False), "run": (BROKEN, BROKEN)}),
        ("3:0 0:0", {"holes": (3, 0), "run": (INTACT, NO_RUN)}),
        (
            "6:0 4:8b run:2 picked-up:1,2 do-overs:2 rolls:4,5 threw-first:2 scored-first:1",
            {
                "holes": (6, 4), "points": (0, 8), "bredouille": (False, True), "run": (BROKEN, INTACT),
                "picked_up": (True, True), "do_overs": 2, "rolls_of": (4, 5), "first_player": 1, "first_scorer": 0,
            },
        ),
    ],
)  # fmt: skip
def test_scores(score: str, expected: dict[str, Any]) -> None:
    state = read_state(PLACE, score)
    assert state == changed(**expected)
    assert write_score(state) == (score or "0:0 0:0")
    check_state(state, SETS)


def test_roll_numbers() -> None:
    assert read_state(PLACE).rolls_of == (3, 3)
    assert read_state(AT_THE_TALONS).rolls_of == (0, 0)
    third = read_state(THIRD, to_roll=2, roll_number=3)
    assert third == State(THIRD, roller=1, first_player=1, rolls_of=(2, 2))
    check_state(third, PARTIE)
    assert read_state(THIRD, "0:0 0:0 threw-first:1", to_roll=2, roll_number=3).rolls_of == (3, 2)
    with pytest.raises(UsageError, match="both say"):
        read_state(PLACE, "0:0 0:0 rolls:1,1", roll_number=3)
    with pytest.raises(UsageError, match="counted from 1"):
        read_state(PLACE, roll_number=0)
    with pytest.raises(
        UsageError, match=r"4 men have left the talon, .*two at most.* 2 earlier rolls .* 3 or more"
    ):
        read_state(THIRD, roll_number=2)
    with pytest.raises(UsageError, match=r"come 48 arrows.* 4 earlier rolls .* 5 or more"):
        read_state(PLACE, roll_number=4)
    with pytest.raises(UsageError, match="an earlier roll of his"):
        read_state(parse("1:14 7 | 24:15"), roll_number=1)


def test_fewer_rolls_than_the_men_have_needed() -> None:
    with pytest.raises(UsageError, match=r"player 1 is said to have rolled 2 times .*: 4 rolls at least"):
        check_state(changed(rolls_of=(2, 3)), PARTIE)
    with pytest.raises(UsageError, match=r"player 2 is said to have rolled 0 times .*: 2 rolls at least"):
        check_state(changed(rolls_of=(3, 0)), PARTIE)


@pytest.mark.parametrize(
    ("text", "words"),
    [("1:14 off | 24:15", "the mover has borne off a man while a man stands on 1;"),
     ("19:15 | 8 6 off:13", "the other has borne off 13 men while a man stands on 8;")],
)  # fmt: skip
def test_no_start_with_men_off_and_others_outside(text: str, words: str) -> None:
    position = parse(text)
    for to_roll in (1, 2):
        with pytest.raises(IllegalPosition, match=words) as refused:
            check_state(read_state(position, to_roll=to_roll), PARTIE)
        assert "M18" in str(refused.value)
    check_state(read_state(parse("19:14 off | 1:14 off")), PARTIE)


@pytest.mark.parametrize(
    "score",
    ["3:4b", "3:4", "3-4 2:8", "3:4b 2:8 hello", "3:4 2:8 run:3", "3:4 0:8 run:2", "1:0 1:0",
     "3:4 2:8 run:1 run:2", "3:4c 2:8", "10000:0 0:0", "3:4 2:8 picked-up:2,1", "run:1 3:4 2:8", "3:4B 2:8",
     "3:4 2:8 rolls:1"],
)  # fmt: skip
def test_what_is_no_score(score: str) -> None:
    with pytest.raises(UsageError, match="score '"):
        read_state(PLACE, score)


@given(st.text(alphabet="0123:b, runpicked-uothws", max_size=30))
def test_any_text_is_a_score_or_refused(score: str) -> None:
    try:
        state = read_state(PLACE, score)
    except UsageError:
        return
    assert read_state(PLACE, write_score(state)) == state


def pairs(of: Any) -> Any:
    return st.tuples(of, of)


@st.composite
def states(draw: Any) -> State:
    """States of all kinds, among them some that cannot be."""
    holes = draw(pairs(st.integers(0, 15)))
    whole = draw(st.sampled_from([None, 0, 1]))
    if holes == (1, 1):
        whole = whole or 0
    runs = tuple(
        NO_RUN if not holes[side] else INTACT if not holes[1 - side] or side == whole else BROKEN
        for side in range(2)
    )
    return State(
        position=draw(st.sampled_from([PLACE, AT_THE_TALONS])),
        roller=draw(st.integers(0, 1)),
        first_player=draw(st.integers(0, 1)),
        points=draw(pairs(st.integers(0, 11))),
        bredouille=draw(pairs(st.booleans())),
        rolls_of=draw(pairs(st.integers(0, 40))),
        holes=holes,
        run=(runs[0], runs[1]),
        picked_up=draw(pairs(st.booleans())),
        first_scorer=draw(st.integers(-1, 1)),
        do_overs=draw(st.integers(0, 3)),
        dice=draw(st.none() | pairs(st.integers(1, 6))),
    )


@given(states())
def test_a_score_written_is_read_back(state: State) -> None:
    again = read_state(state.position, write_score(state), to_roll=state.roller + 1, dice=state.dice)
    assert again == state


@given(states())
def test_a_state_as_json_is_read_back(state: State) -> None:
    assert State.from_plain(json.loads(json.dumps(state.to_plain()))) == state


@pytest.mark.parametrize(
    "plain",
    [
        None, {}, {"position": 3}, {"position": "1:15"}, {"position": "1:15 | 24:15", "turn": 1},
        {"position": "1:15 | 24:15", "roller": 3}, {"position": "1:15 | 24:15", "roller": 1},
        {"position": "1:15 | 24:15", "roller": True}, {"position": "1:15  | 24:15"},
        {"position": "1:15 | 24:15", "run": ["whole", "none"]}, {"position": "1:15 | 24:15", "points": [1.0, 0]},
        {"position": "1:15 | 24:15", "points": 3}, {"position": "1:15 | 24:15", "dice": [0, 1]},
        {"position": "1:15 | 24:15", "dice": "65"}, {"position": "1:15 | 24:15", "do_overs": 0},
    ],
)  # fmt: skip
def test_json_that_is_no_state(plain: Any) -> None:
    with pytest.raises(UsageError):
        State.from_plain(plain)


# ---------------------------------------------------------------- runs


def test_without_starts_nothing_changes() -> None:
    play = PlaySpec(SETS, (PRUDENT, RANDOM), 3)
    assert play == PlaySpec(SETS, (PRUDENT, RANDOM), 3, ())
    assert set(StoredPlay.of(play).identity) == {"play_digest", "players", "seed"}
    from_there = PlaySpec(SETS, (PRUDENT, RANDOM), 3, (PLACED,))
    digests = {run_digest([StoredPlay.of(one)]) for one in (play, from_there)}
    assert len(digests) == 2


def test_a_run_keeps_its_starts(tmp_path: Path) -> None:
    play = PlaySpec(SETS, (PRUDENT, RANDOM), 3, (LATE, PLACED, State(AT_THE_TALONS)))
    run = play_run(play, 30, folder=tmp_path / "run", jobs=1, chunk_matches=7)
    assert open_run(tmp_path / "run").plays[0].starts == play.starts
    assert "starts from a position" in (tmp_path / "run" / "README.md").read_text()
    verify(run)
    other = play_run(play, 30, folder=tmp_path / "other", jobs=2, backend="processes", chunk_matches=4)
    assert content_hash(run) == content_hash(other)
    first = run.sets[run.sets["set_no"] == 1]
    late = first[first["match_id"] % 3 == 0]
    assert (late["holes_1"] >= 3).sum() == len(late) - (late["do_overs"] > 0).sum()
    rules = open_run(tmp_path / "run").plays[0].rules
    assert rules.match == SETS.match and len(run.sets) == 120


def test_a_run_whose_starts_were_changed_is_refused(tmp_path: Path) -> None:
    play_run(PlaySpec(SETS, (RANDOM, RANDOM), 3, (LATE,)), 2, folder=tmp_path / "run", jobs=1)
    path = tmp_path / "run" / "run.json"
    whole = json.loads(path.read_text())
    for starts in (
        [],
        "x",
        [{"position": "1:15 | 24:15", "points": [12, 0]}],
        [{"position": "1:14 | 24:15"}],
    ):
        whole["plays"][0]["starts"] = starts
        path.write_text(json.dumps(whole))
        with pytest.raises(VerificationFailed, match=r"run\.json"):
            open_run(tmp_path / "run")


def test_a_start_at_the_talons_is_a_match_without_its_draw() -> None:
    rules = PARTIE.with_game(
        first_roll_method=rule_set("academie").game.first_roll_method
    )  # draw, then throw
    whole = play_chunk(rules, (PRUDENT, PRUDENT), 4, 0, 60)
    for side in range(2):
        same = whole.sets["first_player"] == side + 1
        start_there = (State(AT_THE_TALONS, roller=side, first_player=side),)
        again = play_chunk(rules, (PRUDENT, PRUDENT), 4, 0, 60, start_there)
        for name, column in whole.sets.items():
            assert (column[same] == again.sets[name][same]).all(), name


def test_the_first_roll_is_the_one_given() -> None:
    units = units_from(LATE, np.arange(4))
    assert (units.die_1 == 6).all() and (units.die_2 == 5).all()
    assert (units.first_throw == -1).all()
    assert (units_from(State(AT_THE_TALONS, dice=(6, 5)), np.arange(4)).first_throw == 0).all()


def test_starts_that_cannot_be_are_refused_before_play(tmp_path: Path) -> None:
    for starts, words in (
        ((LATE, changed(points=(12, 0))), "start 2: player 1 has 12 points"),
        ([LATE], "not a tuple"),
        (("1:15 | 24:15",), "not a tuple"),
        ((LATE,) * 10_001, "at most 10000"),
    ):
        with pytest.raises(UsageError, match=words):
            PlaySpec(PARTIE, (RANDOM, RANDOM), 3, starts)  # type: ignore[arg-type]


def test_from_python(tmp_path: Path) -> None:
    place = start("1:9 6 7 8 9 12:2 | 13:2 24:13", "3:4b 2:0", dice=(6, 5))
    run = simulate("classical", "random", matches=10, out=tmp_path / "run", starts=place)
    assert run.plays[0].starts == (place,)


def test_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["simulate", "classical", "--players", "random", "--matches", "20", "-q"]
    asked = ["--from", "T:9 5 6 7 8 11:2 | a11:2 aT:13", "--numbering", "guiton", "--score", "3:4b 2:0"]
    assert cli.call([*command, *asked, "--roll", "6-5", "--to-roll", "2", "--roll-number", "7"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "T:9 5 6 7 8 11:2 | a11:2 aT:13, score 3:4b 2:0 rolls:6,6, player 2 rolls 6-5." in out
    assert cli.call([*command, *asked, "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)["plays"][0]["starts"]
    assert plain == [{"position": str(PLACE), "score": "3:4b 2:0", "to_roll": 1, "dice": None}]
    for wrong in (["--score", "3:4b 2:0"], [*asked[:4], "--score", "12:0 0:0"], [*asked, "--to-roll", "3"]):
        assert cli.call([*command, *wrong]) == 2
        assert capsys.readouterr().err.startswith("simkit: ")
