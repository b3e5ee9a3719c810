"""A match that goes on from a game under way: what stands on the board, in the score, and on the cube."""

from __future__ import annotations

from typing import NamedTuple

from .board import Board
from .cube import Cube
from .starts import Start


class UnderWay(NamedTuple):
    """A game before a roll, and how its match stands; players are 0 and 1.

    `board` is seen by `roller`. Without `place` the game is the last from its start, and `roller` counts as who
    began it; with it, it is game `place`, from 1, of its start, begun by `beginner`. `start` and `opening` are the
    start and its first roll, if further games are played from it.
    """

    board: Board
    roller: int
    known: tuple[int, int] | None = None
    score: tuple[int, int] = (0, 0)
    cube: Cube = Cube()
    crawford_past: bool = False
    place: int | None = None
    beginner: int | None = None
    start: Start | None = None
    opening: tuple[int, int] | None = None

    @property
    def first(self) -> int:
        """Who began the game."""
        return self.roller if self.beginner is None else self.beginner

    def before(self, games_per_start: int) -> int:
        """Games played from the same start before this one."""
        return (self.place or games_per_start) - 1

    def beginners(self, games_per_start: int) -> list[int]:
        """Who began those games: in turn; or, where nothing is said of them, he who began this one."""
        if self.place is None:
            return [self.first] * self.before(games_per_start)
        return [(self.first + self.place - 1 - game) % 2 for game in range(self.place - 1)]

    def rested(self, match_points: int) -> bool:
        """Whether the game in which the cube rests is past: two at one point to go came to it one by one."""
        return self.crawford_past or (match_points > 1 and self.score == (match_points - 1, match_points - 1))
