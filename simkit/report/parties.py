"""Parties in twelve holes: the short answer, the figures and the tables of the question `Parties`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simkit.analysis.parties import FITTED, HOLES, OPENING, QUANTILES, TOGETHER
from simkit.analysis.words import count, in_words, minus, number
from simkit.dataset import FIGURES
from simkit.report.by_pair import by_detail, by_measure, by_pair, interval_words
from simkit.report.figures import (
    BLUE,
    GREEN,
    INK,
    LINES,
    ORANGE,
    SKY,
    Figure,
    canvas,
    legend_above,
    name_rows,
    render,
)
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
from simkit.rules import RuleSet, diff, rule_words

if TYPE_CHECKING:
    import pandas as pd

    from simkit.analysis.parties import Parties
    from simkit.experiment import ExperimentResult

STATED = (30, 90)
"""Minutes of a partie by the sources."""
ENDS = (
    ("going", "a player goes", BLUE, ""),
    ("end", "last hole of the partie", SKY, "...."),
    ("reprise", "all men borne off", ORANGE, "////"),
    ("stall", "no points for too long", GREEN, "xxxx"),
)
IN_WORDS: Mapping[str, str] = {
    "six_tables": "jan of three rolls",
    "deux_tables": "jan of two tables",
    "contre_deux_tables": "its contrary",
    "mezeas": "mézéas",
    "contre_mezeas": "contrary of mézéas",
    "hit_true": "true hits",
    "hit_false": "false hits",
    "corner_hit": "hits at the corner",
    "fill_petit_jan": "petit jan filled",
    "fill_grand_jan": "grand jan filled",
    "fill_jan_de_retour": "jan de retour filled",
    "conserve_petit_jan": "petit jan kept",
    "conserve_grand_jan": "grand jan kept",
    "conserve_jan_de_retour": "jan de retour kept",
    "sortie": "all men borne off",
    "impuissance": "dice not playable",
    "pile_de_misere": "pile de misère",
    "jan_de_rencontre": "jan de rencontre",
    "margot_la_fendue": "margot la fendue",
}
MOST_PANELS = 2
"""Tables in colours in one figure, so that it fits on a sheet of paper."""
THROW: Mapping[str, str] = {
    "first_wins": "first thrower wins the partie",
    "first_hole": "first thrower makes the first hole",
    "break_even_holes": "holes for the first throw now",
    "break_even_holes_every_setting": "holes for it now and at every setting, at most",
    "loses_from_11_0": "he who has eleven holes to nothing loses",
}
HOLES_FOR_THE_THROW = (
    "Holes for the first throw: those of the other at which the first thrower wins every second partie, where a "
    f"straight line through his chances at differences up to {FITTED} holes meets one half. For every setting "
    "that is multiplied by the starts of the men in a partie. If the worth of all first throws adds up, it is no "
    "more than that: who throws first now throws first more often later, so that part of the later worth is in "
    "the first number already. The right itself is not played."
)
SHOWN_FROM = 0.002
"""A figure of the game with a smaller share of the points, with all players, is in the table only."""

LIMITS = (
    "A rule set is played by players who do not know that it differs from others: they build and go as they "
    "always do, and do not use what a rule newly allows.",
    "Differences between rule sets are taken as if their matches were independent, although they meet the same "
    "dice; that makes the intervals too wide, not too narrow.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates, question = result.estimates, _question(result)
    shown = sides(result.rules, estimates)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    pairs = by_pair(shown)
    return Answer(
        summary=summary(result, pairs),
        details=tuple(details(result, pairs)),
        words_title="By rule set and pair of players",
        tables=tuple(length_table(result, pair, here) for pair, here in pairs.items()),
        figures=tuple(figures(result, pairs)),
        sections=tuple(sections(result, pairs)),
        design=tuple(design(question)),
        limits=LIMITS,
    )


def _question(result: ExperimentResult) -> Parties:
    question: Parties = result.experiment.analysis  # type: ignore[assignment]
    return question


def named(result: ExperimentResult, rules: str) -> str:
    """A rule set with those that are the same play: `classical (and twelve_hole)`."""
    others = [name for name, first in result.same.items() if first == rules]
    return f"{rules} (and {in_words(others)})" if others else rules


# ---------------------------------------------------------------- words


def summary(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> str:
    """The answer in two sentences: how long, and beside what the sources say; or beside the other rule set."""
    pair, here = next(iter(pairs.items()))
    if len(here) == 2:
        return contrast(result, pair, *here)
    rolls, minutes = (quantiles(result.estimates, measure, here[0]) for measure in ("rolls", "minutes"))
    text = (
        f"Half of the parties by the rules {here[0].rules}, {pair}, take at most {whole(rolls['0.5'])} rolls; "
        f"nine in ten take {whole(rolls['0.05'])} to {whole(rolls['0.95'])}. "
    )
    return text + (
        f"At {_question(result).seconds_per_roll:g} seconds a roll that is {whole(minutes['0.05'])} to "
        f"{whole(minutes['0.95'])} minutes; the sources say {STATED[0]} to {STATED[1]}."
    )


def contrast(result: ExperimentResult, pair: str, one: Side, two: Side) -> str:
    """Two rule sets against each other, in two sentences."""
    frame = result.estimates
    rolls = [single(frame, "rolls", side) for side in (two, one)]
    stalls, cut = single(frame, "stalls", two), single(frame, "capped", two)
    if rolls[0] is None or rolls[1] is None or stalls is None or cut is None:
        return "Too little was estimated."
    times = number(rolls[0].mean / rolls[1].mean, "")
    return (
        f"By {two.rules} a partie of {pair} takes {whole(rolls[0])} rolls in the mean, {times} times the "
        f"{whole(rolls[1])} of {one.rules}. In it the men have to be started again {number(stalls.mean, '')} "
        f"times, because nobody has scored for so long; without that rule such a partie would not end. "
        + (
            f"Cut at the cap on rolls were {number(cut.mean, cut.unit)}."
            if cut.mean
            else "None had to be cut."
        )
    )


def details(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> Iterator[tuple[str, str]]:
    """The numbers behind the summary, by the first pair of players."""
    pair, here = next(iter(pairs.items()))
    frame, side = result.estimates, here[0]
    if len(here) == 2:
        yield "What differs.", differences_in_words(result.rules, here[0].rules, here[1].rules)
    yield "Minutes.", minutes_words(result, side)
    if len(here) > 2:
        yield "Rule sets.", rules_words(result, here)
    yield "The first throw.", first_words(frame, here)
    yield "How settings end.", ends_words(frame, here)
    points = single(frame, "points_share", side, "hits")
    if points:
        yield "Points.", points_words(frame, side, points)
    lead = single(frame, "loses_from_11_0", side)
    if lead:
        yield "A lead.", lead_words(frame, lead, [sides[0] for sides in pairs.values()])
    yield (
        "How sure.",
        (
            f"These are numbers of {pair}, {count(frame.loc[frame['measure'] == 'rolls', 'n'].max())} matches of "
            "each rule set. The intervals cover chance; they do not cover players better than these programs."
        ),
    )


def differences_in_words(rules: Sequence[RuleSet], one: str, two: str) -> str:
    """`soumille_1766_dlp has movement_scope own_half where soumille_1766 has full_circuit; ...`."""
    a, b = (next(rule for rule in rules if rule.name == name) for name in (one, two))
    said = [
        f"{found.path.removeprefix('game.')} {rule_words(found.b)}, not {rule_words(found.a)}"
        for found in diff(a, b)
    ]
    return f"{two} differs from {one} in {len(said)} rules: {'; '.join(said)}. All are explained below."


def minutes_words(result: ExperimentResult, side: Side) -> str:
    """What the parameter is, why, and what the sources' range would make of it."""
    seconds = _question(result).seconds_per_roll
    text = (
        f"How long a roll takes with its marking and moving is nobody's measurement: {seconds:g} seconds is a "
        "parameter of this page, and every minute is proportional to it."
    )
    low, high = (single(result.estimates, "seconds_to_fit", side, f"{q:g}") for q in (0.05, 0.95))
    if low and high:
        text += (
            f" For the shortest twentieth of these parties to end within {STATED[0]} minutes, a roll would "
            f"take {number(low.mean, '')} seconds; for the longest twentieth to begin at {STATED[1]} minutes, "
            f"{number(high.mean, '')}."
        )
        near = max(low.mean, high.mean) < 1.5 * min(low.mean, high.mean)
        text += (
            " The two are near each other: the range of the sources is about that of the game."
            if near
            else " They are far from each other: the range of the sources is not that of this game."
        )
    return text


