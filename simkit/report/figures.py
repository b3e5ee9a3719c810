"""Figures of a report: inline SVG, the same bytes for the same numbers, each with its table.

Colours are those of Okabe and Ito, told apart without colour by line, marker and hatch. Drawn at the width of
a telephone, so that enlarging is all a wide screen has to do.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simkit.analysis.words import in_words
from simkit.report.numbers import Estimate, Side, Table, by_sets, choose

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

WIDTH = 4.2  # inches; 302 units of the drawing, so that its text stays readable on 360 pixels
INK = "#222222"
BLUE, VERMILION, GREEN, ORANGE, SKY, PURPLE = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#E69F00",
    "#56B4E9",
    "#CC79A7",
)
DOTS = (0, (1, 2))
LINES: tuple[dict[str, Any], ...] = (
    {"color": BLUE, "marker": "o", "linestyle": "-"},
    {"color": VERMILION, "marker": "s", "linestyle": (0, (5, 1.5))},
    {"color": GREEN, "marker": "^", "linestyle": (0, (3, 1, 1, 1))},
    {"color": PURPLE, "marker": "D", "linestyle": (0, (1, 1))},
)
STACK: tuple[tuple[str, str, str, str], ...] = (
    ("variance_set_points", "points of the sets", "#DDEBF4", ""),
    ("variance_token_tail", "tail of tokens", SKY, "...."),
    ("variance_paris", "4 per set won", ORANGE, "////"),
    ("variance_tail_of_sets", "tail of sets", BLUE, ""),
)
STYLE = {
    "svg.hashsalt": "simkit",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "axes.labelsize": 9.5,
    "axes.titlesize": 9.5,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": "#d8d5cc",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "hatch.linewidth": 0.6,
    "hatch.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "legend.handlelength": 2.4,
    "legend.borderpad": 0,
    "legend.columnspacing": 1.6,
}


@dataclass(frozen=True)
class Figure:
    """A picture with what it says, in words and in numbers."""

    key: str
    title: str
    caption: str
    svg: str
    tables: tuple[Table, ...]


def all_figures(estimates: pd.DataFrame, shown: Sequence[Side]) -> tuple[Figure, ...]:
    """Every figure whose measure the run has, the tail curve first.

    Parameters
    ----------
    estimates : pandas.DataFrame
        The table of a run.
    shown : sequence of Side
        Rule sets and players to draw, four at most in one panel.
    """
    drawn = (draw(estimates, shown) for draw in DRAWN)
    return tuple(figure for figure in drawn if figure is not None)


def tail_curve(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure | None:
    """How often the tail of sets changes the winner, by number of sets and players, beside tossed sets."""
    series = per_side(estimates, "winner_changes", shown)
    tossed = per_side(estimates, "winner_changes_tossed", shown)
    if not series:
        return None
    with canvas(1, 3.4) as (figure, (axes,)):
        for beside, (label, found) in dodged(series):
            draw_line(axes, found, label, **beside)
        for style, found in zip(LINES, tossed.values(), strict=False):
            draw_reference(axes, found, style["color"])
        label_axes(axes, "winner changes, % of matches", ticks_of(series.values()))
        if tossed:
            axes.plot([], [], color=INK, linestyle=DOTS, label="the same, sets tossed")
        legend_above(figure, axes)
        svg = render(
            figure, "tail-curve", f"Line chart: how often the {tail_words(shown)} changes the winner."
        )
    columns = series | {f"{label}, sets tossed": found for label, found in tossed.items()}
    tables = [by_sets(columns, "By the exact result")]
    rounded = per_side(estimates, "winner_changes_rounded", [side for side in shown if side.round_unit])
    if rounded:
        tables.append(by_sets(rounded, f"By the result rounded to {unit_words(shown)}"))
    reference = (
        " Dotted: the same share if every set were won by the toss of a coin, its value drawn from all the "
        "sets of these players. It is exact for the values seen, which are a sample."
    )
    return Figure(
        "tail-curve",
        f"How often the {tail_words(shown)} changes the winner",
        "Share of matches whose winner with the tail of sets differs from the winner of the same match "
        "without it, against the number of sets. The winner is he to whom the exact result is due, before "
        "rounding; a drawn match counts as a result of its own. Bars are 95\u202f% intervals, often smaller than "
        "the mark." + (reference if tossed else ""),
        svg,
        tuple(tables),
    )


def size_of_tail(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure | None:
    """The same share against the size of the tail, at a few lengths, a panel for each pair of players."""
    of_measure = estimates.loc[estimates["measure"] == "winner_changes"]
    tails = sorted({int(tail) for tail in of_measure["tail_of_sets"]})
    lengths = [k for k in (4, 8, 12, 24) if k in set(of_measure["sets"])]
    if len(tails) < 2 or not lengths:
        return None
    tables = []
    with canvas(len(shown), 2.4) as (figure, panels):
        for axes, side in zip(panels, shown, strict=True):
            by_tail = {tail: choose(of_measure, "winner_changes", side, tail_of_sets=tail) for tail in tails}
            for style, length in zip(LINES, lengths, strict=False):
                line = [(tail, e) for tail, series in by_tail.items() for e in series if e.sets == length]
                axes.plot([0, line[0][0]], [0, 100 * line[0][1].mean], color=style["color"], linewidth=0.7)
                draw_line(axes, [e for _, e in line], f"{length} sets", style, x=[tail for tail, _ in line])
            axes.set_title(side.label, loc="left", style="italic")
            label_axes(axes, "winner changes, %", [0, *tails], x="tail of sets, points")
            series = {f"tail of {tail}": found for tail, found in by_tail.items()}
            tables.append(by_sets(series, side.label))
        legend_above(figure, panels[0])
        svg = render(figure, "size-of-tail", "Line charts: how often tails of other sizes change the winner.")
    return Figure(
        "size-of-tail",
        "A smaller or a larger tail",
        "The same share for tails of other sizes, each compared with no tail at all, in matches of "
        f"{in_words(lengths)} sets. Without a tail it is nought by definition.",
        svg,
        tuple(tables),
    )


def variance_shares(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure | None:
    """What the spread of the result consists of, stacked, by number of sets."""
    found = {
        side: {label: choose(estimates, measure, side) for measure, label, _, _ in STACK} for side in shown
    }
    found = {side: series for side, series in found.items() if all(series.values())}
    if not found:
        return None
    with canvas(len(found), 2.5) as (figure, panels):
        for axes, (side, series) in zip(panels, found.items(), strict=True):
            draw_stack(axes, series)
            axes.set_title(side.label, loc="left", style="italic")
            label_axes(axes, "share of variance, %", ticks_of(series.values()))
        legend_above(figure, panels[0], reverse=True)
        svg = render(figure, "variance", "Stacked bars: parts of the variance of the final result.")
    return Figure(
        "variance",
        "What the spread of the result is made of",
        "Results differ from match to match; how much of that spread (the variance of the exact result) "
        "comes from each part of the settlement. The parts add up to the whole. The share of a part is its "
        "covariance with the result, divided by the variance of the result; it is below nought where the "
        "part mostly works against the rest.",
        svg,
        tuple(by_sets(series, side.label) for side, series in found.items()),
    )


def leader_loses(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure | None:
    """How often the leader on points before the payment of the sets is not the winner after it."""
    series = per_side(estimates, "leader_loses", shown)
    with_draws = per_side(estimates, "leader_overturned", shown)
    if not series:
        return None
    with canvas(1, 3.0) as (figure, (axes,)):
        for beside, (label, found) in dodged(series):
            draw_line(axes, found, label, **beside)
        label_axes(axes, "leader loses, % of matches", ticks_of(series.values()))
        legend_above(figure, axes)
        svg = render(figure, "leader", "Line chart: how often the payment of the sets overturns the leader.")
    columns = series | {f"{label}, draws counted": found for label, found in with_draws.items()}
    return Figure(
        "leader",
        "The leader on points loses when the sets are paid",
        "Share of matches in which the player ahead on points and tokens, before the sets are paid, has "
        "lost after the payment. In the table also the share in which the result is any other than before, "
        "draws counted.",
        svg,
        (by_sets(columns),),
    )


def tail_of_tokens(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure | None:
    """How much of the effect the tail of tokens takes back, a panel for each pair of players."""
    of_measure = estimates.loc[estimates["measure"] == "winner_changes"]
    tokens = sorted({int(number) for number in of_measure["tokens_per_set"]})
    if len(tokens) < 2:
        return None
    tables = []
    with canvas(len(shown), 2.4) as (figure, panels):
        for axes, side in zip(panels, shown, strict=True):
            series = {
                token_words(number): choose(of_measure, "winner_changes", side, tokens_per_set=number)
                for number in tokens
            }
            for beside, (label, line) in dodged(series):
                draw_line(axes, line, label, **beside)
            axes.set_title(side.label, loc="left", style="italic")
            label_axes(axes, "winner changes, %", ticks_of(series.values()))
            more = {
                "taken back by the tokens": choose(estimates, "token_tail_relief", side),
                "the two tails go to different players": choose(estimates, "tails_opposed", side),
            }
            tables.append(by_sets(series | {name: part for name, part in more.items() if part}, side.label))
        legend_above(figure, panels[0])
        svg = render(figure, "tokens", "Line charts: the tail curve with and without the tail of tokens.")
    return Figure(
        "tokens",
        "With and without the tail of tokens",
        f"Share of matches whose winner changes with the {tail_words(shown)}, when the leader on points "
        "also takes the tokens laid out for the sets, and when no tokens are laid out.",
        svg,
        tuple(tables),
    )


def per_side(estimates: pd.DataFrame, measure: str, shown: Sequence[Side]) -> dict[str, list[Estimate]]:
    """A measure under each rule set's own settlement, by the label of its players."""
    found = {side.label: choose(estimates, measure, side) for side in shown}
    return {label: series for label, series in found.items() if series}


