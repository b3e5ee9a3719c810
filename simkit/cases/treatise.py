"""Numbers printed in the treatises, each restated as a case: counted anew by asking the engine roll by roll.

Nothing here knows how men move or what scores. What a kind of case counts is told by the `format` object of the
file that holds it; where a kind has no position, it is arithmetic of the dice alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from simkit import play, settle
from simkit.cases.base import QUARTERS, ROLLS, Men, board, finals, finals_written, men, ways_of
from simkit.cases.match import set_rows
from simkit.cases.reading import Check, Fields, MalformedError, NotUnderstoodError, PrintedError, same, shown
from simkit.cases.reasons import JANS, compare_reasons
from simkit.cases.rule_sets import game_of
from simkit.rules import RuleSet, Settlement, Trictrac, replace

Roll = tuple[int, int]

FIRST_ARROW: Final = dict(zip(QUARTERS, (1, 7, 19), strict=True))
HELD_GRAND_JAN: Final[Men] = ((0,) * 6 + (2, 2, 2, 2, 2, 5) + (0,) * 12, 0)
NOBODY: Final[Men] = ((0,) * 24, play.MEN)
SIDES: Final = {"roller": "mover", "other": "other"}


@dataclass
class Asked:
    """One case while it is counted."""

    case: Fields
    game: Trictrac
    params: Fields
    quantity: str
    note: str
    wanted: object
    second_rolls: dict[str, int | None] = field(default_factory=dict)
    """For each first roll, the number of second rolls; None where the first does not count."""
    awards: dict[str, list[play.Award]] = field(default_factory=dict)
    """The awards of the roll asked about, by side."""
    _scored: dict[tuple[Roll, play.Position, int], play.ScoredRoll] = field(default_factory=dict)

    @cached_property
    def position(self) -> play.Position:
        """Read the position; where men of the other side do not matter there are none, all being off."""
        part = self.case.part("position")
        mover = men(part.part("roller"))
        if part.raw("other") is not None:
            return board(mover, men(part.part("other")))
        if sum(mover[0]) + mover[1] != play.MEN:
            raise MalformedError(f"{part.where}.roller has {sum(mover[0]) + mover[1]} men, not {play.MEN}")
        return board(mover, NOBODY)

    @cached_property
    def quarter(self) -> str:
        """Read which quarter is asked about, as figures name it."""
        return JANS[self.params.word("quarter", tuple(JANS))]

    @property
    def roll(self) -> Roll:
        """Read the roll asked about."""
        return roll_read(self.params.text("roll"))

    def asked_for(self, known: Sequence[str] | None = None) -> list[str]:
        """Give the keys of an expected answer that is an object: only these are asked."""
        if not isinstance(self.wanted, dict):
            raise MalformedError(f"recomputed is {shown(self.wanted)}; it must be an object")
        strange = [key for key in self.wanted if known is not None and key not in known]
        if strange:
            names = ", ".join(f"recomputed.{key}" for key in strange)
            raise NotUnderstoodError(f"not understood by this version: {names}")
        return list(self.wanted)

    def wanted_at(self, key: str) -> object:
        """Give one value of an expected answer that is an object."""
        return self.wanted[key] if isinstance(self.wanted, dict) else None

    def numbers(self, key: str, high: int = 24) -> list[int]:
        """Read a list of different whole numbers from 1 on."""
        found = self.params.items(key)
        if not found or not all(type(item) is int and 1 <= item <= high for item in found):
            raise MalformedError(f"params.{key} is {shown(found)}; it must be numbers from 1 to {high}")
        numbers = [int(str(item)) for item in found]
        if len(set(numbers)) < len(numbers):
            raise MalformedError(f"params.{key} names a number twice: {shown(found)}")
        return numbers

    @cached_property
    def lone_men(self) -> list[int]:
        """Read the arrows of the lone men asked about, in the roller's numbers."""
        targets = self.numbers("targets")
        self._are_alone(targets)
        return targets

    @property
    def lone_man(self) -> int:
        """Read the arrow of the one lone man asked about."""
        target = self.params.integer("target", low=1, high=24)
        self._are_alone([target])
        return target

    def _are_alone(self, targets: Iterable[int]) -> None:
        for target in targets:
            if self.position.other[target - 1] != 1:
                raise MalformedError(f"no lone man of the other side stands on the roller's {target}")

    def scored(self, roll: Roll, position: play.Position | None = None, number: int = 0) -> play.ScoredRoll:
        """Ask the engine what a roll scores and allows; `number`, the roller's rolls in the setting."""
        key = roll, position or self.position, number
        if key not in self._scored:
            alone = key[1].off[1] == play.MEN  # which no game shows, and so no check allows
            self._scored[key] = play.score_roll(
                self.game, key[1], roll, roll_number=number, checked=not alone
            )
        return self._scored[key]

    def ways(self, figure: str, roll: Roll, position: play.Position | None = None) -> int:
        """Count the ways in which a roll makes a figure."""
        return ways_of(self.scored(roll, position), figure)

    def hit(self, roll: Roll, figure: str) -> set[int]:
        """Give the arrows of the men that a roll hits, truly or falsely."""
        return {
            award.target
            for award in self.scored(roll).awards
            if award.figure == figure and award.target is not None
        }


