"""Players who take the opening play of a game otherwise than the rest: what is chosen, and that it is all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit import tables
from simkit.analysis.starts import single_games
from simkit.catalogue import player, rule_set
from simkit.drivers import TablesEngine, play_chunk
from simkit.drivers.points import _at_new_start, _drawn_first
from simkit.errors import ConfigError
from simkit.kernel.tables.choice import value_plays
from simkit.kernel.tables.plays import MAX_PLAYS
from simkit.kernel.tables.records import TABLES_PLAYER
from simkit.players import Opening, Player, RandomPlay, lower_tables_players, refuse_misfit
from simkit.position import pack
from simkit.rules import replace

RULES = single_games(rule_set("toutes_tables_225"))
RANDOM, LINEAR, LOOKAHEAD = (player(name) for name in ("random", "tables_linear", "tables_lookahead"))
SEED, COUNT = 23, 400


def opening_by(one: Player, choice: Any, rank: int = 0) -> Player:
    return replace(one, opening=Opening(choice=choice, rank=rank))


def opened(one: Player, rolls: int = 1) -> Any:
    """Games after so many rolls, both players alike."""
    engine = TablesEngine(RULES, (one, one), SEED)
    ids = np.arange(COUNT, dtype=np.int64)
    games = _drawn_first(RULES.game, _at_new_start(RULES.game, engine.key, ids, 0), engine.key, 0)
    engine.play(games, most_rolls=rolls)
    return games


def boards(games: Any) -> list[tuple[int, ...]]:
    return [(*map(int, game["low"]), *map(int, game["high"])) for game in games]


@pytest.mark.parametrize("other", [RANDOM, LOOKAHEAD])
def test_the_opening_play_is_the_other_players(other: Player) -> None:
    assert boards(opened(opening_by(LINEAR, other.choice))) == boards(opened(other))


def test_nothing_but_the_opening_play_is_changed() -> None:
    """From where the other's opening leads the games go on as between players who open so by themselves."""
    one = opened(opening_by(LINEAR, RANDOM.choice))
    TablesEngine(RULES, (LINEAR, LINEAR), SEED).play(one)
    whole = play_chunk(RULES, (opening_by(LINEAR, RANDOM.choice),) * 2, SEED, 0, COUNT).sets
    assert np.array_equal(whole["rolls"], one.rolls)
    assert np.array_equal(whole["winner"], one.winner + 1)


def test_who_opens_by_his_own_choice_plays_the_same() -> None:
    own, said = (
        play_chunk(RULES, (one, one), SEED, 0, COUNT).sets
        for one in (LINEAR, opening_by(LINEAR, LINEAR.choice))
    )
    assert all(np.array_equal(column, said[name]) for name, column in own.items())


def test_each_opens_in_his_own_way() -> None:
    mixed = play_chunk(RULES, (opening_by(LINEAR, RANDOM.choice), LINEAR), SEED, 0, COUNT).sets
    own = play_chunk(RULES, (LINEAR, LINEAR), SEED, 0, COUNT).sets
    second = own["first_player"] == 2
    for name, column in own.items():
        assert np.array_equal(column[second], mixed[name][second]), name
    assert not np.array_equal(own["rolls"][~second], mixed["rolls"][~second])


def worths(start: Any, dice: tuple[int, int]) -> dict[Any, int]:
    """What the evaluation gives for every position that a roll leads to."""
    position = tables.start(*start)
    listed = tables.legal_plays(RULES.game, position, dice)
    weights = np.zeros(1, TABLES_PLAYER).view(np.recarray)
    weights[:] = lower_tables_players((LINEAR, LINEAR))[:1]
    found = {}
    for after in listed:
        plays = np.zeros((3, MAX_PLAYS), np.int64)
        plays[:2, 0] = pack(after.mover)  # no man stands alone at a start, so that nobody is hit
        words = pack((*reversed(position.other), 0))
        _, worth = value_plays.py_func(weights[0], *words, plays, 1, np.zeros(MAX_PLAYS, np.int64))
        found[pack(after.mover)] = int(worth)
    return found


def test_plays_are_passed_over_in_the_order_of_their_worth() -> None:
    ranked = [opened(opening_by(LINEAR, LINEAR.choice, rank)) for rank in (0, 1, 2, 50)]
    for game in range(30):
        who = int(ranked[0].first_player[game])
        dice = int(ranked[0].opening_1[game]), int(ranked[0].opening_2[game])
        worth = worths(ranked[0].start[game].tolist(), dice)
        order = sorted(worth.values(), reverse=True)
        for rank, games in zip((0, 1, 2, 50), ranked, strict=True):
            place = min(rank, len(order) - 1)
            reached = int(games.low[game][who]), int(games.high[game][who])
            assert worth[reached] == order[place]


def test_openings_that_cannot_be() -> None:
    for choice in (RandomPlay(), LOOKAHEAD.choice):
        with pytest.raises(ConfigError, match=r"opening\.rank: 1 is not allowed|rank: 1 is not allowed"):
            Opening(choice=choice, rank=1)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="an opening play of his own is for toutes tables"):
        refuse_misfit(rule_set("classical"), (opening_by(RANDOM, RandomPlay()),) * 2)


def test_digests_and_words() -> None:
    assert LINEAR.digest == replace(LINEAR, opening=None).digest
    second = opening_by(LINEAR, LINEAR.choice, 1)
    assert len({one.digest for one in (LINEAR, second, opening_by(LINEAR, RandomPlay()))}) == 3
    assert "Takes the opening play of a game: Takes the play whose position is worth most" in "\n".join(
        second.words()
    )
    assert second.words()[-1] == "  plays worth more that are passed over: 1"
