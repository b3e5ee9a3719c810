"""Legal test positions in great number, the same for the same seed: reached in play, and adversarial.

`played` positions come from settings the twin plays against itself at random, half of them leaning towards
made points. `adversarial` ones are drawn by the families of `FAMILIES`, each around a rule that is easy to
get wrong. `field_positions` are of both kinds under rule options drawn at random, with the families of
`FIELD_FAMILIES` besides, each around fields that would seldom matter elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from .board import (
    COIN,
    GRAND_JAN,
    JAN_DE_RETOUR,
    OFF,
    OTHER_COIN,
    PETIT_JAN,
    Counts,
    Men,
    all_home,
    barred_points,
    counts_of,
    mirrored,
    problems,
    start,
)
from .options import CLASSICAL, VARIABLE, Options, other_values, stalls_for_ever
from .plays import ALL_OFF, legal_plays

POLICIES = ("optional", "mandatory")


@dataclass(frozen=True)
class Case:
    """A position and a roll. `own` is the mover; each side in its own count, point 1 first."""

    own: Counts
    other: Counts
    dice: tuple[int, int]
    roll_number: int
    bear_off_exact_policy: str
    family: str

    @property
    def options(self) -> Options:
        return Options(bear_off_exact_policy=self.bear_off_exact_policy, pile_de_misere_enabled=True)


def positions(kind: str, count: int, seed: int) -> Iterator[Case]:
    """Yield `count` legal cases of the kind `played` or `adversarial`."""
    rng = random.Random(f"{kind}/{seed}")
    source = {"played": played, "adversarial": adversarial}[kind](rng)
    for _ in range(count):
        yield next(source)


def throw(rng: random.Random) -> tuple[int, int]:
    return rng.randint(1, 6), rng.randint(1, 6)


def throw_more_doublets(rng: random.Random) -> tuple[int, int]:
    """Two rolls in five are doublets."""
    die = rng.randint(1, 6)
    return (die, die) if rng.random() < 0.4 else throw(rng)


# Reached in play


def made_points(counts: Sequence[int]) -> int:
    return sum(men >= 2 for men in counts[1:])


def played(rng: random.Random) -> Iterator[Case]:
    """Every position of endless settings; now and then a player goes, sooner or later men are borne off."""
    while True:
        policy = rng.choice(POLICIES)
        options = Options(bear_off_exact_policy=policy)
        looks_at = rng.choice((1, 1, 4))  # of so many random plays the one with most made points is played
        goes = rng.choice((0.0, 0.0, 0.02))
        men, roll_number, roller = [counts_of(start())] * 2, [0, 0], rng.randrange(2)
        while rng.random() >= goes:
            roll_number[roller] += 1
            dice = throw(rng)
            own, other = men[roller], men[1 - roller]
            yield Case(own, other, dice, roll_number[roller], policy, "played")
            plays = sorted(legal_plays(own, other, dice, options).positions)
            men[roller] = max((rng.choice(plays) for _ in range(looks_at)), key=made_points)
            if men[roller] == ALL_OFF:
                break
            roller = 1 - roller


# Adversarial


def scatter(rng: random.Random, men: Men, count: int, points: Sequence[int]) -> None:
    """Put men one by one on any of the points; none if there is no point."""
    for _ in range(count if points else 0):
        men[rng.choice(points)] += 1


def profile(rng: random.Random, facing: Men, own: Men | None = None) -> Men:
    """Fifteen men, or the rest of them, for a side that is young, in the middle, far on, or nearly home.

    `facing` is the other side in this one's count; its points, and those where this side may not stop, stay
    free.
    """
    men = own.copy() if own else [0] * 26
    barred = set(barred_points(mirrored(facing)))
    free = [point for point in range(1, 25) if not facing[point] and point not in barred]
    low, high = rng.choice(((1, 9), (1, 12), (4, 14), (7, 18), (7, 24), (14, 24), (1, 24)))
    points = [point for point in free if low <= point <= high] or free
    if rng.random() < 0.5:
        points = rng.sample(points, min(len(points), rng.randint(3, 9)))
    count = 15 - sum(men)
    if 1 in free and rng.random() < 0.3:
        on_talon = rng.randint(0, count)
        men[1] += on_talon
        count -= on_talon
    scatter(rng, men, count, points)
    return men


def singles(rng: random.Random, facing: Men) -> Men:
    """A side with as many lone men as there is room for, some of them far on."""
    barred = set(barred_points(mirrored(facing)))
    free = [p for p in range(1, 25) if not facing[p] and p not in barred and p != COIN]
    men = [0] * 26
    for point in rng.sample(free, min(len(free), rng.randint(4, 12))):
        men[point] = 1
    if not facing[COIN] and rng.random() < 0.6:
        men[COIN] = 2
    scatter(rng, men, 15 - sum(men), [p for p in range(1, 12) if not facing[p] and men[p] != 1] or free)
    return men


def walls(rng: random.Random, facing: Men) -> Men:
    """A side of made points in a row, to close the rests and to make numbers unplayable."""
    barred = set(barred_points(mirrored(facing)))
    free = [point for point in range(1, 25) if not facing[point] and point not in barred]
    men = [0] * 26
    first = rng.choice((1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9, 10, 14, 18, 19))
    for point in [point for point in free if point >= first][: rng.randint(5, 7)]:
        men[point] = 2
    scatter(rng, men, 15 - sum(men), [point for point in free if men[point] or point >= first] or free)
    return men


SIDES: tuple[Callable[[random.Random, Men], Men], ...] = (profile, profile, singles, walls)
Draft = tuple[Men, Men, tuple[int, int] | None]
"""Mover, other, each in his own count, and the dice if the family wants special ones."""


def against(rng: random.Random, own: Men) -> Men:
    """Some other side for a mover who stands already."""
    return rng.choice(SIDES)(rng, mirrored(own))


def far_on(rng: random.Random, facing: Men, *, grand_jan_too: bool) -> Men:
    """A side that can no longer fill its petit jan (nor its grand jan), so that the mover may stand there."""
    men = [0] * 26
    points = [point for point in range(1, 25) if not facing[point] and point != OTHER_COIN]
    behind = [point for point in points if point <= (12 if grand_jan_too else 6)]
    beyond = [point for point in points if point > (12 if grand_jan_too else 6)]
    scatter(rng, men, rng.randint(0, 12), behind)
    scatter(rng, men, 15 - sum(men), beyond or points)
    if men[COIN] == 1:
        men[COIN] = 0
        men[rng.choice(beyond or points)] += 1
    return men


def near_full(rng: random.Random) -> Draft:
    """Ten to twelve men in place in a quarter, the others behind it, in it or beyond it (3.2, M16, M17)."""
    quarter = rng.choice((PETIT_JAN, GRAND_JAN, GRAND_JAN, JAN_DE_RETOUR))
    own = [0] * 26
    for point in range(quarter, quarter + 6):
        own[point] = 2
    gaps = rng.choice(((), (1,), (1,), (1,), (1, 1), (2,)))
    for point, gap in zip(rng.sample(range(quarter, quarter + 6), len(gaps)), gaps, strict=True):
        own[point] -= gap
    if quarter == JAN_DE_RETOUR:
        where = rng.choice((range(12, 25), range(14, 19), range(7, 25), range(19, 25)))
    elif quarter == GRAND_JAN:
        where = rng.choice((range(1, 7), range(1, 13), range(7, 13), range(1, 25)))
    else:
        where = rng.choice((range(1, 7), range(1, 12), range(1, 25), range(7, 13)))
    dice = None
    if gaps == (1,) and rng.random() < 0.6:
        dice = throw_more_doublets(rng)
        gap = next(point for point in range(quarter, quarter + 6) if own[point] == 1)
        sources = [gap - way for way in (dice[0], dice[1], sum(dice)) if gap - way >= 1]
        for point in rng.sample(sources, min(len(sources), 15 - sum(own))):
            own[point] += 1
    rest = 15 - sum(own)
    if quarter == JAN_DE_RETOUR and all(point >= JAN_DE_RETOUR or not own[point] for point in range(25)):
        if own[COIN] == 0 and rest >= 2 and rng.random() < 0.5:
            own[COIN], rest = 2, rest - 2
        else:
            own[OFF] = rng.randint(0, rest)
            where, rest = range(19, 25), rest - own[OFF]
    scatter(rng, own, rest, where)
    facing = mirrored(own)
    if quarter == JAN_DE_RETOUR:
        return own, far_on(rng, facing, grand_jan_too=any(own[14:19])), dice
    return own, against(rng, own), dice


def coin_pair(rng: random.Random) -> Draft:
    """Two, three or four men on the coin (M5, 3.3, 3.4), alone able to move or not."""
    own = [0] * 26
    own[COIN] = rng.choice((2, 2, 3, 4))
    scatter(rng, own, rng.randint(0, 5), range(7, 12))
    if rng.random() < 0.3:
        scatter(rng, own, 15 - sum(own), rng.sample(range(19, 25), rng.randint(2, 6)))
        return own, far_on(rng, mirrored(own), grand_jan_too=False), None
    scatter(rng, own, 15 - sum(own), range(1, rng.choice((7, 12, 13))))
    return own, against(rng, own), None


def corner(rng: random.Random) -> Draft:
    """An empty coin, men at the distances of the dice from it or from the other's (M5 to M10, 3.4)."""
    dice = throw_more_doublets(rng)
    own = [0] * 26
    taken = [COIN - die for die in dice] if rng.random() < 0.5 else []
    taken += [OTHER_COIN - die for die in dice] if rng.random() < 0.8 else []
    for point in taken:
        own[point] += point != COIN
    low = rng.choice((1, 1, 4, 7))
    scatter(rng, own, 15 - sum(own), range(low, COIN))
    other = against(rng, own)
    if rng.random() < 0.7:
        other[1], other[COIN] = other[1] + other[COIN], 0
    return own, other, dice


