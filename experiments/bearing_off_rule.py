"""What does the rule of most points do when men are borne off? The criteria stand here before the run.

An earlier run (seed 2254) asked whole games alone, in which it is not recorded whether a shot was forced: it
judged I4 by men hit and double games, and left I5 unjudged. Now positions are played on as well. Trials went with
other seeds on positions picked alike, before the criteria were written. The shots that rolls in play force were
counted as the positions were picked, so that this part of I4 was known; games of this run have decided nothing.

The half of I4 on rolls cannot fail, which was seen only after the run: every play of most points is one of most
dice too unless it ends the game, and then no shot is left, so that most dice alone never force one. The criterion
stays as it was set; what can go either way in it is who wins. The number of games of tables_lookahead was cut from
45,000 to 13,000 for time, while the run was played and before anything was estimated from it.
"""

from simkit.analysis.bearing_off import BearingOff
from simkit.analysis.criteria import Between, Claim, Every
from simkit.experiment import Experiment

BEARING_OFF_RULE = Experiment(
    name="bearing_off_rule",
    title="Most points or most dice: the rule of bearing off",
    question=(
        "Toutes tables asks for the play that travels most points, a man borne off counting his own distance "
        "only; backgammon for most dice. One side bears off and the other still has men behind: how often "
        "does a roll force a shot by one rule and not by the other, and how often does the side behind win, "
        "from the same positions and on the same dice? And what do the two rules make of whole games?"
    ),
    rules=("toutes_tables_225",),
    players=(
        ("tables_linear", "tables_linear"),
        ("random", "random"),  # the floor
        ("tables_lookahead", "tables_lookahead"),
    ),
    analysis=BearingOff(times=16),
    matches=(360_000, 225_000, 13_000),  # by each rule; from the 450 positions 16 times as many
    seed=2257,
    criteria_set=(
        "before this run, after trials with other seeds on positions picked alike, and after the "
        "earlier run of whole games (seed 2254), whose criteria they replace; the shots that rolls in play "
        "force had been counted as the positions were picked. The games of tables_lookahead were cut from 45,000 "
        "to 13,000 for time while they were played, before any result of theirs was seen"
    ),
    claims=(
        Claim(
            id="I4",
            source="Toutes tables 225, an article on the game (source 004)",
            text="The rule of most points gives the trailing side a new chance.",
            criterion="Of positions with men behind, as play leads to them (contact). Confirmed if rolls "
            "force a shot by most points alone more often than by most dice alone, and the side behind wins "
            "more of the games played on by most points, both intervals lying wholly above nought; refuted "
            "if one lies below; undecided otherwise. Any difference will do; how large it is stands beside "
            "it. The first half is a matter of logic and cannot fail, as was seen after the run: a play of most "
            "points is one of most dice too unless it ends the game, so that most dice alone force no shot.",
            test=Every(
                tests=(
                    Between(
                        measure="forced_alone_change",
                        detail="contact",
                        low=0.0,
                        says="of rolls in play force a shot by most points alone, and by logic none by most "
                        "dice alone",
                        counts="rolls in games of tables_linear",
                        inside="more shots are forced",
                        below="fewer shots are forced",
                    ),
                    Between(
                        measure="behind_wins_change",
                        detail="contact",
                        low=0.0,
                        says="more games won by the side behind",
                        inside="the side behind wins more",
                        below="the side behind wins less",
                    ),
                )
            ),
            skill_note="The random player neither avoids a shot nor seeks one: he is the floor, and no "
            "player of whom the claim speaks.",
        ),
        Claim(
            id="I4b",
            source="Toutes tables 225, an article on the game (source 004), of its worked position",
            text="Where most points force a shot that most dice let be avoided, the trailing side owes its "
            "chance to the rule.",
            criterion="Of positions with a roll that forces a shot by most points and not by most dice. "
            "Confirmed if more than half of the games that the side behind wins by most points are lost by "
            "most dice, the interval lying wholly above; refuted if wholly below; undecided otherwise. The "
            "half is ours.",
            test=Between(
                measure="wins_lost",
                detail="shot",
                low=0.5,
                says="of the wins of the side behind are lost by most dice",
                inside="most of these wins are owed to the rule",
                below="most of these wins would be had anyway",
            ),
        ),
        Claim(
            id="I5",
            source="Guiton, Traité complet du jeu de trictrac, 2nd edition, 1822, of English play",
            text="The privilege of playing most dice, so that a shot may be avoided, destroys the interest "
            "of the back game.",
            criterion="Of positions of back games: the side behind holds two points or more of the return "
            "jan in which the other has all his men. Confirmed if a quarter at least of the games that it "
            "wins by most points are lost by most dice, the interval lying wholly above; refuted if wholly "
            "below; undecided otherwise. The quarter is ours. An earlier criterion, a tenth of the games won "
            "by the player hit more often over all games, was given up before it was judged. From these "
            "positions a quarter could hardly be lost, as was seen after the run: the rules allow different plays "
            "in about one of a thousand throws.",
            test=Between(
                measure="wins_lost",
                detail="back_game",
                low=0.25,
                says="of the wins of the side behind are lost by most dice",
                inside="the back game loses a quarter of its wins or more",
                below="the back game loses less than a quarter of its wins",
            ),
            skill_note="The players weigh the danger of a lone man, but none of them plays for a back game: "
            "the positions are those they came to.",
        ),
    ),
)
