"""Climb to better weights for an evaluating player of toutes tables, one weight at a time, by duplicate games.

Every trial plays single games from drawn starts, the same dice twice, the seats exchanged, against the player as
he stands; a change is kept when it gains points on these games by more than two standard errors and again on fresh
dice. Run as ``python experiments/training/climb_tables.py tables_linear --rounds 2``; prints the weights kept, and
with ``--against NAME`` what the player gains over another, in points and in games won.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np
from numpy.typing import NDArray

from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
from simkit.players import Player, TablesEvaluation
from simkit.rules import RuleSet, fields_of, replace

WEIGHTS = [name for name in fields_of(TablesEvaluation) if name != "candidates"]

FIRST_SEED, FINAL_SEED = 20_000, 29_999


def single_games(name: str) -> RuleSet:
    """The rules of a rule set, a match of one game from a start drawn for it."""
    return rule_set(name).with_match(match_points=1, games_per_start=1)


def duplicates(
    rules: RuleSet, one: Player, other: Player, seed: int, games: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What `one` has of each of some games played twice, the seats exchanged: mean points, and share won."""
    points, won = np.zeros(games), np.zeros(games)
    for place, pair in ((1, (one, other)), (2, (other, one))):
        rows = play_chunk(rules, pair, seed, 0, games).matches
        points += (rows[f"points_{place}"].astype(np.int64) - rows[f"points_{3 - place}"]) / 2
        won += (rows["winner"] == place) / 2
    return points, won


def gain(rules: RuleSet, new: Player, old: Player, seed: int, games: int) -> tuple[float, float]:
    """Mean points per game of `new` against `old` over duplicate games, and its standard error."""
    return mean(duplicates(rules, new, old, seed, games)[0])


def mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """Mean of independent numbers and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size))


def changed(one: Player, name: str, step: float) -> Player:
    """The player with one weight moved by a share of itself, by 2 at least."""
    value = getattr(one.choice, name)
    by = max(2, round(abs(value) * abs(step)))
    return replace(one, choice=replace(one.choice, **{name: value + (by if step > 0 else -by)}))


def climb(rules: RuleSet, start: Player, rounds: int, games: int) -> Player:
    best, seeds = start, itertools.count(FIRST_SEED)
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
    parser.add_argument("--against", help="do not climb; say what the player gains over this one")
    arguments = parser.parse_args()
    rules, start = single_games(arguments.rules), player(arguments.player)
    if arguments.against:
        found = duplicates(rules, start, player(arguments.against), FINAL_SEED, arguments.games)
        (points, error), (share, share_error) = map(mean, found)
        print(
            f"{points:+.4f} ± {1.96 * error:.4f} points per game, {100 * share:.2f} ± {196 * share_error:.2f} % "
            f"of games won, {arguments.games:,} duplicate games (seed {FINAL_SEED})"
        )
        return
    assert isinstance(start.choice, TablesEvaluation), "only a player who evaluates has weights"
    best = climb(rules, start, arguments.rounds, arguments.games)
    print(best.choice)
    print("gain over the start:", gain(rules, best, start, 1, 10 * arguments.games))


if __name__ == "__main__":
    main()
