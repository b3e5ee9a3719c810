"""What players do at holes on their own dice in trictrac combiné, and what each thing they may do leads to.

Matches of a run are played again roll by roll with the same dice; of the decisions met in them some are taken as
starts and played on with every choice bound, to the end of the match, on the same new dice. Decisions D3 of
rules.md II.10.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.drivers import Engine, next_first_thrower, play_chunk, set_columns
from simkit.drivers.combine import following_sets, honours_columns
from simkit.drivers.rolls import LookedAt
from simkit.errors import UsageError
from simkit.honours import GAMES_FROM, honours_log, settle_combined
from simkit.kernel.records import (
    CAPPED,
    FREE,
    GO,
    INTACT,
    NOT_SUSPENDED,
    SUSPEND_HONOURS,
    SUSPEND_WRITTEN,
)
from simkit.players import Always, AlwaysWhat, Players
from simkit.rules import Combine, RuleSet, UnfinishedHonours, replace
from simkit.settle import SETTLED_FROM

CHOICES: Final = ("hold", "go", "suspend_written", "suspend_honours")
HOLD, GOES, LEAVES_WRITTEN, LEAVES_HONOURS = range(len(CHOICES))
"""Places in `CHOICES`."""
BOUND: Final = {GOES: GO, LEAVES_WRITTEN: SUSPEND_WRITTEN, LEAVES_HONOURS: SUSPEND_HONOURS}
FAR_SIDE: Final = 0xFFF000
"""Mask of the arrows beyond the coin, in their owner's numbers."""
CHUNK: Final = 4096
"""Units that a worker plays on in one go, with each choice."""
NEW_DICE: Final = 1
"""Added to the seed of a run for the dice with which its decisions are played on."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions met in play, in order of match, set and roll, no game being suspended.

    Attributes
    ----------
    units
        Unit records before the roll, with the roll given.
    match_id, unit_no
        int64 (n,): the match, and how many sets were over in it.
    who
        int64 (n,): who decides, 0 or 1.
    did
        int64 (n,): what he did, a place in `CHOICES`.
    written, honours
        int64 (n, 2): holes of who decides and of the other in the set and in the game of honours, the holes of
        the roll counted in.
    run
        bool (n, 2): whether his own run is unbroken in the set and in the game of honours.
    scored_first
        bool (n,): whether he made the first hole of the game of honours.
    far
        int64 (n,): his men beyond the coin before the roll.
    basket
        int64 (n,): fish in the pool.
    """

    units: Any
    match_id: NDArray[np.int64]
    unit_no: NDArray[np.int64]
    who: NDArray[np.int64]
    did: NDArray[np.int64]
    written: NDArray[np.int64]
    honours: NDArray[np.int64]
    run: NDArray[np.bool_]
    scored_first: NDArray[np.bool_]
    far: NDArray[np.int64]
    basket: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.who)


class Followed:
    """The first matches of a run played again, with the decisions of both players.

    Parameters
    ----------
    rules, players, seed
        What was played; the match is trictrac combiné.
    matches
        How many matches are followed.
    """

    def __init__(self, rules: RuleSet, players: Players, seed: int, matches: int) -> None:
        assert isinstance(rules.match, Combine)
        self.rules, self.players, self.seed, self.matches = rules, players, seed, matches
        self.match = rules.match
        self._engine = Engine(rules, players, seed)
        self._met: list[tuple[Any, Any, Any]] = []
        chunk = play_chunk(
            rules, players, seed, 0, matches, engine=LookedAt(rules, players, seed, self._look)
        )
        self.sets = {name: chunk.sets[name] for name in (*SETTLED_FROM, "set_no")}
        self.games = {name: chunk.others["honours_games"][name] for name in GAMES_FROM}
        self.decisions = self._gathered()

    def _look(self, before: Any, after: Any, ended: Any) -> None:
        """Keep the units in which somebody may go or suspend on this roll."""
        rows, who = np.arange(len(before)), before.roller
        made = ended | (_goings(after) != _goings(before)) | (after.games != before.games)
        for name in ("holes", "honours_holes"):
            made |= after[name][rows, who] != before[name][rows, who]
        at = np.flatnonzero(made & (before.suspension == NOT_SUSPENDED) & (after.ended_by != CAPPED))
        asked = before[at]
        over = self._engine.play(asked, GO, 1)
        at = at[over | (_goings(asked) != _goings(before[at]))]
        start = before[at]
        start.die_1, start.die_2 = after.thrown_1[at], after.thrown_2[at]
        at_once = start.copy()
        self._engine.play(at_once, SUSPEND_HONOURS, 1)
        self._met.append((start, at_once, _deeds(before[at], after[at], ended[at])))

    def _gathered(self) -> Decisions:
        whole: list[Any] = [np.concatenate(parts) for parts in zip(*self._met, strict=True)]
        self._met.clear()
        units, rested, did = whole[0].view(np.recarray), whole[1].view(np.recarray), whole[2]
        order = np.lexsort((units.rolls + units.rolls_do_overs, units.unit_no, units.match_id))
        units, rested, did = units[order], rested[order], did[order]
        rows, who = np.arange(len(units)), units.roller
        other = 1 - who
        unbroken = (units.run[rows, who] == INTACT) | (units.holes[rows, who] == 0)
        return Decisions(
            units=units,
            match_id=units.match_id.copy(),
            unit_no=units.unit_no.copy(),
            who=who.copy(),
            did=did,
            written=np.stack([rested.holes[rows, who], units.holes[rows, other]], axis=1),
            honours=np.stack([rested.honours_holes[rows, who], rested.honours_holes[rows, other]], axis=1),
            run=np.stack([unbroken, rested.honours_run[rows, who] == INTACT], axis=1),
            scored_first=rested.honours_first == who,
            far=_men_beyond_coin(units.low[rows, who], units.high[rows, who]),
            basket=self._baskets(units.match_id, units.unit_no, rested.games),
        )

    def _baskets(self, match_id: Any, unit_no: Any, games: Any) -> NDArray[np.int64]:
        """The basket after so many games of a unit, and those of the units before it."""
        stakes = 2 * self.match.settlement.pool_stake_each
        log = honours_log(self.games, self.match.settlement, self.match.sets)
        if not len(log["basket"]):  # no match followed has finished a game
            return np.full(len(match_id), stakes, np.int64)
        first = np.searchsorted(self.games["match_id"], match_id)
        key = self.games["match_id"] * (self.match.sets + 2) + self.games["set_no"]
        before = np.searchsorted(key, match_id * (self.match.sets + 2) + unit_no, side="right")
        last = before + games - 1
        return np.where(last >= first, log["basket"][last], stakes).astype(np.int64)


