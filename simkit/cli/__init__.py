"""The commands. Results go to stdout, everything else to stderr; nothing here computes.

Exit codes: 0 fine; 1 failing cases, a folder that another process writes, or an error nobody expected; 2 usage;
3 invalid configuration; 4 a folder that holds another play; 5 stored data that is damaged; 6 a budget used up;
7 a worker lost; 129 SIGHUP; 130 Ctrl-C; 143 SIGTERM.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from typing import Final, NoReturn

import typer

from simkit import __version__
from simkit.cli import (
    adjourned,
    checks,
    compare,
    dataset,
    declared,
    holes,
    replay,
    rollout,
    runs,
    table,
    tables,
)
from simkit.cli import reproduce as again
from simkit.cli import verify as verifying
from simkit.cli.options import app
from simkit.cli.printing import say
from simkit.errors import ConfigError, SimkitError
from simkit.stopping import Stopped, forget, note_on, stop

COMMANDS: Final = (
    declared.show,
    declared.diff,
    runs.simulate,
    runs.settle,
    runs.run,
    runs.report,
    compare.compare,
    table.score,
    table.plays,
    rollout.rollout,
    replay.replay,
    holes.holes,
    adjourned.adjourn,
    adjourned.resume,
    tables.starts,
    dataset.dataset,
    verifying.verify,
    again.reproduce,
    checks.cases,
    checks.bench,
)
app.command("list")(declared.list_)
for _command in COMMANDS:
    app.command()(_command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave with its exit code."""
    sys.exit(call(list(sys.argv[1:] if arguments is None else arguments)))


def call(arguments: list[str]) -> int:
    """Run a command and return its exit code; every error becomes a message on stderr.

    What the command prints is kept until it ends: only then can a disk that is full or a reader that has left
    be told from whatever else may go wrong.
    """
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    printed = StringIO()
    try:
        with signals_end(), redirect_stdout(printed):
            code = answered(arguments)
    except Stopped as stopped:
        say_stopped(stopped)
        raise
    except (KeyboardInterrupt, typer.Abort) as stopped:
        say_stopped(stopped)
        return 130
    except Exception as error:
        if debug:
            import traceback

            traceback.print_exc()
        code = told(error)
    return delivered(printed.getvalue()) or code


def answered(arguments: list[str]) -> int:
    """Run a command; return its exit code."""
    if not arguments:
        app(args=["--help"], prog_name="simkit", standalone_mode=False)
        return 2
    if arguments == ["--version"]:
        print(f"simkit {__version__}")
        return 0
    code = app(args=arguments, prog_name="simkit", standalone_mode=False)
    return code if isinstance(code, int) else 0


def delivered(text: str) -> int:
    """Print what a command has to say; return 0, or 1 if it cannot be written."""
    if sys.stdout is None or not text:
        return 0
    try:
        known = text.encode(sys.stdout.encoding or "utf-8", "replace").decode(sys.stdout.encoding or "utf-8")
        sys.stdout.write(known)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has seen enough
        forget_output()
    except OSError as error:
        forget_output()
        say(f"the output cannot be written: {error.strerror or error}")
        return 1
    return 0


def told(error: Exception) -> int:
    """Say what went wrong; return the exit code."""
    if isinstance(error, ConfigError):
        for problem in error.problems:
            say(problem)
        return error.exit_code
    if isinstance(error, SimkitError):
        say(str(error))
        return error.exit_code
    code, words = getattr(error, "exit_code", None), getattr(error, "format_message", None)
    if isinstance(code, int) and callable(words):  # a mistake on the command line, found by typer
        say(below_nought(words()))
        return code
    say(f"unexpected {type(error).__name__}: {error} (--debug shows where)")
    return 1


def below_nought(words: str) -> str:
    """Say of a number below 0, which is read as an option, what it is."""
    found = re.fullmatch(r"No such option: (-[0-9])[0-9]*", words.split("\n")[0].rstrip("."))
    if found is None:
        return words
    return f"{found[1]}: a number below 0 stands for nothing here; matches are counted from 0"


def say_stopped(stop: BaseException) -> None:
    """Say that a signal has ended the command, and what is kept: a note that the run left on its way."""
    say(note_on(stop) or "stopped")


def forget_output() -> None:
    """Send what is still to be printed nowhere, so that Python does not fail on it when it ends."""
    with suppress(OSError):  # a stream without a file has nothing to forget
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def signals_end() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP end the program in order, so that workers end with it.

    A signal that is ignored, as SIGHUP is under nohup, stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    before = {number: signal.getsignal(number) for number in SIGNALS}
    taken = [number for number in SIGNALS if before[number] is not signal.SIG_IGN]
    for number in taken:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, before[number])
        forget()
