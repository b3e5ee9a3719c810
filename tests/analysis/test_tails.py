"""What the tails do, checked against counts made by hand, a plain twin, and exact enumeration."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from rows import joined, part, random_rows, rows_of_matches

from simkit.analysis.estimates import Estimate
from simkit.analysis.tails import (
    MEASURES,
    TailSums,
    coin_flip_curve,
    tail_sums,
)
from simkit.errors import UsageError
from simkit.rules import Settlement, TokenTailBasis

GRID = tuple(Settlement(tail_of_sets=tail, tokens_per_set=t) for tail in (0, 10, 20, 40) for t in (0, 2))


def estimates(sums: TailSums) -> dict[tuple[str, int, int, int], Estimate]:
    """All estimates by (measure, sets, tail, tokens)."""
    found = [one for measure in MEASURES for one in measure(sums, 0.95)]
    by_key = {(one.measure, one.sets, one.tail_of_sets or 0, one.tokens_per_set or 0): one for one in found}
    assert len(by_key) == len(found), "two rows share one key"
    return by_key


def means(sums: TailSums) -> dict[tuple[str, int, int, int], float]:
    return {key: one.interval.mean for key, one in estimates(sums).items()}


# ---------------------------------------------------------------- counted by hand


def hand_made() -> list[list[tuple[int, int]]]:
    """Two-set matches, paris 4 a set, no tokens: D, payment 8 for two sets, with and without 20.

    sets won by        D     without 20   with 20
    1, 1             +10     18: 1        38: 1
    2, 2             -10     2            2
    1, 2 of 30, 40   -10     2            2 (level in sets: no tail)
    1, 2 of 7, 7       0     draw         draw
    """
    return [[(1, 5), (1, 5)], [(2, 5), (2, 5)], [(1, 30), (2, 40)], [(1, 7), (2, 7)]]


def four_sets() -> list[list[tuple[int, int]]]:
    """Player 1 wins three of four sets: 3 x 3 = 9 points and 8 for the sets, 28 with the tail.

    His opponent's one set is worth 30 (D -21, -13 without and +7 with the tail), 17 (D -8: a draw without),
    37 (D -28, payment 8 and 20: a draw with it), 60 (lost either way), 5 (won either way).
    """
    return [[(1, 3), (2, v), (1, 3), (1, 3)] for v in (30, 17, 37, 60, 5)]


def test_the_three_by_three_table_by_hand() -> None:
    bare = tuple(Settlement(tail_of_sets=tail, tokens_per_set=0) for tail in (0, 20))
    found = means(tail_sums([rows_of_matches(four_sets())], bare, (4,)))
    shares = {name: value for (name, _, tail, _), value in found.items() if tail == 20}
    assert shares["outcome_2_1"] == shares["outcome_draw_1"] == shares["outcome_2_draw"] == 0.2
    assert shares["outcome_2_2"] == shares["outcome_1_1"] == 0.2
    assert shares["winner_changes"] == pytest.approx(0.6)
    assert shares["winner_overturned"] == shares["draw_decided"] == shares["made_draw"] == 0.2
    assert shares["leader_loses"] == 0.4, "30 and 17: ahead on points, behind at the end"
    assert shares["leader_overturned"] == pytest.approx(0.6)
    assert shares["draw"] == 0.2
    assert shares["sets_winner_wins"] == pytest.approx(0.6)
    assert shares["mean_abs_exact"] == (7 + 20 + 0 + 23 + 32) / 5


def test_rounded_results_have_their_own_table() -> None:
    """Without the tail -13 rounds to -10; with it 7 rounds to 10. A difference of -4 is nobody's win."""
    bare = tuple(Settlement(tail_of_sets=tail, tokens_per_set=0) for tail in (0, 20))
    sets = [[(1, 3), (2, 21), (1, 3), (1, 3)]]  # D = -12, 8 for the sets: -4, and +16 with the tail
    found = means(tail_sums([rows_of_matches(sets)], bare, (4,)))
    assert found["outcome_2_1", 4, 20, 0] == found["outcome_rounded_draw_1", 4, 20, 0] == 1.0


def test_level_sets_pay_no_tail() -> None:
    bare = tuple(Settlement(tail_of_sets=tail, tokens_per_set=0) for tail in (0, 20))
    found = means(tail_sums([rows_of_matches(hand_made())], bare, (2,)))
    assert found["winner_changes", 2, 20, 0] == 0
    assert found["draw", 2, 20, 0] == 0.25
    assert found["variance_tail_of_sets", 2, 0, 0] == 0
    assert sum(found[f"variance_{part}", 2, 20, 0] for part in PARTS) == pytest.approx(1)


PARTS = ("set_points", "token_tail", "paris", "tail_of_sets")


