"""An experiment: a question, what is played and settled to answer it, and criteria set before it runs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from simkit import catalogue
from simkit.analysis import estimates as rows
from simkit.analysis import sanity as sane
from simkit.analysis import tails, words
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import proportion
from simkit.analysis.skill import by_skill
from simkit.batch import play_run
from simkit.dataset import MAX_MATCHES, MAX_SEED, PlaySpec, Run, write_estimates
from simkit.errors import ConfigError
from simkit.progress import Estimate as Standing
from simkit.progress import Reporter
from simkit.rules import RuleSet, Settlement, Written, apply_all, replace
from simkit.settle import SETTLED_FROM, Rows, settle

if TYPE_CHECKING:
    import pandas as pd

    from simkit.players import Player

Pair: TypeAlias = tuple[str, str]
Outcome: TypeAlias = Literal["confirmed", "refuted", "undecided"]

LONGEST = 24
VARIED = ("tail_of_sets", "tokens_per_set")
"""Settlement fields an experiment may vary: the columns of `estimates` that tell settlements apart."""
CHANCE = "no difference can be told from chance"
COLUMNS = (*SETTLED_FROM, *sane.COLUMNS)


# ---------------------------------------------------------------- claims


@dataclass(frozen=True, kw_only=True)
class Decision:
    """An outcome with what it means and what it rests on, in words."""

    outcome: Outcome
    meaning: str
    numbers: str
    elsewhere: str = ""


@dataclass(frozen=True, kw_only=True)
class AtLeast:
    """A criterion: a number lies above a threshold at every length named.

    Confirmed when the whole interval lies above the threshold at every length; refuted when it lies below at
    any of them; undecided otherwise. The other fields only give words to the outcome.
    """

    measure: str
    threshold: float
    sets: tuple[int, ...]
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
            if one.measure == self.measure
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
            if self.says_below and mean < 0:
                mean, low, high, says = -mean, -high, -low, self.says_below
            if math.isnan(mean):
                parts.append(f"at {one.sets} sets nothing to tell it by")
                continue
            unsure = math.isnan(low)
            interval = "no interval" if unsure else words.span(mean, low, high, one.unit, sign=True)
            unit = "" if says == before else says
            number = words.number(mean, one.unit)
            parts.append(" ".join(filter(None, (f"at {one.sets} sets", number, unit, f"({interval})"))))
            before = says
        return _capital(", ".join(parts))

    def _meaning(self, chosen: Sequence[Estimate]) -> str:
        """In words, on which side of no effect and of the threshold each number lies."""
        by_words: dict[str, list[int]] = {}
        for one in chosen:
            by_words.setdefault(self._place(one), []).append(one.sets)
        return "; ".join(f"at {words.in_words(sets)} sets {place}" for place, sets in by_words.items())

    def _elsewhere(self, chosen: Sequence[Estimate], known: Sequence[Estimate]) -> str:
        """Where, of all lengths, the effect has the other sign than at those of the criterion."""
        if self.null is None:
            return ""
        signs = {_side(one, self.null) for one in chosen} - {0}
        others = [one.sets for one in known if signs == {-_side(one, self.null)}]
        if not others:
            return ""
        where = words.lengths_in_words(others, [one.sets for one in known])
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
        every = [one.sets for one in known]
        parts = []
        for side, name in zip((1, -1, 0), names, strict=True):
            some = [one.sets for one in known if _side(one, centre) == side]
            if some:
                parts.append(f"at {words.lengths_in_words(some, every)} {name}")
        return f"By number of sets: {'; '.join(parts)}."

    def _threshold(self, one: Estimate) -> str:
        return words.threshold(self.threshold, one.unit)


def _side(one: Estimate, value: float) -> int:
    """1 if the whole interval lies above a value, -1 if below, 0 if neither."""
    return int(one.interval.low > value) - int(one.interval.high < value)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


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
    test: AtLeast


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
    verdict: Outcome
    meaning: str
    """On which side of no effect and of the threshold the numbers lie, in words."""
    elsewhere: str
    """At which other numbers of sets the effect has the other sign; empty where at none."""
    numbers: str
    """The estimates it rests on, and the sign of the effect at every number of sets."""

    @property
    def heading(self) -> str:
        """`B1, prudent against prudent: refuted (less often than at 8 sets)`."""
        words_of_it = "; ".join(filter(None, (self.meaning, self.elsewhere)))
        return f"{self.claim}, {self.player_1} against {self.player_2}: {self.verdict} ({words_of_it})"


# ---------------------------------------------------------------- declaration


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A question about rules, and everything that fixes its answer.

    Raises
    ------
    ConfigError
        A field is out of range; all faults are listed.
    """

    name: str
    """Also the name of its folder below `results/`."""
    title: str
    question: str
    rules: tuple[str, ...]
    """Rule sets of a written match, by catalogue name."""
    players: tuple[Pair, ...]
    """Pairs of players, by catalogue name; the first pair is the one others are compared with."""
    settlements: tuple[Mapping[str, int], ...]
    """What each settlement changes in that of the rule set; all are settlements of the same play."""
    lengths: tuple[int, ...]
    """Numbers of sets; the longest is played, and its first sets are the shorter matches."""
    matches: int
    """Matches of every pair."""
    seed: int
    measures: tuple[tails.Measure, ...] = tails.MEASURES
    claims: tuple[Claim, ...] = ()
    level: float = 0.95
    """Nominal coverage of the intervals."""

    def __post_init__(self) -> None:
        problems = tuple(self._problems())
        if problems:
            raise ConfigError(tuple(f"experiment {self.name}: {problem}" for problem in problems))

    def _problems(self) -> list[str]:
        problems = []
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.name):
            problems.append(f"name = {self.name!r}: lower-case letters, digits and _")
        needed = ("rules", "players", "settlements", "lengths", "measures")
        problems += [f"{field}: none given" for field in needed if not getattr(self, field)]
        wrong = [n for n in self.lengths if n % 2 or not 2 <= n <= LONGEST]
        if wrong or len(set(self.lengths)) < len(self.lengths):
            problems.append(f"lengths = {self.lengths}: even numbers from 2 to {LONGEST}, each once")
        for change in self.settlements:
            strange = [field for field in change if field not in VARIED]
            if strange:
                problems.append(f"settlements: {_listed(strange)} cannot be varied, only {_listed(VARIED)}")
        if not 1 <= self.matches <= MAX_MATCHES:
            problems.append(f"matches = {self.matches}: from 1 to {MAX_MATCHES}")
        if not 0 <= self.seed <= MAX_SEED:
            problems.append(f"seed = {self.seed}: from 0 to {MAX_SEED}")
        if not 0 < self.level < 1:
            problems.append(f"level = {self.level}: between 0 and 1")
        if len({claim.id for claim in self.claims}) < len(self.claims):
            problems.append("claims: two have the same id")
        return problems


