"""A match of toutes tables or backgammon told roll by roll: read off the engine of the drivers as it plays."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any, Final

import numpy as np

from simkit import tables
from simkit.boards import text_board
from simkit.drivers import State, TablesEngine, tables_of
from simkit.drivers.chunk import first_draws, played_out
from simkit.drivers.points import is_new_start, rounds_of_points
from simkit.drivers.tables_state import game_of, games_before
from simkit.errors import UsageError
from simkit.kernel.records import FREE, TO_THE_END
from simkit.kernel.tables.records import GAME_ENDED_BY
from simkit.numbering import OURS, Numbering, roll_words, write
from simkit.players import Players
from simkit.position import ARROWS, MEN, Position, unpack
from simkit.rules import (
    STANDARD_START,
    OpeningRoll,
    PairFirstStarter,
    PointMatch,
    RuleSet,
    SecondGameOpening,
)
from simkit.steps import Steps, moves, ways
from simkit.tables import Start

STARTERS: Final = {
    PairFirstStarter.ALTERNATE: "the other began with the start before",
    PairFirstStarter.LOSER: "he has lost the last game",
    PairFirstStarter.WINNER: "he has won the last game",
}
WORTH: Final = {1: "a single game", 2: "a double game", 3: "a triple game"}


@dataclass(frozen=True)
class TablesRoll:
    """One roll.

    Attributes
    ----------
    number, player, dice
        From 1 within its game; 1 or 2; what he throws.
    position
        The men before it, as he sees them.
    steps, after
        One way to make his play, and the men after it, still as he sees them.
    pips
        Of players 1 and 2 after it.
    doubled
        What the cube came to when he doubled before it and the other took; 0 if he did not double.
    """

    number: int
    player: int
    dice: tuple[int, int]
    position: Position
    steps: Steps
    after: Position
    pips: tuple[int, int]
    doubled: int = 0


@dataclass(frozen=True)
class GameTold:
    """One game of a match.

    Attributes
    ----------
    set_no, start, draw
        Its number from 1, its start, and what players 1 and 2 drew for the first throw, if they did.
    cube_rests
        Whether there is a cube, which nobody may turn in this game.
    position
        The men at its beginning, as the player sees them who is to roll.
    rolls, row
        Its rolls, and its row of `games`; `ended_by` is a word.
    """

    set_no: int
    start: Start
    draw: tuple[int, int] | None
    cube_rests: bool
    position: Position
    rolls: tuple[TablesRoll, ...]
    row: Mapping[str, Any]


@dataclass(frozen=True)
class PointsTranscript:
    """A match to points told roll by roll; `print` shows it as a player would read it.

    Attributes are those of `Transcript`, as far as they apply; `sets` are games. `start`: where the match goes on
    from, if that is given.
    """

    rules: RuleSet
    players: Players
    seed: int
    match: int
    names: Numbering
    start: State | None
    sets: tuple[GameTold, ...]
    rows: Mapping[str, Any] = field(compare=False, repr=False)
    matches: Mapping[str, Any] = field(compare=False, repr=False)

    def text(self, width: int = 96, *, boards: Collection[int] | None = (), rolls: bool = True) -> str:
        """Tell it; `boards`: draw the board before these rolls, None before every one; `rolls`: tell them."""
        return "\n".join(_told(self, width, boards, rolls))

    def __str__(self) -> str:
        return self.text()


class _Watched(TablesEngine):
    """Plays as its parent does, a roll at a time, and keeps what the game was before and after each."""

    def __init__(self, rules: RuleSet, players: Players, seed: int) -> None:
        super().__init__(rules, players, seed)
        self.begun: list[Any] = []
        self.games: list[list[tuple[Any, Any]]] = []

    def play(self, games: Any, forced: Any = FREE, most_rolls: int = TO_THE_END) -> Any:
        self.begun.append(games.copy()[0])
        self.games.append([])
        over = np.zeros(len(games), np.bool_)
        while not over.all():
            before = games.copy()
            over = super().play(games, most_rolls=1)
            if games.rolls[0] > before.rolls[0]:  # not where a game is capped
                self.games[-1].append((before[0], games.copy()[0]))
        return over


def transcribe_points(
    rules: RuleSet,
    players: Players,
    seed: int,
    match: int,
    *,
    set_no: int | None = None,
    names: Numbering = OURS,
    starts: tuple[State, ...] = (),
) -> PointsTranscript:
    """Play one match as every chunk is played, and tell it; for the parameters see `transcribe`."""
    _, points = tables_of(rules)
    watched = _Watched(rules, players, seed)
    found = played_out(rounds_of_points(rules, watched, match, 1, starts), watched.play)
    start = starts[match % len(starts)] if starts else None
    played = len(found.sets["set_no"])
    if set_no is not None and not 1 <= set_no <= played:
        raise UsageError(f"set {set_no}: match {match} of {rules.name} has games 1 to {played}")
    places = range(played) if set_no is None else (set_no - 1,)
    rows = [_row(found.sets, place) for place in range(played)]
    return PointsTranscript(
        rules=rules,
        players=players,
        seed=seed,
        match=match,
        names=names,
        start=start,
        sets=tuple(
            GameTold(
                place + 1,
                (
                    rows[place]["start_a"],
                    rows[place]["start_b"],
                    rows[place]["start_c"],
                    rows[place]["start_d"],
                ),
                _draw(rules, watched, match, place, start),
                points.cube and bool(watched.begun[place].cube_rests),
                _seen(watched.begun[place], int(watched.begun[place].roller)),
                tuple(_rolls(rules, watched.games[place])),
                rows[place],
            )
            for place in places
        ),
        rows=found.sets,
        matches=found.matches,
    )


def _row(games: Mapping[str, Any], place: int) -> dict[str, Any]:
    """A row of `games` as plain values, its end in a word."""
    row = {name: column[place].item() for name, column in games.items()}
    return row | {"ended_by": GAME_ENDED_BY[row["ended_by"]]}


def _opens_start(points: PointMatch, place: int, start: State | None) -> bool:
    """Tell whether a game, from 0, is the first from a start; `start`: where the match goes on from."""
    if start is None:
        return bool(is_new_start(points, place))
    return place > 0 and bool(is_new_start(points, place, games_before(start, points)))


def _draw(
    rules: RuleSet, engine: TablesEngine, match: int, place: int, start: State | None
) -> tuple[int, int] | None:
    """Return the draw for the first throw of a game, if there was one."""
    _, points = tables_of(rules)
    drawn = not place or points.pair_first_starter is PairFirstStarter.DRAW
    if not (drawn and _opens_start(points, place, start)):
        return None
    draws = first_draws(engine.key, np.array([match], np.int64), place)
    return int(draws[0, 0]), int(draws[0, 1])


def _rolls(rules: RuleSet, moments: list[tuple[Any, Any]]) -> Iterator[TablesRoll]:
    game, _ = tables_of(rules)
    for number, (before, after) in enumerate(moments, start=1):
        who = int(before.roller)
        dice = int(after.thrown_1), int(after.thrown_2)
        position, reached = _seen(before, who), _seen(after, who)
        mover, other = tables.pips(reached)
        yield TablesRoll(
            number,
            who + 1,
            dice,
            position,
            ways(game, position, dice)[reached],
            reached,
            (mover, other) if who == 0 else (other, mover),
            int(after.cube) if after.cube > before.cube else 0,
        )


def _seen(game: Any, who: int) -> Position:
    """The men of a game record as a player sees them."""
    *mover, on_bar = unpack(game.low[who], game.high[who], ARROWS + 1)
    *other, others_bar = unpack(game.low[1 - who], game.high[1 - who], ARROWS + 1)
    off = MEN - sum(mover) - on_bar, MEN - sum(other) - others_bar
    return Position(tuple(mover), tuple(reversed(other)), off, (on_bar, others_bar))


# ---------------------------------------------------------------- in words


def game_words(told: PointsTranscript, game: GameTold) -> tuple[str, str]:
    """Say how a game begins, and how it ends, each in one line."""
    return _opening(told, game), _ending(told, game)


def outcome_words(told: PointsTranscript) -> str:
    """Say how the match ended."""
    return _outcome(told.matches)


def _told(told: PointsTranscript, width: int, boards: Collection[int] | None, rolls: bool) -> Iterator[str]:
    _, match = tables_of(told.rules)
    one, two = told.players
    yield from wrap(
        f"{told.rules.title}. Match {told.match}, seed {told.seed}: player 1 {one.name}, player 2 {two.name}; "
        f"to {counted(match.match_points, 'point')}. Arrows are counted by whoever throws.",
        width,
    )
    for game in told.sets:
        yield ""
        yield from wrap(_opening(told, game), width)
        if rolls:
            yield from _roll_lines(game, told.names, boards)
        yield from wrap(_ending(told, game), width)
    yield ""
    yield from wrap(_outcome(told.matches), width)


def _opening(told: PointsTranscript, game: GameTold) -> str:
    """Say from where a game starts, who begins and why, and whether the cube rests in it."""
    a, b, c, d = game.start
    first = game.row["first_player"]
    rests = " The cube rests in this game." if game.cube_rests else ""
    if told.start and game.set_no == 1:
        men = write(game.position, told.names)
        return f"Game 1 from {men}: player {told.start.roller + 1} is to roll.{_standing(told)}{rests}"
    standard = ", the standard one" if game.start == STANDARD_START else ""
    begins = f"player {first} begins; {_first_roll(told, game)}"
    return f"Game {game.set_no} from start {a}-{b} {c}-{d}{standard}: {begins}.{rests}"


def _standing(told: PointsTranscript) -> str:
    """Say how a match stands that goes on from a state: score, cube, game of its start; as far as it is told."""
    start = told.start
    assert start is not None
    _, match = tables_of(told.rules)
    score = f" Score {start.match_score[0]} to {start.match_score[1]}." if any(start.match_score) else ""
    cube = f" The cube is at {start.cube}, player {start.cube_owner + 1}'s." if start.cube > 1 else ""
    game = game_of(start, match)
    pair = f" It is game {game} of {match.games_per_start} from its start."
    return f"{score}{cube}{pair if game and match.games_per_start > 1 else ''}"


def _first_roll(told: PointsTranscript, game: GameTold) -> str:
    """Say how the first player and the first roll came about."""
    tables_game, match = tables_of(told.rules)
    first = game.row["first_player"]
    if game.draw:
        own, others = game.draw if first == 1 else game.draw[::-1]
        same = tables_game.first_roll_method is OpeningRoll.DRAW_IS_FIRST_THROW
        return f"he draws {own} against {others} {'and plays these numbers' if same else 'and throws anew'}"
    if _opens_start(match, game.set_no - 1, told.start):
        return STARTERS[match.pair_first_starter]
    how = {
        SecondGameOpening.FRESH_THROW: "it is his turn from this start",
        SecondGameOpening.NON_DOUBLE: "it is his turn from this start, and he throws no double",
        SecondGameOpening.SAME_ROLL_AS_FIRST: "it is his turn from this start, with the same opening roll",
    }
    return how[match.second_game_opening]


def _roll_lines(game: GameTold, names: Numbering, boards: Collection[int] | None) -> Iterator[str]:
    written = [moves(roll.steps, names) for roll in game.rolls]
    widest = max(map(len, written), default=0)
    for roll, play in zip(game.rolls, written, strict=True):
        if roll.doubled:
            yield f"      Player {roll.player} doubles to {roll.doubled}; player {3 - roll.player} takes."
        if boards is None or roll.number in boards:
            yield text_board(roll.position, roll.dice, names, with_bar=True)
        line = f"{roll.number:>4}  {roll.player}  {roll_words(roll.dice):<17}{play:<{widest}}"
        yield f"{line}  {roll.pips[0]:>3} {roll.pips[1]:>3}"


def _ending(told: PointsTranscript, game: GameTold) -> str:
    row, rows = game.row, told.rows
    if row["truncated"]:
        return f"Stopped after {counted(row['rolls'], 'roll')}; the match ends here."
    loser = 3 - row["winner"]
    until = rows["set_no"] <= game.set_no
    before = told.start.match_score if told.start else (0, 0)
    score = [before[who - 1] + int(rows["points"][until & (rows["winner"] == who)].sum()) for who in (1, 2)]
    return (
        f"{_won(row)} after {counted(row['rolls'], 'roll')}: {row['points']} to player {row['winner']}. "
        f"Player {loser} has {row[f'off_{loser}']} {'man' if row[f'off_{loser}'] == 1 else 'men'} off and "
        f"{counted(row[f'pips_left_{loser}'], 'pip')} to go; "
        f"hits {row['hits_1']} and {row['hits_2']}. Score {score[0]} to {score[1]}."
    )


def counted(number: int, noun: str) -> str:
    """Write `1 roll`, `2 rolls`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _won(row: Mapping[str, Any]) -> str:
    winner, cube = row["winner"], row["cube"]
    if row["ended_by"] == "drop":
        return f"Player {winner} doubles to {2 * cube}; player {3 - winner} drops"
    times = f" with the cube at {cube}" if cube > 1 else ""
    return f"Player {winner} wins {WORTH[row['points'] // cube]}{times}"


def _outcome(matches: Mapping[str, Any]) -> str:
    row = {name: column[0].item() for name, column in matches.items()}
    if row["truncated"]:
        return "The match was cut short."
    points = f"{row['points_1']} to {row['points_2']}"
    return f"Player {row['winner']} wins the match, {points}, in {counted(row['games'], 'game')}."
