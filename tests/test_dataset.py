"""Run folders: what is written, what is read back, and what is refused."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fake_play import ANNE, BEN, PARTIE, RULES, fake, spec

from simkit.batch import play_run
from simkit.dataset import (
    ENDED_BY,
    ESTIMATES,
    FIGURE_SUMS,
    FIGURES,
    MATCHES,
    SETS,
    TABLES,
    TRICTRAC,
    FolderWriter,
    Run,
    content_hash,
    data_dictionary,
    open_run,
    renew_manifest,
    verify,
    write_card,
    write_estimates,
)
from simkit.dataset import folder as folder_module
from simkit.dataset.parquet import array_dtype
from simkit.errors import SimkitError, UsageError, VerificationFailed
from simkit.progress import Reporter
from simkit.rules import replace

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def _unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncing a disk is slow, and no test pulls the plug."""
    monkeypatch.setattr(folder_module.os, "fsync", lambda _: None)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Ten matches of two sets, in chunks of three."""
    return play_run(spec(), 10, folder=tmp_path / "run", chunk_matches=3, jobs=1, driver=fake)


# -- schemas -------------------------------------------------------------------------------------------


def test_the_data_dictionary_in_docs_is_current() -> None:
    text = (ROOT / "docs" / "data_dictionary.md").read_text(encoding="utf-8")
    assert text == data_dictionary(), "run python -m simkit.dataset > docs/data_dictionary.md"


def test_the_figures_are_those_of_the_kernel() -> None:
    from simkit.kernel.records import FIGURES as KERNEL_FIGURES

    assert tuple(FIGURES) == tuple(KERNEL_FIGURES)


def test_every_column_is_described_and_named_once() -> None:
    for table in TABLES:
        names = [column.name for column in table.columns]
        assert len(set(names)) == len(names)
        assert set(table.key) <= set(names)
        assert all(column.unit and column.description for column in table.columns)


def test_importing_the_dataset_loads_no_heavy_library() -> None:
    heavy = "{'pandas', 'pyarrow', 'scipy', 'joblib', 'numba', 'matplotlib'}"
    code = f"import sys, simkit.dataset, simkit.batch, simkit.progress; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# -- frames, blocks, files -----------------------------------------------------------------------------


def test_frames_have_the_columns_of_the_schema(run: Run) -> None:
    expected = fake(RULES, (ANNE, BEN), 7, 0, 10)
    for table, frame, columns in ((MATCHES, run.matches, expected.matches), (SETS, run.sets, expected.sets)):
        assert list(frame.columns) == [column.name for column in table.columns]
        for column in table.data:
            values = frame[column.name]
            if column.values:
                assert list(values) == [column.values[code] for code in columns[column.name]]
            else:
                assert values.dtype == array_dtype(column)
                assert np.array_equal(values.to_numpy(), columns[column.name])
    assert set(run.sets["rules"]) == {"little_written"}
    assert isinstance(run.sets["player_2"].dtype, pd.CategoricalDtype)
    assert set(run.matches["player_2"]) == {"ben"}


def test_blocks_hold_whole_matches_in_the_order_and_types_asked_for(run: Run) -> None:
    blocks = list(run.iter_sets(0, ("winner", "ended_by", "match_id")))
    assert all(list(block) == ["winner", "ended_by", "match_id"] for block in blocks)
    assert np.array_equal(
        np.concatenate([block["match_id"] for block in blocks]), np.repeat(np.arange(10), 2)
    )
    expected = fake(RULES, (ANNE, BEN), 7, 0, 10).sets["ended_by"]
    codes = np.concatenate([block["ended_by"] for block in blocks])
    assert codes.dtype == np.int8
    assert np.array_equal(codes, expected)
    assert [ENDED_BY[code] for code in codes] == list(run.sets["ended_by"])
    with pytest.raises(UsageError, match="sets has no column tail; its columns are match_id"):
        next(run.iter_sets(0, ("tail",)))
    for play in (1, -1, "0", None):
        with pytest.raises(UsageError, match=rf"play: {play} is not one of the 1 of this run"):
            next(run.iter_sets(play))  # type: ignore[arg-type]
    for names in (5, "rolls", [5]):
        with pytest.raises(UsageError, match=r"columns: .* is not a list of names of columns"):
            next(run.iter_sets(0, names))  # type: ignore[arg-type]


def test_row_groups_close_at_whole_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "ROWS_PER_GROUP", 8)
    run = play_run(spec(), 15, folder=tmp_path / "run", chunk_matches=3, jobs=1, driver=fake)
    (path,) = (tmp_path / "run" / "sets").iterdir()
    groups = pq.ParquetFile(path).metadata
    assert [groups.row_group(group).num_rows for group in range(groups.num_row_groups)] == [12, 12, 6]
    assert [len(block["match_id"]) for block in run.iter_sets()] == [12, 12, 6]


def test_a_file_says_what_it_is_and_nothing_of_where_or_when(run: Run) -> None:
    path = next((run.folder / "sets").iterdir())
    schema = pq.read_schema(path)
    metadata = {
        key.decode(): value.decode() for key, value in schema.metadata.items() if key != b"ARROW:schema"
    }
    assert metadata["simkit.schema"] == "sets/1"
    assert metadata["simkit.seed"] == "7"
    assert re.fullmatch("unknown|[0-9a-f]{40}(-dirty)?", metadata["simkit.commit"])
    assert metadata["simkit.play_digest"] == RULES.play_digest
    assert json.loads(metadata["simkit.rules"])["name"] == "little_written"
    assert metadata.keys() == {
        f"simkit.{key}"
        for key in (
            *("schema", "row", "version", "commit", "dice", "run_digest"),
            *("play_digest", "rules_digest", "rules", "players", "seed"),
        )
    }
    assert schema.field("rolls").metadata[b"unit"] == b"rolls"
    assert schema.field("rules").type == pa.dictionary(pa.int32(), pa.string())
    written = b"".join(path.read_bytes() for path in run.folder.rglob("*") if path.is_file())
    assert str(run.folder.parent).encode() not in written


def test_other_readers_read_a_folder_of_a_table(run: Run) -> None:
    assert pd.read_parquet(run.folder / "sets")["rolls"].sum() == run.sets["rolls"].sum()
    assert len(pq.read_table(run.folder / "matches")) == 10


def test_figures_are_exact_sums_in_frame_and_file(run: Run) -> None:
    expected = fake(RULES, (ANNE, BEN), 7, 0, 10).figures
    assert len(run.figures) == 2 * len(FIGURES)
    assert np.array_equal(run.figures["ways"].to_numpy(), expected[:, :, 0].ravel())
    assert np.array_equal(run.figures["points"].to_numpy(), expected[:, :, 1].ravel())
    row = run.figures[(run.figures["side"] == 2) & (run.figures["figure"] == "sortie")].iloc[0]
    assert row["points"] == expected[1, list(FIGURES).index("sortie"), 1]
    stored = pd.read_parquet(run.folder / "figures" / "figures.parquet")
    assert list(stored.columns) == [column.name for column in FIGURE_SUMS.columns]
    pd.testing.assert_frame_equal(stored, run.figures, check_categorical=False)


def test_several_plays_share_a_run(tmp_path: Path) -> None:
    plays = [spec(), spec(PARTIE), spec(one=BEN)]
    run = play_run(plays, 6, folder=tmp_path / "run", chunk_matches=2, jobs=1, driver=fake)
    assert run.counts == (6, 6, 6)
    assert [play.labels["rules"] for play in run.plays] == ["little_written", "partie", "little_written"]
    assert len(run.sets) == 6 * 2 + 6 + 6 * 2
    assert len(run.figures) == 3 * 2 * len(FIGURES)
    assert set(run.figures["rules"]) == {"little_written", "partie"}
    blocks = np.concatenate([block["rolls"] for block in run.iter_sets(1)])
    assert np.array_equal(blocks, run.sets.loc[run.sets["rules"] == "partie", "rolls"])
    assert np.array_equal(blocks, fake(PARTIE, (ANNE, BEN), 7, 0, 6).sets["rolls"])


def test_plays_that_rows_could_not_tell_apart_are_refused(tmp_path: Path) -> None:
    no_tail = RULES.with_settlement(tail_of_sets=0)
    with pytest.raises(UsageError, match="settlement alone share one play"):
        play_run([spec(), spec(no_tail)], 5, folder=tmp_path / "run", driver=fake)
    with pytest.raises(UsageError, match="two different plays are called little_written: anne against ben"):
        play_run([spec(), spec(seed=8)], 5, folder=tmp_path / "run", driver=fake)
    with pytest.raises(UsageError, match="plays: 0 given"):
        play_run([], 5, folder=tmp_path / "run", driver=fake)
    assert not (tmp_path / "run").exists()


def test_the_digest_is_that_of_the_play_alone(tmp_path: Path) -> None:
    def digest(*plays: Any) -> str:
        return FolderWriter(tmp_path, plays).digest

    assert digest(spec()) == digest(spec(RULES.with_settlement(tail_of_sets=0)))
    different = {
        digest(spec()),
        digest(spec(seed=8)),
        digest(spec(one=BEN)),
        digest(spec(PARTIE)),
        digest(spec(), spec(PARTIE)),
        digest(spec(RULES.with_match(sets=4))),
    }
    assert len(different) == 6
    text = (
        f'{{"dice":"philox4x64-10/2","plays":[{{"play_digest":"{RULES.play_digest}",'
        f'"players":["{ANNE.digest}","{BEN.digest}"],"seed":"7"}}]}}'
    )
    assert digest(spec()) == hashlib.sha256(text.encode()).hexdigest()


# -- seeds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 2**53 + 1, 2**64 - 1])
def test_a_seed_survives_the_folder_whole(tmp_path: Path, seed: int) -> None:
    play_run(spec(seed=seed), 1, folder=tmp_path / "run", jobs=1, driver=fake)
    assert open_run(tmp_path / "run").plays[0].seed == seed
    assert json.loads((tmp_path / "run" / "run.json").read_text())["plays"][0]["seed"] == str(seed)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, True, "7", None])
def test_a_seed_out_of_range_is_refused(seed: Any) -> None:
    with pytest.raises(UsageError, match=r"seed: .* is not a whole number from 0 to 2\*\*64 - 1"):
        spec(seed=seed)


# -- estimates and card --------------------------------------------------------------------------------


def some_estimates() -> pd.DataFrame:
    """Two rows: one with every column filled, one with as little as is allowed."""
    return pd.DataFrame(
        {
            "measure": ["winner_changes", "mean_holes"],
            "rules": "little_written",
            "player_1": "anne",
            "player_2": "ben",
            "sets": [8, None],
            "tail_of_sets": [20.0, float("nan")],
            "tokens_per_set": [2, None],
            "contrast": ["20 against 0", None],
            "detail": [None, "hit_true"],
            "unit": ["share", "holes"],
            "n": [10, 10],
            "mean": [0.25, 9.5],
            "se": [0.01, float("nan")],
            "low": [0.23, 9.0],
            "high": [0.27, 10.0],
            "level": 0.95,
            "method": ["wilson", "t"],
        }
    )


def test_estimates_come_back_as_they_were(run: Run) -> None:
    with pytest.raises(UsageError, match="holds no estimates yet"):
        _ = run.estimates
    write_estimates(run.folder, some_estimates()[[column.name for column in reversed(ESTIMATES.columns)]])
    back = run.estimates
    assert list(back.columns) == [column.name for column in ESTIMATES.columns]
    assert back["mean"].tolist() == [0.25, 9.5]
    assert back["sets"].isna().tolist() == [False, True]
    assert back["tail_of_sets"][0] == 20
    assert back["contrast"][0] == "20 against 0"
    assert back["detail"].isna()[0] and back["detail"][1] == "hit_true"
    assert run.complete
    assert not (run.folder / ".staging").exists()
    verify(run)


def test_estimates_of_another_shape_are_refused(run: Run) -> None:
    frame = some_estimates()
    with pytest.raises(UsageError, match=r"missing columns \['se'\], unknown columns \['error'\]"):
        write_estimates(run.folder, frame.rename(columns={"se": "error"}))
    with pytest.raises(UsageError, match="column sets is not int16"):
        write_estimates(run.folder, frame.assign(sets="eight"))
    with pytest.raises(UsageError, match="column n has empty values"):
        write_estimates(run.folder, frame.assign(n=[1, None]))
    with pytest.raises(UsageError, match="no run folder"):
        write_estimates(run.folder / "elsewhere", frame)
    assert not (run.folder / "estimates.parquet").exists()


def test_the_card_tells_what_the_run_is(run: Run) -> None:
    text = (run.folder / "README.md").read_text(encoding="utf-8")
    assert "| little_written | anne | ben | 10 | 7 |" in text
    assert "Goes rarely." in text
    assert all(f"`{column.name}`" in text for table in TRICTRAC.tables for column in table.columns)
    assert text.count("Plays anything.") == 1
    assert ".." not in text
    front = json.loads(text.split("---")[1])
    assert [entry["config_name"] for entry in front["configs"]] == ["matches", "sets", "figures"]
    (run.folder / "README.md").unlink()
    write_card(run.folder)
    assert (run.folder / "README.md").read_text(encoding="utf-8") == text


# -- damage and malice ---------------------------------------------------------------------------------


def change(path: Path, old: str, new: str) -> None:
    """Edit a text file of a run."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_sound_run_is_verified(run: Run) -> None:
    verify(run)
    verify(open_run(run.folder))


