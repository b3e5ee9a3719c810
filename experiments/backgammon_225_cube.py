"""What does the doubling cube do, from the standard start and from a drawn one? The criteria stand here first.

Trials went with other seeds, so the matches of this run have decided no criterion. Those of
tables_cube_lookahead were cut from 20,000 to 10,000 for time, before anything was estimated from them.
"""

from simkit.analysis.criteria import Between, Claim
from simkit.analysis.cube import DoublingCube
from simkit.experiment import Experiment

OURS = "No source; S4 only keeps the full rules of backgammon, and so the cube, for Backgammon 225"
ALIKE = ("tables_cube", "tables_cube")
STRONGER = (
    "tables_cube_lookahead",
    "tables_cube",
)  # the first looks a roll ahead and doubles as the second does

BACKGAMMON_225_CUBE = Experiment(
    name="backgammon_225_cube",
    title="The doubling cube, from the standard start and from 225",
    question=(
        "If the same matches are played with the doubling cube and without it on the same dice, what becomes of "
        "the length of games and matches, of the points a game brings, of the advantage of who begins, and of "
        "the advantage of who plays better? And is it the same from the standard start and from a drawn one?"
    ),
    rules=("backgammon_cube", "backgammon_225_cube"),  # the standard start is what 225 is compared with
    players=(ALIKE, STRONGER),
    analysis=DoublingCube(),
    matches=(300_000, 10_000),  # with the cube, and as many without; looking ahead is slow
    seed=2256,
    criteria_set=(
        "before this run; trials went with another seed. The matches of tables_cube_lookahead were cut from "
        "20,000 to 10,000 for time while they were played, before any result of theirs was seen"
    ),
    claims=(
        Claim(
            id="I13",
            source=OURS,
            text="The cube shortens games, since a double may be dropped.",
            criterion="Confirmed if a game is shorter by five rolls at least, about a tenth of its length, the "
            "whole interval lying below; refuted if it lies above; undecided otherwise.",
            test=Between(
                measure="rolls_change",
                high=-5.0,
                says="rolls per game are the change by the cube",
                inside="games are much shorter with the cube",
                above="games are not so much shorter with the cube",
            ),
        ),
        Claim(
            id="I14",
            source=OURS,
            text="The cube raises what a game brings.",
            criterion="Confirmed if the winner of a game gets half a point more at least, the whole interval "
            "lying above; refuted if it lies below; undecided otherwise.",
            test=Between(
                measure="points_change",
                low=0.5,
                says="points per game are the change by the cube",
                inside="games bring much more with the cube",
                below="games do not bring so much more with the cube",
            ),
        ),
        Claim(
            id="I15",
            source=OURS,
            text="The cube adds to the advantage of who begins a match.",
            criterion="Confirmed if he wins more matches with the cube, the whole interval lying above nought; "
            "refuted if it lies below; undecided otherwise.",
            test=Between(
                measure="match_to_first_change",
                low=0.0,
                says="is the change by the cube in matches won by who begins",
                inside="who begins wins more matches with the cube",
                below="who begins wins fewer matches with the cube",
            ),
            players=(ALIKE,),
        ),
        Claim(
            id="I16",
            source=OURS,
            text="The cube takes from the advantage of who plays better, since matches come to fewer games.",
            criterion="Both double by the same chance and the same thresholds. Confirmed if the stronger wins "
            "fewer matches with the cube, the whole interval lying below nought; refuted if it lies above; "
            "undecided otherwise.",
            test=Between(
                measure="match_to_1_change",
                high=0.0,
                says="is the change by the cube in matches won by the stronger",
                inside="the stronger wins fewer matches with the cube",
                above="the stronger wins more matches with the cube",
            ),
            players=(STRONGER,),
            skill_note="The stronger looks a roll ahead at the board alone; neither plays his men with the cube "
            "in mind.",
        ),
    ),
)
