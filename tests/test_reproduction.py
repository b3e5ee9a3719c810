"""A run made again from what it says of itself, and data of released versions that stay readable."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from golden.store import STORED, hashes, make
from test_experiment import SMALL, fake_driver

import simkit
from simkit import catalogue
from simkit.batch import play_run
from simkit.cli import call
from simkit.cli.dataset import told
from simkit.dataset import (
    DICE,
    PlaySpec,
    Run,
    content_hash,
    folder,
    open_run,
    read_estimates,
    write_estimates,
)
from simkit.errors import FolderMismatch, UsageError, VerificationFailed, WorkerLost
from simkit.experiment import ExperimentResult, run_experiment
from simkit.reproduction import reproduce
from simkit.stopping import Stopped
from simkit.verification import verify_run

HASHES = hashes()
"""First 16 hex digits of the content hash of the runs in `golden/stored`, by version and run."""


# -- data of released versions ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", HASHES)
def test_data_of_a_released_version_stay_readable(name: str) -> None:
    """A change of the dice makes them older, not unreadable."""
    run = simkit.open(STORED / name)
    assert content_hash(run)[:16] == HASHES[name]
    assert verify_run(STORED / name).sound
    for table in run.family.played:
        blocks = list(run.iter_rows(table.name))
        assert sum(len(block["match_id"]) for block in blocks) > 0
    assert len(run.matches) == sum(run.counts)


def test_parties_of_the_first_version_say_what_they_said() -> None:
    """Three parties at random."""
    run = simkit.open(STORED / "0.1.0/parties")
    assert run.counts == (3,)
    assert run.matches["rolls"].tolist() == [91, 90, 88]
    assert run.sets["winner"].tolist() == [1, 1, 1]
    assert int(run.figures["points"].sum()) > 0


@pytest.mark.parametrize("name", HASHES)
def test_data_of_a_released_version_are_made_again(name: str) -> None:
    if simkit.open(STORED / name).dice != DICE:
        pytest.skip("played with older dice, which are read and no longer thrown")
    ours = name.startswith(f"{simkit.__version__}/")  # another version may tell a match in other words
    assert verify_run(STORED / name, replay=None, tell=told if ours else None).sound
    found = reproduce(STORED / name, jobs=1)
    assert found.same
    assert found.rows[0] == found.rows[1]
    assert not found.again.exists()


def test_every_stored_run_is_tested() -> None:
    assert {path.parent.relative_to(STORED).as_posix() for path in STORED.rglob("run.json")} == set(HASHES)


def test_this_version_has_stored_runs() -> None:
    version = simkit.__version__
    assert any(name.startswith(f"{version}/") for name in HASHES), (
        f"no runs of version {version} are stored; at a clean commit: python tests/golden/store.py"
    )


def test_runs_to_be_stored_are_made(tmp_path: Path) -> None:
    """As the next release will make them: one of every family of tables, and those stored of this version."""
    found = make(tmp_path)
    for name, digest in found.items():
        assert HASHES.get(name, digest) == digest, name
        assert verify_run(tmp_path / name.partition("/")[2], replay=None, tell=told).sound
    families = {open_run(path.parent).family.games for path in tmp_path.rglob("run.json")}
    assert len(families) >= 4, families
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 1_000_000


def test_a_run_of_older_dice_is_read_and_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the present dice were those after the next change of them."""
    kind, _, now = DICE.partition("/")
    shutil.copytree(STORED / "0.1.0/parties", tmp_path / "run")
    for module in ("plays", "folder", "run"):
        monkeypatch.setattr(f"simkit.dataset.{module}.DICE", f"{kind}/{int(now) + 1}")
    for module in ("verification", "reproduction"):
        monkeypatch.setattr(f"simkit.{module}.DICE", f"{kind}/{int(now) + 1}")
    run = open_run(tmp_path / "run")
    assert run.dice == DICE
    assert run.digest.startswith(json.loads((run.folder / "run.json").read_bytes())["digest"])
    assert len(run.sets) == 3
    assert verify_run(run.folder).sound
    random = simkit.player("random")
    with pytest.raises(FolderMismatch, match=f"was played with dice {DICE}"):
        play_run(PlaySpec(run.plays[0].rules, (random, random), 1822), 4, folder=run.folder, jobs=1)
    with pytest.raises(FolderMismatch, match="no longer throws"):
        write_estimates(run.folder, pd.DataFrame())
    with pytest.raises(UsageError, match="nothing of it is simulated again"):
        verify_run(run.folder, replay=1)
    with pytest.raises(UsageError, match=r"no longer throws .*; simkit 0\.1\.0 does"):
        reproduce(run.folder)


