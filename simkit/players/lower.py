"""Lowering: players become the records that compiled code reads at run time."""

from __future__ import annotations

import math
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
    OWN,
    PLAYER,
    POT_JUDGEMENT,
    RANDOM,
)
from simkit.kernel.tables.records import TABLES_PLAYER
from simkit.players.base import (
    Always,
    AlwaysWhat,
    ByStakes,
    CoinToss,
    Doubling,
    Evaluation,
    LookAhead,
    NeverSuspends,
    OwnPlay,
    Player,
    Players,
    PotJudgement,
    RandomPlay,
    TablesEvaluation,
)
from simkit.rules import Combine, PoolDrain, RuleSet, Tables, Written, fields_of


def lower_players(players: Players) -> Any:
    """Return the players as a record array of `PLAYER` records."""
    records = np.zeros(len(players), PLAYER).view(np.recarray)
    for record, player in zip(records, players, strict=True):
        for part in filter(None, (player.choice, player.decision, player.combined)):
            for name in fields_of(type(part)):
                if name in (PLAYER.names or ()):
                    value = getattr(part, name)
                    record[name] = value is LookAhead.HITS if isinstance(value, LookAhead) else value
        record.choice = _choice(player.choice)
        record.decision = _decision(player)
        record.combined = _combined(player)
    return records


def _choice(choice: RandomPlay | Evaluation | TablesEvaluation | OwnPlay) -> int:
    if isinstance(choice, OwnPlay):
        return OWN
    return RANDOM if isinstance(choice, RandomPlay) else EVALUATION


def _decision(player: Player) -> int:
    if player.decision is None:
        return OWN
    if isinstance(player.decision, CoinToss):
        return COIN_TOSS
    if isinstance(player.decision, Always):
        return ALWAYS_HOLD if player.decision.what is AlwaysWhat.HOLD else ALWAYS_GO
    return POT_JUDGEMENT if isinstance(player.decision, PotJudgement) else JUDGEMENT


def _combined(player: Player) -> int:
    if isinstance(player.combined, ByStakes):
        return BY_STAKES
    return NEVER_SUSPENDS if isinstance(player.combined, NeverSuspends) else LEAVES_GAME


def _never_goes(player: Player) -> bool:
    if isinstance(player.decision, CoinToss):
        return player.decision.go_1024 == 0
    return isinstance(player.decision, Always) and player.decision.what is AlwaysWhat.HOLD


def lower_tables_players(players: Players) -> Any:
    """Return the players as a record array of `TABLES_PLAYER` records: how each plays, then how each opens."""
    choices = [(_tables_choice(player), 0) for player in players]
    for player in players:
        opening = player.opening
        choices.append((opening.choice, opening.rank) if opening else (_tables_choice(player), 0))
    records = np.zeros(len(choices), TABLES_PLAYER).view(np.recarray)
    for record, (choice, rank) in zip(records, choices, strict=True):
        record.choice = _choice(choice)
        record.rank = rank
        if isinstance(choice, TablesEvaluation):
            for name in fields_of(TablesEvaluation):
                record[name] = getattr(choice, name)
    for record, player in zip(records, players, strict=False):  # the openings double nothing
        if isinstance(player.decision, Doubling):
            _lower_doubling(record, player.decision)
    return records


def _tables_choice(player: Player) -> RandomPlay | TablesEvaluation | OwnPlay:
    """How a player of this family chooses; `refuse_misfit` has seen him."""
    assert not isinstance(player.choice, Evaluation)
    return player.choice


CERTAIN = 10**12
"""Log odds beyond those of any position."""


def _lower_doubling(record: Any, doubling: Doubling) -> None:
    record.doubles = 1
    for name in ("offer", "redouble", "play_on", "take"):
        record[f"{name}_odds"] = log_odds_of(getattr(doubling, f"{name}_from"))
    for name in fields_of(Doubling):
        if name in (TABLES_PLAYER.names or ()):
            record[name] = getattr(doubling, name)


def log_odds_of(chances: int) -> int:
    """Ten-thousandths of the logarithm of the odds of so many chances in 1000."""
    if not 0 < chances < 1000:
        return CERTAIN if chances else -CERTAIN
    return round(10_000 * math.log(chances / (1000 - chances)))


def own_words(players: Players) -> str:
    """Say that some players cannot be played in the kernel alone; empty if all can."""
    own = [player.name for player in players if not player.compiled]
    if not own:
        return ""
    return (
        f"player {own[0]} chooses by a function of his author's, between the steps of the kernel; matches of his "
        "are played by simkit.simulate and simkit.LockStep, and not rolled out or told roll by roll"
    )


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
                f"he plays trictrac and cannot play {rules.name}, a game of toutes tables; random, tables_linear, "
                "tables_lookahead, tables_cube and tables_cube_lookahead can"
            )
        if isinstance(player.choice, OwnPlay) and player.opening is not None:
            return (
                "an opening play of his own is for players of the kernel; his function sees which roll it is"
            )
        return ""
    if player.opening is not None:
        return f"an opening play of his own is for toutes tables and backgammon; {rules.name} is trictrac"
    decides = isinstance(player.choice, OwnPlay) or player.decision is not None
    if isinstance(player.choice, TablesEvaluation) or isinstance(player.decision, Doubling) or not decides:
        return (
            f"he plays toutes tables and backgammon and cannot play {rules.name}, which is trictrac; random, "
            "prudent and greedy can"
        )
    if isinstance(player.decision, PotJudgement) and not isinstance(rules.match, PoolDrain):
        return (
            f"he decides by what is left in the pot of a draining pool, and {rules.name} has none; prudent and "
            "greedy can play it"
        )
    if isinstance(rules.match, Written | Combine | PoolDrain) and _never_goes(player):
        return (
            f"a decision never to go is not allowed under {rules.name}; only going ends a set "
            "(Académie, source 000, section 3)"
        )
    return ""
