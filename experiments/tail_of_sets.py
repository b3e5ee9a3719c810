"""How often does the tail of sets change the winner? The criteria stand here before the run.

Trials went with other seeds, and so did a first run of 20,000 matches a pair (seed 1766), which is how B1, B1b, B2
and B5 were first judged: the matches of this run have decided no criterion. The claims are made of the game of the
Académie and judged on it; the other tariffs, settled in the same way, stand beside it.
"""

from simkit.analysis.criteria import AtLeast, Claim
from simkit.analysis.tails import TailsOfSets
from simkit.experiment import Experiment

ACADEMIE = ("ecrire_academie",)

TAIL_OF_SETS = Experiment(
    name="tail_of_sets",
    title="The tail of sets",
    question=(
        "The player who wins more sets of a written match receives 20 points more, the tail of sets. "
        "How often does that decide who wins the match, how does it depend on the number of sets, and how "
        "much of it does the tail of tokens take back?"
    ),
    rules=(
        *ACADEMIE,
        "ecrire_classical",
        "ecrire_guiton",
        "ecrire_jl1852",
        "ecrire_lepeintre",
        "ecrire_malfilatre",
    ),
    players=(("prudent", "prudent"), ("greedy", "greedy"), ("random", "random")),  # random: the floor
    analysis=TailsOfSets(
        settlements=tuple(
            {"tail_of_sets": tail, **tokens}
            for tail in (0, 10, 20, 30, 40)
            for tokens in ({}, {"tokens_per_set": 0})  # as the rule set has it, and none
        ),
        lengths=tuple(range(2, 25, 2)),
    ),
    matches=(1_000_000, 20_000, 1_000_000),  # over an hour on two cores
    seed=1818,
    rows_of="written_matches",
    criteria_set=(
        "before this run; a run of other matches (seed 1766, 20 000 a pair) had been judged by them before, "
        "and B1b was added after a trial"
    ),
    claims=(
        Claim(
            id="B1",
            rules=ACADEMIE,
            source="Académie des jeux oubliés, Le trictrac à écrire, 10",
            text="A match of only four sets gives the tail of sets too much importance.",
            criterion=(
                "Confirmed if the tail changes the winner of a match of four sets more than 1.5 times as "
                "often as of one of eight, the whole interval of that ratio lying above 1.5; refuted if it "
                "lies below; undecided otherwise."
            ),
            test=AtLeast(
                measure="winner_changes_ratio",
                threshold=1.5,
                sets=(4,),
                says="times as often as at 8 sets",
                subject="the tail changes the winner",
                null=1.0,
                higher="more often",
                lower="less often",
                than="than at 8 sets",
            ),
        ),
        Claim(
            id="B1b",
            rules=ACADEMIE,
            source="the same sentence, taken to mean the money and not the winner",
            text="In a match of only four sets too much of what is won and lost is the tail of sets.",
            criterion=(
                "Confirmed if the share of the variance of the result that is due to the tail is more than "
                "1.5 times as large at four sets as at eight; refuted if the interval of that ratio lies "
                "below 1.5. This reading was added, with the threshold of B1, after a trial of 600 matches."
            ),
            test=AtLeast(
                measure="variance_tail_of_sets_ratio",
                threshold=1.5,
                sets=(4,),
                says="times the share at 8 sets",
                subject="the tail's share of the variance is",
                null=1.0,
                higher="larger",
                lower="smaller",
                than="than at 8 sets",
            ),
        ),
        Claim(
            id="B2",
            rules=ACADEMIE,
            source="Académie des jeux oubliés, Le trictrac à écrire, 8",
            text="The tail of tokens can offset a part of what the tail of sets does.",
            criterion=(
                "Confirmed if the tail of sets changes the winner less often with the tail of tokens than "
                "without it, the interval of the difference lying above nought at 6, 8 and 12 sets; refuted "
                "if it lies below at any of them; undecided otherwise."
            ),
            test=AtLeast(
                measure="token_tail_relief",
                threshold=0.0,
                sets=(6, 8, 12),
                says="of matches fewer with tokens than without",
                says_below="of matches more with tokens than without",
                subject="the tail of sets changes the winner",
                null=0.0,
                higher="less often",
                lower="more often",
                than="with tokens than without",
            ),
        ),
        Claim(
            id="B5",
            rules=ACADEMIE,
            source="Académie des jeux oubliés, Le trictrac à écrire, 7",
            text="The payment of the sets can cost the leader on points the match, which shows its weight.",
            criterion=(
                "One score sheet proves that it can; asked is whether it matters. Confirmed if the leader "
                "before that payment loses more than one match in a hundred, the interval lying above that at "
                "6, 8 and 12 sets; refuted if it lies below at any of them; undecided otherwise."
            ),
            test=AtLeast(
                measure="leader_loses",
                threshold=0.01,
                sets=(6, 8, 12),
                says="of matches",
                subject="the share of matches that the leader loses is",
            ),
        ),
    ),
)
