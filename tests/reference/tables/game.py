"""Whole games and matches, from the first draw to the last man borne off (III.2, III.3, III.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from .board import BAR, MEN, OFF, Board, all_home, pips
from .cube import Cube, crawford_games, may_double, taken
from .going_on import UnderWay
from .match import draw_first, first_of_game, game_points, match_end, opening_roll
from .plays import legal_plays
from .starts import Start, all_starts, board_of

Dice = tuple[int, int]


class Source(Protocol):
    """Where dice and choices come from; games are counted from 0, players are 0 and 1."""

    def placing(self, game: int, which: int) -> Iterator[Dice]:
        """Throws for the first or second pair of numbers of a start."""

    def drawing(self, game: int) -> Iterator[Dice]:
        """Throws of one die each for the first throw; also what a game that must not open with a double throws."""

    def roll(self, game: int, player: int, number: int) -> Dice:
        """A player's roll, numbered from 0 with those that were known before they were thrown."""

    def choose(self, game: int, player: int, number: int, board: Board, dice: Dice) -> Board:
        """The play he takes."""

    def offers(self, player: int, board: Board, cube: Cube, needed: tuple[int, int]) -> bool:
        """Whether a player about to throw doubles; `needed`, points he and the other need to win the match."""

    def takes(self, player: int, board: Board) -> bool:
        """Whether a player takes a double of the other, whose men come first on the board."""


class Doubles(Protocol):
    """Who doubles and takes in one game."""

    def __call__(self, player: int, board: Board, cube: Cube) -> bool | None:
        """What comes of a chance to double: None if he does not; whether the other takes, if he does."""


def never(player: int, board: Board, cube: Cube) -> bool | None:
    """Nobody doubles."""
    return None


def play_game(
    start: Start,
    first: int,
    known: Dice | None,
    roll: Callable[[int, int], Dice],
    choose: Callable[[int, int, Board, Dice], Board],
    rules: Mapping[str, Any],
    doubles: Doubles = never,
    *,
    cube_rests: bool = True,
    under_way: UnderWay | None = None,
) -> dict[str, Any]:
    """Play one game; `known` is the first roll if it is not to be thrown. In the row players are 1 and 2.

    In a game under way that is past its opening who is to throw may double, but not once his roll is known;
    its row tells no start.
    """
    men = [board_of(start).own, board_of(start).other]
    number, hits, who, opening = [0, 0], [0, 0], first, known
    cube, dropped, earlier = Cube(), False, 0
    if under_way:
        who, cube, start = under_way.roller, under_way.cube, Start(0, 0, 0, 0)
        earlier = int(under_way.opened)
        men[who], men[1 - who] = under_way.board
    while True:
        rolled = 0 if known else earlier + sum(number)
        if may_double(cube, who, rules.get("cube_limit", 1), rolled, rests=cube_rests):
            answer = doubles(who, Board(men[who], men[1 - who]), cube)
            if answer is False:
                dropped = True
                break
            if answer:
                cube = taken(cube, 1 - who)
        dice = known or roll(who, number[who])
        opening, known = opening or dice, None
        board = Board(men[who], men[1 - who])
        after = choose(who, number[who], board, dice)
        assert after in legal_plays(board, dice, rules["move_rule"], rules["doubles_played"])
        number[who] += 1
        hits[who] += after.other[BAR] - board.other[BAR]
        men[who], men[1 - who] = after
        if after.own[OFF] == MEN:
            break
        who = 1 - who
    return {
        **{f"start_{letter}": die for letter, die in zip("abcd", start, strict=True)},
        "first_player": first + 1,
        "winner": who + 1,
        "points": cube.value
        * (1 if dropped else game_points(men[1 - who], rules["double_condition"], rules["triple_condition"])),
        "opening_1": opening[0] if opening else 0,
        "opening_2": opening[1] if opening else 0,
        "rolls": sum(number),
        **{f"hits_{side + 1}": hits[side] for side in (0, 1)},
        **{f"pips_left_{side + 1}": pips(men[side]) for side in (0, 1)},
        **{f"off_{side + 1}": men[side][OFF] for side in (0, 1)},
        **{f"all_home_{side + 1}": all_home(men[side]) for side in (0, 1)},
        "truncated": False,
        "cube": cube.value,
        "cube_owner": 0 if cube.owner is None else cube.owner + 1,
        "ended_by": "drop" if dropped else "win",
    }


