"""The doubling cube: the short answer, the figures and the tables of the question `DoublingCube`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.cube import FACES, WITH, WITHOUT
from simkit.report.bearing_off import signed, with_interval
from simkit.report.figures import INK, LINES, Figure, canvas, legend_above, name_rows, render
from simkit.report.numbers import Cell, Side, Table, printed_or_empty, sides, single
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

TITLES: Mapping[str, str] = {
    "rolls": "rolls in a game, both players",
    "points": "points of the winner, in a game",
    "multiple": "games that count double or triple beside the cube",
    "first_wins": "games won by who begins",
    "first_points": "points in a game of who begins, less the other's",
    "games_1": "games won by player 1",
    "points_1": "points in a game of player 1, less player 2's",
    "games_per_match": "games in a match",
    "rolls_per_match": "rolls in a match",
    "match_to_first": "matches won by who begins",
    "match_to_1": "matches won by player 1",
}
ENDS: Mapping[str, str] = {
    "offered": "a double is offered",
    "taken": "a double is taken",
    "dropped": "a double is dropped",
    "dropped_of_offered": "a double is dropped, of games with one",
    **{f"at_{face}": f"the cube comes to {face}" for face in FACES},
}
SHARES: Mapping[str, str] = {
    "first_wins": "game, who begins",
    "match_to_first": "match, who begins",
    "games_1": "game, player 1",
    "match_to_1": "match, player 1",
}
"""The rows of the figure of advantages."""
LIMITS = (
    "These players double by a chance of winning that was fitted to their own play and knows nothing of double "
    "or triple games; of the score they see only when a game wins or loses the match. Better judges of the cube "
    "double, take and drop otherwise, and what the cube does hangs on them.",
    "Neither player chooses his men by the cube; stronger ones play safer or bolder by who owns it.",
    "Matches on the same dice are the same only up to the first double: from then on, and in all later games, "
    "the two plays differ by chance as well. What the cube does is seen in the differences of the means.",
    "tables_cube_lookahead plays fewer matches: their intervals are wider. The number declared was cut from "
    "20,000 to 10,000 for time while they were played, before any result of theirs was seen; matches beyond it "
    "are not read.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    return Answer(
        summary=summary(estimates, shown[0]),
        details=tuple(
            (f"{side.rules}.", summary(estimates, side)) for side in first_of_rules(shown) if side != shown[0]
        ),
        words_title="What the cube changes",
        tables=(changes_table(estimates, shown),),
        figures=tuple(figures(estimates, shown)),
        sections=(
            Section(
                key="both",
                title="The numbers with the cube and without",
                text=("The change is that of the cube, match by match on the same dice.",),
                groups=tuple((side.label, (both_table(estimates, side),)) for side in shown),
            ),
            Section(
                key="ends",
                title="How often the cube is turned",
                text=("Shares of games, where no share of others is named.",),
                groups=(("", (ends_table(estimates, shown),)),),
            ),
            *rules_section(estimates, shown),
        ),
        design=(
            ("a match", "a match to the points of the rule set: the match is the independent unit"),
            (
                "the same dice",
                "match m with the cube and without it has the same starts and the same rolls, game by game and "
                "one after the other",
            ),
            ("player 1", "of an unequal pair the stronger; who begins is drawn"),
        ),
        limits=LIMITS,
    )


def first_of_rules(shown: Sequence[Side]) -> list[Side]:
    """The first pair of players of every rule set."""
    found: dict[str, Side] = {}
    for side in shown:
        found.setdefault(side.rules, side)
    return list(found.values())


def summary(estimates: pd.DataFrame, side: Side) -> str:
    """The answer in a few sentences, of one rule set and pair of players."""
    offered, dropped = (single(estimates, name, side) for name in ("offered", "dropped"))
    if offered is None or dropped is None or math.isnan(offered.mean):
        return f"{side.label}: no match came to its end with the cube and without."
    changes = [
        f"{TITLES[name]} {signed(one)}"
        for name in ("rolls", "points", "games_per_match", "match_to_first")
        if (one := single(estimates, f"{name}_change", side)) is not None
    ]
    return (
        f"{side.label}: a double is offered in {with_interval(offered)} of games and dropped in "
        f"{with_interval(dropped)}. The cube changes, shares in points of per cent: {'; '.join(changes)}."
    )


def changes_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """What the cube changes, by rule set and pair of players."""
    rows = [
        (Cell(text), *(printed_or_empty(single(estimates, f"{name}_change", side)) for side in shown))
        for name, text in TITLES.items()
    ]
    return Table(("", *(side.label for side in shown)), tuple(rows))


def both_table(estimates: pd.DataFrame, side: Side) -> Table:
    """Every number with the cube and without it, and its change."""
    rows = []
    for name, text in TITLES.items():
        found = [single(estimates, name, side, play) for play in (WITH, WITHOUT)]
        found.append(single(estimates, f"{name}_change", side))
        rows.append((Cell(text), *(printed_or_empty(one) for one in found)))
    return Table(("", "with the cube", "without", "change"), tuple(rows))


def ends_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """How often the cube is offered, taken and dropped, and what it comes to."""
    rows = [
        (Cell(text), *(printed_or_empty(single(estimates, name, side)) for side in shown))
        for name, text in ENDS.items()
    ]
    return Table(("", *(side.label for side in shown)), tuple(rows))


def rules_section(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[Section]:
    """What the cube changes under one rule set less what it changes under the first."""
    compared = [side for side in shown if single(estimates, "rolls_change_by_rules", side) is not None]
    if not compared:
        return
    rows = [
        (
            Cell(text),
            *(printed_or_empty(single(estimates, f"{name}_change_by_rules", side)) for side in compared),
        )
        for name, text in TITLES.items()
    ]
    base = shown[0].rules
    yield Section(
        key="starts",
        title="Whether it is the same from every start",
        text=(
            f"The change by the cube under the rule set named, less the change under {base}. The two are taken as "
            "independent; an interval that holds nought tells no difference.",
        ),
        groups=(("", (Table(("", *(side.label for side in compared)), tuple(rows)),)),),
    )


# ---------------------------------------------------------------- figures


def figures(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[Figure]:
    """What the cube does to the advantages of who begins and of player 1."""
    with canvas(1, 3.4) as (figure, (axes,)):
        middle = (len(shown) - 1) / 2
        for place, (style, side) in enumerate(zip(LINES, shown, strict=False)):
            points = [
                (row + 0.18 * (place - middle), one)
                for row, name in enumerate(SHARES)
                if (one := single(estimates, f"{name}_change", side)) is not None and not math.isnan(one.low)
            ]
            axes.errorbar(
                [100 * one.mean for _, one in points],
                [row for row, _ in points],
                xerr=(
                    [100 * (one.mean - one.low) for _, one in points],
                    [100 * (one.high - one.mean) for _, one in points],
                ),
                label=f"{side.player_1}, {side.rules}",
                capsize=1.8,
                elinewidth=0.8,
                **{**style, "linestyle": "none"},
            )
        axes.axvline(0, color=INK, linewidth=0.7)
        name_rows(axes, list(SHARES.values()))
        axes.set_xlabel("change by the cube, in points of per cent")
        legend_above(figure, axes)
        svg = render(figure, "advantages", "Change of shares won by the cube", from_nought=False)
    rows = [
        (Cell(text), *(printed_or_empty(single(estimates, f"{name}_change", side)) for side in shown))
        for name, text in SHARES.items()
    ]
    yield Figure(
        key="advantages",
        title="Who wins more with the cube",
        caption="Shares of games and matches won with the cube less those without, of who begins and of player 1, "
        "who is named with the rule set; bars are 95\u202f% intervals, each for itself.",
        svg=svg,
        tables=(Table(("", *(side.label for side in shown)), tuple(rows), "change of the share won"),),
    )
