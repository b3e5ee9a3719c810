"""Matches to a number of points: starts, first players, openings, the end; the same whoever plays them when."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit import replay, start, tables
from simkit.analysis.starts import single_games
from simkit.catalogue import player, rule_set
from simkit.dataset import GAME_ENDED_BY, GAMES, POINT_MATCHES, PlaySpec
from simkit.dataset.parquet import check_columns
from simkit.drivers import State, TablesEngine, play_chunk
from simkit.drivers.points import _at_new_start, _drawn_first
from simkit.errors import ConfigError, UsageError
from simkit.kernel.tables import records
from simkit.players import CoinToss, Doubling, Player, RandomPlay, refuse_misfit
from simkit.position import read
from simkit.rules import (
    OpeningRoll,
    PairFirstStarter,
    RuleSet,
    SecondGameOpening,
    StartSelection,
    Tables,
    replace,
)
from simkit.transcript import transcribe_points

RULES = rule_set("toutes_tables_225")
RANDOM, LINEAR, LOOKAHEAD = (player(name) for name in ("random", "tables_linear", "tables_lookahead"))
START = ("start_a", "start_b", "start_c", "start_d")
SEED = 17


def played(rules: RuleSet = RULES, pair: tuple[Player, Player] = (RANDOM, LINEAR), **size: int) -> Any:
    return play_chunk(rules, pair, SEED, size.get("first", 0), size.get("count", 300))


def by_match(games: Any, name: str) -> list[list[int]]:
    """A column of `games`, match by match."""
    bounds = np.flatnonzero(np.diff(games["match_id"])) + 1
    return [part.tolist() for part in np.split(games[name], bounds)]


def test_rows_have_the_columns_of_the_schemas() -> None:
    chunk = played(count=20)
    assert check_columns(POINT_MATCHES, chunk.matches) == 20
    assert check_columns(GAMES, chunk.sets) == int(chunk.matches["games"].sum())
    assert chunk.figures.shape == (2, 0, 2)


def test_a_chunk_is_the_sum_of_its_matches() -> None:
    whole = played(count=40)
    parts = [played(first=first, count=count) for first, count in ((0, 1), (1, 7), (8, 32))]
    for table in ("matches", "sets"):
        for name, column in getattr(whole, table).items():
            assert np.array_equal(column, np.concatenate([getattr(part, table)[name] for part in parts])), (
                name
            )


def test_games_add_up_to_matches() -> None:
    chunk = played()
    games, matches = chunk.sets, chunk.matches
    row = games["match_id"]
    for side in (1, 2):
        won = games["winner"] == side
        assert np.array_equal(np.bincount(row, games["points"] * won), matches[f"points_{side}"])
        assert np.array_equal(np.bincount(row, won), matches[f"games_won_{side}"])
        assert np.array_equal(np.bincount(row, games[f"hits_{side}"]), matches[f"hits_{side}"])
        assert (games[f"off_{side}"][won] == 15).all()
        assert (games[f"pips_left_{side}"][won] == 0).all()
        assert (games[f"pips_left_{side}"][~won] > 0).all()
    assert np.array_equal(np.bincount(row, games["rolls"]), matches["rolls"])
    assert np.array_equal(matches["first_player"], games["first_player"][games["set_no"] == 1])
    assert (games["points"] <= 2).all()
    assert not matches["truncated"].any()


def test_a_match_ends_the_moment_its_points_are_reached() -> None:
    chunk = played(RULES.with_match(match_points=5), (LINEAR, LINEAR))
    points = np.stack([chunk.matches["points_1"], chunk.matches["points_2"]], axis=1)
    assert (points.max(axis=1) >= 5).all()
    assert (points.min(axis=1) < 5).all()
    assert np.array_equal(points.argmax(axis=1) + 1, chunk.matches["winner"])
    last = np.append(np.diff(chunk.sets["match_id"]) > 0, True)
    assert (points.max(axis=1) - chunk.sets["points"][last] < 5).all()
    assert np.array_equal(chunk.sets["winner"][last], chunk.matches["winner"])
    assert len(set(chunk.matches["games"] % 2)) == 2  # in the middle of a pair too


def test_a_match_may_play_its_pairs_out() -> None:
    chunk = played(RULES.with_match(match_points=4, match_end_mid_pair=False), (LINEAR, LINEAR))
    games, matches = chunk.sets, chunk.matches
    assert (matches["games"] % 2 == 0).all()
    one, two = matches["points_1"], matches["points_2"]
    assert (np.maximum(one, two) >= 4).all()
    assert (one != two).all()
    both = np.minimum(one, two) >= 4
    assert both.any()  # equal points were played on, or both reached them in one pair
    for winners, points in zip(by_match(games, "winner"), by_match(games, "points"), strict=True):
        score = [0, 0]
        for place, (winner, gained) in enumerate(zip(winners, points, strict=True)):
            assert place % 2 or max(score) < 4 or score[0] == score[1]
            score[winner - 1] += gained


@pytest.mark.parametrize("games_per_start", [1, 2, 3])
def test_a_start_serves_its_games_and_the_players_begin_in_turn(games_per_start: int) -> None:
    chunk = played(RULES.with_match(match_points=9, games_per_start=games_per_start), count=60)
    for name in START:
        for values in by_match(chunk.sets, name):
            for first in range(0, len(values), games_per_start):
                assert len(set(values[first : first + games_per_start])) == 1
    for firsts in by_match(chunk.sets, "first_player"):
        for place in range(1, len(firsts)):
            assert place % games_per_start == 0 or firsts[place] != firsts[place - 1]
    starts = np.stack([chunk.sets[name] for name in START], axis=1)
    assert (starts[:, 0] < starts[:, 1]).all()
    assert (starts[:, 2] < starts[:, 3]).all()
    assert len({tuple(row) for row in starts.tolist()}) > 60


def test_starts_are_drawn_alike_often() -> None:
    ids = np.arange(45_000, dtype=np.int64)
    game = RULES.game
    assert isinstance(game, Tables)
    drawn = _at_new_start(game, SEED, ids, 0).start
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == 225
    spread = ((counts - 200) ** 2 / 200).sum()
    assert 140 < spread < 330  # chi-square with 224 degrees of freedom, beyond all doubt


def test_the_other_ways_to_choose_a_start() -> None:
    standard = played(rule_set("toutes_tables"), count=5).sets
    assert {tuple(int(standard[name][k]) for name in START) for k in range(5)} == {(1, 6, 1, 5)}
    fixed = RULES.with_game(start_selection=StartSelection.FIXED, fixed_start=(2, 3, 4, 6))
    assert {tuple(int(played(fixed, count=5).sets[name][k]) for name in START) for k in range(5)} == {
        (2, 3, 4, 6)
    }


def test_the_draw_is_the_first_throw_or_goes_before_it() -> None:
    games = played(rule_set("toutes_tables").with_match(match_points=9)).sets
    one, two = games["opening_1"], games["opening_2"]
    assert (one != two).all()
    assert np.array_equal(np.where(one > two, 1, 2), games["first_player"])
    thrown = played(rule_set("toutes_tables").with_game(first_roll_method=OpeningRoll.DRAW_THEN_THROW)).sets
    doubles = thrown["opening_1"] == thrown["opening_2"]
    assert 0.1 < doubles.mean() < 0.24


@pytest.mark.parametrize("opening", SecondGameOpening)
def test_the_second_game_opens_as_the_rules_say(opening: SecondGameOpening) -> None:
    games = played(RULES.with_match(match_points=9, second_game_opening=opening), count=150).sets
    second = games["set_no"] % 2 == 0
    double = games["opening_1"] == games["opening_2"]
    assert not double[~second].any()
    if opening is SecondGameOpening.FRESH_THROW:
        assert 0.1 < double[second].mean() < 0.24
    else:
        assert not double[second].any()
    if opening is SecondGameOpening.SAME_ROLL_AS_FIRST:
        before = np.flatnonzero(second) - 1
        for name in ("opening_1", "opening_2"):
            assert np.array_equal(games[name][second], games[name][before])


@pytest.mark.parametrize("starter", PairFirstStarter)
def test_who_begins_with_a_new_start(starter: PairFirstStarter) -> None:
    games = played(RULES.with_match(match_points=9, pair_first_starter=starter), count=150).sets
    new = np.flatnonzero((games["set_no"] % 2 == 1) & (games["set_no"] > 1))
    first, before = games["first_player"][new], games["winner"][new - 1]
    if starter is PairFirstStarter.DRAW:
        assert np.array_equal(first, np.where(games["opening_1"][new] > games["opening_2"][new], 1, 2))
    elif starter is PairFirstStarter.ALTERNATE:
        assert np.array_equal(first, 3 - games["first_player"][new - 2])
    else:
        assert np.array_equal(first, before if starter is PairFirstStarter.WINNER else 3 - before)


@pytest.mark.parametrize("pair", [(RANDOM, RANDOM), (LINEAR, LOOKAHEAD)])
def test_roll_by_roll_is_the_same_as_in_one_go(pair: tuple[Player, Player]) -> None:
    game = RULES.game
    assert isinstance(game, Tables)
    engine, ids = TablesEngine(RULES, pair, SEED), np.arange(6, dtype=np.int64)
    whole = _drawn_first(game, _at_new_start(game, engine.key, ids, 0), engine.key, 0)
    steps = whole.copy().view(np.recarray)
    assert engine.play(whole).all()
    under_way = np.ones(len(ids), np.bool_)
    while under_way.any():
        some = steps[under_way]
        over = engine.play(some, most_rolls=1)
        steps[under_way] = some
        under_way[under_way] = ~over
    assert np.array_equal(whole, steps)


def test_a_first_play_may_be_bound() -> None:
    game = RULES.game
    assert isinstance(game, Tables)
    engine, ids = TablesEngine(RULES, (RANDOM, RANDOM), SEED), np.zeros(1, np.int64)
    fresh = _drawn_first(game, _at_new_start(game, engine.key, ids, 0), engine.key, 0)
    position = tables.start(*fresh.start[0].tolist())
    listed = tables.legal_plays(game, position, (int(fresh.die_1[0]), int(fresh.die_2[0])))
    assert len(listed) > 1
    for place, wanted in enumerate(listed):
        games = fresh.copy().view(np.recarray)
        engine.play(games, forced=place, most_rolls=1)
        roller = int(fresh.roller[0])
        moved = [int(games.low[0, roller]), int(games.high[0, roller])]
        assert tables.words_of(wanted)[:2].tolist() == moved


def test_a_game_that_never_ends_is_capped() -> None:
    """Both shut out by the other's six points: `simkit.tables` refuses such men, the kernel counts them out."""
    game = RULES.game
    assert isinstance(game, Tables)
    engine = TablesEngine(RULES, (RANDOM, RANDOM), SEED)
    games = _at_new_start(game, engine.key, np.zeros(1, np.int64), 0)
    words = tables.words_of(
        tables.parse("bar:1 19:2 20:2 21:2 22:2 23:2 24:4 | bar:1 1:2 2:2 3:2 4:2 5:2 6:4")
    )
    games.low, games.high = words[[0, 2]], words[[1, 3]]
    assert engine.play(games).all()
    assert (games.winner[0], games.points[0], games.rolls[0]) == (-1, 0, 20_000)


