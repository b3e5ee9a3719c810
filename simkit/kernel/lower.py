"""Lowering: a rule set becomes the record that compiled code reads at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.kernel.records import RULES
from simkit.rules import BearOffExactPolicy, Trictrac, TwelveHoles, Written


def lower(game: Trictrac, match: TwelveHoles | Written) -> Any:
    """Return the rules of a game and a match as a record array of one `RULES` record."""
    record = np.zeros(1, RULES).view(np.recarray)
    record.exact_leaves = game.bear_off_exact_policy is BearOffExactPolicy.MANDATORY
    record.pile_de_misere = game.pile_de_misere_enabled
    record.jan_simple = game.jan_points.simple
    record.jan_doublet = game.jan_points.doublet
    record.hit_grand_simple = game.hit_points.grand.simple
    record.hit_grand_doublet = game.hit_points.grand.doublet
    record.hit_petit_simple = game.hit_points.petit.simple
    record.hit_petit_doublet = game.hit_points.petit.doublet
    record.impuissance = game.impuissance_points
    record.points_per_hole = game.points_per_hole
    if isinstance(match, TwelveHoles):
        record.target_holes = match.target_holes
        record.set_min_holes = 6  # only asked for the column "reached six"
    else:
        record.set_min_holes = match.set_min_holes
    return record
