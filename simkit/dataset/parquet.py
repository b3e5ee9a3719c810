"""Columns to Parquet and back: one schema per table, one way to write, checksums on every page.

A file carries its table's schema name, units and descriptions in its metadata, and nothing that differs
between two machines or two days: no clock, no host, no path. The bytes still depend on the version of
pyarrow; `ColumnHash`, taken over the decoded columns, does not.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.dataset.schema import Column, Table
from simkit.errors import SimkitError, UsageError, VerificationFailed

Columns = Mapping[str, NDArray[Any]]

ROWS_PER_GROUP = 65_536
"""A row group holds whole chunks of matches and closes at this many rows: far smaller ones slow readers down
by an order of magnitude, far larger ones bind memory."""


REMEDIES = {
    "estimates": "simkit report RUN writes them anew from the rows; where these were not kept, restore it"
}
REMEDY = "run the command that wrote it again: damaged parts are played anew"
"""What helps against a damaged file: one of `REMEDIES`, by table, or else this."""
MADE_UP = "rows that no play leaves; take the run away, and the command that made it plays it anew"
"""What helps against a file that is whole and cannot be true: it would be kept."""


def damaged(path: Path, what: str) -> VerificationFailed:
    """The error of a file that is not as it was written: where it is, what is wrong, what helps."""
    return VerificationFailed(f"{_where(path)} {what}; {REMEDIES.get(path.stem, REMEDY)}")


def not_played(path: Path, what: str) -> VerificationFailed:
    """The error of rows that no play leaves, in a file that is as somebody wrote it."""
    return VerificationFailed(f"{_where(path)} holds {what}; {REMEDIES.get(path.stem, MADE_UP)}")


def arrow_schema(table: Table, metadata: Mapping[str, str]) -> Any:
    """The Arrow schema of `table`; `metadata` is added to that of the file, its keys prefixed `simkit.`."""
    import pyarrow as pa

    fields = [
        pa.field(
            column.name,
            _arrow_type(column),
            nullable=column.nullable,
            metadata={"unit": column.unit, "description": column.description},
        )
        for column in table.columns
    ]
    described = {"simkit.schema": table.schema_name, **{f"simkit.{key}": metadata[key] for key in metadata}}
    return pa.schema(fields, metadata=described)


def _arrow_type(column: Column) -> Any:
    import pyarrow as pa

    if column.dtype == "category":
        return pa.dictionary(pa.int32(), pa.string())
    return pa.from_numpy_dtype(np.dtype(column.dtype))


def array_dtype(column: Column) -> np.dtype[Any]:
    """The NumPy type a column has outside the file: a category with listed values is its int8 code."""
    return np.dtype("int8" if column.dtype == "category" else column.dtype)


def check_columns(table: Table, columns: Columns) -> int:
    """The number of rows, if `columns` are exactly the data columns of `table` and of one length.

    Raises
    ------
    SimkitError
        A column is missing, unknown, of another type or of another length: whoever made the rows broke the
        agreement, so nothing of them is written.
    """
    expected = {column.name: array_dtype(column) for column in table.data}
    if set(columns) != set(expected):
        missing, unknown = sorted(set(expected) - set(columns)), sorted(set(columns) - set(expected))
        raise SimkitError(f"rows of {table.name}: missing columns {missing}, unknown columns {unknown}")
    for name, dtype in expected.items():
        if columns[name].dtype != dtype:
            raise SimkitError(f"rows of {table.name}: {name} is {columns[name].dtype}, not {dtype}")
    lengths = {array.shape for array in columns.values()}
    if len(lengths) != 1 or len(next(iter(lengths))) != 1:
        raise SimkitError(f"rows of {table.name}: columns of different shapes {sorted(lengths)}")
    return int(next(iter(columns.values())).shape[0])


def arrow_table(table: Table, schema: Any, labels: Mapping[str, str], columns: Columns) -> Any:
    """Columns of one play as an Arrow table, its labels repeated in every row."""
    import pyarrow as pa

    rows = check_columns(table, columns)
    arrays = []
    for column in table.columns:
        if column in table.labels:
            codes, values = np.zeros(rows, np.int32), [labels[column.name]]
        elif column.values:
            codes, values = columns[column.name].astype(np.int32), list(column.values)
        else:
            arrays.append(pa.array(columns[column.name]))
            continue
        arrays.append(pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(values, pa.string())))
    return pa.Table.from_arrays(arrays, schema=schema)


def open_writer(file: Any, table: Table, schema: Any) -> Any:
    """A `pyarrow.parquet.ParquetWriter` with the project's settings.

    Small counts are dictionary-encoded: measured on rows of `sets`, two thirds of the size of plain pages
    and half the time to read.
    """
    import pyarrow.parquet as pq

    ids = [column.name for column in table.columns if column.name == "match_id"]
    plain = {"bool", "float64"}
    small = [column.name for column in table.columns if column.dtype not in plain and column.name not in ids]
    return pq.ParquetWriter(
        file,
        schema,
        compression="zstd",
        compression_level=3,
        use_dictionary=small,
        column_encoding=dict.fromkeys(ids, "DELTA_BINARY_PACKED"),
        write_page_index=True,
        write_page_checksum=True,
        version="2.6",
    )


def encode(table: Table, schema: Any, rows: Any) -> bytes:
    """A whole Parquet file from one Arrow table."""
    import io

    buffer = io.BytesIO()
    with open_writer(buffer, table, schema) as writer:
        writer.write_table(rows)
    return buffer.getvalue()


def count_rows(path: Path) -> int:
    """Rows of a Parquet file from its footer.

    Raises
    ------
    VerificationFailed
        The file is torn, or no Parquet file.
    """
    return int(_open(path).metadata.num_rows)


def read_labels(path: Path, table: Table) -> dict[str, str]:
    """The labels of a file of one play, from the statistics in its footer; none if it has no rows.

    Raises
    ------
    VerificationFailed
        The file is torn, no such table, or holds rows of several plays.
    """
    source = _open(path)
    _check_types(path, source, table.labels)
    places = [source.schema_arrow.names.index(column.name) for column in table.labels]
    found: dict[str, str] = {}
    for group, place in itertools.product(range(source.num_row_groups), places):
        name, facts = (
            source.schema_arrow.names[place],
            source.metadata.row_group(group).column(place).statistics,
        )
        if facts is None or not facts.has_min_max:  # a label of thousands of letters has no statistics
            continue
        if facts.min != facts.max or found.setdefault(name, facts.min) != facts.min:
            raise damaged(path, f"holds several labels in column {name}")
    return found


def read_blocks(
    path: Path, table: Table, names: Sequence[str] | None = None, *, threads: bool = True
) -> Iterator[dict[str, NDArray[Any]]]:
    """The data columns of one file, one row group at a time; page checksums are verified.

    Parameters
    ----------
    names : sequence of str, optional
        Columns to read; all data columns of `table` if not given.
    threads : bool
        Whether to decode columns side by side; no where files already are.

    Raises
    ------
    UsageError
        `table` has no such data column.
    VerificationFailed
        The file is damaged, or is not such a table.
    """
    columns = data_columns(table, names)
    source = _open(path)
    _check_types(path, source, columns)
    for group in range(source.num_row_groups):
        with _Damage(path):
            rows = source.read_row_group(
                group, columns=[column.name for column in columns], use_threads=threads
            )
            rows.validate(full=True)  # a dictionary may have lost words that its indices name
            found = {column.name: _to_numpy(path, column, rows.column(column.name)) for column in columns}
        if rows.num_rows:
            _check_limits(path, columns, found)
        yield found


def read_frame(paths: Sequence[Path], table: Table) -> Any:
    """All rows of some files of one table as a pandas frame, labels and categories as categoricals."""
    parts = []
    for path in paths:
        source = _open(path)
        _check_types(path, source, table.columns)
        with _Damage(path):
            parts.append(source.read(columns=[column.name for column in table.columns]))
            parts[-1].validate(full=True)
        _check_frame(path, table, parts[-1])
    return _as_frame(parts or [arrow_schema(table, {}).empty_table()], table)


def frame_of(table: Table, labels: Mapping[str, str], columns: Columns) -> Any:
    """Columns of one play as `read_frame` would give them from its files."""
    return _as_frame([arrow_table(table, arrow_schema(table, {}), labels, columns)], table)


def _as_frame(parts: Sequence[Any], table: Table) -> Any:
    """Arrow tables as a pandas frame."""
    import pandas as pd
    import pyarrow as pa

    whole = pa.concat_tables([part.replace_schema_metadata(None) for part in parts]).unify_dictionaries()
    nullable = {pa.int16(): pd.Int16Dtype(), pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype()}
    integers = nullable if any(column.nullable for column in table.columns) else {}
    return whole.to_pandas(types_mapper=integers.get, split_blocks=True, self_destruct=True)


def data_columns(table: Table, names: Sequence[str] | None) -> tuple[Column, ...]:
    """The named data columns of a table, in the order asked for; all of them for None."""
    if names is None:
        return table.data
    listed = isinstance(names, Sequence) and not isinstance(names, str)
    if not listed or not all(isinstance(name, str) for name in names):
        raise UsageError(f"columns: {names!r} is not a list of names of columns")
    known = {column.name: column for column in table.data}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(
            f"{table.name} has no column {', '.join(unknown)}; its columns are {', '.join(known)}"
        )
    return tuple(known[name] for name in names)


class ColumnHash:
    """SHA-256 of decoded columns, fed block by block: the same for any division into blocks and files."""

    def __init__(self, table: Table) -> None:
        self._columns = {
            column.name: (column, array_dtype(column).newbyteorder("<"), hashlib.sha256())
            for column in table.data
        }
        self._name = table.schema_name

    def update(self, columns: Columns) -> None:
        """Add the next rows; all data columns of the table, as they come from a chunk or a file."""
        for name, (_, little_endian, digest) in self._columns.items():
            digest.update(np.ascontiguousarray(columns[name], little_endian).data)

    def hexdigest(self) -> str:
        """64 hex digits over the table's name, the column names and types, and all values so far."""
        whole = hashlib.sha256(self._name.encode())
        for name, (column, _, digest) in self._columns.items():
            whole.update(f"\n{name} {column.dtype} {','.join(column.values)} {digest.hexdigest()}".encode())
        return whole.hexdigest()