def tail_words(shown: Sequence[Side]) -> str:
    """`tail of 20`; without the number where rule sets differ."""
    tails = {side.tail_of_sets for side in shown}
    return f"tail of {tails.pop()}" if len(tails) == 1 else "tail of sets"


def unit_words(shown: Sequence[Side]) -> str:
    """`tens`; without the number where rule sets differ."""
    units = {side.round_unit for side in shown if side.round_unit}
    if len(units) != 1:
        return "whole units"
    unit = units.pop()
    return "tens" if unit == 10 else f"multiples of {unit}"


def legend_above(figure: Canvas, axes: Axes, *, reverse: bool = False) -> None:
    """One legend for all panels, above them, where it hides nothing."""
    from matplotlib.lines import Line2D

    entries = list(zip(*axes.get_legend_handles_labels(), strict=True))
    entries = entries[::-1] if reverse else sorted(entries, key=lambda entry: isinstance(entry[0], Line2D))
    columns = 2 if max(len(label) for _, label in entries) < 20 else 1  # more would not fit beside each other
    handles, labels = zip(*entries, strict=True)
    figure.legend(handles, labels, loc="outside upper left", ncols=columns)


def draw_reference(axes: Axes, series: list[Estimate], colour: str) -> None:
    """An exact curve: dotted, without marks."""
    axes.plot([e.sets for e in series], [100 * e.mean for e in series], color=colour, linestyle=DOTS)


