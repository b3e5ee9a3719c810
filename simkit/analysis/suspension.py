"""The right to suspend a game of trictrac combiné: how often it is asked for, what it brings, and when.

Three kinds of numbers. Of a player against one who judges otherwise of suspensions, matches are played from both
places with the same dice. Of equal players the first matches are followed again roll by roll: what either game
advises is counted, and some decisions are played on to the end of the match with every choice bound, on the same
new dice. Pools are told from the rows.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import clusters, intervals
from simkit.analysis.combine_pools import of_pools, pool_sums
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.multiplicity import each_level
from simkit.analysis.question import MAIN, Needed, Played, Rows, paired
from simkit.decisions import (
    GOES,
    HOLD,
    LEAVES_HONOURS,
    LEAVES_WRITTEN,
    Decisions,
    Followed,
    next_hole,
    played_on,
)
from simkit.errors import ConfigError
from simkit.honours import settle_combined
from simkit.players import Judgement, LeavesGame
from simkit.progress import Monitor
from simkit.rules import Combine, ContractAfterDraw, RuleSet, UnfinishedHonours
from simkit.settle import SETTLED_FROM

SWAPPED = "swapped"
"""The play in which the pair sits the other way round."""

ADVICE: Mapping[int, str] = {
    HOLD: "both hold",
    GOES: "both go",
    LEAVES_WRITTEN: "written goes, honours hold",
    LEAVES_HONOURS: "written holds, honours go",
}
"""What either game alone advises, by what a player did who suspends exactly the game he would leave."""
DIFFERENT = (LEAVES_WRITTEN, LEAVES_HONOURS)
ALIKE = (HOLD, GOES)
DIFFERS, AGREES = "advice differs", "advice agrees"
GAME_NAMES = ("written", "honours", "both")
IN_RETURN = 8
"""Men beyond the coin from which a position counts as one in the jan de retour."""
GRANDE = 12

DECISIONS = "share of decisions"
JETONS, FISH, EACH = "jetons per match", "fish per match", "jetons per decision"

# ---------------------------------------------------------------- regions

Cells = Mapping[str, tuple[int, int]]
"""Names of cells with their least and most."""

OTHERS_HONOURS: Cells = {"0 to 3": (0, 3), "4 to 6": (4, 6), "7 to 9": (7, 9), "10 or 11": (10, 11)}
NEAR = 8
"""Holes in the honours from which on a player is near enough to winning that a class is at stake."""
CLASS_AT_STAKE: Cells = {
    f"fewer than {NEAR} holes": (0, 0),
    "single": (1, 1),
    "double": (2, 2),
    "treble": (3, 3),
    "quadruple": (4, 4),
}
POOL_SIZE: Cells = {"4 to 6": (4, 6), "7 to 9": (7, 9), "10 to 14": (10, 14), "15 or more": (15, 10_000)}
OTHERS_WRITTEN: Cells = {"0 or 1": (0, 1), "2 or 3": (2, 3), "4 or 5": (4, 5), "6 or more": (6, 10_000)}
OWN_RUN: Cells = {"none, or broken": (0, 0), "1 to 3": (1, 3), "4 or 5": (4, 5), "6 or more": (6, 10_000)}


@dataclass(frozen=True)
class Region:
    """A map: which suspension, by what the cells go, their bounds, and where the source says to suspend."""

    key: str
    suspends: int
    words: str
    cells: Cells
    advised: tuple[str, ...]


REGIONS = (
    Region(
        "others_honours", LEAVES_HONOURS, "holes of the other in the honours", OTHERS_HONOURS, ("10 or 11",)
    ),
    Region(
        "class_at_stake",
        LEAVES_HONOURS,
        "what he would win now in the honours",
        CLASS_AT_STAKE,
        ("double", "treble", "quadruple"),
    ),
    Region("pool", LEAVES_HONOURS, "fish in the pool", POOL_SIZE, ("10 to 14", "15 or more")),
    Region("others_written", LEAVES_WRITTEN, "holes of the other in the set", OTHERS_WRITTEN, ("4 or 5",)),
    Region("own_run", LEAVES_WRITTEN, "his own unbroken holes in the set", OWN_RUN, ("4 or 5",)),
)


def places_of(region: Region, met: Decisions, limit: int) -> NDArray[np.int64]:
    """The number by which a map sorts each decision; `limit`: holes of the loser up to which a game is double."""
    if region.key == "others_honours":
        return met.honours[:, 1]
    if region.key == "pool":
        return met.basket
    if region.key == "others_written":
        return met.written[:, 1]
    if region.key == "own_run":
        return np.where(met.run[:, 0], met.written[:, 0], 0)
    return class_at_stake(met, limit)


def class_at_stake(met: Decisions, limit: int) -> NDArray[np.int64]:
    """The class of the game of honours if who decides won it as it stands, 1 to 4; 0 while he is not near it."""
    mine, other = met.honours[:, 0], met.honours[:, 1]
    won = np.where(other == 0, 4, np.where(met.run[:, 1], 3, np.where(other <= limit, 2, 1)))
    return np.where(mine < NEAR, 0, won)


def stays(region: Region, met: Decisions) -> NDArray[np.bool_]:
    """Decisions at which the game that would go on advises to hold, so that going is not asked."""
    alone = LEAVES_HONOURS if region.suspends == LEAVES_HONOURS else LEAVES_WRITTEN
    return np.asarray((met.did == HOLD) | (met.did == alone))


# ---------------------------------------------------------------- samples


class Lots:
    """Gives every decision a random number; a sample of a kind is those with the least of them."""

    def __init__(self, count: int, seed: int) -> None:
        order = np.random.Generator(np.random.Philox(seed)).permutation(count)
        self._lots = np.empty(count, np.int64)
        self._lots[order] = np.arange(count)

    def draw(self, kind: NDArray[np.bool_], most: int) -> NDArray[np.intp]:
        """Up to so many decisions of a kind, in order."""
        places = np.flatnonzero(kind)
        return np.sort(places[np.argsort(self._lots[places], kind="stable")[:most]])


def by_match(values: NDArray[np.float64], match_id: NDArray[np.int64], level: float) -> Interval:
    """Mean of one number per decision, with the match as the unit; nan counts for nothing."""
    known = ~np.isnan(values)
    matches, place = np.unique(match_id[known], return_inverse=True)
    if not len(matches):
        return intervals.unknown(0, level, "ratio, clustered by match")
    x = np.bincount(place, minlength=len(matches)).astype(np.float64)
    y = np.bincount(place, weights=values[known], minlength=len(matches))
    return intervals.ratio(len(matches), x.sum(), y.sum(), float(x @ x), float(x @ y), float(y @ y), level)


def repeats_mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean over the repeats, the last axis, of those that are known with every choice (axis 1)."""
    known = ~np.isnan(values).any(axis=1, keepdims=True)
    number = known.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(known, values, 0.0).sum(axis=2) / number)


