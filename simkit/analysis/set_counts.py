"""What sets of the written game look like: holes, kinds, do-overs, ends of settings, and values by the tariff.

Rows are read block by block and only sums by groups of matches are kept. Numbers per set are of decided sets; a
set that was cut, and the sets after it that were not played, are in none of them.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.clusters import GROUPS
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.question import LONGEST, MAIN, Needed, Played, Rows, length_problems
from simkit.dataset import ENDED_BY
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import Progression, RuleSet, Settlement, Written
from simkit.settle import SETTLED_FROM, match_starts, pay, set_value, set_values

COLUMNS = (*SETTLED_FROM, "ended_by", "settings", "settings_do_overs", "sorties", "stalls")

SETS, SETTINGS, POINTS = "share of decided sets", "share of settings", "points"
WHOLE_POINTS = "points of a set"
KINDS = ("", "simple", "petite", "grande")
"""By the code of `simkit.settle`."""
RUNS = ("petite", "grande")
WINNER_FROM, LOSER_FROM = range(6, 37), range(1, 19)
"""Numbers of holes at which it is asked how many sets have so many or more."""
WINNER_SHARES, LOSER_SHARES = range(6, 24), range(15)
"""Numbers of holes that are counted one by one; what is more is counted together."""
VALUE_FROM = (3, 5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500)
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
DO_OVERS = 8
"""So many do-overs of one set or more are counted together."""
HOLE_OF_RUN = range(7, 20)
AGAINST = 6
"""Holes of the other in the sum of J.L. 1852, 224."""

FEWEST = 10_000
"""Matches below which what the doubled price does has no interval. Runs of 18 holes and more decide it: intervals
of 95 % were seen to cover 60 to 75 % at 200 matches, 82 to 92 % at 2000, and 93 % from 10 000 on."""

OWN, DOUBLED = "own", "doubled"
"""The tariff of the rule set, and the same with a price of runs that doubles every six holes."""

Sums = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SetSums:
    """Sums over decided sets and settled matches, by groups of matches; two of them add up."""

    matches: Sums
    """(GROUPS,) matches with a decided set."""
    truncated: int
    """Matches with a cut set."""
    sums: Mapping[str, Sums]
    """(GROUPS,) by name."""
    seen: Mapping[str, Sums]
    """Histograms (GROUPS, values) by name."""

    @property
    def n(self) -> int:
        """Matches counted."""
        return int(self.matches.sum())

    def __add__(self, other: SetSums) -> SetSums:
        return SetSums(
            self.matches + other.matches,
            self.truncated + other.truncated,
            {name: self.sums[name] + other.sums[name] for name in self.sums},
            {name: clusters.added(self.seen[name], other.seen[name]) for name in self.seen},
        )

    def ratio(self, over: str, under: str, level: float) -> Interval:
        """One sum over another."""
        return clusters.ratio(self.sums[over], self.sums[under], self.n, level)

    def share(self, shown: Sums, of: Sums, level: float) -> Interval:
        """Share of sets or settings, from sums by group."""
        return clusters.share(shown, of, self.n, level)


def set_sums(blocks: Iterable[Rows], settlement: Settlement, lengths: Sequence[int]) -> SetSums:
    """Read rows of written matches block by block; whole matches in each block, columns `COLUMNS`.

    `lengths` are the numbers of sets, even, at which matches are settled by the tariff and by the doubled one.
    """
    both = {OWN: settlement, DOUBLED: doubled(settlement)}
    total = _block_sums(_no_rows(), both, lengths)
    for block in blocks:
        total = total + _block_sums(block, both, lengths)
    return total


def doubled(settlement: Settlement) -> Settlement:
    """The same settlement with a price of unbroken runs that doubles every six holes."""
    return dataclasses.replace(settlement, progression=Progression.DOUBLE_EVERY_6)


def _no_rows() -> Rows:
    kinds = {"match_id": np.int64} | dict.fromkeys(
        ("run_intact_1", "run_intact_2", "picked_up_1", "picked_up_2", "reached_six_1", "reached_six_2"),
        np.bool_,
    )
    return {name: np.zeros(0, kinds.get(name, np.int16)) for name in COLUMNS}


def _block_sums(rows: Rows, tariffs: Mapping[str, Settlement], lengths: Sequence[int]) -> SetSums:
    decided = rows["winner"] != 0
    kept = {name: column[decided] for name, column in rows.items()}
    match = kept["match_id"]
    looks = _looks(kept)
    values = {name: set_values(kept, tariff) for name, tariff in tariffs.items()}
    kind = values[OWN]["kind"]
    columns = looks | {f"points_{KINDS[k]}": values[OWN]["value"] * (kind == k) for k in range(1, len(KINDS))}
    run = looks["winner_holes"] * (kind > 1)
    seen = {
        "winner_holes": clusters.histograms(match, looks["winner_holes"], 2 * WINNER_FROM[-1]),
        "loser_holes": clusters.histograms(match, looks["loser_holes"], 2 * WINNER_FROM[-1]),
        "run_holes": clusters.histograms(match, run, 2 * WINNER_FROM[-1]),
        "kinds": clusters.histograms(match, 4 * kind + 2 * looks["picked_up"] + looks["in_advance"]),
        "do_overs": clusters.histograms(match, kept["do_overs"], DO_OVERS),
        "multiplier": clusters.histograms(match, values[OWN]["multiplier"]),
        **{f"value_{name}": clusters.histograms(match, value["value"]) for name, value in values.items()},
    }
    starts = match_starts(rows)
    return SetSums(
        matches=_groups(rows["match_id"][starts]),
        truncated=int((~decided).sum()),
        sums={name: clusters.sums(match, column) for name, column in columns.items()}
        | _match_sums(rows, tariffs, lengths),
        seen=seen,
    )


def _looks(sets: Rows) -> dict[str, NDArray[Any]]:
    """What is counted of every decided set, by name; whole numbers."""
    first = sets["winner"] == 1
    goings = sets["settings"].astype(np.int64) + sets["settings_do_overs"]
    return {
        "sets": np.ones(first.size, dtype=np.int64),
        "winner_holes": np.where(first, sets["holes_1"], sets["holes_2"]),
        "loser_holes": np.where(first, sets["holes_2"], sets["holes_1"]),
        "picked_up": np.where(first, sets["picked_up_1"], sets["picked_up_2"]).astype(np.int64),
        "in_advance": (sets["first_scorer"] == sets["winner"]).astype(np.int64),
        "conceded": sets["ended_by"] == ENDED_BY.index("concession"),
        "going": goings,
        "pickup": goings - 1 - sets["do_overs"],
        "do-over": sets["do_overs"],
        "reprise": sets["sorties"],
        "stall": sets["stalls"],
        "starts": goings + sets["sorties"] + sets["stalls"],
    }


def _groups(match_id: NDArray[Any]) -> Sums:
    return clusters.sums(match_id, np.ones(match_id.size))


def _match_sums(rows: Rows, tariffs: Mapping[str, Settlement], lengths: Sequence[int]) -> dict[str, Sums]:
    """What matches of each length come to by each tariff, by group; only those of which no set was cut.

    Names are `<what>_<length>_<tariff>`, and `changed_<length>` for matches that both tariffs give to others.
    """
    match, kept = _whole(rows)
    first = (kept["winner"] == 1).reshape(match.size, -1 if match.size else 0)
    values = {
        name: set_values(kept, tariff)["value"].reshape(first.shape) for name, tariff in tariffs.items()
    }
    found: dict[str, Sums] = {}
    for length in lengths:
        winners = {}
        for name, tariff in tariffs.items():
            winners[name], columns = _settled(first[:, :length], values[name][:, :length], tariff)
            found |= {
                f"{what}_{length}_{name}": clusters.sums(match, column) for what, column in columns.items()
            }
        found[f"changed_{length}"] = clusters.sums(match, winners[OWN] != winners[DOUBLED])
    return found


def _whole(rows: Rows) -> tuple[NDArray[Any], Rows]:
    """The matches of which no set was cut: their numbers, and their rows."""
    starts = match_starts(rows)
    sizes = np.diff(starts, append=rows["winner"].size)
    decided = rows["winner"] != 0
    whole = np.add.reduceat(decided, starts, dtype=np.int64) == sizes if starts.size else starts == 0
    kept = {name: column[np.repeat(whole, sizes)] for name, column in rows.items()}
    return rows["match_id"][starts][whole], kept


def _settled(
    first: NDArray[np.bool_], value: NDArray[Any], tariff: Settlement
) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """Winners of matches, and what is summed of each; sets won by player 1 and their values, (matches, sets).

    `size`: the exact result, whoever wins. `alone`: the winner's dearest set is worth that or more. `dearest`:
    the dearest set of the match. `points`: of all its sets.
    """
    won = first.sum(axis=1)
    points = np.where(first, value, -value).sum(axis=1)
    paid = pay(points, won, first.shape[1] - won, dataclasses.replace(tariff, round_unit=None))
    winner, size = paid["winner"], np.abs(paid["exact"])
    won_by_winner = first == (winner == 1)[:, None]
    his_dearest = np.where(won_by_winner, value, 0).max(axis=1, initial=0)
    return winner, {
        "matches": np.ones(winner.size),
        "size": size,
        "size_squared": size * size,
        "alone": (winner != 0) & (his_dearest >= size),
        "dearest": value.max(axis=1, initial=0),
        "points": value.sum(axis=1),
    }


# ---------------------------------------------------------------- measures


def holes(sums: SetSums, level: float) -> Iterator[Estimate]:
    """Holes of winner and loser: means, shares of each number, and shares of so many or more.

    `run_holes_from`: decided sets won by an unbroken run of so many holes or more.
    """
    for name in ("winner_holes", "loser_holes"):
        mean = sums.ratio(name, "sets", level)
        yield Estimate(measure=name, unit="holes per decided set", interval=mean)
    for name, each in (("winner_holes", WINNER_SHARES), ("loser_holes", LOSER_SHARES)):
        for number in each:
            shown = _at(sums.seen[name], number)
            share = sums.share(shown, sums.sums["sets"], level)
            yield Estimate(measure=f"{name}_share", detail=str(number), unit=SETS, interval=share)
    for name, from_ in (
        ("winner_holes", WINNER_FROM),
        ("run_holes", WINNER_FROM),
        ("loser_holes", LOSER_FROM),
    ):
        for number in from_:
            shown = sums.seen[name][:, number:].sum(axis=1)
            share = sums.share(shown, sums.sums["sets"], level)
            yield Estimate(measure=f"{name}_from", detail=str(number), unit=SETS, interval=share)


def _at(seen: Sums, value: int) -> Sums:
    count: Sums = seen[:, value : value + 1].sum(axis=1)
    return count


def kinds(sums: SetSums, level: float) -> Iterator[Estimate]:
    """How sets are won: `kind`, with details `petite`, `petite with pickup`, `petite, in arrears` and so on.

    A pickup is the winner's own, since his first hole and before the end. In advance: the winner made the first
    hole of the set. `pickup_ratio`: runs with a pickup for one without. `multiplier`: times that a set counts by
    the tariff, which may price a late run by the pickups of the other.
    """
    sets, seen = sums.sums["sets"], sums.seen["kinds"]
    table = np.pad(seen, ((0, 0), (0, 16 - seen.shape[1]))).reshape(GROUPS, 4, 2, 2)  # kind, pickup, advance
    for k, name in enumerate(KINDS[1:], 1):
        details = {name: table[:, k].sum(axis=(1, 2))}
        details |= {f"{name}, {words}": table[:, k, :, a].sum(axis=1) for a, words in _ADVANCE}
        if name in RUNS:
            details |= {f"{name} {words}": table[:, k, p].sum(axis=1) for p, words in _PICKUP}
            details |= {
                f"{name} {with_}, {when}": table[:, k, p, a] for p, with_ in _PICKUP for a, when in _ADVANCE
            }
        for detail, shown in details.items():
            share = sums.share(shown, sets, level)
            yield Estimate(measure="kind", detail=detail, unit=SETS, interval=share)
    advance = table[:, :, :, 1].sum(axis=(1, 2))
    yield Estimate(measure="in_advance", unit=SETS, interval=sums.share(advance, sets, level))
    for k, name in enumerate(KINDS):
        if name in RUNS:
            ratio = _odds(table[:, k, 1].sum(axis=1), table[:, k, 0].sum(axis=1), sums.n, level)
            yield Estimate(measure="pickup_ratio", detail=name, unit="times", interval=ratio)
    for times in range(1, sums.seen["multiplier"].shape[1]):
        shown = _at(sums.seen["multiplier"], times)
        if shown.any():
            share = sums.share(shown, sets, level)
            yield Estimate(measure="multiplier", detail=str(times), unit=SETS, interval=share)


_ADVANCE = ((1, "in advance"), (0, "in arrears"))
_PICKUP = ((1, "with pickup"), (0, "without pickup"))


def _odds(one: Sums, two: Sums, n: int, level: float) -> Interval:
    """How many of one kind for one of the other."""
    both = np.stack([one, two], axis=1)[one + two > 0]
    if len(both):
        return intervals.jackknife(both, lambda s: s[..., 0] / s[..., 1], n, level, log=True)
    return intervals.unknown(n, level, "jackknife, log scale")


def ends(sums: SetSums, level: float) -> Iterator[Estimate]:
    """Concessions, do-overs and the ends of settings, of decided sets and the do-overs before them.

    A setting is what lies between two starts of the men. It ends by `going`: in a `pickup` after which the set
    goes on, at the `end` of the set, or in a `do-over`; by bearing off (`reprise`), or for want of points
    (`stall`).
    """
    sets, starts, seen = sums.sums["sets"], sums.sums["starts"], sums.seen["do_overs"]
    conceded = sums.share(sums.sums["conceded"], sets, level)
    yield Estimate(measure="conceded", unit=SETS, interval=conceded)
    once, twice = (seen[:, number:].sum(axis=1) for number in (1, 2))
    yield Estimate(measure="done_over", unit=SETS, interval=sums.share(once, sets, level))
    yield Estimate(measure="done_over_twice", unit=SETS, interval=sums.share(twice, sets, level))
    again = sums.share(twice, once, level)
    yield Estimate(measure="done_over_again", unit="share of sets done over", interval=again)
    for detail, shown in (
        ("going", sums.sums["going"]),
        ("pickup", sums.sums["pickup"]),
        ("end", sets),
        ("do-over", sums.sums["do-over"]),
        ("reprise", sums.sums["reprise"]),
        ("stall", sums.sums["stall"]),
    ):
        share = sums.share(shown, starts, level)
        yield Estimate(measure="settings_ended", detail=detail, unit=SETTINGS, interval=share)


def values(sums: SetSums, level: float) -> Iterator[Estimate]:
    """What a set is worth, by the tariff (detail `own`) and with a price that doubles every six holes (`doubled`).

    `value_from_own` and `value_from_doubled`: share of sets worth so many points or more. `value_sd_ratio`: the
    standard deviation by the doubled price, over that by the tariff. `points_by_kind`: of all points of sets.
    """
    sets = sums.sums["sets"]
    for name in (OWN, DOUBLED):
        seen = sums.seen[f"value_{name}"]
        moments = _moments(seen)
        mean = clusters.ratio(moments[:, 1], sets, sums.n, level)
        yield Estimate(measure="value_mean", detail=name, unit="points per decided set", interval=mean)
        kept = moments[sets > 0]
        if len(kept):
            fewest = FEWEST if name == DOUBLED else 0
            sd = intervals.jackknife(kept, _deviation, sums.n, level, log=True, fewest=fewest)
            yield Estimate(measure="value_sd", detail=name, unit=POINTS, interval=sd)
        for part in QUANTILES:
            found = clusters.quantile(seen, part, sums.n, level)
            yield Estimate(
                measure=f"value_quantile_{name}", detail=f"{part:g}", unit=WHOLE_POINTS, interval=found
            )
        for number in VALUE_FROM:
            share = sums.share(seen[:, number:].sum(axis=1), sets, level)
            yield Estimate(measure=f"value_from_{name}", detail=str(number), unit=SETS, interval=share)
    both = np.stack([_moments(sums.seen[f"value_{name}"]) for name in (DOUBLED, OWN)], axis=1)[sets > 0]
    for measure, function in (("value_mean_ratio", _mean), ("value_sd_ratio", _deviation)):
        if len(both):
            quotient = functools.partial(_quotient, function)
            times = intervals.jackknife(both, quotient, sums.n, level, log=True, fewest=FEWEST)
            yield Estimate(measure=measure, unit="times", interval=times)
    every = sum((sums.sums[f"points_{name}"] for name in KINDS[1:]), np.zeros(GROUPS, dtype=np.int64))
    for name in KINDS[1:]:
        part_of = clusters.ratio(sums.sums[f"points_{name}"], every, sums.n, level)
        yield Estimate(measure="points_by_kind", detail=name, unit="share of points", interval=part_of)


def _moments(seen: Sums) -> Sums:
    """Sets, sum and sum of squares of what was counted, (GROUPS, 3)."""
    value = np.arange(seen.shape[1])
    moments: Sums = np.stack([seen.sum(axis=1), seen @ value, seen @ (value * value)], axis=1)
    return moments


def _mean(moments: NDArray[Any]) -> NDArray[np.float64]:
    mean: NDArray[np.float64] = moments[..., 1] / moments[..., 0]
    return mean


def _deviation(moments: NDArray[Any]) -> NDArray[np.float64]:
    deviation: NDArray[np.float64] = np.sqrt(moments[..., 2] / moments[..., 0] - _mean(moments) ** 2)
    return deviation


def _quotient(
    function: Callable[[NDArray[Any]], NDArray[np.float64]], moments: NDArray[Any]
) -> NDArray[np.float64]:
    """Shape (..., 2, 3): a number of the first over that of the second."""
    return function(moments[..., 0, :]) / function(moments[..., 1, :])


def one_set(sums: SetSums, lengths: Sequence[int], level: float) -> Iterator[Estimate]:
    """How much of a match hangs on one set, by both tariffs, and whether the doubled one changes the winner.

    `one_set_decides_own`: the dearest set of the winner is worth the whole exact result, or more: he would not
    have won without its points. `dearest_set_own`: points of the dearest set, of all points of the match.
    """
    for length in lengths:
        for name in (OWN, DOUBLED):
            here = {
                key: sums.sums[f"{key}_{length}_{name}"]
                for key in ("matches", "alone", "size", "size_squared", "dearest", "points")
            }
            n = int(here["matches"].sum())
            alone = intervals.proportion(int(here["alone"].sum()), n, level)
            yield Estimate(
                measure=f"one_set_decides_{name}", sets=length, unit="share of matches", interval=alone
            )
            dearest = clusters.ratio(here["dearest"], here["points"], n, level)
            yield Estimate(
                measure=f"dearest_set_{name}", sets=length, unit="share of points", interval=dearest
            )
            size = intervals.mean(n, int(here["size"].sum()), int(here["size_squared"].sum()), level)
            yield Estimate(measure=f"result_{name}", sets=length, unit=POINTS, interval=size)
        changed = intervals.proportion(int(sums.sums[f"changed_{length}"].sum()), n, level)
        yield Estimate(
            measure="doubling_changes_winner", sets=length, unit="share of matches", interval=changed
        )


def tariff(settlement: Settlement, level: float) -> Iterator[Estimate]:
    """What an unbroken run comes to against six holes of the other, and what its last hole adds: computed.

    `run_value` and `hole_adds`, details `hole 12, with pickup`, `hole 12, without pickup` and, by a price that
    doubles every six holes, `hole 12, doubled`; no do-over went before.
    """
    reached = np.array(HOLE_OF_RUN)
    for held, by, words in (
        (False, settlement, "with pickup"),
        (True, settlement, "without pickup"),
        (False, doubled(settlement), DOUBLED),
    ):
        worth = set_value(reached, np.full(reached.size, AGAINST), 0, reached > 0, held, by)["value"]
        adds = np.diff(worth)
        for measure, points in (("run_value", worth), ("hole_adds", adds)):
            for number, value in zip(reached[::-1], points[::-1], strict=False):
                exact = intervals.exact(float(value), 0, "exact, by the tariff", level)
                yield Estimate(
                    measure=measure, detail=f"hole {number}, {words}", unit=WHOLE_POINTS, interval=exact
                )


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class SetCounts:
    """What the sets of a written match look like, and what they are worth by the tariff of the rule set."""

    lengths: tuple[int, ...]
    """Numbers of sets at which matches are settled; always played are so many as a match may have."""

    by_settlement: ClassVar[bool] = True
    by_players: ClassVar[tuple[str, ...]] = ("winner_holes", "loser_holes", "kind", "conceded", "done_over")
    by_rules: ClassVar[tuple[str, ...]] = ("winner_holes", "loser_holes", "value_mean")
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        yield from length_problems(self.lengths)

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Sets", f"{LONGEST} are played; settled as matches of {', '.join(map(str, self.lengths))}"

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The longest match; the shorter ones are its beginning."""
        match = rules.match
        if not isinstance(match, Written):
            raise ConfigError(f"{rules.name} is not a match of several sets")
        if match.max_holes_per_set is not None:
            raise ConfigError(
                f"{rules.name}: match.max_holes_per_set = {match.max_holes_per_set}: a set that ends at a limit "
                "does not end by going, and its rows do not tell"
            )
        return {MAIN: Needed(rules=rules.with_match(sets=LONGEST))}

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        assert isinstance(rules.match, Written)  # plays has refused others
        settlement = rules.match.settlement
        sums = set_sums(played.sets(COLUMNS), settlement, self.lengths)
        yield from holes(sums, level)
        yield from kinds(sums, level)
        yield from ends(sums, level)
        yield from values(sums, level)
        yield from one_set(sums, sorted(self.lengths), level)
        yield from tariff(settlement, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of sets won by player 1, as for any run."""
        return None
