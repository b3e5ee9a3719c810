"""What a match of trictrac combiné is measured by: its written game, its games of honours, and both together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis.measure import (
    DO_OVERS,
    FIRST,
    ROLLS,
    SETTINGS,
    WINS,
    Measure,
    chances,
    known,
    numbered,
    result_and_size,
)
from simkit.analysis.question import Rows, paired
from simkit.analysis.seat_measures import SIDE_FIRST, SIDE_WINS, money, money_columns
from simkit.dataset import Run
from simkit.honours import settle_combined, settle_partners
from simkit.rules import Combine, RuleSet
from simkit.settle import SETTLED_FROM
from simkit.settle_turns import TURNS_SETTLED_FROM

_HOLES: Final = Measure(
    name="holes", unit="holes", says="holes of both players in the written game, do-overs left out"
)
_HONOURS_HOLES: Final = Measure(
    name="honours_holes",
    unit="holes",
    says="holes of both players in games of honours, of which the last may be unfinished",
)
"""A hole counts in both games unless one is suspended; so the two are not added up."""
_GAMES: Final = Measure(name="honours_games", unit="games", says="games of honours that were finished")
_PARTS: Final = {
    "written": ("jetons", "result of the written game before rounding and the general tail"),
    "honours": ("fish", "fish paid for games of honours"),
    "pool": ("fish", "fish drawn from the pool, less those put in"),
}
"""Columns of settled matches that the result of both games is made of, each with its unit and words."""


def of_combined(match: Combine) -> tuple[Measure, ...]:
    """What matches of trictrac combiné of so many players can be measured by."""
    of = "player 1" if match.players == 2 else "side 1"
    together = "result of both games in jetons, before rounding and the general tail"
    paid = "what is paid in the end for both games, in jetons, whoever wins"
    return (
        *result_and_size("jetons", together, of=of),
        Measure(name="paid", unit="jetons", says=paid, by_settlement=True),
        *(
            measure
            for name, (unit, says) in _PARTS.items()
            for measure in result_and_size(unit, says, of=of, names=(name, f"{name}_size"))
        ),
        *(() if match.players == 2 else money(match.players)),
        *((WINS, FIRST) if match.players == 2 else (SIDE_WINS, SIDE_FIRST)),
        ROLLS,
        SETTINGS,
        _HOLES,
        _HONOURS_HOLES,
        DO_OVERS,
        _GAMES,
    )


_COLUMNS: Final = (
    "match_id", "first_player", "rolls", "settings", "holes_1", "holes_2", "do_overs", "honours_won_1",
    "honours_won_2", "honours_left_1", "honours_left_2", "truncated",
)  # fmt: skip


def measured_combined(run: Run, place: int, rules: Sequence[RuleSet]) -> Iterator[Rows]:
    """Measure every match of trictrac combiné, as `simkit.analysis.measures.measured`."""
    matches = [rules_of.match for rules_of in rules if isinstance(rules_of.match, Combine)]
    seed = run.plays[place].seed
    columns = SETTLED_FROM if matches[0].players == 2 else TURNS_SETTLED_FROM
    results_of = (_settled(sets, games, matches, seed) for sets, games in run.iter_combined(place, columns))
    for played, results in paired(run.iter_matches(place, _COLUMNS), results_of):
        rows = known(played)
        lengths = {name: played[name].astype(np.int64) for name in ("rolls", "settings", "do_overs")}
        lengths["holes"] = played["holes_1"].astype(np.int64) + played["holes_2"]
        lengths["honours_games"] = played["honours_won_1"].astype(np.int64) + played["honours_won_2"]
        left = played["honours_left_1"].astype(np.int64) + played["honours_left_2"]
        lengths["honours_holes"] = left + results["honours_holes"]
        for number in range(len(rules)):
            found = {
                name.partition(".")[2]: results[name] for name in results if name.startswith(f"{number}.")
            }
            found |= lengths | chances(found["winner"], played["first_player"])
            rows |= numbered(found, (number,))
        yield rows


def _settled(sets: Rows, games: Rows, matches: Sequence[Combine], seed: int) -> dict[str, NDArray[Any]]:
    """Results of both games of each match under each settlement; holes of its finished games of honours."""
    found: dict[str, NDArray[Any]] = {}
    for number, match in enumerate(matches):
        settle = settle_combined if match.players == 2 else settle_partners
        results = settle(sets, games, match, n_sets=match.sets, seed=seed)
        found["match_id"] = results["match_id"]
        columns = {"winner": results["winner"], "result": results["exact"], "size": np.abs(results["exact"])}
        columns["paid"] = np.abs(results["money"])
        for name in _PARTS:
            columns |= {name: results[name], f"{name}_size": np.abs(results[name])}
        if match.players > 2:
            columns |= money_columns(results, match.players)
        found |= numbered(columns, (number,))
    made = games["holes_1"].astype(np.int64) + games["holes_2"]
    of_game = np.searchsorted(found["match_id"], games["match_id"])
    found["honours_holes"] = np.bincount(of_game, made, len(found["match_id"])).astype(np.int64)
    return found
