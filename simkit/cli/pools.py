"""What simulate and settle say of pools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simkit.cli.printing import interval_words, print_table, print_text, share

if TYPE_CHECKING:
    from simkit.dataset import Run
    from simkit.pool_accounts import PoolSettled


def holds_pools(run: Run) -> bool:
    """Tell whether a run is one of pools."""
    from simkit.dataset import POOLS

    return run.family is POOLS


def pool_facts(run: Run) -> dict[str, Any]:
    """Say what a run of pools holds; `matches` are pools, as they count everywhere."""
    plays = []
    for place, play in enumerate(run.plays):
        held, sums = 0, dict.fromkeys(("truncated", "matches", "rolls"), 0)
        for rows in run.iter_matches(place, tuple(sums)):
            held += len(rows["rolls"])
            for name in sums:
                sums[name] += int(rows[name].sum())
        of_two = sums.pop("matches")
        names = [player.name for player in play.players]
        facts = {"players": names, "matches": held, **sums, "matches_of_two": of_two, "starts": []}
        plays.append({**play.labels, **facts})
    return {
        "folder": str(run.folder),
        "digest": run.digest,
        "seed": run.plays[0].seed,
        "new_matches": run.new_matches,
        "plays": plays,
    }


def print_pools(found: Sequence[PoolSettled]) -> None:
    """Print what each player pays and takes, in stakes."""
    for one in found:
        cut = f"; {one.unsettled} more were cut and are left out" if one.unsettled else ""
        print_text(f"{one.rules.name}: {one.matches} pools settled{cut}.")
        head = ("place", "player", "won the last match", "pays", "takes", "net", "sd of net")
        rows = [
            (
                seat.seat,
                seat.player,
                share(round(seat.won_last.mean * one.matches) if one.matches else 0, one.matches),
                *(interval_words(amount) for amount in (seat.paid, seat.won, seat.net)),
                f"{seat.net_sd:.2f}",
            )
            for seat in one.seats
        ]
        print_table([head, *rows], numbers=5)
    print_text(
        "\nAmounts in stakes (of a filling pool: antes), mean per pool with its 95 % interval; - stands where "
        "too few pools were settled or nothing varied. Who wins the last match of a filling pool takes the pot."
    )


def pool_plain(one: PoolSettled, settlement: Any) -> dict[str, Any]:
    """Turn one settled play into plain values."""
    seats = [
        {name: vars(value) if hasattr(value, "level") else value for name, value in vars(seat).items()}
        for seat in one.seats
    ]
    return {
        "rules": one.rules.name,
        "settlement": settlement,
        "matches": one.matches,
        "unsettled": one.unsettled,
        "seats": seats,
    }
