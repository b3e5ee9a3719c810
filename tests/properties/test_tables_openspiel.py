"""The rule set `backgammon` against an independent engine, OpenSpiel, where `pip install open_spiel` put it.

OpenSpiel plays a double as two turns of two numbers each, and wants most numbers played in each turn by itself.
Both turns are put together here, and of what comes out the ways that play most numbers are kept; in 20,000
positions none had to be left out, and no rule was found that differs.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from simkit import tables
from simkit.catalogue import rule_set
from simkit.position import MEN, Position

pyspiel: Any = pytest.importorskip("pyspiel")

BAR = 100
"""What OpenSpiel calls the place of the bar."""
UNPLAYED = -1
"""And that of a number that is not played."""


def position_of(state: Any, player: int) -> Position:
    """The board as the player sees it: player 0 travels from place 0 up, player 1 from place 23 down."""
    places = range(24) if player == 0 else range(23, -1, -1)
    men = [tuple(state.board(side, place) for place in places) for side in (player, 1 - player)]
    bar = state.board(player, BAR), state.board(1 - player, BAR)
    off = MEN - sum(men[0]) - bar[0], MEN - sum(men[1]) - bar[1]
    return Position(men[0], men[1], off, bar)


def dice_of(state: Any) -> tuple[int, int]:
    found = re.search(r"Dice: ?([1-6])([1-6])", str(state))
    assert found, str(state)
    return int(found[1]), int(found[2])


def numbers_played(state: Any, player: int, action: int) -> int:
    return sum(move.pos != UNPLAYED for move in state.spiel_move_to_checker_moves(player, action))


def turns(state: Any, player: int) -> Iterator[tuple[int, Position]]:
    """Every way through the turn, with the second turn of a double: numbers played, and the position after."""
    for action in state.legal_actions():
        played = numbers_played(state, player, action)
        child = state.child(action)
        if child.is_terminal() or child.is_chance_node() or child.current_player() != player:
            yield played, position_of(child, player)
            continue
        for more, position in turns(child, player):
            yield played + more, position


def assert_agreement(positions: int, seed: int) -> Counter[str]:
    """Compare so many positions reached in random play; return how often the turns of doubles had to be sifted."""
    rng = random.Random(seed)
    game = rule_set("backgammon").game
    assert isinstance(game, tables.Tables)
    seen: Counter[str] = Counter()
    state = pyspiel.load_game("backgammon").new_initial_state()
    while seen["positions"] < positions:
        if state.is_terminal():
            state = pyspiel.load_game("backgammon").new_initial_state()
        if state.is_chance_node():
            state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
            continue
        player, dice = state.current_player(), dice_of(state)
        position = position_of(state, player)
        ways = list(turns(state, player))
        most = max(played for played, _ in ways)
        found = {after for played, after in ways if played == most}
        expected = set(tables.legal_plays(game, position, dice))
        assert found == expected, f"{position} roll {dice}\n{sorted(map(str, found ^ expected))}"
        seen["positions"] += 1
        seen["on the bar"] += position.bar[0] > 0
        seen["bearing off"] += any(after.off[0] > position.off[0] for after in expected)
        seen["sifted"] += len({after for _, after in ways}) > len(found)
        while not state.is_terminal() and not state.is_chance_node() and state.current_player() == player:
            state.apply_action(rng.choice(state.legal_actions()))
    return seen


def test_the_plays_of_positions_reached_in_play() -> None:
    assert_agreement(500, seed=1)


@pytest.mark.slow
def test_the_plays_of_twenty_thousand_positions() -> None:
    seen = assert_agreement(20_000, seed=2)
    assert seen["sifted"] == 0
    assert seen["on the bar"] > 1_000
    assert seen["bearing off"] > 1_000
