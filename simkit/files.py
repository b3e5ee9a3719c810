"""Files that somebody names: opened only if they are plain files, so that no pipe or device keeps us waiting."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path
from typing import Final

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


def _refuse(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((words for holds, words in KINDS if holds(mode)), "something else")
        raise OSError(errno.EINVAL, f"it is {kind}, not a plain file", str(path))
