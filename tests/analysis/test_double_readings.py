"""Three readings of the double game, counted again in plain words, and played by each reading for comparison."""

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
from simkit.analysis.double_readings import (
    CELLS,
    FEWEST,
    MATCHES,
    OTHERS,
    READINGS,
    DoubleReadings,
    detail_of,
    worth,
)
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Played
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.experiment import design
from simkit.rules import DoubleCondition

Rows = dict[str, Any]
Found = Mapping[tuple[str, str], Estimate]
QUESTION = DoubleReadings(lengths=(1, 2, 3, 5))
RULES = catalogue.rule_set("toutes_tables_225")
RANDOM = catalogue.player("random")
GAMES, PLAYED_MATCHES = 4000, 500


class RowsOf:
    """Stands for a run of two plays, in blocks."""

    def __init__(self, *plays: Sequence[Rows]) -> None:
        self.plays = plays

    def iter_games(self, play: int, columns: Sequence[str]) -> Iterator[Rows]:
        for block in self.plays[play]:
            yield {name: block[name] for name in columns}


def estimates(games: Sequence[Rows], matches: Sequence[Rows]) -> Found:
    played = Played(cast(Any, RowsOf(games, matches)), {MAIN: 0, MATCHES: 1})
    listed = list(QUESTION.estimates(RULES, played, 0.95))
    found = {(one.measure, one.detail): one for one in listed}
    assert len(found) == len(listed), "two rows share one key"
    return found


@pytest.fixture(scope="module")
def plays() -> tuple[Rows, Rows]:
    needed = QUESTION.plays(RULES)
    games, matches = (
        play_chunk(needed[key].rules, (RANDOM, RANDOM), 6, 0, count).sets
        for key, count in ((MAIN, GAMES), (MATCHES, PLAYED_MATCHES))
    )
    games["winner"] = np.where(games["match_id"] % 97 == 5, 0, games["winner"])  # as if they had been cut
    return games, matches


@pytest.fixture(scope="module")
def found(plays: tuple[Rows, Rows]) -> Found:
    return estimates([plays[0]], [plays[1]])


def is_double(reading: DoubleCondition, off: int, home: bool) -> bool:
    """The table of the three readings, by what the loser has borne off and whether all his men are home."""
    return {
        DoubleCondition.OFF0_AND_NOT_ALL_HOME: off == 0 and not home,
        DoubleCondition.OFF0: off == 0,
        DoubleCondition.OFF0_OR_NOT_ALL_HOME: off == 0 or not home,
    }[reading]


def lost(rows: Rows, i: int) -> tuple[int, bool]:
    """Men off and all home, of the loser of a game."""
    loser = 3 - int(rows["winner"][i])
    return int(rows[f"off_{loser}"][i]), bool(rows[f"all_home_{loser}"][i])


def test_what_each_reading_counts() -> None:
    for place, reading in enumerate(READINGS):
        for off in (0, 1):
            for home in (0, 1):
                assert worth()[place, off, home] == 1 + is_double(reading, off, bool(home))
    assert (worth()[READINGS.index(FEWEST)] <= worth()).all()


def test_games_are_counted_plainly(plays: tuple[Rows, Rows], found: Found) -> None:
    rows = plays[0]
    losers = [lost(rows, i) for i in range(GAMES) if rows["winner"][i]]
    for name, (off, home) in CELLS.items():
        one = found["loser", name].interval
        seen = [(min(have, 1), int(are)) == (off, home) for have, are in losers]
        assert (one.n, one.mean) == (len(losers), pytest.approx(statistics.fmean(seen))), name
    for reading in READINGS:
        doubled = [is_double(reading, *loser) for loser in losers]
        assert found["doubled", reading.value].interval.mean == pytest.approx(statistics.fmean(doubled))
    for reading in OTHERS:
        other = [is_double(reading, *loser) != is_double(FEWEST, *loser) for loser in losers]
        assert found["otherwise", reading.value].interval.mean == pytest.approx(statistics.fmean(other))


def test_the_reading_played_is_the_one_counted(plays: tuple[Rows, Rows]) -> None:
    rows = plays[1]
    for i in range(len(rows["winner"])):
        assert rows["points"][i] == 1 + is_double(FEWEST, *lost(rows, i))


