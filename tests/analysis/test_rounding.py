"""What rounding does, checked against plain computation by the twin on a handful of matches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from reference import written as twin
from rows import joined, part, random_rows

from simkit import catalogue
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Played
from simkit.analysis.rounding import WAYS, Rounding, rounding_sums
from simkit.dataset import open_run
from simkit.errors import ConfigError
from simkit.experiment import run_experiment
from simkit.report.html import render
from simkit.report.rounding import answer
from simkit.rules import RoundFive, Settlement, to_plain
from simkit.settle import higher_dice, set_values

GUITON = catalogue.rule_set("ecrire_guiton")
SEED = 5


def estimates(rows: dict[str, Any], question: Rounding, rules: Any = GUITON) -> list[Estimate]:
    run = SimpleNamespace(plays=(SimpleNamespace(seed=SEED),), iter_sets=lambda play, columns: iter([rows]))
    return list(question.estimates(rules, Played(cast(Any, run), {MAIN: 0}), 0.95))


def number(found: list[Estimate], measure: str, sets: int, detail: str = "") -> Estimate:
    (one,) = (e for e in found if (e.measure, e.sets, e.detail) == (measure, sets, detail))
    return one


def plain_matches(rows: dict[str, Any], length: int, settlement: Settlement) -> Iterator[tuple[int, int]]:
    """(match, exact result) of every match, by the twin."""
    value = set_values(rows, settlement)["value"]
    for match in np.unique(rows["match_id"]):
        here = (rows["match_id"] == match) & (rows["set_no"] <= length)
        sets = list(zip((rows["winner"][here] - 1).tolist(), value[here].tolist(), strict=True))
        if len(sets) == length and all(winner >= 0 for winner, _ in sets):
            yield int(match), twin.settle(sets, to_plain(settlement))["exact"]


def plain_paid(match: int, exact: int, settlement: Settlement) -> int:
    """What is paid, by the twin and the die of the match."""
    choices = twin.round_amount(exact, to_plain(settlement))
    if len(choices) == 1:
        return choices[0]
    higher = int(higher_dice(np.array([match]), SEED)[0])
    return choices[1] if higher == (1 if exact > 0 else 2) else choices[0]


def with_a_hole_more(rows: dict[str, Any], length: int) -> dict[str, Any]:
    more = dict(rows)
    for player in (1, 2):
        last = (rows["set_no"] == length) & (rows["winner"] == player)
        more[f"holes_{player}"] = rows[f"holes_{player}"] + last
    return more


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("length", [2, 6])
def test_every_number_is_that_of_plain_counting(way: RoundFive, length: int) -> None:
    settlement = replace(Settlement(tokens_per_set=1), round_five=way)
    rules = replace(GUITON, match=replace(GUITON.match, settlement=settlement))
    rows = random_rows(60, 6, seed=3, chance=0.8)
    found = estimates(rows, Rounding(lengths=(2, 6)), rules)
    matches = list(plain_matches(rows, length, settlement))
    more = [exact for _, exact in plain_matches(with_a_hole_more(rows, length), length, settlement)]
    paid = [plain_paid(match, exact, settlement) for match, exact in matches]
    shown: dict[str, list[bool]] = {
        "five": [abs(exact) % 10 == 5 for _, exact in matches],
        "to_nought": [exact != 0 and not r for (_, exact), r in zip(matches, paid, strict=True)],
        "changed": [exact != r for (_, exact), r in zip(matches, paid, strict=True)],
        "step_of_a_point": [
            plain_paid(m, exact + 1, settlement) != r for (m, exact), r in zip(matches, paid, strict=True)
        ],
        "step_of_a_hole": [
            plain_paid(m, other, settlement) != r
            for (m, _), other, r in zip(matches, more, paid, strict=True)
        ],
    }
    for share, seen in shown.items():
        one = number(found, share, length)
        assert (one.interval.n, one.interval.mean) == (60, pytest.approx(sum(seen) / 60)), share
    for digit in range(10):
        expected = sum(abs(exact) % 10 == digit for _, exact in matches) / 60
        assert number(found, "remainder", length, str(digit)).interval.mean == pytest.approx(expected)
    for other in WAYS:
        tariff = replace(settlement, round_five=other)
        sums = [plain_paid(match, exact, tariff) for match, exact in matches]
        over = [abs(r) - abs(exact) for (_, exact), r in zip(matches, sums, strict=True)]
        gain = [r - exact for (_, exact), r in zip(matches, sums, strict=True)]
        for measure, values in (("paid_over", over), ("gain_of_1", gain)):
            one = number(found, measure, length, other.value)
            assert one.interval.mean == pytest.approx(np.mean(values))
            assert one.interval.se == pytest.approx(np.std(values, ddof=1) / math.sqrt(60))
    result = np.array([exact for _, exact in matches])
    assert number(found, "result_of_1", length).interval.mean == pytest.approx(result.mean())
    assert number(found, "mean_size", length).interval.mean == pytest.approx(np.abs(result).mean())
    advantage = number(found, "advantage_changes", length, "down").interval.mean
    down = [plain_paid(m, e, replace(settlement, round_five=RoundFive.DOWN)) - e for m, e in matches]
    assert advantage == pytest.approx(sum(down) / result.sum())


def test_five_up_is_compared_with_the_dice_of_each_match() -> None:
    settlement = Settlement()
    rows = random_rows(200, 2, seed=4)
    found = estimates(rows, Rounding(lengths=(2,)))
    gains = [
        plain_paid(m, e, settlement) - plain_paid(m, e, replace(settlement, round_five=RoundFive.DIE))
        for m, e in plain_matches(rows, 2, GUITON.match.settlement)
    ]
    assert any(gains)
    assert number(found, "five_up_for_1", 2).interval.mean == pytest.approx(np.mean(gains))


def test_last_digits_as_likely_as_each_other_give_half_a_point_too_much() -> None:
    """Up: 5 too much on a five, and the other digits cancel; down as much too little; by dice nothing."""
    from simkit.settle import round_amount

    exact = np.arange(1000, 2000)
    mean = {
        way: float((round_amount(exact, replace(Settlement(), round_five=way), np.ones(1000)) - exact).mean())
        for way in (RoundFive.UP, RoundFive.DOWN, RoundFive.HALF_EVEN)
    }
    assert mean == {RoundFive.UP: 0.5, RoundFive.DOWN: -0.5, RoundFive.HALF_EVEN: 0.0}


def test_blocks_add_up_and_capped_matches_are_left_out() -> None:
    rows = random_rows(80, 6, seed=9, capped=0.03)
    whole = rounding_sums([rows], Settlement(), (2, 6), SEED)
    blocks = [part(rows, slice(0, 30)), part(rows, slice(30, 80))]
    apart = rounding_sums(blocks, Settlement(), (6, 2), SEED)
    assert (whole.products == apart.products).all() and (whole.counts == apart.counts).all()
    assert (joined(blocks)["match_id"] == rows["match_id"]).all()
    assert whole.n(0) == len(list(plain_matches(rows, 2, Settlement())))
    assert whole.n(1) == len(list(plain_matches(rows, 6, Settlement()))) < 80


def test_an_advantage_is_named_only_where_there_is_one() -> None:
    question = Rounding(lengths=(2,))
    strong = estimates(random_rows(300, 2, seed=1, chance=0.9), question)
    even = estimates(random_rows(20, 2, seed=1), question)
    assert any(one.measure == "advantage_changes" for one in strong)
    assert not any(one.measure == "advantage_changes" for one in even)


def test_rules_that_do_not_round_are_refused() -> None:
    with pytest.raises(ConfigError, match="does not round"):
        Rounding(lengths=(2,)).plays(catalogue.rule_set("ecrire_malfilatre"))
    with pytest.raises(ConfigError, match="not a match of several sets"):
        Rounding(lengths=(2,)).plays(catalogue.rule_set("twelve_hole"))
    assert list(Rounding(lengths=(3, 4)).problems()) == [
        "lengths = (3, 4): even numbers from 2 to 24, each once"
    ]


def test_the_experiment_remade_small(tmp_path: Any) -> None:
    declared = catalogue.experiment("rounding")
    small = replace(
        declared,
        rules=declared.rules[:1],
        players=(("random", "random"), ("prudent", "random"), ("random", "prudent")),
        analysis=Rounding(lengths=(2, 8)),
        seed=17,
        claims=tuple(replace(claim, players=()) for claim in declared.claims),
    )
    result = run_experiment(small, matches=40, jobs=1, root=tmp_path)
    run = open_run(result.folder)
    rows = next(iter(run.iter_sets(0)))
    settlement = GUITON.match.settlement
    changed = [
        exact != twin.round_amount(exact, to_plain(settlement))[0]
        for _, exact in plain_matches(rows, 8, settlement)
    ]
    found = result.estimates
    one = found[(found["measure"] == "changed") & (found["sets"] == 8) & (found["player_1"] == "random")]
    assert one["mean"].iloc[0] == pytest.approx(sum(changed) / len(changed))
    assert {verdict.claim for verdict in result.verdicts} == {"B10", "B10b", "B11", "B11b"}
    page = render(result)
    assert page.count("<svg") == page.count("<summary>The numbers of figure") == 4
    words = dict(answer(result).details)["Unequal players."]
    assert "prudent wins" in words and "cost random as much" in words
