"""What is the right to suspend a game of trictrac combiné worth, and when should it be used?

Criteria stand here before the run; trials had other seeds.
"""

from simkit.analysis.criteria import Between, Claim, Criterion, Enclosed, Every
from simkit.analysis.suspension import DIFFERS, NEAR, Suspension
from simkit.experiment import Experiment

ARTICLE = "Trictrac, encyclopedia article (source 001)"
VIENNA = "Vienna rules of trictrac à écrire and combiné"
ALIKE = (("prudent", "prudent"), ("greedy", "greedy"))
RIGHT = (("prudent", "prudent_never_suspends"), ("greedy", "greedy_never_suspends"))
STAKES = (("prudent", "prudent_by_stakes"),)
FLOOR = (("random", "random"),)
SKILL_NOTE = (
    "The players judge holding and going alike in both games but for what ends a set; who planned for a treble or "
    "a grande would use the right otherwise. The pairs are two such levels."
)
ADVICE_NOTE = (
    "What these players advise does not see how the honours stand; with fewer than six holes on either side it is "
    "the same call in both games, whatever the best one is."
)


def region(key: str) -> Criterion:
    """Suspending is worth more than holding where the source says so, and more than it is elsewhere."""
    return Every(
        tests=(
            Between(
                measure="region",
                detail=key,
                low=0.0,
                says="for suspending rather than holding there",
                inside="suspending is better there than holding",
                below="holding is better there than suspending",
            ),
            Between(
                measure="region_less_rest",
                detail=key,
                low=0.0,
                says="more than elsewhere",
                inside="suspending is worth more there than elsewhere",
                below="suspending is worth less there than elsewhere",
            ),
        )
    )


REGION = (
    "Decisions at which the game that would go on advises to hold, played on to the end of the match; a fish of "
    "honours counts 13 jetons, the price of the Vienna rules. Confirmed if suspending is worth more than holding "
    "{where}, and more so than elsewhere, both intervals wholly above nought; refuted if one lies below; "
    "undecided otherwise. The intervals of all such regions hold together."
)

