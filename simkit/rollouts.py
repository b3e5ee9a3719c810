"""Rollout of a roll: each of its plays, and going where that is allowed, played on many times and ranked.

All candidates are played on with the same dice, match by match: the dice belong to seed, match and place, so two
candidates differ by what they lead to and not by luck. The best is chosen after the play; differences to it are
therefore judged simultaneously over all pairs of candidates.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from simkit import explain, steps, tables
from simkit.analysis import intervals
from simkit.dataset import MAX_SEED, check_whole
from simkit.drivers import (
    Engine,
    State,
    TablesEngine,
    check_state,
    games_from,
    set_columns,
    set_cube,
    tables_of,
    units_from,
)
from simkit.drivers.chunk import played_out
from simkit.drivers.points import decided, rounds_of_points, standing
from simkit.errors import UsageError
from simkit.explain import Play
from simkit.kernel.records import FREE, GO
from simkit.numbering import OURS, Numbering
from simkit.play import legal_plays
from simkit.players import Players, refuse_misfit
from simkit.rules import PointMatch, RuleSet, TwelveHoles
from simkit.settle import partie_prices, set_values

if TYPE_CHECKING:
    import pandas as pd

CHUNK: Final = 250
"""Units that a worker plays in one go."""
MOST_MATCHES: Final = 1_000_000
DECIDED: Final = "decided by the roll"
"""Method of a number that was not sampled: the roll, or going on it, ends the unit."""

Verdict = Literal["best", "no worse within chance", "worse"]
Going = Literal["", "go", "go, wins the set", "go, set done over", "go, concedes the set"]


@dataclass(frozen=True)
class Candidate:
    """One thing the roller may do, and what came of it. Amounts are signed for him.

    Attributes
    ----------
    play
        Steps and the men after them; None where he goes.
    going
        Empty where he holds, else what going does.
    value
        Mean result with its t interval: stakes of the partie, points of the set or of the game; of a match 1 for
        one won and -1 for one lost.
    won
        Share of the units he wins, with Wilson's interval.
    difference
        Mean of the paired difference to the best, never above 0, with its simultaneous interval; None for the
        best.
    verdict
        Worse where the interval of the difference lies below 0.
    capped
        Units without a winner.
    """

    play: Play | steps.Told | None
    going: Going
    value: intervals.Interval
    won: intervals.Interval
    difference: intervals.Interval | None
    verdict: Verdict
    capped: int

    def words(self, names: Numbering = OURS) -> str:
        """The play as moves, or what going does."""
        if isinstance(self.play, steps.Told):
            return steps.moves(self.play.steps, names)
        return explain.moves(self.play.steps, names) if self.play else self.going


@dataclass(frozen=True)
class Rollout:
    """What `rollout` found; `candidates` from the best down.

    `n` of `matches` units were counted: those that came to their end with every candidate. `unit` is what the
    values count: ``stakes`` of a partie, ``points`` of a set or of a game, ``matches`` where the score of a match
    to points was given.
    """

    rules: RuleSet
    players: Players
    start: State
    seed: int
    matches: int
    n: int
    unit: Literal["stakes", "points", "matches"]
    may_go: bool
    level: float
    candidates: tuple[Candidate, ...]

    @property
    def kind(self) -> Literal["parties", "sets", "games", "matches"]:
        """What was played on: parties or sets of trictrac, games or matches of toutes tables or backgammon."""
        if isinstance(self.rules.match, PointMatch):
            return "matches" if self.unit == "matches" else "games"
        return "parties" if self.unit == "stakes" else "sets"

    @property
    def pairs(self) -> int:
        """Pairs of candidates, over which the differences are judged together."""
        return len(self.candidates) * (len(self.candidates) - 1) // 2

    @property
    def frame(self) -> pd.DataFrame:
        """One row per candidate, from the best down; positions in the mover's numbers, empty where he goes."""
        import pandas as pd

        return pd.DataFrame([_row(one) for one in self.candidates])


