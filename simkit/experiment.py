"""An experiment: a question, what is played to answer it, and criteria set before it runs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from simkit import catalogue, charts
from simkit.analysis import estimates as rows
from simkit.analysis import sanity as sane
from simkit.analysis import skill, words
from simkit.analysis.criteria import Claim, Decision, Verdict
from simkit.analysis.estimates import Estimate
from simkit.analysis.intervals import NOTHING_VARIED
from simkit.analysis.precision import SAME, SAME_FROM, Stop, needed, next_look, schedule
from simkit.analysis.question import MAIN, Indifferent, Needed, OfTables, Played, Question
from simkit.batch import play_run, run_folder
from simkit.dataset import (
    MAX_MATCHES,
    MAX_SEED,
    RUN_NAME,
    PlaySpec,
    Run,
    doubted,
    gather,
    matches_estimated,
    renew_manifest,
    write_card,
    write_estimates,
)
from simkit.errors import ConfigError, UsageError
from simkit.example import Example
from simkit.progress import Reporter
from simkit.rules import Combine, PointMatch, PoolDrain, RuleSet, Settlement, Written

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from simkit.players import Players

Pair: TypeAlias = tuple[str, str]

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
    """Rule sets by catalogue name; the first is the one others are compared with."""
    players: tuple[Pair, ...]
    """Pairs of players, by catalogue name; the first pair is the one others are compared with."""
    analysis: Question
    """What is asked of the play: a declaration of `simkit.analysis`."""
    matches: int | tuple[int, ...]
    """Matches of every pair, or of each in the order of `players`."""
    seed: int
    rows_of: str = ""
    """Name of the runs below `results/` that hold the rows, a run for each play. Experiments that name the same
    share what they play of the same; without a name the rows lie in the experiment's own folder."""
    claims: tuple[Claim, ...] = ()
    criteria_set: str = ""
    """When the criteria of its claims were set, to be read after `Criteria were set`."""
    level: float = 0.95
    """Nominal coverage of the intervals."""
    precision: tuple[float, float] | None = None
    """Half-width and level at which the numbers `precision_of` are known well enough: play stops then, at one of
    the counts of `simkit.analysis.precision.schedule`, and after `matches` at the latest."""
    precision_of: tuple[str, ...] = ()
    """Measures that `precision` is asked of, all of their numbers."""

    def __post_init__(self) -> None:
        problems = tuple(self._problems())
        if problems:
            raise ConfigError(tuple(f"experiment {self.name}: {problem}" for problem in problems))

    def _problems(self) -> list[str]:
        problems = []
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.name):
            problems.append(f"name = {self.name!r}: lower-case letters, digits and _")
        problems += [f"{field}: none given" for field in ("rules", "players") if not getattr(self, field)]
        problems += self.analysis.problems()
        if isinstance(self.matches, tuple) and len(self.matches) != len(self.players):
            problems.append(f"matches = {self.matches}: one number for each of the {len(self.players)} pairs")
        if not all(1 <= number <= MAX_MATCHES for number in self.matches_of_pairs):
            problems.append(f"matches = {self.matches}: from 1 to {MAX_MATCHES}")
        if self.rows_of:
            problems += self._problems_of_sharing()
        if not 0 <= self.seed <= MAX_SEED:
            problems.append(f"seed = {self.seed}: from 0 to {MAX_SEED}")
        if not 0 < self.level < 1:
            problems.append(f"level = {self.level}: between 0 and 1")
        problems += self._problems_of_precision()
        if len({claim.id for claim in self.claims}) < len(self.claims):
            problems.append("claims: two have the same id")
        for claim in self.claims:
            strange = [name for name in claim.rules if name not in self.rules]
            if strange:
                problems.append(f"claim {claim.id}: {', '.join(strange)} is not among its rules")
            strange = [" against ".join(pair) for pair in claim.players if pair not in self.players]
            if strange:
                problems.append(f"claim {claim.id}: {', '.join(strange)} is not among its players")
        if self.claims and not self.criteria_set:
            problems.append("criteria_set: when were the criteria of its claims set?")
        return problems

    def _problems_of_sharing(self) -> Iterable[str]:
        if not RUN_NAME.fullmatch(self.rows_of) or self.rows_of == self.name:
            yield f"rows_of = {self.rows_of!r}: a name of letters, digits and _, and not the experiment's own"
        if self.analysis.chunk_matches is not None:
            yield f"rows_of = {self.rows_of!r}: its question needs chunks of its own, which are not shared"

    def _problems_of_precision(self) -> Iterable[str]:
        if self.precision is None:
            if self.precision_of:
                yield f"precision_of = {self.precision_of}: no precision is asked for"
            return
        half_width, level = self.precision
        if not half_width > 0:
            yield f"precision = {self.precision}: a half-width above 0"
        if level != self.level:
            yield f"precision = {self.precision}: its level is that of the intervals, {self.level}"
        if not self.precision_of:
            yield "precision_of: of which measures is the precision asked?"

    @property
    def goals(self) -> dict[str, float]:
        """Half-widths asked for, by measure."""
        return {} if self.precision is None else dict.fromkeys(self.precision_of, self.precision[0])

    @property
    def matches_of_pairs(self) -> tuple[int, ...]:
        """Matches of each pair."""
        return self.matches if isinstance(self.matches, tuple) else (self.matches,) * len(self.players)


