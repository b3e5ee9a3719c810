"""Pools: seats and ends against a plain twin, money that adds up to nought, the exact chain beside play."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit import catalogue
from simkit.analysis.pools import Pools, inequality
from simkit.batch import Plan
from simkit.cases import judge
from simkit.dataset import PlaySpec
from simkit.drivers import ChunkTables, play_chunk, pools
from simkit.errors import ConfigError, UsageError
from simkit.experiment import run_experiment
from simkit.players import PotJudgement
from simkit.pools_exact import HALF, advice_worth, drain_values, fill_survival, fill_values, solve
from simkit.report.html import render
from simkit.rules import (
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
    RuleSet,
    Trictrac,
    replace,
)
from simkit.shares import settle_pools
from tests.reference.pools import DrainingPool, FillingPool

PRUDENT, RANDOM = catalogue.player("prudent"), catalogue.player("random")
MATCHES: dict[str, Pool] = {
    "fill": PoolFill(),
    "fill_defences": PoolFill(players=3, fill_streak=FillStreak.DEFENCES_ONLY),
    "fill_of_five": PoolFill(players=5, pool_first_die=PoolFirstDie.CHALLENGER),
    "drain": PoolDrain(),
    "drain_ring": PoolDrain(players=3, drain_rotation=DrainRotation.RING),
    "drain_individual": PoolDrain(
        players=5,
        drain_hole_value_basis=DrainHoleValueBasis.INDIVIDUAL_STAKE,
        drain_rotation=DrainRotation.RING,
        pool_first_die=PoolFirstDie.DRAW,
    ),
    "drain_lurch": PoolDrain(drain_lurch=True),
}


def rules_of(match: Pool) -> RuleSet:
    return RuleSet(name="pool", title="A pool", game=Trictrac(), match=match)


def played(match: Pool, count: int = 40, seed: int = 5, first: int = 0) -> ChunkTables:
    line = (PRUDENT, RANDOM, *[RANDOM] * (match.players - 2))
    return play_chunk(rules_of(match), line, seed, first, count)


def sets_of(tables: ChunkTables, pool: int) -> Iterator[dict[str, Any]]:
    """The rows of one pool's matches, in order."""
    rows = np.flatnonzero(tables.sets["match_id"] == pool)
    for row in rows:
        yield {name: column[row].item() for name, column in tables.sets.items()}


def share(tables: ChunkTables, pool: int, players: int) -> dict[str, list[Any]]:
    own = slice(pool * players, (pool + 1) * players)
    return {name: column[own].tolist() for name, column in tables.others["shares"].items()}


# ---------------------------------------------------------------- play


@pytest.mark.parametrize("name", [name for name in MATCHES if name.startswith("fill")])
def test_a_filling_pool_is_seated_as_by_the_twin(name: str) -> None:
    match = MATCHES[name]
    assert isinstance(match, PoolFill)
    tables, line = played(match), [str(seat) for seat in range(1, match.players + 1)]
    for pool in range(40):
        twin = FillingPool(line, match.fill_streak is FillStreak.COUNT_DETHRONING)
        for row in sets_of(tables, pool):
            seats = [str(row["player_1_seat"]), str(row["player_2_seat"])]
            assert seats == [twin.champion, twin.challenger]
            assert max(row["holes_1"], row["holes_2"]) == match.target_holes
            twin.match(seats[row["winner"] - 1])
        found = share(tables, pool, match.players)
        assert twin.winner == str(tables.matches["last_winner"][pool])
        assert found["entered"] == [twin.came.count(player) for player in line]
        assert found["lost"] == [twin.defeated.count(player) for player in line]
        for timing in FillAnteTiming:
            for initial in FillInitialAnte:
                settlement = FillSettlement(fill_ante_timing=timing, fill_initial_ante=initial)
                rows = {key: np.array(value) for key, value in found.items()}
                settled = settle_pools(rows, replace(match, settlement=settlement))
                antes = twin.antes(
                    on_defeat=timing is FillAnteTiming.ON_DEFEAT,
                    on_first_entry=initial is FillInitialAnte.ON_FIRST_ENTRY,
                )
                assert settled["paid"].tolist() == [100 * antes[player] for player in line]
                assert settled["won"].sum() == 100 * sum(antes.values())