def bearing_off(rng: random.Random) -> Draft:
    """All men home, or all but one or two, and perhaps some off (M18 to M22, 3.6)."""
    own = [0] * 26
    outside = rng.choice((0, 0, 0, 1, 1, 2))
    scatter(rng, own, outside, range(13 + rng.randint(1, 3), 19))
    left = rng.choice((1, 2, 2, 3, 4, 6, 9, 12, 13, 14, 15))
    own[OFF] = 15 - left if outside == 0 else 0
    home = rng.sample(range(19, 25), rng.randint(1, 6))
    scatter(rng, own, 15 - sum(own), home)
    return own, far_on(rng, mirrored(own), grand_jan_too=outside > 0), None


def forbidden(rng: random.Random) -> Draft:
    """The other can just still fill a quarter, or just no longer; the mover stands before it (M11, M12)."""
    quarter = rng.choice((PETIT_JAN, GRAND_JAN))
    other = [0] * 26
    for k in range(6):
        other[quarter + k] = 2
    for _ in range(rng.randint(0, 4)):
        point = rng.choice([p for p in range(quarter, quarter + 6) if other[p]])
        other[point] -= 1
        other[max(1, point - rng.randint(1, 5))] += 1
    if rng.random() < 0.5:
        point = rng.choice([p for p in range(1, quarter + 6) if other[p]])
        other[point] -= 1
        other[min(24, point + rng.randint(1, 6))] += 1
    scatter(rng, other, 15 - sum(other), range(quarter + 6, 25))
    if other[COIN] == 1:
        other[COIN], other[11] = 0, other[11] + 1
    facing = mirrored(other)
    own = [0] * 26
    scatter(rng, own, rng.randint(0, 10), [p for p in range(7, 13) if not facing[p]])
    if own[COIN] == 1:
        own[COIN] = 0
    return profile(rng, facing, own), other, None


