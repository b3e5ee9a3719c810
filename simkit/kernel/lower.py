"""Lowering: a rule set becomes the record that compiled code reads at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.kernel.records import (
    ALLOWED,
    CONCEDE,
    FORBID,
    FREEZE,
    INSIDE_FIRST,
    MANDATORY,
    ONLY_TO_CONSERVE,
    OPTIONAL,
    REFUSED,
    RULES,
)
from simkit.rules import (
    BearOffExactPolicy,
    BearOffOverflowPolicy,
    BearOffShortPolicy,
    BearOffTwoShortCombined,
    Combine,
    FillVsHigherDie,
    ForbiddenJanRule,
    LastSetScored,
    MezeasWindow,
    MovementScope,
    SuspendWhenBehind,
    Trictrac,
    TwelveHoles,
    Written,
)

EXACT = {
    BearOffExactPolicy.OPTIONAL: OPTIONAL,
    BearOffExactPolicy.MANDATORY: MANDATORY,
    BearOffExactPolicy.INSIDE_FIRST: INSIDE_FIRST,
}
TWO_SHORT = {
    BearOffTwoShortCombined.ALLOWED: ALLOWED,
    BearOffTwoShortCombined.ONLY_TO_CONSERVE: ONLY_TO_CONSERVE,
    BearOffTwoShortCombined.FORBIDDEN: REFUSED,
}


WHEN_BEHIND = {
    SuspendWhenBehind.FREEZE: FREEZE,
    SuspendWhenBehind.CONCEDE: CONCEDE,
    SuspendWhenBehind.FORBID: FORBID,
}


def lower(game: Trictrac, match: TwelveHoles | Written | Combine, run_multiplier: int = 1) -> Any:
    """Return the rules of a game and a match as a record array of one `RULES` record.

    `run_multiplier`: how often the holes of an unbroken run are paid out of the pot, in a draining pool.
    """
    record = np.zeros(1, RULES).view(np.recarray)
    _lower_movement(record, game)
    _lower_bearing_off(record, game)
    _lower_scores(record, game)
    record.points_per_hole = game.points_per_hole
    record.bredouille = game.bredouille_enabled
    record.second_scorer = game.bredouille_second_scorer
    record.go = game.go_enabled
    record.go_after_sortie = game.go_after_sortie_hole
    record.marks_on_go = game.opponent_marks_on_go
    record.stall_limit = game.stall_limit or 0
    record.run_multiplier = run_multiplier
    record.last_unit = -1
    if isinstance(match, TwelveHoles):
        record.target_holes = record.last_hole = match.target_holes
        record.set_min_holes = 6  # only asked for the column "reached six"
    elif isinstance(match, Combine):
        _lower_combined(record, match)
    else:
        record.set_min_holes = match.set_min_holes
        record.last_hole = match.max_holes_per_set or 0
    return record


def _lower_combined(record: Any, match: Combine) -> None:
    record.set_min_holes = match.set_min_holes
    record.honours_target = match.target_holes
    record.continuation = match.continuation
    record.suspension = match.suspension
    record.when_behind = WHEN_BEHIND[match.combine_suspend_when_behind]
    if match.combine_last_set_scored is LastSetScored.ENDS_MATCH:
        record.last_unit = match.sets - 1


def _lower_movement(record: Any, game: Trictrac) -> None:
    record.own_half = game.movement_scope is MovementScope.OWN_HALF
    record.max_men = game.max_men_per_point or 0
    record.coin_by_two = game.own_corner_by_two
    record.coin_left_by_two = game.own_corner_leave_by_two
    record.rest_on_own_coin = game.own_corner_empty_rest
    record.rest_on_other_coin = game.opponent_corner_empty_rest
    record.puissance = game.corner_par_puissance
    record.natural_first = game.puissance_only_if_not_natural
    record.forbidden_quarters = game.forbidden_jan_rule is ForbiddenJanRule.MATERIAL
    record.passage = game.forbidden_grand_jan_passage
    record.fill_obligation = game.fill_obligation
    record.conserve_obligation = game.conserve_obligation
    record.fill_first = game.fill_vs_higher_die is FillVsHigherDie.FILL_FIRST
    record.usual_movement = (
        not record.own_half[0]
        and not record.max_men[0]
        and game.own_corner_by_two
        and game.own_corner_leave_by_two
        and game.puissance_only_if_not_natural
        and not record.fill_first[0]
    )


def _lower_bearing_off(record: Any, game: Trictrac) -> None:
    record.exact = EXACT[game.bear_off_exact_policy]
    record.short_by_farthest = game.bear_off_short_policy is BearOffShortPolicy.FARTHEST_MAN
    record.excess_as_good = game.bear_off_overflow_policy is BearOffOverflowPolicy.SEQUENTIAL
    record.two_short = TWO_SHORT[game.bear_off_two_short_combined]
    record.enter_and_leave = game.enter_and_bear_off_same_roll
    record.leave_while_fill_possible = game.bear_off_while_fill_possible
    record.sortie_obligatory = game.sortie_obligatory
    record.sortie_keeps_points = game.sortie_keeps_points
    record.sortie_keeps_bredouille = game.sortie_keeps_bredouille
    record.sortie_roll_again = game.sortie_single_roll_convention


def _lower_scores(record: Any, game: Trictrac) -> None:
    record.jan_simple = game.jan_points.simple
    record.jan_doublet = game.jan_points.doublet
    record.hit_grand_simple = game.hit_points.grand.simple
    record.hit_grand_doublet = game.hit_points.grand.doublet
    record.hit_petit_simple = game.hit_points.petit.simple
    record.hit_petit_doublet = game.hit_points.petit.doublet
    record.impuissance = game.impuissance_points if game.impuissance_enabled else 0
    record.hit_by_sum = game.hit_sum_ways
    record.false_hits = game.false_hits_enabled
    record.corner_hit = game.corner_hit_enabled
    record.sortie = game.sortie_enabled
    record.six_tables = game.six_tables_enabled
    record.deux_tables = game.deux_tables_enabled
    record.mezeas = game.mezeas_enabled
    record.contre_jans = game.contre_jans_enabled
    record.mezeas_next_roll = game.mezeas_window is MezeasWindow.NEXT_ROLL_ONLY
    record.fills = game.fills_enabled
    record.conserve = game.conserve_enabled
    record.fill_counts_ways = game.fill_counts_ways
    record.coin_pair_fills = game.fill_retour_corner_pair_counts
    record.conserve_by_impuissance = game.conserve_by_impuissance
    record.conserve_by_leaving = game.conserve_by_bearing_off
    record.pile_de_misere = game.pile_de_misere_enabled
    record.rencontre = game.jan_de_rencontre_enabled
    record.margot = game.margot_la_fendue_enabled
