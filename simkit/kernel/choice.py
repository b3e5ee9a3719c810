"""How a player chooses: what a position is worth to him, and when he goes (weights are integers)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.kernel.board import (
    COIN,
    GRAND,
    NEAR_RAIL,
    PETIT,
    RETOUR,
    TALON,
    made,
    men_and_places,
    men_on,
    mirrored,
    missing,
    occupied,
    with_spare,
)
from simkit.kernel.combine import counts_for_set, may_suspend_honours, may_suspend_written
from simkit.kernel.compiled import by_field, inlined, kernel, popcount
from simkit.kernel.dice import below
from simkit.kernel.ledger import DO_OVER, PICKUP, SET_CONCEDED, SET_WON, outcome_of_going
from simkit.kernel.records import (
    ALWAYS_GO,
    ALWAYS_HOLD,
    BY_STAKES,
    COIN_TOSS,
    GO,
    HOLD,
    INTACT,
    NEVER_SUSPENDS,
    POT_JUDGEMENT,
    SUSPEND_HONOURS,
    SUSPEND_WRITTEN,
)

_PAIRS = [(high, low) for high in range(1, 7) for low in range(1, high)]
FIRST = np.array([high for high, _ in _PAIRS] + [1, 2, 3, 4, 5, 6] + [1] * 3)
"""The 21 throws, and three that count nothing, so that they come in eights; int64 (24,)."""
SECOND = np.array([low for _, low in _PAIRS] + [1, 2, 3, 4, 5, 6] + [1] * 3)
SIMPLE = np.array([2] * 15 + [0] * 9)
"""In how many of 36 rolls a throw falls as two different dice; `DOUBLET`, as a doublet."""
DOUBLET = np.array([0] * 15 + [1] * 6 + [0] * 3)

FEATURES = (
    "exposed_near",
    "exposed_far",
    "petit",
    "grand",
    "retour",
    "made_grand",
    "full",
    "nearly",
    "spare",
    "coin",
    "talon",
)
"""What an evaluation looks at in a position, as the fields of a player name it, but for the hits of the next roll;
the weights of the first two are taken off."""


@kernel
def distance_gone(low: int, high: int) -> int:
    """Sum over all men of the arrows advanced from the talon; a man off has gone 24."""
    men, total = men_and_places(low, high)
    return total + 24 * (15 - men)


@kernel
def within_reach_of(other: int) -> int:
    """Mask of the arrows up to twelve before an adverse man, in the mover's numbers: what one roll may hit."""
    reach = other >> 1
    reach |= reach >> 1
    reach |= reach >> 2
    reach |= reach >> 4
    return reach | reach >> 4


@kernel
def expected_hits(rules: Any, men: int, closed: int, lone: int) -> int:
    """Return the points that hits bring over all 36 rolls, true less false; masks as in `ways_to_hit`.

    The same sum as that function gives roll by roll. What a die hits directly is counted once for the eleven
    rolls it falls in; the sums of two dice are taken without a branch, so that they run several throws at a time.
    """
    if not lone:
        return 0
    far_once = 10 * rules.hit_grand_simple + rules.hit_grand_doublet
    near_once = 10 * rules.hit_petit_simple + rules.hit_petit_doublet
    total = 0
    for die in range(1, 7):
        hit = men << die & lone
        near = popcount(hit & NEAR_RAIL)
        total += near * near_once + (popcount(hit) - near) * far_once
    by_sum, false_hits = -rules.hit_by_sum, -rules.false_hits  # as masks: all men, or none
    far_simple, far_doublet = rules.hit_grand_simple, rules.hit_grand_doublet
    near_simple, near_doublet = rules.hit_petit_simple, rules.hit_petit_doublet
    for k in range(24):
        die_1, die_2 = FIRST[k], SECOND[k]
        reached = men << (die_1 + die_2) & lone
        truly = reached & ((men << die_1 & ~closed) << die_2 | (men << die_2 & ~closed) << die_1)
        falsely = reached & ~truly & false_hits
        truly &= by_sum
        near = popcount(truly & NEAR_RAIL) - popcount(falsely & NEAR_RAIL)
        far = popcount(truly) - popcount(falsely) - near
        total += SIMPLE[k] * (near * near_simple + far * far_simple)
        total += DOUBLET[k] * (near * near_doublet + far * far_doublet)
    return total


