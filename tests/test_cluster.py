"""Dask workers play what one process plays; other versions are refused, and nobody is waited for in vain."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import pytest
from distributed import Client, LocalCluster
from fake_play import PARTIE, Deadly, Slow, fake, spec

import simkit
from simkit import batch, cluster
from simkit.batch import play_run
from simkit.cli import call
from simkit.dataset import content_hash, open_run
from simkit.errors import WorkerLost, WorkersDiffer

TESTS = Path(__file__).resolve().parent

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are stopped and killed"
)


@pytest.fixture(scope="module")
def local() -> Iterator[LocalCluster]:
    """Two worker processes of one thread each; a nanny starts one that dies anew."""
    with LocalCluster(
        n_workers=2, processes=True, threads_per_worker=1, dashboard_address=":0", silence_logs=False
    ) as found:
        yield found


@pytest.fixture(scope="module")
def reached(local: LocalCluster) -> Iterator[Client]:
    with Client(local, set_as_default=False) as client:
        yield client


@pytest.fixture
def client(reached: Client) -> Client:
    """A client of the two, both being there with simkit loaded."""
    reached.wait_for_workers(2, timeout=60)
    reached.run(cluster.versions)
    return reached


def on(client: Client) -> AbstractContextManager[Any]:
    """What a user writes around `simkit.run` to have it played by Dask."""
    context: AbstractContextManager[Any] = joblib.parallel_config("dask", client=client)
    return context


def alone(folder: Path, matches: int) -> str:
    """The content of a run that one process has played."""
    return content_hash(play_run(spec(), matches, folder=folder, jobs=1, driver=fake))


def gone_on(folder: Path, matches: int) -> str:
    """The content of a run, once this process has played what it lacks."""
    assert open_run(folder).counts < (matches,)
    assert not (folder / ".staging").exists()
    return alone(folder, matches)


# -- the same rows -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Signed:
    """Leaves a file named by the process that makes the rows."""

    folder: Path
    seconds: float = 0.02

    def __call__(self, rules: Any, players: Any, seed: int, first: int, count: int) -> Any:
        (self.folder / str(os.getpid())).touch()
        time.sleep(self.seconds)
        return fake(rules, players, seed, first, count)


def test_no_way_of_working_changes_a_row(tmp_path: Path, client: Client) -> None:
    """One process, two processes, threads, and a Dask cluster of two worker processes."""
    (tmp_path / "by").mkdir()
    plays = [spec(), spec(PARTIE)]
    with on(client):
        driver = Signed(tmp_path / "by")
        runs = [play_run(plays, 100, folder=tmp_path / "dask", chunk_matches=4, driver=driver)]
    workers = set(client.run(os.getpid).values())
    assert len(workers) == 2
    assert os.getpid() not in workers
    assert {int(path.name) for path in (tmp_path / "by").iterdir()} == workers
    for jobs, backend in ((1, "threads"), (2, "threads"), (2, "processes")):
        folder = tmp_path / f"{jobs}-{backend}"
        runs.append(
            play_run(plays, 100, folder=folder, jobs=jobs, backend=backend, chunk_matches=4, driver=fake)
        )
    assert len({content_hash(run) for run in runs}) == 1
    assert len({(run.folder / "manifest.json").read_bytes() for run in runs}) == 1


def test_real_play_is_the_same_and_only_the_caller_writes(
    tmp_path: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers in a folder that is not there any more, and that they may not write to, do as well."""
    monkeypatch.chdir(tmp_path)
    here = simkit.simulate("ecrire_academie", "random", matches=60, seed=3, out=tmp_path / "here")
    with on(client):
        there = simkit.simulate("ecrire_academie", "random", matches=60, seed=3, out="there")
    assert content_hash(there) == content_hash(here)
    client.run(os.chdir, "/proc")
    try:
        with on(client):
            nowhere = simkit.simulate("ecrire_academie", "random", matches=60, seed=3, out="nowhere")
    finally:
        client.run(os.chdir, str(TESTS))
    assert content_hash(nowhere) == content_hash(here)


