"""One roll and one set at human speed: what a roll scores, the plays it allows, the marks, the ledger.

Everything is asked of the kernel; no rule stands here a second time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from simkit import drivers
from simkit.errors import UsageError
from simkit.kernel import entries
from simkit.kernel.lower import lower
from simkit.kernel.plays import MAX_PLAYS
from simkit.kernel.records import FIGURES, TO_OTHER, UNIT
from simkit.position import MEN, Position, check, mirrored, pack, read, unpack, write
from simkit.rules import Trictrac, TwelveHoles, Written

__all__ = [
    "MEN",
    "Award",
    "Ledger",
    "MarkedRoll",
    "Position",
    "Score",
    "ScoredRoll",
    "after_go",
    "check",
    "check_dice",
    "enter_holes",
    "go",
    "legal_plays",
    "mark",
    "mark_roll",
    "mirrored",
    "next_first_thrower",
    "options",
    "read",
    "score_roll",
    "write",
]

Side = Literal["mover", "other"]


@dataclass(frozen=True)
class Award:
    """One figure of a roll.

    `ways` counts *façons*; `target`, the arrow of a man hit, in the mover's numbers; `dice_unplayed`, for
    impuissance.
    """

    figure: str
    to: Side
    points: int
    ways: int
    target: int | None = None
    dice_unplayed: int | None = None


@dataclass(frozen=True)
class ScoredRoll:
    """What a roll gives, before a man is moved, and the positions it can lead to (the mover's numbers)."""

    awards: tuple[Award, ...]
    mover_points: int
    other_points: int
    dice_unplayed: int
    plays: tuple[Position, ...]


def score_roll(
    game: Trictrac,
    position: Position,
    dice: tuple[int, int],
    *,
    roll_number: int = 0,
    took_coin: bool = False,
    met: bool = False,
    checked: bool = True,
) -> ScoredRoll:
    """Score a roll on a position and list the legal plays.

    Parameters
    ----------
    game
        The rules of the game.
    position
        The men before the roll is played.
    dice
        Two dice, 1 to 6.
    roll_number
        The mover's rolls since the men last started, this one included; needed for the jan de trois coups.
    took_coin
        Whether the mover took his coin on his roll before; asked where mézéas is tied to the next roll.
    met
        Whether this is the second player's first roll and the same as the first player's (jan de rencontre).
    checked
        Refuse men who cannot stand so; without it fifteen men a side are taken as they stand.

    Raises
    ------
    IllegalPosition, UsageError
        For men who cannot stand so, or dice that are none.
    """
    if checked:
        check(position, game)
    check_dice(dice)
    rules = lower(game, TwelveHoles())
    boards = np.array([*pack(position.mover), *pack(position.other[::-1])], np.int64)
    plays, gains = np.empty((MAX_PLAYS, 2), np.int64), np.zeros((len(FIGURES), 2), np.int64)
    memory = np.array([roll_number, took_coin, met], np.int64)
    to_mover, to_other, count, unplayed, _ = entries.score_position(
        rules, boards, memory, *dice, plays, gains
    )
    return ScoredRoll(
        awards=tuple(_awards(rules[0], position, dice, gains)),
        mover_points=int(to_mover),
        other_points=int(to_other),
        dice_unplayed=int(unplayed),
        plays=tuple(_after(position, plays[k]) for k in range(count)),
    )


def _after(position: Position, play: Any) -> Position:
    men = unpack(int(play[0]), int(play[1]))
    return Position(men, position.other, (MEN - sum(men), position.off[1]))


def _awards(rules: Any, position: Position, dice: tuple[int, int], gains: Any) -> Iterator[Award]:
    """Spell out the figures entered in `gains`, the hits man by man."""
    for number, figure in enumerate(FIGURES):
        ways, points = int(gains[number, 0]), int(gains[number, 1])
        to: Side = "other" if number in TO_OTHER else "mover"
        if figure in ("hit_true", "hit_false"):
            if ways:
                yield from _hits(rules, position, dice, figure, to)
        elif ways and figure == "impuissance":
            yield Award(figure, to, points, 1, dice_unplayed=ways)
        elif ways:
            yield Award(figure, to, points, ways)


def _hits(rules: Any, position: Position, dice: tuple[int, int], figure: str, to: Side) -> Iterator[Award]:
    """Ask the kernel about each lone man apart."""
    men = sum(1 << k for k, n in enumerate(position.mover) if n)
    closed = sum(1 << k for k, n in enumerate(position.other) if n > 1)
    doublet = dice[0] == dice[1]
    far_value = rules.hit_grand_doublet if doublet else rules.hit_grand_simple
    near_value = rules.hit_petit_doublet if doublet else rules.hit_petit_simple
    for arrow, lone in enumerate(position.other):
        if lone == 1:
            hits = entries.hit_men(men, closed, 1 << arrow, *dice, rules.hit_by_sum)
            far, near = hits[:2] if figure == "hit_true" else hits[2:4]
            if far + near:
                points = int(far * far_value + near * near_value)
                yield Award(figure, to, points, int(far + near), target=arrow + 1)


def check_dice(dice: tuple[int, int]) -> None:
    """Refuse what is no throw of two dice."""
    if len(dice) != 2 or not all(isinstance(die, int) and 1 <= die <= 6 for die in dice):
        raise UsageError(f"dice {dice}: two numbers from 1 to 6 are a roll")


def legal_plays(game: Trictrac, position: Position, dice: tuple[int, int]) -> tuple[Position, ...]:
    """Return the positions a roll can lead to, in the mover's numbers; itself if none is playable."""
    return score_roll(game, position, dice).plays


Pair = tuple[int, int]
Flags = tuple[bool, bool]
Run = Literal["none", "intact", "broken"]
RUNS: tuple[Run, Run, Run] = ("none", "intact", "broken")


@dataclass(frozen=True)
class Score:
    """Points, whether they are an unbroken run (*bredouille*), and holes, of players 1 and 2."""

    points: Pair = (0, 0)
    bredouille: Flags = (False, False)
    holes: Pair = (0, 0)


def unit_record(kind: Any = UNIT, **values: Any) -> Any:
    """Return one unit record, in an array of one, with some fields set."""
    units = np.zeros(1, kind).view(np.recarray)
    units.first_scorer = units.winner = -1
    units.settings = 1
    for name, value in values.items():
        units[name] = value
    return units


def mark(game: Trictrac, score: Score, who: int, points: int) -> tuple[Score, int]:
    """Mark points for player `who` (0 or 1); return the new score and the holes they completed."""
    if who not in (0, 1) or points < 0:
        raise UsageError(f"mark {points} points for player {who}: points from 0 on, player 0 or 1")
    units = unit_record(points=score.points, bredouille=score.bredouille)
    rules = lower(game, TwelveHoles())
    made = int(entries.mark_points(units, rules, who, points)[0]) if points else 0
    holes = [*score.holes]
    holes[who] += made
    return Score(pair(units[0].points), flags(units[0].bredouille), (holes[0], holes[1])), made


@dataclass(frozen=True)
class Ledger:
    """The holes of one set so far: of players 1 and 2, their runs, whether they went since their first hole."""

    holes: Pair = (0, 0)
    run: tuple[Run, Run] = ("none", "none")
    picked_up: Flags = (False, False)
    do_overs: int = 0


Match = TwelveHoles | Written


def _from_ledger(ledger: Ledger) -> Any:
    return unit_record(
        holes=ledger.holes,
        run=[RUNS.index(run) for run in ledger.run],
        picked_up=ledger.picked_up,
        do_overs=ledger.do_overs,
    )


def _to_ledger(unit: Any) -> Ledger:
    runs = (RUNS[int(unit.run[0])], RUNS[int(unit.run[1])])
    return Ledger(pair(unit.holes), runs, flags(unit.picked_up), int(unit.do_overs))


def enter_holes(match: Match, ledger: Ledger, who: int, holes: int, *, own_die: bool = True) -> Ledger:
    """Return the ledger after player `who` (0 or 1) has made holes."""
    units = _from_ledger(ledger)
    entries.enter(units, lower(Trictrac(), match), who, holes, int(own_die))
    return _to_ledger(units[0])


OUTCOMES = ("pickup", "win", "refait", "concede")
"""What going does, in the order of the kernel's codes."""


def options(match: Match, ledger: Ledger, who: int, *, own_die: bool = True) -> tuple[str, ...]:
    """Return what player `who` may do after a hole: hold, go, and what going would end.

    `game_over` stands alone when the hole has ended a partie, or a set by the limit agreed for it.
    """
    last = match.target_holes if isinstance(match, TwelveHoles) else match.max_holes_per_set
    if last is not None and ledger.holes[who] >= last:
        return ("game_over",)
    if not own_die:
        return ("hold",)
    _, outcome = go(match, ledger, who)
    return ("hold", "go" if outcome == "pickup" else f"go:{outcome}")


def go(match: Match, ledger: Ledger, who: int) -> tuple[Ledger, str]:
    """Let player `who` go after a hole on his own die; return the ledger and the outcome, one of `OUTCOMES`."""
    units = _from_ledger(ledger)
    outcome = OUTCOMES[int(entries.leave(units, lower(Trictrac(), match), who)[0])]
    return _to_ledger(units[0]), outcome


@dataclass(frozen=True)
class MarkedRoll:
    """A roll marked: the score after it, the holes made, and what follows.

    Attributes
    ----------
    holes
        Made on this roll, by players 1 and 2.
    winner
        Who has won the partie, or the set by the limit agreed for it, 0 or 1; None while it goes on.
    may_go
        Whether the roller may go.
    next_roller
        Who throws next, 0 or 1.
    """

    score: Score
    holes: Pair
    winner: int | None
    may_go: bool
    next_roller: int


def mark_roll(
    game: Trictrac,
    match: Match,
    score: Score,
    roller: int,
    points: Pair,
    *,
    goes: bool = False,
    sortie: bool = False,
) -> MarkedRoll:
    """Mark what a roll gives, in the order of rules.md 4.1.

    Parameters
    ----------
    points
        The roller's points, and the other's.
    goes
        Whether the roller goes; only a hole on his own roll lets him.
    sortie
        Whether his last man leaves on this roll.

    Raises
    ------
    UsageError
        If he goes and may not.
    """
    other = 1 - roller
    made = [0, 0]
    score, made[roller], won = _mark_side(game, match, score, roller, points[0])
    winner = roller if won else None
    may_go = bool(made[roller]) and not won and game.go_enabled and (game.go_after_sortie_hole or not sortie)
    if goes and not may_go:
        raise UsageError("a player may go only after a hole on his own roll that lets him (rules.md 4.4)")
    if not won and (not goes or game.opponent_marks_on_go):
        score, made[other], won = _mark_side(game, match, score, other, points[1])
        winner = other if won else None
    if goes and not won:
        score = after_go(score)
    elif sortie and not won:
        score = _after_sortie(game, score)
    return MarkedRoll(score, (made[0], made[1]), winner, may_go, roller if goes or sortie else other)


def _mark_side(game: Trictrac, match: Match, score: Score, who: int, points: int) -> tuple[Score, int, bool]:
    """Mark one side's points; return the score, the holes made, and whether they end the unit."""
    score, made = mark(game, score, who, points)
    return score, made, bool(made) and "game_over" in options(match, Ledger(holes=score.holes), who)


def _after_sortie(game: Trictrac, score: Score) -> Score:
    """Return the score with which the men start again after a sortie (M22)."""
    if not game.sortie_keeps_points:
        return after_go(score)
    return score if game.sortie_keeps_bredouille else replace(score, bredouille=(False, False))


def next_first_thrower(match: Written, first: int, winner: int | None) -> int:
    """Return who throws first in the next set, or in the same one after a do-over (`winner` None); 0 or 1."""
    if winner is None:  # a set done over keeps its first thrower, as in the kernel
        return first
    return int(drivers.next_first_thrower(match.set_first_die, first, winner))


def after_go(score: Score) -> Score:
    """Return the score once a player has gone: the holes stay, every point is wiped."""
    return replace(score, points=(0, 0), bredouille=(False, False))


def pair(values: Any) -> Pair:
    """The two whole numbers of a column by player."""
    return int(values[0]), int(values[1])


def flags(values: Any) -> Flags:
    """The two truth values of a column by player."""
    return bool(values[0]), bool(values[1])
