"""What ends the program: signals, raised at once and remembered should the moment have swallowed them; and for a
worker process the end of the process it works for."""

from __future__ import annotations

import os
import threading
import time
from multiprocessing import current_process
from typing import Final

_pending: list[int] = []
_owners: set[int] = set()

JOBLIB_WORKER: Final = "LokyProcess"
"""How the names of joblib's worker processes begin."""
LOOKS: Final = 0.5
"""Seconds between two looks of a worker at whether its owner is still there."""


class Stopped(SystemExit):
    """A signal that ends the program; its code is 128 and the signal's number."""


def stop(number: int, frame: object) -> None:
    """Handle a signal: end the program in order.

    Python drops an exception that a handler raises inside a destructor or a callback; `raise_if_stopped` makes
    up for that.
    """
    _pending.append(number)
    raise Stopped(128 + number)


def raise_if_stopped() -> None:
    """End the program if a signal has asked for it and was not heard."""
    if _pending:
        raise Stopped(128 + _pending[-1])


def note_on(stop: BaseException) -> str:
    """What was noted on an end, or on what led to it, of what is kept; empty if nothing was."""
    cause: BaseException | None = stop
    while cause is not None:
        if notes := getattr(cause, "__notes__", None):
            return str(notes[0])
        cause = cause.__cause__ or cause.__context__
    return ""


def forget() -> None:
    """Start afresh, once the program or the run that was to end has ended."""
    _pending.clear()


def end_with(owner: int) -> None:
    """End this process soon after its parent `owner` has ended, however it did.

    A process that is killed cannot stop its workers, which would wait minutes for more to do. Nothing happens
    in a process with another parent, as the workers of a cluster are; but joblib's own workers have no other, and
    where theirs is not there it has ended before they came to work.
    """
    ours = owner == os.getppid() or current_process().name.startswith(JOBLIB_WORKER)
    if owner in _owners or owner == os.getpid() or not ours:
        return
    _owners.add(owner)
    threading.Thread(target=_watch, args=(owner,), daemon=True).start()


def _watch(owner: int) -> None:
    while os.getppid() == owner:
        time.sleep(LOOKS)
    os._exit(1)
