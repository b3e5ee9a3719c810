"""The short answer of a report: sentences made of estimates and verdicts, none of them typed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from simkit.analysis.words import count, in_words, lengths_in_words, number, span
from simkit.report.figures import tail_words, unit_words
from simkit.report.numbers import Cell, Estimate, Side, Table, choose, printed

if TYPE_CHECKING:
    import pandas as pd

    from simkit.experiment import Verdict

LENGTHS = (4, 8, 12, 24)
"""Numbers of sets in the small tables; the figures show them all."""
SPOKEN = (4, 8, 24)
"""Numbers of sets spoken of in words, and those whose results with the tail are set against those without."""
SHORT, USUAL = 4, 8
"""The short match asked about, and the one it is compared with."""


def summary(estimates: pd.DataFrame, shown: Sequence[Side]) -> str:
    """The answer in two sentences, by the first pair of players: who wins, and how much of the money."""
    if not shown or not choose(estimates, "winner_changes", shown[0]):
        return "Nothing was estimated."
    who, money = directions(estimates, shown[0])
    ratio = at(estimates, "variance_tail_of_sets_ratio", shown[0], SHORT)
    share = f"its share of what is won and lost is {number(ratio.mean, ratio.unit)} times" if ratio else ""
    wins = {
        1: f"yes, more: it changes the winner of a match of {SHORT} sets more often than of the usual one of "
        f"{USUAL}.",
        -1: f"no: it changes the winner of a match of {SHORT} sets less often than of the usual one of "
        f"{USUAL}.",
        0: f"that cannot be told from these matches: no difference between matches of {SHORT} and of {USUAL} "
        "sets stands out from chance.",
    }[who]
    part = {
        1: f"it weighs more there: {share} that at {USUAL} sets; whether that is too much is a judgement and "
        "not a count.",
        -1: f"no: {share} that at {USUAL} sets.",
        0: f"no difference between {SHORT} and {USUAL} sets stands out from chance.",
    }[money]
    return f"Does the tail of sets weigh too much in a short match? By who wins, {wins} By the money, {part}"


def details(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[tuple[str, str]]:
    """The numbers behind `summary`, each paragraph with its heading; the other players agree with it or not.

    Parameters
    ----------
    estimates : pandas.DataFrame
        The table of a run.
    shown : sequence of Side
        Rule sets and players; the first is spoken of.
    """
    for side in shown[:1]:
        if choose(estimates, "winner_changes", side):
            yield "Who wins.", who_wins(estimates, side)
            yield "Who the winner is.", winner_words(estimates, side)
            if at(estimates, "variance_tail_of_sets", side, USUAL):
                yield "How much of the money.", how_much(estimates, side)
            yield "How sure.", how_sure(estimates, side, shown[1:])


def who_wins(estimates: pd.DataFrame, side: Side) -> str:
    """How often the tail changes the winner, and at which lengths least and most often."""
    found = choose(estimates, "winner_changes", side)
    every = [e.sets for e in found]
    least, most = min(found, key=lambda e: e.mean), max(found, key=lambda e: e.mean)
    rarest, commonest = (
        lengths_in_words([e.sets for e in found if e.mean == end.mean], every) for end in (least, most)
    )
    seldom = number(least.mean, least.unit) if least.mean else "never"
    return (
        f"With {side.label}, the {tail_words([side])} changes the winner in "
        f"{shares_at([e for e in found if e.sets in SPOKEN] or found)} sets. It did so least often at "
        f"{rarest} sets ({seldom}) and most often at {commonest} sets ({number(most.mean, most.unit)})."
    )


def how_much(estimates: pd.DataFrame, side: Side) -> str:
    """How much of the spread of the result comes from the tail, beside the mean size of the result."""
    shares, sizes = (
        [e for e in choose(estimates, measure, side) if e.sets in SPOKEN]
        for measure in ("variance_tail_of_sets", "mean_abs_exact")
    )
    said = [f"{number(e.mean, e.unit)} at {e.sets} sets" for e in shares]
    text = (
        "Results differ from match to match. Of that spread (the variance of the result) the tail accounts "
        f"for {in_words(said)}."
    )
    if falls(estimates, side):
        text += " The shorter the match, the larger its share."
    if sizes:
        points = [f"{number(e.mean, e.unit)} points at {e.sets} sets" for e in sizes]
        text += (
            f" For comparison: the tail is {side.tail_of_sets} points, and the mean size of the result is "
            f"{in_words(points)}."
        )
    return text


def how_sure(estimates: pd.DataFrame, side: Side, others: Sequence[Side]) -> str:
    """The intervals behind the two answers, whether other players agree, and what chance does not cover."""
    text = f"These are numbers of {count(choose(estimates, 'winner_changes', side)[0].n)} matches."
    wins, share = (
        times(at(estimates, measure, side, SHORT))
        for measure in ("winner_changes_ratio", "variance_tail_of_sets_ratio")
    )
    if wins:
        text += f" At {SHORT} sets the tail changes the winner {wins} as often as at {USUAL} sets."
    if share:
        text += f" Its share of the spread is {share} that at {USUAL} sets."
    same = [other.label for other in others if directions(estimates, other) == directions(estimates, side)]
    unlike = [other.label for other in others if other.label not in same]
    text += f" The directions are the same with {in_words(same)}." if same else ""
    text += f" They are others, or not certain, with {in_words(unlike)}." if unlike else ""
    return (
        f"{text} The intervals cover chance. They do not cover players better than these programs, nor "
        "players who play for the tail."
    )


def times(e: Estimate | None) -> str:
    """A ratio with its interval, or nothing."""
    if e is None or math.isnan(e.low):
        return ""
    return f"{number(e.mean, e.unit)} times (95\u202f% interval {span(e.mean, e.low, e.high, e.unit)})"


def directions(estimates: pd.DataFrame, side: Side) -> tuple[int, int]:
    """The signs of both answers."""
    return (
        trend(estimates, "winner_changes_ratio", side),
        trend(estimates, "variance_tail_of_sets_ratio", side),
    )


def trend(estimates: pd.DataFrame, measure: str, side: Side) -> int:
    """Whether a ratio of the short match to the usual one lies above 1 (1), below (-1), or cannot be told."""
    e = at(estimates, measure, side, SHORT)
    return 0 if e is None else int(e.low > 1) - int(e.high < 1)


def falls(estimates: pd.DataFrame, side: Side) -> bool:
    """Whether the tail's share of the variance is smaller at every longer match."""
    shares = [e.mean for e in choose(estimates, "variance_tail_of_sets", side)]
    return all(one > two for one, two in pairwise(shares))


