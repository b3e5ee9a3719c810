"""What is it worth, in a draining pool, to look at what is left in the pot?"""

from simkit.analysis.criteria import Between, Claim
from simkit.analysis.pools import Pools
from simkit.experiment import Experiment

ARTICLE = "Trictrac, encyclopedia article (source 001)"
ALONE = (("prudent_pot", "prudent"),)
TOGETHER = (("prudent", "prudent"), ("prudent_pot", "prudent_pot"))

EXPERIMENT = Experiment(
    name="pool_holding",
    title="Holding on in the draining pool",
    question=(
        "What does a player take in a draining pool who holds on ahead until his holes would empty the pot, among "
        "players who take a match as soon as it is won, and what becomes of the pool when all do so?"
    ),
    rules=("pool_drain", "pool_drain_fallavel"),
    players=(*TOGETHER, *ALONE),  # in the last pair one such player among others
    analysis=Pools(sizes=(4,)),
    matches=50_000,
    seed=1767,
    criteria_set="before this run; margins of the player were chosen on other dice",
    claims=(
        Claim(
            id="F3b",
            source="Fallavel",
            text="The draining pool keeps everybody close to his stake, though all hold on.",
            criterion="Gini's index of what the players take, by that of one who takes all: confirmed if its mean "
            "is below one half with 4 players; refuted if above; undecided otherwise.",
            test=Between(
                measure="unequal",
                detail="4 players",
                high=0.5,
                says="of the index of one who takes all",
                inside="takings are nearer to equal than to one taking all",
                above="takings are nearer to one taking all than to equal",
            ),
            players=TOGETHER,
        ),
        Claim(
            id="F6",
            source=f"{ARTICLE}: one may hold on for twelve, twenty or thirty holes",
            text="It pays to hold on ahead, with what is left in the pot in view.",
            criterion="One such player among three who go at once, at each of the four places: confirmed if the "
            "mean of his nets over the places lies above nought, which it would be if he played as they do; "
            "refuted if below; undecided otherwise.",
            test=Between(
                measure="lone_mean",
                detail="4 players",
                low=0.0,
                says="stakes a pool",
                inside="holding on pays",
                below="going at once pays",
            ),
            players=ALONE,
        ),
    ),
)
