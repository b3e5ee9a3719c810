"""How much is the best opening play worth from each of the 225 starts? The criteria stand here before the run.

They were written before any estimate was seen, with thresholds of ours: no source says how little is nothing. A
review found that the threshold of I2 could hardly be missed; before the run it was taken away, and I2 is counted.
Gains are per game that the player opens, and he opens half of his games.
"""

from simkit.analysis.criteria import Between, Claim, NotTested
from simkit.analysis.openings import Openings
from simkit.experiment import Experiment

ARTICLE = "Toutes tables 225, an article on the game (source 004)"

OPENINGS = Experiment(
    name="openings",
    title="What the opening play is worth",
    question=(
        "From a start drawn among 225 nobody can know the opening by heart. How much does a well-chosen "
        "opening play gain over any legal one, over the second choice, and how much a still better choice "
        "over that, from each start? The rest of the game is played alike, with the same dice."
    ),
    rules=("toutes_tables_225",),
    players=(("tables_linear", "tables_linear"), ("random", "random")),  # random: the floor
    analysis=Openings(times=4),
    matches=(900_000, 600_000),  # looking ahead; 3,600,000 and 2,400,000 of each other way, 16,000 a start
    seed=225,
    rows_of="toutes_tables_games",
    criteria_set=(
        "before any estimate of an opening play was seen; after a review I2 is counted and no longer tested"
    ),
    claims=(
        Claim(
            id="I2",
            source=ARTICLE,
            text="Learning openings becomes nearly pointless: the plays of the usual start serve once in 225 "
            "games.",
            criterion="Counted and not tested: what a player gains who opens as the evaluation bids at the usual "
            "start and elsewhere takes any legal opening play, against one who takes any everywhere, per game "
            "that he opens. That is the 225th part of what the play is worth at the usual start, whatever it is "
            "worth there: less than a hundredth of a point, the threshold set at first, unless one opening play "
            "gained more than 2.25 points. He opens half of his games, so that it is half as much per game "
            "played. The claim is of the reply too; here the reply is a play like any other.",
            test=NotTested(
                why="counted and not tested",
                reason="One start in 225 leaves a 225th part of what the opening play is worth there.",
                measure="over_random_book",
                says="points per game opened",
            ),
        ),
        Claim(
            id="I2b",
            source=ARTICLE,
            text="Opening play matters less than from the usual start.",
            criterion="Confirmed if the best opening play gains more over any legal one from the usual start "
            "than in the mean over all 225, the whole interval of the difference lying above nought; refuted "
            "if it lies below; undecided otherwise.",
            test=Between(
                measure="over_random_usual",
                low=0.0,
                says="points more per game opened are gained from the usual start",
                inside="the opening play matters more from the usual start than from others",
                below="the opening play matters less from the usual start than from others",
            ),
        ),
        Claim(
            id="I2c",
            source="derived: what somebody may still hope for who prepares for all starts",
            text="Choosing the opening play better than judgement on the spot does gains next to nothing.",
            criterion="The better choice looks a roll further, and is no perfect book. Confirmed if it wins "
            "fewer than one in 200 of the games it opens more over all starts, the whole interval lying below; "
            "refuted if it lies above; undecided otherwise.",
            test=Between(
                measure="ahead_wins",
                high=0.005,
                says="of games opened are won besides by looking a roll further in the opening play",
                inside="a better opening play gains next to nothing",
                above="a better opening play gains something",
            ),
        ),
    ),
)
