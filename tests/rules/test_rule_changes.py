"""Variants: with_*, dotted paths, differences."""

from __future__ import annotations

import pytest

from simkit import catalogue
from simkit.errors import ConfigError
from simkit.rules import (
    ABSENT,
    BearOffExactPolicy,
    Difference,
    RuleSet,
    SetFirstDie,
    Tariff,
    TokenTailBasis,
    Written,
    apply,
    apply_all,
    diff,
    sameness,
)


@pytest.fixture
def academie() -> RuleSet:
    return catalogue.rule_set("ecrire_academie")


def test_with_changes_one_part_and_keeps_the_rest(academie: RuleSet) -> None:
    changed = academie.with_game(points_per_hole=10).with_match(sets=12).with_settlement(tail_of_sets=0)
    assert changed.game.points_per_hole == 10
    assert isinstance(changed.match, Written)
    assert (changed.match.sets, changed.match.settlement.tail_of_sets) == (12, 0)
    assert [str(one) for one in diff(academie, changed)] == [
        "game.points_per_hole: 12 | 10",
        "match.sets: 8 | 12",
        "settlement.tail_of_sets: 20 | 0",
    ]


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("settlement.tail_of_sets", 0, 0),
        ("match.settlement.tail_of_sets", 0, 0),
        ("settlement.round_unit", None, None),
        ("settlement.token_tail_basis", "holdings", TokenTailBasis.HOLDINGS),
        ("settlement.token_tail_basis", TokenTailBasis.HOLDINGS, TokenTailBasis.HOLDINGS),
        ("match.set_first_die", "alternate", SetFirstDie.ALTERNATE),
        ("game.jan_points.simple", 2, 2),
        ("game.hit_points.petit", {"simple": 2, "doublet": 4}, Tariff(simple=2, doublet=4)),
        ("game.hit_points.petit", Tariff(simple=2, doublet=4), Tariff(simple=2, doublet=4)),
        ("game.pile_de_misere_enabled", True, True),
        ("game.max_men_per_point", 4, 4),
        ("game.bear_off_exact_policy", "inside_first", BearOffExactPolicy.INSIDE_FIRST),
    ],
)
def test_apply_takes_dotted_paths_and_what_json_would_hold(
    academie: RuleSet, path: str, value: object, expected: object
) -> None:
    changed: object = apply(academie, path, value)
    for step in path.replace("settlement.", "match.settlement.").replace("match.match.", "match.").split("."):
        changed = getattr(changed, step)
    assert changed == expected


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("settlement.tail_of_set", 0, "settlement.tail_of_set: no such field; did you mean tail_of_sets?"),
        ("match.tail_of_sets", 0, "match.tail_of_sets: no such field; it belongs to settlement.tail_of_sets"),
        ("tail_of_set", 0, "tail_of_set: no such rule; did you mean settlement.tail_of_sets?"),
        ("xyz", 0, "xyz: no such rule; a path starts with game, match or settlement"),
        ("name", "x", "name: no such rule; a path starts with game, match or settlement"),
        ("match", Written(), "match: no such rule; a path starts with game, match or settlement"),
        ("match.sets.x", 8, "match.sets: has no parts, so match.sets.x is no rule"),
        (
            "match.sets",
            7,
            "match.sets: 7 is not allowed; an even number from 2 to 24 (Académie, source 000, section 2)",
        ),
        (
            "match.sets",
            "8",
            "match.sets: '8' is not allowed; an even number from 2 to 24; à tourner a multiple of 3, of five "
            "players of 6 (Académie, source 000, section 2)",
        ),
        (
            "settlement.token_tail_tie",
            "no",
            "settlement.token_tail_tie: 'no' is not allowed; share or none (Académie, source 000, "
            "section 8; Guiton 1822, ch. VIII)",
        ),
        (
            "game.jan_points.third",
            8,
            "game.jan_points.third: no such field; the fields are simple, doublet",
        ),
    ],
)
def test_apply_refuses_in_words(academie: RuleSet, path: str, value: object, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        apply(academie, path, value)
    assert caught.value.problems == (words,)


def test_a_rule_of_another_match_is_refused() -> None:
    with pytest.raises(
        ConfigError, match=r"settlement\.tail_of_sets: no such field; the fields are price_scheme"
    ):
        apply(catalogue.rule_set("classical"), "settlement.tail_of_sets", 0)


def test_several_changes_tell_all_their_problems(academie: RuleSet) -> None:
    with pytest.raises(ConfigError) as caught:
        apply_all(academie, {"match.sets": 3, "settlement.tail_of_sets": -1, "game.x": 0, "y": 0})
    assert {problem.partition(":")[0] for problem in caught.value.problems} == {
        "y",
        "match.sets",
        "settlement.tail_of_sets",
        "game.x",
    }


@pytest.mark.parametrize("order", [1, -1])
def test_a_field_cannot_change_as_a_whole_and_in_part(academie: RuleSet, order: int) -> None:
    changes = {"game.jan_points": Tariff(simple=2, doublet=2), "game.jan_points.simple": 4}
    with pytest.raises(ConfigError, match="changed twice, as a whole and in part"):
        apply_all(academie, dict(list(changes.items())[::order]))


def test_rule_sets_equal_in_every_field_are_said_to_be() -> None:
    classical, twelve_hole = catalogue.rule_set("classical"), catalogue.rule_set("twelve_hole")
    assert diff(classical, twelve_hole) == ()
    assert sameness(classical, twelve_hole) == (
        "classical and twelve_hole have the same rules: they differ in nothing but name and sources."
    )
    soumille = catalogue.rule_set("soumille")
    assert sameness(soumille, catalogue.rule_set("soumille_1766")) == (
        "Both names stand for one rule set, soumille_1766."
    )
    assert sameness(soumille, catalogue.rule_set("malfilatre_2013")) == ""


def test_the_variants_differ_by_what_their_names_say(academie: RuleSet) -> None:
    tails = {
        "ecrire_academie_no_tail_of_sets": ["settlement.tail_of_sets"],
        "ecrire_academie_no_tail_of_tokens": ["settlement.tokens_per_set"],
        "ecrire_academie_no_tails": ["settlement.tail_of_sets", "settlement.tokens_per_set"],
    }
    for name, paths in tails.items():
        found = diff(academie, catalogue.rule_set(name))
        assert [one.path for one in found] == paths
        assert all(one.b == 0 for one in found)


def test_rule_sets_of_different_matches_differ_rule_by_rule() -> None:
    found = diff(catalogue.rule_set("academie"), catalogue.rule_set("ecrire_academie"))
    assert Difference("match", "TwelveHoles", "Written") in found
    assert Difference("match.target_holes", 12, ABSENT) in found
    assert Difference("settlement.tail_of_sets", ABSENT, 20) in found
    assert str(Difference("match.sets", ABSENT, 8)) == "match.sets: - | 8"
