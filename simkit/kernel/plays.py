"""Legal plays: every distinct position a roll can lead to (docs/rules.md, M1 to M22).

Each play is tested on its *last* position only: the coin by two (M5), the other's coin never (M7), no man in
a quarter the other can still fill (M11). On its way a man playing both dice may touch whatever no adverse man
holds (M4, M6, M12).
"""

from __future__ import annotations

from typing import Any

from simkit.kernel.board import BOARD, COIN, OTHER_COIN, RETOUR, made, moved, occupied, with_spare
from simkit.kernel.compiled import kernel, lowest

MAX_PLAYS = 600
"""Rows a list of plays needs: at most 15 sources for each die, twice near the rail, and some to spare."""


@kernel
def stops(other: int, forbidden: int) -> int:
    """Mask of the arrows on which a man may end the roll (M4, M7, M11)."""
    return BOARD & ~(other | OTHER_COIN | forbidden)


@kernel
def holds_a_pair_of_dice(men: int, twos: int, arrow: int, die_1: int, die_2: int) -> bool:
    """Tell whether two men stand where the two dice bring them both to `arrow`."""
    if die_1 == die_2:
        return (twos & arrow >> die_1) != 0
    return (men & arrow >> die_1) != 0 and (men & arrow >> die_2) != 0


@kernel
def list_pairs(
    low: int, high: int, movers: int, ends: int, die_1: int, die_2: int, plays: Any, count: int
) -> int:
    """List the plays of two men, one die each.

    Left out are pairs in which one man starts where the other arrives: they end like the play of one man who
    rests on that arrow, and are listed as such. What remains is distinct.
    """
    twos, threes = made(low, high), with_spare(low, high)
    fours = high | high >> 32
    from_1, from_2 = movers & ends >> die_1, movers & ends >> die_2
    while from_1:
        start = from_1 & -from_1
        from_1 ^= start
        partners = from_2 & ~(start << die_1) & ~(start >> die_2)
        if die_1 == die_2:
            partners &= ~(start - 1)  # each pair once
        if not start & twos or (start == COIN and threes & COIN and not fours & COIN):
            partners &= ~start  # three on the coin: two of them may not leave one behind (M5)
        if partners:
            one_low, one_high = moved(low, high, start, start << die_1)
            while partners:
                partner = partners & -partners
                partners ^= partner
                plays[count, 0], plays[count, 1] = moved(one_low, one_high, partner, partner << die_2)
                count += 1
    return count


@kernel
def list_single_men(low: int, high: int, starts: int, die: int, plays: Any, count: int) -> int:
    """List the plays of one man by `die` from each of `starts`."""
    while starts:
        start = starts & -starts
        starts ^= start
        plays[count, 0], plays[count, 1] = moved(low, high, start, start << die)
        count += 1
    return count


@kernel
def list_coin_by_two(
    low: int,
    high: int,
    men: int,
    twos: int,
    other: int,
    ends: int,
    die_1: int,
    die_2: int,
    plays: Any,
    count: int,
) -> int:
    """List taking the coin, naturally or else *par puissance*, or leaving it, by two men (M5, M8, M9)."""
    if not men & COIN:
        if holds_a_pair_of_dice(men, twos, COIN, die_1, die_2):
            reach = COIN
        elif not other & OTHER_COIN and holds_a_pair_of_dice(men, twos, OTHER_COIN, die_1, die_2):
            reach = OTHER_COIN
        else:
            return count
        one_low, one_high = moved(low, high, reach >> die_1, COIN)
        plays[count, 0], plays[count, 1] = moved(one_low, one_high, reach >> die_2, COIN)
        return count + 1
    if not with_spare(low, high) & COIN and ends & COIN << die_1 and ends & COIN << die_2:
        one_low, one_high = moved(low, high, COIN, COIN << die_1)
        plays[count, 0], plays[count, 1] = moved(one_low, one_high, COIN, COIN << die_2)
        return count + 1
    return count


@kernel
def list_plays(
    low: int, high: int, other: int, forbidden: int, die_1: int, die_2: int, exact_leaves: int, plays: Any
) -> tuple[int, int]:
    """List the distinct positions the dice allow; return (how many, dice played).

    `other`, `forbidden`: masks in the mover's numbers; `plays`: int64 (MAX_PLAYS, 2). Both dice come first
    (M13), then the higher (M14); with no die to play the position itself is the one entry.
    """
    men, twos = occupied(low, high), made(low, high)
    outside = men & ~RETOUR
    if not outside & (outside - 1) and not outside & twos:
        return list_plays_near_the_rail(low, high, other, forbidden, die_1, die_2, exact_leaves, plays)
    ends = stops(other, forbidden)
    alone_ends = ends if men & COIN else ends & ~COIN
    movers = men & ~COIN if men & COIN & ~with_spare(low, high) else men

    count = list_pairs(low, high, movers, alone_ends, die_1, die_2, plays, 0)
    both = die_1 + die_2
    touched = BOARD & ~other
    resting = movers & alone_ends >> both & (touched >> die_1 | touched >> die_2)
    count = list_single_men(low, high, resting, both, plays, count)
    count = list_coin_by_two(low, high, men, twos, other, ends, die_1, die_2, plays, count)
    if count:
        return count, 2
    higher, lower = max(die_1, die_2), min(die_1, die_2)
    count = list_single_men(low, high, movers & alone_ends >> higher, higher, plays, 0)
    if not count and lower != higher:
        count = list_single_men(low, high, movers & alone_ends >> lower, lower, plays, 0)
    if count:
        return count, 1
    plays[0, 0], plays[0, 1] = low, high
    return 1, 0


