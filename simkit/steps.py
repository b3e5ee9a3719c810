"""Plays of toutes tables and backgammon told: step by step, with the men hit, and the law that excludes one.

The kernel alone says what is legal; a single step too is asked of it, as the roll of one number. Laws are sections
of docs/rules.md, part III. A place is an arrow of the mover's, 0 for the bar and 25 off the board.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from simkit import tables
from simkit.errors import UsageError
from simkit.hindrances import BAR, OFF, Chain, Reason, of_moves, of_position, place_name
from simkit.numbering import OURS, Numbering
from simkit.position import MEN, Position, parse
from simkit.rules import MoveRule, Tables, replace
from simkit.tables import Dice

ONE_NUMBER: Final = Tables(move_rule=MoveRule.MAX_DICE, doubles_played=1)
"""Under which a double is the roll of one number."""


class Step(NamedTuple):
    """One man by one number, and whether he hits a man where he lands."""

    start: int
    end: int
    number: int
    hit: bool


Steps = tuple[Step, ...]


@dataclass(frozen=True)
class Told:
    """A play: its steps in an order in which they can be made, and the position it leads to."""

    steps: Steps
    position: Position


@dataclass(frozen=True)
class Verdict:
    """Whether a play is legal; the play if it can be made at all, and the laws that exclude it."""

    legal: bool
    told: Told
    reasons: tuple[Reason, ...] = ()


# ---------------------------------------------------------------- steps


def single_steps(position: Position, number: int) -> Iterator[Told]:
    """Every step that one number allows; none once all men are off."""
    if position.off[0] == MEN:
        return
    for after in tables.legal_plays(ONE_NUMBER, position, (number, number)):
        if after != position:
            yield Told((_step(position, after, number),), after)


def _step(before: Position, after: Position, number: int) -> Step:
    """Read off two positions which man has gone where."""
    start = next((k for k, (was, now) in enumerate(zip(_men(before), _men(after), strict=True)) if now < was))
    end = next((k for k, (was, now) in enumerate(zip(_men(before), _men(after), strict=True)) if now > was))
    return Step(start, end, number, after.bar[1] > before.bar[1])


def _men(position: Position) -> tuple[int, ...]:
    """The mover's men by place, from the bar to those off."""
    return (position.bar[0], *position.mover, position.off[0])


def _numbers(game: Tables, dice: Dice) -> tuple[int, ...]:
    return dice if dice[0] != dice[1] else (dice[0],) * game.doubles_played


def _orders(game: Tables, dice: Dice) -> tuple[tuple[int, ...], ...]:
    numbers = _numbers(game, dice)
    return tuple(dict.fromkeys((numbers, numbers[::-1])))


def ways(game: Tables, position: Position, dice: Dice) -> dict[Position, Steps]:
    """Every position that some of the numbers lead to, legal or not, with one way to it; fewer steps first."""
    found: dict[Position, Steps] = {}
    for order in _orders(game, dice):
        layer = {position: Steps()}
        for number in order:
            _keep(found, layer)
            layer = {
                one.position: (*steps, *one.steps)
                for before, steps in reversed(layer.items())
                for one in single_steps(before, number)
            }
        _keep(found, layer)
    return found


def _keep(found: dict[Position, Steps], layer: dict[Position, Steps]) -> None:
    for position, steps in layer.items():
        if position not in found or len(found[position]) < len(steps):
            found[position] = steps


def list_plays(game: Tables, position: Position, dice: Dice) -> tuple[Told, ...]:
    """List the legal plays of a roll, each told by one way to make it.

    Raises
    ------
    IllegalPosition, UsageError
        For men who cannot stand so, and dice that are none.
    """
    legal = tables.legal_plays(game, position, dice)
    known = ways(game, position, dice)
    return tuple(sorted((Told(known[one], one) for one in legal), key=lambda told: told.steps))


def moves(steps: Steps, names: Numbering = OURS) -> str:
    """Write steps as `bar/3 1/4*/6`: a man by several numbers with his rests, `*` where he hits; `-` for none."""
    chains: list[list[Step]] = []
    for step in steps:
        chain = next((one for one in chains if one[-1].end == step.start), None)
        if chain is None:
            chains.append([step])
        else:
            chain.append(step)
    chains.sort(key=lambda chain: [(step.start, step.end, step.number, not step.hit) for step in chain])
    written = Counter(_chain(chain, names) for chain in chains)
    return " ".join(text + (f"({times})" if times > 1 else "") for text, times in written.items()) or "-"


def _chain(chain: list[Step], names: Numbering) -> str:
    places = [place_name(chain[0].start, names)]
    places += [place_name(step.end, names) + "*" * step.hit for step in chain]
    return "/".join(places)


# ---------------------------------------------------------------- judging a play


