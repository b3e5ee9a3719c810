"""Two ledgers on one board: what holes, goings and suspensions do to each (rules.md II.7.2 and II.7.3)."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.combined import Both, HonoursGame, enter_holes, go, options, suspend
from simkit.errors import UsageError
from simkit.play import Ledger
from simkit.rules import Combine, SuspendWhenBehind

MATCH = Combine()


def both(written: tuple[int, int] = (0, 0), honours: tuple[int, int] = (0, 0), **values: Any) -> Both:
    """Ledgers with these holes, runs broken on either side."""
    ledgers = [
        Ledger(holes, ("broken" if holes[0] else "none", "broken" if holes[1] else "none"))
        for holes in (written, honours)
    ]
    return Both(*ledgers, **values)


def test_the_twelfth_hole_ends_a_game_and_the_thirteenth_opens_the_next() -> None:
    after, games = enter_holes(MATCH, both(honours=(11, 3)), 0, 2)
    assert games == (HonoursGame(0, None, (12, 3), (False, False)),)
    assert after.written == Ledger((2, 0), ("intact", "none"))
    assert after.honours == Ledger((1, 0), ("intact", "none"))
    assert after.honours_first == 0


def test_many_holes_may_end_two_games() -> None:
    after, games = enter_holes(MATCH, Both(), 1, 25, own_die=False)
    assert [(game.winner, game.first_scorer, game.holes) for game in games] == [(1, 1, (0, 12))] * 2
    assert after.honours.holes == (0, 1)
    assert after.written.holes == (0, 25)


def test_without_continuation_further_holes_are_lost_to_the_honours() -> None:
    after, games = enter_holes(Combine(continuation=False), both(honours=(11, 3)), 0, 2)
    assert len(games) == 1
    assert after.honours == Ledger()
    assert after.written.holes == (2, 0)


@pytest.mark.parametrize(
    ("suspended", "counts"),
    [(None, (1, 1)), ("honours", (1, 0)), ("ecrire_open", (0, 1)), ("ecrire_scored", (0, 1))],
)
def test_a_suspended_game_counts_no_hole_and_keeps_its_run(suspended: Any, counts: tuple[int, int]) -> None:
    before = Both(Ledger((0, 2), ("none", "intact")), Ledger((0, 2), ("none", "intact")), suspended=suspended)
    after, _ = enter_holes(MATCH, before, 0, 1)
    for ledger, counted in zip((after.written, after.honours), counts, strict=True):
        assert ledger.holes == (counted, 2)
        assert ledger.run[1] == ("broken" if counted else "intact")


def test_what_may_be_done_after_a_hole() -> None:
    every = ("hold", "go", "suspend_ecrire", "suspend_honours")
    assert options(MATCH, both((3, 0), (3, 0)), 0) == every
    assert options(MATCH, both((3, 0), (3, 0)), 0, own_die=False) == ("hold",)
    assert options(MATCH, both((6, 0)), 0) == ("hold", "go:win", *every[2:])
    assert options(MATCH, both((6, 6)), 1) == ("hold", "go:refait", *every[2:])
    assert options(MATCH, both((6, 7)), 0) == ("hold", "go:concede", *every[2:])
    for suspended in ("honours", "ecrire_open", "ecrire_scored"):
        assert options(MATCH, both((3, 0), suspended=suspended), 0) == ("hold", "go")
    assert options(MATCH, both((6, 0), suspended="honours"), 0) == ("hold", "go:win")
    assert options(MATCH, both((6, 0), suspended="ecrire_open"), 0) == ("hold", "go")
    assert options(Combine(suspension=False), both((3, 0)), 0) == ("hold", "go")


def test_a_set_of_six_is_scored_by_suspending_it_and_the_next_waits_for_the_pickup() -> None:
    before = Both(Ledger((7, 2), ("intact", "broken"), (True, False), 1), Ledger((5, 2)))
    after, ended = suspend(MATCH, before, 0, "suspend_ecrire")
    assert ended is not None
    assert (ended.outcome, ended.winner, ended.ledger) == ("win", 0, before.written)
    assert (after.written, after.honours, after.suspended) == (Ledger(), before.honours, "ecrire_scored")
    after, games = enter_holes(MATCH, after, 1, 4)
    assert (after.written, after.honours.holes, games) == (Ledger(), (5, 6), ())
    after, ended = go(MATCH, after, 1)
    assert (after.suspended, ended) == (None, None)
    assert enter_holes(MATCH, after, 1, 1)[0].written.holes == (0, 1)


def test_at_equal_holes_suspending_does_the_set_over() -> None:
    after, ended = suspend(MATCH, both((6, 6)), 1, "suspend_ecrire")
    assert ended is not None
    assert (ended.outcome, ended.winner) == ("refait", None)
    assert (after.written, after.suspended) == (Ledger(do_overs=1), "ecrire_scored")
    assert go(MATCH, after, 0)[0].written == Ledger(do_overs=1)


def test_who_is_behind_with_six_concedes_by_suspending() -> None:
    _, ended = suspend(MATCH, both((6, 8)), 0, "suspend_ecrire")
    assert ended is not None
    assert (ended.outcome, ended.winner) == ("concede", 1)


def test_a_frozen_set_has_lost_its_price_without_pickup_and_outlives_the_pickup() -> None:
    before = Both(Ledger((4, 0), ("intact", "none")))
    after, ended = suspend(MATCH, before, 0, "suspend_ecrire")
    assert ended is None
    assert after.suspended == "ecrire_open"
    assert after.written == Ledger((4, 0), ("intact", "none"), (True, False))
    after, ended = go(MATCH, after, 1)
    assert (ended, after.suspended, after.suspender) == (None, None, None)
    assert after.written.holes == (4, 0)


def test_whoever_picks_up_resolves_no_frozen_set_though_the_other_has_six() -> None:
    frozen, ended = suspend(MATCH, both((3, 8)), 0, "suspend_ecrire")
    assert (frozen.suspended, ended) == ("ecrire_open", None)
    for who in (0, 1):
        after, ended = go(MATCH, frozen, who)
        assert (ended, after.written.holes) == (None, (3, 8))
        assert options(MATCH, after, 1)[1] == "go:win"


def test_short_of_six_against_six_the_readings_differ() -> None:
    behind = both((3, 8))
    concede = Combine(combine_suspend_when_behind=SuspendWhenBehind.CONCEDE)
    after, ended = suspend(concede, behind, 0, "suspend_ecrire")
    assert ended is not None
    assert (ended.outcome, ended.winner, after.suspended) == ("concede", 1, "ecrire_scored")
    forbid = Combine(combine_suspend_when_behind=SuspendWhenBehind.FORBID)
    assert options(forbid, behind, 0) == ("hold", "go:concede", "suspend_honours")
    assert "suspend_ecrire" in options(forbid, behind, 1)
    for match in (concede, forbid):
        assert suspend(match, both((3, 5)), 0, "suspend_ecrire")[0].suspended == "ecrire_open"


def test_suspended_honours_freeze_and_the_pickup_that_ends_a_set_frees_them() -> None:
    before = both((6, 2), (9, 2))
    after, ended = suspend(MATCH, before, 0, "suspend_honours")
    assert (ended, after.honours, after.written) == (None, before.honours, before.written)
    assert (after.suspended, after.suspender) == ("honours", 0)
    after, ended = go(MATCH, after, 0)
    assert ended is not None
    assert (ended.outcome, after.suspended, after.honours, after.written) == (
        "win",
        None,
        before.honours,
        Ledger(),
    )


@pytest.mark.parametrize(
    ("match", "state", "deed", "words"),
    [
        (MATCH, both((3, 0), suspended="honours"), "suspend_ecrire", "honours is on, and only one game"),
        (MATCH, both((3, 0), suspended="ecrire_scored"), "suspend_honours", "ecrire_scored is on"),
        (Combine(suspension=False), both((3, 0)), "suspend_honours", "match.suspension is off"),
        (
            Combine(combine_suspend_when_behind=SuspendWhenBehind.FORBID),
            both((3, 6)),
            "suspend_ecrire",
            "fewer than six holes and the other has six",
        ),
        (MATCH, both((3, 0)), "leave", "no suspension; suspend_ecrire or suspend_honours"),
    ],
)
def test_a_suspension_that_may_not_be_is_refused_with_the_reason(
    match: Combine, state: Both, deed: str, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        suspend(match, state, 0, deed)


def test_holes_and_players_that_cannot_be_are_refused() -> None:
    for who, holes in ((2, 1), (0, 0)):
        with pytest.raises(UsageError, match="one hole or more, player 0 or 1"):
            enter_holes(MATCH, Both(), who, holes)
