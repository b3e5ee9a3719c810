"""compare: rule sets or stored runs beside a baseline."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.options import Jobs, Json, Quiet, asked_players, parsed, sizes, whole
from simkit.cli.printing import print_json, print_table, print_text, records
from simkit.cli.runs import print_stop, refuse_short
from simkit.cli.written import page_to_write
from simkit.errors import UsageError

if TYPE_CHECKING:
    from simkit.analysis.comparison import Contrast
    from simkit.analysis.intervals import Interval
    from simkit.analysis.luck import Adjusted
    from simkit.analysis.shapes import Shape
    from simkit.comparisons import Compared, Comparison, Side


def compare(
    context: typer.Context,
    sides: Annotated[
        list[str],
        typer.Argument(metavar="A [B ...]", help="Rule sets or folders of runs; the first is the baseline."),
    ],
    matches: Annotated[
        int | None,
        typer.Option(
            parser=whole,
            metavar="N",
            help="Matches of each side. By default as many as the first run has, else 10000. Of runs the first so "
            "many, of each as far as it goes; more than any of them holds is refused.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            parser=whole,
            metavar="S",
            help="Seed of all dice. By default that of the run, else 0. Refused where all sides are runs.",
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="P,Q",
            help="All players at the table in the order of their numbers; one name plays for all. With one rule "
            "set of two players: the players to compare, each with the first. Refused where all sides are runs.",
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="PATH=VALUE",
            help="A variant: the baseline with one rule changed, beside other sides too. May be repeated, for "
            "a variant each time.",
        ),
    ] = None,
    together: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="PATH=VALUE",
            help="Where one rule set or run is named: the variant, the same with this rule changed. Given several "
            "times it is one variant, with all of them changed.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure", metavar="NAME", help="What to compare by. By default everything; may be repeated."
        ),
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            "--margin",
            metavar="NAME=SIZE",
            help="A difference of a measure up to which it does not matter, in its unit. May be repeated.",
        ),
    ] = None,
    level: Annotated[
        float, typer.Option(metavar="P", help="Confidence, of all differences together.")
    ] = 0.95,
    until: Annotated[
        list[str] | None,
        typer.Option(
            "--until",
            metavar="NAME=WIDTH",
            help="Play until a difference is known to within this half-width; or the word decided: until every "
            "verdict with a margin is.",
        ),
    ] = None,
    shape: Annotated[
        bool,
        typer.Option("--shape", help="Also quantiles, the weight of the largest, distances and cut matches."),
    ] = False,
    luck: Annotated[
        bool,
        typer.Option(
            "--luck", help="Of players: also take off the luck of the dice; plays all again, slowly."
        ),
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            parser=page_to_write, metavar="FILE", help="Also write the comparison as one page, FILE.html."
        ),
    ] = None,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compare rule sets, or stored runs, match by match on the same dice; or players.

    What is missing is played first, below ./results. Rule sets that differ in settlement alone are settled from
    the same play. One rule set and --set PATH=VALUE compares it with itself, that rule changed; --vary does so
    once for each change, and beside other sides too. Rule sets must be of one kind of match and of as many
    players: trictrac combiné, pools and tables of three to five too, of which each player has numbers of his own.
    Runs of different seeds are compared too, as independent. Where all sides are runs nothing is played, and
    --jobs has nothing to do but with --luck. With --until the matches are the most
    that are played (by default a million); if they do not suffice the results are kept and it ends with 6.

    With one rule set and several players these are compared by duplicate matches: every match is played twice on
    the same dice, the seats exchanged. So are two runs of one seed whose players have exchanged their seats.

    \b
    Examples:
      simkit compare ecrire_academie ecrire_guiton --matches 10000 --margin rolls=20
      simkit compare ecrire_academie --set settlement.tail_of_sets=0 --set settlement.tokens_per_set=0
      simkit compare ecrire_academie --vary settlement.tail_of_sets=0 --vary settlement.tail_of_sets=10
      simkit compare ecrire_academie ecrire_guiton --until rolls=0.5 --matches 200000
      simkit compare pool_drain pool_drain_fallavel --measure net_1 --measure matches
      simkit compare results/one/0123456789ab results/two/0123456789ab --measure rolls
      simkit compare ecrire_academie --players prudent,greedy --matches 2000 --luck
      simkit compare ecrire_academie ecrire_guiton --report academie_guiton.html
    """
    from simkit import api
    from simkit.progress import reporter

    if not 0 < level < 1:
        raise UsageError(f"--level {level:g}: a level of confidence lies between 0 and 1")
    if luck and until:
        raise UsageError(
            "--luck and --until do not go together: when enough is known is read from plain differences, and to "
            "see the luck all is played again; compare with --until first, then as many matches with --luck"
        )
    if until == ["decided"] and not margin:
        raise UsageError("--until decided: a difference of nothing would never be decided; give a --margin")
    found = api.compare(
        *sides,
        players=asked_players(players) or (),
        matches=matches,
        seed=seed,
        vary=changes_of(sides, together or (), vary or ()),
        measures=measure or (),
        margin=sizes("--margin", margin),
        level=level,
        until=None if not until else "decided" if until == ["decided"] else sizes("--until", until),
        luck="" if luck else None,
        jobs=jobs,
        progress=reporter(quiet=quiet),
    )
    if report is not None:
        from simkit.report import write_comparison

        write_comparison(report, found, command_line(context, found), shape=shape)
    if as_json:
        print_json(comparison_plain(found))
    else:
        print_comparison(found, shape)
        print_stop(found.stop)
        if report is not None:
            print(f"\nReport: {report}")
    refuse_short(found.stop)


