"""A comparison as one self-contained page: verdicts, differences with intervals, a forest plot, the rules."""

from __future__ import annotations

import hashlib
import math
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from simkit.analysis.comparison import EQUIVALENT, THE_SAME, UNDECIDED, Contrast
from simkit.analysis.intervals import Interval
from simkit.analysis.luck import FEWEST, Adjusted
from simkit.analysis.words import THIN, chosen, count, in_words, number, percentage, span
from simkit.errors import UsageError
from simkit.files import problem_of_file, write_whole
from simkit.report.cite import citation
from simkit.report.figures import BLUE, GREEN, INK, VERMILION, Figure, canvas, legend_above, name_rows, render
from simkit.report.html import filled
from simkit.report.numbers import Cell, Table, capital
from simkit.report.rules import side_by_side
from simkit.rules import RuleSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from simkit.comparisons import Compared, Comparison, Side

FEW: Final = 3
"""Up to so many variants have a figure each, of all measures; of more each measure has one, of all variants."""

LIMITS: Final = (
    "The numbers hold for these players; others may do otherwise under the same rules.",
    "Intervals express chance alone: the sampling of matches at this seed, not a wrong reading of a rule.",
    "A difference that is undecided may be there, and be smaller than these matches can show.",
)


def write_comparison(path: Path, found: Comparison, command: str, *, shape: bool = False) -> Path:
    """Write the page of a comparison, whole or not at all.

    Parameters
    ----------
    path : pathlib.Path
        The page, `.html`, in a folder that is there and is no run's.
    found : Comparison
        What was compared.
    command : str
        The command line that makes it again.
    shape : bool
        Tell how distributions differ beyond their means, too.

    Raises
    ------
    UsageError
        The page cannot be written there.
    """
    try:
        if problem := problem_of_file(path, (".html", ".htm")):
            raise UsageError(f"{path} cannot be written: {problem}")
        write_whole(path, render_comparison(found, command, shape=shape))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None
    return path


def render_comparison(found: Comparison, command: str, *, shape: bool = False) -> str:
    """The page as text; the same comparison gives the same text."""
    return filled("comparison.html.j2", **parts(found, command, shape))


def parts(found: Comparison, command: str, shape: bool) -> dict[str, Any]:
    """Everything the template prints, by the name it has there."""
    from simkit import __version__
    from simkit.comparisons import counted

    key = hashlib.sha256("".join(_identities(found)).encode()).hexdigest()[:12]
    base = found.baseline
    seeds = sorted({side.play.seed for side in _sides(found)})
    return {
        "version": __version__,
        "title": title(found),
        "found": found,
        "unit": counted(base.rules)[0],
        "baseline": found.name
        if found.of_players or base.players in found.name
        else f"{found.name}, {base.players}",
        "answers": [(one.name, tuple(verdicts(one)), tuple(beside(one))) for one in found.variants],
        "figures": figures(found),
        "measures": [(one.measure.name, _says(one)) for one in found.variants[0].contrasts],
        "design": tuple(design(found)),
        "words": tuple(method_words(found)),
        "shapes": [(one.name, _shapes(one)) for one in found.variants if shape and one.shapes],
        "rules": side_by_side(_different([side.rules for side in _sides(found)])),
        "players": list(
            {player.name: player for side in _sides(found) for player in side.play.players}.values()
        ),
        "limits": LIMITS,
        "command": command,
        "digests": tuple(digests(found)),
        "citation": citation(
            f"simkit-comparison-{key}",
            title(found),
            (
                f"version {__version__}",
                f"comparison {key}",
                f"seed{'s' * (len(seeds) > 1)} {in_words(seeds)}",
                _cited(found),
            ),
        ),
    }


def _cited(found: Comparison) -> str:
    """How much was played, for who cites it."""
    from simkit.comparisons import counted

    units = counted(found.baseline.rules)[1]
    if found.of_players:
        return f"{in_words([count(one.matches[0]) for one in found.variants])} pairs of {units}"
    return f"{count(found.baseline.matches)} {units} of {found.name}"


def _identities(found: Comparison) -> Iterator[str]:
    """What was compared, as text that tells it from any other comparison."""
    backs = (one.back for one in found.variants if one.back is not None)
    for side in (*_sides(found), *backs):
        yield f"{side.rules.digest} {side.run.digest} {side.place} {side.matches}\n"


def _sides(found: Comparison) -> list[Side]:
    return [found.baseline, *(one.side for one in found.variants)]


def _different(rule_sets: Sequence[RuleSet]) -> list[RuleSet]:
    """Each rule set once, in order."""
    return list({rules.digest: rules for rules in rule_sets}.values())


