"""What does the rule of most points do when men are borne off? The criteria stand here before the run.

Trials went with other seeds, so the games of this run have decided no criterion. A review found the share of games
won by the player hit more often unfit to judge by, because the rule itself changes who that is: before the run I4
was left to men hit and double games, and I5 was left unjudged. Once the criteria stood as here, a page of
the first 20,000 games of this run was looked at; they were not changed after it.
"""

from simkit.analysis.bearing_off import BearingOff
from simkit.analysis.criteria import Between, Claim, Every, NotTested
from simkit.experiment import Experiment

BEARING_OFF_RULE = Experiment(
    name="bearing_off_rule",
    title="Most points or most dice: the rule of bearing off",
    question=(
        "Toutes tables asks for the play that travels most points, a man borne off counting his own distance "
        "only; backgammon for most dice. If the same games are played by both on the same dice, how often does "
        "anything differ, how often does another player win, and what becomes of double games, length and hits?"
    ),
    rules=("toutes_tables_225",),
    players=(
        ("tables_linear", "tables_linear"),
        ("random", "random"),  # the floor
        ("tables_lookahead", "tables_lookahead"),
    ),
    analysis=BearingOff(),
    matches=(4_500_000, 4_500_000, 20_000),  # by each of the two rules
    seed=2254,
    criteria_set=(
        "before this run; trials went with another seed, and after a review of the measures I4 was changed and "
        "I5 left unjudged; afterwards, and changing neither, the first 20,000 games of the run were looked at"
    ),
    claims=(
        Claim(
            id="I4",
            source="Toutes tables 225, an article on the game (source 004)",
            text="The rule of most points gives the trailing side a new chance.",
            criterion="Judged by whole games only: whether a shot was forced, and who trailed when it was, is not "
            "recorded. A chance of the trailing side is a shot, and he who is hit in bearing off gives time to "
            "escape the double game. Confirmed if, with most points, more men are hit and fewer games count "
            "double, both intervals lying wholly on that side of nought; refuted if one lies on the other; "
            "undecided otherwise. Before, more games won by the player hit more often was asked instead of fewer "
            "double games; after a review, and before the run, it was given up, because the rule itself changes "
            "who that is.",
            test=Every(
                tests=(
                    Between(
                        measure="hits_change",
                        low=0.0,
                        says="men hit more per game",
                        inside="more men are hit",
                        below="fewer men are hit",
                    ),
                    Between(
                        measure="doubled_change",
                        high=0.0,
                        says="is the change in games that count double",
                        inside="fewer games count double",
                        above="more games count double",
                    ),
                )
            ),
        ),
        Claim(
            id="I5",
            source="Guiton, Traité complet du jeu de trictrac, 2nd edition, 1822, of English play",
            text="The privilege of playing most dice, so that a shot may be avoided, destroys the interest of the "
            "back game.",
            criterion="Not judged here. The claim is of back games; whole games of these players hardly reach "
            "one, they do not aim at one, and which games were is not recorded. It needs positions of back games "
            "played on by both rules. Before, a tenth of the games won by the player hit more often was asked, "
            "over all games; after a review, and before the run, it was given up, because games that are no back "
            "games drown whatever the rule does to those that are.",
            test=NotTested(
                why="not judged here",
                reason="Whole games hardly reach a back game; positions of back games would have to be played on.",
            ),
        ),
    ),
)
