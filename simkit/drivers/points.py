"""The match to a number of points: starts, first players, opening rolls, and what its games leave as columns."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from simkit.drivers.chunk import ChunkTables, Rounds, different_dice, first_draws, in_order
from simkit.drivers.start import State
from simkit.drivers.tables_state import game_of, games_before, has_rested, opens, start_of, who_began
from simkit.errors import UsageError
from simkit.kernel.compiled import signed_word
from simkit.kernel.dice import PLACING
from simkit.kernel.records import CAPPED, FREE, TO_THE_END
from simkit.kernel.tables.entries import play_games
from simkit.kernel.tables.lower import lower_tables
from simkit.kernel.tables.records import GAME, NOBODY
from simkit.players import Players, lower_tables_players, own_words, refuse_misfit
from simkit.rules import (
    STANDARD_START,
    OpeningRoll,
    PairFirstStarter,
    PointMatch,
    RuleSet,
    SecondGameOpening,
    StartSelection,
    Tables,
)
from simkit.tables import all_starts, start, words_of

FAR = 10_000
"""Points to go for who is not near the end of a match."""


class TablesEngine:
    """Rules, two players and a seed, made ready for compiled play of toutes tables or backgammon.

    Parameters
    ----------
    rules, players
        The rule set; player 1 and player 2.
    seed
        0 to 2**64 - 1, the first word of the dice's key.

    Raises
    ------
    UsageError, ConfigError
        For rules of trictrac, and a player of trictrac.
    """

    def __init__(self, rules: RuleSet, players: Players, seed: int) -> None:
        game, match = tables_of(rules)
        refuse_misfit(rules, players)
        self.lowered = lower_tables(game, match)
        self.key = signed_word(seed)
        self.players = lower_tables_players(players)
        self._own = own_words(players)

    def play(self, games: Any, forced: Any = FREE, most_rolls: int = TO_THE_END) -> Any:
        """Play games on in place; return which are over, bool (n,).

        Parameters
        ----------
        games
            Game records, of which none is over.
        forced
            What binds the first roll of each, int64 (n,) or one for all: `FREE`, or the place of a play in the
            list of `simkit.tables.legal_plays`.
        most_rolls
            Stop a game after so many rolls, unless it is over before.

        Raises
        ------
        UsageError
            For a player whom the kernel does not know (`OwnPlay`).
        """
        if self._own:
            raise UsageError(self._own)
        over = np.zeros(len(games), np.bool_)
        bound = np.broadcast_to(np.asarray(forced, np.int64), len(games)).copy()
        play_games(self.lowered, self.players, games, self.key, bound, most_rolls, over)
        return over


def tables_of(rules: RuleSet) -> tuple[Tables, PointMatch]:
    """The game and match of a rule set of this family; raises UsageError for another."""
    if isinstance(rules.game, Tables) and isinstance(rules.match, PointMatch):
        return rules.game, rules.match
    raise UsageError(f"{rules.name} is trictrac, no game of toutes tables or backgammon")


def rounds_of_points(
    rules: RuleSet, engine: TablesEngine, first_match: int, count: int, starts: tuple[State, ...] = ()
) -> Rounds:
    """Play `count` matches from match `first_match` on, game by game, all matches abreast.

    A match ends when its points are reached (`PointMatch`), or after a capped game. With `starts` match m goes on
    from `starts[m % len(starts)]`, its score and the game of its start included.
    """
    _, match = tables_of(rules)
    ids = np.arange(first_match, first_match + count, dtype=np.int64)
    points, rested, before = standing(match, starts, ids)
    games = opening_games(rules, engine.key, ids, starts)
    rounds = []
    while len(games):
        row = games.match_id - first_match
        rested[row] |= set_cube(match, games, points[row], rested[row])
        yield games
        rounds.append(games)
        won = games.winner >= 0
        points[row[won], games.winner[won]] += games.points[won]
        on = won & ~decided(match, points[row], len(rounds), before[row])
        last = games[on].view(np.recarray)
        if starts and len(rounds) == 1:
            last = as_begun(rules, starts, last)
        games = next_games(rules, engine.key, last, len(rounds), before[row[on]])
    whole = in_order(rounds)
    return ChunkTables(
        matches=_match_columns(whole, points, first_match, count),
        sets=game_columns(whole),
        figures=np.zeros((2, 0, 2), np.int64),
    )


def opening_games(rules: RuleSet, key: int, ids: Any, starts: tuple[State, ...] = ()) -> Any:
    """Set up the first games of matches; `ids`, int64 (n,), their numbers, and `key` the seed as a signed word."""
    if starts:
        return games_from(starts, ids)
    game, _ = tables_of(rules)
    return _drawn_first(game, _at_new_start(game, key, ids, 0), key, 0)


def games_from(starts: tuple[State, ...], ids: Any) -> Any:
    """Game records that start from states, match m from `starts[m % len(starts)]`, without the dice of a start.

    How far each player is from the match is left to `set_cube`.
    """
    place, rows = ids % len(starts), np.arange(len(ids))
    words = np.array([words_of(state.position) for state in starts])[place]
    roller = np.array([state.roller for state in starts])[place]
    games = np.zeros(len(ids), GAME).view(np.recarray)
    games.match_id, games.winner = ids, -1
    games.cube = np.array([state.cube for state in starts])[place]
    games.cube_owner = np.array([state.cube_owner for state in starts])[place]
    games.under_way = np.array([not opens(state) for state in starts])[place]
    games.roller = roller
    games.first_player = np.array([who_began(state) for state in starts])[place]
    for side, first in ((roller, 0), (1 - roller, 2)):
        games.low[rows, side], games.high[rows, side] = words[:, first], words[:, first + 1]
    games.die_1, games.die_2 = np.array([state.dice or (0, 0) for state in starts])[place].T
    return games


def standing(match: PointMatch, starts: tuple[State, ...], ids: Any) -> tuple[Any, Any, Any]:
    """How matches stand when they begin, or go on from states, match m from `starts[m % len(starts)]`.

    Returns
    -------
    points
        Of both players, int64 (n, 2).
    rested
        Matches in which the game without the cube is past, bool (n,).
    before
        Games of the first start that were played before, int64 (n,).
    """
    if not starts:
        return np.zeros((len(ids), 2), np.int64), np.zeros(len(ids), np.bool_), np.zeros(len(ids), np.int64)
    place = ids % len(starts)
    points = np.array([state.match_score for state in starts], np.int64)[place]
    rested = np.array([has_rested(state, match) for state in starts], np.bool_)[place]
    return points, rested, np.array([games_before(state, match) for state in starts], np.int64)[place]


def as_begun(rules: RuleSet, starts: tuple[State, ...], games: Any) -> Any:
    """Games that went on from states, as they are to be known to the games that follow: how they had begun.

    Parameters
    ----------
    games
        The first games of matches, a copy; the start, the opening roll and the first player are filled in.
    """
    game, match = tables_of(rules)
    place = games.match_id % len(starts)
    known = [start_of(state, game) or (0, 0, 0, 0) for state in starts]
    games.start = np.array(known, np.int64)[place]
    opened = np.array([state.opening_roll or (0, 0) for state in starts], np.int64)[place]
    told = opened[:, 0] > 0
    games.opening_1[told], games.opening_2[told] = opened[told].T
    alone = np.array([not game_of(state, match) for state in starts], np.bool_)[place]
    games.first_player ^= alone & (
        (match.games_per_start - 1) % 2
    )  # as if he had begun the first from that start
    return games


def set_cube(match: PointMatch, games: Any, points: Any, rested: Any) -> Any:
    """Say of games about to begin how far each player is from the match, and whether the cube rests.

    It rests once in a match, in the first game begun with one point to go (`PointMatch.crawford`). Where a start
    is played out, points beyond those agreed may decide as well, and nobody counts as near the end.

    Parameters
    ----------
    match, games
        The rules; game records, one per match.
    points
        Points of both players so far, int64 (n, 2).
    rested
        Matches in which a game with one point to go has begun before, bool (n,).

    Returns
    -------
    ndarray
        Matches in which such a game begins now, bool (n,).
    """
    needed = match.match_points - points
    games.needed = needed if match.match_end_mid_pair else FAR
    first = (needed.min(axis=1) == 1) & ~rested
    games.cube_rests = first & match.crawford
    return first


def decided(match: PointMatch, points: Any, played: int, before: Any = 0) -> Any:
    """Tell which matches are over with these points, int64 (n, 2), after so many games; `before`: `next_games`."""
    reached = points.max(axis=1) >= match.match_points
    if match.match_end_mid_pair:
        return reached
    return reached & (points[:, 0] != points[:, 1]) & is_new_start(match, played, before)


def is_new_start(match: PointMatch, unit_no: int, before: Any = 0) -> Any:
    """Tell whether a game, counted from 0 in its match, is the first from its start; `before` as `next_games`."""
    return (unit_no + before) % match.games_per_start == 0


def next_games(rules: RuleSet, key: int, last: Any, unit_no: int, before: Any = 0) -> Any:
    """Set up the games that follow others, in the same matches and order.

    Parameters
    ----------
    rules, key
        The rule set, and the seed as a signed word.
    last
        Games won, each the last of its match.
    unit_no
        Place of the next games in their matches, from 1.
    before
        Games of its first start that were played before a match, int64, one for each or for all.
    """
    game, match = tables_of(rules)
    anew = np.broadcast_to(is_new_start(match, unit_no, before), len(last))
    games = np.zeros(len(last), GAME).view(np.recarray)
    games[anew] = _of_new_start(game, match, key, last[anew].view(np.recarray), unit_no)
    games[~anew] = _of_same_start(match, key, last[~anew].view(np.recarray), unit_no)
    return games


def _of_new_start(game: Tables, match: PointMatch, key: int, last: Any, unit_no: int) -> Any:
    """Games from a start that follows that of the games before."""
    games = _at_new_start(game, key, last.match_id, unit_no)
    if match.pair_first_starter is PairFirstStarter.DRAW:
        return _drawn_first(game, games, key, unit_no)
    if match.pair_first_starter is PairFirstStarter.ALTERNATE:
        began = last.first_player ^ (match.games_per_start - 1) % 2  # who began with the start before
        return _played_first(games, 1 - began)
    winner = match.pair_first_starter is PairFirstStarter.WINNER
    return _played_first(games, last.winner if winner else 1 - last.winner)


def _of_same_start(match: PointMatch, key: int, last: Any, unit_no: int) -> Any:
    """Games from the start of those before, the other player beginning."""
    games = _placed(last.match_id, unit_no, last.start)
    _played_first(games, 1 - last.first_player)
    if match.second_game_opening is SecondGameOpening.NON_DOUBLE:
        dice = first_draws(key, games.match_id, unit_no)
        games.die_1, games.die_2 = dice.T
    elif match.second_game_opening is SecondGameOpening.SAME_ROLL_AS_FIRST:
        games.die_1, games.die_2 = last.opening_1, last.opening_2
    return games


def _at_new_start(game: Tables, key: int, ids: Any, unit_no: int) -> Any:
    """Games from a start that is drawn, standard or given; nobody has the first throw yet."""
    if game.start_selection is StartSelection.RANDOM_225:
        rolls = [different_dice(key, ids, unit_no, PLACING + roll) for roll in range(2)]
        dice = np.concatenate([np.sort(roll, axis=1) for roll in rolls], axis=1)
    else:
        given = game.fixed_start or STANDARD_START
        dice = np.broadcast_to(np.array(given, np.int64), (len(ids), 4))
    return _placed(ids, unit_no, dice)


def _drawn_first(game: Tables, games: Any, key: int, unit_no: int) -> Any:
    """Draw who plays first; where the draw is the first roll, with it (S4)."""
    dice = first_draws(key, games.match_id, unit_no)
    if game.first_roll_method is OpeningRoll.DRAW_IS_FIRST_THROW:
        games.die_1, games.die_2 = dice.T
    return _played_first(games, (dice[:, 1] > dice[:, 0]).astype(np.int64))


def _played_first(games: Any, first: Any) -> Any:
    games.first_player = games.roller = first
    return games


def _placed(ids: Any, unit_no: int, dice: Any) -> Any:
    """Game records with the men at their starts, int64 (n, 4)."""
    games = np.zeros(len(ids), GAME).view(np.recarray)
    games.match_id, games.unit_no, games.start, games.winner = ids, unit_no, dice, -1
    games.cube, games.cube_owner = 1, NOBODY
    words = _boards()[tuple(np.asarray(dice).T)]
    games.low, games.high = words[:, :1], words[:, 1:]  # a start is alike for both players
    return games


@cache
def _boards() -> Any:
    """The words of a player's men at each start, int64 (7, 7, 7, 7, 2), by its dice."""
    boards = np.zeros((7, 7, 7, 7, 2), np.int64)
    for dice in all_starts():
        boards[dice] = words_of(start(*dice))[:2]
    return boards