def roll_read(text: str) -> Roll:
    """Read a roll, the higher die first: `6-5`."""
    for high, low in ROLLS:
        if text == f"{high}-{low}":
            return high, low
    raise MalformedError(f"{shown(text)} is no roll; rolls are written from 6-6 to 1-1, the higher die first")


def roll_written(roll: Roll) -> str:
    """Write a roll, the higher die first."""
    return f"{roll[0]}-{roll[1]}"


def written(rolls: Iterable[Roll]) -> list[str]:
    """Write a set of rolls, from 6-6 to 1-1."""
    return [roll_written(roll) for roll in sorted(rolls, reverse=True)]


def chances(rolls: Iterable[Roll]) -> int:
    """Count the rolls of 36: a simple one is two of them, a doublet one."""
    return sum(1 if high == low else 2 for high, low in rolls)


# --- Which rolls do it ------------------------------------------------------------------------------


def numbers_thrown(asked: Asked) -> list[Roll]:
    """Rolls in which enough of the two dice and their sum are among the numbers; a doublet shows one face."""
    numbers = set(asked.numbers("numbers"))
    ways = asked.params.integer("ways", low=1, high=3)
    return [roll for roll in ROLLS if ways_to_throw(roll, numbers) >= ways]


def ways_to_throw(roll: Roll, numbers: set[int]) -> int:
    """Count how many of the two dice and their sum are among the numbers."""
    return len({*roll, sum(roll)} & numbers)


def faces_shown(asked: Asked) -> list[Roll]:
    """Rolls in which at least one die shows one of the faces."""
    faces = set(asked.numbers("faces", high=6))
    return [roll for roll in ROLLS if faces & {*roll}]


def sums_thrown(asked: Asked) -> list[Roll]:
    """Rolls with a certain sum."""
    wanted = asked.params.integer("sum", low=2, high=12)
    return [roll for roll in ROLLS if sum(roll) == wanted]


def fills(asked: Asked) -> list[Roll]:
    """Rolls that fill the quarter in enough ways."""
    ways = asked.params.integer("ways", low=1, high=3)
    return [roll for roll in ROLLS if asked.ways(f"fill_{asked.quarter}", roll) >= ways]


def is_full(arrows: Sequence[int], quarter: str) -> bool:
    """Tell whether two men stand on each arrow of a quarter."""
    first = FIRST_ARROW[quarter]
    return min(arrows[first - 1 : first + 5]) >= 2


def conserving(asked: Asked, position: play.Position | None = None) -> list[Roll]:
    """Rolls that keep the quarter full."""
    position = position or asked.position
    if not is_full(position.mover, asked.quarter):
        raise MalformedError(f"the {asked.quarter} of the position is not full")
    return [roll for roll in ROLLS if asked.ways(f"conserve_{asked.quarter}", roll, position)]


