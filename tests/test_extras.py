"""What a research dataset has beside the tables of a run: kept by later calls, and read by a plain verify.

Every edit here is made by somebody who computes all digests anew: those in `datapackage.json`, `croissant.json`
and `manifest.json`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_research import COMMAND, plain

import simkit
from simkit import extras
from simkit.cli import call
from simkit.cli.dataset import told
from simkit.dataset import PlaySpec, renew_manifest
from simkit.dataset.folder import file_sha256, json_bytes
from simkit.records import line_of
from simkit.verification import verify_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six matches by each of two rule sets, with holes and two matches told."""
    where = tmp_path_factory.mktemp("datasets") / "small"
    assert call([*COMMAND, "--out", str(where)]) == 0
    return where


def copied(folder: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    where = tmp_path / "small"
    shutil.copytree(folder, where)
    return where


def asked(where: Path, **changed: str | None) -> list[str]:
    """The command that built it, with other options, or without some."""
    words = [*COMMAND]
    for name, value in changed.items():
        place = words.index(f"--{name}")
        words[place : place + 2] = [] if value is None else [f"--{name}", value]
    return [*words, "--out", str(where)]


def problems(where: Path) -> str:
    """What a plain verify finds, on one line."""
    return "; ".join(verify_run(where).problems)


# -- a later call ------------------------------------------------------------------------------------------


def described(where: Path) -> tuple[set[str], ...]:
    """The folders of tables that are there, and that each description names."""
    package, croissant = plain(where / "datapackage.json"), plain(where / "croissant.json")
    tables = {"matches", "sets", "figures", "holes", "records"}
    return (
        {path.name for path in where.iterdir()} & tables,
        {Path(one["path"]).parts[0] for one in package["resources"]},
        {Path(one["contentUrl"]).parts[0] for one in croissant["distribution"]},
        {"matches", "sets", "figures", *plain(where / "dataset.json")["extras"]},
    )


def test_matches_told_beside_a_journal_that_lost_all_are_no_error_of_their_own(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = copied(folder, tmp_path)
    (where / "journal.jsonl").write_bytes(b"")
    capsys.readouterr()
    assert call(["verify", str(where)]) == 5
    assert "journal.jsonl" in capsys.readouterr().out


@pytest.mark.parametrize("tables", ["matches", "matches,holes"])
def test_tables_of_an_earlier_call_stay_and_are_described(
    folder: Path, tmp_path: Path, tables: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where = copied(folder, tmp_path)
    words = [word for word in asked(where, tables=tables, records=None) if word != "--quiet"]
    assert call(words) == 0
    assert f"records of an earlier call stay in {where}" in " ".join(capsys.readouterr().err.split())
    whole = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    del whole[Path(".lock")]
    assert {name: (where / name).read_bytes() for name in whole} == whole
    assert all(names == described(where)[0] for names in described(where))
    assert verify_run(where, replay=None, tell=told).sound


def test_they_grow_with_the_matches(folder: Path, tmp_path: Path) -> None:
    where = copied(folder, tmp_path)
    assert call(asked(where, tables="matches", records=None, matches="8")) == 0
    assert (plain(where / "dataset.json")["matches"], plain(where / "dataset.json")["records"]) == (8, 2)
    assert len(list((where / "holes").iterdir())) == 4
    assert all(names == described(where)[0] for names in described(where))
    assert verify_run(where, replay=None, tell=told).sound


def test_a_build_that_was_killed_is_finished_with_its_holes(folder: Path, tmp_path: Path) -> None:
    where = copied(folder, tmp_path)
    for name in ("dataset.json", "manifest.json", "datapackage.json"):
        (where / name).unlink()
    shutil.rmtree(where / "records")
    sorted((where / "holes").iterdir())[-1].unlink()
    assert call(asked(where, tables="matches", records=None)) == 0
    assert len(list((where / "holes").iterdir())) == 2
    assert verify_run(where, replay=None, tell=told).sound


@pytest.mark.parametrize("content", [None, b"{}", b"no JSON"])
def test_matches_told_that_nobody_counts_are_not_guessed_at(
    folder: Path, tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    where = copied(folder, tmp_path)
    (where / "dataset.json").unlink()
    if content is not None:
        (where / "dataset.json").write_bytes(content)
    before = {path: path.read_bytes() for path in where.rglob("*") if path.is_file()}
    assert call(asked(where, tables="matches", records=None)) == 4
    said = " ".join(capsys.readouterr().err.split())
    assert "no dataset.json that says how many" in said and "--tables records --records K" in said
    assert {path: path.read_bytes() for path in where.rglob("*") if path.is_file()} == before
    assert call(asked(where)) == 0
    assert verify_run(where).sound


def test_a_run_that_goes_on_leaves_the_card_and_is_told_from_the_dataset(
    folder: Path, tmp_path: Path
) -> None:
    where = copied(folder, tmp_path)
    plays = [
        PlaySpec(simkit.rule_set(name), (simkit.player("prudent"), simkit.player("random")), 7)
        for name in ("classical", "ecrire_academie")
    ]
    simkit.batch.play_run(plays, 7, folder=where, jobs=1)
    assert (where / "README.md").read_bytes() == (folder / "README.md").read_bytes()
    found = problems(where)
    assert (
        "dataset.json has 6 matches of each play, and 7 of classical: prudent against random are here"
        in found
    )
    assert "holes/p000-0000000006-0000000001.parquet is missing" in found
    assert call(asked(where, matches="7")) == 0
    assert verify_run(where, replay=None, tell=told).sound


# -- what is said, and what is there -------------------------------------------------------------------------


def said(where: Path, **values: Any) -> None:
    """Say something else in `dataset.json`."""
    (where / "dataset.json").write_bytes(json_bytes(plain(where / "dataset.json") | values))


def without(where: Path, file: str, listed: str, key: str, name: str) -> None:
    """Leave files out of a description."""
    found = plain(where / file)
    found[listed] = [one for one in found[listed] if not one[key].startswith(name)]
    (where / file).write_bytes(json_bytes(found))


CONTRADICTIONS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no records": (
        lambda where: said(where, extras=["holes"], records=0),
        "records/ is here, and dataset.json says that there is none",
    ),
    "no extras": (
        lambda where: said(where, extras=[], records=0),
        "holes/ is here, and dataset.json says that there is none",
    ),
    "more matches": (lambda where: said(where, matches=7), "dataset.json has 7 matches of each play, and 6 of"),
    "another seed": (lambda where: said(where, seed="8"), "dataset.json has the seed 8"),
    "another play": (lambda where: said(where, digest="0" * 64), "dataset.json is of another play"),
    "more records": (lambda where: said(where, records=3), "records/p000.jsonl tells 2 matches, not 3"),
    "records without number": (lambda where: said(where, records=0), "describes no research dataset"),
    "unknown table": (lambda where: said(where, extras=["rolls"]), "describes no research dataset"),
    "no dataset.json": (
        lambda where: (where / "dataset.json").unlink(),
        "holes/ is here, and no dataset.json that asks for it",
    ),
    "descriptions alone": (
        lambda where: [shutil.rmtree(where / "holes"), *map(Path.unlink, where.glob("[dr]*/p*.jsonl")),
                       (where / "dataset.json").unlink()],
        "croissant.json is here, and no dataset.json",
    ),
    "no holes": (
        lambda where: shutil.rmtree(where / "holes"),
        "holes/p000-0000000000-0000000006.parquet is missing",
    ),
    "not in datapackage": (
        lambda where: without(where, "datapackage.json", "resources", "path", "holes"),
        "datapackage.json does not name holes/p000-0000000000-0000000006.parquet",
    ),
    "not in croissant": (
        lambda where: without(where, "croissant.json", "distribution", "contentUrl", "records"),
        "croissant.json does not name records/p000.jsonl",
    ),
    "no datapackage": (lambda where: (where / "datapackage.json").unlink(), "datapackage.json is missing"),
    "empty croissant": (lambda where: (where / "croissant.json").write_text("{}"), "croissant.json describes no"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_seen_though_all_digests_fit(folder: Path, tmp_path: Path, name: str) -> None:
    where, (change, words) = copied(folder, tmp_path), CONTRADICTIONS[name]
    change(where)
    renew_manifest(where)
    assert words in problems(where)
    assert call(["verify", str(where)]) == 5


def test_of_a_description_no_more_is_read_than_names_files(folder: Path) -> None:
    """What describes the columns of every file takes ten times as much."""
    head, whole = extras._head(folder / "croissant.json"), plain(folder / "croissant.json")
    assert head == {name: value for name, value in whole.items() if name != "recordSet"}
    assert len(json.dumps(head)) < len(json.dumps(whole)) / 5


def test_a_description_with_another_digest_is_seen(folder: Path, tmp_path: Path) -> None:
    where = copied(folder, tmp_path)
    path = where / "datapackage.json"
    path.write_text(path.read_text().replace(file_sha256(where / "records" / "p001.jsonl"), "0" * 64))
    renew_manifest(where)
    assert problems(where) == "datapackage.json has another digest of records/p001.jsonl than the file"


# -- holes ---------------------------------------------------------------------------------------------------


def resealed(where: Path, path: Path, before: str) -> None:
    """Put the digest of a changed file into everything that names it."""
    for name in ("datapackage.json", "croissant.json"):
        text = (where / name).read_text()
        (where / name).write_text(text.replace(before, file_sha256(path)))
    renew_manifest(where)


def hole(where: Path, column: str, value: object, place: int = 3) -> Path:
    """Write one value into the holes of the first play."""
    path = sorted((where / "holes").iterdir())[0]
    before, rows = file_sha256(path), pq.read_table(path)
    values = rows.column(column).to_pylist()
    values[place] = value
    at = rows.schema.get_field_index(column)
    kind = rows.schema.field(column).type
    plainly = pa.string() if pa.types.is_dictionary(kind) else kind
    put = pa.array(values, plainly).cast(kind)
    pq.write_table(rows.set_column(at, rows.schema.field(at), put), path)
    resealed(where, path, before)
    return path


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("player", 7, "holds 7 in column player, where play leaves 0 to 2"),
        ("player", 0, "0 in column player, where these rules leave 1 to 2"),
        ("holes", -5, "holds -5 in column holes"),
        ("holes", 0, "an event without a hole"),
        ("holes_1", 13, "13 in column holes_1, where these rules leave 0 to 12"),
        ("holes_2", 3, "holes_2 are not those made before and now"),
        ("points_before", 12, "12 in column points_before, where these rules leave 0 to 11"),
        ("points", 31, "points are not those of the figures"),
        ("set_no", 2, "2 in column set_no, where these rules leave 1 to 1"),
        ("match_id", 5, "matches that do not belong here, or not in their order"),
        ("event_no", 9, "keys event_no are missing, or there twice"),
        ("roll", 30000, "30000 in column roll, where these rules leave 1 to 20000"),
        ("rules", "twelve_hole", "several labels in column rules"),
    ],
)
def test_holes_that_no_play_leaves_are_seen(
    folder: Path, tmp_path: Path, column: str, value: object, words: str
) -> None:
    where = copied(folder, tmp_path)
    path = hole(where, column, value)
    found = problems(where)
    assert words in found
    assert f"holes/{path.name}" in found
    assert call(["verify", str(where)]) == 5


@pytest.mark.parametrize("end", [-1, 0])
def test_holes_that_are_missing_or_of_other_sets_are_seen(folder: Path, tmp_path: Path, end: int) -> None:
    """Rows left out at the end, or all of them."""
    where = copied(folder, tmp_path)
    path = sorted((where / "holes").iterdir())[1]
    before, rows = file_sha256(path), pq.read_table(path)
    pq.write_table(rows.slice(0, rows.num_rows + end if end else 0), path)
    resealed(where, path, before)
    assert "do not come to those in sets" in problems(where)


def test_a_missing_file_of_sets_is_told_once(folder: Path, tmp_path: Path) -> None:
    where = copied(folder, tmp_path)
    path = sorted((where / "sets").iterdir())[0]
    path.unlink()
    assert verify_run(where).problems == (f"sets/{path.name} is missing, or no plain file",)


# -- matches told in full ------------------------------------------------------------------------------------


def lines_of(where: Path, change: Callable[[list[Any]], Any], text: bytes = b"") -> None:
    """Change the matches told of the first play, as values; add text behind."""
    path = where / "records" / "p000.jsonl"
    before = file_sha256(path)
    found = [json.loads(line) for line in path.read_bytes().splitlines()]
    change(found)
    path.write_bytes(b"".join(line_of(one) for one in found) + text)
    resealed(where, path, before)


def other_matches(found: list[Any]) -> None:
    """Tell other matches than those that the seed chooses, as they were played."""
    play = PlaySpec(simkit.rule_set("classical"), (simkit.player("prudent"), simkit.player("random")), 7)
    held = [one["match"] for one in found]
    others = [match for match in range(6) if match not in held][:2]
    found[:] = [json.loads(line_of(told(play, match))) for match in others]


@pytest.mark.parametrize(
    ("change", "text", "words"),
    [
        (lambda found: found.pop(), b"", "tells 1 matches, not 2"),
        (lambda found: found.append(found[0]), b"", "tells 3 matches, not 2"),
        (lambda found: found.reverse(), b"", "tells other matches than those that the seed chooses"),
        (other_matches, b"", "tells other matches than those that the seed chooses"),
        (lambda found: found[0].update(match=6), b"", "tells other matches than those that the seed chooses"),
        (lambda found: found[0].update(match="0"), b"", "records/p000.jsonl, line 1 is no match told"),
        (lambda found: found[0].update(match=-1), b"", "line 1: 1 sets of match -1, and 0 in the rows"),
        (lambda found: found[0].update(seed=8), b"", "line 1: no match of this play"),
        (lambda found: found[0].update(sets=7), b"", "line 1: no match of this play"),
        (lambda found: found[0]["sets"].pop(), b"", "line 1: 0 sets of match"),
        (lambda found: found[0]["sets"][0].update(row=None), b"", "line 1: no match told"),
        (lambda found: found[1]["sets"][0]["row"].update(winner=7), b"", "line 2: winner is 7 of match"),
        (
            lambda found: found[1]["sets"][0]["row"].update(ended_by="drop"),
            b"",
            "ended_by is 'drop' of match",
        ),
        (lambda found: None, b"{no JSON\n", "records/p000.jsonl, line 3 is no JSON"),
        (lambda found: None, b"[]\n", "records/p000.jsonl, line 3 is no match told"),
        (lambda found: None, b"\n", "records/p000.jsonl, line 3 is no JSON"),
        (lambda found: found.clear(), b"", "tells 0 matches, not 2"),
    ],
)
def test_matches_told_that_cannot_be_are_seen(
    folder: Path, tmp_path: Path, change: Callable[[list[Any]], Any], text: bytes, words: str
) -> None:
    where = copied(folder, tmp_path)
    lines_of(where, change, text)
    assert words in problems(where)
    assert call(["verify", str(where)]) == 5


@pytest.mark.parametrize(
    ("rules", "player", "tables"),
    [
        ("toutes_tables_225", "random", "records"),
        ("tourner_guiton", "random", "records"),
        ("combine_classical", "random", "records"),
        ("pool_drain", "random", "records"),
        ("ecrire_academie", "random", "records,holes"),
    ],
)
def test_datasets_of_every_kind_are_sound(rules: str, player: str, tables: str, tmp_path: Path) -> None:
    words = [
        "dataset",
        "x",
        "--rules",
        rules,
        "--players",
        player,
        "--matches",
        "3",
        "--jobs",
        "1",
        "--quiet",
    ]
    assert call([*words, "--tables", tables, "--records", "2", "--out", str(tmp_path / "x")]) == 0
    found = verify_run(tmp_path / "x", replay=None, tell=told)
    assert found.problems == ()
    assert call([*words, "--out", str(tmp_path / "x")]) == 0
    assert verify_run(tmp_path / "x").problems == ()


def test_holes_of_the_longest_run_on_one_attempt_add_up(folder: Path) -> None:
    """The check that `verify` makes, by pandas: the last event of a decided attempt has the holes of its set."""
    holes, sets = simkit.dataset.HOLES, simkit.open(folder).sets
    events = pq.read_table(folder / holes.name).to_pandas()
    last = events.groupby(["rules", "match_id", "set_no", "attempt"], observed=True).tail(1)
    both = sets.assign(attempt=sets["do_overs"] + 1).merge(
        last, on=["rules", "match_id", "set_no", "attempt"]
    )
    for player in (1, 2):
        assert np.array_equal(both[f"holes_{player}_x"], both[f"holes_{player}_y"])
