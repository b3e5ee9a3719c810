"""Matches played roll by roll, all units of a chunk in step, for who wants to look at every roll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from simkit.drivers.engine import Engine
from simkit.kernel.records import FREE, TO_THE_END
from simkit.players import Players
from simkit.rules import RuleSet

Look: TypeAlias = Callable[[Any, Any, Any], None]
"""Shown units before a roll, the same after it, and which of them it ended, bool (n,)."""


class LookedAt(Engine):
    """Plays what every engine does, and shows each roll of all units that are not over.

    Parameters
    ----------
    rules, players, seed
        As for `Engine`.
    look
        Shown every roll; it must leave the records as they are. A unit that ends at its cap is shown with no
        roll more.
    """

    def __init__(self, rules: RuleSet, players: Players, seed: int, look: Look) -> None:
        super().__init__(rules, players, seed)
        self._look = look

    def play(self, units: Any, forced: Any = FREE, most_rolls: int = TO_THE_END) -> Any:
        """Play on in place as every engine does; return which units are over."""
        over = np.zeros(len(units), np.bool_)
        forced = np.broadcast_to(np.asarray(forced, np.int64), len(units))
        live = np.arange(len(units))
        for _ in range(most_rolls):
            if not live.size:
                break
            before = units[live]
            after = before.copy()
            ended = super().play(after, forced[live], 1)
            self._look(before, after, ended)
            units[live] = after
            over[live] = ended
            live = live[~ended]
            forced = np.full(len(units), FREE, np.int64)
        return over
