"""Games of honours of trictrac combiné: how often each class comes, and how long the runs that make them last.

A game counts if it began in the first half of a match's sets: of these hardly any is still under way when the last
set ends, which would leave out long games more often than short ones. Runs of holes are seen by playing the first
matches of the run again roll by roll, with the same dice; nothing of it is new play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.question import MAIN, Needed, Played, Rows
from simkit.drivers import play_chunk
from simkit.drivers.combine import last_games
from simkit.drivers.rolls import LookedAt
from simkit.errors import ConfigError
from simkit.honours import game_classes
from simkit.kernel.records import BROKEN
from simkit.players import Players
from simkit.progress import Monitor
from simkit.rules import Combine, RuleSet

CLASSES = ("single", "double", "treble", "quadruple")
DOUBLE = 2
RARE = "treble or quadruple"
FIRST, SECOND = "first scorer", "second scorer"
RUNS = (FIRST, SECOND)
"""Whose run of holes: the first scorer's makes a quadruple, the second's, with the necktie, a treble."""
EARLY = 3
"""Holes with which a necktie is said to fall among the first holes, measure `falls_early`."""
MOST = 12

GAMES, GAMES_A_MATCH, WEARERS = "share of games", "games per match", "share of runs"


# ---------------------------------------------------------------- classes


class ClassSums:
    """Games of honours by class and by the loser's holes, and those without an end, by group of matches."""

    def __init__(self) -> None:
        self.classes = np.zeros((clusters.GROUPS, len(CLASSES) + 1), np.int64)
        """Games that began in the first half, by class (column 0 stays empty)."""
        self.every = np.zeros((clusters.GROUPS, len(CLASSES) + 1), np.int64)
        """All finished games, by class."""
        self.losers = np.zeros((clusters.GROUPS, MOST), np.int64)
        self.exactly_six = np.zeros(clusters.GROUPS, np.int64)
        """Games of the first half that are double because the limit is six holes and not five."""
        self.unfinished = np.zeros(clusters.GROUPS, np.int64)
        """Games that began in the first half and had no end."""
        self.matches = 0
        self.games, self.squares = 0, 0

    def add(self, matches: NDArray[Any], games: Rows, match: Combine) -> None:
        """Count the games of whole matches; `matches`: their numbers, in order."""
        settlement, half = match.settlement, match.sets // 2
        classes = game_classes(games, settlement)
        early = began_by(games, half)
        match_id, loser = games["match_id"], np.minimum(games["holes_1"], games["holes_2"])
        self.every = clusters.added(self.every, clusters.histograms(match_id, classes))
        self.classes = clusters.added(self.classes, clusters.histograms(match_id[early], classes[early]))
        self.losers = clusters.added(self.losers, clusters.histograms(match_id[early], loser[early]))
        six = early & (classes == DOUBLE) & (loser == settlement.honours_double_max_loser_holes)
        self.exactly_six += clusters.sums(match_id[six], np.ones(int(six.sum())))
        at = np.searchsorted(matches, match_id)
        last_set = np.zeros(len(matches), np.int64)
        np.maximum.at(last_set, at, games["set_no"].astype(np.int64))
        left = matches[last_set <= half]
        self.unfinished += clusters.sums(left, np.ones(len(left)))
        count = np.bincount(at, minlength=len(matches))
        self.matches += len(matches)
        self.games += int(count.sum())
        self.squares += int((count * count).sum())

    def share(self, name: str, level: float, *, every: bool = False) -> Interval:
        """Share of games of a class, or of the two rare ones together."""
        table = self.every if every else self.classes
        places = [3, 4] if name == RARE else [CLASSES.index(name) + 1]
        return clusters.share(table[:, places].sum(axis=1), table.sum(axis=1), self.matches, level)

    def unfinished_share(self, level: float) -> Interval:
        """Share of the games that began in the first half and had no end."""
        of = self.classes.sum(axis=1) + self.unfinished
        return clusters.share(self.unfinished, of, self.matches, level)

    def six_share(self, level: float) -> Interval:
        """Share of games that are double because the limit is six holes of the loser, and not five."""
        return clusters.share(self.exactly_six, self.classes.sum(axis=1), self.matches, level)

    def loser_share(self, holes: int, level: float) -> Interval:
        """Share of games whose loser has so many holes."""
        return clusters.share(self.losers[:, holes], self.losers.sum(axis=1), self.matches, level)


def began_by(games: Rows, last: int) -> NDArray[np.bool_]:
    """Tell which games began in a set up to that one: each begins where the one before it ended."""
    first = games["game_no"] == 1
    before = np.concatenate(([0], games["set_no"][:-1]))
    found: NDArray[np.bool_] = first | (before <= last)
    return found


def class_sums(played: Played, match: Combine) -> ClassSums:
    """Read the games of honours of a play."""
    found = ClassSums()
    for sets, games in played.combined(("match_id",)):
        found.add(np.unique(sets["match_id"]), games, match)
    return found


# ---------------------------------------------------------------- runs


