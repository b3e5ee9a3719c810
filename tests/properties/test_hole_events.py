"""The table of holes: the same holes as the rows of sets count and as a match told roll by roll tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import simkit
from simkit.dataset import HOLES
from simkit.dataset.parquet import check_columns
from simkit.dataset.schema import DECISIONS, GOINGS
from simkit.drivers import hole_events as module
from simkit.drivers import play_chunk
from simkit.drivers.hole_events import hole_events
from simkit.errors import UsageError

PLAYED = (
    ("ecrire_academie", "prudent", 8),
    ("ecrire_guiton", "random", 4),
    ("twelve_hole", "greedy", 12),
    ("soumille_1766", "random", 4),
)


@pytest.fixture(scope="module", params=PLAYED, ids=lambda one: f"{one[0]} {one[1]}")
def played(request: pytest.FixtureRequest) -> tuple[Any, Any, int, dict[str, Any]]:
    rules, one = simkit.rule_set(request.param[0]), simkit.player(request.param[1])
    count = request.param[2]
    return rules, (one, one), count, hole_events(rules, (one, one), 1822, 0, count)


def test_the_columns_are_those_of_the_schema(played: tuple[Any, Any, int, dict[str, Any]]) -> None:
    assert (module.DECISIONS, module.GOINGS) == (DECISIONS, GOINGS)
    assert list(played[3]) == [column.name for column in HOLES.data]
    assert check_columns(HOLES, played[3]) > 0


def test_they_add_up_to_the_rows_of_sets(played: tuple[Any, Any, int, dict[str, Any]]) -> None:
    rules, players, count, events = played
    sets = play_chunk(rules, players, 1822, 0, count).sets
    for place in range(len(sets["match_id"])):
        ours = (events["match_id"] == sets["match_id"][place]) & (events["set_no"] == sets["set_no"][place])
        ours &= events["attempt"] == sets["do_overs"][place] + 1
        for player in (1, 2):
            made = ours & (events["player"] == player)
            for own, name in ((True, "own"), (False, "other")):
                total = int(events["holes"][made & (events["own_die"] == own)].sum())
                assert total == sets[f"holes_{name}_die_{player}"][place]
            assert events["holes"][made].sum() == sets[f"holes_{player}"][place]
        assert events[f"holes_{1}"][ours][-1] == sets["holes_1"][place]
        assert events[f"holes_{2}"][ours][-1] == sets["holes_2"][place]


def test_they_are_what_a_match_told_roll_by_roll_tells(
    played: tuple[Any, Any, int, dict[str, Any]],
) -> None:
    rules, players, count, events = played
    match = count - 1
    expected = []
    for one in simkit.replay(rules, match, players=players, seed=1822).sets:  # type: ignore[union-attr]
        for roll in one.rolls:
            for gain in roll.gains:
                own = gain.player == roll.player
                if gain.marked and gain.holes:
                    choice = roll.decision if own else None
                    went = choice is not None and choice.went
                    points: dict[str, int] = {}
                    for award in gain.awards:
                        figure = f"from_{award.award.figure}"
                        points[figure] = points.get(figure, 0) + award.award.points
                    expected.append(
                        (
                            one.set_no, roll.attempt, roll.setting, roll.number, gain.player, own,
                            gain.before.points[gain.player - 1], gain.points,
                            "none" if choice is None else "go" if went else "hold",
                            choice.going if choice is not None and went else "none", points,
                        )
                    )  # fmt: skip
    chosen = np.flatnonzero(events["match_id"] == match)
    found = [
        (
            *(events[name][k] for name in ("set_no", "attempt", "setting", "roll", "player", "own_die")),
            events["points_before"][k], events["points"][k],
            DECISIONS[events["decision"][k]], GOINGS[events["going"][k]],
            {name: int(column[k]) for name, column in events.items() if name[:5] == "from_" and column[k]},
        )
        for k in chosen
    ]  # fmt: skip
    assert found == expected


def test_chunks_change_nothing() -> None:
    rules, one = simkit.rule_set("ecrire_academie"), simkit.player("prudent")
    whole = hole_events(rules, (one, one), 3, 0, 6)
    parts = [hole_events(rules, (one, one), 3, first, 2) for first in (0, 2, 4)]
    for name, column in whole.items():
        assert np.array_equal(column, np.concatenate([part[name] for part in parts]))


def test_other_games_are_refused() -> None:
    one = simkit.player("random")
    for name, players in (("combine", 2), ("toutes_tables_225", 2), ("pool_fill", 3), ("tourner_guiton", 3)):
        with pytest.raises(UsageError, match="the table of holes is kept of matches of two"):
            hole_events(simkit.rule_set(name), (one,) * players, 0, 0, 1)
