"""What the tail of tokens does, checked against worked matches and against the numbers of the tail of sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rows import random_rows, rows_of_matches

from simkit import catalogue
from simkit.analysis.tails import leader_overturned, tail_sums, token_tail, token_tail_relief
from simkit.analysis.tokens import NUMBERS, TailOfTokens, match_numbers
from simkit.errors import ConfigError
from simkit.rules import Settlement, TokenTailBasis
from simkit.settle import settle

HOLDINGS, SET_POINTS = TokenTailBasis.HOLDINGS, TokenTailBasis.SET_POINTS
JL = Settlement(token_tail_basis=HOLDINGS)
JL_234 = [(2, v) for v in (3, 5, 6, 4, 7, 4, 3)] + [(1, v) for v in (27, 15, 38)]
JL_235 = [(2, 19), (2, 69), (1, 51), (1, 14), (1, 5), (1, 7)]
JL_236 = [(2, 19), (2, 69), (2, 15), (1, 51), (1, 14), (1, 5), (1, 7), (1, 3)]


def numbers(sets: list[tuple[int, int]], tokens: int, basis: TokenTailBasis = HOLDINGS) -> dict[str, Any]:
    """The numbers of one match; None for those of a sets winner where there is none."""
    found = settle(rows_of_matches([sets]), JL, n_sets=len(sets))
    won = (found["sets_won_1"].astype(np.int64), found["sets_won_2"].astype(np.int64))
    values = match_numbers(found["set_points"], *won, JL, (tokens, basis))
    assert set(values) == set(NUMBERS)
    return {name: int(value[0]) if value.size else None for name, value in values.items()}


def test_jl_235_the_tokens_take_a_fish_away() -> None:
    """17 without tokens makes two fish; with one, 15 makes two by the five; with two, 13 makes one."""
    one, two = numbers(JL_235, 1), numbers(JL_235, 2)
    assert (one["result_same"], two["result_smaller"]) == (1, 1)
    assert (one["result_change"], two["result_change"]) == (0, -10)
    assert two["tails_opposed"] == 1
    assert two["token_tail_against_sets"] == 4, "the other has two sets, and leads on points"


def test_jl_236_the_tokens_change_the_winner() -> None:
    """5, 2 and -1 with no token, one, two."""
    assert [numbers(JL_236, tokens)["winner_differs"] for tokens in (1, 2)] == [0, 1]
    assert numbers(JL_236, 1)["result_smaller"] == 1, "5 makes a fish, 2 makes none"
    assert numbers(JL_236, 2)["sets_winner_wins_change"] == -1


def test_jl_234_the_tokens_add_a_fish() -> None:
    """12 without tokens is a fish, 18 with two makes two; the leader has fewer sets, but more jetons."""
    found = numbers(JL_234, 2)
    assert (found["result_larger"], found["result_change"], found["winner_differs"]) == (1, 10, 0)
    assert (found["tails_opposed"], found["tokens_with_sets"]) == (1, 0)


def test_the_sets_paid_first_carry_the_tokens_with_them() -> None:
    """J.L. 236: 19 behind on points, but 28 for the sets would put the winner of five sets ahead."""
    found = numbers(JL_236, 2)
    assert found["tokens_with_sets"] == 0
    assert found["tokens_with_sets_paid_first"] == found["paid_first_changes_owner"] == 1
    assert found["paid_first_changes_winner"] == 1


def test_the_two_readings_differ_where_the_lead_is_less_than_half_the_difference_of_tokens() -> None:
    sets = [(1, 8)] * 4 + [(2, 3)] + [(2, 4)] * 7  # D = 1, four sets more for player 2
    for basis in TokenTailBasis:
        found = numbers(sets, 1, basis)
        assert found["basis_changes_owner"] == 1
        assert found["basis_changes_winner"] == 0
    assert numbers(sets, 1, SET_POINTS)["tails_opposed"] == 1
    assert numbers(sets, 1, HOLDINGS)["tails_agree"] == 1


def test_nobody_ahead_and_what_sharing_does() -> None:
    level = [(1, 6)] * 5 + [(2, 10)] * 3
    found = numbers(level, 2, SET_POINTS)
    assert (found["nobody_ahead"], found["tie_changes_winner"], found["tails_agree"]) == (1, 0, 1)
    assert numbers(level, 2, HOLDINGS)["nobody_ahead"] == 0
    even = numbers([(1, 6), (2, 6)], 2)
    assert even["nobody_ahead"] == 1
    assert even["sets_winner_wins"] is None


def test_numbers_that_the_question_of_the_tail_of_sets_has_too_are_the_same() -> None:
    rows = random_rows(600, 8, 3)
    own, bare = Settlement(), Settlement(tokens_per_set=0)
    settlements = (own, bare, replace(own, tail_of_sets=0), replace(bare, tail_of_sets=0))
    sums = tail_sums([rows], settlements, (4, 8))
    known = {
        (one.measure, one.sets): one.interval.mean
        for measure in (token_tail, token_tail_relief, leader_overturned)
        for one in measure(sums, 0.95)
        if (one.tail_of_sets, one.tokens_per_set) == (20, 2)
    }
    question = TailOfTokens(lengths=(4, 8), tokens=(2,))
    found = question.sums([rows], own, 0)
    place = question.readings.index((2, SET_POINTS))
    for i, length in enumerate((4, 8)):
        means = {name: found[i, place, k, 1] / found[i, place, k, 0] for k, name in enumerate(NUMBERS)}
        for name in ("tails_opposed", "token_tail_relief", "sets_winner_wins"):
            assert means[name] == pytest.approx(known[name, length], abs=1e-12)
        against = -known["token_tail_for_sets_winner", length]
        assert means["token_tail_against_sets"] == pytest.approx(against, abs=1e-12)
        outcomes = ("winner_differs", "result_larger", "result_smaller", "result_same")
        assert sum(means[name] for name in outcomes) == pytest.approx(1)


def test_sums_do_not_depend_on_how_rows_are_cut_and_counts_are_0_or_1() -> None:
    rows = random_rows(100, 8, 5, capped=0.02)
    question = TailOfTokens(lengths=(2, 8))
    whole = question.sums([rows], JL, 0)
    early = rows["match_id"] < 40
    blocks = [{name: column[part] for name, column in rows.items()} for part in (early, ~early)]
    assert (question.sums(blocks, JL, 0) == whole).all()
    for k, name in enumerate(NUMBERS):
        if not NUMBERS[name].signed:
            assert (whole[:, :, k, 1] == whole[:, :, k, 2]).all(), name


def test_fives_are_decided_by_the_dice_of_the_run() -> None:
    rows = random_rows(200, 8, 5)
    settlement = catalogue.rule_set("ecrire_classical").match.settlement
    question = TailOfTokens(lengths=(8,))
    one, two = question.sums([rows], settlement, 1), question.sums([rows], settlement, 2)
    names = tuple(NUMBERS)
    differ = {names[k] for k in np.flatnonzero((one != two).any(axis=(0, 1, 3)))}
    assert differ
    assert differ <= {"result_larger", "result_smaller", "result_same", "result_change"}


@pytest.mark.parametrize(
    ("lengths", "tokens", "words"),
    [((3,), (1,), "lengths"), ((), (1,), "lengths"), ((4,), (0,), "tokens"), ((4,), (1, 1), "tokens")],
)
def test_a_wrong_declaration_is_told(lengths: tuple[int, ...], tokens: tuple[int, ...], words: str) -> None:
    (problem,) = TailOfTokens(lengths=lengths, tokens=tokens).problems()
    assert problem.startswith(words)


def test_a_partie_has_no_tokens() -> None:
    with pytest.raises(ConfigError, match="not a match of several sets"):
        TailOfTokens(lengths=(4,)).plays(catalogue.rule_set("twelve_hole"))
