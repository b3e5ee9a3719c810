"""Verification: whatever is changed in a run folder is found, and what was never changed is not."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fake_play import ANNE, BEN, fake, spec
from test_dataset import some_estimates

import simkit
from simkit.batch import play_run, run_folder
from simkit.cli import call
from simkit.dataset import PlaySpec, Run, gather, renew_manifest, write_estimates
from simkit.dataset import folder as folder_module
from simkit.errors import SimkitError, UsageError, VerificationFailed
from simkit.verification import Verification, verify_run


@pytest.fixture(autouse=True)
def _unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncing a disk is slow, and no test pulls the plug."""
    monkeypatch.setattr(folder_module.os, "fsync", lambda _: None)


def made(folder: Path) -> Run:
    """A run of two parts with everything an experiment leaves."""
    play_run(spec(), 3, folder=folder, chunk_matches=3, jobs=1, driver=fake)
    run = play_run(spec(), 5, folder=folder, chunk_matches=3, jobs=1, driver=fake)
    write_estimates(folder, some_estimates())
    (folder / "report.html").write_text("<!doctype html><title>small</title><p>One page.\n")
    renew_manifest(folder)
    return run


def gathered(root: Path) -> Path:
    """A folder whose rows lie in two others."""
    plays = [spec(), spec(one=BEN, two=ANNE)]
    for play in plays:
        play_run(play, 4, root=root, name="rows", jobs=1, driver=fake)
    run = gather(run_folder(plays, root=root, name="asked"), "asked", plays, "rows", (4, 3))
    renew_manifest(run.folder)
    return run.folder


def files(folder: Path) -> list[Path]:
    """Everything but the lock, which nobody reads."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")


def problems(folder: Path) -> str:
    """What is found, on one line."""
    return "; ".join(verify_run(folder).problems)


def test_a_sound_run_is_sound(tmp_path: Path) -> None:
    made(tmp_path / "run")
    found = verify_run(tmp_path / "run")
    assert found.sound
    assert found.problems == found.notes == ()
    assert (found.matches, found.rows, found.files) == (5, 15, len(files(tmp_path / "run")))
    assert found.bytes == sum(path.stat().st_size for path in files(tmp_path / "run"))


def test_rows_that_lie_elsewhere_are_read_there(tmp_path: Path) -> None:
    folder = gathered(tmp_path)
    found = verify_run(folder)
    assert found.sound, found.problems
    assert (found.matches, found.rows) == (8, 24)
    path = sorted((tmp_path / "rows").glob("*/sets/*.parquet"))[0]
    flip(path, 1000, 3)
    assert f"rows/{path.parents[1].name}: sets/{path.name} has other bytes" in problems(folder)
    shutil.rmtree(path.parents[1])
    assert "the rows of little_written: anne against ben are not there" in problems(folder) or (
        "the rows of little_written: ben against anne are not there" in problems(folder)
    )


def flip(path: Path, place: int, bit: int) -> None:
    """Change one bit of a file."""
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << bit
    path.write_bytes(content)


def undetected(folder: Path, path: Path, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of the bits (byte, bit) of a file whose flip is not found; the file is as it was afterwards."""
    whole = path.read_bytes()
    missed = []
    for place, bit in places:
        flip(path, place, bit)
        if verify_run(folder).sound:
            missed.append((place, bit))
        path.write_bytes(whole)
    return missed


def test_flipped_bits_are_found_in_every_file(tmp_path: Path) -> None:
    """Five bits of each file, chosen at random: all are found."""
    made(tmp_path / "run")
    folder, chance, flips = gathered(tmp_path), random.Random(1822), 0
    for where in (tmp_path / "run", folder, *(tmp_path / "rows").iterdir()):
        read = folder if where.parent.name == "rows" else where
        for path in files(where):
            size = path.stat().st_size
            places = [(chance.randrange(size), chance.randrange(8)) for _ in range(5)]
            assert undetected(read, path, places) == [], path.name
            flips += len(places)
    assert flips >= 100
    assert verify_run(tmp_path / "run").sound
    assert verify_run(folder).sound


