"""Trictrac combiné: the written match and games of honours, played at once on one board."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import Field

from simkit.rules.base import OURS, Cited, Layer, NonNegative, config, cross_check, fields_of
from simkit.rules.settlement import Settlement
from simkit.rules.written import (
    FIRST_DIE_IS,
    SEATS,
    RotationFirstSetLeaver,
    SetFirstDie,
    TableMode,
    Written,
)


class CombineTable(Enum):
    """Who sits at the table; à tourner, each for himself, is no table of this game (S1; VT)."""

    TWO = "two"
    """Two players. S1; VT."""
    CHOUETTE = "chouette"
    """One, player 1, against two partners, who play two sets each in turn. S1; VT."""
    TWO_V_TWO = "two_v_two"
    """Players 1 and 2 against 3 and 4: after the first set one is replaced by his partner, then everyone who has
    played two sets in a row. S1; VT."""


class SuspendWhenBehind(Enum):
    """What suspending the written game does to a player short of six holes while the other has six."""

    FREEZE = "freeze"
    """His set is frozen as it stands and goes on after the next pickup. S1; VT, looking at his holes only."""
    CONCEDE = "concede"
    """He counts as gone, so that the set is lost at once. S1, whose suspender is treated as having gone."""
    FORBID = "forbid"
    """He may not suspend it. Our alternative."""


class UnfinishedHonours(Enum):
    """What becomes of a game of honours under way when the last set is over; no source tells."""

    VOID = "void"
    """Nothing is paid for it. Our reading: S1 ends the honours with the written match."""
    PLAY_ON = "play_on"
    """It is played to its end, with holes for it alone. Our alternative."""


class LastSetScored(Enum):
    """What follows when a suspension has scored the last set; no source tells."""

    UNTIL_PICKUP = "until_pickup"
    """The game of honours goes on to the next pickup, as in any other set. S1, which excepts no set."""
    ENDS_MATCH = "ends_match"
    """The match is over at once. Our alternative."""


class ContractAfterDraw(Enum):
    """Whether who has drawn the pool begins the new one with the contract; no source tells."""

    CLEARED = "cleared"
    """Nobody has it: two more games must be won. S1, silent."""
    KEPT = "kept"
    """He has it, so that one more game draws the new pool as well. Our alternative."""


class PoolLastSet(Enum):
    """What S1 means by a pool opened with the first set, which belongs to who wins that single game."""

    NONE = "none"
    """Nothing beyond the rules of the end, by which a pool without a contract goes to who wins a game. S1."""
    OPEN_AT_START_SINGLE_WIN = "open_at_start_single_win"
    """The last set was meant: a pool that holds its stakes only as that set begins goes whole to who wins the next
    game, whoever has the contract. S1; VT."""


class PoolUnfinished(Enum):
    """What becomes of the basket that nobody has drawn when all is over; no source tells."""

    SPLIT = "split"
    """Each takes half, an odd fish going to who has the contract. S1, of a pool in the last set."""
    TO_CONTRACT_HOLDER = "to_contract_holder"
    """All to who has the contract; each takes his stake back if nobody has. Our alternative."""
    RETURNED = "returned"
    """Each takes back what he has put in. Our alternative."""


_FIRST_DIE_IS: Final[Mapping[CombineTable, tuple[tuple[SetFirstDie, ...], str]]] = {
    CombineTable.TWO: FIRST_DIE_IS[TableMode.TWO],
    CombineTable.CHOUETTE: FIRST_DIE_IS[TableMode.CHOUETTE],
    CombineTable.TWO_V_TWO: (
        (SetFirstDie.STAYS,),
        "with match.table_mode = two_v_two it is stays, as the throw belongs to who remains at the table (S1; "
        "GU ch. VIII)",
    ),
}
"""Who may throw first, and why; of two and in a chouette as in the written match."""


@config
class CombineSettlement(Settlement):
    """How a combined match becomes money: sets as in the written match, games of honours in fish of their own.

    The loser of a game of honours pays its class, one to four times the unit, to the winner and as much into the
    basket. The pool follows from the finished games in their order and the sets they ended in. S1, Trictrac
    combiné; VT.
    """

    PLACE: ClassVar[str] = "settlement"
    LAYER: ClassVar[Layer] = "settlement"

    honours_double_max_loser_holes: Annotated[
        int,
        Field(ge=0, le=60),
        Cited("S1, which says 6", "VT", "GU ch. VIII, which says 5", "MA XX, 5", unit="holes"),
    ] = 6
    """Holes of the loser up to which a game of honours is double."""
    honours_unit_fish: Annotated[NonNegative, Cited("S1, silent", unit="fish")] = 1
    """Paid for a single game of honours; no source states the sum, which is agreed."""
    honours_fish_jetons: Annotated[NonNegative, Cited("VT, of 75 and 100", unit="jetons per fish")] = 10
    """What a fish of honours counts in the sum of both games, in jetons of the written one, whose fish is
    `fish_unit`. VT makes losses equal by pricing the written fish at 75 where that of honours is 100: 13."""
    pool_stake_each: Annotated[NonNegative, Cited("S1, The pool", "VT", unit="fish")] = 2
    """Put into the basket by each player when a pool is opened; 0 begins with an empty basket."""
    pool_wins_in_row: Annotated[int, Field(ge=1, le=10), Cited("S1, The pool", "VT", unit="games")] = 2
    """Games of honours won in a row that draw the pool."""
    pool_contract_after_draw: Annotated[ContractAfterDraw, Cited("S1, The pool")] = ContractAfterDraw.CLEARED
    """Whether who has drawn the pool begins the new one with the contract."""
    pool_last_set: Annotated[PoolLastSet, Cited("S1, The pool", "VT")] = PoolLastSet.NONE
    """Whether a pool opened as the last set begins belongs to who wins a single game."""
    pool_unfinished: Annotated[PoolUnfinished, Cited("S1, The pool")] = PoolUnfinished.SPLIT
    """What becomes of the basket when all is over and nobody has drawn it."""

    @classmethod
    def beside(cls, written: Settlement, **changes: Any) -> Self:
        """Return a settlement whose sets are priced as those of a written match; `changes` are of any field."""
        return cls(**{name: getattr(written, name) for name in fields_of(Settlement)} | changes)


@config
class Combine:
    """A written match whose holes also count in games of honours; either may be suspended while the other goes on.

    Each game of honours goes to the first with twelve holes, on either die, and further holes open the next one;
    sets end as in the written match.
    """

    PLACE: ClassVar[str] = "match"

    sets: Annotated[
        int, Field(ge=2, le=24, multiple_of=2), Cited("S1, Trictrac à écrire", "VT", unit="sets")
    ] = 12
    """Sets of the written match, always even; 8 or 12 are common."""
    set_min_holes: Annotated[int, Field(ge=1, le=12), Cited("S1, Obligatory hole", unit="holes")] = 6
    """From this hole on, of either player, going ends the set."""
    set_first_die: Annotated[SetFirstDie, Cited("S1, Suspending one game", "VT 58")] = SetFirstDie.ALTERNATE
    """Who throws first in each set after the first; two against two always who stays at the table."""
    table_mode: Annotated[
        CombineTable, Cited("S1", "VT", allowed="two, chouette or two_v_two, and never à tourner")
    ] = CombineTable.TWO
    """Who sits at the table; partners share both games."""
    rotation_first_set_leaver: Annotated[RotationFirstSetLeaver, Cited("VT 73", "LP")] = (
        RotationFirstSetLeaver.WINNER
    )
    """Who leaves the table after the first set; only two against two ask."""
    target_holes: Annotated[int, Field(ge=1, le=60), Cited("S1, Trictrac combiné", unit="holes")] = 12
    """Holes that win a game of honours."""
    continuation: Annotated[bool, Cited("S1, Trictrac combiné", "VT", other="S1, of plain parties")] = True
    """Whether holes beyond the last of a game of honours count in the next one; else they are lost."""
    suspension: Annotated[bool, Cited("S1, Suspending one game", "VT", other=OURS)] = True
    """Whether a player who may go may instead suspend one of the games."""
    combine_suspend_when_behind: Annotated[SuspendWhenBehind, Cited("S1, Suspending one game", "VT")] = (
        SuspendWhenBehind.FREEZE
    )
    """What suspending the written game does short of six holes when the other has six."""
    combine_last_set_scored: Annotated[LastSetScored, Cited("S1, Suspending one game")] = (
        LastSetScored.UNTIL_PICKUP
    )
    """What follows when a suspension has scored the last set."""
    combine_unfinished_honours: Annotated[UnfinishedHonours, Cited("S1, The pool")] = UnfinishedHonours.VOID
    """What becomes of a game of honours under way when the last set is over."""
    settlement: CombineSettlement = CombineSettlement()
    """How sets and games of honours become money."""

    @property
    def players(self) -> int:
        """Players at the table."""
        return sum(SEATS[table_of(self)])

    @property
    def units(self) -> int:
        """Units of play in a match: sets, each with its do-overs."""
        return self.sets

    @cross_check
    def _first_die_is_of_the_mode(self) -> str | None:
        rules, words = _FIRST_DIE_IS[self.table_mode]
        if self.set_first_die in rules:
            return None
        return f"match.set_first_die: {self.set_first_die.value} is not allowed; {words}"


def table_of(match: Written | Combine) -> TableMode:
    """Say who sits at the table of a match of sets."""
    return TableMode(match.table_mode.value)
