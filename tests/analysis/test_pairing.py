"""Playing each start twice, reckoned again in plain words over played games and over made-up ones."""

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
from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.pairing import (
    ANY_THROW,
    FEWEST,
    FRESH,
    GROUPS,
    MATCHES,
    NO_PAIRS,
    NON_DOUBLE,
    ROLLS,
    SAME,
    Pairing,
    left_at_most,
    of_starts,
    opening_sums,
    spreads,
)
from simkit.analysis.question import MAIN, Played
from simkit.analysis.starts import STANDARD, STARTS, name_of, start_sums
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.experiment import design

Rows = dict[str, Any]
Found = Mapping[tuple[str, str], Estimate]
QUESTION = Pairing()
RULES = catalogue.rule_set("toutes_tables_225")
PLAYER = catalogue.player("tables_linear")
GAMES, PLAYED_MATCHES = 6000, 300
KEYS = (MAIN, ANY_THROW, *MATCHES)


class RowsOf:
    """Stands for a run of all plays, in blocks of games and of matches."""

    def __init__(self, games: Mapping[int, Sequence[Rows]], matches: Mapping[int, Rows]) -> None:
        self.games, self.matches = games, matches

    def iter_games(self, play: int, columns: Sequence[str]) -> Iterator[Rows]:
        for block in self.games[play]:
            yield {name: block[name] for name in columns}

    def iter_matches(self, play: int, columns: Sequence[str]) -> Iterator[Rows]:
        yield {name: self.matches[play][name] for name in columns}


def estimates(drawn: Sequence[Rows], thrown: Sequence[Rows], matches: Mapping[str, Rows]) -> Found:
    place = {key: k for k, key in enumerate(KEYS)}
    rows = RowsOf({0: drawn, 1: thrown}, {place[key]: matches[key] for key in MATCHES})
    listed = list(QUESTION.estimates(RULES, Played(cast(Any, rows), place), 0.95))
    found = {(one.measure, one.detail): one for one in listed}
    assert len(found) == len(listed), "two rows share one key"
    return found


@pytest.fixture(scope="module")
def games() -> tuple[Rows, Rows]:
    needed = QUESTION.plays(RULES)
    drawn, thrown = (
        play_chunk(needed[key].rules, (PLAYER, PLAYER), 6, 0, GAMES).sets for key in (MAIN, ANY_THROW)
    )
    for rows in (drawn, thrown):
        rows["winner"] = np.where(rows["match_id"] % 97 == 5, 0, rows["winner"])  # as if they had been cut
    return drawn, thrown


@pytest.fixture(scope="module")
def matches() -> dict[str, Rows]:
    needed = QUESTION.plays(RULES)
    found = {
        key: play_chunk(needed[key].rules, (PLAYER, PLAYER), 6, 0, PLAYED_MATCHES).matches for key in MATCHES
    }
    found[FRESH]["winner"][4] = 0
    return found


@pytest.fixture(scope="module")
def found(games: tuple[Rows, Rows], matches: dict[str, Rows]) -> Found:
    return estimates([games[0]], [games[1]], matches)


def plain(rows: Rows, *, doubles: bool) -> dict[str, list[tuple[int, int]]]:
    """(wins, points) of the first player in every game opened so, by start."""
    starts: dict[str, list[tuple[int, int]]] = {}
    for i in range(rows["winner"].size):
        if rows["winner"][i] == 0 or (rows["opening_1"][i] == rows["opening_2"][i]) != doubles:
            continue
        a, b, c, d = (int(rows[f"start_{letter}"][i]) for letter in "abcd")
        wins = int(rows["winner"][i] == rows["first_player"][i])
        points = int(rows["points"][i]) * (1 if wins else -1)
        starts.setdefault(f"{a}-{b}, {c}-{d}", []).append((wins, points))
    return starts


def test_both_openings_are_of_the_same_games(games: tuple[Rows, Rows]) -> None:
    drawn, thrown = games
    for name in ("match_id", "start_a", "start_b", "start_c", "start_d", "first_player"):
        assert np.array_equal(drawn[name], thrown[name])
    assert (drawn["opening_1"] != drawn["opening_2"]).all()
    assert abs((thrown["opening_1"] == thrown["opening_2"]).mean() - 1 / 6) < 0.02


