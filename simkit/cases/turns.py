"""Cases about three to five players: who plays which set, and what they pay each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from simkit.cases.match import KIND_WORDS, set_rows, value_words, written_of
from simkit.cases.reading import Check, Fields, MalformedError, NotUnderstoodError, shown
from simkit.cases.rule_sets import written
from simkit.drivers.match import next_first_thrower
from simkit.drivers.seating import first_leaver, seats_of, staying_side
from simkit.rules import SEATS, Combine, RuleSet, SetFirstDie, Settlement, TableMode, Written, table_of
from simkit.settle import set_values
from simkit.settle_turns import tourner_paris, tourner_set

PLAYERS: Final = ("P1", "P2", "P3", "P4", "P5")
NOBODY_FIRST: Final = np.array([[0, 1, 2]])
"""Turns for payments that have no odd jetons to be given to whoever came first."""


def rotation(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge who plays each set, and who throws first in it."""
    match = rules.match if isinstance(rules.match, Combine) else written_of(rules)
    mode = table_of(match)
    if mode is TableMode.TWO:
        raise NotUnderstoodError("two at the table do not take turns")
    names, order = _table(given, match)
    winner = 0
    if mode in (TableMode.TWO_V_TWO, TableMode.TOURNER):
        loser, first = (
            given.word("first_set_loser", names),
            [names[one] for one in seats_at(match, order, 0, 0)],
        )
        if loser not in first:
            raise MalformedError(f"{given.where}.first_set_loser: {loser} does not play the first set")
        winner = 1 - first.index(loser)
    leaver = int(first_leaver(match, np.array([winner]))[0])
    seats = [seats_at(match, order, leaver, place) for place in range(given.integer("sets", low=1, high=24))]
    pairs = [[names[one] for one in _stayer_first(pair, leaver, place)] for place, pair in enumerate(seats)]
    found: dict[str, object] = {"pairs": pairs, "last_pair": pairs[-1]}
    if match.set_first_die is SetFirstDie.STAYS:
        found["first_die_from_second_set"] = "player_who_stays"
    if mode is TableMode.CHOUETTE:
        found["opponents"] = [names[pair[1]] for pair in seats]
        if match.set_first_die is not SetFirstDie.WINNER_PREV:
            found["first_die"] = [
                names[pair[side]] for pair, side in zip(seats, _in_turn(match), strict=False)
            ]
    check.compare_keys(expect, found)


def seats_at(match: Written | Combine, order: list[int], leaver: int, place: int) -> tuple[int, int]:
    """Give the two who play a set of one match, side 1 first; players count from 0."""
    one, two = seats_of(match, np.array([order]), np.array([leaver]), place)[0]
    return int(one), int(two)


def _stayer_first(pair: tuple[int, int], leaver: int, place: int) -> tuple[int, int]:
    return pair[::-1] if place and int(staying_side(leaver, place)) else pair


def _in_turn(match: Written | Combine) -> list[int]:
    """Give the sides that throw first in the sets of a chouette, whoever wins them."""
    sides = [0]
    while len(sides) < 24:
        sides.append(int(next_first_thrower(match.set_first_die, sides[-1], 0)))
    return sides


def _table(given: Fields, match: Written | Combine) -> tuple[list[str], list[int]]:
    """Read the players by their numbers, and in which order they come to play."""
    mode = table_of(match)
    if mode is TableMode.CHOUETTE:
        names = [given.word("alone", PLAYERS), *_names(given, "associates")]
        return _all(names, match, given), [0, 1, 2]
    first = _names(given, "first_pair")
    if mode is TableMode.TOURNER:
        names = [*first, *(name for name in PLAYERS[:3] if name not in first)]
        return _all(names, match, given), [0, 1, 2]
    sides = given.items("sides")
    if len(sides) != 2 or not all(isinstance(side, list) for side in sides):
        raise MalformedError(f"{given.place('sides')} must be two lists of players")
    names = [str(name) for side in sides if isinstance(side, list) for name in side]
    _all(names, match, given)
    order: list[int] = []
    for size in SEATS[mode]:
        side = range(len(order), len(order) + size)
        order += sorted(side, key=lambda player: names[player] not in first)
    return names, order


def _names(given: Fields, key: str) -> list[str]:
    names = given.items(key)
    if len(names) != 2 or not all(name in PLAYERS for name in names):
        raise MalformedError(f"{given.place(key)} is {shown(names)}; it must be two of {', '.join(PLAYERS)}")
    return [str(name) for name in names]


def _all(names: list[str], match: Written | Combine, given: Fields) -> list[str]:
    """Give the names of all players, if they are as many as the table has."""
    if len(set(names)) != match.players or len(names) != match.players:
        raise MalformedError(
            f"{given.where}: {shown(names)} are not the {match.players} players of match.table_mode = "
            f"{match.table_mode.value}"
        )
    return names


def tourner_set_payment(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge what the loser of a set pays to its winner and to the one who sat out."""
    match = written_of(rules)
    names = [given.word(key, PLAYERS[:3]) for key in ("winner", "loser", "idle")]
    if len(set(names)) != 3:
        raise MalformedError(f"{given.where}: winner, loser and idle are three players, found {shown(names)}")
    rows = _priced_as(given, match.settlement)
    to_winner, to_idle = tourner_set(rows, match.settlement)
    check.compare_keys(expect, {"loser_to_winner": int(to_winner[0]), "loser_to_idle": int(to_idle[0])})


def _priced_as(given: Fields, settlement: Settlement) -> Mapping[str, Any]:
    """Make the row of a set whose kind and multiplier are given; a pickup may tell them apart."""
    kind, multiplier = given.word("kind", KIND_WORDS[1:]), given.integer("multiplier", low=1)
    holes = given.integer("winner_holes", low=1), given.integer("loser_holes")
    do_overs = given.integer("refaits_before", high=20, default=0)
    for picked_up in (True, False):
        rows = set_rows(
            winner=1,
            holes_1=holes[0],
            holes_2=holes[1],
            do_overs=do_overs,
            run_intact_1=kind != "simple",
            picked_up_1=picked_up,
            picked_up_2=picked_up,
        )
        price = value_words(set_values(rows, settlement))
        if (price["kind"], price["multiplier"]) == (kind, multiplier):
            return rows
    raise MalformedError(
        f"{given.where}: a set of {holes[0]} holes is {price['kind']} and counts {price['multiplier']} times by "
        f"these rules, not {kind} and {multiplier} times"
    )


def tourner_payments(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge who pays whom for lost sets."""
    lost = given.part("sets_lost")
    counts = [lost.integer(name, high=24) for name in PLAYERS[:3]]
    if sum(counts) % 3:
        raise MalformedError(f"{lost.where}: {shown(counts)} add up to no multiple of 3, the sets of a match")
    paid = tourner_paris(np.array([counts]), NOBODY_FIRST, written_of(rules).settlement)[0]
    found = [
        {"payer": PLAYERS[payer], "payee": PLAYERS[payee], "amount": int(paid[payer, payee])}
        for payer, payee in zip(*np.nonzero(paid), strict=True)
    ]
    if "payments" in expect:
        check.compare("payments", *(sorted(side, key=shown) for side in (expect.items("payments"), found)))


TYPES: Final[Mapping[str, Callable[[Fields, Fields, RuleSet, Check], None]]] = {
    "rotation": rotation,
    "tourner_set_payment": tourner_set_payment,
    "tourner_paris": tourner_payments,
}


def rules_without_preset(_: str) -> RuleSet:
    """Give the rule set over which a case of these types lays its fields if it names no other."""
    return written()