def _goings(units: Any) -> Any:
    return units.settings + units.settings_do_overs


def _deeds(before: Any, after: Any, ended: Any) -> NDArray[np.int64]:
    """What each roller did at his hole, as places in `CHOICES`."""
    rows, who = np.arange(len(before)), before.roller
    did = np.where(ended | (_goings(after) != _goings(before)), GOES, HOLD)
    for deed, name in ((LEAVES_WRITTEN, "written_suspended"), (LEAVES_HONOURS, "honours_suspended")):
        did[after[name][rows, who] != before[name][rows, who]] = deed
    return did


def _men_beyond_coin(low: Any, high: Any) -> NDArray[np.int64]:
    planes = ((low, 1), (low >> 32, 2), (high, 4), (high >> 32, 8))
    found: NDArray[np.int64] = sum(
        weight * np.bitwise_count(plane & FAR_SIDE).astype(np.int64) for plane, weight in planes
    )
    return found


# ---------------------------------------------------------------- played on


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What came of some decisions with some choices, signed for who decides.

    `written`, jetons of the written match before rounding, and `honours`, fish with the pool, float64 (decisions,
    choices, repeats); nan where the match was cut with some choice.
    """

    written: NDArray[np.float64]
    honours: NDArray[np.float64]


def played_on(
    followed: Followed,
    chosen: NDArray[np.intp],
    repeats: int,
    choices: Sequence[int] = tuple(range(len(CHOICES))),
    *,
    jobs: int | None = None,
) -> Outcomes:
    """Play some decisions on to the end of their matches, each so often with each choice, on the same new dice.

    Parameters
    ----------
    followed
        The matches.
    chosen
        The decisions, by place.
    repeats
        How often each choice is played on.
    choices
        Places in `CHOICES`, in the order of the results.
    jobs
        Workers; every core this process may use if not given. They change no number.
    """
    from joblib import Parallel, delayed

    if followed.match.combine_unfinished_honours is not UnfinishedHonours.VOID:
        raise UsageError(
            "match.combine_unfinished_honours = play_on: decisions are played on to the end of the last set only"
        )
    step = max(1, CHUNK // repeats)
    parts = [(first, chosen[first : first + step]) for first in range(0, max(len(chosen), 1), step)]
    parallel = Parallel(
        n_jobs=-1 if jobs is None else jobs, require="sharedmem"
    )  # here, also beside a cluster
    found = parallel(delayed(_part)(followed, part, first, repeats, choices) for first, part in parts)
    written, honours = (np.concatenate(values) for values in zip(*found, strict=True))
    return Outcomes(written, honours)


def _part(
    followed: Followed, chosen: NDArray[np.intp], first: int, repeats: int, choices: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The results of some decisions, of which the first has that place among all."""
    shape = (len(chosen), len(choices), repeats)
    written, honours = np.zeros(shape), np.zeros(shape)
    match_ids = np.arange(first * repeats, (first + len(chosen)) * repeats, dtype=np.int64)
    for place, choice in enumerate(choices):
        units = np.repeat(followed.decisions.units[chosen], repeats).view(np.recarray)
        units.match_id = match_ids
        rounds = list(_rounds(followed, units, choice))
        found = _settled(followed, np.repeat(chosen, repeats), match_ids, rounds)
        sign = np.where(np.repeat(followed.decisions.who[chosen], repeats) == 0, 1, -1)
        for into, name in ((written, "written"), (honours, "honours_fish")):
            values = np.where(found["settled"], sign * found[name], np.nan)
            into[:, place] = values.reshape(len(chosen), repeats)
    return written, honours


