"""Luck as a control variate: zero mean by construction, the regression, and luck that is refused."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from simkit.analysis.clusters import GROUPS
from simkit.analysis.luck import LuckSums, adjusted
from simkit.analysis.measure import Measure
from simkit.catalogue import player, rule_set
from simkit.drivers import Engine, TablesEngine, play_chunk, start_units
from simkit.drivers.luck import kinds_of_luck, play_with_luck
from simkit.drivers.points import opening_games
from simkit.errors import UsageError, VerificationFailed
from simkit.kernel.entries import score_position
from simkit.kernel.luck import add_unit_luck
from simkit.kernel.plays import MAX_PLAYS
from simkit.kernel.records import CAPPED, FIGURES
from simkit.kernel.tables.luck import add_game_luck
from simkit.players import Player, lower_players, lower_tables_players

RESULT = Measure(name="result", unit="points", says="result", signed=True, ends=("better", "worse"))
Numbers = NDArray[np.int64]


def summed(n: int, seed: int = 1, kinds: int = 2, shift: int = 0) -> tuple[LuckSums, Numbers, Numbers]:
    random = np.random.default_rng(seed)
    one, two = random.integers(-50, 51, (2, n, kinds)) + shift
    change = 3 * (two - one)[:, 0] + random.integers(-90, 101, n)
    sums = LuckSums([f"kind_{k}" for k in range(kinds)], 36, [RESULT])
    for part in np.array_split(np.arange(n), 7):
        sums.add(part, one[part], two[part], {"result": change[part]})
    return sums, two - one, change


def test_luck_is_taken_off_by_the_coefficients_of_the_other_groups() -> None:
    sums, lucks, change = summed(3000)
    left = np.empty(len(change))
    for group in range(GROUPS):
        own = np.arange(len(change)) % GROUPS == group
        x, y = lucks[~own], change[~own]
        found, *_ = np.linalg.lstsq(x - x.mean(axis=0), y - y.mean(), rcond=None)
        left[own] = change[own] - lucks[own] @ found
    one = adjusted(sums, RESULT)
    assert one.difference.mean == pytest.approx(left.mean() / 2)
    assert one.difference.se == pytest.approx(left.std() / 2 / np.sqrt(len(left) - 3))
    assert one.coefficients["kind_0"] == pytest.approx(3 * 36, rel=0.05)
    assert one.factor.mean == pytest.approx(change.var() / left.var(), rel=0.01)
    assert one.factor.low < one.factor.mean < one.factor.high and one.verdict == "better"
    assert one.luck["kind_0"].mean == pytest.approx(lucks[:, 0].mean() / 72)


def test_luck_that_goes_along_with_nothing_gains_nothing() -> None:
    sums, _, _ = summed(3000, kinds=1)
    sums.moments[:, 1, 2:] = sums.moments[:, 2:, 1] = 0
    one = adjusted(sums, RESULT)
    assert one.factor.mean <= 1 and one.difference.mean == pytest.approx(
        sums.moments[:, 0, 2].sum() / 6000, rel=0.05
    )


def test_a_kind_that_never_varies_is_left_alone() -> None:
    sums, _, _ = summed(2000)
    for axis in (np.s_[:, 2, :], np.s_[:, :, 2]):
        sums.moments[axis] = 0
    assert adjusted(sums, RESULT).coefficients["kind_1"] == 0


def test_luck_that_is_not_nothing_on_average_is_refused() -> None:
    fair, _, _ = summed(3000)
    fair.check(["a against b", "b against a"])
    bent, _, _ = summed(3000, shift=4)
    with pytest.raises(
        VerificationFailed, match=r"luck of kind_0 in 3,000 matches of a against b: .*adjusted"
    ):
        bent.check(["a against b", "b against a"])


def test_the_test_of_the_luck_fails_by_chance_as_rarely_as_it_says() -> None:
    random, failed = np.random.default_rng(3), 0
    for _ in range(2000):
        sums = LuckSums(("kind",), 1, [])
        lucks = random.normal(size=(2, 400, 1))
        sums.add(np.arange(400), lucks[0], lucks[1], {})
        failed += any(one.low > 0 or one.high < 0 for _, _, one in sums.means())
    assert failed <= 8  # 2 are expected


def test_few_pairs_have_no_interval() -> None:
    sums, _, _ = summed(100)
    assert np.isnan(adjusted(sums, RESULT).difference.low)


def test_the_luck_of_all_rolls_from_one_state_sums_to_nothing() -> None:
    judge, rules = player("prudent"), rule_set("ecrire_academie")
    before = start_units(np.arange(36), 0, np.zeros(36, np.int64))
    before.low[:, 0], before.high[:, 0] = 0b000101010100, 0b000001000001  # any men will do
    before.low[:, 1], before.high[:, 1] = 0b011000000000, 0  # his lone men, to be hit
    before.points[:, 0], before.points[:, 1] = 8, 10
    lowered = Engine(rules, (judge, judge), 1).lowered
    after = before.copy()
    for k in range(36):
        after.thrown_1[k], after.thrown_2[k] = k // 6 + 1, k % 6 + 1
    found = np.zeros((36, 3), np.int64)
    add_unit_luck(lowered, lower_players((judge,)), before, after, np.zeros(36, bool), found)
    assert not found.sum(axis=0).any() and found.any(axis=0).all()


def test_a_roll_is_weighed_by_what_it_scores() -> None:
    judge, rules = player("prudent"), rule_set("twelve_hole")
    lowered = Engine(rules, (judge, judge), 1).lowered
    before = start_units(np.arange(36), 0, np.zeros(36, np.int64))
    before.low[:, 0], before.high[:, 0] = 0b000101010100, 0b000001000001
    before.low[:, 1], before.high[:, 1] = 0b011000000000, 0
    before.roller, before.points[:, 1] = 1, 11
    after, awards, holes = before.copy(), np.zeros(36, np.int64), np.zeros(36, np.int64)
    plays, gains = np.empty((MAX_PLAYS, 2), np.int64), np.zeros((len(FIGURES), 2), np.int64)
    boards = np.array([before.low[0, 1], before.high[0, 1], before.low[0, 0], before.high[0, 0]])
    for k in range(36):
        dice = k // 6 + 1, k % 6 + 1
        after.thrown_1[k], after.thrown_2[k] = dice
        memory = np.array([1, 0, 0])
        gain, others, *_ = score_position(lowered, boards, memory, *dice, plays, gains)
        awards[k], holes[k] = gain - others, (11 + gain) // 12 - others // 12
    found = np.zeros((36, 3), np.int64)
    add_unit_luck(lowered, lower_players((judge,)), before, after, np.zeros(36, bool), found)
    np.testing.assert_array_equal(found[:, 0], -(36 * awards - awards.sum()))  # player 2 rolls
    np.testing.assert_array_equal(found[:, 1], -(36 * holes - holes.sum()))


def test_what_was_no_throw_has_no_luck() -> None:
    judge, rules = player("prudent"), rule_set("twelve_hole")
    lowered = Engine(rules, (judge, judge), 1).lowered
    before = start_units(np.arange(3), 0, np.zeros(3, np.int64))
    after = before.copy()
    after.thrown_1 = after.thrown_2 = 6
    before.die_1[0] = 5  # the draw was the throw
    over = np.array([False, True, False])
    after.ended_by[1] = CAPPED  # cut before it
    found = np.zeros((3, 3), np.int64)
    add_unit_luck(lowered, lower_players((judge,)), before, after, over, found)
    assert not found[:2].any() and found[2].any()


def test_the_chances_after_all_rolls_of_toutes_tables_sum_to_nothing() -> None:
    judge, rules = player("tables_cube"), rule_set("backgammon_cube")
    engine = TablesEngine(rules, (judge, judge), 1)
    before = opening_games(rules, engine.key, np.zeros(36, np.int64))
    before.die_1 = before.die_2 = 0
    after = before.copy()
    after.rolls += 1
    after.cube = 4
    for k in range(36):
        after.thrown_1[k], after.thrown_2[k] = k // 6 + 1, k % 6 + 1
    found = np.zeros((36, 2), np.int64)
    add_game_luck(engine.lowered, lower_tables_players((judge, judge)), before, after, found)
    assert not found.sum(axis=0).any() and (found[:, 1] == 4 * found[:, 0]).all() and found.any()


@pytest.mark.parametrize(
    ("rules", "players", "judge"),
    [
        ("twelve_hole", ("prudent", "random"), "prudent"),
        ("ecrire_academie", ("random", "prudent"), "greedy"),
        ("backgammon_225_cube", ("tables_cube", "tables_linear"), "tables_cube"),
    ],
)
def test_matches_seen_are_the_matches_played(rules: str, players: tuple[str, str], judge: str) -> None:
    seated = (player(players[0]), player(players[1]))
    rows = play_chunk(rule_set(rules), seated, 5, 3, 6)
    seen, found = play_with_luck(rule_set(rules), seated, 5, 3, 6, player(judge))
    for name, column in rows.matches.items():
        np.testing.assert_array_equal(column, seen.matches[name])
    for name, column in rows.sets.items():
        np.testing.assert_array_equal(column, seen.sets[name])
    assert found.shape == (6, len(kinds_of_luck(rule_set(rules)))) and found.any(axis=1).all()
    again, apart = play_with_luck(rule_set(rules), seated, 5, 5, 2, player(judge))
    np.testing.assert_array_equal(apart, found[2:4])
    assert again.matches["match_id"].tolist() == [5, 6]


@pytest.mark.parametrize(
    ("rules", "judge", "words"),
    [
        (
            "twelve_hole",
            "random",
            "random cannot tell what a position of twelve_hole is worth; .* as prudent",
        ),
        ("backgammon", "tables_linear", "tables_linear cannot tell .* as tables_cube"),
        ("combine", "prudent", "luck is counted in written matches, parties and matches to points alone"),
    ],
)
def test_who_cannot_tell_is_refused(rules: str, judge: str, words: str) -> None:
    seated: tuple[Player, Player] = (player("random"), player("random"))
    with pytest.raises(UsageError, match=words):
        play_with_luck(rule_set(rules), seated, 0, 0, 1, player(judge))
