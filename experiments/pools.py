"""What is a place in line worth in the pools, how long do they last, and whom do they favour?"""

from simkit.analysis.criteria import Between, Claim, Criterion, Every
from simkit.analysis.pools import Pools
from simkit.experiment import Experiment

ARTICLE = "Trictrac, encyclopedia article (source 001)"
FILLING = ("pool_fill", "pool_fill_defences")
DRAINING = ("pool_drain", "pool_drain_fallavel")
ALIKE = (("prudent", "prudent"), ("random", "random"))
SIZES = (3, 4, 5, 6)


def last_ahead(measure: str, *, exact: bool = False) -> Criterion:
    """The last place takes more than the first in pools of every size; exactly: more than any other."""
    return Every(
        tests=tuple(
            Between(
                measure=measure,
                detail=f"{size} players",
                low=0.0,
                says=f"stakes at {size} players",
                inside="the last has the advantage" if exact else "the last is ahead of the first",
                below="another place is better" if exact else "the first is ahead of the last",
                part=f"at {size} players",
            )
            for size in SIZES
        )
    )


def first_ahead(measure: str) -> Criterion:
    """The first place takes more than the last in pools of every size."""
    return Every(
        tests=tuple(
            Between(
                measure=measure,
                detail=f"{size} players",
                high=0.0,
                says=f"stakes for the last at {size} players",
                inside="the first is ahead of the last",
                above="the last is ahead of the first",
                part=f"at {size} players",
            )
            for size in SIZES
        )
    )


