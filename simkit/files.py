"""Files that somebody names: which may be opened, and which may be written.

Only plain files are opened, so that no pipe or device keeps us waiting. A file is written, whole or not at all,
under a name that says its kind, in a folder that is there and is no run's; one of that name is replaced.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Sequence
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import Final

RUN: Final = "run.json"
"""What lies in the folder of every run."""
KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def open_plain(path: Path) -> BufferedReader:
    """Open a plain file for reading bytes; a link to one is one.

    Raises
    ------
    OSError
        It cannot be read, or is a folder, a pipe, a socket or a device, which `strerror` says. Nothing is waited
        for: opening a pipe that nobody writes to would never end.
    """
    _refuse(path, path.stat().st_mode)
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        _refuse(path, os.fstat(handle).st_mode)  # it may be another by now
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_plain(path: Path, most: int = -1) -> bytes:
    """Read a plain file, or its first `most` bytes; what is raised is as for `open_plain`."""
    with open_plain(path) as file:
        return file.read(most)


def problem_of_file(path: Path, endings: Sequence[str]) -> str:
    """What forbids to write a file of a kind there, in words; empty where nothing does.

    `endings`: what its name may end in, as `.html`; nothing, if one of them is empty.
    """
    if path.exists() and not path.is_file():
        return "it is a folder" if path.is_dir() else "it is not a plain file"
    if path.suffix.lower() not in endings:
        *most, last = filter(None, endings)
        return f"it ends neither in {', '.join(most)} nor in {last}" if most else f"it does not end in {last}"
    return problem_of_folder(path.parent) if path.parent.is_dir() else f"there is no folder {path.parent}"


def problem_of_folder(folder: Path) -> str:
    """What forbids to write files to a folder, which is made if it is missing; empty where nothing does."""
    there = next(one for one in (folder, *folder.parents) if one.exists() or one == one.parent)
    if not there.is_dir():
        return f"{there} is no folder"
    whole = there.resolve()
    run = next((one for one in (whole, *whole.parents) if _holds_run(one)), None)
    if run is not None:
        return f"{run} is the folder of a run, which holds nothing else"
    return "" if os.access(there, os.W_OK | os.X_OK) else f"permission denied in {there}"


def _holds_run(folder: Path) -> bool:
    """Whether a folder is that of a run, by how its `run.json` begins."""
    try:
        with (folder / RUN).open("rb") as file:
            return re.match(rb'\s*\{\s*"schema"\s*:\s*"run/', file.read(200)) is not None
    except OSError:
        return False


def draft_of(path: Path) -> Path:
    """Where a file is written before it takes its place: beside it, and no other process's."""
    return path.with_name(f".{path.name}.{os.getpid()}.draft")


def write_whole(path: Path, text: str) -> None:
    """Write a file, whole or not at all, or the one that a link leads to; raises OSError."""
    path = path.resolve()
    draft = draft_of(path)
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _refuse(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((words for holds, words in KINDS if holds(mode)), "something else")
        raise OSError(errno.EINVAL, f"it is {kind}, not a plain file", str(path))
