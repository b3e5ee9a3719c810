"""Research datasets: what they hold, what describes it, and who can read it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest

import simkit
from simkit.cli import call
from simkit.cli.dataset import told
from simkit.dataset import FIGURE_SUMS, HOLES, MATCHES, SETS, renew_manifest
from simkit.dataset.folder import file_sha256
from simkit.errors import FolderMismatch, UsageError
from simkit.records import line_of
from simkit.reproduction import reproduce
from simkit.research import Research
from simkit.verification import verify_run

COMMAND = (
    "dataset", "small", "--rules", "classical,ecrire_academie", "--players", "prudent,random", "--matches", "6",
    "--tables", "holes,records", "--records", "2", "--seed", "7", "--jobs", "1", "--quiet",
)  # fmt: skip
TABLES = {table.name: table for table in (MATCHES, SETS, HOLES, FIGURE_SUMS)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six matches by each of two rule sets."""
    where = tmp_path_factory.mktemp("datasets") / "small"
    assert call([*COMMAND, "--out", str(where)]) == 0
    return where


def plain(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_it_is_a_run_that_is_verified_and_made_again(folder: Path) -> None:
    found = verify_run(folder, replay=None, tell=told)
    assert found.sound, found.problems
    assert found.notes == ()
    assert found.files == len([path for path in folder.rglob("*") if path.is_file() and path.name != ".lock"])
    assert reproduce(folder, jobs=1).same


@pytest.mark.parametrize("name", ["holes", "records", "schemas", "croissant.json", "LICENSE", "dataset.json"])
def test_a_flip_in_what_a_run_has_not_is_found_too(folder: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(folder, tmp_path / "run")
    path = tmp_path / "run" / name
    path = sorted(path.iterdir())[0] if path.is_dir() else path
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert f"{path.name} has other bytes than manifest.json names" in "; ".join(
        verify_run(tmp_path / "run").problems
    )


def changed_hole(path: Path) -> None:
    """Write a file of holes again with one number changed."""
    rows = pq.read_table(path)
    place = rows.schema.names.index("setting")
    values = rows.column(place).to_numpy().copy()
    values[len(values) // 2] += 1
    pq.write_table(rows.set_column(place, rows.schema.field(place), pa.array(values)), path)


def changed_record(path: Path) -> None:
    """Tell one roll of a match otherwise."""
    first, *others = path.read_bytes().splitlines(keepends=True)
    told = json.loads(first)
    told["sets"][0]["rolls"][0]["dice"] = [6, 6]
    path.write_bytes(line_of(told) + b"".join(others))


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        (
            "holes",
            changed_hole,
            "matches 0 to 5 of classical: prudent against random, simulated again, have other rows in holes",
        ),
        ("records", changed_record, "have other rows in records"),
    ],
)
def test_replay_finds_a_change_that_fits_every_digest(
    folder: Path, tmp_path: Path, name: str, change: Callable[[Path], None], words: str
) -> None:
    """An edit to a hole or to a match told, by somebody who computes all digests anew."""
    shutil.copytree(folder, tmp_path / "run")
    path = sorted((tmp_path / "run" / name).iterdir())[0]
    before = file_sha256(path)
    change(path)
    for described in ("datapackage.json", "croissant.json"):
        text = (tmp_path / "run" / described).read_text()
        assert before in text
        (tmp_path / "run" / described).write_text(text.replace(before, file_sha256(path)))
    renew_manifest(tmp_path / "run")
    assert verify_run(tmp_path / "run").sound
    found = verify_run(tmp_path / "run", replay=None, tell=told)
    assert words in "; ".join(found.problems)
    assert [one.same for one in found.replayed] == [False, True]
    assert call(["verify", str(tmp_path / "run"), "--replay", "all"]) == 5


def test_what_a_dataset_was_asked_to_hold_is_there(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "holes")
    (tmp_path / "run" / "records" / "p001.jsonl").unlink()
    renew_manifest(tmp_path / "run")
    found = "; ".join(verify_run(tmp_path / "run").problems)
    assert found.count("is missing") == 3
    assert "records/p001.jsonl is missing" in found


def test_matches_told_are_compared_where_somebody_tells_them(folder: Path) -> None:
    found = verify_run(folder, replay=None)
    assert found.sound
    assert found.notes == ("matches told in full were not compared: nothing was given that tells one",)
    assert verify_run(folder, replay=None, tell=told).notes == ()


def test_bytes_alone_are_compared_if_asked(folder: Path, tmp_path: Path) -> None:
    found = verify_run(folder, rows=False)
    assert found.sound
    assert found.rows == 0
    assert found.bytes == verify_run(folder).bytes
    assert found.notes == ("bytes were compared with their digests, and no row was decoded",)
    shutil.copytree(folder, tmp_path / "run")
    path = sorted((tmp_path / "run" / "sets").iterdir())[0]
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert call(["verify", str(tmp_path / "run"), "--bytes-only"]) == 5


def test_the_same_command_changes_nothing_and_mends_what_is_damaged(folder: Path, tmp_path: Path) -> None:
    where = tmp_path / "run"
    shutil.copytree(folder, where)
    before = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    del before[Path(".lock")]

    def again() -> dict[Path, bytes]:
        assert call([*COMMAND, "--out", str(where)]) == 0
        found = {path.relative_to(where): path.read_bytes() for path in where.rglob("*") if path.is_file()}
        del found[Path(".lock")]
        return found

    assert again() == before
    holes = sorted((where / "holes").iterdir())
    content = bytearray(holes[0].read_bytes())
    content[-30] ^= 1
    holes[0].write_bytes(content)
    holes[1].unlink()
    (where / "croissant.json").unlink()
    assert again() == before
    (where / "manifest.json").unlink()  # killed while it was described
    holes[0].write_bytes(holes[0].read_bytes()[:-5])
    assert again() == before


def test_title_and_licence_stay_where_nothing_else_is_asked(tmp_path: Path) -> None:
    where = tmp_path / "one"
    asked = ["dataset", "one", "--rules", "classical", "--players", "random", "--out", str(where), "--quiet"]

    def kept(*more: str) -> tuple[str, str]:
        assert call([*asked, *more, "--jobs", "1"]) == 0
        found = plain(where / "dataset.json")
        return found["title"], found["licence"]

    assert kept("--matches", "4") == ("Simulated matches: one", "CC-BY-4.0")
    assert kept("--matches", "4", "--title", "Mine", "--licence", "MIT") == ("Mine", "MIT")
    assert kept("--matches", "6") == ("Mine", "MIT")
    assert kept("--matches", "6", "--licence", "CC0-1.0") == ("Mine", "CC0-1.0")


def test_holes_add_up_to_the_sets(folder: Path) -> None:
    holes, sets = pd.read_parquet(folder / "holes"), pd.read_parquet(folder / "sets")
    key = ["rules", "match_id", "set_no"]
    last = holes.loc[holes["attempt"] == holes.groupby(key, observed=True)["attempt"].transform("max")]
    for player in (1, 2):
        made = last.loc[last["player"] == player].groupby(key, observed=True)["holes"].sum()
        counted = sets.set_index(key)[f"holes_{player}"]
        decided = counted.loc[sets.set_index(key)["do_overs"] == 0]
        assert (made.reindex(decided.index).fillna(0) == decided).all()


def test_records_are_matches_told_in_full(folder: Path) -> None:
    for number, name in enumerate(("classical", "ecrire_academie")):
        lines = (folder / "records" / f"p{number:03d}.jsonl").read_text(encoding="utf-8").splitlines()
        told = [json.loads(line) for line in lines]
        assert [one["rules"] for one in told] == [name, name]
        rows = simkit.open(folder).of_match(told[0]["match"], number)
        assert [one["row"]["holes_1"] for one in told[0]["sets"]] == rows["sets"]["holes_1"].tolist()


def test_the_card_and_the_citation_say_what_it_is(folder: Path) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    front = json.loads(text.split("---\n")[1])
    assert front["license"] == "cc-by-4.0"
    assert {one["config_name"] for one in front["configs"]} == set(TABLES)
    for words in (
        "## Tables",
        "## Limits",
        "`holes/`",
        "2 matches of each play",
        "CC-BY-4.0",
        "simkit verify",
    ):
        assert words in text
    assert "MIT" not in text
    citation = plain(folder / "CITATION.cff")
    assert citation["type"] == "dataset"
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["references"]
    assert "creativecommons.org/licenses/by/4.0" in (folder / "LICENSE").read_text(encoding="utf-8")


def test_before_it_is_built_its_size_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = tmp_path / "none"
    assert call([*COMMAND, "--out", str(where), "--dry-run", "--json"]) == 0
    assert not where.exists()
    found = plain_text(capsys)
    tables = {share["table"]: share for share in found["tables"]}
    assert tables["matches"]["rows"] == 12
    assert tables["records"]["rows"] == 4
    assert found["seconds"] > 0
    assert found["bytes"] == sum(share["bytes"] for share in found["tables"])
    assert call([*COMMAND, "--dry-run"]) == 0
    assert "Nothing was written" in " ".join(capsys.readouterr().out.split())


def test_all_matches_are_told_where_fewer_than_usual_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("dataset", "few", "--rules", "twelve_hole", "--players", "random", "--matches", "3")
    assert call([*asked, "--tables", "records", "--dry-run", "--json"]) == 0
    found = plain_text(capsys)
    assert found["dataset"]["records"] == 3
    assert {share["table"]: share["rows"] for share in found["tables"]}["records"] == 3
    assert call([*asked, "--tables", "records", "--records", "4", "--dry-run"]) == 2
    assert "records: 4 is not a whole number from 0 to 3" in capsys.readouterr().err


def test_compiling_is_told_apart(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the first match takes is no part of the time that the others are reckoned by."""
    asked = ("dataset", "few", "--rules", "twelve_hole", "--players", "random", "--matches", "3", "--dry-run")
    assert call([*asked, "--json"]) == 0
    first = plain_text(capsys)
    assert first["compiling_seconds"] == 0 or first["compiling_seconds"] > 3  # nobody had compiled it yet
    monkeypatch.setattr("simkit.research.COMPILING_SECONDS", 0.0)
    assert call([*asked, "--json"]) == 0
    found = plain_text(capsys)
    assert found["compiling_seconds"] > 0
    assert 1 <= found["seconds"] < 30
    assert call(list(asked)) == 0
    assert "was compiled first, in" in " ".join(capsys.readouterr().out.split())


def plain_text(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_the_forecast_is_near_what_it_comes_to(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The pilot is the whole of so small a dataset: sizes agree to the byte, but for the sampled records."""
    assert call([*COMMAND, "--dry-run", "--json"]) == 0
    told = {share["table"]: share for share in plain_text(capsys)["tables"]}
    for name in ("matches", "sets", "holes", "figures"):
        real = sum(path.stat().st_size for path in (folder / name).iterdir())
        assert told[name]["bytes"] == pytest.approx(real, rel=0.05)
        assert told[name]["rows"] == sum(
            pq.ParquetFile(path).metadata.num_rows for path in (folder / name).iterdir()
        )


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        (("--matches", "5"), 4),
        (("--seed", "8"), 4),
        (("--tables", "rolls"), 2),
        (("--licence", "GPL"), 2),
        (("--records", "7"), 2),
        (("--rules", "combine"), 2),
        (("--rules", "classical,twelve_hole,classical"), 2),
        (("--players", "nobody"), 2),
        (("--matches", "0"), 2),
    ],
)
def test_what_cannot_be_is_refused(folder: Path, changed: tuple[str, str], code: int) -> None:
    before = sorted(path.stat().st_mtime_ns for path in (folder / "sets").iterdir())
    command = list(COMMAND)
    place = command.index(changed[0]) if changed[0] in command else len(command)
    command[place : place + 2] = changed
    assert call([*command, "--out", str(folder)]) == code
    assert sorted(path.stat().st_mtime_ns for path in (folder / "sets").iterdir()) == before