def lone_men(rng: random.Random) -> Draft:
    """Lone men of the other everywhere, some rests closed (3.3)."""
    own = profile(rng, [0] * 26)
    return own, singles(rng, mirrored(own)), None


def shut_in(rng: random.Random) -> Draft:
    """The mover before a wall: one die or none can be played (M13 to M15, 3.5)."""
    own = [0] * 26
    points = rng.sample(range(1, 13), rng.randint(1, 4))
    scatter(rng, own, 15, points)
    other = walls(rng, mirrored(own))
    return own, other, None


def opening(rng: random.Random) -> Draft:
    """The first rolls of a setting and figures that are made, or nearly (3.1)."""
    dice = throw(rng)
    own = [0] * 26
    figure = rng.choice(("six_tables", "six_tables", "deux_tables", "deux_tables", "mezeas", "nearly"))
    if figure == "six_tables":
        own[1] = 11
        men = [point for point in range(2, 8) if point - 1 not in dice]
        for point in rng.sample(men, 4):
            own[point] = 1
    elif figure == "deux_tables":
        own[1] = 13
        low, high = rng.sample(dice, 2)
        own[COIN - low] += 1
        own[OTHER_COIN - high] += OTHER_COIN - high != COIN
    elif figure == "mezeas":
        own[1], own[COIN] = 13, 2
        dice = rng.choice(((1, dice[1]), (dice[0], 1), dice))
    else:
        own[1] = rng.choice((11, 12, 13))
    scatter(rng, own, 15 - sum(own), range(2, COIN))
    if rng.random() < 0.2:
        dice = throw(rng)
    other = [0] * 26
    other[COIN] = rng.choice((0, 0, 2))
    other[1] = rng.randint(5, 13 - other[COIN])
    scatter(rng, other, 15 - sum(other), range(2, COIN))
    return own, other, dice


