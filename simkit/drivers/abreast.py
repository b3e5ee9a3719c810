"""Lock-step: many matches abreast, each at an open roll, for whoever chooses from outside the kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.arguments import check_type, refuse
from simkit.drivers.chunk import ChunkTables
from simkit.drivers.match import engine_of
from simkit.drivers.points import TablesEngine
from simkit.drivers.slices import Slices
from simkit.drivers.start import State
from simkit.errors import UsageError
from simkit.kernel import lockstep
from simkit.kernel.choice import FEATURES
from simkit.kernel.entries import play_units
from simkit.kernel.lockstep import NEXT, PLAYS_WRITTEN, THEIRS, WRITTEN, Rolls
from simkit.kernel.plays import MAX_PLAYS
from simkit.kernel.records import COMBINED_UNIT, FREE, GO, HOLD, SUSPEND_HONOURS, SUSPEND_WRITTEN, UNIT
from simkit.kernel.tables import lockstep as tables_lockstep
from simkit.kernel.tables.choice import FEATURES as TABLES_FEATURES
from simkit.kernel.tables.choice import WON
from simkit.kernel.tables.entries import play_games
from simkit.kernel.tables.game import STREAMS as TABLES_STREAMS
from simkit.kernel.tables.plays import MAX_PLAYS as TABLES_MAX_PLAYS
from simkit.kernel.tables.records import GAME
from simkit.kernel.unit import N_FIGURES, STREAMS
from simkit.players import (
    Evaluation,
    OwnPlay,
    Player,
    Players,
    TablesEvaluation,
    lower_players,
    lower_tables_players,
    refuse_misfit,
)
from simkit.rules import Combine, RuleSet

ABREAST: Final = 1024
"""Matches at the table at once: enough for NumPy, and little enough for the cache of a processor."""
WORN: Final = 8
"""New units begin when one in so many is over."""

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class OpenRolls:
    """Open rolls of many matches, one each: what is on the table, and what may be played. n rolls, p plays.

    Where an array has two columns, the roller stands first and the other second, each in his own numbers. The
    arrays that rolls come with (`offsets`, `plays`, `gain`, `others_gain`, `may_go`) may be kept until the choice
    after the next; all others are read from the table when first asked for, which must be before one chooses.

    Attributes
    ----------
    offsets
        int64 (n + 1,): the plays of roll k are `plays[offsets[k]:offsets[k + 1]]`.
    plays
        int64 (p, 2): the roller's men after each play, as the words low and high of docs/lockstep.md; of toutes
        tables (p, 3), the third the mask of the men it hits.
    gain
        int64 (n,): points that the roll has given the roller; they are marked, and stand in `points` and `holes`.
    others_gain
        int64 (n,): points that the other marks once the roller has played, unless he goes.
    may_go
        bool (n,): whether the roller has made a hole on which he may go.
    """

    offsets: Array
    plays: Array
    gain: Array
    others_gain: Array
    may_go: Array
    _table: Abreast = field(repr=False)
    _places: Array = field(repr=False)
    _words: Array = field(repr=False)
    _step: int = field(repr=False)

    def __len__(self) -> int:
        return len(self._places)

    @cached_property
    def counts(self) -> Array:
        """int64 (n,): how many plays each roll has."""
        return self.offsets[1:] - self.offsets[:-1]

    @cached_property
    def match_id(self) -> Array:
        """int64 (n,): the match."""
        return self._field("match_id")

    @cached_property
    def set_no(self) -> Array:
        """int64 (n,): the set, partie or game of the match, from 1."""
        return self._field("unit_no") + 1

    @cached_property
    def side(self) -> Array:
        """int64 (n,): the side of the board that rolls, 1 or 2."""
        return self._roller + 1

    @cached_property
    def player(self) -> Array:
        """int64 (n,): the roller's number at the table, from 1; of two players the same as `side`."""
        return self.side if self._table.tables else self._field("seats", self._roller) + 1

    @cached_property
    def decides(self) -> Array:
        """bool (n,): whether the chooser also says who goes; else the roller has a decision (`Player`)."""
        found: Array = self._table.decides[self.player - 1]
        return found

    @cached_property
    def dice(self) -> Array:
        """int64 (n, 2): the dice as thrown."""
        return np.stack([self._field("thrown_1"), self._field("thrown_2")], axis=1)

    @cached_property
    def own(self) -> Array:
        """int64 (n, 2): the roller's men before the play, words low and high."""
        return self._men(self._roller)

    @cached_property
    def other(self) -> Array:
        """int64 (n, 2): the other's men in the other's numbers, words low and high."""
        return self._men(1 - self._roller)

    @cached_property
    def points(self) -> Array:
        """int64 (n, 2): points towards a hole, what this roll has given the roller included."""
        return self._both("points")

    @cached_property
    def bredouille(self) -> Array:
        """int64 (n, 2): 1 where these points are an unbroken run."""
        return self._both("bredouille")

    @cached_property
    def holes(self) -> Array:
        """int64 (n, 2): holes of this set or partie."""
        return self._both("holes")

    @cached_property
    def run(self) -> Array:
        """int64 (n, 2): the run of holes, 0 none, 1 intact, 2 broken."""
        return self._both("run")

    @cached_property
    def rolls_of(self) -> Array:
        """int64 (n, 2): rolls since the men started, this one included."""
        return self._both("rolls_of")

    @cached_property
    def outcome(self) -> Array:
        """int8 (n,): what going would do: `PICKUP`, `DO_OVER`, `SET_WON` or `SET_CONCEDED` of `simkit.lockstep`.

        It tells for every roll, whether the roller may go or not; in trictrac combiné, of the written set.
        """
        outcomes = np.zeros(len(self), np.int8)
        mine, others = np.ascontiguousarray(self.holes.T)
        lockstep.outcomes_of_going(self._table.lowered, mine, others, outcomes)
        return outcomes

    @cached_property
    def features(self) -> Array:
        """float32 (p, 11): what each play has of `simkit.lockstep.FEATURES`, in that order.

        Of toutes tables (p, 17), of `TABLES_FEATURES`. All are whole numbers; a column lies in one piece. Weights
        make it the worth of a linear player: `features @ weights_of(player)`.
        """
        self._check_step()
        count = len(self.plays)
        if self is self._table.rolls:
            found = self._table.room_for_features(count)
        else:
            found = np.empty((self._table.kernel.features, count), np.float32)
        self._table.kernel.enter_features(self, found)
        return found[:, :count].T

    def men(self, words: Array) -> Array:
        """Count the men of boards: int8 (k, 24), arrows 1 to 24; of toutes tables (k, 25), the bar last.

        `words`: int64 (k, 2) or more columns, of which the first two are the words low and high: `plays`, `own`
        or `other`.
        """
        words = _array("words", words)
        if words.ndim != 2 or words.shape[1] < 2 or words.dtype.kind not in "iu":
            raise UsageError(
                f"words: {words.dtype} of shape {words.shape}, not whole numbers of shape (k, 2) or more columns"
            )
        counted = np.zeros((len(words), 25 if self._table.tables else 24), np.int8)
        lockstep.count_men(words, counted)
        return counted

    def draw(self, limits: Any, *, going: bool = False) -> Array:
        """Draw a whole number below each limit with the dice of the place: int64 (n,).

        It is what `random` draws there, the same in any order and with any number of matches abreast. One number
        belongs to a roll's play and one to its going: a second draw gives the same again.

        Parameters
        ----------
        limits
            One for all, or int64 (n,): 1 or more.
        going
            Draw for going instead of the play, and only where `may_go`; 0 elsewhere.

        Raises
        ------
        UsageError
            Limits of another shape, or rolls on which one has chosen already.
        """
        self._check_step()
        check_type("going", going, bool | np.bool_, "True or False")  # type: ignore[arg-type]
        given = _array("limits", limits)
        if given.dtype.kind not in "iu":
            raise UsageError(f"limits: {given.dtype}, not whole numbers, one for each roll, or one for all")
        if given.ndim:
            limit = np.ascontiguousarray(given, np.int64)
        else:
            limit = np.empty(len(self), np.int64)
            limit.fill(given)
        if limit.shape != (len(self),):
            raise UsageError(
                f"limits: shape {limit.shape}, not ({len(self)},), one for each roll, or one for all"
            )
        drawn = np.empty(len(self), np.int64)
        if going:
            self._table.kernel.draw_goings(self, limit, drawn)
        else:
            lockstep.draw_plays(self._words, limit, drawn)
        return drawn

    def best(self, values: Any) -> Array:
        """Find the play worth most on each roll, the first of equals: int64 (n,), for `choose`.

        `values`: one number for each play, (p,); infinite ones are numbers too, NaN is refused.
        """
        worth = np.ascontiguousarray(_array("values", values))
        if worth.dtype.kind not in "biuf":
            raise UsageError(f"values: {worth.dtype}, not numbers, one for each play")
        if worth.shape != (len(self.plays),):
            raise UsageError(f"values: shape {worth.shape}, not ({len(self.plays)},), one for each play")
        best = np.zeros(len(self), np.int64)
        roll, _ = lockstep.first_best(worth, self.offsets, best)
        if roll >= 0:
            first = self.offsets[roll]
            play = int(np.isnan(worth[first : self.offsets[roll + 1]]).argmax())
            raise UsageError(
                f"values: nan for play {play} of roll {roll} (values[{first + play}]); what is no number is worth "
                "neither more nor less than another play"
            )
        return best

    def choices_of(self, player: Player) -> Array:
        """What a player of the kernel would take on each roll: int64 (n,), for `choose`."""
        self._check_step()
        return self._table.kernel.choices_of(player, self)

    def deeds_of(self, player: Player, choices: Any) -> Array:
        """What a player of the kernel would do where `may_go`, having these plays: int64 (n,), for `choose`."""
        self._check_step()
        self._refuse_tables("going")
        records = plain(lower_players((self._table.known(player),) * len(self._table.players)))
        deeds = np.zeros(len(self), np.int64)
        self._table.kernel.decide(records, self, _checked_choices(choices, self), deeds)
        return deeds

    def taken(self, choices: Any) -> Array:
        """The men after the plays chosen: int64 (n, 2), of toutes tables (n, 3), as in `plays`."""
        found: Array = self.plays[self.offsets[:-1] + _checked_choices(choices, self)]
        return found

    def of(self, these: Any) -> OpenRolls:
        """Some of the rolls, by truth values or numbers, as open rolls of their own."""
        try:
            kept = np.atleast_1d(np.arange(len(self))[these])
        except (IndexError, TypeError, ValueError):
            refuse("these", these, f"truth values or numbers of the {len(self)} rolls")
        if kept.ndim != 1:
            refuse("these", these, f"truth values or numbers of the {len(self)} rolls, in a row")
        counts = self.counts[kept]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        plays = np.repeat(self.offsets[kept] - offsets[:-1], counts) + np.arange(offsets[-1])
        return OpenRolls(
            offsets,
            self.plays[plays],
            self.gain[kept],
            self.others_gain[kept],
            self.may_go[kept],
            self._table,
            self._places[kept],
            self._words[kept],
            self._step,
        )

    def _field(self, name: str, side: Any = 0) -> Array:
        """A field of the units; of those by player, that of a side, 0 or 1 for each."""
        self._check_step()
        found: Array = self._table.slices.words[self._places, self._table.columns[name] + side]
        return found

    @cached_property
    def _roller(self) -> Array:
        return self._field("roller")

    def _both(self, name: str) -> Array:
        """A field of both players, the roller's first."""
        values = np.empty((len(self), 2), np.int64)
        values[:, 0], values[:, 1] = self._field(name, self._roller), self._field(name, 1 - self._roller)
        return values

    def _men(self, side: Array) -> Array:
        """The words of a side's men."""
        words = np.empty((len(self), 2), np.int64)
        words[:, 0], words[:, 1] = self._field("low", side), self._field("high", side)
        return words

    def _check_step(self) -> None:
        if self._step != self._table.steps:
            raise UsageError("these rolls are closed: read what you need of them before anything is chosen")

    def _refuse_tables(self, what: str) -> None:
        if self._table.tables:
            raise UsageError(f"{what}: toutes tables and backgammon have none")


