"""Does playing each start twice make it fair? The criteria stand here before the run.

They were written before any estimate of a pair was seen, with thresholds of ours: no source says what is
fair enough.
"""

from simkit.analysis.criteria import Between, Claim
from simkit.analysis.pairing import Pairing
from simkit.experiment import Experiment

ARTICLE = "Toutes tables 225, an article on the game (source 004)"

PAIRING = Experiment(
    name="pairing",
    title="Playing each start twice",
    question=(
        "Each start serves two games, each player beginning one. How much of what the first throw is worth "
        "does the second game give back, from each of the 225 starts, by each way it may open, and in a "
        "match that may be decided after the first?"
    ),
    rules=("toutes_tables_225",),
    players=(
        ("tables_linear", "tables_linear"),
        ("random", "random"),  # the floor
        ("tables_lookahead", "tables_lookahead"),
    ),
    analysis=Pairing(drawn_times=30, thrown_times=15),
    # Of each kind; 9,000,000 single games as drawn and 4,500,000 opened with any throw, of the first two pairs.
    matches=(300_000, 300_000, 800),
    seed=225,
    rows_of="toutes_tables_games",
    criteria_set="before any estimate of a pair was seen",
    claims=(
        Claim(
            id="I6d",
            source=ARTICLE,
            text="Playing each start twice, each player beginning once, is fair.",
            criterion="The second game opens with any throw, as the article leaves it. Confirmed if he who "
            "begins the first game wins between 49.5 and 50.5 games in a hundred of the two, over all "
            "starts, the whole interval lying inside; refuted if it lies outside; undecided otherwise.",
            test=Between(
                measure="pair_wins",
                detail="fresh_throw",
                low=0.495,
                high=0.505,
                says="of the games of a pair are won by him who begins the first",
                counts="games opened by a double, which are the fewer by far",
                inside="a pair is fair",
                below="a pair favours him who begins the second game",
                above="a pair favours him who begins the first game",
            ),
        ),
        Claim(
            id="I6e",
            source=f"{ARTICLE}, of each start by itself",
            text="It is fair from every one of the 225 starts.",
            criterion="Confirmed if from no start he who begins the first game wins more or less than half "
            "of the games by more than one in a hundred, the intervals of all 225 holding together in 95 "
            "cases of a hundred; refuted if from one of them he does beyond doubt; undecided otherwise.",
            test=Between(
                measure="pair_most",
                high=0.01,
                says="is the largest distance from half, over the starts",
                counts="games opened by a double from the start with fewest",
                inside="no start leaves more than one game in a hundred",
                above="some start leaves more than one game in a hundred",
            ),
        ),
        Claim(
            id="I6f",
            source=f"{ARTICLE}, of a match to three points, which may end with the first game of a start",
            text="A match so played is fair.",
            criterion="Confirmed if he who begins the first game wins between 49.5 and 50.5 matches in a "
            "hundred, the whole interval lying inside; refuted if it lies outside; undecided otherwise.",
            test=Between(
                measure="match_first_wins",
                detail="fresh_throw",
                low=0.495,
                high=0.505,
                says="of matches are won by him who begins the first game",
                counts="matches",
                inside="a match is fair",
                below="a match favours the other player",
                above="a match favours him who begins it",
            ),
        ),
    ),
)
