"""What opening plays are worth, reckoned again in plain words over the same games opened in four ways."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from rows import part

from simkit import catalogue
from simkit.analysis.estimates import Estimate
from simkit.analysis.openings import (
    AHEAD,
    BEST,
    CONTRASTS,
    DIFFERENT,
    GROUPS,
    OPENS,
    RANDOM,
    SECOND,
    Openings,
    across,
)
from simkit.analysis.question import MAIN, Played
from simkit.analysis.starts import STANDARD, STARTS, freedom, name_of
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.experiment import design
from simkit.rules import OpeningRoll

Rows = dict[str, Any]
Found = Mapping[tuple[str, str], Estimate]
QUESTION = Openings(times=2)
RULES = catalogue.rule_set("toutes_tables_225")
GAMES = 6000
SAME = ("match_id", "start_a", "start_b", "start_c", "start_d", "first_player", "opening_1", "opening_2")


class RowsOf:
    """Stands for a run of some plays, in blocks."""

    def __init__(self, plays: Sequence[Sequence[Rows]]) -> None:
        self.plays = plays
        self.counts = [sum(len(block["match_id"]) for block in blocks) for blocks in plays]

    def iter_games(self, play: int, columns: Sequence[str]) -> Iterator[Rows]:
        for block in self.plays[play]:
            yield {name: block[name] for name in columns}


def estimates(plays: Mapping[str, Sequence[Rows]]) -> Found:
    rows = RowsOf([plays[key] for key in OPENS])
    listed = list(
        QUESTION.estimates(RULES, Played(cast(Any, rows), {key: k for k, key in enumerate(OPENS)}), 0.95)
    )
    found = {(one.measure, one.detail): one for one in listed}
    assert len(found) == len(listed), "two rows share one key"
    return found


@pytest.fixture(scope="module")
def plays() -> dict[str, Rows]:
    """The games of `openings` between two tables_linear, half as many of those that look ahead."""
    declared = design(replace(catalogue.experiment("openings"), analysis=QUESTION))
    place = declared.place["toutes_tables_225", ("tables_linear", "tables_linear")]
    found = {}
    for key in OPENS:
        play = declared.plays[place[key]]
        count = GAMES // 2 if key == AHEAD else GAMES
        found[key] = play_chunk(play.rules, play.players, 6, 0, count).sets
    return found


@pytest.fixture(scope="module")
def found(plays: dict[str, Rows]) -> Found:
    return estimates({key: [rows] for key, rows in plays.items()})


def differences(plays: Mapping[str, Rows], name: str) -> list[tuple[str, str, float, float]]:
    """(start, roll, points, wins) gained by the first player in every game that both ways played."""
    one, two = (plays[key] for key in CONTRASTS[name])

    def of(rows: Rows, i: int) -> tuple[int, int]:
        wins = int(rows["winner"][i] == rows["first_player"][i])
        return (1 if wins else -1) * int(rows["points"][i]), wins

    found = []
    for i in range(min(len(one["winner"]), len(two["winner"]))):
        a, b, c, d = (int(one[f"start_{letter}"][i]) for letter in "abcd")
        dice = int(one["opening_1"][i]), int(one["opening_2"][i])
        points, wins = (x - y for x, y in zip(of(one, i), of(two, i), strict=True))
        found.append((f"{a}-{b}, {c}-{d}", f"{max(dice)}-{min(dice)}", points, wins))
    return found


def test_all_ways_open_the_same_games(plays: dict[str, Rows]) -> None:
    for key in (BEST, SECOND, AHEAD):
        count = len(plays[key]["match_id"])
        for name in SAME:
            assert np.array_equal(plays[key][name], plays[RANDOM][name][:count]), (key, name)
    assert (plays[BEST]["rolls"] != plays[SECOND]["rolls"]).mean() > 0.5


@pytest.mark.parametrize("name", CONTRASTS)
def test_gains_are_counted_plainly(plays: dict[str, Rows], found: Found, name: str) -> None:
    games = differences(plays, name)
    points = [game[2] for game in games]
    one = found[name, ""].interval
    assert (one.n, one.mean) == (len(games), pytest.approx(statistics.fmean(points)))
    assert one.se == pytest.approx(statistics.stdev(points) / math.sqrt(len(points)), rel=0.25)
    assert found[f"{name}_wins", ""].interval.mean == pytest.approx(
        statistics.fmean(game[3] for game in games)
    )
    for roll in DIFFERENT:
        mean = statistics.fmean(game[2] for game in games if game[1] == roll)
        assert found[name, roll].interval.mean == pytest.approx(mean)
    by_start = {
        start: statistics.fmean(game[2] for game in games if game[0] == start)
        for start in map(name_of, STARTS)
    }
    for start, mean in by_start.items():
        assert found[name, start].interval.mean == pytest.approx(mean)
    every = list(by_start.values())
    usual = found[f"{name}_usual", ""].interval.mean
    assert usual == pytest.approx(by_start[STANDARD] - statistics.fmean(every))
    assert found[f"{name}_book", ""].interval.mean == pytest.approx(by_start[STANDARD] / 225)
    freer = found[f"{name}_with_freedom", ""].interval.mean
    assert freer == pytest.approx(statistics.correlation(every, freedom().tolist()))
    sure = found[f"starts_{name}", ""].interval
    starts = [found[name, name_of(dice)].interval for dice in STARTS]
    assert (sure.mean, sure.low) == (sum(x > 0 for x in every), sum(one.low > 0 for one in starts))


def test_a_spread_is_free_of_the_noise_of_counting() -> None:
    generator = np.random.default_rng(2)
    true = generator.normal(0.2, 0.1, 225)
    sums = np.zeros((GROUPS, 2, 225, 15, 4), np.int64)
    sums[..., 0] = 40
    sums[:, 0, ..., 2] = generator.binomial(40, 0.5 + true[:, None] / 2, (GROUPS, 225, 15)) * 2 - 40
    sums[:, 1, ..., 2] = generator.binomial(40, 0.5, (GROUPS, 225, 15)) * 2 - 40
    found = {one.measure: one.interval for one in across("gain", sums, 0.99)}
    assert found["gain_spread"].low < true.std() < found["gain_spread"].high
    sums[:, 0] = sums[:, 1]
    assert math.isnan({one.measure: one.interval for one in across("gain", sums, 0.99)}["gain_spread"].low)


def test_blocks_do_not_matter(plays: dict[str, Rows], found: Found) -> None:
    cut = {key: [part(rows, slice(1700)), part(rows, slice(1700, GAMES))] for key, rows in plays.items()}
    for key, one in estimates(cut).items():
        assert repr(found[key].interval) == repr(one.interval), key


def test_a_player_who_would_open_so_by_himself_is_played_once() -> None:
    declared = design(catalogue.experiment("openings"))
    assert len(declared.plays) == 8
    for pair, own in (("tables_linear", BEST), ("random", RANDOM)):
        place = declared.place["toutes_tables_225", (pair, pair)]
        assert place[own] == place[MAIN]
        main = declared.plays[place[MAIN]]
        assert main.players == (catalogue.player(pair), catalogue.player(pair))
        for key, (name, rank) in OPENS.items():
            if key != own:
                opening = declared.plays[place[key]].players[0].opening
                assert opening is not None
                assert (opening.choice, opening.rank) == (catalogue.player(name).choice, rank)
    main_of = design(catalogue.experiment("starting_positions")).plays
    assert {play.rules.play_digest for play in main_of} <= {play.rules.play_digest for play in declared.plays}


def test_it_is_asked_of_drawn_starts_and_of_the_draw_as_first_throw() -> None:
    experiment = catalogue.experiment("openings")
    for name, words in (
        ("toutes_tables", "the starts need random_225"),
        ("classical", "a question of toutes tables or backgammon"),
    ):
        with pytest.raises(ConfigError, match=words):
            design(replace(experiment, rules=(name,), claims=()))
    with pytest.raises(ConfigError, match="openings are those of the draw"):
        QUESTION.plays(RULES.with_game(first_roll_method=OpeningRoll.DRAW_THEN_THROW))
    with pytest.raises(ConfigError, match="times = 0"):
        replace(experiment, analysis=Openings(times=0))
