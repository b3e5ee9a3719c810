"""Cases about toutes tables and backgammon: starts, matches to a number of points, bearing off, chances to hit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from statistics import mean, median
from typing import Final

import numpy as np

from simkit import tables
from simkit.cases.reading import Check, Fields, MalformedError, NotUnderstoodError, shown
from simkit.cases.rule_sets import Presets, of_preset
from simkit.drivers.points import decided, is_new_start, tables_of
from simkit.position import ARROWS, MEN, Position, mirrored
from simkit.rules import STANDARD_START, DoubleCondition, PointMatch, RuleSet, Tables, replace

PLAYERS: Final = ("P1", "P2")
HOME: Final = 6
"""Points of the return jan."""

Side = dict[str, int]
"""The men of a side as a case has them: {place: men}."""


def tables_rules() -> RuleSet:
    """Give the rule set of a case of this family that names none."""
    return RuleSet(name="case", title="The rules of a case", game=Tables(), match=PointMatch())


def family(rules: RuleSet) -> tuple[Tables, PointMatch]:
    """Give game and match of a rule set of this family."""
    if not isinstance(rules.game, Tables):
        raise NotUnderstoodError(f"{rules.name} is trictrac; this type of case is about toutes tables")
    return tables_of(rules)


# ---------------------------------------------------------------- starts


def setup(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge where two rolls place the men; Black travels from 1 to 24."""
    family(rules)
    rolls = [_roll(item, given.place("rolls")) for item in given.items("rolls")]
    position = tables.start(*tables.start_of_rolls(rolls))
    black, white = (
        {str(place): men for place, men in enumerate(side, start=1) if men}
        for side in (position.mover, position.other)
    )
    check.compare_keys(expect, {"black": black, "white": white, "pips_each": tables.pips(position)[0]})


def _roll(item: object, place: str) -> tuple[int, int]:
    match item:
        case [int() as first, int() as second] if all(
            type(die) is int and 1 <= die <= 6 for die in (first, second)
        ):
            return first, second
    raise MalformedError(f"{place} holds {shown(item)}; each is a roll, two numbers from 1 to 6")