def test_records_without_their_table_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "dataset",
        "x",
        "--rules",
        "classical",
        "--players",
        "random",
        "--matches",
        "9",
        "--records",
        "5",
    ]
    assert call([*words, "--out", str(tmp_path / "x")]) == 2
    assert "--records 5: ask for the table too, with --tables records" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_declaration_that_cannot_be_is_refused() -> None:
    one = simkit.player("random")
    for change in ({"name": "a/b"}, {"records": 3}, {"extras": ("records",)}, {"seed": -1}):
        values: dict[str, Any] = {"name": "x", "matches": 5, **change}
        with pytest.raises(UsageError):
            Research(rules=(simkit.rule_set("classical"),), players=((one, one),), **values)
    assert issubclass(FolderMismatch, Exception)


# -- other readers ---------------------------------------------------------------------------------------


def expected(folder: Path, name: str) -> pd.DataFrame:
    """The rows as pandas reads them, words as text."""
    frame = pd.concat(
        [pd.read_parquet(path) for path in sorted((folder / name).iterdir())], ignore_index=True
    )
    return as_plain(frame, name)


def as_plain(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Words as text, rows in the order of their key."""
    for column in TABLES[name].columns:
        if column.dtype == "category":
            frame[column.name] = frame[column.name].astype(str).astype(object)
    return frame.sort_values(list(TABLES[name].key)).reset_index(drop=True)


@pytest.mark.parametrize("name", TABLES)
def test_pandas_and_pyarrow_read_it(folder: Path, name: str) -> None:
    whole = as_plain(pd.read_parquet(folder / name), name)
    assert list(whole.columns) == [column.name for column in TABLES[name].columns]
    pd.testing.assert_frame_equal(whole, expected(folder, name))
    arrow = pads.dataset(folder / name).to_table()
    assert arrow.num_rows == len(whole)
    assert arrow.schema.field("match_id" if name != "figures" else "ways").metadata[b"description"]
    assert not any(column.null_count for column in arrow.columns)


@pytest.mark.parametrize("name", TABLES)
def test_polars_reads_it(folder: Path, name: str) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.read_parquet(folder / name / "*.parquet")
    found = pd.DataFrame({column: frame[column].to_list() for column in frame.columns})
    compare(found, expected(folder, name), name)


@pytest.mark.parametrize("name", TABLES)
def test_duckdb_reads_it(folder: Path, name: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql(f"SELECT * FROM '{folder / name}/*.parquet'")
    found = pd.DataFrame(rows.fetchall(), columns=[column[0] for column in rows.description])
    compare(found, expected(folder, name), name)


def compare(found: pd.DataFrame, wanted: pd.DataFrame, name: str) -> None:
    """The same values; types may be wider."""
    assert list(found.columns) == list(wanted.columns)
    found = as_plain(found, name)
    for column in wanted.columns:
        assert np.array_equal(found[column].to_numpy(), wanted[column].to_numpy()), column


def test_the_frictionless_description_is_valid(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frictionless = pytest.importorskip("frictionless")
    monkeypatch.chdir(folder)
    package = frictionless.Package("datapackage.json")
    assert list(frictionless.Package.metadata_validate(package.to_descriptor())) == []
    described = {resource.path for resource in package.resources}
    assert described == {
        path.relative_to(folder).as_posix()
        for name in (*TABLES, "records")
        for path in (folder / name).iterdir()
    }
    resource = next(one for one in package.resources if one.path.startswith("holes/"))
    assert [field.name for field in resource.schema.fields] == [column.name for column in HOLES.columns]
    assert resource.schema.primary_key == list(HOLES.key)


def test_the_frictionless_description_names_every_file(folder: Path) -> None:
    """Without the library: paths, sizes, digests and schemas."""
    package = plain(folder / "datapackage.json")
    assert package["licenses"][0]["name"] == "CC-BY-4.0"
    for one in package["resources"]:
        assert (folder / one["path"]).stat().st_size == one["bytes"]
        assert one["hash"] == f"sha256:{file_sha256(folder / one['path'])}"
        if "schema" in one:
            schema = plain(folder / one["schema"])
            assert [field["name"] for field in schema["fields"]] == pq.read_schema(folder / one["path"]).names


@pytest.mark.filterwarnings("ignore")
def test_the_croissant_description_is_valid_and_read_back(folder: Path) -> None:
    croissant = pytest.importorskip("mlcroissant")
    described = croissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert not described.metadata.ctx.issues.errors
    name = next(one.id for one in described.metadata.record_sets if one.id.startswith("sets"))
    records = list(described.records(name))
    path = sorted((folder / "sets").iterdir())[0]
    rows = pd.read_parquet(path)
    assert len(records) == len(rows)
    assert [one[f"{name}/holes_1"] for one in records] == rows["holes_1"].tolist()
    ended = [one[f"{name}/ended_by"] for one in records]
    assert [word.decode() if isinstance(word, bytes) else word for word in ended] == rows["ended_by"].tolist()