class _Damage:
    """Turns what pyarrow raises on a damaged file into our own error."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        import pyarrow as pa

        if isinstance(error, (pa.ArrowException, OSError, OverflowError, UnicodeError)):
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise damaged(self._path, f"cannot be read: {reason}") from error


def _open(path: Path) -> Any:
    import pyarrow.parquet as pq

    if path.is_symlink() or not path.is_file():
        raise damaged(path, "is missing, or no plain file")
    with _Damage(path):
        return pq.ParquetFile(path, page_checksum_verification=True)


def _check_types(path: Path, source: Any, columns: Sequence[Column]) -> None:
    schema = source.schema_arrow
    for column in columns:
        found = schema.field(column.name).type if column.name in schema.names else None
        if found != _arrow_type(column):
            raise damaged(
                path, f"is no such table: column {column.name} is {found}, not {_arrow_type(column)}"
            )


def _to_numpy(path: Path, column: Column, chunked: Any) -> NDArray[Any]:
    if chunked.null_count:
        raise damaged(path, f"has empty values in column {column.name}")
    if column.dtype == "bool":
        return _joined([_unpacked(chunk) for chunk in chunked.chunks], np.dtype(np.bool_))
    if column.dtype != "category":
        return np.asarray(chunked.to_numpy())
    parts = []
    for chunk in chunked.chunks:
        words = chunk.dictionary.to_pylist()
        unknown = [word for word in words if word not in column.values]
        if unknown:
            raise damaged(path, f"holds {unknown[0]!r} in column {column.name}")
        codes = np.array([column.values.index(word) for word in words], np.int8)
        parts.append(codes.take(chunk.indices.to_numpy()))
    return _joined(parts, np.dtype(np.int8))


def _unpacked(bits: Any) -> NDArray[np.bool_]:
    """A boolean array of Arrow, without empty values, as bytes: three times as fast as Arrow's own."""
    packed = np.frombuffer(bits.buffers()[1] or b"", np.uint8)
    end = bits.offset + len(bits)
    return np.unpackbits(packed, count=end, bitorder="little")[bits.offset :].view(np.bool_)


