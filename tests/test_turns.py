"""Three to five players at the table: turns played, rows kept, settled, told; and what is refused, in words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from simkit import api
from simkit.adjournment import adjourned
from simkit.catalogue import player, rule_set
from simkit.cli import app
from simkit.dataset import content_hash, verify
from simkit.drivers import State, play_chunk
from simkit.drivers.seating import Seating, drawn_order, lots
from simkit.drivers.start import AT_THE_TALONS
from simkit.errors import ConfigError, UsageError
from simkit.rules import (
    SEATS,
    RotationFirstSetLeaver,
    RuleSet,
    TableMode,
    TokenTailBasis,
    Written,
    apply_all,
)
from simkit.scoresheet import scoresheet
from simkit.settle_turns import dealt, settle_by_turns, tourner_tokens, turn_order

NAMES = ("chouette_guiton", "two_v_two_guiton", "tourner_guiton", "tourner_classical", "five_jl1852")
SEED = 5


def written(rules: RuleSet) -> Written:
    assert isinstance(rules.match, Written)
    return rules.match


def at_table(rules: RuleSet, *names: str) -> Any:
    """Players by name, the last one as often as needed."""
    return tuple(player(names[min(place, len(names) - 1)]) for place in range(rules.match.players))


def chunk(name: str, first: int = 0, count: int = 40, *names: str) -> Any:
    rules = rule_set(name)
    return play_chunk(rules, at_table(rules, *(names or ("random",))), SEED, first, count)


def seats_of(rows: Any) -> Any:
    return np.stack((rows["player_1_seat"], rows["player_2_seat"]), axis=1)


# ---------------------------------------------------------------- who plays


@pytest.mark.parametrize("name", NAMES)
def test_everybody_plays_as_often_as_the_rules_say(name: str) -> None:
    match = written(rule_set(name))
    seats = seats_of(chunk(name).sets).reshape(40, match.sets, 2)
    played = np.stack([(seats == number).sum(axis=(1, 2)) for number in range(1, match.players + 1)], axis=1)
    if match.table_mode is TableMode.TOURNER:
        assert (played == match.sets * 2 // 3).all()
        return
    for side, size in enumerate(SEATS[match.table_mode]):
        members = range(sum(SEATS[match.table_mode][:side]), sum(SEATS[match.table_mode][: side + 1]))
        assert (played[:, members] == match.sets // size).all()
        assert set(np.unique(seats[:, :, side])) == {number + 1 for number in members}


@pytest.mark.parametrize("name", NAMES)
def test_who_stays_throws_first(name: str) -> None:
    match = written(rule_set(name))
    rows = chunk(name).sets
    seats, first = (values.reshape(40, match.sets, -1) for values in (seats_of(rows), rows["first_player"]))
    if match.table_mode is TableMode.CHOUETTE:
        assert (first[:, :, 0] == np.resize([1, 2], match.sets)).all()
        return
    thrower = np.take_along_axis(seats, first - 1, axis=2)[:, :, 0]
    for place in range(1, match.sets):
        stays = [
            set(before) & set(now)
            for before, now in zip(seats[:, place - 1].tolist(), seats[:, place].tolist(), strict=True)
        ]
        assert stays == [{who} for who in thrower[:, place].tolist()]


@pytest.mark.parametrize("name", ["tourner_guiton", "tourner_classical", "two_v_two_guiton"])
def test_who_leaves_after_the_first_set(name: str) -> None:
    match = written(rule_set(name))
    rows = chunk(name).sets
    seats, winner = seats_of(rows).reshape(40, match.sets, 2), rows["winner"].reshape(40, match.sets)
    left = (
        winner[:, 0] if match.rotation_first_set_leaver is RotationFirstSetLeaver.WINNER else 3 - winner[:, 0]
    )
    changed = seats[:, 0] != seats[:, 1]
    assert (changed.sum(axis=1) == 1).all()
    assert (changed.argmax(axis=1) + 1 == left).all()


def test_the_idle_player_is_the_third() -> None:
    rows = chunk("tourner_guiton").sets
    assert (rows["idle_seat"] + rows["player_1_seat"] + rows["player_2_seat"] == 6).all()
    assert not chunk("five_jl1852").sets["idle_seat"].any()


def test_lots_are_fair() -> None:
    for ways in (2, 3, 6):
        counts = np.bincount(lots(SEED, np.arange(6000), 1, ways), minlength=ways)
        expected = 6000 / ways
        assert (
            (counts - expected) ** 2 / expected
        ).sum() < 20.5  # chi-squared, 0.001 with 5 degrees of freedom
    orders = drawn_order(written(rule_set("five_jl1852")), SEED, np.arange(3000))
    assert len(np.unique(orders, axis=0)) == 12
    assert (np.sort(orders[:, :2], axis=1) == [0, 1]).all()


def test_a_match_hangs_on_its_number_alone() -> None:
    whole, part = chunk("tourner_guiton", 0, 30).sets, chunk("tourner_guiton", 20, 10).sets
    kept = whole["match_id"] >= 20
    for name, column in part.items():
        assert np.array_equal(whole[name][kept], column), name


def test_the_stronger_player_wins_whichever_seat_he_has() -> None:
    """Whoever sits where, the kernel plays the player of the seat."""
    for place in range(3):
        names = ["random"] * 3
        names[place] = "prudent"
        rules = rule_set("tourner_guiton")
        rows = play_chunk(rules, tuple(map(player, names)), SEED, 0, 30).sets
        settled = settle_by_turns(rows, written(rules))
        money = [int(settled[f"money_{number}"].sum()) for number in (1, 2, 3)]
        assert money.index(max(money)) == place
        assert sum(money) == 0


def test_seating_of_no_match_is_nothing() -> None:
    match = written(rule_set("tourner_guiton"))
    seating = Seating.drawn(match, SEED, np.arange(3))
    seating.seat(np.zeros(0, [("match_id", np.int64), ("unit_no", np.int64)]).view(np.recarray))


# ---------------------------------------------------------------- money


def test_the_chouette_by_hand() -> None:
    """Sides as two players are settled, partners share: odd jetons first to who came first."""
    amounts = np.array([7, -7, 10])
    turns = np.array([[2, 0, 1]] * 3)
    among = np.array([[False, True, True]] * 3)
    assert dealt(amounts, among, turns).tolist() == [[0, 4, 3], [0, -4, -3], [0, 5, 5]]


def test_a_shorter_match_is_settled_from_the_same_rows() -> None:
    match = written(rule_set("tourner_guiton"))
    rows = chunk("tourner_guiton").sets
    first = rows["set_no"] <= 6
    short = settle_by_turns({name: column[first] for name, column in rows.items()}, match, n_sets=6)
    again = settle_by_turns(rows, match, n_sets=6)
    for name in ("money_1", "money_2", "money_3", "sets_played_1"):
        assert np.array_equal(short[name], again[name])
    with pytest.raises(ConfigError, match=r"match.sets: 7 is not allowed; .* a multiple of 3"):
        settle_by_turns(rows, match, n_sets=7)


def test_rows_without_seats_are_refused() -> None:
    rows = dict(chunk("tourner_guiton").sets)
    del rows["idle_seat"], rows["player_1_seat"]
    with pytest.raises(UsageError, match="needs the columns player_1_seat, idle_seat"):
        settle_by_turns(rows, written(rule_set("tourner_guiton")))


# ---------------------------------------------------------------- runs and commands


@pytest.mark.parametrize("name", NAMES)
def test_a_run_keeps_seats_and_is_settled_again(name: str, tmp_path: Path) -> None:
    run = api.simulate(name, "random", matches=30, seed=SEED, out=tmp_path / "run")
    verify(run)
    rules = rule_set(name)
    assert {"player_1_seat", "player_2_seat", "idle_seat"} <= set(run.sets.columns)
    assert run.sets["player_2"].iloc[0] == "+".join(["random"] * (rules.match.players - 1))
    frame = api.settle_run(run, {"tail_of_sets": 0, "general_tail": 50})
    money = frame[[f"money_{number + 1}" for number in range(rules.match.players)]]
    assert (money.sum(axis=1) == 0).all()
    (found,) = api.settle_summary(run, {})
    assert isinstance(found, api.SettledByTurns)
    assert found.changed == 0
    assert [won + lost <= found.matches for won, lost in zip(found.won, found.lost, strict=True)]
    before = content_hash(run)
    assert (
        content_hash(api.simulate(name, "random", matches=30, seed=SEED, out=tmp_path / "again", jobs=1))
        == before
    )
    told = api.replay(run, 4)
    assert "SETTLEMENT" in str(told)


def test_commands(tmp_path: Path) -> None:
    runner = CliRunner()
    folder = str(tmp_path / "run")
    asked = ["simulate", "tourner_guiton", "--matches", "20", "--players", "prudent,random,random"]
    done = runner.invoke(app, [*asked, "--set", "match.sets=9", "--out", folder, "--quiet"])
    assert done.exit_code == 0, done.output
    assert "1 prudent, 2 random, 3 random" in done.output
    assert "sets won" not in done.output  # à tourner nobody is side 1 all along
    settled = runner.invoke(app, ["settle", folder, "--set", "settlement.tourner_paris_rule=split_tail"])
    assert settled.exit_code == 0, settled.output
    assert "1 prudent" in settled.output
    told = "Settled with settlement.tourner_paris_rule = split_tail instead of pairwise_full_tail."
    assert told in " ".join(settled.output.split())
    plain = runner.invoke(app, ["settle", folder, "--json"])
    assert '"players": [' in plain.output
    replayed = runner.invoke(app, ["replay", folder, "2", "--short"])
    assert "who sat out" in replayed.output
    assert "player 3" in replayed.output
    sheet = runner.invoke(app, ["replay", folder, "2", "--scoresheet"])
    assert isinstance(sheet.exception, UsageError) or sheet.exit_code == 2


def test_the_match_told_is_settled_by_the_rows() -> None:
    rules = rule_set("tourner_guiton")
    told = api.replay(rules, 3, players="random", seed=SEED)
    settled = settle_by_turns(told.rows, written(rules), seed=SEED)  # type: ignore[union-attr]
    assert told.settled is not None  # type: ignore[union-attr]
    for number in (1, 2, 3):
        assert told.settled[f"money_{number}"] == settled[f"money_{number}"][0]  # type: ignore[union-attr,index]


# ---------------------------------------------------------------- refusals


def table(mode: str, players: int, **more: Any) -> dict[str, Any]:
    """Changes that make a table of a written rule set."""
    return {"match.table_mode": mode, "match.players": players, **{f"match.{k}": v for k, v in more.items()}}


REFUSED = [
    (table("chouette", 4), "match.players: 4 is not allowed; .* = chouette 3 are at the table, 1 against 2"),
    (
        table("two_v_two", 3),
        "match.players: 3 is not allowed; .* = two_v_two 4 are at the table, 2 against 2",
    ),
    (table("two", 3), "match.players: 3 is not allowed; with match.table_mode = two 2 are at the table"),
    (table("five", 6), "match.players: 6 is not allowed; 2, 3, 4 or 5"),
    (
        table("tourner", 3, set_first_die="stays"),
        "match.sets: 8 is not allowed; with match.table_mode = tourner a multiple of 3 .*Guiton 1822, ch. VIII",
    ),
    (
        table("five", 5, set_first_die="stays"),
        "match.sets: 8 is not allowed; with match.table_mode = five a multiple of 6 .*J.L. 1852, 249",
    ),
    (table("two", 2, sets=9), "match.sets: 9 is not allowed; an even number"),
    (table("two", 2, set_first_die="stays"), "match.set_first_die: stays is not allowed; winner_prev or"),
    (table("chouette", 3, set_first_die="stays"), "match.set_first_die: stays is not allowed; alternate"),
    (
        table("tourner", 3, sets=9),
        "match.set_first_die: winner_prev is not allowed; with match.table_mode = tourner it is stays",
    ),
]


@pytest.mark.parametrize(("changes", "words"), REFUSED)
def test_tables_that_cannot_be(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        apply_all(rule_set("ecrire_guiton"), changes)
    assert any(re.match(words, problem) for problem in caught.value.problems), caught.value.problems


@pytest.mark.parametrize("name", ["ecrire_guiton", "ecrire_classical"])
def test_a_written_rule_set_takes_more_players(name: str) -> None:
    for changes in (
        {"match.table_mode": "chouette", "match.players": 3},
        {"match.table_mode": "two_v_two", "match.players": 4},
    ):
        rules = apply_all(rule_set(name), changes)
        rows = play_chunk(rules, at_table(rules, "random"), SEED, 0, 6).sets
        assert len(rows["set_no"]) == 6 * written(rules).sets


def test_what_is_told_of_two_players_only() -> None:
    rules = rule_set("tourner_guiton")
    rows = chunk("tourner_guiton", 0, 1).sets
    words = r"of two players only, and 3 are at this table \(match.players\)"
    with pytest.raises(UsageError, match=words):
        scoresheet(rows, rules)
    with pytest.raises(UsageError, match=words):
        adjourned(rules, rows, 3)
    with pytest.raises(UsageError, match=words):
        api.simulate(rules, "random", starts=State(AT_THE_TALONS))
    with pytest.raises(UsageError, match=words):
        api.rollout(rules, "1:9 6 7 8 9 12:2 | 13:2 24:13", "6-5")
    with pytest.raises(UsageError, match=words):
        api.adjourn(rules, after=3, players="random")
    with pytest.raises(UsageError, match="players: 2 given; a match by tourner_guiton has 3"):
        api.simulate(rules, ("random", "prudent"))


def test_tokens_go_by_points_or_by_jetons_in_hand() -> None:
    """Player 1 has most points and has laid out most tokens: in hand he has three fewer than player 2."""
    points, lost, turns = np.array([[3, 2, -5]]), np.array([[3, 1, 2]]), np.array([[0, 1, 2]])
    rules = rule_set("tourner_guiton")
    for basis, gains in ((TokenTailBasis.SET_POINTS, [6, -2, -4]), (TokenTailBasis.HOLDINGS, [-6, 10, -4])):
        settlement = written(rules.with_settlement(tokens_per_set=2, token_tail_basis=basis)).settlement
        assert tourner_tokens(points, lost, turns, settlement)[0].tolist() == [gains]


def test_who_throws_first_in_the_first_set_came_first() -> None:
    sets = {
        "set_no": np.array([1, 2, 1, 2]),
        "first_player": np.array([2, 1, 1, 1]),
        "player_1_seat": np.array([1, 1, 1, 1]),
        "player_2_seat": np.array([2, 3, 2, 3]),
    }
    assert turn_order(sets, np.array([0, 2]), 3).tolist() == [[1, 0, 2], [0, 1, 2]]
