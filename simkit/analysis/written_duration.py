"""How long sets and matches of the written game last, in rolls, settings, and minutes by one fitted number.

A roll takes so many seconds that the median set, its do-overs included, lasts half an hour: the middle of what
the sources say of a set. What they say of matches and parties is compared at that speed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.clusters import GROUPS
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.question import LONGEST, MAIN, Needed, Played, Rows, length_problems
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import RuleSet, TwelveHoles, Written, replace
from simkit.settle import match_starts

PARTIE = "partie"
"""Key of the play beside the matches: parties in twelve holes by the same rules of the game."""

COLUMNS = (
    "match_id", "set_no", "winner", "rolls", "rolls_do_overs", "settings", "settings_do_overs"
)  # fmt: skip
PARTIE_COLUMNS = ("match_id", "winner", "rolls")

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MINUTES_OF_A_SET = (15, 45)
"""As the sources say; a match of so many sets takes so many times as long."""
MINUTES_OF_A_PARTIE = (30, 90)
MEDIAN_SET = 30
"""Minutes of the median set, by which the seconds of a roll are fitted."""
FEWEST_SKEWED = 2_000
"""Matches below which the skewness has no interval, which at 200 was seen to cover 89 to 96 % where it says 95."""
SPEEDS = range(5, 61, 5)
"""Seconds a roll at which it is asked how many sets last as the sources say."""
FITTED = "minutes at the fitted speed"

Sums = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DurationSums:
    """Sums over matches of which no set was cut; two of them add up. Built by `duration_sums`."""

    truncated: int
    """Matches left out because a set was cut."""
    set_rolls: Sums
    """Histogram of the rolls of a set by group of matches, do-overs included: (GROUPS, values)."""
    set_settings: Sums
    """The same of its settings."""
    do_over_rolls: Sums
    """(GROUPS,) rolls of attempts that were done over."""
    rolls: Mapping[int, Sums]
    """By number of sets, how many matches had each number of rolls, by group: (GROUPS, values)."""
    settings: Mapping[int, Sums]
    """The same of their settings."""
    moments: Mapping[int, Sums]
    """By number of sets, matches and the sums of the first three powers of their rolls: (GROUPS, 4)."""

    @property
    def n(self) -> int:
        """Matches counted."""
        return int(next(iter(self.rolls.values())).sum())

    def __add__(self, other: DurationSums) -> DurationSums:
        return DurationSums(
            self.truncated + other.truncated,
            clusters.added(self.set_rolls, other.set_rolls),
            clusters.added(self.set_settings, other.set_settings),
            self.do_over_rolls + other.do_over_rolls,
            {length: clusters.added(self.rolls[length], other.rolls[length]) for length in self.rolls},
            {length: clusters.added(self.settings[length], other.settings[length]) for length in self.rolls},
            {length: self.moments[length] + other.moments[length] for length in self.rolls},
        )


def duration_sums(blocks: Iterable[Rows], lengths: Sequence[int]) -> DurationSums:
    """Read rows of written matches block by block; whole matches in each block, columns `COLUMNS`.

    The first sets of a match are the shorter match.
    """
    total = _block_sums({name: np.zeros(0, np.int64) for name in COLUMNS}, lengths)
    for block in blocks:
        total = total + _block_sums(block, lengths)
    return total


def _block_sums(rows: Rows, lengths: Sequence[int]) -> DurationSums:
    starts = match_starts(rows)
    cut = rows["winner"] == 0
    sizes = np.diff(starts, append=cut.size)
    whole = np.add.reduceat(cut, starts, dtype=np.int64) == 0 if starts.size else starts == 0
    kept = np.repeat(whole, sizes)
    match = rows["match_id"][kept]
    rolls, settings = (
        rows[name][kept].astype(np.int64) + rows[f"{name}_do_overs"][kept] for name in ("rolls", "settings")
    )
    matches = int(whole.sum())
    each = match.size // matches if matches else LONGEST
    by_match = {name: column.reshape(matches, each) for name, column in (("r", rolls), ("s", settings))}
    first = rows["match_id"][starts][whole]
    of_matches = {length: by_match["r"][:, :length].sum(axis=1) for length in lengths}
    return DurationSums(
        truncated=int((~whole).sum()),
        set_rolls=clusters.histograms(match, rolls),
        set_settings=clusters.histograms(match, settings),
        do_over_rolls=clusters.sums(match, rows["rolls_do_overs"][kept]),
        rolls={length: clusters.histograms(first, seen) for length, seen in of_matches.items()},
        settings={
            length: clusters.histograms(first, by_match["s"][:, :length].sum(axis=1)) for length in lengths
        },
        moments={length: _powers(first, seen) for length, seen in of_matches.items()},
    )


def _powers(match_id: NDArray[Any], rolls: Sums) -> Sums:
    """Sums of the powers 0 to 3, by group; whole numbers, and exact."""
    sums = np.zeros((GROUPS, 4), dtype=np.int64)
    powers = np.stack([rolls**power for power in range(4)], axis=-1)
    np.add.at(sums, match_id % GROUPS, powers)
    return sums


@dataclass(frozen=True, eq=False)
class PartieSums:
    """Sums over parties that were played out: a histogram of their rolls by group of matches."""

    rolls: Sums

    @property
    def n(self) -> int:
        """Parties counted."""
        return int(self.rolls.sum())


def partie_sums(blocks: Iterable[Rows]) -> PartieSums:
    """Read rows of parties block by block; columns `PARTIE_COLUMNS`."""
    total = np.zeros((GROUPS, 1), dtype=np.int64)
    for rows in blocks:
        kept = rows["winner"] != 0
        total = clusters.added(total, clusters.histograms(rows["match_id"][kept], rows["rolls"][kept]))
    return PartieSums(total)


# ---------------------------------------------------------------- measures


def of_sets(sums: DurationSums, level: float) -> Iterator[Estimate]:
    """Rolls and settings of a set, do-overs included: means and quantiles; and the part of rolls done over."""
    for name, seen in (("rolls", sums.set_rolls), ("settings", sums.set_settings)):
        mean = clusters.ratio(_total(seen), seen.sum(axis=1), sums.n, level)
        yield Estimate(measure=f"set_{name}", unit=f"{name} per set", interval=mean)
        for part in QUANTILES:
            found = clusters.quantile(seen, part, sums.n, level)
            yield Estimate(measure=f"set_{name}_quantile", detail=f"{part:g}", unit=name, interval=found)
    per_setting = clusters.ratio(_total(sums.set_rolls), _total(sums.set_settings), sums.n, level)
    yield Estimate(measure="rolls_per_setting", unit="rolls per setting", interval=per_setting)
    again = clusters.ratio(sums.do_over_rolls, _total(sums.set_rolls), sums.n, level)
    yield Estimate(measure="rolls_done_over", unit="share of rolls", interval=again)


def _total(seen: Sums) -> Sums:
    """The sum of what was counted, by group."""
    total: Sums = seen @ np.arange(seen.shape[1])
    return total


def of_matches(sums: DurationSums, level: float) -> Iterator[Estimate]:
    """Rolls and settings of a match by its sets: means, quantiles, and the skewness of the rolls.

    The skewness is that of the distribution: 0 if it is even to both sides, above it if the long ones lie
    further out.
    """
    for length, moments in sums.moments.items():
        total = moments.sum(axis=0)
        mean = intervals.mean(int(total[0]), int(total[1]), int(total[2]), level)
        yield Estimate(measure="rolls", sets=length, unit="rolls per match", interval=mean)
        kept = moments[moments[:, 0] > 0].astype(np.float64)
        if len(kept):
            skew = intervals.jackknife(kept, skewness, sums.n, level, log=True, fewest=FEWEST_SKEWED)
            yield Estimate(measure="skewness", sets=length, unit="skewness of rolls", interval=skew)
        for name, seen in (("rolls", sums.rolls[length]), ("settings", sums.settings[length])):
            for part in QUANTILES:
                found = intervals.quantile(seen.sum(axis=0), part, level)
                yield Estimate(
                    measure=f"{name}_quantile", sets=length, detail=f"{part:g}", unit=name, interval=found
                )


def skewness(moments: NDArray[Any]) -> NDArray[np.float64]:
    """Third central moment over the cube of the standard deviation; (..., 4) sums of powers to (...)."""
    n, one, two, three = np.moveaxis(moments.astype(np.float64), -1, 0)
    mean = one / n
    variance = two / n - mean**2
    skewed: NDArray[np.float64] = (three / n - 3 * mean * two / n + 2 * mean**3) / variance**1.5
    return skewed


def fitted_seconds(sums: DurationSums) -> float:
    """Seconds a roll at which the median set lasts `MEDIAN_SET` minutes; nan without sets."""
    seen = sums.set_rolls.sum(axis=0)
    if not seen.any():
        return float("nan")
    median = clusters.quantile(sums.set_rolls, 0.5, sums.n, intervals.LEVEL).mean
    return 60 * MEDIAN_SET / median


def speed(sums: DurationSums, level: float) -> Iterator[Estimate]:
    """Seconds a roll: the fitted number, and those at which a quantile of a set lasts as the sources say.

    `seconds_fitted`: the median set lasts half an hour. `seconds_to_fit`: the 5 % quantile lasts 15 minutes
    (detail 0.05), the 95 % one 45 (0.95): from the first to the second nine sets in ten last 15 to 45 minutes,
    with as many shorter as longer, if the first is not the larger. `sets_within`: share of sets that last so
    long at so many seconds a roll (detail).
    """
    n = sums.n
    stated = dict(zip((0.05, 0.95), MINUTES_OF_A_SET, strict=True)) | {0.5: MEDIAN_SET}
    for part, minutes in sorted(stated.items()):
        found = clusters.inverse(60.0 * minutes, clusters.quantile(sums.set_rolls, part, n, level))
        if part == 0.5:
            yield Estimate(measure="seconds_fitted", unit="s a roll", interval=found)
        else:
            yield Estimate(measure="seconds_to_fit", detail=f"{part:g}", unit="s a roll", interval=found)
    for seconds in SPEEDS:
        within = _sets_within(sums, seconds, level)
        yield Estimate(measure="sets_within", detail=str(seconds), unit="share of sets", interval=within)


def _sets_within(sums: DurationSums, seconds: float, level: float) -> Interval:
    inside = _last(np.arange(sums.set_rolls.shape[1]), seconds, MINUTES_OF_A_SET)
    shown = sums.set_rolls[:, inside].sum(axis=1)
    return clusters.share(shown, sums.set_rolls.sum(axis=1), sums.n, level)


def _last(rolls: NDArray[Any], seconds: float, minutes: tuple[float, float]) -> NDArray[np.bool_]:
    """Whether so many rolls last within these minutes, the ends among them."""
    inside: NDArray[np.bool_] = (rolls * seconds >= 60 * minutes[0]) & (rolls * seconds <= 60 * minutes[1])
    return inside


def beside_sources(sums: DurationSums, parties: PartieSums, level: float) -> Iterator[Estimate]:
    """What lasts as the sources say at the fitted speed, which is taken as given.

    `matches_above_middle`: share of matches that last longer than the middle of their range.
    """
    seconds = fitted_seconds(sums)
    within = _sets_within(sums, seconds, level)
    yield Estimate(measure="sets_within_stated", unit="share of sets", interval=within)
    for part in QUANTILES:
        found = clusters.quantile(sums.set_rolls, part, sums.n, level)
        yield _minutes("set_minutes_quantile", None, part, found, seconds)
        found = intervals.quantile(parties.rolls.sum(axis=0), part, level)
        yield _minutes("partie_minutes_quantile", None, part, found, seconds)
    parties_seen = parties.rolls.sum(axis=0)
    inside = _last(np.arange(parties_seen.size), seconds, MINUTES_OF_A_PARTIE)
    share = intervals.proportion(int(parties_seen[inside].sum()), parties.n, level)
    yield Estimate(measure="parties_within_stated", unit="share of parties", interval=share)
    for length, by_group in sums.rolls.items():
        seen = by_group.sum(axis=0)
        rolls = np.arange(seen.size)
        stated = (length * MINUTES_OF_A_SET[0], length * MINUTES_OF_A_SET[1])
        above = rolls * seconds > 60 * sum(stated) / 2
        for measure, shown in (
            ("matches_within_stated", _last(rolls, seconds, stated)),
            ("matches_above_middle", above),
        ):
            share = intervals.proportion(int(seen[shown].sum()), int(seen.sum()), level)
            yield Estimate(measure=measure, sets=length, unit="share of matches", interval=share)
        for part in QUANTILES:
            yield _minutes("minutes_quantile", length, part, intervals.quantile(seen, part, level), seconds)


def by_range(sums: DurationSums, level: float) -> Iterator[Estimate]:
    """To which end of their range matches lean, by a speed that is fitted to both ends of the range of a set.

    `seconds_by_range`: seconds a roll at which as many sets last under 15 minutes as over 45.
    `above_middle_by_range`: share of matches that last longer than the middle of their range at that speed. It is
    fitted anew without each group of matches, so that the interval has in it how sure the speed is.
    """
    seen = sums.set_rolls
    held = seen.any(axis=1)
    if not held.any():
        return
    low, high = MINUTES_OF_A_SET
    seconds = intervals.jackknife(
        seen[held], lambda sets: 60 * low / _shortest(sets), sums.n, level, log=True
    )
    yield Estimate(measure="seconds_by_range", unit="s a roll", interval=seconds)
    for length, matches in sums.rolls.items():
        both = np.concatenate([seen, matches], axis=1)[held & matches.any(axis=1)]
        middle = length * (low + high) / 2 / low  # in shortest sets

        def above(both: NDArray[Any], middle: float = middle) -> NDArray[np.float64]:
            sets, matches = both[..., : seen.shape[1]], both[..., seen.shape[1] :]
            return 1 - _below(matches, middle * _shortest(sets))

        if len(both):
            share = intervals.jackknife(both, above, sums.n, level)
            yield Estimate(
                measure="above_middle_by_range", sets=length, unit="share of matches", interval=share
            )


def _shortest(seen: NDArray[Any]) -> NDArray[np.float64]:
    """Rolls of a set of 15 minutes if as many are shorter as last over 45; histograms (..., values) to (...)."""
    times = MINUTES_OF_A_SET[1] / MINUTES_OF_A_SET[0]
    # Both shares run straight between half rolls: a fine grid meets every bend if `times` is whole.
    tried = np.arange(1, 2 * times * seen.shape[-1]) / (2 * times)
    tables = seen.reshape(-1, seen.shape[-1])
    found = [np.interp(1.0, _below(table, tried) + _below(table, times * tried), tried) for table in tables]
    return np.array(found).reshape(seen.shape[:-1])


def _below(seen: NDArray[Any], rolls: NDArray[Any]) -> NDArray[np.float64]:
    """Share below numbers of rolls, a roll being spread over the half before and after it.

    One histogram (values) at any numbers, or histograms (..., values) at a number each.
    """
    bounds = np.arange(seen.shape[-1] + 1) - 0.5
    if seen.ndim == 1:
        upto = np.concatenate([[0], np.cumsum(seen)]) / seen.sum()
        below: NDArray[np.float64] = np.interp(rolls, bounds, upto)
        return below
    return np.array([_below(one, at) for one, at in zip(seen, rolls, strict=True)])


def _minutes(measure: str, sets: int | None, part: float, rolls: Interval, seconds: float) -> Estimate:
    return Estimate(
        measure=measure,
        sets=sets,
        detail=f"{part:g}",
        unit=FITTED,
        interval=intervals.scaled(rolls, seconds / 60),
    )


def beside_parties(sums: DurationSums, parties: PartieSums, level: float) -> Iterator[Estimate]:
    """Rolls of a partie in twelve holes, and the mean length of a set as a multiple of a partie's."""
    seen = parties.rolls
    counted = seen.sum(axis=1)
    mean = clusters.ratio(_total(seen), counted, parties.n, level)
    yield Estimate(measure="partie_rolls", unit="rolls per partie", interval=mean)
    for part in QUANTILES:
        found = intervals.quantile(seen.sum(axis=0), part, level)
        yield Estimate(measure="partie_rolls_quantile", detail=f"{part:g}", unit="rolls", interval=found)
    both = np.stack([sums.set_rolls.sum(axis=1), _total(sums.set_rolls), counted, _total(seen)], axis=1)
    kept = both[(both[:, 0] > 0) | (both[:, 2] > 0)]
    if len(kept):
        ratio = intervals.jackknife(kept, _means_ratio, min(sums.n, parties.n), level)
        yield Estimate(measure="set_to_partie", unit="times a partie", interval=ratio)


