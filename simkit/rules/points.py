"""The match to a number of points: games of toutes tables or backgammon, single, double or triple."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, ClassVar

from pydantic import Field

from simkit.rules.base import OURS, Cited, config, cross_check


class DoubleCondition(Enum):
    """When a game counts double, by what the loser has done; S4 contradicts itself."""

    OFF0_AND_NOT_ALL_HOME = "off0_and_not_all_home"
    """He has borne no man off and has a man outside his return jan. LP appendix; S4, its sentence on the
    single game."""
    OFF0 = "off0"
    """He has borne no man off. GU backgammon; the modern rules of backgammon."""
    OFF0_OR_NOT_ALL_HOME = "off0_or_not_all_home"
    """He has borne no man off, or has a man outside his return jan. S4, its sentence on the double game."""


class TripleCondition(Enum):
    """When a game counts triple; the sources differ."""

    NONE = "none"
    """Never. S4; LP appendix; GU backgammon, of French usage."""
    BAR_OR_IN_WINNER_HOME = "bar_or_in_winner_home"
    """The loser has borne no man off and has one on the bar or in the winner's return jan. The modern rules of
    backgammon."""


class PairFirstStarter(Enum):
    """Who plays first in the first game of a start, after the match's first; no source tells."""

    DRAW = "draw"
    """Who wins a new draw, as at the first. S4, of every game."""
    ALTERNATE = "alternate"
    """The other than in the first game of the start before. Our alternative."""
    LOSER = "loser"
    """The loser of the game before. Our alternative."""
    WINNER = "winner"
    """The winner of the game before. Our alternative."""


class SecondGameOpening(Enum):
    """How the later games of a start open, whose first player is known; no source tells."""

    FRESH_THROW = "fresh_throw"
    """He throws both dice, which may fall as a double. S4, silent."""
    NON_DOUBLE = "non_double"
    """He throws until the dice differ, as the draw of the first game does. Our alternative."""
    SAME_ROLL_AS_FIRST = "same_roll_as_first"
    """He plays the opening roll of the start's first game again. Our alternative, as in duplicate play."""


CUBE_FACES = (2, 4, 8, 16, 32)
"""What the cube may come to; 32 times a triple game is 96 points, and no match is longer than 100."""


@config
class PointMatch:
    """Games, each worth one, two or three points, until a player has the points agreed; a start may serve several.

    With the doubling cube a game is worth so many times more, and ends early when a double is dropped.

    Points beyond those agreed are counted in the last game and decide nothing.
    """

    PLACE: ClassVar[str] = "match"

    match_points: Annotated[
        int, Field(ge=1, le=100), Cited("S4", "LP appendix", "GU backgammon", unit="points")
    ] = 3
    """Points that win the match; usually three, sometimes one or two."""
    games_per_start: Annotated[int, Field(ge=1, le=10), Cited("S4", unit="games")] = 2
    """Games from one start, each player beginning in turn; then another is drawn."""
    double_condition: Annotated[DoubleCondition, Cited("S4", "LP appendix", "GU backgammon")] = (
        DoubleCondition.OFF0_AND_NOT_ALL_HOME
    )
    """When a game counts double."""
    triple_condition: Annotated[TripleCondition, Cited("S4", "GU backgammon")] = TripleCondition.NONE
    """When a game counts triple."""
    cube: Annotated[
        bool,
        Cited(
            "S4",
            other="S4, of Backgammon 225, if agreed; the modern rules of backgammon; for toutes tables ours",
        ),
    ] = False
    """Whether the doubling cube is used: before his roll a player may double what the game is worth."""
    cube_limit: Annotated[int, Field(ge=2, le=32), Cited(OURS, unit="times", allowed="2, 4, 8, 16 or 32")] = (
        32
    )
    """The most that the cube may come to; with `cube` only."""
    crawford: Annotated[bool, Cited("the modern rules of backgammon", other=OURS)] = True
    """Whether the cube rests in the first game begun with one point to go for a player; with `cube` only."""
    pair_first_starter: Annotated[PairFirstStarter, Cited("S4")] = PairFirstStarter.DRAW
    """Who plays first in the first game of each start after the first."""
    second_game_opening: Annotated[SecondGameOpening, Cited("S4")] = SecondGameOpening.FRESH_THROW
    """How the later games of a start open; with two games from a start or more."""
    match_end_mid_pair: Annotated[bool, Cited("S4", other=OURS)] = True
    """Whether the match ends the moment the points are reached, or only when all games of the start are played,
    two or more. In the latter case who has more points wins, and at equal points another start is played."""

    @property
    def players(self) -> int:
        """Players at the table."""
        return 2

    @property
    def units(self) -> int:
        """Games that a match has at most, those of a tie played on apart."""
        return 2 * self.match_points - 1 + (0 if self.match_end_mid_pair else self.games_per_start - 1)

    @cross_check
    def _cube_doubles(self) -> str | None:
        if self.cube_limit in CUBE_FACES:
            return None
        return f"match.cube_limit: {self.cube_limit} is not allowed; 2, 4, 8, 16 or 32"

    @cross_check
    def _rules_of_later_games_need_them(self) -> str | None:
        if self.games_per_start > 1:
            return None
        if self.second_game_opening is not SecondGameOpening.FRESH_THROW:
            name, value = "second_game_opening", self.second_game_opening.value
        elif not self.match_end_mid_pair:
            name, value = "match_end_mid_pair", "false"
        else:
            return None
        return (
            f"match.{name}: {value} is not allowed where a start serves one game; it needs match.games_per_start "
            "2 or more"
        )

    @cross_check
    def _cube_rules_need_the_cube(self) -> str | None:
        if self.cube or (self.cube_limit, self.crawford) == (CUBE_FACES[-1], True):
            return None
        name, value = ("crawford", "false") if not self.crawford else ("cube_limit", str(self.cube_limit))
        return f"match.{name}: {value} is not allowed without the cube; it needs match.cube true"