def pile(rng: random.Random) -> Draft:
    """Nearly or quite all men on the coin (3.7, M5)."""
    own = [0] * 26
    own[COIN] = rng.choice((15, 14, 13, 12))
    scatter(rng, own, 15 - own[COIN], range(6, 12))
    return own, against(rng, own), None


def crowd(rng: random.Random) -> Draft:
    """Any mover, any other."""
    own = profile(rng, [0] * 26)
    return own, against(rng, own), None


FAMILIES: tuple[Callable[[random.Random], Draft], ...] = (
    near_full,
    near_full,
    near_full,
    coin_pair,
    corner,
    bearing_off,
    bearing_off,
    forbidden,
    lone_men,
    shut_in,
    opening,
    pile,
    crowd,
)


def adversarial(rng: random.Random) -> Iterator[Case]:
    """Each family in turn, drawing again until the position is legal."""
    while True:
        for family in FAMILIES:
            while True:
                own, other, dice = family(rng)
                if not problems(own, other):
                    break
            yield Case(
                counts_of(own),
                counts_of(other),
                dice or throw_more_doublets(rng),
                3 if family is opening and rng.random() < 0.8 else rng.choice((0, 1, 2, 3, 4, 5)),
                rng.choice(POLICIES),
                family.__name__,
            )


# Under any rule options


@dataclass(frozen=True)
class FieldCase:
    """A position and a roll under some rule options; each side in its own count, point 1 first."""

    own: Counts
    other: Counts
    dice: tuple[int, int]
    roll_number: int
    options: Options
    took_coin: bool
    rencontre: bool
    family: str


