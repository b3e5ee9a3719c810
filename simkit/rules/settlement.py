"""How finished sets and parties become money; no field here touches play."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, ClassVar

from pydantic import Field

from simkit.rules.base import OURS, Cited, Layer, NonNegative, config

Multiplier = Annotated[int, Field(ge=1, le=20)]


class PriceScheme(Enum):
    """What a partie is worth, in stakes."""

    PLAIN = "plain"
    """One stake, however it was won. S2."""
    DOUBLE = "double"
    """Two stakes when the winner's run of holes was never interrupted (*grande bredouille*), else one.
    LP; MA XX; AC; S1; CH, by agreement."""
    HONOURS = "honours"
    """Four stakes when the loser has no hole, three when the winner scored second and was never interrupted,
    two when the loser has few holes, else one. GU ch. VIII; MA XX; S1."""


class RefaitGrowth(Enum):
    """How the consolation grows when do-overs (*refaits*) went before; the sources differ."""

    LINEAR = "linear"
    """Once more for each do-over, as 2, 4, 6, 8. S0 section 4; GU ch. VIII; LP; JL."""
    GEOMETRIC = "geometric"
    """Doubled by each do-over, as 2, 4, 8, 16. MA."""


class Progression(Enum):
    """How the price of an unbroken run grows with its holes; the sources differ."""

    TWO_STEP = "two_step"
    """By `mult_petite` from six holes on and `mult_grande` from twelve, and no further. S0 section 4; S1; GU; LP;
    JL; MA."""
    DOUBLE_EVERY_6 = "double_every_6"
    """Doubled by every sixth hole: 2 at six, 4 at twelve, 8 at eighteen, 16 at twenty-four, whatever the pickups.
    LP, in some houses; GU, once in use and given up."""


class LateRunPrice(Enum):
    """Whose pickups price a lurch when the loser had himself reached six; the sources differ."""

    OWN = "own"
    """The winner's, who holds if he has not picked up since his first hole. S0 section 4; GU; LP; JL; MA."""
    MISSED_RUN_OF_OPPONENT = "missed_run_of_opponent"
    """The loser's, whose missed run fixes the price. S1, Petty lurch; VT 25, 26 and 37 to 39."""


class TokenTailBasis(Enum):
    """Who is ahead when the tail of tokens is paid; the sources differ."""

    SET_POINTS = "set_points"
    """The player with more points from the sets. S0 section 8; MA; S1 on paper."""
    HOLDINGS = "holdings"
    """The player who holds more jetons, having put out those of sets he lost. GU ch. VIII; S1 in jetons."""


class TokenTailTie(Enum):
    """What becomes of the tail of tokens when nobody is ahead."""

    SHARE = "share"
    """Each takes half of what was laid out, a gain for the winner of more sets. S0 section 8; S1; GU."""
    NONE = "none"
    """Nobody gains anything. Our alternative, to measure what sharing does."""


class RoundFive(Enum):
    """Where a final difference half-way between two rounded amounts goes."""

    UP = "up"
    """To the higher amount, 55 being paid as 60. S0 section 7; GU; LP; JL."""
    DIE = "die"
    """Each player throws a die, equal dice again, and the higher has it: up if he is the one who is paid, down if
    he pays. S1; VT."""
    DOWN = "down"
    """To the lower amount, 55 being paid as 50. Our alternative, to measure what rounding up does."""
    HALF_EVEN = "half_even"
    """To the even multiple, 45 being paid as 40 and 55 as 60. Our alternative; no historical source."""


class GeneralTailBasis(Enum):
    """What decides who wins the general tail (*queue définitive*); the sources differ."""

    ROUNDED = "rounded"
    """The rounded result, so that nobody wins when it comes to nothing. S0 sections 7 and 9."""
    EXACT = "exact"
    """The final difference before rounding. GU ch. VIII; JL."""
    TOKEN_TAIL_WINNER = "token_tail_winner"
    """The lead that decides the tail of tokens, before the sets are paid. FA."""


class TournerParisRule(Enum):
    """Who pays for lost sets à tourner, where each should lose a third of them; the sources differ."""

    PAIRWISE_FULL_TAIL = "pairwise_full_tail"
    """Whoever lost more pays the whole tail of sets to each who lost fewer. GU ch. VIII; JL 246; MA."""
    SPLIT_TAIL = "split_tail"
    """One tail of sets in all, shared by the two who pay it or who are paid. VT 65."""
    NONE = "none"
    """Lost sets are not paid for. FA."""


@config
class PartieSettlement:
    """What a partie in twelve holes is worth."""

    PLACE: ClassVar[str] = "settlement"
    LAYER: ClassVar[Layer] = "settlement"

    price_scheme: Annotated[PriceScheme, Cited("S2", "LP", "MA XX", unit="stakes")] = PriceScheme.PLAIN
    """What the partie is worth to its winner."""
    honours_double_max_loser_holes: Annotated[
        int,
        Field(ge=0, le=60),
        Cited("S1, which says 6", "VT", "GU ch. VIII, which says 5", "MA XX, 5", unit="holes"),
    ] = 6
    """Holes of the loser up to which honours pay two stakes; other prices do not ask."""


