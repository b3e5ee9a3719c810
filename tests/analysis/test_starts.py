"""The 225 starts, counted again in plain words over played games, in any blocks."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from rows import part
from scipy import stats

from simkit import catalogue
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Played
from simkit.analysis.starts import (
    COLUMNS,
    STANDARD,
    STARTS,
    StartingPositions,
    across,
    by_start,
    favoured,
    freedom,
    name_of,
    race,
    start_sums,
)
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.experiment import design
from simkit.tables import TABLES, legal_plays, start

Rows = dict[str, Any]
QUESTION = StartingPositions()
RULES = catalogue.rule_set("toutes_tables_225")
GAMES = 6000


class RowsOf:
    """Stands for a run of one play, in blocks."""

    def __init__(self, blocks: Sequence[Rows]) -> None:
        self.blocks = blocks

    def iter_games(self, play: int, columns: Sequence[str]) -> Iterator[Rows]:
        assert play == 0
        for block in self.blocks:
            yield {name: block[name] for name in columns}


def estimates(blocks: Sequence[Rows]) -> dict[tuple[str, str], Estimate]:
    listed = list(QUESTION.estimates(RULES, Played(cast(Any, RowsOf(blocks)), {MAIN: 0}), 0.95))
    found = {(one.measure, one.detail): one for one in listed}
    assert len(found) == len(listed), "two rows share one key"
    return found


@pytest.fixture(scope="module")
def games() -> Rows:
    player = catalogue.player("tables_linear")
    rows = play_chunk(QUESTION.plays(RULES)[MAIN].rules, (player, player), 6, 0, GAMES).sets
    rows["winner"] = np.where(rows["match_id"] % 97 == 5, 0, rows["winner"])  # as if they had been cut
    return rows


@pytest.fixture(scope="module")
def found(games: Rows) -> dict[tuple[str, str], Estimate]:
    return estimates([games])


def plain(games: Rows) -> dict[str, list[tuple[bool, bool, int, int]]]:
    """(first player wins, counts double, rolls, hits) of every game that ended, by its start."""
    starts: dict[str, list[tuple[bool, bool, int, int]]] = {}
    for i in range(games["winner"].size):
        if games["winner"][i] == 0:
            continue
        a, b, c, d = (int(games[f"start_{letter}"][i]) for letter in "abcd")
        row = (
            bool(games["winner"][i] == games["first_player"][i]),
            bool(games["points"][i] >= 2),
            int(games["rolls"][i]),
            int(games["hits_1"][i]) + int(games["hits_2"][i]),
        )
        starts.setdefault(f"{a}-{b}, {c}-{d}", []).append(row)
    return starts


def test_a_match_is_one_game(games: Rows) -> None:
    assert np.array_equal(games["match_id"], np.arange(GAMES))
    assert set(games["set_no"]) == {1}


def test_every_start_is_counted_plainly(games: Rows, found: Mapping[tuple[str, str], Estimate]) -> None:
    rows_of = plain(games)
    assert set(rows_of) == {name_of(dice) for dice in STARTS}
    for name, rows in rows_of.items():
        for measure, values in zip(
            ("first_wins", "doubled", "rolls", "hits"), np.array(rows).T.tolist(), strict=True
        ):
            one = found[measure, name].interval
            assert (one.n, one.mean) == (len(rows), pytest.approx(statistics.fmean(values))), (measure, name)
            if measure in ("rolls", "hits"):
                assert one.se == pytest.approx(statistics.stdev(values) / math.sqrt(len(rows)))
    every = [row for rows in rows_of.values() for row in rows]
    for measure, values in zip(
        ("first_wins", "doubled", "rolls", "hits"), np.array(every).T.tolist(), strict=True
    ):
        one = found[measure, ""].interval
        assert (one.n, one.mean) == (len(every), pytest.approx(statistics.fmean(values)))


def test_intervals_of_the_starts_hold_at_once(games: Rows, found: Mapping[tuple[str, str], Estimate]) -> None:
    rows = plain(games)[STANDARD]
    each = 0.95 ** (1 / 225)
    won = sum(row[0] for row in rows)
    wilson = stats.binomtest(won, len(rows)).proportion_ci(each, method="wilson")
    one = found["first_wins", STANDARD].interval
    assert (one.low, one.high) == (pytest.approx(wilson.low), pytest.approx(wilson.high))
    rolls = [row[2] for row in rows]
    low, high = stats.t.interval(
        each, len(rows) - 1, statistics.fmean(rolls), statistics.stdev(rolls) / math.sqrt(len(rows))
    )
    one = found["rolls", STANDARD].interval
    assert (one.low, one.high) == (pytest.approx(low), pytest.approx(high))


def test_together_they_miss_as_seldom_as_they_say() -> None:
    generator, missed = np.random.default_rng(3), 0
    for _ in range(200):
        sums = np.zeros((20, 225, 7), np.int64)
        sums[0, :, 0] = 2000
        sums[0, :, 1] = generator.binomial(2000, 0.5, 225)
        chances = [one for one in by_start(sums, 0.95) if one.measure == "first_wins"]
        ours, _ = favoured(chances, 0.95)
        missed += ours.interval.low > 0 or ours.interval.high < 225
    assert missed <= 20  # 10 of 200 on average


def test_favoured_starts_are_those_whose_intervals_say_so(
    found: Mapping[tuple[str, str], Estimate],
) -> None:
    chances = [found["first_wins", name_of(dice)].interval for dice in STARTS]
    ours, theirs = found["starts_for_first", ""].interval, found["starts_for_second", ""].interval
    assert ours.mean == sum(one.mean > 0.5 for one in chances)
    assert theirs.mean == sum(one.mean < 0.5 for one in chances)
    above, below = sum(one.low > 0.5 for one in chances), sum(one.high < 0.5 for one in chances)
    assert (ours.low, ours.high) == (above, 225 - below)
    assert (theirs.low, theirs.high) == (below, 225 - above)


def test_what_is_counted_out(found: Mapping[tuple[str, str], Estimate]) -> None:
    assert found["different_starts", ""].interval.mean == 225
    assert found["standard_starts", ""].interval.mean == 1
    for (a, b, c, d), points in zip(STARTS, race(), strict=True):
        # Men at 25 - arrow from the edge: two on a, five on 13 - c, three on 12 + d, five on 25 - b.
        assert points == 2 * (25 - a) + 5 * (12 + c) + 3 * (13 - d) + 5 * b
    assert (race().min(), race().max()) == (144, 184)
    own = [len(legal_plays(TABLES, start(1, 6, 1, 5), (i, j))) for i in range(1, 7) for j in range(1, i)]
    assert found["freedom", STANDARD].interval.mean == pytest.approx(statistics.fmean(own))
    assert freedom().min() == 7
    assert round(freedom().max()) == 14


def test_differences_between_starts(games: Rows, found: Mapping[tuple[str, str], Estimate]) -> None:
    rows_of = plain(games)
    rolls = [[row[2] for row in rows_of[name_of(dice)]] for dice in STARTS]
    means = [statistics.fmean(values) for values in rolls]
    line = stats.linregress(race(), means)
    assert found["rolls_per_pip", ""].interval.mean == pytest.approx(line.slope)
    assert found["rolls_with_race", ""].interval.mean == pytest.approx(line.rvalue)
    correlation = stats.pearsonr(freedom(), means).statistic
    assert found["rolls_with_freedom", ""].interval.mean == pytest.approx(correlation)
    noise = statistics.fmean(statistics.variance(values) / len(values) for values in rolls)
    squared = statistics.pvariance(means) - 224 / 225 * noise
    spread = found["rolls_spread", ""].interval
    assert spread.mean == pytest.approx(math.sqrt(squared))
    assert spread.low < spread.mean < spread.high
    assert found["rolls_spread_share", ""].interval.mean == pytest.approx(
        spread.mean / statistics.fmean(means)
    )


def test_a_spread_of_nothing_is_nought() -> None:
    generator = np.random.default_rng(1)
    sums = np.zeros((20, 225, 7), np.int64)
    sums[..., 0] = 100
    sums[..., 1] = generator.binomial(100, 0.5, (20, 225))
    sums[..., 2:] = 1
    spread = next(one.interval for one in across(sums, 0.95) if one.measure == "first_wins_spread")
    assert spread.low == 0
    assert spread.high < 0.01


def test_blocks_do_not_matter(games: Rows) -> None:
    blocks = [part(games, slice(1)), part(games, slice(1, 2500)), part(games, slice(2500, GAMES))]
    assert np.array_equal(start_sums(blocks), start_sums([games]))
    assert set(COLUMNS) <= set(games)


def test_it_is_asked_of_drawn_starts_only() -> None:
    experiment = catalogue.experiment("starting_positions")
    for name, words in (
        ("toutes_tables", "the starts need random_225"),
        ("classical", "a question of toutes tables or backgammon"),
    ):
        with pytest.raises(ConfigError, match=words):
            design(replace(experiment, rules=(name,), claims=()))
