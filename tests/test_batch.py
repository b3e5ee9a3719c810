"""Many matches: the same rows however the work is divided, cut off or topped up."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from fake_play import ANNE, BEN, PARTIE, RULES, Deadly, Slow, fake, spec

from simkit import batch, progress
from simkit.batch import Plan, play_run, run_folder
from simkit.dataset import Run, content_hash, folder, open_run, verify
from simkit.errors import ConfigError, FolderMismatch, SimkitError, UsageError, WorkerLost
from simkit.players import Always, AlwaysWhat
from simkit.rules import replace

TESTS = Path(__file__).resolve().parent


@pytest.fixture(autouse=True)
def _unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncing a disk is slow, and no test pulls the plug."""
    monkeypatch.setattr(folder.os, "fsync", lambda _: None)


def data_bytes(run: Run) -> dict[str, bytes]:
    """Every file of a run that holds rows, by name."""
    return {
        path.relative_to(run.folder).as_posix(): path.read_bytes() for path in run.folder.rglob("*.parquet")
    }


def whole(run: Run) -> Run:
    """The run, once it is seen to be complete, sound and tidy."""
    verify(run)
    assert run.complete
    assert not (run.folder / ".staging").exists()
    return run


class Heard(progress.Reporter):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.shown: list[tuple[int, str, progress.Estimate | None]] = []
        self.begun: list[tuple[int, int]] = []
        self.ended = 0

    def begin(self, total: int, done: int) -> None:
        self.begun.append((total, done))

    def show(self, done: int, title: str, estimate: progress.Estimate | None) -> None:
        self.shown.append((done, title, estimate))

    def note(self, text: str) -> None:
        self.notes.append(text)

    def end(self) -> None:
        self.ended += 1


# -- the same rows -------------------------------------------------------------------------------------


def test_workers_and_kinds_of_workers_change_no_byte(tmp_path: Path) -> None:
    ways = [(1, "threads"), (2, "threads"), (1, "processes"), (2, "processes")]
    runs = [
        play_run(
            [spec(), spec(PARTIE)], 50, folder=tmp_path / f"{jobs}-{backend}", jobs=jobs, backend=backend,
            chunk_matches=4, driver=fake,
        )
        for jobs, backend in ways
    ]  # fmt: skip
    assert len({content_hash(whole(run)) for run in runs}) == 1
    assert all(data_bytes(run) == data_bytes(runs[0]) for run in runs)
    assert all(
        (run.folder / name).read_bytes() == (runs[0].folder / name).read_bytes()
        for run in runs
        for name in ("run.json", "journal.jsonl", "manifest.json", "README.md")
    )


@pytest.mark.parametrize("chunk", [1, 7, 16, 1000])
def test_the_size_of_chunks_changes_no_row(tmp_path: Path, chunk: int) -> None:
    run = play_run(spec(), 70, folder=tmp_path / "run", jobs=2, chunk_matches=chunk, driver=fake)
    expected = fake(RULES, (ANNE, BEN), 7, 0, 70)
    assert np.array_equal(run.sets["holes_1"], expected.sets["holes_1"])
    assert np.array_equal(run.figure_sums()[0], expected.figures)
    other = play_run(spec(), 70, folder=tmp_path / "other", jobs=1, driver=fake)
    assert content_hash(whole(run)) == content_hash(other)


def test_a_surrounding_parallel_config_goes_first(tmp_path: Path) -> None:
    with joblib.parallel_config("threading", n_jobs=2):
        run = play_run(
            spec(), 10, folder=tmp_path / "run", backend="processes", driver=os_id, chunk_matches=1
        )
    assert set(run.matches["rolls"]) == {os.getpid() % 2**31}
    with joblib.parallel_config("multiprocessing"), pytest.raises(UsageError, match="backend cannot be used"):
        play_run(spec(), 10, folder=tmp_path / "other", jobs=2, driver=fake)
    assert whole(play_run(spec(), 10, folder=tmp_path / "other", jobs=2, driver=fake)).counts == (10,)


