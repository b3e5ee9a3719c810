"""The reader of worked examples: what the engine must pass, and that nothing passes unread."""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reference.field_examples import MARKINGS, MarkingExample

from simkit import catalogue
from simkit.cases import CaseResult, cases_of, judge, judge_files, read_file, same
from simkit.cases import base as base_cases
from simkit.cases import combine as combine_cases
from simkit.cases import match as match_cases
from simkit.cases import pools as pool_cases
from simkit.cases import tables as tables_cases
from simkit.cases import turns as turns_cases
from simkit.cases.reading import Check, differing
from simkit.errors import UsageError

FILES = [Path(__file__).parent / "cases" / name for name in ("cases-base.json", "cases-match.json")]
BASE, MATCH = (read_file(path) for path in FILES)
CASES: list[Any] = [*BASE["cases"], *MATCH["cases"]]  # type: ignore[misc]
CASE_PRESETS: Any = MATCH["meta"]["case_presets"]  # type: ignore[index]
TYPES = {
    *match_cases.TYPES,
    *turns_cases.TYPES,
    *pool_cases.TYPES,
    *combine_cases.TYPES,
    *tables_cases.TYPES,
    tables_cases.COMPARING,
}


def verdict(case: Any) -> CaseResult:
    return judge(case, catalogue.rule_set, {k: v for k, v in CASE_PRESETS.items() if k != "about"})


def is_not_built(case: Any) -> bool:
    """Whether a case asks for a type or a rule set that there is not."""
    if "kind" in case:
        return False
    names = catalogue.names()
    preset = case["rules"].get("preset", case["rules"].get("variant"))
    return case["type"] not in TYPES or (
        preset is not None and preset not in {*names.rule_sets, *names.aliases, *CASE_PRESETS}
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
    # A swing is asked in another file, and nobody asks for the count of starts; they have tests below.
    assert met == {*base_cases.KINDS, *TYPES} - {"swing", "tt225_count"}


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
        (changed("RD-01", "rules", "round_five", to="coin"), "skipped", "round_five"),
        (changed("GT-02", "input", "rounded_in_favour_of_P1", to=10), "skipped", "rounded to 10"),
        (changed("PE-01", "rules", "continuation", to=True), "skipped", "continuation = true"),
        (changed("PE-01", "input", "roller_holes", to=0), "failed", 'expected {"P1": 12, "P2": 11}'),
        (changed("HN-01", "input", "hole_events", 0, "holes", to=0), "failed", "hole_events[0].holes is 0"),
        (changed("HN-01", "input", "hole_events", 0, "by", to="P3"), "skipped", "hole_events[0].by"),
        (changed("SV-16", "input"), "failed", "winner_holes is missing"),
        (changed("PE-01", "rules", "preset", to="ecrire_academie"), "skipped", "not a partie"),
        (changed("PE-01", "input", "holes_before", "P1", to=12), "failed", "over before"),
        (changed("FD-01", "input", "results", 0, to="P3"), "failed", "P1, P2 or refait"),
        (changed("TT-02", "input", "rolls", to=[[4, 4], [2, 5]]), "failed", "two rolls of different dice"),
        (changed("TT-02", "input", "rolls", 0, to=[0, 1]), "failed", "a roll, two numbers from 1 to 6"),
        (changed("TT-02", "rules", "preset", to="classical"), "skipped", "classical is trictrac"),
        (changed("TS-01", "input", "game_starters", 1, to="P1"), "failed", "begins twice in a row"),
        (changed("TS-01", "input", "games", to=3), "failed", "for each of 3 games"),
        (changed("TS-01", "rules", "starts_per_position", to=0), "skipped", "games_per_start = 0"),
        (changed("BO-01", "input", "own", "25", to=1), "failed", "distance from 1 to 24"),
        (changed("BO-01", "input", "own", "2", to=15), "failed", "16 men"),
        (changed("BO-01", "input", "own", "1", to=1), "failed", "both sides stand on 24"),
        (changed("BO-02", "input", "own", "bar", to=1), "skipped", "an opponent without men"),
        (changed("BO-01", "rules", "compare", to=[]), "failed", "names no rule set"),
        (changed("BO-01", "rules", "compare", 0, to="acey_deucey"), "skipped", "acey_deucey"),
        (changed("BO-01", "rules", "compare", 0, to="twelve_hole"), "skipped", "twelve_hole is trictrac"),
        (changed("RS-03", "input", "loser_borne_off", to=15), "failed", "whole number from 0 to 14"),
        (changed("RS-03", "expected", "points", "moonlight", to=1), "skipped", "moonlight"),
        (changed("SH-01", "expected", "rolls", "24", to=1), "failed", "a number from 1 to 23"),
        (changed("SH-01", "rules", "doubles_played", to="five_times"), "skipped", "doubles_played"),
    ],
)
def test_a_case_that_is_wrong_says_where(case: Any, status: str, words: str) -> None:
    result = verdict(case)
    assert result.status == status, result
    assert words in result.reason


