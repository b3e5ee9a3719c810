"""The pools in plain Python, written from rules.md II.8 and II.9 and not from the drivers."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction


class FillingPool:
    """A pool that fills, told match by match."""

    def __init__(self, line: Iterable[str], dethroning_counts: bool) -> None:
        self.queue = list(line)
        self.players = list(self.queue)
        self.champion, self.challenger = self.queue.pop(0), self.queue.pop(0)
        self.dethroning_counts = dethroning_counts
        self.streak = 0
        self.winner: str | None = None
        self.came = [self.champion, self.challenger]
        self.defeated: list[str] = []

    def match(self, winner: str) -> None:
        """Enter a match: the winner stays, the loser goes to the tail, the next in line comes in."""
        assert self.winner is None
        assert winner in (self.champion, self.challenger)
        if winner == self.champion:
            loser = self.challenger
            self.streak += 1
        else:
            loser = self.champion
            self.streak = 1 if self.dethroning_counts else 0
        self.defeated.append(loser)
        if self.streak == len(self.players) - 1:
            self.winner = winner
            return
        self.queue.append(loser)
        self.champion, self.challenger = winner, self.queue.pop(0)
        self.came.append(self.challenger)

    def antes(self, *, on_defeat: bool, on_first_entry: bool) -> dict[str, int]:
        """Antes that each has paid."""
        paid = {}
        for player in self.players:
            times = self.came.count(player)
            first = min(times, 1) if on_first_entry else 1
            again = self.defeated.count(player) if on_defeat else max(times - 1, 0)
            paid[player] = first + again
        return paid


class DrainingPool:
    """A pool that is drained, told match by match; money in stakes."""

    def __init__(self, line: Iterable[str], hole: Fraction, ring: bool) -> None:
        self.queue = list(line)
        self.players = list(self.queue)
        self.pot = Fraction(len(self.players))
        self.hole, self.ring = hole, ring
        self.older, self.newer = self.queue.pop(0), self.queue.pop(0)
        self.matches = 0
        self.won = dict.fromkeys(self.players, Fraction(0))

    @property
    def over(self) -> bool:
        """Whether the pot is empty."""
        return self.pot == 0

    def match(self, winner: str, holes: int) -> None:
        """Enter a match: its winner is paid so many holes, or what is left."""
        assert not self.over
        loser = self.newer if winner == self.older else self.older
        payout = min(self.pot, holes * self.hole)
        self.pot -= payout
        self.won[winner] += payout
        leaver = self.older if self.ring and self.matches else winner
        stays = self.newer if leaver == self.older else self.older
        assert self.ring or stays == loser
        self.matches += 1
        if not self.over:
            self.queue.append(leaver)
            self.older, self.newer = stays, self.queue.pop(0)
