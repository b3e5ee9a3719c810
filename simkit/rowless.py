"""Results kept without their rows, as git keeps them: what there is to check, and what is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from simkit.dataset.estimated import estimate_faults
from simkit.dataset.folder import LOCK, RUN, Described, file_sha256, json_bytes, parse_json
from simkit.errors import UsageError, VerificationFailed
from simkit.files import read_plain
from simkit.kept import FILE, SCHEMA, SEAL, seal_fits

ESTIMATED: Final = "estimates.parquet"
UNSEALED: Final = ("report.html", "README.md")
"""Files that carry no digest, and that none is noted of where there is no manifest."""


@dataclass(frozen=True, kw_only=True)
class Rowless:
    """What can be said of results without rows.

    Attributes
    ----------
    files, bytes : int
        What was read and compared with a digest.
    checked : tuple of str
        Its names.
    unchecked : tuple of str
        Files that are there and that nothing vouches for.
    missing : tuple of str
        Files that are kept with such results, and are not here.
    unsealed : bool
        Whether `page.json` carries no digest of itself, as older versions of simkit wrote it.
    matches : int
        How many matches the estimates rest on; 0 if nothing tells.
    command : str
        The command that plays the rows again.
    """

    files: int
    bytes: int
    checked: tuple[str, ...]
    unchecked: tuple[str, ...]
    missing: tuple[str, ...]
    unsealed: bool
    matches: int
    command: str


def check_rowless(folder: Path, described: Described | None) -> tuple[list[str], Rowless]:
    """Check estimates and what the page is drawn from.

    Parameters
    ----------
    folder : path
        The results.
    described : Described or None
        What `run.json` says, which has been compared with its own digest; None if nothing can be made of it.

    Returns
    -------
    list of str, Rowless
        The problems, and what was checked.
    """
    problems: list[str] = []
    checked = [RUN]
    page: Mapping[str, Any] = {}
    try:
        problems += [f"{ESTIMATED}: {words}" for words in estimate_faults(folder / ESTIMATED)]
    except (VerificationFailed, UsageError) as error:
        problems.append(str(error))
    if (folder / FILE).exists():
        checked += [ESTIMATED, FILE]
        page = _page(folder, problems)
    sizes = [(folder / name).stat().st_size for name in checked if (folder / name).is_file()]
    matches = page.get("matches", ())
    return problems, Rowless(
        files=len(sizes),
        bytes=sum(sizes),
        checked=tuple(checked),
        unchecked=tuple(sorted({path.name for path in folder.iterdir()} - {*checked, LOCK}, key=_by_order)),
        missing=tuple(name for name in (FILE, *UNSEALED) if not (folder / name).exists()),
        unsealed=bool(page) and SEAL not in page,
        matches=sum(matches) if isinstance(matches, list) and all(type(n) is int for n in matches) else 0,
        command=str(
            page.get("command") or f"simkit run {described.name if described else folder.parent.name}"
        ),
    )


def _by_order(name: str) -> tuple[int, str]:
    """Known files first, in the order in which they are written."""
    known = (ESTIMATED, *UNSEALED)
    return (known.index(name) if name in known else len(known), name)


def _page(folder: Path, problems: list[str]) -> Mapping[str, Any]:
    """Read `page.json`, compare it with its own digest, and the estimates with the one it has of them."""
    try:
        content = read_plain(folder / FILE)
        plain = parse_json(FILE, content)
    except (OSError, VerificationFailed) as error:
        problems.append(f"{FILE} cannot be read: {error}")
        return {}
    if not isinstance(plain, dict) or plain.get("schema") != SCHEMA:
        problems.append(f"{FILE} does not tell what the page needs (schema {SCHEMA})")
        return {}
    if not seal_fits(plain):
        problems.append(f"{FILE} was changed after it was written: its digest is not that of its content")
    elif SEAL in plain and content != json_bytes(plain):
        problems.append(f"{FILE} was changed after it was written: the same values, other bytes")
    if plain.get("estimates_sha256") != file_sha256(folder / ESTIMATED):
        problems.append(f"{ESTIMATED} has other bytes than {FILE} names")
    return plain
