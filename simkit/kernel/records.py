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
) = range(len(FIGURES))
"""FILL and CONSERVE are those of the petit jan; add 1 for the grand jan, 2 for the jan de retour."""

TO_OTHER = (CONTRE_DEUX_TABLES, CONTRE_MEZEAS, HIT_FALSE, IMPUISSANCE)
"""The figures that the player who did not roll marks."""

RULES = np.dtype(
    [
        (name, np.int64)
        for name in (
            "exact_leaves",  # 1: a man at exactly the distance of a die must leave with it
            "pile_de_misere",
            "jan_simple",
            "jan_doublet",
            "hit_grand_simple",
            "hit_grand_doublet",
            "hit_petit_simple",
            "hit_petit_doublet",
            "impuissance",
            "points_per_hole",
            "target_holes",  # a partie ends there; 0: a written set, ended by going
            "set_min_holes",  # from here on, going ends a written set
        )
    ]
)

NO_RUN, INTACT, BROKEN = 0, 1, 2
WIN, CONCESSION, CAPPED = 0, 1, 2
ENDED_BY = ("win", "concession", "capped")

MAX_ROLLS = 20_000
"""A unit that takes more rolls is capped: it has no winner and ends its match."""

UNIT = np.dtype(
    [
        ("match_id", np.int64),
        ("unit_no", np.int64),  # place of the unit in its match, the dice counter's second word
        # On the table, each player in his own numbers.
        ("low", np.int64, 2),
        ("high", np.int64, 2),
        ("points", np.int64, 2),
        ("bredouille", np.int64, 2),
        ("rolls_of", np.int64, 2),  # each player's rolls in this setting
        ("roller", np.int64),
        ("die_1", np.int64),  # the first roll, when the draw is itself the throw; 0: throw it
        ("die_2", np.int64),
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
    ],
    align=True,
)

RANDOM, EVALUATION = 0, 1
COIN_TOSS, JUDGEMENT, ALWAYS_HOLD, ALWAYS_GO = 0, 1, 2, 3

PLAYER = np.dtype(
    [
        (name, np.int64)
        for name in (
            "choice",  # RANDOM or EVALUATION
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
            "decision",  # COIN_TOSS, JUDGEMENT, ALWAYS_HOLD, ALWAYS_GO
            "go_1024",  # chances in 1024 of going when that does not concede the set
            "concede_1024",
            "full_worth",  # what follows counts 36ths of a point
            "nearly_worth",
            "remainder",  # per point kept over the hole
            "hold_margin",
            "grande_margin",
            "level_margin",
            "concede_margin",
            "grande_holes",  # holes short of the twelfth from which the grande bredouille is tried for
        )
    ]
)
