"""Rule sets, or stored runs, compared match by match with the first of them.

Matches of one seed meet the same dice, place by place, so they are compared pair by pair. Rule sets that differ in
settlement alone are played once and settled each in its way.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from simkit import charts
from simkit.analysis import comparison, intervals, measures, multiplicity, shapes
from simkit.analysis import estimates as rows
from simkit.analysis.comparison import Contrast, Pairing, Sums
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.luck import Adjusted
from simkit.analysis.measure import Measure
from simkit.analysis.precision import SAME, SAME_FROM, Stop, needed, next_look, schedule, tuned
from simkit.analysis.question import paired
from simkit.analysis.shapes import Shape
from simkit.arguments import check_mapping, check_number, said
from simkit.batch import play_run
from simkit.dataset import PlaySpec, Run, StoredPlay, doubted, without_rows
from simkit.errors import UsageError
from simkit.progress import Reporter
from simkit.rules import (
    Combine,
    Difference,
    PointMatch,
    PoolDrain,
    PoolFill,
    RuleSet,
    TableMode,
    Written,
    diff,
    table_of,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MOST_SIDES: Final = 50


@dataclass(frozen=True, eq=False)
class Side:
    """One play of a run, settled by `rules`, which may be settled otherwise than the run says."""

    rules: RuleSet
    run: Run
    place: int = 0
    held: int = 0
    """Matches that a stored run holds, of which the first are taken; 0 where all are, or it is played now."""

    @property
    def play(self) -> StoredPlay:
        """What was played."""
        return self.run.plays[self.place]

    @property
    def matches(self) -> int:
        """Matches held."""
        return self.run.counts[self.place]

    @property
    def players(self) -> str:
        """Who played, in words."""
        names = [player.name for player in self.play.players]
        if len(names) == 2:
            return " against ".join(names)
        return f"{len(names)} times {names[0]}" if len(set(names)) == 1 else f"{', '.join(names)} by place"

    def first(self, count: int) -> Side:
        """The same with the first so many matches."""
        run = self.run.first([count] * len(self.run.plays))
        held = 0 if run is self.run else self.held or self.matches
        return dataclasses.replace(self, run=run, held=held)


@dataclass(frozen=True, kw_only=True, eq=False)
class Compared:
    """A variant beside the baseline.

    Attributes
    ----------
    name
        Its rule set, with players and seed where sides differ in them.
    pairing
        Whether its matches are the baseline's settled anew, meet the same dice, or other dice.
    changes
        The rules in which it differs, baseline first.
    matches
        Matches counted of the baseline and of the variant; pairs, where they are paired.
    left_out
        Matches or pairs that were cut at the cap on rolls, or at the most matches of a pool.
    unpaired
        Matches of either side without a partner on the same dice, which do not count.
    winner_differs
        The share of pairs that another player won; None where there are none.
    contrasts
        One per measure.
    chances
        Holm's adjusted probabilities over all measures and variants, in the order of `contrasts`.
    sums
        What it was all made of.
    level
        Of every interval.
    seat
        Where players exchange their seats: what player 1 has more of the first measure than player 2, both having
        sat there; 0 but for chance.
    back
        Where players exchange their seats: the play in which they sit the other way.
    luck
        The differences of players with the luck of the dice taken off, where that was asked for.
    """

    name: str
    side: Side
    pairing: Pairing
    changes: tuple[Difference, ...]
    matches: tuple[int, int]
    left_out: int
    unpaired: int
    winner_differs: Interval | None
    contrasts: tuple[Contrast, ...]
    chances: tuple[float, ...]
    sums: Sums
    level: float
    seat: Interval | None = None
    back: Side | None = None
    luck: tuple[Adjusted, ...] = ()

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """How the distributions of each measure differ beyond their means; of players nothing more is told."""
        if self.pairing == "seats exchanged":
            return ()
        return tuple(
            shape for one in self.contrasts for shape in shapes.shapes(self.sums, one.measure, self.level)
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """What `simkit.compare` found.

    Attributes
    ----------
    name, baseline
        What the others are compared with.
    variants
        The others.
    level
        Of every interval; of the differences, all together.
    family
        Differences that are judged together; as many less luck are judged together too, for themselves.
    stop
        How play came to its end, where something was to be known.
    """

    name: str
    baseline: Side
    variants: tuple[Compared, ...]
    level: float
    family: int
    stop: Stop | None = None

    @property
    def adjustment(self) -> str:
        """How the number of differences is allowed for."""
        return f"Bonferroni over {self.family} differences" if self.family > 1 else "none"

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.variants)
        return f"Comparison({names} beside {self.name}: {len(self.frame)} differences, in .frame)"

    @property
    def of_players(self) -> bool:
        """Whether players are compared, who exchange their seats, and not rule sets."""
        return self.variants[0].pairing == "seats exchanged"

    @property
    def frame(self) -> pd.DataFrame:
        """One row per variant and measure; differences are the variant's less the baseline's."""
        import pandas as pd

        return pd.DataFrame([row for one in self.variants for row in self._rows(one)])

    @property
    def estimates(self) -> pd.DataFrame:
        """One row per number: columns of the table `estimates`, and `adjustment`, `looks`."""
        import pandas as pd

        frames = []
        for one in self.variants:
            labels = one.side.play.labels
            found = rows.frame(
                list(_numbers(one, self.name)), one.side.rules.name, labels["player_1"], labels["player_2"]
            )
            together = found["measure"].str.endswith("_difference") & ~found["measure"].str.endswith(
                "_shape_difference"
            )
            found["adjustment"] = together.map({True: self.adjustment, False: "none"})
            found["looks"] = len(self.stop.looks) if self.stop else 1
            frames.append(found)
        return pd.concat(frames, ignore_index=True)

    def figure(self, *measures: str) -> Figure:
        """Draw the differences to the baseline with their intervals, a panel for each measure.

        `measures`: which; all of them if none is named. A `matplotlib.figure.Figure`; a notebook shows it.

        Raises
        ------
        UsageError
            A measure that was not compared.
        """
        frame = self.frame
        held = list(dict.fromkeys(frame["measure"]))
        if unknown := [name for name in measures if not isinstance(name, str) or name not in held]:
            raise UsageError(f"measure {said(unknown[0])}: what was compared is {', '.join(held)}")
        panels = []
        for name in measures or held:
            rows = frame[frame["measure"] == name]
            mean, low, high = (list(rows[f"difference{end}"]) for end in ("", "_low", "_high"))
            axis = f"{name}: difference to {self.name}, {rows['unit'].iloc[0]}"
            panels.append(charts.Panel(axis, list(rows["variant"]), mean, low, high, nought=True))
        return charts.intervals(panels)

    def _repr_html_(self) -> str:
        frame = self.frame
        every = [one for variant in self.variants for one in variant.contrasts]
        told = ["no difference" if one.known_alike else one.verdict for one in every]
        shown = frame.assign(verdict=told)[
            ["variant", "measure", "difference", "difference_low", "difference_high", "verdict"]
        ]
        return str(shown.to_html(index=False, float_format=lambda number: f"{number:.4g}"))

    def _rows(self, one: Compared) -> Iterator[dict[str, Any]]:
        for found, chance in zip(one.contrasts, one.chances, strict=True):
            yield {
                "variant": one.name,
                "baseline": self.name,
                "measure": found.measure.name,
                "unit": found.measure.unit,
                "pairing": one.pairing,
                "n": found.difference.n,
                "baseline_mean": found.means[0].mean,
                "variant_mean": found.means[1].mean,
                **_columns("difference", found.difference),
                "se": found.difference.se,
                **_columns("relative", found.relative),
                **_columns("effect", found.effect),
                **_columns("superiority", found.superiority),
                **_columns("variance_factor", found.variance_factor),
                "p": found.chance,
                "p_adjusted": chance,
                "margin": found.margin,
                "verdict": found.verdict,
                "alike": found.alike,
                "method": found.difference.method,
                "level": self.level,
                "adjustment": self.adjustment,
                "looks": len(self.stop.looks) if self.stop else 1,
                "sequence_low": found.sequence.low,
                "sequence_high": found.sequence.high,
            }


def _columns(name: str, one: Interval | None) -> dict[str, float]:
    nan = float("nan")
    mean, low, high = (nan, nan, nan) if one is None else (one.mean, one.low, one.high)
    return {name: mean, f"{name}_low": low, f"{name}_high": high}


def _numbers(one: Compared, baseline: str) -> Iterator[Estimate]:
    """Every number of a variant as a row of estimates."""
    for found in one.contrasts:
        named = {
            "": (found.measure.unit, found.means[1]),
            "_baseline": (found.measure.unit, found.means[0]),
            "_difference": (found.measure.unit, found.difference),
            "_sequence_difference": (found.measure.unit, found.sequence),
            "_relative": ("share of the baseline's mean", found.relative),
            "_effect": ("standard deviations of a match", found.effect),
            "_superiority": ("share of pairs of matches", found.superiority),
            "_variance_factor": ("times", found.variance_factor),
        }
        for ending, (unit, interval) in named.items():
            if interval is not None:
                yield Estimate(
                    measure=f"{found.measure.name}{ending}",
                    contrast="" if ending in ("", "_baseline") else f"than {baseline}",
                    unit=unit,
                    interval=interval,
                )
    if one.seat is not None:
        first = one.contrasts[0].measure
        yield Estimate(measure=f"{first.name}_seat", unit=first.unit, interval=one.seat)
    for taken in one.luck:
        for ending, unit, interval in taken.numbers:
            yield Estimate(
                measure=f"{taken.measure.name}{ending}",
                contrast=f"than {baseline}",
                unit=unit,
                interval=interval,
            )
    if one.winner_differs is not None:
        yield Estimate(
            measure="winner_differs",
            contrast=f"than {baseline}",
            unit="share of matches",
            interval=one.winner_differs,
        )
    for shape in one.shapes:
        for ending, interval in (
            ("", shape.variant),
            ("_baseline", shape.baseline),
            ("_shape_difference", shape.difference),
        ):
            if interval is not None:
                yield Estimate(
                    measure=f"{shape.measure.name}{ending}",
                    contrast=f"than {baseline}" if ending == "_shape_difference" else "",
                    detail=shape.detail,
                    unit=shape.unit,
                    interval=interval,
                )


# ---------------------------------------------------------------- comparing


def compare_sides(
    sides: Sequence[Side],
    *,
    chosen: Sequence[str] = (),
    margins: Mapping[str, float] | None = None,
    level: float = intervals.LEVEL,
    tuned_at: int | None = None,
    by_sequence: bool = False,
) -> Comparison:
    """Compare every side with the first.

    Parameters
    ----------
    sides
        Two or more.
    chosen
        Measures by name; all that the matches have if none is named.
    margins
        By measure, in its unit: differences up to it do not matter.
    level
        Nominal coverage of every interval, and of all differences together.
    tuned_at, by_sequence
        As for `simkit.analysis.comparison.contrast`.

    Raises
    ------
    UsageError
        Fewer than two sides, sides of different games, a measure they do not have, a margin below 0, or no match
        held by both of a pair.
    """
    names = _check(sides)
    declared = checked(measures.of_match(sides[0].rules), chosen, margins, level)
    asked = tuple(declared)
    with doubted(*(side.run for side in sides)):
        summed = _summed(sides, asked)
    family = sum(one.by_settlement or pairing != "same play" for _, pairing, _ in summed for one in asked)

    def contrasted(pairing: Pairing, sums: Sums) -> tuple[Contrast, ...]:
        return tuple(
            comparison.contrast(
                sums,
                measure,
                pairing,
                margin=margin,
                level=level,
                family=family,
                tuned_at=tuned_at,
                by_sequence=by_sequence,
            )
            for measure, margin in declared.items()
        )

    variants = []
    for name, (side, pairing, sums) in zip(names[1:], summed, strict=True):
        _check_enough(name, sides[0], side, sums)
        with doubted(sides[0].run, side.run):
            contrasts = contrasted(pairing, sums)
            variants.append(_compared(name, side, sides[0], pairing, sums, contrasts, level))
    return Comparison(
        name=names[0],
        baseline=sides[0],
        variants=adjusted(variants),
        level=level,
        family=family,
    )


def pairing_of(one: Side, two: Side) -> Pairing:
    """How the matches of two sides belong together."""
    if one.play.identity == two.play.identity:
        return "same play"
    return "same dice" if one.play.seed == two.play.seed else "independent"


def _summed(sides: Sequence[Side], asked: Sequence[Measure]) -> list[tuple[Side, Pairing, Sums]]:
    """The sums of every variant with the baseline; variants of one play are read together."""
    base = sides[0]
    found: list[tuple[Side, Pairing, Sums]] = []
    for side in sides[1:]:
        pairing = pairing_of(base, side)
        count = min(base.matches, side.matches)
        if pairing == "same play":
            both = measures.measured(base.first(count).run, base.place, (base.rules, side.rules))
            sums = comparison.sum_pairs(((block, block) for block in both), asked, (0, 1))
        elif pairing == "same dice":
            blocks = paired(_read(base), _read(side))
            sums = comparison.sum_pairs(blocks, asked)
        else:
            sums = Sums(asked, paired=False)
            for number, one in enumerate((base, side)):
                for block in _read(one):
                    sums.add(number, block)
        found.append((side, pairing, sums))
    return found


def _read(side: Side) -> Iterator[Any]:
    return measures.measured(side.run, side.place, (side.rules,))


def _check_enough(name: str, base: Side, side: Side, sums: Sums) -> None:
    if min(sums.n) < 2:
        raise UsageError(
            f"{name}: of {base.matches} and {side.matches} matches {sums.n[0]} and {sums.n[1]} can be compared; "
            "two of each are needed"
        )


def _compared(
    name: str,
    side: Side,
    base: Side,
    pairing: Pairing,
    sums: Sums,
    contrasts: tuple[Contrast, ...],
    level: float,
) -> Compared:
    return Compared(
        name=name,
        side=side,
        pairing=pairing,
        changes=diff(base.rules, side.rules),
        matches=sums.n,
        left_out=sums.left_out,
        unpaired=abs(base.matches - side.matches) if sums.paired else 0,
        winner_differs=comparison.winner_differs(sums, level) if sums.paired else None,
        contrasts=contrasts,
        chances=(),
        sums=sums,
        level=level,
    )


def adjusted(variants: Sequence[Compared]) -> tuple[Compared, ...]:
    """The variants with Holm's probabilities over all that could differ."""
    every = [one for variant in variants for one in variant.contrasts]
    able = [place for place, one in enumerate(every) if one.verdict != comparison.THE_SAME]
    chances = [1.0] * len(every)
    for place, chance in zip(able, multiplicity.holm([every[k].chance for k in able]), strict=True):
        chances[place] = float(chance)
    found, first = [], 0
    for variant in variants:
        last = first + len(variant.contrasts)
        found.append(dataclasses.replace(variant, chances=tuple(chances[first:last])))
        first = last
    return tuple(found)


