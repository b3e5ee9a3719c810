"""Men, the mirror between the two counts, and full, missing and forbidden quarters."""

from __future__ import annotations

from collections.abc import Sequence

from .options import CLASSICAL, Options

Men = list[int]
Counts = tuple[int, ...]

COIN = 12
OTHER_COIN = 13
OFF = 25
PETIT_JAN, GRAND_JAN, OTHER_GRAND_JAN, JAN_DE_RETOUR = 1, 7, 13, 19
QUARTERS = {"petit_jan": PETIT_JAN, "grand_jan": GRAND_JAN, "jan_de_retour": JAN_DE_RETOUR}
"""The quarters one can fill, by their first point; 13 to 18 can never be filled (3.2)."""


def men_of(counts: Sequence[int]) -> Men:
    """Put 24 counts into a list by point; the men missing to fifteen are off."""
    return [0, *counts, 15 - sum(counts)]


def counts_of(men: Men) -> Counts:
    return tuple(men[1:25])


def start() -> Men:
    """Fifteen men on the talon (M1)."""
    return [0, 15, *[0] * 24]


def mirrored(men: Men) -> Men:
    """The same men in the other player's count: his point q is my point 25 - q (section 1)."""
    return [0, *men[24:0:-1], men[OFF]]


def is_full(men: Men, quarter: int) -> bool:
    """Whether each of the six points holds at least two men (3.2)."""
    return all(men[point] >= 2 for point in range(quarter, quarter + 6))


def missing(men: Men, quarter: int) -> int:
    """How many men a quarter lacks to be full."""
    return sum(max(0, 2 - men[point]) for point in range(quarter, quarter + 6))


def can_still_fill(men: Men, quarter: int) -> bool:
    """M11: whether the owner has men enough on or behind each point of his petit or grand jan."""
    return all(sum(men[1 : quarter + k + 1]) >= 2 * (k + 1) for k in range(6))


def barred_points(other: Men, options: Options = CLASSICAL) -> list[int]:
    """Where the mover may not stop: the other's coin (M7), the quarters the other can still fill (M11).

    `forbidden_jan_rule` none leaves the coin alone.
    """
    barred = [OTHER_COIN]
    if options.forbidden_jan_rule == "none":
        return barred
    if can_still_fill(other, GRAND_JAN):
        barred += range(14, 19)
    if can_still_fill(other, PETIT_JAN):
        barred += range(19, 25)
    return barred


def all_home(men: Men) -> bool:
    """M18: whether all the men that remain are on 19 to 24."""
    return not any(men[1:19])


def overcrowded(men: Men, limit: int | None) -> bool:
    """`max_men_per_point`: whether more men than that stand on an arrow, the talon apart."""
    return limit is not None and any(men[point] > limit for point in range(2, 25))


def problems(own: Men, other: Men, options: Options = CLASSICAL) -> list[str]:
    """What makes a position illegal between two rolls, each side in its own count; empty if it is legal."""
    found = []
    coin_by_two = options.own_corner_by_two and options.own_corner_leave_by_two
    for name, side, opposite in (("own", own, other), ("other", other, own)):
        if sum(side) != 15 or min(side) < 0:
            found.append(f"{name}: not fifteen men")
        if coin_by_two and side[COIN] == 1:
            found.append(f"{name}: a lone man on the coin (M5)")
        if side[OFF] and not all_home(side):
            found.append(f"{name}: men off before all were home (M18)")
        if any(side[point] for point in barred_points(opposite, options)):
            found.append(f"{name}: a man on the other's coin or in a forbidden quarter (M7, M11)")
        if options.movement_scope == "own_half" and any(side[COIN + 1 :]):
            found.append(f"{name}: a man beyond the own half (movement_scope)")
        if overcrowded(side, options.max_men_per_point):
            found.append(f"{name}: too many men on an arrow (max_men_per_point)")
    facing = mirrored(other)
    if any(own[point] and facing[point] for point in range(1, 25)):
        found.append("both colours on one point (M4)")
    return found
