"""Plays of toutes tables told in steps, and the laws that exclude others."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from simkit import cli, numbering, steps, tables
from simkit.errors import IllegalPosition, UsageError
from simkit.position import MEN, mirrored, parse
from simkit.rules import MoveRule, Tables

MOST_POINTS, MOST_NUMBERS = Tables(), Tables(move_rule=MoveRule.MAX_DICE)
STANDARD = tables.start(1, 6, 1, 5)
BLOT = "22 23:2 off:12 | 24 6:7 5:7"
"""Source 004's position: 6-1 hits by one rule and need not by the other."""
ENTERING = "bar 12:5 17:3 19:6 | 1 3 6:5 8:3 13:5"


def reasons(verdict: steps.Verdict) -> list[tuple[str, str]]:
    return [(reason.law, reason.words) for reason in verdict.reasons]


def test_every_play_is_told_and_judged_legal() -> None:
    rng = random.Random(5)
    for number in range(6):
        game, position = (
            (MOST_POINTS, MOST_NUMBERS)[number % 2],
            tables.start(*rng.choice(tables.all_starts())),
        )
        for _ in range(70):
            dice = (rng.randint(1, 6), rng.randint(1, 6))
            listed = steps.list_plays(game, position, dice)
            assert sorted(map(str, tables.legal_plays(game, position, dice))) == sorted(
                str(told.position) for told in listed
            )
            told = rng.choice(listed)
            for asked in (str(told.position), steps.moves(told.steps)):
                verdict = steps.judge(game, position, dice, asked)
                assert (verdict.legal, verdict.told.position) == (True, told.position)
            if told.position.off[0] == MEN:
                break
            position = mirrored(told.position)


def test_moves_are_written_with_rests_and_hits() -> None:
    listed = steps.list_plays(MOST_POINTS, tables.read(ENTERING), (3, 1))
    assert "bar/1*/4" in [steps.moves(told.steps) for told in listed]
    guiton = numbering.numbering("guiton")
    assert "bar/T*/3" in [steps.moves(told.steps, guiton) for told in listed]
    assert steps.moves(()) == "-"


@pytest.mark.parametrize(
    ("asked", "law", "words"),
    [
        ("1/7", "III.4", "1 number is played, and 2 can be"),
        ("-", "III.4", "no numbers are played, and 2 can be"),
        ("6/7 1/7", "III.4", "no man stands on 6"),
        ("1/6 1/7", "III.4", "the dice 6 and 1 do not lead from 1 to 6"),
        ("1/7/8", "III.4", "8, where the man from 1 would land, holds two men or more of the other's"),
        ("1/7 12/18", "III.4", "the dice 6 and 1 do not allow these moves together"),
        ("19/off", "III.5", "nobody leaves from 19 while a man is outside the return jan"),
        ("12:5 17:3 19:5 24:2 | 6:5 8:3 13:5 24:2", "III.4", "the dice 6 and 1 do not lead there"),
    ],
)
def test_the_law_that_excludes_a_play(asked: str, law: str, words: str) -> None:
    verdict = steps.judge(MOST_POINTS, STANDARD, (6, 1), asked)
    assert not verdict.legal
    assert (law, words) in reasons(verdict)


def test_men_on_the_bar_come_first() -> None:
    position = tables.read(ENTERING)
    verdict = steps.judge(MOST_POINTS, position, (3, 1), "12/15")
    assert reasons(verdict) == [("III.4", "a man on the bar comes in before anybody else moves")]
    verdict = steps.judge(MOST_POINTS, position, (3, 1), "bar/3 12/13")
    assert [words for _, words in reasons(verdict)] == [
        "13, where the man from 12 would land, holds two men or more of the other's"
    ]
    assert steps.judge(MOST_POINTS, position, (3, 1), "12/15 bar/1").legal


def test_a_star_says_who_is_hit() -> None:
    laid, dice = parse(ENTERING), (3, 1)
    for asked in ("bar/3/4", "bar/3*/4"):
        assert steps.judge(MOST_POINTS, laid, dice, asked).legal
    for asked, where in (("bar/3*/4*", "4"), ("bar/1* 12/15*", "15")):
        verdict = steps.judge(MOST_POINTS, laid, dice, asked)
        assert (verdict.legal, verdict.reasons[0].words) == (False, f"nobody is hit on {where}")


def test_the_bar_has_its_article() -> None:
    words = [reason.words for reason in steps.judge(MOST_POINTS, parse(ENTERING), (3, 1), "bar/6").reasons]
    assert words == ["the dice 3 and 1 do not lead from the bar to 6"]
    shut = steps.judge(MOST_POINTS, parse("bar 19:14 | 3:2 13:13"), (3, 1), "bar/3").reasons
    assert "where the man from the bar would land" in shut[0].words


