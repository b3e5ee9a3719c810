"""One small case for each field of the base game, in which another value of it changes play or score.

`ROLLS` are positions and a roll, `MARKS` sums marked one after the other, `MARKINGS` the marking of one roll,
`UNITS` a few rolls of a partie, `DRAWS` throws for the start. `base` holds other fields that both readings share.
Men are given as {arrow: men}, each side in its own count; the men that are missing to fifteen have been borne off.
Sources are the keys of docs/sources.md; "ours" is a reading nobody held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .board import Counts
from .options import CLASSICAL, Options

Men = Mapping[int, int]


def counts(men: Men) -> Counts:
    return tuple(men.get(arrow, 0) for arrow in range(1, 25))


@dataclass(frozen=True)
class Example:
    """What every example has; `options(changed)` are the options of either reading."""

    field: str
    value: Any
    source: str
    base: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    def options(self, changed: bool) -> Options:
        options = replace(CLASSICAL, **self.base)
        return replace(options, **{self.field: self.value}) if changed else options


@dataclass(frozen=True)
class Roll:
    """What a roll gives: points of the mover and the other, dice unplayed, number of plays, some of the plays."""

    mover: int
    other: int
    unplayed: int
    plays: int
    with_play: Men | None = None


@dataclass(frozen=True)
class RollExample(Example):
    own: Men
    other: Men
    dice: tuple[int, int]
    default: Roll
    changed: Roll
    roll_number: int = field(default=0, kw_only=True)
    took_coin: bool = field(default=False, kw_only=True)
    rencontre: bool = field(default=False, kw_only=True)


START: Men = {1: 15}
FAR_ON: Men = {20: 15}
"""Fifteen men on the mover's arrow 5: they can fill no quarter, so that none is forbidden."""
FULL_GRAND: Men = {7: 2, 8: 2, 9: 2, 10: 2, 11: 2, 12: 2}
FULL_RETOUR: Men = {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2}
PETIT_TWO_WAYS: Men = {1: 3, 2: 2, 3: 2, 4: 3, 5: 2, 6: 1, 7: 2}
RETOUR_AND_PAIR: Men = {12: 2, 16: 1, 18: 1, 19: 2, 20: 2, 21: 1, 22: 2, 23: 2, 24: 2}
SIX_OR_FIVE: Men = {12: 2, 15: 1, 19: 2, 20: 1, 21: 2, 22: 2, 23: 2, 24: 3}
STALLS = {"stall_limit": 200}

