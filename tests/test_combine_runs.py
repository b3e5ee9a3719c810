"""Runs of trictrac combiné: their rows, their folder, settling again, and the questions they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit.batch import play_run
from simkit.catalogue import player, rule_set
from simkit.cli import main
from simkit.dataset import COMBINE_MATCHES, COMBINE_SETS, HONOURS_GAMES, PlaySpec, verify
from simkit.drivers import ChunkTables, play_chunk
from simkit.errors import ConfigError, UsageError
from simkit.kernel.records import MAX_HONOURS
from simkit.players import (
    Always,
    AlwaysWhat,
    ByStakes,
    CoinToss,
    LeavesGame,
    NeverSuspends,
    Player,
    RandomPlay,
)
from simkit.rules import LastSetScored, RuleSet, UnfinishedHonours, Written, replace
from simkit.scoresheet import scoresheet

RULES = rule_set("combine")
SHORT = RULES.with_match(sets=4)
PRUDENT = player("prudent")
PAIR = (PRUDENT, player("random"))


def chunk(rules: RuleSet = SHORT, count: int = 40, first: int = 0, **changes: Any) -> ChunkTables:
    return play_chunk(rules, tuple(replace(one, **changes) for one in PAIR), 4, first, count)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> simkit.Run:
    folder = tmp_path_factory.mktemp("runs") / "run"
    return simkit.simulate(SHORT, PAIR, matches=60, seed=4, jobs=1, out=folder)


@pytest.fixture(scope="module")
def short(run: simkit.Run) -> simkit.Run:
    folder = run.folder.parent / "short"
    return simkit.simulate(RULES.with_match(sets=2), PAIR, matches=60, seed=4, jobs=1, out=folder)


def test_a_run_keeps_sets_and_games_of_honours(run: simkit.Run) -> None:
    held = chunk(count=60)
    for frame, table, columns in (
        (run.matches, COMBINE_MATCHES, held.matches),
        (run.sets, COMBINE_SETS, held.sets),
        (run.honours_games, HONOURS_GAMES, held.others["honours_games"]),
    ):
        assert list(frame.columns) == [column.name for column in table.columns]
        for name, column in columns.items():
            kept = frame[name].cat.codes if name == "ended_by" else frame[name]
            assert np.array_equal(kept.to_numpy(), column), name
    verify(run)
    assert run.figures["points"].sum() > 0


def test_rows_depend_on_the_match_alone(run: simkit.Run, tmp_path: Path) -> None:
    whole = simkit.simulate(SHORT, PAIR, matches=25, seed=4, jobs=2, out=tmp_path / "a")
    grown = play_run(PlaySpec(SHORT, PAIR, 4), 60, folder=whole.folder, chunk_matches=7)
    for name in ("matches", "sets", "honours_games"):
        assert getattr(grown, name).equals(getattr(run, name)), name


def test_blocks_bring_the_games_of_their_matches(run: simkit.Run) -> None:
    for some in (run, run.first([9])):
        seen = 0
        for sets, games in some.iter_combined(columns=("winner",)):
            assert list(sets) == ["winner"]
            assert games["match_id"].max() < len(sets["winner"]) // 4
            seen += len(games["match_id"])
        assert seen == len(some.honours_games)


def test_a_match_may_have_no_game_of_honours(short: simkit.Run) -> None:
    without = int(np.setdiff1d(np.arange(60), short.honours_games["match_id"])[0])
    assert short.of_match(without)["honours_games"]["winner"].size == 0
    assert short.of_match(without)["sets"]["winner"].size == 2
    assert simkit.settle_run(short)["honours"][without] == 0


def test_holes_of_the_two_games_agree() -> None:
    """Nothing suspended, every hole counts in both; the open game has what the finished ones have not."""
    never = chunk(RULES, count=30, combined=NeverSuspends())
    games, sets, matches = never.others["honours_games"], never.sets, never.matches
    for player_no in (1, 2):
        in_games = np.bincount(games["match_id"], games[f"holes_{player_no}"], 30)
        in_sets = np.bincount(sets["match_id"], sets[f"holes_{player_no}"], 30)
        left = matches[f"honours_left_{player_no}"]
        once = matches["do_overs"] == 0
        assert np.array_equal((in_games + left)[once], in_sets[once])
        won = np.bincount(games["match_id"], games["winner"] == player_no, 30)
        assert np.array_equal(won, matches[f"honours_won_{player_no}"])


@pytest.mark.parametrize("name", ["prudent", "random"])
def test_without_suspension_the_sets_are_those_of_the_written_match(name: str) -> None:
    rules = RULES.with_match(suspension=False)
    written = replace(rules, match=Written(sets=12, set_first_die=RULES.match.set_first_die))  # type: ignore[union-attr]
    one, other = (play_chunk(each, (player(name),) * 2, 8, 0, 20) for each in (rules, written))
    for name_, column in other.sets.items():
        assert np.array_equal(column, one.sets[name_]), name_
    assert np.array_equal(one.figures, other.figures)


def test_players_suspend_as_they_say() -> None:
    times = {}
    for combined in (LeavesGame(), ByStakes(lead=3), ByStakes(lead=12), NeverSuspends()):
        sets = chunk(RULES, count=30, combined=combined).sets
        both = [sets[f"{game}_suspended_1"].sum() for game in ("written", "honours")]
        times[combined] = int(sum(both))
    assert times[LeavesGame()] > times[ByStakes(lead=3)] > times[ByStakes(lead=12)] > 0
    assert times[NeverSuspends()] == 0


def test_a_player_at_the_default_is_the_player_he_was() -> None:
    told = {one: replace(PRUDENT, combined=one).digest for one in (LeavesGame(), ByStakes(), NeverSuspends())}
    assert told[LeavesGame()] == PRUDENT.digest
    assert len(set(told.values())) == 3


def test_sets_scored_by_a_suspension_end_with_a_pickup() -> None:
    sets = chunk(RULES, count=60).sets
    scored = sets["scored_by_suspension"]
    assert scored.any()
    assert (sets["rolls_after_scored"][scored] >= 0).all()
    assert (sets["rolls_after_scored"] <= sets["rolls"] + sets["rolls_do_overs"]).all()
    assert (sets["stalls"] == 0).all()


def test_the_last_set_may_end_the_match_at_once() -> None:
    ends = chunk(RULES.with_match(combine_last_set_scored=LastSetScored.ENDS_MATCH), count=60)
    usual = chunk(RULES, count=60)
    last = usual.sets["set_no"] == 12
    scored = last & usual.sets["scored_by_suspension"]
    assert scored.any()
    for name in ("winner", "holes_1", "holes_2", "run_intact_1", "do_overs"):
        assert np.array_equal(ends.sets[name], usual.sets[name]), name
    assert (ends.sets["rolls"][scored] < usual.sets["rolls"][scored]).any()
    assert np.array_equal(ends.sets["rolls"][~scored], usual.sets["rolls"][~scored])


def test_a_game_of_honours_may_be_played_on() -> None:
    usual = chunk(count=60)
    rules = SHORT.with_match(combine_unfinished_honours=UnfinishedHonours.PLAY_ON)
    on = chunk(rules, count=60)
    open_games = (usual.matches["honours_left_1"] > 0) | (usual.matches["honours_left_2"] > 0)
    assert np.array_equal(on.matches["rolls_played_on"] > 0, open_games)
    assert not on.matches["honours_left_1"].any()
    assert not on.matches["honours_left_2"].any()
    for name, column in usual.sets.items():
        assert np.array_equal(column, on.sets[name]), name
    for name in ("sets_won_1", "sets_won_2", "holes_1"):
        assert np.array_equal(usual.matches[name], on.matches[name]), name
    games = on.others["honours_games"]
    played_on = games["set_no"] == 5
    assert np.array_equal(games["match_id"][played_on], np.flatnonzero(open_games))
    assert len(games["match_id"]) == len(usual.others["honours_games"]["match_id"]) + played_on.sum()


def test_settling_again(run: simkit.Run, short: simkit.Run) -> None:
    own = simkit.settle_run(run)
    assert own["settled"].all()
    assert (own["exact"] == own["written"] + 10 * (own["honours"] + own["pool"])).all()
    dearer = simkit.settle_run(run, {"honours_unit_fish": 2, "pool_stake_each": 4})
    assert (dearer["pool"] == 2 * own["pool"]).mean() > 0.8  # but for halved baskets
    assert (dearer["honours"] == 2 * own["honours"]).all()
    assert (dearer["written"] == own["written"]).all()
    cut, played = simkit.settle_run(run, sets=2), simkit.settle_run(short)
    for name in played.columns.drop("rules"):
        assert (cut[name] == played[name]).all(), name


def test_payments_of_a_run(run: simkit.Run) -> None:
    paid, own = simkit.payments(run), simkit.settle_run(run)
    fish = paid[paid["what"] != "written"]
    for player_no, sign in ((1, 1), (2, -1)):
        won = fish[fish["payee"] == player_no].groupby("match_id")["amount"].sum()
        lost = fish[fish["payer"] == player_no].groupby("match_id")["amount"].sum()
        net = won.reindex(range(60), fill_value=0) - lost.reindex(range(60), fill_value=0)
        assert (net.to_numpy() == sign * own["honours_fish"].to_numpy()).all()


def test_more_games_of_honours_than_a_set_can_log_cap_it() -> None:
    """One hole a game, and players who hardly go."""
    lingers = replace(player("random"), decision=CoinToss(go_1024=8))
    held = play_chunk(SHORT.with_match(target_holes=1), (lingers, lingers), 4, 0, 40)
    capped = held.sets["winner"] == 0
    assert capped.any()
    assert not capped.all()
    assert np.array_equal(np.unique(held.sets["match_id"][capped]), np.flatnonzero(held.matches["truncated"]))
    games = held.others["honours_games"]
    of_sets = np.bincount(games["match_id"] * 10 + games["set_no"])
    assert of_sets.max() == MAX_HONOURS


def test_the_command_prints_both_games(run: simkit.Run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["settle", str(run.folder), "--set", "settlement.pool_unfinished=returned"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "written game, jetons" in told
    assert "games of honours, fish" in told
    assert "Settled with settlement.pool_unfinished = returned instead of split" in told


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"match.table_mode": "tourner"}, "two, chouette or two_v_two, and never à tourner"),
        ({"match.sets": 3}, "match.sets: 3 is not allowed"),
        ({"game.go_enabled": False}, "ends only when a player goes"),
        ({"settlement.pool_wins_in_row": 0}, "pool_wins_in_row: 0 is not allowed"),
    ],
)
def test_rules_that_cannot_be_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        simkit.api.changed(RULES, changes)


def test_a_settlement_belongs_to_its_match() -> None:
    with pytest.raises(ConfigError, match="CombineSettlement is not allowed with the match Written"):
        replace(RULES, match=Written(settlement=RULES.settlement))  # type: ignore[arg-type]


def test_what_does_not_fit_is_refused(run: simkit.Run, tmp_path: Path) -> None:
    holds = Player(name="holds", title="Holds.", choice=RandomPlay(), decision=Always(what=AlwaysWhat.HOLD))
    with pytest.raises(ConfigError, match="a decision never to go is not allowed"):
        play_chunk(RULES, (holds, holds), 0, 0, 1)
    with pytest.raises(UsageError, match="a start from a state is one of one game"):
        simkit.simulate(RULES, PAIR, starts=simkit.start("1:15 | 24:15"), out=tmp_path / "a")
    with pytest.raises(UsageError, match="two games at once, and this is a question of one"):
        simkit.rollout(RULES, "1:15 | 24:15", "6-5")
    with pytest.raises(UsageError, match="holds trictrac and no games of honours"):
        parties = simkit.simulate("classical", "random", matches=1, jobs=1, out=tmp_path / "b")
        _ = parties.honours_games
    plays = (PlaySpec(RULES, PAIR, 0), PlaySpec(rule_set("classical"), PAIR, 0))
    with pytest.raises(UsageError, match="trictrac combiné and of trictrac cannot share a run"):
        play_run(plays, 1, folder=tmp_path / "c")
    with pytest.raises(UsageError, match="players: 3 given; a match by combine_classical has 2"):
        simkit.simulate(RULES, ("random",) * 3, out=tmp_path / "d")


def test_questions_of_one_game_are_refused_in_words() -> None:
    with pytest.raises(UsageError, match="is played two games at once; a scoresheet"):
        scoresheet(chunk(count=1).sets, SHORT)
