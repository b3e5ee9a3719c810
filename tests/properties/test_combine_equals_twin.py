"""Whole matches of combiné, replayed by the twin with the kernel's own dice, leave the same rows."""

from __future__ import annotations

import random
from typing import Any

import pytest
from reference.combine.basket import PoolRules
from reference.combine.game import CombinedRules, SetEnded
from reference.combine.match import CombinedTable
from reference.options import Options
from reference.written import settle
from test_units_equal_twin import TOSSER

from simkit import play
from simkit.drivers import play_chunk
from simkit.honours import settle_combined
from simkit.kernel.dice import DICE_OF_1, DRAWING, GOING, PLAYS, below, dice_of, philox
from simkit.kernel.records import ENDED_BY
from simkit.rules import (
    BearOffExactPolicy,
    Combine,
    CombineSettlement,
    ContractAfterDraw,
    FirstRollMethod,
    LastSetScored,
    LateRunPrice,
    PoolLastSet,
    PoolUnfinished,
    RuleSet,
    SetFirstDie,
    SuspendWhenBehind,
    TokenTailBasis,
    Trictrac,
    UnfinishedHonours,
    replace,
)

SEED = 1741
RULED = {
    "combine_suspend_when_behind": "suspend_when_behind",
    "combine_last_set_scored": "last_set_scored",
    "combine_unfinished_honours": "unfinished_honours",
}
"""The names of the twin for fields of the match that have others."""
POOLED = {
    "honours_unit_fish": "unit",
    "pool_stake_each": "stake_each",
    "pool_wins_in_row": "wins_in_row",
    "pool_contract_after_draw": "contract_after_draw",
    "pool_last_set": "last_set",
    "pool_unfinished": "unfinished",
}
TARIFF = CombineSettlement(
    mult_petite_held=3,
    mult_grande_held=5,
    late_run_price=LateRunPrice.MISSED_RUN_OF_OPPONENT,
    tokens_per_set=1,
    token_tail_basis=TokenTailBasis.HOLDINGS,
)
"""The tariff of the twin's sets."""


class Place:
    """Where the twin is: tells the words the kernel drew there."""

    def __init__(self, match: int, game: Trictrac) -> None:
        self.match, self.game = match, game
        self.draws = iter(range(100))

    def word(self, table: CombinedTable, purpose: int) -> int:
        index = table.roll_number[table.roller] - 1
        place = (index >> 2, table.unit_no, table.starts, purpose + table.roller, SEED, self.match)
        return int(philox(*place)[index & 3])

    def draw(self) -> tuple[int, int]:
        index = next(self.draws)
        return dice_of(philox(index >> 2, 0, 0, DRAWING, SEED, self.match)[index & 3])

    def throw(self, table: CombinedTable) -> tuple[int, int]:
        return dice_of(self.word(table, DICE_OF_1))

    def choose_play(self, table: CombinedTable, dice: Any, plays: Any) -> Any:
        mine, his = table.men[table.roller], table.men[1 - table.roller]
        position = play.Position(mine, his[::-1], (15 - sum(mine), 15 - sum(his)))
        listed = play.legal_plays(self.game, position, dice)
        return listed[below(len(listed), self.word(table, PLAYS)) if len(listed) > 1 else 0].mover

    def choose(self, table: CombinedTable, options: list[str]) -> str:
        """Toss as the kernel's player does: whether to stay, and which of three deeds to do instead."""
        go = options[1]
        tossed = below(3 * 1024, self.word(table, GOING))
        if tossed // 3 >= (200 if go == "go:concede" else 512):
            return "hold"
        other = {1: "suspend_ecrire", 2: "suspend_honours"}.get(tossed % 3)
        return other if other in options else go


def plain(value: Any) -> Any:
    return getattr(value, "value", value)


def twin_of(rules: RuleSet, match: int) -> CombinedTable:
    """Play one match by the twin."""
    game, combine = rules.game, rules.match
    assert isinstance(game, Trictrac) and isinstance(combine, Combine)
    names = ("sets", "set_min_holes", "target_holes", "continuation", "suspension", *RULED)
    values = {name: getattr(combine, name) for name in names}
    told = {RULED.get(name, name): plain(value) for name, value in values.items()}
    pool = PoolRules(**{POOLED[name]: plain(getattr(combine.settlement, name)) for name in POOLED})
    limit = combine.settlement.honours_double_max_loser_holes
    place = Place(match, game)
    table = CombinedTable(
        CombinedRules(**told, pool=pool, honours_double_max_loser_holes=limit),
        place.throw,
        place.choose_play,
        place.choose,
        place.draw,
        Options(
            bear_off_exact_policy=game.bear_off_exact_policy.value,
            first_roll_method=game.first_roll_method.value,
            opponent_marks_on_go=game.opponent_marks_on_go,
            go_after_sortie_hole=game.go_after_sortie_hole,
        ),
        combine.set_first_die.value,
    )
    assert table.play(40_000)
    return table


