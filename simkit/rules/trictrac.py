"""The game of trictrac up to the hole: what can differ between its sources, field by field.

What no source varies (fifteen men a side; both dice first, and the higher die when one alone can be played;
the double hole open again after every hole) is part of the kernel and has no field.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, ClassVar

from pydantic import Field

from simkit.rules.base import OURS, Cited, config, cross_check

Points = Annotated[int, Field(ge=0, le=60)]
TARIFF = "two whole numbers from 0 to 60, on a simple roll and on a doublet"

MEN = 15
QUARTER = 6


# ---------------------------------------------------------------- readings


class FirstRollMethod(Enum):
    """Which roll opens a game or match; the sources differ."""

    DRAW_IS_FIRST_THROW = "draw_is_first_throw"
    """The throw that draws for the start is itself the first roll, which is therefore never a doublet.
    GU ch. III; LP; JL 28; MA V."""
    DRAW_THEN_THROW = "draw_then_throw"
    """The winner of the draw then throws both dice. S0 section 11; S2."""


class MovementScope(Enum):
    """How far the men travel; source 003 stands alone."""

    FULL_CIRCUIT = "full_circuit"
    """The whole track, from the talon to the rail behind the other's talon. GU; LP; JL; MA; AC; S2; SG."""
    OWN_HALF = "own_half"
    """Arrows 1 to 12 only, so that no man is ever borne off; hits are reckoned along the whole track. S3."""


class ForbiddenJanRule(Enum):
    """Which quarters of the other's a man may not stop in."""

    MATERIAL = "material"
    """Those he still has the men to fill, whatever stands in their way. MA XIV; LP part I, ch. V; GU ch. III;
    JL 61; S2."""
    NONE = "none"
    """The law is left out. S3, silent."""


class FillVsHigherDie(Enum):
    """Which law yields when one die alone can be played, either could, and the lower fills or conserves."""

    HIGHER_DIE_FIRST = "higher_die_first"
    """The higher die is played. MA VI; GU ch. VI."""
    FILL_FIRST = "fill_first"
    """The die that fills or conserves is played. GU ch. VI, of a number that is impossible."""


class BearOffExactPolicy(Enum):
    """Whether a die that takes a man off exactly must do so; the sources differ."""

    OPTIONAL = "optional"
    """The man may leave, or the die may be played inside with another man. GU ch. VII; LP; MA VIII."""
    MANDATORY = "mandatory"
    """The man must leave. AC."""
    INSIDE_FIRST = "inside_first"
    """The man may leave only if the die can be played by no man inside. PR laws 2 and 3; CH, in part."""


class BearOffShortPolicy(Enum):
    """Which man plays a number too small to take any man off; the sources differ."""

    ANY_MAN = "any_man"
    """Any man who can. PR law 7."""
    FARTHEST_MAN = "farthest_man"
    """The farthest from the rail of those who can. JL 116."""


class BearOffOverflowPolicy(Enum):
    """Whether a number may come to exceed every distance through the play of the other die."""

    ONLY_IF_NO_ALTERNATIVE = "only_if_no_alternative"
    """Only if no play of both dice avoids it. MA VIII."""
    SEQUENTIAL = "sequential"
    """Freely: each die is judged when it is played. LP, JL and S2 name the farthest man only."""


class BearOffTwoShortCombined(Enum):
    """Whether two numbers, neither of which takes a man off, may do so together; the sources differ."""

    ALLOWED = "allowed"
    """Yes, if together they are his exact distance. GU ch. VII; MA VIII."""
    ONLY_TO_CONSERVE = "only_to_conserve"
    """Only if the jan de retour is full after it. PR law 6."""
    FORBIDDEN = "forbidden"
    """Never. Our alternative: PR law 6 without its exception."""


