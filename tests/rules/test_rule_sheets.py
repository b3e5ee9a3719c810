"""`docs/rules`: one page for each rule set, written from the objects, always of one shape."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from simkit import catalogue
from simkit.rules import describe
from simkit.rules.sheet import parent_of

PAGES = Path(__file__).parents[2] / "docs" / "rules"
SHAPE = ["What it is", "In short", "How it differs", "Every rule", "Digests", "Shown by"]


def test_the_pages_are_current() -> None:
    """`python -m simkit.catalogue docs/rules`"""
    assert {path.name: path.read_text(encoding="utf-8") for path in PAGES.iterdir()} == catalogue.rule_pages()


@pytest.mark.parametrize("name", catalogue.names().rule_sets)
def test_a_page_has_its_shape_and_every_rule(name: str) -> None:
    rules = catalogue.rule_set(name)
    page = catalogue.rule_pages()[f"{name}.md"]
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == SHAPE
    for rule in (*describe(rules.game), *describe(rules.match)):
        (row,) = [
            line for line in page.splitlines() if line.startswith(f"| `{rule.path.partition('.')[2]}` ")
        ]
        value = f"**{rule.value}**" if rule.usual else rule.value
        assert row.startswith(
            f"| `{rule.path.partition('.')[2]}` | {value} | {rule.unit} | {rule.allowed} | "
        )
        assert rule.doc in row
        assert rule.sources in row
        assert rule.allowed
        assert rule.sources
    for told in (rules.digest, rules.play_digest, *map(str, rules.sources), f"simkit show {name}"):
        assert told in page


def test_a_page_tells_how_a_rule_set_differs() -> None:
    pages = catalogue.rule_pages()
    assert "| `settlement.tail_of_sets` | 20 | 0 |" in pages["ecrire_academie_no_tails.md"]
    assert "It is another match, `Written` and not `TwelveHoles`" in pages["ecrire_academie.md"]
    assert "have the same rules: they differ in nothing but name" in pages["twelve_hole.md"]
    assert "From [`twelve_hole`](twelve_hole.md):" in pages["twelve_hole_honours.md"]
    assert "The others are compared with this one." in pages["classical.md"]
    assert "simkit diff" not in pages["classical.md"]


def test_a_variant_is_compared_with_what_its_name_extends() -> None:
    known = ("ecrire", "ecrire_academie", "soumille")
    assert parent_of("ecrire_academie_no_tails", known) == "ecrire_academie"
    assert parent_of("soumille_1766", known) == "soumille"
    assert parent_of("classical", known) == ""


def test_the_module_writes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["catalogue", str(tmp_path / "rules")])
    with pytest.warns(RuntimeWarning, match="found in sys.modules"):
        runpy.run_module("simkit.catalogue", run_name="__main__")
    assert {path.name for path in (tmp_path / "rules").iterdir()} == {path.name for path in PAGES.iterdir()}
    monkeypatch.setattr(sys, "argv", ["catalogue"])
    with pytest.warns(RuntimeWarning), pytest.raises(SystemExit, match="2"):
        runpy.run_module("simkit.catalogue", run_name="__main__")