def test_the_tail_of_tokens_by_hand() -> None:
    """The four-set matches again with two tokens: player 2 leads on points in four of five."""
    found = means(tail_sums([rows_of_matches(four_sets())], GRID, (4,)))
    assert found["tails_opposed", 4, 20, 2] == 0.8
    assert found["token_tail_for_sets_winner", 4, 20, 2] == (4 * -2 + 6) / 5
    # D -21, T -2, 28: still 1 wins; D -8, T -2, 8: now -2 without the tail; D -28, T -2, 28: -2 with it
    assert found["winner_changes", 4, 20, 2] == 0.4
    assert found["token_tail_relief", 4, 20, 2] == pytest.approx(0.2)
    assert found["token_tail_saves_leader", 4, 20, 2] == 0
    assert found["sets_winner_wins", 4, 20, 2] == pytest.approx(0.6)


# ---------------------------------------------------------------- a plain twin


def sign(x: int) -> int:
    return (x > 0) - (x < 0)


def plain_result(sets: list[tuple[int, int]], tail: int, tokens: int) -> tuple[int, int, int]:
    """(D, T, G) of source 000, 6 to 8, in plain words."""
    won = [sum(winner == p for winner, _ in sets) for p in (1, 2)]
    points = [sum(v for winner, v in sets if winner == p) for p in (1, 2)]
    d = points[0] - points[1]
    if d > 0:
        t = tokens * won[0]
    elif d < 0:
        t = -tokens * won[1]
    else:
        t = tokens * (won[0] - won[1]) // 2
    return d, t, d + t + 4 * (won[0] - won[1]) + tail * sign(won[0] - won[1])


def test_random_matches_agree_with_the_plain_twin() -> None:
    random = np.random.default_rng(11)
    matches = [
        [(int(random.integers(1, 3)), int(random.integers(3, 40))) for _ in range(6)] for _ in range(300)
    ]
    found = means(tail_sums([rows_of_matches(matches)], GRID, (2, 4, 6)))
    for length, tail, tokens in product((2, 4, 6), (10, 20, 40), (0, 2)):
        results = [plain_result(sets[:length], tail, tokens) for sets in matches]
        bare = [plain_result(sets[:length], 0, tokens)[2] for sets in matches]
        changes = sum(sign(g) != sign(b) for (_, _, g), b in zip(results, bare, strict=True))
        loses = sum(sign(d + t) * sign(g) < 0 for d, t, g in results)
        assert found["winner_changes", length, tail, tokens] == changes / 300
        assert found["leader_loses", length, tail, tokens] == loses / 300
        g = np.array([one[2] for one in results])
        d = np.array([one[0] for one in results])
        assert found["mean_abs_exact", length, tail, tokens] == pytest.approx(np.abs(g).mean())
        share = np.cov(d, g, bias=True)[0, 1] / g.var()
        assert found["variance_set_points", length, tail, tokens] == pytest.approx(share)
        assert found["correlation_with_set_points", length, tail, tokens] == pytest.approx(
            np.corrcoef(d, g)[0, 1]
        )


# ---------------------------------------------------------------- sets as tosses of a coin


def every_sequence(length: int, value: int, other: int | None = None) -> list[list[tuple[int, int]]]:
    """All equally likely matches of a fair coin; sets of player 2 may be worth something else."""
    worth = {1: value, 2: value if other is None else other}
    return [[(w, worth[w]) for w in winners] for winners in product((1, 2), repeat=length)]


