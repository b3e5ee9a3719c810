"""Legal plays of a roll (III.4, III.5), by writing out the ways of playing it die by die."""

from __future__ import annotations

from typing import NamedTuple

from .board import BAR, OFF, Board, all_home, facing


class Step(NamedTuple):
    """One man by one number; `travelled` is less than the number where it leads beyond the edge."""

    start: int
    number: int
    travelled: int


class Way(NamedTuple):
    """Numbers played one after the other, and where they lead; nothing says yet that the law allows it."""

    steps: tuple[Step, ...]
    board: Board

    @property
    def points(self) -> int:
        return sum(step.travelled for step in self.steps)


def may_move(board: Board, start: int, number: int) -> bool:
    """Whether one man may go by one number, whatever else the roll has.

    Men on the bar go first. A point with two adverse men or more is closed. Beyond the edge only when all men are
    home: by the exact number from anywhere, by a larger one only from the farthest point.
    """
    own, other = board
    if not own[start] or (own[BAR] and start != BAR):
        return False
    end = start - number
    if end > OFF:
        return other[facing(end)] < 2
    if not all_home(own):
        return False
    return end == OFF or not any(own[start + 1 :])


def moved(board: Board, start: int, number: int) -> Board:
    """The board after one man's move; a lone adverse man where he lands goes to the bar."""
    own, other = list(board.own), list(board.other)
    end = max(start - number, OFF)
    own[start] -= 1
    own[end] += 1
    if end and other[facing(end)] == 1:
        other[facing(end)] = 0
        other[BAR] += 1
    return Board(tuple(own), tuple(other))


def ways(board: Board, numbers: tuple[int, ...]) -> list[Way]:
    """Every way to play some of the numbers, in this order and one more only after the last.

    Of ways that lead to the same board by as many numbers one is told: they travel equally far.
    """
    found: list[Way] = []
    layer = {board: Way((), board)}
    for number in numbers:
        found += layer.values()
        before, layer = layer, {}
        for way in before.values():
            for start in range(BAR, OFF, -1):
                if may_move(way.board, start, number):
                    after = moved(way.board, start, number)
                    step = Step(start, number, min(start, number))
                    layer.setdefault(after, Way((*way.steps, step), after))
    return [*found, *layer.values()]


def all_ways(board: Board, dice: tuple[int, int], doubles_played: int = 4) -> list[Way]:
    """Every way of playing a roll or a part of it, in both orders; a double's number several times."""
    die_1, die_2 = dice
    if die_1 == die_2:
        return ways(board, (die_1,) * doubles_played)
    return [*ways(board, (die_1, die_2)), *ways(board, (die_2, die_1))]


def lawful(found: list[Way], move_rule: str) -> list[Way]:
    """The ways the law leaves of all there are.

    `max_points`: those that travel most points. `max_dice`: those that play most dice; if only one can be played,
    the larger if possible.
    """
    if move_rule == "max_points":
        most = max(way.points for way in found)
        return [way for way in found if way.points == most]
    assert move_rule == "max_dice"
    most = max(len(way.steps) for way in found)
    found = [way for way in found if len(way.steps) == most]
    if most == 1:
        larger = max(way.steps[0].number for way in found)
        found = [way for way in found if way.steps[0].number == larger]
    return found


def legal_plays(
    board: Board, dice: tuple[int, int], move_rule: str = "max_points", doubles_played: int = 4
) -> set[Board]:
    """The distinct boards a roll may lead to; the mover stays `own`. Without a play the board as it stands."""
    return {way.board for way in lawful(all_ways(board, dice, doubles_played), move_rule)}
