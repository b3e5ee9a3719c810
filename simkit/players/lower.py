"""Lowering: players become the records that compiled code reads at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.errors import ConfigError
from simkit.kernel.records import (
    ALWAYS_GO,
    ALWAYS_HOLD,
    COIN_TOSS,
    EVALUATION,
    JUDGEMENT,
    PLAYER,
    RANDOM,
)
from simkit.players.base import Always, AlwaysWhat, CoinToss, Evaluation, LookAhead, Player
from simkit.rules import RuleSet, Written, fields_of


def lower_players(players: tuple[Player, Player]) -> Any:
    """Return both players as a record array of two `PLAYER` records."""
    records = np.zeros(2, PLAYER).view(np.recarray)
    for record, player in zip(records, players, strict=True):
        for part in (player.choice, player.decision):
            for name in fields_of(type(part)):
                if name in (PLAYER.names or ()):
                    value = getattr(part, name)
                    record[name] = value is LookAhead.HITS if isinstance(value, LookAhead) else value
        record.choice = EVALUATION if isinstance(player.choice, Evaluation) else RANDOM
        record.decision = _decision(player)
    return records


def _decision(player: Player) -> int:
    if isinstance(player.decision, CoinToss):
        return COIN_TOSS
    if isinstance(player.decision, Always):
        return ALWAYS_HOLD if player.decision.what is AlwaysWhat.HOLD else ALWAYS_GO
    return JUDGEMENT


def _never_goes(player: Player) -> bool:
    if isinstance(player.decision, CoinToss):
        return player.decision.go_1024 == 0
    return isinstance(player.decision, Always) and player.decision.what is AlwaysWhat.HOLD


def refuse_misfit(rules: RuleSet, players: tuple[Player, Player]) -> None:
    """Refuse players who cannot end what they are to play.

    Raises
    ------
    ConfigError
        For a player who never goes in a written match, where only going ends a set.
    """
    if not isinstance(rules.match, Written):
        return
    problems = [
        f"player {player.name}: a decision never to go is not allowed under {rules.name}; only going ends a set"
        " (S0 section 3)"
        for player in players
        if _never_goes(player)
    ]
    if problems:
        raise ConfigError(tuple(problems))
