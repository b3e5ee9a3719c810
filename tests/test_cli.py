"""The command line: what it prints, where, with which exit code, and how it refuses."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
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
from simkit import api, catalogue, cli, errors
from simkit.cli import printing
from simkit.dataset import content_hash, verify
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
    "command",
    ["list", "show", "diff", "simulate", "settle", "run", "score", "plays", "cases", "report", "bench"],
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
    same = "classical and twelve_hole have the same rules: they differ in nothing but name and sources.\n"
    assert (done.returncode, done.stdout) == (0, same)


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


@pytest.mark.parametrize("name", catalogue.names().rule_sets)
def test_show_reads_what_it_prints(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    path = tmp_path / "again.json"
    path.write_text(told(capsys, "show", name, "--json")[1], encoding="utf-8")
    assert printed(capsys, "show", path) == printed(capsys, "show", name)
    assert told(capsys, "diff", name, path)[1] == f"Both names stand for one rule set, {name}.\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_harm(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, encoding: str
) -> None:
    path = tmp_path / "again.json"
    path.write_text(catalogue.rule_set("ecrire_academie").to_json(), encoding=encoding)
    assert printed(capsys, "show", path)["name"] == "ecrire_academie"
    path.write_text('{"cases": [{"id": "riddle", "kind": "riddle"}]}', encoding="utf-8-sig")
    assert told(capsys, "cases", path)[0] == 0


def test_the_readme_lists_every_exit_code() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    table = text.split("| code | when |\n|---|---|\n")[1].split("\n\n")[0]
    codes = [int(code) for row in table.splitlines() for code in row.split("|")[1].split(",")]
    refusals = {one.exit_code for one in vars(errors).values() if hasattr(one, "exit_code")}
    assert set(codes) == {0, *refusals, 129, 130, 143}


def test_the_rule_sets_of_the_readme_are_alike(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    Path("six.json").write_text(text.split("```json\n")[1].split("```")[0], encoding="utf-8")
    (python,) = [part.split("```")[0] for part in text.split("```python\n")[1:] if "SIX_SETS" in part]
    Path("mine.py").write_text(python, encoding="utf-8")
    assert printed(capsys, "show", "six.json") == printed(capsys, "show", "mine.py:SIX_SETS")
    assert printed(capsys, "show", "six.json")["match"]["settlement"]["tail_of_sets"] == 10


def test_show_finds_every_kind_in_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from simkit.players import CoinToss, Player, RandomPlay\n"
        "from simkit.rules import RuleSet, Trictrac, Written\n"
        "MINE = RuleSet(name='mine', title='Mine', game=Trictrac(), match=Written())\n"
        "ME = Player(name='me', title='Plays.', choice=RandomPlay(), decision=CoinToss())\n"
    )
    assert printed(capsys, "show", f"{path}:MINE")["kind"] == "rule_set"
    assert printed(capsys, "show", f"{path}:me")["kind"] == "player"
    for name, words in (
        (f"{path}:X", "no rule set, player or experiment is called X; there are ME, MINE, me, mine"),
        (path, f"declares several; give one as {path}:NAME, NAME being MINE or ME"),
    ):
        code, out, err = told(capsys, "show", name)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err
    path.write_text("X = 1\n")
    for name in (path, f"{path}:X"):
        assert told(capsys, "show", name) == (
            2, "", f"simkit: {path} declares no rule set, player or experiment\n"
        )  # fmt: skip


@pytest.mark.parametrize("text", ["import sys\nsys.exit(0)\n", "\nraise SystemExit('bye')\n", "\nquit()\n"])
@pytest.mark.parametrize(
    "command", ["show {}:X", "simulate {}", "run {}:X", "simulate classical --players {}:X"]
)
def test_a_file_that_ends_the_program(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, command: str
) -> None:
    path = tmp_path / "ends.py"
    path.write_text(text)
    code, out, err = told(capsys, *command.format(path).split())
    assert (code, out) == (3, "")
    assert err == f"simkit: {path}, line 2: it ends the program; a declaration must not\n"


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[" * 900 + "]" * 900, '{"a":' * 900 + "1" + "}" * 900, "9" * 6000, "NaN"]
)
def test_json_of_absurd_depth_or_length_is_refused_in_words(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    rules = catalogue.rule_set("ecrire_academie").to_json()
    for content in (text, rules.replace('"sets": 8', f'"sets": {text}')):
        path = tmp_path / "absurd.json"
        path.write_text(content)
        for command in ("show", "simulate"):
            code, out, err = told(capsys, command, path)
            assert (code, out, err.count("\n")) == (3, "", 1)
            assert err.startswith(f"simkit: {path}: ")
            assert len(err) < 300
        assert told(capsys, "cases", path)[0] == 2
    code, _, err = told(capsys, "simulate", "ecrire_academie", "--set", f"match.sets={text}")
    assert code == 3
    assert err.startswith("simkit: match.sets: ")


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_pages_and_tables_fit_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, run: Path, width: int
) -> None:
    commands = [("list",), ("settle", run), ("diff", "classical", "academie")]
    commands += [("show", name) for name in ("ecrire_academie", "greedy", "tail_of_sets")]
    monkeypatch.delenv("COLUMNS", raising=False)
    whole = [told(capsys, *command)[1] for command in commands]
    monkeypatch.setenv("COLUMNS", str(width))
    for command, expected in zip(commands, whole, strict=True):
        code, out, _ = told(capsys, *command)
        assert code == 0
        words = [line.split() for line in out.splitlines()]
        assert all(
            len(line) <= max(width, 60) or len(found) == 1
            for line, found in zip(out.splitlines(), words, strict=True)
            if not line.startswith("Digest ")
        )
        assert sorted(out.split()) == sorted(expected.split())  # nothing is cut off


def test_where_no_terminal_is_a_row_is_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, run: Path
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    head, row, *_ = told(capsys, "settle", run)[1].splitlines()
    assert len(head) == len(row) > 100
    monkeypatch.setenv("COLUMNS", "80")
    assert "\nexact result    " in told(capsys, "settle", run)[1]


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
    assert "\nSettled with settlement.tail_of_sets = 0 instead of 20.\n" in text
    assert "\nSettled by the tariff of the run itself.\n" in told(capsys, "settle", run)[1]
    assert (code, err) == (0, "")
    assert "winner differs" in text
    assert "exact result" in text
    assert "before rounding" in text


def test_settle_writes_the_kind_of_file_its_name_says(
    capsys: pytest.CaptureFixture[str], run: Path, tmp_path: Path
) -> None:
    for name in ("rows.csv", "rows.parquet", "ROWS.CSV"):
        printed(capsys, "settle", run, "--out", tmp_path / name)
    rows = pd.read_parquet(tmp_path / "rows.parquet")
    for name in ("rows.csv", "ROWS.CSV"):
        found = pd.read_csv(tmp_path / name).astype(rows.dtypes.to_dict())
        pd.testing.assert_frame_equal(found, rows)
    for name in ("rows.xlsx", "rows", "rows.parquet.gz", ".csv"):
        code, out, err = told(capsys, "settle", run, "--out", tmp_path / name)
        assert (code, out) == (2, "")
        assert "neither in .parquet nor in .csv" in err
    assert len(list(tmp_path.iterdir())) == 3


def test_too_few_matches_show_a_dash(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one = simkit.simulate("twelve_hole", "random", matches=1, jobs=1, out=tmp_path / "one")
    code, out, _ = told(capsys, "settle", one.folder)
    assert code == 0
    assert "[-, -]" in out
    assert "nan" not in out
    assert (
        printing.interval_words(SimpleNamespace(mean=float("nan"), low=float("nan"), high=float("nan")))
        == "-"
    )
    for path in (
        *one.folder.glob("*/p*.parquet"),
        one.folder / "journal.jsonl",
        one.folder / "manifest.json",
    ):
        path.unlink()  # as a run interrupted before its first part
    code, out, err = told(capsys, "settle", one.folder)
    assert (code, out) == (2, "")
    assert "holds no matches yet" in err
    with pytest.raises(UsageError, match="holds no matches yet"):
        simkit.settle_run(one.folder)


@pytest.mark.parametrize("path", ["tail_of_sets", "settlement.tail_of_sets", "match.settlement.tail_of_sets"])
def test_a_rule_may_be_named_as_json_nests_it(
    capsys: pytest.CaptureFixture[str], run: Path, tmp_path: Path, path: str
) -> None:
    found = printed(capsys, "settle", run, "--set", f"{path}=7")["plays"][0]
    assert found["settlement"]["tail_of_sets"] == 7
    assert (simkit.settle_run(run, {path: 7}).tail_of_sets.abs() <= 7).all()
    if "." in path:
        command = ("simulate", "ecrire_academie", "--players", "random", "--matches", 1, "--jobs", 1, "-q")
        found = printed(capsys, *command, "--out", tmp_path / "new", "--set", f"{path}=7")
        assert found["plays"][0]["rules"] == "ecrire_academie_tail_of_sets_7"


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


WRONG = {
    "players": [5, None, (5, "random"), ["random", None]],
    "rules": [5, None, ("classical",)],
    "out": [5, b"run"],
    "matches": ["10", None, 1.5, b"10"],
    "seed": ["10", None, 1.5],
    "jobs": ["2", 1.5],
    "progress": [5, "yes"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]])
def test_an_argument_of_another_type_is_named(tmp_path: Path, name: str, value: Any) -> None:
    arguments = {
        "rules": "twelve_hole",
        "players": "random",
        "matches": 1,
        "out": tmp_path / "run",
        name: value,
    }
    with pytest.raises(UsageError, match=rf"^{name}: "):
        simkit.simulate(**arguments)
    assert list(tmp_path.iterdir()) == []


def test_arguments_of_other_types_elsewhere(run: Path) -> None:
    found = simkit.open(run)
    for wrong in (5, "tail_of_sets", [("tail_of_sets", 0)], {5: 0}):
        with pytest.raises(UsageError, match=r"^changes: .* is not a mapping of settlement fields to values"):
            simkit.settle_run(found, wrong)  # type: ignore[arg-type]
    for nothing in (None, 5):
        with pytest.raises(UsageError, match=r"^run: .* neither a run nor the folder of one"):
            simkit.settle_run(nothing)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=r"^folder: .* is not a path"):
            simkit.open(nothing)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=r"^folder: .* is not a path"):
            api.rebuild_report(nothing)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=r"^experiment: .* neither an experiment nor the name"):
            simkit.run(nothing)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^root: 5 is not a path"):
        simkit.run("tail_of_sets", root=5)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^sets: '4' is not an even number"):
        simkit.settle_run(found, sets="4")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^settlement\.tail_of_sets is given twice"):
        simkit.settle_run(found, {"tail_of_sets": 0, "match.settlement.tail_of_sets": 1})


def test_a_name_of_a_rule_set_and_an_experiment_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    _, text, _ = told(capsys, "show", "soumille")
    assert "soumille_1766" in text and "An experiment is named soumille too: simkit run soumille" in text
    _, text, _ = told(capsys, "show", "soumille_1766")
    assert "An experiment" not in text
    assert printed(capsys, "show", "soumille")["kind"] == "rule_set"


CHEAP = """
from dataclasses import replace

