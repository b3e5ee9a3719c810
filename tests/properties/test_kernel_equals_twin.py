"""The kernel and the plain twin agree on legal plays, awards and marking, position by position."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from reference.awards import roll
from reference.options import Options
from reference.positions import Case, positions
from reference.score import Score as TwinScore
from reference.score import mark as twin_mark

from simkit import play
from simkit.rules import BearOffExactPolicy, Trictrac


def describe(case: Case) -> str:
    position = play.Position(case.own, case.other[::-1], (15 - sum(case.own), 15 - sum(case.other)))
    return f"{play.write(position)} dice {case.dice} roll {case.roll_number} {case.bear_off_exact_policy}"


def assert_agreement(case: Case) -> Counter[str]:
    """Compare one position; return the figures it showed."""
    game = Trictrac(
        bear_off_exact_policy=BearOffExactPolicy(case.bear_off_exact_policy), pile_de_misere_enabled=True
    )
    position = play.Position(case.own, case.other[::-1], (15 - sum(case.own), 15 - sum(case.other)))
    found = play.score_roll(game, position, case.dice, roll_number=case.roll_number)
    legal, awards = roll(case.own, case.other, case.dice, case.roll_number, case.options)
    assert len(found.plays) == len(set(found.plays)), f"a position listed twice: {describe(case)}"
    assert {after.mover for after in found.plays} == legal.positions, describe(case)
    assert found.dice_unplayed == legal.unplayed, describe(case)
    of_kernel = Counter(
        (a.figure, a.to == "mover", a.points, a.target, a.dice_unplayed, None if a.dice_unplayed else a.ways)
        for a in found.awards
    )
    of_twin = Counter(
        (a.jan, a.beneficiary == "mover", a.points, a.target, a.dice_unplayed, a.ways) for a in awards
    )
    assert of_kernel == of_twin, describe(case)
    for side, total in ((True, found.mover_points), (False, found.other_points)):
        assert total == sum(a.points for a in awards if (a.beneficiary == "mover") == side), describe(case)
    return Counter(award.figure for award in found.awards)


def assert_agreement_on(kind: str, count: int, seed: int) -> None:
    seen: Counter[str] = Counter()
    for case in positions(kind, count, seed):
        seen += assert_agreement(case)
    if kind == "adversarial":
        assert len(seen) == 17, f"figures never met: {seen}"


@pytest.mark.parametrize("kind", ["played", "adversarial"])
def test_ten_thousand_positions(kind: str) -> None:
    assert_agreement_on(kind, 10_000, seed=1766)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["played", "adversarial"])
@pytest.mark.parametrize("seed", [1698, 1776, 1818, 1822])
def test_two_hundred_thousand_positions(kind: str, seed: int) -> None:
    assert_agreement_on(kind, 25_000, seed)


def test_marking() -> None:
    rng = random.Random(1852)
    for _ in range(3_000):
        hole = rng.choice((12, 12, 12, 10, 8))
        points = [2 * rng.randrange(hole // 2), 2 * rng.randrange(hole // 2)]
        streak = [points[0] > 0 and rng.random() < 0.5, False]
        streak[1] = points[1] > 0 and not streak[0] and rng.random() < 0.5
        twin = TwinScore(points=[*points], bredouille=[*streak])
        score = play.Score(points=tuple(points), bredouille=tuple(streak))
        game, options = Trictrac(points_per_hole=hole), Options(points_per_hole=hole)
        for _ in range(4):
            who, gain = rng.randrange(2), 2 * rng.randrange(45)
            score, made = play.mark(game, score, who, gain)
            assert made == twin_mark(twin, who, gain, options)
            assert score == play.Score(tuple(twin.points), tuple(twin.bredouille), tuple(twin.holes))