def breaking(asked: Asked) -> list[Roll]:
    """Rolls that force the full quarter open."""
    kept = conserving(asked)
    return [roll for roll in ROLLS if roll not in kept]


def conserving_directly(asked: Asked) -> list[Roll]:
    """Rolls that keep the quarter full with both numbers played."""
    return [roll for roll in conserving(asked) if not asked.scored(roll).dice_unplayed]


def conserving_inside(asked: Asked) -> list[Roll]:
    """Rolls both numbers of which can be played within the grand jan.

    Asked for without men of the other side; his full grand jan leaves the roller nowhere else to play.
    """
    part = asked.case.part("position")
    mover = men(part.part("roller"))
    if part.raw("other") is not None or any(mover[0][12:]) or mover[1] or asked.quarter != "grand_jan":
        raise NotUnderstoodError("this kind is about a grand jan with nothing beyond it")
    asked.position = board(mover, HELD_GRAND_JAN)
    return conserving_directly(asked)


def hitting(figure: str) -> Callable[[Asked], list[Roll]]:
    """Rolls that hit one of the lone men, truly or falsely."""
    return lambda asked: [roll for roll in ROLLS if asked.hit(roll, figure) & {*asked.lone_men}]


def bringing_two(asked: Asked) -> list[Roll]:
    """Rolls whose dice bring two men at once to one of the empty arrows, whatever stands in between.

    Only distances count in this kind; it is no play.
    """
    arrows = asked.position.mover
    points = asked.numbers("points")
    if any(arrows[point - 1] for point in points):
        raise MalformedError("params.points names an arrow that is not empty")

    def men_at(point: int, die: int) -> int:
        return arrows[point - die - 1] if point > die else 0

    def brings(point: int, roll: Roll) -> bool:
        return all(men_at(point, die) >= roll.count(die) for die in roll)

    return [roll for roll in ROLLS if any(brings(point, roll) for point in points)]


def at_the_coins(asked: Asked) -> list[Roll]:
    """Rolls that take the roller's coin or hit the other's."""
    what = asked.params.word("what", ("take_direct", "take_any", "hit", "two_tables", "contre_two_tables"))
    figures = {"hit": "corner_hit", "two_tables": "deux_tables", "contre_two_tables": "contre_deux_tables"}
    if what in figures:
        return [roll for roll in ROLLS if asked.ways(figures[what], roll)]
    before = asked.position.mover
    if before[11]:
        raise MalformedError("the roller holds his coin already")

    def takes(roll: Roll) -> bool:
        for after in asked.scored(roll).plays:
            if after.mover[11]:
                came_from = [arrow + 1 for arrow in range(24) if after.mover[arrow] < before[arrow]]
                directly = came_from == sorted({12 - die for die in roll})
                if directly or what == "take_any":
                    return True
        return False

    return [roll for roll in ROLLS if takes(roll)]


def points_won(asked: Asked, roll: Roll) -> int:
    """Points that a roll gives the side asked about; of hits alone, if so asked."""
    who = asked.params.word("who", tuple(SIDES))
    only_hits = asked.params.flag("only_hits")
    hits = ("hit_true", "corner_hit") if who == "roller" else ("hit_false",)
    return sum(
        award.points
        for award in asked.scored(roll).awards
        if award.to == SIDES[who] and (not only_hits or award.figure in hits)
    )


def enough_points(asked: Asked) -> list[Roll]:
    """Rolls that give one side so many points, exactly or at least."""
    threshold = asked.params.integer("threshold")
    if asked.params.flag("exact"):
        return [roll for roll in ROLLS if points_won(asked, roll) == threshold]
    return [roll for roll in ROLLS if points_won(asked, roll) >= threshold]


def enough_in_all(asked: Asked) -> list[Roll]:
    """Rolls that give the roller so many points in all."""
    threshold = asked.params.integer("threshold")
    return [roll for roll in ROLLS if asked.scored(roll).mover_points >= threshold]


MODES: Final = {
    "both truly": "both_true",
    "both falsely": "both_false",
    "one truly and the other falsely": "one_each",
}


