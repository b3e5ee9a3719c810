"""Every rule field says what it means, in which unit, what it takes and where it comes from."""

from __future__ import annotations

import dataclasses
from enum import Enum
from pathlib import Path

import pytest

from simkit.rules import (
    WORKS,
    DrainSettlement,
    FieldInfo,
    FillSettlement,
    HitPoints,
    PartieSettlement,
    PoolDrain,
    PoolFill,
    Settlement,
    Tariff,
    Trictrac,
    TwelveHoles,
    Written,
    field_info,
)
from simkit.rules.base import OURS, enum_in, type_hints
from simkit.rules.wording import attribute_docs, split_sentence

CLASSES = (
    Trictrac,
    Tariff,
    HitPoints,
    TwelveHoles,
    PartieSettlement,
    Written,
    Settlement,
    PoolFill,
    FillSettlement,
    PoolDrain,
    DrainSettlement,
)
SETTLEMENTS = (PartieSettlement, Settlement, FillSettlement, DrainSettlement)
FIELDS = [(cls, info) for cls in CLASSES for info in field_info(cls) if info.name != "settlement"]
ENUMS = sorted(
    {enum for cls in CLASSES for hint in type_hints(cls).values() if (enum := enum_in(hint))},
    key=lambda enum: enum.__name__,
)


@pytest.mark.parametrize(
    ("cls", "info"), FIELDS, ids=lambda one: getattr(one, "name", getattr(one, "__name__", ""))
)
def test_a_field_is_fully_described(cls: type, info: FieldInfo) -> None:
    assert info.doc.endswith(".")
    assert "*" not in info.doc
    assert info.type
    assert info.allowed
    assert info.sources
    assert all(source.split()[0].rstrip(",") in WORKS for source in info.sources)
    if info.type.startswith("whole number"):
        assert info.unit
        assert any(digit in info.allowed for digit in "0123456789")
    if info.type == "truth value":
        known = info.other in (OURS, "Custom of an author not found")
        assert known or all(part.strip().split()[0].rstrip(",") in WORKS for part in info.other.split(";"))
    assert bool(info.group) == (cls is Trictrac)


@pytest.mark.parametrize("page", ["rules.md", "rulings.md"])
def test_every_field_is_named_in_the_documentation(page: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
    owners = (Trictrac, TwelveHoles, PartieSettlement)
    names = {info.name for cls in owners for info in field_info(cls)} - {"settlement"}
    usual = {"jan_points", "hit_points", "impuissance_points", "points_per_hole"}
    missing = {name for name in names if f"`{name}`" not in text}
    assert missing <= (usual if page == "rules.md" else set())


def test_the_layers_split_at_the_settlement() -> None:
    for cls in CLASSES:
        for info in field_info(cls):
            settlement = info.name == "settlement" or cls in SETTLEMENTS
            assert info.layer == ("settlement" if settlement else "play"), f"{cls.__name__}.{info.name}"


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum.__name__)
def test_each_reading_has_words_and_a_citation(enum: type[Enum]) -> None:
    docs = attribute_docs(enum)
    for member in enum:
        words, cited = split_sentence(docs[member.name])
        assert words.endswith(".")
        own = cited.startswith("Our alternative")
        assert own or all(
            part.strip(" .").split()[0].rstrip(",") in WORKS | {"by": ""} for part in cited.split(";")
        )
        assert member.value == member.name.lower()


def test_allowed_values_in_words() -> None:
    allowed = {info.name: info.allowed for cls in CLASSES for info in field_info(cls)}
    assert allowed["sets"] == ("an even number from 2 to 24; à tourner a multiple of 3, of five players of 6")
    assert allowed["tokens_per_set"] == "0, 1 or 2"
    assert allowed["round_unit"] == "a whole number from 1 to 1000 or none"
    assert allowed["pile_de_misere_enabled"] == "true or false"
    assert allowed["round_five"] == "up, die, down or half_even"


def test_every_field_of_the_dossier_stands_at_its_default() -> None:
    """The fields of the game by name; a name changed here changes stored rule sets."""
    found = {info.name: info.default for info in field_info(Trictrac)}
    flags = {name: default for name, default in found.items() if isinstance(default, bool)}
    assert {name for name, default in flags.items() if not default} == {
        "sortie_single_roll_convention",
        "fill_retour_corner_pair_counts",
        "pile_de_misere_enabled",
        "jan_de_rencontre_enabled",
        "margot_la_fendue_enabled",
        "opponent_marks_on_go",
    }
    assert len(flags) == 38
    assert {name: default.value for name, default in found.items() if isinstance(default, Enum)} == {
        "first_roll_method": "draw_is_first_throw",
        "movement_scope": "full_circuit",
        "forbidden_jan_rule": "material",
        "fill_vs_higher_die": "higher_die_first",
        "bear_off_exact_policy": "optional",
        "bear_off_short_policy": "any_man",
        "bear_off_overflow_policy": "only_if_no_alternative",
        "bear_off_two_short_combined": "allowed",
        "mezeas_window": "while_condition_holds",
    }
    assert (found["max_men_per_point"], found["stall_limit"], found["points_per_hole"]) == (None, None, 12)


def test_groups_follow_one_another() -> None:
    groups = [info.group for info in field_info(Trictrac)]
    assert list(dict.fromkeys(groups)) == ["Movement", "Bearing off", "What scores", "Points and holes"]
    assert groups == sorted(groups, key=list(dict.fromkeys(groups)).index)


def test_defaults_are_those_of_the_written_game_of_the_academie() -> None:
    found = {info.name: info.default for info in field_info(Settlement)}
    assert (found["tail_of_sets"], found["tokens_per_set"], found["paris_per_set"]) == (20, 2, 4)
    assert (found["consolation"], found["general_tail"], found["round_unit"]) == (2, 0, 10)
    assert {info.name for info in field_info(Tariff) if info.default is dataclasses.MISSING} == {
        "simple",
        "doublet",
    }
