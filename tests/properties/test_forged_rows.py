"""Runs whose rows a forger wrote anew: whatever reads them reads them or refuses them in words, soon."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from forged import forge, forge_dataset
from hypothesis import given, settings
from test_hostile_input import refused_or_read, seeds, some

import simkit
from simkit import api
from simkit.batch import play_run
from simkit.cli import call
from simkit.cli.runs import run_facts
from simkit.dataset import PlaySpec, content_hash, open_run
from simkit.dataset import folder as folder_module
from simkit.dataset.bounds import beyond, bounds, uneven
from simkit.dataset.schema import FAMILIES
from simkit.errors import VerificationFailed
from simkit.verification import verify_run


@pytest.fixture(autouse=True)
def _unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncing a disk is slow, and no test pulls the plug."""
    monkeypatch.setattr(folder_module.os, "fsync", lambda _: None)


PLAYED = (
    "ecrire_academie",
    "twelve_hole",
    "tourner_guiton",
    "pool_drain",
    "combine_classical",
    "toutes_tables_225",
)
"""A rule set of every kind of run."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """A run of each, and another to compare it with."""
    found = {}
    for name in PLAYED:
        rules, where = simkit.rule_set(name), tmp_path_factory.mktemp(name)
        for seed in (1, 2):
            spec = PlaySpec(rules, (simkit.player("random"),) * rules.match.players, seed)
            play_run(spec, 6, folder=where / str(seed), jobs=1)
        found[name] = (where / "1", where / "2")
    return found


def frames(folder: Path, _: Path) -> None:
    """Every table as a frame."""
    run = simkit.open(folder)
    for name in ("matches", *(table.name for table in run.family.played[1:])):
        getattr(run, name)


READERS: dict[str, Callable[[Path, Path], object]] = {
    "verify": lambda folder, _: verify_run(folder, replay=1),
    "settle": lambda folder, _: api.settle_summary(open_run(folder), {}),
    "settle pools": lambda folder, _: api.settle_pool_summary(open_run(folder), {}),
    "settled rows": lambda folder, _: api.settle_run(folder),
    "payments": lambda folder, _: api.payments(folder),
    "own payments": lambda folder, _: simkit.open(folder).payments,
    "summary": lambda folder, _: simkit.open(folder).summary,
    "facts": lambda folder, _: run_facts(open_run(folder)),
    "frames": frames,
    "hash": lambda folder, _: content_hash(open_run(folder)),
    "compare": lambda folder, other: simkit.compare(other, folder),
    "baseline": lambda folder, other: simkit.compare(folder, other),
}


def look_at(run: tuple[Path, Path], where: Path, examples: int) -> None:
    @given(seeds)
    @settings(some, max_examples=examples)
    def look(seed: int) -> None:
        forged = forge(run[0], where, seed)
        for read in READERS.values():
            with refused_or_read():
                read(forged, run[1])

    look()


@pytest.mark.parametrize("name", PLAYED)
def test_forged_rows(runs: dict[str, tuple[Path, Path]], tmp_path: Path, name: str) -> None:
    look_at(runs[name], tmp_path / "run", 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_many_forged_rows(runs: dict[str, tuple[Path, Path]], tmp_path: Path, name: str) -> None:
    look_at(runs[name], tmp_path / "run", 60)


# -- holes and matches told ------------------------------------------------------------------------------


DATASET = (
    "dataset", "small", "--rules", "ecrire_academie,ecrire_guiton", "--players", "random", "--matches", "5",
    "--tables", "holes,records", "--records", "2", "--jobs", "1", "--quiet", "--seed",
)  # fmt: skip


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A research dataset, and another to compare it with."""
    where = tmp_path_factory.mktemp("datasets")
    for seed in ("1", "2"):
        assert call([*DATASET, seed, "--out", str(where / seed)]) == 0
    return where / "1", where / "2"


COMMANDS: dict[str, Callable[[Path, Path], list[str]]] = {
    "verify": lambda folder, _: ["verify", str(folder), "--replay", "1"],
    "bytes": lambda folder, _: ["verify", str(folder), "--bytes-only"],
    "settle": lambda folder, _: ["settle", str(folder)],
    "compare": lambda folder, other: ["compare", str(other), str(folder)],
    "replay": lambda folder, _: ["replay", str(folder), "1", "--play", "1", "--short"],
}


