"""Sequences of rolls printed in the treatises: every roll scored, every play tried, the marks kept.

The file gives the points of each roll by the rules (`recomputed_points`) beside those its source prints
(`marked_in_source`). The first must be the engine's. Where the source claims to print every mark and differs, that
is a printed error, and what it says of the score from there on is its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from simkit import play
from simkit.cases.base import Men, board, finals, men, men_written
from simkit.cases.reading import Check, Fields, MalformedError, NotUnderstoodError, PrintedError, shown
from simkit.cases.reasons import compare_reasons
from simkit.cases.rule_sets import game_of
from simkit.cases.treatise import moved
from simkit.errors import IllegalPosition
from simkit.rules import RuleSet, Trictrac, Written

FROM_THE_START, FRAGMENT = "from the start of a releve", "fragment"
EVERY_MARK: Final = "the source claims to give every mark of these rolls"
SOME_MARKS: Final = "the source gives no or only some marks"
LEAVING: Final = re.compile(r"\b(leaves|goes|s['’]en va)\b")
TALON: Final[Men] = ((15, *[0] * 23), 0)


@dataclass(frozen=True)
class Kept:
    """One way the score may stand: nothing tells who is in bredouille when a fragment begins."""

    score: play.Score
    made: tuple[int, int] = (0, 0)
    """Holes made on the last roll."""


@dataclass
class Replay:
    """A sequence on its way; the players are 0 and 1, each with his men in his own numbers."""

    game: Trictrac
    names: tuple[str, str]
    sides: list[Men]
    check: Check
    from_the_start: bool
    kept: set[Kept] | None
    """Ways the score may stand; None once it is not known."""
    holes_told: tuple[bool, bool]
    """Whose holes at the start are told."""
    rolls: list[int] = field(default_factory=lambda: [0, 0])
    irregular: bool = False
    """Whether a play that the rules refuse has been made."""
    restarts: bool = False
    """Whether the men go back to the talons before the next roll."""
    next_player: int | None = None


def replay(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge one sequence."""
    case.ignore("note")
    source = case.part("source")
    source.ignore("figure")
    work, where = source.text("work"), source.text("where")
    kind = case.text("kind")
    if not kind.startswith((FROM_THE_START, FRAGMENT)):
        raise NotUnderstoodError(f"kind {shown(kind)} is not known to this version")
    names = two_names(case)
    start = [men(side) for side in by_player(case.part("start"), names)]
    from_the_start = kind.startswith(FROM_THE_START)
    if from_the_start and start != [TALON, TALON]:
        raise MalformedError("start: at the start of a relevé all men stand on the talons")
    kept, holes_told = score_at_start(case, names)
    every_mark = case.word("marks_given", (EVERY_MARK, SOME_MARKS)) == EVERY_MARK
    game = Replay(game_of(rules), names, start, check, from_the_start, kept, holes_told)
    game.next_player = names.index(case.word("first_to_roll", names))
    one_side = "one side only" in kind

    events = case.parts("events")
    for number, event in enumerate(events, start=1):
        if event.integer("n") != number:
            raise MalformedError(f"{event.where}.n is {event.raw('n')}; events are numbered from 1")
        event.ignore("note", "confidence")
        printed = one_roll(game, event, every_mark)
        if printed:
            error = PrintedError(
                work, where, *printed, str(event.raw("note", "")), confidence_of(event, case)
            )
            check.printed_errors.append(error)
        if event.raw("moves") is None and number < len(events):
            raise NotUnderstoodError(f"{event.where}.moves is null, and more events follow")
        if one_side:
            game.next_player = names.index(event.text("player"))
        elif not (from_the_start or game.restarts):
            game.next_player = None  # a fragment may leave out rolls
    for who, side in enumerate(by_player(case.part("end"), names)):
        check.compare(f"end.{names[who]}", men_written(men(side)), men_written(game.sides[who]))
    for figure in case.parts("figure_checks"):
        figure.ignore("figure", "match")
        figure.integer("after_event", high=len(events))


def confidence_of(event: Fields, case: Fields) -> str:
    """Give how sure the reading is, of this roll if it is told, else of the sequence."""
    return str(event.raw("confidence", case.raw("confidence", "")))


def two_names(case: Fields) -> tuple[str, str]:
    """Read the names of the players."""
    match case.items("players"):
        case [str() as first, str() as second] if first != second:
            return first, second
        case names:
            raise MalformedError(f"players is {shown(names)}; two names are needed")


