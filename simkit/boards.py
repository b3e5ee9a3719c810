"""The board as a picture: in letters for a terminal, and as SVG.

Both show the board from the mover's side: his arrows 1 to 12 below from left to right, 13 to 24 above from
right to left, so that both talons stand on the left and both coins on the right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from simkit.numbering import OURS, Numbering, write
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


def text_board(position: Position, dice: tuple[int, int] | None = None, numbering: Numbering = OURS) -> str:
    """Draw a board in letters.

    Parameters
    ----------
    position
        The men, in the mover's numbers; his are `x`, the other's `o`.
    dice
        The roll to show, if any.
    numbering
        Whose names the arrows have; where one has no room the arrow's number stands.

    Returns
    -------
    str
        Lines without an end of line after the last. A stack of more than five men shows its
        count as its innermost man. T and C mark the talons and the coins.
    """
    upper = [_column(position, arrow) for arrow in UPPER]
    lower = [_column(position, arrow) for arrow in LOWER]
    rows = [
        _row([_label(arrow, numbering) for arrow in UPPER]),
        _row([_mark(arrow) for arrow in UPPER]),
        RULE,
        *(_row([column[level] for column in upper]) for level in range(HEIGHT)),
        _row([""] * 12),
        *(_row([column[level] for column in lower]) for level in reversed(range(HEIGHT))),
        RULE,
        _row([_mark(arrow) for arrow in LOWER]),
        _row([_label(arrow, numbering) for arrow in LOWER]),
    ]
    return "\n".join([*rows, "  ".join(_facts(position, dice))])


CELL: Final = 4
RULE: Final = "+".join(["-" * (6 * CELL + 1)] * 2)


def _column(position: Position, arrow: int) -> list[str]:
    """Give the cells of an arrow, the outermost first."""
    side, men = _men(position, arrow)
    shown = min(men, HEIGHT)
    cells = [side] * shown + ["."] * (men == 0) + [""] * (HEIGHT - max(shown, 1))
    if men > HEIGHT:
        cells[-1] = f"{men}{side}"
    return cells


def _row(cells: list[str]) -> str:
    left, right = ("".join(f"{cell:>{CELL}}" for cell in half) + " " for half in (cells[:6], cells[6:]))
    return f"{left}|{right}".rstrip()


def _mark(arrow: int) -> str:
    return "T" if arrow in TALONS else "C" if arrow in COINS else ""


def _label(arrow: int, numbering: Numbering) -> str:
    """Name an arrow, by its number where the name is too long to stand under it."""
    name = numbering.write(arrow)
    return name if len(name) < CELL else str(arrow)


def _facts(position: Position, dice: tuple[int, int] | None) -> Iterator[str]:
    yield f"x the mover, {position.off[0]} off" if position.off[0] else "x the mover"
    yield f"o the other, {position.off[1]} off" if position.off[1] else "o the other"
    if dice:
        yield f"roll {dice[0]}-{dice[1]}"


# ---------------------------------------------------------------- as SVG

STEP: Final = 44
"""Width of an arrow, in user units."""
MARGIN: Final = 36
BAR: Final = 18
BOARD_HEIGHT: Final = 420
ARROW_HEIGHT: Final = 178
RADIUS: Final = 17
WIDTH: Final = 12 * STEP + BAR + 2 * MARGIN
FOOT: Final = 40
TOTAL: Final = BOARD_HEIGHT + 2 * MARGIN + FOOT
INK, PAPER, FRAME = "#2b2622", "#f6efe0", "#6b4f36"
ARROW_COLOURS: Final = ("#c9a878", "#8fa58a")
MEN_COLOURS: Final = {MOVER: ("#fffdf6", INK), OTHER: (INK, "#fffdf6")}
"""Fill and lettering of a man."""


def svg_board(position: Position, dice: tuple[int, int] | None = None, numbering: Numbering = OURS) -> str:
    """Draw a board as one SVG document, ending with an end of line.

    Parameters are those of `text_board`. The mover's men are light, the other's dark; a stack of more than
    five men bears its count. Talons are marked T and coins C; men borne off and the dice stand below.
    """
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {TOTAL}" width="{WIDTH}" '
            f'height="{TOTAL}" font-family="sans-serif" font-size="13" text-anchor="middle" role="img">',
            f"<title>{escape(_title(position, dice, numbering))}</title>",
            f'<rect width="{WIDTH}" height="{TOTAL}" fill="#ffffff"/>',
            f'<rect x="{MARGIN}" y="{MARGIN}" width="{WIDTH - 2 * MARGIN}" height="{BOARD_HEIGHT}" '
            f'fill="{PAPER}" stroke="{FRAME}" stroke-width="4"/>',
            f'<rect x="{MARGIN + 6 * STEP}" y="{MARGIN}" width="{BAR}" height="{BOARD_HEIGHT}" '
            f'fill="{FRAME}"/>',
            *(line for arrow in range(1, ARROWS + 1) for line in _svg_arrow(position, arrow, numbering)),
            *_svg_foot(position, dice),
            "</svg>\n",
        ]
    )


def _title(position: Position, dice: tuple[int, int] | None, numbering: Numbering) -> str:
    roll = f", roll {dice[0]}-{dice[1]}" if dice else ""
    return f"{write(position, numbering)}{roll}"


def _svg_arrow(position: Position, arrow: int, numbering: Numbering) -> Iterator[str]:
    """Draw an arrow, its name, its mark and its men."""
    below = arrow in LOWER
    place = LOWER.index(arrow) if below else UPPER.index(arrow)
    left = MARGIN + place * STEP + (BAR if place >= 6 else 0)
    middle = left + STEP // 2
    edge = MARGIN + BOARD_HEIGHT if below else MARGIN
    inward = -1 if below else 1
    tip = edge + inward * ARROW_HEIGHT
    yield (
        f'<path d="M{left + 2} {edge}L{left + STEP - 2} {edge}L{middle} {tip}Z" '
        f'fill="{ARROW_COLOURS[arrow % 2]}"/>'
    )
    yield f'<text x="{middle}" y="{edge - inward * 14 + 4}">{escape(_label(arrow, numbering))}</text>'
    if mark := _mark(arrow):
        yield (
            f'<text x="{middle}" y="{tip + inward * 12 + 4}" fill="{FRAME}" font-weight="bold">{mark}</text>'
        )
    side, men = _men(position, arrow)
    fill, letters = MEN_COLOURS[side]
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


def _svg_foot(position: Position, dice: tuple[int, int] | None) -> Iterator[str]:
    y = TOTAL - 24
    for x, side, words, off in (
        (MARGIN + 10, MOVER, "the mover", position.off[0]),
        (WIDTH // 2 + BAR, OTHER, "the other", position.off[1]),
    ):
        yield (
            f'<circle cx="{x}" cy="{y}" r="8" fill="{MEN_COLOURS[side][0]}" stroke="{INK}" stroke-width="1.5"/>'
        )
        gone = f", {off} off" if off else ""
        yield f'<text x="{x + 16}" y="{y + 5}" text-anchor="start">{words}{gone}</text>'
    for number, die in enumerate(dice or ()):
        x = WIDTH - MARGIN - 76 + 42 * number
        yield (
            f'<rect x="{x}" y="{y - 17}" width="34" height="34" rx="6" fill="#ffffff" stroke="{INK}" '
            'stroke-width="1.5"/>'
        )
        for across, down in PIPS[die]:
            yield f'<circle cx="{x + 17 + 9 * across}" cy="{y + 9 * down}" r="3" fill="{INK}"/>'