def rules_words(result: ExperimentResult, here: Sequence[Side]) -> str:
    """Which rule sets take longer or shorter than the first, beyond chance."""
    longer: list[str] = []
    shorter: list[str] = []
    alike: list[str] = []
    for side in here[1:]:
        change = single(result.estimates, "rolls_by_rules", side)
        rolls = single(result.estimates, "rolls", side)
        if change is None or rolls is None:
            continue
        name = f"{side.rules} ({whole(rolls)} rolls in the mean)"
        (longer if change.low > 0 else shorter if change.high < 0 else alike).append(name)
    base = single(result.estimates, "rolls", here[0])
    text = f"{here[0].rules} takes {whole(base)} rolls in the mean." if base else ""
    for words, names in (("Longer", longer), ("Shorter", shorter), ("Not told apart from it", alike)):
        text += f" {words}: {in_words(names)}." if names else ""
    if result.same:
        same = [f"{name} is {first} in play" for name, first in result.same.items()]
        text += f" {in_words(same)}, and each was played once."
    return text.strip()


def first_words(frame: pd.DataFrame, here: Sequence[Side]) -> str:
    """What the first throw is worth: in parties, in first holes, and in holes given for it."""
    said = []
    for side in here if len(here) == 2 else here[:1]:
        wins, hole = (single(frame, measure, side) for measure in ("first_wins", "first_hole"))
        if wins and hole:
            by = f"By {side.rules} he" if len(here) == 2 else "He"
            said.append(
                f"{by} who throws first wins {interval_words(wins)} of parties and makes the first hole of "
                f"{interval_words(hole)}."
            )
    even, every = (single(frame, f"break_even_holes{ending}", here[0]) for ending in ("", "_every_setting"))
    if even and every:
        said.append(
            f"One throw now is worth {interval_words(even)} holes given to the other; the right to throw first "
            f"in every setting, if that adds up, no more than {interval_words(every)}."
        )
    return " ".join(said)


