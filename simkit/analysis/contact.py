"""Positions in which one side may bear off and the other still has men behind, played on by two rules.

The list stands in `bearing_off_positions.txt`, picked from play by `experiments/training/pick_bearing_off.py`,
which says what qualifies. The side in front is player 1 and rolls; the side behind is player 2. A start is the
independent unit: its games are one cluster.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simkit import tables
from simkit.analysis import clusters, intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import Rows
from simkit.drivers import State
from simkit.rules import MoveRule, Tables
from simkit.shots import THROWS, Shots, compared, fewest_hits

LIST: Final = Path(__file__).with_name("bearing_off_positions.txt")
CONTACT, BACK_GAME, SHOT = "contact", "back_game", "shot"
KINDS = (CONTACT, BACK_GAME, SHOT)
"""Kinds of positions: as play leads to them; of back games; with a roll that forces a shot by one rule alone."""
POINTS, DICE = MoveRule.MAX_POINTS.value, MoveRule.MAX_DICE.value

COLUMNS = ("match_id", "winner", "points", "hits_2")
"""Columns of `games` that are read."""

COUNTED: Mapping[str, str] = {
    "shot_forced": "share of throws",
    "shot_hit": "share of throws and replies",
}
"""Counted out of each position: throws that force a shot; the chance of a hit by the next roll if the side in
front leaves the fewest throws that hit."""
NONE_BY_DICE = "exact: a play of most points is one of most dice unless it ends the game"
NO_SHOT_BY_DICE = "exact: the positions were picked so"
PLAYED: Mapping[str, str] = {
    "behind_hits": "share of games",
    "behind_wins": "share of games",
    "double_games": "share of games",
    "behind_points": "points per game",
}
"""Of games played on: the side behind hits a man, once at least; it wins; the game counts more than one point; its
points less those of the side in front."""


@dataclass(frozen=True)
class Listed:
    """A position of the list, with the roll if it is given."""

    kind: str
    state: State


@dataclass(frozen=True)
class Rolls:
    """Rolls of the games from which the list was picked: all of a kind, and those that force a shot by one rule
    alone, by most points and by most dice."""

    all: int
    by_points: int
    by_dice: int


@cache
def listed() -> tuple[Listed, ...]:
    """The positions of the list, in its order."""
    return tuple(_listed(*line) for line in _lines() if line[0].split()[0] in KINDS)


@cache
def rolls_in_play() -> Mapping[str, Rolls]:
    """What the list says of the rolls of each kind."""
    return {
        head.split()[1]: Rolls(*map(int, re.findall(r"[0-9]+", rest)))
        for head, rest in _lines()
        if head.startswith("rolls")
    }


def _lines() -> Iterator[tuple[str, str]]:
    """The lines of the list, what stands before and behind the first colon."""
    for line in LIST.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            head, rest = line.split(": ", 1)
            yield head, rest


def _listed(head: str, position: str) -> Listed:
    """`contact: POSITION`, or with the roll `shot 6-1: POSITION`."""
    kind, *roll = head.split()
    dice = (int(roll[0][0]), int(roll[0][2])) if roll else None
    return Listed(kind, State(tables.read(position), dice=dice))


def starts() -> tuple[State, ...]:
    """Where matches start, match m from the start m modulo their number."""
    return tuple(one.state for one in listed())


def of_kind(kind: str) -> NDArray[np.bool_]:
    """Which starts are of a kind, bool (starts,)."""
    return np.array([one.kind == kind for one in listed()])


# ---------------------------------------------------------------- counted out


def forced_in_play(level: float) -> Iterator[Estimate]:
    """`forced_alone` of rolls in play, by kind and rule: those that force a shot by it alone; and its change.

    The roll is the unit: such rolls are so rare that one game hardly has two. That most dice alone force none is
    a matter of logic: a play of most points is one of most dice too unless it ends the game, after which no shot
    is left. The change is then the share by most points, and cannot lie below nought.
    """
    unit = "share of rolls"
    for kind, seen in rolls_in_play().items():
        assert not seen.by_dice, f"{kind}: most dice alone force a shot"
        by_points = intervals.proportion(seen.by_points, seen.all, level)
        none = intervals.exact(0.0, seen.all, NONE_BY_DICE, level)
        for rule, found in ((POINTS, by_points), (DICE, none)):
            yield Estimate(measure="forced_alone", detail=f"{kind}, {rule}", unit=unit, interval=found)
        change = dataclasses.replace(
            by_points, method=f"{by_points.method}, by most dice alone none by logic"
        )
        yield Estimate(measure="forced_alone_change", detail=kind, unit=unit, interval=change)


def counted(one: Tables, other: Tables, level: float) -> Iterator[Estimate]:
    """What is counted out of the positions, by kind; the first game is that of most points.

    The numbers of COUNTED, detail `contact, max_points`, each with its `NAME_change` by position; `plays_differ`,
    the share of throws of which the games allow different plays. Of the kind `shot` the roll is given: `shot_hit`
    is the chance of a hit after it, and nothing else is told.
    """
    for kind in KINDS:
        found = [_counted(one, other, place.state) for place in listed() if place.kind == kind]
        for name, unit in COUNTED.items():
            if kind == SHOT and name == "shot_forced":
                continue
            points = np.array([_number(name, mine) for mine, _, _ in found])
            dice = np.array([_number(name, his) for _, his, _ in found])
            every = THROWS if name == "shot_forced" else THROWS**2
            yield _share(name, f"{kind}, {POINTS}", unit, points, every, level)
            if kind == SHOT:
                by_choice = intervals.exact(0.0, len(found), NO_SHOT_BY_DICE, level)
                yield Estimate(measure=name, detail=f"{kind}, {DICE}", unit=unit, interval=by_choice)
                yield _share(f"{name}_change", kind, unit, points, every, level)
                continue
            yield _share(name, f"{kind}, {DICE}", unit, dice, every, level)
            # Never below nought: what most points allow is a part of what most dice do, or ends the game.
            yield _share(f"{name}_change", kind, unit, points - dice, every, level)
        if kind != SHOT:
            apart = np.array([differ for _, _, differ in found])
            yield _share("plays_differ", kind, "share of throws", apart, THROWS, level)


@cache
def _counted(one: Tables, other: Tables, state: State) -> tuple[Shots, Shots, int]:
    """What the throws leave to the side behind by both games, and throws of which the plays differ.

    Of a roll that is given it is told as if every throw were that one.
    """
    if state.dice is None:
        return compared(one, other, state.position)
    after = (fewest_hits(game, state.position, state.dice) for game in (one, other))
    mine, his = (Shots(forced=THROWS * (hits > 0), least=THROWS * hits) for hits in after)
    return mine, his, THROWS


def _number(name: str, found: Shots) -> int:
    return found.forced if name == "shot_forced" else found.least


def _share(
    measure: str, detail: str, unit: str, numbers: NDArray[np.int64], every: int, level: float
) -> Estimate:
    """A share of all throws over positions, each counted out of `every`; the interval is of their choice."""
    of = np.full(numbers.size, every)
    found = clusters.share(numbers, of, numbers.size, level, "positions", alone=False)
    counted_out = dataclasses.replace(found, method=f"{found.method}, each counted out")
    return Estimate(measure=measure, detail=detail, unit=unit, interval=counted_out)


# ---------------------------------------------------------------- played on


def start_sums(blocks: Iterable[tuple[Rows, Rows]]) -> NDArray[np.int64]:
    """Sum up pairs of games from the listed starts that both came to an end, by start.

    Parameters
    ----------
    blocks : iterable of pairs of mappings
        Rows of games by most points and by most dice, row for row the same matches; columns as `COLUMNS`.

    Returns
    -------
    ndarray
        int64 (starts, 2, 1 + numbers): by most points and by most dice, games and the sums of PLAYED.
    """
    size = len(listed())
    sums = np.zeros((size, 2, 1 + len(PLAYED)), np.int64)
    for pair in blocks:
        ended = (pair[0]["winner"] != 0) & (pair[1]["winner"] != 0)
        place = pair[0]["match_id"][ended] % size
        for rule, rows in enumerate(pair):
            for column, numbers in enumerate(_of_games({name: rows[name][ended] for name in COLUMNS})):
                # Sums of whole numbers below 2**53 are exact in floating point.
                sums[:, rule, column] += np.bincount(place, numbers, size).astype(np.int64)
    return sums


def _of_games(games: Rows) -> Iterator[NDArray[np.int64]]:
    """A one for each game, and the numbers of PLAYED."""
    behind, points = games["winner"] == 2, games["points"].astype(np.int64)
    yield np.ones(points.size, np.int64)
    yield (games["hits_2"] > 0).astype(np.int64)
    yield behind.astype(np.int64)
    yield (points > 1).astype(np.int64)
    yield np.where(behind, points, -points)


def played_on(sums: NDArray[np.int64], level: float) -> Iterator[Estimate]:
    """The numbers of PLAYED by kind and rule, detail `contact, max_points`, each with its `NAME_change`.

    `wins_lost`: how many fewer games the side behind wins by most dice on the same dice, as a share of those it
    wins by most points.
    """
    for kind in KINDS:
        own = sums[of_kind(kind) & (sums[:, 0, 0] > 0)]
        games = own[:, 0, 0]
        for column, (name, unit) in enumerate(PLAYED.items(), start=1):
            points, dice = own[:, 0, column], own[:, 1, column]
            for rule, values in ((POINTS, points), (DICE, dice)):
                detail = f"{kind}, {rule}"
                if unit == "share of games":
                    n = int(games.sum())
                    share = clusters.share(values, games, n, level, "starts", alone=False)
                    yield Estimate(measure=name, detail=detail, unit=unit, interval=share)
                else:
                    yield _by_start(name, detail, unit, values, games, games, level)
            yield _by_start(f"{name}_change", kind, unit, points - dice, games, games, level)
            if name == "behind_wins":
                lost = "share of games it wins"
                yield _by_start("wins_lost", kind, lost, points - dice, points, games, level)


def _by_start(
    measure: str,
    detail: str,
    unit: str,
    over: NDArray[np.int64],
    under: NDArray[np.int64],
    games: NDArray[np.int64],
    level: float,
) -> Estimate:
    """A sum over another, by start, clustered by start; `games` of each."""
    y, x = over.astype(np.float64), under.astype(np.float64)
    found = intervals.ratio(games.size, x.sum(), y.sum(), float(x @ x), float(x @ y), float(y @ y), level)
    method = found.method.replace("clustered by match", f"clustered by start ({games.size})")
    interval = dataclasses.replace(found, n=int(games.sum()), method=method)
    return Estimate(measure=measure, detail=detail, unit=unit, interval=interval)
