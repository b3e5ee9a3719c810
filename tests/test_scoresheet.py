"""Three accounts of one match: points, losses on paper, jetons and fish; all end where the settlement does."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hyp_settings
from hypothesis import strategies as st
from rows import random_rows, rows_of_matches
from test_settle import JETONS, JL_236, VIENNA_57, score_sheet, settlements

from simkit import catalogue
from simkit.errors import UsageError
from simkit.rules import RuleSet, Settlement, TokenTailBasis, replace
from simkit.scoresheet import Payment, Scoresheet, Standing, Table, fish_flow, scoresheet, table_after
from simkit.settle import settle


def rules_for(sets: int, settlement: Settlement | None = None, name: str = "ecrire_academie") -> RuleSet:
    found = catalogue.rule_set(name)
    match = replace(found.match, sets=sets)
    return replace(found, match=match if settlement is None else replace(match, settlement=settlement))


def sheet_of(sets: list[tuple[int, int]], name: str, **changes: Any) -> Scoresheet:
    rules = rules_for(len(sets), name=name)
    return scoresheet(rows_of_matches([sets]), rules.with_settlement(**changes) if changes else rules)


# ---------------------------------------------------------------- jetons and fish


def test_a_loser_of_34_with_a_stake_of_20_draws_two_fish_and_keeps_six_jetons() -> None:
    table, payment = Table((20, 20)).paid(1, 34, 10)
    assert payment == Payment(payer=1, amount=34, jetons=14, returned=0, drawn=2)
    assert table == Table((6, 34), (0, 2))
    assert (table.worth(1, 10), table.worth(2, 10)) == (-14, 54)


def test_fish_won_go_back_first() -> None:
    """Source 001: owing four and holding one, a player returns one and draws three."""
    assert fish_flow(1, 4) == (1, 3)
    table, payment = Table((20, 20), (1, 0)).paid(1, 40, 10)
    assert (payment.returned, payment.drawn, payment.jetons) == (1, 1, 20)
    table, payment = Table((0, 40), (1, 0)).paid(1, 40, 10)
    assert (payment.returned, payment.drawn, payment.jetons) == (1, 3, 0)
    assert table.fish == (0, 3)
    with pytest.raises(UsageError, match="neither is below zero"):
        fish_flow(-1, 0)


def test_change_is_given_for_a_fish_and_markers_are_kept_back() -> None:
    table, payment = Table((3, 30)).paid(1, 3, 10, kept=2)
    assert (payment.drawn, payment.jetons) == (1, -7)
    assert table == Table((10, 23), (0, 1))
    with pytest.raises(UsageError, match="too few to pay 3 with fish of 10 and lay out 2"):
        Table((3, 6)).paid(1, 3, 10, kept=2)


@given(
    jetons=st.tuples(st.integers(0, 40), st.integers(9, 40)),
    fish=st.sampled_from([(0, 0), (3, 0), (0, 5)]),
    payer=st.sampled_from((1, 2)),
    amount=st.integers(0, 300),
)
def test_a_payment_moves_its_amount_and_no_jeton_is_lost(
    jetons: tuple[int, int], fish: tuple[int, int], payer: int, amount: int
) -> None:
    before = Table(jetons, fish)
    after, payment = before.paid(payer, amount, 10)  # nine jetons are always enough to pay exactly
    assert sum(after.jetons) == sum(jetons)
    assert min(after.jetons) >= 0
    assert min(after.fish) == 0
    assert before.worth(payer, 10) - after.worth(payer, 10) == amount
    assert not (payment.drawn and after.fish[payer - 1])


def test_source_001_equality_of_fourteen_jetons() -> None:
    """Twelve sets, nothing won on the whole: six markers each are out, and 14 left (or 24, and 4 with a fish)."""
    even = [(2, 5), (2, 5), (1, 5), (1, 5)] * 3
    sheet = sheet_of(even, "ecrire_classical")
    assert sheet.jetons is not None
    assert (sheet.jetons.in_hand, sheet.jetons.takes_markers, sheet.jetons.exact) == ((14, 14), 0, 0)
    assert Table((4, 24), (1, 0)).worth(1, 10) == Table((4, 24), (1, 0)).worth(2, 10) == 14
    assert sheet.jetons.lines[-1].after == Table((20, 20))
    assert "in hand 14 to 14: they are shared" in sheet.text()
    assert "Nobody has won." in sheet.text()


# ---------------------------------------------------------------- whole sheets


def test_the_sheet_of_source_000() -> None:
    """Its text: B is five points ahead before the payment of the sets, and A wins."""
    sheet = scoresheet(score_sheet(), rules_for(6), players=("A", "B"))
    assert sheet.points.set_points == (61, 62)
    assert sheet.points.token_tail == (0, 4)
    assert sheet.points.paris == (16, 8)
    assert sheet.points.tail_of_sets == (20, 0)
    assert sheet.points.totals == (97, 74)
    assert sheet.losses.totals == (66, 89)
    assert [line.do_overs for line in sheet.points.lines] == [0, 0, 1, 0, 2, 0]
    assert sheet.jetons is not None
    assert (sheet.jetons.takes_markers, sheet.jetons.exact) == (2, 23)
    text = sheet.text()
    assert "   5     10-2  petite bredouille, 2 do-overs        30              61      56" in text
    assert "      Player 1 wins 23, rounded 20." in text
    assert "Player 2 has lost 23: 2 fish and 3 jetons; rounded 20." in text
    assert max(map(len, text.splitlines())) <= 79


def test_the_paper_of_the_vienna_rules() -> None:
    """Article 57: 46 against 218 lost, eight jetons for eight sets lost, 36 for the paris: 216, 22 fish."""
    sheet = sheet_of(VIENNA_57, "ecrire_classical")
    assert (sheet.losses.sums, sheet.losses.markers, sheet.losses.paris) == ((46, 218), (0, 8), (0, 36))
    assert (sheet.losses.loss, sheet.losses.rounded, sheet.losses.differs) == (216, 220, False)


def test_paper_knows_no_jetons_in_hand_and_says_so() -> None:
    """One jeton up, but with eight markers out against four: in jetons the other takes the tail of tokens."""
    sheet = sheet_of(JETONS, "ecrire_classical")
    assert sheet.settled["exact"] == -43
    assert (sheet.losses.loss, sheet.losses.differs) == (-31, True)
    assert sheet.jetons is not None
    assert (sheet.jetons.exact, sheet.jetons.takes_markers) == (-43, 2)
    assert "it ends at 43 for player 2. Paper knows the points only." in " ".join(sheet.text().split())
    assert not sheet_of(JETONS, "ecrire_classical", token_tail_basis=TokenTailBasis.SET_POINTS).losses.differs


def test_a_general_tail_and_a_five_by_dice_are_told() -> None:
    tail = sheet_of(JL_236, "ecrire_lepeintre").text()
    words = "Player 2 wins 1, rounded 0. The general tail of 20 goes to player 2; in all player 2 gets 20."
    assert words in " ".join(tail.split())
    five = [(1, 5)] * 4 + [(2, 3)] * 3 + [(2, 6)]  # D = 5, the markers of four sets, no paris
    sheet = sheet_of(five, "ecrire_classical", tokens_per_set=0)
    assert sheet.settled["exact"] == 5
    die = sheet.settled["higher_die"]
    assert sheet.settled["rounded"] == (10 if die == 1 else 0)
    assert f"(player {die} threw the higher die)" in sheet.text()


def test_a_concession_is_told() -> None:
    rows = score_sheet() | {"ended_by": np.array([0, 0, 0, 0, 0, 1], np.int8)}
    assert "   6      4-8  simple, conceded " in scoresheet(rows, rules_for(6)).text()


def test_json_holds_the_three_sheets() -> None:
    plain = json.loads(json.dumps(scoresheet(score_sheet(), rules_for(6)).to_plain()))
    assert plain["schema"] == "simkit.scoresheet/1"
    assert plain["points"]["totals"] == [97, 74]
    assert plain["losses"]["loss"] == plain["jetons"]["exact"] == plain["settlement"]["exact"] == 23


# ---------------------------------------------------------------- what always holds


@hyp_settings(deadline=None, max_examples=150)
@given(
    by=settlements,
    seed=st.integers(0, 2**32),
    sets=st.sampled_from((2, 6, 8, 12, 24)),
    unit=st.sampled_from((5, 10, 12)),
    stake=st.sampled_from((20, 50)),
)
def test_all_three_end_where_the_settlement_does(
    by: Settlement, seed: int, sets: int, unit: int, stake: int
) -> None:
    by = replace(by, fish_unit=unit, stake=stake)
    rows = random_rows(1, sets, seed)
    sheet = scoresheet(rows, rules_for(sets, by), seed=seed)
    settled = {name: int(column[0]) for name, column in settle(rows, by, n_sets=sets, seed=seed).items()}
    assert {name: sheet.settled[name] for name in settled if name not in ("match_id", "settled")} == {
        name: value for name, value in settled.items() if name not in ("match_id", "settled")
    }
    assert sheet.points.totals[0] - sheet.points.totals[1] == settled["exact"]
    on_points = settle(rows, replace(by, token_tail_basis=TokenTailBasis.SET_POINTS), n_sets=sets, seed=seed)
    assert sheet.losses.loss == on_points["exact"][0]
    assert sheet.losses.rounded == on_points["rounded"][0]
    assert sheet.losses.differs == (sheet.losses.loss != settled["exact"])
    if by.token_tail_basis is TokenTailBasis.SET_POINTS:
        assert not sheet.losses.differs
    if sheet.jetons is None:
        assert 2 * stake < unit - 1 + by.tokens_per_set * sets
        assert "there would be enough" in sheet.too_few
    else:
        assert sheet.jetons.exact == settled["exact"]
        jetons = {sum(line.after.jetons) + sum(line.after.markers) for line in sheet.jetons.lines}
        assert jetons == {2 * stake}
    assert max(map(len, sheet.text().splitlines())) <= 79


@hyp_settings(deadline=None)
@given(by=settlements, seed=st.integers(0, 2**32), before=st.integers(1, 7), told=st.booleans())
def test_sets_brought_forward_change_no_result(by: Settlement, seed: int, before: int, told: bool) -> None:
    by = replace(by, stake=40)
    rows = random_rows(1, 8, seed)
    whole = scoresheet(rows, rules_for(8, by), seed=seed)
    won = [line.winner for line in whole.points.lines[:before]]
    points = [line.points for line in whole.points.lines[:before]]
    standing = Standing(
        sets_won=(won.count(1), won.count(2)),
        set_points=whole.points.lines[before - 1].sums,
        table=table_after(won, points, by) if told else None,
    )
    rest = {name: column[before:] for name, column in rows.items()}
    sheet = scoresheet(rest, rules_for(8, by), seed=seed, brought=standing)
    assert sheet.settled == whole.settled
    assert sheet.losses.loss == whole.losses.loss
    assert sheet.jetons is not None
    assert whole.jetons is not None
    assert sheet.jetons.exact == whole.jetons.exact
    if told:
        assert sheet.jetons.lines[1:] == (sheet.jetons.lines[1], *whole.jetons.lines[before + 1 :])
    assert f"sets 1 to {before}" in sheet.text()


# ---------------------------------------------------------------- what is refused


def test_a_partie_has_no_scoresheet() -> None:
    with pytest.raises(UsageError, match="twelve_hole is played in parties for stakes"):
        scoresheet(score_sheet(), catalogue.rule_set("twelve_hole"))


def test_a_capped_match_says_which_set_was_stopped() -> None:
    rows = score_sheet()
    rows["winner"][3] = 0
    with pytest.raises(UsageError, match="match 0 of ecrire_academie: set 4 was stopped without a winner"):
        scoresheet(rows, rules_for(6))


def test_all_sets_are_needed() -> None:
    with pytest.raises(UsageError, match=r"of sets 1 to 8; given are 1, 2, 3, 4, 5, 6$"):
        scoresheet(score_sheet(), rules_for(8))
    with pytest.raises(UsageError, match=r"of sets 3 to 6; given are 1, 2"):
        scoresheet(score_sheet(), rules_for(6), brought=Standing((1, 1), (5, 5)))


def test_too_few_jetons_leave_the_other_sheets() -> None:
    sheet = scoresheet(random_rows(1, 24, 5), rules_for(24))
    assert sheet.jetons is None
    assert "With 29 jetons each (settlement.stake) there would be enough" in sheet.too_few
    assert "Not kept: set " in sheet.text()
    assert sheet.to_plain()["jetons"] is None
    enough = scoresheet(random_rows(1, 24, 5), rules_for(24, Settlement(stake=29)))
    assert enough.jetons is not None
