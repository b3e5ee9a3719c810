"""Who plays: players as values, as rule sets are. A player is how he chooses a play and when he goes."""

from simkit.players.base import (
    Always,
    AlwaysWhat,
    ByStakes,
    CoinToss,
    Doubling,
    Evaluation,
    Judgement,
    LeavesGame,
    LookAhead,
    NeverSuspends,
    Opening,
    Player,
    Players,
    PotJudgement,
    RandomPlay,
    TablesEvaluation,
)
from simkit.players.lower import lower_players, lower_tables_players, refuse_misfit

__all__ = [
    "Always",
    "AlwaysWhat",
    "ByStakes",
    "CoinToss",
    "Doubling",
    "Evaluation",
    "Judgement",
    "LeavesGame",
    "LookAhead",
    "NeverSuspends",
    "Opening",
    "Player",
    "Players",
    "PotJudgement",
    "RandomPlay",
    "TablesEvaluation",
    "lower_players",
    "lower_tables_players",
    "refuse_misfit",
]