@dataclass(frozen=True, kw_only=True)
class Design:
    """An experiment with its names looked up."""

    rules: tuple[RuleSet, ...]
    players: tuple[Players, ...]
    plays: tuple[PlaySpec, ...]
    """Each distinct play once."""
    times: tuple[int, ...]
    """Matches of each play, as a multiple of those of its pair."""
    pair: tuple[int, ...]
    """The pair that plays each, by its place."""
    place: Mapping[tuple[str, Pair], Mapping[str, int]]
    """The plays that a rule set and a pair stand on, by the keys of the question."""
    same: Mapping[str, str]
    """Rule sets whose answer is that of an earlier one, and its name: equal in play, and in settlement where
    and as far as that matters to the question."""


def design(experiment: Experiment) -> Design:
    """Look up what an experiment names, and gather its distinct plays.

    Raises
    ------
    ConfigError, UsageError
        A name is unknown, or the question cannot be asked of a rule set.
    """
    rule_sets = tuple(catalogue.rule_set(name) for name in experiment.rules)
    players = tuple((catalogue.player(one), catalogue.player(two)) for one, two in experiment.players)
    plays: list[PlaySpec] = []
    times: list[int] = []
    by: list[int] = []
    place: dict[tuple[str, Pair], dict[str, int]] = {}
    known: dict[tuple[object, ...], int] = {}
    same: dict[str, str] = {}
    answers: dict[tuple[object, ...], str] = {}
    for rules in rule_sets:
        _check_family(experiment, rules)
        try:
            needed = experiment.analysis.plays(rules)
        except ConfigError as error:
            raise ConfigError(tuple(f"experiment {experiment.name}: {x}" for x in error.problems)) from None
        first = answers.setdefault(_answered_by(experiment.analysis, needed[MAIN].rules), rules.name)
        if first != rules.name:
            same[rules.name] = first
            continue
        for number, (names, pair) in enumerate(zip(experiment.players, players, strict=True)):
            here = place.setdefault((rules.name, names), {})
            for name, one in needed.items():
                seated = _seated(pair, one)
                key = (one.rules.play_digest, *(player.digest for player in seated), one.starts)
                if key not in known:
                    known[key] = len(plays)
                    plays.append(PlaySpec(one.rules, seated, experiment.seed, one.starts))
                    times.append(one.times)
                    by.append(number)
                here[name] = known[key]
    return Design(
        rules=rule_sets,
        players=players,
        plays=tuple(plays),
        times=tuple(times),
        pair=tuple(by),
        place=place,
        same=same,
    )


def _seated(players: Players, needed: Needed) -> Players:
    """The players in the places a play needs, who take the opening play as it needs."""
    from simkit.players import Evaluation, Opening, OwnPlay

    if needed.seats:
        players = tuple(players[who] for who in needed.seats)
    if not needed.opens_as:
        return players
    choice = catalogue.player(needed.opens_as).choice
    assert not isinstance(choice, Evaluation | OwnPlay)  # who plays trictrac opens no game of tables
    opening = Opening(choice=choice, rank=needed.passed_over)
    own = [player.choice == choice and not opening.rank for player in players]
    return tuple(
        replace(player, opening=None if same else opening) for player, same in zip(players, own, strict=True)
    )