def play_match(
    rules: Mapping[str, Any], source: Source, under_way: UnderWay | None = None
) -> list[dict[str, Any]]:
    """Play games until the match is over, from its beginning or from a game under way; one row per game."""
    per_start, rows = rules["games_per_start"], []
    under_way = under_way.placed(rules) if under_way else None
    start, first_throw = rules["fixed_start"], None
    before = under_way.before(per_start) if under_way else 0
    beginners = under_way.beginners(per_start) if under_way else []
    score, past = (0, 0), False
    if under_way:
        score, past = under_way.score, under_way.rested(rules["match_points"])
    while True:
        game = len(rows)
        place = before + game
        known: Dice | None = None
        going_on = under_way if game == 0 else None
        if place % per_start == 0 and not going_on and rules["start_selection"] == "random_225":
            numbers = [sorted(until_different(source.placing(game, which))) for which in (0, 1)]
            start = Start(*numbers[0], *numbers[1])
        first = (
            first_of_game(
                place,
                per_start,
                rules["pair_first_starter"],
                [*beginners, *(row["first_player"] - 1 for row in rows)],
                [row["winner"] - 1 for row in rows],
            )
            if not going_on
            else going_on.first
        )
        drawing = source.drawing(game)
        if going_on:
            known = going_on.known
        elif first is None:
            first, known = drawn(rules, drawing)
        elif place % per_start and rules["second_game_opening"] != "fresh_throw":
            assert first_throw is not None
            known = opening_roll(rules["second_game_opening"], first_throw, drawing.__next__)

        def roll(player: int, number: int, game: int = game) -> Dice:
            return source.roll(game, player, number)

        def choose(player: int, number: int, board: Board, dice: Dice, game: int = game) -> Board:
            return source.choose(game, player, number, board, dice)

        scores = [score_before(rows, one, score) for one in range(game + 1)]
        resting = crawford_games(scores, rules["match_points"], past=past)
        rests = not rules["cube"] or (rules["crawford"] and resting[-1])
        needed = [rules["match_points"] - won for won in scores[-1]]
        if not rules["match_end_mid_pair"]:  # nobody is near the end
            needed = [1000, 1000]

        def doubles(player: int, board: Board, cube: Cube, needed: list[int] = needed) -> bool | None:
            if not source.offers(player, board, cube, (needed[player], needed[1 - player])):
                return None
            return source.takes(1 - player, board)

        row = play_game(
            start, first, known, roll, choose, rules, doubles, cube_rests=rests, under_way=going_on
        )
        first_throw = row["opening_1"], row["opening_2"]
        if going_on:
            if rules["start_selection"] == "random_225":  # else the rules tell the start
                start = going_on.start or start_of(going_on.board) or start
            first_throw = going_on.opening or first_throw
        rows.append({"set_no": game + 1} | row)
        results = [(one["winner"] - 1, one["points"]) for one in rows]
        end = match_end(results, rules["match_points"], per_start, rules["match_end_mid_pair"], score, before)
        if end.winner is not None:
            return rows


def score_before(rows: list[dict[str, Any]], game: int, score: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """Points of both players before a game, counted from 0, in a match that began with a score."""
    one, two = (sum(row["points"] for row in rows[:game] if row["winner"] == who) for who in (1, 2))
    return score[0] + one, score[1] + two


def start_of(board: Board) -> Start | None:
    """The start at which the men still stand."""
    return next((start for start in all_starts() if board_of(start) == board), None)


def until_different(throws: Iterator[Dice]) -> Dice:
    return next(dice for dice in throws if dice[0] != dice[1])


def drawn(rules: Mapping[str, Any], drawing: Iterator[Dice]) -> tuple[int, Dice | None]:
    """Who begins after a draw, and his first roll unless he throws it anew."""
    if rules["first_roll_method"] == "draw_is_first_throw":
        return draw_first("draw_is_first_throw", drawing.__next__)
    first, _ = draw_first("draw_then_throw", drawing.__next__)
    return first, None
