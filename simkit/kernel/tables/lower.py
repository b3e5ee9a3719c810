"""Lowering: the rules of a game of this family become the record that compiled code reads at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.kernel.tables.records import OFF0, OFF0_AND_NOT_ALL_HOME, OFF0_OR_NOT_ALL_HOME, TABLES_RULES
from simkit.rules import DoubleCondition, MoveRule, PointMatch, Tables, TripleCondition

DOUBLE = {
    DoubleCondition.OFF0_AND_NOT_ALL_HOME: OFF0_AND_NOT_ALL_HOME,
    DoubleCondition.OFF0: OFF0,
    DoubleCondition.OFF0_OR_NOT_ALL_HOME: OFF0_OR_NOT_ALL_HOME,
}


def lower_tables(game: Tables, match: PointMatch) -> Any:
    """Return the rules of a game and a match as a record array of one `TABLES_RULES` record."""
    record = np.zeros(1, TABLES_RULES).view(np.recarray)
    record.max_dice = game.move_rule is MoveRule.MAX_DICE
    record.doubles_played = game.doubles_played
    record.double = DOUBLE[match.double_condition]
    record.triple = match.triple_condition is TripleCondition.BAR_OR_IN_WINNER_HOME
    record.cube_limit = match.cube_limit if match.cube else 1
    return record
