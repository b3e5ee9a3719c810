"""The twin runs the worked examples: the same files as `simkit cases`, by a reader of its own."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .cases import read_cases, run_case

FILES = Path(__file__).parents[1] / "cases"
BASE = read_cases(FILES / "cases-base.json")
MATCH = read_cases(FILES / "cases-match.json")
SKIPPED = {
    "tourner_set_payment",
    "tourner_paris",
    "rotation",
    "fill_pool",
    "fill_pool_value",
    "drain_pool",
}
"""Types of games the twin does not play: more than two players, pools."""


@pytest.mark.parametrize("case", BASE, ids=[case["id"] for case in BASE])
def test_base_case(case: Any) -> None:
    result = run_case(case)
    assert result.status == "passed", result.reason


@pytest.mark.parametrize("case", MATCH, ids=[case["id"] for case in MATCH])
def test_match_case(case: Any) -> None:
    result = run_case(case)
    if case["type"] in SKIPPED:
        assert (result.status, result.reason) == ("skipped", f"type {case['type']}")
    else:
        assert result.status == "passed", result.reason


def test_the_files_are_whole() -> None:
    assert Counter(case["kind"] for case in BASE) == {
        "roll_score": 67,
        "legal_positions": 20,
        "score_sequence": 18,
        "roll_table": 10,
        "roll_count_series": 6,
        "match_payoff": 3,
        "game_record": 2,
    }
    assert len(MATCH) == 129


def test_a_wrong_expectation_fails_and_an_unknown_option_is_skipped() -> None:
    case = next(case for case in BASE if case["id"] == "hit-jl17-31")
    wrong = {**case, "expect": {**case["expect"], "mover_points": 6}}
    assert run_case(wrong).reason == "mover_points: 4, expected 6"
    for config in ({"men_per_player": 12}, {"fills_enabled": 1}, {"movement_scope": "own_half"}):
        assert run_case({**case, "config": config}).status == "skipped"