class _Trictrac:
    """What of a table is trictrac's."""

    width, most_plays, usual_plays, streams, figures = 2, MAX_PLAYS, 16, STREAMS, N_FIGURES
    features = len(FEATURES)

    def __init__(self, table: Abreast) -> None:
        self._table = table

    def step(
        self, before: Rolls, count: int, after: Rolls, choices: Array, deeds: Array, closes: bool, to: Array
    ) -> None:
        table, engine = self._table, self._table.engine
        lockstep.step_units(
            table.lowered,
            table.own,
            table.slices.units,
            engine.key,
            engine.figures,
            table.slices.memory,
            before,
            count,
            after,
            choices,
            deeds,
            closes,
            to,
        )

    def play(self, units: Any) -> Array:
        table, over = self._table, np.zeros(len(units), np.bool_)
        play_units(
            table.lowered,
            table.records,
            units,
            table.engine.key,
            table.engine.figures,
            np.full(len(units), FREE),
            1,
            over,
        )
        return over

    def draw_goings(self, rolls: OpenRolls, limits: Array, drawn: Array) -> None:
        table, slices = self._table, self._table.slices
        lockstep.draw_goings(
            slices.units,
            rolls._places,
            rolls.may_go,
            slices.memory.streams,
            table.engine.key,
            limits,
            drawn,
        )

    def enter_features(self, rolls: OpenRolls, features: Array) -> None:
        reach = np.empty(len(rolls.plays), np.int32)
        lockstep.enter_features(
            self._table.slices.units, rolls._places, rolls.offsets, rolls.plays, reach, tuple(features)
        )

    def choices_of(self, player: Player, rolls: OpenRolls) -> Array:
        table, choices = self._table, np.zeros(len(rolls), np.int64)
        lockstep.choices_of(
            table.lowered,
            plain(lower_players((table.known(player),))),
            table.slices.units,
            rolls._places,
            rolls.offsets,
            rolls.plays,
            table.slices.memory.streams,
            table.engine.key,
            choices,
        )
        return choices

    def decide(self, players: Array, rolls: OpenRolls, choices: Array, deeds: Array) -> None:
        """Enter what those of the players who have a decision do, having chosen these plays."""
        table = self._table
        lockstep.deeds_of(
            table.lowered,
            players,
            table.slices.units,
            rolls._places,
            rolls.offsets,
            rolls.plays,
            choices,
            rolls.others_gain,
            rolls.may_go,
            table.slices.memory.streams,
            table.engine.key,
            deeds,
        )


