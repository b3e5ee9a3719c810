"""Cases that name the rules of trictrac combiné and ask about turns, throws, or one set alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simkit.cases import judge_files
from simkit.catalogue import rule_set

COMBINE = {"preset": "combine"}
TURN = (
    ["P1", "P3"],
    ["P1", "P4"],
    ["P4", "P2"],
    ["P2", "P3"],
    ["P3", "P1"],
    ["P1", "P4"],
    ["P4", "P2"],
    ["P2", "P3"],
)
SETTLED = [{"winner": "P1", "value": 9}, {"winner": "P2", "value": 3}] * 6


def judged(tmp_path: Path, kind: str, rules: dict[str, Any], given: dict[str, Any], expected: Any) -> Any:
    case = {"id": "X-1", "type": kind, "rules": rules, "input": given, "expected": expected}
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"meta": {}, "cases": [case]}), encoding="utf-8")
    (result,) = judge_files([path], rule_set).results
    return result


@pytest.mark.parametrize(
    ("kind", "rules", "given", "expected"),
    [
        (
            "rotation",
            COMBINE | {"mode": "two_v_two"},
            {
                "sides": [["P1", "P2"], ["P3", "P4"]],
                "first_pair": ["P1", "P3"],
                "first_set_loser": "P1",
                "sets": 8,
            },
            {"pairs": TURN, "first_die_from_second_set": "player_who_stays"},
        ),
        (
            "rotation",
            COMBINE | {"mode": "chouette"},
            {"alone": "P1", "associates": ["P2", "P3"], "sets": 6},
            {
                "opponents": ["P2", "P2", "P3", "P3", "P2", "P2"],
                "first_die": ["P1", "P2", "P1", "P3", "P1", "P2"],
            },
        ),
        (
            "set_value",
            COMBINE,
            {
                "winner_holes": 12,
                "loser_holes": 0,
                "refaits_before": 0,
                "run_intact": True,
                "without_pickup": True,
            },
            {"kind": "grande", "multiplier": 5, "value": 70},
        ),
        (
            "first_die",
            COMBINE,
            {"first_set_leader": "P1", "results": ["P1", "refait", "P2"]},
            {"leaders": ["P1", "P2", "P2", "P1"]},
        ),
        ("match_settlement", COMBINE, {"sets": SETTLED}, {"wins": {"P1": 6, "P2": 6}, "set_points_diff": 36}),
    ],
)
def test_cases_of_combine(
    kind: str, rules: dict[str, Any], given: dict[str, Any], expected: Any, tmp_path: Path
) -> None:
    result = judged(tmp_path, kind, rules, given, expected)
    assert result.status == "passed", result.reason


def test_a_wrong_turn_is_told(tmp_path: Path) -> None:
    given = {"alone": "P1", "associates": ["P2", "P3"], "sets": 2}
    wrong = judged(tmp_path, "rotation", COMBINE | {"mode": "chouette"}, given, {"opponents": ["P2", "P3"]})
    assert wrong.status == "failed"
    refused = judged(tmp_path, "rotation", COMBINE | {"mode": "tourner"}, given, {"pairs": []})
    assert refused.status == "skipped"
    assert "tourner" in refused.reason
