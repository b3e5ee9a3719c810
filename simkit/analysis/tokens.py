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
from simkit.analysis.question import MAIN, Needed, Played
from simkit.analysis.tails import LONGEST, MONEY, POINTS, SHARE, Sums, dice_of_fives, whole_matches
from simkit.errors import ConfigError
from simkit.progress import Monitor
from simkit.rules import GeneralTailBasis, RuleSet, Settlement, TokenTailBasis, TokenTailTie, Written
from simkit.settle import SETTLED_FROM, Rows, pay

Reading = tuple[int, TokenTailBasis]
"""Tokens laid out for a lost set, and who is ahead when they are taken."""

OF_DECIDED = "share of matches with a sets winner"
COUNTS: Mapping[str, str] = {
    "tails_opposed": SHARE,
    "tails_agree": SHARE,
    "sets_winner_wins": OF_DECIDED,
    "tokens_with_sets": OF_DECIDED,
    "tokens_with_sets_paid_first": OF_DECIDED,
    "paid_first_changes_owner": SHARE,
    "paid_first_changes_winner": SHARE,
    "winner_differs": SHARE,
    "result_larger": SHARE,
    "result_smaller": SHARE,
    "result_same": SHARE,
    "basis_changes_owner": SHARE,
    "basis_changes_winner": SHARE,
    "nobody_ahead": SHARE,
    "tie_changes_winner": SHARE,
}
"""Numbers that are 0 or 1 in a match, with their units.

`tails_opposed`, `tails_agree`: tail of tokens and payment of the sets go to different players, to the same.
`sets_winner_wins`: he who has more sets wins the match. `tokens_with_sets`: he has the tail of tokens too;
`..._paid_first`: he would, were the sets paid before. `paid_first_changes_owner`, `_winner`: that order gives the
tail, the match, to another. Against no tokens at all, a draw being a result: `winner_differs`, or else the
rounded result is larger, smaller, the same. `basis_changes_...`: against the other reading of who is ahead.
`nobody_ahead`: the tail is shared; `tie_changes_winner`: sharing it decides otherwise than keeping it.
"""
CHANGES: Mapping[str, str] = {
    "token_tail_against_sets": POINTS,
    "token_tail_relief": SHARE,
    "sets_winner_wins_change": OF_DECIDED,
    "result_change": POINTS,
}
"""Numbers of either sign in a match.

`token_tail_against_sets`: the tail of tokens, counted for the player with fewer sets. `token_tail_relief`: by how
much it lowers the share of matches whose winner the tail of sets changes. `sets_winner_wins_change`: how much more
often the player with more sets wins with tokens than without. `result_change`: by how much the size of the
rounded result grows.
"""
UNITS: Mapping[str, str] = {**COUNTS, **CHANGES}
NUMBERS = tuple(UNITS)
NO_TOKENS = "tokens_per_set=0"


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
        wrong = [n for n in self.lengths if n % 2 or not 2 <= n <= LONGEST]
        if not self.lengths or wrong or len(set(self.lengths)) < len(self.lengths):
            yield f"lengths = {self.lengths}: even numbers from 2 to {LONGEST}, each once"
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
                for k, name in enumerate(NUMBERS):
                    n, total, squares = (int(x) for x in sums[i, j, k])
                    interval = (
                        intervals.proportion(total, n, level)
                        if name in COUNTS
                        else intervals.mean(n, total, squares, level)
                    )
                    yield Estimate(
                        measure=name,
                        sets=length,
                        tail_of_sets=settlement.tail_of_sets,
                        tokens_per_set=tokens,
                        contrast=CONTRASTS.get(name, ""),
                        detail=basis.value,
                        unit=UNITS[name],
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


CONTRASTS: Mapping[str, str] = {
    **dict.fromkeys(
        ("winner_differs", "result_larger", "result_smaller", "result_same", *CHANGES), NO_TOKENS
    ),
    **dict.fromkeys(("basis_changes_owner", "basis_changes_winner"), "token_tail_basis=the other"),
    "tie_changes_winner": "token_tail_tie=none",
    "token_tail_against_sets": "",
    **dict.fromkeys(("paid_first_changes_owner", "paid_first_changes_winner"), "the sets paid first"),
}


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

    def paid(points: Sums = set_points, **changes: Any) -> Mapping[str, NDArray[Any]]:
        return pay(points, won_1, won_2, dataclasses.replace(own, **changes), dice)

    with_tokens, none = paid(), paid(tokens_per_set=0)
    by_other, unshared = paid(token_tail_basis=other), paid(token_tail_tie=TokenTailTie.NONE)
    for_sets = with_tokens["paris"] + with_tokens["tail_of_sets"]
    first = paid(set_points + for_sets)
    tail, exact, ahead = with_tokens["token_tail"], with_tokens["exact"], with_tokens["general_tail"]
    more_sets, opposed = np.sign(won_1 - won_2), np.sign(tail) * np.sign(won_1 - won_2)
    changed_bare = _changed(paid(tokens_per_set=0, tail_of_sets=0), none)
    changed = _changed(paid(tail_of_sets=0), with_tokens)
    size, size_none = np.abs(with_tokens["rounded"]), np.abs(none["rounded"])
    differs, decided = _changed(none, with_tokens), more_sets != 0
    wins, wins_none = (np.sign(one["exact"]) == more_sets for one in (with_tokens, none))
    return {
        "tails_opposed": opposed < 0,
        "tails_agree": opposed > 0,
        "sets_winner_wins": wins[decided],
        "tokens_with_sets": (ahead == more_sets)[decided],
        "tokens_with_sets_paid_first": (first["general_tail"] == more_sets)[decided],
        "paid_first_changes_owner": first["general_tail"] != ahead,
        "paid_first_changes_winner": np.sign(exact - tail + first["token_tail"]) != np.sign(exact),
        "winner_differs": differs,
        "result_larger": ~differs & (size > size_none),
        "result_smaller": ~differs & (size < size_none),
        "result_same": ~differs & (size == size_none),
        "basis_changes_owner": by_other["general_tail"] != ahead,
        "basis_changes_winner": _changed(by_other, with_tokens),
        "nobody_ahead": ahead == 0,
        "tie_changes_winner": _changed(unshared, with_tokens),
        "token_tail_against_sets": -tail * more_sets,
        "token_tail_relief": changed_bare.astype(np.int64) - changed,
        "sets_winner_wins_change": (wins.astype(np.int64) - wins_none)[decided],
        "result_change": size - size_none,
    }


def _changed(one: Mapping[str, NDArray[Any]], two: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """Where two settlements have different winners, a draw being one of the results."""
    changed: NDArray[np.bool_] = one["winner"] != two["winner"]
    return changed


def _settlement(rules: RuleSet) -> Settlement:
    if not isinstance(rules.match, Written):
        raise ConfigError(f"{rules.name} is not a match of several sets")
    return rules.match.settlement
