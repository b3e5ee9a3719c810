"""Numbers and games printed in the treatises: all are counted, and none passes unread."""

from __future__ import annotations

import copy
import re
import runpy
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simkit import catalogue
from simkit.cases import CaseReport, CaseResult, judge, judge_document, read_file, treatise
from simkit.cases.record import printed_record
from simkit.cli.checks import case_rows
from simkit.errors import UsageError

HERE = Path(__file__).parent
FILES = [HERE / "cases" / name for name in ("treatise-tables.json", "played-games.json")]
NUMBERS, GAMES = (read_file(path) for path in FILES)


def all_of(path: Path, document: dict[str, object]) -> list[tuple[Any, CaseResult]]:
    return list(judge_document(path, document, catalogue.rule_set))


@pytest.fixture(scope="module")
def numbers() -> list[tuple[Any, CaseResult]]:
    return all_of(FILES[0], NUMBERS)


@pytest.fixture(scope="module")
def games() -> list[tuple[Any, CaseResult]]:
    return all_of(FILES[1], GAMES)


def verdict(case: Any) -> CaseResult:
    return judge(case, catalogue.rule_set)


def number(name: str) -> Any:
    cases: Any = NUMBERS["cases"]
    return copy.deepcopy(next(case for case in cases if case["id"] == name))


def game(name: str) -> Any:
    games: Any = GAMES["games"]
    return copy.deepcopy(next(game for game in games if game["id"] == name))


# ---------------------------------------------------------------- what the books print


def test_every_number_that_can_be_counted_is_the_recomputed_one(
    numbers: list[tuple[Any, CaseResult]],
) -> None:
    assert [(result.id, result.reason) for _, result in numbers if result.status == "failed"] == []
    counted = Counter((result.status, "rows" in case) for case, result in numbers)
    assert counted == {("passed", False): 582, ("skipped", False): 39, ("passed", True): 950}


def test_only_what_stands_in_prose_is_skipped(numbers: list[tuple[Any, CaseResult]]) -> None:
    for case, result in numbers:
        if result.status == "skipped":
            assert "stand in prose only" in result.reason
            assert not case["params"] or case["kind"] == "fill_count_difference"


def test_printed_errors_are_those_the_file_knows(numbers: list[tuple[Any, CaseResult]]) -> None:
    for case, result in numbers:
        if result.status == "passed":
            told = case["rows"][0] if "rows" in case else case
            assert bool(result.printed_errors) is not told["agree"]
    told = {result.id: str(error) for _, result in numbers for error in result.printed_errors}
    assert told["JL-381-b"].startswith("printed 5-3: 0, 5-2: 0, right 5-3: 4, 5-2: 4: the source names only")
    assert told["JL-078-a"].startswith("printed no, right yes: ")
    (error,) = next(result for _, result in numbers if result.id == "JL-289-b").printed_errors
    assert (error.work, error.printed, error.right) == ("JL1852", 8, 7)
    assert str(error).startswith("printed 8, right 7: the source counts 4-4 twice")


def test_the_command_lists_what_is_printed_wrongly(
    numbers: list[tuple[Any, CaseResult]], games: list[tuple[Any, CaseResult]]
) -> None:
    results = [result for _, result in (*numbers, *games)]
    rows = [row for result in results for row in case_rows(result)]
    assert CaseReport(tuple(results)).printed_errors == sum(status == "passed" for status, *_ in rows) == 41
    assert ("passed", "JL-TABLE-F#427", "printed total: 29, right total: 39: misprint of the source") in rows
    failed = CaseResult("a", "failed", reason="wrong", printed_errors=results[-1].printed_errors[:1])
    assert case_rows(failed)[0] == ("failed", "a", "wrong")
    assert case_rows(CaseResult("a", "passed")) == []


def test_every_game_replays(games: list[tuple[Any, CaseResult]]) -> None:
    assert [(result.status, result.reason) for _, result in games] == [("passed", "")] * 11
    errors = {result.id: [*result.printed_errors] for _, result in games if result.printed_errors}
    assert {name: [(error.printed, error.right) for error in told] for name, told in errors.items()} == {
        "LP-R2": [({"A": 0, "K": 0}, {"A": 2, "K": 0})],
        "LP-R3": [({"K": 0, "A": 0}, {"K": 6, "A": 0})],
    }


