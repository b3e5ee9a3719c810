"""The board as a picture: in letters for a terminal, and as SVG.

Both show the board from the mover's side: his arrows 1 to 12 below from left to right, 13 to 24 above from
right to left, so that both talons stand on the left and both coins on the right. Games that have a bar show it
in the middle, the mover's men on it below, and mark no talons and coins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from simkit.numbering import OURS, Numbering, roll_words, write
from simkit.position import ARROWS, Position

TALONS: Final = (1, 24)
COINS: Final = (12, 13)
LOWER: Final = tuple(range(1, 13))
UPPER: Final = tuple(range(ARROWS, 12, -1))
MOVER, OTHER = "x", "o"
"""How the men are shown in letters."""


def _men(position: Position, arrow: int) -> tuple[str, int]:
    """Tell whose men stand on an arrow, and how many."""
    mine, his = position.mover[arrow - 1], position.other[arrow - 1]
    return (MOVER, mine) if mine else (OTHER, his)


# ---------------------------------------------------------------- in letters

HEIGHT: Final = 5
"""Men shown one above the other; of more the count stands in the middle of the board."""


def text_board(
    position: Position,
    dice: tuple[int, int] | None = None,
    numbering: Numbering = OURS,
    *,
    with_bar: bool = False,
) -> str:
    """Draw a board in letters.

    Parameters
    ----------
    position
        The men, in the mover's numbers; his are `x`, the other's `o`.
    dice
        The roll to show, if any.
    numbering
        Whose names the arrows have; where one has no room the arrow's number stands.
    with_bar
        Draw the bar, for games that have one.

    Returns
    -------
    str
        Lines without an end of line after the last. A stack of more than five men shows its
        count as its innermost man. T and C mark the talons and the coins.
    """
    upper = [_column(position, arrow) for arrow in UPPER]
    lower = [_column(position, arrow) for arrow in LOWER]
    mine, his = (_bar(MOVER, position.bar[0]), _bar(OTHER, position.bar[1])) if with_bar else (NO_BAR, NO_BAR)
    bar = "" if with_bar else None
    rule = _rule(with_bar)
    rows = [
        _row([_label(arrow, numbering) for arrow in UPPER], bar),
        *([] if with_bar else [_row([_mark(arrow) for arrow in UPPER])]),
        rule,
        *(_row([column[k] for column in upper], his[k]) for k in range(HEIGHT)),
        _row([""] * 12, bar),
        *(_row([column[k] for column in lower], mine[k]) for k in reversed(range(HEIGHT))),
        rule,
        *([] if with_bar else [_row([_mark(arrow) for arrow in LOWER])]),
        _row([_label(arrow, numbering) for arrow in LOWER], bar),
    ]
    return "\n".join([*rows, "  ".join(_facts(position, dice, with_bar))])


CELL: Final = 4
NO_BAR: Final[list[str | None]] = [None] * HEIGHT
"""The cells of a bar that is not drawn."""


def _rule(with_bar: bool) -> str:
    half = "-" * (6 * CELL + 1)
    return f"{half}+{'-' * (CELL + 1)}+{half}" if with_bar else f"{half}+{half}"


def _column(position: Position, arrow: int) -> list[str]:
    """Give the cells of an arrow, the outermost first; a point stands on an empty one."""
    cells = _stack(*_men(position, arrow))
    return cells if cells[0] else [".", *cells[1:]]


def _stack(side: str, men: int) -> list[str]:
    """Give the cells of so many men, the outermost first; of more than have room the innermost is the count."""
    shown = min(men, HEIGHT)
    cells = [side] * shown + [""] * (HEIGHT - shown)
    if men > HEIGHT:
        cells[-1] = f"{men}{side}"
    return cells


def _bar(side: str, men: int) -> list[str | None]:
    return [*_stack(side, men)]


def _row(cells: list[str], bar: str | None = None) -> str:
    """Join the cells of both halves; `bar` is the cell between them, where there is one."""
    left, right = ("".join(f"{cell:>{CELL}}" for cell in half) + " " for half in (cells[:6], cells[6:]))
    middle = "|" if bar is None else f"|{bar:>{CELL}} |"
    return f"{left}{middle}{right}".rstrip()


def _mark(arrow: int) -> str:
    return "T" if arrow in TALONS else "C" if arrow in COINS else ""


def _label(arrow: int, numbering: Numbering) -> str:
    """Name an arrow, by its number where the name is too long to stand under it."""
    name = numbering.write(arrow)
    return name if len(name) < CELL else str(arrow)


def _facts(position: Position, dice: tuple[int, int] | None, with_bar: bool) -> Iterator[str]:
    for side, name, whose in ((MOVER, "the mover", 0), (OTHER, "the other", 1)):
        yield f"{side} {name}{_beside(position, whose)}"
    if dice:
        yield f"roll {roll_words(dice) if with_bar else f'{dice[0]}-{dice[1]}'}"


def _beside(position: Position, whose: int) -> str:
    """Say how many men of a side, 0 or 1, are on the bar and off."""
    places = ((position.bar[whose], "on the bar"), (position.off[whose], "off"))
    return "".join(f", {men} {where}" for men, where in places if men)


# ---------------------------------------------------------------- as SVG

STEP: Final = 44
"""Width of an arrow, in user units."""
MARGIN: Final = 36
SMALL: Final = (180, 168)
"""Width and height of a board on a sheet, with its name."""
BAR: Final = 18
WIDE_BAR: Final = STEP
"""Width of the strip between the halves, and of a bar on which men may stand."""
BOARD_HEIGHT: Final = 420
ARROW_HEIGHT: Final = 178
RADIUS: Final = 17
FOOT: Final = 40
TOTAL: Final = BOARD_HEIGHT + 2 * MARGIN + FOOT
INK, PAPER, FRAME = "#2b2622", "#f6efe0", "#6b4f36"
ARROW_COLOURS: Final = ("#c9a878", "#8fa58a")
MEN_COLOURS: Final = {MOVER: ("#fffdf6", INK), OTHER: (INK, "#fffdf6")}
"""Fill and lettering of a man."""


@dataclass(frozen=True)
class Look:
    """How a board is lettered and coloured.

    `letters`: the size of its letters, in user units; `mover`, `other`: what the players are called; `dark_mover`:
    whether the mover's men are the dark ones.
    """

    letters: int = 13
    mover: str = "the mover"
    other: str = "the other"
    dark_mover: bool = False

    def colours(self, side: str) -> tuple[str, str]:
        """Fill and lettering of the men of a side."""
        return MEN_COLOURS[side if not self.dark_mover else OTHER if side == MOVER else MOVER]


PLAIN: Final = Look()


def svg_board(
    position: Position,
    dice: tuple[int, int] | None = None,
    numbering: Numbering = OURS,
    *,
    with_bar: bool = False,
    look: Look = PLAIN,
) -> str:
    """Draw a board as one SVG document, ending with an end of line.

    Parameters are those of `text_board`, and its look. The mover's men are light unless it says otherwise; a
    stack of more than five men bears its count. Talons are marked T and coins C, or else men on the bar stand in
    the middle; men borne off and the dice stand below.
    """
    bar = WIDE_BAR if with_bar else BAR
    width = 12 * STEP + bar + 2 * MARGIN
    title = _title(position, dice, numbering, with_bar)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOTAL}" width="{width}" '
            f'height="{TOTAL}" font-family="sans-serif" font-size="{look.letters}" text-anchor="middle" '
            'role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{TOTAL}" fill="#ffffff"/>',
            f'<rect x="{MARGIN}" y="{MARGIN}" width="{width - 2 * MARGIN}" height="{BOARD_HEIGHT}" '
            f'fill="{PAPER}" stroke="{FRAME}" stroke-width="4"/>',
            f'<rect x="{MARGIN + 6 * STEP}" y="{MARGIN}" width="{bar}" height="{BOARD_HEIGHT}" '
            f'fill="{FRAME}"/>',
            *(
                line
                for arrow in range(1, ARROWS + 1)
                for line in _svg_arrow(position, arrow, numbering, bar, look)
            ),
            *(_svg_bar(position, look) if with_bar else ()),
            *_svg_foot(position, dice, width, look),
            "</svg>\n",
        ]
    )


def svg_sheet(boards: Sequence[tuple[str, Position]], across: int) -> str:
    """Draw many small boards with a bar on one sheet, `across` in a row, each under its name."""
    width, height = SMALL
    rows = -(-len(boards) // across)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across * width} {rows * height}" '
        f'width="{across * width}" height="{rows * height}" font-family="sans-serif" font-size="13" '
        'text-anchor="middle" role="img">',
        f'<rect width="{across * width}" height="{rows * height}" fill="#ffffff"/>',
    ]
    for number, (name, position) in enumerate(boards):
        left, top = number % across * width, number // across * height
        lines += [
            f'<text x="{left + width // 2}" y="{top + 14}">{escape(name)}</text>',
            _placed(svg_board(position, with_bar=True), left, top + 18, width, height - 18),
        ]
    return "\n".join([*lines, "</svg>\n"])


def _placed(drawing: str, left: int, top: int, width: int, height: int) -> str:
    """Make a drawing a part of another; its own size is left to the view box."""
    head, _, rest = drawing.partition(">")
    opened = re.sub(r' (width|height)="[0-9]+"', "", head)
    return f'{opened} x="{left}" y="{top}" width="{width}" height="{height}">{rest.rstrip()}'


def _title(position: Position, dice: tuple[int, int] | None, numbering: Numbering, with_bar: bool) -> str:
    roll = "" if not dice else f", roll {roll_words(dice) if with_bar else f'{dice[0]}-{dice[1]}'}"
    return f"{write(position, numbering)}{roll}"


def _svg_arrow(position: Position, arrow: int, numbering: Numbering, bar: int, look: Look) -> Iterator[str]:
    """Draw an arrow, its name, its mark and its men; `bar` is the width of what parts the halves."""
    below = arrow in LOWER
    place = LOWER.index(arrow) if below else UPPER.index(arrow)
    left = MARGIN + place * STEP + (bar if place >= 6 else 0)
    middle = left + STEP // 2
    edge = MARGIN + BOARD_HEIGHT if below else MARGIN
    inward = -1 if below else 1
    tip = edge + inward * ARROW_HEIGHT
    yield (
        f'<path d="M{left + 2} {edge}L{left + STEP - 2} {edge}L{middle} {tip}Z" '
        f'fill="{ARROW_COLOURS[arrow % 2]}"/>'
    )
    yield f'<text x="{middle}" y="{edge - inward * 14 + 4}">{escape(_label(arrow, numbering))}</text>'
    if bar == BAR and (mark := _mark(arrow)):
        y = tip + inward * (look.letters - 1) + look.letters // 3
        yield f'<text x="{middle}" y="{y}" fill="{FRAME}" font-weight="bold">{mark}</text>'
    side, men = _men(position, arrow)
    yield from _svg_stack(look.colours(side), men, middle, edge, inward)


def _svg_bar(position: Position, look: Look) -> Iterator[str]:
    """Draw the men on the bar, each side's towards the half where it comes in again."""
    middle = MARGIN + 6 * STEP + WIDE_BAR // 2
    yield from _svg_stack(look.colours(MOVER), position.bar[0], middle, MARGIN + BOARD_HEIGHT, -1)
    yield from _svg_stack(look.colours(OTHER), position.bar[1], middle, MARGIN, 1)


