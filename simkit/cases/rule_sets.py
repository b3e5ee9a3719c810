"""From the words of a case file to a rule set; the other names these files use live here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from simkit.cases.reading import Fields, MalformedError, NotUnderstoodError, shown
from simkit.errors import ConfigError, UsageError
from simkit.rules import RuleSet, Trictrac, TwelveHoles, Written, apply, fields_of

Presets = Callable[[str], RuleSet]
"""Looks up a rule set by name; raises `UsageError` for a name it does not have."""

ALIASES: Final = {
    "holes_to_win": "target_holes",
    "game_ends_on_opponent_roll": "ends_on_other_die",
    "match_payoff_scheme": "price_scheme",
    "n_sets": "sets",
    "paris_tail": "tail_of_sets",
}

ONLY_VALUES: Final[Mapping[type, Mapping[str, tuple[object, ...]]]] = {
    Written: {
        "players": (2,),
        "table_mode": ("two",),
        "target_holes": (None,),
        "max_holes_per_set": (None,),
        "ends_on_other_die": (False,),
        "continuation": (False,),
        "progression": ("two_step",),
        "stake": (20, None),
        "fish_unit": (10,),
    },
    TwelveHoles: {
        "players": (2,),
        "table_mode": ("two",),
        "ends_on_other_die": (True,),
        "continuation": (False,),
        "surplus_holes": ("ignored",),
    },
}
"""Rules without a field here because only one value is played; a case may name that value."""


def twelve_holes() -> RuleSet:
    """Give the rule set that a base case lays its `config` over: every field at its default."""
    return RuleSet(
        name="case",
        title="The rules of a case",
        game=Trictrac(),
        match=TwelveHoles(),
    )


def written() -> RuleSet:
    """Give the rule set of a case about the written game that names fields but no preset."""
    return RuleSet(
        name="case",
        title="The rules of a case",
        game=Trictrac(),
        match=Written(),
    )


def lay(rules: RuleSet, field: str, value: object) -> RuleSet:
    """Lay one named rule over a rule set.

    Raises
    ------
    NotUnderstoodError
        This version has no such field, or not this value of it.
    """
    name = ALIASES.get(field, field)
    for place, holder in (
        ("settlement", rules.match.settlement),
        ("match", rules.match),
        ("game", rules.game),
    ):
        if name in fields_of(type(holder)) and name != "settlement":
            try:
                return apply(rules, f"{place}.{name}", value)
            except ConfigError as error:
                raise NotUnderstoodError(
                    f"rule field {field} = {shown(value)} is not known to this version: {error}"
                ) from error
    only = ONLY_VALUES.get(type(rules.match), {}).get(name)
    if only is None:
        raise NotUnderstoodError(f"rule field {field} is not known to this version")
    if not any(value is one or (type(value) is type(one) and value == one) for one in only):
        raise NotUnderstoodError(f"rule field {field} = {shown(value)} is not known to this version")
    return rules


def lay_all(rules: RuleSet, values: Fields) -> RuleSet:
    """Lay every rule of an object over a rule set."""
    for field in values:
        rules = lay(rules, field, values.raw(field))
    return rules


def of_preset(name: str, presets: Presets, case_presets: Mapping[str, object]) -> RuleSet:
    """Find a rule set by name: one that the case file itself spells out, else one of the catalogue."""
    if name in case_presets:
        values = Fields(case_presets[name], f"meta.case_presets.{name}")
        base = values.raw("base_game", "classical")
        rules = written()
        if base != "classical":
            raise NotUnderstoodError(f"the preset {name} stands on {shown(base)}, not on classical")
        for field in values:
            if field != "base_game":
                try:
                    rules = lay(rules, field, values.raw(field))
                except NotUnderstoodError as error:
                    raise NotUnderstoodError(f"preset {name}: {error}") from error
        return rules
    try:
        return presets(name)
    except UsageError as error:
        raise NotUnderstoodError(f"the preset {name} is not in the catalogue of this version") from error


def of_match_case(rules: Fields, presets: Presets, case_presets: Mapping[str, object]) -> RuleSet:
    """Build the rule set of a match case from `rules`: a preset, fields, or a preset with fields over it."""
    name = rules.raw("preset", None)
    variant = rules.raw("variant", None)
    if name is not None and variant is not None:
        raise MalformedError(f"{rules.where} names both a preset and a variant")
    name = variant if name is None else name
    if name is None:
        found = written()
    elif isinstance(name, str):
        found = of_preset(name, presets, case_presets)
    else:
        raise MalformedError(f"{rules.where}.preset is {shown(name)}; it must be a name")
    for field in rules:
        if field not in {"preset", "variant", "override"}:
            found = lay(found, field, rules.raw(field))
    if "override" in rules:
        found = lay_all(found, rules.part("override"))
    return found
