"""A match of sets put down between two of them and taken up again: the written match, or trictrac combiné.

The record holds what source 001 asks for, all that the rest of the match depends on: the rules, sets and points
so far, jetons and fish as they lie, and who throws first next. A match played here keeps the rows of its sets too,
and the place of its dice: taken up again with these, it goes on as if nothing had interrupted it. A record written
by hand, of a match played at a board, goes on with new dice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from simkit.adjourned_honours import LARGEST, Honours, dashed, honours_faults, pair, shown, whole
from simkit.dataset import MAX_MATCHES, MAX_SEED, check_whole, schema
from simkit.drivers import ChunkTables, OpenHonours, next_first_thrower, play_rest
from simkit.errors import ConfigError, UsageError
from simkit.honours import games_needed, standing_after, with_honours
from simkit.players import Players
from simkit.rules import Combine, RoundFive, RuleSet, Settlement, Written, parse_json
from simkit.scoresheet import Scoresheet, Standing, Table, scoresheet, table_after
from simkit.settle import Column, Rows, higher_dice, pay, set_values

SCHEMA: Final = "simkit.adjournment/1"
MOST_TIMES: Final = 100_000
"""How many times the rest of a match may be played at once; its rows are all kept."""
MOST_GAMES: Final = 1_000
"""Games of honours that a record may hold; a match of twenty-four sets has some twenty."""
BLOCK: Final = 500
"""Matches between two looks at Ctrl-C."""
_PAIRS: Final = ("sets_won", "set_points", "jetons", "fish", "markers")
_FIELDS: Final = ("schema", "rules", "sets_played", "first_player", *_PAIRS, "sets", "origin")
_OF_HONOURS: Final = ("honours", "pool", "honours_games")
"""Further fields of trictrac combiné."""


@dataclass(frozen=True)
class Known:
    """A player by name and digest."""

    name: str
    digest: str


@dataclass(frozen=True)
class Origin:
    """Where a match played here comes from: seed, number of the match, its players."""

    seed: int
    match: int
    players: tuple[Known, Known]


@dataclass(frozen=True)
class Adjournment:
    """A match between two sets.

    Attributes
    ----------
    rules
        The rule set.
    first_player
        Who throws first in the next set, 1 or 2.
    standing
        Sets won and points so far, and the table with its jetons and fish, if it is told.
    rows
        The columns of `sets` by name, for the sets played; empty in a record written by hand.
    origin
        Whose match it is; None in a record written by hand.
    honours
        Of trictrac combiné: the game of honours under way, the finished ones and the pool.
    games
        The columns of `honours_games` by name, for the games that ended in the sets played.
    """

    rules: RuleSet
    first_player: int
    standing: Standing
    rows: Rows = field(default_factory=dict, compare=False)
    origin: Origin | None = None
    honours: Honours | None = None
    games: Rows = field(default_factory=dict, compare=False)

    @property
    def sets_played(self) -> int:
        """Sets played so far."""
        return self.standing.sets

    def to_json(self) -> str:
        """Return the record as JSON."""
        plain: dict[str, Any] = {
            "schema": SCHEMA,
            "rules": json.loads(self.rules.to_json()),
            "sets_played": self.sets_played,
            "first_player": self.first_player,
            "sets_won": self.standing.sets_won,
            "set_points": self.standing.set_points,
        }
        if self.standing.table is not None:
            plain |= vars(self.standing.table)
        if self.honours is not None:
            plain |= self.honours.to_plain()
        if self.rows:
            plain["sets"] = _rows_plain(self.rows, _sets_table(self.rules))
        if self.games:
            plain["honours_games"] = _rows_plain(self.games, schema.HONOURS_GAMES)
        if self.origin is not None:
            origin = self.origin
            plain["origin"] = {
                "seed": str(origin.seed),
                "match": origin.match,
                "players": [vars(one) for one in origin.players],
            }
        return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, named: Callable[[str], RuleSet] | None = None) -> Adjournment:
        """Read a record.

        `rules` is a rule set as JSON or, where `named` looks names up, its name. A record written by hand needs
        sets_played, first_player, sets_won and set_points; jetons, fish and markers may be told.

        Raises
        ------
        ConfigError
            If the text is no JSON, has unknown or missing fields, or its parts contradict one another; the message
            names the field.
        """
        plain = parse_json(text)
        if not isinstance(plain, Mapping):
            raise ConfigError("a record of an adjourned match is a JSON object")
        if plain.get("schema") != SCHEMA:
            raise ConfigError(f"schema: {shown(plain.get('schema'))} is not allowed; {SCHEMA}")
        _refuse_unknown(plain, (*_FIELDS, *_OF_HONOURS))
        rules = _rules(plain.get("rules"), named)
        _check_rules(rules)
        match = rules.match
        if not isinstance(match, Combine):
            _refuse_unknown(plain, _FIELDS)
        record = cls(
            rules=rules,
            first_player=whole(plain, "first_player", 1, 2),
            standing=Standing(pair(plain, "sets_won"), pair(plain, "set_points"), _table(plain)),
            rows=_rows(plain, "sets", _sets_table(rules), 24) if "sets" in plain else {},
            origin=_origin(plain["origin"]) if "origin" in plain else None,
            honours=Honours.from_plain(plain, match.settlement) if isinstance(match, Combine) else None,
            games=_rows(plain, "honours_games", schema.HONOURS_GAMES, MOST_GAMES)
            if "honours_games" in plain
            else {},
        )
        played = whole(plain, "sets_played", 1, LARGEST)
        if played != record.sets_played:
            raise ConfigError(f"sets_played: {played}, but sets_won holds {record.sets_played}")
        check(record)
        return record


def adjourned(
    rules: RuleSet,
    rows: Rows,
    after: int,
    origin: Origin | None = None,
    *,
    games: Rows | None = None,
    under_way: OpenHonours | None = None,
) -> Adjournment:
    """Put down a match after some of its sets.

    Parameters
    ----------
    rules
        A written match, or one of trictrac combiné.
    rows
        The rows of `sets` of one match.
    after
        Sets played, from 1 to one less than the match has.
    origin
        Whose match it is.
    games, under_way
        Of trictrac combiné: the rows of `honours_games` of the match, and the game that is under way then.

    Raises
    ------
    UsageError
        A partie, another number of sets, a set among them that was stopped without a winner, or trictrac combiné
        without its games.
    """
    match = refuse_after(rules, rows, after)
    kept = {name: rows[name][:after] for name in _columns(_sets_table(rules)) if name in rows}
    finished: Rows = {}
    honours = None
    if isinstance(match, Combine):
        finished = _until(games_needed(games), after)
        standing = standing_after(finished, match.settlement, match.sets)
        honours = Honours(under_way or OpenHonours(), standing)
    return Adjournment(
        rules, _next_first(match, kept), _standing(match.settlement, kept), kept, origin, honours, finished
    )


def refuse_after(rules: RuleSet, rows: Rows, after: int) -> Written | Combine:
    """Return a match that can be put down after so many sets; for what is refused see `adjourned`."""
    rules.refuse_more_than_two("the record of a match put down")
    if not isinstance(rules.match, Combine) and not isinstance(rules.trictrac_match, Written):
        raise UsageError(
            f"{rules.name} is played in parties; only a match of sets is put down between two of them"
        )
    match = rules.match
    assert isinstance(match, Written | Combine)
    if isinstance(after, bool) or not isinstance(after, int) or not 1 <= after < match.sets:
        raise UsageError(
            f"after {after!r} sets: a match of {match.sets} sets is put down after 1 to {match.sets - 1}"
        )
    winners = rows["winner"][:after].tolist()
    if len(winners) < after or 0 in winners:
        raise UsageError(
            f"after {after} sets: set {(*winners, 0).index(0) + 1} of this match was stopped without a winner, "
            "and no set follows it"
        )
    return match


def _until(games: Rows, after: int) -> Rows:
    """The games of honours that ended in the first sets, without the number of the match."""
    ended = games["set_no"] <= after
    return {name: games[name][ended] for name in _columns(schema.HONOURS_GAMES) if name in games}


def _sets_table(rules: RuleSet) -> schema.Table:
    return schema.COMBINE_SETS if isinstance(rules.match, Combine) else schema.SETS


def _columns(table: schema.Table) -> dict[str, schema.Column]:
    """The columns of a table that a record keeps, by name."""
    return {column.name: column for column in table.data if column.name != "match_id"}


def _standing(settlement: Settlement, rows: Rows) -> Standing:
    winners, points = rows["winner"].tolist(), set_values(rows, settlement)["value"].tolist()
    pairs = list(zip(winners, points, strict=True))
    one, two = (sum(value for winner, value in pairs if winner == who) for who in (1, 2))
    try:
        table = table_after(winners, points, settlement)
    except UsageError:  # too few jetons; the points are enough
        table = None
    return Standing((winners.count(1), winners.count(2)), (one, two), table)


def _next_first(match: Written | Combine, rows: Rows) -> int:
    first, winner = int(rows["first_player"][-1]) - 1, int(rows["winner"][-1]) - 1
    return int(next_first_thrower(match.set_first_die, first, winner)) + 1


# ---------------------------------------------------------------- taken up again


@dataclass(frozen=True)
class Resumed:
    """What is left of an adjourned match, played; more than once where new dice were thrown.

    Attributes
    ----------
    record
        The match as it was put down.
    players, seed
        Who played on, and the seed of the dice.
    sets
        The rows of the sets played now.
    settled
        One entry per match, all sets counted: what `simkit.settle.settle` gives, or of trictrac combiné
        `simkit.honours.settle_combined`.
    games
        Of trictrac combiné: the rows of `honours_games` of the games finished now.
    """

    record: Adjournment
    players: Players
    seed: int
    sets: Rows
    settled: Mapping[str, Column]
    games: Rows = field(default_factory=dict)

    def scoresheet(self, place: int = 0) -> Scoresheet:
        """Write the scoresheet of the whole match; sets whose rows are not kept are brought forward."""
        check_whole("place", place, 0, len(self.settled["match_id"]) - 1)
        rest = _of_match(self.sets, int(self.settled["match_id"][place]))
        names = self.players[0].name, self.players[1].name
        record = self.record
        if not record.rows:
            return scoresheet(rest, record.rules, players=names, seed=self.seed, brought=record.standing)
        before = {"match_id": np.full(record.sets_played, rest["match_id"][0]), **record.rows}
        whole = {name: np.concatenate((before[name], rest[name])) for name in rest}
        return scoresheet(whole, record.rules, players=names, seed=self.seed)


def resume(
    record: Adjournment,
    players: Players,
    *,
    seed: int | None = None,
    matches: int = 1,
) -> Resumed:
    """Play the rest of a match.

    Parameters
    ----------
    record
        The match.
    players
        Player 1 and player 2.
    seed
        Of new dice. Without it a match played here goes on with its own dice, and any other with those of seed 0.
    matches
        How many times the rest is played, each with other dice.

    Raises
    ------
    UsageError
        Numbers out of range, or several times with the match's own dice.
    ConfigError
        Players that cannot play these rules to an end.
    """
    first, of_seed = 0, 0 if seed is None else seed
    check_whole("matches", matches, 1, MOST_TIMES)
    check_whole("seed", of_seed, 0, MAX_SEED, "2**64 - 1")
    if seed is None and record.origin is not None:
        if matches != 1:
            raise UsageError(
                f"matches {matches}: with its own dice a match ends in one way only; give a seed to throw new ones"
            )
        first, of_seed = record.origin.match, record.origin.seed
    blocks = [
        _played(record, players, of_seed, first + start, min(BLOCK, matches - start))
        for start in range(0, matches, BLOCK)
    ]
    sets, settled, games = (
        {name: np.concatenate([one[name] for one in part]) for name in part[0]}
        for part in zip(*blocks, strict=True)
    )
    return Resumed(record, players, of_seed, sets, settled, games)


def _played(
    record: Adjournment, players: Players, seed: int, first: int, count: int
) -> tuple[Rows, Rows, Rows]:
    """Play the rest of some matches; return the rows of their sets, what they come to, and their honours games."""
    honours = record.honours
    played = play_rest(
        record.rules,
        players,
        seed,
        first,
        count,
        record.sets_played,
        record.first_player - 1,
        honours.under_way if honours else None,
    )
    games = played.others.get("honours_games", {})
    if honours:
        before = sum(honours.standing.games_won)
        games = games | {"game_no": (games["game_no"] + before).astype(games["game_no"].dtype)}
    return played.sets, settled_with(record, played, seed), games


def settled_with(record: Adjournment, played: ChunkTables, seed: int) -> dict[str, Column]:
    """Settle matches of which only the rest was played now, together with what is recorded.

    Returns
    -------
    dict
        As `simkit.settle.settle`, of trictrac combiné as `simkit.honours.settle_combined`; a match in which a set
        was stopped is not settled, and all 0.
    """
    match, standing = record.rules.match, record.standing
    assert isinstance(match, Written | Combine)
    match_id, settled = played.matches["match_id"], ~played.matches["truncated"]
    values, winner = set_values(played.sets, match.settlement)["value"], played.sets["winner"]
    row = played.sets["match_id"] - match_id[0]
    sums: dict[str, Any] = {}
    for side in (0, 1):
        won = winner == side + 1
        sets_won = np.bincount(row[won], minlength=len(match_id)) + standing.sets_won[side]
        points = (
            np.bincount(row[won], values[won], len(match_id)).astype(np.int64) + standing.set_points[side]
        )
        sums[f"sets_won_{side + 1}"] = (sets_won * settled).astype(np.int16)
        sums[f"set_points_{side + 1}"] = points * settled
    die = higher_dice(match_id, seed) if match.settlement.round_five is RoundFive.DIE else None
    amounts = pay(
        sums["set_points_1"] - sums["set_points_2"],
        sums["sets_won_1"].astype(np.int64),
        sums["sets_won_2"].astype(np.int64),
        match.settlement,
        die,
    )
    written = {"match_id": match_id, **sums, **amounts, "settled": settled}
    if not isinstance(match, Combine):
        return written
    assert record.honours is not None
    games = played.others["honours_games"]
    return with_honours(written, games, match.settlement, match.sets, record.honours.standing)


def _of_match(rows: Rows, match: int) -> dict[str, Column]:
    chosen = rows["match_id"] == match
    return {name: column[chosen] for name, column in rows.items()}


# ---------------------------------------------------------------- reading


def check(record: Adjournment) -> None:
    """Refuse a record that contradicts itself.

    Raises
    ------
    ConfigError
        With every fault.
    """
    match = record.rules.match
    _check_rules(record.rules)
    assert isinstance(match, Written | Combine)
    faults = [*_standing_faults(record.standing, match), *_row_faults(record, match)]
    if isinstance(match, Combine) and record.honours is not None:
        faults += honours_faults(record.honours, match)
        if not faults and record.games:
            faults += _game_faults(record, record.honours, match)
    if faults:
        raise ConfigError(tuple(faults))


def _check_rules(rules: RuleSet) -> None:
    """Refuse a rule set whose matches are not put down."""
    match = rules.match
    if not isinstance(match, Written | Combine):
        raise ConfigError(
            f"rules: {rules.name} is not played in sets; only a match of sets is put down between two of them"
        )
    if match.players > 2:
        raise ConfigError(
            f"rules: {rules.name} has {match.players} players (match.players); only a match of two is put down"
        )


def _standing_faults(standing: Standing, match: Written | Combine) -> Iterator[str]:
    if not 1 <= standing.sets < match.sets:
        most = match.sets - 1
        yield f"sets_won: {standing.sets} sets played; a match of {match.sets} is put down after 1 to {most}"
    least = match.settlement.consolation + 1
    for player, (won, points) in enumerate(zip(standing.sets_won, standing.set_points, strict=True), 1):
        if points < won * least or (points and not won):
            yield (
                f"set_points: player {player} has {points} points from {won} sets; each is worth {least} at least "
                "(settlement.consolation)"
            )
    if standing.table is not None:
        yield from _table_faults(standing, standing.table, match.settlement)


def _table_faults(standing: Standing, table: Table, settlement: Settlement) -> Iterator[str]:
    laid = settlement.tokens_per_set * standing.sets_won[1], settlement.tokens_per_set * standing.sets_won[0]
    if table.markers != laid:
        yield (
            f"markers: {dashed(table.markers)}, but the sets lost leave {dashed(laid)} "
            "(settlement.tokens_per_set)"
        )
    total = sum(table.jetons) + sum(table.markers)
    if total != 2 * settlement.stake:
        yield f"jetons: {total} with the markers, but both started with {settlement.stake} (settlement.stake)"
    if min(table.fish):
        yield f"fish: {dashed(table.fish)}; those of one go back before the other wins any, so one has none"
    ahead = table.worth(1, settlement.fish_unit) + table.markers[0] - settlement.stake
    points = standing.set_points[0] - standing.set_points[1]
    if ahead != points:
        yield f"jetons and fish: player 1 is {ahead:+} by them, and {points:+} by set_points"


def _row_faults(record: Adjournment, match: Written | Combine) -> Iterator[str]:
    rows, standing = record.rows, record.standing
    if bool(rows) != (record.origin is not None):
        yield "origin: given exactly if sets is; both belong to a match played here"
    if isinstance(match, Combine) and bool(rows) != bool(record.games):
        yield "honours_games: given exactly if sets is; both belong to a match played here"
    if not rows:
        return
    if rows["set_no"].tolist() != [*range(1, standing.sets + 1)]:
        yield f"sets: set_no must be 1 to {standing.sets}, the sets played"
        return
    for place, (winner, one, two) in enumerate(
        zip(rows["winner"], rows["holes_1"], rows["holes_2"], strict=True), 1
    ):
        won, lost = (one, two) if winner == 1 else (two, one)
        if winner not in (1, 2) or won <= lost or won < match.set_min_holes:
            yield f"sets: set {place} says player {winner} won it with holes {one}-{two}"
            return
    found = _standing(match.settlement, rows)
    for name in ("sets_won", "set_points"):
        told, reckoned = getattr(standing, name), getattr(found, name)
        if told != reckoned:
            yield f"{name}: {dashed(told)}, but the rows of sets come to {dashed(reckoned)}"
    if record.first_player != (first := _next_first(match, rows)):
        yield f"first_player: {record.first_player}, but player {first} throws first after these sets"


def _game_faults(record: Adjournment, honours: Honours, match: Combine) -> Iterator[str]:
    """Say where the rows of finished games are none of this match, or come to something else than is told."""
    games = record.games
    if games["game_no"].tolist() != [*range(1, len(games["game_no"]) + 1)]:
        yield "honours_games: game_no must be 1, 2 and so on"
        return
    set_no = games["set_no"]
    if (np.diff(set_no) < 0).any() or not np.isin(set_no, record.rows["set_no"]).all():
        yield "honours_games: set_no must be that of a set played, in order"
        return
    for place, (winner, one, two) in enumerate(
        zip(games["winner"], games["holes_1"], games["holes_2"], strict=True), 1
    ):
        won, lost = (one, two) if winner == 1 else (two, one)
        if winner not in (1, 2) or won != match.target_holes or lost >= won:
            yield f"honours_games: row {place} says player {winner} won it with holes {one}-{two}"
            return
    found = standing_after(games, match.settlement, match.sets)
    for name in ("games_won", "fish"):
        told, reckoned = getattr(honours.standing, name), getattr(found, name)
        if told != reckoned:
            yield f"honours.{name}: {dashed(told)}, but the rows of games come to {dashed(reckoned)}"
    if honours.standing.pool != found.pool:
        yield f"pool: {honours.standing.pool}, but the rows of games come to {found.pool}"


def _rules(plain: Any, named: Callable[[str], RuleSet] | None) -> RuleSet:
    if isinstance(plain, str) and named is not None:
        try:
            return named(plain)
        except UsageError as error:
            raise ConfigError(f"rules: {error}") from None
    if not isinstance(plain, Mapping):
        raise ConfigError(f"rules: {shown(plain)} is not allowed; a rule set or its name")
    return RuleSet.from_json(json.dumps(plain))


def _table(plain: Mapping[str, Any]) -> Table | None:
    told = [name for name in ("jetons", "fish", "markers") if name in plain]
    if not told:
        return None
    return Table(pair(plain, "jetons"), pair(plain, "fish"), pair(plain, "markers"))


def _origin(plain: Any) -> Origin:
    if not isinstance(plain, Mapping) or set(plain) != {"seed", "match", "players"}:
        raise ConfigError(f"origin: {shown(plain)} is not allowed; an object with seed, match and players")
    seed, players = plain["seed"], plain["players"]
    if not (
        isinstance(seed, str)
        and seed.isascii()
        and seed.isdigit()
        and len(seed) <= 20
        and int(seed) <= MAX_SEED
    ):
        raise ConfigError(f"origin.seed: {shown(seed)} is not allowed; digits as text, up to 2**64 - 1")
    known = isinstance(players, list) and len(players) == 2
    if not known or not all(
        isinstance(one, Mapping)
        and set(one) == {"name", "digest"}
        and all(isinstance(text, str) and 0 < len(text) <= 100 for text in one.values())
        for one in players
    ):
        raise ConfigError(
            f"origin.players: {shown(players)} is not allowed; two objects with name and digest"
        )
    one, two = (Known(**player) for player in players)
    return Origin(int(seed), whole(plain, "match", 0, MAX_MATCHES), (one, two))


def _rows(plain: Mapping[str, Any], field: str, table: schema.Table, most: int) -> Rows:
    """Read rows of a table, each an object with all its columns but the number of the match."""
    given, columns = plain[field], _columns(table)
    if not isinstance(given, list) or len(given) > most or not (given or table is schema.HONOURS_GAMES):
        raise ConfigError(f"{field}: {shown(given)} is not allowed; a list of those played, one row each")
    for number, row in enumerate(given, 1):
        if not isinstance(row, Mapping) or set(row) != set(columns):
            raise ConfigError(f"{field}: row {number} must hold exactly {', '.join(columns)}")
    return {
        name: np.array(
            [_cell(f"{field}: row {number}", column, row[name]) for number, row in enumerate(given, 1)],
            _dtype(column),
        )
        for name, column in columns.items()
    }


def _cell(where: str, column: schema.Column, value: Any) -> int:
    name = column.name
    if column.values:
        if value in column.values:
            return column.values.index(value)
        raise ConfigError(f"{where}, {name}: {shown(value)} is not one of {', '.join(column.values)}")
    if column.dtype == "bool":
        if isinstance(value, bool):
            return value
        raise ConfigError(f"{where}, {name}: {shown(value)} is neither true nor false")
    most = np.iinfo(column.dtype).max
    if type(value) is not int or not 0 <= value <= most:
        raise ConfigError(f"{where}, {name}: {shown(value)} is not a whole number from 0 to {most}")
    return value


def _dtype(column: schema.Column) -> str:
    return "int8" if column.values else column.dtype


def _rows_plain(rows: Rows, table: schema.Table) -> list[dict[str, Any]]:
    """Rows as JSON holds them, categories in words."""
    columns = _columns(table)
    return [
        {
            name: column.values[int(rows[name][place])] if column.values else rows[name][place].item()
            for name, column in columns.items()
        }
        for place in range(len(rows[next(iter(columns))]))
    ]


def _refuse_unknown(plain: Mapping[str, Any], known: tuple[str, ...]) -> None:
    if unknown := [name for name in plain if name not in known]:
        raise ConfigError(tuple(f"{name}: no such field; there are {', '.join(known)}" for name in unknown))
