"""Results kept without their rows: what verify says of them, and when it is an error."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from simkit.cli import call
from simkit.dataset.folder import digest_of, json_bytes
from simkit.errors import UsageError
from simkit.rowless import UNSEALED
from simkit.verification import verify_run

RESULTS = Path(__file__).parents[1] / "results"
KEPT = {"run.json", "estimates.parquet", "page.json", "report.html", "README.md"}


def as_git_keeps(tmp_path: Path, name: str = "pools") -> Path:
    """A copy of a kept result, with the files that git keeps of it."""
    (found,) = (RESULTS / name).iterdir()
    folder = tmp_path / name / found.name
    folder.mkdir(parents=True)
    for file in KEPT:
        shutil.copy(found / file, folder / file)
    return folder


@pytest.mark.parametrize("name", ["pools", "tail_of_sets"])
def test_without_rows_verify_says_so_and_is_content(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = as_git_keeps(tmp_path, name)
    assert call(["verify", str(folder)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "the rows are not here and cannot be checked." in out
    assert "run.json is as it was written, estimates.parquet the one that page.json names." in out
    assert "Nothing vouches for report.html and README.md." in out
    assert f"simkit run {name} plays them and keeps the rows." in out
    assert "problem" not in out
    assert call(["verify", str(folder), "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["sound"]
    assert plain["kept_without_rows"]["checked"] == ["run.json", "estimates.parquet", "page.json"]
    assert plain["kept_without_rows"]["matches"] > 0


def test_a_page_drawn_again_changes_nothing_of_that(tmp_path: Path) -> None:
    folder = as_git_keeps(tmp_path, "rounding")
    assert call(["report", str(folder)]) == 0
    assert not (folder / "manifest.json").exists()
    assert call(["verify", str(folder)]) == 0


def test_every_result_of_the_repository_is_as_it_was_written(tmp_path: Path) -> None:
    for found in sorted(RESULTS.iterdir()):
        if any((one / "estimates.parquet").exists() for one in found.iterdir()):
            assert verify_run(as_git_keeps(tmp_path, found.name)).problems == ()


@pytest.mark.parametrize("file", ["run.json", "estimates.parquet", "page.json"])
def test_what_is_there_and_was_changed_is_an_error(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = as_git_keeps(tmp_path)
    whole = (folder / file).read_bytes()
    (folder / file).write_bytes(whole[:-40] + b"x" + whole[-39:])
    assert call(["verify", str(folder)]) == 5
    assert file in capsys.readouterr().out


def test_without_page_the_estimates_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = as_git_keeps(tmp_path)
    for name in ("page.json", *UNSEALED):
        (folder / name).unlink()
    assert call(["verify", str(folder)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "run.json is as it was written, estimates.parquet can be read." in out
    assert "Nothing vouches for estimates.parquet. page.json" in out
    (folder / "extra.parquet").write_bytes(b"")
    assert call(["verify", str(folder), "--json"]) == 0
    kept = json.loads(capsys.readouterr().out)["kept_without_rows"]
    assert (kept["checked"], kept["unchecked"]) == (["run.json"], ["estimates.parquet", "extra.parquet"])


def test_nothing_is_simulated_again_without_rows(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"is kept without its rows.*simkit reproduce"):
        verify_run(as_git_keeps(tmp_path), replay=2)


def test_a_run_that_lost_its_rows_is_no_kept_result(tmp_path: Path) -> None:
    folder = as_git_keeps(tmp_path)
    (folder / "matches").mkdir()
    found = verify_run(folder)
    assert found.kept is None
    assert not found.sound


def sealed(tmp_path: Path) -> Path:
    """A kept result with the digest that an older simkit did not write."""
    folder = as_git_keeps(tmp_path)
    plain = json.loads((folder / "page.json").read_bytes())
    plain.pop("sha256", None)
    (folder / "page.json").write_bytes(json_bytes({**plain, "sha256": digest_of(plain)}))
    return folder


def test_an_edited_page_is_found_by_verify_and_by_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = sealed(tmp_path)
    assert call(["verify", str(folder)]) == 0
    assert "carries no digest of itself" not in " ".join(capsys.readouterr().out.split())
    page = folder / "page.json"
    plain = json.loads(page.read_bytes())
    plain["matches"][0] += 1000
    page.write_bytes(json_bytes(plain))
    assert call(["verify", str(folder)]) == 5
    assert "page.json was changed after it was written" in " ".join(capsys.readouterr().out.split())
    assert call(["report", str(folder)]) == 5
    assert "page.json was changed after it was written" in capsys.readouterr().err


def test_other_bytes_of_the_same_page_are_found(tmp_path: Path) -> None:
    folder = sealed(tmp_path)
    page = folder / "page.json"
    page.write_bytes(page.read_bytes() + b"\n")
    assert verify_run(folder).problems == (
        "page.json was changed after it was written: the same values, other bytes",
    )


def test_a_page_without_seal_is_said_to_be_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = sealed(tmp_path)
    page = folder / "page.json"
    plain = json.loads(page.read_bytes())
    del plain["sha256"]
    page.write_bytes(json_bytes(plain))
    assert call(["verify", str(folder)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "page.json was written by an older simkit and carries no digest of itself." in out
    assert call(["report", str(folder)]) == 0
    assert "sha256" in json.loads(page.read_bytes())


@pytest.mark.parametrize("name", ["page.json", *UNSEALED])
def test_what_is_missing_is_said(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = as_git_keeps(tmp_path)
    (folder / name).unlink()
    assert call(["verify", str(folder)]) == 0
    assert f"{name} is missing." in " ".join(capsys.readouterr().out.split())


def test_no_page_is_drawn_from_estimates_that_were_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor are they given a digest that fits."""
    kept = as_git_keeps(tmp_path)
    path = kept / "estimates.parquet"
    rows = pq.read_table(path)
    place = rows.schema.get_field_index("mean")
    means = [9e9, *rows.column("mean").to_pylist()[1:]]
    pq.write_table(rows.set_column(place, rows.schema.field(place), pa.array(means, pa.float64())), path)
    before = {one.name: one.read_bytes() for one in kept.iterdir() if one.is_file()}
    assert call(["report", str(kept)]) == 5
    assert "estimates.parquet is not the one that page.json names" in " ".join(
        capsys.readouterr().err.split()
    )
    assert {one.name: one.read_bytes() for one in kept.iterdir() if one.is_file()} == before
    assert call(["verify", str(kept)]) == 5