KINDS = ("run.json", "journal.jsonl", "manifest.json", "README.md", "report.html", "estimates.parquet")


@pytest.mark.slow
@pytest.mark.parametrize("name", [*KINDS, "figures", "matches", "sets"])
def test_a_flip_of_any_byte_is_found(tmp_path: Path, name: str) -> None:
    """Every byte of one file of each kind, a bit of it chosen at random."""
    made(tmp_path / "run")
    path, chance = tmp_path / "run" / name, random.Random(name)
    path = sorted(path.iterdir())[0] if path.is_dir() else path
    places = [(place, chance.randrange(8)) for place in range(path.stat().st_size)]
    assert undetected(tmp_path / "run", path, places) == []


@pytest.mark.parametrize("where", ["run", "gathered"])
def test_a_missing_file_is_found(tmp_path: Path, where: str) -> None:
    folder = made(tmp_path / "run").folder if where == "run" else gathered(tmp_path)
    for path in files(folder):
        path.rename(tmp_path / "away")
        assert path.name in problems(folder), path.name
        (tmp_path / "away").rename(path)
    assert verify_run(folder).sound


def sealed(path: Path, change: Callable[[dict[str, object]], object]) -> None:
    """Change a JSON file and compute its own digest anew."""
    plain = json.loads(path.read_bytes())
    plain.pop("sha256")
    change(plain)
    path.write_bytes(folder_module.json_bytes({**plain, "sha256": folder_module.digest_of(plain)}))


def without_a_row(path: Path) -> None:
    """Write a Parquet file again without its last row."""
    rows = pq.read_table(path)
    pq.write_table(rows.slice(0, rows.num_rows - 1), path)


def with_another_value(path: Path) -> None:
    """Write a Parquet file again with one number changed."""
    rows = pq.read_table(path)
    place = rows.schema.names.index("rolls")
    values = rows.column(place).to_numpy().copy()
    values[0] += 1
    pq.write_table(rows.set_column(place, rows.schema.field(place), pa.array(values)), path)


