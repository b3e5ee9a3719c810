"""Files and folders that a command writes at its end: what forbids it is found before anything is played."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from pathlib import Path

import typer


def file_to_write(text: str) -> Path:
    """Read the name of a file that is written in its place, in a folder that is there."""
    return _checked(text, _file)


def draft_to_write(text: str) -> Path:
    """Read the name of a file that is written beside and then put in its place, in a folder that is there."""
    return _checked(text, _draft)


def page_to_write(text: str) -> Path:
    """Read the name of a file that is written beside and then put in its place; its folder is made."""
    return _checked(text, _page)


def folder_to_write(text: str) -> Path:
    """Read the name of a folder that is made, if it is missing, and written to."""
    return _checked(text, _folder)


def _checked(text: str, problem_of: Callable[[Path], str]) -> Path:
    """Give the path, if nothing forbids to write there."""
    path = Path(text)
    try:
        problem = problem_of(path)
    except OSError as error:  # a name that is too long
        problem = error.strerror or str(error)
    if problem:
        raise typer.BadParameter(f"{textwrap.shorten(text, 200)} cannot be written: {problem}")
    return path


def _file(path: Path) -> str:
    if path.exists() and not path.is_dir():
        return "" if os.access(path, os.W_OK) else "permission denied"
    return _draft(path)


def _draft(path: Path) -> str:
    if path.is_dir():
        return "it is a folder"
    return _closed(path.parent) if path.parent.is_dir() else f"there is no folder {path.parent}"


def _page(path: Path) -> str:
    return "it is a folder" if path.is_dir() else _folder(path.parent)


def _folder(folder: Path) -> str:
    there = next(one for one in (folder, *folder.parents) if one.exists() or one == one.parent)
    return _closed(there) if there.is_dir() else f"{there} is no folder"


def _closed(folder: Path) -> str:
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"permission denied in {folder}"
