"""A Dask cluster that a `joblib.parallel_config` names: who may work there, chunks handed out, silence noticed.

joblib 1.6 waits for ever for a chunk whose workers have died, and plays on the caller's machine where a cluster
has one thread only. Chunks therefore go to the Dask client of joblib's backend without a detour.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from simkit import __version__
from simkit.dataset import DICE
from simkit.dataset.schema import TABLES
from simkit.errors import UsageError, WorkerLost, WorkersDiffer

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT: Final = 10.0
"""Seconds that a scheduler has to answer."""
ALONE: Final = 30.0
"""Seconds without any worker after which none is waited for: one that is started anew is back sooner."""
LOOKS: Final = 1.0
"""Seconds between two looks at who is still there, while an answer is due."""
PER_THREAD: Final = 4
AT_LEAST: Final = 32
"""Chunks handed out ahead, so that no worker waits for the one before it to be written down."""
KEPT: Final = "finished rounds are kept, the same command goes on from there"
PLAYING: Final = ("errors.py", "rules", "kernel", "players", "drivers")
"""Sources of this package that decide what a chunk holds."""


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Have everything within played by the Dask cluster of the scheduler at an address; here, if there is none.

    Raises
    ------
    UsageError
        Dask is not installed, or nothing that is a scheduler answers there in `CONNECT` seconds.
    """
    if address is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "Dask is not installed here: pip install 'trictrac-simkit[dask]' brings it"
        ) from None
    from joblib import parallel_config

    for name in ("distributed", "distributed.client"):  # whatever they log is said in words by whom it stops
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _ask(address)
    with (
        Client(address, timeout=CONNECT, set_as_default=False) as client,
        parallel_config("dask", client=client),
    ):
        yield


def _ask(address: str) -> None:
    """Ask who answers at an address: a client that finds no scheduler there cannot be closed quietly."""
    import asyncio

    from distributed.core import rpc

    async def who() -> Mapping[str, Any]:
        async with rpc(address, timeout=CONNECT) as other:
            return dict(await asyncio.wait_for(other.identity(), CONNECT))

    try:
        kind = asyncio.run(who()).get("type", "")
    except (OSError, TimeoutError):
        raise UsageError(f"no Dask scheduler answers at {address} within {CONNECT:.0f} s") from None
    except Exception as error:  # whatever the answer of another program, or a strange address, leads to
        raise UsageError(
            f"{address} is no address of a Dask scheduler, as tcp://host:8786 is: {error}"
        ) from None
    if not kind.endswith("Scheduler"):
        raise UsageError(f"{address} is a Dask {kind.lower()}; the address of the scheduler is asked for")


def surrounding(patience: float) -> Cluster | None:
    """The cluster that a `joblib.parallel_config` around the call names; None where it names none."""
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    client = getattr(backend, "client", None)
    if not hasattr(client, "scheduler_info"):
        return None
    return Cluster(client, dict(getattr(backend, "submit_kwargs", {})), patience)


def versions() -> dict[str, str]:
    """What has to be the same wherever chunks of one run are played, by name."""
    import platform

    import numba
    import numpy as np

    schemas = (table.schema_name.partition("/") for table in TABLES)
    return {
        "simkit": __version__,
        "dice": DICE,
        **{f"schema {name}": version for name, _, version in schemas},
        "sources of play": _sources(),
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "numba": ".".join(numba.__version__.split(".")[:2]),
        "numpy": np.__version__.split(".")[0],
    }


@cache
def _sources() -> str:
    """The first digits of a digest of the sources that decide what a chunk holds."""
    digest, package = hashlib.sha256(), Path(__file__).parent
    for name in PLAYING:
        for path in sorted((package / name).rglob("*.py")) or [package / name]:
            digest.update(path.relative_to(package).as_posix().encode())
            digest.update(path.read_text(encoding="utf-8").encode())
    return digest.hexdigest()[:12]


def refuse_other(here: Mapping[str, str], there: Mapping[str, str], worker: str) -> None:
    """Refuse a worker where something is of another version than here.

    Raises
    ------
    WorkersDiffer
        It names what differs, and both versions.
    """
    differing = [
        f"{name} {here.get(name, 'none')} here and {there.get(name, 'none')} there"
        for name in dict.fromkeys((*here, *there))
        if here.get(name) != there.get(name)
    ]
    if differing:
        raise WorkersDiffer(
            f"the Dask worker {worker} has other versions: {', '.join(differing)}; install the same everywhere"
        )


def guarded(expected: Mapping[str, str], task: Callable[..., Any], call: tuple[Any, ...]) -> Any:
    """What a worker does: its task, unless it is of other versions; it may have joined since all were asked."""
    here = versions()
    if here != expected:
        from distributed import get_worker

        refuse_other(expected, here, get_worker().address)
    return task(*call)


