"""One number with its interval and what it is about; rows of the table `estimates`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simkit.analysis.intervals import Interval

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "measure",
    "rules",
    "player_1",
    "player_2",
    "sets",
    "tail_of_sets",
    "tokens_per_set",
    "contrast",
    "detail",
    "unit",
    "n",
    "mean",
    "se",
    "low",
    "high",
    "level",
    "method",
)


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What a measure found, of one rule set and pair of players."""

    measure: str
    """Name of the number, as the measure that makes it explains."""
    sets: int | None = None
    """Length of the match it is about; None where it has none."""
    tail_of_sets: int | None = None
    """Tail of sets under which the play was settled, in points; None where it plays no part."""
    tokens_per_set: int | None = None
    """Tokens per set under which the play was settled; None where they play no part."""
    contrast: str = ""
    """What it is compared with, on the same play; empty when it stands alone."""
    detail: str = ""
    """Which of several of its kind: a figure, a score, a quantile, a field and its value; else empty."""
    unit: str
    """What the number counts."""
    interval: Interval
    """The number itself."""


def frame(estimates: Iterable[Estimate], rules: str, player_1: str, player_2: str) -> pd.DataFrame:
    """Make the rows of one rule set and player pair into a pandas frame with the columns `COLUMNS`."""
    import pandas as pd

    rows = [
        {
            "measure": one.measure,
            "rules": rules,
            "player_1": player_1,
            "player_2": player_2,
            "sets": one.sets,
            "tail_of_sets": one.tail_of_sets,
            "tokens_per_set": one.tokens_per_set,
            "contrast": one.contrast,
            "detail": one.detail or None,
            "unit": one.unit,
            "n": one.interval.n,
            "mean": one.interval.mean,
            "se": one.interval.se,
            "low": one.interval.low,
            "high": one.interval.high,
            "level": one.interval.level,
            "method": one.interval.method,
        }
        for one in estimates
    ]
    whole = {"sets": "Int16", "tail_of_sets": "Int32", "tokens_per_set": "Int16", "n": "int64"}
    numbers = dict.fromkeys(("mean", "se", "low", "high", "level"), "float64")
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(whole | numbers)


def part(frame: pd.DataFrame, rules: str, player_1: str, player_2: str) -> pd.DataFrame:
    """Choose the rows of one rule set and player pair."""
    wanted = {"rules": rules, "player_1": player_1, "player_2": player_2}
    for column, value in wanted.items():
        frame = frame.loc[frame[column] == value]
    return frame


def estimates(frame: pd.DataFrame) -> list[Estimate]:
    """Read the rows of a frame with the columns `COLUMNS` back; rule set and players are left out."""
    columns = [frame[name].astype(object).where(frame[name].notna(), None) for name in COLUMNS]
    found = []
    for values in zip(*columns, strict=True):
        row = dict(zip(COLUMNS, values, strict=True))
        numbers = {
            name: math.nan if row[name] is None else float(row[name])
            for name in ("mean", "se", "low", "high", "level")
        }
        found.append(
            Estimate(
                measure=str(row["measure"]),
                sets=row["sets"],
                tail_of_sets=row["tail_of_sets"],
                tokens_per_set=row["tokens_per_set"],
                contrast=row["contrast"] or "",
                detail=row["detail"] or "",
                unit=str(row["unit"]),
                interval=Interval(n=int(row["n"]), method=str(row["method"]), **numbers),
            )
        )
    return found