def binomial(length: int, value: int, tail: int, tokens: int) -> dict[str, float]:
    """Fair sets of one value, counted out by hand: everything depends on the sets won alone."""
    chance = {w: math.comb(length, w) / 2**length for w in range(length + 1)}
    result = {}
    for w in chance:
        more = 2 * w - length
        token_tail = tokens * (w if more > 0 else -(length - w) if more < 0 else 0)
        result[w] = value * more + token_tail + 4 * more + tail * sign(more)
    variance = sum(p * result[w] ** 2 for w, p in chance.items())
    return {
        "winner_changes": 0.0,
        "leader_loses": 0.0,
        "draw": chance[length // 2],
        "mean_abs_exact": sum(p * abs(result[w]) for w, p in chance.items()),
        "variance_set_points": sum(p * value * (2 * w - length) * result[w] for w, p in chance.items())
        / variance,
        "variance_tail_of_sets": sum(p * tail * sign(2 * w - length) * result[w] for w, p in chance.items())
        / variance,
    }


@pytest.mark.parametrize("value", [3, 10, 56])
def test_fair_sets_of_one_value_give_the_binomial_curve(value: int) -> None:
    """Rows of all 2**8 matches, fed through the whole analysis, give the exact numbers at every length."""
    lengths = (2, 4, 6, 8)
    found = means(tail_sums([rows_of_matches(every_sequence(8, value))], GRID, lengths))
    for settlement in GRID:
        tail, tokens = settlement.tail_of_sets, settlement.tokens_per_set
        curve = coin_flip_curve(lengths, value, settlement)
        for place, length in enumerate(lengths):
            for name, exact in binomial(length, value, tail, tokens).items():
                assert curve[name][place] == pytest.approx(exact, abs=1e-12), name
                if (name, tail) != ("winner_changes", 0):
                    assert found[name, length, tail, tokens] == pytest.approx(exact, abs=1e-12), name


def test_fair_sets_of_several_values_are_counted_out() -> None:
    """Values 3 and 16, equally likely: 4**4 matches, all fed through, against the convolution."""
    values = (3, 16, 16, 31)
    outcomes = list(product((1, 2), values))
    matches = [list(match) for match in product(outcomes, repeat=4)]
    found = means(tail_sums([rows_of_matches(matches)], GRID, (2, 4)))
    distribution = {3: 0.25, 16: 0.5, 31: 0.25}
    for settlement in GRID:
        tail, tokens = settlement.tail_of_sets, settlement.tokens_per_set
        curve = coin_flip_curve((2, 4), distribution, settlement)
        assert curve["winner_changes"][1] > 0 or tail == 0
        for name, exact in curve.items():
            for place, length in enumerate((2, 4)):
                if (name, length, tail, tokens) in found:
                    assert found[name, length, tail, tokens] == pytest.approx(exact[place], abs=1e-12), name


def test_the_reference_line_takes_the_values_of_the_play() -> None:
    """Of all matches of a fair coin the reference is the estimate itself."""
    matches = [list(match) for match in product(list(product((1, 2), (3, 30))), repeat=4)]
    found = means(tail_sums([rows_of_matches(matches)], GRID, (4,)))
    assert found["winner_changes_tossed", 4, 20, 2] == pytest.approx(found["winner_changes", 4, 20, 2])
    assert found["winner_changes", 4, 20, 2] > 0


def test_a_sample_of_coin_matches_covers_the_exact_curve() -> None:
    """4000 random matches: exact values within four standard errors."""
    random = np.random.default_rng(21)
    winners, values = random.integers(1, 3, (4000, 12)), random.choice((4, 13, 22, 56), (4000, 12))
    matches = [list(zip(w, v, strict=True)) for w, v in zip(winners.tolist(), values.tolist(), strict=True)]
    lengths = (2, 4, 8, 12)
    found = estimates(tail_sums([rows_of_matches(matches)], GRID, lengths))
    curve = coin_flip_curve(lengths, dict.fromkeys((4, 13, 22, 56), 0.25), Settlement())
    for name, exact in curve.items():
        for place, length in enumerate(lengths):
            one = found[name, length, 20, 2].interval
            assert abs(one.mean - exact[place]) <= 4 * one.se + 1e-9, (name, length)


# ---------------------------------------------------------------- blocks, order, truncation


def test_blocks_do_not_matter() -> None:
    rows = random_rows(300, 8, 31, capped=0.01)
    whole = tail_sums([rows], GRID, (2, 4, 8))
    blocks = [part(rows, slice(0, 1)), part(rows, slice(1, 140)), part(rows, slice(140, None))]
    assert (joined(blocks)["winner"] == rows["winner"]).all()
    apart = tail_sums(iter(blocks), GRID, (2, 4, 8))
    added = tail_sums(blocks[:1], GRID, (2, 4, 8)) + tail_sums(blocks[1:], GRID, (2, 4, 8))
    for other in (apart, added):
        assert repr(means(other)) == repr(means(whole))
        assert (other.n, other.truncated) == (whole.n, whole.truncated)


def test_matches_with_a_capped_set_are_left_out_and_counted() -> None:
    rows = random_rows(200, 6, 32, capped=0.02)
    cut = np.unique(rows["match_id"][rows["winner"] == 0])
    sums = tail_sums([rows], GRID, (2, 6))
    assert cut.size > 0 and sums.truncated == cut.size and sums.n == 200 - cut.size
    kept = ~np.isin(rows["match_id"], cut)
    clean = tail_sums([{name: column[kept] for name, column in rows.items()}], GRID, (2, 6))
    assert means(clean) == means(sums)


def test_longer_play_serves_shorter_lengths() -> None:
    rows = random_rows(100, 12, 33)
    early = {name: column[rows["set_no"] <= 4] for name, column in rows.items()}
    one, two = tail_sums([rows], GRID, (2, 4)), tail_sums([early], GRID, (2, 4))
    assert means(one) == means(two)


def test_no_matches_give_rows_without_numbers() -> None:
    rows = {name: column[:0] for name, column in random_rows(1, 2, 1).items()}
    found = estimates(tail_sums([rows], GRID, (2,)))
    assert all(one.interval.n == 0 and math.isnan(one.interval.mean) for one in found.values())


@pytest.mark.parametrize("lengths", [(), (3,), (2, 2), (0,)])
def test_wrong_lengths_are_refused(lengths: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="even number of sets"):
        tail_sums([], GRID, lengths)


def test_settlements_must_be_told_apart_by_the_tails() -> None:
    for wrong in ((), (Settlement(), Settlement()), (Settlement(), Settlement(consolation=3))):
        with pytest.raises(UsageError, match=r"settlement"):
            tail_sums([], wrong, (2,))
    holdings = replace(Settlement(), token_tail_basis=TokenTailBasis.HOLDINGS)
    with pytest.raises(UsageError, match="differ in tail_of_sets and tokens_per_set only"):
        tail_sums([], (Settlement(), holdings), (2,))