def title(found: Comparison) -> str:
    """Name what is compared."""
    names = [one.name for one in found.variants]
    if len(names) > FEW:
        return f"{found.name} and {len(names)} others"
    return f"{in_words(names)} beside {found.name}"


# ---------------------------------------------------------------- in words


def verdicts(one: Compared) -> Iterator[tuple[str, str]]:
    """Each verdict with its measures and their differences, those that are decided first."""
    by_verdict: dict[str, list[str]] = {}
    for contrast in one.contrasts:
        told = ALIKE if contrast.known_alike else contrast.verdict
        by_verdict.setdefault(told, []).append(_difference_words(contrast))
    last = (EQUIVALENT, UNDECIDED, ALIKE, THE_SAME)
    for verdict in (*(one for one in by_verdict if one not in last), *last):
        if verdict in by_verdict:
            yield VERDICTS.get(verdict, capital(verdict)), "; ".join(by_verdict[verdict])


ALIKE: Final = "no difference: the same in every match"
VERDICTS: Final[Mapping[str, str]] = {
    EQUIVALENT: "Equivalent, within the margin",
    UNDECIDED: "Undecided",
    THE_SAME: "The same, and nothing to differ",
}


def _difference_words(one: Contrast) -> str:
    name = one.measure.name
    if one.verdict == THE_SAME or one.known_alike:
        return name
    unit = "" if percentage(one.measure.unit) else f" {one.measure.unit}"
    return f"{name} {signed(one.difference.mean, one.measure.unit)}{unit} ({_ends(one.difference, one)})"


def beside(one: Compared) -> Iterator[str]:
    """What else is said of a variant."""
    from simkit.comparisons import another_winner

    if one.winner_differs is not None:
        share, (before, after) = one.winner_differs, another_winner(one.side.rules)
        yield (
            f"{before} in {number(share.mean, 'share')} of pairs "
            f"({span(share.mean, share.low, share.high, 'share')}){after}."
        )

    if one.seat is not None:
        measure = one.contrasts[0].measure
        unit = "" if percentage(measure.unit) else f" {measure.unit}"
        ends = span(one.seat.mean, one.seat.low, one.seat.high, "" if unit else "share")
        more = f"{signed(one.seat.mean, measure.unit)}{unit} of {measure.name}"
        starts = ", which is what the given starts are worth to him" if one.side.play.starts else ""
        yield (f"Whoever sat there, player 1 had {more} beyond player 2 ({ends}){starts}.")
    if one.luck:
        shown = ", ".join(
            f"{kind} {signed(each.mean, '')} ({span(each.mean, each.low, each.high, '')})"
            for kind, each in one.luck[0].luck.items()
        )
        yield f"The luck of {one.name} beyond the other's, a match: {shown}."


def signed(value: float, unit: str) -> str:
    """A difference with its sign."""
    text = number(value, "share" if percentage(unit) else "")
    return f"+{text}" if value > 0 else text


def _ends(one: Interval, of: Contrast) -> str:
    unit = "share" if percentage(of.measure.unit) else ""
    return span(one.mean, one.low, one.high, unit)


def _says(one: Contrast) -> str:
    return f"{one.measure.says}; in {one.measure.unit}"


PAIRINGS: Final[Mapping[str, str]] = {
    "same play": "the same {n} {units}, settled in both ways; nothing is played again",
    "same dice": "{n} pairs of {units} that meet the same dice, place by place",
    "independent": "{n} and {other} {units} on other dice, taken as independent",
    "seats exchanged": "{n} pairs of {units} on the same dice, the players exchanging their seats",
}


def design(found: Comparison) -> Iterator[tuple[str, str]]:
    """How the numbers were made, as terms and their explanation."""
    from simkit.comparisons import baseline_words, cap_words, counted, matches_words

    base = found.baseline
    unit, units = counted(base.rules)
    first = f", {matches_words(base)}" if base.held else ""
    yield "baseline", f"{baseline_words(found)}{first}"
    for one in found.variants:
        n, other = map(count, one.matches)
        words = [PAIRINGS[one.pairing].format(n=n, other=other, units=units)]
        if one.pairing == "independent":
            words.append(f"its seed is {one.side.play.seed}")
        if one.unpaired:
            words.append(f"{count(one.unpaired)} {units} of the longer run have no partner and do not count")
        if one.side.play.starts != base.play.starts:
            words.append("they do not start from the same positions")
        if one.left_out:
            words.append(f"{count(one.left_out)} cut at {cap_words(found.baseline.rules)} are left out")
        if one.side.players != base.players:
            words.append(f"players {one.side.players}")
        yield one.name, "; ".join(words)
    if found.stop is not None:
        yield "until", re.sub(r"(?<=\d),(?=\d{3})", THIN, found.stop.words)
    together = f", of all {found.family} differences together (Bonferroni)" if found.family > 1 else ""
    yield (
        "intervals",
        f"{found.level:.0%}{together}; the {'pair' if found.of_players else unit} is the independent unit",
    )
    margins = {
        one.measure.name: f"{one.measure.name} {chosen(one.margin)} {one.measure.unit}"
        for variant in found.variants
        for one in variant.contrasts
        if one.margin
    }
    yield "margins", "; ".join(margins.values()) or "none declared"


