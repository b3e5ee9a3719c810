"""A finished set's row says all that money needs: what it is worth follows from the row as from the events.

Sets are made of random holes and goings, entered by the kernel and stored as rows. Beside them the events
themselves are read by the words of docs/rules.md, II.5.2, and by the twin's own ledger.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import written as twin

from simkit import catalogue
from simkit.drivers.match import set_columns
from simkit.drivers.start import start_units
from simkit.kernel import entries
from simkit.kernel.lower import lower
from simkit.play import OUTCOMES
from simkit.rules import LateRunPrice, Progression, RefaitGrowth, Settlement, Trictrac, Written, to_plain
from simkit.settle import set_values

MATCH = Written()
RULES = lower(Trictrac(), MATCH)


@dataclass(frozen=True)
class Hole:
    """One event: holes of a player, on whose die, and whether he then goes."""

    by: int
    holes: int
    own_die: bool
    goes: bool


@dataclass(frozen=True)
class FinishedSet:
    """A set as it was played: its last attempt, event by event, and the do-overs before it."""

    last_attempt: tuple[Hole, ...]
    do_overs: int
    winner: int
    unit: Any
    ledger: twin.Ledger


def played(events: Iterator[Hole], finisher: int) -> FinishedSet:
    """Enter events until a going ends the set; should they not, one player makes holes and goes until it does."""
    units = start_units(np.zeros(1, np.int64), 0, np.zeros(1, np.int64), None)
    attempt: list[Hole] = []
    ledger, do_overs = twin.Ledger(), 0
    while True:
        event = next(events, Hole(finisher, 1, True, True))
        attempt.append(event)
        entries.enter(units, RULES, event.by, event.holes, int(event.own_die))
        twin.enter_holes(ledger, event.by, event.holes, event.own_die)
        if not (event.goes and event.own_die):
            continue
        outcome = OUTCOMES[int(entries.leave(units, RULES, event.by)[0])]
        assert outcome == twin.outcome_of_going(ledger, event.by)
        if outcome == "pickup":
            twin.pick_up(ledger, event.by)
        elif outcome == "refait":
            attempt, ledger, do_overs = [], twin.Ledger(), do_overs + 1
        else:
            winner = event.by if outcome == "win" else 1 - event.by
            return FinishedSet(tuple(attempt), do_overs, winner, units, ledger)


def rows_of(sets: Sequence[FinishedSet]) -> dict[str, Any]:
    """The rows that a run stores of these sets."""
    units = []
    for number, one in enumerate(sets):
        unit = one.unit.copy()
        unit.match_id = number
        units.append(unit)
    return set_columns(units)


def held_by_events(one: FinishedSet, late_run_price: LateRunPrice) -> bool:
    """Without a pickup: the winner's, or, if the loser had six holes, the loser's who failed to cash his run."""
    loser_holes = sum(event.holes for event in one.last_attempt if event.by != one.winner)
    asked = one.winner
    if late_run_price is LateRunPrice.MISSED_RUN_OF_OPPONENT and loser_holes >= 6:
        asked = 1 - one.winner
    return not any(went(event) for event in one.last_attempt[:-1] if event.by == asked)


def went(event: Hole) -> bool:
    """Whether a player went after this hole."""
    return event.own_die and event.goes


def run_by_events(one: FinishedSet) -> bool:
    """Whether the other made no hole after the winner's first."""
    by = [event.by for event in one.last_attempt]
    return 1 - one.winner not in by[by.index(one.winner) :]


