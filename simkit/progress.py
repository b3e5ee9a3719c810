"""How far a run is: on a terminal a bar, elsewhere one plain line per round, always on stderr.

Both say what has been played, how fast, how long it will take, and where the estimate stands.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import isfinite, nan, sqrt
from typing import IO, Any, NamedTuple, TypeAlias

from numpy.typing import NDArray

Columns: TypeAlias = Mapping[str, NDArray[Any]]


class Estimate(NamedTuple):
    """A number on its way: what it is, where it stands, half the width of its 95 % interval."""

    label: str
    value: float
    half_width: float

    def __str__(self) -> str:
        width = f" ± {self.half_width:.4f}" if isfinite(self.half_width) else ""
        return f"{self.label} {self.value:.4f}{width}"


Monitor: TypeAlias = Callable[[int, Columns, Columns], Estimate | None]
"""Called with the play's place and its new rows of `matches` and `sets`, whole matches in order; returns
where the estimate stands. It sees what is played now, not what the folder held before."""


class SharesWon:
    """The monitor of a run without a question: the share of its sets that player 1 wins.

    It is a mean over matches, of those with a set that somebody won; sets of one match are not independent.

    Parameters
    ----------
    units : sequence of str
        What each play is won by: "sets", "parties" or "games".
    """

    def __init__(self, units: Sequence[str]) -> None:
        self._units = units
        self._sums = [(0, 0.0, 0.0)] * len(units)

    def __call__(self, play: int, matches: Columns, sets: Columns) -> Estimate | None:
        """Take new matches of a play into account."""
        column = "games_won" if self._units[play] == "games" else "sets_won"
        won, lost = (matches[f"{column}_{player}"].astype("float64") for player in (1, 2))
        decided = won + lost > 0
        shares = won[decided] / (won + lost)[decided]
        count, total, squares = self._sums[play]
        n = count + int(shares.size)
        total, squares = total + float(shares.sum()), squares + float((shares * shares).sum())
        self._sums[play] = n, total, squares
        if n == 0:
            return None
        spread = squares - total * total / n
        half_width = 1.96 * sqrt(spread / (n - 1) / n) if n > 1 and spread > 1e-9 else nan
        return Estimate(f"share of {self._units[play]} won by player 1", total / n, half_width)


class Reporter:
    """A reporter that says nothing; the others say it on their stream."""

    def begin(self, total: int, done: int) -> None:
        """A run starts: matches wanted in all, matches held already."""

    def show(self, done: int, title: str, estimate: Estimate | None) -> None:
        """A round is published: matches held now, the play it belongs to, where its estimate stands."""

    def note(self, text: str) -> None:
        """Something worth a line of its own."""

    def end(self) -> None:
        """The run has ended, well or not."""


class LineReporter(Reporter):
    """One plain line per round, for logs and pipes.

    Parameters
    ----------
    stream : text file
        Where the lines go; stderr if not given.
    clock : callable
        Seconds, from any start.
    """

    def __init__(self, stream: IO[str] | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._total = self._held = 0
        self._start = clock()

    def begin(self, total: int, done: int) -> None:
        self._total, self._held, self._start = total, done, self._clock()

    def show(self, done: int, title: str, estimate: Estimate | None) -> None:
        seconds = self._clock() - self._start
        played = done - self._held
        words = [f"{done:,} of {self._total:,} matches"]
        if seconds > 0 and played > 0:
            left = (self._total - done) * seconds / played
            words += [f"{played / seconds:,.0f} matches/s", f"{duration(left)} left"]
        if estimate is not None:
            words.append(f"{title}: {estimate}")
        self.note("  ".join(words))

    def note(self, text: str) -> None:
        stream = self._stream or sys.stderr
        if stream is not None:
            with suppress(OSError):  # a log that cannot be written is no reason to stop a run
                print(text, file=stream, flush=True)


class BarReporter(Reporter):
    """A bar on a terminal, by rich."""

    def __init__(self, stream: IO[str] | None = None) -> None:
        from rich.console import Console, RenderableType
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
        from rich.text import Text

        class TwoLines(Progress):
            """The bar, and the estimate beneath it, where a narrow terminal has room for both."""

            def get_renderables(self) -> Iterable[RenderableType]:
                yield from super().get_renderables()
                yield from (Text(task.fields["estimate"]) for task in self.tasks)

        self._progress = TwoLines(
            BarColumn(bar_width=16),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} matches"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            console=Console(file=stream or sys.stderr),
        )
        self._task: Any = None
        self._held = 0
        self._start = 0.0

    def begin(self, total: int, done: int) -> None:
        self._held, self._start = done, time.monotonic()
        self._task = self._progress.add_task("", total=total, completed=done, rate="", estimate="")
        self._progress.start()

    def show(self, done: int, title: str, estimate: Estimate | None) -> None:
        rate = (done - self._held) / max(time.monotonic() - self._start, 1e-9)
        self._progress.update(
            self._task,
            completed=done,
            rate=f"{rate:,.0f} matches/s",
            estimate="" if estimate is None else f"{title}: {estimate}",
        )

    def note(self, text: str) -> None:
        self._progress.console.print(text, markup=False, highlight=False)

    def end(self) -> None:
        with suppress(OSError):  # the terminal may have gone
            self._progress.stop()


def reporter(*, quiet: bool = False) -> Reporter:
    """The reporter that suits stderr: a bar on a terminal, lines elsewhere, nothing if `quiet`."""
    if quiet:
        return Reporter()
    terminal = sys.stderr is not None and sys.stderr.isatty()
    return BarReporter() if terminal else LineReporter()


def duration(seconds: float) -> str:
    """A time in the two units that matter: `42 s`, `3 min 05 s`, `2 h 10 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
