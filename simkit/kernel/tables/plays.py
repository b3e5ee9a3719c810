"""Legal plays: every distinct position a roll can lead to, with the men it hits.

Masks are in the mover's numbers. Nothing the mover does closes or opens a point of the other's within a roll, so
`closed` (two of the other's or more) and `lone` (one) hold for all its steps; a man passing over a lone one hits
him as if he stayed. A play is a column of `plays`: the mover's two words and the mask of men hit.
"""

from __future__ import annotations

from typing import Any

from simkit.kernel.board import BOARD, add, made, men_on, mirrored, moved, occupied, remove
from simkit.kernel.compiled import kernel, popcount
from simkit.kernel.tables.records import BAR, OUTSIDE

MAX_PLAYS = 3_100
"""Columns a list of plays needs: a double moves fifteen men four steps in at most C(18, 4) = 3,060 ways.

A multiple of four, since plays are valued by fours."""


@kernel
def is_home(low: int, high: int) -> bool:
    """Tell whether all men still in play stand in the return jan, so that men may be borne off."""
    return not (low | high) & (OUTSIDE | OUTSIDE << 32)


@kernel
def leaving(low: int, high: int, die: int) -> int:
    """Mask of the arrow from which a die bears a man off: its own distance, else the farthest if he is nearer."""
    if not is_home(low, high):
        return 0
    men, exact = occupied(low, high), BAR >> die
    if men & exact:
        return exact
    farthest = men & -men
    return farthest if farthest > exact else 0


@kernel
def movers(low: int, high: int, die: int, closed: int) -> int:
    """Mask of the places from which a die can be played; men on the bar go first."""
    if (low | high | low >> 32 | high >> 32) & BAR:
        return 0 if closed & (1 << die >> 1) else BAR
    return occupied(low, high) & (BOARD & ~closed) >> die | leaving(low, high, die)


@kernel
def end_of(start: int, die: int) -> int:
    """Where a die brings the man on `start`: a mask, 0 off the board."""
    return 1 << die >> 1 if start == BAR else (start << die) & BOARD


@kernel
def travelled(start: int, die: int) -> int:
    """Points that a step travels; the edge counts as one more point, what exceeds it is lost."""
    return die if start == BAR else min(die, popcount(BOARD & ~(start - 1)))


@kernel
def list_new(low: int, high: int, hit: int, plays: Any, count: int) -> int:
    """Add a play to the list unless its position is there."""
    for k in range(count):
        if plays[0, k] == low and plays[1, k] == high and plays[2, k] == hit:
            return count
    plays[0, count], plays[1, count], plays[2, count] = low, high, hit
    return count + 1


@kernel
def list_one_die(low: int, high: int, lone: int, closed: int, die: int, plays: Any) -> int:
    """List the plays of one die alone, away from the edge."""
    count = 0
    starts = movers(low, high, die, closed)
    while starts:
        start = starts & -starts
        starts ^= start
        end = end_of(start, die)
        plays[0, count], plays[1, count] = moved(low, high, start, end)
        plays[2, count] = end & lone
        count += 1
    return count


@kernel
def list_pairs(low: int, high: int, lone: int, closed: int, die_1: int, die_2: int, plays: Any) -> int:
    """List the plays of two men, one die each; nobody is on the bar, and nobody leaves.

    Left out are pairs in which one man starts where the other arrives: they end like the play of one man, and are
    listed as such. What remains is distinct.
    """
    men, twos, ends = occupied(low, high), made(low, high), BOARD & ~closed
    from_1, from_2 = men & ends >> die_1, men & ends >> die_2
    count = 0
    while from_1:
        start = from_1 & -from_1
        from_1 ^= start
        partners = from_2 & ~(start << die_1) & ~(start >> die_2)
        if not start & twos:
            partners &= ~start
        if partners:
            end = start << die_1
            one_low, one_high = moved(low, high, start, end)
            while partners:
                partner = partners & -partners
                partners ^= partner
                partner_end = partner << die_2
                plays[0, count], plays[1, count] = moved(one_low, one_high, partner, partner_end)
                plays[2, count] = (end | partner_end) & lone
                count += 1
    return count


@kernel
def list_single_men(
    low: int, high: int, lone: int, closed: int, die_1: int, die_2: int, plays: Any, count: int
) -> int:
    """List the plays of one man by both dice: two, where it matters on the way whom he hits."""
    ends = BOARD & ~closed
    starts = occupied(low, high) & ends >> (die_1 + die_2) & (ends >> die_1 | ends >> die_2)
    while starts:
        start = starts & -starts
        starts ^= start
        end = start << (die_1 + die_2)
        rest_1, rest_2 = start << die_1 & ends, start << die_2 & ends
        one_low, one_high = moved(low, high, start, end)
        hit = (rest_1 if rest_1 else rest_2) & lone
        plays[0, count], plays[1, count], plays[2, count] = one_low, one_high, hit | end & lone
        count += 1
        if rest_1 and rest_2 and (rest_1 | rest_2) & lone:
            plays[0, count], plays[1, count] = one_low, one_high
            plays[2, count] = (rest_2 | end) & lone
            count += 1
    return count


@kernel
def list_entering(low: int, high: int, lone: int, closed: int, die_1: int, die_2: int, plays: Any) -> int:
    """List the plays of both dice of a player with men on the bar, others still far from home."""
    count = 0
    for order in range(2):
        first, second = (die_1, die_2) if order == 0 else (die_2, die_1)
        rest = 1 << first >> 1
        if rest & closed:
            continue
        one_low, one_high = moved(low, high, BAR, rest)
        starts = movers(one_low, one_high, second, closed)
        if starts == BAR and order and count:
            continue  # both men enter: the same in either order
        while starts:
            start = starts & -starts
            starts ^= start
            end = end_of(start, second)
            two_low, two_high = moved(one_low, one_high, start, end)
            hit = (rest | end) & lone
            if (
                start == rest and order
            ):  # the man who entered plays on, as he may have done in the other order
                count = list_new(two_low, two_high, hit, plays, count)
            else:
                plays[0, count], plays[1, count], plays[2, count] = two_low, two_high, hit
                count += 1
    return count