# ---------------------------------------------------------------- what is refused


def _check(sides: Sequence[Side]) -> tuple[str, ...]:
    """The names of the sides, once they are known to be comparable."""
    check_sides(len(sides))
    for side in sides:
        if not any(side.run.counts):
            raise UsageError(without_rows(side.run))
    refuse_unlike([side.rules for side in sides])
    refuse_same(sides)
    for side in sides:
        if not side.matches:
            raise UsageError(f"{side.run.folder} holds no matches of {side.play.title} yet")
    return _names(sides)


def check_sides(count: int) -> None:
    """Refuse to compare with nothing, or too much at once."""
    if not 2 <= count <= MOST_SIDES:
        raise UsageError(
            f"{count} side{'s' * (count != 1)} to compare; give a baseline and 1 to {MOST_SIDES - 1} others: rule "
            "sets, or folders of runs; or one rule set and different players"
        )


def refuse_unlike(rule_sets: Sequence[RuleSet]) -> None:
    """Refuse rule sets of different games, or of matches of different kinds; the message says what is common."""
    base = rule_sets[0]
    for other in rule_sets[1:]:
        if _kind(base) != _kind(other):
            raise UsageError(_unlike(base, other))


def refuse_same(given: Sequence[Side | PlaySpec]) -> None:
    """Refuse sides of one play and one settlement, in whatever folders: nothing can differ."""
    seen: list[tuple[dict[str, Any], str, str]] = []
    for one in given:
        play = one.play if isinstance(one, Side) else StoredPlay.of(one)
        name = str(one.run.folder) if isinstance(one, Side) else one.rules.name
        for identity, digest, before in seen:
            if identity == play.identity and digest == one.rules.digest:
                both = f"{name} twice" if name == before else f"{before} and {name}"
                raise UsageError(
                    f"{both}: the same play and the same settlement, so that nothing differs; change a rule "
                    "(--set or --vary PATH=VALUE), the players or the seed of one of them"
                )
        seen.append((play.identity, one.rules.digest, name))


