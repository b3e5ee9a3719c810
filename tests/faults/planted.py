"""Faults to plant in the kernel: each a law broken in one place, as a slip of the pen would break it."""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """A line of a kernel file and what a slip makes of it."""

    name: str
    file: str
    right: str
    wrong: str


FAULTS = (
    # movement
    Fault(
        "a doublet's pairs are listed twice", "plays.py", "partners &= ~(start - 1)  # each pair once", "pass"
    ),
    Fault("a lone man moves twice", "plays.py", "if not start & twos or (", "if ("),
    Fault(
        "three on the coin leave one behind",
        "plays.py",
        "if not start & twos or (start == COIN and threes & COIN and not fours & COIN):",
        "if not start & twos:",
    ),
    Fault(
        "a man stops on an adverse man",
        "plays.py",
        "return BOARD & ~(other | OTHER_COIN | forbidden)",
        "return BOARD & ~(OTHER_COIN | forbidden)",
    ),
    Fault(
        "the other's coin may be occupied",
        "plays.py",
        "return BOARD & ~(other | OTHER_COIN | forbidden)",
        "return BOARD & ~(other | forbidden)",
    ),
    Fault(
        "forbidden quarters are open",
        "plays.py",
        "return BOARD & ~(other | OTHER_COIN | forbidden)",
        "return BOARD & ~(other | OTHER_COIN)",
    ),
    Fault(
        "a lone man enters the coin",
        "plays.py",
        "alone_ends = ends if men & COIN else ends & ~COIN",
        "alone_ends = ends",
    ),
    Fault(
        "one of the coin pair leaves",
        "plays.py",
        "movers = men & ~COIN if men & COIN & ~with_spare(low, high) else men",
        "movers = men",
    ),
    Fault(
        "no rest on an adverse man: forgotten",
        "plays.py",
        "    closed = other\n    if not rules.rest_on_own_coin",
        "    closed = 0\n    if not rules.rest_on_own_coin",
    ),
    Fault(
        "a rest on the own empty coin is refused",
        "plays.py",
        "    if not rules.rest_on_own_coin and not men & COIN:",
        "    if not men & COIN:",
    ),
    Fault(
        "a rest on the other's empty coin is refused",
        "plays.py",
        "    if not rules.rest_on_other_coin:\n",
        "    if True:\n",
    ),
    Fault(
        "a rest in a forbidden quarter is refused",
        "plays.py",
        "    if not rules.passage:\n",
        "    if True:\n",
    ),
    Fault(
        "only one order of the dice is tried",
        "plays.py",
        "(touched >> die_1 | touched >> die_2)",
        "(touched >> die_1)",
    ),
    Fault(
        "the coin is not taken naturally",
        "plays.py",
        "    naturally = holds_a_pair_of_dice(men, twos, COIN, die_1, die_2)\n",
        "    naturally = False\n",
    ),
    Fault(
        "no puissance",
        "plays.py",
        "        rules.puissance\n        and not other",
        "        False\n        and not other",
    ),
    Fault(
        "puissance against a held coin",
        "plays.py",
        "        and not other & OTHER_COIN\n        and holds_a_pair",
        "        and holds_a_pair",
    ),
    Fault(
        "puissance before the natural way",
        "plays.py",
        "    if naturally and rules.natural_first:",
        "    if naturally and not rules.natural_first:",
    ),
    Fault(
        "the coin pair never leaves",
        "plays.py",
        "    if men & COIN & ~with_spare(low, high) and ends & COIN << die_1",
        "    if False and ends & COIN << die_1",
    ),
    Fault(
        "the lower die first",
        "plays.py",
        "    count = list_single_men(low, high, movers & alone_ends >> higher, higher, plays, 0)\n    if not count and lower != higher:\n        count = list_single_men(low, high, movers & alone_ends >> lower, lower, plays, 0)",
        "    count = list_single_men(low, high, movers & alone_ends >> lower, lower, plays, 0)\n    if not count and lower != higher:\n        count = list_single_men(low, high, movers & alone_ends >> higher, higher, plays, 0)",
    ),
    Fault(
        "near the rail the lower die first",
        "plays.py",
        "    count = list_one_die(rules, low, high, other, ends, higher, plays, 0)\n    if rules.fill_first",
        "    count = list_one_die(rules, low, high, other, ends, lower, plays, 0)\n    if rules.fill_first",
    ),
    Fault(
        "an avoidable excess is allowed",
        "plays.py",
        "for excess in (False, True):",
        "for excess in (True, True):",
    ),
    Fault(
        "an excess takes any man",
        "plays.py",
        "    if home and excess and start == men & -men:",
        "    if home and excess:",
    ),
    Fault(
        "nobody leaves by an excess",
        "plays.py",
        "    if home and excess and start == men & -men:",
        "    if False:",
    ),
    Fault(
        "men leave before all are home",
        "plays.py",
        "    home = leaving and not men & ~RETOUR\n",
        "    home = leaving\n",
    ),
    Fault(
        "an exact number need not leave",
        "plays.py",
        "        if rules.exact == MANDATORY:\n",
        "        if False:\n",
    ),
    Fault(
        "the last man off must play the other die",
        "plays.py",
        "            if not nexts:\n                count = list_new(one_low, one_high, plays, count)\n",
        "",
    ),
    Fault(
        "near the rail a lone man may hold the coin",
        "plays.py",
        "    if men & ~ends or (men & COIN and not lone_coin and not made(low, high) & COIN):",
        "    if men & ~ends:",
    ),
    Fault(
        "a petit jan that can be filled is not forbidden",
        "awards.py",
        "            mask |= RETOUR",
        "            mask |= 0",
    ),
    Fault("five inequalities for six", "board.py", "for k in range(5, -1, -1):", "for k in range(5, 0, -1):"),
    # fill and conserve
    Fault(
        "no obligation to fill or conserve",
        "awards.py",
        "    if obliged:\n        count = full\n",
        "",
    ),
    Fault(
        "two men missing pay each way",
        "awards.py",
        "    if lacking == 1 and rules.fill_counts_ways:",
        "    if rules.fill_counts_ways:",
    ),
    Fault(
        "conserving pays like nothing on a doublet",
        "awards.py",
        "        return award(gains, CONSERVE + place, 1, jan), count",
        "        return award(gains, CONSERVE + place, 1, rules.jan_simple), count",
    ),
    Fault(
        "a man not to spare fills",
        "jans.py",
        "if not quarter & ~made(end_low, end_high):  # the man was to spare",
        "if True:",
    ),
    Fault(
        "the way of both dice by one man is forgotten",
        "jans.py",
        "        ways += is_listed(end_low, end_high, plays, count)",
        "        ways += 0",
    ),
    Fault(
        "a doublet fills directly twice",
        "jans.py",
        "for k in range(1 if die_1 == die_2 else 2):",
        "for k in range(2):",
    ),
    Fault(
        "the jan de retour is never full",
        "plays.py",
        "    for place in range(3):",
        "    for place in range(2):",
    ),
    # hits and openings
    Fault(
        "near and far hits exchanged",
        "board.py",
        "NEAR_RAIL = PETIT | RETOUR",
        "NEAR_RAIL = BOARD & ~(PETIT | RETOUR)",
    ),
    Fault(
        "a doublet hits directly twice",
        "hits.py",
        "hit_2 = by_2 & lone if die_1 != die_2 else 0",
        "hit_2 = by_2 & lone",
    ),
    Fault(
        "a rest on a lone adverse man is closed",
        "awards.py",
        "            men, closed, lone, die_1, die_2, rules.hit_by_sum",
        "            men, other, lone, die_1, die_2, rules.hit_by_sum",
    ),
    Fault("no hits by the sum", "hits.py", "by_sum = reached & passage", "by_sum = 0"),
    Fault(
        "false hits forgotten",
        "hits.py",
        "    false = reached & ~passage\n",
        "    false = 0\n",
    ),
    Fault(
        "a false hit pays the mover",
        "records.py",
        "TO_OTHER = (CONTRE_DEUX_TABLES, CONTRE_MEZEAS, HIT_FALSE,",
        "TO_OTHER = (CONTRE_DEUX_TABLES, CONTRE_MEZEAS,",
    ),
    Fault(
        "base men of the coin hit the other's",
        "hits.py",
        "free = occupied(low, high) & ~COIN | with_spare(low, high) & COIN",
        "free = occupied(low, high)",
    ),
    Fault(
        "two aces hit the coin with a third man",
        "hits.py",
        "with_four(low, high) & COIN",
        "with_spare(low, high) & COIN",
    ),
    Fault(
        "a coin that is held is hit",
        "hits.py",
        "if other & OTHER_COIN or not made",
        "if not made",
    ),
    Fault("six tables at any roll", "openings.py", "if roll_no != 3 or die_1 == die_2", "if die_1 == die_2"),
    Fault(
        "contre deux tables pays the mover",
        "awards.py",
        "            others += award(gains, CONTRE_DEUX_TABLES, 1, jan)",
        "            mover += award(gains, CONTRE_DEUX_TABLES, 1, jan)",
    ),
    Fault(
        "mezeas without an ace",
        "openings.py",
        "return (die_1 == 1 or die_2 == 1) and men_on",
        "return men_on",
    ),
    Fault(
        "one payment for two unplayed dice",
        "awards.py",
        "(2 - played) * rules.impuissance",
        "rules.impuissance",
    ),
    Fault(
        "bearing off first pays nothing",
        "awards.py",
        "                    points += award(gains, SORTIE, 1, jan)",
        "                    points += 0",
    ),
    # marking
    Fault(
        "the other's run is not broken by points",
        "scoring.py",
        "    if unit.points[other] > 0:\n        unit.bredouille[other] = 0\n",
        "",
    ),
    Fault(
        "later dozens are simple",
        "scoring.py",
        "+ 2 * (dozens - 1)",
        "+ (dozens - 1)",
    ),
    Fault(
        "every hole is double",
        "scoring.py",
        "(2 if unit.bredouille[who] else 1)",
        "2",
    ),
    Fault("a hole leaves the other's points", "scoring.py", "    unit.points[other] = 0\n", ""),
    Fault(
        "the remainder is lost",
        "scoring.py",
        "    unit.points[who] = total % rules.points_per_hole",
        "    unit.points[who] = 0",
    ),
    Fault(
        "a remainder is no run",
        "scoring.py",
        "    unit.bredouille[who] = rules.bredouille if unit.points[who] else 0",
        "    unit.bredouille[who] = 0",
    ),
    # the set
    Fault(
        "a run is not broken by the other's hole",
        "ledger.py",
        "    if unit.run[other] == INTACT:\n        unit.run[other] = BROKEN\n",
        "",
    ),
    Fault(
        "a broken run is mended",
        "ledger.py",
        "    if unit.holes[who] == 0:\n        unit.run[who] = INTACT",
        "    if True:\n        unit.run[who] = INTACT",
    ),
    Fault(
        "the set ends from five",
        "ledger.py",
        "max(own, others) < rules.set_min_holes",
        "max(own, others) < rules.set_min_holes - 1",
    ),
    Fault(
        "equal holes win the set",
        "ledger.py",
        "    if own > others:\n        return SET_WON",
        "    if own >= others:\n        return SET_WON",
    ),
    Fault(
        "conceding wins",
        "ledger.py",
        "unit.winner = who if outcome == SET_WON else 1 - who",
        "unit.winner = who",
    ),
    Fault(
        "a pickup is not entered",
        "ledger.py",
        "            unit.picked_up[who] = 1",
        "            unit.picked_up[who] = 0",
    ),
    Fault(
        "a do-over keeps the holes",
        "ledger.py",
        "        unit.holes[who] = 0\n        unit.run[who] = NO_RUN",
        "        unit.run[who] = NO_RUN",
    ),
    Fault(
        "the first scorer is the last",
        "ledger.py",
        "        if unit.first_scorer < 0:\n",
        "        if True:\n",
    ),
    Fault(
        "points outlive going",
        "unit.py",
        "unit.points[player] = unit.bredouille[player] = 0",
        "unit.bredouille[player] = 0",
    ),
    Fault(
        "the other throws after going",
        "unit.py",
        "unit.first_player if outcome == DO_OVER else who)",
        "unit.first_player if outcome == DO_OVER else 1 - who)",
    ),
    Fault(
        "after a do-over the goer throws",
        "unit.py",
        "unit.first_player if outcome == DO_OVER else who)",
        "who)",
    ),
    Fault(
        "after bearing off the other throws",
        "unit.py",
        "    restart_men(unit, streams, who)\n    if rules.sortie_roll_again",
        "    restart_men(unit, streams, 1 - who)\n    if rules.sortie_roll_again",
    ),
    Fault(
        "the other's points are marked first",
        "unit.py",
        "    if gain:\n        tally(figures, gains, who, False)",
        "    if others_gain:\n        marks(unit, rules, other, others_gain, 0)\n"
        "        others_gain = 0\n"
        "    if gain:\n        tally(figures, gains, who, False)",
    ),
    Fault(
        "a partie does not end on the other's roll",
        "unit.py",
        "        if marks(unit, rules, other, others_gain, 0) and has_ended(unit, rules, other):\n"
        "            return True\n    unit.quiet_rolls",
        "        if marks(unit, rules, other, others_gain, 0) and False:\n"
        "            return True\n    unit.quiet_rolls",
    ),
    # fields
    Fault("a limit of men is not kept", "plays.py", "    if rules.max_men:\n", "    if False:\n"),
    Fault(
        "men leave the own half",
        "plays.py",
        "    if rules.own_half:\n        ends &= PETIT | GRAND\n",
        "    if False:\n        ends &= PETIT | GRAND\n",
    ),
    Fault("mezeas has no window", "awards.py", "took_coin or not rules.mezeas_next_roll", "True"),
    Fault(
        "the margot pays each man",
        "hits.py",
        "    distances = 1 if by_1 & between else 0\n",
        "    distances = 0\n",
    ),
    Fault(
        "the first throw is met in any order of rolls",
        "awards.py",
        "if met and rules.rencontre:",
        "if rules.rencontre:",
    ),
    Fault(
        "the second scorer doubles",
        "scoring.py",
        "if rules.second_scorer or unit.points[other] == 0 else 0",
        "if True else 0",
    ),
    Fault(
        "a stall is never ended",
        "unit.py",
        "elif rules.stall_limit and unit.quiet_rolls",
        "elif False and unit.quiet_rolls",
    ),
    Fault(
        "points are lost by bearing off",
        "unit.py",
        "        if not rules.sortie_keeps_points:\n",
        "        if True:\n",
    ),
)
