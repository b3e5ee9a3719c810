"""Runs from anywhere whose digests all fit: absurd rows and estimates are read or refused in words, soon."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from test_experiment import fake_driver
from test_hostile_input import as_text, flipped, mutated, refused_or_read, sealed, seeds, some

import simkit
from simkit import api
from simkit.batch import play_run
from simkit.cli.dataset import told
from simkit.dataset import HOLES, PlaySpec, Run, finish, open_run, renew_manifest
from simkit.dataset import folder as folder_module
from simkit.errors import VerificationFailed
from simkit.research import Research, build
from simkit.verification import verify_run


@pytest.fixture(autouse=True)
def _unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncing a disk is slow, and no test pulls the plug."""
    monkeypatch.setattr(folder_module.os, "fsync", lambda _: None)


# -- rows ------------------------------------------------------------------------------------------------


SPEC = PlaySpec(simkit.rule_set("ecrire_academie"), (simkit.player("random"),) * 2, 7)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Twenty plausible matches."""
    where = tmp_path_factory.mktemp("rows") / "run"
    return play_run(SPEC, 20, folder=where, jobs=1, driver=fake_driver)


def rows_of(run: Run) -> dict[str, dict[str, Any]]:
    """All its rows, to be changed."""
    found = {}
    for table in run.family.played:
        blocks = list(run.iter_rows(table.name))
        found[table.name] = {name: np.concatenate([one[name] for one in blocks]) for name in blocks[0]}
    return found


def absurd(rows: dict[str, dict[str, Any]], seed: int) -> None:
    """Change a few numbers to what no match has, of one row or of all."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 3)):
        table = rows[chance.choice(sorted(rows))]
        name = chance.choice([name for name in table if name != "match_id"])
        column = table[name]
        place = slice(None) if chance.random() < 0.3 else chance.randrange(len(column))
        if column.dtype == bool:
            column[place] = ~column[place]
        elif name == "ended_by":
            column[place] = chance.randrange(3)
        else:
            limits = np.iinfo(column.dtype)
            column[place] = chance.choice((-1, 0, 3, 7, 126, limits.max, limits.min, limits.max // 2))


def rewritten(run: Run, rows: dict[str, dict[str, Any]], where: Path) -> Path:
    """A run of these rows, every digest computed."""
    shutil.rmtree(where, ignore_errors=True)
    (part,) = run.parts
    with folder_module.FolderWriter(where, [SPEC], run.name) as writer:
        new = writer.begin_part(0, part.first, part.matches)
        new.add(rows["matches"], rows["sets"], np.array(part.figures, np.int64))
        new.publish()
        finish(writer, part.matches)
    return where


READERS: dict[str, Callable[[Path], object]] = {
    "verify": verify_run,
    "settle": lambda where: api.settle_summary(open_run(where), {"tail_of_sets": 0}),
    "money": api.payments,
}


@pytest.mark.parametrize("name", READERS)
def test_rows_that_no_match_has(written: Run, tmp_path: Path, name: str) -> None:
    @given(seeds)
    @settings(some, max_examples=12)
    def look(seed: int) -> None:
        rows = rows_of(written)
        absurd(rows, seed)
        where = rewritten(written, rows, tmp_path / "run")
        with refused_or_read():
            READERS[name](where)

    look()


@pytest.mark.parametrize("other", ["sets", "matches", "another run"])
def test_files_put_in_the_place_of_others(written: Run, tmp_path: Path, other: str) -> None:
    """With the digests of what lies there now."""
    where = tmp_path / "run"
    shutil.copytree(written.folder, where)
    (path,) = (where / "sets").iterdir()
    if other == "another run":
        theirs = play_run(replace(SPEC, seed=8), 20, folder=tmp_path / "third", jobs=1, driver=fake_driver)
        content = theirs.path(theirs.parts[0], theirs.family.units).read_bytes()
    else:
        content = next((where / other).iterdir()).read_bytes()
    path.write_bytes(content)
    line = json.loads((where / "journal.jsonl").read_bytes())
    line["files"]["sets"] |= {"bytes": len(content), "sha256": folder_module.file_sha256(path)}
    text = json.dumps(sealed(line, "check"), separators=(",", ":")) + "\n"
    (where / "journal.jsonl").write_text(text)
    renew_manifest(where)
    found = verify_run(where)
    assert found.sound == (other == "sets")
    if other == "matches":
        with pytest.raises(VerificationFailed, match="is damaged or missing"):
            open_run(where)


# -- estimates -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def estimated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an experiment of the catalogue, as git keeps it: estimates, `page.json`, no rows."""
    root = Path(__file__).resolve().parents[2] / "results" / "twelve_hole_duration"
    where = tmp_path_factory.mktemp("estimates") / "results" / "twelve_hole_duration" / "run"
    shutil.copytree(next(path.parent for path in sorted(root.glob("*/page.json"))), where)
    return where


def estimates_changed(path: Path, seed: int) -> None:
    """Write a table of estimates again with a few values that no experiment finds."""
    chance, rows = random.Random(seed), pq.read_table(path)
    columns = {name: rows.column(name).to_pylist() for name in rows.schema.names}
    for _ in range(chance.randint(1, 4)):
        name = chance.choice(rows.schema.names)
        kind = rows.schema.field(name).type
        values: tuple[Any, ...] = ("", "x" * 5000, "<script>", "a\x00", None, "points_share", "rolls")
        if pa.types.is_floating(kind):
            values = (float("nan"), float("inf"), -1e308, 0.0, -1.0, None)
        elif pa.types.is_integer(kind):
            values = (-1, 0, 1, 2**15 - 1, -(2**15), None)
        value = chance.choice(values)
        if chance.random() < 0.2:
            columns[name] = [value] * rows.num_rows
        else:
            columns[name][chance.randrange(rows.num_rows)] = value
    arrays = []
    for field in rows.schema:
        plain = pa.string() if pa.types.is_dictionary(field.type) else field.type
        arrays.append(pa.array(columns[field.name], plain).cast(field.type))
    anything = pa.schema([field.with_nullable(True) for field in rows.schema], rows.schema.metadata)
    pq.write_table(pa.Table.from_arrays(arrays, schema=anything), path)


def test_what_goes_wrong_while_a_page_is_drawn_is_damage(
    estimated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> None:
        raise KeyError("0.95")

    monkeypatch.setattr("simkit.kept.design", missing)
    with pytest.raises(VerificationFailed, match=r"no experiment writes; simkit report --anew .*KeyError"):
        api.rebuild_report(estimated)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["estimates.parquet", "page.json"])
def test_estimates_that_no_experiment_finds(estimated: Path, name: str) -> None:
    table, page = estimated / "estimates.parquet", estimated / "page.json"
    before = {path: path.read_bytes() for path in (table, page)}

    @given(seeds)
    @settings(some, max_examples=12)
    def look(seed: int) -> None:
        plain = json.loads(before[page])
        if name == "page.json":
            plain = mutated(plain, seed)
        else:
            table.write_bytes(before[table])
            estimates_changed(table, seed)
            plain["estimates_sha256"] = folder_module.file_sha256(table)
        page.write_text(as_text(plain))
        with refused_or_read():
            api.rebuild_report(estimated)
        with refused_or_read():
            verify_run(estimated)

    try:
        look()
    finally:
        for path, content in before.items():
            path.write_bytes(content)
    assert api.rebuild_report(estimated).exists()


# -- research datasets -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three parties with holes, two of them told."""
    asked = Research(
        name="small",
        rules=(simkit.rule_set("twelve_hole"),),
        players=((simkit.player("random"),),),
        matches=3,
        extras=("holes", "records"),
        records=2,
    )
    return build(asked, tmp_path_factory.mktemp("dataset") / "small", jobs=1, tell=told).run.folder


@pytest.mark.parametrize("name", ["dataset.json", "records/p000.jsonl", HOLES.name])
def test_what_a_dataset_has_besides(dataset: Path, name: str) -> None:
    path = dataset / name
    path = next(path.iterdir()) if path.is_dir() else path
    before = path.read_bytes()

    @given(seeds)
    @settings(some, max_examples=8)
    def look(seed: int) -> None:
        changed = flipped(before, seed)
        if path.suffix != ".parquet" and seed % 2:
            first, *others = before.split(b"\n") if path.suffix == ".jsonl" else [before]
            changed = b"\n".join([as_text(mutated(json.loads(first), seed)).encode(), *others])
        path.write_bytes(changed)
        with refused_or_read():
            renew_manifest(dataset)
        with refused_or_read():
            found = verify_run(dataset, replay=None, tell=told)
            assert not found.sound or path.name == "dataset.json" or changed == before

    try:
        look()
    finally:
        path.write_bytes(before)
        renew_manifest(dataset)
    assert verify_run(dataset, replay=None, tell=told).sound
