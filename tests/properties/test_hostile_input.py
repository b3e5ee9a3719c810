"""Files from anywhere: whatever stands in them is read or refused in words, soon, and runs no code."""

from __future__ import annotations

import ast
import copy
import json
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from fake_play import fake, spec
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import simkit
from simkit import catalogue, numbering, position
from simkit.adjournment import Adjournment
from simkit.batch import play_run
from simkit.by_holes import read_script
from simkit.cases import judge_files
from simkit.cli import call
from simkit.dataset import content_hash, open_run
from simkit.dataset import folder as folder_module
from simkit.errors import ConfigError, SimkitError, UsageError
from simkit.rules import RuleSet
from simkit.verification import verify_run

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 20
"""Of computing, for one input; the usual one takes a hundredth of a second."""

some = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@contextmanager
def refused_or_read() -> Iterator[None]:
    """Whatever is raised must be an error of ours, and nothing may take long."""

    def late(number: int, frame: object) -> None:
        raise AssertionError(f"more than {SECONDS} seconds of computing")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    except SimkitError as error:
        assert str(error)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


NASTY: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2**31, 2**63, -(2**63), 10**30, 0.5, -0.0, 1e308, "", "x" * 20_000,
    "../../etc/passwd", "/etc/passwd",
    "a\x00b", "\ud800", "é" * 50, "evil.py:EVIL", "evil.py", "rules.json", [], {}, [[]], {"": {}},
    [None] * 1000, "1e400", "NaN", "٣", "²", {"type": "Trictrac"}, {"type": "__class__"}, "__import__('os')",
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value, as keys from the top."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def deep(levels: int) -> Any:
    """Lists in lists."""
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


def mutated(plain: Any, seed: int) -> Any:
    """A JSON value with one to three things changed, taken away, doubled or put elsewhere."""
    chance, plain = random.Random(seed), copy.deepcopy(plain)
    for _ in range(chance.randint(1, 3)):
        everywhere = [path for path in places(plain) if path]
        if not everywhere:
            return plain
        *above, last = chance.choice(everywhere)
        holder = plain
        for key in above:
            holder = holder[key]
        what = chance.randrange(5)
        if what == 0:
            del holder[last]
        elif what == 1 and isinstance(holder, dict):
            holder[chance.choice(("", "path", "type", "schema", "name", "check", "\ud800"))] = holder[last]
        elif what == 2:
            holder[last] = deep(chance.choice((3, 90, 400)))
        elif what == 3 and isinstance(holder[last], int) and not isinstance(holder[last], bool):
            holder[last] += chance.choice((-1, 1, 7, 2**20, -(2**20)))
        else:
            holder[last] = chance.choice(NASTY)
    return plain


def as_text(plain: Any) -> str:
    """JSON; half surrogates stay escaped."""
    return json.dumps(plain)


def flipped(content: bytes, seed: int) -> bytes:
    """Bytes changed, cut out or repeated in a few places."""
    chance, changed = random.Random(seed), bytearray(content)
    for _ in range(chance.randint(1, 8)):
        place, what = chance.randrange(len(changed) + 1), chance.randrange(4)
        if what == 0:
            changed[place : place + 1] = bytes([chance.randrange(256)])
        elif what == 1:
            del changed[place : place + chance.randrange(1, 50)]
        elif what == 2:
            changed[place:place] = changed[place : place + 40]
        else:
            changed[place:place] = chance.choice((b"\xff\xfe", b"\x00", b'"', b"{", b"[" * 2000, b"9" * 5000))
    return bytes(changed)


seeds = st.integers(0, 2**32)


# -- rule sets -------------------------------------------------------------------------------------------


@cache
def rule_texts() -> tuple[str, ...]:
    return tuple(catalogue.rule_set(name).to_json() for name in catalogue.names().rule_sets)


@given(seeds)
@some
def test_rule_sets_in_json(seed: int) -> None:
    text = random.Random(seed).choice(rule_texts())
    for changed in (as_text(mutated(json.loads(text), seed)), flipped(text.encode(), seed).decode("latin-1")):
        with refused_or_read():
            rules = RuleSet.from_json(changed)
            assert RuleSet.from_json(rules.to_json()) == rules


@given(seeds)
@settings(some, max_examples=15)
def test_a_rule_set_that_can_be_is_told_and_played(seed: int) -> None:
    plain = json.loads(random.Random(seed).choice(rule_texts()))
    for name in ("digest", "play_digest"):
        plain.pop(name, None)
    with refused_or_read():
        rules = RuleSet.from_json(as_text(mutated(plain, seed)))
        assert rules.words()


def test_a_rule_set_of_absurd_size_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(10**12)  # a sparse file: nothing is stored
    with pytest.raises(UsageError, match=r"1000000000000 bytes; a rule set has fewer"):
        catalogue.rule_set(path)
    for text in ("[" * 200_000, '{"schema": ' * 50_000, "9" * 10_000, '{"a": 1e999}', '{"a":1,"a":2}'):
        path.write_text(text)
        with pytest.raises(ConfigError):
            catalogue.rule_set(path)


