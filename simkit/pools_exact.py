"""Pools of equal players solved exactly: absorbing Markov chains in fractions.

Only the line and the wins in a row matter, not who the players are, so that a state is a number of wins and the
place of the player in question: 0 has stayed at the board, 1 has come to it, the others wait. Whoever has stayed
wins each match with one probability; one half makes the players equal in everything but their places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from simkit.rules import (
    DrainRotation,
    FillAnteTiming,
    FillInitialAnte,
    FillStreak,
    PoolDrain,
    PoolFill,
)

HALF = Fraction(1, 2)
Values = tuple[Fraction, ...]
"""One number for each place in line."""


@dataclass(frozen=True)
class FillValues:
    """What a filling pool is worth before it starts; tuples by place in line, money in antes."""

    matches: Fraction
    """Mean number of matches."""
    wins: Values
    """Chance to win the pool."""
    pays: Values
    """Mean antes paid."""
    takes: Values
    """Mean of what is taken out of the pot."""

    @property
    def net(self) -> Values:
        """Mean of what is taken less what is paid; the places add up to nought."""
        return tuple(take - pay for take, pay in zip(self.takes, self.pays, strict=True))


@dataclass(frozen=True)
class _Step:
    """One match of a pool, for the player at one place: what may follow, and who pays."""

    chance: Fraction
    streak: int
    """Wins in a row of the player who then stays; as many as end the pool if it is over."""
    place: int
    """Place of the player in question after it."""
    won_pool: bool
    pays: Fraction
    """Antes he pays."""
    fills: Fraction
    """Antes that all pay together."""


@cache
def fill_values(match: PoolFill, stays: Fraction = HALF) -> FillValues:
    """Solve a filling pool.

    Parameters
    ----------
    match : PoolFill
        The pool; `max_matches` plays no part.
    stays : Fraction
        Chance of the player who has stayed at the board to win a match.

    Returns
    -------
    FillValues
    """
    n = match.players
    at_start = match.settlement.fill_initial_ante is FillInitialAnte.ALL_AT_START
    later = _solved(match, stays)
    for newcomers in range(
        1, n - 1
    ):  # backwards to the first match, after which all but two are still to come
        later = {
            (streak, place): _before(_steps(match, stays, streak, place, newcomers), later)
            for streak in range(n - 1)
            for place in range(n)
        }
    start = [later[0, place] for place in range(n)]
    paid_first = [1 if at_start or place < 2 else 0 for place in range(n)]
    pot = sum(paid_first)
    return FillValues(
        matches=start[0][3],
        wins=tuple(one[0] for one in start),
        pays=tuple(one[1] + first for one, first in zip(start, paid_first, strict=True)),
        takes=tuple(one[2] + pot * one[0] for one in start),
    )


def _steps(match: PoolFill, stays: Fraction, streak: int, place: int, newcomers: int) -> list[_Step]:
    """The two ways in which a match may end; `newcomers` in line have not been at the board yet."""
    n = match.players
    first_win = 1 if match.fill_streak is FillStreak.COUNT_DETHRONING else 0
    found = []
    for winner, chance in ((0, stays), (1, 1 - stays)):
        wins = streak + 1 if winner == 0 else first_win
        over = wins == n - 1
        after = 0 if place == winner else n - 1 if place < 2 else place - 1
        loser = place == 1 - winner
        pays = fills = Fraction(0)
        if match.settlement.fill_ante_timing is FillAnteTiming.ON_DEFEAT:
            pays, fills = pays + loser, fills + 1
        if not over and _entrant_pays(match, new=newcomers > 0):
            pays, fills = pays + (after == 1), fills + 1
        found.append(_Step(chance, wins, after, over and place == winner, pays, fills))
    return found


def _entrant_pays(match: PoolFill, *, new: bool) -> bool:
    """Tell whether a player pays who comes to the board, for the first time or again."""
    if new:
        return match.settlement.fill_initial_ante is FillInitialAnte.ON_FIRST_ENTRY
    return match.settlement.fill_ante_timing is FillAnteTiming.ON_REENTRY


def _before(steps: list[_Step], later: Mapping[tuple[int, int], Values]) -> Values:
    """Chance to win, antes to pay, antes to come into the pot if he wins it, matches to come."""
    ended = (Fraction(0),) * 4
    won = pays = pot = matches = Fraction(0)
    for step in steps:
        then = later.get((step.streak, step.place), ended)
        wins = Fraction(step.won_pool) + then[0]
        won += step.chance * wins
        pays += step.chance * (step.pays + then[1])
        pot += step.chance * (step.fills * wins + then[2])
        matches += step.chance * (1 + then[3])
    return won, pays, pot, matches


def _solved(match: PoolFill, stays: Fraction) -> dict[tuple[int, int], Values]:
    """The values of every state once all players have been at the board."""
    n = match.players
    states = [(streak, place) for streak in range(n - 1) for place in range(n)]
    steps = {state: _steps(match, stays, *state, newcomers=0) for state in states}
    number = {state: k for k, state in enumerate(states)}
    rows = []
    for state in states:
        row = [Fraction(0)] * len(states)
        row[number[state]] += 1
        for step in steps[state]:
            if step.streak < n - 1:
                row[number[step.streak, step.place]] -= step.chance
        rows.append(row)

    def mean(of: Sequence[Fraction]) -> list[Fraction]:
        return solve(rows, of)

    wins = mean([sum((s.chance * s.won_pool for s in steps[state]), Fraction(0)) for state in states])
    pays = mean([sum((s.chance * s.pays for s in steps[state]), Fraction(0)) for state in states])
    pot = mean(
        [
            sum(
                (
                    s.chance
                    * s.fills
                    * (s.won_pool + (wins[number[s.streak, s.place]] if s.streak < n - 1 else 0))
                    for s in steps[state]
                ),
                Fraction(0),
            )
            for state in states
        ]
    )
    matches = mean([Fraction(1)] * len(states))
    return {state: (wins[k], pays[k], pot[k], matches[k]) for state, k in number.items()}


def solve(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction]:
    """Solve a square system of linear equations exactly, by elimination."""
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    size = len(table)
    for k in range(size):
        pivot = next(i for i in range(k, size) if table[i][k])
        table[k], table[pivot] = table[pivot], table[k]
        scale = 1 / table[k][k]
        table[k] = [value * scale for value in table[k]]
        for i in range(size):
            if i != k and (factor := table[i][k]):
                table[i] = [a - factor * b if b else a for a, b in zip(table[i], table[k], strict=True)]
    return [row[-1] for row in table]


def fill_survival(match: PoolFill, most: int, stays: Fraction = HALF) -> Values:
    """Chance that a filling pool has no winner after 0, 1, ... `most` matches."""
    n = match.players
    first_win = 1 if match.fill_streak is FillStreak.COUNT_DETHRONING else 0
    chance = [Fraction(1), *[Fraction(0)] * (n - 2)]
    found = [Fraction(1)]
    for _ in range(most):
        after = [Fraction(0)] * n
        for streak, here in enumerate(chance):
            after[streak + 1] += here * stays
            after[first_win] += here * (1 - stays)
        chance = after[: n - 1]
        found.append(sum(chance, Fraction(0)))
    return tuple(found)


def advice_worth(match: PoolFill, streak: int, pot: int, stays: Fraction = HALF) -> Values:
    """What it is worth to each waiting player that the one who has stayed loses the next match.

    Parameters
    ----------
    match : PoolFill
        The pool; all its players have been at the board.
    streak : int
        Wins in a row of the player who has stayed, 0 to players - 2.
    pot : int
        Antes in the pot.
    stays : Fraction
        As for `fill_values`, of the matches after the next.

    Returns
    -------
    tuple of Fraction
        In antes, by place of the waiting players: what is still to be won less what is still to be paid, if the
        other wins the next match, less the same if he does not.
    """
    later = _solved(match, stays)
    found = []
    for place in range(2, match.players):
        worth = []
        for step in _steps(match, stays, streak, place, newcomers=0):
            then = later.get((step.streak, step.place), (Fraction(0),) * 4)
            worth.append((pot + step.fills) * then[0] + then[2] - then[1] - step.pays)
        found.append(worth[1] - worth[0])
    return tuple(found)


@dataclass(frozen=True)
class DrainValues:
    """What a draining pool is worth before it starts; tuples by place in line, money in stakes."""

    matches: float
    """Mean number of matches."""
    takes: tuple[float, ...]
    """Mean of what is taken out of the pot; the places add up to all stakes."""
    beyond_first_round: tuple[float, ...]
    """The part of it that is taken after everybody in line has come to the board."""

    @property
    def net(self) -> tuple[float, ...]:
        """Mean of what is taken less the stake; the places add up to nought."""
        return tuple(take - 1 for take in self.takes)


def drain_values(match: PoolDrain, paid: Sequence[tuple[Fraction | float, Fraction | float]]) -> DrainValues:
    """Solve a draining pool whose matches are alike and independent.

    Parameters
    ----------
    match : PoolDrain
        The pool.
    paid : sequence of pairs
        For k holes, from 0 on: the chance that the player who has stayed wins a match and is paid k holes, and the
        chance that the one who has come in does. All of them add up to 1; nobody is paid none.

    Returns
    -------
    DrainValues
        Floating point; exact up to rounding for the distribution given.
    """
    n, value = match.players, match.hole_value / 100
    first_round = n - 1

    @cache
    def worth(left: int, played: int) -> tuple[tuple[float, ...], tuple[float, ...], float]:
        """Takings by place of the line as it stands with so many hundredths left; those beyond; matches."""
        takes, beyond, matches = [0.0] * n, [0.0] * n, 1.0
        for holes, chances in enumerate(paid):
            for side, chance in enumerate(map(float, chances)):
                if not chance:
                    continue
                here = min(left / 100, holes * value)
                takes[side] += chance * here
                beyond[side] += chance * here * (played >= first_round)
                rest = left - holes * match.hole_value
                if rest <= 0:
                    continue
                then = worth(rest, min(played + 1, first_round))
                matches += chance * then[2]
                for place in range(n):
                    after = _place_after(match, place, side, played)
                    takes[place] += chance * then[0][after]
                    beyond[place] += chance * then[1][after]
        return tuple(takes), tuple(beyond), matches

    takes, beyond, matches = worth(match.pot, 0)
    return DrainValues(matches=matches, takes=takes, beyond_first_round=beyond)


def _place_after(match: PoolDrain, place: int, winner: int, played: int) -> int:
    """Place in line of the player at `place` after a match that the side `winner` won; `played` before it."""
    ring = match.drain_rotation is DrainRotation.RING and played > 0
    stays = 1 if ring else 1 - winner
    if place == stays:
        return 0
    return match.players - 1 if place < 2 else place - 1
