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
    """Mark points as one sum and return the holes they made (4.2). The score is changed in place.

    `bredouille_enabled` off: nobody is ever en bredouille and every dozen is one hole, later ones of a sum too.
    `bredouille_second_scorer` off: who begins to score while the other has points does not enter en bredouille.
    """
    if points == 0:
        return 0
    other = 1 - who
    if score.points[who] == 0:
        score.bredouille[who] = score.points[other] == 0 or options.bredouille_second_scorer
    if score.points[other] > 0:
        score.bredouille[other] = False
    if not options.bredouille_enabled:
        score.bredouille = [False, False]
    total = score.points[who] + points
    dozens, rest = divmod(total, options.points_per_hole)
    if dozens == 0:
        score.points[who] = total
        return 0
    first = 2 if score.bredouille[who] else 1
    made = first + 2 * (dozens - 1)  # the later dozens of one mark always count double
    if not options.bredouille_enabled:
        made = dozens
    score.holes[who] += made
    score.points[who], score.bredouille[who] = rest, rest > 0 and options.bredouille_enabled
    score.points[other], score.bredouille[other] = 0, False
    return made


def holes_of(score: Score, who: int, points: int, options: Options = CLASSICAL) -> int:
    """The holes that points would make."""
    return mark(score.copy(), who, points, options)


def restart_after_sortie(score: Score, options: Options = CLASSICAL) -> None:
    """M22: points and bredouille outlive the sortie.

    `sortie_keeps_points` off: both lose their points, and bredouille with them. `sortie_keeps_bredouille` off:
    nobody's points are en bredouille any more.
    """
    if not options.sortie_keeps_points:
        score.points = [0, 0]
    if not options.sortie_keeps_points or not options.sortie_keeps_bredouille:
        score.bredouille = [False, False]


def may_go(sortie: bool, options: Options = CLASSICAL) -> bool:
    """4.4: whether the mover may go after a hole.

    Never without `go_enabled`; not on a roll that can bear off the last man without `go_after_sortie_hole`.
    """
    return options.go_enabled and (options.go_after_sortie_hole or not sortie)


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

    `goes` is asked after a hole if the mover may go. `ends_at` is the number of holes that ends the game, None
    where it never ends so. After a sortie the roller rolls again (M22), and so he does when he goes (4.4).
    `opponent_marks_on_go`: the other marks what the roll gave him before a going wipes the points; holes count.
    """
    other = 1 - roller
    marked = Marked(next_roller=roller if sortie else other)
    marked.roller_holes = mark(score, roller, roller_points, options)
    if ends_at is not None and score.holes[roller] >= ends_at:
        marked.winner = roller
        return marked
    marked.went = bool(marked.roller_holes) and may_go(sortie, options) and goes()
    if not marked.went or options.opponent_marks_on_go:
        marked.other_holes = mark(score, other, other_points, options)
        if ends_at is not None and score.holes[other] >= ends_at:
            marked.winner = other
            return marked
    if marked.went:
        score.wipe_points()
        marked.next_roller = roller
    elif sortie:
        restart_after_sortie(score, options)
    return marked
