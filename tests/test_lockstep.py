"""Lock-step: the same rows as fused play for the same player, and what a chooser may and may not say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import simkit
from simkit.catalogue import player, rule_set
from simkit.dataset import content_hash
from simkit.drivers import ChunkTables, OpenRolls, play_chunk, slices
from simkit.errors import ConfigError, UsageError
from simkit.lockstep import FEATURES, SET_CONCEDED, TABLES_FEATURES, LockStep, weights_of
from simkit.play import legal_plays
from simkit.players import Evaluation, Opening, OwnPlay, Player, RandomPlay
from simkit.position import pack, parse
from simkit.rules import replace

RANDOM, PRUDENT, GREEDY, LINEAR = (player(name) for name in ("random", "prudent", "greedy", "tables_linear"))
SEED, MATCHES = 29, 60


def own(name: str, function: Any = None, decision: Any = None, version: str = "1") -> Player:
    """A player of one's own."""
    choice = OwnPlay(function=function, version=version)
    return Player(name=name, title="A player of a test.", choice=choice, decision=decision)


def at_random(rolls: OpenRolls) -> tuple[Any, Any]:
    """Play as `random` does, with its dice."""
    chances = np.where(rolls.outcome == SET_CONCEDED, 16, 512)
    return rolls.draw(rolls.counts), rolls.draw(1024, going=True) < chances


def by_features(rolls: OpenRolls) -> Any:
    """Play as `prudent` does, going aside."""
    return rolls.best(rolls.features @ weights_of(PRUDENT))


def assert_same(one: ChunkTables, two: ChunkTables) -> None:
    """Compare all rows and sums, bit for bit."""
    for name, other in (("matches", two.matches), ("sets", two.sets), *two.others.items()):
        columns: Any = one.others[name] if name in two.others else getattr(one, name)
        assert list(columns) == list(other)
        for column, values in other.items():
            assert columns[column].dtype == values.dtype, (name, column)
            np.testing.assert_array_equal(columns[column], values, err_msg=f"{name}.{column}")
    np.testing.assert_array_equal(one.figures, two.figures)


def played(table: LockStep, function: Any) -> ChunkTables:
    """Play a table to its end."""
    while table.running:
        answer = function(table.observe())
        table.choose(*(answer if isinstance(answer, tuple) else (answer,)))
    return table.columns


def fused(rules: str, *players: Player, matches: int = MATCHES) -> ChunkTables:
    return play_chunk(rule_set(rules), players, SEED, 0, matches)


# ---------------------------------------------------------------- the same rows


@pytest.mark.parametrize("abreast", [1, 7, 25, 2048])
def test_random_play_through_numpy_is_random_play(abreast: int) -> None:
    table = LockStep("twelve_hole", matches=MATCHES, seed=SEED, abreast=abreast)
    assert_same(played(table, at_random), fused("twelve_hole", RANDOM, RANDOM))


@pytest.mark.parametrize("rules", ["ecrire_academie", "soumille_1766_dlp"])
def test_random_play_of_other_rules(rules: str) -> None:
    table = LockStep(rules, matches=20, seed=SEED, abreast=8)
    assert_same(played(table, at_random), fused(rules, RANDOM, RANDOM, matches=20))


@pytest.mark.parametrize("rules", ["twelve_hole", "ecrire_academie"])
def test_linear_play_through_numpy_is_prudent_play(rules: str) -> None:
    mine = own("mine", decision=PRUDENT.decision)
    table = LockStep(rules, (mine, mine), matches=20, seed=SEED, abreast=8)
    assert_same(played(table, by_features), fused(rules, PRUDENT, PRUDENT, matches=20))


def test_what_a_player_of_the_kernel_would_do() -> None:
    def as_greedy(rolls: OpenRolls) -> tuple[Any, Any]:
        choices = rolls.choices_of(GREEDY)
        return choices, rolls.deeds_of(GREEDY, choices)

    table = LockStep("ecrire_academie", matches=5, seed=SEED)
    assert_same(played(table, as_greedy), fused("ecrire_academie", GREEDY, GREEDY, matches=5))


