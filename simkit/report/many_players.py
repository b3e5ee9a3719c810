"""Three players: the short answer, the figures and the tables of the question `ManyPlayers`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simkit.analysis.many_players import CHOUETTE, ORDER, PARIS, QUANTILES, TWO, tourner
from simkit.report.by_pair import by_detail, by_measure, interval_words
from simkit.report.figures import BLUE, INK, LINES, Figure, canvas, legend_above, name_rows, render
from simkit.report.numbers import Cell, Estimate, Side, Table, capital, printed_or_empty, sides, single
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

TABLES: Mapping[str, str] = {
    tourner(PARIS[0]): "full tail",
    tourner(PARIS[1]): "one tail",
    tourner(PARIS[2]): "no paris",
    CHOUETTE: "chouette",
    TWO: "two alone",
}
"""As rows are named: à tourner by its rule of paris."""
PARIS_WORDS: Mapping[str, str] = {paris.value: TABLES[tourner(paris)] for paris in PARIS}
NAMES = (
    "Full tail and one tail: à tourner, where whoever lost too many sets pays the whole tail to each who lost "
    "few, or one tail in all; no paris: à tourner, and lost sets are not paid for."
)
LOSES: Mapping[str, str] = {
    TWO: "two alone",
    f"{CHOUETTE}, one of two partners": "partner, chouette",
    **{
        f"{tourner(paris)}, {seat}": f"{words}, {PARIS_WORDS[paris.value]}"
        for paris in PARIS
        for seat, words in (("third", "third"), ("one of two", "one of two"))
    },
}
IDLE: Mapping[str, str] = {
    "idle_if_grande": "grande",
    "idle_if_less_marked_wins": "less marked wins",
}
CASES: Mapping[str, str] = {
    "simple": "ends simple",
    "petite": "ends in a petite bredouille",
    "grande": "ends in a grande bredouille",
    "less marked wins": "is won by the less marked",
    "more marked wins": "is won by the more marked",
}

LIMITS = (
    "Nobody gives advice: partners do not consult, and the idle player does not help anybody. What is told of him "
    "is what the end of a set brings him, and not what his help could do.",
    "Nobody plays for the money of three: a player who looks at who is marked, or at the third, would play "
    "otherwise.",
    "The lot draws who sits down first, so that seats are worth the same; all tables throw first in turn, except "
    "à tourner, where the player who stays does.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    equal = [side for side in shown if single(estimates, "largest_loss", side, TWO)]
    unequal = [side for side in shown if (one := single(estimates, "loses", side, TWO)) and one.mean > 0]
    return Answer(
        summary=summary(estimates, equal or shown),
        details=tuple(details(estimates, equal, unequal)),
        words_title="The largest loss of a match, jetons",
        tables=(by_detail(estimates, "largest_loss", columns(equal), TABLES, NAMES),) if equal else (),
        figures=tuple(figures(estimates, shown, equal, unequal)),
        sections=tuple(sections(estimates, shown, equal, unequal)),
        design=(
            (
                "tables",
                "three à tourner, one against two partners, two alone; as many sets at each, and every match à "
                "tourner settled by three rules of paris",
            ),
            (
                "an unequal pair",
                "à tourner the first named sits alone among two like the second, and the second (third) alone "
                "among two like the first; in the chouette the first is the lone player",
            ),
            (
                "idle player",
                "every set that he sat out counts, with what the whole match brings him; groups of matches are "
                "the units of his intervals",
            ),
        ),
        limits=LIMITS,
    )


def columns(shown: Sequence[Side]) -> dict[str, Side]:
    """Sides by the label of their players."""
    return {side.label: side for side in shown}


# ---------------------------------------------------------------- words


def summary(estimates: pd.DataFrame, shown: Sequence[Side]) -> str:
    """The answer in two sentences, by the first pair of equals."""
    side = shown[0]
    found = {name: single(estimates, "largest_loss", side, name) for name in TABLES}
    own, two, chouette = (found[name] for name in (tourner(PARIS[0]), TWO, CHOUETTE))
    if own is None or two is None or chouette is None:
        return "No equal players were asked about."
    return (
        f"Of three equal players ({side.player_1}) à tourner, who does worst loses {interval_words(own)} jetons a "
        f"match in the mean; of two alone it is {interval_words(two)}, in a chouette {interval_words(chouette)}, "
        "with as many sets."
    )


def details(
    estimates: pd.DataFrame, equal: Sequence[Side], unequal: Sequence[Side]
) -> Iterator[tuple[str, str]]:
    """Who is in between, what a weaker player loses, and what the idle player should wish for."""
    said = [
        f"{interval_words(one)} of matches of {side.label}"
        for side in equal
        if (one := single(estimates, "in_between", side, tourner(PARIS[0])))
    ]
    if said:
        yield (
            "One loses, one wins.",
            f"The third has at most half of what each of the others wins or loses in {'; '.join(said)}.",
        )
    said = []
    for side in unequal:
        third = single(estimates, "loses", side, f"{tourner(PARIS[0])}, third")
        alone, partner = (
            single(estimates, "loses", side, name) for name in (TWO, f"{CHOUETTE}, one of two partners")
        )
        if third and alone and partner:
            said.append(
                f"{side.player_2} loses {interval_words(third)} jetons a match among two {side.player_1} à "
                f"tourner, {interval_words(alone)} alone with one, {interval_words(partner)} as one of two "
                "partners."
            )
    if said:
        yield "A weaker player.", " ".join(said)
    for side in equal[:1]:
        grande, less = (single(estimates, name, side, PARIS[0].value) for name in IDLE)
        if grande and less:
            yield (
                "The idle player.",
                f"A set he sat out brings him {interval_words(grande)} jetons if it ends in a grande bredouille "
                f"rather than otherwise, and {interval_words(less)} if the less marked wins rather than the other "
                f"({side.label}).",
            )


# ---------------------------------------------------------------- figures


def figures(
    estimates: pd.DataFrame, shown: Sequence[Side], equal: Sequence[Side], unequal: Sequence[Side]
) -> Iterator[Figure]:
    """Results by place, what a weaker player loses, the lone player, and the idle one."""
    if equal:
        yield spread(estimates, equal[0])
    if unequal:
        yield dots(
            {
                side.label: {LOSES[name]: single(estimates, "loses", side, name) for name in LOSES}
                for side in unequal
            },
            key="loses",
            title="What the second named loses",
            caption="Mean loss per match of the second named; below nought he wins. Third: alone among two like "
            f"the first; one of two: with one like him and one like the first. {NAMES}",
            x="jetons per match that the second named loses",
        )
    yield lone(estimates, shown)
    if equal:
        rows = {
            f"{words}; {PARIS_WORDS[paris.value]}": (name, paris.value)
            for name, words in IDLE.items()
            for paris in PARIS
        }
        yield dots(
            {
                side.label: {words: single(estimates, *_of(side, at)) for words, at in rows.items()}
                for side in equal
            },
            key="idle",
            title="What the end of a set brings the idle player",
            caption="Difference of the idle player's mean result: a set he sat out ended in a grande bredouille "
            "and not otherwise; the less marked of the two won it and not the other. Above nought he should wish "
            "for it.",
            x="jetons per match for the idle player",
        )


def _of(side: Side, at: tuple[str, str]) -> tuple[str, Side, str]:
    return at[0], side, at[1]


def spread(estimates: pd.DataFrame, side: Side) -> Figure:
    """Quantiles of the results by place, for every table."""
    rows = [(name, place) for name in TABLES for place in ORDER]
    found = {
        row: [
            single(estimates, "ordered_quantile", side, f"{row[0]}, {row[1]}, {share:g}")
            for share in QUANTILES
        ]
        for row in rows
    }
    held = {row: [one.mean for one in series if one] for row, series in found.items() if all(series)}
    names = [f"{TABLES[name]}: {place}" for name, place in held]
    with canvas(1, 4.6) as (figure, (axes,)):
        for place, (least, low, middle, high, most) in enumerate(held.values()):
            axes.plot([least, most], [place, place], color=BLUE, linewidth=0.8)
            axes.plot([low, high], [place, place], color=BLUE, linewidth=4, solid_capstyle="butt")
            axes.plot([middle], [place], color=INK, marker="|", markersize=9)
        axes.axvline(0, color=INK, linewidth=0.7)
        name_rows(axes, names)
        axes.set_xlabel("jetons per match")
        svg = render(figure, "spread", "Bars: results by place at every table.", from_nought=False)
    rows_of = tuple(
        (Cell(name), *(printed_or_empty(one) for one in found[row]))
        for name, row in zip(names, held, strict=True)
    )
    heads = ("", *(f"{100 * share:g}\u202f% lie below" for share in QUANTILES))
    return Figure(
        "spread",
        "What the best, the middle and the worst player take",
        f"Results of {side.label}, equal players; the stroke is the median, half of the matches lie within the "
        f"thick bar and nine in ten within the thin one. {NAMES}",
        svg,
        (Table(heads, rows_of, "jetons per match"),),
    )


def lone(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """The lone player's result in a chouette against what he wins alone of one of his opponents."""
    points = {
        side.label: (single(estimates, "first_of_two", side), single(estimates, "lone_result", side))
        for side in shown
    }
    with canvas(1, 2.8) as (figure, (axes,)):
        for style, (label, (gap, result)) in zip(_styles(), points.items(), strict=False):
            if gap is None or result is None:
                continue
            axes.errorbar(
                [gap.mean], [result.mean],
                xerr=[[gap.mean - gap.low], [gap.high - gap.mean]],
                yerr=[[result.mean - result.low], [result.high - result.mean]],
                label=label, capsize=1.5, elinewidth=0.8, **{**style, "linestyle": ""},
            )  # fmt: skip
        axes.axhline(0, color=INK, linewidth=0.7)
        axes.axvline(0, color=INK, linewidth=0.7)
        axes.set_xlabel("jetons he wins of one of them alone")
        axes.set_ylabel("jetons he wins of both")
        legend_above(figure, axes)
        svg = render(figure, "lone", "Points: the lone player's result by strength.", from_nought=False)
    rows = tuple(
        (Cell(label), printed_or_empty(gap), printed_or_empty(result))
        for label, (gap, result) in points.items()
    )
    return Figure(
        "lone",
        "The lone player of a chouette",
        "Mean result per match of the first named alone against two like the second, by what he wins in a match "
        "of two with one of them, the gap of strength. Where the points cross nought he breaks even.",
        svg,
        (Table(("", "first named, two alone", "lone player, chouette"), rows, "jetons per match"),),
    )


