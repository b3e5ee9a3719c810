"""Run worked-example files with the twin: their formats are told in the files.

It shares nothing with the reader of `simkit`. A case is passed, failed or skipped; what the twin does not
know is skipped, with the reason, and never passed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

from . import written
from .awards import Award, roll, totals
from .board import COIN, QUARTERS, Counts, is_full, men_of, start
from .combine import cases as combine
from .options import Options, UnsupportedOptionError, read_options
from .plays import ALL_OFF, moved
from .score import Score, mark, mark_roll
from .tables import cases as tables
from .written import Ledger

Case = Mapping[str, Any]
PLAYERS = ("P1", "P2")
ROLLS = tuple((high, low) for low, high in combinations_with_replacement(range(1, 7), 2))


class SkippedError(Exception):
    """The twin does not know this type, preset or key."""


@dataclass(frozen=True)
class CaseResult:
    """`status` is `passed`, `failed` or `skipped`; `reason` says why if it is not passed."""

    id: str
    kind: str
    status: str
    reason: str = ""


class Differences(list[str]):
    """What was found unlike what the case expects."""

    def compare(self, what: str, found: Any, expected: Any) -> None:
        if found != expected:
            self.append(f"{what}: {found!r}, expected {expected!r}")

    def compare_keys(self, found: Mapping[str, Any], expected: Mapping[str, Any], where: str = "") -> None:
        """Compare the keys the case has; one the twin does not make is a reason to skip the case."""
        for key, value in expected.items():
            if key not in found:
                raise SkippedError(f"key {key} of expected")
            self.compare(where + key, found[key], value)


def counts_from(men: Mapping[str, int]) -> Counts:
    """A side of a case, {point: men}, in the owner's own count."""
    return tuple(men.get(str(point), 0) for point in range(1, 25))


def sides(position: Case) -> tuple[Counts, Counts]:
    """Mover and opponent; each must have fifteen men."""
    for side in position.values():
        assert sum(side.values()) == 15, "a case gives fifteen men a side"
    return counts_from(position["mover"]), counts_from(position["opponent"])


def award_as_in_case(award: Award) -> dict[str, Any]:
    return {key: value for key, value in award._asdict().items() if value is not None}


