"""Runs with forged rows that are gone on with, told, put down or estimated anew: done, or refused in words."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from forged import changed, forge
from hypothesis import given, settings
from test_hostile_input import refused_or_read, seeds, some

import simkit
from simkit import api
from simkit.batch import play_run
from simkit.cli import call
from simkit.cli.dataset import told
from simkit.dataset import PlaySpec, renew_manifest
from simkit.dataset import folder as folder_module
from simkit.errors import VerificationFailed
from simkit.reproduction import reproduce
from simkit.research import Research, build
from simkit.verification import verify_run

CODES = (0, VerificationFailed.exit_code)
PLAYED = ("ecrire_academie", "twelve_hole", "combine_classical", "toutes_tables_225", "pool_drain")


@pytest.fixture(autouse=True)
def _unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncing a disk is slow, and no test pulls the plug."""
    monkeypatch.setattr(folder_module.os, "fsync", lambda _: None)


def spec_of(name: str) -> PlaySpec:
    rules = simkit.rule_set(name)
    return PlaySpec(rules, (simkit.player("random"),) * rules.match.players, 1)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run of each."""
    found = {}
    for name in PLAYED:
        found[name] = tmp_path_factory.mktemp(name) / "run"
        play_run(spec_of(name), 4, folder=found[name], jobs=1)
    return found


CONTINUED: dict[str, Callable[[Path, str], object]] = {
    "replay": lambda folder, _: api.replay(folder, 1),
    "adjourn": lambda folder, _: api.adjourn(folder, 1, after=1),
    "reproduce": lambda folder, _: reproduce(folder, jobs=1),
    "gone on with": lambda folder, name: play_run(spec_of(name), 6, folder=folder, jobs=1),
    "summary": lambda folder, _: simkit.open(folder).summary,
}
"""In this order: from the fourth on it is a run of which some matches are new."""


def look_at(run: Path, name: str, where: Path, examples: int) -> None:
    @given(seeds)
    @settings(some, max_examples=examples)
    def look(seed: int) -> None:
        forged = forge(run, where, seed)
        for go_on in CONTINUED.values():
            with refused_or_read():
                go_on(forged, name)

    look()


@pytest.mark.parametrize("name", PLAYED)
def test_forged_runs_gone_on_with(runs: dict[str, Path], tmp_path: Path, name: str) -> None:
    look_at(runs[name], name, tmp_path / "run", 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_many_forged_runs_gone_on_with(runs: dict[str, Path], tmp_path: Path, name: str) -> None:
    look_at(runs[name], name, tmp_path / "run", 40)


# -- research datasets ---------------------------------------------------------------------------------------


def research(matches: int = 4) -> Research:
    return Research(
        name="forged",
        rules=(simkit.rule_set("ecrire_academie"),),
        players=((simkit.player("random"),),),
        matches=matches,
        extras=("holes", "records"),
        records=1,
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("built") / "forged"
    return build(research(), where, jobs=1, tell=told).run.folder


def forge_holes(built: Path, where: Path, seed: int) -> Path:
    """A copy whose holes are not what was played; the digest in the manifest fits, or there is none."""
    chance = random.Random(seed)
    forge(built, where, seed, changes=0)
    (path,) = (where / "holes").iterdir()
    pq.write_table(changed(pq.read_table(path), chance), path)
    renew_manifest(where)
    if chance.random() < 0.5:
        (where / "manifest.json").unlink()
    return where


@pytest.mark.parametrize("kind", [forge, forge_holes])
def test_a_forged_dataset_is_gone_on_with_or_refused(
    built: Path, tmp_path: Path, kind: Callable[[Path, Path, int], Path]
) -> None:
    @given(seeds)
    @settings(some, max_examples=3)
    def look(seed: int) -> None:
        where = kind(built, tmp_path / "run", seed)
        with refused_or_read():
            verify_run(where, replay=None, tell=told)
        with refused_or_read():
            build(research(), where, jobs=1, tell=told)

    look()


# -- experiments ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `results` of an experiment whose rows are its own."""
    root = tmp_path_factory.mktemp("experiment") / "results"
    simkit.run("twelve_hole_duration", matches=6, jobs=1, root=root)
    return root


@pytest.mark.parametrize("examples", [2, pytest.param(30, marks=pytest.mark.slow)])
def test_a_forged_experiment_is_estimated_anew_or_refused(
    experiment: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    examples: int,
) -> None:
    (found,) = experiment.glob("twelve_hole_duration/*")
    monkeypatch.chdir(tmp_path)
    where = tmp_path / "results" / found.parent.name / found.name

    @given(seeds)
    @settings(some, max_examples=examples)
    def look(seed: int) -> None:
        shutil.rmtree(tmp_path / "results", ignore_errors=True)
        for command in (
            ("report", str(where), "--anew"),
            ("run", "twelve_hole_duration", "--matches", "6", "--jobs", "1", "--quiet"),
            ("run", "twelve_hole_duration", "--matches", "8", "--jobs", "1", "--quiet"),
        ):
            if command[0] == "report":
                forge(found, where, seed)
            with refused_or_read():
                code = call(list(command))
                told = capsys.readouterr().err
                assert code in CODES, (seed, command, code, told)
                assert "unexpected" not in told

    look()


def test_what_is_said_of_them(runs: dict[str, Path], tmp_path: Path) -> None:
    """A row count that does not fit is damage, whoever made it fit."""
    folder = forge(runs["ecrire_academie"], tmp_path / "run", 0, changes=0)
    line = json.loads((folder / "journal.jsonl").read_bytes())
    (path,) = (folder / "sets").iterdir()
    rows = pq.read_table(path).slice(3)
    pq.write_table(rows, path)
    line["files"]["sets"] |= {
        "rows": rows.num_rows, "bytes": path.stat().st_size, "sha256": folder_module.file_sha256(path),
    }  # fmt: skip
    line.pop("check")
    line["check"] = folder_module.digest_of(line)
    (folder / "journal.jsonl").write_text(json.dumps(line, separators=(",", ":")) + "\n")
    renew_manifest(folder)
    assert not verify_run(folder).sound
    with pytest.raises(VerificationFailed):
        api.replay(folder, 0)