ROLLS = (
    # movement
    RollExample(
        "movement_scope",
        "own_half",
        "S3",
        {11: 15},
        {12: 15},
        (4, 3),
        Roll(0, 0, 0, 2, {11: 13, 14: 1, 15: 1}),
        Roll(0, 4, 2, 1, {11: 15}),
        base=STALLS,
    ),
    RollExample(
        "max_men_per_point",
        2,
        "S3",
        {1: 13, 7: 2},
        {1: 13, 12: 2},
        (6, 6),
        Roll(0, 0, 0, 1, {1: 11, 7: 4}),
        Roll(0, 4, 2, 1, {1: 13, 7: 2}),
        base=STALLS,
    ),
    RollExample(
        "own_corner_by_two",
        False,
        "JL 43; GU ch. IV; MA IX; ours",
        {1: 14, 11: 1},
        START,
        (2, 1),
        Roll(0, 0, 0, 2, {1: 12, 2: 1, 3: 1, 11: 1}),
        Roll(0, 0, 0, 3, {1: 13, 3: 1, 12: 1}),
    ),
    RollExample(
        "own_corner_leave_by_two",
        False,
        "JL 43; GU ch. IV; MA IX; ours",
        {9: 13, 12: 2},
        FAR_ON,
        (3, 2),
        Roll(0, 0, 0, 3, {9: 13, 14: 1, 15: 1}),
        Roll(0, 0, 0, 5, {9: 12, 11: 1, 12: 1, 15: 1}),
    ),
    RollExample(
        "own_corner_empty_rest",
        False,
        "MA IX; FA; MM",
        {6: 15},
        FAR_ON,
        (6, 6),
        Roll(0, 0, 0, 2, {6: 14, 18: 1}),
        Roll(0, 0, 0, 1, {6: 13, 12: 2}),
    ),
    RollExample(
        "opponent_corner_empty_rest",
        False,
        "GU ch. IV; JL 42; MA IX; S2; ours",
        {7: 15},
        FAR_ON,
        (6, 6),
        Roll(0, 0, 0, 2, {7: 14, 19: 1}),
        Roll(0, 0, 0, 1, {7: 13, 12: 2}),
    ),
    RollExample(
        "corner_par_puissance",
        False,
        "LP; GU ch. IV; JL 44; MA IX; S3, silent",
        {7: 15},
        FAR_ON,
        (6, 6),
        Roll(0, 0, 0, 2, {7: 13, 12: 2}),
        Roll(0, 0, 0, 1, {7: 14, 19: 1}),
    ),
    RollExample(
        "puissance_only_if_not_natural",
        False,
        "GU ch. IV; JL 44, 62; MA IX; ours",
        {6: 2, 7: 13},
        START,
        (6, 6),
        Roll(0, 0, 0, 1, {7: 13, 12: 2}),
        Roll(0, 0, 0, 2, {6: 2, 7: 11, 12: 2}),
    ),
    RollExample(
        "forbidden_jan_rule",
        "none",
        "MA XIV; S3",
        {11: 15},
        START,
        (4, 3),
        Roll(0, 4, 2, 1, {11: 15}),
        Roll(0, 0, 0, 2, {11: 14, 18: 1}),
    ),
    RollExample(
        "forbidden_grand_jan_passage",
        False,
        "MA XIV; LP part I, ch. V; JL 61; ours",
        {10: 15},
        {7: 15},
        (5, 4),
        Roll(0, 0, 0, 1, {10: 14, 19: 1}),
        Roll(0, 4, 2, 1, {10: 15}),
    ),
    RollExample(
        "fill_obligation",
        False,
        "JL 57; MA XIII; ours",
        {1: 4, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1, 8: 2},
        START,
        (5, 2),
        Roll(4, 0, 0, 2, {1: 3, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 1, 10: 1}),
        Roll(4, 0, 0, 39, {1: 3, 2: 1, 3: 2, 4: 3, 5: 2, 6: 2, 8: 2}),
    ),
    RollExample(
        "conserve_obligation",
        False,
        "JL 57; MA XIII; ours",
        {**FULL_GRAND, 1: 3},
        START,
        (2, 1),
        Roll(4, 0, 0, 2, {**FULL_GRAND, 1: 2, 4: 1}),
        Roll(4, 0, 0, 28, {**FULL_GRAND, 1: 2, 2: 1, 7: 1, 9: 3}),
    ),
    RollExample(
        "fill_vs_higher_die",
        "fill_first",
        "MA VI; GU ch. VI",
        SIX_OR_FIVE,
        {8: 2, 19: 3, 20: 3, 21: 3, 22: 3, 23: 1},
        (6, 5),
        Roll(0, 2, 1, 1, {**SIX_OR_FIVE, 15: 0, 21: 3}),
        Roll(4, 2, 1, 1, {**SIX_OR_FIVE, 15: 0, 20: 2}),
        base={"max_men_per_point": 3},
    ),
    # bearing off
    RollExample(
        "bear_off_exact_policy",
        "mandatory",
        "GU ch. VII; MA VIII; AC",
        {19: 2, 22: 1},
        FAR_ON,
        (3, 2),
        Roll(0, 0, 0, 3, {19: 1, 22: 1, 24: 1}),
        Roll(0, 0, 0, 2, {19: 1, 21: 1}),
    ),
    RollExample(
        "bear_off_exact_policy",
        "inside_first",
        "GU ch. VII; MA VIII; PR laws 2, 3",
        {19: 2, 22: 1},
        FAR_ON,
        (3, 2),
        Roll(0, 0, 0, 3, {19: 1, 21: 1}),
        Roll(0, 0, 0, 2, {19: 1, 22: 1, 24: 1}),
    ),
    RollExample(
        "bear_off_short_policy",
        "farthest_man",
        "PR law 7; JL 116",
        {19: 1, 20: 1, 24: 1},
        FAR_ON,
        (2, 2),
        Roll(0, 0, 0, 3, {20: 1, 23: 1, 24: 1}),
        Roll(0, 0, 0, 1, {21: 1, 22: 1, 24: 1}),
    ),
    RollExample(
        "bear_off_overflow_policy",
        "sequential",
        "MA VIII; LP; JL",
        {19: 1, 22: 1},
        FAR_ON,
        (5, 2),
        Roll(0, 0, 0, 1, {24: 2}),
        Roll(0, 0, 0, 2, {22: 1}),
    ),
    RollExample(
        "bear_off_two_short_combined",
        "forbidden",
        "GU ch. VII; MA VIII; ours",
        {19: 1, 20: 1},
        FAR_ON,
        (4, 2),
        Roll(0, 0, 0, 3, {20: 1}),
        Roll(0, 0, 0, 2, {22: 1, 23: 1}),
    ),
    RollExample(
        "bear_off_two_short_combined",
        "only_to_conserve",
        "GU ch. VII; MA VIII; PR law 6",
        {19: 1, 20: 1},
        FAR_ON,
        (4, 2),
        Roll(0, 0, 0, 3, {20: 1}),
        Roll(0, 0, 0, 2, {21: 1, 24: 1}),
    ),
    RollExample(
        "enter_and_bear_off_same_roll",
        False,
        "GU ch. VII; LP rule 72; JL 115; ours",
        {18: 1, 24: 14},
        FAR_ON,
        (6, 1),
        Roll(0, 0, 0, 1, {24: 14}),
        Roll(0, 2, 1, 1, {24: 15}),
    ),
    RollExample(
        "bear_off_while_fill_possible",
        False,
        "LP rule 73; GU ch. VII, of an author not named",
        {19: 3, 20: 3, 21: 3, 22: 2, 23: 2, 24: 1},
        FAR_ON,
        (6, 6),
        Roll(0, 0, 0, 1, {19: 1, 20: 3, 21: 3, 22: 2, 23: 2, 24: 1}),
        Roll(0, 4, 2, 1, {19: 3, 20: 3, 21: 3, 22: 2, 23: 2, 24: 1}),
    ),
    RollExample(
        "sortie_obligatory",
        False,
        "GU ch. VII, silent; ours",
        {20: 1, 24: 1},
        FAR_ON,
        (5, 3),
        Roll(4, 0, 0, 1, {}),
        Roll(4, 0, 0, 2, {24: 1}),
    ),
    # what scores
    RollExample(
        "jan_points",
        (6, 10),
        "MA tariff; ours",
        {24: 1},
        FAR_ON,
        (2, 1),
        Roll(4, 0, 0, 1),
        Roll(6, 0, 0, 1),
    ),
    RollExample(
        "hit_points",
        ((4, 6), (2, 4)),
        "GU ch. I; MA X; ours",
        {1: 13, 12: 2},
        {1: 14, 7: 1},
        (6, 5),
        Roll(2, 0, 0, 2),
        Roll(4, 0, 0, 2),
    ),
    RollExample(
        "impuissance_points",
        4,
        "GU ch. I; JL 153; ours",
        {11: 15},
        START,
        (4, 3),
        Roll(0, 4, 2, 1),
        Roll(0, 8, 2, 1),
    ),
    RollExample(
        "six_tables_enabled",
        False,
        "LP; JL; MA tariff; ours",
        {1: 11, 2: 1, 3: 1, 4: 1, 5: 1},
        START,
        (6, 5),
        Roll(4, 0, 0, 21),
        Roll(0, 0, 0, 21),
        roll_number=3,
    ),
    RollExample(
        "deux_tables_enabled",
        False,
        "JL 124; MA tariff; ours",
        {1: 13, 6: 1, 7: 1},
        START,
        (6, 6),
        Roll(6, 0, 0, 1),
        Roll(0, 0, 0, 1),
    ),
    RollExample(
        "mezeas_enabled",
        False,
        "GU; MA tariff; ours",
        {1: 13, 12: 2},
        START,
        (6, 1),
        Roll(4, 0, 0, 2),
        Roll(0, 0, 0, 2),
        took_coin=True,
    ),
    RollExample(
        "mezeas_window",
        "next_roll_only",
        "LP; JL; PR; GU; MA",
        {1: 13, 12: 2},
        START,
        (6, 1),
        Roll(4, 0, 0, 2),
        Roll(0, 0, 0, 2),
    ),
    RollExample(
        "contre_jans_enabled",
        False,
        "GU; JL; S2, silent",
        {1: 13, 12: 2},
        {1: 13, 12: 2},
        (6, 1),
        Roll(0, 4, 0, 2),
        Roll(0, 0, 0, 2),
    ),
    RollExample(
        "hit_sum_ways",
        False,
        "GU ch. I; JL 138; LU",
        {1: 12, 7: 3},
        {1: 14, 7: 1},
        (6, 5),
        Roll(2, 0, 0, 1),
        Roll(0, 0, 0, 1),
    ),
    RollExample(
        "false_hits_enabled",
        False,
        "GU ch. I; JL 138; S3, silent",
        {1: 12, 9: 3},
        {1: 10, 7: 1, 11: 2, 12: 2},
        (5, 4),
        Roll(0, 2, 0, 2),
        Roll(0, 0, 0, 2),
    ),
    RollExample(
        "corner_hit_enabled",
        False,
        "GU ch. IV; JL 45; S3, silent",
        {1: 10, 7: 2, 12: 3},
        START,
        (6, 1),
        Roll(4, 0, 0, 2),
        Roll(0, 0, 0, 2),
    ),
    RollExample(
        "fills_enabled",
        False,
        "JL 53; MA XIII; S3, silent",
        PETIT_TWO_WAYS,
        START,
        (5, 2),
        Roll(8, 0, 0, 2),
        Roll(0, 0, 0, 39),
    ),
    RollExample(
        "fill_counts_ways",
        False,
        "JL 53; MA XIII; ours",
        PETIT_TWO_WAYS,
        START,
        (5, 2),
        Roll(8, 0, 0, 2),
        Roll(4, 0, 0, 2),
    ),
    RollExample(
        "fill_retour_corner_pair_counts",
        True,
        "MA XIII; JL 104; CH",
        RETOUR_AND_PAIR,
        FAR_ON,
        (6, 3),
        Roll(4, 0, 0, 1),
        Roll(8, 0, 0, 1),
    ),
    RollExample(
        "conserve_enabled",
        False,
        "JL 76; MA XIII; S3, silent",
        {**FULL_GRAND, 1: 3},
        START,
        (2, 1),
        Roll(4, 0, 0, 2),
        Roll(0, 0, 0, 28),
    ),
    RollExample(
        "conserve_by_impuissance",
        False,
        "JL 76; LP part I, ch. IV; ours",
        {**FULL_GRAND, 12: 5},
        {1: 13, 12: 2},
        (6, 6),
        Roll(6, 4, 2, 1),
        Roll(0, 4, 2, 1),
    ),
    RollExample(
        "conserve_by_bearing_off",
        False,
        "MA XIII; JL 108 to 110; ours",
        {**FULL_RETOUR, 24: 5},
        FAR_ON,
        (1, 1),
        Roll(6, 0, 0, 1, {**FULL_RETOUR, 24: 3}),
        Roll(0, 0, 0, 21, {**FULL_RETOUR, 24: 3}),
    ),
    RollExample(
        "impuissance_enabled",
        False,
        "GU ch. I; JL 153; S3, silent",
        {11: 15},
        START,
        (4, 3),
        Roll(0, 4, 2, 1),
        Roll(0, 0, 2, 1),
    ),
    RollExample(
        "sortie_enabled",
        False,
        "GU ch. VII; JL 118; S3, silent",
        {24: 1},
        FAR_ON,
        (2, 1),
        Roll(4, 0, 0, 1),
        Roll(0, 0, 0, 1),
    ),
    RollExample(
        "pile_de_misere_enabled",
        True,
        "CH; GU; AC; MA tariff",
        {12: 15},
        START,
        (6, 6),
        Roll(0, 4, 2, 1),
        Roll(6, 4, 2, 1),
    ),
    RollExample(
        "jan_de_rencontre_enabled",
        True,
        "CH; AC",
        START,
        {1: 13, 6: 1, 7: 1},
        (6, 5),
        Roll(0, 0, 0, 1),
        Roll(4, 0, 0, 1),
        roll_number=1,
        rencontre=True,
    ),
    RollExample(
        "margot_la_fendue_enabled",
        True,
        "CH",
        {1: 12, 12: 3},
        {1: 13, 6: 1, 8: 1},
        (6, 3),
        Roll(0, 0, 0, 2),
        Roll(0, 2, 0, 2),
    ),
)


