"""What explains a roll agrees with the kernel on every position: means for each way, a law for each refusal."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from reference.options import CLASSICAL
from reference.positions import FieldCase, field_positions
from test_fields_equal_twin import game_of

from simkit import explain
from simkit.play import Position, score_roll


def cases(count: int, seed: int, *, fields: bool) -> Iterator[FieldCase]:
    return field_positions(count, seed, None if fields else CLASSICAL)


def position_of(case: FieldCase) -> Position:
    return Position(case.own, case.other[::-1], (15 - sum(case.own), 15 - sum(case.other)))


@pytest.mark.parametrize("fields", [False, True])
def test_every_award_has_its_means(fields: bool) -> None:
    seen: Counter[str] = Counter()
    for case in cases(700, 1822, fields=fields):
        game, position = game_of(case.options), position_of(case)
        found = explain.explain_roll(
            game, position, case.dice, roll_number=None, took_coin=case.took_coin, met=case.rencontre
        )
        scored = score_roll(game, position, case.dice, took_coin=case.took_coin, met=case.rencontre)
        assert tuple(one.award for one in found.awards) == scored.awards
        for one in found.awards:
            where = f"{one} [{position}] {case.dice} {game}"
            figure = one.award.figure
            seen[figure] += 1
            assert one.means, where
            if figure in ("hit_true", "hit_false"):
                assert len(one.means) == one.award.ways, where
            if figure.startswith("fill_") and one.award.ways > 1:
                assert len(one.means) == one.award.ways, where
            if figure == "margot_la_fendue":
                assert len(one.means) >= one.award.ways, where
    assert seen["hit_true"] > 100
    assert {"impuissance", "hit_false", "corner_hit", "fill_grand_jan", "conserve_grand_jan"} <= set(seen)


@pytest.mark.parametrize("fields", [False, True])
def test_every_play_is_legal_or_a_law_excludes_it(fields: bool) -> None:
    rng, laws = random.Random(1852), Counter[str]()
    for case in cases(400, 1852, fields=fields):
        game, position = game_of(case.options), position_of(case)
        legal = {play.position.mover: play for play in explain.list_plays(game, position, case.dice)}
        for play in rng.sample(list(legal.values()), min(3, len(legal))):
            where = f"{explain.moves(play.steps)} [{position}] {case.dice} {game}"
            assert explain.judge(game, position, case.dice, str(play.position)).legal, where
            assert explain.judge(game, position, case.dice, explain.moves(play.steps)).legal, where
        others = [men for men in explain.sequences(position.mover, case.dice) if men not in legal]
        for men in rng.sample(others, min(4, len(others))):
            after = Position(men, position.other, (15 - sum(men), position.off[1]))
            verdict = explain.judge(game, position, case.dice, str(after))
            where = f"{explain.moves(verdict.steps)} [{position}] {case.dice} {game}"
            assert not verdict.legal, where
            assert verdict.reasons, where
            laws.update(reason.law for reason in verdict.reasons)
    wanted = {"M4", "M5", "M7", "M11", "M13", "M15", "M16", "M18"}
    assert wanted <= set(laws), laws
