"""A match of trictrac combiné put down between two sets and taken up again is the match."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simkit
from simkit import cli
from simkit.adjourned_honours import Honours, honours_faults
from simkit.adjournment import Adjournment, Known, Origin, adjourned, resume
from simkit.catalogue import player, rule_set
from simkit.drivers import ChunkTables, OpenHonours, honours_after, play_chunk, play_rest
from simkit.errors import ConfigError, UsageError
from simkit.honours import HonoursStanding, PoolStanding, settle_combined, standing_after
from simkit.rules import Combine, RuleSet

SEED = 7
PAIR = (player("prudent"), player("greedy"))
RULES = rule_set("combine").with_match(sets=6)
PLAY_ON = {"combine_unfinished_honours": "play_on"}
EARLY_END = {"combine_last_set_scored": "ends_match"}
KEPT = {"settlement.pool_contract_after_draw": "kept", "settlement.pool_last_set": "open_at_start_single_win"}


def changed(**changes: Any) -> RuleSet:
    from simkit.rules import apply_all

    return apply_all(
        RULES, {f"match.{path}" if "." not in path else path: it for path, it in changes.items()}
    )


def whole(rules: RuleSet, match: int) -> ChunkTables:
    return play_chunk(rules, PAIR, SEED, match, 1)


def put_down(rules: RuleSet, match: int, after: int, tables: ChunkTables | None = None) -> Adjournment:
    tables = tables or whole(rules, match)
    one, two = (Known(each.name, each.digest) for each in PAIR)
    return adjourned(
        rules,
        tables.sets,
        after,
        Origin(SEED, match, (one, two)),
        games=tables.others["honours_games"],
        under_way=honours_after(rules, PAIR, SEED, match, after),
    )


def combine(rules: RuleSet) -> Combine:
    assert isinstance(rules.match, Combine)
    return rules.match


def by_hand(**changes: Any) -> dict[str, Any]:
    """After three sets: games of honours 1-0, the next at 3-5 with player 2's run; one contract, no draw."""
    plain: dict[str, Any] = {
        "schema": "simkit.adjournment/1",
        "rules": "combine_classical",
        "sets_played": 3,
        "first_player": 2,
        "sets_won": [2, 1],
        "set_points": [31, 12],
        "honours": {"games_won": [1, 0], "fish": [2, 0], "holes": [3, 5], "run": 2},
        "pool": {"basket": [2, 4], "contract": 1, "net": [-2, -4]},
    }
    for path, value in changes.items():
        part, _, name = path.rpartition("__")
        (plain[part] if part else plain)[name] = value
    return plain


def read(plain: Any) -> Adjournment:
    return Adjournment.from_json(json.dumps(plain), rule_set)


# ---------------------------------------------------------------- the same match


@pytest.mark.parametrize("changes", [{}, PLAY_ON, EARLY_END, KEPT], ids=["usual", "on", "early", "kept"])
@pytest.mark.parametrize("match", [0, 3])
def test_a_match_taken_up_again_ends_as_if_undisturbed(changes: dict[str, Any], match: int) -> None:
    rules = changed(**changes)
    tables = whole(rules, match)
    rows, games = tables.sets, tables.others["honours_games"]
    undisturbed = settle_combined(rows, games, combine(rules), seed=SEED)
    for after in range(1, 6):
        kept = put_down(rules, match, after, tables)
        record = Adjournment.from_json(kept.to_json())
        assert record == kept
        assert record.to_json() == kept.to_json()
        found = resume(record, PAIR)
        rest = games["set_no"] > after
        assert all(np.array_equal(found.sets[name], rows[name][after:]) for name in rows)
        assert all(np.array_equal(found.games[name], games[name][rest]) for name in games)
        assert found.settled.keys() == undisturbed.keys()
        assert all(np.array_equal(found.settled[name], undisturbed[name]) for name in undisturbed)


def test_runs_holes_and_the_pool_are_carried() -> None:
    """Over many matches there are unbroken runs, contracts and drawn pools to take along."""
    seen = {"run": 0, "contract": 0, "necktie": 0, "drawn": 0}
    for match in range(12):
        record = put_down(RULES, match, 3)
        assert record.honours is not None
        game, pool = record.honours.under_way, record.honours.standing.pool
        seen["run"] += game.run > 0
        seen["necktie"] += game.run > 0 and all(game.holes)
        seen["contract"] += pool.contract > 0
        seen["drawn"] += max(pool.net) > 0
        assert sum(pool.net) == -sum(pool.basket)
    assert min(seen.values()) > 0, seen