def two_hit(asked: Asked) -> dict[str, list[Roll]]:
    """Rolls that hit two lone men, by mode."""
    targets = set(asked.lone_men)
    if len(targets) != 2:
        raise MalformedError("params.targets must name two men")
    found: dict[str, list[Roll]] = {mode: [] for mode in MODES.values()}
    for roll in ROLLS:
        truly, falsely = asked.hit(roll, "hit_true") & targets, asked.hit(roll, "hit_false") & targets
        if truly == targets:
            found["both_true"].append(roll)
        elif falsely == targets:
            found["both_false"].append(roll)
        elif truly and falsely:
            found["one_each"].append(roll)
    return found


def two_hit_in_one_mode(asked: Asked) -> list[Roll]:
    """Rolls that hit two lone men in the mode that the last words of `quantity` name."""
    for words, mode in MODES.items():
        if asked.quantity.endswith(words):
            return two_hit(asked)[mode]
    raise NotUnderstoodError(f"quantity ends in no mode known to this version: {shown(asked.quantity[-40:])}")


# --- Answers that are no count of rolls -------------------------------------------------------------


def by_roll(value: Callable[[Asked, Roll], object]) -> Callable[[Asked], object]:
    """Answer for every roll that the case names."""
    return lambda asked: {key: value(asked, roll_read(key)) for key in asked.asked_for()}


def points_by_roll(asked: Asked) -> dict[str, object]:
    """Points of one side, for the rolls named or for all 21."""
    rolls = ROLLS if asked.params.flag("exhaustive") else [roll_read(key) for key in asked.asked_for()]
    return {roll_written(roll): points_won(asked, roll) for roll in rolls}


def with_noughts(asked: Asked, value: object) -> object:
    """Let rolls that are not named give nothing, where all 21 are compared."""
    if isinstance(value, dict) and asked.params.flag("exhaustive"):
        return {roll_written(roll): 0 for roll in ROLLS} | value
    return value


def two_blots(asked: Asked) -> dict[str, object]:
    """Give the rolls, or their number, in the modes asked for."""
    found = two_hit(asked)
    return {
        key: chances(found[key]) if type(asked.wanted_at(key)) is int else written(found[key])
        for key in asked.asked_for(tuple(found))
    }


def hits_by_man(asked: Asked) -> dict[str, object]:
    """True and false ways to hit each man, under the other's own numbers, or his flèches."""
    less = 1 if "fleche" in asked.quantity else 0
    found: dict[str, list[int]] = {}
    for award in asked.scored(asked.roll).awards:
        if award.figure in ("hit_true", "hit_false") and award.target is not None:
            ways = found.setdefault(str(25 - award.target - less), [0, 0])
            ways[award.figure == "hit_false"] += award.ways
    return dict(found)


def men_hit(asked: Asked) -> dict[str, object]:
    """Men hit truly and falsely, in the other's own numbers."""
    roll = asked.roll
    modes = asked.asked_for(("true", "false"))
    return {mode: sorted(25 - target for target in asked.hit(roll, f"hit_{mode}")) for mode in modes}


def ways_to_hit(asked: Asked) -> int:
    """Ways in which a roll truly hits one man."""
    target = asked.lone_man
    return sum(
        award.ways
        for award in asked.scored(asked.roll).awards
        if award.figure == "hit_true" and award.target == target
    )


def score(asked: Asked) -> dict[str, object]:
    """All points of a roll, of the sides asked about."""
    number = 3 if "six tables" in asked.note else 0
    scored = asked.scored(asked.roll, number=number)
    asked.awards = {side: [award for award in scored.awards if award.to == to] for side, to in SIDES.items()}
    points = {"roller": scored.mover_points, "other": scored.other_points}
    return {side: points[side] for side in asked.asked_for(tuple(points))}


def conserved_in_turn(asked: Asked, first: Roll) -> list[list[Roll]]:
    """For each play that conserves with the first roll, the rolls that then conserve again."""
    scored = asked.scored(first)
    if not ways_of(scored, f"conserve_{asked.quarter}"):
        return []
    return [conserving(asked, after) for after in scored.plays]


