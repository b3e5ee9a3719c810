"""Numbers of a table of estimates beside one another: what cannot be is found though every digest fits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_dataset import some_estimates
from test_rowless import RESULTS, as_git_keeps
from test_verification import made

from simkit.cli import call
from simkit.dataset import open_run, read_estimates, renew_manifest
from simkit.dataset.estimated import estimate_faults, number_faults
from simkit.dataset.folder import digest_of, file_sha256, json_bytes
from simkit.errors import VerificationFailed
from simkit.verification import verify_run


def written(path: Path, change: Callable[[dict[str, list[Any]]], Any]) -> None:
    """Write a file of estimates again with values changed."""
    rows = pq.read_table(path)
    columns = {name: rows.column(name).to_pylist() for name in rows.schema.names}
    change(columns)
    arrays = []
    for field in rows.schema:
        plainly = pa.string() if pa.types.is_dictionary(field.type) else field.type
        arrays.append(pa.array(columns[field.name], plainly).cast(field.type))
    pq.write_table(pa.Table.from_arrays(arrays, schema=rows.schema), path)


def with_numbers(**numbers: Any) -> Callable[[dict[str, list[Any]]], None]:
    """Put numbers into the first line that has an interval."""

    def change(columns: dict[str, list[Any]]) -> None:
        place = next(at for at, low in enumerate(columns["low"]) if low is not None)
        for name, value in numbers.items():
            columns[name][place] = value

    return change


def resealed(folder: Path) -> None:
    """Make `page.json` fit the estimates that lie beside it."""
    page = folder / "page.json"
    plain = json.loads(page.read_bytes()) | {"estimates_sha256": file_sha256(folder / "estimates.parquet")}
    plain.pop("sha256", None)
    page.write_bytes(json_bytes({**plain, "sha256": digest_of(plain)}))


NUMBERS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"low": 0.9, "mean": 0.8, "high": 0.7}, "low is above high"),
    ({"low": 0.2, "mean": 0.1, "high": 0.7}, "mean is below low"),
    ({"low": 0.2, "mean": 0.8, "high": 0.7}, "mean is above high"),
    ({"low": -0.2, "mean": 0.1, "high": 0.7}, "a share is not from 0 to 1"),
    ({"low": 0.2, "mean": 0.4, "high": 1.7}, "a share is not from 0 to 1"),
    ({"low": None}, "low or high stands alone"),
    ({"mean": None}, "an interval has no mean"),
    ({"mean": float("inf"), "high": float("inf")}, "mean or se is infinite"),
    ({"se": -0.1}, "se is below 0"),
    ({"level": 0.0}, "level is not between 0 and 1"),
    ({"level": 95.0}, "level is not between 0 and 1"),
    ({"mean": float("nan")}, "holds NaN, which is no number, in column mean"),
    ({"level": float("nan")}, "holds NaN, which is no number, in column level"),
    ({"n": -4}, "holds -4 in column n, where there are 0 to"),
    ({"sets": -2}, "holds -2 in column sets, where there are 0 to"),
)


@pytest.mark.parametrize(("numbers", "words"), NUMBERS)
def test_numbers_that_do_not_go_together_are_found(
    tmp_path: Path, numbers: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By verify and by report, of results as git keeps them."""
    folder = as_git_keeps(tmp_path)
    written(folder / "estimates.parquet", with_numbers(method="Wilson", **numbers))
    resealed(folder)
    assert words in "; ".join(verify_run(folder).problems)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert call(["report", str(folder)]) == 5
    said = " ".join(capsys.readouterr().err.split())
    assert words in said and "estimates.parquet" in said
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"} == before


def test_so_they_are_beside_rows(tmp_path: Path) -> None:
    folder = made(tmp_path / "run").folder
    written(folder / "estimates.parquet", with_numbers(low=3.0, mean=2.0, high=1.0))
    renew_manifest(folder)
    (problem, *_) = verify_run(folder).problems
    assert problem.startswith("estimates.parquet: low is above high: ")
    assert call(["verify", str(folder)]) == 5


def test_a_number_named_twice_is_found(tmp_path: Path) -> None:
    folder = made(tmp_path / "run").folder

    def twice(columns: dict[str, list[Any]]) -> None:
        for values in columns.values():
            values.append(values[0])

    written(folder / "estimates.parquet", twice)
    renew_manifest(folder)
    assert verify_run(folder).problems == ("estimates.parquet: names 1 numbers twice",)


def test_what_is_sound_is_not_found_fault_with() -> None:
    assert list(number_faults(some_estimates())) == []
    for path in sorted(RESULTS.glob("*/*/estimates.parquet")):
        assert list(estimate_faults(path)) == [], path


def test_a_last_digit_is_no_fault() -> None:
    rows = some_estimates()
    rows["low"] = rows["mean"] + 1e-13
    assert not any("mean is below low" in words for words in number_faults(rows))


def test_estimates_are_refused_where_a_value_can_never_be(tmp_path: Path) -> None:
    folder = made(tmp_path / "run").folder
    written(folder / "estimates.parquet", with_numbers(n=-4))
    with pytest.raises(VerificationFailed, match=r"holds -4 in column n.*simkit report RUN writes them anew"):
        read_estimates(folder)
    with pytest.raises(VerificationFailed, match="column n"):
        _ = open_run(folder).estimates


# -- page.json -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{}", "page.json does not tell what the page needs"),
        (b"[]", "page.json does not tell what the page needs"),
        (b'{"schema": "simkit.page/9"}', "page.json does not tell what the page needs"),
        (b"", "page.json was changed after it was written: page.json is no JSON"),
        (b"{not JSON", "page.json was changed after it was written: page.json is no JSON"),
        (b"\xff\xfe", "page.json was changed after it was written: page.json is no JSON"),
        (None, "page.json cannot be read"),
    ],
)
def test_no_page_is_drawn_where_page_json_is_damaged(
    tmp_path: Path, content: bytes | None, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = as_git_keeps(tmp_path, "rounding")
    page = folder / "page.json"
    if content is None:
        page.unlink()
        page.mkdir()
    else:
        page.write_bytes(content)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert call(["verify", str(folder)]) == 5
    assert call(["report", str(folder)]) == 5
    said = " ".join(capsys.readouterr().err.split())
    assert words in said and "restore it, or take it away" in said
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    if content is not None:
        page.unlink()
        assert call(["report", str(folder)]) == 0


def test_damaged_estimates_without_rows_are_told_as_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = as_git_keeps(tmp_path)
    path = folder / "estimates.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    assert call(["report", str(folder)]) == 5
    assert "estimates.parquet cannot be read" in " ".join(capsys.readouterr().err.split())
