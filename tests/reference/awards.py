"""What a roll scores, before any man is moved: rules.md, section 3."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .board import COIN, OTHER_COIN, QUARTERS, Men, counts_of, is_full, men_of, mirrored, missing
from .options import CLASSICAL, Options
from .plays import ALL_OFF, LegalPlays, legal_plays, moved, moves, two_men_at


class Award(NamedTuple):
    """One line of what a roll scores; `points` has the ways included. Points are in the mover's count."""

    jan: str
    beneficiary: str
    points: int
    ways: int | None = 1
    target: int | None = None
    dice_unplayed: int | None = None


def jan_value(dice: Sequence[int], options: Options) -> int:
    """The value v of section 3."""
    return options.jan_points[dice[0] == dice[1]]


def hit_value(target: int, dice: Sequence[int], options: Options) -> int:
    """The value z of section 3."""
    zone = 0 if 7 <= target <= 18 else 1
    return options.hit_points[zone][dice[0] == dice[1]]


def opening_jans(
    own: Men, facing: Men, dice: Sequence[int], roll_number: int, options: Options
) -> Iterable[Award]:
    """3.1: six tables, deux tables, mezeas and the two contre-jans."""
    die_1, die_2 = dice
    value = jan_value(dice, options)
    six = own[2:8]
    if (
        roll_number == 3
        and die_1 != die_2
        and own[1] == 11
        and sorted(six) == [0, 0, 1, 1, 1, 1]
        and own[1 + die_1] == own[1 + die_2] == 0
    ):
        yield Award("six_tables", "mover", options.jan_points[0])
    if own[1] != 13:
        return
    others = [point for point in range(2, 25) for _ in range(own[point])]
    if len(others) == 2 and own[COIN] == 0:
        a, b = others
        reach = {
            (a + die_1, b + die_2),
            (b + die_2, a + die_1),
            (a + die_2, b + die_1),
            (b + die_1, a + die_2),
        }
        if (COIN, OTHER_COIN) in reach:
            if facing[OTHER_COIN]:
                yield Award("contre_deux_tables", "opponent", value)
            else:
                yield Award("deux_tables", "mover", value)
    if own[COIN] == 2 and 1 in dice:
        if facing[OTHER_COIN]:
            yield Award("contre_mezeas", "opponent", value)
        else:
            yield Award("mezeas", "mover", value)


def hits(own: Men, facing: Men, dice: Sequence[int], options: Options) -> Iterable[Award]:
    """3.3: every lone adverse man, hit truly in so many ways, or falsely."""
    die_1, die_2 = dice
    for target in range(1, 25):
        if facing[target] != 1:
            continue
        ways = sum(1 for die in {die_1, die_2} if target - die >= 1 and own[target - die])
        false = False
        if target - die_1 - die_2 >= 1 and own[target - die_1 - die_2]:
            if any(facing[target - die] < 2 for die in (die_1, die_2)):
                ways += 1
            else:
                false = True
        value = hit_value(target, dice, options)
        if ways:
            yield Award("hit_true", "mover", ways * value, ways, target)
        elif false:
            yield Award("hit_false", "opponent", value, 1, target)


def corner_hit(own: Men, facing: Men, dice: Sequence[int], options: Options) -> Iterable[Award]:
    """3.4: the other's empty coin, reached by two men who are not the two that hold the own coin."""
    if own[COIN] < 2 or facing[OTHER_COIN]:
        return
    without_base = own.copy()
    without_base[COIN] -= 2
    if two_men_at(without_base, OTHER_COIN - dice[0], OTHER_COIN - dice[1]):
        yield Award("corner_hit", "mover", jan_value(dice, options))


