"""What is each disputed reading of the written game worth? The criteria stand here before the run.

Trials had other seeds. Of the conflicts C1 to C8, C1 is not asked: up to how many holes honours pay two is a
matter of parties in twelve holes, and the written game has no honours.
"""

from simkit.analysis.criteria import Between, Claim, Every
from simkit.analysis.written_conventions import Reading, WrittenConventions
from simkit.experiment import Experiment

HELD = {"settlement.mult_petite_held": 3, "settlement.mult_grande_held": 5}
TAIL = {"settlement.general_tail": 20}  # two fish, as Lepeintre has it at the least

READINGS = (
    # The play: settings differ from the first roll, the bearing off or the first throw on.
    Reading(change={"match.set_first_die": "alternate"}, conflict="C4"),
    Reading(change={"game.first_roll_method": "draw_is_first_throw"}),
    Reading(change={"game.first_roll_method": "draw_then_throw"}),
    Reading(change={"game.bear_off_exact_policy": "optional"}),
    Reading(change={"game.bear_off_exact_policy": "mandatory"}),
    Reading(change={"game.bear_off_exact_policy": "inside_first"}),
    Reading(change={"game.pile_de_misere_enabled": True}),
    # What a set is worth.
    Reading(change=HELD, conflict="C2"),
    Reading(change={"settlement.mult_petite_held": 3}, conflict="C2"),
    Reading(change={"settlement.mult_grande_held": 5}, conflict="C2"),
    Reading(change={"settlement.late_run_price": "missed_run_of_opponent"}, beside=HELD, conflict="C2"),
    Reading(change={"settlement.refait_growth": "geometric"}, conflict="C3"),
    Reading(change={"settlement.progression": "double_every_6"}),
    # What the sets of a match are worth.
    Reading(change={"settlement.tokens_per_set": 0}, conflict="C5"),
    Reading(change={"settlement.tokens_per_set": 1}, conflict="C5"),
    Reading(change={"settlement.token_tail_basis": "holdings"}, conflict="C6"),
    Reading(change={"settlement.token_tail_basis": "set_points"}, conflict="C6"),
    Reading(change={"settlement.token_tail_tie": "none"}),
    # What is paid.
    Reading(change={"settlement.round_five": "die"}, conflict="C7"),
    Reading(change={"settlement.round_five": "down"}, conflict="C7"),
    Reading(change={"settlement.round_five": "half_even"}, conflict="C7"),
    Reading(change={"settlement.round_unit": None}),
    Reading(change={"settlement.round_unit": 5}),
    Reading(change={"settlement.general_tail_basis": "rounded"}, beside=TAIL, conflict="C8"),
    Reading(change={"settlement.general_tail_basis": "exact"}, beside=TAIL, conflict="C8"),
    Reading(change={"settlement.general_tail_basis": "token_tail_winner"}, beside=TAIL, conflict="C8"),
    # Nobody disputes these; they are here to measure the others by.
    Reading(change={"settlement.tail_of_sets": 0}),
    Reading(change={"settlement.paris_per_set": 0}),
    Reading(change=TAIL),
)

BARELY = 0.02
SOURCE = "none: the sources differ and do not say what it is worth"
JUDGED = (
    "Barely is taken as fewer than two matches of eight sets in a hundred. Confirmed if the whole interval "
    "lies below, refuted if it lies above, undecided otherwise."
)


def barely(detail: str, measure: str = "winner_changes", what: str = "another winner") -> Between:
    """The criterion of a reading that is said to change next to nothing."""
    return Between(
        measure=measure,
        detail=detail,
        sets=8,
        high=BARELY,
        says=f"of matches of 8 sets with {what} ({detail})",
        inside=f"{detail} barely matters",
        above=f"{detail} does matter",
    )


