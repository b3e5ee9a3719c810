"""Players as values: weights are integers, so that every machine chooses the same play."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import Field

from simkit.rules import canonical, config, cross_check, digest_of, field_info, replace

Weight = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]


@config
class RandomPlay:
    """Takes any of the distinct positions a roll can lead to, each as likely as the others."""

    PLACE: ClassVar[str] = "choice"


class LookAhead(Enum):
    """How far an evaluation looks."""

    NONE = "none"
    """At the position itself."""
    HITS = "hits"
    """At the hits of the next roll as well, over all 36 throws."""


@config
class Evaluation:
    """Takes the play whose position is worth most: a sum of plain features, each with a whole weight."""

    PLACE: ClassVar[str] = "choice"

    look_ahead: LookAhead = LookAhead.NONE
    """How far it looks."""
    hits: Weight = 0
    """For each 36th of a point of the next roll's hits, those he threatens less those he concedes."""
    exposed_near: Weight = 0
    """Taken off for a lone man on arrows 1-6 or 19-24 with an adverse man up to twelve arrows before him."""
    exposed_far: Weight = 0
    """Taken off for such a man on arrows 7-18."""
    petit: Weight = 0
    """For each man in place in the petit jan, two an arrow at most."""
    grand: Weight = 0
    """The same in the grand jan."""
    retour: Weight = 0
    """The same in the jan de retour."""
    made_grand: Weight = 0
    """For each arrow of the grand jan held by two men or more."""
    full: Weight = 0
    """For a full quarter."""
    nearly: Weight = 0
    """For a quarter that lacks one man or two."""
    spare: Weight = 0
    """For each arrow, other than the talon, with more than two men."""
    coin: Weight = 0
    """For holding the coin de repos."""
    talon: Weight = 0
    """For each man still on the talon, who has the whole distance to go."""


@config
class TablesEvaluation:
    """Takes the play whose position is worth most in toutes tables: his side's features less the other's.

    The features of a side count from its owner's view; his quarters are arrows 1-6 (back), 7-12 (low), 13-18
    (high) and 19-24 (home). What lone men risk counts on his own side only. It serves every start.
    """

    PLACE: ClassVar[str] = "choice"

    candidates: Annotated[int, Field(ge=0, le=50)] = 0
    """How many of the plays worth most are compared again after the other's best reply to each of the 21 rolls."""
    pip: Weight = 0
    """Taken off for each point still to go: 25 from the bar, one from the last arrow."""
    off: Weight = 0
    """For each man borne off."""
    bar: Weight = 0
    """Taken off for each man on the bar."""
    back: Weight = 0
    """Taken off for each man still in the back quarter."""
    made_back: Weight = 0
    """For each arrow held by two men or more in the back quarter."""
    made_low: Weight = 0
    """The same in the low quarter."""
    made_high: Weight = 0
    """The same in the high quarter."""
    made_home: Weight = 0
    """The same in the return jan."""
    two_together: Weight = 0
    """For each two adjoining arrows so held."""
    three_together: Weight = 0
    """For each three in a row."""
    exposed_back: Weight = 0
    """Taken off for a lone man of the back quarter with an adverse man up to six arrows before him."""
    exposed_low: Weight = 0
    """The same in the low quarter."""
    exposed_high: Weight = 0
    """The same in the high quarter."""
    exposed_home: Weight = 0
    """The same in the return jan, men on the bar standing one arrow behind it."""
    shot: Weight = 0
    """Taken off for each single die that hits a lone man."""
    shut_out: Weight = 0
    """For each man of the other's on the bar times each arrow of the return jan held."""


@config
class Opening:
    """How the opening play of a game of toutes tables or backgammon is taken, by whoever has the first roll."""

    PLACE: ClassVar[str] = "opening"

    choice: RandomPlay | TablesEvaluation
    """How it is chosen."""
    rank: Annotated[int, Field(ge=0, le=50)] = 0
    """How many plays worth more are passed over; where there are not so many, the play worth least is taken."""

    @cross_check
    def _only_values_on_the_spot_are_ranked(self) -> str | None:
        if not self.rank or (isinstance(self.choice, TablesEvaluation) and not self.choice.candidates):
            return None
        return f"opening.rank: {self.rank} is not allowed with a choice that does not value plays on the spot"


@config
class OwnPlay:
    """Chooses by a function of his author's, outside simkit, which sees many rolls at once."""

    PLACE: ClassVar[str] = "choice"

    function: Callable[[Any], Any] | None = None
    """Called with `simkit.lockstep.OpenRolls`; docs/lockstep.md says what it returns. None: a loop chooses."""
    version: Annotated[str, Field(pattern=r"^[ -~]{1,100}$")] = "1"
    """Told apart by name and version: to be changed whenever he plays otherwise."""

    def words(self) -> tuple[str, ...]:
        """Return in words all that simkit knows of it."""
        return (
            "Chooses a play: by a function of his author's, of which simkit knows the version only",
            f"  version = {self.version}",
        )


