"""Points, holes, hold or go: rules.md, section 4."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .options import CLASSICAL, Options


@dataclass
class Score:
    """Points, bredouille of points, and holes of players 0 and 1."""

    points: list[int] = field(default_factory=lambda: [0, 0])
    bredouille: list[bool] = field(default_factory=lambda: [False, False])
    holes: list[int] = field(default_factory=lambda: [0, 0])

    def copy(self) -> Score:
        return Score(self.points.copy(), self.bredouille.copy(), self.holes.copy())

    def wipe_points(self) -> None:
        """4.4: going leaves the holes and nothing else."""
        self.points, self.bredouille = [0, 0], [False, False]


def mark(score: Score, who: int, points: int, options: Options = CLASSICAL) -> int:
    """Mark points as one sum and return the holes they made (4.2). The score is changed in place."""
    if points == 0:
        return 0
    other = 1 - who
    if score.points[who] == 0:
        score.bredouille[who] = True
    if score.points[other] > 0:
        score.bredouille[other] = False
    total = score.points[who] + points
    dozens, rest = divmod(total, options.points_per_hole)
    if dozens == 0:
        score.points[who] = total
        return 0
    first = 2 if score.bredouille[who] else 1
    made = first + 2 * (dozens - 1)  # the later dozens of one mark always count double
    score.holes[who] += made
    score.points[who], score.bredouille[who] = rest, rest > 0
    score.points[other], score.bredouille[other] = 0, False
    return made


@dataclass
class Marked:
    """What came of the marks of one roll. `next_roller` is also told when the game is over."""

    next_roller: int
    roller_holes: int = 0
    other_holes: int | None = None
    went: bool = False
    winner: int | None = None


def mark_roll(
    score: Score,
    roller: int,
    roller_points: int,
    other_points: int,
    goes: Callable[[], bool],
    *,
    sortie: bool = False,
    ends_at: int | None = 12,
    options: Options = CLASSICAL,
) -> Marked:
    """4.1: the order of marking within a roll, and the end of a partie in between.

    `goes` is asked after a hole. `ends_at` is the number of holes that ends the game, None where it never
    ends so. After a sortie the roller rolls again (M22), and so he does when he goes (4.4).
    """
    other = 1 - roller
    marked = Marked(next_roller=roller if sortie else other)
    marked.roller_holes = mark(score, roller, roller_points, options)
    if ends_at is not None and score.holes[roller] >= ends_at:
        marked.winner = roller
        return marked
    if marked.roller_holes and goes():
        score.wipe_points()
        marked.went, marked.next_roller = True, roller
        return marked
    marked.other_holes = mark(score, other, other_points, options)
    if ends_at is not None and score.holes[other] >= ends_at:
        marked.winner = other
    return marked
