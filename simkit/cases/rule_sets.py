"""From the words of a case file to a rule set; the other names these files use live here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from simkit.cases.reading import Fields, MalformedError, NotUnderstoodError, shown
from simkit.errors import ConfigError, UsageError
from simkit.rules import (
    SEATS,
    Combine,
    RuleSet,
    SetFirstDie,
    TableMode,
    Trictrac,
    TwelveHoles,
    Written,
    apply_all,
    fields_of,
    replace,
)

Presets = Callable[[str], RuleSet]
"""Looks up a rule set by name; raises `UsageError` for a name it does not have."""

ALIASES: Final = {
    "holes_to_win": "target_holes",
    "game_ends_on_opponent_roll": "ends_on_other_die",
    "match_payoff_scheme": "price_scheme",
    "n_sets": "sets",
    "paris_tail": "tail_of_sets",
    "honours": "price_scheme",
    "starts_per_position": "games_per_start",
    "mode": "table_mode",
    "stake_each": "pool_stake_each",
    "unit_fish": "honours_unit_fish",
}

NO_FIELDS: Final = ("preset", "variant", "override", "base_game")
"""Keys of `rules` that name rule sets or hold fields."""

OTHER_WORDS: Final[Mapping[str, Mapping[bool | str, object]]] = {
    "price_scheme": {True: "honours", False: "plain"},
    "doubles_played": {"four_times": 4},
}
"""Other words for the values of rules: yes and no, or a number spelled out."""

ONLY_VALUES: Final[Mapping[type, Mapping[str, tuple[object, ...]]]] = {
    Trictrac: {"men_per_player": (15,), "ecole_enabled": (False,)},
    Written: {
        "target_holes": (None,),
        "ends_on_other_die": (False,),
        "continuation": (False,),
        "stake": (None,),
    },
    TwelveHoles: {
        "players": (2,),
        "table_mode": ("two",),
        "ends_on_other_die": (True,),
        "continuation": (False,),
        "surplus_holes": ("ignored",),
    },
}
"""Values that a case may name though no field takes them: the only one played, or none of what is not used."""

STALL_LIMIT: Final = 200
"""Where a case keeps the men on the own half and does not say when they start again."""


SETS_OF_TABLE: Final = 12
"""Sets of a match that takes its length from elsewhere in the case; every mode of the table has such a match."""


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


def lay_all(rules: RuleSet, values: Fields, presets: Presets | None = None) -> RuleSet:
    """Lay every rule of an object over a rule set, all at once, as one may allow another.

    `base_game`, the name of a rule set, gives the game.

    Raises
    ------
    NotUnderstoodError
        This version has no such field, or not this value of it.
    """
    if presets and "base_game" in values:
        rules = replace(rules, game=of_preset(values.text("base_game"), presets, {}).game)
    changes: dict[str, object] = {}
    for field in values:
        if field not in NO_FIELDS:
            changes |= _change(rules, field, values.raw(field))
    if changes.get("game.movement_scope") == "own_half":
        changes.setdefault("game.stall_limit", STALL_LIMIT)
    if "match.drain_lurch_multiplier" in changes:
        changes.setdefault("match.drain_lurch", True)  # who says how often runs count lets them count
    if (mode := changes.get("match.table_mode", "two")) != "two":
        changes = _of_table(mode, isinstance(rules.match, Combine)) | changes
    try:
        return apply_all(rules, changes)
    except ConfigError as error:
        wrong = [field for field in changes if any(text.startswith(field) for text in error.problems)]
        named = ", ".join(
            f"{field.rpartition('.')[2]} = {shown(changes[field])}" for field in wrong or changes
        )
        raise NotUnderstoodError(f"rule field {named} is not known to this version: {error}") from error


def _of_table(mode: object, combined: bool) -> dict[str, object]:
    """Give what a case that names a mode of the table need not say: players, fitting sets, who begins.

    In trictrac combiné the players follow from the mode.
    """
    first = SetFirstDie.ALTERNATE if mode == TableMode.CHOUETTE.value else SetFirstDie.STAYS
    if combined:
        return {"match.set_first_die": first.value}
    players = {one.value: sum(seats) for one, seats in SEATS.items()}
    return {
        "match.players": players.get(str(mode), 2),
        "match.sets": SETS_OF_TABLE,
        "match.set_first_die": first.value,
    }


def _change(rules: RuleSet, field: str, value: object) -> dict[str, object]:
    """Turn one named rule into what `apply_all` takes; nothing where the rule set knows that value only."""
    name = ALIASES.get(field, field)
    if isinstance(value, bool | str):
        value = OTHER_WORDS.get(name, {}).get(value, value)
    for part in (rules.match, rules.game):
        only = ONLY_VALUES.get(type(part), {}).get(name, ())
        if any(value is one or (type(value) is type(one) and value == one) for one in only):
            return {}
    for place, holder in (
        ("settlement", rules.settlement),
        ("match", rules.match),
        ("game", rules.game),
    ):
        if holder is not None and name in fields_of(type(holder)) and name != "settlement":
            if name not in OTHER_WORDS:
                _refuse_other_kind(field, getattr(holder, name), value)
            return {f"{place}.{name}": value}
    raise NotUnderstoodError(f"rule field {field} = {shown(value)} is not known to this version")


def _refuse_other_kind(field: str, known: object, value: object) -> None:
    """Refuse a value that no version can take: a word for a number, a number for a yes or no."""
    kinds: tuple[tuple[type, type, str], ...] = (
        (bool, bool, "true or false"),
        (int, int, "a number"),
        (Enum, str, "a word"),
    )
    for kind, plain, words in kinds:
        if isinstance(known, kind):
            if value is not None and type(value) is not plain:
                raise MalformedError(f"rules.{field} is {shown(value)}; it must be {words}")
            return


def of_preset(name: str, presets: Presets, case_presets: Mapping[str, object]) -> RuleSet:
    """Find a rule set by name: one that the case file itself spells out, else one of the catalogue."""
    if name in case_presets:
        values = Fields(case_presets[name], f"meta.case_presets.{name}")
        try:
            return lay_all(written(), values, presets)
        except NotUnderstoodError as error:
            raise NotUnderstoodError(f"preset {name}: {error}") from error
    try:
        return presets(name)
    except UsageError as error:
        raise NotUnderstoodError(f"the preset {name} is not in the catalogue of this version") from error


def of_match_case(
    rules: Fields, presets: Presets, case_presets: Mapping[str, object], without_preset: RuleSet
) -> RuleSet:
    """Build the rule set of a match case from `rules`: a preset, or `without_preset`, and fields over it."""
    name = rules.raw("preset", None)
    variant = rules.raw("variant", None)
    if name is not None and variant is not None:
        raise MalformedError(f"{rules.where} names both a preset and a variant")
    name = variant if name is None else name
    if name is None:
        found = without_preset
    elif isinstance(name, str):
        found = of_preset(name, presets, case_presets)
    else:
        raise MalformedError(f"{rules.where}.preset is {shown(name)}; it must be a name")
    found = lay_all(found, rules, presets)
    return lay_all(found, rules.part("override"), presets) if "override" in rules else found


def game_of(rules: RuleSet) -> Trictrac:
    """Give the game of a rule set; other games than trictrac have cases of their own."""
    if not isinstance(rules.game, Trictrac):
        raise NotUnderstoodError("this kind of case is about trictrac")
    return rules.game
