"""What the tail of tokens does: the short answer, the figures and the tables of the question `TailOfTokens`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.words import in_words, number
from simkit.report.figures import (
    INK,
    LINES,
    Figure,
    canvas,
    dodged,
    draw_line,
    label_axes,
    legend_above,
    render,
    ticks_of,
)
from simkit.report.numbers import (
    Cell,
    Estimate,
    Side,
    Table,
    by_sets,
    choose,
    printed_or_empty,
    sides,
)
from simkit.report.page import Answer, Section
from simkit.report.tails import LENGTHS, USUAL, same_words, shares_at, token_words
from simkit.rules import TokenTailBasis, Written

if TYPE_CHECKING:
    import pandas as pd

    from simkit.analysis.tokens import TailOfTokens
    from simkit.experiment import ExperimentResult

SPOKEN = (4, 8, 12)
AHEAD = {
    TokenTailBasis.SET_POINTS: "more points from the sets",
    TokenTailBasis.HOLDINGS: "more jetons in hand",
}
EFFECTS = {
    "result_larger": "result larger, winner the same",
    "result_smaller": "result smaller, winner the same",
    "winner_differs": "another winner, or a draw made or ended",
    "result_same": "nothing changes",
}
LIMITS = (
    "The effect shown is mechanical: the same play is settled with tokens and without. The players do not know "
    "the settlement and never play for the tokens.",
)

Bases = Mapping[str, TokenTailBasis]
"""Who is ahead by each rule set's own reading."""


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    every = sides(result.rules, estimates)
    if not every:
        return Answer(summary="Nothing was estimated.")
    bases = {
        rules.name: rules.match.settlement.token_tail_basis
        for rules in result.rules
        if isinstance(rules.match, Written)
    }
    shown = sides(result.rules[:1], estimates.loc[estimates["rules"] == every[0].rules])
    return Answer(
        summary=summary(estimates, shown[0], bases),
        details=tuple(details(estimates, shown[0], bases)),
        tables=(offset_table(estimates, shown, bases),),
        figures=(
            *(curves(estimates, shown, bases, *drawn) for drawn in DRAWN),
            order_curves(estimates, every, bases),
        ),
        sections=tuple(sections(result, every, bases)),
        design=tuple(design(result)),
        limits=LIMITS,
    )


def own(estimates: pd.DataFrame, measure: str, side: Side, bases: Bases) -> list[Estimate]:
    """A number by the rule set's own tokens and reading of who is ahead."""
    return choose(estimates, measure, side, detail=bases[side.rules].value)


def own_at(estimates: pd.DataFrame, measure: str, side: Side, bases: Bases, sets: int) -> Estimate | None:
    """The same at one number of sets."""
    return next((e for e in own(estimates, measure, side, bases) if e.sets == sets), None)


def spoken(estimates: pd.DataFrame, measure: str, side: Side, bases: Bases) -> list[Estimate]:
    """The same at the numbers of sets that are spoken of; at all where they were not played."""
    found = own(estimates, measure, side, bases)
    return [e for e in found if e.sets in SPOKEN] or found


def summary(estimates: pd.DataFrame, side: Side, bases: Bases) -> str:
    """The answer in a sentence or two, by the first rule set and pair of players."""
    money, who = (
        _sign(own_at(estimates, measure, side, bases, USUAL))
        for measure in ("token_tail_against_sets", "token_tail_relief")
    )
    by_money = {
        1: "on average it goes against the player with more sets",
        -1: "on average it goes the same way, to the player with more sets",
        0: "on average it goes neither with nor against the player with more sets",
    }[money]
    by_winner = {
        1: "with it the tail of sets changes the winner less often",
        -1: "with it the tail of sets changes the winner more often, not less",
        0: "and whether the tail of sets changes the winner more or less often with it cannot be told from chance",
    }[who]
    return f"Does the tail of tokens offset the tail of sets? In a match of {USUAL} sets {by_money}; {by_winner}."


def _sign(e: Estimate | None) -> int:
    return 0 if e is None else int(e.low > 0) - int(e.high < 0)


def details(estimates: pd.DataFrame, side: Side, bases: Bases) -> Iterator[tuple[str, str]]:
    """The numbers behind `summary`, each paragraph with its heading."""
    opposed, agree, points, relief = (
        spoken(estimates, measure, side, bases)
        for measure in ("tails_opposed", "tails_agree", "token_tail_against_sets", "token_tail_relief")
    )
    yield (
        "With or against.",
        f"With {side.label}, {tokens_in_words(side)}, the tokens and the payment of the sets go to different "
        f"players in {shares_at(opposed)} sets, and to the same in {shares_at(agree)} sets. On average the "
        f"tokens bring the player with more sets {points_at(points)}.",
    )
    yield (
        "Who wins.",
        "By so much the tokens lower the share of matches whose winner the tail of sets changes (below nought: "
        f"raise it): {numbers_at(relief)}.",
    )
    before, after, order = (
        spoken(estimates, measure, side, bases)
        for measure in ("tokens_with_sets", "tokens_with_sets_paid_first", "paid_first_changes_owner")
    )
    yield (
        "If the sets were paid first.",
        f"The player with more sets takes the tokens in {shares_at(before)} sets in which one has more; were the "
        f"sets paid first, in {shares_at(after)}. That order would give the tokens to another in "
        f"{shares_at(order)} sets.",
    )
    at_usual = {words: own_at(estimates, measure, side, bases, USUAL) for measure, words in EFFECTS.items()}
    said = [f"{words} in {number(e.mean, e.unit)}" for words, e in at_usual.items() if e]
    if said:
        yield (
            "What they do to the result.",
            f"Against no tokens, at {USUAL} sets: {in_words(said)} of matches.",
        )