class MezeasWindow(Enum):
    """How long the ace of mézéas may be awaited; both readings select the same rolls in practice."""

    WHILE_CONDITION_HOLDS = "while_condition_holds"
    """As long as nobody else is down and the other's corner is as it was. LP; JL; PR."""
    NEXT_ROLL_ONLY = "next_roll_only"
    """On the roll after the corner was taken. GU; MA."""


# ---------------------------------------------------------------- tariffs


@config
class Tariff:
    """What a figure pays on a simple roll and on a doublet."""

    simple: Annotated[Points, Cited("MA tariff", unit="points")]
    """When the two dice differ."""
    doublet: Annotated[Points, Cited("MA tariff", unit="points")]
    """When the two dice are equal."""

    def __str__(self) -> str:
        return f"{self.simple}, on a doublet {self.doublet}"


@config
class HitPoints:
    """What one way of hitting a lone man pays, by the table he stands on."""

    grand: Annotated[Tariff, Cited("GU ch. I", "S2", "MA X", unit="points", allowed=TARIFF)] = Tariff(
        simple=2, doublet=4
    )
    """For each way to hit a lone man in the tables of the grands jans, arrows 7 to 18."""
    petit: Annotated[Tariff, Cited("GU ch. I", "S2", "MA X", unit="points", allowed=TARIFF)] = Tariff(
        simple=4, doublet=6
    )
    """For each way to hit a lone man in the tables of the petits jans, arrows 1 to 6 and 19 to 24."""


# ---------------------------------------------------------------- the game


