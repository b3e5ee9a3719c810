"""Games of honours to fish: their classes, the pool, and a match of trictrac combiné settled as a whole.

Column arithmetic over the rows of `honours_games` and `sets`; nothing is played again. Amounts are whole fish,
signed for player 1. Source 001, Trictrac combiné and The pool; rules.md II.7.5 and II.7.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.errors import UsageError
from simkit.rules import (
    Combine,
    CombineSettlement,
    ContractAfterDraw,
    LastSetScored,
    PartieSettlement,
    PoolLastSet,
    PoolUnfinished,
    PriceScheme,
    UnfinishedHonours,
    table_of,
)
from simkit.settle import Column, Integers, Rows, match_starts, partie_prices, settle
from simkit.settle_turns import TURNS_SETTLED_FROM, sets_of_players, shared, turn_order

GAMES_FROM = (
    "match_id",
    "game_no",
    "set_no",
    "winner",
    "first_scorer",
    "holes_1",
    "holes_2",
    "run_intact_1",
    "run_intact_2",
)
"""Columns of `honours_games` that some settlement reads."""

Pair = tuple[int, int]


@dataclass(frozen=True)
class PoolStanding:
    """The pool of a match under way.

    Attributes
    ----------
    basket
        Fish that players 1 and 2 have put into it since it was opened; all of them lie there.
    contract, streak
        Who has the contract, 1 or 2, and the games he has won in a row; 0 for nobody.
    only_stakes
        Whether no game has ended since it was opened.
    net
        Fish that each player has drawn less those he has put in, all pools together.
    """

    basket: Pair
    contract: int
    streak: int
    only_stakes: bool
    net: Pair


@dataclass(frozen=True)
class HonoursStanding:
    """What the finished games of honours of a match under way have come to.

    `games_won`: by players 1 and 2; `fish`: that each was paid for them by the other; `pool`: how it stands.
    """

    games_won: Pair
    fish: Pair
    pool: PoolStanding


class Pools:
    """The pool of each of many matches: the basket, who has put in what, who has the contract.

    `begun`: how the pool of all of them stands already; by default each begins with its stakes.

    Attributes
    ----------
    basket
        int64 (n,), fish in the basket.
    put
        int64 (n, 2), fish that each player has put into it since it was opened.
    contract
        int64 (n,), who has the contract: 1, 2, or 0 for nobody.
    streak
        int64 (n,), games he has won in a row.
    games
        int64 (n,), games finished since it was opened.
    open
        bool (n,), whether there is a pool.
    net
        int64 (n, 2), fish that each player has drawn less those he has put in, all pools together.
    left
        int64 (n, 2), fish that each player has taken at the end out of a basket that nobody had drawn.
    """

    def __init__(self, count: int, settlement: CombineSettlement, begun: PoolStanding | None = None) -> None:
        self._settlement = settlement
        self.basket = np.zeros(count, np.int64)
        self.put = np.zeros((count, 2), np.int64)
        self.contract = np.zeros(count, np.int64)
        self.streak = np.zeros(count, np.int64)
        self.games = np.zeros(count, np.int64)
        self.open = np.zeros(count, np.bool_)
        self.net = np.zeros((count, 2), np.int64)
        self.left = np.zeros((count, 2), np.int64)
        if begun is None:
            self._begin(np.arange(count))
        else:
            self.open[:] = True
            self.put[:], self.net[:], self.basket[:] = begun.basket, begun.net, sum(begun.basket)
            self.contract[:], self.streak[:] = begun.contract, begun.streak
            self.games[:] = not begun.only_stakes

    def standing(self, place: int) -> PoolStanding:
        """Say how the pool of one match stands, by place."""
        return PoolStanding(
            basket=_pair(self.put[place]),
            contract=int(self.contract[place]),
            streak=int(self.streak[place]),
            only_stakes=bool(self.games[place] == 0),
            net=_pair(self.net[place]),
        )

    def finish_games(self, at: Column, winner: Column, paid: Column, in_last_set: Column) -> Integers:
        """Let a game end in each of some matches; return what the players draw, int64 (n, 2).

        Parameters
        ----------
        at
            The matches, by place; each at most once.
        winner
            Who has won, 1 or 2.
        paid
            Fish the loser owes for the game: to the winner, and as much to the basket.
        in_last_set
            Whether the last set was on, or over.
        """
        only_stakes = self.games[at] == 0
        self.games[at] += 1
        self._pay_in(at, 2 - winner, paid * self.open[at])
        held = self.contract[at]
        own = held == winner
        self.streak[at] = np.where(own, self.streak[at] + 1, 1) * self.open[at]
        self.contract[at] = winner * self.open[at]
        draws = self.streak[at] >= self._settlement.pool_wins_in_row
        draws |= in_last_set & (held == 0)
        if self._settlement.pool_last_set is PoolLastSet.OPEN_AT_START_SINGLE_WIN:
            draws |= in_last_set & only_stakes
        draws &= self.open[at]
        halves = in_last_set & ~own & ~draws & self.open[at]
        drawn = np.zeros((len(at), 2), np.int64)
        side = np.arange(2) + 1 == winner[:, None]
        whole = self.basket[at]
        drawn[draws] = (side * whole[:, None])[draws]
        larger, smaller = whole - whole // 2, whole // 2
        drawn[halves] = np.where(side, larger[:, None], smaller[:, None])[halves]
        self._draw(at, drawn, draws | halves)
        self._begin(at[draws & ~in_last_set], winner[draws & ~in_last_set])
        return drawn

    def end(self) -> Integers:
        """Let all matches end; return `left`."""
        share = self.put.copy()
        has_contract = self.contract > 0
        holder = np.arange(2) + 1 == self.contract[:, None]
        if self._settlement.pool_unfinished is PoolUnfinished.SPLIT:
            share = (self.basket[:, None] + holder) // 2
        elif self._settlement.pool_unfinished is PoolUnfinished.TO_CONTRACT_HOLDER:
            share = np.where(has_contract[:, None], holder * self.basket[:, None], self.put)
        self.left = share * self.open[:, None]
        self._draw(np.arange(len(share)), self.left, self.open.copy())
        return self.left

    def _begin(self, at: Column, winner: Column | None = None) -> None:
        """Open pools anew; `winner`: who has drawn the last."""
        self.open[at] = True
        for side in (0, 1):
            self._pay_in(at, np.full(len(at), side), self._settlement.pool_stake_each)
        if winner is not None and self._settlement.pool_contract_after_draw is ContractAfterDraw.KEPT:
            self.contract[at], self.streak[at] = winner, 1

    def _pay_in(self, at: Column, side: Column, fish: Column | int) -> None:
        self.basket[at] += fish
        self.put[at, side] += fish
        self.net[at, side] -= fish

    def _draw(self, at: Column, drawn: Column, closed: Column) -> None:
        """Pay out baskets, and close those that are paid out."""
        self.net[at] += drawn
        at = at[closed]
        self.open[at] = False
        for values in (self.basket, self.put, self.contract, self.streak, self.games):
            values[at] = 0


def games_needed(games: Rows | None) -> Rows:
    """Return rows of `honours_games`; without them, or a column of `GAMES_FROM`, UsageError."""
    if games is None:
        raise UsageError("trictrac combiné is settled from the rows of honours_games too, and none are given")
    if missing := [name for name in GAMES_FROM if name not in games]:
        raise UsageError(
            f"trictrac combiné needs the column{'s' * (len(missing) > 1)} {', '.join(missing)}, which these rows "
            f"of honours_games lack; they hold: {', '.join(games) or 'nothing'}"
        )
    return games


def game_classes(games: Rows, settlement: CombineSettlement) -> Column:
    """Classes of games of honours, int8: 1 single, 2 double, 3 treble, 4 quadruple. Rules II.4."""
    honours = PartieSettlement(
        price_scheme=PriceScheme.HONOURS,
        honours_double_max_loser_holes=settlement.honours_double_max_loser_holes,
    )
    return partie_prices(games, honours)


def honours_log(games: Rows, settlement: CombineSettlement, n_sets: int) -> dict[str, Column]:
    """What is paid at the end of every game of honours, and how the pool stands after it.

    Parameters
    ----------
    games : mapping of column name to array
        Rows of `honours_games`, whole matches in order.
    settlement : CombineSettlement
        The prices.
    n_sets : int
        Sets of the match: in the last of them no pool is opened.

    Returns
    -------
    dict
        One entry per row: match_id, game_no; `class` int8; `paid` int64, fish from the loser to the winner, and
        `into_basket`, from him to the basket; `drawn_1`, `drawn_2`, fish that each player takes out of it;
        `opened`, whether a new pool follows;
        `basket` after that, with the stakes of a new pool; `contract` int8, who then has it.
    """
    log, _ = _replayed(games, settlement, n_sets, np.unique(games["match_id"]))
    return log


def standing_after(games: Rows, settlement: CombineSettlement, n_sets: int) -> HonoursStanding:
    """Say what the games of honours that one match has finished so far have come to; before its last set."""
    rows = {**games, "match_id": np.zeros(len(games["winner"]), np.int64)}
    log, pools = _replayed(rows, settlement, n_sets, np.zeros(1, np.int64), end=False)
    won = [games["winner"] == player for player in (1, 2)]
    return HonoursStanding(
        games_won=_pair([mine.sum() for mine in won]),
        fish=_pair([log["paid"][mine].sum() for mine in won]),
        pool=pools.standing(0),
    )


def _pair(values: Any) -> Pair:
    return int(values[0]), int(values[1])


PAID_FOR = ("stake", "game", "basket", "drawn", "unfinished", "written")
"""What is paid for: the stake of a pool; a game of honours, to its winner and to the basket; a basket drawn or
halved, and one that nobody has drawn; the written match as a whole."""
BASKET = 0
"""Payer or payee who is no player."""


def payments(
    sets: Rows, games: Rows, match: Combine, *, n_sets: int | None = None, seed: int = 0
) -> dict[str, Column]:
    """Every payment of matches of trictrac combiné, in order; arguments and errors are those of `settle_combined`.

    Returns
    -------
    dict
        One entry per payment that is not zero: match_id; `game_no` int16, the game of honours it follows, 0 at
        the start and one more than the last at the end; `payer`, `payee` int8: 1, 2, or 0 for the basket; `what`,
        int8, a place in `PAID_FOR`; `amount` int64, fish, but jetons for the written match. A match that is not
        settled has none.
    """
    settlement, n_sets, games = match.settlement, *_counted(games, match, n_sets)
    whole = settle_combined(sets, games, match, n_sets=n_sets, seed=seed)
    log, pools = _replayed(games, settlement, n_sets, whole["match_id"])
    stakes = np.full(len(whole["match_id"]), settlement.pool_stake_each)
    last = np.bincount(np.searchsorted(whole["match_id"], games["match_id"]), minlength=len(stakes)) + 1
    winner, match_id, game_no = games["winner"], log["match_id"], log["game_no"]
    anew = log["opened"] * settlement.pool_stake_each
    paid = [
        *((whole["match_id"], 0 * stakes, who, BASKET, "stake", stakes) for who in (1, 2)),
        (match_id, game_no, 3 - winner, winner, "game", log["paid"]),
        (match_id, game_no, 3 - winner, BASKET, "basket", log["into_basket"]),
        *((match_id, game_no, BASKET, who, "drawn", log[f"drawn_{who}"]) for who in (1, 2)),
        *((match_id, game_no, who, BASKET, "stake", anew) for who in (1, 2)),
        *((whole["match_id"], last, BASKET, who, "unfinished", pools.left[:, who - 1]) for who in (1, 2)),
        *(
            (whole["match_id"], last, 3 - who, who, "written", sign * whole["written_money"])
            for who, sign in ((1, 1), (2, -1))
        ),
    ]
    columns = _laid_out(paid)
    settled = whole["settled"][np.searchsorted(whole["match_id"], columns["match_id"])]
    return {name: column[settled] for name, column in columns.items()}


def _laid_out(paid: Sequence[tuple[Any, ...]]) -> dict[str, Column]:
    """Lay groups of payments out as columns, in order of match and game; what is not above zero is none."""
    kinds = {
        "match_id": np.int64,
        "game_no": np.int16,
        "payer": np.int8,
        "payee": np.int8,
        "what": np.int8,
        "amount": np.int64,
    }
    rows = [
        np.broadcast_arrays(*(PAID_FOR.index(part) if isinstance(part, str) else part for part in group))
        for group in paid
    ]
    columns = {
        name: np.concatenate([group[place] for group in rows]).astype(kind)
        for place, (name, kind) in enumerate(kinds.items())
    }
    order = np.lexsort((columns["game_no"], columns["match_id"]))
    order = order[columns["amount"][order] > 0]
    return {name: column[order] for name, column in columns.items()}


def settle_combined(
    sets: Rows, games: Rows, match: Combine, *, n_sets: int | None = None, seed: int = 0
) -> dict[str, Column]:
    """Settle matches of trictrac combiné from the rows of their sets and of their games of honours.

    Parameters
    ----------
    sets, games : mapping of column name to array
        Rows of `sets` and of `honours_games` of the same matches, ordered.
    match : Combine
        The match, with its settlement.
    n_sets : int, optional
        Sets of the match, all by default: the first n_sets of the rows are used.
    seed : int
        The seed of the run, for the dice that decide a five.

    Returns
    -------
    dict
        One entry per match: the columns of `simkit.settle.settle` for the written match, of which `exact` and
        `money` are called `written` and `written_money`; int64, in fish signed for player 1: `honours`, paid for
        games, `pool`, drawn less put in, and `honours_fish`, their sum; `honours_won_1`, `honours_won_2` int16;
        `exact` and `money`, jetons of both games together, by `honours_fish_jetons`; `winner` by the sign of
        exact. A match that is not settled has zeros.

    Raises
    ------
    UsageError
        A column is missing, rows are not whole matches in order, or a shorter match is asked for where it would
        have been played otherwise.
    """
    settlement, n_sets, games = match.settlement, *_counted(games, match, n_sets)
    return with_honours(settle(sets, settlement, n_sets=n_sets, seed=seed), games, settlement, n_sets)


def settle_partners(
    sets: Rows, games: Rows, match: Combine, *, n_sets: int | None = None, seed: int = 0
) -> dict[str, Column]:
    """Settle matches of trictrac combiné with partners, who share what their side has from both games.

    Parameters are those of `settle_combined`; `sets` must have `simkit.settle_turns.TURNS_SETTLED_FROM`.

    Returns
    -------
    dict
        The columns of `settle_combined`, signed for side 1, and of each player p from 1: `sets_played_p` int16,
        `written_money_p`, his jetons of the written match, `honours_fish_p`, his fish of honours, and `money_p`,
        both in jetons. What cannot be divided goes to who came to the table first.

    Raises
    ------
    UsageError
        As `settle_combined`; or the rows do not say who sat at the table.
    """
    missing = [name for name in TURNS_SETTLED_FROM if name not in sets]
    if missing:
        raise UsageError(
            f"settling {match.players} players needs the columns {', '.join(missing)}, which these set rows lack"
        )
    whole, starts, mode = (
        settle_combined(sets, games, match, n_sets=n_sets, seed=seed),
        match_starts(sets),
        table_of(match),
    )
    turns = turn_order(sets, starts, match.players)
    found = sets_of_players(sets, starts, match.players, match.sets if n_sets is None else n_sets)
    for name in ("written_money", "honours_fish"):
        found |= shared(name, whole[name], turns, mode)
    for player in range(1, match.players + 1):
        in_jetons = match.settlement.honours_fish_jetons * found[f"honours_fish_{player}"]
        found[f"money_{player}"] = found[f"written_money_{player}"] + in_jetons
    return {"match_id": whole["match_id"], **found, **whole}


def with_honours(
    written: Rows,
    games: Rows,
    settlement: CombineSettlement,
    n_sets: int,
    brought: HonoursStanding | None = None,
) -> dict[str, Column]:
    """Add the games of honours to written matches that are settled.

    Parameters
    ----------
    written
        What `simkit.settle.settle` gives.
    games
        Rows of `honours_games` of the same matches.
    settlement, n_sets
        The prices, and the sets of the match.
    brought
        What games before those of the rows have come to, the same in every match.

    Returns
    -------
    dict
        As `settle_combined`.
    """
    matches, settled = written["match_id"], written["settled"]
    log, pool = _replayed(games, settlement, n_sets, matches, brought.pool if brought else None)
    fish, games_won = (brought.fish, brought.games_won) if brought else ((0, 0), (0, 0))
    sign = np.where(games["winner"] == 1, 1, -1)
    at = np.searchsorted(matches, games["match_id"])
    honours = (_summed(at, sign * log["paid"], len(matches)) + fish[0] - fish[1]) * settled
    net = pool.net[:, 0] * settled
    in_jetons = settlement.honours_fish_jetons * (honours + net)
    exact, money = written["exact"], written["money"]
    found = {
        name: column
        for name, column in written.items()
        if name not in ("winner", "settled", "exact", "money")
    }
    for player in (1, 2):
        won = (_summed(at, games["winner"] == player, len(matches)) + games_won[player - 1]) * settled
        found[f"honours_won_{player}"] = won.astype(np.int16)
    whole = exact + in_jetons
    return found | {
        "written": exact,
        "written_money": money,
        "honours": honours,
        "pool": net,
        "honours_fish": honours + net,
        "exact": whole,
        "money": money + in_jetons,
        "winner": np.where(whole > 0, 1, np.where(whole < 0, 2, 0)).astype(np.int8),
        "settled": settled,
    }


def _counted(games: Rows, match: Combine, n_sets: int | None) -> tuple[int, Rows]:
    """The sets of a match, and the games of honours that ended in them.

    A match is not cut short that would then have ended otherwise.
    """
    games = games_needed(games)
    if n_sets is None or n_sets >= match.sets:
        return match.sets, games
    for name, value, usual in (
        ("combine_unfinished_honours", match.combine_unfinished_honours, UnfinishedHonours.VOID),
        ("combine_last_set_scored", match.combine_last_set_scored, LastSetScored.UNTIL_PICKUP),
    ):
        if value is not usual:
            raise UsageError(
                f"sets: with match.{name} = {value.value} the first sets of a longer match do not end as a "
                "shorter one; simulate it"
            )
    counted = games["set_no"] <= n_sets
    return n_sets, {name: column[counted] for name, column in games.items()}


def _replayed(
    games: Rows,
    settlement: CombineSettlement,
    n_sets: int,
    matches: Column,
    begun: PoolStanding | None = None,
    *,
    end: bool = True,
) -> tuple[dict[str, Column], Pools]:
    """Replay the pool of every match game by game: what is paid, and the pools when all is over.

    Without `end` the pools are left as they stand after the last game.
    """
    at = np.searchsorted(matches, games["match_id"])
    if (np.diff(at) < 0).any():
        raise UsageError("rows of honours_games must be ordered by match_id and game_no")
    number = np.arange(len(at)) - np.searchsorted(at, at)  # of each game in its match, from 0
    classes = game_classes(games, settlement)
    paid = classes.astype(np.int64) * settlement.honours_unit_fish
    pools = Pools(len(matches), settlement, begun)
    into_basket, basket, contract = (np.zeros(len(at), kind) for kind in (np.int64, np.int64, np.int8))
    drawn = np.zeros((len(at), 2), np.int64)
    for step in range(int(number.max(initial=-1)) + 1):
        rows = np.flatnonzero(number == step)
        here = at[rows]
        into_basket[rows] = paid[rows] * pools.open[here]
        drawn[rows] = pools.finish_games(
            here, games["winner"][rows].astype(np.int64), paid[rows], games["set_no"][rows] >= n_sets
        )
        basket[rows], contract[rows] = pools.basket[here], pools.contract[here]
    if end:
        pools.end()
    opened = drawn.any(axis=1) & (games["set_no"] < n_sets)
    return {
        "match_id": games["match_id"],
        "game_no": games["game_no"],
        "class": classes,
        "paid": paid,
        "into_basket": into_basket,
        "drawn_1": drawn[:, 0],
        "drawn_2": drawn[:, 1],
        "opened": opened,
        "basket": basket,
        "contract": contract,
    }, pools


def _summed(at: Column, values: Column, count: int) -> Integers:
    sums = np.zeros(count, np.int64)
    np.add.at(sums, at, values)
    return sums
