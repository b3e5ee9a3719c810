"""Whole parties and sets, replayed by the twin with the kernel's own dice, leave the same rows."""

from __future__ import annotations

import dataclasses
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from reference.game import Table, draw_first_throw
from reference.game import Unit as TwinUnit
from reference.options import Options
from reference.positions import field_positions, positions
from reference.score import Score as TwinScore
from reference.written import Ledger as TwinLedger
from test_fields_equal_twin import game_of

from simkit import play
from simkit.drivers import Engine, State, play_chunk, set_columns, start_units, units_from
from simkit.drivers.start import scored_first
from simkit.kernel.dice import DICE_OF_1, DRAWING, GOING, PLAYS, below, dice_of, philox
from simkit.kernel.records import BROKEN, ENDED_BY, GO, INTACT, NO_RUN
from simkit.players import CoinToss, Player, RandomPlay
from simkit.rules import (
    BearOffExactPolicy,
    FirstRollMethod,
    RuleSet,
    SetFirstDie,
    Trictrac,
    TwelveHoles,
    Written,
)

TOSSER = Player(name="tosser", title="Random.", choice=RandomPlay(), decision=CoinToss(concede_1024=200))
SEED = 1766


class Place:
    """Where the twin is: tells the words the kernel drew there."""

    def __init__(self, match: int, unit_no: int, game: Trictrac) -> None:
        self.match, self.unit_no, self.game = match, unit_no, game
        self.unit: TwinUnit | None = None
        self.roller = 0

    def word(self, purpose: int, roller: int) -> int:
        assert self.unit is not None
        unit = self.unit
        pickups = unit.settings + unit.settings_do_overs - 1  # each do-over has closed its last setting
        start = pickups + unit.sorties + unit.stalls
        index = unit.table.roll_number[roller] - 1
        place = (index >> 2, self.unit_no, start, purpose + roller, SEED, self.match)
        return int(philox(*place)[index & 3])

    def throw(self) -> tuple[int, int]:
        assert self.unit is not None
        self.unit.table.roll_number[self.roller] += 1  # the twin counts the roll only once it is thrown
        dice = dice_of(self.word(DICE_OF_1, self.roller))
        self.unit.table.roll_number[self.roller] -= 1
        return dice

    def choose_play(self, table: Any, mover: int, dice: Any, plays: Any) -> Any:
        mine, his = table.men[mover], table.men[1 - mover]
        position = play.Position(mine, his[::-1], (15 - sum(mine), 15 - sum(his)))
        listed = play.legal_plays(self.game, position, dice)
        return listed[below(len(listed), self.word(PLAYS, mover)) if len(listed) > 1 else 0].mover

    def choose_go(self, table: Any, scorer: int, dice: Any, options: Any) -> Any:
        go = options[1]
        chance = 200 if go == "go:concede" else 512
        return go if below(1024, self.word(GOING, scorer)) < chance else "hold"


class FollowedUnit(TwinUnit):
    """A twin's unit that tells its place who rolls."""

    place: Place

    def play_roll(self, roller: int, dice: Any) -> Any:
        ended = super().play_roll(roller, dice)
        self.place.roller = ended if isinstance(ended, int) else roller
        return ended


def twin_rows(rules: RuleSet, match: int) -> list[dict[str, Any]]:
    """Play one match by the twin; return its rows."""
    game = rules.game
    options = Options(
        bear_off_exact_policy=game.bear_off_exact_policy.value, first_roll_method=game.first_roll_method.value
    )
    draws = iter(range(100))

    def draw() -> tuple[int, int]:
        index = next(draws)
        return dice_of(philox(index >> 2, 0, 0, DRAWING, SEED, match)[index & 3])

    first, first_dice = draw_first_throw(game.first_roll_method.value, draw)
    rows = []
    written = isinstance(rules.match, Written)
    for unit_no in range(rules.match.sets if written else 1):
        place = Place(match, unit_no, game)
        place.roller = first
        unit = FollowedUnit(
            "set" if written else "partie",
            first,
            place.throw,
            place.choose_play,
            place.choose_go,
            options,
            first_dice,
            max_rolls=20_000,
            max_holes=rules.match.max_holes_per_set if written else None,
        )
        unit.place, place.unit = place, unit
        row = unit.play()
        rows.append(row | {"set_no": unit_no + 1, "match_id": match})
        first_dice = None
        alternate = written and rules.match.set_first_die is SetFirstDie.ALTERNATE
        first = 1 - first if alternate else row["winner"] - 1
    return rows