def conserved_twice(asked: Asked) -> int:
    """Ordered pairs of rolls, of 1296, that conserve twice running, the first played for the best."""
    conserving(asked)  # the quarter must be full
    pairs = 0
    for first in ROLLS:
        best = max(map(chances, conserved_in_turn(asked, first)), default=None)
        asked.second_rolls[roll_written(first)] = best
        pairs += chances([first]) * (best or 0)
    return pairs


def conserved_twice_by_one_roll(asked: Asked) -> bool:
    """Whether a roll thrown twice running can conserve both times."""
    conserving(asked)
    return any(asked.roll in again for again in conserved_in_turn(asked, asked.roll))


def conserved_after_fill(asked: Asked) -> int:
    """Rolls that conserve after the quarter has been filled, the filling play chosen for the best."""
    scored = asked.scored(asked.roll)
    if not ways_of(scored, f"fill_{asked.quarter}"):
        raise MalformedError(f"{roll_written(asked.roll)} does not fill the {asked.quarter}")
    return max(chances(conserving(asked, after)) for after in scored.plays)


def conserves(asked: Asked) -> bool:
    """Whether one roll conserves."""
    return asked.roll in conserving(asked)


def forced_play(asked: Asked) -> list[dict[str, int]]:
    """The positions that a roll can lead to, were there no duty to fill or to conserve."""
    free = replace(asked.game, fill_obligation=False, conserve_obligation=False)
    return finals_written(finals(play.legal_plays(free, asked.position, asked.roll)))


def as_positions(asked: Asked, value: object) -> object:
    """Turn moves, one play or a list of plays, into the positions they lead to."""
    if not isinstance(value, list) or not value:
        return value
    several = all(isinstance(play, list) and play and isinstance(play[0], list) for play in value)
    plays = value if several else [value]
    reached = [moved(men_of_mover(asked.position), moves) for moves in plays]
    if len(set(reached)) < len(reached):
        raise MalformedError("two of the plays lead to one position")
    return finals_written(reached)


def men_of_mover(position: play.Position) -> Men:
    """Give the mover's men."""
    return position.mover, position.off[0]


def moved(side: Men, moves: Iterable[object]) -> Men:
    """Move men, `[from, to]` each; `off` is the rail."""
    arrows, off = list(side[0]), side[1]
    for move in moves:
        if not (isinstance(move, list) and len(move) == 2):
            raise MalformedError(f"a move is [from, to], found {shown(move)}")
        start, end = move
        to_the_rail = end == "off"
        if type(start) is not int or not (to_the_rail or type(end) is int):
            raise MalformedError(f"the move {shown(move)} does not go from an arrow to an arrow or 'off'")
        if not 1 <= start < (25 if to_the_rail else end) <= 25 - (not to_the_rail):
            raise MalformedError(f"the move {shown(move)} does not go forward on the board")
        if not arrows[start - 1]:
            raise MalformedError(f"no man stands on {start}, from where {shown(move)} moves one")
        arrows[start - 1] -= 1
        if to_the_rail:
            off += 1
        else:
            arrows[end - 1] += 1
    return tuple(arrows), off


def holes(asked: Asked) -> int:
    """Holes that so many points make, those held already included, with or without bredouille."""
    points, bredouille = asked.params.integer("points"), asked.params.flag("bredouille")
    held = min(points, 2)
    start = play.Score(points=(held, 0), bredouille=(bredouille, False))
    return play.mark(asked.game, start, 0, points - held)[1]


def set_value(asked: Asked) -> int:
    """Value of a set of which the winner's multiplier is told."""
    times = asked.params.integer("multiplier", low=1)
    tariff = replace(
        Settlement(), mult_petite=times, mult_petite_held=times, mult_grande=times, mult_grande_held=times
    )
    rows = set_rows(
        winner=1,
        holes_1=asked.params.integer("holes"),
        holes_2=asked.params.integer("loser_holes"),
        run_intact_1=True,
    )
    return int(settle.set_values(rows, tariff)["value"][0])


# --- The kinds of case ------------------------------------------------------------------------------