@dataclass(frozen=True)
class Tally:
    points: tuple[int, int]
    bredouille: tuple[bool, bool]
    holes: tuple[int, int]


@dataclass(frozen=True)
class MarkExample(Example):
    """Sums marked one after the other, as (player, points), from nothing."""

    marks: tuple[tuple[int, int], ...]
    default: Tally
    changed: Tally


MARKS = (
    MarkExample(
        "points_per_hole",
        8,
        "S2; LP part I, ch. IV; ours",
        ((0, 10),),
        Tally((10, 0), (True, False), (0, 0)),
        Tally((2, 0), (True, False), (2, 0)),
    ),
    MarkExample(
        "bredouille_enabled",
        False,
        "JL 144; S2; LU",
        ((0, 26),),
        Tally((2, 0), (True, False), (4, 0)),
        Tally((2, 0), (False, False), (2, 0)),
    ),
    MarkExample(
        "bredouille_second_scorer",
        False,
        "JL 144; S2; MM",
        ((0, 4), (1, 12)),
        Tally((0, 0), (False, False), (0, 2)),
        Tally((0, 0), (False, False), (0, 1)),
    ),
)


@dataclass(frozen=True)
class Marked:
    points: tuple[int, int]
    bredouille: tuple[bool, bool]
    holes: tuple[int, int]
    went: bool


