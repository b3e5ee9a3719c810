"""A match told: its sets roll by roll, what each was worth, and how it was settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simkit.arguments import check_whole
from simkit.drivers import ChunkTables, Engine, State, play_chunk
from simkit.drivers.chunk import first_draws
from simkit.errors import UsageError
from simkit.honours import honours_log, settle_combined, settle_partners
from simkit.kernel.records import ENDED_BY, MAX_ROLLS
from simkit.numbering import OURS, Numbering
from simkit.players import Players
from simkit.rules import (
    Combine,
    NextPartieFirstDie,
    PointMatch,
    PoolDrain,
    PoolFill,
    PoolFirstDie,
    RuleSet,
    TableMode,
    TwelveHoles,
    Written,
    table_of,
)
from simkit.settle import partie_prices, set_values, settle, settle_parties
from simkit.settle_turns import settle_by_turns
from simkit.transcript.pools import PoolStep, pool_settled, pool_steps
from simkit.transcript.rolls import Roll, Teller, WatchedEngine
from simkit.transcript.tables import PointsTranscript, transcribe_points


@dataclass(frozen=True)
class SetTold:
    """One set or partie of a match, a match of two of a pool, or a game of honours played on.

    The last is of trictrac combiné, after the last set.

    Attributes
    ----------
    set_no
        From 1.
    draw
        The dice that players 1 and 2 threw for its first throw; None where that was not drawn.
    rolls
        Every roll, in order.
    row
        The columns of `sets` (docs/data_dictionary.md) by name; `ended_by` is a word.
    worth
        Of a set, what `simkit.settle.set_value` gives: `value`, `multiplier`, `consolation` and `kind`; of a
        partie, `value` in stakes. Empty for one that was capped.
    honours
        The games of honours that ended in it: what `simkit.honours.honours_log` gives, `roll`, `winner` and the
        holes of either player.
    pool
        Of a match of a pool: the line, what was paid, and the pot.
    """

    set_no: int
    draw: tuple[int, int] | None
    rolls: tuple[Roll, ...]
    row: Mapping[str, Any]
    worth: Mapping[str, int]
    honours: tuple[Mapping[str, int], ...] = ()
    pool: PoolStep | None = None


@dataclass(frozen=True)
class Transcript:
    """A match told roll by roll; `print` shows it as a player would read it.

    Attributes
    ----------
    rules, players, seed, match
        What was played: the rule set, all players at the table, the seed, the number of the match from 0.
    start
        Where its first unit started; None for a match that started as matches do.
    names
        Whose names the arrows have.
    sets
        The sets asked for.
    worths
        What each set of the whole match is worth, as in `SetTold`.
    rows
        The columns of `sets` by name, a row for each set of the whole match.
    matches
        The columns of `matches` by name, one row.
    settled
        What `simkit.settle.settle` gives, `settle_parties`, of more than two players
        `simkit.settle_turns.settle_by_turns`, or `simkit.honours.settle_combined` and `settle_partners`, for this
        match; of a pool `simkit.transcript.pools.pool_settled`. None if it was cut short.
    games
        The games of honours of the whole match, as in `SetTold`.
    others
        The columns of the further tables of the family, as `simkit.drivers.ChunkTables` has them.
    """

    rules: RuleSet
    players: Players
    seed: int
    match: int
    start: State | None
    names: Numbering
    sets: tuple[SetTold, ...]
    worths: tuple[Mapping[str, int], ...]
    rows: Mapping[str, Any] = field(compare=False, repr=False)
    matches: Mapping[str, Any] = field(compare=False, repr=False)
    settled: Mapping[str, Any] | None
    games: tuple[Mapping[str, int], ...] = ()
    others: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, compare=False, repr=False)

    def text(self, width: int = 96, **choices: Any) -> str:
        """Tell it in lines of at most `width` characters; for `choices` see `simkit.transcript.words.told`."""
        from simkit.transcript.words import told

        check_whole("width", width, 1, 1_000_000)
        return "\n".join(told(self, width, **choices))

    def __str__(self) -> str:
        return self.text()


def transcribe(
    rules: RuleSet,
    players: Players,
    seed: int,
    match: int,
    *,
    set_no: int | None = None,
    names: Numbering = OURS,
    starts: tuple[State, ...] = (),
) -> Transcript:
    """Play one match as every chunk is played, and tell it.

    Parameters
    ----------
    rules, players, seed, starts
        As for `simkit.drivers.play_chunk`.
    match
        Number of the match, from 0.
    set_no
        Tell this set only, from 1; every one if not given.
    names
        Whose names the arrows have.

    Raises
    ------
    UsageError
        The match has no such set.
    ConfigError
        Players that cannot play these rules to an end.
    """
    watched = WatchedEngine(rules, players, seed)
    tables = play_chunk(rules, players, seed, match, 1, starts, watched)
    places = range(len(watched.units)) if set_no is None else (_place(rules, tables, match, set_no),)
    teller = Teller(rules, Engine(rules, players, seed), names)
    worths, games = _worths(rules, tables), _honours(rules, tables)
    steps = [*pool_steps(rules.match, tables)] if isinstance(rules.match, PoolFill | PoolDrain) else []
    start = starts[match % len(starts)] if starts else None
    return Transcript(
        rules=rules,
        players=players,
        seed=seed,
        match=match,
        start=start,
        names=names,
        sets=tuple(
            SetTold(
                place + 1,
                _draw(rules, watched, match, place) if place or not starts else None,
                tuple(teller.roll(moment) for moment in watched.units[place]),
                _row(tables, place)
                if place < len(worths)
                else _row_of_rest(watched, place, rules.match.players > 2),
                worths[place] if place < len(worths) else {},
                tuple(game for game in games if game["set_no"] == place + 1),
                steps[place] if steps else None,
            )
            for place in places
        ),
        worths=tuple(worths),
        rows=tables.sets,
        matches=tables.matches,
        settled=_settled(rules, tables, seed),
        games=games,
        others=tables.others,
    )


def told_match(
    rules: RuleSet,
    players: Players,
    seed: int,
    match: int,
    *,
    set_no: int | None = None,
    names: Numbering = OURS,
    starts: tuple[State, ...] = (),
) -> Transcript | PointsTranscript:
    """Tell a match of either family; for the parameters see `transcribe`."""
    if not isinstance(rules.match, PointMatch):
        return transcribe(rules, players, seed, match, set_no=set_no, names=names, starts=starts)
    return transcribe_points(rules, players, seed, match, set_no=set_no, names=names, starts=starts)


def _place(rules: RuleSet, tables: ChunkTables, match: int, set_no: int) -> int:
    """Return the place of a set asked for."""
    played = len(tables.sets["set_no"])
    played_on = "rolls_played_on" in tables.matches and bool(tables.matches["rolls_played_on"][0])
    if 1 <= set_no <= played + played_on:
        return set_no - 1
    if tables.matches["truncated"][0]:
        held = f"ended with number {played}, which was stopped after {MAX_ROLLS:,} rolls"
    elif isinstance(rules.match, TwelveHoles) and played == 1:
        held = "is one partie, its only set"
    else:
        units = "parties" if isinstance(rules.match, TwelveHoles) else "sets"
        held = f"has {'matches' if isinstance(rules.match, PoolFill | PoolDrain) else units} 1 to {played}"
    raise UsageError(f"set {set_no}: match {match} of {rules.name} {held}")


def _draw(rules: RuleSet, engine: Engine, match: int, place: int) -> tuple[int, int] | None:
    """Return the draw for the first throw of a unit, if there was one."""
    match_ = rules.match
    again = (isinstance(match_, TwelveHoles) and match_.next_partie_first_die is NextPartieFirstDie.DRAW) or (
        isinstance(match_, PoolFill | PoolDrain) and match_.pool_first_die is PoolFirstDie.DRAW
    )
    lone = isinstance(rules.match, Written | Combine) and table_of(rules.match) is TableMode.CHOUETTE
    if lone or (place and not again):
        return None
    draws = first_draws(engine.key, np.array([match], np.int64), place)
    return int(draws[0, 0]), int(draws[0, 1])


def _row(tables: ChunkTables, place: int) -> dict[str, Any]:
    row = {name: column[place].item() for name, column in tables.sets.items()}
    return row | {"ended_by": ENDED_BY[row["ended_by"]]}


def _row_of_rest(engine: WatchedEngine, place: int, seats: bool) -> dict[str, Any]:
    """Tell of a game of honours played on what the row of a set tells, with `seats` also who played it."""
    last = engine.units[place][-1].after[0]
    return {
        "first_player": int(last.first_player) + 1,
        **({f"player_{side + 1}_seat": int(last.seats[side]) + 1 for side in (0, 1)} if seats else {}),
        "winner": int(last.winner) + 1,
        "ended_by": ENDED_BY[int(last.ended_by)],
        "rolls": int(last.rolls),
        "rolls_do_overs": 0,
    }


def _honours(rules: RuleSet, tables: ChunkTables) -> tuple[dict[str, int], ...]:
    """Give the games of honours of a match, and what was paid for them."""
    if not isinstance(rules.match, Combine):
        return ()
    games = tables.others["honours_games"]
    columns = {name: games[name] for name in ("set_no", "roll", "winner", "holes_1", "holes_2")}
    columns |= honours_log(games, rules.match.settlement, rules.match.sets)
    rows = range(len(games["roll"]))
    return tuple({name: int(column[row]) for name, column in columns.items()} for row in rows)


def _of_parties(rules: RuleSet) -> TwelveHoles:
    assert isinstance(rules.match, TwelveHoles)
    return rules.match


def _worths(rules: RuleSet, tables: ChunkTables) -> list[dict[str, int]]:
    """Give what each set is worth."""
    if isinstance(rules.match, PoolFill | PoolDrain):
        return [{} for _ in tables.sets["winner"]]
    if isinstance(rules.match, Written | Combine):
        values = set_values(tables.sets, rules.match.settlement)
    else:
        values = {"value": partie_prices(tables.sets, _of_parties(rules).settlement)}
    return [
        {name: int(column[place]) for name, column in values.items()} if winner else {}
        for place, winner in enumerate(tables.sets["winner"])
    ]


def _settled(rules: RuleSet, tables: ChunkTables, seed: int) -> dict[str, Any] | None:
    if isinstance(rules.match, PoolFill | PoolDrain):
        return pool_settled(rules.match, tables)
    if isinstance(rules.match, Written) and rules.match.players > 2:
        settled = settle_by_turns(tables.sets, rules.match, seed=seed)
    elif isinstance(rules.match, Combine):
        reckon = settle_partners if rules.match.players > 2 else settle_combined
        settled = reckon(tables.sets, tables.others["honours_games"], rules.match, seed=seed)
    elif isinstance(rules.match, Written):
        settled = settle(tables.sets, rules.match.settlement, n_sets=rules.match.sets, seed=seed)
    else:
        match = _of_parties(rules)
        settled = settle_parties(tables.sets, match.settlement, n_parties=match.parties)
    if not settled["settled"][0]:
        return None
    return {name: column[0].item() for name, column in settled.items() if name not in ("match_id", "settled")}