@pytest.mark.parametrize("rules", ["twelve_hole", "ecrire_academie"])
@pytest.mark.parametrize("seat", [0, 1])
def test_one_side_of_the_kernel_and_one_outside(rules: str, seat: int) -> None:
    seats: list[Any] = ["prudent", "prudent"]
    seats[seat] = None
    pair = [PRUDENT, PRUDENT]
    pair[seat] = RANDOM
    table = LockStep(rules, seats, matches=20, seed=SEED, abreast=8)
    assert_same(played(table, at_random), fused(rules, *pair, matches=20))


def test_two_games_at_once_and_suspensions() -> None:
    def as_prudent(rolls: OpenRolls) -> tuple[Any, Any]:
        choices = rolls.choices_of(PRUDENT)
        return choices, rolls.deeds_of(PRUDENT, choices)

    table = LockStep("combine_classical", matches=6, seed=SEED, abreast=4)
    assert_same(played(table, as_prudent), fused("combine_classical", PRUDENT, PRUDENT, matches=6))


@pytest.mark.parametrize("rules", ["pool_drain", "tourner_guiton"])
def test_more_than_two_at_the_table(rules: str) -> None:
    n = rule_set(rules).match.players
    table = LockStep(rules, (None, "random") + (None,) * (n - 2), matches=12, seed=SEED, abreast=5)
    assert_same(played(table, at_random), fused(rules, *(RANDOM,) * n, matches=12))


@pytest.mark.parametrize("rules", ["toutes_tables_225", "backgammon_cube"])
@pytest.mark.parametrize("other", [None, "random"])
def test_random_play_of_tables(rules: str, other: str | None) -> None:
    table = LockStep(rules, (None, other), matches=30, seed=SEED, abreast=8)
    found = played(table, lambda rolls: rolls.draw(rolls.counts))
    assert_same(found, fused(rules, RANDOM, RANDOM, matches=30))


def test_linear_play_of_tables() -> None:
    table = LockStep("toutes_tables_225", matches=20, seed=SEED)
    found = played(table, lambda rolls: rolls.choices_of(LINEAR))
    assert_same(found, fused("toutes_tables_225", LINEAR, LINEAR, matches=20))


@pytest.mark.parametrize("rules", ["toutes_tables_225", "backgammon_225", "backgammon"])
def test_linear_play_of_tables_through_numpy(rules: str) -> None:
    table = LockStep(rules, matches=MATCHES, seed=SEED)
    found = played(table, lambda rolls: rolls.best(rolls.features @ weights_of(LINEAR)))
    assert_same(found, fused(rules, LINEAR, LINEAR))


@pytest.mark.parametrize("rules", ["twelve_hole", "ecrire_academie", "combine_classical", "pool_fill"])
def test_matches_that_begin_as_others_end(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 5)
    n = rule_set(rules).match.players

    def as_random(rolls: OpenRolls) -> tuple[Any, Any]:
        choices = rolls.choices_of(RANDOM)
        return choices, rolls.deeds_of(RANDOM, choices)

    table = LockStep(rules, matches=17, seed=SEED, abreast=7)
    assert_same(played(table, as_random), fused(rules, *(RANDOM,) * n, matches=17))


def test_matches_from_a_start() -> None:
    start = simkit.start("1:9 6 7 8 9 12:2 | 13:2 24:13", "3:10b 2:0")
    table = LockStep("twelve_hole", matches=10, seed=SEED, starts=start)
    expected = play_chunk(rule_set("twelve_hole"), (RANDOM, RANDOM), SEED, 0, 10, (start,))
    assert_same(played(table, at_random), expected)


# ---------------------------------------------------------------- frames, and runs