def test_a_closed_board_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    shut = "bar 19:14 | 1:2 2:2 3:2 4:2 5:2 6:2 24:3"
    _, out, _ = told(capsys, "score", "toutes_tables", shut, "3-1")
    assert out.endswith("Mover 109 pips, other 114\nNo number can be played\n")
    _, out, _ = told(capsys, "score", "toutes_tables", ENTERING, "3-1")
    assert "7 plays hit one man: bar/1*/4;" in out
    _, out, _ = told(capsys, "score", "toutes_tables", BLOT, "6-1")
    assert "1 play hits one man: 22/off 23/24*" in out


def test_the_points_rule_is_told_with_its_field() -> None:
    position = tables.read(BLOT)
    for asked in ("22/23 23/off", "22/off", "23:2 off:13 | 5:7 6:7 24"):
        assert steps.judge(MOST_NUMBERS, position, (6, 1), asked).legal
        verdict = steps.judge(MOST_POINTS, position, (6, 1), asked)
        assert [(one.law, one.words, one.field) for one in verdict.reasons] == [
            ("III.5", "it travels 3 points, and 4 can be travelled", "move_rule")
        ]
    (law, words), *_ = reasons(steps.judge(MOST_NUMBERS, position, (6, 5), "23/off 23/off"))
    assert (law, "farthest man only" in words) == ("III.5", True)


def test_the_last_man_may_go_by_one_number_of_two() -> None:
    """Most points lets the game end by one number; most numbers makes both be played, and the ace hits."""
    position = parse("23 off:14 | 24 6:14")
    listed = [
        [str(told.position) for told in steps.list_plays(game, position, (6, 1))]
        for game in (MOST_POINTS, MOST_NUMBERS)
    ]
    assert sorted(listed[0]) == ["off:15 | 6:14 24", "off:15 | bar:1 6:14"]
    assert listed[1] == ["off:15 | bar:1 6:14"]


def test_the_higher_number_if_one_alone_can_be_played() -> None:
    """6 or 5 from the bar, and neither after the other."""
    position = tables.read("bar 24:14 | 1:2 2:2 3:2 4:2 11:7")
    assert [steps.moves(told.steps) for told in steps.list_plays(MOST_POINTS, position, (6, 5))] == ["bar/6"]
    verdict = steps.judge(MOST_POINTS, position, (6, 5), "bar/5")
    assert reasons(verdict) == [("III.4", "if one number only can be played it is the 6")]


TWO_ON_THE_BAR = "bar:2 12:5 17:3 19:5 | 2:2 24:2 13:5 8:3 6:3"
LAST_OUTSIDE = "18 24 off:13 | 1:15"


@pytest.mark.parametrize(
    ("position", "dice", "asked", "told"),
    [
        (TWO_ON_THE_BAR, (3, 1), "bar/3/4", ["III.4: a man on the bar comes in before anybody else moves"]),
        (TWO_ON_THE_BAR, (3, 1), "bar/1/4", ["III.4: a man on the bar comes in before anybody else moves"]),
        (TWO_ON_THE_BAR, (3, 1), "bar/4", ["III.4: a man on the bar comes in before anybody else moves"]),
        (
            LAST_OUTSIDE,
            (5, 1),
            "18/19 24/off",
            ["III.5: a number larger than 1 takes off the farthest man only, not one from 24"],
        ),
        (
            "18 22 24 off:12 | 1:15",
            (6, 1),
            "18/19 24/off",
            ["III.5: a number larger than 1 takes off the farthest man only, not one from 24"],
        ),
        (LAST_OUTSIDE, (3, 1), "18/21 24/off", []),
        (
            LAST_OUTSIDE,
            (3, 1),
            "24/off",
            ["III.5: nobody leaves from 24 while a man is outside the return jan"],
        ),
        (LAST_OUTSIDE, (3, 1), "24/off(2)", ["III.4: 1 man only stands on 24"]),
        (
            ENTERING,
            (6, 1),
            "bar/6",
            ["III.4: 6, where the man from the bar would land, holds two men or more of"],
        ),
        (
            "1 19:14 | 2:2 4:2 13:11",
            (3, 1),
            "1/5",
            ["III.4: 2 and 4, where the man from 1 would land, hold two men or more of the other's"],
        ),
        (
            "1 2 19:13 | 4:2 13:13",
            (3, 1),
            "1/2/6",
            ["III.4: the dice 3 and 1 do not lead from 1 to 6 by way of 2"],
        ),
        (
            "1 2 19:13 | 4:2 13:13",
            (1, 1),
            "1/3(3)",
            ["III.4: the dice 1 and 1 do not allow these moves together"],
        ),
        (
            TWO_ON_THE_BAR,
            (3, 1),
            "bar 4 12:5 17:3 19:5 | 2:2 6:3 8:3 13:5 24:2",
            ["III.4: a man on the bar comes in before anybody else moves"],
        ),
        (
            LAST_OUTSIDE,
            (5, 1),
            "19 off:14 | 1:15",
            ["III.5: a number larger than 1 takes off the farthest man only, not one from 24"],
        ),
        (LAST_OUTSIDE, (5, 1), "18 20 off:13 | 1:15", ["III.4: the dice 5 and 1 do not lead there"]),
    ],
)
def test_a_play_is_judged_as_a_whole(
    position: str, dice: tuple[int, int], asked: str, told: list[str]
) -> None:
    """The laws that alone exclude it; none for a legal play."""
    verdict = steps.judge(MOST_POINTS, tables.read(position), dice, asked)
    found = [f"{law}: {words}" for law, words in reasons(verdict)]
    assert verdict.legal == (not told)
    assert len(found) == len(told)
    assert all(one.startswith(start) for one, start in zip(found, told, strict=True)), found


