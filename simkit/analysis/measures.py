"""What a match is measured by when rule sets or players are compared: one whole number per match and measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis.combined_measures import measured_combined, of_combined
from simkit.analysis.measure import (
    DO_OVERS,
    FIRST,
    HOLES,
    ROLLS,
    SETTINGS,
    WINS,
    Measure,
    chances,
    known,
    name_of,
    numbered,
    result_and_size,
)
from simkit.analysis.question import Rows, paired
from simkit.analysis.seat_measures import measured_pools, measured_table, of_pool, of_table
from simkit.dataset import Run
from simkit.rules import Combine, PointMatch, PoolDrain, PoolFill, RuleSet, TwelveHoles, Written
from simkit.settle import SETTLED_FROM, settle, settle_parties

WRITTEN: Final = (
    *result_and_size("points", "exact result of the match before rounding and the general tail"),
    Measure(
        name="paid",
        unit="points",
        says="what is paid in the end, rounded and with the general tail, whoever wins",
        by_settlement=True,
    ),
    WINS,
    FIRST,
    ROLLS,
    SETTINGS,
    HOLES,
    DO_OVERS,
)
PARTIES: Final = (*result_and_size("stakes", "stakes won"), WINS, FIRST, ROLLS, SETTINGS, HOLES)
POINTS: Final = (
    *result_and_size("points", "points of the match, those beyond the last counted in", by_settlement=False),
    WINS,
    FIRST,
    ROLLS,
    Measure(name="games", unit="games", says="games played"),
    Measure(name="hits", unit="men", says="men hit, of both sides"),
)


def of_match(rules: RuleSet) -> tuple[Measure, ...]:
    """What matches of a rule set can be measured by."""
    match = rules.match
    if isinstance(match, Combine):
        return of_combined(match)
    if isinstance(match, PoolFill | PoolDrain):
        return of_pool(match)
    if isinstance(match, Written):
        return WRITTEN if match.players == 2 else of_table(match)
    return PARTIES if isinstance(match, TwelveHoles) else POINTS


def measured(run: Run, place: int, rules: Sequence[RuleSet]) -> Iterator[Rows]:
    """Measure every match of a play under each of several rule sets that are played alike.

    `rules` differ from those of the play in settlement alone. Matches come in order, in blocks.

    Yields
    ------
    mapping of column name to array
        `match_id`; `whole`, whether the match came to its end; and for rule set k under `name_of(k, name)` the
        `winner` (a player or a side, 0 for a draw) and the number of each measure, int64, in the parts of the
        measure.
    """
    match = rules[0].match
    if isinstance(match, Combine):
        yield from measured_combined(run, place, rules)
        return
    if isinstance(match, PoolFill | PoolDrain):
        yield from measured_pools(run, place, rules)
        return
    if match.players > 2:
        yield from measured_table(run, place, rules)
        return
    if isinstance(match, PointMatch):
        for block in run.iter_matches(place, _POINT_COLUMNS):
            yield {**known(block), **numbered(_of_points(block), range(len(rules)))}
        return
    seed = run.plays[place].seed
    results_of = (settled(sets, rules, seed) for sets in run.iter_sets(place, SETTLED_FROM))
    for played, results in paired(run.iter_matches(place, _SET_COLUMNS), results_of):
        rows = known(played)
        for number in range(len(rules)):
            rows |= numbered(_of_sets(played, results, number), (number,))
        yield rows


_SET_COLUMNS: Final = (
    "match_id", "first_player", "rolls", "settings", "holes_1", "holes_2", "do_overs", "truncated",
)  # fmt: skip
_POINT_COLUMNS: Final = (
    "match_id", "first_player", "winner", "points_1", "points_2", "games", "rolls", "hits_1", "hits_2",
    "truncated",
)  # fmt: skip


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
        **chances(winner, played["first_player"]),
        **{name: played[name].astype(np.int64) for name in ("rolls", "settings", "do_overs")},
        "holes": played["holes_1"].astype(np.int64) + played["holes_2"],
    }


def _of_points(played: Rows) -> dict[str, NDArray[Any]]:
    result = played["points_1"].astype(np.int64) - played["points_2"]
    return {
        "winner": played["winner"],
        "result": result,
        "size": np.abs(result),
        **chances(played["winner"], played["first_player"]),
        **{name: played[name].astype(np.int64) for name in ("rolls", "games")},
        "hits": played["hits_1"].astype(np.int64) + played["hits_2"],
    }