JUNK: list[Any] = [
    None,
    True,
    0,
    -1,
    10**30,
    1.5,
    float("inf"),
    "",
    "x",
    [],
    [1],
    [[]],
    {},
    {"a": 1},
    {"P1": 0},
]


def spoiled(cases: list[Any], rng: random.Random) -> Any:
    """A case in which one place, whatever it holds, is lost or holds something else."""
    case = copy.deepcopy(rng.choice(cases))
    place = rng.choice([part for part in parts(case) if part])
    key = rng.choice([*place] if isinstance(place, dict) else range(len(place)))
    if rng.random() < 0.2:
        del place[key]
    else:
        place[key] = rng.choice(JUNK)
    return case


def parts(part: Any) -> Iterator[Any]:
    """Every object and list of a case, itself included."""
    if isinstance(part, dict | list):
        yield part
        for item in part.values() if isinstance(part, dict) else part:
            yield from parts(item)


@pytest.mark.parametrize("name", sorted(path.name for path in FILES[0].parent.iterdir()))
def test_a_spoiled_case_is_judged_all_the_same(name: str) -> None:
    """Whatever is wrong with a case, there is a verdict, and a reason with it unless it passes."""
    path = FILES[0].parent / name
    rng = random.Random(1698)
    by_kind: dict[str, list[Any]] = {}
    for case, _ in cases_of(path, read_file(path)):
        by_kind.setdefault(str(case.get("kind", case.get("type"))), []).append(case)
    found: Counter[str] = Counter()
    for cases in by_kind.values():
        for _ in range(6):
            result = verdict(spoiled(cases, rng))
            found[result.status] += 1
            assert result.reason or result.status == "passed"
    assert found["failed"] > found["passed"] > 0


# ---------------------------------------------------------------- kinds without an example in the files


def after_marking(config: dict[str, Any], example: MarkingExample, *, goes: bool) -> CaseResult:
    """Judge a sequence of one roll of A, expecting what the example says of the field changed."""
    expected = example.changed if config else example.default
    names, sides = ("A", "B"), (0, 1)
    step: dict[str, Any] = {
        "roller": "A",
        "roller_points": example.roller_points,
        "other_points": example.other_points,
        "sortie": example.sortie,
        "next_roller": "A" if goes or example.sortie else "B",
        "after": {
            names[who]: {
                "points": expected.points[who],
                "holes": expected.holes[who],
                "bredouille": expected.bredouille[who],
            }
            for who in sides
        },
    }
    if example.default.holes[0]:
        step["decision"] = "go" if goes else "hold"
    initial = {
        name: {"points": example.points[who], "holes": 0, "bredouille": False}
        for who, name in enumerate(names)
    }
    case = {
        "id": "a",
        "kind": "score_sequence",
        "config": config,
        "initial": initial,
        "expect": {"steps": [step]},
    }
    return verdict(case)


@pytest.mark.parametrize("example", MARKINGS, ids=[example.field for example in MARKINGS])
def test_a_sequence_is_marked_by_the_fields_of_its_config(example: MarkingExample) -> None:
    changed = {example.field: example.value}
    assert after_marking({}, example, goes=example.default.went).reason == ""
    assert after_marking(changed, example, goes=example.changed.went).reason == ""
    if example.default.went and not example.changed.went:
        assert "only after a hole" in after_marking(changed, example, goes=True).reason


