"""The nets for toutes tables in small: exits 1 and says which net caught something, 0 if nothing was caught.

Run as a script with compilation off, on the simkit that PYTHONPATH names.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "properties")]

from faults.nets import first_caught  # noqa: E402  the path is set above


def cases() -> None:
    from simkit.cases import judge_files
    from simkit.catalogue import rule_set

    for result in judge_files([HERE.parent / "cases" / "cases-match.json"], rule_set).results:
        if result.id[:2] in ("TT", "TS", "BO", "RS", "SH"):
            assert result.status == "passed", f"{result.id}: {result.reason}"


def counts() -> None:
    from reference.tables.named import NAMED
    from test_tables_equal_twin import test_exact_counts, test_points_of_a_game, test_starts

    test_starts()
    test_points_of_a_game()
    for name in NAMED:
        test_exact_counts(name)


def twin() -> None:
    from test_tables_equal_twin import assert_agreement_on, test_doubles_played_less_often

    assert_agreement_on("contrived", 1_200, seed=3)
    assert_agreement_on("played", 300, seed=3)
    test_doubles_played_less_often(3)


def invariants() -> None:
    from test_tables_invariants import test_men_are_neither_lost_nor_found

    test_men_are_neither_lost_nor_found()


def games() -> None:
    from test_tables_games_equal_twin import assert_same_rows, random_rules

    rng = random.Random(1)
    for _ in range(30):
        assert_same_rows(random_rules(rng), 1)


def cube() -> None:
    from test_tables_games_equal_twin import assert_same_rows, doubler, with_cube

    rng = random.Random(2)
    for _ in range(40):
        assert_same_rows(with_cube(rng), 1, (doubler(rng), doubler(rng)))


def choice() -> None:
    from test_tables_choice_equal_twin import assert_same_chances, assert_same_worth

    assert_same_chances(games=4, players=3)
    assert_same_worth(games=1, players=2)


def from_states() -> None:
    from test_tables_from_states_equal_twin import cube_from_states, pairs_from_states

    cube_from_states()
    pairs_from_states(random.Random(3), 2)


NETS = (cases, counts, twin, invariants, games, choice, cube, from_states)


if __name__ == "__main__":
    sys.exit(first_caught(NETS))
