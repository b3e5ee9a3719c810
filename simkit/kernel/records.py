"""The records that cross into compiled code: a lowered rule set, a lowered player, a unit of play."""

from __future__ import annotations

import numpy as np

FIGURES = (
    "six_tables",
    "deux_tables",
    "contre_deux_tables",
    "mezeas",
    "contre_mezeas",
    "hit_true",
    "hit_false",
    "corner_hit",
    "fill_petit_jan",
    "fill_grand_jan",
    "fill_jan_de_retour",
    "conserve_petit_jan",
    "conserve_grand_jan",
    "conserve_jan_de_retour",
    "sortie",
    "impuissance",
    "pile_de_misere",
    "jan_de_rencontre",
    "margot_la_fendue",
)
"""What a roll can score, in the order of the kernel's rows."""

(
    SIX_TABLES,
    DEUX_TABLES,
    CONTRE_DEUX_TABLES,
    MEZEAS,
    CONTRE_MEZEAS,
    HIT_TRUE,
    HIT_FALSE,
    CORNER_HIT,
    FILL,
    _FILL_GRAND,
    _FILL_RETOUR,
    CONSERVE,
    _CONSERVE_GRAND,
    _CONSERVE_RETOUR,
    SORTIE,
    IMPUISSANCE,
    PILE_DE_MISERE,
    JAN_DE_RENCONTRE,
    MARGOT_LA_FENDUE,
) = range(len(FIGURES))
"""FILL and CONSERVE are those of the petit jan; add 1 for the grand jan, 2 for the jan de retour."""

TO_OTHER = (CONTRE_DEUX_TABLES, CONTRE_MEZEAS, HIT_FALSE, IMPUISSANCE, MARGOT_LA_FENDUE)
"""The figures that the player who did not roll marks."""

OPTIONAL, MANDATORY, INSIDE_FIRST = 0, 1, 2
ALLOWED, ONLY_TO_CONSERVE, REFUSED = 0, 1, 2

RULES = np.dtype(
    [
        (name, np.int64)
        for name in (
            # Movement; a yes is 1.
            "usual_movement",  # the fast list of plays may be used
            "own_half",
            "max_men",  # most men on an arrow other than the talon at the end of a roll; 0: any
            "coin_by_two",
            "coin_left_by_two",
            "rest_on_own_coin",
            "rest_on_other_coin",
            "puissance",
            "natural_first",
            "forbidden_quarters",
            "passage",
            "fill_obligation",
            "conserve_obligation",
            "fill_first",  # before the higher die
            # Bearing off.
            "exact",  # OPTIONAL, MANDATORY or INSIDE_FIRST
            "short_by_farthest",
            "excess_as_good",
            "two_short",  # ALLOWED, ONLY_TO_CONSERVE or REFUSED
            "enter_and_leave",
            "leave_while_fill_possible",
            "sortie_obligatory",
            "sortie_keeps_points",
            "sortie_keeps_bredouille",
            "sortie_roll_again",  # the exit roll is also the first of the next setting
            # What scores.
            "jan_simple",
            "jan_doublet",
            "hit_grand_simple",
            "hit_grand_doublet",
            "hit_petit_simple",
            "hit_petit_doublet",
            "impuissance",
            "hit_by_sum",
            "false_hits",
            "corner_hit",
            "sortie",
            "six_tables",
            "deux_tables",
            "mezeas",
            "contre_jans",
            "mezeas_next_roll",
            "fills",
            "conserve",
            "fill_counts_ways",
            "coin_pair_fills",
            "conserve_by_impuissance",
            "conserve_by_leaving",
            "pile_de_misere",
            "rencontre",
            "margot",
            # Points, holes, going.
            "points_per_hole",
            "bredouille",
            "second_scorer",
            "go",
            "go_after_sortie",
            "marks_on_go",
            "stall_limit",  # rolls in a row without points; 0: none
            "target_holes",  # a partie ends there; 0: a written set, ended by going
            "last_hole",  # the unit ends there, on either die, and counts no more; 0: no such hole
            "set_min_holes",  # from here on, going ends a written set
            "run_multiplier",  # how often the holes of an unbroken run empty the pot of a pool
            # Trictrac combiné.
            "honours_target",  # holes of a game of honours played beside the set; 0: none is played
            "continuation",  # holes beyond the last of a game of honours open the next one
            "suspension",  # either game may be suspended
            "when_behind",  # FREEZE, CONCEDE or FORBID
            "last_unit",  # number of the unit whose scoring by a suspension ends the match at once; -1: none
        )
    ]
)

NO_RUN, INTACT, BROKEN = 0, 1, 2
WIN, CONCESSION, CAPPED = 0, 1, 2
ENDED_BY = ("win", "concession", "capped")

FREEZE, CONCEDE, FORBID = 0, 1, 2
"""What suspending the written game does to who has fewer than six holes while the other has six."""

NOT_SUSPENDED, HONOURS_SUSPENDED, WRITTEN_OPEN, WRITTEN_SCORED, PLAYED_ON = 0, 1, 2, 3, 4
"""Which game of a combined match rests, as long as nobody picks up.

The written set counts holes up to `HONOURS_SUSPENDED`, the game of honours in all states but that one.
`PLAYED_ON`: all sets are over, and the game of honours alone is played to its end."""

MAX_HONOURS = 32
"""Games of honours that a unit can log; one that makes more is capped."""

MAX_ROLLS = 20_000
"""A unit that takes more rolls is capped: it has no winner and ends its match."""