def test_frames_are_those_of_a_run(tmp_path: Any) -> None:
    run = simkit.simulate("twelve_hole", "random", matches=20, seed=SEED, out=tmp_path / "run")
    table = LockStep("twelve_hole", matches=20, seed=SEED)
    played(table, at_random)
    for name in ("matches", "sets", "figures"):
        mine, kept = getattr(table, name), getattr(run, name)
        assert list(mine.dtypes.astype(str)) == list(kept.dtypes.astype(str))
        labels = ["player_1", "player_2"]
        assert mine.drop(columns=labels).equals(kept.drop(columns=labels))
    assert set(table.matches["player_1"]) == {"own"}
    assert table.rows("sets").equals(table.sets)
    with pytest.raises(UsageError, match="no 'shares'"):
        table.rows("shares")
    with pytest.raises(UsageError, match="no games"):
        _ = table.games


def test_a_player_of_ones_own_in_a_run(tmp_path: Any) -> None:
    mine = own("mine", at_random)
    pair = (mine, "prudent")
    one = simkit.simulate("twelve_hole", pair, matches=30, seed=SEED, out=tmp_path / "a", jobs=1)
    expected = fused("twelve_hole", RANDOM, PRUDENT, matches=30)
    assert one.sets["winner"].to_list() == expected.sets["winner"].tolist()
    np.testing.assert_array_equal(one.matches["rolls"], expected.matches["rolls"])
    np.testing.assert_array_equal(one.figure_sums()[0], expected.figures)
    assert one.plays[0].players[0].words[-1].strip() == "version = 1"
    two = simkit.simulate("twelve_hole", pair, matches=30, seed=SEED, out=tmp_path / "b", jobs=2)
    assert content_hash(one) == content_hash(two)


def test_two_players_of_ones_own_are_asked_for_their_rolls_alone() -> None:
    sides = set()

    def second(rolls: OpenRolls) -> tuple[Any, Any]:
        sides.update(rolls.side.tolist())
        return at_random(rolls)

    pair = own("one", at_random), own("two", second)
    assert_same(fused("twelve_hole", *pair, matches=20), fused("twelve_hole", RANDOM, RANDOM, matches=20))
    assert sides == {2}


def test_the_version_is_part_of_the_digest() -> None:
    assert own("mine").digest == own("mine", at_random).digest
    assert own("mine").digest != own("mine", version="2").digest
    assert own("mine").digest != own("other").digest
    assert RANDOM.compiled
    assert not own("mine").compiled


# ---------------------------------------------------------------- what is seen


def test_what_is_on_the_table() -> None:
    start = simkit.start("1:9 6 7 8 9 12:2 | 13:2 24:13", "3:10b 2:0", dice="6-5")
    table = LockStep("twelve_hole", matches=1, seed=SEED, starts=start)
    rolls = table.observe()
    position = parse("1:9 6 7 8 9 12:2 | 13:2 24:13")
    assert (len(rolls), rolls.match_id.tolist(), rolls.set_no.tolist()) == (1, [0], [1])
    assert rolls.own.tolist() == [list(pack(position.mover))]
    assert rolls.men(rolls.own).tolist() == [list(position.mover)]
    assert rolls.men(rolls.other).tolist() == [list(position.other[::-1])]
    assert sorted(rolls.dice[0].tolist()) == [5, 6]
    assert rolls.holes.tolist() == [[3, 2]] or rolls.gain[0] >= 2
    listed = {play.mover for play in legal_plays(rule_set("twelve_hole").trictrac_game, position, (6, 5))}
    assert {tuple(men) for men in rolls.men(rolls.plays).tolist()} == listed
    assert (rolls.men(rolls.plays).sum(axis=1) == 15).all()
    assert rolls.features.shape == (len(rolls.plays), 11)
    assert rolls.player.tolist() == rolls.side.tolist() == [1]
    assert rolls.of([0]).plays.tolist() == rolls.plays.tolist()


