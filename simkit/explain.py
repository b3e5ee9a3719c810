"""Why a roll scores what it scores, and why a play is legal or not, for people.

Points, ways and legal plays are the kernel's. Here stands only which men make them, and which law stands in
the way of a play: one rule field after the other is relaxed and the kernel is asked again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from simkit.errors import ConfigError, UsageError
from simkit.kernel.entries import closed_quarters
from simkit.kernel.lower import lower
from simkit.numbering import OURS, Numbering
from simkit.play import Award, Position, check, check_dice, score_roll
from simkit.position import ARROWS, MEN, Men, check_roll_number, pack, parse
from simkit.rules import Trictrac, TwelveHoles, field_info, replace
from simkit.rules.trictrac import (
    BearOffExactPolicy,
    BearOffOverflowPolicy,
    BearOffShortPolicy,
    BearOffTwoShortCombined,
    FillVsHigherDie,
    ForbiddenJanRule,
    MovementScope,
)

COIN: Final = 12
OTHER_COIN: Final = 13
OFF: Final = ARROWS + 1
"""The rail, as the end of a step."""
HOME: Final = 19
"""The first arrow of the jan de retour."""
QUARTERS: Final[Mapping[str, int]] = MappingProxyType({"petit_jan": 1, "grand_jan": 7, "jan_de_retour": HOME})
"""The first arrow of each quarter that can be filled."""

Dice = tuple[int, int]


# ---------------------------------------------------------------- moves


class Step(NamedTuple):
    """One man moved by one die; arrows in the mover's numbers, `OFF` for the rail."""

    start: int
    end: int
    die: int

    @property
    def puissance(self) -> bool:
        """Whether the man takes his coin in place of the other's (M8)."""
        return self.end == COIN and self.start + self.die == OTHER_COIN


Steps = tuple[Step, ...]


def _stepped(men: Men, step: Step) -> Men:
    after = list(men)
    after[step.start - 1] -= 1
    if step.end != OFF:
        after[step.end - 1] += 1
    return tuple(after)


def _single_steps(men: Men, die: int) -> Iterator[Step]:
    for place, count in enumerate(men):
        if count:
            yield Step(place + 1, min(place + 1 + die, OFF), die)


def sequences(men: Men, dice: Dice) -> dict[Men, list[Steps]]:
    """List every way in which none, one or both dice could move the men, laws apart, by where it leads."""
    found: dict[Men, list[Steps]] = {men: [()]}
    for first, second in dict.fromkeys((dice, dice[::-1])):
        for one in _single_steps(men, first):
            after_one = _stepped(men, one)
            found.setdefault(after_one, []).append((one,))
            for two in _single_steps(after_one, second):
                found.setdefault(_stepped(after_one, two), []).append((one, two))
    pair = tuple(Step(OTHER_COIN - die, COIN, die) for die in dice)
    after = _stepped(_stepped(men, pair[0]), pair[1])
    if min(after) >= 0:
        found.setdefault(after, []).append(pair)
    return found


def moves(steps: Steps, names: Numbering = OURS) -> str:
    """Write steps as moves: `7/13 8/13`, one man by both dice with his rest as `1/6/12`; `-` for none."""
    chains: list[list[int]] = []
    for step in steps:
        if chains and chains[-1][-1] == step.start:
            chains[-1].append(step.end)
        else:
            chains.append([step.start, step.end])
    return " ".join("/".join(_place(end, names) for end in chain) for chain in sorted(chains)) or "-"


def _place(end: int, names: Numbering) -> str:
    return "off" if end == OFF else names.write(end)


def best(game: Trictrac, position: Position, dice: Dice, candidates: Iterable[Steps]) -> Steps:
    """Choose the steps by which a play is told: those against which the fewest laws stand."""

    def rank(steps: Steps) -> tuple[int, int, Steps]:
        return len(list(_step_faults(game, position, dice, steps))), _is_chain(steps), steps

    return min(candidates, key=rank)


def _is_chain(steps: Steps) -> bool:
    return len(steps) == 2 and steps[0].end == steps[1].start