def at(estimates: pd.DataFrame, measure: str, side: Side, sets: int) -> Estimate | None:
    """A measure at one number of sets."""
    return next((e for e in choose(estimates, measure, side) if e.sets == sets), None)


def winner_words(estimates: pd.DataFrame, side: Side) -> str:
    """What a winner is, and what the result by rounded money would make of it."""
    text = (
        "It is the player to whom the exact result is due, before rounding, be it by one point; a result of "
        "nought is a draw, and a change from or to a draw counts."
    )
    found = [e for e in choose(estimates, "winner_changes_rounded", side) if e.sets in SPOKEN]
    if side.round_unit and found:
        text += (
            f" Paid is the result rounded to {unit_words([side])}, which can leave nothing of a small one. "
            f"Counted by that money, the winner changes in {shares_at(found)} sets."
        )
    return text


def shares_at(found: Sequence[Estimate]) -> str:
    """`0.75 %, 3.60 % and 3.30 % of matches of 4, 8 and 24`."""
    shares = in_words([number(e.mean, e.unit) for e in found])
    return f"{shares} of matches of {in_words([e.sets for e in found])}"


def claim_words(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, str]]:
    """Each claim with its verdicts in words, pairs of players that agree taken together."""
    for claim in dict.fromkeys(verdict.claim for verdict in verdicts):
        here = [verdict for verdict in verdicts if verdict.claim == claim]
        together: dict[tuple[str, str], list[str]] = {}
        for verdict in here:
            pair = f"{verdict.player_1} against {verdict.player_2}"
            together.setdefault((verdict.verdict, verdict.meaning), []).append(pair)
        said = [
            f"{capital(outcome)}: {meaning}{'' if len(together) == 1 else f' ({in_words(pairs)})'}."
            for (outcome, meaning), pairs in together.items()
        ]
        elsewhere: dict[str, list[str]] = {}
        for verdict in here:
            pair = f"{verdict.player_1} against {verdict.player_2}"
            elsewhere.setdefault(verdict.elsewhere, []).append(pair)
        said += [
            f"{capital(where)}{'' if len(elsewhere) == 1 else f' ({in_words(pairs)})'}."
            for where, pairs in elsewhere.items()
            if where
        ]
        yield f"{claim}. {here[0].statement}", " ".join(said)


def capital(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]


def pair_words(estimates: pd.DataFrame, shown: Sequence[Side]) -> Iterator[str]:
    """The pairs of players after the first, in a line each."""
    for side in shown[1:]:
        changes, shares = (
            [e for e in choose(estimates, measure, side) if e.sets in SPOKEN]
            for measure in ("winner_changes", "variance_tail_of_sets")
        )
        if changes:
            text = f"{capital(side.label)}: the winner changes in {shares_at(changes)} sets"
            if shares:
                spread = in_words([number(e.mean, e.unit) for e in shares])
                text += f"; the tail accounts for {spread} of the spread of the result"
            yield f"{text}."


def refused(sanity: pd.DataFrame) -> Iterator[str]:
    """A sentence for each pair of players whose play was not used."""
    for record in sanity.to_dict("records"):
        if not record["usable"]:
            yield (
                f"The play of {record['player_1']} against {record['player_2']} was not used: "
                f"{number(float(record['capped']), 'share')} of their sets did not end and had to be cut."
            )


def answer_table(estimates: pd.DataFrame, shown: Sequence[Side]) -> Table:
    """Winner changes with their intervals at a few lengths, by the exact and by the rounded result."""
    exact = [choose(estimates, "winner_changes", side) for side in shown]
    rounded = [choose(estimates, "winner_changes_rounded", side) if side.round_unit else [] for side in shown]
    rows = []
    for length in LENGTHS:
        for words, series in ((str(length), exact), (f"{length}, in {unit_words(shown)}", rounded)):
            here = [next((e for e in line if e.sets == length), None) for line in series]
            if any(here):
                rows.append((Cell(words), *(printed(e) if e else Cell("") for e in here)))
    played = [count(line[0].n) if line else "" for line in exact]
    caption = f"Share of matches whose winner changes with the {tail_words(shown)}, by the exact result"
    caption += f" and by the result in {unit_words(shown)}" if any(rounded) else ""
    return Table(
        ("sets", *(side.label for side in shown)),
        (*rows, (Cell("matches"), *map(Cell, played))),
        f"{caption}; beneath, its 95\u202f% interval",
    )


def verdict_words(verdicts: Iterable[Verdict]) -> str:
    """What the three verdicts mean."""
    if not list(verdicts):
        return ""
    return (
        "Each claim is judged by a criterion, printed below with the numbers. Confirmed: "
        "at every length named the whole interval lies above the threshold; refuted: at one of them at least "
        "the whole interval lies below it; undecided: neither. The thresholds are ours and not the authors', "
        "so an effect may be there and yet be refuted as too small."
    )
