"""Climb to better thresholds for a player who doubles, one at a time, by duplicate games.

Every trial plays single games with the cube, the score far away, the same dice twice, the seats exchanged, against
the player as he stands; a change is kept when it gains points on these games by more than two standard errors and
again on fresh dice. Run as ``python experiments/training/climb_cube.py tables_cube``; prints the thresholds kept,
and with ``--against NAME`` what the player gains over another, in single games and in matches.
"""

from __future__ import annotations

import argparse
import itertools
from typing import Any

import numpy as np

from simkit.catalogue import player, rule_set
from simkit.drivers import TablesEngine, play_chunk
from simkit.drivers.points import FAR, opening_games
from simkit.players import Doubling, Player
from simkit.rules import RuleSet, replace

THRESHOLDS = ("take_from", "offer_from", "redouble_from", "play_on_from")
FIRST_SEED, FINAL_SEED = 40_000, 49_999


def points_of_1(rules: RuleSet, pair: tuple[Player, Player], seed: int, games: int) -> Any:
    """Points that player 1 wins in each of some single games, less those he loses, int64 (games,)."""
    engine = TablesEngine(rules, pair, seed)
    on = opening_games(rules, engine.key, np.arange(games, dtype=np.int64))
    on.needed = FAR
    engine.play(on)
    return np.where(on.winner == 0, on.points, -on.points)


def gain(rules: RuleSet, new: Player, old: Player, seed: int, games: int) -> tuple[float, float]:
    """Mean points per game of `new` against `old` over duplicate games, and its standard error."""
    duplicate = (
        points_of_1(rules, (new, old), seed, games) - points_of_1(rules, (old, new), seed, games)
    ) / 2
    return float(duplicate.mean()), float(duplicate.std(ddof=1) / np.sqrt(games))


def matches_won(rules: RuleSet, one: Player, other: Player, seed: int, matches: int) -> tuple[float, float]:
    """Share of matches that one wins of another, the same dice twice, the seats exchanged, and its error."""
    seats = ((one, other), (other, one))
    winners = [play_chunk(rules, pair, seed, 0, matches).matches["winner"] for pair in seats]
    both = ((winners[0] == 1).astype(np.int64) + (winners[1] == 2)) / 2
    return float(both.mean()), float(both.std(ddof=1) / np.sqrt(matches))


def climb(rules: RuleSet, start: Player, rounds: int, games: int) -> Player:
    best, seeds = start, itertools.count(FIRST_SEED)
    for _ in range(rounds):
        for name in THRESHOLDS:
            for step in (-50, 50, -20, 20):
                assert isinstance(best.decision, Doubling)
                value = min(getattr(best.decision, name) + step, 1000)
                trial = replace(best, decision=replace(best.decision, **{name: value}))
                first, error = gain(rules, trial, best, next(seeds), games)
                if first < 2 * error or trial == best:
                    continue
                second, error = gain(rules, trial, best, next(seeds), games)
                if second > 2 * error:
                    best = trial
                    print(f"{name} = {value}: {second:+.4f} ± {1.96 * error:.4f}", flush=True)
                    break
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player")
    parser.add_argument("--rules", default="backgammon_225_cube")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--games", type=int, default=40_000)
    parser.add_argument("--afresh", action="store_true", help="begin from the thresholds of any Doubling")
    parser.add_argument("--against", help="do not climb; say what the player gains over this one")
    arguments = parser.parse_args()
    rules, start = rule_set(arguments.rules), player(arguments.player)
    if arguments.against:
        won, error = gain(rules, start, player(arguments.against), FINAL_SEED, arguments.games)
        print(f"{won:+.4f} ± {1.96 * error:.4f} points per game, {arguments.games:,} duplicate games")
        matches = arguments.games // 4
        share, error = matches_won(rules, start, player(arguments.against), FINAL_SEED, matches)
        print(f"{100 * share:.2f} ± {196 * error:.2f} % of matches, {matches:,} duplicate matches")
        return
    assert isinstance(start.decision, Doubling), "only a player who doubles has thresholds"
    if arguments.afresh:
        usual = {name: getattr(Doubling(), name) for name in THRESHOLDS}
        start = replace(start, decision=replace(start.decision, **usual))
    best = climb(rules, start, arguments.rounds, arguments.games)
    print({name: getattr(best.decision, name) for name in THRESHOLDS})
    print("gain over the start:", gain(rules, best, start, FINAL_SEED, 5 * arguments.games))


if __name__ == "__main__":
    main()