def test_a_flipped_bit_is_found(run: Run) -> None:
    path = next((run.folder / "sets").iterdir())
    content = bytearray(path.read_bytes())
    column = pq.ParquetFile(path).metadata.row_group(0).column(SETS.columns.index(SETS.column("rolls")))
    content[column.dictionary_page_offset + column.total_compressed_size - 5] ^= 4
    path.write_bytes(content)
    with pytest.raises(VerificationFailed, match=r"sets/p000-.*\.parquet has other bytes than were written"):
        verify(open_run(run.folder))
    remedy = "cannot be read: .*; run the command that wrote it again: damaged parts are played anew"
    with pytest.raises(VerificationFailed, match=remedy):
        list(open_run(run.folder).iter_sets())
    with pytest.raises(VerificationFailed, match=remedy):
        _ = open_run(run.folder).sets


def test_a_torn_or_missing_file_is_found_and_played_again(run: Run) -> None:
    whole = content_hash(run)
    path = next((run.folder / "sets").iterdir())
    for damage in (lambda: path.write_bytes(path.read_bytes()[:-40]), path.unlink):
        damage()
        with pytest.raises(
            VerificationFailed,
            match="damaged or missing; run the command that wrote it again: damaged parts are played",
        ):
            open_run(run.folder)
        again = play_run(spec(), 10, folder=run.folder, chunk_matches=3, jobs=1, driver=fake)
        assert again.new_matches == 10
        assert content_hash(again) == whole


