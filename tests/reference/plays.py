"""Legal plays of a roll: rules.md, section 2, restated rule by rule.

Where a field of the rule set bends a law, the field is named in the function that restates the law.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .board import (
    COIN,
    GRAND_JAN,
    JAN_DE_RETOUR,
    OFF,
    OTHER_COIN,
    OTHER_GRAND_JAN,
    PETIT_JAN,
    Counts,
    Men,
    all_home,
    barred_points,
    can_still_fill,
    counts_of,
    is_full,
    men_of,
    mirrored,
    missing,
    overcrowded,
)
from .options import CLASSICAL, Options

ALL_OFF: Counts = (0,) * 24


class LegalPlays(NamedTuple):
    """The positions of the mover after the roll, and how many dice stay unplayed (0, 1 or 2).

    The die that is left over when the last man leaves is void, not unplayed (M22).
    """

    positions: set[Counts]
    unplayed: int


class Move(NamedTuple):
    """One man by one die; `to` is 25 for the rail, `overflow` when the number exceeded it (M19)."""

    start: int
    to: int
    overflow: bool


class Turn(NamedTuple):
    """A roll about to be played, with what does not change while it is."""

    own: Men
    facing: Men
    """The other side in the mover's count."""
    dice: Sequence[int]
    options: Options
    closed: Men
    """Where no man of the mover can touch down: not zero on those points."""
    barred: list[int]
    """Where he may rest but not stop."""
    may_bear_off: bool
    lone_man_on_coin: bool


def turn_of(own: Men, other: Men, dice: Sequence[int], options: Options) -> Turn:
    facing, barred = mirrored(other), barred_points(other, options)
    return Turn(
        own,
        facing,
        dice,
        options,
        closed_points(facing, barred, options),
        barred,
        may_bear_off(own, options),
        lone_man_may_stay(own, options),
    )


def closed_points(facing: Men, barred: Sequence[int], options: Options) -> Men:
    """M4: no man stops or rests where an adverse man stands.

    Nor on the other's coin without `opponent_corner_empty_rest` (M7), nor on 14 to 18, while they are forbidden,
    without `forbidden_grand_jan_passage` (M12), nor beyond the coin where `movement_scope` is own_half.
    """
    closed = facing.copy()
    if not options.opponent_corner_empty_rest:
        closed[OTHER_COIN] += 1
    if not options.forbidden_grand_jan_passage and OTHER_GRAND_JAN + 1 in barred:
        for point in range(OTHER_GRAND_JAN + 1, JAN_DE_RETOUR):
            closed[point] += 1
    if options.movement_scope == "own_half":
        for point in range(OTHER_COIN, OFF):
            closed[point] += 1
    return closed


def may_bear_off(own: Men, options: Options) -> bool:
    """Whether men can leave on this roll, as far as the position before it decides (M18 decides the rest).

    Never in `own_half`. Without `enter_and_bear_off_same_roll` all men must be home before the roll. Without
    `bear_off_while_fill_possible` nobody leaves while the jan de retour is not full and the men suffice to fill
    it, which is asked as M11 asks it of the other quarters: at least 2(k + 1) men on or before its k-th point.
    """
    if options.movement_scope == "own_half":
        return False
    if not options.enter_and_bear_off_same_roll and not all_home(own):
        return False
    to_fill = not is_full(own, JAN_DE_RETOUR) and can_still_fill(own, JAN_DE_RETOUR)
    return options.bear_off_while_fill_possible or not to_fill


def lone_man_may_stay(own: Men, options: Options) -> bool:
    """M5, by what stood on the coin before the roll: whether one man alone may stand there after it.

    He may if he came alone (`own_corner_by_two` off), was left alone (`own_corner_leave_by_two` off), or was
    alone already.
    """
    if own[COIN] == 0:
        return not options.own_corner_by_two
    if own[COIN] == 1:
        return True
    return not options.own_corner_leave_by_two


