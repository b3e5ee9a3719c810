"""Experiments that name the same rows play them once; each keeps its own folder and page."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_experiment import SMALL, fake_driver

from simkit import api, catalogue
from simkit.batch import play_run, run_folder
from simkit.dataset import Run, open_run, run_digest, verify
from simkit.errors import ConfigError, FolderMismatch, UsageError, VerificationFailed
from simkit.experiment import Experiment, ExperimentResult, design, run_experiment
from simkit.report import write_report

ONE = replace(SMALL, name="one", rows_of="plays")
TWO = replace(
    SMALL, name="two", rows_of="plays", players=(("prudent", "prudent"),), rules=("ecrire_academie_no_tails",)
)


@pytest.fixture(autouse=True)
def nobody_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simkit.drivers.play_chunk", fake_driver)


def made(
    experiment: Experiment, root: Path, matches: int | None = 50, *, page: bool = False
) -> ExperimentResult:
    report = write_report if page else None
    return run_experiment(experiment, matches=matches, jobs=1, root=root, report=report)


def shared(root: Path) -> dict[str, tuple[int, ...]]:
    """Matches of each run that holds rows, by its players."""
    runs = [open_run(folder) for folder in (root / "plays").iterdir()]
    return {run.plays[0].players[0].name: run.counts for run in runs}


def test_the_second_experiment_plays_nothing_that_the_first_has_played(tmp_path: Path) -> None:
    one = made(ONE, tmp_path, page=True)
    before = sorted(path for path in (tmp_path / "plays").rglob("*.parquet"))
    two = made(TWO, tmp_path, page=True)
    assert sorted(path for path in (tmp_path / "plays").rglob("*.parquet")) == before
    assert shared(tmp_path) == {"random": (50,), "prudent": (50,)}
    for result in (one, two):
        assert result.folder == run_folder(
            design(result.experiment).plays, root=tmp_path, name=result.experiment.name
        )
        assert {path.name for path in result.folder.iterdir()} == {
            ".lock",
            "README.md",
            "estimates.parquet",
            "manifest.json",
            "report.html",
            "run.json",
        }
    card = (one.folder / "README.md").read_text(encoding="utf-8")
    assert f"`plays/{run_digest([one.run.plays[1]])[:12]}`" in card
    assert "data_files" not in card


def test_estimates_are_those_of_rows_of_ones_own(tmp_path: Path) -> None:
    own = made(replace(ONE, rows_of=""), tmp_path / "own")
    result = made(ONE, tmp_path)
    assert result.estimates.equals(own.estimates)
    assert result.digest == own.digest
    assert result.run.sets.equals(own.run.sets)
    assert result.run.of_match(7, 1)["sets"]["winner"].tolist() == (
        own.run.of_match(7, 1)["sets"]["winner"].tolist()
    )
    verify(result.run)


def test_more_matches_extend_the_shared_rows(tmp_path: Path) -> None:
    one = made(ONE, tmp_path)
    more = made(TWO, tmp_path, 80)
    assert more.matches == 80
    assert shared(tmp_path) == {"random": (50,), "prudent": (80,)}
    again = made(ONE, tmp_path)
    assert again.run.counts == (50, 50), "no more than it asks for"
    assert again.command == "simkit run one --matches 50"
    assert again.estimates.equals(one.estimates)
    assert len(again.run.matches) == len(open_run(one.folder).matches) == 100
    assert again.run.sets.equals(one.run.sets)
    assert "| ecrire_academie | prudent | prudent | 50 | 50 | 7 |" in (again.folder / "README.md").read_text()
    assert one.folder == again.folder


def test_a_limit_within_a_part_cuts_its_rows(tmp_path: Path) -> None:
    more = made(TWO, tmp_path, 80)
    fewer = made(TWO, tmp_path, 30)
    assert (more.matches, fewer.matches) == (80, 30)
    assert [len(block["winner"]) for block in fewer.run.iter_sets(0, ("winner",))] == [30 * 8]
    assert list(next(fewer.run.iter_sets(0, ("winner",)))) == ["winner"]
    assert set(fewer.run.sets["match_id"]) == set(range(30))
    alone = made(TWO, tmp_path / "alone", 80)
    expected = alone.run.sets.loc[alone.run.sets["match_id"] < 30, "winner"]
    assert fewer.run.sets["winner"].tolist() == expected.tolist()
    with pytest.raises(UsageError, match="holds matches 0 to 29"):
        fewer.run.of_match(30)


def test_pairs_may_have_numbers_of_their_own(tmp_path: Path) -> None:
    result = made(replace(ONE, matches=(30, 20)), tmp_path, None)
    assert result.run.counts == (30, 20)
    assert result.matches == 20
    assert result.command == "simkit run one"
    with pytest.raises(ConfigError, match="one number for each of the 2 pairs"):
        replace(ONE, matches=(30, 20, 10))


def test_its_folder_is_settled_and_reported_on_like_any_run(tmp_path: Path) -> None:
    result = made(ONE, tmp_path, page=True)
    settled = api.settle_run(result.folder, {"tail_of_sets": 0})
    assert len(settled) == 100
    page = api.rebuild_report(result.folder, ONE).read_bytes()
    assert api.rebuild_report(result.folder, ONE).read_bytes() == page
    assert api.rebuild_report(result.folder, ONE, anew=True).read_bytes() == page
    rows = next((tmp_path / "plays").iterdir())
    with pytest.raises(UsageError, match="was made by no experiment"):
        api.rebuild_report(rows)


def test_without_its_rows_a_folder_opens_and_says_so(tmp_path: Path) -> None:
    result = made(ONE, tmp_path)
    (tmp_path / "plays").rename(tmp_path / "elsewhere")
    run = open_run(result.folder)
    assert run.counts == (0, 0)
    assert len(run.estimates) == len(result.stored)
    assert api.rebuild_report(result.folder, ONE) == result.folder / "report.html"
    (result.folder / "estimates.parquet").unlink()
    with pytest.raises(UsageError, match="holds no rows to report on"):
        api.rebuild_report(result.folder, ONE)


def test_a_folder_holds_its_own_rows_or_those_of_others(tmp_path: Path) -> None:
    made(ONE, tmp_path)
    with pytest.raises(FolderMismatch, match="holds no rows of its own, they are those of plays"):
        made(replace(ONE, rows_of=""), tmp_path)
    made(replace(TWO, rows_of=""), tmp_path)
    with pytest.raises(UsageError, match="holds rows of its own"):
        made(TWO, tmp_path)


def test_rows_of_another_play_are_not_taken_for_these(tmp_path: Path) -> None:
    result = made(ONE, tmp_path)
    first, second = result.run.rows_in
    first.rename(tmp_path / "first")
    second.rename(first)
    with pytest.raises(VerificationFailed, match="does not hold the rows of"):
        open_run(result.folder)


@pytest.mark.parametrize("rows_of", ["../plays", "one/two", 7, "."])
def test_a_name_of_rows_is_a_plain_word(tmp_path: Path, rows_of: Any) -> None:
    result = made(ONE, tmp_path)
    path = result.folder / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"rows_of": rows_of}))
    with pytest.raises(VerificationFailed, match="is no name of a run"):
        open_run(result.folder)


@pytest.mark.parametrize("matches", [None, [], [50], [50, 0], [50, True], [50, "50"]])
def test_how_many_count_is_a_number_for_each_play(tmp_path: Path, matches: Any) -> None:
    result = made(ONE, tmp_path)
    path = result.folder / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"matches": matches}))
    with pytest.raises(VerificationFailed, match="no number for each of its plays"):
        open_run(result.folder)


@pytest.mark.parametrize("rows_of", ["one", "a name", "../x"])
def test_a_wrong_name_cannot_be_declared(rows_of: str) -> None:
    with pytest.raises(ConfigError, match="rows_of = "):
        replace(ONE, rows_of=rows_of)


def test_a_question_with_chunks_of_its_own_cannot_share() -> None:
    declared = catalogue.experiment("soumille")
    with pytest.raises(ConfigError, match="chunks of its own"):
        replace(declared, rows_of="plays")


def test_a_single_play_is_a_run_of_its_own(tmp_path: Path) -> None:
    """What lies below the shared name is what `play_run` makes of that play alone."""
    result = made(TWO, tmp_path)
    (play,) = design(TWO).plays
    alone: Run = play_run(play, 50, root=tmp_path / "alone", name="plays", jobs=1)
    assert alone.digest == run_digest(result.run.plays)
    assert alone.sets.equals(open_run(result.run.rows_in[0]).sets)
