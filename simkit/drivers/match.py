"""The match: who throws first in each unit, and what its units leave behind as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simkit.drivers.chunk import ChunkTables, Rounds, first_draws, in_order, played_out
from simkit.drivers.combine import (
    OpenHonours,
    following_sets,
    honours_columns,
    honours_rests,
    match_columns,
    open_honours,
    resumed_sets,
    suspension_columns,
)
from simkit.drivers.engine import Engine
from simkit.drivers.points import TablesEngine, rounds_of_points
from simkit.drivers.seating import Seating
from simkit.drivers.start import State, start_units, units_at
from simkit.errors import UsageError
from simkit.kernel.records import CAPPED, COMBINED_UNIT, INTACT, UNIT
from simkit.players import Players, refuse_misfit
from simkit.rules import (
    Combine,
    FirstRollMethod,
    NextPartieFirstDie,
    PointMatch,
    PoolDrain,
    PoolFill,
    RuleSet,
    SetFirstDie,
    Written,
)


def next_first_thrower(rule: SetFirstDie | NextPartieFirstDie, first: Any, winner: Any) -> Any:
    """Return who throws first in the next unit, from who did in the last and who won it (0 or 1; arrays too).

    Where a new draw decides (`NextPartieFirstDie.DRAW`) neither tells, see `first_draws`; nor where the player who
    stays at the table throws first (`SetFirstDie.STAYS`), see `simkit.drivers.seating.staying_side`.
    """
    if rule in (SetFirstDie.WINNER_PREV, NextPartieFirstDie.WINNER_PREV):
        return winner
    if rule in (SetFirstDie.ALTERNATE, NextPartieFirstDie.ALTERNATE):
        return 1 - first
    if rule is SetFirstDie.STAYS:
        raise UsageError(
            f"{rule.value}: who throws first follows from who leaves the table, not from who won"
        )
    raise UsageError(f"{rule.value}: who throws first is drawn anew and follows from no partie before")


def play_chunk(
    rules: RuleSet,
    players: Players,
    seed: int,
    first_match: int,
    count: int,
    starts: tuple[State, ...] = (),
    engine: Engine | TablesEngine | None = None,
) -> ChunkTables:
    """Play `count` matches from match `first_match` on; a pure function of its arguments.

    A match of several units stops after a capped one. The interpreter lock is free while units are played.

    Parameters
    ----------
    rules, players
        The rule set; all players at the table.
    seed
        0 to 2**64 - 1, the first word of the dice's key.
    first_match, count
        The matches, by number.
    starts
        Where the first unit of a match starts: match m in `starts[m % len(starts)]`. Without them every match
        starts as matches do.
    engine
        What plays the units: one of these rules, players and seed, as if not given, that may look on.
    """
    refuse_misfit(rules, players)
    if engine is None and not all(player.compiled for player in players):
        from simkit.drivers.abreast import play_own  # which asks this module for the rounds

        return play_own(rules, players, seed, first_match, count, starts)
    engine = engine or engine_of(rules, players, seed)
    return played_out(rounds_of_chunk(rules, engine, first_match, count, starts), engine.play)


def engine_of(rules: RuleSet, players: Players, seed: int) -> Engine | TablesEngine:
    """Make the engine of a family."""
    kind = TablesEngine if isinstance(rules.match, PointMatch) else Engine
    return kind(rules, players, seed)


def rounds_of_chunk(
    rules: RuleSet,
    engine: Engine | TablesEngine,
    first_match: int,
    count: int,
    starts: tuple[State, ...] = (),
) -> Rounds:
    """The rounds of `count` matches from match `first_match` on, whoever plays them; as `play_chunk`.

    `engine`: what was made ready, for its dice and sums; it is not asked to play.
    """
    if isinstance(rules.match, PointMatch):
        assert isinstance(engine, TablesEngine)
        return rounds_of_points(rules, engine, first_match, count, starts)
    if starts:
        rules.refuse_two_games()
    assert isinstance(engine, Engine)
    if isinstance(rules.match, PoolFill | PoolDrain):
        from simkit.drivers.pools import rounds_of_pools  # which makes its rows by this module

        if starts:
            raise UsageError(f"{rules.name}: a pool starts as pools do, and from no other state")
        return rounds_of_pools(rules, engine, first_match, count)
    matches = np.arange(first_match, first_match + count, dtype=np.int64)
    if isinstance(rules.match, Written | Combine) and rules.match.players > 2:
        return _rounds_by_turns(rules, rules.match, engine, matches, starts)
    units = units_at(starts, matches, rules) if starts else drawn_units(rules, engine.key, matches, 0)
    return _rounds_from(rules, engine, units, 0, first_match, count)


def play_rest(
    rules: RuleSet,
    players: Players,
    seed: int,
    first_match: int,
    count: int,
    unit_no: int,
    first_player: int,
    honours: OpenHonours | None = None,
) -> ChunkTables:
    """Play what is left of `count` matches from one of their units on, as `play_chunk` would play it.

    Parameters
    ----------
    rules, players, seed, first_match, count
        As for `play_chunk`.
    unit_no
        Place of the unit in its match, from 0; not the first, whose first throw is drawn.
    first_player
        Who throws first in it, 0 or 1.
    honours
        Of trictrac combiné: the game of honours under way; none if not given.

    Returns
    -------
    ChunkTables
        Rows and sums of these units only; games of honours are numbered from the first that ends in them.
    """
    refuse_misfit(rules, players)
    rules.refuse_more_than_two("the rest of a match")
    engine = Engine(rules, players, seed)
    matches = np.arange(first_match, first_match + count, dtype=np.int64)
    first = np.full(count, first_player, np.int64)
    if isinstance(rules.match, Combine):
        units = resumed_sets(matches, unit_no, first, honours or OpenHonours())
    else:
        units = start_units(matches, unit_no, first)
    return played_out(_rounds_from(rules, engine, units, unit_no, first_match, count), engine.play)


def honours_after(rules: RuleSet, players: Players, seed: int, match: int, sets: int) -> OpenHonours:
    """Play the first sets of one match of trictrac combiné; return the game of honours that is then under way."""
    rules.refuse_more_than_two("a match put down")
    engine = Engine(rules, players, seed)
    units = drawn_units(rules, engine.key, np.array([match], np.int64), 0)
    engine.play(units)
    for following in range(1, sets):
        units = _following(rules, engine.key, units, following)
        engine.play(units)
    return open_honours(units[0])


def _rounds_from(
    rules: RuleSet, engine: Engine, units: Any, unit_no: int, first_match: int, count: int
) -> Rounds:
    """Units, and those that follow them in their matches."""
    yield units
    rounds = [units]
    for following in range(unit_no + 1, rules.match.units):
        units = _following(rules, engine.key, units, following)
        yield units
        rounds.append(units)
    if isinstance(rules.match, Combine):
        return (yield from _combined_rest(rules.match, engine, rounds, first_match, count))
    return ChunkTables(
        matches=_match_columns(rounds, first_match, count),
        sets=set_columns(rounds, int(engine.lowered.set_min_holes[0])),
        figures=engine.figures,
    )


def _combined_rest(
    match: Combine,
    engine: Engine,
    rounds: list[Any],
    first_match: int,
    count: int,
    seating: Seating | None = None,
) -> Rounds:
    """The tables of trictrac combiné, once its games of honours are played on where they are.

    Partners take their turns there as in a set that follows the last.
    """
    rests = honours_rests(match, rounds[-1], _first_of_next(match, seating, rounds[-1]))
    if seating is not None:
        seating.seat(rests)
    yield rests
    games = honours_columns([*rounds, rests], match.target_holes)
    matches = _match_columns([*rounds, rests], first_match, count)
    for side in range(2):  # a game played on is no set
        matches[f"sets_won_{side + 1}"][rests.match_id - first_match] -= rests.winner == side
    return ChunkTables(
        matches=matches | match_columns(rounds, rests, games, first_match, count),
        sets=set_columns(rounds, int(engine.lowered.set_min_holes[0]), match.players)
        | suspension_columns(in_order(rounds)),
        figures=engine.figures,
        others={"honours_games": games},
    )


def _rounds_by_turns(
    rules: RuleSet, match: Written | Combine, engine: Engine, matches: Any, starts: tuple[State, ...]
) -> Rounds:
    """Matches of which more than two players take turns."""
    if starts:
        rules.refuse_more_than_two("a start from a state")
    seating = Seating.drawn(match, engine.key, matches)
    if seating.lone:  # he throws first without a draw
        units = start_units(matches, 0, 0 * matches, kind=_kind(rules))
    else:
        units = drawn_units(rules, engine.key, matches, 0)
    rounds: list[Any] = []
    for unit_no in range(match.units):
        if rounds:
            units = _next_turn(match, seating, units, unit_no)
        seating.seat(units)
        yield units
        if not rounds:
            seating.note_first(units)
        rounds.append(units)
    if isinstance(match, Combine):
        return (yield from _combined_rest(match, engine, rounds, int(matches[0]), len(matches), seating))
    return ChunkTables(
        matches=_match_columns(rounds, int(matches[0]), len(matches)),
        sets=set_columns(rounds, int(engine.lowered.set_min_holes[0]), match.players),
        figures=engine.figures,
    )


def _next_turn(match: Written | Combine, seating: Seating, before: Any, unit_no: int) -> Any:
    """The next units of the matches whose last was not capped, nobody seated yet."""
    before = before[before.ended_by != CAPPED]
    first = _first_of_next(match, seating, before)
    if isinstance(match, Combine):
        return following_sets(before, unit_no, first)
    return start_units(before.match_id, unit_no, first)


def _first_of_next(match: Written | Combine, seating: Seating | None, before: Any) -> Any:
    """Who throws first in what follows some units, 0 or 1 for each."""
    if seating is not None and match.set_first_die is SetFirstDie.STAYS:
        return seating.stayer(before)
    return next_first_thrower(match.set_first_die, before.first_player, before.winner)


def _kind(rules: RuleSet) -> Any:
    """The kind of unit records that a match is played in."""
    return COMBINED_UNIT if isinstance(rules.match, Combine) else UNIT


def drawn_units(rules: RuleSet, key: int, matches: Any, unit_no: int) -> Any:
    """Return units whose first thrower is drawn; where the draw is that throw, with it (GU ch. III)."""
    draws = first_draws(key, matches, unit_no)
    first = (draws[:, 1] > draws[:, 0]).astype(np.int64)
    is_throw = rules.game.first_roll_method is FirstRollMethod.DRAW_IS_FIRST_THROW
    return start_units(matches, unit_no, first, draws if is_throw else None, _kind(rules))


def _following(rules: RuleSet, key: int, before: Any, unit_no: int) -> Any:
    """The next units of the matches whose last was not capped."""
    before = before[before.ended_by != CAPPED]
    if isinstance(rules.match, Combine):
        first = next_first_thrower(rules.match.set_first_die, before.first_player, before.winner)
        return following_sets(before, unit_no, first)
    match = rules.trictrac_match
    rule = match.set_first_die if isinstance(match, Written) else match.next_partie_first_die
    if rule is NextPartieFirstDie.DRAW:
        return drawn_units(rules, key, before.match_id, unit_no)
    first = next_first_thrower(rule, before.first_player, before.winner)
    return start_units(before.match_id, unit_no, first)


def set_columns(rounds: Sequence[Any], set_min_holes: int = 6, players: int = 2) -> dict[str, Any]:
    """Return one row per set from the units of each round, in order of match and set.

    `set_min_holes`: from how many holes on a player has "reached six"; `players`: how many are at the table, of
    whom a row tells who played if they are more than two.
    """
    units = in_order(rounds)
    columns: dict[str, Any] = {
        "match_id": units.match_id,
        "set_no": (units.unit_no + 1).astype(np.int16),
        "first_player": (units.first_player + 1).astype(np.int8),
        "first_scorer": (units.first_scorer + 1).astype(np.int8),
        "winner": (units.winner + 1).astype(np.int8),
        "ended_by": units.ended_by.astype(np.int8),
    }
    by_player = {
        "holes": (units.holes, np.int16),
        "holes_own_die": (units.holes_own_die, np.int16),
        "holes_other_die": (units.holes_other_die, np.int16),
        "run_intact": (units.run == INTACT, np.bool_),
        "picked_up": (units.picked_up, np.bool_),
        "reached_six": (units.holes >= set_min_holes, np.bool_),
        "intact_at_six": (units.intact_at_six, np.bool_),
    }
    for name, (values, dtype) in by_player.items():
        for side in range(2):
            columns[f"{name}_{side + 1}"] = values[:, side].astype(dtype)
    columns["do_overs"] = units.do_overs.astype(np.int16)
    for name in ("rolls", "settings", "rolls_do_overs", "settings_do_overs"):
        columns[name] = units[name].astype(np.int32)
    columns["sorties"] = units.sorties.astype(np.int16)
    goings = units.settings + units.settings_do_overs - 1
    columns["stalls"] = (units.start_no - goings - units.sorties).astype(np.int16)
    if players > 2:
        columns |= _seat_columns(units.seats + 1, players)
    return columns


def _seat_columns(seats: Any, players: int) -> dict[str, Any]:
    """Who played, int64 (n, 2), players from 1; and who sat out, where that is one."""
    idle = players * (players + 1) // 2 - seats.sum(axis=1) if players == 3 else np.zeros(len(seats))
    return {
        "player_1_seat": seats[:, 0].astype(np.int8),
        "player_2_seat": seats[:, 1].astype(np.int8),
        "idle_seat": idle.astype(np.int8),
    }


def _match_columns(rounds: Sequence[Any], first_match: int, count: int) -> dict[str, Any]:
    """Return one row per match, summed over its sets."""
    sums: dict[str, Any] = {name: np.zeros(count, np.int64) for name in _SUMS}
    truncated = np.zeros(count, np.bool_)
    for units in rounds:
        row = units.match_id - first_match
        for side in range(2):
            sums[f"sets_won_{side + 1}"][row] += units.winner == side
            sums[f"holes_{side + 1}"][row] += units.holes[:, side]
        sums["rolls"][row] += units.rolls + units.rolls_do_overs
        sums["settings"][row] += units.settings + units.settings_do_overs
        sums["do_overs"][row] += units.do_overs
        sums["sorties"][row] += units.sorties
        truncated[row[units.ended_by == CAPPED]] = True
    return {
        "match_id": np.arange(first_match, first_match + count, dtype=np.int64),
        "first_player": (rounds[0].first_player + 1).astype(np.int8),
        **{name: sums[name].astype(dtype) for name, dtype in _SUMS.items()},
        "truncated": truncated,
    }


_SUMS: dict[str, Any] = {
    "sets_won_1": np.int16,
    "sets_won_2": np.int16,
    "holes_1": np.int32,
    "holes_2": np.int32,
    "rolls": np.int32,
    "settings": np.int32,
    "do_overs": np.int16,
    "sorties": np.int16,
}