def test_one_game_and_what_a_pair_leaves(games: tuple[Rows, Rows], found: Found) -> None:
    alone, double = plain(games[0], doubles=False), plain(games[1], doubles=True)
    for column, name, even in ((0, "wins", 0.5), (1, "points", 0.0)):
        for start in (STANDARD, name_of(STARTS[0]), name_of(STARTS[-1])):
            mine, theirs = (statistics.fmean(row[column] for row in rows[start]) for rows in (alone, double))
            assert found[f"first_{name}", start].interval.mean == pytest.approx(mine)
            # The first game as drawn, the second with any throw: a double once in six.
            second = 5 / 6 * mine + 1 / 6 * theirs
            left = (mine + 1 - second) / 2 if name == "wins" else (mine - second) / 2
            assert found[f"pair_{name}", start].interval.mean == pytest.approx(left)
        every, doubled = ([row[column] for rows in one.values() for row in rows] for one in (alone, double))
        assert found[f"first_{name}", ""].interval.mean == pytest.approx(statistics.fmean(every))
        assert found[f"double_{name}", ""].interval.mean == pytest.approx(statistics.fmean(doubled))
        left = found[f"pair_{name}", FRESH].interval
        assert left.mean - even == pytest.approx((statistics.fmean(every) - statistics.fmean(doubled)) / 12)
        for way in (NON_DOUBLE, SAME):
            one = found[f"pair_{name}", way].interval
            assert (one.mean, one.low, one.high) == (even, even, even)
            assert one.method.startswith("exact")


def test_one_game_is_that_of_starting_positions(games: tuple[Rows, Rows]) -> None:
    ours, theirs = opening_sums([games[0]]), start_sums([games[0]])
    assert np.array_equal(ours.sum(axis=2)[..., :2], theirs[..., :2])


def test_intervals_of_the_starts_hold_at_once(games: tuple[Rows, Rows], found: Found) -> None:
    alone, double = plain(games[0], doubles=False)[STANDARD], plain(games[1], doubles=True)[STANDARD]
    each = 0.95 ** (1 / 225)
    one, two = (
        intervals.proportion(sum(wins for wins, _ in rows), len(rows), each) for rows in (alone, double)
    )
    wide = intervals.difference(one, two)
    left = found["pair_wins", STANDARD].interval
    assert (left.low, left.high) == (pytest.approx(0.5 + wide.low / 12), pytest.approx(0.5 + wide.high / 12))
    assert left.method.endswith("225 at once (Sidak)")


def test_the_farthest_start_and_those_that_favour(found: Found) -> None:
    assert math.isnan(found["pair_most", ""].interval.mean)  # from some start no double was thrown
    listed = list(of_starts(*made_up(10)[:2], 0.95))
    found = {(one.measure, one.detail): one for one in [*listed, *left_at_most(listed, 0.95)]}
    for name, kind in (("first", "starts"), ("pair", "pairs")):
        chances = [found[f"{name}_wins", name_of(dice)].interval for dice in STARTS]
        most = found[f"{name}_most", ""].interval
        assert most.mean == pytest.approx(max(abs(one.mean - 0.5) for one in chances))
        assert most.high == pytest.approx(max(max(0.5 - one.low, one.high - 0.5) for one in chances))
        assert most.low == pytest.approx(max(0, *(max(one.low - 0.5, 0.5 - one.high) for one in chances)))
        above, below = sum(one.low > 0.5 for one in chances), sum(one.high < 0.5 for one in chances)
        for who, sure, against in (("first", above, below), ("second", below, above)):
            one = found[f"{kind}_for_{who}", ""].interval
            assert (one.low, one.high) == (sure, 225 - against)


