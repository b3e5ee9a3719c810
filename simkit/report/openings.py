"""What the opening play is worth: short answer, pictures of all starts, tables of the question `Openings`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.openings import CONTRASTS, DIFFERENT, JUDGE
from simkit.analysis.starts import STANDARD, STARTS, name_of
from simkit.analysis.words import count
from simkit.report.by_pair import interval_words
from simkit.report.figures import INK, LINES, Figure, canvas, legend_above, name_rows, render
from simkit.report.numbers import (
    Cell,
    Estimate,
    Side,
    Table,
    capital,
    choose,
    printed_or_empty,
    sides,
    single,
)
from simkit.report.page import Answer, Section
from simkit.report.starts import PLACING, draw_map, map_table, of_all, unbroken

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

WORDS: Mapping[str, str] = {
    "over_random": "the best over any legal play",
    "over_second": "the best over the second",
    "ahead": "a roll\u2019s look ahead over the best",
}
"""What each contrast compares."""
LIMITS = (
    f"The best and the second play are so by the evaluation of {JUDGE}, and the look ahead is one roll deep "
    "with the same evaluation; nobody knows the best plays. What a perfect book would gain over them is not "
    "told, only that it gains at least as much as the look ahead does.",
    "What an opening play is worth hangs on who plays on: the players of a pair play the rest alike, and "
    "weak play washes an advantage out. Between the pairs of players the starts are the same and the opening "
    "plays too.",
    "A gain is per game that the player opens. He opens half of his games: per game played it is half as much.",
    "No pair of stronger players plays the games on: tables_lookahead is too slow for as many games as 225 starts "
    "need. How much of an opening play\u2019s worth he would keep is not told.",
    "Openings of two different numbers are asked about, as the draw makes them, and the first player\u2019s "
    "play alone; his opponent\u2019s answer is a play like any other.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    return Answer(
        summary=summary(estimates, shown[0]),
        lead=worth_map(estimates, shown[0], "over_random", "worth"),
        details=tuple(details(estimates, shown)),
        words_title="All starts together",
        tables=(together(estimates, shown),),
        figures=tuple(figures(estimates, shown)),
        sections=(
            Section(
                key="differences",
                title="How starts differ",
                text=(
                    "In points a game, every start weighing the same. Spread: the standard deviation over "
                    "the starts, the noise of counting taken off. Correlations are of the numbers as seen.",
                ),
                groups=(("", tuple(differences(estimates, shown))),),
            ),
            Section(
                key="every-start",
                title="Every start with its intervals",
                text=(
                    "In points a game, to the player who opens. The intervals of a column hold for all 225 "
                    f"starts at once. The usual start is {unbroken(STANDARD)}.",
                ),
                groups=tuple((side.label, (every_start(estimates, side),)) for side in shown),
            ),
        ),
        design=(
            (
                "games of each way to open",
                ", ".join(f"{games} of {side.label}" for side, games in games_of(estimates, shown)),
            ),
            (
                "ways to open",
                f"the play worth most to the evaluation of {JUDGE}; the one worth most but that; the best of "
                "four after the other\u2019s best answer to each roll (tables_lookahead); any legal play, "
                "each as likely. Only the first roll of a game is opened so, by whoever has it",
            ),
            (
                "the same dice",
                "game m of every way to open has the same start, first player, opening roll and later rolls, "
                "so that differences are of the same game; where both ways choose the same play they are "
                "nothing",
            ),
            (
                "intervals",
                "of all numbers by a jackknife over 100 groups of games, which pairs the ways to open; those "
                "by start hold for all 225 at once (Sidak)",
            ),
        ),
        limits=LIMITS,
        at_once="those of the 225 starts, which hold all together for one number and pair of players",
    )


def games_of(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[tuple[Side, str]]:
    """Games of each pair that were opened on the spot, and looking ahead."""
    for side in shown:
        plain, ahead = (of_all(estimates, side, name) for name in ("over_random", "ahead"))
        if plain is not None and ahead is not None:
            yield side, f"{count(plain.n)} (looking ahead {count(ahead.n)})"


def of_starts(estimates: pd.DataFrame, side: Side, measure: str) -> dict[str, Estimate]:
    """A number by start, without those by roll."""
    names = {name_of(dice) for dice in STARTS}
    return {one.detail: one for one in choose(estimates, measure, side) if one.detail in names}


# ---------------------------------------------------------------- words


def summary(estimates: pd.DataFrame, side: Side) -> str:
    """The answer in a few sentences."""
    found = {
        name: (of_all(estimates, side, name), single(estimates, f"{name}_wins", side)) for name in CONTRASTS
    }
    said = [
        f"{WORDS[name]} gains {interval_words(points)} points per game opened, {interval_words(wins)} of these "
        "games"
        for name, (points, wins) in found.items()
        if points is not None and wins is not None and not math.isnan(points.mean)
    ]
    if not said:
        return "No game came to its end."
    return f"{side.label}: of opening plays, in the mean over all starts, {'; '.join(said)}."


def details(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[tuple[str, str]]:
    """The starts at the ends, the usual one, and what skill does."""
    side = shown[0]
    found = [one for one in of_starts(estimates, side, "over_random").values() if not math.isnan(one.mean)]
    if found:
        low, high = min(found, key=lambda one: one.mean), max(found, key=lambda one: one.mean)
        usual = next((one for one in found if one.detail == STANDARD), None)
        at_usual = (
            "" if usual is None else f"; at the usual start, {unbroken(STANDARD)}, {interval_words(usual)}"
        )
        yield (
            "By start.",
            f"The best play over any legal one gains from {interval_words(low)} points at "
            f"{unbroken(low.detail)} to {interval_words(high)} at {unbroken(high.detail)}{at_usual}.",
        )
    sure = {name: single(estimates, f"starts_{name}", side) for name in CONTRASTS}
    yield (
        "Beyond doubt.",
        capital(
            "; ".join(
                f"{WORDS[name]} gains something from {count(one.low)} of the 225 starts"
                for name, one in sure.items()
                if one
            )
            + "."
        ),
    )
    every = [(one, of_all(estimates, one, "over_random")) for one in shown]
    if len(every) > 1:
        yield (
            "By players.",
            "Over any legal play the best gains "
            + "; ".join(
                f"{interval_words(one)} points if {who.label.split(' against ')[0]} plays on"
                for who, one in every
                if one is not None
            )
            + ".",
        )


# ---------------------------------------------------------------- tables


def together(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """Every contrast over all games, in points and in games won."""
    rows = []
    for name, text in WORDS.items():
        rows.append(
            (
                Cell(text, "points a game"),
                *(printed_or_empty(of_all(estimates, side, name)) for side in shown),
            )
        )
        rows.append(
            (
                Cell(text, "games won"),
                *(printed_or_empty(single(estimates, f"{name}_wins", side)) for side in shown),
            )
        )
    return Table(("", *(side.label for side in shown)), tuple(rows), "Gain of the player who opens")


def differences(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[Table]:
    """How starts differ, a table for each contrast."""
    kinds = {
        "{}_usual": "at the usual start, less the mean of all",
        "{}_book": "a 225th part of that at the usual start",
        "{}_spread": "spread over the starts",
        "{}_with_freedom": "correlation with the number of plays of an opening roll",
        "starts_{}": "starts where it is above nought",
    }
    for name, text in WORDS.items():
        rows = [
            (Cell(words), *(printed_or_empty(single(estimates, kind.format(name), side)) for side in shown))
            for kind, words in kinds.items()
        ]
        yield Table(("", *(side.label for side in shown)), tuple(rows), text)


def every_start(estimates: pd.DataFrame, side: Side) -> Table:
    """All contrasts of every start."""
    found = {name: of_starts(estimates, side, name) for name in CONTRASTS}
    rows = [
        (
            Cell(unbroken(name) + (", usual" if name == STANDARD else "")),
            *(printed_or_empty(found[contrast].get(name)) for contrast in CONTRASTS),
        )
        for name in map(name_of, STARTS)
    ]
    return Table(("start", *(WORDS[name] for name in CONTRASTS)), tuple(rows))


# ---------------------------------------------------------------- figures


def figures(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[Figure]:
    """The gains by opening roll, and the maps of the second choice and of the other pairs of players."""
    yield by_roll(estimates, shown)
    yield worth_map(estimates, shown[0], "over_second", "second")
    for k, side in enumerate(shown[1:], 2):
        yield worth_map(estimates, side, "over_random", f"worth-{k}")


def worth_map(estimates: pd.DataFrame, side: Side, measure: str, key: str) -> Figure:
    """A contrast from every start, light where it is large."""
    found = of_starts(estimates, side, measure)
    with canvas(1, 4.75) as (figure, (axes,)):
        draw_map(figure, axes, found, f"points a game, {WORDS[measure]}", marked=True, even=0.0)
        svg = render(figure, key, f"Gain of {WORDS[measure]}, by start, {side.label}", from_nought=False)
    return Figure(
        key=key,
        title=f"What an opening play gains from each of the 225 starts: {WORDS[measure]}",
        caption=f"{side.label}, in points a game. {PLACING} The usual start has a frame. A cross: a gain is "
        "not beyond doubt. A bar: beyond doubt a loss.",
        svg=svg,
        tables=(map_table(found, f"points a game, {side.label}; rows a-b, columns c-d"),),
    )


def by_roll(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """The gain over any legal play and over the second, by opening roll, for the first pair of players."""
    side, series = shown[0], ("over_random", "over_second", "ahead")
    found = {name: {one.detail: one for one in choose(estimates, name, side)} for name in series}
    with canvas(1, 4.4) as (figure, (axes,)):
        for place, (style, name) in enumerate(zip(LINES, series, strict=False)):
            points = [
                (row + 0.2 * (place - 1), found[name][roll])
                for row, roll in enumerate(DIFFERENT)
                if roll in found[name] and not math.isnan(found[name][roll].low)
            ]
            axes.errorbar(
                [one.mean for _, one in points],
                [row for row, _ in points],
                xerr=([one.mean - one.low for _, one in points], [one.high - one.mean for _, one in points]),
                label=WORDS[name],
                capsize=1.8,
                elinewidth=0.8,
                **{**style, "linestyle": "none"},
            )
        axes.axvline(0, color=INK, linewidth=0.7)
        name_rows(axes, DIFFERENT)
        axes.set_xlabel("points a game")
        axes.set_ylabel("opening roll")
        legend_above(figure, axes)
        svg = render(
            figure, "by-roll", f"Gain of the opening play, by opening roll, {side.label}", from_nought=False
        )
    rows = [
        (Cell(unbroken(roll)), *(printed_or_empty(found[name].get(roll)) for name in series))
        for roll in DIFFERENT
    ]
    return Figure(
        key="by-roll",
        title="What an opening play gains, by opening roll",
        caption=f"{side.label}; all starts together. Bars are 95\u202f% intervals, each for itself.",
        svg=svg,
        tables=(Table(("roll", *(WORDS[name] for name in series)), tuple(rows), "points a game"),),
    )
