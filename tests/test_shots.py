"""Shots counted out: positions checked by hand, and by the twin, which plays every throw by the written rules."""

from __future__ import annotations

from itertools import product

import pytest
from reference.tables.board import BAR, MEN, OFF, Board
from reference.tables.board import turned as turned_twin
from reference.tables.plays import legal_plays
from tables_bridge import board_of_position

from simkit.errors import IllegalPosition
from simkit.position import parse
from simkit.rules import MoveRule, Tables
from simkit.shots import compared, fewest_hits, throws_that_hit, turned
from simkit.tables import read

POINTS, DICE = Tables(move_rule=MoveRule.MAX_POINTS), Tables(move_rule=MoveRule.MAX_DICE)
THROWS = tuple(product(range(1, 7), repeat=2))

WORKED = "22 23:2 off:12 | 5:7 6:7 24"
"""The worked position of the rule: distances 3, 2 and 2, an adverse man on distance 1 (S4; GU)."""
POSITIONS = (
    WORKED,
    "22 23:3 off:11 | bar:1 1:14",
    "20 22:2 off:12 | 1:13 21:2",
    "21 22:2 23 off:11 | 1:12 2 24:2",
    "19:2 24 off:12 | 1:11 20:2 23:2",
    "22:3 off:12 | 4:5 6:9 23",
    "23:2 off:13 | 1:14 2",
)


def hits_by_twin(board: Board, rule: str) -> int:
    """Throws of 36 with which some lawful play sends a man to the bar."""
    return sum(
        any(after.other[BAR] > board.other[BAR] for after in legal_plays(board, throw, rule))
        for throw in THROWS
    )


def fewest_by_twin(board: Board, throw: tuple[int, int], rule: str, known: dict[Board, int]) -> int:
    """Throws of 36 that hit after the lawful play of a throw that leaves the fewest."""
    found = []
    for after in legal_plays(board, throw, rule):
        if after not in known:
            over = after.own[OFF] == MEN
            known[after] = 0 if over or 1 not in after.own else hits_by_twin(turned_twin(after), rule)
        found.append(known[after])
    return min(found)


@pytest.mark.parametrize(
    ("distance", "throws"), list(enumerate((11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3), start=1))
)
def test_one_lone_man_with_nothing_between(distance: int, throws: int) -> None:
    """GU prints those that differ from trictrac; a double is played four times."""
    position = read(f"1 off:14 | {1 + distance} off:14")
    assert throws_that_hit(POINTS, position) == throws


def test_from_the_bar_and_past_closed_points() -> None:
    # He enters by his ace alone or hits by his two: either on one die of two, 20 throws of 36.
    assert throws_that_hit(POINTS, read("bar:1 off:14 | 1 2 off:13")) == 20
    # A man two points before him whose first point is closed: a two, and no double ace; 11 throws.
    assert throws_that_hit(POINTS, read("1 off:14 | 2:2 3 off:12")) == 11
    assert throws_that_hit(POINTS, read("1 off:14 | 2:15")) == 0


def test_the_worked_position() -> None:
    """By most points the ace hits and the six bears the third man off: two lone men before one who enters."""
    position = read(WORKED)
    assert fewest_hits(POINTS, position, (6, 1)) == fewest_hits(POINTS, position, (1, 6)) == 20
    assert fewest_hits(DICE, position, (6, 1)) == 0


@pytest.mark.parametrize("text", POSITIONS)
def test_every_throw_as_the_twin_plays_it(text: str) -> None:
    position = read(text)
    board = board_of_position(position)
    numbers, differ = {}, 0
    for game, rule in ((POINTS, "max_points"), (DICE, "max_dice")):
        known: dict[Board, int] = {}
        left = {throw: fewest_by_twin(board, throw, rule, known) for throw in THROWS}
        for throw, hits in left.items():
            assert fewest_hits(game, position, throw) == hits, (rule, throw)
        numbers[rule] = sum(hits > 0 for hits in left.values()), sum(left.values())
    for throw in THROWS:
        differ += legal_plays(board, throw, "max_points") != legal_plays(board, throw, "max_dice")
    one, other, apart = compared(POINTS, DICE, position)
    assert (one.forced, one.least) == numbers["max_points"]
    assert (other.forced, other.least) == numbers["max_dice"]
    assert apart == differ


def test_forced_throws_counted_by_hand() -> None:
    # An ace with another number bears one man off and brings the other to the last arrow, where an ace of the man
    # on the bar hits him: 11 throws after each of 10. All others bear both men off; none is played two ways.
    one, other, differ = compared(POINTS, DICE, read("23:2 off:13 | bar:1 1:14"))
    assert (one.forced, one.least) == (other.forced, other.least) == (10, 110)
    assert differ == 0
    quiet, _, _ = compared(POINTS, DICE, read("23:2 off:13 | 1:14 2"))  # the men have passed each other
    assert (quiet.forced, quiet.least) == (0, 0)


def test_turning_twice_is_nothing() -> None:
    position = read("22 23:2 off:12 | bar:1 5:7 6:7")
    assert turned(turned(position)) == position
    assert turned(position).mover[19] == 7  # on arrow 20


def test_no_position_at_all() -> None:
    with pytest.raises(IllegalPosition, match="fifteen"):
        throws_that_hit(POINTS, parse("1 | 2:15"))
