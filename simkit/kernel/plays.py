"""Legal plays: every distinct position a roll can lead to (docs/rules.md, M1 to M22).

Each play is tested on its *last* position only: the coin by two (M5), the other's coin never (M7), no man in
a quarter the other can still fill (M11). On its way a man playing both dice may touch whatever no adverse man
holds (M4, M6, M12).
"""

from __future__ import annotations

from typing import Any

from simkit.kernel.board import (
    BOARD,
    COIN,
    GRAND,
    OTHER_COIN,
    PETIT,
    RETOUR,
    TALON,
    can_fill,
    made,
    men_on,
    missing,
    moved,
    occupied,
    with_spare,
)
from simkit.kernel.compiled import kernel
from simkit.kernel.records import INSIDE_FIRST, MANDATORY, REFUSED

MAX_PLAYS = 600
"""Rows a list of plays needs: at most 15 sources for each die, twice near the rail, and some to spare."""


@kernel
def stops(other: int, forbidden: int) -> int:
    """Mask of the arrows on which a man may end the roll (M4, M7, M11)."""
    return BOARD & ~(other | OTHER_COIN | forbidden)


@kernel
def rests(rules: Any, men: int, other: int, forbidden: int) -> int:
    """Mask of the arrows that a man playing both dice may touch between them (M4, M6, M7, M12)."""
    closed = other
    if not rules.rest_on_own_coin and not men & COIN:
        closed |= COIN
    if not rules.rest_on_other_coin:
        closed |= OTHER_COIN
    if not rules.passage:
        closed |= forbidden & ~OTHER_COIN
    return BOARD & ~closed


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
def coin_taken_by_two(rules: Any, men: int, twos: int, other: int, die_1: int, die_2: int) -> int:
    """Return the coin both dice reach to take the mover's empty one: his, the other's, or 0 (M5, M8, M9)."""
    if men & COIN:
        return 0
    naturally = holds_a_pair_of_dice(men, twos, COIN, die_1, die_2)
    if naturally and rules.natural_first:
        return COIN
    if (
        rules.puissance
        and not other & OTHER_COIN
        and holds_a_pair_of_dice(men, twos, OTHER_COIN, die_1, die_2)
    ):
        return OTHER_COIN
    return COIN if naturally else 0


@kernel
def list_taking_the_coin(
    low: int, high: int, reach: int, die_1: int, die_2: int, plays: Any, count: int
) -> int:
    """List the play of two men to the mover's coin, naturally or *par puissance*."""
    one_low, one_high = moved(low, high, reach >> die_1, COIN)
    plays[count, 0], plays[count, 1] = moved(one_low, one_high, reach >> die_2, COIN)
    return count + 1


@kernel
def list_usual_plays(
    rules: Any, low: int, high: int, other: int, forbidden: int, die_1: int, die_2: int, plays: Any
) -> tuple[int, int]:
    """List the plays away from the rail under the usual movement; return (how many, dice played)."""
    men, twos = occupied(low, high), made(low, high)
    ends = stops(other, forbidden)
    alone_ends = ends if men & COIN else ends & ~COIN
    movers = men & ~COIN if men & COIN & ~with_spare(low, high) else men

    count = list_pairs(low, high, movers, alone_ends, die_1, die_2, plays, 0)
    both = die_1 + die_2
    touched = rests(rules, men, other, forbidden)
    resting = movers & alone_ends >> both & (touched >> die_1 | touched >> die_2)
    count = list_single_men(low, high, resting, both, plays, count)
    reach = coin_taken_by_two(rules, men, twos, other, die_1, die_2)
    if reach:
        count = list_taking_the_coin(low, high, reach, die_1, die_2, plays, count)
    if men & COIN & ~with_spare(low, high) and ends & COIN << die_1 and ends & COIN << die_2:
        one_low, one_high = moved(low, high, COIN, COIN << die_1)
        plays[count, 0], plays[count, 1] = moved(one_low, one_high, COIN, COIN << die_2)
        count += 1
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
def list_plays(
    rules: Any, low: int, high: int, other: int, forbidden: int, die_1: int, die_2: int, plays: Any
) -> tuple[int, int]:
    """List the distinct positions the dice allow; return (how many, dice played).

    `other`, `forbidden`: masks in the mover's numbers; `plays`: int64 (MAX_PLAYS, 2). Both dice come first
    (M13), then the higher (M14); with no die to play the position itself is the one entry.
    """
    outside = occupied(low, high) & ~RETOUR
    near_the_rail = not outside & (outside - 1) and not outside & made(low, high)
    if rules.usual_movement and not near_the_rail:
        return list_usual_plays(rules, low, high, other, forbidden, die_1, die_2, plays)
    return list_plays_die_by_die(rules, low, high, other, forbidden, die_1, die_2, plays)


