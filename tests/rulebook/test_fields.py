"""Each field of the base game changes a roll or a mark, in the kernel as in the examples of the twin."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from reference.field_examples import (
    DRAWS,
    MARKINGS,
    MARKS,
    ROLLS,
    UNITS,
    DrawExample,
    Example,
    LastRoll,
    Marked,
    MarkExample,
    MarkingExample,
    RollExample,
    UnitExample,
    counts,
)
from test_fields_equal_twin import game_of

from simkit import catalogue, play
from simkit.drivers import Engine, State, play_chunk, units_from
from simkit.errors import UsageError
from simkit.kernel.board import START_HIGH, START_LOW
from simkit.kernel.records import FIGURES
from simkit.position import unpack
from simkit.rules import Trictrac, TwelveHoles, apply, field_info

PLAYER = catalogue.player("random")


def test_every_field_has_an_example() -> None:
    examples: list[Example] = [*ROLLS, *MARKS, *MARKINGS, *UNITS, *DRAWS]
    assert {example.field for example in examples} == {info.name for info in field_info(Trictrac)}


def name(example: Example) -> str:
    return f"{example.field}={example.value}"


@pytest.mark.parametrize("changed", [False, True], ids=["default", "changed"])
@pytest.mark.parametrize("example", ROLLS, ids=name)
def test_roll(example: RollExample, changed: bool) -> None:
    own, other = counts(example.own), counts(example.other)
    position = play.Position(own, other[::-1], (15 - sum(own), 15 - sum(other)))
    scored = play.score_roll(
        game_of(example.options(changed)),
        position,
        example.dice,
        roll_number=example.roll_number,
        took_coin=example.took_coin,
        met=example.rencontre,
    )
    expected = example.changed if changed else example.default
    found = (scored.mover_points, scored.other_points, scored.dice_unplayed, len(scored.plays))
    assert found == (expected.mover, expected.other, expected.unplayed, expected.plays)
    if expected.with_play is not None:
        assert counts(expected.with_play) in {after.mover for after in scored.plays}


@pytest.mark.parametrize("changed", [False, True], ids=["default", "changed"])
@pytest.mark.parametrize("example", MARKS, ids=name)
def test_mark(example: MarkExample, changed: bool) -> None:
    score = play.Score()
    for who, points in example.marks:
        score, _ = play.mark(game_of(example.options(changed)), score, who, points)
    expected = example.changed if changed else example.default
    assert (score.points, score.bredouille, score.holes) == (
        tuple(expected.points),
        tuple(expected.bredouille),
        tuple(expected.holes),
    )


@pytest.mark.parametrize("changed", [False, True], ids=["default", "changed"])
@pytest.mark.parametrize("example", MARKINGS, ids=name)
def test_marking_of_a_roll(example: MarkingExample, changed: bool) -> None:
    def marked(goes: bool) -> play.MarkedRoll:
        score = play.Score(points=example.points)
        points = (example.roller_points, example.other_points)
        game = game_of(example.options(changed))
        return play.mark_roll(game, TwelveHoles(), score, 0, points, goes=goes, sortie=example.sortie)

    expected = example.changed if changed else example.default
    roll = marked(expected.went)
    score = roll.score
    assert Marked(score.points, score.bredouille, score.holes, expected.went) == expected
    assert roll.may_go == expected.went
    assert roll.next_roller == (0 if expected.went or example.sortie else 1)
    if not expected.went:
        with pytest.raises(UsageError, match="may go only"):
            marked(goes=True)


@pytest.mark.parametrize("changed", [False, True], ids=["default", "changed"])
@pytest.mark.parametrize("example", UNITS, ids=name)
def test_unit(example: UnitExample, changed: bool) -> None:
    """Roll by roll, each with the dice told and the first of its plays in order."""
    game = game_of(example.options(changed))
    men = [counts(side) for side in example.men]
    off = (15 - sum(men[0]), 15 - sum(men[1]))
    units = units_from(State(play.Position(men[0], men[1][::-1], off)), np.array([0]), game=game)
    units.took_coin = example.took_coin
    rules: Any = SimpleNamespace(
        game=game, match=TwelveHoles(), trictrac_game=game, trictrac_match=TwelveHoles()
    )
    throws = iter(example.throws)
    for _ in range(example.rolls):
        if not units.die_1[0]:
            units.die_1, units.die_2 = next(throws)
        roller, dice = int(units.roller[0]), (int(units.die_1[0]), int(units.die_2[0]))
        own, other = (unpack(int(units.low[0, who]), int(units.high[0, who])) for who in (roller, 1 - roller))
        position = play.Position(own, other[::-1], (15 - sum(own), 15 - sum(other)))
        listed = play.legal_plays(game, position, dice)
        first = min(range(len(listed)), key=lambda place: listed[place].mover)
        engine = Engine(rules, (PLAYER, PLAYER), 1)
        engine.play(units, first, most_rolls=1)
    figures = tuple(FIGURES[figure] for figure in np.flatnonzero(engine.figures[:, :, 0].sum(axis=0)))
    started = bool((units.low[0] == START_LOW).all() and (units.high[0] == START_HIGH).all())
    assert LastRoll(roller, dice, figures, started) == (example.changed if changed else example.default)


@pytest.mark.parametrize("example", DRAWS, ids=name)
def test_draw(example: DrawExample) -> None:
    """The same player begins; his first roll is the draw, or another that may be a doublet."""
    rules = catalogue.rule_set("classical")
    other = replace(rules, game=game_of(example.options(changed=True)))
    assert other == apply(rules, f"game.{example.field}", example.value)
    chunks = [play_chunk(each, (PLAYER, PLAYER), 3, 0, 40).sets for each in (rules, other)]
    assert (chunks[0]["first_player"] == chunks[1]["first_player"]).all()
    assert (chunks[0]["rolls"] != chunks[1]["rolls"]).any()