def os_id(rules: Any, players: Any, seed: int, first: int, count: int) -> Any:
    """Rows that say which process made them."""
    chunk = fake(rules, players, seed, first, count)
    chunk.matches["rolls"][:] = os.getpid() % 2**31
    return chunk


def test_the_driver_of_the_kernel_fits(tmp_path: Path) -> None:
    runs = [
        play_run(spec(), 12, folder=tmp_path / f"{jobs}", jobs=jobs, chunk_matches=chunk)
        for jobs, chunk in ((1, 12), (2, 5))
    ]
    assert content_hash(whole(runs[0])) == content_hash(whole(runs[1]))
    assert (runs[0].matches["rolls"] > 0).all()


# -- resuming and topping up ---------------------------------------------------------------------------


def test_asking_again_plays_nothing_and_says_so(tmp_path: Path) -> None:
    first = play_run(spec(), 10, folder=tmp_path / "run", jobs=1, driver=fake)
    before = data_bytes(first)
    heard = Heard()
    for matches in (10, 4):
        again = play_run(spec(), matches, folder=tmp_path / "run", jobs=1, driver=fake, progress=heard)
        assert again.new_matches == 0
        assert again.counts == (10,)
    held = f"nothing to play: {tmp_path / 'run'} holds 10 matches of little_written: anne against ben"
    assert heard.notes == [held] * 2
    assert data_bytes(again) == before


def test_asking_for_more_adds_up_to_the_same_run(tmp_path: Path) -> None:
    grown = play_run(spec(), 5, folder=tmp_path / "grown", jobs=1, driver=fake, chunk_matches=2)
    write_time = {path: path.stat().st_mtime_ns for path in (tmp_path / "grown" / "sets").iterdir()}
    for matches in (6, 41, 90):
        grown = play_run(spec(), matches, folder=tmp_path / "grown", jobs=2, driver=fake, chunk_matches=3)
    assert grown.new_matches == 49
    assert all(path.stat().st_mtime_ns == was for path, was in write_time.items())
    fresh = play_run(spec(), 90, folder=tmp_path / "fresh", jobs=1, driver=fake, chunk_matches=4)
    assert content_hash(whole(grown)) == content_hash(whole(fresh))
    pd.testing.assert_frame_equal(grown.sets, fresh.sets)
    pd.testing.assert_frame_equal(grown.figures, fresh.figures)
    pd.testing.assert_frame_equal(
        pd.read_parquet(grown.folder / "figures"), pd.read_parquet(fresh.folder / "figures")
    )


def test_other_settlement_and_names_share_the_folder_and_its_labels(tmp_path: Path) -> None:
    play_run(spec(), 4, folder=tmp_path / "run", jobs=1, driver=fake)
    heard = Heard()
    other = replace(RULES.with_settlement(tail_of_sets=0), name="no_tail")
    run = play_run(spec(other), 8, folder=tmp_path / "run", jobs=1, driver=fake, progress=heard)
    assert set(run.sets["rules"]) == {"little_written"}
    assert any("the folder calls this play little_written: anne against ben" in note for note in heard.notes)


def test_the_folder_of_another_play_is_refused_untouched(tmp_path: Path) -> None:
    run = play_run(spec(), 4, folder=tmp_path / "run", jobs=1, driver=fake)
    before = {path: path.read_bytes() for path in run.folder.rglob("*") if path.is_file()}
    with pytest.raises(
        FolderMismatch, match=r"holds another play .*little_written: anne against ben, seed 7"
    ):
        play_run(spec(seed=8), 4, folder=tmp_path / "run", jobs=1, driver=fake)
    assert {path: path.read_bytes() for path in run.folder.rglob("*") if path.is_file()} == before


class Stop:
    """A driver that gives up at a match."""

    def __init__(self, at: int, error: type[BaseException]) -> None:
        self.at, self.error = at, error

    def __call__(self, rules: Any, players: Any, seed: int, first: int, count: int) -> Any:
        if first >= self.at:
            raise self.error("stop")
        return fake(rules, players, seed, first, count)


