"""The nets for seats and pots in small: exits 1 and says which net caught something, 0 if nothing was caught.

Run as a script with compilation off, on the simkit that PYTHONPATH names. No net plays a roll.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "properties")]

from faults.nets import first_caught  # noqa: E402  the path is set above


def cases() -> None:
    from simkit.cases import judge_files
    from simkit.catalogue import rule_set

    for result in judge_files([HERE.parent / "cases" / "cases-match.json"], rule_set).results:
        if result.id[:2] in ("RO", "TP", "FD", "FP", "DP", "PV"):
            assert result.status == "passed", f"{result.id}: {result.reason}"


def seats() -> None:
    import test_seats_equal_twin as driven

    from simkit.rules import RotationFirstSetLeaver

    for name in driven.TABLES:
        for leaver in RotationFirstSetLeaver:
            driven.test_who_sits_and_who_throws_first(name, leaver)


def lots() -> None:
    from test_turns import test_lots_are_fair

    test_lots_are_fair()


def pools() -> None:
    import test_seats_equal_twin as driven

    driven.test_who_never_comes_to_the_board_pays_nothing_on_first_entry()
    driven.test_antes_are_told_when_they_are_paid()
    for name, match in driven.POOLS.items():
        (driven.test_a_filling_pool if name.startswith("fill") else driven.test_a_draining_pool)(name)
        driven.test_who_throws_first_in_a_pool(match)
        driven.test_the_pot_as_it_is_told(match)


def money() -> None:
    import test_turns as by_hand
    import test_turns_equal_twin as turns

    by_hand.test_tokens_go_by_points_or_by_jetons_in_hand()
    by_hand.test_who_throws_first_in_the_first_set_came_first()
    turns.test_tourner_is_settled_as_the_twin_settles_it()
    turns.test_money_adds_up_to_nothing()
    turns.test_partners_share_what_their_side_has()


def turns_of_the_twin() -> None:
    import test_turns_equal_twin as turns

    from simkit.rules import RotationFirstSetLeaver

    for mode in turns.MODES:
        for leaver in RotationFirstSetLeaver:
            turns.test_who_plays_which_set(mode, leaver)


NETS = (cases, seats, lots, pools, money, turns_of_the_twin)


if __name__ == "__main__":
    sys.exit(first_caught(NETS))
