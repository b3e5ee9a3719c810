"""Dice that belong to a place: Philox4x64-10 keyed by (seed, match), counted by where in the match we are.

Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011); the same words as
`numpy.random.Philox`, whose counter is stepped once before its first block. Words are held as int64.
"""

from __future__ import annotations

from typing import Any

from simkit.kernel.compiled import add_words, kernel, multiply_words

DICE_OF_1 = 0
"""Purposes, the last word of the counter, each a stream of its own. Rolls of player 1; one more for player 2."""
PLAYS = 2
"""Which play a random player takes; one more for player 2."""
GOING = 4
"""Whether a random player goes; one more for player 2."""
DRAWING = 6
"""The draw for the first throw of a match, or of a partie that follows."""
ROUNDING = 7
"""The dice that decide whether a five is rounded up, off the board: settling again changes no roll."""
PLACING = 8
"""The start of the men where it is drawn: the two rolls of different dice, one more for the second."""
LOTS = 10
"""The lots of more than two players: who sits down first, and for whom; off the board."""

_M0 = 0xD2E7470EE14C6C93 - (1 << 64)
_M1 = 0xCA5A826395121157 - (1 << 64)
_W0 = 0x9E3779B97F4A7C15 - (1 << 64)
_W1 = 0xBB67AE8584CAA73B - (1 << 64)


@kernel
def philox(
    block: int, unit: int, setting: int, purpose: int, seed: int, match: int
) -> tuple[int, int, int, int]:
    """Return the four words of one block: counter (block, unit, setting, purpose), key (seed, match)."""
    c0, c1, c2, c3 = block, unit, setting, purpose
    k0, k1 = seed, match
    for _ in range(10):
        high_0, low_0 = multiply_words(_M0, c0)
        high_1, low_1 = multiply_words(_M1, c2)
        c0, c1, c2, c3 = high_1 ^ c1 ^ k0, low_1, high_0 ^ c3 ^ k1, low_0
        k0, k1 = add_words(k0, _W0), add_words(k1, _W1)
    return c0, c1, c2, c3


@kernel
def below(limit: int, word: int) -> int:
    """Map a random word to 0 .. limit - 1; the bias is below limit / 2**64."""
    return multiply_words(word, limit)[0]


@kernel
def word_at(stream: Any, index: int, unit: int, setting: int, purpose: int, seed: int, match: int) -> int:
    """Return word `index` of a place's stream; `stream`, int64 (5,), keeps the current block: number, words.

    A block number of -1 says that the stream has moved to another place.
    """
    block = index >> 2
    if stream[4] != block:
        stream[0], stream[1], stream[2], stream[3] = philox(block, unit, setting, purpose, seed, match)
        stream[4] = block
    return stream[index & 3]


@kernel
def dice_of(word: int) -> tuple[int, int]:
    """Turn a word into two dice."""
    throw = below(36, word)
    return throw // 6 + 1, throw % 6 + 1
