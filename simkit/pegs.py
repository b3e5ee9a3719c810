"""Pegs, banner and neckties of trictrac combiné: what two ledgers on one board look like (rules.md II.7.4).

Nothing is reckoned here: holes, runs and suspension are read off, and the pegs follow from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from simkit.play import Ledger

Suspended = Literal["ecrire_open", "ecrire_scored", "honours"]
"""What is suspended: the set under way, the next (one scored before the pickup), the honours game."""

HOLES: Final = 12
"""Holes along each side of a board; a peg that has passed the last one begins again at the first."""
BESIDE: Final = 0
"""Where a peg stands that should be one hole behind the first: beside it, on the side of the talon."""
COLOURS: Final = ("bimetal", "gold", "silver", "black")


@dataclass(frozen=True)
class Standing:
    """What stands on a board. Players are 0 and 1.

    Attributes
    ----------
    pegs
        Of either player, hole by colour: gold marks the written set, silver the honours game, bimetal both, black
        the one that is suspended.
    black_at_last_hole
        Whether the black peg stands in the last hole, since a set has been scored and the next awaits a pickup.
    banner
        Who has it: nobody has interrupted his run of the set, and he has not picked up since its first hole.
    neckties
        Who wears one in the written set and in the honours game: his run, begun after the other's holes, is whole.
    """

    pegs: tuple[Mapping[str, int], Mapping[str, int]]
    black_at_last_hole: bool
    banner: int | None
    neckties: tuple[tuple[int, ...], tuple[int, ...]]

    def necktied(self, who: int) -> tuple[str, ...]:
        """Name the pegs of a player that wear a necktie."""
        pegs, black = self.pegs[who], self.pegs[who].get("black")
        worn = []
        for wearers, colour in zip(self.neckties, ("gold", "silver"), strict=True):
            if who in wearers:
                both = "bimetal" in pegs
                worn.append("bimetal" if both else colour if colour in pegs or black is None else "black")
        return tuple(dict.fromkeys(worn))


def standing(
    written: Ledger, honours: Ledger, suspended: Suspended | None = None, *, set_min_holes: int = 6
) -> Standing:
    """Tell how the pegs stand.

    Parameters
    ----------
    written, honours
        The ledgers of the set and of the honours game; a set scored before a pickup has left an empty one.
    suspended
        What is suspended, if anything.
    set_min_holes
        From how many holes on a set can be ended; over an opponent who has them there is no banner.
    """
    one, two = (_pegs(written.holes[who], honours.holes[who], suspended) for who in (0, 1))
    return Standing(
        (one, two),
        suspended == "ecrire_scored",
        next((who for who in (0, 1) if _has_banner(written, who, set_min_holes)), None),
        (_second_runs(written), _second_runs(honours)),
    )


def _pegs(written: int, honours: int, suspended: Suspended | None) -> dict[str, int]:
    if suspended == "ecrire_scored":
        return _put(silver=honours)
    if place(written) == place(honours) and written:
        together = {"bimetal": place(written)}
        if suspended == "ecrire_open":
            return together | {"gold": place(written - 1)}
        return together | ({"silver": place(honours - 1)} if suspended == "honours" else {})
    if suspended == "ecrire_open":
        return _put(black=written, silver=honours)
    if suspended == "honours":
        return _put(gold=written, black=honours)
    return _put(gold=written, silver=honours)


def _put(**holes: int) -> dict[str, int]:
    return {colour: place(count) for colour, count in holes.items() if count}


def place(holes: int) -> int:
    """Return the hole that so many holes are marked in, from 1; `BESIDE` if there are none."""
    return (holes - 1) % HOLES + 1 if holes else BESIDE


def _has_banner(written: Ledger, who: int, set_min_holes: int) -> bool:
    whole = written.run[who] == "intact" and not written.picked_up[who]
    return whole and written.holes[1 - who] < set_min_holes


def _second_runs(ledger: Ledger) -> tuple[int, ...]:
    """Say whose whole run began after the other had holes; any later one would have ended it."""
    return tuple(who for who in (0, 1) if ledger.run[who] == "intact" and ledger.holes[1 - who])


# ---------------------------------------------------------------- in letters

LETTERS: Final = {"bimetal": "B", "gold": "G", "silver": "S", "black": "K"}
NECKTIE: Final = "'"
LEGEND: Final = (
    "G gold, the set; S silver, the honours game; B of two metals, both; K black, suspended; ' with a necktie"
)


def rails(shown: Standing) -> Iterator[str]:
    """Draw the holes of the board, a line for each player below one with their numbers; `LEGEND` explains it."""
    yield f"{'':10}{'':4}{''.join(f'{hole:>4}' for hole in range(1, HOLES + 1))}"
    for who in (0, 1):
        cells = [_cell(shown, who, hole) for hole in range(HOLES + 1)]
        beside = cells[BESIDE] if cells[BESIDE] != "." else ""
        flag = "  banner" if shown.banner == who else ""
        yield f"player {who + 1:<3}{beside:>4}{''.join(f'{cell:>4}' for cell in cells[1:])}{flag}"


def _cell(shown: Standing, who: int, hole: int) -> str:
    worn = shown.necktied(who)
    standing_here = [
        LETTERS[colour] + (NECKTIE if colour in worn else "")
        for colour in COLOURS
        if shown.pegs[who].get(colour) == hole
    ]
    if shown.black_at_last_hole and hole == HOLES:
        standing_here.append(LETTERS["black"])
    return "".join(standing_here) or "."


def words(shown: Standing) -> str:
    """Tell the same in a line: `1: bimetal 2 with a necktie, banner; 2: gold 1, silver 5`."""
    sides = []
    for who in (0, 1):
        worn = shown.necktied(who)
        pegs = [
            f"{colour} {hole or 'beside the first'}{' with a necktie' if colour in worn else ''}"
            for colour in COLOURS
            if (hole := shown.pegs[who].get(colour)) is not None
        ]
        pegs += ["banner"] if shown.banner == who else []
        sides.append(f"{who + 1}: {', '.join(pegs) or 'no peg'}")
    last = ["black peg in the last hole"] if shown.black_at_last_hole else []
    return "; ".join(sides + last)
