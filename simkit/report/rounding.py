"""Rounding the result: the short answer, the figures and the tables of the question `Rounding`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simkit.analysis.rounding import WAYS
from simkit.analysis.words import span, with_span, within
from simkit.report.figures import (
    INK,
    LINES,
    ORANGE,
    Figure,
    canvas,
    draw_line,
    label_axes,
    legend_above,
    name_rows,
    render,
    ticks_of,
)
from simkit.report.numbers import (
    Cell,
    Estimate,
    Side,
    Table,
    by_sets,
    choose,
    printed_or_empty,
    sides,
)
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from simkit.experiment import ExperimentResult

USUAL = 8
"""The length that words and narrow tables speak of."""
LAST_LENGTHS = (6, 8, 12)
IN_WORDS: Mapping[str, str] = {
    "up": "up",
    "die": "by dice",
    "down": "down",
    "half_even": "to the even fish",
}
"""Where a five goes."""
SHARES: Mapping[str, str] = {
    "step_of_a_point": "a point more changes what is paid",
    "step_of_a_hole": "a hole more changes what is paid",
    "five": "the result ends in five",
    "to_nought": "won, but nothing is paid",
    "changed": "another sum is paid than was won",
}
STYLES: tuple[dict[str, Any], ...] = (
    *LINES,
    {"color": ORANGE, "marker": "v", "linestyle": (0, (4, 1, 1, 1, 1, 1))},
)

LIMITS = (
    "The players know nothing of rounding and do not play for the step: what a player gains who counts points at "
    "the end of a match is not seen.",
    "A hole more is given to the winner of the last set at his multiplier, and nothing else changes; a hole "
    "taken from the loser, or one in an earlier set, may weigh less.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    first = [side for side in shown if side.rules == shown[0].rules]
    return Answer(
        summary=summary(estimates, first[0]),
        details=tuple(details(estimates, first)),
        words_title=f"The rules {first[0].rules}, {USUAL} sets",
        tables=(answer_table(estimates, first),),
        figures=tuple(figures(estimates, first)),
        sections=(
            Section(
                key="lengths",
                title="Every rule set and length",
                text=(
                    "Shares are of matches, under the rule set's own way with a five; a match whose last set was "
                    "cut is not counted. Beneath each number its 95\u202f% interval.",
                ),
                groups=tuple(
                    (
                        f"{rules}: {pair_words(side)}",
                        (shares_table(estimates, side), paid_table(estimates, side)),
                    )
                    for rules, here in by_rules(shown).items()
                    for side in here
                ),
            ),
        ),
        design=(
            (
                "the same results",
                "every way to treat a five rounds the same results; dice that decide a five are those of the "
                "match, which no roll on the board uses",
            ),
            (
                "shorter matches",
                "the first sets of the longest match, so that lengths are not independent of each other",
            ),
        ),
        limits=LIMITS,
    )


def by_rules(shown: Iterable[Side]) -> dict[str, list[Side]]:
    """The pairs of players of each rule set."""
    found: dict[str, list[Side]] = {}
    for side in shown:
        found.setdefault(side.rules, []).append(side)
    return found


def pair_words(side: Side) -> str:
    """`greedy against prudent`."""
    return f"{side.player_1} against {side.player_2}"


def at(
    estimates: pd.DataFrame, measure: str, side: Side, detail: str | None = None, sets: int = USUAL
) -> Estimate | None:
    """A number at one length; None where it was not estimated."""
    found = choose(estimates, measure, side, detail=detail)
    return next((one for one in found if one.sets == sets), None)


# ---------------------------------------------------------------- words


def summary(estimates: pd.DataFrame, side: Side) -> str:
    """The answer in two sentences."""
    point, hole = (at(estimates, measure, side) for measure in ("step_of_a_point", "step_of_a_hole"))
    over = at(estimates, "paid_over", side, "up")
    if point is None or hole is None or over is None:
        return f"Matches of {USUAL} sets were not asked about."
    return (
        f"In matches of {USUAL} sets by the rules {side.rules}, {pair_words(side)}, one point more changes what "
        f"is paid in {with_interval(point)} of matches, and one hole more for the winner of the last set in "
        f"{with_interval(hole)}. With fives rounded up {more_or_less(over)} is paid per match than was won."
    )


def more_or_less(over: Estimate) -> str:
    """`0.48 points (0.45 to 0.51) more`."""
    size = points(over if over.mean >= 0 else negative(over))
    return f"{size} {'more' if over.mean >= 0 else 'less'}"


def details(estimates: pd.DataFrame, first: Sequence[Side]) -> Iterator[tuple[str, str]]:
    """Fives of equal and of unequal players, and what comes to nothing."""
    ways = []
    for way in WAYS:
        over = at(estimates, "paid_over", first[0], way.value)
        if over is not None:
            ways.append(f"{IN_WORDS[way.value]} {points(over)}")
    if ways:
        yield (
            "What is paid too much.",
            f"Points paid per match less points won, {pair_words(first[0])}, with a five going "
            f"{'; '.join(ways)}. If every last digit were as likely it would be half a point with fives up, "
            "half a point too little with fives down, and nothing by dice.",
        )
    unequal = [side for side in first if side.player_1 != side.player_2]
    said = [text for side in unequal if (text := favourite_words(estimates, side))]
    if said:
        yield "Unequal players.", " ".join(said)
    nought, changed = (at(estimates, measure, first[0]) for measure in ("to_nought", "changed"))
    if nought and changed:
        yield (
            "What rounding changes.",
            f"Another sum is paid than was won in {with_interval(changed)} of matches of {pair_words(first[0])}; "
            f"in {with_interval(nought)} something was won and nothing is paid.",
        )


def favourite_words(estimates: pd.DataFrame, side: Side) -> str:
    """What a five rounded up does to the stronger and to the weaker of two players."""
    found = favourite(estimates, side)
    if found is None:
        return ""
    strong, weak, turn = found
    result, up = at(estimates, "result_of_1", side), at(estimates, "five_up_for_1", side)
    part = at(estimates, "five_up_of_advantage", side)
    if result is None or up is None or part is None:
        return ""
    result, up = turn(result), turn(up)
    return (
        f"{side.player_1} against {side.player_2}: {strong} wins {points(result)} per match of {weak}. Fives "
        f"rounded up instead of by dice bring {strong} {points(up)} of them and cost {weak} as much, "
        f"{with_interval(part)} of that "
        "advantage."
    )


def favourite(
    estimates: pd.DataFrame, side: Side, sets: int = USUAL
) -> tuple[str, str, Callable[[Estimate], Estimate]] | None:
    """The stronger player, the weaker, and how a number of player 1 becomes one of the stronger.

    None where the two cannot be told apart.
    """
    result = at(estimates, "result_of_1", side, sets=sets)
    if result is None or side.player_1 == side.player_2 or not (result.low > 0 or result.high < 0):
        return None
    if result.mean > 0:
        return side.player_1, side.player_2, lambda one: one
    return side.player_2, side.player_1, negative


def negative(e: Estimate) -> Estimate:
    """The same number seen by the other player."""
    return Estimate(e.sets, -e.mean, -e.high, -e.low, e.n, e.unit, e.method, e.detail)


def with_interval(e: Estimate) -> str:
    """`9.8 % (9.4 to 10.2 %)`."""
    return with_span(e.mean, e.low, e.high, e.unit)


def points(e: Estimate) -> str:
    """`0.48 points (0.45 to 0.51)`."""
    return f"{within(e.mean, e.low, e.high, e.unit)} points ({span(e.mean, e.low, e.high, e.unit)})"


# ---------------------------------------------------------------- tables


def answer_table(estimates: pd.DataFrame, first: Sequence[Side]) -> Table:
    """The numbers of the usual length, a column for each pair of players."""
    rows = [
        (Cell(words), *(printed_or_empty(at(estimates, measure, side)) for side in first))
        for measure, words in SHARES.items()
    ]
    for way in WAYS:
        found = (printed_or_empty(at(estimates, "paid_over", side, way.value)) for side in first)
        rows.append((Cell(f"points paid beyond what was won, five {IN_WORDS[way.value]}"), *found))
    for measure, words in (
        ("mean_size", "mean size of the result, points"),
        ("result_of_1", "mean result of the first named, points"),
        ("five_up_for_1", "points that five up instead of dice brings him"),
        ("five_up_of_advantage", "the same as a part of his advantage"),
    ):
        rows.append((Cell(words), *(printed_or_empty(at(estimates, measure, side)) for side in first)))
    return Table(("", *(pair_words(side) for side in first)), tuple(rows))


def shares_table(estimates: pd.DataFrame, side: Side) -> Table:
    """Every share at every length."""
    columns = {words: choose(estimates, measure, side) for measure, words in SHARES.items()}
    return by_sets(columns, "Shares of matches")


def paid_table(estimates: pd.DataFrame, side: Side) -> Table:
    """What is paid beyond what was won and what player 1 gains, at every length."""
    columns = {
        f"paid beyond, five {IN_WORDS[way.value]}": choose(estimates, "paid_over", side, detail=way.value)
        for way in WAYS
    }
    columns |= {
        f"gain of the first named, five {IN_WORDS[way.value]}": choose(
            estimates, "gain_of_1", side, detail=way.value
        )
        for way in WAYS
    }
    columns["his mean result"] = choose(estimates, "result_of_1", side)
    columns["mean size"] = choose(estimates, "mean_size", side)
    return by_sets(columns, "Points per match")


# ---------------------------------------------------------------- figures


def figures(estimates: pd.DataFrame, first: Sequence[Side]) -> Iterator[Figure]:
    """Last digits, steps, what is paid too much, and whom it favours."""
    yield last_digits(estimates, [side for side in first if side.player_1 == side.player_2] or first)
    yield steps(estimates, first)
    yield paid_too_much(estimates, first)
    if any(favourite(estimates, side) for side in first):
        yield gains_of_favourite(estimates, first)


def last_digits(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """How often the result ends in each digit, at the usual length."""
    found = {side: digits_at(estimates, side, USUAL) for side in shown}
    every = [e for series in found.values() for e in series.values()]
    with canvas(1, 3.0) as (figure, (axes,)):
        for place, (style, (side, series)) in enumerate(zip(STYLES, found.items(), strict=False)):
            digits = list(series)
            line = {**style, "linestyle": ""}
            aside = 0.18 * (place - (len(found) - 1) / 2)
            draw_line(axes, list(series.values()), pair_words(side), line, x=digits, aside=aside)
        axes.axhline(10, color=INK, linewidth=0.7, linestyle=(0, (1, 2)))
        label_axes(axes, "share of matches, %", list(range(10)), x="last digit of the result, points")
        legend_above(figure, axes)
        svg = render(figure, "digits", "Dot chart: last digits of the final difference.")
    tables = []
    for side in shown:
        columns = {f"{length} sets": digits_at(estimates, side, length) for length in LAST_LENGTHS}
        digits = list(next(iter(columns.values())))
        rows = tuple(
            (Cell(str(digit)), *(printed_or_empty(series.get(digit)) for series in columns.values()))
            for digit in digits
        )
        tables.append(Table(("last digit", *columns), rows, pair_words(side)))
    matches = f"; {every[0].n:,} matches of each pair".replace(",", "\u202f") if every else ""
    return Figure(
        "digits",
        "The last digit of the result",
        f"How often the exact result of a match of {USUAL} sets, its sign left aside, ends in each digit{matches}."
        " Dotted: one in ten. Results that end in 1 to 4 are rounded down, in 6 to 9 up.",
        svg,
        tuple(tables),
    )


def digits_at(estimates: pd.DataFrame, side: Side, sets: int) -> dict[int, Estimate]:
    """The share of each last digit at one length."""
    found = choose(estimates, "remainder", side)
    return {int(one.detail): one for one in found if one.sets == sets}


def steps(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """How often a point, and a hole, changes what is paid, by number of sets."""
    panels = {
        "one point more": "step_of_a_point",
        "one hole more for the winner of the last set": "step_of_a_hole",
    }
    found = {
        name: {pair_words(side): choose(estimates, measure, side) for side in shown}
        for name, measure in panels.items()
    }
    with canvas(2, 2.4) as (figure, axes_of):
        for axes, (name, series) in zip(axes_of, found.items(), strict=True):
            for place, (style, (label, line)) in enumerate(zip(STYLES, series.items(), strict=False)):
                draw_line(axes, line, label, style, aside=0.2 * (place - (len(series) - 1) / 2))
            axes.set_title(name, loc="left", style="italic")
            label_axes(axes, "matches, %", ticks_of(series.values()))
        legend_above(figure, axes_of[0])
        svg = render(figure, "steps", "Line charts: how often a point or a hole changes what is paid.")
    return Figure(
        "steps",
        "One point, one hole, one fish",
        "Share of matches in which one point more for the first named player, or one hole more for the winner of "
        "the last set with everything settled again, changes the sum that is paid. Every tenth point is a step.",
        svg,
        tuple(by_sets(series, name.capitalize()) for name, series in found.items()),
    )


def paid_too_much(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """What is paid less what was won, by where a five goes."""
    series = {
        pair_words(side): {IN_WORDS[way.value]: at(estimates, "paid_over", side, way.value) for way in WAYS}
        for side in shown
    }
    return dots(
        series,
        key="paid",
        title="What is paid beyond what was won",
        caption=f"Mean per match of {USUAL} sets of the sum paid less the sum won, by where a five goes. Below "
        "nought less is paid than was won.",
        x="points per match paid beyond what was won",
        alt="Dot chart: points paid beyond points won.",
    )


def gains_of_favourite(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """What rounding brings the stronger of two players, by where a five goes."""
    series: dict[str, dict[str, Estimate | None]] = {}
    for side in shown:
        found = favourite(estimates, side)
        if found is None:
            continue
        strong, weak, turn = found
        gains = {way: at(estimates, "gain_of_1", side, way.value) for way in WAYS}
        label = f"{strong}, {'first' if strong == side.player_1 else 'second'} named, against {weak}"
        series[label] = {IN_WORDS[way.value]: turn(gain) if gain else None for way, gain in gains.items()}
    return dots(
        series,
        key="favourite",
        title="What rounding brings the stronger player",
        caption=f"Mean per match of {USUAL} sets of what the stronger player is paid less what he won, by where a "
        "five goes; the weaker loses as much. The stronger is he whose mean result lies above nought.",
        x="points per match that the stronger gains",
        alt="Dot chart: what rounding brings the stronger player.",
    )


def dots(
    series: Mapping[str, Mapping[str, Estimate | None]],
    *,
    key: str,
    title: str,
    caption: str,
    x: str,
    alt: str,
) -> Figure:
    """A panel that reads like a table: a row for each way with a five, a mark for each pair of players."""
    names = [IN_WORDS[way.value] for way in WAYS]
    with canvas(1, 3.1) as (figure, (axes,)):
        for place, (style, (label, found)) in enumerate(zip(STYLES, series.items(), strict=False)):
            here = [(row, e) for row, name in enumerate(names) if (e := found.get(name)) is not None]
            draw_dots(axes, here, label, style, 0.13 * (place - (len(series) - 1) / 2))
        axes.axvline(0, color=INK, linewidth=0.7)
        name_rows(axes, [f"five {name}" for name in names])
        axes.set_xlabel(x)
        legend_above(figure, axes)
        svg = render(figure, key, alt, from_nought=False)
    rows = tuple(
        (Cell(f"five {name}"), *(printed_or_empty(found.get(name)) for found in series.values()))
        for name in names
    )
    return Figure(
        key, title, caption + " Bars are 95\u202f% intervals.", svg, (Table(("", *series), rows, x),)
    )


def draw_dots(
    axes: Axes, here: Sequence[tuple[int, Estimate]], label: str, style: Mapping[str, Any], aside: float
) -> None:
    """Means with their intervals along rows."""
    means = [e.mean for _, e in here]
    spread = [[e.mean - e.low for _, e in here], [e.high - e.mean for _, e in here]]
    axes.errorbar(
        means, [row + aside for row, _ in here], xerr=spread, label=label, capsize=1.5, elinewidth=0.8,
        **{**style, "linestyle": ""},
    )  # fmt: skip
