"""Worked examples of combiné, run with the twin; what is given and expected is told in the files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from ..written import Ledger
from .basket import Basket, PoolRules
from .display import banner, neckties, pegs
from .game import ECRIRE_SCORED, Combined, CombinedRules, GameEnded, OrderError, SetEnded

Case = Mapping[str, Any]
PLAYERS = ("P1", "P2")
ALIASES = {"stake_each": "pool_stake_each", "unit_fish": "honours_unit_fish"}
POOL = {
    "honours_unit_fish": "unit",
    "pool_stake_each": "stake_each",
    "pool_wins_in_row": "wins_in_row",
    "pool_contract_after_draw": "contract_after_draw",
    "pool_last_set": "last_set",
    "pool_unfinished": "unfinished",
}
MATCH = {
    "combine_suspend_when_behind": "suspend_when_behind",
    "combine_unfinished_honours": "unfinished_honours",
    "combine_last_set_scored": "last_set_scored",
    **{field.name: field.name for field in fields(CombinedRules) if field.name not in ("pool", "tariff")},
}


class UnknownError(Exception):
    """A field, a preset or a word the twin does not know."""


def rules_of(given: Case) -> CombinedRules:
    """The rule set `combine`, with fields over it."""
    named = dict(given)
    preset = named.pop("preset", named.pop("variant", "combine"))
    if preset not in ("combine", "combine_classical"):
        raise UnknownError(f"preset {preset}")
    match: dict[str, Any] = {}
    pool: dict[str, Any] = {}
    for name, value in (named.pop("override", {}) | named).items():
        field = ALIASES.get(name, name)
        if field in POOL:
            pool[POOL[field]] = value
        elif field in MATCH:
            match[MATCH[field]] = value
        else:
            raise UnknownError(f"field {name} = {value}")
    return CombinedRules(**match, pool=PoolRules(**pool))


def by_player(values: Iterable[Any]) -> dict[str, Any]:
    return dict(zip(PLAYERS, values, strict=True))


def ledger_from(start: Case, game: str) -> Ledger:
    """One ledger of a match that is taken up under way."""
    ledger = Ledger()
    for who, name in enumerate(PLAYERS):
        ledger.holes[who] = start.get(f"{game}_holes", {}).get(name, 0)
        ledger.run[who] = start.get(f"{game}_run", {}).get(name, "none")
        if ledger.holes[who] >= 6:
            ledger.run_at_six[who] = ledger.run[who]
    for who in (0, 1):
        alone = ledger.holes[who] > 0 and ledger.holes[1 - who] == 0
        second = ledger.run[1 - who] == "intact" and ledger.holes[who] > 0
        if alone or second:
            ledger.first_scorer = who
    return ledger


def begun(case: Case) -> Combined:
    """The match as the first event finds it."""
    rules = replace(rules_of(case["rules"]), sets=case["input"]["sets"])
    start = case["input"].get("start", {})
    state = Combined(rules=rules, basket=Basket(rules.pool))
    state.ecrire, state.honours = ledger_from(start, "ecrire"), ledger_from(start, "honours")
    for name in start.get("picked_up", []):
        state.ecrire.picked_up[PLAYERS.index(name)] = True
    stated = start.get("neckties", neckties_shown(state))
    assert neckties_shown(state) == stated, "neckties follow from holes and runs"
    return state


def neckties_shown(state: Combined) -> dict[str, list[str]]:
    return {game: [PLAYERS[who] for who in whose] for game, whose in neckties(state).items()}


def result(ended: SetEnded | GameEnded) -> dict[str, Any]:
    """A set or an honours game that has ended, in the words of a case."""
    if isinstance(ended, GameEnded):
        told = {
            "honours_won_by": PLAYERS[ended.winner],
            "honours_class": ended.price,
            "loser_holes": ended.ledger.holes[1 - ended.winner],
            "paid_winner": ended.paid,
            "paid_pool": ended.in_basket,
        }
        if ended.shares is not None and 0 in ended.shares:
            told["pool_drawn"] = sum(ended.shares)
        elif ended.shares is not None:
            told["pool_share"] = by_player(ended.shares)
        return told
    told = {"status": ended.status, "holes": by_player(ended.ledger.holes), "refaits": ended.refaits}
    if ended.winner is not None:
        told |= {
            "status": "won",
            "winner": PLAYERS[ended.winner],
            "ended_by": PLAYERS[ended.ended_by],
            "conceded": ended.status == "conceded",
            **ended.value,
        }
    return {"ecrire": told}


def state_shown(state: Combined, since: int) -> dict[str, Any]:
    """What is to be seen after an event, and what has ended since so many ends."""
    standing: dict[str, Any] = by_player(pegs(state, who) for who in (0, 1))
    if state.suspended == ECRIRE_SCORED:
        standing["black_at_last_hole"] = True
    flag = banner(state)
    shown = {
        "ecrire_holes": by_player(state.ecrire.holes),
        "honours_holes": by_player(state.honours.holes),
        "pegs": standing,
        "banner": None if flag is None else PLAYERS[flag],
        "neckties": neckties_shown(state),
        "suspended": state.suspended,
        "pool": state.basket.fish,
        "contract": None if state.basket.contract is None else PLAYERS[state.basket.contract],
    }
    if results := [result(ended) for ended in state.ended[since:]]:
        shown["results"] = results
    return shown


def play_event(state: Combined, event: Case) -> None:
    """II.7.2 and II.7.3: the holes of an event, and what the scorer then does."""
    who, own_die = PLAYERS.index(event["by"]), event["die"] == "own"
    state.make_holes(who, event["holes"], own_die=own_die)
    if own_die and not state.over and "then" not in event:
        raise OrderError("the scorer has made holes on his own die and must decide")
    if not state.over:
        state.decide(who, event.get("then", "hold"), own_die=own_die)
    elif event.get("then", "hold") not in ("hold", "game_over"):
        raise OrderError("the match is over, there is nothing to decide")


def combine_events(case: Case) -> dict[str, Any]:
    state, states = begun(case), []
    for number, event in enumerate(case["input"]["events"], start=1):
        since = len(state.ended)
        try:
            play_event(state, event)
        except OrderError as wrong:
            raise OrderError(f"event {number}: {wrong}") from wrong
        states.append(state_shown(state, since))
    return {"states": states}


def honours_pool(case: Case) -> dict[str, Any]:
    basket, log = Basket(rules_of(case["rules"]).pool), []
    for game in case["input"]["games"]:
        winner = PLAYERS.index(game["winner"])
        shares = basket.game_won(winner, game["multiplier"], last_set=False)
        if shares is None:
            log.append({"contract": PLAYERS[winner], "pool": basket.fish})
        else:
            log.append({"drawn_by": PLAYERS[winner], "amount": sum(shares)})
    return {"log": log}


def honours_pool_end(case: Case) -> dict[str, Any]:
    """A basket that already holds the payment of the game just won."""
    given, pool = case["input"], rules_of(case["rules"]).pool
    basket = Basket(replace(pool, unit=0))
    basket.fish = given["pool_after_payment"]
    if given["contract"] is not None:
        basket.contract, basket.row = PLAYERS.index(given["contract"]), 1
    winner = PLAYERS.index(given["last_game_winner"])
    shares = basket.game_won(winner, 0, last_set=given["last_set"])
    shared = {} if shares is None else {name: fish for name, fish in by_player(shares).items() if fish}
    return {"share": shared}


def honours_events(case: Case) -> dict[str, Any]:
    """Game H alone, with continuation: holes beyond the twelfth begin the next game."""
    state = Combined(rules=rules_of(case["rules"]))
    for event in case["input"]["hole_events"]:
        state.make_holes(PLAYERS.index(event["by"]), event["holes"], own_die=True)
    games = [ended for ended in state.ended if isinstance(ended, GameEnded)]
    return {
        "games": [{"winner": PLAYERS[game.winner], "multiplier": game.price} for game in games],
        "holes_now": by_player(state.honours.holes),
    }


def legal_decisions(case: Case) -> dict[str, Any]:
    given, state = case["input"], Combined(rules=rules_of(case["rules"]))
    state.ecrire.holes = [given["ecrire_holes_after"][name] for name in PLAYERS]
    state.honours.holes = [given["honours_holes_after"][name] for name in PLAYERS]
    state.suspended = given["suspended"]
    return {"options": state.options(PLAYERS.index(given["scorer"]), own_die=given["die"] == "own")}


RUNNERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    runner.__name__: runner
    for runner in (combine_events, honours_pool, honours_pool_end, honours_events, legal_decisions)
}
"""Each gives what it finds, by the keys of `expected`."""


def is_of_combine(case: Case) -> bool:
    """Whether a case is for this twin; parties and written sets share two of its types."""
    rules, kind = case.get("rules", {}), case.get("type")
    if kind == "legal_decisions":
        return rules.get("preset", rules.get("variant")) in ("combine", "combine_classical")
    return kind in RUNNERS and (kind != "honours_events" or rules.get("continuation") is True)


def found_by(case: Case) -> dict[str, Any]:
    """What the twin finds, cut to the keys that each state and result of the case names."""
    found = RUNNERS[case["type"]](case)
    if case["type"] == "combine_events":
        wanted = case["expected"]["states"]
        assert len(wanted) == len(found["states"]), "one state for each event"
        found["states"] = [cut(*pair) for pair in zip(found["states"], wanted, strict=True)]
    return found


def cut(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that a state names, and of the results those that it names; pegs are compared whole."""
    kept = {key: found.get(key) for key in wanted}
    if "results" in found:
        results = wanted.get("results", [{}] * len(found["results"]))
        kept["results"] = [cut_result(*pair) for pair in zip(found["results"], results, strict=True)]
    return kept


def cut_result(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    if "ecrire" in wanted and "ecrire" in found:
        return {"ecrire": {key: found["ecrire"].get(key) for key in wanted["ecrire"]}}
    return {key: found.get(key) for key in wanted} | (
        {"pool_drawn": found["pool_drawn"]} if "pool_drawn" in found else {}
    )