@inlined
def features_of(
    low: int, high: int, reach: int
) -> tuple[int, int, int, int, int, int, int, int, int, int, int]:
    """Return what a position has of each of `FEATURES`; `reach`: where an adverse man may hit, mover's numbers."""
    men, twos = occupied(low, high), made(low, high)
    exposed = men & ~twos & reach
    near = popcount(exposed & NEAR_RAIL)
    in_place = men | twos << 32  # two men an arrow at most, counted in one step
    petit = popcount(in_place & (PETIT | PETIT << 32))
    grand = popcount(in_place & (GRAND | GRAND << 32))
    retour = popcount(in_place & (RETOUR | RETOUR << 32))
    most = max(petit, grand, retour)
    return (
        near,
        popcount(exposed) - near,
        petit,
        grand,
        retour,
        popcount(twos & GRAND),
        1 if most == 12 else 0,
        1 if 10 <= most < 12 else 0,
        popcount(with_spare(low, high) & ~TALON),
        1 if men & COIN else 0,
        men_on(low, high, TALON),
    )


@kernel
def worth_of_position(
    rules: Any, player: Any, low: int, high: int, other: int, closed: int, reach: int
) -> int:
    """Evaluate the mover's position after a play; `other`, `closed`, `reach`: masks in the mover's numbers."""
    near, far, petit, grand, retour, made_grand, full, nearly, spare, coin, talon = features_of(
        low, high, reach
    )
    value = (
        player.petit * petit
        + player.grand * grand
        + player.retour * retour
        + player.made_grand * made_grand
        + player.full * full
        + player.nearly * nearly
        + player.spare * spare
        + player.coin * coin
        + player.talon * talon
        - player.exposed_near * near
        - player.exposed_far * far
    )
    if player.look_ahead:
        men, twos = occupied(low, high), made(low, high)
        threatened = expected_hits(rules, men, closed, other & ~closed)
        conceded = expected_hits(rules, mirrored(other), mirrored(twos), mirrored(men & ~twos))
        value += player.hits * (threatened - conceded)
    return value


@kernel
def best_play(rules: Any, player: Any, other_low: int, other_high: int, plays: Any, count: int) -> int:
    """Return the place of the play worth most, the first of equals."""
    if count == 1:
        return 0
    other, closed = mirrored(occupied(other_low, other_high)), mirrored(made(other_low, other_high))
    reach = within_reach_of(other)
    best, best_value = 0, 0
    for k in range(count):
        value = worth_of_position(rules, player, plays[k, 0], plays[k, 1], other, closed, reach)
        if k == 0 or value > best_value:
            best, best_value = k, value
    return best


@kernel
def pips_to_spare(low: int, high: int, quarter: int) -> int:
    """Return how far the three men beyond a full quarter can still go before it must break.

    Up to the coin for the quarters of the own side, off the board for the jan de retour.
    """
    if quarter == RETOUR:
        return 3 * 24 - (distance_gone(low, high) - 246)
    return 3 * 11 - (distance_gone(low, high) - (30 if quarter == PETIT else 102))


@kernel
def promise_of(rules: Any, player: Any, low: int, high: int, other: int, closed: int) -> int:
    """Return, in 36ths of a point, what a position promises its owner on a roll: hits, and a quarter to keep."""
    promise = expected_hits(rules, occupied(low, high), closed, other & ~closed)
    for quarter in (PETIT, GRAND, RETOUR):
        lacking = missing(low, high, quarter)
        if lacking == 0:
            worth = player.full_worth
            promise += worth if pips_to_spare(low, high, quarter) >= 8 else worth // 2
        elif lacking <= 2:
            promise += player.nearly_worth
    return promise


@kernel
def balance_of_holding(
    rules: Any, player: Any, unit: Any, who: int, others_gain: int, low: int, high: int
) -> int:
    """Return what holding promises less what it threatens, in 36ths of a point.

    `low`, `high`: where the mover's men will stand after the play he would choose; no man, if he bears off. On
    the one side the points kept over the hole and what that position promises; on the other what this very roll
    gives the other player and what his position promises him. After bearing off both start again (D5).
    """
    balance = player.remainder * unit.points[who] - 36 * others_gain
    if not low | high:
        return balance
    other_low, other_high = unit.low[1 - who], unit.high[1 - who]
    other, closed = mirrored(occupied(other_low, other_high)), mirrored(made(other_low, other_high))
    men, twos = mirrored(occupied(low, high)), mirrored(made(low, high))
    balance += promise_of(rules, player, low, high, other, closed)
    return balance - promise_of(rules, player, other_low, other_high, men, twos)


@kernel
def empties_pot(rules: Any, unit: Any, winner: int) -> bool:
    """Tell whether the holes of a match that ended now would take all that is left in the pot of a pool."""
    times = rules.run_multiplier if unit.run[winner] == INTACT else 1
    return 0 < unit.pot_holes <= times * unit.holes[winner] - unit.holes[1 - winner]