@dataclass(frozen=True)
class Play:
    """A legal play: its steps and the position it leads to, in the mover's numbers."""

    steps: Steps
    position: Position


def list_plays(game: Trictrac, position: Position, dice: Dice) -> tuple[Play, ...]:
    """List the legal plays of a roll with the moves that make them; one play without a move if none is legal.

    Raises
    ------
    IllegalPosition, UsageError
        For men who cannot stand so, or dice that are none.
    """
    return _told(game, position, dice, score_roll(game, position, dice).plays)


def _told(game: Trictrac, position: Position, dice: Dice, after: Iterable[Position]) -> tuple[Play, ...]:
    ways = sequences(position.mover, dice)
    told = [Play(best(game, position, dice, ways[one.mover]), one) for one in after]
    return tuple(sorted(told, key=lambda play: sorted(play.steps)))


# ---------------------------------------------------------------- what a roll scores


@dataclass(frozen=True)
class Figure:
    """What a figure is called, where its law stands, and the rule field that names its sources."""

    english: str
    french: str
    law: str
    field: str


def _quarter_figures() -> Iterator[tuple[str, Figure]]:
    for quarter in QUARTERS:
        words = quarter.replace("_", " ")
        yield f"fill_{quarter}", Figure(f"{words} filled", f"{words} rempli", "3.2", "fills_enabled")
        yield (
            f"conserve_{quarter}",
            Figure(f"{words} conserved", f"{words} conservé", "3.2", "conserve_enabled"),
        )


FIGURE_WORDS: Final[Mapping[str, Figure]] = MappingProxyType(
    {
        "six_tables": Figure(
            "six tables", "jan de six tables, jan de trois coups", "3.1", "six_tables_enabled"
        ),
        "deux_tables": Figure("two tables", "jan de deux tables", "3.1", "deux_tables_enabled"),
        "contre_deux_tables": Figure(
            "two tables for the other", "contre-jan de deux tables", "3.1", "contre_jans_enabled"
        ),
        "mezeas": Figure("mezeas", "jan de mézéas", "3.1", "mezeas_enabled"),
        "contre_mezeas": Figure("mezeas for the other", "contre-jan de mézéas", "3.1", "contre_jans_enabled"),
        "hit_true": Figure("man hit truly", "dame battue à vrai", "3.3", "hit_points"),
        "hit_false": Figure("man hit falsely", "dame battue à faux", "3.3", "false_hits_enabled"),
        "corner_hit": Figure("corner hit", "coin battu", "3.4", "corner_hit_enabled"),
        **dict(_quarter_figures()),
        "sortie": Figure("last man borne off", "sortie", "3.6", "sortie_enabled"),
        "impuissance": Figure("dice not played", "impuissance", "3.5", "impuissance_enabled"),
        "pile_de_misere": Figure("pile of misery", "pile de misère", "3.7", "pile_de_misere_enabled"),
        "jan_de_rencontre": Figure("meeting rolls", "jan de rencontre", "3.7", "jan_de_rencontre_enabled"),
        "margot_la_fendue": Figure(
            "between two lone men", "margot la fendue", "3.7", "margot_la_fendue_enabled"
        ),
    }
)
"""Every figure of the kernel."""


@dataclass(frozen=True)
class Explained:
    """One award with its reasons.

    `means` has one line for each way, or each play, that makes the figure; `law` is a section of docs/rules.md,
    `sources` are keys of docs/sources.md with their places.
    """

    award: Award
    figure: Figure
    means: tuple[str, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True)
class ExplainedRoll:
    """A roll scored and explained: points of the mover and the other, and every award."""

    mover_points: int
    other_points: int
    dice_unplayed: int
    awards: tuple[Explained, ...]


