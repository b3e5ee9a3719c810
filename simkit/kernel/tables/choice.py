"""How a player of this family chooses: what a position is worth to him, on the spot or a roll later."""

from __future__ import annotations

from typing import Any

from simkit.kernel.board import (
    GRAND,
    PETIT,
    RETOUR,
    made,
    men_and_places,
    men_on,
    mirrored,
    occupied,
    places_of,
)
from simkit.kernel.compiled import inlined, kernel, popcount
from simkit.kernel.tables.plays import list_plays, sent_to_bar
from simkit.kernel.tables.records import BAR, OUTSIDE

HIGH = GRAND << 6
"""Arrows 13 to 18, the quarter before the return jan."""
WON = 1_000_000_000
"""Worth more than any position of a game that goes on."""

FEATURES = (
    "pip",
    "off",
    "bar",
    "back",
    "made_back",
    "made_low",
    "made_high",
    "made_home",
    "two_together",
    "three_together",
    "exposed_back",
    "exposed_low",
    "exposed_high",
    "exposed_home",
    "shot",
    "shut_out",
    "won",
)
"""What an evaluation looks at in a play, as the fields of a player name it, and whether it takes the last man off.

Each counts for the mover, less what the men he hits bring the other; how the other stood before is left out. The
weights of the first, of `bar`, `back`, `shot` and what is exposed are taken off."""


@inlined
def stand_features(low: int, high: int) -> tuple[int, int, int, int, int, int, int]:
    """Count one side's men in the back quarter, its arrows held in each quarter, and those in twos and threes."""
    twos = made(low, high)
    two = twos & twos >> 1
    return (
        men_on(low, high, PETIT),
        popcount(twos & PETIT),
        popcount(twos & GRAND),
        popcount(twos & HIGH),
        popcount(twos & RETOUR),
        popcount(two),
        popcount(two & twos >> 2),
    )


@kernel
def stand_of(player: Any, low: int, high: int) -> int:
    """What one side's men on the board are worth to their owner by where they stand; his own numbers."""
    back, made_back, made_low, made_high, made_home, two, three = stand_features(low, high)
    return (
        player.made_back * made_back
        - player.back * back
        + player.made_low * made_low
        + player.made_high * made_high
        + player.made_home * made_home
        + player.two_together * two
        + player.three_together * three
    )


@inlined
def race_features(low: int, high: int) -> tuple[int, int, int]:
    """Count one side's points still to go, its men borne off, and those on the bar."""
    on_bar = men_on(low, high, BAR)
    men, places = men_and_places(low, high)
    return 24 * men - places + 25 * on_bar, 15 - men - on_bar, on_bar


@inlined
def race_of(player: Any, low: int, high: int) -> int:
    """What one side is worth by how far its men have to go, on the bar and off."""
    pips, off, on_bar = race_features(low, high)
    return player.off * off - player.pip * pips - player.bar * on_bar


@inlined
def risk_features(lone: int, other: int) -> tuple[int, int, int, int, int]:
    """Count the lone men within six of an adverse man before them, by quarter, and the dice that hit them.

    `other`, the adverse men in the mover's numbers, those on the bar counting as one at `BAR`, from where they
    reach the return jan.
    """
    ones, twos, fours = shots_at(other)
    reached = lone & (ones | twos | fours)
    return (
        popcount(reached & PETIT),
        popcount(reached & GRAND),
        popcount(reached & HIGH),
        popcount(reached & RETOUR),
        popcount(lone & ones) + 2 * popcount(lone & twos) + 4 * popcount(lone & fours),
    )


@kernel
def risk_of(player: Any, lone: int, other: int) -> int:
    """What lone men are at risk, as `risk_features` counts them."""
    back, low, high, home, shots = risk_features(lone, other)
    return (
        player.shot * shots
        + player.exposed_back * back
        + player.exposed_low * low
        + player.exposed_high * high
        + player.exposed_home * home
    )


@kernel
def shots_at(other: int) -> tuple[int, int, int]:
    """Count for every place the adverse places up to six before it: masks of the binary digits 1, 2 and 4."""
    one, two, three = other >> 1, other >> 2, other >> 3
    four, five, six = other >> 4, other >> 5, other >> 6
    near, far = one ^ two ^ three, four ^ five ^ six
    near_2, far_2 = one & two | three & (one | two), four & five | six & (four | five)
    both = near & far
    return near ^ far, near_2 ^ far_2 ^ both, near_2 & far_2 | both & (near_2 | far_2)


@kernel
def reach_of(other: int) -> int:
    """Mask of the places up to six before an adverse man, in the mover's numbers."""
    within = other >> 1 | other >> 2 | other >> 3
    return within | within >> 3


@kernel
def facing(low: int, high: int) -> int:
    """Mask in the mover's numbers of the other's men, from the other's words; those on the bar at `BAR`."""
    return mirrored(occupied(low, high)) | (low | high | low >> 32 | high >> 32) & BAR


@kernel
def loss_by_hits(player: Any, hit: int) -> int:
    """What the other's side loses by men hit; a lone man holds nothing, so that only his way and place count."""
    men = popcount(hit)
    return player.bar * men + player.pip * (24 * men - places_of(hit)) - player.back * popcount(hit & RETOUR)


