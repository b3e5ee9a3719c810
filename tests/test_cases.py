"""The reader of worked examples: what the engine must pass, and that nothing passes unread."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simkit import catalogue
from simkit.cases import CaseResult, judge, judge_files, read_file, same
from simkit.cases import base as base_cases
from simkit.cases import match as match_cases
from simkit.errors import UsageError

FILES = [Path(__file__).parent / "cases" / name for name in ("cases-base.json", "cases-match.json")]
BASE, MATCH = (read_file(path) for path in FILES)
CASES: list[Any] = [*BASE["cases"], *MATCH["cases"]]  # type: ignore[misc]
CASE_PRESETS: Any = MATCH["meta"]["case_presets"]  # type: ignore[index]

NOT_BUILT = {
    "ecrire_classical",
    "ecrire_classical_paper",
    "ecrire_guiton",
    "ecrire_lepeintre",
    "ecrire_lepeintre_progressive",
    "combine",
}
"""Rule sets of case files that the catalogue does not have."""


def verdict(case: Any) -> CaseResult:
    return judge(case, catalogue.rule_set, {k: v for k, v in CASE_PRESETS.items() if k != "about"})


def is_not_built(case: Any) -> bool:
    if "kind" in case:
        return False
    rules = case["rules"]
    return (
        case["type"] not in match_cases.TYPES
        or rules.get("preset", rules.get("variant")) in NOT_BUILT
        or rules.get("round_five") == "die"
    )


@pytest.fixture(scope="module")
def passing() -> list[Any]:
    return [case for case in CASES if verdict(case).status == "passed"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case_passes_unless_its_rules_are_not_built(case: Any) -> None:
    result = verdict(case)
    if is_not_built(case):
        assert result.status == "skipped"
        assert "not known to this version" in result.reason or "not in the catalogue" in result.reason
    else:
        assert (result.status, result.reason) == ("passed", "")


def test_every_kind_and_type_is_met(passing: list[Any]) -> None:
    met = {case.get("kind", case.get("type")) for case in passing}
    # A swing is asked in another file; it has a test below.
    assert met == {*base_cases.KINDS, *match_cases.TYPES} - {"swing"}


# ---------------------------------------------------------------- nothing passes unread

GIVEN = {
    "roller",
    "roller_points",
    "other_points",
    "decision",
    "sortie",
    "ecole_to",
    "ecole_points",
    "n",
    "player",
    "dice",
    "moves",
    "position",
    "property",
    "start_score",
}
"""What stands beneath `expect` and yet is given, not expected."""


def expected_leaves(part: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every expected value; a list of positions or awards counts as its items."""
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    if not items:
        yield way
    for key, value in items:
        moves_of_a_record = key == "moves" and way == ()
        if key not in GIVEN or moves_of_a_record:
            yield from expected_leaves(value, (*way, key))


