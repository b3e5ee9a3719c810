"""Signals that end the program: raised at once, and remembered should the moment have swallowed them."""

from __future__ import annotations

_pending: list[int] = []


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


def forget() -> None:
    """Start afresh, once the program or the run that was to end has ended."""
    _pending.clear()
