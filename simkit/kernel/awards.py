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
from simkit.kernel.hits import hits_the_coin, splits_margot, ways_to_hit
from simkit.kernel.jans import coin_pair_reaches, ways_to_fill
from simkit.kernel.openings import makes_mezeas, makes_six_tables, makes_two_tables
from simkit.kernel.plays import (
    count_full,
    is_obliged,
    keep_full,
    list_plays,
    men_to_stay,
    quarter_that_counts,
)
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
    JAN_DE_RENCONTRE,
    MARGOT_LA_FENDUE,
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
def forbidden_quarters(rules: Any, low: int, high: int) -> int:
    """Mask, in the mover's numbers, of the quarters that the other player (*his* board) can still fill (M11)."""
    mask = 0
    if not rules.forbidden_quarters:
        return mask
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
        men = occupied(low, high)
        truly_far, truly_near, falsely_far, falsely_near = ways_to_hit(
            men, closed, lone, die_1, die_2, rules.hit_by_sum
        )
        if truly_far + truly_near:
            mover += award(gains, HIT_TRUE, truly_far + truly_near, truly_far * far + truly_near * near)
        if rules.false_hits and falsely_far + falsely_near:
            others += award(
                gains, HIT_FALSE, falsely_far + falsely_near, falsely_far * far + falsely_near * near
            )
        if rules.margot:
            distances = splits_margot(men, other, closed, die_1, die_2)
            if distances:
                others += award(gains, MARGOT_LA_FENDUE, distances, distances * (4 if doublet else 2))
    if rules.corner_hit and hits_the_coin(low, high, other, die_1, die_2):
        mover += award(gains, CORNER_HIT, 1, rules.jan_doublet if doublet else rules.jan_simple)
    return mover, others


@kernel
def score_opening(
    rules: Any,
    low: int,
    high: int,
    other: int,
    roll_no: int,
    took_coin: int,
    die_1: int,
    die_2: int,
    gains: Any,
) -> tuple[int, int]:
    """Enter the figures of the opening; return points (mover, other)."""
    mover = others = 0
    talon = men_on(low, high, TALON)
    if talon != 11 and talon != 13:
        return mover, others
    jan = rules.jan_doublet if die_1 == die_2 else rules.jan_simple
    if rules.six_tables and makes_six_tables(low, high, roll_no, die_1, die_2):
        mover += award(gains, SIX_TABLES, 1, jan)
    if makes_two_tables(low, high, die_1, die_2):
        if other & OTHER_COIN:
            if rules.contre_jans:
                others += award(gains, CONTRE_DEUX_TABLES, 1, jan)
        elif rules.deux_tables:
            mover += award(gains, DEUX_TABLES, 1, jan)
    in_window = took_coin or not rules.mezeas_next_roll
    if in_window and makes_mezeas(low, high, die_1, die_2):
        if other & OTHER_COIN:
            if rules.contre_jans:
                others += award(gains, CONTRE_MEZEAS, 1, jan)
        elif rules.mezeas:
            mover += award(gains, MEZEAS, 1, jan)
    return mover, others


@kernel
def score_quarter(
    rules: Any,
    low: int,
    high: int,
    other: int,
    die_1: int,
    die_2: int,
    played: int,
    plays: Any,
    count: int,
    gains: Any,
) -> tuple[int, int]:
    """Enter a quarter filled or conserved; return (mover's points, plays left)."""
    place, lacking = quarter_that_counts(rules, low, high, played)
    if place < 0:
        return 0, count
    quarter, men = PETIT << (0, 6, 18)[place], men_to_stay(rules, low, high, lacking)
    obliged = is_obliged(rules, lacking)
    full = keep_full(plays, count, quarter, men) if obliged else count_full(plays, count, quarter, men)
    if not full:
        return 0, count
    if obliged:
        count = full
    jan = rules.jan_doublet if die_1 == die_2 else rules.jan_simple
    if not lacking:
        return award(gains, CONSERVE + place, 1, jan), count
    ways = 1
    if lacking == 1 and rules.fill_counts_ways:
        ways = ways_to_fill(rules, low, high, die_1, die_2, quarter, plays, count)
        if rules.coin_pair_fills and place == 2:
            ways += coin_pair_reaches(rules, low, high, other, die_1, die_2)
    return award(gains, FILL + place, ways, ways * jan), count


@kernel
def score_plays(
    rules: Any,
    low: int,
    high: int,
    other: int,
    die_1: int,
    die_2: int,
    played: int,
    plays: Any,
    count: int,
    gains: Any,
) -> tuple[int, int]:
    """Enter what depends on the legal plays, and keep those that do it; return (mover's points, plays left)."""
    jan = rules.jan_doublet if die_1 == die_2 else rules.jan_simple
    points, count = score_quarter(rules, low, high, other, die_1, die_2, played, plays, count, gains)
    if popcount(occupied(low, high)) <= 2:  # the last man can only leave when no more than two are left
        for k in range(count):
            if not plays[k, 0] | plays[k, 1]:
                if rules.sortie:
                    points += award(gains, SORTIE, 1, jan)
                if rules.sortie_obligatory:
                    plays[0, 0] = plays[0, 1] = 0
                    return points, 1
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
    took_coin: int,
    met: int,
    die_1: int,
    die_2: int,
    plays: Any,
    gains: Any,
) -> tuple[int, int, int, int]:
    """Score a roll and list the legal plays: points (mover, other), number of plays, dice unplayed.

    Each board in its owner's numbers; `roll_no`, the mover's rolls since the men last started; `took_coin`, 1 if
    he took the coin on his roll before; `met`, 1 if this is the other player's first roll over again; `plays`,
    int64 (MAX_PLAYS, 2), filled; `gains`, int64 (figures, 2), overwritten.
    """
    gains[:, :] = 0
    other, closed = mirrored(occupied(other_low, other_high)), mirrored(made(other_low, other_high))
    forbidden = forbidden_quarters(rules, other_low, other_high)
    count, played = list_plays(rules, low, high, other, forbidden, die_1, die_2, plays)
    mover, others = score_hits(rules, low, high, other, closed, die_1, die_2, gains)
    early, early_others = score_opening(rules, low, high, other, roll_no, took_coin, die_1, die_2, gains)
    jans, count = score_plays(rules, low, high, other, die_1, die_2, played, plays, count, gains)
    mover, others = mover + early + jans, others + early_others
    if met and rules.rencontre:
        jan = rules.jan_doublet if die_1 == die_2 else rules.jan_simple
        mover += award(gains, JAN_DE_RENCONTRE, 1, jan)
    if played < 2 and rules.impuissance:
        others += award(gains, IMPUISSANCE, 2 - played, (2 - played) * rules.impuissance)
    return mover, others, count, 2 - played