@config
class Trictrac:
    """The classical game: 24 arrows, 15 men a side, two dice, points taken before a man is moved."""

    PLACE: ClassVar[str] = "game"
    GROUPS: ClassVar[Mapping[str, str]] = {
        "first_roll_method": "Movement",
        "bear_off_exact_policy": "Bearing off",
        "jan_points": "What scores",
        "points_per_hole": "Points and holes",
    }

    first_roll_method: Annotated[FirstRollMethod, Cited("GU ch. III", "S0 section 11")] = (
        FirstRollMethod.DRAW_IS_FIRST_THROW
    )
    """Which roll opens the match."""
    movement_scope: Annotated[MovementScope, Cited("GU", "S3")] = MovementScope.FULL_CIRCUIT
    """How far the men travel."""
    max_men_per_point: Annotated[
        Annotated[int, Field(ge=1, le=15)] | None, Cited("SG, four and fifteen men", "S3, two", unit="men")
    ] = None
    """Men of one side that may stand on an arrow after a roll, the talon apart; none sets no limit."""
    own_corner_by_two: Annotated[bool, Cited("JL 43", "GU ch. IV", "MA IX", "S2", "S3", other=OURS)] = True
    """Whether the own corner, when empty, is entered only by two men on one roll (*d'emblée*)."""
    own_corner_leave_by_two: Annotated[bool, Cited("JL 43", "GU ch. IV", "MA IX", "S2", other=OURS)] = True
    """Whether the last two men leave the own corner only together."""
    own_corner_empty_rest: Annotated[bool, Cited("MA IX", "FA", other="MM, in moving")] = True
    """Whether a man who plays both dice may rest on his own empty corner."""
    opponent_corner_empty_rest: Annotated[bool, Cited("GU ch. IV", "JL 42", "MA IX", "S2", other=OURS)] = True
    """Whether a man who plays both dice may rest on the other's empty corner."""
    corner_par_puissance: Annotated[
        bool, Cited("LP", "GU ch. IV", "JL 44", "MA IX", "S2", other="S3, silent")
    ] = True
    """Whether two men who would reach the other's empty corner may take the own one instead (*par puissance*)."""
    puissance_only_if_not_natural: Annotated[
        bool, Cited("GU ch. IV", "JL 44 and 62", "MA IX", "PR", "S2", other=OURS)
    ] = True
    """Whether the corner is taken par puissance only on a roll that cannot take it naturally."""
    forbidden_jan_rule: Annotated[ForbiddenJanRule, Cited("MA XIV", "S3")] = ForbiddenJanRule.MATERIAL
    """Which quarters of the other's a man may not stop in (*jans interdits*)."""
    forbidden_grand_jan_passage: Annotated[
        bool, Cited("MA XIV", "LP part I, ch. V", "JL 61", "PR", other=OURS)
    ] = True
    """Whether a man who plays both dice may rest in a forbidden grand jan on his way to a free petit jan."""
    fill_obligation: Annotated[bool, Cited("GU ch. VI", "LP", "JL 57", "MA XIII", "S2", other=OURS)] = True
    """Whether a jan that can be filled must be."""
    conserve_obligation: Annotated[bool, Cited("GU ch. VI", "LP", "JL 57", "MA XIII", "S2", other=OURS)] = (
        True
    )
    """Whether a full jan that can be conserved must be."""
    fill_vs_higher_die: Annotated[FillVsHigherDie, Cited("GU ch. VI", "MA VI")] = (
        FillVsHigherDie.HIGHER_DIE_FIRST
    )
    """Which die is played when only one can be, either could, and the lower fills or conserves."""
    bear_off_exact_policy: Annotated[BearOffExactPolicy, Cited("GU ch. VII", "AC")] = (
        BearOffExactPolicy.OPTIONAL
    )
    """Whether a die that takes a man off exactly must do so (*sortant*)."""
    bear_off_short_policy: Annotated[BearOffShortPolicy, Cited("PR law 7", "JL 116")] = (
        BearOffShortPolicy.ANY_MAN
    )
    """Which man plays a number too small to take any man off (*défaillant*)."""
    bear_off_overflow_policy: Annotated[BearOffOverflowPolicy, Cited("MA VIII", "LP")] = (
        BearOffOverflowPolicy.ONLY_IF_NO_ALTERNATIVE
    )
    """Whether a number may come to exceed every distance through the other die (*excédant*)."""
    bear_off_two_short_combined: Annotated[BearOffTwoShortCombined, Cited("GU ch. VII", "PR law 6")] = (
        BearOffTwoShortCombined.ALLOWED
    )
    """Whether two numbers, neither of which takes a man off, may do so together."""
    enter_and_bear_off_same_roll: Annotated[bool, Cited("GU ch. VII", "LP rule 72", "JL 115", other=OURS)] = (
        True
    )
    """Whether, once one die has brought the last man home, the other may bear off."""
    bear_off_while_fill_possible: Annotated[
        bool, Cited("GU ch. VII", "LP rule 73", other="GU ch. VII, of an author not named")
    ] = True
    """Whether men may be borne off while enough are left to fill the jan de retour."""
    sortie_obligatory: Annotated[bool, Cited("GU ch. VII, silent", other=OURS)] = True
    """Whether the last man must leave when he can."""
    sortie_keeps_points: Annotated[
        bool, Cited("GU ch. VII", "JL 118", "MA VIII", "PR laws 9 and 10", other=OURS)
    ] = True
    """Whether both players keep their points when the men start again after a sortie."""
    sortie_keeps_bredouille: Annotated[bool, Cited("GU ch. VII, silent", other="MM")] = True
    """Whether bredouille of points lives on when the men start again after a sortie."""
    sortie_single_roll_convention: Annotated[
        bool, Cited("GU ch. VII", "JL 118", other="Custom of an author not found")
    ] = False
    """Whether the roll of the sortie is also the first roll of the new setting (*jouer pour tout*)."""
    jan_points: Annotated[Tariff, Cited("MA tariff", "S2", unit="points", allowed=TARIFF)] = Tariff(
        simple=4, doublet=6
    )
    """For a jan, each way to fill, conserving, hitting the corner, and bearing off the last man."""
    hit_points: Annotated[HitPoints, Cited("GU ch. I", "S2", "MA X", unit="points")] = HitPoints()
    """What each way of hitting a lone man pays, truly to the mover, falsely to the other."""
    impuissance_points: Annotated[Points, Cited("GU ch. I", "JL 153", "MA tariff", unit="points per die")] = 2
    """To the other player for each die that cannot be played (*impuissance*)."""
    six_tables_enabled: Annotated[bool, Cited("LP", "GU", "JL", "MA tariff", "S2", "S3", other=OURS)] = True
    """Whether six single men on 2 to 7 score on the third roll that could bring them (*jan de trois coups*)."""
    deux_tables_enabled: Annotated[bool, Cited("LP", "GU", "JL 124", "MA tariff", "S2", "S3", other=OURS)] = (
        True
    )
    """Whether the only two men down score for a roll that would reach both corners (*jan de deux tables*)."""
    mezeas_enabled: Annotated[bool, Cited("LP", "GU", "JL", "MA tariff", "S2", "S3", other=OURS)] = True
    """Whether the only two men down, on the own corner, score for an ace (*jan de mézéas*)."""
    mezeas_window: Annotated[MezeasWindow, Cited("LP", "GU")] = MezeasWindow.WHILE_CONDITION_HOLDS
    """How long the ace of mézéas may be awaited."""
    contre_jans_enabled: Annotated[
        bool, Cited("LP", "GU", "JL", "MA tariff", "S2", "S3", other="S2, silent on deux tables")
    ] = True
    """Whether jan de deux tables and mézéas pay the other when he holds his corner (*contre-jan*)."""
    hit_sum_ways: Annotated[bool, Cited("GU ch. I", "JL 138", "MA X", other="LU")] = True
    """Whether a lone man is hit by the sum of the dice too, through an open rest."""
    false_hits_enabled: Annotated[
        bool, Cited("GU ch. I", "LP", "JL 138", "MA X", "S2", other="S3, silent")
    ] = True
    """Whether a man hit by closed rests only pays the other (*à faux*)."""
    corner_hit_enabled: Annotated[
        bool, Cited("GU ch. IV", "LP rule 71", "JL 45", "MA XI", "S2", other="S3, silent")
    ] = True
    """Whether two men who would reach the other's empty corner score (*battre le coin*)."""
    fills_enabled: Annotated[
        bool, Cited("GU ch. III", "LP", "JL 53", "MA XIII", "S2", other="S3, silent")
    ] = True
    """Whether filling a jan scores, and is asked for."""
    fill_counts_ways: Annotated[bool, Cited("JL 53", "MA XIII", "CH", "S2", other=OURS)] = True
    """Whether each way to fill pays, or filling pays once a roll."""
    fill_retour_corner_pair_counts: Annotated[
        bool, Cited("MA XIII", "JL 104", "PR", other="CH, of an older school")
    ] = False
    """Whether the last two men of the corner count as a way to fill the jan de retour."""
    conserve_enabled: Annotated[
        bool, Cited("LP part I, ch. IV", "JL 76", "MA XIII", "S2", other="S3, silent")
    ] = True
    """Whether conserving a full jan scores, and is asked for."""
    conserve_by_impuissance: Annotated[bool, Cited("JL 76", "LP part I, ch. IV", "S2", other=OURS)] = True
    """Whether a jan counts as conserved when a die is not played."""
    conserve_by_bearing_off: Annotated[
        bool, Cited("MA XIII", "JL 108 to 110", "LP part I, ch. V", other=OURS)
    ] = True
    """Whether the jan de retour counts as conserved when spare men are borne off."""
    impuissance_enabled: Annotated[
        bool, Cited("GU ch. I", "JL 153", "MA tariff", "S2", other="S3, silent")
    ] = True
    """Whether a die that cannot be played pays the other."""
    sortie_enabled: Annotated[
        bool, Cited("GU ch. VII", "JL 118", "PR law 9", "MA VIII", "S2", other="S3, silent")
    ] = True
    """Whether bearing off the last man scores (*sortie*)."""
    pile_de_misere_enabled: Annotated[bool, Cited("CH", "GU", "AC", other="MA tariff; SG, if agreed")] = False
    """Whether fifteen men on one's own corner score as a jan (*pile de misère*, given up before 1700)."""
    jan_de_rencontre_enabled: Annotated[bool, Cited("CH", "AC", other="CH, of older play")] = False
    """Whether the second player scores a jan for a first roll equal to the first player's (*rencontre*)."""
    margot_la_fendue_enabled: Annotated[bool, Cited("CH", other="CH, of older play")] = False
    """Whether a man who would land between two half-cases of the other's pays him 2, on a doublet 4."""
    points_per_hole: Annotated[int, Field(ge=2, le=60), Cited("S2", "LP part I, ch. IV", unit="points")] = 12
    """Points that make a hole (*trou*)."""
    bredouille_enabled: Annotated[
        bool, Cited("JL 144", "LP part I, ch. IV", "S1", "S2", "S3", other="LU")
    ] = True
    """Whether a hole whose points came without an answer counts two (*bredouille*)."""
    bredouille_second_scorer: Annotated[bool, Cited("JL 144", "S2", "SG", other="MM")] = True
    """Whether the player who scored second can make a double hole too."""
    go_enabled: Annotated[bool, Cited("GU ch. V", "JL 155", "MA XVI", "S2", "S3", other="LU")] = True
    """Whether a player may go after a hole on his own roll (*s'en aller*)."""
    go_after_sortie_hole: Annotated[bool, Cited("GU ch. V and VII", "JL 163", other=OURS)] = True
    """Whether he may go after a hole made on the roll that bore off his last man."""
    opponent_marks_on_go: Annotated[bool, Cited("JL 157", other=OURS)] = False
    """Whether the other marks what the roll gave him before a going wipes the points."""
    stall_limit: Annotated[
        Annotated[int, Field(ge=4, le=10_000)] | None, Cited("S3, which needs one", unit="rolls")
    ] = None
    """Rolls in a row without points after which the men start again; none plays on."""

    @cross_check
    def _something_scores(self) -> str | None:
        jan = self.jan_points
        pays_the_other = (
            (self.impuissance_enabled and self.impuissance_points)
            or (self.contre_jans_enabled and (jan.simple or jan.doublet))
            or self.margot_la_fendue_enabled
        )
        return (
            None
            if pays_the_mover(self) or pays_the_other
            else "game: no figure pays any points; no hole could ever be made"
        )

    @cross_check
    def _rest_has_an_end(self) -> str | None:
        if self.stall_limit is not None or not comes_to_rest(self):
            return None
        if self.movement_scope is MovementScope.OWN_HALF:
            why = "with game.movement_scope own_half no man leaves arrows 1 to 12, and when no man"
        else:
            why = (
                f"with game.max_men_per_point {self.max_men_per_point} the last quarter never holds all "
                f"{MEN} men, so that nobody bears off, and when no man"
            )
        return (
            f"game.stall_limit: none is not allowed; {why} can move the game would have no end; "
            "give the rolls without points after which the men start again, as 200"
        )


def pays_the_mover(game: Trictrac) -> bool:
    """Tell whether some figure can pay the player who rolls, time and again in a game."""
    hits = (game.hit_points.grand, game.hit_points.petit)
    if any(points for tariff in hits for points in (tariff.simple, tariff.doublet)):
        return True
    often = (
        game.deux_tables_enabled
        or game.mezeas_enabled
        or game.corner_hit_enabled
        or game.fills_enabled
        or game.conserve_enabled
        or game.pile_de_misere_enabled
        or (game.sortie_enabled and not comes_to_rest(game))
    )
    jan = game.jan_points
    return bool((often and (jan.simple or jan.doublet)) or (game.six_tables_enabled and jan.simple))


def comes_to_rest(game: Trictrac) -> bool:
    """Tell whether all men can come to stand where none can ever move or be borne off."""
    short_of_room = game.max_men_per_point is not None and QUARTER * game.max_men_per_point < MEN
    return game.movement_scope is MovementScope.OWN_HALF or short_of_room
