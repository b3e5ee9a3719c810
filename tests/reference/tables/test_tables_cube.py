"""The cube of the twin against the modern rules, and a chance reckoned by hand."""

from __future__ import annotations

import pytest

from .board import Board, side, turned
from .chance import chances, is_race, log_odds, lone_men, longest_row, offers, takes
from .cube import Cube, crawford_games, may_double, taken

WEIGHTS = dict.fromkeys(
    (
        *(
            "race_roll",
            "race_lead",
            "contact_roll",
            "contact_lead",
            "contact_off",
            "contact_bar",
            "contact_back",
        ),
        *(
            "contact_anchor",
            "contact_home",
            "contact_prime",
            "contact_lone",
            "contact_lone_other",
            "contact_shut",
        ),
    ),
    0,
)
RACE = Board(side({6: 2, 4: 1}), side({6: 3, 3: 2}))
"""16 pips against 24."""


def test_who_may_double() -> None:
    middle, owned = Cube(), taken(Cube(), 1)
    assert owned == (2, 1)
    assert not may_double(middle, 0, 32, 0, rests=False), "before the first roll"
    assert may_double(middle, 0, 32, 1, rests=False)
    assert may_double(middle, 1, 32, 1, rests=False)
    assert not may_double(middle, 0, 32, 1, rests=True)
    assert not may_double(owned, 0, 32, 5, rests=False), "it is the other's"
    assert may_double(owned, 1, 32, 5, rests=False)
    assert not may_double(owned, 1, 2, 5, rests=False), "beyond the limit"
    assert taken(owned, 0) == (4, 0)


@pytest.mark.parametrize(
    ("scores", "resting"),
    [
        ([(0, 0), (2, 0), (4, 0), (4, 1), (4, 4)], [2]),
        ([(0, 0), (3, 2), (3, 4)], [2]),
        ([(0, 0), (0, 3)], []),
    ],
)
def test_the_cube_rests_once(scores: list[tuple[int, int]], resting: list[int]) -> None:
    assert [game for game, rests in enumerate(crawford_games(scores, 5)) if rests] == resting
    assert crawford_games([(0, 0)], 1) == [True], "a game that is the whole match"


def test_a_race_reckoned_by_hand() -> None:
    assert is_race(RACE)
    weights = WEIGHTS | {"race_roll": 5000, "race_lead": 100}
    assert log_odds(weights, RACE) == 5000 + 100 * 126  # 8 / sqrt(40) = 1.265, rounded down
    assert chances(0) == 500
    assert round(chances(10_986)) == 750


def test_a_position_with_contact_by_hand() -> None:
    own = side({24: 2, 8: 1, 6: 5, 5: 3, 4: 3, 25: 1})
    other = side({20: 1, 16: 1, 6: 6, 5: 4, 3: 3})
    board = Board(own, other)
    assert not is_race(board)
    assert lone_men(board) == [8]  # where he arrives with a three from 20
    assert lone_men(turned(board)) == [20]  # our 5, before 6 and 8; his 16 is our 9, far from 24
    assert longest_row({4, 5, 6}) == 3
    only = {
        "contact_off": 0,  # 15 men each
        "contact_bar": -1,
        "contact_back": -(2 - 1),
        "contact_anchor": 1,
        "contact_home": 0,  # 4, 5, 6 against 3, 5, 6
        "contact_prime": 3 - 2,
        "contact_lone": -1,
        "contact_lone_other": 1,
        "contact_shut": -3,
    }
    for name, count in only.items():
        assert log_odds(WEIGHTS | {name: 1}, board) == count, name


def test_what_the_score_has_to_do_with_it() -> None:
    weights = WEIGHTS | {"offer_from": 700, "redouble_from": 800, "play_on_from": 1000, "take_from": 250}
    ahead = weights | {"race_roll": 11_000}  # 75 in 100
    far = (9, 9)
    assert offers(ahead, RACE, Cube(), far)
    assert not offers(ahead, RACE, Cube(2, 0), far)
    assert not offers(ahead | {"play_on_from": 720}, RACE, Cube(), far)
    assert not offers(ahead, RACE, Cube(), (1, 9)), "the game wins the match as it is"
    assert offers(weights, RACE, Cube(), (9, 1)), "the game loses the match as it is"
    assert not takes(ahead, RACE)
    assert takes(ahead | {"take_from": 249}, RACE)