@pytest.mark.parametrize("change", [without_a_row, with_another_value])
def test_edited_rows_are_found_though_one_digest_after_the_other_is_made_to_fit(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    """File size and digest in the journal, the line's check, the manifest's entries, its own digest."""
    folder = made(tmp_path / "run").folder
    path = sorted((folder / "sets").iterdir())[0]
    change(path)
    assert f"sets/{path.name} has" in problems(folder)

    journal = folder / "journal.jsonl"
    first, *others = journal.read_bytes().splitlines(keepends=True)
    plain = json.loads(first)
    del plain["check"]
    facts = plain["files"]["sets"]
    facts |= {"bytes": path.stat().st_size, "sha256": folder_module.file_sha256(path)}
    facts["rows"] = pq.ParquetFile(path).metadata.num_rows
    journal.write_bytes(folder_module.json_bytes(plain).replace(b"\n", b"") + b"\n" + b"".join(others))
    assert "journal.jsonl, line 1 is not as it was written" in problems(folder)
    check = folder_module.digest_of(plain)
    line = json.dumps({**plain, "check": check}, separators=(",", ":")).encode() + b"\n"
    journal.write_bytes(line + b"".join(others))
    assert "journal.jsonl and manifest.json differ" in problems(folder)

    def fitted(manifest: dict[str, object]) -> None:
        for entry in manifest["files"]:  # type: ignore[attr-defined]
            if entry["path"] == f"sets/{path.name}":
                entry |= facts
            if entry["path"] == "journal.jsonl":
                entry |= {
                    "bytes": journal.stat().st_size,
                    "sha256": folder_module.file_sha256(journal),
                }

    sealed(folder / "manifest.json", fitted)
    assert f"sets/{path.name} has other columns than were written" in problems(folder)


def test_a_part_taken_away_with_its_line_is_found(tmp_path: Path) -> None:
    folder = made(tmp_path / "run").folder
    first, _ = (folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "journal.jsonl").write_bytes(first)
    for table in ("matches", "sets"):
        sorted((folder / table).iterdir())[-1].unlink()
    found = problems(folder)
    assert "counts other matches than journal.jsonl" in found
    assert "journal.jsonl has other bytes" in found


@pytest.mark.parametrize("name", ["sets/more.parquet", "matches/.hidden", "figures/other.parquet"])
def test_files_among_the_rows_that_are_not_ours_are_found(tmp_path: Path, name: str) -> None:
    folder = made(tmp_path / "run").folder
    (folder / name).write_bytes(sorted((folder / "sets").iterdir())[0].read_bytes())
    assert f"{name} is no file of this run" in problems(folder)
    (folder / name).unlink()
    (folder / "notes.txt").write_text("mine")
    found = verify_run(folder)
    assert found.sound
    assert found.notes == ("notes.txt is no file of this run; it was not read",)


def test_an_edit_with_other_spaces_is_found(tmp_path: Path) -> None:
    folder = made(tmp_path / "run").folder
    for name in ("run.json", "manifest.json"):
        path = folder / name
        whole = path.read_bytes()
        path.write_bytes(whole + b" ")
        assert name in problems(folder)
        path.write_bytes(whole)


def test_no_run_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no run folder"):
        verify_run(tmp_path)
    with pytest.raises(UsageError, match="not a number of chunks"):
        verify_run(tmp_path, replay=-1)


# -- simulating again ----------------------------------------------------------------------------------


def rewritten(run: Run, table: str, column: str) -> None:
    """Change a number in the rows and make every digest fit, as somebody with this package could."""
    part, seen = run.parts[0], run.family.matches if table == "matches" else run.family.units
    rows = {name: {} for name in ("matches", "sets")}
    for one in run.family.played:
        (block,) = list(run._blocks(one, 0, None))
        rows[one.name] = {name: values.copy() for name, values in block.items()}
    rows[seen.name][column][0] += 1
    shutil.rmtree(run.folder)
    with folder_module.FolderWriter(run.folder, [SPEC], run.name) as writer:
        new = writer.begin_part(0, part.first, part.matches)
        new.add(rows["matches"], rows["sets"], np.array(part.figures, np.int64))
        new.publish()
        from simkit.dataset import finish

        finish(writer, part.matches)


def simulated(folder: Path, matches: int = 40) -> Run:
    """A run of the kernel: partie after partie, at random."""
    return simkit.simulate("twelve_hole", "random", matches=matches, seed=5, out=folder, jobs=1)


SPEC = simkit.dataset.PlaySpec(
    simkit.rule_set("twelve_hole"), (simkit.player("random"), simkit.player("random")), 5
)


def test_chunks_simulated_again_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    simulated(tmp_path / "run")
    monkeypatch.setattr("simkit.verification.Plan.of", lambda play: simkit.batch.Plan(8, 8))
    some, again = (verify_run(tmp_path / "run", replay=2, seed=3) for _ in range(2))
    assert some.sound
    assert some.replayed == again.replayed
    assert [one.same for one in some.replayed] == [True, True]
    assert (some.chunks, some.seed) == (5, 3)
    other = verify_run(tmp_path / "run", replay=2, seed=4)
    assert [one.first for one in other.replayed] != [one.first for one in some.replayed]
    whole = verify_run(tmp_path / "run", replay=None)
    assert sum(one.matches for one in whole.replayed) == 40


def test_replay_finds_what_fits_every_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = simulated(tmp_path / "run")
    rewritten(run, "sets", "rolls")
    assert verify_run(tmp_path / "run").sound
    monkeypatch.setattr("simkit.verification.Plan.of", lambda play: simkit.batch.Plan(8, 8))
    found = verify_run(tmp_path / "run", replay=None)
    assert found.problems == (
        "matches 0 to 7 of twelve_hole: random against random, simulated again, have other rows in sets",
    )
    assert [one.same for one in found.replayed] == [False, True, True, True, True]
    assert chances(found) == 1


def chances(found: Verification) -> int:
    """Chunks found to differ."""
    return sum(not one.same for one in found.replayed)


def test_the_command_tells_and_ends_with_its_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = made(tmp_path / "run").folder
    assert call(["verify", str(folder)]) == 0
    assert capsys.readouterr().out.endswith("Sound.\n")
    (folder / "report.html").write_text("another page")
    assert call(["verify", str(folder)]) == 5
    assert "report.html has other bytes than manifest.json names" in " ".join(capsys.readouterr().out.split())
    assert call(["verify", str(folder), "--json"]) == 5
    plain = json.loads(capsys.readouterr().out)
    assert plain["schema"] == "simkit.verification/1"
    assert not plain["sound"]
    assert len(plain["problems"]) == 1
    for wrong in ("-1", "many"):
        assert call(["verify", str(folder), "--replay", wrong]) == 2


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        ("twelve_hole", 2),
        ("tourner_guiton", 3),
        ("combine_chouette", 3),
        ("combine_classical", 2),
        ("pool_drain", 4),
        ("toutes_tables_225", 2),
    ],
)
def test_a_run_of_every_kind_is_sound(rules: str, players: int, tmp_path: Path) -> None:
    simkit.simulate(rules, ("random",) * players, matches=3, seed=4, jobs=1, out=tmp_path / "run")
    found = verify_run(tmp_path / "run", replay=1)
    assert found.sound, found.problems


