"""What hinders moves of toutes tables and backgammon that cannot be made: the laws that exclude a play, in words.

The kernel alone says what is legal, and is asked first (`simkit.steps`). Here every order of the moves is gone
through as if nothing were forbidden, and what each of them would break is noted. Named are the fewest laws of
which every order breaks one, so that they alone exclude the play. Laws are sections of docs/rules.md, part III. A
place is an arrow of the mover's, 0 for the bar and 25 off the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from simkit.numbering import OURS, Numbering
from simkit.position import ARROWS, Position
from simkit.tables import Dice

BAR: Final = 0
OFF: Final = ARROWS + 1
HOME: Final = 19
"""The first arrow of the return jan."""

Chain = tuple[int, ...]
"""The places of one man, from where he stands."""


@dataclass(frozen=True)
class Reason:
    """A law that excludes a play; `field` is the rule field that decides, if there is one."""

    law: str
    words: str
    field: str = ""


class Law(IntEnum):
    """What a single step may break; the first is told where several would do."""

    NO_MAN = 0
    BAR_FIRST = 1
    CLOSED = 2
    OUTSIDE = 3
    FARTHEST = 4


class Breach(NamedTuple):
    """A law broken; `place` tells of whom, `end` where he would land."""

    law: Law
    place: int = 0
    end: int = 0


class _Men(NamedTuple):
    """The mover's men and the other's by the mover's places, and those of the other that were hit."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    hit: int


class _Moving(NamedTuple):
    """A man on his way: where he came from, the places still before him, and whether there is such a man."""

    origin: int
    places: Chain
    there: bool


def place_name(place: int, names: Numbering = OURS) -> str:
    """Name a place: `bar`, an arrow, `off`."""
    return {BAR: "bar", OFF: "off"}.get(place) or names.write(place)


def of_moves(
    position: Position, dice: Dice, numbers: tuple[int, ...], chains: Sequence[Chain], names: Numbering = OURS
) -> tuple[Reason, ...]:
    """Say which laws exclude moves that cannot be made.

    Parameters
    ----------
    position, dice
        The men before the roll, and the roll.
    numbers
        The numbers it lets be played: two, or that of a double several times.
    chains
        The moves, each the places of one man.
    names
        Whose names the arrows have.
    """
    men, moving = _men(position), [_Moving(chain[0], chain, there=True) for chain in chains]
    broken = set(_broken(men, numbers, tuple(moving), frozenset()))
    if broken:
        return _told(position, _fewest(broken), names)
    apart = [chain for chain in dict.fromkeys(chains) if not _leads(numbers, chain)]
    shown = f"the dice {dice[0]} and {dice[1]} do not"
    if not apart:
        return (Reason("III.4", f"{shown} allow these moves together"),)
    return tuple(Reason("III.4", f"{shown} lead {_leg(numbers, chain, names)}") for chain in apart)


def of_position(
    position: Position, dice: Dice, numbers: tuple[int, ...], after: Position, names: Numbering = OURS
) -> tuple[Reason, ...]:
    """Say which laws exclude that the men come to stand so; arguments as for `of_moves`."""
    wanted = _men(after)._replace(hit=after.bar[1] - position.bar[1])
    broken: set[frozenset[Breach]] = set()
    for order in {numbers, numbers[::-1]}:
        layer = {_men(position): {frozenset[Breach]()}}
        for number in order:
            broken |= layer.get(wanted, set())
            layer = _one_further(layer, number)
        broken |= layer.get(wanted, set())
    if not broken:
        return (Reason("III.4", f"the dice {dice[0]} and {dice[1]} do not lead there"),)
    return _told(position, _fewest(broken), names)


# ---------------------------------------------------------------- every order


def _men(position: Position) -> _Men:
    own = (position.bar[0], *position.mover, position.off[0])
    return _Men(own, (0, *position.other, 0), 0)


def _broken(
    men: _Men, numbers: tuple[int, ...], moving: tuple[_Moving, ...], before: frozenset[Breach]
) -> Iterator[frozenset[Breach]]:
    """The laws that each way of making the moves breaks; no way if the numbers do not lead there."""
    if not moving:
        yield before
        return
    for number in sorted(set(numbers)):
        left = list(numbers)
        left.remove(number)
        for one in sorted(set(moving)):
            start, goal = one.places[0], one.places[1]
            end = min(start + number, OFF)
            if end > goal:
                continue
            there = one.there and men.own[start] > 0
            laws = set(_breaches(men, one.origin, start, number))
            if one.there and not there:
                laws.add(Breach(Law.NO_MAN, start))
            ahead = one.places[1:] if end == goal else (end, *one.places[1:])
            rest = list(moving)
            rest.remove(one)
            if len(ahead) > 1:
                rest.append(_Moving(one.origin, ahead, there))
            after = _moved(men, start, end) if there else men
            yield from _broken(after, tuple(left), tuple(rest), before | laws)