@pytest.mark.parametrize(
    ("jobs", "error"),
    [(1, KeyboardInterrupt), (1, SystemExit), (1, ZeroDivisionError), (2, ZeroDivisionError)],
)
def test_finished_rounds_outlive_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, error: type[BaseException]
) -> None:
    monkeypatch.setattr(batch, "CHUNKS_PER_ROUND", 4)
    with pytest.raises(error) as stopped:
        play_run(
            spec(), 100, folder=tmp_path / "run", jobs=jobs, backend="threads", chunk_matches=5,
            driver=Stop(50, error),
        )  # fmt: skip
    if error in (KeyboardInterrupt, SystemExit):
        assert stopped.value.__notes__ == [
            "stopped: 40 matches are kept; the same command goes on from there"
        ]
    cut = open_run(tmp_path / "run")
    assert cut.counts == (40,)
    assert not cut.complete
    assert not (tmp_path / "run" / ".staging").exists()
    heard = Heard()
    done = play_run(
        spec(), 100, folder=tmp_path / "run", jobs=2, chunk_matches=5, driver=fake, progress=heard
    )
    assert heard.begun == [(100, 40)]
    assert heard.ended == 1
    fresh = play_run(spec(), 100, folder=tmp_path / "fresh", jobs=1, chunk_matches=5, driver=fake)
    assert data_bytes(whole(done)) == data_bytes(fresh)


def test_plays_advance_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNKS_PER_ROUND", 2)
    with pytest.raises(ZeroDivisionError):
        play_run(
            [spec(), spec(PARTIE)], 100, folder=tmp_path / "run", jobs=1, chunk_matches=5,
            driver=Stop(60, ZeroDivisionError),
        )  # fmt: skip
    assert open_run(tmp_path / "run").counts == (60, 60)


def test_plays_may_have_different_numbers_of_matches(tmp_path: Path) -> None:
    plays, heard = [spec(), spec(PARTIE)], Heard()
    run = play_run(plays, (9, 4), folder=tmp_path / "run", jobs=1, driver=fake, progress=heard)
    assert run.counts == (9, 4)
    run = play_run(plays, (6, 7), folder=tmp_path / "run", jobs=1, driver=fake, progress=heard)
    assert whole(run).counts == (9, 7)
    again = whole(play_run(plays, (6, 7), folder=tmp_path / "run", jobs=1, driver=fake, progress=heard))
    assert again.new_matches == 0
    assert heard.notes == [f"nothing to play: {tmp_path / 'run'} holds 16 matches of 2 plays"]
    assert heard.begun == [(13, 0), (13, 10)]
    assert [done for done, _, _ in heard.shown] == [9, 13, 13]
    with pytest.raises(UsageError, match="matches: 3 numbers for 2 plays"):
        play_run(plays, (1, 2, 3), folder=tmp_path / "run", jobs=1, driver=fake)


# -- disks and folders ---------------------------------------------------------------------------------


def fail_after(calls: int, real: Callable[..., Any]) -> Callable[..., Any]:
    """A system call that finds the disk full from its `calls`-th call on."""
    left = [calls]

    def call(*args: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*args)

    return call


@pytest.mark.parametrize("calls", range(24))
def test_a_full_disk_leaves_the_folder_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    """Every place where a file or folder is synced, one after the other."""
    monkeypatch.setattr(batch, "CHUNKS_PER_ROUND", 2)
    monkeypatch.setattr(folder.os, "fsync", fail_after(calls, lambda _: None))
    with pytest.raises(
        SimkitError, match=r"cannot write in .*No space left on device.*the same command goes on"
    ):
        play_run(spec(), 30, folder=tmp_path / "run", jobs=1, chunk_matches=5, driver=fake)
    monkeypatch.undo()
    assert not (tmp_path / "run" / ".staging").exists()
    if (tmp_path / "run" / "run.json").exists():
        cut = open_run(tmp_path / "run")
        assert cut.counts[0] in (0, 10, 20, 30)
        assert len(cut.matches) == cut.counts[0]
    monkeypatch.setattr(batch, "CHUNKS_PER_ROUND", 2)
    done = whole(play_run(spec(), 30, folder=tmp_path / "run", jobs=1, chunk_matches=5, driver=fake))
    expected = fake(RULES, (ANNE, BEN), 7, 0, 30)
    assert np.array_equal(done.sets["rolls"], expected.sets["rolls"])
    assert np.array_equal(done.figure_sums()[0], expected.figures)