TO_THE_END = MAX_ROLLS + 1
"""So many rolls end every unit: it is over by then, or capped."""

FREE, GO, SUSPEND_WRITTEN, SUSPEND_HONOURS = -1, -2, -3, -4
"""What binds a roll: nothing, going, or suspending a game and holding; a number from 0 on is the place of the play
to take, without going."""
HOLD = 0
"""What a player does at a hole on his own die, beside `GO`, `SUSPEND_WRITTEN` and `SUSPEND_HONOURS`."""

_OF_A_UNIT = [
    ("match_id", np.int64),
    ("unit_no", np.int64),  # place of the unit in its match, the dice counter's second word
    ("seats", np.int64, 2),  # which of the players at the table sits on either side
    ("pot_holes", np.int64),  # holes that empty what is left in the pot of a draining pool; 0: no pot
    # On the table, each player in his own numbers.
    ("low", np.int64, 2),
    ("high", np.int64, 2),
    ("points", np.int64, 2),
    ("bredouille", np.int64, 2),
    ("rolls_of", np.int64, 2),  # each player's rolls in this setting
    ("took_coin", np.int64, 2),  # 1: on his last roll since the men started
    ("quiet_rolls", np.int64),  # rolls in a row in which nobody scored
    ("first_throw", np.int64),  # the unit's first dice, higher first, as 10 d + d; -1 once answered
    ("roller", np.int64),
    ("die_1", np.int64),  # the first roll, when the draw is itself the throw; 0: throw it
    ("die_2", np.int64),
    ("thrown_1", np.int64),  # the last roll played
    ("thrown_2", np.int64),
    # The ledger of holes, wiped by a do-over.
    ("holes", np.int64, 2),
    ("run", np.int64, 2),
    ("picked_up", np.int64, 2),
    ("intact_at_six", np.int64, 2),
    ("holes_own_die", np.int64, 2),
    ("holes_other_die", np.int64, 2),
    ("first_scorer", np.int64),  # 0, 1, or -1 for nobody yet
    ("rolls", np.int64),
    ("settings", np.int64),
    # The unit as a whole.
    ("first_player", np.int64),  # who throws first, also after a do-over
    ("do_overs", np.int64),
    ("rolls_do_overs", np.int64),
    ("settings_do_overs", np.int64),
    ("sorties", np.int64),
    ("start_no", np.int64),  # restarts of the men, do-overs included: the dice counter's third word
    ("winner", np.int64),  # -1 when capped
    ("ended_by", np.int64),
]

UNIT = np.dtype(_OF_A_UNIT, align=True)

_OF_BOTH_GAMES = [
    ("honours_holes", np.int64, 2),
    ("honours_run", np.int64, 2),
    ("honours_own_die", np.int64, 2),
    ("honours_first", np.int64),  # who made its first hole, or -1
    ("suspension", np.int64),
    ("suspender", np.int64),  # who suspended; -1 if nothing is
    ("written_suspended", np.int64, 2),  # how often in this unit, by player
    ("honours_suspended", np.int64, 2),
    ("scored", np.int64),  # 1: the set was decided by a suspension
    ("scored_at", np.int64),  # the attempt's rolls when it was scored so
    ("tail_rolls", np.int64),  # rolls after that, up to the pickup
    ("games", np.int64),  # games of honours finished in this unit
    ("game_log", np.int64, MAX_HONOURS),  # each as `simkit.kernel.combine.logged` writes it
]

COMBINED_UNIT = np.dtype([*_OF_BOTH_GAMES, *_OF_A_UNIT], align=True)
"""A unit of trictrac combiné: also the game of honours, which goes on from unit to unit.

Its own fields stand first: numba would take a record that begins as `UNIT` for one."""

RANDOM, EVALUATION = 0, 1
OWN = -1
"""Of a choice or a decision: it comes from outside the kernel, by lock-step."""
COIN_TOSS, JUDGEMENT, ALWAYS_HOLD, ALWAYS_GO, POT_JUDGEMENT = 0, 1, 2, 3, 4
LEAVES_GAME, NEVER_SUSPENDS, BY_STAKES = 0, 1, 2

PLAYER = np.dtype(
    [
        (name, np.int64)
        for name in (
            "choice",  # RANDOM, EVALUATION or OWN
            "look_ahead",  # 1: expected hits of the next roll, both ways
            "hits",  # weight of those hits, per 36th of a point
            "exposed_near",  # a lone man the other can reach, arrows 1-6 and 19-24
            "exposed_far",  # the same on arrows 7-18
            "petit",
            "grand",
            "retour",  # per man in place, at most two an arrow
            "made_grand",  # per arrow of the grand jan made
            "full",  # a full quarter
            "nearly",  # a quarter that lacks one or two men
            "spare",  # a man beyond the second on an arrow other than the talon
            "coin",
            "talon",  # per man still on the talon
            "decision",  # COIN_TOSS, JUDGEMENT, ALWAYS_HOLD, ALWAYS_GO, POT_JUDGEMENT
            "go_1024",  # chances in 1024 of going when that does not concede the set
            "concede_1024",
            "full_worth",  # what follows counts 36ths of a point
            "nearly_worth",
            "remainder",  # per point kept over the hole
            "hold_margin",
            "grande_margin",
            "win_margin",
            "level_margin",
            "concede_margin",
            "grande_holes",  # holes short of the twelfth from which the grande bredouille is tried for
            "combined",  # LEAVES_GAME, NEVER_SUSPENDS or BY_STAKES
            "lead",  # holes ahead in the game of honours from which BY_STAKES suspends
        )
    ]
)
