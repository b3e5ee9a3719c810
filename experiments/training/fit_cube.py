"""Fit the chance of winning by which a player doubles, and measure on fresh games how well it is calibrated.

Games between two players without the cube, half by each rule set, give one position each, before a roll drawn at
random among those of the game; the logistic regression of who won on the features of the kernel gives the weights.
Calibration is measured on games of another seed: of positions of like chances the share won, beside the chance.
Run as ``python experiments/training/fit_cube.py tables_linear``; prints the weights and the table.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from simkit.analysis.intervals import proportion
from simkit.catalogue import player, rule_set
from simkit.drivers import TablesEngine
from simkit.drivers.points import opening_games
from simkit.kernel.tables.entries import judge_chances
from simkit.players import Doubling, Player, RandomPlay, lower_tables_players
from simkit.rules import fields_of

RULES = ("backgammon_225", "backgammon")
TRAINING_SEED, FRESH_SEED, DRAWING_SEED = 30_001, 30_002, 30_003
WEIGHTS = [name for name in fields_of(Doubling) if name.startswith(("race", "contact"))]
BOUNDS = (0, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950, 1000)
"""Chances in 1000 between which positions are counted together."""


@dataclass(frozen=True)
class Positions:
    """Positions before a roll, one a game: boards of the side to roll and the other, int64 (n, 4), and who won."""

    boards: Any
    won: Any
    """Whether the side to roll won, bool (n,)."""


def sampled(name: str, one: Player, seed: int, games: int) -> Positions:
    """Play games to their end, a roll at a time, and keep of each the position before one roll after the first.

    A roll takes the place of the one kept with a chance of one in so many rolls (reservoir sampling), so that each
    is as likely to be kept.
    """
    rules = rule_set(name)
    engine = TablesEngine(rules, (one, one), seed)
    on = opening_games(rules, engine.key, np.arange(games, dtype=np.int64))
    draws = np.random.Generator(np.random.Philox(DRAWING_SEED + seed))
    boards, rollers, winners = np.zeros((games, 4), np.int64), np.zeros(games, np.int64), np.full(games, -1)
    while len(on):
        if on.rolls[0]:
            kept = draws.random(len(on)) < 1 / on.rolls
            boards[on.match_id[kept]] = boards_of(on)[kept]
            rollers[on.match_id[kept]] = on.roller[kept]
        over = engine.play(on, most_rolls=1)
        winners[on.match_id[over]] = on.winner[over]
        on = on[~over].view(np.recarray)
    return Positions(boards, winners == rollers)


def boards_of(games: Any) -> Any:
    """The words of the side to roll and of the other, int64 (n, 4)."""
    rows, who = np.arange(len(games)), games.roller
    words = [plane[rows, side] for side in (who, 1 - who) for plane in (games.low, games.high)]
    return np.stack(words, axis=1)


def odds_by(doubling: Doubling, boards: Any) -> Any:
    """Log odds of the side to roll, float64 (n,), as the kernel reckons them."""
    judge = Player(name="judge", title="Judges", choice=RandomPlay(), decision=doubling)
    odds = np.empty(len(boards), np.int64)
    judge_chances(lower_tables_players((judge,)), boards, odds)
    return odds / 10_000


def features(boards: Any) -> Any:
    """What each weight is multiplied by, float64 (n, weights): the kernel's sum with that weight alone."""
    return np.stack([10_000 * odds_by(Doubling(**{name: 1}), boards) for name in WEIGHTS], axis=1)


def fitted(table: Any, won: Any) -> dict[str, int]:
    """Weights in ten-thousandths by Newton's steps on the likelihood; a ridge of 1e-6 keeps them apart."""
    scale = np.abs(table).max(axis=0)
    x, weights = table / scale, np.zeros(table.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (won - chance)
        curve = (x * (chance * (1 - chance))[:, None]).T @ x + 1e-6 * np.eye(len(weights))
        weights = weights + np.linalg.solve(curve, slope)
    return {name: round(10_000 * weight) for name, weight in zip(WEIGHTS, weights / scale, strict=True)}


def calibration(doubling: Doubling, positions: Positions) -> Iterator[str]:
    """A line for positions of like chances: how many, the mean chance, the share won with its interval."""
    chance = 1 / (1 + np.exp(-odds_by(doubling, positions.boards)))
    for low, high in pairwise(BOUNDS):
        inside = (chance >= low / 1000) & (chance < high / 1000 + (high == 1000))
        if inside.any():
            seen = proportion(int(positions.won[inside].sum()), int(inside.sum()))
            yield (
                f"| {low / 10:g} to {high / 10:g} | {seen.n:,} | {100 * chance[inside].mean():.1f} | "
                f"{100 * seen.mean:.1f} | {100 * seen.low:.1f} to {100 * seen.high:.1f} |"
            )


def loss(doubling: Doubling, positions: Positions) -> float:
    """Mean of the squared difference of chance and outcome (Brier)."""
    chance = 1 / (1 + np.exp(-odds_by(doubling, positions.boards)))
    return float(((chance - positions.won) ** 2).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player")
    parser.add_argument("--games", type=int, default=400_000, help="by each rule set, and as many fresh ones")
    arguments = parser.parse_args()
    one = player(arguments.player)
    training = [sampled(name, one, TRAINING_SEED, arguments.games) for name in RULES]
    boards, won = (np.concatenate([getattr(part, name) for part in training]) for name in ("boards", "won"))
    weights = fitted(features(boards), won)
    doubling = Doubling(**weights)
    for name, weight in weights.items():
        print(f"{name}={weight},")
    for name in RULES:
        fresh = sampled(name, one, FRESH_SEED, arguments.games)
        in_race = odds_by(Doubling(race_roll=1), fresh.boards) > 0
        base = float(fresh.won.mean())
        print(f"\n{name}: loss {loss(doubling, fresh):.4f}, of the mean alone {base * (1 - base):.4f}")
        for title, part in (("in a race", in_race), ("else", ~in_race)):
            chosen = Positions(fresh.boards[part], fresh.won[part])
            print(f"{title}: {len(chosen.won):,} positions, loss {loss(doubling, chosen):.4f}")
            print("\n".join(calibration(doubling, chosen)))


if __name__ == "__main__":
    main()
