"""How the authors name the arrows: numbers, letters and named points, to and from the mover's 1 to 24.

docs/rules.md, section 1. A position in an author's names keeps the notation `mover | other`; every arrow, also
under the other's men, has the name it has for the mover, an `a` before it standing for *adverse*:
`T:2 5 a11:2` of Guiton is `1:2 6 13:2` of ours.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from simkit.errors import IllegalPosition, UsageError, clipped
from simkit.position import ARROWS, CLASSICAL, Position, check, parse
from simkit.position import write as write_ours
from simkit.rules import Trictrac

HALF: Final = 12

POINTS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "talon": 1,
        "coin-bourgeois": 6,
        "case-du-diable": 8,
        "case-de-l-ecolier": 11,
        "coin": HALF,
    }
)
"""The named points of the mover's own half, in our numbers; with `-adverse` after them, those of the other's."""

SYNONYMS: Final[Mapping[str, int]] = MappingProxyType(
    {"pile": 1, "bourgeois": 6, "diable": 8, "ecolier": 11, "coin-de-repos": HALF}
)
"""Other words for named points, that are read and not written."""


def plain(text: str) -> str:
    """Fold a name: small letters without accents, one hyphen for whatever stands between words."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return re.sub(r"[\s'’_-]+", "-", "".join(c for c in apart if not unicodedata.combining(c)).strip())


def _other_digits(text: str) -> bool:
    """Whether a name has digits beside 0 to 9, which folding may make such."""
    return any(c.isnumeric() and not c.isascii() for c in text)


def _with_adverse(names: Mapping[str, int]) -> dict[str, int]:
    return dict(names) | {f"{name}-adverse": ARROWS + 1 - arrow for name, arrow in names.items()}


NAMED: Final[Mapping[str, int]] = MappingProxyType(_with_adverse(POINTS) | _with_adverse(SYNONYMS))
"""Every named point that is read, in any numbering."""


@dataclass(frozen=True)
class Numbering:
    """The names of the arrows in one author.

    Attributes
    ----------
    name, title
        The word on the command line; whose names they are.
    names
        24 names as they are written, that of our arrow 1 first.
    also
        Other names that are read, with our arrow.
    """

    name: str
    title: str
    names: tuple[str, ...]
    also: Mapping[str, int] = field(default_factory=dict)

    def write(self, arrow: int) -> str:
        """Name our arrow, 1 to 24."""
        if not 1 <= arrow <= ARROWS:
            raise UsageError(f"arrow {arrow}: arrows run from 1 to {ARROWS}")
        return self.names[arrow - 1]

    def read(self, text: str) -> int:
        """Return our arrow, 1 to 24, for a name of this numbering or a named point; capitals do not matter.

        Raises
        ------
        IllegalPosition
            If no arrow has that name.
        """
        word = plain(text)
        for place, name in enumerate(self.names):
            if plain(name) == word and not _other_digits(text):
                return place + 1
        arrow = self.also.get(word, NAMED.get(word))
        if arrow is None or _other_digits(text):
            raise IllegalPosition(
                f"'{clipped(text)}': {self.title} has no such arrow; from the talon on they are "
                f"{', '.join(self.names)}"
            )
        return arrow


def _two_sides(own: list[str]) -> tuple[str, ...]:
    return (*own, *(f"a{name}" for name in reversed(own)))


_COUNTED: Final = [str(arrow) for arrow in range(1, ARROWS + 1)]
_POINT_AT: Final = {arrow: name for name, arrow in _with_adverse(POINTS).items()}

NUMBERINGS: Final[Mapping[str, Numbering]] = MappingProxyType(
    {
        one.name: one
        for one in (
            Numbering("magriel", "the count from 1 to 24", tuple(_COUNTED)),
            Numbering(
                "guiton",
                "Guiton (and J.L., Charpentier, source 001)",
                _two_sides(["T", *_COUNTED[:11]]),
                {"0": 1, "a0": ARROWS},
            ),
            Numbering("malfilatre", "Malfilâtre", _two_sides(_COUNTED[:HALF])),
            Numbering("lepeintre", "Lepeintre", tuple("abcdefghijklmnopqrstuvxy")),
            Numbering(
                "soumille", "the game after Soumille", tuple("ABCDEFGHIKLMNOPQRSTVXYZ&"), {"j": 9, "u": 20}
            ),
            Numbering(
                "named",
                "the count with named points",
                tuple(_POINT_AT.get(arrow, str(arrow)) for arrow in range(1, ARROWS + 1)),
                {str(arrow): arrow for arrow in range(1, ARROWS + 1)},
            ),
        )
    }
)
"""Every numbering by its name; `magriel` is the project's own."""

OURS: Final = NUMBERINGS["magriel"]


def numbering(name: str) -> Numbering:
    """Return a numbering by its name.

    Raises
    ------
    UsageError
        If there is none of that name.
    """
    found = NUMBERINGS.get(plain(name))
    if found is None:
        raise UsageError(f"numbering '{name}': the numberings are {', '.join(NUMBERINGS)}")
    return found


def read(text: str, names: Numbering = OURS, game: Trictrac = CLASSICAL) -> Position:
    """Read a position written in an author's names; the men must be able to stand so.

    Raises
    ------
    IllegalPosition
        If the text is no position, or the men cannot stand so; the law is told in our numbers.
    """
    position = parse(text, names.read)
    check(position, game)
    return position


def write(position: Position, names: Numbering = OURS) -> str:
    """Write a position in an author's names; `read` gives it back."""
    return write_ours(position, names.write)


DOUBLES: Final = ("Bezas", "Double two", "Ternes", "Carmes", "Quines", "Sonnés")
"""What a double is called in toutes tables, that of aces first (S4)."""


def roll_words(dice: tuple[int, int]) -> str:
    """Announce a roll of toutes tables: the higher number first, a double by its name."""
    high, low = max(dice), min(dice)
    return f"{high}-{low}, {DOUBLES[high - 1]}" if high == low else f"{high}-{low}"
