"""Length of sets and written matches: the short answer, figures and tables of the question `WrittenDuration`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simkit.analysis.question import LONGEST
from simkit.analysis.words import count, in_words, number
from simkit.analysis.written_duration import (
    MEDIAN_SET,
    MINUTES_OF_A_PARTIE,
    MINUTES_OF_A_SET,
    QUANTILES,
)
from simkit.report.by_pair import answer_by_pair, by_detail, by_measure, interval_words
from simkit.report.figures import (
    BLUE,
    INK,
    LINES,
    ORANGE,
    Figure,
    canvas,
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

    from simkit.analysis.written_duration import WrittenDuration
    from simkit.experiment import ExperimentResult

SPREAD: Mapping[str, str] = {f"{part:g}": f"{100 * part:g} % quantile" for part in QUANTILES}

LIMITS = (
    "Nobody has measured how long a roll takes. It is one number here, the same for all rolls of a match: rolls "
    "that are pondered and rolls that are not, tired players and breaks are not in it.",
    "The intervals of minutes, and of what lasts as the sources say, take the fitted speed as given; how sure it "
    "is stands beside it.",
    "The ranges of the sources for matches are those of a set times the number of sets. Long and short sets of a "
    "match make up for one another, so that matches vary less than such a range; that nearly all lie in it is "
    "no proof that the range of a set is right.",
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
    question: WrittenDuration = result.experiment.analysis  # type: ignore[assignment]
    yield (
        "lengths",
        f"matches of {LONGEST} sets are played; the first {in_words(sorted(question.lengths)[:-1])} of them are "
        "the shorter matches; matches with a cut set are left out",
    )
    yield "parties", "one partie in twelve holes for every match, by the same rules of the game and players"
    yield (
        "minutes",
        f"a roll takes so long that the median set, do-overs included, lasts {MEDIAN_SET} minutes; the number is "
        "fitted for each rule set and pair of players",
    )
    yield (
        "quantiles",
        "of matches and parties by order statistics; of sets by Woodruff\u2019s method, clustered by match over "
        "64 groups of matches",
    )


# ---------------------------------------------------------------- words


def summary(frame: pd.DataFrame, side: Side) -> str:
    """The answer in two sentences, by the first rule set and pair of players."""
    rolls = {e.detail: e for e in choose(frame, "set_rolls_quantile", side)}
    match = [(e.sets, hours(e)) for e in at_part(frame, "minutes_quantile", side, "0.5")]
    seconds, within = single(frame, "seconds_fitted", side), single(frame, "sets_within_stated", side)
    if not (rolls and match and seconds and within):
        return "Too little was estimated."
    return (
        f"With {side.player_1} against {side.player_2} by {side.rules}, every second set takes at most "
        f"{count(rolls['0.5'].mean)} rolls, and nine in ten {count(rolls['0.05'].mean)} to "
        f"{count(rolls['0.95'].mean)}. If a roll takes {number(seconds.mean, '')} seconds, so that the median set "
        f"lasts half an hour, {number(within.mean, within.unit)} of sets last {MINUTES_OF_A_SET[0]} to "
        f"{MINUTES_OF_A_SET[1]} minutes, and the median match of {in_words([sets for sets, _ in match])} sets "
        f"{in_words([time for _, time in match])} hours."
    )


def hours(e: Estimate) -> str:
    """Minutes as hours."""
    return number(e.mean / 60, "")


def at_part(frame: pd.DataFrame, measure: str, side: Side, part: str) -> list[Estimate]:
    """One quantile at every number of sets."""
    return choose(frame, measure, side, detail=part)


def details(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> Iterator[tuple[str, str]]:
    """The numbers behind the summary, each paragraph with its heading; of the first pair of players."""
    pair, here = next(iter(pairs.items()))
    frame, side = result.estimates, here[0]
    yield "The speed.", speed_words(frame, side)
    yield "Sets and parties.", partie_words(frame, side)
    yield "Matches.", match_words(frame, side)
    yield "Settings and do-overs.", setting_words(frame, side)
    if len(here) > 1:
        yield "Rule sets.", rules_words(result, here)
    n = choose(frame, "set_rolls", side)[0].n
    yield (
        "How sure.",
        (
            f"These are numbers of {pair} by {side.rules}, {count(n)} matches of {LONGEST} sets and as many "
            "parties. The intervals cover chance; they do not cover players better than these programs, nor how "
            "fast people play."
        ),
    )


def speed_words(frame: pd.DataFrame, side: Side) -> str:
    """The fitted number, and whether any would keep nine sets in ten within the stated range."""
    fitted = single(frame, "seconds_fitted", side)
    least, most = (single(frame, "seconds_to_fit", side, part) for part in ("0.05", "0.95"))
    best = max(choose(frame, "sets_within", side), key=lambda e: e.mean)
    if not (fitted and least and most):
        return "No set was played out."
    low, high = MINUTES_OF_A_SET
    text = (
        f"How long a roll takes with its marking and moving is fitted: {interval_words(fitted)} seconds make the "
        f"median set last {MEDIAN_SET} minutes, the middle of the sources\u2019 {low} to {high}. "
        f"For the shortest twentieth of sets to end within {low} minutes a roll would take "
        f"{number(least.mean, '')} seconds, for the longest twentieth to begin at {high}, "
        f"{number(most.mean, '')}. "
    )
    if least.mean <= most.mean:
        return text + "At any speed between, nine sets in ten last as the sources say."
    return text + (
        "No speed does both: sets vary more than the range of the sources. At most, of the speeds tried, "
        f"{number(best.mean, best.unit)} of sets last so long, at {best.detail} seconds."
    )


def partie_words(frame: pd.DataFrame, side: Side) -> str:
    """A set beside a partie, and parties beside their stated range."""
    ratio, rolls, partie, within = (
        single(frame, measure, side)
        for measure in ("set_to_partie", "set_rolls", "partie_rolls", "parties_within_stated")
    )
    if not (ratio and rolls and partie and within):
        return "No partie was played out."
    low, high = MINUTES_OF_A_PARTIE
    return (
        f"A set takes {number(rolls.mean, rolls.unit)} rolls in the mean and a partie in twelve holes by the same "
        f"rules {number(partie.mean, partie.unit)}: a set is {interval_words(ratio)} times as long. At the fitted "
        f"speed {interval_words(within)} of parties last {low} to {high} minutes."
    )


def match_words(frame: pd.DataFrame, side: Side) -> str:
    """Matches beside their stated ranges, and to which side they lean."""
    within, above, even, skew = (
        choose(frame, measure, side)
        for measure in (
            "matches_within_stated", "matches_above_middle", "above_middle_by_range", "skewness"
        )
    )  # fmt: skip
    seconds = single(frame, "seconds_by_range", side)
    lengths = in_words([e.sets for e in within])
    return (
        f"Of matches of {lengths} sets {in_words([number(e.mean, e.unit) for e in within])} last as stated at the "
        f"fitted speed, {in_words([number(e.mean, e.unit) for e in above])} longer than the middle of the range. "
        f"{mean_words(frame, side)}{range_words(seconds, even)}The skewness of the rolls is "
        f"{in_words([number(e.mean, '') for e in skew])}."
    )


def range_words(seconds: Estimate | None, above: Sequence[Estimate]) -> str:
    """The same at the speed by which as many sets are shorter than their range as are longer."""
    if seconds is None:
        return ""
    low, high = MINUTES_OF_A_SET
    return (
        f"At {interval_words(seconds)} seconds a roll as many sets last under {low} minutes as over {high}; then "
        f"{in_words([interval_words(e) for e in above])} of matches are longer than the middle. "
    )


def mean_words(frame: pd.DataFrame, side: Side) -> str:
    """Why matches lean to the upper end, where the mean set is longer than the median one."""
    mean, median = single(frame, "set_rolls", side), single(frame, "set_rolls_quantile", side, "0.5")
    if mean is None or median is None or mean.low <= median.mean:
        return ""
    return (
        "The mean set is longer than the median one, by which the speed is fitted; the more sets a match has, the "
        "nearer it comes to the mean. "
    )


def setting_words(frame: pd.DataFrame, side: Side) -> str:
    """Settings of a set, and the rolls spent on do-overs."""
    settings, each, again = (
        single(frame, measure, side) for measure in ("set_settings", "rolls_per_setting", "rolls_done_over")
    )
    return (
        f"A set has {interval_words(settings)} settings of {interval_words(each)} rolls in the mean. "
        f"{number(again.mean, again.unit)} of all rolls are played in attempts that are done over."
        if settings and each and again
        else ""
    )


def rules_words(result: ExperimentResult, here: Sequence[Side]) -> str:
    """The mean rolls of a set under each rule set."""
    frame = result.estimates
    said = [
        f"{number(e.mean, e.unit)} by {side.rules}"
        for side in here
        for e in choose(frame, "set_rolls", side)[:1]
    ]
    return f"Rolls of a set in the mean: {in_words(said)}."


# ---------------------------------------------------------------- tables


def overview(frame: pd.DataFrame, pair: str, here: Sequence[Side]) -> Table:
    """The main numbers of each rule set for one pair of players."""
    asked = (
        ("set_rolls", None, "rolls of a set, mean"),
        ("set_rolls_quantile", "0.5", "median"),
        ("set_settings", None, "settings of a set, mean"),
        ("set_to_partie", None, "times a partie"),
        ("sets_within_stated", None, "15 to 45 minutes"),
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
        key="sets",
        title="Rolls and settings of sets and parties",
        text=("Do-overs included. A setting lies between two pickups; bearing off does not end it.",),
        groups=tuple((pair, tuple(set_tables(frame, by_rules))) for pair, by_rules in columns.items()),
    )
    yield Section(
        key="matches",
        title="Rolls and settings of matches",
        text=(
            "Means and quantiles by number of sets, and the skewness of the rolls: 0 would be an even spread.",
        ),
        groups=tuple(
            (pair, tuple(match_table(frame, side) for side in by_rules.values()))
            for pair, by_rules in columns.items()
        ),
    )
    yield Section(
        key="differences",
        title="Differences between rule sets and players",
        text=(
            f"Numbers less those of {next(iter(next(iter(columns.values()))))} with the same players, and less "
            f"those of {next(iter(pairs))} by the same rules. Where an interval holds nought, none can be told.",
        ),
        groups=tuple((pair, tuple(difference_tables(frame, by_rules))) for pair, by_rules in columns.items()),
    )


def set_tables(frame: pd.DataFrame, by_rules: Mapping[str, Side]) -> Iterator[Table]:
    """Means and quantiles of sets and parties."""
    yield by_measure(
        frame,
        by_rules,
        {
            "set_rolls": "rolls of a set, mean",
            "set_settings": "settings of a set, mean",
            "rolls_per_setting": "rolls of a setting, mean",
            "rolls_done_over": "rolls in attempts done over",
            "partie_rolls": "rolls of a partie, mean",
            "set_to_partie": "a set, times a partie",
            "seconds_fitted": "seconds a roll, fitted",
        },
        "Means",
    )
    for measure, words in (
        ("set_rolls_quantile", "Rolls of a set"),
        ("set_settings_quantile", "Settings of a set"),
        ("partie_rolls_quantile", "Rolls of a partie"),
    ):
        yield by_detail(frame, measure, by_rules, SPREAD, words)


def match_table(frame: pd.DataFrame, side: Side) -> Table:
    """Rolls and settings of matches of one rule set."""
    series = {"rolls, mean": choose(frame, "rolls", side)}
    for name in ("rolls", "settings"):
        series |= {
            f"{name}, {SPREAD[part]}": at_part(frame, f"{name}_quantile", side, part) for part in SPREAD
        }
    return by_sets(series | {"skewness": choose(frame, "skewness", side)}, side.rules)


def difference_tables(frame: pd.DataFrame, by_rules: Mapping[str, Side]) -> Iterator[Table]:
    """Differences from the first rule set, and from the first pair of players."""
    named = {
        "set_rolls": "rolls of a set",
        "set_settings": "settings of a set",
        "partie_rolls": "rolls of a partie",
    }
    for ending, words in (("by_rules", "Less the first rule set"), ("by_skill", "Less the first players")):
        table = by_measure(
            frame, by_rules, {f"{measure}_{ending}": said for measure, said in named.items()}, words
        )
        if table.rows:
            yield table


# ---------------------------------------------------------------- figures


def figures(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> Iterator[Figure]:
    """Every figure, in the order of the page."""
    frame = result.estimates
    firsts = {pair: here[0] for pair, here in pairs.items()}
    yield match_figure(frame, firsts)
    yield range_figure(frame, pairs)
    yield speed_figure(frame, firsts)
    yield middle_figure(frame, firsts)


def draw_range(axes: Axes, row: float, found: Sequence[Estimate], scale: float = 1.0) -> None:
    """Quantiles as a thin line, a thick one for the middle half, and a stroke at the median."""
    ends = [e.mean * scale for e in found]
    axes.plot([ends[0], ends[-1]], [row, row], color=BLUE, linewidth=1.2)
    axes.plot([ends[1], ends[-2]], [row, row], color=BLUE, linewidth=5, solid_capstyle="butt")
    axes.plot([ends[2]], [row], marker="|", markersize=11, markeredgewidth=2.2, color=INK)


def draw_stated(axes: Axes, row: float, stated: tuple[float, float], label: str = "") -> None:
    """What the sources say, as a band behind the range."""
    axes.barh(
        [row], [stated[1] - stated[0]], left=[stated[0]], height=0.72, color="#f3e3bd", edgecolor=ORANGE,
        linewidth=0.8, label=label or None, zorder=0.5,
    )  # fmt: skip


def match_figure(frame: pd.DataFrame, firsts: Mapping[str, Side]) -> Figure:
    """Hours of matches by their sets, over the ranges of the sources."""
    tables = []
    lengths = sorted({e.sets for e in choose(frame, "rolls", next(iter(firsts.values())))})
    with canvas(len(firsts), 0.8 + 0.33 * len(lengths)) as (figure, panels):
        for axes, (pair, side) in zip(panels, firsts.items(), strict=True):
            for row, sets in enumerate(lengths):
                stated = tuple(sets * minutes / 60 for minutes in MINUTES_OF_A_SET)
                draw_stated(axes, row, (stated[0], stated[1]), "" if row else "stated by the sources")
                found = [e for e in choose(frame, "minutes_quantile", side) if e.sets == sets]
                draw_range(axes, row, found, 1 / 60)
            name_rows(axes, [f"{sets} sets" for sets in lengths])
            axes.set_xlim(left=0)
            axes.set_xticks(range(0, round(lengths[-1] * MINUTES_OF_A_SET[1] / 60) + 1, 3))
            axes.set_title(pair, loc="left", style="italic")
            tables.append(hours_table(frame, side, pair))
        panels[-1].set_xlabel("hours at the fitted speed")
        legend_above(figure, panels[0])
        svg = render(figure, "matches", "Ranges: hours of a match by its sets.", from_nought=False)
    return Figure(
        "matches",
        "How long a match lasts",
        f"By {next(iter(firsts.values())).rules}, a roll taking so long that the median set lasts {MEDIAN_SET} "
        "minutes. Thin line: from the 5\u202f% to the 95\u202f% quantile; thick: the middle half; stroke: the "
        "median. Band: what the sources say.",
        svg,
        tuple(tables),
    )


def hours_table(frame: pd.DataFrame, side: Side, caption: str) -> Table:
    """Hours of matches by number of sets, with intervals, and the shares within and above the middle."""
    series = {
        f"hours, {words}": [in_hours(e) for e in at_part(frame, "minutes_quantile", side, part)]
        for part, words in SPREAD.items()
    }
    series |= {
        "as stated": choose(frame, "matches_within_stated", side),
        "above the middle": choose(frame, "matches_above_middle", side),
        "above it by the range": choose(frame, "above_middle_by_range", side),
    }
    return by_sets(series, caption)


def in_hours(e: Estimate) -> Estimate:
    """An estimate of minutes in hours."""
    return replace(e, mean=e.mean / 60, low=e.low / 60, high=e.high / 60, unit="hours")


def range_figure(frame: pd.DataFrame, pairs: Mapping[str, Sequence[Side]]) -> Figure:
    """Minutes of sets and parties, over the ranges of the sources; a panel for each pair of players."""
    tables: list[Table] = []
    rows = {
        "set": ("set_minutes_quantile", MINUTES_OF_A_SET),
        "partie": ("partie_minutes_quantile", MINUTES_OF_A_PARTIE),
    }
    most = max(map(len, pairs.values()))
    with canvas(len(pairs), 0.8 + 0.3 * len(rows) * most) as (figure, panels):
        for axes, (pair, here) in zip(panels, pairs.items(), strict=True):
            names: list[str] = []
            for what, (measure, stated) in rows.items():
                for side in here:
                    draw_stated(axes, len(names), stated, "" if names else "stated by the sources")
                    draw_range(axes, len(names), choose(frame, measure, side))
                    names.append(f"{what}, {side.rules}")
            name_rows(axes, names)
            axes.set_xlim(left=0)
            axes.set_title(pair, loc="left", style="italic")
            columns = {side.rules: side for side in here}
            tables += [
                by_detail(frame, measure, columns, SPREAD, f"{pair}: minutes of a {what}")
                for what, (measure, _) in rows.items()
            ]
            shares = {
                "sets_within_stated": "sets that last as stated",
                "parties_within_stated": "parties that last as stated",
            }
            tables.append(by_measure(frame, columns, shares, pair))
        panels[-1].set_xlabel("minutes at the fitted speed")
        legend_above(figure, panels[0])
        svg = render(figure, "sets-and-parties", "Ranges: minutes of sets and parties.", from_nought=False)
    return Figure(
        "sets-and-parties",
        "How long sets and parties last",
        f"A roll takes so long that the median set lasts {MEDIAN_SET} minutes. Lines as in the figure before. "
        f"Band: what the sources say, {MINUTES_OF_A_SET[0]} to {MINUTES_OF_A_SET[1]} minutes of a set and "
        f"{MINUTES_OF_A_PARTIE[0]} to {MINUTES_OF_A_PARTIE[1]} of a partie.",
        svg,
        tuple(tables),
    )


def speed_figure(frame: pd.DataFrame, firsts: Mapping[str, Side]) -> Figure:
    """Share of sets that last as stated, by the seconds a roll takes."""
    series = {pair: choose(frame, "sets_within", side) for pair, side in firsts.items()}
    with canvas(1, 3.0) as (figure, (axes,)):
        for style, (pair, found) in zip(LINES, series.items(), strict=False):
            draw_line(axes, found, pair, style, x=[int(e.detail) for e in found])
        label_axes(axes, "sets of 15 to 45 minutes, %", list(range(0, 61, 10)), "seconds a roll")
        legend_above(figure, axes)
        svg = render(figure, "speed", "Lines: share of sets that last as stated, by seconds a roll.")
    found_by = {pair: {e.detail: e for e in line} for pair, line in series.items()}
    seconds = list(next(iter(found_by.values())))
    rows = tuple((Cell(s), *(printed_or_empty(line.get(s)) for line in found_by.values())) for s in seconds)
    fitted: dict[str, Any] = {
        "fitted: the median set lasts 30 minutes": ("seconds_fitted", None),
        "the 5 % quantile lasts 15 minutes": ("seconds_to_fit", "0.05"),
        "the 95 % quantile lasts 45 minutes": ("seconds_to_fit", "0.95"),
    }
    speeds = tuple(
        (Cell(words), *(printed_or_empty(single(frame, measure, side, part)) for side in firsts.values()))
        for words, (measure, part) in fitted.items()
    )
    return Figure(
        "speed",
        "Which speed fits the sources",
        f"Share of sets that last {MINUTES_OF_A_SET[0]} to {MINUTES_OF_A_SET[1]} minutes if a roll takes so many "
        f"seconds, by {next(iter(firsts.values())).rules}; bars are 95\u202f% intervals. The table has the fitted "
        "seconds.",
        svg,
        (
            Table(("seconds a roll", *found_by), rows, "Share of sets that last as stated"),
            Table(("", *firsts), speeds, "Seconds a roll"),
        ),
    )


def middle_figure(frame: pd.DataFrame, firsts: Mapping[str, Side]) -> Figure:
    """Share of matches that last longer than the middle of their stated range."""
    series = {pair: choose(frame, "matches_above_middle", side) for pair, side in firsts.items()}
    beside = {
        f"{pair}: {words}": choose(frame, measure, side)
        for pair, side in firsts.items()
        for measure, words in (("above_middle_by_range", "by the range"), ("skewness", "skewness"))
    }
    with canvas(1, 3.0) as (figure, (axes,)):
        for style, (pair, found) in zip(LINES, series.items(), strict=False):
            draw_line(axes, found, pair, style)
        axes.axhline(50, color=INK, linewidth=0.8, linestyle=(0, (1, 2)))
        label_axes(axes, "matches, %", [e.sets for e in found])
        legend_above(figure, axes)
        svg = render(figure, "middle", "Lines: matches longer than the middle of their range, by sets.")
    return Figure(
        "middle",
        "To which end of the range matches lean",
        "Share of matches that last longer than the middle of their stated range (half an hour a set) at the "
        f"fitted speed, by {next(iter(firsts.values())).rules}; bars are 95\u202f% intervals. Dotted: one half. "
        "The table has the same by the range too: at the speed by which as many sets are too short as too long.",
        svg,
        (by_sets(series | beside),),
    )
