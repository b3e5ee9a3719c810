"""Between units, for all matches of a chunk at once: first throws, the sets of a match, rows for the dataset."""

from simkit.drivers.abreast import ABREAST, Abreast, OpenRolls, weights_of
from simkit.drivers.chunk import ChunkTables
from simkit.drivers.combine import OpenHonours
from simkit.drivers.engine import Engine
from simkit.drivers.match import honours_after, next_first_thrower, play_chunk, play_rest, set_columns
from simkit.drivers.points import TablesEngine, game_columns, games_from, next_games, set_cube, tables_of
from simkit.drivers.score import read_state, write_score
from simkit.drivers.start import State, check_state, start_units, units_at, units_from

__all__ = [
    "ABREAST",
    "Abreast",
    "ChunkTables",
    "Engine",
    "OpenHonours",
    "OpenRolls",
    "State",
    "TablesEngine",
    "check_state",
    "game_columns",
    "games_from",
    "honours_after",
    "next_first_thrower",
    "next_games",
    "play_chunk",
    "play_rest",
    "read_state",
    "set_columns",
    "set_cube",
    "start_units",
    "tables_of",
    "units_at",
    "units_from",
    "weights_of",
    "write_score",
]
