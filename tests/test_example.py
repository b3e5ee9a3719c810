"""The match that a report tells: chosen by length, told by rolls that matter, kept as plain values."""

from __future__ import annotations

import json
from statistics import median_low
from xml.etree import ElementTree

import pytest

from simkit import catalogue
from simkit.drivers import play_chunk
from simkit.example import AMONG, Example, example
from simkit.position import parse, write
from simkit.report.match import match_told
from simkit.transcript import transcribe

SEED = 5
KINDS = {
    "ecrire_academie": 2,
    "classical": 2,
    "backgammon": 2,
    "tourner_guiton": 3,
    "pool_fill": 4,
}


@pytest.fixture(scope="module", params=KINDS)
def shown(request: pytest.FixtureRequest) -> Example:
    players = (catalogue.player("random"),) * KINDS[request.param]
    found = example(catalogue.rule_set(request.param), players, SEED)
    assert found is not None
    return found


def test_it_is_the_first_of_median_length(shown: Example) -> None:
    players = (catalogue.player("random"),) * len(shown.players)
    rolls = play_chunk(catalogue.rule_set(shown.rules), players, SEED, 0, AMONG).matches["rolls"].tolist()
    assert shown.rolls == median_low(rolls)
    assert shown.match == rolls.index(shown.rolls)


def test_its_account_adds_up_and_its_rolls_are_in_order(shown: Example) -> None:
    assert sum(int(row[-1]) for row in shown.account) == shown.rolls
    assert all(len(row) == len(shown.head) for row in shown.account)
    assert 1 <= shown.told <= len(shown.account)
    numbers = [one.number for one in shown.shown]
    assert numbers == sorted(set(numbers)) and 2 <= len(numbers) <= 6
    assert numbers[-1] == int(shown.account[shown.told - 1][-1])
    assert shown.shown[-1].why[-1] == "the end"
    for one in shown.shown:
        assert one.why and one.after
        assert write(parse(one.position)) == one.position


def test_it_is_kept_as_plain_values(shown: Example) -> None:
    assert Example.from_plain(json.loads(json.dumps(shown.to_plain()))) == shown
    with pytest.raises(ValueError, match="schema"):
        Example.from_plain(shown.to_plain() | {"schema": "simkit.example/0"})


def test_its_boards_are_drawn_the_same_each_time(shown: Example) -> None:
    told = match_told(shown)
    assert told == match_told(shown)
    assert len(told.boards) == len(shown.shown)
    for board, one in zip(told.boards, shown.shown, strict=True):
        drawing = ElementTree.fromstring(board.svg)
        assert drawing.get("viewBox") and drawing.get("width") is None
        title = drawing.find("title")
        assert title is not None and title.text and title.text.startswith(one.position)
        light = [circle.get("fill") for circle in drawing.iter("circle") if circle.get("r") == "8"]
        assert (light == ["#fffdf6", "#2b2622"]) == (one.player == 1), "player 1 is light, whoever throws"


def test_its_command_tells_the_same_rolls() -> None:
    shown = example(catalogue.rule_set("classical"), (catalogue.player("random"),) * 2, SEED)
    assert shown is not None
    assert shown.command == f"simkit replay classical --players random,random --seed 5 --match {shown.match}"
    told = transcribe(
        catalogue.rule_set("classical"), (catalogue.player("random"),) * 2, SEED, shown.match
    ).sets[0]
    for one in shown.shown:
        roll = told.rolls[one.number - 1]
        assert (roll.dice, roll.player, write(roll.position)) == (one.dice, one.player, one.position)