@kernel
def may_leave(rules: Any, low: int, high: int) -> bool:
    """Tell whether bearing off is open on this roll, once all men are home (M18 and its readings)."""
    if rules.own_half:
        return False
    if not rules.enter_and_leave and occupied(low, high) & ~RETOUR:
        return False
    full = not missing(low, high, RETOUR)
    return rules.leave_while_fill_possible or full or not can_fill(low, high, 19)


@kernel
def plays_inside(men: int, die: int, other: int) -> int:
    """Mask of the men whom a die moves without leaving the board."""
    return men & (BOARD & ~other) >> die


@kernel
def end_of_step(
    rules: Any, low: int, high: int, start: int, die: int, other: int, leaving: bool, excess: bool
) -> int:
    """Return where one die brings the man on `start`: a mask, 0 for the rail, -1 if it cannot (M4, M18, M19).

    `leaving`: whether men may be borne off on this roll; `excess`: whether a die larger than every distance
    takes the farthest man off.
    """
    men = occupied(low, high)
    home = leaving and not men & ~RETOUR
    exact = (BOARD + 1) >> die  # the man whom this die takes off exactly
    if home and men & exact:
        if rules.exact == MANDATORY:
            return 0 if start == exact else -1
    elif home and rules.short_by_farthest:
        movable = plays_inside(men, die, other)
        if movable and start != movable & -movable:
            return -1
    end = start << die
    if end <= BOARD:
        return -1 if end & other else end
    if home and start == exact:
        return -1 if rules.exact == INSIDE_FIRST and plays_inside(men, die, other) else 0
    if home and excess and start == men & -men:
        return 0
    return -1


@kernel
def lone_coin_allowed(rules: Any, low: int, high: int) -> bool:
    """Tell whether a roll from this position may leave a lone man on the coin (M5 and its readings)."""
    if not occupied(low, high) & COIN:
        return rules.coin_by_two == 0
    return rules.coin_left_by_two == 0 or not made(low, high) & COIN


@kernel
def stands(rules: Any, low: int, high: int, ends: int, lone_coin: bool) -> bool:
    """Tell whether a position may end a roll (M5, M7, M11, and a limit of men on an arrow)."""
    men = occupied(low, high)
    if men & ~ends or (men & COIN and not lone_coin and not made(low, high) & COIN):
        return False
    if rules.max_men:
        places = men & ~TALON
        while places:
            arrow = places & -places
            places ^= arrow
            if men_on(low, high, arrow) > rules.max_men:
                return False
    return True


@kernel
def list_new(low: int, high: int, plays: Any, count: int) -> int:
    """Add a position to the list unless it is there."""
    for k in range(count):
        if plays[k, 0] == low and plays[k, 1] == high:
            return count
    plays[count, 0], plays[count, 1] = low, high
    return count + 1


@kernel
def list_both_dice(
    rules: Any,
    low: int,
    high: int,
    other: int,
    ends: int,
    touched: int,
    die_1: int,
    die_2: int,
    excess: bool,
    plays: Any,
) -> int:
    """List the plays of both dice in either order; taking the last man off ends the roll (M22)."""
    count = 0
    men = occupied(low, high)
    leaving, lone_coin = may_leave(rules, low, high), lone_coin_allowed(rules, low, high)
    for order in range(1 if die_1 == die_2 else 2):
        first, second = (die_1, die_2) if order == 0 else (die_2, die_1)
        starts = men
        while starts:
            start = starts & -starts
            starts ^= start
            rest = end_of_step(rules, low, high, start, first, other, leaving, excess)
            if rest < 0:
                continue
            one_low, one_high = moved(low, high, start, rest)
            nexts = occupied(one_low, one_high)
            if not nexts:
                count = list_new(one_low, one_high, plays, count)
            while nexts:
                next_start = nexts & -nexts
                nexts ^= next_start
                the_same_man = next_start == rest and not men & rest
                if the_same_man and not rest & touched:
                    continue
                end = end_of_step(rules, one_low, one_high, next_start, second, other, leaving, excess)
                if end < 0:
                    continue
                two_low, two_high = moved(one_low, one_high, next_start, end)
                exactly_off = end == 0 and next_start << second == BOARD + 1
                combined = the_same_man and exactly_off and rules.two_short
                if combined and (rules.two_short == REFUSED or missing(two_low, two_high, RETOUR)):
                    continue
                if stands(rules, two_low, two_high, ends, lone_coin):
                    count = list_new(two_low, two_high, plays, count)
    reach = coin_taken_by_two(rules, men, made(low, high), other, die_1, die_2)
    if reach == OTHER_COIN:
        end = list_taking_the_coin(low, high, reach, die_1, die_2, plays, count) - 1
        if stands(rules, plays[end, 0], plays[end, 1], ends, lone_coin):
            count += 1
    return count


