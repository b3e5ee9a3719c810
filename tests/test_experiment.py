"""An experiment is checked when declared, plays each distinct play once, judges claims by its criteria."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rows import random_rows

from simkit import catalogue
from simkit import experiment as module
from simkit.analysis.criteria import AtLeast, Between, Claim, Every
from simkit.analysis.estimates import COLUMNS, Estimate
from simkit.analysis.intervals import Interval
from simkit.analysis.precision import SAME_FROM, Stop
from simkit.analysis.tails import TailsOfSets
from simkit.batch import play_run
from simkit.dataset import FIGURES, MATCHES, SETS, open_run
from simkit.drivers import ChunkTables
from simkit.errors import ConfigError, UsageError
from simkit.experiment import Experiment, ExperimentResult, analyse, design, run_experiment

CLAIM = Claim(
    id="B5",
    source="source 000, 7",
    text="The payment of the sets can cost the leader the match.",
    criterion="More than one match in a hundred.",
    test=AtLeast(measure="leader_loses", threshold=0.01, sets=(4, 8)),
)
TAILS = TailsOfSets(
    settlements=({"tail_of_sets": 0}, {"tail_of_sets": 20}, {"tail_of_sets": 20, "tokens_per_set": 0}),
    lengths=(2, 4, 8),
)
SMALL = Experiment(
    name="small",
    title="Small",
    question="Does it run?",
    rules=("ecrire_academie",),
    players=(("random", "random"), ("prudent", "prudent")),
    analysis=TAILS,
    matches=200,
    seed=7,
    claims=(CLAIM,),
    criteria_set="before the run",
)


def fake_driver(
    rules: Any, players: Any, seed: int, first: int, count: int, capped: float = 0.0
) -> ChunkTables:
    """Plausible rows instead of play."""
    known = random_rows(count, rules.match.sets, seed + first, capped=capped, first_match=first)
    known |= {f"holes_own_die_{player}": known[f"holes_{player}"] for player in (1, 2)}
    size = known["match_id"].size
    sets = {
        column.name: known.get(column.name, np.zeros(size, dtype=np.dtype("int8"))) for column in SETS.data
    }
    sets = {
        column.name: sets[column.name].astype("int8" if column.dtype == "category" else column.dtype)
        for column in SETS.data
    }
    matches = {column.name: np.zeros(count, dtype=column.dtype) for column in MATCHES.data}
    matches["match_id"] = np.arange(first, first + count, dtype=np.int64)
    matches["first_player"] += 1
    return ChunkTables(matches, sets, np.zeros((2, len(FIGURES), 2), dtype=np.int64))


def capping_driver(*arguments: Any) -> ChunkTables:
    return fake_driver(*arguments, capped=0.05)


def played(experiment: Experiment, root: Path, driver: Any = fake_driver) -> ExperimentResult:
    """The experiment upon rows that nobody played."""
    run = play_run(
        design(experiment).plays,
        200,
        root=root,
        name=experiment.name,
        jobs=1,
        backend="threads",
        driver=driver,
    )
    return analyse(experiment, run)


def test_estimates_sanity_and_verdicts_of_every_pair(tmp_path: Path) -> None:
    result = played(SMALL, tmp_path)
    found = result.estimates
    assert tuple(found.columns) == COLUMNS
    assert set(found["player_1"]) == {"random", "prudent"}
    key = ["measure", "player_1", "sets", "tail_of_sets", "tokens_per_set", "detail"]
    assert not found[key].duplicated().any()
    by_skill = found[found["measure"] == "winner_changes_by_skill"]
    assert set(by_skill["player_1"]) == {"prudent"} and set(by_skill["contrast"]) == {
        "players=random, random"
    }
    assert result.matches == 200 and result.sanity["usable"].all()
    assert [(v.claim, v.player_1, v.verdict) for v in result.verdicts] == [
        ("B5", "random", "confirmed"),
        ("B5", "prudent", "confirmed"),
    ]
    assert result.verdicts[0].heading == (
        "B5, random against random: confirmed "
        "(at 4 and 8 sets above the threshold of 1\u202f%, which is ours)"
    )
    assert result.command == "simkit run small"


def test_the_stored_estimates_come_back(tmp_path: Path) -> None:
    result = played(SMALL, tmp_path)
    module.write_estimates(result.folder, result.stored)
    back = open_run(result.folder).estimates
    assert len(back) == len(result.stored) > len(result.estimates)
    kept = back[~back["measure"].astype(str).str.startswith("sanity_")]
    assert kept["mean"].tolist() == pytest.approx(result.estimates["mean"].tolist(), nan_ok=True)
    assert kept["sets"].tolist() == result.estimates["sets"].tolist()


def test_players_who_do_not_end_their_sets_are_not_used(tmp_path: Path) -> None:
    result = played(SMALL, tmp_path, capping_driver)
    assert result.estimates.empty and not result.sanity["usable"].any()
    assert {verdict.verdict for verdict in result.verdicts} == {"undecided"}
    assert "had to be cut" in result.verdicts[0].numbers
    assert set(result.stored["measure"]) == {f"sanity_{name}" for name in module.sane.NUMBERS}


def test_run_experiment_plays_settles_writes_and_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simkit.drivers.play_chunk", fake_driver)
    shown: list[Any] = []
    result = run_experiment(
        replace(SMALL, players=(("random", "random"),)),
        matches=50,
        jobs=1,
        root=tmp_path,
        report=lambda folder, result: shown.append((folder, result)),
    )
    assert shown == [(result.folder, result)]
    assert result.matches == 50 and (result.folder / "estimates.parquet").is_file()
    assert result.command == "simkit run small --matches 50"


@pytest.mark.parametrize("rows_of", ["", "shared_rows"])
def test_a_smaller_run_leaves_the_estimates_of_a_larger_one(tmp_path: Path, rows_of: str) -> None:
    def page(folder: Path, result: ExperimentResult) -> None:
        (folder / result.page_name).write_text(str(result.most_matches))

    tiny = replace(SMALL, matches=30, rows_of=rows_of)
    larger = run_experiment(tiny, jobs=1, root=tmp_path, report=page)
    described = {name: (larger.folder / name).read_bytes() for name in ("run.json", "README.md")}
    assert b"| 30 | 30 |" in described["README.md"] and b"read for estimates" in described["README.md"]
    fewer = run_experiment(tiny, matches=10, jobs=1, root=tmp_path, report=page)
    assert set(fewer.estimates["n"]) <= set(range(11))
    assert fewer.beside
    assert fewer.command == "simkit run small --matches 10"
    assert {path.name for path in fewer.folder.glob("*.html")} == {"report.html", "report_10.html"}
    assert (fewer.folder / "report.html").read_text() == "30"
    assert open_run(fewer.folder).estimates["n"].max() == 30
    assert described == {name: (fewer.folder / name).read_bytes() for name in described}
    more = run_experiment(tiny, matches=40, jobs=1, root=tmp_path, report=page)
    assert not more.beside
    assert (more.folder / "report.html").read_text() == "40"


def test_play_stops_when_the_numbers_are_known_well_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simkit.drivers.play_chunk", fake_driver)
    monkeypatch.setattr(module, "schedule", lambda budget: (40, 80, 120, 160, budget))
    precise = replace(SMALL, precision=(0.08, 0.95), precision_of=("winner_changes",))
    result = run_experiment(precise, jobs=1, root=tmp_path)
    assert result.stop is not None and result.stop.reached and result.stop.looks[0] == 40
    assert 40 < result.matches < 200 and result.matches == result.stop.looks[-1]
    ours = result.estimates[result.estimates["measure"] == "winner_changes"]
    assert (ours["high"] - ours["low"]).max() / 2 <= 0.08
    assert result.command == "simkit run small"

    short = run_experiment(SMALL, jobs=1, root=tmp_path, until={"winner_changes": 0.01})
    assert short.stop is not None and not short.stop.reached and short.matches == 200
    assert short.stop.needed is not None and short.stop.needed > 200
    assert short.command == "simkit run small --until winner_changes=0.01"
    assert (short.folder / "estimates.parquet").is_file(), "what was played is kept"
    with pytest.raises(UsageError, match="'rolls' is no measure of small; there are"):
        run_experiment(SMALL, jobs=1, root=tmp_path, until={"rolls": 1.0})


def test_a_number_that_never_varies_is_known_from_so_many_matches_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = played(SMALL, tmp_path)
    ours = found.estimates["measure"] == "winner_changes"
    estimates = found.estimates.copy()
    estimates.loc[ours, ["low", "high", "se"]] = np.nan
    estimates.loc[ours, ["method", "contrast"]] = "t; nothing varied", ""
    estimates["n"] = 200
    held = replace(found, estimates=estimates)

    def stopped() -> Stop:
        result = module._played_until(SMALL, {"winner_changes": 0.01}, 200, lambda _: held)
        assert result.stop is not None
        return result.stop

    few = stopped()
    assert (few.reached, few.needed) == (False, SAME_FROM)
    monkeypatch.setattr(module, "SAME_FROM", 200)
    assert stopped().words == (
        "winner_changes to within 0.01 (the same in every match): reached with 200 matches, after 1 look"
    )
    estimates.loc[ours, "contrast"] = "consolation=0"  # pairs that are all alike: any next one may differ
    assert not stopped().reached and "the same" not in stopped().words
    estimates.loc[ours, "method"] = "computed from sums"
    with pytest.raises(UsageError, match="winner_changes is computed from sums, and has no interval that"):
        stopped()


def test_looks_do_not_change_what_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "schedule", lambda budget: (40, 80, 120, 160, budget))
    stopped = run_experiment(SMALL, jobs=1, root=tmp_path / "one", until={"winner_changes": 0.08})
    fixed = run_experiment(SMALL, matches=stopped.matches, jobs=1, root=tmp_path / "two")
    assert stopped.estimates.equals(fixed.estimates)


def test_pairs_that_an_interrupted_run_left_uneven_are_cut_to_one_number(tmp_path: Path) -> None:
    tiny = replace(SMALL, matches=30)
    plays = design(tiny).plays
    play_run(plays, [30, 5], root=tmp_path, name="small", jobs=1)
    result = run_experiment(tiny, matches=20, jobs=1, root=tmp_path)
    assert result.run.counts == (20, 20)
    assert set(result.sanity["matches"]) == {20}


def test_rule_sets_that_differ_in_settlement_share_one_play() -> None:
    both = replace(SMALL, rules=("ecrire_academie", "ecrire_academie_no_tails"))
    found = design(both)
    assert len(found.plays) == 2 and sorted(place[""] for place in found.place.values()) == [0, 0, 1, 1]
    assert all(play.rules.match.sets == 8 for play in found.plays)  # type: ignore[union-attr]
    assert not found.same, "each has its own settlement, and its own answer"


def test_the_monitor_counts_winner_changes() -> None:
    watch = TAILS.monitor([play.rules for play in design(SMALL).plays], 0.95)
    first, second = (fake_driver(watch_rules(), None, 3, start, 100).sets for start in (0, 100))
    one, two = watch(0, {}, first), watch(0, {}, second)
    assert one is not None and two is not None
    assert two.label == "winner changes at 8 sets"
    assert 0 < two.half_width < one.half_width


def watch_rules() -> Any:
    return catalogue.rule_set("ecrire_academie")


# ---------------------------------------------------------------- criteria


def number(
    low: float, high: float, *, sets: int = 4, measure: str = "leader_loses", tail: int = 20
) -> Estimate:
    interval = Interval(
        n=100, mean=(low + high) / 2, se=(high - low) / 4, low=low, high=high, level=0.95, method="t"
    )
    return Estimate(
        measure=measure,
        sets=sets,
        tail_of_sets=tail,
        tokens_per_set=2,
        contrast="",
        unit="share of matches",
        interval=interval,
    )


@pytest.mark.parametrize(
    ("at_4", "at_8", "verdict"),
    [
        ((0.02, 0.03), (0.02, 0.03), "confirmed"),
        ((0.02, 0.03), (0.005, 0.03), "undecided"),
        ((0.01, 0.03), (0.02, 0.03), "undecided"),  # the interval touches the threshold
        ((0.02, 0.03), (0.001, 0.009), "refuted"),
        ((0.005, 0.03), (0.001, 0.009), "refuted"),
        ((float("nan"), float("nan")), (0.02, 0.03), "undecided"),
    ],
)
def test_a_verdict_needs_the_whole_interval(
    at_4: tuple[float, float], at_8: tuple[float, float], verdict: str
) -> None:
    found = [number(*at_4, sets=4), number(*at_8, sets=8), number(0.9, 0.95, sets=8, tail=40)]
    decision = CLAIM.test.decide(found)
    assert decision.outcome == verdict
    assert "threshold 1\u202f%." in decision.numbers


def test_what_was_not_estimated_decides_nothing() -> None:
    decision = CLAIM.test.decide([number(0.02, 0.03, sets=4)])
    assert (decision.outcome, decision.numbers) == ("undecided", "leader_loses was not estimated at 8 sets.")


LARGER = AtLeast(
    measure="leader_loses",
    threshold=1.5,
    sets=(4,),
    null=1.0,
    subject="the share is",
    higher="larger",
    lower="smaller",
    than="than at 8 sets",
)
OURS = "the threshold of 150\u202f%, which is ours"


@pytest.mark.parametrize(
    ("ends", "verdict", "meaning"),
    [
        ((1.6, 1.7), "confirmed", f"the share is larger than at 8 sets, and above {OURS}"),
        ((1.3, 1.7), "undecided", f"the share is larger than at 8 sets, but perhaps not above {OURS}"),
        ((1.30, 1.32), "refuted", f"the share is larger than at 8 sets, but below {OURS}"),
        ((0.9, 1.2), "refuted", f"no difference can be told from chance, and it lies below {OURS}"),
        ((0.9, 1.7), "undecided", f"no difference can be told from chance, and it may lie above {OURS}"),
        ((0.1, 0.2), "refuted", "the share is smaller than at 8 sets"),
    ],
)
def test_a_verdict_says_on_which_side_of_no_effect_the_number_lies(
    ends: tuple[float, float], verdict: str, meaning: str
) -> None:
    decision = LARGER.decide([number(*ends)])
    assert (decision.outcome, decision.meaning) == (verdict, f"at 4 sets {meaning}")


FEWER = AtLeast(
    measure="leader_loses",
    threshold=0.0,
    sets=(4, 8),
    null=0.0,
    says="of matches fewer",
    says_below="of matches more",
    higher="less often",
    lower="more often",
)


def test_a_difference_below_nought_is_told_without_a_sign_and_with_the_lengths_where_it_turns() -> None:
    ends = {2: (-0.1, 0.1), 4: (-0.02, -0.01), 6: (-0.03, -0.01), 8: (-0.04, -0.01), 10: (-0.1, 0.1)}
    longer = {12: (0.01, 0.02), 14: (0.01, 0.02), 16: (0.01, 0.02)}
    decision = FEWER.decide([number(*end, sets=sets) for sets, end in (ends | longer).items()])
    assert (decision.outcome, decision.meaning) == ("refuted", "at 4 and 8 sets more often")
    assert decision.elsewhere == "but at 12 to 16 sets less often"
    assert decision.numbers.replace("\u202f", "") == (
        "At 4 sets 1.50% of matches more (1.00 to 2.00%), at 8 sets 2.50% (1.00 to 4.00%). "
        "By number of sets: at 12 to 16 less often; at 4 to 8 more often; "
        "at 2 and 10 no difference can be told from chance."
    )


def test_lengths_that_differ_are_told_apart() -> None:
    decision = FEWER.decide([number(-0.02, -0.01, sets=4), number(0.01, 0.02, sets=8)])
    assert decision.meaning == "at 4 sets more often; at 8 sets less often"
    assert (decision.outcome, decision.elsewhere) == ("refuted", "")
    found = [number(-0.02, -0.01, sets=4), number(-0.1, 0.1, sets=8), number(0.01, 0.02, sets=24)]
    assert FEWER.decide(found).elsewhere == "but at 24 sets less often"
    decision = FEWER.decide([number(0.01, 0.02, sets=4), number(-0.02, -0.01, sets=8)])
    assert decision.meaning == "at 8 sets more often; at 4 sets less often"  # what refutes comes first


def test_without_an_interval_nothing_is_decided() -> None:
    nan = float("nan")
    nothing = Interval(n=100, mean=0.0, se=0.0, low=nan, high=nan, level=0.95, method="nothing varied")
    decision = FEWER.decide([replace(number(0.0, 0.0, sets=sets), interval=nothing) for sets in (4, 8)])
    assert (decision.outcome, decision.meaning) == (
        "undecided",
        "at 4 and 8 sets no difference can be told from chance",
    )
    assert "0.00\u202f% of matches fewer (no interval)" in decision.numbers
    nothing = replace(nothing, mean=nan)
    decision = FEWER.decide([replace(number(0.0, 0.0, sets=sets), interval=nothing) for sets in (4, 8)])
    assert decision.numbers.startswith("At 4 sets nothing to tell it by, at 8 sets nothing")


def share_of(low: float, high: float, detail: str = "going") -> Estimate:
    found = number(low, high, measure="ended_by")
    return replace(found, sets=None, tail_of_sets=None, tokens_per_set=None, detail=detail)


MOST = Between(
    measure="ended_by", detail="going", low=0.5, says="by going", inside="most do", below="most do not"
)
FEW = Between(measure="ended_by", detail="reprise", high=0.05, inside="few", above="many")


@pytest.mark.parametrize(
    ("ends", "verdict", "meaning"),
    [
        ((0.6, 0.7), "confirmed", "most do"),
        ((0.4, 0.6), "undecided", "too near a bound to tell"),
        ((0.3, 0.4), "refuted", "most do not"),
        ((float("nan"), float("nan")), "undecided", "not estimated"),
    ],
)
def test_a_number_between_bounds(ends: tuple[float, float], verdict: str, meaning: str) -> None:
    decision = MOST.decide([share_of(0.9, 1.0, "end"), share_of(*ends)])
    assert (decision.outcome, decision.meaning) == (verdict, meaning)


def test_a_number_is_told_with_its_bounds() -> None:
    both = replace(MOST, high=0.9, above="all do").decide([share_of(0.6, 0.7)])
    assert both.numbers.replace("\u202f", "") == "65.0% by going (60.0 to 70.0%); bounds 50% and 90%."
    assert MOST.decide([share_of(0.6, 0.7)]).numbers.endswith("threshold 50\u202f%.")
    assert replace(MOST, high=0.9, above="all do").decide([share_of(0.95, 0.97)]).meaning == "all do"


@pytest.mark.parametrize(
    ("few", "verdict", "meaning"),
    [
        ((0.01, 0.02), "confirmed", "most do; few"),
        ((0.01, 0.1), "undecided", "too near a bound to tell whether few; the other part is confirmed"),
        ((0.2, 0.3), "refuted", "many; the other part is confirmed"),
    ],
)
def test_of_several_criteria_all_must_hold_and_those_that_decide_are_told(
    few: tuple[float, float], verdict: str, meaning: str
) -> None:
    decision = Every(tests=(MOST, FEW)).decide([share_of(0.6, 0.7), share_of(*few, "reprise")])
    assert (decision.outcome, decision.meaning) == (verdict, meaning)
    assert decision.numbers.startswith("Confirmed: ") == (verdict != "confirmed")
    assert (f". {verdict.capitalize()}: " in decision.numbers) == (verdict != "confirmed")


PARTS = Every(tests=tuple(replace(MOST, detail=name, part=f"in {name}") for name in ("a", "b", "c", "d")))
ABOVE, NEAR, BELOW = (0.6, 0.7), (0.4, 0.6), (0.3, 0.4)


@pytest.mark.parametrize(
    ("ends", "verdict", "meaning"),
    [
        ((ABOVE,) * 4, "confirmed", "most do"),
        ((BELOW,) * 4, "refuted", "most do not"),
        ((NEAR,) * 4, "undecided", "too near a bound to tell whether most do"),
        (
            (BELOW, NEAR, BELOW, NEAR),
            "refuted",
            "most do not in a and in c; the other 2 parts are undecided",
        ),
        (
            (BELOW, NEAR, ABOVE, NEAR),
            "refuted",
            "most do not in a; of the other 3 parts 2 are undecided and 1 is confirmed",
        ),
        (
            (ABOVE, NEAR, ABOVE, ABOVE),
            "undecided",
            "too near a bound to tell whether most do in b; the other 3 parts are confirmed",
        ),
    ],
)
def test_parts_that_mean_the_same_are_told_apart_where_they_come_out_differently(
    ends: tuple[tuple[float, float], ...], verdict: str, meaning: str
) -> None:
    decision = PARTS.decide([share_of(*at, name) for at, name in zip(ends, "abcd", strict=True)])
    assert (decision.outcome, decision.meaning) == (verdict, meaning)


# ---------------------------------------------------------------- declarations


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": "A tail"}, "name = 'A tail'"),
        ({"analysis": replace(TAILS, lengths=(2, 5))}, "lengths = "),
        ({"analysis": replace(TAILS, lengths=(2, 26))}, "even numbers from 2 to 24"),
        ({"analysis": replace(TAILS, lengths=())}, "lengths = (): even numbers"),
        ({"claims": (replace(CLAIM, rules=("classical",)),)}, "claim B5: classical is not among its rules"),
        (
            {"claims": (replace(CLAIM, players=(("greedy", "greedy"),)),)},
            "claim B5: greedy against greedy is not among its players",
        ),
        ({"criteria_set": ""}, "criteria_set: when were"),
        ({"players": ()}, "players: none given"),
        (
            {"analysis": replace(TAILS, settlements=({"consolation": 3},))},
            "consolation cannot be varied, only tail_of_sets, tokens_per_set",
        ),
        ({"matches": 0}, "matches = 0: from 1 to"),
        ({"seed": -1}, "seed = -1"),
        ({"level": 95}, "level = 95"),
        ({"claims": (CLAIM, CLAIM)}, "claims: two have the same id"),
        ({"precision": (0.0, 0.95), "precision_of": ("x",)}, "a half-width above 0"),
        ({"precision": (0.1, 0.9), "precision_of": ("x",)}, "its level is that of the intervals, 0.95"),
        ({"precision": (0.1, 0.95)}, "of which measures"),
        ({"precision_of": ("x",)}, "no precision is asked for"),
    ],
)
def test_a_wrong_experiment_cannot_be_declared(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        replace(SMALL, **change)
    assert any(words in problem for problem in caught.value.problems)


def test_all_faults_are_listed_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        replace(SMALL, analysis=replace(TAILS, lengths=(3,)), seed=-1, matches=0)
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rules": ("ecrire_academi",)}, "did you mean ecrire_academie"),
        ({"players": (("prudent", "gredy"),)}, "did you mean greedy"),
        ({"rules": ("twelve_hole",)}, "not a match of several sets"),
        ({"analysis": replace(TAILS, settlements=({"tail_of_sets": -5},))}, "tail_of_sets"),
    ],
)
def test_names_and_values_are_checked_before_anything_is_played(
    change: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises((UsageError, ConfigError), match=words):
        run_experiment(replace(SMALL, **change), jobs=1, root=tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_experiment_of_the_catalogue() -> None:
    tail_of_sets = catalogue.experiment("tail_of_sets")
    found = design(tail_of_sets)
    assert [claim.id for claim in tail_of_sets.claims] == ["B1", "B1b", "B2", "B5"]
    assert all(play.rules.match.sets == 24 for play in found.plays)  # type: ignore[union-attr]
    settlements = tail_of_sets.analysis._settlements(catalogue.rule_set("ecrire_academie"))
    assert {(one.tail_of_sets, one.tokens_per_set) for one in settlements} == {
        (tail, tokens) for tail in (0, 10, 20, 30, 40) for tokens in (0, 2)
    }
