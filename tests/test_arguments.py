"""Every argument of the notebook's functions: whatever it is given, they answer or say what they accept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import simkit
from simkit import api, catalogue, research
from simkit.errors import SimkitError, UsageError
from simkit.lockstep import weights_of

ROLL = {"position": "1:9 6 7 8 9 12:2 | 13:2 24:13", "dice": "6-5", "score": "3:10b 2:0"}
GIVEN: dict[str, Any] = {
    "None": None,
    "''": "",
    "'a'": "a",
    "b'a'": b"a",
    "nul": "a\0b",
    "-1": -1,
    "0": 0,
    "nan": float("nan"),
    "inf": float("inf"),
    "1.5": 1.5,
    "True": True,
    "[]": [],
    "[None]": [None],
    "['a']": ["a"],
    "[[]]": [[]],
    "{}": {},
    "{'a': 'b'}": {"a": "b"},
    "{1: None}": {1: None},
    "{'rolls': []}": {"rolls": []},
    "set": set(),
    "object": object(),
    "10**30": 10**30,
    "lambda": lambda: None,
    "int64": np.int64(-7),
    "float32": np.float32(0.5),
    "array": np.array([1.0, 2.0]),
    "no array": np.array([]),
    "array of objects": np.array([None, "a"], object),
    "Series": pd.Series([1, 2]),
    "frame": pd.DataFrame({"a": [1]}),
    "path": Path("nowhere"),
}
"""What no argument is made for, and what some are."""

PLAYED = ("None", "''", "'a'", "0", "path")
"""What an experiment takes for one argument or another, and then plays: a second or two each time."""


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the functions are asked of: small runs and what was made of them."""
    where = tmp_path_factory.mktemp("held")
    run = simkit.simulate("ecrire_academie", "random", matches=4, jobs=1, out=where / "run")
    return {
        "run": run,
        "experiment": replace(catalogue.experiment("tail_of_sets"), matches=2),
        "compared": simkit.compare(run, vary=[{"settlement.tail_of_sets": 0}], jobs=1, root=where),
        "told": simkit.replay(run, 1),
        "record": simkit.adjourn(run, 0, after=2),
        "resumed": simkit.resume(simkit.adjourn(run, 0, after=2)),
        "rollout": simkit.rollout(
            "classical", ROLL["position"], "6-5", score=ROLL["score"], matches=2, jobs=1
        ),
        "rules": simkit.rule_set("ecrire_academie"),
        "player": simkit.player("prudent"),
    }


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    plt.close("all")


def rolls() -> Any:
    """A table of two matches that waits, and its rolls."""
    table = simkit.LockStep("twelve_hole", matches=2)
    return table, table.observe()


def over() -> Any:
    """A table whose match is over."""
    return simkit.LockStep("twelve_hole", ("random", "random"), matches=1)


def chosen(choices: Any, going: Any) -> None:
    rolls()[0].choose(choices, going)


def dataset(rules: Any = (), **changes: Any) -> Any:
    """A research dataset, built."""
    folder = changes.pop("folder", "dataset")
    jobs = changes.pop("jobs", 1)
    given = {"name": "small", "players": (("random",),), "matches": 1} | changes
    return research.build(research.Research(rules=rules, **given), folder, jobs=jobs)


