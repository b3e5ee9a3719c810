"""Memory does not grow with the matches: what is written, read, settled, verified and estimated goes by in blocks.

Parts and row groups are made small, so that a list of rows, or of blocks, would be most of what is held. What is
allowed to grow is the journal: a part of it, some 3,000 bytes, for each 2,000 matches here.
"""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from test_experiment import SMALL, fake_driver

import simkit
from simkit import api, batch, experiment, research
from simkit.batch import play_run
from simkit.dataset import HOLES, PlaySpec, Run, content_hash, folder, open_run
from simkit.dataset.parquet import array_dtype
from simkit.research import Research, build
from simkit.verification import verify_run

FEW, MANY = 4_000, 30_000
MOST = 8
"""Bytes that a match may add to the peak: less than its number takes in one column."""


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of 2,000 matches in chunks of 250, row groups of 4,000 rows, no syncing."""
    monkeypatch.setattr(folder.os, "fsync", lambda _: None)
    monkeypatch.setattr(folder, "ROWS_PER_GROUP", 4_000)
    monkeypatch.setattr(batch, "SETS_PER_ROUND", 16_000)
    monkeypatch.setattr("joblib.effective_n_jobs", lambda *_: 1)  # how many files are open would be chance


def spec(seed: int = 7) -> PlaySpec:
    one = simkit.player("random")
    return PlaySpec(simkit.rule_set("ecrire_academie"), (one, one), seed)


def written(where: Path, matches: int) -> Run:
    return play_run(spec(), matches, folder=where, chunk_matches=250, jobs=1, driver=fake_driver)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """A run of few matches and one of many."""
    root = tmp_path_factory.mktemp("memory")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder, "ROWS_PER_GROUP", 4_000)
        patch.setattr(batch, "SETS_PER_ROUND", 16_000)
        return {matches: written(root / str(matches), matches).folder for matches in (FEW, MANY)}


_POOLS: list[pa.MemoryPool] = []
"""Kept to the end: a buffer that outlives the pool it came from is given back to nobody, and the process falls."""


@pytest.fixture(scope="module", autouse=True)
def _traced() -> Iterator[None]:
    """Traced once for all: threads of other tests may be asking for memory while tracing begins or ends."""
    tracemalloc.start()
    yield
    tracemalloc.stop()


def peak(work: Callable[[], object]) -> int:
    """The most that a piece of work holds at one time: Python and NumPy, and Arrow beside them, in bytes."""
    pool, before = pa.proxy_memory_pool(pa.default_memory_pool()), pa.default_memory_pool()
    _POOLS.append(pool)
    pa.set_memory_pool(pool)
    tracemalloc.reset_peak()
    held = tracemalloc.get_traced_memory()[0]
    try:
        work()
        return tracemalloc.get_traced_memory()[1] - held + int(pool.max_memory())
    finally:
        pa.set_memory_pool(before)


def growth(work: Callable[[int], object]) -> float:
    """Bytes that each further match adds: the least of three times, for other threads of the process only add."""
    work(FEW)  # imports and caches
    few = peak(lambda: work(FEW))
    found = math.inf
    for _ in range(3):
        found = min(found, (peak(lambda: work(MANY)) - few) / (MANY - FEW))
        if found < MOST:
            break
    return found


def test_playing(tmp_path: Path) -> None:
    turns = iter(range(10))
    assert growth(lambda matches: written(tmp_path / str(next(turns)), matches)) < MOST


READERS: dict[str, Callable[[Path], object]] = {
    "open": lambda where: open_run(where).counts,
    "blocks": lambda where: sum(len(block["rolls"]) for block in open_run(where).iter_sets()),
    "settle": lambda where: api.settle_summary(open_run(where), {"tail_of_sets": 0}),
    "settle_out": lambda where: api.settle_summary(open_run(where), {}, out=where.parent / "rows.parquet"),
    "payments": lambda where: api.write_payments(open_run(where), {}, where.parent / "payments.parquet"),
    "content_hash": lambda where: content_hash(open_run(where)),
    "verify": verify_run,
    "simulate": lambda where: simkit.simulate(
        "ecrire_academie", "random", matches=open_run(where).counts[0], seed=7, out=where
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_reading(runs: dict[int, Path], name: str) -> None:
    assert growth(lambda matches: READERS[name](runs[matches])) < MOST


def test_estimating(runs: dict[int, Path]) -> None:
    one = replace(SMALL, players=(("random", "random"),))
    assert growth(lambda matches: experiment.analyse(one, open_run(runs[matches]))) < MOST


def holes(rules: Any, players: Any, seed: int, first: int, count: int) -> dict[str, Any]:
    """Ten holes a match that nobody made."""
    rows = {column.name: np.zeros(10 * count, array_dtype(column)) for column in HOLES.data}
    return rows | {"match_id": np.repeat(np.arange(first, first + count), 10)}


def test_building_a_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With holes, and a hundredth of the matches told in lines of 40,000 bytes."""
    monkeypatch.setattr("simkit.drivers.play_chunk", fake_driver)
    monkeypatch.setattr(research, "hole_events", holes)
    monkeypatch.setattr(research, "HOLE_CHUNK", 1000)
    turns = iter(range(10))

    def made(matches: int) -> object:
        asked = Research(
            name="memory",
            rules=(simkit.rule_set("ecrire_academie"),),
            players=((simkit.player("random"),),),
            matches=matches,
            extras=("holes", "records"),
            records=matches // 100,
        )
        return build(asked, tmp_path / str(next(turns)), jobs=1, tell=lambda _, match: [match, "x" * 40_000])

    assert growth(made) < MOST