def look_at_datasets(datasets: tuple[Path, Path], where: Path, examples: int) -> None:
    @given(seeds)
    @settings(some, max_examples=examples)
    def look(seed: int) -> None:
        forged = forge_dataset(datasets[0], where, seed)
        with refused_or_read():
            frames(forged, forged)
        for command in COMMANDS.values():
            assert call(command(forged, datasets[1])) in (0, 5), command(forged, datasets[1])

    look()


def test_forged_datasets(datasets: tuple[Path, Path], tmp_path: Path) -> None:
    """Of holes, matches told and what is said of them; those who read the rows alone read on."""
    look_at_datasets(datasets, tmp_path / "run", 5)


@pytest.mark.slow
def test_many_forged_datasets(datasets: tuple[Path, Path], tmp_path: Path) -> None:
    look_at_datasets(datasets, tmp_path / "run", 60)


# -- what is said ------------------------------------------------------------------------------------------


def put(folder: Path, table: str, column: str, value: int) -> None:
    """One number changed, the digest of the file noted."""
    journal = folder / folder_module.JOURNAL
    line = json.loads(journal.read_bytes())
    (path,) = (folder / table).iterdir()
    rows = pq.read_table(path)
    values = rows.column(column).to_pylist()
    field = rows.schema.field(column)
    changed = pa.array([*values[:-1], value], field.type)
    pq.write_table(rows.set_column(rows.schema.get_field_index(column), field, changed), path)
    line["files"][table] |= {"bytes": path.stat().st_size, "sha256": folder_module.file_sha256(path)}
    line.pop("check")
    line["check"] = folder_module.digest_of(line)
    journal.write_text(json.dumps(line, separators=(",", ":")) + "\n")
    simkit.dataset.renew_manifest(folder)


@pytest.mark.parametrize(
    ("table", "column", "value", "words"),
    [
        ("sets", "winner", 7, "holds 7 in column winner, where play leaves 0 to 2"),
        ("sets", "holes_1", -1, "holds -1 in column holes_1, where play leaves 0 to 32767"),
        ("matches", "match_id", 2**62, "holds matches that are not its own, or not in their order"),
        ("sets", "match_id", -5, "holds -5 in column match_id"),
    ],
)
def test_what_is_said_of_forged_rows(
    runs: dict[str, tuple[Path, Path]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    table: str,
    column: str,
    value: int,
    words: str,
) -> None:
    folder = forge(runs["ecrire_academie"][0], tmp_path / "run", 0, changes=0)
    put(folder, table, column, value)
    assert any(words in problem or "not in its place" in problem for problem in verify_run(folder).problems)
    if table == "sets":
        assert call(["settle", str(folder)]) == 5
        said = capsys.readouterr().err
        assert words in said and "take the run away" in said and f"{table}/p000" in said
    with pytest.raises(VerificationFailed):
        content_hash(open_run(folder))


def test_whatever_goes_wrong_with_rows_is_told_as_damage(
    runs: dict[str, tuple[Path, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of runs that were there; what this process has just played is not doubted."""
    folder = runs["ecrire_academie"][0]

    def fails(*_: Any, **__: Any) -> None:
        raise IndexError("7 is out of bounds")

    monkeypatch.setattr("simkit.shown.measures.measured", fails)
    with pytest.raises(VerificationFailed, match=r"1 holds rows that no match has; .* \(IndexError: 7 is"):
        _ = simkit.open(folder).summary
    fresh = simkit.open(folder)
    fresh.fresh = True
    with pytest.raises(IndexError):
        _ = fresh.summary


def test_limits_hold_for_what_is_played(runs: dict[str, tuple[Path, Path]]) -> None:
    for folder, _ in runs.values():
        run = open_run(folder)
        for table in run.family.played:
            for block in run.iter_rows(table.name):
                limits = bounds(run.plays[0], table)
                assert not list(beyond(limits, block)) and not list(uneven(table, block))
                for column in (one for one in table.data if one.dtype.startswith("int")):
                    low, high = column.limits
                    assert np.all((block[column.name] >= low) & (block[column.name] <= high))
                    assert low <= limits[column.name][0] <= limits[column.name][1] <= high
    for family in FAMILIES:
        for column in (one for table in family.played for one in table.data if one.dtype.startswith("int")):
            assert 0 == column.limits[0] < column.limits[1] <= np.iinfo(column.dtype).max