def ends_words(frame: pd.DataFrame, here: Sequence[Side]) -> str:
    """The shares of the ends of settings."""
    said = []
    for side in here if len(here) == 2 else here[:1]:
        parts = [
            f"{words} {number(e.mean, e.unit)}"
            for detail, words, _, _ in ENDS
            for e in [single(frame, "settings_ended", side, detail)]
            if e and e.mean
        ]
        said.append(f"{side.rules}: {'; '.join(parts)}" if len(here) == 2 else "; ".join(parts))
    return capital(f"{'. '.join(said)}. A setting lies between two starts of the men.")


def points_words(frame: pd.DataFrame, side: Side, hits: Estimate) -> str:
    """What most points come from, and how rare the opening jans are."""
    others = sorted(
        (e for e in choose(frame, "points_share", side) if e.detail in IN_WORDS), key=lambda e: -e.mean
    )
    most = [f"{IN_WORDS[e.detail]} {number(e.mean, e.unit)}" for e in others[:4]]
    text = (
        f"Hits, true and false, make {interval_words(hits)} of all points. The first four: {in_words(most)}."
    )
    rare = single(frame, "ways_per_setting", side, "opening jans")
    if rare and rare.mean:
        text += f" An opening jan is seen once in {number(1 / rare.mean, '')} settings."
    return text


