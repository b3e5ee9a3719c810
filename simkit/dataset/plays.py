"""What was played: rules, players and seed, as asked for and as a run folder remembers them."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from simkit.arguments import check_whole
from simkit.dataset.schema import (
    BY_TURNS,
    COMBINE,
    COMBINE_BY_TURNS,
    POOLS,
    TOUTES_TABLES,
    TRICTRAC,
    Family,
)
from simkit.errors import ConfigError, UsageError, VerificationFailed
from simkit.rules import Combine, PointMatch, PoolDrain, PoolFill, RuleSet, seated_words

if TYPE_CHECKING:
    from simkit.drivers import State
    from simkit.players import Players

DICE: Final = "philox4x64-10/2"
"""The dice and all that follows from them. The number after the stroke is raised with every change by which
the same play would give other rows, so that a run folder never mixes the two."""

MAX_SEED: Final = 2**64 - 1
MAX_MATCHES: Final = 10**9
MAX_PLAYS: Final = 1000
MAX_STARTS: Final = 10_000
MOST_GAMES: Final = 30_000
"""Games of a match that goes on while the points are equal; it could not be numbered further."""
RUN_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
"""Names of runs, which are names of folders."""


@dataclass(frozen=True)
class PlaySpec:
    """One thing to play: a rule set, its players in order, the seed of all dice, and where matches start.

    The identity of the play is the rules' play digest, the players' digests, the seed and, if there are any,
    the starts; settlement, names, number of matches and everything about how the work is divided are no part
    of it.

    Attributes
    ----------
    starts
        Match m starts its first unit in `starts[m % len(starts)]`, so that a number of matches divisible by
        `len(starts)` has each start equally often. Without any, matches start as they do. The first throw is
        then not drawn; the later sets of a written match go on as always.

    Raises
    ------
    UsageError
        The seed is no whole number from 0 to 2**64 - 1, or a start cannot be under these rules; with the law
        and the position.
    """

    rules: RuleSet
    players: Players
    seed: int
    starts: tuple[State, ...] = ()

    def __post_init__(self) -> None:
        check_whole("seed", self.seed, 0, MAX_SEED, "2**64 - 1")
        if len(self.players) != self.rules.match.players:
            raise UsageError(
                f"players: {len(self.players)} given; a match by {self.rules.name} has {self.rules.match.players}"
            )
        _check_starts(self.starts, self.rules)


@dataclass(frozen=True)
class StoredPlayer:
    """A player as a run folder describes him: enough to name him and to recognise him, not to play on."""

    name: str
    title: str
    digest: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class StoredPlay:
    """One play of a run folder; its rows carry the labels `rules.name` and the two players' names."""

    rules: RuleSet
    players: tuple[StoredPlayer, ...]
    seed: int
    starts: tuple[State, ...] = ()

    @classmethod
    def of(cls, play: PlaySpec) -> StoredPlay:
        """What a run folder keeps of a play."""
        from simkit.players import without_going

        of_tables = isinstance(play.rules.match, PointMatch)
        told = (without_going(player) if of_tables else player for player in play.players)
        players = (
            StoredPlayer(player.name, player.title, player.digest, tuple(as_told.words()))
            for player, as_told in zip(play.players, told, strict=True)
        )
        return cls(play.rules, tuple(players), play.seed, play.starts)

    @property
    def labels(self) -> dict[str, str]:
        """The label columns of its rows; `player_2` names all but the first, joined by `+`."""
        first, *others = (player.name for player in self.players)
        return {"rules": self.rules.name, "player_1": first, "player_2": "+".join(others)}

    @property
    def title(self) -> str:
        """One line for progress and messages."""
        return f"{self.rules.name}: {self.seated}"

    @property
    def seated(self) -> str:
        """Who plays against whom, of more than two with their numbers."""
        return seated_words(self.rules.match, [player.name for player in self.players])

    @property
    def identity(self) -> dict[str, Any]:
        """What decides every row: two plays of one identity are one play."""
        known = {
            "play_digest": self.rules.play_digest,
            "players": [player.digest for player in self.players],
            "seed": str(self.seed),
        }
        return known | ({"starts": [one.to_plain() for one in self.starts]} if self.starts else {})

    @property
    def family(self) -> Family:
        """What is kept of it."""
        if isinstance(self.rules.match, PointMatch):
            return TOUTES_TABLES
        if isinstance(self.rules.match, PoolFill | PoolDrain):
            return POOLS
        if isinstance(self.rules.match, Combine):
            return COMBINE if self.rules.match.players == 2 else COMBINE_BY_TURNS
        return BY_TURNS if self.rules.match.players > 2 else TRICTRAC

    @property
    def most_units(self) -> int:
        """The most sets, parties or games that one match can have."""
        match = self.rules.match
        open_end = isinstance(match, PointMatch) and not match.match_end_mid_pair
        return MOST_GAMES if open_end else match.units

    def to_plain(self) -> dict[str, Any]:
        """JSON values; the seed as a decimal string, since many readers of JSON round above 2**53."""
        return {
            **self.identity,
            "rules_digest": self.rules.digest,
            "rules": json.loads(self.rules.to_json()),
            "players": [
                {"name": player.name, "title": player.title, "digest": player.digest, "words": player.words}
                for player in self.players
            ],
        }

    @classmethod
    def from_plain(cls, plain: Any) -> StoredPlay:
        """The play a run folder describes.

        Raises
        ------
        VerificationFailed
            The description is none, or its digests are not those of its rules.
        """
        try:
            canonical(plain)  # refuses what could not be written again
            rules = RuleSet.from_json(json.dumps(plain["rules"]))
            players = tuple(_stored_player(player) for player in plain["players"])
            if len(players) != rules.match.players:
                raise ValueError(f"{len(players)} players, and {rules.name} has {rules.match.players}")
            play = cls(rules, players, _seed(plain["seed"]), _stored_starts(plain, rules))
        except (KeyError, TypeError, ValueError, RecursionError, ConfigError, UsageError) as error:
            raise VerificationFailed(f"run.json: no description of a play: {error}") from error
        if (play.rules.play_digest, play.rules.digest) != (
            plain.get("play_digest"),
            plain.get("rules_digest"),
        ):
            raise VerificationFailed(f"run.json: the digests of {play.rules.name} are not those of its rules")
        return play