def test_a_file_of_another_table_is_refused(run: Run) -> None:
    (sets,) = (run.folder / "sets").iterdir()
    table = pq.read_table(sets).drop_columns(["rolls"])
    pq.write_table(table, sets)
    journal = run.folder / "journal.jsonl"
    line = json.loads(journal.read_text())
    line["files"]["sets"]["bytes"] = sets.stat().st_size
    del line["check"]
    journal.write_text(json.dumps(line) + "\n")
    with pytest.raises(VerificationFailed, match="column rolls is None, not int32"):
        list(open_run(run.folder).iter_sets(0, ("rolls",)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"first":0', '"first":-1'),
        ('"matches":10', '"matches":10000000000'),
        ('"matches":10', '"matches":1e1'),
        ('"rows":20', '"rows":21'),
        ('"play":0', '"play":1'),
        ('"play":0', '"play":true'),
        ('"bytes":', '"bytes":NaN,"was":'),
        ('"sha256":"', '"sha256":"../'),
        ('"figures":[[', '"figures":[[[1,1],'),
        ('"figures":[[[', '"figures":[[[9223372036854775808,0],['),
        ('{"play"', '[' * 100_000 + '{"play"'),
        ('{"play":', '{"play":' + "9" * 5000 + ',"other":'),
    ],
)  # fmt: skip
def test_a_journal_that_no_run_wrote_is_refused(run: Run, old: str, new: str) -> None:
    journal = run.folder / "journal.jsonl"
    line = json.loads(journal.read_text())
    del line["check"]
    journal.write_text(json.dumps(line, separators=(",", ":")) + "\n")
    assert open_run(run.folder).counts == (10,)  # a line of an older version
    change(journal, old, new)
    with pytest.raises(
        VerificationFailed, match=r"journal.jsonl, line 1.*run the command that wrote it again"
    ):
        open_run(run.folder)