def fill_ways(
    own: Men, other: Men, dice: Sequence[int], quarter: int, plays: LegalPlays, options: Options
) -> int:
    """3.2: in how many ways the roll fills a quarter; 0 if no legal play ends with it full.

    Two men missing are one way, puissance included. One man missing: each die by a surplus man, and both dice
    by one, as far as a legal play of the whole roll contains it and ends with the quarter full (M13, M17).
    Rulings: "two men missing", "filling par puissance", "a way survives the roll".
    """
    full = {position for position in plays.positions if is_full([0, *position], quarter)}
    if not full or is_full(own, quarter):
        return 0
    if missing(own, quarter) == 2:
        return 1
    facing = mirrored(other)
    inside = range(quarter, quarter + 6)
    gap = next(point for point in inside if own[point] == 1)
    ways = 0
    for die, rest_die in {(dice[0], dice[1]), (dice[1], dice[0])}:
        source = gap - die
        if source < 1 or own[source] < (3 if source in inside else 1):
            continue
        if plays.unplayed == 1:
            ways += counts_of(moved(own, source, gap)) in full
            continue
        filled = moved(own, source, gap)
        filling_first = (
            moved(filled, move.start, move.to) for move in moves(filled, facing, rest_die, options)
        )
        filling_last = (
            moved(moved(own, move.start, move.to), source, gap)
            for move in moves(own, facing, rest_die, options)
            if own[source] > (move.start == source)
        )
        ways += any(counts_of(men) in full for plays_of in (filling_first, filling_last) for men in plays_of)
    source = gap - dice[0] - dice[1]
    rest_is_free = any(not facing[gap - die] for die in dice if gap - die >= 1)
    if source >= 1 and own[source] and rest_is_free and counts_of(moved(own, source, gap)) in full:
        ways += 1
    return ways


def fills_and_conserves(
    own: Men, other: Men, dice: Sequence[int], plays: LegalPlays, options: Options
) -> Iterable[Award]:
    """3.2: a quarter filled, in so many ways, or kept full by a legal play (or for want of one)."""
    value = jan_value(dice, options)
    for name, quarter in QUARTERS.items():
        if is_full(own, quarter):
            if any(is_full([0, *position], quarter) for position in plays.positions):
                yield Award(f"conserve_{name}", "mover", value)
        elif missing(own, quarter) <= 2:
            ways = fill_ways(own, other, dice, quarter, plays, options)
            if ways:
                yield Award(f"fill_{name}", "mover", ways * value, ways)


def roll(
    own: Sequence[int],
    other: Sequence[int],
    dice: Sequence[int],
    roll_number: int = 0,
    options: Options = CLASSICAL,
) -> tuple[LegalPlays, list[Award]]:
    """The legal plays of a roll and all it scores, in one go. See `awards`."""
    mine, his = men_of(own), men_of(other)
    facing = mirrored(his)
    plays = legal_plays(own, other, dice, options)
    value = jan_value(dice, options)
    found = [
        *opening_jans(mine, facing, dice, roll_number, options),
        *hits(mine, facing, dice, options),
        *corner_hit(mine, facing, dice, options),
        *fills_and_conserves(mine, his, dice, plays, options),
    ]
    if ALL_OFF in plays.positions:  # 3.6
        found.append(Award("sortie", "mover", value))
    if options.pile_de_misere_enabled and any(
        position[COIN - 1] == 15 for position in plays.positions
    ):  # 3.7
        found.append(Award("pile_de_misere", "mover", value))
    if plays.unplayed:  # 3.5
        points = plays.unplayed * options.impuissance_points
        found.append(Award("impuissance", "opponent", points, None, None, plays.unplayed))
    return plays, found


def awards(
    own: Sequence[int],
    other: Sequence[int],
    dice: Sequence[int],
    roll_number: int = 0,
    options: Options = CLASSICAL,
) -> list[Award]:
    """All that a roll scores, for both players; 24 counts a side, each in its own count.

    `roll_number` counts the mover's rolls since the men were last on the talons, from 1; 0 if it is not known
    and not one of the first three.
    """
    return roll(own, other, dice, roll_number, options)[1]


def totals(found: Iterable[Award]) -> tuple[int, int]:
    """Points of the mover and of his opponent."""
    gains = {"mover": 0, "opponent": 0}
    for award in found:
        gains[award.beneficiary] += award.points
    return gains["mover"], gains["opponent"]
