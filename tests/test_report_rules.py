"""Rules side by side, citations, and the page of a comparison."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import simkit
from simkit import catalogue, cli
from simkit.comparisons import Comparison
from simkit.report.cite import citation
from simkit.report.comparison import FEW, render_comparison, title, write_comparison
from simkit.report.rules import described, side_by_side
from simkit.rules import apply, diff

BASE = catalogue.rule_set("ecrire_academie")


def test_every_rule_stands_once_and_differences_are_those_of_diff() -> None:
    sets = [catalogue.rule_set(name) for name in ("classical", "academie", "soumille_1766_dlp")]
    found = side_by_side(sets)
    shared = [rule.path for part in found.shared for rule in part.rules]
    rows = [row.rule.path for row in found.rows]
    assert sorted(shared + rows) == sorted(rule.path for rule in described(sets[0]))
    for place, rules in enumerate(sets):
        marked = {row.rule.path for row in found.rows if row.values[place].differs}
        assert marked == {change.path for change in diff(sets[0], rules)}


def test_a_single_rule_set_shows_what_is_not_usual() -> None:
    found = side_by_side([apply(BASE, "settlement.tail_of_sets", 40)])
    own = {rule.path: rule for part in found.own for rule in part.rules}
    assert not found.rows and own["settlement.tail_of_sets"].value == "40"
    assert all(rule.usual for rule in own.values())
    assert not any(rule.usual for part in found.shared for rule in part.rules)


def test_a_rule_that_only_one_has_is_dashed_in_the_other() -> None:
    found = side_by_side([BASE, catalogue.rule_set("classical")])
    row = next(row for row in found.rows if row.rule.path == "match.sets")
    assert [value.text for value in row.values] == ["8", "\u2013"]


def test_a_citation_names_what_it_takes_and_no_date() -> None:
    found = citation("simkit-a_b-0c", "A & B_c", ("version 1", "20\u202f000 matches"))
    assert found.text == (
        "The simkit authors: A & B_c. In: simkit, a laboratory for the rules of trictrac, version 1, "
        "20\u202f000 matches."
    )
    assert found.bibtex.splitlines() == [
        "@misc{simkit-a_b-0c,",
        "  author = {{The simkit authors}},",
        r"  title = {A \& B\_c (simkit, a laboratory for the rules of trictrac)},",
        "  note = {Version 1, 20~000 matches}",
        "}",
    ]


# ---------------------------------------------------------------- the page of a comparison


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    return simkit.compare(
        "ecrire_academie",
        vary=[{"settlement.tail_of_sets": tail} for tail in (0, 40)],
        players="random",
        matches=40,
        margin={"size": 100},
        root=tmp_path_factory.mktemp("results"),
        jobs=1,
    )


class Balanced(HTMLParser):
    """Sees that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass


def test_it_is_one_page_with_every_number_and_verdict(found: Comparison) -> None:
    page = render_comparison(found, "simkit compare one & two")
    assert page == render_comparison(found, "simkit compare one & two")
    reader = Balanced()
    reader.feed(page)
    assert reader.open == []
    assert not re.search(r"https?:|<script|<link|<img|@import|\bon[a-z]+=", page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids)) and set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert "<pre>simkit compare one &amp; two</pre>" in page
    assert "<code>ecrire_<wbr>academie</code>" in page, "names may break where words end"
    shown = {float(value) for value in re.findall(r'<data value="([^"]+)">', page)}
    for one in found.variants:
        assert one.side.rules.digest in page
        for contrast in one.contrasts:
            assert contrast.difference.mean in shown
            assert contrast.verdict in page
    assert "Equivalent, within the margin" in page and "The same, and nothing to differ" in page
    assert "size 100 points" in page and "@misc{simkit-comparison-" in page
    assert page.count('class="differs"') == 2  # the tail of either


def test_many_variants_are_drawn_by_measure(found: Comparison) -> None:
    many = dataclasses.replace(found, variants=found.variants * 2)
    assert len(many.variants) > FEW
    page = render_comparison(many, "")
    assert page.count("<figure") == len(found.variants[0].contrasts)
    assert title(many) == "ecrire_academie and 4 others"


def test_the_command_writes_it_and_names_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command = [
        "compare",
        "classical",
        "--vary",
        "game.points_per_hole=10",
        "--players",
        "random",
        "--seed",
        "3",
    ]
    options = ["--matches", "20", "--jobs", "1", "--quiet", "--margin", "rolls=5"]
    assert cli.call([*command, *options, "--report", "one.html"]) == 0
    assert "Report: one.html" in capsys.readouterr().out
    page = Path("one.html").read_text(encoding="utf-8")
    said = re.search(r"<pre>(simkit compare [^<]*)</pre>", page)
    assert said is not None
    assert said[1] == (
        "simkit compare classical --matches 20 --seed 3 --players random --vary game.points_per_hole=10 "
        "--margin rolls=5"
    )
    assert cli.call([*said[1].split()[1:], "--quiet", "--report", "again.html"]) == 0
    assert Path("again.html").read_text(encoding="utf-8") == page
    assert cli.call([*command, *options, "--shape", "--report", "shape.html"]) == 0
    shaped = Path("shape.html").read_text(encoding="utf-8")
    assert "--margin rolls=5 --shape</pre>" in shaped and "earth mover's distance" in shaped.replace(
        "&#39;", "'"
    )
    assert "How the distributions differ" not in page
    assert cli.call([*command, *options, "--report", "again.html/no"]) == 2
    assert "'--report': again.html/no cannot be written" in capsys.readouterr().err


def test_a_page_that_cannot_be_written_leaves_none(
    found: Comparison, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(simkit.errors.UsageError, match="No space left"):
        write_comparison(tmp_path / "page.html", found, "")
    assert not list(tmp_path.iterdir())