def test_the_record_is_current() -> None:
    """`python -m simkit.cases tests/cases/treatise-tables.json tests/cases/played-games.json`"""
    page = HERE.parent / "docs" / "printed_record.md"
    assert page.read_text(encoding="utf-8") == printed_record(FILES)


# ---------------------------------------------------------------- nothing passes unread


def leaves(part: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every single value; a set of rolls is one."""
    a_set = isinstance(part, list) and all(isinstance(item, str) for item in part)
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    if a_set or not items:
        yield way
        return
    for key, value in items:
        yield from leaves(value, (*way, key))


def at(part: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        part = part[step]
    return part


def altered(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return value[1:] if value else ["6-6"]
    return value + 1 if isinstance(value, int) else 1 if value is None else "another"


def with_altered(case: Any, way: tuple[Any, ...]) -> Any:
    wrong = copy.deepcopy(case)
    at(wrong, way[:-1])[way[-1]] = altered(at(wrong, way))
    return wrong


def sort_of(case: Any, way: tuple[Any, ...]) -> tuple[Any, ...]:
    return (case["kind"], *(re.sub(r"[\d-]+", "#", str(step)) for step in way))


def test_an_altered_number_does_not_pass(numbers: list[tuple[Any, CaseResult]]) -> None:
    """Two of each sort: the same place, whatever its number, in a case of the same kind."""
    tried: Counter[Any] = Counter()
    for case, result in numbers:
        if result.status != "passed":
            continue
        for key in ("recomputed", "recomputed_detail", "agree"):
            told, way = (case["rows"][0], ("rows", 0)) if "rows" in case else (case, ())
            for leaf in leaves(told.get(key), (*way, key)) if key in told else ():
                tried[sort_of(case, leaf)] += 1
                if tried[sort_of(case, leaf)] <= 2:
                    assert verdict(with_altered(case, leaf)).status != "passed", (case["id"], leaf)
    without_example = {"accounting", "break_count", "conserve_twice_same_roll", "hit_true_false"}
    assert {kind for kind, *_ in tried} == {*treatise.KINDS, "table_rows"} - without_example


NOT_COMPUTED = {"id", "title", "source", "kind", "confidence", "note", "reason", "figure_checks", "action"}
GIVEN_ONLY = {"start_score", "marked_in_source"}
"""What a game starts from; a change need not show in what is compared."""


def is_free(event: Any) -> bool:
    at_fault = event.get("legal") is False or "obligation_not_respected" in event
    return event["moves"] is None or at_fault


def test_an_altered_game_does_not_pass(games: list[tuple[Any, CaseResult]]) -> None:
    for case, _ in games:
        for leaf in leaves(case):
            if {*leaf} & (NOT_COMPUTED | GIVEN_ONLY) or "obligation_not_respected" in leaf:
                continue
            if leaf[-1] == "legal" and "obligation_not_respected" in at(case, leaf[:-1]):
                continue  # refused for another reason already
            if "state_in_source_after" in leaf and any(
                event["points_agree"] is False for event in case["events"][: leaf[1]]
            ):
                continue  # the source keeps a score of its own
            if {"dice", "both_numbers"} & {*leaf} and is_free(case["events"][leaf[1]]):
                continue  # another roll may score as much, and no legal play is told
            if leaf[-1] == "moves" and at(case, leaf) is None:
                continue
            if case["id"] == "JL-213" and "recomputed_points" in leaf and isinstance(at(case, leaf), str):
                continue  # men who may not stand so: their points are added up, not told apart
            assert verdict(with_altered(case, leaf)).status != "passed", (case["id"], leaf)


def objects(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        yield part
    for item in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from objects(item)


def test_a_key_nobody_knows_keeps_a_case_from_passing(
    numbers: list[tuple[Any, CaseResult]], games: list[tuple[Any, CaseResult]]
) -> None:
    passed = [case for case, result in reversed(numbers) if result.status == "passed"]
    for case in [*{case["kind"]: case for case in passed}.values(), *(case for case, _ in games)]:
        for place in range(len(list(objects(case)))):
            strange = copy.deepcopy(case)
            part = list(objects(strange))[place]
            if part in (strange.get("columns"), strange.get("published")):
                continue
            part["moonlight"] = True
            result = verdict(strange)
            assert result.status != "passed", (case["id"], part)
            assert "moonlight" in result.reason, (case["id"], result)


def changed(case: Any, *way: Any, to: Any) -> Any:
    at(case, way[:-1])[way[-1]] = to
    return case


@pytest.mark.parametrize(
    ("case", "status", "words"),
    [
        (changed(number("JL-131-b"), "kind", to="riddle"), "skipped", 'the kind "riddle"'),
        (changed(number("JL-131-b"), "kind", to="pips"), "skipped", "in prose only"),
        (changed(number("JL-131-b"), "params", to={}), "skipped", "in prose only"),
        (changed(number("JL-131-b"), "params", "moon", to=1), "skipped", "params.moon"),
        (changed(number("JL-131-b"), "params", "roll", to="1-5"), "failed", "is no roll"),
        (changed(number("JL-131-b"), "params", "target", to=16), "failed", "no lone man"),
        (changed(number("JL-131-b"), "to_roll", to="other"), "skipped", "to_roll"),
        (changed(number("JL-131-b"), "position", to=None), "skipped", "has position"),
        (changed(number("JL-131-b"), "position", "other", to={"10": 1}), "failed", "has 1 men"),
        (changed(number("LP-1-h12b"), "position", to={}), "skipped", "has no position"),
        (changed(number("JL-105-a"), "params", "quarter", to="adverse"), "skipped", "quarter"),
        (changed(number("JL-105-a"), "params", "ways", to=4), "failed", "from 1 to 3"),
        (changed(number("JL-105-a"), "recomputed", to=["6-2", "6-2"]), "failed", "a roll twice"),
        (changed(number("JL-105-a"), "recomputed", to=["2-6"]), "failed", "is no roll"),
        (changed(number("JL-078-a"), "params", "quarter", to="petit"), "failed", "not full"),
        (changed(number("JL-386-42"), "params", "roll", to="6-6"), "failed", "does not fill"),
        (changed(number("JL-284-a"), "params", "points", to=[9]), "failed", "not empty"),
        (changed(number("JL-284-a"), "params", "points", to=[10, 10]), "failed", "twice"),
        (changed(number("JL-289-b"), "params", "what", to="admire"), "skipped", "admire"),
        (changed(number("JL-289-b"), "position", "roller", to={"1": 13, "12": 2}), "failed", "already"),
        (changed(number("GU-XIX-10tf"), "params", "targets", to=[19]), "failed", "two men"),
        (changed(number("GU-XIX-10tf"), "quantity", to="both somehow"), "skipped", "no mode"),
        (changed(number("JL-199-a"), "recomputed", to=[[[1, 7], [4, 10]], []]), "failed", "does not go from"),
        (changed(number("JL-199-a"), "recomputed", to=[[3, 9], [6, 12]]), "failed", "no man stands on 3"),
        (changed(number("JL-199-a"), "recomputed", to=[[6, 25]]), "failed", "forward"),
        (changed(number("JL-199-a"), "recomputed", to=[[True, 7]]), "failed", "from an arrow"),
        (changed(number("JL-361-a"), "recomputed", to=12), "failed", "must be an object"),
        (changed(number("JL-371-01"), "position", "other", to={"1": 15}), "skipped", "nothing beyond"),
        (changed(game("GU-XIII"), "kind", to="a dream"), "skipped", "a dream"),
        (changed(game("GU-XIII"), "kind", to="from the start of a releve"), "failed", "on the talons"),
        (changed(game("GU-XIII"), "players", to=["B", "B"]), "failed", "two names"),
        (changed(game("GU-XIII"), "marks_given", to="perhaps"), "skipped", "perhaps"),
        (changed(game("GU-XIII"), "events", 0, "action", to="sings"), "skipped", "sings"),
        (changed(game("GU-XIII"), "events", 0, "moves", to=None), "skipped", "more events follow"),
        (changed(game("GU-XIII"), "events", 0, "legal", to=False), "failed", "allowed"),
        (changed(game("GU-XIII"), "events", 0, "dice", to=[3, 4]), "failed", "higher die"),
        (changed(game("LP-R3"), "events", 4, "legal", to=False), "failed", "no play is told"),
        (changed(game("JL-213"), "events", 0, "legal", to=True), "failed", "not a legal play"),
        (changed(game("JL-213"), "events", 1, "points_agree", to=True), "failed", "every mark"),
        (changed(game("LP-F31"), "events", 0, "obligation_not_respected", to=[]), "failed", "not a legal"),
    ],
)
def test_what_is_wrong_or_strange_is_named(case: Any, status: str, words: str) -> None:
    result = verdict(case)
    assert result.status == status, result
    assert words in result.reason


def test_a_table_nobody_knows_is_skipped() -> None:
    table: Any = copy.deepcopy(NUMBERS["tables"])[0]  # type: ignore[index]
    case = {**table, "rows": [table["rows"][0]], "id": "JL-TABLE-X#1"}
    assert verdict(case).reason == 'the table "JL-TABLE-X" is not known to this version'
    case = {**table, "rows": [table["rows"][0] | {"numbers": [1, 2, 3]}], "id": "JL-TABLE-C#1"}
    assert "about 2 numbers" in verdict(case).reason


# ---------------------------------------------------------------- kinds and turns without an example


def test_the_value_of_a_set() -> None:
    case = number("LP-1-ACC2")
    case |= {"params": {"holes": 9, "loser_holes": 8, "multiplier": 2}, "recomputed": 14, "published": 14}
    assert verdict(case).reason == ""
    case["recomputed"] = case["published"] = 15
    assert verdict(case).status == "failed"


def test_men_hit_truly_and_falsely() -> None:
    case = number("JL-331-b")
    case |= {"kind": "hit_true_false", "recomputed": {"true": [1, 3, 5, 7], "false": [2, 6]}}
    case["published"] = case["recomputed"]
    assert verdict(case).reason == ""
    case["recomputed"] = {"true": [1, 3, 5, 7], "false": [2]}
    assert verdict(case).status == "failed"
    case["recomputed"] = {"truly": []}
    assert verdict(case).status == "skipped"


@pytest.mark.parametrize(("roll", "twice"), [("6-6", True), ("5-4", False)])
def test_one_roll_conserves_twice(roll: str, twice: bool) -> None:
    """J.L. 1852, no 376: 6-6 leaves fifteen second rolls, and is one of them; 5-4 breaks at once."""
    case = number("JL-376-a")
    del case["recomputed_detail"]
    case |= {"kind": "conserve_twice_same_roll", "recomputed": twice, "published": twice}
    case["params"]["roll"] = roll
    assert verdict(case).reason == ""
    case["recomputed"] = not twice
    assert verdict(case).status == "failed"


def test_men_who_do_not_matter_are_nowhere() -> None:
    """Every roll but those that break by themselves conserves, wherever the roller's own men stand."""
    case = number("JL-376-a")
    del case["recomputed_detail"]
    case["position"]["other"] = None
    case |= {"kind": "conserve_rolls", "recomputed": [], "published": []}
    (found,) = [verdict(case).found["recomputed"]]
    behind = changed(copy.deepcopy(case), "position", "other", to={"24": 2, "off": 13})
    assert found == verdict(behind).found["recomputed"] != []
    case["position"]["roller"] = {"1": 1, "7": 2, "8": 2, "9": 2, "10": 2, "11": 2, "12": 4}
    assert verdict(case).found["recomputed"]
    case["position"]["roller"] = {"7": 2, "8": 2, "9": 2, "10": 2, "11": 2, "12": 4}
    assert verdict(case).reason == "position.roller has 14 men, not 15"


def test_a_forced_play_is_told_before_any_duty_to_fill() -> None:
    """5-4 may fill with the man on 1; the plays that do not are told too."""
    case = number("JL-199-a")
    case["position"] = {
        "roller": {"1": 3, "2": 2, "3": 2, "4": 3, "5": 2, "6": 1, "7": 2},
        "other": {"1": 13, "12": 2},
    }
    case["params"]["roll"] = "5-4"
    case["recomputed"] = case["published"] = [[1, 6], [1, 5]]
    result = verdict(case)
    assert result.status == "failed"
    assert len(result.found["recomputed"]) > 5  # type: ignore[arg-type]


def test_values_on_the_way_that_are_not_described_are_passed_over() -> None:
    case = number("JL-289-b") | {"recomputed_detail": {"by_hand": 3}}
    assert verdict(case).status == "passed"


def test_an_illegible_number_is_no_printed_error(numbers: list[tuple[Any, CaseResult]]) -> None:
    unread = [
        result for case, result in numbers if "rows" in case and None in _values(case["rows"][0]["published"])
    ]
    assert [(result.id, result.status, result.printed_errors) for result in unread] == [
        (f"JL-TABLE-F#{row}", "passed", ()) for row in (73, 168, 236)
    ]


def _values(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else [value]


def leaving() -> Any:
    """The second setting of a made-up game: K goes after the two holes of Lepeintre's sixth roll."""
    case = game("LP-R2")
    del case["events"][11:]
    case["events"][9]["marked_in_source"] = [{"to": "A", "points": 2, "reason": "the man on G"}]
    case["events"][9]["points_agree"] = True
    last = case["events"][10]
    last["action"] = "K leaves (s'en va)"
    last["state_in_source_after"] = {"K": {"points": 2, "holes_won": 1, "holes": 7}, "A": {"points": 0}}
    nothing: dict[str, Any] = {
        "marked_in_source": [],
        "recomputed_points": {"player": [], "other": []},
        "points_agree": True,
    }
    moves = [{"from": 1, "to": to, "both_numbers": False} for to in (7, 6)]
    state = {"K": {"points": 0, "holes": 7}}
    case["events"].append(
        {"n": 12, "player": "K", "dice": [6, 5], "moves": moves, "state_in_source_after": state} | nothing
    )
    case["end"] = {"K": {"1": 13, "6": 1, "7": 1}, "A": {"1": 15}}
    case["figure_checks"] = []
    return case


def test_who_goes_rolls_first_and_every_point_is_wiped() -> None:
    assert verdict(leaving()).reason == ""
    for way in (("state_in_source_after", "K", "holes"), ("state_in_source_after", "K", "points")):
        assert verdict(with_altered(leaving(), ("events", 11, *way))).status == "failed"
    assert "player" in verdict(changed(leaving(), "events", 11, "player", to="A")).reason
    early = leaving()
    early["events"][8]["action"] = "K leaves"
    assert "a hole before leaving" in verdict(early).reason


@pytest.mark.parametrize("score", [None, {"K": None, "A": {"points": None, "holes": 0}}])
def test_a_score_that_is_not_told_is_not_compared(score: Any) -> None:
    case = changed(leaving(), "start_score", to=score)
    case["events"][8]["state_in_source_after"]["K"]["points"] = 10
    assert verdict(case).status == "passed"


def test_a_fragment_does_not_tell_who_is_in_bredouille() -> None:
    """Eight points and twelve more make one hole or two; what does not fit either fails."""
    for holes, status in ((1, "passed"), (2, "passed"), (3, "failed")):
        case = game("GU-XIII")
        case["start_score"]["B"] = {"points": 8, "holes": 0}
        case["events"][1]["state_in_source_after"] = {"B": {"points": 8, "holes_won": holes}}
        assert verdict(case).status == status


def test_a_play_that_is_not_refused_is_no_fault() -> None:
    case = game("LP-F31")
    case["events"][0]["moves"] = [{"from": 6, "to": 8, "both_numbers": False}]
    case["events"][0]["moves"].append({"from": 2, "to": 6, "both_numbers": False})
    assert "allowed: expected false, found true" in verdict(case).reason


# ---------------------------------------------------------------- the record


def test_the_record_is_printed_by_the_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["cases", str(FILES[1])])
    runpy.run_module("simkit.cases", run_name="__main__")
    assert "| Lepeintre, Cours complet de trictrac, 1818 | 4 | 0 | 24 | 18 | 16 |" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["cases"])
    with pytest.raises(SystemExit, match="usage"):
        runpy.run_module("simkit.cases", run_name="__main__")
    monkeypatch.setattr(sys, "argv", ["cases", "nowhere.json"])
    with pytest.raises(SystemExit, match="2"):
        runpy.run_module("simkit.cases", run_name="__main__")


def test_a_file_whose_format_is_no_object_is_recorded_without_titles(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text('{"format": 3, "cases": [{}]}')
    assert printed_record([path]).startswith("# The printed record")


def test_a_number_that_contradicts_the_engine_is_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text('{"cases": [{"id": "a", "published": 1, "recomputed": 1, "kind": "numbers"}]}')
    with pytest.raises(UsageError, match="a: params is missing"):
        printed_record([path])
