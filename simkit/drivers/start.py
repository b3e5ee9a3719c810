"""Where units start: from the talons, or from any state a play can lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import numpy as np

from simkit.drivers import tables_state
from simkit.errors import IllegalPosition, UsageError
from simkit.kernel.board import START_HIGH, START_LOW
from simkit.kernel.records import BROKEN, COMBINED_UNIT, INTACT, NO_RUN, UNIT
from simkit.kernel.tables.records import NOBODY
from simkit.position import CLASSICAL, Position, check, least_rolls, pack, parse
from simkit.rules import PointMatch, RuleSet, Tables, Trictrac, TwelveHoles, Written
from simkit.tables import check as check_tables

MOST_HOLES: Final = 1_000
MOST_DO_OVERS: Final = 20
MOST_ROLLS: Final = 10_000
"""Limits of what a state may hold: beyond what play reaches, and within what the columns of rows can count."""

FIRST_ROLLS: Final = 3
"""Rolls on which a jan of the first rolls may still be made; later ones need not be counted."""

RUNS: Final = ("none", "intact", "broken")
"""A run of holes in words, in the order of `NO_RUN`, `INTACT` and `BROKEN`."""

_WHO: Final = {"roller", "first_player", "first_scorer", "cube_owner"}
"""The fields of a state that hold a player."""

PARTIE: Final = TwelveHoles()
AT_THE_TALONS: Final = parse("1:15 | 24:15")
LAST_QUARTER: Final = 19
"""The first arrow of the jan de retour, in its owner's numbers."""


def start_units(match_ids: Any, unit_no: int, first: Any, first_throws: Any = None, kind: Any = UNIT) -> Any:
    """Return unit records at the start of a unit: all men on the talons, nothing marked.

    Parameters
    ----------
    match_ids
        int64 (n,), the matches.
    unit_no
        Place of the unit in its match, from 0.
    first
        int64 (n,), who throws first: 0 or 1.
    first_throws
        int64 (n, 2), the first throw where the draw is that throw (GU ch. III), else None.
    kind
        `UNIT`, or `COMBINED_UNIT` in trictrac combiné.
    """
    units = np.zeros(len(match_ids), kind).view(np.recarray)
    units.match_id, units.unit_no = match_ids, unit_no
    units.seats = 0, 1
    units.low, units.high = START_LOW, START_HIGH
    units.roller = units.first_player = first
    if first_throws is not None:
        units.die_1, units.die_2 = first_throws[:, 0], first_throws[:, 1]
    units.first_scorer = units.winner = -1
    if kind is COMBINED_UNIT:
        units.honours_first = units.suspender = -1
    units.settings = 1
    return units


@dataclass(frozen=True)
class State:
    """A unit under way, before a roll. Pairs are of players 1 and 2; `roller` and `first_player` are 0 or 1.

    Attributes
    ----------
    position
        Seen by the roller.
    roller, first_player
        Who throws next; who threw first in the unit.
    points, bredouille
        Points, and whether they are an unbroken run.
    rolls_of
        Each player's rolls since the men last started.
    holes, run, picked_up
        The ledger; `run` holds `NO_RUN`, `INTACT` or `BROKEN` of `simkit.kernel.records`.
    first_scorer
        Who made the first hole, 0 or 1; -1 for nobody, or to leave it to the ledger as far as that tells.
    do_overs
        Sets done over before, in the place of this one.
    dice
        The next roll, if it is given.
    match_score
        Of toutes tables and backgammon, as all that follows: points won in the match.
    cube, cube_owner
        What the cube shows, and whose it is: 0, 1, or -1 for nobody.
    crawford_past
        Whether the game in which the cube rests has been played.
    game_of_start
        Which game it is of those played from one start, from 1; 0 where nothing is said: the last, begun by the
        roller.
    start_dice, opening_roll
        The start of the game, and its first roll: what its further games need to begin alike.
    """

    position: Position
    roller: int = 0
    first_player: int = 0
    points: tuple[int, int] = (0, 0)
    bredouille: tuple[bool, bool] = (False, False)
    rolls_of: tuple[int, int] = (0, 0)
    holes: tuple[int, int] = (0, 0)
    run: tuple[int, int] = (NO_RUN, NO_RUN)
    picked_up: tuple[bool, bool] = (False, False)
    first_scorer: int = -1
    do_overs: int = 0
    dice: tuple[int, int] | None = None
    match_score: tuple[int, int] = (0, 0)
    cube: int = 1
    cube_owner: int = NOBODY
    crawford_past: bool = False
    game_of_start: int = 0
    start_dice: tuple[int, ...] | None = None
    opening_roll: tuple[int, ...] | None = None

    @property
    def is_opening(self) -> bool:
        """Whether nothing has happened yet: the first throw of a unit is next."""
        return (
            self.position == AT_THE_TALONS
            and self.roller == self.first_player
            and self
            == State(self.position, self.roller, self.first_player, do_overs=self.do_overs, dice=self.dice)
        )

    def to_plain(self) -> dict[str, Any]:
        """JSON values; what is at its default is left out, but the position. Players are 1 and 2, as in rows."""
        plain: dict[str, Any] = {"position": str(self.position)}
        for field in fields(self)[1:]:
            value = getattr(self, field.name)
            if value != field.default:
                plain[field.name] = list(value) if isinstance(value, tuple) else value
        for name in _WHO & plain.keys():
            plain[name] += 1
        if "run" in plain:
            plain["run"] = [RUNS[run] for run in self.run]
        return plain

    @classmethod
    def from_plain(cls, plain: Any) -> State:
        """Read what `to_plain` gives, and nothing else; whether the state can be is not asked here.

        Raises
        ------
        UsageError
            For unknown or missing fields, values of another type, and whatever is written otherwise.
        """
        if not isinstance(plain, Mapping) or not isinstance(plain.get("position"), str):
            raise UsageError(f"{plain!r} is no start: an object with a position")
        values: dict[str, Any] = dict(plain)
        if unknown := sorted(set(values) - {field.name for field in fields(cls)}):
            raise UsageError(f"{', '.join(map(str, unknown))}: a start has no such field")
        values["position"] = parse(plain["position"])
        if "run" in values:
            values["run"] = _runs(values["run"])
        for name in _WHO & values.keys():
            if type(values[name]) is not int or values[name] not in (1, 2):
                raise UsageError(f"{name} {values[name]!r}: a player is 1 or 2")
            values[name] -= 1
        pairs = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
        state = cls(**(values | pairs))
        for problem in _type_faults(state):
            raise UsageError(problem)
        if state.to_plain() != dict(plain):
            raise UsageError(f"{plain!r} is written otherwise: {state.to_plain()!r}")
        return state


