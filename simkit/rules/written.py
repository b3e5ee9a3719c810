"""The written match (*trictrac à écrire*): sets, each ended by a player who goes, of two to five at the table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, ClassVar, Final

from pydantic import Field

from simkit.rules.base import Cited, config, cross_check
from simkit.rules.settlement import Settlement


class SetFirstDie(Enum):
    """Who throws first in a set after the first; a set done over keeps its first thrower in every source."""

    WINNER_PREV = "winner_prev"
    """The winner of the set before. S0 section 11; GU ch. III; JL 221."""
    ALTERNATE = "alternate"
    """The players in turn, set by set; in a chouette the lone player every odd set. S1; VT 58; MA V."""
    STAYS = "stays"
    """The one of the two who stays at the table when another takes the place of the other; the first set by the
    draw. GU ch. VIII; JL 244; VT 66 and 73."""


class TableMode(Enum):
    """How many are at the table, and who plays with whom; two of them play a set."""

    TWO = "two"
    """Two, each for himself. S0; S1."""
    CHOUETTE = "chouette"
    """One, player 1, against two partners, who play two sets each in turn. GU ch. VIII; JL 242; VT 61."""
    TWO_V_TWO = "two_v_two"
    """Players 1 and 2 against 3 and 4: after the first set one is replaced by his partner, then everyone who has
    played two sets in a row. GU ch. VIII; VT 73 and 74."""
    TOURNER = "tourner"
    """Three, each for himself (*à tourner*): after the first set the third takes the place of one of the two, then
    of everyone who has played two sets in a row. GU ch. VIII; JL 244; VT 64 to 66."""
    FIVE = "five"
    """Players 1 and 2 against 3, 4 and 5: in six sets the two play three each, the three two each. JL 249."""


class RotationFirstSetLeaver(Enum):
    """Who leaves the table after the first set, two against two and à tourner; the sources differ."""

    WINNER = "winner"
    """The winner of the first set. VT 66 and 73; MA; FA; GU ch. VIII and JL, two against two."""
    LOSER = "loser"
    """The loser of the first set. LP; GU ch. VIII and JL 244, à tourner."""


SEATS: Final[Mapping[TableMode, tuple[int, ...]]] = {
    TableMode.TWO: (1, 1),
    TableMode.CHOUETTE: (1, 2),
    TableMode.TWO_V_TWO: (2, 2),
    TableMode.TOURNER: (1, 1, 1),
    TableMode.FIVE: (2, 3),
}
"""Players of each side, in the order of their numbers; à tourner each is a side of his own."""

_SETS_ARE: Final[Mapping[TableMode, tuple[int, str]]] = {
    TableMode.TWO: (2, "an even number from 2 to 24 (S0 section 2)"),
    TableMode.CHOUETTE: (2, "an even number from 2 to 24, as for two sides (GU ch. VIII)"),
    TableMode.TWO_V_TWO: (2, "an even number from 2 to 24, as for two sides (GU ch. VIII)"),
    TableMode.TOURNER: (
        3,
        "with match.table_mode = tourner a multiple of 3 from 3 to 24, so that each plays as often (GU ch. VIII)",
    ),
    TableMode.FIVE: (
        6,
        "with match.table_mode = five a multiple of 6 from 6 to 24, in which the two play three each and the "
        "three two each (JL 249)",
    ),
}
"""What the number of sets must be divisible by, and why."""

FIRST_DIE_IS: Final[Mapping[TableMode, tuple[tuple[SetFirstDie, ...], str]]] = {
    TableMode.TWO: (
        (SetFirstDie.WINNER_PREV, SetFirstDie.ALTERNATE),
        "winner_prev or alternate, as nobody leaves a table of two",
    ),
    TableMode.CHOUETTE: (
        (SetFirstDie.WINNER_PREV, SetFirstDie.ALTERNATE),
        "alternate (GU ch. VIII; JL 242; VT 61) or winner_prev, as the lone player always stays",
    ),
    TableMode.TOURNER: (
        (SetFirstDie.STAYS,),
        "with match.table_mode = tourner it is stays, as the other has just sat down (GU ch. VIII; JL 244)",
    ),
}
"""Who may throw first, and why; where a mode is not named, any rule will do."""


@config
class Written:
    """A match of several sets (*marqués*), won by holes beyond the other's; the sets then become money.

    More than two at the table play by turns: two of them a set, each for his side. GU ch. VIII.
    """

    PLACE: ClassVar[str] = "match"

    sets: Annotated[
        int,
        Field(ge=2, le=24),
        Cited(
            "S0 section 2",
            unit="sets",
            allowed="an even number from 2 to 24; à tourner a multiple of 3, of five players of 6",
        ),
    ] = 8
    """Sets played; even for two, of whom 6, 8 or 12 are usual, à tourner 9, 12 or 15."""
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
    table_mode: Annotated[TableMode, Cited("S0 section 1", "GU ch. VIII", "JL 242 to 249")] = TableMode.TWO
    """How many are at the table, and who plays with whom."""
    players: Annotated[int, Field(ge=2, le=5), Cited("GU ch. VIII", "JL 242 to 249", unit="players")] = 2
    """Players at the table, as many as the mode has: two, three in a chouette and à tourner, four, or five."""
    rotation_first_set_leaver: Annotated[RotationFirstSetLeaver, Cited("GU ch. VIII", "VT 66", "LP")] = (
        RotationFirstSetLeaver.WINNER
    )
    """Who leaves the table after the first set; only two against two and à tourner ask."""
    settlement: Settlement = Settlement()
    """How the sets become money."""

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

    @cross_check
    def _players_are_of_the_mode(self) -> str | None:
        seats = SEATS[self.table_mode]
        if self.players == sum(seats):
            return None
        sides = " against ".join(map(str, seats)) if len(seats) == 2 else "each for himself"
        return (
            f"match.players: {self.players} is not allowed; with match.table_mode = {self.table_mode.value} "
            f"{sum(seats)} are at the table, {sides} (GU ch. VIII; JL 242 to 249)"
        )

    @cross_check
    def _sets_are_of_the_mode(self) -> str | None:
        step, words = _SETS_ARE[self.table_mode]
        return f"match.sets: {self.sets} is not allowed; {words}" if self.sets % step else None

    @cross_check
    def _first_die_is_of_the_mode(self) -> str | None:
        rules, words = FIRST_DIE_IS.get(self.table_mode, ((), ""))
        if not rules or self.set_first_die in rules:
            return None
        return f"match.set_first_die: {self.set_first_die.value} is not allowed; {words}"
