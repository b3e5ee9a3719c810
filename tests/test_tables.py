"""Toutes tables by hand: starts, plays of a roll, the end of a game; the numbers are those of the sources."""

from __future__ import annotations

from itertools import product

import pytest

from simkit import tables
from simkit.errors import IllegalPosition, UsageError
from simkit.position import Position, mirrored, parse, write
from simkit.rules import DoubleCondition, MoveRule, PointMatch, Tables, TripleCondition

MOST_POINTS, MOST_DICE = Tables(), Tables(move_rule=MoveRule.MAX_DICE)
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def plays(position: str, dice: tuple[int, int], game: Tables = MOST_POINTS) -> set[str]:
    return {str(play) for play in tables.legal_plays(game, tables.read(position), dice)}


def test_there_are_225_starts_alike_for_both() -> None:
    starts = tables.all_starts()
    assert len(set(starts)) == len(starts) == 225
    assert starts[0] == (1, 2, 1, 2)
    assert starts[-1] == (5, 6, 5, 6)
    assert list(starts) == sorted(starts)
    placed = [tables.start(*dice) for dice in starts]
    assert len({str(position) for position in placed}) == 225
    assert all(mirrored(position) == position for position in placed)
    for (a, b, c, d), position in zip(starts, placed, strict=True):
        tables.check(position)
        assert tables.pips(position) == (149 - 2 * a + 5 * b + 5 * c - 3 * d,) * 2


def test_the_standard_start_is_1_6_1_5() -> None:
    assert str(tables.start(1, 6, 1, 5)) == "1:2 12:5 17:3 19:5 | 6:5 8:3 13:5 24:2"


def first_plays(dice: tables.Start) -> float:
    position = tables.start(*dice)
    counts = [len(tables.legal_plays(MOST_POINTS, position, roll)) for roll in ROLLS if roll[0] != roll[1]]
    return sum(counts) / len(counts)


def test_plays_of_a_first_roll() -> None:
    assert first_plays((1, 6, 1, 5)) == pytest.approx(12.7, abs=0.05)
    assert first_plays((1, 2, 1, 6)) == pytest.approx(7.0, abs=0.05)
    assert first_plays((1, 6, 4, 5)) == pytest.approx(13.9, abs=0.05)


@pytest.mark.parametrize(
    "dice", [(2, 3, 3, 6), (2, 4, 3, 6), (2, 5, 3, 6), (3, 4, 3, 5), (3, 5, 3, 5), (4, 5, 3, 4)]
)
def test_double_five_cannot_be_played_from_six_starts(dice: tables.Start) -> None:
    position = tables.start(*dice)
    assert tables.legal_plays(MOST_POINTS, position, (5, 5)) == (position,)


def test_of_six_five_only_the_six_can_be_played_in_4_5_3_4() -> None:
    position = tables.start(4, 5, 3, 4)
    for play in tables.legal_plays(MOST_POINTS, position, (6, 5)):
        assert tables.pips(play)[0] == tables.pips(position)[0] - 6


def test_the_ace_must_hit_before_the_six_takes_a_man_off() -> None:
    """The worked position of the article: four points travelled against three."""
    position = "22 23:2 off:12 | 24 12:14"
    hit = "23 24 off:13 | bar:1 12:14"
    assert plays(position, (6, 1)) == {hit}
    assert plays(position, (6, 1), MOST_DICE) == {hit, "23:2 off:13 | 12:14 24"}


def test_a_farther_man_who_is_blocked_lets_nobody_off() -> None:
    """A double three whose landing point is held is lost (Guiton's backgammon)."""
    position = "19 23 off:13 | 22:2 12:13"
    assert plays(position, (3, 3)) == {"19 23 off:13 | 12:13 22:2"}


def test_the_last_man_home_lets_the_other_number_bear_off() -> None:
    position = "18 24:2 off:12 | 1:15"
    assert "19 24 off:13 | 1:15" in plays(position, (1, 1), Tables(doubles_played=2))
    assert plays(position, (6, 1)) == {"24:2 off:13 | 1:15"}


def test_men_on_the_bar_come_first() -> None:
    assert plays("bar:2 24:13 | 1:2 2:2 3:2 4:2 5:2 13:5", (6, 5)) == {
        "bar:1 6 24:13 | 1:2 2:2 3:2 4:2 5:2 13:5"
    }
    shut = "bar:1 24:14 | 1:2 2:2 3:2 4:2 5:2 6:2 13:3"
    assert all(plays(shut, dice) == {write(parse(shut))} for dice in ROLLS)


