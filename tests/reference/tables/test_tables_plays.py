"""Plays of the twin: worked positions, exact counts, and a second method for every one of them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest

from . import second_way
from .board import BAR, HOME, OFF, Board, facing, pips, problems, side
from .named import COUNTS, NAMED, ROLLS
from .plays import all_ways, lawful, legal_plays, may_move
from .positions import FAMILIES, MOVE_RULES, Case, positions


def own_after(board: Board, dice: tuple[int, int], move_rule: str) -> list[dict[int, int]]:
    """The mover's men after each play, by distance."""
    results = {
        tuple((distance, count) for distance, count in enumerate(after.own) if distance and count)
        for after in legal_plays(board, dice, move_rule)
    }
    return [dict(result) for result in sorted(results)]


@pytest.mark.parametrize("name", NAMED)
def test_exact_counts(name: str) -> None:
    board = NAMED[name]
    assert not problems(board)
    for move_rule, numbers in zip(MOVE_RULES, COUNTS[name], strict=True):
        expected = [int(number) for number in numbers.split()]
        assert [len(legal_plays(board, dice, move_rule)) for dice in ROLLS] == expected
        for black_moves in (True, False):
            again = [
                second_way.count_plays(*board, dice, move_rule, black_moves=black_moves) for dice in ROLLS
            ]
            assert again == expected


def by_second_way(case: Case, move_rule: str) -> set[Board]:
    board = second_way.of_sides(*case.board, black_moves=True)
    found = second_way.legal_boards(board, case.dice, move_rule)
    return {Board(*second_way.to_sides(one, black_moves=True)) for one in found}


@pytest.mark.parametrize("kind", ["played", "contrived"])
def test_both_methods_find_the_same_plays(kind: str) -> None:
    for case in positions(kind, 700, seed=1818):
        for move_rule in MOVE_RULES:
            assert legal_plays(case.board, case.dice, move_rule) == by_second_way(case, move_rule), case


def test_a_board_survives_both_ways_of_writing_it() -> None:
    for case in positions("contrived", 200, seed=4):
        for black_moves in (True, False):
            board = second_way.of_sides(*case.board, black_moves=black_moves)
            assert second_way.to_sides(board, black_moves) == case.board
            assert second_way.reflected(second_way.reflected(board)) == board


@pytest.mark.parametrize("kind", ["played", "contrived"])
def test_the_rules_coincide_outside_bearing_off(kind: str) -> None:
    seen: Counter[bool] = Counter()
    for case in positions(kind, 1_000, seed=9):
        ways = all_ways(case.board, case.dice)
        both = [{way.board for way in lawful(ways, rule)} for rule in MOVE_RULES]
        overflow = any(step.travelled < step.number for way in ways for step in way.steps)
        assert overflow or both[0] == both[1], case
        seen[both[0] == both[1]] += 1
    assert seen[False] >= 5


def test_every_play_is_a_position_of_fifteen_men_a_side() -> None:
    for case in positions("contrived", 600, seed=5):
        for way in all_ways(case.board, case.dice):
            assert [found for found in problems(way.board) if "over" not in found] == []
            assert pips(case.board.own) - pips(way.board.own) == way.points
            hit = way.board.other[BAR] - case.board.other[BAR]
            assert pips(way.board.other) >= pips(case.board.other) + hit
            assert way.board.other[OFF] == case.board.other[OFF]


def test_every_family_is_met() -> None:
    seen = Counter(case.family for case in positions("contrived", 800, seed=6))
    assert set(seen) == {family.__name__ for family in FAMILIES}
    assert min(seen.values()) >= 60


# worked positions: source 004 and Guiton's treatise on backgammon, chapter II


def test_the_ace_must_hit_when_that_travels_more() -> None:
    board = Board(side({3: 1, 2: 2}), side({facing(1): 1}))
    assert own_after(board, (6, 1), "max_points") == [{1: 1, 2: 1}]
    assert own_after(board, (6, 1), "max_dice") == [{1: 1, 2: 1}, {2: 2}]
    (after,) = legal_plays(board, (6, 1), "max_points")
    assert after.other[BAR] == 1


