"""Matches played again with an eye on the dice: how lucky player 1 was in each."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from simkit.drivers.chunk import ChunkTables
from simkit.drivers.engine import Engine
from simkit.drivers.match import play_chunk
from simkit.drivers.points import TablesEngine
from simkit.drivers.start import State
from simkit.errors import UsageError
from simkit.kernel.luck import add_unit_luck
from simkit.kernel.records import FREE, TO_THE_END
from simkit.kernel.tables.luck import SURE, add_game_luck
from simkit.players import Doubling, Evaluation, Player, Players, TablesEvaluation, lower_players
from simkit.players.lower import lower_tables_players
from simkit.rules import PointMatch, RuleSet, TwelveHoles, Written

TRICTRAC: Final = ("awards", "holes", "position")
POINTS: Final = ("chance",)
WITH_CUBE: Final = ("chance", "stake")


def kinds_of_luck(rules: RuleSet) -> tuple[str, ...]:
    """What luck is counted in under a rule set.

    In trictrac the points that a roll awards, the holes it makes at once, and the worth of the position after it;
    in toutes tables the chance of winning, and with the cube that times what the cube shows.
    """
    if isinstance(rules.match, PointMatch):
        return WITH_CUBE if rules.match.cube else POINTS
    if isinstance(rules.match, Written | TwelveHoles) and rules.match.players == 2:
        return TRICTRAC
    raise UsageError(f"{rules.name}: luck is counted in written matches, parties and matches to points alone")


def check_judge(rules: RuleSet, judge: Player) -> None:
    """Refuse a judge who has no view of what a position of these rules is worth; raises UsageError."""
    if isinstance(rules.match, PointMatch):
        fits = isinstance(judge.choice, TablesEvaluation) and isinstance(judge.decision, Doubling)
        what = "a player of toutes tables who knows his chance of winning, as tables_cube"
    else:
        fits, what = isinstance(judge.choice, Evaluation), "a player of trictrac who evaluates, as prudent"
    if not fits:
        raise UsageError(
            f"luck: {judge.name} cannot tell what a position of {rules.name} is worth; name {what}"
        )


class _Watching:
    """Plays units roll by roll, and adds up the luck of each."""

    def __init__(self, first_match: int, count: int, kinds: int) -> None:
        self.luck = np.zeros((count, kinds), np.int64)
        self._first_match = first_match

    def _play(self, step: Any, units: Any, add: Any) -> Any:
        """Play on with `step` till all are over; `add` takes units before and after, which are over, and sums."""
        on = np.arange(len(units))
        while on.size:
            before = units[on].view(np.recarray)
            after = before.copy().view(np.recarray)
            over = step(after)
            found = np.zeros((len(on), self.luck.shape[1]), np.int64)
            add(before, after, over, found)
            np.add.at(self.luck, after.match_id - self._first_match, found)
            units[on] = after
            on = on[~over]
        return np.ones(len(units), np.bool_)


class WatchedUnits(Engine, _Watching):
    """An `Engine` that counts the luck of player 1 in `luck`, int64 (matches, kinds), in 36ths."""

    def __init__(
        self, rules: RuleSet, players: Players, seed: int, first_match: int, count: int, judge: Player
    ) -> None:
        Engine.__init__(self, rules, players, seed)
        _Watching.__init__(self, first_match, count, len(TRICTRAC))
        self._judge = lower_players((judge,))

    def play(self, units: Any, forced: Any = FREE, most_rolls: int = TO_THE_END) -> Any:
        """Play units to their end, as `Engine.play` does."""

        def add(before: Any, after: Any, over: Any, luck: Any) -> None:
            add_unit_luck(self.lowered, self._judge, before, after, over, luck)

        return self._play(lambda one: Engine.play(self, one, most_rolls=1), units, add)


class WatchedGames(TablesEngine, _Watching):
    """A `TablesEngine` that counts the luck of player 1 in `luck`, int64 (matches, 2), in 36ths of 1 / `SURE`."""

    def __init__(
        self, rules: RuleSet, players: Players, seed: int, first_match: int, count: int, judge: Player
    ) -> None:
        TablesEngine.__init__(self, rules, players, seed)
        _Watching.__init__(self, first_match, count, len(WITH_CUBE))
        self._judge = lower_tables_players((judge, judge))

    def play(self, games: Any, forced: Any = FREE, most_rolls: int = TO_THE_END) -> Any:
        """Play games to their end, as `TablesEngine.play` does."""

        def add(before: Any, after: Any, over: Any, luck: Any) -> None:
            add_game_luck(self.lowered, self._judge, before, after, luck)

        return self._play(lambda one: TablesEngine.play(self, one, most_rolls=1), games, add)


def play_with_luck(
    rules: RuleSet,
    players: Players,
    seed: int,
    first_match: int,
    count: int,
    judge: Player,
    starts: tuple[State, ...] = (),
) -> tuple[ChunkTables, Any]:
    """Play a chunk as `play_chunk` does, and count how lucky player 1 was.

    Returns
    -------
    ChunkTables
        What `play_chunk` returns, row for row.
    ndarray
        int64 (count, kinds), kinds as `kinds_of_luck` names them: what player 1's rolls brought him beyond the
        mean of a roll less what player 2's did, in 36ths of a point, of a hole, of the judge's weights, or of
        1 / `SURE`.

    Raises
    ------
    UsageError
        Rules of which no luck is counted, or a judge who cannot evaluate their positions.
    """
    kinds = kinds_of_luck(rules)
    check_judge(rules, judge)
    watched = WatchedGames if isinstance(rules.match, PointMatch) else WatchedUnits
    engine = watched(rules, players, seed, first_match, count, judge)
    tables = play_chunk(rules, players, seed, first_match, count, starts, engine)
    return tables, engine.luck[:, : len(kinds)]


def parts_of_luck(rules: RuleSet) -> int:
    """Into how many parts the units of luck are cut."""
    return 36 * SURE if isinstance(rules.match, PointMatch) else 36