def rule_of_optima(written: NDArray[np.float64], honours: NDArray[np.float64]) -> NDArray[np.int64]:
    """Leave each game in which going is worth more than holding: places in `CHOICES`, (decisions,).

    `written`, `honours`: means of either game alone, (decisions, choices).
    """
    leaves_written, leaves_honours = (game[:, GOES] > game[:, HOLD] for game in (written, honours))
    one = np.where(leaves_written, LEAVES_WRITTEN, np.where(leaves_honours, LEAVES_HONOURS, HOLD))
    return np.where(leaves_written & leaves_honours, GOES, one)


@dataclass(frozen=True, eq=False)
class Gaps:
    """What the best of four choices is worth more than a rule, (decisions,), float64.

    Attributes
    ----------
    by_rule
        More than the rule of both optima: one half of the repeats chooses the best and the rule's choice, the
        other tells both, in turn. Too small by what the choice of the best misses.
    naive
        The same, but the best is chosen and told by all repeats: too large by what chance adds.
    as_judged
        More than what was done, half of the repeats choosing and the other telling.
    differ
        Whether the rule leaves one game only; a mean over both halves, so that it may be a half. Where going and
        holding are worth about the same in a game, chance decides.
    """

    by_rule: NDArray[np.float64]
    naive: NDArray[np.float64]
    as_judged: NDArray[np.float64]
    differ: NDArray[np.float64]