def test_the_option_names_the_scheduler(
    tmp_path: Path,
    client: Client,
    local: LocalCluster,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    before = local.scheduler.clients.copy()
    plain = ["simulate", "ecrire_academie", "--matches", "40", "--players", "random", "-q"]
    assert call([*plain, "--out", "here", "--jobs", "1"]) == 0
    assert call([*plain, "--out", "there", "--dask", local.scheduler_address]) == 0
    assert content_hash(open_run("here")) == content_hash(open_run("there"))
    assert call(["run", "tail_of_tokens", "--matches", "2", "-q", "--dask", local.scheduler_address]) == 0
    (folder,) = Path("results/tail_of_tokens").iterdir()
    assert call(["verify", str(folder), "--replay", "all"]) == 0  # simulated here
    assert local.scheduler.clients.keys() == before.keys()
    capsys.readouterr()
    assert call([*plain, "--jobs", "2", "--dask", local.scheduler_address]) == 2
    assert "--jobs 2: workers of this machine" in capsys.readouterr().err


# -- addresses -----------------------------------------------------------------------------------------


@pytest.fixture
def other_program() -> Iterator[str]:
    """The address of a program that answers whatever it is asked, and is no scheduler."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            while True:
                try:
                    asked, _ = server.accept()
                except OSError:
                    return
                with asked:
                    asked.sendall(b"HTTP/1.1 400 Bad Request" + bytes(2000))

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def refused(address: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of an address."""
    assert call(["simulate", "ecrire_academie", "--matches", "4", "--dask", address, "-q"]) == 2
    assert not list(Path().iterdir())
    said = capsys.readouterr()
    assert not said.out
    assert "Traceback" not in said.err
    return said.err


def test_an_address_without_a_scheduler_is_refused_in_words(
    tmp_path: Path,
    local: LocalCluster,
    other_program: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it listens and never answers
        port = silent.getsockname()[1]
        assert "no Dask scheduler answers at" in refused(f"tcp://127.0.0.1:{port}", capsys)
    assert "no Dask scheduler answers at" in refused(f"127.0.0.1:{port}", capsys)  # nobody listens any more
    assert "no address of a Dask scheduler" in refused(other_program, capsys)
    for wrong in ("here", "", "http://127.0.0.1:8786", "tcp://127.0.0.1:port"):
        assert "no address of a Dask scheduler, as tcp://host:8786 is" in refused(wrong, capsys)
    worker = next(iter(local.scheduler.workers))
    assert "is a Dask worker; the address of the scheduler" in refused(worker, capsys)


def test_without_dask_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'trictrac-simkit[dask]'" in refused("tcp://127.0.0.1:8786", capsys)


# -- versions ------------------------------------------------------------------------------------------


BEFORE: list[tuple[str, str, Any]] = []


def changed(module: str, name: str, value: Any) -> None:
    """Change a value of a module where this runs, as another version has it."""
    BEFORE.append((module, name, getattr(sys.modules[module], name)))
    setattr(sys.modules[module], name, value)


def hidden() -> None:
    """Have a module of this package missing where this runs."""
    sys.modules["simkit.cluster"] = None  # type: ignore[assignment]


def restored() -> None:
    """Have everything as it was."""
    sys.modules["simkit.cluster"] = cluster
    while BEFORE:
        module, name, value = BEFORE.pop()
        setattr(sys.modules[module], name, value)


@pytest.mark.parametrize(
    ("module", "name", "value", "words"),
    [
        ("simkit.cluster", "__version__", "0.0.9", f"simkit {simkit.__version__} here and 0.0.9 there"),
        ("simkit.cluster", "DICE", "philox4x64-10/1", "dice philox4x64-10/2 here and philox4x64-10/1 there"),
        ("numba", "__version__", "0.1.0", "numba .* here and 0.1 there"),
        ("simkit.cluster", "_sources", str, "sources of play [0-9a-f]{12} here and  there"),
        ("simkit.cluster", "TABLES", (), "schema matches 1 here and none there"),
    ],
)
def test_a_worker_of_another_version_is_refused_before_play(
    tmp_path: Path, client: Client, module: str, name: str, value: Any, words: str
) -> None:
    worker = list(client.run(os.getpid))[1]
    client.run(changed, module, name, value, workers=[worker])
    try:
        with on(client), pytest.raises(WorkersDiffer, match=f"Dask worker {worker} has other.*{words}"):
            play_run(spec(), 8, folder=tmp_path / "run", driver=fake)
        call_of_it = client.submit(
            cluster.guarded, cluster.versions(), fake, (), workers=[worker], pure=False
        )
        with pytest.raises(WorkersDiffer, match=f"Dask worker {worker} has other.*{words}"):
            call_of_it.result(timeout=60)  # a worker that joins while others play is refused too
    finally:
        client.run(restored, workers=[worker])
    assert not (tmp_path / "run").exists()


def test_a_worker_without_simkit_is_refused(tmp_path: Path, client: Client) -> None:
    worker = next(iter(client.run(os.getpid)))
    client.run(hidden, workers=[worker])
    try:
        with on(client), pytest.raises(WorkersDiffer, match=f"{worker} cannot say its versions"):
            play_run(spec(), 8, folder=tmp_path / "run", driver=fake)
    finally:
        client.run(restored, workers=[worker])
    assert not (tmp_path / "run").exists()


# -- workers and schedulers that are lost --------------------------------------------------------------


def shortly(action: Callable[[], Any], run: Path) -> threading.Thread:
    """Do something as soon as a run has published its first round."""

    def wait() -> None:
        until((run / "journal.jsonl").exists)
        action()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


def until(true: Callable[[], Any], seconds: float = 120) -> None:
    """Wait for something, and fail if it does not come."""
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, "it never came"
        time.sleep(0.02)


@pytest.fixture
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNKS_PER_ROUND", 4)


@pytest.mark.usefixtures("short_rounds")
def test_others_play_what_a_killed_worker_was_to_play(tmp_path: Path, client: Client) -> None:
    one, _ = client.run(os.getpid).values()
    killing = shortly(lambda: os.kill(one, signal.SIGKILL), tmp_path / "run")
    with on(client):
        run = play_run(spec(), 120, folder=tmp_path / "run", chunk_matches=2, driver=Slow(0.05))
    killing.join()
    assert one not in client.run(os.getpid).values()
    assert content_hash(run) == alone(tmp_path / "alone", 120)


def test_matches_that_kill_whoever_plays_them_end_the_run_in_words(
    tmp_path: Path, client: Client, local: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local.scheduler, "allowed_failures", 0)
    with on(client), pytest.raises(WorkerLost, match=r"workers of .* died one after the other"):
        play_run(spec(), 12, folder=tmp_path / "run", chunk_matches=12, driver=Deadly(tmp_path, 50))
    assert gone_on(tmp_path / "run", 12) == alone(tmp_path / "alone", 12)


def test_a_chunk_without_an_answer_ends_the_run_in_words(
    tmp_path: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "LOOKS", 0.1)
    with on(client):
        monkeypatch.setattr(batch, "PATIENCE", 1.5)
        with pytest.raises(WorkerLost, match="gave no answer in 2 s; finished rounds are kept"):
            play_run(spec(), 12, folder=tmp_path / "run", chunk_matches=12, driver=Slow(4))
    assert gone_on(tmp_path / "run", 12) == alone(tmp_path / "alone", 12)


def test_a_worker_that_stands_still_is_not_waited_for(
    tmp_path: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "PATIENCE", 1.0)
    one, _ = client.run(os.getpid).values()
    os.kill(one, signal.SIGSTOP)
    try:
        with on(client), pytest.raises(WorkerLost, match=r"no worker of .* answers"):
            play_run(spec(), 12, folder=tmp_path / "run", driver=fake)
    finally:
        os.kill(one, signal.SIGCONT)
    assert not (tmp_path / "run").exists()


def test_a_faulty_driver_is_told_as_it_is(tmp_path: Path, client: Client) -> None:
    with on(client), pytest.raises(TimeoutError, match="my own"):
        play_run(spec(), 12, folder=tmp_path / "run", driver=impatient)


def impatient(rules: Any, players: Any, seed: int, first: int, count: int) -> Any:
    raise TimeoutError("my own")


PROGRAM = """
import signal, sys
sys.path.insert(0, sys.argv[1])
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run in the background
from fake_play import Slow, spec
from simkit import batch, cluster
from simkit.cli import main
batch.CHUNKS_PER_ROUND, cluster.ALONE, cluster.LOOKS, cluster.CONNECT = 4, 1.0, 0.2, 5.0
play_run = batch.play_run
def played(specs, matches, **options):
    return play_run(spec(), matches, **options, chunk_matches=2, driver=Slow(0.02))
batch.play_run = played
main(["simulate", "ecrire_academie", "-q", "--matches", sys.argv[4], "--out", sys.argv[2], "--dask", sys.argv[3]])
"""


def started(run: Path, address: str, matches: int) -> subprocess.Popen[str]:
    """The command at work on a cluster, once it has published a round."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(TESTS), str(run), address, str(matches)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        until(lambda: (run / "journal.jsonl").exists() or process.poll() is not None)
        assert process.poll() is None, process.communicate()
    except BaseException:
        process.kill()
        process.communicate()
        raise
    return process


def ended(process: subprocess.Popen[str]) -> str:
    """What it said on stderr, once it has ended."""
    try:
        return process.communicate(timeout=120)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_takes_back_what_is_under_way(
    tmp_path: Path, client: Client, local: LocalCluster, number: int, code: int
) -> None:
    before = set(local.scheduler.tasks)
    process = started(tmp_path / "run", local.scheduler_address, 4000)
    process.send_signal(number)
    said = ended(process)
    assert process.returncode == code, said
    assert "matches are kept; the same command goes on from there" in said
    assert "Traceback" not in said or "Exception ignored in" in said  # it arrived in a destructor
    until(lambda: set(local.scheduler.tasks) <= before)
    assert gone_on(tmp_path / "run", 4000) == alone(tmp_path / "alone", 4000)


@dataclass(frozen=True)
class Outside:
    """A scheduler and two workers without nannies, started by the commands of Dask."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: tuple[subprocess.Popen[bytes], ...]


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    with ExitStack() as all_of_them:

        def dask(*words: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *words, "--no-dashboard", "--dashboard-address", ":0"],
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])},
                cwd=tmp_path,
                stderr=subprocess.DEVNULL,
            )
            all_of_them.callback(process.wait)
            all_of_them.callback(process.kill)
            return process

        where = tmp_path / "scheduler.json"
        scheduler = dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(where))
        until(lambda: where.exists() and where.stat().st_size)
        address = json.loads(where.read_text())["address"]
        one = ("worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny")
        workers = (dask(*one), dask(*one))
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            client.run(cluster.versions)
        yield Outside(address, scheduler, workers)


def test_a_cluster_that_is_lost_ends_the_command_with_7(tmp_path: Path, outside: Outside) -> None:
    """All workers killed for good."""
    process = started(tmp_path / "run", outside.address, 4000)
    for worker in outside.workers:
        worker.kill()
    said = ended(process)
    assert process.returncode == 7, said
    assert f"the Dask cluster at {outside.address} has no worker left; finished rounds are kept" in said
    assert gone_on(tmp_path / "run", 4000) == alone(tmp_path / "alone", 4000)


def test_a_scheduler_that_is_lost_ends_the_command_with_7(tmp_path: Path, outside: Outside) -> None:
    process = started(tmp_path / "run", outside.address, 4000)
    outside.scheduler.kill()
    said = ended(process)
    assert process.returncode == 7, said
    assert f"the Dask cluster at {outside.address} has gone" in said
    assert "Traceback" not in said
    assert gone_on(tmp_path / "run", 4000) == alone(tmp_path / "alone", 4000)
