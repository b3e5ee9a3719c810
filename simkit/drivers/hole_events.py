"""Every hole as it is made: all matches of a chunk played roll by roll, and what changed noted."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from simkit.drivers.engine import Engine
from simkit.drivers.match import play_chunk
from simkit.drivers.start import State
from simkit.errors import UsageError
from simkit.kernel.records import CONCESSION as CONCEDED
from simkit.kernel.records import FIGURES, FREE, GO, TO_THE_END
from simkit.players import Players
from simkit.rules import Combine, PointMatch, PoolDrain, PoolFill, RuleSet

DECISIONS: Final = ("none", "hold", "go")
"""What the player who made the hole then did: nothing that he could choose, held, or went."""
GOINGS: Final = ("none", "pickup", "win", "concession", "do_over")
"""What going did."""
NONE, HOLD, WENT = range(3)
NOTHING, PICKUP, WIN, CONCESSION, DO_OVER = range(5)
WITHOUT_GOING: Final = 0
"""Binds a roll to the first legal play, which is taken without going."""


def refuse_without_holes(rules: RuleSet) -> None:
    """Refuse, with UsageError, games whose holes are not told one by one."""
    match = rules.match
    if isinstance(match, PointMatch | PoolFill | PoolDrain | Combine) or match.players > 2:
        raise UsageError(
            f"{rules.name}: the table of holes is kept of matches of two players at one game of trictrac"
        )


def hole_events(
    rules: RuleSet,
    players: Players,
    seed: int,
    first_match: int,
    count: int,
    starts: tuple[State, ...] = (),
) -> dict[str, Any]:
    """Play matches as `simkit.drivers.play_chunk` does and note every hole event.

    Returns
    -------
    dict of str to ndarray
        The columns of the table `holes`, ordered by match, set and event.

    Raises
    ------
    UsageError
        The holes of such a game are not told one by one.
    """
    refuse_without_holes(rules)
    watch = HoleWatch(rules, players, seed)
    play_chunk(rules, players, seed, first_match, count, starts, watch)
    return watch.columns()


class HoleWatch(Engine):
    """Plays units roll by roll and notes every hole that is made."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._asking = Engine(*arguments)
        self._events: list[dict[str, Any]] = []

    def play(self, units: Any, forced: Any = FREE, most_rolls: int = TO_THE_END) -> Any:
        """Play on in place as every engine does; return which units are over."""
        over = np.zeros(len(units), np.bool_)
        bound = np.broadcast_to(np.asarray(forced, np.int64), len(units))
        on, left = np.arange(len(units)), most_rolls
        while len(on) and left:
            before = units[on]
            after = before.copy()
            ended = super().play(after, bound[on], 1)
            units[on] = after
            over[on] = ended
            self._note(before, after, ended, bound[on])
            bound = np.full(len(units), FREE, np.int64)
            on, left = on[~ended], left - 1
        return over

    def _note(self, before: Any, after: Any, ended: Any, bound: Any) -> None:
        """Note what one roll of each unit has brought."""
        made = after["holes"] - before["holes"]
        again = after["do_overs"] > before["do_overs"]  # which has wiped the holes
        rows = np.flatnonzero((made > 0).any(axis=1) | again)
        if not len(rows):
            return
        before, after, ended, again, made = (x[rows] for x in (before, after, ended, again, made))
        roller = before["roller"]
        held, held_over = self._asked(before, WITHOUT_GOING)
        mine = np.arange(len(rows)), roller
        won_anew = held["holes"][mine] - before["holes"][mine]
        made[again] = 0
        made[mine] = np.where(again, won_anew, made[mine])
        same_end = held_over & (held["winner"] == after["winner"]) & (held["ended_by"] == after["ended_by"])
        going = np.select(
            [
                again,
                ended & ~same_end & (after["ended_by"] == CONCEDED),
                ended & ~same_end,
                ~ended & (after["settings"] > before["settings"]),
            ],
            [DO_OVER, CONCESSION, WIN, PICKUP],
            NOTHING,
        )
        may_go = self._may_go(before, held, held_over)
        decision = np.where(going != NOTHING, WENT, np.where(may_go & (made[mine] > 0), HOLD, NONE))
        points = self._points(before, bound[rows])
        holes = before["holes"].copy()
        for turn in range(2):  # the roller marks first
            side = roller if turn == 0 else 1 - roller
            whose = np.arange(len(rows)), side
            holes[whose] += made[whose]
            chosen = np.flatnonzero(made[whose] > 0)
            own = np.full(len(rows), turn == 0)
            self._events.append(
                {
                    "match_id": before["match_id"][chosen],
                    "unit_no": before["unit_no"][chosen],
                    "roll": (before["rolls"] + before["rolls_do_overs"] + 1)[chosen],
                    "turn": np.full(len(chosen), turn),
                    "attempt": (before["do_overs"] + 1)[chosen],
                    "setting": before["settings"][chosen],
                    "player": (side + 1)[chosen],
                    "own_die": own[chosen],
                    "holes": made[whose][chosen],
                    "points_before": before["points"][whose][chosen],
                    "points": points[whose].sum(axis=1)[chosen],
                    "decision": np.where(own, decision, NONE)[chosen],
                    "going": np.where(own, going, NOTHING)[chosen],
                    "holes_1": holes[:, 0][chosen],
                    "holes_2": holes[:, 1][chosen],
                    "by_figure": points[whose][chosen],
                }
            )

    def _asked(self, before: Any, forced: int) -> tuple[Any, Any]:
        """Play the same rolls on a copy with a decision asked for; the units after it, and which are over."""
        units = before.copy()
        return units, self._asking.play(units, forced, 1)

    def _may_go(self, before: Any, held: Any, held_over: Any) -> Any:
        """Tell where the roller could go: where going leads elsewhere than holding."""
        gone, gone_over = self._asked(before, GO)
        other_end = gone_over & ~(
            held_over & (held["winner"] == gone["winner"]) & (held["ended_by"] == gone["ended_by"])
        )
        return (
            other_end
            | (gone["do_overs"] > before["do_overs"])
            | (~gone_over & (gone["settings"] > before["settings"]))
        )

    def _points(self, before: Any, bound: Any) -> Any:
        """Points that these rolls gave, by side and figure: int64 (n, 2, figures); each is played again alone."""
        points = np.empty((len(before), 2, len(FIGURES)), np.int64)
        for row in range(len(before)):
            self._asking.figures[:] = 0
            self._asking.play(before[row : row + 1].copy(), bound[row], 1)
            points[row] = self._asking.figures[:, :, 1]
        return points

    def columns(self) -> dict[str, Any]:
        """All events so far as columns of the table `holes`."""
        none = {name: np.zeros(0, np.int64) for name in _ORDER}
        none["by_figure"] = np.zeros((0, len(FIGURES)), np.int64)
        found = {
            name: np.concatenate([empty, *(one[name] for one in self._events)])
            for name, empty in {**none, **{name: np.zeros(0, np.int64) for name in _PLAIN}}.items()
        }
        order = np.lexsort(tuple(found[name] for name in reversed(_ORDER)))
        found = {name: column[order] for name, column in found.items()}
        ids = found["match_id"]
        starts = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]]) if len(ids) else np.zeros(0, np.int64)
        number = np.arange(len(ids)) - np.repeat(starts, np.diff(np.r_[starts, len(ids)])) + 1
        return {
            "match_id": ids,
            "event_no": number.astype(np.int32),
            "set_no": (found["unit_no"] + 1).astype(np.int16),
            "attempt": found["attempt"].astype(np.int16),
            "setting": found["setting"].astype(np.int32),
            "roll": found["roll"].astype(np.int32),
            "player": found["player"].astype(np.int8),
            "own_die": found["own_die"].astype(np.bool_),
            "holes": found["holes"].astype(np.int8),
            "points_before": found["points_before"].astype(np.int8),
            "points": found["points"].astype(np.int16),
            "decision": found["decision"].astype(np.int8),
            "going": found["going"].astype(np.int8),
            "holes_1": found["holes_1"].astype(np.int16),
            "holes_2": found["holes_2"].astype(np.int16),
            **{
                f"from_{name}": found["by_figure"][:, place].astype(np.int16)
                for place, name in enumerate(FIGURES)
            },
        }


_ORDER: Final = ("match_id", "unit_no", "roll", "turn")
_PLAIN: Final = (
    "attempt", "setting", "player", "own_die", "holes", "points_before", "points", "decision", "going", "holes_1",
    "holes_2",
)  # fmt: skip
