"""Toutes tables: what must hold whatever is played."""

from __future__ import annotations

import random
from collections.abc import Iterator

from simkit import tables
from simkit.position import MEN, Position, mirrored
from simkit.rules import MoveRule, Tables

MAX_POINTS, MAX_DICE = Tables(), Tables(move_rule=MoveRule.MAX_DICE)
Dice = tuple[int, int]


def rolls_of_play(games: int, seed: int) -> Iterator[tuple[Position, Dice, tuple[Position, ...]]]:
    """Yield positions, dice and plays along random games from random starts."""
    rng = random.Random(seed)
    starts = tables.all_starts()
    for number in range(games):
        position = tables.start(*rng.choice(starts))
        game = (MAX_POINTS, MAX_DICE)[number % 2]
        while True:
            dice = (rng.randint(1, 6), rng.randint(1, 6))
            plays = tables.legal_plays(game, position, dice)
            yield position, dice, plays
            after = rng.choice(plays)
            if after.off[0] == MEN:
                break
            position = mirrored(after)


def men(position: Position) -> tuple[int, int]:
    return (
        sum(position.mover) + position.off[0] + position.bar[0],
        sum(position.other) + position.off[1] + position.bar[1],
    )


def test_men_are_neither_lost_nor_found() -> None:
    hits = waits = 0
    for position, dice, plays in rolls_of_play(12, seed=1):
        before = tables.pips(position)
        for after in plays:
            assert men(after) == (MEN, MEN)
            assert not any(mine and his for mine, his in zip(after.mover, after.other, strict=True))
            assert after.off[1] == position.off[1]
            gone = before[0] - tables.pips(after)[0]
            assert 0 <= gone <= sum(dice) * (1 + (dice[0] == dice[1]))
            hit = after.bar[1] - position.bar[1]
            assert hit >= 0
            assert (tables.pips(after)[1] > before[1]) == (hit > 0)
            hits += hit
            if after.bar[0]:  # whoever waits lets nobody else move
                assert sum(after.mover[6:]) <= sum(position.mover[6:])
                waits += 1
    assert hits > 100
    assert waits > 20


def test_order_of_the_dice_does_not_matter() -> None:
    for position, dice, _ in rolls_of_play(4, seed=2):
        for game in (MAX_POINTS, MAX_DICE):
            turned = tables.legal_plays(game, position, dice[::-1])
            assert set(turned) == set(tables.legal_plays(game, position, dice))


def test_the_move_rules_coincide_while_nobody_can_leave() -> None:
    """Before bearing off more dice, or the larger one, are more points."""
    alike = 0
    for position, dice, _ in rolls_of_play(10, seed=3):
        both = [set(tables.legal_plays(game, position, dice)) for game in (MAX_POINTS, MAX_DICE)]
        farthest = 25 if position.bar[0] else 25 - next(k for k, n in enumerate(position.mover, 1) if n)
        if farthest - sum(dice) * (1 + (dice[0] == dice[1])) > 6:
            assert both[0] == both[1]
            alike += 1
        assert both[0] & both[1]
    assert alike > 300


def test_all_plays_of_the_points_rule_travel_as_far() -> None:
    for position, _, _ in rolls_of_play(6, seed=4):
        for dice in ((6, 5), (3, 1), (2, 2)):
            plays = tables.legal_plays(MAX_POINTS, position, dice)
            assert len({tables.pips(after)[0] for after in plays}) == 1


def test_a_start_is_the_same_for_both() -> None:
    for start in tables.all_starts():
        position = tables.start(*start)
        assert mirrored(position) == position
        assert men(position) == (MEN, MEN)
