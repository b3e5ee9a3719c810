"""What a roll scores, before any man is moved: rules.md, section 3."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .board import COIN, JAN_DE_RETOUR, OTHER_COIN, QUARTERS, Men, counts_of, is_full, men_of, missing
from .options import CLASSICAL, Options
from .plays import (
    ALL_OFF,
    LegalPlays,
    Turn,
    ends_full,
    fills_or_conserves,
    legal_plays_of,
    moved,
    moves,
    turn_of,
    two_men_at,
)


class Award(NamedTuple):
    """One line of what a roll scores; `points` has the ways included. Points are in the mover's count."""

    jan: str
    beneficiary: str
    points: int
    ways: int | None = 1
    target: int | None = None
    dice_unplayed: int | None = None


def jan_value(dice: Sequence[int], options: Options) -> int:
    """The value v of section 3."""
    return options.jan_points[dice[0] == dice[1]]


def hit_value(target: int, dice: Sequence[int], options: Options) -> int:
    """The value z of section 3."""
    zone = 0 if 7 <= target <= 18 else 1
    return options.hit_points[zone][dice[0] == dice[1]]


def opening_jans(
    own: Men, facing: Men, dice: Sequence[int], roll_number: int, took_coin: bool, options: Options
) -> Iterable[Award]:
    """3.1: six tables, deux tables, mezeas and the two contre-jans.

    Each can be left out by its field (`six_tables_enabled`, `deux_tables_enabled`, `mezeas_enabled`), both
    contre-jans by `contre_jans_enabled`, which alone decides of them. `mezeas_window` next_roll_only: mezeas and
    its contre-jan only if the mover took his coin on his last roll. A lone man on the other's coin holds it.
    """
    die_1, die_2 = dice
    value = jan_value(dice, options)
    six = own[2:8]
    if (
        options.six_tables_enabled
        and roll_number == 3
        and die_1 != die_2
        and own[1] == 11
        and sorted(six) == [0, 0, 1, 1, 1, 1]
        and own[1 + die_1] == own[1 + die_2] == 0
    ):
        yield Award("six_tables", "mover", options.jan_points[0])
    if own[1] != 13:
        return
    coin_held = facing[OTHER_COIN] > 0
    others = [point for point in range(2, 25) for _ in range(own[point])]
    if len(others) == 2 and own[COIN] == 0:
        a, b = others
        reach = {
            (a + die_1, b + die_2),
            (b + die_2, a + die_1),
            (a + die_2, b + die_1),
            (b + die_1, a + die_2),
        }
        if (COIN, OTHER_COIN) in reach:
            if coin_held and options.contre_jans_enabled:
                yield Award("contre_deux_tables", "opponent", value)
            elif not coin_held and options.deux_tables_enabled:
                yield Award("deux_tables", "mover", value)
    in_time = took_coin or options.mezeas_window == "while_condition_holds"
    if own[COIN] == 2 and 1 in dice and in_time:
        if coin_held and options.contre_jans_enabled:
            yield Award("contre_mezeas", "opponent", value)
        elif not coin_held and options.mezeas_enabled:
            yield Award("mezeas", "mover", value)


def hits(own: Men, facing: Men, dice: Sequence[int], options: Options) -> Iterable[Award]:
    """3.3: every lone adverse man, hit truly in so many ways, or falsely.

    `hit_sum_ways` off: no true way by the sum. `false_hits_enabled` off: nothing for a man hit falsely, who is
    always hit by the sum, both rests closed, whatever `hit_sum_ways` says.
    """
    die_1, die_2 = dice
    for target in range(1, 25):
        if facing[target] != 1:
            continue
        ways = sum(1 for die in {die_1, die_2} if target - die >= 1 and own[target - die])
        false = False
        if target - die_1 - die_2 >= 1 and own[target - die_1 - die_2]:
            if rest_open_for_hitting(facing, target, dice):
                ways += options.hit_sum_ways
            else:
                false = options.false_hits_enabled
        value = hit_value(target, dice, options)
        if ways:
            yield Award("hit_true", "mover", ways * value, ways, target)
        elif false:
            yield Award("hit_false", "opponent", value, 1, target)


