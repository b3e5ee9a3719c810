"""Readings put alone, checked against plain computation on a handful of matches."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from reference import written as twin
from rows import random_rows

from simkit import catalogue
from simkit.analysis.conventions import adjusted
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Played
from simkit.analysis.written_conventions import EFFECTS, Reading, WrittenConventions
from simkit.dataset import open_run
from simkit.errors import ConfigError
from simkit.experiment import design, run_experiment
from simkit.report.html import render
from simkit.rules import Settlement, to_plain
from simkit.settle import higher_dice, set_values

ACADEMIE = catalogue.rule_set("ecrire_academie")
DECLARED = catalogue.experiment("conventions")
SEED = 5


class Rows:
    """Stands for a run: rows that nobody played, of each play."""

    def __init__(self, *plays: dict[str, Any]) -> None:
        self._plays = tuple(rows | {"first_scorer": rows["first_player"]} for rows in plays)
        self.plays = tuple(SimpleNamespace(seed=SEED) for _ in plays)

    def iter_sets(self, play: int, columns: Any) -> Any:
        return iter([{name: self._plays[play][name] for name in columns}])


def estimates(question: WrittenConventions, place: dict[str, int], *plays: dict[str, Any]) -> list[Estimate]:
    return list(question.estimates(ACADEMIE, Played(cast(Any, Rows(*plays)), place), 0.95))


def number(found: list[Estimate], measure: str, detail: str, sets: int) -> float:
    (one,) = (e for e in found if (e.measure, e.sets, e.detail) == (measure, sets, detail))
    return one.interval.mean


def plain(rows: dict[str, Any], settlement: Settlement, length: int) -> dict[int, tuple[int, int, int]]:
    """(exact result, money, first thrower) of every whole match, by the twin."""
    value = set_values(rows, settlement)["value"]
    rules = to_plain(settlement)
    found = {}
    for match in np.unique(rows["match_id"]).tolist():
        here = (rows["match_id"] == match) & (rows["set_no"] <= length)
        sets = list(zip((rows["winner"][here] - 1).tolist(), value[here].tolist(), strict=True))
        if len(sets) < length or any(winner < 0 for winner, _ in sets):
            continue
        settled = twin.settle(sets, rules)
        exact = settled["exact"]
        choices = twin.round_amount(exact, rules)
        higher = int(higher_dice(np.array([match]), SEED)[0])
        rounded = choices[-1] if higher == (1 if exact > 0 else 2) else choices[0]
        ahead = twin.leader(settled["set_points_diff"], settled["wins"], rules)
        money = twin.money(exact, rounded, ahead, rules)
        found[match] = exact, money, int(rows["first_player"][here][0])
    return found


def sign(value: int) -> int:
    return int(np.sign(value))


def first_wins(one: tuple[int, int, int]) -> bool:
    return sign(one[0]) == (1 if one[2] == 1 else -1)


def assert_plain(
    found: list[Estimate], detail: str, sets: int, before: dict[int, Any], after: dict[int, Any]
) -> None:
    pairs = [(before[match], after[match]) for match in before if match in after]
    expected = {
        "winner_changes": [sign(a[0]) != sign(b[0]) for a, b in pairs],
        "payer_changes": [sign(a[1]) != sign(b[1]) for a, b in pairs],
        "payment_changes": [a[1] != b[1] for a, b in pairs],
        "result_moves": [abs(a[0] - b[0]) for a, b in pairs],
        "paid_moves": [abs(a[1] - b[1]) for a, b in pairs],
        "size_change": [abs(b[0]) - abs(a[0]) for a, b in pairs],
        "paid_change": [abs(b[1]) - abs(a[1]) for a, b in pairs],
        "first_wins_change": [first_wins(b) - first_wins(a) for a, b in pairs],
    }
    for measure, values in expected.items():
        assert number(found, measure, detail, sets) == pytest.approx(np.mean(values)), (measure, detail)


SETTLED = tuple(reading for reading in DECLARED.analysis.readings if reading.settled_only)


@pytest.mark.parametrize("reading", SETTLED, ids=lambda reading: reading.detail)
def test_a_reading_of_the_settlement_is_that_of_plain_counting(reading: Reading) -> None:
    rows = random_rows(50, 6, seed=8, capped=0.01)
    question = WrittenConventions(readings=(reading,), lengths=(2, 6))
    found = estimates(question, {MAIN: 0}, rows)
    if not question.asked(ACADEMIE):
        assert not found, "the rule set reads so itself"
        return
    without, with_it = (cast(Any, side.match).settlement for side in reading.sides(ACADEMIE))
    for sets in (2, 6):
        assert_plain(found, reading.detail, sets, plain(rows, without, sets), plain(rows, with_it, sets))


def test_two_plays_are_compared_match_by_match() -> None:
    reading = Reading(change={"match.set_first_die": "alternate"}, conflict="C4")
    before = random_rows(40, 4, seed=1, capped=0.03)
    after = {name: column.copy() for name, column in random_rows(40, 4, seed=1, capped=0.03).items()}
    changed = after["match_id"] % 4 == 0
    after["holes_1"] = after["holes_1"] + changed.astype(np.int16)
    late = (after["match_id"] == 1) & (after["set_no"] == 3)
    after["rolls"] = after["rolls"] + late.astype(np.int32)
    other = random_rows(40, 4, seed=2)
    question = WrittenConventions(readings=(reading,), lengths=(2, 4))
    settlement = cast(Any, ACADEMIE.match).settlement
    for second in (after, other):
        found = estimates(question, {MAIN: 0, reading.detail: 1}, before, second)
        for sets in (2, 4):
            one, two = plain(before, settlement, sets), plain(second, settlement, sets)
            assert_plain(found, reading.detail, sets, one, two)
            both = [match for match in one if match in two]
            if second is after:
                unlike = [match % 4 == 0 or (match == 1 and sets == 4) for match in both]
                assert number(found, "anything_changes", reading.detail, sets) == pytest.approx(
                    np.mean(unlike)
                )
        winners = [[sign(side[match][0]) + 1 for match in both] for side in (one, two)]
        shares = [np.bincount(side, minlength=3) / len(both) for side in winners]
        unrelated = number(found, "winner_changes_unrelated", reading.detail, 4)
        assert unrelated == pytest.approx(1 - float(shares[0] @ shares[1]))


def test_all_effects_are_one_family_for_holm() -> None:
    question = WrittenConventions(readings=SETTLED, lengths=(2, 6))
    found = estimates(question, {MAIN: 0}, random_rows(50, 6, seed=8))
    tested = [one for one in found if one.measure in EFFECTS]
    assert len(tested) == 3 * 2 * len(question.asked(ACADEMIE))
    chances = {(one.measure, one.detail, one.sets): one.interval.mean for one in adjusted(tested, 0.95)}
    for one in found:
        if one.measure.endswith("_p"):
            assert one.interval.mean == chances[one.measure, one.detail, one.sets]


def test_a_rule_set_is_not_asked_for_its_own_reading() -> None:
    question = DECLARED.analysis
    academie = {reading.detail for reading in question.asked(ACADEMIE)}
    guiton = {reading.detail for reading in question.asked(catalogue.rule_set("ecrire_guiton"))}
    assert academie - guiton == {
        "first_roll_method=draw_is_first_throw",
        "bear_off_exact_policy=optional",
        "token_tail_basis=holdings",
        "general_tail_basis=exact",
    }
    assert guiton - academie == {
        "first_roll_method=draw_then_throw",
        "bear_off_exact_policy=mandatory",
        "token_tail_basis=set_points",
        "general_tail_basis=rounded",
    }


def test_every_conflict_of_the_two_player_game_is_asked() -> None:
    conflicts = {reading.conflict for reading in DECLARED.analysis.readings}
    assert conflicts == {"", "C2", "C3", "C4", "C5", "C6", "C7", "C8"}
    assert {f"C{k}" for k in range(2, 9)} == {claim.id.split()[1] for claim in DECLARED.claims}


def test_only_readings_of_the_play_are_played_again() -> None:
    found = design(replace(DECLARED, players=(("random", "random"),)))
    names = [play.rules.name for play in found.plays]
    assert len(names) == len(set(names)) == 2 * 6 - 2, "two readings of one rule set are two of the other"
    lengths = {play.rules.name: cast(Any, play.rules.match).sets for play in found.plays}
    assert {name for name, sets in lengths.items() if sets == 24} == {"ecrire_academie", "ecrire_guiton"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"lengths": (3,)}, "lengths = "),
        ({"sets_of_rules": 6}, "sets_of_rules = 6: 12 or more"),
        ({"readings": (Reading(change={}),)}, "a change of nothing"),
        ({"readings": DECLARED.analysis.readings[:1] * 2}, "one is named twice"),
    ],
)
def test_a_wrong_question_cannot_be_declared(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        replace(DECLARED, analysis=replace(DECLARED.analysis, **change))
    assert any(words in problem for problem in caught.value.problems)


def test_a_partie_is_refused() -> None:
    with pytest.raises(ConfigError, match="not a match of several sets"):
        DECLARED.analysis.plays(catalogue.rule_set("twelve_hole"))


def test_the_experiment_remade_small(tmp_path: Any) -> None:
    small = replace(
        DECLARED,
        rules=("ecrire_academie",),
        players=(("random", "random"),),
        claims=tuple(claim for claim in DECLARED.claims if "Guiton" not in claim.id),
        analysis=replace(DECLARED.analysis, lengths=(2, 4), sets_of_rules=6),
        seed=SEED,
    )
    small = replace(small, claims=tuple(replace(one, rules=()) for one in small.claims))
    result = run_experiment(small, matches=40, jobs=1, root=tmp_path)
    run = open_run(result.folder)
    found = result.estimates
    place = {play.rules.name: k for k, play in enumerate(run.plays)}
    before = next(iter(run.iter_sets(place["ecrire_academie"])))
    after = next(iter(run.iter_sets(place["ecrire_academie_set_first_die_alternate"])))
    settlement = cast(Any, ACADEMIE.match).settlement
    one, two = plain(before, settlement, 4), plain(after, settlement, 4)
    changes = np.mean([sign(one[match][0]) != sign(two[match][0]) for match in one])
    row = found[
        (found["detail"] == "set_first_die=alternate")
        & (found["measure"] == "winner_changes")
        & (found["sets"] == 4)
    ]
    assert row["mean"].iloc[0] == pytest.approx(changes) and row["n"].iloc[0] == 40
    assert {verdict.verdict for verdict in result.verdicts} == {"undecided"}, "eight sets were not asked"
    page = render(result)
    assert page.count("<svg") == page.count("<summary>The numbers of figure") == 3
    assert "refait_growth: geometric" in page and ">C3<" in page