def check_state(state: State, rules: RuleSet) -> None:
    """Refuse a state that no play under a rule set leads to, as far as its men, score and ledger tell.

    Raises
    ------
    IllegalPosition, UsageError
        With the law and the position.
    """
    rules.refuse_more_than_two("a start from a state")
    for problem in _type_faults(state):
        raise UsageError(problem)
    if isinstance(rules.match, PointMatch):
        _check_of_tables(state, rules)
        return
    game, match = rules.trictrac_game, rules.trictrac_match
    check(state.position, game)
    if tables_state.told(state):
        raise UsageError(
            f"{rules.name}: the score of a match in points, the cube and the games of a start are of toutes "
            f"tables and backgammon; a score of trictrac is holes:points twice, as 3:4b 2:8 [{state.position}]"
        )
    for problem in _men_faults(state):
        raise IllegalPosition(f"{problem} [{state.position}]")
    for problem in chain(_faults(state, game), _match_faults(state, match), _roll_faults(state)):
        raise UsageError(f"{problem} [{state.position}]")


def _check_of_tables(state: State, rules: RuleSet) -> None:
    """Refuse a state that no game of toutes tables or backgammon can be in before a roll.

    How often they have rolled does not matter there, and is not asked.
    """
    game, match = rules.game, rules.match
    assert isinstance(game, Tables) and isinstance(match, PointMatch)
    check_tables(state.position)
    of_family = {name: getattr(state, name) for name in tables_state.FIELDS}
    bare = State(
        state.position,
        state.roller,
        state.first_player,
        rolls_of=state.rolls_of,
        dice=state.dice,
        **of_family,
    )
    if state != bare:
        raise UsageError(
            f"{rules.name}: points, holes, runs and do-overs are of trictrac; a start here has the men, who is to "
            f"roll and his roll, and the score of the match, as {tables_state.EXAMPLE}"
        )
    if not (state.roller in (0, 1) and state.first_player in (0, 1)):
        raise UsageError("roller and first player are 0 or 1")
    for problem in tables_state.faults(state, game, match):
        raise UsageError(f"{rules.name}: {problem} [{state.position}]")


