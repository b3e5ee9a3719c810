"""Payments one by one come to what a settlement gives, and to nothing over all players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simkit
from simkit import cli
from simkit.catalogue import player, rule_set
from simkit.dataset.schema import PAID_WORDS, PAYMENTS
from simkit.drivers import ChunkTables, play_chunk
from simkit.errors import UsageError
from simkit.honours import settle_partners
from simkit.paid import UNITS, WHAT, payments_of
from simkit.rules import (
    Combine,
    GeneralTailBasis,
    RoundFive,
    RuleSet,
    TokenTailTie,
    TournerParisRule,
    Written,
)
from simkit.settle import settle, settle_parties
from simkit.settle_turns import settle_by_turns

COUNT, SEED = 30, 3
NAMES = (
    "ecrire_academie",
    "ecrire_classical",
    "chouette_guiton",
    "two_v_two_guiton",
    "tourner_guiton",
    "tourner_classical",
    "five_jl1852",
)
CHANGES = st.fixed_dictionaries(
    {
        "consolation": st.integers(0, 5),
        "tail_of_sets": st.integers(0, 40),
        "tokens_per_set": st.integers(0, 2),
        "token_tail_tie": st.sampled_from(TokenTailTie),
        "round_unit": st.one_of(st.none(), st.integers(1, 30)),
        "round_five": st.sampled_from(RoundFive),
        "general_tail": st.integers(0, 77),
        "general_tail_basis": st.sampled_from(GeneralTailBasis),
        "tourner_paris_rule": st.sampled_from(TournerParisRule),
        "tourner_idle_consolation": st.booleans(),
    }
)
PLAYED: dict[str, ChunkTables] = {}


def chunk(rules: RuleSet) -> ChunkTables:
    if rules.name not in PLAYED:
        players = tuple(player(("prudent", "greedy")[place % 2]) for place in range(rules.match.players))
        PLAYED[rules.name] = play_chunk(rules, players, SEED, 0, COUNT)
    return PLAYED[rules.name]


def nets(paid: Any, players: int, unit: str) -> Any:
    """What each player is paid less what he pays, int64 (matches, players)."""
    found = np.zeros((COUNT, players + 1), np.int64)
    ours = paid["unit"] == UNITS.index(unit)
    np.add.at(found, (paid["match_id"][ours], paid["payee"][ours]), paid["amount"][ours])
    np.add.at(found, (paid["match_id"][ours], paid["payer"][ours]), -paid["amount"][ours])
    return found[:, 1:]


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(NAMES), changes=CHANGES, shorter=st.booleans())
def test_payments_come_to_the_money_of_each(name: str, changes: dict[str, Any], shorter: bool) -> None:
    rules = rule_set(name).with_settlement(**changes)
    match = rules.match
    assert isinstance(match, Written)
    sets, n_sets = chunk(rules).sets, 6 if shorter else match.sets
    paid = payments_of(rules, sets, n_sets=n_sets, seed=SEED)
    assert (paid["amount"] > 0).all()
    assert (paid["payer"] != paid["payee"]).all()
    found = nets(paid, match.players, "jetons")
    assert not found.sum(axis=1).any()
    if match.players == 2:
        money = settle(sets, match.settlement, n_sets=n_sets, seed=SEED)["money"]
        assert np.array_equal(found[:, 0], money)
        return
    settled = settle_by_turns(sets, match, n_sets=n_sets, seed=SEED)
    for number in range(match.players):
        assert np.array_equal(found[:, number], settled[f"money_{number + 1}"])


@pytest.mark.parametrize("name", ["combine_chouette", "combine_two_v_two"])
def test_partners_are_paid_for_both_games(name: str) -> None:
    rules = rule_set(name).with_match(sets=4)
    tables, match = chunk(rules), rules.match
    assert isinstance(match, Combine)
    games = tables.others["honours_games"]
    paid = payments_of(rules, tables.sets, games, seed=SEED)
    settled = settle_partners(tables.sets, games, match, seed=SEED)
    for unit, column in (("jetons", "written_money"), ("fish", "honours_fish")):
        found = nets(paid, match.players, unit)
        assert not found.sum(axis=1).any()
        assert np.array_equal(
            found, np.stack([settled[f"{column}_{n + 1}"] for n in range(match.players)], axis=1)
        )


def test_the_set_a_payment_follows() -> None:
    """Stakes first, games after the set in which they ended, the rest one set after the last."""
    rules = rule_set("combine").with_match(sets=4)
    tables = chunk(rules)
    games = tables.others["honours_games"]
    paid = payments_of(rules, tables.sets, games, seed=SEED)
    what, set_no = paid["what"], paid["set_no"]
    assert (set_no[(what == WHAT.index("stake")) & (paid["game_no"] == 0)] == 0).all()
    assert (set_no[what == WHAT.index("written")] == 5).all()
    assert (set_no[what == WHAT.index("unfinished")] == 5).all()
    won = what == WHAT.index("game")
    assert np.array_equal(set_no[won], games["set_no"])
    assert np.array_equal(paid["game_no"][won], games["game_no"])
    assert ((paid["unit"] == UNITS.index("jetons")) == (what == WHAT.index("written"))).all()


def test_what_a_match_of_two_is_paid_for() -> None:
    rules = rule_set("ecrire_classical")
    paid = payments_of(rules, chunk(rules).sets, seed=SEED)
    one = paid["match_id"] == 0
    words = [WHAT[code] for code in paid["what"][one]]
    assert words[:8] == ["set"] * 8
    assert paid["set_no"][one][:8].tolist() == [*range(1, 9)]
    assert set(words[8:]) <= {"tokens", "paris", "tail_of_sets", "rounding"}


def test_parties_are_paid_in_stakes() -> None:
    rules = rule_set("twelve_hole_honours").with_match(parties=3)
    tables = chunk(rules)
    paid = payments_of(rules, tables.sets)
    assert len(paid["amount"]) == 3 * COUNT
    assert {UNITS[code] for code in paid["unit"]} == {"stakes"}
    settled = settle_parties(tables.sets, rules.match.settlement, n_parties=3)  # type: ignore[union-attr, arg-type]
    assert np.array_equal(nets(paid, 2, "stakes")[:, 0], settled["exact"])


def test_a_match_that_was_cut_has_no_payments() -> None:
    for name in ("ecrire_academie", "tourner_guiton"):
        rules = rule_set(name)
        sets = {column: values.copy() for column, values in chunk(rules).sets.items()}
        sets["winner"][sets["match_id"] == 4] = 0
        paid = payments_of(rules, sets, seed=SEED)
        assert set(paid["match_id"].tolist()) == {*range(COUNT)} - {4}


def test_every_word_is_explained() -> None:
    assert tuple(PAID_WORDS) == tuple(sorted(WHAT, key=list(PAID_WORDS).index))
    assert set(PAID_WORDS) == set(WHAT)


# ---------------------------------------------------------------- of a run


def test_payments_of_a_run_in_files_and_frames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pandas as pd

    run = simkit.simulate("tourner_guiton", "prudent", matches=6, seed=SEED, jobs=1, out=tmp_path / "run")
    frame = run.payments
    assert list(frame.columns) == [column.name for column in PAYMENTS.columns]
    assert frame.equals(simkit.payments(run))
    assert set(frame["what"]) >= {"set", "consolation", "tokens"}
    for kind, read in (("csv", pd.read_csv), ("parquet", pd.read_parquet)):
        path = tmp_path / f"payments.{kind}"
        arguments = [
            "settle",
            str(run.folder),
            "--set",
            "tourner_idle_consolation=false",
            "--payments",
            str(path),
        ]
        assert cli.call(arguments) == 0
        kept = read(path)
        assert list(kept.columns) == list(frame.columns)
        assert "consolation" not in set(kept["what"])
        assert len(kept) == len(simkit.payments(run, {"tourner_idle_consolation": False}))
    capsys.readouterr()
    assert cli.call(["settle", str(run.folder), "--payments", str(tmp_path / "payments.txt")]) == 2
    assert "ends neither in .parquet nor in .csv" in capsys.readouterr().err
    pools = simkit.simulate("pool_drain", "prudent", matches=2, seed=SEED, jobs=1, out=tmp_path / "pools")
    with pytest.raises(UsageError, match="pool_drain: a pool is paid by and to the pot"):
        _ = pools.payments


def test_payments_of_other_rows_are_refused() -> None:
    rules = rule_set("combine_chouette").with_match(sets=4)
    tables = chunk(rules)
    rows = {name: column for name, column in tables.sets.items() if name != "idle_seat"}
    with pytest.raises(UsageError, match="payments of 3 players need the columns idle_seat"):
        payments_of(rules, rows, tables.others["honours_games"])
    for combined in (rules, rule_set("combine")):
        with pytest.raises(UsageError, match="from the rows of honours_games too, and none are given"):
            payments_of(combined, tables.sets)
        with pytest.raises(UsageError, match=r"needs the columns match_id, game_no, .* they hold: nothing"):
            payments_of(combined, tables.sets, {})
    with pytest.raises(UsageError, match="a match to points has points only"):
        payments_of(rule_set("backgammon"), {})