def in_order(_: Asked, value: object) -> object:
    """Put a set of rolls in one order; other values stay."""
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        if len(set(value)) < len(value):
            raise MalformedError(f"{shown(value)} names a roll twice")
        return written(map(roll_read, value))
    if isinstance(value, dict):
        return {key: in_order(_, item) for key, item in value.items()}
    return value


@dataclass(frozen=True)
class Kind:
    """How a kind of case is answered, and how a value in the file is put to be compared with the answer."""

    answer: Callable[[Asked], object]
    put: Callable[[Asked, object], object] = in_order
    on_board: bool = True


Which = Callable[[Asked], list[Roll]]


def counted(rolls: Which, *, on_board: bool = True) -> Kind:
    """Ask for the number of rolls, of 36."""
    return Kind(lambda asked: chances(rolls(asked)), on_board=on_board)


def listed(rolls: Which) -> Kind:
    """Ask for the set of rolls."""
    return Kind(lambda asked: written(rolls(asked)))


BOTH: Final[Mapping[str, Which]] = {
    "fill": fills,
    "conserve": conserving,
    "break": breaking,
    "hit": hitting("hit_true"),
    "false_hit": hitting("hit_false"),
    "corner": at_the_coins,
    "make_case": bringing_two,
}
"""What is asked both ways: `fill_count` and `fill_rolls`."""

KINDS: Final[Mapping[str, Kind]] = {
    **{f"{name}_count": counted(rolls) for name, rolls in BOTH.items()},
    **{f"{name}_rolls": listed(rolls) for name, rolls in BOTH.items()},
    "numbers": counted(numbers_thrown, on_board=False),
    "direct_numbers_count": counted(faces_shown, on_board=False),
    "sum_count": counted(sums_thrown, on_board=False),
    "fill_ways": Kind(by_roll(lambda asked, roll: asked.ways(f"fill_{asked.quarter}", roll))),
    "conserves": Kind(conserves),
    "conserve_direct_count": counted(conserving_directly),
    "conserve_inside_count": counted(conserving_inside),
    "conserve_twice_count": Kind(conserved_twice),
    "conserve_twice_same_roll": Kind(conserved_twice_by_one_roll),
    "conserve_after_fill_count": Kind(conserved_after_fill),
    "hit_ways": Kind(ways_to_hit),
    "hit_map": Kind(hits_by_man),
    "hit_true_false": Kind(men_hit),
    "two_blots": Kind(two_blots),
    "double_hit_count": counted(two_hit_in_one_mode),
    "points_by_roll": Kind(points_by_roll, put=with_noughts),
    "points_threshold_count": counted(enough_points),
    "points_threshold_rolls": listed(enough_in_all),
    "score_roll": Kind(score),
    "forced_play": Kind(forced_play, put=as_positions),
    "holes": Kind(holes, on_board=False),
    "accounting": Kind(set_value, on_board=False),
}

IN_PROSE: Final = (
    "count",
    "pips",
    "fill_count_difference",
    "false_hits_by_number",
    "corner_leave_blocked_count",
    "corner_two_rolls",
    "rolls_forcing_blot",
    "marque_value",
    "settlement",
)
"""Kinds whose parameters, or some of them, the files tell in words only."""


