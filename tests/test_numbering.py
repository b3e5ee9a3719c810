"""The authors' names of the arrows and the notation of positions: there and back, and never a stray error."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit import numbering, position
from simkit.errors import IllegalPosition, UsageError
from simkit.position import ARROWS, MEN, Position

ALL = tuple(numbering.NUMBERINGS.values())


# The table of docs/rules.md, section 1: our arrow and its names.
@pytest.mark.parametrize(
    ("arrow", "guiton", "malfilatre", "lepeintre", "soumille"),
    [
        (1, "T", "1", "a", "A"),
        (2, "1", "2", "b", "B"),
        (5, "4", "5", "e", "E"),
        (6, "5", "6", "f", "F"),
        (7, "6", "7", "g", "G"),
        (8, "7", "8", "h", "H"),
        (9, "8", "9", "i", "I"),
        (10, "9", "10", "j", "K"),
        (11, "10", "11", "k", "L"),
        (12, "11", "12", "l", "M"),
        (13, "a11", "a12", "m", "N"),
        (14, "a10", "a11", "n", "O"),
        (18, "a6", "a7", "r", "S"),
        (19, "a5", "a6", "s", "T"),
        (20, "a4", "a5", "t", "V"),
        (21, "a3", "a4", "u", "X"),
        (22, "a2", "a3", "v", "Y"),
        (23, "a1", "a2", "x", "Z"),
        (24, "aT", "a1", "y", "&"),
    ],
)
def test_the_table_of_names(arrow: int, guiton: str, malfilatre: str, lepeintre: str, soumille: str) -> None:
    wanted = {
        "magriel": str(arrow),
        "guiton": guiton,
        "malfilatre": malfilatre,
        "lepeintre": lepeintre,
        "soumille": soumille,
    }
    for name, text in wanted.items():
        assert numbering.numbering(name).write(arrow) == text
        assert numbering.numbering(name).read(text) == arrow


@pytest.mark.parametrize("names", ALL, ids=lambda names: names.name)
def test_every_arrow_there_and_back(names: numbering.Numbering) -> None:
    assert len(set(names.names)) == ARROWS
    for arrow in range(1, ARROWS + 1):
        assert names.read(names.write(arrow)) == arrow
        assert names.read(names.write(arrow).upper()) == names.read(names.write(arrow).lower()) == arrow


def test_formulas_of_the_authors() -> None:
    """An arrow a of Guiton is our a + 1, adverse 24 - a; an adverse point m of Malfilâtre is 25 - m."""
    guiton, malfilatre = numbering.numbering("guiton"), numbering.numbering("malfilâtre")
    for a in range(12):
        assert (guiton.read(str(a)), guiton.read(f"a{a}")) == (a + 1, 24 - a)
        assert (malfilatre.read(str(a + 1)), malfilatre.read(f"a{a + 1}")) == (a + 1, 24 - a)


@pytest.mark.parametrize(
    ("name", "arrow"),
    [
        ("talon", 1),
        ("coin bourgeois", 6),
        ("case du diable", 8),
        ("Case de l'Écolier", 11),
        ("case-de-l’écolier", 11),
        ("coin", 12),
        ("coin de repos", 12),
        ("coin adverse", 13),
        ("case de l'écolier adverse", 14),
        ("diable-adverse", 17),
        ("coin_bourgeois_adverse", 19),
        ("talon adverse", 24),
    ],
)
def test_named_points_are_read_in_every_numbering(name: str, arrow: int) -> None:
    assert {names.read(name) for names in ALL} == {arrow}


def test_named_points_are_written() -> None:
    text = numbering.write(position.read("1:13 6 12 | 24:15", _lone()), numbering.numbering("named"))
    assert text == "talon:13 coin-bourgeois coin | talon-adverse:15"


def _lone() -> numbering.Trictrac:
    return numbering.Trictrac(own_corner_by_two=False)


def test_letters_that_were_one() -> None:
    """The letters after Soumille have I and J as one, U and V as one."""
    soumille = numbering.numbering("soumille")
    assert (soumille.read("J"), soumille.read("u")) == (soumille.read("I"), soumille.read("V")) == (9, 20)


def test_a_position_of_guiton() -> None:
    guiton = numbering.numbering("guiton")
    found = numbering.read("T:11 5 6 11:2 | a11:2 aT:13", guiton)
    assert found == position.read("1:11 6 7 12:2 | 13:2 24:13")
    assert numbering.write(found, guiton) == "T:11 5 6 11:2 | a11:2 aT:13"


@pytest.mark.parametrize("text", ["w", "12", "a12", "", "T T", "talon perdu"])
def test_names_that_guiton_has_not(text: str) -> None:
    with pytest.raises(IllegalPosition, match="no such arrow"):
        numbering.numbering("guiton").read(text)


def test_a_numbering_that_does_not_exist() -> None:
    with pytest.raises(UsageError, match="magriel, guiton"):
        numbering.numbering("roman")
    with pytest.raises(UsageError, match="1 to 24"):
        numbering.OURS.write(25)


def _standing(mover: list[int], other: list[int], off: tuple[int, int]) -> Position | None:
    """Give fifteen men a side places, if they can stand there."""
    sides = [[0] * ARROWS, [0] * ARROWS]
    for counts, places, gone in zip(sides, (mover, other), off, strict=True):
        for place in places[gone:]:
            counts[place - 1] += 1
    found = Position(tuple(sides[0]), tuple(reversed(sides[1])), off)
    try:
        position.check(found)
    except IllegalPosition:
        return None
    return found


places = st.lists(st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 9, 12]), min_size=MEN, max_size=MEN)
positions = st.builds(_standing, places, places, st.tuples(st.integers(0, 14), st.integers(0, 14))).filter(
    bool
)


@given(positions, st.sampled_from(ALL))
@settings(max_examples=150, deadline=None)
def test_read_gives_back_what_was_written(found: Position, names: numbering.Numbering) -> None:
    assert position.read(position.write(found)) == found
    assert numbering.read(numbering.write(found, names), names) == found


near_misses = st.text("0123456789: |aToff-&\t²٣é'", max_size=40)


@given(st.one_of(st.text(max_size=60), near_misses), st.sampled_from(ALL))
@settings(max_examples=400, deadline=None)
def test_reading_raises_nothing_but_illegal_position(text: str, names: numbering.Numbering) -> None:
    with suppress(IllegalPosition):
        position.read(text)
    with suppress(IllegalPosition):
        numbering.read(text, names)


@given(positions, st.data())
@settings(max_examples=150, deadline=None)
def test_a_position_with_a_typing_error_is_refused_or_read(found: Position, data: st.DataObject) -> None:
    text = position.write(found)
    at = data.draw(st.integers(0, len(text)))
    typed = text[:at] + data.draw(st.text("0123456789: |offx", max_size=2)) + text[at + 1 :]
    with suppress(IllegalPosition):
        assert position.read(position.write(position.read(typed))) == position.read(typed)
