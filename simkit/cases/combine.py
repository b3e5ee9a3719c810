"""Cases about trictrac combiné: matches told by their holes, games of honours, the pool, what may be decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np

from simkit import combined, play
from simkit.by_holes import MOST_HOLES, ByHoles, HoleEvent, OrderError, PaidGame, Told, class_of
from simkit.cases import match
from simkit.cases.reading import Check, Fields, MalformedError, NotUnderstoodError, shown
from simkit.combined import Both, EndedSet
from simkit.errors import UsageError
from simkit.honours import Pools
from simkit.pegs import standing
from simkit.rules import Combine, CombineSettlement, RuleSet, Trictrac

PLAYERS: Final = match.PLAYERS
SUSPENDED: Final = ("ecrire_open", "ecrire_scored", "honours")
RUNS: Final = ("none", "intact", "broken")
DECISIONS: Final = ("hold", "go", "go:win", "go:refait", "go:concede", "suspend_ecrire", "suspend_honours")


def combined_rules() -> RuleSet:
    """Give the rule set of a case about this game that names fields but no preset."""
    return RuleSet(name="case", title="The rules of a case", game=Trictrac(), match=Combine())


def combine_of(rules: RuleSet) -> Combine:
    """Give the combined match of a rule set."""
    if not isinstance(rules.match, Combine):
        raise NotUnderstoodError(
            f"{rules.name} is not trictrac combiné; this type of case, or this rule of it, is about that game"
        )
    return rules.match


def by_player(values: Iterable[object]) -> dict[str, object]:
    """Put values of players 1 and 2 under their names."""
    return dict(zip(PLAYERS, values, strict=True))


def named(who: int | None) -> str | None:
    """Name a player, 0 or 1."""
    return None if who is None else PLAYERS[who]


# --- Matches told by holes --------------------------------------------------------------------------


def combine_events(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge a match told by its holes and decisions, event by event."""
    combine = combine_of(rules)
    try:
        told = ByHoles(combine, sets=given.integer("sets", low=1, high=100), start=_start(given))
    except OrderError:
        raise
    except UsageError as error:
        raise NotUnderstoodError(str(error)) from error
    events, states = given.parts("events"), expect.parts("states")
    if len(events) != len(states):
        raise MalformedError(f"{len(events)} events and {len(states)} states: there is one after each event")
    for number, (event, state) in enumerate(zip(events, states, strict=True)):
        _compare_state(check, f"states[{number}].", state, told.play(_event(event)), combine)


def _event(event: Fields) -> HoleEvent:
    return HoleEvent(
        by=PLAYERS.index(event.word("by", PLAYERS)),
        holes=event.integer("holes", low=1, high=MOST_HOLES),
        own_die=event.word("die", ("own", "opp")) == "own",
        then=event.word("then", DECISIONS) if "then" in event else None,
    )


def _start(given: Fields) -> Both | None:
    """Read how the games stand before the first event; neckties follow from the runs and are compared."""
    if "start" not in given:
        return None
    start = given.part("start")
    picked_up = _players(start, "picked_up") if "picked_up" in start else []
    both = Both(
        written=_ledger(start, "ecrire", (0 in picked_up, 1 in picked_up)), honours=_ledger(start, "honours")
    )
    if "neckties" in start:
        part, worn = start.part("neckties"), standing(both.written, both.honours).neckties
        stated = [_players(part, game) for game in ("ecrire", "honours")]
        if stated != [[*wearers] for wearers in worn]:
            raise MalformedError(f"{part.where} does not follow from the holes and the runs of the start")
    return both


