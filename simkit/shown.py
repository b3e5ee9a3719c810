"""A run as a notebook shows it: the mean of every measure of its matches, as a table and as a figure."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from simkit import charts
from simkit.analysis import measures
from simkit.analysis.comparison import mean_of
from simkit.analysis.measure import name_of
from simkit.analysis.tallies import Tally
from simkit.arguments import said
from simkit.dataset import Run, doubted, without_rows
from simkit.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class ShownRun(Run):
    """A run folder, open for reading, that shows itself in a notebook."""

    @classmethod
    def of(cls, run: Run) -> Self:
        """The same run."""
        return cls(
            run.folder,
            run.name,
            run.plays,
            run.parts,
            run.new_matches,
            run.rows_in,
            run.limits,
            run.dice,
            run.fresh,
        )

    def first(self, matches: Sequence[int]) -> ShownRun:
        """The same run with the first so many matches of each play, and nothing of the others."""
        return ShownRun.of(super().first(matches))

    @cached_property
    def summary(self) -> pd.DataFrame:
        """The mean of a match by every measure, as `simkit.compare` takes them: a row per play and measure.

        Columns: `play`, in words; `measure`, `unit`; `n`, whole matches (of pools, pools); `mean`, `low`, `high`
        at `level`, by `method`; `signed`, whether the number may be below 0. It is reckoned from the rows when
        first asked for; matches that were cut are left out.

        Raises
        ------
        UsageError
            The run holds no rows.
        """
        import pandas as pd

        if not any(self.counts):
            raise UsageError(without_rows(self))
        with doubted(self):
            rows = [row for place, count in enumerate(self.counts) if count for row in self._rows(place)]
        return pd.DataFrame(rows)

    def figure(self, *names: str) -> Figure:
        """Draw the means of a match with their intervals, a panel for each unit; a notebook shows it.

        `names`: measures, all of them if none is named. A `matplotlib.figure.Figure`.

        Raises
        ------
        UsageError
            The run holds no rows, or its matches have no such measure.
        """
        held = list(dict.fromkeys(self.summary["measure"]))
        if unknown := [name for name in names if not isinstance(name, str) or name not in held]:
            raise UsageError(
                f"measure {said(unknown[0])}: what these matches are measured by is {', '.join(held)}"
            )
        shown = self.summary[self.summary["measure"].isin(names or held)]
        panels = []
        for unit, rows in shown.groupby("unit", sort=False):
            labels = [
                measure if len(self.plays) == 1 else f"{measure}, {play}"
                for measure, play in zip(rows["measure"], rows["play"], strict=True)
            ]
            mean, low, high = (list(rows[end]) for end in ("mean", "low", "high"))
            signed = bool(rows["signed"].any())
            panels.append(charts.Panel(str(unit), labels, mean, low, high, nought=signed))
        return charts.intervals(panels)

    def _repr_html_(self) -> str:
        held = f"<p>{html.escape(repr(self))}</p>"
        if not any(self.counts):
            return held
        columns = ["play"] * (len(self.plays) > 1) + ["measure", "unit", "n", "mean", "low", "high"]
        return held + str(
            self.summary[columns].to_html(index=False, float_format=lambda number: f"{number:.4g}")
        )

    def _rows(self, place: int) -> Iterator[dict[str, Any]]:
        """The rows of `summary` of one play."""
        play = self.plays[place]
        asked = measures.of_match(play.rules)
        tallies = {one.name: Tally() for one in asked}
        for block in measures.measured(self, place, (play.rules,)):
            whole = block["whole"]
            for name, tally in tallies.items():
                tally.add(block["match_id"][whole], block[name_of(0, name)][whole])
        for one in asked:
            found = mean_of(tallies[one.name], one)
            yield {
                "play": play.title,
                "measure": one.name,
                "unit": one.unit,
                **{name: getattr(found, name) for name in ("n", "mean", "low", "high", "level", "method")},
                "signed": one.signed,
            }