def method_words(found: Comparison) -> Iterator[tuple[str, str]]:
    """What the columns of the tables are."""
    from simkit.comparisons import counted

    unit, units = counted(found.baseline.rules)
    every = [one for variant in found.variants for one in variant.contrasts]
    many = f", adjusted for {found.family} differences (Holm)" if found.family > 1 else ""
    margins = any(one.margin for one in every)
    methods = in_words(list(dict.fromkeys(_method(one) for one in every)))
    points = (
        "; of shares in points of a hundred" if any(percentage(one.measure.unit) for one in every) else ""
    )
    yield "difference", f"the variant's mean less the baseline's{points}; {methods}"
    yield "p", f"chance of as large a difference if there were none{many}"
    yield (
        "verdict",
        "the whole interval lies beyond the margin, or within it (equivalent), or neither (undecided)"
        if margins
        else "the whole interval lies on one side of nought, or not (undecided)",
    )
    yield "of the baseline", "the difference as a share of the baseline's mean, its interval for itself"
    yield "effect", f"the difference over the standard deviation of a {unit} (Cohen's d), likewise"
    yield "higher", f"how often the variant's {unit} is the higher, ties counting half, likewise"
    if any(one.variance_factor is not None for one in every):
        yield (
            "variance factor",
            f"how many times more {units} on dice of their own would be needed for the same interval: what "
            "pairing gained",
        )

    if any(one.luck for one in found.variants):
        yield (
            "difference less luck",
            "the same, what goes along with the luck of the dice taken off by coefficients of other pairs; these "
            "differences hold together for themselves, not with the plain ones, and none is told below "
            f"{FEWEST} pairs",
        )
        yield "luck factor", "how many times more pairs would be needed without taking the luck off"


def _method(one: Contrast) -> str:
    """The method of a difference, without the adjustment, which is said elsewhere."""
    return one.difference.method.partition(", Bonferroni")[0]


def digests(found: Comparison) -> Iterator[tuple[str, str]]:
    """What identifies the runs, the rules, the players and the programs that made the page."""
    from importlib.metadata import version

    if found.of_players:
        for side in (each for one in found.variants for each in (one.side, one.back) if each is not None):
            yield f"run of {side.players}", side.run.digest
        yield f"rules of {found.baseline.rules.name}", found.baseline.rules.digest
    else:
        names = (found.name, *(one.name for one in found.variants))
        for name, side in zip(names, _sides(found), strict=True):
            yield f"run of {name}", side.run.digest
            yield f"rules of {name}", side.rules.digest
    players = {player.name: player.digest for side in _sides(found) for player in side.play.players}
    for name, digest in players.items():
        yield f"player {name}", digest
    for package in ("numpy", "numba", "pandas", "matplotlib"):
        yield package, version(package)
    yield "Python", platform.python_version()


# ---------------------------------------------------------------- figures and tables


def figures(found: Comparison) -> list[Figure]:
    """Forest plots: one for each variant, or of many variants one for each measure."""
    if len(found.variants) <= FEW:
        return [_by_measure(found, place) for place in range(len(found.variants))]
    return [_by_variant(found, place) for place in range(len(found.variants[0].contrasts))]


def _by_measure(found: Comparison, place: int) -> Figure:
    """All measures of a variant, in standard deviations of a match."""
    from simkit.comparisons import counted

    one = found.variants[place]
    unit, _ = counted(found.baseline.rules)
    varied = [contrast for contrast in one.contrasts if contrast.deviation > 0]
    rows = [(contrast.measure.name, contrast, 1 / contrast.deviation) for contrast in varied]
    return Figure(
        key=f"forest-{place}",
        title=f"What {one.name} changes",
        caption=f"Each measure's difference from {found.name}, in standard deviations of a {unit}, so that they "
        f"can be seen beside one another. {_bars(found)}{_left_out(one.contrasts)} The tables beneath have the "
        f"units. {_counted(found, one)}",
        svg=_forest(
            rows,
            f"forest-{place}",
            f"difference, standard deviations of a {unit}",
            f"Forest plot: the differences of {one.name} from {found.name}, measure by measure.",
        ),
        tables=(_differences(one), _sizes(one), *((_less_luck(one),) if one.luck else ())),
    )


