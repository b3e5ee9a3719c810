"""How long a partie in twelve holes lasts, how its settings end, what its points come from, and who wins it.

Rows are read block by block and only sums are kept: histograms, sums of products by match, and sums by groups
of matches for the jackknife.
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
from simkit.analysis.question import MAIN, Needed, Played, Rows
from simkit.dataset import ENDED_BY, FIGURES
from simkit.drivers import State
from simkit.drivers.start import AT_THE_TALONS
from simkit.errors import ConfigError
from simkit.kernel.records import BROKEN, INTACT, NO_RUN
from simkit.progress import Monitor
from simkit.rules import RuleSet, TwelveHoles, Written, replace

FIGURE_GROUP = 2048
"""Matches to a group of figure sums, which are kept for whole rounds of so many."""
ROUNDS = f"rounds of {FIGURE_GROUP} matches"
CHUNK = FIGURE_GROUP // 32
"""Matches to a chunk, so that a round of 32 chunks is such a group."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
HOLES = 12
"""Scores run from 0 to one less than the holes of a partie."""
FITTED = 4
"""Up to this difference of holes the chance of the first thrower is taken as a straight line."""

SET, SCORES = "set", "scores"
"""Keys of the plays beside the partie: two sets of the written game, and parties from every score."""

COLUMNS = (
    "match_id", "first_player", "first_scorer", "winner", "ended_by",
    "holes_1", "holes_2", "rolls", "settings", "sorties", "stalls",
)  # fmt: skip
SET_COLUMNS = ("match_id", "winner", "rolls", "rolls_do_overs")
SCORE_COLUMNS = ("match_id", "winner", "first_player")

PARTIES, SHARE = "share of parties", "share of settings"
SUMMED = (
    "one", "rolls", "settings", "sorties", "stalls", "starts", "loser_holes", "first_wins", "first_hole"
)  # fmt: skip
"""What is summed over matches, with all products; `starts` counts every start of the men."""

OPENING = ("six_tables", "deux_tables", "contre_deux_tables", "mezeas", "contre_mezeas")
HITS = ("hit_true", "hit_false")
RARE_JANS = ("fill_petit_jan", "fill_jan_de_retour")
TOGETHER: Mapping[str, tuple[str, ...]] = {
    "hits": HITS,
    "opening jans": OPENING,
    "petit jan or jan de retour filled": RARE_JANS,
}
"""Figures that claims speak of together, as further values of `detail`."""


@dataclass(frozen=True, kw_only=True)
class Parties:
    """Length, ends of settings, sources of points, and chances of parties of one rule set."""

    seconds_per_roll: float
    """What a roll with its marking and moving takes: a parameter, by which rolls become minutes."""
    sets_of: tuple[str, ...] = ()
    """Rule sets whose partie is compared with a set of the written game by the same rules."""
    scores_of: tuple[str, ...] = ()
    """Rule sets that are also played from every score at the start of a setting."""
    scores_times: int = 4
    """Matches from scores, as a multiple of the experiment's."""

    by_settlement: ClassVar[bool] = False
    by_players: ClassVar[tuple[str, ...]] = ("rolls", "settings", "first_wins", "first_hole")
    by_rules: ClassVar[tuple[str, ...]] = (
        "rolls",
        "settings",
        "stalls",
        "loser_holes",
        "first_wins",
        "first_hole",
        "capped",
    )
    chunk_matches: ClassVar[int | None] = CHUNK

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        if not 0 < self.seconds_per_roll <= 3600:
            yield f"seconds_per_roll = {self.seconds_per_roll}: above 0, an hour at most"
        if not 1 <= self.scores_times <= 1000:
            yield f"scores_times = {self.scores_times}: from 1 to 1000"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "A roll", f"{self.seconds_per_roll:g} seconds, a parameter"
        if self.sets_of:
            yield "Beside sets", ", ".join(self.sets_of)
        if self.scores_of:
            yield "From scores", ", ".join(self.scores_of)

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The partie; where asked for, a written match of two sets, and parties from every score."""
        if not isinstance(rules.match, TwelveHoles) or rules.match.parties > 1:
            raise ConfigError(f"{rules.name} is not a single partie in twelve holes")
        needed = {MAIN: Needed(rules=rules)}
        if rules.name in self.sets_of:
            written = replace(rules, name=f"{rules.name}_sets", match=Written(sets=2))
            needed[SET] = Needed(rules=written)
        if rules.name in self.scores_of:
            needed[SCORES] = Needed(
                rules=replace(rules, name=f"{rules.name}_from_scores"),
                starts=score_starts(),
                times=self.scores_times,
            )
        return needed

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        sums = partie_sums(played.sets(COLUMNS))
        yield from lengths(sums, self.seconds_per_roll, level)
        yield from chances(sums, level)
        yield from ends(sums, level)
        figures = played.figures(FIGURE_GROUP)
        yield from sources(figures, sums.starts_of_group, level, sums.n)
        if SET in played.place:
            sets = set_sums(played.sets(SET_COLUMNS, SET))
            yield from beside_sets(sums, sets, level)
            yield from rare_jans(played.figures(FIGURE_GROUP, SET), sets, level)
        if SCORES in played.place:
            yield from by_score(score_sums(played.sets(SCORE_COLUMNS, SCORES)), sums, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of parties won by player 1, as for any run."""
        return None