def changes_of(sides: Sequence[str], together: Sequence[str], each: Sequence[str]) -> list[dict[str, Any]]:
    """The changes that make a variant of the first side: all of --set in one, each --vary in one of its own.

    Raises
    ------
    UsageError
        --set beside several sides: it might mean the first of them, or all.
    """
    if together and len(sides) > 1:
        change = together[0]
        raise UsageError(
            f"--set {change}: it makes a variant of the one side that is named, and {len(sides)} are; --vary "
            f"{change} adds a variant of {sides[0]} to them; to change the rule in all, play each with simkit "
            f"simulate {sides[0]} --set {change} and compare the runs"
        )
    return [parsed(together)] * bool(together) + [parsed([change], "--vary") for change in each]


def command_line(context: typer.Context, found: Comparison) -> str:
    """The command as it was given, with the matches it came to; how it is run and printed is left out."""
    import shlex

    words = ["simkit", "compare", *context.params["sides"]]
    for option in context.command.params:
        value = context.params.get(option.name or "")
        if option.name in ("sides", "report", "jobs", "quiet", "as_json") or value == option.default:
            continue
        if value is True:  # a flag
            words.append(max(option.opts, key=len))
            continue
        for one in value if isinstance(value, (list, tuple)) else () if value is None else (value,):
            words += [max(option.opts, key=len), str(one)]
    runs_alone = all(map(os.path.isdir, context.params["sides"]))  # which are taken whole
    if context.params["matches"] is None and found.stop is None and not runs_alone:
        words += ["--matches", str(found.baseline.matches)]
    return shlex.join(words)


# ---------------------------------------------------------------- in words


