"""Above the roll: the ledger of holes, the set of the written game, the partie, and the settlement.

Rules.md II.3.1, II.4 and II.5; source 000 for the rule set `ecrire_academie`. Settlements are plain dicts
with the field names of the case files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Settlement = Mapping[str, Any]


@dataclass
class Ledger:
    """What one attempt at a set (or a partie) remembers of its holes (II.3.1, II.5.9)."""

    holes: list[int] = field(default_factory=lambda: [0, 0])
    run: list[str] = field(default_factory=lambda: ["none", "none"])
    picked_up: list[bool] = field(default_factory=lambda: [False, False])
    holes_own_die: list[int] = field(default_factory=lambda: [0, 0])
    holes_other_die: list[int] = field(default_factory=lambda: [0, 0])
    first_scorer: int | None = None
    run_at_six: list[str] = field(default_factory=lambda: ["none", "none"])
    """The state of each player's run when he reached six; `none` as long as he has not."""


def enter_holes(
    ledger: Ledger, who: int, holes: int, own_die: bool, set_min_holes: int = 6, max_holes: int | None = None
) -> None:
    """II.3.1, on HoleEvent: the holes of a player end the other's run, on whichever die they were made.

    With a limit agreed (`max_holes_per_set`) the holes beyond it are not entered.
    """
    if max_holes is not None:
        holes = min(holes, max_holes - ledger.holes[who])
    other = 1 - who
    if ledger.first_scorer is None:
        ledger.first_scorer = who
    if ledger.holes[who] == 0:
        ledger.run[who], ledger.picked_up[who] = "intact", False
    before = ledger.holes[who]
    ledger.holes[who] += holes
    (ledger.holes_own_die if own_die else ledger.holes_other_die)[who] += holes
    if ledger.run[other] == "intact":
        ledger.run[other] = "broken"
    if before < set_min_holes <= ledger.holes[who]:
        ledger.run_at_six[who] = ledger.run[who]


def pick_up(ledger: Ledger, who: int) -> None:
    """II.3.1, on pickup by `who` that does not end the set."""
    if ledger.run[who] == "intact":
        ledger.picked_up[who] = True


def outcome_of_going(ledger: Ledger, who: int, set_min_holes: int = 6) -> str:
    """II.5.1: what going does in a written set: `pickup`, `win`, `refait` or `concede`."""
    mine, his = ledger.holes[who], ledger.holes[1 - who]
    if max(mine, his) < set_min_holes:
        return "pickup"
    if mine > his:
        return "win"
    return "refait" if mine == his else "concede"


def set_options(
    ledger: Ledger, who: int, own_die: bool, set_min_holes: int = 6, may_go: bool = True
) -> list[str]:
    """What the scorer may do after his holes in a written set (II.5.1)."""
    if not own_die or not may_go:
        return ["hold"]
    outcome = outcome_of_going(ledger, who, set_min_holes)
    return ["hold", "go" if outcome == "pickup" else f"go:{outcome}"]


def partie_options(
    ledger: Ledger, who: int, own_die: bool, target_holes: int = 12, may_go: bool = True
) -> list[str]:
    """What the scorer may do after his holes in a partie (II.4); it ends on either die."""
    if ledger.holes[who] >= target_holes:
        return ["game_over"]
    return ["hold", "go"] if own_die and may_go else ["hold"]


def partie_price(
    winner_holes_run_intact: bool, loser_holes: int, winner_second: bool, rules: Settlement
) -> int:
    """The price of a partie in units of the stake (II.4).

    By the honours it is 4 if the loser has no hole; 3 if the winner scored second and was never interrupted; 2
    if the loser has no more than `honours_double_max_loser_holes`, which is 6 (S1) or 5 (GU ch. VIII; MA XX).
    """
    scheme = rules["price_scheme"]
    if scheme == "plain":
        return 1
    if scheme == "double":
        return 2 if winner_holes_run_intact else 1
    if loser_holes == 0:
        return 4
    if winner_holes_run_intact and winner_second:
        return 3
    return 2 if loser_holes <= rules["honours_double_max_loser_holes"] else 1


