"""Many matches: rounds of chunks over the workers, the same rows whatever their number.

A *chunk* is what a worker plays in one go, some tenth of a second; a *round* is what is published at once, some
seconds of play, the unit of resuming and of stopping. Both follow from what is played, never from the machine.
Workers are joblib's: threads where the players are compiled (the kernel frees the interpreter lock), processes
otherwise, and whatever `joblib.parallel_config` names where somebody has set one, a cluster for instance. They
return columns; only this process writes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol

from numpy.typing import NDArray

from simkit import cluster, stopping
from simkit.dataset import (
    MAX_MATCHES,
    RUN_NAME,
    FolderWriter,
    PlaySpec,
    Run,
    check_path,
    check_plays,
    check_whole,
    finish,
    manifest_fits,
    open_run,
    run_digest,
)
from simkit.errors import UsageError, WorkerLost
from simkit.progress import Estimate, Monitor, Reporter, SharesWon
from simkit.rules import Combine, Match, PointMatch, PoolDrain, PoolFill, Written

CHUNK_SECONDS: Final = 0.15
"""Of one worker, at the speed that the players state. A round then takes five at most, even with one worker."""
CHUNKS_PER_ROUND: Final = 32
SETS_PER_ROUND: Final = 2**20
"""Some 80 MB of rows in memory."""
ROLLS_PER_SET: Final = 70
ROLLS_PER_PARTIE: Final = 130
ROLLS_PER_GAME: Final = 90
GAMES_PER_POINT: Final = 1.0
"""Rough means of both players' rolls under random play; they size chunks and nothing else."""
PATIENCE: Final = 180.0
"""Seconds a chunk may take before its worker counts as lost: compilation and slow machines included. Some
backends never report the death of a worker."""


class Chunk(Protocol):
    """What a driver returns: rows of `matches`, of `sets` (or `games`) and of others, and sums of `figures`."""

    @property
    def matches(self) -> Mapping[str, NDArray[Any]]: ...
    @property
    def sets(self) -> Mapping[str, NDArray[Any]]: ...
    @property
    def figures(self) -> NDArray[Any]: ...
    @property
    def others(self) -> Mapping[str, Mapping[str, NDArray[Any]]]: ...


Driver = Callable[..., Chunk]
"""Called with rules, players, seed, first match, number of matches and, where the play has any, its starts; a
pure function of these."""


