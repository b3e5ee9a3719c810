"""`docs/rulings.md` answers every doubtful point, and what it says of a field is what the field says."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

import pytest

from simkit.rules import (
    Combine,
    CombineSettlement,
    DrainSettlement,
    FillSettlement,
    PartieSettlement,
    PointMatch,
    PoolDrain,
    PoolFill,
    Settlement,
    Tables,
    Trictrac,
    TwelveHoles,
    Written,
    field_info,
)
from simkit.rules.wording import attribute_docs

PAGE = (Path(__file__).parents[2] / "docs" / "rulings.md").read_text(encoding="utf-8")
ENTRIES = re.split(r"^### ", PAGE.partition("## Fixed choices")[0], flags=re.MULTILINE)[1:]


def test_every_doubtful_point_has_an_entry() -> None:
    """A23 are two figures, A22 and A24 are left out, and say so."""
    found = re.findall(r"; (A\d+)\): ", PAGE) + re.findall(r"^\| (A\d+) \|", PAGE, flags=re.MULTILINE)
    found += re.findall(r"^- (A\d+), ", PAGE.partition("## Left out")[2], flags=re.MULTILINE)
    assert sorted(found, key=lambda name: int(name[1:])) == sorted(
        [*(f"A{number}" for number in range(1, 25)), "A23"], key=lambda name: int(name[1:])
    )


def test_every_conflict_of_the_match_for_two_has_an_entry() -> None:
    found = re.findall(r"; (C\d+)[;)]", PAGE) + re.findall(r"^\| (C\d+) \|", PAGE, flags=re.MULTILINE)
    assert sorted(found, key=lambda name: int(name[1:])) == [f"C{n}" for n in range(1, 18)]


def test_every_field_of_the_match_has_an_entry() -> None:
    titles = " ".join(entry.partition("\n")[0] for entry in ENTRIES)
    missing = [
        info.name
        for cls in (
            TwelveHoles,
            Written,
            Combine,
            PoolFill,
            PoolDrain,
            PartieSettlement,
            CombineSettlement,
            FillSettlement,
            DrainSettlement,
        )
        for info in field_info(cls)
        if f"`{info.name}`" not in titles and info.name != "settlement"
    ]
    assert not missing


def test_an_entry_is_a_question_with_readings_a_choice_and_its_influence() -> None:
    for entry in ENTRIES:
        title, _, body = entry.partition("\n")
        if "?" in title:
            assert re.search(r"Choice: |It is a field|A field for study|fields so that", body), title
            assert "nfluence" in body or "difference" in body or "for study" in body, title


@pytest.mark.parametrize(
    "cls",
    [
        Trictrac,
        TwelveHoles,
        Written,
        Combine,
        PoolFill,
        PoolDrain,
        PartieSettlement,
        Settlement,
        CombineSettlement,
        FillSettlement,
        DrainSettlement,
        Tables,
        PointMatch,
    ],
)
def test_the_default_and_every_word_of_a_disputed_field_are_told(cls: type) -> None:
    for info in field_info(cls):
        if not isinstance(info.default, Enum):
            continue
        (entry,) = [entry for entry in ENTRIES if f"`{info.name}`" in entry.partition("\n")[0]]
        for member in type(info.default):
            assert f"`{member.value}`" in entry, (info.name, member)
            assert attribute_docs(type(member))[member.name]
        assert f"`{info.default.value}`" in entry.partition("Choice: ")[2], info.name
