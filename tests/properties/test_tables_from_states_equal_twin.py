"""Toutes tables: matches that go on from states, replayed by the twin with the kernel's own dice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from reference.tables.cube import Cube
from reference.tables.game import play_match
from reference.tables.going_on import UnderWay
from reference.tables.positions import positions
from reference.tables.starts import Start
from tables_bridge import board_of_position, position_of
from test_tables_games_equal_twin import (
    RANDOM,
    SEED,
    KernelDice,
    doubler,
    options_of,
    random_rules,
    with_cube,
)

from simkit import tables
from simkit.catalogue import player, rule_set
from simkit.drivers import State, check_state, play_chunk, read_state, write_score
from simkit.errors import UsageError
from simkit.kernel.tables.records import GAME_ENDED_BY
from simkit.lockstep import LockStep
from simkit.players import Doubling, OwnPlay, Player, RandomPlay
from simkit.position import parse
from simkit.rules import PairFirstStarter, PointMatch, RuleSet, SecondGameOpening


def under_way(state: State) -> UnderWay:
    """A state in the twin's terms."""
    told = bool(state.game_of_start)
    return UnderWay(
        board_of_position(state.position),
        state.roller,
        state.dice,
        state.match_score,
        Cube(state.cube, None if state.cube_owner < 0 else state.cube_owner),
        state.crawford_past,
        state.game_of_start or None,
        state.first_player if told else None,
        Start(*state.start_dice) if state.start_dice else None,
        None if state.opening_roll is None else (state.opening_roll[0], state.opening_roll[1]),
    )


def assert_goes_on_alike(
    rules: RuleSet, state: State, pair: tuple[Player, Player], match: int = 0
) -> list[dict[str, Any]]:
    """Compare every column of every game of one match from a state; the twin's rows."""
    chunk = play_chunk(rules, pair, SEED, match, 1, (state,))
    expected = play_match(options_of(rules), KernelDice(rules.game, match, pair), under_way(state))
    assert len(chunk.sets["match_id"]) == len(expected), (options_of(rules), state)
    for place, row in enumerate(expected):
        found = {name: column[place].item() for name, column in chunk.sets.items()}
        found["ended_by"] = GAME_ENDED_BY[found["ended_by"]]
        assert found == {"match_id": match} | row, (place, options_of(rules), state)
    points = [
        state.match_score[who - 1] + sum(row["points"] for row in expected if row["winner"] == who)
        for who in (1, 2)
    ]
    whole = {name: column[0].item() for name, column in chunk.matches.items()}
    assert [whole["points_1"], whole["points_2"]] == points
    assert whole["winner"] == 1 + (points[1] > points[0])
    return expected


def drawn_states(rng: random.Random, rules: RuleSet) -> Iterator[State]:
    """States of all kinds; many of them no match leads to."""
    match = rules.match
    assert isinstance(match, PointMatch)
    cases = positions(rng.choice(("played", "contrived")), 500, rng.randrange(10**6))
    for case in cases:
        cube = rng.choice((1, 1, 2, 4, 8)) if match.cube else 1
        roller, opens = rng.randrange(2), rng.random() < 0.2
        start = rng.choice(tables.all_starts())
        game = rng.choice((0, *range(1, match.games_per_start + 1)))
        score = [rng.randrange(match.match_points + 2), rng.randrange(match.match_points + 2)]
        past = match.cube and match.crawford and rng.random() < 0.3
        if match.cube and rng.random() < 0.1:
            score = [match.match_points - 1] * 2
        elif past:
            score[rng.randrange(2)] = match.match_points - 1
        yield State(
            tables.start(*start) if opens else position_of(case.board),
            roller=roller,
            first_player=roller if opens or not game else rng.randrange(2),
            dice=case.dice if rng.random() < 0.3 else None,
            match_score=(score[0], score[1]),
            cube=cube,
            cube_owner=-1 if cube == 1 else roller if rng.random() < 0.7 else 1 - roller,
            crawford_past=past,
            game_of_start=game,
            start_dice=start if rng.random() < 0.5 else None,
            opening_roll=rng.choice((None, (6, 1), (3, 3))),
        )


def possible(rules: RuleSet, state: State) -> bool:
    try:
        check_state(state, rules)
    except UsageError:
        return False
    return True


def states(rng: random.Random, rules: RuleSet, count: int) -> list[State]:
    """States that can be under these rules, a few of those that go on alike."""
    found = []
    for state in drawn_states(rng, rules):
        if possible(rules, state):
            found.append(state)
        if len(found) == count:
            break
    return found


def matches_from_states(rng: random.Random, rule_sets: int, each: int) -> dict[str, int]:
    """Compare matches; how often what was seen."""
    seen = dict.fromkeys(("matches", "pairs", "dropped before a roll", "doubled on", "beyond", "past"), 0)
    for number in range(rule_sets):
        rules = with_cube(rng) if number % 3 else random_rules(rng)
        pair = (doubler(rng), doubler(rng)) if number % 3 else (RANDOM, RANDOM)
        assert isinstance(rules.match, PointMatch)
        for match, state in enumerate(states(rng, rules, each)):
            rows = assert_goes_on_alike(rules, state, pair, match)
            seen["matches"] += 1
            seen["pairs"] += 0 < state.game_of_start < rules.match.games_per_start and len(rows) > 1
            seen["dropped before a roll"] += rows[0]["rolls"] == 0
            seen["doubled on"] += state.cube > 1 and rows[0]["cube"] > state.cube
            seen["beyond"] += max(state.match_score) >= rules.match.match_points
            seen["past"] += state.crawford_past
    return seen


