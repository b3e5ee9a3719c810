"""Whole units played by the twin, and its test positions: the invariants of the rules."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from . import written
from .awards import Award, awards, roll
from .board import OFF, counts_of, men_of, mirrored, problems, start
from .game import Dice, Table, Unit, draw_first_throw
from .options import ACADEMIE, CLASSICAL, Options
from .plays import LegalPlays, legal_plays
from .positions import FAMILIES, POLICIES, Case, positions
from .score import Score, mark


def random_unit(kind: str, seed: int, options: Options) -> Unit:
    rng = random.Random(seed)

    def throw() -> Dice:
        return rng.randint(1, 6), rng.randint(1, 6)

    def choose_play(table: Table, mover: int, dice: Dice, plays: LegalPlays) -> tuple[int, ...]:
        return rng.choice(sorted(plays.positions))

    def choose_go(table: Table, scorer: int, dice: Dice, choices: list[str]) -> str:
        return choices[rng.random() < (0.1 if choices[1] == "go:concede" else 0.5)]

    first, dice = draw_first_throw(options.first_roll_method, throw)
    return Unit(kind, first, throw, choose_play, choose_go, options, dice, max_rolls=20_000)


@pytest.mark.parametrize("options", [CLASSICAL, ACADEMIE], ids=["classical", "academie"])
@pytest.mark.parametrize("kind", ["partie", "set"])
@pytest.mark.parametrize("seed", range(6))
def test_a_random_unit_keeps_the_invariants(kind: str, seed: int, options: Options) -> None:
    unit = random_unit(kind, seed, options)
    row = unit.play()
    assert row["winner"] in (1, 2)
    assert row["rolls"] + row["rolls_do_overs"] == len(unit.history)
    for rolled in unit.history:
        mine, his = rolled.before[rolled.roller], rolled.before[1 - rolled.roller]
        assert problems(men_of(mine), men_of(his)) == []
        jans = {award.jan.partition("_")[0] for award in rolled.awards}
        assert not {"fill", "conserve"} <= jans
        assert not {"deux_tables", "corner_hit"} <= {award.jan for award in rolled.awards}
        points, bredouille = rolled.score.points, rolled.score.bredouille
        assert all(0 <= each <= 10 and each % 2 == 0 for each in points)
        assert all(each > 0 for each, unbroken in zip(points, bredouille, strict=True) if unbroken)
        assert not (all(points) and all(bredouille))
    for before, after in pairwise(unit.history):
        went = before.after is None
        borne_off = before.after is not None and men_of(before.after)[OFF] == 15
        do_over = went and unit.events and after.score.holes == [0, 0]
        assert (after.roller == before.roller) is (went or borne_off) or do_over
    for player in ("1", "2"):
        assert row[f"holes_{player}"] == row[f"holes_own_die_{player}"] + row[f"holes_other_die_{player}"]
        assert row[f"reached_six_{player}"] is (row[f"holes_{player}"] >= 6)
        assert not row[f"intact_at_six_{player}"] or row[f"reached_six_{player}"]
    if row["holes_1"] and row["holes_2"]:
        assert not (row["run_intact_1"] and row["run_intact_2"])
    winner, loser = (1, 2) if row["winner"] == 1 else (2, 1)
    assert row[f"holes_{winner}"] > row[f"holes_{loser}"]
    if kind == "partie":
        assert row[f"holes_{winner}"] >= 12 > row[f"holes_{loser}"]
        assert row["ended_by"] == "win"
        assert row["do_overs"] == 0
    else:
        assert row[f"holes_{winner}"] >= 6
        went_last = unit.history[-1].roller + 1
        assert row["ended_by"] == ("win" if went_last == winner else "concession")
        assert Counter(event.then for event in unit.events)["go:refait"] == row["do_overs"]
        goes = sum(event.then == "go" for event in unit.events)
        assert row["settings"] + row["settings_do_overs"] == goes + row["do_overs"] + 1
        if row["ended_by"] == "concession":
            assert not row[f"run_intact_{winner}"]


def test_a_unit_starts_from_any_legal_state_and_can_be_capped() -> None:
    unit = random_unit("set", 1, CLASSICAL)
    unit.table.score = Score([10, 4], [False, False], [11, 11])
    unit.table.ledger = written.Ledger([11, 11], ["broken", "broken"], [False, False], [11, 11])
    unit.max_rolls = 1
    row = unit.play()
    assert (row["winner"], row["ended_by"], row["rolls"], row["holes_1"]) == (0, "capped", 1, 11)


def test_a_drawn_set_keeps_its_first_player() -> None:
    drawn = 0
    for seed in range(40):
        unit = random_unit("set", seed, CLASSICAL)
        unit.table.score.holes = [7, 6]
        unit.table.ledger = written.Ledger([7, 6], ["broken", "broken"], [False, False], [7, 6], [0, 0], 0)
        row = unit.play()
        do_overs = [i for i, rolled in enumerate(unit.history) if rolled.after is None]
        if row["do_overs"]:
            restart = row["rolls_do_overs"]
            assert restart - 1 in do_overs
            assert unit.history[restart].roller == unit.first
            drawn += 1
    assert drawn >= 3


def test_a_hole_ends_the_other_run_for_good_and_a_pickup_is_remembered() -> None:
    ledger = written.Ledger()
    written.enter_holes(ledger, 0, 2, own_die=True)
    written.pick_up(ledger, 0)
    written.enter_holes(ledger, 1, 5, own_die=False)
    written.enter_holes(ledger, 0, 16, own_die=True)
    assert (ledger.run, ledger.picked_up) == (["broken", "broken"], [True, False])
    assert (ledger.holes_own_die, ledger.holes_other_die) == ([18, 0], [0, 5])


def test_every_mark_agrees_with_the_closed_form() -> None:
    """2k - 1 or 2k holes for k dozens (4.2)."""
    for before in range(0, 12, 2):
        for points in range(2, 84, 2):
            for unbroken in (True, False):
                score = Score([before, 0], [unbroken, False], [0, 0])
                dozens = (before + points) // 12
                made = mark(score, 0, points)
                assert made == (2 * dozens - (not unbroken and before > 0) if dozens else 0)


@pytest.mark.parametrize("kind", ["played", "adversarial"])
def test_positions_are_legal_repeatable_and_of_every_kind(kind: str) -> None:
    cases = list(positions(kind, 3000, seed=7))
    assert cases == list(positions(kind, 3000, seed=7))
    assert cases[:50] != list(positions(kind, 50, seed=8))
    assert [problems(men_of(case.own), men_of(case.other)) for case in cases] == [[]] * len(cases)
    assert {case.bear_off_exact_policy for case in cases} == set(POLICIES)
    if kind == "adversarial":
        assert {case.family for case in cases} == {family.__name__ for family in FAMILIES}
        seen = Counter(award.jan for case in cases for award in case_awards(case))
        assert len(seen) == 17, "every figure there is"
        assert min(seen.values()) >= 5


def case_awards(case: Case) -> list[Award]:
    return awards(case.own, case.other, case.dice, case.roll_number, case.options)


def test_legal_plays_move_the_dice_forward_into_legal_positions() -> None:
    for case in positions("adversarial", 2000, seed=11):
        plays = legal_plays(case.own, case.other, case.dice, case.options)
        assert plays.positions
        other = men_of(case.other)
        before = sum(point * men for point, men in enumerate(men_of(case.own)))
        for position in plays.positions:
            men = men_of(position)
            assert problems(men, other) == []
            assert counts_of(men) == position
            moved = sum(point * count for point, count in enumerate(men)) - before
            if men[OFF] == men_of(case.own)[OFF] and position[11] != case.own[11] + 2:  # puissance
                assert moved in {2: {0}, 1: set(case.dice), 0: {sum(case.dice)}}[plays.unplayed]


def test_awards_do_not_ask_who_has_which_colour() -> None:
    """The men of the other are read in his own count only; mirrored twice they are where they were."""
    assert mirrored(mirrored(start())) == start()
    plays, found = roll((13, 0, 0, 0, 0, 1, 1, *[0] * 17), (13, 0, 0, 0, 0, 1, 1, *[0] * 17), (6, 6))
    assert sum(award.points for award in found) == 16
    assert plays.unplayed == 0