@kernel
def end_of_step(
    low: int, high: int, start: int, die: int, other: int, exact_leaves: int, excess: bool
) -> int:
    """Return where one die brings the man on `start`: a mask, 0 for the rail, -1 if it cannot (M4, M18, M19).

    `excess`: whether a die larger than every distance takes the farthest man off.
    """
    men = occupied(low, high)
    home = not men & ~RETOUR
    exact = (BOARD + 1) >> die  # the man whom this die takes off exactly
    if home and exact_leaves and men & exact:
        return 0 if start == exact else -1
    end = start << die
    if end <= BOARD:
        return -1 if end & other else end
    if home and (start == exact or (excess and start == men & -men)):
        return 0
    return -1


@kernel
def stands(low: int, high: int, ends: int) -> bool:
    """Tell whether a position may end a roll (M5, M7, M11)."""
    men = occupied(low, high)
    return not men & ~ends and (not men & COIN or made(low, high) & COIN != 0)


@kernel
def list_new(low: int, high: int, plays: Any, count: int) -> int:
    """Add a position to the list unless it is there."""
    for k in range(count):
        if plays[k, 0] == low and plays[k, 1] == high:
            return count
    plays[count, 0], plays[count, 1] = low, high
    return count + 1


@kernel
def list_both_dice_near_the_rail(
    low: int,
    high: int,
    other: int,
    ends: int,
    die_1: int,
    die_2: int,
    exact_leaves: int,
    excess: bool,
    plays: Any,
) -> int:
    """List the plays of both dice in either order; taking the last man off ends the roll (M22)."""
    count = 0
    for order in range(1 if die_1 == die_2 else 2):
        first, second = (die_1, die_2) if order == 0 else (die_2, die_1)
        starts = occupied(low, high)
        while starts:
            start = starts & -starts
            starts ^= start
            end = end_of_step(low, high, start, first, other, exact_leaves, excess)
            if end < 0:
                continue
            one_low, one_high = moved(low, high, start, end)
            nexts = occupied(one_low, one_high)
            if not nexts:
                count = list_new(one_low, one_high, plays, count)
            while nexts:
                start_2 = nexts & -nexts
                nexts ^= start_2
                end = end_of_step(one_low, one_high, start_2, second, other, exact_leaves, excess)
                if end < 0:
                    continue
                two_low, two_high = moved(one_low, one_high, start_2, end)
                if stands(two_low, two_high, ends):
                    count = list_new(two_low, two_high, plays, count)
    return count


@kernel
def list_one_die_near_the_rail(
    low: int, high: int, other: int, ends: int, die: int, exact_leaves: int, plays: Any
) -> int:
    """List the plays of one die alone."""
    count = 0
    starts = occupied(low, high)
    while starts:
        start = starts & -starts
        starts ^= start
        end = end_of_step(low, high, start, die, other, exact_leaves, True)
        if end >= 0:
            one_low, one_high = moved(low, high, start, end)
            if stands(one_low, one_high, ends):
                count = list_new(one_low, one_high, plays, count)
    return count


@kernel
def list_plays_near_the_rail(
    low: int, high: int, other: int, forbidden: int, die_1: int, die_2: int, exact_leaves: int, plays: Any
) -> tuple[int, int]:
    """List the plays when all men but one at most are in the jan de retour (M18 to M22).

    A play with an excess number counts only when no play of both dice does without (Malfilâtre, VIII).
    """
    ends = stops(other, forbidden)
    for excess in (False, True):
        count = list_both_dice_near_the_rail(
            low, high, other, ends, die_1, die_2, exact_leaves, excess, plays
        )
        if count:
            return count, 2
    for die in (max(die_1, die_2), min(die_1, die_2)):
        count = list_one_die_near_the_rail(low, high, other, ends, die, exact_leaves, plays)
        if count:
            return count, 1
    plays[0, 0], plays[0, 1] = low, high
    return 1, 0


@kernel
def keep_full(plays: Any, count: int, quarter: int) -> int:
    """Move the plays that leave a quarter full to the front of the list; return how many they are."""
    kept = 0
    for k in range(count):
        low, high = plays[k, 0], plays[k, 1]
        if not quarter & ~made(low, high):
            plays[kept, 0], plays[kept, 1] = low, high
            kept += 1
    return kept


@kernel
def is_listed(low: int, high: int, plays: Any, count: int) -> bool:
    """Tell whether a position is in the list."""
    for k in range(count):
        if plays[k, 0] == low and plays[k, 1] == high:
            return True
    return False


@kernel
def first_arrow(mask: int) -> int:
    """Return the number of the lowest arrow of a non-empty mask."""
    return lowest(mask) + 1
