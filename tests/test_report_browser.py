"""Reports in a real browser: nothing fetched, nothing wider than its window, everything drawn, printable."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
from browser import BROWSER, looked_at, printed_pages
from test_report import EXPERIMENT, Rows

import simkit
from simkit import catalogue
from simkit.example import example
from simkit.experiment import analyse
from simkit.report.comparison import write_comparison
from simkit.report.html import render

ROOT = Path(__file__).resolve().parents[1]
WIDE, TELEPHONE = 1280, 390

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")


def check(seen: dict[str, Any]) -> None:
    """A page as it must be at any width."""
    where = (seen["path"], seen["width"])
    assert seen["width"] in (WIDE, TELEPHONE), where
    assert seen["scripts"] == 0 and seen["fetched"] == [], where
    assert seen["scrolls"] <= seen["width"] and not seen["beyond"], (where, seen["beyond"])
    assert seen["drawings"] and not seen["empty"] and not seen["unnamed"], where
    levels = seen["headings"]
    assert levels[0] == 1 and levels.count(1) == 1, where
    assert all(low <= high + 1 for high, low in pairwise(levels)), where


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A page of each kind: an experiment with a match of sets and one of games, and a comparison."""
    folder = tmp_path_factory.mktemp("pages")
    result = analyse(EXPERIMENT, cast(Any, Rows()), matches=1500)
    made = []
    for name, players in (("ecrire_academie", ("random",) * 2), ("backgammon", ("random",) * 2)):
        shown = example(catalogue.rule_set(name), tuple(map(catalogue.player, players)), 7)
        page = folder / f"{name}.html"
        page.write_text(render(dataclasses.replace(result, example=shown)), encoding="utf-8")
        made.append(page)
    found = simkit.compare(
        "ecrire_academie",
        vary=[{"settlement.tail_of_sets": 0}, {"settlement.tail_of_sets": 40}],
        players="random",
        matches=40,
        root=folder / "results",
        jobs=1,
        margin={"size": 3},
    )
    return [*made, write_comparison(folder / "comparison.html", found, "simkit compare ...")]


def test_pages_fit_a_wide_screen_and_a_telephone(pages: list[Path], tmp_path: Path) -> None:
    seen = looked_at(pages, (WIDE, TELEPHONE), tmp_path)
    assert len(seen) == 2 * len(pages)
    for one in seen:
        check(one)
        assert one["letters"] is None or one["letters"] >= 10, "names of arrows are too small to be read"


def test_pages_can_be_printed(pages: list[Path], tmp_path: Path) -> None:
    for page in pages[1:]:
        assert printed_pages(page, tmp_path) > 2


@pytest.mark.slow
def test_the_pages_that_are_kept_fit_too(tmp_path: Path) -> None:
    kept = sorted((ROOT / "results").glob("*/*/report.html"))
    if not kept:
        pytest.skip("no results are kept, as in a wheel")
    for page in kept:
        for one in looked_at([page], (WIDE, TELEPHONE), tmp_path):
            check(one)
        assert printed_pages(page, tmp_path) > 2