def test_a_school_may_end_the_game() -> None:
    side = {"points": 10, "holes": 11, "bredouille": False}
    step = {"roller": "A", "roller_points": 0, "other_points": 0, "ecole_to": "B", "ecole_points": 2}
    case: Any = {
        "id": "a",
        "kind": "score_sequence",
        "initial": {"A": side, "B": side},
        "expect": {"steps": [step]},
    }
    assert 'game_over: expected null, found "B"' in verdict(case).reason
    step["game_over"] = "B"
    assert verdict(case).reason == ""


def test_mezeas_may_be_tied_to_the_roll_after_the_corner_was_taken() -> None:
    case = by_id("open-mezeas-61")
    case["config"] = {"mezeas_window": "next_roll_only"}
    case["context"] = {"mover_took_corner_on_previous_roll": True}
    assert verdict(case).reason == ""
    case["context"]["mover_took_corner_on_previous_roll"] = False
    assert verdict(case).status == "failed"


def test_a_record_remembers_who_has_just_taken_his_corner() -> None:
    """6-6, 6-6 and 5-5 bring two men to the corner; the ace comes on the roll after it, or too late."""
    case = by_id("game-soumille-1")
    names = ("cloris", "damon")
    score = {name: {"points": 0, "holes": 0, "bredouille": False} for name in names}
    rolls: list[Any] = [
        ("cloris", [6, 5], [[1, 7], [1, 6]], []),
        ("damon", [6, 5], [[1, 7], [1, 6]], []),
        ("cloris", [6, 5], [[6, 12], [7, 12]], []),
        ("damon", [2, 1], [[1, 3], [1, 2]], []),
        ("cloris", [2, 1], None, [{"jan": "mezeas", "beneficiary": "mover", "points": 4}]),
    ]
    moves = [
        {"n": n, "player": player, "dice": dice}
        | ({"moves": played} if played else {})
        | ({"awards": awards} if awards else {})
        for n, (player, dice, played, awards) in enumerate(rolls, start=1)
    ]
    moves[-1]["moves"] = [[1, 3], [1, 2]]
    case["config"] = {"mezeas_window": "next_roll_only"}
    case["expect"] = {"start_score": score, "moves": moves}
    found = verdict(case).found
    assert {"jan": "mezeas", "beneficiary": "mover", "points": 4}.items() <= found["roll 5: awards"][
        0
    ].items()  # type: ignore[index]


def test_a_record_does_not_say_whether_it_begins_the_game() -> None:
    case = by_id("game-soumille-1")
    case["config"] = {"jan_de_rencontre_enabled": True}
    assert "jan de rencontre" in verdict(case).reason


def test_a_roller_who_goes_denies_the_other_his_last_hole() -> None:
    case = by_id("PE-01")
    case["input"] |= {"holes_before": {"P1": 9, "P2": 11}, "roller_stays": False}
    case["expected"] = {"holes": {"P1": 10, "P2": 11}, "winner": None}
    assert verdict(case).reason == ""
    case["input"]["roller_stays"] = True
    assert verdict(case).found == {"holes": {"P1": 10, "P2": 12}, "winner": "P2"}
    case["input"] |= {"roller_holes": 0, "roller_stays": False}
    assert "only after a hole" in verdict(case).reason


def test_a_game_of_honours_after_another() -> None:
    case = by_id("HN-05")
    case["input"]["hole_events"] += [{"by": "P1", "holes": 2}, {"by": "P2", "holes": 12}]
    case["expected"] = {
        "games": [{"winner": "P2", "multiplier": 4}, {"winner": "P2", "multiplier": 3}],
        "holes_now": {"P1": 0, "P2": 0},
    }
    assert verdict(case).reason == ""
    case["rules"] = {"preset": "twelve_hole_honours", "honours": False}
    case["expected"]["games"] = [{"winner": "P2", "multiplier": 1}] * 2
    assert verdict(case).reason == ""