def rollout(
    rules: RuleSet,
    start: State,
    players: Players,
    *,
    matches: int = 2000,
    seed: int = 0,
    jobs: int | None = None,
    level: float = intervals.LEVEL,
) -> Rollout:
    """Play every candidate of a roll on to the end of its set, partie or game, and rank them.

    Where a start tells the score of a match to points, the match is played to its end, and counts as won or lost.

    Parameters
    ----------
    rules
        What is played, and by which settlement the result counts.
    start
        The state before the roll, with the roll.
    players
        Player 1 and player 2, who play on; the answer holds for them.
    matches
        Units played from each candidate, 2 to 1,000,000.
    seed
        Of all dice, 0 to 2**64 - 1.
    jobs
        Workers; every core this process may use if not given. They change no number.
    level
        Nominal coverage of the intervals, of all differences together.

    Raises
    ------
    UsageError
        A start that cannot be under these rules or has no roll, a number out of range, players who cannot play
        these rules, or fewer than two units that came to their end.
    """
    check_state(start, rules)
    refuse_misfit(rules, players)
    check_whole("seed", seed, 0, MAX_SEED, "2**64 - 1")
    check_whole("matches", matches, 2, MOST_MATCHES)
    if jobs is not None:
        check_whole("jobs", jobs, 1, MOST_MATCHES)
    if start.dice is None:
        raise UsageError(f"a rollout needs the roll that is played [{start.position}]")
    choices = _plays(rules, start, start.dice)
    going = _going(rules, players, start)
    choices += [(None, GO)] if going else []

    values, winners = _played(rules, players, start, [forced for _, forced in choices], matches, seed, jobs)
    counted = (winners != 0).all(axis=0)
    n = int(counted.sum())
    if n < 2:
        raise UsageError(
            f"of {matches} units {matches - n} were cut at the cap on their rolls with some play; "
            "too few are left to compare"
        )
    found = [
        _candidate(
            play, going, value[counted], winner, counted, _decides(rules, players, start, forced), level
        )
        for (play, forced), value, winner in zip(choices, values, winners, strict=True)
    ]
    return Rollout(
        rules=rules,
        players=players,
        start=start,
        seed=seed,
        matches=matches,
        n=n,
        unit=_unit(rules, start),
        may_go=bool(going),
        level=level,
        candidates=_ranked(found, values[:, counted], level),
    )


def _unit(rules: RuleSet, start: State) -> Literal["stakes", "points", "matches"]:
    if isinstance(rules.match, TwelveHoles):
        return "stakes"
    return "matches" if isinstance(rules.match, PointMatch) and any(start.match_score) else "points"


def _candidate(
    play: Play | steps.Told | None,
    going: Going,
    value: NDArray[np.int64],
    winner: NDArray[np.int64],
    counted: NDArray[np.bool_],
    decided: bool,
    level: float,
) -> Candidate:
    n, won = len(value), int((winner[counted] > 0).sum())
    return Candidate(
        play=play,
        going="" if play else going,
        value=intervals.exact(float(value[0]), n, DECIDED, level) if decided else _mean(value, level),
        won=intervals.exact(won / n, n, DECIDED, level) if decided else intervals.proportion(won, n, level),
        difference=None,
        verdict="best",
        capped=int((winner == 0).sum()),
    )


def _plays(rules: RuleSet, start: State, dice: tuple[int, int]) -> list[tuple[Play | steps.Told | None, int]]:
    """The legal plays of the roll, each with its place in the kernel's list."""
    if isinstance(rules.match, PointMatch):
        game, _ = tables_of(rules)
        positions = tables.legal_plays(game, start.position, dice)
        told = steps.list_plays(game, start.position, dice)
        return [(one, positions.index(one.position)) for one in told]
    listed = legal_plays(rules.trictrac_game, start.position, dice)
    plays = explain.list_plays(rules.trictrac_game, start.position, dice)
    return [(play, listed.index(play.position)) for play in plays]


def _decides(rules: RuleSet, players: Players, start: State, forced: int) -> bool:
    """Whether the roll, so played, ends the unit."""
    ids = np.zeros(1, np.int64)
    if isinstance(rules.match, PointMatch):
        games = _games(rules, start, ids)
        if not TablesEngine(rules, players, 0).play(games, forced, most_rolls=1)[0]:
            return False
        return _unit(rules, start) == "points" or _ends_match(rules.match, start, games)
    units = units_from(start, ids, game=rules.trictrac_game, match=rules.trictrac_match)
    return bool(Engine(rules, players, 0).play(units, forced, most_rolls=1)[0])


def _games(rules: RuleSet, start: State, ids: NDArray[np.int64]) -> Any:
    """Game records that start from a state, as it stands in the match."""
    _, match = tables_of(rules)
    games = games_from((start,), ids)
    points, rested, _ = standing(match, (start,), ids)
    set_cube(match, games, points, rested)
    return games


def _ends_match(match: PointMatch, start: State, games: Any) -> bool:
    """Whether a game that went on from a state, and is over, is the last of its match."""
    points, _, before = standing(match, (start,), games.match_id)
    points[0, games.winner[0]] += games.points[0]
    return bool(decided(match, points, 1, before)[0])


def _match_winners(
    rules: RuleSet, players: Players, seed: int, first: int, count: int, start: State, forced: int
) -> NDArray[np.int64]:
    """Play matches to their end from a state; who wins them, 1 or 2, or 0 where one was cut."""
    engine = TablesEngine(rules, players, seed)
    bound = iter((forced,))  # the first game alone opens with the play asked for
    rounds = rounds_of_points(rules, engine, first, count, (start,))
    found = played_out(rounds, lambda games: engine.play(games, next(bound, FREE)))
    return np.asarray(found.matches["winner"], np.int64)


