"""The rule options the twin knows, one for each field of a base rule set, under the names of the fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


class UnsupportedOptionError(Exception):
    """A rule option, or a value of one, that the twin does not know."""


@dataclass(frozen=True)
class Options:
    """What a base rule set decides. Pairs are (by a simple roll, by a doublet)."""

    first_roll_method: str = "draw_is_first_throw"
    """`draw_is_first_throw`, or `draw_then_throw`: the winner of the draw throws both dice anew (4.6)."""
    holes_to_win: int = 12

    # movement

    movement_scope: str = "full_circuit"
    """`full_circuit`, or `own_half`: no man leaves arrows 1 to 12."""
    max_men_per_point: int | None = None
    """So many men may stand on an arrow after a roll, the talon apart."""
    own_corner_by_two: bool = True
    own_corner_leave_by_two: bool = True
    own_corner_empty_rest: bool = True
    opponent_corner_empty_rest: bool = True
    corner_par_puissance: bool = True
    puissance_only_if_not_natural: bool = True
    forbidden_jan_rule: str = "material"
    """`material`, or `none`: nothing is forbidden but the other's coin."""
    forbidden_grand_jan_passage: bool = True
    fill_obligation: bool = True
    conserve_obligation: bool = True
    fill_vs_higher_die: str = "higher_die_first"
    """`higher_die_first`, or `fill_first`: of two dice of which one can be played, the one that fills."""

    # bearing off

    bear_off_exact_policy: str = "optional"
    """`optional`; `mandatory`: a man who stands at exactly the number must leave with it; `inside_first`: he may
    leave only if nobody can play the number inside."""
    bear_off_short_policy: str = "any_man"
    """`any_man`, or `farthest_man`: a short number is played by the farthest man who can."""
    bear_off_overflow_policy: str = "only_if_no_alternative"
    """`only_if_no_alternative`, or `sequential`: without the second half of M20."""
    bear_off_two_short_combined: str = "allowed"
    """`allowed`; `only_to_conserve`: only into a full jan de retour; `forbidden`."""
    enter_and_bear_off_same_roll: bool = True
    bear_off_while_fill_possible: bool = True
    sortie_obligatory: bool = True
    sortie_keeps_points: bool = True
    sortie_keeps_bredouille: bool = True
    sortie_single_roll_convention: bool = False

    # what scores

    jan_points: tuple[int, int] = (4, 6)
    hit_points: tuple[tuple[int, int], tuple[int, int]] = ((2, 4), (4, 6))
    """First on points 7 to 18, then on points 1 to 6 and 19 to 24."""
    impuissance_points: int = 2
    six_tables_enabled: bool = True
    deux_tables_enabled: bool = True
    mezeas_enabled: bool = True
    mezeas_window: str = "while_condition_holds"
    """`while_condition_holds`, or `next_roll_only`: only on the roll after the coin was taken."""
    contre_jans_enabled: bool = True
    hit_sum_ways: bool = True
    false_hits_enabled: bool = True
    corner_hit_enabled: bool = True
    fills_enabled: bool = True
    fill_counts_ways: bool = True
    fill_retour_corner_pair_counts: bool = False
    conserve_enabled: bool = True
    conserve_by_impuissance: bool = True
    conserve_by_bearing_off: bool = True
    impuissance_enabled: bool = True
    sortie_enabled: bool = True
    pile_de_misere_enabled: bool = False
    jan_de_rencontre_enabled: bool = False
    margot_la_fendue_enabled: bool = False

    # points and holes

    points_per_hole: int = 12
    bredouille_enabled: bool = True
    bredouille_second_scorer: bool = True
    go_enabled: bool = True
    go_after_sortie_hole: bool = True
    opponent_marks_on_go: bool = False
    stall_limit: int | None = None
    """After so many rolls in a row without points the men start again."""


CHOICES: dict[str, tuple[str, ...]] = {
    "first_roll_method": ("draw_is_first_throw", "draw_then_throw"),
    "movement_scope": ("full_circuit", "own_half"),
    "forbidden_jan_rule": ("material", "none"),
    "fill_vs_higher_die": ("higher_die_first", "fill_first"),
    "bear_off_exact_policy": ("optional", "mandatory", "inside_first"),
    "bear_off_short_policy": ("any_man", "farthest_man"),
    "bear_off_overflow_policy": ("only_if_no_alternative", "sequential"),
    "bear_off_two_short_combined": ("allowed", "only_to_conserve", "forbidden"),
    "mezeas_window": ("while_condition_holds", "next_roll_only"),
}
CLASSICAL = Options()
ACADEMIE = Options(bear_off_exact_policy="mandatory", first_roll_method="draw_then_throw")
SOUMILLE_DLP = Options(
    movement_scope="own_half",
    max_men_per_point=2,
    fills_enabled=False,
    conserve_enabled=False,
    false_hits_enabled=False,
    corner_hit_enabled=False,
    impuissance_enabled=False,
    sortie_enabled=False,
    corner_par_puissance=False,
    forbidden_jan_rule="none",
    stall_limit=200,
)
"""Source 003 word for word."""


OTHER_VALUES: dict[str, tuple[Any, ...]] = {
    "max_men_per_point": (2, 3, 4, 5),
    "jan_points": ((2, 4), (6, 10), (4, 4)),
    "hit_points": (((2, 2), (2, 2)), ((4, 6), (2, 4))),
    "impuissance_points": (4, 6),
    "points_per_hole": (8, 10, 16),
    "stall_limit": (4, 6, 30),
}
"""Values to try for the fields that are numbers; `holes_to_win` belongs to the match and is not among them."""


def other_values(name: str) -> tuple[Any, ...]:
    """Values of an option that are not its default."""
    default = getattr(CLASSICAL, name)
    if isinstance(default, bool):
        return (not default,)
    return tuple(value for value in CHOICES.get(name, OTHER_VALUES.get(name, ())) if value != default)


VARIABLE = tuple(field.name for field in fields(Options) if other_values(field.name))
"""Every field of a base rule set."""


def is_allowed(name: str, value: Any) -> bool:
    """Whether an option may have this value; tariffs are not looked at."""
    default = getattr(CLASSICAL, name)
    if name in CHOICES:
        return value in CHOICES[name]
    if isinstance(default, bool):
        return isinstance(value, bool)
    if default is None:
        return value is None or (type(value) is int and value > 0)
    return isinstance(default, tuple) or (type(value) is int and value >= 0)


def stalls_for_ever(options: Options) -> bool:
    """Whether the men can come to rest for good, so that `stall_limit` has to be set.

    In their own half, or where the last quarter has no room for fifteen, nobody bears off.
    """
    no_room = options.max_men_per_point is not None and 6 * options.max_men_per_point < 15
    return options.stall_limit is None and (options.movement_scope == "own_half" or no_room)


def read_options(config: Mapping[str, Any]) -> Options:
    """Read the `config` of a case; what the twin does not know raises `UnsupportedOptionError`."""
    values: dict[str, Any] = {}
    for name, value in config.items():
        if name not in {field.name for field in fields(Options)}:
            raise UnsupportedOptionError(f"option {name}")
        if not is_allowed(name, value):
            raise UnsupportedOptionError(f"option {name} = {value}")
        if name == "jan_points":
            value = (value["simple"], value["doublet"])
        elif name == "hit_points":
            value = tuple((value[zone]["simple"], value[zone]["doublet"]) for zone in ("grand", "petit"))
        values[name] = value
    options = Options(**values)
    if stalls_for_ever(options):
        raise UnsupportedOptionError("no stall_limit where men come to rest for good")
    return options
