"""The right to suspend a game of trictrac combiné: short answer, figures and tables of `Suspension`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.combine_pools import LAST_POOL_GAME, QUANTILES
from simkit.analysis.suspension import (
    ADVICE,
    AGREES,
    ALIKE,
    DIFFERENT,
    DIFFERS,
    IN_RETURN,
    NEAR,
    REGIONS,
    Suspension,
)
from simkit.analysis.words import in_words
from simkit.decisions import LEAVES_HONOURS, LEAVES_WRITTEN
from simkit.report.by_pair import by_detail, by_measure, interval_words
from simkit.report.dots import dots
from simkit.report.figures import DOTS, INK, LINES, Figure, canvas, draw_line, legend_above, render
from simkit.report.numbers import Estimate, Side, Table, sides, single
from simkit.report.page import Answer, Section

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import ExperimentResult

SUSPENDED: Mapping[int, str] = {LEAVES_HONOURS: "the game of honours", LEAVES_WRITTEN: "the written game"}
GAIN: Mapping[str, str] = {"written": "written game", "both": "both games together"}
GAIN_IN_FISH: Mapping[str, str] = {"honours": "honours with the pool, fish", "pool": "of it the pool, fish"}
OF_BEST: Mapping[str, str] = {
    "gap": "best of four choices less the rule, both chosen by half of the repeats and told by the other",
    "gap_naive": "the same, the best chosen and told by all repeats: too large",
    "gap_as_judged": "best of four choices less what was done",
    "over_hold": "what was done less holding",
    "over_go": "what was done less going",
}

LIMITS = (
    "What a choice leads to is told by letting the same players play on. A player who judged later decisions "
    "better would make more of any of them.",
    "Where nobody has six holes in the set these players judge holding alike in both games, so that their "
    "advice differs only from six holes on. It does not see how the honours stand. What either game is best "
    "served by is told by playing on (the rule).",
    "A gap to the best choice is that of one decision at a time, the others being taken as before; its sum over a "
    "match is no more than an indication of what a player could win who judged all of them so.",
    "The sum of both games counts a fish of honours at the price declared; the players know of no price.",
)


def answer(result: ExperimentResult) -> Answer:
    """What the page says of this question."""
    estimates = result.estimates
    shown = sides(result.rules, estimates)
    question = result.experiment.analysis
    assert isinstance(question, Suspension)
    if not shown:
        return Answer(summary="Nothing was estimated.")
    equal = [side for side in shown if single(estimates, "decisions", side)]
    unlike = [side for side in shown if single(estimates, "gain", side, "both")]
    return Answer(
        summary=summary(estimates, equal, unlike),
        details=tuple(details(estimates, equal, unlike)),
        words_title="What the games advise, and what the right to suspend brings",
        tables=tuple(overview(estimates, equal, unlike)),
        figures=tuple(figures(estimates, shown, equal, unlike)),
        sections=tuple(sections(estimates, shown, equal, unlike)),
        design=tuple(design(question)),
        limits=LIMITS,
        at_once="those of the maps, which hold together over all cells, and those of the advised cells, which do "
        "over all maps",
    )


def design(question: Suspension) -> Iterator[tuple[str, str]]:
    """How the numbers were made."""
    yield (
        "a decision",
        "a hole on a player's own die while nothing is suspended: he may hold, go, or suspend either game",
    )
    yield (
        "advice",
        "what a player would do in either game alone, by his own judgement; he suspends exactly the game he would "
        "leave, so that what he does tells it",
    )
    yield (
        "the rule",
        "leave a game if going is worth more than holding in that game alone, by what comes of both when played "
        "on: go if both are left, hold if neither",
    )
    yield (
        "followed",
        f"the first {question.followed} matches of equal players are played again roll by roll with the same "
        "dice; decisions are drawn by lot from all that both players met",
    )
    yield (
        "played on",
        "from a decision with its roll, each choice bound, to the end of the match, which is settled whole; all "
        "choices meet the same dice, which are not those of the run. The match from which a decision comes is the "
        "unit of the intervals",
    )
    yield (
        "maps",
        "only decisions at which the other game advises to hold; suspending less holding. A cell counts by how "
        "often its decisions come where several are put together",
    )
    yield (
        "at stake",
        f"the class that who decides would win now in the honours, once he has {NEAR} holes there or more",
    )
    yield (
        "gain",
        "of the first named: every match is played from both places with the same dice, and half the sum of both "
        "is his result. Who never suspends lets the written game decide",
    )
    yield "sum of both games", f"jetons, a fish of honours counting {question.fish_jetons}"


def columns(shown: Sequence[Side]) -> dict[str, Side]:
    """Sides by the label of their players."""
    return {side.label: side for side in shown}


# ---------------------------------------------------------------- words


def summary(estimates: pd.DataFrame, equal: Sequence[Side], unlike: Sequence[Side]) -> str:
    """The answer in two sentences, by the first pairs."""
    said = [
        f"At {interval_words(one)} of decisions at which somebody has six holes in the set the two games advise "
        f"different things to equal players ({side.player_1})."
        for side in equal[:1]
        if (one := single(estimates, "disagree", side, "somebody has six"))
    ]
    said += [
        f"Who suspends what he would leave ({side.player_1}) comes to {interval_words(one)} jetons a match "
        f"against one who never suspends ({side.player_2}), both games and the pool together."
        for side in unlike[:1]
        if (one := single(estimates, "gain", side, "both"))
    ]
    return " ".join(said) or "Nothing was estimated that the short answer tells."


def details(
    estimates: pd.DataFrame, equal: Sequence[Side], unlike: Sequence[Side]
) -> Iterator[tuple[str, str]]:
    """The rule of suspending what one would leave, the maps, grandes and pools, by skill."""
    said = [
        f"{interval_words(one)} ({side.label})"
        for side in unlike
        if (one := single(estimates, "gain", side, "both"))
    ]
    if said:
        yield "Skill, and the rule of suspending.", f"Jetons a match for the first named: {'; '.join(said)}."
    said = [
        f"{interval_words(one)} jetons a match and player ({side.label})"
        for side in equal
        if (one := single(estimates, "gap_per_match", side, DIFFERS))
    ]
    if said:
        yield (
            "The best choice.",
            "Where the advice differs, the best of four choices, one decision at a time, would bring more than "
            f"leaving each game where that alone is best by {'; '.join(said)}.",
        )
    said = [
        f"{interval_words(one)} of next holes from the return ({side.label})"
        for side in equal
        if (one := single(estimates, "next_hole_mine", side, "in the return")) and not math.isnan(one.mean)
    ]
    if said:
        yield "A grande carried further.", f"The next hole is his in {'; '.join(said)}."


# ---------------------------------------------------------------- figures


def figures(
    estimates: pd.DataFrame, shown: Sequence[Side], equal: Sequence[Side], unlike: Sequence[Side]
) -> Iterator[Figure]:
    """Advice, gain, the two maps, pools."""
    if unlike:
        yield dots(
            {
                side.label: {words: single(estimates, "gain", side, name) for name, words in GAIN.items()}
                for side in unlike
            },
            key="gain",
            title="What the first named wins by suspending otherwise",
            caption="Both places taken together, same dice.",
            x="jetons per match for the first named",
        )
    if equal:
        for suspends, words in SUSPENDED.items():
            yield map_figure(estimates, equal, suspends, words)
    yield pool_figure(estimates, [side for side in shown if side.player_1 == side.player_2] or shown)


def map_figure(estimates: pd.DataFrame, equal: Sequence[Side], suspends: int, words: str) -> Figure:
    """What suspending a game is worth more than holding, cell by cell."""
    regions = [region for region in REGIONS if region.suspends == suspends]
    name = "honours" if suspends == LEAVES_HONOURS else "written"
    return dots(
        {
            side.label: {
                f"{SHORT[region.key]}: {cell}{' *' if cell in region.advised else ''}": single(
                    estimates, "suspend_over_hold", side, f"{region.key}, {cell}"
                )
                for region in regions
                for cell in region.cells
            }
            for side in equal
        },
        key=f"map-{name}",
        title=f"Where to suspend {words}",
        caption=f"Suspending {words} less holding, both games together. A star: where the source says to suspend. "
        "The bars of both maps hold together.",
        x="jetons per decision for who decides",
    )


SHORT: Mapping[str, str] = {
    "others_honours": "other's holes",
    "class_at_stake": "at stake",
    "pool": "fish in pool",
    "others_written": "other's holes",
    "own_run": "own run",
}


def pool_figure(estimates: pd.DataFrame, shown: Sequence[Side]) -> Figure:
    """How many games a pool takes, beside the halving of a fair coin."""
    numbers = list(range(2, LAST_POOL_GAME + 1))
    with canvas(1, 2.9) as (figure, (axes,)):
        for style, side in zip(LINES, shown, strict=False):
            series = pool_series(estimates, side, "pool_games")
            draw_line(axes, series, side.label, style, x=numbers[: len(series)])
        coin = pool_series(estimates, shown[0], "pool_games_geometric")
        axes.plot(numbers, [100 * one.mean for one in coin], color=INK, linestyle=DOTS, label="one half each")
        axes.set_xticks(numbers, [*map(str, numbers[:-1]), f"{numbers[-1]} or more"])
        axes.set_xlabel("games until the pool is drawn")
        axes.set_ylabel("% of pools")
        legend_above(figure, axes)
        svg = render(figure, "pools", "Lines: share of pools by the games until they are drawn.")
    return Figure(
        "pools",
        "How many games a pool takes",
        "Equal players. Share of pools drawn by each game, outside the last set. Dotted: every game after the "
        "first draws with one half.",
        svg,
        (pool_table(estimates, shown),),
    )


def pool_series(estimates: pd.DataFrame, side: Side, measure: str) -> list[Estimate]:
    """A measure by the number of games of a pool."""
    found = (single(estimates, measure, side, str(number)) for number in range(2, LAST_POOL_GAME + 1))
    return [one for one in found if one]


# ---------------------------------------------------------------- tables


def pool_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """Share of pools by the games they take."""
    names = {
        str(number): f"{number}{' or more' if number == LAST_POOL_GAME else ''} games"
        for number in range(2, LAST_POOL_GAME + 1)
    }
    return by_detail(estimates, "pool_games", columns(shown), names, "Share of pools")


def overview(estimates: pd.DataFrame, equal: Sequence[Side], unlike: Sequence[Side]) -> Iterator[Table]:
    """Advice of equal players; gain of the first named of unlike ones."""
    if equal:
        names = {ADVICE[kind]: ADVICE[kind] for kind in ADVICE}
        yield by_detail(estimates, "advice", columns(equal), names, "What the two games advise, of decisions")
    if unlike:
        yield by_detail(estimates, "gain", columns(unlike), GAIN, "Jetons a match for the first named")


def sections(
    estimates: pd.DataFrame, shown: Sequence[Side], equal: Sequence[Side], unlike: Sequence[Side]
) -> Iterator[Section]:
    """All tables in full."""
    if equal:
        yield Section(
            key="advice",
            title="How often the games ask for different things",
            groups=(
                (
                    "",
                    (
                        by_detail(
                            estimates,
                            "disagree",
                            columns(equal),
                            {
                                "all": "all decisions",
                                "nobody has six": "nobody has six holes in the set",
                                "somebody has six": "somebody has six",
                            },
                            "Decisions at which the advice differs",
                        ),
                        by_measure(
                            estimates,
                            columns(equal),
                            {
                                "decisions": "decisions in a match, of both players",
                                "optima_differ": "decisions at which the rule leaves one game only, by half of "
                                "the repeats: too many, where chance decides",
                            },
                        ),
                    ),
                ),
            ),
        )
        kinds = {
            **{ADVICE[kind]: ADVICE[kind] for kind in DIFFERENT},
            DIFFERS: "both kinds, as often as they come",
            **{ADVICE[kind]: ADVICE[kind] for kind in ALIKE},
            AGREES: "these two, as often as they come",
        }
        yield Section(
            key="best",
            title="Against the best of four choices",
            text=(
                "Jetons per decision, by what the players' advice was. A choice that looks best by chance is not "
                "better: so half of the repeats choose the best and what the rule is, and the others tell both. "
                "The gap is then too small by what the choice of the best misses.",
            ),
            groups=(
                *(
                    (words, (by_detail(estimates, measure, columns(equal), kinds),))
                    for measure, words in OF_BEST.items()
                ),
                (
                    "jetons a match and player",
                    tuple(
                        by_detail(
                            estimates,
                            f"{measure}_per_match",
                            columns(equal),
                            {DIFFERS: "where the advice differs", AGREES: "where it agrees"},
                            OF_BEST[measure].capitalize(),
                        )
                        for measure in ("gap", "gap_naive", "gap_as_judged")
                    ),
                ),
            ),
        )
        yield Section(
            key="maps",
            title="Where to suspend",
            text=(
                "Suspending less holding, by what who decides sees; intervals hold together over all cells.",
            ),
            groups=tuple(
                (
                    f"{region.words}: {SUSPENDED[region.suspends]}",
                    tuple(region_tables(estimates, equal, region.key)),
                )
                for region in REGIONS
            ),
        )
        yield Section(
            key="grande",
            title="A grande carried further",
            text=(
                "A player with an unbroken run of twelve holes or more in the set holds, and holds at every hole "
                f"after that; in the return: from where {IN_RETURN} of his men are beyond the coin, if the other "
                "has made no hole before.",
            ),
            groups=(
                (
                    "",
                    (
                        by_detail(
                            estimates,
                            "next_hole_mine",
                            columns(equal),
                            {
                                "at once": "next hole his, at once",
                                "in the return": "next hole his, in the return",
                            },
                        ),
                        by_measure(
                            estimates, columns(equal), {"comes_to_return": "comes to the return unanswered"}
                        ),
                    ),
                ),
            ),
        )
    if unlike:
        yield Section(
            key="gain",
            title="What the first named wins",
            groups=(
                (
                    "",
                    (
                        by_detail(estimates, "gain", columns(unlike), GAIN, "Jetons a match"),
                        by_detail(estimates, "gain", columns(unlike), GAIN_IN_FISH, "Fish a match"),
                    ),
                ),
            ),
        )
    yield Section(
        key="pool",
        title="How pools grow and end",
        text=(
            "Games outside the last set, in which other rules hold. The size is that of the first pool of a "
            "match, where it is drawn before the last set.",
        ),
        groups=(
            (
                "",
                (
                    by_measure(
                        estimates,
                        columns(shown),
                        {
                            "repeat_wins": "games after the first won by who won the one before",
                            "pool_distance": "distance from one half each, of pools that would have to move",
                            "pool_chi2": "chi-square against one half at each game",
                            "pool_p": "chance of as large a one",
                            "pool_size": "fish drawn, mean",
                            "pool_left": "matches whose first pool is not drawn before the last set",
                        },
                    ),
                    by_detail(
                        estimates,
                        "pool_size_quantile",
                        columns(shown),
                        {f"{share:g}": f"{100 * share:g}\u202f% lie below" for share in QUANTILES},
                        "Fish drawn",
                    ),
                    by_detail(
                        estimates,
                        "repeat_wins_at",
                        columns(shown),
                        {str(k): f"game {k} of a pool" for k in range(2, LAST_POOL_GAME + 1)},
                        "Games that the winner of the one before wins",
                    ),
                ),
            ),
        ),
    )


def region_tables(estimates: pd.DataFrame, equal: Sequence[Side], key: str) -> Iterator[Table]:
    """A map in both games and in the sum, and its advised cells."""
    region = next(one for one in REGIONS if one.key == key)
    cells = {f"{key}, {name}": f"{name}{' *' if name in region.advised else ''}" for name in region.cells}
    for ending, words in (
        ("", "Both games, jetons"),
        ("_written", "Written game, jetons"),
        ("_honours", "Honours with the pool, fish"),
    ):
        yield by_detail(estimates, f"suspend_over_hold{ending}", columns(equal), cells, words)
    advised = {key: in_words(list(region.advised))}
    yield by_detail(estimates, "region", columns(equal), advised, "Where the source says to suspend, jetons")
    yield by_detail(estimates, "region_less_rest", columns(equal), advised, "The same less elsewhere")