def judge(game: Tables, position: Position, dice: Dice, asked: str, names: Numbering = OURS) -> Verdict:
    """Say whether a play is legal, or which law excludes it.

    Parameters
    ----------
    game, position, dice
        The rules, the men before the roll, two dice.
    asked
        Moves as `bar/3 1/7`, `1/4*/6` or `20/off`, or the position after the play; `-` for no move. A star says
        that a man is hit there, and need not be written.
    names
        Whose names the arrows have.

    Raises
    ------
    IllegalPosition, UsageError
        For men who cannot stand so, dice that are none, or a text that is no play.
    """
    legal, numbers = tables.legal_plays(game, position, dice), _numbers(game, dice)
    if "|" in asked:
        after = parse(asked, names.read)
        known = {one: steps for one, steps in ways(game, position, dice).items() if one == after}
        faults = () if known else of_position(position, dice, numbers, after, names)
    else:
        chains = read_moves(asked, names)
        carried = sorted(_carried_out(game, position, dice, chains), key=lambda told: len(told.steps))
        known = {told.position: told.steps for told in carried}  # of two ways the one by more numbers
        faults = () if known else of_moves(position, dice, numbers, chains, names)
    if not known:
        return Verdict(False, Told((), position), faults)
    made = [Told(steps, one) for one, steps in known.items()]
    allowed = [told for told in made if told.position in legal]
    if allowed:
        starred = set() if "|" in asked else _starred(asked, names)
        best = min(allowed, key=lambda told: len(starred - _hit(told)))
        missed = starred - _hit(best)
        if not missed:
            return Verdict(True, best)
        where = ", ".join(place_name(place, names) for place in sorted(missed))
        return Verdict(False, best, (Reason("III.4", f"nobody is hit on {where}"),))
    told = max(made, key=lambda one: len(one.steps))
    return Verdict(False, told, (_too_little(game, position, dice, told, legal),))


def read_moves(asked: str, names: Numbering) -> list[Chain]:
    """Read moves as chains of places."""
    chains = []
    for item in [] if asked.strip() in ("", "-") else asked.split():
        match = re.fullmatch(r"([^/()]+(?:/[^/()]+)+)(?:\(([1-4])\))?", item)
        if not match:
            raise UsageError(f"'{item}' is no move; write moves as bar/3 1/7, 1/4/6, 20/off or 1/7(2)")
        places = tuple(_read_place(part.rstrip("*"), names) for part in match[1].split("/"))
        if BAR in places[1:] or OFF in places[:-1] or list(places) != sorted(set(places)):
            raise UsageError(f"'{item}': a man goes from the bar or an arrow to a higher one, or off")
        chains += [places] * int(match[2] or 1)
    return chains


def _starred(asked: str, names: Numbering) -> set[int]:
    """The places where a text says that a man is hit."""
    landings = re.findall(r"([^/()\s]+)\*+(?=[/(\s]|$)", asked)
    return {_read_place(place.rstrip("*"), names) for place in landings}


def _hit(told: Told) -> set[int]:
    """The places where a play hits."""
    return {step.end for step in told.steps if step.hit}


def _read_place(text: str, names: Numbering) -> int:
    return (
        {"bar": BAR, "off": OFF}.get(text.casefold(), -1)
        if text.casefold() in ("bar", "off")
        else names.read(text)
    )


def _carried_out(game: Tables, position: Position, dice: Dice, chains: list[Chain]) -> Iterator[Told]:
    """Make the moves asked for, with every number and in every order the kernel allows, rests named or not."""
    yield from _going_on(position, _numbers(game, dice), tuple(chains), ())


def _going_on(
    position: Position, numbers: tuple[int, ...], chains: tuple[Chain, ...], made: Steps
) -> Iterator[Told]:
    if not chains:
        yield Told(made, position)
        return
    for number in sorted(set(numbers)):
        left = list(numbers)
        left.remove(number)
        for told in single_steps(position, number):
            step = told.steps[0]
            for chain in sorted({one for one in chains if one[0] == step.start and step.end <= one[1]}):
                rest = list(chains)
                rest.remove(chain)
                ahead = chain[1:] if step.end == chain[1] else (step.end, *chain[1:])
                if len(ahead) > 1:
                    rest.append(ahead)
                yield from _going_on(told.position, tuple(left), tuple(rest), (*made, step))


def _too_little(
    game: Tables, position: Position, dice: Dice, told: Told, legal: Iterable[Position]
) -> Reason:
    """Say what a play that can be made leaves undone."""
    known = ways(game, position, dice)
    most = max(len(known[one]) for one in legal)
    played = len(told.steps)
    if played < most:
        numbers = "number is" if played == 1 else "numbers are"
        return Reason("III.4", f"{played or 'no'} {numbers} played, and {most} can be")
    if game.move_rule is MoveRule.MAX_DICE or played == 1:
        return Reason("III.4", f"if one number only can be played it is the {max(dice)}")
    before = tables.pips(position)[0]
    could = max(before - tables.pips(one)[0] for one in legal)
    went = before - tables.pips(told.position)[0]
    other = replace(game, move_rule=MoveRule.MAX_DICE)
    field = "move_rule" if told.position in tables.legal_plays(other, position, dice) else ""
    return Reason("III.5", f"it travels {went} points, and {could} can be travelled", field)