@pytest.mark.parametrize("asked", ["1/", "7/1", "off/24", "1/bar", "1/7(5)", "x"])
def test_a_text_that_is_no_play(asked: str) -> None:
    with pytest.raises((UsageError, IllegalPosition)):
        steps.judge(MOST_POINTS, STANDARD, (6, 1), asked)


# ---------------------------------------------------------------- the commands


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.call([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    code, out, err = told(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_plays_lists_and_judges(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "plays", "backgammon", BLOT, "6-1")
    assert code == 0
    assert [line.split("  ")[0] for line in out.splitlines()[3:]] == ["22/23/off", "22/off 23/24*"]
    _, out, _ = told(capsys, "plays", "toutes_tables", BLOT, "6-1", "22/23/off")
    assert "III.5: it travels 3 points, and 4 can be travelled (game.move_rule)" in out
    _, out, _ = told(capsys, "plays", "toutes_tables", BLOT, "6-1", "23/24 22/off", "--board")
    assert "23/24 22/off is legal: 22/off 23/24*" in out
    assert "x the mover, 12 off" in out
    found = printed(capsys, "plays", "toutes_tables", BLOT, "6-1")
    assert found["plays"] == [{"moves": "22/off 23/24*", "position": "23 24 off:13 | bar:1 5:7 6:7"}]
    found = printed(capsys, "plays", "toutes_tables", BLOT, "6-1", "22/off")
    assert (found["legal"], found["reasons"][0]["field"]) == (False, "move_rule")


def test_score_tells_pips_and_hits(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = printed(capsys, "score", "toutes_tables", ENTERING, "3-1", "--svg", tmp_path / "a.svg")
    assert (found["mover_pips"], found["other_pips"]) == (150, 123)
    assert (found["plays"], found["points_travelled"], found["most_hit"]) == (7, [4], 1)
    assert ElementTree.parse(tmp_path / "a.svg")
    _, out, _ = told(capsys, "score", "backgammon", ENTERING, "3-3")
    assert "roll 3-3, Ternes" in out
    assert "17 plays travel 12 points" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("score", "toutes_tables", ENTERING, "3-1", "--met"), "are of trictrac"),
        (("plays", "toutes_tables", "22 off:13 | 24:15", "6-1"), "14 men"),
        (("plays", "toutes_tables", "22:15 | 22 24:14", "6-1"), "both sides stand on 22"),
        (("plays", "classical", "bar 1:14 | 24:15", "6-1"), "no bar"),
    ],
)
def test_what_is_refused(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str) -> None:
    code, out, err = told(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_starts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = printed(capsys, "starts")["starts"]
    assert len(found) == 225
    assert [(one["a"], one["b"], one["c"], one["d"], one["pips"]) for one in found if one["standard"]] == [
        (1, 6, 1, 5, 167)
    ]
    assert all(tables.read(one["position"]) == tables.start(*(one[x] for x in "abcd")) for one in found)
    assert len({one["picture"] for one in found}) == 225
    _, out, _ = told(capsys, "starts")
    assert len(out.splitlines()) == 226
    _, out, _ = told(capsys, "starts", "1-6 1-5", "--board", "--svg", tmp_path / "one.svg")
    assert out.startswith("start 1-6 1-5, 167 pips, standard\n  24  23")
    assert ElementTree.parse(tmp_path / "one.svg")
    told(capsys, "starts", "--svg", tmp_path / "all.svg")
    sheet = ElementTree.parse(tmp_path / "all.svg").getroot()
    assert len(sheet.findall("{http://www.w3.org/2000/svg}svg")) == 225


@pytest.mark.parametrize(
    ("dice", "words"),
    [("1-1 2-3", "thrown again"), ("1-7 2-3", "from 1 to 6"), ("2-1 3-4", "a < b"), ("6", "two rolls")],
)
def test_a_start_that_is_none(capsys: pytest.CaptureFixture[str], dice: str, words: str) -> None:
    code, _, err = told(capsys, "starts", dice)
    assert code == 2
    assert words in err