def random_options(
    rng: random.Random, likely: Sequence[str] = (), *, must_go: bool = False, chance: float = 0.15
) -> Options:
    """Rule options, each field with another value than the default with this chance, with one half if `likely`.

    `stall_limit` is given where the men can come to rest for good. `must_go` leaves `go_enabled` on, as a set of
    the written match needs it.
    """
    changes = {}
    for name in VARIABLE:
        if rng.random() < (0.5 if name in likely else chance):
            changes[name] = rng.choice(other_values(name))
    if must_go:
        changes.pop("go_enabled", None)
    options = replace(CLASSICAL, **changes)
    return replace(options, stall_limit=rng.choice((4, 30))) if stalls_for_ever(options) else options


def field_positions(count: int, seed: int, options: Options | None = None) -> Iterator[FieldCase]:
    """Yield `count` cases legal under their options: those given, or others for every position drawn."""
    rng = random.Random(f"fields/{seed}")
    sources = played_by(rng, options), drawn_for(rng, options)
    for number in range(count):
        yield next(sources[number % 3 > 0])


def played_by(rng: random.Random, given: Options | None) -> Iterator[FieldCase]:
    """Settings played at random, the side with more made points preferred now and then, until they stall."""
    while True:
        options = given or random_options(rng)
        looks_at = rng.choice((1, 1, 4))
        men, roller = [counts_of(start())] * 2, rng.randrange(2)
        took_coin, opening = [False, False], (0, 0)
        for number in range(rng.choice((40, 120, 240))):
            dice = throw(rng)
            own, other = men[roller], men[1 - roller]
            rencontre = number == 1 and sorted(dice) == sorted(opening)
            opening = dice if number == 0 else opening
            yield FieldCase(
                own, other, dice, number // 2 + 1, options, took_coin[roller], rencontre, "played"
            )
            plays = sorted(legal_plays(own, other, dice, options).positions)
            after = max((rng.choice(plays) for _ in range(looks_at)), key=made_points)
            took_coin[roller] = own[COIN - 1] < 2 <= after[COIN - 1]
            men[roller] = after
            if after == ALL_OFF:
                break
            roller = 1 - roller


def drawn_for(rng: random.Random, given: Options | None) -> Iterator[FieldCase]:
    """Each family in turn under options that suit it; a family that finds no legal position is passed over."""
    while True:
        for family, likely in (*FIELD_FAMILIES.items(), *((family, ()) for family in set_of_families())):
            options = given or random_options(rng, likely)
            for _ in range(20):
                own, other, dice = family(rng)
                own = fitted(rng, own, mirrored(other), options)
                other = fitted(rng, other, mirrored(own), options)
                if problems(own, other, options):
                    continue
                yield FieldCase(
                    counts_of(own),
                    counts_of(other),
                    dice or throw_more_doublets(rng),
                    3 if family is opening and rng.random() < 0.8 else rng.choice((0, 1, 2, 3, 4, 5)),
                    options,
                    own[COIN] >= 2 and rng.random() < 0.5,
                    rng.random() < 0.1,
                    family.__name__,
                )
                break


def set_of_families() -> list[Callable[[random.Random], Draft]]:
    """Each of `FAMILIES` once, in their order."""
    return list(dict.fromkeys(FAMILIES))


def fitted(rng: random.Random, men: Men, facing: Men, options: Options) -> Men:
    """The side changed so that it suits the options, as far as that is easily done."""
    men = men.copy()
    free = [point for point in range(1, COIN) if not facing[point]] or [1]
    if options.movement_scope == "own_half":
        for point in range(COIN + 1, OFF + 1):
            scatter(rng, men, men[point], free)
            men[point] = 0
    if not (options.own_corner_by_two and options.own_corner_leave_by_two) and rng.random() < 0.3:
        inside = [point for point in range(1, COIN) if men[point]]
        if men[COIN] >= 2:
            scatter(rng, men, men[COIN] - 1, free)
            men[COIN] = 1
        elif men[COIN] == 0 and inside and not facing[COIN]:
            men[rng.choice(inside)] -= 1
            men[COIN] = 1
    if options.max_men_per_point is not None:
        spare_goes = OFF if all_home(men) else 1
        for point in range(2, OFF):
            spare = max(0, men[point] - options.max_men_per_point)
            men[point] -= spare
            men[spare_goes] += spare
    return men


