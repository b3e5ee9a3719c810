"""What does the rule of most points do when men are borne off? The criteria stand here before the run.

Trials went with other seeds, so the games of this run have decided no criterion.
"""

from simkit.analysis.bearing_off import BearingOff
from simkit.analysis.criteria import Between, Claim, Every
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
    players=(("tables_linear", "tables_linear"), ("random", "random")),  # random: the floor
    analysis=BearingOff(),
    matches=4_500_000,  # by each of the two rules
    seed=2254,
    criteria_set=("before this run; trials went with another seed"),
    claims=(
        Claim(
            id="I4",
            source="Toutes tables 225, an article on the game (source 004)",
            text="The rule of most points gives the trailing side a new chance.",
            criterion="Judged by whole games only: whether a shot was forced, and who trailed when it was, is not "
            "recorded. In place of the trailing side stands the player who was hit more often than he hit. "
            "Confirmed if, with most points, more men are hit and more games are won by him, both intervals "
            "lying wholly above nought; refuted if one of them lies below; undecided otherwise.",
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
                        measure="behind_change",
                        low=0.0,
                        says="more games won by the player hit more often",
                        inside="he wins more games",
                        below="he wins fewer games",
                    ),
                )
            ),
        ),
        Claim(
            id="I5",
            source="Guiton, Traité complet du jeu de trictrac, 2nd edition, 1822, of English play",
            text="The privilege of playing most dice, so that a shot may be avoided, destroys the interest of the "
            "back game.",
            criterion="Judged by whole games only: which of them were back games is not recorded, and these "
            "players do not aim at one. To destroy is taken to cost the player who was hit more often at least a "
            "tenth of the games that he wins with most points. Confirmed if he loses more, the whole interval "
            "lying above; refuted if it lies below; undecided otherwise.",
            test=Between(
                measure="behind_change_share",
                low=0.1,
                says="of his games are lost to him",
                inside="the player hit more often loses much by the privilege",
                below="the player hit more often loses less than that by the privilege",
            ),
        ),
    ),
)