def test_sums_that_overflow_are_refused(run: Run) -> None:
    journal = run.folder / "journal.jsonl"
    line = json.loads(journal.read_text())
    line["figures"][0][0] = [2**63 - 1, 0]
    del line["check"]
    second = {**line, "first": 10, "matches": 10}
    journal.write_text(json.dumps(line) + "\n" + json.dumps(second) + "\n")
    plays = run.plays
    parts = folder_module.read_journal(run.folder, plays)
    with pytest.raises(VerificationFailed, match="figures that no run can hold"):
        folder_module.sum_figures(parts, 1)


def test_a_match_held_twice_is_refused(run: Run) -> None:
    journal = run.folder / "journal.jsonl"
    line = json.loads(journal.read_text())
    del line["check"]
    journal.write_text(journal.read_text() + json.dumps({**line, "first": 5}) + "\n")
    with pytest.raises(VerificationFailed, match="match 5 of play 0 is held twice"):
        open_run(run.folder)


def test_a_last_line_cut_short_does_not_count(run: Run) -> None:
    journal = run.folder / "journal.jsonl"
    with journal.open("a") as file:
        file.write('{"play":0,"first":10,"mat')
    assert open_run(run.folder).counts == (10,)
    more = play_run(spec(), 12, folder=run.folder, jobs=1, driver=fake)
    assert more.counts == (12,)
    assert len(journal.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"schema": "run/1"', '"schema": "run/2"', "does not describe a run"),
        ('"seed": "7"', '"seed": "8"', "digest is not that of its plays"),
        ('"seed": "7"', '"seed": "-7"', "no decimal number"),
        ('"seed": "7"', '"seed": 7', "no decimal number"),
        ('"seed": "7"', '"seed": "99999999999999999999"', "above"),
        ('"sets": 2', '"sets": 4', "are not those of its rules"),
        ('"sets": 2', '"sets": 3', "match.sets"),
        ('"name": "anne"', '"name": 5', "short texts"),
        ('"philox4x64-10/2"', '"philox4x64-10/0"', "played with dice"),
        ("{", "", "is no JSON"),
    ],
)
def test_a_run_that_describes_itself_wrongly_is_refused(run: Run, old: str, new: str, message: str) -> None:
    change(run.folder / "run.json", old, new)
    with pytest.raises(VerificationFailed, match=message):
        open_run(run.folder)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"name": "anne"', '"name": "anna"'),
        ('"name": "little_written"', '"name": "larger_written"'),
        ('"title": "A written match of two sets"', '"title": "Another"'),
        ("Goes rarely.", "Goes often."),
        ('"sha256": "', '"sha": "'),
        ('"sha256": "', '"sha256": "0'),
        ('"name": ""', '"name": "trial"'),
        ('"simkit": "', '"simkit": "9'),
    ],
)
def test_a_changed_description_is_refused_and_mended(run: Run, old: str, new: str) -> None:
    before, text = content_hash(run), (run.folder / "run.json").read_bytes()
    change(run.folder / "run.json", old, new)
    with pytest.raises(
        VerificationFailed, match=r"run\.json was changed .* run the command that wrote it again"
    ):
        open_run(run.folder)
    heard: list[str] = []
    with FolderWriter(run.folder, [spec()], note=heard.append):
        pass
    assert [note.partition(",")[0] for note in heard] == ["run.json was changed after it was written"]
    assert (run.folder / "run.json").read_bytes() == text
    assert content_hash(open_run(run.folder)) == before


