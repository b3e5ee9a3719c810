"""Faults to plant in what combiné adds to kernel, drivers and prices; files are named from `simkit/` on."""

from __future__ import annotations

from faults.planted import Fault

KERNEL, UNIT, CHOICE = "kernel/combine.py", "kernel/unit.py", "kernel/choice.py"
DRIVER, HONOURS = "drivers/combine.py", "honours.py"

FAULTS = (
    # holes
    Fault(
        "no hole counts for the set while the honours rest",
        KERNEL,
        "    return unit.suspension <= HONOURS_SUSPENDED",
        "    return unit.suspension == NOT_SUSPENDED",
    ),
    Fault(
        "a frozen set counts holes",
        KERNEL,
        "    return unit.suspension <= HONOURS_SUSPENDED",
        "    return unit.suspension <= WRITTEN_OPEN",
    ),
    Fault(
        "a scored set counts holes",
        KERNEL,
        "    return unit.suspension <= HONOURS_SUSPENDED",
        "    return unit.suspension <= WRITTEN_SCORED and unit.suspension != WRITTEN_OPEN",
    ),
    Fault(
        "frozen honours count holes",
        KERNEL,
        "    if unit.suspension != HONOURS_SUSPENDED:\n        enter_honours",
        "    if True:\n        enter_honours",
    ),
    Fault(
        "a run of honours is not broken",
        KERNEL,
        "        if unit.honours_run[other] == INTACT:\n            unit.honours_run[other] = BROKEN\n",
        "",
    ),
    Fault(
        "a broken run of honours is mended",
        KERNEL,
        "        if unit.honours_holes[who] == 0:\n            unit.honours_run[who] = INTACT",
        "        if True:\n            unit.honours_run[who] = INTACT",
    ),
    Fault(
        "the second scorer is taken for the first",
        KERNEL,
        "            if unit.honours_first < 0:\n",
        "            if True:\n",
    ),
    Fault(
        "a game of honours has a hole too many",
        KERNEL,
        "if unit.honours_holes[who] == rules.honours_target:",
        "if unit.honours_holes[who] == rules.honours_target + 1:",
    ),
    Fault(
        "a finished game of honours stays on the board",
        KERNEL,
        "            unit.games += 1\n            wipe_honours(unit)\n",
        "            unit.games += 1\n            unit.honours_holes[who] = 0\n",
    ),
    Fault(
        "surplus holes are lost with continuation",
        KERNEL,
        "            if not rules.continuation or",
        "            if rules.continuation or",
    ),
    Fault(
        "the other's die is taken for the own",
        KERNEL,
        "        unit.honours_own_die[who] += own_die",
        "        unit.honours_own_die[who] += 1",
    ),
    Fault(
        "the loser wins the honours", KERNEL, "    return word << 1 | who", "    return word << 1 | 1 - who"
    ),
    Fault(
        "the winner's holes are kept for the loser's",
        KERNEL,
        "    word = word << 8 | unit.honours_holes[1 - who]",
        "    word = word << 8 | unit.honours_holes[who]",
    ),
    Fault(
        "the runs of honours change sides",
        KERNEL,
        "    word = word << 1 | (1 if unit.honours_run[1] == INTACT else 0)\n"
        "    word = word << 1 | (1 if unit.honours_run[0] == INTACT else 0)",
        "    word = word << 1 | (1 if unit.honours_run[0] == INTACT else 0)\n"
        "    word = word << 1 | (1 if unit.honours_run[1] == INTACT else 0)",
    ),
    Fault(
        "the roll of a game forgets the do-overs",
        KERNEL,
        "    word = unit.rolls + unit.rolls_do_overs",
        "    word = unit.rolls",
    ),
    # suspending
    Fault(
        "the set is suspended twice",
        KERNEL,
        "    if not rules.suspension or unit.suspension != NOT_SUSPENDED:",
        "    if not rules.suspension or unit.suspension > HONOURS_SUSPENDED:",
    ),
    Fault(
        "the honours are suspended twice",
        KERNEL,
        "    return bool(rules.suspension) and unit.suspension == NOT_SUSPENDED",
        "    return bool(rules.suspension) and unit.suspension <= HONOURS_SUSPENDED",
    ),
    Fault(
        "suspension cannot be ruled out",
        KERNEL,
        "    return bool(rules.suspension) and unit.suspension == NOT_SUSPENDED",
        "    return unit.suspension == NOT_SUSPENDED",
    ),
    Fault(
        "who is behind may always suspend",
        KERNEL,
        "    return not (behind and rules.when_behind == FORBID)",
        "    return True",
    ),
    Fault(
        "a suspender has not gone",
        KERNEL,
        "        unit.picked_up[who] = 1\n        unit.suspension = WRITTEN_OPEN",
        "        unit.suspension = WRITTEN_OPEN",
    ),
    Fault(
        "a suspender behind never concedes",
        KERNEL,
        "    if own < least and not (others >= least and rules.when_behind == CONCEDE):",
        "    if own < least:",
    ),
    Fault(
        "whoever suspends below six scores the set",
        KERNEL,
        "    if own < least and not (others >= least and rules.when_behind == CONCEDE):",
        "    if max(own, others) < least:",
    ),
    Fault(
        "after the set is scored holes go on counting",
        KERNEL,
        "    outcome = go(unit, rules, who)\n    unit.suspension = WRITTEN_SCORED\n",
        "    outcome = go(unit, rules, who)\n    unit.suspension = HONOURS_SUSPENDED\n",
    ),
    Fault(
        "the last set scored never ends the match",
        KERNEL,
        "    return unit.unit_no == rules.last_unit",
        "    return False",
    ),
    Fault(
        "a do-over by suspension counts as scored",
        KERNEL,
        "    if outcome == DO_OVER:\n        return False\n    unit.scored = 1",
        "    unit.scored = 1\n    if outcome == DO_OVER:\n        return False",
    ),
    Fault(
        "a set that is scored ends the unit at once",
        UNIT,
        "        if suspended(unit, rules, who, deed):",
        "        if suspended(unit, rules, who, deed) or unit.winner >= 0:",
    ),
    # picking up
    Fault(
        "a pickup resolves the frozen set",
        KERNEL,
        "    if suspended == WRITTEN_OPEN:\n        return PICKUP\n",
        "    if suspended == WRITTEN_OPEN:\n        return go(unit, rules, who)\n",
    ),
    Fault(
        "a pickup leaves the honours suspended",
        KERNEL,
        "    unit.suspension, unit.suspender = NOT_SUSPENDED, -1\n",
        "    unit.suspender = -1\n"
        "    if suspended != HONOURS_SUSPENDED:\n        unit.suspension = NOT_SUSPENDED\n",
    ),
    Fault(
        "the rolls of a do-over's tail are forgotten",
        KERNEL,
        "    unit.rolls_do_overs += unit.rolls\n    unit.rolls = 0\n    return DO_OVER",
        "    return DO_OVER",
    ),
    Fault(
        "after a do-over by suspension the goer throws",
        KERNEL,
        "    unit.rolls = 0\n    return DO_OVER",
        "    unit.rolls = 0\n    return PICKUP",
    ),
    Fault(
        "the rolls after a scored set are all counted",
        KERNEL,
        "    unit.tail_rolls += unit.rolls - unit.scored_at",
        "    unit.tail_rolls += unit.rolls",
    ),
    Fault(
        "the first game of honours ends every set",
        KERNEL,
        "    if unit.suspension != PLAYED_ON or not unit.games:",
        "    if not unit.games:",
    ),
    Fault(
        "a game played on goes on for ever",
        KERNEL,
        "    if unit.suspension != PLAYED_ON or not unit.games:",
        "    if unit.suspension != PLAYED_ON or unit.games < 2:",
    ),
    Fault(
        "holes on the other's die do not count for the honours",
        UNIT,
        "        enter(unit, rules, who, holes, own_die)",
        "        (enter if own_die else enter_holes)(unit, rules, who, holes, own_die)",
    ),
    Fault(
        "a coin suspends the other game",
        CHOICE,
        "        if tossed % 3 == 1 and may_suspend_written(unit, rules, who):",
        "        if tossed % 3 == 2 and may_suspend_written(unit, rules, who):",
    ),
    # from set to set
    Fault(
        "a run of honours ends with the set",
        DRIVER,
        'CARRIED = ("honours_holes", "honours_run", "honours_own_die", "honours_first")',
        'CARRIED = ("honours_holes", "honours_own_die", "honours_first")',
    ),
    Fault(
        "who began a game of honours is forgotten with the set",
        DRIVER,
        'CARRIED = ("honours_holes", "honours_run", "honours_own_die", "honours_first")',
        'CARRIED = ("honours_holes", "honours_run", "honours_own_die")',
    ),
    Fault(
        "a game of honours is played on though none is open",
        DRIVER,
        "    open_games = (units.ended_by != CAPPED) & (units.honours_holes.sum(axis=1) > 0)",
        "    open_games = (units.ended_by != CAPPED) & (units.honours_holes.sum(axis=1) >= 0)",
    ),
    # the pool
    Fault(
        "a game too many draws the pool",
        HONOURS,
        "self.streak[at] >= self._settlement.pool_wins_in_row",
        "self.streak[at] > self._settlement.pool_wins_in_row",
    ),
    Fault(
        "a new pool stays without its winner in the last set",
        HONOURS,
        "        draws |= in_last_set & (held == 0)\n",
        "",
    ),
    Fault(
        "the odd fish goes to the loser",
        HONOURS,
        "np.where(side, larger[:, None], smaller[:, None])",
        "np.where(side, smaller[:, None], larger[:, None])",
    ),
    Fault(
        "a pool is opened in the last set",
        HONOURS,
        "        self._begin(at[draws & ~in_last_set], winner[draws & ~in_last_set])",
        "        self._begin(at[draws], winner[draws])",
    ),
    Fault(
        "the winner puts the price into the basket",
        HONOURS,
        "        self._pay_in(at, 2 - winner, paid * self.open[at])",
        "        self._pay_in(at, winner - 1, paid * self.open[at])",
    ),
    Fault(
        "a basket that is closed is paid",
        HONOURS,
        "        self._pay_in(at, 2 - winner, paid * self.open[at])",
        "        self._pay_in(at, 2 - winner, paid)",
    ),
)
