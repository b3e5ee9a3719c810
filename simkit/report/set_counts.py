"""Sets of the written game: the short answer, the figures and the tables of the question `SetCounts`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simkit.analysis.question import LONGEST
from simkit.analysis.set_counts import AGAINST, DOUBLED, OWN, QUANTILES, RUNS
from simkit.analysis.words import count, in_words, number
from simkit.report.by_pair import answer_by_pair, by_detail, by_measure, interval_words
from simkit.report.figures import (
    BLUE,
    GREEN,
    INK,
    LINES,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    Figure,
    canvas,
    dodged,
    draw_line,
    label_axes,
    legend_above,
    name_rows,
    render,
)
from simkit.report.numbers import (
    Cell,
    Estimate,
    Side,
    Table,
    by_sets,
    capital,
    choose,
    printed_or_empty,
    single,
)
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from simkit.analysis.set_counts import SetCounts
    from simkit.experiment import ExperimentResult

KINDS = (
    ("simple, in advance", "simple, in advance", "#DDEBF4", ""),
    ("simple, in arrears", "simple, in arrears", SKY, "...."),
    ("petite with pickup", "petite with a pickup", ORANGE, ""),
    ("petite without pickup", "petite without", VERMILION, "////"),
    ("grande with pickup", "grande with a pickup", GREEN, ""),
    ("grande without pickup", "grande without", PURPLE, "xxxx"),
)
"""How a set is won, by the details of the measure `kind`: with the words, colours and hatches of the figure."""
ALL_KINDS: Mapping[str, str] = {
    detail: detail.replace("pickup", "a pickup")
    for kind in ("simple", *RUNS)
    for detail in (
        kind,
        f"{kind}, in advance",
        f"{kind}, in arrears",
        *(
            f"{kind} {with_}{when}"
            for with_ in ("with pickup", "without pickup")
            for when in ("", ", in advance", ", in arrears")
            if kind in RUNS
        ),
    )
}
ENDS = (
    ("pickup", "a player goes and the set goes on", BLUE, ""),
    ("end", "a player goes and the set ends", SKY, "...."),
    ("do-over", "he goes and it is done over", GREEN, "xxxx"),
    ("reprise", "all men borne off", ORANGE, "////"),
    ("stall", "no points for too long", PURPLE, ""),
)
PRICES = ("with pickup", "without pickup", DOUBLED)
"""Ways in which an unbroken run is priced, as the details of `run_value` end."""
LONG_RUNS = ("12", "20", "30")
TARIFFS = {OWN: "by the tariff", DOUBLED: "price doubled every six holes"}
PRICED_BY = (
    "mult_petite", "mult_grande", "mult_petite_held", "mult_grande_held", "late_run_price", "consolation",
    "refait_growth", "progression",
)  # fmt: skip
"""Settlement fields that decide what a set is worth."""

LIMITS = (
    "The players do not know the tariff: they hold and go by the position alone, so that a run is neither sought "
    "nor cut short for its price. Players who play for the price would have more runs, or dearer ones.",
    "Of a set that was done over only the last attempt has holes, a kind and a value; the settings of the "
    "attempts before it are counted.",
    "What a hole is worth for winning the match is not estimated, only what it adds to the points of the set.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    return answer_by_pair(
        result,
        summary=summary,
        details=details,
        overview=overview,
        figures=figures,
        sections=sections,
        design=design,
        limits=LIMITS,
    )


def design(result: ExperimentResult) -> Iterator[tuple[str, str]]:
    """How the numbers were made, as terms and their explanation."""
    question: SetCounts = result.experiment.analysis  # type: ignore[assignment]
    yield "sets", f"matches of {LONGEST} sets are played; cut sets are in no number but their own share"
    yield (
        "lengths",
        f"{in_words(sorted(question.lengths))} sets, where a match is settled; the first of the long match",
    )
    yield "pairing", "all rule sets and pairs of players meet the same dice, place by place"
    yield (
        "groups",
        "numbers per set are clustered by match: sums over 64 groups of matches are the units of their intervals",
    )


# ---------------------------------------------------------------- words


def summary(frame: pd.DataFrame, side: Side) -> str:
    """The answer in two sentences: holes, kinds and value of a set, by the first rule set and pair."""
    won, lost, worth = (
        single(frame, measure, side, detail)
        for measure, detail in (("winner_holes", None), ("loser_holes", None), ("value_mean", OWN))
    )
    median, petite, grande = (
        single(frame, measure, side, detail)
        for measure, detail in ((f"value_quantile_{OWN}", "0.5"), ("kind", "petite"), ("kind", "grande"))
    )
    if not (won and lost and worth and median and petite and grande):
        return "Too little was estimated."
    return (
        f"With {side.player_1} against {side.player_2} by {side.rules}, a set is won with {said(won)} holes "
        f"against {said(lost)} in the mean; {said(petite)} of sets are petites bredouilles and {said(grande)} "
        f"grandes. A set is worth {said(worth)} points in the mean, and every second one at most "
        f"{said(median)}."
    )


def said(e: Estimate | None) -> str:
    """A number without its interval."""
    return number(e.mean, e.unit) if e else "\u2013"


def details(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> Iterator[tuple[str, str]]:
    """The numbers behind the summary, each paragraph with its heading; of the first pair of players."""
    pair, here = next(iter(pairs.items()))
    frame, side = result.estimates, here[0]
    yield "Long sets.", long_words(frame, side)
    yield "Pickups.", pickup_words(frame, side)
    yield "Who scored first.", advance_words(frame, side)
    yield "How sets end.", ends_words(frame, side)
    yield "What sets are worth.", value_words(frame, side)
    yield "One set.", one_set_words(frame, side)
    yield "The twelfth hole.", hole_words(frame, side)
    yield (
        "How sure.",
        (
            f"These are numbers of {pair} by {side.rules}, "
            f"{count(first(frame, 'winner_holes', side).n)} matches of {LONGEST} sets. The intervals cover "
            "chance; they do not cover players better than these programs, "
            "nor players who play for the tariff."
        ),
    )


def first(frame: pd.DataFrame, measure: str, side: Side) -> Estimate:
    """The first estimate of a measure that every run of this question has."""
    return choose(frame, measure, side)[0]


def long_words(frame: pd.DataFrame, side: Side) -> str:
    """How many sets have twelve holes and more."""
    parts = [
        f"{holes} or more in {interval_words(e)}"
        for holes in LONG_RUNS
        for e in [single(frame, "winner_holes_from", side, holes)]
        if e
    ]
    return f"The winner has {'; '.join(parts)} of sets."


def pickup_words(frame: pd.DataFrame, side: Side) -> str:
    """How many unbroken runs had a pickup for one without."""
    parts = [
        f"{interval_words(e)} {kind}s"
        for kind in RUNS
        for e in [single(frame, "pickup_ratio", side, kind)]
        if e
    ]
    return (
        f"For one run without a pickup of the winner there are {in_words(parts)} with one. The tariff of "
        "ecrire_classical pays them 3 to 2 and 5 to 4."
    )


def advance_words(frame: pd.DataFrame, side: Side) -> str:
    """How often the winner had made the first hole."""
    advance = single(frame, "in_advance", side)
    text = f"The player who makes the first hole wins {interval_words(advance)} of sets." if advance else ""
    parts = [
        f"{said(late)} of all sets are {kind}s of the player who scored second"
        for kind in RUNS
        for late in [single(frame, "kind", side, f"{kind}, in arrears")]
    ]
    return f"{text} {capital(in_words(parts))}."


def ends_words(frame: pd.DataFrame, side: Side) -> str:
    """Concessions, do-overs, and the ends of settings."""
    conceded, over, twice = (
        single(frame, measure, side) for measure in ("conceded", "done_over", "done_over_twice")
    )
    goes, ends, reprise = (
        single(frame, "settings_ended", side, detail) for detail in ("going", "end", "reprise")
    )
    return (
        f"{said(conceded)} of sets are conceded; {said(over)} are done over, {said(twice)} more than once. Of "
        f"settings {said(goes)} end by going, {said(ends)} with the set itself; {said(reprise)} by bearing off."
    )


def value_words(frame: pd.DataFrame, side: Side) -> str:
    """Where the points come from, and how far they spread."""
    low, high = (single(frame, f"value_quantile_{OWN}", side, f"{q:g}") for q in (0.05, 0.95))
    parts = [
        f"{said(single(frame, 'points_by_kind', side, kind))} from {words}"
        for kind, words in (("simple", "simple sets"), ("petite", "petites"), ("grande", "grandes"))
    ]
    return f"Nine sets in ten are worth {said(low)} to {said(high)} points. Of all points {in_words(parts)}."


def one_set_words(frame: pd.DataFrame, side: Side) -> str:
    """How much of a match hangs on one set, and what the doubled price would do."""
    own, other, changed = (
        by_length(frame, measure, side, 8)
        for measure in (f"one_set_decides_{OWN}", f"one_set_decides_{DOUBLED}", "doubling_changes_winner")
    )
    long_run, mean, spread = (
        single(frame, measure, side, detail)
        for measure, detail in (
            ("run_holes_from", "18"),
            ("value_mean_ratio", None),
            ("value_sd_ratio", None),
        )
    )
    if not (own and other and changed):
        return "No match of eight sets was settled."
    return (
        f"In {interval_words(own)} of matches of eight sets the winner would not have won without the points of "
        f"one set. If the price of an unbroken run doubled every six holes, in {said(other)}; the winner would be "
        f"another in {interval_words(changed)} of matches. Runs of 18 holes and more, the only ones that price "
        f"makes dearer, are {said(long_run)} of sets; the mean value of a set would be {said(mean)} times "
        f"what it is, its standard deviation {said(spread)} times."
    )


def by_length(frame: pd.DataFrame, measure: str, side: Side, sets: int) -> Estimate | None:
    """A measure at one number of sets."""
    return next((e for e in choose(frame, measure, side) if e.sets == sets), None)


def hole_words(frame: pd.DataFrame, side: Side) -> str:
    """What the eleventh, twelfth and thirteenth hole of a run add, and how often a run comes so far."""
    adds = [single(frame, "hole_adds", side, f"hole {k}, with pickup") for k in (11, 12, 13)]
    eleven, twelve = (single(frame, "run_holes_from", side, k) for k in ("11", "12"))
    return (
        f"Against {AGAINST} holes of the other the eleventh hole of an unbroken run adds {said(adds[0])} points, "
        f"the twelfth {said(adds[1])}, the thirteenth {said(adds[2])}. {said(eleven)} of sets are unbroken runs "
        f"of eleven holes or more, {said(twelve)} of twelve."
    )


# ---------------------------------------------------------------- tables


def overview(frame: pd.DataFrame, pair: str, here: Sequence[Side]) -> Table:
    """The main numbers of each rule set for one pair of players."""
    asked = (
        ("winner_holes", None, "winner\u2019s holes"),
        ("loser_holes", None, "loser\u2019s holes"),
        ("kind", "petite", "petites"),
        ("kind", "grande", "grandes"),
        ("in_advance", None, "won in advance"),
        ("value_mean", OWN, "points of a set"),
    )
    rows = tuple(
        (
            Cell(side.rules),
            *(printed_or_empty(single(frame, measure, side, detail)) for measure, detail, _ in asked),
        )
        for side in here
    )
    heads = ("rule set", *(words for _, _, words in asked))
    return Table(heads, rows, f"{capital(pair)}; beneath a number its 95\u202f% interval")


def sections(frame: pd.DataFrame, pairs: Mapping[str, Sequence[Side]]) -> Iterator[Section]:
    """The tables that belong to no figure."""
    columns = {pair: {side.rules: side for side in here} for pair, here in pairs.items()}
    yield Section(
        key="pickups",
        title="Runs with and without a pickup",
        text=(
            "How many unbroken runs with a pickup of the winner there are for one without. Were a price inverse "
            "to the frequency, 3 to 2 would suit petites if there were 1.5, and 5 to 4 grandes if there were "
            "1.25.",
        ),
        groups=tuple(
            (
                pair,
                (by_detail(frame, "pickup_ratio", by_rules, dict(zip(RUNS, RUNS, strict=True))),),
            )
            for pair, by_rules in columns.items()
        ),
    )
    yield Section(
        key="multiplier",
        title="How many times sets count",
        text=(
            "Share of decided sets by the number of times that holes and consolation count by the tariff: once a "
            "simple set, more a petite or a grande, and more still a run without a pickup where it has its own "
            "price. A late run is priced by the other\u2019s pickups where the rules say so.",
        ),
        groups=tuple(
            (pair, (by_detail(frame, "multiplier", by_rules, {str(k): f"{k} times" for k in range(1, 9)}),))
            for pair, by_rules in columns.items()
        ),
    )
    yield Section(
        key="doubled",
        title="A price that doubles every six holes",
        text=(
            "The same play settled by each tariff, and by the same with a price of unbroken runs of 2, 4, 8 and "
            "so on at 6, 12, 18 holes. In ecrire_classical that price also takes the place of the higher prices "
            "without a pickup. One set decides: the winner\u2019s dearest set is worth the exact result or more.",
        ),
        groups=tuple(
            (
                pair,
                (
                    by_measure(
                        frame,
                        by_rules,
                        {
                            "value_mean_ratio": "mean value of a set, times that by the tariff",
                            "value_sd_ratio": "its standard deviation, times that by the tariff",
                        },
                    ),
                    *(doubled_table(frame, side) for side in by_rules.values()),
                ),
            )
            for pair, by_rules in columns.items()
        ),
    )
    yield Section(
        key="skill",
        title="What changes with the players",
        text=(
            f"Numbers less those of {next(iter(pairs))}; where an interval holds nought, none can be told.",
        ),
        groups=tuple((pair, (skill_table(frame, here),)) for pair, here in list(pairs.items())[1:]),
    )


def doubled_table(frame: pd.DataFrame, side: Side) -> Table:
    """What matches come to by the tariff and by the doubled price, by number of sets."""
    asked = {"doubling_changes_winner": "winner changes"}
    for measure, words in (
        ("one_set_decides", "one set decides"),
        ("dearest_set", "dearest set, of all points"),
        ("result", "size of the result"),
    ):
        asked |= {f"{measure}_{name}": f"{words}, {by}" for name, by in TARIFFS.items()}
    return by_sets({words: choose(frame, measure, side) for measure, words in asked.items()}, side.rules)


def skill_table(frame: pd.DataFrame, here: Sequence[Side]) -> Table:
    """Differences of one pair of players from the first, by rule set."""
    asked = (
        ("winner_holes_by_skill", None, "winner\u2019s holes"),
        ("loser_holes_by_skill", None, "loser\u2019s holes"),
        ("kind_by_skill", "petite", "petites"),
        ("kind_by_skill", "grande", "grandes"),
        ("conceded_by_skill", None, "conceded"),
        ("done_over_by_skill", None, "done over"),
    )
    rows = tuple(
        (Cell(words), *(printed_or_empty(single(frame, measure, side, detail)) for side in here))
        for measure, detail, words in asked
    )
    return Table(("", *(side.rules for side in here)), rows)


# ---------------------------------------------------------------- figures


def figures(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> Iterator[Figure]:
    """Every figure, in the order of the page."""
    frame = result.estimates
    firsts = {pair: here[0] for pair, here in pairs.items()}
    yield holes_figure(frame, firsts)
    yield tail_figure(frame, firsts)
    yield stacked(
        frame, pairs, "kind", KINDS, "kinds", "How sets are won",
        "Share of decided sets. In advance: the winner had made the first hole. With a pickup: he had gone since "
        "his first hole and before the end. The table has the petites and grandes in advance and in arrears.",
        "share of decided sets, %", ALL_KINDS,
    )  # fmt: skip
    yield stacked(
        frame, pairs, "settings_ended", ENDS, "ends", "How settings end",
        "What lies between two starts of the men is counted as a setting here, so that bearing off ends one. "
        "Attempts that were done over are among them.",
        "share of settings, %", {"going": "a player goes, all together"} | {d: w for d, w, _, _ in ENDS},
    )  # fmt: skip
    priced = distinct_tariffs(result, pairs)
    yield value_figure(frame, priced)
    yield hole_figure(frame, next(iter(priced.values())))
    yield one_set_figure(frame, firsts)


def distinct_tariffs(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> dict[str, list[Side]]:
    """The sides of each pair whose tariffs of a set differ, the first of each."""
    own: dict[str, Any] = {
        rules.name: tuple(getattr(rules.settlement, field) for field in PRICED_BY) for rules in result.rules
    }
    found: dict[str, list[Side]] = {}
    for pair, here in pairs.items():
        known: dict[Any, Side] = {}
        for side in here:
            known.setdefault(own[side.rules], side)
        found[pair] = list(known.values())
    return found


def holes_figure(frame: pd.DataFrame, firsts: Mapping[str, Side]) -> Figure:
    """Shares of sets by the winner's and by the loser's holes."""
    tables = []
    with canvas(len(firsts), 2.3) as (figure, panels):
        for axes, (pair, side) in zip(panels, firsts.items(), strict=True):
            series = {words: choose(frame, f"{measure}_share", side) for measure, words in HOLES.items()}
            for style, (words, found) in zip(LINES, series.items(), strict=False):
                draw_line(axes, found, words, style, x=[int(e.detail) for e in found])
            tables.append(by_number(series, "holes", f"{pair}: share of decided sets"))
            axes.set_title(pair, loc="left", style="italic")
            label_axes(axes, "share of sets, %", list(range(0, 25, 2)), "holes")
        legend_above(figure, panels[0])
        svg = render(figure, "holes", "Lines: shares of sets by holes of winner and loser.")
    return Figure(
        "holes",
        "Holes of winner and loser",
        f"Share of decided sets with so many holes, by {next(iter(firsts.values())).rules}; bars are 95\u202f% "
        "intervals. Sets with more holes than shown are in the next figure.",
        svg,
        tuple(tables),
    )


HOLES: Mapping[str, str] = {"winner_holes": "the winner\u2019s", "loser_holes": "the loser\u2019s"}
TAILS: Mapping[str, str] = {"winner_holes": "the winner\u2019s holes", "run_holes": "in one unbroken run"}


def tail_figure(frame: pd.DataFrame, firsts: Mapping[str, Side]) -> Figure:
    """Share of sets with so many holes or more, on a logarithmic scale."""
    tables = []
    with canvas(len(firsts), 2.4) as (figure, panels):
        for axes, (pair, side) in zip(panels, firsts.items(), strict=True):
            series = {words: choose(frame, f"{measure}_from", side) for measure, words in TAILS.items()}
            for style, (words, found) in zip(LINES, series.items(), strict=False):
                seen = [e for e in found if e.mean]
                draw_line(axes, seen, words, style, x=[int(e.detail) for e in seen])
            per_cent_scale(axes)
            axes.set_title(pair, loc="left", style="italic")
            label_axes(axes, "share of sets, %", list(range(6, 37, 6)), "holes, or more")
            tables.append(by_number(series, "holes, or more", pair))
        legend_above(figure, panels[0])
        svg = render(figure, "tail", "Lines: share of sets with so many holes or more.", from_nought=False)
    return Figure(
        "tail",
        "How long sets get",
        f"Share of decided sets in which the winner has so many holes or more, by "
        f"{next(iter(firsts.values())).rules}, on a logarithmic scale; bars are 95\u202f% intervals. Numbers that "
        "were never seen are in the table only, with what they may be.",
        svg,
        tuple(tables),
    )


def by_number(series: Mapping[str, Sequence[Estimate]], head: str, caption: str) -> Table:
    """A row for each number that is a detail, a column for each series."""
    found = {words: {e.detail: e for e in line} for words, line in series.items()}
    numbers = sorted({int(detail) for line in found.values() for detail in line})
    rows = tuple(
        (Cell(str(k)), *(printed_or_empty(line.get(str(k))) for line in found.values())) for k in numbers
    )
    return Table((head, *found), rows, caption)


def per_cent_scale(axes: Axes) -> None:
    """A logarithmic axis of per cent, its ticks written out."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axes.set_yscale("log", nonpositive="clip")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def stacked(
    frame: pd.DataFrame,
    pairs: Mapping[str, Sequence[Side]],
    measure: str,
    parts: Sequence[tuple[str, str, str, str]],
    key: str,
    title: str,
    caption: str,
    scale: str,
    table: Mapping[str, str],
) -> Figure:
    """Parts of a whole as bars, a panel for each pair of players and a row for each rule set."""
    tables = []
    everybody = [side for here in pairs.values() for side in here]
    seen = [
        part
        for part in parts
        if any(e.mean for s in everybody for e in choose(frame, measure, s, detail=part[0]))
    ]
    with canvas(len(pairs), 0.75 + 0.27 * max(map(len, pairs.values()))) as (figure, panels):
        for axes, (pair, here) in zip(panels, pairs.items(), strict=True):
            left = [0.0] * len(here)
            for detail, words, colour, hatch in seen:
                found = [single(frame, measure, side, detail) for side in here]
                width = [100 * e.mean if e else 0.0 for e in found]
                axes.barh(
                    range(len(here)), width, left=left, height=0.66, label=words, color=colour, hatch=hatch,
                    edgecolor=INK, linewidth=0.5,
                )  # fmt: skip
                left = [a + b for a, b in zip(left, width, strict=True)]
            name_rows(axes, [side.rules for side in here])
            axes.set_title(pair, loc="left", style="italic")
            tables.append(by_detail(frame, measure, {side.rules: side for side in here}, table, pair))
        panels[-1].set_xlabel(scale)
        legend_above(figure, panels[0])
        svg = render(figure, key, f"Stacked bars: {title.lower()}.", from_nought=False)
    return Figure(key, title, caption, svg, tuple(tables))


