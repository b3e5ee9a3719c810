"""What a game is worth, and who begins the next: the twin against the tables of the rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .board import BAR, Side, side
from .match import draw_first, first_of_game, game_points, is_double, match_end, opening_roll

CONDITIONS = ("off0_and_not_all_home", "off0", "off0_or_not_all_home")


@pytest.mark.parametrize(
    ("off", "home", "points"),
    [
        (0, False, (2, 2, 2)),
        (0, True, (1, 2, 2)),
        (1, True, (1, 1, 1)),
        (3, False, (1, 1, 2)),
    ],
)
def test_the_readings_of_the_double_game(off: int, home: bool, points: tuple[int, ...]) -> None:
    assert tuple(1 + is_double(off, home, condition) for condition in CONDITIONS) == points


@pytest.mark.parametrize(
    ("loser", "without", "with_triple"),
    [
        (side({6: 15}), (1, 2, 2), (1, 2, 2)),
        (side({6: 14, 7: 1}), (2, 2, 2), (2, 2, 2)),
        (side({6: 14, 18: 1}), (2, 2, 2), (2, 2, 2)),
        (side({6: 14, 19: 1}), (2, 2, 2), (3, 3, 3)),
        (side({6: 14, BAR: 1}), (2, 2, 2), (3, 3, 3)),
        (side({6: 13, BAR: 1}), (1, 1, 2), (1, 1, 2)),
        (side({1: 1}), (1, 1, 1), (1, 1, 1)),
    ],
)
def test_points_of_a_game(loser: Side, without: tuple[int, ...], with_triple: tuple[int, ...]) -> None:
    assert tuple(game_points(loser, condition) for condition in CONDITIONS) == without
    found = tuple(game_points(loser, condition, "bar_or_in_winner_home") for condition in CONDITIONS)
    assert found == with_triple


def test_the_match_ends_at_the_points_or_with_the_start() -> None:
    games = [(0, 2), (1, 1), (0, 1), (1, 2), (1, 1)]
    assert match_end(games, 3, 2) == (0, 3, (3, 1))
    assert match_end(games, 3, 2, match_end_mid_pair=False) == (None, 5, (3, 4))
    assert match_end([*games, (0, 2)], 3, 2, match_end_mid_pair=False) == (0, 6, (5, 4))
    assert match_end(games[:2], 3, 2) == (None, 2, (2, 1))
    assert match_end([(1, 2)], 1) == (1, 1, (0, 2))


@pytest.mark.parametrize(("rule", "first"), [("draw", None), ("alternate", 1), ("loser", 0), ("winner", 1)])
def test_who_begins(rule: str, first: int | None) -> None:
    assert first_of_game(0, 2, rule, [], []) is None
    assert first_of_game(1, 2, rule, [0], [0]) == 1
    assert first_of_game(2, 2, rule, [0, 1], [0, 1]) == first


def throws(*dice: tuple[int, int]) -> Iterator[tuple[int, int]]:
    return iter(dice)


def test_first_rolls() -> None:
    for rule, roll in (("fresh_throw", (4, 4)), ("non_double", (2, 1)), ("same_roll_as_first", (6, 5))):
        thrown = throws((4, 4), (2, 1))
        assert opening_roll(rule, (6, 5), lambda thrown=thrown: next(thrown)) == roll  # type: ignore[misc]
    for method, roll in (("draw_is_first_throw", (2, 5)), ("draw_then_throw", (3, 3))):
        thrown = throws((4, 4), (2, 5), (3, 3))
        assert draw_first(method, lambda thrown=thrown: next(thrown)) == (1, roll)  # type: ignore[misc]
