"""Columns read from files, digests of them and keys within matches: each beside a plain way to the same."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from simkit.dataset.parquet import ColumnHash, array_dtype, arrow_schema, encode, read_blocks
from simkit.dataset.schema import SETS
from simkit.errors import VerificationFailed
from simkit.verification import _counts_from_one

BOOLEANS = [column.name for column in SETS.data if column.dtype == "bool"]


def rows(count: int, seed: int = 0) -> dict[str, NDArray[Any]]:
    """Data columns of `sets` with values of their types, whatever they mean."""
    random = np.random.default_rng(seed)
    return {
        column.name: random.integers(0, len(column.values) or 2, count).astype(array_dtype(column))
        for column in SETS.data
    }


def stored(path: Path, columns: dict[str, NDArray[Any]]) -> Path:
    """A file of `sets` that holds them."""
    arrays = []
    for column in SETS.columns:
        values = columns.get(column.name, np.zeros(len(columns["rolls"]), np.int8))
        if column.dtype != "category":
            arrays.append(pa.array(values))
            continue
        words = pa.array(column.values or ("label",), pa.string())
        arrays.append(pa.DictionaryArray.from_arrays(pa.array(values.astype(np.int32)), words))
    schema = arrow_schema(SETS, {})
    path.write_bytes(encode(SETS, schema, pa.Table.from_arrays(arrays, schema=schema)))
    return path


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 1_000, 30_001])
def test_columns_come_back_as_they_were(tmp_path: Path, count: int) -> None:
    columns = rows(count, seed=count)
    blocks = list(read_blocks(stored(tmp_path / "rows.parquet", columns), SETS))
    for name, column in columns.items():
        read = np.concatenate([np.zeros(0, column.dtype), *(block[name] for block in blocks)])
        assert read.dtype == column.dtype, name
        assert read.tolist() == column.tolist(), name


def test_an_empty_truth_value_is_refused(tmp_path: Path) -> None:
    path = stored(tmp_path / "rows.parquet", rows(20))
    table = pq.read_table(path)
    place = table.schema.get_field_index(BOOLEANS[0])
    empty = pa.array([None, *[True] * 19], pa.bool_())
    pq.write_table(table.set_column(place, pa.field(BOOLEANS[0], pa.bool_()), empty), path)
    with pytest.raises(VerificationFailed, match=f"has empty values in column {BOOLEANS[0]}"):
        list(read_blocks(path, SETS))


def test_the_digest_is_of_the_bytes_of_each_column() -> None:
    """However they lie in memory: in one piece, in steps, or with the largest byte first."""
    columns = rows(500)
    whole = hashlib.sha256(SETS.schema_name.encode())
    for column in SETS.data:
        plain = columns[column.name].astype(array_dtype(column).newbyteorder("<")).tobytes()
        told = f"\n{column.name} {column.dtype} {','.join(column.values)} {hashlib.sha256(plain).hexdigest()}"
        whole.update(told.encode())
    stepped = {name: np.repeat(column, 2)[::2] for name, column in columns.items()}
    turned = {name: column.astype(column.dtype.newbyteorder(">")) for name, column in columns.items()}
    for way in (columns, stepped, turned):
        digest = ColumnHash(SETS)
        digest.update({name: column[:123] for name, column in way.items()})
        digest.update({name: column[123:123] for name, column in way.items()})
        digest.update({name: column[123:] for name, column in way.items()})
        assert digest.hexdigest() == whole.hexdigest()


def counted(places: list[int], begins: list[bool]) -> bool:
    """Whether places count from 1 in each match, told one after another."""
    expected = 0
    for place, begin in zip(places, begins, strict=True):
        expected = 1 if begin else expected + 1
        if place != expected:
            return False
    return True


def test_places_count_from_one_in_each_match() -> None:
    """All places of four rows from -1 to 3, in every division into matches."""
    for number in range(5**4):
        places = [number // 5**digit % 5 - 1 for digit in range(4)]
        for division in range(2**3):
            begins = [True, *(bool(division >> bit & 1) for bit in range(3))]
            found = _counts_from_one(np.array(places, np.int16), np.array(begins))
            assert found == counted(places, begins), (places, begins)


def test_places_beyond_the_largest_number_do_not_count_on() -> None:
    places = np.arange(1, 2**15 + 10).astype(np.int16)
    begins = np.zeros(len(places), np.bool_)
    begins[0] = True
    assert _counts_from_one(places[: 2**15 - 1], begins[: 2**15 - 1])
    assert not _counts_from_one(places, begins)
