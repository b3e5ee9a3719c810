"""Pick the positions of the question `bearing_off_rule`: one side may bear off, the other still has men behind.

Single games of toutes tables between two players are played from drawn starts, some by most points and as many
others by most dice. A position qualifies as one of contact before a roll of the side in front if

- none of his men stands outside the return jan or on the bar;
- he has fewer points to go than the other;
- the other has a man on the bar, or one that has yet to pass a man of his.

It is of a back game if, besides, the other holds two arrows or more of that return jan, by two men or more each.
It is a shot if the roll thrown forces one by most points and not by most dice (`simkit.shots`); the roll is then
kept with it. Of every game one position of each kind is kept, each as likely as the others; how games end plays
no part. The list has, of each kind, those of the first games that have one, by turns of either rule, each
position once; before them, how many rolls of contact and of back games all games had, and how many of them forced
a shot by one rule alone.

Run as ``python experiments/training/pick_bearing_off.py > simkit/analysis/bearing_off_positions.txt``; it takes
a minute and a half.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

import numpy as np

from simkit.catalogue import player, rule_set
from simkit.drivers import TablesEngine
from simkit.drivers.points import opening_games
from simkit.position import ARROWS, MEN, Position, unpack
from simkit.rules import MoveRule, Tables, replace
from simkit.shots import fewest_hits
from simkit.tables import Dice, legal_plays, pips

PLAYER = "tables_linear"
RULES = "toutes_tables_225"
SEED, DRAWING_SEED = 22_550, 225_500
GAMES = 40_000
"""By each rule."""
KINDS = {"contact": 240, "back_game": 120, "shot": 90}
"""Positions of each kind."""
OUTSIDE = (1 << 18) - 1 | 1 << ARROWS
"""Arrows 1 to 18 and the bar, in one plane of a board."""
MOST_POINTS, MOST_DICE = Tables(move_rule=MoveRule.MAX_POINTS), Tables(move_rule=MoveRule.MAX_DICE)
Kept = dict[str, dict[int, str]]
"""What is kept of each kind, as a line of the list, by the number of the game."""


def qualifies(position: Position) -> bool:
    """Whether the mover has all men home and leads, and the other has a man on the bar or still to pass."""
    if sum(position.mover[18:]) + position.off[0] < MEN or pips(position)[0] >= pips(position)[1]:
        return False
    farthest = next(place for place, men in enumerate(position.mover) if men)
    return bool(position.bar[1] or any(position.other[farthest + 1 :]))


def is_back_game(position: Position) -> bool:
    """Whether the other holds two arrows or more of the mover's return jan."""
    return sum(men >= 2 for men in position.other[18:]) >= 2


def alone(position: Position, dice: Dice) -> str:
    """The rule by which alone a roll forces a shot, `points` or `dice`; empty if neither or both do."""
    points, other = (set(legal_plays(game, position, dice)) for game in (MOST_POINTS, MOST_DICE))
    if points == other:
        return ""
    forced = [fewest_hits(game, position, dice) > 0 for game in (MOST_POINTS, MOST_DICE)]
    return "" if forced[0] == forced[1] else "points" if forced[0] else "dice"


def picked(rule: MoveRule, first: int, games: int, rolls: Counter[tuple[str, str]]) -> Kept:
    """Play games from number `first` on by a rule, a roll at a time, and keep one position of each kind a game.

    `rolls` counts the rolls of contact and of back games, by the rule by which alone they force a shot.
    """
    rules = rule_set(RULES).with_match(match_points=1, games_per_start=1)
    rules = replace(rules.with_game(move_rule=rule), name=f"{RULES}_{rule.value}")
    one = player(PLAYER)
    engine = TablesEngine(rules, (one, one), SEED)
    draws = np.random.Generator(np.random.Philox(DRAWING_SEED + first))
    on = opening_games(rules, engine.key, np.arange(first, first + games, dtype=np.int64))
    kept: Kept = {kind: {} for kind in KINDS}
    seen: Counter[tuple[str, int]] = Counter()
    while len(on):
        before = [(k, position) for k, position in at_home(on) if qualifies(position)]
        over = engine.play(on, most_rolls=1)
        for k, position in before:
            game, dice = int(on.match_id[k]), (int(on.thrown_1[k]), int(on.thrown_2[k]))
            forced_by = alone(position, dice)
            kinds = {"contact": f"contact: {position}"}
            if is_back_game(position):
                kinds["back_game"] = f"back_game: {position}"
            for kind in kinds:
                rolls[kind, forced_by] += 1
            if forced_by == "points":
                kinds["shot"] = f"shot {max(dice)}-{min(dice)}: {position}"
            for kind, line in kinds.items():
                seen[kind, game] += 1
                if draws.random() < 1 / seen[kind, game]:  # each as likely: reservoir sampling
                    kept[kind][game] = line
        on = on[~over].view(np.recarray)
    return kept


def at_home(games: Any) -> Iterator[tuple[int, Position]]:
    """Places of the games whose side to roll has all his men home, with the position before the roll."""
    rows, who = np.arange(len(games)), games.roller
    mover, other = (
        np.stack([plane[rows, side] for plane in (games.low, games.high)], axis=1) for side in (who, 1 - who)
    )
    both = mover[:, 0] | mover[:, 1]
    for k in np.flatnonzero((both | both >> 32) & OUTSIDE == 0):
        own, his = (unpack(*words[k], ARROWS + 1) for words in (mover, other))
        off = (MEN - sum(own), MEN - sum(his))
        yield int(k), Position(own[:ARROWS], tuple(reversed(his[:ARROWS])), off, (own[ARROWS], his[ARROWS]))


def lines(games: int, most: Mapping[str, int]) -> Iterator[str]:
    """The list: rolls counted, and those forced by one rule alone; so many positions of each kind."""
    rolls: Counter[tuple[str, str]] = Counter()
    both = [picked(rule, k * games, games, rolls) for k, rule in enumerate(MoveRule)]
    for kind in ("contact", "back_game"):
        number = sum(rolls[kind, forced_by] for forced_by in ("", "points", "dice"))
        yield f"rolls {kind}: {number}, forced by {rolls[kind, 'points']} and {rolls[kind, 'dice']}"
    for kind, number in most.items():
        one, other = ([line for _, line in sorted(kept[kind].items())] for kept in both)
        by_turns = chain.from_iterable(zip(one, other, strict=False))
        yield from islice(dict.fromkeys(by_turns), number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=GAMES, help="by each rule")
    arguments = parser.parse_args()
    print("# Written by experiments/training/pick_bearing_off.py, which says what qualifies.")
    print(
        f"# {PLAYER} against {PLAYER}, {RULES} by most points and by most dice, seeds {SEED} and {DRAWING_SEED}."
    )
    for line in lines(arguments.games, KINDS):
        print(line)


if __name__ == "__main__":
    main()