EXPERIMENT = Experiment(
    name="pools",
    title="The pools: places in line, length, and who wins how much",
    question=(
        "In pools of three to six players: what is each place in line worth, by each reading of the sources; how "
        "many matches do pools take, and how unequally do they end; what does a stronger player take?"
    ),
    rules=(*FILLING, *DRAINING),
    players=(*ALIKE, ("prudent", "random")),  # in the last pair one prudent player among random ones
    analysis=Pools(sizes=SIZES, seconds_per_roll=25, evening_minutes=240),
    matches=50_000,
    seed=1766,
    criteria_set="before any run; the exact values for equal players were known",
    claims=(
        Claim(
            id="A5",
            source=f"{ARTICLE}; Fallavel",
            text="In the filling pool time and winnings have no bound.",
            criterion="Confirmed if with 5 players more than one pool in a hundred has no winner after four times "
            "the mean number of matches of equal players; refuted if fewer; undecided otherwise.",
            test=Between(
                measure="unfinished_long",
                detail="5 players",
                low=0.01,
                says="of pools unfinished after four times the mean",
                inside="long pools are no rarity",
                below="long pools are rare",
            ),
            rules=FILLING,
            players=ALIKE,
        ),
        Claim(
            id="A6",
            source="Lepeintre",
            text="A whole evening can pass without anybody winning the filling pool.",
            criterion="An evening is four hours at 25 seconds a roll. Confirmed if with 5 players more than one "
            "pool in a hundred outlasts it; refuted if fewer; undecided otherwise.",
            test=Between(
                measure="evening",
                detail="5 players",
                low=0.01,
                says="of pools outlast an evening",
                inside="it happens",
                below="it hardly ever happens",
            ),
            rules=FILLING,
            players=ALIKE,
        ),
        Claim(
            id="F1",
            source=f"{ARTICLE}; Fallavel",
            text="In the filling pool it is a financial advantage to be last in line.",
            criterion="Each defeated player paying when he comes back: confirmed if the last player's mean net is "
            "above the first's with 3, 4, 5 and 6 players, all four intervals lying above nought; refuted if one "
            "lies below; undecided otherwise.",
            test=last_ahead("last_less_first_on_reentry"),
            rules=FILLING,
            players=ALIKE,
        ),
        Claim(
            id="F1b",
            source=f"{ARTICLE}, its rule of when the ante is due",
            text="The same, each defeated player paying at once.",
            criterion="As F1, the same play settled with antes at every defeat.",
            test=last_ahead("last_less_first_on_defeat"),
            rules=FILLING,
            players=ALIKE,
        ),
        Claim(
            id="F1c",
            source="the same, of equal players",
            text="Of all places in line the last is the best.",
            criterion="Solved, not played, for players who win each match with one half, antes due on coming "
            "back: confirmed if the last place is worth more than each other with 3, 4, 5 and 6 players; "
            "refuted otherwise.",
            test=last_ahead("last_less_next_on_reentry_exact", exact=True),
            rules=FILLING,
            players=(ALIKE[0],),
        ),
        Claim(
            id="F1d",
            source="the same, antes at every defeat",
            text="Of all places in line the last is the best, each defeated player paying at once.",
            criterion="As F1c, settled with antes at every defeat.",
            test=last_ahead("last_less_next_on_defeat_exact", exact=True),
            rules=FILLING,
            players=(ALIKE[0],),
        ),
        Claim(
            id="F2",
            source=f"{ARTICLE}; Fallavel",
            text="In the draining pool it is an advantage to be first in line.",
            criterion="Confirmed if the last player's mean net is below the first's with 3, 4, 5 and 6 players, "
            "all four intervals lying below nought; refuted if one lies above; undecided otherwise.",
            test=first_ahead("last_less_first"),
            rules=DRAINING,
            players=ALIKE,
        ),
        Claim(
            id="F2b",
            source="the reason given: something left after a full round",
            text="The first has the advantage in those pools that have something left after the first round.",
            criterion="As F2, over the pools that take more matches than the line needs for everybody to have "
            "come to the board.",
            test=first_ahead("late_last_less_first"),
            rules=DRAINING,
            players=ALIKE,
        ),
        Claim(
            id="F3",
            source="Fallavel",
            text="The draining pool keeps everybody close to his stake; the filling pool gives all to one.",
            criterion="Gini's index of what the players take, by that of one who takes all, as the winner of a "
            "filling pool does: confirmed if its mean is below one half with 4 players; refuted if above; "
            "undecided otherwise.",
            test=Between(
                measure="unequal",
                detail="4 players",
                high=0.5,
                says="of the index of one who takes all",
                inside="takings are nearer to equal than to one taking all",
                above="takings are nearer to one taking all than to equal",
            ),
            rules=DRAINING,
            players=ALIKE,
        ),
        Claim(
            id="F4",
            source=ARTICLE,
            text="The draining pool bounds the time of play.",
            criterion="That no pool takes more matches than holes empty it follows from the rule. Confirmed if "
            "with 4 players not one pool in a hundred outlasts an evening of four hours at 25 seconds a roll; "
            "refuted if more do; undecided otherwise.",
            test=Between(
                measure="evening",
                detail="4 players",
                high=0.01,
                says="of pools outlast an evening",
                inside="pools end within an evening",
                above="many pools outlast an evening",
            ),
            rules=DRAINING,
            players=ALIKE,
        ),
        Claim(
            id="F5",
            source="Guiton, ch. VIII",
            text="In the filling pool those who wait share an interest against the player who has won.",
            criterion="Solved for equal players, with one ante of each in the pot and antes due as the rules say: "
            "confirmed if to every waiting player, after any number of wins and with 3 to 6 players, a defeat of "
            "that player is worth more than his next win; refuted otherwise.",
            test=Every(
                tests=tuple(
                    Between(
                        measure="advice_least_exact",
                        detail=f"{size} players",
                        low=0.0,
                        says=f"stakes, the least, at {size} players",
                        inside="all who wait gain by his defeat",
                        below="somebody who waits loses by his defeat",
                        part=f"at {size} players",
                    )
                    for size in SIZES
                )
            ),
            rules=FILLING,
            players=(ALIKE[0],),
        ),
    ),
)