def check_plays(plays: Sequence[PlaySpec]) -> tuple[StoredPlay, ...]:
    """The plays as a run would keep them.

    Raises
    ------
    UsageError
        There are none or too many, or two of them could not be told apart in the tables: the same play
        twice (play once, settle many times), or different plays under the same three labels.
    """
    if not 1 <= len(plays) <= MAX_PLAYS:
        raise UsageError(f"plays: {len(plays)} given; a run holds 1 to {MAX_PLAYS}")
    stored = tuple(StoredPlay.of(play) for play in plays)
    if len({play.family.games for play in stored}) > 1:
        raise UsageError(
            f"plays of {' and of '.join(dict.fromkeys(play.family.games for play in stored))} cannot share a run: "
            "they keep different tables"
        )
    for place, play in enumerate(stored):
        for earlier in stored[:place]:
            if play.identity == earlier.identity:
                raise UsageError(
                    f"{play.title} is played already as {earlier.title}: rules that differ in settlement "
                    "alone share one play and are settled from its rows"
                )
            if play.labels == earlier.labels:
                raise UsageError(
                    f"two different plays are called {play.title}; give one of them another name"
                )
    return stored


def run_digest(plays: Sequence[StoredPlay], dice: str = "") -> str:
    """64 hex digits of what a run plays; how many matches and how they are divided is no part of it.

    `dice`: the dice it was played with, if they are older ones.
    """
    return hashlib.sha256(
        canonical({"dice": dice or DICE, "plays": [play.identity for play in plays]})
    ).hexdigest()


def readable(dice: str) -> bool:
    """Whether a run of these dice can be read: the present ones, or older ones of the same kind."""
    kind, _, now = DICE.partition("/")
    told, _, number = dice.partition("/")
    return told == kind and number in map(str, range(1, int(now) + 1))


def canonical(plain: Any) -> bytes:
    """JSON with sorted keys, no spaces and no floats that are no numbers, in UTF-8."""
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def check_path(name: str, value: object) -> Path:
    """`value` as a path.

    Raises
    ------
    UsageError
        It is none; the message names the argument.
    """
    if not isinstance(value, str | os.PathLike):
        raise UsageError(f"{name}: {value!r} is not a path; give a text or a pathlib.Path")
    if "\0" in os.fsdecode(value):
        raise UsageError(f"{name}: {value!r} is not a path; it holds a NUL")
    return Path(value)


def _stored_player(plain: Mapping[str, Any]) -> StoredPlayer:
    texts = [plain["name"], plain["title"], plain["digest"], *plain["words"]]
    if not all(isinstance(text, str) and len(text) <= 10_000 for text in texts) or not plain["name"]:
        raise ValueError("a player is described by short texts")
    return StoredPlayer(plain["name"], plain["title"], plain["digest"], tuple(plain["words"]))


def _check_starts(starts: tuple[State, ...], rules: RuleSet) -> None:
    if starts == ():
        return
    from simkit.drivers import State, check_state  # which load the kernel

    if isinstance(rules.match, Combine):
        raise UsageError(
            f"{rules.name}: a start from a state is one of one game; of trictrac combiné every match starts as "
            "matches do"
        )
    if not isinstance(starts, tuple) or not all(isinstance(one, State) for one in starts):
        raise UsageError(f"starts: {starts!r} is not a tuple of simkit.drivers.State")
    if len(starts) > MAX_STARTS:
        raise UsageError(f"starts: {len(starts)} given; at most {MAX_STARTS}")
    for number, start in enumerate(starts):
        try:
            check_state(start, rules)
        except UsageError as error:
            raise type(error)(f"start {number + 1}: {error}" if len(starts) > 1 else str(error)) from None


def _stored_starts(plain: Mapping[str, Any], rules: RuleSet) -> tuple[State, ...]:
    if "starts" not in plain:
        return ()
    if not isinstance(plain["starts"], list) or not plain["starts"]:
        raise ValueError("starts is a list of one or more")
    from simkit.drivers import State

    starts = tuple(State.from_plain(one) for one in plain["starts"])
    _check_starts(starts, rules)
    return starts


def _seed(text: Any) -> int:
    if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 20):
        raise ValueError(f"seed {text!r} is no decimal number")
    if int(text) > MAX_SEED:
        raise ValueError(f"seed {text} is above 2**64 - 1")
    return int(text)