@dataclass(frozen=True, kw_only=True)
class _Design:
    """An experiment with its names looked up."""

    rules: tuple[RuleSet, ...]
    players: tuple[tuple[Player, Player], ...]
    plays: tuple[PlaySpec, ...]
    """Each distinct play once."""
    place: Mapping[tuple[str, Pair], int]
    """The play that a rule set and a pair stand on."""
    settlements: Mapping[str, tuple[Settlement, ...]]
    """By rule set."""


def _design(experiment: Experiment) -> _Design:
    rule_sets = tuple(catalogue.rule_set(name) for name in experiment.rules)
    players = tuple((catalogue.player(one), catalogue.player(two)) for one, two in experiment.players)
    for rules in rule_sets:
        if not isinstance(rules.match, Written):
            raise ConfigError(f"experiment {experiment.name}: {rules.name} is not a match of several sets")
    settlements = {
        rules.name: tuple(
            dict.fromkeys(_settlement(_varied(rules, change)) for change in experiment.settlements)
        )
        for rules in rule_sets
    }
    for varied in settlements.values():
        tails.check_design(tuple(sorted(experiment.lengths)), varied)
    plays: list[PlaySpec] = []
    place: dict[tuple[str, Pair], int] = {}
    known: dict[tuple[str, str, str], int] = {}
    for rules in rule_sets:
        played = rules.with_match(sets=max(experiment.lengths))
        for names, pair in zip(experiment.players, players, strict=True):
            key = (played.play_digest, pair[0].digest, pair[1].digest)
            if key not in known:
                known[key] = len(plays)
                plays.append(PlaySpec(played, pair, experiment.seed))
            place[rules.name, names] = known[key]
    return _Design(
        rules=rule_sets,
        players=players,
        plays=tuple(plays),
        place=place,
        settlements=settlements,
    )


