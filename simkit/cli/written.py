"""Files and folders that a command writes at its end: what forbids it is found before anything is played."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import typer

from simkit.errors import UsageError
from simkit.files import problem_of_file, problem_of_folder, write_whole


def page_to_write(text: str) -> Path:
    """Read the name of a page."""
    return file_to_write(text, ".html", ".htm")


def rows_to_write(text: str) -> Path:
    """Read the name of a file of rows."""
    return file_to_write(text, ".parquet", ".csv")


def record_to_write(text: str) -> Path:
    """Read the name of a record in JSON; it may have no ending."""
    return file_to_write(text, ".json", "")


def drawing_to_write(text: str) -> Path:
    """Read the name of a drawing."""
    return file_to_write(text, ".svg")


def file_to_write(text: str, *endings: str) -> Path:
    """Read the name of a file that is to be written, of the kinds that end so."""
    return _checked(text, lambda path: problem_of_file(path, endings))


def folder_to_write(text: str) -> Path:
    """Read the name of a folder that is made, if it is missing, and written to."""
    return _checked(text, problem_of_folder)


def refuse_twice(one: tuple[str, Path | None], other: tuple[str, Path | None]) -> None:
    """Refuse two options, each with its file, that name the same one."""
    (name, path), (another, second) = one, other
    if path is not None and second is not None and path.resolve() == second.resolve():
        raise UsageError(f"{name} {path} and {another} {second} are one file; give each its own")


def write(option: str, path: Path, text: str) -> None:
    """Write the file of an option, whole or not at all."""
    try:
        write_whole(path, text)
    except OSError as error:
        raise UsageError(f"{option} {path} cannot be written: {error.strerror or error}") from None


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