@config
class Settlement:
    """How the sets of a written match become money.

    A set is worth m (W + c) - L points to its winner: his holes W and the consolation c, times the multiplier m
    of his run (1 for a simple set), less the loser's holes L, counted once. When all sets are played there come,
    in this order, the tail of tokens, the payment of the sets, the tail of sets, the rounding of the difference,
    and the general tail. S0 sections 4 to 9; GU ch. VIII.
    """

    PLACE: ClassVar[str] = "settlement"
    LAYER: ClassVar[Layer] = "settlement"

    consolation: Annotated[
        int, Field(ge=0, le=100), Cited("S0 section 4", "GU ch. VIII", unit="points per set")
    ] = 2
    """Added to the holes of a set's winner (*consolation*), and multiplied with them."""
    refait_growth: Annotated[RefaitGrowth, Cited("S0 section 4", "MA")] = RefaitGrowth.LINEAR
    """How the consolation grows when do-overs went before the set."""
    mult_petite: Annotated[Multiplier, Cited("S0 section 4", "S1, Petty lurch", unit="times")] = 2
    """Multiplies holes and consolation of a petite bredouille, 6 to 11 unbroken holes, after a pickup."""
    mult_petite_held: Annotated[Multiplier, Cited("S0 section 4", "S1, Petty lurch", unit="times")] = 2
    """The same for a bredouille held, without a pickup since the first hole."""
    mult_grande: Annotated[Multiplier, Cited("S0 section 4", "S1, Grand lurch", unit="times")] = 4
    """Multiplies holes and consolation of a grande bredouille, 12 unbroken holes or more, after a pickup."""
    mult_grande_held: Annotated[Multiplier, Cited("S0 section 4", "S1, Grand lurch", unit="times")] = 4
    """The same for a bredouille held, without a pickup since the first hole."""
    progression: Annotated[Progression, Cited("S0 section 4", "GU ch. VIII", "LP")] = Progression.TWO_STEP
    """How the price of an unbroken run grows with its holes."""
    late_run_price: Annotated[LateRunPrice, Cited("S0 section 4", "VT 25")] = LateRunPrice.OWN
    """Whose pickups price a lurch won after the loser had reached six."""
    paris_per_set: Annotated[NonNegative, Cited("S0 section 6", "GU ch. VIII", unit="points per set")] = 4
    """Paid for each set won, at the end of the match (*paris*)."""
    tail_of_sets: Annotated[NonNegative, Cited("S0 section 6", "GU ch. VIII", unit="points")] = 20
    """To the player who won more sets (*queue des paris*), nobody at equal sets; 0 leaves it out."""
    tokens_per_set: Annotated[
        int, Field(ge=0, le=2), Cited("S0 section 8", "S1", "JL", unit="jetons per set")
    ] = 2
    """Jetons the loser of each set lays out, the tail of tokens (*queue des jetons*): whoever is ahead takes them
    all, gaining this for each set he has won himself; 0 leaves it out."""
    token_tail_basis: Annotated[TokenTailBasis, Cited("S0 section 8", "GU ch. VIII")] = (
        TokenTailBasis.SET_POINTS
    )
    """Who is ahead when the tail of tokens is paid, before the sets are."""
    token_tail_tie: Annotated[TokenTailTie, Cited("S0 section 8", "GU ch. VIII")] = TokenTailTie.SHARE
    """What becomes of the tail of tokens when nobody is ahead."""
    round_unit: Annotated[
        Annotated[int, Field(ge=1, le=1_000)] | None, Cited("S0 section 7", "GU ch. VIII", unit="points")
    ] = 10
    """The final difference is rounded to a multiple of this (a *fiche* of ten); none leaves it exact."""
    round_five: Annotated[RoundFive, Cited("S0 section 7", "GU ch. VIII")] = RoundFive.UP
    """Where a difference half-way between two multiples goes."""
    fish_unit: Annotated[
        int, Field(ge=1, le=1_000), Cited("S1", "GU ch. VIII", "MA", unit="jetons per fish")
    ] = 10
    """Jetons that a fish (*fiche*) is worth, when a match is played in jetons and fish."""
    stake: Annotated[NonNegative, Cited("S1", "GU ch. VIII", unit="jetons")] = 20
    """Jetons each player starts with (*prise*); what he owes beyond them he draws in fish."""
    general_tail: Annotated[NonNegative, Cited("S0 section 9", "GU ch. VIII", unit="points")] = 0
    """A sum agreed beforehand, to the winner of the whole match (*queue définitive*); 0 leaves it out."""
    general_tail_basis: Annotated[GeneralTailBasis, Cited("S0 sections 7 and 9", "GU ch. VIII", "FA")] = (
        GeneralTailBasis.ROUNDED
    )
    """What decides who wins the general tail."""
    tourner_paris_rule: Annotated[TournerParisRule, Cited("GU ch. VIII", "JL 246", "VT 65")] = (
        TournerParisRule.PAIRWISE_FULL_TAIL
    )
    """Who pays for lost sets à tourner."""
    tourner_idle_consolation: Annotated[bool, Cited("GU ch. VIII", "JL 245", other=OURS)] = True
    """À tourner the loser of a set pays its consolation, multiplied as it was, to the one who sat out as well."""