def lead_words(frame: pd.DataFrame, lead: Estimate, firsts: Sequence[Side]) -> str:
    """How safe eleven holes to nothing are."""
    others = [
        f"{number(e.mean, e.unit)} with {side.player_1} against {side.player_2}"
        for side in firsts[1:]
        for e in [single(frame, "loses_from_11_0", side)]
        if e
    ]
    text = f"A player with eleven holes to nothing loses {interval_words(lead)} of parties"
    return f"{text}; {in_words(others)}." if others else f"{text}."


def quantiles(frame: pd.DataFrame, what: str, side: Side) -> dict[str, Estimate]:
    """The quantiles of a number by their detail."""
    return {e.detail: e for e in choose(frame, f"{what}_quantile", side)}


def whole(e: Estimate) -> str:
    """A number of rolls or minutes without decimals."""
    return count(e.mean)


def design(question: Parties) -> Iterator[tuple[str, str]]:
    """How the numbers were made, as terms and their explanation."""
    yield "pairing", "all rule sets and pairs of players meet the same dice, place by place"
    yield "minutes", f"{question.seconds_per_roll:g} seconds a roll, a parameter"
    if question.sets_of:
        yield (
            "sets",
            f"two sets of the written game for every partie, by the rules {in_words(question.sets_of)}",
        )
    if question.scores_of:
        yield (
            "scores",
            f"parties that start at a setting with each score from 0 to {HOLES - 1} holes, by the rules "
            f"{in_words(question.scores_of)}, {question.scores_times} times as many as parties",
        )
    yield (
        "figures",
        "ways and points are summed over rounds of matches, which are the units of their intervals; cut "
        "parties are among them",
    )


# ---------------------------------------------------------------- tables


def length_table(result: ExperimentResult, pair: str, here: Sequence[Side]) -> Table:
    """The main numbers of each rule set for one pair of players."""
    seconds = _question(result).seconds_per_roll
    frame = result.estimates
    rows = []
    for side in here:
        rolls, minutes = (quantiles(frame, what, side) for what in ("rolls", "minutes"))
        rows.append(
            (
                Cell(named(result, side.rules)),
                printed_or_empty(rolls.get("0.5")),
                *(Cell(f"{whole(found['0.05'])} to {whole(found['0.95'])}") for found in (rolls, minutes)),
                *(printed_or_empty(single(frame, measure, side)) for measure in ("settings", "first_wins")),
            )
        )
    heads = (
        "rule set",
        "rolls, median",
        "nine in ten",
        f"minutes at {seconds:g} s a roll",
        "settings, mean",
        "first thrower wins",
    )
    return Table(heads, tuple(rows), f"{capital(pair)}; beneath a number its 95\u202f% interval")