def _going(rules: RuleSet, players: Players, start: State) -> Going:
    """What going on this roll does; empty if the roller may not go, or the roll ends the unit before."""
    if isinstance(rules.match, PointMatch):
        return ""
    units = units_from(start, np.zeros(1, np.int64), game=rules.trictrac_game, match=rules.trictrac_match)
    engine = Engine(rules, players, 0)
    if engine.play(units, GO, most_rolls=1)[0]:
        last_hole = int(engine.lowered.last_hole[0])
        if last_hole and units.holes[0].max() >= last_hole:
            return ""
        return "go, wins the set" if units.winner[0] == start.roller else "go, concedes the set"
    if units.do_overs[0] > start.do_overs:
        return "go, set done over"
    return "go" if units.start_no[0] > units.sorties[0] else ""


def _played(
    rules: RuleSet,
    players: Players,
    start: State,
    forced: Sequence[int],
    matches: int,
    seed: int,
    jobs: int | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Results and winners, 1 or -1 for the roller and 0 if capped, both (candidates, matches)."""
    from joblib import Parallel, delayed

    compiled = all(player.compiled for player in players)
    parallel = Parallel(n_jobs=-1 if jobs is None else jobs, prefer="threads" if compiled else "processes")
    tasks = [
        (first, min(CHUNK, matches - first), choice)
        for choice in forced
        for first in range(0, matches, CHUNK)
    ]
    chunks = parallel(delayed(_chunk)(rules, players, start, seed, *task) for task in tasks)
    whole = np.concatenate(chunks, axis=1).reshape(2, len(forced), matches)
    return whole[0], whole[1]


def _chunk(
    rules: RuleSet,
    players: Players,
    start: State,
    seed: int,
    first: int,
    count: int,
    forced: int,
) -> NDArray[np.int64]:
    """Results and winners of a stretch of units of one candidate, (2, count)."""
    ids = np.arange(first, first + count, dtype=np.int64)
    if isinstance(rules.match, PointMatch):
        if _unit(rules, start) == "matches":
            winner = _match_winners(rules, players, seed, first, count, start, forced)
            mine = np.where(winner == 0, 0, np.where(winner == start.roller + 1, 1, -1))
            return np.stack([mine, mine])
        games = _games(rules, start, ids)
        TablesEngine(rules, players, seed).play(games, forced)
        mine = np.where(games.winner < 0, 0, np.where(games.winner == start.roller, 1, -1))
        return np.stack([mine * games.points, mine])
    engine = Engine(rules, players, seed)
    units = units_from(start, ids, game=rules.trictrac_game, match=rules.trictrac_match)
    engine.play(units, forced)
    rows = set_columns([units], int(engine.lowered.set_min_holes[0]))
    mine = np.where(rows["winner"] == 0, 0, np.where(rows["winner"] == start.roller + 1, 1, -1))
    match = rules.trictrac_match
    if isinstance(match, TwelveHoles):
        worth = partie_prices(rows, match.settlement)
    else:
        worth = set_values(rows, match.settlement)["value"]
    return np.stack([mine * worth.astype(np.int64), mine])


def _ranked(found: Sequence[Candidate], values: NDArray[np.int64], level: float) -> tuple[Candidate, ...]:
    """The candidates from the best down, each with its difference to the best."""
    order = sorted(range(len(found)), key=lambda place: -found[place].value.mean)
    best = order[0]
    pairs = max(1, len(found) * (len(found) - 1) // 2)
    ranked = [found[best]]
    for place in order[1:]:
        difference = _difference(found[place], found[best], values[place] - values[best], pairs, level)
        verdict: Verdict = "worse" if difference.high < 0 else "no worse within chance"
        ranked.append(dataclasses.replace(found[place], difference=difference, verdict=verdict))
    return tuple(ranked)


def _difference(
    one: Candidate, best: Candidate, values: NDArray[np.int64], pairs: int, level: float
) -> intervals.Interval:
    """The paired difference of a candidate to the best, judged together with all pairs."""
    if one.value.method == best.value.method == DECIDED:
        return intervals.exact(one.value.mean - best.value.mean, len(values), DECIDED, level)
    alone = _mean(values, 1 - (1 - level) / pairs)
    words = f"{pairs} pairs" if pairs > 1 else "1 pair"
    return dataclasses.replace(alone, level=level, method=f"paired t, Bonferroni over {words}")


def _mean(values: NDArray[np.int64], level: float) -> intervals.Interval:
    return intervals.mean(len(values), int(values.sum()), int((values * values).sum()), level)


def _row(one: Candidate) -> dict[str, Any]:
    nan = float("nan")
    difference = one.difference
    return {
        "play": one.words(),
        "position": str(one.play.position) if one.play else "",
        "goes": one.play is None,
        "value": one.value.mean,
        "value_low": one.value.low,
        "value_high": one.value.high,
        "won": one.won.mean,
        "won_low": one.won.low,
        "won_high": one.won.high,
        "difference": difference.mean if difference else nan,
        "difference_low": difference.low if difference else nan,
        "difference_high": difference.high if difference else nan,
        "verdict": one.verdict,
        "capped": one.capped,
        "n": one.value.n,
    }