@pytest.mark.parametrize(
    "config",
    [
        {"movement_scope": "own_half", "max_men_per_point": 2},
        {"movement_scope": "own_half", "stall_limit": 100, "men_per_player": 15, "ecole_enabled": False},
        {"max_men_per_point": 2, "stall_limit": 100},
        {"jan_points": {"simple": 4, "doublet": 6}, "hit_points": {"grand": {"simple": 2, "doublet": 4}}},
    ],
)
def test_the_fields_of_a_config_are_laid_together(config: dict[str, Any]) -> None:
    """The roll of two men on the corner and an ace scores the same; that the rules can be built is the point."""
    case = by_id("open-mezeas-61")
    case["config"] = config
    assert verdict(case).status == "passed", verdict(case).reason


def test_a_config_that_cannot_be_played_names_its_fields() -> None:
    case = by_id("open-mezeas-61")
    case["config"] = {"max_men_per_point": 2, "jan_points": 7}
    assert verdict(case).status == "skipped"
    assert "rule field jan_points = 7 is not known" in verdict(case).reason


def test_a_partie_without_a_preset_and_on_another_base() -> None:
    case = by_id("PE-01")
    case["rules"] = {
        "target_holes": 13,
        "base_game": "academie",
        "men_per_player": 15,
        "surplus_holes": "ignored",
    }
    case["expected"] = {"holes": {"P1": 12, "P2": 12}, "winner": None}
    assert verdict(case).reason == ""
    case["rules"]["base_game"] = "whist"
    assert (verdict(case).status, verdict(case).reason[:16]) == ("skipped", "the preset whist")


def test_dice_decide_a_five_one_way_or_the_other() -> None:
    case = by_id("RD-01")
    case["rules"] = {"round_unit": 10, "round_five": "die"}
    for exact, rounded in ((14, 10), (-15, {"either": [-20, -10]}), (16, 20)):
        case["input"], case["expected"] = {"exact": exact}, {"rounded": rounded}
        assert verdict(case).reason == ""


