"""Runs that a forger made: rows that no play leaves in well-formed files, every digest computed."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from test_hostile_input import as_text, mutated

from simkit.dataset import folder as folder_module
from simkit.dataset import renew_manifest
from simkit.errors import SimkitError

EXTREME = (-1, 0, 1, 3, 7, 126, 2**62)
"""Numbers to put in; one beyond the type of a column becomes the largest it holds."""


def forge(run: Path, where: Path, seed: int, changes: int | None = None) -> Path:
    """Copy a run and change one to three things of its rows; the digests of journal and manifest fit them."""
    chance = random.Random(seed)
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(run, where)
    journal = where / folder_module.JOURNAL
    lines = [json.loads(line) for line in journal.read_bytes().splitlines()]
    line = chance.choice(lines)
    for _ in range(chance.randint(1, 3) if changes is None else changes):
        name = chance.choice(sorted(line["files"]))
        path = where / name / folder_module.part_name(line["play"], line["first"], line["matches"])
        rows = changed(pq.read_table(path), chance)
        pq.write_table(rows, path, row_group_size=chance.choice((None, 3, 7)))
        line["files"][name] |= {
            "rows": rows.num_rows,
            "bytes": path.stat().st_size,
            "sha256": folder_module.file_sha256(path),
        }
    for one in lines:
        one.pop("check")
        one["check"] = folder_module.digest_of(one)
    journal.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines))
    try:
        renew_manifest(where)
    except SimkitError:
        (where / folder_module.MANIFEST).unlink(missing_ok=True)
    return where


def forge_dataset(dataset: Path, where: Path, seed: int) -> Path:
    """Copy a research dataset and change its holes, its matches told or what it says; every digest fits."""
    chance = random.Random(seed)
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(dataset, where)
    for _ in range(chance.randint(1, 2)):
        path = chance.choice(
            sorted((*where.glob("holes/*"), *where.glob("records/*"), where / "dataset.json"))
        )
        before = folder_module.file_sha256(path)
        if path.suffix == ".parquet":
            try:
                rows = changed(pq.read_table(path), chance)
            except (pa.ArrowException, IndexError):  # changed twice
                continue
            pq.write_table(rows, path, row_group_size=chance.choice((None, 3, 7)))
        elif path.suffix == ".jsonl":
            path.write_text("".join(_told_otherwise(path.read_text().splitlines(), chance)))
        else:
            path.write_text(as_text(mutated(json.loads(path.read_bytes()), seed)))
        for name in ("datapackage.json", "croissant.json"):
            text = (where / name).read_text()
            (where / name).write_text(text.replace(before, folder_module.file_sha256(path)))
    renew_manifest(where)
    return where


def _told_otherwise(told: list[str], chance: random.Random) -> list[str]:
    """Lines of matches told with one of them changed, doubled, cut short or taken away."""
    if not told:
        return ["{}\n"]
    place, what = chance.randrange(len(told)), chance.randrange(6)
    if what == 0:
        del told[place]
    elif what == 1:
        told.insert(place, told[place])
    elif what == 2:
        told[place] = told[place][: chance.randrange(len(told[place]))]
    elif what == 3:
        told[place] = chance.choice(("", "[]", "null", '{"match": 0}', '{"match": 1e400}', "\ud7ff"))
    else:
        try:
            plain = json.loads(told[place])
        except ValueError:  # changed twice
            return [f"{line}\n" for line in told]
        told[place] = as_text(
            mutated(plain, chance.randrange(2**32)) if what == 4 else _put_in_row(plain, chance)
        )
    return [f"{line}\n" for line in told]


def _put_in_row(plain: Any, chance: random.Random) -> Any:
    """A match told with one number of its rows made extreme."""
    try:
        row = chance.choice(plain["sets"])["row"]
        row[chance.choice(sorted(row))] = chance.choice((*EXTREME, 1e308, None, "win", [], {}))
    except (IndexError, KeyError, TypeError):  # changed twice
        pass
    return plain


def changed(rows: pa.Table, chance: random.Random) -> pa.Table:
    """A table with a column, or its rows, made what they cannot be."""
    names = [field.name for field in rows.schema if not pa.types.is_dictionary(field.type)]
    name = chance.choice(names if chance.random() < 0.6 else names[:3])
    place, column = rows.schema.get_field_index(name), rows.column(name)
    what = chance.randrange(12)
    if what < 6:
        return rows.set_column(place, rows.schema.field(name), _put(column, chance))
    if what == 6:
        return rows.slice(chance.randrange(rows.num_rows + 1)) if chance.random() < 0.7 else rows.slice(0, 0)
    if what == 7:
        return chance.choice((pa.concat_tables([rows, rows]), rows.slice(0, max(1, rows.num_rows - 1))))
    if what == 8:
        order = list(range(rows.num_rows))
        chance.shuffle(order)
        return rows.take(pa.array(order, pa.int64()))  # there may be none
    if what == 9:
        empty = pa.nulls(rows.num_rows, column.type)
        return rows.set_column(place, pa.field(name, column.type), [empty])
    if what == 10:
        kind = chance.choice((pa.float64(), pa.int64(), pa.int8()))
        return rows.set_column(place, name, [pc.cast(column, kind, safe=False)])
    return rows.drop_columns([name])


def _put(column: Any, chance: random.Random) -> Any:
    """A column with one number, or all, made extreme, or moved by one."""
    values = column.to_pylist()
    whole = pa.types.is_integer(column.type) or pa.types.is_boolean(column.type)
    if not values or column.null_count or not whole:
        return column
    if pa.types.is_boolean(column.type):
        at = chance.randrange(len(values))
        values[at] = not values[at]
        return pa.array(values, column.type)
    most = 2 ** (column.type.bit_width - 1) - 1
    put = chance.choice((*EXTREME, most, -most - 1))
    put = max(-most - 1, min(most, put))
    if chance.random() < 0.3:
        values = [put] * len(values)
    elif chance.random() < 0.3:
        values = [max(-most - 1, min(most, value + put)) for value in values]
    else:
        values[chance.randrange(len(values))] = put
    return pa.array(values, column.type)
