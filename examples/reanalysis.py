# %% [markdown]
# # A stored dataset, analysed without simkit
#
# A run leaves Parquet files whose columns say in their metadata what they count. Everything here after the
# first cell is pandas and pyarrow; nothing of simkit's analysis is used. The question: how many holes does
# the winner of a set make, and how long does a set last?

# %%
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

import simkit

MATCHES = 400
folder = simkit.simulate("ecrire_academie", "prudent", matches=MATCHES, seed=1822).folder

# %% [markdown]
# `run.json` says what was played: the rules field by field, the players, the seed.

# %%
played = json.loads(Path(folder, "run.json").read_text(encoding="utf-8"))["plays"][0]
print(played["rules"]["name"], "by", [one["name"] for one in played["players"]], "seed", played["seed"])

# %% [markdown]
# Each column carries its unit and what it counts.

# %%
files = sorted(Path(folder, "sets").glob("*.parquet"))
schema = pq.read_schema(files[0])
for name in ("holes_1", "rolls", "do_overs"):
    print(name, {key.decode(): value.decode() for key, value in schema.field(name).metadata.items()})

# %% [markdown]
# Sets of one match are not independent: the first throw passes on, and so may luck. So the interval of a
# mean per set is one of matches: here by their means, as all have the same number of sets.

# %%
sets = pd.concat([pq.read_table(file).to_pandas() for file in files], ignore_index=True)
sets["winner_holes"] = np.where(sets["winner"] == 1, sets["holes_1"], sets["holes_2"])
by_match = sets.groupby("match_id")[["winner_holes", "rolls"]].mean()
mean, error = by_match.mean(), by_match.std() / np.sqrt(len(by_match))
print(pd.DataFrame({"mean": mean, "low": mean - 1.96 * error, "high": mean + 1.96 * error}).round(2))

# %% [markdown]
# And how often the set goes by a concession, by who threw first.

# %%
print(pd.crosstab(sets["first_player"], sets["ended_by"].astype(str), normalize="index").round(3))
