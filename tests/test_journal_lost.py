"""A journal that has lost parts which the manifest counts; runs without rows; rows that were read back."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_play import fake, spec

import simkit
from simkit.batch import play_run
from simkit.cli import call
from simkit.dataset import content_hash, doubted, gather, open_run, renew_manifest
from simkit.dataset import folder as folder_module
from simkit.dataset.run import Run
from simkit.errors import UsageError, VerificationFailed
from simkit.shown import ShownRun

SPEC = spec()
RESULTS = Path(__file__).parents[1] / "results"


def played(folder: Path, matches: int = 60, **more: Any) -> Run:
    return play_run(SPEC, matches, folder=folder, jobs=1, driver=fake, chunk_matches=10, **more)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two parts."""
    played(tmp_path / "run", 30)
    return played(tmp_path / "run", 60).folder


def emptied(run: Path) -> None:
    (run / "journal.jsonl").write_bytes(b"")


def cut(run: Path) -> None:
    journal = run / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])


def half_a_line(run: Path) -> None:
    journal = run / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])


def gone(run: Path) -> None:
    (run / "journal.jsonl").unlink()


LOST = (emptied, cut, half_a_line, gone)


@pytest.mark.parametrize("lose", LOST)
def test_readers_say_what_the_journal_has_lost(
    run: Path, lose: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = played(tmp_path / "other").folder
    before = content_hash(open_run(run))
    lose(run)
    first, lost = ("30", "30") if lose in (cut, half_a_line) else ("0", "60")
    words = f"journal.jsonl does not name {lost} of the matches that manifest.json counts: {first} to "
    for reader in (simkit.open, open_run, simkit.settle_run, simkit.payments):
        with pytest.raises(VerificationFailed, match=words):
            reader(run)
    commands: tuple[tuple[str, ...], ...] = (
        ("settle", str(run)),
        ("replay", str(run), "0"),
        ("compare", str(run), str(other)),
        ("verify", str(run)),
        ("reproduce", str(run)),
    )
    for command in commands:
        assert call(list(command)) == 5, command
    said = " ".join(capsys.readouterr().err.split())
    assert said.count(words) == len(commands) - 1
    with pytest.raises(VerificationFailed, match=words):
        renew_manifest(run)  # which would count what is left as all there was
    notes = []

    class Told(simkit.progress.Reporter):
        def note(self, words: str) -> None:
            notes.append(words)

    assert content_hash(played(run, progress=Told())) == before
    assert any(words in note for note in notes)
    assert open_run(run).complete


@pytest.mark.parametrize("lose", LOST)
def test_fewer_matches_may_then_be_asked_for(run: Path, lose: Callable[[Path], None]) -> None:
    lose(run)
    assert played(run, 20).counts == ((30,) if lose in (cut, half_a_line) else (20,))
    assert open_run(run).complete


@pytest.mark.parametrize("lose", LOST)
def test_an_interrupted_run_promises_nothing(run: Path, lose: Callable[[Path], None]) -> None:
    (run / "manifest.json").unlink()
    before = content_hash(open_run(run))
    lose(run)
    held = sum(open_run(run).counts)
    assert held == (30 if lose in (cut, half_a_line) else 0)
    if not held:
        with pytest.raises(UsageError, match="holds no matches yet"):
            simkit.settle_run(run)
    assert content_hash(played(run)) == before


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"plays": 7}'])
def test_a_manifest_that_cannot_be_read_beside_an_empty_journal(run: Path, content: bytes) -> None:
    (run / "manifest.json").write_bytes(content)
    assert sum(open_run(run).counts) == 60  # the journal is whole
    emptied(run)
    with pytest.raises(VerificationFailed, match=r"names no match, and manifest\.json cannot be read"):
        open_run(run)
    assert played(run).counts == (60,)


def test_a_writer_that_is_stopped_after_it_saw_the_loss_leaves_an_unfinished_run(run: Path) -> None:
    cut(run)
    with folder_module.FolderWriter(run, [SPEC]):
        assert not (run / "manifest.json").exists()
    assert open_run(run).counts == (30,)