@pytest.mark.parametrize("name", [name for name in MATCHES if name.startswith("drain")])
def test_a_draining_pool_is_seated_and_paid_as_by_the_twin(name: str) -> None:
    match = MATCHES[name]
    assert isinstance(match, PoolDrain)
    tables, line = played(match), [str(seat) for seat in range(1, match.players + 1)]
    total = match.drain_hole_value_basis is DrainHoleValueBasis.TOTAL
    hole = Fraction(5, 100) * (match.players if total else 1)
    settled = settle_pools(tables.others["shares"], match)
    for pool in range(40):
        twin = DrainingPool(line, hole, match.drain_rotation is DrainRotation.RING)
        for row in sets_of(tables, pool):
            seats = [str(row["player_1_seat"]), str(row["player_2_seat"])]
            assert seats == [twin.older, twin.newer]
            side = row["winner"]
            own, others = row[f"holes_{side}"], row[f"holes_{3 - side}"]
            twice = 2 if match.drain_lurch and row[f"run_intact_{side}"] else 1
            twin.match(seats[side - 1], twice * own - others)
        assert twin.over
        own_rows = slice(pool * match.players, (pool + 1) * match.players)
        assert settled["won"][own_rows].tolist() == [100 * twin.won[player] for player in line]
        assert tables.matches["matches"][pool] == twin.matches <= match.pot_holes


@pytest.mark.parametrize("match", MATCHES.values(), ids=MATCHES)
def test_money_adds_up_to_nought_under_every_settlement(match: Pool) -> None:
    tables = played(match)
    settlements: list[Any] = (
        [
            FillSettlement(fill_ante_timing=timing, fill_initial_ante=initial, stake=7)
            for timing in FillAnteTiming
            for initial in FillInitialAnte
        ]
        if isinstance(match, PoolFill)
        else [DrainSettlement(drain_overdraw=overdraw) for overdraw in DrainOverdraw]
    )
    for settlement in settlements:
        settled = settle_pools(tables.others["shares"], replace(match, settlement=settlement))
        assert not settled["net"].reshape(-1, match.players).sum(axis=1).any()
        assert (settled["paid"] > 0).any() and settled["settled"].all()
        assert np.allclose(settled["money"], settled["net"] * settlement.stake / 100)


def test_what_the_pot_lacks_is_paid_by_the_last_loser_or_by_nobody() -> None:
    match = PoolDrain(drain_hole_percent=40)
    tables = played(match)
    clamped = settle_pools(tables.others["shares"], match)
    paying = settle_pools(
        tables.others["shares"],
        replace(match, settlement=DrainSettlement(drain_overdraw=DrainOverdraw.LOSER_PAYS)),
    )
    more = (paying["paid"] - clamped["paid"]).reshape(-1, 4)
    assert more.sum(axis=1).tolist() == tables.matches["overdraw"].tolist()
    lost = tables.others["shares"]["lost_last"].reshape(-1, 4)
    assert not more[~lost].any()
    assert tables.matches["overdraw"].any()


@pytest.mark.parametrize("name", ["fill", "drain_individual"])
def test_a_chunk_is_the_sum_of_its_parts(name: str) -> None:
    match = MATCHES[name]
    whole, parts = played(match, 12), [played(match, 5), played(match, 7, first=5)]
    tables: list[Any] = [("matches", None), ("sets", None), ("others", "shares")]
    for table, inner in tables:
        columns = getattr(whole, table) if inner is None else getattr(whole, table)[inner]
        for column, values in columns.items():
            joined = [
                getattr(part, table) if inner is None else getattr(part, table)[inner] for part in parts
            ]
            assert np.array_equal(values, np.concatenate([one[column] for one in joined])), column
    assert np.array_equal(whole.figures, parts[0].figures + parts[1].figures)


def test_a_pool_that_comes_to_its_limit_is_cut_and_left_out() -> None:
    match = PoolFill(players=5, max_matches=6)
    tables = played(match)
    cut = tables.matches["truncated"]
    assert 0 < cut.sum() < 40
    assert (tables.matches["matches"] <= 6).all()
    assert (tables.matches["last_winner"] == 0).tolist() == cut.tolist()
    settled = settle_pools(tables.others["shares"], match)
    assert settled["settled"].reshape(-1, 5)[:, 0].tolist() == (~cut).tolist()
    assert not settled["paid"][~settled["settled"]].any()


