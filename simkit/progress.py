"""How far a run is: on a terminal a bar, elsewhere one plain line per round, always on stderr.

Both say what has been played, how fast, how long it will take, and where the estimate stands. Speed is told from
the second round on.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import isfinite, nan, sqrt
from os.path import commonpath
from pathlib import Path
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
        What each play is won by: "sets", "parties", "games" or "pools"; "turns" for sets of two sides whose
        players take turns.
    """

    def __init__(self, units: Sequence[str]) -> None:
        self._units = units
        self._sums = [(0, 0.0, 0.0)] * len(units)

    def __call__(self, play: int, matches: Columns, sets: Columns) -> Estimate | None:
        """Take new matches of a play into account; of pools, which nobody wins from anybody, nothing is shown."""
        if self._units[play] == "pools":
            return None
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
        turns = self._units[play] == "turns"
        what = "sets won by side 1" if turns else f"{self._units[play]} won by player 1"
        return Estimate(f"share of {what}", total / n, half_width)


class Reporter:
    """A reporter that says nothing; the others say it on their stream."""

    def begin(self, total: int, done: int) -> None:
        """A run starts: matches wanted in all, matches held already."""

    def show(self, done: int, title: str, estimate: Estimate | None) -> None:
        """A round is published: matches held now, the play it belongs to, where its estimate stands."""

    def complete(self, folder: Path, title: str, matches: int) -> None:
        """Nothing is to be played: a run folder holds so many matches of what is asked for, or more."""
        self.note(f"nothing to play: {folder} holds {matches:,} matches of {title}")

    def flush(self) -> None:
        """Whoever asked has no more to play: say what was kept until now."""

    def note(self, text: str) -> None:
        """Something worth a line of its own."""

    def end(self) -> None:
        """The run has ended, well or not."""


class SummingReporter(Reporter):
    """A reporter that says in one line which folders had nothing to play, when it is flushed."""

    def __init__(self) -> None:
        self._complete: list[tuple[Path, str, int]] = []

    def complete(self, folder: Path, title: str, matches: int) -> None:
        self._complete.append((folder, title, matches))

    def flush(self) -> None:
        if len(self._complete) == 1:
            super().complete(*self._complete[0])
        elif self._complete:
            below = commonpath([folder.parent for folder, _, _ in self._complete])
            count, matches = len(self._complete), sum(matches for _, _, matches in self._complete)
            self.note(f"nothing to play in {count} folders below {below}, which hold {matches:,} matches")
        self._complete.clear()


class Speed:
    """Matches per second since the end of the first round, which has compilation in it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._first: tuple[float, int] | None = None

    def after(self, done: int) -> float | None:
        """The speed when a round has ended with so many matches; None if it cannot be told yet."""
        now = self._clock()
        if self._first is None:
            self._first = now, done
        seconds, played = now - self._first[0], done - self._first[1]
        return played / seconds if seconds > 0 and played > 0 else None


class LineReporter(SummingReporter):
    """One plain line per round, for logs and pipes.

    Parameters
    ----------
    stream : text file
        Where the lines go; stderr if not given.
    clock : callable
        Seconds, from any start.
    """

    def __init__(self, stream: IO[str] | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._stream = stream
        self._clock = clock
        self._total = 0
        self._speed = Speed(clock)

    def begin(self, total: int, done: int) -> None:
        self._total, self._speed = total, Speed(self._clock)

    def show(self, done: int, title: str, estimate: Estimate | None) -> None:
        words = [f"{done:,} of {self._total:,} matches"]
        if speed := self._speed.after(done):
            words += [f"{speed:,.0f} matches/s", f"{duration((self._total - done) / speed)} left"]
        if estimate is not None:
            words.append(f"{title}: {estimate}")
        self.note("  ".join(words))

    def note(self, text: str) -> None:
        stream = self._stream or sys.stderr
        if stream is not None:
            with suppress(OSError):  # a log that cannot be written is no reason to stop a run
                print(text, file=stream, flush=True)


class BarReporter(SummingReporter):
    """A bar on a terminal, by rich."""

    def __init__(self, stream: IO[str] | None = None) -> None:
        super().__init__()
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
        self._speed = Speed(time.monotonic)

    def begin(self, total: int, done: int) -> None:
        self._speed = Speed(time.monotonic)
        self._task = self._progress.add_task("", total=total, completed=done, rate="", estimate="")
        self._progress.start()

    def show(self, done: int, title: str, estimate: Estimate | None) -> None:
        speed = self._speed.after(done)
        self._progress.update(
            self._task,
            completed=done,
            rate="" if speed is None else f"{speed:,.0f} matches/s",
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