def _one_further(
    layer: dict[_Men, set[frozenset[Breach]]], number: int
) -> dict[_Men, set[frozenset[Breach]]]:
    """Where one number more leads to, whatever it breaks."""
    found: dict[_Men, set[frozenset[Breach]]] = {}
    for men, ways in layer.items():
        for start in range(OFF):
            if men.own[start]:
                laws = frozenset(_breaches(men, start, start, number))
                after = _moved(men, start, min(start + number, OFF))
                found.setdefault(after, set()).update(before | laws for before in ways)
    return {men: _least(ways) for men, ways in found.items()}


def _least(ways: set[frozenset[Breach]]) -> set[frozenset[Breach]]:
    """The ways that break no more than another does."""
    return {one for one in ways if not any(other < one for other in ways)}


def _breaches(men: _Men, origin: int, start: int, number: int) -> Iterator[Breach]:
    """The laws of III.4 and III.5 that a step breaks, whatever else is broken."""
    end = start + number
    if men.own[BAR] and start != BAR:
        yield Breach(Law.BAR_FIRST)
    if end < OFF:
        if men.other[end] > 1:
            yield Breach(Law.CLOSED, origin, end)
        return
    if any(men.own[:HOME]):
        yield Breach(Law.OUTSIDE, origin)
    if end > OFF and any(men.own[:start]):
        yield Breach(Law.FARTHEST, start)


def _moved(men: _Men, start: int, end: int) -> _Men:
    own, other, hit = list(men.own), men.other, men.hit
    own[start] -= 1
    own[end] += 1
    if end < OFF and other[end] == 1:
        other, hit = (*other[:end], 0, *other[end + 1 :]), hit + 1
    return _Men(tuple(own), other, hit)


def _fewest(broken: Iterable[frozenset[Breach]]) -> tuple[Breach, ...]:
    """The fewest breaches of which every way has one, by the order of `Law` where several sets would do."""
    ways = _least(set(broken))
    known = sorted(frozenset().union(*ways))
    for size in range(1, len(known)):
        for some in combinations(known, size):
            if all(way & set(some) for way in ways):
                return some
    return tuple(known)


# ---------------------------------------------------------------- words


def _told(position: Position, breaches: Sequence[Breach], names: Numbering) -> tuple[Reason, ...]:
    """The breaches in words; landings of one man together."""
    reasons = []
    for law, place in dict.fromkeys((one.law, one.place) for one in breaches):
        where = "the bar" if place == BAR else place_name(place, names)
        if law is Law.NO_MAN:
            reasons.append(Reason("III.4", _missing(_men(position).own[place], where)))
        elif law is Law.BAR_FIRST:
            reasons.append(Reason("III.4", "a man on the bar comes in before anybody else moves"))
        elif law is Law.CLOSED:
            held = [names.write(one.end) for one in breaches if (one.law, one.place) == (law, place)]
            holds = "holds" if len(held) == 1 else "hold"
            words = f"where the man from {where} would land, {holds} two men or more of the other's"
            reasons.append(Reason("III.4", f"{' and '.join(held)}, {words}"))
        elif law is Law.OUTSIDE:
            words = f"nobody leaves from {where} while a man is outside the return jan"
            reasons.append(Reason("III.5", words))
        else:
            words = (
                f"a number larger than {OFF - place} takes off the farthest man only, not one from {where}"
            )
            reasons.append(Reason("III.5", words))
    return tuple(reasons)


def _missing(standing: int, where: str) -> str:
    """That nobody stands there, or fewer men than are to move."""
    if standing:
        return f"{standing} {'man' if standing == 1 else 'men'} only {_stand(where, standing)} {where}"
    return f"no man {_stand(where, 1)} {where}"


def _stand(where: str, men: int) -> str:
    if where == "the bar":
        return "is on" if men == 1 else "are on"
    return "stands on" if men == 1 else "stand on"


def _leg(numbers: tuple[int, ...], chain: Chain, names: Numbering) -> str:
    """The part of a man's way that the dice do not lead: one leg of it if they do not lead that alone."""
    named = ["the bar" if place == BAR else place_name(place, names) for place in chain]
    for place, leg in enumerate(pairwise(chain)):
        if not _leads(numbers, leg):
            return f"from {named[place]} to {named[place + 1]}"
    return f"from {named[0]} to {named[-1]} by way of {' and '.join(named[1:-1])}"


def _leads(numbers: tuple[int, ...], chain: Chain) -> bool:
    """Whether some of the numbers, in some order, lead from the first place to the last by all the others."""
    nobody = _Men((0,) * (OFF + 1), (0,) * (OFF + 1), 0)
    ways = _broken(nobody, numbers, (_Moving(chain[0], chain, there=False),), frozenset())
    return next(ways, None) is not None