def test_a_disk_that_takes_no_more_bytes(tmp_path: Path) -> None:
    """A real refusal of the system in the middle of a file."""
    code = (
        "import resource, sys; sys.path.insert(0, sys.argv[1])\n"
        "from fake_play import fake, spec\n"
        "from simkit.batch import play_run; from simkit.errors import SimkitError\n"
        "import pyarrow.parquet, joblib\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (16_000, 16_000))\n"
        "try: play_run(spec(), 400, folder=sys.argv[2], jobs=1, driver=fake)\n"
        "except SimkitError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(TESTS), str(tmp_path / "run")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "cannot write in" in done.stdout
    assert open_run(tmp_path / "run").counts == (0,)
    assert whole(play_run(spec(), 400, folder=tmp_path / "run", jobs=1, driver=fake)).counts == (400,)


def test_a_folder_that_is_a_file_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError, match="file is a file; name a folder"):
            play_run(spec(), 4, folder=place, jobs=1, driver=fake)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_with_other_things_in_it_is_refused_untouched(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match=r"no run folder: it holds thesis\.tex and no run\.json"):
        play_run(spec(), 4, folder=tmp_path, jobs=1, driver=fake)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_what_an_unnoted_part_left_behind_is_cleared_away_and_nothing_else(tmp_path: Path) -> None:
    run = play_run(spec(), 4, folder=tmp_path / "run", jobs=1, driver=fake)
    stray, foreign = (
        run.folder / "sets" / "p000-0000000004-0000000007.parquet",
        run.folder / "sets" / "own.txt",
    )
    stray.write_bytes(b"torn")
    foreign.write_text("mine")
    (run.folder / ".staging").mkdir()
    (run.folder / ".staging" / "half").write_bytes(b"torn")
    whole(play_run(spec(), 4, folder=run.folder, jobs=1, driver=fake))
    assert not stray.exists()
    assert foreign.exists()


def test_two_writers_are_one_too_many(tmp_path: Path) -> None:
    play_run(spec(), 4, folder=tmp_path / "run", jobs=1, driver=fake)
    with (
        folder.lock(tmp_path / "run"),
        pytest.raises(SimkitError, match="is being written by another process"),
    ):
        play_run(spec(), 8, folder=tmp_path / "run", jobs=1, driver=fake)
    assert play_run(spec(), 8, folder=tmp_path / "run", jobs=1, driver=fake).counts == (8,)


def test_a_named_run_goes_to_a_folder_named_by_its_digest(tmp_path: Path) -> None:
    run = play_run(spec(), 2, root=tmp_path, name="trial", jobs=1, driver=fake)
    assert run.folder == tmp_path / "trial" / run.digest[:12]
    assert run.folder == run_folder([spec()], root=tmp_path, name="trial")
    assert open_run(run.folder).name == "trial"
    for name in ("../trial", "", "a/b", ".hidden", "x" * 101):
        with pytest.raises(UsageError, match=r"name: .* is not a word"):
            run_folder([spec()], root=tmp_path, name=name)
    with pytest.raises(UsageError, match="needs a name, or a folder"):
        run_folder([spec()])


