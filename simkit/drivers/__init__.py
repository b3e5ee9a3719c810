"""Between units, for all matches of a chunk at once: first throws, the sets of a match, rows for the dataset."""

from simkit.drivers.engine import Engine
from simkit.drivers.match import ChunkTables, next_first_thrower, play_chunk, set_columns
from simkit.drivers.start import State, start_units, units_from

__all__ = [
    "ChunkTables",
    "Engine",
    "State",
    "next_first_thrower",
    "play_chunk",
    "set_columns",
    "start_units",
    "units_from",
]
