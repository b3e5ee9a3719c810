"""What changes with skill: the same number under another pair of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import difference

COMPARED = ("winner_changes", "leader_loses", "variance_tail_of_sets", "mean_abs_exact", "draw")
"""Measures that are compared between pairs of players."""


def by_skill(found: Sequence[Estimate], base: Sequence[Estimate], base_players: str) -> Iterator[Estimate]:
    """Differences `<measure>_by_skill`: the estimates of one pair less those of the pair `base`.

    The pairs meet the same dice but soon play apart, so their matches are taken as independent; whatever
    the common dice leave in common makes the intervals too wide, not too narrow.
    """
    others = {_key(one): one for one in base}
    for one in found:
        other = others.get(_key(one))
        if one.measure not in COMPARED or other is None:
            continue
        interval = difference(one.interval, other.interval)
        yield replace(
            one, measure=f"{one.measure}_by_skill", contrast=f"players={base_players}", interval=interval
        )


def _key(one: Estimate) -> tuple[str, int, int | None, int | None]:
    return one.measure, one.sets, one.tail_of_sets, one.tokens_per_set