# -- what is asked for ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"matches": 0}, "matches: 0 is not a whole number from 1 to 1000000000"),
        ({"matches": -5}, "matches: -5"),
        ({"matches": 10**9 + 1}, "matches: 1000000001"),
        ({"matches": 1.5}, "matches: 1.5"),
        ({"matches": True}, "matches: True"),
        ({"jobs": 0}, "jobs: 0 is not a whole number from 1"),
        ({"jobs": -1}, "jobs: -1"),
        ({"chunk_matches": 0}, "chunk_matches: 0"),
        ({"backend": "loky"}, "backend: 'loky' is not one of threads, processes"),
        ({"matches": "10"}, "matches: '10' is not a whole number from 1"),
        ({"matches": None}, "matches: None is not a whole number from 1"),
        ({"jobs": "2"}, "jobs: '2' is not a whole number from 1"),
        ({"progress": 5}, r"progress: 5 is not a simkit\.progress\.Reporter"),
        ({"name": 5}, "name: 5 is not a word"),
        ({"folder": 5}, "folder: 5 is not a path"),
        ({"folder": None, "name": "a", "root": 5}, "root: 5 is not a path"),
    ],
)
def test_numbers_out_of_range_are_refused_before_anything_is_written(
    tmp_path: Path, wrong: dict[str, Any], message: str
) -> None:
    arguments = {"matches": 4, "folder": tmp_path / "run", **wrong}
    with pytest.raises(UsageError, match=message):
        play_run(spec(), driver=fake, **arguments)
    assert not (tmp_path / "run").exists()


def test_players_who_cannot_end_a_set_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    holder = replace(ANNE, name="holder", decision=Always(what=AlwaysWhat.HOLD))
    with pytest.raises(ConfigError, match="holder"):
        play_run(spec(one=holder), 4, folder=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_plans_follow_from_the_play_alone() -> None:
    written, partie = Plan.of(spec()), Plan.of(spec(PARTIE))
    slow = Plan.of(spec(one=replace(ANNE, cost_ns_per_roll=100_000)))
    assert slow.chunk < written.chunk
    assert Plan.of(spec(RULES.with_match(sets=24))).chunk < written.chunk
    seconds = written.round * 2 * batch.ROLLS_PER_SET * ANNE.cost_ns_per_roll / 1e9
    assert 1 <= seconds <= 5  # what Ctrl-C may cost, with one worker at the speed stated
    for plan in (written, partie, slow, Plan.of(spec(one=replace(ANNE, cost_ns_per_roll=10**9)))):
        assert plan.chunk >= 1
        assert plan.round % plan.chunk == 0
        assert plan.round * 2 <= max(batch.SETS_PER_ROUND, 2 * plan.chunk)


# -- workers and signals -------------------------------------------------------------------------------


def test_a_worker_that_dies_is_replaced_once(tmp_path: Path) -> None:
    heard = Heard()
    run = play_run(
        spec(), 12, folder=tmp_path / "run", jobs=2, backend="processes", chunk_matches=3,
        driver=Deadly(tmp_path, 1), progress=heard,
    )  # fmt: skip
    assert heard.notes == ["a worker died; the round is played again with 1 worker"]
    fresh = play_run(spec(), 12, folder=tmp_path / "fresh", jobs=1, chunk_matches=3, driver=fake)
    assert data_bytes(whole(run)) == data_bytes(fresh)


def test_workers_that_go_on_dying_end_the_run_in_words(tmp_path: Path) -> None:
    with pytest.raises(WorkerLost, match="a worker died twice on matches 0 to 11"):
        play_run(
            spec(), 12, folder=tmp_path / "run", jobs=4, backend="processes", chunk_matches=3,
            driver=Deadly(tmp_path, 50),
        )  # fmt: skip
    assert open_run(tmp_path / "run").counts == (0,)
    assert whole(play_run(spec(), 12, folder=tmp_path / "run", jobs=1, driver=fake)).counts == (12,)


def test_a_worker_that_never_answers_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "PATIENCE", 0.2)
    with pytest.raises(WorkerLost, match="gave no answer"):
        play_run(
            spec(), 12, folder=tmp_path / "run", jobs=2, backend="threads", chunk_matches=6, driver=Slow(1.0)
        )
    assert open_run(tmp_path / "run").counts == (0,)