def _means_ratio(both: NDArray[Any]) -> NDArray[np.float64]:
    """The mean of the first counted and summed over that of the second; (..., 4) to (...)."""
    ratio: NDArray[np.float64] = (both[..., 1] / both[..., 0]) / (both[..., 3] / both[..., 2])
    return ratio


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class WrittenDuration:
    """How long sets and matches of the written game last, beside parties by the same rules of the game."""

    lengths: tuple[int, ...]
    """Numbers of sets; always played are so many as a match may have, and its first sets are the shorter."""

    by_settlement: ClassVar[bool] = False
    by_players: ClassVar[tuple[str, ...]] = ("set_rolls", "set_settings", "rolls", "set_to_partie")
    by_rules: ClassVar[tuple[str, ...]] = ("set_rolls", "set_settings", "partie_rolls")
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        yield from length_problems(self.lengths)

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Sets", f"{LONGEST} are played; their first {', '.join(map(str, self.lengths))} are matches too"
        yield "A roll", f"takes so long that the median set lasts {MEDIAN_SET} minutes"

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The longest match, of which the shorter are the beginning; and parties by the same rules of the game."""
        if not isinstance(rules.match, Written):
            raise ConfigError(f"{rules.name} is not a match of several sets")
        partie = replace(rules, name=f"{rules.name}_partie", match=TwelveHoles())
        return {MAIN: Needed(rules=rules.with_match(sets=LONGEST)), PARTIE: Needed(rules=partie)}

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        sums = duration_sums(played.sets(COLUMNS), sorted(self.lengths))
        parties = partie_sums(played.sets(PARTIE_COLUMNS, PARTIE))
        yield from of_sets(sums, level)
        yield from of_matches(sums, level)
        yield from speed(sums, level)
        yield from beside_sources(sums, parties, level)
        yield from by_range(sums, level)
        yield from beside_parties(sums, parties, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of sets won by player 1, as for any run."""
        return None