@pytest.mark.parametrize(
    ("rules", "one", "names"),
    [("twelve_hole", PRUDENT, FEATURES), ("toutes_tables_225", LINEAR, TABLES_FEATURES)],
)
def test_features_are_columns_of_whole_numbers(rules: str, one: Player, names: tuple[str, ...]) -> None:
    table = LockStep(rules, matches=30, seed=SEED)
    features, copies = [], []
    for _ in range(12):
        rolls = table.observe()
        features.append(rolls.features)
        copies.append(rolls.features.copy())
        assert rolls.features.shape == (len(rolls.plays), len(names))
        assert rolls.features.dtype == weights_of(one).dtype == np.float32
        assert rolls.features.flags.f_contiguous or rolls.features[:, 0].flags.c_contiguous
        np.testing.assert_array_equal(rolls.features, np.rint(rolls.features))
        some = np.arange(len(rolls)) % 3 == 1
        np.testing.assert_array_equal(rolls.of(some).features, rolls.features[np.repeat(some, rolls.counts)])
        for kept, copy in zip(features[-2:], copies[-2:], strict=True):  # until the choice after the next
            np.testing.assert_array_equal(kept, copy)
        table.choose(rolls.best(rolls.features @ weights_of(one)), going=False)


def test_features_by_eye() -> None:
    start = simkit.start("1:9 6 7 8 9 12:2 | 13:2 24:13", "3:10b 2:0", dice="6-5")
    rolls = LockStep("twelve_hole", matches=1, seed=SEED, starts=start).observe()
    men = rolls.men(rolls.plays)
    of = {name: rolls.features[:, place] for place, name in enumerate(FEATURES)}
    np.testing.assert_array_equal(of["talon"], men[:, 0])
    np.testing.assert_array_equal(of["coin"], men[:, 11] > 0)
    np.testing.assert_array_equal(of["petit"], np.minimum(men[:, :6], 2).sum(axis=1))
    np.testing.assert_array_equal(of["made_grand"], (men[:, 6:12] > 1).sum(axis=1))
    tables = LockStep("toutes_tables_225", matches=20, seed=SEED).observe()
    men = tables.men(tables.plays)
    of = {name: tables.features[:, place] for place, name in enumerate(TABLES_FEATURES)}
    off = 15 - men.sum(axis=1)
    still = tables.plays[:, 2] == 0  # where nobody is hit, the features are the roller's alone
    pips = (men * np.r_[24:0:-1, 25]).sum(axis=1)
    for name, value in {"pip": pips, "off": off, "bar": men[:, 24], "back": men[:, :6].sum(axis=1)}.items():
        np.testing.assert_array_equal(of[name][still], value[still], err_msg=name)
    np.testing.assert_array_equal(of["made_home"], (men[:, 18:24] > 1).sum(axis=1))
    assert not of["won"].any()


def test_weights_that_need_more_than_24_bits() -> None:
    assert isinstance(PRUDENT.choice, Evaluation)
    heavy = replace(PRUDENT, choice=replace(PRUDENT.choice, grand=1_000_000, petit=999_999, talon=-1_000_000))
    assert weights_of(heavy).dtype == np.float64
    mine = own("mine", decision=heavy.decision)
    table = LockStep("twelve_hole", (mine, mine), matches=10, seed=SEED)
    found = played(table, lambda rolls: rolls.best(rolls.features @ weights_of(heavy)))
    assert_same(found, fused("twelve_hole", heavy, heavy, matches=10))


