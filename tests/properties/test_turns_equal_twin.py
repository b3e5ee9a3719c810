"""Three to five players: turns and money are those of the plain twin, and money always adds up to nothing."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import turns as twin
from rows import random_rows

from simkit.drivers.seating import Seating, first_leaver, seats_of, staying_side
from simkit.rules import (
    SEATS,
    GeneralTailBasis,
    LateRunPrice,
    Progression,
    RefaitGrowth,
    RotationFirstSetLeaver,
    RoundFive,
    SetFirstDie,
    Settlement,
    TableMode,
    TokenTailBasis,
    TokenTailTie,
    TournerParisRule,
    Written,
    to_plain,
)
from simkit.settle_turns import settle_by_turns

MODES = [mode for mode in TableMode if mode is not TableMode.TWO]
LENGTHS = {
    TableMode.CHOUETTE: (2, 8, 14),
    TableMode.TWO_V_TWO: (2, 6, 8, 12),
    TableMode.TOURNER: (3, 9, 12, 15, 24),
    TableMode.FIVE: (6, 12),
}

tariffs = st.builds(
    Settlement,
    consolation=st.integers(0, 40),
    refait_growth=st.sampled_from(RefaitGrowth),
    mult_petite=st.integers(1, 20),
    mult_petite_held=st.integers(1, 20),
    mult_grande=st.integers(1, 20),
    mult_grande_held=st.integers(1, 20),
    progression=st.sampled_from(Progression),
    late_run_price=st.sampled_from(LateRunPrice),
    paris_per_set=st.integers(0, 60),
    tail_of_sets=st.integers(0, 101),
    tokens_per_set=st.integers(0, 2),
    token_tail_basis=st.sampled_from(TokenTailBasis),
    token_tail_tie=st.sampled_from(TokenTailTie),
    round_unit=st.one_of(st.none(), st.integers(1, 40)),
    round_five=st.sampled_from(RoundFive),
    general_tail=st.integers(0, 77),
    general_tail_basis=st.sampled_from(GeneralTailBasis),
    tourner_paris_rule=st.sampled_from(TournerParisRule),
    tourner_idle_consolation=st.booleans(),
)


def match_of(
    mode: TableMode,
    sets: int,
    tariff: Settlement | None = None,
    leaver: RotationFirstSetLeaver = RotationFirstSetLeaver.WINNER,
) -> Written:
    """A match by one mode of the table."""
    return Written(
        sets=sets,
        table_mode=mode,
        players=sum(SEATS[mode]),
        set_first_die=SetFirstDie.ALTERNATE if mode is TableMode.CHOUETTE else SetFirstDie.STAYS,
        rotation_first_set_leaver=leaver,
        settlement=tariff or Settlement(),
    )


def turns_by_twin(match: Written, order: list[int], winner: int) -> list[tuple[int, int]]:
    """The pairs of a match by the twin, who stays first; `order` as in `Seating`, `winner` of set 1 by side."""
    if match.table_mode is TableMode.TOURNER:
        waiting = [str(order[2])]
        first, benches = (str(order[0]), str(order[1])), (waiting, waiting)
    else:
        size = SEATS[match.table_mode][0]
        first = (str(order[0]), str(order[size]))
        benches = ([str(one) for one in order[1:size]], [str(one) for one in order[size + 1 :]])
    leaves: str | None = {
        TableMode.CHOUETTE: None,
        TableMode.FIVE: first[0],
    }.get(
        match.table_mode,
        first[winner if match.rotation_first_set_leaver is RotationFirstSetLeaver.WINNER else 1 - winner],
    )
    return [(int(a), int(b)) for a, b in twin.rotation(first, benches, leaves, match.sets)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("leaver", RotationFirstSetLeaver)
def test_who_plays_which_set(mode: TableMode, leaver: RotationFirstSetLeaver) -> None:
    for sets in LENGTHS[mode]:
        match = match_of(mode, sets, leaver=leaver)
        match_ids = np.arange(60)
        seating = Seating.drawn(match, 7, match_ids)
        for row in (0, 7, 21, 59):
            order = seating.order[row].tolist()
            for winner in (0, 1):
                left = first_leaver(match, np.array([winner]))
                pairs = turns_by_twin(match, order, winner)
                for place, (stays, comes) in enumerate(pairs):
                    one, two = seats_of(match, np.array([order]), left, place)[0]
                    assert {one, two} == {stays, comes}
                    if place and mode is not TableMode.CHOUETTE:
                        assert stays == (one, two)[int(staying_side(left, place)[0])]


def rows_by_turns(
    match: Written, matches: int, seed: int
) -> tuple[dict[str, Any], list[list[dict[str, Any]]]]:
    """Plausible rows of matches nobody played, seated by the twin; and the same sets as the twin takes them."""
    rows = random_rows(matches, match.sets, seed)
    dice = random.Random(seed)
    seats = np.zeros((matches * match.sets, 3), np.int8)
    told: list[list[dict[str, Any]]] = []
    for number in range(matches):
        sides = (
            [list(range(match.players))]
            if match.table_mode is TableMode.TOURNER
            else [
                list(range(SEATS[match.table_mode][0])),
                list(range(SEATS[match.table_mode][0], match.players)),
            ]
        )
        order = [player for side in sides for player in dice.sample(side, len(side))]
        start = number * match.sets
        told.append([])
        for place, pair in enumerate(turns_by_twin(match, order, int(rows["winner"][start]) - 1)):
            k = start + place
            # À tourner a row may name the two in either order, as money does not hang on the side.
            one, two = pair if match.table_mode is TableMode.TOURNER else sorted(pair)
            idle = 3 - one - two if match.players == 3 else -1
            seats[k] = one + 1, two + 1, idle + 1
            told[-1].append(as_told(rows, k, (one, two), idle))
    rows["player_1_seat"], rows["player_2_seat"], rows["idle_seat"] = seats.T
    rows["first_scorer"] = rows["winner"].copy()
    return rows, told


def as_told(rows: dict[str, Any], k: int, pair: tuple[int, int], idle: int) -> dict[str, Any]:
    """A row of `sets` in the words of the twin; `held` is left to who knows the tariff."""
    winner = int(rows["winner"][k])
    loser = 3 - winner
    return {
        "pair": [str(one) for one in pair],
        "first": str(pair[int(rows["first_player"][k]) - 1]),
        "winner": str(pair[winner - 1]),
        "loser": str(pair[loser - 1]),
        "idle": str(idle),
        "winner_holes": int(rows[f"holes_{winner}"][k]),
        "loser_holes": int(rows[f"holes_{loser}"][k]),
        "refaits": int(rows["do_overs"][k]),
        "run_intact": bool(rows[f"run_intact_{winner}"][k]),
        "own": not rows[f"picked_up_{winner}"][k],
        "missed": not rows[f"picked_up_{loser if rows[f'reached_six_{loser}'][k] else winner}"][k],
    }


def held(one: dict[str, Any], tariff: Settlement) -> dict[str, Any]:
    """The set with whether its run counts as held."""
    return one | {
        "held": one["missed" if tariff.late_run_price is LateRunPrice.MISSED_RUN_OF_OPPONENT else "own"]
    }


@settings(max_examples=60, deadline=None)
@given(tariffs, st.sampled_from(LENGTHS[TableMode.TOURNER]), st.integers(0, 2**32 - 1))
def test_tourner_is_settled_as_the_twin_settles_it(tariff: Settlement, sets: int, seed: int) -> None:
    match = match_of(TableMode.TOURNER, sets, tariff)
    rows, told = rows_by_turns(match, 6, seed)
    found = settle_by_turns(rows, match)
    plain = to_plain(tariff)
    needs_dice = tariff.round_five is RoundFive.DIE
    for number, one in enumerate(told):
        wanted = twin.settle_tourner(
            [held(each, tariff) for each in one], "012", plain | {"round_five": "up"} if needs_dice else plain
        )
        for name in ("set_points", "token_tail", "paris", "exact"):
            assert {str(p): int(found[f"{name}_{p + 1}"][number]) for p in range(3)} == wanted[name], name
        if not needs_dice:
            for name in ("rounded", "general_tail", "money"):
                assert {str(p): int(found[f"{name}_{p + 1}"][number]) for p in range(3)} == wanted[name], name


@settings(max_examples=60, deadline=None)
@given(tariffs, st.sampled_from(MODES), st.data(), st.integers(0, 2**32 - 1))
def test_money_adds_up_to_nothing(
    tariff: Settlement, mode: TableMode, data: st.DataObject, seed: int
) -> None:
    match = match_of(mode, data.draw(st.sampled_from(LENGTHS[mode])), tariff)
    rows, _ = rows_by_turns(match, 8, seed)
    cut = data.draw(st.sampled_from((0, 1)))
    if cut:  # a match whose last set was capped is not settled
        rows["winner"][match.sets - 1] = 0
    found = settle_by_turns(rows, match, seed=seed)
    money = np.stack([found[f"money_{player + 1}"] for player in range(match.players)])
    assert (money.sum(axis=0) == 0).all()
    assert money.dtype == np.int64
    assert found["settled"].tolist() == [not cut, *[True] * 7]
    assert not (money[:, 0].any() and cut)


@settings(max_examples=40, deadline=None)
@given(
    tariffs,
    st.sampled_from([mode for mode in MODES if mode is not TableMode.TOURNER]),
    st.integers(0, 2**32 - 1),
)
def test_partners_share_what_their_side_has(tariff: Settlement, mode: TableMode, seed: int) -> None:
    match = match_of(mode, LENGTHS[mode][-1], tariff)
    rows, told = rows_by_turns(match, 6, seed)
    found = settle_by_turns(rows, match, seed=seed)
    size = SEATS[mode][0]
    players = [str(one) for one in range(match.players)]
    for number, one in enumerate(told):
        order = twin.came_first(one, players)
        wanted = twin.shares(int(found["money"][number]), (players[:size], players[size:]), order)
        assert {p: int(found[f"money_{int(p) + 1}"][number]) for p in players} == wanted