def rest_open_for_hitting(facing: Men, target: int, dice: Sequence[int]) -> bool:
    """3.3: whether a rest before the target is no case of the other's."""
    return any(facing[target - die] < 2 for die in dice)


def corner_hit(own: Men, facing: Men, dice: Sequence[int], options: Options) -> Iterable[Award]:
    """3.4: the other's empty coin, reached by two men who are not the two that hold the own coin."""
    if not options.corner_hit_enabled or own[COIN] < 2 or facing[OTHER_COIN]:
        return
    without_base = own.copy()
    without_base[COIN] -= 2
    if two_men_at(without_base, OTHER_COIN - dice[0], OTHER_COIN - dice[1]):
        yield Award("corner_hit", "mover", jan_value(dice, options))


MARGOT = (2, 4)
"""What margot la fendue pays for each distance, on a simple roll and on a doublet."""


def margot_la_fendue(own: Men, facing: Men, dice: Sequence[int], options: Options) -> Iterable[Award]:
    """`margot_la_fendue_enabled`: a man would land on an empty point between two lone men of the other's.

    The distances are each die and the sum, the sum with a rest open for hitting (3.3); each counts once, however
    many men and points show it, so a doublet has two. `hit_sum_ways` has no say: nobody is hit.
    """
    if not options.margot_la_fendue_enabled:
        return
    die_1, die_2 = dice
    found = set()
    for point in range(2, 24):
        if own[point] or facing[point] or facing[point - 1] != 1 or facing[point + 1] != 1:
            continue
        for distance in {die_1, die_2, die_1 + die_2}:
            if point - distance < 1 or not own[point - distance]:
                continue
            if distance in (die_1, die_2) or rest_open_for_hitting(facing, point, dice):
                found.add(distance)
    if found:
        points = len(found) * MARGOT[die_1 == die_2]
        yield Award("margot_la_fendue", "opponent", points, len(found))


def fill_ways(turn: Turn, quarter: int, plays: LegalPlays) -> int:
    """3.2: in how many ways the roll fills a quarter; 0 if no legal play ends with it full.

    Two men missing are one way, puissance included. One man missing: each die by a surplus man, and both dice
    by one, as far as a legal play of the whole roll contains it and ends with the quarter full (M13, M17).
    Rulings: "two men missing", "filling par puissance", "a way survives the roll".
    `fill_counts_ways` off: one way, whatever there are. `fill_retour_corner_pair_counts`: see `by_corner_pair`.
    """
    own, dice = turn.own, turn.dice
    full = {position for position in plays.positions if ends_full(position, quarter)}
    if not full or is_full(own, quarter) or not turn.options.fills_enabled:
        return 0
    if missing(own, quarter) == 2 or not turn.options.fill_counts_ways:
        return 1
    inside = range(quarter, quarter + 6)
    gap = next(point for point in inside if own[point] == 1)
    ways = 0
    for die, rest_die in {(dice[0], dice[1]), (dice[1], dice[0])}:
        source = gap - die
        if source < 1 or own[source] < (3 if source in inside else 1):
            continue
        if plays.unplayed == 1:
            ways += counts_of(moved(own, source, gap)) in full
            continue
        filled = moved(own, source, gap)
        filling_first = (moved(filled, move.start, move.to) for move in moves(turn, filled, rest_die))
        filling_last = (
            moved(moved(own, move.start, move.to), source, gap)
            for move in moves(turn, own, rest_die)
            if own[source] > (move.start == source)
        )
        ways += any(counts_of(men) in full for plays_of in (filling_first, filling_last) for men in plays_of)
    source = gap - dice[0] - dice[1]
    rest_is_free = any(not turn.closed[gap - die] for die in dice if gap - die >= 1)
    if source >= 1 and own[source] and rest_is_free:
        ways += counts_of(moved(own, source, gap)) in full or by_corner_pair(turn, quarter, source)
    return ways