def test_who_throws_first_follows_the_rule() -> None:
    for rule, side in ((PoolFirstDie.INCUMBENT, 1), (PoolFirstDie.CHALLENGER, 2)):
        sets = played(PoolFill(pool_first_die=rule)).sets
        assert set(sets["first_player"][sets["set_no"] > 1].tolist()) == {side}
    drawn = played(PoolFill(pool_first_die=PoolFirstDie.DRAW)).sets
    assert set(drawn["first_player"][drawn["set_no"] > 1].tolist()) == {1, 2}


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize("players", [2, 9])
@pytest.mark.parametrize("cls", [PoolFill, PoolDrain])
def test_two_or_nine_players_are_refused(cls: type, players: int) -> None:
    with pytest.raises(
        ConfigError, match=f"match.players: {players} is not allowed; a whole number from 3 to 8"
    ):
        cls(players=players)


def test_a_draining_match_can_end() -> None:
    with pytest.raises(ConfigError, match=r"game\.go_enabled: false is not allowed"):
        rules_of(PoolDrain()).with_game(go_enabled=False)
    with pytest.raises(ConfigError, match=r"match\.max_holes_per_set: 5 is not allowed"):
        PoolDrain(max_holes_per_set=5)


def test_players_are_refused_who_do_not_fit() -> None:
    pot, rules = catalogue.player("prudent_pot"), rules_of(PoolFill())
    with pytest.raises(
        ConfigError, match="he decides by what is left in the pot of a draining pool, and pool"
    ):
        play_chunk(rules, (pot,) * 4, 1, 0, 1)
    with pytest.raises(UsageError, match="players: 2 given; a match by pool has 4"):
        PlaySpec(rules, (PRUDENT, RANDOM), 1)
    with pytest.raises(UsageError, match="is no pool"):
        pools.pool_of(catalogue.rule_set("classical"))


def test_rows_of_part_of_a_pool_are_refused() -> None:
    rows = played(PoolDrain(), 2).others["shares"]
    with pytest.raises(UsageError, match="not the rows of whole pools of 4 players"):
        settle_pools({name: column[1:] for name, column in rows.items()}, PoolDrain())
    with pytest.raises(UsageError, match="holes_won missing"):
        settle_pools({name: rows[name] for name in rows if name != "holes_won"}, PoolDrain())


# ---------------------------------------------------------------- the pot in view


def test_he_who_sees_the_pot_holds_on_until_his_holes_empty_it() -> None:
    """D6: with no margin to hold by he goes at once, with a large one only when the pot is his."""
    match = PoolDrain(drain_hole_percent=10)
    of_ten = []
    for margin in (1_000_000, -1_000_000):
        player = replace(
            PRUDENT, name="pot", decision=PotJudgement(win_margin=margin, concede_margin=1_000_000)
        )
        sets = play_chunk(rules_of(match), (player,) * 4, 3, 0, 60).sets
        first = sets["set_no"] == 1
        ended_by_win = first & (sets["ended_by"] == 0)
        ahead = np.abs(sets["holes_1"].astype(int) - sets["holes_2"])[ended_by_win]
        of_ten.append(float((ahead >= match.pot_holes).mean()))
    assert of_ten[0] < 0.2
    assert of_ten[1] == 1.0


def test_he_never_concedes_what_would_empty_the_pot() -> None:
    match = PoolDrain(drain_hole_percent=10)
    player = replace(PRUDENT, name="pot", decision=PotJudgement(concede_margin=-1_000_000))
    sets = play_chunk(rules_of(match), (player,) * 4, 3, 0, 60).sets
    conceded = sets["ended_by"] == 1
    assert conceded.any()
    ahead = np.abs(sets["holes_1"].astype(int) - sets["holes_2"])
    assert (ahead[conceded & (sets["set_no"] == 1)] < match.pot_holes).all()


def test_he_takes_more_than_those_who_go_at_once() -> None:
    line = (catalogue.player("prudent_pot"), PRUDENT, PRUDENT, PRUDENT)
    rows = play_chunk(catalogue.rule_set("pool_drain"), line, 3, 0, 400).others["shares"]
    net = settle_pools(rows, PoolDrain())["net"].reshape(-1, 4)
    assert net[:, 0].mean() > 40 > net[:, 1].mean()


# ---------------------------------------------------------------- solved exactly


def test_three_players_as_worked_out_by_hand() -> None:
    values = fill_values(PoolFill(players=3))
    assert values.matches == 3
    assert values.wins == (Fraction(5, 14), Fraction(5, 14), Fraction(2, 7))
    assert [round(float(net), 6) for net in values.net] == [-0.061224, -0.061224, 0.122449]