def binders(rules: RuleSet, players: Players, seed: int) -> tuple[Engine, Engine]:
    """The engine of the players, and one of the same players who never go, by which holding is bound."""
    holding = tuple(replace(player, decision=Always(what=AlwaysWhat.HOLD)) for player in players)
    return Engine(rules, players, seed), Engine(rules, holding, seed)


def bind(engine: Engine, holding: Engine, units: Any, choice: int) -> Any:
    """Play one roll of units in place with the choice bound; return which it ended."""
    if choice == HOLD:
        return holding.play(units, FREE, 1)
    return engine.play(units, BOUND[choice], 1)


def _rounds(followed: Followed, units: Any, choice: int) -> Iterator[Any]:
    """Units played to their end with the first choice bound, and those that follow them in their matches."""
    seed = (followed.seed + NEW_DICE) % 2**64
    engine, holding = binders(followed.rules, followed.players, seed)
    over = bind(engine, holding, units, choice)
    rest = units[~over]
    engine.play(rest)
    units[~over] = rest
    while len(units):
        yield units
        units = units[(units.unit_no + 1 < followed.match.sets) & (units.ended_by != CAPPED)]
        first = next_first_thrower(followed.match.set_first_die, units.first_player, units.winner)
        units = following_sets(units, units.unit_no + 1, first)
        engine.play(units)


def _settled(
    followed: Followed, chosen: NDArray[np.intp], match_ids: NDArray[np.int64], rounds: Sequence[Any]
) -> dict[str, Any]:
    """Settle whole matches: what was played before each decision, and what was played on from it."""
    decisions = followed.decisions
    match_id, unit_no = decisions.match_id[chosen], decisions.unit_no[chosen]
    new_sets = set_columns(rounds)
    new_games = honours_columns(rounds, followed.match.target_holes)
    sets = _joined(followed.sets, new_sets, match_id, unit_no, match_ids)
    games = _joined(followed.games, new_games, match_id, unit_no, match_ids)
    return settle_combined(sets, games, followed.match, seed=followed.seed)


def _joined(
    before: dict[str, Any],
    after: dict[str, Any],
    match_id: NDArray[np.int64],
    sets_over: NDArray[np.int64],
    match_ids: NDArray[np.int64],
) -> dict[str, Any]:
    """Rows of the sets that were over in some matches, then the new rows of each, under their new numbers."""
    first = np.searchsorted(before["match_id"], match_id)
    ends = np.searchsorted(before["match_id"], match_id, side="right")
    taken = [
        start + np.arange(int((before["set_no"][start:end] <= over).sum()))
        for start, end, over in zip(first, ends, sets_over, strict=True)
    ]
    rows = np.concatenate(taken) if taken else np.zeros(0, np.int64)
    joined = {
        name: np.concatenate([column[rows], after[name]])
        for name, column in before.items()
        if name != "match_id"
    }
    joined["match_id"] = np.concatenate(
        [np.repeat(match_ids, [len(one) for one in taken]), after["match_id"]]
    )
    order = np.argsort(joined["match_id"], kind="stable")
    return {name: column[order] for name, column in joined.items()}


# ---------------------------------------------------------------- the next hole


@dataclass(frozen=True, eq=False)
class NextHoles:
    """Whose the next hole was, int64 (decisions,): the times the game `came` there, and those `mine`."""

    came: NDArray[np.int64]
    mine: NDArray[np.int64]


def next_hole(followed: Followed, chosen: NDArray[np.intp], repeats: int, men: int = 0) -> NextHoles:
    """Hold at some decisions, and at every hole after them, and see who makes the next hole.

    `men`: the game counts from where who decided has so many men beyond the coin; if the other makes a hole before
    that, it never came there.
    """
    seed = (followed.seed + NEW_DICE) % 2**64
    _, holding = binders(followed.rules, followed.players, seed)
    units: Any = np.repeat(followed.decisions.units[chosen], repeats).view(np.recarray)
    units.match_id = np.arange(len(units), dtype=np.int64)
    rows, who = np.arange(len(units)), units.roller.copy()
    holes = units.holes.copy()
    holes[rows, who] = np.repeat(followed.decisions.written[chosen, 0], repeats)
    came, mine = np.zeros((2, len(units)), np.bool_)
    came[:] = not men
    live = rows
    while live.size:
        on: Any = units[live]
        thrower, here = on.roller.copy(), np.arange(len(live))
        holding.play(on, FREE, 1)
        units[live] = on
        made = on.holes != holes[live]
        by_me, by_other = made[here, who[live]], made[here, 1 - who[live]]
        counted = came[live]
        mine[live] = counted & by_me & (~by_other | (thrower == who[live]))  # who throws marks first
        over = by_other | (by_me & counted) | (on.ended_by == CAPPED)
        holes[live] = on.holes
        arrived = _men_beyond_coin(on.low[here, who[live]], on.high[here, who[live]]) >= men
        came[live] = counted | (arrived & ~over)
        live = live[~over]
    shape = (len(chosen), repeats)
    return NextHoles(came.reshape(shape).sum(axis=1), mine.reshape(shape).sum(axis=1))