def moves(turn: Turn, own: Men, die: int) -> list[Move]:
    """Every way to use one die now; `own` is the mover's side as it stands at that moment.

    M18: the rail is open once all men are home. M19: the exact number may leave, a short one is played inside,
    one beyond every man takes the farthest. `bear_off_exact_policy`: where it is mandatory the exact number
    must leave; where it is inside_first it leaves only if no man can play it inside, which only adverse men
    prevent (M4). `bear_off_short_policy` farthest_man: of those who can play a short number, the farthest.
    """
    options = turn.options
    home = turn.may_bear_off and all_home(own)
    exact = home and own[OFF - die] > 0
    if exact and options.bear_off_exact_policy == "mandatory":
        return [Move(OFF - die, OFF, overflow=False)]
    inside = [
        Move(point, point + die, overflow=False)
        for point in range(1, OFF - die)
        if own[point] and not turn.closed[point + die]
    ]
    if not home:
        return inside
    if exact:
        if options.bear_off_exact_policy == "inside_first" and inside:
            return inside
        return [*inside, Move(OFF - die, OFF, overflow=False)]
    farthest = next(point for point in range(JAN_DE_RETOUR, OFF) if own[point])
    if farthest + die > OFF:
        return [Move(farthest, OFF, overflow=True)]
    return inside[:1] if options.bear_off_short_policy == "farthest_man" else inside


def moved(own: Men, start: int, to: int) -> Men:
    after = own.copy()
    after[start] -= 1
    after[to] += 1
    return after


def may_stop(turn: Turn, men: Men) -> bool:
    """M5 (never one man on the coin), M7, M11 and `max_men_per_point`, asked of the position after the roll only.

    So rests on an empty coin (M6, M7) and in a forbidden grand jan (M12) are allowed, two men take or leave the
    coin together, and a man may rest where there is no more room.
    """
    if men[COIN] == 1 and not turn.lone_man_on_coin:
        return False
    for point in turn.barred:
        if men[point]:
            return False
    return not overcrowded(men, turn.options.max_men_per_point)


def may_go_on(turn: Turn, second: Move, final: Men) -> bool:
    """Whether one man may play both dice, where a field forbids it; he has rested on `second.start`.

    Not by his own empty coin without `own_corner_empty_rest` (M6). Not off the board by two numbers of which
    neither alone takes him off, that add up to his distance (M20), if `bear_off_two_short_combined` is forbidden,
    and if it is only_to_conserve, not unless the jan de retour is full then. A man who came from outside with
    the first number is no exception, nor is the last man.
    """
    if second.start == COIN and not turn.options.own_corner_empty_rest:
        return False
    if second.to == OFF and not second.overflow:
        two_short = turn.options.bear_off_two_short_combined
        return two_short == "allowed" or (two_short == "only_to_conserve" and is_full(final, JAN_DE_RETOUR))
    return True


def two_men_at(own: Men, point_1: int, point_2: int) -> bool:
    """Whether two different men stand on the two points, which may be one."""
    if point_1 == point_2:
        return own[point_1] >= 2
    return own[point_1] >= 1 and own[point_2] >= 1


def takes_corner_by_puissance(turn: Turn) -> bool:
    """M8 and M9: both coins empty, the dice bring two men to the other's, and no two to the own one.

    Never without `corner_par_puissance`; whatever is natural without `puissance_only_if_not_natural`.
    """
    own, options = turn.own, turn.options
    die_1, die_2 = turn.dice
    if not options.corner_par_puissance or own[COIN] or turn.facing[OTHER_COIN]:
        return False
    if options.puissance_only_if_not_natural and two_men_at(own, COIN - die_1, COIN - die_2):
        return False
    return two_men_at(own, OTHER_COIN - die_1, OTHER_COIN - die_2)


