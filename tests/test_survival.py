"""Runs that are killed at any moment end, once resumed, as if nothing had happened; and leave nobody behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest
from fake_play import fake, spec

from simkit.batch import play_run
from simkit.cli import call
from simkit.dataset import content_hash, folder, open_run
from simkit.errors import SimkitError
from simkit.verification import verify_run

TESTS = Path(__file__).resolve().parent
MATCHES = 400

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")

PROGRAM = """
import errno, os, random, signal, sys
sys.path.insert(0, sys.argv[1])
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run in the background
from fake_play import Slow, fake, spec
from simkit import batch
from simkit.dataset import folder
from simkit.errors import SimkitError
batch.CHUNKS_PER_ROUND = 4
full, synced = int(sys.argv[4]), os.fsync
def fsync(handle):
    global full
    full -= 1
    if full == 0:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
folder.os.fsync = fsync
print("ready", flush=True)
try:
    batch.play_run(spec(), int(sys.argv[3]), folder=sys.argv[2], jobs=2, backend="processes", chunk_matches=2,
                   driver=Slow(0.005))
except SimkitError as error:
    print(error, file=sys.stderr)
    sys.exit(error.exit_code)
"""


def started(run: Path, disk_full_at: int = -1) -> subprocess.Popen[str]:
    """A process that plays into a folder, with two worker processes; it is about to begin."""
    process = subprocess.Popen(
        [sys.executable, "-B", "-c", PROGRAM, str(TESTS), str(run), str(MATCHES), str(disk_full_at)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.stderr and process.stderr.read()
    return process


def children(parent: int) -> dict[int, str]:
    """Processes whose parent this is: their ids, and what they were started as."""
    found = {}
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            try:
                fields = (place / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == parent and fields[0] != "Z":
                    found[int(place.name)] = (place / "cmdline").read_bytes().decode(errors="replace")
            except OSError:  # it has just ended
                continue
    return found


def alive(process: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ended(process: subprocess.Popen[str], seconds: float = 120) -> tuple[int, str]:
    """The exit code and what was said, once it has ended."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    said: IO[str] | None = process.stderr
    text = said.read() if said else ""
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()
    return process.returncode, text


def disturb(run: Path, kind: str, chance: random.Random) -> str:
    """Play on and disturb it at a moment of its own; what happened, in words."""
    process = started(run, chance.randrange(1, 120) if kind == "disk full" else -1)
    time.sleep(chance.uniform(0, 2.0))
    workers = children(process.pid)
    if kind == "worker":
        killable = [one for one, words in workers.items() if "resource_tracker" not in words]
        if killable:
            os.kill(chance.choice(killable), signal.SIGKILL)
    elif kind != "disk full":
        process.send_signal(getattr(signal, kind.partition(" ")[0]))
    code, said = ended(process)
    allowed = {
        "SIGKILL": {-signal.SIGKILL, 0},
        "SIGKILL truncated": {-signal.SIGKILL, 0},
        "SIGTERM": {143, 0, -signal.SIGTERM},
        "SIGINT": {-signal.SIGINT, 130, 1, 0},
        "worker": {0, 7},
        "disk full": {0, 1},
    }[kind]
    assert code in allowed, (kind, code, said)
    assert "Traceback" not in said or kind == "SIGINT", said
    limit = time.monotonic() + 60
    while any(map(alive, workers)) and time.monotonic() < limit:
        time.sleep(0.05)
    assert not any(map(alive, workers)), f"left behind after {kind}: {workers}"
    if kind == "SIGKILL truncated":
        truncate(run, chance)
    return f"{kind} {code}"


def truncate(run: Path, chance: random.Random) -> None:
    """Cut the end off the journal and the last file of rows, as a machine that goes down may leave them."""
    found = sorted(run.glob("*/p*.parquet"))
    for path in [*found[-1:], run / "journal.jsonl"]:
        if path.exists() and (size := path.stat().st_size):
            os.truncate(path, max(0, size - chance.randrange(1, min(size, 400) + 1)))


KINDS = ("SIGKILL", "worker", "SIGTERM", "SIGINT", "SIGKILL truncated", "disk full")


def survive(tmp_path: Path, times: int, seed: int) -> list[str]:
    """Disturb runs so many times; each is the same as the undisturbed one once it is done."""
    expected = content_hash(play_run(spec(), MATCHES, folder=tmp_path / "whole", jobs=1, driver=fake))
    chance, said, number = random.Random(seed), [], 0
    while len(said) < times:
        run = tmp_path / f"run-{number}"
        number += 1
        for _ in range(6):
            kind = KINDS[len(said) % len(KINDS)]
            said.append(disturb(run, kind, chance))
        done = play_run(spec(), MATCHES, folder=run, jobs=1, driver=fake)
        assert done.counts == (MATCHES,)
        assert content_hash(done) == expected, said[-6:]
        assert verify_run(run).sound
        ids = [match for block in done.iter_matches(0, ["match_id"]) for match in block["match_id"].tolist()]
        assert ids == list(range(MATCHES))
    return said


def test_a_run_killed_six_times_is_as_if_it_had_not_been(tmp_path: Path) -> None:
    """Each kind of end once: parent killed, worker killed, SIGTERM, Ctrl-C, last file cut short, disk full."""
    assert len(survive(tmp_path, 6, seed=1)) == 6


@pytest.mark.slow
def test_runs_killed_sixty_times_are_as_if_they_had_not_been(tmp_path: Path) -> None:
    assert len(survive(tmp_path, 60, seed=2)) == 60


def test_the_second_process_is_told_who_is_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    process = started(tmp_path / "run")
    limit = time.monotonic() + 60
    while not (tmp_path / "run" / "journal.jsonl").exists() and time.monotonic() < limit:
        time.sleep(0.01)
    words = rf"is being written by another process \(id {process.pid}\)"
    try:
        with pytest.raises(SimkitError, match=words):
            play_run(spec(), MATCHES, folder=tmp_path / "run", jobs=1, driver=fake)
    finally:
        process.kill()
        ended(process)
    before = open_run(tmp_path / "run").counts
    assert before < (MATCHES,), "it was too fast to be met at work"
    assert play_run(spec(), MATCHES, folder=tmp_path / "run", jobs=1, driver=fake).counts == (MATCHES,)
    with folder.lock(tmp_path / "run"):
        assert call(["report", str(tmp_path / "run")]) == 2  # reading is free
        with pytest.raises(SimkitError, match=rf"another process \(id {os.getpid()}\)"):
            folder.lock(tmp_path / "run")
    capsys.readouterr()
