"""Claims of a source, and the criteria that confirm or refute them: set before a run, decided by estimates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias

from simkit.analysis import words
from simkit.analysis.estimates import Estimate

Outcome: TypeAlias = Literal["confirmed", "refuted", "undecided"]

CHANCE = "no difference can be told from chance"
TOO_NEAR = "too near a bound to tell"


class Behind(NamedTuple):
    """How many independent units an estimate rests on, and what they are; matches if nothing is said."""

    n: int
    units: str = ""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """An outcome with what it means and what it rests on, in words."""

    outcome: Outcome
    meaning: str
    numbers: str
    elsewhere: str = ""
    behind: tuple[Behind, ...] = ()
    """What the estimates judged rest on, each once; empty where nothing was estimated."""
    asked: str = ""
    """What an undecided number was to show, to be read after `whether`."""
    part: str = ""
    """As part of a criterion of several, what tells it from those that mean the same."""

    @property
    def matches(self) -> tuple[int, ...]:
        """The numbers of it."""
        return _numbers(self.behind)


class Criterion(Protocol):
    """What decides a claim: thresholds on estimates, with words for each side of them."""

    def decide(self, found: Sequence[Estimate]) -> Decision:
        """The verdict by the estimates of one rule set and pair of players."""


@dataclass(frozen=True, kw_only=True)
class AtLeast:
    """A criterion: a number lies above a threshold at every length named.

    Confirmed when the whole interval lies above the threshold at every length; refuted when it lies below at
    any of them; undecided otherwise. The other fields only give words to the outcome.
    """

    measure: str
    threshold: float
    sets: tuple[int, ...]
    detail: str = ""
    tail_of_sets: int = 20
    tokens_per_set: int = 2
    says: str = ""
    """What the number counts, to be read after it: `of matches`."""
    says_below: str = ""
    """The same for a difference below nought, which is then printed without its sign."""
    subject: str = ""
    """What the number says something about, to be read before its meaning: `the tail changes the winner`."""
    null: float | None = None
    """The value that means no effect, where there is one: 1 for a ratio, 0 for a difference."""
    higher: str = "more"
    """What a number above `null` means."""
    lower: str = "less"
    """What a number below `null` means."""
    than: str = ""
    """With what `higher` and `lower` compare: `than at 8 sets`."""

    def decide(self, found: Sequence[Estimate]) -> Decision:
        """The verdict by the estimates of one pair of players."""
        known = {
            one.sets: one
            for one in found
            if (one.measure, one.detail) == (self.measure, self.detail)
            and one.sets is not None
            and (one.tail_of_sets, one.tokens_per_set) == (self.tail_of_sets, self.tokens_per_set)
        }
        missing = [length for length in self.sets if length not in known]
        if missing:
            said = f"{self.measure} was not estimated at {words.in_words(missing)} sets."
            return Decision(outcome="undecided", meaning="not estimated", numbers=said)
        chosen = [known[length] for length in self.sets]
        every = list(known.values())
        numbers = self._numbers(chosen)
        if self.null != self.threshold:
            numbers += f"; threshold {self._threshold(chosen[0])}"
        return Decision(
            outcome=self._outcome(chosen),
            meaning=self._meaning(chosen),
            elsewhere=self._elsewhere(chosen, every),
            numbers=f"{numbers}. {self._all_lengths(every)}",
            behind=_once(Behind(one.interval.n) for one in chosen),
        )

    def _outcome(self, chosen: Sequence[Estimate]) -> Outcome:
        if any(one.interval.high < self.threshold for one in chosen):
            return "refuted"
        if all(one.interval.low > self.threshold for one in chosen):
            return "confirmed"
        return "undecided"

    def _numbers(self, chosen: Sequence[Estimate]) -> str:
        """`At 6 sets 3.10 % of matches (2.43 to 3.95 %), at 8 sets 4.20 % (3.41 to 5.17 %)`."""
        parts, before = [], ""
        for one in chosen:
            mean, low, high, says = one.interval.mean, one.interval.low, one.interval.high, self.says
            bounds = [bound for bound in (self.threshold, self.null) if bound is not None]
            if self.says_below and mean < 0:
                mean, low, high, says = -mean, -high, -low, self.says_below
                bounds = [-bound for bound in bounds]
            if math.isnan(mean):
                parts.append(f"at {one.sets} sets nothing to tell it by")
                continue
            unit = "" if says == before else says
            parts.append(
                f"at {one.sets} sets {words.with_span(mean, low, high, one.unit, unit, bounds=bounds)}"
            )
            before = says
        return _capital(", ".join(parts))

    def _meaning(self, chosen: Sequence[Estimate]) -> str:
        """In words, on which side of no effect and of the threshold each number lies; what decides comes first."""
        by_words: dict[str, list[int]] = {}
        for one in sorted(chosen, key=lambda one: _side(one, self.threshold)):
            by_words.setdefault(self._place(one), []).append(_length(one))
        return "; ".join(f"at {words.in_words(sets)} sets {place}" for place, sets in by_words.items())

    def _elsewhere(self, chosen: Sequence[Estimate], known: Sequence[Estimate]) -> str:
        """Where, of all lengths, the effect has the other sign than at those of the criterion."""
        if self.null is None:
            return ""
        signs = {_side(one, self.null) for one in chosen} - {0}
        others = [_length(one) for one in known if signs == {-_side(one, self.null)}]
        if not others:
            return ""
        where = words.lengths_in_words(others, [_length(one) for one in known])
        return f"but at {where} sets {self.lower if signs == {1} else self.higher}"

    def _place(self, one: Estimate) -> str:
        side = _side(one, self.threshold)
        ours = f"the threshold of {self._threshold(one)}, which is ours"
        if self.null is None:
            place = {1: f"above {ours}", -1: f"below {ours}", 0: f"too near {ours}, to tell"}[side]
            return self._said(place)
        effect = _side(one, self.null)
        if effect < 0 or self.null == self.threshold:
            return {1: self._said(self.higher), -1: self._said(self.lower), 0: CHANCE}[effect]
        if effect == 0:
            return f"{CHANCE}, {'and it lies below' if side < 0 else 'and it may lie above'} {ours}"
        beyond = {1: "and above", -1: "but below", 0: "but perhaps not above"}[side]
        return f"{self._said(self.higher)}, {beyond} {ours}"

    def _said(self, place: str) -> str:
        """A place with what it is said of, and with what it compares."""
        compared = self.than if self.null is not None else ""
        return " ".join(filter(None, (self.subject, place, compared)))

    def _all_lengths(self, known: Sequence[Estimate]) -> str:
        """At which of all lengths the number lies above, and at which below, no effect or the threshold."""
        if self.null is None:
            centre, names = self.threshold, ("above the threshold", "below it", "too near it to tell")
        else:
            centre, names = self.null, (self.higher, self.lower, CHANCE)
        every = [_length(one) for one in known]
        parts = []
        for side, name in zip((1, -1, 0), names, strict=True):
            some = [_length(one) for one in known if _side(one, centre) == side]
            if some:
                parts.append(f"at {words.lengths_in_words(some, every)} {name}")
        return f"By number of sets: {'; '.join(parts)}."

    def _threshold(self, one: Estimate) -> str:
        return words.threshold(self.threshold, one.unit)


@dataclass(frozen=True, kw_only=True)
class Between:
    """A criterion: one number lies between two bounds, of which either may be missing.

    Confirmed when the whole interval lies inside, refuted when it lies outside, undecided otherwise.
    """

    measure: str
    low: float | None = None
    high: float | None = None
    detail: str = ""
    sets: int | None = None
    says: str = ""
    """What the number counts, to be read after it: `of settings end by going`."""
    inside: str
    """What a number inside means, in words."""
    below: str = ""
    """What a number below `low` means."""
    above: str = ""
    """What a number above `high` means."""
    confirms: bool = True
    """Whether a number inside confirms; one that is a bound itself, and not the thing asked, can only refute."""
    undecided: str = TOO_NEAR
    """What an interval means that holds a bound."""
    ends: str = ""
    """What the ends of the interval are, where it is told in words: `{low} of them beyond doubt`."""
    counts: str = ""
    """Of what the number is made, if not of matches: `rolls in games of prudent`."""
    part: str = ""
    """What tells it from other parts of an `Every` that mean the same: `at 3 players`."""

    def decide(self, found: Sequence[Estimate]) -> Decision:
        """The verdict by the estimates of one pair of players."""
        wanted = (self.measure, self.detail, self.sets)
        chosen = [one for one in found if (one.measure, one.detail, one.sets) == wanted and not one.contrast]
        if not chosen or math.isnan(chosen[0].interval.low):
            name = f"{self.measure} {self.detail}".strip()
            return Decision(
                outcome="undecided", meaning="not estimated", numbers=f"The estimate {name} has no interval."
            )
        one = chosen[0]
        mean, low, high = one.interval.mean, one.interval.low, one.interval.high
        bounds = [bound for bound in (self.low, self.high) if bound is not None]
        if self.ends:
            ends = self.ends.format(low=words.number(low, one.unit), high=words.number(high, one.unit))
            number = f"{words.number(mean, one.unit)} {self.says} ({ends})"
        else:
            number = words.with_span(mean, low, high, one.unit, self.says, bounds=bounds)
        numbers = f"{number}; {self._bounds(one.unit)}."
        outcome, meaning = self._outcome(low, high)
        behind = (Behind(one.interval.n, self.counts),)
        asked = self.inside if meaning == TOO_NEAR else ""
        return Decision(
            outcome=outcome, meaning=meaning, numbers=numbers, behind=behind, asked=asked, part=self.part
        )

    def _outcome(self, low: float, high: float) -> tuple[Outcome, str]:
        """The verdict by the ends of an interval, and what it means."""
        if self.low is not None and high < self.low:
            return "refuted", self.below
        if self.high is not None and low > self.high:
            return "refuted", self.above
        if (self.low is None or low > self.low) and (self.high is None or high < self.high):
            return ("confirmed" if self.confirms else "undecided"), self.inside
        return "undecided", self.undecided

    def _bounds(self, unit: str) -> str:
        low, high = (None if x is None else words.threshold(x, unit) for x in (self.low, self.high))
        if self.low is not None and high is not None:
            first = low if words.percentage(unit) else words.chosen(self.low)
            return f"bounds {first} and {high}"
        return f"threshold {high if low is None else low}"


@dataclass(frozen=True, kw_only=True)
class Every:
    """A criterion of several: confirmed when all are, refuted when one is, undecided otherwise.

    Its meaning is that of the parts that decide; the others are named with what became of them. Where parts differ
    each says its own outcome before its numbers.
    """

    tests: tuple[Criterion, ...]

    def decide(self, found: Sequence[Estimate]) -> Decision:
        """The verdict by the estimates of one pair of players."""
        decisions = [test.decide(found) for test in self.tests]
        outcomes = {decision.outcome for decision in decisions}
        differ = len(outcomes) > 1
        outcome: Outcome = "undecided"
        if "refuted" in outcomes:
            outcome = "refuted"
        elif outcomes == {"confirmed"}:
            outcome = "confirmed"
        return Decision(
            outcome=outcome,
            meaning=_of_parts(decisions, outcome),
            numbers=" ".join(
                f"{_capital(one.outcome)}: {one.numbers}" if differ else one.numbers for one in decisions
            ),
            elsewhere="; ".join(decision.elsewhere for decision in decisions if decision.elsewhere),
            behind=_once(one for decision in decisions for one in decision.behind),
        )


@dataclass(frozen=True, kw_only=True)
class Enclosed:
    """A criterion on what is known from both sides: confirmed by the number on one, refuted by that on the other.

    Of a number that has to be small, `confirms` is told by an estimate that is too large, `refutes` by one that
    is too small. Undecided otherwise.
    """

    confirms: Between
    refutes: Between

    @property
    def tests(self) -> tuple[Between, ...]:
        """Both, the one that refutes first."""
        return self.refutes, self.confirms

    def decide(self, found: Sequence[Estimate]) -> Decision:
        """The verdict by the estimates of one pair of players."""
        one, two = self.confirms.decide(found), self.refutes.decide(found)
        decided = two if two.outcome == "refuted" else one if one.outcome == "confirmed" else None
        return Decision(
            outcome=decided.outcome if decided else "undecided",
            meaning=decided.meaning if decided else "the two sides do not tell",
            numbers=f"{two.numbers} {one.numbers}",
            behind=_once((*one.behind, *two.behind)),
        )


@dataclass(frozen=True, kw_only=True)
class NotTested:
    """A criterion of a claim that the play here cannot test, or that arithmetic decides: always undecided."""

    why: str
    """In a word or two: `not judged here`."""
    reason: str
    """A sentence."""
    measure: str = ""
    """A number told beside it; none if empty."""
    says: str = ""
    """What the number counts, to be read after it."""

    def decide(self, found: Sequence[Estimate]) -> Decision:
        """Undecided, with the reason and the number."""
        told = [one for one in found if one.measure == self.measure and not (one.detail or one.contrast)]
        numbers = [
            f"{words.with_span(one.interval.mean, one.interval.low, one.interval.high, one.unit, self.says)}."
            for one in told
        ]
        return Decision(
            outcome="undecided",
            meaning=self.why,
            numbers=" ".join([self.reason, *numbers]),
            behind=_once(Behind(one.interval.n) for one in told),
        )


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a source says, and what would confirm or refute it."""

    id: str
    """A short key, such as `B1`."""
    source: str
    text: str
    """What it says, in our words."""
    criterion: str
    """In words, what confirms it and what refutes it; `test` says the same in numbers."""
    test: Criterion
    rules: tuple[str, ...] = ()
    """Rule sets it is judged on; all of the experiment if none is named."""
    players: tuple[tuple[str, str], ...] = ()
    """Pairs of players it is judged by; all of the experiment if none is named."""
    skill_note: str = ""
    """What the weights of the players do to it, where skill decides; stands beside the verdicts."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What one pair of players says about a claim."""

    claim: str
    rules: str
    player_1: str
    player_2: str
    statement: str
    source: str
    criterion: str
    skill_note: str
    verdict: Outcome
    meaning: str
    """On which side of no effect and of the threshold the numbers lie, in words."""
    elsewhere: str
    """At which other numbers of sets the effect has the other sign; empty where at none."""
    numbers: str
    """The estimates it rests on, and the sign of the effect at every number of sets."""
    behind: tuple[Behind, ...]
    """What the estimates judged rest on, each once; empty where nothing was estimated."""

    @property
    def matches(self) -> tuple[int, ...]:
        """The numbers of it."""
        return _numbers(self.behind)

    @property
    def players(self) -> str:
        """`prudent against prudent`."""
        return f"{self.player_1} against {self.player_2}"

    @property
    def heading(self) -> str:
        """`B1, prudent against prudent: refuted (less often than at 8 sets)`."""
        words_of_it = "; ".join(filter(None, (self.meaning, self.elsewhere)))
        return f"{self.claim}, {self.players}: {self.verdict} ({words_of_it})"


