"""A match to show in a report: chosen by its length, told by a few boards where things turn.

It follows from rules, players and seed alone, and is kept as plain values, so that a page is drawn without
playing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from statistics import median_low
from typing import Any, Final

from simkit.drivers import Engine, play_chunk
from simkit.explain import moves as trictrac_moves
from simkit.kernel.records import ENDED_BY
from simkit.players import Players
from simkit.position import write
from simkit.rules import Combine, PointMatch, PoolDrain, PoolFill, RuleSet, TwelveHoles
from simkit.steps import moves as tables_moves
from simkit.transcript import GameTold, PointsTranscript, Roll, SetTold, Teller, Transcript, WatchedEngine
from simkit.transcript.match import transcribe
from simkit.transcript.tables import TablesRoll, game_words, outcome_words, transcribe_points
from simkit.transcript.words import KINDS, roll_told, set_words

AMONG: Final = 101
"""The first so many matches of a run, of which the one of median length is shown."""
SCHEMA: Final = "simkit.example/1"


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One roll that is shown with its board.

    Attributes
    ----------
    number, player, dice
        Its number in the set or game, who throws (player or side, 1 or 2), and what.
    why
        What makes it worth showing.
    position
        The men before it, in the notation of `simkit.position`, as he sees them.
    happens, play
        What it brings, and how he moves.
    after
        What stands after it, as terms and values.
    """

    number: int
    player: int
    dice: tuple[int, int]
    why: tuple[str, ...]
    position: str
    happens: tuple[str, ...]
    play: str
    after: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Example:
    """A match told in short.

    Attributes
    ----------
    rules, players, seed, match
        The name of the rule set; the players by name, from player 1; the seed; the number of the match, from 0.
    among, rolls
        Of how many matches it is the one of median length, and how many rolls that is.
    unit, side
        What its units are called, and each of the two who play one.
    with_bar
        Whether the board has a bar.
    head, account
        A table of its units: names of the columns, and a row for each.
    told, chosen
        Which unit the boards are of, from 1, and why that one.
    begins, ends, outcome
        How that unit begins and ends, and how the match ends.
    shown
        The rolls with boards, in order.
    """

    rules: str
    players: tuple[str, ...]
    seed: int
    match: int
    among: int
    rolls: int
    unit: str
    side: str
    with_bar: bool
    head: tuple[str, ...]
    account: tuple[tuple[str, ...], ...]
    told: int
    chosen: str
    begins: str
    ends: str
    outcome: str
    shown: tuple[Shown, ...]

    @property
    def command(self) -> str:
        """The command line that tells the match roll by roll; empty where no command does."""
        if self.unit == POOL_UNIT:
            return ""
        which = f"--players {','.join(self.players)} --seed {self.seed} --match {self.match}"
        return f"simkit replay {self.rules} {which}"

    def to_plain(self) -> dict[str, Any]:
        """JSON values; the seed as a decimal string."""
        return {"schema": SCHEMA, **asdict(self), "seed": str(self.seed)}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Example:
        """Read what `to_plain` gives; raises KeyError, TypeError or ValueError for anything else."""
        if plain["schema"] != SCHEMA:
            raise ValueError(f"schema {plain['schema']!r}, not {SCHEMA}")
        values = {name: _frozen(value) for name, value in plain.items() if name not in ("schema", "shown")}
        shown = [Shown(**{name: _frozen(value) for name, value in one.items()}) for one in plain["shown"]]
        return cls(**{**values, "seed": int(plain["seed"]), "shown": tuple(shown)})


def _frozen(value: Any) -> Any:
    """Lists as tuples."""
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


POOL_UNIT: Final = "match of two"


