"""The table that stands beside every finding: how the players' sets end."""

from __future__ import annotations

import numpy as np
import pytest
from rows import part, random_rows

from simkit import catalogue
from simkit.analysis.sanity import (
    NUMBERS,
    OF_A_PARTIE,
    game_sums,
    sanity_estimates,
    sanity_frame,
    sanity_row,
    sanity_sums,
)
from simkit.drivers import play_chunk
from simkit.rules import Settlement
from simkit.settle import GRANDE, PETITE, set_values

BY = Settlement()


def test_shares_are_those_of_the_rows() -> None:
    rows = random_rows(400, 6, 41, capped=0.002)
    row = sanity_row(sanity_sums([rows], BY))
    decided = rows["winner"] != 0
    kind = set_values(rows, BY)["kind"][decided]
    most = np.maximum(rows["holes_1"], rows["holes_2"])[decided]
    assert row["matches"] == 400 and row["sets"] == rows["winner"].size
    assert row["truncated"] == (~decided).sum()
    assert row["conceded"] == (rows["ended_by"] == 1).mean()
    assert row["capped"] == (rows["ended_by"] == 2).mean()
    assert row["done_over"] == (rows["do_overs"] > 0).mean()
    assert row["do_overs"] == rows["do_overs"].mean()
    assert row["petite"] == (kind == PETITE).mean() and row["grande"] == (kind == GRANDE).mean()
    assert row["winner_holes"] == pytest.approx(most.mean())
    assert row["rolls"] == pytest.approx((rows["rolls"] + rows["rolls_do_overs"]).mean())
    for name in NUMBERS:
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]


def test_words_and_codes_of_ended_by_are_one() -> None:
    rows = random_rows(50, 4, 42, capped=0.01)
    in_words = rows | {"ended_by": np.array(["win", "concession", "capped"], dtype=object)[rows["ended_by"]]}
    assert sanity_row(sanity_sums([rows], BY)) == sanity_row(sanity_sums([in_words], BY))


def test_blocks_do_not_matter() -> None:
    rows = random_rows(100, 4, 43)
    blocks = [part(rows, slice(0, 30)), part(rows, slice(30, None))]
    assert sanity_row(sanity_sums(blocks, BY)) == sanity_row(sanity_sums([rows], BY))


def test_intervals_are_clustered_by_match() -> None:
    """Ten copies of each set within a match say no more than one."""
    rows = random_rows(200, 2, 44)
    rows["rolls_do_overs"][:] = 0
    one = {name: column[rows["set_no"] == 1] for name, column in rows.items()}
    copies = {name: np.repeat(column, 10) for name, column in one.items()}
    copies["set_no"] = np.tile(np.arange(1, 11), 200)
    single, many = sanity_sums([one], BY).interval("rolls"), sanity_sums([copies], BY).interval("rolls")
    assert (many.mean, many.se, many.n) == pytest.approx((single.mean, single.se, single.n))


def test_a_pair_that_caps_more_than_one_set_in_a_hundred_is_not_usable() -> None:
    assert sanity_sums([random_rows(500, 4, 45, capped=0.002)], BY).usable
    assert not sanity_sums([random_rows(500, 4, 45, capped=0.03)], BY).usable


def test_the_frame_and_the_rows_of_estimates() -> None:
    sums = sanity_sums([random_rows(20, 4, 46)], BY)
    frame = sanity_frame([("ecrire_academie", "random", "prudent", sums)])
    assert frame.loc[0, "player_2"] == "prudent" and bool(frame.loc[0, "usable"])
    rows = sanity_estimates(sums, 4)
    assert [one.measure for one in rows] == [f"sanity_{name}" for name in NUMBERS]
    assert {one.interval.n for one in rows} == {20}


def test_single_parties_have_fewer_numbers() -> None:
    rows = random_rows(100, 1, 47, capped=0.05)
    row = sanity_row(sanity_sums([rows], None))
    assert "conceded" not in row and "petite" not in row
    assert row["capped"] == (rows["ended_by"] == 2).mean()
    assert [one.measure for one in sanity_estimates(sanity_sums([rows], None), None)] == [
        f"sanity_{name}" for name in OF_A_PARTIE
    ]
    mixed = sanity_frame([("a", "x", "x", sanity_sums([rows], None)), ("b", "x", "x", sanity_sums([], BY))])
    assert np.isnan(mixed.loc[0, "conceded"])


def test_no_rows() -> None:
    rows = {name: column[:0] for name, column in random_rows(1, 2, 1).items()}
    assert sanity_sums([rows], BY).usable and sanity_sums([], BY).sets == 0


def test_games_of_toutes_tables_are_counted_plainly() -> None:
    player = catalogue.player("random")
    rows = play_chunk(catalogue.rule_set("toutes_tables_225"), (player, player), 3, 0, 40).sets
    rows["winner"] = np.where((rows["match_id"] == 7) & (rows["set_no"] == 1), 0, rows["winner"])
    games = rows["winner"].size
    cut = rows["match_id"] < 13
    blocks = [{name: column[chosen] for name, column in rows.items()} for chosen in (cut, ~cut)]
    sums = game_sums(blocks)
    assert (sums.matches, sums.sets, sums.truncated, sums.usable) == (40, games, 1, 1 / games <= 0.01)
    found = {one.measure: one.interval for one in sanity_estimates(sums, None)}
    assert found["sanity_capped"].mean == pytest.approx(1 / games)
    assert found["sanity_doubled"].mean == pytest.approx((rows["points"] > 1).sum() / (games - 1))
    assert found["sanity_rolls"].mean == pytest.approx(rows["rolls"].mean())
    assert found["sanity_hits"].mean == pytest.approx((rows["hits_1"] + rows["hits_2"]).mean())
    (row,) = sanity_frame([("rules", "one", "two", sums)]).to_dict("records")
    assert row["hits"] == found["sanity_hits"].mean
