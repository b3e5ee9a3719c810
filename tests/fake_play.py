"""Drivers that make rows without playing: fast, pure, and picklable for worker processes."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from simkit.dataset import FIGURES, MATCHES, SETS, Column, PlaySpec, StoredPlay
from simkit.dataset.bounds import bounds
from simkit.dataset.parquet import array_dtype
from simkit.players import CoinToss, Player, RandomPlay
from simkit.rules import RuleSet, Trictrac, TwelveHoles, Written

RULES = RuleSet(
    name="little_written", title="A written match of two sets", game=Trictrac(), match=Written(sets=2)
)
PARTIE = RuleSet(name="partie", title="One partie", game=Trictrac(), match=TwelveHoles())
ANNE = Player(name="anne", title="Plays anything.", choice=RandomPlay(), decision=CoinToss())
BEN = Player(name="ben", title="Goes rarely.", choice=RandomPlay(), decision=CoinToss(go_1024=100))


def spec(rules: RuleSet = RULES, one: Player = ANNE, two: Player = BEN, seed: int = 7) -> PlaySpec:
    """A play to ask for."""
    return PlaySpec(rules, (one, two), seed)


@dataclass(frozen=True)
class Chunk:
    """What a driver returns."""

    matches: dict[str, Any]
    sets: dict[str, Any]
    figures: Any
    others: dict[str, dict[str, Any]] = field(default_factory=dict)


def fake(rules: RuleSet, players: tuple[Player, Player], seed: int, first: int, count: int) -> Chunk:
    """Rows that depend on rules, players, seed and match alone: numbers out of a hat, of the right types."""
    sets = rules.match.sets if isinstance(rules.match, Written) else 1
    salt = int(rules.play_digest[:8], 16) + sum(int(player.digest[:8], 16) for player in players)
    tables: dict[str, list[Any]] = {"matches": [], "sets": []}
    figures = np.zeros((2, len(FIGURES), 2), np.int64)
    for match in range(first, first + count):
        random = np.random.default_rng([seed & 0xFFFFFFFF, seed >> 32, salt, match])
        for table, rows in ((MATCHES, 1), (SETS, sets)):
            numbers = random.integers(0, 100, (rows, len(table.data)))
            numbers[:, 0] = match
            if table is SETS:
                numbers[:, 1] = np.arange(1, sets + 1)
            tables[table.name].append(numbers)
        figures += random.integers(0, 5, figures.shape)
    columns = {}
    for table in (MATCHES, SETS):
        numbers = np.concatenate(tables[table.name])
        limits = bounds(StoredPlay.of(PlaySpec(rules, players, seed)), table)
        columns[table.name] = {
            column.name: _within(column, numbers[:, place], limits) for place, column in enumerate(table.data)
        }
    for player in (1, 2):
        made = [columns["sets"][f"holes_{whose}_die_{player}"] for whose in ("own", "other")]
        columns["sets"][f"holes_{player}"] = np.sum(made, axis=0, dtype=np.int16)
    return Chunk(columns["matches"], columns["sets"], figures)


def _within(column: Column, numbers: Any, limits: dict[str, tuple[int, int]]) -> Any:
    """Numbers as a column may hold them."""
    least, most = limits.get(column.name, (0, 2 if column.values else 2**31))
    inside = (least <= numbers) & (numbers <= most)
    return np.where(inside, numbers, least + numbers % min(most - least + 1, 2**31)).astype(
        array_dtype(column)
    )


@dataclass(frozen=True)
class Deadly:
    """Ends its worker process the first `times` times it is called, counted by files in `folder`."""

    folder: Path
    times: int

    def __call__(self, rules: RuleSet, players: Any, seed: int, first: int, count: int) -> Chunk:
        for death in range(self.times):
            try:
                (self.folder / f"death-{death}").touch(exist_ok=False)
            except FileExistsError:
                continue
            os._exit(1)
        return fake(rules, players, seed, first, count)


@dataclass(frozen=True)
class Slow:
    """Takes its time over every chunk."""

    seconds: float

    def __call__(self, rules: RuleSet, players: Any, seed: int, first: int, count: int) -> Chunk:
        time.sleep(self.seconds)
        return fake(rules, players, seed, first, count)