DRAWN = (tail_curve, size_of_tail, variance_shares, leader_loses, tail_of_tokens)
"""The figures in the order of the page."""


def dodged(series: dict[str, list[Estimate]]) -> Iterator[tuple[dict[str, Any], tuple[str, list[Estimate]]]]:
    """Each series with its style and a small step aside, so that intervals do not cover one another."""
    middle = (len(series) - 1) / 2
    for place, (style, item) in enumerate(zip(LINES, series.items(), strict=False)):
        yield {"style": style, "aside": 0.28 * (place - middle)}, item


def draw_line(
    axes: Axes,
    series: list[Estimate],
    label: str,
    style: dict[str, Any],
    *,
    x: list[int] | None = None,
    aside: float = 0.0,
) -> None:
    """Means as a line with marks, intervals as bars, in per cent."""
    mean = [100 * e.mean for e in series]
    below = [100 * max(0.0, e.mean - e.low) for e in series]
    above = [100 * max(0.0, e.high - e.mean) for e in series]
    where = [place + aside for place in (x if x is not None else [e.sets for e in series])]
    axes.errorbar(where, mean, yerr=(below, above), label=label, capsize=1.8, elinewidth=0.8, **style)


def draw_stack(axes: Axes, series: dict[str, list[Estimate]]) -> None:
    """Bars one upon another, negative parts below the line."""
    rising: dict[int, float] = {}
    falling: dict[int, float] = {}
    for (_, label, colour, hatch), part in zip(STACK, series.values(), strict=True):
        bottoms = []
        for e in part:
            heap = rising if e.mean >= 0 else falling
            bottoms.append(heap.get(e.sets, 0.0))
            heap[e.sets] = bottoms[-1] + 100 * e.mean
        axes.bar(
            [e.sets for e in part],
            [100 * e.mean for e in part],
            bottom=bottoms,
            width=1.5,
            label=label,
            color=colour,
            hatch=hatch,
            edgecolor=INK,
            linewidth=0.5,
        )