def test_a_small_number_may_not_waste_the_large_one() -> None:
    board = Board(side({6: 1, 4: 3, 2: 2, 1: 2}), side({}))
    assert own_after(board, (5, 3), "max_points") == [{1: 4, 2: 2, 4: 2}]
    assert own_after(board, (5, 3), "max_dice") == [{1: 2, 2: 2, 3: 1, 4: 2}, {1: 4, 2: 2, 4: 2}]


def test_a_blocked_farthest_man_keeps_the_others_from_leaving_by_overflow() -> None:
    """3-3 whose landing points are held is lost; nobody leaves by overflow before the farthest."""
    board = Board(side({5: 2, 2: 2}), side({facing(3): 2}))
    assert own_after(board, (2, 2), "max_dice") == [{5: 2}]
    assert not may_move(board, 2, 3)
    board = Board(side({5: 2, 4: 1}), side({facing(2): 2, facing(1): 2}))
    assert own_after(board, (3, 3), "max_points") == own_after(board, (3, 3), "max_dice") == [{4: 1, 5: 2}]


def test_a_number_that_brings_the_last_man_in_lets_the_other_bear_off() -> None:
    board = Board(side({7: 1, 4: 2}), side({}))
    assert {4: 1, 6: 1} in own_after(board, (4, 1), "max_dice")
    board = Board(side({8: 1, 4: 2}), side({}))
    assert own_after(board, (4, 1), "max_dice") == [{3: 1, 4: 2}]


def test_the_higher_number_if_one_alone_can_be_played() -> None:
    """6 or 5 from 24, and neither after the other: the six is played."""
    blocks = {facing(13): 2, facing(12): 2, facing(2): 2, facing(1): 2}
    board = Board(side({24: 1, 8: 0, 7: 1, 3: 2}), side(blocks | {6: 2}))
    for move_rule in MOVE_RULES:
        ways = lawful(all_ways(board, (6, 5)), move_rule)
        assert {len(way.steps) for way in ways} == {1}
        assert {way.steps[0].number for way in ways} == {6}


def test_men_on_the_bar_go_first() -> None:
    board = Board(side({BAR: 2, 6: 5}), side({3: 2}))
    for way in all_ways(board, (3, 1)):
        assert all(step.start == BAR for step in way.steps[:2])
    assert own_after(board, (3, 1), "max_points") == [{6: 5, 24: 1, BAR: 1}]
    assert legal_plays(board, (3, 3)) == {board}


def test_hits_on_the_way_count() -> None:
    board = Board(side({24: 1}), side({facing(22): 1, facing(19): 1}))
    assert {after.other[BAR] for after in legal_plays(board, (3, 2))} == {1, 2}
    assert max(after.other[BAR] for after in legal_plays(board, (2, 3))) == 2


@pytest.mark.slow
def test_whoever_can_finish_may_and_ties_of_points_do_not_matter() -> None:
    """Up to three men, up to three closed points: every position and roll.

    Of the ways with most points, those that leave dice unplayed lead nowhere else than those that leave fewest.
    """
    for count in (1, 2, 3):
        for places in combinations_with_replacement(range(1, HOME + 2), count):
            free = [place for place in range(1, HOME + 1) if place not in places]
            for closed in (c for n in range(4) for c in combinations(free, n)):
                board = Board(side(Counter(places)), side({facing(place): 2 for place in closed}))
                for dice in ROLLS:
                    ways = all_ways(board, dice)
                    legal = lawful(ways, "max_points")
                    most = max(len(way.steps) for way in ways)
                    assert {way.board for way in legal} == {w.board for w in legal if len(w.steps) == most}
                    if any(way.board.own[OFF] == 15 for way in ways):
                        for found in (legal, lawful(ways, "max_dice")):
                            assert any(way.board.own[OFF] == 15 for way in found)