class _Tables:
    """What of a table is toutes tables' and backgammon's."""

    width, most_plays, usual_plays, streams, figures = 3, TABLES_MAX_PLAYS, 32, TABLES_STREAMS, 0
    features = len(TABLES_FEATURES)

    def __init__(self, table: Abreast) -> None:
        self._table = table
        self._desk = tables_lockstep.new_desk()

    def step(
        self, before: Rolls, count: int, after: Rolls, choices: Array, deeds: Array, closes: bool, to: Array
    ) -> None:
        table, engine = self._table, self._table.engine
        tables_lockstep.step_games(
            table.lowered,
            table.records,
            table.own,
            table.slices.units,
            engine.key,
            table.slices.memory,
            self._desk,
            before,
            count,
            after,
            choices,
            closes,
            to,
        )

    def play(self, units: Any) -> Array:
        table, over = self._table, np.zeros(len(units), np.bool_)
        play_games(table.lowered, table.records, units, table.engine.key, np.full(len(units), FREE), 1, over)
        return over

    def draw_goings(self, rolls: OpenRolls, limits: Array, drawn: Array) -> None:
        raise UsageError("going: in toutes tables and backgammon nobody goes")

    def enter_features(self, rolls: OpenRolls, features: Array) -> None:
        tables_lockstep.enter_features(
            self._table.slices.units, rolls._places, rolls.offsets, rolls.plays, features
        )

    def choices_of(self, player: Player, rolls: OpenRolls) -> Array:
        table, choices = self._table, np.zeros(len(rolls), np.int64)
        one = table.known(player)
        tables_lockstep.choices_of(
            table.lowered,
            plain(lower_tables_players((one, one))),
            table.slices.units,
            rolls._places,
            rolls.offsets,
            rolls.plays,
            table.slices.memory.streams,
            table.engine.key,
            self._desk,
            choices,
        )
        return choices

    def decide(self, players: Array, rolls: OpenRolls, choices: Array, deeds: Array) -> None:
        raise AssertionError("nobody goes")  # OpenRolls.deeds_of has said so


