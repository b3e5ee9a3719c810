"""Points, holes and bredouille (rules.md, section 4)."""

from __future__ import annotations

from typing import Any

from simkit.kernel.compiled import kernel


@kernel
def mark(unit: Any, rules: Any, who: int, points: int) -> int:
    """Mark points for a player and return the holes they complete.

    The first hole of a sum is double while his points were unanswered, every further one of it always.
    Lepeintre 1818, I.IV; J.L. 1852, nos 144-146.
    """
    other = 1 - who
    if unit.points[who] == 0:
        unit.bredouille[who] = rules.bredouille if rules.second_scorer or unit.points[other] == 0 else 0
    if unit.points[other] > 0:
        unit.bredouille[other] = 0
    total = unit.points[who] + points
    if total < rules.points_per_hole:
        unit.points[who] = total
        return 0
    dozens = total // rules.points_per_hole
    holes = (2 if unit.bredouille[who] else 1) + 2 * (dozens - 1) if rules.bredouille else dozens
    unit.points[who] = total % rules.points_per_hole
    unit.bredouille[who] = rules.bredouille if unit.points[who] else 0
    unit.points[other] = 0
    unit.bredouille[other] = 0
    return holes
