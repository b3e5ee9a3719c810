"""Positions with men behind, played on by two rules: picture, words and tables of `simkit.analysis.contact`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.contact import (
    BACK_GAME,
    CONTACT,
    COUNTED,
    DICE,
    KINDS,
    POINTS,
    SHOT,
    of_kind,
    rolls_in_play,
)
from simkit.analysis.words import count, number
from simkit.report.by_pair import interval_words
from simkit.report.figures import LINES, Figure, canvas, legend_above, name_rows, render
from simkit.report.numbers import Cell, Estimate, Side, Table, printed_or_empty, single
from simkit.report.page import Section

if TYPE_CHECKING:
    import pandas as pd

NAMES: Mapping[str, str] = {
    CONTACT: "men behind",
    BACK_GAME: "back games",
    SHOT: "shot forced by most points alone",
}
"""Each kind of position in a few words."""
RULES: Mapping[str, str] = {POINTS: "most points", DICE: "most dice"}
WORDS: Mapping[str, str] = {
    "behind_wins": "games won by the side behind",
    "behind_hits": "games in which it hits a man",
    "double_games": "games that count double",
    "behind_points": "its points less the other\u2019s, per game",
}
COUNTED_WORDS: Mapping[str, str] = {
    "plays_differ": "throws of which the rules allow different plays",
    "shot_forced": "throws that force a shot",
    "shot_hit": "chance of a hit by the next roll, at the safest play",
}
DESIGN: tuple[tuple[str, str], ...] = (
    (
        "men behind",
        "before a roll of the side in front, which has all its men home and fewer points to go; the other "
        "has a man on the bar or one still to pass a man of the first. Such positions are as play leads to "
        "them, one a game at most, whatever its end",
    ),
    ("back games", "of these, the side behind holds two points or more of that return jan"),
    (
        "a shot",
        "at least one throw of the 36 has a legal play that hits a man, by one die, by both, by steps of a "
        "double or in entering. A roll forces a shot if every legal play of it leaves one; counted with the "
        "plays themselves, for each of the 21 rolls",
    ),
    (
        "shot forced by most points alone",
        "positions with the roll that was thrown, which forces a shot by most points and not by most dice",
    ),
    (
        "positions",
        "picked by experiments/training/pick_bearing_off.py from games of tables_linear, half by each rule; "
        "the list is kept with the code. Match m starts from the position m modulo their number, on the same "
        "dice by both rules",
    ),
    (
        "intervals of positions",
        "a position is the independent unit, its games are one cluster; rolls in play count each for itself",
    ),
)
LIMITS: tuple[str, ...] = (
    "The players weigh the danger of a lone man and play by most dice accordingly. None of them plans for a "
    "rule, or plays for a back game; the positions are those that tables_linear came to, many of them lost "
    "beyond hope.",
    "Whether a shot was left in the course of a game is not recorded. That the side behind hit a man is.",
    "That more shots are forced by most points than by most dice is a matter of logic and no finding; how many "
    "more is one. What can go either way is who wins.",
)


def power(estimates: pd.DataFrame, side: Side) -> Iterator[str]:
    """What loss of wins the positions could have shown: where the rules allow the same plays nothing is lost."""
    for kind in (CONTACT, BACK_GAME):
        differ, lost = (
            single(estimates, "plays_differ", side, kind),
            single(estimates, "wins_lost", side, kind),
        )
        if differ is not None and lost is not None and not math.isnan(lost.low):
            half = number((lost.high - lost.low) / 2, lost.unit)
            yield (
                f"Power, {NAMES[kind]}: the rules allow different plays of {interval_words(differ)} of first "
                f"throws ({count(differ.n)} positions). A loss of a large part of the wins, such as a quarter, "
                f"could scarcely be seen there, however much hangs on each of them. {side.label}: a loss of less "
                f"than about {half} of the wins would not be told from chance."
            )


def lead(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """How many games the side behind wins by either rule."""
    rows = [(kind, side) for kind in KINDS for side in shown]
    with canvas(1, 0.9 + 0.34 * len(rows)) as (figure, (axes,)):
        for place, (rule, style) in enumerate(zip(RULES, LINES, strict=False)):
            found = [
                (row + 0.2 * (place - 0.5), one)
                for row, (kind, side) in enumerate(rows)
                if (one := single(estimates, "behind_wins", side, f"{kind}, {rule}")) is not None
                and not math.isnan(one.low)
            ]
            means = [100 * one.mean for _, one in found]
            below = [100 * (one.mean - one.low) for _, one in found]
            above = [100 * (one.high - one.mean) for _, one in found]
            axes.errorbar(
                means,
                [row for row, _ in found],
                xerr=(below, above),
                label=RULES[rule],
                capsize=1.8,
                elinewidth=0.8,
                **{**style, "linestyle": "none"},
            )
        name_rows(axes, [f"{SHORT[kind]},\n{side.player_1}" for kind, side in rows])
        axes.set_xlim(left=0)
        axes.set_xlabel("games won by the side behind, %")
        legend_above(figure, axes)
        svg = render(figure, "behind", "Games won by the side behind, by either rule", from_nought=False)
    tables = tuple(kind_table(estimates, shown, kind) for kind in KINDS)
    return Figure(
        key="behind",
        title="What the side behind wins by either rule",
        caption="Games played on from the same positions and on the same dice by both rules; both sides play "
        "alike. Bars are 95\u202f% intervals over positions, each rule for itself: the difference, which "
        "pairs them, is known far better and stands in the table.",
        svg=svg,
        tables=tables,
    )


SHORT: Mapping[str, str] = {CONTACT: "men behind", BACK_GAME: "back game", SHOT: "shot forced"}
"""The rows of the figure."""


def kind_table(estimates: pd.DataFrame, shown: Sequence[Side], kind: str) -> Table:
    """Games won by the side behind, and the difference, by pair of players."""
    rows = []
    for side in shown:
        levels = [single(estimates, "behind_wins", side, f"{kind}, {rule}") for rule in RULES]
        found = [*levels, single(estimates, "behind_wins_change", side, kind)]
        rows.append((Cell(side.label), *(printed_or_empty(one) for one in found)))
    return Table(("games won by the side behind", *RULES.values(), "change"), tuple(rows), NAMES[kind])


def sentences(estimates: pd.DataFrame, side: Side) -> Iterator[str]:
    """The answer of the positions in a few sentences."""
    forced = [single(estimates, "shot_forced", side, f"{CONTACT}, {rule}") for rule in RULES]
    alone = [single(estimates, "forced_alone", side, f"{CONTACT}, {rule}") for rule in RULES]
    found = [interval_words(one) for one in (*forced, alone[0]) if one is not None]
    if len(found) == 3 and alone[0] is not None:
        yield (
            f"Where one side bears off before men still behind, {found[0]} of throws force a shot by most points "
            f"and {found[1]} by most dice; of {count(alone[0].n)} rolls in play {found[2]} force one by most "
            "points alone. By most dice alone none can: a play of most points is one of most dice too, unless it "
            "ends the game."
        )
    said = []
    for kind, where in (
        (SHOT, "after such a roll"),
        (CONTACT, "over all positions with men behind"),
        (BACK_GAME, "in back games"),
    ):
        levels = [single(estimates, "behind_wins", side, f"{kind}, {rule}") for rule in RULES]
        change = single(estimates, "behind_wins_change", side, kind)
        if change is not None and not math.isnan(change.mean) and None not in levels:
            points, dice = (interval_words(one) for one in levels if one is not None)
            games = f"{count(change.n)} games"
            said.append(
                f"{where} {points} by most points and {dice} by most dice ({signed(change)}; {games})"
            )
    if said:
        yield (
            f"{side.label}, games won by the side behind, from the same positions and on the same dice: "
            f"{'; '.join(said)}."
        )
    doubles = [
        f"{SHORT[kind]} {signed(one)}"
        for kind in KINDS
        if (one := single(estimates, "double_games_change", side, kind)) is not None
        and not math.isnan(one.mean)
    ]
    if doubles:
        yield f"Games that count double change with most points: {'; '.join(doubles)}."


def signed(one: Estimate) -> str:
    """`+0.12 % (0.10 to 0.14 %)`."""
    return f"{'+' if one.mean > 0 else ''}{interval_words(one)}"


def overview(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """What most points change, by kind of position and pair of players."""
    rows = []
    for kind in KINDS:
        for name in WORDS:
            found = (single(estimates, f"{name}_change", side, kind) for side in shown)
            rows.append((Cell(f"{NAMES[kind]}: {WORDS[name]}"), *(printed_or_empty(one) for one in found)))
        found = (single(estimates, "wins_lost", side, kind) for side in shown)
        cells = (printed_or_empty(one) for one in found)
        rows.append((Cell(f"{NAMES[kind]}: of its wins by most points, lost by most dice"), *cells))
    caption = "Change by most points against most dice, from the same positions on the same dice."
    return Table(("", *(side.label for side in shown)), tuple(rows), caption)


def sections(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[Section]:
    """The numbers by both rules, and what is counted out."""
    yield Section(
        key="played-on",
        title="Positions played on, by both rules",
        text=("Both sides play alike. The change is by match on the same dice, clustered by position.",),
        groups=tuple(
            (side.label, tuple(both_table(estimates, side, kind) for kind in KINDS)) for side in shown
        ),
    )
    seen = rolls_in_play()
    games = "; ".join(
        f"{NAMES[kind]}: of {count(one.all)} rolls {count(one.by_points)} and {count(one.by_dice)}"
        for kind, one in seen.items()
    )
    yield Section(
        key="counted",
        title="Shots, counted out",
        text=(
            "No player has a part in these numbers but those from whose games the positions were picked. Rolls "
            f"that force a shot by most points alone, and by most dice alone, in these games: {games}. The table "
            "is over all 36 throws of each position of the list.",
        ),
        groups=(("", (counted_table(estimates, shown[0]),)),),
    )


def both_table(estimates: pd.DataFrame, side: Side, kind: str) -> Table:
    """The numbers of one kind by both rules, with the change."""
    rows = []
    for name in WORDS:
        found = [single(estimates, name, side, f"{kind}, {rule}") for rule in RULES]
        found.append(single(estimates, f"{name}_change", side, kind))
        rows.append((Cell(WORDS[name]), *(printed_or_empty(one) for one in found)))
    title = f"{NAMES[kind]}, {int(of_kind(kind).sum())} positions"
    return Table(("", *RULES.values(), "change"), tuple(rows), title)


def counted_table(estimates: pd.DataFrame, side: Side) -> Table:
    """What is counted out of the positions."""
    rows = []
    for kind in KINDS:
        for name, text in COUNTED_WORDS.items():
            ends = [f"{kind}, {rule}" for rule in RULES] if name in COUNTED else []
            found = [single(estimates, name, side, end) for end in ends] or [None, None]
            change = f"{name}_change" if name in COUNTED else name
            found.append(single(estimates, change, side, kind))
            if any(one is not None for one in found):
                rows.append((Cell(f"{NAMES[kind]}: {text}"), *(printed_or_empty(one) for one in found)))
    return Table(("", *RULES.values(), "change, or both"), tuple(rows))
