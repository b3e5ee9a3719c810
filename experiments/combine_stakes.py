"""At which price of their fish are losses alike in the two games of trictrac combiné?

Criteria stand here before the run; trials had other seeds.
"""

from simkit.analysis.combine_stakes import CombineStakes
from simkit.analysis.criteria import Between, Claim, Every
from simkit.experiment import Experiment

VIENNA = "Vienna rules of trictrac à écrire and combiné"
LENGTHS = (8, 12)
ALIKE = (
    ("prudent", "prudent"),
    ("greedy", "greedy"),
    ("prudent_never_suspends", "prudent_never_suspends"),
    ("random", "random"),
)
SKILL_NOTE = (
    "How often lurches, trebles and quadruples come, and hence either loss, hangs on how well the players hold "
    "and go; the pairs are two levels of judgement, one that never suspends, and random play as the floor."
)


def near_75(measure: str, pool: str) -> Every:
    """A price of the written fish within a tenth of 75, at every length."""
    return Every(
        tests=tuple(
            Between(
                measure=measure,
                detail=pool,
                sets=length,
                low=67.5,
                high=82.5,
                says=f"at {length} sets",
                inside=f"it is within a tenth of 75 at {length} sets",
                below=f"a written fish would have to be cheaper at {length} sets",
                above=f"a written fish would have to be dearer at {length} sets",
            )
            for length in LENGTHS
        )
    )


COMBINE_STAKES = Experiment(
    name="combine_stakes",
    title="Trictrac combiné: what is lost in either game, and the price of their fish",
    question=(
        "How much is lost in the written game and in the games of honours of trictrac combiné over eight and "
        "twelve sets, each in its own fish, and at which price of a written fish are usual losses in both alike?"
    ),
    rules=("combine_classical",),
    players=(*ALIKE, ("greedy", "random")),
    analysis=CombineStakes(lengths=LENGTHS),
    matches=30_000,
    seed=1775,
    rows_of="combine_two",
    criteria_set="before any run at this seed",
    claims=(
        Claim(
            id="E1",
            source=VIENNA,
            text="Usual losses in both games are alike when the written fish is worth 75 and that of honours 100.",
            criterion="The unit being one fish for a single game of honours, pool counted in: the price of a "
            "written fish that makes mean losses alike, a fish of honours being 100. Confirmed if it lies within "
            "a tenth of 75, from 67.5 to 82.5, at 8 and at 12 sets, both intervals wholly within; refuted if one "
            "lies outside; undecided otherwise.",
            test=near_75("price", "pool in"),
            players=ALIKE,
            skill_note=SKILL_NOTE,
        ),
        Claim(
            id="E1b",
            source=VIENNA,
            text="The same without the pool.",
            criterion="As E1, the honours being what is paid for games to their winners alone.",
            test=near_75("price", "pool out"),
            players=ALIKE,
            skill_note=SKILL_NOTE,
        ),
        Claim(
            id="E1c",
            source=VIENNA,
            text="The same of standard deviations: with these prices both games risk as much.",
            criterion="As E1, of the price that makes the standard deviations of the signed results alike.",
            test=near_75("price_by_sd", "pool in"),
            players=ALIKE,
            skill_note=SKILL_NOTE,
        ),
    ),
)
