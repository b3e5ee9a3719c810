"""Players of the catalogue, from the floor up. None knows the tails or the number of sets left."""

from simkit.players import CoinToss, Evaluation, Judgement, LookAhead, Player, RandomPlay
from simkit.rules import replace

RANDOM = Player(
    name="random",
    title="Plays at random: the floor, and what the rules do without skill.",
    choice=RandomPlay(),
    decision=CoinToss(go_1024=512, concede_1024=16),
    cost_ns_per_roll=400,
)

SHAPE = Evaluation(
    grand=7,
    made_grand=5,
    retour=5,
    petit=3,
    full=60,
    nearly=15,
    coin=10,
    spare=-2,
    exposed_near=12,
    exposed_far=9,
)

PRUDENT = Player(
    name="prudent",
    title="Builds the grand jan, holds the coin, leaves no lone man within reach; looks at the position only.",
    choice=SHAPE,
    decision=Judgement(),
    cost_ns_per_roll=1000,
)

GREEDY = Player(
    name="greedy",
    title="Prudent, and weighs exactly the hits his position threatens and concedes on the next roll.",
    choice=replace(SHAPE, look_ahead=LookAhead.HITS, hits=1),
    decision=Judgement(),
    cost_ns_per_roll=3000,
)
