"""The benchmark rows: what is measured in a process of its own owes nothing to this one."""

from __future__ import annotations

import resource

import numpy as np
import pytest

from simkit import bench
from simkit.errors import SimkitError, UsageError


def test_the_memory_of_a_fresh_process_is_its_own() -> None:
    held = np.ones(25_000_000)  # 200 MB
    mine = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert mine * 2**20 > held.nbytes
    assert float(bench._child(f"{bench._LARGEST}print(largest_mb())")) < mine / 4


def test_a_process_that_fails_is_told() -> None:
    with pytest.raises(SimkitError, match="ZeroDivisionError"):
        bench._child("1 / 0")


def test_every_row_has_one_measure() -> None:
    names = [name for rows, _ in bench.MEASURES for name in rows]
    assert len(names) == len(set(names))


def test_an_unknown_row_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"'nothing'; the rows are trictrac\.random\.rolls_per_s, .*scaling"):
        bench.run("nothing")