_BY_PLAYER: Any = (("hits", np.int32), ("pips_left", np.int16), ("off", np.int8), ("all_home", np.bool_))


def game_columns(games: Any) -> dict[str, Any]:
    """Return one row per game, in the order given."""
    columns: dict[str, Any] = {"match_id": games.match_id, "set_no": (games.unit_no + 1).astype(np.int16)}
    for place, letter in enumerate("abcd"):
        columns[f"start_{letter}"] = games.start[:, place].astype(np.int8)
    columns["first_player"] = (games.first_player + 1).astype(np.int8)
    columns["winner"] = (games.winner + 1).astype(np.int8)
    columns["points"] = games.points.astype(np.int8)
    columns["opening_1"], columns["opening_2"] = (
        games[name].astype(np.int8) for name in ("opening_1", "opening_2")
    )
    columns["rolls"] = games.rolls.astype(np.int32)
    for name, dtype in _BY_PLAYER:
        for side in range(2):
            columns[f"{name}_{side + 1}"] = games[name][:, side].astype(dtype)
    columns["truncated"] = games.ended_by == CAPPED
    columns["cube"] = games.cube.astype(np.int8)
    columns["cube_owner"] = (games.cube_owner + 1).astype(np.int8)
    columns["ended_by"] = games.ended_by.astype(np.int8)
    return columns


def _match_columns(games: Any, points: Any, first_match: int, count: int) -> dict[str, Any]:
    """Return one row per match, summed over its games."""
    row = games.match_id - first_match

    def summed(values: Any, dtype: Any) -> Any:
        return np.bincount(row, values, count).astype(dtype)

    truncated = summed(games.ended_by == CAPPED, np.bool_)
    columns: dict[str, Any] = {
        "match_id": np.arange(first_match, first_match + count, dtype=np.int64),
        "first_player": (games.first_player[games.unit_no == 0] + 1).astype(np.int8),
        "winner": np.where(truncated, 0, np.where(points[:, 0] > points[:, 1], 1, 2)).astype(np.int8),
    }
    for side in range(2):
        columns[f"points_{side + 1}"] = points[:, side].astype(np.int16)
    for side in range(2):
        columns[f"games_won_{side + 1}"] = summed(games.winner == side, np.int16)
    columns["games"] = summed(np.ones(len(games)), np.int16)
    columns["rolls"] = summed(games.rolls, np.int32)
    for side in range(2):
        columns[f"hits_{side + 1}"] = summed(games.hits[:, side], np.int32)
    columns["truncated"] = truncated
    return columns