def explain_roll(
    game: Trictrac,
    position: Position,
    dice: Dice,
    *,
    roll_number: int | None = None,
    took_coin: bool = False,
    met: bool = False,
    names: Numbering = OURS,
) -> ExplainedRoll:
    """Score a roll and say of each award what makes it.

    Parameters
    ----------
    game, position, dice
        The rules, the men before the roll in the mover's numbers, two dice.
    roll_number
        The mover's rolls since the men last started, this one included, from 1; needed for six tables.
    took_coin, met
        As for `simkit.play.score_roll`.
    names
        Whose names the arrows have in the explanation.

    Raises
    ------
    IllegalPosition, UsageError
        For men who cannot stand so, dice that are none, or a roll number that cannot be.
    """
    check(position, game)
    check_dice(dice)
    if roll_number is not None:
        check_roll_number(position, roll_number)
    scored = score_roll(
        game, position, dice, roll_number=roll_number or 0, took_coin=took_coin, met=met, checked=False
    )
    teller = _Teller(game, position, dice, scored.plays, names)
    cited = {info.name: info.sources for info in field_info(Trictrac)}
    return ExplainedRoll(
        scored.mover_points,
        scored.other_points,
        scored.dice_unplayed,
        tuple(
            Explained(award, figure, tuple(teller.means(award)), cited[figure.field])
            for award in scored.awards
            for figure in (FIGURE_WORDS[award.figure],)
        ),
    )


def third_roll_scores(game: Trictrac, position: Position, dice: Dice) -> int:
    """Points for six tables that a roll gives only as the mover's third since the men started; 0 if it gives none.

    Raises
    ------
    IllegalPosition, UsageError
        For men who cannot stand so, or dice that are none.
    """
    third = score_roll(game, position, dice, roll_number=3)
    return sum(award.points for award in third.awards if award.figure == "six_tables")


