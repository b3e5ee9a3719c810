"""What is written: columns, types, what each counts, provenance; run folders in and out."""

from simkit.dataset.folder import FolderWriter, Part, PartWriter
from simkit.dataset.parquet import Columns
from simkit.dataset.plays import (
    DICE,
    MAX_MATCHES,
    MAX_SEED,
    PlaySpec,
    StoredPlay,
    StoredPlayer,
    check_plays,
    check_whole,
    run_digest,
)
from simkit.dataset.run import Run, content_hash, finish, open_run, verify, write_card, write_estimates
from simkit.dataset.schema import (
    ENDED_BY,
    ESTIMATES,
    FIGURE_SUMS,
    FIGURES,
    MATCHES,
    PLAYED,
    SETS,
    TABLES,
    Column,
    Table,
    data_dictionary,
)

__all__ = [
    "DICE",
    "ENDED_BY",
    "ESTIMATES",
    "FIGURES",
    "FIGURE_SUMS",
    "MATCHES",
    "MAX_MATCHES",
    "MAX_SEED",
    "PLAYED",
    "SETS",
    "TABLES",
    "Column",
    "Columns",
    "FolderWriter",
    "Part",
    "PartWriter",
    "PlaySpec",
    "Run",
    "StoredPlay",
    "StoredPlayer",
    "Table",
    "check_plays",
    "check_whole",
    "content_hash",
    "data_dictionary",
    "finish",
    "open_run",
    "run_digest",
    "verify",
    "write_card",
    "write_estimates",
]
