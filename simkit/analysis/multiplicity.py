"""Many differences looked at together: chances of as large a difference, adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def holm(chances: Sequence[float]) -> NDArray[np.float64]:
    """Holm's (1979) adjusted probabilities of a family: one below 1 less the level stands out of all of it."""
    order = np.argsort(chances, kind="stable")
    running = 0.0
    found = np.ones(len(chances))
    for place, k in enumerate(order):
        running = max(running, min(1.0, (len(chances) - place) * chances[k]))
        found[k] = running
    return found


def two_sided(mean: float, se: float, freedom: float) -> float:
    """Student's probability of a difference as large by chance; 1 where nothing varied."""
    from scipy.special import stdtr

    if not se > 0 or freedom < 1:
        return 1.0
    return float(2 * stdtr(freedom, -abs(mean / se)))


def each_level(level: float, family: int) -> float:
    """The level of each of a family of intervals that hold together at `level` (Bonferroni)."""
    return 1 - (1 - level) / max(family, 1)