@dataclass(frozen=True)
class MarkingExample(Example):
    """The marking of a roll of player 0, from these points without bredouille; he goes whenever he may."""

    points: tuple[int, int]
    roller_points: int
    other_points: int
    sortie: bool
    default: Marked
    changed: Marked


MARKINGS = (
    MarkingExample(
        "go_enabled",
        False,
        "GU ch. V; JL 155; LU",
        (0, 0),
        14,
        0,
        False,
        Marked((0, 0), (False, False), (2, 0), True),
        Marked((2, 0), (True, False), (2, 0), False),
    ),
    MarkingExample(
        "go_after_sortie_hole",
        False,
        "JL 163; GU ch. VII; ours",
        (10, 0),
        4,
        2,
        True,
        Marked((0, 0), (False, False), (1, 0), True),
        Marked((2, 2), (False, True), (1, 0), False),
    ),
    MarkingExample(
        "opponent_marks_on_go",
        True,
        "JL 157; ours",
        (0, 0),
        12,
        12,
        False,
        Marked((0, 0), (False, False), (2, 0), True),
        Marked((0, 0), (False, False), (2, 2), True),
    ),
    MarkingExample(
        "sortie_keeps_points",
        False,
        "JL 118; MA VIII; PR laws 9, 10; ours",
        (4, 6),
        4,
        0,
        True,
        Marked((8, 6), (False, False), (0, 0), False),
        Marked((0, 0), (False, False), (0, 0), False),
    ),
    MarkingExample(
        "sortie_keeps_bredouille",
        False,
        "GU ch. VII, silent; MM",
        (0, 0),
        4,
        0,
        True,
        Marked((4, 0), (True, False), (0, 0), False),
        Marked((4, 0), (False, False), (0, 0), False),
    ),
)


