"""Plausible set rows without a single game played: for tests of what is done with rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = dict[str, NDArray[Any]]


def random_rows(
    matches: int, sets: int, seed: int, *, chance: float = 0.5, capped: float = 0.0, first_match: int = 0
) -> Rows:
    """`matches` whole matches of `sets` sets; player 1 wins a set with `chance`.

    Holes, runs, pickups and do-overs agree with one another as in real rows. With `capped`, so many sets are
    cut, and the sets of their match that would follow are not there.
    """
    random = np.random.default_rng(seed)
    size = matches * sets
    winner_first = random.random(size) < chance
    intact = random.random(size) < 0.3
    lost = random.integers(0, 14, size)
    lost = np.where(intact, np.minimum(lost, random.integers(0, 9, size)), lost)
    won = np.maximum(6, lost + 1 + random.geometric(0.35, size) - 1)
    won = np.where(intact & (random.random(size) < 0.25), np.maximum(won, 12), won)
    picked_up_winner = intact & (random.random(size) < 0.6)
    picked_up_loser = (lost > 0) & (random.random(size) < 0.5)
    loser_six = lost >= 6
    ended_by = np.where(~intact & (random.random(size) < 0.2), 1, 0)
    do_overs = random.geometric(0.9, size) - 1

    is_capped = random.random(size) < capped
    set_no = np.tile(np.arange(1, sets + 1), matches)
    earlier = np.cumsum(is_capped.reshape(matches, sets), axis=1).ravel() - is_capped
    kept = earlier == 0
    winner = np.where(is_capped, 0, np.where(winner_first, 1, 2))
    intact &= ~is_capped

    def sides(
        of_winner: NDArray[Any], of_loser: NDArray[Any], dtype: str
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        one, two = np.where(winner_first, of_winner, of_loser), np.where(winner_first, of_loser, of_winner)
        return one.astype(dtype), two.astype(dtype)

    rows: Rows = {
        "match_id": np.repeat(np.arange(first_match, first_match + matches), sets).astype(np.int64),
        "set_no": set_no.astype(np.int16),
        "first_player": random.integers(1, 3, size).astype(np.int8),
        "winner": winner.astype(np.int8),
        "ended_by": np.where(is_capped, 2, ended_by).astype(np.int8),
        "do_overs": do_overs.astype(np.int16),
        "rolls": random.integers(40, 400, size).astype(np.int32),
        "rolls_do_overs": (do_overs * random.integers(40, 400, size)).astype(np.int32),
    }
    nobody = np.zeros(size, dtype=bool)
    for name, of_winner, of_loser, dtype in (
        ("holes", won, lost, "int16"),
        ("run_intact", intact, nobody, "bool"),
        ("picked_up", picked_up_winner, picked_up_loser, "bool"),
        ("reached_six", ~nobody, loser_six, "bool"),
        ("intact_at_six", intact, loser_six & intact, "bool"),
    ):
        rows[f"{name}_1"], rows[f"{name}_2"] = sides(of_winner, of_loser, dtype)
    return {name: column[kept] for name, column in rows.items()}


def random_parties(n: int, seed: int, *, capped: float = 0.0, first: int = 0) -> Rows:
    """Plausible rows of parties that nobody played."""
    random = np.random.default_rng(seed)
    cut = random.random(n) < capped
    winner = np.where(cut, 0, random.integers(1, 3, n))
    loser = random.integers(0, 12, n)
    return {
        "match_id": np.arange(first, first + n),
        "first_player": random.integers(1, 3, n).astype(np.int8),
        "first_scorer": random.integers(1, 3, n).astype(np.int8),
        "winner": winner.astype(np.int8),
        "ended_by": np.where(cut, 2, 0).astype(np.int8),
        "holes_1": np.where(winner == 1, 12, loser).astype(np.int16),
        "holes_2": np.where(winner == 2, 12, loser).astype(np.int16),
        "rolls": random.integers(30, 250, n).astype(np.int32),
        "settings": random.integers(1, 8, n).astype(np.int32),
        "sorties": random.integers(0, 2, n).astype(np.int16),
        "stalls": (random.random(n) < 0.1).astype(np.int16),
    }


def rows_of_matches(matches: Sequence[Sequence[tuple[int, int]]]) -> Rows:
    """Simple sets worth what is asked: each match a list of (winner 1 or 2, value of at least 3)."""
    flat = [(m, s, w, v) for m, match in enumerate(matches) for s, (w, v) in enumerate(match, 1)]
    table = np.array(flat, dtype=np.int64).reshape(-1, 4)
    winner, value = table[:, 2], table[:, 3]
    won = np.maximum(6, value - 2)
    lost = won + 2 - value
    no = np.zeros(len(flat), dtype=bool)
    return {
        "match_id": table[:, 0],
        "set_no": table[:, 1].astype(np.int16),
        "winner": winner.astype(np.int8),
        "holes_1": np.where(winner == 1, won, lost).astype(np.int16),
        "holes_2": np.where(winner == 1, lost, won).astype(np.int16),
        "run_intact_1": no,
        "run_intact_2": no,
        "picked_up_1": no,
        "picked_up_2": no,
        "reached_six_1": (winner == 1) | (lost >= 6),
        "reached_six_2": (winner == 2) | (lost >= 6),
        "do_overs": np.zeros(len(flat), dtype=np.int16),
    }


def exchanged(rows: Rows) -> Rows:
    """The same sets with players 1 and 2 exchanged."""
    other = {"1": "2", "2": "1"}
    swapped = {
        name: rows[name[:-1] + other[name[-1]]] if name[-2:] in ("_1", "_2") else column
        for name, column in rows.items()
    }
    for name in ("winner", "first_player"):
        if name in rows:
            swapped[name] = np.where(rows[name] == 0, 0, 3 - rows[name]).astype(np.int8)
    return swapped


def joined(blocks: Sequence[Rows]) -> Rows:
    """Blocks one after another."""
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def part(rows: Rows, matches: slice) -> Rows:
    """Some of the matches, by their place."""
    ids = np.unique(rows["match_id"])[matches]
    chosen = np.isin(rows["match_id"], ids)
    return {name: column[chosen] for name, column in rows.items()}