def _styles() -> Iterator[Mapping[str, Any]]:
    yield from LINES
    yield {"color": INK, "marker": "v", "linestyle": ""}


def dots(
    series: Mapping[str, Mapping[str, Estimate | None]], *, key: str, title: str, caption: str, x: str
) -> Figure:
    """A panel that reads like a table: a row for each name, a mark for each pair of players."""
    names = list(dict.fromkeys(name for found in series.values() for name in found))
    with canvas(1, 0.9 + 0.32 * len(names)) as (figure, (axes,)):
        for place, (style, (label, found)) in enumerate(zip(_styles(), series.items(), strict=False)):
            here = [(row, e) for row, name in enumerate(names) if (e := found.get(name)) is not None]
            aside = 0.16 * (place - (len(series) - 1) / 2)
            axes.errorbar(
                [e.mean for _, e in here], [row + aside for row, _ in here],
                xerr=[[e.mean - e.low for _, e in here], [e.high - e.mean for _, e in here]],
                label=label, capsize=1.5, elinewidth=0.8, **{**style, "linestyle": ""},
            )  # fmt: skip
        axes.axvline(0, color=INK, linewidth=0.7)
        name_rows(axes, names)
        axes.set_xlabel(x)
        legend_above(figure, axes)
        svg = render(figure, key, f"Dots: {title}.", from_nought=False)
    rows = tuple(
        (Cell(capital(name)), *(printed_or_empty(found.get(name)) for found in series.values()))
        for name in names
    )
    return Figure(
        key, title, caption + " Bars are 95\u202f% intervals.", svg, (Table(("", *series), rows, x),)
    )


