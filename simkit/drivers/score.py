"""Scores as text: holes, points and ledger of a unit under way, beside the notation of its men.

A score is written `3:4b 2:8`: player 1 has 3 holes and 4 points in bredouille, player 2 has 2 holes and 8 points.
Words after the two say the rest where it is not what is usual; docs/notation.md has the list. The score of a match
to points, `2-1`, is read and written by `simkit.drivers.tables_state`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from simkit.drivers import tables_state
from simkit.drivers.start import AT_THE_TALONS, FIRST_ROLLS, MOST_HOLES, State
from simkit.errors import UsageError, clipped
from simkit.kernel.records import BROKEN, INTACT, NO_RUN
from simkit.position import Position, check_roll_number

LATER_ROLLS: Final = (FIRST_ROLLS, FIRST_ROLLS)
"""Rolls taken for played where nothing is said of men under way: all that a jan of the first rolls needs."""

_SIDE: Final = re.compile(r"([0-9]+):([0-9]+)(b?)")
_LARGE_SIDE: Final = re.compile(r"0*[1-9][0-9]{4,}:.*|[0-9]+:0*[1-9][0-9]{2,}b?")
_WORDS: Final = {
    "run": re.compile(r"[12]"),
    "picked-up": re.compile(r"1|2|1,2"),
    "do-overs": re.compile(r"[0-9]{1,2}"),
    "rolls": re.compile(r"[0-9]{1,5},[0-9]{1,5}"),
    "threw-first": re.compile(r"[12]"),
    "scored-first": re.compile(r"[12]"),
}

_LARGE: Final = {
    "do-overs": re.compile(r"[0-9]{3,}"),
    "rolls": re.compile(r"[0-9]{6,},[0-9]+|[0-9]+,[0-9]{6,}"),
}
"""What is too large for a word of a score."""
_MEANT: Final = {
    "run": "the player whose run of holes is whole, 1 or 2",
    "picked-up": "the players who have picked up in this set: 1, 2 or 1,2",
    "do-overs": "how often the set has been done over, a number from 0 to 99",
    "rolls": "the rolls of player 1 and of player 2 so far, as rolls:4,3",
    "threw-first": "the player who threw first, 1 or 2",
    "scored-first": "the player who scored first, 1 or 2",
}
"""What each word of a score takes."""


def read_state(
    position: Position,
    score: str = "",
    *,
    to_roll: int = 1,
    roll_number: int | None = None,
    dice: tuple[int, int] | None = None,
) -> State:
    """Return the state that a position and a score describe; whether it can be, `check_state` tells.

    Parameters
    ----------
    position
        The men, seen by the player who is to roll.
    score
        In the notation of docs/notation.md; nothing scored if empty.
    to_roll
        Who is to roll, 1 or 2.
    roll_number
        Which roll of his this is since the men started, from 1. The other has then rolled once less, or as
        often where he threw first.
    dice
        The next roll, if it is given.

    Raises
    ------
    UsageError
        The score is none, or two parts of it contradict each other, or fewer rolls came before than the men
        have needed.
    """
    if to_roll not in (1, 2):
        raise UsageError(f"player {to_roll} cannot be the one to roll; the players are 1 and 2")
    roller = to_roll - 1
    if tables_state.is_score(score):
        if roll_number is not None:
            raise UsageError(
                f"score '{score}' and roll number {roll_number}: rolls are counted in trictrac alone"
            )
        fields = {"first_player": roller} | tables_state.parsed_score(score)
        return State(position, roller, rolls_of=_usual_rolls(position), dice=dice, **fields)
    first_side, second_side, words = _parsed(score)
    holes = first_side[0], second_side[0]
    first_player = int(words["threw-first"]) - 1 if "threw-first" in words else roller
    picked_up = words.get("picked-up", "")
    return State(
        position=position,
        roller=roller,
        first_player=first_player,
        points=(first_side[1], second_side[1]),
        bredouille=(first_side[2], second_side[2]),
        rolls_of=_rolls_of(position, score, words, roller, first_player, roll_number),
        holes=holes,
        run=_runs(holes, words.get("run"), score),
        picked_up=("1" in picked_up, "2" in picked_up),
        first_scorer=int(words.get("scored-first", 0)) - 1,
        do_overs=int(words.get("do-overs", 0)),
        dice=dice,
    )


def write_score(state: State) -> str:
    """Write the score of a state; `read_state` with its position, roller and dice gives the state back.

    Of toutes tables and backgammon too, as far as rolls made before go, which do not matter there.
    """
    if tables_state.told(state):
        return tables_state.score_words(state)
    sides = [
        f"{holes}:{points}{'b' * bredouille}"
        for holes, points, bredouille in zip(state.holes, state.points, state.bredouille, strict=True)
    ]
    words = []
    if state.run != _usual_runs(state.holes):
        words.append(f"run:{state.run.index(INTACT) + 1}")
    if any(state.picked_up):
        words.append(f"picked-up:{','.join(str(side + 1) for side in range(2) if state.picked_up[side])}")
    if state.do_overs:
        words.append(f"do-overs:{state.do_overs}")
    if state.rolls_of != _usual_rolls(state.position):
        words.append(f"rolls:{state.rolls_of[0]},{state.rolls_of[1]}")
    if state.first_player != state.roller:
        words.append(f"threw-first:{state.first_player + 1}")
    if state.first_scorer >= 0:
        words.append(f"scored-first:{state.first_scorer + 1}")
    return " ".join([*sides, *words])


def _parsed(score: str) -> tuple[tuple[int, int, bool], tuple[int, int, bool], Mapping[str, str]]:
    """Split a score into its two sides and its words."""
    if tables_state.is_below_nought(score):
        raise UsageError(f"score '{clipped(score)}': a score below 0")
    items = score.split() or ["0:0", "0:0"]
    sides = [_SIDE.fullmatch(item) for item in items[:2]]
    if len(sides) < 2 or not all(sides):
        raise UsageError(
            f"score '{clipped(score)}': two of holes:points come first, of player 1 and of player 2, with a b for "
            "points in bredouille, as '3:4b 2:8'"
        )
    for item in items[:2]:
        if _LARGE_SIDE.fullmatch(item):
            raise UsageError(
                f"score '{clipped(score)}': '{clipped(item)}' is too large; holes are at most {MOST_HOLES}, "
                "points 11, as twelve make a hole"
            )
    first, second = ((int(side[1]), int(side[2]), bool(side[3])) for side in sides if side)
    words: dict[str, str] = {}
    for item in items[2:]:
        name, _, value = item.partition(":")
        if name in _WORDS and not _WORDS[name].fullmatch(value):
            large = " is too large" if name in _LARGE and _LARGE[name].fullmatch(value) else ""
            raise UsageError(f"score '{clipped(score)}': '{clipped(item)}'{large}; {_MEANT[name]}")
        if name not in _WORDS:
            raise UsageError(
                f"score '{clipped(score)}': '{clipped(item)}' is none of run:1, picked-up:1 (or 2 or 1,2), "
                "do-overs:1, rolls:4,3, threw-first:1, scored-first:1"
            )
        if name in words:
            raise UsageError(f"score '{score}': {name} is given twice")
        words[name] = value
    return first, second, words


def _runs(holes: tuple[int, int], whole: str | None, score: str) -> tuple[int, int]:
    """Runs of holes: the one named is whole and the other broken; of a player who has none there is none."""
    if whole is None:
        if holes == (1, 1):
            raise UsageError(
                f"score '{score}': of one hole each the second is a whole run; add run:1 or run:2"
            )
        return _usual_runs(holes)
    side = int(whole) - 1
    if not holes[side]:
        raise UsageError(f"score '{score}': {whole} has no hole, hence no run of them")
    return _run(holes[0], side == 0), _run(holes[1], side == 1)


def _usual_runs(holes: tuple[int, int]) -> tuple[int, int]:
    """Whole if one player alone has holes, else broken."""
    return _run(holes[0], not holes[1]), _run(holes[1], not holes[0])


def _run(holes: int, whole: bool) -> int:
    return NO_RUN if not holes else INTACT if whole else BROKEN


def _usual_rolls(position: Position) -> tuple[int, int]:
    return (0, 0) if position == AT_THE_TALONS else LATER_ROLLS


def _rolls_of(
    position: Position,
    score: str,
    words: Mapping[str, str],
    roller: int,
    first_player: int,
    roll_number: int | None,
) -> tuple[int, int]:
    if roll_number is None:
        if "rolls" not in words:
            return _usual_rolls(position)
        one, two = words["rolls"].split(",")
        return int(one), int(two)
    if "rolls" in words:
        raise UsageError(f"score '{score}' and roll number {roll_number} both say how often they have rolled")
    check_roll_number(position, roll_number)
    rolls = [roll_number - 1, roll_number - 1]
    if first_player != roller:
        rolls[1 - roller] = roll_number
    return rolls[0], rolls[1]
