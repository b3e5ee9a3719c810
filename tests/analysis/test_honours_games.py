"""Classes and runs of games of honours: what is counted is what a match told roll by roll shows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from simkit.analysis import clusters
from simkit.analysis.estimates import Estimate
from simkit.analysis.honours import (
    CLASSES,
    FIRST,
    MOST,
    RARE,
    RUNS,
    SECOND,
    ClassSums,
    Honours,
    RunWatch,
    began_by,
    watch,
)
from simkit.analysis.intervals import exact
from simkit.catalogue import experiment, player, rule_set
from simkit.drivers import play_chunk
from simkit.drivers.rolls import LookedAt
from simkit.errors import ConfigError
from simkit.honours import game_classes
from simkit.rules import Combine
from simkit.transcript import transcribe

LEVEL, SEED = 0.95, 11
COMBINE = rule_set("combine_classical").with_match(sets=4)
MATCH = COMBINE.match
assert isinstance(MATCH, Combine)


def games() -> dict[str, Any]:
    """Two matches: a quadruple and a double in set 1, a treble in set 3; a double at six holes in set 2."""
    return {
        "match_id": np.array([0, 0, 0, 2]),
        "game_no": np.array([1, 2, 3, 1]),
        "set_no": np.array([1, 3, 4, 2]),
        "winner": np.array([1, 2, 2, 1]),
        "first_scorer": np.array([1, 1, 1, 2]),
        "holes_1": np.array([12, 3, 5, 12]),
        "holes_2": np.array([0, 12, 12, 6]),
        "run_intact_1": np.array([True, False, False, False]),
        "run_intact_2": np.array([False, False, True, False]),
    }


def test_classes_by_hand() -> None:
    """Of four sets a game counts that began in the first two: the first two of match 0, the first of match 2.

    Match 1 finished none, and the game of match 2 that began in set 2 had no end either.
    """
    sums = ClassSums()
    sums.add(np.array([0, 1, 2]), games(), MATCH)
    assert began_by(games(), 2).tolist() == [True, True, False, True]
    assert sums.classes.sum(axis=0).tolist() == [0, 0, 2, 0, 1]
    assert sums.every.sum(axis=0).tolist() == [0, 0, 2, 1, 1]
    assert sums.share("double", LEVEL).mean == pytest.approx(2 / 3)
    assert sums.share(RARE, LEVEL, every=True).mean == pytest.approx(2 / 4)
    assert sums.unfinished.sum() == 2
    assert sums.unfinished_share(LEVEL).mean == pytest.approx(2 / 5)
    assert sums.six_share(LEVEL).mean == pytest.approx(1 / 3)
    assert sums.loser_share(3, LEVEL).mean == pytest.approx(1 / 3)
    assert (sums.matches, sums.games, sums.squares) == (3, 4, 9 + 1)


def runs_of(match: int, name: str) -> Counter[tuple[str, int]]:
    """Runs of the games that began in the first half of a match, from the match told roll by roll."""
    seen: Counter[tuple[str, int]] = Counter()
    shown = transcribe(COMBINE, (player(name),) * 2, SEED, match)
    holes, run, first, early, rests = [0, 0], ["", ""], -1, True, False
    for number, one in enumerate(shown.sets):
        for roll in one.rolls:
            for gain in roll.gains:
                if not (gain.marked and gain.holes):
                    continue
                who = gain.player - 1
                for _ in range(0 if rests else gain.holes):
                    if not any(holes):
                        first = who
                    if not holes[who]:
                        run[who] = "whole"
                    holes[who] += 1
                    if run[1 - who] == "whole":
                        run[1 - who] = "broken"
                        seen[FIRST if first == 1 - who else SECOND, holes[1 - who]] += early
                    if holes[who] == MOST:
                        if run[who] == "whole":
                            seen[FIRST if first == who else SECOND, MOST] += early
                        holes, run, first, early = [0, 0], ["", ""], -1, number < 2
                if gain.player == roll.player and roll.decision and roll.decision.suspends == "honours":
                    rests = True
            if roll.decision and roll.decision.went:
                rests = False
    return +seen


@pytest.mark.parametrize("name", ["prudent", "random"])
def test_runs_are_those_of_the_match_told(name: str) -> None:
    matches = 3
    look = watch(COMBINE, (player(name),) * 2, SEED, matches)
    told = sum((runs_of(match, name) for match in range(matches)), Counter[tuple[str, int]]())
    counted = {
        (run, holes): int(look.seen[:, place, holes].sum())
        for place, run in enumerate(RUNS)
        for holes in range(MOST + 1)
    }
    assert +Counter(counted) == told
    assert sum(told.values()) > 6


def test_looking_changes_nothing_and_quadruples_are_whole_first_runs() -> None:
    pair = (player("prudent"),) * 2
    look = RunWatch(60, MATCH)
    seen = play_chunk(COMBINE, pair, SEED, 0, 60, engine=LookedAt(COMBINE, pair, SEED, look))
    plain = play_chunk(COMBINE, pair, SEED, 0, 60)
    rows = plain.others["honours_games"]
    for name, column in rows.items():
        assert (seen.others["honours_games"][name] == column).all()
    assert (seen.figures == plain.figures).all()
    early = began_by(rows, 2)
    classes = game_classes(rows, MATCH.settlement)[early]
    groups = rows["match_id"][early] % clusters.GROUPS
    for run, number in ((FIRST, 4), (SECOND, 3)):
        by_group = np.bincount(groups[classes == number], minlength=clusters.GROUPS)
        assert (look.seen[:, RUNS.index(run), MOST] == by_group).all()
    assert look.reaches(FIRST, 1, 60, LEVEL).mean == 1.0
    falls, stays = look.falls_by(SECOND, 3, 60, LEVEL), look.reaches(SECOND, 4, 60, LEVEL)
    assert falls.mean + stays.mean == pytest.approx(1.0)


def test_it_is_asked_of_combine_alone() -> None:
    with pytest.raises(ConfigError, match="no trictrac combiné"):
        Honours().plays(rule_set("classical"))
    assert list(Honours(followed=0).problems())
    assert CLASSES[3] == "quadruple"


@pytest.mark.parametrize(
    ("claim", "measure", "detail", "share", "outcome"),
    [
        ("D7", "class", RARE, 0.19, "confirmed"),
        ("D7", "class", RARE, 0.21, "refuted"),
        ("D7b", "falls_early", SECOND, 0.51, "confirmed"),
        ("D7b", "falls_early", SECOND, 0.49, "refuted"),
        ("D7b", "falls_early", FIRST, 0.49, "undecided"),
    ],
)
def test_the_criteria(claim: str, measure: str, detail: str, share: float, outcome: str) -> None:
    test = next(one.test for one in experiment("honours").claims if one.id == claim)
    found = Estimate(measure=measure, detail=detail, unit="share", interval=exact(share, 9, "exact", LEVEL))
    assert test.decide([found]).outcome == outcome
