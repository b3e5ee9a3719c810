"""The game of toutes tables and of backgammon: hitting, the bar, doubles played several times, bearing off.

What no source varies (fifteen men a side; both dice first, and the higher when one alone can be played; men on
the bar before any other; two adverse men close a point) is part of the kernel and has no field.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, ClassVar

from pydantic import Field

from simkit.rules.base import OURS, Cited, config, cross_check

Die = Annotated[int, Field(ge=1, le=6)]

STANDARD_START = (1, 6, 1, 5)
"""The start of backgammon among the 225."""


class StartSelection(Enum):
    """Where the men stand when a game begins."""

    RANDOM_225 = "random_225"
    """Drawn by two rolls of different dice, each of the 225 starts as likely as the others. S4."""
    STANDARD = "standard"
    """The start of backgammon, which is 1-6, 1-5 of the 225. GU backgammon; LP appendix."""
    FIXED = "fixed"
    """One of the 225, given by `fixed_start`. Our alternative."""


class OpeningRoll(Enum):
    """Which roll opens a game whose first player is drawn; the sources differ."""

    DRAW_IS_FIRST_THROW = "draw_is_first_throw"
    """The throw that draws for the start is itself the first roll, which is therefore never a double. S4."""
    DRAW_THEN_THROW = "draw_then_throw"
    """The winner of the draw then throws both dice. GU backgammon, of English players."""


class MoveRule(Enum):
    """Which plays of a roll are legal when not all of it can be used in every way; the sources differ."""

    MAX_POINTS = "max_points"
    """Those that travel most points, where a man borne off counts his own distance only. S4; GU backgammon."""
    MAX_DICE = "max_dice"
    """Those that use most dice, and the higher die if one alone can be used. The modern rules of backgammon."""


@config
class Tables:
    """The race with hitting: men travel the whole track, a lone man may be hit, who bears off first wins.

    A start of the men is four dice a < b and c < d: two men of a side on its arrow a, three on 12 + d, five on
    13 - c and five on 25 - b; the other side mirrors it.
    """

    PLACE: ClassVar[str] = "game"

    start_selection: Annotated[StartSelection, Cited("S4")] = StartSelection.RANDOM_225
    """Where the men stand when a game begins."""
    fixed_start: Annotated[
        tuple[Die, ...] | None,
        Cited(
            OURS,
            unit="dice a, b, c, d",
            allowed="none, or four dice a < b and c < d from 1 to 6, as 1-6-1-5 (in JSON [1,6,1,5])",
        ),
    ] = None
    """The start of every game, with `start_selection` fixed only."""
    first_roll_method: Annotated[OpeningRoll, Cited("S4", "GU backgammon")] = OpeningRoll.DRAW_IS_FIRST_THROW
    """Which roll opens a game whose first player is drawn."""
    move_rule: Annotated[MoveRule, Cited("S4", "GU backgammon")] = MoveRule.MAX_POINTS
    """Which plays are legal when not all of a roll can be used in every way."""
    doubles_played: Annotated[
        int, Field(ge=1, le=4), Cited("S4", "GU backgammon", "LP appendix", unit="times", other=OURS)
    ] = 4
    """How often the number of a double is played."""

    @cross_check
    def _fixed_start_fits(self) -> str | None:
        fixed = self.start_selection is StartSelection.FIXED
        if self.fixed_start is None:
            return "game.fixed_start: none is not allowed with game.start_selection fixed" if fixed else None
        if not fixed:
            return (
                f"game.fixed_start: {self.fixed_start} together with game.start_selection "
                f"{self.start_selection.value} is not allowed; a start that is given needs "
                "game.start_selection fixed"
            )
        return start_fault(self.fixed_start, "game.fixed_start")


def start_fault(dice: tuple[int, ...], name: str = "start") -> str | None:
    """Say why four numbers are not the dice a < b, c < d of a start (S4); None if they are."""
    whole = all(type(die) is int and 1 <= die <= 6 for die in dice)
    if len(dice) == 4 and whole and dice[0] < dice[1] and dice[2] < dice[3]:
        return None
    equal = whole and len(dice) == 4 and (dice[0] == dice[1] or dice[2] == dice[3])
    why = "; dice that fall equal are thrown again" if equal else ""
    return f"{name}: {dice} is not allowed; four dice a < b and c < d from 1 to 6{why} (S4)"
