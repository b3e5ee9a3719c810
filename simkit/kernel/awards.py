"""What a roll scores and what it lets the mover play: all a function of the position and the dice.

The mover's choice of play never changes what a roll scores (docs/rules.md, Part I). Where a roll fills or
conserves a quarter, or takes the last man off, the plays that do so are the only legal ones (M16, M22).
"""

from __future__ import annotations

from typing import Any

from simkit.kernel.board import (
    COIN,
    GRAND,
    OTHER_COIN,
    PETIT,
    RETOUR,
    TALON,
    can_fill,
    made,
    men_on,
    mirrored,
    occupied,
    with_fifteen,
)
from simkit.kernel.compiled import kernel, popcount
from simkit.kernel.hits import hits_the_coin, ways_to_hit
from simkit.kernel.jans import quarter_in_play, ways_to_fill
from simkit.kernel.openings import makes_mezeas, makes_six_tables, makes_two_tables
from simkit.kernel.plays import keep_full, list_plays
from simkit.kernel.records import (
    CONSERVE,
    CONTRE_DEUX_TABLES,
    CONTRE_MEZEAS,
    CORNER_HIT,
    DEUX_TABLES,
    FILL,
    HIT_FALSE,
    HIT_TRUE,
    IMPUISSANCE,
    MEZEAS,
    PILE_DE_MISERE,
    SIX_TABLES,
    SORTIE,
)


@kernel
def award(gains: Any, figure: int, ways: int, points: int) -> int:
    """Enter a figure in `gains`, int64 (figures, 2): ways or men, and points. Return the points."""
    gains[figure, 0] += ways
    gains[figure, 1] += points
    return points


@kernel
def forbidden_quarters(low: int, high: int) -> int:
    """Mask, in the mover's numbers, of the quarters that the other player (*his* board) can still fill (M11)."""
    mask = 0
    if can_fill(low, high, 7):
        mask = GRAND << 6
        if can_fill(low, high, 1):  # a petit jan that can be filled implies a grand jan that can
            mask |= RETOUR
    return mask


@kernel
def score_hits(
    rules: Any, low: int, high: int, other: int, closed: int, die_1: int, die_2: int, gains: Any
) -> tuple[int, int]:
    """Enter the men and the coin hit; return points (mover, other)."""
    doublet = die_1 == die_2
    near = rules.hit_petit_doublet if doublet else rules.hit_petit_simple
    far = rules.hit_grand_doublet if doublet else rules.hit_grand_simple
    mover = others = 0
    lone = other & ~closed
    if lone:
        truly_far, truly_near, falsely_far, falsely_near = ways_to_hit(
            occupied(low, high), closed, lone, die_1, die_2
        )
        if truly_far + truly_near:
            mover += award(gains, HIT_TRUE, truly_far + truly_near, truly_far * far + truly_near * near)
        if falsely_far + falsely_near:
            others += award(
                gains, HIT_FALSE, falsely_far + falsely_near, falsely_far * far + falsely_near * near
            )
    if hits_the_coin(low, high, other, die_1, die_2):
        mover += award(gains, CORNER_HIT, 1, rules.jan_doublet if doublet else rules.jan_simple)
    return mover, others


@kernel
def score_opening(
    rules: Any, low: int, high: int, other: int, roll_no: int, die_1: int, die_2: int, gains: Any
) -> tuple[int, int]:
    """Enter the figures of the opening; return points (mover, other)."""
    mover = others = 0
    talon = men_on(low, high, TALON)
    if talon != 11 and talon != 13:
        return mover, others
    jan = rules.jan_doublet if die_1 == die_2 else rules.jan_simple
    if makes_six_tables(low, high, roll_no, die_1, die_2):
        mover += award(gains, SIX_TABLES, 1, jan)
    if makes_two_tables(low, high, die_1, die_2):
        if other & OTHER_COIN:
            others += award(gains, CONTRE_DEUX_TABLES, 1, jan)
        else:
            mover += award(gains, DEUX_TABLES, 1, jan)
    if makes_mezeas(low, high, die_1, die_2):
        if other & OTHER_COIN:
            others += award(gains, CONTRE_MEZEAS, 1, jan)
        else:
            mover += award(gains, MEZEAS, 1, jan)
    return mover, others


@kernel
def score_plays(
    rules: Any, low: int, high: int, die_1: int, die_2: int, plays: Any, count: int, gains: Any
) -> tuple[int, int]:
    """Enter what depends on the legal plays, and keep those that do it; return (mover's points, plays left)."""
    jan = rules.jan_doublet if die_1 == die_2 else rules.jan_simple
    points = 0
    place, lacking = quarter_in_play(low, high)
    if place >= 0:
        quarter = PETIT << (0, 6, 18)[place]
        full = keep_full(plays, count, quarter)
        if full:
            count = full
            if lacking == 0:
                points += award(gains, CONSERVE + place, 1, jan)
            else:
                ways = 1
                if lacking == 1:
                    ways = ways_to_fill(low, high, die_1, die_2, quarter, plays, count)
                points += award(gains, FILL + place, ways, ways * jan)
    if popcount(occupied(low, high)) <= 2:  # the last man can only leave when no more than two are left
        for k in range(count):
            if not plays[k, 0] | plays[k, 1]:
                plays[0, 0] = plays[0, 1] = 0
                return points + award(gains, SORTIE, 1, jan), 1
    if rules.pile_de_misere:
        for k in range(count):
            if with_fifteen(plays[k, 0], plays[k, 1]) & COIN:
                points += award(gains, PILE_DE_MISERE, 1, jan)  # marked, not obliged: positions are distinct
    return points, count


@kernel
def score_roll(
    rules: Any,
    low: int,
    high: int,
    other_low: int,
    other_high: int,
    roll_no: int,
    die_1: int,
    die_2: int,
    plays: Any,
    gains: Any,
) -> tuple[int, int, int]:
    """Score a roll and list the legal plays: (mover's points, other's points, number of plays).

    Each board in its owner's numbers; `roll_no`, the mover's rolls since the men last started; `plays`, int64
    (MAX_PLAYS, 2), filled; `gains`, int64 (figures, 2), overwritten.
    """
    gains[:, :] = 0
    other, closed = mirrored(occupied(other_low, other_high)), mirrored(made(other_low, other_high))
    forbidden = forbidden_quarters(other_low, other_high)
    count, played = list_plays(low, high, other, forbidden, die_1, die_2, rules.exact_leaves, plays)
    mover, others = score_hits(rules, low, high, other, closed, die_1, die_2, gains)
    early, early_others = score_opening(rules, low, high, other, roll_no, die_1, die_2, gains)
    jans, count = score_plays(rules, low, high, die_1, die_2, plays, count, gains)
    others += early_others
    if played < 2:
        others += award(gains, IMPUISSANCE, 2 - played, (2 - played) * rules.impuissance)
    return mover + early + jans, others, count
