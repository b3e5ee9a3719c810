"""What does the tail of tokens do? The criteria stand here before the run.

Trials had other seeds. Each claim is judged on the game of its own source.
"""

from simkit.analysis.criteria import AtLeast, Claim
from simkit.analysis.tokens import TailOfTokens
from simkit.experiment import Experiment


def _jl_claim(letter: str, does: str, measure: str, says: str) -> Claim:
    """One of the three effects that J.L. shows by examples."""
    return Claim(
        id=f"B9{letter}",
        rules=("ecrire_jl1852",),
        source="J.L. 1852, 234 to 236",
        text=f"The tail of tokens can {does}.",
        criterion="Worked examples prove that it can; asked is whether it matters. Confirmed if, with two "
        "tokens against none, it happens in more than one match in a hundred, the interval lying above that "
        "at 4, 6 and 8 sets; refuted if it lies below at any of them; undecided otherwise.",
        test=AtLeast(
            measure=measure,
            detail="holdings",
            threshold=0.01,
            sets=(4, 6, 8),
            says=f"of matches {says}",
            subject="the share is",
        ),
    )


TAIL_OF_TOKENS = Experiment(
    name="tail_of_tokens",
    title="The tail of tokens",
    question=(
        "The loser of a set lays out tokens, and he who leads on points takes them all in the end. Does that "
        "offset the tail of sets? Who would have the tokens if the sets were paid first? What do one or two of "
        "them do to the result, and does it matter how the leader is told?"
    ),
    rules=(
        "ecrire_academie",
        "ecrire_classical",
        "ecrire_jl1852",
        "ecrire_guiton",
        "ecrire_lepeintre",
        "ecrire_malfilatre",
    ),
    players=(("prudent", "prudent"), ("greedy", "greedy"), ("random", "random")),  # random: the floor
    analysis=TailOfTokens(lengths=tuple(range(2, 25, 2))),
    matches=(1_000_000, 20_000, 1_000_000),
    seed=1818,
    rows_of="written_matches",
    criteria_set=(
        "before this run; how often both tails go to different players was known from other matches (seed 1766)"
    ),
    claims=(
        Claim(
            id="B2b",
            rules=("ecrire_academie",),
            source="Académie des jeux oubliés, Le trictrac à écrire, 8, taken to mean the money",
            text="The tail of tokens can offset a part of what the tail of sets does.",
            criterion="Confirmed if the tail of tokens goes on average against the player with more sets, "
            "the interval of that mean lying above nought at 6, 8 and 12 sets; refuted if it goes with him "
            "at any of them; undecided otherwise.",
            test=AtLeast(
                measure="token_tail_against_sets",
                detail="set_points",
                threshold=0.0,
                sets=(6, 8, 12),
                says="points a match against him who has more sets",
                says_below="points a match for him who has more sets",
                subject="the tail of tokens goes on average",
                null=0.0,
                higher="against the payment of the sets",
                lower="with the payment of the sets",
            ),
        ),
        Claim(
            id="B8",
            rules=("ecrire_classical",),
            source="Vienna rules, 55",
            text="Were the sets paid first, their tail would almost always carry the tail of tokens with it.",
            criterion="Almost always is taken as more than nine matches in ten in which one player has more "
            "sets. Confirmed if, with the sets paid first, he is then ahead and takes the tokens in more "
            "than that, the interval lying above it at 8 and 12 sets; refuted if it lies below at one of "
            "them; undecided otherwise.",
            test=AtLeast(
                measure="tokens_with_sets_paid_first",
                detail="holdings",
                tokens_per_set=1,
                threshold=0.9,
                sets=(8, 12),
                says="of matches with a sets winner",
                subject="the share in which the tokens would go with the sets is",
            ),
        ),
        _jl_claim("a", "add a fish to the result", "result_larger", "with a fish more, or several"),
        _jl_claim("b", "take a fish from the result", "result_smaller", "with a fish less, or several"),
        _jl_claim("c", "change the winner", "winner_differs", "with another winner, or a draw made or ended"),
    ),
)
