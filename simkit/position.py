"""Positions: where the men stand, as text, as counts and as the words of a board.

A position is written `mover | other`, both sides in the **mover's** numbers: `1:2 2 3:2 | 13:2 15:3 off:1` has
two of the mover's men on arrow 1, one on 2, two on 3; two of the other's on 13, which is the other's coin, three
on 15 and one borne off. Men not mentioned are not on the board; each side must come to fifteen. `bar:1` is a man
on the bar, in the games that have one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from simkit.errors import MOST_OF_POSITION, IllegalPosition, UsageError, clipped
from simkit.kernel.entries import closed_quarters
from simkit.kernel.lower import lower
from simkit.rules import Trictrac, TwelveHoles

MEN = 15
MOST_MEN = 9999
"""Of one place in a text; more than fifteen are refused with the law, where they are counted."""
ARROWS = 24

Men = tuple[int, ...]
CLASSICAL = Trictrac()


@dataclass(frozen=True)
class Position:
    """Men on the board, both sides in the mover's numbers.

    Attributes
    ----------
    mover, other
        24 counts each; index 0 is arrow 1.
    off
        Men borne off, (mover's, other's).
    bar
        Men on the bar, (mover's, other's); none in trictrac.
    """

    mover: Men
    other: Men
    off: tuple[int, int] = (0, 0)
    bar: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        return write(self)


def read(text: str, game: Trictrac = CLASSICAL) -> Position:
    """Read a position from its notation; the men must be able to stand so under the rules of `game`.

    Raises
    ------
    IllegalPosition
        If the text is no position, or the men cannot stand so; with the law.
    """
    position = parse(text)
    check(position, game)
    return position


def arrow_number(text: str) -> int:
    """Read an arrow from 1 to 24 in the mover's numbers.

    Raises
    ------
    IllegalPosition
        If there is no such arrow.
    """
    if not re.fullmatch(r"[0-9]{1,2}", text) or not 1 <= int(text) <= ARROWS:
        raise IllegalPosition(f"'{clipped(text)}': arrows run from 1 to {ARROWS}")
    return int(text)


def parse(text: str, arrow: Callable[[str], int] = arrow_number) -> Position:
    """Read a position from its notation, wherever the men stand; `arrow` reads the name of an arrow.

    Raises
    ------
    IllegalPosition
        If the text is no position.
    """
    sides = text.split("|")
    if len(sides) != 2:
        raise IllegalPosition(
            f"a position is written 'mover | other', e.g. '1:15 | 24:15', not '{clipped(text, MOST_OF_POSITION)}'"
        )
    (mover, mover_off, mover_bar), (other, other_off, other_bar) = (
        _parse_side(side, text, arrow) for side in sides
    )
    return Position(mover, other, (mover_off, other_off), (mover_bar, other_bar))


def _parse_side(side: str, text: str, arrow: Callable[[str], int]) -> tuple[Men, int, int]:
    counts = [0] * ARROWS
    beside = {"off": 0, "bar": 0}
    whole = clipped(text.strip(), MOST_OF_POSITION)
    for item in side.split():
        match = re.fullmatch(r"([^:]+)(?::([0-9]+))?", item)
        if not match:
            raise IllegalPosition(
                f"'{clipped(item)}' is no arrow with its men, like 7 or 7:3 or off:2 [{whole}]"
            )
        if match[2] and len(match[2].lstrip("0")) > len(str(MOST_MEN)):
            raise IllegalPosition(f"'{clipped(item)}' is too large; each side has fifteen men (M1) [{whole}]")
        men = int(match[2]) if match[2] else 1
        if men < 1:
            raise IllegalPosition(f"'{item}': a place named must hold at least one man [{whole}]")
        if match[1] in beside:
            beside[match[1]] += men
            continue
        try:
            counts[arrow(match[1]) - 1] += men
        except IllegalPosition as error:
            raise IllegalPosition(f"{error} [{whole}]") from None
    return tuple(counts), beside["off"], beside["bar"]


def write(position: Position, name: Callable[[int], str] = str) -> str:
    """Write a position in its notation; `read` gives it back. `name` writes an arrow, 1 to 24."""
    sides = []
    for counts, off, bar in zip((position.mover, position.other), position.off, position.bar, strict=True):
        items = [f"bar:{bar}"] if bar else []
        items += [f"{name(k + 1)}:{n}" if n > 1 else name(k + 1) for k, n in enumerate(counts) if n]
        sides.append(" ".join([*items, f"off:{off}"] if off else items))
    return " | ".join(sides)


def check(position: Position, game: Trictrac = CLASSICAL) -> None:
    """Refuse men that cannot stand so before a roll under the rules of a game.

    Raises
    ------
    IllegalPosition
        With the law and the position.
    """
    for problem in _faults(position, game):
        raise IllegalPosition(f"{problem} [{write(position)}]")


def _faults(position: Position, game: Trictrac) -> Iterator[str]:
    coin_alone = not (game.own_corner_by_two and game.own_corner_leave_by_two)
    sides = (("the mover", position.mover, 12), ("the other", tuple(reversed(position.other)), 13))
    if any(position.bar):
        yield "trictrac has no bar: a man hit stays where he is"
        return
    for (name, own, coin), off in zip(sides, position.off, strict=True):
        if len(own) != ARROWS or min(own) < 0 or off < 0:
            yield f"{name} needs 24 counts of men, none below zero"
            return
        men = sum(own) + off
        if men != MEN:
            yield f"{name} has {men} men; each side has fifteen (M1)"
        if own[11] == 1 and not coin_alone:
            yield f"{name} has a lone man on {coin}, his coin, which is held by two or by nobody (M5)"
        if off == MEN:
            yield f"{name} has borne off all his men; both sides then start again (M22)"
        if own[12]:
            yield f"{name} stands on {25 - coin}, the other's coin, which may never be occupied (M7)"
    for k, (mine, his) in enumerate(zip(position.mover, position.other, strict=True)):
        if mine and his:
            yield f"both sides stand on {k + 1}; an arrow holds men of one side only (M4)"
    rules = _lowered(game)
    for (name, own, _), (_, others, _) in zip(sides, sides[::-1], strict=True):
        forbidden, _ = closed_quarters(rules, *pack(others))
        there = [k + 1 for k, men in enumerate(own) if men and forbidden >> k & 1]
        if there:
            arrow = there[0] if name == "the mover" else 25 - there[0]
            whose = "the other" if name == "the mover" else "the mover"
            yield f"{name} stands on {arrow}, in a quarter that {whose} can still fill (M11)"


@cache
def _lowered(game: Trictrac) -> Any:
    """The rules of a game for the kernel, made once; nobody may write into them."""
    return lower(game, TwelveHoles())


def read_dice(text: str) -> tuple[int, int]:
    """Read a roll: `6-5`, `6,5`, `6 5` or `65`.

    Raises
    ------
    UsageError
        If it is none.
    """
    found = re.fullmatch(r"\s*([1-6])\s*[-, ]?\s*([1-6])\s*", text)
    if not found:
        raise UsageError(f"dice '{clipped(text)}': write a roll as 6-5, two numbers from 1 to 6")
    return int(found[1]), int(found[2])


def least_rolls(men: Men, off: int) -> tuple[int, str]:
    """Return how many rolls one side's men, in its own numbers, have needed at least, and why, in words.

    A roll moves two men at most (M2, M3), by twelve arrows at most.
    """
    down = sum(men[1:]) + off
    travelled = sum(arrow * count for arrow, count in enumerate(men)) + ARROWS * off
    by_men, by_arrows = -(-down // 2), -(-travelled // 12)
    if by_men >= by_arrows:
        left = f"{down} men have left the talon" if down > 1 else "a man has left the talon"
        return by_men, f"{left}, and a roll moves two at most"
    return by_arrows, f"the men have come {travelled} arrows, and a roll moves them twelve at most"


def check_roll_number(position: Position, roll_number: int) -> None:
    """Refuse to call the roll to come one with fewer rolls of the mover's before it than his men have needed.

    Raises
    ------
    UsageError
        With the lowest number that can be.
    """
    if isinstance(roll_number, bool) or not isinstance(roll_number, int) or roll_number < 1:
        raise UsageError(
            f"roll number {roll_number}: a player's rolls are counted from 1 since the men started"
        )
    least, why = least_rolls(position.mover, position.off[0])
    if roll_number <= least:
        earlier = f"{least} earlier rolls" if least > 1 else "an earlier roll"
        raise UsageError(
            f"roll number {roll_number} of the mover: {why}; so {earlier} of his came before this one at least, "
            f"and its number is {least + 1} or more [{position}]"
        )


def mirrored(position: Position) -> Position:
    """Return the same position as the other player sees it."""
    return Position(position.other[::-1], position.mover[::-1], position.off[::-1], position.bar[::-1])


def pack(counts: Men) -> tuple[int, int]:
    """Turn one side's men, in its own numbers, into the two words of a board; a 25th count are men on the bar."""
    words = [0, 0]
    for arrow, men in enumerate(counts):
        for bit in range(4):
            if men >> bit & 1:
                words[bit // 2] |= 1 << (arrow + 32 * (bit % 2))
    return words[0], words[1]


def unpack(low: int, high: int, places: int = ARROWS) -> Men:
    """Turn the two words of a board into 24 counts, in its own numbers; with 25 places the bar is the last."""
    ones, twos, fours, eights = int(low), int(low) >> 32, int(high), int(high) >> 32
    return tuple(
        (ones >> k & 1) + 2 * (twos >> k & 1) + 4 * (fours >> k & 1) + 8 * (eights >> k & 1)
        for k in range(places)
    )
