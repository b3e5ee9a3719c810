"""Rule sets of trictrac: the game in twelve holes and the written game, as the sources teach them.

A variant says only how it differs from the rule set it is made of.
"""

from simkit.rules import (
    BearOffExactPolicy,
    BearOffTwoShortCombined,
    Combine,
    CombineSettlement,
    CombineTable,
    FirstRollMethod,
    ForbiddenJanRule,
    GeneralTailBasis,
    LateRunPrice,
    MovementScope,
    PartieSettlement,
    PriceScheme,
    RefaitGrowth,
    RotationFirstSetLeaver,
    RoundFive,
    RuleSet,
    SetFirstDie,
    Settlement,
    Source,
    TableMode,
    TokenTailBasis,
    TournerParisRule,
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
AFTER_SOUMILLE = "The game explained after Soumille, 85 commented rolls, in a modern compilation"
DATABASE = "Summary of Soumille 1766 in a games database (source 003)"
ENCYCLOPEDIA = "Trictrac, encyclopedia article (source 001)"
GENERAL = "Trictrac, short general rules (source 002)"
MALFILATRE = "Malfilâtre, Lois et règles du trictrac, 2013"
PRINCIPES = "Principes du jeu de trictrac, Guillyn, 1749"
VIENNA = "Règles du trictrac à écrire, the anonymous Vienna rules of the 18th century"

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

SOUMILLE_1766 = RuleSet(
    name="soumille_1766",
    title="Trictrac as the game explained after Soumille plays it",
    sources=(
        Source(work=AFTER_SOUMILLE),
        Source(work=DATABASE, where="for what it says of figures and holes"),
    ),
    game=replace(CLASSICAL.game, pile_de_misere_enabled=True),
    match=TwelveHoles(),
    notes="""\
Source 003, a summary of Soumille's book, says: men move on their owner's half only and stand at most two on \
an arrow, the talon apart; the twelfth arrow is entered by two men on one roll; a lone man of the other's is \
hit in thought, along the whole track, for 2 points or 4, on doublets 4 or 6; jan de trois coups, deux tables \
and mézéas score, with their contre-jans; twelve points make a hole, or two unanswered; after it the winner \
may start again, unless the other threw; twelve holes win.
That cannot be the whole game: it fills no jan, bears no man off, and has nothing for men hit falsely, for the \
other's corner or for dice that cannot be played; once no man stands alone, nobody can ever score again. Its \
"sixth and seventh points" of deux tables are the two corners. The game commented after the same book fills \
both jans, puts four men on an arrow and fifteen on the corner, and takes them round to the other side.
This rule set is that game: the classical one, with pile de misère, which it keeps if agreed. \
Source 003 word for word is the rule set soumille_1766_dlp.""",
)

SOUMILLE_1766_DLP = RuleSet(
    name="soumille_1766_dlp",
    title="Source 003, the summary of Soumille 1766, word for word",
    sources=(Source(work=DATABASE),),
    game=replace(
        CLASSICAL.game,
        movement_scope=MovementScope.OWN_HALF,
        max_men_per_point=2,
        corner_par_puissance=False,
        forbidden_jan_rule=ForbiddenJanRule.NONE,
        false_hits_enabled=False,
        corner_hit_enabled=False,
        fills_enabled=False,
        conserve_enabled=False,
        impuissance_enabled=False,
        sortie_enabled=False,
        stall_limit=200,
    ),
    match=TwelveHoles(),
    notes="""\
What the summary does not mention is off, and a die that cannot be played is left at no cost. \
Our readings where it is silent: a lone man is hit by the sum of the dice too, over an open rest; the draw is \
the first roll. Our addition: after 200 rolls in a row without points the men start again.
The whole game of which this is a part is the rule set soumille_1766.""",
)

MALFILATRE_2013 = RuleSet(
    name="malfilatre_2013",
    title="Trictrac by the laws of Malfilâtre",
    sources=(Source(work=MALFILATRE, where="articles I to XX and tariff"),),
    game=replace(CLASSICAL.game, pile_de_misere_enabled=True),
    match=TwelveHoles(settlement=PartieSettlement(honours_double_max_loser_holes=5)),
    notes=(
        "Named alone it is played as one partie in twelve holes for a single stake; where honours are played, "
        "two stakes are due if the loser has not reached six holes."
    ),
)

PROVINCE_1749 = RuleSet(
    name="province_1749",
    title="Trictrac as the Principes of 1749 bear off in the provinces",
    sources=(Source(work=PRINCIPES, where="laws 2, 3 and 6 of bearing off"),),
    game=replace(
        CLASSICAL.game,
        bear_off_exact_policy=BearOffExactPolicy.INSIDE_FIRST,
        bear_off_two_short_combined=BearOffTwoShortCombined.ONLY_TO_CONSERVE,
    ),
    match=TwelveHoles(),
    notes="Classical in all but bearing off. Named alone it is played as one partie for a single stake.",
)

GENERAL_SUMMARY = RuleSet(
    name="general_summary",
    title="Trictrac by the short general rules, source 002",
    sources=(Source(work=GENERAL),),
    game=replace(CLASSICAL.game, first_roll_method=FirstRollMethod.DRAW_THEN_THROW),
    match=TwelveHoles(),
    notes=(
        "Where the text is silent the classical rules are played: the contre-jan of deux tables, the rests, "
        "what follows the last man off. Its mézéas on the opponent's corner is read as the own corner."
    ),
)

TWELVE_HOLE = replace(
    CLASSICAL,
    name="twelve_hole",
    title="The game in twelve holes, plain",
    notes="One partie for a single stake, by the classical rules.",
)

TWELVE_HOLE_HONOURS = replace(
    CLASSICAL.with_settlement(price_scheme=PriceScheme.HONOURS),
    name="twelve_hole_honours",
    title="The game in twelve holes with honours",
    sources=(
        *CLASSICAL.sources,
        Source(work=ENCYCLOPEDIA, where="the honours of the combined game"),
        Source(work=MALFILATRE, where="article XX"),
    ),
    notes=(
        "One partie for one to four stakes. Two are due up to six holes of the loser (source 001); "
        "Guiton and Malfilâtre say five."
    ),
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

VIENNA_TARIFF = Settlement(
    mult_petite_held=3,
    mult_grande_held=5,
    late_run_price=LateRunPrice.MISSED_RUN_OF_OPPONENT,
    tokens_per_set=1,
    token_tail_basis=TokenTailBasis.HOLDINGS,
    round_five=RoundFive.DIE,
    general_tail_basis=GeneralTailBasis.EXACT,
)

ECRIRE_CLASSICAL = RuleSet(
    name="ecrire_classical",
    title="Trictrac à écrire with prices for runs without pickup, by the encyclopedia and the Vienna rules",
    sources=(
        Source(work=ENCYCLOPEDIA, where="Trictrac à écrire"),
        Source(work=VIENNA, where="articles 1 to 75"),
    ),
    game=CLASSICAL.game,
    match=Written(
        sets=8,
        set_first_die=SetFirstDie.ALTERNATE,
        settlement=VIENNA_TARIFF,
    ),
    notes=(
        "Any even number of sets from 6 to 24; 8 or 12 are common. Played in jetons and fish; on paper the tail "
        "of tokens goes by set points instead. The draw as first roll, and the general tail on the exact result, "
        "are our readings: the source does not say."
    ),
)

ECRIRE_GUITON = RuleSet(
    name="ecrire_guiton",
    title="Trictrac à écrire by Guiton",
    sources=(Source(work=GUITON, where="chapter VIII, and chapter III for the throw"),),
    game=CLASSICAL.game,
    match=Written(
        sets=8,
        settlement=Settlement(
            token_tail_basis=TokenTailBasis.HOLDINGS, general_tail_basis=GeneralTailBasis.EXACT
        ),
    ),
    notes="A general tail is played if agreed; its amount is open. On paper the tail of tokens is left out.",
)

ECRIRE_JL1852 = replace(
    ECRIRE_GUITON,
    name="ecrire_jl1852",
    title="Trictrac à écrire by J.L. 1852",
    sources=(Source(work=JL, where="paragraphs 217 to 254"),),
    notes=(
        "Four, six or eight sets. One token per set is played as well as two, and none on paper. Every rule "
        "that is a field here is Guiton's."
    ),
)

ECRIRE_LEPEINTRE = replace(
    ECRIRE_GUITON.with_settlement(general_tail=20),
    name="ecrire_lepeintre",
    title="Trictrac à écrire by Lepeintre",
    sources=(Source(work=LEPEINTRE, where="part I, chapter VI"),),
    notes=(
        "Eight or twelve sets. The general tail is two to four fish, here two. That the winner of a set throws "
        "first, and that tied players share the tail of tokens, are our readings. In some houses the price of a "
        "run doubles every six holes (settlement.progression)."
    ),
)

ECRIRE_MALFILATRE = RuleSet(
    name="ecrire_malfilatre",
    title="Trictrac à écrire by the laws of Malfilâtre",
    sources=(Source(work=MALFILATRE, where="article V and the written game"),),
    game=MALFILATRE_2013.game,
    match=Written(
        sets=8,
        set_first_die=SetFirstDie.ALTERNATE,
        settlement=Settlement(
            refait_growth=RefaitGrowth.GEOMETRIC,
            tokens_per_set=1,
            round_unit=None,
        ),
    ),
    notes=(
        "The amount of a fish, a limit of holes in a set and higher prices are left to agreement; the result is "
        "not rounded. Two tokens per set are played sometimes."
    ),
)

CHOUETTE_GUITON = replace(
    ECRIRE_GUITON.with_match(table_mode=TableMode.CHOUETTE, players=3, set_first_die=SetFirstDie.ALTERNATE),
    name="chouette_guiton",
    title="Trictrac à écrire by Guiton, one against two partners",
    notes=(
        "Player 1 plays every set and throws first in every odd one; players 2 and 3 take turns of two sets, and "
        "the lot says who begins. The partners share what they win or lose."
    ),
)

TWO_V_TWO_GUITON = replace(
    ECRIRE_GUITON.with_match(table_mode=TableMode.TWO_V_TWO, players=4, set_first_die=SetFirstDie.STAYS),
    name="two_v_two_guiton",
    title="Trictrac à écrire by Guiton, two against two",
    notes=(
        "Players 1 and 2 against 3 and 4. The lot says who plays the first set; its winner leaves, then whoever "
        "has played two sets in a row. The partners share what they win or lose."
    ),
)

TOURNER_GUITON = replace(
    ECRIRE_GUITON.with_match(
        table_mode=TableMode.TOURNER,
        players=3,
        sets=12,
        set_first_die=SetFirstDie.STAYS,
        rotation_first_set_leaver=RotationFirstSetLeaver.LOSER,
    ),
    name="tourner_guiton",
    title="Trictrac à écrire by Guiton, three players à tourner",
    notes=(
        "Nine, twelve or fifteen sets. The loser of a set also pays the one who sat out. Sharing the tokens of "
        "tied players, and rounding what each of two owes or is owed by the third, are our readings."
    ),
)

TOURNER_CLASSICAL = replace(
    ECRIRE_CLASSICAL.with_match(
        table_mode=TableMode.TOURNER, players=3, sets=12, set_first_die=SetFirstDie.STAYS
    ).with_settlement(tourner_paris_rule=TournerParisRule.SPLIT_TAIL),
    name="tourner_classical",
    title="Trictrac à écrire by the Vienna rules, three players à tourner",
    sources=(Source(work=VIENNA, where="articles 64 to 66"),),
    notes=(
        "Nine or twelve sets. The winner of the first set leaves; one tail of sets is shared by the two who pay "
        "it or are paid. Tokens and rounding as in tourner_guiton."
    ),
)

FIVE_JL1852 = replace(
    ECRIRE_JL1852.with_match(table_mode=TableMode.FIVE, players=5, sets=6, set_first_die=SetFirstDie.STAYS),
    name="five_jl1852",
    title="Trictrac à écrire by J.L. 1852, two against three",
    notes=(
        "Players 1 and 2 against 3, 4 and 5; in six sets the two play three each and the three two each. The "
        "order, in which one of the two leaves first, and who throws first are our readings. The partners share "
        "what they win or lose."
    ),
)

COMBINE_CLASSICAL = RuleSet(
    name="combine_classical",
    title="Trictrac combiné, the written match and games of honours at once, by the Vienna rules",
    sources=(
        Source(work=ENCYCLOPEDIA, where="Trictrac combiné"),
        Source(work=VIENNA, where="on combined trictrac"),
    ),
    game=CLASSICAL.game,
    match=Combine(
        sets=12,
        settlement=CombineSettlement.beside(VIENNA_TARIFF),
    ),
    notes=(
        "Sets are settled as in ecrire_classical, games of honours in fish of another colour, with a pool of "
        "their own. Never played à tourner. The fish of a single game of honours, and what becomes of an "
        "unfinished game and of the basket, are our readings: no source tells."
    ),
)

COMBINE_CHOUETTE = replace(
    COMBINE_CLASSICAL.with_match(table_mode=CombineTable.CHOUETTE),
    name="combine_chouette",
    title="Trictrac combiné by the Vienna rules, one against two partners",
    notes=(
        "Player 1 plays every set and throws first in every odd one, as in the written match; players 2 and 3 "
        "take turns of two sets. The partner who comes in takes the game of honours over as it stands; both share "
        "what the two games bring."
    ),
)

COMBINE_TWO_V_TWO = replace(
    COMBINE_CLASSICAL.with_match(table_mode=CombineTable.TWO_V_TWO, set_first_die=SetFirstDie.STAYS),
    name="combine_two_v_two",
    title="Trictrac combiné by the Vienna rules, two against two",
    notes=(
        "Players 1 and 2 against 3 and 4. The winner of the first set leaves, then whoever has played two sets in "
        "a row; who has scored a set by a suspension stays to the next pickup. The partner who comes in takes the "
        "game of honours over as it stands; both share what the two games bring."
    ),
)

ALIASES = {"combine": "combine_classical", "a_ecrire": "ecrire_academie", "soumille": "soumille_1766"}