def refuse_unused(sides: Sequence[Side], players: object, matches: int | None, seed: int | None) -> None:
    """Refuse of stored runs, where nothing is played, what only says how to play."""
    if not isinstance(players, list | tuple) or players:
        raise UsageError(
            f"--players: nothing is played; in a stored run sit the players it was played by, here "
            f"{sides[0].players}; name rule sets to have others play"
        )
    if seed is not None:
        raise UsageError(
            f"--seed {seed}: nothing is played; a stored run has its own, here {sides[0].play.seed}; name rule "
            "sets to have other dice"
        )
    most = max(one.matches for one in sides)
    if matches is not None and matches > most:
        raise UsageError(
            f"--matches {matches}: nothing is played, and the runs hold at most {most}; simulate more of them "
            "first, or ask for fewer, which takes the first so many"
        )


def _kind(rules: RuleSet) -> tuple[object, ...]:
    """What must be alike where rule sets are compared: the game, the kind of match, and who sits at the table."""
    match = rules.match
    table = table_of(match) if isinstance(match, Written | Combine) else None
    return type(rules.game), type(match), match.players, table


KINDS: Final = {
    "Written": "written match of sets",
    "TwelveHoles": "match of parties",
    "PointMatch": "match to a number of points",
    "Combine": "match of trictrac combiné",
    "PoolFill": "pool that fills",
    "PoolDrain": "pool that is drained",
}
TABLES: Final = {
    TableMode.CHOUETTE: ", one against two",
    TableMode.TWO_V_TWO: ", two against two",
    TableMode.TOURNER: ", each for himself (à tourner)",
    TableMode.FIVE: ", two against three",
}


