"""Three, four and five players of the written game: who plays each set, and what everyone pays.

Rules.md II.6, told player by player and debt by debt. Players are any names; amounts are whole jetons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reference import written

Settlement = Mapping[str, Any]
Payments = dict[tuple[str, str], int]


def rotation(
    first_pair: tuple[str, str], benches: tuple[list[str], list[str]], leaver: str | None, sets: int
) -> list[tuple[str, str]]:
    """The two of each set, who stays before who has come; `benches`, who waits to replace the one or the other.

    À tourner both wait on one bench, the same list. Somebody whose bench is empty never leaves. `leaver` leaves
    after the first set; None where nobody does, as in a chouette.
    """
    pair, in_a_row = list(first_pair), dict.fromkeys(first_pair, 0)
    told = [first_pair]
    for number in range(1, sets):
        for name in pair:
            in_a_row[name] = in_a_row.get(name, 0) + 1
        leaves = (
            leaver
            if number == 1
            else next((name for name in pair if leaves_now(name, pair, benches, in_a_row)), None)
        )
        if leaves is not None:
            side = pair.index(leaves)
            pair[side] = benches[side].pop(0)
            benches[side].append(leaves)
            in_a_row[leaves], in_a_row[pair[side]] = 0, 0
            told.append((pair[1 - side], pair[side]))
        else:
            told.append((pair[0], pair[1]))
    return told


def leaves_now(
    name: str, pair: list[str], benches: tuple[list[str], list[str]], in_a_row: Mapping[str, int]
) -> bool:
    """Everyone leaves who has played two sets in a row, if somebody can take his place."""
    return in_a_row[name] >= 2 and bool(benches[pair.index(name)])


def came_first(sets: Sequence[Mapping[str, Any]], players: Sequence[str]) -> list[str]:
    """The players as they came to the table: who threw first in the first set, the other, then the others."""
    seen = [name for one in sets for name in (one["first"], *one["pair"])]
    return list(dict.fromkeys([*seen, *players]))


def divided(amount: int, among: Sequence[str], order: Sequence[str]) -> dict[str, int]:
    """Whole jetons, the odd ones one each to who came first."""
    sign = 1 if amount >= 0 else -1
    each, odd = divmod(abs(amount), len(among))
    queue = [name for name in order if name in among]
    return {name: sign * (each + (queue.index(name) < odd)) for name in among}


def shares(
    side_money: int, sides: tuple[Sequence[str], Sequence[str]], order: Sequence[str]
) -> dict[str, int]:
    """What each partner has of what the first side wins."""
    return {**divided(side_money, sides[0], order), **divided(-side_money, sides[1], order)}


def set_payments(one: Mapping[str, Any], rules: Settlement) -> Payments:
    """What the loser of a set pays: to the winner its value, to the idle one the consolation."""
    price = written.set_value(
        one["winner_holes"], one["loser_holes"], one["refaits"], one["run_intact"], one["held"], rules
    )
    paid: Payments = {(one["loser"], one["winner"]): price["value"]}
    if rules["tourner_idle_consolation"]:
        paid[one["loser"], one["idle"]] = price["consolation"]
    return paid


def paris_payments(lost: Mapping[str, int], rules: Settlement, order: Sequence[str]) -> Payments:
    """Who lost more than a third pays who lost fewer, for each set: by the whole tail, or by one tail shared."""
    third = sum(lost.values()) // 3
    payers = [name for name in lost if lost[name] > third]
    payees = [name for name in lost if lost[name] < third]
    paid: Payments = {}
    if rules["tourner_paris_rule"] == "none" or not payers:
        return paid
    two = payers if len(payers) == 2 else payees
    if rules["tourner_paris_rule"] == "split_tail":
        tails = divided(rules["tail_of_sets"], two, order)
    else:
        tails = dict.fromkeys(two, rules["tail_of_sets"])
    for payer in payers:
        for payee in payees:
            beyond = third - lost[payee] if len(payers) == 1 else lost[payer] - third
            tail = tails[payer if two is payers else payee]
            paid[payer, payee] = tail + 2 * rules["paris_per_set"] * beyond
    return paid


def balance(payments: Sequence[Payments], players: Sequence[str]) -> dict[str, int]:
    """What everyone has after all payments."""
    account = dict.fromkeys(players, 0)
    for paid in payments:
        for (payer, payee), amount in paid.items():
            account[payer] -= amount
            account[payee] += amount
    return account


def tokens(
    points: Mapping[str, int], lost: Mapping[str, int], rules: Settlement, order: Sequence[str]
) -> tuple[dict[str, int], dict[str, int]]:
    """The tail of tokens: what it brings, and what decided it."""
    laid = {name: rules["tokens_per_set"] * lost[name] for name in lost}
    held = {
        name: points[name] - (laid[name] if rules["token_tail_basis"] == "holdings" else 0) for name in points
    }
    ahead = [name for name in held if held[name] == max(held.values())]
    if len(ahead) > 1 and rules["token_tail_tie"] == "none":
        return dict.fromkeys(laid, 0), held
    taken = divided(sum(laid.values()), ahead, order)
    return {name: taken.get(name, 0) - laid[name] for name in laid}, held


def alone_ahead(amounts: Mapping[str, int]) -> str | None:
    """Who has more than everyone else."""
    best = [name for name in amounts if amounts[name] == max(amounts.values())]
    return best[0] if len(best) == 1 else None


def settle_tourner(
    sets: Sequence[Mapping[str, Any]], players: Sequence[str], rules: Settlement
) -> dict[str, dict[str, int]]:
    """A match of three, each for himself; a five must not need the dice."""
    order = came_first(sets, players)
    lost = {name: sum(one["loser"] == name for one in sets) for name in players}
    points = balance([set_payments(one, rules) for one in sets], players)
    tail, held = tokens(points, lost, rules, order)
    paris = balance([paris_payments(lost, rules, order)], players)
    exact = {name: points[name] + tail[name] + paris[name] for name in players}
    alone = max(players, key=lambda name: abs(exact[name]))
    debts = {name: written.round_amount(exact[name], rules)[0] for name in players if name != alone}
    rounded = {**debts, alone: -sum(debts.values())}
    winner = alone_ahead(
        {"exact": exact, "rounded": rounded, "token_tail_winner": held}[rules["general_tail_basis"]]
    )
    general = {
        name: 0 if winner is None else rules["general_tail"] * (2 if name == winner else -1)
        for name in players
    }
    return {
        "set_points": points,
        "token_tail": tail,
        "paris": paris,
        "exact": exact,
        "rounded": rounded,
        "general_tail": general,
        "money": {name: rounded[name] + general[name] for name in players},
    }