@config
class CoinToss:
    """Tosses a coin at every hole on his own die; concedes a set only rarely."""

    PLACE: ClassVar[str] = "decision"

    go_1024: Annotated[int, Field(ge=0, le=1024)] = 512
    """Chances in 1024 of going when that does not concede the set."""
    concede_1024: Annotated[int, Field(ge=0, le=1024)] = 16
    """Chances in 1024 of going when that concedes it."""


class AlwaysWhat(Enum):
    """What a player without judgement does at every hole on his own die."""

    HOLD = "hold"
    """He never goes; refused where only going ends a set."""
    GO = "go"
    """He goes, unless that concedes the set."""


@config
class Always:
    """Does the same at every hole on his own die."""

    PLACE: ClassVar[str] = "decision"

    what: AlwaysWhat
    """Hold or go."""


@config
class Judgement:
    """Weighs, at every hole on his own die, what holding promises against what it threatens.

    Both in 36ths of a point, on the position after the play he would choose. Promise: the points kept over the
    hole, the hits he threatens (true less false), a quarter full or nearly so. Threat: what this very roll gives
    the other, the hits the other threatens, his quarters. The balance is promise less threat; after bearing off,
    when both start again, only points count. A set conceded is always simple: the hole that lets him go has
    broken the other's run.
    """

    PLACE: ClassVar[str] = "decision"

    full_worth: Weight = 144
    """What a full quarter promises; half, if the men beyond it have fewer than eight arrows to go."""
    nearly_worth: Weight = 60
    """What a quarter promises that lacks one man or two."""
    remainder: Weight = 12
    """What a point kept over the hole promises."""
    hold_margin: Weight = 0
    """Before anybody has six holes, and in a partie, he holds from this balance on, otherwise he goes."""
    grande_holes: Annotated[int, Field(ge=0, le=11)] = 3
    """Ahead with six or more he goes and takes the set, unless his run is unbroken and this near to twelve."""
    grande_margin: Weight = 0
    """So near the grande bredouille he holds from this balance on."""
    level_margin: Weight = 144
    """At equal holes he holds from this balance on, otherwise he goes and the set is done over."""
    concede_margin: Weight = 200
    """Behind he holds, unless the balance is worse than minus this: then he goes and concedes the set."""


Thousandth = Annotated[int, Field(ge=0, le=1000)]


@config
class Doubling:
    """Doubles, and takes or drops, by a chance of winning reckoned from the position before the roll.

    The logarithm of the odds is a sum of whole weights, in ten-thousandths; that of a chance of three in four is
    10,986. The lead is counted in hundredths of the square root of all points still to go. In a race men have
    passed each other; else each weight counts for his side less the other's, quarters and lone men being those of
    `TablesEvaluation`. He never doubles a game that wins him the match as it stands, and always one whose loss
    loses it. The score counts for nothing else, nor does what a double or triple game would bring.
    """

    PLACE: ClassVar[str] = "decision"

    offer_from: Thousandth = 700
    """Chances in 1000 from which he gives the first double."""
    redouble_from: Thousandth = 700
    """The same of a double after the first, with which he gives the cube away."""
    play_on_from: Thousandth = 1000
    """Chances in 1000 from which he plays on without doubling, so that the other may not drop; 1000: never."""
    take_from: Thousandth = 250
    """Chances in 1000 from which he takes a double."""
    race_roll: Weight = 0
    """For being on roll, in a race."""
    race_lead: Weight = 0
    """For the lead, in a race."""
    contact_roll: Weight = 0
    """For being on roll."""
    contact_lead: Weight = 0
    """For the lead."""
    contact_off: Weight = 0
    """For each man borne off."""
    contact_bar: Weight = 0
    """Taken off for each man on the bar."""
    contact_back: Weight = 0
    """Taken off for each man in the back quarter."""
    contact_anchor: Weight = 0
    """For each arrow held by two men or more in the back quarter."""
    contact_home: Weight = 0
    """The same in the return jan."""
    contact_prime: Weight = 0
    """For each arrow of the longest row of adjoining arrows so held."""
    contact_lone: Weight = 0
    """Taken off for each of his lone men, he being on roll, with an adverse man up to six arrows before it."""
    contact_lone_other: Weight = 0
    """For each such man of the other's, he being on roll."""
    contact_shut: Weight = 0
    """For each man of the other's on the bar times each arrow of the return jan held."""


@config
class PotJudgement:
    """Weighs as a `Judgement` does, with the pot of a draining pool in view (decision D6).

    Ahead with six holes or more he goes when that empties the pot, since nobody would pay further holes; with more
    left he holds as long as the balance is good. Behind he never concedes what would empty the pot.
    """

    PLACE: ClassVar[str] = "decision"

    full_worth: Weight = 144
    """What a full quarter promises; half, if the men beyond it have fewer than eight arrows to go."""
    nearly_worth: Weight = 60
    """What a quarter promises that lacks one man or two."""
    remainder: Weight = 12
    """What a point kept over the hole promises."""
    hold_margin: Weight = 0
    """Before anybody has six holes he holds from this balance on, otherwise he goes."""
    win_margin: Weight = -300
    """Ahead with six or more, and more in the pot than he would take, he holds from this balance on."""
    level_margin: Weight = 144
    """At equal holes he holds from this balance on, otherwise he goes and the match is played again."""
    concede_margin: Weight = 200
    """Behind he holds, unless the balance is worse than minus this: then he goes and concedes the match."""


