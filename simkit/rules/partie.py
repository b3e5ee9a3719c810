"""The match in twelve holes (*partie*, *tour*): the first to reach them wins, on anybody's roll."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from simkit.rules.base import Cited, config
from simkit.rules.settlement import PartieSettlement


@config
class TwelveHoles:
    """One partie: it ends the moment a player has the holes agreed, on either die; nobody has to go."""

    PLACE: ClassVar[str] = "match"

    target_holes: Annotated[int, Field(ge=1, le=60), Cited("S2", "GU ch. VIII", "MA XX", unit="holes")] = 12
    """Holes that win the partie; further ones are ignored."""
    settlement: PartieSettlement = PartieSettlement()
    """What the partie is worth."""
