"""Between units, for all matches of a chunk at once: first throws, the sets of a match, rows for the dataset."""

from simkit.drivers.match import ChunkTables, next_first_thrower, play_chunk, start_units

__all__ = ["ChunkTables", "next_first_thrower", "play_chunk", "start_units"]