@dataclass(frozen=True)
class _Teller:
    """Says which men make the awards of one roll; the awards are given."""

    game: Trictrac
    position: Position
    dice: Dice
    plays: tuple[Position, ...]
    names: Numbering

    def means(self, award: Award) -> Iterator[str]:
        """Say what makes an award, a line for each way."""
        figure = award.figure
        if figure in ("hit_true", "hit_false"):
            assert award.target is not None
            yield from self._hits(award.target, truly=figure == "hit_true")
        elif figure.startswith("fill_"):
            yield from self._fills(QUARTERS[figure.removeprefix("fill_")], award.ways)
        elif figure.startswith("conserve_"):
            yield from self._conserving(QUARTERS[figure.removeprefix("conserve_")])
        elif figure == "corner_hit":
            yield self._two_men(OTHER_COIN, OTHER_COIN)
        elif figure in ("deux_tables", "contre_deux_tables"):
            yield self._two_tables()
        elif figure == "six_tables":
            reached = " and ".join(self._name(1 + die) for die in sorted(self.dice))
            yield f"from {self._name(1)} to {reached}, the two arrows that are missing"
        elif figure in ("mezeas", "contre_mezeas"):
            aces = "two aces" if self.dice == (1, 1) else "an ace"
            yield f"{aces}, with two men on {self._name(COIN)} and the others on {self._name(1)}"
        elif figure == "impuissance":
            yield self._unplayed()
        elif figure == "margot_la_fendue":
            yield from self._between()
        elif figure == "jan_de_rencontre":
            yield "the first rolls of both players are the same"
        else:
            wanted = MEN if figure == "pile_de_misere" else 0
            yield from self._told(
                one for one in self.plays if one.mover[COIN - 1] == sum(one.mover) == wanted
            )

    def _name(self, arrow: int) -> str:
        return self.names.write(arrow)

    def _men(self, arrow: int) -> int:
        return self.position.mover[arrow - 1] if 1 <= arrow <= ARROWS else 0

    def _closed(self, arrow: int) -> bool:
        return self.position.other[arrow - 1] > 1

    def _different_dice(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.dice))

    def _rests(self, start: int) -> dict[int, bool]:
        """Give the arrows that a man of the mover's touches between the dice, and whether each is closed."""
        return {start + die: self._closed(start + die) for die in self._different_dice()}

    def _hits(self, target: int, *, truly: bool) -> Iterator[str]:
        if truly:
            for die in self._different_dice():
                if self._men(target - die):
                    yield f"from {self._name(target - die)} by {die}"
        start = target - sum(self.dice)
        if not self._men(start):
            return
        rests = self._rests(start)
        words = f"from {self._name(start)} by {self._sum()}"
        open_rests = [self._name(rest) for rest, closed in rests.items() if not closed]
        if truly and open_rests and self.game.hit_sum_ways:
            yield f"{words} over {' or '.join(open_rests)}"
        elif not truly:
            yield f"{words}, the way closed at {' and '.join(map(self._name, rests))}"

    def _sum(self) -> str:
        return f"{self.dice[0]} + {self.dice[1]}"

    def _fills(self, first: int, ways: int) -> Iterator[str]:
        """Say which men fill a quarter: one line for each man to the arrow that lacks one, else each pair."""
        men = self.position.mover
        lacking = {arrow: 2 - men[arrow - 1] for arrow in range(first, first + 6) if men[arrow - 1] < 2}
        full = [one for one in self.plays if _is_full(one.mover, first)]
        if sum(lacking.values()) > 1:
            yield from self._told(full)
            return
        (end,) = lacking
        found = 0
        for die, other_die in dict.fromkeys((self.dice, self.dice[::-1])):
            step = Step(end - die, end, die)
            if self._is_to_spare(step, first) and self._goes_on(_stepped(men, step), other_die, full):
                found += 1
                yield f"the man on {self._name(step.start)} to {self._name(end)} by {die}"
        both = Step(end - sum(self.dice), end, sum(self.dice))
        if self._is_to_spare(both, first) and any(one.mover == _stepped(men, both) for one in full):
            found += 1
            rests = [self._name(rest) for rest, _ in self._free_rests(both.start)]
            over = f" over {' or '.join(rests)}" if rests else ""
            yield f"the man on {self._name(both.start)} to {self._name(end)} by {self._sum()}{over}"
        if not found:  # two men with both dice, as by taking the coin par puissance
            yield from self._told(full)
        elif found < ways:
            pair = f"one of the pair on {self._name(COIN)}"
            yield f"{pair} to {self._name(end)} by {self._sum()}, by an older school"

    def _is_to_spare(self, step: Step, first: int) -> bool:
        return self._men(step.start) > 0 and _is_full(_stepped(self.position.mover, step), first)

    def _goes_on(self, men: Men, die: int, full: list[Position]) -> bool:
        after = {one.mover for one in full}
        return men in after or any(_stepped(men, step) in after for step in _single_steps(men, die))

    def _free_rests(self, start: int) -> Iterator[tuple[int, int]]:
        for rest in self._rests(start):
            steps = (Step(start, rest, rest - start), Step(rest, start + sum(self.dice), 0))
            if not any(_rest_faults(self.game, self.position, steps)):
                yield rest, rest - start

    def _conserving(self, first: int) -> Iterator[str]:
        full = [one for one in self.plays if _is_full(one.mover, first)]
        if not self.game.conserve_by_bearing_off:
            full = [one for one in full if one.off == self.position.off]
        if [one.mover for one in full] == [self.position.mover]:
            yield "no die can be played"
        else:
            yield from self._told(full)

    def _told(self, after: Iterable[Position]) -> Iterator[str]:
        for play in _told(self.game, self.position, self.dice, after):
            word = " (par puissance)" if any(step.puissance for step in play.steps) else ""
            yield f"by the play {moves(play.steps, self.names)}{word}" if play.steps else "as the men stand"

    def _two_men(self, end_1: int, end_2: int) -> str:
        (die_1, die_2), (start_1, start_2) = self.dice, (end_1 - self.dice[0], end_2 - self.dice[1])
        if start_1 == start_2 and end_1 == end_2:
            return f"two men from {self._name(start_1)} by {die_1} each"
        return (
            f"the man on {self._name(start_1)} to {self._name(end_1)} by {die_1}, "
            f"the man on {self._name(start_2)} to {self._name(end_2)} by {die_2}"
        )

    def _two_tables(self) -> str:
        down = {arrow: self._men(arrow) for arrow in range(2, ARROWS + 1) if self._men(arrow)}
        for own, others in ((COIN, OTHER_COIN), (OTHER_COIN, COIN)):
            starts = (own - self.dice[0], others - self.dice[1])
            if all(down.get(start, 0) >= starts.count(start) for start in starts):
                return self._two_men(own, others)
        raise AssertionError(f"no two men reach both corners [{self.position}]")

    def _unplayed(self) -> str:
        ways = sequences(self.position.mover, self.dice)
        steps = best(self.game, self.position, self.dice, ways[self.plays[0].mover])
        left = list(self.dice)
        for step in steps:
            left.remove(step.die)
        return f"no man can play the {' or the '.join(map(str, left))}" + (
            f" once the {steps[0].die} is played" if steps else ""
        )

    def _between(self) -> Iterator[str]:
        other = (0, *self.position.other, 0)
        for arrow in range(2, ARROWS):
            if self._men(arrow) or other[arrow] or (other[arrow - 1], other[arrow + 1]) != (1, 1):
                continue
            ends = f"to {self._name(arrow)}, between {self._name(arrow - 1)} and {self._name(arrow + 1)}"
            for die in self._different_dice():
                if self._men(arrow - die):
                    yield f"from {self._name(arrow - die)} by {die} {ends}"
            start = arrow - sum(self.dice)
            if self._men(start) and not all(self._rests(start).values()):
                yield f"from {self._name(start)} by {self._sum()} {ends}"