def test_players_of_the_other_family_are_refused() -> None:
    words = "player greedy: he plays trictrac and cannot play toutes_tables_225"
    with pytest.raises(ConfigError, match=words):
        refuse_misfit(RULES, (RANDOM, player("greedy")))
    with pytest.raises(ConfigError, match="cannot play classical, which is trictrac"):
        refuse_misfit(rule_set("classical"), (LINEAR, RANDOM))
    doubler = Player(name="doubler", title="Doubles.", choice=RandomPlay(), decision=Doubling())
    refuse_misfit(RULES, (doubler, RANDOM))
    with pytest.raises(ConfigError, match="player doubler: he plays toutes tables and backgammon"):
        refuse_misfit(rule_set("classical"), (doubler, RANDOM))
    undecided = Player(name="undecided", title="Never asked.", choice=RandomPlay())
    refuse_misfit(RULES, (undecided, LOOKAHEAD))
    with pytest.raises(ConfigError, match="cannot play classical"):
        refuse_misfit(rule_set("classical"), (undecided, undecided))
    assert undecided.digest != replace(undecided, decision=CoinToss()).digest


def test_a_state_of_trictrac_is_no_start() -> None:
    with pytest.raises(UsageError, match="points, holes, runs and do-overs are of trictrac"):
        PlaySpec(RULES, (RANDOM, RANDOM), 0, (State(read("1:15 | 24:15"), holes=(3, 2), run=(2, 2)),))


