"""Worked examples about toutes tables, run with the twin; what is given and expected is told in the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from statistics import median
from typing import Any

from .board import BAR, Board, pips, side, turned
from .match import is_double, match_end, start_numbers
from .plays import all_ways, lawful
from .shots import hitting_rolls
from .starts import STANDARD, Start, all_starts, board_of, draw, points

Case = Mapping[str, Any]

_TABLES: dict[str, Any] = {
    "start_selection": "standard",
    "games_per_start": 1,
    "first_roll_method": "draw_is_first_throw",
    "move_rule": "max_points",
    "doubles_played": 4,
    "double_condition": "off0_and_not_all_home",
    "triple_condition": "none",
    "cube": False,
    "cube_limit": 32,
    "crawford": True,
    "match_points": 3,
    "pair_first_starter": "draw",
    "second_game_opening": "fresh_throw",
    "match_end_mid_pair": True,
}
_BACKGAMMON = _TABLES | {
    "move_rule": "max_dice",
    "double_condition": "off0",
    "triple_condition": "bar_or_in_winner_home",
}
PRESETS: dict[str, dict[str, Any]] = {
    "toutes_tables": _TABLES,
    "backgammon": _BACKGAMMON,
    "toutes_tables_225": _TABLES | {"start_selection": "random_225", "games_per_start": 2},
    "backgammon_225": _BACKGAMMON | {"start_selection": "random_225", "games_per_start": 2},
    "backgammon_cube": _BACKGAMMON | {"cube": True, "match_points": 7},
    "backgammon_225_cube": _BACKGAMMON
    | {"start_selection": "random_225", "games_per_start": 2, "cube": True, "match_points": 7},
}
ALIASES = {"starts_per_position": "games_per_start"}
DOUBLE_CONDITIONS = ("off0_and_not_all_home", "off0", "off0_or_not_all_home")
PLAYERS = ("P1", "P2")


class UnknownError(Exception):
    """A field, a preset or a word the twin does not know."""


def rules_of(given: Case) -> dict[str, Any]:
    """A preset, if one is named, with fields over it."""
    fields = dict(given)
    preset = fields.pop("preset", "toutes_tables_225")
    if preset not in PRESETS:
        raise UnknownError(f"preset {preset}")
    rules = dict(PRESETS[preset])
    for name, value in (fields.pop("override", {}) | fields).items():
        field = ALIASES.get(name, name)
        if field not in rules:
            raise UnknownError(f"field {name}")
        rules[field] = 4 if value == "four_times" else value
    return rules


def tt225_setup(case: Case) -> dict[str, Any]:
    rules_of(case["rules"])
    start = draw([(first, second) for first, second in case["input"]["rolls"]])
    black, white = ({str(point): count for point, count in sorted(men.items())} for men in points(start))
    return {"black": black, "white": white, "pips_each": pips(board_of(start).own)}


def mirrored(start: Start) -> tuple[dict[int, int], dict[int, int]]:
    """The men of Black and of White with the board reflected and the colours exchanged."""
    black, white = points(start)
    reflected = [{25 - point: men for point, men in colour.items()} for colour in (white, black)]
    return reflected[0], reflected[1]


def tt225_count(case: Case) -> dict[str, Any]:
    """All 225 draws: two throws of different dice, each one of 15 as likely as the others."""
    rules_of(case["rules"])
    starts = list(all_starts())
    boards = [board_of(start) for start in starts]
    each = [pips(board.own) for board in boards]
    symmetric = [
        turned(board) == board and mirrored(start) == points(start)
        for start, board in zip(starts, boards, strict=True)
    ]
    return {
        "distinct_positions": len(set(boards)),
        "equally_likely": len(set(boards)) == len(starts) == 15 * 15,
        "all_colour_symmetric": all(symmetric),
        "standard_start_count": sum(board == board_of(STANDARD) for board in boards),
        "pips_min": min(each),
        "pips_max": max(each),
        "pips_median": median(each),
        "pips_mean": sum(each) / len(each),
    }


def tt225_schedule(case: Case) -> dict[str, Any]:
    rules, given = rules_of(case["rules"]), case["input"]
    if "games" in given:
        starters = given["game_starters"]
        numbers = start_numbers(given["games"], rules["games_per_start"])
        for before, after in pairwise(range(len(starters))):
            same_start = numbers[before] == numbers[after]
            assert not same_start or starters[before] != starters[after], "each player begins one"
        return {"position_index": numbers}
    results = [(PLAYERS.index(game["winner"]), game["points"]) for game in given["game_points"]]
    end = match_end(results, rules["match_points"], rules["games_per_start"], rules["match_end_mid_pair"])
    return {
        "match_winner": None if end.winner is None else PLAYERS[end.winner],
        "games_played": end.games,
        "score": dict(zip(PLAYERS, end.score, strict=True)),
    }


def men_of(given: Mapping[str, int], *, is_opponent: bool) -> dict[int, int]:
    """Men by the distance of the player on roll, as distances of their owner."""
    men = {}
    for place, count in given.items():
        distance = BAR if place == "bar" else 25 - int(place) if is_opponent else int(place)
        men[distance] = count
    return men


def men_as_in_case(board: Board, before: Board) -> tuple[dict[str, int], dict[str, int]]:
    """Both sides by the distance of the player on roll; who had not been named is not named."""
    own = {str(distance): board.own[distance] for distance in range(1, 25) if board.own[distance]}
    if board.own[BAR]:
        own["bar"] = board.own[BAR]
    opponent = {str(25 - place): board.other[place] for place in range(24, 0, -1) if board.other[place]}
    if board.other[BAR]:
        opponent["bar"] = board.other[BAR]
    assert sum(board.other) == sum(before.other)
    return own, opponent


def bear_off_legal(case: Case) -> dict[str, Any]:
    """Every result of the roll, with the points that lead there: a number, or a list where several may."""
    given, found = case["input"], {}
    board = Board(
        side(men_of(given["own"], is_opponent=False)), side(men_of(given["opponent"], is_opponent=True))
    )
    for name in case["rules"]["compare"]:
        rules = rules_of({"preset": name})
        ways = lawful(all_ways(board, tuple(given["roll"]), rules["doubles_played"]), rules["move_rule"])
        results = []
        for after in {way.board for way in ways}:
            own, opponent = men_as_in_case(after, board)
            totals = sorted({way.points for way in ways if way.board == after})
            results.append({"own": own, "opp": opponent, "points_used": totals})
        found[name] = sorted(results, key=str)
    return found


def expected_results(results: list[Case]) -> list[dict[str, Any]]:
    """The results of a case in the form of `bear_off_legal`."""
    made = []
    for result in results:
        points_used = result["points_used"]
        totals = sorted(points_used) if isinstance(points_used, list) else [points_used]
        made.append({"own": in_order(result["own"]), "opp": in_order(result["opp"]), "points_used": totals})
    return sorted(made, key=str)


def in_order(men: Mapping[str, int]) -> dict[str, int]:
    places = sorted((place for place in men if place != "bar"), key=int) + ["bar"] * ("bar" in men)
    return {place: men[place] for place in places}


def race_score(case: Case) -> dict[str, Any]:
    rules_of(case["rules"])
    off, home = case["input"]["loser_borne_off"], case["input"]["loser_all_in_return_jan"]
    return {"points": {name: 2 if is_double(off, home, name) else 1 for name in DOUBLE_CONDITIONS}}


def race_shots(case: Case) -> dict[str, Any]:
    rules = rules_of(case["rules"])
    return {"rolls": {str(d): hitting_rolls(d, rules["doubles_played"]) for d in range(1, 25)}}


RUNNERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    runner.__name__: runner
    for runner in (
        tt225_setup,
        tt225_count,
        tt225_schedule,
        bear_off_legal,
        race_score,
        race_shots,
    )
}
"""Each gives what it finds, by the keys of `expected`."""


def expected_of(case: Case) -> dict[str, Any]:
    """What a case expects, in the form its runner finds it."""
    expected = dict(case["expected"])
    if case["type"] == "bear_off_legal":
        return {name: expected_results(results) for name, results in expected.items()}
    return expected


def found_by(case: Case) -> dict[str, Any]:
    """What the twin finds, cut to the entries of tables that the case names."""
    found = RUNNERS[case["type"]](case)
    if case["type"] == "race_shots":
        named = case["expected"]["rolls"]
        found["rolls"] = {distance: found["rolls"].get(distance) for distance in named}
    if "pips_mean" in case["expected"]:
        decimals = len(str(case["expected"]["pips_mean"]).partition(".")[2])
        found["pips_mean"] = round(found["pips_mean"], decimals)
    if case["type"] == "race_score":
        found["points"] = {name: found["points"].get(name) for name in case["expected"]["points"]}
    return found
