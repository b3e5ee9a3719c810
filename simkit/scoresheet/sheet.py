"""The sheets of one match: points, losses, and the match in jetons beside them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from simkit.errors import UsageError
from simkit.rules import Combine, RoundFive, RuleSet, Settlement, TokenTailTie, Written
from simkit.scoresheet.jetons import JetonSheet, Pair, Standing, in_jetons, put
from simkit.settle import GRANDE, PETITE, SIMPLE, Rows, higher_dice, pay, round_amount, set_values

SCHEMA: Final = "simkit.scoresheet/1"
KINDS: Final = {SIMPLE: "simple", PETITE: "petite bredouille", GRANDE: "grande bredouille"}
CONCESSION: Final = 1
"""Of the column `ended_by`."""


@dataclass(frozen=True)
class SetLine:
    """One set on the sheet of points; `points` go to its winner, `sums` are what both have by then."""

    set_no: int
    winner: int
    holes: Pair
    kind: str
    conceded: bool
    do_overs: int
    points: int
    sums: Pair


@dataclass(frozen=True)
class PointSheet:
    """The sheet of source 000: every amount in the column of the player who gains it.

    `set_points` is its total I; `totals` holds the tails and the payment of the sets too.
    """

    brought: Standing
    lines: tuple[SetLine, ...]
    set_points: Pair
    token_tail: Pair
    paris: Pair
    tail_of_sets: Pair
    totals: Pair


@dataclass(frozen=True)
class LossSheet:
    """The two columns of losses of source 001: the amounts are what each player loses.

    Attributes
    ----------
    brought
        Lost in sets played before.
    losses
        For each set, what players 1 and 2 lost; one of the two is 0.
    sums
        Of the sets.
    markers
        Jetons for sets lost, to the column of him who lost more by the sets alone.
    paris
        Paris lost and their tail.
    totals
        Of the columns.
    loss
        The larger total less the smaller, signed for player 1: what he wins.
    rounded
        The same, rounded.
    differs
        Whether it is not the exact result of the match, as the tail of tokens went by jetons in hand there.
    """

    brought: Pair
    losses: tuple[Pair, ...]
    sums: Pair
    markers: Pair
    paris: Pair
    totals: Pair
    loss: int
    rounded: int
    differs: bool


@dataclass(frozen=True)
class Scoresheet:
    """A written match on paper and in jetons; `print` shows it as a player would write it.

    Attributes
    ----------
    rules
        The rule set.
    players
        Names of players 1 and 2.
    match
        Number of the match.
    settled
        What `simkit.settle.pay` makes of the match, with the points and sets of both.
    points, losses
        The sheets.
    jetons
        The match in jetons; None where they are too few, as `too_few` says.
    """

    rules: RuleSet
    players: tuple[str, str]
    match: int
    settled: dict[str, int]
    points: PointSheet
    losses: LossSheet
    jetons: JetonSheet | None
    too_few: str = ""

    def to_plain(self) -> dict[str, Any]:
        """JSON values; players are 1 and 2, amounts whole jetons."""
        return {
            "schema": SCHEMA,
            "rules": self.rules.name,
            "digest": self.rules.digest,
            "players": list(self.players),
            "match": self.match,
            "points": asdict(self.points),
            "losses": asdict(self.losses),
            "jetons": asdict(self.jetons) if self.jetons else None,
            "too_few": self.too_few,
            "settlement": self.settled,
        }

    def text(self) -> str:
        """The three sheets, in columns of at most 78 characters."""
        from simkit.scoresheet.words import told

        return "\n".join(told(self))

    def __str__(self) -> str:
        return self.text()


def scoresheet(
    rows: Rows,
    rules: RuleSet,
    *,
    players: tuple[str, str] = ("", ""),
    seed: int = 0,
    brought: Standing | None = None,
) -> Scoresheet:
    """Write the sheets of one match.

    Parameters
    ----------
    rows : mapping of column name to array
        The rows of `sets` of one match, in order: match_id, set_no, the columns that `simkit.settle.set_values`
        asks for, and if it is there ended_by.
    rules : RuleSet
        A written match.
    players : two names, optional
    seed : int
        The seed of the run, for dice that decide a five.
    brought : Standing, optional
        Sets played before the rows, of which only the sums are known; the rows then begin after them.

    Raises
    ------
    UsageError
        A partie, a set that was stopped without a winner, or another number of sets than the match has.
    """
    if not isinstance(rules.match, Written):
        played = "two games at once" if isinstance(rules.match, Combine) else "in parties for stakes"
        raise UsageError(f"{rules.name} is played {played}; a scoresheet is kept of a written match only")
    rules.refuse_more_than_two("a scoresheet")
    settlement, brought = rules.match.settlement, brought or Standing()
    _check_whole(rows, rules, brought.sets)
    match = int(rows["match_id"][0])
    values = set_values(rows, settlement)
    winners, points = rows["winner"].tolist(), values["value"].tolist()
    sums = _summed(winners, points, brought.set_points)
    won = _summed(winners, [1] * len(winners), brought.sets_won)
    die = _higher_die(settlement, match, seed)
    settled = _settled(sums, won, settlement, die)
    jetons, too_few = None, ""
    try:
        jetons = in_jetons(rows["set_no"].tolist(), winners, points, brought, rules.match, settled)
    except UsageError as error:
        too_few = str(error)
    return Scoresheet(
        rules=rules,
        players=players,
        match=match,
        settled=settled,
        points=_points(rows, values, brought, settled, settlement),
        losses=_losses(winners, points, brought, settled, settlement, die),
        jetons=jetons,
        too_few=too_few,
    )


def _check_whole(rows: Rows, rules: RuleSet, before: int) -> None:
    """Refuse rows that are not all the sets of a match after those before."""
    of = f"match {rows['match_id'][0]} of {rules.name}" if len(rows["set_no"]) else rules.name
    for set_no, winner in zip(rows["set_no"], rows["winner"], strict=True):
        if not winner:
            raise UsageError(
                f"{of}: set {set_no} was stopped without a winner, so the match is not settled and has no "
                "scoresheet"
            )
    numbers = rows["set_no"].tolist()
    if not numbers or numbers != [*range(before + 1, rules.match.units + 1)]:
        raise UsageError(
            f"{of}: a scoresheet is written of sets {before + 1} to {rules.match.units}; given are "
            f"{', '.join(map(str, numbers)) or 'none'}"
        )


def _summed(winners: list[int], amounts: list[int], before: Pair) -> Pair:
    one, two = (
        before[player - 1]
        + sum(amount for amount, winner in zip(amounts, winners, strict=True) if winner == player)
        for player in (1, 2)
    )
    return one, two


def _higher_die(settlement: Settlement, match: int, seed: int) -> Any:
    """Throw for a five, where dice decide it: int8 (1,), else None."""
    if settlement.round_five is not RoundFive.DIE:
        return None
    return higher_dice(np.array([match], np.int64), seed)


def _settled(sums: Pair, won: Pair, settlement: Settlement, die: Any) -> dict[str, int]:
    """Settle the match from its sums; say who threw the higher die where it decided a five."""
    amounts = pay(np.array([sums[0] - sums[1]]), np.array([won[0]]), np.array([won[1]]), settlement, die)
    found = {name: int(column[0]) for name, column in amounts.items()}
    unit = settlement.round_unit
    five = die is not None and unit is not None and 2 * (abs(found["exact"]) % unit) == unit
    return {
        "sets_won_1": won[0],
        "sets_won_2": won[1],
        "set_points_1": sums[0],
        "set_points_2": sums[1],
        **found,
        "higher_die": int(die[0]) if five else 0,
    }


def _to_gainer(amount: int) -> Pair:
    """Put an amount signed for player 1 into the column of him who gains it."""
    return max(amount, 0), max(-amount, 0)


def _points(
    rows: Rows, values: Rows, brought: Standing, settled: dict[str, int], settlement: Settlement
) -> PointSheet:
    lines, sums = [], brought.set_points
    for place, winner in enumerate(rows["winner"].tolist()):
        value = int(values["value"][place])
        sums = put(sums, winner - 1, value, 0)
        lines.append(
            SetLine(
                set_no=int(rows["set_no"][place]),
                winner=winner,
                holes=(int(rows["holes_1"][place]), int(rows["holes_2"][place])),
                kind=KINDS[int(values["kind"][place])],
                conceded="ended_by" in rows and int(rows["ended_by"][place]) == CONCESSION,
                do_overs=int(rows["do_overs"][place]) if "do_overs" in rows else 0,
                points=value,
                sums=sums,
            )
        )
    won = settled["sets_won_1"], settled["sets_won_2"]
    paris = settlement.paris_per_set * won[0], settlement.paris_per_set * won[1]
    token_tail, tail_of_sets = _to_gainer(settled["token_tail"]), _to_gainer(settled["tail_of_sets"])
    one, two = (sums[side] + token_tail[side] + paris[side] + tail_of_sets[side] for side in (0, 1))
    return PointSheet(brought, tuple(lines), sums, token_tail, paris, tail_of_sets, (one, two))


def _losses(
    winners: list[int],
    points: list[int],
    brought: Standing,
    settled: dict[str, int],
    settlement: Settlement,
    die: Any,
) -> LossSheet:
    """Keep the two columns of losses; the tail of tokens can only go by the points there."""
    lost = settled["set_points_2"], settled["set_points_1"]
    sets_lost = settled["sets_won_2"], settled["sets_won_1"]
    tokens = settlement.tokens_per_set
    if lost[0] != lost[1]:
        more = int(lost[1] > lost[0])
        markers = put((0, 0), more, tokens * sets_lost[more], 0)
    elif settlement.token_tail_tie is TokenTailTie.SHARE:
        markers = _to_gainer(tokens * (sets_lost[0] - sets_lost[1]) // 2)
    else:
        markers = (0, 0)
    paris = _to_gainer(-settled["paris"] - settled["tail_of_sets"])
    totals = lost[0] + markers[0] + paris[0], lost[1] + markers[1] + paris[1]
    loss = totals[1] - totals[0]
    return LossSheet(
        brought=(brought.set_points[1], brought.set_points[0]),
        losses=tuple(
            put((0, 0), 2 - winner, value, 0) for winner, value in zip(winners, points, strict=True)
        ),
        sums=lost,
        markers=markers,
        paris=paris,
        totals=totals,
        loss=loss,
        rounded=int(round_amount(np.array([loss]), settlement, die)[0]),
        differs=loss != settled["exact"],
    )