@config
class LeavesGame:
    """Asks of either game alone whether he would go in it; if only of one, he suspends that one."""

    PLACE: ClassVar[str] = "combined"


@config
class NeverSuspends:
    """Suspends nothing: where the two games differ the written one decides whether he goes."""

    PLACE: ClassVar[str] = "combined"


@config
class ByStakes:
    """Suspends the game he would leave only if the honours are worth it, and else lets the written game decide.

    They are worth it where he leads the game of honours, or his run in it is unbroken, so that treble or quadruple
    is at stake.
    """

    PLACE: ClassVar[str] = "combined"

    lead: Annotated[int, Field(ge=1, le=12)] = 3
    """Holes ahead in the game of honours from which it is worth it."""


@config
class Player:
    """Someone to play: a name, how he chooses a play, when he goes or doubles.

    Who takes any play and decides when to go may play all games; an `Evaluation` is for trictrac, a
    `TablesEvaluation` for toutes tables and backgammon, where nobody goes and no decision is needed. With the
    cube, who has no `Doubling` never doubles and drops nothing. Who has an `OwnPlay` and no decision also decides
    by his function when to go.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    """Name in the catalogue."""
    title: str
    """One line on how he plays."""
    choice: RandomPlay | Evaluation | TablesEvaluation | OwnPlay
    """How he chooses a play."""
    decision: CoinToss | Always | Judgement | PotJudgement | Doubling | None = None
    """When he goes; or, in toutes tables and backgammon, when he doubles, takes and drops."""
    opening: Opening | None = None
    """How he takes the opening play of a game, if otherwise than the rest; toutes tables and backgammon only."""
    combined: LeavesGame | NeverSuspends | ByStakes = LeavesGame()
    """When he suspends a game in trictrac combiné."""
    cost_ns_per_roll: Annotated[int, Field(ge=1, le=10**9)] = 1000
    """Rough cost of one of his rolls; only sizes the chunks of a run."""

    @property
    def compiled(self) -> bool:
        """Whether the kernel chooses for him; else his function does, between its steps."""
        return not isinstance(self.choice, OwnPlay)

    @property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of what decides his play: name, title and cost are left out."""
        told = f"{self._chooses()}|{canonical(self.decision)}"
        if self.opening:
            told += f"|{canonical(self.opening)}"
        return digest_of(told if self.combined == LeavesGame() else f"{told}|{canonical(self.combined)}")

    def words(self) -> tuple[str, ...]:
        """Return the player in words, a line each."""
        return (
            self.title,
            *(
                self.choice.words()
                if isinstance(self.choice, OwnPlay)
                else _describe("Chooses a play", self.choice)
            ),
            *(_describe(self._decides(), self.decision) if self.decision is not None else ()),
            *(_describe_opening(self.opening) if self.opening is not None else ()),
            *(_describe("Of two games", self.combined) if self.combined != LeavesGame() else ()),
        )

    def _chooses(self) -> str:
        if isinstance(self.choice, OwnPlay):
            return f"own {self.name} {self.choice.version}"
        return canonical(self.choice)

    def _decides(self) -> str:
        return "Doubles, takes or drops" if isinstance(self.decision, Doubling) else "Holds or goes"


Players: TypeAlias = tuple[Player, ...]
"""All players at the table, in the order of their numbers."""


def without_going(player: Player) -> Player:
    """The player as toutes tables and backgammon know him: nobody goes there, and only a `Doubling` decides."""
    return player if isinstance(player.decision, Doubling) else replace(player, decision=None)


def _describe_opening(opening: Opening) -> tuple[str, ...]:
    """Describe how the opening play is taken."""
    lines = _describe("Takes the opening play of a game", opening.choice)
    return (*lines, f"  plays worth more that are passed over: {opening.rank}") if opening.rank else lines


def _describe(heading: str, part: object) -> tuple[str, ...]:
    """Describe a part of a player: what it does, then the weights that are not nothing."""
    first = (type(part).__doc__ or "").strip()
    lines = [f"{heading}: {' '.join(first.split())}"]
    for info in field_info(type(part)):
        value = getattr(part, info.name)
        if isinstance(value, LookAhead):
            lines.append(
                f"  looks {'no further' if value is LookAhead.NONE else 'one roll ahead, at hits only'}"
            )
        elif value or not isinstance(
            part, Evaluation | TablesEvaluation | Doubling
        ):  # a feature without weight is not looked at
            shown = value.value if isinstance(value, Enum) else value
            lines.append(f"  {info.name} = {shown}: {info.doc}")
    return tuple(lines)
