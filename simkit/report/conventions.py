"""Rules flipped alone: the short answer, the figure and the tables of the question `Conventions`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from simkit.analysis.conventions import EFFECTS
from simkit.analysis.words import count, in_words, number
from simkit.report.figures import INK, LINES, Figure, canvas, legend_above, name_rows, render
from simkit.report.numbers import Cell, Estimate, Side, Table, choose, printed_or_empty, sides
from simkit.report.page import Answer, Section
from simkit.rules import RuleSet, field_info

if TYPE_CHECKING:
    import pandas as pd

    from simkit.analysis.conventions import Conventions
    from simkit.experiment import ExperimentResult

LIMITS = (
    "The players do not know that a rule has changed: they build and go as they always do. What a better player "
    "would make of a rule is not seen; what is seen is what the rule does to play as it is.",
    "Each rule is changed alone, from the classical game. Two changes together may do more or less than both.",
    "Which effects stand out is decided for all of them at once, by Holm's adjustment, for each pair of players. "
    "An effect that does not stand out may be there and be smaller than these matches can show.",
)
STAR_WORDS = "; a star marks what stands out of all effects together"
UP_AND_DOWN: Mapping[str, tuple[str, str]] = {
    "rolls_change": ("longer", "shorter"),
    "loser_holes_change": ("more holes for the loser", "fewer holes for the loser"),
    "first_wins_change": ("better for the first thrower", "worse for the first thrower"),
}


@dataclass(frozen=True, kw_only=True)
class Flip:
    """What was estimated of one rule read otherwise, with one pair of players."""

    found: Mapping[str, Estimate]
    """Estimates by measure."""
    level: float
    up_and_down: ClassVar[Mapping[str, tuple[str, str]]]
    """The effects that are tested, with what a number above and one below nought means."""

    @property
    def stands_out(self) -> tuple[str, ...]:
        """What it does beyond chance, in words."""
        return tuple(
            words[self.found[measure].mean < 0]
            for measure, words in self.up_and_down.items()
            if self.is_clear(measure)
        )

    def is_clear(self, measure: str) -> bool:
        """Whether a number is one of the effects and stands out of all of them."""
        return measure in self.up_and_down and self.found[f"{measure}_p"].mean < 1 - self.level

    @property
    def nothing(self) -> bool:
        """Whether no match went another way."""
        return self.found["anything_changes"].mean == 0


@dataclass(frozen=True, kw_only=True)
class Change(Flip):
    """One rule of the game changed."""

    detail: str
    up_and_down: ClassVar[Mapping[str, tuple[str, str]]] = UP_AND_DOWN

    @property
    def field(self) -> str:
        """The field of the game that it changes, or a part of which."""
        return self.detail.partition("=")[0].partition(".")[0]

    @property
    def size(self) -> float:
        """How much it changes the length, as a share."""
        return abs(self.found["rolls_change_share"].mean)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    changes = {side.label: found_changes(estimates, side, result.experiment.level) for side in shown}
    docs = field_words(result.rules[0])
    return Answer(
        summary=summary(changes),
        details=tuple(details(changes)),
        words_title="Changes that stand out, the largest effect on length first",
        tables=tuple(
            effect_table([change for change in found if change.stands_out], f"{label}{STAR_WORDS}", docs)
            for label, found in changes.items()
        ),
        figures=(effect_figure(changes),),
        sections=(
            Section(
                key="all",
                title="Every change",
                text=(
                    "Differences are those under the changed rule less those under the other. Any difference: "
                    "the share of matches in whose length, holes or winner the change left a trace.",
                ),
                groups=tuple(
                    (label, (effect_table(found, STAR_WORDS[2:].capitalize(), docs, full=True),))
                    for label, found in changes.items()
                ),
            ),
            Section(
                key="chance",
                title="How sure it is that a change does anything",
                text=(
                    "Holm's adjusted probability that differences of this size arise by chance, over all "
                    "changes and the three effects together. Below 5\u202f% an effect stands out. A change of "
                    "which no match shows a trace has 100\u202f%.",
                ),
                groups=tuple((label, (chance_table(found),)) for label, found in changes.items()),
            ),
        ),
        design=tuple(design(result, len(next(iter(changes.values()))))),
        limits=LIMITS,
    )


def found_changes(estimates: pd.DataFrame, side: Side, level: float) -> list[Change]:
    """Every change of one pair of players, the largest effect on the length first."""
    by_detail: dict[str, dict[str, Estimate]] = {}
    for measure in dict.fromkeys(estimates["measure"]):
        for one in choose(estimates, measure, side):
            by_detail.setdefault(one.detail, {})[measure] = one
    found = [Change(detail=detail, found=numbers, level=level) for detail, numbers in by_detail.items()]
    return sorted(found, key=lambda change: -change.size)


def field_words(rules: RuleSet) -> dict[str, str]:
    """What each field says, by its name."""
    return {field.name: field.doc for field in field_info(type(rules.game))}


def summary(changes: Mapping[str, Sequence[Change]]) -> str:
    """How many of the changes do anything, and which do most."""
    label, found = next(iter(changes.items()))
    out = [change for change in found if change.stands_out]
    none = [change for change in found if change.nothing]
    text = (
        f"Of {len(found)} single changes of a rule, {len(out)} do something to parties of {label} that stands "
        f"out from chance; {len(none)} change no match at all."
    )
    if out:
        most = [f"{change.detail} ({signed(change.found['rolls_change_share'])} rolls)" for change in out[:3]]
        text += f" Most for the length do {in_words(most)}."
    return text


def details(changes: Mapping[str, Sequence[Change]]) -> Iterator[tuple[str, str]]:
    """Length, winner, and what does nothing; the second pair of players agrees or not."""
    label, found = next(iter(changes.items()))
    for heading, measure in (
        ("Length.", "rolls_change"),
        ("Holes.", "loser_holes_change"),
        ("The first throw.", "first_wins_change"),
    ):
        said = []
        for words in UP_AND_DOWN[measure]:
            some = sorted(
                (change for change in found if words in change.stands_out),
                key=lambda change: -abs(change.found[measure].mean),
            )
            if some:
                names = in_words([f"{c.detail} ({signed(c.found[measure])})" for c in some])
                said.append(f"{words}: {names}")
        unit = {"rolls_change": " (rolls)", "loser_holes_change": " (holes)"}.get(measure, "")
        listed = "; ".join(said)
        yield heading, f"With {label}{unit}, {listed}." if said else f"No change stands out with {label}."
    often = sorted(found, key=lambda change: -change.found["winner_changes"].mean)[:3]
    named = [f"{c.detail} ({number(c.found['winner_changes'].mean, 'share')})" for c in often]
    yield (
        "The winner.",
        f"On the same dice the winner is most often another with {in_words(named)}. Where play parts early that "
        "says little on the rule: of two matches that have nothing in common any more, every second has "
        "another winner.",
    )
    none = [change.detail for change in found if change.nothing]
    if none:
        yield "Nothing.", f"No match is changed by {in_words(none)}: these players never come to need it."
    for other, theirs in list(changes.items())[1:]:
        yield "Other players.", agreement(label, found, other, theirs)


def agreement(label: str, found: Sequence[Change], other: str, theirs: Sequence[Change]) -> str:
    """Where another pair of players shows something else beyond chance."""
    ours = {change.detail: set(change.stands_out) for change in found}
    more, less, opposed = [], [], []
    for change in theirs:
        here, there = ours[change.detail], set(change.stands_out)
        for up, down in UP_AND_DOWN.values():
            if (up in here and down in there) or (down in here and up in there):
                opposed.append(change.detail)
        if there and not here:
            more.append(change.detail)
        elif here and not there:
            less.append(change.detail)
    text = f"With {other} the same changes stand out" if not more and not less else f"With {other}"
    parts = []
    if more:
        parts.append(f"{in_words(more)} stand out too" if len(more) > 1 else f"{more[0]} stands out too")
    if less:
        parts.append(f"{in_words(less)} {'do' if len(less) > 1 else 'does'} not")
    text += f" {', but '.join(parts)}" if parts else ""
    text += f"; {in_words(opposed)} go the other way than with {label}" if opposed else ""
    return f"{text}."


def signed(e: Estimate) -> str:
    """A difference with its sign: `+5.1 %`."""
    return f"{'+' if e.mean > 0 else ''}{number(e.mean, e.unit)}"


def design(result: ExperimentResult, changes: int) -> Iterator[tuple[str, str]]:
    """How the numbers were made, as terms and their explanation."""
    question: Conventions = result.experiment.analysis  # type: ignore[assignment]
    yield "changes", f"{changes}, each alone, from {result.rules[0].name}; all others stay"
    several = [change for change in question.also if len(change) > 1]
    for change in several:
        first, *others = change
        yield "", f"{first} {change[first]} needs {in_words([f'{path} {change[path]}' for path in others])}"
    if question.without:
        yield "left out", in_words(question.without)
    yield (
        "pairing",
        "match by match on the same dice, place by place; differences are those under the changed rule less "
        "those under the other, Student's intervals of the paired differences",
    )


def effect_table(
    found: Sequence[Change], caption: str, docs: Mapping[str, str], *, full: bool = False
) -> Table:
    """The effects of changes, those that stand out with a star."""
    columns = {
        "length": "rolls_change_share",
        "loser's holes": "loser_holes_change",
        "first thrower wins": "first_wins_change",
    }
    if full:
        columns |= {
            "winner is another": "winner_changes",
            "rolls": "rolls_change",
            "any difference": "anything_changes",
            "cut": "capped",
        }
    rows = tuple(
        (
            Cell(change.detail.replace("=", ": "), docs[change.field]),
            *(starred(change, measure) for measure in columns.values()),
        )
        for change in found
    )
    return Table(("rule and reading", *columns), rows, caption)


def starred(change: Change, measure: str) -> Cell:
    """A number of a change, with a star where it stands out."""
    cell = printed_or_empty(change.found.get(measure))
    tested = {"rolls_change_share": "rolls_change"}.get(measure, measure)
    return replace(cell, note=f"{cell.note} *") if change.is_clear(tested) else cell


def chance_table(found: Sequence[Change]) -> Table:
    """The adjusted probabilities of the three effects."""
    rows = tuple(
        (
            Cell(change.detail.replace("=", ": ")),
            *(probability(change.found[f"{measure}_p"]) for measure in EFFECTS),
        )
        for change in found
    )
    return Table(("rule and reading", "length", "loser's holes", "first thrower wins"), rows)


def probability(e: Estimate) -> Cell:
    """A probability in per cent; very small ones by their bound."""
    text = "< 0.01\u202f%" if e.mean < 1e-4 else number(e.mean, "share")
    return Cell(text, "", None if e.mean < 1e-4 else e.mean)


def effect_figure(changes: Mapping[str, Sequence[Change]]) -> Figure:
    """The effect on the length of every change that stands out, with its interval, a mark for each pair."""
    out = {change.detail for found in changes.values() for change in found if change.stands_out}
    rows = [change.detail for change in next(iter(changes.values())) if change.detail in out]
    with canvas(1, 1.1 + 0.27 * max(1, len(rows))) as (figure, (axes,)):
        for place, (style, (label, found)) in enumerate(zip(LINES, changes.items(), strict=False)):
            by_detail = {change.detail: change.found["rolls_change_share"] for change in found}
            here = [by_detail[detail] for detail in rows]
            where = [row + 0.24 * (place - (len(changes) - 1) / 2) for row in range(len(rows))]
            spread = [[100 * (e.mean - e.low) for e in here], [100 * (e.high - e.mean) for e in here]]
            axes.errorbar(
                [100 * e.mean for e in here], where, xerr=spread, label=label, capsize=1.5, elinewidth=0.8,
                **{**style, "linestyle": ""},
            )  # fmt: skip
        axes.axvline(0, color=INK, linewidth=0.7)
        name_rows(axes, [detail.replace("=", ":\n", 1) if len(detail) > 26 else detail for detail in rows])
        axes.tick_params(axis="y", labelsize=7.5)
        axes.set_xlabel("change of the rolls in a partie, %")
        legend_above(figure, axes)
        svg = render(figure, "effects", "Dot chart: what single rules do to the length.", from_nought=False)
    columns = {
        label: {change.detail: change.found["rolls_change_share"] for change in found}
        for label, found in changes.items()
    }
    table = Table(
        ("rule and reading", *columns),
        tuple(
            (
                Cell(detail.replace("=", ": ")),
                *(printed_or_empty(found.get(detail)) for found in columns.values()),
            )
            for detail in rows
        ),
    )
    first = next(iter(changes.values()))[0].found["rolls_change"]
    return Figure(
        "effects",
        "What single rules do to the length of a partie",
        "Change of the mean rolls, in per cent of the mean under the classical rules, for every change of which "
        f"any effect stands out; {count(first.n)} pairs of matches each. Bars are 95\u202f% intervals, each for "
        "itself.",
        svg,
        (table,),
    )
