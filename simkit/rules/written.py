"""The written match (*trictrac à écrire*): an even number of sets, each ended by a player who goes."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, ClassVar

from pydantic import Field

from simkit.rules.base import Cited, config, cross_check
from simkit.rules.settlement import Settlement


class SetFirstDie(Enum):
    """Who throws first in a set after the first; a set done over keeps its first thrower in every source."""

    WINNER_PREV = "winner_prev"
    """The winner of the set before. S0 section 11; GU ch. III; JL 221."""
    ALTERNATE = "alternate"
    """The players in turn, set by set. S1; VT 58; MA V."""


@config
class Written:
    """A match of several sets (*marqués*), won by holes beyond the other's; the sets then become money."""

    PLACE: ClassVar[str] = "match"

    sets: Annotated[int, Field(ge=2, le=24, multiple_of=2), Cited("S0 section 2", unit="sets")] = 8
    """Sets played, always even; 6, 8 or 12 are usual."""
    set_min_holes: Annotated[
        int, Field(ge=1, le=12), Cited("S0 section 3", "S1, Obligatory hole", unit="holes")
    ] = 6
    """From this hole on, of either player, going ends the set."""
    max_holes_per_set: Annotated[
        Annotated[int, Field(ge=1, le=200)] | None, Cited("S0 section 3", "MA", unit="holes")
    ] = None
    """Holes at which a set ends at once, on either die, won by who reaches them; further ones are not counted.
    None in every source but MA, who allows a limit by agreement and does not say how a set then ends."""
    set_first_die: Annotated[SetFirstDie, Cited("S0 section 11", "VT 58")] = SetFirstDie.WINNER_PREV
    """Who throws first in each set after the first."""
    settlement: Settlement = Settlement()
    """How the sets become money."""

    @property
    def players(self) -> int:
        """Players at the table."""
        return 2

    @property
    def units(self) -> int:
        """Units of play in a match: sets, each with its do-overs."""
        return self.sets

    @cross_check
    def _limit_can_be_reached(self) -> str | None:
        if self.max_holes_per_set is None or self.max_holes_per_set >= self.set_min_holes:
            return None
        return (
            f"match.max_holes_per_set: {self.max_holes_per_set} is not allowed; a set is won with "
            f"match.set_min_holes = {self.set_min_holes} holes at least"
        )