def _ledger(start: Fields, game: str, picked_up: tuple[bool, bool] = (False, False)) -> play.Ledger:
    holes, run = [0, 0], ["none", "none"]
    if f"{game}_holes" in start:
        part = start.part(f"{game}_holes")
        holes = [part.integer(name, high=1000, default=0) for name in PLAYERS]
    if f"{game}_run" in start:
        part = start.part(f"{game}_run")
        run = [part.word(name, RUNS, default="none") for name in PLAYERS]
    for who in (0, 1):
        if run[who] == "intact" and not holes[who]:
            raise MalformedError(f"{start.where}: {PLAYERS[who]} has a run and no hole")
    if run == ["intact", "intact"]:
        raise MalformedError(f"{start.where}: both have a whole run; the later one has ended the other")
    runs: Any = tuple(run)
    return play.Ledger((holes[0], holes[1]), runs, picked_up)


def _players(part: Fields, key: str) -> list[int]:
    names = part.items(key)
    if not all(name in PLAYERS for name in names):
        raise MalformedError(f"{part.place(key)} is {shown(names)}; a list of P1 and P2")
    return sorted(PLAYERS.index(str(name)) for name in names)


def _compare_state(check: Check, under: str, state: Fields, told: Told, combine: Combine) -> None:
    pegs = told.standing
    shown_pegs = by_player(dict(side) for side in pegs.pegs)
    if pegs.black_at_last_hole:
        shown_pegs["black_at_last_hole"] = True
    neckties = {
        game: [PLAYERS[who] for who in whose]
        for game, whose in zip(("ecrire", "honours"), pegs.neckties, strict=True)
    }
    check.compare_keys(
        state,
        {
            "ecrire_holes": by_player(told.both.written.holes),
            "honours_holes": by_player(told.both.honours.holes),
            "pegs": shown_pegs,
            "banner": named(pegs.banner),
            "neckties": neckties,
            "suspended": told.both.suspended,
            "pool": told.basket,
            "contract": named(told.contract),
        },
        under,
    )
    found = [_game(one) for one in told.games]
    if told.ended is not None:
        found.append({"ecrire": _set(told.event.by, told.ended, combine)})
    results = state.parts("results") if "results" in state else []
    if len(results) != len(found):
        check.compare(f"{under}results", state.raw("results", []), found)
        return
    for number, (result, one) in enumerate(zip(results, found, strict=True)):
        _compare_result(check, f"{under}results[{number}].", result, one)


def _compare_result(check: Check, under: str, result: Fields, found: Mapping[str, Any]) -> None:
    if "ecrire" in result and "ecrire" in found:
        check.compare_keys(result.part("ecrire"), found["ecrire"], f"{under}ecrire.")
        return
    check.compare_keys(result, found, under)
    for key in ("pool_drawn", "pool_share"):
        if key in found and key not in result:
            check.compare(f"{under}{key}", None, found[key])


def _game(one: PaidGame) -> dict[str, Any]:
    """Write a finished game of honours as case files do; a basket is drawn by one or shared by both."""
    loser = 1 - one.game.winner
    found: dict[str, Any] = {
        "honours_won_by": PLAYERS[one.game.winner],
        "honours_class": one.price,
        "loser_holes": one.game.holes[loser],
        "paid_winner": one.paid,
        "paid_pool": one.into_basket,
    }
    if one.drawn[loser]:
        found["pool_share"] = by_player(one.drawn)
    elif one.drawn[one.game.winner]:
        found["pool_drawn"] = one.drawn[one.game.winner]
    return found


def _set(goer: int, ended: EndedSet, combine: Combine) -> dict[str, Any]:
    """Write how a set ended as case files do."""
    found: dict[str, Any] = {"holes": by_player(ended.ledger.holes)}
    if ended.winner is None:
        return found | {"status": "refait", "refaits": ended.ledger.do_overs + 1}
    return found | {
        "status": "won",
        "refaits": ended.ledger.do_overs,
        "winner": PLAYERS[ended.winner],
        "ended_by": PLAYERS[goer],
        "conceded": ended.outcome == "concede",
        **match.value_found(ended.ledger, ended.winner, combine.settlement, _attempt(ended, combine)),
    }


def _attempt(ended: EndedSet, combine: Combine) -> match.Attempt:
    """Tell what the price of a set asks beside its ledger: who had the holes to end it."""
    return match.Attempt(reached_six=[holes >= combine.set_min_holes for holes in ended.ledger.holes])


