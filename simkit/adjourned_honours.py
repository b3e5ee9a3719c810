"""What the record of an adjourned match of trictrac combiné holds besides: the games of honours and their pool.

Between two sets nothing is suspended, as the pickup that ends a set ends every suspension; what goes on is the
game of honours under way, with its run, and the pool. Source 001, Suspending one game and The pool.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from simkit.drivers import OpenHonours
from simkit.errors import ConfigError
from simkit.honours import HonoursStanding, Pair, PoolStanding
from simkit.rules import Combine, CombineSettlement, ContractAfterDraw

LARGEST: Final = 1_000_000
"""Bounds every amount of a record, beyond what play reaches."""

_HONOURS: Final = ("games_won", "fish", "holes", "run", "first_scorer", "own_die")
_POOL: Final = ("basket", "contract", "streak", "only_stakes", "net")


@dataclass(frozen=True)
class Honours:
    """The honours of a match put down: the game under way, and what finished games and the pool have come to."""

    under_way: OpenHonours
    standing: HonoursStanding

    def to_plain(self) -> dict[str, Any]:
        """JSON values: the fields `honours` and `pool` of a record."""
        game, standing, pool = self.under_way, self.standing, self.standing.pool
        return {
            "honours": {
                "games_won": list(standing.games_won),
                "fish": list(standing.fish),
                "holes": list(game.holes),
                "run": game.run,
                "first_scorer": game.first_scorer,
                "own_die": list(game.own_die),
            },
            "pool": {
                "basket": list(pool.basket),
                "contract": pool.contract,
                "streak": pool.streak,
                "only_stakes": pool.only_stakes,
                "net": list(pool.net),
            },
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any], settlement: CombineSettlement) -> Honours:
        """Read the fields `honours` and `pool` of a record.

        May be left out: `run` and `first_scorer`, as far as the holes tell them, `own_die`, all holes then
        counting as made on the own die; `streak` and `only_stakes` of the pool.

        Raises
        ------
        ConfigError
            For unknown or missing fields and values of another type; the message names the field.
        """
        game, pool = _part(plain, "honours", _HONOURS), _part(plain, "pool", _POOL)
        holes = pair(game, "honours.holes")
        lone = next((who + 1 for who in (0, 1) if holes[who] and not holes[1 - who]), 0)
        run = whole(game, "honours.run", 0, 2) if "run" in game or all(holes) else lone
        first = 3 - run if run and all(holes) else lone
        if "first_scorer" in game:
            first = whole(game, "honours.first_scorer", 0, 2)
        own_die = pair(game, "honours.own_die") if "own_die" in game else holes
        basket, contract = pair(pool, "pool.basket"), whole(pool, "pool.contract", 0, 2)
        games_won = pair(game, "honours.games_won")
        # A contract means that a game has ended since, or else that who has drawn the last pool kept it.
        kept = (
            contract > 0
            and _keeps_contract(settlement)
            and _may_have_drawn(games_won, settlement)[contract - 1]
        )
        only_stakes = basket == (settlement.pool_stake_each,) * 2 and (not contract or kept)
        if "only_stakes" in pool:
            only_stakes = pool["only_stakes"]
            if not isinstance(only_stakes, bool):
                raise ConfigError(f"pool.only_stakes: {shown(only_stakes)} is neither true nor false")
        return cls(
            OpenHonours(holes, run, first, own_die),
            HonoursStanding(
                games_won=games_won,
                fish=pair(game, "honours.fish"),
                pool=PoolStanding(
                    basket=basket,
                    contract=contract,
                    streak=whole(pool, "pool.streak", 0, 10) if "streak" in pool else int(contract > 0),
                    only_stakes=only_stakes,
                    net=pair(pool, "pool.net", -LARGEST),
                ),
            ),
        )


def honours_faults(honours: Honours, match: Combine) -> Iterator[str]:
    """Say what no match of these rules can stand at between two sets."""
    yield from _game_faults(honours.under_way, match)
    yield from _fish_faults(honours.standing, match.settlement)
    yield from _pool_faults(honours.standing, match.settlement)
    yield from _basket_faults(honours.standing, match.settlement)
    yield from _contract_faults(honours.standing, match.settlement)
    yield from _opened_faults(honours.standing, match.settlement)
    yield from _drawn_faults(honours.standing, match.settlement)


def _game_faults(game: OpenHonours, match: Combine) -> Iterator[str]:
    holes, run = game.holes, game.run
    if max(holes) >= match.target_holes:
        yield f"honours.holes: {dashed(holes)}, but a game is over with {match.target_holes} (match.target_holes)"
    for player, own in enumerate(game.own_die, 1):
        if own > holes[player - 1]:
            yield f"honours.own_die: {own} of player {player}'s {holes[player - 1]} holes"
    if run and not holes[run - 1]:
        yield f"honours.run: player {run} has no hole, and a run begins with the first"
    elif not run and (any(holes) and not all(holes)):
        yield f"honours.run: 0 with holes {dashed(holes)}; a player who alone has holes has an unbroken run"
    elif not run and holes == (1, 1):
        yield "honours.run: 0 with holes 1-1; the second hole broke the first run, and nothing has broken it"
    first = game.first_scorer
    if first and not holes[first - 1]:
        yield f"honours.first_scorer: player {first} has no hole"
    elif run and (first == run) == all(holes) and first:
        yield (
            f"honours.first_scorer: {first} with holes {dashed(holes)} and the unbroken run of player {run}; "
            "of two who have holes only who scored second can have one"
        )


def _fish_faults(standing: HonoursStanding, settlement: CombineSettlement) -> Iterator[str]:
    unit = settlement.honours_unit_fish
    for player, (won, fish) in enumerate(zip(standing.games_won, standing.fish, strict=True), 1):
        if not won * unit <= fish <= 4 * won * unit or (unit and fish % unit):
            yield (
                f"honours.fish: player {player} has {fish} fish from {won} games; each is worth one to four times "
                f"{unit} (settlement.honours_unit_fish)"
            )


def _pool_faults(standing: HonoursStanding, settlement: CombineSettlement) -> Iterator[str]:
    pool, stake = standing.pool, settlement.pool_stake_each
    if min(pool.basket) < stake:
        yield (
            f"pool.basket: {dashed(pool.basket)}, but each has put in {stake} at least "
            "(settlement.pool_stake_each)"
        )
    if sum(pool.net) != -sum(pool.basket):
        yield (
            f"pool.net: {pool.net[0]} and {pool.net[1]} come to {sum(pool.net)}, but what has not been drawn is "
            f"the basket of {sum(pool.basket)}"
        )
    if pool.only_stakes and pool.basket != (stake, stake):
        yield f"pool.only_stakes: true, but the basket holds {dashed(pool.basket)}"


def _basket_faults(standing: HonoursStanding, settlement: CombineSettlement) -> Iterator[str]:
    """Say where the basket holds what nobody has paid for lost games, or not all of it."""
    stake, unit = settlement.pool_stake_each, settlement.honours_unit_fish
    undrawn = not any(_may_have_drawn(standing.games_won, settlement))
    for player, (put, paid) in enumerate(zip(standing.pool.basket, reversed(standing.fish), strict=True), 1):
        lost = put - stake
        if lost > paid or (lost > 0 and unit and lost % unit):
            yield (
                f"pool.basket: player {player} has put in {put}, {stake} of it his stake "
                f"(settlement.pool_stake_each); the rest is of games he has lost, for which he has paid {paid} "
                f"fish (honours.fish), each a multiple of {unit} (settlement.honours_unit_fish)"
            )
        elif undrawn and 0 <= lost < paid:
            yield (
                f"pool.basket: player {player} has put in {put}, but his stake of {stake} and the {paid} fish of "
                f"games he has lost (honours.fish) still lie there: {_nobody_draws(settlement)}"
            )


def _contract_faults(standing: HonoursStanding, settlement: CombineSettlement) -> Iterator[str]:
    """Say where who has the contract has not won the games for it."""
    pool, won = standing.pool, standing.games_won
    most = max(1, settlement.pool_wins_in_row - 1)
    if bool(pool.contract) != bool(pool.streak) or pool.streak > most:
        yield (
            f"pool.streak: {pool.streak} with the contract of {pool.contract or 'nobody'}; who has it has won 1 "
            f"to {most} in a row (settlement.pool_wins_in_row)"
        )
    if pool.contract and not won[pool.contract - 1]:
        yield f"pool.contract: player {pool.contract} has won no game of honours"
    elif pool.contract and won[pool.contract - 1] < pool.streak:
        yield (
            f"pool.streak: {pool.streak} games in a row of player {pool.contract}, who has won "
            f"{won[pool.contract - 1]} (honours.games_won)"
        )


def _opened_faults(standing: HonoursStanding, settlement: CombineSettlement) -> Iterator[str]:
    """Say where contract and basket do not fit what has happened since the pool was opened."""
    pool, won, unit = standing.pool, standing.games_won, settlement.honours_unit_fish
    in_row, kept = settlement.pool_wins_in_row, _keeps_contract(settlement)
    drew = _may_have_drawn(won, settlement)
    if any(won) and not any(drew) and (pool.only_stakes or not pool.contract):
        yield (
            f"pool.contract: {pool.contract or 'nobody'} after games of {dashed(won)}, with only_stakes "
            f"{str(pool.only_stakes).lower()}; {_nobody_draws(settlement)}, so who has won the last game has the "
            "contract, and a game has ended since the pool was opened"
        )
    elif pool.only_stakes and pool.contract and not (kept and pool.streak == 1 and drew[pool.contract - 1]):
        yield (
            f"pool.only_stakes: true with the contract of player {pool.contract} and a streak of "
            f"{pool.streak}; until a game has ended nobody has it, or who drew the last pool, "
            "with a streak of 1, if he keeps it (settlement.pool_contract_after_draw)"
        )
    elif pool.only_stakes and not pool.contract and kept and any(won):
        yield (
            "pool.contract: nobody, but who drew the last pool has kept it (settlement.pool_contract_after_draw)"
        )
    elif not pool.only_stakes and (not pool.contract or in_row == 1):
        why = (
            "every game draws it (settlement.pool_wins_in_row = 1)"
            if in_row == 1
            else "nobody has the contract"
        )
        yield f"pool.only_stakes: false, but no game has ended since the pool was opened: {why}"
    elif not pool.only_stakes:
        stake, loser = settlement.pool_stake_each, 3 - pool.contract
        games = max(1, pool.streak - kept)
        if 0 <= pool.basket[loser - 1] - stake < games * unit:
            yield (
                f"pool.basket: player {loser} has put in {pool.basket[loser - 1]}, but beside his stake of "
                f"{stake} he has lost {games} in a row to player {pool.contract}, each for {unit} at least "
                "(settlement.honours_unit_fish)"
            )


def _drawn_faults(standing: HonoursStanding, settlement: CombineSettlement) -> Iterator[str]:
    """Say where the fish drawn and put in are none that so many games can have brought."""
    pool, stake = standing.pool, settlement.pool_stake_each
    can = _may_have_drawn(standing.games_won, settlement)
    opened = 1 + sum(_most_drawn(won, settlement) for won in standing.games_won)
    for player, (net, put, paid) in enumerate(
        zip(pool.net, pool.basket, reversed(standing.fish), strict=True), 1
    ):
        if not can[player - 1] and net > -put:
            yield (
                f"pool.net: {net} of player {player}, but he has {put} in the basket and has drawn nothing: he "
                f"has won {standing.games_won[player - 1]} games, and {settlement.pool_wins_in_row} in a row draw "
                "the pool (settlement.pool_wins_in_row)"
            )
        elif -net > stake * opened + paid:
            yield (
                f"pool.net: {net} of player {player}, but he has put in {stake * opened + paid} at most: {paid} "
                f"fish for games he has lost (honours.fish), and {opened} times his stake of {stake} "
                "(settlement.pool_stake_each)"
            )


def _keeps_contract(settlement: CombineSettlement) -> bool:
    return settlement.pool_contract_after_draw is ContractAfterDraw.KEPT


def _may_have_drawn(games_won: Pair, settlement: CombineSettlement) -> tuple[bool, bool]:
    """Tell which players have won games enough to have drawn a pool."""
    one, two = (won >= settlement.pool_wins_in_row for won in games_won)
    return one, two


def _most_drawn(won: int, settlement: CombineSettlement) -> int:
    """Return how many pools a player can have drawn with so many games."""
    in_row = settlement.pool_wins_in_row
    if not _keeps_contract(settlement) or won < in_row:
        return won // in_row
    return 1 + (won - in_row) // max(1, in_row - 1)  # the contract kept counts as the first win


def _nobody_draws(settlement: CombineSettlement) -> str:
    return (
        f"nobody has won {settlement.pool_wins_in_row}, as many as draw the pool in a row "
        "(settlement.pool_wins_in_row)"
    )


# ---------------------------------------------------------------- reading


def _part(plain: Mapping[str, Any], name: str, known: tuple[str, ...]) -> Mapping[str, Any]:
    part = plain.get(name)
    if not isinstance(part, Mapping):
        raise ConfigError(f"{name}: {shown(part)} is not allowed; an object with {', '.join(known)}")
    if unknown := [one for one in part if one not in known]:
        raise ConfigError(
            tuple(f"{name}.{one}: no such field; there are {', '.join(known)}" for one in unknown)
        )
    return part


def whole(plain: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """Read a whole number; `name` may have the part before it, as in `pool.contract`."""
    value = plain.get(name.rpartition(".")[2])
    if type(value) is not int or not low <= value <= high:
        raise ConfigError(f"{name}: {shown(value)} is not allowed; a whole number from {low} to {high}")
    return value


def pair(plain: Mapping[str, Any], name: str, low: int = 0) -> Pair:
    """Read what players 1 and 2 have; for `name` see `whole`."""
    value = plain.get(name.rpartition(".")[2])
    if (
        not isinstance(value, list)
        or len(value) != 2
        or not all(type(one) is int and low <= one <= LARGEST for one in value)
    ):
        from_ = " from 0 on" if low == 0 else ""
        raise ConfigError(
            f"{name}: {shown(value)} is not allowed; two whole numbers{from_}, of players 1 and 2"
        )
    return value[0], value[1]


def shown(value: Any) -> str:
    """Return a JSON value as text, a long one cut."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:59]}…"


def dashed(values: Pair) -> str:
    """Write what players 1 and 2 have."""
    return f"{values[0]}-{values[1]}"
