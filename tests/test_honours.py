"""Games of honours become fish: classes, the pool and its end, both games summed (rules.md II.7.5 and II.7.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from rows import random_rows

from simkit.errors import UsageError
from simkit.honours import BASKET, PAID_FOR, Pools, game_classes, honours_log, payments, settle_combined
from simkit.rules import (
    Combine,
    CombineSettlement,
    ContractAfterDraw,
    LastSetScored,
    PoolLastSet,
    PoolUnfinished,
    UnfinishedHonours,
    replace,
)
from simkit.settle import settle

PRICE = CombineSettlement()
SINGLE, DOUBLE, TREBLE, QUADRUPLE = (7, False, True), (6, False, True), (9, True, False), (0, True, True)
"""Holes of the loser, whether the winner's run is whole, whether he scored first."""


def games_of(
    games: Sequence[tuple[int, tuple[int, bool, bool]]], sets: Sequence[int] = (), match: int = 0
) -> dict[str, Any]:
    """Rows of one match's games of honours: winner and kind; `sets`: where they ended, the first if not given."""
    rows: dict[str, list[Any]] = {}
    for number, (winner, (lost, whole, first)) in enumerate(games):
        row: dict[str, Any] = {"match_id": match, "game_no": number + 1, "winner": winner}
        row["set_no"] = sets[number] if sets else 1
        row["first_scorer"] = winner if first else 3 - winner
        for player in (1, 2):
            row[f"holes_{player}"] = 12 if player == winner else lost
            row[f"run_intact_{player}"] = whole and player == winner
        for name, value in row.items():
            rows.setdefault(name, []).append(value)
    return {name: np.array(values) for name, values in rows.items()}


def log_of(
    games: Sequence[tuple[int, tuple[int, bool, bool]]],
    sets: Sequence[int] = (),
    n_sets: int = 12,
    **changes: Any,
) -> list[tuple[int, int, int, int]]:
    """Of each game: basket, contract, and what each player has drawn."""
    log = honours_log(games_of(games, sets), replace(PRICE, **changes), n_sets)
    return list(
        zip(*(log[name].tolist() for name in ("basket", "contract", "drawn_1", "drawn_2")), strict=True)
    )


def test_classes() -> None:
    kinds = [SINGLE, DOUBLE, TREBLE, QUADRUPLE]
    assert game_classes(games_of([(1, kind) for kind in kinds]), PRICE).tolist() == [1, 2, 3, 4]
    guiton = replace(PRICE, honours_double_max_loser_holes=5)
    assert game_classes(games_of([(2, kind) for kind in kinds]), guiton).tolist() == [1, 1, 3, 4]


def test_two_games_in_a_row_draw_the_pool_and_a_new_one_is_opened() -> None:
    won = [(1, SINGLE), (2, DOUBLE), (1, SINGLE), (1, TREBLE), (2, SINGLE)]
    assert log_of(won) == [(5, 1, 0, 0), (7, 2, 0, 0), (8, 1, 0, 0), (4, 0, 11, 0), (5, 2, 0, 0)]
    log = honours_log(games_of(won), replace(PRICE, honours_unit_fish=3), 12)
    assert log["paid"].tolist() == [3, 6, 3, 9, 3]
    assert log["into_basket"].tolist() == log["paid"].tolist()


def test_the_contract_may_be_kept_and_other_numbers_of_wins_agreed() -> None:
    won = [(1, SINGLE)] * 3
    assert log_of(won) == [(5, 1, 0, 0), (4, 0, 6, 0), (5, 1, 0, 0)]
    kept = log_of(won, pool_contract_after_draw=ContractAfterDraw.KEPT)
    assert kept == [(5, 1, 0, 0), (4, 1, 6, 0), (4, 1, 5, 0)]
    assert [drawn for _, _, drawn, _ in log_of(won, pool_wins_in_row=1)] == [5, 5, 5]
    assert [drawn for _, _, drawn, _ in log_of(won, pool_wins_in_row=3)] == [0, 0, 7]