def _by_variant(found: Comparison, place: int) -> Figure:
    """All variants by one measure, in its unit."""
    measure = found.variants[0].contrasts[place].measure
    share = percentage(measure.unit)
    rows = [(one.name, one.contrasts[place], 100.0 if share else 1.0) for one in found.variants]
    unit = "points of a hundred" if share else measure.unit
    return Figure(
        key=f"forest-{measure.name}",
        title=capital(measure.says),
        caption=f"The difference of each variant from {found.name}. {_bars(found)} "
        f"{_counted(found, *found.variants)}",
        svg=_forest(
            rows,
            f"forest-{measure.name}",
            f"difference of {measure.name}, {unit}",
            f"Forest plot: the differences of {measure.name} from {found.name}, variant by variant.",
        ),
        tables=(
            _of_variants(found, place),
            _sizes_of_variants(found, place),
            *((_less_luck_of(found, place),) if found.variants[0].luck else ()),
        ),
    )


def _counted(found: Comparison, *variants: Compared) -> str:
    """How many matches the numbers are of."""
    from simkit.comparisons import counted

    _, units = counted(found.baseline.rules)
    every = list(dict.fromkeys((one.pairing == "independent", one.matches) for one in variants))
    told = [
        f"{count(n)} and {count(other)} {units}" if independent else f"{count(n)} pairs of {units}"
        for independent, (n, other) in every
    ]
    return f"n: {in_words(told)}."


def _bars(found: Comparison) -> str:
    together = ", which hold all together" if found.family > 1 else ""
    margins = any(one.margin for variant in found.variants for one in variant.contrasts)
    return f"Bars are {found.level:.0%} intervals{together}.{' Bands are margins.' if margins else ''}"


def _left_out(contrasts: Sequence[Contrast]) -> str:
    alike = [one.measure.name for one in contrasts if not one.deviation > 0]
    bare = [one.measure.name for one in contrasts if one.deviation > 0 and one.why]
    return (f" Not drawn, since no match of either side varies: {in_words(alike)}." if alike else "") + (
        f" No bar where there is no interval: {in_words(bare)}." if bare else ""
    )


STYLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "decided": {"color": VERMILION, "marker": "D", "label": "a difference"},
    EQUIVALENT: {"color": GREEN, "marker": "s", "label": "equivalent"},
    UNDECIDED: {"color": BLUE, "marker": "o", "markerfacecolor": "white", "label": "undecided"},
    THE_SAME: {"color": INK, "marker": "|", "label": "the same"},
}


def _forest(rows: Sequence[tuple[str, Contrast, float]], key: str, label: str, alt: str) -> str:
    """Differences with intervals, a row each, and a band for a margin; `rows`: name, contrast, factor."""
    with canvas(1, 0.9 + 0.3 * max(len(rows), 2)) as (figure, (axes,)):
        axes.axvline(0, color=INK, linewidth=0.7)
        drawn: set[str] = set()
        for place, (_, one, factor) in enumerate(rows):
            if one.margin:
                axes.barh(
                    place, 2 * one.margin * factor, left=-one.margin * factor, height=0.72, color="#e4e0d4"
                )
            style = one.verdict if one.verdict in STYLES else "decided"
            _draw_row(axes, place, one, factor, dict(STYLES[style]), named=style not in drawn)
            drawn.add(style)
        name_rows(axes, [_broken(name) for name, _, _ in rows])
        axes.set_xlabel(label)
        if drawn:
            legend_above(figure, axes)
        return render(figure, key, alt, from_nought=False)


def _draw_row(
    axes: Axes, place: int, one: Contrast, factor: float, style: dict[str, Any], *, named: bool
) -> None:
    found = one.difference
    known = math.isfinite(found.low) and math.isfinite(found.high)
    ends = ([found.mean - found.low], [found.high - found.mean]) if known else ([0.0], [0.0])
    label = style.pop("label")
    axes.errorbar(
        [found.mean * factor],
        [place],
        xerr=tuple([max(0.0, factor * end[0])] for end in ends),
        label=label if named else None,
        capsize=1.8,
        elinewidth=0.8,
        linestyle="",
        **style,
    )


