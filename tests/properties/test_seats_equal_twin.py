"""What drivers make of units whoever plays them: seats, first throws, lines, antes and pots are the twin's.

No roll is played: units are decided by a coin.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from simkit.catalogue import player, rule_set
from simkit.drivers import ChunkTables, play_chunk
from simkit.rules import (
    SEATS,
    Combine,
    DrainHoleValueBasis,
    DrainOverdraw,
    DrainRotation,
    DrainSettlement,
    FillAnteTiming,
    FillInitialAnte,
    FillSettlement,
    FillStreak,
    Pool,
    PoolDrain,
    PoolFill,
    PoolFirstDie,
    RotationFirstSetLeaver,
    RuleSet,
    TableMode,
    Trictrac,
    Written,
    replace,
    table_of,
)
from simkit.shares import STAKE, antes, settle_pools
from simkit.transcript.pools import pool_steps
from tests.reference import turns as twin
from tests.reference.pools import DrainingPool, FillingPool
from tests.tossed import TossedEngine

COUNT = 12
TABLES = (
    "chouette_guiton",
    "two_v_two_guiton",
    "tourner_guiton",
    "tourner_classical",
    "five_jl1852",
    "combine_chouette",
    "combine_two_v_two",
)
POOLS: dict[str, Pool] = {
    "fill": PoolFill(),
    "fill of three, defences": PoolFill(players=3, fill_streak=FillStreak.DEFENCES_ONLY),
    "fill of six": PoolFill(players=6, pool_first_die=PoolFirstDie.CHALLENGER),
    "drain": PoolDrain(),
    "drain of three, in a ring": PoolDrain(players=3, drain_rotation=DrainRotation.RING),
    "drain of five, FA": PoolDrain(
        players=5,
        drain_hole_value_basis=DrainHoleValueBasis.INDIVIDUAL_STAKE,
        drain_rotation=DrainRotation.RING,
        drain_hole_percent=7,
        pool_first_die=PoolFirstDie.DRAW,
    ),
    "drain, lurches": PoolDrain(drain_lurch=True, drain_lurch_multiplier=3),
}


def tossed(rules: RuleSet, seed: int = 3) -> ChunkTables:
    players = (player("prudent"),) * rules.match.players
    return play_chunk(rules, players, seed, 0, COUNT, engine=TossedEngine(rules, players, seed))


def of_pool(match: Pool) -> ChunkTables:
    return tossed(RuleSet(name="pool", title="A pool", game=Trictrac(), match=match))


def sets_of(tables: ChunkTables, number: int) -> list[dict[str, Any]]:
    rows = np.flatnonzero(tables.sets["match_id"] == number)
    return [{name: column[row].item() for name, column in tables.sets.items()} for row in rows]


def loser_holes(match: PoolDrain, row: dict[str, Any]) -> int:
    winner = row["winner"]
    times = match.drain_lurch_multiplier if match.drain_lurch and row[f"run_intact_{winner}"] else 1
    return int(times * row[f"holes_{winner}"] - row[f"holes_{3 - winner}"])


# ---------------------------------------------------------------- seats


def pairs_by_twin(match: Written | Combine, rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Who plays each set, who stays first: from the first pair and its winner, by the twin."""
    mode = table_of(match)
    first = str(rows[0]["player_1_seat"]), str(rows[0]["player_2_seat"])
    if mode is TableMode.TOURNER:
        waiting = [str(6 - rows[0]["player_1_seat"] - rows[0]["player_2_seat"])]
        benches = (waiting, waiting)
    else:
        size, n = SEATS[mode][0], match.players
        sides = [str(one) for one in range(1, size + 1)], [str(one) for one in range(size + 1, n + 1)]
        rest = []
        for side, (members, sits) in enumerate(zip(sides, first, strict=True)):
            order = list(dict.fromkeys(str(row[f"player_{side + 1}_seat"]) for row in rows))
            assert sorted(order) == members
            rest.append([one for one in order if one != sits])
        benches = (rest[0], rest[1])
    won = rows[0]["winner"] - 1
    leaver = first[won if match.rotation_first_set_leaver is RotationFirstSetLeaver.WINNER else 1 - won]
    leaves: str | None = {TableMode.CHOUETTE: None, TableMode.FIVE: first[0]}.get(mode, leaver)
    return twin.rotation(first, benches, leaves, match.sets)