def test_in_the_last_set_a_pool_ends_with_the_next_game() -> None:
    single = (2, SINGLE)
    assert log_of([(1, DOUBLE), (1, SINGLE), single, single], [1, 2, 12, 12]) == [
        (6, 1, 0, 0),
        (4, 0, 7, 0),
        (0, 0, 0, 5),  # no contract: all to the winner
        (0, 0, 0, 0),  # no pool any more
    ]
    assert log_of([(1, DOUBLE), single], [1, 12])[1] == (0, 0, 3, 4)  # halved, an odd fish to the winner
    assert log_of([(2, DOUBLE), single], [1, 12])[1] == (0, 0, 0, 7)
    assert log_of([(1, DOUBLE), single], [1, 13])[1] == (0, 0, 3, 4)  # played on after the last set
    log = honours_log(games_of([single, single], [12, 12]), PRICE, 12)
    assert log["into_basket"].tolist() == [1, 0]
    assert log["paid"].tolist() == [1, 1]


def test_a_pool_of_stakes_alone_may_belong_to_one_game_of_the_last_set() -> None:
    won, ended = [(1, SINGLE), (1, SINGLE), (2, SINGLE)], [1, 11, 12]
    kept = {"pool_contract_after_draw": ContractAfterDraw.KEPT}
    whole = {"pool_last_set": PoolLastSet.OPEN_AT_START_SINGLE_WIN}
    assert log_of(won, ended, **kept)[2] == (0, 0, 2, 3)
    assert log_of(won, ended, **kept, **whole)[2] == (0, 0, 0, 5)
    assert log_of(won, ended)[2] == log_of(won, ended, **whole)[2] == (0, 0, 0, 5)


@pytest.mark.parametrize(
    ("reading", "share"),
    [
        (PoolUnfinished.SPLIT, [[3, 4], [2, 2]]),
        (PoolUnfinished.TO_CONTRACT_HOLDER, [[0, 7], [2, 2]]),
        (PoolUnfinished.RETURNED, [[5, 2], [2, 2]]),
    ],
)
def test_a_basket_that_nobody_has_drawn(reading: PoolUnfinished, share: list[list[int]]) -> None:
    pools = Pools(2, replace(PRICE, pool_unfinished=reading))
    none = np.zeros((1, 2), int).tolist()
    one = np.array([0])
    assert pools.finish_games(one, np.array([2]), np.array([3]), np.array([False])).tolist() == none
    pools.end()
    assert pools.left.tolist() == share
    assert pools.net.sum() == 0
    assert not pools.open.any()


def some_games(matches: int, seed: int) -> dict[str, Any]:
    """Up to twelve games of honours a match, none in some."""
    random = np.random.default_rng(seed)
    kinds = (SINGLE, DOUBLE, TREBLE, QUADRUPLE)
    of_matches = []
    for match in range(matches):
        count = int(random.integers(0, 13))
        sets = sorted(random.integers(1, 13, count).tolist())
        won = [(int(random.integers(1, 3)), kinds[random.integers(4)]) for _ in range(count)]
        if count:
            of_matches.append(games_of(won, sets, match))
    return {name: np.concatenate([games[name] for games in of_matches]) for name in of_matches[0]}


def test_a_match_is_its_sets_its_games_and_its_pools() -> None:
    sets, games, match = random_rows(40, 12, 5), some_games(40, 6), Combine()
    settled = settle_combined(sets, games, match, seed=3)
    written = settle(sets, match.settlement, n_sets=12, seed=3)
    assert np.array_equal(settled["written"], written["exact"])
    assert np.array_equal(settled["written_money"], written["money"])
    for number in range(40):
        own = {name: column[games["match_id"] == number] for name, column in games.items()}
        alone = settle_combined(
            {n: c[sets["match_id"] == number] for n, c in sets.items()}, own, match, seed=3
        )
        assert {name: column.item() for name, column in alone.items()} == {
            name: column[number].item() for name, column in settled.items()
        }
        signs = np.where(own["winner"] == 1, 1, -1)
        assert settled["honours"][number] == (signs * game_classes(own, match.settlement)).sum()
    assert np.array_equal(settled["honours_fish"], settled["honours"] + settled["pool"])
    assert np.array_equal(settled["exact"], settled["written"] + 10 * settled["honours_fish"])
    assert np.array_equal(settled["money"], settled["written_money"] + 10 * settled["honours_fish"])
    assert np.array_equal(np.where(settled["winner"] == 2, -1, settled["winner"]), np.sign(settled["exact"]))


