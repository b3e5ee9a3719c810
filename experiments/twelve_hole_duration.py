"""How long does a partie in twelve holes last, and what decides it? The criteria stand here before the run.

Trials went with other seeds, so the matches of this run have decided no criterion. The trials showed how long
parties are, from which the seconds of a roll were chosen.
"""

from simkit.analysis.criteria import Between, Claim, Every
from simkit.analysis.parties import Parties
from simkit.experiment import Experiment

BASE = ("classical",)
ACADEMIE = "Académie des jeux oubliés, Le trictrac à écrire"

TWELVE_HOLE_DURATION = Experiment(
    name="twelve_hole_duration",
    title="How long a partie in twelve holes lasts",
    question=(
        "How many rolls and settings does a partie take under each rule set, and how long is that? Who is "
        "favoured by the first throw, how do settings end, what do the points come from, and how safe is a "
        "lead?"
    ),
    rules=(
        "classical",
        "twelve_hole",
        "twelve_hole_honours",
        "academie",
        "general_summary",
        "province_1749",
        "soumille_1766",
        "malfilatre_2013",
        "soumille_1766_dlp",
    ),
    players=(("greedy", "greedy"), ("prudent", "prudent"), ("random", "random")),  # random: the floor
    analysis=Parties(
        # Nobody has measured it. At 25 seconds the middle nine tenths of greedy's parties last about the
        # half hour to hour and a half of the sources; every minute on the page is proportional to it.
        seconds_per_roll=25,
        sets_of=BASE,
        scores_of=BASE,
        scores_times=8,
    ),
    matches=24_576,  # twelve rounds of 2048: the groups of the sums of figures
    seed=1822,
    claims=(
        Claim(
            id="A1",
            rules=BASE,
            source=f"{ACADEMIE}, 10; encyclopedia article (source 001)",
            text="A set of the written game takes 15 to 45 minutes and a partie 30 to 90: a set is about half "
            "a partie.",
            criterion="Confirmed if the mean rolls of a set, do-overs included, are 0.4 to 0.6 times those of "
            "a partie by the same rules and players, the whole interval lying within; refuted if it lies "
            "outside; undecided otherwise. Minutes a roll do not matter to it.",
            test=Between(
                measure="set_to_partie",
                low=0.4,
                high=0.6,
                says="times as long as a partie",
                inside="a set is about half as long as a partie",
                below="a set is much shorter than half a partie",
                above="a set is much longer than half a partie",
            ),
        ),
        Claim(
            id="A3",
            rules=BASE,
            source="Trictrac, short general rules (source 002)",
            text="Most settings end when a player goes; the men are rarely all borne off.",
            criterion="Confirmed if more than half of the settings end by going and fewer than one in ten by "
            "bearing off, both intervals lying there wholly; refuted if one of them lies wholly on the other "
            "side; undecided otherwise.",
            test=Every(
                tests=(
                    Between(
                        measure="settings_ended",
                        detail="going",
                        low=0.5,
                        says="of settings end by going",
                        inside="most settings end by going",
                        below="most settings do not end by going",
                    ),
                    Between(
                        measure="settings_ended",
                        detail="reprise",
                        high=0.1,
                        says="by bearing off",
                        inside="the men are rarely all borne off",
                        above="the men are not rarely borne off",
                    ),
                )
            ),
        ),
        Claim(
            id="C13",
            rules=BASE,
            source="Lepeintre, Cours complet de trictrac, 1818",
            text="A player with eleven holes to nothing quite often loses the partie all the same.",
            criterion="Quite often is taken as more than one in twenty, at the start of a setting, whoever "
            "throws. Confirmed if the interval lies above that, refuted if below, undecided otherwise.",
            test=Between(
                measure="loses_from_11_0",
                low=0.05,
                says="of parties lost from 11 to 0",
                inside="he loses quite often",
                below="he hardly ever loses",
            ),
        ),
        Claim(
            id="D3",
            rules=BASE,
            source="Guiton, Traité complet du jeu de trictrac, 1822, ch. XI; J.L. 1852, 434",
            text="Petit jan and jan de retour are infrequent: several sets may pass without either.",
            criterion="Confirmed if the ways in which either is filled, both players together, are fewer than "
            "one in four sets of the written game: then at least three sets of four have none. Refuted if the "
            "interval lies above; undecided otherwise. Ways are counted, of which one filling may have two or "
            "three, so that the number errs against the claim.",
            test=Between(
                measure="ways_per_set",
                detail="petit jan or jan de retour filled",
                high=0.25,
                says="ways per set",
                inside="most sets pass without either",
                above="they are filled more often than in every fourth set",
            ),
        ),
        Claim(
            id="D4",
            rules=BASE,
            source="J.L. 1852, 419; Lepeintre 1818; Fallavel 1776",
            text="The opening jans (three throws, two tables, mézéas, and their contraries) are rare.",
            criterion="Confirmed if all of them together are seen in fewer than one setting in ten, the whole "
            "interval lying there; refuted if it lies above; undecided otherwise.",
            test=Between(
                measure="ways_per_setting",
                detail="opening jans",
                high=0.1,
                says="seen in a setting",
                inside="the opening jans are rare",
                above="the opening jans are not rare",
            ),
        ),
        Claim(
            id="D6",
            rules=BASE,
            source="Lepeintre, Cours complet de trictrac, 1818",
            text="Most points come from hits, true and false.",
            criterion="Confirmed if more than half of all points do, the whole interval lying there; refuted "
            "if it lies below; undecided otherwise.",
            test=Between(
                measure="points_share",
                detail="hits",
                low=0.5,
                says="of points come from hits",
                inside="most points come from hits",
                below="most points do not come from hits",
            ),
        ),
        Claim(
            id="G2",
            rules=BASE,
            source="J.L. 1852, 254, of older manuals",
            text="Between equals some gave four holes for the first throw, now and at every setting.",
            criterion="The right to every first throw is not played; it is taken to be worth as much in each "
            "setting as now, and to add up. Confirmed, as a fair price, if that sum lies between three and "
            "five holes, the whole interval within; refuted if outside; undecided otherwise.",
            test=Between(
                measure="break_even_holes_every_setting",
                low=3.0,
                high=5.0,
                says="holes",
                inside="four holes are about what the throws are worth",
                below="four holes are more than the throws are worth",
                above="four holes are less than the throws are worth",
            ),
        ),
    ),
)
