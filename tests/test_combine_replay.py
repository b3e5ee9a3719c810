"""A match of combiné told roll by roll: pegs, suspensions and the pool agree with the holes and with the rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from test_units_equal_twin import TOSSER

from simkit.by_holes import ByHoles, HoleEvent
from simkit.catalogue import rule_set
from simkit.cli import call
from simkit.rules import LastSetScored, SuspendWhenBehind, UnfinishedHonours
from simkit.transcript import Roll, Transcript, transcribe

COMBINE = rule_set("combine").with_match(sets=4)


def told(match: int, **changes: Any) -> Transcript:
    return transcribe(COMBINE.with_match(**changes), (TOSSER, TOSSER), 5, match)


def hole_events(roll: Roll) -> Iterator[HoleEvent]:
    """What a roll gives to tell by its holes."""
    for gain in roll.gains:
        if gain.holes and gain.marked:
            own = gain.player == roll.player
            yield HoleEvent(gain.player - 1, gain.holes, own, decision(roll) if own else None)


def decision(roll: Roll) -> str:
    assert roll.decision is not None
    if roll.decision.suspends:
        return f"suspend_{roll.decision.suspends}"
    return "go" if roll.decision.went else "hold"


@pytest.mark.parametrize("match", range(9))
def test_the_holes_of_a_match_tell_the_same_match(match: int) -> None:
    """Board and pegs: the events of the rolls, played without a board, lead to the same games and payments."""
    behind = list(SuspendWhenBehind)[match % 3]
    scored = list(LastSetScored)[match % 2]
    shown = told(match, combine_suspend_when_behind=behind, combine_last_set_scored=scored)
    by_holes = ByHoles(shown.rules.match)  # type: ignore[arg-type]
    paid = []
    for one in shown.sets:
        for roll in one.rolls:
            events = list(hole_events(roll))
            for event in events:
                after = by_holes.play(event)
                paid += [(game.game.winner + 1, game.price, game.drawn) for game in after.games]
            if events:
                assert roll.both is not None
                assert (roll.both.written.holes, roll.both.honours.holes) == (
                    after.both.written.holes,
                    after.both.honours.holes,
                )
                assert roll.both.suspended == after.both.suspended
                assert roll.both.written.run == after.both.written.run
                if after.both.suspended is None and roll.ends is None and roll.restart != "do_over":
                    assert roll.after.holes == after.both.written.holes
                assert (roll.ends is not None) <= (after.set_no == one.set_no)
    assert by_holes.over
    assert paid == [
        (game["winner"], game["class"], (game["drawn_1"], game["drawn_2"])) for game in shown.games
    ]
    by_holes.end()
    assert shown.settled is not None
    assert (shown.settled["honours"], shown.settled["pool"]) == (by_holes.fish[0], by_holes.pool[0])


def test_suspensions_and_pegs_are_told() -> None:
    text = "\n".join(told(match).text() for match in range(6))
    for words in (
        "suspends the written set",
        "suspends the written set, which is thereby won",
        "suspends the game of honours",
        "the written set is suspended",
        "the game of honours is suspended",
        "the set is scored; the next one awaits a pickup",
        "a game of honours, double",
        "draws the pool",
        "banner",
        "G'",
        "S'",
        "B'",
        "contract: player 1",
        "games of honours",
    ):
        assert words in text or words in " ".join(text.split()), words


def test_a_game_of_honours_played_on_is_told_after_the_sets() -> None:
    for match in range(20):
        shown = told(match, combine_unfinished_honours=UnfinishedHonours.PLAY_ON)
        if len(shown.sets) > COMBINE.match.units:
            break
    last = shown.sets[-1]
    assert last.set_no == COMBINE.match.units + 1 and not last.worth and len(last.honours) == 1
    assert last.rolls[-1].number == last.honours[0]["roll"] == shown.matches["rolls_played_on"][0]
    assert "THE GAME OF HONOURS, played on after the last set" in shown.text()
    assert "SETTLEMENT" in shown.text()


def test_a_do_over_by_suspension_begins_with_the_pickup() -> None:
    shown = transcribe(COMBINE, (TOSSER, TOSSER), 5, 169, set_no=2)
    (one,) = shown.sets
    (suspends,) = [
        roll.number
        for roll in one.rolls
        if roll.decision and roll.decision.suspends == "ecrire" and roll.decision.going == "do_over"
    ]
    pickup = next(roll for roll in one.rolls[suspends:] if roll.restart == "do_over")
    assert {roll.attempt for roll in one.rolls[: pickup.number]} == {1}
    assert one.rolls[pickup.number].attempt == 2
    assert pickup.decision is not None and pickup.decision.going == "pickup"
    assert one.row["do_overs"] == one.rolls[-1].attempt - 1
    assert "attempt 2, holes and points wiped, consolation 4" in shown.text()


def test_the_command_tells_pegs_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["replay", "combine", "--players", "random", "--seed", "5", "--set", "1", "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["sets"]
    boths = [roll["both"] for roll in one["rolls"]]
    assert all(len(both["pegs"]) == 2 for both in boths)
    assert any(both["pegs"][0] for both in boths)
    assert set(boths[0]["neckties"]) == {"written", "honours"}


def test_a_scoresheet_is_of_one_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["replay", "combine", "--scoresheet"]) == 2
    assert "combin" in capsys.readouterr().err
