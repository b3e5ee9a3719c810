"""Rule sets of trictrac: the game in twelve holes and the written game of the Académie.

A variant says only how it differs from the rule set it is made of.
"""

from simkit.rules import (
    BearOffExactPolicy,
    FirstRollMethod,
    PartieSettlement,
    PriceScheme,
    RuleSet,
    Settlement,
    Source,
    Trictrac,
    TwelveHoles,
    Written,
    replace,
)

GUITON = "Guiton, Traité complet du jeu de trictrac, 2nd edition, 1822"
JL = "J.L., Le jeu de trictrac rendu facile, 1852"
LEPEINTRE = "Lepeintre, Cours complet de trictrac, 1818"
ACADEMIE_LESSONS = "Académie des jeux oubliés, lessons on the game in twelve holes"
ACADEMIE_WRITTEN = "Académie des jeux oubliés, Le trictrac à écrire (source 000)"

CLASSICAL = RuleSet(
    name="classical",
    title="Trictrac as the treatises of 1818 to 1852 teach it",
    sources=(
        Source(work=GUITON, where="chapters I to VIII"),
        Source(work=LEPEINTRE, where="parts I to IV"),
        Source(work=JL, where="paragraphs 28 to 216"),
    ),
    game=Trictrac(),
    match=TwelveHoles(),
    notes="Named alone it is played as one partie in twelve holes for a single stake.",
)

ACADEMIE = RuleSet(
    name="academie",
    title="Trictrac as the Académie des jeux oubliés teaches it today",
    sources=(Source(work=ACADEMIE_LESSONS),),
    game=replace(
        CLASSICAL.game,
        first_roll_method=FirstRollMethod.DRAW_THEN_THROW,
        bear_off_exact_policy=BearOffExactPolicy.MANDATORY,
    ),
    match=TwelveHoles(settlement=PartieSettlement(price_scheme=PriceScheme.DOUBLE)),
    notes="Named alone it is played as one partie in twelve holes; a grande bredouille pays double.",
)

TWELVE_HOLE = replace(
    CLASSICAL,
    name="twelve_hole",
    title="The game in twelve holes, plain",
    notes="One partie for a single stake, by the classical rules.",
)

ECRIRE_ACADEMIE = RuleSet(
    name="ecrire_academie",
    title="Trictrac à écrire as the Académie des jeux oubliés teaches it",
    sources=(Source(work=ACADEMIE_WRITTEN, where="sections 1 to 11"),),
    game=ACADEMIE.game,
    match=Written(sets=8, settlement=Settlement(tail_of_sets=20, tokens_per_set=2)),
    notes="Six, eight or twelve sets are usual; four give too much weight to the tail of sets (section 10).",
)

NO_TAIL_OF_SETS = replace(
    ECRIRE_ACADEMIE.with_settlement(tail_of_sets=0),
    name="ecrire_academie_no_tail_of_sets",
    title="Trictrac à écrire of the Académie without the tail of sets",
)

NO_TAIL_OF_TOKENS = replace(
    ECRIRE_ACADEMIE.with_settlement(tokens_per_set=0),
    name="ecrire_academie_no_tail_of_tokens",
    title="Trictrac à écrire of the Académie without the tail of tokens",
)

NO_TAILS = replace(
    NO_TAIL_OF_SETS.with_settlement(tokens_per_set=0),
    name="ecrire_academie_no_tails",
    title="Trictrac à écrire of the Académie without any tail",
)

ALIASES = {"a_ecrire": "ecrire_academie"}
