"""A match in jetons and fish: what is paid for each set, laid out for those lost, and divided at the end.

Source 001, Match settlement. Each player starts with a stake; he who owes more draws fish from the box for the
other, and hands back fish he has won before he draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from simkit.errors import UsageError
from simkit.rules import Settlement, TokenTailBasis, TokenTailTie, Written

Pair: TypeAlias = tuple[int, int]


def fish_flow(held: int, owed: int) -> Pair:
    """Return how many fish a player hands back and how many he draws, who owes some and holds some.

    Fish won before go back to the box first. Source 001, Match settlement.
    """
    if held < 0 or owed < 0:
        raise UsageError(f"fish held {held}, fish owed {owed}: neither is below zero")
    returned = min(held, owed)
    return returned, owed - returned


@dataclass(frozen=True)
class Payment:
    """How an amount is paid.

    Attributes
    ----------
    payer
        1 or 2.
    amount
        In jetons.
    jetons
        Passed to the other; below zero, the change he gives for a fish.
    returned, drawn
        Fish handed back to the box, and drawn from it for the other.
    """

    payer: int
    amount: int
    jetons: int
    returned: int
    drawn: int


@dataclass(frozen=True)
class Table:
    """What lies before players 1 and 2.

    Attributes
    ----------
    jetons
        In hand.
    fish
        Won from the other, who has drawn them from the box or taken them back; one of the two has none.
    markers
        Jetons laid out for sets lost.
    """

    jetons: Pair
    fish: Pair = (0, 0)
    markers: Pair = (0, 0)

    def worth(self, player: int, fish_unit: int) -> int:
        """Jetons that a player has, his fish counted, less those that the other holds of him; markers apart."""
        me, other = player - 1, 2 - player
        return self.jetons[me] + fish_unit * (self.fish[me] - self.fish[other])

    def paid(self, payer: int, amount: int, fish_unit: int, kept: int = 0) -> tuple[Table, Payment]:
        """Let a player pay, and keep back some jetons to lay out.

        Whole fish owed go by fish he has won, then what is left by jetons, then by fish drawn from the box; for
        what a fish is too much he gets change.

        Raises
        ------
        UsageError
            The other has not the jetons to give change.
        """
        me, other = payer - 1, 2 - payer
        returned, _ = fish_flow(self.fish[me], amount // fish_unit)
        rest = amount - returned * fish_unit
        short = -(-max(0, rest + kept - self.jetons[me]) // fish_unit)
        more, drawn = fish_flow(self.fish[me] - returned, short)
        jetons = rest - short * fish_unit
        if self.jetons[other] + jetons < 0:
            raise UsageError(
                f"player {payer} holds {self.jetons[me]} jetons and player {3 - payer} {self.jetons[other]}: too "
                f"few to pay {amount} with fish of {fish_unit}" + (f" and lay out {kept}" if kept else "")
            )
        payment = Payment(payer, amount, jetons, returned + more, drawn)
        changed = put(self.jetons, me, -jetons, jetons)
        fish = put(self.fish, me, -payment.returned, drawn)
        return Table(changed, fish, self.markers), payment

    def laid_out(self, player: int, markers: int) -> Table:
        """Let a player lay out jetons for a set lost."""
        me = player - 1
        return Table(put(self.jetons, me, -markers, 0), self.fish, put(self.markers, me, markers, 0))


def put(pair: Pair, me: int, mine: int, others: int) -> Pair:
    """Add to the amounts of player `me` (0 or 1) and of the other."""
    added = (mine, others) if me == 0 else (others, mine)
    return pair[0] + added[0], pair[1] + added[1]


@dataclass(frozen=True)
class Standing:
    """What sets played before came to, for players 1 and 2.

    Attributes
    ----------
    sets_won, set_points
        Sets won, and the points of these sets.
    table
        Jetons, fish and markers as they lie; None to lay them as one payment for all these sets would.
    """

    sets_won: Pair = (0, 0)
    set_points: Pair = (0, 0)
    table: Table | None = None

    @property
    def sets(self) -> int:
        """Sets played."""
        return sum(self.sets_won)


@dataclass(frozen=True)
class JetonLine:
    """A step of the match in jetons and fish, and the table after it.

    `step` is start, brought, set, markers or paris; `set_no` is that of a set, `payment` None where nobody pays.
    """

    step: str
    set_no: int
    payment: Payment | None
    after: Table


@dataclass(frozen=True)
class JetonSheet:
    """The match in jetons and fish.

    Attributes
    ----------
    lines
        Its steps.
    in_hand
        What both held before the markers were taken, fish counted, those of them who compare points with their
        own markers put back.
    takes_markers
        Who takes all the markers, 1 or 2; 0 if they are divided.
    exact
        What player 1 has in the end above his stake.
    """

    lines: tuple[JetonLine, ...]
    in_hand: Pair
    takes_markers: int
    exact: int


def standing_table(standing: Standing, settlement: Settlement) -> Table:
    """Lay the table as sets of which only the sums are known leave it: one payment for all of them.

    Raises
    ------
    UsageError
        The jetons are too few.
    """
    if standing.table is not None:
        return standing.table
    stake, tokens = settlement.stake, settlement.tokens_per_set
    laid = tokens * standing.sets_won[1], tokens * standing.sets_won[0]
    table = Table((stake, stake))
    difference = standing.set_points[0] - standing.set_points[1]
    payer = 2 if difference > 0 else 1
    table, _ = table.paid(payer, abs(difference), settlement.fish_unit, laid[payer - 1])
    payee = 3 - payer
    if table.jetons[payee - 1] < laid[payee - 1]:
        table, _ = table.paid(payee, 0, settlement.fish_unit, laid[payee - 1])
    for player in (1, 2):
        table = table.laid_out(player, laid[player - 1])
    if min(table.jetons) < 0:
        raise UsageError(
            f"settlement.stake = {stake}: {sum(laid)} jetons cannot be laid out from {2 * stake}"
        )
    return table


def table_after(
    winners: list[int], points: list[int], settlement: Settlement, standing: Standing | None = None
) -> Table:
    """Lay the table as it stands after sets won for so many points, in order.

    Raises
    ------
    UsageError
        The jetons are too few.
    """
    table = standing_table(standing or Standing(), settlement)
    for winner, value in zip(winners, points, strict=True):
        table, _ = _set_paid(table, winner, value, settlement)
    return table


def _set_paid(table: Table, winner: int, value: int, settlement: Settlement) -> tuple[Table, Payment]:
    tokens, loser = settlement.tokens_per_set, 3 - winner
    table, payment = table.paid(loser, value, settlement.fish_unit, tokens)
    return table.laid_out(loser, tokens), payment


def in_jetons(
    numbers: list[int],
    winners: list[int],
    points: list[int],
    brought: Standing,
    match: Written,
    settled: dict[str, int],
) -> JetonSheet:
    settlement = match.settlement
    unit, stake = settlement.fish_unit, settlement.stake
    table = Table((stake, stake))
    lines = [JetonLine("start", 0, None, table)]
    step = f"the {brought.sets} sets before"
    try:
        if brought.sets:
            table = standing_table(brought, settlement)
            lines.append(JetonLine("brought", 0, None, table))
        for number, winner, value in zip(numbers, winners, points, strict=True):
            step = f"set {number}"
            table, payment = _set_paid(table, winner, value, settlement)
            lines.append(JetonLine("set", number, payment, table))
        in_hand = _compared(table, settlement)
        takes = int(np.sign(in_hand[0] - in_hand[1])) % 3
        table = _without_markers(table, takes, settlement)
        lines.append(JetonLine("tail", 0, None, table))
        step = "the payment of the sets"
        if owed := settled["paris"] + settled["tail_of_sets"]:
            table, payment = table.paid(2 if owed > 0 else 1, abs(owed), unit)
            lines.append(JetonLine("paris", 0, payment, table))
    except UsageError as error:
        raise UsageError(
            f"{step} cannot be paid in jetons: {error}. With {_enough(match)} jetons each (settlement.stake) "
            "there would be enough"
        ) from None
    return JetonSheet(tuple(lines), in_hand, takes, table.worth(1, unit) - stake)


def _enough(match: Written) -> int:
    """Jetons for each player with which every match of these rules can be paid, in halves rounded up."""
    settlement = match.settlement
    out = settlement.tokens_per_set * match.sets
    return -(-(settlement.fish_unit - 1 + out) // 2)


def _compared(table: Table, settlement: Settlement) -> Pair:
    """Say what both have when the tail of tokens is decided: what they hold, or the points behind it."""
    one, two = table.worth(1, settlement.fish_unit), table.worth(2, settlement.fish_unit)
    if settlement.token_tail_basis is TokenTailBasis.SET_POINTS:
        return one + table.markers[0], two + table.markers[1]
    return one, two


def _without_markers(table: Table, takes: int, settlement: Settlement) -> Table:
    """Let the leader take all markers, or tied players divide them or take back their own."""
    out = sum(table.markers)
    if takes:
        gains = put((0, 0), takes - 1, out, 0)
    elif settlement.token_tail_tie is TokenTailTie.SHARE:
        gains = (out // 2, out // 2)
    else:
        gains = table.markers
    return Table((table.jetons[0] + gains[0], table.jetons[1] + gains[1]), table.fish)
