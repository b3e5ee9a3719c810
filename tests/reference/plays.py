"""Legal plays of a roll: rules.md, section 2, restated rule by rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .board import (
    COIN,
    GRAND_JAN,
    JAN_DE_RETOUR,
    OFF,
    OTHER_COIN,
    PETIT_JAN,
    Counts,
    Men,
    all_home,
    barred_points,
    counts_of,
    is_full,
    men_of,
    mirrored,
)
from .options import CLASSICAL, Options

ALL_OFF: Counts = (0,) * 24


class LegalPlays(NamedTuple):
    """The positions of the mover after the roll, and how many dice stay unplayed (0, 1 or 2).

    The die that is left over when the last man leaves is void, not unplayed (M22).
    """

    positions: set[Counts]
    unplayed: int


class Move(NamedTuple):
    """One man by one die; `to` is 25 for the rail, `overflow` when the number exceeded it (M19)."""

    start: int
    to: int
    overflow: bool


def moves(own: Men, facing: Men, die: int, options: Options) -> list[Move]:
    """Every way to use one die now. `facing` is the other side in the mover's count.

    M4: no man stops or rests where an adverse man stands. M18: the rail is open once all men are home. M19:
    the exact number may leave, a short one is played inside, one beyond every man takes the farthest;
    where `bear_off_exact_policy` is mandatory, the exact number must leave.
    """
    home = all_home(own)
    if home and own[25 - die] and options.bear_off_exact_policy == "mandatory":
        return [Move(25 - die, OFF, overflow=False)]
    found = []
    for point in range(1, 25):
        if not own[point]:
            continue
        to = point + die
        if to < OFF:
            if not facing[to]:
                found.append(Move(point, to, overflow=False))
        elif home and (to == OFF or not any(own[19:point])):
            found.append(Move(point, OFF, overflow=to > OFF))
    return found


def moved(own: Men, start: int, to: int) -> Men:
    after = own.copy()
    after[start] -= 1
    after[to] += 1
    return after


def may_stop(men: Men, barred: list[int]) -> bool:
    """M5 (never one man on the coin), M7 and M11, asked of the position after the roll only.

    So rests on an empty coin (M6, M7) and in a forbidden grand jan (M12) are allowed, and two men take or
    leave the coin together.
    """
    if men[COIN] == 1:
        return False
    for point in barred:
        if men[point]:
            return False
    return True


def two_men_at(own: Men, point_1: int, point_2: int) -> bool:
    """Whether two different men stand on the two points, which may be one."""
    if point_1 == point_2:
        return own[point_1] >= 2
    return own[point_1] >= 1 and own[point_2] >= 1


def takes_corner_by_puissance(own: Men, facing: Men, dice: Sequence[int]) -> bool:
    """M8 and M9: both coins empty, the dice bring two men to the other's, and no two to the own one."""
    die_1, die_2 = dice
    if own[COIN] or facing[OTHER_COIN]:
        return False
    if two_men_at(own, COIN - die_1, COIN - die_2):
        return False
    return two_men_at(own, OTHER_COIN - die_1, OTHER_COIN - die_2)


def both_or_one(own: Men, other: Men, dice: Sequence[int], options: Options) -> LegalPlays:
    """The plays allowed by M13, M14 and M20, before the obligations of M16."""
    facing, barred = mirrored(other), barred_points(other)
    die_1, die_2 = dice
    both: dict[Counts, bool] = {}  # position -> it takes an overflow to get there
    single: dict[int, set[Counts]] = {die_1: set(), die_2: set()}
    for first, second in {(die_1, die_2), (die_2, die_1)}:
        for start, to, overflow in moves(own, facing, first, options):
            after = moved(own, start, to)
            if after[OFF] == 15:
                both[ALL_OFF] = overflow and both.get(ALL_OFF, True)
                continue
            if may_stop(after, barred):
                single[first].add(counts_of(after))
            for start_2, to_2, overflow_2 in moves(after, facing, second, options):
                final = moved(after, start_2, to_2)
                if may_stop(final, barred):
                    position = counts_of(final)
                    both[position] = (overflow or overflow_2) and both.get(position, True)
    if takes_corner_by_puissance(own, facing, dice):
        final = moved(moved(own, OTHER_COIN - die_1, COIN), OTHER_COIN - die_2, COIN)
        both[counts_of(final)] = False
    if both:
        without = {position for position, overflow in both.items() if not overflow}
        return LegalPlays(without or set(both), 0)
    for die in sorted(dice, reverse=True):
        if single[die]:
            return LegalPlays(single[die], 1)
    return LegalPlays({counts_of(own)}, 2)


def with_obligations(plays: LegalPlays) -> LegalPlays:
    """M22: the last men leave if they can. M16: a quarter that can end full must."""
    if ALL_OFF in plays.positions:
        return LegalPlays({ALL_OFF}, plays.unplayed)
    for quarter in (PETIT_JAN, GRAND_JAN, JAN_DE_RETOUR):
        full = {position for position in plays.positions if is_full([0, *position], quarter)}
        if full:
            return LegalPlays(full, plays.unplayed)
    return plays


def legal_plays(
    own: Sequence[int], other: Sequence[int], dice: Sequence[int], options: Options = CLASSICAL
) -> LegalPlays:
    """Every legal position of the mover after the roll; 24 counts a side, each in its own count."""
    return with_obligations(both_or_one(men_of(own), men_of(other), dice, options))