@kernel
def list_near_home(
    rules: Any, low: int, high: int, lone: int, closed: int, die_1: int, die_2: int, plays: Any
) -> int:
    """List the plays of two different dice when men may be borne off on this roll, step by step.

    Kept are those of most worth: points travelled, or dice played and then the higher of them.
    """
    count = best = 0
    for order in range(2):
        first, second = (die_1, die_2) if order == 0 else (die_2, die_1)
        starts = movers(low, high, first, closed)
        while starts:
            start = starts & -starts
            starts ^= start
            rest = end_of(start, first)
            one_low, one_high = moved(low, high, start, rest)
            gone = travelled(start, first)
            nexts = movers(one_low, one_high, second, closed)
            if not nexts:
                worth = first if rules.max_dice else gone
                if worth > best:
                    best, count = worth, 0
                if worth == best:
                    count = list_new(one_low, one_high, rest & lone, plays, count)
            while nexts:
                next_start = nexts & -nexts
                nexts ^= next_start
                end = end_of(next_start, second)
                worth = 7 if rules.max_dice else gone + travelled(next_start, second)
                if worth > best:
                    best, count = worth, 0
                if worth == best:
                    two_low, two_high = moved(one_low, one_high, next_start, end)
                    count = list_new(two_low, two_high, (rest | end) & lone, plays, count)
    return count


@kernel
def list_simple(
    rules: Any, low: int, high: int, lone: int, closed: int, die_1: int, die_2: int, plays: Any
) -> int:
    """List the plays of two different dice; 0 if there is none."""
    if men_on(low, high, OUTSIDE) < 2:  # one die may bring the last man home for the other
        return list_near_home(rules, low, high, lone, closed, die_1, die_2, plays)
    if (low | high | low >> 32 | high >> 32) & BAR:
        count = list_entering(low, high, lone, closed, die_1, die_2, plays)
    else:
        count = list_pairs(low, high, lone, closed, die_1, die_2, plays)
        count = list_single_men(low, high, lone, closed, die_1, die_2, plays, count)
    if not count:
        count = list_one_die(low, high, lone, closed, max(die_1, die_2), plays)
    if not count:
        count = list_one_die(low, high, lone, closed, min(die_1, die_2), plays)
    return count


@kernel
def list_double(
    rules: Any, low: int, high: int, lone: int, closed: int, die: int, plays: Any, steps: Any
) -> int:
    """List the plays of a double; 0 if there is none.

    Every play can be made with the farthest man first, and in that order in one way only: what is listed so is
    complete and distinct. `steps`, int64 (4, 5), keeps for each step: the two words, men hit, points travelled,
    and places not tried yet.
    """
    count = best = level = 0
    last = rules.doubles_played - 1
    steps[0, 0], steps[0, 1], steps[0, 2], steps[0, 3] = low, high, 0, 0
    steps[0, 4] = movers(low, high, die, closed)
    while level >= 0:
        starts = steps[level, 4]
        if not starts:
            level -= 1
            continue
        start = starts & -starts
        steps[level, 4] = starts ^ start
        end = end_of(start, die)
        one_low, one_high = moved(steps[level, 0], steps[level, 1], start, end)
        hit = steps[level, 2] | end & lone
        gone = steps[level, 3] + travelled(start, die)
        nexts = 0
        if level < last:
            nexts = movers(one_low, one_high, die, closed)
            if start != BAR:
                nexts &= -start
        if nexts:
            level += 1
            steps[level, 0], steps[level, 1], steps[level, 2], steps[level, 3] = one_low, one_high, hit, gone
            steps[level, 4] = nexts
            continue
        worth = level + 1 if rules.max_dice else gone
        if worth > best:
            best, count = worth, 0
        if worth == best:
            plays[0, count], plays[1, count], plays[2, count] = one_low, one_high, hit
            count += 1
    return count


@kernel
def list_plays(
    rules: Any,
    low: int,
    high: int,
    other_low: int,
    other_high: int,
    die_1: int,
    die_2: int,
    plays: Any,
    steps: Any,
) -> int:
    """List the legal plays of a roll; return how many: one, to leave all as it is, if no die can be played.

    Each board in its owner's numbers. `plays`, int64 (3, MAX_PLAYS), is filled with the mover's two words and the
    mask, in the mover's numbers, of the men hit; `steps`, int64 (4, 5), is the memory of `list_double`.
    """
    closed = mirrored(made(other_low, other_high))
    lone = mirrored(occupied(other_low, other_high)) & ~closed
    if die_1 == die_2:
        count = list_double(rules, low, high, lone, closed, die_1, plays, steps)
    else:
        count = list_simple(rules, low, high, lone, closed, die_1, die_2, plays)
    if count:
        return count
    plays[0, 0], plays[1, 0], plays[2, 0] = low, high, 0
    return 1


@kernel
def sent_to_bar(low: int, high: int, hit: int) -> tuple[int, int]:
    """Put the men hit on the bar; the board in its owner's numbers, `hit` in those of the player who hit."""
    places = mirrored(hit)
    while places:
        place = places & -places
        places ^= place
        low, high = remove(low, high, place)
        low, high = add(low, high, BAR)
    return low, high
