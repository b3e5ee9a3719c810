"""Rule sets of toutes tables and backgammon, from a drawn start and from the usual one.

A variant says only how it differs from the rule set it is made of.
"""

from simkit.rules import (
    DoubleCondition,
    MoveRule,
    PointMatch,
    RuleSet,
    Source,
    StartSelection,
    Tables,
    TripleCondition,
    replace,
)

ARTICLE = "Toutes tables 225, an article on the game and on Backgammon 225 (source 004)"
GUITON = "Guiton, Traité complet du jeu de trictrac, 2nd edition, 1822"
LEPEINTRE = "Lepeintre, Cours complet de trictrac, 1818"

TOUTES_TABLES_225 = RuleSet(
    name="toutes_tables_225",
    title="Toutes tables 225: toutes tables from a drawn start",
    sources=(
        Source(work=ARTICLE),
        Source(work=LEPEINTRE, where="appendix, for the double game and the match"),
    ),
    game=Tables(),
    match=PointMatch(),
    notes=(
        "Each start serves two games, each player beginning one. The article names no number of points; three "
        "are usual. Its sentences on the single and the double game contradict each other; the first is followed."
    ),
)

BACKGAMMON_225 = RuleSet(
    name="backgammon_225",
    title="Backgammon 225: backgammon from a drawn start",
    sources=(Source(work=ARTICLE, where="for the start; the rules are those of modern backgammon"),),
    game=Tables(move_rule=MoveRule.MAX_DICE),
    match=PointMatch(
        double_condition=DoubleCondition.OFF0, triple_condition=TripleCondition.BAR_OR_IN_WINNER_HOME
    ),
    notes=(
        "Without the doubling cube, which backgammon_225_cube has. The article names no number of points; three "
        "are taken."
    ),
)

TOUTES_TABLES = RuleSet(
    name="toutes_tables",
    title="Toutes tables as Lepeintre and Guiton teach it",
    sources=(
        Source(work=LEPEINTRE, where="appendix"),
        Source(work=GUITON, where="the treatise on backgammon"),
    ),
    game=Tables(start_selection=StartSelection.STANDARD),
    match=PointMatch(games_per_start=1),
    notes=(
        "A match is usually to three points, the double game counting two; two or one are played too. Guiton "
        "counts the game double whenever the loser has borne no man off (match.double_condition off0)."
    ),
)

BACKGAMMON = replace(
    BACKGAMMON_225,
    name="backgammon",
    title="Backgammon by the modern rules, without the cube",
    sources=(Source(work="The modern rules of backgammon"),),
    game=replace(BACKGAMMON_225.game, start_selection=StartSelection.STANDARD),
    match=replace(BACKGAMMON_225.match, games_per_start=1),
    notes="The number of points is agreed; three are taken.",
)

BACKGAMMON_225_CUBE = replace(
    BACKGAMMON_225,
    name="backgammon_225_cube",
    title="Backgammon 225 with the doubling cube",
    match=replace(BACKGAMMON_225.match, cube=True, match_points=7),
    notes=(
        "The article keeps the full rules of backgammon and tells nothing of the cube, of which the modern rules "
        "are taken; the number of points is agreed, and seven leave the cube something to do."
    ),
)

BACKGAMMON_CUBE = replace(
    BACKGAMMON,
    name="backgammon_cube",
    title="Backgammon by the modern rules, with the cube",
    match=replace(BACKGAMMON.match, cube=True, match_points=7),
    notes="The number of points is agreed; seven leave the cube something to do.",
)