def tokens_in_words(side: Side) -> str:
    """`2 tokens a set`."""
    return token_words(side.tokens_per_set or 0)


def numbers_at(found: Sequence[Estimate]) -> str:
    """`−0.20 % at 4 sets and −1.50 % at 8 sets`."""
    return in_words([f"{number(e.mean, e.unit)} at {e.sets} sets" for e in found])


def points_at(found: Sequence[Estimate]) -> str:
    """Points counted for the other player than the estimates count: `3.96 points at 4 sets`."""
    return in_words([f"{number(-e.mean, e.unit)} points at {e.sets} sets" for e in found])


def offset_table(estimates: pd.DataFrame, shown: Sequence[Side], bases: Bases) -> Table:
    """Opposite signs, mean and relief at a few lengths, for every pair of players."""
    asked = (
        ("tails_opposed", "to different players"),
        ("token_tail_against_sets", "points for him with fewer sets"),
        ("token_tail_relief", "winner changes taken back"),
    )
    rows = [
        (
            Cell(f"{words}, {length} sets"),
            *(printed_or_empty(own_at(estimates, measure, side, bases, length)) for side in shown),
        )
        for measure, words in asked
        for length in LENGTHS
    ]
    caption = f"The tail of tokens beside the payment of the sets, {tokens_in_words(shown[0])}"
    return Table(
        ("", *(side.label for side in shown)), tuple(rows), f"{caption}; beneath, its 95\u202f% interval"
    )


DRAWN = (
    (
        "opposed",
        "tails_opposed",
        "The tokens and the sets go to different players",
        "Share of matches in which the tail of tokens goes to one player and the payment of the sets to the "
        "other.",
    ),
    (
        "relief",
        "token_tail_relief",
        "What the tokens take back",
        "By how much the tail of tokens lowers the share of matches whose winner the tail of sets changes; below "
        "nought it raises it.",
    ),
)
"""Key, measure, title and caption of the figures that show a line for each pair of players."""


def curves(
    estimates: pd.DataFrame,
    shown: Sequence[Side],
    bases: Bases,
    key: str,
    measure: str,
    title: str,
    caption: str,
) -> Figure:
    """A number by sets, a line for each pair of players, by the first rule set's own tokens."""
    series = {side.label: own(estimates, measure, side, bases) for side in shown}
    with canvas(1, 3.2) as (figure, (axes,)):
        for beside, (label, found) in dodged(series):
            draw_line(axes, found, label, **beside)
        label_axes(axes, "% of matches", ticks_of(series.values()))
        legend_above(figure, axes)
        svg = render(figure, key, f"Line chart: {title}.")
    return Figure(
        key,
        title,
        f"{caption} {shown[0].rules}, {tokens_in_words(shown[0])}.",
        svg,
        (by_sets(series),),
    )


def order_curves(estimates: pd.DataFrame, every: Sequence[Side], bases: Bases) -> Figure:
    """How often the player with more sets has the tokens, by the order of payment, under each rule set."""
    pair = [
        side for side in every if (side.player_1, side.player_2) == (every[0].player_1, every[0].player_2)
    ]
    orders = {"tokens_with_sets": "tokens first", "tokens_with_sets_paid_first": "sets first"}
    found = {
        f"{side.rules}, {words}": own(estimates, measure, side, bases)
        for measure, words in orders.items()
        for side in pair
    }
    with canvas(1, 3.8) as (figure, (axes,)):
        for (name, line), style in zip(
            found.items(), (*LINES[: len(pair)], *LINES[: len(pair)]), strict=True
        ):
            rules, _, words = name.partition(", ")
            first = words == "tokens first"
            marks = {**style, "fillstyle": "full" if first else "none"}
            draw_line(axes, line, rules if first else "_", marks)  # one name for both lines of a rule set
        axes.plot([], [], color=INK, marker="o", fillstyle="none", linestyle="", label="open: the sets first")
        label_axes(axes, "% of matches", ticks_of(found.values()))
        legend_above(figure, axes)
        svg = render(
            figure, "order", "Line chart: who has the tokens, by the order of payment.", from_nought=False
        )
    return Figure(
        "order",
        "Tokens before the sets, or after",
        "Share of the matches with a sets winner in which he takes the tokens, if they are paid before the sets "
        "as the rules say (full marks), and if they were paid after (open marks). Every rule set by its own "
        f"tariff, {every[0].player_1} against {every[0].player_2}.",
        svg,
        (by_sets(found),),
    )