def _joined(parts: Sequence[NDArray[Any]], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The parts of a column behind one another; a single one is not copied."""
    return parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, dtype), *parts])


def _check_limits(path: Path, columns: Sequence[Column], rows: Columns) -> None:
    """Refuse numbers that no play leaves: they would go wrong wherever they are used."""
    for column in columns:
        if column.dtype.startswith("int"):
            numbers = rows[column.name]
            unsigned = numbers.view(f"u{numbers.dtype.itemsize}")  # what is below 0 is beyond every limit
            if unsigned.max() > column.limits[1]:
                _refuse(path, column, int(numbers.min()), int(numbers.max()))


def _check_frame(path: Path, table: Table, rows: Any) -> None:
    """The same of an Arrow table, and empty values where there are none; what is no number is none either."""
    import pyarrow.compute as pc

    for column in table.columns:
        found = rows.column(column.name)
        if found.null_count and not column.nullable:
            raise damaged(path, f"has empty values in column {column.name}")
        if column.dtype.startswith("int") and found.null_count < rows.num_rows:
            ends = pc.min_max(found).as_py()
            if ends["min"] < column.limits[0] or ends["max"] > column.limits[1]:
                _refuse(path, column, ends["min"], ends["max"])
        if column.dtype == "float64" and pc.any(pc.is_nan(found)).as_py():
            raise not_played(path, f"NaN, which is no number, in column {column.name}")


def _refuse(path: Path, column: Column, low: int, high: int) -> None:
    least, most = column.limits
    wrong = low if low < least else high
    leaves = "there are" if column.nullable or path.stem in REMEDIES else "play leaves"
    raise not_played(path, f"{wrong} in column {column.name}, where {leaves} {least} to {most}")


def _where(path: Path) -> str:
    """A file of a run as its reader knows it: `sets/p000-....parquet`, never a machine's path."""
    return "/".join(path.parts[-2:])
