"""Trictrac combiné with partners: who plays, both games shared, told, settled; the money adds up to nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simkit
from simkit import cli
from simkit.catalogue import player, rule_set
from simkit.dataset import verify
from simkit.dataset.schema import COMBINE_TURNS
from simkit.drivers import ChunkTables, play_chunk
from simkit.errors import ConfigError, UsageError
from simkit.honours import settle_combined, settle_partners
from simkit.rules import (
    SEATS,
    Combine,
    CombineSettlement,
    CombineTable,
    ContractAfterDraw,
    GeneralTailBasis,
    PoolLastSet,
    PoolUnfinished,
    RotationFirstSetLeaver,
    RoundFive,
    RuleSet,
    SetFirstDie,
    TokenTailBasis,
    UnfinishedHonours,
    replace,
    table_of,
)
from simkit.settle_turns import settle_by_turns

NAMES = ("combine_chouette", "combine_two_v_two")
SETS, COUNT = 8, 25


@cache
def chunk(name: str, **changes: Any) -> tuple[RuleSet, ChunkTables]:
    rules = rule_set(name).with_match(sets=SETS, **changes)
    players = tuple(player(("prudent", "greedy")[place % 2]) for place in range(rules.match.players))
    return rules, play_chunk(rules, players, 3, 0, COUNT)


def combine(rules: RuleSet) -> Combine:
    assert isinstance(rules.match, Combine)
    return rules.match


def seats(tables: ChunkTables) -> Any:
    rows = tables.sets
    return np.stack((rows["player_1_seat"], rows["player_2_seat"]), axis=1).reshape(COUNT, SETS, 2)


# ---------------------------------------------------------------- who plays


@pytest.mark.parametrize("name", NAMES)
def test_partners_play_as_often(name: str) -> None:
    rules, tables = chunk(name)
    places, first = seats(tables), 1
    for side, size in enumerate(SEATS[table_of(combine(rules))]):
        for number in range(first, first + size):
            assert ((places[:, :, side] == number).sum(axis=1) == SETS // size).all()
        first += size


def test_the_lone_player_throws_first_in_odd_sets() -> None:
    """The partners play two sets each in turn, so that he throws first whenever another comes in."""
    _, tables = chunk("combine_chouette")
    assert (tables.sets["first_player"].reshape(COUNT, SETS) == [1, 2] * (SETS // 2)).all()
    partner = seats(tables)[:, :, 1]
    assert (partner[:, 0::2] == partner[:, 1::2]).all()
    assert (partner[:, 0:-2:2] != partner[:, 2::2]).all()


@pytest.mark.parametrize("leaver", RotationFirstSetLeaver)
def test_two_against_two_turn_by_turn(leaver: RotationFirstSetLeaver) -> None:
    """One leaves after the first set, by the field; who stays throws first; the turns close in the last set."""
    _, tables = chunk("combine_two_v_two", rotation_first_set_leaver=leaver)
    places = seats(tables)
    winner, first = (tables.sets[name].reshape(COUNT, SETS) for name in ("winner", "first_player"))
    for match in range(COUNT):
        left = winner[match, 0] if leaver is RotationFirstSetLeaver.WINNER else 3 - winner[match, 0]
        for place in range(1, SETS):
            changed = places[match, place] != places[match, place - 1]
            assert changed.tolist() == [left == 1, left == 2]
            assert first[match, place] == 3 - left
            left = 3 - left
        first_pair, stays = places[match, 0], places[match, 0] == places[match, 1]
        partner = {1: 2, 2: 1, 3: 4, 4: 3}[int(places[match, 0, stays][0])]
        assert {*places[match, -1].tolist()} == {int(first_pair[~stays][0]), partner}


@pytest.mark.parametrize("name", NAMES)
def test_the_game_of_honours_goes_on_under_the_next_partner(name: str) -> None:
    """Nothing being suspended or done over, all games, the open one too, have the holes of the sets."""
    _, tables = chunk(name, suspension=False)
    games, matches = tables.others["honours_games"], tables.matches
    once = matches["do_overs"] == 0
    for side in (1, 2):
        in_games = (
            np.bincount(games["match_id"], games[f"holes_{side}"], COUNT) + matches[f"honours_left_{side}"]
        )
        in_sets = np.bincount(tables.sets["match_id"], tables.sets[f"holes_{side}"], COUNT)
        assert np.array_equal(in_games[once], in_sets[once])
    assert set(games["set_no"].tolist()) >= {3, 5, SETS}


@pytest.mark.parametrize("name", NAMES)
def test_the_sets_are_those_of_the_written_match(name: str) -> None:
    """Without suspension the partners play the written match of the same table, roll by roll."""
    rules, tables = chunk(name, suspension=False)
    match = combine(rules)
    written = rule_set("two_v_two_guiton" if match.players == 4 else "chouette_guiton")
    written = replace(written, game=rules.game).with_match(sets=SETS)
    players = tuple(player(("prudent", "greedy")[place % 2]) for place in range(match.players))
    other = play_chunk(written, players, 3, 0, COUNT).sets
    for column, values in other.items():
        assert np.array_equal(values, tables.sets[column]), column


def test_a_game_played_on_is_played_by_whose_turn_it_is() -> None:
    _, tables = chunk("combine_two_v_two", combine_unfinished_honours=UnfinishedHonours.PLAY_ON)
    assert (tables.matches["rolls_played_on"] > 0).any()
    on = tables.others["honours_games"]["set_no"] > SETS
    assert on.sum() == (tables.matches["rolls_played_on"] > 0).sum()


# ---------------------------------------------------------------- settled


TARIFFS = st.builds(
    CombineSettlement,
    consolation=st.integers(0, 5),
    mult_petite_held=st.integers(1, 4),
    tail_of_sets=st.integers(0, 40),
    tokens_per_set=st.integers(0, 2),
    token_tail_basis=st.sampled_from(TokenTailBasis),
    round_unit=st.one_of(st.none(), st.integers(1, 30)),
    round_five=st.sampled_from(RoundFive),
    general_tail=st.integers(0, 77),
    general_tail_basis=st.sampled_from(GeneralTailBasis),
    honours_double_max_loser_holes=st.integers(0, 11),
    honours_unit_fish=st.integers(0, 5),
    honours_fish_jetons=st.integers(0, 20),
    pool_stake_each=st.integers(0, 5),
    pool_wins_in_row=st.integers(1, 3),
    pool_contract_after_draw=st.sampled_from(ContractAfterDraw),
    pool_last_set=st.sampled_from(PoolLastSet),
    pool_unfinished=st.sampled_from(PoolUnfinished),
)


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(NAMES), tariff=TARIFFS, sets=st.sampled_from((None, 2, 6)))
def test_the_money_of_all_players_adds_up_to_nothing(
    name: str, tariff: CombineSettlement, sets: int | None
) -> None:
    rules, tables = chunk(name)
    match = replace(combine(rules), settlement=tariff)
    rows, games = tables.sets, tables.others["honours_games"]
    whole = settle_combined(rows, games, match, n_sets=sets, seed=3)
    found = settle_partners(rows, games, match, n_sets=sets, seed=3)
    players = range(1, match.players + 1)
    for column in ("money", "written_money", "honours_fish"):
        each = np.stack([found[f"{column}_{number}"] for number in players])
        assert not each.sum(axis=0).any(), column
        at, sides = 0, []
        for size in SEATS[table_of(match)]:
            sides.append(each[at : at + size].sum(axis=0))
            spread = each[at : at + size].max(axis=0) - each[at : at + size].min(axis=0)
            assert (spread <= (1 + tariff.honours_fish_jetons if column == "money" else 1)).all()
            at += size
        assert np.array_equal(sides[0], whole[column])
        assert np.array_equal(sides[1], -whole[column])


@pytest.mark.parametrize("name", NAMES)
def test_the_written_part_is_shared_as_in_the_written_match(name: str) -> None:
    rules, tables = chunk(name)
    written = rule_set("two_v_two_guiton" if combine(rules).players == 4 else "chouette_guiton").with_match(
        sets=SETS
    )
    tariff = {
        field: getattr(combine(rules).settlement, field)
        for field in (
            "mult_petite_held",
            "mult_grande_held",
            "late_run_price",
            "tokens_per_set",
            "round_five",
        )
    }
    other = settle_by_turns(tables.sets, written.with_settlement(**tariff).match, seed=3)  # type: ignore[arg-type]
    found = settle_partners(tables.sets, tables.others["honours_games"], combine(rules), seed=3)
    for number in range(1, combine(rules).players + 1):
        assert np.array_equal(found[f"written_money_{number}"], other[f"money_{number}"])
        assert np.array_equal(found[f"sets_played_{number}"], other[f"sets_played_{number}"])


def test_rows_that_do_not_say_who_sat_are_not_settled() -> None:
    rules, tables = chunk("combine_chouette")
    rows = {name: column for name, column in tables.sets.items() if name != "player_2_seat"}
    with pytest.raises(UsageError, match="3 players needs the columns player_2_seat"):
        settle_partners(rows, tables.others["honours_games"], combine(rules))


# ---------------------------------------------------------------- kept, told, refused


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.call([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_run_is_kept_settled_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = rule_set("combine_two_v_two").with_match(sets=2)
    run = simkit.simulate(rules, ("prudent", "greedy") * 2, matches=12, seed=3, jobs=1, out=tmp_path / "run")
    assert run.family.units is COMBINE_TURNS
    assert list(run.sets.columns) == [column.name for column in COMBINE_TURNS.columns]
    verify(run)
    frame = simkit.settle_run(run)
    assert not frame[[f"money_{number}" for number in range(1, 5)]].sum(axis=1).any()
    code, out, _ = told(capsys, "settle", run.folder, "--set", "pool_stake_each=0")
    assert (code, "4 greedy" in out) == (0, True)
    code, out, err = told(capsys, "replay", run.folder, 1, "--short")
    assert (code, err) == (0, "")
    assert "The partners share: player 1" in out
    assert "Fish of honours: player 1" in out
    assert "side 1 prudent (player 1)" in out or "side 1 greedy (player 2)" in out
    for refused in (("adjourn", run.folder, 1, "--after", 1, "--out", tmp_path / "x"),):
        code, _, err = told(capsys, *refused)
        assert (code, "4 are at this table" in err) == (2, True)


def test_bad_tables_are_refused() -> None:
    with pytest.raises(ConfigError, match="two, chouette or two_v_two, and never à tourner"):
        simkit.simulate(simkit.rule_set("combine").with_match(table_mode="tourner"))
    with pytest.raises(UsageError, match="players: 2 given; a match by combine_chouette has 3"):
        simkit.simulate("combine_chouette", ("prudent", "greedy"))


@pytest.mark.parametrize(
    ("mode", "first", "words"),
    [
        (CombineTable.TWO, SetFirstDie.STAYS, "winner_prev or alternate, as nobody leaves a table of two"),
        (
            CombineTable.CHOUETTE,
            SetFirstDie.STAYS,
            "alternate .* or winner_prev, as the lone player always stays",
        ),
        (CombineTable.TWO_V_TWO, SetFirstDie.ALTERNATE, "with match.table_mode = two_v_two it is stays"),
        (CombineTable.TWO_V_TWO, SetFirstDie.WINNER_PREV, "with match.table_mode = two_v_two it is stays"),
    ],
)
def test_who_throws_first_is_of_the_table(mode: CombineTable, first: SetFirstDie, words: str) -> None:
    with pytest.raises(ConfigError, match=f"match.set_first_die: {first.value} is not allowed; {words}"):
        rule_set("combine").with_match(table_mode=mode, set_first_die=first)


def test_another_table_does_not_keep_the_throw() -> None:
    with pytest.raises(
        ConfigError, match=r"alternate is not allowed; with match.table_mode = two_v_two it is stays"
    ):
        rule_set("combine").with_match(table_mode=CombineTable.TWO_V_TWO)
    assert rule_set("combine").with_match(table_mode=CombineTable.CHOUETTE).match == combine(
        rule_set("combine_chouette")
    )
