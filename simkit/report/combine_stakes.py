"""What is lost in either game of trictrac combiné: the short answer, figures and tables of `CombineStakes`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.combine_stakes import (
    GAMES,
    OF_HONOURS,
    POOL_IN,
    POOL_OUT,
    QUANTILES,
    WRITTEN,
    CombineStakes,
)
from simkit.report.by_pair import interval_words
from simkit.report.dots import dots
from simkit.report.figures import BLUE, INK, Figure, canvas, name_rows, render
from simkit.report.numbers import Cell, Estimate, Side, Table, choose, printed_or_empty, sides
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

VIENNA = 75
"""The price of a written fish that the Vienna rules name where one of honours is 100."""
WORDS: Mapping[str, str] = {
    WRITTEN: "written game",
    POOL_OUT: "honours without the pool",
    POOL_IN: "honours with the pool",
}
POOL: Mapping[str, str] = {"pool in": "pool counted", "pool out": "pool left out"}

LIMITS = (
    "A game of honours is paid one fish for each of its classes, single to quadruple, as no source states another "
    "unit. At two fish for a single one the price of a written fish would be twice as high.",
    "Pool, game of honours under way and basket end with the last set by the readings of the rule set; in a match "
    "of eight sets they count for more than in one of twelve.",
    "A match cut to eight sets is the first eight of a longer one: nobody plays by the number of sets left.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    question = result.experiment.analysis
    assert isinstance(question, CombineStakes)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    return Answer(
        summary=summary(estimates, shown[0], question.lengths[-1]),
        details=tuple(details(estimates, shown, question.lengths[-1])),
        words_title="Losses per match and what follows for prices",
        tables=tuple(overview(estimates, shown, length) for length in question.lengths),
        figures=(
            price_figure(estimates, shown, question.lengths),
            spread_figure(estimates, shown[0], question.lengths),
        ),
        sections=tuple(sections(estimates, shown, question.lengths)),
        design=(
            (
                "a loss",
                "the size of a match's result in one of the games, whoever loses: the written result rounded to "
                "whole fish of ten jetons, tails and all; the honours in fish of their own, paid for games, and "
                "with the pool also drawn less put in",
            ),
            (
                "price of a written fish",
                f"what it would have to be worth where a fish of honours is {OF_HONOURS}, for the mean losses to "
                "be alike: a hundred times the mean loss in honours over that in the written game, by the delta "
                "method with the match as its unit; of spreads, by the jackknife over groups of matches",
            ),
            ("sets", "matches of the longest length are played; shorter ones are their first sets"),
        ),
        limits=LIMITS,
    )


def at(
    estimates: pd.DataFrame, measure: str, side: Side, sets: int, detail: str | None = None
) -> Estimate | None:
    """The one estimate of a measure at a number of sets."""
    found = choose(estimates, measure, side, detail=detail)
    return next((one for one in found if one.sets == sets), None)


def equal(shown: Sequence[Side]) -> list[Side]:
    """The pairs of players who play alike, or all if none do."""
    return [side for side in shown if side.player_1 == side.player_2] or list(shown)


# ---------------------------------------------------------------- words


def summary(estimates: pd.DataFrame, side: Side, longest: int) -> str:
    """The answer by the first pair of players at the longest length."""
    losses = [at(estimates, "size", side, longest, game) for game in GAMES]
    prices = [at(estimates, "price", side, longest, name) for name in POOL]
    written, out, counted = ("nothing" if one is None else interval_words(one) for one in losses)
    price_in, price_out = ("nothing" if one is None else interval_words(one) for one in prices)
    return (
        f"Over {longest} sets of equal players ({side.player_1}) the mean loss is {written} fish in the written "
        f"game; in the honours it is {out} fish without the pool and {counted} with it. For both to be worth as "
        f"much, a written fish would have to be priced at {price_out} without the pool and at {price_in} with it, "
        f"that of honours at {OF_HONOURS}. The Vienna rules name {VIENNA}."
    )


def details(estimates: pd.DataFrame, shown: Sequence[Side], longest: int) -> Iterator[tuple[str, str]]:
    """What skill does to the price, and how the two games go together, at the longest length."""
    parts = [
        f"{interval_words(left)} without the pool and {interval_words(counted)} with it ({side.label})"
        for side in shown
        if (left := at(estimates, "price", side, longest, "pool out"))
        and (counted := at(estimates, "price", side, longest, "pool in"))
    ]
    yield "Skill.", f"The price over {longest} sets, by pair of players: {'; '.join(parts)}."
    together = [
        f"{interval_words(one)} ({side.label})"
        for side in shown
        if (one := at(estimates, "correlation", side, longest, "pool in"))
    ]
    if together:
        yield (
            "Both games together.",
            "The higher the correlation of their results, the less one makes up for the other: "
            f"{'; '.join(together)}.",
        )


# ---------------------------------------------------------------- figures


def price_figure(estimates: pd.DataFrame, shown: Sequence[Side], lengths: Sequence[int]) -> Figure:
    """The price of a written fish at every length, with and without the pool, by pair of players."""
    return dots(
        {
            side.label: {
                f"{length} sets, {words}": at(estimates, "price", side, length, name)
                for length in lengths
                for name, words in POOL.items()
            }
            for side in equal(shown)
        },
        key="price",
        title="The price of a written fish that makes mean losses alike",
        caption=f"Equal players. Where a fish of honours is {OF_HONOURS}; the upright line is {VIENNA}, the price "
        "that the Vienna rules name.",
        x=f"price of a written fish, that of honours {OF_HONOURS}",
        at=VIENNA,
    )


def spread_figure(estimates: pd.DataFrame, side: Side, lengths: Sequence[int]) -> Figure:
    """Quantiles of the losses in either game, at every length."""
    rows = [(game, length) for length in lengths for game in GAMES]
    found = {
        row: [at(estimates, "size_quantile", side, row[1], f"{row[0]}, {share:g}") for share in QUANTILES]
        for row in rows
    }
    held = {row: [one.mean for one in series if one] for row, series in found.items() if all(series)}
    names = [f"{length} sets, {WORDS[game]}" for game, length in held]
    with canvas(1, 0.9 + 0.3 * len(held)) as (figure, (axes,)):
        for place, (least, low, middle, high, most) in enumerate(held.values()):
            axes.plot([least, most], [place, place], color=BLUE, linewidth=0.8)
            axes.plot([low, high], [place, place], color=BLUE, linewidth=4, solid_capstyle="butt")
            axes.plot([middle], [place], color=INK, marker="|", markersize=9)
        name_rows(axes, names)
        axes.set_xlim(left=0)
        axes.set_xlabel("fish lost in a match")
        svg = render(figure, "losses", "Bars: losses in either game, in fish.", from_nought=False)
    cells = tuple(
        (Cell(name), *(printed_or_empty(one) for one in found[row]))
        for name, row in zip(names, held, strict=True)
    )
    heads = ("", *(f"{100 * share:g}\u202f% lie below" for share in QUANTILES))
    return Figure(
        "losses",
        "What is lost in a match, in the fish of each game",
        f"{side.label}. The stroke is the median, half of the matches lie within the thick bar and nine in ten "
        "within the thin one.",
        svg,
        (Table(heads, cells, "fish per match"),),
    )


# ---------------------------------------------------------------- tables


def overview(estimates: pd.DataFrame, shown: Sequence[Side], length: int) -> Table:
    """Mean losses and the prices that follow, at one length."""
    rows = [("size", game, f"mean loss, {words}, fish") for game, words in WORDS.items()]
    rows += [("price", name, f"price of a written fish, {words}") for name, words in POOL.items()]
    return table(estimates, shown, length, rows)


def table(
    estimates: pd.DataFrame,
    shown: Sequence[Side],
    length: int,
    rows: Sequence[tuple[str, str | None, str]],
    caption: str = "",
) -> Table:
    """Rows of measure, detail and words; a column for each pair of players."""
    cells = tuple(
        (Cell(words), *(printed_or_empty(at(estimates, measure, side, length, detail)) for side in shown))
        for measure, detail, words in rows
        if any(at(estimates, measure, side, length, detail) for side in shown)
    )
    return Table(("", *(side.label for side in shown)), cells, caption or f"{length} sets")


def sections(estimates: pd.DataFrame, shown: Sequence[Side], lengths: Sequence[int]) -> Iterator[Section]:
    """Spreads and ratios; the two games together; what skill does."""
    spreads = [("result_sd", game, f"of the signed result, {words}") for game, words in WORDS.items()]
    spreads += [("size_sd", game, f"of the loss, {words}") for game, words in WORDS.items()]
    ratios = [
        (measure, name, f"{said}, {words}")
        for measure, said in (
            ("size_ratio", "mean losses, written over honours"),
            ("sd_ratio", "standard deviations, written over honours"),
            ("price_by_sd", "price of a written fish that makes standard deviations alike"),
        )
        for name, words in POOL.items()
    ]
    together: list[tuple[str, str | None, str]] = [
        ("correlation", name, f"correlation of the results, {words}") for name, words in POOL.items()
    ]
    together.append(
        ("same_way", None, "matches that one player wins in both games, of those decided in both")
    )
    yield Section(
        key="spreads",
        title="How far results spread",
        text=(
            "Standard deviations in fish per match, beneath each its 95\u202f% interval. The ratio that prices of "
            "75 and 100 go with is four thirds.",
        ),
        groups=tuple(
            (
                f"{length} sets",
                (
                    table(estimates, shown, length, spreads, "Standard deviations, fish"),
                    table(estimates, shown, length, ratios, "Ratios, times, and prices"),
                ),
            )
            for length in lengths
        ),
    )
    yield Section(
        key="together",
        title="Both games together",
        groups=(("", tuple(table(estimates, shown, length, together) for length in lengths)),),
    )
    yield Section(
        key="skill",
        title="What skill does",
        text=(
            f"Change of the price of a written fish against {shown[0].label}, the pairs taken as independent.",
        ),
        groups=(
            (
                "",
                tuple(
                    table(
                        estimates,
                        shown[1:],
                        length,
                        [("price_by_skill", name, words) for name, words in POOL.items()],
                    )
                    for length in lengths
                ),
            ),
        ),
    )
