"""Pools (*poules*): three players or more at one board, two of whom play while the others wait in line."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, ClassVar, TypeAlias

from pydantic import Field

from simkit.rules.base import Cited, Layer, config, cross_check
from simkit.rules.partie import TwelveHoles
from simkit.rules.settlement import Multiplier
from simkit.rules.written import Written

PoolPlayers = Annotated[
    int,
    Field(ge=3, le=8),
    Cited("S1, any number", "GU ch. VIII, three to five", "LP, three to six", unit="players"),
]
MaxMatches = Annotated[
    int, Field(ge=1, le=30_000), Cited("LP, of play that stops without a winner", unit="matches")
]
Stake = Annotated[int, Field(ge=1, le=1_000_000), Cited("S1", "FA", unit="jetons")]


class PoolFirstDie(Enum):
    """Who throws first in a match of a pool after the first; no source tells."""

    INCUMBENT = "incumbent"
    """The player who has stayed at the board. GU ch. III, of sets, by analogy."""
    CHALLENGER = "challenger"
    """The player who comes in. Our alternative."""
    DRAW = "draw"
    """Who wins a new draw, as at the first. Our alternative; it makes equal players truly equal."""


class FillStreak(Enum):
    """Which wins in a row count towards beating all the others; the sources differ (C9)."""

    COUNT_DETHRONING = "count_dethroning"
    """All, the one by which a newcomer took the place included. GU ch. VIII; LP; FA; S1, rule and second
    example."""
    DEFENCES_ONLY = "defences_only"
    """Those of the player who had the place before. S1, first example."""


class FillAnteTiming(Enum):
    """When a defeated player pays another ante; the sources differ (C9)."""

    ON_REENTRY = "on_reentry"
    """When he comes back to the board. GU ch. VIII; LP; FA; S1, second example."""
    ON_DEFEAT = "on_defeat"
    """At his defeat, the last loser too. S1, rule and first example."""


class FillInitialAnte(Enum):
    """When the first ante is paid; the sources differ (C9)."""

    ALL_AT_START = "all_at_start"
    """By everybody before play begins. S1; FA."""
    ON_FIRST_ENTRY = "on_first_entry"
    """By each when he first comes to the board, and by who never comes not at all. GU ch. VIII; LP."""


class DrainHoleValueBasis(Enum):
    """Of what a hole is worth so many per cent; the sources differ (C10)."""

    TOTAL = "total"
    """Of all stakes together. S1."""
    INDIVIDUAL_STAKE = "individual_stake"
    """Of the stake of one player. FA."""


class DrainRotation(Enum):
    """Who leaves the board after a match of a draining pool; the sources differ (C11)."""

    LOSER_STAYS = "loser_stays"
    """The winner, always. S1."""
    RING = "ring"
    """The winner after the first match, then the one who came to the board earlier, so that everybody plays two
    matches in a row. FA."""


class DrainTie(Enum):
    """What follows when a player goes at equal holes; no source speaks of it."""

    REPLAY_SAME_PAIR = "replay_same_pair"
    """The same two play the match again, as a set done over. S0 section 3, of sets, by analogy."""


class DrainOverdraw(Enum):
    """What the last winner gets when his holes come to more than is left; no source tells."""

    CLAMP = "clamp"
    """What is left. S1, which lets the pool be drained and nobody pay again; FA."""
    LOSER_PAYS = "loser_pays"
    """What his holes come to; the loser of that match pays what the pot lacks. Our alternative, to measure what
    the limit does."""


@config
class FillSettlement:
    """What the players of a filling pool pay, and the winner of the pool takes."""

    PLACE: ClassVar[str] = "settlement"
    LAYER: ClassVar[Layer] = "settlement"

    fill_ante_timing: Annotated[FillAnteTiming, Cited("S1", "GU ch. VIII", "LP", "FA")] = (
        FillAnteTiming.ON_REENTRY
    )
    """When a defeated player pays another ante."""
    fill_initial_ante: Annotated[FillInitialAnte, Cited("S1", "GU ch. VIII", "LP", "FA")] = (
        FillInitialAnte.ALL_AT_START
    )
    """When the first ante is paid."""
    stake: Stake = 100
    """The ante; it only scales the money."""


@config
class PoolFill:
    """A pool that fills (*poule à engraisser*): parties of few holes, paid for by the losers.

    The winner stays, the loser goes to the tail of the line, the next in line comes in. Who beats all the others
    in a row takes the pot.
    """

    PLACE: ClassVar[str] = "match"

    players: PoolPlayers = 4
    """Players, in line by lot."""
    target_holes: Annotated[int, Field(ge=1, le=60), Cited("S1", "FA", "GU ch. VIII", unit="holes")] = 6
    """Holes that win a match, on either die; further ones are ignored."""
    fill_streak: Annotated[FillStreak, Cited("S1", "GU ch. VIII", "LP", "FA")] = FillStreak.COUNT_DETHRONING
    """Which wins in a row count towards beating all the others."""
    pool_first_die: Annotated[PoolFirstDie, Cited("GU ch. III")] = PoolFirstDie.INCUMBENT
    """Who throws first in each match after the first."""
    max_matches: MaxMatches = 10_000
    """Matches after which a pool without a winner is cut, and left out of every estimate."""
    settlement: FillSettlement = FillSettlement()
    """What is paid and taken."""

    @property
    def units(self) -> int:
        """The most units of play in a pool: matches."""
        return self.max_matches

    @property
    def usual_units(self) -> int:
        """Matches of a pool of equal players, by the mean."""
        counted = (1 << self.players - 1) - 1
        return min(
            self.max_matches,
            counted if self.fill_streak is FillStreak.COUNT_DETHRONING else 2 * counted,
        )

    @property
    def of_two(self) -> TwelveHoles:
        """The match that two of the players play."""
        return TwelveHoles(target_holes=self.target_holes)


@config
class DrainSettlement:
    """What the players of a draining pool stake, and take out of the pot."""

    PLACE: ClassVar[str] = "settlement"
    LAYER: ClassVar[Layer] = "settlement"

    drain_overdraw: Annotated[DrainOverdraw, Cited("S1", "FA")] = DrainOverdraw.CLAMP
    """What the last winner gets when his holes come to more than is left."""
    stake: Stake = 100
    """What each player puts into the pot; it only scales the money."""


@config
class PoolDrain:
    """A pool that is drained (*poule à plumer*): sets whose holes are paid out of a pot of equal stakes.

    A match is a set of the written game without consolation. Its winner takes so many per cent for each hole he
    has beyond the loser's; play goes on until the pot is empty, and nobody pays again.
    """

    PLACE: ClassVar[str] = "match"

    players: PoolPlayers = 4
    """Players, in line by lot."""
    set_min_holes: Annotated[int, Field(ge=1, le=12), Cited("S1", "FA", unit="holes")] = 6
    """From this hole on, of either player, going ends a match."""
    max_holes_per_set: Annotated[
        Annotated[int, Field(ge=1, le=200)] | None, Cited("S1", "FA", unit="holes")
    ] = None
    """Holes at which a match ends at once, on either die; none in the sources."""
    drain_hole_percent: Annotated[int, Field(ge=1, le=100), Cited("S1", "FA", unit="per cent a hole")] = 5
    """What a hole takes out of the pot."""
    drain_hole_value_basis: Annotated[DrainHoleValueBasis, Cited("S1", "FA")] = DrainHoleValueBasis.TOTAL
    """Of what a hole is worth so many per cent."""
    drain_lurch: Annotated[bool, Cited("S1, if agreed", other="S1, if agreed; FA")] = False
    """Whether the holes of an unbroken run (*bredouille*) count several times."""
    drain_lurch_multiplier: Annotated[Multiplier, Cited("S1", "FA", unit="times")] = 2
    """How often they count then; the loser's holes are deducted once."""
    drain_rotation: Annotated[DrainRotation, Cited("S1", "FA")] = DrainRotation.LOSER_STAYS
    """Who leaves the board after a match."""
    drain_tie: Annotated[DrainTie, Cited("S0 section 3")] = DrainTie.REPLAY_SAME_PAIR
    """What follows when a player goes at equal holes."""
    pool_first_die: Annotated[PoolFirstDie, Cited("GU ch. III")] = PoolFirstDie.INCUMBENT
    """Who throws first in each match after the first."""
    max_matches: MaxMatches = 10_000
    """Matches after which a pool with something left is cut, and left out of every estimate."""
    settlement: DrainSettlement = DrainSettlement()
    """What is staked and taken."""

    @property
    def units(self) -> int:
        """The most units of play in a pool: matches."""
        return min(self.max_matches, self.pot_holes)

    @property
    def usual_units(self) -> int:
        """Matches of a pool, by a rough mean: four holes each."""
        return min(self.units, max(1, self.pot_holes // 4))

    @property
    def of_two(self) -> Written:
        """The match that two of the players play: one of these sets."""
        return Written(sets=2, set_min_holes=self.set_min_holes, max_holes_per_set=self.max_holes_per_set)

    @property
    def run_multiplier(self) -> int:
        """How often the holes of an unbroken run count."""
        return self.drain_lurch_multiplier if self.drain_lurch else 1

    @property
    def pot(self) -> int:
        """All stakes together, in hundredths of a stake."""
        return 100 * self.players

    @property
    def hole_value(self) -> int:
        """What a hole is worth, in hundredths of a stake."""
        of_total = self.drain_hole_value_basis is DrainHoleValueBasis.TOTAL
        return self.drain_hole_percent * (self.players if of_total else 1)

    @property
    def pot_holes(self) -> int:
        """Holes that empty the full pot."""
        return -(-self.pot // self.hole_value)

    @cross_check
    def _limit_can_be_reached(self) -> str | None:
        if self.max_holes_per_set is None or self.max_holes_per_set >= self.set_min_holes:
            return None
        return (
            f"match.max_holes_per_set: {self.max_holes_per_set} is not allowed; a match is won with "
            f"match.set_min_holes = {self.set_min_holes} holes at least"
        )


Pool: TypeAlias = PoolFill | PoolDrain
"""A match of many players, each of whose units two of them play."""
