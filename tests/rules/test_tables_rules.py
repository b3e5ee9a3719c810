"""Toutes tables and backgammon as rule sets: their fields, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from simkit import catalogue
from simkit.errors import ConfigError, UsageError
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
    Trictrac,
    TripleCondition,
    Written,
    apply_all,
    diff,
    start_fault,
)

NAMES = ("toutes_tables_225", "backgammon_225", "toutes_tables", "backgammon")


def test_the_presets_are_the_columns_of_the_sources() -> None:
    random, standard = StartSelection.RANDOM_225, StartSelection.STANDARD
    points, dice = MoveRule.MAX_POINTS, MoveRule.MAX_DICE
    lepeintre, modern = DoubleCondition.OFF0_AND_NOT_ALL_HOME, DoubleCondition.OFF0
    none, triple = TripleCondition.NONE, TripleCondition.BAR_OR_IN_WINNER_HOME
    wanted = (
        (random, 2, points, lepeintre, none),
        (random, 2, dice, modern, triple),
        (standard, 1, points, lepeintre, none),
        (standard, 1, dice, modern, triple),
    )
    for name, column in zip(NAMES, wanted, strict=True):
        rules = catalogue.rule_set(name)
        game, match = rules.game, rules.match
        assert isinstance(game, Tables)
        assert isinstance(match, PointMatch)
        found = (game.start_selection, match.games_per_start, game.move_rule)
        assert (*found, match.double_condition, match.triple_condition) == column
        assert game.first_roll_method is OpeningRoll.DRAW_IS_FIRST_THROW
        assert (game.doubles_played, match.match_points, match.cube) == (4, 3, False)
        assert match.pair_first_starter is PairFirstStarter.DRAW
        assert match.second_game_opening is SecondGameOpening.FRESH_THROW
        assert match.match_end_mid_pair
        assert rules.settlement is None
        assert rules.play_digest == rules.digest


def test_the_cube_is_the_only_difference() -> None:
    for name in ("backgammon_225", "backgammon"):
        found = {one.path: (one.a, one.b) for one in diff(*map(catalogue.rule_set, (name, f"{name}_cube")))}
        assert found == {"match.cube": (False, True), "match.match_points": (3, 7)}
    match = catalogue.rule_set("backgammon_cube").match
    assert isinstance(match, PointMatch)
    assert (match.cube_limit, match.crawford) == (32, True)


def test_fields_of_the_cube_change_no_digest_at_their_defaults() -> None:
    rules = catalogue.rule_set("backgammon_cube")
    assert rules.with_match(cube_limit=32, crawford=True).digest == rules.digest
    assert rules.with_match(cube_limit=16).digest != rules.digest
    assert rules.with_match(cube=False, match_points=3).digest == catalogue.rule_set("backgammon").digest


@pytest.mark.parametrize("name", NAMES)
def test_json_gives_the_same_rule_set_back(name: str) -> None:
    rules = catalogue.rule_set(name)
    assert RuleSet.from_json(rules.to_json()) == rules


def test_a_fixed_start_is_kept_in_json() -> None:
    rules = catalogue.rule_set("backgammon").with_game(
        start_selection=StartSelection.FIXED, fixed_start=(2, 3, 4, 6)
    )
    assert '"fixed_start": [\n   ' in rules.to_json()
    assert RuleSet.from_json(rules.to_json()) == rules
    path = "game.fixed_start"
    assert apply_all(rules, {path: [1, 2, 3, 4]}).with_game(fixed_start=(2, 3, 4, 6)).digest == rules.digest


def test_a_game_that_does_not_say_which_is_trictrac() -> None:
    rules = RuleSet.from_json(
        '{"schema": "simkit.rule_set/1", "name": "a", "title": "A", "game": {}, "match": {"type": "Written"}}'
    )
    assert isinstance(rules.game, Trictrac)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"start_selection": StartSelection.FIXED}, "game.fixed_start: none is not allowed"),
        ({"fixed_start": (1, 2, 3, 4)}, "together with game.start_selection random_225 is not allowed"),
        (
            {"start_selection": StartSelection.FIXED, "fixed_start": (2, 2, 3, 4)},
            "fall equal are thrown again",
        ),
        ({"start_selection": StartSelection.FIXED, "fixed_start": (1, 2, 4, 3)}, "a < b and c < d"),
        (
            {"start_selection": StartSelection.FIXED, "fixed_start": (1, 2, 3, 7)},
            r"fixed_start\[3\]: 7 is not",
        ),
        ({"start_selection": StartSelection.FIXED, "fixed_start": (1, 2, 3)}, "four dice a < b and c < d"),
        ({"doubles_played": 5}, "game.doubles_played: 5 is not allowed; 1, 2, 3 or 4"),
        ({"move_rule": "max_dice"}, "write MoveRule.MAX_DICE"),
    ],
)
def test_games_that_cannot_be(values: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        Tables(**values)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"match_points": 0}, "match.match_points: 0 is not allowed; a whole number from 1 to 100"),
        ({"games_per_start": 0}, "match.games_per_start: 0 is not allowed"),
        (
            {"games_per_start": 1, "second_game_opening": SecondGameOpening.NON_DOUBLE},
            "match.second_game_opening: non_double is not allowed where a start serves one game",
        ),
        (
            {"games_per_start": 1, "match_end_mid_pair": False},
            "match.match_end_mid_pair: false is not allowed where a start serves one game",
        ),
        ({"cube": 1}, "match.cube: 1 is not allowed; true or false"),
        ({"cube": True, "cube_limit": 12}, "match.cube_limit: 12 is not allowed; 2, 4, 8, 16 or 32"),
        ({"cube": True, "cube_limit": 64}, "match.cube_limit: 64 is not allowed; 2, 4, 8, 16 or 32"),
        ({"cube_limit": 8}, "match.cube_limit: 8 is not allowed without the cube; it needs match.cube true"),
        ({"crawford": False}, "match.crawford: false is not allowed without the cube"),
    ],
)
def test_matches_that_cannot_be(values: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        PointMatch(**values)


def test_game_and_match_must_be_of_one_family() -> None:
    words = "match.type: {} is not allowed with the game {}; {}"
    with pytest.raises(ConfigError, match=words.format("Written", "Tables", "PointMatch")):
        RuleSet(name="a", title="A", game=Tables(), match=Written())
    fitting = "TwelveHoles, Written, Combine, PoolFill or PoolDrain"
    with pytest.raises(ConfigError, match=words.format("PointMatch", "Trictrac", fitting)):
        RuleSet(name="a", title="A", game=Trictrac(), match=PointMatch())


def test_there_is_no_settlement_to_change() -> None:
    rules = catalogue.rule_set("backgammon")
    with pytest.raises(ConfigError, match="backgammon has no settlement, a match to points has points only"):
        apply_all(rules, {"settlement.tail_of_sets": 0})
    with pytest.raises(ConfigError, match="settlement: backgammon has none"):
        rules.with_settlement(tail_of_sets=0)


def test_trictrac_is_asked_of_trictrac_only() -> None:
    rules = catalogue.rule_set("toutes_tables_225")
    for asked in ("trictrac_game", "trictrac_match"):
        with pytest.raises(UsageError, match="this is a question of trictrac; what fits it: "):
            getattr(rules, asked)
        assert getattr(catalogue.rule_set("classical"), asked)


def test_two_families_differ_in_all_but_their_common_words() -> None:
    classical, backgammon = catalogue.rule_set("classical"), catalogue.rule_set("backgammon")
    paths = {found.path for found in diff(classical, backgammon)}
    assert {"game", "match", "game.move_rule", "match.match_points", "game.points_per_hole"} <= paths
    assert "game.first_roll_method" not in paths


@pytest.mark.parametrize("dice", [(1, 1, 2, 3), (0, 1, 2, 3), (1, 2, 3), (1, 2, 6, 5), (True, 2, 3, 4)])
def test_what_is_no_start(dice: tuple[int, ...]) -> None:
    assert start_fault(dice)


def test_the_page_says_that_there_is_no_settlement() -> None:
    lines = catalogue.rule_set("toutes_tables").words()
    assert "digest       the same; there is no settlement" in lines
    assert not any(line.startswith("Settlement:") for line in lines)
