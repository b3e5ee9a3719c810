"""Readings of the written game put one at a time: the short answer, figures and tables of `WrittenConventions`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from simkit.analysis.words import count, in_words, number
from simkit.analysis.written_conventions import EFFECTS, Reading
from simkit.report.conventions import Flip, probability
from simkit.report.figures import INK, LINES, Figure, canvas, legend_above, name_rows, render
from simkit.report.numbers import Cell, Estimate, Side, Table, choose, printed_or_empty, sides
from simkit.report.page import Answer, Section
from simkit.rules import RuleSet, rule_words

if TYPE_CHECKING:
    import pandas as pd

    from simkit.analysis.written_conventions import WrittenConventions
    from simkit.experiment import ExperimentResult

CONFLICTS: Mapping[str, str] = {
    "C2": "what a run without pickup is worth, and whose pickups are asked",
    "C3": "how the consolation grows over several do-overs",
    "C4": "who throws first in a set",
    "C5": "how many tokens the loser of a set lays out",
    "C6": "who is ahead for the tail of tokens",
    "C7": "where a final five goes",
    "C8": "what decides the general tail",
}
"""The conflicts between the sources that readings belong to."""
UP_AND_DOWN: Mapping[str, tuple[str, str]] = {
    "size_change": ("larger", "smaller"),
    "paid_change": ("more paid", "less paid"),
    "first_wins_change": ("for the first thrower", "against the first thrower"),
}
"""What a reading does to the size of the result, to what is paid, and to him who threw first in the match."""
SHORT: Mapping[str, str] = {
    "winner is another": "winner_changes",
    "payer is another": "payer_changes",
    "result moves by": "result_moves",
    "size of the result": "size_change",
    "size of the payment": "paid_change",
}
FULL: Mapping[str, str] = {
    "winner is another": "winner_changes",
    "payer is another": "payer_changes",
    "another sum is paid": "payment_changes",
    "result moves by": "result_moves",
    "payment moves by": "paid_moves",
    "size of the result": "size_change",
    "of its mean": "size_change_share",
    "size of the payment": "paid_change",
    "first thrower wins": "first_wins_change",
}
PLAYED: Mapping[str, str] = {
    "any difference": "anything_changes",
    "winner is another": "winner_changes",
    "if plays were unrelated": "winner_changes_unrelated",
    "size of the result": "size_change",
    "first thrower wins": "first_wins_change",
}

LIMITS = (
    "The players do not know how sets become money, so that another settlement finds them playing as before: "
    "what a reading does to the decision to hold or to go is not seen.",
    "Each reading is put alone in the place of the rule set's own. Two together may do more or less than both.",
    "Of the conflicts C1 to C8 between the sources, C1 does not apply: it is about honours, a price of parties in "
    "twelve holes.",
    "Where a reading changes the play, the two plays soon have little in common, and every second match has "
    "another winner whatever the reading. What tells something of such a reading is how long the plays stay "
    "together, the size of the results, and the chance of the first thrower.",
    "Which effects stand out is decided for all readings, lengths and three effects at once, by Holm's "
    "adjustment, for each rule set and pair of players.",
)


@dataclass(frozen=True, kw_only=True)
class Effect(Flip):
    """One reading at one length, with one rule set and pair of players."""

    reading: Reading
    up_and_down: ClassVar[Mapping[str, tuple[str, str]]] = UP_AND_DOWN

    @property
    def name(self) -> str:
        """`refait_growth: geometric`."""
        return self.reading.detail.replace("=", ": ")


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    shown = sides(result.rules, result.estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    question = _question(result)
    lengths = sorted(question.lengths)
    effects = {(side, length): found_effects(result, side, length) for side in shown for length in lengths}
    short = [side for side in shown if side.rules == shown[0].rules]
    usual = lengths[0]
    return Answer(
        summary=summary(short[0], usual, effects[short[0], usual]),
        details=tuple(details({side: effects[side, usual] for side in short}, usual)),
        words_title=f"Every reading, {usual} sets, {shown[0].rules}: the largest effect first",
        tables=tuple(
            table for side in short for table in effect_tables(effects[side, usual], pair_words(side), SHORT)
        ),
        figures=tuple(figures({side: effects[side, usual] for side in short}, usual)),
        sections=(
            Section(
                key="others",
                title="Every rule set and length, with every number",
                text=(
                    "How far the result and the payment move is told whichever way they move; the change of their "
                    "size is with its sign, whoever wins. Amounts in points per match.",
                ),
                groups=tuple(
                    (
                        f"{side.rules}, {pair_words(side)}, {length} sets",
                        tuple(effect_tables(found, "", FULL)),
                    )
                    for (side, length), found in effects.items()
                ),
            ),
            Section(
                key="chance",
                title="How sure it is that a reading does anything",
                text=(
                    "Holm's adjusted probability that mean differences of this size arise by chance, over all "
                    "readings, lengths and the three effects together. Below 5\u202f% an effect stands out. A "
                    "reading of which no match shows a trace has 100\u202f%.",
                ),
                groups=tuple(
                    (f"{side.rules}, {pair_words(side)}, {length} sets", (chance_table(found),))
                    for (side, length), found in effects.items()
                ),
            ),
        ),
        design=tuple(design(question, result.rules)),
        limits=LIMITS,
    )


def _question(result: ExperimentResult) -> WrittenConventions:
    question: WrittenConventions = result.experiment.analysis  # type: ignore[assignment]
    return question


def pair_words(side: Side) -> str:
    """`greedy against greedy`."""
    return f"{side.player_1} against {side.player_2}"


def found_effects(result: ExperimentResult, side: Side, length: int) -> list[Effect]:
    """Every reading of one rule set, pair and length, the one that moves the payment most first."""
    estimates: pd.DataFrame = result.estimates
    by_detail: dict[str, dict[str, Estimate]] = {}
    for measure in dict.fromkeys(estimates["measure"]):
        for one in choose(estimates, measure, side):
            if one.sets == length:
                by_detail.setdefault(one.detail, {})[measure] = one
    known = {reading.detail: reading for reading in _question(result).readings}
    level = result.experiment.level
    found = [Effect(reading=known[name], found=numbers, level=level) for name, numbers in by_detail.items()]
    return sorted(found, key=lambda effect: -effect.found["paid_moves"].mean)


def settled(effects: Sequence[Effect]) -> list[Effect]:
    """Those that settle the same play again."""
    return [effect for effect in effects if effect.reading.settled_only]


def played(effects: Sequence[Effect]) -> list[Effect]:
    """Those that change the play."""
    return [effect for effect in effects if not effect.reading.settled_only]


# ---------------------------------------------------------------- words


def summary(side: Side, length: int, effects: Sequence[Effect]) -> str:
    """How many readings there are, which change the winner most, and how many never do."""
    again = [effect for effect in settled(effects) if effect.reading.conflict]
    most = sorted(again, key=lambda effect: -effect.found["winner_changes"].mean)[:3]
    never = [effect for effect in again if effect.found["winner_changes"].mean == 0]
    if not most:
        return f"{len(effects)} readings were compared at {length} sets; none settles the same play again."
    named = [f"{effect.name} ({share(effect, 'winner_changes')})" for effect in most]
    return (
        f"In matches of {length} sets by the rules {side.rules}, {pair_words(side)}, {len(again)} disputed "
        f"readings of the settlement were put alone on the same play. The winner is another most often with "
        f"{in_words(named)}; with {len(never)} of them he never is."
    )


def share(effect: Effect, measure: str) -> str:
    """`3.10 %`."""
    e = effect.found[measure]
    return number(e.mean, e.unit)


def details(by_side: Mapping[Side, Sequence[Effect]], length: int) -> Iterator[tuple[str, str]]:
    """Conflict by conflict, what it is worth, with the first pair of players; then the play."""
    side, effects = next(iter(by_side.items()))
    for conflict, words in CONFLICTS.items():
        here = [effect for effect in effects if effect.reading.conflict == conflict]
        if here:
            said = [effect_words(effect) for effect in here]
            yield f"{conflict}, {words}.", f"With {pair_words(side)}, {'; '.join(said)}."
    parted = [
        f"{effect.name} in {share(effect, 'anything_changes')} of matches "
        f"({'; '.join(effect.stands_out) or 'nothing stands out'})"
        for effect in played(effects)
    ]
    if parted:
        yield "The play.", f"On the same dice the plays part with {'; '.join(parted)}."
    none = [effect.name for effect in effects if effect.nothing]
    if none:
        yield "Nothing.", f"No match of {length} sets shows a trace of {in_words(none)}."
    for other, theirs in list(by_side.items())[1:]:
        ours = {effect.name: set(effect.stands_out) for effect in effects}
        unlike = [effect.name for effect in theirs if set(effect.stands_out) != ours.get(effect.name)]
        text = f"other effects stand out of {in_words(unlike)}" if unlike else "the same effects stand out"
        yield "Other players.", f"With {pair_words(other)} {text}."


def effect_words(effect: Effect) -> str:
    """One reading in numbers: how often it changes the winner or the payer, and how far the payment moves."""
    changes = "winner_changes" if effect.found["result_moves"].mean else "payer_changes"
    who = "winner" if changes == "winner_changes" else "payer"
    text = f"{effect.name}: another {who} in {share(effect, changes)} of matches"
    if not effect.reading.settled_only:
        return f"{text}, of plays that soon part ({'; '.join(effect.stands_out) or 'nothing stands out'})"
    moves = effect.found["paid_moves"]
    return f"{text}, the payment moves by {number(moves.mean, moves.unit)} points"


def design(question: WrittenConventions, rules: Sequence[RuleSet]) -> Iterator[tuple[str, str]]:
    """How the numbers were made, as terms and their explanation."""
    asked = [f"{len(question.asked(one))} from {one.name}" for one in rules]
    yield "readings", f"{in_words(asked)}, each alone; those that a rule set has itself are left out"
    for reading in question.readings:
        if reading.beside:
            beside = in_words([f"{path} {rule_words(value)}" for path, value in reading.beside.items()])
            yield "", f"{reading.detail}: compared where {beside}, without which it would decide nothing"
    yield from CONFLICTS.items()
    yield (
        "pairing",
        "match by match: the same sets settled twice, or two plays on the same dice, place by place; differences "
        "are those with the reading less those without it, Student's intervals of the paired differences",
    )
    yield (
        "winner, payer",
        "the winner is he to whom the exact result is due, a draw being a third outcome; the payer is told by the "
        "sum paid, rounded and with the general tail, nobody being a third",
    )


# ---------------------------------------------------------------- tables


def effect_tables(effects: Sequence[Effect], caption: str, columns: Mapping[str, str]) -> Iterator[Table]:
    """The numbers of every reading, settled again (those of `columns`) or played again."""
    for title, some, shown in (
        ("The same play settled again", settled(effects), columns),
        ("Played again on the same dice", played(effects), PLAYED),
    ):
        rows = tuple(
            (
                Cell(effect.name, effect.reading.conflict),
                *(printed_or_empty(effect.found.get(measure)) for measure in shown.values()),
                Cell("; ".join(effect.stands_out) or ("no trace" if effect.nothing else "\u2013")),
            )
            for effect in some
        )
        if rows:
            text = f"{title}{f': {caption}' if caption else ''}. Amounts in points per match."
            yield Table(("rule and reading", *shown, "stands out"), rows, text)


def chance_table(effects: Sequence[Effect]) -> Table:
    """The adjusted probabilities of the three effects."""
    rows = tuple(
        (Cell(effect.name), *(probability(effect.found[f"{measure}_p"]) for measure in EFFECTS))
        for effect in effects
    )
    return Table(
        ("rule and reading", "size of the result", "size of the payment", "first thrower wins"), rows
    )


# ---------------------------------------------------------------- figures


def figures(by_side: Mapping[Side, Sequence[Effect]], length: int) -> Iterator[Figure]:
    """Who wins, how large the payment is, and the readings that change the play."""
    first = next(iter(by_side.values()))
    again = [effect.reading.detail for effect in settled(first) if not effect.nothing]
    moved = [effect.reading.detail for effect in settled(first) if effect.found["result_moves"].mean]
    if moved:
        yield dots(
            by_side,
            sorted_by(first, moved, "winner_changes"),
            "winner_changes",
            key="winners",
            title="How often another player wins",
            caption=f"Share of matches of {length} sets whose winner, by the exact result, is another with the "
            "reading; the same play settled twice. Left out are readings that move no exact result: those that "
            "only round, or only decide the general tail.",
            x="matches with another winner, %",
        )
    if again:
        yield dots(
            by_side,
            again,
            "paid_change",
            key="payments",
            title="How much more or less is paid",
            caption=f"Mean change of the size of what is paid after {length} sets, whoever pays it, in points per "
            "match; the same play settled twice.",
            x="change of the sum paid, points per match",
        )
    other = [effect.reading.detail for effect in played(first)]
    if other:
        yield dots(
            by_side,
            other,
            "size_change",
            key="play",
            title="Readings that change the play",
            caption=f"Mean change of the size of the exact result after {length} sets, whoever wins it, in points "
            "per match; two plays on the same dice.",
            x="change of the size of the result, points per match",
        )


def sorted_by(effects: Sequence[Effect], some: Sequence[str], measure: str) -> list[str]:
    """Some readings, the largest number first."""
    found = {effect.reading.detail: effect.found[measure].mean for effect in effects}
    return sorted(some, key=lambda detail: -found[detail])


def dots(
    by_side: Mapping[Side, Sequence[Effect]],
    rows: Sequence[str],
    measure: str,
    *,
    key: str,
    title: str,
    caption: str,
    x: str,
) -> Figure:
    """A panel that reads like a table: a row for each reading, a mark for each pair of players."""
    found = {
        pair_words(side): {effect.reading.detail: effect.found[measure] for effect in effects}
        for side, effects in by_side.items()
    }
    first = next(iter(found.values()))[rows[0]]
    scale = 100 if first.unit.startswith("share") else 1
    with canvas(1, 1.2 + 0.33 * len(rows)) as (figure, (axes,)):
        for place, (style, (label, numbers)) in enumerate(zip(LINES, found.items(), strict=False)):
            here = [(row, numbers[detail]) for row, detail in enumerate(rows) if detail in numbers]
            spread = [
                [scale * (e.mean - e.low) for _, e in here],
                [scale * (e.high - e.mean) for _, e in here],
            ]
            axes.errorbar(
                [scale * e.mean for _, e in here],
                [row + 0.24 * (place - (len(found) - 1) / 2) for row, _ in here],
                xerr=spread, label=label, capsize=1.5, elinewidth=0.8, **{**style, "linestyle": ""},
            )  # fmt: skip
        axes.axvline(0, color=INK, linewidth=0.7)
        name_rows(axes, [row_name(detail) for detail in rows])
        axes.tick_params(axis="y", labelsize=7.5)
        axes.set_xlabel(x)
        legend_above(figure, axes)
        svg = render(figure, key, f"Dot chart: {title[0].lower()}{title[1:]}.", from_nought=False)
    table = Table(
        ("rule and reading", *found),
        tuple(
            (
                Cell(detail.replace("=", ": ")),
                *(printed_or_empty(line.get(detail)) for line in found.values()),
            )
            for detail in rows
        ),
        x,
    )
    size = f"{count(first.n)} matches of each pair. Bars are 95\u202f% intervals, each for itself."
    return Figure(key, title, f"{caption} {size}", svg, (table,))


def row_name(detail: str) -> str:
    """The name of a row, in two lines where it is long."""
    name = detail.replace("=", ": ")
    if len(name) <= 26:
        return name
    return name.replace(", ", ",\n", 1) if ", " in name else name.replace(": ", ":\n", 1)
