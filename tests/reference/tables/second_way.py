"""Legal plays counted a second time, by another method: every sequence of steps, in absolute points.

Black's men are positive and go up, White's negative and go down. Points travelled are not added up but read off
the board: what the mover's pips have lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Men = tuple[int, ...]
"""Points 1 to 24 at the indices 1 to 24; 0 and 25 are not used."""


class Absolute(NamedTuple):
    """A board and its bar, in absolute points."""

    men: Men
    black_bar: int
    white_bar: int


def of_sides(own: tuple[int, ...], other: tuple[int, ...], black_moves: bool) -> Absolute:
    """Lay two sides, given by distance, on absolute points; the mover is Black or White."""
    black, white = (own, other) if black_moves else (other, own)
    men = [0] * 26
    for point in range(1, 25):
        men[point] = black[25 - point] - white[point]
    return Absolute(tuple(men), black[25], white[25])


def to_sides(board: Absolute, black_moves: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Read both sides by distance, the mover first; who is missing is off."""
    black = [max(board.men[25 - d], 0) for d in range(1, 25)] + [board.black_bar]
    white = [max(-board.men[d], 0) for d in range(1, 25)] + [board.white_bar]
    sides = [(15 - sum(men), *men) for men in (black, white)]
    return (sides[0], sides[1]) if black_moves else (sides[1], sides[0])


def pips(board: Absolute, black: bool) -> int:
    if black:
        return 25 * board.black_bar + sum((25 - p) * n for p, n in enumerate(board.men) if n > 0)
    return 25 * board.white_bar + sum(p * -n for p, n in enumerate(board.men) if n < 0)


def black_steps(board: Absolute, number: int) -> set[Absolute]:
    """Everywhere one number leads Black."""
    found = set()
    on_board = [point for point in range(1, 25) if board.men[point] > 0]
    origins = [0] if board.black_bar else on_board
    for origin in origins:
        target = origin + number
        men, black_bar, white_bar = list(board.men), board.black_bar, board.white_bar
        if target < 25:
            if men[target] <= -2:
                continue
            if men[target] == -1:
                men[target], white_bar = 0, white_bar + 1
            men[target] += 1
        elif min(origins) < 19 or (target > 25 and origin != min(origins)):
            continue
        if origin:
            men[origin] -= 1
        else:
            black_bar -= 1
        found.add(Absolute(tuple(men), black_bar, white_bar))
    return found


def reflected(board: Absolute) -> Absolute:
    return Absolute(
        (0, *(-board.men[25 - point] for point in range(1, 25)), 0), board.white_bar, board.black_bar
    )


def sequences(board: Absolute, numbers: list[int], played: int = 0) -> Iterator[tuple[int, Absolute]]:
    """Every board reached on the way, with how many numbers were played to get there."""
    yield played, board
    for after in black_steps(board, numbers[0]) if numbers else ():
        yield from sequences(after, numbers[1:], played + 1)


def legal_boards(
    board: Absolute, dice: tuple[int, int], move_rule: str, doubles_played: int = 4
) -> set[Absolute]:
    """All boards a roll of Black's may lead to."""
    high, low = max(dice), min(dice)
    orders = [[high] * doubles_played] if high == low else [[high, low], [low, high]]
    reached = [list(sequences(board, order)) for order in orders]
    if move_rule == "max_points":
        everywhere = {one for found in reached for _, one in found}
        least = min(pips(one, black=True) for one in everywhere)
        return {one for one in everywhere if pips(one, black=True) == least}
    most = max(played for found in reached for played, _ in found)
    longest = [{one for played, one in found if played == most} for found in reached]
    if most == 1:  # the order that begins with the higher number, if it leads anywhere
        return longest[0] or longest[1]
    return set().union(*longest)


def count_plays(
    own: tuple[int, ...],
    other: tuple[int, ...],
    dice: tuple[int, int],
    move_rule: str,
    *,
    black_moves: bool = True,
) -> int:
    """Count distinct results; White's roll is Black's on the reflected board."""
    board = of_sides(own, other, black_moves)
    if not black_moves:
        board = reflected(board)
    return len(legal_boards(board, dice, move_rule))
