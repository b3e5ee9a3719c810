"""Players of the catalogue, from the floor up; `random` plays every game, the others trictrac or toutes tables.

None knows the tails, how many sets are left or how a match to points stands; only who doubles sees when a game
decides the match. The weights of `prudent` were climbed to by `experiments/training/climb.py` from a guess, those
of `tables_linear` by `climb_tables.py` beside it; how often the former count in `greedy` was chosen by duplicate
matches between the two. The chance by which `tables_cube` doubles was fitted by `fit_cube.py`, his thresholds
were climbed to by `climb_cube.py`. Of five margins by which `prudent_pot` holds on ahead, those from -200 to -400
took the same from three `prudent` players within the error.
"""

from simkit.players import (
    ByStakes,
    CoinToss,
    Doubling,
    Evaluation,
    Judgement,
    LookAhead,
    NeverSuspends,
    Player,
    PotJudgement,
    RandomPlay,
    TablesEvaluation,
)
from simkit.rules import replace

RANDOM = Player(
    name="random",
    title="Plays at random: the floor, and what the rules do without skill.",
    choice=RandomPlay(),
    decision=CoinToss(go_1024=512, concede_1024=16),
    cost_ns_per_roll=400,
)

PRUDENT = Player(
    name="prudent",
    title="Builds the grand jan and holds the coin; looks at the position only.",
    choice=Evaluation(
        grand=10,
        made_grand=7,
        petit=3,
        retour=5,
        full=60,
        nearly=7,
        coin=30,
        spare=-4,
        talon=-3,
        exposed_near=1,
        exposed_far=2,
    ),
    decision=Judgement(hold_margin=24),
    cost_ns_per_roll=1000,
)

GREEDY = Player(
    name="greedy",
    title="As prudent, and weighs exactly the hits his position threatens and concedes on the next roll.",
    choice=Evaluation(  # prudent's shape eight times, against the exact hits in 36ths of a point
        look_ahead=LookAhead.HITS,
        hits=1,
        grand=80,
        made_grand=56,
        petit=24,
        retour=40,
        full=480,
        nearly=56,
        coin=240,
        spare=-32,
        talon=-24,
    ),
    decision=Judgement(hold_margin=24),
    cost_ns_per_roll=3000,
)

PRUDENT_POT = Player(
    name="prudent_pot",
    title="As prudent, and in a draining pool holds on ahead until his holes would empty the pot.",
    choice=PRUDENT.choice,
    decision=PotJudgement(hold_margin=24),
    cost_ns_per_roll=1000,
)

PRUDENT_NEVER_SUSPENDS = replace(
    PRUDENT,
    name="prudent_never_suspends",
    title="As prudent; in trictrac combiné suspends nothing and lets the written game decide.",
    combined=NeverSuspends(),
)

GREEDY_NEVER_SUSPENDS = replace(
    GREEDY,
    name="greedy_never_suspends",
    title="As greedy; in trictrac combiné suspends nothing and lets the written game decide.",
    combined=NeverSuspends(),
)

PRUDENT_BY_STAKES = replace(
    PRUDENT,
    name="prudent_by_stakes",
    title="As prudent; in trictrac combiné suspends a game only where the honours are worth it.",
    combined=ByStakes(lead=3),
)

TABLES_LINEAR = Player(
    name="tables_linear",
    title="Toutes tables and backgammon: makes points, runs, hits, avoids shots; looks at the position only.",
    choice=TablesEvaluation(
        pip=10,
        off=108,
        bar=30,
        back=18,
        made_back=13,
        made_low=10,
        made_high=30,
        made_home=45,
        two_together=10,
        three_together=12,
        exposed_back=3,
        exposed_low=25,
        exposed_high=40,
        exposed_home=113,
        shot=7,
        shut_out=24,
    ),
    cost_ns_per_roll=500,
)

TABLES_LOOKAHEAD = Player(
    name="tables_lookahead",
    title="As tables_linear, and compares the best plays again after the other's best reply to each roll.",
    choice=replace(TABLES_LINEAR.choice, candidates=4),
    cost_ns_per_roll=60_000,
)

TABLES_CUBE = replace(
    TABLES_LINEAR,
    name="tables_cube",
    title="As tables_linear, and doubles, takes and drops by a fitted chance of winning.",
    decision=Doubling(
        offer_from=720,
        redouble_from=700,
        play_on_from=980,
        take_from=200,
        race_roll=7399,
        race_lead=137,
        contact_roll=1216,
        contact_lead=22,
        contact_off=3141,
        contact_bar=603,
        contact_back=2329,
        contact_anchor=-3423,
        contact_home=1126,
        contact_prime=1854,
        contact_lone=1003,
        contact_lone_other=2028,
        contact_shut=1686,
    ),
    cost_ns_per_roll=600,
)

TABLES_CUBE_LOOKAHEAD = replace(
    TABLES_CUBE,
    name="tables_cube_lookahead",
    title="As tables_lookahead, and doubles, takes and drops as tables_cube does.",
    choice=TABLES_LOOKAHEAD.choice,
    cost_ns_per_roll=TABLES_LOOKAHEAD.cost_ns_per_roll,
)