def units_from(
    state: State,
    match_ids: Any,
    unit_no: int = 0,
    game: Trictrac = CLASSICAL,
    match: TwelveHoles | Written = PARTIE,
) -> Any:
    """Return unit records that all start from a state, one for each match; the dice are those of the place.

    `game`: the rules under which the men must be able to stand so; `match`: what the unit belongs to.

    Holes made before count as made on the own die; of a run broken since, it is not known whether it was whole
    at six holes.

    Raises
    ------
    IllegalPosition, UsageError
        For men that cannot stand so, or a score and a ledger that cannot be.
    """
    for problem in _type_faults(state):
        raise UsageError(problem)
    check(state.position, game)
    for problem in _faults(state, game):
        raise UsageError(f"{problem} [{state.position}]")
    units = start_units(match_ids, unit_no, state.first_player)
    mine, his = pack(state.position.mover), pack(state.position.other[::-1])
    for side, words in ((state.roller, mine), (1 - state.roller, his)):
        units.low[:, side], units.high[:, side] = words
    units.roller = state.roller
    for name in ("points", "bredouille", "rolls_of", "holes", "run", "picked_up", "do_overs"):
        units[name] = getattr(state, name)
    units.first_scorer = state.first_scorer if state.first_scorer >= 0 else scored_first(state)
    six = match.set_min_holes if isinstance(match, Written) else 6
    units.intact_at_six = [state.holes[side] >= six and state.run[side] == INTACT for side in range(2)]
    units.holes_own_die = state.holes
    if state.dice is not None:
        units.die_1, units.die_2 = state.dice
    if not state.is_opening:
        units.first_throw = -1  # the first throws are past
    return units


def units_at(starts: tuple[State, ...], match_ids: Any, rules: RuleSet) -> Any:
    """Return unit records, one for each match: match m starts from `starts[m % len(starts)]`."""
    units = _records(starts, rules.game, rules.match)[match_ids % len(starts)].view(np.recarray)
    units.match_id = match_ids
    return units


@lru_cache(maxsize=8)
def _records(starts: tuple[State, ...], game: Trictrac, match: TwelveHoles | Written) -> Any:
    """One unit record for each start."""
    places = np.zeros(1, np.int64)
    records = np.concatenate([units_from(state, places, game=game, match=match) for state in starts])
    records.setflags(write=False)
    return records


def scored_first(state: State) -> int:
    """Return who must have made the first hole, 0 or 1, as the ledger tells; -1 if it does not."""
    for side, other in ((0, 1), (1, 0)):
        if state.holes[side] and not state.holes[other]:
            return side
        if state.run[other] == INTACT and state.holes[side]:
            return side  # had he scored later, he would have broken that run
        if state.run == (BROKEN, BROKEN) and state.holes[other] == 1:
            return side  # the other's only hole broke his run, and his next the other's
    return -1


def _runs(words: Any) -> tuple[int, ...]:
    if not isinstance(words, list) or not all(word in RUNS for word in words):
        raise UsageError(f"run {words!r}: each of two is one of {', '.join(RUNS)}")
    return tuple(RUNS.index(word) for word in words)


def _type_faults(state: State) -> Iterator[str]:
    """Say what is no state at all."""
    pairs = {name: getattr(state, name) for name in ("points", "rolls_of", "holes", "run")}
    flags = {name: getattr(state, name) for name in ("bredouille", "picked_up")}
    if not isinstance(state.position, Position):
        yield f"position {state.position!r} is none; simkit.position.read makes one"
    for name, pair in (pairs | flags).items():
        kind = bool if name in flags else int
        if not isinstance(pair, tuple) or len(pair) != 2 or not all(type(one) is kind for one in pair):
            words = "truth values" if name in flags else "whole numbers"
            yield f"{name} {pair!r}: two {words}, of players 1 and 2"
    for name in ("roller", "first_player", "first_scorer", "do_overs"):
        if type(getattr(state, name)) is not int:
            yield f"{name} {getattr(state, name)!r} is no whole number"
    dice = state.dice
    if dice is not None and not (
        isinstance(dice, tuple) and len(dice) == 2 and all(type(die) is int and 1 <= die <= 6 for die in dice)
    ):
        yield f"dice {dice!r}: two numbers from 1 to 6 are a roll"
    yield from tables_state.type_faults(state)


def _men_faults(state: State) -> Iterator[str]:
    """Say which men can be put on a board so, but not left so by play."""
    position = state.position
    for name, own, off in (
        ("the mover", position.mover, position.off[0]),
        ("the other", position.other[::-1], position.off[1]),
    ):
        outside = [arrow for arrow, men in enumerate(own[: LAST_QUARTER - 1], start=1) if men]
        if off and outside:
            men = f"{off} men" if off > 1 else "a man"
            arrow = outside[0] if name == "the mover" else 25 - outside[0]
            yield (
                f"{name} has borne off {men} while a man stands on {arrow}; men leave only when all that remain "
                "are in the last quarter, so no play leads there (M18)"
            )


