"""The records that cross into the compiled code of this family: lowered rules, a lowered player, a game."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

BAR = 1 << 24
"""Where hit men wait: one bit beyond arrow 24 in the same planes, not on the board."""
OUTSIDE = BAR | (1 << 18) - 1
"""The bar and arrows 1 to 18, where no man may be when men are borne off."""

OFF0_AND_NOT_ALL_HOME, OFF0, OFF0_OR_NOT_ALL_HOME = 0, 1, 2

NOBODY = -1
"""Whose the cube is while either may double."""
GAME_ENDED_BY = ("win", "drop", "capped")
"""How a game ended, by code; `drop`: a double was not taken."""
DROP = 1

TABLES_RULES = np.dtype(
    [
        (name, np.int64)
        for name in (
            "max_dice",  # 1: most dice are played, 0: most points
            "doubles_played",
            "double",  # OFF0_AND_NOT_ALL_HOME, OFF0 or OFF0_OR_NOT_ALL_HOME
            "triple",
            "cube_limit",  # the most the cube may come to; 1 where there is none
        )
    ]
)

GAME = np.dtype(
    [
        ("match_id", np.int64),
        ("unit_no", np.int64),  # place of the game in its match, the dice counter's second word
        ("start", np.int64, 4),  # the dice a, b, c, d of the start; 0 where it was another position
        # On the table, each player in his own numbers, men on the bar at BAR.
        ("low", np.int64, 2),
        ("high", np.int64, 2),
        ("rolls_of", np.int64, 2),
        ("roller", np.int64),
        ("die_1", np.int64),  # the first roll, when it is known; 0: throw it
        ("die_2", np.int64),
        ("thrown_1", np.int64),  # the last roll played
        ("thrown_2", np.int64),
        ("opening_1", np.int64),  # the first roll played; 0 before it
        ("opening_2", np.int64),
        ("first_player", np.int64),
        ("rolls", np.int64),
        ("hits", np.int64, 2),  # men of the other's that he has hit
        ("winner", np.int64),  # -1 when capped
        ("points", np.int64),  # 1, 2 or 3 times the cube once won
        ("ended_by", np.int64),
        ("cube", np.int64),  # what it shows, 1 before the first double
        ("cube_owner", np.int64),  # who alone may double; NOBODY: either may
        ("cube_rests", np.int64),  # 1: nobody may double in this game
        (
            "under_way",
            np.int64,
        ),  # 1: it goes on from a position, so that its first roll here is not its opening
        ("needed", np.int64, 2),  # points each player still needs to win the match, at the start of the game
        ("pips_left", np.int64, 2),  # once over: points still to go, and men borne off
        ("off", np.int64, 2),
        ("all_home", np.int64, 2),  # 1: none of his men stands outside his return jan
    ],
    align=True,
)

TABLES_PLAYER = np.dtype(
    [
        (name, np.int64)
        for name in (
            "choice",  # RANDOM, EVALUATION or OWN
            "candidates",  # plays looked at one roll further; 0: none
            "rank",  # of the plays worth most, the one he takes; 0: the first
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
            "doubles",  # 1: he has a judgement of the cube; without it he never doubles and drops nothing
            "offer_odds",  # thresholds, in ten-thousandths of log odds
            "redouble_odds",
            "play_on_odds",
            "take_odds",
            "race_roll",
            "race_lead",
            "contact_roll",
            "contact_lead",
            "contact_off",
            "contact_bar",
            "contact_back",
            "contact_anchor",
            "contact_home",
            "contact_prime",
            "contact_lone",
            "contact_lone_other",
            "contact_shut",
        )
    ]
)
"""The weights are those of `simkit.players.TablesEvaluation` and of `simkit.players.Doubling`."""


class Desk(NamedTuple):
    """The memory a game is played with; the kernel allocates nothing."""

    plays: Any
    """int64 (3, MAX_PLAYS): the plays of a roll, the mover's two words and the men hit."""
    values: Any
    """int64 (MAX_PLAYS,): what each is worth."""
    replies: Any
    """The same two for the roll that answers."""
    reply_values: Any
    steps: Any
    """int64 (4, 5): the steps of a double."""
    streams: Any
    """int64 (STREAMS, 5): the current block of each stream of dice."""
