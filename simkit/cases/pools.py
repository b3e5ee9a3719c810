"""Cases about pools: told match by match through the driver's own seats, or solved exactly for equal players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np

from simkit.cases.reading import Check, Fields, MalformedError, NotUnderstoodError, shown
from simkit.drivers.pools import CHALLENGER, INCUMBENT, Pools, holes_paid
from simkit.pools_exact import HALF, fill_values
from simkit.rules import Pool, PoolDrain, PoolFill, RuleSet, Trictrac, replace
from simkit.shares import STAKE, settle_pools

TOLERANCE: Final = 1e-5
"""By which the decimals of a case may differ from the exact value."""


class _Told:
    """A pool told match by match: its seats, and what the rows of `shares` count."""

    def __init__(self, match: Pool, line: Sequence[str]) -> None:
        self.match, self.line = match, line
        self.pools = Pools(match, 1)
        self.over = False
        nothing = np.zeros(len(line), np.int64)
        self.rows: dict[str, Any] = {
            "match_id": nothing.copy(),
            "seat": np.arange(1, len(line) + 1),
            **{name: nothing.copy() for name in ("entered", "lost", "holes_won", "overdraw")},
            **{name: nothing.astype(bool) for name in ("won_last", "lost_last", "truncated")},
        }
        self.rows["entered"][:2] = 1

    @property
    def pair(self) -> list[str] | None:
        """Who is at the board; None when the pool is over."""
        return None if self.over else [self.line[seat] for seat in self.pools.line[0, :2]]

    def record(
        self, winner: str, place: str, holes: tuple[int, int] = (0, 0), *, lurch: bool = False
    ) -> None:
        """Enter a match: who won it, and the holes of winner and loser."""
        if self.over:
            raise MalformedError(f"{place}: the pool was over before")
        pair = self.pair or []
        if winner not in pair:
            raise MalformedError(f"{place}: {shown(winner)} is not at the board; {' and '.join(pair)} are")
        side = INCUMBENT if winner == pair[0] else CHALLENGER
        seats = self.pools.line[0, :2].copy()
        paid = int(holes_paid(self.match, *holes, lurch))
        self.rows["lost"][seats[1 - side]] += 1
        self.rows["holes_won"][seats[side]] += paid
        self.over = bool(self.pools.record(np.zeros(1, np.int64), np.array([side]), np.array([paid]))[0])
        if self.over:
            self.rows["won_last"][seats[side]] = self.rows["lost_last"][seats[1 - side]] = True
            self.rows["overdraw"][:] = max(0, -int(self.pools.pot[0]))

    def comes(self) -> None:
        """Let the next in line come to the board."""
        self.rows["entered"][self.pools.line[0, CHALLENGER]] += 1

    def amounts(self, name: str, stake: Fraction) -> dict[str, float]:
        """`paid`, `won` or `net` of every player, in the money of the case."""
        column = settle_pools(self.rows, self.match)[name]
        return {player: number(int(x) * stake / STAKE) for player, x in zip(self.line, column, strict=True)}

    @property
    def pot_filled(self) -> int:
        """Antes paid so far, in hundredths."""
        return int(settle_pools(self.rows, self.match)["paid"].sum())


def number(value: Fraction) -> float:
    """A whole number as such, any other as a decimal."""
    return int(value) if value.denominator == 1 else float(value)


def fill_pool(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge a filling pool told by the winners of its matches."""
    line = _line(given)
    match = replace(_fill_of(rules), players=len(line))
    ante = Fraction(given.integer("ante", low=1))
    told, pots = _Told(match, line), []
    for count, winner in enumerate(_names(given, "match_winners")):
        if count and not told.over:
            told.comes()
        told.record(winner, f"{given.place('match_winners')}[{count}]")
        pots.append(number(told.pot_filled * ante / STAKE))
    found = {
        "winner": line[int(told.rows["won_last"].argmax())] if told.over else None,
        "pot": number(told.pot_filled * ante / STAKE),
        "pot_after_each": pots,
        "paid": told.amounts("paid", ante),
        "net": told.amounts("net", ante),
    }
    check.compare_keys(expect, found)


