"""Positions with men behind: how the list is made, and what is told of games played on, counted again plainly."""

from __future__ import annotations

import importlib.util
import math
import statistics
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from simkit import catalogue
from simkit.analysis import clusters, contact
from simkit.analysis.bearing_off import FROM, FROM_DICE, BearingOff
from simkit.analysis.contact import BACK_GAME, CONTACT, DICE, KINDS, POINTS, SHOT, listed
from simkit.analysis.estimates import Estimate
from simkit.drivers import play_chunk
from simkit.rules import MoveRule, Tables
from simkit.shots import compared, fewest_hits

Rows = dict[str, Any]
Found = Mapping[tuple[str, str], Estimate]
ROOT = Path(__file__).resolve().parents[2]
MOST_POINTS, MOST_DICE = Tables(move_rule=MoveRule.MAX_POINTS), Tables(move_rule=MoveRule.MAX_DICE)
RULES = catalogue.rule_set("toutes_tables_225")
ROUNDS = 12


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = ROOT / "experiments" / "training" / "pick_bearing_off.py"
    found = importlib.util.spec_from_file_location("pick_bearing_off", path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def plays() -> tuple[Rows, Rows]:
    needed, one = BearingOff().plays(RULES), catalogue.player("tables_linear")
    count = ROUNDS * len(listed())
    points, dice = (
        play_chunk(needed[key].rules, (one, one), 6, 0, count, needed[key].starts).sets
        for key in (FROM, FROM_DICE)
    )
    points["winner"] = np.where(points["match_id"] % 97 == 5, 0, points["winner"])  # as if they had been cut
    return points, dice


@pytest.fixture(scope="module")
def found(plays: tuple[Rows, Rows]) -> Found:
    return {(one.measure, one.detail): one for one in contact.played_on(contact.start_sums([plays]), 0.95)}


# ---------------------------------------------------------------- the list


def test_every_position_of_the_list_qualifies(script: ModuleType) -> None:
    assert {kind: int(contact.of_kind(kind).sum()) for kind in KINDS} == script.KINDS
    assert len({(one.kind, one.state) for one in listed()}) == len(listed())
    for one in listed():
        position, dice = one.state.position, one.state.dice
        assert script.qualifies(position), position
        assert one.state.roller == 0
        assert one.kind != BACK_GAME or script.is_back_game(position)
        assert (dice is not None) == (one.kind == SHOT)
        if dice is not None:
            assert fewest_hits(MOST_POINTS, position, dice) > 0 == fewest_hits(MOST_DICE, position, dice)


def test_a_short_list_is_made_alike_every_time(script: ModuleType) -> None:
    most = {CONTACT: 6, BACK_GAME: 2, SHOT: 1}
    one, two = (list(script.lines(150, most)) for _ in range(2))
    assert one == two
    heads = [line.split(":")[0].split()[0] for line in one]
    assert heads[:2] == ["rolls", "rolls"]
    assert heads.count(CONTACT) == 6


@pytest.mark.slow
def test_the_list_is_that_of_the_script(script: ModuleType) -> None:
    kept = [line for line in contact.LIST.read_text().splitlines() if not line.startswith("#")]
    assert list(script.lines(script.GAMES, script.KINDS)) == kept


def test_a_criterion_that_is_just_missed(script: ModuleType) -> None:
    read = contact.tables.read
    assert script.qualifies(read("23:2 off:13 | bar:1 1:14"))
    for text in (
        "18 23 off:13 | bar:1 1:14",  # a man outside
        "bar:1 23 off:13 | bar:1 1:14",
        "23:2 off:13 | 1:14 22",  # who has passed
        "19:5 off:10 | 20 off:14",  # thirty points to go against twenty
    ):
        assert not script.qualifies(read(text)), text
    assert script.is_back_game(read("19:2 22:13 | 20:2 24:2 1:11"))
    assert not script.is_back_game(read("19:2 22:13 | 20:4 18:2 1:9"))


# ---------------------------------------------------------------- played on


def of_kind(plays: tuple[Rows, Rows], kind: str) -> list[tuple[int, dict[str, int], dict[str, int]]]:
    """Start, and the game by most points and by most dice, of those that both came to an end."""
    names = ("match_id", "winner", "points", "hits_2")
    games = []
    for k in range(plays[0]["winner"].size):
        one, two = ({name: int(rows[name][k]) for name in names} for rows in plays)
        assert one["match_id"] == two["match_id"] == k
        place = k % len(listed())
        if listed()[place].kind == kind and one["winner"] and two["winner"]:
            games.append((place, one, two))
    return games


PLAIN: Mapping[str, Any] = {
    "behind_hits": lambda game: int(game["hits_2"] >= 1),
    "behind_wins": lambda game: int(game["winner"] == 2),
    "double_games": lambda game: int(game["points"] >= 2),
    "behind_points": lambda game: game["points"] if game["winner"] == 2 else -game["points"],
}


def test_both_plays_meet_the_same_dice(plays: tuple[Rows, Rows]) -> None:
    for name in ("match_id", "first_player", "opening_1", "opening_2"):
        assert np.array_equal(plays[0][name], plays[1][name])
    given = [one.state.dice for one in listed()]
    for k in range(len(given)):
        dice = given[k]
        if dice is not None:
            assert {int(plays[0][f"opening_{n}"][k]) for n in (1, 2)} == set(dice)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PLAIN)
