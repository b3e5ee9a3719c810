"""When does a game of toutes tables count double? The criteria stand here before the run.

They were written before any estimate was seen, with thresholds of ours: no source says how much the readings
differ.
"""

from simkit.analysis.criteria import Between, Claim, Every
from simkit.analysis.double_readings import DoubleReadings
from simkit.experiment import Experiment

DOUBLE_READINGS = Experiment(
    name="double_readings",
    title="Three readings of the double game",
    question=(
        "The article's two sentences on the single and the double game contradict each other where the loser "
        "has borne nobody off and yet has all his men home, or has borne men off and was hit afterwards. How "
        "often does that happen, and how often does a match find another winner by it?"
    ),
    rules=("toutes_tables_225",),
    players=(
        ("tables_linear", "tables_linear"),
        ("random", "random"),  # the floor
        ("tables_lookahead", "tables_lookahead"),
    ),
    analysis=DoubleReadings(games_times=30),
    matches=(300_000, 300_000, 2_000),  # and 9,000,000, 9,000,000 and 60,000 single games
    seed=225,
    rows_of="toutes_tables_games",
    criteria_set="before any estimate of another reading was seen",
    claims=(
        Claim(
            id="I12",
            source="the article on toutes tables 225 (source 004), its sentence on the single game against "
            "that on the double game; Lepeintre, Cours complet de trictrac, 1818, appendix, has the first",
            text="The sentences say nearly the same: hardly a game counts otherwise by another of them.",
            criterion="Confirmed if by either of the other readings fewer than one game in a hundred counts "
            "otherwise, both intervals lying wholly below; refuted if one of them lies above; undecided "
            "otherwise.",
            test=Every(
                tests=(
                    Between(
                        measure="otherwise",
                        detail="off0",
                        high=0.01,
                        says="of games count otherwise if no man off suffices",
                        inside="no man off is nearly the same",
                        above="no man off is another rule",
                    ),
                    Between(
                        measure="otherwise",
                        detail="off0_or_not_all_home",
                        high=0.01,
                        says="of games count otherwise if either suffices",
                        inside="either fault is nearly the same",
                        above="either fault is another rule",
                    ),
                )
            ),
        ),
        Claim(
            id="I12b",
            source="the same, of a match to three points",
            text="Hardly a match finds another winner by another reading.",
            criterion="Confirmed if by either of the other readings fewer than one match to three points in "
            "a hundred is won by the other player, both intervals lying wholly below; refuted if one of them "
            "lies above; undecided otherwise.",
            test=Every(
                tests=(
                    Between(
                        measure="winner_changes",
                        detail="3, off0",
                        high=0.01,
                        says="of matches have another winner if no man off suffices",
                        counts="matches",
                        inside="no man off hardly changes a winner",
                        above="no man off changes winners",
                    ),
                    Between(
                        measure="winner_changes",
                        detail="3, off0_or_not_all_home",
                        high=0.01,
                        says="of matches have another winner if either suffices",
                        counts="matches",
                        inside="either fault hardly changes a winner",
                        above="either fault changes winners",
                    ),
                )
            ),
        ),
    ),
)