def assert_same_rows(rules: RuleSet, matches: int) -> None:
    chunk = play_chunk(rules, (TOSSER, TOSSER), SEED, 0, matches)
    expected = [row for match in range(matches) for row in twin_rows(rules, match)]
    for name, column in chunk.sets.items():
        found = [ENDED_BY[code] for code in column] if name == "ended_by" else column.tolist()
        assert found == [row[name] for row in expected], name
    assert chunk.matches["rolls"].sum() == np.sum([row["rolls"] + row["rolls_do_overs"] for row in expected])


def written(**changes: Any) -> RuleSet:
    game = {
        "first_roll_method": FirstRollMethod.DRAW_THEN_THROW,
        "bear_off_exact_policy": BearOffExactPolicy.MANDATORY,
    }
    return RuleSet(
        name="some", title="Some.", sources=(), game=Trictrac(**game), match=Written(sets=4, **changes)
    )


def test_parties() -> None:
    rules = RuleSet(name="some", title="Some.", sources=(), game=Trictrac(), match=TwelveHoles())
    assert_same_rows(rules, 25)


@pytest.mark.parametrize("set_first_die", [SetFirstDie.WINNER_PREV, SetFirstDie.ALTERNATE])
def test_written_matches(set_first_die: SetFirstDie) -> None:
    assert_same_rows(written(set_first_die=set_first_die), 15)


@pytest.mark.parametrize("limit", [6, 9])
def test_written_matches_with_a_limit_of_holes(limit: int) -> None:
    assert_same_rows(written(max_holes_per_set=limit), 15)


def any_state(rng: random.Random, case: Any, most_holes: int) -> State:
    """A unit under way: a position of the twin's generator under a score and a ledger drawn at random."""
    points = [2 * rng.randrange(6), 2 * rng.randrange(6)]
    streak = [points[0] > 0 and (not points[1] or rng.random() < 0.5), False]
    streak[1] = points[1] > 0 and not streak[0] and (not points[0] or rng.random() < 0.5)
    holes = tuple(rng.choice((0, rng.randrange(most_holes + 1))) for _ in range(2))
    intact = rng.choice((0, 1) if holes == (1, 1) else (0, 1, None))
    run = tuple(
        NO_RUN if not holes[side] else INTACT if not holes[1 - side] or side == intact else BROKEN
        for side in range(2)
    )
    state = State(
        position=play.Position(case.own, case.other[::-1], (15 - sum(case.own), 15 - sum(case.other))),
        roller=rng.randrange(2),
        first_player=rng.randrange(2),
        points=(points[0], points[1]),
        bredouille=(streak[0], streak[1]),
        rolls_of=(rng.randrange(1, 9), rng.randrange(1, 9)),
        holes=holes,
        run=run,
        picked_up=(run[0] == INTACT and rng.random() < 0.5, run[1] == INTACT and rng.random() < 0.5),
    )
    told = scored_first(state)
    first = told if told >= 0 else rng.choice([side for side in range(2) if holes[side]] or [-1])
    return dataclasses.replace(state, first_scorer=first)


def twin_row_from(state: State, rules: Any, match: int, options: Options | None = None) -> dict[str, Any]:
    """Play one unit from a state by the twin; return its row."""
    game, written = rules.game, isinstance(rules.match, Written)
    place = Place(match, 0, game)
    place.roller = state.roller
    men = [state.position.mover, state.position.other[::-1]]
    words = ("none", "intact", "broken")
    ledger = TwinLedger(
        holes=[*state.holes],
        run=[words[run] for run in state.run],
        picked_up=[*state.picked_up],
        holes_own_die=[*state.holes],
    )
    ledger.first_scorer = None if state.first_scorer < 0 else state.first_scorer
    for side in range(2):
        if state.holes[side] >= 6:
            ledger.run_at_six[side] = words[state.run[side]]
    table = Table(
        men if state.roller == 0 else men[::-1],
        TwinScore([*state.points], [*state.bredouille], [0, 0]),
        ledger,
        [*state.rolls_of],
    )
    unit = FollowedUnit(
        "set" if written else "partie",
        state.first_player,
        place.throw,
        place.choose_play,
        place.choose_go,
        options or Options(bear_off_exact_policy=game.bear_off_exact_policy.value),
        max_rolls=20_000,
        max_holes=rules.match.max_holes_per_set if written else None,
        table=table,
    )
    unit.place, place.unit = place, unit
    unit.opening_dice = [(0, 0), (0, 0)]  # the first throws are past
    ended: Any = state.roller
    while isinstance(ended, int):
        ended = unit.play_roll(ended, unit.next_dice())
    return unit.row(*ended)


def assert_same_rows_from_states(rules: RuleSet, kind: str, count: int, most_holes: int) -> None:
    rng = random.Random(f"{kind}{most_holes}")
    engine = Engine(rules, (TOSSER, TOSSER), SEED)
    for match, case in enumerate(positions(kind, count, seed=5)):
        state = any_state(rng, case, most_holes)
        units = units_from(state, np.array([match]))
        assert engine.play(units).all()
        expected = twin_row_from(state, rules, match)
        for name, column in set_columns([units]).items():
            if name in expected:
                found = ENDED_BY[column[0]] if name == "ended_by" else column[0]
                assert found == expected[name], f"{name}: {state}"


