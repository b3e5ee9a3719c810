"""The report is one page that fetches nothing, and its numbers are the estimates."""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pytest
from rows import random_rows

from simkit import catalogue
from simkit.analysis.tails import TailsOfSets
from simkit.experiment import ExperimentResult, analyse
from simkit.report import write_report
from simkit.report.answer import claim_words
from simkit.report.figures import standalone
from simkit.report.html import render
from simkit.report.numbers import Estimate, Side, choose, printed, sides
from simkit.report.tails import LENGTHS, all_figures, answer_table, details, summary, tail_curve

FIGURES = ("tail-curve", "size-of-tail", "variance", "leader", "tokens")
DECLARED = catalogue.experiment("tail_of_sets")
EXPERIMENT = dataclasses.replace(
    DECLARED,
    question="Is it so & <more>?",
    rules=("ecrire_academie",),
    players=DECLARED.players[:2],
    matches=1500,
    analysis=TailsOfSets(
        lengths=(2, 4, 6, 8, 12, 24),
        settlements=tuple(
            change for change in DECLARED.analysis.settlements if change["tail_of_sets"] in (0, 20, 40)
        ),
    ),
)
SHOWN = [
    Side(
        rules="ecrire_academie",
        player_1=name,
        player_2=name,
        tail_of_sets=20,
        tokens_per_set=2,
        round_unit=10,
        label=f"{name} against {name}",
    )
    for name in ("prudent", "greedy")
]


class Rows:
    """Stands for a run: rows that nobody played."""

    digest = "0123456789abcdef" * 4
    counts = (1500, 1500)
    plays = (SimpleNamespace(seed=1),) * 2

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
        table, _ = all_figures(known, SHOWN)[0].tables
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
    assert "The play of greedy against greedy was not used: " in page
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
        assert verdict.meaning in html.unescape(page)


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
        (0.12345, 0.1223, 0.1246, "share of matches", "12.3\u202f%", "12.2 to 12.5"),
        (0.0475, 0.0386, 0.0572, "share of matches", "4.75\u202f%", "3.86 to 5.72"),
        (0.00012, 0.0, 0.0019, "share of matches", "0.012\u202f%", "0.000 to 0.190"),
        (0.0035, -0.00002, 0.007, "share of matches", "0.35\u202f%", "\u22120.002 to 0.700"),
        (-0.5, -0.61, -0.39, "points", "\u22120.50", "\u22120.61 to \u22120.39"),
        (72.345, 71.1, 73.6, "points", "72.3", "71.1 to 73.6"),
    ],
)
def test_numbers_and_their_intervals_as_printed(
    mean: float, low: float, high: float, unit: str, text: str, note: str
) -> None:
    cell = printed(Estimate(8, mean, low, high, 1000, unit, "wilson"))
    assert (cell.text, cell.note, cell.value) == (text, note, mean)


def test_what_has_no_interval_says_why() -> None:
    nan = float("nan")
    cells = [
        printed(Estimate(8, mean, low, low, 1000, "share of matches", method))
        for mean, low, method in (
            (0.0, nan, "t; nothing varied"),
            (0.5, nan, "t"),
            (0.25, 0.25, "exact, given the values of sets"),
            (nan, nan, "t"),
        )
    ]
    assert [cell.note for cell in cells] == ["nothing varied", "no interval", "computed", ""]
    assert (cells[3].text, cells[3].value) == ("\u2013", None)


# ---------------------------------------------------------------- the short answer


def numbers(**measures: dict[int, tuple[float, float, float]]) -> pd.DataFrame:
    """Estimates (mean, low, high) by measure and number of sets, for prudent against prudent."""
    rows = [
        ("ecrire_academie", "prudent", "prudent", 20, 2, measure, sets, *found, 1000, unit, "t", None)
        for measure, by_sets in measures.items()
        for sets, found in by_sets.items()
        for unit in ["times" if measure.endswith("ratio") else "points" if "abs" in measure else "share"]
    ]
    keys = ("rules", "player_1", "player_2", "tail_of_sets", "tokens_per_set", "measure", "sets")
    return pd.DataFrame(rows, columns=[*keys, "mean", "low", "high", "n", "unit", "method", "detail"])


CHANGES = {2: (0.0, 0.0, 0.004), 4: (0.01, 0.005, 0.02), 8: (0.04, 0.03, 0.05), 24: (0.03, 0.02, 0.04)}