def test_the_rest_needs_the_game_of_honours() -> None:
    rest = play_rest(RULES, PAIR, SEED, 0, 20, 4, 0, OpenHonours((11, 11)))
    games = rest.others["honours_games"]
    first = games["game_no"] == 1
    assert set(games["match_id"][first].tolist()) == {*range(20)}
    assert (games["holes_1"][first] + games["holes_2"][first] == 23).all()


def test_new_dice_end_a_match_in_other_ways() -> None:
    found = resume(read(by_hand()), PAIR, seed=11, matches=40)
    assert len({*found.settled["exact"].tolist()}) > 10
    assert set(found.sets["set_no"].tolist()) == {*range(4, 13)}
    games = found.games
    assert (games["game_no"][games["match_id"] == 3] == [*range(2, 2 + (games["match_id"] == 3).sum())]).all()
    assert ((found.settled["honours_won_1"] >= 1) & found.settled["settled"]).all()
    money = found.settled["written_money"] + 10 * found.settled["honours_fish"]
    assert np.array_equal(money, found.settled["money"])


def test_what_was_won_before_counts() -> None:
    """The same dice with another standing: the written match and the fish differ by what was brought."""
    one = resume(read(by_hand()), PAIR, seed=2, matches=30).settled
    more = by_hand(honours__fish=[3, 0], pool__basket=[2, 5], pool__net=[-2, -5])
    other = resume(read(more), PAIR, seed=2, matches=30).settled
    assert (other["honours"] - one["honours"] == 1).all()
    assert np.isin(
        other["pool"] - one["pool"], (0, 1)
    ).all()  # of the fish more who draws it, and who paid it
    assert np.array_equal(one["written"], other["written"])


# ---------------------------------------------------------------- written by hand


def test_a_record_by_hand_says_what_it_must() -> None:
    record = read(by_hand())
    assert record.honours == Honours(
        OpenHonours((3, 5), run=2, first_scorer=1, own_die=(3, 5)),
        HonoursStanding((1, 0), (2, 0), PoolStanding((2, 4), 1, 1, only_stakes=False, net=(-2, -4))),
    )
    new = read(
        by_hand(
            honours={"games_won": [0, 0], "fish": [0, 0], "holes": [4, 0]},
            pool={"basket": [2, 2], "contract": 0, "net": [-2, -2]},
        )
    )
    assert new.honours == Honours(
        OpenHonours((4, 0), run=1, first_scorer=1, own_die=(4, 0)),
        HonoursStanding((0, 0), (0, 0), PoolStanding((2, 2), 0, 0, only_stakes=True, net=(-2, -2))),
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"honours": 3}, "honours: 3 is not allowed; an object with games_won, fish"),
        ({"honours__pegs": 1}, "honours.pegs: no such field"),
        ({"honours__holes": [12, 0]}, "honours.holes: 12-0, but a game is over with 12"),
        ({"honours__holes": [3]}, r"honours.holes: \[3\] is not allowed"),
        ({"honours__run": 3}, "honours.run: 3 is not allowed"),
        ({"honours__holes": [3, 0], "honours__run": 2}, "honours.run: player 2 has no hole"),
        ({"honours__holes": [3, 0], "honours__run": 0}, "honours.run: 0 with holes 3-0"),
        ({"honours__holes": [1, 1], "honours__run": 0}, "honours.run: 0 with holes 1-1"),
        (
            {"honours__first_scorer": 2},
            "honours.first_scorer: 2 with holes 3-5 and the unbroken run of player 2",
        ),
        ({"honours__own_die": [4, 0]}, "honours.own_die: 4 of player 1's 3 holes"),
        ({"honours__fish": [5, 0]}, "honours.fish: player 1 has 5 fish from 1 games"),
        ({"honours__fish": [2, 1]}, "honours.fish: player 2 has 1 fish from 0 games"),
        ({"pool__basket": [2, 1]}, "pool.basket: 2-1, but each has put in 2 at least"),
        (
            {"pool__net": [-2, 4]},
            "pool.net: -2 and 4 come to 2, but what has not been drawn is the basket of 6",
        ),
        ({"pool__contract": 2}, "pool.contract: player 2 has won no game of honours"),
        ({"pool__streak": 2}, "pool.streak: 2 with the contract of 1"),
        ({"pool__only_stakes": True}, "pool.only_stakes: true, but the basket holds 2-4"),
        ({"pool__only_stakes": 1}, "pool.only_stakes: 1 is neither true nor false"),
        (
            {"pool__contract": 0},
            "pool.contract: nobody after games of 1-0, with only_stakes false; nobody has won 2",
        ),
        ({"honours_games": []}, "honours_games: given exactly if sets is"),
        ({"rules": "ecrire_classical"}, "honours: no such field"),
    ],
)
def test_a_record_by_hand_that_cannot_be_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read(by_hand(**changes))


