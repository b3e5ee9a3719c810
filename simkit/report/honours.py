"""Games of honours of trictrac combiné: the short answer, the figures and the tables of `Honours`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.honours import CLASSES, EARLY, FIRST, MOST, RARE, RUNS, SECOND
from simkit.analysis.words import in_words
from simkit.report.by_pair import by_detail, by_measure, interval_words
from simkit.report.dots import dots
from simkit.report.figures import LINES, Figure, canvas, draw_line, legend_above, render
from simkit.report.numbers import Estimate, Side, sides, single
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

OF: Mapping[str, str] = {
    SECOND: "second scorer's run, which wins a treble",
    FIRST: "first scorer's run, which wins a quadruple",
}
LIMITS = (
    "Games that began in the second half of the sets are left out, since the end of the match would cut long ones "
    "short more often; those of the first half that have no end are counted in the table.",
    "A suspended game of honours rests with its runs, so players who suspend keep runs longer than others would.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    columns = {side.label: side for side in shown}
    return Answer(
        summary=summary(estimates, shown[0]),
        details=tuple(details(estimates, shown)),
        words_title="Classes, and runs of holes",
        tables=(
            by_detail(
                estimates, "class", columns, {name: name for name in (*CLASSES, RARE)}, "Games of honours"
            ),
            by_detail(
                estimates,
                "falls_early",
                columns,
                OF,
                f"Runs of holes that fall with {EARLY} holes or fewer",
            ),
        ),
        figures=(
            class_figure(estimates, shown),
            run_figure(estimates, shown),
            loser_figure(estimates, shown),
        ),
        sections=tuple(sections(estimates, columns)),
        design=(
            (
                "a class",
                "as the rule set has them, of games that began in the first half of the sets",
            ),
            (
                "a run",
                "a player's holes in a game of honours from his first on, until the other makes a hole; he who "
                "scored second wears the necktie as long as it lasts",
            ),
            (
                "runs",
                "are not in the rows: the first matches of the run are played again roll by roll with the same "
                "dice, and looked at",
            ),
        ),
        limits=LIMITS,
    )


# ---------------------------------------------------------------- words


def summary(estimates: pd.DataFrame, side: Side) -> str:
    """The answer by the first pair of players."""
    classes = [
        f"{interval_words(one)} {name}" for name in CLASSES if (one := single(estimates, "class", side, name))
    ]
    early = single(estimates, "falls_early", side, SECOND)
    necktie = f" Of neckties, {interval_words(early)} fall with {EARLY} holes or fewer." if early else ""
    return f"Of games of honours between equal players ({side.player_1}), {in_words(classes)}.{necktie}"


def details(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[tuple[str, str]]:
    """The rare classes, and neckties, by skill."""
    rare = [
        f"{interval_words(one)} ({side.label})"
        for side in shown
        if (one := single(estimates, "class", side, RARE))
    ]
    yield "Skill.", f"Treble and quadruple games together are {'; '.join(rare)}."
    won = [
        f"{interval_words(one)} ({side.label})"
        for side in shown
        if (one := single(estimates, "run_reaches", side, f"{SECOND}, {MOST}"))
    ]
    if won:
        yield "Neckties.", f"Of neckties, those kept up to the twelfth hole are {'; '.join(won)}."


# ---------------------------------------------------------------- figures


def class_figure(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """Share of each class by pair of players."""
    return dots(
        {side.label: {name: single(estimates, "class", side, name) for name in CLASSES} for side in shown},
        key="classes",
        title="How often each class comes",
        caption="Games of honours that began in the first half of the sets.",
        x="% of games",
        scale=100,
    )


def run_figure(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """Share of runs that come to each number of holes, a panel for either scorer."""
    holes = list(range(1, MOST + 1))
    with canvas(len(RUNS), 2.5) as (figure, panels):
        for axes, (run, words) in zip(panels, OF.items(), strict=True):
            for style, side in zip(LINES, shown, strict=False):
                draw_line(axes, curve(estimates, side, run), side.label, style, x=holes)
            axes.set_title(words[:1].upper() + words[1:], loc="left")
            axes.set_ylabel("% of runs")
            axes.set_xticks(holes)
        panels[-1].set_xlabel("holes made without an answer")
        legend_above(figure, panels[0])
        svg = render(figure, "runs", "Lines: share of runs of holes that come to each number of holes.")
    tables = tuple(
        by_detail(
            estimates,
            "run_reaches",
            {side.label: side for side in shown},
            {f"{run}, {number}": f"{number} holes or more" for number in holes},
            OF[run][:1].upper() + OF[run][1:],
        )
        for run in OF
    )
    return Figure(
        "runs",
        "How long runs of holes last",
        "Share of the runs that come to so many holes before the other makes one; with twelve they have won.",
        svg,
        tables,
    )


def curve(estimates: pd.DataFrame, side: Side, run: str) -> list[Estimate]:
    """The share of runs by holes."""
    found = (single(estimates, "run_reaches", side, f"{run}, {holes}") for holes in range(1, MOST + 1))
    return [one for one in found if one]


def loser_figure(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """Share of games by the holes of the loser, a line for each pair of players."""
    holes = list(range(MOST))
    found = {
        side.label: [one for number in holes if (one := single(estimates, "loser_holes", side, str(number)))]
        for side in shown
    }
    with canvas(1, 2.9) as (figure, (axes,)):
        for style, (label, series) in zip(LINES, found.items(), strict=False):
            draw_line(axes, series, label, style, x=holes[: len(series)])
        axes.set_xticks(holes)
        axes.set_xlabel("holes of the loser")
        axes.set_ylabel("% of games")
        legend_above(figure, axes)
        svg = render(figure, "losers", "Lines: share of games by the holes of the loser.")
    return Figure(
        "losers",
        "Holes of the loser",
        "Share of games whose loser has so many holes. None is a quadruple; up to six a double, if the winner's "
        "run is broken.",
        svg,
        (
            by_detail(
                estimates,
                "loser_holes",
                {side.label: side for side in shown},
                {str(number): f"{number} holes" for number in holes},
            ),
        ),
    )


def sections(estimates: pd.DataFrame, columns: Mapping[str, Side]) -> Iterator[Section]:
    """What else was counted, and what skill does."""
    yield Section(
        key="counted",
        title="What else was counted",
        text=(
            "Guiton and Malfilâtre pay double up to five holes of the loser only: the games with exactly six are "
            "those on which they differ.",
        ),
        groups=(
            (
                "",
                (
                    by_measure(
                        estimates,
                        columns,
                        {
                            "games": "games of honours finished in a match",
                            "exactly_six": "double with exactly six holes of the loser",
                            "unfinished": "begun in the first half and without an end",
                        },
                    ),
                    by_detail(
                        estimates,
                        "class_of_all",
                        columns,
                        {name: name for name in (*CLASSES, RARE)},
                        "All finished games, those that began in the second half among them",
                    ),
                ),
            ),
        ),
    )
    others = dict(list(columns.items())[1:])
    if others:
        first = next(iter(columns))
        yield Section(
            key="skill",
            title="What skill does",
            text=(f"Each share less that of {first}, the pairs taken as independent.",),
            groups=(
                (
                    "",
                    (
                        by_detail(
                            estimates, "class_by_skill", others, {name: name for name in (*CLASSES, RARE)}
                        ),
                        by_detail(
                            estimates,
                            "falls_early_by_skill",
                            others,
                            OF,
                            f"Runs that fall with {EARLY} holes or fewer",
                        ),
                    ),
                ),
            ),
        )
