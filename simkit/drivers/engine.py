"""Units played on: to their end, or roll by roll with the first roll bound."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.errors import UsageError
from simkit.kernel.compiled import signed_word
from simkit.kernel.entries import play_units
from simkit.kernel.lower import lower
from simkit.kernel.records import FIGURES, FREE, TO_THE_END
from simkit.players import Players, lower_players, own_words
from simkit.rules import Combine, PoolDrain, RuleSet


class Engine:
    """Rules, players and a seed, made ready for compiled play; what they mark is summed in `figures`.

    Parameters
    ----------
    rules, players
        The rule set; all players at the table, of whom a unit seats two.
    seed
        0 to 2**64 - 1, the first word of the dice's key.

    Attributes
    ----------
    lowered, players, key
        Rules, players and seed as the kernel takes them.
    figures
        int64 (2 sides, figures, 2), what has been marked.
    """

    def __init__(self, rules: RuleSet, players: Players, seed: int) -> None:
        multiplier = rules.match.run_multiplier if isinstance(rules.match, PoolDrain) else 1
        match = rules.match if isinstance(rules.match, Combine) else rules.trictrac_match
        self.lowered = lower(rules.trictrac_game, match, multiplier)
        self._own = own_words(players)
        self.key = signed_word(seed)
        self.figures = np.zeros((2, len(FIGURES), 2), np.int64)
        self.players = lower_players(players)

    def play(self, units: Any, forced: Any = FREE, most_rolls: int = TO_THE_END) -> Any:
        """Play units on in place; return which are over, bool (n,).

        Parameters
        ----------
        units
            Unit records, of which none is over.
        forced
            What binds the first roll of each, int64 (n,) or one for all: `FREE`; the place of a play in the
            list of `simkit.play.legal_plays`, to be taken without going; `GO`, to go if that is allowed; in
            trictrac combiné `SUSPEND_WRITTEN` or `SUSPEND_HONOURS`, to suspend a game if that is allowed.
        most_rolls
            Stop a unit after so many rolls, unless it is over before.

        Raises
        ------
        UsageError
            For a player whom the kernel does not know (`OwnPlay`).
        """
        if self._own:
            raise UsageError(self._own)
        over = np.zeros(len(units), np.bool_)
        bound = np.broadcast_to(np.asarray(forced, np.int64), len(units)).copy()
        play_units(self.lowered, self.players, units, self.key, self.figures, bound, most_rolls, over)
        return over