@dataclass(frozen=True)
class Plan:
    """How a play is cut: matches to a chunk, matches to a round."""

    chunk: int
    round: int

    @classmethod
    def of(cls, play: PlaySpec, chunk: int | None = None) -> Plan:
        """The plan of a play; it depends on its rules and players, or on the chunk asked for."""
        rules = play.rules.match
        sets = rules.units
        if isinstance(rules, PointMatch):
            sets = max(1, round(GAMES_PER_POINT * rules.match_points))
        elif isinstance(rules, PoolFill | PoolDrain):
            sets = rules.usual_units
        rolls = sets * _kind(rules)[1]
        cost = sum(player.cost_ns_per_roll for player in play.players) / len(play.players)
        if chunk is None:
            nominal = max(1, round(CHUNK_SECONDS * 1e9 / (rolls * cost)))
            chunk = 1 << (nominal.bit_length() - 1)
        chunks = max(1, min(CHUNKS_PER_ROUND, SETS_PER_ROUND // (chunk * sets)))
        return cls(chunk, chunk * chunks)


def play_run(
    plays: PlaySpec | Sequence[PlaySpec],
    matches: int | Sequence[int],
    *,
    folder: str | Path | None = None,
    root: str | Path = "results",
    name: str | None = None,
    jobs: int | None = None,
    backend: str | None = None,
    progress: Reporter | None = None,
    monitor: Monitor | None = None,
    chunk_matches: int | None = None,
    driver: Driver | None = None,
) -> Run:
    """Play matches into a run folder; what the folder holds already is not played again.

    A folder with fewer matches is topped up; one with as many or more is left as it is, and the run returned
    shows all it holds. An interrupted run keeps its finished rounds, and the same call goes on from there.
    What the folder holds is compared with the digests noted when it was written; damaged parts are played
    again, and `progress` is told.

    Parameters
    ----------
    plays : PlaySpec or sequence of PlaySpec
        What to play; the plays of one run advance together.
    matches : int or sequence of int
        Matches of each play to hold at the end, 1 to 10**9: one number for all, or one for each.
    folder : path, optional
        The run folder itself. Without it the run goes to `root/name/` and a folder named by the first 12 hex
        digits of its digest.
    root, name : path, str
        Where runs are kept, and the name of this one: letters, digits, `_`, `-` and `.`.
    jobs : int, optional
        Workers; all cores this process may use if not given. A cluster has as many as it has.
    backend : {"threads", "processes"}, optional
        What the workers should be; by default threads if all players are compiled, else processes. A
        `joblib.parallel_config` around the call goes first; where it names a cluster, chunks are played there.
    progress : Reporter, optional
        Told after each round; silent if not given.
    monitor : callable, optional
        Makes the estimate that is shown; by default the share of its sets that player 1 wins.
    chunk_matches : int, optional
        Matches to a chunk; changes how files are cut, never a row.
    driver : callable, optional
        Plays one chunk; `simkit.drivers.play_chunk` by default.

    Returns
    -------
    Run
        The run folder, open for reading; `new_matches` counts what this call played.

    Raises
    ------
    UsageError
        A number is out of range, two plays cannot be told apart, or the folder is a file or somebody else's.
    FolderMismatch
        The folder holds another play.
    WorkersDiffer
        A worker of a cluster has other versions; nothing is played.
    WorkerLost
        A worker died twice or did not answer; finished rounds are kept.
    SimkitError
        The folder cannot be written (a full disk, another writer); finished rounds are kept.
    KeyboardInterrupt, SystemExit
        Ctrl-C, or SIGTERM (143) or SIGHUP (129) arrived; finished rounds are kept, and a note of the
        exception says how many matches that are.
    """
    plays = [plays] if isinstance(plays, PlaySpec) else list(plays)
    several = isinstance(matches, Sequence) and not isinstance(matches, str | bytes)
    wanted: list[Any] = list(matches) if several else [matches] * len(plays)  # type: ignore[arg-type]
    if len(wanted) != len(plays):
        raise UsageError(f"matches: {len(wanted)} numbers for {len(plays)} plays")
    for count in wanted:
        check_whole("matches", count, 1, MAX_MATCHES)
    if jobs is not None:
        check_whole("jobs", jobs, 1, 1_000_000)
    if chunk_matches is not None:
        check_whole("chunk_matches", chunk_matches, 1, MAX_MATCHES)
    if backend not in (None, "threads", "processes"):
        raise UsageError(f"backend: {backend!r} is not one of threads, processes")
    if progress is not None and not isinstance(progress, Reporter):
        raise UsageError(f"progress: {progress!r} is not a simkit.progress.Reporter")
    if driver is None:
        from simkit.players import refuse_misfit

        for play in plays:
            refuse_misfit(play.rules, play.players)
    where = run_folder(plays, folder=folder, root=root, name=name)
    report = progress or Reporter()
    workers = _workers(jobs, backend or _suited(plays), driver)

    writer = FolderWriter(where, plays, name or "", report.note)
    with _signals_stop(), _stopped_in_words(writer), writer:
        rounds = _rounds(writer, [Plan.of(play, chunk_matches) for play in plays], wanted)
        holds = [writer.held(play) for play in range(len(plays))]
        held = sum(map(min, holds, wanted))
        if not rounds:
            titles = [play.title for play in writer.plays]
            report.complete(where, titles[0] if len(titles) == 1 else f"{len(titles)} plays", sum(holds))
            run = open_run(where)
            if manifest_fits(run):
                return run
            if (where / "manifest.json").exists():
                report.note(
                    "manifest.json does not fit the files it names, or describes them as an older version did; "
                    "it is written anew, with the sums"
                )
            return finish(writer, 0)
        writer.reopen()
        report.begin(sum(wanted), held)
        workers.expect((plays[stretch.play], *chunk) for stretch in rounds for chunk in stretch.chunks())
        units = [_kind(play.rules.match)[0] for play in plays]
        done, watch = held, monitor or SharesWon(units)
        try:
            for stretch in rounds:
                stopping.raise_if_stopped()
                estimate = _play_round(writer, workers, plays[stretch.play], stretch, watch, report)
                done += stretch.end - stretch.first
                report.show(done, writer.plays[stretch.play].title, estimate)
            return finish(writer, done - held)
        finally:
            workers.dismiss()
            report.end()


def run_folder(
    plays: Sequence[PlaySpec],
    *,
    folder: str | Path | None = None,
    root: str | Path = "results",
    name: str | None = None,
) -> Path:
    """Where `play_run` puts a run: `folder`, or `root/name/` and the first 12 hex digits of its digest.

    Raises
    ------
    UsageError
        Neither a folder nor a name is given, the name is no plain word, or a path is none.
    """
    if name is not None and not (isinstance(name, str) and RUN_NAME.fullmatch(name)):
        raise UsageError(f"name: {name!r} is not a word of letters, digits, '_', '-' and '.'")
    if folder is not None:
        return check_path("folder", folder)
    if name is None:
        raise UsageError("name: a run needs a name, or a folder of its own")
    return check_path("root", root) / name / run_digest(check_plays(plays))[:12]


def play_task(driver: Driver | None, play: PlaySpec, first: int, count: int, owner: int = 0) -> Chunk:
    """What a worker does: play one chunk, for the process `owner`. Its module loads neither pandas nor pyarrow."""
    if owner:
        stopping.end_with(owner)
    if driver is None:
        from simkit.drivers import play_chunk

        driver = play_chunk
    starts = (play.starts,) if play.starts else ()
    return driver(play.rules, play.players, play.seed, first, count, *starts)


@dataclass(frozen=True)
class _Stretch:
    """A round of one play: matches `first` to `end - 1`, in chunks."""

    play: int
    first: int
    end: int
    chunk: int

    def chunks(self) -> list[tuple[int, int]]:
        """(first match, matches); cut where a run without interruption would cut."""
        starts = _starts(self.first, self.end, self.chunk)
        return [(start, end - start) for start, end in zip(starts, [*starts[1:], self.end], strict=True)]


def _starts(first: int, end: int, step: int) -> list[int]:
    """`first`, then every multiple of `step` below `end`."""
    return [first, *range((first // step + 1) * step, end, step)]


def _rounds(writer: FolderWriter, plans: Sequence[Plan], wanted: Sequence[int]) -> list[_Stretch]:
    """What is missing, cut at the multiples of each play's round, the plays side by side."""
    stretches = []
    for play, (plan, matches) in enumerate(zip(plans, wanted, strict=True)):
        for first, end in writer.missing(play, matches):
            starts = _starts(first, end, plan.round)
            for start, stop in zip(starts, [*starts[1:], end], strict=True):
                stretches.append(_Stretch(play, start, stop, plan.chunk))
    return sorted(stretches, key=lambda stretch: (stretch.first, stretch.play))


def _play_round(
    writer: FolderWriter,
    workers: _Workers,
    play: PlaySpec,
    stretch: _Stretch,
    monitor: Monitor,
    report: Reporter,
) -> Estimate | None:
    """Play and publish one round, with half the workers if one died; where the estimate stands after it."""
    try:
        played = _attempt(writer, workers, play, stretch)
    except BrokenExecutor:
        workers.halve()
        report.note(f"a worker died; the round is played again with {workers.words()}")
        try:
            played = _attempt(writer, workers, play, stretch)
        except BrokenExecutor as error:
            raise WorkerLost(
                f"a worker died twice on matches {stretch.first} to {stretch.end - 1}, perhaps for want of "
                "memory; finished rounds are kept, the same command with fewer jobs goes on from there"
            ) from error
    estimate = None
    for chunk in played:
        estimate = monitor(stretch.play, chunk.matches, chunk.sets)
    return estimate


def _attempt(writer: FolderWriter, workers: _Workers, play: PlaySpec, stretch: _Stretch) -> list[Chunk]:
    part = writer.begin_part(stretch.play, stretch.first, stretch.end - stretch.first)
    played = []
    with _quietly_closed(workers.play(play, stretch.chunks())) as chunks:
        for chunk in chunks:  # encoded here while the workers play on
            part.add(chunk.matches, chunk.sets, chunk.figures, chunk.others)
            played.append(chunk)
    part.publish()
    return played


class _Workers:
    """joblib's workers, as many as asked for."""

    def __init__(self, jobs: int | None, backend: str, driver: Driver | None) -> None:
        from joblib import effective_n_jobs

        self._driver = driver
        self._prefer = backend
        self._jobs = -1 if jobs is None else jobs
        self._count = int(effective_n_jobs(self._jobs))

    def expect(self, chunks: Iterable[tuple[PlaySpec, int, int]]) -> None:
        """Be told of all chunks (play, first match, matches) that will be asked for, in their order."""

    def dismiss(self) -> None:
        """Work at nothing any more."""

    def halve(self) -> None:
        """Use half as many from now on, one at least."""
        self._jobs = self._count = max(1, self._count // 2)

    def words(self) -> str:
        """How many there are."""
        return "1 worker" if self._count == 1 else f"{self._count} workers"

    def play(self, play: PlaySpec, chunks: Sequence[tuple[int, int]]) -> Iterator[Chunk]:
        """Play chunks (first match, matches); their results in the same order, as they come.

        Raises
        ------
        BrokenExecutor
            A worker process died.
        WorkerLost
            No answer in `PATIENCE` seconds.
        UsageError
            The backend of a surrounding `parallel_config` cannot hand over results one by one.
        """
        from joblib import Parallel, delayed

        task = delayed(play_task)
        try:
            parallel = Parallel(
                n_jobs=self._jobs,
                prefer=self._prefer,
                return_as="generator",
                batch_size=1,
                max_nbytes=None,
                timeout=PATIENCE if self._count > 1 else None,  # one worker is this process itself
            )
        except ValueError as error:
            raise UsageError(f"this joblib backend cannot be used: {error}") from error
        calls = (task(self._driver, play, first, n, os.getpid()) for first, n in chunks)
        with _quietly_closed(parallel(calls)) as results:
            try:
                yield from results
            except (multiprocessing.TimeoutError, TimeoutError) as error:
                raise WorkerLost(
                    f"a worker gave no answer in {PATIENCE:.0f} s; finished rounds are kept, "
                    "the same command goes on from there"
                ) from error


class _ClusterWorkers(_Workers):
    """The workers of a surrounding cluster, who play on while a round is written."""

    def __init__(self, found: cluster.Cluster, driver: Driver | None) -> None:
        found.check()
        self._found = found
        self._driver = driver

    def expect(self, chunks: Iterable[tuple[PlaySpec, int, int]]) -> None:
        self._results = self._found.results(play_task, ((self._driver, *chunk) for chunk in chunks))

    def dismiss(self) -> None:
        self._results.close()

    def play(self, play: PlaySpec, chunks: Sequence[tuple[int, int]]) -> Iterator[Chunk]:
        """Hand on the results of the next chunks; they have been asked for in this order."""
        yield from islice(self._results, len(chunks))


def _workers(jobs: int | None, backend: str, driver: Driver | None) -> _Workers:
    """Who plays: a cluster where the caller has named one, else this machine."""
    found = cluster.surrounding(PATIENCE)
    return _Workers(jobs, backend, driver) if found is None else _ClusterWorkers(found, driver)


@contextmanager
def _quietly_closed(results: Any) -> Iterator[Any]:
    """Close a generator of results without joblib's remark on those nobody will use."""
    try:
        yield results
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()


@contextmanager
def _stopped_in_words(writer: FolderWriter) -> Iterator[None]:
    """Note on whatever stops a run how many matches are kept."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as stop:
        held = writer.kept()
        stop.add_note(
            f"stopped: {held:,} match{'' if held == 1 else 'es'} {'is' if held == 1 else 'are'} kept; "
            "the same command goes on from there"
        )
        raise


@contextmanager
def _signals_stop() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into SystemExit(143) and (129), so that worker processes end with this one.

    A signal that somebody else handles, or that is ignored as under nohup, is left alone.
    """
    ours = threading.current_thread() is threading.main_thread()
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    taken = [number for number in numbers if ours and signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, stopping.stop)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
        if taken:
            stopping.forget()


def _kind(match: Match) -> tuple[str, int]:
    """What a match is won by, and the rough rolls of one."""
    if isinstance(match, PointMatch):
        return "games", ROLLS_PER_GAME
    if isinstance(match, PoolFill | PoolDrain):
        return "pools", ROLLS_PER_SET
    if isinstance(match, Written | Combine):
        return "sets" if match.players == 2 else "turns", ROLLS_PER_SET
    return "parties", ROLLS_PER_PARTIE


def _suited(plays: Sequence[PlaySpec]) -> str:
    compiled = all(player.compiled for play in plays for player in play.players)
    return "threads" if compiled else "processes"
