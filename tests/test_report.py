"""The report is one page that fetches nothing, and its numbers are the estimates."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import pytest
from rows import random_rows

from simkit import catalogue
from simkit.experiment import ExperimentResult, analyse
from simkit.report import write_report
from simkit.report.figures import all_figures, standalone, tail_curve
from simkit.report.html import render
from simkit.report.numbers import Estimate, Side, count, decimals, in_words, minus, printed, sides

FIGURES = ("tail-curve", "size-of-tail", "variance", "leader", "tokens")
DECLARED = catalogue.experiment("tail_of_sets")
EXPERIMENT = dataclasses.replace(
    DECLARED,
    question="Is it so & <more>?",
    players=DECLARED.players[:2],
    matches=1500,
    lengths=(2, 4, 6, 8, 12, 24),
    settlements=tuple(change for change in DECLARED.settlements if change["tail_of_sets"] in (0, 20, 40)),
)
SHOWN = [
    Side("ecrire_academie", name, name, tail_of_sets=20, tokens_per_set=2, label=f"{name} against {name}")
    for name in ("prudent", "greedy")
]


class Rows:
    """Stands for a run: rows that nobody played."""

    digest = "0123456789abcdef" * 4
    counts = (1500, 1500)

    def __init__(self, capped: float = 0.0) -> None:
        self.capped = capped

    def iter_sets(self, play: int, columns: object) -> Iterator[dict[str, Any]]:
        """Matches of 24 sets; those of the second play may be cut short."""
        yield random_rows(self.counts[play], 24, seed=play, capped=self.capped * play)


@pytest.fixture(scope="module")
def result() -> ExperimentResult:
    return analyse(EXPERIMENT, cast(Any, Rows()), matches=1500)


@pytest.fixture(scope="module")
def page(result: ExperimentResult) -> str:
    return render(result)


class Reader(HTMLParser):
    """Collects what a page loads, its identifiers, and its numbers with what is printed for them."""

    VOID = frozenset({"meta", "link", "img", "br", "hr", "input", "source", "wbr"})

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.numbers: list[tuple[float, str]] = []
        self._value: float | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {key: value or "" for key, value in attrs}
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        self.ids += [named["id"]] if "id" in named else []
        self.addresses += [
            named[key] for key in ("src", "href", "xlink:href", "srcset", "data") if key in named
        ]
        if tag == "data":
            self._value = float(named["value"])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._value is not None:
            self.numbers.append((self._value, data))
            self._value = None


@pytest.fixture(scope="module")
def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def test_it_is_one_page_that_fetches_nothing(page: str, read: Reader) -> None:
    assert "script" not in read.tags
    assert not {"link", "img", "iframe", "object", "embed", "form"} & set(read.tags)
    assert all(address.startswith("#") for address in read.addresses)
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)|\bon[a-z]+=", page)


def test_it_is_well_formed_and_its_references_lead_somewhere(read: Reader) -> None:
    assert read.open == []
    assert len(read.ids) == len(set(read.ids))
    assert {address.removeprefix("#") for address in read.addresses} <= set(read.ids)


def test_the_tail_curve_is_the_first_of_all_figures(page: str, result: ExperimentResult) -> None:
    assert tuple(re.findall(r'<figure id="figure-([a-z-]+)"', page)) == FIGURES
    assert page.count("<svg") == page.count("<figure") == len(FIGURES)
    assert tuple(figure.key for figure in all_figures(result.estimates, SHOWN)) == FIGURES


def test_texts_are_escaped(page: str) -> None:
    assert "Is it so &amp; &lt;more&gt;?" in page


def test_every_printed_number_is_its_exact_value_rounded(read: Reader) -> None:
    assert len(read.numbers) > 250
    for value, text in read.numbers:
        shown = text.replace("\u202f", "").replace("\u2212", "-")
        scale = 100 if shown.endswith("%") else 1
        digits = len(shown.rstrip("%").partition(".")[2])
        assert float(shown.rstrip("%")) == pytest.approx(scale * value, abs=0.51 * 10**-digits)


def test_the_numbers_in_the_tables_are_the_estimates(result: ExperimentResult, page: str) -> None:
    known = result.estimates
    for side, series in (("prudent", 1), ("greedy", 2)):
        own = (known["measure"] == "winner_changes") & (known["player_1"] == side)
        own &= (known["tail_of_sets"] == 20) & (known["tokens_per_set"] == 2)
        expected = known.loc[own].sort_values("sets")[["sets", "mean"]].to_numpy().tolist()
        (table,) = all_figures(known, SHOWN)[0].tables
        assert [[float(row[0].text), row[series].value] for row in table.rows] == expected
        assert all(f'<data value="{mean}">' in page for _, mean in expected)
    exact = set(known["mean"]) | {0.0}
    for figure in all_figures(known, SHOWN):
        assert all(cell.value in exact for table in figure.tables for row in table.rows for cell in row[1:])


def test_the_curve_is_drawn_where_its_numbers_are(result: ExperimentResult) -> None:
    few = result.estimates.loc[result.estimates["sets"].isin([4, 8])]
    other = few.assign(mean=few["mean"] * 1.2, high=few["high"] * 1.3)
    drawn, again, moved = (tail_curve(estimates, SHOWN) for estimates in (few, few, other))
    assert drawn is not None
    assert again is not None
    assert moved is not None
    assert drawn.svg == again.svg != moved.svg


def test_the_same_result_gives_the_same_page(result: ExperimentResult, page: str) -> None:
    assert render(result) == page


def test_the_page_is_written_whole(
    result: ExperimentResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert write_report(tmp_path, result) == tmp_path / "report.html"
    before = (tmp_path / "report.html").read_text(encoding="utf-8")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_report(tmp_path, result)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == before


def test_players_whose_sets_do_not_end_are_named_and_left_out() -> None:
    result = analyse(EXPERIMENT, cast(Any, Rows(capped=0.05)))
    assert sides(result.rules, result.estimates) == SHOWN[:1]
    page = render(result)
    assert "The play of greedy against greedy was not used: 5." in page
    assert "nothing can be said on skill" in page


def test_rule_sets_are_named_where_there_are_several(result: ExperimentResult) -> None:
    rules = (catalogue.rule_set("ecrire_academie"), catalogue.rule_set("ecrire_academie_no_tails"))
    (one, _) = sides(rules, result.estimates)
    assert one.label == "prudent against prudent, ecrire_academie"


def test_every_claim_has_its_verdicts(result: ExperimentResult, page: str) -> None:
    assert len(result.verdicts) == 2 * len(EXPERIMENT.claims)
    assert page.count('<div class="verdict">') == len(EXPERIMENT.claims)
    for verdict in result.verdicts:
        assert f"<strong>{verdict.verdict}</strong>. {verdict.numbers}" in page


def test_a_figure_without_its_measure_is_left_out(result: ExperimentResult) -> None:
    few = result.estimates.loc[result.estimates["measure"] == "leader_loses"]
    assert [figure.key for figure in all_figures(few, SHOWN)] == ["leader"]


def test_a_picture_stands_alone(result: ExperimentResult) -> None:
    figure = tail_curve(result.estimates, SHOWN)
    assert figure is not None
    svg = standalone(figure)
    assert svg.startswith("<svg ")
    assert 'xmlns="http://www.w3.org/2000/svg"' in svg
    assert svg.count("http") == 1


@pytest.mark.parametrize(
    ("mean", "low", "high", "unit", "text", "note"),
    [
        (0.12345, 0.1223, 0.1246, "share of matches", "12.35\u202f%", "12.23 to 12.46"),
        (0.5, 0.25, 0.75, "share of matches", "50\u202f%", "25 to 75"),
        (-0.5, -0.61, -0.39, "points", "\u22120.50", "\u22120.61 to \u22120.39"),
        (72.345, 71.1, 73.6, "points", "72.3", "71.1 to 73.6"),
    ],
)
def test_numbers_show_two_figures_of_their_half_width(
    mean: float, low: float, high: float, unit: str, text: str, note: str
) -> None:
    cell = printed(Estimate(8, mean, low, high, 1000, unit, "wilson"))
    assert (cell.text, cell.note, cell.value) == (text, note, mean)


def test_small_words() -> None:
    assert in_words([4]) == "4"
    assert in_words([4, 8, 24]) == "4, 8 and 24"
    assert count(1234567) == "1\u202f234\u202f567"
    assert minus(-0.0001, 2) == "0.00"
    assert (decimals(0.0), decimals(12.0), decimals(1.2), decimals(0.00001)) == (2, 0, 1, 3)