def outcomes(rows: Rows, reading: DoubleCondition, length: int) -> list[tuple[int, int]]:
    """(winner, games) of each match to so many points, counted from its games one by one."""
    ended: dict[int, tuple[int, int]] = {}
    points: dict[int, list[int]] = {}
    for i, match in enumerate(rows["match_id"].tolist()):
        if match in ended:
            continue
        score = points.setdefault(match, [0, 0])
        winner = int(rows["winner"][i])
        score[winner - 1] += 1 + is_double(reading, *lost(rows, i))
        if score[winner - 1] >= length:
            ended[match] = (winner, int(rows["set_no"][i]))
    return [ended[match] for match in sorted(ended)]


@pytest.mark.parametrize("length", QUESTION.lengths)
@pytest.mark.parametrize("reading", READINGS)
def test_matches_are_counted_plainly(
    plays: tuple[Rows, Rows], found: Found, reading: DoubleCondition, length: int
) -> None:
    ours, base = (outcomes(plays[1], one, length) for one in (reading, FEWEST))
    assert len(ours) == PLAYED_MATCHES
    detail = detail_of(length, reading)
    games = found["match_games", detail].interval
    assert (games.n, games.mean) == (PLAYED_MATCHES, pytest.approx(statistics.fmean(n for _, n in ours)))
    if reading is FEWEST:
        assert ("winner_changes", detail) not in found
        return
    other = [one[0] != two[0] for one, two in zip(ours, base, strict=True)]
    assert found["winner_changes", detail].interval.mean == pytest.approx(statistics.fmean(other))
    change = [one[1] - two[1] for one, two in zip(ours, base, strict=True)]
    one = found["games_change", detail].interval
    assert one.mean == pytest.approx(statistics.fmean(change))
    if length > 1:
        assert one.se == pytest.approx(statistics.stdev(change) / math.sqrt(PLAYED_MATCHES))


@pytest.mark.parametrize("reading", READINGS)
def test_a_match_played_by_the_reading_is_the_same(
    plays: tuple[Rows, Rows], reading: DoubleCondition
) -> None:
    """No reading touches play: the games of a match are those of the longest, as far as they go."""
    rules = RULES.with_match(match_points=3, double_condition=reading)
    matches = play_chunk(rules, (RANDOM, RANDOM), 6, 0, PLAYED_MATCHES).matches
    played = list(zip(matches["winner"].tolist(), matches["games"].tolist(), strict=True))
    assert played == outcomes(plays[1], reading, 3)


def test_blocks_and_cut_matches(plays: tuple[Rows, Rows], found: Found) -> None:
    games, matches = plays
    cut = estimates(
        [part(games, slice(1)), part(games, slice(1, GAMES))],
        [part(matches, slice(170)), part(matches, slice(170, PLAYED_MATCHES))],
    )
    for key, one in found.items():
        assert cut[key].interval == one.interval, key
    fewer = dict(matches)
    last = np.flatnonzero(matches["match_id"] == 3)[-1]
    fewer["winner"] = matches["winner"].copy()
    fewer["winner"][last] = 0
    left = estimates([games], [fewer])
    assert left["match_games", detail_of(2, FEWEST)].interval.n == PLAYED_MATCHES - 1


def test_it_is_asked_of_the_reading_with_fewest_double_games() -> None:
    experiment = catalogue.experiment("double_readings")
    for name, words in (
        ("backgammon_225", "match.triple_condition bar_or_in_winner_home"),
        ("classical", "a question of toutes tables or backgammon"),
    ):
        with pytest.raises(ConfigError, match=words):
            design(replace(experiment, rules=(name,), claims=()))
    with pytest.raises(ConfigError, match="match_end_mid_pair false"):
        QUESTION.plays(RULES.with_match(match_end_mid_pair=False))
    with pytest.raises(ConfigError, match=r"lengths = \(3, 3\).*; .*games_times = 0|lengths = \(3, 3\)"):
        replace(experiment, analysis=DoubleReadings(lengths=(3, 3), games_times=0))


def test_single_games_are_those_of_starting_positions() -> None:
    ours, theirs = (catalogue.experiment(name) for name in ("double_readings", "starting_positions"))
    assert (ours.rows_of, ours.seed) == (theirs.rows_of, theirs.seed)
    held = {(play.rules.play_digest, play.players) for play in design(theirs).plays}
    assert held <= {(play.rules.play_digest, play.players) for play in design(ours).plays}