def example(rules: RuleSet, players: Players, seed: int) -> Example | None:
    """The match of median length among the first of a run, told in short; None if none of them came to an end.

    Parameters
    ----------
    rules, players, seed
        As for `simkit.drivers.play_chunk`.
    """
    found = play_chunk(rules, players, seed, 0, AMONG)
    length = found.matches["rolls"]
    ended = [int(rolls) for rolls, cut in zip(length, found.matches["truncated"], strict=True) if not cut]
    if not ended:
        return None
    rolls = median_low(ended)
    match = int(next(k for k in range(AMONG) if length[k] == rolls and not found.matches["truncated"][k]))
    if isinstance(rules.match, PointMatch):
        parts = _of_tables(transcribe_points(rules, players, seed, match))
    elif isinstance(rules.match, PoolFill | PoolDrain):
        parts = _of_pools(rules, players, seed, match)
    else:
        parts = _of_sets(transcribe(rules, players, seed, match))
    return Example(
        rules=rules.name,
        players=tuple(player.name for player in players),
        seed=seed,
        match=match,
        among=AMONG,
        rolls=rolls,
        with_bar=isinstance(rules.match, PointMatch),
        **parts,
    )


# ---------------------------------------------------------------- trictrac


def _of_sets(told: Transcript) -> dict[str, Any]:
    """A match of sets or parties: its account, and the set that was worth most."""
    worths = [worth.get("value", 0) for worth in told.worths]
    place = worths.index(max(worths))
    one, many = told.sets[place], len(told.sets) > 1
    unit = "partie" if isinstance(told.rules.match, TwelveHoles) else "set"
    begins, ends = set_words(told, one)
    return {
        "unit": unit,
        "side": "side" if told.rules.match.players > 2 else "player",
        "head": _head(told, unit),
        "account": tuple(_account(told)),
        "told": place + 1,
        "chosen": f"the {unit} worth most to its winner, the first if several are" if many else "",
        "begins": begins,
        "ends": ends,
        "outcome": _outcome(told),
        "shown": tuple(_shown(told, one)),
    }


def _head(told: Transcript, unit: str) -> tuple[str, ...]:
    by_turns = ("side 1, side 2",) if told.rules.match.players > 2 else ()
    kind = ("stakes",) if unit == "partie" else ("kind", "points")
    return (unit, *by_turns, "begins", "won by", "holes", *kind, "rolls")


def _account(told: Transcript) -> Iterator[tuple[str, ...]]:
    for one in told.sets:
        row, worth = one.row, one.worth
        if not worth:  # a game of honours played on after the last set
            continue
        seats = (f"{row['player_1_seat']}, {row['player_2_seat']}",) if told.rules.match.players > 2 else ()
        own, others = row[f"holes_{row['winner']}"], row[f"holes_{3 - row['winner']}"]
        kind = (KINDS[worth["kind"]],) if "kind" in worth else ()
        yield (
            str(one.set_no),
            *seats,
            str(row["first_player"]),
            str(row["winner"]),
            f"{own} to {others}",
            *kind,
            str(worth["value"]),
            str(row["rolls"] + row["rolls_do_overs"]),
        )


def _outcome(told: Transcript) -> str:
    """How the match ended, in a sentence or two; empty for a single partie."""
    settled, players = told.settled, told.rules.match.players
    if settled is None or told.rules.match.units == 1:
        return ""
    if players > 2:
        money = [f"player {number} {settled[f'money_{number}']:+d}" for number in range(1, players + 1)]
        return f"Money at the end: {', '.join(money)}."
    winner = settled["winner"]
    won = f"{settled['sets_won_1']} to {settled['sets_won_2']}"
    result = f"Player {winner} wins the match" if winner else "Nobody wins the match"
    if isinstance(told.rules.match, TwelveHoles):
        return f"{result}, parties {won}."
    points = f"{settled['set_points_1']} to {settled['set_points_2']}"
    honours = (
        f"; games of honours {settled['honours_won_1']} to {settled['honours_won_2']}"
        if isinstance(told.rules.match, Combine)
        else ""
    )
    return (
        f"{result}: sets {won}, their points {points}{honours}. Settled, player 1 has {settled['exact']:+d} "
        f"before and {settled['money']:+d} after rounding."
    )


def _shown(told: Transcript, one: SetTold) -> Iterator[Shown]:
    for number, why in turns_of_set(one.rolls, one.row["winner"]).items():
        yield _shown_roll(told, one.rolls[number - 1], why)