def _varied(rules: RuleSet, change: Mapping[str, int]) -> RuleSet:
    return apply_all(rules, {f"settlement.{field}": value for field, value in change.items()})


def _settlement(rules: RuleSet) -> Settlement:
    assert isinstance(rules.match, Written)
    return rules.match.settlement


# ---------------------------------------------------------------- running and analysing


@dataclass(frozen=True, kw_only=True, eq=False)
class ExperimentResult:
    """What an experiment found."""

    experiment: Experiment
    rules: tuple[RuleSet, ...]
    players: tuple[tuple[Player, Player], ...]
    run: Run
    estimates: pd.DataFrame
    """Columns of the table `estimates`; pairs that are not usable have no rows."""
    stored: pd.DataFrame
    """What `estimates.parquet` holds: `estimates`, and the numbers of `sanity` as measures `sanity_*`."""
    sanity: pd.DataFrame
    """One row per rule set and pair of players; see `simkit.analysis.sanity.sanity_row`."""
    verdicts: tuple[Verdict, ...]
    """One per claim, rule set and pair of players."""
    command: str
    """The command line that makes it again."""

    @property
    def folder(self) -> Path:
        """Where the run lies."""
        return self.run.folder

    @property
    def digest(self) -> str:
        """Digest of what was played."""
        return self.run.digest

    @property
    def matches(self) -> int:
        """Matches held of every pair; the fewest, should an interrupted run hold more of one."""
        return min(self.run.counts)


def run_experiment(
    experiment: Experiment,
    *,
    matches: int | None = None,
    jobs: int | None = None,
    root: str | Path = "results",
    progress: Reporter | None = None,
    report: Callable[[Path, ExperimentResult], object] | None = None,
) -> ExperimentResult:
    """Play what is not played yet, settle it in every way, estimate, and judge the claims.

    Parameters
    ----------
    experiment : Experiment
        The declaration.
    matches : int, optional
        Matches of every pair, instead of the experiment's own numbers.
    jobs : int, optional
        Workers; all cores if not given. They do not change a number.
    root : path
        The run folder is `root/<name>/<12 hex digits of its digest>`; `estimates.parquet` is written there.
    progress : Reporter, optional
        Told after each round, with the share of winner changes so far; silent if not given.
    report : callable, optional
        Called with the run folder and the result, to write a page.

    Returns
    -------
    ExperimentResult
        It covers all matches the folder holds, which may be more than were asked for.

    Raises
    ------
    ConfigError, UsageError
        A name is unknown, or a field cannot be varied.
    SimkitError
        As `simkit.batch.play_run`.
    """
    design = _design(experiment)
    run = play_run(
        design.plays,
        experiment.matches if matches is None else matches,
        root=root,
        name=experiment.name,
        jobs=jobs,
        progress=progress,
        monitor=WinnerChanges(experiment, design.plays),
    )
    result = analyse(experiment, run, matches=matches)
    write_estimates(run.folder, result.stored)
    if report is not None:
        report(run.folder, result)
    return result