def made_up(games: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Games whose first player wins with a chance of start and roll: drawn, thrown, and these chances."""
    generator = np.random.default_rng(5)
    chance = np.clip(generator.normal(0.52, 0.06, (225, 21)), 0.2, 0.8)
    double = np.array([low == high for low, high in ROLLS])
    found = []
    for kept in (~double, double):
        sums = np.zeros((GROUPS, 225, 21, 4), np.int64)
        sums[..., 0] = games * kept
        sums[..., 1] = generator.binomial(sums[..., 0], chance)
        sums[..., 2] = 2 * sums[..., 1] - sums[..., 0]
        sums[..., 3] = sums[..., 0]
        found.append(sums)
    return found[0], found[1], chance


def test_luck_and_spread_are_free_of_the_noise_of_counting() -> None:
    """Of made-up games of one point the truth is known; their counts alone would say much more."""
    drawn, thrown, chance = made_up(10)
    value, true = 2 * chance - 1, {}
    different = [k for k, (low, high) in enumerate(ROLLS) if low != high]
    draw = dict.fromkeys(different, 1 / 15)
    throw = {k: (1 if low == high else 2) / 36 for k, (low, high) in enumerate(ROLLS)}

    def pairs(first: Mapping[int, float], second: Mapping[int, float]) -> float:
        return statistics.fmean(
            sum(p * q * (row[k] - row[m]) ** 2 for k, p in first.items() for m, q in second.items())
            for row in value
        )

    true[NO_PAIRS] = 2 * statistics.fmean(sum(p * row[k] ** 2 for k, p in draw.items()) for row in value)
    true[NON_DOUBLE], true[FRESH] = pairs(draw, draw), pairs(draw, throw)
    found = {(one.measure, one.detail): one.interval for one in spreads(drawn, thrown, 0.99)}
    for way, square in true.items():
        one = found["opening_luck", way]
        assert one.low < math.sqrt(square) < one.high, way
        assert one.high - one.low < 0.1 * math.sqrt(square)
    assert found["opening_luck", SAME].mean == 0
    by_start = chance[:, different].mean(axis=1)
    double = chance[:, [k for k in range(21) if k not in different]].mean(axis=1)
    for measure, spread in (
        ("first_wins_spread", by_start.std()),
        ("pair_wins_spread", ((by_start - double) / 12).std()),
    ):
        assert found[measure, ""].low < spread < found[measure, ""].high, measure


def test_together_they_miss_as_seldom_as_they_say() -> None:
    generator, missed = np.random.default_rng(3), 0
    for _ in range(60):
        drawn, thrown = (np.zeros((GROUPS, 225, 21, 4), np.int64) for _ in range(2))
        for sums, roll, n in ((drawn, 1, 3000), (thrown, 0, 600)):
            sums[0, :, roll, 0] = n
            sums[0, :, roll, 1] = generator.binomial(n, 0.5, 225)
            sums[0, :, roll, 3] = n
        found = {
            one.measure: one.interval for one in left_at_most(list(of_starts(drawn, thrown, 0.95)), 0.95)
        }
        missed += found["pairs_for_first"].low > 0 or found["pairs_for_second"].low > 0
    assert missed <= 8  # 3 of 60 on average


def test_matches_are_counted_plainly(matches: Mapping[str, Rows], found: Found) -> None:
    for kind in MATCHES:
        rows = matches[kind]
        won = [
            rows["winner"][i] == rows["first_player"][i] for i in range(PLAYED_MATCHES) if rows["winner"][i]
        ]
        one = found["match_first_wins", kind].interval
        assert (one.n, one.mean) == (len(won), pytest.approx(statistics.fmean(won))), kind


def test_every_kind_of_match_is_played_as_it_says() -> None:
    needed = QUESTION.plays(RULES)
    plain_match = RULES.match
    assert needed[FRESH].rules.match == plain_match
    changed = {
        NO_PAIRS: {"games_per_start": 1},
        NON_DOUBLE: {"second_game_opening": "non_double"},
        SAME: {"second_game_opening": "same_roll_as_first"},
        "whole pairs": {"match_end_mid_pair": False},
    }
    for kind, fields in changed.items():
        for name, value in fields.items():
            has = getattr(needed[kind].rules.match, name)
            assert getattr(has, "value", has) == value
    assert len({one.rules.name for one in needed.values()}) == len(needed)


def test_blocks_do_not_matter(games: tuple[Rows, Rows], matches: dict[str, Rows], found: Found) -> None:
    drawn, thrown = games
    cut = estimates(
        [part(drawn, slice(1)), part(drawn, slice(1, GAMES))],
        [part(thrown, slice(2500)), part(thrown, slice(2500, GAMES))],
        matches,
    )
    for key, one in found.items():
        assert repr(cut[key].interval) == repr(one.interval), key


def test_it_is_asked_of_the_way_the_article_plays() -> None:
    experiment = catalogue.experiment("pairing")
    for name, words in (
        (
            "toutes_tables",
            "game.start_selection standard, not random_225; a start that does not serve two games",
        ),
        ("classical", "a question of toutes tables or backgammon"),
    ):
        with pytest.raises(ConfigError, match=words):
            design(replace(experiment, rules=(name,), claims=()))
    with pytest.raises(ConfigError, match="drawn_times = 0"):
        replace(experiment, analysis=Pairing(drawn_times=0))


def test_points_of_few_games_have_no_interval() -> None:
    """Of every start and roll a game won by one point and one lost: two games a cell."""
    sums = np.zeros((GROUPS, len(STARTS), len(ROLLS), 4), np.int64)
    sums[0] = (2, 1, 0, 2)
    few = {(one.measure, one.detail): one.interval for one in of_starts(sums, sums, 0.95)}
    doubles = int(sum(low == high for low, high in ROLLS))
    assert 2 * doubles < FEWEST < 2 * len(ROLLS)
    alone, pair = (few[f"{kind}_points", STANDARD] for kind in ("first", "pair"))
    assert (alone.n, alone.mean) == (2 * len(ROLLS), 0) and alone.low < 0 < alone.high
    assert (pair.n, pair.mean) == (2 * doubles, 0) and math.isnan(pair.low) and math.isnan(pair.high)
    assert few["pair_wins", STANDARD].low < 0.5 < few["pair_wins", STANDARD].high