def test_dice_of_the_future_are_refused(tmp_path: Path) -> None:
    shutil.copytree(STORED / "0.1.0/parties", tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    for dice in ("philox4x64-10/99", "mersenne/1", "philox4x64-10/02", "", "philox4x64-10/²"):
        path.write_text(path.read_text().replace('"dice": "philox4x64-10/2"', f'"dice": "{dice}"'))
        with pytest.raises(VerificationFailed, match="played with dice"):
            open_run(tmp_path / "run")
        path.write_text(path.read_text().replace(f'"dice": "{dice}"', '"dice": "philox4x64-10/2"'))


# -- rows that differ ------------------------------------------------------------------------------------


def test_it_says_which_rows_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = simkit.player("random")
    spec = PlaySpec(simkit.rule_set("twelve_hole"), (one, one), 3)

    def cheat(*arguments: object) -> object:
        from simkit.drivers import play_chunk

        chunk = play_chunk(*arguments)
        chunk.sets["rolls"][2] += 1
        return chunk

    run = play_run(spec, 4, folder=tmp_path / "run", jobs=1, driver=cheat)
    assert verify_run(run.folder).sound
    found = reproduce(run.folder, jobs=1, into=tmp_path / "again")
    assert found.differences == ("twelve_hole: random against random: sets.rolls differs, first in match 2",)
    assert open_run(found.again).counts == (4,)
    assert call(["reproduce", str(run.folder), "--jobs", "1", "--quiet"]) == 5
    assert "sets.rolls differs" in " ".join(capsys.readouterr().out.split())
    assert call(["reproduce", str(run.folder), "--jobs", "1", "--quiet", "--json"]) == 5
    assert json.loads(capsys.readouterr().out)["schema"] == "simkit.reproduction/1"
    with pytest.raises(UsageError, match="is the run itself"):
        reproduce(run.folder, into=run.folder / "sets")


def small_run(folder: Path) -> Run:
    """Two matches that are played in no time."""
    one = simkit.player("random")
    return play_run(PlaySpec(simkit.rule_set("twelve_hole"), (one, one), 3), 2, folder=folder, jobs=1)


def test_what_is_stopped_without_a_place_is_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = small_run(tmp_path / "run")

    def stopped(*_: object, **__: object) -> Run:
        stop = Stopped(143)
        stop.add_note("stopped: 8,192 matches are kept; the same command goes on from there")
        raise stop

    def lost(*_: object, **__: object) -> Run:
        raise WorkerLost("a worker died; finished rounds are kept")

    monkeypatch.setattr("simkit.reproduction.play_run", stopped)
    with pytest.raises(Stopped):
        call(["reproduce", str(run.folder), "--quiet"])
    assert "thrown away; --into DIR would keep it" in capsys.readouterr().err
    with pytest.raises(Stopped):
        call(["reproduce", str(run.folder), "--quiet", "--into", str(tmp_path / "again")])
    assert "8,192 matches are kept; the same command goes on" in capsys.readouterr().err
    monkeypatch.setattr("simkit.reproduction.play_run", lost)
    assert call(["reproduce", str(run.folder), "--quiet"]) == 7
    assert "temporary folder, now gone" in capsys.readouterr().err
    monkeypatch.undo()
    assert call(["reproduce", str(run.folder), "--quiet", "--into", str(tmp_path / "again")]) == 0


def test_a_place_that_holds_something_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, other = small_run(tmp_path / "run"), small_run(tmp_path / "other")
    before = sorted(other.folder.rglob("*"))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine\n")
    for place, words in (("other", "holds a run"), ("notes", "holds something else"), ("", "something else")):
        assert call(["reproduce", str(run.folder), "--into", str(tmp_path / place)]) == 2
        assert words in capsys.readouterr().err
    assert call(["reproduce", str(run.folder), "--into", str(tmp_path / "notes" / "mine.txt")]) == 2
    assert "is a file" in capsys.readouterr().err
    assert sorted(other.folder.rglob("*")) == before


def test_of_a_damaged_run_the_command_that_mends_it_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = small_run(tmp_path / "run")
    next((run.folder / "matches").iterdir()).unlink()
    assert call(["reproduce", str(run.folder), "--quiet"]) == 5
    command = f"simkit simulate twelve_hole --players random,random --matches 2 --seed 3 --out {run.folder}"
    assert f"run `{command}` again: damaged parts are played anew" in capsys.readouterr().err
    assert call([*command.split()[1:], "--quiet", "--jobs", "1"]) == 0
    assert verify_run(run.folder).sound
    assert call(["reproduce", str(run.folder), "--quiet", "--jobs", "1"]) == 0


# -- experiments -----------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ExperimentResult:
    """A small experiment of the catalogue, upon rows that nobody played."""
    monkeypatch.setattr("simkit.drivers.play_chunk", fake_driver)
    monkeypatch.setattr(catalogue, "experiment", lambda name: SMALL)
    monkeypatch.setattr(catalogue, "names", lambda: SimpleNamespace(experiments=("small",)))
    return run_experiment(replace(SMALL, seed=9), matches=30, jobs=1, root=tmp_path / "results")


def test_an_experiment_is_made_again_with_its_estimates(kept: ExperimentResult) -> None:
    found = reproduce(kept.folder, jobs=1)
    assert found.same, found.differences
    assert found.estimates == len(kept.stored)
    assert found.largest == 0
    assert found.matches == 60
    assert found.notes == ()


def test_without_its_rows_the_estimates_are_compared(kept: ExperimentResult) -> None:
    for path in list(kept.folder.iterdir()):
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in ("run.json", "estimates.parquet", "report.html", "README.md"):
            path.unlink()
    found = reproduce(kept.folder, jobs=1)
    assert found.same, found.differences
    assert found.rows == ()
    assert found.notes == ("it holds no rows; only its estimates were compared",)
    (kept.folder / "estimates.parquet").unlink()
    with pytest.raises(UsageError, match="nothing to compare"):
        reproduce(kept.folder)


def test_it_says_which_estimates_differ(kept: ExperimentResult) -> None:
    frame = read_estimates(kept.folder)
    frame.loc[3, "mean"] += 1e-6
    frame.loc[4, "mean"] *= 1 + 1e-13
    write_estimates(kept.folder, frame.drop(index=5))
    found = reproduce(kept.folder, jobs=1)
    assert len(found.differences) == 2
    assert "is only in the run made again" in found.differences[0]
    assert ": mean is " in found.differences[1]
    assert frame.loc[3, "measure"] in found.differences[1]


def test_golden_files_are_where_git_keeps_them() -> None:
    ignored = (Path(__file__).parents[1] / ".gitignore").read_text(encoding="utf-8").split()
    assert all(
        line.startswith(("results/", "*", ".", "_", "build", "dist", "/datasets/")) for line in ignored
    )
    assert folder.LOCK not in [path.name for path in STORED.rglob("*")]
