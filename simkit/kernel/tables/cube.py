"""The doubling cube: who may double, what a player takes his chance of winning for, and what he does with it."""

from __future__ import annotations

from math import sqrt
from typing import Any

from simkit.kernel.board import BOARD, PETIT, RETOUR, made, men_and_places, men_on, mirrored, occupied
from simkit.kernel.compiled import kernel, popcount
from simkit.kernel.tables.choice import facing, reach_of
from simkit.kernel.tables.records import BAR, NOBODY


@kernel
def pips_of(low: int, high: int) -> int:
    """Points that a side still has to go: 25 from the bar, one from arrow 24."""
    men, places = men_and_places(low, high)
    return 24 * men - places + 25 * men_on(low, high, BAR)


@kernel
def may_double(rules: Any, game: Any) -> bool:
    """Tell whether the roller may double: before a roll not yet known, and not before the opening (III.9)."""
    return (
        game.cube < rules.cube_limit
        and game.cube_owner != 1 - game.roller
        and (game.rolls > 0 or game.under_way)
        and not game.die_1
        and not game.cube_rests
    )


@kernel
def past_each_other(low: int, high: int, other_low: int, other_high: int) -> bool:
    """Tell whether no man can be hit or held up any more."""
    if (
        low | high | low >> 32 | high >> 32 | other_low | other_high | other_low >> 32 | other_high >> 32
    ) & BAR:
        return False
    men = occupied(low, high)
    return men & -men > mirrored(occupied(other_low, other_high))


@kernel
def longest_row(twos: int) -> int:
    """Length of the longest row of adjoining arrows in a mask."""
    length = 0
    while twos:
        length += 1
        twos &= twos >> 1
    return length


@kernel
def lead_of(pips: int, others: int) -> int:
    """The lead in the race, in hundredths of the square root of all points still to go."""
    return 10_000 * (others - pips) // int(sqrt(10_000 * (others + pips)))


@kernel
def exposed(low: int, high: int, other_low: int, other_high: int) -> int:
    """Count the lone men within six of an adverse man before them."""
    within = reach_of(facing(other_low, other_high))
    return popcount(occupied(low, high) & ~made(low, high) & within)


@kernel
def log_odds(player: Any, low: int, high: int, other_low: int, other_high: int) -> int:
    """What a player takes the chance of the side to roll for: ten-thousandths of the logarithm of its odds.

    Each board in its owner's numbers.
    """
    lead = lead_of(pips_of(low, high), pips_of(other_low, other_high))
    if past_each_other(low, high, other_low, other_high):
        return player.race_roll + player.race_lead * lead
    twos, other_twos = made(low, high), made(other_low, other_high)
    home, other_home = popcount(twos & RETOUR), popcount(other_twos & RETOUR)
    bar, other_bar = men_on(low, high, BAR), men_on(other_low, other_high, BAR)
    return (
        player.contact_roll
        + player.contact_lead * lead
        + player.contact_off * (men_on(other_low, other_high, BOARD | BAR) - men_on(low, high, BOARD | BAR))
        - player.contact_bar * (bar - other_bar)
        - player.contact_back * (men_on(low, high, PETIT) - men_on(other_low, other_high, PETIT))
        + player.contact_anchor * (popcount(twos & PETIT) - popcount(other_twos & PETIT))
        + player.contact_home * (home - other_home)
        + player.contact_prime * (longest_row(twos) - longest_row(other_twos))
        - player.contact_lone * exposed(low, high, other_low, other_high)
        + player.contact_lone_other * exposed(other_low, other_high, low, high)
        + player.contact_shut * (other_bar * home - bar * other_home)
    )


@kernel
def odds_of_roller(player: Any, game: Any) -> int:
    """The log odds of the roller, as a player sees them."""
    who, other = game.roller, 1 - game.roller
    return log_odds(player, game.low[who], game.high[who], game.low[other], game.high[other])


@kernel
def offers(player: Any, game: Any) -> bool:
    """Decide whether the roller doubles; never where the game wins him the match as it stands."""
    if not player.doubles or game.cube >= game.needed[game.roller]:
        return False
    if game.cube >= game.needed[1 - game.roller]:  # the match is lost with the game anyway
        return True
    least = player.offer_odds if game.cube_owner == NOBODY else player.redouble_odds
    return least <= odds_of_roller(player, game) < player.play_on_odds


@kernel
def takes(player: Any, game: Any) -> bool:
    """Decide whether the other takes the double that the roller offers."""
    return not player.doubles or -odds_of_roller(player, game) >= player.take_odds


@kernel
def drops_a_double(rules: Any, players: Any, game: Any) -> bool:
    """Let the roller double if he may and will; tell whether the other drops, which ends the game.

    Who takes the cube owns it.
    """
    other = 1 - game.roller
    if not may_double(rules, game) or not offers(players[game.roller], game):
        return False
    if not takes(players[other], game):
        return True
    game.cube *= 2
    game.cube_owner = other
    return False
