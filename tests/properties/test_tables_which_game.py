"""Toutes tables: which game of its start a score leaves, and how a match goes on from it, against the twin."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from reference.tables.going_on import possible_places
from test_tables_from_states_equal_twin import assert_goes_on_alike
from test_tables_games_equal_twin import RANDOM, options_of

from simkit import tables
from simkit.catalogue import player, rule_set
from simkit.drivers import State, check_state, play_chunk
from simkit.drivers.tables_state import game_of
from simkit.errors import UsageError
from simkit.players import Doubling
from simkit.position import parse
from simkit.rules import PairFirstStarter, SecondGameOpening

LATE = parse("22 23:2 off:12 | 5:7 6:7 24")
START = (1, 6, 1, 5)
PAIRS = rule_set("toutes_tables_225").with_match(match_points=3)
CUBE = rule_set("backgammon_225_cube").with_match(match_points=5)


@pytest.mark.parametrize(
    ("points", "games", "whole"), [*product((2, 3, 5), (2, 3, 4), (True, False)), (4, 1, True)]
)
def test_the_score_tells_the_game(points: int, games: int, whole: bool) -> None:
    """By every match that leads to it, and by arithmetic."""
    for rules in (PAIRS, CUBE, CUBE.with_match(cube_limit=2)):
        rules = rules.with_match(match_points=points, games_per_start=games, match_end_mid_pair=whole)
        for score in product(range(points + 3), repeat=2):
            places = possible_places(score, options_of(rules))
            if score == (0, 0):
                continue
            if not places:
                with pytest.raises(UsageError, match=f"match score {score[0]}-{score[1]}: "):
                    check_state(State(LATE, match_score=score), rules)
                continue
            told = max(places) if len(places) == 1 or games not in places else 0
            assert game_of(State(LATE, match_score=score), rules.match) == told, (score, places)
            for game in range(1, games + 1):
                said = State(LATE, match_score=score, game_of_start=game)
                assert game_of(said, rules.match) == game


@pytest.mark.parametrize("begins", PairFirstStarter)
def test_a_match_goes_on_by_the_game_that_the_score_tells(begins: PairFirstStarter) -> None:
    rules = PAIRS.with_match(pair_first_starter=begins, match_points=7)
    for score, game, start in (((1, 1), 1, START), ((1, 0), 2, None), ((0, 2), 0, None), ((2, 1), 0, None)):
        for roller in (0, 1):
            unsaid = State(LATE, roller=roller, match_score=score, start_dice=start)
            check_state(unsaid, rules)
            rows = assert_goes_on_alike(rules, unsaid, (RANDOM, RANDOM))
            if game:
                said = replace(unsaid, game_of_start=game, first_player=roller)
                assert rows == assert_goes_on_alike(rules, said, (RANDOM, RANDOM))
            if score == (1, 1):
                second = rows[1]
                assert tuple(second[f"start_{letter}"] for letter in "abcd") == START
                assert second["first_player"] == 2 - roller


def test_the_game_that_the_score_tells_needs_its_start() -> None:
    with pytest.raises(UsageError, match="game 1 of 2 from its start, which 1-1 tells"):
        check_state(State(LATE, match_score=(1, 1)), PAIRS)
    check_state(State(tables.start(*START), match_score=(1, 1)), PAIRS)
    check_state(State(LATE, match_score=(1, 1)), rule_set("toutes_tables").with_match(games_per_start=2))


# ---------------------------------------------------------------- the cube before the first roll


DOUBLING = player("tables_cube").decision
assert isinstance(DOUBLING, Doubling)
EAGER = replace(
    player("random"),
    name="eager",
    decision=replace(DOUBLING, offer_from=0, redouble_from=0, play_on_from=1000, take_from=1000),
)
"""Doubles at once, and takes nothing."""


@pytest.mark.parametrize(("score", "game"), [((0, 0), 0), ((0, 0), 1), ((1, 1), 0), ((2, 1), 0)])
def test_nobody_doubles_before_the_first_roll(score: tuple[int, int], game: int) -> None:
    state = State(tables.start(*START), match_score=score, game_of_start=game)
    check_state(state, CUBE)
    rows = assert_goes_on_alike(CUBE, state, (EAGER, EAGER))
    assert rows[0]["ended_by"] == "drop" and rows[0]["rolls"] == 1 and rows[0]["opening_1"] > 0


def test_a_cube_that_was_turned_tells_of_a_game_that_has_begun() -> None:
    state = State(tables.start(*START), cube=2, cube_owner=0)
    rows = assert_goes_on_alike(CUBE, state, (EAGER, EAGER))
    assert (rows[0]["ended_by"], rows[0]["rolls"], rows[0]["opening_1"]) == ("drop", 0, 0)


def test_a_drop_before_the_roll_leaves_the_next_game_its_opening() -> None:
    """The same roll as the first: it has been thrown, or the state tells it."""
    rules = CUBE.with_match(second_game_opening=SecondGameOpening.SAME_ROLL_AS_FIRST, match_points=9)
    state = State(LATE, game_of_start=1, start_dice=START, opening_roll=(6, 1))
    turned = State(tables.start(*START), game_of_start=1, cube=2, cube_owner=0)
    with pytest.raises(UsageError, match="nothing tells which it was"):
        check_state(turned, rules)
    for one in (state, replace(turned, opening_roll=(6, 1)), replace(turned, cube=1, cube_owner=-1)):
        check_state(one, rules)
        rows = assert_goes_on_alike(rules, one, (EAGER, EAGER))
        opened = (rows[0]["opening_1"], rows[0]["opening_2"])
        assert (rows[0]["rolls"] == 0) == (opened == (0, 0)) == (one.opening_roll is not None)
        assert (rows[1]["opening_1"], rows[1]["opening_2"]) == (one.opening_roll or opened)
        chunk = play_chunk(rules, (EAGER, EAGER), 5, 0, 20, (one,))
        later = chunk.sets["set_no"] > 1
        assert np.all(chunk.sets["opening_1"][later] > 0)