def _broken(name: str) -> str:
    """A long name in two lines."""
    if len(name) <= 22:
        return name
    cut = max(
        (place for place, letter in enumerate(name[:-1]) if letter in "_.=[ "),
        default=len(name) - 1,
        key=lambda place: -abs(place - len(name) // 2),
    )
    return f"{name[: cut + 1]}\n{name[cut + 1 :]}"


def _number_cell(one: Interval | None, unit: str, *, sign: bool = False) -> Cell:
    plain = "share" if percentage(unit) else ""
    if (
        one is not None and not math.isfinite(one.mean) and math.isfinite(one.low)
    ):  # where cut matches leave it open
        ends = number(one.low, plain), number(one.high, plain) if math.isfinite(one.high) else "more"
        return Cell(f"{ends[0]} to {ends[1]}")
    if one is None or not math.isfinite(one.mean):
        return Cell("\u2013")
    text = signed(one.mean, unit) if sign else number(one.mean, plain)
    note = span(one.mean, one.low, one.high, plain) if one.low < one.high else ""
    return Cell(text, note, one.mean)


HEAD: Final = ("verdict", "difference", "baseline", "variant", "margin", "p")


def _differences(one: Compared) -> Table:
    rows = [
        (Cell(contrast.measure.name, contrast.measure.unit), *_row(contrast, chance))
        for contrast, chance in zip(one.contrasts, one.chances, strict=True)
    ]
    return Table(("measure", *HEAD), tuple(rows), "Differences and verdicts")


def _of_variants(found: Comparison, place: int) -> Table:
    rows = [(Cell(one.name), *_row(one.contrasts[place], one.chances[place])) for one in found.variants]
    return Table(("variant", *HEAD), tuple(rows), found.variants[0].contrasts[place].measure.name)


def _sizes_of_variants(found: Comparison, place: int) -> Table:
    rows = [(Cell(one.name), *_size_cells(one.contrasts[place])) for one in found.variants]
    return Table(("variant", *SIZES), tuple(rows), "How large they are")


def _row(one: Contrast, chance: float) -> Iterator[Cell]:
    unit = one.measure.unit
    told = f"{one.verdict} ({one.why})" if one.why and one.verdict != THE_SAME else one.verdict
    yield Cell(ALIKE if one.known_alike else told)
    yield _number_cell(one.difference, unit, sign=True)
    yield _number_cell(one.means[0], unit)
    yield _number_cell(one.means[1], unit)
    yield Cell(chosen(one.margin) if one.margin else "\u2013")
    no_chance = one.why or one.verdict == THE_SAME or one.difference is one.sequence
    yield Cell("\u2013" if no_chance else "< 0.0001" if chance < 0.0001 else f"{chance:.4f}")


def _shapes(one: Compared) -> list[Table]:
    """A table per measure of how the distributions differ beyond their means."""
    tables = []
    for name, held in groupby(one.shapes, lambda shape: shape.measure.name):
        rows = [
            (
                Cell(shape.detail, shape.unit),
                _number_cell(shape.baseline, shape.unit),
                _number_cell(shape.variant, shape.unit),
                _number_cell(shape.difference, shape.unit, sign=shape.baseline is not None),
            )
            for shape in held
        ]
        tables.append(Table(("number", "baseline", "variant", "difference"), tuple(rows), name))
    return tables


LUCK: Final = ("verdict less luck", "difference less luck", "luck factor")


def _less_luck(one: Compared) -> Table:
    rows = [(Cell(taken.measure.name, taken.measure.unit), *_luck_cells(taken)) for taken in one.luck]
    return Table(("measure", *LUCK), tuple(rows), "Less the luck of the dice")


def _less_luck_of(found: Comparison, place: int) -> Table:
    rows = [(Cell(one.name), *_luck_cells(one.luck[place])) for one in found.variants]
    return Table(("variant", *LUCK), tuple(rows), "Less the luck of the dice")


def _luck_cells(one: Adjusted) -> Iterator[Cell]:
    yield Cell(f"{one.verdict} ({one.why})" if one.why else one.verdict)
    yield _number_cell(one.difference, one.measure.unit, sign=True)
    yield _number_cell(one.factor, "times")


SIZES: Final = ("of the baseline", "effect", "higher", "variance factor")


def _sizes(one: Compared) -> Table:
    rows = [(Cell(contrast.measure.name), *_size_cells(contrast)) for contrast in one.contrasts]
    return Table(("measure", *SIZES), tuple(rows), "How large they are")


def _size_cells(one: Contrast) -> Iterator[Cell]:
    yield _number_cell(one.relative, "share", sign=True)
    yield _number_cell(one.effect, "standard deviations", sign=True)
    yield _number_cell(one.superiority, "share")
    yield _number_cell(one.variance_factor, "times")