def _check_family(experiment: Experiment, rules: RuleSet) -> None:
    """Refuse a question of trictrac asked of toutes tables or backgammon, and the other way round."""
    of_tables, asked = isinstance(rules.match, PointMatch), asks_of_tables(experiment.analysis)
    if of_tables == asked:
        return
    kinds = ("trictrac", "toutes tables or backgammon")
    fitting = [
        name
        for name in catalogue.names().experiments
        if asks_of_tables(catalogue.experiment(name).analysis) == of_tables
    ]
    raise ConfigError(
        f"experiment {experiment.name}: {rules.name} is a game of {kinds[of_tables]}, and this is a question of "
        f"{kinds[asked]}; {', '.join(fitting) or 'no experiment of the catalogue'} would fit it"
    )


def asks_of_tables(question: Question) -> bool:
    """Whether a question is one of toutes tables and backgammon."""
    return isinstance(question, OfTables) and question.of_tables


def _answered_by(question: Question, rules: RuleSet) -> tuple[object, ...]:
    """What the answer of a rule set hangs on: its play and, if it matters, its settlement."""
    if not question.by_settlement:
        return (rules.play_digest,)
    indifferent = question.indifferent_to if isinstance(question, Indifferent) else ()
    settled = {} if rules.settlement is None else vars(rules.settlement)
    settlement = {name: value for name, value in settled.items() if name not in indifferent}
    return (rules.play_digest, *settlement.items())


# ---------------------------------------------------------------- running and analysing


@dataclass(frozen=True, kw_only=True, eq=False)
class ExperimentResult:
    """What an experiment found."""

    experiment: Experiment
    rules: tuple[RuleSet, ...]
    players: tuple[Players, ...]
    run: Run
    estimates: pd.DataFrame
    """Columns of the table `estimates`; pairs that are not usable have no rows."""
    stored: pd.DataFrame
    """What `estimates.parquet` holds: `estimates`, and the numbers of `sanity` as measures `sanity_*`."""
    sanity: pd.DataFrame
    """One row per rule set and pair of players; see `simkit.analysis.sanity.sanity_row`."""
    verdicts: tuple[Verdict, ...]
    """One per claim, rule set and pair of players."""
    same: Mapping[str, str]
    """Rule sets without rows of their own: equal in play to another, by its name."""
    command: str
    """The command line that makes it again."""
    beside: bool = False
    """Whether the folder holds estimates of more matches, which are not to be replaced."""
    stop: Stop | None = None
    """How play came to its end, where a precision was asked for."""
    example: Example | None = None
    """A match to show on the page."""

    def figure(self, measure: str) -> Figure:
        """Draw the estimates of a measure with their intervals, named by what tells them apart.

        A `matplotlib.figure.Figure`, which a notebook shows by itself; the figures of the report are in its page.

        Raises
        ------
        UsageError
            There is no such measure.
        """
        held = self.estimates["measure"].astype(str)
        if measure not in set(held):
            raise UsageError(f"measure {measure!r}: the estimates are of {', '.join(sorted(set(held)))}")
        rows = self.estimates[held == measure]
        numbers = {"mean", "se", "low", "high", "n", "measure", "variance_factor"}
        telling = [name for name in rows if name not in numbers and rows[name].astype(str).nunique() > 1]
        names = [", ".join(str(value) for value in row) for row in rows[telling].itertuples(index=False)]
        axis = f"{measure}, {rows['unit'].iloc[0]}"
        return charts.intervals(
            [charts.Panel(axis, names, list(rows["mean"]), list(rows["low"]), list(rows["high"]))]
        )

    def __repr__(self) -> str:
        held = f"{len(self.estimates)} estimates, {len(self.verdicts)} verdicts"
        return f"ExperimentResult({self.experiment.name}: {held}; {self.folder})"

    def _repr_html_(self) -> str:
        columns = ["measure", "rules", "player_1", "player_2", "n", "mean", "low", "high"]
        return str(self.estimates[columns].to_html(index=False, max_rows=40))

    @property
    def folder(self) -> Path:
        """Where the run lies."""
        return self.run.folder

    @property
    def digest(self) -> str:
        """Digest of what was played."""
        return self.run.digest

    @property
    def page_name(self) -> str:
        """The file of its page in the folder: one beside that of a larger run, if there is one."""
        return f"report_{self.most_matches}.html" if self.beside else "report.html"

    @property
    def matches(self) -> int:
        """Matches of every pair; the fewest, where they differ."""
        return min(self.run.counts)

    @property
    def most_matches(self) -> int:
        """Matches of the pair that played most."""
        return int(self.sanity["matches"].max())