def analyse(experiment: Experiment, run: Run, *, matches: int | None = None) -> ExperimentResult:
    """Estimate from the rows of a run and judge the claims; nothing is played.

    `matches` only goes into the command that is named. The other parameters, and what is raised, are those
    of `run_experiment`.
    """
    import pandas as pd

    design = _design(experiment)
    frames, verdicts, checks, stored = [], [], [], []
    for rules in design.rules:
        base: tuple[str, list[Estimate]] | None = None
        for pair in experiment.players:
            play, settlements = design.place[rules.name, pair], design.settlements[rules.name]
            sums, check = _sums(run, play, settlements, experiment.lengths)
            checks.append((rules.name, *pair, check))
            looks = sane.sanity_estimates(check, max(experiment.lengths), experiment.level)
            stored.append(rows.frame(looks, rules.name, *pair))
            found: list[Estimate] = []
            if check.usable:
                found = [one for measure in experiment.measures for one in measure(sums, experiment.level)]
                compared = list(by_skill(found, base[1], base[0])) if base else []
                base = base or (", ".join(pair), found)
                frames.append(rows.frame([*found, *compared], rules.name, *pair))
            verdicts += _verdicts(experiment.claims, rules.name, pair, found, check)
    option = "" if matches is None else f" --matches {matches}"
    return ExperimentResult(
        experiment=experiment,
        rules=design.rules,
        players=design.players,
        run=run,
        estimates=pd.concat(frames or [rows.frame([], "", "", "")], ignore_index=True),
        stored=pd.concat([*frames, *stored], ignore_index=True),
        sanity=sane.sanity_frame(checks, experiment.level),
        verdicts=tuple(verdicts),
        command=f"simkit run {experiment.name}{option}",
    )


def _sums(
    run: Run, play: int, settlements: tuple[Settlement, ...], lengths: tuple[int, ...]
) -> tuple[tails.TailSums, sane.SanitySums]:
    """Everything the analyses need of one play, in one reading of its rows."""
    sums, check = tails.tail_sums([], settlements, lengths), sane.sanity_sums([], settlements[0])
    for block in run.iter_sets(play, COLUMNS):
        sums += tails.tail_sums([block], settlements, lengths)
        check += sane.sanity_sums([block], settlements[0])
    return sums, check


def _verdicts(
    claims: Sequence[Claim], rules: str, pair: Pair, found: Sequence[Estimate], check: sane.SanitySums
) -> list[Verdict]:
    verdicts = []
    for claim in claims:
        if check.usable:
            decision = claim.test.decide(found)
        else:
            cut = words.number(check.capped, "share")
            decision = Decision(
                outcome="undecided",
                meaning="these players are not used",
                numbers=f"{cut} of their sets had to be cut.",
            )
        verdicts.append(
            Verdict(
                claim=claim.id,
                rules=rules,
                player_1=pair[0],
                player_2=pair[1],
                statement=claim.text,
                source=claim.source,
                criterion=claim.criterion,
                verdict=decision.outcome,
                meaning=decision.meaning,
                elsewhere=decision.elsewhere,
                numbers=decision.numbers,
            )
        )
    return verdicts


class WinnerChanges:
    """The monitor of an experiment on tails: share of winner changes at eight sets so far, of each play."""

    def __init__(self, experiment: Experiment, plays: Sequence[PlaySpec]) -> None:
        lengths = experiment.lengths
        self._sets = tails.REFERENCE_SETS if tails.REFERENCE_SETS in lengths else max(lengths)
        self._level = experiment.level
        self._settlements = [_settlement(play.rules) for play in plays]
        self._changed = [0] * len(plays)
        self._seen = [0] * len(plays)

    def __call__(self, play: int, matches: Rows, sets: Rows) -> Standing | None:
        """Take the new matches of a play into account."""
        settlement = self._settlements[play]
        own = settle(sets, settlement, n_sets=self._sets)
        bare = settle(sets, _without_tail(settlement), n_sets=self._sets)
        self._changed[play] += int((own["winner"] != bare["winner"]).sum())
        self._seen[play] += int(own["settled"].sum())
        found = proportion(self._changed[play], self._seen[play], self._level)
        if not found.n:
            return None
        return Standing(f"winner changes at {self._sets} sets", found.mean, (found.high - found.low) / 2)


def _without_tail(settlement: Settlement) -> Settlement:
    return replace(settlement, tail_of_sets=0)


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(map(str, values))
