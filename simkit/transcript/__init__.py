"""One match told roll by roll: what was thrown, marked, decided and played."""

from simkit.transcript.match import SetTold, Transcript, told_match, transcribe
from simkit.transcript.rolls import Decision, Gain, Roll, Teller, WatchedEngine
from simkit.transcript.tables import GameTold, PointsTranscript, TablesRoll, transcribe_points

__all__ = [
    "Decision",
    "Gain",
    "GameTold",
    "PointsTranscript",
    "Roll",
    "SetTold",
    "TablesRoll",
    "Teller",
    "Transcript",
    "WatchedEngine",
    "told_match",
    "transcribe",
    "transcribe_points",
]
