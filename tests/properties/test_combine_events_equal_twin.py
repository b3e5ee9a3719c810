"""Lists of holes and decisions drawn at random lead simkit and the twin to the same pegs, ends and payments."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest
from reference.combine.cases import play_event, state_shown
from reference.combine.game import CombinedRules, OrderError, SetEnded
from reference.combine.lists import Event, begun, random_event, random_events, random_rules

from simkit import by_holes, combined
from simkit.by_holes import ByHoles, HoleEvent, PaidGame, Told, worth_of
from simkit.rules import (
    Combine,
    CombineSettlement,
    ContractAfterDraw,
    LastSetScored,
    LateRunPrice,
    PoolLastSet,
    PoolUnfinished,
    SuspendWhenBehind,
)

KINDS = ("none", "simple", "petite", "grande")


def match_of(rules: CombinedRules) -> Combine:
    """The same rules as a value of simkit."""
    pool = rules.pool
    return Combine(
        sets=rules.sets,
        set_min_holes=rules.set_min_holes,
        target_holes=rules.target_holes,
        continuation=rules.continuation,
        suspension=rules.suspension,
        combine_suspend_when_behind=SuspendWhenBehind(rules.suspend_when_behind),
        combine_last_set_scored=LastSetScored(rules.last_set_scored),
        settlement=CombineSettlement(
            mult_petite_held=3,
            mult_grande_held=5,
            late_run_price=LateRunPrice.MISSED_RUN_OF_OPPONENT,
            honours_double_max_loser_holes=rules.honours_double_max_loser_holes,
            honours_unit_fish=pool.unit,
            pool_stake_each=pool.stake_each,
            pool_wins_in_row=pool.wins_in_row,
            pool_contract_after_draw=ContractAfterDraw(pool.contract_after_draw),
            pool_last_set=PoolLastSet(pool.last_set),
            pool_unfinished=PoolUnfinished(pool.unfinished),
        ),
    )


def event_of(event: Event) -> HoleEvent:
    return HoleEvent(int(event["by"][1]) - 1, event["holes"], event["die"] == "own", event.get("then"))


def shown(told: Told, match: Combine) -> dict[str, Any]:
    """A match after an event as the twin shows it."""
    pegs = told.standing
    names = ("P1", "P2")
    standing: dict[str, Any] = dict(zip(names, map(dict, pegs.pegs), strict=True))
    if pegs.black_at_last_hole:
        standing["black_at_last_hole"] = True
    state: dict[str, Any] = {
        "ecrire_holes": dict(zip(names, told.both.written.holes, strict=True)),
        "honours_holes": dict(zip(names, told.both.honours.holes, strict=True)),
        "pegs": standing,
        "banner": None if pegs.banner is None else names[pegs.banner],
        "neckties": {
            game: [names[who] for who in worn]
            for game, worn in zip(("ecrire", "honours"), pegs.neckties, strict=True)
        },
        "suspended": told.both.suspended,
        "pool": told.basket,
        "contract": None if told.contract is None else names[told.contract],
    }
    results = [game_shown(one) for one in told.games]
    if told.ended is not None:
        results.append({"ecrire": set_shown(told, match)})
    return state | ({"results": results} if results else {})


def game_shown(one: PaidGame) -> dict[str, Any]:
    winner, loser = one.game.winner, 1 - one.game.winner
    told = {
        "honours_won_by": f"P{winner + 1}",
        "honours_class": one.price,
        "loser_holes": one.game.holes[loser],
        "paid_winner": one.paid,
        "paid_pool": one.into_basket,
    }
    if one.drawn[loser]:
        return told | {"pool_share": {"P1": one.drawn[0], "P2": one.drawn[1]}}
    return told | ({"pool_drawn": one.drawn[winner]} if one.drawn[winner] else {})


def set_shown(told: Told, match: Combine) -> dict[str, Any]:
    ended = told.ended
    assert ended is not None
    holes = {"P1": ended.ledger.holes[0], "P2": ended.ledger.holes[1]}
    if ended.winner is None:
        return {"status": "refait", "holes": holes, "refaits": ended.ledger.do_overs + 1}
    worth = worth_of(ended, match)
    return {
        "status": "won",
        "holes": holes,
        "refaits": ended.ledger.do_overs,
        "winner": f"P{ended.winner + 1}",
        "ended_by": f"P{told.event.by + 1}",
        "conceded": ended.outcome == "concede",
        **{name: worth[name] for name in ("multiplier", "consolation", "value")},
        "kind": KINDS[worth["kind"]],
    }


def without_style(state: dict[str, Any]) -> dict[str, Any]:
    """What the twin shows less the words for the price, and less baskets drawn empty."""
    for result in state.get("results", []):
        result.get("ecrire", {}).pop("style", None)
        if not result.get("pool_drawn", True):
            del result["pool_drawn"]
    return state


def assert_same(seed: int, most: int = 150) -> tuple[Any, ByHoles]:
    rng = random.Random(seed)
    rules = random_rules(rng)
    match = match_of(rules)
    twin, told = begun(rules), ByHoles(match)
    for number, event in enumerate(random_events(rules, rng, most), start=1):
        since = len(twin.ended)
        assert_same_options(twin, told, event)
        play_event(twin, event)
        found = told.play(event_of(event))
        assert shown(found, match) == without_style(state_shown(twin, since)), f"seed {seed}, event {number}"
        assert found.over == twin.over, f"seed {seed}, event {number}"
    if twin.over:
        assert list(told.end()) == twin.basket.end()
        assert told.pool == tuple(
            won - paid for won, paid in zip(twin.basket.won, twin.basket.paid, strict=True)
        )
        assert told.fish == twin.fish
    return twin, told


def assert_same_options(twin: Any, told: ByHoles, event: Event) -> None:
    """What the scorer may do after his holes, as long as the match is not over with them."""
    made, (who, own_die) = deepcopy(twin), (int(event["by"][1]) - 1, event["die"] == "own")
    made.make_holes(who, event["holes"], own_die=own_die)
    both, _ = combined.enter_holes(told.match, told.both, who, event["holes"], own_die=own_die)
    found = combined.options(told.match, both, who, own_die=own_die)
    assert sorted(found) == sorted(made.options(who, own_die=own_die))


@pytest.mark.parametrize("start", range(0, 90, 30))
def test_lists_of_events(start: int) -> None:
    for seed in range(start, start + 30):
        assert_same(seed)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1_000, 3_000, 250))
def test_many_lists_of_events(start: int) -> None:
    for seed in range(start, start + 250):
        assert_same(seed)


def test_the_lists_meet_every_corner() -> None:
    """Of the lists that are compared some have each kind of end, and each decision."""
    met = set()
    for seed in range(80):
        rng = random.Random(seed)
        rules = random_rules(rng)
        state = begun(rules)
        while not state.over:
            event = random_event(state, rng)
            met |= {event.get("then"), state.suspended}
        met |= {one.status if isinstance(one, SetEnded) else one.price for one in state.ended}
        met |= {"after_scored" for one in state.ended if not isinstance(one, SetEnded) and one.after_scored}
        met |= {
            "shared"
            for one in state.ended
            if not isinstance(one, SetEnded) and one.shares and all(one.shares)
        }
    wanted = {"go:win", "go:refait", "go:concede", "suspend_ecrire", "suspend_honours", "ecrire_open"}
    assert met >= wanted | {
        "ecrire_scored",
        "honours",
        "won",
        "conceded",
        "refait",
        1,
        2,
        3,
        4,
        "shared",
        "after_scored",
    }


def test_an_event_out_of_order_is_refused_by_both() -> None:
    """One decision of a list is made one that was not open; both say which event it is."""
    refused = 0
    for seed in range(60):
        rng = random.Random(seed)
        rules = random_rules(rng)
        events = random_events(rules, rng, 60)
        place = rng.randrange(len(events))
        wrong = rng.choice(("go:win", "go:refait", "suspend_ecrire", "suspend_honours", "game_over", "go"))
        events[place] = events[place] | {"then": wrong}
        told = [by_twin(rules, events), by_simkit(rules, events)]
        assert told[0] == told[1], f"seed {seed}"
        refused += told[0] is not None
    assert refused > 20


def by_twin(rules: CombinedRules, events: list[Event]) -> int | None:
    """The number of the event that the twin refuses."""
    state = begun(rules)
    for number, event in enumerate(events, start=1):
        try:
            play_event(state, event)
        except OrderError:
            return number
    return None


def by_simkit(rules: CombinedRules, events: list[Event]) -> int | None:
    try:
        list(by_holes.tell(match_of(rules), map(event_of, events)))
    except by_holes.OrderError as refused:
        return int(str(refused).split(":")[0].removeprefix("event "))
    return None