@kernel
def judges_to_go(player: Any, outcome: int, unit: Any, who: int, balance: int) -> bool:
    """Tell whether to go, from what going does and the balance of holding."""
    if outcome == PICKUP:
        return balance < player.hold_margin
    if outcome == SET_WON and player.decision == POT_JUDGEMENT:
        return balance < player.win_margin
    if outcome == SET_WON:
        near_the_grande = unit.run[who] == INTACT and 12 - player.grande_holes <= unit.holes[who] < 12
        return not near_the_grande or balance < player.grande_margin
    if outcome == DO_OVER:
        return balance < player.level_margin
    return balance < -player.concede_margin


@kernel
def goes(
    rules: Any, player: Any, unit: Any, who: int, others_gain: int, low: int, high: int, word: int
) -> bool:
    """Decide whether to go after a hole on one's own die (decisions D1, D2, D5 and D6 of rules.md II.10).

    `others_gain`, the points this roll gives the other; `low`, `high`, the men after the play he would choose;
    `word`, for players who toss a coin.
    """
    outcome = outcome_of_going(rules, unit.holes[who], unit.holes[1 - who])
    if player.decision == COIN_TOSS:
        chance = player.concede_1024 if outcome == SET_CONCEDED else player.go_1024
        return below(1024, word) < chance
    if player.decision == ALWAYS_HOLD:
        return False
    if player.decision == ALWAYS_GO:
        return outcome != SET_CONCEDED
    if player.decision == POT_JUDGEMENT:
        if outcome == SET_WON and empties_pot(rules, unit, who):
            return True
        if outcome == SET_CONCEDED and empties_pot(rules, unit, 1 - who):
            return False
    return judges_to_go(
        player,
        outcome,
        unit,
        who,
        balance_of_holding(rules, player, unit, who, others_gain, low, high),
    )


@kernel
def tossed_deed(rules: Any, player: Any, unit: Any, who: int, outcome: int, word: int) -> int:
    """Decide by a coin whether to stay, and by another throw which of the deeds allowed to do instead."""
    chance = player.concede_1024 if outcome == SET_CONCEDED else player.go_1024
    tossed = below(3 * 1024, word)  # a coin of 1024 sides, and which of three deeds
    if tossed // 3 >= chance:
        return HOLD
    if player.combined != NEVER_SUSPENDS:
        if tossed % 3 == 1 and may_suspend_written(unit, rules, who):
            return SUSPEND_WRITTEN
        if tossed % 3 == 2 and may_suspend_honours(unit, rules):
            return SUSPEND_HONOURS
    return GO


@kernel
def is_worth_suspending(player: Any, unit: Any, who: int) -> bool:
    """Tell whether a player suspends: by the stakes only if he leads the honours or has a whole run there."""
    if player.combined != BY_STAKES:
        return bool(player.combined != NEVER_SUSPENDS)
    ahead = unit.honours_holes[who] - unit.honours_holes[1 - who]
    return unit.honours_run[who] == INTACT or ahead >= player.lead


@kernel
def combined_deed(
    rules: Any, player: Any, unit: Any, who: int, others_gain: int, low: int, high: int, word: int
) -> int:
    """Decide what to do at a hole on one's own die in trictrac combiné (decisions D3 and D4 of rules.md II.10).

    The player asks of either game alone whether he would go in it. If both say so he goes, and if neither does he
    holds; where they differ he suspends the one he would leave, or lets the written game decide.
    """
    outcome = PICKUP
    if counts_for_set(unit):
        outcome = outcome_of_going(rules, unit.holes[who], unit.holes[1 - who])
    if player.decision == COIN_TOSS:
        return tossed_deed(rules, player, unit, who, outcome, word)
    if player.decision == ALWAYS_HOLD:
        return HOLD
    if player.decision == ALWAYS_GO:
        leaves_set, leaves_honours = outcome != SET_CONCEDED, True
    else:
        balance = balance_of_holding(rules, player, unit, who, others_gain, low, high)
        leaves_set = judges_to_go(player, outcome, unit, who, balance)
        leaves_honours = judges_to_go(player, PICKUP, unit, who, balance)
    if leaves_set != leaves_honours and is_worth_suspending(player, unit, who):
        if leaves_honours and may_suspend_honours(unit, rules):
            return SUSPEND_HONOURS
        if leaves_set and may_suspend_written(unit, rules, who):
            return SUSPEND_WRITTEN
    return GO if leaves_set else HOLD


@kernel
def plain_deed(
    rules: Any, player: Any, unit: Any, who: int, others_gain: int, low: int, high: int, word: int
) -> int:
    """Decide whether to hold or to go, as `goes` does."""
    return GO if goes(rules, player, unit, who, others_gain, low, high, word) else HOLD


deed_of = by_field("honours_holes", 2, plain_deed, combined_deed)
"""What a player does at a hole on his own die: `HOLD`, `GO`, or suspend a game."""
