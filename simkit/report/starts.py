"""The 225 starts: the short answer, the pictures of all starts and the tables of `StartingPositions`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from simkit.analysis.starts import NUMBERS, STANDARD, STARTS, name_of
from simkit.analysis.words import count, number, percentage, with_span
from simkit.report.figures import BLUE, INK, VERMILION, Figure, canvas, legend_above, render
from simkit.report.numbers import (
    Cell,
    Estimate,
    Side,
    Table,
    choose,
    printed_or_empty,
    sides,
    single,
)
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

    from simkit.experiment import ExperimentResult

PAIRS = tuple(f"{low}-{high}" for low, high in combinations(range(1, 7), 2))
"""The rolls that place the men: the rows of a picture, and its columns."""
TITLES: Mapping[str, tuple[str, str]] = {
    "first_wins": ("How often the first player wins", "games won by the first player"),
    "doubled": ("How often a game counts double", "games that count double"),
    "rolls": ("How long a game is", "rolls in a game, both players"),
    "hits": ("How many men are hit", "men hit in a game, by both players"),
}
"""Of each number the title of its picture, and what it counts."""
PLACING = (
    "Rows: the first roll that places the men, a-b (two men of a side on his arrow a, five on 25 - b). Columns: "
    "the second, c-d (five men on 13 - c, three on 12 + d)."
)
LIMITS = (
    "The players do not prepare for a start: one evaluation serves all 225.",
    "No stronger pair plays: tables_lookahead is too slow for as many games as 225 starts need.",
    "The opening roll is the throw that decides who begins, so it is never a double; where the winner of the draw "
    "throws anew, his advantage may differ.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    first = shown[0]
    return Answer(
        summary=summary(estimates, first),
        lead=start_map(estimates, first, "first_wins", "starts"),
        details=tuple(details(estimates, first)),
        words_title="All starts together",
        tables=(together(estimates, shown),),
        figures=tuple(figures(estimates, shown)),
        sections=(
            Section(
                key="differences",
                title="How starts differ",
                text=(
                    "Every start weighs the same here. Spread: the standard deviation over the 225 starts, the "
                    "noise of counting taken off. The race is what each player has to go; freedom is the mean "
                    "number of plays of the 15 opening rolls. Correlations are of the numbers as seen.",
                ),
                groups=(("", (differences(estimates, shown),)),),
            ),
            Section(
                key="every-start",
                title="Every start with its intervals",
                text=(
                    "The intervals of a column hold for all 225 starts at once. The usual start is "
                    f"{unbroken(STANDARD)}.",
                ),
                groups=tuple((side.label, (every_start(estimates, side),)) for side in shown),
            ),
        ),
        design=(
            (
                "a match",
                "one game from a drawn start: the game is the independent unit, and no game is left out because a "
                "match was decided before it",
            ),
            (
                "intervals by start",
                "those of one number hold for all 225 starts at once (Sidak); games of different starts share no "
                "dice",
            ),
            (
                "differences between starts",
                "their intervals by a jackknife over 20 groups of games",
            ),
        ),
        limits=LIMITS,
        at_once="those of the 225 starts, which hold all together for one number and pair of players",
    )


def of_starts(estimates: pd.DataFrame, side: Side, measure: str) -> dict[str, Estimate]:
    """A number of every start, by the start's name."""
    return {one.detail: one for one in choose(estimates, measure, side) if one.detail}


def of_all(estimates: pd.DataFrame, side: Side, measure: str) -> Estimate | None:
    """A number over all games."""
    return next((one for one in choose(estimates, measure, side) if not one.detail), None)


# ---------------------------------------------------------------- words