def in_order(found: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted(json.dumps(item, sort_keys=True) for item in found)


# base game


def roll_score(case: Case) -> Differences:
    own, other = sides(case["position"])
    context = case.get("context", {})
    plays, awards = roll(
        own,
        other,
        case["dice"],
        context.get("mover_roll_number_in_releve", 0),
        read_options(case.get("config", {})),
        took_coin=context.get("mover_took_corner_on_previous_roll", False),
        rencontre=context.get("rencontre", False),
    )
    mover, opponent = totals(awards)
    expect, differences = dict(case["expect"]), Differences()
    expected_awards = expect.pop("awards")
    differences.compare("awards", in_order([award_as_in_case(a) for a in awards]), in_order(expected_awards))
    if "legal_final_positions" in expect:
        legal = {counts_from(men) for men in expect.pop("legal_final_positions")}
        differences.compare("legal_final_positions", sorted(plays.positions), sorted(legal))
    found = {"mover_points": mover, "opponent_points": opponent, "dice_unplayed": plays.unplayed}
    differences.compare_keys(found, expect)
    return differences


def legal_positions(case: Case) -> Differences:
    own, other = sides(case["position"])
    plays, _ = roll(own, other, case["dice"], 0, read_options(case.get("config", {})))
    expect, differences = dict(case["expect"]), Differences()
    if "final_positions" in expect:
        legal = {counts_from(men) for men in expect.pop("final_positions")}
        differences.compare("final_positions", sorted(plays.positions), sorted(legal))
    for men in expect.pop("must_include", []):
        differences.compare(f"{men} legal", counts_from(men) in plays.positions, True)
    for men in expect.pop("must_exclude", []):
        differences.compare(f"{men} legal", counts_from(men) in plays.positions, False)
    differences.compare_keys({"count": len(plays.positions), "dice_unplayed": plays.unplayed}, expect)
    return differences


def property_of_roll(name: str, position: Case, dice: tuple[int, int], options: Options) -> Any:
    """The property of a roll a `roll_table` or `roll_count_series` asks for."""
    _, awards = roll(*sides(position), dice, 0, options)
    name, _, detail = name.partition(":")
    if name == "fill_ways":
        return sum(award.ways or 0 for award in awards if award.jan == f"fill_{detail}")
    if name == "can_conserve":
        was_full = is_full(men_of(counts_from(position["mover"])), QUARTERS[detail])
        return was_full and any(award.jan == f"conserve_{detail}" for award in awards)
    if name == "corner_hit":
        return any(award.jan == "corner_hit" for award in awards)
    if name == "true_hit_on":
        return any(award.jan == "hit_true" and award.target == int(detail) for award in awards)
    if name == "false_hits_points":
        return sum(award.points for award in awards if award.jan == "hit_false")
    mover, opponent = totals(awards)
    points = {"mover_points": mover, "opponent_points": opponent, "both_points": [mover, opponent]}
    if name not in points:
        raise SkippedError(f"property {name}")
    return points[name]


def chances(values: Mapping[tuple[int, int], Any]) -> int:
    """Out of 36: the rolls whose value is true or above nothing, a simple roll counted twice."""
    return sum(1 if high == low else 2 for (high, low), value in values.items() if value)


def roll_table(case: Case) -> Differences:
    expect, options = case["expect"], read_options(case.get("config", {}))
    differences = Differences()
    values = {dice: property_of_roll(expect["property"], case["position"], dice, options) for dice in ROLLS}
    for (high, low), value in values.items():
        differences.compare(f"{high}-{low}", value, expect["by_roll"][f"{high}-{low}"])
    if "chances_out_of_36" in expect:
        differences.compare("chances", chances(values), expect["chances_out_of_36"])
    return differences


def roll_count_series(case: Case) -> Differences:
    expect, options = case["expect"], read_options(case.get("config", {}))
    differences = Differences()
    for number, item in enumerate(expect["items"], start=1):
        values = {
            dice: property_of_roll(expect["property"], item["position"], dice, options) for dice in ROLLS
        }
        differences.compare(f"item {number}", chances(values), item["chances_out_of_36"])
    return differences


def score_from(initial: Case, names: Sequence[str]) -> Score:
    return Score(*([initial[name][key] for name in names] for key in ("points", "bredouille", "holes")))


def score_as_in_case(score: Score, names: Sequence[str]) -> dict[str, Any]:
    return {
        name: {"points": score.points[i], "holes": score.holes[i], "bredouille": score.bredouille[i]}
        for i, name in enumerate(names)
    }


def decides(step: Case) -> bool:
    return bool(step.get("decision") == "go")


def score_sequence(case: Case) -> Differences:
    options, names = read_options(case.get("config", {})), ("A", "B")
    score = score_from(case["initial"], names)
    differences = Differences()
    for number, step in enumerate(case["expect"]["steps"], start=1):
        marked = mark_roll(
            score,
            names.index(step["roller"]),
            step["roller_points"],
            step["other_points"],
            partial(decides, step),
            sortie=step.get("sortie", False),
            ends_at=options.holes_to_win,
            options=options,
        )
        found = {
            "roller_holes": marked.roller_holes,
            "other_holes": marked.other_holes,
            "next_roller": names[marked.next_roller],
            "game_over": None if marked.winner is None else names[marked.winner],
        }
        if "ecole_to" in step:
            found["ecole_holes"] = mark(score, names.index(step["ecole_to"]), step["ecole_points"], options)
        if marked.winner is not None:
            differences.compare(f"step {number} game_over", found["game_over"], step.get("game_over"))
        given = (
            "roller",
            "roller_points",
            "other_points",
            "decision",
            "sortie",
            "ecole_to",
            "ecole_points",
            "after",
        )
        expected = {key: value for key, value in step.items() if key not in given}
        differences.compare_keys(found, expected, f"step {number} ")
        for name, after in step.get("after", {}).items():
            differences.compare_keys(score_as_in_case(score, names)[name], after, f"step {number} {name} ")
    return differences


def match_payoff(case: Case) -> Differences:
    config = dict(case.get("config", {}))
    rules = {
        "price_scheme": config.pop("match_payoff_scheme", "plain"),
        "honours_double_max_loser_holes": config.pop("honours_double_max_loser_holes", 6),
    }
    read_options(config)
    result, differences = case["result"], Differences()
    price = written.partie_price(
        result["winner_holes_consecutive"], result["loser_holes"], not result["winner_scored_first"], rules
    )
    differences.compare_keys({"multiplier": price}, case["expect"])
    return differences


def rail(point: int | str) -> int:
    return 25 if point == "off" else int(point)


def game_record(case: Case) -> Differences:
    """Every roll's awards, the play against the law, the decision and the running score."""
    options, expect = read_options(case.get("config", {})), case["expect"]
    names = tuple(expect["start_score"])
    score = score_from(expect["start_score"], names)
    men = [start(), start()]
    roll_number, took_coin = [0, 0], [False, False]
    opening: list[tuple[int, list[int]]] = []  # the first roll of each player, in the order they were made
    next_roller: int | None = None
    differences = Differences()
    for move in expect["moves"]:
        who = names.index(move["player"])
        at = f"roll {move['n']} "
        if next_roller is not None:
            differences.compare(at + "player", move["player"], names[next_roller])
        roll_number[who] += 1
        own, other = tuple(men[who][1:25]), tuple(men[1 - who][1:25])
        rencontre = False
        if who not in dict(opening):
            opening.append((who, sorted(move["dice"])))
            rencontre = len(opening) == 2 and opening[0][1] == opening[1][1]
        plays, awards = roll(
            own,
            other,
            move["dice"],
            roll_number[who],
            options,
            took_coin=took_coin[who],
            rencontre=rencontre,
        )
        differences.compare(
            at + "awards", in_order(list(map(award_as_in_case, awards))), in_order(move["awards"])
        )
        goes = move.get("decision") == "go"
        after = men[who]
        if not goes:
            for pair in move["moves"]:
                after = moved(after, rail(pair[0]), rail(pair[1]))
            if move.get("legal", True):
                differences.compare(at + "is legal", tuple(after[1:25]) in plays.positions, True)
        mover, opponent = totals(awards)
        sortie = not goes and tuple(after[1:25]) == ALL_OFF
        marked = mark_roll(
            score, who, mover, opponent, partial(decides, move), sortie=sortie, options=options
        )
        differences.compare(at + "goes", marked.went, goes)
        printed = move["score_after_as_printed"]
        if "marking_as_printed" in move:
            score = score_from(printed, names)
        else:
            differences.compare(at + "score", score_as_in_case(score, names), printed)
        took_coin[who] = men[who][COIN] < 2 <= after[COIN]
        men[who] = after
        next_roller = marked.next_roller
        if goes or sortie:
            men, roll_number, took_coin = [start(), start()], [0, 0], [False, False]
    return differences


# above the game

MATCH_FIELDS = {
    *written.PRESETS["ecrire_academie"],
    *written.PRESETS["twelve_hole_honours"],
    "continuation",
    "next_partie_first_die",
}


def match_rules(case: Case) -> dict[str, Any]:
    """Preset, `override` and bare fields of a case as one dict (14.1)."""
    given = dict(case["rules"])
    preset = given.pop("preset", given.pop("variant", None))
    if preset is not None and preset not in written.PRESETS:
        raise SkippedError(f"preset {preset}")
    fields: dict[str, Any] = given.pop("override", {}) | given
    for name in fields:
        if name not in MATCH_FIELDS:
            raise SkippedError(f"field {name}")
    if fields.pop("continuation", False):
        raise SkippedError("continuation")
    return written.PRESETS.get(preset, {}) | fields


def by_player(values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(PLAYERS, values, strict=True))


def set_value(case: Case) -> Differences:
    given, differences = case["input"], Differences()
    found = written.set_value(
        given["winner_holes"],
        given["loser_holes"],
        given["refaits_before"],
        given["run_intact"],
        given.get("without_pickup", False),
        match_rules(case),
    )
    differences.compare_keys(found, case["expected"])
    return differences


def set_events(case: Case) -> Differences:
    """The state machine of II.5.1 fed with holes and decisions."""
    rules, refaits = match_rules(case), case["input"]["refaits_before"]
    ledger, state, differences = Ledger(), {}, Differences()
    for event in case["input"]["events"]:
        who, own_die = PLAYERS.index(event["by"]), event["die"] == "own"
        written.enter_holes(ledger, who, event["holes"], own_die)
        state = {"holes": by_player(ledger.holes), "refaits": refaits}
        then = event.get("then", "hold")
        if then == "hold":
            continue
        outcome = written.outcome_of_going(ledger, who)
        allowed = written.set_options(ledger, who, own_die)
        word = "go" if outcome == "pickup" else f"go:{outcome}"
        if then not in ("go", word) or word not in allowed:
            differences.append(f"{then} is not among {allowed}")
        if outcome == "pickup":
            written.pick_up(ledger, who)
            state |= {"status": "pickup", "next_first": PLAYERS[who]}
        elif outcome == "refait":
            refaits += 1
            state |= {"status": "refait", "refaits": refaits}
            ledger = Ledger()
        else:
            winner = who if outcome == "win" else 1 - who
            state |= {
                "status": "won",
                "winner": PLAYERS[winner],
                "ended_by": PLAYERS[who],
                "conceded": outcome == "concede",
                **written.value_of_ledger(ledger, winner, refaits, rules),
            }
    differences.compare_keys(state, {"status": "won"} | case["expected"])
    return differences


def match_settlement(case: Case) -> Differences:
    sets = [(PLAYERS.index(each["winner"]), each["value"]) for each in case["input"]["sets"]]
    found, differences = written.settle(sets, match_rules(case)), Differences()
    differences.compare_keys(found | {"wins": by_player(found["wins"])}, case["expected"])
    return differences


def paris_payment(case: Case) -> Differences:
    difference = case["input"]["sets_lost_by_payer"] - case["input"]["sets_lost_by_payee"]
    differences = Differences()
    differences.compare_keys({"payment": written.paris(difference, match_rules(case))}, case["expected"])
    return differences


def rounding(case: Case) -> Differences:
    amounts, differences = written.round_amount(case["input"]["exact"], match_rules(case)), Differences()
    found = amounts[0] if len(amounts) == 1 else {"either": amounts}
    differences.compare_keys({"rounded": found}, case["expected"])
    return differences


def fish_flow(case: Case) -> Differences:
    rules, given, differences = match_rules(case), case["input"], Differences()
    if "fish_owed" in given:
        returned, drawn = written.fish_of(given["fish_held_by_payer"], given["fish_owed"])
        found: dict[str, Any] = {"fish_returned": returned, "fish_drawn": drawn}
    else:
        drawn, left = written.jetons_left(given["stake"], given["loss"])
        (rounded,) = written.round_amount(given["loss"], rules)
        found = {"total_loss_in_fish_units": rounded}
        if drawn == 2:
            found["jetons_left_if_two_fish_drawn"] = left
    differences.compare_keys(found, case["expected"])
    return differences


def general_tail(case: Case) -> Differences:
    given, differences = case["input"], Differences()
    rules = match_rules(case) | {"general_tail": given["general_tail"]}
    if rules["general_tail_basis"] == "token_tail_winner":
        raise SkippedError("the input does not tell who wins the tail of tokens")
    exact, rounded = given["exact_in_favour_of_P1"], given["rounded_in_favour_of_P1"]
    found = {"money_in_favour_of_P1": written.money(exact, rounded, 0, rules)}
    differences.compare_keys(found, case["expected"])
    return differences


def swing(case: Case) -> Differences:
    """One more simple set won by a hole, or lost, where neither tail changes hands."""
    rules, differences = match_rules(case), Differences()
    value = written.set_value(6, 5, 0, False, False, rules)["value"]
    elsewhere = [(0, 1000)] * 5 + [(1, 1)] * 2
    won, lost = (written.settle([*elsewhere, (who, value)], rules) for who in (0, 1))
    change = {key: won[key] - lost[key] for key in ("set_points_diff", "token_tail", "sets_payment", "exact")}
    found = dict(zip(("points", "token_tail", "paris", "total"), change.values(), strict=True))
    differences.compare_keys(found, case["expected"])
    return differences


def first_die(case: Case) -> Differences:
    basis = match_rules(case)["set_first_die"]
    if basis not in ("winner_prev", "alternate"):
        raise SkippedError(f"set_first_die {basis}")
    first = PLAYERS.index(case["input"]["first_set_leader"])
    leaders, set_no, differences = [first], 1, Differences()
    for result in case["input"]["results"]:
        winner = None if result == "refait" else PLAYERS.index(result)
        leaders.append(written.next_set_leader(set_no, first, leaders[-1], winner, basis))
        set_no += winner is not None
    differences.compare_keys({"leaders": [PLAYERS[leader] for leader in leaders]}, case["expected"])
    return differences


def legal_decisions(case: Case) -> Differences:
    rules, given, differences = match_rules(case), case["input"], Differences()
    ledger = Ledger(holes=[given["holes_after"][name] for name in PLAYERS])
    scorer, own_die = PLAYERS.index(given["scorer"]), given["die"] == "own"
    if "target_holes" in rules:
        found = written.partie_options(ledger, scorer, own_die, rules["target_holes"])
    else:
        found = written.set_options(ledger, scorer, own_die)
    differences.compare_keys({"options": found}, case["expected"])
    return differences


def partie_end(case: Case) -> Differences:
    """II.4: the roller first, then the other, unless the partie is over or the roller goes."""
    target, given, differences = match_rules(case)["target_holes"], case["input"], Differences()
    ledger = Ledger(holes=[given["holes_before"][name] for name in PLAYERS])
    roller, winner = PLAYERS.index(given["roller"]), None
    for who, holes in ((roller, given["roller_holes"]), (1 - roller, given["other_holes_given"])):
        if holes and (who == roller or given["roller_stays"]):
            written.enter_holes(ledger, who, holes, own_die=who == roller)
            if ledger.holes[who] >= target:
                winner = PLAYERS[who]
                break
    differences.compare_keys({"holes": by_player(ledger.holes), "winner": winner}, case["expected"])
    return differences


def honours_events(case: Case) -> Differences:
    rules = written.PRESETS["twelve_hole_honours"] | match_rules(case)
    ledger, games, differences = Ledger(), [], Differences()
    for event in case["input"]["hole_events"]:
        who = PLAYERS.index(event["by"])
        written.enter_holes(ledger, who, event["holes"], own_die=True)
        if ledger.holes[who] >= rules["target_holes"]:
            intact, second = ledger.run[who] == "intact", ledger.first_scorer != who
            price = written.partie_price(intact, ledger.holes[1 - who], second, rules)
            games.append({"winner": PLAYERS[who], "multiplier": price})
            break
    differences.compare_keys({"games": games, "holes_now": by_player(ledger.holes)}, case["expected"])
    return differences


def of_tables(case: Case) -> Differences:
    """A case about toutes tables: what the twin of that family finds, key by key."""
    differences = Differences()
    try:
        found = tables.found_by(case)
    except tables.UnknownError as unknown:
        raise SkippedError(str(unknown)) from unknown
    differences.compare_keys(found, tables.expected_of(case))
    return differences


def of_combine(case: Case) -> Differences:
    """A case about combiné: what the twin of that game finds, key by key."""
    differences = Differences()
    try:
        found = combine.found_by(case)
    except combine.UnknownError as unknown:
        raise SkippedError(str(unknown)) from unknown
    differences.compare_keys(found, case["expected"])
    return differences


RUNNERS: dict[str, Callable[[Case], Differences]] = dict.fromkeys(tables.RUNNERS, of_tables) | {
    runner.__name__: runner
    for runner in (
        roll_score,
        legal_positions,
        roll_table,
        roll_count_series,
        score_sequence,
        match_payoff,
        game_record,
        set_value,
        set_events,
        match_settlement,
        paris_payment,
        rounding,
        fish_flow,
        general_tail,
        swing,
        first_die,
        legal_decisions,
        partie_end,
        honours_events,
    )
}


def run_case(case: Case) -> CaseResult:
    """Run one case of either file."""
    kind = case.get("kind") or case["type"]
    name = case["id"]
    runner = of_combine if combine.is_of_combine(case) else RUNNERS.get(kind)
    if runner is None:
        return CaseResult(name, kind, "skipped", f"type {kind}")
    try:
        differences = runner(case)
    except (SkippedError, UnsupportedOptionError) as unknown:
        return CaseResult(name, kind, "skipped", str(unknown))
    if differences:
        return CaseResult(name, kind, "failed", "; ".join(differences))
    return CaseResult(name, kind, "passed")


def read_cases(path: Path) -> list[Case]:
    cases: list[Case] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return cases
