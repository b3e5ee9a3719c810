"""How often is a game of honours treble or quadruple, and when does the necktie fall?

Criteria stand here before the run; trials had other seeds.
"""

from simkit.analysis.criteria import Between, Claim
from simkit.analysis.honours import Honours
from simkit.experiment import Experiment

VIENNA = "Vienna rules of trictrac à écrire and combiné, on conduct"

HONOURS = Experiment(
    name="honours",
    title="Games of honours: their classes, and when the necktie falls",
    question=(
        "How often are games of honours of trictrac combiné single, double, treble and quadruple, and with how "
        "many holes does an unbroken run fall?"
    ),
    rules=("combine_classical",),
    players=(
        ("prudent", "prudent"),
        ("greedy", "greedy"),
        ("prudent_never_suspends", "prudent_never_suspends"),
        ("random", "random"),
    ),
    analysis=Honours(followed=6000),
    matches=30_000,
    seed=1775,
    rows_of="combine_two",
    criteria_set="before any run at this seed",
    claims=(
        Claim(
            id="D7",
            source=VIENNA,
            text="Treble and quadruple games of honours are rather rare.",
            criterion="Of the games that began in the first half of the sets. Rather rare is taken as one in five "
            "of both together: confirmed if fewer are treble or quadruple, the whole interval lying below; "
            "refuted if it lies above; undecided otherwise.",
            test=Between(
                measure="class",
                detail="treble or quadruple",
                high=0.2,
                says="of games are treble or quadruple",
                inside="treble and quadruple games are fewer than one in five",
                above="treble and quadruple games are more than one in five",
            ),
            skill_note="Suspending the honours protects a run, and holding well breaks that of the other.",
        ),
        Claim(
            id="D7b",
            source=VIENNA,
            text="The necktie usually falls within the first holes.",
            criterion="The necktie is the run of who scored second in the game; the first holes are taken as the "
            "first three he makes. Confirmed if more than half of the neckties fall with three holes or fewer, "
            "the whole interval lying above; refuted if it lies below; undecided otherwise.",
            test=Between(
                measure="falls_early",
                detail="second scorer",
                low=0.5,
                says="of neckties fall with three holes or fewer",
                inside="most neckties fall within the first three holes",
                below="most neckties outlast the first three holes",
            ),
            skill_note="As of D7.",
        ),
    ),
)
