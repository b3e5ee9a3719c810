"""Players compared with the first of them by duplicate matches: the same dice, the seats exchanged.

A match of seed and number meets the same dice whoever sits where. So the play of A against B and that of B against
A at one seed hold the same matches with the seats exchanged, played now or stored before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit import stopping
from simkit.analysis import duplicate, intervals, luck
from simkit.analysis.duplicate import of_player
from simkit.analysis.luck import Adjusted, LuckSums
from simkit.analysis.measure import Measure
from simkit.analysis.precision import schedule, tuned
from simkit.analysis.question import Rows, paired
from simkit.comparisons import (
    Compared,
    Comparison,
    Goals,
    Side,
    adjusted,
    asked_of,
    check_goals,
    checked,
    looked_until,
    sides_of,
)
from simkit.dataset import PlaySpec, StoredPlayer, doubted
from simkit.drivers.luck import check_judge, kinds_of_luck, parts_of_luck, play_with_luck
from simkit.errors import UsageError, VerificationFailed
from simkit.players import Player, Players
from simkit.progress import Reporter

LUCK_CHUNK: Final = 256
"""Matches that a worker plays again in one go, to see their luck."""


@dataclass(frozen=True, eq=False)
class Exchanged:
    """A baseline and a variant who meet twice on the same dice: `one` as players 1 and 2, `two` the other way."""

    one: Side
    two: Side

    def first(self, count: int) -> Exchanged:
        """The same with the first so many pairs."""
        return Exchanged(self.one.first(count), self.two.first(count))

    @property
    def pairs(self) -> int:
        """Matches that both hold."""
        return min(self.one.matches, self.two.matches)


def are_exchanged(one: Side | PlaySpec, two: Side | PlaySpec) -> bool:
    """Tell whether two plays are of the same rules, dice and starts, their two players exchanging seats."""
    plays = [side.play if isinstance(side, Side) else side for side in (one, two)]
    players = [[player.digest for player in play.players] for play in plays]
    return (
        len(players[0]) == 2
        and players[0] == players[1][::-1]
        and players[0] != players[1]
        and plays[0].seed == plays[1].seed
        and plays[0].starts == plays[1].starts
        and one.rules.digest == two.rules.digest
    )


# ---------------------------------------------------------------- comparing


def compare_players(
    given: Sequence[Exchanged],
    *,
    chosen: Sequence[str] = (),
    margins: Mapping[str, float] | None = None,
    level: float = intervals.LEVEL,
    tuned_at: int | None = None,
    by_sequence: bool = False,
    lucky: Mapping[int, LuckSums] | None = None,
) -> Comparison:
    """Compare the second player of each exchange with the first, who is the same in all of them.

    Parameters
    ----------
    chosen, margins, level, tuned_at, by_sequence
        As for `simkit.comparisons.compare_sides`.
    lucky
        By place of the exchange: its luck, to be taken off.

    Raises
    ------
    UsageError
        As `compare_sides`; or players who are the same.
    """
    rules = given[0].one.rules
    declared = checked(duplicate.of_players(rules), chosen, margins, level)
    asked = tuple(declared)
    names = _names(given)
    family = len(given) * len(asked)
    variants = []
    for place, (name, one) in enumerate(zip(names[1:], given, strict=True)):
        with doubted(one.one.run, one.two.run):
            sums = duplicate.sum_exchanged(_measured(one), asked)
        if sums.n[0] < 2:
            raise UsageError(f"{name}: {sums.n[0]} pairs of matches can be compared; two are needed")
        contrasts = tuple(
            duplicate.contrast_players(
                sums,
                measure,
                margin=margin,
                level=level,
                family=family,
                tuned_at=tuned_at,
                by_sequence=by_sequence,
            )
            for measure, margin in declared.items()
        )
        seen = (lucky or {}).get(place)
        variants.append(
            Compared(
                name=name,
                side=one.one,
                pairing="seats exchanged",
                changes=(),
                matches=sums.n,
                left_out=sums.left_out,
                unpaired=abs(one.one.matches - one.two.matches),
                winner_differs=None,
                contrasts=contrasts,
                chances=(),
                sums=sums,
                level=level,
                seat=duplicate.seat(sums, asked[0], level),
                back=one.two,
                luck=() if seen is None else _without_luck(seen, declared, level, family),
            )
        )
    return Comparison(
        name=names[0], baseline=given[0].one, variants=adjusted(variants), level=level, family=family
    )


def _without_luck(
    seen: LuckSums, declared: Mapping[Measure, float], level: float, family: int
) -> tuple[Adjusted, ...]:
    return tuple(
        luck.adjusted(seen, measure, margin=margin, level=level, family=family)
        for measure, margin in declared.items()
    )


def _measured(one: Exchanged) -> Iterator[tuple[Rows, Rows]]:
    streams = [duplicate.measured_players(side.run, side.place, side.rules) for side in (one.one, one.two)]
    return paired(streams[0], streams[1])


def _names(given: Sequence[Exchanged]) -> tuple[str, ...]:
    """The players by name, and by digest where names do not tell them apart."""
    players = [given[0].one.play.players[0], *(one.one.play.players[1] for one in given)]
    _check_apart(players)
    names = tuple(player.name for player in players)
    if len(set(names)) == len(names):
        return names
    return tuple(f"{player.name} {player.digest[:8]}" for player in players)


def _check_apart(players: Sequence[Player | StoredPlayer]) -> None:
    if len({player.digest for player in players}) < len(players):
        raise UsageError(
            f"players {', '.join(player.name for player in players)}: two of them play alike; nothing differs"
        )


# ---------------------------------------------------------------- playing what is missing


@dataclass(frozen=True, eq=False)
class Meeting:
    """Two plays, or what is stored of them, in which a baseline and a variant meet with the seats exchanged."""

    one: Side | PlaySpec
    two: Side | PlaySpec


def meetings(spec: PlaySpec, others: Sequence[Player]) -> tuple[Meeting, ...]:
    """The baseline, who is player 1 of `spec`, meets every other player; all play differently."""
    _check_apart([spec.players[0], *others])
    found = []
    for other in others:
        seats = (spec.players[0], other)
        one, two = (dataclasses.replace(spec, players=players) for players in (seats, seats[::-1]))
        found.append(Meeting(one, two))
    return tuple(found)


def met(
    given: Sequence[Meeting],
    matches: int,
    *,
    root: str | Path = "results",
    jobs: int | None = None,
    progress: Reporter | None = None,
) -> tuple[Exchanged, ...]:
    """The meetings with so many matches of each play; what is missing is played into runs below `root`."""
    plays = [play for one in given for play in (one.one, one.two)]
    sides = sides_of(plays, matches, root=root, jobs=jobs, progress=progress)
    return tuple(Exchanged(*pair) for pair in zip(sides[::2], sides[1::2], strict=True))


def compare_players_until(
    given: Sequence[Meeting],
    goals: Goals,
    most: int,
    *,
    chosen: Sequence[str] = (),
    margins: Mapping[str, float] | None = None,
    level: float = intervals.LEVEL,
    root: str | Path = "results",
    jobs: int | None = None,
    progress: Reporter | None = None,
) -> Comparison:
    """Play pairs up to one look after the other, as `simkit.comparisons.compare_until` plays matches."""
    check_goals(goals, asked_of(duplicate.of_players(given[0].one.rules), chosen), margins or {})
    held = [side.matches for one in given for side in (one.one, one.two) if isinstance(side, Side)]
    counts = schedule(min(most, max(held)) if len(held) == 2 * len(given) else most)

    def compared(now: int) -> Comparison:
        return compare_players(
            met(given, now, root=root, jobs=jobs, progress=progress),
            chosen=chosen,
            margins=margins,
            level=level,
            tuned_at=tuned(counts),
            by_sequence=goals == "decided",
        )

    return looked_until(goals, counts, compared)


# ---------------------------------------------------------------- luck


def luck_of(
    one: Exchanged,
    players: tuple[Players, Players],
    judge: Player,
    chosen: Sequence[str] = (),
    *,
    jobs: int | None = None,
    progress: Reporter | None = None,
) -> LuckSums:
    """Play the matches of an exchange again and see how lucky they were; no row is changed.

    Parameters
    ----------
    players
        Those of either play, as they were.
    judge
        Who tells what a position is worth.
    chosen
        The measures whose differences the luck is to be taken off.

    Raises
    ------
    UsageError
        A judge who cannot tell, or matches of which no luck is counted.
    VerificationFailed
        Rows that are not what is played again, or luck that is not 0 on average.
    """
    rules = one.one.rules
    kinds = kinds_of_luck(rules)
    check_judge(rules, judge)
    asked = asked_of(duplicate.of_players(rules), chosen)
    found = LuckSums(kinds, parts_of_luck(rules), asked)
    pairs = one.pairs
    told = [
        _lucks(side, seated, judge, pairs, jobs, progress)
        for side, seated in zip((one.one, one.two), players, strict=True)
    ]
    for rows, others in _measured(one):
        whole = rows["whole"] & others["whole"]
        match_id = rows["match_id"][whole]
        changes = {
            name: (
                rows[of_player(2, name)] - rows[of_player(1, name)]
                + others[of_player(1, name)] - others[of_player(2, name)]
            )[whole]
            for name in (measure.name for measure in asked)
        }  # fmt: skip
        found.add(match_id, told[0][match_id], told[1][match_id], changes)
    found.check([side.play.title for side in (one.one, one.two)])
    return found


def _lucks(
    side: Side, players: Players, judge: Player, count: int, jobs: int | None, progress: Reporter | None
) -> NDArray[np.int64]:
    """The luck of the first matches of a play, int64 (count, kinds), by number of the match."""
    from joblib import Parallel, delayed

    compiled = all(player.compiled for player in players)
    parallel = Parallel(
        n_jobs=-1 if jobs is None else jobs,
        prefer="threads" if compiled else "processes",
        return_as="generator",
    )
    play = side.play
    tasks = [(first, min(LUCK_CHUNK, count - first)) for first in range(0, count, LUCK_CHUNK)]
    if progress is not None:
        progress.note(f"{play.title}: {count:,} matches are played again to see how lucky they were")
    rolls = _kept_rolls(side, count)
    found: list[NDArray[np.int64]] = []
    for (first, many), (again, luck_found) in zip(
        tasks,
        parallel(
            delayed(_chunk)(side.rules, players, play.seed, *task, judge, play.starts) for task in tasks
        ),
        strict=True,
    ):
        stopping.raise_if_stopped()
        if not np.array_equal(again, rolls[first : first + many]):
            raise VerificationFailed(
                f"{side.run.folder}: matches {first} to {first + many - 1} of {play.title} are not what is played "
                "again; their rolls differ"
            )
        found.append(luck_found)
    return np.concatenate(found)


def _kept_rolls(side: Side, count: int) -> NDArray[np.int64]:
    """The rolls that a run has noted of its first matches, by number of the match; -1 of one it does not hold."""
    rolls = np.full(count, -1, np.int64)
    for block in side.run.iter_matches(side.place, ("match_id", "rolls")):
        within = block["match_id"] < count
        rolls[block["match_id"][within]] = block["rolls"][within]
    return rolls


def _chunk(*task: Any) -> tuple[Any, Any]:
    """What a worker does: the rolls of some matches, and their luck."""
    tables, found = play_with_luck(*task)
    return tables.matches["rolls"], found
