"""The three nets in small: exits 1 and says which net caught something, 0 if nothing was caught.

Run as a script with compilation off, on the simkit that PYTHONPATH names.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "properties")]


def cases() -> None:
    from simkit.cases import judge_files
    from simkit.catalogue import rule_set

    files = [HERE.parent / "cases" / name for name in ("cases-base.json", "cases-match.json")]
    for result in judge_files(files, rule_set).results:
        assert result.status != "failed", f"{result.id}: {result.reason}"


def rulebook() -> None:
    sys.path.insert(0, str(HERE.parent / "rulebook"))
    import test_movement

    for name, test in vars(test_movement).items():
        if name.startswith("test_"):
            test()


def examples_of_fields() -> None:
    sys.path.insert(0, str(HERE.parent / "rulebook"))
    from reference.field_examples import MARKS, ROLLS
    from test_fields import test_mark, test_roll

    for changed in (False, True):
        for example in ROLLS:
            test_roll(example, changed)
        for marks in MARKS:
            test_mark(marks, changed)


def twin() -> None:
    from test_kernel_equals_twin import assert_agreement_on, test_marking

    test_marking()
    assert_agreement_on("adversarial", 2_500, seed=3)
    assert_agreement_on("played", 800, seed=3)


def fields() -> None:
    from reference.positions import field_positions
    from test_fields_equal_twin import assert_agreement
    from test_units_equal_twin import test_units_under_random_fields

    from simkit.rules import TwelveHoles

    for case in field_positions(3_000, seed=5):
        assert_agreement(case)
    test_units_under_random_fields(TwelveHoles())


def units() -> None:
    from test_units_equal_twin import (
        test_parties_from_any_state,
        test_sets_from_any_state,
        test_written_matches,
    )

    from simkit.rules import SetFirstDie

    test_written_matches(SetFirstDie.WINNER_PREV)
    test_parties_from_any_state()
    test_sets_from_any_state()


def invariants() -> None:
    from test_invariants import test_points_stay_below_a_hole_and_one_bredouille_at_most as bounds

    bounds()


NETS: tuple[Callable[[], None], ...] = (cases, rulebook, examples_of_fields, twin, units, invariants, fields)


def first_caught(nets: Sequence[Callable[[], None]]) -> int:
    """Run nets until one catches something; say which, and return the exit code.

    Exits 2 where they would look at another simkit than the one that PYTHONPATH names.
    """
    import simkit

    if not Path(simkit.__file__).is_relative_to(os.environ["PYTHONPATH"].partition(os.pathsep)[0]):
        print(f"nothing looked at: {simkit.__file__} is not below PYTHONPATH", file=sys.stderr)
        return 2
    for net in nets:
        try:
            net()
        except Exception as caught:
            last = traceback.extract_tb(caught.__traceback__)[-1]
            where = f"{Path(last.filename).name}:{last.lineno}"
            print(f"{net.__name__}: {type(caught).__name__} {str(caught)[:200]} ({where})")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(first_caught(NETS))