class Cluster:
    """The workers that a Dask client reaches.

    Parameters
    ----------
    client : distributed.Client
        Connected to the scheduler.
    submitting : mapping
        What joblib's backend was told to submit with every task: `workers`, `priority` and the like.
    patience : float
        Seconds that an answer may take.
    """

    def __init__(self, client: Client, submitting: Mapping[str, Any], patience: float) -> None:
        self._client = client
        self._submitting = submitting
        self._patience = patience
        self._threads = 0
        self._looked = 0.0
        self._name = f"the Dask cluster at {client.scheduler.address}"

    def check(self) -> None:
        """See that there are workers, and that their versions are those of this process.

        Raises
        ------
        WorkersDiffer
            One has other versions, or none at all.
        WorkerLost
            No worker joins in `ALONE` seconds, or one does not answer.
        """
        try:
            self._client.wait_for_workers(1, timeout=min(ALONE, self._patience))
            asked = self._client.run(versions, on_error="return", callback_timeout=self._patience)
        except TimeoutError:
            raise WorkerLost(
                f"no worker of {self._name} answers; the same command goes on once there are some"
            ) from None
        here = versions()
        for worker, there in asked.items():
            if isinstance(there, OSError):  # it has just left
                continue
            if isinstance(there, BaseException):
                raise WorkersDiffer(
                    f"the Dask worker {worker} cannot say its versions ({type(there).__name__}: {there}); "
                    f"install simkit {__version__} there, as here"
                )
            refuse_other(here, there, worker)

    def results(
        self, task: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
    ) -> Generator[Any, None, None]:
        """Results of a task for each of many calls, in their order, some of them worked at ahead.

        What a worker was to do when it died is done by another. The calls not yet answered are taken back when
        the generator is closed.

        Raises
        ------
        WorkerLost
            A call has cost several workers their lives or has no answer in time, no worker is left, or the
            scheduler is gone.
        WorkersDiffer
            A worker has joined that has other versions.
        """
        here, left = versions(), iter(calls)
        waiting: deque[Future[Any]] = deque()
        try:
            while True:
                for call in islice(left, max(0, self._ahead() - len(waiting))):
                    waiting.append(self._submit(here, task, call))
                if not waiting:
                    return
                yield self._answer(waiting[0])
                waiting.popleft().release()  # a signal that arrives in its destructor would be dropped
        finally:
            with suppress(Exception):  # a scheduler that is gone has nothing left to be taken back
                self._client.cancel(list(waiting), reason="the run has stopped")

    def _submit(
        self, here: Mapping[str, str], task: Callable[..., Any], call: tuple[Any, ...]
    ) -> Future[Any]:
        try:
            return self._client.submit(guarded, here, task, call, pure=False, **self._submitting)
        except Exception as error:
            if self._client.status == "running":
                raise
            raise self._gone() from error

    def _answer(self, future: Future[Any]) -> Any:
        """The result of a call, once it is there."""
        from distributed import KilledWorker, wait

        begun = attended = time.monotonic()
        carrying = LOOKS
        try:
            while True:
                try:
                    with self._client.as_current():
                        wait(future, timeout=LOOKS)
                    return future.result(timeout=carrying)
                except TimeoutError:
                    if future.status == "error":  # the task's own
                        raise
                    if future.status == "finished":  # it is long, or was lost with its worker and comes anew
                        carrying = min(2 * carrying, self._patience)
                now = time.monotonic()
                self._look()
                attended = now if self._threads else attended
                if now - attended > min(ALONE, self._patience):
                    raise WorkerLost(f"{self._name} has no worker left; {KEPT}")
                if now - begun > self._patience:
                    raise WorkerLost(f"{self._name} gave no answer in {self._patience:.0f} s; {KEPT}")
        except KilledWorker as error:
            raise WorkerLost(
                f"several workers of {self._name} died one after the other at the same matches, perhaps for want "
                f"of memory; {KEPT}"
            ) from error
        except (CancelledError, OSError) as error:
            if future.status == "error":  # the task's own
                raise
            raise self._gone() from error

    def _gone(self) -> WorkerLost:
        return WorkerLost(f"{self._name} has gone or been restarted; {KEPT}")

    def _ahead(self) -> int:
        """How many calls are to be with the workers."""
        if time.monotonic() - self._looked > LOOKS:
            self._look()
        return max(AT_LEAST, PER_THREAD * self._threads)

    def _look(self) -> None:
        """Ask how many threads of workers there are; a scheduler that does not answer has none."""
        try:
            self._threads = sum(self._client.nthreads(callback_timeout=CONNECT).values())
        except Exception:  # whatever a client that is cut off may raise
            self._threads = 0
        self._looked = time.monotonic()
