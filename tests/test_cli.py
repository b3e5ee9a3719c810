"""The command line: what it prints, where, with which exit code, and how it refuses."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import simkit
from simkit import api, catalogue, cli
from simkit.errors import ConfigError, FolderMismatch, UsageError, VerificationFailed, WorkerLost

CASES = Path(__file__).parent / "cases"
ENVIRONMENT = {**os.environ, "PYTHONWARNINGS": "ignore"}


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command in this process: exit code, stdout, stderr."""
    code = cli.call([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    code, out, err = told(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "a_run"
    api.simulate("ecrire_academie", "random", matches=40, seed=5, jobs=1, out=folder)
    return folder


# ---------------------------------------------------------------- starting


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ("simulate", "-h"), ("list",)])
def test_help_and_list_load_nothing_heavy(arguments: tuple[str, ...]) -> None:
    program = (
        "import sys; from simkit import cli\n"
        f"code = cli.call({list(arguments)!r})\n"
        "heavy = {'numba', 'pandas', 'pyarrow', 'scipy', 'matplotlib', 'joblib'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if code or (heavy and 'list' not in sys.argv) else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "command", ["list", "show", "diff", "simulate", "settle", "run", "cases", "report", "bench"]
)
def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, err = told(capsys, command, "-h")
    assert (code, err) == (0, "")
    assert f"  simkit {command}" in out
    assert "--json" in out


def test_version_and_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "--version") == (0, f"simkit {simkit.__version__}\n", "")
    code, out, _ = told(capsys)
    assert code == 2
    assert "Commands:" in out


def test_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "simkit", "diff", "classical", "twelve_hole"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "classical and twelve_hole have the same rules.\n")


def test_the_top_level_is_lazy_and_complete() -> None:
    for name in simkit.__all__:
        assert getattr(simkit, name) is not None
    assert simkit.simulate is api.simulate
    with pytest.raises(AttributeError, match="moonlight"):
        _ = simkit.moonlight  # type: ignore[attr-defined]


# ---------------------------------------------------------------- reading


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    names = catalogue.names()
    listed = printed(capsys, "list")
    assert [one["name"] for one in listed["rule_sets"]] == list(names.rule_sets)
    assert [one["name"] for one in listed["players"]] == list(names.players)
    assert [one["name"] for one in listed["experiments"]] == list(names.experiments)
    assert listed["aliases"]["a_ecrire"] == "ecrire_academie"
    _, out, _ = told(capsys, "list")
    for name in (*names.rule_sets, *names.players, *names.experiments):
        assert f"  {name} " in out


@pytest.mark.parametrize("name", ["classical", "a_ecrire", "greedy", "tail_of_sets"])
def test_show(capsys: pytest.CaptureFixture[str], name: str) -> None:
    plain = printed(capsys, "show", name)
    assert plain["name"] in {name, "ecrire_academie"}
    _, out, _ = told(capsys, "show", name)
    assert plain["title"].split(",")[0] in out


def test_show_takes_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(catalogue.rule_set("classical").to_json())
    assert printed(capsys, "show", path)["name"] == "classical"
    module = tmp_path / "mine.py"
    module.write_text(
        "from simkit.rules import RuleSet, Trictrac, Written\n"
        "MINE = RuleSet(name='mine', title='Mine', game=Trictrac(), match=Written())\n"
    )
    assert printed(capsys, "show", f"{module}:MINE")["title"] == "Mine"


def test_diff(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "diff", "ecrire_academie", "ecrire_academie_no_tails")
    assert found["same_play"] is True
    assert found["differences"] == [
        {"path": "settlement.tail_of_sets", "a": "20", "b": "0"},
        {"path": "settlement.tokens_per_set", "a": "2", "b": "0"},
    ]
    _, out, _ = told(capsys, "diff", "classical", "academie")
    assert "game.bear_off_exact_policy  optional" in out


# ---------------------------------------------------------------- playing and settling