@pytest.mark.parametrize(
    ("match", "places"),
    [
        (PoolFill(players=4), (-0.122, -0.122, 0.053, 0.190)),
        (PoolFill(players=5), (-0.184, -0.184, -0.018, 0.128, 0.257)),
        (
            PoolFill(players=3, settlement=FillSettlement(fill_ante_timing=FillAnteTiming.ON_DEFEAT)),
            (0.010, 0.010, -0.020),
        ),
    ],
)
def test_places_are_worth_what_was_computed_before(match: PoolFill, places: tuple[float, ...]) -> None:
    assert [round(float(net), 3) for net in fill_values(match).net] == list(places)


@pytest.mark.parametrize("stays", [HALF, Fraction(3, 5)])
@pytest.mark.parametrize("streak", FillStreak)
@pytest.mark.parametrize("timing", FillAnteTiming)
@pytest.mark.parametrize("initial", FillInitialAnte)
def test_the_chain_adds_up(
    streak: FillStreak, timing: FillAnteTiming, initial: FillInitialAnte, stays: Fraction
) -> None:
    for players in (3, 4, 5):
        settlement = FillSettlement(fill_ante_timing=timing, fill_initial_ante=initial)
        match = PoolFill(players=players, fill_streak=streak, settlement=settlement)
        values = fill_values(match, stays)
        assert sum(values.wins) == 1
        assert sum(values.net) == 0
        if stays == HALF:
            counted = 2 ** (players - 1) - 1
            assert values.matches == (counted if streak is FillStreak.COUNT_DETHRONING else 2 * counted)


def test_when_the_first_ante_is_paid_decides_nothing_in_a_pool_that_ends() -> None:
    """Nobody can beat all the others before all the others have come to the board."""
    for players in (3, 5):
        values = [
            fill_values(PoolFill(players=players, settlement=FillSettlement(fill_initial_ante=initial)))
            for initial in FillInitialAnte
        ]
        assert values[0] == values[1]


def test_the_chance_of_being_unfinished_adds_up_to_the_mean_length() -> None:
    match = PoolFill(players=4)
    survival = fill_survival(match, 400)
    assert survival[2] == 1 and survival[3] == Fraction(3, 4)
    assert abs(float(sum(survival)) - 7) < 1e-9


def test_those_who_wait_gain_by_a_defeat() -> None:
    worth = advice_worth(PoolFill(players=3), 1, 3)
    assert worth == (Fraction(20, 49),)
    assert min(advice_worth(PoolFill(players=6), 4, 6)) > 0


def test_linear_equations_are_solved_exactly() -> None:
    rows = [[Fraction(0), Fraction(2)], [Fraction(3), Fraction(1)]]
    assert solve(rows, [Fraction(4), Fraction(5)]) == [Fraction(1), Fraction(2)]


def tossed(match: Pool, count: int, seed: int, holes: int = 0) -> tuple[Any, Any]:
    """Pools whose matches are won by the toss of a coin: seats of winner and loser, pools by matches."""
    generator, state = np.random.default_rng(seed), pools.Pools(match, count)
    row, nets = np.arange(count), np.zeros((count, match.players))
    lengths = np.zeros(count, np.int64)
    while len(row):
        winner = generator.integers(0, 2, len(row))
        seats = state.line[row, winner]
        before = state.pot[row]
        over = state.record(row, winner, np.full(len(row), holes))
        nets[row, seats] += np.minimum(before, before - state.pot[row]) / 100
        if isinstance(match, PoolFill):
            nets[row[over], seats[over]] += 1
        lengths[row] += 1
        row = row[~over]
    return nets, lengths


def test_tossed_filling_pools_come_to_the_exact_chances() -> None:
    match = PoolFill(players=4)
    wins, lengths = tossed(match, 40_000, seed=8)
    exact = fill_values(match)
    for place in range(4):
        chance = float(exact.wins[place])
        assert abs(wins[:, place].mean() - chance) < 4 * (chance * (1 - chance) / 40_000) ** 0.5
    assert abs(lengths.mean() - 7) < 4 * lengths.std() / 200


@pytest.mark.parametrize("rotation", DrainRotation)
def test_tossed_draining_pools_come_to_the_exact_values(rotation: DrainRotation) -> None:
    match = PoolDrain(players=5, drain_rotation=rotation)
    takes, lengths = tossed(match, 40_000, seed=9, holes=3)
    exact = drain_values(match, [(0, 0)] * 3 + [(HALF, HALF)])
    assert set(lengths.tolist()) == {7}
    assert exact.matches == pytest.approx(7)
    assert sum(exact.takes) == pytest.approx(5)
    for place in range(5):
        error = takes[:, place].std() / 200
        assert (
            abs(takes[:, place].mean() - exact.takes[place]) < 4 * error + 0.06
        )  # the last is paid what is left


