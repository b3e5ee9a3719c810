"""Most points against most dice, counted again in plain words over games played by both on the same dice."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from rows import part

from simkit import catalogue
from simkit.analysis.bearing_off import (
    COLUMNS,
    DICE,
    NUMBERS,
    PLAYED,
    POINTS,
    BearingOff,
    numbers,
    pair_sums,
    shares,
)
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Played, paired
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.experiment import design

Rows = dict[str, Any]
Game = dict[str, int]
QUESTION = BearingOff()
RULES = catalogue.rule_set("toutes_tables_225")
GAMES = 3000


class RowsOf:
    """Stands for a run of two plays, in blocks."""

    def __init__(self, *plays: Sequence[Rows]) -> None:
        self.plays = plays

    def iter_games(self, play: int, columns: Sequence[str]) -> Iterator[Rows]:
        for block in self.plays[play]:
            yield {name: block[name] for name in columns}


def estimates(points: Sequence[Rows], dice: Sequence[Rows]) -> dict[tuple[str, str], Estimate]:
    played = Played(cast(Any, RowsOf(points, dice)), {MAIN: 0, DICE: 1})
    sums = pair_sums(paired(played.games(COLUMNS), played.games(COLUMNS, DICE)))
    listed = [*shares(sums, 0.95), *numbers(sums, 0.95)]
    found = {(one.measure, one.detail): one for one in listed}
    assert len(found) == len(listed), "two rows share one key"
    return found


@pytest.fixture(scope="module", params=["random", "tables_linear"])
def plays(request: pytest.FixtureRequest) -> tuple[Rows, Rows]:
    player = catalogue.player(request.param)
    needed = QUESTION.plays(RULES)
    points, dice = (play_chunk(needed[key].rules, (player, player), 6, 0, GAMES).sets for key in (MAIN, DICE))
    points["winner"] = np.where(points["match_id"] % 97 == 5, 0, points["winner"])  # as if they had been cut
    return points, dice


@pytest.fixture(scope="module")
def found(plays: tuple[Rows, Rows]) -> dict[tuple[str, str], Estimate]:
    return estimates([plays[0]], [plays[1]])


def games_of(rows: Rows) -> list[Game]:
    return [{name: int(column[i]) for name, column in rows.items()} for i in range(rows["winner"].size)]


def ended(plays: tuple[Rows, Rows]) -> list[tuple[Game, Game]]:
    both = zip(games_of(plays[0]), games_of(plays[1]), strict=True)
    return [(one, two) for one, two in both if one["winner"] and two["winner"]]


PLAIN: Mapping[str, Callable[[Game], int]] = {
    "doubled": lambda game: int(game["points"] >= 2),
    "rolls": lambda game: game["rolls"],
    "hits": lambda game: game["hits_1"] + game["hits_2"],
    "first_wins": lambda game: int(game["winner"] == game["first_player"]),
}


def test_both_plays_begin_alike(plays: tuple[Rows, Rows]) -> None:
    for name in ("match_id", "start_a", "start_b", "start_c", "start_d", "first_player", "opening_1"):
        assert np.array_equal(plays[0][name], plays[1][name])


def test_changes_are_counted_plainly(
    plays: tuple[Rows, Rows], found: Mapping[tuple[str, str], Estimate]
) -> None:
    both = ended(plays)
    anything = [any(one[name] != two[name] for name in PLAYED) for one, two in both]
    winner = [one["winner"] != two["winner"] for one, two in both]
    points = [(one["winner"], one["points"]) != (two["winner"], two["points"]) for one, two in both]
    assert 0 < sum(points) < sum(anything) < len(both)
    for measure, seen in (
        ("anything_changes", anything),
        ("winner_changes", winner),
        ("points_change", points),
    ):
        one = found[measure, ""].interval
        assert (one.n, one.mean) == (len(both), pytest.approx(statistics.fmean(seen))), measure
    of_changed = found["winner_changes_of_changed", ""].interval
    assert (of_changed.n, of_changed.mean) == (sum(anything), pytest.approx(sum(winner) / sum(anything)))
    first = [statistics.fmean(game["winner"] == 1 for game in games) for games in zip(*both, strict=True)]
    unrelated = first[0] * (1 - first[1]) + first[1] * (1 - first[0])
    assert found["winner_changes_unrelated", ""].interval.mean == pytest.approx(unrelated)


@pytest.mark.parametrize("name", NUMBERS)
def test_means_and_their_changes(
    plays: tuple[Rows, Rows], found: Mapping[tuple[str, str], Estimate], name: str
) -> None:
    both = ended(plays)
    points, dice = ([PLAIN[name](game) for game in games] for games in zip(*both, strict=True))
    assert found[name, POINTS].interval.mean == pytest.approx(statistics.fmean(points))
    assert found[name, DICE].interval.mean == pytest.approx(statistics.fmean(dice))
    changes = [one - two for one, two in zip(points, dice, strict=True)]
    change = found[f"{name}_change", ""].interval
    assert change.mean == pytest.approx(statistics.fmean(changes))
    assert change.se == pytest.approx(statistics.stdev(changes) / math.sqrt(len(changes)))
    share = found[f"{name}_change_share", ""].interval
    assert share.mean == pytest.approx(sum(changes) / sum(points))


def test_blocks_do_not_matter(plays: tuple[Rows, Rows], found: Mapping[tuple[str, str], Estimate]) -> None:
    points, dice = plays
    cut = estimates(
        [part(points, slice(1)), part(points, slice(1, GAMES))],
        [part(dice, slice(1700)), part(dice, slice(1700, GAMES))],
    )
    for key, one in found.items():
        assert cut[key].interval == one.interval, key


def test_it_is_asked_where_most_points_are_played() -> None:
    experiment = catalogue.experiment("bearing_off_rule")
    for name, words in (
        ("backgammon_225", "does not play most points"),
        ("classical", "a question of toutes tables or backgammon"),
    ):
        with pytest.raises(ConfigError, match=words):
            design(replace(experiment, rules=(name,), claims=()))