def assert_same_columns(columns: Any, rows: list[dict[str, Any]], what: str) -> None:
    for name, column in columns.items():
        if name != "match_id":
            found = [ENDED_BY[code] for code in column] if name == "ended_by" else column.tolist()
            assert found == [row[name] for row in rows], f"{what}: {name}"


def assert_same_match(rules: RuleSet, matches: int) -> None:
    chunk = play_chunk(rules, (TOSSER, TOSSER), SEED, 0, matches)
    tables = [twin_of(rules, match) for match in range(matches)]
    assert_same_columns(chunk.sets, [row for table in tables for row in table.set_rows()], "sets")
    games = chunk.others["honours_games"]
    assert_same_columns(games, [row for table in tables for row in table.game_rows()], "honours_games")
    rolls = [sum(one.rolls + one.rolls_do_overs for one in table.counted) for table in tables]
    assert chunk.matches["rolls"].tolist() == rolls
    for side in range(2):
        left = [table.state.honours.holes[side] for table in tables]
        assert chunk.matches[f"honours_left_{side + 1}"].tolist() == left
    settled = settle_combined(chunk.sets, games, rules.match, seed=SEED)
    for match, table in enumerate(tables):
        found = {name: int(column[match]) for name, column in settled.items()}
        assert_settled(table, found)


def assert_settled(table: CombinedTable, found: dict[str, int]) -> None:
    """The money of a match: sets by the twin of the written game, fish by what it has seen paid."""
    state, basket = table.state, table.state.basket
    sets = [
        (one.winner, one.value["value"])
        for one in state.ended
        if isinstance(one, SetEnded) and one.winner is not None
    ]
    money = settle(sets, state.rules.tariff)
    assert found["set_points"] == money["set_points_diff"]
    assert found["written"] == money["exact"]
    basket.end()
    assert found["honours"] == state.fish[0] == -state.fish[1]
    assert found["pool"] == basket.won[0] - basket.paid[0] == basket.paid[1] - basket.won[1]
    assert found["exact"] == money["exact"] + 10 * (found["honours"] + found["pool"])


def combined(game: dict[str, Any] | None = None, **changes: Any) -> RuleSet:
    return RuleSet(
        name="some",
        title="Some.",
        sources=(),
        game=Trictrac(**(game or {})),
        match=Combine(**({"sets": 6, "settlement": TARIFF} | changes)),
    )


def test_matches() -> None:
    assert_same_match(combined(sets=4), 5)


def random_rules(rng: random.Random) -> RuleSet:
    """A match with its fields drawn at random."""
    return combined(
        {
            "first_roll_method": rng.choice(list(FirstRollMethod)),
            "bear_off_exact_policy": rng.choice((BearOffExactPolicy.OPTIONAL, BearOffExactPolicy.MANDATORY)),
            "opponent_marks_on_go": rng.random() < 0.2,
            "go_after_sortie_hole": rng.random() < 0.8,
        },
        sets=rng.choice((2, 4, 6)),
        set_min_holes=rng.choice((6, 6, 4, 8)),
        target_holes=rng.choice((12, 12, 6, 3)),
        continuation=rng.random() < 0.8,
        suspension=rng.random() < 0.9,
        set_first_die=rng.choice((SetFirstDie.ALTERNATE, SetFirstDie.WINNER_PREV)),
        combine_suspend_when_behind=rng.choice(list(SuspendWhenBehind)),
        combine_last_set_scored=rng.choice(list(LastSetScored)),
        combine_unfinished_honours=rng.choice(list(UnfinishedHonours)),
        settlement=replace(
            TARIFF,
            honours_double_max_loser_holes=rng.choice((6, 6, 5)),
            honours_unit_fish=rng.choice((1, 1, 2)),
            pool_stake_each=rng.choice((2, 2, 0, 3)),
            pool_wins_in_row=rng.choice((2, 2, 1, 3)),
            pool_contract_after_draw=rng.choice(list(ContractAfterDraw)),
            pool_last_set=rng.choice(list(PoolLastSet)),
            pool_unfinished=rng.choice(list(PoolUnfinished)),
        ),
    )


@pytest.mark.parametrize("seed", range(6))
def test_matches_under_random_fields(seed: int) -> None:
    assert_same_match(random_rules(random.Random(seed)), 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_matches_under_random_fields(seed: int) -> None:
    assert_same_match(random_rules(random.Random(seed)), 10)
