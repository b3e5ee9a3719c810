"""Whether numbers in a table of estimates can stand beside one another, whatever they were estimated from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from simkit.dataset.parquet import read_frame
from simkit.dataset.schema import ESTIMATES

if TYPE_CHECKING:
    import pandas as pd

SLACK: Final = 1e-9
"""Of the larger of two numbers: sums of floats differ in their last digits."""
SHARES: Final = ("Wilson", "Clopper-Pearson")
"""What methods begin with whose numbers are shares from 0 to 1."""
OF_A_NUMBER: Final = "share of the "
"""What units begin with that are ratios of numbers, which need not be below 1; other shares are of cases."""


def estimate_faults(path: Path) -> Iterator[str]:
    """Say what cannot be in a file of estimates.

    Raises
    ------
    VerificationFailed
        It cannot be read, or has values that no number may have by itself.
    """
    rows = read_frame([path], ESTIMATES)
    yield from number_faults(rows)


def number_faults(rows: pd.DataFrame) -> Iterator[str]:
    """Say what cannot be in a table of estimates: numbers named twice, or that do not go together."""
    twice = int(rows.astype(object).duplicated(list(ESTIMATES.key)).sum())
    if twice:
        yield f"names {twice} numbers twice"
    mean, se, low, high, level = (
        rows[name].to_numpy(np.float64, na_value=np.nan) for name in ("mean", "se", "low", "high", "level")
    )
    method, unit = rows["method"].astype(str), rows["unit"].astype(str)
    slack = SLACK * np.fmax(1.0, np.fmax(np.fabs(low), np.fabs(high)))
    shares = method.str.startswith(SHARES).to_numpy()
    cases = (unit.str.startswith("share of ") & ~unit.str.startswith(OF_A_NUMBER)).to_numpy()
    ends = np.isnan(low).astype(int) + np.isnan(high)
    with np.errstate(invalid="ignore"):  # what is not there compares as no fault
        found = {
            "low is above high": low > high + slack,
            "mean is below low": mean < low - slack,
            "mean is above high": mean > high + slack,
            "se is below 0": se < 0,
            "level is not between 0 and 1": (level <= 0) | (level >= 1),
            "low or high stands alone": ends == 1,
            "an interval has no mean": (ends < 2) & np.isnan(mean),
            "mean or se is infinite": np.isinf(mean) | np.isinf(se),
            "a share is not from 0 to 1": shares
            & ((np.fmin(mean, low) < -SLACK) | (np.fmax(mean, high) > 1 + SLACK)),
            "a share, or a difference of two, is beyond 1": cases & (np.fabs(mean) > 1 + SLACK),
        }
    for words, wrong in found.items():
        if places := np.flatnonzero(wrong).tolist():
            more = f", and of {len(places) - 1} others" if len(places) > 1 else ""
            yield f"{words}: {_name(rows, places[0])}{more}"


def _name(rows: pd.DataFrame, place: int) -> str:
    """A line by its key, without what is not there."""
    values = rows.iloc[place][list(ESTIMATES.key)].dropna()
    return ", ".join(str(value) for value in values if value != "")