def test_a_changed_description_is_kept_if_the_rows_have_other_names(run: Run) -> None:
    change(run.folder / "run.json", "Goes rarely.", "Goes often.")
    renamed = spec(one=replace(ANNE, name="anna"))
    with (
        pytest.raises(VerificationFailed, match="played under other names than those asked for"),
        FolderWriter(run.folder, [renamed]),
    ):
        pass
    assert "Goes often." in (run.folder / "run.json").read_text()


def test_names_that_are_not_those_of_the_rows_are_refused(run: Run) -> None:
    """Even where somebody has made the digest of `run.json` anew."""
    path = run.folder / "run.json"
    plain = json.loads(path.read_text())
    del plain["sha256"]
    plain["plays"][0]["players"][0]["name"] = "anna"
    path.write_text(json.dumps({**plain, "sha256": folder_module.digest_of(plain)}))
    with pytest.raises(
        VerificationFailed, match=r"player_1 is 'anna' in run\.json and 'anne' in the rows \(matches/p000"
    ):
        open_run(run.folder)


def test_files_of_absurd_size_are_refused_unread(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with (run.folder / "run.json").open("r+b") as file:
        file.truncate(10**12)  # a sparse file: nothing is stored
    with pytest.raises(VerificationFailed, match=r"run\.json has 1000000000000 bytes"):
        open_run(run.folder)


@pytest.mark.parametrize("path", ["../secret", "/etc/hostname", "sets/../../secret", "link", "", "sets"])
def test_a_manifest_cannot_lead_out_of_the_folder(run: Run, path: str) -> None:
    (run.folder.parent / "secret").write_text("nothing to see")
    (run.folder / "link").symlink_to(run.folder.parent / "secret")
    manifest = run.folder / "manifest.json"
    plain = json.loads(manifest.read_text())
    plain["files"] = [{"path": path, "sha256": "0" * 64}]
    manifest.write_text(json.dumps(plain))
    with pytest.raises(VerificationFailed, match="is no file of this run folder"):
        verify(run)


def test_links_in_place_of_files_and_folders_are_refused(run: Run, tmp_path: Path) -> None:
    (path,) = (run.folder / "sets").iterdir()
    path.rename(tmp_path / "elsewhere.parquet")
    path.symlink_to(tmp_path / "elsewhere.parquet")
    with pytest.raises(VerificationFailed, match="damaged or missing"):
        open_run(run.folder)
    path.unlink()
    (run.folder / "sets").rmdir()
    (tmp_path / "other").mkdir()
    (run.folder / "sets").symlink_to(tmp_path / "other")
    with pytest.raises(SimkitError, match="sets in the run folder is a link"):
        play_run(spec(), 10, folder=run.folder, jobs=1, driver=fake)
    assert not list((tmp_path / "other").iterdir())


def test_a_damaged_manifest_is_written_anew(run: Run) -> None:
    manifest = run.folder / "manifest.json"
    whole = manifest.read_bytes()
    for damage in (b"", b"[]", b'{"plays": 3}'):
        manifest.write_bytes(damage)
        assert not open_run(run.folder).complete
        assert play_run(spec(), 10, folder=run.folder, jobs=1, driver=fake).new_matches == 0
        assert manifest.read_bytes() == whole


def flip(path: Path, place: int) -> None:
    """Change one byte of a file, and not its size."""
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)


