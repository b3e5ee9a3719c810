"""Climb to better weights for an evaluating player, one weight at a time, by duplicate matches.

Every trial plays the same dice twice with the seats exchanged, against the player as he stands; a change is
kept when it gains on these matches by more than two standard errors and again on fresh dice. Run as
``python experiments/training/climb.py prudent --rounds 3``; prints the weights that differ from the catalogue's.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
from simkit.players import Evaluation, Player
from simkit.rules import replace
from simkit.settle import settle

RULES = rule_set("ecrire_academie")
CHOICE = [
    "exposed_near",
    "exposed_far",
    "petit",
    "grand",
    "retour",
    "made_grand",
    "full",
    "nearly",
    "spare",
    "coin",
    "talon",
]
DECISION = [
    "full_worth",
    "nearly_worth",
    "remainder",
    "hold_margin",
    "level_margin",
    "concede_margin",
    "grande_margin",
]


def gain(new: Player, old: Player, seed: int, matches: int) -> tuple[float, float]:
    """Mean exact result per match of `new` against `old` over duplicate matches, and its standard error."""
    results = []
    for pair in ((new, old), (old, new)):
        rows = play_chunk(RULES, pair, seed, 0, matches).sets
        results.append(settle(rows, RULES.match.settlement)["exact"])
    duplicate = (results[0] - results[1]) / 2
    return float(duplicate.mean()), float(duplicate.std(ddof=1) / np.sqrt(matches))


def changed(one: Player, name: str, step: float) -> Player:
    """The player with one weight moved by a share of itself, by 2 at least (24 for decisions)."""
    part = one.choice if name in CHOICE else one.decision
    value = getattr(part, name)
    least = 2 if name in CHOICE else 24
    by = max(least, round(abs(value) * abs(step)))
    part = replace(part, **{name: value + (by if step > 0 else -by)})
    return replace(one, choice=part) if name in CHOICE else replace(one, decision=part)


def climb(start: Player, rounds: int, matches: int) -> Player:
    best, seeds = start, itertools.count(10_000)
    for _ in range(rounds):
        for name in CHOICE + DECISION:
            for step in (0.5, -0.5, 0.2, -0.2):
                trial = changed(best, name, step)
                first, error = gain(trial, best, next(seeds), matches)
                if first < 2 * error:
                    continue
                second, error = gain(trial, best, next(seeds), 2 * matches)
                if second > 2 * error:
                    best = trial
                    part = best.choice if name in CHOICE else best.decision
                    print(f"{name} = {getattr(part, name)}: {second:+.1f} ± {1.96 * error:.1f}", flush=True)
                    break
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--matches", type=int, default=1000)
    arguments = parser.parse_args()
    start = player(arguments.player)
    assert isinstance(start.choice, Evaluation), "only a player who evaluates has weights"
    best = climb(start, arguments.rounds, arguments.matches)
    print(best.choice, best.decision, sep="\n")
    print("gain over the start:", gain(best, start, 1, 10 * arguments.matches))


if __name__ == "__main__":
    main()