class Abreast:
    """Matches that go on in lock-step: every unit at the table waits at an open roll until all are chosen.

    New matches take their seats as others end. Rows and sums are those of `play_chunk` for the same choices.

    Parameters
    ----------
    rules, players, seed
        The rule set; all players at the table, those with an `OwnPlay` choosing from outside; the seed.
    first_match, count
        The matches, by number.
    starts
        As for `play_chunk`.
    abreast
        Seats: matches at the table at once.

    Attributes
    ----------
    rolls
        The open rolls; None when all matches are over.
    steps
        How often was chosen.
    slices, columns
        The matches and their units, and the column of each field of a unit.

    Raises
    ------
    ConfigError
        Players that cannot play these rules.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: Players,
        seed: int,
        first_match: int,
        count: int,
        starts: tuple[State, ...] = (),
        abreast: int = ABREAST,
    ) -> None:
        refuse_misfit(rules, players)
        self.rules, self.players = rules, players
        self.engine: Any = engine_of(rules, players, seed)
        self.tables = isinstance(self.engine, TablesEngine)
        self.kernel: _Trictrac | _Tables = _Tables(self) if self.tables else _Trictrac(self)
        self.own = np.array([not player.compiled for player in players])
        self.decides = np.array([player.decision is None for player in players])
        self.asks = bool((self.own & self.decides).any())
        self._decided_for = not self.tables and bool((self.own & ~self.decides).any())
        self.steps = 0
        self.rolls: OpenRolls | None = None
        self._abreast = max(1, min(abreast, count))
        kind = GAME if self.tables else COMBINED_UNIT if isinstance(rules.match, Combine) else UNIT
        self.columns = {name: place[1] // 8 for name, place in (kind.fields or {}).items()}
        self.lowered, self.records = plain(self.engine.lowered), plain(self.engine.players)
        self.slices = Slices(
            rules,
            self.engine,
            starts,
            kind,
            self.kernel.streams,
            self.kernel.figures,
            first_match,
            count,
            self._abreast,
        )
        self._open, self._next_rolls = self._room(self._abreast), self._room(self._abreast)
        self._count = 0
        self._under_way = 0
        self._none = np.zeros(self._abreast, np.int64)
        self._features = [np.empty((0, 0), np.float32)] * 2
        self._go_on(np.zeros(4, np.int64))

    @property
    def done(self) -> int:
        """Matches that are over, in whole slices."""
        return sum(len(tables.matches["match_id"]) for tables in self.slices.done.values())

    def choose(self, choices: Any, deeds: Any = None) -> None:
        """Take a play on every open roll, and go on to the next open rolls.

        Parameters
        ----------
        choices
            int (n,): the place of the play among those of its roll, from 0.
        deeds
            Whether to go where `may_go`: truth values, one or (n,); or whole numbers, `HOLD` or `GO`, in trictrac
            combiné also `SUSPEND_WRITTEN` and `SUSPEND_HONOURS` of `simkit.lockstep`. Elsewhere it is not asked.

        Raises
        ------
        UsageError
            Numbers of another shape or type, a place that is none, nothing said of going where it is asked, or no
            roll is open.
        """
        if self.rolls is None:
            raise UsageError("all matches are over: there is no roll to choose on")
        taken = _checked_choices(choices, self.rolls)
        done = _checked_deeds(deeds, self.rolls)
        if self._decided_for:
            self.kernel.decide(self.records, self.rolls, taken, done)
        progress = np.zeros(4, np.int64)
        self._step(self._open, self._count, taken, done, True, progress)
        self.steps += 1
        self._go_on(progress)

    def room_for_features(self, plays: int) -> Array:
        """Memory for the features of so many plays or more, a row for each feature.

        It serves again at the choice after the next: to ask for megabytes at every step costs more than to fill
        them.
        """
        turn = self.steps % 2
        if self._features[turn].shape[1] < plays:
            self._features[turn] = np.empty((self.kernel.features, plays + plays // 4), np.float32)
        return self._features[turn]

    def tables_of_all(self) -> ChunkTables:
        """The rows and sums of all matches, in order.

        Raises
        ------
        UsageError
            Some are not over.
        """
        if self.rolls is not None:
            raise UsageError(f"matches are under way: {self.done} are over, {len(self.rolls)} rolls are open")
        done = [tables for _, tables in sorted(self.slices.done.items())]
        return ChunkTables(
            matches=_joined([one.matches for one in done]),
            sets=_joined([one.sets for one in done]),
            figures=done[0].figures,  # of all: the engine sums them
            others={name: _joined([one.others[name] for one in done]) for name in done[0].others},
        )

    def known(self, player: Player) -> Player:
        """A player of the kernel who may play these rules; others are refused."""
        if not check_type("player", player, Player, "a player, as simkit.player finds them").compiled:
            raise UsageError(f"player {player.name} chooses by a function, which simkit cannot ask here")
        refuse_misfit(self.rules, (player,))
        return player

    def _go_on(self, progress: Array) -> None:
        """Let units begin once enough are over, and show the open rolls."""
        worn = max(1, self._abreast // WORN)
        while self._under_way - progress[WRITTEN] >= worn or not progress[WRITTEN]:
            begun = self.slices.begin(self._abreast - int(progress[WRITTEN]))
            if len(begun):
                beginning = self._next_rolls._replace(places=begun)
                self._step(beginning, len(begun), self._none, self._none, False, progress)
            self._under_way = int(progress[WRITTEN])
            if not len(begun):
                break
        self._open, self._next_rolls = self._next_rolls, self._open
        self._count = int(progress[WRITTEN])
        rolls, n, p = self._open, self._count, int(progress[PLAYS_WRITTEN])
        self.rolls = None
        if n:
            self.rolls = OpenRolls(
                rolls.offsets[: n + 1],
                rolls.plays[:p],
                rolls.gain[:n],
                rolls.others_gain[:n],
                rolls.may_go[:n],
                self,
                rolls.places[:n],
                rolls.words[:n],
                self.steps,
            )

    def _step(
        self, before: Rolls, count: int, choices: Array, deeds: Array, closes: bool, progress: Array
    ) -> None:
        """Close and open rolls, and play on where players of the kernel are to roll."""
        while True:
            progress[NEXT] = progress[THEIRS] = 0
            self._step_once(before, count, choices, deeds, closes, progress)
            if not progress[THEIRS]:
                return
            on = self._play_theirs(self.slices.memory.theirs[: progress[THEIRS]].copy())
            before, count, closes = self._next_rolls._replace(places=on), len(on), False

    def _step_once(
        self, before: Rolls, count: int, choices: Array, deeds: Array, closes: bool, progress: Array
    ) -> None:
        """Close and open rolls, with as much room as it takes."""
        while True:
            after = self._next_rolls
            self.kernel.step(before, count, after, choices, deeds, closes, progress)
            if progress[NEXT] == count:
                return
            written = progress[PLAYS_WRITTEN]
            plays = np.empty((2 * len(after.plays), self.kernel.width), np.int64)
            plays[:written] = after.plays[:written]
            self._next_rolls = after._replace(plays=plays)

    def _play_theirs(self, places: Array) -> Array:
        """Play one roll of the units at some places in the kernel; return the places of those that go on."""
        words, memory = self.slices.words[places], self.slices.memory
        units: Any = words.reshape(-1).view(self.slices.units.dtype)
        over = self.kernel.play(units)
        self.slices.words[places] = words
        memory.over[places] = over
        memory.streams[places, :, 4] = -1  # the men may have started again
        return places[~over]

    def _room(self, seats: int) -> Rolls:
        plays = self.kernel.usual_plays * seats + self.kernel.most_plays
        return Rolls(
            np.zeros(seats, np.int64),
            np.zeros(seats + 1, np.int64),
            np.zeros((plays, self.kernel.width), np.int64),
            np.zeros(seats, np.int64),
            np.zeros(seats, np.int64),
            np.zeros(seats, np.bool_),
            np.zeros(seats, np.int64),
        )


def play_own(
    rules: RuleSet,
    players: Players,
    seed: int,
    first_match: int,
    count: int,
    starts: tuple[State, ...] = (),
) -> ChunkTables:
    """Play a chunk as `play_chunk`, asking the functions of the players who have one (`OwnPlay.function`).

    Raises
    ------
    UsageError
        A player without a function, or whose function answers with anything but plays and goings.
    """
    for player in players:
        if isinstance(player.choice, OwnPlay) and player.choice.function is None:
            raise UsageError(
                f"player {player.name} has no function; give OwnPlay(function=...), or play him in a loop with "
                "simkit.LockStep"
            )
    table = Abreast(rules, players, seed, first_match, count, starts)
    asked = [player for player in players if not player.compiled]
    alone = all(player == asked[0] for player in asked)
    while table.rolls is not None:
        if alone:
            table.choose(*_answer(asked[0], table.rolls))
            continue
        table.choose(*_answers(players, table.rolls))
    return table.tables_of_all()


def _answers(players: Players, rolls: OpenRolls) -> tuple[Array, Array]:
    """Ask each player for the rolls that are his."""
    choices, deeds = np.zeros(len(rolls), np.int64), np.zeros(len(rolls), np.int64)
    for number in np.unique(rolls.player):
        his = rolls.player == number
        mine = rolls.of(his)
        chosen, done = _answer(players[number - 1], mine)
        choices[his] = _checked_choices(chosen, mine)
        deeds[his] = _checked_deeds(done, mine)
    return choices, deeds


def _answer(player: Player, rolls: OpenRolls) -> tuple[Any, Any]:
    """Ask a player's function: the plays, and what it says of going."""
    assert isinstance(player.choice, OwnPlay)
    function: Callable[[Any], Any] | None = player.choice.function
    assert function is not None
    answer = function(rolls)
    return answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)