# ---------------------------------------------------------------- sections


def sections(
    estimates: pd.DataFrame, shown: Sequence[Side], equal: Sequence[Side], unequal: Sequence[Side]
) -> Iterator[Section]:
    """All tables in full."""
    if equal:
        places = {f"{name}, {place}": f"{TABLES[name]}: {place}" for name in TABLES for place in ORDER}
        more = {
            f"{paris.value}, {table}": f"{PARIS_WORDS[paris.value]}, less {TABLES[table]}"
            for paris in PARIS
            for table in (TWO, CHOUETTE)
        }
        yield Section(
            key="equal",
            title="Equal players",
            text=("Jetons per match; beneath each number its 95\u202f% interval.",),
            groups=(
                ("Mean result by place", (by_detail(estimates, "ordered", columns(equal), places),)),
                (
                    "Largest loss à tourner, less elsewhere",
                    (by_detail(estimates, "larger_loss", columns(equal), more),),
                ),
                ("All that is won and lost", (by_detail(estimates, "size", columns(equal), TABLES),)),
                ("The third in between", (by_detail(estimates, "in_between", columns(equal), TABLES),)),
            ),
        )
        cases = {
            f"{paris.value}, {case}": f"{PARIS_WORDS[paris.value]}: the set {words}"
            for paris in PARIS
            for case, words in CASES.items()
        }
        yield Section(
            key="idle_player",
            title="The idle player",
            text=("His mean result of the whole match, by how a set that he sat out ends.",),
            groups=(("By end of the set", (by_detail(estimates, "idle_result", columns(equal), cases),)),),
        )
    if unequal:
        yield Section(
            key="unequal",
            title="Unequal players",
            groups=(
                ("What the second named loses", (by_detail(estimates, "loses", columns(unequal), LOSES),)),
                (
                    "More than in a match of two",
                    (
                        by_detail(estimates, "loses_more", columns(unequal), LOSES),
                        by_detail(
                            estimates, "loses_more_per_set", columns(unequal), LOSES, "per set that he plays"
                        ),
                    ),
                ),
            ),
        )
    yield Section(
        key="lone_player",
        title="The lone player",
        groups=(
            (
                "",
                (
                    by_measure(
                        estimates,
                        columns(shown),
                        {
                            "first_of_two": "first named, in a match of two",
                            "lone_result": "the same, alone in a chouette",
                        },
                    ),
                ),
            ),
        ),
    )