def asked(held: dict[str, Any]) -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """Functions by name, each with arguments that it takes: those named `_0` by place, the rest by name."""
    run, rules = held["run"], held["rules"]
    small = {"matches": 2, "seed": 1, "jobs": 1}
    pool = {"players": "random", **small}
    two = rolls()[1]
    plays, count = len(two.plays), len(two)
    bots = (simkit.player("random"),)
    return {
        "rule_set": (simkit.rule_set, {"name": "classical"}),
        "player": (simkit.player, {"name": "random"}),
        "open": (simkit.open, {"folder": run.folder}),
        "simulate": (
            simkit.simulate,
            {"rules": "twelve_hole", **pool, "out": "out", "progress": None, "starts": ()},
        ),
        "start": (
            simkit.start,
            {"position": "1:15 | 24:15", "score": "", "to_roll": 1, "roll_number": None, "dice": "6-5"},
        ),
        "rollout": (
            simkit.rollout,
            {"rules": "classical", **ROLL, "to_roll": 1, "roll_number": None, **pool},
        ),
        "compare": (
            simkit.compare,
            {
                "_0": run,
                "vary": [{"settlement.tail_of_sets": 0}],
                "matches": 2,
                "measures": ["rolls"],
                "margin": {"rolls": 20},
                "level": 0.9,
                "jobs": 1,
                "root": "results",
                "progress": None,
            },
        ),
        "compare played": (
            simkit.compare,
            {
                "_0": "twelve_hole",
                "_1": "twelve_hole_honours",
                **pool,
                "until": {"rolls": 1e6},
            },
        ),
        "compare players": (
            simkit.compare,
            {"_0": "twelve_hole", **pool, "players": ("random", "greedy"), "luck": None},
        ),
        "run": (
            simkit.run,
            {"experiment": held["experiment"], **small, "root": "results", "progress": None, "until": None},
        ),
        "replay": (
            simkit.replay,
            {
                "source": run,
                "match": 1,
                "play": 0,
                "players": "random",
                "seed": None,
                "starts": (),
                "set_no": 1,
                "numbering": "magriel",
            },
        ),
        "replay rules": (
            simkit.replay,
            {
                "source": "twelve_hole",
                "match": 1,
                "play": None,
                "players": "random",
                "seed": 1,
                "starts": (),
                "set_no": 1,
            },
        ),
        "adjourn": (
            simkit.adjourn,
            {"source": run, "match": 1, "after": 2, "play": 0, "players": "random", "seed": None},
        ),
        "resume": (
            simkit.resume,
            {"record": held["record"], "players": "random", "seed": 3, "matches": 1},
        ),
        "settle_run": (simkit.settle_run, {"run": run, "changes": {"tail_of_sets": 0}, "sets": 2}),
        "payments": (simkit.payments, {"run": run, "changes": {"tail_of_sets": 0}, "sets": 2}),
        "changed": (api.changed, {"rules": rules, "changes": {"match.sets": 4}}),
        "rebuild_report": (api.rebuild_report, {"folder": run.folder, "experiment": held["experiment"]}),
        "Research": (
            dataset,
            {
                "rules": (rules,),
                "players": (bots,),
                "name": "small",
                "matches": 1,
                "seed": 0,
                "title": "A",
                "extras": (),
                "records": 0,
                "licence": "CC-BY-4.0",
                "folder": "set",
                "jobs": 1,
            },
        ),
        "LockStep": (
            simkit.LockStep,
            {
                "rules": "twelve_hole",
                "players": (None, None),
                "matches": 1,
                "seed": 0,
                "first_match": 0,
                "starts": (),
                "abreast": 4,
            },
        ),
        "LockStep.choose": (chosen, {"choices": np.zeros(count, int), "going": False}),
        "LockStep.rows": (over().rows, {"table": "matches"}),
        "rolls.men": (two.men, {"words": two.plays}),
        "rolls.draw": (two.draw, {"limits": two.counts, "going": False}),
        "rolls.best": (two.best, {"values": np.zeros(plays)}),
        "rolls.choices_of": (two.choices_of, {"player": held["player"]}),
        "rolls.deeds_of": (two.deeds_of, {"player": held["player"], "choices": np.zeros(count, int)}),
        "rolls.taken": (two.taken, {"choices": np.zeros(count, int)}),
        "rolls.of": (two.of, {"these": np.array([True, False])}),
        "weights_of": (weights_of, {"player": held["player"]}),
        "run.first": (run.first, {"matches": [2]}),
        "run.figure": (run.figure, {"_0": "rolls"}),
        "run.of_match": (run.of_match, {"match": 1, "play": 0}),
        **{
            f"run.{name}": (
                lambda name=name, **given: list(getattr(run, name)(**given)),
                {"play": 0, "columns": ["match_id"]},
            )
            for name in ("iter_matches", "iter_sets")
        },
        "run.iter_rows": (
            lambda **given: list(run.iter_rows(**given)),
            {"table": "sets", "play": 0, "columns": ["match_id"]},
        ),
        "run.iter_payments": (
            lambda **given: list(run.iter_payments(**given)),
            {"play": 0, "rules": rules, "n_sets": 2},
        ),
        "run.check_play": (run.check_play, {"play": 0}),
        "comparison.figure": (held["compared"].figure, {"_0": "rolls"}),
        "told.text": (held["told"].text, {"width": 80}),
        "resumed.scoresheet": (held["resumed"].scoresheet, {"place": 0}),
        "RuleSet.from_json": (simkit.RuleSet.from_json, {"text": rules.to_json()}),
        "RuleSet.words": (rules.words, {"width": 80}),
        "RuleSet.with_match": (rules.with_match, {"sets": 4}),
        "RuleSet.with_settlement": (rules.with_settlement, {"tail_of_sets": 0}),
    }


def call(function: Callable[..., Any], given: dict[str, Any]) -> Any:
    places = [value for name, value in given.items() if name.startswith("_")]
    return function(*places, **{name: value for name, value in given.items() if not name.startswith("_")})


def test_whatever_is_given_is_taken_or_refused_in_words(held: dict[str, Any]) -> None:
    faults = []
    for name, (function, given) in asked(held).items():
        for argument in given:
            for words, value in GIVEN.items():
                if name == "run" and words in PLAYED:
                    continue
                if fault := fault_of(function, given | {argument: value}):
                    faults.append(f"{name}({argument}={words}): {fault}")
    assert not faults, "\n".join(faults)


def fault_of(function: Callable[..., Any], given: dict[str, Any]) -> str:
    """What was raised that is no error of ours, in words."""
    try:
        call(function, given)
    except SimkitError as error:
        return "" if str(error) else "it is refused without a word"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        plt.close("all")
    return ""


@pytest.mark.parametrize(
    "vary", [{"settlement.tail_of_sets": 0}, "settlement.tail_of_sets=0", ["settlement.tail_of_sets=0"]]
)
def test_one_change_and_one_measure_need_no_list(held: dict[str, Any], vary: Any) -> None:
    found = simkit.compare(held["run"], vary=vary, measures="rolls")
    assert list(found.frame["measure"]) == ["rolls"]
    assert found.variants[0].changes[0].path == "settlement.tail_of_sets"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"vary": 3}, "vary: 3 is not a mapping of rules to values"),
        ({"vary": ["tail"]}, "vary: 'tail' is not a change; write PATH=VALUE"),
        ({"margin": [1]}, r"margin: \[1\] is not a mapping of measures"),
        ({"margin": {"rolls": "a"}}, "margin of rolls: 'a' is not above 0"),
        ({"level": "a"}, "level: 'a' is not a level of confidence"),
        ({"measures": 3}, "measures: 3 is not the name of a measure"),
        ({"progress": "a"}, "progress: 'a' is not a reporter"),
    ],
)
def test_a_refusal_names_argument_value_and_what_is_taken(
    held: dict[str, Any], given: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        simkit.compare(held["run"], **{"vary": "settlement.tail_of_sets=0", **given})