def _array(name: str, values: Any) -> Array:
    """Numbers as an array, or UsageError where they make none."""
    try:
        found: Array = np.asarray(values)
    except (TypeError, ValueError):
        refuse(name, values, "an array of numbers")
    return found


def _checked_choices(choices: Any, rolls: OpenRolls) -> Array:
    taken = _array("choices", choices)
    if taken.shape != (len(rolls),) or taken.dtype.kind not in "iu":
        raise UsageError(
            f"choices: {taken.dtype} of shape {taken.shape}, not whole numbers of shape ({len(rolls)},), one for "
            "each roll"
        )
    taken = np.ascontiguousarray(taken, np.int64)
    roll, _ = lockstep.first_wrong(taken, rolls.offsets)
    if roll >= 0:
        raise UsageError(
            f"choices: {taken[roll]} on roll {roll}, match {rolls.match_id[roll]}, which has plays 0 to "
            f"{rolls.counts[roll] - 1}"
        )
    return taken


def _checked_deeds(deeds: Any, rolls: OpenRolls) -> Array:
    if deeds is None:
        # Said at every step, whether somebody may go there or not: else a loop would stop where chance will.
        if rolls._table.asks and not rolls._table.tables and rolls.decides.any():
            raise UsageError(
                "going: nothing said, and on rolls with may_go it is asked; say it at every step: False holds, "
                "True goes, or one truth value for each roll"
            )
        return np.zeros(len(rolls), np.int64)
    done = _array("going", deeds)
    if done.shape not in ((), (len(rolls),)) or done.dtype.kind not in "biu":
        raise UsageError(
            f"going: {done.dtype} of shape {done.shape}, not truth values, one or of shape ({len(rolls)},)"
        )
    deeds = done.astype(np.int64)  # a copy, since decisions of the kernel are entered in it
    if done.dtype.kind == "b":
        deeds *= GO  # who does not go holds, which is nought
    elif not np.isin(done, (HOLD, GO, SUSPEND_WRITTEN, SUSPEND_HONOURS)).all():
        raise UsageError(
            f"going: {HOLD} holds, {GO} goes, {SUSPEND_WRITTEN} and {SUSPEND_HONOURS} suspend the written game "
            "and that of honours; there is something else"
        )
    return deeds if done.shape else np.full(len(rolls), deeds, np.int64)


