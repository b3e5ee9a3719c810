"""Rule sets of the pools, in which three players or more share a board."""

from simkit.rules import (
    DrainHoleValueBasis,
    DrainRotation,
    FillAnteTiming,
    FillSettlement,
    FillStreak,
    PoolDrain,
    PoolFill,
    RuleSet,
    Source,
    Trictrac,
    replace,
)

FALLAVEL = "Fallavel, dictionary of terms, 1776"
GUITON = "Guiton, Traité complet du jeu de trictrac, 2nd edition, 1822"
ENCYCLOPEDIA = "Trictrac, encyclopedia article (source 001)"
LEPEINTRE = "Lepeintre, Cours complet de trictrac, 1818"

POOL_FILL = RuleSet(
    name="pool_fill",
    title="The pool that fills (poule à engraisser)",
    sources=(
        Source(work=ENCYCLOPEDIA, where="Filling the pool"),
        Source(work=FALLAVEL),
        Source(work=GUITON, where="ch. VIII"),
        Source(work=LEPEINTRE),
    ),
    game=Trictrac(),
    match=PoolFill(),
    notes=(
        "The two examples of source 001 cannot both be played by one rule: the first needs match.fill_streak "
        "defences_only and settlement.fill_ante_timing on_defeat, the second the values taken here, which are "
        "those of the treatises."
    ),
)

POOL_FILL_DEFENCES = replace(
    POOL_FILL.with_match(
        fill_streak=FillStreak.DEFENCES_ONLY,
        settlement=FillSettlement(fill_ante_timing=FillAnteTiming.ON_DEFEAT),
    ),
    name="pool_fill_defences",
    title="The pool that fills, by the first example of source 001",
    sources=(Source(work=ENCYCLOPEDIA, where="Filling the pool, the first example"),),
    notes=(
        "The win by which a newcomer takes the place does not count, and every loser pays at once, the last one "
        "too: only so does the example come to its 2200 pounds."
    ),
)

POOL_DRAIN = RuleSet(
    name="pool_drain",
    title="The pool that is drained (poule à plumer)",
    sources=(
        Source(work=ENCYCLOPEDIA, where="Draining the pool"),
        Source(work=FALLAVEL),
    ),
    game=Trictrac(),
    match=PoolDrain(),
    notes=(
        "Source 001 takes five per cent of all stakes for a hole and lets the loser stay; Fallavel takes five per "
        "cent of one stake and lets everybody play two matches in a row."
    ),
)

POOL_DRAIN_FALLAVEL = replace(
    POOL_DRAIN.with_match(
        drain_hole_value_basis=DrainHoleValueBasis.INDIVIDUAL_STAKE, drain_rotation=DrainRotation.RING
    ),
    name="pool_drain_fallavel",
    title="The pool that is drained, by Fallavel",
    sources=(Source(work=FALLAVEL),),
    notes="A hole takes five per cent of one stake, and everybody plays two matches in a row.",
)