def print_comparison(found: Comparison, shape: bool) -> None:
    """Print a table per variant, and what its numbers are."""
    from simkit.comparisons import another_winner, baseline_words, matches_words

    base = found.baseline
    matches = "" if found.of_players and not base.held else f", {matches_words(base)}"
    print_text(f"Baseline: {baseline_words(found)}{matches}.")
    for one in found.variants:
        print_text(f"\n{one.name}: {pairing_words(one, base)}")
        if one.changes or (not found.of_players and one.side.players != base.players):
            print_text(changes_words(one, base), "  ")
        print()
        both = list(zip(one.contrasts, one.chances, strict=True))
        print_table([HEAD, *(row(contrast, chance) for contrast, chance in both)], 4)
        print()
        print_table([SIZES, *map(effect_row, one.contrasts)], 4)
        if one.luck:
            print()
            print_table([LUCK, *map(luck_row, one.luck)], 2)
            if (few := too_few_words(one)) is not None:
                print_text(f"\n{few}")
        if one.seat is not None:
            print_text(f"\n{seat_words(one)}")
        if shape and one.shapes:
            print()
            print_table([SHAPES, *map(shape_row, one.shapes)], 3)
        if one.winner_differs is not None:
            share, (before, after) = one.winner_differs, another_winner(base.rules)
            print_text(
                f"\n{before} in {percent(share.mean)} of pairs "
                f"[{percent(share.low)}, {percent(share.high)}]{after}."
            )
    print_text(f"\n{method_words(found)}")


HEAD = ("measure", "verdict", "baseline", "variant", "difference", "p")
SHAPES = ("measure", "number", "unit", "baseline", "variant", "difference")
LUCK = ("measure", "verdict less luck", "difference less luck", "factor")
SIZES = ("measure", "unit", "relative", "d", "higher", "factor")


def pairing_words(one: Compared, base: Side) -> str:
    """Say how a variant's matches belong to the baseline's, and what was left out."""
    from simkit.comparisons import cap_words, counted

    n, other = one.matches
    units = counted(base.rules)[1]
    ways = {
        "same play": f"the same {n:,} {units}, settled in both ways; nothing is played again",
        "same dice": f"{n:,} pairs of {units} on the same dice",
        "seats exchanged": f"{n:,} pairs of {units} on the same dice, the seats exchanged",
        "independent": f"seed {one.side.play.seed} is another than the baseline's: {n:,} and {other:,} {units}, "
        "taken as independent",
    }
    words = [ways[one.pairing]]
    if one.unpaired:
        words.append(f"{one.unpaired:,} {units} of the longer run have no partner and do not count")
    if one.side.play.starts != base.play.starts:
        words.append("they do not start from the same positions")
    if one.left_out:
        words.append(f"{one.left_out:,} cut at {cap_words(base.rules)} are left out")
    return f"{'; '.join(words)}."


def changes_words(one: Compared, base: Side, most: int = 6) -> str:
    """Say in which rules and players a variant differs, the baseline's first."""
    from simkit.rules import rule_words

    told = [f"{change.path} {rule_words(change.a)} | {rule_words(change.b)}" for change in one.changes[:most]]
    if one.side.players != base.players:
        told.insert(0, f"players {base.players} | {one.side.players}")
    more = len(one.changes) - most
    rest = f"; and {more} more, which simkit diff lists" if more > 0 else ""
    return f"Differs in {'; '.join(told)}{rest}."


def row(one: Contrast, chance: float) -> tuple[str, ...]:
    """Print means, difference and verdict as cells of the table."""
    say = percent if one.measure.unit.startswith("share") else figures(one.difference)
    return (
        one.measure.name,
        verdict_words(one),
        say(one.means[0].mean),
        say(one.means[1].mean),
        with_ends(one.difference, say),
        chance_words(chance) if has_chance(one) else "-",
    )


def effect_row(one: Contrast) -> tuple[str, ...]:
    """Print how large a difference is, in other units than its own."""
    return (
        one.measure.name,
        one.measure.unit,
        "-" if one.relative is None else with_ends(one.relative, percent),
        number(one.effect.mean, "+z.3f"),
        percent(one.superiority.mean),
        "-" if one.variance_factor is None else times(one.variance_factor.mean),
    )


def luck_row(one: Adjusted) -> tuple[str, ...]:
    """Print a difference with the luck of the dice taken off, and what that gained."""
    say = percent if one.measure.unit.startswith("share") else figures(one.difference)
    return (
        one.measure.name,
        f"{one.verdict} ({one.why})" if one.why else one.verdict,
        with_ends(one.difference, say),
        times(one.factor.mean),
    )