def weights_of(player: Player) -> Array:
    """The weights of a linear player for `OpenRolls.features`: (11,), of a player of toutes tables (17,).

    float32 where all sums of features so weighted are whole numbers of 24 bits, so that none is rounded and NumPy
    multiplies fastest; else float64.

    Raises
    ------
    UsageError
        He has no evaluation, or it looks ahead, which is no feature of a play.
    """
    choice = check_type("player", player, Player, "a player, as simkit.player finds them").choice
    if isinstance(choice, Evaluation) and not choice.hits:
        return _narrowed(_signed(choice, FEATURES, ("exposed_near", "exposed_far")), 15)
    if isinstance(choice, TablesEvaluation) and not choice.candidates:
        exposed = [name for name in TABLES_FEATURES if name.startswith("exposed")]
        weights = _signed(choice, TABLES_FEATURES[:-1], ("pip", "bar", "back", "shot", *exposed))
        return np.append(_narrowed(weights, 735), np.float32(WON))
    raise UsageError(f"player {player.name} does not play by a sum of features of the play alone")


def _signed(choice: Any, names: Sequence[str], taken_off: Sequence[str]) -> Array:
    """The weights of an evaluation by name; some are taken off."""
    return np.array([(-1 if name in taken_off else 1) * getattr(choice, name) for name in names], float)


def _narrowed(weights: Array, most: int) -> Array:
    """Weights as float32, if it holds all sums of features up to `most`, so weighted, without rounding."""
    return weights.astype(np.float32) if np.abs(weights).sum() * most < 2**24 else weights


def plain(records: Any) -> Array:
    """A record array as numba takes it fastest: of seven times what a call costs, six go to its kind."""
    found: Array = records.view(np.ndarray)
    return found


def _joined(columns: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: np.concatenate([one[name] for one in columns]) for name in columns[0]}