def _general_tail(name: str, rules: str, whose: str, other: str) -> Claim:
    """The claim on the general tail, against both bases that a rule set does not have itself."""
    return Claim(
        id=name,
        rules=(rules,),
        source=SOURCE,
        text=f"What decides the general tail (C8) barely changes who is paid{whose}.",
        criterion="A general tail of 20 on both sides, decided by the lead before the sets are paid, and by the "
        f"{other} result, instead of as these rules have it; both are asked, by the sign of what is paid. "
        f"{JUDGED}",
        test=Every(
            tests=tuple(
                barely(f"general_tail_basis={basis}", "payer_changes", "another payer or none")
                for basis in ("token_tail_winner", other)
            )
        ),
    )


CONVENTIONS = Experiment(
    name="conventions",
    title="What each convention of the written game does",
    question=(
        "The sources differ in many rules of the written game. If one of them is read otherwise and all others "
        "stay, on the same dice, how often does another player win the match, and how much does the result "
        "move?"
    ),
    rules=("ecrire_academie", "ecrire_guiton"),
    players=(("prudent", "prudent"), ("greedy", "greedy")),
    analysis=WrittenConventions(readings=READINGS, lengths=(8, 12), sets_of_rules=24),
    matches=20_000,
    seed=1818,
    rows_of="written_matches",
    criteria_set=(
        "before the run, after trials with other seeds; in that of C8 the second reading came in after the "
        "trials"
    ),
    claims=(
        Claim(
            id="B18 C2",
            source=SOURCE,
            text="Whether a run without pickup has a price of its own (C2) barely changes who wins.",
            criterion=f"Petite 3 and grande 5, against 2 and 4. {JUDGED}",
            test=barely("mult_petite_held=3, mult_grande_held=5"),
        ),
        Claim(
            id="B18 C3",
            source=SOURCE,
            text="How the consolation grows over do-overs (C3) barely changes who wins.",
            criterion=f"Doubled by each do-over instead of once more. {JUDGED}",
            test=barely("refait_growth=geometric"),
        ),
        Claim(
            id="B18 C4",
            source=SOURCE,
            text="Who throws first in a set (C4) barely changes who wins.",
            criterion="The two plays soon part, so that another winner on the same dice means little. Asked is "
            "whether he who threw first in the match wins more often or less: confirmed if by fewer than two "
            "matches of eight sets in a hundred, the whole interval lying within; refuted if it lies outside; "
            "undecided otherwise.",
            test=Between(
                measure="first_wins_change",
                detail="set_first_die=alternate",
                sets=8,
                low=-BARELY,
                high=BARELY,
                says="of matches of 8 sets more for the first thrower",
                inside="set_first_die=alternate barely matters",
                below="set_first_die=alternate harms the first thrower",
                above="set_first_die=alternate helps the first thrower",
            ),
        ),
        Claim(
            id="B18 C5",
            source=SOURCE,
            text="How many tokens the loser of a set lays out (C5) barely changes who wins.",
            criterion=f"One token and none, against two; both are asked. {JUDGED}",
            test=Every(tests=(barely("tokens_per_set=1"), barely("tokens_per_set=0"))),
        ),
        Claim(
            id="B18 C6",
            rules=("ecrire_academie",),
            source=SOURCE,
            text="Who is ahead for the tail of tokens (C6) barely changes who wins.",
            criterion=f"By jetons held instead of by set points. {JUDGED}",
            test=barely("token_tail_basis=holdings"),
        ),
        Claim(
            id="B18 C6 by Guiton",
            rules=("ecrire_guiton",),
            source=SOURCE,
            text="Who is ahead for the tail of tokens (C6) barely changes who wins by Guiton's rules.",
            criterion=f"By set points instead of by jetons held. {JUDGED}",
            test=barely("token_tail_basis=set_points"),
        ),
        Claim(
            id="B18 C7",
            source=SOURCE,
            text="Where a five goes (C7) barely changes who is paid.",
            criterion="By dice instead of up; asked is the sign of what is paid, for the exact result stays. "
            f"{JUDGED}",
            test=barely("round_five=die", "payer_changes", "another payer or none"),
        ),
        _general_tail("B18 C8", "ecrire_academie", "", "exact"),
        _general_tail("B18 C8 by Guiton", "ecrire_guiton", " by Guiton's rules", "rounded"),
    ),
)