# -- positions, scores, scripts ------------------------------------------------------------------------------


notation = st.text("0123456789 :|,-off*barxTQ", max_size=60) | st.text(max_size=30)


@given(notation, notation)
@some
def test_positions_scores_and_dice(text: str, score: str) -> None:
    for read in (
        lambda: position.read(text),
        lambda: position.read_dice(text),
        lambda: simkit.start("1:15 | 24:15", score),
        lambda: simkit.start(text, score, dice=score),
        lambda: numbering.numbering(text),
        lambda: simkit.rule_set("classical") and catalogue.listed_rule_set(text),
    ):
        with refused_or_read():
            read()


@given(st.text("12 ownothergosuspendhold#\n3sets", max_size=120) | st.text(max_size=40))
@some
def test_scripts_of_holes(text: str) -> None:
    with refused_or_read():
        read_script(text)


# -- case files ------------------------------------------------------------------------------------------


@cache
def case_documents() -> tuple[dict[str, Any], ...]:
    """Documents of one case each, one of every kind; whatever else their file says stays."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((ROOT / "tests" / "cases").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        lists = [name for name, value in document.items() if isinstance(value, list)]
        rest = {name: value for name, value in document.items() if name not in lists}
        for name in lists:
            for case in (
                one for one in document[name] if isinstance(one, dict) and len(json.dumps(one)) < 4000
            ):
                found.setdefault(f"{name} {case.get('kind')} {case.get('type')}", {**rest, name: [case]})
    return tuple(found.values())


@given(seeds)
@settings(some, max_examples=60)
def test_case_files(seed: int) -> None:
    document = mutated(random.Random(seed).choice(case_documents()), seed)
    with TemporaryDirectory() as place:
        path = Path(place) / "cases.json"
        for content in (as_text(document).encode(), flipped(as_text(document).encode(), seed)):
            path.write_bytes(content)
            with refused_or_read():
                report = judge_files([path], catalogue.listed_rule_set)
                assert as_text(report.as_json())


# -- matches put down ------------------------------------------------------------------------------------


@cache
def record() -> dict[str, Any]:
    """A match put down, written by hand."""
    return {
        "schema": "simkit.adjournment/1",
        "rules": json.loads(simkit.rule_set("ecrire_academie").to_json()),
        "sets_played": 3,
        "first_player": 1,
        "sets_won": [2, 1],
        "set_points": [30, 10],
        "origin": {"seed": "5", "match": 3, "players": [{"name": "greedy", "digest": "0" * 64}] * 2},
    }


@given(seeds)
@some
def test_records_of_matches_put_down(seed: int) -> None:
    for plain in (mutated(record(), seed), mutated({**record(), "rules": "ecrire_academie"}, seed)):
        with refused_or_read():
            found = Adjournment.from_json(as_text(plain), catalogue.listed_rule_set)
            assert found.to_json()


# -- run folders -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run of two parts."""
    folder = tmp_path_factory.mktemp("hostile") / "run"
    play_run(spec(), 3, folder=folder, jobs=1, driver=fake)
    play_run(spec(), 5, folder=folder, jobs=1, driver=fake)
    return folder


def sealed(plain: Any, name: str = "sha256") -> Any:
    """A value with its own digest computed anew, so that the change is looked at further."""
    if not isinstance(plain, dict):
        return plain
    plain.pop(name, None)
    try:
        return {**plain, name: folder_module.digest_of(plain)}
    except ValueError:  # what canonical JSON cannot hold
        return plain


def changed_json(content: bytes, seed: int) -> bytes:
    return as_text(sealed(mutated(json.loads(content), seed))).encode()


def changed_lines(content: bytes, seed: int) -> bytes:
    first, *others = content.splitlines()
    line = as_text(sealed(mutated(json.loads(first), seed), "check")).encode()
    return b"\n".join([line, *others, b""])


CHANGES: tuple[tuple[str, Callable[[bytes, int], bytes]], ...] = (
    ("run.json", changed_json),
    ("run.json", flipped),
    ("journal.jsonl", changed_lines),
    ("journal.jsonl", flipped),
    ("manifest.json", changed_json),
    ("manifest.json", flipped),
)


@pytest.mark.parametrize(("name", "change"), CHANGES)
def test_folders_of_runs(run: Path, name: str, change: Callable[[bytes, int], bytes]) -> None:
    path = run / name
    before = path.read_bytes()

    @given(seeds)
    @settings(some, max_examples=25)
    def look(seed: int) -> None:
        path.write_bytes(change(before, seed))
        with refused_or_read():
            verify_run(run)
        with refused_or_read():
            content_hash(open_run(run))

    try:
        look()
    finally:
        path.write_bytes(before)
    assert verify_run(run).sound