def run_experiment(
    experiment: Experiment,
    *,
    matches: int | None = None,
    jobs: int | None = None,
    root: str | Path = "results",
    progress: Reporter | None = None,
    report: Callable[[Path, ExperimentResult], object] | None = None,
    until: Mapping[str, float] | None = None,
) -> ExperimentResult:
    """Play what is not played yet, estimate, and judge the claims.

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
        Shared rows go to `root/<rows_of>/<12 hex digits of the digest of the play>`.
    progress : Reporter, optional
        Told after each round, with what the question shows; silent if not given.
    report : callable, optional
        Called with the run folder and the result, to write a page.
    until : mapping, optional
        Half-widths by measure at which all numbers of these measures are known well enough, instead of the
        experiment's own `precision`; the matches are then the most that are played.

    Returns
    -------
    ExperimentResult
        It covers the matches asked for, the first of each play. Estimates that rest on more of them and
        stand in the folder are left there, with their page.

    Raises
    ------
    ConfigError, UsageError
        A name is unknown, or the question cannot be asked of a rule set.
    SimkitError
        As `simkit.batch.play_run`.
    """
    found = design(experiment)

    def played(most: int | None) -> ExperimentResult:
        held = wanted(experiment, found, matches, most)
        run = _play(experiment, found, held, root, jobs, progress)
        with doubted(run):
            return analyse(experiment, run, matches=matches, until=until)

    goals = experiment.goals if until is None else dict(until)
    result = _played_until(experiment, goals, matches, played) if goals else played(None)
    result = replace(result, beside=matches_estimated(result.folder) > result.most_matches)
    if not result.beside:
        write_estimates(result.folder, result.stored)
        write_card(result.folder, result.run.counts)
    if report is not None:
        with doubted(result.run):
            report(result.folder, result)
    renew_manifest(result.folder)
    return result


def _played_until(
    experiment: Experiment,
    goals: Mapping[str, float],
    matches: int | None,
    played: Callable[[int | None], ExperimentResult],
) -> ExperimentResult:
    """Play up to one look after the other, until the numbers are known as well as asked."""
    counts = schedule(max(experiment.matches_of_pairs) if matches is None else matches)
    now: int | None = counts[0]
    looks: list[int] = []
    while now is not None:
        looks.append(now)
        result = played(now)
        need = _needed(result, goals)
        reached = need <= now
        now = None if reached else next_look(counts, now, need)
    words_of_goal = ", ".join(
        f"{name} to within {width:g}{f' ({SAME})' if _never_varied(_asked(result, name)) else ''}"
        for name, width in goals.items()
    )
    if not reached:
        words_of_goal = f"{words_of_goal}; least known {_least_known(result, goals)}"
    stop = Stop(goal=words_of_goal, looks=tuple(looks), reached=reached, needed=None if reached else need)
    return replace(result, stop=stop)


def _needed(result: ExperimentResult, goals: Mapping[str, float]) -> int:
    """Matches that all numbers of the measures asked for would take."""
    shares = (max(_shares_needed(_asked(result, name), width)) for name, width in goals.items())
    return max(math.ceil(result.most_matches * share) for share in shares)


def _shares_needed(ours: Sequence[Estimate], width: float) -> list[float]:
    """How many times the matches there are each number of a measure would take."""
    same = _never_varied(ours)
    return [(SAME_FROM if same else _needed_of(one, width)) / max(one.interval.n, 1) for one in ours]


