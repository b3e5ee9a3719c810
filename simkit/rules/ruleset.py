"""A rule set: a game, the match played in it, and where the rules come from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from simkit.arguments import check_text, check_whole
from simkit.errors import ConfigError, UsageError
from simkit.rules.base import (
    Cited,
    Layer,
    Unbuilt,
    build,
    config,
    cross_check,
    fields_of,
    is_config,
    join,
    no_such_field,
    replace,
    type_hints,
)
from simkit.rules.combine import Combine, CombineSettlement
from simkit.rules.page import WIDTH, page, rule_words
from simkit.rules.partie import TwelveHoles
from simkit.rules.plain import canonical_json, digest_of, from_plain, parse_json, to_plain, value_from_plain
from simkit.rules.points import PointMatch
from simkit.rules.pools import DrainSettlement, FillSettlement, PoolDrain, PoolFill
from simkit.rules.settlement import PartieSettlement, Settlement
from simkit.rules.tables import Tables
from simkit.rules.trictrac import Trictrac, comes_to_rest, pays_the_mover
from simkit.rules.wording import show_value
from simkit.rules.written import Written

Game: TypeAlias = Trictrac | Tables
Match: TypeAlias = TwelveHoles | Written | Combine | PointMatch | PoolFill | PoolDrain
AnySettlement: TypeAlias = (
    Settlement | PartieSettlement | CombineSettlement | FillSettlement | DrainSettlement
)

SCHEMA = "simkit.rule_set/1"
"""Names the form of a rule set's JSON; a change that old readers would misread gets another number."""

KIND = "rule_set"
TABLES_QUESTIONS = (
    "simkit replay for a match, rollout for a roll, compare for two runs, or run with a question of this family "
    "(backgammon_225_cube, bearing_off_rule, double_readings, openings, pairing, starting_positions)"
)
"""What to ask of toutes tables and backgammon, likely next steps first."""
COMBINE_QUESTIONS = (
    "simkit replay or holes for a match, settle or adjourn for a run, or run with a question of this game"
)
"""What to ask of trictrac combiné, likely next steps first."""
NO_SETTLEMENT = "a match to points has points only"
"""What is said of a settlement asked of a `PointMatch`."""
DIGESTS = ("play_digest", "digest")
"""What the JSON of `simkit show` has besides the rule set itself."""

UNSEEN = r"\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that steer a terminal, or the direction of writing, and are not seen."""
Text = Annotated[
    str,
    Field(min_length=1, max_length=2000, pattern=rf"^[^{UNSEEN}]*$"),
    Cited(allowed="a text that is not empty, of at most 2000 characters, none of which is unseen"),
]


@config
class Source:
    """A work the rules are taken from, and the place in it."""

    work: Text
    """Author, title and year."""
    where: str = ""
    """Chapter, paragraph or section."""

    def __str__(self) -> str:
        return f"{self.work}, {self.where}" if self.where else self.work


