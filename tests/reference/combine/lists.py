"""Lists of events drawn at random: every one of them a match of combiné that could have been played."""

from __future__ import annotations

import random
from typing import Any

from .basket import Basket, PoolRules
from .game import Combined, CombinedRules

Event = dict[str, Any]
HOLES = (1, 1, 1, 1, 2, 2, 2, 3, 4, 5, 6, 8, 13)


def random_rules(rng: random.Random) -> CombinedRules:
    """Rules drawn at random; the honours game is not played on after the last set."""
    pool = PoolRules(
        unit=rng.choice((1, 1, 2, 3)),
        stake_each=rng.choice((2, 2, 0, 3)),
        wins_in_row=rng.choice((2, 2, 1, 3)),
        contract_after_draw=rng.choice(("cleared", "kept")),
        last_set=rng.choice(("none", "open_at_start_single_win")),
        unfinished=rng.choice(("split", "to_contract_holder", "returned")),
    )
    return CombinedRules(
        sets=rng.choice((2, 4)),
        set_min_holes=rng.choice((6, 6, 6, 4)),
        target_holes=rng.choice((12, 12, 12, 5)),
        honours_double_max_loser_holes=rng.choice((6, 6, 5)),
        continuation=rng.random() < 0.85,
        suspension=rng.random() < 0.9,
        suspend_when_behind=rng.choice(("freeze", "concede", "forbid")),
        last_set_scored=rng.choice(("until_pickup", "until_pickup", "ends_match")),
        pool=pool,
    )


def begun(rules: CombinedRules) -> Combined:
    """A match before its first event."""
    return Combined(rules=rules, basket=Basket(rules.pool))


def random_event(state: Combined, rng: random.Random) -> Event:
    """Holes of either player on either die, and one of the decisions open to him."""
    who, own_die = rng.randrange(2), rng.random() < 0.75
    event: Event = {"by": f"P{who + 1}", "holes": rng.choice(HOLES), "die": "own" if own_die else "opp"}
    state.make_holes(who, event["holes"], own_die=own_die)
    if own_die and not state.over:
        options = state.options(who, own_die=True)
        event["then"] = rng.choice(options + ["hold"] * rng.choice((0, 1, 3)))
    if not state.over:
        state.decide(who, event.get("then", "hold"), own_die=own_die)
    return event


def random_events(rules: CombinedRules, rng: random.Random, most: int = 120) -> list[Event]:
    """Events up to the end of the match, or so many."""
    state, events = begun(rules), list[Event]()
    while not state.over and len(events) < most:
        events.append(random_event(state, rng))
    return events
