"""What does rounding the result of a written match do? The criteria stand here before the run.

Trials went with other seeds, so the matches of this run have decided no criterion.
"""

from simkit.analysis.criteria import Between, Claim
from simkit.analysis.rounding import Rounding
from simkit.experiment import Experiment

GUITON = ("ecrire_guiton",)
SOURCES = "Guiton, Traité complet du jeu de trictrac, 1822, ch. VIII; J.L. 1852"

ROUNDING = Experiment(
    name="rounding",
    title="Rounding the result to fish",
    question=(
        "What the loser of a written match owes is rounded to whole fish of ten; a five goes up, or by dice. How "
        "often does one hole or one point more change what is paid? Is more paid than was won, and does it help "
        "or harm the weaker player where a five goes?"
    ),
    rules=("ecrire_guiton", "ecrire_academie", "ecrire_classical"),
    players=(
        ("prudent", "prudent"),
        ("greedy", "greedy"),
        ("random", "random"),  # the floor
        ("greedy", "prudent"),  # unequal, from either seat
        ("prudent", "greedy"),
    ),
    analysis=Rounding(lengths=tuple(range(2, 25, 2))),
    matches=20_000,
    seed=1818,
    rows_of="written_matches",
    claims=(
        Claim(
            id="B10",
            rules=GUITON,
            source=f"{SOURCES}, 232 and 237",
            text="One hole makes a jeton, and a jeton often makes a fish.",
            criterion="One hole more for the winner of the last set, and everything settled again. Often is "
            "taken as more than one match of eight sets in ten: confirmed if what is paid is another sum in "
            "more, the whole interval lying above; refuted if it lies below; undecided otherwise.",
            test=Between(
                measure="step_of_a_hole",
                sets=8,
                low=0.1,
                says="of matches of 8 sets",
                inside="one hole more often changes what is paid",
                below="one hole more changes what is paid less often",
            ),
        ),
        Claim(
            id="B10b",
            rules=GUITON,
            source="the second half of the same sentence by itself",
            text="A single point often makes a fish.",
            criterion="Every tenth point is a step, so that one match in ten is to be expected if all last "
            "digits are as likely. Confirmed if one point more changes what is paid in more than one match of "
            "eight sets in twenty, half of that; refuted if the interval lies below; undecided otherwise.",
            test=Between(
                measure="step_of_a_point",
                sets=8,
                low=0.05,
                says="of matches of 8 sets",
                inside="one point more often changes what is paid",
                below="one point more changes what is paid less often",
            ),
        ),
        Claim(
            id="B11",
            rules=GUITON,
            source=f"{SOURCES}, 230",
            text="To count a five for the winner is not unjust, because it cuts both ways.",
            criterion="A five rounded up is compared with one left to dice, on the same results of eight sets. "
            "Confirmed if it brings and costs player 1 less than a tenth of a point per match, the whole "
            "interval lying within; refuted if it lies outside; undecided otherwise. Of unequal players one is "
            "player 1 in each of two pairs.",
            test=Between(
                measure="five_up_for_1",
                sets=8,
                low=-0.1,
                high=0.1,
                says="points per match for player 1",
                inside="neither player gains by it",
                below="player 1 loses by it",
                above="player 1 gains by it",
            ),
        ),
        Claim(
            id="B11b",
            rules=GUITON,
            source="the same sentence, taken to mean what is paid and not who gains",
            text="With a five rounded up, what is paid in the long run is what was won.",
            criterion="Confirmed if what is paid, less what was won by him who is paid, lies within a tenth of a "
            "point per match of eight sets, the whole interval lying there; refuted if it lies outside; "
            "undecided otherwise. If all last digits are as likely it is half a point.",
            test=Between(
                measure="paid_over",
                detail="up",
                sets=8,
                low=-0.1,
                high=0.1,
                says="points per match paid beyond what was won",
                inside="as much is paid as was won",
                below="less is paid than was won",
                above="more is paid than was won",
            ),
        ),
    ),
)