def _faults(state: State, game: Trictrac) -> Iterator[str]:
    """Say what no play leads to in a score and a ledger."""
    if state.roller not in (0, 1) or state.first_player not in (0, 1) or state.first_scorer not in (-1, 0, 1):
        yield "roller, first player and first scorer are 0 or 1, the last also -1"
        return
    if min(*state.points, *state.holes, *state.rolls_of, state.do_overs) < 0:
        yield f"points {state.points}, holes {state.holes}, rolls {state.rolls_of}: none is below zero"
    if max(state.holes) > MOST_HOLES or max(state.rolls_of) > MOST_ROLLS or state.do_overs > MOST_DO_OVERS:
        yield (
            f"holes {state.holes}, rolls {state.rolls_of}, do-overs {state.do_overs}: at most {MOST_HOLES}, "
            f"{MOST_ROLLS} and {MOST_DO_OVERS}"
        )
    for side in range(2):
        if state.points[side] >= game.points_per_hole:
            yield (
                f"player {side + 1} has {state.points[side]} points; at {game.points_per_hole} they have become "
                "a hole (game.points_per_hole)"
            )
    yield from _bredouille_faults(state, game)
    yield from _ledger_faults(state)


def _bredouille_faults(state: State, game: Trictrac) -> Iterator[str]:
    if any(state.bredouille) and not game.bredouille_enabled:
        yield "nobody is in bredouille under game.bredouille_enabled = false"
    if all(state.bredouille):
        yield "both players in bredouille: the first to score again ends the other's (J.L. 1852, no. 144)"
    erased = game.sortie_keeps_points and not game.sortie_keeps_bredouille
    for side, other in ((0, 1), (1, 0)):
        name = f"player {side + 1}"
        if state.bredouille[side] and not state.points[side]:
            yield f"{name} is in bredouille without a point"
        if state.bredouille[side] and state.points[other] and not game.bredouille_second_scorer:
            yield (
                f"{name} is in bredouille against points of the other, hence as the second to score, which "
                "game.bredouille_second_scorer = false excludes"
            )
        alone = state.points[side] and not state.points[other] and not state.bredouille[side]
        if alone and game.bredouille_enabled and not erased:
            yield f"{name} alone has points and is not in bredouille; unanswered points are (J.L. 1852, no. 144)"


def _roll_faults(state: State) -> Iterator[str]:
    """Say who has rolled less often than his men have moved; from the third roll on it no longer matters."""
    men = state.position.mover, state.position.other[::-1]
    for place, (own, off) in enumerate(zip(men, state.position.off, strict=True)):
        side = state.roller if place == 0 else 1 - state.roller
        (least, why), rolls = least_rolls(own, off), state.rolls_of[side]
        if rolls < min(least, FIRST_ROLLS):
            times = f"{rolls} time{'s' * (rolls != 1)}"
            yield (
                f"player {side + 1} is said to have rolled {times} since the men started, but "
                f"{why}: {least} roll{'s' * (least > 1)} at least"
            )


def _ledger_faults(state: State) -> Iterator[str]:
    for side, other in ((0, 1), (1, 0)):
        name, holes, run = f"player {side + 1}", state.holes[side], state.run[side]
        if run not in (NO_RUN, INTACT, BROKEN):
            yield f"{name}'s run {run} is none of {NO_RUN}, {INTACT} and {BROKEN}: none, intact, broken"
        if (holes == 0) != (run == NO_RUN):
            yield f"{name} has {holes} holes; a run begins with the first hole and is kept or broken from then on"
        if run == BROKEN and not state.holes[other]:
            yield f"{name}'s run is broken and the other has no hole to break it (J.L. 1852, no. 225)"
        if state.picked_up[side] and not holes:
            yield f"{name} has picked up since his first hole and has none"
    if state.run == (INTACT, INTACT):
        yield "two unbroken runs: every hole breaks the other's run (J.L. 1852, no. 225)"
    if state.run == (BROKEN, BROKEN) and state.holes == (1, 1):
        yield "two broken runs of one hole each: the second hole broke the first, and nothing has broken it"
    told = scored_first(state)
    if state.first_scorer >= 0 and (
        not state.holes[state.first_scorer] or told not in (-1, state.first_scorer)
    ):
        yield f"player {state.first_scorer + 1} cannot have made the first hole: holes and runs tell otherwise"


def _match_faults(state: State, match: TwelveHoles | Written) -> Iterator[str]:
    """Say what a match of this kind does not lead to."""
    if isinstance(match, Written):
        if match.max_holes_per_set is not None and max(state.holes) >= match.max_holes_per_set:
            yield (
                f"holes {state.holes}: the set is over with {match.max_holes_per_set} "
                "(match.max_holes_per_set); a start is before that"
            )
        return
    if max(state.holes) >= match.target_holes:
        yield (
            f"holes {state.holes}: the partie is over with {match.target_holes} (match.target_holes); a start is "
            "before that"
        )
    if state.do_overs:
        yield f"{state.do_overs} do-overs: only a set of a written match is done over, no partie"