from simkit import catalogue

ROUNDING = replace(
    catalogue.experiment("rounding"), name="cheap", rules=("ecrire_guiton",), players=(("random", "random"),),
    claims=tuple(one for one in catalogue.experiment("rounding").claims if not one.players),
)
"""


def test_run_and_report(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cheap.py").write_text(CHEAP, encoding="utf-8")
    run = ("run", "cheap.py:ROUNDING", "--matches", 30, "--seed", 11, "--jobs", 1, "--quiet")
    found = printed(capsys, *run)
    page = Path(found["report"])
    first = page.read_text(encoding="utf-8")
    assert found["command"] == "simkit run cheap --matches 30 --seed 11"
    assert found["command"] in first
    assert {one["claim"] for one in found["verdicts"]} == {"B10", "B10b", "B11b"}
    assert found["estimates"][0]["n"] <= 30
    folder = Path(found["folder"])
    estimates = (folder / "estimates.parquet").read_bytes()
    for damage in (b"", estimates[:-9], estimates[:5000] + b"?" + estimates[5001:]):
        page.unlink()
        (folder / "estimates.parquet").write_bytes(damage)
        assert printed(capsys, "report", folder, "--experiment", "cheap.py:ROUNDING") == {"report": str(page)}
        assert page.read_text(encoding="utf-8") == first
        assert (folder / "estimates.parquet").read_bytes() == estimates
        verify(simkit.open(folder))

    before = content_hash(simkit.open(folder))
    for path in [path for kept in (folder, *simkit.open(folder).rows_in) for path in kept.iterdir()]:
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in ("run.json", "estimates.parquet", "report.html", "README.md"):  # what git keeps
            path.unlink()  # and page.json, as folders lack it that an older simkit has written
    for _ in range(2):
        assert printed(capsys, "report", folder, "--experiment", "cheap.py:ROUNDING") == {"report": str(page)}
        assert page.read_text(encoding="utf-8") == first
        assert (folder / "page.json").exists()
    code, out, err = told(capsys, "report", folder, "--experiment", "cheap.py:ROUNDING", "--anew")
    assert (code, out) == (2, "")
    assert "holds no rows to report on; simkit run cheap plays them again" in err
    again = printed(capsys, *run)
    assert again == found
    assert page.read_text(encoding="utf-8") == first
    assert (folder / "estimates.parquet").read_bytes() == estimates
    assert content_hash(simkit.open(folder)) == before


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


def test_simulate_counts_sets_and_parties_by_their_names(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    for rules, heads in (("classical", "won 1  won 2"), ("ecrire_academie", "sets won 1  sets won 2")):
        out = told(
            capsys, "simulate", rules, "--matches", 2, "--players", "random", "--out", tmp_path / rules, "-q"
        )[1]
        assert f"  cut short  {heads}  rolls" in re.sub(" {2,}", "  ", out.splitlines()[0])


def test_a_file_without_cases_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    for empty in ("[]", "{}", '{"cases": []}'):
        path.write_text(empty)
        code, out, err = told(capsys, "cases", path)
        assert (code, out) == (2, "")
        assert err.startswith(f"simkit: {path} holds no cases")


def test_remarks_on_case_files_go_to_stderr(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "counted.json"
    path.write_text(json.dumps({"meta": {"count": 7}, "cases": [{"id": "riddle", "kind": "riddle"}]}))
    code, out, err = told(capsys, "cases", path)
    assert (code, out.splitlines()[-1]) == (0, "passed 0, failed 0, skipped 1")
    assert err == f"simkit: {path}: meta.count is 7, and the file holds 1\n"


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
        ("simulate classical --players greedy,prudent,random", 2, ["3 given", "classical has 2"]),
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
        ("settle RUN --out rows.txt", 2, ["rows.txt", ".parquet", ".csv"]),
        ("settle RUN --set match.settlement.tail=0", 3, ["settlement.tail", "tail_of_sets"]),
        ("settle RUN --set match.tail_of_sets=0", 3, ["it belongs to settlement.tail_of_sets"]),
        ("settle RUN --set match.sets=12", 2, ["match.sets is a rule of play"]),
        ("simulate ecrire_academie --set match.tail_of_sets=0", 3, ["it belongs to settlement.tail_of_sets"]),
        ("simulate ecrire_academie --set tail_of_sets=0", 3, ["did you mean settlement.tail_of_sets"]),
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
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130), ("SIGHUP", 129)])
@pytest.mark.parametrize("finished", [False, True])
def test_signals_end_a_run_in_order(tmp_path: Path, name: str, code: int, finished: bool) -> None:
    folder = tmp_path / "run"
    script = (
        "import signal, sys; from simkit import batch, cli\nbatch.CHUNK_SECONDS = 0.005\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # ignored where the tests run under nohup
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored where they run in the background
        "cli.main(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", script, "simulate", "twelve_hole", "--players", "random", "--quiet"]
    command += ["--matches", "100000000", "--jobs", "1", "--out", str(folder)]
    waits_for = folder / ("journal.jsonl" if finished else "run.json")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        while not waits_for.exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(getattr(signal, name))
        assert process.stderr is not None
        said = process.stderr.read()
    assert process.returncode == code
    found = simkit.open(folder)
    assert found.complete is False
    held = found.counts[0]
    assert held > 0 or not finished
    assert said == f"simkit: stopped: {held:,} matches are kept; the same command goes on from there\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments", ["list", "show ecrire_academie", "show ecrire_academie --json", "--help", "--version"]
)
def test_an_output_that_cannot_be_written_is_told(arguments: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "simkit", *arguments.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr == "simkit: the output cannot be written: No space left on device\n"


def test_an_output_that_knows_few_letters_is_no_error() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "simkit", "show", "ecrire_academie"],
        env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Trictrac ? ?crire")


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


def test_a_verdict_names_its_rule_set_where_there_are_several(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ran(*rules: str) -> list[str]:
        verdicts = [
            SimpleNamespace(rules=name, heading="K1: refuted", statement="So.", numbers="1") for name in rules
        ]
        found = SimpleNamespace(folder=Path("f"), page_name="report.html", verdicts=verdicts, stop=None)
        monkeypatch.setattr("simkit.api.run", lambda *_, **__: found)
        assert cli.call(["run", "any"]) == 0
        return [line for line in capsys.readouterr().out.splitlines() if "K1" in line]

    assert ran("a_cube", "b_cube") == ["a_cube: K1: refuted", "b_cube: K1: refuted"]
    assert ran("a_cube") == ["K1: refuted"]
