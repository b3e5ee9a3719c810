"""Frozen numbers: the dice of a place, and the rows a seed gives. A change here is a "Results change"."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
from simkit.kernel.dice import DICE_OF_1, dice_of, philox
from simkit.kernel.records import FIGURES

SEED = 1822

ROWS = {
    ("ecrire_academie", "random"): "430948d360966701",
    ("ecrire_academie", "prudent"): "cea4c2da492a1e8f",
    ("ecrire_academie", "greedy"): "1556180833d9a887",
    ("twelve_hole", "random"): "5d9944d86f87ba1a",
    ("twelve_hole", "prudent"): "05026e5253451da6",
}
"""First 16 hex of the SHA-256 over the columns of 6 matches between two of a player, by rule set."""


LATER = ("stalls",)


def digest_of_rows(rules: str, name: str, matches: int = 6) -> str:
    """Hash what a chunk leaves: every column of both tables, in order, and the figures.

    What came later than the digests, columns and figures alike, is left out where it is nought.
    """
    one = player(name)
    chunk = play_chunk(rule_set(rules), (one, one), SEED, 0, matches)
    digest = hashlib.sha256()
    for table in (chunk.matches, chunk.sets):
        for column, values in table.items():
            if column in LATER and not values.any():
                continue
            digest.update(f"{column} {values.dtype.str} {values.tolist()}".encode())
    marked = {
        name: chunk.figures[:, k].tolist() for k, name in enumerate(FIGURES) if chunk.figures[:, k].any()
    }
    digest.update(str(marked).encode())
    return digest.hexdigest()[:16]


def test_dice_of_a_place() -> None:
    words = [word for block in range(3) for word in philox(block, 0, 0, DICE_OF_1, SEED, 0)]
    assert [dice_of(word) for word in words] == [
        (1, 1),
        (4, 5),
        (3, 5),
        (4, 2),
        (4, 2),
        (6, 5),
        (4, 6),
        (1, 2),
        (4, 3),
        (3, 3),
        (5, 5),
        (2, 1),
    ]


def test_words_are_those_of_numpy() -> None:
    """numpy steps its counter before the first block."""
    place = (7, 3, 2, DICE_OF_1)
    counter = sum(word << 64 * k for k, word in enumerate(place)) - 1
    words = np.random.Philox(key=SEED | 5 << 64, counter=counter).random_raw(4)
    assert [word % 2**64 for word in philox(*place, SEED, 5)] == words.tolist()


@pytest.mark.parametrize(("rules", "name"), ROWS)
def test_rows_of_a_seed(rules: str, name: str) -> None:
    assert digest_of_rows(rules, name) == ROWS[rules, name]


@pytest.mark.parametrize(("rules", "name"), [("ecrire_academie", "random"), ("twelve_hole", "prudent")])
def test_rows_with_compilation_off(rules: str, name: str) -> None:
    code = f"from golden.test_golden import digest_of_rows; print(digest_of_rows({rules!r}, {name!r}, 1))"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == digest_of_rows(rules, name, 1)
