"""Everything simkit refuses, each with the exit code the command line gives it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MOST_SHOWN: Final = 60
"""Characters of a value that a message repeats."""
MOST_OF_POSITION: Final = 300
"""The same of a position."""


def clipped(text: str, most: int = MOST_SHOWN) -> str:
    """Shorten a text that a message repeats, and say of how many characters it was."""
    return text if len(text) <= most else f"{text[: most - 20]}… ({len(text)} characters)"


class SimkitError(Exception):
    """Something went wrong; the message names the value, the rule and the place."""

    exit_code = 1


class UsageError(SimkitError):
    """The request itself makes no sense: an unknown name, a number out of range, a missing file."""

    exit_code = 2


class WorkersDiffer(UsageError):
    """A worker of a cluster whose versions are not those of the process it is to work for."""


class IllegalPosition(UsageError):
    """Men that cannot stand as they are said to stand."""


class IllegalPlay(UsageError):
    """A play that a law of the game excludes."""


class ConfigError(SimkitError):
    """A rule set, player or experiment that cannot be built; `problems` lists every fault at once."""

    exit_code = 3

    def __init__(self, problems: str | tuple[str, ...]) -> None:
        self.problems: tuple[str, ...] = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("\n".join(self.problems))


class FolderMismatch(SimkitError):
    """A results folder that holds another play than the one asked for."""

    exit_code = 4


class VerificationFailed(SimkitError):
    """Stored data that is not what its manifest says."""

    exit_code = 5


class BudgetUsedUp(SimkitError):
    """The matches allowed did not reach the precision asked for; what was played is kept."""

    exit_code = 6


class WorkerLost(SimkitError):
    """A worker process died or did not answer; finished rounds are kept."""

    exit_code = 7


@contextmanager
def mistrusted(words: str) -> Iterator[None]:
    """Tell whatever goes wrong with what somebody may have changed as damage, in these words.

    Digests do not vouch for files that come from elsewhere, and every place that reads a number of them would have
    to doubt it.

    Raises
    ------
    VerificationFailed
        Anything but an error of ours, or of the disk, was raised.
    """
    try:
        yield
    except (SimkitError, OSError, MemoryError):
        raise
    except Exception as error:
        raise VerificationFailed(f"{words} ({type(error).__name__}: {error})") from error
