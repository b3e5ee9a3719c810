"""Three players at one table: what is summed is what plain counting finds, match by match."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.analysis import clusters
from simkit.analysis.intervals import mean as mean_of
from simkit.analysis.many_players import (
    CHOUETTE,
    MAIN,
    PARIS,
    TWO,
    WEAK_THIRD,
    Idle,
    ManyPlayers,
    Results,
    Table,
    negative,
    table_of,
)
from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.rules import SetFirstDie, TableMode, Written
from simkit.settle import GRANDE, set_values
from simkit.settle_turns import settle_by_turns

LEVEL, SEED = 0.95, 3


def written(rules: Any) -> Written:
    assert isinstance(rules.match, Written)
    return rules.match


@pytest.fixture(scope="module")
def rows() -> Any:
    return play_chunk(rule_set("tourner_guiton"), (player("random"),) * 3, SEED, 0, 60).sets


def test_results_are_counted() -> None:
    results = Results()
    for block in ([-30, 10, 10], [0, 200]):
        results.add(np.array(block))
    assert results.n == 5
    assert results.mean(LEVEL) == mean_of(5, 190, 900 + 100 + 100 + 40_000, LEVEL)
    many = Results()
    many.add(np.arange(-100, 101))
    assert many.quantile(0.5, LEVEL).mean == 0
    assert many.quantile(0.25, LEVEL).mean == -50
    assert many.quantile(0.25, LEVEL).low < -50 < many.quantile(0.25, LEVEL).high


def test_a_table_in_order_of_success() -> None:
    table = Table(3)
    table.add(np.array([[30, -40, 10], [100, -100, 0], [-20, -20, 40]]))
    assert table.ordered["best"].mean(LEVEL).mean == pytest.approx((30 + 100 + 40) / 3)
    assert table.ordered["middle"].mean(LEVEL).mean == pytest.approx((10 + 0 - 20) / 3)
    assert table.largest_loss.mean(LEVEL).mean == pytest.approx((40 + 100 + 20) / 3)
    assert table.size.mean(LEVEL).mean == pytest.approx((80 + 200 + 80) / 3)
    assert table.seats[1].mean(LEVEL).mean == pytest.approx(-160 / 3)
    assert table.between == 2  # 10 of 30 and 40, nothing of 100; not 20 of 40 and 20
    two = Table(2)
    two.add(np.array([[30, -30], [-50, 50]]))
    assert [*two.ordered] == ["best", "worst"]
    assert two.largest_loss.mean(LEVEL).mean == 40


def test_blocks_add_up(rows: Any) -> None:
    match = written(rule_set("tourner_guiton"))
    half = rows["match_id"] < 25
    parts = [{name: column[chosen] for name, column in rows.items()} for chosen in (half, ~half)]
    whole, cut = table_of([rows], match, SEED), table_of(parts, match, SEED)
    assert whole.largest_loss.mean(LEVEL) == cut.largest_loss.mean(LEVEL)
    assert whole.between == cut.between


def test_the_idle_player_by_plain_counting(rows: Any) -> None:
    match = written(rule_set("tourner_guiton"))
    idle = Idle()
    idle.add(rows, match, SEED)
    money = settle_by_turns(rows, match, seed=SEED)
    kind = set_values(rows, match.settlement)["kind"]
    found: dict[str, list[int]] = {case: [] for case in Idle.CASES}
    lost: dict[tuple[int, int], int] = {}
    for k in range(len(kind)):
        number = int(rows["match_id"][k])
        one, two, away = (int(rows[name][k]) for name in ("player_1_seat", "player_2_seat", "idle_seat"))
        winner, loser = (one, two) if rows["winner"][k] == 1 else (two, one)
        his = int(money[f"money_{away}"][number])
        found[("simple", "petite", "grande")[int(kind[k]) - 1]].append(his)
        if kind[k] != GRANDE:
            found["other than grande"].append(his)
        of_winner, of_loser = lost.get((number, winner), 0), lost.get((number, loser), 0)
        if of_winner != of_loser:
            found["less marked wins" if of_winner < of_loser else "more marked wins"].append(his)
        lost[number, loser] = of_loser + 1
    for case, own in found.items():
        assert idle.sums[Idle.CASES.index(case)].sum(axis=1).tolist() == [sum(own), len(own)], case
    difference = idle.difference("less marked wins", "more marked wins", LEVEL)
    means = [np.mean(found[case]) for case in ("less marked wins", "more marked wins")]
    assert difference.mean == pytest.approx(means[0] - means[1])
    assert difference.low < difference.mean < difference.high
    assert idle.n == 60


def test_the_difference_of_ratios_is_that_of_the_jackknife() -> None:
    """Linearised and jackknife agree where groups are many and alike."""
    random = np.random.default_rng(5)
    under, other_under = random.integers(40, 60, (2, clusters.GROUPS))
    over = 3 * under + random.integers(-20, 20, clusters.GROUPS)
    other_over = 2 * other_under + random.integers(-20, 20, clusters.GROUPS) + over // 50
    found = clusters.difference(over, under, other_over, other_under, 1000, LEVEL)
    left_out = [
        np.delete(over, g).sum() / np.delete(under, g).sum()
        - np.delete(other_over, g).sum() / np.delete(other_under, g).sum()
        for g in range(clusters.GROUPS)
    ]
    groups = clusters.GROUPS
    se = np.sqrt((groups - 1) / groups * ((np.array(left_out) - np.mean(left_out)) ** 2).sum())
    assert found.se == pytest.approx(se, rel=0.02)
    assert found.mean == pytest.approx(over.sum() / under.sum() - other_over.sum() / other_under.sum())
    nothing = np.zeros(groups, np.int64)
    assert np.isnan(clusters.difference(over, under, nothing, nothing, 1000, LEVEL).low)


def test_the_plays_it_needs() -> None:
    rules = rule_set("tourner_guiton")
    needed = ManyPlayers().plays(rules)
    assert {key: one.seats for key, one in needed.items()} == {
        MAIN: (0, 1, 1),
        WEAK_THIRD: (0, 0, 1),
        CHOUETTE: (0, 1, 1),
        TWO: (0, 1),
    }
    assert written(needed[TWO].rules).table_mode is TableMode.TWO
    assert written(needed[CHOUETTE].rules).set_first_die is SetFirstDie.ALTERNATE
    assert {written(one.rules).sets for one in needed.values()} == {12}
    assert len({one.rules.name for one in needed.values()}) == 4
    with pytest.raises(ConfigError, match="ecrire_guiton is not played à tourner"):
        ManyPlayers().plays(rule_set("ecrire_guiton"))
    with pytest.raises(ConfigError, match=r"match\.sets 9 is odd"):
        ManyPlayers().plays(rules.with_match(sets=9))


def test_numbers_are_of_every_rule_of_paris() -> None:
    assert [paris.value for paris in PARIS] == ["pairwise_full_tail", "split_tail", "none"]
    one = negative(mean_of(3, 6, 14, LEVEL))
    assert (one.mean, one.low < one.mean < one.high) == (-2, True)
