"""What must hold whatever is played: the invariants of random play."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from simkit import play
from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
from simkit.rules import RuleSet, Trictrac
from simkit.settle import settle

CLASSICAL = Trictrac()
START = play.read("1:15 | 24:15")


def rolls_of_play(
    settings: int, seed: int
) -> Iterator[tuple[play.Position, tuple[int, int], play.ScoredRoll]]:
    """Yield positions, dice and what they score along random settings that nobody ends by going."""
    rng = random.Random(seed)
    for _ in range(settings):
        position = START
        for number in range(2, 140):
            dice = (rng.randint(1, 6), rng.randint(1, 6))
            scored = play.score_roll(CLASSICAL, position, dice, roll_number=number // 2)
            yield position, dice, scored
            after = rng.choice(scored.plays)
            if after.off[0] == play.MEN:
                break
            position = play.mirrored(after)


def test_positions_and_awards_keep_their_bounds() -> None:
    figures = set()
    for position, dice, scored in rolls_of_play(30, seed=1):
        for after in scored.plays:
            if after.off[0] < play.MEN:
                play.check(after)
            assert after.other == position.other
            assert after.off[1] == position.off[1]
        names = [award.figure for award in scored.awards]
        figures |= set(names)
        assert scored.mover_points % 2 == scored.other_points % 2 == 0
        assert not (any("fill" in name for name in names) and any("conserve" in name for name in names))
        assert not ({"deux_tables", "corner_hit"} <= set(names))
        if "corner_hit" in names:
            assert position.mover[11] >= 2
        pips = sum(k * n for k, n in enumerate(position.mover, 1)) + 25 * position.off[0]
        for after in scored.plays:
            gone = sum(k * n for k, n in enumerate(after.mover, 1)) + 25 * after.off[0] - pips
            assert gone <= sum(dice)
            if scored.dice_unplayed == 0 and not position.off[0] and not after.off[0]:
                taken_by_puissance = after.mover[11] - position.mover[11] == 2 and gone == sum(dice) - 2
                assert gone == sum(dice) or taken_by_puissance
    assert len(figures) >= 6


def test_order_of_the_dice_does_not_matter() -> None:
    for position, dice, scored in rolls_of_play(8, seed=2):
        turned = play.score_roll(CLASSICAL, position, dice[::-1])
        early = {"six_tables"}
        assert set(turned.plays) == set(scored.plays)
        assert {a for a in turned.awards if a.figure not in early} == {
            a for a in scored.awards if a.figure not in early
        }


def test_points_stay_below_a_hole_and_one_bredouille_at_most() -> None:
    rng = random.Random(3)
    score = play.Score()
    for _ in range(5_000):
        score, made = play.mark(CLASSICAL, score, rng.randrange(2), 2 * rng.randrange(20))
        assert all(0 <= points <= 10 and points % 2 == 0 for points in score.points)
        if min(score.points) > 0:
            assert sum(score.bredouille) <= 1
        assert made >= 0


@pytest.fixture(scope="module")
def written() -> RuleSet:
    return rule_set("ecrire_academie")


@pytest.mark.parametrize("name", ["random", "prudent", "greedy"])
def test_rows_of_a_written_match_agree_with_each_other(written: RuleSet, name: str) -> None:
    one = player(name)
    rows = play_chunk(written, (one, one), 7, 0, 60).sets
    for k in ("1", "2"):
        assert (rows[f"holes_{k}"] == rows[f"holes_own_die_{k}"] + rows[f"holes_other_die_{k}"]).all()
        assert (rows[f"reached_six_{k}"] == (rows[f"holes_{k}"] >= 6)).all()
        assert not (rows[f"run_intact_{k}"] & (rows[f"holes_{k}"] == 0)).any()
        assert not (rows[f"intact_at_six_{k}"] & ~rows[f"reached_six_{k}"]).any()
    both = (rows["holes_1"] > 0) & (rows["holes_2"] > 0)
    assert not (rows["run_intact_1"] & rows["run_intact_2"] & both).any()
    assert ((rows["winner"] == 1) == (rows["holes_1"] > rows["holes_2"])).all()
    assert (np.maximum(rows["holes_1"], rows["holes_2"]) >= 6).all()
    conceded = rows["ended_by"] == 1
    winner_intact = np.where(rows["winner"] == 1, rows["run_intact_1"], rows["run_intact_2"])
    assert not (conceded & winner_intact).any()
    previous = rows["winner"][:-1]
    same_match = rows["match_id"][1:] == rows["match_id"][:-1]
    assert (rows["first_player"][1:][same_match] == previous[same_match]).all()


def test_money_sums_to_zero_and_follows_the_seats(written: RuleSet) -> None:
    one = player("random")
    rows = play_chunk(written, (one, one), 8, 0, 300).sets
    turned = {}
    for name, column in rows.items():
        if name.endswith(("_1", "_2")):
            turned[name[:-1] + ("2" if name[-1] == "1" else "1")] = column
        else:
            turned[name] = column
    for name in ("winner", "first_player", "first_scorer"):
        turned[name] = np.where(rows[name] == 0, 0, 3 - rows[name]).astype(np.int8)
    assert written.match.settlement is not None
    mine, his = settle(rows, written.match.settlement), settle(turned, written.match.settlement)
    for name in ("set_points", "token_tail", "exact", "rounded", "money"):
        assert (mine[name] == -his[name]).all()


def test_mirror_symmetry() -> None:
    """Between equal players neither seat does better: the first thrower is drawn, the rest is the same."""
    one = player("random")
    matches = play_chunk(rule_set("twelve_hole"), (one, one), 9, 0, 40_000).matches
    won = matches["sets_won_1"].mean()
    assert abs(won - 0.5) < 5 * 0.5 / np.sqrt(40_000)


def test_chunks_do_not_matter(written: RuleSet) -> None:
    one = player("random")
    whole = play_chunk(written, (one, one), 10, 0, 50)
    parts = [play_chunk(written, (one, one), 10, first, count) for first, count in ((0, 7), (7, 1), (8, 42))]
    for table in ("matches", "sets"):
        for name, column in getattr(whole, table).items():
            assert (np.concatenate([getattr(part, table)[name] for part in parts]) == column).all()
    assert (sum(part.figures for part in parts) == whole.figures).all()


def test_a_longer_match_begins_like_a_shorter_one(written: RuleSet) -> None:
    one = player("random")
    short = play_chunk(written.with_match(sets=4), (one, one), 11, 0, 40).sets
    long = play_chunk(written.with_match(sets=24), (one, one), 11, 0, 40).sets
    first = long["set_no"] <= 4
    for name, column in short.items():
        assert (long[name][first] == column).all()
