"""What the tail of tokens does: with or against the payment of the sets, paid after or before it, and in the end.

Every number compares settlements of the same play, under both readings of who is ahead. Only sums are kept.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simkit.analysis import intervals
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Needed, Played, length_problems
from simkit.analysis.tails import MONEY, POINTS, SHARE, Sums, dice_of_fives, whole_matches
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import GeneralTailBasis, RuleSet, Settlement, TokenTailBasis, TokenTailTie, Written
from simkit.settle import SETTLED_FROM, Rows, pay

Reading = tuple[int, TokenTailBasis]
"""Tokens laid out for a lost set, and who is ahead when they are taken."""
Paid = Mapping[str, NDArray[Any]]
"""What matches come to, part by part, as `simkit.settle.pay` tells it."""

OF_DECIDED = "share of matches with a sets winner"
NO_TOKENS, OTHER_BASIS = "tokens_per_set=0", "token_tail_basis=the other"
NO_SHARING, SETS_FIRST = "token_tail_tie=none", "the sets paid first"


@dataclass(frozen=True)
class Number:
    """What is counted of a match."""

    meaning: str
    unit: str = SHARE
    contrast: str = ""
    """With what the match is compared; empty where with nothing."""
    signed: bool = False
    """Whether it is a number of either sign, of which the mean is told; else it is true or not."""


NUMBERS: Mapping[str, Number] = {
    "tails_opposed": Number("tail of tokens and payment of the sets go to different players"),
    "tails_agree": Number("they go to the same player"),
    "sets_winner_wins": Number("he who has more sets wins the match", OF_DECIDED),
    "tokens_with_sets": Number("he has the tail of tokens too", OF_DECIDED),
    "tokens_with_sets_paid_first": Number("he would, were the sets paid before", OF_DECIDED),
    "paid_first_changes_owner": Number("that order gives the tail to another", contrast=SETS_FIRST),
    "paid_first_changes_winner": Number("that order gives the match to another", contrast=SETS_FIRST),
    "winner_differs": Number("another winner, a draw being a result", contrast=NO_TOKENS),
    "result_larger": Number("the same winner, and a larger rounded result", contrast=NO_TOKENS),
    "result_smaller": Number("the same winner, and a smaller one", contrast=NO_TOKENS),
    "result_same": Number("the same winner, and the same one", contrast=NO_TOKENS),
    "basis_changes_owner": Number("the tail goes to another", contrast=OTHER_BASIS),
    "basis_changes_winner": Number("the match goes to another", contrast=OTHER_BASIS),
    "nobody_ahead": Number("the tail is shared"),
    "tie_changes_winner": Number("sharing it decides otherwise than keeping it", contrast=NO_SHARING),
    "token_tail_against_sets": Number(
        "the tail, counted for the player with fewer sets", POINTS, signed=True
    ),
    "token_tail_relief": Number(
        "how much less often the tail of sets changes the winner", SHARE, NO_TOKENS, signed=True
    ),
    "sets_winner_wins_change": Number(
        "how much more often the player with more sets wins", OF_DECIDED, NO_TOKENS, signed=True
    ),
    "result_change": Number("how much the size of the rounded result grows", POINTS, NO_TOKENS, signed=True),
}
"""What is counted of every match, under each number of tokens and each reading of who is ahead."""


@dataclass(frozen=True, kw_only=True)
class TailOfTokens:
    """What the tail of tokens does at several lengths, for several numbers of tokens and both readings."""

    lengths: tuple[int, ...]
    """Numbers of sets; the longest is played, and its first sets are the shorter matches."""
    tokens: tuple[int, ...] = (1, 2)
    """Tokens per lost set, each compared with none."""

    by_settlement: ClassVar[bool] = True
    by_players: ClassVar[tuple[str, ...]] = ("tails_opposed", "token_tail_relief", "winner_differs")
    by_rules: ClassVar[tuple[str, ...]] = ()
    chunk_matches: ClassVar[int | None] = None
    indifferent_to: ClassVar[tuple[str, ...]] = (
        *MONEY,
        "tokens_per_set",
        "token_tail_basis",
        "token_tail_tie",
    )

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Every number of tokens under both readings."""
        return tuple((tokens, basis) for tokens in self.tokens for basis in TokenTailBasis)

    def problems(self) -> Iterator[str]:
        """What is wrong with the declaration, in words."""
        yield from length_problems(self.lengths)
        if not self.tokens or min(self.tokens) < 1 or len(set(self.tokens)) < len(self.tokens):
            yield f"tokens = {self.tokens}: whole numbers from 1, each once"

    def facts(self) -> Iterator[tuple[str, str]]:
        """The declaration in words."""
        yield "Tokens", f"{', '.join(map(str, self.tokens))} per lost set, and none"
        yield "Ahead", " and ".join(basis.value for basis in TokenTailBasis)
        yield "Sets", ", ".join(map(str, self.lengths))

    def plays(self, rules: RuleSet) -> dict[str, Needed]:
        """The longest match; the shorter ones are its beginning."""
        _settlement(rules)
        return {MAIN: Needed(rules=rules.with_match(sets=max(self.lengths)))}

    def estimates(self, rules: RuleSet, played: Played, level: float) -> Iterator[Estimate]:
        """Every number, at every length and under every reading."""
        settlement = _settlement(rules)
        sums = self.sums(played.sets(SETTLED_FROM), settlement, played.seed())
        for i, length in enumerate(sorted(self.lengths)):
            for j, (tokens, basis) in enumerate(self.readings):
                for k, (name, number) in enumerate(NUMBERS.items()):
                    n, total, squares = (int(x) for x in sums[i, j, k])
                    interval = (
                        intervals.mean(n, total, squares, level)
                        if number.signed
                        else intervals.proportion(total, n, level)
                    )
                    yield Estimate(
                        measure=name,
                        sets=length,
                        tail_of_sets=settlement.tail_of_sets,
                        tokens_per_set=tokens,
                        contrast=number.contrast,
                        detail=basis.value,
                        unit=number.unit,
                        interval=interval,
                    )

    def sums(self, blocks: Iterable[Rows], settlement: Settlement, seed: int) -> Sums:
        """Matches, sum and sum of squares of every number, int64 (lengths, readings, numbers, 3)."""
        lengths = sorted(self.lengths)
        sums = np.zeros((len(lengths), len(self.readings), len(NUMBERS), 3), dtype=np.int64)
        for block in blocks:
            match_id, set_points, sets_won, _ = whole_matches(block, settlement, lengths[-1])
            dice = dice_of_fives(match_id, settlement, seed)
            for i, length in enumerate(lengths):
                D, won = set_points[:, length - 1], sets_won[:, length - 1]
                for j, reading in enumerate(self.readings):
                    found = match_numbers(D, won, length - won, settlement, reading, dice)
                    for k, name in enumerate(NUMBERS):
                        values = found[name].astype(np.int64)
                        sums[i, j, k] += (values.size, values.sum(), (values * values).sum())
        return sums

    def monitor(self, plays: Sequence[RuleSet], level: float) -> Monitor | None:
        """The shares won."""
        return None


