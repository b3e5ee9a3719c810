"""What matches of three players and more are measured by: each player's money, and the lengths.

Tables of the written game, where two of the players sit at the board and the others wait, and pools.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit.analysis.measure import (
    DO_OVERS,
    HOLES,
    ROLLS,
    SETTINGS,
    Measure,
    chances,
    known,
    numbered,
    result_and_size,
)
from simkit.analysis.question import Rows, paired
from simkit.dataset import Run
from simkit.rules import Pool, PoolDrain, PoolFill, RuleSet, TableMode, Written
from simkit.settle_turns import TURNS_SETTLED_FROM, settle_by_turns
from simkit.shares import SETTLED_FROM as SHARES_SETTLED_FROM
from simkit.shares import STAKE, settle_pools

ENDS: Final = ("better", "worse")


def _share(name: str, says: str, *, parts: int, by_settlement: bool = True) -> Measure:
    """A share of matches that somebody wins."""
    return Measure(
        name=name, unit="share of matches", says=says, by_settlement=by_settlement, parts=parts, ends=ENDS
    )


SIDE_WINS: Final = _share("wins", "matches won by side 1, a draw counting half", parts=2)
SIDE_FIRST: Final = Measure(
    name="first_wins",
    unit="share of matches",
    says="chance of the side that throws first, a draw counting half",
    by_settlement=True,
    parts=2,
)

# ---------------------------------------------------------------- tables of the written game


def money(players: int) -> tuple[Measure, ...]:
    """What each player at a table wins in the end."""
    return tuple(
        Measure(
            name=f"money_{player}",
            unit="jetons",
            says=f"what player {player} wins in the end, less what he pays",
            by_settlement=True,
            signed=True,
            ends=ENDS,
        )
        for player in range(1, players + 1)
    )


def money_columns(results: Rows, players: int) -> dict[str, NDArray[Any]]:
    """The money of each player, as settled matches have it."""
    return {name: results[name] for name in (f"money_{player}" for player in range(1, players + 1))}


def of_table(match: Written) -> tuple[Measure, ...]:
    """What matches of three to five players at the written game can be measured by."""
    changes_hands = Measure(
        name="paid",
        unit="jetons",
        says="what those who lose pay in the end, all together",
        by_settlement=True,
    )
    lengths = (ROLLS, SETTINGS, HOLES, DO_OVERS)
    if match.table_mode is TableMode.TOURNER:
        wins = (
            _share(
                f"wins_{player}", f"matches in which player {player} alone has the highest result", parts=1
            )
            for player in range(1, match.players + 1)
        )
        return (*money(match.players), changes_hands, *wins, *lengths)
    says = "exact result of the match before rounding and the general tail"
    return (
        *money(match.players),
        changes_hands,
        *result_and_size("jetons", says, of="side 1"),
        SIDE_WINS,
        SIDE_FIRST,
        *lengths,
    )


_COLUMNS: Final = (
    "match_id", "first_player", "rolls", "settings", "holes_1", "holes_2", "do_overs", "truncated",
)  # fmt: skip


def measured_table(run: Run, place: int, rules: Sequence[RuleSet]) -> Iterator[Rows]:
    """Measure every match of a table, as `simkit.analysis.measures.measured`."""
    matches = [rules_of.match for rules_of in rules if isinstance(rules_of.match, Written)]
    seed = run.plays[place].seed
    results_of = (_settled(sets, matches, seed) for sets in run.iter_sets(place, TURNS_SETTLED_FROM))
    for played, results in paired(run.iter_matches(place, _COLUMNS), results_of):
        rows = known(played)
        lengths = {name: played[name].astype(np.int64) for name in ("rolls", "settings", "do_overs")}
        lengths["holes"] = played["holes_1"].astype(np.int64) + played["holes_2"]
        for number, match in enumerate(matches):
            found = {
                name.partition(".")[2]: results[name] for name in results if name.startswith(f"{number}.")
            }
            if match.table_mode is not TableMode.TOURNER:
                found |= chances(found["winner"], played["first_player"])
            rows |= numbered(found | lengths, (number,))
        yield rows


def _settled(sets: Rows, matches: Sequence[Written], seed: int) -> dict[str, NDArray[Any]]:
    """Money, and who has won, of each match under each settlement."""
    found: dict[str, NDArray[Any]] = {}
    for number, match in enumerate(matches):
        results = settle_by_turns(sets, match, seed=seed)
        found["match_id"] = results["match_id"]
        columns = {"winner": results["winner"], **money_columns(results, match.players)}
        columns["paid"] = np.sum(
            [np.maximum(won, 0) for won in money_columns(results, match.players).values()], axis=0
        )
        if match.table_mode is TableMode.TOURNER:
            for player in range(1, match.players + 1):
                columns[f"wins_{player}"] = (results["winner"] == player).astype(np.int64)
        else:
            columns |= {"result": results["exact"], "size": np.abs(results["exact"])}
        found |= numbered(columns, (number,))
    return found


# ---------------------------------------------------------------- pools

_MATCHES: Final = Measure(name="matches", unit="matches", says="matches of two in a pool")
_POOL_COLUMNS: Final = ("match_id", "matches", "last_winner", "rolls", "settings", "do_overs", "truncated")


def of_pool(match: Pool) -> tuple[Measure, ...]:
    """What pools can be measured by; place p is that of player p in the line."""
    places, parts = range(1, match.players + 1), _parts(match)
    fills = isinstance(match, PoolFill)
    won = "pools won by place {}" if fills else "pools whose last match place {} won"
    nets = (
        Measure(
            name=f"net_{place}",
            unit="stakes",
            says=f"what place {place} in the line takes out of the pot, less what he puts in",
            by_settlement=True,
            parts=parts,
            signed=True,
            ends=ENDS,
        )
        for place in places
    )
    wins = (
        Measure(
            name=f"wins_{place}" if fills else f"last_{place}",
            unit="share of pools",
            says=won.format(place),
            ends=ENDS if fills else ("more", "less"),
        )
        for place in places
    )
    pot = Measure(
        name="pot", unit="stakes", says="what all put into the pot", by_settlement=True, parts=parts
    )
    return (*nets, pot, *wins, _MATCHES, ROLLS, SETTINGS, DO_OVERS)


def _parts(match: Pool) -> int:
    """Into how many parts a stake is cut: a filling pool is paid in whole ones."""
    return 1 if isinstance(match, PoolFill) else STAKE


def measured_pools(run: Run, place: int, rules: Sequence[RuleSet]) -> Iterator[Rows]:
    """Measure every pool, as `simkit.analysis.measures.measured`."""
    pools = [rules_of.match for rules_of in rules if isinstance(rules_of.match, PoolFill | PoolDrain)]
    shares = run.iter_rows("shares", place, SHARES_SETTLED_FROM)
    accounts = (_accounts(block, pools) for block in shares)
    for played, results in paired(run.iter_matches(place, _POOL_COLUMNS), accounts):
        rows = known(played)
        found: dict[str, NDArray[Any]] = {"winner": played["last_winner"]}
        found |= {
            name: played[name].astype(np.int64) for name in ("matches", "rolls", "settings", "do_overs")
        }
        kind = "wins" if isinstance(pools[0], PoolFill) else "last"
        for seat in range(1, pools[0].players + 1):
            found[f"{kind}_{seat}"] = (played["last_winner"] == seat).astype(np.int64)
        yield {**rows, **numbered(found, range(len(rules))), **results}


def _accounts(shares: Rows, pools: Sequence[Pool]) -> dict[str, NDArray[Any]]:
    """What each place in the line comes to in each pool, and the pot, under each settlement."""
    players = pools[0].players
    found: dict[str, NDArray[Any]] = {"match_id": shares["match_id"][::players]}
    for number, match in enumerate(pools):
        results = settle_pools(shares, match)
        net, paid = (results[name].reshape(-1, players) * _parts(match) // STAKE for name in ("net", "paid"))
        columns = {f"net_{seat + 1}": net[:, seat] for seat in range(players)}
        found |= numbered(columns | {"pot": paid.sum(axis=1)}, (number,))
    return found