def test_simulate_resumes_and_says_what_it_holds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["simulate", "twelve_hole", "--players", "random,prudent", "--seed", 3, "--jobs", 1, "--quiet"]
    command += ["--out", tmp_path / "run"]
    first = printed(capsys, *command, "--matches", 20)
    assert first["new_matches"] == first["plays"][0]["matches"] == 20
    assert (first["plays"][0]["player_1"], first["plays"][0]["player_2"]) == ("random", "prudent")
    more = printed(capsys, *command, "--matches", 30)
    assert (more["new_matches"], more["plays"][0]["matches"]) == (10, 30)
    code, out, err = told(capsys, *command, "--matches", 30)
    assert (code, err) == (0, "")
    assert out.endswith(f"{tmp_path / 'run'}\n")


def test_progress_goes_to_stderr(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = told(
        capsys, "simulate", "twelve_hole", "--players", "random", "--matches", 5, "--jobs", 1,
        "--out", tmp_path / "run", "--json",
    )  # fmt: skip
    assert code == 0
    json.loads(out)
    assert "5 of 5 matches" in err


def test_changed_rules_get_a_name_of_their_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = printed(
        capsys, "simulate", "ecrire_academie", "--set", "match.sets=2", "--set",
        "game.bear_off_exact_policy=optional", "--matches", 2, "--players", "random", "--jobs", 1, "-q",
    )  # fmt: skip
    assert found["plays"][0]["rules"] == "ecrire_academie_sets_2_bear_off_exact_policy_optional"
    folder = Path(found["folder"])
    assert folder.parts[:2] == ("results", "ecrire_academie_sets_2_bear_off_exact_policy_optional")
    assert simkit.open(folder).plays[0].rules.match.sets == 2  # type: ignore[union-attr]


def test_settle_sums_up_what_its_rows_say(
    capsys: pytest.CaptureFixture[str], run: Path, tmp_path: Path
) -> None:
    out = tmp_path / "rows.parquet"
    found = printed(capsys, "settle", run, "--set", "settlement.tail_of_sets=0", "--sets", 4, "--out", out)[
        "plays"
    ][0]
    rows = pd.read_parquet(out)
    again = simkit.settle_run(run, {"tail_of_sets": 0}, sets=4)
    pd.testing.assert_frame_equal(rows, again)
    own = simkit.settle_run(run, sets=4)
    settled = rows[rows.settled]
    assert (settled.tail_of_sets == 0).all()
    assert found["settlement"]["tail_of_sets"] == 0
    assert found["sets"] == 4
    assert found["matches"] == len(settled)
    assert found["unsettled"] == 40 - len(settled)
    assert [found["won_1"], found["drawn"], found["won_2"]] == [
        int((settled.winner == who).sum()) for who in (1, 0, 2)
    ]
    assert found["changed"] == int((settled.winner != own[rows.settled].winner).sum())
    assert found["result"]["mean"] == pytest.approx(settled.exact.mean())
    assert found["size"]["mean"] == pytest.approx(settled.exact.abs().mean())
    assert found["result"]["se"] == pytest.approx(settled.exact.sem())
    code, text, err = told(capsys, "settle", run, "--set", "tail_of_sets=0")
    assert (code, err) == (0, "")
    assert "winner differs" in text


def test_a_partie_can_be_settled_at_double(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "parties"
    simkit.simulate("twelve_hole", "random", matches=30, seed=9, jobs=1, out=folder)
    found = printed(capsys, "settle", folder, "--set", "settlement.price_scheme=double")["plays"][0]
    rows = simkit.settle_run(folder, {"price_scheme": "double"})
    assert set(rows.exact.abs()) <= {1, 2}
    assert found["size"]["mean"] == pytest.approx(rows.exact.abs().mean())
    assert found["changed"] == 0


def test_a_full_disk_leaves_no_rows_behind(
    capsys: pytest.CaptureFixture[str], run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet as pq

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(pq.ParquetWriter, "write_table", full)
    code, out, err = told(capsys, "settle", run, "--out", tmp_path / "rows.parquet")
    assert (code, out) == (1, "")
    assert "No space left on device" in err
    assert list(tmp_path.iterdir()) == []


def test_run_and_report(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = printed(capsys, "run", "tail_of_sets", "--matches", 30, "--seed", 11, "--jobs", 1, "--quiet")
    page = Path(found["report"])
    first = page.read_text(encoding="utf-8")
    assert found["command"] == "simkit run tail_of_sets --matches 30 --seed 11"
    assert found["command"] in first
    assert {one["claim"] for one in found["verdicts"]} >= {"B1", "B2", "B5"}
    assert found["estimates"][0]["n"] <= 30
    page.unlink()
    assert printed(capsys, "report", found["folder"]) == {"report": str(page)}
    assert page.read_text(encoding="utf-8") == first


# ---------------------------------------------------------------- cases and bench


def test_cases_exit_codes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plain = printed(capsys, "cases", CASES / "cases-base.json", CASES / "cases-match.json")
    assert plain["failed"] == 0
    assert plain["passed"] + plain["skipped"] == len(plain["results"])

    case = next(
        one for one in json.loads((CASES / "cases-match.json").read_text())["cases"] if one["id"] == "SV-16"
    )
    case["expected"]["value"] = 17
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps({"cases": [case, {"id": "riddle", "kind": "riddle"}]}))
    code, out, _ = told(capsys, "cases", path)
    assert code == 1
    assert "failed   SV-16   value: expected 17, found 16" in out
    assert 'skipped  riddle  the kind "riddle" is not known to this version' in out
    assert out.endswith("passed 0, failed 1, skipped 1\n")


def test_bench(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    row = SimpleNamespace(name="settle.1e6_matches_s", median=0.25, unit="s", runs=7)
    asked = []

    def measure(only: str | None, quick: bool) -> list[SimpleNamespace]:
        asked.append((only, quick))
        return [row]

    fake = SimpleNamespace(run=measure)
    monkeypatch.setitem(sys.modules, "simkit.bench", fake)
    monkeypatch.setattr(simkit, "bench", fake, raising=False)
    assert printed(capsys, "bench", "--only", "settle", "--quick") == {"rows": [vars(row)]}
    code, out, _ = told(capsys, "bench")
    assert (code, asked) == (0, [("settle", True), (None, False)])
    assert "settle.1e6_matches_s  0.25    s     7" in out


# ---------------------------------------------------------------- refusing


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        ("frobnicate", 2, ["frobnicate"]),
        ("simulat classical", 2, ["simulat", "Did you mean 'simulate'"]),
        ("list --jsn", 2, ["--jsn", "--json"]),
        ("simulate", 2, ["RULES"]),
        ("show ecrire_acadmie", 2, ["ecrire_acadmie", "did you mean ecrire_academie"]),
        ("show none.json", 2, ["none.json"]),
        ("show none.py:X", 2, ["none.py"]),
        ("diff classical clasical", 2, ["clasical", "did you mean classical"]),
        ("simulate ecrire_acadmie", 2, ["ecrire_acadmie", "ecrire_academie"]),
        ("simulate classical --players greedi", 2, ["greedi", "did you mean greedy"]),
        ("simulate classical --players greedy,prudent,random", 2, ["3 given", "player 1 and player 2"]),
        ("simulate classical --matches 0", 2, ["matches: 0", "from 1 to"]),
        ("simulate classical --matches -4", 2, ["matches: -4", "from 1 to"]),
        ("simulate classical --matches many", 2, ["--matches", "many"]),
        ("simulate classical --seed -1", 2, ["seed: -1", "2**64 - 1"]),
        (f"simulate classical --seed {2**64}", 2, [f"seed: {2**64}", "2**64 - 1"]),
        ("simulate classical --jobs 0", 2, ["jobs: 0", "from 1 to"]),
        ("simulate classical --out FILE", 2, ["FILE"]),
        ("simulate ecrire_academie --set match.sets=7", 3, ["match.sets: 7", "even number from 2 to 24"]),
        ("simulate ecrire_academie --set settlement.tail_of_sets=-20", 3, ["settlement.tail_of_sets: -20"]),
        (
            "simulate ecrire_academie --set match.sets=7 --set settlement.tail_of_sets=-1 --set game.gold=1",
            3,
            ["match.sets: 7", "settlement.tail_of_sets: -1", "game.gold: no such field"],
        ),
        ("simulate ecrire_academie --set settlement.tail=0", 3, ["settlement.tail", "tail_of_sets"]),
        ("simulate ecrire_academie --set tail_of_sets", 2, ["tail_of_sets", "PATH=VALUE"]),
        ("simulate classical --set match.target_holes=6 --set match.target_holes=7", 2, ["given twice"]),
        ("settle nowhere", 2, ["nowhere"]),
        ("settle FILE", 2, ["FILE"]),
        ("settle RUN --set settlement.tail=0", 3, ["settlement.tail", "tail_of_sets"]),
        ("settle RUN --set settlement.tail_of_sets=-1", 3, ["settlement.tail_of_sets: -1"]),
        ("settle RUN --set match.sets=4", 2, ["match.sets is a rule of play", "simulate"]),
        ("settle RUN --sets 5", 2, ["sets: 5", "even number from 2 to 8"]),
        ("settle RUN --sets 10", 2, ["sets: 10", "even number from 2 to 8"]),
        ("settle RUN --out nowhere/x.parquet", 2, ["nowhere", "there is no folder"]),
        ("settle RUN --out RUN", 2, ["it is a folder"]),
        ("run tail_of_set", 2, ["tail_of_set", "did you mean tail_of_sets"]),
        ("run tail_of_sets --matches 0", 2, ["matches: 0", "from 1 to"]),
        ("run tail_of_sets --seed -1", 2, ["seed: -1"]),
        ("report nowhere", 2, ["nowhere"]),
        ("report RUN", 2, ["made by no experiment", "tail_of_sets"]),
        ("report RUN --experiment tail_of_sets", 2, ["does not hold", "run the experiment again"]),
        ("cases", 2, ["FILE"]),
        ("cases none.json", 2, ["none.json"]),
        ("cases FILE", 2, ["FILE", "is not JSON", "line 1"]),
    ],
)
def test_bad_input(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Path,
    command: str,
    code: int,
    words: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text("no run, no cases")
    arguments = [str(run) if part == "RUN" else part for part in command.split()]
    before = sorted(path.name for path in run.iterdir())
    found, out, err = told(capsys, *arguments)
    assert (found, out) == (code, "")
    assert err.startswith("simkit: ")
    assert "Traceback" not in err
    for word in words:
        assert word in err
    assert [path.name for path in tmp_path.iterdir()] == ["FILE"]
    assert sorted(path.name for path in run.iterdir()) == before


def test_another_play_in_the_folder_is_refused(capsys: pytest.CaptureFixture[str], run: Path) -> None:
    code, out, err = told(capsys, "simulate", "ecrire_academie", "--players", "random", "--out", run)
    assert (code, out) == (FolderMismatch.exit_code, "")
    assert str(run) in err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("a"), 2),
        (ConfigError(("a", "b")), 3),
        (FolderMismatch("a"), 4),
        (VerificationFailed("a"), 5),
        (WorkerLost("a"), 7),
        (ZeroDivisionError("a"), 1),
        (KeyboardInterrupt(), 130),
    ],
)
def test_every_error_has_its_exit_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    def fail(name: str) -> None:
        raise error

    monkeypatch.setattr(catalogue, "rule_set", fail)
    found, out, err = told(capsys, "diff", "classical", "classical")
    assert (found, out) == (code, "")
    assert "Traceback" not in err
    if isinstance(error, ConfigError):
        assert err == "simkit: a\nsimkit: b\n"
    if isinstance(error, ZeroDivisionError):
        assert "--debug" in err
        assert "Traceback" in told(capsys, "diff", "classical", "classical", "--debug")[2]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_end_a_run_in_order(tmp_path: Path, number: signal.Signals, code: int) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "simkit", "simulate", "twelve_hole", "--players", "random"]
    command += ["--matches", "100000000", "--jobs", "1", "--out", str(folder)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        while not (folder / "run.json").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
    assert process.returncode == code
    assert simkit.open(folder).complete is False


def test_a_reader_that_leaves_is_no_error() -> None:
    command = f"{sys.executable} -m simkit show ecrire_academie"
    with subprocess.Popen(
        command.split(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 0