LATE = parse("22 23:2 off:12 | 5:7 6:7 24")
EARLY = tables.start(1, 6, 1, 5)


def pairs_from_states(rng: random.Random, most_games: int) -> None:
    """Compare matches that go on from each game of two or three, by every rule of who begins and how."""
    for begins, opens, games in product(PairFirstStarter, SecondGameOpening, range(2, most_games + 1)):
        rules = rule_set("toutes_tables_225").with_match(
            match_points=4, games_per_start=games, pair_first_starter=begins, second_game_opening=opens
        )
        again = opens is SecondGameOpening.SAME_ROLL_AS_FIRST
        for game in range(games + 1):
            more = 0 < game < games
            state = State(
                rng.choice((LATE, LATE, EARLY)) if not more else LATE,
                roller=rng.randrange(2),
                first_player=rng.randrange(2),
                match_score=(0, max(game - 1, 0)),
                game_of_start=game,
                start_dice=rng.choice(tables.all_starts()) if more else None,
                opening_roll=(rng.randint(1, 6), rng.randint(1, 6)) if more and again else None,
            )
            check_state(state, rules)
            assert_goes_on_alike(rules, state, (RANDOM, RANDOM), rng.randrange(100))


def test_every_pairing_from_each_of_its_games() -> None:
    pairs_from_states(random.Random(1822), 3)


def cube_from_states() -> None:
    """Compare matches whose first roll may be doubled before: cube his, the other's, resting, used again."""
    rules = rule_set("backgammon_cube")
    doubling = player("tables_cube").decision
    assert isinstance(doubling, Doubling)
    early = replace(doubling, offer_from=500, redouble_from=500, play_on_from=1000, take_from=400)
    pair = (replace(player("random"), name="early", decision=early),) * 2
    state = State(parse("20 23:2 off:12 | 6:3 5:3 off:9"), match_score=(3, 5), cube=2, cube_owner=0)
    check_state(state, rules)
    rows = assert_goes_on_alike(rules, state, pair)
    assert (rows[0]["ended_by"], rows[0]["rolls"], rows[0]["points"]) == ("drop", 0, 2)
    theirs = assert_goes_on_alike(rules, replace(state, cube_owner=1), pair)
    assert theirs[0]["rolls"] > 0
    rests = assert_goes_on_alike(rules, replace(state, match_score=(3, 6), cube=1, cube_owner=-1), pair)
    assert rests[0]["ended_by"] == "win" and rests[0]["cube"] == 1
    past = replace(state, match_score=(3, 6), crawford_past=True)
    assert assert_goes_on_alike(rules, past, pair)[0]["ended_by"] == "drop"


def test_the_cube_of_a_match_that_goes_on() -> None:
    cube_from_states()


def test_matches_go_on_as_the_twin_plays_them() -> None:
    seen = matches_from_states(random.Random(1823), 30, 3)
    assert seen["matches"] > 60, seen
    assert min(found for name, found in seen.items() if name != "dropped before a roll") > 0, seen


@pytest.mark.slow
def test_many_matches_go_on_as_the_twin_plays_them() -> None:
    seen = matches_from_states(random.Random(1824), 120, 6)
    assert min(seen.values()) > 5, seen


def test_all_of_a_chunk_as_each_alone() -> None:
    """States of all kinds side by side: games of one round belong to different games of their starts."""
    rng = random.Random(1825)
    for rules in (
        with_cube(rng).with_match(games_per_start=3),
        random_rules(rng).with_match(games_per_start=2),
    ):
        pair = (doubler(rng), doubler(rng))
        given = tuple(states(rng, rules, 7))
        assert len({state.game_of_start for state in given}) > 1
        whole = play_chunk(rules, pair, SEED, 0, 21, given)
        for match in range(21):
            alone = play_chunk(rules, pair, SEED, match, 1, (given[match % 7],))
            for name, column in whole.sets.items():
                assert np.array_equal(column[whole.sets["match_id"] == match], alone.sets[name]), name
            for name, column in whole.matches.items():
                assert column[match] == alone.matches[name][0], name


def test_lock_step_from_states_is_the_fused_play() -> None:
    rules = rule_set("backgammon_225_cube")
    given = tuple(states(random.Random(1826), rules, 5))
    cube = player("tables_cube")
    outside = replace(cube, name="outside", choice=OwnPlay(function=None, version="1"))
    fused = play_chunk(rules, (replace(cube, name="outside", choice=RandomPlay()), cube), SEED, 0, 20, given)
    table = LockStep(rules, (outside, cube), matches=20, seed=SEED, starts=given, abreast=6)
    while table.running:
        rolls = table.observe()
        table.choose(rolls.draw(rolls.counts))
    for kept, played in ((table.columns.sets, fused.sets), (table.columns.matches, fused.matches)):
        assert kept.keys() == played.keys()
        for name, column in played.items():
            assert np.array_equal(kept[name], column), name


def test_the_score_of_a_state_as_text() -> None:
    rng = random.Random(1827)
    for number in range(12):
        rules = with_cube(rng) if number % 2 else random_rules(rng)
        for state in states(rng, rules, 8):
            again = read_state(state.position, write_score(state), to_roll=state.roller + 1, dice=state.dice)
            assert replace(again, rolls_of=state.rolls_of) == state, write_score(state)
            assert State.from_plain(state.to_plain()) == state
