"""Bit-plane boards and the masks that the laws ask for.

A board is one player's men in his own numbers: two int64, `low` (planes of 1 and 2) and `high` (planes of 4
and 8). A plane is 24 bits, arrow a being bit a - 1; the second plane of each word stands 32 bits higher. The
men on arrow a are the sum of its four bits. 15 men less those on the board have been borne off.
"""

from __future__ import annotations

from simkit.kernel.compiled import kernel, popcount

BOARD = (1 << 24) - 1
PETIT = 0b111111
GRAND = PETIT << 6
RETOUR = PETIT << 18
TALON = 1
COIN = 1 << 11
OTHER_COIN = 1 << 12
NEAR_RAIL = PETIT | RETOUR
"""Arrows 1-6 and 19-24, where a hit counts more: the tables of the petits jans."""
START_LOW = TALON | TALON << 32
START_HIGH = TALON | TALON << 32
"""Fifteen men on the talon."""


@kernel
def occupied(low: int, high: int) -> int:
    """Mask of the arrows with at least one man."""
    both = low | high
    return (both | both >> 32) & BOARD


@kernel
def made(low: int, high: int) -> int:
    """Mask of the arrows with at least two men (*cases*)."""
    return (low >> 32 | high | high >> 32) & BOARD


@kernel
def with_spare(low: int, high: int) -> int:
    """Mask of the arrows with at least three men (*surcases*)."""
    return (low & low >> 32 | high | high >> 32) & BOARD


@kernel
def with_four(low: int, high: int) -> int:
    """Mask of the arrows with at least four men."""
    return (high | high >> 32) & BOARD


@kernel
def with_fifteen(low: int, high: int) -> int:
    """Mask of the arrow that holds all the men, if one does."""
    four = low & high
    return four & four >> 32 & BOARD


@kernel
def men_on(low: int, high: int, region: int) -> int:
    """Count the men on the arrows of a mask."""
    twice = region | region << 32
    return (
        popcount(low & region)
        + 2 * popcount(low & (twice ^ region))
        + 4 * popcount(high & region)
        + 8 * popcount(high & (twice ^ region))
    )


@kernel
def places_of(mask: int) -> int:
    """Sum the places of a mask: 0 for arrow 1, 23 for arrow 24."""
    return (
        popcount(mask & 0xAAAAAA)
        + 2 * popcount(mask & 0xCCCCCC)
        + 4 * popcount(mask & 0xF0F0F0)
        + 8 * popcount(mask & 0x00FF00)
        + 16 * popcount(mask & 0xFF0000)
    )


@kernel
def men_and_places(low: int, high: int) -> tuple[int, int]:
    """Count the men on the board, and sum their places."""
    total, men = 0, 0
    for plane, weight in (
        (low & BOARD, 1),
        (low >> 32 & BOARD, 2),
        (high & BOARD, 4),
        (high >> 32 & BOARD, 8),
    ):
        men += weight * popcount(plane)
        total += weight * places_of(plane)
    return men, total


@kernel
def add(low: int, high: int, arrow: int) -> tuple[int, int]:
    """Put one man on an arrow (a mask of one bit; 0, the rail, changes nothing)."""
    carry = low & arrow
    low ^= arrow
    carry, low = low & carry << 32, low ^ carry << 32
    carry >>= 32
    over = high & carry
    high ^= carry
    return low, high ^ over << 32


@kernel
def remove(low: int, high: int, arrow: int) -> tuple[int, int]:
    """Take one man from an arrow that has one (a mask of one bit)."""
    borrow = ~low & arrow
    low ^= arrow
    borrow, low = ~low & borrow << 32, low ^ borrow << 32
    borrow >>= 32
    over = ~high & borrow
    high ^= borrow
    return low, high ^ over << 32


@kernel
def moved(low: int, high: int, start: int, end: int) -> tuple[int, int]:
    """Move one man between two arrows, masks of one bit each; an end of 0 is the rail.

    `remove` and `add` at once: a digit passes on what it borrows at the start and what it carries at the end.
    """
    places = start | end
    twos = (low ^ start) & places
    fours = (low >> 32 ^ start) & twos
    eights = (high ^ start) & fours
    return low ^ places ^ twos << 32, high ^ fours ^ eights << 32


@kernel
def mirrored(mask: int) -> int:
    """Turn a mask of arrows into the other player's numbers: arrow a becomes 25 - a."""
    mask = (mask & 0x555555) << 1 | mask >> 1 & 0x555555
    mask = (mask & 0x333333) << 2 | mask >> 2 & 0x333333
    mask = (mask & 0x0F0F0F) << 4 | mask >> 4 & 0x0F0F0F
    return (mask & 0xFF) << 16 | mask & 0xFF00 | mask >> 16


@kernel
def missing(low: int, high: int, quarter: int) -> int:
    """Count the men a quarter still needs to be full: two on each of its six arrows."""
    return 12 - popcount(occupied(low, high) & quarter) - popcount(made(low, high) & quarter)


@kernel
def can_fill(low: int, high: int, first: int) -> bool:
    """Tell whether a player has the men to fill his quarter of arrows first to first + 5 (M11).

    For every k from 0 to 5 at least 2 (k + 1) of his men stand on arrow first + k or behind it. Asked in
    descending order: the last arrows fail first. Nothing in the way counts (Malfilâtre, XIV).
    """
    for k in range(5, -1, -1):
        if men_on(low, high, (1 << (first + k)) - 1) < 2 * (k + 1):
            return False
    return True
