"""Rules flipped alone: which, and what pairs of matches say of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rows import random_parties

from simkit import catalogue
from simkit.analysis.conventions import EFFECTS, Conventions, _effects, adjusted, change_sums
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import mean
from simkit.errors import ConfigError

CLASSICAL = catalogue.rule_set("classical")


def test_every_truth_value_and_every_other_reading_is_a_change() -> None:
    found = Conventions(
        also=({"game.movement_scope": "own_half", "game.stall_limit": 200}, {"game.max_men_per_point": 4}),
        without=("stall_limit", "hit_points"),
    ).changes(CLASSICAL)
    assert found["go_enabled=false"] == {"game.go_enabled": False}
    assert found["movement_scope=own_half"] == {"game.movement_scope": "own_half", "game.stall_limit": 200}
    assert "max_men_per_point=4" in found
    policies = [name for name in found if name.startswith("bear_off_exact_policy=")]
    assert policies == ["bear_off_exact_policy=mandatory", "bear_off_exact_policy=inside_first"]
    assert not any(name.startswith(("stall_limit", "impuissance_points")) for name in found)


def test_each_change_is_another_play() -> None:
    declared = catalogue.experiment("conventions_base")
    needed = declared.analysis.plays(CLASSICAL)
    digests = [one.rules.play_digest for one in needed.values()]
    assert len(set(digests)) == len(digests) > 40
    assert len({one.rules.name for one in needed.values()}) == len(needed)
    with pytest.raises(ConfigError, match="not a single partie"):
        declared.analysis.plays(catalogue.rule_set("ecrire_academie"))


def changed(rows: dict[str, Any]) -> dict[str, Any]:
    """Every second match ten rolls longer, the winner of every tenth another."""
    number = rows["match_id"]
    other = dict(rows, rolls=rows["rolls"] + 10 * (number % 2))
    other["winner"] = np.where((number % 10 == 0) & (rows["winner"] > 0), 3 - rows["winner"], rows["winner"])
    return other


def test_effects_are_counted_match_by_match() -> None:
    rows = random_parties(1000, 7)
    found = {one.measure: one.interval for one in _effects(change_sums([(rows, changed(rows))]), "x", 0.95)}
    assert found["rolls_change"].mean == 5
    assert found["rolls_change_share"].mean == pytest.approx(5 / rows["rolls"].mean())
    assert found["winner_changes"].mean == pytest.approx(0.1)
    assert found["anything_changes"].mean == pytest.approx(0.6), "odd matches, and every tenth, which is even"
    assert found["rolls_change"].high < 6, "a paired difference: what both have in common is gone"
    assert found["rolls_change"].method == "paired t"


def test_cut_parties_are_left_out_and_counted() -> None:
    before, after = random_parties(400, 8, capped=0.05), random_parties(400, 9, capped=0.1)
    sums = change_sums([(before, after)])
    whole = (before["winner"] != 0) & (after["winner"] != 0)
    assert (sums.n, sums.pairs, sums.capped) == (whole.sum(), 400, (after["winner"] == 0).sum())


def test_blocks_do_not_matter() -> None:
    before, after = random_parties(300, 10), random_parties(300, 11)
    cut = [
        tuple({name: column[part] for name, column in rows.items()} for rows in (before, after))
        for part in (slice(0, 50), slice(50, None))
    ]
    whole, apart = change_sums([(before, after)]), change_sums(cut)  # type: ignore[arg-type]
    assert (whole.products == apart.products).all()


def effect(total: int, squares: int, measure: str = EFFECTS[0]) -> Estimate:
    return Estimate(measure=measure, detail="x", unit="rolls", interval=mean(100, total, squares))


def test_holm_by_hand() -> None:
    """Three tests: the smallest probability times three, the next times two, never falling."""
    scipy = pytest.importorskip("scipy.stats")
    effects = [effect(0, 100), effect(40, 100), effect(20, 100)]
    plain = [float(2 * scipy.t.sf(abs(one.interval.mean / one.interval.se), 99)) for one in effects]
    found = [one.interval.mean for one in adjusted(effects, 0.95)]
    assert found[1] == pytest.approx(3 * plain[1])
    assert found[2] == pytest.approx(2 * plain[2])
    assert found[0] == pytest.approx(max(plain[0], found[2]))
    assert [one.measure for one in adjusted(effects, 0.95)] == ["rolls_change_p"] * 3


def test_where_nothing_varied_nothing_stands_out() -> None:
    (found,) = adjusted([effect(0, 0)], 0.95)
    assert found.interval.mean == 1