def _svg_stack(colours: tuple[str, str], men: int, middle: int, edge: int, inward: int) -> Iterator[str]:
    """Draw men one beside the other from the edge inward, which is 1 downward and -1 upward."""
    fill, letters = colours
    shown = min(men, HEIGHT)
    for level in range(shown):
        y = edge + inward * (RADIUS + 3 + level * (2 * RADIUS + 1))
        yield f'<circle cx="{middle}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'
        if men > HEIGHT and level == shown - 1:
            yield (
                f'<text x="{middle}" y="{y + 6}" fill="{letters}" font-size="17" font-weight="bold">{men}</text>'
            )


PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _svg_foot(position: Position, dice: tuple[int, int] | None, width: int, look: Look) -> Iterator[str]:
    y = TOTAL - 24
    for x, side, words, whose in (
        (MARGIN + 10, MOVER, look.mover, 0),
        (width // 2 + BAR, OTHER, look.other, 1),
    ):
        yield (
            f'<circle cx="{x}" cy="{y}" r="8" fill="{look.colours(side)[0]}" stroke="{INK}" stroke-width="1.5"/>'
        )
        beside = _beside(position, whose)
        yield f'<text x="{x + 16}" y="{y + 5}" text-anchor="start">{words}{beside}</text>'
    for number, die in enumerate(dice or ()):
        x = width - MARGIN - 76 + 42 * number
        yield (
            f'<rect x="{x}" y="{y - 17}" width="34" height="34" rx="6" fill="#ffffff" stroke="{INK}" '
            'stroke-width="1.5"/>'
        )
        for across, down in PIPS[die]:
            yield f'<circle cx="{x + 17 + 9 * across}" cy="{y + 9 * down}" r="3" fill="{INK}"/>'
