"""One match told roll by roll: what was thrown, marked, decided and played."""

from simkit.transcript.match import SetTold, Transcript, transcribe
from simkit.transcript.rolls import Decision, Gain, Roll

__all__ = ["Decision", "Gain", "Roll", "SetTold", "Transcript", "transcribe"]