def lone_man_on_coin(rng: random.Random) -> Draft:
    """One man on the coin, or two, or none but men who could come; the other may stand alone on his."""
    own = [0] * 26
    own[COIN] = rng.choice((0, 1, 1, 2))
    scatter(rng, own, 15 - own[COIN], range(rng.choice((1, 6, 7)), COIN))
    other = against(rng, own)
    if rng.random() < 0.4 and other[1]:
        other[1], other[COIN] = other[1] + other[COIN] - 1, 1
    return own, other, None


def out_of_the_way(rng: random.Random, own: Men, *, grand_jan_too: bool) -> Men:
    """A side that lets the mover stand in its petit jan (and grand jan), with few men in his way there."""
    men = [0] * 26
    first = 14 if grand_jan_too else 8
    free = [point for point in range(1, 25) if not own[25 - point] and point not in (COIN, OTHER_COIN)]
    near = [point for point in free if point < first]
    scatter(rng, men, rng.choice((0, 0, 1, 2)), near)
    scatter(rng, men, 15 - sum(men), [point for point in free if point >= first])
    return men


def by_rests(rng: random.Random) -> Draft:
    """Few men who can move, over an empty coin or a forbidden grand jan into a free petit jan."""
    own, other = [0] * 26, [0] * 26
    dice = throw_more_doublets(rng)
    through = rng.choice((COIN, OTHER_COIN, rng.randint(14, 18)))
    for die in dice:
        if through - die >= 1 and through - die != COIN:
            own[through - die] += rng.choice((1, 1, 2))
    own[COIN] = 0 if through == COIN else rng.choice((0, 0, 2))
    if rng.random() < 0.5:
        scatter(rng, own, 15 - sum(own), rng.sample([*range(1, COIN)], rng.randint(1, 3)))
    else:
        scatter(rng, own, 15 - sum(own), rng.sample([*range(19, 25)], rng.randint(3, 6)))
    if through == COIN:
        return own, out_of_the_way(rng, own, grand_jan_too=True), dice
    points = [p for p in range(7, 10) if not own[25 - p]] or [7]
    few = [p for p in range(1, 7) if not own[25 - p]] or [6]
    scatter(rng, other, rng.randint(0, 3), few)
    scatter(rng, other, 15 - sum(other), points if rng.random() < 0.6 else [*points, 10, 11, 14, 15, 16])
    return own, other, dice


def two_on_the_coin(rng: random.Random) -> Draft:
    """Nobody down but two men on the coin, and mostly an ace."""
    other = [0] * 26
    other[COIN] = rng.choice((0, 0, 2))
    scatter(rng, other, 15 - other[COIN], range(1, rng.choice((2, 7, COIN))))
    own = [0] * 26
    own[1], own[COIN] = 13, 2
    dice = (1, rng.randint(1, 6)) if rng.random() < 0.8 else None
    return own, other, dice


def margot(rng: random.Random) -> Draft:
    """Lone men of the other's with one empty arrow between them, and rests that may be closed."""
    own = [0] * 26
    scatter(rng, own, 15, rng.sample(range(1, COIN), rng.randint(2, 5)))
    other = [0] * 26
    free = [point for point in range(1, 25) if not own[25 - point] and point != COIN]
    between = [p for p in range(2, 24) if not own[25 - p]]
    for point in rng.sample(between, min(len(between), 3)):
        for side in (point - 1, point + 1):
            if side in free and other[side] == 0 and other[point] == 0:
                other[side] = 1
    for point in rng.sample(free, min(len(free), 3)):
        other[point] = 2 if sum(other) < 13 else other[point]
    scatter(rng, other, 15 - sum(other), [1, *(p for p in free if other[p] >= 2)])
    return own, other, None


