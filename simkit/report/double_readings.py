"""Three readings of the double game: the short answer, figures and tables of the question `DoubleReadings`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.double_readings import (
    CELLS,
    FEWEST,
    OTHERS,
    READINGS,
    DoubleReadings,
    detail_of,
    worth,
)
from simkit.analysis.words import in_words, number
from simkit.report.by_pair import interval_words
from simkit.report.figures import LINES, Figure, canvas, dodged, draw_line, legend_above, name_rows, render
from simkit.report.numbers import Cell, Estimate, Side, Table, choose, printed_or_empty, sides, single
from simkit.report.page import Answer, Section
from simkit.rules import DoubleCondition

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

WORDS: Mapping[DoubleCondition, str] = {
    DoubleCondition.OFF0_AND_NOT_ALL_HOME: "no man off and not all home",
    DoubleCondition.OFF0: "no man off",
    DoubleCondition.OFF0_OR_NOT_ALL_HOME: "no man off, or not all home",
}
"""Each reading: what of the loser makes the game double."""
COUNTED: Mapping[int, str] = {1: "single", 2: "double"}
LIMITS = (
    "No player here knows the reading: none runs home to save the double game, or keeps men back to win one. "
    "Who plays for it would make the disputed endings rarer or commoner, most of all that with nobody off "
    "and all home, which he can aim at.",
    "Matches are those between players of equal play; which reading helps the stronger is not asked.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates, question = result.estimates, result.experiment.analysis
    assert isinstance(question, DoubleReadings)
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    lengths = question.lengths
    return Answer(
        summary=summary(estimates, shown[0]),
        details=tuple(details(estimates, shown[0], lengths)),
        words_title="How the loser stands, and how the game counts",
        tables=(loser_table(estimates, shown), doubled_table(estimates, shown)),
        figures=(rates_figure(estimates, shown), winners_figure(estimates, shown, lengths)),
        sections=(
            Section(
                key="matches",
                title="Matches by each reading",
                text=(
                    "Changes are against the first reading, match by match on the same games: a match by "
                    "another reading is the same match, decided by the same game or an earlier one.",
                ),
                groups=tuple((side.label, (matches_table(estimates, side, lengths),)) for side in shown),
            ),
        ),
        design=(
            (
                "single games",
                f"{in_words([f'{games} of {side.label}' for side, games in games_of(estimates, shown)])}, "
                "each from a drawn start and independent of the others",
            ),
            (
                "the same games",
                "how the loser stands is a fact of the rows (men off, all men home); what it counts by each "
                "reading is asked of the rules afterwards, without playing again",
            ),
            (
                "matches",
                f"{in_words([f'{n} of {side.label}' for side, n in matches_of(estimates, shown, lengths)])}, "
                f"played to {max(lengths)} points by the first reading, which gives fewest; each is counted "
                "by all readings and to all numbers of points as far as it goes. The match is the "
                "independent unit",
            ),
        ),
        limits=LIMITS,
    )


def games_of(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[tuple[Side, str]]:
    """Single games of each pair."""
    for side in shown:
        one = single(estimates, "doubled", side, FEWEST.value)
        yield side, number(one.n if one else math.nan, "rolls")


def matches_of(
    estimates: pd.DataFrame, shown: Sequence[Side], lengths: Sequence[int]
) -> Iterator[tuple[Side, str]]:
    """Matches of each pair."""
    for side in shown:
        one = single(estimates, "match_games", side, detail_of(lengths[0], FEWEST))
        yield side, number(one.n if one else math.nan, "rolls")


# ---------------------------------------------------------------- words


def summary(estimates: pd.DataFrame, side: Side) -> str:
    """The answer in a few sentences."""
    doubled = {reading: single(estimates, "doubled", side, reading.value) for reading in READINGS}
    if any(one is None or math.isnan(one.mean) for one in doubled.values()):
        return "No game came to its end."
    said = [
        f"{interval_words(one)} by \u2018{WORDS[reading]}\u2019"
        for reading, one in doubled.items()
        if one is not None
    ]
    changes = [
        f"{interval_words(one)} by \u2018{WORDS[reading]}\u2019"
        for reading in OTHERS
        if (one := single(estimates, "winner_changes", side, detail_of(3, reading))) is not None
        and not math.isnan(one.mean)
    ]
    matches = (
        f" Of matches to three points {in_words(changes)} have another winner than by the first."
        if changes
        else ""
    )
    return f"{side.label}: {in_words(said)} of games count double.{matches}"


def details(estimates: pd.DataFrame, side: Side, lengths: Sequence[int]) -> Iterator[tuple[str, str]]:
    """The two disputed endings, and where the change of winners is largest."""
    home, hit = (
        single(estimates, "loser", side, name) for name in ("none off, all home", "some off, not all home")
    )
    if home is not None and hit is not None and not math.isnan(home.mean):
        yield (
            "The disputed endings.",
            f"The loser has all men home and none off in {interval_words(home)} of games; he has a man "
            f"outside after bearing others off in {interval_words(hit)}. All other games count alike by all "
            "readings.",
        )
    for reading in OTHERS:
        found = [
            (one, length)
            for length in lengths
            if (one := single(estimates, "winner_changes", side, detail_of(length, reading))) is not None
            and not math.isnan(one.mean)
        ]
        if found:
            most, length = max(found, key=lambda one: one[0].mean)
            yield (
                f"Winners by \u2018{WORDS[reading]}\u2019.",
                f"Of matches to {in_words(lengths)} points most change in those to {length}: "
                f"{interval_words(most)}. A match to one point cannot change.",
            )


# ---------------------------------------------------------------- tables


def loser_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """How the loser stands, how often, and what the game counts by each reading."""
    rows = []
    for name, place in CELLS.items():
        counts = [COUNTED[int(points[place])] for points in worth()]
        said = counts[0] if len(set(counts)) == 1 else ", ".join(counts)
        rows.append(
            (
                Cell(name, said),
                *(printed_or_empty(single(estimates, "loser", side, name)) for side in shown),
            )
        )
    readings = ", ".join(f"\u2018{WORDS[reading]}\u2019" for reading in READINGS)
    return Table(
        ("the loser has", *(side.label for side in shown)),
        tuple(rows),
        f"Share of games; beneath, how the game counts by {readings}, in this order where they differ",
    )


def doubled_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """Double games by reading, and games that count otherwise than by the first."""
    rows = [
        (
            Cell(f"double: {WORDS[reading]}"),
            *(printed_or_empty(single(estimates, "doubled", side, reading.value)) for side in shown),
        )
        for reading in READINGS
    ]
    rows += [
        (
            Cell(f"otherwise than by the first: {WORDS[reading]}"),
            *(printed_or_empty(single(estimates, "otherwise", side, reading.value)) for side in shown),
        )
        for reading in OTHERS
    ]
    return Table(("", *(side.label for side in shown)), tuple(rows), "Share of games")


def matches_table(estimates: pd.DataFrame, side: Side, lengths: Sequence[int]) -> Table:
    """Games and winners of matches to every number of points, by reading."""
    rows = []
    for length in lengths:
        for reading in READINGS:
            detail = detail_of(length, reading)
            found = (
                single(estimates, name, side, detail)
                for name in ("match_games", "games_change", "winner_changes")
            )
            rows.append((Cell(f"{length}: {WORDS[reading]}"), *(printed_or_empty(one) for one in found)))
    return Table(("points, reading", "games", "change", "another winner"), tuple(rows))


# ---------------------------------------------------------------- figures


def rates_figure(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """Double games by reading and pair of players."""
    names = [side.label.split(" against ")[0] for side in shown]
    with canvas(1, 0.75 + 0.75 * len(shown)) as (figure, (axes,)):
        middle = (len(READINGS) - 1) / 2
        for place, (style, reading) in enumerate(zip(LINES, READINGS, strict=False)):
            points = [
                (row + 0.22 * (place - middle), one)
                for row, side in enumerate(shown)
                if (one := single(estimates, "doubled", side, reading.value)) is not None
                and not math.isnan(one.low)
            ]
            axes.errorbar(
                [100 * one.mean for _, one in points],
                [row for row, _ in points],
                xerr=(
                    [100 * (one.mean - one.low) for _, one in points],
                    [100 * (one.high - one.mean) for _, one in points],
                ),
                label=WORDS[reading],
                capsize=1.8,
                elinewidth=0.8,
                **{**style, "linestyle": "none"},
            )
        name_rows(axes, names)
        axes.set_xlim(left=0)
        axes.set_xlabel("% of games that count double")
        legend_above(figure, axes)
        svg = render(figure, "rates", "Double games by reading and pair of players", from_nought=False)
    return Figure(
        key="rates",
        title="Double games by each reading",
        caption="Both players play alike; bars are 95\u202f% intervals, each for itself, and often smaller "
        "than the mark.",
        svg=svg,
        tables=(doubled_table(estimates, shown),),
    )


def winners_figure(estimates: pd.DataFrame, shown: Sequence[Side], lengths: Sequence[int]) -> Figure:
    """Matches with another winner, by points of the match; a panel for each reading."""
    with canvas(len(OTHERS), 2.35) as (figure, panels):
        for axes, reading in zip(panels, OTHERS, strict=True):
            series = {side.label: of_lengths(estimates, side, reading, lengths) for side in shown}
            for drawn, (label, found) in dodged(series):
                known = [k for k, one in enumerate(found) if not math.isnan(one.low)]
                x = [lengths[k] for k in known]
                draw_line(
                    axes, [found[k] for k in known], label, drawn["style"], x=x, aside=0.4 * drawn["aside"]
                )
            axes.set_title(WORDS[reading], fontsize="medium", loc="left")
            axes.set_ylabel("% of matches")
            axes.set_xticks(list(lengths))
        panels[-1].set_xlabel("points of the match")
        legend_above(figure, panels[0])
        svg = render(figure, "winners", "Matches with another winner, by points of the match and reading")
    return Figure(
        key="winners",
        title="Matches with another winner than by the first reading",
        caption=f"Against \u2018{WORDS[FEWEST]}\u2019, on the same games; bars are 95\u202f% intervals, each "
        "for itself.",
        svg=svg,
        tables=tuple(winners_table(estimates, shown, reading, lengths) for reading in OTHERS),
    )


def of_lengths(
    estimates: pd.DataFrame, side: Side, reading: DoubleCondition, lengths: Sequence[int]
) -> list[Estimate]:
    """Shares of matches with another winner, by length."""
    found = {one.detail: one for one in choose(estimates, "winner_changes", side)}
    return [found[detail_of(length, reading)] for length in lengths]


def winners_table(
    estimates: pd.DataFrame, shown: Sequence[Side], reading: DoubleCondition, lengths: Sequence[int]
) -> Table:
    """The numbers of a panel."""
    columns = [of_lengths(estimates, side, reading, lengths) for side in shown]
    rows = [
        (Cell(str(length)), *(printed_or_empty(column[k]) for column in columns))
        for k, length in enumerate(lengths)
    ]
    return Table(("points", *(side.label for side in shown)), tuple(rows), WORDS[reading])