def count(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge what is known of all starts together."""
    family(rules)
    positions = [tables.start(*dice) for dice in tables.all_starts()]
    pips = [tables.pips(position)[0] for position in positions]
    distinct = len(set(positions))
    check.compare_keys(
        expect,
        {
            "distinct_positions": distinct,
            "equally_likely": distinct == len(positions),  # one for each pair of rolls of different dice
            "all_colour_symmetric": all(mirrored(position) == position for position in positions),
            "standard_start_count": positions.count(tables.start(*STANDARD_START)),
            "pips_min": min(pips),
            "pips_max": max(pips),
            "pips_median": median(pips),
        },
    )
    if "pips_mean" in expect:
        _compare_rounded(expect, "pips_mean", mean(pips), check)


def _compare_rounded(expect: Fields, key: str, found: float, check: Check) -> None:
    """Compare a number that a case may give to so many decimals."""
    wanted = expect.raw(key)
    if isinstance(wanted, bool) or not isinstance(wanted, int | float):
        raise MalformedError(f"{expect.place(key)} is {shown(wanted)}; it must be a number")
    decimals = len(str(wanted).partition(".")[2])
    check.compare(key, wanted, round(found, decimals) if decimals else found)


# ---------------------------------------------------------------- matches


def schedule(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge which start each game is played from, or how a match told in points ends."""
    _, match = family(rules)
    if "game_points" in given:
        _match_told(given, expect, match, check)
        return
    games = given.integer("games", low=1, high=1000)
    starts, starters = 0, given.items("game_starters")
    if len(starters) != games or any(starter not in PLAYERS for starter in starters):
        raise MalformedError(f"{given.place('game_starters')} must name P1 or P2 for each of {games} games")
    index = []
    for game in range(games):
        if game and is_new_start(match, game):
            starts += 1
        elif game and starters[game] == starters[game - 1]:
            raise MalformedError(
                f"{given.place('game_starters')}: {starters[game]} begins twice in a row from one start"
            )
        index.append(starts)
    check.compare_keys(expect, {"position_index": index})


def _match_told(given: Fields, expect: Fields, match: PointMatch, check: Check) -> None:
    points, winner, played = np.zeros((1, 2), np.int64), None, 0
    for game in given.parts("game_points"):
        who = PLAYERS.index(game.word("winner", PLAYERS))
        worth = game.integer("points", low=1, high=3)
        if winner is None:
            played += 1
            points[0, who] += worth
            if decided(match, points, played)[0]:
                winner = PLAYERS[int(points[0, 1] > points[0, 0])]
    check.compare_keys(
        expect,
        {
            "match_winner": winner,
            "games_played": played,
            "score": dict(zip(PLAYERS, map(int, points[0]), strict=True)),
        },
    )


def race_score(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge whether a game counts double, by every reading of the double game."""
    _, match = family(rules)
    off, home = given.integer("loser_borne_off", high=MEN - 1), given.flag("loser_all_in_return_jan")
    place = HOME if home else HOME + 1  # a place on the own way home is his arrow in the winner's numbers
    loser = tuple(MEN - off if arrow == place else 0 for arrow in range(1, ARROWS + 1))
    position = Position((0,) * ARROWS, loser, (MEN, off))
    found = {
        reading.value: tables.points_of_win(replace(match, double_condition=reading), position)
        for reading in DoubleCondition
    }
    wanted = expect.part("points")
    for name in wanted:
        if name not in found:
            raise NotUnderstoodError(f"{wanted.place(name)} is not known to this version")
    check.compare_keys(wanted, found, "points ")


# ---------------------------------------------------------------- rolls


def shots(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge how many rolls out of 36 reach a lone man at a distance, with nothing in the way."""
    game, _ = family(rules)
    given.ignore("question")
    wanted = expect.part("rolls")
    for distance in wanted:
        if not re.fullmatch("[0-9]{1,2}", distance) or not 1 <= int(distance) < ARROWS:
            raise MalformedError(f"{wanted.place(distance)}: a distance is a number from 1 to {ARROWS - 1}")
        check.compare_keys(wanted, {distance: _rolls_that_hit(game, int(distance))}, "rolls ")


def _rolls_that_hit(game: Tables, distance: int) -> int:
    """Count rolls of one man on arrow 1 with a play that hits a man so many arrows before him."""
    man = (1, *[0] * (ARROWS - 1))
    target = tuple(int(arrow == distance) for arrow in range(ARROWS))
    position = Position(man, target, (MEN - 1, MEN - 1))
    return sum(
        any(after.bar[1] for after in tables.legal_plays(game, position, (die_1, die_2)))
        for die_1, die_2 in product(range(1, 7), repeat=2)
    )


def bear_off(compare: tuple[RuleSet, ...], given: Fields, expect: Fields, check: Check) -> None:
    """Judge every result of a roll by each of some rule sets; places are distances of the player on roll."""
    given.ignore("coordinates")
    own, opponent = _men(given.part("own")), _men(given.part("opponent"))
    position, added = _laid(own, opponent)
    tables.check(position)
    dice = given.dice("roll")
    for rules in compare:
        game, _ = family(rules)
        found = [_result(position, after, added) for after in tables.legal_plays(game, position, dice)]
        wanted = [_wanted(item) for item in expect.parts(rules.name)]
        check.compare(rules.name, sorted(wanted, key=repr), sorted(found, key=repr))


def _men(part: Fields) -> Side:
    """Read a side, {distance or bar: men}."""
    men = {}
    for place in part:
        if place != "bar" and (not re.fullmatch("[0-9]{1,2}", place) or not 1 <= int(place) <= ARROWS):
            raise MalformedError(f"{part.place(place)}: a place is a distance from 1 to {ARROWS}, or the bar")
        men[place] = part.integer(place, low=1, high=MEN)
    if sum(men.values()) > MEN:
        raise MalformedError(f"{part.where} holds {sum(men.values())} men; a side has fifteen")
    return men


def _laid(own: Side, opponent: Side) -> tuple[Position, str]:
    """Lay both sides; men not named are off. Also the place of a man added to an opponent who has none.

    A game goes on only while both have men: one of the opponent's then stands where the player has nobody to meet
    him, farther from the edge than all his men.
    """
    added = ""
    if not opponent:
        if own.get("bar") or own.get(str(ARROWS)):
            raise NotUnderstoodError(
                "an opponent without men is not known to this version, where all may be met"
            )
        added = str(ARROWS)
        opponent = {added: 1}
    sides = [
        tuple(side.get(str(ARROWS + 1 - arrow), 0) for arrow in range(1, ARROWS + 1))
        for side in (own, opponent)
    ]
    off = MEN - sum(own.values()), MEN - sum(opponent.values())
    return Position(sides[0], sides[1], off, (own.get("bar", 0), opponent.get("bar", 0))), added


def _result(before: Position, after: Position, added: str) -> object:
    """Write a result as the file does: both sides by distance, and the points travelled."""
    own, opponent = (
        {str(ARROWS + 1 - arrow): men for arrow, men in enumerate(side, start=1) if men}
        | ({"bar": bar} if bar else {})
        for side, bar in zip((after.mover, after.other), after.bar, strict=True)
    )
    opponent.pop(added, None)
    used = tables.pips(before)[0] - tables.pips(after)[0]
    return {"own": _ordered(own), "opp": _ordered(opponent), "points_used": [used]}


def _wanted(item: Fields) -> object:
    """Read an expected result; the points used are a number, or a list of all totals that lead there."""
    own, opponent, used = item.part("own"), item.part("opp"), item.raw("points_used")
    totals = used if isinstance(used, list) else [used]
    if not all(type(total) is int for total in totals):
        raise MalformedError(f"{item.place('points_used')} is {shown(used)}; it must hold whole numbers")
    return {"own": _ordered(_men(own)), "opp": _ordered(_men(opponent)), "points_used": sorted(totals)}


def _ordered(men: Side) -> Side:
    """Put the places of a side in order, the bar last."""
    return {
        place: men[place] for place in sorted(men, key=lambda name: (not name.isdecimal(), name.zfill(2)))
    }


# ---------------------------------------------------------------- which type asks what

TYPES: Final[Mapping[str, Callable[[Fields, Fields, RuleSet, Check], None]]] = {
    "tt225_setup": setup,
    "tt225_count": count,
    "tt225_schedule": schedule,
    "race_score": race_score,
    "race_shots": shots,
}

COMPARING: Final = "bear_off_legal"
"""The type whose rules are a list of rule sets, each with results of its own."""


def compared(rules: Fields, presets: Presets, case_presets: Mapping[str, object]) -> Iterator[RuleSet]:
    """Give the rule sets that a case compares."""
    names = rules.items("compare")
    if not names:
        raise MalformedError(f"{rules.place('compare')} names no rule set")
    for name in names:
        if not isinstance(name, str):
            raise MalformedError(f"{rules.place('compare')} holds {shown(name)}; it must be names")
        yield replace(of_preset(name, presets, case_presets), name=name)
