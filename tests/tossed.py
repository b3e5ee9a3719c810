"""An engine that plays nothing: every unit is over at once, its winner, holes and runs drawn at random.

What drivers make of units can so be tested apart from the kernel, and fast without compilation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.drivers import Engine
from simkit.kernel.records import BROKEN, FREE, INTACT, TO_THE_END, WIN
from simkit.players import Players
from simkit.rules import RuleSet


class TossedEngine(Engine):
    """Decides units by a coin."""

    def __init__(self, rules: RuleSet, players: Players, seed: int) -> None:
        super().__init__(rules, players, seed)
        self._random = np.random.default_rng(seed)

    def play(self, units: Any, forced: Any = FREE, most_rolls: int = TO_THE_END) -> Any:
        """End units; the winner of each has six to twelve holes and more than the other."""
        n = len(units)
        rows, winner = np.arange(n), self._random.integers(0, 2, n)
        own = self._random.integers(6, 13, n)
        units.holes[rows, winner] = own
        units.holes[rows, 1 - winner] = self._random.integers(0, own) if n else own
        units.run[rows, winner] = np.where(self._random.random(n) < 0.3, INTACT, BROKEN)
        units.winner, units.ended_by, units.rolls = winner, WIN, 1
        return np.ones(n, np.bool_)