@pytest.mark.parametrize("leaver", RotationFirstSetLeaver)
@pytest.mark.parametrize("name", TABLES)
def test_who_sits_and_who_throws_first(name: str, leaver: RotationFirstSetLeaver) -> None:
    rules = rule_set(name).with_match(rotation_first_set_leaver=leaver)
    match = rules.match
    assert isinstance(match, Written | Combine)
    tables = tossed(rules)
    for number in range(COUNT):
        rows = sets_of(tables, number)
        assert len(rows) == match.sets
        for place, (row, (stays, comes)) in enumerate(zip(rows, pairs_by_twin(match, rows), strict=True)):
            seats = [str(row["player_1_seat"]), str(row["player_2_seat"])]
            assert {*seats} == {stays, comes}
            thrower = seats[row["first_player"] - 1]
            if table_of(match) is TableMode.CHOUETTE:
                assert thrower == ("1" if place % 2 == 0 else comes)
            elif place:
                assert thrower == stays


# ---------------------------------------------------------------- pools


@pytest.mark.parametrize("name", [name for name in POOLS if name.startswith("fill")])
def test_a_filling_pool(name: str) -> None:
    """Line, streak, end and antes under every settlement, match by match."""
    match = POOLS[name]
    assert isinstance(match, PoolFill)
    tables, line = of_pool(match), [str(seat) for seat in range(1, match.players + 1)]
    for number in range(COUNT):
        told = FillingPool(line, match.fill_streak is FillStreak.COUNT_DETHRONING)
        for row in sets_of(tables, number):
            seats = [str(row["player_1_seat"]), str(row["player_2_seat"])]
            assert seats == [told.champion, told.challenger]
            told.match(seats[row["winner"] - 1])
        assert told.winner == str(tables.matches["last_winner"][number])
        own = slice(number * match.players, (number + 1) * match.players)
        shares = {column: values[own] for column, values in tables.others["shares"].items()}
        for timing in FillAnteTiming:
            for initial in FillInitialAnte:
                settlement = FillSettlement(fill_ante_timing=timing, fill_initial_ante=initial)
                settled = settle_pools(shares, replace(match, settlement=settlement))
                owed = told.antes(
                    on_defeat=timing is FillAnteTiming.ON_DEFEAT,
                    on_first_entry=initial is FillInitialAnte.ON_FIRST_ENTRY,
                )
                assert settled["paid"].tolist() == [STAKE * owed[one] for one in line]
                pot = [STAKE * sum(owed.values()) * (one == told.winner) for one in line]
                assert settled["won"].tolist() == pot


@pytest.mark.parametrize("name", [name for name in POOLS if name.startswith("drain")])
def test_a_draining_pool(name: str) -> None:
    """Line, payments and the pot to its end, match by match; the last payment takes what is left, or all of it."""
    match = POOLS[name]
    assert isinstance(match, PoolDrain)
    tables, line = of_pool(match), [str(seat) for seat in range(1, match.players + 1)]
    total = match.drain_hole_value_basis is DrainHoleValueBasis.TOTAL
    hole = Fraction(match.drain_hole_percent, 100) * (match.players if total else 1)
    settled = settle_pools(tables.others["shares"], match)
    owing = replace(match, settlement=DrainSettlement(drain_overdraw=DrainOverdraw.LOSER_PAYS))
    debts = settle_pools(tables.others["shares"], owing)
    for number in range(COUNT):
        told, rows = (
            DrainingPool(line, hole, match.drain_rotation is DrainRotation.RING),
            sets_of(tables, number),
        )
        for row in rows:
            seats = [str(row["player_1_seat"]), str(row["player_2_seat"])]
            assert seats == [told.older, told.newer]
            before = told.pot
            told.match(seats[row["winner"] - 1], loser_holes(match, row))
        assert told.over
        own = slice(number * match.players, (number + 1) * match.players)
        assert [Fraction(int(won), STAKE) for won in settled["won"][own]] == [told.won[one] for one in line]
        assert (settled["paid"][own] == STAKE).all()
        lacking = int(STAKE * (loser_holes(match, rows[-1]) * hole - before))
        change = (debts["net"] - settled["net"])[own].tolist()
        sides = [rows[-1][f"player_{side}_seat"] for side in (rows[-1]["winner"], 3 - rows[-1]["winner"])]
        assert [change[seat - 1] for seat in sides] == [lacking, -lacking]
        assert sum(map(abs, change)) == 2 * lacking