# -- a run that is being written, and numbers that cannot be ---------------------------------------------


def test_a_run_that_is_being_written_is_not_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path / "run")
    (tmp_path / "run" / "manifest.json").unlink()
    with folder_module.lock(tmp_path / "run"):
        assert call(["verify", str(tmp_path / "run")]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert f"being written by another process (id {os.getpid()}); it can be verified once" in said.err
    assert call(["verify", str(tmp_path / "run")]) == 5


def test_nor_one_whose_rows_are_being_written(tmp_path: Path) -> None:
    folder = gathered(tmp_path)
    rows = next((tmp_path / "rows").iterdir())
    with folder_module.lock(rows), pytest.raises(SimkitError, match="is being written"):
        verify_run(folder)
    assert verify_run(folder).sound


@pytest.mark.parametrize("table", ["sets", "figures"])
def test_a_missing_file_is_told_once(table: str, tmp_path: Path) -> None:
    made(tmp_path / "run")
    path = sorted((tmp_path / "run" / table).iterdir())[0]
    path.unlink()
    (said,) = verify_run(tmp_path / "run").problems
    assert said.startswith(f"{table}/{path.name} is missing")


def test_numbers_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = play_run(
        PlaySpec(simkit.rule_set("twelve_hole"), (simkit.player("random"),) * 2, 3),
        2,
        folder=tmp_path / "run",
        jobs=1,
    )
    assert call(["verify", str(run.folder), "--seed", "-3"]) == 2
    assert "seed: -3 is not" in capsys.readouterr().err
    assert call(["verify", str(run.folder), "--replay", "99999"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Note: 99999 chunks were to be simulated again, and all 1 there are were." in out


# -- each thing once, by its name ------------------------------------------------------------------------


def test_what_is_missing_is_told_once(tmp_path: Path) -> None:
    folder = made(tmp_path / "run").folder
    (folder / "run.json").unlink()
    assert verify_run(folder).problems == ("run.json is missing",)


def test_a_damaged_part_is_named_with_its_table(tmp_path: Path) -> None:
    folder = made(tmp_path / "run").folder
    path = sorted((folder / "sets").iterdir())[0]
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(VerificationFailed, match=f"run: sets/{path.name} is damaged or missing"):
        simkit.open(folder)
    heard: list[str] = []
    with folder_module.FolderWriter(folder, [spec()], note=heard.append):
        pass
    assert heard == [f"sets/{path.name} is damaged or missing and is played again"]