def test_games_are_counted_plainly(plays: tuple[Rows, Rows], found: Found, kind: str, name: str) -> None:
    games = of_kind(plays, kind)
    points, dice = ([PLAIN[name](game[k]) for game in games] for k in (1, 2))
    assert found[name, f"{kind}, {POINTS}"].interval.mean == pytest.approx(statistics.fmean(points))
    assert found[name, f"{kind}, {DICE}"].interval.mean == pytest.approx(statistics.fmean(dice))
    change = found[f"{name}_change", kind].interval
    assert change.n == len(games)
    assert change.mean == pytest.approx(statistics.fmean(points) - statistics.fmean(dice))
    # By start: the residuals of a start's games are summed before they are squared.
    by_start: dict[int, float] = {}
    for (place, *_), one, two in zip(games, points, dice, strict=True):
        by_start[place] = by_start.get(place, 0.0) + one - two - change.mean
    starts = len(by_start)
    se = math.sqrt(starts / (starts - 1) * sum(x * x for x in by_start.values())) / len(games)
    assert math.isnan(change.se) or change.se == pytest.approx(se)


def test_wins_lost_are_a_share_of_wins_by_most_points(plays: tuple[Rows, Rows], found: Found) -> None:
    games = of_kind(plays, SHOT)
    points, dice = (sum(game[k]["winner"] == 2 for game in games) for k in (1, 2))
    assert points > dice > 0
    assert found["wins_lost", SHOT].interval.mean == pytest.approx((points - dice) / points)


def test_blocks_do_not_matter(plays: tuple[Rows, Rows], found: Found) -> None:
    blocks = [
        tuple({name: rows[name][part] for name in contact.COLUMNS} for rows in plays)
        for part in (slice(0, 701), slice(701, None))
    ]
    for one in contact.played_on(contact.start_sums(blocks), 0.95):  # type: ignore[arg-type]
        assert one.interval == found[one.measure, one.detail].interval


# ---------------------------------------------------------------- counted out


def test_what_is_counted_out_is_the_mean_of_the_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    short = tuple(one for kind in KINDS for one in [place for place in listed() if place.kind == kind][:4])
    monkeypatch.setattr(contact, "listed", lambda: short)
    found = {(one.measure, one.detail): one for one in contact.counted(MOST_POINTS, MOST_DICE, 0.95)}
    for kind in (CONTACT, BACK_GAME):
        apart = [compared(MOST_POINTS, MOST_DICE, one.state.position) for one in short if one.kind == kind]
        forced = statistics.fmean(one.forced for one, _, _ in apart) / 36
        assert found["shot_forced", f"{kind}, {POINTS}"].interval.mean == pytest.approx(forced)
        least = statistics.fmean(other.least for _, other, _ in apart) / 36**2
        assert found["shot_hit", f"{kind}, {DICE}"].interval.mean == pytest.approx(least)
        differ = statistics.fmean(differ for _, _, differ in apart) / 36
        assert found["plays_differ", kind].interval.mean == pytest.approx(differ)
    hits = [fewest_hits(MOST_POINTS, one.state.position, one.state.dice) for one in short if one.state.dice]
    assert found["shot_hit_change", SHOT].interval.mean == pytest.approx(statistics.fmean(hits) / 36)
    assert ("shot_forced", f"{SHOT}, {POINTS}") not in found


@pytest.mark.parametrize(("rare", "low", "high"), [(0, 0.0, 0.0303), (1, 0.0, 0.0457)])
def test_a_share_of_clusters_never_seen_has_the_clusters_as_its_unit(
    rare: int, low: float, high: float
) -> None:
    """120 positions of 36 throws; in one of them all 36 show it, or nowhere any. Clopper-Pearson on 120 units."""
    shown, of = np.zeros(120, np.int64), np.full(120, 36)
    shown[:rare] = 36
    found = clusters.share(shown, of, 120, 0.95, "positions", alone=False)
    assert found.low == pytest.approx(low, abs=3e-4)
    assert found.high == pytest.approx(high, abs=3e-4)
    assert found.method == "Clopper-Pearson, clustered over 120 positions"


def test_rolls_in_play_are_those_of_the_list() -> None:
    found = {(one.measure, one.detail): one.interval for one in contact.forced_in_play(0.95)}
    for kind, seen in contact.rolls_in_play().items():
        change = found["forced_alone_change", kind]
        assert change.n == seen.all > seen.by_points > seen.by_dice == 0
        by_points, by_dice = (found["forced_alone", f"{kind}, {rule}"] for rule in (POINTS, DICE))
        assert change.mean == pytest.approx(seen.by_points / seen.all)
        assert (change.low, change.high) == (by_points.low, by_points.high)
        assert 0 < change.low < change.mean < change.high < 1
        assert (by_dice.mean, by_dice.low, by_dice.high, by_dice.se) == (0, 0, 0, 0)
        assert by_dice.method == contact.NONE_BY_DICE


def test_shares_keep_within_nought_and_one(found: Found) -> None:
    counted = list(contact.counted(MOST_POINTS, MOST_DICE, 0.95))
    levels = [one for key, one in found.items() if key[0] in PLAIN and one.unit == "share of games"]
    for one in (*counted, *levels):
        interval = one.interval
        assert 0 <= interval.low <= interval.mean <= interval.high <= 1, one
        assert interval.low < interval.high or interval.method.startswith("exact")
    names = {(one.measure, one.detail): one.interval for one in counted}
    assert names["plays_differ", BACK_GAME].mean == pytest.approx(4 / 4320)
    assert names["shot_forced_change", BACK_GAME].mean == 0 < names["shot_forced_change", BACK_GAME].high
    assert names["shot_hit", f"{SHOT}, {DICE}"].method == contact.NO_SHOT_BY_DICE
