"""What does each rule of the base game do? Every field flipped alone on the same dice.

The fields and their readings are those of the classical rule set; what stands here beside them are numbers that
a source gives and readings that need a second field. Trials went with other seeds.
"""

from simkit.analysis.conventions import Conventions
from simkit.experiment import Experiment
from simkit.rules import Tariff

AS_IN_GRAND_JANS = Tariff(simple=2, doublet=4)

CONVENTIONS_BASE = Experiment(
    name="conventions_base",
    title="What each convention of the game does",
    question=(
        "The sources differ in many rules of the game. If one rule of the classical game is read otherwise "
        "and all others stay, on the same dice, what does that do to the length of a partie, to the holes of "
        "the loser, and to who wins?"
    ),
    rules=("classical",),
    players=(("greedy", "greedy"), ("prudent", "prudent")),
    analysis=Conventions(
        also=(
            # Source 003: men stay on their own half, so that all of them can come to rest.
            {"game.movement_scope": "own_half", "game.stall_limit": 200},
            # Two men on an arrow: source 003. The last quarter then never holds all men.
            {"game.max_men_per_point": 2, "game.stall_limit": 200},
            # Four: the most that the game commented after Soumille puts on an arrow but the corner.
            {"game.max_men_per_point": 4},
            # On these numbers all sources agree; the others are ours, to see what the numbers do. Jans paid, and
            # men hit on either side, as men hit on the arrows of the grands jans; dice not played at the price of
            # a doublet's hit; a hole of ten points.
            {"game.jan_points": AS_IN_GRAND_JANS},
            {"game.hit_points.petit": AS_IN_GRAND_JANS},
            {"game.impuissance_points": 4},
            {"game.points_per_hole": 10},
        ),
        # A series of parties is not played here, and without a limit of rolls nothing stalls.
        without=("stall_limit",),
    ),
    matches=8192,
    seed=1852,
)
