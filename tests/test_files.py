"""Files that somebody names: what is no plain file is refused at once, in words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from simkit.cli import call
from simkit.files import open_plain, read_plain

COMMANDS = {
    "rule set": ("show", "f.json"),
    "declaration": ("show", "f.py"),
    "cases": ("cases", "f.json"),
    "record": ("resume", "f.json"),
    "events": ("holes", "f.json"),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("what", COMMANDS)
@pytest.mark.parametrize("kind", ["named pipe", "folder", "device"])
def test_what_is_no_plain_file_is_refused_at_once(
    what: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, name = COMMANDS[what]
    path = tmp_path / name
    if kind == "named pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    assert call([command, str(path)]) == 2
    said = capsys.readouterr().err
    assert str(path) in said
    assert kind in said


@pytest.mark.parametrize(("command", "name"), [("show", "u.json"), ("resume", "u.json")])
def test_bytes_that_are_no_text_are_no_configuration(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(b"\xff\xfe\x00")
    assert call([command, str(path)]) == 3
    assert f"{path} is no text in UTF-8" in capsys.readouterr().err


def test_a_link_to_a_plain_file_is_one(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"words")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    assert read_plain(tmp_path / "two", 3) == b"wor"
    with open_plain(tmp_path / "two") as file:
        assert file.read() == b"words"
    with pytest.raises(FileNotFoundError):
        open_plain(tmp_path / "none")
