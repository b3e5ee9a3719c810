"""Series of parties: who throws first in each, the same dice as a single partie, and their stakes summed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.api import match_length, settle_run
from simkit.batch import Plan, play_run
from simkit.catalogue import player, rule_set
from simkit.dataset import PlaySpec
from simkit.drivers import next_first_thrower, play_chunk
from simkit.errors import ConfigError, UsageError
from simkit.kernel.dice import DRAWING, dice_of, word_at
from simkit.rules import FirstRollMethod, NextPartieFirstDie, PriceScheme, RuleSet
from simkit.settle import partie_prices, settle_parties

SINGLE = rule_set("classical")
PAIR = (player("prudent"), player("random"))
SEED = 11


def series(parties: int = 5, **changes: Any) -> RuleSet:
    return SINGLE.with_match(parties=parties, **changes)


def draw(match: int, unit: int) -> tuple[int, int]:
    """The draw for the first throw of a partie, die by die."""
    index, dice = 0, (0, 0)
    stream = np.full(5, -1, np.int64)
    while dice[0] == dice[1]:
        dice = dice_of(word_at(stream, index, unit, 0, DRAWING, SEED, match))
        index += 1
    return dice


@pytest.mark.parametrize("rule", list(NextPartieFirstDie))
def test_the_order_of_first_throws(rule: NextPartieFirstDie) -> None:
    rows = play_chunk(series(next_partie_first_die=rule), PAIR, SEED, 3, 40).sets
    assert rows["set_no"].tolist() == [1, 2, 3, 4, 5] * 40
    firsts, winners = rows["first_player"].reshape(40, 5), rows["winner"].reshape(40, 5)
    for match in range(40):
        for partie in range(5):
            one, two = draw(3 + match, partie)
            if partie == 0 or rule is NextPartieFirstDie.DRAW:
                expected = 1 if one > two else 2
            elif rule is NextPartieFirstDie.ALTERNATE:
                expected = 3 - firsts[match, partie - 1]
            else:
                expected = winners[match, partie - 1]
            assert firsts[match, partie] == expected


@pytest.mark.parametrize("rule", list(NextPartieFirstDie))
def test_the_first_partie_is_the_single_one(rule: NextPartieFirstDie) -> None:
    rows = play_chunk(series(next_partie_first_die=rule), PAIR, SEED, 0, 50).sets
    alone = play_chunk(SINGLE, PAIR, SEED, 0, 50).sets
    for name, column in alone.items():
        assert (rows[name][rows["set_no"] == 1] == column).all(), name
    longer = play_chunk(series(7, next_partie_first_die=rule), PAIR, SEED, 0, 50).sets
    for name, column in rows.items():
        assert (longer[name][longer["set_no"] <= 5] == column).all(), name


def test_a_new_draw_is_the_first_throw_where_the_rules_say_so() -> None:
    """With the draw thrown again, the parties differ by their first throw alone, hence by what follows it."""
    drawn = series(next_partie_first_die=NextPartieFirstDie.DRAW)
    thrown = drawn.with_game(first_roll_method=FirstRollMethod.DRAW_THEN_THROW)
    one, two = (play_chunk(rules, PAIR, SEED, 0, 40).sets for rules in (drawn, thrown))
    assert (one["first_player"] == two["first_player"]).all()
    later = one["set_no"] > 1
    assert (one["rolls"][later] != two["rolls"][later]).mean() > 0.5
    kept = [
        play_chunk(series().with_game(first_roll_method=method), PAIR, SEED, 0, 40).sets
        for method in FirstRollMethod
    ]
    first = kept[0]["first_player"] == kept[1]["first_player"]
    later = (kept[0]["set_no"] > 1) & first
    for name in ("rolls", "holes_1", "winner"):
        assert (kept[0][name][later] == kept[1][name][later]).all()  # no draw, hence no throw of the draw


def test_no_thrower_follows_from_a_partie_before_a_draw() -> None:
    with pytest.raises(UsageError, match="drawn anew"):
        next_first_thrower(NextPartieFirstDie.DRAW, 0, 1)


def test_a_single_partie_is_what_it_was() -> None:
    assert SINGLE.with_match(parties=1).digest == SINGLE.digest
    assert series().play_digest != SINGLE.play_digest
    assert Plan.of(PlaySpec(series(), PAIR, 1)).chunk < Plan.of(PlaySpec(SINGLE, PAIR, 1)).chunk


@pytest.mark.parametrize("parties", [0, 1001, True, "2"])
def test_numbers_of_parties_that_are_refused(parties: Any) -> None:
    with pytest.raises(ConfigError, match="parties"):
        series(parties)


def test_stakes_are_summed_over_the_match() -> None:
    rules = series().with_settlement(price_scheme=PriceScheme.HONOURS)
    chunk = play_chunk(rules, PAIR, SEED, 0, 60)
    rows = chunk.sets
    assert rules.match.settlement.price_scheme is PriceScheme.HONOURS  # type: ignore[union-attr]
    settled = settle_parties(rows, rules.match.settlement, n_parties=5)  # type: ignore[arg-type]
    prices = partie_prices(rows, rules.match.settlement).astype(int).reshape(60, 5)  # type: ignore[arg-type]
    winners = rows["winner"].reshape(60, 5)
    for match in range(60):
        exact = sum(
            price if winner == 1 else -price
            for price, winner in zip(prices[match], winners[match], strict=True)
        )
        assert settled["exact"][match] == exact
        assert settled["winner"][match] == (1 if exact > 0 else 2 if exact < 0 else 0)
    assert settled["settled"].all()
    assert (settled["sets_won_1"] == chunk.matches["sets_won_1"]).all()
    assert (settled["sets_won_1"] + settled["sets_won_2"] == 5).all()


def test_a_match_cut_short_is_not_settled() -> None:
    rows = {
        name: np.array(values, dtype)
        for name, values, dtype in (
            ("match_id", [0, 0, 1], np.int64),
            ("set_no", [1, 2, 1], np.int16),
            ("winner", [1, 1, 0], np.int8),
        )
    }
    settled = settle_parties(rows, SINGLE.match.settlement, n_parties=2)  # type: ignore[arg-type]
    assert settled["settled"].tolist() == [True, False]
    assert settled["exact"].tolist() == [2, 0] and settled["winner"].tolist() == [1, 0]
    with pytest.raises(UsageError, match="n_parties = 0"):
        settle_parties(rows, SINGLE.match.settlement, n_parties=0)  # type: ignore[arg-type]


def test_a_run_of_parties(tmp_path: Path) -> None:
    run = play_run(PlaySpec(series(4), PAIR, SEED), 30, folder=tmp_path / "run", jobs=1)
    assert len(run.sets) == 120
    whole, half = settle_run(run), settle_run(run, sets=2)
    assert (whole["sets_won_1"] + whole["sets_won_2"] == 4).all()
    assert (half["sets_won_1"] + half["sets_won_2"] == 2).all()
    doubled = settle_run(run, {"price_scheme": "double"})
    assert (doubled["exact"].abs() >= 0).all() and set(whole["winner"]) <= {0, 1, 2}
    assert match_length(series(4), None) == 4
    with pytest.raises(UsageError, match="sets: 5"):
        settle_run(run, sets=5)