def test_how_a_five_is_rounded_need_not_be_told_for_the_general_tail() -> None:
    case = by_id("GT-02")
    case["input"] = {"exact_in_favour_of_P1": 5, "rounded_in_favour_of_P1": 0, "general_tail": 30}
    case["rules"] = {"general_tail_basis": "exact"}
    case["expected"] = {"money_in_favour_of_P1": 30}
    assert verdict(case).reason == ""


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
        (b'{"cases": [{"id": ' + b"[" * 100 + b"]" * 100 + b"}]}", "nested too deeply"),
        (b'{"cases": [{"id": "\\ud800"}]}', "a character that cannot be written"),
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
        (b'{"cases": [{}], "meta": {"case_presets": 1}}', "meta.case_presets is 1"),
        (b"[]", "holds no cases: its lists are empty"),
        (b'{"cases": [], "games": []}', "holds no cases: its lists are empty"),
        (b'{"tables": [{"rows": []}]}', "holds no cases: its lists are empty"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        judge_files([path], catalogue.rule_set)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


def test_an_id_that_stands_twice_fails(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    riddle = {"id": "riddle", "kind": "riddle"}
    path.write_text(json.dumps({"cases": [by_id("SV-16"), by_id("SV-16"), riddle, riddle]}))
    results = judge_files([path, path], catalogue.rule_set).results  # once in each of two files is no fault
    assert [one.status for one in results] == ["passed", "failed", "skipped", "failed"] * 2
    assert results[1].reason == "cases.json has another case with the id SV-16"
    assert results[3].reason.startswith("cases.json has another case with the id riddle; the kind")


@pytest.mark.parametrize(
    ("document", "remark"),
    [
        ({"count": 2}, "count is 2, and the file holds 1"),
        ({"meta": {"count": "one"}}, 'meta.count is "one", and the file holds 1'),
        ({"format": {"count": 0}}, "format.count is 0, and the file holds 1"),
        ({"meta": {"count": 1}}, ""),
    ],
)
def test_a_count_that_is_wrong_is_a_remark(tmp_path: Path, document: Any, remark: str) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": [by_id("SV-16")], **document}))
    report = judge_files([path], catalogue.rule_set)
    assert report.count("passed") == 1
    assert report.remarks == ((f"{path}: {remark}",) if remark else ())


@pytest.mark.parametrize(
    ("expected", "found", "words"),
    [
        (17, 16, ["p: expected 17, found 16"]),
        (["a" * 30] * 3, ["a" * 30, "b", "a" * 30], [f'p[1]: expected "{"a" * 30}", found "b"']),
        ({"x": "a" * 60, "y": {"z": True}}, {"x": "a" * 60, "y": {"z": 1}},
         ['p.y: expected {"z": true}, found {"z": 1}']),
        ({"x": "a" * 60}, {}, [f'p.x: expected "{"a" * 60}", found nothing']),
        (["a" * 50, "b", "c"], ["b", "c", "d" * 50], [f'p: expected "{"a" * 50}", found "{"d" * 50}"']),
        (["a" * 60, "b"], ["b"], [f'p: "{"a" * 60}" is expected and not found']),
        (["b"], ["a" * 60, "b"], [f'p: "{"a" * 60}" is found and not expected']),
        (["a" * 60, "b"], ["b", "a" * 60], [f'p[0]: expected "{"a" * 60}", found "b"; the same in another order']),
        ("a" * 500 + "b", "a" * 500 + "c" * 200,
         [f'p: expected …{"a" * 40}b", found …{"a" * 40}{"c" * 80}…']),
    ],
)  # fmt: skip
def test_where_values_differ_is_told(expected: Any, found: Any, words: list[str]) -> None:
    assert [*differing("p", expected, found)] == words
    assert [*differing("p", found, found)] == []


def test_many_differences_are_counted() -> None:
    check = Check()
    check.compare("p", [*range(100)], [*range(100, 200)])
    first, *_, last = check.differences()
    assert (first, last) == ("p[0]: expected 0, found 100", "p: 92 more differences")


def test_a_file_that_is_missing_a_folder_or_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, words in ((tmp_path / "none.json", "No such file"), (tmp_path, "is a folder")):
        with pytest.raises(UsageError, match=words):
            read_file(path)
    monkeypatch.setattr("simkit.cases.reading.MAX_BYTES", 1000)
    with pytest.raises(UsageError, match="at most 1,000"):
        read_file(FILES[0])


def test_a_name_that_would_disturb_the_page_is_written_as_json() -> None:
    assert verdict({"id": "a\u001b[31m\nb", "kind": "x"}).id == '"a\\u001b[31m\\nb"'
    assert len(verdict({"id": "a" * 1000, "kind": "x"}).id) == 60


def test_a_bare_list_of_cases_and_a_byte_order_mark_will_do(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([by_id("SV-16")]).encode())
    assert judge_files([path], catalogue.rule_set).count("passed") == 1


# ---------------------------------------------------------------- the written game beyond the files


@pytest.mark.parametrize(("held", "owed", "returned", "drawn"), [(1, 4, 1, 3), (5, 4, 4, 0), (0, 2, 0, 2)])
def test_fish_won_are_handed_back_before_others_are_drawn(
    held: int, owed: int, returned: int, drawn: int
) -> None:
    """Source 001, Match settlement: who owes four fish and holds one hands that back and draws three."""
    case = {
        "id": "fish",
        "type": "fish_flow",
        "rules": {"preset": "ecrire_classical"},
        "input": {"fish_held_by_payer": held, "fish_owed": owed},
        "expected": {"fish_returned": returned, "fish_drawn": drawn},
    }
    assert verdict(case).status == "passed"
    case["expected"] = {"fish_returned": returned, "fish_drawn": drawn + 1}
    assert verdict(case).status == "failed"


def test_a_stake_that_pays_itself_leaves_no_fish_to_tell_of() -> None:
    case = copy.deepcopy(next(case for case in MATCH["cases"] if case["id"] == "FF-02"))  # type: ignore[index]
    case["input"]["loss"] = 15
    case["expected"] = {"total_loss_in_fish_units": {"either": [10, 20]}}
    assert verdict(case).status == "passed"
    case["expected"] = {"jetons_left_if_two_fish_drawn": 5}
    assert verdict(case).status == "skipped"
    case["input"] = {"stake": 0, "loss": 7}
    assert "too few to pay 7 with fish of 10" in verdict(case).reason


@pytest.mark.parametrize("die", ["own", "opp"])
def test_a_limit_of_holes_ends_a_set_on_either_die(die: str) -> None:
    case = {
        "id": "limit",
        "type": "set_events",
        "rules": {"preset": "ecrire_malfilatre", "max_holes_per_set": 12},
        "input": {
            "refaits_before": 0,
            "events": [
                {"by": "P1", "holes": 7, "die": "own", "then": "hold"},
                {"by": "P2", "holes": 14, "die": die},
            ],
        },
        "expected": {"status": "won", "winner": "P2", "holes": {"P1": 7, "P2": 12}, "kind": "grande"},
    }
    result = verdict(case)
    assert (result.status, result.reason) == ("passed", "")


def test_presets_of_the_files_are_those_of_the_catalogue() -> None:
    """What the case files write out in full and the catalogue has too is the same."""
    from simkit.cases.rule_sets import of_preset

    names = {name for name in CASE_PRESETS if name in catalogue.names().rule_sets}
    assert names == {"ecrire_jl1852"}
    for name in names:
        assert of_preset(name, catalogue.rule_set, CASE_PRESETS).digest == catalogue.rule_set(name).digest


# ---------------------------------------------------------------- toutes tables


STARTS: Any = {
    "id": "a",
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


def test_the_starts_are_counted() -> None:
    assert verdict(STARTS).reason == ""
    for key, value in STARTS["expected"].items():
        wrong = copy.deepcopy(STARTS)
        wrong["expected"][key] = altered(value)
        if key == "pips_mean":
            wrong["expected"][key] = 165.34
        assert verdict(wrong).reason.startswith(f"{key}: expected")


@pytest.mark.parametrize(
    ("rules", "played", "winner", "score"),
    [
        ({}, 3, "P1", [3, 1]),
        ({"match_end_mid_pair": False}, 5, None, [3, 4]),
        ({"match_end_mid_pair": False, "match_points": 2}, 2, "P1", [2, 1]),
        ({"match_points": 4}, 5, "P2", [3, 4]),
    ],
)
def test_a_match_to_points_ends(rules: Any, played: int, winner: str | None, score: list[int]) -> None:
    games = [("P1", 2), ("P2", 1), ("P1", 1), ("P2", 2), ("P2", 1)]
    case = {
        "id": "a",
        "type": "tt225_schedule",
        "rules": {"preset": "toutes_tables_225", **rules},
        "input": {"game_points": [{"winner": who, "points": points} for who, points in games]},
        "expected": {
            "match_winner": winner,
            "games_played": played,
            "score": {"P1": score[0], "P2": score[1]},
        },
    }
    assert verdict(case).reason == ""


def test_every_reading_of_the_double_game() -> None:
    for off, home, points in ((0, False, (2, 2, 2)), (0, True, (1, 2, 2)), (2, False, (1, 1, 2))):
        case = by_id("RS-03")
        case["input"] = {"loser_borne_off": off, "loser_all_in_return_jan": home}
        names = ("off0_and_not_all_home", "off0", "off0_or_not_all_home")
        case["expected"]["points"] = dict(zip(names, points, strict=True))
        assert verdict(case).reason == ""


def test_results_of_bearing_off_have_one_total_each() -> None:
    case = by_id("BO-01")
    case["expected"]["backgammon"][0]["points_used"] = [3, 4]
    assert verdict(case).status == "failed"
    case["expected"]["backgammon"].pop()
    assert verdict(case).status == "failed"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("mult_petite", "a", "a number"), ("round_five", 5, "a word"), ("sets", True, "a number")],
)
def test_a_rule_of_another_kind_than_any_version_takes_fails(field: str, value: object, words: str) -> None:
    case = {
        "id": "SV-X",
        "type": "set_value",
        "rules": {"preset": "ecrire_academie", field: value},
        "input": {"winner_holes": 7, "loser_holes": 1, "refaits_before": 0, "run_intact": True},
        "expected": {"value": 17},
    }
    found = verdict(case)
    assert found.status == "failed"
    assert f"rules.{field}" in found.reason
    assert words in found.reason