@pytest.mark.parametrize(
    ("won", "fish", "pool", "words"),
    [
        (
            [0, 0],
            [0, 0],
            {"basket": [2, 2], "contract": 0, "net": [96, -100]},
            "pool.net: 96 of player 1, but he has 2 in the basket and has drawn nothing: he has won 0 games",
        ),
        (
            [1, 0],
            [1, 0],
            {"basket": [2, 2], "contract": 0, "net": [-2, -2]},
            "pool.basket: player 2 has put in 2, but his stake of 2 and the 1 fish of games he has lost .*"
            "pool.contract: nobody after games of 1-0",
        ),
        (
            [1, 0],
            [1, 0],
            {"basket": [2, 500], "contract": 1, "net": [-2, -500]},
            r"pool.basket: player 2 has put in 500, 2 of it his stake .* he has paid 1 fish \(honours.fish\)",
        ),
        (
            [1, 0],
            [1, 0],
            {"basket": [40, 3], "contract": 1, "net": [-40, -3]},
            r"pool.basket: player 1 has put in 40, 2 of it his stake .* he has paid 0 fish \(honours.fish\)",
        ),
        (
            [1, 0],
            [1, 0],
            {"basket": [2, 2], "contract": 1, "only_stakes": False, "net": [-2, -2]},
            "pool.basket: player 2 has put in 2, but .* he has lost 1 in a row to player 1, each for 1 at least",
        ),
        (
            [2, 1],
            [4, 1],
            {"basket": [3, 2], "contract": 1, "net": [1, -6]},
            "pool.basket: player 2 has put in 2, but .* he has lost 1 in a row to player 1",
        ),
        (
            [2, 0],
            [2, 0],
            {"basket": [2, 2], "contract": 0, "net": [10_000, -10_004]},
            "pool.net: -10004 of player 2, but he has put in 6 at most: 2 fish .* 2 times his stake of 2",
        ),
        (
            [2, 1],
            [4, 1],
            {"basket": [2, 2], "contract": 1, "only_stakes": True, "net": [1, -5]},
            "pool.only_stakes: true with the contract of player 1 and a streak of 1",
        ),
    ],
)
def test_honours_that_no_match_can_have_are_refused(
    won: list[int], fish: list[int], pool: dict[str, Any], words: str
) -> None:
    honours = {"games_won": won, "fish": fish, "holes": [0, 0]}
    with pytest.raises(ConfigError, match=f"(?s){words}"):
        read(by_hand(sets_played=2, sets_won=[1, 1], honours=honours, pool=pool))


def test_without_a_price_the_contract_tells_that_a_game_has_ended() -> None:
    rules = json.loads(changed(**{"settlement.honours_unit_fish": 0}).to_json())
    honours = {"games_won": [1, 0], "fish": [0, 0], "holes": [0, 0]}
    pool = {"basket": [2, 2], "contract": 1, "net": [-2, -2]}
    found = read(by_hand(rules=rules, honours=honours, pool=pool)).honours
    assert found is not None
    assert not found.standing.pool.only_stakes


