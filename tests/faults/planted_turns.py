"""Faults to plant in seats, pots and what is paid for them; files are named from `simkit/` on."""

from __future__ import annotations

from faults.planted import Fault

SEATING, MATCH, TURNS = "drivers/seating.py", "drivers/match.py", "settle_turns.py"
POOLS, SHARES, RULES, TOLD = "drivers/pools.py", "shares.py", "rules/pools.py", "transcript/pools.py"

FAULTS = (
    # who sits
    Fault(
        "the other leaves after the first set",
        SEATING,
        "return winner if match.rotation_first_set_leaver is RotationFirstSetLeaver.WINNER else 1 - winner",
        "return 1 - winner if match.rotation_first_set_leaver is RotationFirstSetLeaver.WINNER else winner",
    ),
    Fault(
        "who leaves after the first set is not asked",
        SEATING,
        "return winner if match.rotation_first_set_leaver is RotationFirstSetLeaver.WINNER else 1 - winner",
        "return 0 * winner",
    ),
    Fault(
        "of five the winner leaves first",
        SEATING,
        "if table_of(match) in (TableMode.CHOUETTE, TableMode.FIVE):",
        "if table_of(match) is TableMode.CHOUETTE:",
    ),
    Fault("nobody notes who leaves", MATCH, "            seating.note_first(units)\n", "            pass\n"),
    Fault(
        "partners change after every set",
        SEATING,
        "turns = (unit_no + (leaver == side)) // 2",
        "turns = unit_no + (leaver == side)",
    ),
    Fault(
        "nobody leaves after the first set",
        SEATING,
        "turns = (unit_no + (leaver == side)) // 2",
        "turns = unit_no // 2 + 0 * leaver",
    ),
    Fault(
        "the side that stays is relieved",
        SEATING,
        "turns = (unit_no + (leaver == side)) // 2",
        "turns = (unit_no + (leaver != side)) // 2",
    ),
    Fault("partners do not come back", SEATING, "first + turns % size]", "first + np.minimum(turns, size - 1)]"),
    Fault("a side plays with the other's men", SEATING, "        first += size\n    return seats", "        first += 1\n    return seats"),
    Fault(
        "à tourner the leaver comes back too soon",
        SEATING,
        "came = np.stack((leaves, stays, order[:, 2]))",
        "came = np.stack((order[:, 2], stays, leaves))",
    ),
    Fault(
        "à tourner the third waits a set longer",
        SEATING,
        "came[unit_no % 3], came[(unit_no + 1) % 3]",
        "came[unit_no // 2 % 3], came[(unit_no // 2 + 1) % 3]",
    ),
    Fault("lots are not drawn", SEATING, "columns.append(turns[lots(key, match_ids, number, factorial(size))])", "columns.append(np.tile(turns[0], (len(match_ids), 1)))"),
    # who throws first
    Fault(
        "who comes in throws first",
        SEATING,
        "return np.where(np.asarray(unit_no) % 2, 1 - leaver, leaver)",
        "return np.where(np.asarray(unit_no) % 2, leaver, 1 - leaver)",
    ),
    Fault(
        "the throw stays on one side",
        SEATING,
        "return np.where(np.asarray(unit_no) % 2, 1 - leaver, leaver)",
        "return np.where(np.asarray(unit_no) % 2, 1 - leaver, 1 - leaver)",
    ),
    Fault(
        "the stayer is that of the set before",
        SEATING,
        "return staying_side(self.leaver[rows], before.unit_no + 1)",
        "return staying_side(self.leaver[rows], before.unit_no)",
    ),
    Fault(
        "the winner throws where the stayer should",
        MATCH,
        "    if seating is not None and match.set_first_die is SetFirstDie.STAYS:\n        return seating.stayer(before)\n    return next_first_thrower(match.set_first_die, before.first_player, before.winner)",
        "    return before.winner",
    ),
    Fault("the lone player draws for the throw", MATCH, "if seating.lone:", "if False:"),
    # what à tourner is paid
    Fault(
        "whoever sits out has nothing",
        TURNS,
        "gain = to_winner * (winner == player + 1) + to_idle * (sets[\"idle_seat\"] == player + 1)",
        "gain = to_winner * (winner == player + 1)",
    ),
    Fault(
        "the loser does not pay who sits out",
        TURNS,
        "counted * gain - loses * (to_winner + to_idle)",
        "counted * gain - loses * to_winner",
    ),
    Fault("the consolation is not multiplied", TURNS, 'values["consolation"] * settlement', 'values["consolation"] // np.maximum(values["multiplier"], 1) * settlement'),
    Fault("tokens go to who is behind", TURNS, "leads = holdings == holdings.max(axis=1, initial=-(2**62))[:, None]", "leads = holdings == holdings.min(axis=1, initial=2**62)[:, None]"),
    Fault("tokens are compared by points", TURNS, "holdings = points - laid if by_holdings else points", "holdings = points"),
    Fault("paris are counted from a half", TURNS, "excess = lost - lost.sum(axis=1)[:, None] // 3", "excess = lost - lost.sum(axis=1)[:, None] // 2"),
    Fault("a pari is worth half", TURNS, "both * 2 * settlement.paris_per_set * beyond", "both * settlement.paris_per_set * beyond"),
    Fault("the tail of sets is paid once", TURNS, "tails = others * settlement.tail_of_sets", "tails = others * settlement.tail_of_sets // 2"),
    Fault("two pay no more than one as general tail", TURNS, "(3 * wins - wins.any(axis=1, keepdims=True))", "(2 * wins - wins.any(axis=1, keepdims=True))"),
    Fault("odd jetons go to who came last", TURNS, "(place < odd[:, None])", "(place >= among.sum(axis=1)[:, None] - odd[:, None])"),
    Fault("the debts of three are rounded one by one", TURNS, "    rounded[rows, alone] = 0\n    rounded[rows, alone] = -rounded.sum(axis=1)\n", ""),
    Fault("who came later came first", TURNS, '+ (sets["first_player"] != side)', '+ (sets["first_player"] == side)'),
    # the line of a pool
    Fault("the loser of a filling pool stays", POOLS, "            stays = winner\n", "            stays = 1 - winner\n"),
    Fault("the winner of a draining pool stays", POOLS, "else 1 - winner\n", "else winner\n"),
    Fault("in a ring everybody plays once", POOLS, "DrainRotation.RING and self.played > 1", "DrainRotation.RING"),
    Fault("a ring is no ring", POOLS, "DrainRotation.RING and self.played > 1", "DrainRotation.RING and False"),
    Fault("who leaves goes before those who wait", POOLS, "[line[each, stays], line[:, 2:], line[each, 1 - stays]]", "[line[each, stays], line[each, 1 - stays], line[:, 2:]]"),
    Fault("who stays counts as come in", POOLS, "units.seats = pools.line[row, :2]", "units.seats = pools.line[row, 1::-1]"),
    Fault("a streak goes on with another", POOLS, "np.where(winner == INCUMBENT, self.streak[row] + 1, first_win)", "self.streak[row] + 1"),
    Fault("the win that takes the place counts always", POOLS, "first_win = 1 if match.fill_streak is FillStreak.COUNT_DETHRONING else 0", "first_win = 1"),
    Fault("the win that takes the place never counts", POOLS, "first_win = 1 if match.fill_streak is FillStreak.COUNT_DETHRONING else 0", "first_win = 0"),
    Fault("a pool is won by one win less", POOLS, "over = self.streak[row] == match.players - 1", "over = self.streak[row] == match.players - 2"),
    Fault("a pool is won by one win more", POOLS, "over = self.streak[row] == match.players - 1", "over = self.streak[row] == match.players"),
    Fault("who comes in throws first in a pool", POOLS, "first = INCUMBENT if first_die is PoolFirstDie.INCUMBENT else CHALLENGER", "first = CHALLENGER if first_die is PoolFirstDie.INCUMBENT else INCUMBENT"),
    Fault("the draw is not drawn anew", POOLS, "    if first_die is PoolFirstDie.DRAW:\n", "    if False:\n"),
    # antes and the pot
    Fault("the first come to the board twice", POOLS, "came = (units.unit_no == 0)[:, None] | (sides == CHALLENGER)", "came = (units.unit_no >= 0)[:, None] | (sides == CHALLENGER)"),
    Fault("the first two never came", POOLS, "came = (units.unit_no == 0)[:, None] | (sides == CHALLENGER)", "came = (units.unit_no > 0)[:, None] & (sides == CHALLENGER)"),
    Fault("losers are taken for winners", POOLS, '"lost": summed(winner == 1 - sides, np.int16)', '"lost": summed(winner == sides, np.int16)'),
    Fault("the last loser's defeat costs nothing", SHARES, "return first + np.asarray(lost, np.int64)", "return first + np.maximum(came - 1, 0)"),
    Fault("coming back costs nothing", SHARES, "return first + np.maximum(came - 1, 0)", "return first"),
    Fault("coming costs even the first time", SHARES, "return first + np.maximum(came - 1, 0)", "return first + came"),
    Fault("who never comes pays too", SHARES, "else np.minimum(came, 1)", "else np.ones_like(came)"),
    Fault("the loser of the last match takes the pot", SHARES, 'won = np.where(shares["won_last"], pot, 0)', 'won = np.where(shares["lost_last"], pot, 0)'),
    Fault("the pot pays more than it has", SHARES, 'return paid, won - shares["overdraw"] * shares["won_last"]', "return paid, won"),
    Fault("what the pot lacks is paid by the winner", SHARES, 'return paid + shares["overdraw"] * shares["lost_last"], won', 'return paid + shares["overdraw"] * shares["won_last"], won'),
    Fault("a draining pot is not emptied to the end", POOLS, "over = self.pot[row] <= 0", "over = self.pot[row] <= match.hole_value"),
    Fault("a draining pool goes on with an empty pot", POOLS, "over = self.pot[row] <= 0", "over = self.pot[row] < 0"),
    Fault("the loser's holes are not deducted", POOLS, "* winner_holes - loser_holes", "* winner_holes"),
    Fault("a lurch multiplies the difference", POOLS, "return np.where(run_intact, match.run_multiplier, 1) * winner_holes - loser_holes", "return np.where(run_intact, match.run_multiplier, 1) * (winner_holes - loser_holes)"),
    Fault("a lurch counts though it is not agreed", RULES, "return self.drain_lurch_multiplier if self.drain_lurch else 1", "return self.drain_lurch_multiplier"),
    Fault("a lurch counts twice, whatever is agreed", RULES, "return self.drain_lurch_multiplier if self.drain_lurch else 1", "return 2 if self.drain_lurch else 1"),
    Fault("a hole is worth the same on either basis", RULES, "return self.drain_hole_percent * (self.players if of_total else 1)", "return self.drain_hole_percent * self.players"),
    Fault("a hole is worth five per cent always", RULES, "return self.drain_hole_percent * (self.players if of_total else 1)", "return 5 * (self.players if of_total else 1)"),
    Fault("antes are told a match late", TOLD, "        entered[line[:2] if place == 0 else line[1:2]] += 1\n", "        entered[line[:1] if place == 0 else line[1:2]] += 1\n"),
)  # fmt: skip