def value_by_events(one: FinishedSet, tariff: Settlement) -> int:
    """m (W + c) - L, in the words of II.5.2."""
    won = sum(event.holes for event in one.last_attempt if event.by == one.winner)
    lost = sum(event.holes for event in one.last_attempt if event.by != one.winner)
    times = 1
    if run_by_events(one):
        held = held_by_events(one, tariff.late_run_price)
        if tariff.progression is Progression.DOUBLE_EVERY_6:
            times = 2 ** (won // 6)
        elif won >= 12:
            times = tariff.mult_grande_held if held else tariff.mult_grande
        else:
            times = tariff.mult_petite_held if held else tariff.mult_petite
    growth = 1 + one.do_overs if tariff.refait_growth is RefaitGrowth.LINEAR else 2**one.do_overs
    return times * (won + tariff.consolation * growth) - lost


def assert_rows_suffice(sets: Sequence[FinishedSet], tariffs: Sequence[Settlement]) -> None:
    """Value, whether a run was held, and the late-run price: by the row, by the events and by the twin."""
    rows = rows_of(sets)
    for tariff in tariffs:
        found = set_values(rows, tariff)
        plain = to_plain(tariff)
        for k, one in enumerate(sets):
            by_twin = twin.value_of_ledger(one.ledger, one.winner, one.do_overs, plain)
            where = (one.last_attempt, one.do_overs, tariff)
            assert int(found["value"][k]) == value_by_events(one, tariff) == by_twin["value"], where
            assert int(found["multiplier"][k]) == by_twin["multiplier"], where
            assert int(found["consolation"][k]) == by_twin["consolation"], where
            assert rows["winner"][k] == one.winner + 1


def told_by_price(sets: Sequence[FinishedSet], late_run_price: LateRunPrice) -> list[bool]:
    """Whether each run was held, told by a tariff that pays nothing else: 1 with a pickup, 2 without."""
    tariff = Settlement(
        consolation=0,
        mult_petite=1,
        mult_petite_held=2,
        mult_grande=1,
        mult_grande_held=2,
        late_run_price=late_run_price,
    )
    return [int(times) == 2 for times in set_values(rows_of(sets), tariff)["multiplier"]]


# ---------------------------------------------------------------- sets and tariffs

STEPS = st.tuples(st.integers(0, 3), st.integers(1, 3), st.integers(0, 3), st.integers(0, 4))
"""Whether the scorer is another than before (0), his holes, on his own die unless 0, going on 0 and 1."""
SETS = st.tuples(st.integers(0, 1), st.lists(STEPS, max_size=25), st.integers(0, 1))
TARIFFS = st.builds(
    Settlement,
    consolation=st.integers(0, 6),
    refait_growth=st.sampled_from(RefaitGrowth),
    mult_petite=st.integers(1, 8),
    mult_petite_held=st.integers(1, 8),
    mult_grande=st.integers(1, 16),
    mult_grande_held=st.integers(1, 16),
    progression=st.sampled_from(Progression),
    late_run_price=st.sampled_from(LateRunPrice),
)


def holes(first: int, steps: Sequence[tuple[int, int, int, int]]) -> Iterator[Hole]:
    """Read steps as events."""
    by = first
    for other, made, own, goes in steps:
        by = 1 - by if other == 0 else by
        yield Hole(by, made, own != 0, goes < 2)


@settings(max_examples=150, deadline=None)
@given(st.lists(SETS, min_size=1, max_size=6), TARIFFS)
def test_a_row_prices_a_set_as_its_events_do(drawn: list[Any], tariff: Settlement) -> None:
    sets = [played(holes(first, steps), finisher) for first, steps, finisher in drawn]
    assert_rows_suffice(sets, [tariff])
    for late_run_price in LateRunPrice:
        told = told_by_price(sets, late_run_price)
        for one, held in zip(sets, told, strict=True):
            if run_by_events(one):
                assert held == held_by_events(one, late_run_price)
                assert held == twin.held(one.ledger, one.winner, late_run_price.value)


DO_OVER = (Hole(0, 6, True, False), Hole(1, 6, True, True))


def missed_run(rng: random.Random) -> Iterator[Hole]:
    """A player's unbroken run of six holes or more that he does not cash, though he may have picked up."""
    yield Hole(0, rng.randint(1, 3), True, rng.random() < 0.5)
    yield Hole(0, rng.randint(3, 8), False, False)
    yield Hole(0, rng.randint(1, 3), True, False)
    yield Hole(1, rng.randint(8, 15), True, False)


def random_sets(number: int, seed: int) -> list[FinishedSet]:
    """Sets of random events: some after do-overs, some with a run that its owner missed."""
    rng = random.Random(seed)
    sets = []
    for _ in range(number):
        steps = [
            (rng.randrange(6), rng.randint(1, 3), rng.randrange(4), 0 if rng.random() < 0.15 else 4)
            for _ in range(rng.randrange(16))
        ]
        events = list(DO_OVER) * rng.choice((0, 0, 1, 2, 3))
        if rng.random() < 0.4:
            events += missed_run(rng)
        else:
            events += holes(rng.randrange(2), steps)
        sets.append(played(iter(events), rng.randrange(2)))
    return sets


def test_every_tariff_prices_every_kind_of_set() -> None:
    sets = random_sets(400, seed=1822)
    seen = Counter(
        (
            "run" if run_by_events(one) else "simple",
            *(held_by_events(one, price) for price in LateRunPrice),
        )
        for one in sets
    )
    assert all(
        seen["run", own, missed] >= 10 for own, missed in ((True, True), (False, False), (True, False))
    )
    # Once the other has six, going ends the set: a late run is never one with a pickup of its own.
    assert not seen["run", False, True]
    assert sum(one.do_overs >= 2 for one in sets) >= 3
    presets = [catalogue.rule_set(name).settlement for name in catalogue.names().rule_sets]
    tariffs = [one for one in presets if isinstance(one, Settlement)]
    for growth, petite, grande, progression, late in product(
        RefaitGrowth, (2, 3), (4, 5), Progression, LateRunPrice
    ):
        tariffs.append(
            Settlement(
                refait_growth=growth,
                mult_petite_held=petite,
                mult_grande_held=grande,
                progression=progression,
                late_run_price=late,
            )
        )
    assert_rows_suffice(sets, tariffs)


def test_the_kernel_remembers_how_six_was_reached() -> None:
    """II.5.9: when the winner's run is intact and the loser has six holes, the loser's own run was intact then."""
    late = [
        one
        for one in random_sets(400, seed=1852)
        if run_by_events(one) and one.ledger.holes[1 - one.winner] >= 6
    ]
    assert len(late) >= 20
    rows = rows_of(late)
    for k, one in enumerate(late):
        loser = 2 - one.winner
        assert rows[f"reached_six_{loser}"][k]
        assert rows[f"intact_at_six_{loser}"][k]
        assert one.ledger.run_at_six[1 - one.winner] == "intact"
