"""Lock-step: matches whose plays are chosen in Python, thousands of rolls at a time (docs/lockstep.md)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from simkit import catalogue
from simkit.arguments import check_items, check_text, items_of, refuse
from simkit.dataset import MAX_MATCHES, PlaySpec, StoredPlay, check_whole, figures_frame, frame_of
from simkit.dataset.schema import GAMES, SETS, Table
from simkit.drivers import ABREAST, Abreast, ChunkTables, OpenRolls, State, weights_of
from simkit.errors import UsageError
from simkit.kernel.choice import FEATURES
from simkit.kernel.ledger import DO_OVER, PICKUP, SET_CONCEDED, SET_WON
from simkit.kernel.records import GO, HOLD, SUSPEND_HONOURS, SUSPEND_WRITTEN
from simkit.kernel.tables.choice import FEATURES as TABLES_FEATURES
from simkit.players import OwnPlay, Player

if TYPE_CHECKING:
    import pandas as pd

    from simkit.rules import RuleSet

__all__ = [
    "DO_OVER",
    "FEATURES",
    "GO",
    "HOLD",
    "OWN",
    "PICKUP",
    "SET_CONCEDED",
    "SET_WON",
    "SUSPEND_HONOURS",
    "SUSPEND_WRITTEN",
    "TABLES_FEATURES",
    "LockStep",
    "OpenRolls",
    "weights_of",
]

OWN: Final = Player(name="own", title="Chooses outside simkit, in lock-step.", choice=OwnPlay())
"""Who plays where no player is named: the loop around the table chooses, and says who goes."""


class LockStep:
    """A table of many matches that waits, at an open roll of each, for whoever chooses.

    Parameters
    ----------
    rules : str or RuleSet
        What to play: a name of the catalogue, a file, or a rule set.
    players : sequence of str, Player or None
        All players at the table in the order of their numbers. None chooses outside, in the loop; so does a
        `Player` with an `OwnPlay`, who may have a decision of the kernel to say when he goes. Everybody else is
        played in the kernel. By default all choose outside.
    matches : int
        Matches to play, 1 to 10**9; their rows are kept in memory.
    seed : int
        Seed of all dice, 0 to 2**64 - 1.
    first_match : int
        Number of the first match.
    starts : State or sequence of State, optional
        As for `simkit.simulate`.
    abreast : int
        Matches at the table at once.

    Raises
    ------
    UsageError, ConfigError
        As for `simkit.simulate`.

    Examples
    --------
    >>> table = simkit.LockStep("twelve_hole", players=(None, "prudent"), matches=1000, seed=1)
    >>> while table.running:
    ...     rolls = table.observe()
    ...     table.choose(rolls.draw(rolls.counts), going=rolls.gain > rolls.others_gain)
    >>> table.matches["winner"].value_counts()
    """

    def __init__(
        self,
        rules: str | RuleSet,
        players: Sequence[str | Player | None] = (),
        *,
        matches: int = 1000,
        seed: int = 0,
        first_match: int = 0,
        starts: State | Sequence[State] = (),
        abreast: int = ABREAST,
    ) -> None:
        found = catalogue.rule_set(rules)
        if isinstance(players, str | Player):
            raise UsageError(
                f"players: {players!r} is one; give all players at the table, None for who chooses"
            )
        several = items_of(players)
        if several is None:
            refuse("players", players, "a list of all players at the table, None for who chooses")
        given = several or (None,) * found.match.players
        at_table = tuple(OWN if one is None else catalogue.player(one) for one in given)
        starting = check_items(
            "starts", starts, State, "a start, as simkit.start makes them, or a list of them"
        )
        play = PlaySpec(found, at_table, seed, starting)
        check_whole("matches", matches, 1, MAX_MATCHES)
        check_whole("first_match", first_match, 0, MAX_MATCHES)
        check_whole("abreast", abreast, 1, 1_000_000)
        self.play = StoredPlay.of(play)
        """What is played, as a run would keep it."""
        self._table = Abreast(found, at_table, seed, first_match, matches, starting, abreast)
        self._wanted = matches
        self._seen = -1

    def __repr__(self) -> str:
        return f"LockStep({self.play.title}: {self._table.done} of {self._wanted} matches over)"

    @property
    def running(self) -> bool:
        """Whether there is a roll to choose on."""
        return self._table.rolls is not None

    def observe(self) -> OpenRolls:
        """Return the open rolls, one for each match at the table.

        Raises
        ------
        UsageError
            All matches are over.
        """
        if self._table.rolls is None:
            raise UsageError("all matches are over: there is no roll to look at")
        self._seen = self._table.steps
        return self._table.rolls

    def choose(self, choices: Any, going: Any = None) -> None:
        """Take a play on every open roll, and go on to the next.

        Parameters
        ----------
        choices
            int (n,): the place of the play among those of its roll, from 0.
        going
            Whether to go on the rolls whose `may_go` says that one may; elsewhere it is not looked at. One truth
            value for all, or bool (n,); in trictrac combiné int (n,) of `HOLD`, `GO`, `SUSPEND_WRITTEN` and
            `SUSPEND_HONOURS`. Left out only in toutes tables, and where the chooser has a decision of the kernel.

        Raises
        ------
        UsageError
            Numbers of another shape or type, a place that is none (the match is named), nothing said of going
            where it must be said, rolls that were not observed, or all matches are over.
        """
        if self.running and self._seen != self._table.steps:
            raise UsageError("these rolls were not looked at: observe first, then choose, at every step")
        self._table.choose(choices, going)

    @cached_property
    def columns(self) -> ChunkTables:
        """The rows of all matches as NumPy columns; raises UsageError while some are under way."""
        return self._table.tables_of_all()

    @cached_property
    def matches(self) -> pd.DataFrame:
        """One row per match, as `simkit.simulate` gives them."""
        return self._frame(self.play.family.matches, self.columns.matches)

    @cached_property
    def sets(self) -> pd.DataFrame:
        """One row per set or partie; of trictrac."""
        return self._frame(self._units(SETS), self.columns.sets)

    @cached_property
    def games(self) -> pd.DataFrame:
        """One row per game; of toutes tables and backgammon."""
        return self._frame(self._units(GAMES), self.columns.sets)

    @cached_property
    def figures(self) -> pd.DataFrame:
        """Times and points of every award, by side; of trictrac."""
        self._units(SETS)
        return figures_frame((self.play,), (self.columns.figures,))

    def rows(self, table: str) -> pd.DataFrame:
        """The rows of any table that a run of this would keep, by its name: also `shares`, `honours_games`."""
        check_text("table", table)
        family = self.play.family
        own = {family.matches.name: self.columns.matches, family.units.name: self.columns.sets}
        for one in family.played:
            if one.name == table:
                return self._frame(one, (own | self.columns.others)[table])
        held = ", ".join(one.name for one in family.played)
        raise UsageError(f"table: {family.games} leave {held} and no {table!r}")

    def _units(self, table: Table) -> Table:
        """The table of that name, where play leaves it."""
        held = self.play.family.units
        if held.name != table.name:
            raise UsageError(f"{self.play.rules.name} leaves {held.name} and no {table.name}")
        return held

    def _frame(self, table: Table, columns: dict[str, Any]) -> pd.DataFrame:
        return frame_of(table, self.play.labels, columns)  # type: ignore[no-any-return]
