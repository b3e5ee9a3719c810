"""The only place that touches numba: `kernel` compiles a function, `entry` also keeps it on disk."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import types
from numba.extending import intrinsic, overload

F = TypeVar("F", bound=Callable[..., Any])

_njit: Any = numba.njit


def _hash_of_sources() -> int:
    """Hash every file below this folder: numba's cache does not notice edits in the files a function calls."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return int.from_bytes(digest.digest()[:7], "big")


SOURCE_HASH = _hash_of_sources()
"""Captured by every `entry` function in its closure, so that it is part of numba's cache key."""


def kernel(function: F) -> F:
    """Compile `function` on its first call, free of the interpreter lock.

    Kernels allocate nothing, so numba's reference counts are left out: its atomic steps, one pair for every array
    handed on, took a third of a roll.
    """
    return cast(F, _njit(nogil=True, _nrt=False)(function))


def inlined(function: F) -> F:
    """Like `kernel`, but written into its callers: for a step of the innermost loop, whose call was measured."""
    return cast(F, _njit(nogil=True, _nrt=False, inline="always")(function))


def entry(function: F) -> F:
    """Like `kernel`, but it may allocate, and its machine code is kept if some cache folder can be written."""
    try:
        return cast(F, _njit(nogil=True, cache=True)(function))
    except RuntimeError:  # numba found no folder it may write to
        warnings.warn(
            "no folder for compiled code can be written: every start will compile again", stacklevel=2
        )
        return cast(F, _njit(nogil=True)(function))


def by_field(field: str, place: int, without: F, with_it: F) -> F:
    """Make a function that is `with_it` where the record at `place` of its arguments has a field, else `without`.

    Which one is settled when the caller is compiled for a kind of record, so that it costs nothing. Both take the
    same arguments, by place.
    """

    def chosen(*values: Any) -> Any:  # where compilation is off
        return (with_it if field in values[place].dtype.names else without)(*values)

    options: Any = {"nogil": True, "_nrt": False}

    @overload(chosen, strict=False, jit_options=options)
    def _chosen(*kinds: Any) -> Any:
        function: Any = with_it if field in kinds[place].fields else without
        return function.py_func

    return cast(F, chosen)


# Machine instructions that Python lacks. Each has a plain twin, used when compilation is off.

_WORD = (1 << 64) - 1


def signed_word(word: int) -> int:
    """Read 64 bits as the int64 that rule code holds."""
    word &= _WORD
    return word - (1 << 64) if word >> 63 else word


def popcount(mask: int) -> int:
    """Count the bits of a non-negative mask."""
    return int(mask).bit_count()


def multiply_words(a: int, b: int) -> tuple[int, int]:
    """Multiply two 64-bit words, without sign, into (high word, low word)."""
    product = (int(a) & _WORD) * (int(b) & _WORD)
    return signed_word(product >> 64), signed_word(product)


def add_words(a: int, b: int) -> int:
    """Add two 64-bit words modulo 2**64."""
    return signed_word(int(a) + int(b))


@intrinsic
def _popcount(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def _multiply_words(typingctx: Any, a: Any, b: Any) -> Any:
    from llvmlite import ir

    result = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
        return context.make_tuple(builder, result, (high, builder.trunc(product, word)))

    return result(types.int64, types.int64), codegen


@overload(popcount, inline="always", strict=False)
def _compiled_popcount(mask: Any) -> Any:
    return lambda mask: _popcount(mask)  # type: ignore[call-arg]


@overload(multiply_words, inline="always", strict=False)
def _compiled_multiply_words(a: Any, b: Any) -> Any:
    return lambda a, b: _multiply_words(a, b)  # type: ignore[call-arg]


@overload(add_words, inline="always", strict=False)
def _compiled_add_words(a: Any, b: Any) -> Any:
    return lambda a, b: a + b
