"""Toutes tables: what a position is worth to a player, and his chance of winning, equal the twin's."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from reference.tables import chance
from reference.tables.board import OFF, Board
from tables_bridge import board_of_position, position_of
from test_tables_games_equal_twin import weights_of
from test_tables_invariants import rolls_of_play

from simkit import tables
from simkit.catalogue import player
from simkit.kernel.tables.entries import choose, judge_chances, list_positions, values_of_plays
from simkit.kernel.tables.lower import lower_tables
from simkit.kernel.tables.plays import MAX_PLAYS
from simkit.players import Doubling, Player, RandomPlay, TablesEvaluation, lower_tables_players
from simkit.position import MEN, Position
from simkit.rules import PointMatch, Tables, fields_of

GAME = Tables()
Dice = tuple[int, int]


def evaluators(rng: random.Random, count: int) -> Iterator[Player]:
    """The player of the catalogue, and others of random weights."""
    yield player("tables_linear")
    names = [name for name in fields_of(TablesEvaluation) if name != "candidates"]
    for _ in range(count):
        weights = {name: rng.randint(-50, 120) for name in names}
        yield Player(name="one", title="One", choice=TablesEvaluation(**weights))


def doublers(rng: random.Random, count: int) -> Iterator[Player]:
    yield player("tables_cube")
    names = [name for name in fields_of(Doubling) if name.startswith(("race", "contact"))]
    for _ in range(count):
        decision = Doubling(**{name: rng.randint(-3000, 3000) for name in names})
        yield Player(name="one", title="One", choice=RandomPlay(), decision=decision)


def seen(one: Player, position: Position, dice: Dice) -> tuple[list[Position], list[int], int]:
    """Plays of a roll, what each is worth to a player, and which he takes, by the kernel."""
    record, words = lower_tables_players((one,)), tables.words_of(position)
    plays, values = np.empty((3, MAX_PLAYS), np.int64), np.empty(MAX_PLAYS, np.int64)
    rules = lower_tables(GAME, PointMatch())
    count, _ = list_positions(rules, words, *dice, plays)
    values_of_plays(record, words, plays, count, values)
    chosen, _ = choose(rules, record, words, plays, count)
    listed = [tables.after(position, *(int(word) for word in row)) for row in plays[:, :count].T]
    return listed, values[:count].tolist(), chosen


def assert_same_worth(games: int, players: int) -> int:
    """Compare what plays are worth along random games; return how many plays."""
    rng = random.Random(5)
    compared = 0
    for one in evaluators(rng, players - 1):
        weights = weights_of(one.choice)
        for position, dice, _ in rolls_of_play(games, seed=rng.randrange(1000)):
            plays, values, chosen = seen(one, position, dice)
            boards = [board_of_position(play) for play in plays]
            if any(board.own[OFF] == MEN for board in boards):
                continue
            wanted = [chance.worth(weights, board) for board in boards]
            assert values == wanted, (position, dice, weights)
            assert chosen == chance.best(wanted)
            compared += len(plays)
    return compared


def test_the_worth_of_every_play_equals_the_twin() -> None:
    assert assert_same_worth(games=1, players=4) > 3_000


def test_who_looks_ahead_takes_the_play_of_the_twin() -> None:
    """Before anybody bears off, so that no reply ends the game."""
    one, other_than_at_once = player("tables_lookahead"), 0
    assert isinstance(one.choice, TablesEvaluation)

    def replies(board: Board, dice: Dice) -> list[Board]:
        listed = tables.legal_plays(GAME, position_of(board), dice)
        return [board_of_position(play) for play in listed]

    met = [moment for moment in rolls_of_play(2, seed=21) if len(moment[2]) > 1 and moment[0].off == (0, 0)]
    for position, dice, _ in met[3:80:4]:
        plays, values, chosen = seen(one, position, dice)
        boards = [board_of_position(play) for play in plays]
        weights = weights_of(one.choice)
        assert chosen == chance.looked_ahead(weights, boards, one.choice.candidates, replies)
        other_than_at_once += chosen != chance.best(values)
    assert other_than_at_once > 1


def test_the_play_that_ends_the_game_is_best() -> None:
    position = tables.read("20 24 off:13 | 18:2 off:13")
    plays, _, chosen = seen(player("tables_linear"), position, (6, 5))
    assert board_of_position(plays[chosen]).own[OFF] == MEN


def judged(one: Player, positions: list[Position]) -> Any:
    odds = np.empty(len(positions), np.int64)
    judge_chances(lower_tables_players((one,)), np.array([tables.words_of(p) for p in positions]), odds)
    return odds


def assert_same_chances(games: int, players: int) -> tuple[int, int]:
    """Compare chances along random games; return how many positions, and how many of them were races."""
    rng = random.Random(6)
    positions = [position for position, _, _ in rolls_of_play(games, seed=8)]
    boards = [board_of_position(position) for position in positions]
    for one in doublers(rng, players - 1):
        weights = weights_of(one.decision)
        wanted = [chance.log_odds(weights, board) for board in boards]
        assert judged(one, positions).tolist() == wanted
    return len(boards), sum(map(chance.is_race, boards))


def test_the_chance_equals_the_twin() -> None:
    compared, races = assert_same_chances(games=20, players=6)
    assert 50 < races < compared - 500


def test_every_weight_counts_somewhere() -> None:
    """So that none of them is compared nought with nought."""
    positions = [position for position, _, _ in rolls_of_play(20, seed=9)]
    for name in fields_of(Doubling):
        if name.startswith(("race", "contact")):
            one = Player(name="one", title="One", choice=RandomPlay(), decision=Doubling(**{name: 1}))
            assert len(set(judged(one, positions).tolist())) > 1, name