@pytest.mark.parametrize("match", POOLS.values(), ids=POOLS)
def test_who_throws_first_in_a_pool(match: Pool) -> None:
    rows = of_pool(match).sets
    later = rows["set_no"] > 1
    if match.pool_first_die is PoolFirstDie.DRAW:
        assert set(rows["first_player"][later].tolist()) == {1, 2}
    else:
        first = 1 if match.pool_first_die is PoolFirstDie.INCUMBENT else 2
        assert (rows["first_player"][later] == first).all()


@pytest.mark.parametrize("match", POOLS.values(), ids=POOLS)
def test_the_pot_as_it_is_told(match: Pool) -> None:
    """Match by match what is told of the pot comes to what is settled."""
    rules = RuleSet(name="pool", title="A pool", game=Trictrac(), match=match)
    players = (player("prudent"),) * match.players
    tables = play_chunk(rules, players, 3, 0, 1, engine=TossedEngine(rules, players, 3))
    steps, settled = [*pool_steps(match, tables)], settle_pools(tables.others["shares"], match)
    assert [step.over for step in steps][-1]
    if isinstance(match, PoolFill):
        paid = np.sum([np.add(step.entry_antes, step.defeat_antes) for step in steps], axis=0)
        assert np.array_equal(STAKE * paid, settled["paid"])
        assert steps[-1].pot == settled["won"].max()
    else:
        assert sum(step.paid for step in steps) == settled["won"].sum() == match.pot


def test_who_never_comes_to_the_board_pays_nothing_on_first_entry() -> None:
    """A pool that was cut is not settled; the antes themselves can still be asked for."""
    came, lost = np.array([0, 1, 3]), np.array([0, 1, 2])
    for initial, timing, paid in (
        (FillInitialAnte.ON_FIRST_ENTRY, FillAnteTiming.ON_REENTRY, [0, 1, 3]),
        (FillInitialAnte.ON_FIRST_ENTRY, FillAnteTiming.ON_DEFEAT, [0, 2, 3]),
        (FillInitialAnte.ALL_AT_START, FillAnteTiming.ON_REENTRY, [1, 1, 3]),
        (FillInitialAnte.ALL_AT_START, FillAnteTiming.ON_DEFEAT, [1, 2, 3]),
    ):
        settlement = FillSettlement(fill_initial_ante=initial, fill_ante_timing=timing)
        assert antes(came, lost, settlement).tolist() == paid


def test_antes_are_told_when_they_are_paid() -> None:
    """On first entry two pay before the first match, then everyone who comes in, be it again."""
    match = replace(
        POOLS["fill"], settlement=FillSettlement(fill_initial_ante=FillInitialAnte.ON_FIRST_ENTRY)
    )
    players = (player("prudent"),) * 4
    rules = RuleSet(name="pool", title="A pool", game=Trictrac(), match=match)
    first, *others = pool_steps(
        match, play_chunk(rules, players, 5, 0, 1, engine=TossedEngine(rules, players, 5))
    )
    assert first.entry_antes == (1, 1, 0, 0)
    for step in others:
        assert step.entry_antes == tuple(int(seat == step.line[1]) for seat in range(1, 5))
        assert not any(step.defeat_antes)