def test_skill_shows() -> None:
    """Duplicate games: the same starts and dice, the seats exchanged."""
    single = RULES.with_match(match_points=1, games_per_start=1)
    won = [
        (play_chunk(single, pair, SEED, 0, 200).matches["winner"] == 1).mean()
        for pair in ((LINEAR, RANDOM), (RANDOM, LINEAR))
    ]
    assert (won[0] + 1 - won[1]) / 2 > 0.97


# ---------------------------------------------------------------- the cube

CUBE = player("tables_cube")
WITH_CUBE = rule_set("backgammon_225_cube")


def test_without_the_cube_nobody_doubles_and_the_rows_are_the_same() -> None:
    plain = WITH_CUBE.with_match(cube=False)
    one, two = (played(plain, (who, who)) for who in (CUBE, LINEAR))
    for table in ("matches", "sets"):
        for name, column in getattr(one, table).items():
            assert np.array_equal(column, getattr(two, table)[name]), name
    assert set(one.sets["cube"]) == {1}
    assert set(one.sets["ended_by"]) == {GAME_ENDED_BY.index("win")}


def test_who_has_no_judgement_never_doubles_and_drops_nothing() -> None:
    games = played(WITH_CUBE, (LINEAR, LINEAR)).sets
    assert set(games["cube"]) == {1}
    games = played(WITH_CUBE, (CUBE, LINEAR)).sets
    turned = games["cube"] > 1
    assert 0.5 < turned.mean() < 1
    assert set(games["cube"]) == {1, 2}, "player 2 owns it and keeps it"
    assert set(games["cube_owner"][turned]) == {2}
    dropped = games["ended_by"] == GAME_ENDED_BY.index("drop")
    assert not dropped.any()


