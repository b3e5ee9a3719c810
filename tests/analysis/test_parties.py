"""Length, ends and chances of parties: counted by hand, against the rows, in any blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rows import random_parties

from simkit import catalogue
from simkit.analysis import intervals, parties
from simkit.analysis.estimates import Estimate
from simkit.analysis.parties import Parties, PartieSums, break_even, partie_sums, score_starts
from simkit.dataset import FIGURES
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.experiment import design
from simkit.rules import TwelveHoles


def by_key(found: Any) -> dict[tuple[str, str], Estimate]:
    listed = list(found)
    keys = {(one.measure, one.detail): one for one in listed}
    assert len(keys) == len(listed), "two rows share one key"
    return keys


def everything(sums: PartieSums) -> dict[tuple[str, str], Estimate]:
    return by_key(
        [
            *parties.lengths(sums, 30, 0.95),
            *parties.chances(sums, 0.95),
            *parties.ends(sums, 0.95),
        ]
    )


def test_numbers_are_those_of_the_rows() -> None:
    rows = random_parties(700, 1, capped=0.03)
    found = everything(partie_sums([rows]))
    kept = rows["winner"] != 0
    rolls = rows["rolls"][kept]
    assert found["rolls", ""].interval.mean == pytest.approx(rolls.mean())
    assert found["minutes", ""].interval.mean == pytest.approx(rolls.mean() / 2), "30 seconds a roll"
    assert found["rolls_quantile", "0.5"].interval.mean == np.quantile(rolls, 0.5, method="inverted_cdf")
    assert found["settings_quantile", "0.95"].interval.mean == np.quantile(
        rows["settings"][kept], 0.95, method="inverted_cdf"
    )
    assert found["first_wins", ""].interval.mean == (rows["winner"] == rows["first_player"])[kept].mean()
    assert (
        found["first_hole", ""].interval.mean == (rows["first_scorer"] == rows["first_player"])[kept].mean()
    )
    assert found["capped", ""].interval.mean == (~kept).mean()
    loser = np.minimum(rows["holes_1"], rows["holes_2"])[kept]
    assert found["loser_holes", ""].interval.mean == pytest.approx(loser.mean())
    low = found["rolls_quantile", "0.05"].interval.mean
    assert found["seconds_to_fit", "0.05"].interval.mean == pytest.approx(30 * 60 / low)


def test_settings_end_in_one_of_four_ways() -> None:
    rows = random_parties(300, 2)
    found = everything(partie_sums([rows]))
    shares = {
        detail: one.interval.mean for (measure, detail), one in found.items() if measure == "settings_ended"
    }
    starts = (rows["settings"] + rows["sorties"] + rows["stalls"]).sum()
    assert shares["going"] == pytest.approx((rows["settings"] - 1).sum() / starts)
    assert shares["stall"] == pytest.approx(rows["stalls"].sum() / starts)
    assert sum(shares.values()) == pytest.approx(1)


def test_blocks_do_not_matter() -> None:
    rows = random_parties(5000, 3, capped=0.01)
    cut = [{name: column[part] for name, column in rows.items()} for part in (slice(0, 77), slice(77, None))]
    whole, apart = partie_sums([rows]), partie_sums(cut)
    assert repr(everything(whole)) == repr(everything(apart))
    assert whole.starts_of_group.tolist() == apart.starts_of_group.tolist()
    assert whole.starts_of_group.size == 3, "5000 matches are three groups of 2048"


def test_no_parties_are_never_an_error() -> None:
    assert np.isnan(everything(partie_sums([]))["rolls", ""].interval.mean)


def test_sources_of_points() -> None:
    """Two rounds: 30 of 40 points by true hits, then 10 of 20; 4 settings, then 1."""
    names = list(FIGURES)
    figures = np.zeros((2, 2, len(names), 2), dtype=np.int64)
    figures[0, 0, names.index("hit_true")] = 7, 30
    figures[0, 1, names.index("hit_false")] = 2, 10
    figures[1, 1, names.index("hit_true")] = 3, 10
    figures[1, 0, names.index("six_tables")] = 1, 10
    found = by_key(parties.sources(figures, np.array([4, 1]), 0.95, 3000))
    assert found["points_share", "hit_true"].interval.mean == pytest.approx(40 / 60)
    assert found["points_share", "hits"].interval.mean == pytest.approx(50 / 60)
    assert found["ways_per_setting", "hit_true"].interval.mean == 2
    assert found["ways_per_setting", "opening jans"].interval.mean == pytest.approx(0.2)
    assert found["points_share", "hits"].interval.n == 3000
    total = sum(one.interval.mean for (m, d), one in found.items() if m == "points_share" and d in FIGURES)
    assert total == pytest.approx(1)


def test_a_set_is_compared_with_a_partie() -> None:
    rows = random_parties(640, 4)
    sets = {
        "match_id": np.repeat(np.arange(640), 2),
        "winner": np.ones(1280, dtype=np.int8),
        "rolls": np.repeat(rows["rolls"], 2) // 2,
        "rolls_do_overs": np.full(1280, 10),
    }
    sums, beside = partie_sums([rows]), parties.set_sums([sets])
    found = by_key(parties.beside_sets(sums, beside, 0.95))
    expected = (sets["rolls"] + 10).mean() / rows["rolls"].mean()
    assert found["set_to_partie", ""].interval.mean == pytest.approx(expected)
    assert found["set_to_partie", ""].interval.low < expected < found["set_to_partie", ""].interval.high
    assert found["set_rolls", ""].interval.n == 1280
    figures = np.zeros((1, 2, len(FIGURES), 2), dtype=np.int64)
    figures[0, :, list(FIGURES).index("fill_petit_jan"), 0] = 64
    rare = by_key(parties.rare_jans(figures, beside, 0.95))
    assert rare["ways_per_set", "petit jan or jan de retour filled"].interval.mean == pytest.approx(0.1)


def test_scores_are_counted_by_match() -> None:
    """Match 144 k + 12 a + b starts at a against b; here the thrower wins while he has more."""
    n = 144 * 128
    place = np.arange(n) % 144
    rows = {
        "match_id": np.arange(n),
        "first_player": np.ones(n, dtype=np.int8),
        "winner": np.where(place // 12 > place % 12, 1, 2).astype(np.int8),
    }
    scores = parties.score_sums([{name: column[:999] for name, column in rows.items()}])
    scores = scores + parties.score_sums([{name: column[999:] for name, column in rows.items()}])
    found = by_key(parties.by_score(scores, partie_sums([random_parties(50, 5)]), 0.95))
    assert found["win_by_score", "11-3"].interval.mean == 1
    assert found["win_by_score", "3-3"].interval.mean == 0
    assert found["win_by_score", "0-11"].interval.n == 128
    assert found["loses_from_11_0", ""].interval.mean == 0


def test_holes_for_the_throw_are_where_the_line_meets_one_half() -> None:
    """A chance that falls by 5 % a hole and is 60 % at level scores is one half at two holes."""
    scores = np.full((144, 2), 1000.0)
    for k in range(-4, 5):
        scores[12 * max(-k, 0) + max(k, 0), 1] = 1000 * (0.6 - 0.05 * k)
    assert break_even(scores) == pytest.approx(2)
    every = by_key(
        parties.by_score(
            np.repeat(np.rint(scores[None]).astype(np.int64), 64, axis=0),
            partie_sums([rows := random_parties(200, 6)]),
            0.95,
        )
    )
    assert every["break_even_holes", ""].interval.mean == pytest.approx(2)
    starts = (rows["settings"] + rows["sorties"] + rows["stalls"]).mean()
    product = every["break_even_holes_every_setting", ""].interval
    assert product.mean == pytest.approx(2 * starts)
    assert product.method.startswith("product of a jackknife")


def test_every_score_is_a_start_that_can_be() -> None:
    from simkit.dataset import PlaySpec

    starts = score_starts()
    assert len(starts) == 144 and starts[12 * 7 + 4].holes == (7, 4)
    greedy = catalogue.player("greedy")
    PlaySpec(catalogue.rule_set("classical"), (greedy, greedy), 1, starts)


def test_the_plays_a_rule_set_needs() -> None:
    question = Parties(seconds_per_roll=25, sets_of=("classical",), scores_of=("classical",))
    assert list(question.plays(catalogue.rule_set("classical"))) == ["", "set", "scores"]
    assert list(question.plays(catalogue.rule_set("academie"))) == [""]
    with pytest.raises(ConfigError, match="not a single partie"):
        question.plays(catalogue.rule_set("ecrire_academie"))


@pytest.mark.parametrize("change", [{"seconds_per_roll": 0}, {"scores_times": 0}])
def test_a_wrong_declaration_says_so(change: dict[str, Any]) -> None:
    assert next(iter(change)) in next(replace(Parties(seconds_per_roll=25), **change).problems())


def test_the_experiment_plays_every_partie_of_the_catalogue() -> None:
    declared = catalogue.experiment("twelve_hole_duration")
    names = catalogue.names().rule_sets
    known = {name for name in names if isinstance(catalogue.rule_set(name).match, TwelveHoles)}
    assert set(declared.rules) == known


def test_quantiles_are_order_statistics() -> None:
    counts = np.bincount(np.arange(1, 1001))
    found = intervals.quantile(counts, 0.5)
    assert found.mean == 500
    assert (found.low, found.high) == (469, 532), "ranks of the binomial distribution for n = 1000"
    assert np.isnan(intervals.quantile(np.array([0, 3]), 0.05).low), "too few for such a rank"
    assert np.isnan(intervals.quantile(np.array([0]), 0.5).mean)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
def test_quantiles_cover(share: float) -> None:
    random = np.random.default_rng(9)
    truth = int(np.quantile(random.geometric(0.02, 400_000), share, method="inverted_cdf"))
    held = 0
    for _ in range(400):
        found = intervals.quantile(np.bincount(random.geometric(0.02, 500)), share, 0.9)
        held += found.low <= truth <= found.high
    assert held / 400 >= 0.86, "at least as often as stated, whole numbers a little more often"


def test_rule_sets_equal_in_play_are_played_once() -> None:
    found = design(catalogue.experiment("twelve_hole_duration"))
    assert found.same == {
        "twelve_hole": "classical",
        "twelve_hole_honours": "classical",
        "malfilatre_2013": "soumille_1766",
    }
    assert {rules for rules, _ in found.place}.isdisjoint(found.same)
    scored = [times for times, play in zip(found.times, found.plays, strict=True) if play.starts]
    assert scored == [8] * 5 and found.times.count(1) == len(found.plays) - 5


def test_stalls_are_restarts_after_many_rolls_without_points() -> None:
    """Every restart of the men that is neither a going nor a sortie; 200 rolls go before each."""
    greedy = catalogue.player("greedy")
    players = (greedy, greedy)
    literal = play_chunk(catalogue.rule_set("soumille_1766_dlp"), players, 3, 0, 20).sets
    assert (literal["stalls"] > 0).any() and (literal["sorties"] == 0).all()
    assert (literal["rolls"] > 200 * literal["stalls"]).all()
    assert (play_chunk(catalogue.rule_set("classical"), players, 3, 0, 20).sets["stalls"] == 0).all()
    done_over = play_chunk(catalogue.rule_set("ecrire_academie"), players, 3, 0, 20).sets
    assert (done_over["stalls"] == 0).all() and (done_over["do_overs"] > 0).any()