def by_player(part: Fields, names: tuple[str, str]) -> list[Fields]:
    """Read an object with something for each player."""
    return [part.part(name) for name in names]


def score_at_start(case: Fields, names: tuple[str, str]) -> tuple[set[Kept] | None, tuple[bool, bool]]:
    """Read the score at the start: every way it may stand, None if it is not told; and whose holes are told."""
    if case.raw("start_score") is None:
        return None, (False, False)
    part = case.part("start_score")
    sides = [part.part(name) for name in names if part.raw(name) is not None]
    holes_told = [side.raw("holes") is not None for side in sides]
    holes = [side.integer("holes") if told else 0 for side, told in zip(sides, holes_told, strict=True)]
    points = [side.integer("points", high=11) for side in sides if side.raw("points") is not None]
    if len(points) < 2:
        return None, (False, False)
    # Without points there is no run, and one player's run ends that of the other.
    flags = [(False, True) if held else (False,) for held in points]
    kept = {
        Kept(play.Score((points[0], points[1]), (one, two), (holes[0], holes[1])))
        for one, two in product(*flags)
        if not (one and two)
    }
    return kept, (holes_told[0], holes_told[1])


# --- One roll ---------------------------------------------------------------------------------------


def one_roll(game: Replay, event: Fields, every_mark: bool) -> tuple[str, object, object] | None:
    """Judge one roll, and what the source prints of it; return what is printed wrongly: what, printed, right."""
    check, at = game.check, f"roll {event.integer('n')}: "
    player = event.word("player", game.names)
    roller = game.names.index(player)
    if game.next_player is not None:
        check.compare(f"{at}player", player, game.names[game.next_player])
    game.next_player = 1 - roller
    if game.restarts:
        game.sides, game.rolls, game.from_the_start, game.restarts = [TALON, TALON], [0, 0], True, False
    game.rolls[roller] += 1
    dice = event.dice()
    if dice[0] < dice[1]:
        raise MalformedError(f"{event.where}.dice: the higher die stands first")
    scored = score(game, event, roller, dice)
    compare_points(check, f"{at}recomputed_points", event.part("recomputed_points"), scored)

    wrong = compare_print(game, event, roller, scored, every_mark)
    left = leaves(event)
    keep_score(game, event, roller, scored, left, wrong is not None)
    if event.raw("moves") is not None:
        put_men(game, event, roller, scored)
    else:
        if not event.flag("legal", default=True) or "obligation_not_respected" in event:
            raise MalformedError(f"{event.where} is at fault, but no play is told")
    if left or game.sides[roller][1] == play.MEN:
        game.restarts, game.next_player = True, roller
    return wrong


def score(game: Replay, event: Fields, roller: int, dice: tuple[int, int]) -> play.ScoredRoll:
    """Score the dice before the play; after an irregular play also where the men may not stand so."""
    position = board(game.sides[roller], game.sides[1 - roller])
    number = game.rolls[roller] if game.from_the_start else 0
    try:
        return play.score_roll(game.game, position, dice, roll_number=number)
    except IllegalPosition as error:
        if not game.irregular:
            raise
        if (
            sum(position.mover) + position.off[0] != play.MEN
            or sum(position.other) + position.off[1] != play.MEN
        ):
            raise MalformedError(str(error)) from error
        return play.score_roll(game.game, position, dice, roll_number=number, checked=False)


def compare_points(check: Check, place: str, expect: Fields, scored: play.ScoredRoll) -> None:
    """Compare the points of a roll, of both sides, and what they are for."""
    for key, to in (("player", "mover"), ("other", "other")):
        awards = [award for award in scored.awards if award.to == to]
        compare_reasons(check, f"{place}.{key}", expect, key, awards)


def compare_print(
    game: Replay, event: Fields, roller: int, scored: play.ScoredRoll, every_mark: bool
) -> tuple[str, object, object] | None:
    """Set the marks that the source prints beside the engine's points."""
    at = f"roll {event.raw('n')}: "
    points = {game.names[roller]: scored.mover_points, game.names[1 - roller]: scored.other_points}
    given = dict.fromkeys(points, 0)
    for mark in event.parts("marked_in_source"):
        mark.ignore("reason")
        given[mark.word("to", game.names)] += mark.integer("points")
    agrees = given == points
    if every_mark:
        game.check.compare(f"{at}points_agree", event.flag("points_agree"), agrees)
    elif event.raw("points_agree") is not None:
        raise MalformedError(f"{event.where}.points_agree: the source does not claim to give every mark")
    if "source_marks_within_recomputed" in event:
        within = all(given[name] <= points[name] for name in points)
        game.check.compare(
            f"{at}source_marks_within_recomputed", event.flag("source_marks_within_recomputed"), within
        )
    if agrees or not every_mark:
        return None
    high, low = event.dice()
    return f"points marked for the roll {high}-{low} of {game.names[roller]}", given, points


