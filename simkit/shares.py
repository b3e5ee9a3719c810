"""Rows of pools to money: antes, stakes, what the pot pays. Nothing is played again.

Column arithmetic over the rows of the table `shares`, one row per player of a pool. Amounts are whole hundredths
of a stake (of an ante), so that those of a pool add up to nought exactly; jetons are made of them last. Docs:
rules.md II.8 and II.9.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simkit.errors import UsageError
from simkit.rules import (
    DrainOverdraw,
    FillAnteTiming,
    FillInitialAnte,
    FillSettlement,
    Pool,
    PoolDrain,
    PoolFill,
)

Column: TypeAlias = NDArray[Any]
Rows: TypeAlias = Mapping[str, Column]

STAKE = 100
"""A stake, or an ante, in the unit of all amounts."""

SETTLED_FROM = (
    "match_id",
    "seat",
    "entered",
    "lost",
    "holes_won",
    "won_last",
    "lost_last",
    "overdraw",
    "truncated",
)
"""Columns of `shares` that some settlement reads."""


def antes(entered: Column, lost: Column, settlement: FillSettlement) -> Column:
    """Antes that players of a filling pool have paid, from the times they came to the board and lost.

    Parameters
    ----------
    entered, lost : integer arrays
        Of the same shape; one entry per player.
    settlement : FillSettlement
        When antes are paid.

    Returns
    -------
    int64 array
    """
    came = np.asarray(entered, np.int64)
    at_start = settlement.fill_initial_ante is FillInitialAnte.ALL_AT_START
    first = np.ones_like(came) if at_start else np.minimum(came, 1)
    if settlement.fill_ante_timing is FillAnteTiming.ON_DEFEAT:
        return first + np.asarray(lost, np.int64)
    return first + np.maximum(came - 1, 0)


def settle_pools(shares: Rows, match: Pool) -> dict[str, Column]:
    """Settle pools from their rows of `shares`.

    Parameters
    ----------
    shares : mapping of column name to array
        Whole pools, each with a row for every player in the order of the line; columns `SETTLED_FROM`.
    match : PoolFill or PoolDrain
        The pool, with its settlement.

    Returns
    -------
    dict
        One entry per row: match_id; seat; `paid` into the pot, `won` out of it and `net`, int64 in hundredths of
        a stake; `money`, float64, the net in jetons; settled bool. The amounts of a pool that was cut are 0.

    Raises
    ------
    UsageError
        A column is missing, or the rows are not whole pools.
    """
    missing = [name for name in SETTLED_FROM if name not in shares]
    if missing:
        raise UsageError(f"shares: {', '.join(missing)} missing; the payments of a pool need them")
    if not np.array_equal(shares["seat"], np.resize(np.arange(1, match.players + 1), len(shares["seat"]))):
        raise UsageError(f"shares: not the rows of whole pools of {match.players} players")
    if isinstance(match, PoolFill):
        paid = STAKE * antes(shares["entered"], shares["lost"], match.settlement)
        pot = np.repeat(paid.reshape(-1, match.players).sum(axis=1), match.players)
        won = np.where(shares["won_last"], pot, 0)
    else:
        paid, won = _drained(shares, match)
    settled = ~shares["truncated"]
    paid, won = paid * settled, won * settled
    return {
        "match_id": shares["match_id"],
        "seat": shares["seat"],
        "paid": paid,
        "won": won,
        "net": won - paid,
        "money": (won - paid) * match.settlement.stake / STAKE,
        "settled": settled,
    }


def _drained(shares: Rows, match: PoolDrain) -> tuple[Column, Column]:
    """What the players of draining pools put in and take out."""
    paid = np.full(len(shares["seat"]), STAKE, np.int64)
    won = match.hole_value * shares["holes_won"].astype(np.int64)
    if match.settlement.drain_overdraw is DrainOverdraw.CLAMP:
        return paid, won - shares["overdraw"] * shares["won_last"]
    return paid + shares["overdraw"] * shares["lost_last"], won
