"""Every rule field says what it means, in which unit, what it takes and where it comes from."""

from __future__ import annotations

import dataclasses
from enum import Enum

import pytest

from simkit.rules import (
    WORKS,
    FieldInfo,
    HitPoints,
    PartieSettlement,
    Settlement,
    Tariff,
    Trictrac,
    TwelveHoles,
    Written,
    field_info,
)
from simkit.rules.base import enum_in, type_hints
from simkit.rules.wording import attribute_docs, split_sentence

CLASSES = (Trictrac, Tariff, HitPoints, TwelveHoles, PartieSettlement, Written, Settlement)
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


def test_the_layers_split_at_the_settlement() -> None:
    for cls in CLASSES:
        for info in field_info(cls):
            settlement = info.name == "settlement" or cls in (PartieSettlement, Settlement)
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
    assert allowed["sets"] == "an even number from 2 to 24"
    assert allowed["tokens_per_set"] == "0, 1 or 2"
    assert allowed["round_unit"] == "a whole number from 1 to 1000 or none"
    assert allowed["pile_de_misere_enabled"] == "true or false"
    assert allowed["round_five"] == "up, down or half_even"


def test_defaults_are_those_of_the_written_game_of_the_academie() -> None:
    found = {info.name: info.default for info in field_info(Settlement)}
    assert (found["tail_of_sets"], found["tokens_per_set"], found["paris_per_set"]) == (20, 2, 4)
    assert (found["consolation"], found["general_tail"], found["round_unit"]) == (2, 0, 10)
    assert {info.name for info in field_info(Tariff) if info.default is dataclasses.MISSING} == {
        "simple",
        "doublet",
    }
