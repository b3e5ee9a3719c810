"""What does rounding the result of a written match do? The criteria stand here before the run.

Trials had other seeds.
"""

from simkit.analysis.criteria import Between, Claim
from simkit.analysis.rounding import Rounding
from simkit.experiment import Experiment

GUITON = ("ecrire_guiton",)
UNEQUAL = (("greedy", "prudent"), ("prudent", "greedy"))  # from either seat
SOURCES = "Guiton, Traité complet du jeu de trictrac, 1822, ch. VIII; J.L. 1852"

ROUNDING = Experiment(
    name="rounding",
    title="Rounding the result to fish",
    question=(
        "What the loser of a written match owes is rounded to whole fish of ten; a five goes up, or by dice. "
        "How often does one hole or one point more change what is paid? Is more paid than was won, and does "
        "it help or harm the weaker player where a five goes?"
    ),
    rules=("ecrire_guiton", "ecrire_academie", "ecrire_classical"),
    players=(
        ("prudent", "prudent"),
        ("greedy", "greedy"),
        ("random", "random"),
        *UNEQUAL,
    ),  # random: the floor
    analysis=Rounding(lengths=tuple(range(2, 25, 2))),
    matches=20_000,
    seed=1818,
    rows_of="written_matches",
    criteria_set=(
        "before the run; after trials with other seeds those of B10, B10b and B11 were set anew, as even "
        "last digits alone would nearly have met them"
    ),
    claims=(
        Claim(
            id="B10",
            rules=GUITON,
            source=f"{SOURCES}, 232 and 237",
            text="One hole makes a jeton, and a jeton often makes a fish.",
            criterion="One hole more for the winner of the last set, and everything settled again. A hole "
            "worth one point is a step in one match in ten if all last digits are as likely, and one that a "
            "run multiplies in more. Often is taken as more than that by half: confirmed if what is paid is "
            "another sum in more than 15 of 100 matches of eight sets, the whole interval lying above; "
            "refuted if it lies below; undecided otherwise.",
            test=Between(
                measure="step_of_a_hole",
                sets=8,
                low=0.15,
                says="of matches of 8 sets",
                inside="one hole more often changes what is paid",
                below="one hole more changes what is paid hardly more often than a point of ten",
            ),
        ),
        Claim(
            id="B10b",
            rules=GUITON,
            source="the second half of the same sentence by itself",
            text="A single point makes a fish as often as tens are met among points, in one match of ten.",
            criterion="It is one in ten if all last digits of a result are as likely; asked is whether they "
            "are. Confirmed if one point more changes what is paid in 9 to 11 of 100 matches of eight sets, "
            "the whole interval lying within; refuted if it lies outside; undecided otherwise.",
            test=Between(
                measure="step_of_a_point",
                sets=8,
                low=0.09,
                high=0.11,
                says="of matches of 8 sets",
                inside="one point more changes what is paid as often as even digits would have it",
                below="one point more changes what is paid less often than even digits would have it",
                above="one point more changes what is paid more often than even digits would have it",
            ),
        ),
        Claim(
            id="B11",
            rules=GUITON,
            players=UNEQUAL,  # between equals nobody can gain by it, whatever the rule
            source=f"{SOURCES}, 230",
            text="To count a five for the winner is not unjust, because it cuts both ways.",
            criterion="Between unequal players, a five rounded up is compared with one left to dice, on the "
            "same results of eight sets. Confirmed if that adds to the mean result of the better player, or "
            "takes from it, less than a hundredth of it, the whole interval lying within; refuted if it "
            "lies outside; undecided otherwise, as where neither is better beyond chance.",
            test=Between(
                measure="five_up_of_advantage",
                sets=8,
                low=-0.01,
                high=0.01,
                says="of the advantage of the better player",
                inside="it hardly touches the advantage",
                below="it takes from the advantage",
                above="it adds to the advantage",
            ),
        ),
        Claim(
            id="B11b",
            rules=GUITON,
            source="the same sentence, taken to mean what is paid and not who gains",
            text="With a five rounded up, what is paid in the long run is what was won.",
            criterion="Confirmed if what is paid, less what was won by him who is paid, lies within a tenth "
            "of a point per match of eight sets, the whole interval lying there; refuted if it lies "
            "outside; undecided otherwise. It is half a point if all last digits are as likely, so that "
            "this can be met only if fives are much rarer than other digits.",
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