def by_corner_pair(turn: Turn, quarter: int, source: int) -> bool:
    """`fill_retour_corner_pair_counts`: one of the coin's last two men would fill the jan de retour by the sum.

    It is a way although he may not be played so; but nothing is filled unless some legal play fills.
    """
    pair = quarter == JAN_DE_RETOUR and source == COIN and turn.own[COIN] == 2
    return pair and turn.options.fill_retour_corner_pair_counts


def fills_and_conserves(turn: Turn, plays: LegalPlays) -> Iterable[Award]:
    """3.2: a quarter filled, in so many ways, or kept full by a legal play (or for want of one).

    What can be done is marked, whether or not `fill_obligation` and `conserve_obligation` ask for it.
    """
    value = jan_value(turn.dice, turn.options)
    for name, quarter in QUARTERS.items():
        lacking = missing(turn.own, quarter)
        if lacking == 0:
            if any(fills_or_conserves(turn, each, quarter, plays.unplayed) for each in plays.positions):
                yield Award(f"conserve_{name}", "mover", value)
        elif lacking <= 2:
            ways = fill_ways(turn, quarter, plays)
            if ways:
                yield Award(f"fill_{name}", "mover", ways * value, ways)


def roll(
    own: Sequence[int],
    other: Sequence[int],
    dice: Sequence[int],
    roll_number: int = 0,
    options: Options = CLASSICAL,
    took_coin: bool = False,
    rencontre: bool = False,
) -> tuple[LegalPlays, list[Award]]:
    """The legal plays of a roll and all it scores, in one go. See `awards`."""
    turn = turn_of(men_of(own), men_of(other), dice, options)
    plays = legal_plays_of(turn)
    mine, facing = turn.own, turn.facing
    value = jan_value(dice, options)
    found = [
        *opening_jans(mine, facing, dice, roll_number, took_coin, options),
        *hits(mine, facing, dice, options),
        *corner_hit(mine, facing, dice, options),
        *fills_and_conserves(turn, plays),
        *margot_la_fendue(mine, facing, dice, options),
    ]
    if options.sortie_enabled and ALL_OFF in plays.positions:  # 3.6
        found.append(Award("sortie", "mover", value))
    if options.pile_de_misere_enabled and any(
        position[COIN - 1] == 15 for position in plays.positions
    ):  # 3.7
        found.append(Award("pile_de_misere", "mover", value))
    if options.jan_de_rencontre_enabled and rencontre:
        found.append(Award("jan_de_rencontre", "mover", value))
    if options.impuissance_enabled and plays.unplayed:  # 3.5
        points = plays.unplayed * options.impuissance_points
        found.append(Award("impuissance", "opponent", points, None, None, plays.unplayed))
    return plays, found


def awards(
    own: Sequence[int],
    other: Sequence[int],
    dice: Sequence[int],
    roll_number: int = 0,
    options: Options = CLASSICAL,
    took_coin: bool = False,
    rencontre: bool = False,
) -> list[Award]:
    """All that a roll scores, for both players; 24 counts a side, each in its own count.

    `roll_number` counts the mover's rolls since the men were last on the talons, from 1; 0 if it is not known
    and not one of the first three. `took_coin`: he took his coin on his last roll. `rencontre`: his first roll of
    the game is the dice that the first player's first roll was.
    """
    return roll(own, other, dice, roll_number, options, took_coin, rencontre)[1]


def totals(found: Iterable[Award]) -> tuple[int, int]:
    """Points of the mover and of his opponent."""
    gains = {"mover": 0, "opponent": 0}
    for award in found:
        gains[award.beneficiary] += award.points
    return gains["mover"], gains["opponent"]