def match_numbers(
    set_points: Sums,
    won_1: Sums,
    won_2: Sums,
    settlement: Settlement,
    reading: Reading,
    dice: NDArray[Any] | None = None,
) -> dict[str, NDArray[Any]]:
    """`NUMBERS` of every match, bool or int64; those of a sets winner only for matches that have one.

    Parameters
    ----------
    set_points, won_1, won_2, dice
        As `simkit.settle.pay` takes them.
    settlement : Settlement
        How sets become money; tokens and who is ahead are those of the reading.
    reading : tuple of int and TokenTailBasis
        Tokens for a lost set, and who is ahead.
    """
    tokens, basis = reading
    # The general tail goes to him who is ahead when the tokens are taken, so that its sign names him.
    own = dataclasses.replace(
        settlement,
        tokens_per_set=tokens,
        token_tail_basis=basis,
        token_tail_tie=TokenTailTie.SHARE,
        general_tail=1,
        general_tail_basis=GeneralTailBasis.TOKEN_TAIL_WINNER,
    )
    (other,) = (one for one in TokenTailBasis if one is not basis)

    def paid(points: Sums = set_points, **changes: Any) -> Paid:
        return pay(points, won_1, won_2, dataclasses.replace(own, **changes), dice)

    found = paid()
    none = paid(tokens_per_set=0)
    sets_first = paid(set_points + found["paris"] + found["tail_of_sets"])
    more_sets = np.sign(won_1 - won_2)
    return (
        _beside_sets(found, none, sets_first, more_sets)
        | _against_none(found, none)
        | _against_order(found, sets_first)
        | _against_readings(found, paid(token_tail_basis=other), paid(token_tail_tie=TokenTailTie.NONE))
        | {
            "token_tail_relief": _changed(none, paid(tokens_per_set=0, tail_of_sets=0)).astype(np.int64)
            - _changed(found, paid(tail_of_sets=0))
        }
    )


