"""Matches of combiné told by their holes: the three marks of source 001, pegs, and events out of order."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from reference.combine.display import banner, neckties, pegs
from reference.combine.game import Combined
from reference.written import Ledger as TwinLedger

from simkit.by_holes import ByHoles, HoleEvent, OrderError, Script, read_script, tell
from simkit.catalogue import rule_set
from simkit.cli import call
from simkit.errors import UsageError
from simkit.pegs import rails, standing, words
from simkit.play import Ledger
from simkit.rules import Combine, SuspendWhenBehind, UnfinishedHonours, replace

THREE_MARKS = Path(__file__).parents[1] / "docs" / "examples" / "three_marks.txt"
CASES = json.loads((Path(__file__).parent / "cases" / "cases-match.json").read_text(encoding="utf-8"))[
    "cases"
]
COMBINE: Any = rule_set("combine").match


def three_marks() -> list[Any]:
    script = read_script(THREE_MARKS.read_text(encoding="utf-8"))
    return list(tell(COMBINE, script.events, sets=script.sets))


# ---------------------------------------------------------------- the example of source 001


def test_the_three_marks_are_those_of_the_worked_example() -> None:
    """Source 001, Example progression, with the pairs of holes of the second mark in the order of the pegs."""
    case = next(case for case in CASES if case["id"] == "CB-01")
    script = read_script(THREE_MARKS.read_text(encoding="utf-8"))
    assert script.sets == case["input"]["sets"]
    dies = {True: "own", False: "opp"}
    told = [
        {"by": f"P{one.by + 1}", "holes": one.holes, "die": dies[one.own_die], "then": one.then}
        for one in script.events
    ]
    assert told == case["input"]["events"]
    for one, state in zip(three_marks(), case["expected"]["states"], strict=True):
        pegs_ = {"P1": dict(one.standing.pegs[0]), "P2": dict(one.standing.pegs[1])}
        assert pegs_ == {name: state["pegs"][name] for name in ("P1", "P2")}
        assert one.standing.black_at_last_hole == state["pegs"].get("black_at_last_hole", False)
        assert one.basket == state["pool"]


def test_the_last_game_of_the_three_marks_is_double_and_draws_seven_fish() -> None:
    """The article calls it single, against its own rule: the loser has one hole (section 12 of the errata)."""
    last = three_marks()[-1]
    (game,) = last.games
    assert (game.price, game.paid, game.into_basket, game.drawn) == (2, 2, 2, (7, 0))
    assert last.over and (last.basket, last.contract) == (0, None)
    # As the article prints the second mark, Bob's necktie pair comes second: then the peg is not where it says.
    events = list(read_script(THREE_MARKS.read_text(encoding="utf-8")).events)
    events[7], events[8] = events[8], events[7]
    printed = list(tell(COMBINE, events, sets=3))
    assert printed[7].standing.pegs[1] == {
        "gold": 2,
        "silver": 6,
    }  # the text has the fourth hole and the eighth


def test_the_command_shows_the_three_marks(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["holes", str(THREE_MARKS)]) == 0
    out = capsys.readouterr().out
    told = " ".join(out.split())  # however wide the lines are
    assert "11. Set 2: player 1 makes 2 holes and suspends the written set, which wins the set." in told
    assert "He draws the pool, 7 fish." in told
    shown = out.split("\n8. ")[1].split("\n9. ")[0].splitlines()
    assert shown[2].split() == ["player", "1", ".", ".", "G", ".", ".", ".", ".", ".", "S", ".", ".", "."]
    assert shown[3].split()[2:] == [".", "G'", ".", ".", ".", "S", ".", ".", ".", ".", ".", ".", "banner"]


def test_the_command_gives_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["holes", str(THREE_MARKS), "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert (plain["over"], plain["honours_fish"], plain["pool_fish"]) == (True, [3, -3], [5, -5])
    assert [len(one["honours_games"]) for one in plain["events"]] == [0] * 10 + [1] + [0] * 4 + [1]
    assert plain["events"][10]["black_at_last_hole"] and plain["events"][10]["suspended"] == "ecrire_scored"


# ---------------------------------------------------------------- out of order


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("1 2 own hold\n1 1 own", "event 2: holes on his own die and no decision"),
        ("1 2 other go", "event 1: go is not open to him: after holes on the other's die he must hold"),
        ("1 2 own go:win", "event 1: go:win is not open to him: open are hold, go, suspend_ecrire"),
        ("1 7 own go:refait", "event 1: go:refait is not open to him: open are hold, go:win"),
        (
            "1 2 own suspend_ecrire\n2 1 own suspend_honours",
            "event 2: suspend_honours is not open to him: the written set is suspended already; open are hold, go",
        ),
        ("sets 1\n1 6 own go\n2 1 own hold", "event 2: the match is over"),
        ("1 61 own hold", "event 1: 61 holes"),
    ],
)
def test_an_event_that_cannot_follow_is_refused_with_its_reason(
    lines: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = read_script(lines)
    with pytest.raises(OrderError) as refused:
        list(tell(COMBINE, script.events, sets=script.sets))
    assert message in str(refused.value)
    file = tmp_path / "events.txt"
    file.write_text(lines, encoding="utf-8")
    assert call(["holes", str(file)]) == 2
    assert message in capsys.readouterr().err


def test_a_suspender_behind_is_refused_where_the_rules_forbid_it() -> None:
    match = replace(COMBINE, combine_suspend_when_behind=SuspendWhenBehind.FORBID)
    script = read_script("1 6 own hold\n2 1 own suspend_ecrire")
    with pytest.raises(
        OrderError, match="event 2: suspend_ecrire is not open to him: open are hold, go:concede"
    ):
        list(tell(match, script.events))
    frozen = list(tell(COMBINE, script.events))[-1]
    assert (frozen.both.suspended, frozen.ended) == ("ecrire_open", None)
    conceding = replace(COMBINE, combine_suspend_when_behind=SuspendWhenBehind.CONCEDE)
    ended = list(tell(conceding, script.events))[-1].ended
    assert ended is not None and (ended.outcome, ended.winner) == ("concede", 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no event"),
        ("# nothing\n", "there is no event"),
        ("3 1 own go", "line 1: '3 1 own go'"),
        ("1 one own go", "line 1"),
        ("1 1 mine go", "line 1"),
        ("1 1 own go\n\n1 1 own fly", "line 3: fly is no decision"),
        ("1 1 own go\nsets 3", "line 2"),
        ("1 1 own go again", "line 1"),
    ],
)
def test_a_line_that_is_no_event_is_named(text: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_script(text)
    assert message in str(refused.value)


def test_a_script_is_read() -> None:
    script = read_script("sets 2  # so many\n1 2 own go # a pair\n2 1 other\n")
    assert script == Script((HoleEvent(0, 2, True, "go"), HoleEvent(1, 1, False)), 2)


@pytest.mark.parametrize("arguments", [["--rules", "classical"], ["--set", "match.sets=3"]])
def test_other_rules_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["holes", str(THREE_MARKS), *arguments]) in (2, 3)
    assert capsys.readouterr().err


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert call(["holes", str(tmp_path / "bytes")]) == 2
    assert call(["holes", str(tmp_path / "none")]) == 2
    assert "is not UTF-8" in capsys.readouterr().err


def test_a_match_that_plays_on_is_not_told_by_its_holes() -> None:
    match = replace(COMBINE, combine_unfinished_honours=UnfinishedHonours.PLAY_ON)
    with pytest.raises(UsageError, match="play_on"):
        ByHoles(match)
    with pytest.raises(UsageError, match="0 sets"):
        ByHoles(COMBINE, sets=0)


def test_the_basket_is_shared_when_the_match_is_over() -> None:
    match = ByHoles(Combine(), sets=1)
    told = match.play(HoleEvent(0, 7, True, "go"))
    assert told.over and match.end() == (2, 2) and match.pool == (0, 0)


# ---------------------------------------------------------------- pegs, banner, neckties


def any_ledger(rng: random.Random, most: int) -> tuple[Ledger, TwinLedger]:
    holes = [rng.choice((0, rng.randrange(most + 1))) for _ in range(2)]
    intact = rng.choice((0, 1, None))
    run: Any = tuple("none" if not holes[who] else "intact" if who == intact else "broken" for who in (0, 1))
    picked_up = (rng.random() < 0.4, rng.random() < 0.4)
    return Ledger((holes[0], holes[1]), run, picked_up), TwinLedger([*holes], [*run], [*picked_up])


def test_pegs_stand_as_the_twin_has_them() -> None:
    rng = random.Random(4)
    for _ in range(4_000):
        suspended: Any = rng.choice((None, "ecrire_open", "ecrire_scored", "honours"))
        (written, twin_written), (honours, twin_honours) = any_ledger(rng, 26), any_ledger(rng, 11)
        if suspended == "ecrire_scored":
            written, twin_written = Ledger(), TwinLedger()
        twin = Combined(ecrire=twin_written, honours=twin_honours, suspended=suspended)
        shown = standing(written, honours, suspended)
        assert [dict(side) for side in shown.pegs] == [pegs(twin, who) for who in (0, 1)]
        assert shown.banner == banner(twin)
        assert dict(zip(("ecrire", "honours"), map(list, shown.neckties), strict=True)) == neckties(twin)
        for who in (0, 1):
            assert set(shown.necktied(who)) <= set(shown.pegs[who])
            assert bool(shown.necktied(who)) == any(who in worn for worn in shown.neckties)


def test_a_peg_one_hole_behind_the_first_stands_beside_it() -> None:
    shown = standing(Ledger((1, 0), ("intact", "none")), Ledger((1, 0), ("intact", "none")), "honours")
    assert shown.pegs[0] == {"bimetal": 1, "silver": 0}
    assert words(shown) == "1: bimetal 1, silver beside the first, banner; 2: no peg"
    assert list(rails(shown))[1].split()[:4] == ["player", "1", "S", "B"]


def test_the_thirteenth_hole_is_marked_in_the_first_by_one_peg_with_the_honours() -> None:
    shown = standing(Ledger((13, 0), ("intact", "none")), Ledger((1, 0), ("intact", "none")))
    assert shown.pegs[0] == {"bimetal": 1}


def test_two_neckties_of_one_player_are_on_two_pegs() -> None:
    """Source 001: the honours suspended, a new hole in the written game."""
    shown = standing(
        Ledger((7, 3), ("broken", "intact"), (False, True)), Ledger((7, 2), ("broken", "intact")), "honours"
    )
    assert shown.necktied(1) == ("gold", "black")
    assert words(shown).endswith("2: gold 3 with a necktie, black 2 with a necktie")
