"""Figures of a report: inline SVG, the same bytes for the same numbers, each with its table.

Colours are those of Okabe and Ito, told apart without colour by line, marker and hatch. Drawn at the width of
a telephone, so that enlarging is all a wide screen has to do.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simkit.report.numbers import Estimate, Table, by_sets, choose, in_words, sides

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
}


@dataclass(frozen=True)
class Figure:
    """A picture with what it says, in words and in numbers."""

    key: str
    title: str
    caption: str
    svg: str
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class Base:
    """The settlement of the rule set itself, beside which the others are set."""

    tail_of_sets: int
    tokens_per_set: int


def all_figures(estimates: pd.DataFrame, base: Base) -> tuple[Figure, ...]:
    """Every figure whose measure the run has, the tail curve first.

    Parameters
    ----------
    estimates : pandas.DataFrame
        The table of a run.
    base : Base
        Tails of the rule set.
    """
    drawn = (
        tail_curve(estimates, base),
        size_of_tail(estimates, base),
        variance_shares(estimates, base),
        leader_loses(estimates, base),
        tail_of_tokens(estimates, base),
    )
    return tuple(figure for figure in drawn if figure is not None)


def tail_curve(estimates: pd.DataFrame, base: Base) -> Figure | None:
    """How often the tail of sets changes the winner, by number of sets and players, beside tossed sets."""
    series = per_side(estimates, "winner_changes", base)
    tossed = per_side(estimates, "winner_changes_tossed", base)
    if not series:
        return None
    with canvas(1, 3.1) as (figure, (axes,)):
        for style, (label, found) in zip(LINES, series.items(), strict=False):
            draw_line(axes, found, label, style)
        for style, found in zip(LINES, tossed.values(), strict=False):
            draw_reference(axes, found, style["color"])
        label_axes(axes, "winner changes, % of matches", ticks_of(series.values()))
        if tossed:
            axes.plot([], [], color=INK, linestyle=DOTS, label="the same, sets tossed (exact)")
        axes.legend(loc="best")
        svg = render(
            figure, "tail-curve", f"Line chart: how often a tail of {base.tail_of_sets} changes the winner."
        )
    columns = series | {f"{label}, sets tossed": found for label, found in tossed.items()}
    reference = (
        " Dotted: the exact curve if every set were won by the toss of a coin and were worth what the sets "
        "of these players were worth."
    )
    return Figure(
        "tail-curve",
        f"How often the tail of {base.tail_of_sets} changes the winner",
        "Share of matches whose winner with the tail of sets differs from the winner of the same match "
        "without it, against the number of sets. A drawn match counts as a result of its own. Bars are 95 % "
        "intervals, often smaller than the mark." + (reference if tossed else ""),
        svg,
        (by_sets(columns),),
    )


def size_of_tail(estimates: pd.DataFrame, base: Base) -> Figure | None:
    """The same share against the size of the tail, at a few lengths, a panel for each pair of players."""
    of_measure = estimates.loc[estimates["measure"] == "winner_changes"]
    tails = sorted({0, *(int(tail) for tail in of_measure["tail_of_sets"])})
    lengths = [k for k in (4, 8, 12, 24) if k in set(of_measure["sets"])]
    shown = sides(of_measure)
    if len(tails) < 3 or not lengths:
        return None
    tables = []
    with canvas(len(shown), 2.4) as (figure, panels):
        for axes, side in zip(panels, shown, strict=True):
            by_tail = {
                tail: choose(
                    of_measure, "winner_changes", side, tail_of_sets=tail, tokens_per_set=base.tokens_per_set
                )
                for tail in tails[1:]
            }
            for style, length in zip(LINES, lengths, strict=True):
                line = [(tail, e) for tail, series in by_tail.items() for e in series if e.sets == length]
                axes.plot([0, line[0][0]], [0, 100 * line[0][1].mean], color=style["color"], linewidth=0.7)
                draw_line(axes, [e for _, e in line], f"{length} sets", style, x=[tail for tail, _ in line])
            axes.set_title(side.label(), loc="left", style="italic")
            label_axes(axes, "winner changes, %", tails, x="tail of sets, points")
            tables.append(
                by_sets({f"tail of {tail}": series for tail, series in by_tail.items()}, side.label())
            )
        panels[0].legend(loc="upper left")
        svg = render(figure, "size-of-tail", "Line charts: how often tails of other sizes change the winner.")
    return Figure(
        "size-of-tail",
        "A smaller or a larger tail",
        "The same share for tails of other sizes, each compared with no tail at all, in matches of "
        f"{in_words(lengths)} sets. Without a tail it is nought by definition.",
        svg,
        tuple(tables),
    )


def variance_shares(estimates: pd.DataFrame, base: Base) -> Figure | None:
    """What the spread of the result consists of, stacked, by number of sets."""
    found = {
        side: {label: choose(estimates, measure, side, **vars(base)) for measure, label, _, _ in STACK}
        for side in sides(estimates)
    }
    found = {side: series for side, series in found.items() if all(series.values())}
    if not found:
        return None
    with canvas(len(found), 2.5) as (figure, panels):
        for axes, (side, series) in zip(panels, found.items(), strict=True):
            draw_stack(axes, series)
            axes.set_title(side.label(), loc="left", style="italic")
            label_axes(axes, "share of variance, %", ticks_of(series.values()))
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles[::-1], labels[::-1], loc="outside upper left", ncols=2)
        svg = render(figure, "variance", "Stacked bars: parts of the variance of the final result.")
    return Figure(
        "variance",
        "What the spread of the result is made of",
        "Share of the variance of the exact result that goes with each part of the settlement (the "
        "covariance of the part with the result, over the variance of the result); the parts add up to the "
        "whole.",
        svg,
        tuple(by_sets(series, side.label()) for side, series in found.items()),
    )


def leader_loses(estimates: pd.DataFrame, base: Base) -> Figure | None:
    """How often the leader on points before the payment of the sets is not the winner after it."""
    series = per_side(estimates, "leader_loses", base)
    with_draws = per_side(estimates, "leader_overturned", base)
    if not series:
        return None
    with canvas(1, 2.7) as (figure, (axes,)):
        for style, (label, found) in zip(LINES, series.items(), strict=False):
            draw_line(axes, found, label, style)
        label_axes(axes, "leader loses, % of matches", ticks_of(series.values()))
        axes.legend(loc="best")
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


def tail_of_tokens(estimates: pd.DataFrame, base: Base) -> Figure | None:
    """How much of the effect the tail of tokens takes back, a panel for each pair of players."""
    found = estimates.loc[
        (estimates["measure"] == "winner_changes") & (estimates["tail_of_sets"] == base.tail_of_sets)
    ]
    tokens = sorted({int(number) for number in found["tokens_per_set"]})
    shown = sides(found)
    if len(tokens) < 2:
        return None
    tables = []
    with canvas(len(shown), 2.4) as (figure, panels):
        for axes, side in zip(panels, shown, strict=True):
            series = {
                token_words(number): choose(
                    found, "winner_changes", side, tail_of_sets=base.tail_of_sets, tokens_per_set=number
                )
                for number in tokens
            }
            for style, (label, line) in zip(LINES, series.items(), strict=False):
                draw_line(axes, line, label, style)
            axes.set_title(side.label(), loc="left", style="italic")
            label_axes(axes, "winner changes, %", ticks_of(series.values()))
            relief = choose(estimates, "token_tail_relief", side, **vars(base))
            opposed = choose(estimates, "tails_opposed", side, **vars(base))
            more = {"taken back by the tokens": relief, "the two tails go to different players": opposed}
            tables.append(by_sets(series | {name: part for name, part in more.items() if part}, side.label()))
        panels[0].legend(loc="best")
        svg = render(figure, "tokens", "Line charts: the tail curve with and without the tail of tokens.")
    return Figure(
        "tokens",
        "With and without the tail of tokens",
        f"Share of matches whose winner changes with the tail of {base.tail_of_sets}, when the leader on "
        "points also takes the tokens laid out for the sets, and when no tokens are laid out.",
        svg,
        tuple(tables),
    )


def per_side(estimates: pd.DataFrame, measure: str, base: Base) -> dict[str, list[Estimate]]:
    """A measure under the rule set's own settlement, by the label of its players."""
    found = {side.label(): choose(estimates, measure, side, **vars(base)) for side in sides(estimates)}
    return {label: series for label, series in found.items() if series}


def draw_reference(axes: Axes, series: list[Estimate], colour: str) -> None:
    """An exact curve: dotted, without marks."""
    axes.plot([e.sets for e in series], [100 * e.mean for e in series], color=colour, linestyle=DOTS)


def draw_line(
    axes: Axes, series: list[Estimate], label: str, style: dict[str, Any], x: list[int] | None = None
) -> None:
    """Means as a line with marks, intervals as bars, in per cent."""
    mean = [100 * e.mean for e in series]
    below = [100 * (e.mean - e.low) for e in series]
    above = [100 * (e.high - e.mean) for e in series]
    where = x if x is not None else [e.sets for e in series]
    axes.errorbar(where, mean, yerr=(below, above), label=label, capsize=2, elinewidth=0.9, **style)


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
    """Name both axes; ticks where there are numbers, the floor at nought."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_xticks(ticks)
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0] if axes.get_ylim()[0] < -1 else 0.0))


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
