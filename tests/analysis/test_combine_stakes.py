"""Losses in both games of trictrac combiné: sums against plain arithmetic, match by match."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rows import rows_of_matches

from simkit.analysis.combine_stakes import (
    POOL_IN,
    POOL_OUT,
    WRITTEN,
    CombineStakes,
    Losses,
    fish_of,
    losses,
    of_length,
)
from simkit.analysis.criteria import Every
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import exact
from simkit.catalogue import experiment, player, rule_set
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.honours import settle_combined
from simkit.rules import Combine, RuleSet
from simkit.settle import SETTLED_FROM

LEVEL = 0.95
COMBINE = rule_set("combine_classical")


def match_of(rules: RuleSet) -> Combine:
    assert isinstance(rules.match, Combine)
    return rules.match


def games(*won: tuple[int, int, int]) -> dict[str, Any]:
    """Games of honours that player `winner` wins over so many holes in a set: (winner, loser's holes, set)."""
    winner, lost, sets = (np.array(column) for column in zip(*won, strict=True))
    return {
        "match_id": np.zeros(len(won), np.int64),
        "game_no": np.arange(1, len(won) + 1),
        "set_no": sets,
        "winner": winner,
        "first_scorer": 3 - winner,
        "holes_1": np.where(winner == 1, 12, lost),
        "holes_2": np.where(winner == 2, 12, lost),
        "run_intact_1": np.zeros(len(won), bool),
        "run_intact_2": np.zeros(len(won), bool),
    }


def test_a_match_by_hand() -> None:
    """Two sets of 10 to 1 and 20 to 2; a single game to 2, a double to 1, in the last set a single to 1 again.

    Written, by the classical tariff with one token: 20 less 10 in sets, paris even, nobody ahead in sets or tokens
    but by points. Honours: 2 and 1 less 1 to player 1. Pool: 2 in each, player 2 pays 2 and 1, player 1 one; two
    games in a row draw 4 + 1 + 2 + 1 = 8 for player 1, who has put in 3.
    """
    match = match_of(COMBINE.with_match(sets=2))
    sets = rows_of_matches([[(2, 10), (1, 20)]])
    honours = games((2, 9, 1), (1, 4, 1), (1, 8, 2))
    match_id, fish = fish_of(sets, honours, match, 2, seed=0)
    whole = settle_combined(sets, honours, match, seed=0)
    assert match_id.tolist() == [0]
    assert fish.tolist() == [[whole["written_money"][0] // 10, 2, 2 + 8 - 3]]
    shorter = fish_of(sets, games((2, 9, 1), (1, 4, 1), (1, 8, 2)), match, 2, seed=0)
    assert shorter[1].tolist() == fish.tolist()


def test_sums_are_what_plain_counting_finds() -> None:
    found = Losses()
    results = np.array([[3, 1, 4], [-5, -2, 2], [0, 3, -1], [7, 0, 0], [-6, 5, 9]])
    found.add(np.arange(3), results[:3])
    found.add(np.arange(3, 5), results[3:])
    size = np.abs(results)
    assert found.n == 5
    for place, game in enumerate((WRITTEN, POOL_OUT, POOL_IN)):
        assert found.mean_size(game, LEVEL).mean == pytest.approx(size[:, place].mean())
        assert found.mean_size(game, LEVEL).se == pytest.approx(size[:, place].std(ddof=1) / 5**0.5)
        assert found.sd(game, LEVEL).mean == pytest.approx(results[:, place].std(ddof=1))
        assert found.size_sd(game, LEVEL).mean == pytest.approx(size[:, place].std(ddof=1))
    ratio = found.size_ratio(WRITTEN, POOL_IN, LEVEL)
    assert ratio.mean == pytest.approx(size[:, 0].sum() / size[:, 2].sum())
    residual = size[:, 0] - ratio.mean * size[:, 2]
    assert ratio.se == pytest.approx((5 / 4 * (residual**2).sum()) ** 0.5 / size[:, 2].sum())
    together = np.corrcoef(results[:, 0], results[:, 2])[0, 1]
    assert found.correlation(WRITTEN, POOL_IN, LEVEL).mean == pytest.approx(together)
    assert (found.same_way, found.both_decided) == (1, 3)


def test_the_first_sets_are_a_shorter_match_of_its_own() -> None:
    long, short = COMBINE.with_match(sets=4), COMBINE.with_match(sets=2)
    pair = (player("random"),) * 2
    chunks = {rules.match.units: play_chunk(rules, pair, 7, 0, 40) for rules in (long, short)}
    found = [
        losses([(chunk.sets, chunk.others["honours_games"])], match_of(rules), (2,), 7)[2]
        for rules, chunk in ((long, chunks[4]), (short, chunks[2]))
    ]
    assert (found[0].sums == found[1].sums).all()
    assert set(SETTLED_FROM) <= set(chunks[4].sets)


def test_a_price_is_the_inverse_of_the_ratio() -> None:
    chunk = play_chunk(COMBINE, (player("random"),) * 2, 5, 0, 60)
    one = losses([(chunk.sets, chunk.others["honours_games"])], match_of(COMBINE), (12,), 5)[12]
    told = {(e.measure, e.detail): e.interval.mean for e in of_length(12, one, LEVEL)}
    for pool in ("pool in", "pool out"):
        assert told["price", pool] == pytest.approx(100 / told["size_ratio", pool])
        assert told["price_by_sd", pool] == pytest.approx(100 / told["sd_ratio", pool])


def test_it_is_asked_of_combine_alone_and_in_whole_fish() -> None:
    with pytest.raises(ConfigError, match="no trictrac combiné"):
        CombineStakes().plays(rule_set("ecrire_classical"))
    with pytest.raises(ConfigError, match="no whole number of fish"):
        CombineStakes().plays(COMBINE.with_settlement(round_unit=5))
    assert list(CombineStakes(lengths=(3,)).problems())


@pytest.mark.parametrize(
    ("price", "outcome"), [(75.0, "confirmed"), (67.0, "refuted"), (83.0, "refuted"), (67.5, "undecided")]
)
def test_the_criterion_is_a_tenth_of_75(price: float, outcome: str) -> None:
    claim = next(claim for claim in experiment("combine_stakes").claims if claim.id == "E1")
    assert isinstance(claim.test, Every)
    found = [
        Estimate(
            measure="price", sets=length, detail="pool in", unit="", interval=exact(price, 9, "exact", LEVEL)
        )
        for length in (8, 12)
    ]
    assert claim.test.decide(found).outcome == outcome