def test_a_dropped_game_counts_the_cube_before_the_offer() -> None:
    games = played(WITH_CUBE, (CUBE, CUBE)).sets
    dropped = games["ended_by"] == GAME_ENDED_BY.index("drop")
    assert 0.1 < dropped.mean() < 0.6
    assert np.array_equal(games["points"][dropped], games["cube"][dropped])
    for side in (1, 2):
        assert (games[f"off_{side}"][dropped] < 15).all()
        assert (games[f"pips_left_{side}"][dropped] > 0).all()
    assert (games["rolls"] > 0).all()
    assert set(games["points"][~dropped] // games["cube"][~dropped]) == {1, 2, 3}


def test_the_cube_rests_once_with_one_point_to_go() -> None:
    bold = Player(
        name="bold",
        title="Doubles at once.",
        choice=RandomPlay(),
        decision=Doubling(offer_from=0, take_from=0),
    )
    rules = WITH_CUBE.with_match(match_points=5, cube_limit=2)
    games = played(rules, (bold, bold)).sets
    resting = 0
    winners, points, cubes = (by_match(games, name) for name in ("winner", "points", "cube"))
    for won_by, counted, cube in zip(winners, points, cubes, strict=True):
        score, rested = [0, 0], False
        for who, gained, turned in zip(won_by, counted, cube, strict=True):
            rests = max(score) == 4 and not rested
            rested |= rests
            resting += rests
            assert (turned == 1) == (rests or score == [4, 4]), (score, turned)
            score[who - 1] += gained
    assert resting > 50


def test_before_a_given_position_is_rolled_its_mover_may_double() -> None:
    eager = Player(name="eager", title="Doubles.", choice=RandomPlay(), decision=Doubling(offer_from=0))
    shy = Player(name="shy", title="Drops.", choice=RandomPlay(), decision=Doubling(take_from=1000))
    sure = start("19:15 | 1:15")
    thrown = play_chunk(WITH_CUBE, (eager, shy), SEED, 0, 4, (sure,)).sets
    first = thrown["set_no"] == 1
    assert set(thrown["ended_by"][first]) == {records.DROP}
    assert (set(thrown["rolls"][first]), set(thrown["winner"][first])) == ({0}, {1})
    assert (thrown["rolls"][~first] > 0).all(), "an opening is never doubled before"
    known = play_chunk(WITH_CUBE, (eager, shy), SEED, 0, 4, (start("19:15 | 1:15", dice="6-5"),)).sets
    assert (known["rolls"] > 0).all()
    told = transcribe_points(WITH_CUBE, (eager, shy), SEED, 0, starts=(sure,))
    assert not told.sets[0].rolls
    assert (
        "Game 1 from 19:15 | 1:15: player 1 is to roll.\nPlayer 1 doubles to 2; player 2 drops after 0 rolls"
        in (told.text(200))
    )


def test_trictrac_players_are_refused_wherever_play_is_made_ready() -> None:
    greedy = (player("greedy"), player("greedy"))
    with pytest.raises(ConfigError, match="he plays trictrac and cannot play toutes_tables_225"):
        TablesEngine(RULES, greedy, SEED)
    with pytest.raises(ConfigError, match="he plays trictrac"):
        transcribe_points(RULES, greedy, SEED, 0)
    with pytest.raises(ConfigError, match="he plays trictrac"):
        replay("backgammon", players=("greedy", "greedy"))


def test_rules_of_later_games_reach_single_games_nowhere() -> None:
    rules = RULES.with_match(
        second_game_opening=SecondGameOpening.NON_DOUBLE, match_end_mid_pair=False, games_per_start=3
    )
    assert single_games(rules) == single_games(RULES)


def test_a_match_to_one_point_has_no_cube() -> None:
    assert set(played(WITH_CUBE.with_match(match_points=1), (CUBE, CUBE)).sets["cube"]) == {1}


def test_knowing_the_cube_is_worth_much() -> None:
    """Duplicate matches: the same starts and dice, the seats exchanged."""
    pairs = ((CUBE, LINEAR), (LINEAR, CUBE))
    won = [(play_chunk(WITH_CUBE, pair, SEED, 0, 400).matches["winner"] == 1).mean() for pair in pairs]
    assert (won[0] + 1 - won[1]) / 2 > 0.55


def test_the_words_for_an_end_are_those_of_the_kernel() -> None:
    assert GAME_ENDED_BY == records.GAME_ENDED_BY
    assert GAME_ENDED_BY.index("drop") == records.DROP
