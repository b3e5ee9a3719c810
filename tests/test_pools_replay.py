"""A pool told: line, seats, antes and pot match by match are those of its rows and of its settlement."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import simkit
from simkit import cli
from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
from simkit.errors import UsageError
from simkit.rules import PoolDrain, PoolFill, RuleSet, apply_all
from simkit.shares import STAKE, settle_pools
from simkit.transcript import Transcript, transcribe
from simkit.transcript.pools import pool_steps
from tests.reference.pools import FillingPool

SEED = 4
RULES = {
    "usual": ("pool_fill", {}),
    "defences": ("pool_fill_defences", {}),
    "entry": (
        "pool_fill",
        {"settlement.fill_initial_ante": "on_first_entry", "match.pool_first_die": "draw"},
    ),
    "drain": ("pool_drain", {}),
    "ring": ("pool_drain_fallavel", {"match.players": 3, "match.drain_lurch": True}),
    "debt": ("pool_drain", {"settlement.drain_overdraw": "loser_pays", "match.pool_first_die": "challenger"}),
}


def rules_of(key: str) -> RuleSet:
    name, changes = RULES[key]
    return apply_all(rule_set(name), changes)


def players(rules: RuleSet) -> tuple[simkit.Player, ...]:
    return tuple(player(("prudent", "greedy")[place % 2]) for place in range(rules.match.players))


@pytest.mark.parametrize("key", RULES)
def test_line_antes_and_pot_are_those_of_rows_and_settlement(key: str) -> None:
    rules = rules_of(key)
    match = rules.match
    assert isinstance(match, PoolFill | PoolDrain)
    for number in range(6):
        tables = play_chunk(rules, players(rules), SEED, number, 1)
        steps = [*pool_steps(match, tables)]
        rows, settled = tables.sets, settle_pools(tables.others["shares"], match)
        assert len(steps) == len(rows["winner"])
        seats = np.stack((rows["player_1_seat"], rows["player_2_seat"]), axis=1)
        assert [step.line[:2] for step in steps] == [tuple(pair) for pair in seats.tolist()]
        assert all(sorted(step.line) == [*range(1, match.players + 1)] for step in steps)
        assert [step.over for step in steps] == [False] * (len(steps) - 1) + [True]
        if isinstance(match, PoolFill):
            paid = np.sum([np.add(step.entry_antes, step.defeat_antes) for step in steps], axis=0)
            assert np.array_equal(STAKE * paid, settled["paid"])
            assert steps[-1].pot == settled["won"].max()
        else:
            assert steps[-1].pot == 0
            assert sum(step.paid for step in steps) == match.pot
            taken = np.zeros(match.players, np.int64)
            for step, winner in zip(steps, rows["winner"].tolist(), strict=True):
                taken[step.line[winner - 1] - 1] += step.paid
            over = tables.matches["overdraw"][0] * (match.settlement.drain_overdraw.value == "loser_pays")
            assert np.array_equal(taken + over * tables.others["shares"]["won_last"], settled["won"])


@pytest.mark.parametrize("key", ["usual", "defences", "entry"])
def test_a_filling_pool_is_that_of_the_twin(key: str) -> None:
    """Match by match: who sits, who waits, the streak."""
    rules = rules_of(key)
    match = rules.match
    assert isinstance(match, PoolFill)
    tables = play_chunk(rules, players(rules), SEED, 1, 1)
    twin = FillingPool("1234", match.fill_streak.value == "count_dethroning")
    for step, winner in zip(pool_steps(match, tables), tables.sets["winner"].tolist(), strict=True):
        assert [*map(str, step.line)] == [twin.champion, twin.challenger, *twin.queue]
        twin.match(str(step.line[winner - 1]))
        assert step.streak == twin.streak
        assert step.over == (twin.winner is not None)


@pytest.mark.parametrize("key", RULES)
def test_a_pool_is_told_roll_by_roll(key: str) -> None:
    rules = rules_of(key)
    told = transcribe(rules, players(rules), SEED, 2, set_no=2)
    assert isinstance(told, Transcript)
    (one,) = told.sets
    assert len(one.rolls) == one.row["rolls"] + one.row["rolls_do_overs"]
    text = told.text()
    assert "MATCH 2: side 1" in text
    assert "Waiting in line: " in text
    assert "SETTLEMENT" not in text  # only where the whole is told
    assert all(len(line) <= 96 for line in text.split("\n"))


def test_the_whole_of_a_pool(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules = rule_set("pool_fill")
    run = simkit.simulate(
        rules, ("prudent", "greedy") * 2, matches=3, seed=SEED, jobs=1, out=tmp_path / "run"
    )
    assert cli.call(["replay", str(run.folder), "1", "--short"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Everybody pays an ante. The pot holds 4 antes." in out
    assert "He has beaten all the others in a row and takes the pot of " in out
    assert "SETTLEMENT, in antes player 1 player 2 player 3 player 4" in out
    assert cli.call(["replay", str(run.folder), "1", "--set", "1", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["sets"][0]["pool"]["line"] == [1, 2, 3, 4]
    assert plain["sets"][0]["pool"]["entry_antes"] == [1, 1, 1, 1]
    assert sum(plain["settlement"][f"net_{number}"] for number in range(1, 5)) == 0
    with pytest.raises(UsageError, match=r"set 900: match 1 of pool_fill has matches 1 to \d"):
        simkit.replay(run, 1, set_no=900)
    with pytest.raises(UsageError, match="a scoresheet"):
        _sheet(run)


def _sheet(run: simkit.Run) -> None:
    from simkit.cli.replay import sheet_of

    told = simkit.replay(run, 1, set_no=1)
    assert isinstance(told, Transcript)
    sheet_of(told)


def test_a_pool_that_was_cut_is_told_without_settlement() -> None:
    rules = rule_set("pool_fill").with_match(max_matches=2)
    told = transcribe(rules, players(rules), SEED, 0)
    assert len(told.sets) == 2
    assert told.settled is None
    assert "SETTLEMENT" not in told.text(rolls=False)