def value_figure(frame: pd.DataFrame, priced: Mapping[str, Sequence[Side]]) -> Figure:
    """Share of sets worth so many points or more, by each tariff and by the doubled price."""
    tables = []
    with canvas(len(priced), 2.4) as (figure, panels):
        for axes, (pair, here) in zip(panels, priced.items(), strict=True):
            series = {side.rules: choose(frame, f"value_from_{OWN}", side) for side in here}
            series[f"{here[0].rules}, doubled"] = choose(frame, f"value_from_{DOUBLED}", here[0])
            for style, (words, found) in zip(LINES, series.items(), strict=False):
                seen = [e for e in found if e.mean]
                draw_line(axes, seen, words, style, x=[int(e.detail) for e in seen])
            per_cent_scale(axes)
            axes.set_xscale("log")
            axes.set_title(pair, loc="left", style="italic")
            label_axes(axes, "share of sets, %", [], "points, or more")
            ticks = [3, 5, 10, 20, 50, 100, 200, 500]
            axes.set_xticks(ticks, [str(tick) for tick in ticks])
            axes.xaxis.set_minor_locator(no_ticks())
            tables.append(by_number(series, "points, or more", pair))
            tables.append(value_table(frame, pair, here))
        legend_above(figure, panels[0])
        svg = render(figure, "value", "Lines: share of sets worth so many points or more.", from_nought=False)
    return Figure(
        "value",
        "What sets are worth",
        "Share of decided sets worth so many points or more to the winner, both scales logarithmic; bars are "
        "95\u202f% intervals. Rule sets with the same tariff are shown once. Doubled: a price of unbroken runs "
        "that doubles every six holes.",
        svg,
        tuple(tables),
    )


