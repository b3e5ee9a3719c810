"""Figures for a notebook: numbers with their intervals, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, BLUE = "#222222", "#0072B2"


@dataclass(frozen=True)
class Panel:
    """One axis and its rows: names, means, and the ends of their intervals, all in one unit."""

    axis: str
    names: Sequence[str]
    mean: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    nought: bool = False
    """Whether a line marks nought, as for differences."""


def intervals(panels: Sequence[Panel]) -> Figure:
    """Draw panels one above another; a `matplotlib.figure.Figure`, which a notebook shows by itself."""
    from matplotlib.figure import Figure

    heights = [len(panel.names) + 1.5 for panel in panels]
    figure = Figure(figsize=(6.5, 0.6 + 0.32 * sum(heights)), layout="constrained")
    rows = figure.subplots(len(panels), 1, squeeze=False, gridspec_kw={"height_ratios": heights})
    for panel, (axes,) in zip(panels, rows, strict=True):
        places = range(len(panel.names))
        axes.hlines(places, panel.low, panel.high, color=BLUE, linewidth=1.4)
        axes.plot(panel.mean, places, "o", color=BLUE, markersize=5)
        if panel.nought:
            axes.axvline(0, color=INK, linewidth=0.7, linestyle=(0, (4, 3)))
        axes.set_yticks(places, panel.names)
        axes.set_ylim(len(panel.names) - 0.4, -0.6)  # the first on top, as in a table
        axes.set_xlabel(panel.axis)
        axes.grid(axis="x", color="#d8d5cc", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    return figure