def gaps(
    written: NDArray[np.float64], honours: NDArray[np.float64], fish: float, did: NDArray[np.int64]
) -> Gaps:
    """Compare the best choice with the rule and with what was done; results (decisions, choices, repeats)."""
    rows = np.arange(len(did))
    both = written + fish * honours
    halves = [
        tuple(repeats_mean(game[:, :, half::2]) for game in (written, honours, both)) for half in (0, 1)
    ]
    best, ruled, done, differ = np.zeros((4, len(did)))
    for picks, (_, _, tells) in (halves, halves[::-1]):
        rule = rule_of_optima(picks[0], picks[1])
        best += tells[rows, np.argmax(picks[2], axis=1)] / 2
        ruled += tells[rows, rule] / 2
        done += tells[rows, did] / 2
        differ += np.isin(rule, DIFFERENT) / 2
    return Gaps(best - ruled, repeats_mean(both).max(axis=1) - ruled, best - done, differ)


# ---------------------------------------------------------------- measures of decisions


def of_decisions(question: Suspension, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
    """What equal players meet and what each choice leads to."""
    matches = min(question.followed, played.run.counts[played.place[MAIN]])
    followed = Followed(rules, played.players, played.seed(), matches)
    lots = Lots(len(followed.decisions), followed.seed)
    yield from of_advice(followed.decisions, matches, level)
    yield from of_gaps(followed, lots, question, level)
    yield from of_regions(followed, lots, question, level)
    yield from of_grandes(followed, question, level)


def of_advice(met: Decisions, matches: int, level: float) -> Iterator[Estimate]:
    """`advice`, by what the games advise; `disagree`, where it differs; `decisions` in a match, of both players.

    `disagree` has details: all, where nobody has six holes in the set, and where somebody has.
    """
    ones = np.ones(len(met))
    every = clusters.sums(met.match_id, ones)
    for did, name in ADVICE.items():
        at = met.did == did
        shown = clusters.sums(met.match_id[at], ones[at])
        yield _share("advice", DECISIONS, clusters.share(shown, every, matches, level), name)
    different = np.isin(met.did, DIFFERENT)
    six = met.written.max(axis=1) >= 6
    for name, part in (
        ("all", np.ones(len(met), bool)),
        ("nobody has six", ~six),
        ("somebody has six", six),
    ):
        shown = clusters.sums(met.match_id[part & different], ones[part & different])
        of = clusters.sums(met.match_id[part], ones[part])
        yield _share("disagree", DECISIONS, clusters.share(shown, of, matches, level), name)
    count = np.bincount(met.match_id, minlength=matches)
    found = intervals.mean(matches, int(count.sum()), int(count @ count), level)
    yield _share("decisions", "decisions per match", found)


def of_gaps(followed: Followed, lots: Lots, question: Suspension, level: float) -> Iterator[Estimate]:
    """What the best of four choices is worth more than the rule of both optima, and than what was done.

    `gap`, `gap_naive`, `gap_as_judged`: of `Gaps`; `over_hold`, `over_go`: what was done less these;
    `optima_differ`: decisions at which the rule leaves one game only. By advice; where the advice differs, where
    it agrees, and (`optima_differ`) at all, weighed by how often the kinds come. `gap_per_match`,
    `gap_naive_per_match`, `gap_as_judged_per_match`: over all such decisions of a player in a match.
    """
    met = followed.decisions
    most = {**dict.fromkeys(DIFFERENT, question.gap_states), **dict.fromkeys(ALIKE, question.agree_states)}
    drawn = {kind: lots.draw(met.did == kind, number) for kind, number in most.items()}
    chosen = np.concatenate(list(drawn.values()))
    if not len(chosen):
        return
    outcomes = played_on(followed, chosen, question.gap_repeats)
    both = outcomes.written + question.fish_jetons * outcomes.honours
    did, match_id = met.did[chosen], met.match_id[chosen]
    found = gaps(outcomes.written, outcomes.honours, question.fish_jetons, did)
    means = repeats_mean(both)
    own = means[np.arange(len(did)), did]
    numbers = {
        "gap": found.by_rule,
        "gap_naive": found.naive,
        "gap_as_judged": found.as_judged,
        "over_hold": own - means[:, HOLD],
        "over_go": own - means[:, GOES],
    }
    counts = {kind: int((met.did == kind).sum()) for kind in ADVICE}
    for measure, values in numbers.items():
        kinds = _by_kind(values, did, match_id, level)
        for kind, interval in kinds.items():
            yield _share(measure, EACH, interval, ADVICE[kind])
        for name, some in ((DIFFERS, DIFFERENT), (AGREES, ALIKE)):
            number = {kind: counts[kind] for kind in some}
            whole = weighed(kinds, number, level)
            yield _share(measure, EACH, whole, name)
            if measure.startswith("gap"):
                each = intervals.scaled(whole, sum(number.values()) / followed.matches / 2)
                yield _share(f"{measure}_per_match", "jetons per match and player", each, name)
    kinds = _by_kind(found.differ, did, match_id, level)
    yield _share("optima_differ", DECISIONS, weighed(kinds, counts, level))


def _by_kind(
    values: NDArray[np.float64], did: NDArray[np.int64], match_id: NDArray[np.int64], level: float
) -> dict[int, Interval]:
    """The mean at each kind of decision that was played on."""
    return {int(kind): by_match(values[did == kind], match_id[did == kind], level) for kind in np.unique(did)}


def weighed(found: Mapping[Any, Interval], counts: Mapping[Any, int], level: float) -> Interval:
    """Mean of the means of kinds, weighed by how often they come; their samples are taken as independent."""
    here = [kind for kind in counts if kind in found and counts[kind]]
    total = sum(counts[kind] for kind in here)
    method = "weighed mean of kinds, each clustered by match"
    if not here:
        return intervals.unknown(0, level, method)
    parts = [(counts[kind] / total, found[kind]) for kind in here]
    mean = sum(weight * one.mean for weight, one in parts)
    n = min(one.n for _, one in parts)
    if any(math.isnan(one.se) for _, one in parts):
        return intervals.unknown(n, level, method, mean)
    se = math.sqrt(sum((weight * one.se) ** 2 for weight, one in parts))
    return intervals.around(n, mean, se, intervals.student_quantile(level, max(n - 1, 1)), level, method)


def of_regions(followed: Followed, lots: Lots, question: Suspension, level: float) -> Iterator[Estimate]:
    """What suspending is worth more than holding, cell by cell, and in the advised cells against the others.

    `suspend_over_hold`, `suspend_over_hold_written` and `suspend_over_hold_honours`, by map and cell; `region`:
    the advised cells; `region_less_rest`: these less the others; both weighed by how often cells come. All
    intervals of the cells of one measure hold together, and those of the regions do.
    """
    for suspends in (LEAVES_HONOURS, LEAVES_WRITTEN):
        regions = [region for region in REGIONS if region.suspends == suspends]
        yield from _of_maps(followed, lots, question, regions, suspends, level)


def _of_maps(
    followed: Followed,
    lots: Lots,
    question: Suspension,
    regions: Sequence[Region],
    suspends: int,
    level: float,
) -> Iterator[Estimate]:
    """The maps of one suspension, which are played on together."""
    met = followed.decisions
    limit = followed.match.settlement.honours_double_max_loser_holes
    kinds = {
        (region.key, name): stays(region, met) & _within(places_of(region, met, limit), bounds)
        for region in regions
        for name, bounds in region.cells.items()
    }
    drawn = {key: lots.draw(kind, question.region_states) for key, kind in kinds.items()}
    chosen = np.unique(np.concatenate(list(drawn.values())))
    if not len(chosen):
        return
    outcomes = played_on(followed, chosen, question.region_repeats, (HOLD, suspends))
    games = {
        "": outcomes.written + question.fish_jetons * outcomes.honours,
        "_written": outcomes.written,
        "_honours": outcomes.honours,
    }
    family = sum(len(region.cells) for region in REGIONS)
    for ending, values in games.items():
        means = repeats_mean(values)
        over, match_id = means[:, 1] - means[:, 0], met.match_id[chosen]
        unit = "fish per decision" if ending == "_honours" else EACH
        found = {}
        for key, decisions in drawn.items():
            at = np.searchsorted(chosen, decisions)
            found[key] = by_match(over[at], match_id[at], each_level(level, family))
            one = together(found[key], level, f"{family} cells")
            yield _share(f"suspend_over_hold{ending}", unit, one, ", ".join(key))
        if not ending:
            counts = {key: int(kind.sum()) for key, kind in kinds.items()}
            yield from _of_advised(regions, found, counts, level)


def _within(numbers: NDArray[np.int64], bounds: tuple[int, int]) -> NDArray[np.bool_]:
    return np.asarray((bounds[0] <= numbers) & (numbers <= bounds[1]))


def _of_advised(
    regions: Sequence[Region],
    found: Mapping[tuple[str, str], Interval],
    counts: Mapping[tuple[str, str], int],
    level: float,
) -> Iterator[Estimate]:
    """The cells in which the source says to suspend, and these less the others."""
    family = 2 * len(REGIONS)
    narrow = each_level(level, family)
    for region in regions:
        parts: list[dict[tuple[str, str], int]] = [{}, {}]
        for name in region.cells:
            parts[name not in region.advised][region.key, name] = counts[region.key, name]
        advised, rest = (weighed(found, part, narrow) for part in parts)
        told = {"region": advised, "region_less_rest": intervals.difference(advised, rest)}
        for measure, one in told.items():
            yield _share(measure, EACH, together(one, level, f"{family} numbers"), region.key)


def together(one: Interval, level: float, family: str) -> Interval:
    """An interval made at a level so high that the whole family holds."""
    method = f"{one.method}; Bonferroni over {family}"
    return dataclasses.replace(one, level=level, method=method)


def of_grandes(followed: Followed, question: Suspension, level: float) -> Iterator[Estimate]:
    """What comes of carrying an unbroken grande further, holding at every hole.

    `next_hole_mine`, of the next hole at once, and of the next from where his men have come into the return;
    `comes_to_return`: how often they do before the other makes a hole.
    """
    met = followed.decisions
    chosen = np.flatnonzero(met.run[:, 0] & (met.written[:, 0] >= GRANDE))[: question.grandes]
    for name, men in (("at once", 0), ("in the return", IN_RETURN)):
        found = next_hole(followed, chosen, question.grande_repeats, men)
        match_id = met.match_id[chosen]
        mine = clusters.share(
            clusters.sums(match_id, found.mine),
            clusters.sums(match_id, found.came),
            len(np.unique(match_id)),
            level,
        )
        yield _share("next_hole_mine", "share of next holes", mine, name)
        if men:
            all_of = clusters.sums(match_id, np.full(len(chosen), question.grande_repeats))
            came = clusters.share(
                clusters.sums(match_id, found.came), all_of, len(np.unique(match_id)), level
            )
            yield _share("comes_to_return", DECISIONS, came)


# ---------------------------------------------------------------- the right to suspend


def of_places(played: Played, match: Combine, fish: int, level: float) -> Iterator[Estimate]:
    """`gain`: what the first of a pair wins of the second, both places taken together, by game and in the sum.

    The two matches of a pair have the same dice; half their sum is his result in a match, the luck of the place
    and much of the dice being in both.
    """
    sums = {name: [0, 0.0, 0.0] for name in (*GAME_NAMES, "pool")}
    for one, two in paired(results(played, match, MAIN), results(played, match, SWAPPED)):
        kept = one["settled"] & two["settled"]
        written = one["written"][kept] - two["written"][kept]
        honours = one["honours_fish"][kept] - two["honours_fish"][kept]
        pool = one["pool"][kept] - two["pool"][kept]
        for name, values in zip(sums, (written, honours, written + fish * honours, pool), strict=True):
            sums[name][0] += len(values)
            sums[name][1] += float(values.sum())
            sums[name][2] += float((values * values).sum())
    for name, (n, total, squares) in sums.items():
        found = intervals.scaled(intervals.mean(int(n), total, squares, level), 0.5)
        yield _share("gain", FISH if name in ("honours", "pool") else JETONS, found, name)


def results(played: Played, match: Combine, key: str) -> Iterator[Rows]:
    """Settled matches of a play, block by block."""
    for sets, games in played.combined(SETTLED_FROM, key):
        yield settle_combined(sets, games, match, seed=played.seed(key))


def _share(measure: str, unit: str, interval: Interval, detail: str = "") -> Estimate:
    return Estimate(measure=measure, detail=detail, unit=unit, interval=interval)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class Suspension:
    """How often the two games ask for different things, and what suspending one of them brings."""

    followed: int = 2000
    """Matches of equal players that are played again roll by roll; all, if the run has fewer."""
    gap_states: int = 150
    """Decisions of each kind at which the advice differs that are played on, at most."""
    agree_states: int = 75
    """The same of each kind at which it agrees."""
    gap_repeats: int = 160
    """How often each of the four choices is played on at these; an even number."""
    region_states: int = 1000
    """Decisions of each cell of a map that are played on, at most."""
    region_repeats: int = 8
    """How often holding and suspending are played on at these."""
    grandes: int = 400
    """Decisions with a grande from which a player holds on, at most."""
    grande_repeats: int = 32
    """How often each of these is played on."""
    fish_jetons: int = 13
    """What a fish of honours counts in the sum of both games, in jetons: that of VT, ten being 75 of 100."""

    by_settlement: ClassVar[bool] = True
    by_players: ClassVar[tuple[str, ...]] = ("disagree", "repeat_wins")
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        for name, least, most in (
            ("followed", 1, 100_000),
            ("gap_states", 1, 100_000),
            ("agree_states", 1, 100_000),
            ("gap_repeats", 2, 100_000),
            ("region_states", 1, 100_000),
            ("region_repeats", 1, 100_000),
            ("grandes", 1, 100_000),
            ("grande_repeats", 1, 100_000),
            ("fish_jetons", 0, 1000),
        ):
            if not least <= getattr(self, name) <= most:
                yield f"{name} = {getattr(self, name)}: from {least} to {most}"
        if self.gap_repeats % 2:
            yield f"gap_repeats = {self.gap_repeats}: an even number, half of which choose and half tell"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Followed roll by roll", f"the first {self.followed} matches of equal players"
        yield (
            "Played on, by advice",
            f"{self.gap_states} decisions of each kind where it differs and {self.agree_states} where it agrees, "
            f"{self.gap_repeats} times with each of four choices",
        )
        yield (
            "Played on, for the maps",
            f"{self.region_states} decisions of each cell, {self.region_repeats} times holding and suspending",
        )
        yield "Grandes", f"{self.grandes} decisions, {self.grande_repeats} times"
        yield "A fish of honours", f"{self.fish_jetons} jetons in the sum of both games"

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The pair in both orders."""
        match = rules.match
        if not isinstance(match, Combine) or not match.suspension:
            raise ConfigError(f"{rules.name} is no trictrac combiné with suspensions")
        if match.combine_unfinished_honours is not UnfinishedHonours.VOID:
            raise ConfigError(
                f"{rules.name}: match.combine_unfinished_honours play_on: decisions are played on to the last set"
            )
        settlement = match.settlement
        if (
            settlement.pool_contract_after_draw is not ContractAfterDraw.CLEARED
            or settlement.pool_wins_in_row != 2
        ):
            raise ConfigError(
                f"{rules.name}: the pool is asked about that two games in a row draw, from none on"
            )
        return {MAIN: Needed(rules=rules), SWAPPED: Needed(rules=rules, seats=(1, 0))}

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        match = rules.match
        assert isinstance(match, Combine)  # plays has refused others
        yield from of_pools(pool_sums(played, match), level)
        if played.place[SWAPPED] != played.place[MAIN]:
            yield from of_places(played, match, self.fish_jetons, level)
            return
        one = played.players[0]
        if isinstance(one.decision, Judgement) and isinstance(one.combined, LeavesGame):
            yield from of_decisions(self, rules, played, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of sets won by player 1, as for any run."""
        return None
