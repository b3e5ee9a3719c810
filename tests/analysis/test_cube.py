"""The doubling cube, counted again in plain words over matches played with it and without."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, cast

import numpy as np
import pytest
from rows import part

from simkit import catalogue
from simkit.analysis.cube import PER_GAME, PER_MATCH, WITH, WITHOUT, DoublingCube
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Played
from simkit.dataset import GAME_ENDED_BY
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.experiment import design

Rows = dict[str, Any]
Game = dict[str, int]
QUESTION = DoublingCube()
RULES = catalogue.rule_set("backgammon_225_cube")
MATCHES = 600


class RowsOf:
    """Stands for a run of two plays, in blocks."""

    def __init__(self, *plays: Sequence[Rows]) -> None:
        self.plays = plays

    def iter_games(self, play: int, columns: Sequence[str]) -> Iterator[Rows]:
        for block in self.plays[play]:
            yield {name: block[name] for name in columns}


def estimates(cube: Sequence[Rows], without: Sequence[Rows]) -> dict[tuple[str, str], Estimate]:
    played = Played(cast(Any, RowsOf(cube, without)), {MAIN: 0, WITHOUT: 1})
    listed = list(QUESTION.estimates(RULES, played, 0.95))
    found = {(one.measure, one.detail): one for one in listed}
    assert len(found) == len(listed), "two rows share one key"
    return found


@pytest.fixture(scope="module")
def plays() -> tuple[Rows, Rows]:
    pair = (catalogue.player("tables_cube"),) * 2
    needed = QUESTION.plays(RULES)
    cube, without = (play_chunk(needed[key].rules, pair, 6, 0, MATCHES).sets for key in (MAIN, WITHOUT))
    last = np.append(np.diff(cube["match_id"]) > 0, True)
    cut = last & (cube["match_id"] % 97 == 5)
    cube["winner"] = np.where(cut, 0, cube["winner"])  # as if they had been cut
    return cube, without


@pytest.fixture(scope="module")
def found(plays: tuple[Rows, Rows]) -> dict[tuple[str, str], Estimate]:
    return estimates([plays[0]], [plays[1]])


def by_match(rows: Rows) -> dict[int, list[Game]]:
    games = [{name: int(column[i]) for name, column in rows.items()} for i in range(rows["winner"].size)]
    return {match: list(listed) for match, listed in groupby(games, key=lambda game: game["match_id"])}


Match = list[Game]


@pytest.fixture(scope="module")
def ended(plays: tuple[Rows, Rows]) -> list[tuple[Match, Match]]:
    cube, without = map(by_match, plays)
    return [(cube[match], without[match]) for match in cube if all(game["winner"] for game in cube[match])]


def signed(game: Game, player: int) -> int:
    return game["points"] if game["winner"] == player else -game["points"]


PLAIN: Mapping[str, Any] = {
    "rolls": lambda game: game["rolls"],
    "points": lambda game: game["points"],
    "multiple": lambda game: int(game["points"] != game["cube"]),
    "first_wins": lambda game: int(game["winner"] == game["first_player"]),
    "first_points": lambda game: signed(game, game["first_player"]),
    "games_1": lambda game: int(game["winner"] == 1),
    "points_1": lambda game: signed(game, 1),
}


def winner(match: Match) -> int:
    return match[-1]["winner"]


PLAIN_MATCH: Mapping[str, Any] = {
    "games_per_match": len,
    "rolls_per_match": lambda match: sum(game["rolls"] for game in match),
    "match_to_first": lambda match: int(winner(match) == match[0]["first_player"]),
    "match_to_1": lambda match: int(winner(match) == 1),
}


def test_matches_begin_alike(plays: tuple[Rows, Rows]) -> None:
    firsts = [rows["set_no"] == 1 for rows in plays]
    for name in ("match_id", "start_a", "start_b", "start_c", "start_d", "first_player", "opening_1"):
        assert np.array_equal(plays[0][name][firsts[0]], plays[1][name][firsts[1]])
    assert (plays[1]["cube"] == 1).all()
    assert set(plays[1]["ended_by"]) == {0}


@pytest.mark.parametrize("name", PER_GAME)
def test_numbers_per_game(
    ended: list[tuple[Match, Match]], found: Mapping[tuple[str, str], Estimate], name: str
) -> None:
    assert len(ended) == MATCHES - len(range(5, MATCHES, 97))
    means = []
    for place, play in enumerate((WITH, WITHOUT)):
        games = [game for both in ended for game in both[place]]
        means.append(statistics.fmean(PLAIN[name](game) for game in games))
        one = found[name, play].interval
        assert (one.n, one.mean) == (len(ended), pytest.approx(means[-1]))
    changed = found[f"{name}_change", ""].interval
    assert changed.mean == pytest.approx(means[0] - means[1])
    residuals = []
    for both in ended:
        sums = [
            sum(PLAIN[name](game) - mean for game in match) for match, mean in zip(both, means, strict=True)
        ]
        residuals.append(sums[0] / games_each(ended, 0) - sums[1] / games_each(ended, 1))
    assert changed.se == pytest.approx(statistics.stdev(residuals) / math.sqrt(len(ended)))


def games_each(ended: list[tuple[Match, Match]], place: int) -> float:
    return statistics.fmean(len(both[place]) for both in ended)


@pytest.mark.parametrize("name", PER_MATCH)
def test_numbers_per_match(
    ended: list[tuple[Match, Match]], found: Mapping[tuple[str, str], Estimate], name: str
) -> None:
    values = [[PLAIN_MATCH[name](both[place]) for both in ended] for place in (0, 1)]
    for play, listed in zip((WITH, WITHOUT), values, strict=True):
        assert found[name, play].interval.mean == pytest.approx(statistics.fmean(listed))
    changes = [one - two for one, two in zip(*values, strict=True)]
    changed = found[f"{name}_change", ""].interval
    assert changed.mean == pytest.approx(statistics.fmean(changes))
    assert changed.se == pytest.approx(statistics.stdev(changes) / math.sqrt(len(ended)))


def test_ends_and_cubes(ended: list[tuple[Match, Match]], found: Mapping[tuple[str, str], Estimate]) -> None:
    games = [game for both in ended for game in both[0]]
    dropped = [GAME_ENDED_BY[game["ended_by"]] == "drop" for game in games]
    offered = [drop or game["cube"] >= 2 for drop, game in zip(dropped, games, strict=True)]
    assert 0 < sum(dropped) < sum(offered) < len(games)
    assert found["dropped", ""].interval.mean == pytest.approx(sum(dropped) / len(games))
    assert found["offered", ""].interval.mean == pytest.approx(sum(offered) / len(games))
    assert found["dropped_of_offered", ""].interval.mean == pytest.approx(sum(dropped) / sum(offered))
    for face in (1, 2, 4, 8, 16, 32):
        seen = [game["cube"] == face for game in games]
        assert found[f"at_{face}", ""].interval.mean == pytest.approx(statistics.fmean(seen))
    assert found["taken", ""].interval.mean == pytest.approx(1 - found["at_1", ""].interval.mean)


def test_blocks_do_not_matter(plays: tuple[Rows, Rows], found: Mapping[tuple[str, str], Estimate]) -> None:
    first = [int(np.flatnonzero(rows["match_id"] == 250)[0]) for rows in plays]
    second = [int(np.flatnonzero(rows["match_id"] == 251)[0]) for rows in plays]
    cut = estimates(
        [part(plays[0], slice(first[0])), part(plays[0], slice(first[0], None))],
        [part(plays[1], slice(second[1])), part(plays[1], slice(second[1], None))],
    )
    for key, one in found.items():
        assert cut[key].interval == one.interval, key


def test_it_is_asked_where_there_is_a_cube() -> None:
    experiment = catalogue.experiment("backgammon_225_cube")
    for name, words in (
        ("backgammon_225", "is not played with the doubling cube"),
        ("classical", "a question of toutes tables or backgammon"),
    ):
        with pytest.raises(ConfigError, match=words):
            design(replace(experiment, rules=(name,), claims=()))