def _is_full(men: Men, first: int) -> bool:
    return all(men[arrow - 1] >= 2 for arrow in range(first, first + 6))


# ---------------------------------------------------------------- why a play is excluded


RELAXED: Final[tuple[tuple[str, str, Any, str], ...]] = (
    ("M16", "fill_obligation", False, "a quarter that can be filled must be"),
    ("M16", "conserve_obligation", False, "a full quarter that can be conserved must be"),
    ("M5", "own_corner_by_two", False, "the empty own corner is entered only by two men on one roll"),
    ("M5", "own_corner_leave_by_two", False, "the last two men leave the own corner together"),
    (
        "M11",
        "forbidden_jan_rule",
        ForbiddenJanRule.NONE,
        "a man may not stop in a quarter that the other can still fill",
    ),
    (
        "M9",
        "puissance_only_if_not_natural",
        False,
        "a roll that takes the corner naturally does not take it par puissance",
    ),
    ("M8", "corner_par_puissance", True, "the own corner is not taken par puissance"),
    ("M6", "own_corner_empty_rest", True, "a man may not rest on his own empty corner"),
    ("M7", "opponent_corner_empty_rest", True, "a man may not rest on the other's empty corner"),
    (
        "M12",
        "forbidden_grand_jan_passage",
        True,
        "a man may not rest in a quarter that the other can still fill",
    ),
    (
        "M14",
        "fill_vs_higher_die",
        FillVsHigherDie.HIGHER_DIE_FIRST,
        "if one die only can be played, it is the one that fills or conserves",
    ),
    ("M18", "enter_and_bear_off_same_roll", True, "all men must be home before the roll that bears off"),
    (
        "M18",
        "bear_off_while_fill_possible",
        True,
        "nobody is borne off while the jan de retour can still be filled",
    ),
    (
        "M19",
        "bear_off_exact_policy",
        BearOffExactPolicy.OPTIONAL,
        "the rule for a number that takes a man off exactly",
    ),
    (
        "M19",
        "bear_off_short_policy",
        BearOffShortPolicy.ANY_MAN,
        "a number too small to take a man off is played by the farthest who can",
    ),
    (
        "M20",
        "bear_off_overflow_policy",
        BearOffOverflowPolicy.SEQUENTIAL,
        "a number in excess counts only if no play of both dice does without",
    ),
    (
        "M20",
        "bear_off_two_short_combined",
        BearOffTwoShortCombined.ALLOWED,
        "two numbers too small for a man do not take him off together",
    ),
    ("M22", "sortie_obligatory", False, "the last man must leave when he can"),
    ("M1", "movement_scope", MovementScope.FULL_CIRCUIT, "the men stay on their own half"),
    ("M1", "max_men_per_point", None, "no more men may stand on an arrow"),
)
"""The law, the field that holds it, the value under which it excludes nothing, and what it says otherwise."""