def test_a_match_in_a_gap_is_not_held_yet(tmp_path: Path) -> None:
    """As a damaged part leaves it until it is played again."""
    run = tmp_path / "run"
    played(run, 20)
    played(run, 40)
    played(run)
    (run / "manifest.json").unlink()
    lines = (run / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (run / "journal.jsonl").write_bytes(lines[0] + lines[2])
    found = open_run(run)
    assert found.counts == (40,)
    with pytest.raises(UsageError, match=r"match 25: .* does not hold it yet"):
        found.of_match(25)


def test_rows_of_another_folder(tmp_path: Path) -> None:
    digest = played(tmp_path / "made").digest
    place = tmp_path / "rows" / digest[:12]
    shutil.copytree(tmp_path / "made", place)
    folder = tmp_path / "experiment" / digest[:12]
    gather(folder, "experiment", [SPEC], "rows", [50])
    renew_manifest(folder)
    assert open_run(folder).counts == (50,)
    emptied(place)
    with pytest.raises(VerificationFailed, match="does not name 60 of the matches"):
        open_run(folder)
    shutil.rmtree(place)
    played(place, 20)
    with pytest.raises(VerificationFailed, match="holds 20 of the 50 matches"):
        open_run(folder)
    shutil.rmtree(place)
    assert open_run(folder).counts == (0,)


# -- without rows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pools", "tail_of_sets"])
def test_results_without_rows_say_so(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = (RESULTS / name).iterdir()
    folder = tmp_path / name / found.name
    shutil.copytree(found, folder)
    assert call(["settle", str(folder)]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"was kept without its rows, and this needs them: simkit run {name} plays them" in said
    assert "simkit reproduce" in said and "no matches yet" not in said
    with pytest.raises(UsageError, match="kept without its rows"):
        _ = simkit.open(folder).summary
    plain = json.loads((folder / "page.json").read_bytes())
    for command in ({"command": 7}, {"command": ""}, {}):
        (folder / "page.json").write_text(json.dumps({**plain, "command": None} | command))
        with pytest.raises(UsageError, match=f"simkit run {name} plays"):
            simkit.settle_run(folder)


# -- rows read back ----------------------------------------------------------------------------------------


def test_a_cut_run_is_as_fresh_as_it_was(tmp_path: Path) -> None:
    """The matches that count may be fewer than those added, and yet not those added."""
    played(tmp_path / "run", 30)
    run = played(tmp_path / "run", 60)
    assert (run.new_matches, run.fresh) == (30, False)
    for some in (run.first([30]), ShownRun.of(run.first([20])), ShownRun.of(run).first([10])):
        assert not some.fresh
        with pytest.raises(VerificationFailed, match="rows that no match has"), doubted(some):
            raise IndexError("7")
    new = played(tmp_path / "new")
    assert new.fresh and new.first([10]).fresh and ShownRun.of(new.first([10])).fresh
    with pytest.raises(IndexError), doubted(new.first([10])):
        raise IndexError("7")
    assert not open_run(tmp_path / "new").fresh


def test_rows_of_another_seed_are_no_rows_of_this_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whole files of another run, with its journal, fit one another; no digest is forged."""
    runs = []
    for seed in (1, 2):
        where = tmp_path / str(seed)
        play = ["simulate", "twelve_hole", "--players", "random", "--matches", "40", "--seed", str(seed)]
        assert call([*play, "--out", str(where), "--quiet", "--jobs", "1"]) == 0
        runs.append((where, play))
    (where, play), (other, _) = runs
    whole = (where / "matches").glob("*").__next__().read_bytes()
    for name in ("journal.jsonl", "manifest.json", "figures", "matches", "sets"):
        if (other / name).is_dir():
            shutil.rmtree(where / name)
            shutil.copytree(other / name, where / name)
        else:
            shutil.copy(other / name, where / name)
    for command in (["settle", str(where)], ["verify", str(where)], ["compare", str(where), str(other)]):
        assert call(command) == 5, command
    assert "it is of another play" in capsys.readouterr().err
    assert call([*play, "--out", str(where), "--jobs", "1"]) == 0
    assert call(["verify", str(where), "--replay", "all"]) == 0
    assert (where / "matches").glob("*").__next__().read_bytes() == whole
