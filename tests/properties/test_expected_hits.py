"""The expectation that players look at is the sum of the hits roll by roll."""

from __future__ import annotations

import random

from simkit.kernel.choice import expected_hits
from simkit.kernel.hits import ways_to_hit
from simkit.kernel.lower import lower
from simkit.rules import HitPoints, Tariff, Trictrac, TwelveHoles


def test_expected_hits_add_up_over_36_rolls() -> None:
    points = HitPoints(grand=Tariff(simple=2, doublet=4), petit=Tariff(simple=5, doublet=7))
    rules = lower(Trictrac(hit_points=points), TwelveHoles())[0]
    rng = random.Random(36)
    for _ in range(1_000):
        men = rng.getrandbits(24) & rng.getrandbits(24)
        other = rng.getrandbits(24) & ~men
        closed = other & rng.getrandbits(24)
        total = 0
        for first in range(1, 7):
            for second in range(1, 7):
                far, near, false_far, false_near = ways_to_hit(men, closed, other & ~closed, first, second, 1)
                value = (points.grand, points.petit)
                each = [v.doublet if first == second else v.simple for v in value]
                total += (far - false_far) * each[0] + (near - false_near) * each[1]
        assert expected_hits(rules, men, closed, other & ~closed) == total
