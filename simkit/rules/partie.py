"""The match in twelve holes (*partie*, *tour*): the first to reach them wins, on anybody's roll; or several."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, ClassVar

from pydantic import Field

from simkit.rules.base import Cited, config
from simkit.rules.settlement import PartieSettlement


class NextPartieFirstDie(Enum):
    """Who throws first in a partie that follows another; no source speaks of a series of parties."""

    WINNER_PREV = "winner_prev"
    """The winner of the partie before, as in sets. S0 section 11; GU ch. III; JL 221."""
    ALTERNATE = "alternate"
    """The players in turn, as in sets. S1; VT 58; MA V."""
    DRAW = "draw"
    """Who wins a new draw, as at the first. Our alternative."""


@config
class TwelveHoles:
    """Parties, each of which ends the moment a player has the holes agreed, on either die; nobody has to go."""

    PLACE: ClassVar[str] = "match"

    parties: Annotated[int, Field(ge=1, le=1000), Cited("S2", unit="parties")] = 1
    """Parties played one after the other in a match; the sources play one."""

    target_holes: Annotated[int, Field(ge=1, le=60), Cited("S2", "GU ch. VIII", "MA XX", unit="holes")] = 12
    """Holes that win the partie; further ones are ignored."""
    next_partie_first_die: Annotated[NextPartieFirstDie, Cited("S0 section 11", "MA V")] = (
        NextPartieFirstDie.WINNER_PREV
    )
    """Who throws first in a partie that follows another."""
    settlement: PartieSettlement = PartieSettlement()
    """What each partie is worth."""

    @property
    def players(self) -> int:
        """Players at the table."""
        return 2

    @property
    def units(self) -> int:
        """Units of play in a match: parties."""
        return self.parties