SUSPENSION = Experiment(
    name="suspension",
    title="Trictrac combiné: the right to suspend a game",
    question=(
        "How often do the two games of trictrac combiné ask for different decisions, what does the right to "
        "suspend one of them bring, when should it be used, and how large does the pool grow?"
    ),
    rules=("combine_classical",),
    players=(*ALIKE, *RIGHT, *STAKES, *FLOOR),
    analysis=Suspension(),
    matches=20_000,
    seed=1775,
    rows_of="combine_two",
    criteria_set="before any run at this seed",
    claims=(
        Claim(
            id="E2",
            source=f"{ARTICLE}; {VIENNA}",
            text="The two games often ask for opposite decisions.",
            criterion="At holes on a player's own die while nothing is suspended and somebody has six holes in "
            "the set or more: before, these players advise alike in both games by the way they judge. Often is "
            "taken as one in five: confirmed if either game alone advises another thing at more of them, the "
            "whole interval lying above; refuted if it lies below; undecided otherwise. The share of all "
            "decisions is told beside it, and that at which going is better in one game only.",
            test=Between(
                measure="disagree",
                detail="somebody has six",
                low=0.2,
                says="of decisions with six holes",
                inside="the games differ at more than one decision in five",
                below="the games differ at fewer than one decision in five",
            ),
            players=ALIKE,
            skill_note=f"{ADVICE_NOTE} {SKILL_NOTE}",
        ),
        Claim(
            id="E2b",
            source=f"{ARTICLE}; {VIENNA}",
            text="Suspending one game resolves it, to the gain of who may.",
            criterion="Who suspends exactly the game he would leave, against one who plays as he does and never "
            "suspends, from both places with the same dice. The other lets the written game decide: where it "
            "would go he goes in both games, where it would hold he holds in both. So the gain counts suspending "
            "the written game against going, and suspending the honours against holding. Confirmed if who "
            "suspends wins in both games together, a fish of honours counting 13 jetons, the whole interval above "
            "nought; refuted if it lies below; undecided otherwise.",
            test=Between(
                measure="gain",
                detail="both",
                low=0.0,
                says="for who suspends",
                inside="who suspends wins",
                below="who suspends loses",
            ),
            players=RIGHT,
            skill_note=SKILL_NOTE,
        ),
        Claim(
            id="E3",
            source=VIENNA,
            text="It is enough to know both games apart: suspend exactly the game you would have left.",
            criterion="The rule leaves each game in which going is worth more than holding when played on to the "
            "end of the match. Where the players' advice differs, the best of holding, going and suspending "
            "either is compared with it, one decision at a time; half of the repeats choose the best and the "
            "rule's choice, the others tell both. That gap is too small by what the choice of the best misses; "
            "with all repeats choosing and telling the best it is too large. Enough is taken as less than a fish, "
            "ten jetons, a match and player: confirmed if the whole interval of the larger lies below; refuted if "
            "that of the smaller lies above; undecided otherwise. What the players lose by their own judgement, "
            "and the gap where their advice agrees, are told beside it.",
            test=Enclosed(
                confirms=Between(
                    measure="gap_naive_per_match",
                    detail=DIFFERS,
                    high=10.0,
                    says="lost against the best choice at most",
                    inside="the rule is enough",
                    above="the rule may miss more than a fish a match",
                ),
                refutes=Between(
                    measure="gap_per_match",
                    detail=DIFFERS,
                    high=10.0,
                    says="lost against the best choice at least",
                    inside="the rule may be enough",
                    above="the rule misses more than a fish a match",
                ),
            ),
            players=ALIKE,
            skill_note="The rule knows either game as well as half of the repeats tell it, all later decisions "
            f"being taken as these players do. {SKILL_NOTE}",
        ),
        Claim(
            id="E3b",
            source=VIENNA,
            text="Nothing is gained over it by suspending only where the honours are worth it.",
            criterion="Who suspends exactly the game he would leave, against one who does so only where he leads "
            "the honours by three holes or has an unbroken run there. Confirmed if the former wins in both games "
            "together, the whole interval above nought; refuted if he loses; undecided otherwise.",
            test=Between(
                measure="gain",
                detail="both",
                low=0.0,
                says="for who suspends by the rule",
                inside="the rule is better than a choice by the stakes",
                below="a choice by the stakes is better than the rule",
            ),
            players=STAKES,
        ),
        Claim(
            id="E4",
            source=f"{VIENNA}, on conduct",
            text="Suspend the game of honours when the other is at his last hole or last but one.",
            criterion=REGION.format(where="where the other has ten or eleven holes in the honours"),
            test=region("others_honours"),
            players=ALIKE,
            skill_note=SKILL_NOTE,
        ),
        Claim(
            id="E4b",
            source=f"{VIENNA}, on conduct",
            text="Suspend the game of honours when double, treble or quadruple is at stake.",
            criterion=REGION.format(
                where=f"where a player with {NEAR} of twelve holes in the honours or more would win more than a "
                "single game if he won now"
            ),
            test=region("class_at_stake"),
            players=ALIKE,
            skill_note=SKILL_NOTE,
        ),
        Claim(
            id="E4c",
            source=f"{VIENNA}, on conduct",
            text="Suspend the game of honours when the pool is large.",
            criterion=REGION.format(where="where ten fish or more lie in the pool"),
            test=region("pool"),
            players=ALIKE,
            skill_note=SKILL_NOTE,
        ),
        Claim(
            id="E5",
            source=VIENNA,
            text="Suspend the written game when the other has four or five holes in it.",
            criterion=REGION.format(where="where the other has four or five holes in the set"),
            test=region("others_written"),
            players=ALIKE,
            skill_note=SKILL_NOTE,
        ),
        Claim(
            id="E5b",
            source=VIENNA,
            text="Suspend the written game with four or five unbroken holes of one's own.",
            criterion=REGION.format(where="where a player's own run in the set is of four or five holes"),
            test=region("own_run"),
            players=ALIKE,
            skill_note=SKILL_NOTE,
        ),
        Claim(
            id="E6",
            source=f"{VIENNA}, on conduct",
            text="A grande carried further ends in the jan de retour, where the next hole is a toss-up.",
            criterion="A player with an unbroken run of twelve holes or more holds at every hole; the next hole "
            "is looked for from where eight of his men are beyond the coin. A toss-up is taken as between 45 and "
            "55 %: confirmed if the share of next holes that are his lies there, the whole interval within; "
            "refuted if it lies outside; undecided otherwise.",
            test=Between(
                measure="next_hole_mine",
                detail="in the return",
                low=0.45,
                high=0.55,
                says="of next holes in the return are his",
                inside="the next hole is a toss-up",
                below="the next hole is mostly the other's",
                above="the next hole is mostly his",
            ),
            players=ALIKE,
            skill_note="Neither is made to play for the return; who is skilled there may do better.",
        ),
        Claim(
            id="E7",
            source=ARTICLE,
            text="The pool grows until somebody wins two games in a row: between equals one half each time.",
            criterion="That it grows so is the rule. Pools outside the last set by the number of games they take, "
            "beside those of a fair coin: confirmed if one pool in twenty or fewer would have to move for both to "
            "be alike (total variation distance), the whole interval lying below; refuted if it lies above; "
            "undecided otherwise.",
            test=Between(
                measure="pool_distance",
                high=0.05,
                says="of pools would have to move",
                inside="pools take as many games as with a fair coin",
                above="pools take otherwise many games than with a fair coin",
            ),
            players=(*ALIKE, *FLOOR),
            skill_note="A game under way when a pool is drawn, and who throws first, may tie games together; "
            "equal skill alone makes them even.",
        ),
    ),
)