def drain_pool(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge a draining pool told match by match, with the holes of both players."""
    line = _line(given)
    match = replace(_drain_of(rules), players=len(line))
    total = Fraction(given.integer("total", low=1, high=1_000_000))
    stake = total / len(line)
    told, pairs = _Told(match, line), []
    for event in given.parts("matches"):
        holes = event.integer("winner_holes", high=1000), event.integer("loser_holes", high=1000)
        if holes[0] <= holes[1] or holes[0] < match.set_min_holes:
            raise MalformedError(
                f"{event.where}: the winner has more holes than the loser and at least {match.set_min_holes}, "
                f"found {holes[0]} to {holes[1]}"
            )
        pairs.append(told.pair)
        told.record(event.text("winner"), event.where, holes, lurch=event.flag("lurch", default=False))
    found = {
        "won": told.amounts("won", stake),
        "pool": number(max(0, int(told.pools.pot[0])) * stake / STAKE),
        "pairs": pairs,
        "next_pair": told.pair,
    }
    check.compare_keys(expect, found)


def fill_pool_value(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge what a filling pool of equal players is worth by place in line."""
    match = replace(_fill_of(rules), players=given.integer("players"))
    chance = given.text("win_prob_each_match")
    if chance != str(HALF):
        raise NotUnderstoodError(
            f"{given.place('win_prob_each_match')} {shown(chance)}: only equal players, 1/2, are known to this "
            "version"
        )
    values = fill_values(match)
    found: dict[str, object] = {
        "win_prob": [str(one) for one in values.wins],
        "expected_matches": number(values.matches),
        "net_in_antes": [float(one) for one in values.net],
    }
    if "net_in_antes" in expect:
        found["net_in_antes"] = [*_as_printed(expect.items("net_in_antes"), values.net)]
    check.compare_keys(expect, found)


def _as_printed(printed: Sequence[object], exact: Sequence[Fraction]) -> Iterator[float]:
    """Exact values, each as the case prints it where it differs by rounding only."""
    padded = [*printed, *[None] * len(exact)]
    for value, one in zip(exact, padded, strict=False):
        near = isinstance(one, int | float) and abs(float(value) - one) <= TOLERANCE
        yield float(one) if near and isinstance(one, int | float) else float(value)


def _line(given: Fields) -> list[str]:
    line = _names(given, "line")
    if len(set(line)) < len(line):
        raise MalformedError(f"{given.place('line')}: a player stands in it twice")
    return line


def _names(given: Fields, key: str) -> list[str]:
    names = given.items(key)
    if not all(isinstance(name, str) for name in names):
        raise MalformedError(f"{given.place(key)} is {shown(names)}; it must be a list of names")
    return [str(name) for name in names]


def _fill_of(rules: RuleSet) -> PoolFill:
    if not isinstance(rules.match, PoolFill):
        raise NotUnderstoodError(f"{rules.name} is not a filling pool; this type of case is about one")
    return rules.match


def _drain_of(rules: RuleSet) -> PoolDrain:
    if not isinstance(rules.match, PoolDrain):
        raise NotUnderstoodError(f"{rules.name} is not a draining pool; this type of case is about one")
    return rules.match


TYPES: Final[Mapping[str, Callable[[Fields, Fields, RuleSet, Check], None]]] = {
    "fill_pool": fill_pool,
    "fill_pool_value": fill_pool_value,
    "drain_pool": drain_pool,
}


def rules_without_preset(kind: str) -> RuleSet:
    """Give the rule set over which a case about a pool lays its fields if it names no other."""
    match = PoolDrain() if kind == "drain_pool" else PoolFill()
    return RuleSet(name="case", title="The rules of a case", game=Trictrac(), match=match)
