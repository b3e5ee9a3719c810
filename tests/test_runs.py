"""Real runs: the same rows for any number of workers, threads or processes, and any chunk size."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.batch import play_run
from simkit.catalogue import player, rule_set
from simkit.dataset import PlaySpec, content_hash, open_run

PLAY = PlaySpec(
    rule_set("ecrire_academie").with_match(sets=4), (player("prudent"), player("greedy")), seed=2**64 - 1
)
MATCHES = 60


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Content of the run by one worker."""
    folder = tmp_path_factory.mktemp("alone") / "run"
    return content_hash(play_run(PLAY, MATCHES, folder=folder, jobs=1))


@pytest.mark.parametrize(
    ("jobs", "backend", "chunk"),
    [(2, "threads", None), (2, "threads", 7), (2, "processes", 25), (1, None, 1)],
)
def test_workers_and_chunks_do_not_matter(
    alone: str, tmp_path: Path, jobs: int, backend: str | None, chunk: int | None
) -> None:
    run = play_run(PLAY, MATCHES, folder=tmp_path / "run", jobs=jobs, backend=backend, chunk_matches=chunk)
    assert content_hash(run) == alone


def test_a_run_is_extended_to_the_same_rows(alone: str, tmp_path: Path) -> None:
    play_run(PLAY, 23, folder=tmp_path / "run", jobs=1)
    assert content_hash(play_run(PLAY, MATCHES, folder=tmp_path / "run", jobs=1)) == alone


def test_tables_of_a_run_agree(tmp_path: Path) -> None:
    play_run(PLAY, 40, folder=tmp_path / "run", jobs=1)
    run = open_run(tmp_path / "run")
    assert len(run.matches) == 40 and len(run.sets) == 160
    by_match = run.sets.groupby("match_id")
    assert (by_match["holes_1"].sum() == run.matches.set_index("match_id")["holes_1"]).all()
    rolls = by_match["rolls"].sum() + by_match["rolls_do_overs"].sum()
    assert (rolls == run.matches.set_index("match_id")["rolls"]).all()
    holes = run.sets[["holes_1", "holes_2"]].to_numpy().sum()
    points = run.figures["points"].sum()
    assert points >= 12 * holes / 2  # a hole takes twelve points, or is half of a double one
