"""A match that goes on from a game under way: what stands on the board, in the score, and on the cube."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .board import Board
from .cube import Cube
from .match import match_end
from .starts import Start, all_starts, board_of


class UnderWay(NamedTuple):
    """A game before a roll, and how its match stands; players are 0 and 1.

    `board` is seen by `roller`. Without `place` the game is the one that the score tells (`placed`), or else the
    last from its start, and `roller` counts as who began it; with it, it is game `place`, from 1, of its start,
    begun by `beginner`. `start` and `opening` are the start and its first roll, if more games are played from it.
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

    def placed(self, rules: Mapping[str, Any]) -> UnderWay:
        """The same with the place that the score tells, if it is not said; at 0-0 none is."""
        if self.place is not None or self.score == (0, 0):
            return self
        places = possible_places(self.score, rules)
        last = rules["games_per_start"]
        if not places or (last in places and len(places) > 1):
            return self
        return self._replace(place=max(places))

    @property
    def opened(self) -> bool:
        """Whether the game has had its first roll: not where the men stand at a start, and nobody has doubled."""
        at_a_start = any(board_of(start) == self.board for start in all_starts())
        return not (at_a_start and self.roller == self.first and self.cube == Cube())

    def rested(self, match_points: int) -> bool:
        """Whether the game in which the cube rests is past: two at one point to go came to it one by one."""
        return self.crawford_past or (match_points > 1 and self.score == (match_points - 1, match_points - 1))


def possible_places(score: tuple[int, int], rules: Mapping[str, Any]) -> set[int]:
    """Which games of its start, from 1, can be next at a score: every match that leads to it is followed."""
    kinds = (1, 2) if rules["triple_condition"] == "none" else (1, 2, 3)
    faces = [
        face for face in (1, 2, 4, 8, 16, 32) if face == 1 or (rules["cube"] and face <= rules["cube_limit"])
    ]
    worths = {kind * face for kind in kinds for face in faces}
    per_start = rules["games_per_start"]
    seen = {((0, 0), 0)}
    waiting = list(seen)
    while waiting:
        stands, played = waiting.pop()
        for winner in (0, 1):
            for worth in worths:
                now = match_end(
                    [(winner, worth)],
                    rules["match_points"],
                    per_start,
                    rules["match_end_mid_pair"],
                    stands,
                    played,
                )
                after = now.score, (played + 1) % per_start
                beyond = now.score[0] > score[0] or now.score[1] > score[1]
                if now.winner is None and not beyond and after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return {played + 1 for stands, played in seen if stands == score}