@pytest.mark.parametrize("reading", list(PoolUnfinished))
@pytest.mark.parametrize("wins", [1, 2, 3])
def test_fish_are_neither_made_nor_lost(reading: PoolUnfinished, wins: int) -> None:
    games, price = some_games(200, 9), replace(PRICE, pool_unfinished=reading, pool_wins_in_row=wins)
    match = Combine(settlement=price)
    flipped = dict(games, winner=3 - games["winner"], first_scorer=3 - games["first_scorer"])
    for name in ("holes", "run_intact"):
        flipped |= {f"{name}_1": games[f"{name}_2"], f"{name}_2": games[f"{name}_1"]}
    sets = random_rows(200, 12, 5)
    one, other = (settle_combined(sets, rows, match) for rows in (games, flipped))
    for name in ("honours", "pool"):
        assert np.array_equal(one[name], -other[name])


@pytest.mark.parametrize("reading", list(PoolUnfinished))
def test_payments_add_up_to_the_settlement(reading: PoolUnfinished) -> None:
    sets, games = random_rows(60, 12, 5, capped=0.01), some_games(60, 6)
    match = Combine(settlement=replace(PRICE, pool_unfinished=reading, pool_stake_each=3))
    settled, paid = settle_combined(sets, games, match), payments(sets, games, match)
    assert (paid["amount"] > 0).all()
    assert (paid["payer"] != paid["payee"]).all()
    assert set(paid["match_id"]) == set(settled["match_id"][settled["settled"]])
    for number in range(60):
        own = {name: column[paid["match_id"] == number] for name, column in paid.items()}
        fish = own["what"] != PAID_FOR.index("written")
        flows = {
            who: own["amount"][fish & (own["payee"] == who)].sum()
            - own["amount"][fish & (own["payer"] == who)].sum()
            for who in (1, 2, BASKET)
        }
        assert flows[BASKET] == 0
        assert flows[1] == -flows[2] == settled["honours_fish"][number]
        assert own["amount"][~fish].sum() == abs(settled["written_money"][number])
    assert [PAID_FOR[what] for what in paid["what"][:3]] == ["stake", "stake", "game"]
    assert (np.diff(paid["match_id"]) >= 0).all()


def test_a_match_that_was_cut_is_not_settled() -> None:
    sets, games = random_rows(30, 12, 5, capped=0.05), some_games(30, 6)
    settled = settle_combined(sets, games, Combine())
    assert 0 < settled["settled"].sum() < 30
    for name in ("honours", "pool", "exact", "money", "winner", "honours_won_1"):
        assert not settled[name][~settled["settled"]].any()


def test_the_first_sets_of_a_longer_match_are_a_shorter_one() -> None:
    sets, games, match = random_rows(40, 12, 5), some_games(40, 6), Combine()
    short = {name: column[sets["set_no"] <= 4] for name, column in sets.items()}
    few = {name: column[games["set_no"] <= 4] for name, column in games.items()}
    one, other = (
        settle_combined(sets, games, match, n_sets=4),
        settle_combined(short, few, replace(match, sets=4)),
    )
    assert all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize(
    "changes",
    [
        {"combine_unfinished_honours": UnfinishedHonours.PLAY_ON},
        {"combine_last_set_scored": LastSetScored.ENDS_MATCH},
    ],
)
def test_not_where_a_shorter_match_would_have_ended_otherwise(changes: dict[str, Any]) -> None:
    sets, games = random_rows(4, 12, 5), some_games(4, 6)
    with pytest.raises(UsageError, match="do not end as a shorter one; simulate it"):
        settle_combined(sets, games, Combine(**changes), n_sets=4)


def test_games_out_of_order_are_refused() -> None:
    games = some_games(4, 6)
    with pytest.raises(UsageError, match="ordered by match_id and game_no"):
        settle_combined(random_rows(4, 12, 5), {n: c[::-1] for n, c in games.items()}, Combine())
