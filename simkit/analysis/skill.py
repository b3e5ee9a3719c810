"""The same number under another pair of players, or another rule set: what changes with skill, or with rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import difference


def by_skill(
    found: Sequence[Estimate], base: Sequence[Estimate], base_players: str, measures: Sequence[str]
) -> Iterator[Estimate]:
    """Differences `<measure>_by_skill`: the estimates of one pair less those of the pair `base`.

    The pairs meet the same dice but soon play apart, and their matches are taken as independent; what the common
    dice leave in common is not made use of. If it makes the two numbers rise and fall together, as is to be
    expected, the interval is too wide.
    """
    return _differences(found, base, measures, "by_skill", f"players={base_players}")


def by_rules(
    found: Sequence[Estimate], base: Sequence[Estimate], base_rules: str, measures: Sequence[str]
) -> Iterator[Estimate]:
    """Differences `<measure>_by_rules`: the estimates of one rule set less those of `base`, players alike.

    Taken as independent, as in `by_skill`; two rule sets that play alike for long have intervals too wide. What
    one field does is told match by match, on the same dice, by the questions on conventions.
    """
    return _differences(found, base, measures, "by_rules", f"rules={base_rules}")


def _differences(
    found: Sequence[Estimate], base: Sequence[Estimate], measures: Sequence[str], ending: str, contrast: str
) -> Iterator[Estimate]:
    others = {_key(one): one for one in base}
    for one in found:
        other = others.get(_key(one))
        if one.measure not in measures or other is None:
            continue
        interval = difference(one.interval, other.interval)
        yield replace(one, measure=f"{one.measure}_{ending}", contrast=contrast, interval=interval)


def _key(one: Estimate) -> tuple[str, int | None, int | None, int | None, str]:
    return one.measure, one.sets, one.tail_of_sets, one.tokens_per_set, one.detail