EXACT_WORDS: Final[Mapping[BearOffExactPolicy, str]] = MappingProxyType(
    {
        BearOffExactPolicy.MANDATORY: "a man whom a number takes off exactly must leave",
        BearOffExactPolicy.INSIDE_FIRST: "an exact number takes a man off only if no man inside can play it",
    }
)


@dataclass(frozen=True)
class Reason:
    """A law that excludes a play; `field` is the rule field that would let it pass, if there is one."""

    law: str
    words: str
    field: str = ""


@dataclass(frozen=True)
class Verdict:
    """Whether a play is legal; its moves if it is, else the laws that exclude it."""

    legal: bool
    steps: Steps
    position: Position
    reasons: tuple[Reason, ...] = ()


def judge(game: Trictrac, position: Position, dice: Dice, asked: str, names: Numbering = OURS) -> Verdict:
    """Say whether a play is legal, or which law excludes it.

    Parameters
    ----------
    game, position, dice
        The rules, the men before the roll, two dice.
    asked
        Moves such as `7/13 8/13`, `1/6/12` or `20/off`, or the position after the play, `mover | other`; `-` for
        no move.
    names
        Whose names the arrows have.

    Raises
    ------
    IllegalPosition, UsageError
        For men who cannot stand so, dice that are none, or a text that is no play.
    """
    check(position, game)
    check_dice(dice)
    after = _position_asked(position, asked, names) if "|" in asked else None
    rests: dict[int, int] = {}
    if after is None:
        chains = _read_moves(asked, names)
        after, problem = _carried_out(position, chains, names)
        if problem:
            return Verdict(False, (), position, (Reason("M2", problem),))
        rests = {place: chain[0] for chain in chains for place in chain[1:-1]}
    blocked = [place for place in rests if place != OFF and position.other[place - 1]]
    if blocked:
        rest, start = names.write(blocked[0]), names.write(rests[blocked[0]])
        words = f"{rest}, on the way from {start}, holds an adverse man"
        return Verdict(False, (), after, (Reason("M4", words),))
    candidates = sequences(position.mover, dice).get(after.mover, [])
    if not candidates:
        words = f"the dice {dice[0]} and {dice[1]} do not lead there"
        return Verdict(False, (), after, (Reason("M2", words),))
    steps = best(game, position, dice, candidates)
    legal = {one.mover for one in score_roll(game, position, dice, checked=False).plays}
    if after.mover in legal:
        return Verdict(True, steps, after)
    return Verdict(False, steps, after, tuple(_reasons(game, position, dice, steps, after, names)))


def _position_asked(position: Position, asked: str, names: Numbering) -> Position:
    after = parse(asked, names.read)
    gone = (MEN - sum(after.mover), after.off[1])
    if after.off[0] not in (0, gone[0]) or gone[0] < 0:
        raise UsageError(f"'{asked}': the mover has fifteen men, on the board or off it")
    if (after.other, after.off[1]) != (position.other, position.off[1]):
        raise UsageError(f"'{asked}': a play moves none of the other's men [{position}]")
    return Position(after.mover, after.other, gone)


def _read_moves(asked: str, names: Numbering) -> list[list[int]]:
    """Read moves as chains of arrows."""
    if asked.strip() in ("", "-"):
        return []
    chains = []
    for item in asked.split():
        match = re.fullmatch(r"([^/()]+(?:/[^/()]+)+)(?:\(([12])\))?", item)
        if not match:
            raise UsageError(f"'{item}' is no move; write moves as 7/13 8/13, 1/6/12, 20/off or 1/7(2)")
        places = match[1].split("/")
        chain = [OFF if place.casefold() == "off" else names.read(place) for place in places]
        if any(place == OFF for place in chain[:-1]):
            raise UsageError(f"'{item}': a man who is off moves no more")
        chains += [chain] * int(match[2] or 1)
    return chains


