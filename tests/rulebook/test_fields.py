"""Each field of the base game changes a roll or a mark, in the kernel as in the examples of the twin."""

from __future__ import annotations

import pytest
from reference.field_examples import MARKS, ROLLS, Example, MarkExample, RollExample, counts
from test_fields_equal_twin import game_of

from simkit import play


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