@pytest.mark.parametrize(("open_points", "rolls"), [*enumerate((11, 20, 27, 32, 35, 36), 1)])
def test_rolls_that_enter_against_open_points(open_points: int, rolls: int) -> None:
    closed = " ".join(f"{arrow}:2" for arrow in range(open_points + 1, 7))
    kept = 15 - 2 * (6 - open_points)
    position = f"bar:1 24:14 | {closed} 13:{kept}"
    entered = sum(
        all("bar" not in play.partition("|")[0] for play in plays(position, dice))
        for dice in product(range(1, 7), repeat=2)
    )
    assert entered == rolls


@pytest.mark.parametrize(("distance", "rolls"), [*enumerate((11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3), 1)])
def test_rolls_that_reach_a_lone_man(distance: int, rolls: int) -> None:
    """Doubles are played four times, unlike in trictrac; nothing stands in the way."""
    position = f"1 20:14 | {1 + distance} 24:14"
    hit = sum(
        any("bar:1" in play for play in plays(position, dice)) for dice in product(range(1, 7), repeat=2)
    )
    assert hit == rolls


def test_doubles_are_played_as_often_as_the_rules_say() -> None:
    position = tables.read("1 19:14 | 24:15")
    for times in range(1, 5):
        found = tables.legal_plays(Tables(doubles_played=times), position, (1, 1))
        assert {tables.pips(position)[0] - tables.pips(play)[0] for play in found} == {times}


@pytest.mark.parametrize(
    ("loser", "points"),
    [  # by off0_and_not_all_home, off0, off0_or_not_all_home, with the triple game
        ("1:14 7", (2, 2, 2, 2)),
        ("1:15", (1, 2, 2, 2)),
        ("1:14 off:1", (1, 1, 1, 1)),
        ("1:13 7 off:1", (1, 1, 2, 1)),
        ("1:14 19", (2, 2, 2, 3)),
        ("1:14 bar:1", (2, 2, 2, 3)),
        ("1:13 19 off:1", (1, 1, 2, 1)),
    ],
)
def test_what_a_game_counts(loser: str, points: tuple[int, ...]) -> None:
    position = parse(f"24 off:14 | {loser}")
    matches = [PointMatch(double_condition=condition) for condition in DoubleCondition]
    triple = PointMatch(
        double_condition=DoubleCondition.OFF0, triple_condition=TripleCondition.BAR_OR_IN_WINNER_HOME
    )
    assert tuple(tables.points_of_win(match, position) for match in (*matches, triple)) == points


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1:15 | 24:14", "the other has 14 men"),
        ("1:14 bar:2 | 24:15", "the mover has 16 men"),
        ("1:14 2 | 2 24:14", "both sides stand on 2"),
        ("off:15 | 24:15", "the game is over"),
        (
            "bar:1 19:2 20:2 21:2 22:2 23:2 24:4 | bar:1 1:2 2:2 3:2 4:2 5:2 6:4",
            "nobody could ever move",
        ),
        ("1:15", "a position is written"),
    ],
)
def test_positions_that_cannot_be(text: str, words: str) -> None:
    with pytest.raises(IllegalPosition, match=words):
        tables.read(text)


@pytest.mark.parametrize("dice", [(1, 1, 2, 3), (2, 1, 3, 4), (1, 2, 3, 7)])
def test_starts_that_cannot_be(dice: tuple[int, int, int, int]) -> None:
    with pytest.raises(UsageError, match="four dice a < b and c < d from 1 to 6"):
        tables.start(*dice)


def test_dice_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="two numbers from 1 to 6 are a roll"):
        tables.legal_plays(MOST_POINTS, tables.start(1, 6, 1, 5), (0, 7))


def test_notation_with_the_bar_comes_back() -> None:
    text = "bar:2 3 20:10 off:2 | bar:1 7:13 off:1"
    assert write(parse(text)) == text
    assert parse(text) == Position(
        parse("3 20:10 | 7:13").mover, parse("3 20:10 | 7:13").other, (2, 1), (2, 1)
    )


def test_trictrac_has_no_bar() -> None:
    from simkit.position import read

    with pytest.raises(IllegalPosition, match="trictrac has no bar"):
        read("bar:1 1:14 | 24:15")
