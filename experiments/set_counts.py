"""What do sets of the written game look like? The criteria stand here before the run; trials had other seeds."""

from simkit.analysis.criteria import Between, Claim, Every
from simkit.analysis.set_counts import SetCounts
from simkit.experiment import Experiment

BASE = ("ecrire_academie",)
VIENNA = ("ecrire_classical",)
GUITON = ("ecrire_guiton",)  # and J.L. 1852 and Lepeintre, whose tariff of a set is his

SET_COUNTS = Experiment(
    name="set_counts",
    title="What sets of the written game look like",
    question=(
        "How many holes do winner and loser make in a set, how often is it won by an unbroken run, with and "
        "without a pickup, in advance and in arrears, how often is it conceded or done over, how long do runs "
        "get, how do settings end, and what is a set worth by each tariff?"
    ),
    rules=("ecrire_academie", "ecrire_classical", "ecrire_guiton", "ecrire_malfilatre"),
    players=(("prudent", "prudent"), ("greedy", "greedy"), ("random", "random")),  # random: the floor
    analysis=SetCounts(lengths=(6, 8, 12, 24)),
    matches=(1_000_000, 20_000, 1_000_000),  # the rows that tail_of_sets plays
    seed=1818,
    rows_of="written_matches",
    criteria_set=("before the run, after trials with other seeds"),
    claims=(
        Claim(
            id="A4",
            rules=BASE,
            source="Guiton 1822; Lepeintre 1818; Fallavel 1776; the Vienna rules",
            text="There is no limit of holes in a set: runs of 20 to 30 holes occur.",
            criterion="That they can occur is the rule; asked is whether a player meets them. Confirmed if the "
            "winner has 20 holes or more in more than one set in ten thousand, which is once in three years of "
            "ten sets a day; refuted if the interval lies below; undecided otherwise.",
            test=Between(
                measure="winner_holes_from",
                detail="20",
                low=0.0001,
                says="of sets are won with 20 holes or more",
                inside="a player meets them",
                below="hardly anybody would meet them",
            ),
        ),
        Claim(
            id="A4b",
            rules=BASE,
            source="the same, of sets on record",
            text="Sets of thirty and more holes are on record.",
            criterion="Confirmed if the winner has 30 holes or more in more than one set in a million, so "
            "that many players together meet one; refuted if the interval lies below; undecided otherwise. "
            "Fewer than four million sets of which none has 30 holes cannot decide it.",
            test=Between(
                measure="winner_holes_from",
                detail="30",
                low=0.000001,
                says="of sets are won with 30 holes or more",
                inside="many players together meet one",
                below="hardly anybody could have met one",
            ),
        ),
        Claim(
            id="A7",
            rules=BASE,
            source="J.L. 1852, 226; the Vienna rules, 13",
            text="Sets are done over, and a set done over can be done over again.",
            criterion="That they can be is the rule; asked is whether it happens. Confirmed if more than one "
            "set in 200 is done over and more than one in ten thousand twice in a row, both intervals lying "
            "there wholly; refuted if one of them lies wholly below; undecided otherwise.",
            test=Every(
                tests=(
                    Between(
                        measure="done_over",
                        low=0.005,
                        says="of sets are done over",
                        inside="sets are done over",
                        below="sets are hardly ever done over",
                    ),
                    Between(
                        measure="done_over_twice",
                        low=0.0001,
                        says="twice or more",
                        inside="they are done over again",
                        below="they are hardly ever done over twice in a row",
                    ),
                )
            ),
        ),
        Claim(
            id="B7",
            rules=GUITON,
            source="J.L. 1852, 224",
            text="The twelfth hole of an unbroken run adds 30 points against six holes of the other.",
            criterion="A sum, computed from the tariff with a pickup: confirmed if the twelfth hole is "
            "worth 30 points more than the eleventh, refuted if not. What a hole is worth for the match is "
            "not asked.",
            test=Between(
                measure="hole_adds",
                detail="hole 12, with pickup",
                low=29.5,
                high=30.5,
                says="points",
                inside="the twelfth hole adds 30 points",
                below="it adds less",
                above="it adds more",
            ),
        ),
        Claim(
            id="B15",
            rules=VIENNA,
            source="the Vienna rules, 18",
            text="A petite bredouille without a pickup is rarer than one with a pickup, and deserves more.",
            criterion="Confirmed if petites with a pickup of the winner are more frequent than those without, "
            "the interval of the ratio lying above 1; refuted if it lies below; undecided otherwise.",
            test=Between(
                measure="pickup_ratio",
                detail="petite",
                low=1.0,
                says="petites with a pickup for one without",
                inside="those without a pickup are rarer",
                below="those without a pickup are more frequent",
            ),
        ),
        Claim(
            id="B15b",
            rules=VIENNA,
            source="the Vienna rules, 18, read as a price inverse to the frequency",
            text="For a petite 3 without a pickup against 2 with one is fair.",
            criterion="Confirmed if there are 1.25 to 1.75 petites with a pickup for one without, the interval "
            "lying within, which is half way from 3/2 to equality; refuted if it lies outside; undecided "
            "otherwise. The players do not know the tariff and do not play for it.",
            test=Between(
                measure="pickup_ratio",
                detail="petite",
                low=1.25,
                high=1.75,
                says="petites with a pickup for one without",
                inside="3 to 2 is about their frequency",
                below="by their frequency 3 is too high a price",
                above="by their frequency 3 is too low a price",
            ),
        ),
        Claim(
            id="B15c",
            rules=VIENNA,
            source="the Vienna rules, 18 and note, read as a price inverse to the frequency",
            text="For a grande only 5 without a pickup against 4 with one is fair, as only the first five "
            "holes can differ.",
            criterion="Confirmed if there are 1.125 to 1.375 grandes with a pickup for one without, the "
            "interval lying within, which is half way from 5/4 to equality; refuted if it lies outside; "
            "undecided otherwise. The players do not know the tariff and do not play for it.",
            test=Between(
                measure="pickup_ratio",
                detail="grande",
                low=1.125,
                high=1.375,
                says="grandes with a pickup for one without",
                inside="5 to 4 is about their frequency",
                below="by their frequency 5 is too high a price",
                above="by their frequency 5 is too low a price",
            ),
        ),
        Claim(
            id="B16",
            rules=GUITON,
            source="Lepeintre, Cours complet de trictrac, 1818, of the price that doubles every six holes",
            text="A price that doubles every six holes, eight times at 18 and so on, makes the game more "
            "interesting.",
            criterion="Interest cannot be counted; what can is whether it makes a difference. Confirmed if "
            "the winner of a match of eight sets is another in more than one match in a hundred when the "
            "same play is settled so, the whole interval lying above that; refuted if it lies below; "
            "undecided otherwise.",
            test=Between(
                measure="doubling_changes_winner",
                sets=8,
                low=0.01,
                says="of matches of 8 sets have another winner",
                inside="it makes a difference",
                below="it hardly ever makes a difference",
            ),
        ),
    ),
)
