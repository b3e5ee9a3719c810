"""Numbers in words of the user: none is taken for what it is not, and one that is too large is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

import simkit
from simkit import numbering
from simkit.by_holes import read_script
from simkit.cli import call
from simkit.cli.options import sizes
from simkit.drivers import read_state
from simkit.drivers.start import AT_THE_TALONS, check_state
from simkit.drivers.tables_state import parsed_score
from simkit.errors import SimkitError, UsageError
from simkit.position import arrow_number, parse, read_dice

ODD = (
    "9" * 20,
    "9" * 400,
    "9" * 5000,
    "-3",
    "٣",
    "²",
    "３",
    "1_0",
    "+1",
    " 1",
    "1 ",
    "1.0",
    "1e1",
    "0x1",
    "",
)
"""What is no number from 1 to 9, or none in the digits 0 to 9 alone."""
TEXTS = tuple(text for text in ODD if text.strip() != "1")  # blanks part the words of scores and positions
LONG = 400


def named(text: str) -> str:
    """Name a text shortly."""
    return text if len(text) < 10 else f"{len(text)} digits"


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command line says of a request that makes no sense."""
    code = call(list(words))
    out, err = capsys.readouterr()
    assert (code in (2, 3), out) == (True, ""), (words, code, err)
    assert "unexpected" not in err and "Traceback" not in err
    assert len(err) < 2000
    return " ".join(err.split())


@pytest.mark.parametrize("text", ODD, ids=named)
@pytest.mark.parametrize("option", ["--matches", "--seed", "--jobs"])
def test_options_that_are_numbers(
    text: str, option: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    if (option, text) == ("--seed", "9" * 20):
        text = str(2**64)
    said = refused(
        capsys, "simulate", "twelve_hole", f"{option}={text}", "--out", str(tmp_path / "run"), "--quiet"
    )
    assert text[:20].strip() in said
    assert not (tmp_path / "run").exists()
    if len(text) >= LONG:
        assert "is too large" in said


@pytest.mark.parametrize("text", ODD, ids=named)
def test_numbers_of_replay_and_verify(text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told = ("replay", "twelve_hole", "--players", "random")
    for option in ("--match", "--board-at", "--play", "--seed"):
        if (option, text) == ("--seed", "9" * 20):
            continue
        refused(capsys, *told, f"{option}={text}")
    if text.strip() != "1" and text not in ("", "-3"):
        refused(capsys, *told, f"--set={text}")
    position = ("--from", "1:15 | 24:15")
    for option in ("--to-roll", "--roll-number", "--roll"):
        refused(capsys, *told, *position, f"{option}={text}")
    if text.strip() not in ("1", "-3"):
        refused(capsys, "starts", f"1-6 1-{text}")
    if text == "9" * 20:
        return  # all chunks there are
    refused(capsys, "verify", str(tmp_path), f"--replay={text}")


@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_numbers_of_scores(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    rules = simkit.rule_set("classical")
    for score in (
        f"{text}:0 0:0",
        f"0:0 0:{text}",
        f"0:0 0:0 do-overs:{text}",
        f"1:0 0:0 run:{text}",
        f"0:0 0:0 rolls:{text},1",
        f"0:0 0:0 threw-first:{text}",
    ):
        with pytest.raises(UsageError) as told:
            check_state(read_state(AT_THE_TALONS, score), rules)
        assert "score '" in str(told.value)
        assert len(str(told.value)) < 500
        if text.isdecimal() and text.isascii() and "run" not in score and "first" not in score:
            assert "is too large" in str(told.value), score
    for score in (
        f"{text}-0",
        f"0-{text}",
        f"2-1 cube:{text}",
        f"2-1 game:{text}",
        f"2-1 owner:{text}",
        f"game:{text}",
    ):
        said = refused(capsys, "rollout", "backgammon", "1-6 1-5", "3-1", f"--score={score}")
        assert "score '" in said and "are of trictrac" not in said
        if text.isdecimal() and text.isascii() and "owner" not in score and not score.startswith("game"):
            assert "is too large" in said, score


@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_numbers_of_positions_and_dice(text: str) -> None:
    for position in (f"1:{text} | 24:15", f"{text}:15 | 24:15", f"1:14 off:{text} | 24:15"):
        with pytest.raises(UsageError) as told:
            numbering.read(position, numbering.OURS)
        assert len(str(told.value)) < 1000
    with pytest.raises(UsageError, match="too large; each side has fifteen men"):
        parse(f"1:{'9' * 20} | 24:15")
    with pytest.raises(UsageError):
        arrow_number(text)
    with pytest.raises(UsageError) as told:
        read_dice(f"1-{text}")
    assert len(str(told.value)) < 300


def test_digits_of_other_scripts_are_no_arrows() -> None:
    for text in ("²", "３", "٣"):
        with pytest.raises(UsageError, match="no such arrow"):
            numbering.OURS.read(text)


@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_numbers_of_a_script_of_holes(text: str) -> None:
    if text not in ("", "9" * 20):
        with pytest.raises(UsageError, match="line 1"):
            read_script(f"sets {text}\n1 1 own hold")
    with pytest.raises(UsageError, match="line 1"):
        read_script(f"1 {text} own hold")
    with pytest.raises(UsageError, match="holes are too many, 1 to 60"):
        read_script(f"1 {'9' * 20} own hold")


@pytest.mark.parametrize("text", ["1_0", "+1", " 1", "٣", "nan", "inf", "-1", "", "1e999"])
def test_sizes(text: str) -> None:
    with pytest.raises(UsageError, match="--until rolls="):
        sizes("--until", [f"rolls={text}"])


@pytest.mark.parametrize("number", [10**5000, -(10**5000), 2**64, -1], ids=["large", "low", "seed", "below"])
def test_numbers_too_large_to_be_written(number: int) -> None:
    for asked in ({"seed": number}, {"matches": number}):
        with pytest.raises(SimkitError, match="is not a whole number from"):
            simkit.simulate("twelve_hole", "random", **asked)  # type: ignore[arg-type]


def test_a_score_of_points_is_read_with_noughts_before_it() -> None:
    assert parsed_score("0002-0001")["match_score"] == (2, 1)