# ---------------------------------------------------------------- sums


@dataclass(frozen=True, eq=False)
class PartieSums:
    """Sums over parties that came to their end; two of them add up. Built by `partie_sums`."""

    capped: int
    """Parties left out of everything else because they were cut."""
    products: NDArray[np.int64]
    """Sums over matches of products of the numbers `SUMMED`."""
    rolls: NDArray[np.int64]
    """How many parties had each number of rolls."""
    settings: NDArray[np.int64]
    """How many parties had each number of settings."""
    groups: NDArray[np.int64]
    """(GROUPS, 2) matches and rolls."""
    starts_of_group: NDArray[np.int64]
    """Starts of the men by match_id // FIGURE_GROUP, cut parties among them."""

    @property
    def n(self) -> int:
        """Parties counted."""
        return int(self.products[0, 0])

    def __add__(self, other: PartieSums) -> PartieSums:
        return PartieSums(
            self.capped + other.capped,
            self.products + other.products,
            clusters.added(self.rolls, other.rolls),
            clusters.added(self.settings, other.settings),
            self.groups + other.groups,
            clusters.added(self.starts_of_group, other.starts_of_group),
        )

    def ratio(self, over: str, of: str, level: float) -> Interval:
        """Sum of one number over the sum of another, clustered by match."""
        y, x, p = SUMMED.index(over), SUMMED.index(of), self.products
        return intervals.ratio(
            self.n, int(p[0, x]), int(p[0, y]), int(p[x, x]), int(p[x, y]), int(p[y, y]), level
        )

    def mean(self, name: str, level: float) -> Interval:
        """Mean of one number per match."""
        k = SUMMED.index(name)
        return intervals.mean(self.n, int(self.products[0, k]), int(self.products[k, k]), level)

    def share(self, name: str, level: float) -> Interval:
        """Share of matches of which something is true."""
        return intervals.proportion(int(self.products[0, SUMMED.index(name)]), self.n, level)


def partie_sums(blocks: Iterable[Rows]) -> PartieSums:
    """Read rows of parties block by block; columns `COLUMNS`."""
    size = len(SUMMED)
    none = np.zeros(1, dtype=np.int64)
    total = PartieSums(0, np.zeros((size, size), dtype=np.int64), none, none, _groups(2), none)
    for block in blocks:
        total = total + _block_sums(block)
    return total


