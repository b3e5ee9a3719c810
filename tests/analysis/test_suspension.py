"""The right to suspend: samples, gaps, maps, places and pools against plain arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simkit.analysis import clusters
from simkit.analysis.combine_pools import GEOMETRIC, PoolSums, distance, of_pools, pool_game, pool_shares
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import around, exact
from simkit.analysis.suspension import (
    DIFFERENT,
    DIFFERS,
    MAIN,
    REGIONS,
    SWAPPED,
    Lots,
    Suspension,
    by_match,
    class_at_stake,
    gaps,
    of_advice,
    of_places,
    repeats_mean,
    rule_of_optima,
    stays,
    weighed,
)
from simkit.catalogue import experiment, player, rule_set
from simkit.decisions import GOES, HOLD, LEAVES_HONOURS, LEAVES_WRITTEN
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.honours import settle_combined
from simkit.rules import Combine, UnfinishedHonours

LEVEL, SEED = 0.95, 4
COMBINE = rule_set("combine_classical").with_match(sets=4)
MATCH = COMBINE.match
assert isinstance(MATCH, Combine)


def found(estimates: Iterator[Estimate]) -> dict[tuple[str, str], float]:
    return {(one.measure, one.detail): one.interval.mean for one in estimates}


# ---------------------------------------------------------------- decisions


def met(**columns: Any) -> Any:
    return SimpleNamespace(**{name: np.array(values) for name, values in columns.items()}, __len__=lambda: 0)


def test_the_class_at_stake_is_that_of_a_win_now() -> None:
    """Nothing of the other's, a run unbroken, up to six holes of the other's, more; nothing short of eight."""
    some = met(
        honours=[[8, 0], [9, 4], [8, 6], [11, 7], [0, 0], [7, 0], [7, 9]],
        run=[[0, 1], [0, 1], [0, 0], [0, 0], [0, 0], [0, 1], [0, 0]],
    )
    some.run = some.run.astype(bool)
    assert class_at_stake(some, 6).tolist() == [4, 3, 2, 1, 0, 0, 0]
    assert class_at_stake(some, 5).tolist() == [4, 3, 1, 1, 0, 0, 0]


def test_maps_ask_where_the_game_that_goes_on_holds() -> None:
    every = met(did=[HOLD, GOES, LEAVES_WRITTEN, LEAVES_HONOURS])
    for region in REGIONS:
        alone = LEAVES_HONOURS if region.suspends == LEAVES_HONOURS else LEAVES_WRITTEN
        assert stays(region, every).tolist() == [did in (HOLD, alone) for did in range(4)]
        assert set(region.advised) < set(region.cells)


def test_a_sample_is_drawn_by_lot_and_the_same_again() -> None:
    lots, again = Lots(50, 3), Lots(50, 3)
    kind = np.arange(50) % 2 == 0
    drawn = lots.draw(kind, 10)
    assert len(drawn) == len(set(drawn.tolist())) == 10
    assert (np.diff(drawn) > 0).all()
    assert kind[drawn].all()
    assert (again.draw(kind, 10) == drawn).all()
    assert set(lots.draw(kind, 5).tolist()) < set(drawn.tolist())
    assert len(lots.draw(kind, 100)) == 25


def test_gaps_by_hand() -> None:
    """Hold, go, leave the written game, leave the honours; two repeats, which choose for each other.

    First decision, alike in both repeats: going is better in the written game (3 against 1), holding in the
    honours (2 against 0): the rule leaves the written game, together 4 + 2 x 1 = 6. Holding is worth 5, going 3,
    leaving the honours 7, the best. Second decision, no honours: the first repeat has going best (4 against 0, the
    rule leaves the written game, 1), the second holding (2 against 0, the rule holds). The second tells 0 of going
    and 1 of the rule, the first 0 of holding and of the rule: the gap is (-1 + 0) / 2. In all going is worth 2.
    """
    written = np.array([[[1.0, 1], [3, 3], [4, 4], [7, 7]], [[0, 2], [4, 0], [1, 1], [0, 0]]])
    honours = np.zeros_like(written)
    honours[0] = [[2, 2], [0, 0], [1, 1], [0, 0]]
    one = gaps(written, honours, 2, np.array([HOLD, GOES]))
    assert one.by_rule.tolist() == [1, -0.5]
    assert one.naive.tolist() == [1, 2 - 0.5]
    assert one.as_judged.tolist() == [2, 0 - 2]
    assert one.differ.tolist() == [1, 0.5]


def test_the_rule_leaves_each_game_in_which_going_is_better() -> None:
    better = np.array([[1.0, 2, 9, 9]])
    worse, alike = better[:, [1, 0, 2, 3]], np.ones((1, 4))
    for written, honours, choice in (
        (better, better, GOES),
        (better, worse, LEAVES_WRITTEN),
        (better, alike, LEAVES_WRITTEN),
        (worse, better, LEAVES_HONOURS),
        (worse, worse, HOLD),
        (alike, alike, HOLD),
    ):
        assert rule_of_optima(written, honours).tolist() == [choice]


def test_a_mean_of_repeats_has_those_known_with_every_choice() -> None:
    cut = np.array([[[1.0, np.nan, 3], [5, 7, 9]]])
    assert repeats_mean(cut).tolist() == [[2.0, 7.0]]


def test_a_mean_of_decisions_has_the_match_as_its_unit() -> None:
    values, match = np.array([1.0, 3, 8, np.nan, 2]), np.array([7, 7, 9, 9, 12])
    one = by_match(values, match, LEVEL)
    assert (one.n, one.mean) == (3, 14 / 4)
    residuals = np.array([4 - 2 * 3.5, 8 - 3.5, 2 - 3.5])
    assert one.se == pytest.approx((3 / 2 * (residuals**2).sum()) ** 0.5 / 4)
    assert np.isnan(by_match(np.zeros(0), np.zeros(0, np.int64), LEVEL).mean)


def test_kinds_are_weighed_by_how_often_they_come() -> None:
    kinds = {"a": around(9, 1.0, 0.3, 2, LEVEL, "t"), "b": around(5, 4.0, 0.4, 2, LEVEL, "t")}
    one = weighed(kinds, {"a": 3, "b": 1, "none": 0}, LEVEL)
    assert one.mean == pytest.approx((3 * 1 + 4) / 4)
    assert one.se == pytest.approx(((0.75 * 0.3) ** 2 + (0.25 * 0.4) ** 2) ** 0.5)
    assert np.isnan(weighed(kinds, {"c": 2}, LEVEL).mean)


def test_advice_is_counted() -> None:
    class Met(SimpleNamespace):
        def __len__(self) -> int:
            return len(self.did)

    some = Met(
        did=np.array([HOLD, HOLD, GOES, LEAVES_WRITTEN, LEAVES_HONOURS]),
        match_id=np.array([0, 0, 1, 1, 1]),
        written=np.array([[1, 0], [6, 2], [2, 2], [6, 1], [2, 7]]),
    )
    told = found(of_advice(some, 2, LEVEL))  # type: ignore[arg-type]
    assert told["disagree", "all"] == pytest.approx(2 / 5)
    assert told["disagree", "somebody has six"] == pytest.approx(2 / 3)
    assert told["disagree", "nobody has six"] == 0
    assert told["advice", "both hold"] == pytest.approx(2 / 5)
    assert told["decisions", ""] == 2.5
    assert len(DIFFERENT) == 2


def test_gain_of_both_places() -> None:
    """What plain settling of the two plays finds, match by match."""
    pair = (player("prudent"), player("prudent_never_suspends"))
    chunks = {
        key: play_chunk(COMBINE, order, SEED, 0, 30) for key, order in ((MAIN, pair), (SWAPPED, pair[::-1]))
    }

    class Both:
        def seed(self, key: str) -> int:
            return SEED

        def combined(self, columns: Sequence[str], key: str) -> Iterator[Any]:
            yield chunks[key].sets, chunks[key].others["honours_games"]

    told = found(of_places(Both(), MATCH, 13, LEVEL))  # type: ignore[arg-type]
    one, two = (
        settle_combined(chunk.sets, chunk.others["honours_games"], MATCH, seed=SEED)
        for chunk in chunks.values()
    )
    written = (one["written"] - two["written"]) / 2
    honours = (one["honours_fish"] - two["honours_fish"]) / 2
    assert told["gain", "written"] == pytest.approx(written.mean())
    assert told["gain", "honours"] == pytest.approx(honours.mean())
    assert told["gain", "both"] == pytest.approx((written + 13 * honours).mean())


# ---------------------------------------------------------------- pools


def test_games_are_numbered_within_their_pool() -> None:
    match_id, draws = np.array([0, 0, 0, 0, 2, 2]), np.array([0, 1, 0, 0, 0, 1], bool)
    assert pool_game(match_id, draws).tolist() == [1, 2, 1, 2, 1, 2]


def test_a_fair_coin_has_no_distance() -> None:
    risk = np.array([0, 640, 640, 320, 160, 80, 40, 40])
    drawn = risk // 2 * (np.arange(8) > 1)
    sums = np.stack([risk, drawn]).astype(float)
    assert pool_shares(sums) == pytest.approx(GEOMETRIC)
    assert distance(sums) == pytest.approx(0)
    assert GEOMETRIC.sum() == 1
    always = np.stack([risk, risk * (np.arange(8) > 1)]).astype(float)
    assert pool_shares(always)[0] == 1
    assert distance(always) == pytest.approx(1 / 2)


def test_pools_by_hand() -> None:
    """One match: 1, 1 draws 4 and two singles; then 2, 1, 1 draws 4 and three; then 2 in the last set."""
    winner = np.array([1, 1, 2, 1, 1, 2])
    games = {
        "match_id": np.zeros(6, np.int64),
        "game_no": np.arange(1, 7),
        "set_no": np.array([1, 2, 2, 3, 3, 4]),
        "winner": winner,
        "first_scorer": winner,
        "holes_1": np.where(winner == 1, 12, 9),
        "holes_2": np.where(winner == 2, 12, 9),
        "run_intact_1": np.zeros(6, bool),
        "run_intact_2": np.zeros(6, bool),
    }
    sums = PoolSums()
    sums.add(1, games, MATCH)
    assert sums.risk.sum(axis=0).tolist() == [0, 2, 2, 1]
    assert sums.drawn.sum(axis=0).tolist() == [0, 0, 1, 1]
    assert np.flatnonzero(sums.sizes).tolist() == [6]
    assert sums.risk.shape[0] == clusters.GROUPS
    told = found(of_pools(sums, LEVEL))
    assert told["repeat_wins", ""] == pytest.approx(2 / 3)
    assert told["repeat_wins_at", "2"] == pytest.approx(1 / 2)
    assert told["pool_chi2", ""] == pytest.approx(0 + (1 - 0.5) ** 2 / 0.25)
    assert told["pool_size", ""] == 6
    assert told["pool_left", ""] == 0


def test_a_first_pool_that_is_not_drawn_is_left() -> None:
    """Of three matches one draws its first pool, one wins in turns up to the last set, one has no game."""
    winner = np.array([1, 2, 2, 1, 2, 2])
    games = {
        "match_id": np.array([0, 0, 0, 1, 1, 1]),
        "game_no": np.array([1, 2, 3, 1, 2, 3]),
        "set_no": np.array([1, 2, 3, 1, 3, 4]),
        "winner": winner,
        "first_scorer": winner,
        "holes_1": np.where(winner == 1, 12, 9),
        "holes_2": np.where(winner == 2, 12, 9),
        "run_intact_1": np.zeros(6, bool),
        "run_intact_2": np.zeros(6, bool),
    }
    sums = PoolSums()
    sums.add(3, games, MATCH)
    assert sums.sizes.sum() == 1
    assert found(of_pools(sums, LEVEL))["pool_left", ""] == pytest.approx(2 / 3)


# ---------------------------------------------------------------- declaration


def test_what_it_cannot_be_asked_of() -> None:
    for rules, words in (
        (rule_set("classical"), "no trictrac combiné"),
        (COMBINE.with_match(suspension=False), "with suspensions"),
        (COMBINE.with_match(combine_unfinished_honours=UnfinishedHonours.PLAY_ON), "play_on"),
        (COMBINE.with_settlement(pool_wins_in_row=3), "two games in a row"),
    ):
        with pytest.raises(ConfigError, match=words):
            Suspension().plays(rules)
    assert list(Suspension(gap_repeats=3).problems())
    assert list(Suspension(region_states=0).problems())
    assert list(Suspension(agree_states=0).problems())
    assert list(Suspension().facts())


@pytest.mark.parametrize(
    ("claim", "values", "outcome"),
    [
        ("E2", {("disagree", "somebody has six"): 0.21}, "confirmed"),
        ("E2", {("disagree", "somebody has six"): 0.19, ("disagree", "all"): 0.21}, "refuted"),
        ("E2b", {("gain", "both"): 0.1}, "confirmed"),
        ("E2b", {("gain", "both"): -0.1}, "refuted"),
        ("E3", {("gap_per_match", DIFFERS): 8.0, ("gap_naive_per_match", DIFFERS): 9.9}, "confirmed"),
        ("E3", {("gap_per_match", DIFFERS): 9.9, ("gap_naive_per_match", DIFFERS): 10.1}, "undecided"),
        ("E3", {("gap_per_match", DIFFERS): 10.1, ("gap_naive_per_match", DIFFERS): 12.0}, "refuted"),
        ("E4", {("region", "others_honours"): 1.0, ("region_less_rest", "others_honours"): 1.0}, "confirmed"),
        ("E4c", {("region", "pool"): 1.0, ("region_less_rest", "pool"): -1.0}, "refuted"),
        ("E5", {("region", "others_written"): -1.0, ("region_less_rest", "others_written"): 2.0}, "refuted"),
        ("E6", {("next_hole_mine", "in the return"): 0.5}, "confirmed"),
        ("E6", {("next_hole_mine", "in the return"): 0.56}, "refuted"),
        ("E7", {("pool_distance", ""): 0.04}, "confirmed"),
        ("E7", {("pool_distance", ""): 0.06}, "refuted"),
    ],
)
def test_the_criteria(claim: str, values: dict[tuple[str, str], float], outcome: str) -> None:
    test = next(one.test for one in experiment("suspension").claims if one.id == claim)
    estimates = [
        Estimate(measure=measure, detail=detail, unit="", interval=exact(value, 9, "exact", LEVEL))
        for (measure, detail), value in values.items()
    ]
    assert test.decide(estimates).outcome == outcome
