"""What a start of toutes tables or backgammon tells beside its men: score of the match, cube, and pair of games.

As text it is `2-1`, or `5-4 cube:2 owner:1 crawford:past`: points of player 1 and of player 2, then words for what
is not usual; docs/notation.md has the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from simkit.errors import UsageError, clipped
from simkit.kernel.tables.records import NOBODY
from simkit.rules import (
    STANDARD_START,
    PointMatch,
    SecondGameOpening,
    StartSelection,
    Tables,
    TripleCondition,
    start_fault,
)
from simkit.rules.points import CUBE_FACES
from simkit.tables import all_starts, start

if TYPE_CHECKING:
    from simkit.drivers.start import State
    from simkit.position import Position

FIELDS: Final = (
    "match_score",
    "cube",
    "cube_owner",
    "crawford_past",
    "game_of_start",
    "start_dice",
    "opening_roll",
)
"""The fields of a state that are of this family alone."""
MOST_POINTS: Final = 1_000
"""The most points a match may stand at; beyond those agreed it comes only by playing on at equal points."""
EXAMPLE: Final = "'2-1' or '5-4 cube:2 owner:1'"
MEANT: Final = {
    "cube": "the number on the cube, as cube:2",
    "owner": "the player who has the cube, 1 or 2",
    "crawford": "past is the only value, the game in which the cube rests being past",
    "game": "which game of its start it is, from 1",
    "threw-first": "the player who began the game, 1 or 2",
    "start": "the four dice of the start, as start:1-6-1-5",
    "opened": "the two dice of the first roll, as opened:6-1",
}
"""What each word of a score takes."""

_SCORE: Final = re.compile(r"([0-9]+)(?:-| +)([0-9]+)(?= |$)")
_WORDS: Final = {
    "cube": re.compile(r"[0-9]{1,2}"),
    "owner": re.compile(r"[12]"),
    "crawford": re.compile(r"past"),
    "game": re.compile(r"[1-9][0-9]?"),
    "threw-first": re.compile(r"[12]"),
    "start": re.compile(r"[0-9]-[0-9]-[0-9]-[0-9]"),
    "opened": re.compile(r"[0-9]-[0-9]"),
}

_LARGE: Final = re.compile(r"0*[1-9][0-9]{2,}")
"""What is too large for a word of a score that is a number."""

# ---------------------------------------------------------------- as text


def is_score(score: str) -> bool:
    """Tell whether a text begins as the score of a match to points does."""
    return bool(_SCORE.match(score.strip()))


def is_below_nought(score: str) -> bool:
    """Tell whether a number of a score has a sign before it."""
    return bool(re.search(r"(?:^|[\s:-])-[0-9]", score))


def parsed_score(score: str) -> dict[str, Any]:
    """Read the score of a match to points as the fields of a state that it sets.

    Raises
    ------
    UsageError
        The text is none.
    """
    points = _SCORE.match(score.strip())
    if not points:
        raise UsageError(
            f"score '{clipped(score)}': points of player 1 and of player 2 come first, as {EXAMPLE}"
        )
    if max(len(points[side].lstrip("0")) for side in (1, 2)) > len(str(MOST_POINTS)):
        raise UsageError(
            f"score '{clipped(score)}': '{clipped(points[0])}' is too large; points are at most {MOST_POINTS}"
        )
    words: dict[str, str] = {}
    for item in score.strip()[points.end() :].split():
        name, _, value = item.partition(":")
        if name in _WORDS and not _WORDS[name].fullmatch(value):
            large = " is too large" if name in _NUMBERS and _LARGE.fullmatch(value) else ""
            raise UsageError(f"score '{clipped(score)}': '{clipped(item)}'{large}; {MEANT[name]}")
        if name not in _WORDS:
            raise UsageError(
                f"score '{clipped(score)}': '{clipped(item)}' is none of cube:2, owner:1, crawford:past, game:1, "
                "threw-first:2, start:1-6-1-5, opened:6-1"
            )
        if name in words:
            raise UsageError(f"score '{score}': {name} is given twice")
        words[name] = value
    if "threw-first" in words and "game" not in words:
        raise UsageError(
            f"score '{score}': threw-first says who began a game of its start; say which, as game:1"
        )
    found: dict[str, Any] = {"match_score": (int(points[1]), int(points[2]))}
    found |= {field: int(words[name]) for name, field in _NUMBERS.items() if name in words}
    found |= {field: int(words[name]) - 1 for name, field in _PLAYERS.items() if name in words}
    found |= {
        field: tuple(map(int, words[name].split("-"))) for name, field in _DICE.items() if name in words
    }
    return found | ({"crawford_past": True} if "crawford" in words else {})


_NUMBERS: Final = {"cube": "cube", "game": "game_of_start"}
_PLAYERS: Final = {"owner": "cube_owner", "threw-first": "first_player"}
_DICE: Final = {"start": "start_dice", "opened": "opening_roll"}


def score_words(state: State) -> str:
    """Write the score of a match to points; `parsed_score` reads it."""
    one, two = state.match_score
    words = [f"{one}-{two}"]
    if state.cube != 1:
        words.append(f"cube:{state.cube}")
    if state.cube_owner != NOBODY:
        words.append(f"owner:{state.cube_owner + 1}")
    if state.crawford_past:
        words.append("crawford:past")
    if state.game_of_start:
        words.append(f"game:{state.game_of_start}")
        if state.first_player != state.roller:
            words.append(f"threw-first:{state.first_player + 1}")
    if state.start_dice is not None:
        words.append(f"start:{'-'.join(map(str, state.start_dice))}")
    if state.opening_roll is not None:
        words.append(f"opened:{'-'.join(map(str, state.opening_roll))}")
    return " ".join(words)


def told(state: State) -> bool:
    """Tell whether a state says anything that is of this family alone."""
    return (
        state.match_score != (0, 0)
        or (state.cube, state.cube_owner, state.crawford_past) != (1, NOBODY, False)
        or bool(state.game_of_start)
        or state.start_dice is not None
        or state.opening_roll is not None
    )


# ---------------------------------------------------------------- what it comes to


def who_began(state: State) -> int:
    """Who threw first in the game: who is to roll, unless the state says which game of its start it is."""
    return state.first_player if state.game_of_start else state.roller


def game_of(state: State, match: PointMatch) -> int:
    """Which game of its start is under way, from 1: said, or the only one that the score allows; 0 if neither.

    Where several can be and the last is none of them, it is the latest that can. A match at 0-0 tells nothing.
    """
    if state.game_of_start or state.match_score == (0, 0):
        return state.game_of_start
    return _allowed(state.match_score, match)


@cache
def _allowed(score: tuple[int, int], match: PointMatch) -> int:
    last = match.games_per_start
    fitting = [game for game in range(1, last + 1) if _may_follow(score, match, game)]
    return 0 if not fitting or (fitting[-1] == last and len(fitting) > 1) else fitting[-1]


def games_before(state: State, match: PointMatch) -> int:
    """Games of its start that were played before this one; where nothing tells, it is the last played from it."""
    return (game_of(state, match) or match.games_per_start) - 1


def has_rested(state: State, match: PointMatch) -> bool:
    """Tell whether the game in which the cube rests is past: said so, or both have one point to go."""
    return state.crawford_past or (
        match.match_points > 1 and state.match_score == (match.match_points - 1,) * 2
    )


def start_of(state: State, game: Tables) -> tuple[int, ...] | None:
    """The dice of the start that a game began from: said, or told by the rules or the men; None if unknown."""
    if state.start_dice is not None:
        return state.start_dice
    if game.start_selection is not StartSelection.RANDOM_225:
        return game.fixed_start or STANDARD_START
    return _starts().get(state.position)


def opens(state: State) -> bool:
    """Tell whether the roll to come is the first of its game: the men at a start, nobody having doubled."""
    return state.cube == 1 and state.roller == who_began(state) and state.position in _starts()


@cache
def _starts() -> Mapping[Position, tuple[int, ...]]:
    return {start(*dice): dice for dice in all_starts()}


# ---------------------------------------------------------------- what cannot be


def type_faults(state: State) -> Iterator[str]:
    """Say what is no state at all."""
    score = state.match_score
    if not isinstance(score, tuple) or len(score) != 2 or not all(type(one) is int for one in score):
        yield f"match_score {score!r}: two whole numbers, of players 1 and 2"
    for name in ("cube", "cube_owner", "game_of_start"):
        if type(getattr(state, name)) is not int:
            yield f"{name} {getattr(state, name)!r} is no whole number"
    if type(state.crawford_past) is not bool:
        yield f"crawford_past {state.crawford_past!r} is no truth value"
    for name, count in (("start_dice", 4), ("opening_roll", 2)):
        dice = getattr(state, name)
        if dice is not None and not (
            isinstance(dice, tuple)
            and len(dice) == count
            and all(type(die) is int and 1 <= die <= 6 for die in dice)
        ):
            yield f"{name} {dice!r}: {'four' if count == 4 else 'two'} numbers from 1 to 6"


def faults(state: State, game: Tables, match: PointMatch) -> Iterator[str]:
    """Say what no match to points leads to in score, cube and games of a start."""
    score = f"match score {_written(state.match_score)}"
    if min(state.match_score) < 0:
        yield f"{score}: none is below zero"
        return
    if max(state.match_score) > MOST_POINTS:
        yield f"{score}: at most {MOST_POINTS}"
        return
    if not 0 <= state.game_of_start <= match.games_per_start:
        serves = f"a start serves {_counted(match.games_per_start, 'game')} (match.games_per_start)"
        yield f"game {state.game_of_start} of its start: {serves}"
        return
    yield from (f"{score}: {problem}" for problem in _score_faults(state, match))
    yield from _pair_faults(state, game, match)
    yield from _cube_faults(state, match)


def _written(pair: tuple[int, int]) -> str:
    return f"{pair[0]}-{pair[1]}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def most_of_a_game(match: PointMatch) -> int:
    """The most points that one game may bring."""
    single = 2 if match.triple_condition is TripleCondition.NONE else 3
    return single * (match.cube_limit if match.cube else 1)


def _score_faults(state: State, match: PointMatch) -> Iterator[str]:
    """Say why a match does not stand so before one of its games."""
    over, most = match.match_points, most_of_a_game(match)
    if match.match_end_mid_pair and max(state.match_score) >= over:
        single = "; a match to one point is a single game, and has no score before it" if over == 1 else ""
        yield f"the match is over with {over} (match.match_points); a start is before that{single}"
        return
    games = [state.game_of_start] if state.game_of_start else range(1, match.games_per_start + 1)
    if max(state.match_score) >= over and not any(_may_follow(state.match_score, match, k) for k in games):
        yield (
            f"the match is over with {over} (match.match_points) once the games of a start are played out, and "
            f"{_counted(max(games) - 1, 'game')} of this start, of {_counted(most, 'point')} at most, lead to no "
            "more"
        )
        return
    if state.game_of_start and not _may_follow(state.match_score, match, state.game_of_start):
        yield (
            f"before game {state.game_of_start} from a start nobody stands so: a start serves "
            f"{_counted(match.games_per_start, 'game')} (match.games_per_start), and each brings 1 to "
            f"{_counted(most, 'point')}"
        )


def _may_follow(score: tuple[int, int], match: PointMatch, game: int) -> bool:
    """Tell whether some games lead to a score, the next being this one of its start, counted from 1."""
    if max(score) < match.match_points:
        return _won_in(score, match, game - 1, match.games_per_start)
    return _from_a_new_start(score, match, game - 1)


@cache
def _from_a_new_start(score: tuple[int, int], match: PointMatch, games: int) -> bool:
    """Tell whether so many games lead to a score from where the match stood, not over, with a new start."""
    if not games:
        return _is_with_a_new_start(score, match)
    far = games * most_of_a_game(match)
    lower = [range(max(0, own - far), min(own, match.match_points - 1) + 1) for own in score]
    alike = ((both, both) for both in range(max(match.match_points, max(score) - far), min(score) + 1))
    return any(
        _won_in((score[0] - one, score[1] - two), match, games) and _is_with_a_new_start((one, two), match)
        for one, two in (*product(*lower), *alike)
    )


def _is_with_a_new_start(score: tuple[int, int], match: PointMatch) -> bool:
    """Tell whether a match stands so, and is not over, when all games of a start have been played."""
    if max(score) < match.match_points:
        return _won_in(score, match, 0, match.games_per_start)
    return score[0] == score[1] and _from_a_new_start(score, match, match.games_per_start)


def _won_in(points: tuple[int, int], match: PointMatch, games: int, more: int = 0) -> bool:
    """Tell whether both can win so many points in so many games, or in `more` again and again besides."""
    fewest, most = sum(_fewest_games(own, match) for own in points), sum(points)
    return any(played >= fewest for played in range(games, most + 1, more or most + 1))


@cache
def _fewest_games(points: int, match: PointMatch) -> int:
    """In how few games a player can win so many points; any more will do, as far as there are points for them."""
    faces = (1, *(face for face in CUBE_FACES if match.cube and face <= match.cube_limit))
    single = 2 if match.triple_condition is TripleCondition.NONE else 3
    worths = [kind * face for kind in range(1, single + 1) for face in faces]
    fewest = [0]
    for now in range(1, points + 1):
        fewest.append(1 + min(fewest[now - worth] for worth in worths if worth <= now))
    return fewest[points]


def _pair_faults(state: State, game: Tables, match: PointMatch) -> Iterator[str]:
    """Say what does not go together about the start of a game and its further games."""
    if state.start_dice is not None and (fault := start_fault(state.start_dice)):
        yield fault
        return
    game_no = game_of(state, match)
    again = games_before(state, match) < match.games_per_start - 1
    if not again:
        if state.start_dice is not None or state.opening_roll is not None:
            yield (
                "start and opened tell how a further game from the same start begins; "
                + (
                    f"game {game_no} is the last from it (match.games_per_start)"
                    if game_no
                    else "say with game:1 that there is one"
                )
            )
        return
    known = start_of(state, game)
    if known is None:
        yield (
            f"game {game_no} of {match.games_per_start} from its start{_as_it_stands(state)}: the next begins "
            "from that start again, and nothing tells which it is; add it as start:1-6-1-5"
        )
    elif game.start_selection is not StartSelection.RANDOM_225 and known != (
        game.fixed_start or STANDARD_START
    ):
        yield (
            f"start {'-'.join(map(str, known))}: every game begins from "
            f"{'-'.join(map(str, game.fixed_start or STANDARD_START))} (game.start_selection "
            f"{game.start_selection.value})"
        )
    same = match.second_game_opening is SecondGameOpening.SAME_ROLL_AS_FIRST
    if same and state.opening_roll is None and not opens(state):
        yield (
            f"game {game_no} of {match.games_per_start} from its start{_as_it_stands(state)}: the next opens with "
            "the same roll (match.second_game_opening), and nothing tells which it was; add it as opened:6-1"
        )
    if state.opening_roll is not None and (not same or opens(state)):
        yield (
            "opened: the roll is still to come"
            if same
            else f"opened: no further game opens with that roll (match.second_game_opening "
            f"{match.second_game_opening.value})"
        )


def _as_it_stands(state: State) -> str:
    """Say that the score tells which game of its start it is, where nobody said it."""
    return "" if state.game_of_start else f", which {_written(state.match_score)} tells"


def _cube_faults(state: State, match: PointMatch) -> Iterator[str]:
    """Say how no cube lies."""
    if not match.cube:
        if (state.cube, state.cube_owner, state.crawford_past) != (1, NOBODY, False):
            yield "cube, its owner and crawford need the doubling cube, which is not used (match.cube false)"
        return
    if state.cube_owner not in (NOBODY, 0, 1):
        yield f"cube owner {state.cube_owner}: 0, 1, or {NOBODY} for nobody"
    if state.cube not in (1, *(face for face in CUBE_FACES if face <= match.cube_limit)):
        yield f"cube {state.cube}: 1, or a double up to {match.cube_limit} (match.cube_limit)"
    elif state.cube > 1 and state.cube_owner == NOBODY:
        yield f"cube {state.cube}: whoever took the last double owns it; add owner:1 or owner:2"
    elif state.cube == 1 and state.cube_owner != NOBODY:
        yield f"cube 1 of player {state.cube_owner + 1}: before the first double it is nobody's"
    to_go = min(match.match_points - points for points in state.match_score)
    if state.crawford_past and not match.crawford:
        yield "crawford: the cube rests in no game (match.crawford false)"
    elif state.crawford_past and (to_go != 1 or min(state.match_score) == 0):
        yield (
            f"crawford:past at {_written(state.match_score)} of {match.match_points}: the game in which the cube "
            "rests is past only when somebody has one point to go and the other has won it"
        )
    elif match.crawford and to_go == 1 and state.cube > 1 and not has_rested(state, match):
        yield (
            f"cube {state.cube} at {_written(state.match_score)} of {match.match_points}: the cube rests in the "
            "first game with one point to go (match.crawford); if that is past, add crawford:past"
        )