def sections(result: ExperimentResult, every: Sequence[Side], bases: Bases) -> Iterator[Section]:
    """The tables of what tokens do to the result, of the other tariffs, and of the readings."""
    estimates = result.estimates
    question = _question(result)
    by_pair: dict[str, list[Side]] = {}
    for side in every:
        by_pair.setdefault(f"{side.player_1} against {side.player_2}", []).append(side)
    yield Section(
        key="effects",
        title="A fish more, a fish less, another winner",
        text=(
            "The same matches settled with tokens and without, by the result that is paid: rounded where the rule "
            "set rounds. A winner counts as another where the sign of the exact result differs.",
        ),
        groups=tuple(
            (pair, tuple(effect_table(estimates, side, bases, question.tokens) for side in here))
            for pair, here in by_pair.items()
        ),
    )
    yield Section(
        key="tariffs",
        title="Under every tariff",
        text=(
            "Each rule set by its own tokens and its own reading of who is ahead. "
            f"{same_words(result.same)}All meet the same dice.".strip(),
        ),
        groups=tuple((pair, tuple(tariff_tables(estimates, here, bases))) for pair, here in by_pair.items()),
    )
    yield Section(
        key="readings",
        title="Who is ahead, and what if nobody is",
        text=(
            "Two readings of who is ahead, against each other: more points from the sets, or more jetons in "
            "hand once those for lost sets are laid out. Then how often nobody is ahead, so that the tokens are "
            f"shared, and what sharing does against nobody having them. All at {USUAL} sets.",
        ),
        groups=tuple(
            (pair, tuple(reading_table(estimates, side, question) for side in here))
            for pair, here in by_pair.items()
        ),
    )


def effect_table(estimates: pd.DataFrame, side: Side, bases: Bases, tokens: Sequence[int]) -> Table:
    """What one token and two do to the result, at a few lengths."""
    rows = []
    for per_set in tokens:
        for measure, words in EFFECTS.items():
            found = choose(estimates, measure, side, tokens_per_set=per_set, detail=bases[side.rules].value)
            here = {e.sets: e for e in found}
            cells = (printed_or_empty(here.get(length)) for length in LENGTHS)
            rows.append((Cell(words, token_words(per_set)), *cells))
    return Table(("", *(f"{length} sets" for length in LENGTHS)), tuple(rows), side.rules)


def tariff_tables(estimates: pd.DataFrame, shown: Sequence[Side], bases: Bases) -> Iterator[Table]:
    """One row per rule set: different players at a few lengths, then the other numbers at the usual length."""
    heads = [Cell(side.rules, f"{tokens_in_words(side)}, {AHEAD[bases[side.rules]]}") for side in shown]
    rows = [
        (head, *(printed_or_empty(own_at(estimates, "tails_opposed", side, bases, k)) for k in LENGTHS))
        for head, side in zip(heads, shown, strict=True)
    ]
    yield Table(
        ("rules", *(f"{k} sets" for k in LENGTHS)),
        tuple(rows),
        "Share of matches in which tokens and sets go to different players",
    )
    asked = (
        ("token_tail_against_sets", "points for him with fewer sets"),
        ("token_tail_relief", "winner changes taken back"),
        ("paid_first_changes_owner", "tokens to another if the sets are paid first"),
        ("paid_first_changes_winner", "another winner in that order"),
        ("winner_differs", "another winner than without tokens"),
    )
    rows = [
        (
            Cell(side.rules),
            *(printed_or_empty(own_at(estimates, measure, side, bases, USUAL)) for measure, _ in asked),
        )
        for side in shown
    ]
    yield Table(("rules", *(words for _, words in asked)), tuple(rows), f"At {USUAL} sets")


def reading_table(estimates: pd.DataFrame, side: Side, question: TailOfTokens) -> Table:
    """What the two readings and the sharing of a tie do, at the usual length."""
    rows = []
    for tokens, basis in question.readings:
        found = (
            choose(estimates, measure, side, tokens_per_set=tokens, detail=basis.value)
            for measure in (
                "basis_changes_owner",
                "basis_changes_winner",
                "nobody_ahead",
                "tie_changes_winner",
            )
        )
        cells = (printed_or_empty(next((e for e in line if e.sets == USUAL), None)) for line in found)
        rows.append((Cell(AHEAD[basis], token_words(tokens)), *cells))
    return Table(
        (
            "ahead is he with",
            "another has the tokens by the other reading",
            "another wins by it",
            "nobody is ahead",
            "another wins if nobody then has the tokens",
        ),
        tuple(rows),
        side.rules,
    )


def design(result: ExperimentResult) -> Iterator[tuple[str, str]]:
    """How the numbers were made, as terms and their explanation."""
    question = _question(result)
    yield "lengths", f"{in_words(question.lengths)} sets; the first sets of the long match are the shorter"
    yield "tokens", f"{in_words(question.tokens)} for a lost set, each against none, by both readings"
    yield (
        "pairing",
        "each match is played once and settled many times, so a difference between two settlements is due to the "
        "settlement alone",
    )


def _question(result: ExperimentResult) -> TailOfTokens:
    question: TailOfTokens = result.experiment.analysis  # type: ignore[assignment]
    return question
