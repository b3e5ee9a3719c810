# %% [markdown]
# # A player of one's own, in NumPy
#
# In *lock-step* many matches wait at a roll each, and a function of ours chooses a play for all of them at
# once. What it sees are arrays (docs/lockstep.md); what it returns is one number per roll: the place of the
# play it takes.
#
# Our player is a beginner with one idea: keep men in pairs, and take the coin de repos. We let him play a
# few hundred parties in twelve holes against `random`, who has no idea at all.

# %%
import numpy as np

import simkit
from simkit.lockstep import OpenRolls
from simkit.players import OwnPlay, Player

MATCHES = 300


# %% [markdown]
# `rolls.men(rolls.plays)` has a row for each play and a column for each arrow, in the roller's own numbers:
# column 11 is his coin. `rolls.best` finds the play worth most among those of each roll.
#
# A hole on one's own die lets a player go. Our beginner goes when the points he has left over the hole are
# few.


# %%
def keep_in_pairs(rolls: OpenRolls) -> tuple[np.ndarray, np.ndarray]:
    """Choose a play for every roll, and say who goes."""
    men = rolls.men(rolls.plays)
    pairs = (men >= 2).sum(axis=1)
    lone = (men == 1).sum(axis=1)
    coin = men[:, 11] >= 2
    going = rolls.points[:, 0] < 4
    return rolls.best(3 * pairs - lone + 4 * coin), going


# %% [markdown]
# ## In a loop
#
# `None` is whoever chooses in the loop; `"random"` is played in the kernel, with its own dice.

# %%
table = simkit.LockStep("twelve_hole", players=(None, "random"), matches=MATCHES, seed=1822)
while table.running:
    choices, going = keep_in_pairs(table.observe())
    table.choose(choices, going=going)

won = (table.sets["winner"] == 1).mean()
print(f"In pairs wins {won:.0%} of {MATCHES} parties against random.")
print(table.matches[["holes_1", "holes_2", "rolls"]].describe().loc[["mean", "std"]].round(1))

# %% [markdown]
# ## In a run
#
# The same function as a player: `simulate` then plays him as it plays others, in parallel, keeps the rows
# on disk and goes on where it stopped. It tells such players apart by name and `version`; raise the version
# when he changes.

# %%
BEGINNER = Player(
    name="in_pairs",
    title="Keeps men in pairs and takes the coin.",
    choice=OwnPlay(function=keep_in_pairs, version="1"),
)
run = simkit.simulate("twelve_hole", (BEGINNER, "random"), matches=MATCHES, seed=1822, jobs=1)
print(f"The run says the same: {(run.sets['winner'] == 1).mean():.0%}.")
