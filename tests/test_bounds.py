"""How far the numbers of a play can go: rows beyond it are found by verify though every digest fits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import simkit
from simkit.cli import call
from simkit.dataset import PlaySpec, StoredPlay, renew_manifest
from simkit.dataset.bounds import bounds, last_hole
from simkit.dataset.folder import JOURNAL, describe_run, digest_of, file_sha256
from simkit.dataset.parquet import ColumnHash, read_blocks
from simkit.rules import replace
from simkit.verification import verify_run


def played(rules: str, folder: Path, matches: int = 4) -> Path:
    """A run at random."""
    seats = simkit.rule_set(rules).match.players
    simkit.simulate(rules, ("random",) * seats, matches=matches, seed=5, out=folder, jobs=1)
    return folder


def put(folder: Path, table: str, values: dict[str, int]) -> None:
    """Write numbers into the first row of a table, every digest computed anew."""
    (path,) = (folder / table).iterdir()
    rows = pq.read_table(path)
    for column, value in values.items():
        place, found = rows.schema.get_field_index(column), rows.column(column).to_numpy().copy()
        found[0] = value
        rows = rows.set_column(place, rows.schema.field(place), pa.array(found))
    pq.write_table(rows, path)
    line = json.loads((folder / JOURNAL).read_bytes())
    line["files"][table] |= {"bytes": path.stat().st_size, "sha256": file_sha256(path)}
    del line["check"]
    line["files"][table]["content_sha256"] = content(folder, table, path)
    line["check"] = digest_of(line)
    (folder / JOURNAL).write_text(json.dumps(line, separators=(",", ":")) + "\n")
    renew_manifest(folder)


def content(folder: Path, name: str, path: Path) -> str:
    """The digest of the columns of a file."""
    table = next(one for one in describe_run(folder).plays[0].family.played if one.name == name)
    digest = ColumnHash(table)
    for block in read_blocks(path, table):
        digest.update(block)
    return digest.hexdigest()


@pytest.mark.parametrize(
    ("rules", "table", "values", "words"),
    [
        ("twelve_hole", "sets", {"holes_1": 13, "holes_own_die_1": 13, "holes_other_die_1": 0}, "0 to 12"),
        ("twelve_hole", "matches", {"holes_2": 13}, "13 in column holes_2, where these rules leave 0 to 12"),
        ("twelve_hole", "matches", {"sets_won_1": 2}, "2 in column sets_won_1, where these rules leave 0 to 1"),
        ("ecrire_academie", "sets", {"holes_1": 32767}, "holes_1 is not holes_own_die_1 + holes_other_die_1"),
        ("ecrire_academie", "sets", {"rolls": 20001}, "20001 in column rolls, where these rules leave 0 to 20000"),
        ("ecrire_academie", "sets", {"first_player": 0}, "0 in column first_player, where these rules leave 1"),
        ("tourner_guiton", "sets", {"player_1_seat": 4}, "4 in column player_1_seat, where these rules"),
        ("pool_drain", "shares", {"won": 30000}, "30000 in column won, where these rules leave 0 to"),
        ("pool_drain", "matches", {"last_winner": 9}, "9 in column last_winner, where these rules leave 0 to"),
        ("toutes_tables_225", "games", {"cube": 64}, "holds 64 in column cube, where play leaves 0 to 32"),
        ("toutes_tables_225", "games", {"pips_left_1": 376}, "holds 376 in column pips_left_1, where play leaves"),
    ],
)  # fmt: skip
def test_rows_beyond_what_the_rules_leave_are_found(
    rules: str, table: str, values: dict[str, int], words: str, tmp_path: Path
) -> None:
    folder = played(rules, tmp_path / "run")
    if words.startswith("holds"):  # which cannot be read, so that no digest is computed of it
        with pytest.raises(simkit.SimkitError, match=words):
            put(folder, table, values)
        return
    put(folder, table, values)
    problem, *_ = verify_run(folder).problems
    assert problem.startswith(f"{table}/p000-0000000000-0000000004.parquet: ")
    assert words in problem
    assert call(["verify", str(folder)]) == 5


def test_every_rule_set_keeps_within_its_bounds(tmp_path: Path) -> None:
    """A few matches by each of the catalogue."""
    for name in simkit.catalogue.names().rule_sets:
        found = verify_run(played(name, tmp_path / name, 3))
        assert found.problems == (), name


def test_bounds_follow_the_rules() -> None:
    def most(rules: simkit.RuleSet, table: int, column: str) -> int:
        one = simkit.player("random")
        play = StoredPlay.of(PlaySpec(rules, (one,) * rules.match.players, 1))
        return bounds(play, play.family.played[table])[column][1]

    free, partie = simkit.rule_set("ecrire_academie"), simkit.rule_set("twelve_hole")
    assert last_hole(free) is None and last_hole(partie) == 12
    assert most(free, 1, "holes_1") == np.iinfo(np.int16).max
    limited = replace(free, match=replace(free.match, max_holes_per_set=20))
    assert (last_hole(limited), most(limited, 1, "holes_own_die_2")) == (20, 20)
    assert most(limited, 0, "holes_1") == 20 * free.match.units
    assert most(replace(partie, match=replace(partie.match, parties=3)), 0, "sets_won_2") == 3
    assert last_hole(simkit.rule_set("combine_classical")) is None
    assert last_hole(simkit.rule_set("pool_fill")) == simkit.rule_set("pool_fill").match.of_two.target_holes
