"""How fast the project is on this machine: medians of repeated runs, one core unless a row says otherwise."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simkit.errors import SimkitError, UsageError

RUNS = 7
"""Repetitions of a timed row."""


@dataclass(frozen=True)
class Row:
    """One measured number: its name, the median of `runs` repetitions, its unit."""

    name: str
    median: float
    unit: str
    runs: int


@dataclass(frozen=True)
class _Speed:
    """What a fused run of a player is measured on."""

    rules: str
    player: str
    matches: int
    rows: dict[str, str]  # row name -> what it divides by time


SPEEDS = (
    _Speed(
        "twelve_hole",
        "random",
        20_000,
        {"trictrac.random.rolls_per_s": "rolls", "trictrac.random.games_per_s": "matches"},
    ),
    _Speed(
        "twelve_hole",
        "prudent",
        6_000,
        {"trictrac.linear.rolls_per_s": "rolls", "trictrac.linear.games_per_s": "matches"},
    ),
    _Speed("twelve_hole", "greedy", 1_500, {"trictrac.hits.rolls_per_s": "rolls"}),
    _Speed("ecrire_academie", "random", 4_000, {"written12.random.matches_per_s": "matches"}),
    _Speed("ecrire_academie", "prudent", 800, {"written12.linear.matches_per_s": "matches"}),
    _Speed("combine_classical", "random", 4_000, {"combine.random.matches_per_s": "matches"}),
    _Speed("tourner_guiton", "random", 2_000, {"tourner.random.matches_per_s": "matches"}),
    _Speed("pool_drain", "random", 3_000, {"pools.drain.random.pools_per_s": "pools"}),
    _Speed("pool_drain", "prudent", 1_500, {"pools.drain.linear.pools_per_s": "pools"}),
    _Speed("pool_fill", "random", 2_000, {"pools.fill.random.pools_per_s": "pools"}),
    _Speed(
        "toutes_tables_225",
        "random",
        8_000,
        {"tables.random.rolls_per_s": "rolls", "tables.random.games_per_s": "games"},
    ),
    _Speed(
        "toutes_tables_225",
        "tables_linear",
        6_000,
        {"tables.linear.rolls_per_s": "rolls", "tables.linear.games_per_s": "games"},
    ),
    _Speed("toutes_tables_225", "tables_lookahead", 100, {"tables.lookahead.games_per_s": "games"}),
)

Measure = Callable[[bool], Iterable[Row]]


def run(only: str | None = None, quick: bool = False) -> list[Row]:
    """Measure the rows whose name contains `only`, all without it; `quick` takes fewer and shorter runs.

    Raises
    ------
    UsageError
        If no row is called so.
    """
    rows: list[Row] = []
    for names, measure in MEASURES:
        if only is None or any(only in name for name in names):
            rows += [row for row in measure(quick) if only is None or only in row.name]
    if not rows:
        known = ", ".join(name for names, _ in MEASURES for name in names)
        raise UsageError(f"no benchmark row is called '{only}'; the rows are {known}")
    return rows


def _row(name: str, values: list[float], unit: str) -> Row:
    return Row(name, statistics.median(values), unit, len(values))


def _speed(speed: _Speed) -> Measure:
    def measure(quick: bool) -> Iterable[Row]:
        from simkit.catalogue import player, rule_set
        from simkit.drivers import play_chunk

        rules, one = rule_set(speed.rules), player(speed.player)
        if rules.name.startswith("ecrire"):
            rules = rules.with_match(sets=12)
        matches = max(1, speed.matches // (10 if quick else 1))
        play_chunk(rules, (one,) * rules.match.players, 0, 0, 1)  # compile
        seconds, counts = [], {"matches": matches, "pools": matches, "rolls": 0}
        for _ in range(3 if quick else RUNS):
            start = time.process_time()
            chunk = play_chunk(rules, (one,) * rules.match.players, 0, 0, matches)
            seconds.append(time.process_time() - start)
            counts["rolls"] = int(chunk.matches["rolls"].sum())
            counts["games"] = len(chunk.sets["match_id"])  # or sets, or parties
        for name, what in speed.rows.items():
            yield _row(name, [counts[what] / s for s in seconds], f"{what}/s")

    return measure


def _lockstep(quick: bool) -> Iterable[Row]:
    """Parties in twelve holes whose plays are chosen in NumPy, 1024 matches abreast."""
    from simkit.catalogue import player
    from simkit.lockstep import LockStep, OpenRolls, weights_of
    from simkit.players import OwnPlay, Player

    prudent = player("prudent")
    weights = weights_of(prudent)
    linear = Player(name="linear", title="Linear.", choice=OwnPlay(), decision=prudent.decision)

    def at_random(rolls: OpenRolls) -> tuple[Any, Any]:
        return rolls.draw(rolls.counts), rolls.draw(1024, going=True) < 512

    def by_features(rolls: OpenRolls) -> tuple[Any, Any]:
        return rolls.best(rolls.features @ weights), None

    asked: Any = (("random", None, at_random, 20_000), ("linear", linear, by_features, 8_000))
    for name, one, choose, matches in asked:
        rates = []
        for turn in range(1 + (3 if quick else RUNS)):
            count = matches // (10 if quick else 1) if turn else 1  # the first compiles
            start = time.process_time()
            table = LockStep("twelve_hole", (one, one), matches=count)
            while table.running:
                table.choose(*choose(table.observe()))
            rates.append(int(table.columns.matches["rolls"].sum()) / (time.process_time() - start))
        yield _row(f"lockstep.{name}.rolls_per_s", rates[1:], "rolls/s")


_FIRST_CALL = """
import time; start = time.perf_counter()
from simkit.catalogue import player, rule_set
from simkit.drivers import play_chunk
one = player("greedy")
play_chunk(rule_set("ecrire_academie"), (one, one), 0, 0, 1)
print(time.perf_counter() - start)
"""

_LARGEST = """
import resource
def largest_mb():
    try:
        with open("/proc/self/status") as status:
            return int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) / 1024
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
"""
"""The largest memory of a process. Linux counts to `ru_maxrss` also what the process that started it had held."""

_LARGE_RUN = f"""{_LARGEST}
import json, sys, time
from simkit import api
rules = api.rule_set("ecrire_academie").with_match(sets=12)
run = api.simulate(rules, "random", matches=int(sys.argv[1]), seed=0, out=sys.argv[2])
megabytes = largest_mb()
start = time.perf_counter()
api.settle_summary(run, dict(tail_of_sets=0))
print(json.dumps([megabytes, time.perf_counter() - start]))
"""


def _child(code: str, *arguments: str, cache: str | None = None) -> str:
    environment = os.environ | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment, check=False
    )
    if done.returncode:
        raise SimkitError(f"a benchmark process failed: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def _first_call(quick: bool) -> Iterable[Row]:
    with tempfile.TemporaryDirectory() as cache:
        yield _row("first_call.cold_s", [float(_child(_FIRST_CALL, cache=cache))], "s")
        warm = [float(_child(_FIRST_CALL, cache=cache)) for _ in range(3 if quick else RUNS)]
        yield _row("first_call.warm_s", warm, "s")


def _scaling(quick: bool) -> Iterable[Row]:
    from simkit.batch import play_run
    from simkit.catalogue import player, rule_set
    from simkit.dataset import PlaySpec

    one = player("prudent")
    play = PlaySpec(rule_set("ecrire_academie").with_match(sets=12), (one, one), 0)
    matches = 1_000 if quick else 8_000
    gains = []
    for _ in range(3):
        seconds = []
        for jobs in (1, 2):
            with tempfile.TemporaryDirectory() as folder:
                start = time.perf_counter()
                play_run(play, matches, folder=Path(folder) / "run", jobs=jobs)
                seconds.append(time.perf_counter() - start)
        gains.append(seconds[0] / seconds[1])
    yield _row("scaling.two_workers", gains, "times one")


def _writing(quick: bool) -> Iterable[Row]:
    """Processor time of a run beside that of its chunks: rows encoded, hashed, written and synced."""
    from simkit.batch import play_run
    from simkit.catalogue import player, rule_set
    from simkit.dataset import PlaySpec
    from simkit.drivers import play_chunk

    one, playing = player("random"), 0.0

    def driver(*asked: Any) -> Any:
        nonlocal playing
        start = time.process_time()
        chunk = play_chunk(*asked)
        playing += time.process_time() - start
        return chunk

    play = PlaySpec(rule_set("ecrire_academie").with_match(sets=12), (one, one), 0)
    shares = []
    for turn in range(1 + (3 if quick else RUNS)):  # the first compiles
        with tempfile.TemporaryDirectory() as folder:
            start, playing = time.process_time(), 0.0
            play_run(play, 2_000 if quick else 20_000, folder=Path(folder) / "run", jobs=1, driver=driver)
            spent = time.process_time() - start
        shares += [100 * (spent - playing) / playing] if turn else []
    yield _row("writing.random.percent", shares, "% of playing")


def _large_runs(quick: bool) -> Iterable[Row]:
    """Memory of a run's parent process and seconds of settling, each run in a fresh process; and of verifying."""
    from simkit.verification import verify_run

    for name, matches in (("1e4", 10_000), ("1e5", 100_000), ("1e6", 1_000_000)):
        with tempfile.TemporaryDirectory() as folder:
            played, run = matches // 50 if quick else matches, Path(folder) / "run"
            found: Any = json.loads(_child(_LARGE_RUN, str(played), str(run)))
            yield Row(f"parent_memory_{name}_mb", found[0], "MB", 1)
            if matches == 1_000_000:
                yield Row("settle.1e6_matches_s", found[1], "s", 1)
                for row, rows in (("verify.bytes_of_1e6_matches_s", False), ("verify.1e6_matches_s", True)):
                    start = time.perf_counter()
                    verify_run(run, rows=rows)
                    yield Row(row, time.perf_counter() - start, "s", 1)


MEASURES: tuple[tuple[tuple[str, ...], Measure], ...] = (
    *((tuple(speed.rows), _speed(speed)) for speed in SPEEDS),
    (("lockstep.random.rolls_per_s", "lockstep.linear.rolls_per_s"), _lockstep),
    (("first_call.cold_s", "first_call.warm_s"), _first_call),
    (("scaling.two_workers",), _scaling),
    (("writing.random.percent",), _writing),
    (
        (
            *(f"parent_memory_{size}_mb" for size in ("1e4", "1e5", "1e6")),
            "settle.1e6_matches_s",
            "verify.1e6_matches_s",
            "verify.bytes_of_1e6_matches_s",
        ),
        _large_runs,
    ),
)
"""The rows each measure gives, and the measure."""
