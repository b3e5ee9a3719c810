"""The pools: the short answer, the figures and the tables of the question `Pools`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.pools import LONG, QUANTILES, Pools
from simkit.analysis.words import in_words, number
from simkit.report.by_pair import interval_words
from simkit.report.figures import DOTS, INK, LINES, Figure, canvas, legend_above, render
from simkit.report.numbers import Cell, Estimate, Side, Table, choose, printed_or_empty, sides, single
from simkit.report.page import Answer, Section
from simkit.rules import PoolFill, RuleSet

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

LIMITS = (
    "A place in line is a player's number: lots are not drawn anew. What is said of places holds for the line "
    "as it stands when play begins.",
    "The exact numbers know of the board only who wins a match, and of a draining pool the holes paid, taken as "
    "independent of everything before; those fitted take these from the matches played here.",
    "Nobody helps another with advice, and the players do not know their place; that those who wait share an "
    "interest is computed from the chain, not played.",
)
TIMINGS: Mapping[str, str] = {
    "_on_reentry": "antes on coming back",
    "_on_defeat": "antes at every defeat",
    "": "",
}


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    question = result.experiment.analysis
    assert isinstance(question, Pools)
    equal = [side for side in shown if single(estimates, "matches", side)]
    if not equal:
        return Answer(summary="Nothing was estimated.")
    kinds = {rules.name: rules for rules in result.rules}
    return Answer(
        summary=summary(estimates, equal, kinds),
        details=tuple(details(estimates, equal, kinds, question)),
        words_title="Length and inequality",
        tables=(overview(estimates, equal, result.rules[0].match.players),),
        figures=tuple(figures(estimates, equal, kinds, question)),
        sections=tuple(sections(estimates, shown, equal, kinds, question)),
        design=(
            (
                "a match",
                "one pool: the pool is the independent unit, however many matches two of its players play",
            ),
            (
                "equal players",
                "all players of a pool are the first of the pair; pools of the same number have the same dice "
                "under both ante rules, which settle the same play",
            ),
            (
                "a pair of two kinds",
                "the first player of the pair alone among the second's kind, in turn at every place",
            ),
        ),
        limits=LIMITS,
    )


def suffixes(rules: RuleSet) -> tuple[str, ...]:
    """The endings of measures that a rule set has: both ante rules, its own first; of a draining pool none."""
    if not isinstance(rules.match, PoolFill):
        return ("",)
    own = f"_{rules.match.settlement.fill_ante_timing.value}"
    return (own, *(one for one in TIMINGS if one not in (own, "")))


def by_place(estimates: pd.DataFrame, side: Side, measure: str, size: int) -> list[Estimate]:
    """A measure at every place of pools of one size."""
    found = (single(estimates, measure, side, f"{size} players, place {place + 1}") for place in range(size))
    return [one for one in found if one is not None]


# ---------------------------------------------------------------- words


def summary(estimates: pd.DataFrame, equal: Sequence[Side], kinds: Mapping[str, RuleSet]) -> str:
    """Last against first place under every rule set, by the first pair."""
    first = equal[0]
    parts = []
    for side in equal:
        if (side.player_1, side.player_2) != (first.player_1, first.player_2):
            continue
        match = kinds[side.rules].match
        measure = f"last_less_first{suffixes(kinds[side.rules])[0]}"
        found = single(estimates, measure, side, f"{match.players} players")
        if found is not None:
            parts.append(f"{signed(found)} under {side.rules}")
    return (
        f"In pools of four equal players ({first.player_1}) the last in line comes to so much more than the "
        f"first, in stakes: {in_words(parts)}."
        if parts
        else "No pool came to its end."
    )


def signed(one: Estimate) -> str:
    """`+0.12 (0.10 to 0.14)`."""
    return f"{'+' if one.mean > 0 else ''}{interval_words(one)}"


def details(
    estimates: pd.DataFrame, equal: Sequence[Side], kinds: Mapping[str, RuleSet], question: Pools
) -> Iterator[tuple[str, str]]:
    """Length, and the exact values, of the first side of each rule set."""
    for name in kinds:
        side = next((one for one in equal if one.rules == name), None)
        if side is None:
            continue
        lengths = []
        for size in question.sizes:
            mean = single(estimates, "matches", side, f"{size} players")
            evening = single(estimates, "evening", side, f"{size} players")
            if mean is not None and evening is not None:
                lengths.append(
                    f"with {size} players {interval_words(mean)} matches, and {interval_words(evening)} of pools "
                    "outlast an evening"
                )
        yield f"{kinds[name].title}.", f"{side.player_1}: {'; '.join(lengths)}."


# ---------------------------------------------------------------- figures


def figures(
    estimates: pd.DataFrame, equal: Sequence[Side], kinds: Mapping[str, RuleSet], question: Pools
) -> Iterator[Figure]:
    """What each place is worth, by size, a figure for each rule set; how long filling pools go on."""
    for name, rules in kinds.items():
        own = [side for side in equal if side.rules == name]
        if own:
            for suffix in suffixes(rules):
                yield place_figure(estimates, own[0], rules, suffix, question)
    filling = [side for side in equal if isinstance(kinds[side.rules].match, PoolFill)]
    if filling:
        yield survival_figure(estimates, filling[0], question)


def place_figure(estimates: pd.DataFrame, side: Side, rules: RuleSet, suffix: str, question: Pools) -> Figure:
    """Net by place: simulated with intervals, and the chain as a dotted line."""
    filling = isinstance(rules.match, PoolFill)
    chain = "_exact" if filling else "_fitted"
    words = f"{side.label}{f', {TIMINGS[suffix]}' if suffix else ''}"
    tables = []
    with canvas(1, 3.1) as (figure, (axes,)):
        for style, size in zip(LINES, question.sizes, strict=False):
            seen = by_place(estimates, side, f"net{suffix}", size)
            solved = by_place(estimates, side, f"net{suffix}{chain}", size)
            aside = 0.06 * (question.sizes.index(size) - (len(question.sizes) - 1) / 2)
            places = [place + 1 + aside for place in range(len(seen))]
            ends = [
                [max(0.0, one.mean - one.low) for one in seen],
                [max(0.0, one.high - one.mean) for one in seen],
            ]
            axes.errorbar(
                places,
                [one.mean for one in seen],
                yerr=ends,
                label=f"{size} players",
                capsize=1.8,
                elinewidth=0.8,
                **{**style, "linestyle": "none"},
            )
            axes.plot(
                range(1, len(solved) + 1), [one.mean for one in solved], color=style["color"], linestyle=DOTS
            )
            tables.append(place_table(estimates, side, suffix, size, filling=filling))
        axes.axhline(0.0, color=INK, linewidth=0.7)
        axes.set_xlabel("place in line")
        axes.set_ylabel("net in antes" if filling else "net in stakes")
        axes.set_xticks(range(1, max(question.sizes) + 1))
        legend_above(figure, axes)
        key = f"places-{side.rules}{suffix}".replace("_", "-")
        svg = render(figure, key, f"Net by place in line, {words}", from_nought=False)
    solved_words = (
        "the exact chain of players who win each match with one half"
        if filling
        else "the chain with the holes paid in these matches"
    )
    return Figure(
        key=key,
        title="What each place in line is worth",
        caption=f"{words}. Marks: simulated, with 95 % intervals; dotted: {solved_words}.",
        svg=svg,
        tables=tuple(tables),
    )


def survival_figure(estimates: pd.DataFrame, side: Side, question: Pools) -> Figure:
    """Unfinished filling pools after multiples of the mean length."""
    with canvas(1, 2.9) as (figure, (axes,)):
        for style, size in zip(LINES, question.sizes, strict=False):
            seen = unfinished(estimates, side, "unfinished", size)
            solved = unfinished(estimates, side, "unfinished_exact", size)
            axes.plot(LONG[: len(seen)], [100 * one.mean for one in seen], label=f"{size} players", **style)
            axes.plot(
                LONG[: len(solved)], [100 * one.mean for one in solved], color=style["color"], linestyle=DOTS
            )
        axes.set_xlabel("matches, in means of equal players")
        axes.set_ylabel("% of pools unfinished")
        axes.set_xticks(LONG)
        legend_above(figure, axes)
        svg = render(figure, "survival", f"Unfinished pools by length, {side.label}")
    return Figure(
        key="survival",
        title="How long filling pools go on",
        caption=f"{side.label}. Marks: simulated; dotted: the exact chain.",
        svg=svg,
        tables=(survival_table(estimates, side, question),),
    )


def unfinished(estimates: pd.DataFrame, side: Side, measure: str, size: int) -> list[Estimate]:
    """A measure at every length of pools of one size, in order of length."""
    found = [one for one in choose(estimates, measure, side) if one.detail.startswith(f"{size} players, ")]
    return sorted(found, key=lambda one: int(one.detail.split()[-2]))


# ---------------------------------------------------------------- tables


def overview(estimates: pd.DataFrame, equal: Sequence[Side], size: int) -> Table:
    """Length and inequality of pools of one size, under every rule set and pair."""
    measures = {
        "matches": "matches of two, mean",
        "matches_exact": "the same, exact for equal chances",
        "matches_fitted": "the same, the chain fitted",
        "evening": "pools that outlast an evening",
        "late": "pools with something left after the first round",
        "holes_paid": "holes paid in a match",
        "stays_wins": "matches won by who had stayed",
        "unequal": "inequality of takings, 1 if one takes all",
        "net_size": "root of the mean square of a net",
        "cut": "pools cut",
    }
    rows = tuple(
        (Cell(words), *(printed_or_empty(single(estimates, name, side, f"{size} players")) for side in equal))
        for name, words in measures.items()
        if any(single(estimates, name, side, f"{size} players") for side in equal)
    )
    return Table(("", *(side.label for side in equal)), rows, f"Pools of {size} players")


def place_table(estimates: pd.DataFrame, side: Side, suffix: str, size: int, *, filling: bool) -> Table:
    """Net by place, simulated and by the chain; of filling pools who wins."""
    columns = {f"net{suffix}": "simulated"}
    if filling:
        columns[f"net{suffix}_exact"] = "exact, chances one half"
    columns[f"net{suffix}_fitted"] = "chain fitted to the matches"
    if filling:
        columns |= {"wins": "pools won", "wins_exact": "pools won, exact"}
    rows = tuple(
        (
            Cell(f"place {place + 1}"),
            *(
                printed_or_empty(single(estimates, name, side, f"{size} players, place {place + 1}"))
                for name in columns
            ),
        )
        for place in range(size)
    )
    words = f", {TIMINGS[suffix]}" if suffix else ""
    return Table(("", *columns.values()), rows, f"{size} players{words}; nets in stakes")


def survival_table(estimates: pd.DataFrame, side: Side, question: Pools) -> Table:
    """Unfinished pools by length and size, simulated and exact."""
    rows = []
    for size in question.sizes:
        pairs = zip(
            unfinished(estimates, side, "unfinished", size),
            unfinished(estimates, side, "unfinished_exact", size),
            strict=True,
        )
        for seen, solved in pairs:
            rows.append((Cell(seen.detail), printed_or_empty(seen), printed_or_empty(solved)))
    return Table(("", "simulated", "exact"), tuple(rows), "Pools unfinished after so many matches")


def sections(
    estimates: pd.DataFrame,
    shown: Sequence[Side],
    equal: Sequence[Side],
    kinds: Mapping[str, RuleSet],
    question: Pools,
) -> Iterator[Section]:
    """Places by every rule; lengths; the interest of who waits; one player unlike the others."""
    yield Section(
        key="places",
        title="What each place in line is worth",
        text=(
            "Nets in stakes (of filling pools: antes) per pool. Exact: players who win each match with one half. "
            "Fitted: the same chain with the share of matches that the player won who had stayed at the board, or "
            "with the holes paid, as they were here.",
        ),
        groups=tuple(
            (
                side.label,
                tuple(
                    place_table(
                        estimates, side, suffix, size, filling=isinstance(kinds[side.rules].match, PoolFill)
                    )
                    for suffix in suffixes(kinds[side.rules])
                    for size in question.sizes
                ),
            )
            for side in equal
        ),
    )
    yield Section(
        key="lengths",
        title="How long pools are, and how large the pot",
        text=("Quantiles of the matches of two in a pool, and of the antes in the pot of a filling pool.",),
        groups=(
            *((f"{size} players", (overview(estimates, equal, size),)) for size in question.sizes),
            *((side.label, tuple(quantiles(estimates, side, question))) for side in equal),
        ),
    )
    filling = [side for side in equal if single(estimates, "advice_least_exact", side)]
    if filling:
        yield Section(
            key="interest",
            title="What those who wait have against the winner",
            text=(
                "What the defeat of the player who has won is worth to a waiting one, more than his next win, "
                "mean over the waiting places; solved for equal players with one ante of each in the pot, the "
                "least that can be there.",
            ),
            groups=(("", tuple(advice_table(estimates, side) for side in one_of_each(filling))),),
        )
    unlike = [side for side in shown if single(estimates, "lone_mean", side)]
    if unlike:
        yield Section(
            key="unlike",
            title="One player unlike the others",
            text=("The first player of the pair among players of the second's kind, at every place.",),
            groups=(("", tuple(lone_table(estimates, side) for side in unlike)),),
        )


def one_of_each(shown: Sequence[Side]) -> list[Side]:
    """The first side of each rule set: exact numbers do not hang on the players."""
    return list({side.rules: side for side in reversed(shown)}.values())[::-1]


def quantiles(estimates: pd.DataFrame, side: Side, question: Pools) -> Iterator[Table]:
    """Quantiles of matches, and of the pot where it grows."""
    for measure, words in (("matches_quantile", "matches"), ("pot_quantile", "antes in the pot")):
        rows = [
            (
                Cell(f"{size} players"),
                *(
                    printed_or_empty(single(estimates, measure, side, f"{size} players, {share:g}"))
                    for share in QUANTILES
                ),
            )
            for size in question.sizes
            if single(estimates, measure, side, f"{size} players, {QUANTILES[0]:g}")
        ]
        if rows:
            yield Table(("", *(f"{100 * share:g} %" for share in QUANTILES)), tuple(rows), words)


def advice_table(estimates: pd.DataFrame, side: Side) -> Table:
    """What his defeat is worth to those who wait, by wins in a row."""
    rows = tuple(
        (Cell(one.detail), Cell(number(one.mean, one.unit), "exact", one.mean))
        for one in choose(estimates, "advice_exact", side)
    )
    return Table(("", "antes"), rows, side.rules)


def lone_table(estimates: pd.DataFrame, side: Side) -> Table:
    """Nets of the player unlike the others."""
    found = [*choose(estimates, "lone_net", side), *choose(estimates, "lone_mean", side)]
    rows = tuple(
        (Cell(one.detail if "place" in one.detail else "mean over the places"), printed_or_empty(one))
        for one in found
        if not math.isnan(one.mean)
    )
    return Table(("", "net in stakes"), rows, side.label)