def _shown_roll(told: Transcript, roll: Roll, why: tuple[str, ...]) -> Shown:
    happens, holes, points = roll_told(told, roll)
    honours = (
        () if roll.both is None else (("holes of honours", "-".join(map(str, roll.both.honours.holes))),)
    )
    return Shown(
        number=roll.number,
        player=roll.player,
        dice=roll.dice,
        why=why,
        position=write(roll.position),
        happens=happens,
        play=trictrac_moves(roll.play.steps) if roll.play else "",
        after=(("holes", holes), *honours, ("points", points)),
    )


def turns_of_set(rolls: Sequence[Roll], winner: int) -> dict[int, tuple[str, ...]]:
    """The rolls of a set or partie to be shown, by number and in order, each with what it is.

    The first that gives points, the dearest, the first choice to hold or go, the one after which the winner stays
    ahead in holes, and the last.
    """
    found: dict[int, tuple[str, ...]] = {}

    def add(roll: Roll | None, why: str) -> None:
        if roll is not None:
            found[roll.number] = (*found.get(roll.number, ()), why)

    gained = {roll.number: max((g.points for g in roll.gains if g.marked), default=0) for roll in rolls}
    most = max(gained.values())
    add(next((roll for roll in rolls if gained[roll.number]), None), "the first points")
    add(next((roll for roll in rolls if roll.decision), None), "the first choice to hold or go")
    if most:
        add(next(roll for roll in rolls if gained[roll.number] == most), "most points of one roll")
    add(_ahead_for_good(rolls, winner), "the winner stays ahead from here")
    add(rolls[-1], "the end")
    return dict(sorted(found.items()))


def _ahead_for_good(rolls: Sequence[Roll], winner: int) -> Roll | None:
    """The roll after which the winner has more holes for the rest of the set; None if he never has."""
    lead = [roll.after.holes[winner - 1] - roll.after.holes[2 - winner] for roll in rolls]
    last_level = max((k for k, holes in enumerate(lead) if holes <= 0), default=-1)
    return rolls[last_level + 1] if last_level + 1 < len(rolls) else None


# ---------------------------------------------------------------- pools


def _of_pools(rules: RuleSet, players: Players, seed: int, match: int) -> dict[str, Any]:
    """A pool: who met whom, and its last match."""
    watched = WatchedEngine(rules, players, seed)
    tables = play_chunk(rules, players, seed, match, 1, (), watched)
    rows = [
        {name: column[place].item() for name, column in tables.sets.items()}
        for place in range(len(watched.units))
    ]
    teller = Teller(rules, Engine(rules, players, seed))
    rolls = tuple(teller.roll(moment) for moment in watched.units[-1])
    last = rows[-1]
    told = Transcript(
        rules=rules,
        players=players,
        seed=seed,
        match=match,
        start=None,
        names=teller.names,
        sets=(SetTold(len(rows), None, rolls, last | {"ended_by": ENDED_BY[last["ended_by"]]}, {}),),
        worths=(),
        rows=tables.sets,
        matches=tables.matches,
        settled=None,
    )
    winner, loser = _seats(last)
    own, others = (last[f"holes_{side}"] for side in (last["winner"], 3 - last["winner"]))
    return {
        "unit": POOL_UNIT,
        "side": "side",
        "head": (POOL_UNIT, "side 1, side 2", "won by player", "holes", "rolls"),
        "account": tuple(_pool_row(number, row) for number, row in enumerate(rows, start=1)),
        "told": len(rows),
        "chosen": "the last, with which the pool ends",
        "begins": f"MATCH {len(rows)} of {len(rows)}: side 1 is player {last['player_1_seat']}, side 2 player "
        f"{last['player_2_seat']}; side {last['first_player']} begins",
        "ends": f"Side {last['winner']} wins it by {own} holes to {others}.",
        "outcome": f"The pool ends with match {len(rows)}, which player {winner} wins against player {loser}.",
        "shown": tuple(_shown(told, told.sets[0])),
    }


