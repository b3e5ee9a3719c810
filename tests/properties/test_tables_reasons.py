"""Whenever a play given by hand is not legal, the reason told excludes it: with no other law in force either."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from reference.tables.board import BAR, HOME, MEN, OFF, Board
from reference.tables.excluded import ALL, EVERY, Laws, can_be_made, can_come_to, numbers_of
from reference.tables.plays import all_ways, lawful, moved
from reference.tables.positions import Case, positions
from tables_bridge import position_of

from simkit import steps
from simkit.errors import SimkitError
from simkit.hindrances import Reason
from simkit.rules import MoveRule, Tables

Chains = list[tuple[int, ...]]
"""Of distances, 25 for the bar and 0 for off."""


def written(chains: Chains) -> str:
    return " ".join("/".join({BAR: "bar", OFF: "off"}.get(d, str(25 - d)) for d in chain) for chain in chains)


def of_chance(rng: random.Random, case: Case, numbers: tuple[int, ...]) -> Chains:
    """Moves that may have something to do with a roll, most of them not legal."""
    standing = [d for d in range(1, BAR + 1) if case.board.own[d]]
    chains: Chains = []
    left = rng.sample(numbers, rng.randint(1, len(numbers)))
    while left:
        start = rng.choice(standing) if rng.random() < 0.9 else rng.randint(1, BAR)
        taken, left = left[: (k := rng.randint(1, 2))], left[k:]
        chain = [start]
        for number in taken:
            end = max(chain[-1] - number + (rng.random() < 0.05), OFF)
            if end < chain[-1] and chain[-1] != OFF:
                chain.append(end)
        if len(chain) > 2 and rng.random() < 0.5:
            del chain[1]
        if len(chain) > 1:
            chains.append(tuple(chain))
    return chains or [(standing[-1], OFF)]


def arrow(text: str) -> int:
    """The distance of a place in words."""
    return BAR if text == "the bar" else 25 - int(text)


def law_of(reason: Reason, board: Board) -> Laws:
    """The law that a reason names, at the places it names; what it tells of the board must be so."""
    words = reason.words
    if found := re.fullmatch(r"(no man|\d+ m[ae]n only) (?:is|are|stands?) on (the bar|\d+)", words):
        place = arrow(found[2])
        assert board.own[place] == (0 if found[1] == "no man" else int(found[1].split()[0])), words
        return Laws(men=(place,))
    if words == "a man on the bar comes in before anybody else moves":
        return Laws(bar_first=True)
    if found := re.match(r"([\d and]+), where the man from (the bar|\d+) would land, holds? two", words):
        places = [arrow(text) for text in found[1].split(" and ")]
        assert all(board.other[25 - place] >= 2 for place in places), words
        return Laws(closed=places)
    if re.search(r"nobody leaves from (the bar|\d+) while a man is outside", words):
        return Laws(all_home=True)
    if found := re.match(r"a number larger than (\d) takes off the farthest man only, not one from", words):
        return Laws(farthest=(int(found[1]),))
    assert re.match(r"the dice \d and \d do not (lead|allow)", words), words
    return Laws()


def together(laws: Sequence[Laws]) -> Laws:
    return Laws(
        any(one.bar_first for one in laws),
        any(one.all_home for one in laws),
        *([place for one in laws for place in one[field]] for field in (2, 3, 4)),
    )


def check_undone(reason: Reason, case: Case, rule: str, doubles_played: int) -> str:
    """A play that can be made, and leaves something undone: its numbers are those of the twin."""
    ways = all_ways(case.board, case.dice, doubles_played)
    legal = lawful(ways, rule)
    numbers = [int(x) for x in re.findall(r"\d+", reason.words)]
    if "can be travelled" in reason.words:
        assert numbers[-1] == max(way.points for way in ways) > numbers[0]
        return "points"
    if "if one number only" in reason.words:
        assert max(len(way.steps) for way in ways) == 1
        assert numbers == [max(case.dice)]
        return "the higher"
    assert re.search(r"played, and \d can be", reason.words), reason.words
    assert numbers[-1] == max(len(way.steps) for way in legal)
    assert len(numbers) == 1 or numbers[0] < numbers[-1]
    return "numbers"


def cases(kind: str, count: int, seed: int) -> Iterator[tuple[Case, MoveRule, int]]:
    rng = random.Random(seed)
    for case in positions(kind, count, seed):
        yield case, rng.choice(list(MoveRule)), rng.choice((4, 4, 2))


def check_moves(case: Case, rule: MoveRule, doubles_played: int, chains: Chains) -> str:
    """Judge moves, and what is said of them; return what it was."""
    game, numbers = (
        Tables(move_rule=rule, doubles_played=doubles_played),
        numbers_of(case.dice, doubles_played),
    )
    verdict = steps.judge(game, position_of(case.board), case.dice, written(chains))
    whole = f"{position_of(case.board)} {case.dice} {written(chains)} {rule.value}: {verdict.reasons}"
    if can_be_made(EVERY, case.board, numbers, chains):
        if verdict.legal:
            return "legal"
        assert len(verdict.reasons) == 1, whole
        return check_undone(verdict.reasons[0], case, rule.value, doubles_played)
    assert not verdict.legal, whole
    laws = [law_of(reason, case.board) for reason in verdict.reasons]
    assert laws, whole
    if Laws() in laws:
        assert not can_be_made(Laws(), case.board, numbers, chains), whole
        return "dice"
    assert not can_be_made(together(laws), case.board, numbers, chains), whole
    for place in range(len(laws)):
        others = together(laws[:place] + laws[place + 1 :])
        assert can_be_made(others, case.board, numbers, chains), f"one reason too many: {whole}"
    return "law" if len(laws) == 1 else "laws"


@pytest.mark.parametrize(("kind", "seed"), [("played", 31), ("contrived", 32)])
def test_the_reason_excludes_the_moves(kind: str, seed: int) -> None:
    rng, seen = random.Random(seed), Counter[str]()
    for case, rule, doubles_played in cases(kind, 300, seed):
        for _ in range(3):
            chains = of_chance(rng, case, numbers_of(case.dice, doubles_played))
            seen[check_moves(case, rule, doubles_played, chains)] += 1
    wanted = {"legal", "numbers", "dice", "law", "laws"} | ({"points"} if kind == "contrived" else set())
    assert all(seen[name] > 2 for name in wanted), seen


def beyond(rng: random.Random, case: Case, numbers: tuple[int, ...]) -> Board:
    """Where steps lead that need not be allowed."""
    board = case.board
    for number in rng.sample(numbers, rng.randint(1, len(numbers))):
        standing = [d for d in range(1, BAR + 1) if board.own[d]]
        if standing:
            board = moved(board, rng.choice(standing), number)
    return board


@pytest.mark.parametrize(("kind", "seed"), [("played", 33), ("contrived", 34)])
def test_the_reason_excludes_the_position(kind: str, seed: int) -> None:
    rng, seen = random.Random(seed), Counter[str]()
    for case, rule, doubles_played in cases(kind, 250, seed):
        times = min(doubles_played, 2)
        game, numbers = Tables(move_rule=rule, doubles_played=times), numbers_of(case.dice, times)
        after = beyond(rng, case, rng.choice((numbers, (rng.randint(1, 6), rng.randint(1, 6)))))
        try:
            verdict = steps.judge(game, position_of(case.board), case.dice, str(position_of(after)))
        except SimkitError:
            continue  # both sides on an arrow
        whole = f"{position_of(case.board)} {case.dice} {position_of(after)}: {verdict.reasons}"
        if can_come_to(EVERY, case.board, numbers, after):
            seen["legal" if verdict.legal else check_undone(verdict.reasons[0], case, rule.value, times)] += 1
            continue
        laws = [law_of(reason, case.board) for reason in verdict.reasons]
        assert laws, whole
        assert not can_come_to(together(laws), case.board, numbers, after), whole
        seen["dice" if Laws() in laws else "law"] += 1
    assert all(seen[name] > 2 for name in ("legal", "numbers", "dice", "law")), seen


@pytest.mark.parametrize(("kind", "seed"), [("played", 35), ("contrived", 36)])
def test_plays_of_most_points_are_of_most_dice_unless_the_game_ends(kind: str, seed: int) -> None:
    """By the twin: so that most dice alone never force a shot; and where a game can end most dice let it end."""
    more = 0
    for case in positions(kind, 4000, seed):
        ways = all_ways(case.board, case.dice)
        points, dice = ({way.board for way in lawful(ways, rule)} for rule in ("max_points", "max_dice"))
        over = {board for board in points | dice if board.own[OFF] == MEN}
        assert points - dice <= over
        assert not over or over & dice
        more += bool(dice - points)
    assert kind == "played" or more > 20


def test_places_are_distances() -> None:
    assert (arrow("19"), arrow("24"), arrow("the bar"), len(ALL)) == (HOME, 1, BAR, 26)
    assert written([(BAR, 22, 21), (1, OFF)]) == "bar/3/4 24/off"
