"""Lowering: players become the records that compiled code reads at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.errors import ConfigError
from simkit.kernel.records import (
    ALWAYS_GO,
    ALWAYS_HOLD,
    BY_STAKES,
    COIN_TOSS,
    EVALUATION,
    JUDGEMENT,
    LEAVES_GAME,
    NEVER_SUSPENDS,
    PLAYER,
    RANDOM,
)
from simkit.kernel.tables.records import TABLES_PLAYER
from simkit.players.base import (
    Always,
    AlwaysWhat,
    ByStakes,
    CoinToss,
    Evaluation,
    LookAhead,
    NeverSuspends,
    Player,
    Players,
    TablesEvaluation,
)
from simkit.rules import Combine, RuleSet, Tables, Written, fields_of


def lower_players(players: Players) -> Any:
    """Return the players as a record array of `PLAYER` records."""
    records = np.zeros(len(players), PLAYER).view(np.recarray)
    for record, player in zip(records, players, strict=True):
        for part in filter(None, (player.choice, player.decision, player.combined)):
            for name in fields_of(type(part)):
                if name in (PLAYER.names or ()):
                    value = getattr(part, name)
                    record[name] = value is LookAhead.HITS if isinstance(value, LookAhead) else value
        record.choice = EVALUATION if isinstance(player.choice, Evaluation) else RANDOM
        record.decision = _decision(player)
        record.combined = _combined(player)
    return records


def _decision(player: Player) -> int:
    if isinstance(player.decision, CoinToss):
        return COIN_TOSS
    if isinstance(player.decision, Always):
        return ALWAYS_HOLD if player.decision.what is AlwaysWhat.HOLD else ALWAYS_GO
    return JUDGEMENT


def _combined(player: Player) -> int:
    if isinstance(player.combined, ByStakes):
        return BY_STAKES
    return NEVER_SUSPENDS if isinstance(player.combined, NeverSuspends) else LEAVES_GAME


def _never_goes(player: Player) -> bool:
    if isinstance(player.decision, CoinToss):
        return player.decision.go_1024 == 0
    return isinstance(player.decision, Always) and player.decision.what is AlwaysWhat.HOLD


def lower_tables_players(players: Players) -> Any:
    """Return the players as a record array of `TABLES_PLAYER` records."""
    records = np.zeros(len(players), TABLES_PLAYER).view(np.recarray)
    for record, player in zip(records, players, strict=True):
        record.choice = EVALUATION if isinstance(player.choice, TablesEvaluation) else RANDOM
        if isinstance(player.choice, TablesEvaluation):
            for name in fields_of(TablesEvaluation):
                record[name] = getattr(player.choice, name)
    return records


def refuse_misfit(rules: RuleSet, players: Players) -> None:
    """Refuse players who cannot play what they are to play, or cannot end it.

    Raises
    ------
    ConfigError
        For a player of another game, and for one who never goes in a written match, where only going ends a set.
    """
    problems = [
        f"player {player.name}: {problem}" for player in players if (problem := _misfit(rules, player))
    ]
    if problems:
        raise ConfigError(tuple(dict.fromkeys(problems)))


def _misfit(rules: RuleSet, player: Player) -> str:
    """Say why a player does not fit; empty if he does."""
    if isinstance(rules.game, Tables):
        if isinstance(player.choice, Evaluation):
            return (
                f"he plays trictrac and cannot play {rules.name}, a game of toutes tables; random, tables_linear "
                "and tables_lookahead can"
            )
        return ""
    if isinstance(player.choice, TablesEvaluation) or player.decision is None:
        return (
            f"he plays toutes tables and backgammon and cannot play {rules.name}, which is trictrac; random, "
            "prudent and greedy can"
        )
    if isinstance(rules.match, Written | Combine) and _never_goes(player):
        return (
            f"a decision never to go is not allowed under {rules.name}; only going ends a set (S0 section 3)"
        )
    return ""
