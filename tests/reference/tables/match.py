"""Above the roll: what a game is worth, and the match (III.6, III.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .board import BAR, HOME, OFF, Side, all_home


def is_double(off: int, home: bool, double_condition: str) -> bool:
    """Whether the winner's game counts double, by what the loser has borne off and whether all are home."""
    if double_condition == "off0_and_not_all_home":
        return off == 0 and not home
    if double_condition == "off0":
        return off == 0
    assert double_condition == "off0_or_not_all_home"
    return off == 0 or not home


def is_triple(loser: Side, triple_condition: str) -> bool:
    """Modern backgammon: nobody off, and still a man on the bar or in the winner's return jan."""
    if triple_condition == "none":
        return False
    assert triple_condition == "bar_or_in_winner_home"
    in_winner_home = any(loser[25 - distance] for distance in range(1, HOME + 1))
    return loser[OFF] == 0 and (loser[BAR] > 0 or in_winner_home)


def game_points(loser: Side, double_condition: str, triple_condition: str = "none") -> int:
    """1, 2 or 3 points to the winner."""
    if is_triple(loser, triple_condition):
        return 3
    return 2 if is_double(loser[OFF], all_home(loser), double_condition) else 1


def start_numbers(games: int, games_per_start: int) -> list[int]:
    """Which start, counted from 0, each game is played from."""
    return [game // games_per_start for game in range(games)]


class MatchEnd(NamedTuple):
    """`winner` is None while nobody has the points."""

    winner: int | None
    games: int
    score: tuple[int, int]


def match_end(
    results: Iterable[tuple[int, int]],
    match_points: int,
    games_per_start: int = 1,
    match_end_mid_pair: bool = True,
    score_before: tuple[int, int] = (0, 0),
    games_before: int = 0,
) -> MatchEnd:
    """Play a list of (winner 0 or 1, points) until the match is over.

    A match may go on from a score, with games of its start played before.

    Without `match_end_mid_pair` a start is played out before the score is looked at; a match that is then equal
    goes on with the next start.
    """
    score, games = list(score_before), 0
    for winner, points in results:
        score[winner] += points
        games += 1
        if not match_end_mid_pair and (games_before + games) % games_per_start:
            continue
        if max(score) >= match_points and score[0] != score[1]:
            return MatchEnd(0 if score[0] > score[1] else 1, games, (score[0], score[1]))
    return MatchEnd(None, games, (score[0], score[1]))


def first_of_game(
    game: int,
    games_per_start: int,
    pair_first_starter: str,
    starters: Sequence[int],
    winners: Sequence[int],
) -> int | None:
    """Who begins game number `game`, from 0; None where a draw decides.

    Within a start the players begin in turn. The first game of a start after the first one goes by
    `pair_first_starter`; that of the match is always drawn.
    """
    if game % games_per_start:
        return 1 - starters[-1]
    if game == 0 or pair_first_starter == "draw":
        return None
    return {"alternate": 1 - starters[-games_per_start], "loser": 1 - winners[-1], "winner": winners[-1]}[
        pair_first_starter
    ]


Throw = Callable[[], tuple[int, int]]


def opening_roll(second_game_opening: str, first_game_roll: tuple[int, int], throw: Throw) -> tuple[int, int]:
    """The first roll of the second game from a start, whose beginner is known."""
    if second_game_opening == "same_roll_as_first":
        return first_game_roll
    roll = throw()
    while second_game_opening == "non_double" and roll[0] == roll[1]:
        roll = throw()
    return roll


def draw_first(first_roll_method: str, throw: Throw) -> tuple[int, tuple[int, int]]:
    """Who begins, and his first roll: each throws a die, equal dice again (III.3)."""
    dice = throw()
    while dice[0] == dice[1]:
        dice = throw()
    first = 0 if dice[0] > dice[1] else 1
    return first, dice if first_roll_method == "draw_is_first_throw" else throw()