def _of_parts(decisions: Sequence[Decision], outcome: Outcome) -> str:
    """What the parts mean that have the outcome of the whole; the others are counted by their outcomes."""
    groups: dict[str, list[Decision]] = {}
    for one in decisions:
        if one.outcome == outcome:
            groups.setdefault(one.meaning, []).append(one)
    said = [_one_meaning(meaning, group, decisions) for meaning, group in groups.items()]
    others = [one.outcome for one in decisions if one.outcome != outcome]
    return "; ".join([*said, *([_other_parts(others)] if others else [])])


def _one_meaning(meaning: str, group: Sequence[Decision], decisions: Sequence[Decision]) -> str:
    """`too near a bound to tell whether he wins`: parts that mean the same, told apart where others are not so."""
    if not group[0].asked:
        alone = len(group) == len(decisions)
        return meaning if alone else _with_parts(meaning, group)
    asked: dict[str, list[Decision]] = {}
    for one in group:
        asked.setdefault(one.asked, []).append(one)
    alone = len(group) == len(decisions) and len(asked) == 1
    whether = [words_ if alone else _with_parts(words_, part) for words_, part in asked.items()]
    return f"{meaning} whether {' and whether '.join(whether)}"


def _with_parts(said: str, group: Sequence[Decision]) -> str:
    parts = [one.part for one in group if one.part]
    return f"{said} {words.in_words(parts)}" if parts else said


def _other_parts(others: Sequence[Outcome]) -> str:
    """`the other part is confirmed`, `of the other 3 parts 1 is confirmed and 2 are undecided`."""
    if len(others) == 1:
        return f"the other part is {others[0]}"
    counts = {outcome: others.count(outcome) for outcome in dict.fromkeys(others)}
    if len(counts) == 1:
        return f"the other {len(others)} parts are {others[0]}"
    each = [f"{n} {'is' if n == 1 else 'are'} {outcome}" for outcome, n in counts.items()]
    return f"of the other {len(others)} parts {words.in_words(each)}"


def _side(one: Estimate, value: float) -> int:
    """1 if the whole interval lies above a value, -1 if below, 0 if neither."""
    return int(one.interval.low > value) - int(one.interval.high < value)


def _once(behind: Iterable[Behind]) -> tuple[Behind, ...]:
    return tuple(sorted(set(behind)))


def _numbers(behind: Iterable[Behind]) -> tuple[int, ...]:
    return tuple(sorted({one.n for one in behind}))


def _length(one: Estimate) -> int:
    assert one.sets is not None  # AtLeast is asked of numbers by length
    return one.sets


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