@pytest.mark.parametrize(
    ("winners", "money", "words"),
    [
        ((0.25, 0.1, 0.5), (1.3, 1.2, 1.4), "By who wins, no: it changes the winner of a match of 4 sets"),
        ((2.0, 1.5, 3.0), (0.8, 0.7, 0.9), "By who wins, yes, more: it changes the winner of a match of 4"),
        ((1.0, 0.8, 1.2), (1.0, 0.9, 1.1), "By who wins, that cannot be told from these matches"),
        ((2.0, 1.5, 3.0), (1.3, 1.2, 1.4), "By the money, it weighs more there: its share of what is won"),
        ((2.0, 1.5, 3.0), (0.8, 0.7, 0.9), "By the money, no: its share of what is won and lost is 0.80"),
        ((2.0, 1.5, 3.0), (1.0, 0.9, 1.1), "By the money, no difference between 4 and 8 sets stands out"),
    ],
)
def test_the_summary_says_what_the_intervals_say(
    winners: tuple[float, float, float], money: tuple[float, float, float], words: str
) -> None:
    found = numbers(
        winner_changes=CHANGES, winner_changes_ratio={4: winners}, variance_tail_of_sets_ratio={4: money}
    )
    assert words in summary(found, SHOWN[:1])


def test_the_details_are_made_of_the_numbers() -> None:
    found = numbers(
        winner_changes=CHANGES,
        winner_changes_rounded={sets: (2 * mean, low, high) for sets, (mean, low, high) in CHANGES.items()},
        variance_tail_of_sets={4: (0.3, 0.28, 0.32), 8: (0.2, 0.18, 0.22), 24: (0.1, 0.08, 0.12)},
        mean_abs_exact={4: (43.41, 40, 47), 8: (60, 55, 65)},
        winner_changes_ratio={4: (0.25, 0.1, 0.5)},
    )
    said = {heading: text.replace("\u202f", "") for heading, text in details(found, SHOWN[:1])}
    assert list(said) == ["Who wins.", "Who the winner is.", "How much of the money.", "How sure."]
    assert "1.00%, 4.00% and 3.00% of matches of 4, 8 and 24 sets" in said["Who wins."]
    assert "least often at 2 sets (never) and most often at 8 sets (4.00%)" in said["Who wins."]
    assert "by that money, the winner changes in 2.00%, 8.00% and 6.00%" in said["Who the winner is."]
    assert (
        "30.0% at 4 sets, 20.0% at 8 sets and 10.0% at 24 sets. The shorter" in said["How much of the money."]
    )
    assert "43.4 points at 4 sets" in said["How much of the money."]
    assert (
        "1000 matches" in said["How sure."] and "0.25 times (95% interval 0.10 to 0.50)" in said["How sure."]
    )


def test_without_estimates_the_answer_says_so() -> None:
    assert summary(numbers(), []) == "Nothing was estimated."
    assert not list(details(numbers(), []))


def test_the_answer_stands_on_the_page_with_the_rounded_result(result: ExperimentResult, page: str) -> None:
    table = answer_table(result.estimates, SHOWN)
    rows = {row[0].text: row for row in table.rows}
    for place, side in enumerate(SHOWN, start=1):
        for suffix, measure in (("", "winner_changes"), (", in tens", "winner_changes_rounded")):
            by_sets = {e.sets: e.mean for e in choose(result.estimates, measure, side)}
            assert [rows[f"{k}{suffix}"][place].value for k in LENGTHS] == [by_sets[k] for k in LENGTHS]
    assert summary(result.estimates, SHOWN) in html.unescape(page)
    captions = [table.caption for table in all_figures(result.estimates, SHOWN)[0].tables]
    assert captions == ["By the exact result", "By the result rounded to tens"]


def test_a_result_that_is_not_rounded_has_no_rounded_rows(result: ExperimentResult) -> None:
    plain = [dataclasses.replace(side, round_unit=None) for side in SHOWN]
    assert "tens" not in str(answer_table(result.estimates, plain))
    assert len(all_figures(result.estimates, plain)[0].tables) == 1


def test_pairs_that_agree_are_named_together(result: ExperimentResult) -> None:
    one, two = (v for v in result.verdicts if v.claim == "B1")
    same = dataclasses.replace(one, player_1=two.player_1, player_2=two.player_2)
    unlike = dataclasses.replace(same, meaning="at 4 sets not", elsewhere="but at 24 sets less often")
    ((_, together),) = claim_words([one, same])
    ((_, apart),) = claim_words([one, unlike])
    assert "prudent" not in together
    assert "at 4 sets not (greedy against greedy)." in apart
    assert apart.endswith("But at 24 sets less often (greedy against greedy).")