def assert_same_row_under_fields(seed: int, count: int, match: Any) -> None:
    """Play units on from states under rule fields drawn at random, by the kernel and by the twin."""
    rng, is_written = random.Random(seed), isinstance(match, Written)
    for number, case in enumerate(field_positions(count, seed)):
        if is_written and not case.options.go_enabled:
            continue
        game = game_of(case.options)
        state = any_state(rng, case, 9)
        if not (game.bredouille_enabled and game.bredouille_second_scorer and game.points_per_hole == 12):
            state = dataclasses.replace(state, points=(0, 0), bredouille=(False, False))
        units = units_from(state, np.array([number]), game=game)
        rules: Any = SimpleNamespace(game=game, match=match, trictrac_game=game, trictrac_match=match)
        Engine(rules, (TOSSER, TOSSER), SEED).play(units)
        if units.rolls[0] + units.rolls_do_overs[0] > 4_000:
            continue  # too long to repeat by hand
        expected = twin_row_from(state, rules, number, case.options)
        for name, column in set_columns([units]).items():
            if name in expected:
                found = ENDED_BY[column[0]] if name == "ended_by" else column[0]
                assert found == expected[name], f"{name}: {state} {case.options}"


@pytest.mark.parametrize(
    "match",
    [TwelveHoles(), Written(sets=2), Written(sets=2, max_holes_per_set=10)],
    ids=["partie", "set", "set of ten holes at most"],
)
def test_units_under_random_fields(match: Any) -> None:
    assert_same_row_under_fields(6, 90, match)


@pytest.mark.slow
@pytest.mark.parametrize(
    "match",
    [TwelveHoles(), Written(sets=2), Written(sets=2, max_holes_per_set=10)],
    ids=["partie", "set", "set of ten holes at most"],
)
def test_many_units_under_random_fields(match: Any) -> None:
    assert_same_row_under_fields(7, 2_000, match)


def test_parties_from_any_state() -> None:
    rules = RuleSet(name="some", title="Some.", sources=(), game=Trictrac(), match=TwelveHoles())
    assert_same_rows_from_states(rules, "adversarial", 120, most_holes=11)


def test_sets_from_any_state() -> None:
    assert_same_rows_from_states(written(), "adversarial", 120, most_holes=9)


@pytest.mark.slow
def test_many_units() -> None:
    assert_same_rows(written(), 400)
    assert_same_rows(
        RuleSet(name="some", title="Some.", sources=(), game=Trictrac(), match=TwelveHoles()), 800
    )


def test_units_played_roll_by_roll_are_the_units_played_at_once() -> None:
    rules = RuleSet(name="set", title="A set", sources=(), game=Trictrac(), match=Written(sets=2))
    at_once, stepped = (start_units(np.arange(6), 0, np.zeros(6, np.int64)) for _ in range(2))
    whole, steps = Engine(rules, (TOSSER, TOSSER), SEED), Engine(rules, (TOSSER, TOSSER), SEED)
    assert whole.play(at_once).all()
    going_on = np.arange(6)
    while len(going_on):
        some = stepped[going_on]
        over = steps.play(some, most_rolls=1)
        stepped[going_on] = some
        going_on = going_on[~over]
    assert (at_once == stepped).all()
    assert (whole.figures == steps.figures).all()


def test_a_roll_can_be_bound_to_any_of_its_plays_and_to_going() -> None:
    rules = RuleSet(name="partie", title="A partie", sources=(), game=Trictrac(), match=TwelveHoles())
    position = play.read("1:7 6:2 7:2 8:2 12:2 | 14:2 16 18 24:11")
    listed = play.legal_plays(rules.game, position, (6, 5))
    assert len(listed) > 1
    state = State(
        position, points=(11, 0), bredouille=(True, False)
    )  # the two men alone are hit, which makes a hole
    forced = np.array([*range(len(listed)), GO])
    units = units_from(state, np.zeros(len(forced), np.int64))
    units.die_1, units.die_2 = 6, 5
    over = Engine(rules, (TOSSER, TOSSER), SEED).play(units, forced, most_rolls=1)
    assert not over.any()
    for place, expected in enumerate(listed):
        assert (units.low[place, 0], units.high[place, 0]) == play.pack(expected.mover)
        assert units.roller[place] == 1
    assert units.roller[-1] == 0
    assert units.start_no.tolist() == [0] * len(listed) + [1]
    assert (units.thrown_1 == 6).all() and (units.thrown_2 == 5).all()