@dataclass(frozen=True)
class LastRoll:
    """The last roll of a unit: whose, its dice and figures, and whether all men stand on the talons after it."""

    roller: int
    dice: tuple[int, int]
    figures: tuple[str, ...]
    started: bool


@dataclass(frozen=True)
class UnitExample(Example):
    """Some rolls of a partie that player 0 begins, from these men; each plays the first of his plays in order.

    Plays are ordered as tuples of 24 counts in the mover's count. `throws` are used as the unit asks for dice,
    until so many rolls are played.
    """

    men: tuple[Men, Men]
    throws: tuple[tuple[int, int], ...]
    rolls: int
    default: LastRoll
    changed: LastRoll
    took_coin: tuple[bool, bool] = field(default=(False, False), kw_only=True)


UNITS = (
    UnitExample(
        "sortie_single_roll_convention",
        True,
        "GU ch. VII; JL 118; custom",
        ({24: 1}, FAR_ON),
        ((6, 5), (2, 1)),
        2,
        LastRoll(0, (2, 1), (), False),
        LastRoll(0, (6, 5), (), False),
    ),
    UnitExample(
        "stall_limit",
        4,
        "S3, which needs one",
        (START, START),
        ((2, 1), (2, 1), (2, 1), (2, 1)),
        4,
        LastRoll(1, (2, 1), (), False),
        LastRoll(1, (2, 1), (), True),
    ),
    UnitExample(
        "mezeas_window",
        "next_roll_only",
        "LP; JL; PR; GU; MA",
        ({1: 13, 12: 2}, {1: 11, 7: 2, 18: 2}),
        ((6, 6), (4, 4), (6, 1)),
        3,
        LastRoll(0, (6, 1), ("mezeas",), False),
        LastRoll(0, (6, 1), (), False),
        base={"forbidden_jan_rule": "none"},
        took_coin=(True, False),
    ),
    UnitExample(
        "jan_de_rencontre_enabled",
        True,
        "CH; AC",
        (START, START),
        ((6, 5), (5, 6)),
        2,
        LastRoll(1, (5, 6), (), False),
        LastRoll(1, (5, 6), ("jan_de_rencontre",), False),
    ),
)


@dataclass(frozen=True)
class DrawExample(Example):
    """Throws for the start: who throws first, and his first dice if the draw gives them."""

    throws: tuple[tuple[int, int], ...]
    default: tuple[int, tuple[int, int] | None]
    changed: tuple[int, tuple[int, int] | None]


DRAWS = (
    DrawExample(
        "first_roll_method",
        "draw_then_throw",
        "GU ch. III; MA V; S0 section 11; S2",
        ((3, 3), (2, 5)),
        (1, (2, 5)),
        (1, None),
    ),
)