def both_or_one(turn: Turn) -> LegalPlays:
    """The plays allowed by M13, M14 and M20, before the obligations of M16.

    `bear_off_overflow_policy` sequential: a play with a number in excess is as good as one without (M20).
    """
    own, options = turn.own, turn.options
    die_1, die_2 = turn.dice
    both: dict[Counts, bool] = {}  # position -> it takes an overflow to get there
    single: dict[int, set[Counts]] = {die_1: set(), die_2: set()}
    for first, second in {(die_1, die_2), (die_2, die_1)}:
        for start, to, overflow in moves(turn, own, first):
            after = moved(own, start, to)
            if after[OFF] == 15:
                both[ALL_OFF] = overflow and both.get(ALL_OFF, True)
                continue
            if may_stop(turn, after):
                single[first].add(counts_of(after))
            for move in moves(turn, after, second):
                final = moved(after, move.start, move.to)
                if not may_stop(turn, final):
                    continue
                same_man = move.start == to and own[to] == 0
                if same_man and not may_go_on(turn, move, final):
                    continue
                position = counts_of(final)
                both[position] = (overflow or move.overflow) and both.get(position, True)
    if takes_corner_by_puissance(turn):
        final = moved(moved(own, OTHER_COIN - die_1, COIN), OTHER_COIN - die_2, COIN)
        if may_stop(turn, final):
            both[counts_of(final)] = False
    if both:
        without = {position for position, overflow in both.items() if not overflow}
        if options.bear_off_overflow_policy == "sequential":
            return LegalPlays(set(both), 0)
        return LegalPlays(without or set(both), 0)
    return one_die(turn, single)


def one_die(turn: Turn, single: dict[int, set[Counts]]) -> LegalPlays:
    """M14, M15: the higher die, or none.

    `fill_vs_higher_die` fill_first: the plays of either die that M16 asks for come before the higher die.
    """
    if turn.options.fill_vs_higher_die == "fill_first":
        of_either = set().union(*single.values())
        asked_for = plays_asked_for(turn, of_either, 1)
        if asked_for:
            return LegalPlays(asked_for, 1)
    for die in sorted(turn.dice, reverse=True):
        if single[die]:
            return LegalPlays(single[die], 1)
    return LegalPlays({counts_of(turn.own)}, 2)


def ends_full(position: Counts, quarter: int) -> bool:
    return min(position[quarter - 1 : quarter + 5]) >= 2


def fills_or_conserves(turn: Turn, position: Counts, quarter: int, unplayed: int) -> bool:
    """3.2: whether a play that ends so fills the quarter, or conserves it if it was full.

    Without `fills_enabled` or `conserve_enabled` there is no such thing. Without `conserve_by_impuissance` a
    quarter is not conserved when a die stays unplayed, without `conserve_by_bearing_off` (M21) not when a man
    has left; both say nothing of filling.
    """
    options = turn.options
    if not ends_full(position, quarter):
        return False
    if not is_full(turn.own, quarter):
        return options.fills_enabled
    if not options.conserve_enabled or (unplayed and not options.conserve_by_impuissance):
        return False
    return options.conserve_by_bearing_off or sum(position) == sum(turn.own[1:OFF])


def plays_asked_for(turn: Turn, positions: set[Counts], unplayed: int) -> set[Counts]:
    """M16: the plays of which one must be chosen, because they fill or conserve; empty if there are none.

    Without `fill_obligation` nobody is held to fill, without `conserve_obligation` nobody to conserve.
    """
    for quarter in (PETIT_JAN, GRAND_JAN, JAN_DE_RETOUR):
        lacking = missing(turn.own, quarter)
        if lacking > 2:
            continue  # two men at most come in (3.2)
        obligation = turn.options.fill_obligation if lacking else turn.options.conserve_obligation
        if obligation:
            found = {each for each in positions if fills_or_conserves(turn, each, quarter, unplayed)}
            if found:
                return found
    return set()


def with_obligations(turn: Turn, plays: LegalPlays) -> LegalPlays:
    """M22: the last men leave if they can, unless `sortie_obligatory` is off. M16: what is asked for is done."""
    if turn.options.sortie_obligatory and ALL_OFF in plays.positions:
        return LegalPlays({ALL_OFF}, plays.unplayed)
    return LegalPlays(
        plays_asked_for(turn, plays.positions, plays.unplayed) or plays.positions, plays.unplayed
    )


def legal_plays_of(turn: Turn) -> LegalPlays:
    return with_obligations(turn, both_or_one(turn))


def legal_plays(
    own: Sequence[int], other: Sequence[int], dice: Sequence[int], options: Options = CLASSICAL
) -> LegalPlays:
    """Every legal position of the mover after the roll; 24 counts a side, each in its own count."""
    return legal_plays_of(turn_of(men_of(own), men_of(other), dice, options))
