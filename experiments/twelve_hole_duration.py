"""How long does a partie in twelve holes last, and what decides it? The criteria stand here before the run.

An earlier run of other matches (seed 1822) showed how long parties are, from which the seconds of a roll were
chosen, and judged these claims first; after it that of the first throw (G2) was restated.
"""

from simkit.analysis.criteria import Between, Claim, Every
from simkit.analysis.parties import Parties
from simkit.experiment import Experiment

BASE = ("classical",)
EQUAL = (("greedy", "greedy"), ("prudent", "prudent"), ("random", "random"))  # random: the floor

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
    players=(*EQUAL, ("greedy", "prudent"), ("prudent", "greedy")),  # unequal, from either seat
    analysis=Parties(
        # Nobody has measured it. At 25 seconds the middle nine tenths of greedy's parties last about the
        # half hour to hour and a half of the sources; every minute on the page is proportional to it.
        seconds_per_roll=25,
        sets_of=BASE,
        scores_of=BASE,
        scores_times=8,
    ),
    matches=24_576,  # twelve rounds of 2048: the groups of the sums of figures
    seed=1749,
    criteria_set=(
        "before this run; a run of other matches (seed 1822) had been judged by them before, after which "
        "that of G2 was set anew"
    ),
    claims=(
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
            players=EQUAL,
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
            skill_note="None of these players minds the score: eleven holes ahead nobody plays more safely, "
            "and behind nobody more boldly, as people would.",
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
            skill_note="A man in place counts three tenths as much in the petit jan as in the grand jan, "
            "and half as much in the jan de retour, by the weights of greedy and prudent, who so seldom try "
            "for either; random tries for nothing.",
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
            players=EQUAL,
            source="J.L. 1852, 254, of older manuals",
            text="Between equals some gave four holes for the first throw, now and at every setting.",
            criterion="The right to every first throw is not played: no field of the rules gives it. What "
            "is asked is the worth of the first throw now times the starts of the men in a partie. That is "
            "more than the right is worth, if its parts add up, because who throws first now throws first "
            "more often later, which each part counts again. Refuted, as too high a price, if it lies "
            "wholly below three holes; undecided otherwise, as an upper bound confirms nothing.",
            test=Between(
                measure="break_even_holes_every_setting",
                low=3.0,
                confirms=False,
                says="holes at most",
                inside="the throws may be worth as much",
                below="four holes are more than the throws are worth",
            ),
        ),
    ),
)
