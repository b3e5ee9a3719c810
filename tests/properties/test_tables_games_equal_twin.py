"""Toutes tables: whole matches, replayed by the twin with the kernel's own dice, leave the same rows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from reference.tables.board import Board
from reference.tables.game import play_match
from reference.tables.starts import STANDARD, Start
from tables_bridge import board_of_position, position_of

from simkit import tables
from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
from simkit.kernel.dice import DICE_OF_1, DRAWING, PLACING, PLAYS, below, dice_of, philox
from simkit.players import Player
from simkit.rules import (
    DoubleCondition,
    MoveRule,
    OpeningRoll,
    PairFirstStarter,
    PointMatch,
    RuleSet,
    SecondGameOpening,
    StartSelection,
    Tables,
    TripleCondition,
)

SEED = 1818
Dice = tuple[int, int]


class KernelDice:
    """The words the kernel draws at each place of a match, and the play a random player takes by them."""

    def __init__(self, game: Tables, match: int) -> None:
        self.game, self.match = game, match

    def word(self, game: int, purpose: int, index: int) -> int:
        return int(philox(index >> 2, game, 0, purpose, SEED, self.match)[index & 3])

    def throws(self, game: int, purpose: int) -> Iterator[Dice]:
        return (dice_of(self.word(game, purpose, index)) for index in count())

    def placing(self, game: int, which: int) -> Iterator[Dice]:
        return self.throws(game, PLACING + which)

    def drawing(self, game: int) -> Iterator[Dice]:
        return self.throws(game, DRAWING)

    def roll(self, game: int, player: int, number: int) -> Dice:
        return dice_of(self.word(game, DICE_OF_1 + player, number))

    def choose(self, game: int, player: int, number: int, board: Board, dice: Dice) -> Board:
        plays = tables.legal_plays(self.game, position_of(board), dice)
        word = self.word(game, PLAYS + player, number)
        return board_of_position(plays[below(len(plays), word) if len(plays) > 1 else 0])


def options_of(rules: RuleSet) -> dict[str, Any]:
    game, match = rules.game, rules.match
    assert isinstance(game, Tables)
    assert isinstance(match, PointMatch)
    return {
        "start_selection": game.start_selection.value,
        "fixed_start": Start(*game.fixed_start) if game.fixed_start else STANDARD,
        "first_roll_method": game.first_roll_method.value,
        "move_rule": game.move_rule.value,
        "doubles_played": game.doubles_played,
        "match_points": match.match_points,
        "games_per_start": match.games_per_start,
        "double_condition": match.double_condition.value,
        "triple_condition": match.triple_condition.value,
        "pair_first_starter": match.pair_first_starter.value,
        "second_game_opening": match.second_game_opening.value,
        "match_end_mid_pair": match.match_end_mid_pair,
    }


def assert_same_rows(rules: RuleSet, matches: int) -> int:
    """Compare every column of every game; return how many games there were."""
    one: Player = player("random")
    chunk = play_chunk(rules, (one, one), SEED, 0, matches)
    rows = chunk.sets
    place = 0
    for match in range(matches):
        expected = play_match(options_of(rules), KernelDice(rules.game, match))
        for row in expected:
            found = {name: column[place].item() for name, column in rows.items()}
            assert found == {"match_id": match} | row, options_of(rules)
            place += 1
        points = [sum(row["points"] for row in expected if row["winner"] == who) for who in (1, 2)]
        whole = {name: column[match].item() for name, column in chunk.matches.items()}
        assert [whole["points_1"], whole["points_2"]] == points
        assert whole["winner"] == 1 + (points[1] > points[0])
        assert (whole["games"], whole["rolls"]) == (len(expected), sum(row["rolls"] for row in expected))
    assert place == len(rows["match_id"])
    return place


@pytest.mark.parametrize("name", ["toutes_tables_225", "backgammon_225", "toutes_tables", "backgammon"])
def test_matches_of_the_catalogue(name: str) -> None:
    assert assert_same_rows(rule_set(name), 2) >= 2


def random_rules(rng: random.Random) -> RuleSet:
    selection = rng.choice([*StartSelection])
    fixed = rng.choice(tables.all_starts()) if selection is StartSelection.FIXED else None
    return RuleSet(
        name="case",
        title="Random fields",
        game=Tables(
            start_selection=selection,
            fixed_start=fixed,
            first_roll_method=rng.choice([*OpeningRoll]),
            move_rule=rng.choice([*MoveRule]),
            doubles_played=rng.choice((4, 4, 3, 2, 1)),
        ),
        match=PointMatch(
            match_points=rng.choice((1, 2, 3, 5)),
            games_per_start=rng.choice((1, 2, 2, 3)),
            double_condition=rng.choice([*DoubleCondition]),
            triple_condition=rng.choice([*TripleCondition]),
            pair_first_starter=rng.choice([*PairFirstStarter]),
            second_game_opening=rng.choice([*SecondGameOpening]),
            match_end_mid_pair=rng.random() < 0.5,
        ),
    )


def test_matches_under_random_fields() -> None:
    rng = random.Random(1699)
    assert sum(assert_same_rows(random_rules(rng), 1) for _ in range(24)) > 60


@pytest.mark.slow
def test_many_matches_under_random_fields() -> None:
    rng = random.Random(1852)
    assert sum(assert_same_rows(random_rules(rng), 2) for _ in range(150)) > 600