# --- The game of honours alone, and the pool --------------------------------------------------------


def honours_events(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge games of honours told hole by hole, holes beyond the twelfth beginning the next."""
    combine, both = combine_of(rules), Both()
    games: list[object] = []
    for event in given.parts("hole_events"):
        who = PLAYERS.index(event.word("by", PLAYERS))
        both, finished = combined.enter_holes(combine, both, who, event.integer("holes", low=1, high=500))
        games += [{"winner": PLAYERS[one.winner], "multiplier": class_of(one, combine)} for one in finished]
    check.compare_keys(expect, {"games": games, "holes_now": by_player(both.honours.holes)})


def honours_pool(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge what lies in the basket and who has the contract after each game of honours."""
    settlement = combine_of(rules).settlement
    pools, log = Pools(1, settlement), list[object]()
    for game in given.parts("games"):
        winner = PLAYERS.index(game.word("winner", PLAYERS))
        paid = game.integer("multiplier", low=1, high=4) * settlement.honours_unit_fish
        drawn = _finish(pools, winner, paid, False)
        if any(drawn):
            log.append({"drawn_by": PLAYERS[winner], "amount": sum(drawn)})
        else:
            contract = int(pools.contract[0]) - 1
            log.append({"contract": PLAYERS[contract], "pool": int(pools.basket[0])})
    check.compare_keys(expect, {"log": log})


def honours_pool_end(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge how a basket is shared that already holds what the last game has put in."""
    pools = _pools_with(
        combine_of(rules).settlement, given.integer("pool_after_payment", high=1000), given.raw("contract")
    )
    winner = PLAYERS.index(given.word("last_game_winner", PLAYERS))
    drawn = _finish(pools, winner, 0, given.flag("last_set"))
    check.compare_keys(expect, {"share": {name: fish for name, fish in by_player(drawn).items() if fish}})


def _pools_with(settlement: CombineSettlement, basket: int, contract: object) -> Pools:
    """Give a pool under way, with a contract of one game if somebody has it."""
    if contract not in (None, *PLAYERS):
        raise MalformedError(f"contract is {shown(contract)}; it must be P1, P2 or null")
    pools = Pools(1, settlement)
    pools.basket[:] = basket
    pools.contract[:] = 0 if contract is None else PLAYERS.index(str(contract)) + 1
    pools.streak[:] = pools.games[:] = contract is not None
    return pools


def _finish(pools: Pools, winner: int, paid: int, last_set: bool) -> tuple[int, int]:
    drawn = pools.finish_games(np.array([0]), np.array([winner + 1]), np.array([paid]), np.array([last_set]))
    return int(drawn[0, 0]), int(drawn[0, 1])


# --- Decisions --------------------------------------------------------------------------------------


def legal_decisions(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge what is open to a player who has just made holes."""
    combine, who = combine_of(rules), PLAYERS.index(given.word("scorer", PLAYERS))
    own_die = given.word("die", ("own", "opp")) == "own"
    written, honours = (given.part(f"{game}_holes_after") for game in ("ecrire", "honours"))
    for name in PLAYERS:  # of a game that these holes have won nothing is left to decide
        honours.integer(name, high=combine.target_holes)
    suspended: Any = None if given.raw("suspended") is None else given.word("suspended", SUSPENDED)
    both = Both(written=play.Ledger(match.holes_of(written)), suspended=suspended)
    options = combined.options(combine, both, who, own_die=own_die)
    match.compare_options(expect, options, check)


TYPES: Final[Mapping[str, Callable[[Fields, Fields, RuleSet, Check], None]]] = {
    "combine_events": combine_events,
    "honours_pool": honours_pool,
    "honours_pool_end": honours_pool_end,
}
SHARED: Final[Mapping[str, Callable[[Fields, Fields, RuleSet, Check], None]]] = {
    "honours_events": honours_events,
    "legal_decisions": legal_decisions,
}
"""Types that other matches have too; the rule set of a case tells whose it is."""
