"""What must hold of combiné whatever is played: frozen games, suspensions, the pool, money."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from test_units_equal_twin import TOSSER

from simkit.catalogue import player, rule_set
from simkit.drivers import Engine, play_chunk, start_units
from simkit.honours import PAID_FOR, Pools, honours_log, payments, settle_combined
from simkit.kernel.records import (
    COMBINED_UNIT,
    HONOURS_SUSPENDED,
    INTACT,
    NO_RUN,
    NOT_SUSPENDED,
    WRITTEN_OPEN,
    WRITTEN_SCORED,
)
from simkit.rules import (
    Combine,
    ContractAfterDraw,
    PoolLastSet,
    PoolUnfinished,
    RuleSet,
    SuspendWhenBehind,
    Trictrac,
    replace,
)

COMBINE = rule_set("combine")
WRITTEN = ("holes", "run", "picked_up", "intact_at_six", "holes_own_die", "holes_other_die")
HONOURS = ("honours_holes", "honours_run", "honours_own_die")


def rolls_of(rules: RuleSet, count: int, seed: int) -> Iterator[tuple[Any, Any, Any]]:
    """Play sets roll by roll; yield the units before and after each roll, and which are over."""
    rng = np.random.default_rng(seed)
    engine = Engine(rules, (TOSSER, TOSSER), seed)
    units = start_units(np.arange(count), 0, rng.integers(0, 2, count), kind=COMBINED_UNIT)
    units.honours_holes[:, 0] = rng.integers(0, 12, count)
    units.honours_run[:, 0] = np.where(units.honours_holes[:, 0] > 0, INTACT, NO_RUN)
    while len(units):
        before = units.copy()
        over = engine.play(units, most_rolls=1)
        yield before, units.copy(), over
        units = units[~over]


@pytest.mark.parametrize("behind", list(SuspendWhenBehind))
def test_a_frozen_game_neither_changes_nor_breaks_its_runs(behind: SuspendWhenBehind) -> None:
    rules = RuleSet(
        name="some", title="Some.", game=Trictrac(), match=Combine(sets=2, combine_suspend_when_behind=behind)
    )
    frozen = {WRITTEN_OPEN: 0, HONOURS_SUSPENDED: 0}
    for before, after, _ in rolls_of(rules, 150, seed=3):
        for code, names in ((WRITTEN_OPEN, WRITTEN), (HONOURS_SUSPENDED, HONOURS)):
            here = (before.suspension == code) & ((after.suspension == code) | (code == WRITTEN_OPEN))
            frozen[code] += int(here.sum())
            for name in names:
                assert (before[name][here] == after[name][here]).all(), name
        scored = before.suspension == WRITTEN_SCORED
        assert (after.holes[scored & (before.winner < 0)] == 0).all()
    assert min(frozen.values()) > 500


def test_nobody_suspends_twice_and_only_a_pickup_ends_a_suspension() -> None:
    seen = 0
    for before, after, over in rolls_of(COMBINE, 150, seed=4):
        suspended = (after.written_suspended + after.honours_suspended).sum(axis=1)
        suspended -= (before.written_suspended + before.honours_suspended).sum(axis=1)
        was_on = before.suspension != NOT_SUSPENDED
        assert (suspended[was_on] == 0).all()
        assert (suspended <= 1).all()
        ended = was_on & (after.suspension != before.suspension)
        seen += int(ended.sum())
        assert (after.suspension[ended] == NOT_SUSPENDED).all()
        picked_up = (after.points == 0).all(axis=1) & (after.rolls_of == 0).all(axis=1)
        assert (over | picked_up)[ended].all()
        assert (after.suspender[~was_on & (suspended == 0)] == -1).all()
    assert seen > 100


def test_ledgers_keep_their_bounds() -> None:
    for _, after, over in rolls_of(COMBINE, 150, seed=5):
        assert (after.holes == after.holes_own_die + after.holes_other_die).all()
        assert (after.honours_holes < 12).all() and (after.honours_holes >= 0).all()
        for runs, holes in ((after.run, after.holes), (after.honours_run, after.honours_holes)):
            assert ((runs == NO_RUN) == (holes == 0)).all()
            assert ((runs == INTACT).sum(axis=1) <= 1).all()
        waiting = (after.suspension == WRITTEN_SCORED) & ~over
        assert ((after.winner >= 0) | (after.do_overs > 0))[waiting].all()


@pytest.mark.parametrize("pair", [("random", "random"), ("greedy", "prudent")], ids="-".join)
def test_the_rows_agree_with_each_other(pair: tuple[str, str]) -> None:
    chunk = play_chunk(COMBINE, (player(pair[0]), player(pair[1])), 11, 0, 40)
    sets, games = chunk.sets, chunk.others["honours_games"]
    assert (sets["winner"] > 0).all() and (np.bincount(sets["match_id"]) == COMBINE.match.units).all()
    assert (np.maximum(games["holes_1"], games["holes_2"]) == 12).all()
    assert (np.minimum(games["holes_1"], games["holes_2"]) < 12).all()
    for side in (1, 2):
        won = np.bincount(games["match_id"][games["winner"] == side], minlength=40)
        assert (won == chunk.matches[f"honours_won_{side}"]).all()
        assert (games[f"holes_{side}"] >= games[f"holes_own_die_{side}"]).all()
    last = sets["set_no"][np.searchsorted(sets["match_id"], games["match_id"], "right") - 1]
    assert (games["set_no"] <= last).all() and (np.diff(games["match_id"]) >= 0).all()
    rolls = (sets["rolls"] + sets["rolls_do_overs"])[
        [
            np.flatnonzero((sets["match_id"] == m) & (sets["set_no"] == s))[0]
            for m, s in zip(games["match_id"], games["set_no"], strict=True)
        ]
    ]
    assert (games["roll"] <= rolls).all()


def random_settlement(rng: random.Random) -> Any:
    return replace(
        COMBINE.match.settlement,
        honours_unit_fish=rng.choice((1, 2, 5)),
        pool_stake_each=rng.choice((0, 2, 3)),
        pool_wins_in_row=rng.choice((1, 2, 3)),
        pool_contract_after_draw=rng.choice(list(ContractAfterDraw)),
        pool_last_set=rng.choice(list(PoolLastSet)),
        pool_unfinished=rng.choice(list(PoolUnfinished)),
    )


def test_the_pool_is_never_negative_and_what_is_paid_in_is_paid_out() -> None:
    rng = random.Random(8)
    for _ in range(150):
        pools, drawn, paid_in = Pools(1, random_settlement(rng)), 0, 0
        for number in range(12):
            before = int(pools.basket[0])
            winner, paid = rng.randrange(1, 3), rng.randrange(1, 9)
            is_open = bool(pools.open[0])
            taken = pools.finish_games(*map(np.array, ([0], [winner], [paid], [number >= 8])))
            assert pools.basket[0] >= 0 and (taken >= 0).all()
            assert taken.sum() in (0, before + paid * is_open)
            assert pools.basket[0] == pools.put[0].sum()
            assert (pools.contract[0] == 0) == (pools.streak[0] == 0)
            drawn, paid_in = drawn + int(taken.sum()), paid_in + paid * is_open
        pools.end()
        assert pools.net.sum() == 0 and pools.basket[0] == 0


def test_money_sums_to_zero_over_the_players() -> None:
    """What player 1 has won player 2 has lost, seen from either side of the table."""
    chunk = play_chunk(COMBINE, (player("random"), player("greedy")), 12, 0, 30)
    games = chunk.others["honours_games"]
    rng = random.Random(9)
    for _ in range(12):
        match = replace(COMBINE.match, settlement=random_settlement(rng))
        mine = settle_combined(chunk.sets, games, match, seed=12)
        his = settle_combined(exchanged(chunk.sets), exchanged(games), match, seed=12)
        for name in ("set_points", "honours", "pool", "honours_fish", "exact"):
            assert (mine[name] == -his[name]).all(), name
        log = honours_log(games, match.settlement, match.sets)
        assert (log["basket"] >= 0).all() and (log["drawn_1"] + log["drawn_2"] >= 0).all()
        paid = payments(chunk.sets, games, match, seed=12)
        assert (paid["amount"] > 0).all() and (paid["payer"] != paid["payee"]).all()
        assert (fish_of(paid, 0) == 0).all(), "the basket is empty at the end"
        assert (fish_of(paid, 1) == mine["honours_fish"]).all()
        assert (fish_of(paid, 2) == -mine["honours_fish"]).all()


def fish_of(paid: dict[str, Any], who: int) -> Any:
    """What player 1 or 2, or the basket (0), has at the end of each of thirty matches."""
    sign = (paid["payee"] == who).astype(int) - (paid["payer"] == who)
    fish = paid["what"] != PAID_FOR.index("written")
    return np.bincount(paid["match_id"][fish], (sign * paid["amount"])[fish], 30)


def exchanged(columns: dict[str, Any]) -> dict[str, Any]:
    """Rows as they are when the players exchange their names."""
    turned = dict(columns)
    for name, column in columns.items():
        if name.endswith(("_1", "_2")):
            turned[f"{name[:-1]}{3 - int(name[-1])}"] = column
    for name in ("winner", "first_scorer", "first_player"):
        if name in columns:
            turned[name] = np.where(columns[name] > 0, 3 - columns[name], 0)
    return turned