@pytest.mark.parametrize(
    "name",
    ["matches", "sets", "figures", "journal.jsonl", "manifest.json", "run.json"],
)
def test_damage_of_the_same_size_is_mended_by_the_same_command(run: Run, name: str) -> None:
    """In every file, at several places: afterwards everything is as it was, and somebody was told."""
    path = run.folder / name
    (path,) = path.iterdir() if path.is_dir() else (path,)
    whole, before = content_hash(run), path.read_bytes()
    for place in (len(before) // 7, len(before) // 3, len(before) // 2, len(before) - 12):
        flip(path, place)
        heard: list[str] = []
        reporter = Reporter()
        reporter.note = heard.append  # type: ignore[method-assign]
        try:
            again = play_run(
                spec(), 10, folder=run.folder, chunk_matches=3, jobs=1, driver=fake, progress=reporter
            )
        except VerificationFailed as error:  # what is played is no longer known
            assert name == "run.json"
            assert "run.json" in str(error)
            path.write_bytes(before)
            continue
        assert path.read_bytes() == before, place
        assert content_hash(again) == whole
        told = "manifest.json does not fit" if name in ("figures", "manifest.json") else path.name
        assert any(told in note for note in heard), heard
        verify(open_run(run.folder))


def test_damaged_estimates_are_told_and_taken_away_when_the_run_is_finished_anew(run: Run) -> None:
    write_estimates(run.folder, some_estimates())
    path = run.folder / "estimates.parquet"
    flip(path, pq.ParquetFile(path).metadata.row_group(0).column(9).data_page_offset + 30)
    remedy = r"estimates\.parquet cannot be read: .*; simkit report RUN writes them anew"
    with pytest.raises(VerificationFailed, match=remedy):
        _ = run.estimates
    play_run(spec(), 10, folder=run.folder, chunk_matches=3, jobs=1, driver=fake)
    assert not path.exists()
    verify(open_run(run.folder))


def test_a_folder_as_git_keeps_it_is_completed_without_a_word(run: Run) -> None:
    """Only `run.json`, estimates, report and card, as `.gitignore` leaves them."""
    write_estimates(run.folder, some_estimates())
    (run.folder / "report.html").write_text("a report")
    renew_manifest(run.folder)
    kept = ("run.json", "estimates.parquet", "report.html", "README.md")
    before = {path: path.read_bytes() for path in run.folder.rglob("*") if path.is_file()}
    for path in list(run.folder.iterdir()):
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in kept:
            path.unlink()
    assert open_run(run.folder).counts == (0,)
    heard: list[str] = []
    reporter = Reporter()
    reporter.note = heard.append  # type: ignore[method-assign]
    again = play_run(spec(), 10, folder=run.folder, chunk_matches=3, jobs=1, driver=fake, progress=reporter)
    assert heard == []
    assert again.new_matches == 10
    assert {path: path.read_bytes() for path in run.folder.rglob("*") if path.is_file()} == before


def test_git_keeps_what_the_readme_says() -> None:
    names = {
        "run.json": False,
        "estimates.parquet": False,
        "report.html": False,
        "README.md": False,
        "journal.jsonl": True,
        "manifest.json": True,
        "matches/p.parquet": True,
        "sets/p.parquet": True,
        "shares/p.parquet": True,
        "honours_games/p.parquet": True,
        "holes/p.parquet": True,
        "records/p.jsonl": True,
        "figures/figures.parquet": True,
        ".lock": True,
    }
    lines = (ROOT / ".gitignore").read_text().split()
    for path in (ROOT / "experiments").glob("*.py"):  # of shared rows git keeps nothing
        for rows_of in re.findall(r'rows_of="(\w+)"', path.read_text(encoding="utf-8")):
            assert f"results/{rows_of}/" in lines
    for name, ignored in names.items():
        first = name.partition("/")[0]
        assert any(line.rstrip("/") == f"results/**/{first}" for line in lines) is ignored, name


def test_no_run_no_reading(tmp_path: Path) -> None:
    for wrong in (None, 5, b"run"):
        with pytest.raises(UsageError, match=r"folder: .* is not a path"):
            open_run(wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="does not exist"):
        open_run(tmp_path / "nowhere")
    (tmp_path / "file").write_text("text")
    with pytest.raises(UsageError, match="is a file"):
        open_run(tmp_path / "file")
    with pytest.raises(UsageError, match=r"holds no run\.json"):
        open_run(tmp_path)


def test_rows_that_break_the_agreement_are_not_written(tmp_path: Path) -> None:
    good = fake(RULES, (ANNE, BEN), 7, 0, 4)
    with FolderWriter(tmp_path / "run", [spec()]) as writer:
        cases = [
            (
                {**good.matches, "rolls": good.matches["rolls"].astype(np.int64)},
                good.sets,
                "rolls is int64, not int32",
            ),
            ({**good.matches, "odd": good.matches["rolls"]}, good.sets, r"unknown columns \['odd'\]"),
            ({**good.matches, "rolls": good.matches["rolls"][1:]}, good.sets, "different shapes"),
            (
                {**good.matches, "match_id": good.matches["match_id"] + 1},
                good.sets,
                "match 0 and those after",
            ),
            (good.matches, {**good.sets, "match_id": good.sets["match_id"][::-1]}, "in their order"),
            (good.matches, {**good.sets, "match_id": good.sets["match_id"] + 1}, "in their order"),
        ]
        for matches, sets, message in cases:
            with pytest.raises(SimkitError, match=message):
                writer.begin_part(0, 0, 4).add(matches, sets, good.figures)
        with pytest.raises(SimkitError, match="figures: int64"):
            writer.begin_part(0, 0, 4).add(good.matches, good.sets, good.figures[:1])
        part = writer.begin_part(0, 0, 5)
        part.add(good.matches, good.sets, good.figures)
        with pytest.raises(SimkitError, match="match 4 is missing"):
            part.publish()
    assert open_run(tmp_path / "run").counts == (0,)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not there")
def test_changed_files_make_a_commit_dirty_but_kept_results_do_not(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words], cwd=tmp_path, check=True
        )

    (tmp_path / "results").mkdir()
    for name in ("code.py", "results/run.json"):
        (tmp_path / name).write_text("1")
    assert folder_module.commit_of(tmp_path) == "unknown"
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "Begin")
    clean = folder_module.commit_of(tmp_path)
    assert re.fullmatch("[0-9a-f]{40}", clean)
    (tmp_path / "results/run.json").write_text("2")
    assert folder_module.commit_of(tmp_path) == clean
    (tmp_path / "code.py").write_text("2")
    assert folder_module.commit_of(tmp_path) == f"{clean}-dirty"
