"""The kernel and the plain twin agree under every setting of the rule fields, drawn at random."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from reference.awards import roll
from reference.options import Options
from reference.positions import FieldCase, field_positions

from simkit import play
from simkit.rules import HitPoints, Tariff, Trictrac, field_info, from_plain


def game_of(options: Options) -> Trictrac:
    """Return the rules that the twin's options say, by the names of the fields."""
    plain: dict[str, Any] = {"type": "Trictrac"}
    for info in field_info(Trictrac):
        value = getattr(options, info.name)
        if info.name == "jan_points":
            value = {"type": "Tariff", "simple": value[0], "doublet": value[1]}
        elif info.name == "hit_points":
            far, near = ({"simple": pair[0], "doublet": pair[1]} for pair in value)
            value = {"grand": far, "petit": near}
        plain[info.name] = value
    plain["jan_points"].pop("type")
    return from_plain(Trictrac, plain, "game")


def assert_agreement(case: FieldCase) -> Counter[str]:
    game = game_of(case.options)
    position = play.Position(case.own, case.other[::-1], (15 - sum(case.own), 15 - sum(case.other)))
    where = f"{position} {case.dice} {case.roll_number} {case.took_coin} {case.rencontre} {case.options}"
    found = play.score_roll(
        game,
        position,
        case.dice,
        roll_number=case.roll_number,
        took_coin=case.took_coin,
        met=case.rencontre,
    )
    legal, awards = roll(
        case.own, case.other, case.dice, case.roll_number, case.options, case.took_coin, case.rencontre
    )
    assert len(found.plays) == len(set(found.plays)), f"a position listed twice: {where}"
    assert {after.mover for after in found.plays} == legal.positions, where
    assert found.dice_unplayed == legal.unplayed, where
    of_kernel = Counter(
        (a.figure, a.to == "mover", a.points, a.target, a.dice_unplayed, None if a.dice_unplayed else a.ways)
        for a in found.awards
        if a.points
    )
    of_twin = Counter(
        (a.jan, a.beneficiary == "mover", a.points, a.target, a.dice_unplayed, a.ways)
        for a in awards
        if a.points
    )
    assert of_kernel == of_twin, where
    return Counter(award.figure for award in found.awards)


def test_every_field_is_known_to_the_twin() -> None:
    assert game_of(Options()) == Trictrac()
    assert Trictrac().hit_points == HitPoints(grand=Tariff(simple=2, doublet=4))


@pytest.mark.parametrize("seed", [1698, 1749])
def test_random_fields(seed: int) -> None:
    seen: Counter[str] = Counter()
    for case in field_positions(4_000, seed):
        seen += assert_agreement(case)
    assert len(seen) == 19, f"figures never met: {seen}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_many_random_fields(seed: int) -> None:
    for case in field_positions(25_000, seed):
        assert_agreement(case)