def _block_sums(rows: Rows) -> PartieSums:
    starts = rows["settings"].astype(np.int64) + rows["sorties"] + rows["stalls"]
    ended = rows["ended_by"] != ENDED_BY.index("capped")
    kept = {name: column[ended] for name, column in rows.items()}
    first = kept["first_player"]
    columns = kept | {
        "one": np.ones(first.size, dtype=np.int64),
        "starts": starts[ended],
        "loser_holes": np.minimum(kept["holes_1"], kept["holes_2"]),
        "first_wins": kept["winner"] == first,
        "first_hole": kept["first_scorer"] == first,
    }
    table = np.stack([columns[name] for name in SUMMED]).astype(np.int64)
    group = kept["match_id"] % GROUPS
    return PartieSums(
        capped=int((~ended).sum()),
        products=table @ table.T,
        rolls=np.bincount(kept["rolls"], minlength=1),
        settings=np.bincount(kept["settings"], minlength=1),
        groups=_grouped(group, table[0], table[1]),
        starts_of_group=_counted(rows["match_id"] // FIGURE_GROUP, starts),
    )


@dataclass(frozen=True, eq=False)
class SetSums:
    """Sums over the sets of written matches that were played out; two of them add up."""

    rolls: NDArray[np.int64]
    """How many sets had each number of rolls, do-overs included."""
    groups: NDArray[np.int64]
    """(GROUPS, 2) sets and rolls."""
    sets_of_group: NDArray[np.int64]
    """Sets by match_id // FIGURE_GROUP."""

    def __add__(self, other: SetSums) -> SetSums:
        return SetSums(
            clusters.added(self.rolls, other.rolls),
            self.groups + other.groups,
            clusters.added(self.sets_of_group, other.sets_of_group),
        )


def set_sums(blocks: Iterable[Rows]) -> SetSums:
    """Read rows of written matches block by block; columns `SET_COLUMNS`."""
    none = np.zeros(1, dtype=np.int64)
    total = SetSums(none, _groups(2), none)
    for rows in blocks:
        kept = rows["winner"] != 0
        rolls = (rows["rolls"].astype(np.int64) + rows["rolls_do_overs"])[kept]
        match = rows["match_id"][kept]
        total = total + SetSums(
            np.bincount(rolls, minlength=1),
            _grouped(match % GROUPS, np.ones_like(rolls), rolls),
            np.bincount(match // FIGURE_GROUP, minlength=1),
        )
    return total


def score_starts() -> tuple[State, ...]:
    """The start of a setting at every score: the holes of player 1, who throws first, then of player 2.

    The run of the thrower is whole, as if he had just gone, and that of the other broken if the thrower has a
    hole; runs play no part in who wins.
    """
    return tuple(
        State(
            position=AT_THE_TALONS,
            holes=(mine, his),
            run=(INTACT if mine else NO_RUN, (BROKEN if mine else INTACT) if his else NO_RUN),
        )
        for mine in range(HOLES)
        for his in range(HOLES)
    )


def score_sums(blocks: Iterable[Rows]) -> NDArray[np.int64]:
    """(GROUPS, 144, 2) parties played from each score and won by the first thrower; columns `SCORE_COLUMNS`."""
    scores = HOLES * HOLES
    total = np.zeros((GROUPS, scores, 2), dtype=np.int64)
    for rows in blocks:
        kept = rows["winner"] != 0
        match = rows["match_id"][kept]
        place = (match // scores) % GROUPS * scores + match % scores
        won = (rows["winner"] == rows["first_player"])[kept].astype(np.int64)
        both = (np.ones_like(won), won)
        total += np.stack([_counted(place, one, GROUPS * scores) for one in both], axis=-1).reshape(
            total.shape
        )
    return total


def _groups(numbers: int) -> NDArray[np.int64]:
    return np.zeros((GROUPS, numbers), dtype=np.int64)


def _counted(place: NDArray[Any], numbers: NDArray[Any], size: int = 1) -> NDArray[np.int64]:
    """Sums of whole numbers by place."""
    return np.rint(np.bincount(place, weights=numbers, minlength=size)).astype(np.int64)


def _grouped(group: NDArray[Any], *columns: NDArray[Any]) -> NDArray[np.int64]:
    return np.stack([_counted(group, column, GROUPS) for column in columns], axis=-1)


# ---------------------------------------------------------------- measures


def lengths(sums: PartieSums, seconds: float, level: float) -> Iterator[Estimate]:
    """Rolls, settings and minutes: mean and quantiles; what a roll would take by the sources' half hour or more.

    `seconds_to_fit`: how many seconds a roll takes if the 5 % quantile is to last 30 minutes, and the 95 % one
    90, as the sources say of a partie.
    """
    at = f"minutes at {seconds:g} s a roll"
    mean = sums.mean("rolls", level)
    yield Estimate(measure="rolls", unit="rolls per partie", interval=mean)
    yield Estimate(measure="minutes", unit=at, interval=intervals.scaled(mean, seconds / 60))
    yield Estimate(measure="settings", unit="settings per partie", interval=sums.mean("settings", level))
    per_setting = sums.ratio("rolls", "settings", level)
    yield Estimate(measure="rolls_per_setting", unit="rolls per setting", interval=per_setting)
    yield Estimate(measure="loser_holes", unit="holes", interval=sums.mean("loser_holes", level))
    for share in QUANTILES:
        rolls, settings = (intervals.quantile(seen, share, level) for seen in (sums.rolls, sums.settings))
        detail = f"{share:g}"
        minutes = intervals.scaled(rolls, seconds / 60)
        yield Estimate(measure="rolls_quantile", detail=detail, unit="rolls", interval=rolls)
        yield Estimate(measure="minutes_quantile", detail=detail, unit=at, interval=minutes)
        yield Estimate(measure="settings_quantile", detail=detail, unit="settings", interval=settings)
        if share in (QUANTILES[0], QUANTILES[-1]) and rolls.mean > 0:
            stated = 1800.0 if share == QUANTILES[0] else 5400.0
            fitted = clusters.inverse(stated, rolls)
            yield Estimate(measure="seconds_to_fit", detail=detail, unit="s a roll", interval=fitted)


def chances(sums: PartieSums, level: float) -> Iterator[Estimate]:
    """What the first throw is worth: parties won, first holes made; and parties that had to be cut."""
    for measure in ("first_wins", "first_hole"):
        yield Estimate(measure=measure, unit=PARTIES, interval=sums.share(measure, level))
    cut = intervals.proportion(sums.capped, sums.n + sums.capped, level)
    yield Estimate(measure="capped", unit=PARTIES, interval=cut)


def ends(sums: PartieSums, level: float) -> Iterator[Estimate]:
    """How settings end: by going, by the last hole (end), by bearing off (reprise), for want of points (stall).

    A setting is what lies between two starts of the men.
    """
    goings = _goings(sums, level)
    yield Estimate(measure="settings_ended", detail="going", unit=SHARE, interval=goings)
    for detail, name in (("end", "one"), ("reprise", "sorties"), ("stall", "stalls")):
        share = sums.ratio(name, "starts", level)
        yield Estimate(measure="settings_ended", detail=detail, unit=SHARE, interval=share)
    yield Estimate(measure="stalls", unit="restarts per partie", interval=sums.mean("stalls", level))


def _goings(sums: PartieSums, level: float) -> Interval:
    """Goings (settings but the last) over all starts of the men."""
    one, settings, starts = (SUMMED.index(name) for name in ("one", "settings", "starts"))
    p = sums.products
    return intervals.ratio(
        sums.n,
        int(p[0, starts]),
        int(p[0, settings] - p[0, one]),
        int(p[starts, starts]),
        int(p[starts, settings] - p[starts, one]),
        int(p[settings, settings] - 2 * p[settings, one] + p[one, one]),
        level,
    )


def sources(
    figures: NDArray[np.int64], starts: NDArray[np.int64], level: float, n: int
) -> Iterator[Estimate]:
    """What points come from: `points_share` of all points, and `ways_per_setting`, by figure (`detail`).

    Figures are summed over rounds of matches, cut parties among them; the rounds are the groups of the
    interval.
    """
    groups = len(figures)
    starts = np.pad(starts, (0, max(0, groups - starts.size)))[:groups]
    by_figure = figures.sum(axis=1)  # both sides: (groups, figures, 2)
    points = by_figure[:, :, 1].sum(axis=1)
    for detail, places in _details():
        ways, worth = (by_figure[:, places, k].sum(axis=1) for k in (0, 1))
        share = clusters.ratio(worth, points, n, level, ROUNDS)
        yield Estimate(measure="points_share", detail=detail, unit="share of points", interval=share)
        rate = clusters.ratio(ways, starts, n, level, ROUNDS)
        yield Estimate(measure="ways_per_setting", detail=detail, unit="ways per setting", interval=rate)


def rare_jans(figures: NDArray[np.int64], sets: SetSums, level: float) -> Iterator[Estimate]:
    """Ways in which a petit jan or jan de retour was filled, per set of the written game."""
    here = np.pad(sets.sets_of_group, (0, max(0, len(figures) - sets.sets_of_group.size)))
    n = int(sets.groups[:, 0].sum())
    for detail, places in _details():
        if detail in (*RARE_JANS, "petit jan or jan de retour filled"):
            ways = figures.sum(axis=1)[:, places, 0].sum(axis=1)
            rate = clusters.ratio(ways, here[: len(figures)], n, level, ROUNDS)
            yield Estimate(measure="ways_per_set", detail=detail, unit="ways per set", interval=rate)


def _details() -> Iterator[tuple[str, list[int]]]:
    """Every figure, and those taken together, with their places."""
    names = list(FIGURES)
    for figure in names:
        yield figure, [names.index(figure)]
    for detail, several in TOGETHER.items():
        yield detail, [names.index(figure) for figure in several]


def beside_sets(sums: PartieSums, sets: SetSums, level: float) -> Iterator[Estimate]:
    """A set of the written game beside a partie: its rolls, and its mean length as a multiple of a partie's."""
    n = int(sets.groups[:, 0].sum())
    both = np.concatenate([sets.groups, sums.groups], axis=1)
    kept = both[(both[:, 0] > 0) & (both[:, 2] > 0)]
    if len(kept):
        ratio = intervals.jackknife(
            kept, lambda s: s[..., 1] / s[..., 0] / (s[..., 3] / s[..., 2]), sums.n, level
        )
        yield Estimate(measure="set_to_partie", unit="times a partie", interval=ratio)
        rolls = intervals.jackknife(kept, lambda s: s[..., 1] / s[..., 0], n, level)
        yield Estimate(measure="set_rolls", unit="rolls per set", interval=rolls)
    for share in QUANTILES:
        found = intervals.quantile(sets.rolls, share, level)
        yield Estimate(measure="set_rolls_quantile", detail=f"{share:g}", unit="rolls", interval=found)


def by_score(scores: NDArray[np.int64], sums: PartieSums, level: float) -> Iterator[Estimate]:
    """Chances at the start of a setting, by score, and what holes the first throw is worth.

    `win_by_score`, detail `4-7`: the first thrower, who has 4 holes, wins against 7. `loses_from_11_0`: the
    player with eleven holes to nothing loses, whoever throws. `break_even_holes`: how many holes the other
    must have for the first thrower to win every second partie, by a straight line through the chances at
    differences up to four, the other scores being 0; `break_even_holes_every_setting`: the same times the
    starts of the men in a partie. If the worth of throwing first at each of them adds up, the right to do so is
    worth no more than this: who throws first now throws first more often later, so that the worth now has a part
    of the later worth in it already.
    """
    total = scores.sum(axis=0)
    for mine in range(HOLES):
        for his in range(HOLES):
            played, won = total[mine * HOLES + his]
            chance = intervals.proportion(int(won), int(played), level)
            detail = f"{mine}-{his}"
            yield Estimate(measure="win_by_score", detail=detail, unit=PARTIES, interval=chance)
    ahead, behind = (HOLES - 1) * HOLES, HOLES - 1
    lost = int(total[ahead, 0] - total[ahead, 1] + total[behind, 1])
    loses = intervals.proportion(lost, int(total[ahead, 0] + total[behind, 0]), level)
    yield Estimate(measure="loses_from_11_0", unit=PARTIES, interval=loses)
    kept = scores[scores[:, :, 0].min(axis=1) > 0]
    if not len(kept):
        return
    n = int(kept[..., 0].sum())
    even = intervals.jackknife(kept, break_even, n, level)
    yield Estimate(measure="break_even_holes", unit="holes", interval=even)
    every = intervals.product(even, sums.mean("starts", level))
    yield Estimate(measure="break_even_holes_every_setting", unit="holes", interval=every)


def break_even(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Holes of the other at which the first thrower's chance is one half; shape (..., 144, 2) to (...)."""
    steps = range(-FITTED, FITTED + 1)
    places = [HOLES * max(-k, 0) + max(k, 0) for k in steps]
    chance, given = scores[..., places, 1] / scores[..., places, 0], np.array(steps)
    slope = (chance * given).sum(axis=-1) / float((given * given).sum())
    even: NDArray[np.float64] = (0.5 - chance.mean(axis=-1)) / slope
    return even
