"""Cases about what stands above the board: sets of the written game, parties, and how they become money."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simkit import play, scoresheet, settle
from simkit.cases.reading import Check, Fields, MalformedError, NotUnderstoodError, shown
from simkit.cases.rule_sets import game_of, twelve_holes, written
from simkit.errors import UsageError
from simkit.rules import (
    Combine,
    PriceScheme,
    RoundFive,
    RuleSet,
    SetFirstDie,
    Settlement,
    TwelveHoles,
    Written,
    replace,
)

PLAYERS: Final = ("P1", "P2")
KIND_WORDS: Final = ("none", "simple", "petite", "grande")

Columns = dict[str, NDArray[Any]]


def set_rows(**values: object) -> Columns:
    """Make rows of the table `sets` from lists of equal length, or one row from single values.

    Columns that are not named say nothing happened: no holes, no pickup, no do-over.
    """
    columns = {name: np.atleast_1d(np.asarray(value)) for name, value in values.items()}
    rows = max(len(column) for column in columns.values())
    nothing: Mapping[str, tuple[object, type]] = {
        "match_id": (0, np.int64),
        "winner": (0, np.int8),
        "holes_1": (0, np.int16),
        "holes_2": (0, np.int16),
        "run_intact_1": (False, np.bool_),
        "run_intact_2": (False, np.bool_),
        "picked_up_1": (False, np.bool_),
        "picked_up_2": (False, np.bool_),
        "reached_six_1": (False, np.bool_),
        "reached_six_2": (False, np.bool_),
        "intact_at_six_1": (False, np.bool_),
        "intact_at_six_2": (False, np.bool_),
        "first_scorer": (0, np.int8),
        "do_overs": (0, np.int16),
    }
    table: Columns = {"set_no": np.arange(1, rows + 1, dtype=np.int16)}
    for name, (value, dtype) in nothing.items():
        table[name] = columns.get(name, np.full(rows, value)).astype(dtype)
    return table


def written_of(rules: RuleSet) -> Written:
    """Give the written match of a rule set, of trictrac combiné of two its written game."""
    if isinstance(rules.match, Combine) and rules.match.players == 2:
        shared = {name: getattr(rules.match, name) for name in ("sets", "set_min_holes", "set_first_die")}
        return Written(**shared, settlement=rules.match.settlement)
    if not isinstance(rules.match, Written):
        raise NotUnderstoodError(f"{rules.name} is not a written match; this type of case is about one")
    return rules.match


def partie_of(rules: RuleSet) -> TwelveHoles:
    """Give the partie of a rule set."""
    if not isinstance(rules.match, TwelveHoles):
        raise NotUnderstoodError(f"{rules.name} is not a partie; this type of case is about one")
    return rules.match


def value_words(values: Mapping[str, NDArray[Any]]) -> dict[str, object]:
    """Write the price of one set as case files do."""
    return {
        "kind": KIND_WORDS[int(values["kind"][0])],
        "multiplier": int(values["multiplier"][0]),
        "consolation": int(values["consolation"][0]),
        "value": int(values["value"][0]),
    }


def set_value(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge the price of one set."""
    match = written_of(rules)
    winner_holes, loser_holes = given.integer("winner_holes"), given.integer("loser_holes")
    if winner_holes <= loser_holes or winner_holes < match.set_min_holes:
        raise MalformedError(
            f"{given.where}: the winner of a set has more holes than the loser and at least "
            f"{match.set_min_holes}, found {winner_holes} to {loser_holes}"
        )
    # `without_pickup` is the outcome of all rules about pickups, so both players get the same one here.
    picked_up = not given.flag("without_pickup", default=False)
    run_intact = given.flag("run_intact")
    rows = set_rows(
        winner=1,
        holes_1=winner_holes,
        holes_2=loser_holes,
        do_overs=given.integer("refaits_before", high=20, default=0),
        run_intact_1=run_intact,
        picked_up_1=picked_up,
        picked_up_2=picked_up,
        first_scorer=2 if run_intact and loser_holes else 1,
        reached_six_1=True,
        reached_six_2=loser_holes >= match.set_min_holes,
        intact_at_six_2=run_intact and loser_holes >= match.set_min_holes,
    )
    check.compare_keys(expect, value_words(settle.set_values(rows, match.settlement)))