@pytest.mark.parametrize("table", ["matches", "sets", "figures"])
def test_parquet_files_that_nobody_wrote(run: Path, table: str) -> None:
    """Sizes and digests in the journal are those of the damaged file, so that it is read."""
    path = sorted((run / table).iterdir())[0]
    before, journal = path.read_bytes(), (run / "journal.jsonl").read_bytes()

    @given(seeds)
    @example(570)  # a name of a column that is no text
    @settings(some, max_examples=25)
    def look(seed: int) -> None:
        path.write_bytes(flipped(before, seed))
        if table != "figures":
            first, *others = journal.splitlines(keepends=True)
            plain = json.loads(first)
            facts = {"bytes": path.stat().st_size, "sha256": folder_module.file_sha256(path)}
            plain["files"][table] |= facts
            line = as_text(sealed(plain, "check")).encode() + b"\n"
            (run / "journal.jsonl").write_bytes(line + b"".join(others))
        with refused_or_read():
            assert not verify_run(run).sound
        with refused_or_read():
            content_hash(open_run(run))

    try:
        look()
    finally:
        path.write_bytes(before)
        (run / "journal.jsonl").write_bytes(journal)


@pytest.mark.parametrize(
    "path", ["../../secret", "/etc/hostname", "sets/../../secret", "link", "", "sets", "a\x00b", "x" * 300]
)
def test_paths_in_a_manifest_cannot_leave_the_folder(run: Path, tmp_path: Path, path: str) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    (tmp_path / "secret").write_text("nothing to see")
    (folder / "link").symlink_to(tmp_path / "secret")
    plain = json.loads((folder / "manifest.json").read_bytes())
    plain["files"].append({"path": path, "bytes": 14, "sha256": "0" * 64})
    (folder / "manifest.json").write_bytes(folder_module.json_bytes(sealed(plain)))
    found = "; ".join(verify_run(folder).problems)
    shown = repr(path) if len(path) < 90 else "[...]"
    assert f"manifest.json: {shown} is no file of this run folder" in found


# -- code ------------------------------------------------------------------------------------------------

FORBIDDEN = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "yaml", "jsonpickle"}
CALLED = {"eval", "exec", "compile", "__import__", "read_pickle", "to_pickle"}


def modules() -> list[Path]:
    return sorted(
        path for name in ("simkit", "configs", "experiments") for path in (ROOT / name).rglob("*.py")
    )


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_reads_what_could_run_code(path: Path) -> None:
    """No pickle, no YAML, no evaluation of text. joblib pickles between our own processes only."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(alias.name for alias in node.names)]
        assert not {name.split(".")[0] for name in names} & FORBIDDEN, f"{path.name}, line {node.lineno}"  # type: ignore[attr-defined]
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            plain = isinstance(node.func, ast.Name) or name.endswith("pickle")
            assert not (plain and name in CALLED), f"{path.name}, line {node.lineno}: {name}"
            loaded = ast.unparse(node.func)
            assert loaded not in ("joblib.load", "joblib.dump", "np.load", "numpy.load"), path.name
            for keyword in node.keywords:
                assert keyword.arg != "allow_pickle", f"{path.name}, line {node.lineno}"


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file `evil.py` that leaves a mark when it is run, in the folder we are in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("from pathlib import Path\nPath('ran').touch()\nEVIL = 3\n")
    return tmp_path / "ran"


@pytest.mark.parametrize("name", ["evil.py:EVIL", "evil.py", "./evil.py:EVIL"])
def test_names_in_data_run_no_files(trap: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A rule set that a record or a case names, a player that a run names: only those of the catalogue."""
    Path("record.json").write_text(as_text({**record(), "rules": name}))
    assert call(["resume", "record.json"]) == 3
    origin = {"seed": "5", "match": 3, "players": [{"name": name, "digest": "0" * 64}] * 2}
    Path("record.json").write_text(as_text({**record(), "origin": origin}))
    assert call(["resume", "record.json"]) in (2, 3)
    case = {"id": "1", "type": "set_value", "rules": {"preset": name}, "input": {}, "expected": {}}
    Path("cases.json").write_text(as_text({"cases": [case]}))
    assert call(["cases", "cases.json"]) in (0, 1, 2)
    play_run(spec(), 2, folder="run", jobs=1, driver=fake)
    plain = json.loads(Path("run/run.json").read_bytes())
    plain["plays"][0]["players"][0]["name"] = name
    Path("run/run.json").write_bytes(folder_module.json_bytes(sealed(plain)))
    for command in (["verify", "run", "--replay", "1"], ["reproduce", "run"], ["replay", "run", "0"]):
        assert call(command) in (2, 5), command
    assert not trap.exists()
    said = capsys.readouterr().err
    assert "unexpected" not in said
    assert "data name a rule set of the catalogue" in said


def test_a_file_that_you_name_is_run(trap: Path) -> None:
    """By design: `file.py:NAME` is a declaration in Python, and whoever names it runs it."""
    assert call(["show", "evil.py:EVIL"]) == 2
    assert trap.exists()