def printed_number(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge one printed number: the engine's answer beside `recomputed`, and the print beside both."""
    kind = case.text("kind")
    params = case.part("params")
    if kind in IN_PROSE or (kind in KINDS and not [*params]):
        raise NotUnderstoodError(f"the parameters of this {kind} stand in prose only")
    if kind not in KINDS:
        raise NotUnderstoodError(f"the kind {shown(kind)} is not known to this version")
    if case.raw("to_roll") is not None:
        case.word("to_roll", ("roller",))
    if (case.raw("position") is not None) != KINDS[kind].on_board:
        raise NotUnderstoodError(f"position: a {kind} {'has' if KINDS[kind].on_board else 'has no'} position")
    asked = Asked(
        case, game_of(rules), params, case.text("quantity"), case.text("note"), case.raw("recomputed")
    )
    found = KINDS[kind].answer(asked)
    compare_with_print(asked, case.part("source"), KINDS[kind].put, found, check)
    if not (asked.awards or asked.second_rolls):
        case.ignore("recomputed_detail")  # values on the way, of which the format says nothing
    elif "recomputed_detail" in case:
        compare_details(asked, case.part("recomputed_detail"), check)


def compare_with_print(
    asked: Asked, source: Fields, put: Callable[[Asked, object], object], found: object, check: Check
) -> None:
    """Set the answer beside `recomputed` and `published`; a difference from the latter is a printed error."""
    source.ignore("figure")
    work, where = source.text("work"), source.text("where")
    case = asked.case
    wanted, printed = put(asked, asked.wanted), case.raw("published")
    check.compare("recomputed", wanted, found)
    agrees = same(*legible(put(asked, printed), found))
    check.compare("agree", case.flag("agree"), agrees)
    if same(wanted, found) and not agrees:
        confidence = case.text("confidence")
        check.printed_errors.append(
            PrintedError(work, where, asked.quantity, printed, asked.wanted, asked.note, confidence)
        )


def legible(printed: object, found: object) -> tuple[object, object]:
    """Leave out what cannot be read in the print, null in the file."""
    if isinstance(printed, dict) and isinstance(found, dict):
        lost = {key for key, value in printed.items() if value is None}
        return {key: value for key, value in printed.items() if key not in lost}, {
            key: value for key, value in found.items() if key not in lost
        }
    return printed, found


def compare_details(asked: Asked, details: Fields, check: Check) -> None:
    """Compare what was found on the way."""
    if asked.awards and "breakdown" in details:
        breakdown = details.part("breakdown")
        for side in breakdown:
            if side not in asked.awards:
                raise NotUnderstoodError(f"not understood by this version: {breakdown.place(side)}")
            compare_reasons(check, f"breakdown.{side}", breakdown, side, asked.awards[side])
    elif asked.second_rolls and "detail" in details:
        check.compare_keys(details.part("detail"), asked.second_rolls, "recomputed_detail.")


# --- Rows of printed tables -------------------------------------------------------------------------

COUNTS_OF_NUMBERS: Final = {"JL-TABLE-C": 2, "JL-TABLE-D": 3, "JL-TABLE-E": 4}
"""Tables of the rolls that throw one of so many numbers."""

WAYS_TO_THROW: Final = "JL-TABLE-F"
"""The table of the rolls that throw one to four numbers in one way at least, in two, in three."""


def table_row(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge one row of a table, given as that table with a single row and its own id, `JL-TABLE-C#1`."""
    case.word("kind", ("table_rows",))
    table = case.text("id").rpartition("#")[0]
    if table not in (*COUNTS_OF_NUMBERS, WAYS_TO_THROW):
        raise NotUnderstoodError(f"the table {shown(table)} is not known to this version")
    case.ignore("columns", "remark", "rows_agreeing", "rows_total")  # they describe the whole table
    rows = case.parts("rows")
    if len(rows) != 1:
        raise MalformedError(f"rows holds {len(rows)} rows; a table is judged row by row")
    row = rows[0]
    row.ignore("confidence")
    asked = Asked(row, game_of(rules), row, "", row.text("note"), row.raw("recomputed"))
    numbers = asked.numbers("numbers")
    if len(numbers) != COUNTS_OF_NUMBERS.get(table, len(numbers)):
        raise MalformedError(f"a row of {table} is about {COUNTS_OF_NUMBERS[table]} numbers")
    asked.quantity = f"rolls that throw one of the numbers {', '.join(map(str, numbers))}"
    rolls = [[roll for roll in ROLLS if ways_to_throw(roll, set(numbers)) >= ways] for ways in (1, 2, 3)]
    found: object = chances(rolls[0])
    if table == WAYS_TO_THROW:
        one, two, three = map(chances, rolls)
        columns = {"one_way": one, "two_ways": two, "three_ways": three, "total": one + two + three}
        asked.quantity += ", by ways"
        found = {key: columns[key] for key in asked.asked_for(tuple(columns))}
    compare_with_print(asked, case.part("source"), in_order, found, check)