def retour_with_corner_pair(rng: random.Random) -> Draft:
    """A jan de retour that lacks a man at the sum of the dice from the coin, held by its last two."""
    dice = throw(rng)
    own = [0] * 26
    gap = COIN + sum(dice)
    for point in range(JAN_DE_RETOUR, OFF):
        own[point] = 2
    own[COIN] = 2
    if gap in range(JAN_DE_RETOUR, OFF):
        own[gap] -= 1
        for die in rng.sample(dice, 2):
            own[gap - die] += sum(own) < 15
    else:
        own[rng.randrange(JAN_DE_RETOUR, OFF)] -= 1
    scatter(rng, own, 15 - sum(own), range(14, 25))
    return own, far_on(rng, mirrored(own), grand_jan_too=True), dice


def home_by_numbers(rng: random.Random) -> Draft:
    """All men home, few arrows held, the dice exact, short, adding up, and in excess."""
    own = [0] * 26
    held = rng.sample(range(JAN_DE_RETOUR, OFF), rng.randint(1, 4))
    scatter(rng, own, rng.choice((2, 2, 3, 4, 5, 8)), held)
    own[OFF] = 15 - sum(own)
    distances = [OFF - point for point in held if own[point]]
    far = max(distances)
    if far > 1 and rng.random() < 0.3:
        first = rng.randint(1, far - 1)
        dice = first, far - first
    else:
        numbers = [*range(1, far + 1), *distances, min(6, far + 1)]
        dice = rng.choice(numbers), rng.choice(numbers)
    return own, out_of_the_way(rng, own, grand_jan_too=False), dice


def home_and_full(rng: random.Random) -> Draft:
    """A full jan de retour, no man outside or one, and up to three men off or to spare."""
    own = [0] * 26
    for point in range(JAN_DE_RETOUR, OFF):
        own[point] = 2
    if rng.random() < 0.3:
        own[rng.randrange(JAN_DE_RETOUR, OFF)] -= 1
    outside = rng.choice((0, 0, 1))
    scatter(rng, own, outside, range(14, JAN_DE_RETOUR))
    own[OFF] = 0 if outside else rng.randint(0, 2)
    scatter(rng, own, 15 - sum(own), range(JAN_DE_RETOUR, OFF))
    return own, far_on(rng, mirrored(own), grand_jan_too=True), None


def entering(rng: random.Random) -> Draft:
    """One man outside, whom one die or both bring home."""
    own = [0] * 26
    own[rng.randint(14, 18)] = 1
    scatter(rng, own, 14, rng.sample(range(JAN_DE_RETOUR, OFF), rng.randint(1, 6)))
    return own, far_on(rng, mirrored(own), grand_jan_too=True), None


def last_men(rng: random.Random) -> Draft:
    """One to three men left; the dice often take two of them off exactly."""
    own = [0] * 26
    left = rng.choice((1, 2, 2, 2, 3))
    scatter(rng, own, left, range(JAN_DE_RETOUR, OFF))
    own[OFF] = 15 - left
    distances = [OFF - point for point in range(JAN_DE_RETOUR, OFF) if own[point]]
    dice = (distances[0], distances[-1]) if rng.random() < 0.6 else None
    return own, out_of_the_way(rng, own, grand_jan_too=False), dice


def one_die_with_a_quarter(rng: random.Random) -> Draft:
    """A quarter full or nearly, the rest of the men before a wall: often one die or none can be played."""
    own = [0] * 26
    quarter = rng.choice((PETIT_JAN, GRAND_JAN, GRAND_JAN, JAN_DE_RETOUR))
    for point in range(quarter, quarter + 6):
        own[point] = 2
    if rng.random() < 0.5:
        own[rng.randrange(quarter, quarter + 6)] -= 1
    dice = rng.choice((None, (6, rng.randint(1, 6)), (6, 6)))
    if quarter == JAN_DE_RETOUR:
        own[COIN] = 2
        scatter(rng, own, 15 - sum(own), range(14, OFF))
        return own, far_on(rng, mirrored(own), grand_jan_too=True), dice
    scatter(rng, own, 15 - sum(own), rng.sample(range(quarter, quarter + 6), 2))
    return own, walls(rng, mirrored(own)), dice