@pytest.mark.parametrize(
    ("number", "backend", "code"),
    [
        (signal.SIGTERM, "threads", 143),
        (signal.SIGTERM, "processes", 143),
        (signal.SIGHUP, "threads", 129),
        (signal.SIGINT, "threads", -signal.SIGINT),
        (signal.SIGKILL, "threads", -signal.SIGKILL),
    ],
)
def test_signals_leave_finished_rounds(tmp_path: Path, number: int, backend: str, code: int) -> None:
    program = (
        "import signal, sys; sys.path.insert(0, sys.argv[1])\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # ignored where the tests run under nohup
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored where they run in the background
        "from fake_play import Slow, spec; from simkit import batch\n"
        "batch.CHUNKS_PER_ROUND = 2\n"
        "batch.play_run(spec(), 400, folder=sys.argv[2], jobs=2, backend=sys.argv[3], chunk_matches=1,"
        " driver=Slow(0.05))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(TESTS), str(tmp_path / "run"), backend],
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = tmp_path / "run" / "journal.jsonl"
    limit = time.monotonic() + 20
    while not (journal.exists() and journal.stat().st_size) and time.monotonic() < limit:
        time.sleep(0.02)
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert process.returncode == code, said
    cut = open_run(tmp_path / "run")
    assert cut.counts[0] >= 2
    assert number == signal.SIGKILL or not (tmp_path / "run" / ".staging").exists()
    done = whole(play_run(spec(), 400, folder=tmp_path / "run", jobs=1, driver=fake))
    assert np.array_equal(done.matches["rolls"], fake(RULES, (ANNE, BEN), 7, 0, 400).matches["rolls"])


def test_handlers_of_signals_are_put_back(tmp_path: Path) -> None:
    numbers = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    play_run(spec(), 4, folder=tmp_path / "run", jobs=1, driver=fake)
    assert [signal.getsignal(number) for number in numbers] == before


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """As SIGHUP is under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        play_run(spec(), 4, folder=tmp_path / "run", jobs=1, driver=Hangup())
    finally:
        signal.signal(signal.SIGHUP, before)


class Hangup:
    """A driver during which the terminal goes away."""

    def __call__(self, rules: Any, players: Any, seed: int, first: int, count: int) -> Any:
        os.kill(os.getpid(), signal.SIGHUP)
        return fake(rules, players, seed, first, count)


def test_a_log_that_cannot_be_written_stops_no_run(tmp_path: Path) -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    for number, reporter in enumerate((progress.LineReporter(Gone()), progress.LineReporter(None))):
        run = play_run(spec(), 4, folder=tmp_path / f"{number}", jobs=1, driver=fake, progress=reporter)
        assert whole(run).counts == (4,)


# -- progress ------------------------------------------------------------------------------------------


def test_reporters_hear_of_every_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNKS_PER_ROUND", 2)
    heard = Heard()
    run = play_run(spec(), 25, folder=tmp_path / "run", jobs=2, chunk_matches=5, driver=fake, progress=heard)
    assert heard.begun == [(25, 0)]
    assert [done for done, _, _ in heard.shown] == [10, 20, 25]
    _, title, estimate = heard.shown[-1]
    assert title == "little_written: anne against ben"
    shares = run.matches["sets_won_1"] / (run.matches["sets_won_1"] + run.matches["sets_won_2"])
    assert estimate is not None
    assert estimate.label == "share of sets won by player 1"
    assert estimate.value == pytest.approx(shares.mean())
    assert estimate.half_width == pytest.approx(1.96 * shares.sem())
    assert heard.ended == 1


def won(one: list[int], two: list[int]) -> dict[str, Any]:
    return {"sets_won_1": np.array(one, np.int16), "sets_won_2": np.array(two, np.int16)}


def test_the_share_of_sets_is_a_mean_over_matches() -> None:
    shares = progress.SharesWon(["sets", "parties"])
    assert shares(0, won([0, 0], [0, 0]), {}) is None  # both were cut in the first set
    one = shares(0, won([6], [2]), {})
    assert one is not None
    assert str(one) == "share of sets won by player 1 0.7500"  # one match tells no width
    more = shares(0, won([4, 2, 0], [4, 6, 0]), {})
    assert more is not None
    assert more.value == pytest.approx(0.5)
    assert more.half_width == pytest.approx(1.96 * pd.Series([0.75, 0.5, 0.25]).sem())
    assert str(shares(1, won([1, 0], [0, 1]), {})) == "share of parties won by player 1 0.5000 ± 0.9800"
    assert str(shares(1, won([], []), {})) == "share of parties won by player 1 0.5000 ± 0.9800"
    assert str(progress.SharesWon(["parties"])(0, won([1, 1], [0, 0]), {})).endswith("player 1 1.0000")


def test_a_monitor_sees_every_match_once_in_order(tmp_path: Path) -> None:
    seen: list[int] = []

    def monitor(play: int, matches: Any, sets: Any) -> None:
        assert play == 0
        assert np.array_equal(np.unique(sets["match_id"]), matches["match_id"])
        seen.extend(matches["match_id"].tolist())

    play_run(
        spec(), 30, folder=tmp_path / "run", jobs=2, backend="processes", chunk_matches=4,
        driver=Deadly(tmp_path, 1), monitor=monitor,
    )  # fmt: skip
    assert seen == list(range(30))


def test_the_first_round_tells_no_speed() -> None:
    """It may have compilation in it."""
    stream, now = io.StringIO(), [0.0]
    lines = progress.LineReporter(stream, clock=lambda: now[0])
    lines.begin(100, 0)
    for seconds, done in ((60, 10), (1, 20), (1, 30)):
        now[0] += seconds
        lines.show(done, "", None)
    assert stream.getvalue().splitlines() == [
        "10 of 100 matches",
        "20 of 100 matches  10 matches/s  8 s left",
        "30 of 100 matches  10 matches/s  7 s left",
    ]


def test_folders_with_nothing_to_play_take_one_line(tmp_path: Path) -> None:
    stream = io.StringIO()
    lines = progress.LineReporter(stream)
    for number in range(3):
        lines.complete(tmp_path / str(number), f"play {number}", 1000)
    assert stream.getvalue() == ""
    lines.flush()
    lines.flush()
    assert stream.getvalue() == f"nothing to play in 3 folders below {tmp_path}, which hold 3,000 matches\n"
    lines.complete(tmp_path / "3", "play 3", 1000)
    lines.flush()
    assert stream.getvalue().splitlines()[1:] == [
        f"nothing to play: {tmp_path / '3'} holds 1,000 matches of play 3"
    ]


def test_lines_give_count_rate_time_left_and_estimate() -> None:
    stream, now = io.StringIO(), [100.0]
    lines = progress.LineReporter(stream, clock=lambda: now[0])
    lines.begin(100_000, 20_000)
    lines.show(20_000, "a: b against c", None)
    now[0] += 8
    lines.show(60_000, "a: b against c", progress.Estimate("share", 0.25, 0.0123))
    lines.note("well")
    lines.end()
    assert stream.getvalue().splitlines() == [
        "20,000 of 100,000 matches",
        "60,000 of 100,000 matches  5,000 matches/s  8 s left  a: b against c: share 0.2500 ± 0.0123",
        "well",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 00 s"),
        (185, "3 min 05 s"),
        (3600, "1 h 00 min"),
        (7860, "2 h 11 min"),
    ],
)
def test_durations(seconds: float, words: str) -> None:
    assert progress.duration(seconds) == words


def test_the_reporter_suits_the_stream(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert type(progress.reporter(quiet=True)) is progress.Reporter
    assert type(progress.reporter()) is progress.LineReporter
    progress.reporter().note("to stderr")
    assert capsys.readouterr() == ("", "to stderr\n")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert type(progress.reporter()) is progress.BarReporter


def test_the_bar_shows_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNKS_PER_ROUND", 2)
    stream = io.StringIO()
    bar = progress.BarReporter(stream)
    play_run(spec(), 25, folder=tmp_path / "run", jobs=1, chunk_matches=5, driver=fake, progress=bar)
    text = stream.getvalue()
    assert "25 of 25 matches" in text
    assert "matches/s" in text
    assert "share of sets won by player 1" in text
