"""Every field of the base game changes something: by hand-made examples, and over positions drawn at random."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from .awards import roll, totals
from .board import counts_of, men_of, problems, start
from .field_examples import (
    DRAWS,
    FULL_GRAND,
    MARKINGS,
    MARKS,
    ROLLS,
    UNITS,
    DrawExample,
    Example,
    LastRoll,
    Marked,
    MarkExample,
    MarkingExample,
    RollExample,
    Tally,
    UnitExample,
    counts,
)
from .game import Dice, Table, Unit, draw_first_throw
from .options import CLASSICAL, SOUMILLE_DLP, VARIABLE, Options, is_allowed, stalls_for_ever
from .plays import LegalPlays
from .positions import FIELD_FAMILIES, FieldCase, field_positions, random_options
from .score import Score, mark, mark_roll
from .written import Ledger, next_partie_leader

ABOVE_THE_ROLL = {
    "first_roll_method",
    "sortie_keeps_points",
    "sortie_keeps_bredouille",
    "sortie_single_roll_convention",
    "points_per_hole",
    "bredouille_enabled",
    "bredouille_second_scorer",
    "go_enabled",
    "go_after_sortie_hole",
    "opponent_marks_on_go",
    "stall_limit",
}
"""Fields that change no single roll."""


def name(example: Example) -> str:
    return f"{example.field}={example.value}"


def test_every_field_has_an_example() -> None:
    examples: list[Example] = [*ROLLS, *MARKS, *MARKINGS, *UNITS, *DRAWS]
    assert {example.field for example in examples} == set(VARIABLE)
    for example in examples:
        assert is_allowed(example.field, example.value)
        assert not stalls_for_ever(example.options(changed=True))


@pytest.mark.parametrize("changed", [False, True], ids=["default", "changed"])
@pytest.mark.parametrize("example", ROLLS, ids=name)
def test_roll(example: RollExample, changed: bool) -> None:
    options = example.options(changed)
    own, other = counts(example.own), counts(example.other)
    assert problems(men_of(own), men_of(other), options) == []
    plays, found = roll(
        own, other, example.dice, example.roll_number, options, example.took_coin, example.rencontre
    )
    expected, unlike = (example.changed, example.default) if changed else (example.default, example.changed)
    assert (*totals(found), plays.unplayed, len(plays.positions)) == (
        expected.mover,
        expected.other,
        expected.unplayed,
        expected.plays,
    )
    assert expected != unlike
    if expected.with_play is not None:
        assert counts(expected.with_play) in plays.positions


@pytest.mark.parametrize("changed", [False, True], ids=["default", "changed"])
@pytest.mark.parametrize("example", MARKS, ids=name)
def test_mark(example: MarkExample, changed: bool) -> None:
    score = Score()
    for who, points in example.marks:
        mark(score, who, points, example.options(changed))
    found = Tally(tuple(score.points), tuple(score.bredouille), tuple(score.holes))
    assert found == (example.changed if changed else example.default)


@pytest.mark.parametrize("changed", [False, True], ids=["default", "changed"])
@pytest.mark.parametrize("example", MARKINGS, ids=name)
def test_marking_of_a_roll(example: MarkingExample, changed: bool) -> None:
    score = Score(points=[*example.points])
    marked = mark_roll(
        score,
        0,
        example.roller_points,
        example.other_points,
        lambda: True,
        sortie=example.sortie,
        options=example.options(changed),
    )
    found = Marked(tuple(score.points), tuple(score.bredouille), tuple(score.holes), marked.went)
    assert found == (example.changed if changed else example.default)
    assert marked.next_roller == (0 if marked.went or example.sortie else 1)


def first_in_order(table: Table, mover: int, dice: Dice, plays: LegalPlays) -> tuple[int, ...]:
    return min(plays.positions)


def always_hold(table: Table, scorer: int, dice: Dice, choices: list[str]) -> str:
    return "hold"


@pytest.mark.parametrize("changed", [False, True], ids=["default", "changed"])
@pytest.mark.parametrize("example", UNITS, ids=name)
def test_unit(example: UnitExample, changed: bool) -> None:
    throws = iter(example.throws)
    table = Table([counts(men) for men in example.men], took_coin=[*example.took_coin])
    options = example.options(changed)
    assert problems(*map(men_of, table.men), options) == []
    unit = Unit("partie", 0, lambda: next(throws), first_in_order, always_hold, options, table=table)
    unit.max_rolls = example.rolls
    unit.play()
    last = unit.history[-1]
    started = unit.table.men == [counts_of(start())] * 2
    figures = tuple(award.jan for award in last.awards)
    found = LastRoll(last.roller, last.dice, figures, started)
    assert found == (example.changed if changed else example.default)


@pytest.mark.parametrize("changed", [False, True], ids=["default", "changed"])
@pytest.mark.parametrize("example", DRAWS, ids=name)
def test_draw(example: DrawExample, changed: bool) -> None:
    throws = iter(example.throws)
    method = example.options(changed).first_roll_method
    found = draw_first_throw(method, lambda: next(throws))
    assert found == (example.changed if changed else example.default)


def result(case: FieldCase, options: Options) -> object:
    return roll(case.own, case.other, case.dice, case.roll_number, options, case.took_coin, case.rencontre)


def test_positions_under_any_options_are_legal_and_make_every_field_matter() -> None:
    cases = list(field_positions(5000, seed=1698))
    assert cases[:500] == list(field_positions(500, seed=1698))
    assert {case.family for case in cases} >= {family.__name__ for family in FIELD_FAMILIES}
    changes: Counter[str] = Counter()
    for case in cases:
        own, other = men_of(case.own), men_of(case.other)
        assert problems(own, other, case.options) == []
        found = result(case, case.options)
        for field in VARIABLE:
            default = getattr(CLASSICAL, field)
            if getattr(case.options, field) != default and field not in ABOVE_THE_ROLL:
                changes[field] += result(case, replace(case.options, **{field: default})) != found
    assert {field for field in VARIABLE if changes[field]} == set(VARIABLE) - ABOVE_THE_ROLL


def test_random_options_are_mostly_defaults_and_reach_every_value() -> None:
    rng = random.Random(3)
    drawn = [random_options(rng) for _ in range(2000)]
    assert not any(stalls_for_ever(options) for options in drawn)
    for field in VARIABLE:
        values = Counter(getattr(options, field) for options in drawn)
        assert len(values) >= 2
        assert values[getattr(CLASSICAL, field)] > 1300
    assert all(random_options(rng, must_go=True).go_enabled for _ in range(200))


@pytest.mark.parametrize("kind", ["partie", "set"])
@pytest.mark.parametrize("seed", range(12))
def test_a_unit_under_any_options_keeps_its_positions_legal(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    options = SOUMILLE_DLP if seed == 0 else random_options(rng, must_go=kind == "set")

    def choose_go(table: Table, scorer: int, dice: Dice, choices: list[str]) -> str:
        return rng.choice(choices)

    unit = Unit(
        kind,
        0,
        lambda: (rng.randint(1, 6), rng.randint(1, 6)),
        lambda table, mover, dice, plays: rng.choice(sorted(plays.positions)),
        choose_go,
        options,
        max_rolls=1500,
    )
    row = unit.play()
    assert row["rolls"] + row["rolls_do_overs"] == len(unit.history)
    for rolled in unit.history:
        own, other = (men_of(each) for each in rolled.before)
        assert problems(own, other, options) == []
        assert all(0 <= each < options.points_per_hole for each in rolled.score.points)
        assert options.bredouille_enabled or not any(rolled.score.bredouille)
    if row["ended_by"] == "win":
        winner = row["winner"]
        assert row[f"holes_{winner}"] > row[f"holes_{3 - winner}"]


def test_the_last_man_does_not_leave_by_two_numbers_that_may_not_be_combined() -> None:
    """Where two numbers may not be combined, the last man on 19 plays one of 4-2 and stays, and the other pays."""
    options = Options(bear_off_two_short_combined="forbidden")
    own = counts({19: 1})
    plays, found = roll(own, counts({20: 15}), (4, 2), 0, options)
    assert (plays.positions, plays.unplayed) == ({counts({23: 1})}, 1)
    assert totals(found) == (0, 2)


@pytest.mark.parametrize(
    ("marks", "choices", "row"),
    [
        (False, ["hold", "go:win"], (1, 7, 6)),
        (True, ["hold", "go:concede"], (2, 7, 8)),
    ],
)
def test_going_in_a_set_is_judged_by_the_holes_after_the_whole_roll(
    marks: bool, choices: list[str], row: tuple[int, int, int]
) -> None:
    """`opponent_marks_on_go`: the roll gives the mover his seventh hole, and the other his seventh and eighth."""
    seen: list[list[str]] = []

    def go(table: Table, scorer: int, dice: Dice, offered: list[str]) -> str:
        seen.append(offered)
        return offered[1]

    table = Table([counts({**FULL_GRAND, 12: 5}), counts({1: 13, 12: 2})])
    table.score = Score([10, 8], [False, True], [6, 6])
    table.ledger = Ledger([6, 6], ["broken", "broken"], [False, False], [6, 6])
    options = Options(opponent_marks_on_go=marks, impuissance_points=6)
    unit = Unit("set", 0, lambda: (6, 6), first_in_order, go, options, table=table)
    ended = unit.play()
    assert seen == [choices]
    assert (ended["winner"], ended["holes_1"], ended["holes_2"]) == row


@pytest.mark.parametrize(
    ("rule", "leaders"),
    [("winner_prev", [1, 1, 0]), ("alternate", [1, 0, 1]), ("draw", [None, None, None])],
)
def test_first_throw_of_the_next_partie(rule: str, leaders: list[int | None]) -> None:
    winners = [1, 1, 0]
    found = [next_partie_leader(number, 0, winner, rule) for number, winner in enumerate(winners, start=1)]
    assert found == leaders
