"""Most points or most dice: the short answer, the figure and the tables of the question `BearingOff`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.bearing_off import DICE, NUMBERS, POINTS, SHARES
from simkit.analysis.words import number, with_span
from simkit.report import contact
from simkit.report.figures import INK, LINES, Figure, canvas, legend_above, name_rows, render
from simkit.report.numbers import Cell, Estimate, Side, Table, printed_or_empty, sides, single
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

TITLES: Mapping[str, str] = {
    "doubled": "games that count double",
    "rolls": "rolls in a game, both players",
    "hits": "men hit in a game, by both players",
    "first_wins": "games won by the first player",
}
CHANGES: Mapping[str, str] = {
    "anything_changes": "the game ends otherwise in anything",
    "winner_changes": "another player wins",
    "points_change": "other points are won, or by another player",
}
LIMITS = (
    *contact.LIMITS,
    "Anything differs means that the games end otherwise: in winner, points, rolls, hits or men left. A game in "
    "which a play differs may come to the same, so that games played otherwise are more, perhaps by far.",
    "Once two games differ, the same dice meet other positions and either player may win by chance: some winners "
    "change without the rule favouring anybody. The differences of the means tell what becomes of all games "
    "together.",
    "tables_lookahead, the strongest of them, plays fewer games: his intervals are wider. The number declared was "
    "cut from 45,000 to 13,000 for time while they were played, before any result of theirs was seen; games "
    "beyond it are not read.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    return Answer(
        summary=summary(estimates, shown[0]),
        lead=contact.lead(estimates, shown),
        details=(("Whole games", whole_games(estimates, shown[0])),),
        words_title="What most points change for the side behind",
        tables=(contact.overview(estimates, shown),),
        figures=tuple(figures(estimates, shown)),
        sections=(
            *contact.sections(estimates, shown),
            Section(
                key="both-rules",
                title="Whole games by both rules",
                text=("The change is that of most points against most dice, game by game on the same dice.",),
                groups=(
                    ("", (changes_table(estimates, shown),)),
                    *((side.label, (both_table(estimates, side),)) for side in shown),
                ),
            ),
        ),
        design=(
            ("a match", "one game, from a drawn start or from a position of the list"),
            (
                "the same dice",
                "game m of both plays has the same start and the same rolls, one after the other, so that it is "
                "the same game until a play differs",
            ),
            *contact.DESIGN,
        ),
        limits=(*contact.power(estimates, shown[0]), *LIMITS),
    )


def summary(estimates: pd.DataFrame, side: Side) -> str:
    """The answer in a few sentences."""
    return " ".join(contact.sentences(estimates, side)) or "No game came to its end by both rules."


def whole_games(estimates: pd.DataFrame, side: Side) -> str:
    """What becomes of games from drawn starts."""
    anything, winner = (single(estimates, name, side) for name in ("anything_changes", "winner_changes"))
    if anything is None or winner is None or math.isnan(anything.mean):
        return "No game came to its end by both rules."
    changes = [
        f"{TITLES[name]} {signed(one)}"
        for name in ("doubled", "rolls", "hits")
        if (one := single(estimates, f"{name}_change", side)) is not None
    ]
    return (
        f"{side.label}: played by most points instead of most dice on the same dice, {with_interval(anything)} of "
        f"games end otherwise in anything and {with_interval(winner)} have another winner. Most points change, "
        "shares in points of per cent: "
        f"{'; '.join(changes)}."
    )


def with_interval(one: Estimate) -> str:
    """`1.23 % (1.20 to 1.26 %)`; without an interval the number alone."""
    if math.isnan(one.low):
        return number(one.mean, one.unit)
    return with_span(one.mean, one.low, one.high, one.unit)


def signed(one: Estimate) -> str:
    """`+0.12 (0.10 to 0.14)`."""
    return f"{'+' if one.mean > 0 else ''}{with_interval(one)}"


def changes_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """How often games differ, by pair of players."""
    words = {
        **{name: CHANGES[name] for name in SHARES},
        "winner_changes_of_changed": "another player wins, of the games that end otherwise",
        "winner_changes_unrelated": "another player would win, were the plays unrelated",
    }
    rows = [
        (Cell(text), *(printed_or_empty(single(estimates, name, side)) for side in shown))
        for name, text in words.items()
    ]
    return Table(("", *(side.label for side in shown)), tuple(rows))


def both_table(estimates: pd.DataFrame, side: Side) -> Table:
    """Every number by both rules with its change."""
    rows = []
    for name, text in TITLES.items():
        found = [single(estimates, name, side, rule) for rule in (POINTS, DICE)]
        found += [single(estimates, f"{name}_change{end}", side) for end in ("", "_share")]
        rows.append((Cell(text), *(printed_or_empty(one) for one in found)))
    return Table(("", "most points", "most dice", "change", "change, of most points"), tuple(rows))


def figures(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[Figure]:
    """The changes of all numbers, each as a part of the number itself."""
    found = {
        side.label: [single(estimates, f"{name}_change_share", side) for name in NUMBERS] for side in shown
    }
    with canvas(1, 3.0) as (figure, (axes,)):
        middle = (len(found) - 1) / 2
        for place, (style, (label, series)) in enumerate(zip(LINES, found.items(), strict=False)):
            points = [
                (row + 0.22 * (place - middle), one)
                for row, one in enumerate(series)
                if one is not None and not math.isnan(one.low)
            ]
            axes.errorbar(
                [100 * one.mean for _, one in points],
                [row for row, _ in points],
                xerr=(
                    [100 * (one.mean - one.low) for _, one in points],
                    [100 * (one.high - one.mean) for _, one in points],
                ),
                label=label,
                capsize=1.8,
                elinewidth=0.8,
                **{**style, "linestyle": "none"},
            )
        axes.axvline(0, color=INK, linewidth=0.7)
        name_rows(axes, [NAMES[name] for name in NUMBERS])
        axes.set_xlabel("change by most points, in % of the number")
        legend_above(figure, axes)
        svg = render(
            figure, "changes", "Change of every number by the rule of most points", from_nought=False
        )
    yield Figure(
        key="changes",
        title="What most points change",
        caption="Each number with most points less with most dice, in per cent of it; bars are 95\u202f% "
        "intervals, each for itself.",
        svg=svg,
        tables=(figure_table(estimates, shown),),
    )


NAMES: Mapping[str, str] = {
    "doubled": "double games",
    "rolls": "length",
    "hits": "hits",
    "first_wins": "first wins",
}
"""The rows of the figure."""


def figure_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """The numbers of the figure."""
    rows = [
        (
            Cell(NAMES[name]),
            *(printed_or_empty(single(estimates, f"{name}_change_share", side)) for side in shown),
        )
        for name in NUMBERS
    ]
    return Table(("", *(side.label for side in shown)), tuple(rows), "change, of the number with most points")
