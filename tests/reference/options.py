"""The rule options the twin knows, under the names of the case files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


class UnsupportedOptionError(Exception):
    """A rule option, or a value of one, that the twin does not know."""


@dataclass(frozen=True)
class Options:
    """What a base rule set decides. Pairs are (by a simple roll, by a doublet)."""

    bear_off_exact_policy: str = "optional"
    """`optional`, or `mandatory`: a man who stands at exactly the number must leave with it (M19)."""
    first_roll_method: str = "draw_is_first_throw"
    """`draw_is_first_throw`, or `draw_then_throw`: the winner of the draw throws both dice anew (4.6)."""
    pile_de_misere_enabled: bool = False
    jan_points: tuple[int, int] = (4, 6)
    hit_points: tuple[tuple[int, int], tuple[int, int]] = ((2, 4), (4, 6))
    """First on points 7 to 18, then on points 1 to 6 and 19 to 24."""
    impuissance_points: int = 2
    points_per_hole: int = 12
    holes_to_win: int = 12


ALLOWED = {
    "bear_off_exact_policy": ("optional", "mandatory"),
    "first_roll_method": ("draw_is_first_throw", "draw_then_throw"),
}
CLASSICAL = Options()
ACADEMIE = Options(bear_off_exact_policy="mandatory", first_roll_method="draw_then_throw")


def read_options(config: Mapping[str, Any]) -> Options:
    """Read the `config` of a case; what the twin does not know raises `UnsupportedOptionError`."""
    values: dict[str, Any] = {}
    for name, value in config.items():
        if name not in {field.name for field in fields(Options)}:
            raise UnsupportedOptionError(f"option {name}")
        if value not in ALLOWED.get(name, (value,)):
            raise UnsupportedOptionError(f"option {name} = {value}")
        if name == "jan_points":
            value = (value["simple"], value["doublet"])
        elif name == "hit_points":
            value = tuple((value[zone]["simple"], value[zone]["doublet"]) for zone in ("grand", "petit"))
        values[name] = value
    return Options(**values)
