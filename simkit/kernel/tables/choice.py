"""How a player of this family chooses: what a position is worth to him, on the spot or a roll later."""

from __future__ import annotations

from typing import Any

from simkit.kernel.board import (
    BOARD,
    GRAND,
    PETIT,
    RETOUR,
    made,
    men_and_places,
    men_on,
    mirrored,
    occupied,
)
from simkit.kernel.compiled import kernel, popcount
from simkit.kernel.tables.plays import is_home, list_plays, sent_to_bar
from simkit.kernel.tables.records import BAR

HIGH = GRAND << 6
"""Arrows 13 to 18, the quarter before the return jan."""
WON = 1_000_000_000
"""Worth more than any position of a game that goes on."""


@kernel
def stand_of(player: Any, low: int, high: int) -> int:
    """What one side's men on the board are worth to their owner by where they stand; his own numbers."""
    twos = made(low, high)
    two = twos & twos >> 1
    return (
        player.made_back * popcount(twos & PETIT)
        - player.back * men_on(low, high, PETIT)
        + player.made_low * popcount(twos & GRAND)
        + player.made_high * popcount(twos & HIGH)
        + player.made_home * popcount(twos & RETOUR)
        + player.two_together * popcount(two)
        + player.three_together * popcount(two & twos >> 2)
    )


@kernel
def race_of(player: Any, low: int, high: int) -> int:
    """What one side is worth by how far its men have to go, on the bar and off."""
    on_bar = men_on(low, high, BAR)
    men, places = men_and_places(low, high)
    return (
        player.off * (15 - men - on_bar)
        - player.pip * (24 * men - places + 25 * on_bar)
        - player.bar * on_bar
    )


@kernel
def risk_of(player: Any, low: int, high: int, other: int, within: int) -> int:
    """What the lone men within six of an adverse man before them are at risk.

    `other`, the adverse men in the mover's numbers, those on the bar counting as one at `BAR`, from where they
    reach the return jan; `within`, the places up to six before one of them.
    """
    reached = occupied(low, high) & ~made(low, high) & within
    if not reached:
        return 0
    shots = 0
    for die in range(1, 7):
        shots += popcount(reached & other >> die)
    return (
        player.shot * shots
        + player.exposed_back * popcount(reached & PETIT)
        + player.exposed_low * popcount(reached & GRAND)
        + player.exposed_high * popcount(reached & HIGH)
        + player.exposed_home * popcount(reached & RETOUR)
    )


@kernel
def reach_of(other: int) -> int:
    """Mask of the places up to six before an adverse man, in the mover's numbers."""
    within = other >> 1 | other >> 2 | other >> 3
    return within | within >> 3


@kernel
def facing(low: int, high: int) -> tuple[int, int]:
    """Masks in the mover's numbers, from the other's words: his men, those on the bar at `BAR`; their reach."""
    other = mirrored(occupied(low, high)) | (low | high | low >> 32 | high >> 32) & BAR
    return other, reach_of(other)


@kernel
def loss_by_hits(player: Any, hit: int) -> int:
    """What the other's side loses by men hit; a lone man holds nothing, so that only his way and place count."""
    loss = 0
    while hit:
        place = hit & -hit
        hit ^= place
        gone = popcount(BOARD & ~(place - 1))  # his own arrow
        loss += player.bar + player.pip * gone
        if gone <= 6:
            loss -= player.back
    return loss


@kernel
def value_plays(
    player: Any, other_low: int, other_high: int, plays: Any, count: int, values: Any
) -> tuple[int, int]:
    """Enter what each play is worth to the mover in `values`, int64 (MAX_PLAYS,); return the best and its worth.

    The worth of a position is the mover's side less the other's, and his risk is taken off. The first of equals is
    the best. Plays that bear nobody off leave the same way to go, so that it is reckoned once.
    """
    best, most = 0, 0
    facing_now, within_now = facing(other_low, other_high)
    waiting = men_on(other_low, other_high, BAR)
    others = stand_of(player, other_low, other_high) + race_of(player, other_low, other_high)
    race_known, race = False, 0
    for k in range(count):
        low, high, hit = plays[k, 0], plays[k, 1], plays[k, 2]
        if not low | high:
            worth = WON
        else:
            worth = stand_of(player, low, high) - others
            if is_home(low, high):
                worth += race_of(player, low, high)
            else:
                if not race_known:
                    race_known, race = True, race_of(player, low, high)
                worth += race
            other, within, on_bar = facing_now, within_now, waiting
            if hit:
                other = facing_now & ~hit | BAR
                within, on_bar = reach_of(other), waiting + popcount(hit)
                worth += loss_by_hits(player, hit)
            worth -= risk_of(player, low, high, other, within)
            if on_bar:
                worth += player.shut_out * on_bar * popcount(made(low, high) & RETOUR)
        values[k] = worth
        if k == 0 or worth > most:
            best, most = k, worth
    return best, most


@kernel
def expected_after(
    rules: Any, player: Any, low: int, high: int, other_low: int, other_high: int, desk: Any
) -> int:
    """36 times what a position is worth to the mover once the other has played his best by the same weights."""
    total = 0
    for die_1 in range(1, 7):
        for die_2 in range(1, die_1 + 1):
            count = list_plays(
                rules, other_low, other_high, low, high, die_1, die_2, desk.replies, desk.steps
            )
            _, most = value_plays(player, low, high, desk.replies, count, desk.reply_values)
            total -= most if die_1 == die_2 else 2 * most
    return total


@kernel
def next_best(values: Any, count: int, best: int) -> int:
    """Strike the best play off; return the place of the one worth most of the others, the first of equals."""
    values[best] = -WON
    best = 0
    for k in range(1, count):
        if values[k] > values[best]:
            best = k
    return best


@kernel
def ranked_play(player: Any, other_low: int, other_high: int, count: int, desk: Any) -> int:
    """Return the place of the play after so many better ones, on the spot; of the last where there are fewer."""
    best, _ = value_plays(player, other_low, other_high, desk.plays, count, desk.values)
    for _ in range(min(player.rank, count - 1)):
        best = next_best(desk.values, count, best)
    return best


@kernel
def best_play(rules: Any, player: Any, other_low: int, other_high: int, count: int, desk: Any) -> int:
    """Return the place of the play worth most, the first of equals.

    A player who looks ahead takes the plays worth most on the spot and compares them once the other has answered.
    """
    plays, values = desk.plays, desk.values
    best, most = value_plays(player, other_low, other_high, plays, count, values)
    if not player.candidates or most == WON:
        return best
    chosen, chosen_worth = best, 0
    for place in range(min(player.candidates, count)):
        if place:
            best = next_best(values, count, best)
        low, high, hit = plays[best, 0], plays[best, 1], plays[best, 2]
        hit_low, hit_high = sent_to_bar(other_low, other_high, hit)
        worth = expected_after(rules, player, low, high, hit_low, hit_high, desk)
        if place == 0 or worth > chosen_worth:
            chosen, chosen_worth = best, worth
    return chosen