def _kind_words(rules: RuleSet) -> str:
    match = rules.match
    words = KINDS[type(match).__name__]
    if match.players == 2:
        return words
    table = TABLES.get(table_of(match), "") if isinstance(match, Written | Combine) else ""
    return f"{words} of {match.players} players{table}"


def _unlike(one: RuleSet, two: RuleSet) -> str:
    """What two rule sets that cannot be compared have in common, and what not."""
    both = [measure.name for measure in measures.of_match(one) if measure in measures.of_match(two)]
    if isinstance(one.match, PointMatch) != isinstance(two.match, PointMatch):
        common = "they share men, dice and board and no rule"
    else:
        differ = [change for change in diff(one, two) if change.path.startswith("game")]
        game = (
            "toutes tables or backgammon" if isinstance(one.match, PointMatch) else "trictrac up to the hole"
        )
        common = f"both are {game}, "
        common += f"with {len(differ)} rules of it different" if differ else "by the same rules"
    players = one.match.players, two.match.players
    if players[0] != players[1]:
        common += (
            f"; but {players[0]} and {players[1]} players are at the table (match.players), and what each of them "
            "wins has nothing beside it"
        )
    return (
        f"{one.name} is a {_kind_words(one)} and {two.name} a {_kind_words(two)}: {common}; {', '.join(both)} are "
        "counted in both, but of matches that are not alike, so that no difference is due to a rule. Compare each "
        "with rule sets of its own kind"
    )