class RunWatch:
    """Looks at every roll and counts with how many holes the runs of each game of honours fall.

    `seen`, int64 (groups, 2 runs, 13): runs of the first and of the second scorer, by group of matches, that
    ended with so many holes; twelve, if they won the game. Games that began after the first half of the sets are
    left out.
    """

    def __init__(self, matches: int, match: Combine) -> None:
        self.seen = np.zeros((clusters.GROUPS, len(RUNS), MOST + 1), np.int64)
        self._target, self._half = match.target_holes, match.sets // 2
        self._early = np.ones(matches, np.bool_)

    def __call__(self, before: Any, after: Any, ended: Any) -> None:
        """Count the runs that a roll has ended."""
        finished = after.games > before.games
        for player in (0, 1):
            self._fallen(before, after, ~finished, player)
            self._of_finished(before, after, finished, player)
        self._early[after.match_id[finished]] = after.unit_no[finished] < self._half
        for player in (0, 1):  # of a game that opened with holes beyond the last, and was answered at once
            at = finished & (after.honours_run[:, player] == BROKEN)
            self._count(after, at, after.honours_first == player, after.honours_holes[:, player])

    def _fallen(self, before: Any, after: Any, at: Any, player: int) -> None:
        """Runs that the other's hole has ended in a game that goes on."""
        was, now = before.honours_run[:, player], after.honours_run[:, player]
        fell = at & (was != BROKEN) & (now == BROKEN)
        own = (
            before.roller == player
        )  # who rolls marks first, so that the other broke what he had made by then
        holes = np.where(own, after.honours_holes[:, player], before.honours_holes[:, player])
        self._count(after, fell, after.honours_first == player, holes)

    def _of_finished(self, before: Any, after: Any, at: Any, player: int) -> None:
        """Runs that were whole before the roll that finished their game."""
        rows = np.flatnonzero(at)
        games = last_games(after[rows])
        won = games["winner"] == player
        was = before.honours_run[rows, player]
        whole = won & games["run_intact"][:, player]
        holes = np.where(won, before.honours_holes[rows, player], games["losers_holes"])
        holes[whole] = self._target
        counted = np.zeros(len(before), np.bool_)
        counted[rows] = whole | ((was != BROKEN) & (holes > 0))
        all_holes, first = np.zeros(len(before), np.int64), np.zeros(len(before), np.bool_)
        all_holes[rows], first[rows] = holes, games["first_scorer"] == player
        self._count(before, counted, first, all_holes)

    def _count(self, units: Any, at: Any, first: Any, holes: Any) -> None:
        rows = np.flatnonzero(at & self._early[units.match_id])
        np.add.at(
            self.seen,
            (units.match_id[rows] % clusters.GROUPS, np.where(first[rows], 0, 1), holes[rows]),
            1,
        )

    def reaches(self, run: str, holes: int, n: int, level: float) -> Interval:
        """Share of the runs that come to so many holes."""
        own = self.seen[:, RUNS.index(run)]
        return clusters.share(own[:, holes:].sum(axis=1), own.sum(axis=1), n, level)

    def falls_by(self, run: str, holes: int, n: int, level: float) -> Interval:
        """Share of the runs that fall with so many holes or fewer."""
        own = self.seen[:, RUNS.index(run)]
        return clusters.share(own[:, : holes + 1].sum(axis=1), own.sum(axis=1), n, level)


def watch(rules: RuleSet, players: Players, seed: int, matches: int) -> RunWatch:
    """Play the first matches of a run again roll by roll, and look at the runs of their games of honours."""
    assert isinstance(rules.match, Combine)
    look = RunWatch(matches, rules.match)
    play_chunk(rules, players, seed, 0, matches, engine=LookedAt(rules, players, seed, look))
    return look


# ---------------------------------------------------------------- measures


def of_classes(sums: ClassSums, level: float) -> Iterator[Estimate]:
    """How often each class comes, among the games that began in the first half of the sets.

    `class`, by name, and `treble or quadruple`; `class_of_all`, among all finished games; `loser_holes`, by
    number; `exactly_six`; `unfinished`; `games`, finished in a match.
    """

    def told(measure: str, unit: str, interval: Interval, detail: str = "") -> Estimate:
        return Estimate(measure=measure, detail=detail, unit=unit, interval=interval)

    for name in (*CLASSES, RARE):
        yield told("class", GAMES, sums.share(name, level), name)
        yield told("class_of_all", GAMES, sums.share(name, level, every=True), name)
    for holes in range(MOST):
        yield told("loser_holes", GAMES, sums.loser_share(holes, level), str(holes))
    yield told("exactly_six", GAMES, sums.six_share(level))
    yield told("unfinished", GAMES, sums.unfinished_share(level))
    yield told("games", GAMES_A_MATCH, intervals.mean(sums.matches, sums.games, sums.squares, level))


def of_runs(watch: RunWatch, matches: int, level: float) -> Iterator[Estimate]:
    """How far runs of holes come: `run_reaches`, by whose it is and the holes; `falls_early`, of neckties."""
    for run in RUNS:
        for holes in range(1, MOST + 1):
            found = watch.reaches(run, holes, matches, level)
            yield Estimate(measure="run_reaches", detail=f"{run}, {holes}", unit=WEARERS, interval=found)
        fallen = watch.falls_by(run, EARLY, matches, level)
        yield Estimate(measure="falls_early", detail=run, unit=WEARERS, interval=fallen)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class Honours:
    """How often games of honours are single, double, treble and quadruple, and when runs of holes fall."""

    followed: int = 4000
    """Matches that are played again roll by roll, to see their runs; all, if the run has fewer."""

    by_settlement: ClassVar[bool] = True
    by_players: ClassVar[tuple[str, ...]] = ("class", "falls_early")
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        if not 1 <= self.followed <= 1_000_000:
            yield f"followed = {self.followed}: from 1 to 1000000"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Followed roll by roll", f"the first {self.followed} matches"

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The rule set itself."""
        if not isinstance(rules.match, Combine):
            raise ConfigError(f"{rules.name} is no trictrac combiné")
        return {MAIN: Needed(rules=rules)}

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        assert isinstance(rules.match, Combine)  # plays has refused others
        sums = class_sums(played, rules.match)
        yield from of_classes(sums, level)
        followed = min(self.followed, sums.matches)
        yield from of_runs(watch(rules, played.players, played.seed(), followed), followed, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of sets won by player 1, as for any run."""
        return None