@dataclass
class Attempt:
    """What the rows of `sets` need to know beside the ledger, from a set's start or its last do-over."""

    first_scorer: int = 0
    reached_six: list[bool] = field(default_factory=lambda: [False, False])
    intact_at_six: list[bool] = field(default_factory=lambda: [False, False])

    def note(self, ledger: play.Ledger, who: int, set_min_holes: int) -> None:
        self.first_scorer = self.first_scorer or who + 1
        if ledger.holes[who] >= set_min_holes and not self.reached_six[who]:
            self.reached_six[who] = True
            self.intact_at_six[who] = ledger.run[who] == "intact"


def set_events(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge a set told hole by hole: who may go, how going ends, what the set is worth."""
    match = written_of(rules)
    ledger = play.Ledger(do_overs=given.integer("refaits_before", high=20, default=0))
    attempt = Attempt()
    status, goer, holes_at_end = "open", 0, ledger.holes
    for event in given.parts("events"):
        if status in {"won", "conceded"}:
            raise MalformedError(f"{event.where}: the set was over before")
        who = PLAYERS.index(event.word("by", PLAYERS))
        own_die = event.word("die", ("own", "opp")) == "own"
        ledger = play.enter_holes(
            match, ledger, who, event.integer("holes", low=1, high=500), own_die=own_die
        )
        attempt.note(ledger, who, match.set_min_holes)
        status, holes_at_end = "open", ledger.holes
        options = play.options(match, ledger, who, own_die=own_die)
        if options == ("game_over",):  # the limit of holes agreed for a set
            status, goer = "won", who
        elif _decision(event, options, own_die) == "go":
            goer = who
            ledger, outcome = play.go(match, ledger, who)
            status = {"win": "won", "concede": "conceded"}.get(outcome, outcome)
            if outcome == "refait":
                attempt, holes_at_end = Attempt(), ledger.holes

    found: dict[str, object] = {
        "status": "won" if status == "conceded" else status,
        "holes": dict(zip(PLAYERS, holes_at_end, strict=True)),
        "refaits": ledger.do_overs,
    }
    if status in {"won", "conceded"}:
        winner = goer if status == "won" else 1 - goer
        found |= {
            "winner": PLAYERS[winner],
            "ended_by": PLAYERS[goer],
            "conceded": status == "conceded",
            **value_found(ledger, winner, match.settlement, attempt),
        }
        if match.set_first_die is SetFirstDie.WINNER_PREV:
            # The thrower before does not matter to the winner's right, so any will do.
            found["next_first"] = PLAYERS[play.next_first_thrower(match, goer, winner)]
    elif status == "pickup":
        found["next_first"] = PLAYERS[goer]
    check.compare_keys(expect, found)
    if "status" not in expect:
        check.compare("status", "won", found["status"])


def _decision(event: Fields, options: tuple[str, ...], own_die: bool) -> str:
    """Read `then`: hold, or go with or without its outcome; the outcome named is checked."""
    words = ("hold", "go", "go:win", "go:refait", "go:concede")
    if "then" not in event:
        if own_die:
            raise MalformedError(f"{event.where}.then is missing: the scorer has made a hole on his own die")
        return "hold"
    then = event.word("then", words)
    if then in options or (then == "go" and any(option.startswith("go") for option in options)):
        return then.partition(":")[0]
    raise MalformedError(f"{event.where}.then is {then}, but only {', '.join(options)} is open")


def value_found(
    ledger: play.Ledger, winner: int, settlement: Settlement, attempt: Attempt
) -> dict[str, object]:
    """Price a finished set, and say whether it counts as won without a pickup."""
    both = (0, 1)
    rows = set_rows(
        winner=winner + 1,
        first_scorer=attempt.first_scorer,
        do_overs=ledger.do_overs,
        **{f"holes_{side + 1}": ledger.holes[side] for side in both},
        **{f"run_intact_{side + 1}": ledger.run[side] == "intact" for side in both},
        **{f"picked_up_{side + 1}": ledger.picked_up[side] for side in both},
        **{f"reached_six_{side + 1}": attempt.reached_six[side] for side in both},
        **{f"intact_at_six_{side + 1}": attempt.intact_at_six[side] for side in both},
    )
    found = value_words(settle.set_values(rows, settlement))
    # A tariff that prices every style differently tells by its multiplier which one applied.
    telling = replace(settlement, mult_petite=2, mult_petite_held=3, mult_grande=4, mult_grande_held=5)
    multiplier = int(settle.set_values(rows, telling)["multiplier"][0])
    if multiplier > 1:
        found["style"] = "without_pickup" if multiplier in {3, 5} else "with_pickup"
    return found


def match_settlement(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge the payment of a whole match from its sets."""
    settlement = written_of(rules).settlement
    winners, values = [], []
    for entry in given.parts("sets"):
        winners.append(PLAYERS.index(entry.word("winner", PLAYERS)) + 1)
        values.append(entry.integer("value", low=settlement.consolation + 1, high=10_000))
    if len(winners) % 2 or not winners:
        raise MalformedError(f"{given.where}.sets holds {len(winners)} sets; their number is even")
    money = settle.settle(_simple_sets(winners, values, settlement), settlement, n_sets=len(winners))
    amounts = {name: int(column[0]) for name, column in money.items()}
    check.compare_keys(
        expect,
        {
            "wins": {"P1": amounts["sets_won_1"], "P2": amounts["sets_won_2"]},
            "set_points_diff": amounts["set_points"],
            "token_tail": amounts["token_tail"],
            "sets_payment": amounts["paris"] + amounts["tail_of_sets"],
            "exact": amounts["exact"],
            "rounded": _rounded(settlement, amounts["exact"]),
        },
    )


def _simple_sets(winners: list[int], values: list[int], settlement: Settlement) -> Columns:
    """Make sets of given values: a simple set is worth W + consolation - L, so six to L will do for each."""
    loser = np.full(len(values), 6)
    winner = np.array(values) - settlement.consolation + loser
    first = np.array(winners) == 1
    return set_rows(
        winner=winners, holes_1=np.where(first, winner, loser), holes_2=np.where(first, loser, winner)
    )


def paris_payment(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge what the player who lost more sets pays for them, tail of sets included."""
    won = given.integer("sets_lost_by_payer", high=100)
    lost = given.integer("sets_lost_by_payee", high=100)
    money = _pay(written_of(rules).settlement, 0, won, lost)
    check.compare_keys(expect, {"payment": money["paris"] + money["tail_of_sets"]})


def rounding(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge the rounding of the final difference."""
    settlement = written_of(rules).settlement
    exact = given.integer("exact", low=-100_000, high=100_000)
    check.compare_keys(expect, {"rounded": _rounded(settlement, exact)})


def _rounded(settlement: Settlement, exact: int) -> object:
    """Round a difference; where dice decide, both results that they can have, the lower first."""
    results = sorted({_bare(settlement, exact, higher_die)["rounded"] for higher_die in (1, 2)})
    return results[0] if len(results) == 1 else {"either": results}


def fish_flow(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge what a player pays in jetons and fish: from his stake, or in fish of which he has won some."""
    settlement = written_of(rules).settlement
    if "fish_owed" in given:
        held, owed = given.integer("fish_held_by_payer", high=1000), given.integer("fish_owed", high=1000)
        returned, drawn = scoresheet.fish_flow(held, owed)
        check.compare_keys(expect, {"fish_returned": returned, "fish_drawn": drawn})
        return
    stake, loss = given.integer("stake", high=1000), given.integer("loss", high=10_000)
    try:
        table, payment = scoresheet.Table((stake, stake)).paid(1, loss, settlement.fish_unit)
    except UsageError as error:
        raise NotUnderstoodError(str(error)) from error
    found: dict[str, object] = {"total_loss_in_fish_units": _rounded(settlement, loss)}
    if payment.drawn == 2:
        found["jetons_left_if_two_fish_drawn"] = table.jetons[0]
    check.compare_keys(expect, found)


def general_tail(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge who wins the general tail."""
    settlement = written_of(rules).settlement
    if settlement.general_tail_basis.value == "token_tail_winner":
        raise NotUnderstoodError("the winner of the tail of tokens does not follow from what this case gives")
    exact = given.integer("exact_in_favour_of_P1", low=-100_000, high=100_000)
    rounded = given.integer("rounded_in_favour_of_P1", low=-100_000, high=100_000)
    tail = given.integer("general_tail", high=10_000)
    settlement = replace(settlement, general_tail=tail)
    # How a five is rounded may not be told; the result is, and either way that leads there will do.
    ways = [_bare(replace(settlement, round_five=five), exact) for five in (RoundFive.UP, RoundFive.DOWN)]
    money = next((money for money in ways if money["rounded"] == rounded), None)
    if money is None:
        raise NotUnderstoodError(f"{exact} is rounded to {rounded} by a rule that this case does not name")
    check.compare_keys(expect, {"money_in_favour_of_P1": money["money"]})


def swing(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge what winning instead of losing one simple set by one hole changes, leads being beyond doubt."""
    settlement = written_of(rules).settlement
    by_one = settle.set_values(set_rows(winner=1, holes_1=7, holes_2=6), settlement)
    value = int(by_one["value"][0])
    # Player 1 leads by so much that neither tail can change hands.
    won = _pay(settlement, 1_000 + value, 6, 2)
    lost = _pay(settlement, 1_000 - value, 5, 3)
    change = {key: won[key] - lost[key] for key in won}
    if change["tail_of_sets"]:
        raise NotUnderstoodError("the tail of sets is not out of it under these rules")
    check.compare_keys(
        expect,
        {
            "points": change["set_points"],
            "token_tail": change["token_tail"],
            "paris": change["paris"],
            "total": change["exact"],
        },
    )


def _pay(settlement: Settlement, set_points: int, won: int, lost: int, higher_die: int = 1) -> dict[str, int]:
    """Settle one match; `higher_die`: who throws it, 1 or 2, where dice decide a five."""
    money = settle.pay(
        np.array([set_points]), np.array([won]), np.array([lost]), settlement, np.array([higher_die])
    )
    return {name: int(column[0]) for name, column in money.items()}


def _bare(settlement: Settlement, exact: int, higher_die: int = 1) -> dict[str, int]:
    """Settle a match whose exact result is known."""
    bare = replace(settlement, paris_per_set=0, tail_of_sets=0, tokens_per_set=0)
    return _pay(bare, exact, 0, 0, higher_die)


def first_die(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge who throws first in every attempt at a set, do-overs included."""
    match = written_of(rules)
    leader = PLAYERS.index(given.word("first_set_leader", PLAYERS))
    leaders = [PLAYERS[leader]]
    for result in given.items("results"):
        if result not in (*PLAYERS, "refait"):
            raise MalformedError(f"{given.place('results')} holds {shown(result)}; each is P1, P2 or refait")
        winner = None if result == "refait" else PLAYERS.index(str(result))
        leader = play.next_first_thrower(match, leader, winner)
        leaders.append(PLAYERS[leader])
    check.compare_keys(expect, {"leaders": leaders})


def legal_decisions(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge what is open to a player who has just made holes."""
    who = PLAYERS.index(given.word("scorer", PLAYERS))
    own_die = given.word("die", ("own", "opp")) == "own"
    ledger = play.Ledger(holes=holes_of(given.part("holes_after")))
    compare_options(expect, play.options(rules.trictrac_match, ledger, who, own_die=own_die), check)


def compare_options(expect: Fields, options: tuple[str, ...], check: Check) -> None:
    """Compare what is open to a player, in any order."""
    if "options" in expect:
        wanted = expect.items("options")
        if not all(isinstance(word, str) for word in wanted):
            raise MalformedError(f"{expect.where}.options must be a list of words")
        check.compare("options", sorted(map(str, wanted)), sorted(options))


def partie_end(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge which player, if any, a roll near the end of a partie makes the winner."""
    match = partie_of(rules)
    roller = PLAYERS.index(given.word("roller", PLAYERS))
    made = given.integer("roller_holes", high=100), given.integer("other_holes_given", high=100)
    before = holes_of(given.part("holes_before"))
    if max(before) >= match.target_holes:
        raise MalformedError(f"{given.where}.holes_before: the partie was over before this roll")
    stays = given.flag("roller_stays", default=True)
    # The case tells holes and not points; where none counts double, so many dozens are as many holes.
    game = replace(game_of(rules), bredouille_enabled=False)
    points = made[0] * game.points_per_hole, made[1] * game.points_per_hole
    marked = play.mark_roll(game, match, play.Score(holes=before), roller, points, goes=not stays)
    # Holes beyond the last one of the partie are ignored.
    holes = [min(count, match.target_holes) for count in marked.score.holes]
    check.compare_keys(
        expect,
        {
            "holes": dict(zip(PLAYERS, holes, strict=True)),
            "winner": None if marked.winner is None else PLAYERS[marked.winner],
        },
    )


def honours_events(given: Fields, expect: Fields, rules: RuleSet, check: Check) -> None:
    """Judge parties told hole by hole, and their prices; holes beyond the last of a partie are lost."""
    match = partie_of(rules)
    ledger, first_scorer = play.Ledger(), 0
    games: list[object] = []
    for event in given.parts("hole_events"):
        who = PLAYERS.index(event.word("by", PLAYERS))
        ledger = play.enter_holes(match, ledger, who, event.integer("holes", low=1, high=500))
        first_scorer = first_scorer or who + 1
        if "game_over" in play.options(match, ledger, who):
            price = _price(ledger, who, first_scorer, match)
            games.append({"winner": PLAYERS[who], "multiplier": price})
            ledger, first_scorer = play.Ledger(), 0
    check.compare_keys(expect, {"games": games, "holes_now": dict(zip(PLAYERS, ledger.holes, strict=True))})


def _price(ledger: play.Ledger, winner: int, first_scorer: int, match: TwelveHoles) -> int:
    """Price a finished partie, in stakes."""
    rows = set_rows(
        winner=winner + 1,
        first_scorer=first_scorer,
        **{f"holes_{side + 1}": ledger.holes[side] for side in (0, 1)},
        **{f"run_intact_{side + 1}": ledger.run[side] == "intact" for side in (0, 1)},
    )
    return abs(int(settle.partie_prices(rows, match.settlement)[0]))


def holes_of(part: Fields) -> tuple[int, int]:
    """Read the holes of players 1 and 2."""
    return part.integer("P1", high=1000), part.integer("P2", high=1000)


TYPES: Final[Mapping[str, Callable[[Fields, Fields, RuleSet, Check], None]]] = {
    "set_value": set_value,
    "set_events": set_events,
    "match_settlement": match_settlement,
    "paris_payment": paris_payment,
    "rounding": rounding,
    "fish_flow": fish_flow,
    "general_tail": general_tail,
    "swing": swing,
    "first_die": first_die,
    "legal_decisions": legal_decisions,
    "partie_end": partie_end,
    "honours_events": honours_events,
}

PARTIES: Final = ("partie_end", "honours_events")
"""Types about a partie."""


def rules_without_preset(kind: str) -> RuleSet:
    """Give the rule set over which a case lays its fields if it names no other."""
    if kind not in PARTIES:
        return written()
    return twelve_holes().with_settlement(price_scheme=PriceScheme.HONOURS)
