"""The commands that answer for a single roll: score and plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from simkit import cli

START = "1:15 | 24:15"


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.call([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    code, out, err = told(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize("command", ["score", "plays"])
def test_help_with_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, err = told(capsys, command, "-h")
    assert (code, err) == (0, "")
    assert f"  simkit {command} classical" in out
    assert "--json" in out


def test_score_explains_every_award(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, "score", "classical", "1 4 5 7:3 8:2 9:2 10:2 11 12:2 | 24:15", "6-4")
    assert (code, err) == (0, "")
    assert (
        out
        == """\
classical, roll 6-4
1 4 5 7:3 8:2 9:2 10:2 11 12:2 | 24:15

4 to the mover: corner hit
  coin battu
  - the man on 7 to 13 by 6, the man on 9 to 13 by 4
  rules.md 3.4; GU ch. IV; LP rule 71; JL 45; MA XI; S2

12 to the mover: grand jan filled, 3 ways
  grand jan rempli
  - the man on 5 to 11 by 6
  - the man on 7 to 11 by 4
  - the man on 1 to 11 by 6 + 4 over 7 or 5
  rules.md 3.2; GU ch. III; LP; JL 53; MA XIII; S2

Mover 16 points, other 0
"""
    )


def test_score_as_json_in_an_authors_names(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(
        capsys,
        "score",
        "classical",
        "T:11 1 3 4 5 | aT:15",
        "6,2",
        "--roll-number",
        3,
        "--numbering",
        "guiton",
    )
    (award,) = found.pop("awards")
    assert found == {
        "rules": "classical",
        "position": "T:11 1 3 4 5 | aT:15",
        "numbering": "guiton",
        "dice": [6, 2],
        "roll_number": 3,
        "mover_points": 4,
        "other_points": 0,
        "dice_unplayed": 0,
    }
    assert award["means"] == ["from T to 2 and 6, the two arrows that are missing"]
    assert (award["figure"], award["to"], award["law"]) == ("six_tables", "mover", "rules.md 3.1")


def test_plays_lists_and_judges(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "plays", "classical", START, "65")["plays"] == [
        {"moves": "1/6 1/7", "position": "1:13 6 7 | 24:15"}
    ]
    assert printed(capsys, "plays", "classical", START, "6-5", "1/6 1/7")["legal"] is True
    judged = printed(capsys, "plays", "classical", START, "6-5", "1/12")
    assert (judged["legal"], [one["law"] for one in judged["reasons"]]) == (False, ["M5"])
    code, out, _ = told(capsys, "plays", "classical", START, "6-5", "1/12")
    assert (code, "M5: a lone man on 12" in out) == (0, True)
    code, out, _ = told(capsys, "plays", "classical", START, "6-5", "1/7 1/6")
    assert "1/7 1/6 is legal: 1/6 1/7\n1:13 6 7 | 24:15" in out


def test_boards_are_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    code, out, err = told(capsys, "plays", "classical", START, "6-5", "--board", "--svg", picture)
    assert (code, err) == (0, "")
    assert " 15x " in out.replace("|", " ")
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


THREE_ROLLS = ("score", "classical", "1:11 2 4 5 6 | 24:15", "6-2")


def test_score_says_where_the_roll_number_matters(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, *THREE_ROLLS)
    assert (code, "Mover 0 points" in out) == (0, True)
    assert "scores 4 more, six tables" in err and "--roll-number 3" in err
    for number, points in ((3, 4), (4, 0)):
        code, out, err = told(capsys, *THREE_ROLLS, "--roll-number", number)
        assert (code, f"Mover {points} points" in out, err) == (0, True, "")
    assert told(capsys, *THREE_ROLLS[:3], "5-4")[2] == ""
    assert told(capsys, "score", "soumille_1766", *THREE_ROLLS[2:])[2].startswith(
        "simkit: as the mover's third"
    )


@pytest.mark.parametrize(
    ("position", "option", "words"),
    [("1:13 12:2 | 24:15", "--took-coin", "--took-coin changes nothing: classical"),
     (START, "--met", "--met changes nothing: classical")],
)  # fmt: skip
def test_words_on_the_past_that_change_nothing_are_remarked(
    capsys: pytest.CaptureFixture[str], position: str, option: str, words: str
) -> None:
    code, out, err = told(capsys, "score", "classical", position, "6-1", option)
    assert (code, err.startswith(f"simkit: {words}")) == (0, True)
    assert out == told(capsys, "score", "classical", position, "6-1")[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*THREE_ROLLS, "--roll-number", "2"), "and its number is 3 or more"),
        ((*THREE_ROLLS, "--took-coin"), "would stand on 12, and none does"),
        ((*THREE_ROLLS, "--met"), "some of his men have left 1"),
        (
            ("score", "classical", START, "6-1", "--met", "--roll-number", "2"),
            "--roll-number says it is number 2",
        ),
        (("score", "classical", START, "7-1"), "dice '7-1'"),
        (("score", "classical", "1:14 | 24:15", "6-1"), "14 men"),
        (("score", "classical", "nowhere", "6-1"), "a position is written"),
        (("score", "classical", START, "6-1", "--roll-number", "0"), "roll number 0"),
        (("score", "classical", START, "6-1", "--numbering", "roman"), "the numberings are"),
        (("score", "classical", START, "6-1", "--svg", "/no/such/folder/b.svg"), "--svg"),
        (("plays", "classical", START, "6-1", "jump"), "'jump' is no move"),
    ],
)
def test_bad_input_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    code, out, err = told(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err
