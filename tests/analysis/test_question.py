"""What questions share: two plays read match by match, and groups of figure sums."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from simkit.analysis.question import Played, paired


def block(first: int, end: int) -> dict[str, Any]:
    ids = np.arange(first, end)
    return {"match_id": ids, "rolls": ids * 10}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ([(0, 10)], [(0, 10)]),
        ([(0, 4), (4, 10)], [(0, 7), (7, 10)]),
        ([(0, 3), (3, 6), (6, 10)], [(0, 10)]),
        ([(0, 10)], [(0, 1), (1, 9), (9, 12)]),
    ],
)
def test_pairs_are_match_by_match_however_the_blocks_are_cut(
    one: list[tuple[int, int]], two: list[tuple[int, int]]
) -> None:
    pairs = list(paired((block(*ends) for ends in one), (block(*ends) for ends in two)))
    assert np.concatenate([a["match_id"] for a, _ in pairs]).tolist() == list(range(10))
    for a, b in pairs:
        assert (a["match_id"] == b["match_id"]).all() and (a["rolls"] == b["rolls"]).all()


def test_matches_that_one_play_lacks_are_left_out() -> None:
    pairs = list(paired([block(0, 5), block(8, 12)], [block(3, 9)]))
    assert [a["match_id"].tolist() for a, _ in pairs] == [[3, 4], [8]]
    assert not list(paired([block(0, 5)], []))


def test_figures_are_summed_by_groups_of_matches() -> None:
    def part(play: int, first: int, end: int) -> SimpleNamespace:
        figures = (((end - first, 2), (0, 0)), ((1, 1), (0, 0)))
        return SimpleNamespace(play=play, first=first, end=end, figures=figures)

    parts = (part(0, 0, 50), part(0, 50, 100), part(1, 0, 100), part(0, 100, 130))
    run = cast(Any, SimpleNamespace(parts=parts, is_cut=lambda _: False))
    sums = Played(run, {"": 0, "other": 1}).figures(100)
    assert sums.shape == (2, 2, 2, 2)
    assert sums[:, 0, 0, 0].tolist() == [100, 30], "two parts of the first hundred, one of the second"
    assert Played(run, {"": 0, "other": 1}).figures(100, "other").shape == (1, 2, 2, 2)
    assert len(Played(run, {"": 7}).figures(100)) == 0
    run.is_cut = lambda part: part.end == 130
    assert Played(run, {"": 0}).figures(100)[:, 0, 0, 0].tolist() == [100], (
        "a group of which some is cut is left out"
    )