def leaves(event: Fields) -> bool:
    """Tell whether the player goes; no other action is known."""
    if "action" not in event:
        return False
    if not LEAVING.search(event.text("action")):
        raise NotUnderstoodError(
            f"{event.where}.action {shown(event.raw('action'))} is not known to this version"
        )
    return True


# --- The score --------------------------------------------------------------------------------------


def keep_score(
    game: Replay, event: Fields, roller: int, scored: play.ScoredRoll, left: bool, printed_wrongly: bool
) -> None:
    """Mark the roll in every way the score may stand, and compare what the source says of it."""
    if printed_wrongly:
        game.kept = None
    if game.kept is not None:
        kept = {marked(game.game, one.score, roller, scored, left) for one in game.kept}
        if left:
            can = any(one.made[roller] for one in kept)
            game.check.compare(f"roll {event.raw('n')}: a hole before leaving", True, can)
        game.kept = kept
    if "state_in_source_after" in event:
        compare_state(game, event)
    if left and game.kept is not None:
        game.kept = {Kept(play.after_go(one.score)) for one in game.kept}


def marked(game: Trictrac, score: play.Score, roller: int, scored: play.ScoredRoll, goes: bool) -> Kept:
    """Mark a roll; a player who goes leaves the other nothing, and the points stand until the men are lifted."""
    points = (scored.mover_points, 0 if goes else scored.other_points)
    # Nothing tells which match it is; in a written one no number of holes ends the marking.
    roll = play.mark_roll(game, Written(), score, roller, points)
    return Kept(roll.score, roll.holes)


def compare_state(game: Replay, event: Fields) -> None:
    """Compare the score that the source states with the ways it may stand, and keep those that fit."""
    at = f"roll {event.raw('n')}: state_in_source_after."
    state = event.part("state_in_source_after")
    stated: list[Mapping[str, object]] = [{}, {}]
    for who, name in enumerate(game.names):
        if name not in state:
            continue
        side = state.part(name)
        keys = ("points", "holes_won", "holes") if game.holes_told[who] else ("points", "holes_won")
        if "holes" not in keys:
            side.ignore("holes")
        stated[who] = {key: side.integer(key) for key in keys if key in side}
    if game.kept is None:
        return

    def written(one: Kept) -> list[dict[str, object]]:
        return [
            {
                key: value
                for key, value in {
                    "points": one.score.points[who],
                    "holes_won": one.made[who],
                    "holes": one.score.holes[who],
                }.items()
                if key in stated[who]
            }
            for who in (0, 1)
        ]

    fitting = {one for one in game.kept if written(one) == stated}
    shown_one = written(min(fitting or game.kept, key=str))
    for who, name in enumerate(game.names):
        if stated[who]:
            game.check.compare(at + name, stated[who], shown_one[who])
    game.kept = fitting or game.kept


# --- The men ----------------------------------------------------------------------------------------


def put_men(game: Replay, event: Fields, roller: int, scored: play.ScoredRoll) -> None:
    """Make the printed play; the engine must allow it, or refuse it where the file says it is at fault."""
    at = f"roll {event.raw('n')}: "
    moves = event.parts("moves")
    pairs: list[object] = [[move.raw("from"), move.raw("to")] for move in moves]
    with_both = [move.flag("both_numbers") for move in moves]
    if any(with_both) and len(moves) > 1:
        raise MalformedError(f"{event.where}.moves: a man who plays both numbers is the only one to move")
    after = moved(game.sides[roller], pairs)
    faults = event.items("obligation_not_respected") if "obligation_not_respected" in event else []
    at_fault = not event.flag("legal", default=True) or bool(faults)
    allowed = after in finals(scored.plays)
    game.check.compare(f"{at}allowed", not at_fault, allowed)
    if not (allowed or at_fault):
        raise MalformedError(f"{at}{shown(pairs)} is not a legal play; the rest was not replayed")
    if allowed and after[1] < play.MEN:
        game.check.compare(
            f"{at}numbers played", sum(2 if both else 1 for both in with_both), 2 - scored.dice_unplayed
        )
    game.irregular |= at_fault
    game.sides[roller] = after
