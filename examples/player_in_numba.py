# %% [markdown]
# # A player of one's own, compiled
#
# A player who has to look at every play more closely than NumPy can is compiled by numba. He too chooses in
# lock-step: the arrays of `rolls` go to a function of ours under `numba.njit`, which loops over rolls and
# plays. The kernel need not be compiled again for him, and he may be changed while a notebook is open.
#
# Men are bits. A board is two whole numbers, `low` and `high`, with a bit for each arrow: bit a - 1 is
# arrow a, and the second plane of each word stands 32 bits higher. So the arrows with a man, and those with
# two, are a line each.

# %%
import numba
import numpy as np

import simkit
from simkit.lockstep import OpenRolls

MATCHES = 300
BOARD = (1 << 24) - 1


@numba.njit
def count_bits(mask: int) -> int:
    """Count the bits of a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@numba.njit
def choose(plays: np.ndarray, offsets: np.ndarray, other: np.ndarray, choices: np.ndarray) -> None:
    """Take the play that leaves the fewest lone men where one of the other's men can hit them."""
    for roll in range(len(choices)):
        low, high = other[roll]
        men = (low | low >> 32 | high | high >> 32) & BOARD
        before = 0  # the other's men in our numbers: his arrow a is our 25 - a
        for arrow in range(24):
            if men >> arrow & 1:
                before |= 1 << (23 - arrow)
        reach = 0  # up to twelve arrows before one of them
        for distance in range(1, 13):
            reach |= before >> distance
        best = 1000
        for play in range(offsets[roll], offsets[roll + 1]):
            low, high = plays[play, 0], plays[play, 1]
            one = (low | low >> 32 | high | high >> 32) & BOARD
            two = (low >> 32 | high | high >> 32) & BOARD
            cost = 2 * count_bits(one & ~two & reach) - count_bits(two)
            if cost < best:
                best, choices[roll] = cost, play - offsets[roll]


# %% [markdown]
# When to go we leave to a player of the kernel: `prudent` weighs what his position promises. `deeds_of`
# asks him, with the plays chosen here in mind.

# %%
PRUDENT = simkit.player("prudent")


def careful(rolls: OpenRolls) -> tuple[np.ndarray, np.ndarray]:
    """Choose a play for every roll, and say who goes."""
    choices = np.zeros(len(rolls), np.int64)
    choose(rolls.plays, rolls.offsets, rolls.other, choices)
    return choices, rolls.deeds_of(PRUDENT, choices)


table = simkit.LockStep("twelve_hole", players=(None, "random"), matches=MATCHES, seed=1822)
while table.running:
    table.choose(*careful(table.observe()))

won = (table.sets["winner"] == 1).mean()
print(f"The careful player wins {won:.0%} of {MATCHES} parties against random.")
hits = table.figures[table.figures["figure"] == "hit_true"]
print(
    f"He marks {hits.loc[hits['side'] == 1, 'points'].sum()} points by hits, the other {hits['points'].iloc[-1]}."
)