@kernel
def compare_plays(player: Any, other_low: int, other_high: int, plays: Any, count: int, values: Any) -> bool:
    """Enter what each play is worth to the mover, but for what is the same for all, in `values`.

    Left out are the other's side as it stands before the play, and the way the mover's men have to go where no
    play leaves them all at home; return whether one does. The loops have no branch, so that the machine takes
    several plays at once: four columns at a time, the last of them filled up.
    """
    outside = OUTSIDE | OUTSIDE << 32
    men_there = facing(other_low, other_high)
    waiting_there = men_on(other_low, other_high, BAR)
    whole = count + 3 & ~3
    for k in range(count, whole):
        plays[0, k], plays[1, k], plays[2, k] = plays[0, 0], plays[1, 0], plays[2, 0]
    homes = 0
    for k in range(whole):
        low, high, hit = plays[0, k], plays[1, k], plays[2, k]
        somebody = 1 if hit else 0
        waiting = waiting_there + popcount(hit)
        values[k] = (
            stand_of(player, low, high)
            + loss_by_hits(player, hit)
            + player.shut_out * waiting * popcount(made(low, high) & RETOUR)
            - risk_of(player, occupied(low, high) & ~made(low, high), men_there & ~hit | somebody << 24)
        )
        homes |= 0 if (low | high) & outside else 1
    if homes:
        for k in range(whole):
            low, high = plays[0, k], plays[1, k]
            worth = values[k] + race_of(player, low, high)
            values[k] = worth if low | high else WON
    return homes != 0


@kernel
def features_of(
    low: int, high: int, hit: int, men_there: int, waiting_there: int
) -> tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int]:
    """Return what a play has of each of `FEATURES`, the sums that `compare_plays` weighs; after the last man has
    left, that alone.

    `men_there`, `waiting_there`: the other's men before the play as `facing` gives them, and those on the bar.
    """
    if not low | high:
        return 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
    hits, threat = popcount(hit), men_there & ~hit | (BAR if hit else 0)
    back, made_back, made_low, made_high, made_home, two, three = stand_features(low, high)
    pips, off, on_bar = race_features(low, high)
    lone = occupied(low, high) & ~made(low, high)
    risk_back, risk_low, risk_high, risk_home, shots = risk_features(lone, threat)
    return (
        pips - (24 * hits - places_of(hit)),
        off,
        on_bar - hits,
        back + popcount(hit & RETOUR),
        made_back,
        made_low,
        made_high,
        made_home,
        two,
        three,
        risk_back,
        risk_low,
        risk_high,
        risk_home,
        shots,
        (waiting_there + hits) * made_home,
        0,
    )


@kernel
def best_of(values: Any, count: int) -> int:
    """Return the place of the most, the first of equals."""
    best, most = 0, values[0]
    for k in range(1, count):
        worth = values[k]
        if worth > most:
            best, most = k, worth
    return best


@kernel
def worth_of_side(player: Any, low: int, high: int) -> int:
    """What one side is worth to its owner, its risk left out."""
    return stand_of(player, low, high) + race_of(player, low, high)


@kernel
def value_plays(
    player: Any, other_low: int, other_high: int, plays: Any, count: int, values: Any
) -> tuple[int, int]:
    """Enter what each play is worth to the mover in `values`, int64 (MAX_PLAYS,); return the best and its worth.

    The worth of a position is the mover's side less the other's, and his risk is taken off. The first of equals is
    the best.
    """
    same = -worth_of_side(player, other_low, other_high)
    if not compare_plays(player, other_low, other_high, plays, count, values):
        same += race_of(player, plays[0, 0], plays[1, 0])
    for k in range(count):
        values[k] = WON if values[k] == WON else values[k] + same
    best = best_of(values, count)
    return best, values[best]


@kernel
def expected_after(
    rules: Any, player: Any, low: int, high: int, other_low: int, other_high: int, desk: Any
) -> int:
    """36 times what a position is worth to the mover once the other has played his best by the same weights."""
    mine = worth_of_side(player, low, high)
    total = 0
    for die_1 in range(1, 7):
        for die_2 in range(1, die_1 + 1):
            count = list_plays(
                rules, other_low, other_high, low, high, die_1, die_2, desk.replies, desk.steps
            )
            homes = compare_plays(player, low, high, desk.replies, count, desk.reply_values)
            most = desk.reply_values[best_of(desk.reply_values, count)]
            if most != WON:
                most -= mine
                if not homes:
                    most += race_of(player, desk.replies[0, 0], desk.replies[1, 0])
            total -= most if die_1 == die_2 else 2 * most
    return total


@kernel
def next_best(values: Any, count: int, best: int) -> int:
    """Strike the best play off; return the place of the one worth most of the others, the first of equals."""
    values[best] = -WON
    return best_of(values, count)


@kernel
def ranked_play(player: Any, other_low: int, other_high: int, count: int, desk: Any) -> int:
    """Return the place of the play after so many better ones, on the spot; of the last where there are fewer."""
    compare_plays(player, other_low, other_high, desk.plays, count, desk.values)
    best = best_of(desk.values, count)
    for _ in range(min(player.rank, count - 1)):
        best = next_best(desk.values, count, best)
    return best


@kernel
def best_play(rules: Any, player: Any, other_low: int, other_high: int, count: int, desk: Any) -> int:
    """Return the place of the play worth most, the first of equals.

    A player who looks ahead takes the plays worth most on the spot and compares them once the other has answered.
    """
    plays, values = desk.plays, desk.values
    compare_plays(player, other_low, other_high, plays, count, values)
    best = best_of(values, count)
    if not player.candidates or values[best] == WON:
        return best
    chosen, chosen_worth = best, 0
    for place in range(min(player.candidates, count)):
        if place:
            best = next_best(values, count, best)
        low, high, hit = plays[0, best], plays[1, best], plays[2, best]
        hit_low, hit_high = sent_to_bar(other_low, other_high, hit)
        worth = expected_after(rules, player, low, high, hit_low, hit_high, desk)
        if place == 0 or worth > chosen_worth:
            chosen, chosen_worth = best, worth
    return chosen