def _carried_out(position: Position, chains: list[list[int]], names: Numbering) -> tuple[Position, str]:
    """Move the men along the chains; return the position and what is wrong with the moves themselves."""
    men = list(position.mover)
    for chain in chains:
        men[chain[0] - 1] -= 1
        if chain[-1] != OFF:
            men[chain[-1] - 1] += 1
    off = MEN - sum(men)
    for chain in chains:
        if any(end <= start for start, end in pairwise(chain)):
            return position, "men move forward only"
    short = [place + 1 for place, count in enumerate(men) if count < 0]
    if short:
        return position, f"there are not so many men on {names.write(short[0])}"
    return Position(tuple(men), position.other, (off, position.off[1])), ""


def _reasons(
    game: Trictrac, position: Position, dice: Dice, steps: Steps, after: Position, names: Numbering
) -> list[Reason]:
    """Find the laws that exclude the steps of a play."""
    found = [Reason(law, words(names)) for law, words in _step_faults(game, position, dice, steps)]
    found = found or list(_standing_faults(game, position, after, names))
    found = found or list(_dice_left(game, position, dice, steps))
    return found or _relaxations(game, position, dice, after)


def _standing_faults(
    game: Trictrac, position: Position, after: Position, names: Numbering
) -> Iterator[Reason]:
    """Yield the laws by which the men cannot stand so after the roll (M1, M5, M11)."""
    coin = names.write(COIN)
    before = position.mover[COIN - 1]
    if after.mover[COIN - 1] == 1:
        if before == 0 and game.own_corner_by_two:
            yield Reason(
                "M5", f"a lone man on {coin}: it is entered only by two on one roll", "own_corner_by_two"
            )
        elif before > 1 and game.own_corner_leave_by_two:
            yield Reason(
                "M5", f"a lone man left on {coin}: its last two leave together", "own_corner_leave_by_two"
            )
    forbidden, _ = closed_quarters(lower(game, TwelveHoles()), *pack(position.other[::-1]))
    for place, men in enumerate(after.mover):
        if men and forbidden >> place & 1:
            words = f"{names.write(place + 1)} is in a quarter that the other can still fill"
            yield Reason("M11", words, "forbidden_jan_rule")
    beyond = [place + 1 for place, men in enumerate(after.mover) if men and place >= COIN]
    if game.movement_scope is MovementScope.OWN_HALF and (beyond or after.off[0]):
        yield Reason("M1", f"the men stay on their own half, up to {coin}", "movement_scope")
    limit = game.max_men_per_point
    for place, men in enumerate(after.mover):
        if limit is not None and place and men > limit:
            words = f"{men} men on {names.write(place + 1)}, where {limit} may stand"
            yield Reason("M1", words, "max_men_per_point")


class _Words(NamedTuple):
    """A sentence about an arrow, to be named later."""

    text: str
    arrow: int

    def __call__(self, names: Numbering) -> str:
        return self.text.format(names.write(self.arrow))


def _step_faults(
    game: Trictrac, position: Position, dice: Dice, steps: Steps
) -> Iterator[tuple[str, _Words]]:
    """Yield the laws without a field that steps break, taken by themselves: M4, M7, M8, M18, M19."""
    men = position.mover
    puissance = [step for step in steps if step.puissance]
    if puissance:
        if men[COIN - 1]:
            yield "M8", _Words("{} is taken par puissance only when it is empty", COIN)
        if position.other[OTHER_COIN - 1]:
            yield (
                "M8",
                _Words("the other holds {}; the own corner is not taken par puissance then", OTHER_COIN),
            )
    yield from _rest_faults(game, position, steps)
    resting = (
        steps[0].end if _is_chain(steps) and men[steps[0].end - 1 if steps[0].end != OFF else 0] == 0 else 0
    )
    for step in steps:
        if step.end == OFF:
            yield from _leaving_faults(men, step)
        elif step.end != resting:
            if position.other[step.end - 1]:
                yield "M4", _Words("an adverse man stands on {}", step.end)
            if step.end == OTHER_COIN:
                yield "M7", _Words("{}, the other's corner, is never occupied", OTHER_COIN)
        men = _stepped(men, step)