def summary(estimates: pd.DataFrame, side: Side) -> str:
    """The answer in a few sentences."""
    chances, overall = of_starts(estimates, side, "first_wins"), of_all(estimates, side, "first_wins")
    ours, theirs = (single(estimates, f"starts_for_{who}", side) for who in ("first", "second"))
    seen = [one for one in chances.values() if not math.isnan(one.mean)]
    if overall is None or ours is None or theirs is None or not seen:
        return "No game came to its end."
    low, high = min(seen, key=lambda one: one.mean), max(seen, key=lambda one: one.mean)
    return (
        f"{side.label}: who throws first wins {with_interval(overall)} of games from a drawn start. Beyond doubt "
        f"{count(ours.low)} of the 225 starts favour him and {count(theirs.low)} the other; of the remaining "
        f"{count(len(chances) - ours.low - theirs.low)} it cannot be told. By start his chance goes from "
        f"{with_interval(low)} ({unbroken(low.detail)}) to {with_interval(high)} ({unbroken(high.detail)}); "
        f"from the usual start, {unbroken(STANDARD)}, it is {with_interval(chances[STANDARD])}."
    )


def with_interval(one: Estimate) -> str:
    """`53.2 % (52.9 to 53.5 %)`."""
    if math.isnan(one.low):
        return number(one.mean, one.unit)
    return with_span(one.mean, one.low, one.high, one.unit)


def details(estimates: pd.DataFrame, side: Side) -> Iterator[tuple[str, str]]:
    """Where the usual start stands, and the ends of every number but the first."""
    places = [
        f"{place_words(found)} by {NAMES[name]}"
        for name in NUMBERS
        if STANDARD in (found := of_starts(estimates, side, name))
    ]
    yield (
        "The usual start.",
        f"Among the 225, from the smallest number to the largest, {unbroken(STANDARD)} is {', '.join(places)}.",
    )
    for name in ("doubled", "rolls", "hits"):
        seen = [one for one in of_starts(estimates, side, name).values() if not math.isnan(one.mean)]
        if seen:
            low, high = min(seen, key=lambda one: one.mean), max(seen, key=lambda one: one.mean)
            yield (
                f"{TITLES[name][0]}.",
                f"From {with_interval(low)} at {unbroken(low.detail)} to {with_interval(high)} at "
                f"{unbroken(high.detail)}.",
            )


NAMES: Mapping[str, str] = {
    "first_wins": "the first player's chance",
    "doubled": "double games",
    "rolls": "length",
    "hits": "hits",
}


def place_words(found: Mapping[str, Estimate]) -> str:
    """`number 140 (of the others, 3 cannot be told from it)`: where the usual start stands among all."""
    own = found[STANDARD]
    below = sum(one.mean < own.mean for one in found.values())
    near = sum(not (one.high < own.low or one.low > own.high) for one in found.values()) - 1
    return f"number {below + 1} (intervals overlap with {near} others)"


# ---------------------------------------------------------------- figures


