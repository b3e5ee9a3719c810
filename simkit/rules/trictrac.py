"""The game of trictrac up to the hole: what can differ between its sources, field by field.

What no source varies (both dice first, the higher die when one alone can be played, a fill or conservation
that must be played, the double hole open again after every hole) is part of the kernel and has no field.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, ClassVar

from pydantic import Field

from simkit.rules.base import Cited, config, cross_check

Points = Annotated[int, Field(ge=0, le=60)]


class FirstRollMethod(Enum):
    """Which roll opens a game or match; the sources differ."""

    DRAW_IS_FIRST_THROW = "draw_is_first_throw"
    """The throw that draws for the start is itself the first roll, which is therefore never a doublet.
    GU ch. III; LP; JL 28; MA V."""
    DRAW_THEN_THROW = "draw_then_throw"
    """The winner of the draw then throws both dice. S0 section 11; S2."""


class BearOffExactPolicy(Enum):
    """Whether a die that takes a man off exactly must do so; the sources differ."""

    OPTIONAL = "optional"
    """The man may leave, or the die may be played inside with another man. GU ch. VII; LP; MA VIII."""
    MANDATORY = "mandatory"
    """The man must leave. AC."""


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

    grand: Annotated[Tariff, Cited("GU ch. I", "S2", "MA X", unit="points")] = Tariff(simple=2, doublet=4)
    """For each way to hit a lone man in the tables of the grands jans, arrows 7 to 18."""
    petit: Annotated[Tariff, Cited("GU ch. I", "S2", "MA X", unit="points")] = Tariff(simple=4, doublet=6)
    """For each way to hit a lone man in the tables of the petits jans, arrows 1 to 6 and 19 to 24."""


@config
class Trictrac:
    """The classical game: 24 arrows, 15 men a side, two dice, points taken before a man is moved."""

    PLACE: ClassVar[str] = "game"

    first_roll_method: Annotated[FirstRollMethod, Cited("GU ch. III", "S0 section 11")] = (
        FirstRollMethod.DRAW_IS_FIRST_THROW
    )
    """Which roll opens the match."""
    bear_off_exact_policy: Annotated[BearOffExactPolicy, Cited("GU ch. VII", "AC")] = (
        BearOffExactPolicy.OPTIONAL
    )
    """Whether a die that takes a man off exactly must do so (*sortant*)."""
    points_per_hole: Annotated[int, Field(ge=2, le=60), Cited("S2", "LP part I, ch. IV", unit="points")] = 12
    """Points that make a hole (*trou*)."""
    jan_points: Annotated[Tariff, Cited("MA tariff", "S2", unit="points")] = Tariff(simple=4, doublet=6)
    """For a jan, each way to fill, conserving, hitting the corner, and bearing off the last man."""
    hit_points: Annotated[HitPoints, Cited("GU ch. I", "S2", "MA X", unit="points")] = HitPoints()
    """What each way of hitting a lone man pays, truly to the mover, falsely to the other."""
    impuissance_points: Annotated[Points, Cited("GU ch. I", "JL 153", "MA tariff", unit="points per die")] = 2
    """To the other player for each die that cannot be played (*impuissance*)."""
    pile_de_misere_enabled: Annotated[bool, Cited("MA tariff", "CH")] = False
    """Whether fifteen men on one's own corner score as a jan (*pile de misère*, given up before 1700)."""

    @cross_check
    def _something_scores(self) -> str | None:
        hits = (self.hit_points.grand, self.hit_points.petit)
        paid = [points for tariff in (self.jan_points, *hits) for points in (tariff.simple, tariff.doublet)]
        return (
            None
            if any(paid) or self.impuissance_points
            else "game: no figure pays any points; no hole could ever be made"
        )
