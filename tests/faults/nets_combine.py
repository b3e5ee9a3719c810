"""The nets for combiné in small: exits 1 and says which net caught something, 0 if nothing was caught.

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
        if result.id[:2] in ("CB", "HP", "HN", "LD"):
            assert result.status == "passed", f"{result.id}: {result.reason}"


def events() -> None:
    from test_combine_events_equal_twin import assert_same, test_an_event_out_of_order_is_refused_by_both

    test_an_event_out_of_order_is_refused_by_both()
    for seed in range(60):
        assert_same(seed)


def pool() -> None:
    import test_combine_invariants as invariants

    invariants.test_the_pool_is_never_negative_and_what_is_paid_in_is_paid_out()


def matches() -> None:
    from test_combine_equals_twin import assert_same_match, random_rules

    for seed in range(12):
        assert_same_match(random_rules(random.Random(seed)), 2)


NETS = (cases, events, pool, matches)


if __name__ == "__main__":
    sys.exit(first_caught(NETS))