def no_ticks() -> Any:
    """Nothing between the ticks that are named."""
    from matplotlib.ticker import NullLocator

    return NullLocator()


def value_table(frame: pd.DataFrame, pair: str, here: Sequence[Side]) -> Table:
    """Mean, standard deviation and quantiles of the value of a set, by each tariff and by the doubled price."""
    columns = [(side.rules, side, OWN) for side in here]
    columns.append((f"{here[0].rules}, doubled", here[0], DOUBLED))
    asked: list[tuple[str, str | None, str]] = [
        ("value_mean", None, "mean"),
        ("value_sd", None, "standard deviation"),
    ]
    asked += [("value_quantile", f"{q:g}", f"{100 * q:g} % quantile") for q in QUANTILES]
    rows = []
    for measure, part, words in asked:
        cells = [
            single(frame, f"{measure}_{tariff}" if part else measure, side, part or tariff)
            for _, side, tariff in columns
        ]
        rows.append((Cell(words), *map(printed_or_empty, cells)))
    return Table(("points of a set", *(words for words, _, _ in columns)), tuple(rows), pair)


def hole_figure(frame: pd.DataFrame, here: Sequence[Side]) -> Figure:
    """What an unbroken run comes to by its holes, with and without a pickup: computed steps."""
    series: dict[str, list[Estimate]] = {}
    tables = []
    for side in here:
        found, adds = (
            {words: run_values(frame, measure, side, words) for words in PRICES}
            for measure in ("run_value", "hole_adds")
        )
        for words, line in found.items():
            if not any([e.mean for e in line] == [e.mean for e in other] for other in series.values()):
                series[f"{side.rules}, {words}"] = line
        columns = {f"a run {words}": line for words, line in found.items()}
        columns |= {f"its last hole adds, {words}": line for words, line in adds.items()}
        tables.append(by_number(columns, "holes", side.rules))
    with canvas(1, 3.0) as (figure, (axes,)):
        for style, (words, line) in zip(LINES, series.items(), strict=False):
            axes.plot(
                [int(e.detail) for e in line],
                [e.mean for e in line],
                label=words,
                drawstyle="steps-mid",
                **style,
            )
        label_axes(axes, "points", list(range(7, 20)), "holes of the run")
        legend_above(figure, axes)
        svg = render(figure, "twelfth", "Steps: what an unbroken run is worth by its holes.")
    return Figure(
        "twelfth",
        "What an unbroken run is worth",
        f"Points of a set won by an unbroken run of so many holes against {AGAINST} of the other, without a do-"
        "over, computed from the tariffs. Lines that would lie upon others are left out.",
        svg,
        tuple(tables),
    )