def six_or_five(rng: random.Random) -> Draft:
    """One man can play a six or a five, not both; the five fills the jan de retour.

    A five can always be played inside a quarter that is full or nearly, unless 24 has no more room
    (`max_men_per_point` 3).
    """
    own = [0] * 26
    for point in range(JAN_DE_RETOUR, OFF):
        own[point] = 2
    gap = rng.randint(19, 22)
    own[gap] -= 1
    own[gap - 5] += 1
    own[24] += 1
    own[COIN] = 15 - sum(own)
    other = out_of_the_way(rng, own, grand_jan_too=True)
    blocked = rng.choice([point for point in (7, 8) if not own[25 - point]])
    taken = rng.choice([point for point in range(14, 25) if other[point]])
    other[taken], other[blocked] = other[taken] - 1, other[blocked] + 1
    return own, other, rng.choice(((6, 5), (5, 6)))


def singles_in_own_half(rng: random.Random) -> Draft:
    """Both sides in their own halves, mostly with one or two men on an arrow (`own_half`, source 003)."""
    sides = []
    for _ in range(2):
        men = [0] * 26
        for point in rng.sample(range(2, COIN), rng.randint(3, 9)):
            men[point] = rng.choice((1, 1, 2))
        men[COIN] = rng.choice((0, 0, 2))
        men[1] = max(0, 15 - sum(men))
        sides.append(men)
    return sides[0], sides[1], None


FIELD_FAMILIES: dict[Callable[[random.Random], Draft], tuple[str, ...]] = {
    lone_man_on_coin: ("own_corner_by_two", "own_corner_leave_by_two"),
    by_rests: ("own_corner_empty_rest", "opponent_corner_empty_rest", "forbidden_grand_jan_passage"),
    corner: ("corner_par_puissance", "puissance_only_if_not_natural", "own_corner_empty_rest"),
    forbidden: ("forbidden_jan_rule", "forbidden_grand_jan_passage"),
    near_full: ("fill_obligation", "conserve_obligation", "fill_counts_ways", "fills_enabled"),
    one_die_with_a_quarter: ("fill_vs_higher_die", "conserve_by_impuissance", "conserve_obligation"),
    six_or_five: ("fill_vs_higher_die", "max_men_per_point"),
    home_by_numbers: (
        "bear_off_exact_policy",
        "bear_off_short_policy",
        "bear_off_overflow_policy",
        "bear_off_two_short_combined",
    ),
    home_and_full: (
        "conserve_by_bearing_off",
        "bear_off_two_short_combined",
        "bear_off_while_fill_possible",
        "bear_off_exact_policy",
    ),
    entering: ("enter_and_bear_off_same_roll", "bear_off_while_fill_possible"),
    last_men: ("sortie_obligatory", "bear_off_overflow_policy", "sortie_enabled"),
    retour_with_corner_pair: ("fill_retour_corner_pair_counts", "own_corner_leave_by_two"),
    margot: ("margot_la_fendue_enabled", "hit_sum_ways"),
    singles_in_own_half: ("movement_scope", "max_men_per_point"),
    opening: ("six_tables_enabled", "deux_tables_enabled", "contre_jans_enabled"),
    two_on_the_coin: ("mezeas_enabled", "mezeas_window", "contre_jans_enabled"),
    pile: ("pile_de_misere_enabled", "max_men_per_point"),
}
"""Families, and the fields that are likely to have another value than the default where they are drawn."""