def altered(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else "another"


def at(part: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        part = part[step]
    return part


def test_every_expected_value_is_compared(passing: list[Any]) -> None:
    """Three of each sort: the same place, whatever its number, in a case of the same kind."""
    unread = []
    tried: Counter[Any] = Counter()
    for case in passing:
        key = "expect" if "kind" in case else "expected"
        for way in expected_leaves(case[key]):
            sort = (case.get("kind", case.get("type")), *(re.sub(r"[\d-]+", "#", str(step)) for step in way))
            tried[sort] += 1
            if not way or tried[sort] > 3:
                continue
            wrong = copy.deepcopy(case)
            inner = at(wrong[key], way[:-1])
            inner[way[-1]] = altered(inner[way[-1]])
            if verdict(wrong).status == "passed":
                unread.append((case["id"], way))
    assert not unread


def objects(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        yield part
    for item in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from objects(item)


def test_a_key_nobody_knows_keeps_a_case_from_passing(passing: list[Any]) -> None:
    first_of_kind = {case.get("kind", case.get("type")): case for case in reversed(passing)}
    for case in first_of_kind.values():
        for number in range(len(list(objects(case)))):
            strange = copy.deepcopy(case)
            place = list(objects(strange))[number]
            if place is strange.get("source"):
                continue
            place["moonlight"] = True
            result = verdict(strange)
            assert result.status != "passed", (case["id"], place)
            assert "moonlight" in result.reason or "two players" in result.reason


def test_an_unknown_expectation_is_named_and_skipped() -> None:
    case = by_id("SV-16")
    case["expected"]["colour"] = "red"
    result = verdict(case)
    assert (result.status, result.reason) == ("skipped", "not understood by this version: expected.colour")


def by_id(name: str) -> Any:
    return copy.deepcopy(next(case for case in CASES if case["id"] == name))


def test_true_is_not_one() -> None:
    assert same([1, {"a": None}], (1, {"a": None}))
    assert not same(1, True)
    assert not same({"a": 1}, {"a": 1, "b": 2})


# ---------------------------------------------------------------- cases that contradict themselves


def changed(name: str, *way: Any, to: Any = None) -> Any:
    case = by_id(name)
    inner = at(case, way[:-1])
    if to is None:
        del inner[way[-1]]
    else:
        inner[way[-1]] = to
    return case


@pytest.mark.parametrize(
    ("case", "status", "words"),
    [
        (changed("open-mezeas-61", "position", "mover", "1", to=14), "failed", "16 men"),
        (changed("open-mezeas-61", "position", "mover", "0", to=1), "failed", "an arrow is a number"),
        (changed("open-mezeas-61", "position", "mover", "1", to=-1), "failed", "whole number from 0 to 15"),
        (changed("open-mezeas-61", "position", "mover", to=[1]), "failed", "an object is needed"),
        (changed("open-mezeas-61", "position"), "failed", "position is missing"),
        (changed("open-mezeas-61", "dice", to=[7, 1]), "failed", "two numbers from 1 to 6"),
        (changed("open-mezeas-61", "dice", to=[True, 1]), "failed", "two numbers from 1 to 6"),
        (changed("open-mezeas-61", "expect", to={}), "failed", "expects nothing"),
        (changed("open-mezeas-61", "kind", to="riddle"), "skipped", 'the kind "riddle"'),
        (changed("open-mezeas-61", "kind", to=3), "failed", "kind is 3; it must be a text"),
        (changed("open-mezeas-61", "kind"), "failed", "neither a kind nor a type"),
        (changed("open-mezeas-61", "type", to="set_value"), "skipped", "both a kind and a type"),
        (
            changed("open-mezeas-61", "config", to={"men_per_player": 14}),
            "skipped",
            "rule field men_per_player",
        ),
        (changed("open-mezeas-61", "id"), "failed", "id is missing"),
        (changed("score-jl146", "initial", "C", to={}), "failed", "must hold two players"),
        (changed("score-jl146", "expect", "steps", 0, "decision"), "failed", "decision is missing"),
        (changed("score-jl146", "expect", "steps", 0, "roller", to="Z"), "skipped", '"Z"'),
        (changed("score-first-bredouille", "expect", "steps", 0, "decision", to="go"), "failed", "hole"),
        (changed("fill-jl6-table", "expect", "by_roll", "6-5"), "failed", "lacks the rolls 6-5"),
        (changed("fill-jl6-table", "expect", "property", to="luck"), "skipped", "property luck"),
        (changed("game-soumille-1", "expect", "moves", 0, "moves", to=[[2, 8]]), "failed", "no man stands"),
        (
            changed("game-soumille-1", "expect", "moves", 0, "moves", to=[[1, 7]]),
            "failed",
            "not a legal play",
        ),
        (changed("game-soumille-1", "start_position", to="elsewhere"), "skipped", "elsewhere"),
        (changed("SV-16", "input", "winner_holes", to=5), "failed", "at least 6"),
        (changed("SV-16", "input", "run_intact"), "failed", "input.run_intact is missing"),
        (changed("SV-16", "input", "winner_holes", to=10**30), "failed", "whole number from 0"),
        (changed("SV-16", "rules", "preset", to="a_boire"), "skipped", "preset a_boire"),
        (changed("SV-16", "rules", "preset", to=["x"]), "failed", "must be a name"),
        (changed("SV-16", "rules", "general_tail", to=-5), "skipped", "rule field general_tail = -5"),
        (changed("SE-22", "input", "events", 0, "then", to="go:refait"), "failed", "hold, go:win is open"),
        (changed("SE-22", "input", "events", 1, "then"), "failed", "then is missing"),
        (changed("SE-22", "input", "events", 0, "then", to="go"), "failed", "the set was over before"),
        (changed("MS-17", "input", "sets", 0), "failed", "5 sets; their number is even"),
        (changed("MS-17", "input", "sets", 0, "value", to=2), "failed", "whole number from 3"),
        (changed("RD-01", "rules", "round_five", to="die"), "skipped", "round_five"),
        (changed("GT-02", "input", "rounded_in_favour_of_P1", to=10), "skipped", "rounded to 10"),
        (changed("PE-01", "rules", "continuation", to=True), "skipped", "continuation = true"),
        (changed("PE-01", "rules", "preset", to="ecrire_academie"), "skipped", "not a partie"),
        (changed("PE-01", "input", "holes_before", "P1", to=12), "failed", "over before"),
        (changed("FD-01", "input", "results", 0, to="P3"), "failed", "P1, P2 or refait"),
    ],
)
def test_a_case_that_is_wrong_says_where(case: Any, status: str, words: str) -> None:
    result = verdict(case)
    assert result.status == status, result
    assert words in result.reason


# ---------------------------------------------------------------- kinds without an example in the files


@pytest.mark.parametrize(
    ("intact", "scheme", "multiplier"), [(True, "double", 2), (False, "double", 1), (True, "plain", 1)]
)
def test_the_price_of_a_partie(intact: bool, scheme: str, multiplier: int) -> None:
    case = by_id("payoff-double")
    case["config"] = {"match_payoff_scheme": scheme}
    case["result"]["winner_holes_consecutive"] = intact
    case["expect"]["multiplier"] = multiplier
    assert verdict(case).status == "passed"


def test_a_simple_set_by_one_hole_is_worth_sixteen() -> None:
    """6 points, 2 tokens and 8 for the paris, the twenty being out of it. VT, conduct 1."""
    case = {
        "id": "swing",
        "type": "swing",
        "rules": {"preset": "ecrire_academie"},
        "input": {},
        "expected": {"points": 6, "token_tail": 2, "paris": 8, "total": 16},
    }
    assert verdict(case).reason == ""
    case["expected"] = {"total": 17}
    assert verdict(case).status == "failed"


def test_style_tells_whether_a_run_was_held() -> None:
    case = by_id("SE-22")
    case["expected"]["style"] = "without_pickup"
    assert verdict(case).status == "passed"
    case["expected"]["style"] = "with_pickup"
    assert verdict(case).status == "failed"


def test_a_conceded_set_says_who_went() -> None:
    case = by_id("SE-22")
    case["input"]["events"] = [
        {"by": "P1", "holes": 6, "die": "own", "then": "hold"},
        {"by": "P2", "holes": 2, "die": "own", "then": "go:concede"},
    ]
    case["expected"] = {"winner": "P1", "ended_by": "P2", "conceded": True, "value": 6, "next_first": "P1"}
    assert verdict(case).reason == ""


def test_a_record_follows_the_marks_its_players_made() -> None:
    """Roll 13 gives four points; let them be forgotten, and the source say so."""
    case = by_id("game-soumille-1")
    steps = case["expect"]["moves"]
    del steps[13:]
    steps[12]["score_after_as_printed"]["cloris"] = {"holes": 0, "points": 0, "bredouille": False}
    assert verdict(case).status == "failed"
    steps[12]["marking_as_printed"] = "he forgets his points"
    assert verdict(case).reason == ""
    steps[12]["awards"] = []
    assert "awards" in verdict(case).reason


def test_a_record_tells_an_irregular_play() -> None:
    case = by_id("game-soumille-1")
    steps = case["expect"]["moves"]
    del steps[1:]
    steps[0]["moves"] = [[1, 7], [1, 7]]
    assert "not a legal play" in verdict(case).reason
    steps[0]["legal"] = False
    assert verdict(case).reason == ""


def test_a_game_that_is_over_is_not_played_on() -> None:
    case = by_id("game-soumille-1")
    case["expect"]["start_score"]["damon"]["holes"] = 11
    steps = case["expect"]["moves"]
    steps[0]["marking_as_printed"] = True
    steps[0]["score_after_as_printed"]["damon"]["holes"] = 12
    assert "roll 2: the game was over before" in verdict(case).reason


def test_positions_wanted_and_unwanted() -> None:
    case = by_id("conserve-petit-jan-through-adverse-corner")
    case["expect"] = {
        "must_include": case["expect"]["final_positions"],
        "must_exclude": [{"1": 15}],
    }
    assert verdict(case).status == "passed"
    case["expect"] = {"must_include": [{"1": 15}]}
    assert verdict(case).status == "failed"


# ---------------------------------------------------------------- files


def test_the_report_counts_and_keeps_the_order() -> None:
    report = judge_files(FILES, catalogue.rule_set)
    assert [result.id for result in report.results] == [case["id"] for case in CASES]
    plain = report.as_json()
    counted = Counter(result.status for result in report.results)
    assert {key: plain[key] for key in ("passed", "failed", "skipped")} == {
        "passed": counted["passed"],
        "failed": 0,
        "skipped": counted["skipped"],
    }
    keys = {"id", "status", "expected", "found", "reason", "printed_errors"}
    assert set(plain["results"][0]) == keys  # type: ignore[index]
    json.dumps(plain)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not JSON: it seems to be cut short"),
        (FILES[0].read_bytes()[:5000], "cut short"),
        (b"{'cases': []}", "line 1, column 2"),
        (b"\xff\xfe\x00", "is not UTF-8 text: byte 0"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"cases": [{"id": ' + b"9" * 5000 + b"}]}", "a number that cannot be read"),
        (b'{"cases": [NaN]}', "NaN is not a number"),
        (b'{"cases": [{"id": "a", "id": "b"}]}', 'the key "id" stands twice'),
        (b'{"plays": []}', "holds no cases"),
        (b"7", "holds no cases"),
        (b'{"cases": {}}', "'cases' is {}; it must be a list"),
        (b'{"cases": [{}, 3]}', "cases, number 2 is 3; it must be an object"),
        (b'{"games": [[]]}', "games, number 1 is []; it must be an object"),
        (b'{"tables": [{}]}', "'tables[1].rows' is null; it must be a list"),
        (b'{"tables": [{"rows": [1]}]}', "tables[1].rows, number 1 is 1"),
        (b'{"cases": [], "meta": {"case_presets": 1}}', "meta.case_presets is 1"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        judge_files([path], catalogue.rule_set)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


def test_a_file_that_is_missing_a_folder_or_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, words in ((tmp_path / "none.json", "No such file"), (tmp_path, "is a folder")):
        with pytest.raises(UsageError, match=words):
            read_file(path)
    monkeypatch.setattr("simkit.cases.reading.MAX_BYTES", 1000)
    with pytest.raises(UsageError, match="at most 1,000"):
        read_file(FILES[0])


def test_a_bare_list_of_cases_and_a_byte_order_mark_will_do(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([by_id("SV-16")]).encode())
    assert judge_files([path], catalogue.rule_set).count("passed") == 1