def run_values(frame: pd.DataFrame, measure: str, side: Side, words: str) -> list[Estimate]:
    """The computed numbers of a run by its holes, the number of holes as their detail."""
    found = [
        replace(e, detail=e.detail.removeprefix("hole ").partition(",")[0])
        for e in choose(frame, measure, side)
        if e.detail.endswith(f", {words}")
    ]
    return sorted(found, key=lambda e: int(e.detail))


def one_set_figure(frame: pd.DataFrame, firsts: Mapping[str, Side]) -> Figure:
    """How often one set decides a match, by its sets, under both tariffs."""
    tables = []
    with canvas(len(firsts), 2.2) as (figure, panels):
        for axes, (pair, side) in zip(panels, firsts.items(), strict=True):
            series = {
                words: choose(frame, f"one_set_decides_{name}", side) for name, words in TARIFFS.items()
            }
            for beside, (words, found) in dodged(series):
                draw_line(axes, found, words, **beside)
            axes.set_title(pair, loc="left", style="italic")
            label_axes(axes, "share of matches, %", [e.sets for e in found])
            tables.append(by_sets(series, pair))
        legend_above(figure, panels[0])
        svg = render(figure, "one-set", "Lines: how often one set decides a match, by its sets.")
    return Figure(
        "one-set",
        "How often one set decides a match",
        "Share of matches whose winner would not have won without the points of his dearest set, by "
        f"{next(iter(firsts.values())).rules}; bars are 95\u202f% intervals.",
        svg,
        tuple(tables),
    )
