"""Players of the catalogue, from the floor up. None knows the tails or how many sets are left.

The weights of `prudent` were climbed to by `experiments/training/climb.py` from a guess; how often they count in
`greedy` was chosen by duplicate matches between the two.
"""

from simkit.players import CoinToss, Evaluation, Judgement, LookAhead, Player, RandomPlay

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
