"""What a match is measured by when rule sets or players are compared: one whole number per match and measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis.question import Rows, paired
from simkit.dataset import Run
from simkit.errors import UsageError
from simkit.rules import PointMatch, RuleSet, TwelveHoles, Written
from simkit.settle import SETTLED_FROM, settle, settle_parties


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One number of a match."""

    name: str
    """Its name on the command line and in frames."""
    unit: str
    """What it counts, after the number."""
    says: str
    """What it is, in words."""
    by_settlement: bool = False
    """Whether it hangs on the settlement; else matches played alike are alike in it."""
    parts: int = 1
    """It is kept as a whole number of so many parts: 2 where a draw counts half."""
    signed: bool = False
    """Whether it may be below 0."""
    ends: tuple[str, str] = ("more", "less")
    """What a difference above and below 0 is called."""


_ROLLS: Final = Measure(name="rolls", unit="rolls", says="rolls of both players, do-overs included")
_FIRST: Final = Measure(
    name="first_wins",
    unit="share of matches",
    says="chance of him who throws first, a draw counting half",
    by_settlement=True,
    parts=2,
)
_WINS: Final = Measure(
    name="wins",
    unit="share of matches",
    says="matches won by player 1, a draw counting half",
    by_settlement=True,
    parts=2,
    ends=("better", "worse"),
)
_SETTINGS: Final = Measure(name="settings", unit="settings", says="settings of the men, do-overs included")
_HOLES: Final = Measure(name="holes", unit="holes", says="holes of both players in all sets or parties")


def _result(unit: str, says: str, by_settlement: bool = True) -> tuple[Measure, Measure]:
    """The result of player 1, and its size whoever wins."""
    return (
        Measure(
            name="result",
            unit=unit,
            says=f"{says}, signed for player 1",
            by_settlement=by_settlement,
            signed=True,
            ends=("better", "worse"),
        ),
        Measure(name="size", unit=unit, says=f"{says}, whoever wins", by_settlement=by_settlement),
    )


WRITTEN: Final = (
    *_result("points", "exact result of the match before rounding and the general tail"),
    Measure(
        name="paid",
        unit="points",
        says="what is paid in the end, rounded and with the general tail, whoever wins",
        by_settlement=True,
    ),
    _WINS,
    _FIRST,
    _ROLLS,
    _SETTINGS,
    _HOLES,
    Measure(name="do_overs", unit="do-overs", says="sets done over"),
)
PARTIES: Final = (*_result("stakes", "stakes won"), _WINS, _FIRST, _ROLLS, _SETTINGS, _HOLES)
POINTS: Final = (
    *_result("points", "points of the match, those beyond the last counted in", by_settlement=False),
    _WINS,
    _FIRST,
    _ROLLS,
    Measure(name="games", unit="games", says="games played"),
    Measure(name="hits", unit="men", says="men hit, of both sides"),
)
DURATIONS: Final = ("rolls",)
"""Measures of which a match that was cut still tells something: that it would have gone on."""


def of_match(rules: RuleSet) -> tuple[Measure, ...]:
    """What matches of a rule set can be measured by.

    Raises
    ------
    UsageError
        No measure of one match is known of its kind.
    """
    kinds = {Written: WRITTEN, TwelveHoles: PARTIES, PointMatch: POINTS}
    if type(rules.match) not in kinds or rules.match.players != 2:
        raise UsageError(
            f"{rules.name}: so far only matches of two at the written game, parties in twelve holes and matches "
            "to points are compared"
        )
    return kinds[type(rules.match)]


def measured(run: Run, place: int, rules: Sequence[RuleSet]) -> Iterator[Rows]:
    """Measure every match of a play under each of several rule sets that are played alike.

    `rules` differ from those of the play in settlement alone. Matches come in order, in blocks.

    Yields
    ------
    mapping of column name to array
        `match_id`; `whole`, whether the match came to its end; and for rule set k under `name_of(k, name)` the
        `winner` (1, 2, 0 for a draw) and the number of each measure, int64, in the parts of the measure.
    """
    if isinstance(rules[0].match, PointMatch):
        for block in run.iter_matches(place, _POINT_COLUMNS):
            yield {**known(block), **_numbered(_of_points(block), range(len(rules)))}
        return
    seed = run.plays[place].seed
    results_of = (settled(sets, rules, seed) for sets in run.iter_sets(place, SETTLED_FROM))
    for played, results in paired(run.iter_matches(place, _SET_COLUMNS), results_of):
        rows = known(played)
        for number in range(len(rules)):
            rows |= _numbered(_of_sets(played, results, number), (number,))
        yield rows


def name_of(number: int, measure: str) -> str:
    """The column of a measure under one of several rule sets."""
    return f"{number}.{measure}"


_SET_COLUMNS: Final = (
    "match_id", "first_player", "rolls", "settings", "holes_1", "holes_2", "do_overs", "truncated",
)  # fmt: skip
_POINT_COLUMNS: Final = (
    "match_id", "first_player", "winner", "points_1", "points_2", "games", "rolls", "hits_1", "hits_2",
    "truncated",
)  # fmt: skip


def known(played: Rows) -> dict[str, NDArray[Any]]:
    """Which matches rows are of, and whether these came to their end."""
    return {"match_id": played["match_id"], "whole": ~played["truncated"]}


def _numbered(numbers: Rows, places: Iterable[int]) -> dict[str, NDArray[Any]]:
    return {name_of(place, name): column for place in places for name, column in numbers.items()}


def settled(block: Rows, rules: Sequence[RuleSet], seed: int) -> dict[str, NDArray[Any]]:
    """Exact result, winner and, of a written match, money of each match under each settlement."""
    found: dict[str, NDArray[Any]] = {}
    for number, one in enumerate(rules):
        match = one.trictrac_match
        if isinstance(match, Written):
            results = settle(block, match.settlement, n_sets=match.sets, seed=seed)
        else:
            results = settle_parties(block, match.settlement, n_parties=match.parties)
        found["match_id"] = results["match_id"]
        kept = ("exact", "winner", "money")
        found |= {name_of(number, name): results[name] for name in kept if name in results}
    return found


def _of_sets(played: Rows, results: Rows, number: int) -> dict[str, NDArray[Any]]:
    winner, exact = results[name_of(number, "winner")], results[name_of(number, "exact")]
    money = results.get(name_of(number, "money"))
    return {
        "winner": winner,
        "result": exact,
        "size": np.abs(exact),
        **({} if money is None else {"paid": np.abs(money)}),
        **_chances(winner, played["first_player"]),
        **{name: played[name].astype(np.int64) for name in ("rolls", "settings", "do_overs")},
        "holes": played["holes_1"].astype(np.int64) + played["holes_2"],
    }


def _of_points(played: Rows) -> dict[str, NDArray[Any]]:
    result = played["points_1"].astype(np.int64) - played["points_2"]
    return {
        "winner": played["winner"],
        "result": result,
        "size": np.abs(result),
        **_chances(played["winner"], played["first_player"]),
        **{name: played[name].astype(np.int64) for name in ("rolls", "games")},
        "hits": played["hits_1"].astype(np.int64) + played["hits_2"],
    }


def _chances(winner: NDArray[Any], first_player: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """In halves: a match won counts 2, a draw 1."""
    drawn = (winner == 0).astype(np.int64)
    return {"wins": 2 * (winner == 1) + drawn, "first_wins": 2 * (winner == first_player) + drawn}