def test_closed_rolls_are_not_read() -> None:
    table = LockStep("twelve_hole", matches=3, seed=SEED)
    rolls = table.observe()
    plays, kept = rolls.plays, rolls.plays.copy()
    table.choose(rolls.draw(rolls.counts), going=False)
    np.testing.assert_array_equal(plays, kept)  # until the choice after the next
    with pytest.raises(UsageError, match="closed"):
        _ = rolls.points
    with pytest.raises(UsageError, match="closed"):
        rolls.draw(2)


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ([0], "of shape"),
        ([0.0, 0.0], "not whole numbers"),
        ([0, 600], "on roll 1, match 1"),
        ([-1, 0], "on roll 0, match 0"),
    ],
)
def test_plays_that_are_none(choices: list[Any], words: str) -> None:
    table = LockStep("twelve_hole", matches=2, seed=SEED)
    table.observe()
    with pytest.raises(UsageError, match=words):
        table.choose(choices, going=False)


def test_one_looks_before_one_chooses() -> None:
    table = LockStep("toutes_tables_225", matches=3, seed=SEED)
    choices = np.zeros(3, np.int64)
    for _ in range(2):
        with pytest.raises(UsageError, match="observe first"):
            table.choose(choices)
        table.observe()
        table.choose(choices)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_a_value_that_is_no_number_is_refused(kind: Any) -> None:
    rolls = LockStep("twelve_hole", matches=5, seed=SEED).observe()
    values = np.zeros(len(rolls.plays), kind)
    values[0], values[-1] = np.inf, -np.inf
    assert not rolls.best(values).any()
    assert not rolls.best(values > 0).any()
    for place in (len(values) - 1, rolls.offsets[3]):  # the last play of a roll, and the first
        values[place] = np.nan
        roll = int(np.searchsorted(rolls.offsets, place, "right")) - 1
        words = rf"nan for play {place - rolls.offsets[roll]} of roll {roll} \(values\[{place}\]\)"
        with pytest.raises(UsageError, match=words):
            rolls.best(values)
    with pytest.raises(UsageError, match="not numbers"):
        rolls.best(values.astype(str))


def test_going_must_be_said_from_the_first_step() -> None:
    table = LockStep("twelve_hole", matches=20, seed=SEED)
    rolls = table.observe()
    assert not rolls.may_go.any()
    with pytest.raises(UsageError, match="nothing said"):
        table.choose(rolls.draw(rolls.counts))
    with pytest.raises(UsageError, match="nothing said"):
        fused("twelve_hole", own("mine", lambda rolls: rolls.draw(rolls.counts)), RANDOM)
    with pytest.raises(UsageError, match="truth values"):
        table.choose(np.zeros(len(table.observe()), np.int64), [0.5])
    with pytest.raises(UsageError, match="something else"):
        table.choose(np.zeros(len(table.observe()), np.int64), 7)


def test_refusals() -> None:
    with pytest.raises(UsageError, match="between the steps of the kernel"):
        simkit.rollout("classical", "1:15 | 24:15", "6-5", players=own("mine", at_random), matches=2)
    with pytest.raises(UsageError, match="has no function"):
        fused("twelve_hole", own("mine"), RANDOM)
    opening = Opening(choice=RandomPlay())
    with pytest.raises(ConfigError, match="opening play"):
        LockStep("toutes_tables_225", (replace(own("mine"), opening=opening), None))
    with pytest.raises(UsageError, match="is one"):
        LockStep("twelve_hole", "prudent")
    table = LockStep("twelve_hole", ("random", "random"), matches=2, seed=SEED)
    assert not table.running
    with pytest.raises(UsageError, match="all matches are over"):
        table.observe()
    with pytest.raises(UsageError, match="all matches are over"):
        table.choose([])
    unfinished = LockStep("twelve_hole", matches=2, seed=SEED)
    with pytest.raises(UsageError, match="under way"):
        _ = unfinished.matches
    for one in (GREEDY, RANDOM, player("tables_lookahead")):
        with pytest.raises(UsageError, match="sum of features"):
            weights_of(one)
    with pytest.raises(UsageError, match="on roll 0, match 0"):
        unfinished.observe().deeds_of(PRUDENT, [900, 0])
