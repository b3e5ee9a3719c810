"""Decisions of trictrac combiné followed and played on: against matches told roll by roll, and plain settling."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.catalogue import player, rule_set
from simkit.decisions import (
    CHOICES,
    GOES,
    HOLD,
    LEAVES_HONOURS,
    LEAVES_WRITTEN,
    Followed,
    bind,
    binders,
    next_hole,
    played_on,
)
from simkit.drivers import Engine, play_chunk
from simkit.errors import UsageError
from simkit.honours import settle_combined
from simkit.rules import Combine, UnfinishedHonours
from simkit.transcript import transcribe

SEED = 11
NO_GAME_OVER = 1
"""A seed with which the first match of two sets ends before any game of honours does."""
COMBINE = rule_set("combine_classical").with_match(sets=4)
MATCH = COMBINE.match
assert isinstance(MATCH, Combine)
PAIR = (player("prudent"),) * 2


@pytest.fixture(scope="module")
def followed() -> Followed:
    return Followed(COMBINE, PAIR, SEED, 20)


def decisions_told(match: int) -> list[tuple[Any, ...]]:
    """Set, who, what he did, both ledgers after his holes, of a match told roll by roll."""
    found = []
    shown = transcribe(COMBINE, PAIR, SEED, match)
    honours, run, rests = [0, 0], [False, False], False
    written = [0, 0]
    for one in shown.sets:
        written, suspended = [0, 0], False
        for roll in one.rolls:
            own = roll.player - 1
            asked = roll.decision
            for gain in roll.gains:
                if gain.marked and gain.holes:
                    who = gain.player - 1
                    for _ in range(0 if rests else gain.holes):
                        if not honours[who]:
                            run[who] = True
                        honours[who] += 1
                        run[1 - who] = False
                        if honours[who] == 12:
                            honours, run = [0, 0], [False, False]
                    written[who] += gain.holes
                if gain.player == roll.player and asked and asked.suspends:
                    if not suspended:
                        did = LEAVES_WRITTEN if asked.suspends == "ecrire" else LEAVES_HONOURS
                        found.append((one.set_no - 1, own, did, tuple(written), tuple(honours), run[own]))
                    suspended, rests = True, asked.suspends == "honours"
                elif gain.player == roll.player and asked and not suspended:
                    did = GOES if asked.went else HOLD
                    found.append((one.set_no - 1, own, did, tuple(written), tuple(honours), run[own]))
            if asked and asked.went:
                suspended = rests = False
            if roll.both is not None and roll.both.suspended is None and not roll.ends:
                written = list(roll.both.written.holes)
    return found


@pytest.mark.parametrize("match", [0, 1])
def test_decisions_are_those_of_the_match_told(followed: Followed, match: int) -> None:
    met = followed.decisions
    at = met.match_id == match
    found = [
        (set_no, who, did, tuple(written), tuple(honours), run)
        for set_no, who, did, written, honours, run in zip(
            met.unit_no[at].tolist(),
            met.who[at].tolist(),
            met.did[at].tolist(),
            met.written[at].tolist(),
            met.honours[at].tolist(),
            met.run[at, 1].tolist(),
            strict=True,
        )
    ]
    told = decisions_told(match)
    assert [one[:3] for one in found] == [one[:3] for one in told]
    for one, two in zip(found, told, strict=True):
        own = two[1]
        assert one[4] == (two[4][own], two[4][1 - own])
        assert one[3] == (two[3][own], two[3][1 - own])
        assert one[5] == two[5]
    assert len(told) > 5


def test_the_basket_is_that_of_the_games_before(followed: Followed) -> None:
    met = followed.decisions
    first = np.flatnonzero(np.diff(np.append(-1, met.match_id)))
    assert (met.basket[first] == 4).all()
    assert met.basket.max() > 4
    games = followed.games
    for place in range(0, len(met), 17):
        before = games["set_no"][games["match_id"] == met.match_id[place]] <= met.unit_no[place]
        if not before.any() and not (met.units.games[place] or met.honours[place].sum() == 0):
            assert met.basket[place] == 4


def test_the_basket_holds_the_stakes_while_no_game_is_over() -> None:
    few = Followed(COMBINE.with_match(sets=2), PAIR, NO_GAME_OVER, 1)
    assert not len(few.games["match_id"])
    assert len(few.decisions)
    assert (few.decisions.basket == 4).all()


def test_what_was_done_played_on_with_its_own_dice_is_the_match(followed: Followed) -> None:
    """A decision bound as it was taken, its match under its own number and seed, comes to the match's result."""
    met = followed.decisions
    whole = play_chunk(COMBINE, PAIR, SEED, 0, 20)
    known = settle_combined(whole.sets, whole.others["honours_games"], MATCH, seed=SEED)
    engine, holding = binders(COMBINE, PAIR, SEED)
    for place in (0, len(met) // 3, len(met) // 2):
        units = met.units[[place]].view(np.recarray)
        units.die_1 = units.die_2 = 0  # thrown again by the dice of the place
        over = bind(engine, holding, units, int(met.did[place]))
        if not over[0]:
            Engine(COMBINE, PAIR, SEED).play(units)
        rows = whole.sets
        at = (rows["match_id"] == met.match_id[place]) & (rows["set_no"] == met.unit_no[place] + 1)
        assert (units.holes[0] == [rows["holes_1"][at][0], rows["holes_2"][at][0]]).all()
        assert units.winner[0] + 1 == rows["winner"][at][0]
    assert known["settled"].all()


def test_results_are_whole_matches_signed_for_who_decides(followed: Followed) -> None:
    met = followed.decisions
    chosen = np.array([3, len(met) - 1])
    found = played_on(followed, chosen, 6)
    again = played_on(followed, chosen, 6, jobs=1)
    assert (found.written == again.written).all()
    assert found.written.shape == found.honours.shape == (2, len(CHOICES), 6)
    some = played_on(followed, chosen, 6, (LEAVES_HONOURS, HOLD))
    assert (some.honours[:, 0] == found.honours[:, LEAVES_HONOURS]).all()
    assert (some.written[:, 1] == found.written[:, HOLD]).all()
    assert np.isfinite(found.written).all()
    assert len(np.unique(found.written)) > 3


def test_going_in_the_last_set_decides_it_at_once(followed: Followed) -> None:
    """Ahead with six holes in the last set going ends the match: nothing varies but the dice of a five."""
    met = followed.decisions
    ahead = (met.unit_no == 3) & (met.written[:, 0] >= 6) & (met.written[:, 0] > met.written[:, 1])
    found = played_on(followed, np.flatnonzero(ahead)[:2], 4)
    for values in (found.written[:, GOES], found.honours[:, GOES]):
        assert (values == values[:, :1]).all()


def test_the_next_hole_comes_to_somebody(followed: Followed) -> None:
    chosen = np.arange(6)
    at_once = next_hole(followed, chosen, 5)
    assert (at_once.came == 5).all()
    assert ((at_once.mine >= 0) & (at_once.mine <= 5)).all()
    later = next_hole(followed, chosen, 5, men=15)
    assert (later.mine <= later.came).all()
    assert (later.came <= 5).all()
    assert later.came.sum() < at_once.came.sum()


def test_games_of_honours_played_on_after_the_last_set_are_refused() -> None:
    rules = COMBINE.with_match(combine_unfinished_honours=UnfinishedHonours.PLAY_ON)
    with pytest.raises(UsageError, match="play_on"):
        played_on(Followed(rules, PAIR, SEED, 2), np.arange(1), 2)