def baseline_words(found: Comparison) -> str:
    """Name the baseline with players, or rules where players are compared, and seed, each said once."""
    base = found.baseline
    more = (f"by {base.rules.name}" if found.of_players else base.players, f"seed {base.play.seed}")
    return ", ".join([found.name, *(words for words in more if words not in found.name)])


def matches_words(side: Side) -> str:
    """Say how many matches of a side are taken, and of how many they are the first."""
    of = f"the first {side.matches:,} of {side.held:,}" if side.held > side.matches else f"{side.matches:,}"
    return f"{of} {counted(side.rules)[1]}"


def counted(rules: RuleSet) -> tuple[str, str]:
    """What is counted of a rule set, one and several: a match, or a pool."""
    return ("pool", "pools") if isinstance(rules.match, PoolFill | PoolDrain) else ("match", "matches")


def cap_words(rules: RuleSet) -> str:
    """Where matches of a rule set are cut, if they are."""
    rolls = "the cap on rolls"
    if not isinstance(rules.match, PoolFill | PoolDrain):
        return rolls
    return f"the most matches of a pool, or at {rolls},"


def another_winner(rules: RuleSet) -> tuple[str, str]:
    """What is said of pairs that are not won alike: before the share of them, and after."""
    match = rules.match
    if isinstance(match, PoolDrain):
        return "Another winner of the last match", ""
    if isinstance(match, PointMatch | PoolFill):
        return "Another winner", ""
    if isinstance(match, Written) and match.table_mode is TableMode.TOURNER:
        return "Another winner", ", nobody being ahead alone as a fourth outcome"
    return "Another winner", ", a draw being a third outcome"