def label_axes(axes: Axes, y: str, ticks: list[int], x: str = "sets in the match") -> None:
    """Name both axes; ticks where there are numbers."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_xticks(ticks)


def ticks_of(series: Any) -> list[int]:
    """Numbers of sets that occur, every second one left out where they would crowd."""
    lengths = sorted({e.sets for line in series for e in line})
    return [k for k in lengths if k % 4 == 0 or k == lengths[0]] if len(lengths) > 8 else lengths


def token_words(number: int) -> str:
    """`no tokens`, `2 tokens a set`."""
    return {0: "no tokens", 1: "1 token a set"}.get(number, f"{number} tokens a set")


@contextmanager
def canvas(panels: int, height: float) -> Iterator[tuple[Canvas, list[Axes]]]:
    """A figure of panels one above another, in the style of the reports, without a window."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as MatplotlibFigure

    style: Any = {**matplotlib.rcParamsDefault, **STYLE}
    with matplotlib.rc_context(style):
        figure = MatplotlibFigure(figsize=(WIDTH, height * panels), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.subplots(panels, 1, squeeze=False, sharey=True)
        yield figure, [row[0] for row in axes]


def render(figure: Canvas, key: str, alt: str) -> str:
    """The figure as SVG to stand inside a page: no date, no prologue, its own names for its parts."""
    lowest = min(axes.dataLim.y0 for axes in figure.axes)
    figure.axes[0].set_ylim(bottom=min(0.0, lowest))  # shared by all panels, once all of them are drawn
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{key}-', svg)
    svg = re.sub(r'\b(?:xlink:)?href="#', f'href="#{key}-', svg)
    svg = svg.replace("url(#", f"url(#{key}-")
    opening = re.search(r'viewBox="[^"]*"', svg)
    assert opening is not None
    head = f'<svg role="img" aria-label="{alt}" width="100%" {opening[0]}>'
    return head + svg[svg.index(">") + 1 :].rstrip()


def standalone(figure: Figure) -> str:
    """The picture as a file of its own, on a light ground."""
    ground = '<rect width="100%" height="100%" fill="#fffefb"/>'
    svg = figure.svg.replace('width="100%"', 'xmlns="http://www.w3.org/2000/svg"', 1)
    end = svg.index(">") + 1
    return svg[:end] + ground + svg[end:] + "\n"
