"""Playing each start twice: the short answer, pictures of all starts and tables of the question `Pairing`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.pairing import FEWEST, FRESH, MATCHES, NO_PAIRS, NON_DOUBLE, SAME, WAYS, WHOLE_PAIRS
from simkit.analysis.starts import STANDARD, STARTS, name_of
from simkit.analysis.words import count, number
from simkit.report.by_pair import interval_words
from simkit.report.figures import BLUE, INK, VERMILION, Figure, canvas, render
from simkit.report.numbers import Cell, Estimate, Side, Table, printed_or_empty, sides, single
from simkit.report.page import Answer, Section
from simkit.report.starts import PLACING, draw_map, map_table, of_all, of_starts, unbroken

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

OPENS: Mapping[str, str] = {
    FRESH: "any throw",
    NON_DOUBLE: "two different numbers",
    SAME: "the roll of the first game",
}
"""How the second game of a pair may open."""
KINDS: Mapping[str, str] = {
    NO_PAIRS: "no pairs: a start and a draw for each game",
    FRESH: "pairs, the second game opened with any throw",
    NON_DOUBLE: "pairs, with two different numbers",
    SAME: "pairs, with the roll of the first game",
    WHOLE_PAIRS: "with any throw, and both games of a start played always",
}
BINS = 0.0025
"""Width of a bar of the histogram, as a share of games."""
LIMITS = (
    "Both players of a pair play alike. That two games opened alike leave nothing holds for them alone, and "
    "for the mean over the dice: within one pair luck remains, as the table of what opening rolls promise "
    "shows.",
    "tables_lookahead, the strongest of them, plays few games: enough for all starts together, not for each.",
    "Which games of a match are played hangs on the score; the players do not play by it.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    return Answer(
        summary=summary(estimates, shown[0]),
        lead=histogram(estimates, shown[0], "before-after"),
        details=tuple(details(estimates, shown[0])),
        words_title="What pairing leaves",
        tables=(
            starts_table(estimates, shown),
            games_table(estimates, shown),
            matches_table(estimates, shown),
        ),
        figures=tuple(figures(estimates, shown)),
        sections=(
            Section(
                key="luck",
                title="What the opening rolls promise",
                text=(
                    "Start and opening rolls promise a player so many points over two games, before anything "
                    "else is thrown: the root mean square over starts and rolls, the noise of counting taken "
                    "off. In the mean it may be nothing, and yet each pair has its luck; only the same roll "
                    "for both takes it away.",
                ),
                groups=(("", (luck_table(estimates, shown),)),),
            ),
            Section(
                key="every-start",
                title="Every start with its intervals",
                text=(
                    "The intervals of a column hold for all 225 starts at once. Of a pair whose second game "
                    "opens with any throw: the mean over its two games. The usual start is "
                    f"{unbroken(STANDARD)}.",
                ),
                groups=tuple((side.label, (every_start(estimates, side),)) for side in shown),
            ),
        ),
        design=tuple(design(estimates, shown)),
        limits=LIMITS,
        at_once="those of the 225 starts, which hold all together for one number and pair of players",
    )


def design(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[tuple[str, str]]:
    """How the numbers were made."""
    yield (
        "a match",
        "of the first two plays: one game from a drawn start, the independent unit. They are the same games "
        "until the opening throw, which is the draw in the one and thrown anew in the other",
    )
    yield (
        "what is left of a start",
        "opened with any throw, the second game differs from the first by its doubles alone, a sixth of all "
        "throws: he who begins the first game keeps a twelfth of the difference between his share of games "
        "opened by two different numbers and by doubles. The two are taken as independent, which makes the "
        "intervals rather too wide, because games may share dice",
    )
    yield (
        "nothing is left",
        "where the second game opens as the first did, with any two different numbers or with the same roll: "
        "the two games are then the same with the players exchanged, who play alike. Not played but reckoned",
    )
    alone = [of_all(estimates, side, "double_wins") for side in shown]
    yield (
        "games opened by a double",
        ", ".join(
            f"{count(one.n)} of {side.label}"
            for side, one in zip(shown, alone, strict=True)
            if one is not None
        ),
    )
    whole = [single(estimates, "match_first_wins", side, FRESH) for side in shown]
    yield (
        "matches of each kind",
        ", ".join(
            f"{count(one.n)} of {side.label}"
            for side, one in zip(shown, whole, strict=True)
            if one is not None
        ),
    )
    yield (
        "intervals by start",
        "those of one number hold for all 225 starts at once (Sidak); of points none is given below "
        f"{FEWEST} games of a kind",
    )


# ---------------------------------------------------------------- words


def summary(estimates: pd.DataFrame, side: Side) -> str:
    """The answer in a few sentences."""
    alone = of_all(estimates, side, "first_wins")
    left = single(estimates, "pair_wins", side, FRESH)
    match = single(estimates, "match_first_wins", side, FRESH)
    if alone is None or left is None or match is None or math.isnan(alone.mean) or math.isnan(left.mean):
        return "Too few games came to their end."
    return (
        f"{side.label}: in one game from a drawn start the player who throws first wins "
        f"{interval_words(alone)}. Of the two games of a pair, the second opened with any throw, he who "
        f"begins the first wins {interval_words(left)}; opened as the first was, exactly half. He wins "
        f"{interval_words(match)} of matches to the rule set\u2019s points."
    )


def details(estimates: pd.DataFrame, side: Side) -> Iterator[tuple[str, str]]:
    """Starts before and after, and the farthest of them."""
    before, after = (single(estimates, name, side) for name in ("first_most", "pair_most"))
    if before is not None and after is not None and not math.isnan(after.low):
        yield (
            "The least fair start.",
            f"Before pairing some start is {interval_words(before)} of games away from half, after it "
            f"{interval_words(after)}; all starts taken at once.",
        )
    found = [
        single(estimates, f"{kind}_for_{who}", side)
        for kind in ("starts", "pairs")
        for who in ("first", "second")
    ]
    if all(one is not None for one in found):
        ours, theirs, first, second = (count(one.low) for one in found if one is not None)
        yield (
            "Beyond doubt.",
            f"One game favours him who throws first from {ours} of the 225 starts, the other from {theirs}. "
            f"A pair favours him who begins its first game from {first}, him who begins its second from "
            f"{second}.",
        )
    double, alone = (of_all(estimates, side, f"{name}_wins") for name in ("double", "first"))
    if double is not None and alone is not None and not math.isnan(double.mean):
        yield (
            "Why anything is left.",
            f"A game opened by a double is won by the player who opens it in {interval_words(double)}, one "
            f"opened by two different numbers in {interval_words(alone)}. Only the second game can open with "
            "a double.",
        )


# ---------------------------------------------------------------- tables


def starts_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """Shares of games before and after pairing, and the starts that favour somebody."""
    rows = [
        (Cell("one game"), *(printed_or_empty(of_all(estimates, side, "first_wins")) for side in shown)),
        *(
            (
                Cell(f"a pair, its second game opened with {OPENS[way]}"),
                *(printed_or_empty(single(estimates, "pair_wins", side, way)) for side in shown),
            )
            for way in WAYS
        ),
    ]
    words = {
        "first_most": "farthest from half of all starts, one game",
        "pair_most": "the same, a pair opened with any throw",
        "starts_for_first": "starts whose one game favours the first player",
        "starts_for_second": "\u2026 the second player",
        "pairs_for_first": "starts whose pair favours him who begins its first game",
        "pairs_for_second": "\u2026 its second game",
    }
    rows += [
        (Cell(text), *(printed_or_empty(single(estimates, name, side)) for side in shown))
        for name, text in words.items()
    ]
    return Table(
        ("", *(side.label for side in shown)),
        tuple(rows),
        "Games won by him who throws first in the first game",
    )


def games_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """The same in points."""
    rows = [
        (Cell("one game"), *(printed_or_empty(of_all(estimates, side, "first_points")) for side in shown)),
        *(
            (
                Cell(f"a pair, its second game opened with {OPENS[way]}"),
                *(printed_or_empty(single(estimates, "pair_points", side, way)) for side in shown),
            )
            for way in WAYS
        ),
    ]
    return Table(
        ("", *(side.label for side in shown)),
        tuple(rows),
        "Points he wins less those he loses, mean per game",
    )


def matches_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """Matches won by him who began, by kind of match."""
    rows = [
        (
            Cell(KINDS[kind]),
            *(printed_or_empty(single(estimates, "match_first_wins", side, kind)) for side in shown),
        )
        for kind in MATCHES
    ]
    return Table(
        ("", *(side.label for side in shown)),
        tuple(rows),
        "Matches won by him who throws first in the first game",
    )


def luck_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """What opening rolls promise, by how the second game opens."""
    words = {
        NO_PAIRS: "two games, each from its own start and draw",
        **{way: f"a pair, its second game opened with {text}" for way, text in OPENS.items()},
    }
    rows = [
        (Cell(text), *(printed_or_empty(single(estimates, "opening_luck", side, way)) for side in shown))
        for way, text in words.items()
    ]
    return Table(
        ("", *(side.label for side in shown)), tuple(rows), "Points over two games, root mean square"
    )


def every_start(estimates: pd.DataFrame, side: Side) -> Table:
    """All numbers of every start."""
    measures = ("first_wins", "pair_wins", "first_points", "pair_points")
    found = {measure: of_starts(estimates, side, measure) for measure in measures}
    rows = [
        (
            Cell(unbroken(name) + (", usual" if name == STANDARD else "")),
            *(printed_or_empty(found[measure].get(name)) for measure in measures),
        )
        for name in map(name_of, STARTS)
    ]
    heads = ("wins, one game", "wins, a pair", "points, one game", "points, a pair")
    return Table(("start", *heads), tuple(rows))


# ---------------------------------------------------------------- figures


def figures(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[Figure]:
    """The map of what pairing leaves, of every pair of players, and the histograms of the others."""
    for k, side in enumerate(shown, 1):
        if k > 1:
            yield histogram(estimates, side, f"before-after-{k}")
        yield pair_map(estimates, side, f"left-{k}")


def shares(estimates: pd.DataFrame, side: Side, measure: str) -> dict[str, Estimate]:
    """A share of games by start, without those over all starts."""
    names = {name_of(dice) for dice in STARTS}
    return {name: one for name, one in of_starts(estimates, side, measure).items() if name in names}


def histogram(estimates: pd.DataFrame, side: Side, key: str) -> Figure:
    """How many starts give the first player which share, in one game and in a pair."""
    panels = {
        "one game": shares(estimates, side, "first_wins"),
        "a pair, its second game opened with any throw": shares(estimates, side, "pair_wins"),
    }
    counts = {title: binned(found) for title, found in panels.items()}
    places = [place for bins in counts.values() for place in bins]
    with canvas(2, 1.85) as (figure, axes):
        for one, (title, bins), colour in zip(axes, counts.items(), (VERMILION, BLUE), strict=True):
            one.bar(
                [100 * BINS * (place + 0.5) for place in bins],
                list(bins.values()),
                width=85 * BINS,
                color=colour,
            )
            one.axvline(50, color=INK, linewidth=0.7)
            if places:
                one.set_xlim(100 * BINS * (min(places) - 2), 100 * BINS * (max(places) + 3))
            one.set_title(title, loc="left")
            one.set_ylabel("starts")
        axes[-1].set_xlabel("% of games won by him who throws first in the first game")
        svg = render(figure, key, f"Starts by the share of games of the first player, {side.label}")
    return Figure(
        key=key,
        title="The 225 starts, before and after pairing",
        caption=f"{side.label}. Each start stands where its share lies as seen; the noise of counting widens "
        "the heaps a little. The upright line is an even share.",
        svg=svg,
        tables=(bins_table(counts),),
    )


def binned(found: Mapping[str, Estimate]) -> dict[int, int]:
    """How many starts lie in each bar, by its place."""
    bins: dict[int, int] = {}
    for one in found.values():
        if not math.isnan(one.mean):
            place = math.floor(one.mean / BINS)
            bins[place] = bins.get(place, 0) + 1
    return dict(sorted(bins.items()))


def bins_table(counts: Mapping[str, Mapping[int, int]]) -> Table:
    """The bars as numbers."""
    places = sorted({place for bins in counts.values() for place in bins})
    rows = [
        (
            Cell(f"{number(BINS * place, 'share')} to {number(BINS * (place + 1), 'share')}"),
            *(Cell(count(bins.get(place, 0)), "", float(bins.get(place, 0))) for bins in counts.values()),
        )
        for place in places
    ]
    return Table(("share of games", *counts), tuple(rows), "starts")


def pair_map(estimates: pd.DataFrame, side: Side, key: str) -> Figure:
    """What pairing leaves of every start."""
    found = shares(estimates, side, "pair_wins")
    with canvas(1, 4.75) as (figure, (axes,)):
        draw_map(figure, axes, found, "% of a pair\u2019s games won by him who begins it", marked=True)
        svg = render(figure, key, f"What pairing leaves by start, {side.label}", from_nought=False)
    return Figure(
        key=key,
        title="What a pair leaves to him who begins it, from each of the 225 starts",
        caption=f"{side.label}; the second game opens with any throw. {PLACING} The usual start has a frame. "
        "A cross: it is not beyond doubt whom the pair favours. A bar: beyond doubt him who begins its "
        "second game.",
        svg=svg,
        tables=(map_table(found, f"% of a pair\u2019s games, {side.label}; rows a-b, columns c-d"),),
    )
