"""Hitting men and the coin: jans de récompense and jans qui ne peuvent (rules.md 3.3, 3.4)."""

from __future__ import annotations

from simkit.kernel.board import COIN, NEAR_RAIL, OTHER_COIN, made, occupied, with_four, with_spare
from simkit.kernel.compiled import kernel, popcount


@kernel
def ways_to_hit(
    men: int, closed: int, lone: int, die_1: int, die_2: int, by_sums: int
) -> tuple[int, int, int, int]:
    """Count the ways a roll hits lone men: (truly far, truly near, falsely far, falsely near).

    24-bit masks in the mover's numbers: `men`, where he has a man; `closed`, where the other has two or more;
    `lone`, the other's lone men; `by_sums`, 0 where the sum of the dice hits nobody truly. Near are arrows 1-6
    and 19-24, far 7-18. A man hit falsely counts once.
    Guiton 1822, ch. I; J.L. 1852, no. 138.
    """
    both = die_1 + die_2
    by_1, by_2 = men << die_1, men << die_2
    passage = (by_1 & ~closed) << die_2 | (by_2 & ~closed) << die_1
    reached = men << both & lone
    by_sum = reached & passage if by_sums else 0
    hit_1 = by_1 & lone
    hit_2 = by_2 & lone if die_1 != die_2 else 0  # a doublet hits directly in one way (J.L. 1852, no. 138)
    false = reached & ~passage
    near = popcount(hit_1 & NEAR_RAIL) + popcount(hit_2 & NEAR_RAIL) + popcount(by_sum & NEAR_RAIL)
    truly = popcount(hit_1) + popcount(hit_2) + popcount(by_sum)
    false_near = popcount(false & NEAR_RAIL)
    return truly - near, near, popcount(false) - false_near, false_near


@kernel
def hits_the_coin(low: int, high: int, other: int, die_1: int, die_2: int) -> bool:
    """Tell whether two men, besides the base men of the mover's coin, reach the other's empty coin.

    Guiton 1822, ch. IV; Malfilâtre 2013, XI. An ace needs a third man on the coin, two aces a fourth.
    """
    if other & OTHER_COIN or not made(low, high) & COIN:
        return False
    if die_1 == die_2:
        free = made(low, high) & ~COIN | with_four(low, high) & COIN
        return (free & OTHER_COIN >> die_1) != 0
    free = occupied(low, high) & ~COIN | with_spare(low, high) & COIN
    return (free & OTHER_COIN >> die_1) != 0 and (free & OTHER_COIN >> die_2) != 0


@kernel
def splits_margot(men: int, other: int, closed: int, die_1: int, die_2: int) -> int:
    """Count the distances of a roll that bring a man between two lone adverse men (margot la fendue).

    Charpentier 1698 calls the figure given up. The arrow reached is empty; a sum needs an open rest.
    """
    lone = other & ~closed
    between = lone << 1 & lone >> 1 & ~(men | other)
    by_1, by_2 = men << die_1, men << die_2
    by_sum = (by_1 & ~closed) << die_2 | (by_2 & ~closed) << die_1
    distances = 1 if by_1 & between else 0
    if die_1 != die_2 and by_2 & between:
        distances += 1
    return distances + (1 if by_sum & between else 0)
