"""Toutes tables: whole matches, replayed by the twin with the kernel's own dice, leave the same rows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from reference.tables import chance
from reference.tables.board import Board
from reference.tables.cube import Cube
from reference.tables.game import play_match
from reference.tables.starts import STANDARD, Start
from tables_bridge import board_of_position, position_of

from simkit import tables
from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
from simkit.kernel.dice import DICE_OF_1, DRAWING, PLACING, PLAYS, below, dice_of, philox
from simkit.kernel.tables.records import GAME_ENDED_BY
from simkit.players import CoinToss, Doubling, Player, RandomPlay
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
    fields_of,
    replace,
)

SEED = 1818
Dice = tuple[int, int]


class KernelDice:
    """The words the kernel draws at each place of a match, and the play a random player takes by them."""

    def __init__(self, game: Tables, match: int, players: tuple[Player, Player]) -> None:
        self.game, self.match, self.players = game, match, players

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

    def offers(self, player: int, board: Board, cube: Cube, needed: tuple[int, int]) -> bool:
        doubling = self.players[player].decision
        return isinstance(doubling, Doubling) and chance.offers(weights_of(doubling), board, cube, needed)

    def takes(self, player: int, board: Board) -> bool:
        doubling = self.players[player].decision
        return not isinstance(doubling, Doubling) or chance.takes(weights_of(doubling), board)


def weights_of(part: object) -> dict[str, int]:
    """Fields of a player's choice or decision by name."""
    return {name: getattr(part, name) for name in fields_of(type(part))}


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
        "cube": match.cube,
        "cube_limit": match.cube_limit,
        "crawford": match.crawford,
    }


RANDOM = player("random")


def assert_same_rows(rules: RuleSet, matches: int, pair: tuple[Player, Player] = (RANDOM, RANDOM)) -> int:
    """Compare every column of every game; return how many games there were."""
    chunk = play_chunk(rules, pair, SEED, 0, matches)
    rows = chunk.sets
    place = 0
    for match in range(matches):
        expected = play_match(options_of(rules), KernelDice(rules.game, match, pair))
        for row in expected:
            found = {name: column[place].item() for name, column in rows.items()}
            found["ended_by"] = GAME_ENDED_BY[found["ended_by"]]
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
    game = Tables(
        start_selection=selection,
        fixed_start=fixed,
        first_roll_method=rng.choice([*OpeningRoll]),
        move_rule=rng.choice([*MoveRule]),
        doubles_played=rng.choice((4, 4, 3, 2, 1)),
    )
    fields: dict[str, Any] = {
        "match_points": rng.choice((1, 2, 3, 5)),
        "games_per_start": rng.choice((1, 2, 2, 3)),
        "double_condition": rng.choice([*DoubleCondition]),
        "triple_condition": rng.choice([*TripleCondition]),
        "pair_first_starter": rng.choice([*PairFirstStarter]),
        "second_game_opening": rng.choice([*SecondGameOpening]),
        "match_end_mid_pair": rng.random() < 0.5,
    }
    if fields["games_per_start"] == 1:  # where the rules of later games are at their defaults
        del fields["second_game_opening"], fields["match_end_mid_pair"]
    return RuleSet(name="case", title="Random fields", game=game, match=PointMatch(**fields))


def test_matches_under_random_fields() -> None:
    rng = random.Random(1699)
    assert sum(assert_same_rows(random_rules(rng), 1) for _ in range(24)) > 60


FITTED = player("tables_cube").decision
assert isinstance(FITTED, Doubling)


def with_cube(rng: random.Random) -> RuleSet:
    """Random fields, the cube among them."""
    rules = random_rules(rng)
    return rules.with_match(
        match_points=rng.choice((1, 3, 5, 9, 15, 25)),
        cube=True,
        cube_limit=rng.choice((2, 4, 8, 32, 32)),
        crawford=rng.random() < 0.6,
    )


def doubler(rng: random.Random) -> Player:
    """A player who takes any play, and doubles early or late by the fitted chance; or never doubles."""
    early = rng.choice((350, 500, 650, 900))
    doubling = replace(
        FITTED,
        offer_from=early,
        redouble_from=rng.choice((early, 600, 750)),
        play_on_from=rng.choice((1000, 950, 800)),
        take_from=rng.choice((0, 50, 150, 400)),
    )
    return Player(
        name="doubler",
        title="Doubles",
        choice=RandomPlay(),
        decision=rng.choice((doubling, doubling, doubling, CoinToss())),
    )


def cubed_matches(rng: random.Random, rule_sets: int) -> tuple[int, set[tuple[str, int, int]]]:
    """Compare matches with the cube; games, and the ends, cubes and owners that were seen."""
    games, seen = 0, set()
    for _ in range(rule_sets):
        rules, pair = with_cube(rng), (doubler(rng), doubler(rng))
        games += assert_same_rows(rules, 1, pair)
        rows = play_chunk(rules, pair, SEED, 0, 20).sets
        ends = zip(*(rows[name].tolist() for name in ("ended_by", "cube", "cube_owner")), strict=True)
        seen |= {(GAME_ENDED_BY[ended_by], cube, owner) for ended_by, cube, owner in ends}
    return games, seen


def test_matches_with_the_cube() -> None:
    games, seen = cubed_matches(random.Random(1920), 24)
    assert games > 60
    assert {("drop", 1), ("drop", 2), ("win", 1), ("win", 2), ("win", 16)} <= {
        (how, cube) for how, cube, _ in seen
    }
    assert {owner for _, _, owner in seen} == {0, 1, 2}
    assert not {(cube, owner) for _, cube, owner in seen if (cube == 1) != (owner == 0)}


@pytest.mark.slow
def test_many_matches_with_the_cube() -> None:
    assert cubed_matches(random.Random(1931), 150)[0] > 400


@pytest.mark.slow
def test_many_matches_under_random_fields() -> None:
    rng = random.Random(1852)
    assert sum(assert_same_rows(random_rules(rng), 2) for _ in range(150)) > 600