def checked(
    there_are: Sequence[Measure], chosen: Sequence[str], margins: Mapping[str, float] | None, level: float
) -> dict[Measure, float]:
    """The measures chosen, all if none is, each with its margin, 0 where none is declared.

    Raises
    ------
    UsageError
        An unknown measure, a margin that is none, or a level that is none.
    """
    check_number("level", level, 0, 1, "a level of confidence, which lies between 0 and 1")
    given = {} if margins is None else check_mapping("margin", margins, "a mapping of measures to sizes")
    return _declared(given, asked_of(there_are, chosen))


def asked_of(there_are: Sequence[Measure], chosen: Sequence[str]) -> tuple[Measure, ...]:
    """The measures chosen by name, or all there are."""
    known = {one.name: one for one in there_are}
    for name in chosen:
        _known(name, known)
    return tuple(known[name] for name in dict.fromkeys(chosen)) or tuple(known.values())


def _known(name: str, known: Iterable[str]) -> None:
    if not isinstance(name, str) or name not in known:
        raise UsageError(f"{said(name)} is no measure of these matches; there are {', '.join(known)}")


def _declared(margins: Mapping[str, float], asked: Sequence[Measure]) -> dict[Measure, float]:
    """The margin of each measure, 0 where none is declared."""
    for name, margin in margins.items():
        _known(name, [one.name for one in asked])
        check_number(f"margin of {name}", margin, 0, inf, "above 0")
        _refuse_hundredths("margin of", name, margin, asked)
    return {one: float(margins.get(one.name, 0.0)) for one in asked}


def _refuse_hundredths(what: str, name: str, size: float, asked: Sequence[Measure]) -> None:
    """Refuse a size of a share that is more than all of it, as who counts in hundredths would write."""
    unit = next(one.unit for one in asked if one.name == name)
    if unit.startswith("share") and size > 1:
        raise UsageError(f"{what} {name}: {size:g} is more than all; {size:g} of a hundred is {size / 100:g}")


def _names(sides: Sequence[Side]) -> tuple[str, ...]:
    """Names that tell the sides apart: rules, and players, seed and folder where they must be added."""
    ways = (
        lambda side: side.rules.name,
        lambda side: f"{side.rules.name}: {side.players}",
        lambda side: f"{side.rules.name}: {side.players}, seed {side.play.seed}",
        lambda side: f"{side.rules.name}: {side.players}, seed {side.play.seed}, {side.run.folder}",
    )
    for way in ways:
        names = tuple(map(way, sides))
        if len(set(names)) == len(names):
            return names
    return tuple(f"{number} {name}" for number, name in enumerate(names, 1))


# ---------------------------------------------------------------- playing what is missing


def sides_of(
    given: Sequence[Side | PlaySpec],
    matches: int,
    *,
    root: str | Path = "results",
    jobs: int | None = None,
    progress: Reporter | None = None,
) -> tuple[Side, ...]:
    """The sides, each play played once into a run of its own below `root`; rows that are there are used.

    A play that another side has already, be it settled otherwise, is not played.
    """
    refuse_unlike([one.rules for one in given])
    refuse_same(given)
    sides: list[Side] = [one for one in given if isinstance(one, Side)]
    found = []
    for one in given:
        if isinstance(one, Side):
            found.append(one.first(matches))
            continue
        identity = StoredPlay.of(one).identity
        known = next((side for side in sides if side.play.identity == identity), None)
        if known is None or known.matches < matches:
            run = play_run(one, matches, root=root, name=one.rules.name, jobs=jobs, progress=progress)
            known = Side(one.rules, run)
            sides.append(known)
        found.append(dataclasses.replace(known.first(matches), rules=one.rules, held=0))
    return tuple(found)


# ---------------------------------------------------------------- until something is known


Goals: TypeAlias = Mapping[str, float] | Literal["decided"]
"""Half-widths of differences by measure; or that every verdict with a margin is decided."""


