"""The twin runs case types that the files hold no example of, and fails a wrong expectation."""

from __future__ import annotations

from typing import Any

import pytest

from reference.cases import run_case

COUNT: dict[str, Any] = {
    "id": "TT-count",
    "type": "tt225_count",
    "rules": {"preset": "toutes_tables_225"},
    "input": {},
    "expected": {
        "distinct_positions": 225,
        "equally_likely": True,
        "all_colour_symmetric": True,
        "standard_start_count": 1,
        "pips_min": 144,
        "pips_max": 184,
        "pips_median": 165,
        "pips_mean": 165.33,
    },
}
POINTS: dict[str, Any] = {
    "id": "TS-points",
    "type": "tt225_schedule",
    "rules": {"preset": "toutes_tables_225", "match_points": 3},
    "input": {"game_points": [{"winner": "P1", "points": 2}, {"winner": "P2", "points": 1}]},
    "expected": {"match_winner": None, "games_played": 2, "score": {"P1": 2, "P2": 1}},
}


def test_the_count_of_starts() -> None:
    assert run_case(COUNT).status == "passed"
    wrong = {**COUNT, "expected": COUNT["expected"] | {"pips_max": 183}}
    assert run_case(wrong).reason == "pips_max: 184, expected 183"


def test_a_match_told_in_points() -> None:
    assert run_case(POINTS).status == "passed"
    shorter = {**POINTS, "rules": POINTS["rules"] | {"match_points": 2}}
    assert run_case(shorter).status == "failed"


@pytest.mark.parametrize(
    "rules", [{"preset": "acey_deucey"}, {"preset": "toutes_tables_225", "moonlight": True}]
)
def test_what_the_twin_does_not_know_is_skipped(rules: dict[str, Any]) -> None:
    assert run_case({**COUNT, "rules": rules}).status == "skipped"
