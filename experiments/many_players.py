"""What do three players win and lose at one table? The criteria stand here before the run.

Trials had other seeds.
"""

from simkit.analysis.criteria import Between, Claim, Every
from simkit.analysis.many_players import ManyPlayers
from simkit.experiment import Experiment

GUITON = "Guiton, Traité complet du jeu de trictrac, 1822, ch. VIII"
JL = "J.L., Le jeu de trictrac rendu facile, 1852"
EQUAL = (("prudent", "prudent"), ("greedy", "greedy"))
UNEQUAL = (("greedy", "prudent"), ("prudent", "random"))  # the stronger is named first
RULES_OF_PARIS = ("pairwise_full_tail", "split_tail")
TAILS = dict(zip(RULES_OF_PARIS, ("with the full tail", "with one tail"), strict=True))
GAPS = "What a weaker player loses hangs on how much weaker he is; the pairs are two such gaps."


def loses_more(paris: str, *, per_set: bool = False) -> Between:
    """A weaker third player loses more à tourner than in a match of two; per match, or per set he plays."""
    return Between(
        measure="loses_more_per_set" if per_set else "loses_more",
        detail=f"tourner, {paris}, third",
        low=0.0,
        says=f"jetons more by {paris}",
        inside="the weaker third loses more than in a match of two",
        below="the weaker third loses less than in a match of two",
        part=TAILS[paris],
    )


def larger_loss(paris: str, table: str) -> Between:
    """The largest loss à tourner is larger than at another table."""
    return Between(
        measure="larger_loss",
        detail=f"{paris}, {table}",
        low=0.0,
        says=f"jetons more by {paris} than at the table of {table}",
        inside="the largest loss is larger à tourner",
        below="the largest loss is smaller à tourner",
        part=f"than {'of two' if table == 'two' else 'in a chouette'} {TAILS[paris]}",
    )