def sections(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> Iterator[Section]:
    """The tables that belong to no figure."""
    frame = result.estimates
    firsts = {pair: here[0] for pair, here in pairs.items()}
    several = any(len(here) > 1 for here in pairs.values())
    if several:
        measures = {
            "rolls_by_rules": "rolls",
            "settings_by_rules": "settings",
            "stalls_by_rules": "restarts for want of points",
            "loser_holes_by_rules": "loser's holes",
            "first_wins_by_rules": "first thrower wins",
            "first_hole_by_rules": "first thrower makes the first hole",
            "capped_by_rules": "cut parties",
        }
        yield Section(
            key="by-rules",
            title="Differences between rule sets",
            text=(
                f"Mean numbers less those of {next(iter(firsts.values())).rules}, with the same players.",
                "Where an interval holds nought, no difference can be told from chance.",
            ),
            groups=tuple(
                (pair, (by_measure(frame, {side.rules: side for side in here[1:]}, measures),))
                for pair, here in pairs.items()
            ),
        )
        yield Section(
            key="differ",
            title="In which rules they differ",
            text=(f"Each rule set beside {result.rules[0].name}; what the rules mean stands further below.",),
            groups=tuple(differences(result)),
        )
    yield Section(
        key="frequency",
        title="How often each figure is seen",
        text=(
            f"Ways in which it was marked in a setting, both players together, by the rules "
            f"{next(iter(firsts.values())).rules}. A hit or a filling can have several ways; the others have "
            f"one. The opening jans are {in_words([IN_WORDS[name] for name in OPENING])}.",
        ),
        groups=(
            ("", (by_detail(frame, "ways_per_setting", firsts, dict(IN_WORDS) | {k: k for k in TOGETHER}),)),
        ),
    )
    measures = {"set_rolls": "rolls of a set, mean", "set_to_partie": "as a multiple of a partie's"}
    if any(single(frame, "set_rolls", side) for side in firsts.values()):
        spread = {f"{q:g}": f"{100 * q:g} % quantile of its rolls" for q in QUANTILES}
        jans = {"petit jan or jan de retour filled": "ways per set"}
        yield Section(
            key="sets",
            title="A set of the written game beside a partie",
            text=(
                "Sets by the same rules up to the hole, and the same players, do-overs included; and how "
                "often a petit jan or a jan de retour was filled in one.",
            ),
            groups=(
                (
                    "",
                    (
                        by_measure(frame, firsts, measures),
                        by_detail(frame, "set_rolls_quantile", firsts, spread),
                        by_detail(
                            frame, "ways_per_set", firsts, jans, "Petit jan or jan de retour filled, in a set"
                        ),
                    ),
                ),
            ),
        )
    yield Section(
        key="throw",
        title="What the first throw is worth",
        text=(
            f"By the rules {next(iter(firsts.values())).rules}.",
            *(
                (HOLES_FOR_THE_THROW,)
                if any(single(frame, "break_even_holes", side) for side in firsts.values())
                else ()
            ),
        ),
        groups=(("", (by_measure(frame, firsts, THROW),)),),
    )


def differences(result: ExperimentResult) -> Iterator[tuple[str, tuple[Table, ...]]]:
    """For each rule set played, the rules in which it differs from the first."""
    first = result.rules[0]
    for rules in result.rules[1:]:
        rows = tuple(
            (Cell(found.path), Cell(rule_words(found.a)), Cell(rule_words(found.b)))
            for found in diff(first, rules)
            if not found.path.startswith("settlement.")
        )
        if rows:
            yield rules.name, (Table(("rule", first.name, rules.name), rows),)


# ---------------------------------------------------------------- figures


def figures(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> Iterator[Figure]:
    """Every figure the estimates allow."""
    frame = result.estimates
    firsts = {pair: here[0] for pair, here in pairs.items()}
    yield length_figure(result, pairs)
    yield ends_figure(result, pairs)
    yield sources_figure(frame, firsts)
    scored = {pair: side for pair, side in firsts.items() if choose(frame, "win_by_score", side)}
    if scored:
        yield score_figure(frame, scored)


def length_figure(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> Figure:
    """Rolls of a partie as ranges, one row for each rule set."""
    frame = result.estimates
    tables = []
    most = max(len(here) for here in pairs.values())
    every = [
        e.mean for here in pairs.values() for side in here for e in choose(frame, "rolls_quantile", side)
    ]
    with canvas(len(pairs), 0.75 + 0.27 * most) as (figure, panels):
        for axes, (pair, here) in zip(panels, pairs.items(), strict=True):
            for row, side in enumerate(here):
                found = quantiles(frame, "rolls", side)
                ends = [found[f"{q:g}"].mean for q in QUANTILES]
                axes.plot([ends[0], ends[4]], [row, row], color=BLUE, linewidth=1.2)
                axes.plot([ends[1], ends[3]], [row, row], color=BLUE, linewidth=5, solid_capstyle="butt")
                axes.plot([ends[2]], [row], marker="|", markersize=11, markeredgewidth=2.2, color=INK)
            scale_of_rolls(axes, every)
            name_rows(axes, [side.rules for side in here])
            axes.set_title(pair, loc="left", style="italic")
            columns = {side.rules: side for side in here}
            spread = {f"{q:g}": f"{100 * q:g} %" for q in QUANTILES}
            tables.append(by_detail(frame, "rolls_quantile", columns, spread, f"{pair}: rolls"))
            minutes = f"{pair}: minutes at {_question(result).seconds_per_roll:g} s a roll"
            tables.append(by_detail(frame, "minutes_quantile", columns, spread, minutes))
            tables.append(by_detail(frame, "settings_quantile", columns, spread, f"{pair}: settings"))
        panels[-1].set_xlabel("rolls in a partie")
        svg = render(figure, "length", "Ranges: rolls in a partie by rule set.", from_nought=False)
    return Figure(
        "length",
        "Rolls in a partie",
        "Thin line: from the 5\u202f% to the 95\u202f% quantile; thick: the middle half; stroke: the median. The "
        "scale is logarithmic: equal steps are equal factors. The table has the intervals, and minutes and "
        "settings.",
        svg,
        tuple(tables),
    )


def scale_of_rolls(axes: Any, values: Sequence[float]) -> None:
    """A logarithmic axis with ticks that are round numbers."""
    from matplotlib.ticker import NullFormatter, NullLocator

    axes.set_xscale("log")
    low, high = min(values) * 0.9, max(values) * 1.1
    ticks = [t for t in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000) if low <= t <= high]
    axes.set_xlim(low, high)
    axes.set_xticks(ticks, [str(t) for t in ticks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())


def ends_figure(result: ExperimentResult, pairs: Mapping[str, Sequence[Side]]) -> Figure:
    """How settings end, stacked, one row for each rule set."""
    frame = result.estimates
    tables = []
    most = max(len(here) for here in pairs.values())
    with canvas(len(pairs), 0.75 + 0.27 * most) as (figure, panels):
        for axes, (pair, here) in zip(panels, pairs.items(), strict=True):
            left = [0.0] * len(here)
            for detail, words, colour, hatch in ENDS:
                shares = [single(frame, "settings_ended", side, detail) for side in here]
                width = [100 * e.mean if e else 0.0 for e in shares]
                axes.barh(
                    range(len(here)), width, left=left, height=0.66, label=words, color=colour, hatch=hatch,
                    edgecolor=INK, linewidth=0.5,
                )  # fmt: skip
                left = [a + b for a, b in zip(left, width, strict=True)]
            name_rows(axes, [side.rules for side in here])
            axes.set_title(pair, loc="left", style="italic")
            columns = {side.rules: side for side in here}
            ends = {detail: words for detail, words, _, _ in ENDS}
            tables.append(by_detail(frame, "settings_ended", columns, ends, pair))
        panels[-1].set_xlabel("share of settings, %")
        legend_above(figure, panels[0])
        svg = render(figure, "ends", "Stacked bars: how settings end, by rule set.", from_nought=False)
    return Figure(
        "ends",
        "How settings end",
        "A setting lies between two starts of the men: until a player goes, until the partie ends, until all "
        "men of one player are borne off, or, under rules with such a limit, until nobody has scored for long.",
        svg,
        tuple(tables),
    )


def sources_figure(frame: pd.DataFrame, firsts: Mapping[str, Side]) -> Figure:
    """What points come from, one row for each figure of the game, a mark for each pair of players."""
    shares = {
        pair: {e.detail: e for e in choose(frame, "points_share", side)} for pair, side in firsts.items()
    }
    most = {name: max(found[name].mean for found in shares.values()) for name in FIGURES}
    rows = sorted((name for name in FIGURES if most[name] >= SHOWN_FROM), key=lambda name: -most[name])
    with canvas(1, 0.9 + 0.27 * len(rows)) as (figure, (axes,)):
        for place, (style, (pair, found)) in enumerate(zip(LINES, shares.items(), strict=False)):
            aside = 0.2 * (place - (len(shares) - 1) / 2)
            marks = {key: value for key, value in style.items() if key != "linestyle"}
            axes.plot(
                [100 * found[name].mean for name in rows],
                [row + aside for row in range(len(rows))],
                linestyle="", label=pair, **marks,
            )  # fmt: skip
        name_rows(axes, [IN_WORDS[name] for name in rows])
        axes.set_xlim(left=0)
        axes.set_xlabel("share of all points, %")
        legend_above(figure, axes)
        svg = render(figure, "sources", "Dot chart: what points come from.", from_nought=False)
    rules = next(iter(firsts.values())).rules
    details = {name: IN_WORDS[name] for name in sorted(FIGURES, key=lambda name: -most[name])}
    return Figure(
        "sources",
        "What the points come from",
        f"Share of all points of both players, by the rules {rules}. A false hit gives its points to the other.",
        svg,
        (by_detail(frame, "points_share", firsts, details | {"hits": "all hits"}),),
    )


def score_figure(frame: pd.DataFrame, firsts: Mapping[str, Side]) -> Figure:
    """The chance of the first thrower at each score, as a table in colours."""
    chances = {
        pair: {e.detail: e for e in choose(frame, "win_by_score", side)} for pair, side in firsts.items()
    }
    drawn = dict(list(chances.items())[:MOST_PANELS])
    with canvas(len(drawn), 4.0) as (figure, panels):
        for axes, (pair, chance) in zip(panels, drawn.items(), strict=True):
            cells = [[chance[f"{mine}-{his}"].mean for his in range(HOLES)] for mine in range(HOLES)]
            axes.pcolormesh(cells, cmap="RdBu", vmin=-0.25, vmax=1.25, edgecolor="#fffefb", linewidth=0.6)
            for mine in range(HOLES):
                for his in range(HOLES):
                    axes.text(
                        his + 0.5,
                        mine + 0.5,
                        f"{100 * cells[mine][his]:.0f}",
                        ha="center",
                        va="center",
                        size=7,
                    )
            axes.set_title(pair, loc="left", style="italic")
            axes.set_xticks([k + 0.5 for k in range(HOLES)], [str(k) for k in range(HOLES)])
            axes.set_yticks([k + 0.5 for k in range(HOLES)], [str(k) for k in range(HOLES)])
            axes.grid(visible=False)
            axes.tick_params(length=0)
            axes.set_ylabel("holes of the first thrower")
        panels[-1].set_xlabel("holes of the other")
        svg = render(figure, "scores", "Table in colours: chance of the first thrower at each score.")
    rules = next(iter(firsts.values())).rules
    n = next(iter(chance.values())).n
    return Figure(
        "scores",
        "Who wins, by score at the start of a setting",
        f"Share of parties, in per cent, that he wins who throws first in the setting, by the rules {rules}; "
        f"{count(n)} parties from each score. Upwards his holes, to the right those of the other."
        + (" The other players are in the table." if len(drawn) < len(chances) else ""),
        svg,
        tuple(score_table(chance, pair) for pair, chance in chances.items()),
    )


def score_table(chance: Mapping[str, Estimate], pair: str) -> Table:
    """The chances: a row for each number of holes of the first thrower. Intervals by their widest reach."""
    cells = {detail: Cell(minus(100 * e.mean, 1), "", 100 * e.mean) for detail, e in chance.items()}
    rows = tuple(
        (Cell(str(mine)), *(cells.get(f"{mine}-{his}", Cell("")) for his in range(HOLES)))
        for mine in range(HOLES)
    )
    reach = max((max(e.high - e.mean, e.mean - e.low) for e in chance.values()), default=0.0)
    caption = (
        f"{capital(pair)}, per cent; the 95\u202f% intervals reach {minus(100 * reach, 1)} points to either side "
        "at most. Columns: holes of the other"
    )
    return Table(("his holes", *map(str, range(HOLES))), rows, caption)
