"""The figures of the opening (jans de départ), rules.md 3.1."""

from __future__ import annotations

from simkit.kernel.board import COIN, OTHER_COIN, TALON, made, men_on, occupied
from simkit.kernel.compiled import kernel, popcount


@kernel
def makes_six_tables(low: int, high: int, roll_no: int, die_1: int, die_2: int) -> bool:
    """Tell whether the third roll completes one man on each of arrows 2 to 7 (jan de trois coups)."""
    if roll_no != 3 or die_1 == die_2 or men_on(low, high, TALON) != 11:
        return False
    down = occupied(low, high) & ~TALON
    missing = TALON << die_1 | TALON << die_2
    return popcount(down) == 4 and not down & missing and down | missing == 0b1111110


@kernel
def makes_two_tables(low: int, high: int, die_1: int, die_2: int) -> bool:
    """Tell whether the only two men down reach, one the own empty coin, the other the other's (deux tables)."""
    if men_on(low, high, TALON) != 13:
        return False
    down, twice = occupied(low, high) & ~TALON, made(low, high) & ~TALON
    if not down or down & COIN:
        return False
    for own_die, other_die in ((die_1, die_2), (die_2, die_1)):
        to_own, to_other = COIN >> own_die, OTHER_COIN >> other_die
        if (twice & to_own) if to_own == to_other else (down & to_own and down & to_other):
            return True
    return False


@kernel
def makes_mezeas(low: int, high: int, die_1: int, die_2: int) -> bool:
    """Tell whether an ace comes while the only two men down hold the coin (jan de mézéas)."""
    return (die_1 == 1 or die_2 == 1) and men_on(low, high, TALON) == 13 and (made(low, high) & COIN) != 0