def _rest_faults(game: Trictrac, position: Position, steps: Steps) -> Iterator[tuple[str, _Words]]:
    """Yield the laws that close the rest of a man who plays both dice (M4, M6, M7, M12)."""
    if not _is_chain(steps) or steps[0].end == OFF or position.mover[steps[0].end - 1]:
        return
    rest = steps[0].end
    if position.other[rest - 1]:
        yield "M4", _Words("an adverse man stands on {}, where the man would rest", rest)
    if rest == COIN and not game.own_corner_empty_rest:
        yield "M6", _Words("a man may not rest on {}, his own empty corner", rest)
    if rest == OTHER_COIN and not game.opponent_corner_empty_rest:
        yield "M7", _Words("a man may not rest on {}, the other's empty corner", rest)
    forbidden, _ = closed_quarters(lower(game, TwelveHoles()), *pack(position.other[::-1]))
    if rest != OTHER_COIN and forbidden >> rest - 1 & 1 and not game.forbidden_grand_jan_passage:
        yield "M12", _Words("a man may not rest on {}, in a quarter that the other can still fill", rest)


def _leaving_faults(men: Men, step: Step) -> Iterator[tuple[str, _Words]]:
    outside = [place + 1 for place, count in enumerate(men[: HOME - 1]) if count]
    farthest = next(place + 1 for place, count in enumerate(men) if count)
    if outside:
        yield "M18", _Words("nobody leaves while a man stands on {}, outside the jan de retour", outside[0])
    elif step.start + step.die > OFF and farthest < step.start:
        yield "M19", _Words("a number in excess takes off the farthest man, who is on {}", farthest)


def _dice_left(game: Trictrac, position: Position, dice: Dice, steps: Steps) -> Iterator[Reason]:
    """Say why a play may not leave the dice it leaves (M13 to M15)."""
    scored = score_roll(game, position, dice, checked=False)
    most = 2 - scored.dice_unplayed
    if len(steps) < most:
        if most == 2 and steps:
            yield Reason("M13", "both dice can be played, and so they must be")
        else:
            yield Reason("M15", "a die that can be played is never left")
    elif len(steps) == most == 1 and dice[0] != dice[1]:
        legal = best(game, position, dice, sequences(position.mover, dice)[scored.plays[0].mover])
        if legal and legal[0].die > steps[0].die:
            yield Reason("M14", f"one die only can be played, and it is the higher, the {legal[0].die}")


def _relaxations(game: Trictrac, position: Position, dice: Dice, after: Position) -> list[Reason]:
    """Relax rule fields until the kernel lets a play pass; return the fewest that must yield."""
    changes = {
        Reason(law, _field_words(game, field, words), field): value
        for law, field, value, words in RELAXED
        if getattr(game, field) != value
    }

    def passes(relaxed: Iterable[Reason]) -> bool:
        try:
            variant = replace(game, **{reason.field: changes[reason] for reason in relaxed})
        except ConfigError:  # some values do not go together
            return False
        plays = score_roll(variant, position, dice, checked=False).plays
        return any(one.mover == after.mover for one in plays)

    for count in (1, 2):
        for chosen in combinations(changes, count):
            if passes(chosen):
                return list(chosen)
    if not passes(changes):
        return []
    needed = list(changes)
    for reason in changes:
        fewer = [one for one in needed if one is not reason]
        if passes(fewer):
            needed = fewer
    return needed


def _field_words(game: Trictrac, field: str, words: str) -> str:
    return EXACT_WORDS[game.bear_off_exact_policy] if field == "bear_off_exact_policy" else words