def _beside_sets(found: Paid, none: Paid, sets_first: Paid, more_sets: Sums) -> dict[str, NDArray[Any]]:
    """Whether the tail goes with the sets; `more_sets` is the sign of player 1's lead in sets."""
    together, decided = np.sign(found["token_tail"]) * more_sets, more_sets != 0
    wins, wins_none = (np.sign(one["exact"]) == more_sets for one in (found, none))
    return {
        "tails_opposed": together < 0,
        "tails_agree": together > 0,
        "sets_winner_wins": wins[decided],
        "sets_winner_wins_change": (wins.astype(np.int64) - wins_none)[decided],
        "tokens_with_sets": (found["general_tail"] == more_sets)[decided],
        "tokens_with_sets_paid_first": (sets_first["general_tail"] == more_sets)[decided],
        "token_tail_against_sets": -found["token_tail"] * more_sets,
    }


def _against_none(found: Paid, none: Paid) -> dict[str, NDArray[Any]]:
    """What the tokens do to winner and result."""
    size, size_none = np.abs(found["rounded"]), np.abs(none["rounded"])
    differs = _changed(none, found)
    return {
        "winner_differs": differs,
        "result_larger": ~differs & (size > size_none),
        "result_smaller": ~differs & (size < size_none),
        "result_same": ~differs & (size == size_none),
        "result_change": size - size_none,
    }


def _against_order(found: Paid, sets_first: Paid) -> dict[str, NDArray[Any]]:
    """What paying the sets before the tokens does; only the tail itself is then another."""
    paid_first = found["exact"] - found["token_tail"] + sets_first["token_tail"]
    return {
        "paid_first_changes_owner": sets_first["general_tail"] != found["general_tail"],
        "paid_first_changes_winner": np.sign(paid_first) != np.sign(found["exact"]),
    }


def _against_readings(found: Paid, by_other: Paid, unshared: Paid) -> dict[str, NDArray[Any]]:
    """What the other reading of who is ahead does, and a tail that nobody takes when nobody is."""
    ahead = found["general_tail"]
    return {
        "basis_changes_owner": by_other["general_tail"] != ahead,
        "basis_changes_winner": _changed(by_other, found),
        "nobody_ahead": ahead == 0,
        "tie_changes_winner": _changed(unshared, found),
    }


def _changed(one: Paid, two: Paid) -> NDArray[np.bool_]:
    """Where two settlements have different winners, a draw being one of the results."""
    changed: NDArray[np.bool_] = one["winner"] != two["winner"]
    return changed


def _settlement(rules: RuleSet) -> Settlement:
    if not isinstance(rules.match, Written):
        raise ConfigError(f"{rules.name} is not a match of several sets")
    return rules.match.settlement
