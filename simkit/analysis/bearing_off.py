"""What the rule of most points does against that of most dice: the same games on the same dice, played by both.

Outside bearing off the two rules allow the same plays, so that a game is the same until men are borne off. Single
games are played, from drawn starts and from the positions of `simkit.analysis.contact`; game m of both plays meets
the same start and the same dice, place by place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import contact, intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Needed, Played, Rows, paired
from simkit.analysis.starts import single_games
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import MoveRule, RuleSet, Tables, replace

POINTS, DICE = MoveRule.MAX_POINTS.value, MoveRule.MAX_DICE.value

PLAYED = ("winner", "points", "rolls", "hits_1", "hits_2", "pips_left_1", "pips_left_2", "off_1", "off_2")
COLUMNS = ("match_id", "first_player", *PLAYED)
"""Columns of `games` that are read; a game that differs in none of PLAYED counts as the same."""

SHARES = ("anything_changes", "winner_changes", "points_change")
"""Shares of games: any of PLAYED differs; another player wins; the same player wins other points, or another."""
NUMBERS = {
    "doubled": "share of games",
    "rolls": "rolls per game",
    "hits": "hits per game",
    "first_wins": "share of games",
}
"""What is told of both plays: the game counts more than one point; rolls and men hit of both players; who
threw first wins."""
FROM, FROM_DICE = "from_positions", "from_positions_by_dice"
"""Keys of the plays from positions."""

ONE = 0
CHANGED = {name: 1 + place for place, name in enumerate(SHARES)}
BEFORE = {name: 4 + place for place, name in enumerate(NUMBERS)}
AFTER = {name: 8 + place for place, name in enumerate(NUMBERS)}
CHANGE = {name: 12 + place for place, name in enumerate(NUMBERS)}
"""Places in the vector of one game: with most dice before, with most points after, the change."""
SIZE = 16


@dataclass(frozen=True, eq=False)
class PairSums:
    """Sums over pairs of games that both came to an end; built by `pair_sums`."""

    products: NDArray[np.int64]
    """(SIZE, SIZE) sums of products of the numbers of one game."""
    winners: NDArray[np.int64]
    """(2, 3): games with most dice and with most points, by their winner; column 0 is empty."""

    @property
    def n(self) -> int:
        """Games counted."""
        return int(self.products[ONE, ONE])

    def total(self, place: int) -> int:
        """Sum of one number."""
        return int(self.products[ONE, place])


def pair_sums(blocks: Iterable[tuple[Rows, Rows]]) -> PairSums:
    """Sum up games played by most points and by most dice; blocks as `simkit.analysis.question.paired` makes."""
    products, winners = np.zeros((SIZE, SIZE), np.int64), np.zeros((2, 3), np.int64)
    for most_points, most_dice in blocks:
        ended = (most_points["winner"] != 0) & (most_dice["winner"] != 0)
        after, before = ({name: rows[name][ended] for name in COLUMNS} for rows in (most_points, most_dice))
        table = _numbers(before, after).astype(np.float64)
        products += (table @ table.T).astype(np.int64)  # exact: sums of whole numbers below 2**53
        winners += np.stack([np.bincount(rows["winner"], minlength=3) for rows in (before, after)])
    return PairSums(products, winners)


def _numbers(before: Rows, after: Rows) -> NDArray[np.int64]:
    """The numbers of each pair of games, int64 (SIZE, games)."""
    table = np.zeros((SIZE, before["winner"].size), np.int64)
    table[ONE] = 1
    winner = before["winner"] != after["winner"]
    table[CHANGED["anything_changes"]] = np.any([before[name] != after[name] for name in PLAYED], axis=0)
    table[CHANGED["winner_changes"]] = winner
    table[CHANGED["points_change"]] = winner | (before["points"] != after["points"])
    for rows, places in ((before, BEFORE), (after, AFTER)):
        for name, values in _of_games(rows).items():
            table[places[name]] = values
    for name, place in CHANGE.items():
        table[place] = table[AFTER[name]] - table[BEFORE[name]]
    return table


def _of_games(games: Rows) -> dict[str, NDArray[np.int64]]:
    """The numbers of NUMBERS, game by game."""
    hits = [games[f"hits_{player}"].astype(np.int64) for player in (1, 2)]
    found = {
        "doubled": games["points"] > 1,
        "rolls": games["rolls"],
        "hits": hits[0] + hits[1],
        "first_wins": games["winner"] == games["first_player"],
    }
    return {name: values.astype(np.int64) for name, values in found.items()}


# ---------------------------------------------------------------- measures


def shares(sums: PairSums, level: float) -> Iterator[Estimate]:
    """How often a game changes.

    SHARES, of all games. `winner_changes_of_changed`: of the games that differ in anything.
    `winner_changes_unrelated`: what `winner_changes` would be if the two plays had nothing in common.
    """
    n = sums.n
    for name in SHARES:
        found = intervals.proportion(sums.total(CHANGED[name]), n, level)
        yield Estimate(measure=name, unit="share of games", interval=found)
    changed = sums.total(CHANGED["anything_changes"])
    found = intervals.proportion(sums.total(CHANGED["winner_changes"]), changed, level)
    yield Estimate(measure="winner_changes_of_changed", unit="share of changed games", interval=found)
    if n:
        won = sums.winners / n
        found = intervals.exact(
            1 - float(won[0] @ won[1]), n, "exact, given how often each player won", level
        )
        yield Estimate(measure="winner_changes_unrelated", unit="share of games", interval=found)


def numbers(sums: PairSums, level: float) -> Iterator[Estimate]:
    """The numbers of NUMBERS by both rules, and what most points make of them.

    The first by detail, max_points or max_dice. `NAME_change`: with most points less with most dice, game by game;
    `NAME_change_share`: the same, as a part of the number with most points.
    """
    n, p = sums.n, sums.products
    for name, unit in NUMBERS.items():
        for rule, places in ((POINTS, AFTER), (DICE, BEFORE)):
            k = places[name]
            if unit == "share of games":
                found = intervals.proportion(sums.total(k), n, level)
            else:
                found = intervals.mean(n, sums.total(k), int(p[k, k]), level)
            yield Estimate(measure=name, detail=rule, unit=unit, interval=found)
        x, y = AFTER[name], CHANGE[name]
        found = intervals.mean(n, sums.total(y), int(p[y, y]), level)
        found = dataclasses.replace(found, method=f"paired {found.method}")
        yield Estimate(measure=f"{name}_change", unit=unit, interval=found)
        sums_of = (sums.total(x), sums.total(y), int(p[x, x]), int(p[x, y]), int(p[y, y]))
        share = intervals.ratio(n, *sums_of, level)
        yield Estimate(
            measure=f"{name}_change_share", unit="share of the number with max_points", interval=share
        )


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, kw_only=True)
class BearingOff:
    """What playing most points does to a game, against playing most dice, on the same dice."""

    times: int = 1
    """Games from positions, as a multiple of those from drawn starts."""

    of_tables: ClassVar[bool] = True
    by_settlement: ClassVar[bool] = False
    by_players: ClassVar[tuple[str, ...]] = ()
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        if self.times < 1:
            yield f"times = {self.times}: 1 or more"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Compared", f"game.move_rule {POINTS} against {DICE}, on the same dice; one game from each draw"
        numbers = ", ".join(f"{contact.of_kind(kind).sum()} {kind}" for kind in contact.KINDS)
        yield "From positions", f"{numbers}; {self.times} times as many games"

    def plays(self, rules: RuleSet) -> Mapping[str, Needed]:
        """Single games by the rule set, which plays most points, and with most dice; both also from positions."""
        own = single_games(rules)
        if not isinstance(own.game, Tables) or own.game.move_rule is not MoveRule.MAX_POINTS:
            raise ConfigError(f"{rules.name} does not play most points (game.move_rule {POINTS})")
        dice = own.with_game(move_rule=MoveRule.MAX_DICE)
        starts = contact.starts()
        return {
            MAIN: Needed(rules=own),
            DICE: Needed(rules=replace(dice, name=f"{rules.name}_{DICE}")),
            **{
                key: Needed(rules=replace(one, name=f"{rules.name}_{key}"), starts=starts, times=self.times)
                for key, one in ((FROM, own), (FROM_DICE, dice))
            },
        }

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number of one rule set and pair of players."""
        needed = self.plays(rules)
        one, other = (needed[key].rules.game for key in (FROM, FROM_DICE))
        assert isinstance(one, Tables)
        assert isinstance(other, Tables)
        yield from contact.forced_in_play(level)
        yield from contact.counted(one, other, level)
        pairs = paired(played.games(contact.COLUMNS, FROM), played.games(contact.COLUMNS, FROM_DICE))
        yield from contact.played_on(contact.start_sums(pairs), level)
        sums = pair_sums(paired(played.games(COLUMNS), played.games(COLUMNS, DICE)))
        yield from shares(sums, level)
        yield from numbers(sums, level)

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The share of games won by player 1, as for any run."""
        return None
