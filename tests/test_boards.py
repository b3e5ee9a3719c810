"""Boards as text and as SVG: every man where he stands."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from simkit import boards, numbering
from simkit.position import Position, parse

MIDDLE = parse("1:7 3 6:2 8 12:2 19 off:1 | 24:6 13:2 20:2 17 23:2 7 off:1")
GUITON = numbering.numbering("guiton")
SVG = "{http://www.w3.org/2000/svg}"

DRAWN = """\
  aT  a1  a2  a3  a4  a5 |  a6  a7  a8  a9 a10 a11
   T                     |                       C
-------------------------+-------------------------
   o   o   .   .   o   x |   .   o   .   .   .   o
   o   o           o     |                       o
   o                     |
   o                     |
  6o                     |
                         |
  7x                     |
   x                     |
   x                     |
   x                   x |                       x
   x   .   x   .   .   x |   o   x   .   .   .   x
-------------------------+-------------------------
   T                     |                       C
   T   1   2   3   4   5 |   6   7   8   9  10  11
x the mover, 1 off  o the other, 1 off  roll 6-5"""


def test_the_board_in_letters() -> None:
    assert boards.text_board(MIDDLE, (6, 5), GUITON) == DRAWN


def test_a_name_without_room_gives_way_to_the_number() -> None:
    last = boards.text_board(MIDDLE, numbering=numbering.numbering("named")).splitlines()[-2]
    assert last.split() == ["1", "2", "3", "4", "5", "6", "|", "7", "8", "9", "10", "11", "12"]


@pytest.mark.parametrize("names", numbering.NUMBERINGS.values(), ids=lambda names: names.name)
@pytest.mark.parametrize("men", range(1, 16))
def test_every_stack_is_drawn(men: int, names: numbering.Numbering) -> None:
    position = Position((men, *[0] * 23), (*[0] * 23, 15), (15 - men, 0))
    column = [line[:4].strip() for line in boards.text_board(position, (1, 1), names).splitlines()[9:14]]
    count = max(men, 5) if men > 5 else men
    assert [cell for cell in column if cell][-min(men, 5) :].count("x") + (men > 5) == min(men, 5)
    assert (f"{count}x" in column) == (men > 5)
    tree = ElementTree.fromstring(boards.svg_board(position, (1, 1), names))
    stack = [c for c in tree.iter(f"{SVG}circle") if c.get("r") == str(boards.RADIUS)]
    assert len(stack) == min(men, 5) + 5
    assert all(boards.MARGIN < float(c.get("cy", 0)) < boards.MARGIN + boards.BOARD_HEIGHT for c in stack)


def test_the_svg_says_what_it_shows() -> None:
    tree = ElementTree.fromstring(boards.svg_board(MIDDLE, (6, 5), GUITON))
    assert tree.findtext(f"{SVG}title") == f"{numbering.write(MIDDLE, GUITON)}, roll 6-5"
    words = [text.text for text in tree.iter(f"{SVG}text")]
    assert {*GUITON.names, "the mover, 1 off", "the other, 1 off", "C", "7", "6"} <= set(words)
    pips = [c for c in tree.iter(f"{SVG}circle") if c.get("r") == "3"]
    assert len(pips) == 11
    assert len(list(tree.iter(f"{SVG}path"))) == 24


def test_letters_of_soumille_are_escaped() -> None:
    tree = ElementTree.fromstring(boards.svg_board(MIDDLE, numbering=numbering.numbering("soumille")))
    assert "&" in [text.text for text in tree.iter(f"{SVG}text")]
    assert not [c for c in tree.iter(f"{SVG}circle") if c.get("r") == "3"]


BAR = parse("bar:2 6:5 8:1 17:6 24:1 | bar 7:1 1:8 12:3 off:2")

WITH_BAR = """\
  24  23  22  21  20  19 |     |  18  17  16  15  14  13
-------------------------+-----+-------------------------
   x   .   .   .   .   . |   o |   .   x   .   .   .   .
                         |     |       x
                         |     |       x
                         |     |       x
                         |     |      6x
                         |     |
  8o                   x |     |
   o                   x |     |
   o                   x |     |                       o
   o                   x |   x |                       o
   o   .   .   .   .   x |   x |   o   x   .   .   .   o
-------------------------+-----+-------------------------
   1   2   3   4   5   6 |     |   7   8   9  10  11  12
x the mover, 2 on the bar  o the other, 1 on the bar, 2 off  roll 6-6, Sonnés"""


def test_the_board_with_a_bar_in_letters() -> None:
    assert boards.text_board(BAR, (6, 6), with_bar=True) == WITH_BAR


@pytest.mark.parametrize("men", range(16))
def test_every_stack_on_the_bar_is_drawn(men: int) -> None:
    position = Position((15 - men, *[0] * 23), (*[0] * 23, 15 - men), bar=(men, men))
    drawn = boards.text_board(position, with_bar=True)
    middle = "".join(line[26:31] for line in drawn.splitlines()[:-1] if "+" not in line)
    assert middle.count("x") == middle.count("o") == min(men, 5)
    assert (f"{men}x" in middle) == (f"{men}o" in middle) == (men > 5)
    tree = ElementTree.fromstring(boards.svg_board(position, with_bar=True))
    centre = str(boards.MARGIN + 6 * boards.STEP + boards.WIDE_BAR // 2)
    stacks = [c for c in tree.iter(f"{SVG}circle") if c.get("cx") == centre]
    assert len(stacks) == 2 * min(men, 5)
    assert [text.text for text in tree.iter(f"{SVG}text") if text.get("x") == centre] == [str(men)] * 2 * (
        men > 5
    )


def test_the_svg_with_a_bar_says_what_it_shows() -> None:
    tree = ElementTree.fromstring(boards.svg_board(BAR, (5, 5), with_bar=True))
    assert tree.findtext(f"{SVG}title") == f"{numbering.write(BAR)}, roll 5-5, Quines"
    words = {text.text for text in tree.iter(f"{SVG}text")}
    assert {"the mover, 2 on the bar", "the other, 1 on the bar, 2 off"} <= words
    assert not {"T", "C"} & words


def test_doubles_have_their_names() -> None:
    named = [numbering.roll_words((die, die)) for die in range(1, 7)]
    assert named == [
        "1-1, Bezas",
        "2-2, Double two",
        "3-3, Ternes",
        "4-4, Carmes",
        "5-5, Quines",
        "6-6, Sonnés",
    ]
    assert numbering.roll_words((2, 5)) == "5-2"
