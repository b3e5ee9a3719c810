"""What every question asks of an experiment: which plays it needs, which rows it reads, what it estimates.

A question is a frozen declaration in a file of its own beside this one. It reads rows block by block and keeps
sums only, so that any number of matches fits in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from simkit.analysis.estimates import Estimate
from simkit.dataset import Run
from simkit.drivers import State
from simkit.players import Players
from simkit.progress import Monitor
from simkit.rules import RuleSet

Rows: TypeAlias = Mapping[str, NDArray[Any]]

LONGEST = 24
"""The most sets a written match may have."""
MAIN = ""
"""The key of the play that a rule set itself stands for; a question's other plays have names."""


@dataclass(frozen=True, kw_only=True)
class Needed:
    """One play that a question needs of a rule set; every pair of players of the experiment plays it."""

    rules: RuleSet
    """What is played, under a name that no other play of the experiment has."""
    times: int = 1
    """Its matches, as a multiple of the experiment's."""
    starts: tuple[State, ...] = ()
    """Where its matches start, one after the other; as matches do if there are none."""
    opens_as: str = ""
    """By whose judgement both players take the opening play of each game, a player of the catalogue; their own if
    empty."""
    passed_over: int = 0
    """How many plays worth more they pass over in it."""
    seats: tuple[int, ...] = ()
    """Which of the experiment's players, from 0, sits at each place of the table; as they are listed if empty."""


class Question(Protocol):
    """What an experiment asks; a frozen declaration, compared and shown field by field."""

    by_settlement: ClassVar[bool]
    """Whether rule sets that differ in settlement alone have different answers."""
    by_players: ClassVar[tuple[str, ...]]
    """Measures that are compared between pairs of players."""
    by_rules: ClassVar[tuple[str, ...]]
    """Measures that are compared between rule sets."""
    chunk_matches: ClassVar[int | None]
    """Matches to a chunk, where the question needs parts of a known size; None leaves it to the players."""

    def problems(self) -> Iterable[str]:
        """What is wrong with the declaration, in words."""

    def facts(self) -> Iterable[tuple[str, str]]:
        """The declaration in words: what, and how it is said."""

    def plays(self, rules: RuleSet) -> Mapping[str, Needed]:
        """The plays needed of a rule set, by key, `MAIN` first; raises ConfigError for rules it cannot ask of."""

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterable[Estimate]:
        """The numbers of one rule set and pair of players, with intervals at this level."""

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """What a waiting user is shown, by the place of a play; None for the shares won."""


@runtime_checkable
class Indifferent(Protocol):
    """A question to which some fields of the settlement do not matter."""

    indifferent_to: ClassVar[tuple[str, ...]]
    """Rule sets of one play that differ in these fields alone have the same answer."""


@runtime_checkable
class OfTables(Protocol):
    """A question of toutes tables and backgammon; one that does not say so is of trictrac."""

    of_tables: ClassVar[bool]
    """Whether it reads games to a number of points."""


@dataclass(frozen=True)
class Played:
    """The rows that one rule set and pair of players stand on: a run, and the place of each play in it."""

    run: Run
    place: Mapping[str, int]
    """By the keys of `Question.plays`."""
    players: Players = ()
    """The pair itself, for a question that plays some matches again or on."""

    def seed(self, key: str = MAIN) -> int:
        """The seed of a play, which the dice of a settlement also hang on."""
        return self.run.plays[self.place[key]].seed

    def sets(self, columns: Sequence[str], key: str = MAIN) -> Iterator[Rows]:
        """Rows of `sets` in blocks of whole matches, as `simkit.dataset.Run.iter_sets`."""
        return self.run.iter_sets(self.place[key], columns)

    def combined(self, columns: Sequence[str], key: str = MAIN) -> Iterator[tuple[Rows, Rows]]:
        """Rows of `sets` with the games of honours of the same matches, as `simkit.dataset.Run.iter_combined`."""
        return self.run.iter_combined(self.place[key], columns)

    def matches(self, columns: Sequence[str], key: str = MAIN) -> Iterator[Rows]:
        """Rows of `matches` in blocks, as `simkit.dataset.Run.iter_matches`."""
        return self.run.iter_matches(self.place[key], columns)

    def rows(self, table: str, columns: Sequence[str], key: str = MAIN) -> Iterator[Rows]:
        """Rows of any table of a play by its name, as `simkit.dataset.Run.iter_rows`."""
        return self.run.iter_rows(table, self.place[key], columns)

    def games(self, columns: Sequence[str], key: str = MAIN) -> Iterator[Rows]:
        """Rows of `games` in blocks of whole matches, as `simkit.dataset.Run.iter_games`."""
        return self.run.iter_games(self.place[key], columns)

    def figures(self, group: int, key: str = MAIN) -> NDArray[np.int64]:
        """Ways and points by figure, int64 (groups, 2 sides, figures, 2), for groups of so many matches.

        The parts of the play must not be longer than a group, nor lie across the bound of two: played in
        rounds of `group` matches they do not, however often the run was added to. A group of which the run
        leaves out some matches is left out, and those after it.
        """
        parts = [part for part in self.run.parts if part.play == self.place[key]]
        groups = 1 + max(((part.end - 1) // group for part in parts), default=-1)
        groups = min([groups, *(part.first // group for part in parts if self.run.is_cut(part))])
        shape = np.shape(parts[0].figures) if parts else (2, 0, 2)
        sums = np.zeros((groups, *shape), dtype=np.int64)
        for part in (part for part in parts if part.first // group < groups):
            sums[part.first // group] += np.array(part.figures, dtype=np.int64)
        return sums


def length_problems(lengths: Sequence[int]) -> Iterator[str]:
    """What is wrong with the numbers of sets that a question asks of, in words."""
    wrong = [length for length in lengths if length % 2 or not 2 <= length <= LONGEST]
    if wrong or not lengths or len(set(lengths)) < len(lengths):
        yield f"lengths = {lengths}: even numbers from 2 to {LONGEST}, each once"


def paired(one: Iterable[Rows], two: Iterable[Rows]) -> Iterator[tuple[Rows, Rows]]:
    """Cut two streams of rows, one row a match in the order of match_id, to the matches that both hold.

    Yields
    ------
    tuple of mappings
        Blocks with the same `match_id`, row for row.
    """
    ours, theirs = iter(one), iter(two)
    a, b = next(ours, None), next(theirs, None)
    while a is not None and b is not None:
        in_a, in_b = (np.isin(x["match_id"], y["match_id"]) for x, y in ((a, b), (b, a)))
        if in_a.any():
            yield _rows(a, in_a), _rows(b, in_b)
        last = min(a["match_id"][-1], b["match_id"][-1])
        a = _after(a, last) or next(ours, None)
        b = _after(b, last) or next(theirs, None)


def _rows(block: Rows, chosen: NDArray[np.bool_]) -> Rows:
    return {name: column[chosen] for name, column in block.items()}


def _after(block: Rows, match: int) -> Rows | None:
    """The rows of later matches, if there are any."""
    later = block["match_id"] > match
    return _rows(block, later) if later.any() else None
