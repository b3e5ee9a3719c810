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

from simkit.report.numbers import Estimate, Side, Table, choose

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


def per_side(estimates: pd.DataFrame, measure: str, shown: Sequence[Side]) -> dict[str, list[Estimate]]:
    """A measure under each rule set's own settlement, by the label of its players."""
    found = {side.label: choose(estimates, measure, side) for side in shown}
    return {label: series for label, series in found.items() if series}


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


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Name the rows of a panel that reads like a table, the first on top, and rule it upright."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.grid(visible=True, axis="x")
    axes.tick_params(axis="y", length=0)


def label_axes(axes: Axes, y: str, ticks: list[int], x: str = "sets in the match") -> None:
    """Name both axes; ticks where there are numbers."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_xticks(ticks)


def ticks_of(series: Any) -> list[int]:
    """Numbers of sets that occur, every second one left out where they would crowd."""
    lengths = sorted({e.sets for line in series for e in line})
    return [k for k in lengths if k % 4 == 0 or k == lengths[0]] if len(lengths) > 8 else lengths


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


def render(figure: Canvas, key: str, alt: str, *, from_nought: bool = True) -> str:
    """The figure as SVG to stand inside a page: no date, no prologue, its own names for its parts.

    `from_nought`: the vertical axis counts something and begins at nought, or below where there are numbers.
    """
    if from_nought:
        lowest = min(axes.dataLim.y0 for axes in figure.axes)
        figure.axes[0].set_ylim(bottom=min(0.0, lowest))  # shared by all panels, once all of them are drawn
    text = io.StringIO()
    _draw(figure, text)
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


def _draw(figure: Canvas, text: io.StringIO) -> None:
    """Draw on no ground, once: `savefig` would draw all twice, the first time only to lay it out."""
    for patch in (figure.patch, *(axes.patch for axes in figure.axes)):
        patch.set(facecolor="none", edgecolor="none")
    figure.canvas.print_svg(text, metadata={"Date": None, "Creator": None})  # type: ignore[attr-defined]


def standalone(figure: Figure) -> str:
    """The picture as a file of its own, on a light ground."""
    ground = '<rect width="100%" height="100%" fill="#fffefb"/>'
    svg = figure.svg.replace('width="100%"', 'xmlns="http://www.w3.org/2000/svg"', 1)
    end = svg.index(">") + 1
    return svg[:end] + ground + svg[end:] + "\n"