def held(ledger: Ledger, winner: int, late_run_price: str, set_min_holes: int = 6) -> bool:
    """II.5.2: whether the winner's run is paid as one without pickup."""
    loser = 1 - winner
    if late_run_price == "missed_run_of_opponent" and ledger.holes[loser] >= set_min_holes:
        return not ledger.picked_up[loser]
    return not ledger.picked_up[winner]


def set_value(
    winner_holes: int, loser_holes: int, refaits: int, run_intact: bool, was_held: bool, rules: Settlement
) -> dict[str, Any]:
    """II.5.2: kind, multiplier, consolation (multiplied) and value of a set."""
    kind = "simple" if not run_intact else "grande" if winner_holes >= 12 else "petite"
    if kind == "simple":
        multiplier = 1
    elif rules.get("progression", "two_step") == "double_every_6":
        multiplier = 2 ** (winner_holes // 6)
    else:
        multiplier = rules[f"mult_{kind}_held" if was_held else f"mult_{kind}"]
    growth = 1 + refaits if rules["refait_growth"] == "linear" else 2**refaits
    consolation = rules["consolation"] * growth
    return {
        "kind": kind,
        "multiplier": multiplier,
        "consolation": multiplier * consolation,
        "value": multiplier * (winner_holes + consolation) - loser_holes,
    }


def value_of_ledger(
    ledger: Ledger, winner: int, refaits: int, rules: Settlement, set_min_holes: int = 6
) -> dict[str, Any]:
    """`set_value` of a finished attempt, with the words of a case: `style` tells `held` of II.5.2."""
    was_held = held(ledger, winner, rules["late_run_price"], set_min_holes)
    run_intact = ledger.run[winner] == "intact"
    value = set_value(ledger.holes[winner], ledger.holes[1 - winner], refaits, run_intact, was_held, rules)
    return value | {"style": "without_pickup" if was_held else "with_pickup"}


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def round_amount(amount: int, rules: Settlement) -> list[int]:
    """II.5.7: the rounded amount; two values where a five is decided by the dice, the lower one first.

    The magnitude is rounded and the sign restored.
    """
    unit = rules["round_unit"]
    if unit is None:
        return [amount]
    down, rest = divmod(abs(amount), unit)
    five = rules["round_five"]
    if 2 * rest != unit:
        tens = [down + (2 * rest > unit)]
    elif five == "die":
        tens = [down, down + 1]
    else:
        tens = [down + {"up": 1, "down": 0, "half_even": down % 2}[five]]
    return [sign(amount) * unit * ten for ten in tens]


def fish_of(won: int, owed: int) -> tuple[int, int]:
    """II.5.7: fish handed back and fish drawn by a player who owes some: first those he has won go back."""
    back = won if won < owed else owed
    return back, owed - back


def jetons_left(stake: int, loss: int, fish: int = 10) -> tuple[int, int]:
    """II.5.7: fish that the loser draws beyond his stake, one by one, and the jetons he then keeps."""
    drawn = 0
    while stake + drawn * fish < loss:
        drawn += 1
    return drawn, stake + drawn * fish - loss


def paris(difference: int, rules: Settlement) -> int:
    """II.5.6: paris, and the tail of sets to whoever won more; `difference` is w1 - w2."""
    payment: int = rules["paris_per_set"] * difference + rules["tail_of_sets"] * sign(difference)
    return payment


def leader(set_points: int, wins: Sequence[int], rules: Settlement) -> int:
    """Who is ahead for the tail of tokens (II.5.6): 1 the first player, -1 the second, 0 nobody."""
    lost_1, lost_2 = wins[1], wins[0]
    if rules["token_tail_basis"] == "set_points":
        return sign(set_points)
    return sign(2 * set_points - rules["tokens_per_set"] * (lost_1 - lost_2))


def token_tail(set_points: int, wins: Sequence[int], rules: Settlement) -> int:
    """T of II.5.6: the leader takes back his own markers and gains the other's; a tie shares them."""
    tokens: int = rules["tokens_per_set"]
    ahead = leader(set_points, wins, rules)
    if ahead:
        return tokens * wins[0] if ahead > 0 else -tokens * wins[1]
    if rules["token_tail_tie"] == "none":
        return 0
    shared, half = divmod(tokens * (wins[0] - wins[1]), 2)
    assert not half, "the number of sets is even, so the markers can be halved"
    return shared


def money(exact: int, rounded: int, ahead: int, rules: Settlement) -> int:
    """The rounded result and the general tail to its winner (II.5.6)."""
    winner = {"exact": sign(exact), "rounded": sign(rounded), "token_tail_winner": ahead}
    tail: int = rules["general_tail"]
    return rounded + tail * winner[rules["general_tail_basis"]]


def settle(sets: Sequence[tuple[int, int]], rules: Settlement) -> dict[str, Any]:
    """II.5.6 for a list of (winner 0 or 1, value), signed for player 0; a five must not need the dice.

    `die` as `round_five` leaves `rounded` and `money` out when it is asked.
    """
    wins = [sum(winner == player for winner, _ in sets) for player in (0, 1)]
    points = sum(value if winner == 0 else -value for winner, value in sets)
    tail = token_tail(points, wins, rules)
    payment = paris(wins[0] - wins[1], rules)
    exact = points + tail + payment
    settled = {
        "wins": wins,
        "set_points_diff": points,
        "token_tail": tail,
        "sets_payment": payment,
        "exact": exact,
    }
    rounded = round_amount(exact, rules)
    if len(rounded) == 1:
        settled["rounded"] = rounded[0]
        settled["money"] = money(exact, rounded[0], leader(points, wins, rules), rules)
    return settled


def next_set_leader(
    set_no: int, first_leader: int, leader_now: int, result: int | None, set_first_die: str
) -> int:
    """II.5.8: who throws first after set `set_no`, from 1. `result` is its winner, None for a do-over."""
    if result is None:
        return leader_now
    if set_first_die == "winner_prev":
        return result
    return first_leader if set_no % 2 == 0 else 1 - first_leader


def next_partie_leader(
    partie_no: int, first_leader: int, winner: int, next_partie_first_die: str
) -> int | None:
    """`next_partie_first_die`: who throws first after partie `partie_no`, from 1; None where a draw decides."""
    if next_partie_first_die == "draw":
        return None
    return next_set_leader(partie_no, first_leader, first_leader, winner, next_partie_first_die)


_ACADEMIE: dict[str, Any] = {
    "consolation": 2,
    "refait_growth": "linear",
    "mult_petite": 2,
    "mult_petite_held": 2,
    "mult_grande": 4,
    "mult_grande_held": 4,
    "progression": "two_step",
    "late_run_price": "own",
    "set_first_die": "winner_prev",
    "paris_per_set": 4,
    "tail_of_sets": 20,
    "tokens_per_set": 2,
    "token_tail_basis": "set_points",
    "token_tail_tie": "share",
    "round_unit": 10,
    "round_five": "up",
    "general_tail": 0,
    "general_tail_basis": "rounded",
}
_GUITON = _ACADEMIE | {"token_tail_basis": "holdings", "general_tail_basis": "exact"}
_CLASSICAL = _ACADEMIE | {
    "mult_petite_held": 3,
    "mult_grande_held": 5,
    "late_run_price": "missed_run_of_opponent",
    "set_first_die": "alternate",
    "tokens_per_set": 1,
    "token_tail_basis": "holdings",
    "round_five": "die",
    "general_tail_basis": "exact",
}
_PARTIE: dict[str, Any] = {
    "target_holes": 12,
    "price_scheme": "plain",
    "next_partie_first_die": "winner_prev",
}
PRESETS: dict[str, dict[str, Any]] = {
    "ecrire_academie": _ACADEMIE,
    "ecrire_classical": _CLASSICAL,
    "ecrire_classical_paper": _CLASSICAL | {"token_tail_basis": "set_points"},
    "ecrire_guiton": _GUITON,
    "ecrire_jl1852": _GUITON,
    "ecrire_jl1852_paper": _GUITON | {"tokens_per_set": 0},
    "ecrire_lepeintre": _GUITON,
    "ecrire_lepeintre_progressive": _GUITON | {"progression": "double_every_6"},
    "ecrire_malfilatre": _ACADEMIE
    | {
        "refait_growth": "geometric",
        "set_first_die": "alternate",
        "tokens_per_set": 1,
        "round_unit": None,
    },
    "twelve_hole": _PARTIE,
    "twelve_hole_honours": _PARTIE | {"price_scheme": "honours", "honours_double_max_loser_holes": 6},
}
"""The presets for two players that the case files name, in the fields the twin knows."""