@config
class RuleSet:
    """Everything that must be agreed before the first roll.

    Two rule sets with one `play_digest` are played alike, roll by roll; they may differ in name, sources and
    settlement. Those with one `digest` differ in name, title, sources and notes at most.
    """

    name: Annotated[
        str,
        Field(pattern="^[a-z][a-z0-9_]*$", max_length=60),
        Cited(allowed="lower-case letters, digits and underscores, a letter first, 60 at most"),
    ]
    """The name in the catalogue."""
    title: Text
    """What a reader calls it."""
    sources: tuple[Source, ...] = ()
    """Where the rules come from."""
    game: Game
    """The game up to the hole, or up to the last man borne off."""
    match: Match
    """How holes or games make a match, and a match money."""
    notes: str = ""
    """What a reader should know besides."""

    @property
    def settlement(self) -> AnySettlement | None:
        """How the match becomes money; None where points are all there is."""
        return None if isinstance(self.match, PointMatch) else self.match.settlement

    @property
    def parts(self) -> tuple[tuple[str, Game | Match | AnySettlement], ...]:
        """The headed parts of a page of rules: game, match and, if there is one, settlement."""
        whole = (("Game", self.game), ("Match", self.match), ("Settlement", self.settlement))
        return tuple((title, part) for title, part in whole if part is not None)

    @property
    def trictrac_game(self) -> Trictrac:
        """The game, where only trictrac will do; raises UsageError for another, with the questions that fit."""
        if isinstance(self.game, Trictrac):
            return self.game
        raise UsageError(self._no_trictrac())

    @property
    def trictrac_match(self) -> TwelveHoles | Written:
        """The match that two players of trictrac play, of a pool the one that two of its players do.

        Raises UsageError for another game, as `trictrac_game`.
        """
        if isinstance(self.match, PointMatch):
            raise UsageError(self._no_trictrac())
        if isinstance(self.match, Combine):
            raise UsageError(self._two_games())
        return self.match.of_two if isinstance(self.match, PoolFill | PoolDrain) else self.match

    def refuse_two_games(self) -> None:
        """Refuse what is told of one game only, where two are played at once: raises UsageError."""
        if isinstance(self.match, Combine):
            raise UsageError(self._two_games())

    def _two_games(self) -> str:
        return (
            f"{self.name} is trictrac combiné, two games at once, and this is a question of one; what fits it: "
            f"{COMBINE_QUESTIONS}"
        )

    def refuse_more_than_two(self, what: str) -> None:
        """Refuse what is told of two players only, `what`, where more are at the table: raises UsageError."""
        if self.match.players > 2:
            raise UsageError(
                f"{self.name}: {what} is told of two players only, and {self.match.players} are at this table "
                "(match.players)"
            )

    def _no_trictrac(self) -> str:
        return (
            f"{self.name} is a game of toutes tables or backgammon, and this is a question of trictrac; "
            f"what fits it: {TABLES_QUESTIONS}"
        )

    @property
    def play_digest(self) -> str:
        """SHA-256 of everything play depends on: game and match without the settlement."""
        return digest_of(self.canonical_play())

    @property
    def digest(self) -> str:
        """SHA-256 of all rules, settlement included; name, title, sources and notes are no rules."""
        return digest_of(self.canonical())

    def canonical_play(self) -> str:
        """Return the canonical JSON of the play fields, the text behind `play_digest`."""
        return self._canonical("settlement")

    def canonical(self) -> str:
        """Return the canonical JSON of all rule fields, the text behind `digest`."""
        return self._canonical(None)

    def _canonical(self, leave_out: Layer | None) -> str:
        parts = {"game": self.game, "match": self.match}
        return canonical_json(
            {name: to_plain(part, sparse=True, leave_out=leave_out) for name, part in parts.items()}
        )

    def with_game(self, **changes: Any) -> RuleSet:
        """Return the same rule set with fields of the game changed."""
        return replace(self, game=replace(self.game, **changes))

    def with_match(self, **changes: Any) -> RuleSet:
        """Return the same rule set with fields of the match changed."""
        return replace(self, match=replace(self.match, **changes))

    def with_settlement(self, **changes: Any) -> RuleSet:
        """Return the same rule set with fields of the settlement changed; it is played as before.

        Raises
        ------
        ConfigError
            If a field does not take its value, or the match has no settlement.
        """
        if self.settlement is None:
            raise ConfigError(f"settlement: {self.name} has none; {NO_SETTLEMENT}")
        return self.with_match(settlement=replace(self.settlement, **changes))

    def to_json(self) -> str:
        """Return the rule set as JSON, every field written out."""
        return json.dumps({"schema": SCHEMA, **to_plain(self)}, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> RuleSet:
        """Read a rule set from JSON; a field left out takes its default.

        What `simkit show NAME --json` prints can be read as well: `kind`, `play_digest` and `digest` may be
        there, and must then be those of these rules.

        Raises
        ------
        ConfigError
            If the text is no JSON, of another schema, or has fields or values that do not exist; every
            problem is listed.
        """
        plain = parse_json(check_text("text", text))
        if not isinstance(plain, Mapping):
            raise ConfigError(f"{show_value(plain)} is not allowed; an object with the fields of a rule set")
        if plain.get("kind", KIND) != KIND:
            raise ConfigError(f"kind: {show_value(plain['kind'])} is not allowed; {KIND}")
        if plain.get("schema") != SCHEMA:
            raise ConfigError(f"schema: {show_value(plain.get('schema'))} is not allowed; {SCHEMA}")
        besides = ("schema", "kind", *DIGESTS)
        fields = {name: item for name, item in plain.items() if name not in besides}
        if isinstance(game := fields.get("game"), Mapping):  # a game that does not say which is trictrac
            fields["game"] = {"type": Trictrac.__name__, **game}
        rules = from_plain(cls, fields, "")
        wrong = [name for name in DIGESTS if plain.get(name, getattr(rules, name)) != getattr(rules, name)]
        if wrong:
            raise ConfigError(
                tuple(
                    f"{name}: {str(plain[name])[:12]}... is not that of these rules, "
                    f"{getattr(rules, name)[:12]}...; leave it out if you changed them"
                    for name in wrong
                )
            )
        return rules

    def words(self, width: int = WIDTH) -> tuple[str, ...]:
        """Return the rule set as a page of rules, line by line, none longer than `width` if words allow."""
        return page(self, check_whole("width", width, 10, 1_000_000))

    @cross_check
    def _game_fits_match(self) -> str | None:
        if isinstance(self.game, Tables) == isinstance(self.match, PointMatch):
            return None
        fitting = (
            "PointMatch"
            if isinstance(self.game, Tables)
            else "TwelveHoles, Written, Combine, PoolFill or PoolDrain"
        )
        return (
            f"match.type: {type(self.match).__name__} is not allowed with the game {type(self.game).__name__}; "
            f"{fitting}"
        )

    @cross_check
    def _settlement_fits_match(self) -> str | None:
        if not isinstance(self.match, Written) or not isinstance(self.match.settlement, CombineSettlement):
            return None
        return "match.settlement: CombineSettlement is not allowed with the match Written; Settlement"

    @cross_check
    def _sets_can_end(self) -> str | None:
        if not isinstance(self.match, Written | Combine | PoolDrain) or not isinstance(self.game, Trictrac):
            return None
        if not self.game.go_enabled:
            return (
                "game.go_enabled: false is not allowed; a set of a written match ends only when a player goes "
                "(S0 section 3)"
            )
        if not pays_the_mover(self.game):
            return (
                "match: a set ends only when a player goes after a hole of his own roll, "
                "and in this game no figure pays the player who rolls (game.jan_points, game.hit_points)"
            )
        if comes_to_rest(self.game) and self.game.impuissance_enabled and self.game.impuissance_points:
            return (
                "game.impuissance_enabled: true is not allowed; a set ends only when a player goes after a hole "
                "of his own roll, and when all men have come to rest every roll would pay only the other, so "
                "that game.stall_limit is never reached"
            )
        return None


@config
class _Rules:
    game: Game
    match: Match


@dataclass(frozen=True)
class Difference:
    """One rule in which two rule sets differ; the side without that rule shows ``-``."""

    path: str
    a: Any
    b: Any

    def __str__(self) -> str:
        return f"{self.path}: {rule_words(self.a)} | {rule_words(self.b)}"


def apply(rules: RuleSet, path: str, value: Any) -> RuleSet:
    """Return a rule set with one rule changed.

    Parameters
    ----------
    rules
        The rule set to start from.
    path
        ``game.*``, ``match.*`` or ``settlement.*``, deeper where a field has parts:
        ``game.jan_points.simple``.
    value
        The field's value, or what JSON would hold in its place: the word of an enum, an object, a list.

    Raises
    ------
    ConfigError
        If there is no such field, or it does not take the value.
    """
    return apply_all(rules, {path: value})


def apply_all(rules: RuleSet, changes: Mapping[str, Any]) -> RuleSet:
    """Return a rule set with several rules changed at once; the paths and values are those of `apply`.

    Raises
    ------
    ConfigError
        If any change cannot be made; the problems of all of them are listed.
    """
    problems: list[str] = []
    tree: dict[str, Any] = {}
    for path, value in changes.items():
        steps = path.split(".")
        if steps[0] == "settlement":
            steps = ["match", *steps]
        if rules.settlement is None and steps[:2] == ["match", "settlement"]:
            problems.append(f"{path}: no such rule; {rules.name} has no settlement, {NO_SETTLEMENT}")
        elif steps[0] not in ("game", "match") or len(steps) < 2:
            problems.append(_no_such_rule(rules, path))
        elif place := _other_place(rules, steps):
            problems.append(f"{path}: no such field; it belongs to {place}")
        elif not _graft(tree, steps, _Leaf(value)):
            problems.append(f"{path}: changed twice, as a whole and in part")
    changed, found = _changed(_Rules(game=rules.game, match=rules.match), tree, "")
    if problems or found:
        raise ConfigError(tuple(problems + found))
    return replace(rules, game=changed.game, match=changed.match)


def diff(a: RuleSet, b: RuleSet) -> tuple[Difference, ...]:
    """Return the rules in which two rule sets differ, in order of declaration; prose is not compared."""
    found = [*_differences("game", a.game, b.game), *_differences("match", a.match, b.match)]
    return tuple(sorted(found, key=lambda difference: difference.path.startswith("settlement")))


def sameness(a: RuleSet, b: RuleSet) -> str:
    """Say in words that two rule sets are equal in every field; empty if they are not."""
    if diff(a, b):
        return ""
    if a == b:
        return f"Both names stand for one rule set, {a.name}."
    return f"{a.name} and {b.name} have the same rules: they differ in nothing but name and sources."


ABSENT = "-"
"""Stands in a `Difference` for a rule that the other rule set does not have."""


@dataclass(frozen=True)
class _Leaf:
    value: Any


def _graft(tree: dict[str, Any], steps: list[str], leaf: _Leaf) -> bool:
    """Hang a new value into the tree of changes; False if the place is taken by another change."""
    for step in steps[:-1]:
        tree = tree.setdefault(step, {})
        if isinstance(tree, _Leaf):
            return False
    return tree.setdefault(steps[-1], leaf) is leaf


def _other_place(rules: RuleSet, steps: Sequence[str]) -> str:
    """Where a field of the game was meant that is named as one of the match, or the other way round, its path."""
    parts = {"game": rules.game, "match": rules.match}
    here, there = fields_of(type(parts.pop(steps[0]))), next(iter(parts))
    if len(steps) == 2 and steps[1] not in here and steps[1] in fields_of(type(parts[there])):
        return f"{there}.{steps[1]}"
    return ""


def _no_such_rule(rules: RuleSet, path: str) -> str:
    known = {name: f"{title.lower()}.{name}" for title, part in rules.parts for name in fields_of(type(part))}
    near = get_close_matches(path.rpartition(".")[2], known, n=1)
    hint = f"did you mean {known[near[0]]}?" if near else "a path starts with game, match or settlement"
    return f"{path}: no such rule; {hint}"


def _changed(part: Any, tree: Mapping[str, Any], place: str) -> tuple[Any, list[str]]:
    cls = type(part)
    hints = type_hints(cls)
    values = {name: getattr(part, name) for name in hints}
    problems: list[str] = []
    for name, branch in tree.items():
        path = join(place, name)
        if name not in hints:
            problems.append(no_such_field(cls, place, name))
        elif isinstance(branch, _Leaf):
            values[name], found = value_from_plain(hints[name], branch.value, path)
            problems += found
        elif not is_config(type(values[name])):
            problems.append(f"{path}: has no parts, so {path}.{next(iter(branch))} is no rule")
        else:
            inner = str(getattr(type(values[name]), "PLACE", path))
            values[name], found = _changed(values[name], branch, inner)
            problems += found
    try:
        return build(cls, place, values), problems
    except ConfigError as error:
        return Unbuilt(), problems + list(error.problems)


def _differences(path: str, a: Any, b: Any) -> Iterator[Difference]:
    if (a == b and type(a) is type(b)) or (
        isinstance(a, Enum) and isinstance(b, Enum) and a.value == b.value
    ):
        return  # two games may know the same word
    if not (is_config(type(a)) or is_config(type(b))):
        yield Difference(path, a, b)
        return
    if type(a) is not type(b):
        yield Difference(path, *(type(side).__name__ if is_config(type(side)) else side for side in (a, b)))
    names = [fields_of(type(side)) if is_config(type(side)) else () for side in (a, b)]
    for name in dict.fromkeys(names[0] + names[1]):
        pair = [getattr(side, name, ABSENT) for side in (a, b)]
        places = [str(vars(type(side))["PLACE"]) for side in pair if "PLACE" in vars(type(side))]
        yield from _differences(places[0] if places else join(path, name), *pair)
