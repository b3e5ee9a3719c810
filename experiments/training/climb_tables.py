"""Climb to better weights for an evaluating player of toutes tables, one weight at a time, by duplicate games.

Every trial plays single games from drawn starts, the same dice twice, the seats exchanged, against the player as
he stands; a change is kept when it gains points on these games by more than two standard errors and again on fresh
dice. Run as ``python experiments/training/climb_tables.py tables_linear --rounds 2``; prints the weights kept.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
from simkit.players import Player, TablesEvaluation
from simkit.rules import RuleSet, fields_of, replace

WEIGHTS = [name for name in fields_of(TablesEvaluation) if name != "candidates"]


def single_games(name: str) -> RuleSet:
    """The rules of a rule set, a match of one game from a start drawn for it."""
    return rule_set(name).with_match(match_points=1, games_per_start=1)


def gain(rules: RuleSet, new: Player, old: Player, seed: int, games: int) -> tuple[float, float]:
    """Mean points per game of `new` against `old` over duplicate games, and its standard error."""
    results = []
    for pair in ((new, old), (old, new)):
        rows = play_chunk(rules, pair, seed, 0, games).matches
        results.append(rows["points_1"].astype(np.int64) - rows["points_2"])
    duplicate = (results[0] - results[1]) / 2
    return float(duplicate.mean()), float(duplicate.std(ddof=1) / np.sqrt(games))


def changed(one: Player, name: str, step: float) -> Player:
    """The player with one weight moved by a share of itself, by 2 at least."""
    value = getattr(one.choice, name)
    by = max(2, round(abs(value) * abs(step)))
    return replace(one, choice=replace(one.choice, **{name: value + (by if step > 0 else -by)}))


def climb(rules: RuleSet, start: Player, rounds: int, games: int) -> Player:
    best, seeds = start, itertools.count(20_000)
    for _ in range(rounds):
        for name in WEIGHTS:
            for step in (0.5, -0.5, 0.2, -0.2):
                trial = changed(best, name, step)
                first, error = gain(rules, trial, best, next(seeds), games)
                if first < 2 * error:
                    continue
                second, error = gain(rules, trial, best, next(seeds), 2 * games)
                if second > 2 * error:
                    best = trial
                    print(
                        f"{name} = {getattr(best.choice, name)}: {second:+.4f} ± {1.96 * error:.4f}",
                        flush=True,
                    )
                    break
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player")
    parser.add_argument("--rules", default="toutes_tables_225")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--games", type=int, default=10_000)
    arguments = parser.parse_args()
    rules, start = single_games(arguments.rules), player(arguments.player)
    assert isinstance(start.choice, TablesEvaluation), "only a player who evaluates has weights"
    best = climb(rules, start, arguments.rounds, arguments.games)
    print(best.choice)
    print("gain over the start:", gain(rules, best, start, 1, 10 * arguments.games))


if __name__ == "__main__":
    main()