MANY_PLAYERS = Experiment(
    name="many_players",
    title="Three players à tourner, in a chouette, and two alone",
    question=(
        "Three players play à tourner, each for himself, or one against two partners, or two of them alone, "
        "twelve sets in every case. Where are losses larger, what does a weaker player lose at each table, does "
        "the lone player of a chouette gain or lose, and whom should the idle player à tourner wish to win?"
    ),
    rules=("tourner_guiton",),
    players=(*EQUAL, *UNEQUAL, ("prudent", "greedy")),  # in the last the lone player is the weaker
    analysis=ManyPlayers(),
    matches=20_000,
    seed=1822,
    rows_of="tables_of_three",
    criteria_set="before the run; J2b was added after a trial with another seed",
    claims=(
        Claim(
            id="J1",
            players=EQUAL,
            source=f"{GUITON}; {JL}, 249",
            text="À tourner losses are larger than between two players or in a chouette.",
            criterion="Equal players, twelve sets at each table. A match's largest loss is what the player who "
            "does worst loses. Confirmed if its mean à tourner lies above that of a match of two and above that "
            "of a chouette, by both rules of paris, every interval of a difference wholly above nought; refuted "
            "if one lies wholly below; undecided otherwise.",
            test=Every(
                tests=tuple(
                    larger_loss(paris, table) for paris in RULES_OF_PARIS for table in ("two", "chouette")
                )
            ),
        ),
        Claim(
            id="J1b",
            players=EQUAL,
            source=GUITON,
            text="À tourner one player usually loses much, one wins much, and the third is in between.",
            criterion="In between is taken as having at most half of what each of the others wins or loses. "
            "Confirmed if that is so in more than half of the matches, by Guiton's rule of paris, the whole "
            "interval lying above; refuted if it lies below; undecided otherwise.",
            test=Between(
                measure="in_between",
                detail="tourner, pairwise_full_tail",
                low=0.5,
                says="of matches",
                inside="the third is usually in between",
                below="the third usually wins or loses much himself",
            ),
        ),
        Claim(
            id="J2",
            players=UNEQUAL,
            source=GUITON,
            text="À tourner should be played between equals only: a weaker third player loses too much.",
            criterion="A weaker player among two stronger ones à tourner, against the same player alone with one "
            "of them; twelve sets, of which he plays eight à tourner. Confirmed if he loses more jetons per match "
            "à tourner by both rules of paris, every interval of a difference wholly above nought; refuted if one "
            "lies wholly below; undecided otherwise.",
            skill_note=GAPS,
            test=Every(tests=tuple(loses_more(paris) for paris in RULES_OF_PARIS)),
        ),
        Claim(
            id="J2b",
            players=UNEQUAL,
            source="the same, by the sets he plays",
            text="A weaker third player loses more à tourner for every set that he plays.",
            criterion="As J2, but what he loses in a match goes by the sets he plays, eight à tourner and twelve "
            "alone. Confirmed, refuted or undecided as there.",
            skill_note=GAPS,
            test=Every(tests=tuple(loses_more(paris, per_set=True) for paris in RULES_OF_PARIS)),
        ),
        Claim(
            id="J3",
            players=UNEQUAL,
            source=f"{JL}, 242",
            text="The chouette suits one stronger player: each of the weaker loses less to him.",
            criterion="The stronger alone against two weaker partners. Confirmed if each of them loses less than "
            "in a match of two with him, and the stronger wins, both intervals lying wholly on that side of "
            "nought; refuted if one lies wholly on the other; undecided otherwise.",
            test=Every(
                tests=(
                    Between(
                        measure="loses_more",
                        detail="chouette, one of two partners",
                        high=0.0,
                        says="jetons more than in a match of two",
                        inside="a weaker partner loses less than alone",
                        above="a weaker partner loses more than alone",
                    ),
                    Between(
                        measure="lone_result",
                        low=0.0,
                        says="jetons for the stronger",
                        inside="the stronger wins",
                        below="the stronger loses",
                    ),
                )
            ),
        ),
        Claim(
            id="J3b",
            players=EQUAL,
            source="our question: at which gap of strength does the lone player break even?",
            text="Between equals the lone player of a chouette neither gains nor loses.",
            criterion="Partners' advice is not played. Confirmed if the lone player's mean result lies within "
            "five jetons, half a fish, of nought, the whole interval lying there; refuted if it lies outside; "
            "undecided otherwise.",
            test=Between(
                measure="lone_result",
                low=-5.0,
                high=5.0,
                says="jetons for the lone player",
                inside="he breaks even at equal strength",
                below="he needs more strength to break even",
                above="he breaks even with less strength",
            ),
        ),
        Claim(
            id="J4",
            players=EQUAL,
            source=f"{GUITON}; {JL}, 248",
            text="The idle player should help whoever is threatened by a grande bredouille.",
            criterion="His mean result in matches with a set that he sat out and that ended in a grande, less "
            "that when such a set ended otherwise; how sets end between equals does not hang on what went before. "
            "Confirmed if it is below nought by Guiton's rule of paris, the whole interval lying there, so that a "
            "grande costs him; refuted if it lies above; undecided otherwise.",
            test=Between(
                measure="idle_if_grande",
                detail="pairwise_full_tail",
                high=0.0,
                says="jetons for the idle player",
                inside="a grande costs the idle player",
                above="a grande brings the idle player something",
            ),
        ),
        Claim(
            id="J4b",
            players=EQUAL,
            source=f"{GUITON}; {JL}, 248",
            text="The idle player should help the less marked of the two who play.",
            criterion="The less marked has lost fewer sets so far; sets of two who have lost as many are left "
            "out. Confirmed if the idle player's mean result is higher when the less marked wins than when the "
            "other does, by Guiton's rule of paris, the whole interval of the difference above nought; refuted if "
            "it lies below; undecided otherwise.",
            test=Between(
                measure="idle_if_less_marked_wins",
                detail="pairwise_full_tail",
                low=0.0,
                says="jetons for the idle player",
                inside="he does better when the less marked wins",
                below="he does better when the more marked wins",
            ),
        ),
    ),
)
