"""How numbers are printed, in verdicts and on pages: one rule for all of them.

Two decimals below ten and one from ten on; what is smaller than a tenth shows two figures. Shares are
printed in per cent, with thin spaces and a true minus sign. As many digits stand as decide: no end of an interval
looks like a bound, like the other end or like nought that it is not, and no number lies outside its interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

THIN = "\u202f"
MOST_DECIMALS = 4
DECIDING_DECIMALS = 9
"""As many at most where a bound decides."""
LANDMARKS = {"share": (0.5, 1.0), "times": (1.0,)}
"""What the numbers of a unit are read against besides nought: even chances, certainty; no change."""
COUNTED = ("rolls", "settings", "points of a set", "starts", "points to go")
"""Units of whole numbers: quantiles of what was counted."""


def decimals(value: float) -> int:
    """Digits after the point of a number, as it is printed (a share in per cent)."""
    size = abs(value)
    if not 0 < size < 0.1:
        return 1 if size >= 9.995 else 2
    return min(MOST_DECIMALS, 1 - math.floor(math.log10(size)))


def minus(number: float, digits: int) -> str:
    """A number with so many digits after the point, a true minus sign, and no negative nought."""
    text = f"{number:.{digits}f}"
    return text.lstrip("-") if not text.strip("-0.") else text.replace("-", "\u2212")


def percentage(unit: str) -> bool:
    """Whether numbers of this unit are printed in per cent."""
    return unit.startswith("share")


def number(value: float, unit: str) -> str:
    """`12.3 %`, `0.75 %`, `0.012 %`; `1.31`, `60.6` where the unit is no share; `139` counted; a dash for nan."""
    if math.isnan(value):
        return "\u2013"
    if unit in COUNTED:
        return count(value)
    scaled = _scaled(value, unit)
    return minus(scaled, decimals(scaled)) + _sign(unit)


def span(
    mean: float, low: float, high: float, unit: str, *, sign: bool = False, bounds: Sequence[float] = ()
) -> str:
    """`0.46 to 1.23`, with the digits of the mean, and more where an end would look like what it is not.

    That is the other end, nought, a number of `LANDMARKS` or one of `bounds`, which decide something. `sign` adds
    the per cent sign. `no interval` for one that says nothing.
    """
    if math.isnan(low):
        return "no interval"
    if unit in COUNTED:
        return f"{count(low)} to {count(high)}"
    digits = _span_decimals(mean, low, high, unit, bounds)
    low, high = (_scaled(x, unit) for x in (low, high))
    return f"{minus(low, digits)} to {minus(high, digits)}" + (_sign(unit) if sign else "")


def within(mean: float, low: float, high: float, unit: str, *, bounds: Sequence[float] = ()) -> str:
    """A number as `number` prints it, with more digits where it would not lie in its interval as `span` does."""
    if unit in COUNTED or math.isnan(mean) or math.isnan(low):
        return number(mean, unit)
    most = _span_decimals(mean, low, high, unit, bounds)
    mean, low, high = (_scaled(x, unit) for x in (mean, low, high))
    digits = decimals(mean)
    while digits < most and not round(low, most) <= round(mean, digits) <= round(high, most):
        digits += 1
    return minus(mean, digits) + _sign(unit)


def with_span(
    mean: float, low: float, high: float, unit: str, says: str = "", *, bounds: Sequence[float] = ()
) -> str:
    """A number, what it counts and its interval: `3.10 % of matches (2.43 to 3.95 %)`."""
    told = within(mean, low, high, unit, bounds=bounds)
    return " ".join(filter(None, (told, says, f"({span(mean, low, high, unit, sign=True, bounds=bounds)})")))


def _span_decimals(mean: float, low: float, high: float, unit: str, bounds: Sequence[float]) -> int:
    """Digits after the point by which both ends of an interval show on which side of everything they lie."""
    mean, low, high = (_scaled(x, unit) for x in (mean, low, high))
    near = [_scaled(x, unit) for x in (0.0, *_landmarks(unit))]
    deciding = [_scaled(x, unit) for x in bounds]
    digits = decimals(mean)
    while digits < MOST_DECIMALS and (
        any(_alike(x, mark, digits) for x in (low, high) for mark in (*near, *deciding))
        or (low < high and minus(low, digits) == minus(high, digits))
    ):
        digits += 1
    while digits < DECIDING_DECIMALS and any(
        _alike(x, mark, digits) for x in (low, high) for mark in deciding
    ):
        digits += 1
    return digits


def _alike(value: float, mark: float, digits: int) -> bool:
    """Whether a number prints like another, as which it is not."""
    return not math.isclose(value, mark) and float(f"{value:.{digits}f}") == float(f"{mark:g}")


def _landmarks(unit: str) -> tuple[float, ...]:
    return LANDMARKS["share"] if percentage(unit) else LANDMARKS.get(unit, ())


def _scaled(value: float, unit: str) -> float:
    return 100 * value if percentage(unit) else value


def threshold(value: float, unit: str) -> str:
    """A number that somebody chose, as he wrote it: `1 %`, `1.5 times`."""
    return f"{chosen(100 * value)}{THIN}%" if percentage(unit) else f"{chosen(value)} {unit}"


def chosen(value: float) -> str:
    """The same without a unit: `1.5`."""
    return f"{value:g}".replace("-", "\u2212")


def _sign(unit: str) -> str:
    return f"{THIN}%" if percentage(unit) else ""


def count(value: float) -> str:
    """A whole number with thin spaces between thousands."""
    return f"{value:,.0f}".replace(",", THIN)


def in_words(items: Sequence[object]) -> str:
    """`4, 8 and 24`."""
    *most, last = (str(item) for item in items)
    return f"{', '.join(most)} and {last}" if most else last


def lengths_in_words(some: Sequence[int], every: Sequence[int]) -> str:
    """Some of all lengths, in order: `2, 8 to 16 and 24` where 10, 12 and 14 lie between."""
    place = {length: k for k, length in enumerate(sorted(every))}
    runs: list[list[int]] = []
    for length in sorted(some):
        if runs and place[length] == place[runs[-1][-1]] + 1:
            runs[-1].append(length)
        else:
            runs.append([length])
    parts: list[object] = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
    return in_words(parts)
