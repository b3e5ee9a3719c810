"""A pool told match by match: who stands where in line, who pays what, what lies in the pot.

The line and the draining pot are those of the driver, the antes those of the settlement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.drivers import ChunkTables
from simkit.drivers.pools import Pools, holes_paid
from simkit.rules import DrainOverdraw, FillSettlement, Pool, PoolDrain, PoolFill
from simkit.shares import STAKE, antes, settle_pools


@dataclass(frozen=True)
class PoolStep:
    """What a match of a pool has done.

    Players are their places in the first line, from 1; amounts are hundredths of a stake, or of an ante.

    Attributes
    ----------
    line
        The line as it stood: the two at the board, who stayed before who came in, then those who wait.
    entry_antes, defeat_antes
        Antes that each player paid before it and after it, in the order of the players; none in a draining pool.
    holes_paid
        Holes the winner was paid for out of a draining pot.
    paid
        What these came to, as far as there was a pot.
    pot
        What lies in the pot after it.
    streak
        Wins in a row that count towards a filling pool, of who now stays.
    over
        Whether the pool is over.
    """

    line: tuple[int, ...]
    entry_antes: tuple[int, ...]
    defeat_antes: tuple[int, ...]
    holes_paid: int
    paid: int
    pot: int
    streak: int
    over: bool


def pool_steps(match: Pool, tables: ChunkTables) -> Iterator[PoolStep]:
    """Yield what each match of a single pool has done, from its rows."""
    pools, rows, n = Pools(match, 1), tables.sets, match.players
    entered, lost, paid_in = (np.zeros(n, np.int64) for _ in range(3))
    for place, winner in enumerate(rows["winner"].tolist()):
        line = pools.line[0].copy()
        entered[line[:2] if place == 0 else line[1:2]] += 1
        at_entry = _antes_due(match, entered, lost, paid_in)
        paid_in += at_entry
        before = int(pools.pot[0])
        paid, at_defeat, over = 0, np.zeros(n, np.int64), False
        if winner:
            lost[line[2 - winner]] += 1
            own, others = (rows[f"holes_{who}"][place : place + 1] for who in (winner, 3 - winner))
            holes = holes_paid(match, own, others, rows[f"run_intact_{winner}"][place : place + 1])
            paid = int(holes[0])
            over = bool(pools.record(np.array([0]), np.array([winner - 1]), holes)[0])
            at_defeat = _antes_due(match, entered, lost, paid_in)
            paid_in += at_defeat
        pot = STAKE * int(paid_in.sum()) if isinstance(match, PoolFill) else max(int(pools.pot[0]), 0)
        yield PoolStep(
            line=tuple((line + 1).tolist()),
            entry_antes=tuple(at_entry.tolist()),
            defeat_antes=tuple(at_defeat.tolist()),
            holes_paid=paid,
            paid=before - pot if isinstance(match, PoolDrain) else 0,
            pot=pot,
            streak=int(pools.streak[0]),
            over=over,
        )


def _antes_due(match: Pool, entered: Any, lost: Any, paid: Any) -> Any:
    """Antes that players of a filling pool owe beyond those they have paid."""
    if not isinstance(match.settlement, FillSettlement):
        return np.zeros_like(paid)
    return antes(entered, lost, match.settlement) - paid


def pool_settled(match: Pool, tables: ChunkTables) -> dict[str, Any] | None:
    """Say what every player of a pool has paid and taken, `paid_1`, `won_1`, `net_1` and `money_1` and so on.

    None if the pool was cut.
    """
    found = settle_pools(tables.others["shares"], match)
    if not found["settled"][0]:
        return None
    return {
        f"{name}_{seat + 1}": found[name][seat].item()
        for name in ("paid", "won", "net", "money")
        for seat in range(match.players)
    }


def before_words(step: PoolStep, match: Pool) -> str:
    """Say who waits, and who has paid an ante to come in."""
    waiting = ", ".join(map(str, step.line[2:]))
    return f"Waiting in line: {waiting}.{_paid_words(step.entry_antes)} {_pot_before(step, match)}"


def after_words(step: PoolStep, match: Pool) -> str:
    """Say what a match has done to the pot and the line."""
    if isinstance(match, PoolDrain):
        holes = "1 hole" if step.holes_paid == 1 else f"{step.holes_paid} holes"
        won = f"He takes {holes} at {match.hole_value / STAKE:g} of a stake out of the pot"
        short = step.holes_paid * match.hole_value - step.paid
        loser = match.settlement.drain_overdraw is DrainOverdraw.LOSER_PAYS
        lacking = ", and the loser pays them" if loser else ""
        won += f", which is short by {short / STAKE:g}{lacking}; " if short else "; "
        return f"{won}{_stakes(step.pot)} left{', and the pool is over' if step.over else ''}."
    paid = _paid_words(step.defeat_antes)
    if step.over:
        return (
            f"{paid} He has beaten all the others in a row and takes the pot of {_antes(step.pot)}.".strip()
        )
    wins = f"{step.streak} of {match.players - 1} wins in a row"
    return f"{paid} {wins}; the pot is {_antes(step.pot)}.".strip()


def _pot_before(step: PoolStep, match: Pool) -> str:
    if isinstance(match, PoolDrain):
        return f"The pot holds {_stakes(step.pot + step.paid)}."
    return f"The pot holds {_antes(step.pot - STAKE * sum(step.defeat_antes))}."


def _stakes(jetons: int) -> str:
    return "1 stake" if jetons == STAKE else f"{jetons / STAKE:g} stakes"


def _paid_words(paid: tuple[int, ...]) -> str:
    payers = [str(player) for player, times in enumerate(paid, 1) if times]
    if not payers:
        return ""
    if len(payers) == len(paid):
        return " Everybody pays an ante."
    many = len(payers) > 1
    return f" Player{'s' * many} {', '.join(payers)} pay{'s' * (not many)} an ante."


def _antes(amount: int) -> str:
    number = amount // STAKE
    return f"{number} ante{'s' * (number != 1)}"


def settlement_lines(settled: Mapping[str, Any], match: Pool) -> Iterator[str]:
    """Yield the settlement of a pool, a column for each player."""
    players = range(1, match.players + 1)
    unit = "antes" if isinstance(match, PoolFill) else "stakes"
    yield f"{'SETTLEMENT, in ' + unit:<24}" + "".join(f"{f'player {number}':>10}" for number in players)
    yield ""
    for title, name in (("paid into the pot", "paid"), ("taken out of it", "won"), ("net", "net")):
        sign = "+" if name == "net" else ""
        yield f"{title:<24}" + "".join(
            f"{settled[f'{name}_{number}'] / STAKE:>{sign}10.2f}" for number in players
        )
    yield f"{'money, in jetons':<24}" + "".join(f"{settled[f'money_{number}']:>+10g}" for number in players)