def figures(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[Figure]:
    """The other numbers of the first pair, what the race does, and the fairness of the other pairs."""
    for name in ("doubled", "rolls", "hits"):
        yield start_map(estimates, shown[0], name, name)
    for name in ("rolls", "hits"):
        yield by_race(estimates, shown, name)
    for k, side in enumerate(shown[1:], 2):
        yield start_map(estimates, side, "first_wins", f"starts-{k}")


def start_map(estimates: pd.DataFrame, side: Side, measure: str, key: str) -> Figure:
    """All starts in 15 rows and 15 columns, light where a number is large."""
    found = of_starts(estimates, side, measure)
    title, counted = TITLES[measure]
    of = "% of " if percentage(NUMBERS[measure]) else ""
    marks = " The usual start has a frame."
    if measure == "first_wins":
        marks += (
            " A cross: it is not beyond doubt whom the start favours. A bar: beyond doubt the second player."
        )
    with canvas(1, 4.75) as (figure, (axes,)):
        draw_map(figure, axes, found, f"{of}{counted}", marked=measure == "first_wins")
        svg = render(figure, key, f"{title}, by start, {side.label}", from_nought=False)
    return Figure(
        key=key,
        title=f"{title}, from each of the 225 starts",
        caption=f"{side.label}. {PLACING}{marks}",
        svg=svg,
        tables=(map_table(found, f"{of}{counted}, {side.label}; rows a-b, columns c-d"),),
    )


def draw_map(
    figure: Canvas,
    axes: Axes,
    found: Mapping[str, Estimate],
    counted: str,
    *,
    marked: bool,
    even: float = 0.5,
) -> None:
    """Squares in a scale of lightness, which needs no colour to be read.

    `marked`: those not beyond doubt above `even` have a mark.
    """
    from matplotlib.colors import Normalize
    from matplotlib.patches import Rectangle

    scale = 100 if counted.startswith("%") else 1
    names = [name_of(dice) for dice in STARTS]
    values = [scale * found[name].mean if name in found else math.nan for name in names]
    grid = [values[15 * row : 15 * row + 15] for row in range(15)]
    known = [value for value in values if not math.isnan(value)] or [0.0]
    norm = Normalize(min(known), max(known))
    mesh = axes.pcolormesh(grid, cmap="cividis", norm=norm, edgecolors="white", linewidth=0.4)
    for place, name in enumerate(names):
        row, column = divmod(place, 15)
        one = found.get(name)
        ink = INK if norm(values[place]) > 0.5 else "white"
        if marked and one is not None and not one.low > even:
            mark = "_" if one.high < even else "x"
            axes.plot(column + 0.5, row + 0.5, mark, color=ink, markersize=3.5, markeredgewidth=0.9)
        if name == STANDARD:
            for colour, width in (("white", 3.4), (VERMILION, 1.8)):
                frame = Rectangle(
                    (column, row), 1, 1, fill=False, edgecolor=colour, linewidth=width, zorder=5
                )
                frame.set_clip_on(False)
                axes.add_patch(frame)
    ticks = [place + 0.5 for place in range(15)]
    axes.set_xticks(ticks, PAIRS, rotation=90)
    axes.set_yticks(ticks, PAIRS)
    axes.set_ylim(15, 0)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.set_aspect("equal")
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xlabel("second roll, c-d")
    axes.set_ylabel("first roll, a-b")
    bar = figure.colorbar(mesh, ax=axes, location="top", aspect=30, pad=0.02)
    bar.set_label(counted)
    bar.outline.set_visible(False)


def map_table(found: Mapping[str, Estimate], caption: str) -> Table:
    """The numbers of a picture, row for row."""
    rows = []
    for near in PAIRS:
        chosen = (found.get(f"{near}, {far}") for far in PAIRS)
        rows.append((Cell(unbroken(near)), *map(narrow, chosen)))
    return Table((unbroken("a-b"), *map(unbroken, PAIRS)), tuple(rows), caption)


def narrow(one: Estimate | None) -> Cell:
    """A number without its sign of per cent, which the caption has; the exact value stands behind."""
    if one is None:
        return Cell("")
    shown = 100 * one.mean if percentage(one.unit) else one.mean
    return Cell(number(shown, ""), "", None if math.isnan(one.mean) else one.mean)


def unbroken(name: str) -> str:
    """The name of a start or a roll, to be kept on one line."""
    return name.replace("-", "\u2011").replace(" ", "\u00a0")


def by_race(estimates: pd.DataFrame, shown: Sequence[Side], measure: str) -> Figure:
    """A number of every start against its race."""
    title, counted = TITLES[measure]
    with canvas(1, 2.9) as (figure, (axes,)):
        for side, colour, mark in zip(shown, (BLUE, VERMILION), ("o", "^"), strict=False):
            points = race_points(estimates, side, measure)
            axes.plot(
                [race for _, race, _ in points],
                [one.mean for _, _, one in points],
                mark,
                color=colour,
                markersize=3,
                markerfacecolor="none",
                markeredgewidth=0.7,
                label=side.label,
            )
            for name, race, one in points:
                if name == STANDARD:
                    axes.plot(race, one.mean, mark, color=INK, markersize=6)
        axes.set_xlabel("points each player has to go")
        axes.set_ylabel(counted)
        legend_above(figure, axes)
        svg = render(figure, f"race-{measure}", f"{title}, by the race from each start")
    return Figure(
        key=f"race-{measure}",
        title=f"{title}, by the race",
        caption="One mark is one start; the usual one is full and larger.",
        svg=svg,
        tables=(race_table(estimates, shown, measure),),
    )


def race_points(estimates: pd.DataFrame, side: Side, measure: str) -> list[tuple[str, float, Estimate]]:
    """Name, race and number of every start of which there is one."""
    races, found = (of_starts(estimates, side, name) for name in ("race", measure))
    return [(name, races[name].mean, one) for name, one in found.items() if not math.isnan(one.mean)]


def race_table(estimates: pd.DataFrame, shown: Sequence[Side], measure: str) -> Table:
    """By race, how many starts have it and the mean of their numbers."""
    columns: list[dict[int, list[float]]] = []
    for side in shown:
        by: dict[int, list[float]] = {}
        for _, race, one in race_points(estimates, side, measure):
            by.setdefault(round(race), []).append(one.mean)
        columns.append(by)
    rows = []
    for race in sorted({race for by in columns for race in by}):
        starts = max(len(by.get(race, ())) for by in columns)
        means = [sum(by[race]) / len(by[race]) if race in by else math.nan for by in columns]
        cells = (
            Cell(number(mean, NUMBERS[measure]), "", None if math.isnan(mean) else mean) for mean in means
        )
        rows.append((Cell(str(race)), Cell(count(starts)), *cells))
    return Table(
        ("points to go", "starts", *(side.label for side in shown)),
        tuple(rows),
        f"{TITLES[measure][1]}, mean over the starts of each race",
    )


# ---------------------------------------------------------------- tables


def together(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """The numbers over all games, and whom the starts favour."""
    rows = [
        (Cell(TITLES[name][1]), *(printed_or_empty(of_all(estimates, side, name)) for side in shown))
        for name in NUMBERS
    ]
    for measure, words in (
        ("starts_for_first", "starts that favour the first player"),
        ("starts_for_second", "starts that favour the second"),
    ):
        rows.append((Cell(words), *(printed_or_empty(single(estimates, measure, side)) for side in shown)))
    return Table(("", *(side.label for side in shown)), tuple(rows))


def differences(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """Spreads, slopes and correlations of every number."""
    kinds = {
        "spread": "spread",
        "spread_share": "spread, of the mean",
        "per_pip": "for each point more to go",
        "with_race": "correlation with the race",
        "with_freedom": "correlation with freedom",
    }
    rows = [
        (
            Cell(f"{NAMES[name]}: {words}"),
            *(printed_or_empty(single(estimates, f"{name}_{kind}", side)) for side in shown),
        )
        for name in NUMBERS
        for kind, words in kinds.items()
    ]
    return Table(("", *(side.label for side in shown)), tuple(rows))


def every_start(estimates: pd.DataFrame, side: Side) -> Table:
    """All numbers of every start."""
    measures = (*NUMBERS, "race", "freedom")
    found = {measure: of_starts(estimates, side, measure) for measure in measures}
    rows = []
    for name in map(name_of, STARTS):
        cells = [printed_or_empty(found[measure].get(name)) for measure in NUMBERS]
        cells += [Cell(number(one.mean, one.unit), "", one.mean) for one in counted_out(found, name)]
        rows.append((Cell(unbroken(name) + (", usual" if name == STANDARD else "")), *cells))
    heads = ("first player wins", "counts double", "rolls", "men hit", "race", "plays")
    return Table(("start", *heads), tuple(rows))


def counted_out(found: Mapping[str, Mapping[str, Estimate]], name: str) -> Iterator[Estimate]:
    """Race and freedom of a start."""
    for measure in ("race", "freedom"):
        yield found[measure][name]