@pytest.mark.slow
def test_equal_players_at_the_board_come_to_the_exact_values() -> None:
    """With a draw before every match equal players win each with one half."""
    match = PoolFill(players=4, pool_first_die=PoolFirstDie.DRAW)
    count = 20_000
    tables = play_chunk(rules_of(match), (RANDOM,) * 4, 11, 0, count)
    net = settle_pools(tables.others["shares"], match)["net"].reshape(-1, 4) / 100
    for place, exact in enumerate(fill_values(match).net):
        assert abs(net[:, place].mean() - float(exact)) < 4 * net[:, place].std() / count**0.5
    lengths = tables.matches["matches"]
    assert abs(lengths.mean() - 7) < 4 * lengths.std() / count**0.5


# ---------------------------------------------------------------- runs


def test_a_run_keeps_shares_and_is_settled_again(tmp_path: Path) -> None:
    run = simkit.simulate("pool_fill", "random", matches=50, seed=3, out=tmp_path / "run")
    assert list(run.shares["seat"])[:4] == [1, 2, 3, 4]
    assert len(run.shares) == 200
    assert run.sets.groupby("match_id").size().tolist() == run.matches["matches"].tolist()
    at_defeat = simkit.settle_run(run, {"fill_ante_timing": "on_defeat"})
    assert len(at_defeat) == 200
    assert at_defeat["net"].sum() == 0
    assert (at_defeat["paid"] >= simkit.settle_run(run)["paid"]).all()
    with pytest.raises(UsageError, match=r"match\.fill_streak is a rule of play"):
        simkit.settle_run(run, {"match.fill_streak": "defences_only"})
    with pytest.raises(UsageError, match="sets: 4 given, but pool_fill is a pool"):
        simkit.settle_run(run, sets=4)
    assert simkit.open(run.folder).shares.equals(run.shares)
    with pytest.raises(UsageError, match="holds matches, sets, shares of pools and no games"):
        next(run.iter_rows("games"))


def test_workers_change_no_row(tmp_path: Path) -> None:
    runs = [
        simkit.simulate("pool_drain", "random", matches=300, seed=3, jobs=jobs, out=tmp_path / str(jobs))
        for jobs in (1, 2)
    ]
    assert runs[0].shares.equals(runs[1].shares)


def test_a_run_of_classical_matches_has_no_shares(tmp_path: Path) -> None:
    run = simkit.simulate("classical", "random", matches=5, out=tmp_path / "run")
    with pytest.raises(UsageError, match="holds matches, sets of trictrac and no shares"):
        _ = run.shares


def test_a_chunk_is_sized_by_the_usual_pool() -> None:
    for match in MATCHES.values():
        plan = Plan.of(PlaySpec(rules_of(match), (RANDOM,) * match.players, 1))
        assert 8 <= plan.chunk * match.usual_units <= 10_000


# ---------------------------------------------------------------- worked examples


def judged(
    kind: str, rules: dict[str, Any], given: dict[str, Any], expected: dict[str, Any]
) -> tuple[str, str]:
    case = {"id": "X", "type": kind, "rules": rules, "input": given, "expected": expected}
    found = judge(case, catalogue.rule_set)
    return found.status, found.reason


FILLING = {"line": ["A", "B", "C"], "ante": 2}
DRAINING = {"line": ["A", "B", "C"], "total": 300}
MATCH = {"winner": "A", "winner_holes": 10, "loser_holes": 4, "lurch": True}


def test_a_filling_pool_under_way_has_no_winner_yet() -> None:
    given = FILLING | {"match_winners": ["B"]}
    expected = {"winner": None, "pot": 6, "pot_after_each": [6], "paid": {"A": 2, "B": 2, "C": 2}}
    assert judged("fill_pool", {}, given, expected) == ("passed", "")
    at_once = {"pot_after_each": [8], "net": {"A": -4, "B": -2, "C": -2}}
    assert judged("fill_pool", {"fill_ante_timing": "on_defeat"}, given, at_once) == ("passed", "")