def _least_known(result: ExperimentResult, goals: Mapping[str, float]) -> str:
    """The number that would take the most matches, in words: measure, rule set and players."""
    found = result.estimates
    told = found["method"].astype(str).str.startswith("computed")
    whole: list[tuple[float, str]] = []
    for name, width in goals.items():
        asked = found.loc[(found["measure"] == name) & ~told]
        for row, share in zip(
            asked.itertuples(index=False), _shares_needed(_asked(result, name), width), strict=True
        ):
            words = f"{name} of {row.rules}, {row.player_1} against {row.player_2}"
            whole.append((share, f"{words}, {row.detail}" if isinstance(row.detail, str) else words))
    return max(whole)[1]


def _asked(result: ExperimentResult, measure: str) -> list[Estimate]:
    """The numbers of a measure that have an interval, or will with more matches."""
    found = rows.estimates(result.estimates.loc[result.estimates["measure"] == measure])
    if not found:
        known = ", ".join(sorted(set(result.estimates["measure"])))
        raise UsageError(
            f"{measure!r} is no measure of {result.experiment.name}; there are {known or 'none'}"
        )
    ours = [one for one in found if not one.interval.method.startswith("computed")]
    if not ours:
        raise UsageError(
            f"until: {measure} is {found[0].interval.method}, and has no interval that more matches could narrow"
        )
    return ours


def _never_varied(ours: Sequence[Estimate]) -> bool:
    """Whether numbers were the same in every match, each by itself; of differences nobody can tell."""
    return all(not one.contrast and NOTHING_VARIED in one.interval.method for one in ours)


def _needed_of(one: Estimate, width: float) -> int:
    """Matches that a number would take; twice those there are of a difference that is the same in every match."""
    if one.contrast and not math.isfinite(one.interval.low):
        return 2 * one.interval.n
    return needed(one.interval, width)


def _play(
    experiment: Experiment,
    found: Design,
    held: Sequence[int],
    root: str | Path,
    jobs: int | None,
    progress: Reporter | None,
) -> Run:
    """Play what is missing of so many matches of each play; the run with these and no more."""
    if experiment.rows_of:
        return _play_shared(experiment, found.plays, held, root, jobs, progress)
    return play_run(
        found.plays,
        held,
        root=root,
        name=experiment.name,
        jobs=jobs,
        progress=progress,
        monitor=experiment.analysis.monitor([play.rules for play in found.plays], experiment.level),
        chunk_matches=experiment.analysis.chunk_matches,
    ).first(held)


def _play_shared(
    experiment: Experiment,
    plays: Sequence[PlaySpec],
    held: Sequence[int],
    root: str | Path,
    jobs: int | None,
    progress: Reporter | None,
) -> Run:
    """Play each play into the run of its own that others read too; the experiment's run, which has no rows."""
    folder = run_folder(plays, root=root, name=experiment.name)
    for play, matches in zip(plays, held, strict=True):
        play_run(
            play,
            matches,
            root=root,
            name=experiment.rows_of,
            jobs=jobs,
            progress=progress,
            monitor=experiment.analysis.monitor([play.rules], experiment.level),
        )
    return gather(folder, experiment.name, plays, experiment.rows_of, held)


def wanted(
    experiment: Experiment, found: Design, matches: int | None = None, most: int | None = None
) -> list[int]:
    """Matches of each play: a multiple of those of its pair, or of another number asked for; of `most` at most."""
    each = [own if matches is None else matches for own in experiment.matches_of_pairs]
    return [
        times * (each[pair] if most is None else min(each[pair], most))
        for times, pair in zip(found.times, found.pair, strict=True)
    ]