def too_few_words(one: Compared) -> str | None:
    """Say why no difference less luck is given, where pairs are too few for one; None where it is given."""
    from simkit.analysis.luck import FEWEST

    n = one.luck[0].difference.n
    if n >= FEWEST:
        return None
    return (
        f"Less luck nothing is given, and its verdict is open: {n} pairs are too few to tell what luck brings, "
        f"which takes {FEWEST} or more (--matches {FEWEST})."
    )


def seat_words(one: Compared) -> str:
    """Say what sitting in one seat was worth, which nobody should gain by, and how lucky the variant was."""
    measure = one.contrasts[0].measure
    assert one.seat is not None
    say = percent if measure.unit.startswith("share") else figures(one.seat)
    words = f"Player 1 less player 2, whoever sat there: {measure.name} {with_ends(one.seat, say)}"
    if one.side.play.starts:
        words += ", what the given starts are worth to him"
    if one.luck:
        lucks = one.luck[0].luck.items()
        told = ", ".join(f"{kind} {with_ends(each, figures(each))}" for kind, each in lucks)
        words += f". Luck of {one.name} a match: {told}"
    return f"{words}."


def shape_row(one: Shape) -> tuple[str, ...]:
    """Print a number of a distribution on either side, and between them."""
    known = next(each for each in (one.difference, one.variant) if each is not None)
    share = one.unit.startswith("share")
    say = percent if share else figures(known)
    apart = one.baseline is None
    difference = "" if one.difference is None else with_ends(one.difference, say, sign=not apart)
    sides = ("" if each is None else _side_words(each, say) for each in (one.baseline, one.variant))
    return (one.measure.name, one.detail, one.unit, *sides, difference)


def _side_words(one: Interval, say: Callable[[float], str]) -> str:
    """Print a number; where cut matches leave it open, the ends of its interval."""
    if isfinite(one.mean) or not isfinite(one.low):
        return say(one.mean)
    return f"[{one.low:,.0f}, {f'{one.high:,.0f}]' if isfinite(one.high) else 'or more]'}"


def verdict_words(one: Contrast) -> str:
    """Print a verdict, with the margin it lies within, or why nothing can be told."""
    if one.verdict == "equivalent":
        return f"{one.verdict} (within {one.margin:g})"
    if one.known_alike:
        return "no difference"
    return f"{one.verdict} ({one.why})" if one.why and one.verdict == "undecided" else one.verdict


def has_chance(one: Contrast) -> bool:
    """Whether a probability is told: of what can differ and has an interval, which looking does not change."""
    return not one.why and one.verdict != "the same" and one.difference is not one.sequence


def times(value: float) -> str:
    """Print a factor."""
    return number(value, ",.0f" if value >= 100 else ".1f")


def figures(one: Interval) -> Callable[[float], str]:
    """A way to print numbers with as many decimals as an interval is worth: two figures of its half-width.

    Up to two more where the number itself would be nothing, or next to it.
    """
    half = (one.high - one.low) / 2
    decimals = 2
    if isfinite(half) and half > 0:
        decimals = min(max(_decimals(half), min(_decimals(one.mean), 2), 0), 6)
    return lambda value: f"{value:z,.{decimals}f}" if isfinite(value) else "-"


def _decimals(value: float) -> int:
    """Decimals with which a number shows two figures."""
    return 1 - math.floor(math.log10(abs(value))) if value and isfinite(value) else 0


def percent(value: float) -> str:
    """Print a share."""
    return f"{100 * value:z.2f} %" if isfinite(value) else "-"


def number(value: float, style: str) -> str:
    """Print a number, or a dash."""
    return f"{value:{style}}" if isfinite(value) else "-"


def with_sign(value: float, say: Callable[[float], str]) -> str:
    """Print a number with its sign."""
    return f"+{say(value)}" if isfinite(value) and value >= 0 else say(value)