@kernel
def list_one_die(
    rules: Any, low: int, high: int, other: int, ends: int, die: int, plays: Any, count: int
) -> int:
    """List the plays of one die alone."""
    leaving, lone_coin = may_leave(rules, low, high), lone_coin_allowed(rules, low, high)
    starts = occupied(low, high)
    while starts:
        start = starts & -starts
        starts ^= start
        end = end_of_step(rules, low, high, start, die, other, leaving, True)
        if end >= 0:
            one_low, one_high = moved(low, high, start, end)
            if stands(rules, one_low, one_high, ends, lone_coin):
                count = list_new(one_low, one_high, plays, count)
    return count


@kernel
def list_plays_die_by_die(
    rules: Any, low: int, high: int, other: int, forbidden: int, die_1: int, die_2: int, plays: Any
) -> tuple[int, int]:
    """List the plays one die after the other, whatever the rules of movement (M1 to M22).

    A play with an excess number counts only when no play of both dice does without (Malfilâtre, VIII), unless
    the rules have it as good as any.
    """
    men = occupied(low, high)
    ends, touched = stops(other, forbidden), rests(rules, men, other, forbidden)
    if rules.own_half:
        ends &= PETIT | GRAND
    for excess in (False, True):
        if excess or not rules.excess_as_good:
            count = list_both_dice(rules, low, high, other, ends, touched, die_1, die_2, excess, plays)
            if count:
                return count, 2
    higher, lower = max(die_1, die_2), min(die_1, die_2)
    count = list_one_die(rules, low, high, other, ends, higher, plays, 0)
    if rules.fill_first and lower != higher:
        with_lower = list_one_die(rules, low, high, other, ends, lower, plays, count)
        place, lacking = quarter_that_counts(rules, low, high, 1)
        if place >= 0 and is_obliged(rules, lacking):
            quarter = PETIT << (0, 6, 18)[place]
            full = keep_full(plays, with_lower, quarter, men_to_stay(rules, low, high, lacking))
            if full:
                return full, 1
        count = list_one_die(rules, low, high, other, ends, higher, plays, 0)
    if not count and lower != higher:
        count = list_one_die(rules, low, high, other, ends, lower, plays, 0)
    if count:
        return count, 1
    plays[0, 0], plays[0, 1] = low, high
    return 1, 0


@kernel
def quarter_in_play(low: int, high: int) -> tuple[int, int]:
    """Return which of a player's quarters a roll may fill or keep (0 petit, 1 grand, 2 retour) and what it lacks.

    At most one can matter: each needs ten of the fifteen men. (-1, 0) if none does.
    """
    for place in range(3):
        lacking = missing(low, high, PETIT << (0, 6, 18)[place])
        if lacking <= 2:
            return place, lacking
    return -1, 0


@kernel
def quarter_that_counts(rules: Any, low: int, high: int, played: int) -> tuple[int, int]:
    """Return the quarter in play and what it lacks if filling it, or conserving it, scores; else (-1, 0)."""
    place, lacking = quarter_in_play(low, high)
    if lacking:
        return (place, lacking) if rules.fills else (-1, 0)
    if not rules.conserve or (played < 2 and not rules.conserve_by_impuissance):
        return -1, 0
    return place, 0


@kernel
def men_to_stay(rules: Any, low: int, high: int, lacking: int) -> int:
    """Return how many men must be left on the board for a quarter to count as conserved; 0 for any."""
    return 0 if lacking or rules.conserve_by_leaving else men_on(low, high, BOARD)


@kernel
def is_obliged(rules: Any, lacking: int) -> int:
    """Tell whether a quarter that can be filled, or conserved, must be (M16)."""
    return rules.fill_obligation if lacking else rules.conserve_obligation


@kernel
def leaves_full(low: int, high: int, quarter: int, men: int) -> bool:
    """Tell whether a quarter is full; `men`, how many must still be on the board, 0 for any."""
    return not quarter & ~made(low, high) and (men == 0 or men_on(low, high, BOARD) == men)


@kernel
def count_full(plays: Any, count: int, quarter: int, men: int) -> int:
    """Count the plays that leave a quarter full."""
    full = 0
    for k in range(count):
        full += leaves_full(plays[k, 0], plays[k, 1], quarter, men)
    return full


@kernel
def keep_full(plays: Any, count: int, quarter: int, men: int) -> int:
    """Move the plays that leave a quarter full to the front of the list; return how many they are."""
    kept = 0
    for k in range(count):
        low, high = plays[k, 0], plays[k, 1]
        if leaves_full(low, high, quarter, men):
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
