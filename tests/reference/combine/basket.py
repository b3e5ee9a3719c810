"""The pool of the honours games: stakes, payments, the contract, and who takes the basket (II.7.5)."""

from __future__ import annotations

from dataclasses import dataclass, field

Pair = list[int]


@dataclass(frozen=True)
class PoolRules:
    """The agreement about the pool; amounts in fish."""

    unit: int = 1
    stake_each: int = 2
    wins_in_row: int = 2
    contract_after_draw: str = "cleared"
    """`cleared`, or `kept`: the winner begins the new pool with the contract."""
    last_set: str = "none"
    """`none`, or `open_at_start_single_win`: who wins the next game takes a pool that holds the stakes alone as
    the last set begins."""
    unfinished: str = "split"
    """Who has a basket that is left when the last set is over: `split`, `to_contract_holder` or `returned`."""


@dataclass
class Basket:
    """`fish` lie in it; `contract` is who has won the last game of this pool, `row` how many he has in a row."""

    rules: PoolRules = field(default_factory=PoolRules)
    fish: int = 0
    put_in: Pair = field(default_factory=lambda: [0, 0])
    """What each side has put into it since it was opened."""
    contract: int | None = None
    row: int = 0
    is_open: bool = True
    games: int = 0
    """Games paid into it since it was opened."""
    single_win: bool = False
    """Whether the next game draws it, whoever has the contract."""
    won: Pair = field(default_factory=lambda: [0, 0])
    """What each side has had from the baskets of the match."""
    paid: Pair = field(default_factory=lambda: [0, 0])
    """What each side has put into the baskets of the match."""

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """Each side puts in its stake."""
        self.is_open, self.fish, self.put_in, self.games = True, 0, [0, 0], 0
        for side in (0, 1):
            self.put(side, self.rules.stake_each)

    def put(self, side: int, fish: int) -> None:
        self.fish += fish
        self.put_in[side] += fish
        self.paid[side] += fish

    def take(self, shares: Pair) -> None:
        """Empty the basket; nothing is left in it, and nobody's contract."""
        assert sum(shares) == self.fish and min(shares) >= 0, "a basket is shared out whole"
        for side in (0, 1):
            self.won[side] += shares[side]
        self.is_open, self.fish, self.put_in = False, 0, [0, 0]
        self.contract, self.row, self.single_win = None, 0, False

    def begin_last_set(self) -> None:
        self.single_win = (
            self.rules.last_set == "open_at_start_single_win" and self.is_open and not self.games
        )

    def game_won(self, winner: int, price: int, *, last_set: bool) -> Pair | None:
        """Pay a game into the basket; return the shares if that empties it, else None.

        In the last set a winner takes all if nobody holds the contract; against the other's contract he takes
        half, and the odd fish.
        """
        if not self.is_open:
            return None
        self.put(1 - winner, price * self.rules.unit)
        self.games += 1
        held_by = self.contract
        self.row = self.row + 1 if held_by == winner else 1
        self.contract = winner
        drawn = self.row >= self.rules.wins_in_row or self.single_win or (last_set and held_by is None)
        if not drawn and not (last_set and held_by == 1 - winner):
            return None
        shares = [0, 0]
        if drawn:
            shares[winner] = self.fish
        else:
            shares[1 - winner] = self.fish // 2
            shares[winner] = self.fish - self.fish // 2
        self.take(shares)
        if not last_set:
            self.open()
            if self.rules.contract_after_draw == "kept":
                self.contract, self.row = winner, 1
        return shares

    def end(self) -> Pair:
        """Share out what is left when the match is over."""
        if not self.is_open:
            return [0, 0]
        shares = [self.fish // 2, self.fish // 2]
        if self.rules.unfinished == "returned" or self.contract is None:
            shares = [*self.put_in]
        else:
            shares[self.contract] += self.fish % 2
            if self.rules.unfinished == "to_contract_holder":
                shares = [0, 0]
                shares[self.contract] = self.fish
        self.take(shares)
        return shares
