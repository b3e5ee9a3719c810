"""What the tails do: the short answer, the figures and the tables of the question `TailsOfSets`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from simkit.analysis.words import count, in_words, lengths_in_words, number, span, within
from simkit.report.figures import (
    BLUE,
    DOTS,
    INK,
    LINES,
    ORANGE,
    SKY,
    Figure,
    canvas,
    dodged,
    draw_line,
    draw_reference,
    label_axes,
    legend_above,
    per_side,
    render,
    ticks_of,
)
from simkit.report.numbers import (
    Cell,
    Estimate,
    Side,
    Table,
    by_sets,
    capital,
    choose,
    printed,
    printed_or_empty,
    sides,
)
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from simkit.analysis.tails import TailsOfSets
    from simkit.experiment import ExperimentResult

LENGTHS = (4, 8, 12, 24)
"""Numbers of sets in the small tables; the figures show them all."""
SPOKEN = (4, 8, 24)
"""Numbers of sets spoken of in words, and those whose results with the tail are set against those without."""
SHORT, USUAL = 4, 8
"""The short match asked about, and the one it is compared with."""
STACK: tuple[tuple[str, str, str, str], ...] = (
    ("variance_set_points", "points of the sets", "#DDEBF4", ""),
    ("variance_token_tail", "tail of tokens", SKY, "...."),
    ("variance_paris", "4 per set won", ORANGE, "////"),
    ("variance_tail_of_sets", "tail of sets", BLUE, ""),
)

LIMITS = (
    "The effect shown is mechanical: the same play is settled with and without the tail. The players do not "
    "know the settlement and never play for the tail. Players who know it might end sets sooner or later "
    "than these do.",
    "A shorter match is the beginning of a longer one, which is exact for players who do not look at the "
    "number of sets left; these do not.",
    "The dotted curves belong to sets that do not know of one another: each won by the toss of a coin, its "
    "value drawn from all the sets of these players. Where a curve lies further from its dotted one than "
    "chance explains, the sets of a match do depend on one another.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    first = result.estimates["rules"] == result.rules[0].name
    estimates = result.estimates.loc[first]
    shown = sides(result.rules[:1], estimates)
    return Answer(
        summary=summary(estimates, shown),
        details=tuple(details(estimates, shown)),
        words=tuple(pair_words(estimates, shown)),
        tables=(answer_table(estimates, shown),),
        figures=(*all_figures(estimates, shown), *filter(None, [tariff_curves(result)])),
        sections=(
            Section(
                key="crosstables",
                title="Who wins with and without the tail",
                text=(
                    "Each match was played once and settled twice. Rows: the result without the tail of sets. "
                    "Columns: the result with it. Beneath each share stands the number of matches. The result "
                    "changes in those that are not on the diagonal from the upper left to the lower right.",
                ),
                groups=tuple((side.label, tuple(cross_tables(estimates, side))) for side in shown),
            ),
            Section(
                key="skill",
                title="What changes with skill",
                text=(skill_words(estimates, shown),),
                groups=(("", (skill_table(estimates, shown),)),),
            ),
            *tariffs(result),
        ),
        design=tuple(design(result)),
        limits=LIMITS,
    )


def design(result: ExperimentResult) -> Iterator[tuple[str, str]]:
    """How the numbers were made, as terms and their explanation."""
    question: TailsOfSets = result.experiment.analysis  # type: ignore[assignment]
    yield "lengths", f"{in_words(question.lengths)} sets; the first sets of the long match are the shorter"
    varied = {
        name: sorted({int(value) for value in result.estimates[column].dropna()})
        for name, column in (("tail of sets", "tail_of_sets"), ("tokens per set", "tokens_per_set"))
    }
    settlements = [f"{name} {in_words(values)}" for name, values in varied.items() if values]
    yield "settlements", f"{'; '.join(settlements)}; all of the same play"
    yield (
        "pairing",
        "each match is played once and settled many times, so a difference between two settlements is due "
        "to the settlement alone; all pairs of players meet the same dice, place by place",
    )


def tariffs(result: ExperimentResult) -> Iterator[Section]:
    """The main numbers of every rule set in few tables, where there are several."""
    names = [rules.name for rules in result.rules if rules.name not in result.same]
    if len(names) < 2:
        return
    text = (
        f"All that is said above is said of {names[0]}. It stands first in the tables; the others are settled "
        f"each by its own tariff. {same_words(result.same)}All meet the same dice; where rules of play differ, "
        "other matches come of them."
    )
    by_pair: dict[str, list[Side]] = {}
    for side in sides(result.rules, result.estimates):
        by_pair.setdefault(f"{side.player_1} against {side.player_2}", []).append(side)
    groups = tuple((pair, tuple(tariff_tables(result.estimates, here))) for pair, here in by_pair.items())
    yield Section(key="tariffs", title="By the other tariffs", text=(text,), groups=groups)


def same_words(same: Mapping[str, str]) -> str:
    """`The numbers of ecrire_guiton are also those of ecrire_jl1852. `"""
    others: dict[str, list[str]] = {}
    for name, first in same.items():
        others.setdefault(first, []).append(name)
    return "".join(
        f"The numbers of {first} are also those of {in_words(names)}. " for first, names in others.items()
    )


def tariff_curves(result: ExperimentResult) -> Figure | None:
    """The tail curve of every rule set, for the first pair of players."""
    shown = sides(result.rules, result.estimates)
    shown = [s for s in shown if (s.player_1, s.player_2) == (shown[0].player_1, shown[0].player_2)]
    series = {side.rules: choose(result.estimates, "winner_changes", side) for side in shown}
    if len(series) < 2:
        return None
    with canvas(1, 3.4) as (figure, (axes,)):
        for beside, (label, found) in dodged(series):
            draw_line(axes, found, label, **beside)
        label_axes(axes, "winner changes, % of matches", ticks_of(series.values()))
        legend_above(figure, axes)
        svg = render(figure, "tariff-curves", "Line chart: the tail curve of every rule set.")
    return Figure(
        "tariff-curves",
        f"The {tail_words(shown)} under each tariff",
        f"The share of figure 1 under every rule set, {shown[0].player_1} against {shown[0].player_2}.",
        svg,
        (by_sets(series),),
    )


def tariff_tables(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[Table]:
    """One row per rule set: winner changes by number of sets, then the other numbers at the usual length."""
    rows = [
        (
            Cell(side.rules, token_words(side.tokens_per_set or 0)),
            *(printed_or_empty(at(estimates, "winner_changes", side, k)) for k in LENGTHS),
        )
        for side in shown
    ]
    heads = ("rules", *(f"{k} sets" for k in LENGTHS))
    yield Table(heads, tuple(rows), f"Share of matches whose winner changes with the {tail_words(shown)}")
    asked = (
        ("winner_changes_ratio", SHORT, f"winner changes at {SHORT} sets, times those at {USUAL}"),
        (
            "variance_tail_of_sets_ratio",
            SHORT,
            f"the tail's share of the variance at {SHORT}, times that at {USUAL}",
        ),
        ("token_tail_relief", USUAL, f"winner changes taken back by the tokens, {USUAL} sets"),
        ("leader_loses", USUAL, f"leader loses when the sets are paid, {USUAL} sets"),
        ("mean_abs_exact", USUAL, f"mean size of the result, points, {USUAL} sets"),
    )
    rows = [
        (Cell(side.rules), *(printed_or_empty(at(estimates, measure, side, k)) for measure, k, _ in asked))
        for side in shown
    ]
    yield Table(("rules", *(words for _, _, words in asked)), tuple(rows), "Other numbers")


def summary(estimates: pd.DataFrame, shown: Sequence[Side]) -> str:
    """The answer in two sentences, by the first pair of players: who wins, and how much of the money."""
    if not shown or not choose(estimates, "winner_changes", shown[0]):
        return "Nothing was estimated."
    who, money = directions(estimates, shown[0])
    ratio = at(estimates, "variance_tail_of_sets_ratio", shown[0], SHORT)
    share = f"its share of what is won and lost is {number(ratio.mean, ratio.unit)} times" if ratio else ""
    wins = {
        1: f"yes, more: it changes the winner of a match of {SHORT} sets more often than of the usual one of "
        f"{USUAL}.",
        -1: f"no: it changes the winner of a match of {SHORT} sets less often than of the usual one of "
        f"{USUAL}.",
        0: f"that cannot be told from these matches: no difference between matches of {SHORT} and of {USUAL} "
        "sets stands out from chance.",
    }[who]
    part = {
        1: f"it weighs more there: {share} that at {USUAL} sets; whether that is too much is a judgement and "
        "not a count.",
        -1: f"no: {share} that at {USUAL} sets.",
        0: f"no difference between {SHORT} and {USUAL} sets stands out from chance.",
    }[money]
    return f"Does the tail of sets weigh too much in a short match? By who wins, {wins} By the money, {part}"


def details(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[tuple[str, str]]:
    """The numbers behind `summary`, each paragraph with its heading; the other players agree with it or not.

    Parameters
    ----------
    estimates : pandas.DataFrame
        The table of a run.
    shown : sequence of Side
        Rule sets and players; the first is spoken of.
    """
    for side in shown[:1]:
        if choose(estimates, "winner_changes", side):
            yield "Who wins.", who_wins(estimates, side)
            yield "Who the winner is.", winner_words(estimates, side)
            if at(estimates, "variance_tail_of_sets", side, USUAL):
                yield "How much of the money.", how_much(estimates, side)
            yield "How sure.", how_sure(estimates, side, shown[1:])


def who_wins(estimates: pd.DataFrame, side: Side) -> str:
    """How often the tail changes the winner, and at which lengths least and most often."""
    found = choose(estimates, "winner_changes", side)
    every = [e.sets for e in found]
    least, most = min(found, key=lambda e: e.mean), max(found, key=lambda e: e.mean)
    rarest, commonest = (
        lengths_in_words([e.sets for e in found if e.mean == end.mean], every) for end in (least, most)
    )
    seldom = number(least.mean, least.unit) if least.mean else "never"
    return (
        f"With {side.label}, the {tail_words([side])} changes the winner in "
        f"{shares_at([e for e in found if e.sets in SPOKEN] or found)} sets. It did so least often at "
        f"{rarest} sets ({seldom}) and most often at {commonest} sets ({number(most.mean, most.unit)})."
    )


def how_much(estimates: pd.DataFrame, side: Side) -> str:
    """How much of the spread of the result comes from the tail, beside the mean size of the result."""
    shares, sizes = (
        [e for e in choose(estimates, measure, side) if e.sets in SPOKEN]
        for measure in ("variance_tail_of_sets", "mean_abs_exact")
    )
    said = [f"{number(e.mean, e.unit)} at {e.sets} sets" for e in shares]
    text = (
        "Results differ from match to match. Of that spread (the variance of the result) the tail accounts "
        f"for {in_words(said)}."
    )
    if falls(estimates, side):
        text += " The shorter the match, the larger its share."
    if sizes:
        points = [f"{number(e.mean, e.unit)} points at {e.sets} sets" for e in sizes]
        text += (
            f" For comparison: the tail is {side.tail_of_sets} points, and the mean size of the result is "
            f"{in_words(points)}."
        )
    return text


def how_sure(estimates: pd.DataFrame, side: Side, others: Sequence[Side]) -> str:
    """The intervals behind the two answers, whether other players agree, and what chance does not cover."""
    text = f"These are numbers of {count(choose(estimates, 'winner_changes', side)[0].n)} matches."
    wins, share = (
        times(at(estimates, measure, side, SHORT))
        for measure in ("winner_changes_ratio", "variance_tail_of_sets_ratio")
    )
    if wins:
        text += f" At {SHORT} sets the tail changes the winner {wins} as often as at {USUAL} sets."
    if share:
        text += f" Its share of the spread is {share} that at {USUAL} sets."
    same = [other.label for other in others if directions(estimates, other) == directions(estimates, side)]
    unlike = [other.label for other in others if other.label not in same]
    text += f" The directions are the same with {in_words(same)}." if same else ""
    text += f" They are others, or not certain, with {in_words(unlike)}." if unlike else ""
    return (
        f"{text} The intervals cover chance. They do not cover players better than these programs, nor "
        "players who play for the tail."
    )


def times(e: Estimate | None) -> str:
    """A ratio with its interval, or nothing."""
    if e is None or math.isnan(e.low):
        return ""
    shown = within(e.mean, e.low, e.high, e.unit)
    return f"{shown} times (95\u202f% interval {span(e.mean, e.low, e.high, e.unit)})"


def directions(estimates: pd.DataFrame, side: Side) -> tuple[int, int]:
    """The signs of both answers."""
    return (
        trend(estimates, "winner_changes_ratio", side),
        trend(estimates, "variance_tail_of_sets_ratio", side),
    )


def trend(estimates: pd.DataFrame, measure: str, side: Side) -> int:
    """Whether a ratio of the short match to the usual one lies above 1 (1), below (-1), or cannot be told."""
    e = at(estimates, measure, side, SHORT)
    return 0 if e is None else int(e.low > 1) - int(e.high < 1)


def falls(estimates: pd.DataFrame, side: Side) -> bool:
    """Whether the tail's share of the variance is smaller at every longer match."""
    shares = [e.mean for e in choose(estimates, "variance_tail_of_sets", side)]
    return all(one > two for one, two in pairwise(shares))