def with_ends(one: Interval, say: Callable[[float], str], sign: bool = True) -> str:
    """Print a number with its interval."""
    told = [with_sign(value, say) if sign else say(value) for value in (one.mean, one.low, one.high)]
    return f"{told[0]} [{told[1]}, {told[2]}]" if one.low < one.high else told[0]


def chance_words(chance: float) -> str:
    """Print a probability."""
    return "< 0.0001" if chance < 0.0001 else f"{chance:.4f}"


def method_words(found: Comparison) -> str:
    """Say what the numbers of the tables are."""
    from simkit.analysis.comparison import APART, FEW_PAIRS
    from simkit.comparisons import counted

    many = found.family > 1
    unit, units = counted(found.baseline.rules)
    ways = {one.pairing for one in found.variants}
    paired = bool(ways - {"independent"})
    methods = ["paired t"] * paired + ["Welch's t where matches are independent"] * ("independent" in ways)
    every = [one for variant in found.variants for one in variant.contrasts]
    if any(FEW_PAIRS in one.difference.method for one in every):
        methods.append("an exact bound where hardly a pair differs, or nearly every one the same way")
    if any(APART in one.difference.method for one in every):
        methods.append(
            "for shares of 0 or all on a side, the difference of Clopper-Pearson intervals (MOVER)"
        )
    if any(one.difference is one.sequence for one in every if one.verdict != "the same"):
        methods = ["confidence sequence, which holds at all looks together"]
    margins = any(one.margin for one in every)
    sentences = [
        f"Differences are the variant's less the baseline's, with intervals of {found.level:.0%}"
        + (f", of all {found.family} differences together (Bonferroni)" if many else ""),
        f"Method: {'; '.join(methods)}, the {'pair' if found.of_players else unit} being the unit",
        "Differences of shares are points of a hundred",
        "relative: of the baseline's mean, its interval for itself",
        f"d: the difference over the standard deviation of a {unit}",
        f"higher: how often the variant's {unit} is the higher, ties counting half",
        f"factor: how many times more {units} on dice of their own would be needed for the same interval"
        if paired
        else "",
        "less luck: what goes along with the luck of the dice is taken off, by coefficients of other pairs; its "
        "factor is beyond that of the pairs. These differences hold together for themselves, not with the plain "
        "ones"
        if any(one.luck for one in found.variants)
        else "",
        "p: chance of as large a difference if there were none"
        + (f", adjusted for {found.family} differences (Holm)" if found.family > 1 else "")
        if any(map(has_chance, every))
        else "",
        "verdict: the whole interval lies beyond the margin, or within it (equivalent), or neither (undecided)"
        if margins
        else "verdict: the whole interval lies on one side of 0, or not (undecided)",
        "no difference: the same in every match" if any(one.known_alike for one in every) else "",
        "The numbers hold for these players" if not found.of_players else "The numbers hold for these rules",
    ]
    return " ".join(f"{sentence}." for sentence in sentences if sentence)


def comparison_plain(found: Comparison) -> dict[str, Any]:
    """Turn a comparison into plain values."""
    base = found.baseline
    return {
        "baseline": {
            "name": found.name,
            "run": str(base.run.folder),
            **base.play.labels,
            "rules": base.rules.name,
            "seed": str(base.play.seed),
            "matches": base.matches,
        },
        "level": found.level,
        "family": found.family,
        "adjustment": found.adjustment,
        "stop": None if found.stop is None else vars(found.stop),
        "variants": [
            {
                "name": one.name,
                "run": str(one.side.run.folder),
                **one.side.play.labels,
                "rules": one.side.rules.name,
                "seed": str(one.side.play.seed),
                "pairing": one.pairing,
                "matches": one.matches,
                "left_out": one.left_out,
                "unpaired": one.unpaired,
                **({} if one.back is None else {"run_exchanged": str(one.back.run.folder)}),
                "changes": [str(change) for change in one.changes],
                "winner_differs": None if one.winner_differs is None else vars(one.winner_differs),
            }
            for one in found.variants
        ],
        "comparisons": records(found.frame),
        "estimates": records(found.estimates),
    }