def test_a_lurch_counts_where_it_is_agreed() -> None:
    given = DRAINING | {"matches": [MATCH]}
    plain = {"won": {"A": 90, "B": 0, "C": 0}, "pool": 210, "next_pair": ["B", "C"]}
    assert judged("drain_pool", {}, given, plain) == ("passed", "")
    double = {"won": {"A": 240, "B": 0, "C": 0}, "pool": 60, "pairs": [["A", "B"]]}
    assert judged("drain_pool", {"drain_lurch_multiplier": 2}, given, double) == ("passed", "")
    off = {"drain_lurch": False, "drain_lurch_multiplier": 2}
    assert judged("drain_pool", off, given, plain) == ("passed", "")
    emptied = {"won": {"A": 300, "B": 0, "C": 0}, "pool": 0, "next_pair": None}
    assert judged("drain_pool", {"drain_lurch_multiplier": 3}, given, emptied) == ("passed", "")


@pytest.mark.parametrize(
    ("kind", "given", "status", "words"),
    [
        ("fill_pool", FILLING | {"match_winners": ["C"]}, "failed", '"C" is not at the board; A and B are'),
        ("fill_pool", FILLING | {"match_winners": ["A", "A", "A"]}, "failed", "the pool was over before"),
        (
            "fill_pool",
            FILLING | {"line": ["A", "B"], "match_winners": []},
            "failed",
            "players: 2 is not allowed",
        ),
        ("fill_pool", FILLING | {"line": ["A", "A", "B"], "match_winners": []}, "failed", "in it twice"),
        ("fill_pool", FILLING | {"match_winners": [1]}, "failed", "it must be a list of names"),
        ("drain_pool", DRAINING | {"matches": [MATCH | {"loser_holes": 10}]}, "failed", "found 10 to 10"),
        (
            "fill_pool_value",
            {"players": 3, "win_prob_each_match": "1/3"},
            "skipped",
            "only equal players, 1/2",
        ),
        (
            "fill_pool_value",
            {"players": 9, "win_prob_each_match": "1/2"},
            "failed",
            "players: 9 is not allowed",
        ),
    ],
)
def test_cases_that_cannot_be_are_told_so(kind: str, given: dict[str, Any], status: str, words: str) -> None:
    found = judged(kind, {}, given, {"pot": 1})
    assert found[0] == status
    assert words in found[1]


# ---------------------------------------------------------------- the question


def test_takings_are_as_unequal_as_one_taking_all_or_not_at_all() -> None:
    found = inequality(np.array([[0, 0, 400], [100, 100, 100], [0, 150, 150]]))
    assert found.tolist() == [1.0, 0.0, 0.5]


def test_the_question_is_asked_of_pools_only() -> None:
    question = Pools()
    with pytest.raises(ConfigError, match="classical is no pool"):
        question.plays(catalogue.rule_set("classical"))
    with pytest.raises(ConfigError, match=r"match\.players 4 is not among the sizes"):
        Pools(sizes=(3,)).plays(catalogue.rule_set("pool_fill"))
    assert list(Pools(sizes=(2, 4), seconds_per_roll=0, evening_minutes=0).problems())
    needed = question.plays(catalogue.rule_set("pool_drain"))
    assert needed[""].seats == (0, 1, 1, 1)
    assert needed["equal 6"].seats == (0,) * 6


def test_an_experiment_on_pools_sets_both_beside_each_other(tmp_path: Path) -> None:
    declared = dataclasses.replace(
        catalogue.experiment("pools"),
        rules=("pool_fill", "pool_drain"),
        players=(("random", "random"), ("prudent", "random")),
        analysis=Pools(sizes=(3, 4)),
        claims=(),
    )
    result = run_experiment(declared, matches=60, root=tmp_path, jobs=1)
    found = result.estimates.set_index(["rules", "player_1", "measure", "detail"])["mean"].sort_index()
    equal = found["pool_fill", "random"]
    assert equal["net_on_reentry_exact", "3 players, place 3"] == pytest.approx(0.122449, abs=1e-6)
    assert equal["matches_exact", "4 players"] == 7
    for measure in ("net_on_reentry", "net_on_defeat", "net_on_defeat_exact", "net_on_reentry_fitted"):
        assert sum(equal[measure, f"4 players, place {k}"] for k in (1, 2, 3, 4)) == pytest.approx(0)
    assert found["pool_fill", "prudent"]["lone_mean", "4 players"] > 1
    assert found["pool_drain", "random"]["most_matches", "4 players"] == 20
    assert 0 < found["pool_drain", "random"]["unequal", "4 players"] < 1
    page = render(result)
    assert "What each place in line is worth" in page
    assert "One player unlike the others" in page
