"""Rule sets go to JSON and back; what cannot be read is told in the same words as a wrong construction."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simkit import catalogue
from simkit.errors import ConfigError
from simkit.rules import SCHEMA, RuleSet, TokenTailTie, apply_all


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        RuleSet.from_json(text)
    return caught.value.problems


def document(**changes: Any) -> str:
    plain = json.loads(catalogue.rule_set("ecrire_academie").to_json())
    return json.dumps(plain | changes)


@pytest.mark.parametrize("name", catalogue.names().rule_sets)
def test_every_rule_set_of_the_catalogue_survives_json(name: str) -> None:
    rules = catalogue.rule_set(name)
    again = RuleSet.from_json(rules.to_json())
    assert again == rules
    assert again.to_json() == rules.to_json()
    assert (again.digest, again.play_digest) == (rules.digest, rules.play_digest)


def test_values_far_from_the_defaults_survive_json() -> None:
    rules = apply_all(
        catalogue.rule_set("ecrire_academie"),
        {
            "game.hit_points.grand": {"simple": 1, "doublet": 3},
            "game.pile_de_misere_enabled": True,
            "match.sets": 24,
            "settlement.round_unit": None,
            "settlement.token_tail_tie": TokenTailTie.NONE,
        },
    )
    assert RuleSet.from_json(rules.to_json()) == rules


def test_json_names_schema_and_types_and_writes_every_field() -> None:
    plain = json.loads(catalogue.rule_set("classical").to_json())
    assert plain["schema"] == SCHEMA
    assert plain["game"]["type"] == "Trictrac"
    assert plain["match"]["type"] == "TwelveHoles"
    assert plain["match"]["settlement"] == {
        "type": "PartieSettlement",
        "price_scheme": "plain",
        "honours_double_max_loser_holes": 6,
    }
    assert plain["game"]["jan_points"] == {"simple": 4, "doublet": 6}


def test_a_field_left_out_takes_its_default() -> None:
    short = {"schema": SCHEMA, "name": "short", "title": "Short", "game": {}, "match": {"type": "Written"}}
    rules = RuleSet.from_json(json.dumps(short))
    assert rules.match.settlement == catalogue.rule_set("ecrire_academie").match.settlement


def test_every_problem_of_every_part_is_told_at_once() -> None:
    text = json.dumps(
        {
            "schema": SCHEMA,
            "name": "Bad name",
            "sources": [{"wrk": "Guiton"}, 3],
            "game": {"jan_points": {"simple": -1, "doublet": 6}, "points_per_hole": True},
            "match": {
                "type": "Written",
                "sets": 7,
                "settlement": {"tail_of_sets": -20, "round_five": "dice", "tail": 1},
            },
        }
    )
    assert {problem.partition(":")[0] for problem in problems(text)} == {
        "name",
        "title",
        "sources[0].wrk",
        "sources[0].work",
        "sources[1]",
        "game.jan_points.simple",
        "game.points_per_hole",
        "match.sets",
        "settlement.tail_of_sets",
        "settlement.round_five",
        "settlement.tail",
    }


def test_unknown_keys_and_types_are_refused() -> None:
    assert problems(document(mach={})) == ("mach: no such field; did you mean match?",)
    (problem,) = problems(document(match={"type": "Combined"}))
    fitting = "TwelveHoles, Written, Combine, PointMatch, PoolFill or PoolDrain"
    assert problem == f"match.type: 'Combined' is not allowed; {fitting}"
    assert problems(document(match={"sets": 8})) == (
        "match.type: missing; TwelveHoles, Written, Combine, PointMatch, PoolFill or PoolDrain",
    )
    (problem,) = problems(document(match={"type": "Written", "settlement": {"type": "PartieSettlement"}}))
    assert problem == "match.settlement.type: 'PartieSettlement' is not allowed; Settlement"
    assert problems(document(game=[])) == ("game: [] is not allowed; a Trictrac or a Tables",)
    assert problems(document(sources={"work": "Guiton"})) == (
        "sources: {'work': 'Guiton'} is not allowed; a tuple, each item a Source",
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON: Expecting property name"),
        ("[]", "[] is not allowed; an object with the fields of a rule set"),
        ("{}", f"schema: None is not allowed; {SCHEMA}"),
        ('{"schema": "simkit.rule_set/9"}', f"schema: 'simkit.rule_set/9' is not allowed; {SCHEMA}"),
        ('{"a": 1, "a": 2}', "a: given twice"),
        ("[" * 100_000, "nested too deeply to be a rule set"),
        ("[" * 500 + "]" * 500, "nested too deeply to be a rule set"),
        ('{"schema":' * 300 + "1" + "}" * 300, "nested too deeply to be a rule set"),
        ('{"sets": ' + "9" * 6000 + "}", "not JSON: a number of thousands of digits cannot be read"),
        ('{"sets": NaN}', "NaN is not a number that JSON knows"),
        ('{"sets": -Infinity}', "-Infinity is not a number that JSON knows"),
    ],
)
def test_text_that_is_no_rule_set(text: str, words: str) -> None:
    assert problems(text)[0].startswith(words)


@pytest.mark.parametrize("value", [8.0, "8", True, None, [8], {"sets": 8}])
def test_no_value_is_converted(value: object) -> None:
    (problem,) = problems(document(match={"type": "Written", "sets": value}))
    assert problem.startswith("match.sets: ")
    assert "an even number from 2 to 24" in problem


def test_a_number_that_fits_no_field_is_told_shortened() -> None:
    (problem,) = problems(document(match={"type": "Written", "sets": 10**4000}))
    assert problem.startswith("match.sets: 1000")
    assert len(problem) < 200


def test_a_byte_order_mark_is_passed_over() -> None:
    rules = catalogue.rule_set("ecrire_academie")
    assert RuleSet.from_json("\ufeff" + rules.to_json()) == rules


@pytest.mark.parametrize("name", catalogue.names().rule_sets)
def test_kind_and_digests_may_be_there_if_they_fit(name: str) -> None:
    rules = catalogue.rule_set(name)
    shown = {"kind": "rule_set", "play_digest": rules.play_digest, "digest": rules.digest}
    plain = json.loads(rules.to_json())
    assert RuleSet.from_json(json.dumps({**shown, **plain})) == rules
    assert RuleSet.from_json(json.dumps({**plain, "digest": rules.digest})) == rules


def test_kind_and_digests_that_do_not_fit_are_refused() -> None:
    rules = catalogue.rule_set("ecrire_academie")
    changed = rules.with_settlement(tail_of_sets=0)
    plain = json.loads(changed.to_json())
    text = json.dumps({**plain, "play_digest": rules.play_digest, "digest": rules.digest})
    (problem,) = problems(text)
    assert problem.startswith(
        f"digest: {rules.digest[:12]}... is not that of these rules, {changed.digest[:12]}"
    )
    assert problem.endswith("leave it out if you changed them")
    text = json.dumps({**plain, "play_digest": 5, "digest": None})
    assert [one.partition(":")[0] for one in problems(text)] == ["play_digest", "digest"]
    assert problems(document(kind="player")) == ("kind: 'player' is not allowed; rule_set",)
