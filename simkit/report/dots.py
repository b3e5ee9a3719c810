"""A panel that reads like a table: a row for each name, a mark with its interval for each series."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from simkit.report.figures import INK, LINES, Figure, canvas, legend_above, name_rows, render
from simkit.report.numbers import Cell, Estimate, Table, capital, printed_or_empty


def styles() -> Iterator[Mapping[str, Any]]:
    """Five ways to draw a mark, told apart without colour."""
    yield from LINES
    yield {"color": INK, "marker": "v", "linestyle": ""}


def dots(
    series: Mapping[str, Mapping[str, Estimate | None]],
    *,
    key: str,
    title: str,
    caption: str,
    x: str,
    at: float = 0.0,
    scale: float = 1.0,
) -> Figure:
    """Draw a mark for each series in the row of each name, and the numbers as a table.

    `at`: where an upright line stands, with which the numbers are compared; `scale`: by what they are multiplied
    in the drawing, 100 for shares.
    """
    names = list(dict.fromkeys(name for found in series.values() for name in found))
    with canvas(1, 0.9 + 0.2 * len(series) + (0.14 + 0.09 * len(series)) * len(names)) as (figure, (axes,)):
        for place, (style, (label, found)) in enumerate(zip(styles(), series.items(), strict=False)):
            here = [(row, e) for row, name in enumerate(names) if (e := found.get(name)) is not None]
            aside = 0.16 * (place - (len(series) - 1) / 2)
            axes.errorbar(
                [scale * e.mean for _, e in here], [row + aside for row, _ in here],
                xerr=[
                    [max(0.0, scale * (e.mean - e.low)) for _, e in here],
                    [max(0.0, scale * (e.high - e.mean)) for _, e in here],
                ],
                label=label, capsize=1.5, elinewidth=0.8, **{**style, "linestyle": ""},
            )  # fmt: skip
        axes.axvline(scale * at, color=INK, linewidth=0.7)
        name_rows(axes, names)
        axes.set_xlabel(x)
        legend_above(figure, axes)
        svg = render(figure, key, f"Dots: {title}.", from_nought=False)
    rows = tuple(
        (Cell(capital(name)), *(printed_or_empty(found.get(name)) for found in series.values()))
        for name in names
    )
    return Figure(
        key, title, f"{caption} Bars are 95\u202f% intervals.", svg, (Table(("", *series), rows, x),)
    )
