"""Source 003 word for word beside the whole game of which it is a summary (`simkit show soumille_1766`)."""

from simkit.analysis.parties import Parties
from simkit.experiment import Experiment

SOUMILLE = Experiment(
    name="soumille",
    title="The summary of Soumille 1766, word for word",
    question=(
        "Source 003, a summary of Soumille's book, keeps the men on their owner's half, at most two on an "
        "arrow, fills no jan, bears nobody off, and pays nothing for men hit falsely, for the other's corner "
        "or for dice that cannot be played. The game commented after the same book does all of that. What "
        "becomes of a partie if the summary is taken at its word?"
    ),
    rules=("soumille_1766", "soumille_1766_dlp"),
    players=(("greedy", "greedy"), ("prudent", "prudent"), ("random", "random")),
    analysis=Parties(seconds_per_roll=25),
    matches=20_480,
    seed=1766,
)
