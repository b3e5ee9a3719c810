"""Toutes tables: the kernel and the plain twin agree on starts, legal plays and points, position by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from reference.tables import starts as twin_starts
from reference.tables.board import HOME, Board, pips, side, turned
from reference.tables.match import game_points
from reference.tables.named import COUNTS, NAMED, ROLLS
from reference.tables.plays import all_ways, lawful
from reference.tables.positions import FAMILIES, MOVE_RULES, Case, positions
from tables_bridge import board_of_position, position_of

from simkit import tables
from simkit.position import mirrored
from simkit.rules import DoubleCondition, MoveRule, PointMatch, Tables, TripleCondition

GAMES = {
    (rule, times): Tables(move_rule=MoveRule(rule), doubles_played=times)
    for rule in MOVE_RULES
    for times in (1, 2, 3, 4)
}


def assert_agreement(case: Case, rules: Sequence[str] = MOVE_RULES, doubles_played: int = 4) -> int:
    """Compare one roll by one move rule or both; return how many sets of plays the rules make of it."""
    position = position_of(case.board)
    assert board_of_position(position) == case.board
    ways = all_ways(case.board, case.dice, doubles_played)
    results = []
    for rule in rules:
        words = f"{position} roll {case.dice} {rule} {case.family}"
        found = tables.legal_plays(GAMES[rule, doubles_played], position, case.dice)
        assert len(found) == len(set(found)), f"a position listed twice: {words}"
        expected = {way.board for way in lawful(ways, rule)}
        assert {board_of_position(after) for after in found} == expected, words
        results.append(expected)
    return 1 + (results[0] != results[-1])


def assert_agreement_on(kind: str, count: int, seed: int) -> None:
    """Both move rules where men may leave, elsewhere one after the other."""
    made: Counter[int] = Counter()
    seen: Counter[str] = Counter()
    for number, case in enumerate(positions(kind, count, seed)):
        outside = sum(case.board.own[HOME + 1 :])
        made[assert_agreement(case, MOVE_RULES if outside < 4 else MOVE_RULES[number % 2 :][:1])] += 1
        seen[case.family] += 1
    if kind == "contrived":
        assert len(seen) == len(FAMILIES)
        assert made[2] > count / 100


@pytest.mark.parametrize("kind", ["played", "contrived"])
def test_ten_thousand_positions(kind: str) -> None:
    assert_agreement_on(kind, 10_000, seed=1766)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["played", "contrived"])
@pytest.mark.parametrize("seed", [1698, 1776, 1818, 1822])
def test_two_hundred_thousand_positions(kind: str, seed: int) -> None:
    assert_agreement_on(kind, 25_000, seed)


@pytest.mark.parametrize("doubles_played", [1, 2, 3])
def test_doubles_played_less_often(doubles_played: int) -> None:
    for case in positions("contrived", 600, seed=7):
        double = Case(case.board, (case.dice[0], case.dice[0]), case.family)
        assert_agreement(double, doubles_played=doubles_played)


@pytest.mark.parametrize("name", NAMED)
def test_exact_counts(name: str) -> None:
    position = position_of(NAMED[name])
    for rule, numbers in zip(MOVE_RULES, COUNTS[name], strict=True):
        found = [len(tables.legal_plays(GAMES[rule, 4], position, dice)) for dice in ROLLS]
        assert found == [int(number) for number in numbers.split()], rule


def test_starts() -> None:
    listed = tables.all_starts()
    assert listed == tuple(tuple(start) for start in twin_starts.all_starts())
    for start in listed:
        position = tables.start(*start)
        board = twin_starts.board_of(twin_starts.Start(*start))
        assert board_of_position(position) == board
        assert mirrored(position) == position
        assert tables.pips(position) == (pips(board.own), pips(board.other))


def test_pips_of_positions() -> None:
    for case in positions("contrived", 500, seed=12):
        assert tables.pips(position_of(case.board)) == (pips(case.board.own), pips(case.board.other))
        assert board_of_position(mirrored(position_of(case.board))) == turned(case.board)


def test_points_of_a_game() -> None:
    won = side({})
    seen: Counter[int] = Counter()
    for case in positions("contrived", 800, seed=13):
        lost = case.board.other
        position = position_of(Board(won, lost))
        for double in DoubleCondition:
            for triple in TripleCondition:
                match = PointMatch(double_condition=double, triple_condition=triple)
                expected = game_points(lost, double.value, triple.value)
                assert tables.points_of_win(match, position) == expected, f"{position} {double} {triple}"
                seen[expected] += 1
    assert set(seen) == {1, 2, 3}