def analyse(
    experiment: Experiment,
    run: Run,
    *,
    matches: int | None = None,
    until: Mapping[str, float] | None = None,
) -> ExperimentResult:
    """Estimate from the rows of a run and judge the claims; nothing is played.

    `matches` and `until` only go into the command that is named. The other parameters, and what is raised, are
    those of `run_experiment`.
    """
    import pandas as pd

    question, level, found_at = experiment.analysis, experiment.level, design(experiment)
    frames, verdicts, checks, stored = [], [], [], []
    by_pair: dict[Pair, tuple[str, list[Estimate]]] = {}
    for rules in found_at.rules:
        if rules.name in found_at.same:
            continue
        base: tuple[str, list[Estimate]] | None = None
        for pair, players in zip(experiment.players, found_at.players, strict=True):
            played = Played(run, found_at.place[rules.name, pair], players)
            sets, check = _sanity(rules, played, question)
            checks.append((rules.name, *pair, check))
            looks = sane.sanity_estimates(check, sets, level)
            stored.append(rows.frame(looks, rules.name, *pair))
            found: list[Estimate] = []
            if check.usable:
                found = list(question.estimates(rules, played, level))
                compared = list(skill.by_skill(found, base[1], base[0], question.by_players)) if base else []
                if pair in by_pair:
                    compared += skill.by_rules(found, by_pair[pair][1], by_pair[pair][0], question.by_rules)
                base = base or (", ".join(pair), found)
                by_pair.setdefault(pair, (rules.name, found))
                frames.append(rows.frame([*found, *compared], rules.name, *pair))
            cut = None if check.usable else check.capped
            verdicts += _verdicts(experiment.claims, rules.name, pair, found, cut)
    option = "" if matches is None else f" --matches {matches}"
    option += "".join(f" --until {name}={width:g}" for name, width in (until or {}).items())
    return ExperimentResult(
        experiment=experiment,
        rules=found_at.rules,
        players=found_at.players,
        run=run,
        estimates=pd.concat(frames or [rows.frame([], "", "", "")], ignore_index=True),
        stored=pd.concat([*frames, *stored], ignore_index=True),
        sanity=sane.sanity_frame(checks, level),
        verdicts=tuple(_by_claim(experiment.claims, verdicts)),
        same=found_at.same,
        command=f"simkit run {experiment.name}{option}",
    )


def _sanity(
    rules: RuleSet, played: Played, question: Question
) -> tuple[int | None, sane.SanitySums | sane.GameSums]:
    """The length of the match that a rule set's main play is, and how it looks."""
    main = question.plays(rules)[MAIN].rules.match
    if isinstance(main, PointMatch):
        return None, sane.game_sums(played.games(sane.GAME_COLUMNS))
    settlement = main.settlement if isinstance(main, Written | Combine) else None
    if isinstance(main, PoolDrain):
        settlement = Settlement()  # tells a run from another; nobody pays by it
    sums = sane.sanity_sums(played.sets(sane.COLUMNS), settlement)
    return main.sets if isinstance(main, Written | Combine) else None, sums


def stored_verdicts(experiment: Experiment, stored: pd.DataFrame) -> list[Verdict]:
    """Judge the claims by the table that `ExperimentResult.stored` has been kept as; nothing else is read."""
    verdicts = []
    for rules, pair in design(experiment).place:
        if not any(_is_asked(claim, rules, pair) for claim in experiment.claims):
            continue
        own = rows.estimates(rows.part(stored, rules, *pair))
        found = [one for one in own if not one.measure.startswith("sanity_")]
        cut = next((one.interval.mean for one in own if one.measure == "sanity_capped"), 0.0)
        verdicts += _verdicts(experiment.claims, rules, pair, found, None if found else cut)
    return _by_claim(experiment.claims, verdicts)


def _by_claim(claims: Iterable[Claim], verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Verdicts in the order of the claims, those on one claim as they came."""
    place = {claim.id: k for k, claim in enumerate(claims)}
    return sorted(verdicts, key=lambda one: place[one.claim])


def _is_asked(claim: Claim, rules: str, pair: Pair) -> bool:
    """Whether a claim is judged by this rule set and these players."""
    return (not claim.rules or rules in claim.rules) and (not claim.players or pair in claim.players)


def _verdicts(
    claims: Iterable[Claim], rules: str, pair: Pair, found: Sequence[Estimate], cut: float | None
) -> list[Verdict]:
    """Judge one rule set and pair of players; `cut` is the share of cut sets for which they are not used."""
    verdicts = []
    for claim in claims:
        if not _is_asked(claim, rules, pair):
            continue
        if cut is None:
            decision = claim.test.decide(found)
        else:
            decision = Decision(
                outcome="undecided",
                meaning="these players are not used",
                numbers=f"{words.number(cut, 'share')} of their sets had to be cut.",
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
                skill_note=claim.skill_note,
                verdict=decision.outcome,
                meaning=decision.meaning,
                elsewhere=decision.elsewhere,
                numbers=decision.numbers,
                behind=decision.behind,
            )
        )
    return verdicts
