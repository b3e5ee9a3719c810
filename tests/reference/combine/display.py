"""What lies and stands on the board for all to see: pegs, banner and neckties (II.7.4).

Hole 0 is beside the first hole, where a peg is put that should stand one behind it.
"""

from __future__ import annotations

from .game import ECRIRE_OPEN, ECRIRE_SCORED, HONOURS, Combined

Pegs = dict[str, int]
LAST_HOLE = 12


def on_the_board(holes: int) -> int:
    """The hole a peg stands in: after the twelfth it begins again at the first."""
    return (holes - 1) % LAST_HOLE + 1 if holes else 0


def pegs(state: Combined, who: int) -> Pegs:
    """The pegs of one player, colour: hole."""
    ecrire, honours = state.ecrire.holes[who], state.honours.holes[who]
    gold, silver = on_the_board(ecrire), on_the_board(honours)
    together = gold == silver and gold > 0
    standing: Pegs = {}
    if state.suspended == ECRIRE_SCORED:
        standing = {"silver": silver}
    elif state.suspended == ECRIRE_OPEN:
        standing = {"black": gold, "silver": silver}
        if together:
            return {"bimetal": gold, "gold": on_the_board(ecrire - 1)}
    elif state.suspended == HONOURS:
        standing = {"black": silver, "gold": gold}
        if together:
            return {"bimetal": silver, "silver": on_the_board(honours - 1)}
    elif together:
        standing = {"bimetal": gold}
    else:
        standing = {"gold": gold, "silver": silver}
    return {colour: hole for colour, hole in standing.items() if hole}


def banner(state: Combined) -> int | None:
    """Who has the banner: no pickup since his first hole of the set, and nobody has interrupted his run."""
    ledger = state.ecrire
    for who in (0, 1):
        held = ledger.run[who] == "intact" and not ledger.picked_up[who]
        if held and ledger.holes[1 - who] < state.rules.set_min_holes:
            return who
    return None


def neckties(state: Combined) -> dict[str, list[int]]:
    """Who has a necktie in either game: his run, begun after the other had holes, is whole."""
    shown = {}
    for game, ledger in (("ecrire", state.ecrire), ("honours", state.honours)):
        shown[game] = [who for who in (0, 1) if ledger.run[who] == "intact" and ledger.holes[1 - who] > 0]
    return shown