def _seats(row: Mapping[str, Any]) -> tuple[int, int]:
    """The places in line of winner and loser of a match."""
    seats = row["player_1_seat"], row["player_2_seat"]
    return seats if row["winner"] == 1 else seats[::-1]


def _pool_row(number: int, row: Mapping[str, Any]) -> tuple[str, ...]:
    winner = row["winner"]
    return (
        str(number),
        f"{row['player_1_seat']}, {row['player_2_seat']}",
        str(_seats(row)[0]),
        " to ".join(str(row[f"holes_{side}"]) for side in (winner, 3 - winner)),
        str(row["rolls"] + row["rolls_do_overs"]),
    )


# ---------------------------------------------------------------- toutes tables


def _of_tables(told: PointsTranscript) -> dict[str, Any]:
    """A match of toutes tables or backgammon: its games, and the one that was worth most."""
    points = [game.row["points"] for game in told.sets]
    game = told.sets[points.index(max(points))]
    begins, ends = game_words(told, game)
    several = len(told.sets) > 1
    return {
        "unit": "game",
        "side": "player",
        "head": ("game", "start", "begins", "won by", "points", "men hit by 1 and 2", "rolls"),
        "account": tuple(_game_row(one) for one in told.sets),
        "told": game.set_no,
        "chosen": "the game worth most to its winner, the first if several are" if several else "",
        "begins": begins,
        "ends": ends,
        "outcome": outcome_words(told),
        "shown": tuple(_shown_game(game)),
    }


def _game_row(game: GameTold) -> tuple[str, ...]:
    row = game.row
    a, b, c, d = game.start
    return (
        str(game.set_no),
        f"{a}-{b} {c}-{d}",
        str(row["first_player"]),
        str(row["winner"]),
        str(row["points"]),
        f"{row['hits_1']}, {row['hits_2']}",
        str(row["rolls"]),
    )


def _shown_game(game: GameTold) -> Iterator[Shown]:
    for number, why in turns_of_game(game).items():
        roll = game.rolls[number - 1]
        doubled = (
            (f"player {roll.player} doubles to {roll.doubled} before it, player {3 - roll.player} takes",)
            if roll.doubled
            else ()
        )
        yield Shown(
            number=roll.number,
            player=roll.player,
            dice=roll.dice,
            why=why,
            position=write(roll.position),
            happens=doubled,
            play=tables_moves(roll.steps),
            after=(("pips to go", f"{roll.pips[0]}-{roll.pips[1]}"),),
        )


def turns_of_game(game: GameTold) -> dict[int, tuple[str, ...]]:
    """The rolls of a game to be shown, by number and in order, each with what it is.

    The first, the first man hit, the first double taken, the largest change of the race, the first at which the
    men have passed each other, and the last.
    """
    found: dict[int, tuple[str, ...]] = {}

    def add(number: int | None, why: str) -> None:
        if number is not None:
            found[number] = (*found.get(number, ()), why)

    rolls = game.rolls
    lead = [roll.pips[0] - roll.pips[1] for roll in rolls]
    change = [0, *(abs(new - old) for old, new in pairwise(lead))]
    add(1, "the start")
    add(_first(any(step.hit for step in roll.steps) for roll in rolls), "the first man hit")
    add(_first(bool(roll.doubled) for roll in rolls), "the first double taken")
    if len(rolls) > 1:
        add(1 + change.index(max(change)), "the largest change of the race")
    add(_first(_passed(roll) for roll in rolls), "the men have passed each other")
    add(len(rolls), "the end")
    return dict(sorted(found.items()))


def _first(found: Iterable[bool]) -> int | None:
    """The number of the first roll, from 1, of which something is true."""
    return next((number for number, true in enumerate(found, start=1) if true), None)


def _passed(roll: TablesRoll) -> bool:
    """Whether no man of either can be hit any more before a roll: all have passed the other's."""
    mover, other = roll.position.mover, roll.position.other
    if any(roll.position.bar):
        return False
    rearmost = next((arrow for arrow in range(24) if mover[arrow]), 24)
    others = max((arrow for arrow in range(24) if other[arrow]), default=-1)
    return rearmost > others