def compare_until(
    given: Sequence[Side | PlaySpec],
    goals: Goals,
    most: int,
    *,
    chosen: Sequence[str] = (),
    margins: Mapping[str, float] | None = None,
    level: float = intervals.LEVEL,
    root: str | Path = "results",
    jobs: int | None = None,
    progress: Reporter | None = None,
) -> Comparison:
    """Play up to one look after the other until the goals are reached, or `most` matches of each side.

    Whoever stops when a verdict is decided reads it from the confidence sequence; whoever stops when intervals are
    narrow enough reads them as they are.

    Raises
    ------
    UsageError
        As `compare_sides`; a goal of a measure that is not compared, or a decision without a margin.
    """
    check_goals(goals, asked_of(measures.of_match(given[0].rules), chosen), margins or {})
    held = [one.matches for one in given if isinstance(one, Side)]
    counts = schedule(min(most, max(held)) if len(held) == len(given) else most)

    def compared(now: int) -> Comparison:
        return compare_sides(
            sides_of(given, now, root=root, jobs=jobs, progress=progress),
            chosen=chosen,
            margins=margins,
            level=level,
            tuned_at=tuned(counts),
            by_sequence=goals == "decided",
        )

    return looked_until(goals, counts, compared)


def check_goals(goals: Goals, asked: Sequence[Measure], margins: Mapping[str, float]) -> None:
    """Refuse goals of what is not compared, and a decision without a margin."""
    if isinstance(goals, str):
        if not margins:
            raise UsageError(
                "until decided: no margin is given, and a difference of nothing would never be decided"
            )
        return
    for name, width in goals.items():
        _known(name, [one.name for one in asked])
        if not (isfinite(width) and width > 0):
            raise UsageError(f"until: {name}={width} is not a half-width above 0")
        _refuse_hundredths("until", name, width, asked)


def looked_until(goals: Goals, counts: Sequence[int], compared: Callable[[int], Comparison]) -> Comparison:
    """Compare as many matches as one look after the other has, until the goals are reached or the last look."""
    looks: list[int] = []
    now: int | None = counts[0]
    while now is not None:
        looks.append(now)
        found = compared(now)
        need = _needed(found, goals, now)
        reached = need is not None and need <= now
        now = None if reached else next_look(counts, now, now if need is None else need)
    goal = "all verdicts decided" if isinstance(goals, str) else _goal_words(found, goals)
    fewest = min(side.matches for side in (found.baseline, *(one.side for one in found.variants)))
    if fewest < looks[-1]:
        goal = f"{goal}, the shortest side having {fewest:,} matches"
    stop = Stop(goal=goal, looks=tuple(looks), reached=reached, needed=None if reached else need)
    return dataclasses.replace(found, stop=stop)


def _goal_words(found: Comparison, goals: Mapping[str, float]) -> str:
    every = [one for variant in found.variants for one in variant.contrasts]
    varied = {one.measure.name for one in every if not _constant(one)}
    return ", ".join(
        f"the difference of {name} to within {width:g}{'' if name in varied else f' ({SAME})'}"
        for name, width in goals.items()
    )


def _needed(found: Comparison, goals: Goals, now: int) -> int | None:
    """Matches that the goals would take, by what has been seen of `now`; None if that cannot be told."""
    needs: list[int | None] = [0]
    for one in (one for variant in found.variants for one in variant.contrasts):
        if one.verdict == comparison.THE_SAME:
            continue
        if isinstance(goals, str):
            need = _to_decide(one)
        elif one.measure.name in goals:
            need = _to_narrow(one, goals[one.measure.name])
        else:
            continue
        # matches that were cut do not count, nor what one side has beyond the other
        needs.append(need and -(-need * now // max(one.difference.n, 1)))
    return None if None in needs else max(need for need in needs if need is not None)


def _constant(one: Contrast) -> bool:
    """Whether either side has one number in every match, be it another than the other side's."""
    return one.deviation == 0


def _to_narrow(one: Contrast, width: float) -> int | None:
    """Matches to know a difference to within a half-width; of pairs that are all alike nobody can tell."""
    if isfinite(one.difference.low):
        return needed(one.difference, width, bound=one.bound)
    return SAME_FROM if _constant(one) else None


def _to_decide(one: Contrast) -> int | None:
    """Matches to decide a verdict, 0 where no margin asks for one; of pairs that are all alike nobody can tell."""
    if not one.margin or one.verdict != comparison.UNDECIDED:
        return 0
    if _constant(one) and not one.difference.mean and not isfinite(one.difference.low):
        return SAME_FROM
    away = abs(abs(one.difference.mean) - one.margin)
    told = away > 0 and isfinite(one.difference.low)
    return max(needed(one.difference, away, bound=one.bound), one.difference.n + 1) if told else None