def at(estimates: pd.DataFrame, measure: str, side: Side, sets: int) -> Estimate | None:
    """A measure at one number of sets."""
    return next((e for e in choose(estimates, measure, side) if e.sets == sets), None)


def winner_words(estimates: pd.DataFrame, side: Side) -> str:
    """What a winner is, and what the result by rounded money would make of it."""
    text = (
        "It is the player to whom the exact result is due, before rounding, be it by one point; a result of "
        "nought is a draw, and a change from or to a draw counts."
    )
    found = [e for e in choose(estimates, "winner_changes_rounded", side) if e.sets in SPOKEN]
    if side.round_unit and found:
        text += (
            f" Paid is the result rounded to {unit_words([side])}, which can leave nothing of a small one. "
            f"Counted by that money, the winner changes in {shares_at(found)} sets."
        )
    return text


def shares_at(found: Sequence[Estimate]) -> str:
    """`0.75 %, 3.60 % and 3.30 % of matches of 4, 8 and 24`."""
    shares = in_words([number(e.mean, e.unit) for e in found])
    return f"{shares} of matches of {in_words([e.sets for e in found])}"


def pair_words(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[str]:
    """The pairs of players after the first, in a line each."""
    for side in shown[1:]:
        changes, shares = (
            [e for e in choose(estimates, measure, side) if e.sets in SPOKEN]
            for measure in ("winner_changes", "variance_tail_of_sets")
        )
        if changes:
            text = f"{capital(side.label)}: the winner changes in {shares_at(changes)} sets"
            if shares:
                spread = in_words([number(e.mean, e.unit) for e in shares])
                text += f"; the tail accounts for {spread} of the spread of the result"
            yield f"{text}."


def answer_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """Winner changes with their intervals at a few lengths, by the exact and by the rounded result."""
    exact = [choose(estimates, "winner_changes", side) for side in shown]
    rounded = [choose(estimates, "winner_changes_rounded", side) if side.round_unit else [] for side in shown]
    rows = []
    for length in LENGTHS:
        for words, series in ((str(length), exact), (f"{length}, in {unit_words(shown)}", rounded)):
            here = [next((e for e in line if e.sets == length), None) for line in series]
            if any(here):
                rows.append((Cell(words), *(printed(e) if e else Cell("") for e in here)))
    played = [count(line[0].n) if line else "" for line in exact]
    caption = f"Share of matches whose winner changes with the {tail_words(shown)}, by the exact result"
    caption += f" and by the result in {unit_words(shown)}" if any(rounded) else ""
    return Table(
        ("sets", *(side.label for side in shown)),
        (*rows, (Cell("matches"), *map(Cell, played))),
        f"{caption}; beneath, its 95\u202f% interval",
    )


def cross_tables(estimates: pd.DataFrame, side: Side) -> list[Table]:
    """Results without the tail against results with it, as shares with counts, at a few lengths."""
    results = {"1": "player 1 wins", "draw": "draw", "2": "player 2 wins"}
    columns = ("without the tail", *(f"{words} with it" for words in results.values()))
    found = {
        (row, column): {e.sets: e for e in choose(estimates, f"outcome_{row}_{column}", side)}
        for row in results
        for column in results
    }
    tables = []
    for length in (k for k in SPOKEN if k in found["1", "1"]):
        rows = []
        for row, words in results.items():
            shares = [found[row, column][length] for column in results]
            cells = (Cell(number(e.mean, e.unit), count(e.mean * e.n), e.mean) for e in shares)
            rows.append((Cell(words), *cells))
        tables.append(Table(columns, tuple(rows), f"{length} sets"))
    return tables


def skill_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """The main numbers of each pair of players side by side, and how far the others are from the first."""
    asked = (
        ("winner_changes", "winner changes with the tail", LENGTHS),
        ("leader_loses", "leader on points loses when the sets are paid", (8,)),
        ("variance_tail_of_sets", "share of variance due to the tail of sets", (8,)),
        ("mean_abs_exact", "mean size of the result, points", (8,)),
        ("draw", "drawn matches", (8,)),
    )
    columns = [(side.label, "", side) for side in shown]
    columns += [(f"{side.label}: difference from the first pair", "_by_skill", side) for side in shown[1:]]
    rows = []
    for measure, words, lengths in asked:
        found = [{e.sets: e for e in choose(estimates, measure + end, side)} for _, end, side in columns]
        for length in lengths:
            if all(length in series for series in found):
                cells = (printed(series[length]) for series in found)
                rows.append((Cell(f"{words}, {length} sets"), *cells))
    return Table(("", *(heading for heading, _, _ in columns)), tuple(rows))


def skill_words(estimates: pd.DataFrame, shown: Sequence[Side]) -> str:
    """In which direction the share of winner changes moves from the first pair of players to the others."""
    if len(shown) < 2:
        return "There is only one pair of players; nothing can be said on skill."
    sentences = []
    for side in shown[1:]:
        found = [e for e in choose(estimates, "winner_changes_by_skill", side) if e.sets in LENGTHS]
        by_words = {
            "more often": [e.sets for e in found if e.low > 0],
            "less often": [e.sets for e in found if e.high < 0],
        }
        clear = [f"{words} at {in_words(sets)} sets" for words, sets in by_words.items() if sets]
        unclear = [e.sets for e in found if not (e.low > 0 or e.high < 0)]
        said = [f"the tail changes the winner {' and '.join(clear)}"] if clear else []
        if unclear:
            said.append(f"no difference can be told from chance at {in_words(unclear)} sets")
        if said:
            sentences.append(f"With {side.label}, compared with {shown[0].label}, {'; '.join(said)}.")
    return " ".join(sentences)


def all_figures(estimates: pd.DataFrame, shown: Sequence[Side]) -> tuple[Figure, ...]:
    """Every figure whose measure the run has, the tail curve first.

    Parameters
    ----------
    estimates : pandas.DataFrame
        The table of a run.
    shown : sequence of Side
        Rule sets and players to draw, four at most in one panel.
    """
    drawn = (draw(estimates, shown) for draw in DRAWN)
    return tuple(figure for figure in drawn if figure is not None)


def tail_curve(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure | None:
    """How often the tail of sets changes the winner, by number of sets and players, beside tossed sets."""
    series = per_side(estimates, "winner_changes", shown)
    tossed = per_side(estimates, "winner_changes_tossed", shown)
    if not series:
        return None
    with canvas(1, 3.4) as (figure, (axes,)):
        for beside, (label, found) in dodged(series):
            draw_line(axes, found, label, **beside)
        for style, found in zip(LINES, tossed.values(), strict=False):
            draw_reference(axes, found, style["color"])
        label_axes(axes, "winner changes, % of matches", ticks_of(series.values()))
        if tossed:
            axes.plot([], [], color=INK, linestyle=DOTS, label="the same, sets tossed")
        legend_above(figure, axes)
        svg = render(
            figure, "tail-curve", f"Line chart: how often the {tail_words(shown)} changes the winner."
        )
    columns = series | {f"{label}, sets tossed": found for label, found in tossed.items()}
    tables = [by_sets(columns, "By the exact result")]
    rounded = per_side(estimates, "winner_changes_rounded", [side for side in shown if side.round_unit])
    if rounded:
        tables.append(by_sets(rounded, f"By the result rounded to {unit_words(shown)}"))
    reference = (
        " Dotted: the same share if every set were won by the toss of a coin, its value drawn from all the "
        "sets of these players. It is exact for the values seen, which are a sample."
    )
    return Figure(
        "tail-curve",
        f"How often the {tail_words(shown)} changes the winner",
        "Share of matches whose winner with the tail of sets differs from the winner of the same match "
        "without it, against the number of sets. The winner is he to whom the exact result is due, before "
        "rounding; a drawn match counts as a result of its own. Bars are 95\u202f% intervals, often smaller than "
        "the mark." + (reference if tossed else ""),
        svg,
        tuple(tables),
    )


def size_of_tail(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure | None:
    """The same share against the size of the tail, at a few lengths, a panel for each pair of players."""
    of_measure = estimates.loc[estimates["measure"] == "winner_changes"]
    tails = sorted({int(tail) for tail in of_measure["tail_of_sets"]})
    lengths = [k for k in (4, 8, 12, 24) if k in set(of_measure["sets"])]
    if len(tails) < 2 or not lengths:
        return None
    tables = []
    with canvas(len(shown), 2.4) as (figure, panels):
        for axes, side in zip(panels, shown, strict=True):
            by_tail = {tail: choose(of_measure, "winner_changes", side, tail_of_sets=tail) for tail in tails}
            for style, length in zip(LINES, lengths, strict=False):
                line = [(tail, e) for tail, series in by_tail.items() for e in series if e.sets == length]
                axes.plot([0, line[0][0]], [0, 100 * line[0][1].mean], color=style["color"], linewidth=0.7)
                draw_line(axes, [e for _, e in line], f"{length} sets", style, x=[tail for tail, _ in line])
            axes.set_title(side.label, loc="left", style="italic")
            label_axes(axes, "winner changes, %", [0, *tails], x="tail of sets, points")
            series = {f"tail of {tail}": found for tail, found in by_tail.items()}
            tables.append(by_sets(series, side.label))
        legend_above(figure, panels[0])
        svg = render(figure, "size-of-tail", "Line charts: how often tails of other sizes change the winner.")
    return Figure(
        "size-of-tail",
        "A smaller or a larger tail",
        "The same share for tails of other sizes, each compared with no tail at all, in matches of "
        f"{in_words(lengths)} sets. Without a tail it is nought by definition.",
        svg,
        tuple(tables),
    )


def variance_shares(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure | None:
    """What the spread of the result consists of, stacked, by number of sets."""
    found = {
        side: {label: choose(estimates, measure, side) for measure, label, _, _ in STACK} for side in shown
    }
    found = {side: series for side, series in found.items() if all(series.values())}
    if not found:
        return None
    with canvas(len(found), 2.5) as (figure, panels):
        for axes, (side, series) in zip(panels, found.items(), strict=True):
            draw_stack(axes, series)
            axes.set_title(side.label, loc="left", style="italic")
            label_axes(axes, "share of variance, %", ticks_of(series.values()))
        legend_above(figure, panels[0], reverse=True)
        svg = render(figure, "variance", "Stacked bars: parts of the variance of the final result.")
    return Figure(
        "variance",
        "What the spread of the result is made of",
        "Results differ from match to match; how much of that spread (the variance of the exact result) "
        "comes from each part of the settlement. The parts add up to the whole. The share of a part is its "
        "covariance with the result, divided by the variance of the result; it is below nought where the "
        "part mostly works against the rest.",
        svg,
        tuple(by_sets(series, side.label) for side, series in found.items()),
    )


def leader_loses(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure | None:
    """How often the leader on points before the payment of the sets is not the winner after it."""
    series = per_side(estimates, "leader_loses", shown)
    with_draws = per_side(estimates, "leader_overturned", shown)
    if not series:
        return None
    with canvas(1, 3.0) as (figure, (axes,)):
        for beside, (label, found) in dodged(series):
            draw_line(axes, found, label, **beside)
        label_axes(axes, "leader loses, % of matches", ticks_of(series.values()))
        legend_above(figure, axes)
        svg = render(figure, "leader", "Line chart: how often the payment of the sets overturns the leader.")
    columns = series | {f"{label}, draws counted": found for label, found in with_draws.items()}
    return Figure(
        "leader",
        "The leader on points loses when the sets are paid",
        "Share of matches in which the player ahead on points and tokens, before the sets are paid, has "
        "lost after the payment. In the table also the share in which the result is any other than before, "
        "draws counted.",
        svg,
        (by_sets(columns),),
    )


def tail_of_tokens(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure | None:
    """How much of the effect the tail of tokens takes back, a panel for each pair of players."""
    of_measure = estimates.loc[estimates["measure"] == "winner_changes"]
    tokens = sorted({int(number) for number in of_measure["tokens_per_set"]})
    if len(tokens) < 2:
        return None
    tables = []
    with canvas(len(shown), 2.4) as (figure, panels):
        for axes, side in zip(panels, shown, strict=True):
            series = {
                token_words(number): choose(of_measure, "winner_changes", side, tokens_per_set=number)
                for number in tokens
            }
            for beside, (label, line) in dodged(series):
                draw_line(axes, line, label, **beside)
            axes.set_title(side.label, loc="left", style="italic")
            label_axes(axes, "winner changes, %", ticks_of(series.values()))
            more = {
                "taken back by the tokens": choose(estimates, "token_tail_relief", side),
                "the two tails go to different players": choose(estimates, "tails_opposed", side),
            }
            tables.append(by_sets(series | {name: part for name, part in more.items() if part}, side.label))
        legend_above(figure, panels[0])
        svg = render(figure, "tokens", "Line charts: the tail curve with and without the tail of tokens.")
    return Figure(
        "tokens",
        "With and without the tail of tokens",
        f"Share of matches whose winner changes with the {tail_words(shown)}, when the leader on points "
        "also takes the tokens laid out for the sets, and when no tokens are laid out.",
        svg,
        tuple(tables),
    )


DRAWN = (tail_curve, size_of_tail, variance_shares, leader_loses, tail_of_tokens)
"""The figures in the order of the page."""


def tail_words(shown: Sequence[Side]) -> str:
    """`tail of 20`; without the number where rule sets differ."""
    tails = {side.tail_of_sets for side in shown}
    return f"tail of {tails.pop()}" if len(tails) == 1 else "tail of sets"


def unit_words(shown: Sequence[Side]) -> str:
    """`tens`; without the number where rule sets differ."""
    units = {side.round_unit for side in shown if side.round_unit}
    if len(units) != 1:
        return "whole units"
    unit = units.pop()
    return "tens" if unit == 10 else f"multiples of {unit}"


def token_words(number: int) -> str:
    """`no tokens`, `2 tokens a set`."""
    return {0: "no tokens", 1: "1 token a set"}.get(number, f"{number} tokens a set")


def draw_stack(axes: Axes, series: dict[str, list[Estimate]]) -> None:
    """Bars one upon another, negative parts below the line."""
    rising: dict[int, float] = {}
    falling: dict[int, float] = {}
    for (_, label, colour, hatch), part in zip(STACK, series.values(), strict=True):
        bottoms = []
        for e in part:
            heap = rising if e.mean >= 0 else falling
            bottoms.append(heap.get(e.sets, 0.0))
            heap[e.sets] = bottoms[-1] + 100 * e.mean
        axes.bar(
            [e.sets for e in part],
            [100 * e.mean for e in part],
            bottom=bottoms,
            width=1.5,
            label=label,
            color=colour,
            hatch=hatch,
            edgecolor=INK,
            linewidth=0.5,
        )