@settings(max_examples=300, deadline=None)
@given(
    winners=st.lists(st.tuples(st.sampled_from((1, 2)), st.integers(0, 11), st.booleans()), max_size=14),
    unit=st.integers(0, 3),
    stake=st.integers(0, 3),
    in_row=st.integers(1, 4),
    kept=st.booleans(),
)
def test_what_finished_games_come_to_is_no_fault(
    winners: list[tuple[int, int, bool]], unit: int, stake: int, in_row: int, kept: bool
) -> None:
    """Whatever games ended before the last set, their record is read, told in full or without `only_stakes`."""
    won = np.array([who for who, _, _ in winners], np.int8)
    lost, run = (np.array([one[at] for one in winners], np.int64) for at in (1, 2))
    games = {
        "game_no": np.arange(1, len(won) + 1),
        "set_no": np.full(len(won), 3),
        "winner": won,
        "first_scorer": won,
        "holes_1": np.where(won == 1, 12, lost),
        "holes_2": np.where(won == 2, 12, lost),
        "run_intact_1": (won == 1) & (run == 1),
        "run_intact_2": (won == 2) & (run == 1),
    }
    match = combine(
        changed(
            **{
                "settlement.honours_unit_fish": unit,
                "settlement.pool_stake_each": stake,
                "settlement.pool_wins_in_row": in_row,
                "settlement.pool_contract_after_draw": "kept" if kept else "cleared",
            }
        )
    )
    honours = Honours(OpenHonours(), standing_after(games, match.settlement, match.sets))
    assert [*honours_faults(honours, match)] == []
    plain = honours.to_plain()
    assert Honours.from_plain(plain, match.settlement) == honours
    if unit or not kept:
        del plain["pool"]["only_stakes"]
        assert Honours.from_plain(plain, match.settlement) == honours


def test_a_record_without_its_honours_is_refused() -> None:
    plain = by_hand()
    del plain["pool"]
    with pytest.raises(ConfigError, match="pool: null is not allowed; an object with basket"):
        read(plain)


@pytest.mark.parametrize(
    ("table", "name", "value", "words"),
    [
        ("honours_games", "winner", 0, "honours_games: row 1 says player 0 won it"),
        ("honours_games", "game_no", 5, "honours_games: game_no must be 1, 2"),
        ("honours_games", "set_no", 9, "honours_games: set_no must be that of a set played"),
        ("honours_games", "run_intact_1", 3, "row 1, run_intact_1: 3 is neither true nor false"),
        ("sets", "ended_by", "victory", 'sets: row 1, ended_by: "victory" is not one of'),
        ("honours", "fish", [40, 0], "honours.fish"),
        ("pool", "contract", 0, "pool"),
    ],
)
def test_a_record_that_was_changed_is_refused(table: str, name: str, value: Any, words: str) -> None:
    plain = json.loads(put_down(RULES, 0, 5).to_json())
    assert plain["honours_games"]
    (plain[table][0] if isinstance(plain[table], list) else plain[table])[name] = value
    with pytest.raises(ConfigError, match=words):
        read(plain)


def test_what_cannot_be_put_down() -> None:
    rows = whole(RULES, 0).sets
    for after in (0, 6, True):
        with pytest.raises(UsageError, match="a match of 6 sets is put down after 1 to 5"):
            adjourned(RULES, rows, after)
    with pytest.raises(UsageError, match="from the rows of honours_games too, and none are given"):
        adjourned(RULES, rows, 3)
    with pytest.raises(UsageError, match="which these rows of honours_games lack; they hold: nothing"):
        adjourned(RULES, rows, 3, games={})
    with pytest.raises(UsageError, match="pool_fill"):
        simkit.adjourn("pool_fill", 0, after=1)


# ---------------------------------------------------------------- commands


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.call([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_from_a_match_to_a_file_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "match.json"
    play = ("combine", 5, "--players", "prudent,greedy", "--seed", SEED)
    code, out, err = told(capsys, "adjourn", *play, "--after", 7, "--out", record)
    assert (code, err) == (0, "")
    assert "Match 5 of seed 7, combine_classical: 7 of 12 sets played." in out
    assert "Games of honours won" in out
    assert "basket:" in out
    code, out, err = told(capsys, "resume", record)
    assert (code, err) == (0, "")
    assert "written match, money" in out
    plain = json.loads(told(capsys, "resume", record, "--json")[1])
    whole_match = json.loads(told(capsys, "replay", *play, "--json")[1])
    assert {name: plain["settlement"][name] for name in whole_match["settlement"]} == whole_match[
        "settlement"
    ]
    code, out, err = told(capsys, "resume", record, "--seed", 3, "--matches", 20)
    assert (code, err) == (0, "")
    assert "1 wins" in out
