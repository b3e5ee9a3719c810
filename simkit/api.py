"""What `import simkit` offers: rule sets and players by name, runs, and settling them again."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from simkit import catalogue
from simkit.arguments import (
    check_items,
    check_mapping,
    check_number,
    check_text,
    check_type,
    items_of,
    read_change,
    refuse,
)
from simkit.dataset import (
    MAX_MATCHES,
    Run,
    StoredPlay,
    check_path,
    check_whole,
    doubted,
    open_run,
    renew_manifest,
    without_rows,
    write_estimates,
)
from simkit.errors import SimkitError, UsageError, VerificationFailed, mistrusted
from simkit.files import draft_of, problem_of_file, read_plain
from simkit.rules import (
    Combine,
    PointMatch,
    PoolDrain,
    PoolFill,
    RuleSet,
    TwelveHoles,
    Written,
    apply_all,
    replace,
    rule_words,
)
from simkit.rules.ruleset import NO_SETTLEMENT, TABLES_QUESTIONS
from simkit.stopping import note_on

if TYPE_CHECKING:
    import pandas as pd

    from simkit.adjournment import Adjournment, Origin, Resumed
    from simkit.analysis.intervals import Interval
    from simkit.comparisons import Comparison, Goals, Side
    from simkit.dataset import PlaySpec
    from simkit.drivers import State
    from simkit.duplicates import Meeting
    from simkit.experiment import Experiment, ExperimentResult
    from simkit.players import Player, Players
    from simkit.pool_accounts import PoolSettled
    from simkit.progress import Reporter
    from simkit.rollouts import Rollout
    from simkit.shown import ShownRun
    from simkit.transcript import PointsTranscript, Transcript

Columns = dict[str, NDArray[Any]]

MOST_BYTES = 1_000_000
"""The largest record of an adjourned match; twenty-four sets need a fiftieth of it."""


def rule_set(name: str | Path | RuleSet) -> RuleSet:
    """Find a rule set by name, as a JSON file, or as ``file.py:NAME``; see `simkit.catalogue.rule_set`."""
    return catalogue.rule_set(name)


def player(name: str | Player) -> Player:
    """Find a player by name or as ``file.py:NAME``; see `simkit.catalogue.player`."""
    return catalogue.player(name)


def open(folder: str | Path) -> ShownRun:
    """Open a run folder for reading; see `simkit.dataset.open_run`."""
    from simkit.shown import ShownRun

    return ShownRun.of(open_run(folder))


def simulate(
    rules: str | RuleSet,
    players: str | Player | Sequence[str | Player] = (),
    *,
    matches: int = 1000,
    seed: int = 0,
    jobs: int | None = None,
    out: str | Path | None = None,
    progress: Reporter | None = None,
    starts: State | Sequence[State] = (),
) -> ShownRun:
    """Play matches and keep their rows.

    Parameters
    ----------
    rules : str or RuleSet
        What to play: a name of the catalogue, a file, or a rule set.
    players : str, Player, or a sequence of them, optional
        All players at the table in the order of their numbers; one alone plays for all. By default greedy, in
        toutes tables and backgammon tables_linear, and with the cube tables_cube.
    matches : int
        Matches the run holds at the end; those it has already are not played again.
    seed : int
        Seed of all dice, 0 to 2**64 - 1. The same seed makes the same rows with any number of workers.
    jobs : int, optional
        Workers; every core this process may use if not given.
    out : path, optional
        The run folder. By default `results/`, the name of the rule set, and 12 digits of the digest of what
        is played, below the current folder.
    progress : Reporter, optional
        Told after each round; silent if not given.
    starts : State or sequence of State, optional
        Where the first set, partie or game of a match starts, as `simkit.start` makes them: match m from
        ``starts[m % len(starts)]``. By default every match starts as matches do.

    Returns
    -------
    Run
        The run folder, open for reading: `run.matches`, `run.sets` and `run.figures` are pandas frames; of
        toutes tables and backgammon `run.matches` and `run.games`. `run.summary` is the mean of every measure of
        a match, which `run.figure()` draws; a notebook shows the run as that table.

    Raises
    ------
    UsageError
        An unknown name, a number out of range, an argument of another type, players that cannot play these
        rules to an end, or a start that cannot be under them.
    ConfigError
        A rule set that cannot be.
    FolderMismatch
        `out` holds another play.

    Examples
    --------
    >>> run = simkit.simulate("ecrire_academie", players=("prudent", "prudent"), matches=100, seed=1)
    >>> run.sets.groupby("winner").size()
    """
    from simkit.batch import play_run
    from simkit.dataset import PlaySpec
    from simkit.shown import ShownRun

    check_progress(progress)
    found = catalogue.rule_set(rules)
    playing = _named(players)
    if isinstance(playing, tuple) and not playing:
        playing = _usual_player(found)
    spec = PlaySpec(found, _at_table(playing, found), seed, _starting(starts))
    folder = None if out is None else check_path("out", out)
    played = play_run(spec, matches, folder=folder, name=found.name, jobs=jobs, progress=progress)
    if progress is not None:
        progress.flush()
    return ShownRun.of(played)


def start(
    position: str,
    score: str = "",
    *,
    to_roll: int = 1,
    roll_number: int | None = None,
    dice: str | tuple[int, int] | None = None,
) -> State:
    """Read where play may start, for `simulate` and `rollout`; they check it against their rules.

    Parameters
    ----------
    position : str
        The men, seen by the player to roll: ``"1:15 | 24:15"``; docs/notation.md.
    score : str
        Holes and points of player 1 and of player 2, and what else there is to say of them:
        ``"3:4b 2:8"``; of toutes tables and backgammon points of the match and the cube:
        ``"2-1"``, ``"5-4 cube:2 owner:1"``; docs/notation.md.
    to_roll : int
        The player to roll, 1 or 2.
    roll_number : int, optional
        Which roll of his this is since the men started, from 1.
    dice : str or (int, int), optional
        The roll, if it is given: ``"6-5"`` or ``(6, 5)``.

    Raises
    ------
    UsageError
        A text that is no position, no score or no roll, or a roll number too low for the men.
    """
    from simkit.drivers import read_state
    from simkit.position import parse, read_dice

    return read_state(
        parse(check_text("position", position)),
        check_text("score", score),
        to_roll=check_whole("to_roll", to_roll, 1, 2),
        roll_number=roll_number,
        dice=read_dice(dice) if isinstance(dice, str) else dice,
    )


def rollout(
    rules: str | RuleSet,
    position: str | State,
    dice: str | tuple[int, int] | None = None,
    *,
    score: str = "",
    to_roll: int = 1,
    roll_number: int | None = None,
    players: str | Player | Sequence[str | Player] | None = None,
    matches: int = 2000,
    seed: int = 0,
    jobs: int | None = None,
) -> Rollout:
    """Rank the plays of a roll, and going where the roll allows it, by playing each of them on.

    Parameters
    ----------
    rules : str or RuleSet
        What is played; the result is the stakes of a partie, or the points of a set, by its settlement; in toutes
        tables and backgammon the points of the game, or, with a score of the match other than 0-0, the match won
        (1) or lost (-1).
    position : str or State
        The men, seen by the player to roll; or a whole state as `simkit.start` makes it.
    dice : str or (int, int)
        The roll, ``"6-5"`` or ``(6, 5)``; may be left out if the state has it.
    score, to_roll, roll_number
        As for `simkit.start`; only beside a position.
    players : str, Player, or two of them
        Player 1 and player 2, who play on; the answer holds for them. By default prudent; in toutes tables and
        backgammon tables_linear, with the cube tables_cube.
    matches : int
        Units played from each candidate.
    seed : int
        Seed of all dice; every candidate has the same dice.
    jobs : int, optional
        Workers; every core this process may use if not given. They change no number.

    Returns
    -------
    Rollout
        `candidates` from the best down, and `frame`, the same as a pandas frame.

    Raises
    ------
    UsageError
        No roll, a start that cannot be under these rules, an unknown name, or a number out of range.

    Examples
    --------
    >>> simkit.rollout("classical", "1:9 6 7 8 9 12:2 | 13:2 24:13", "6-5", score="3:10b 2:0").frame
    """
    from dataclasses import replace as copy

    from simkit import rollouts
    from simkit.drivers import State
    from simkit.position import read_dice

    dice = read_dice(dice) if isinstance(dice, str) else dice
    if not isinstance(position, State):
        state = start(position, score, to_roll=to_roll, roll_number=roll_number, dice=dice)
    elif check_text("score", score) or check_whole("to_roll", to_roll, 1, 2) != 1 or roll_number is not None:
        raise UsageError("score, to_roll and roll_number are part of a state; give them with a position only")
    else:
        state = position if dice is None else copy(position, dice=dice)
    found = catalogue.rule_set(rules)
    found.refuse_more_than_two("a rollout")
    usual = _usual_player(found) if isinstance(found.match, PointMatch) else "prudent"
    table = _at_table(usual if players is None else players, found)
    return rollouts.rollout(found, state, table, matches=matches, seed=seed, jobs=jobs)


def compare(
    *sides: str | Path | Run | RuleSet,
    players: str | Player | Sequence[str | Player] = (),
    matches: int | None = None,
    seed: int | None = None,
    vary: Mapping[str, Any] | str | Sequence[Mapping[str, Any] | str] = (),
    measures: str | Sequence[str] = (),
    margin: Mapping[str, float] | None = None,
    level: float = 0.95,
    until: Mapping[str, float] | Literal["decided"] | None = None,
    luck: str | Player | None = None,
    jobs: int | None = None,
    root: str | Path = "results",
    progress: Reporter | None = None,
) -> Comparison:
    """Compare rule sets, or stored runs, with the first of them, match by match on the same dice.

    They are of one kind of match with as many players: written matches, parties, matches to points, trictrac
    combiné, pools, tables of three to five.

    One rule set and several different players: the players are compared with the first of them by duplicate
    matches, each match being played twice on the same dice with the seats exchanged. So are the players of two
    runs of one seed in which they have exchanged their seats.

    Parameters
    ----------
    *sides : str, path, RuleSet or Run
        Rule sets, which are played as far as they are not, and runs or their folders; each play of a run is a
        side. The first is the baseline.
    players : str, Player, or two of them, optional
        Who plays the rule sets. By default those of the first run given, else as for `simulate`. With one rule
        set: the players to compare. Refused where all sides are runs, as is `seed`.
    matches : int, optional
        Matches of each side, the first ones of a run; with `until` the most. By default as many as the first run
        holds, else 10,000, or 1,000,000 with `until`; of runs all they hold, and more is refused.
    seed : int, optional
        Seed of all dice; by default that of the first run given, else 0.
    vary : mapping, str, or sequence of them
        Further variants: the baseline with these rules changed, as `simkit.rules.apply_all` takes them; or a text,
        ``"settlement.tail_of_sets=0"``, its value JSON or a word.
    measures : str or sequence of str
        What to compare by; all there is if not given.
    margin : mapping, optional
        By measure, in its unit: differences up to it do not matter. Then a verdict may be `equivalent`.
    level : float
        Nominal coverage of every interval, and of all differences together.
    until : mapping or "decided", optional
        Play until the differences of these measures are known to within these half-widths; or until every verdict
        with a margin is decided, which is then read from a confidence sequence.
    luck : str or Player, optional
        Of duplicate matches: also take off the luck of the dice, the matches being played again roll by roll. The
        player who tells what a position is worth, or "" for prudent, in toutes tables tables_cube.
    jobs, root, progress
        As for `run`: workers, the folder for runs, who is told.

    Returns
    -------
    Comparison
        `frame`, one row per variant and measure, and `estimates`, one row per number, are pandas frames; `stop`
        says, with `until`, whether it was reached and how many matches it would take.

    Raises
    ------
    UsageError
        Sides of different games (the message says what is common), fewer than two, an unknown name or measure, or
        a number out of range.
    ConfigError
        A rule set that cannot be.
    VerificationFailed
        Luck that is not 0 on average, or rows that are not what is played again to see it.

    Examples
    --------
    >>> found = simkit.compare("ecrire_academie", "ecrire_guiton", matches=2000, margin={"rolls": 20})
    >>> found.frame[["measure", "difference", "difference_low", "difference_high", "verdict"]]
    """
    from simkit import comparisons
    from simkit.analysis.measures import of_match

    check_progress(progress)
    root, players = check_path("root", root), _named(players)
    measures = check_items("measures", measures, str, "the name of a measure, or a list of names")
    given = _sides_given(sides, _variations(vary))
    stored = [one for one in given if isinstance(one, comparisons.Side)]
    if stored and len(stored) == len(given):
        comparisons.refuse_unused(stored, players, matches, seed)
    if matches is None:
        usual = 10_000 if until is None else 1_000_000
        asked = MAX_MATCHES if len(stored) == len(given) else stored[0].matches if stored else usual
    else:
        asked = check_whole("matches", matches, 2, MAX_MATCHES)
    meetings = _meetings(given, players, seed)
    options: dict[str, Any] = {"chosen": measures, "margins": margin, "level": level}
    playing: dict[str, Any] = {"root": root, "jobs": jobs, "progress": progress}
    if meetings:
        found = _compare_players(meetings, asked, until, luck, options, playing)
    elif luck is not None:
        raise UsageError(
            "luck is taken off where players are compared: name one rule set and two different players, or two "
            "runs in which they exchange their seats"
        )
    else:
        _refuse_one_player(given, players)
        comparisons.check_sides(len(given))
        comparisons.refuse_unlike([one.rules if isinstance(one, comparisons.Side) else one for one in given])
        wanted = [
            one if isinstance(one, comparisons.Side) else _spec_like(one, players, seed, stored)
            for one in given
        ]
        comparisons.refuse_same(wanted)
        comparisons.checked(of_match(wanted[0].rules), measures, margin, level)
        if until is None:
            found = comparisons.compare_sides(comparisons.sides_of(wanted, asked, **playing), **options)
        else:
            found = comparisons.compare_until(wanted, _goals(until), asked, **options, **playing)
    if progress is not None:
        progress.flush()
    return found


def _goals(until: Mapping[str, float] | Literal["decided"]) -> Goals:
    return "decided" if isinstance(until, str) and until == "decided" else _widths(until)


def _meetings(
    given: Sequence[Side | RuleSet], players: str | Player | Sequence[str | Player], seed: int | None
) -> tuple[Meeting, ...]:
    """Who meets whom with the seats exchanged; nobody where rule sets are compared.

    One rule set and several players: the first meets each of the others. Two runs: their players, if they have
    exchanged their seats.
    """
    from simkit.analysis.duplicate import of_players
    from simkit.comparisons import Side
    from simkit.dataset import PlaySpec
    from simkit.duplicates import Meeting, are_exchanged, meetings

    if len(given) == 2:
        one, two = given
        if isinstance(one, Side) and isinstance(two, Side) and are_exchanged(one, two):
            return (Meeting(one, two),)
        return ()
    if len(given) != 1 or isinstance(given[0], Side) or isinstance(players, str):
        return ()
    if not isinstance(players, Sequence) or len(players) < 2:
        return ()
    named = [catalogue.player(one) for one in players]
    rules = given[0]
    if len({one.digest for one in named}) == 1 and len(named) == rules.match.players:
        return ()
    of_players(rules)  # which refuses more than two at the table
    spec = PlaySpec(rules, _at_table(named[:2], rules), 0 if seed is None else seed)
    return meetings(spec, named[1:])


def _refuse_one_player(
    given: Sequence[Side | RuleSet], players: str | Player | Sequence[str | Player]
) -> None:
    """Refuse one rule set with players who are all one and the same: neither rules nor players can be compared."""
    if len(given) == 1 and isinstance(players, Sequence) and not isinstance(players, str) and players:
        names = ",".join(one if isinstance(one, str) else catalogue.player(one).name for one in players)
        raise UsageError(
            f"players {names}: they are one and the same player, and there is nothing to compare; name another "
            "player, or a rule to change (--set PATH=VALUE, or --vary PATH=VALUE)"
        )


def _compare_players(
    given: tuple[Meeting, ...],
    matches: int,
    until: Mapping[str, float] | Literal["decided"] | None,
    judge: str | Player | None,
    options: Mapping[str, Any],
    playing: Mapping[str, Any],
) -> Comparison:
    """Compare players by duplicate matches, so many of each play or as many as runs hold."""
    from simkit import comparisons, duplicates
    from simkit.analysis.duplicate import of_players
    from simkit.drivers.luck import check_judge

    rules = given[0].one.rules
    comparisons.checked(of_players(rules), options["chosen"], options["margins"], options["level"])
    judging = None if judge is None else _judge(judge, rules)
    if judging is not None:
        check_judge(rules, judging)
    if until is not None:
        if judge is not None:
            raise UsageError(
                "luck and until do not go together: when enough is known is read from plain differences, and to "
                "see the luck all is played again; compare with until first, then as many matches with luck"
            )
        return duplicates.compare_players_until(given, _goals(until), matches, **options, **playing)
    met = duplicates.met(given, matches, **playing)
    if judging is None:
        return duplicates.compare_players(met, **options)
    lucky = {
        place: duplicates.luck_of(
            one,
            (_seated(meeting.one), _seated(meeting.two)),
            judging,
            options["chosen"],
            jobs=playing["jobs"],
            progress=playing["progress"],
        )
        for place, (one, meeting) in enumerate(zip(met, given, strict=True))
    }
    return duplicates.compare_players(met, lucky=lucky, **options)


def _seated(one: Side | PlaySpec) -> Players:
    """The players of a play, found again in the catalogue where it is a stored one."""
    from simkit.comparisons import Side

    return found_again(one.play) if isinstance(one, Side) else one.players


def _judge(judge: str | Player, rules: RuleSet) -> Player:
    """Who tells what a position is worth: the one named, or who is usual in this game."""
    from simkit.players import Player

    if not isinstance(judge, str | Player):
        refuse("luck", judge, "the name of a player who tells what a position is worth, or ''")
    if judge:
        return catalogue.player(judge)
    return catalogue.player("tables_cube" if isinstance(rules.match, PointMatch) else "prudent")


def _sides_given(
    sides: Sequence[str | Path | Run | RuleSet], vary: Sequence[Mapping[str, Any]]
) -> list[Side | RuleSet]:
    """The plays of runs as sides, and rule sets; with those that are variations of the first."""
    from simkit.comparisons import Side

    given: list[Side | RuleSet] = []
    for one in sides:
        run = _run_of(one)
        if run is None:
            given.append(catalogue.rule_set(one))  # type: ignore[arg-type]
        else:
            given += [Side(play.rules, run, place) for place, play in enumerate(run.plays)]
    if vary and not given:
        raise UsageError("nothing to vary: name a rule set or a run first")
    for changes in vary:
        first = given[0].rules if isinstance(given[0], Side) else given[0]
        variant = changed(first, changes)
        if variant is first:
            same = ", ".join(
                f"{path} = {rule_words(value)}" for path, value in _spelled(first, changes).items()
            )
            raise UsageError(f"nothing to compare: {first.name} has {same} already")
        given.append(variant)
    return given


def _spec_like(
    rules: RuleSet,
    players: str | Player | Sequence[str | Player],
    seed: int | None,
    stored: Sequence[Side],
) -> PlaySpec:
    """What to play of a rule set, as the first run was played where nothing else is asked for."""
    from simkit.dataset import PlaySpec

    like = stored[0].play if stored else None
    if isinstance(players, tuple) and not players:
        playing = found_again(like) if like else _at_table(_usual_player(rules), rules)
    else:
        playing = _at_table(players, rules)
    dice = seed if seed is not None else like.seed if like else 0
    return PlaySpec(rules, playing, dice, like.starts if like else ())


def run(
    experiment: str | Experiment,
    *,
    matches: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    root: str | Path = "results",
    progress: Reporter | None = None,
    until: Mapping[str, float] | None = None,
) -> ExperimentResult:
    """Run an experiment and write its page: play, settle, estimate, judge its claims.

    Parameters
    ----------
    experiment : str or Experiment
        A name of the catalogue, ``file.py:NAME``, or the declaration itself.
    matches, seed : int, optional
        Matches of every pair of players, and the seed, instead of the experiment's own.
    jobs : int, optional
        Workers; every core this process may use if not given. They do not change a number.
    root : path
        The run goes below this folder, by name and digest; its page is `report.html` there,
        or beside it if that page rests on more matches.
    progress : Reporter, optional
        Told after each round; silent if not given.
    until : mapping, optional
        Play until all numbers of these measures are known to within these half-widths, instead of the
        experiment's own precision; its matches, or those given, are the most that are played.

    Returns
    -------
    ExperimentResult
        `estimates` and `sanity` are pandas frames; `verdicts` judge the claims; `stop` says, where a precision was
        asked for, whether it was reached and how many matches it would take.

    Raises
    ------
    UsageError
        An unknown name, or a number out of range.
    ConfigError
        A declaration that cannot be.
    """
    from dataclasses import replace as copy

    from simkit.experiment import run_experiment

    check_progress(progress)
    root = check_path("root", root)
    if matches is not None:
        check_type("matches", matches, int, "a whole number of matches")
    found = _seeded(catalogue.experiment(experiment), seed)

    def report(folder: Path, result: ExperimentResult) -> None:
        _write_page(folder, copy(result, command=_command(result.command, seed)))

    with _stopped_in_words():
        result = run_experiment(
            found,
            matches=matches,
            jobs=jobs,
            root=root,
            progress=progress,
            report=report,
            until=None if until is None else _widths(until),
        )
    if progress is not None:
        progress.flush()
    return copy(result, command=_command(result.command, seed))


@contextmanager
def _stopped_in_words() -> Iterator[None]:
    """Note on what ends an experiment that its play is kept, where no more is known."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as stop:
        if not note_on(stop):
            stop.add_note("stopped: what was played is kept; the same command goes on from there")
        raise


def _widths(until: Mapping[str, float]) -> dict[str, float]:
    """Half-widths by measure, once they are known to be some."""
    if not isinstance(until, Mapping) or not until:
        raise UsageError(f"until: {until!r} is no mapping of measures to half-widths")
    return {
        name: check_number(f"until: {name}", width, 0, float("inf"), "a half-width above 0")
        for name, width in check_mapping("until", until, "a mapping of measures to half-widths").items()
    }


def rebuild_report(
    folder: str | Path, experiment: str | Experiment | None = None, *, anew: bool = False
) -> Path:
    """Write the page of a run again, from its estimates; without any, or if asked, estimate from its rows first.

    Parameters
    ----------
    folder : path
        A run folder that an experiment made.
    experiment : str or Experiment, optional
        The experiment; by default the one of the catalogue that the run is named after.
    anew : bool
        Estimate again from the rows: all that the folder holds, should it be more than the estimates rest on.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    UsageError
        There is no run, or it holds neither estimates nor rows, or there is no such experiment, or the run does
        not hold what the experiment plays.
    """
    from simkit.kept import kept

    found = open_run(folder)
    if experiment is None and found.name not in catalogue.names().experiments:
        raise UsageError(
            f"{folder} was made by no experiment of the catalogue, and only an experiment has a report; "
            f"there are {', '.join(catalogue.names().experiments) or 'none'}"
        )
    declared = catalogue.experiment(found.name if experiment is None else experiment)
    seed = found.plays[0].seed
    own = declared.seed == seed
    declared = _seeded(declared, seed)
    _check_played(found, declared)
    named = None if own else seed
    words = (
        f"{found.folder}: estimates.parquet or page.json holds what no experiment writes; simkit report --anew "
        "reckons it from the rows"
    )
    with mistrusted(words):
        result = None if anew else kept(declared, found, named)
        page = None if result is None else _write_page(found.folder, result)
    if page is None:
        with doubted(found):
            page = _write_page(found.folder, _estimated_anew(declared, found, named))
    renew_manifest(found.folder)
    return page


def _estimated_anew(declared: Experiment, found: Run, seed: int | None) -> ExperimentResult:
    """Estimate from the rows of a run; `seed`: as the command is to name it."""
    from dataclasses import replace as copy

    from simkit.experiment import analyse, design, wanted

    if not all(found.counts):
        raise UsageError(
            f"{found.folder} holds no rows to report on; simkit run {declared.name} plays them again and writes "
            "the report"
        )
    whole = list(found.counts) == wanted(declared, design(declared))
    result = analyse(declared, found, matches=None if whole else min(found.counts))
    write_estimates(found.folder, result.stored)
    return copy(result, command=_command(result.command, seed))


def _write_page(folder: Path, result: ExperimentResult) -> Path:
    """Write the page of a result, and beside it what it takes to draw it again."""
    from dataclasses import replace as copy

    from simkit.kept import example_of, keep
    from simkit.report import write_report

    shown = copy(result, example=result.example or example_of(result.experiment))
    if not result.beside:
        keep(folder, shown)
    return write_report(folder, shown)


def _seeded(experiment: Experiment, seed: int | None) -> Experiment:
    from dataclasses import replace as copy

    from simkit.dataset import MAX_SEED

    if seed is None:
        return experiment
    check_whole("seed", seed, 0, MAX_SEED, "2**64 - 1")
    return copy(experiment, seed=seed)


def _command(command: str, seed: int | None) -> str:
    return command if seed is None else f"{command} --seed {seed}"


def _check_played(run: Run, experiment: Experiment) -> None:
    """Refuse a run that does not hold every play of an experiment, in its order."""
    from simkit.experiment import design

    wanted = [StoredPlay.of(play) for play in design(experiment).plays]
    for place, play in enumerate(wanted):
        if place >= len(run.plays) or run.plays[place].identity != play.identity:
            raise UsageError(
                f"{run.folder} does not hold {play.title} as the experiment {experiment.name} now declares "
                f"it; run the experiment again{_namesake(experiment)}"
            )


def _namesake(experiment: Experiment) -> str:
    """Warn of the rule set that an experiment shares its name with, whose runs lie beside."""
    if experiment.name not in catalogue.names().rule_sets:
        return ""
    return (
        f" (simkit run {experiment.name}), unless this is a run of the rule set of that name, which has no report "
        f"(simkit simulate {experiment.name})"
    )


def replay(
    source: str | Path | Run | RuleSet,
    match: int = 0,
    *,
    play: int | None = None,
    players: str | Player | Sequence[str | Player] | None = None,
    seed: int | None = None,
    starts: State | Sequence[State] = (),
    set_no: int | None = None,
    numbering: str = "magriel",
) -> Transcript | PointsTranscript:
    """Tell a match roll by roll, as the kernel plays it: one of a run, or any.

    Parameters
    ----------
    source : Run, path, str or RuleSet
        A run or its folder; or what to play, as for `simulate`.
    match : int
        Number of the match, from 0.
    play : int, optional
        Which of the plays of a run, from 0. Needed only where it holds several that `players` does not tell
        apart.
    players : str, Player, or two of them, optional
        Player 1 and player 2; one alone plays both sides. For a run, they must be those who played it; by
        default they are found in the catalogue by the names it keeps. Otherwise greedy.
    seed : int, optional
        Seed of all dice, 0 if not given; a run has its own.
    starts : State or sequence of State, optional
        As for `simulate`; a run has its own.
    set_no : int, optional
        Tell only this set (or partie) of the match, from 1.
    numbering : str
        Whose names the arrows have, as in `simkit.numbering`.

    Returns
    -------
    Transcript, or of toutes tables and backgammon PointsTranscript
        Its `sets` hold the rolls; `print` shows it as a player would read it.

    Raises
    ------
    UsageError
        An unknown name, a number out of range, a run whose players are not found, or arguments that do not go
        together.
    ConfigError
        A rule set that cannot be, or players that cannot play it to an end.
    VerificationFailed
        The match replayed is not the one that the run holds; the message names the column.

    Examples
    --------
    >>> print(simkit.replay("classical", 3, players=("greedy", "prudent"), seed=7))
    """
    from simkit.dataset import PlaySpec
    from simkit.numbering import numbering as named
    from simkit.transcript import told_match

    names = named(check_text("numbering", numbering))
    given = _starting(starts)
    if set_no is not None:
        check_whole("set_no", set_no, 0, MAX_MATCHES)
    run = _run_of(source)
    if run is None:
        check_whole("match", match, 0, MAX_MATCHES)
        if play is not None:
            raise UsageError(f"play: {play}, but {source} is no run and holds no plays to choose from")
        rules = catalogue.rule_set(source)  # type: ignore[arg-type]
        usual = _usual_player(rules)
        spec = PlaySpec(
            rules,
            _at_table(usual if players is None else players, rules),
            0 if seed is None else seed,
            given,
        )
        return told_match(
            spec.rules, spec.players, spec.seed, match, set_no=set_no, names=names, starts=given
        )
    if seed is not None or given:
        raise UsageError(f"{run.folder} is a run, which has its own seed and its own start of every match")
    place, pair = _played_by(run, play, players)
    stored = run.plays[place]
    if not run.counts[place]:
        raise UsageError(
            f"{run.folder} holds no rows of {stored.title}; without them simkit replay {stored.rules.name} "
            f"--players {','.join(one.name for one in pair)} --seed {stored.seed} --match {match} plays the match"
        )
    rows = run.of_match(match, place)
    told = told_match(
        stored.rules, pair, stored.seed, match, set_no=set_no, names=names, starts=stored.starts
    )
    _check_rows(run, match, rows, told)
    return told


def adjourn(
    source: str | Path | Run | RuleSet,
    match: int = 0,
    *,
    after: int,
    play: int | None = None,
    players: str | Player | Sequence[str | Player] | None = None,
    seed: int | None = None,
) -> Adjournment:
    """Put a match of sets down between two of them: one of a run, or any.

    Parameters
    ----------
    source, match, play, players, seed
        As for `replay`.
    after : int
        Sets played before it is put down.

    Returns
    -------
    Adjournment
        The record; `to_json` writes it, `resume` takes it up again.

    Raises
    ------
    UsageError
        As for `replay`; a partie, or no such number of sets.
    """
    from simkit.adjournment import Known, Origin, adjourned, refuse_after
    from simkit.drivers import honours_after
    from simkit.transcript import Transcript

    check_type("after", after, int, "a whole number of sets")
    told = replay(source, match, play=play, players=players, seed=seed)
    refuse_after(told.rules, told.rows, after)
    one, two = (Known(found.name, found.digest) for found in told.players)
    origin = Origin(told.seed, told.match, (one, two))
    if not isinstance(told.rules.match, Combine):
        return adjourned(told.rules, told.rows, after, origin)
    assert isinstance(told, Transcript)
    under_way = honours_after(told.rules, told.players, told.seed, told.match, after)
    games = told.others["honours_games"]
    return adjourned(told.rules, told.rows, after, origin, games=games, under_way=under_way)


def resume(
    record: str | Path | Adjournment,
    players: str | Player | Sequence[str | Player] | None = None,
    *,
    seed: int | None = None,
    matches: int = 1,
) -> Resumed:
    """Take up a match that was put down, and settle it with what was recorded.

    Parameters
    ----------
    record : path or Adjournment
        The record, or its file.
    players : str, Player, or two of them, optional
        Who plays on. By default those who played before, found in the catalogue; greedy for a record written
        by hand.
    seed : int, optional
        Of new dice. Without it a match played here goes on with its own dice, to the very end it would have had;
        any other with those of seed 0.
    matches : int
        How many times the rest is played, each with other dice.

    Returns
    -------
    Resumed
        `sets`, the rows played now; `settled`, the whole match or matches; `scoresheet`.

    Raises
    ------
    UsageError
        No such file, players who are not found or have changed, or numbers out of range.
    ConfigError
        A record that cannot be, or players that cannot play its rules to an end.
    """
    from simkit import adjournment

    found = (
        record if isinstance(record, adjournment.Adjournment) else _record_of(check_path("record", record))
    )
    if players is not None:
        pair = _at_table(players, found.rules)
    else:
        pair = _at_table("greedy", found.rules) if found.origin is None else found_again(found.origin)
    return adjournment.resume(found, pair, seed=seed, matches=matches)


def _record_of(path: Path) -> Adjournment:
    """Read a record of an adjourned match."""
    from simkit.adjournment import Adjournment
    from simkit.errors import ConfigError

    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(
                f"{path} is larger than {MOST_BYTES:,} bytes and no record of an adjourned match"
            )
        text = read_plain(path).decode("utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is no text in UTF-8: byte {error.start} does not fit") from None
    try:
        return Adjournment.from_json(text, catalogue.listed_rule_set)
    except ConfigError as error:
        raise ConfigError(tuple(f"{path}: {problem}" for problem in error.problems)) from None


def _run_of(source: str | Path | Run | RuleSet) -> Run | None:
    """Open the run that is meant; None if it is a rule set."""
    if isinstance(source, Run):
        return source
    if isinstance(source, RuleSet) or not isinstance(source, str | os.PathLike) or not Path(source).is_dir():
        return None
    return open_run(source)


def _played_by(
    run: Run, play: int | None, players: str | Player | Sequence[str | Player] | None
) -> tuple[int, Players]:
    """Choose a play of a run, and find its players again.

    Raises
    ------
    UsageError
        There is no such play, several are meant, or its players are unknown or no longer the same.
    """
    places = [*range(len(run.plays))] if play is None else [play]
    for place in places:
        run.check_play(place)
    pair = None if players is None else _at_table(players, run.plays[places[0]].rules)
    if pair is not None:
        digests = [one.digest for one in pair]
        fitting = [place for place in places if [one.digest for one in run.plays[place].players] == digests]
        if not fitting:
            held = "; ".join(_play_words(run, place) for place in places)
            raise UsageError(
                f"{pair[0].name} against {pair[1].name}, as they are now, did not play this; {run.folder} "
                f"holds {held}"
            )
        places = fitting
    if len(places) > 1:
        held = "; ".join(_play_words(run, place) for place in places)
        raise UsageError(f"{run.folder} holds several plays, choose one by its number: {held}")
    (place,) = places
    return place, pair or found_again(run.plays[place])


def _play_words(run: Run, place: int) -> str:
    return f"play {place}, {run.plays[place].title}"


def found_again(play: StoredPlay | Origin) -> Players:
    """Find the players of a stored play, or of a match put down, in the catalogue."""
    found = []
    for stored in play.players:
        hint = "give both players as they were, as file.py:NAME,file.py:NAME or by name"
        try:
            one = catalogue.listed_player(stored.name)
        except UsageError as error:
            raise UsageError(f"{error}; {hint}") from None
        if one.digest != stored.digest:
            raise UsageError(
                f"player {stored.name} is another now (digest {one.digest[:12]}) than when this was played "
                f"({stored.digest[:12]}); {hint}"
            )
        found.append(one)
    return tuple(found)


def _check_rows(
    run: Run, match: int, rows: Mapping[str, Mapping[str, NDArray[Any]]], told: Transcript | PointsTranscript
) -> None:
    """Compare a match replayed with the rows that a run holds of it, column by column."""
    others = getattr(told, "others", {})
    replayed = {"matches": told.matches, "sets": told.rows, "games": told.rows, **others}
    for table, columns in rows.items():
        for name, kept in columns.items():
            now = replayed[table].get(name)
            if now is None or not np.array_equal(now, kept):
                raise VerificationFailed(
                    f"{run.folder}: match {match} replayed is not the one kept: {table}.{name} is "
                    f"{'missing' if now is None else now.tolist()} where the run holds {kept.tolist()}; it was "
                    "changed, or made by another version"
                )


def changed(rules: RuleSet, changes: Mapping[str, Any]) -> RuleSet:
    """Return a rule set with rules changed by path, under a name and title that say so.

    Parameters
    ----------
    rules : RuleSet
        Where to start from; returned as it is if nothing changes.
    changes : mapping
        Dotted paths, ``match.sets``, to values as JSON would hold them.

    Raises
    ------
    ConfigError
        A path that is no rule, or a value the rule does not take; all of them are listed.
    """
    rules = catalogue.rule_set(rules)
    new = apply_all(rules, check_mapping("changes", changes, CHANGES))
    if new.digest == rules.digest:
        return rules
    words = [
        f"{path.rpartition('.')[2]} {rule_words(value)}" for path, value in _spelled(new, changes).items()
    ]
    name = re.sub(r"[^a-z0-9]+", "_", f"{rules.name} {' '.join(words)}".lower())
    return replace(new, name=name[:60].strip("_"), title=f"{rules.title}, with {', '.join(words)}")


# ---------------------------------------------------------------- settling again


@dataclass(frozen=True, kw_only=True)
class Settled:
    """What a settlement makes of one play of a run. Amounts are signed for player 1."""

    rules: RuleSet
    """The rules with the settlement used."""
    player_1: str
    player_2: str
    sets: int
    """Sets, or parties, of each match that were counted."""
    matches: int
    """Matches settled."""
    unsettled: int
    """Matches that lack a set, because one was capped; they are in no other number."""
    won_1: int
    won_2: int
    drawn: int
    changed: int
    """Matches with another winner than under the run's own settlement."""
    sets_won_1: float
    sets_won_2: float
    """Sets won per match."""
    result: Interval
    """Mean exact result for player 1: points, or stakes of a partie."""
    size: Interval
    """Mean size of the exact result, whoever wins it."""
    parts: Mapping[str, Interval]
    """Means for player 1 of what the exact result is made of, where that is more than one game: in trictrac
    combiné written (jetons), honours and pool (fish)."""


@dataclass(frozen=True, kw_only=True)
class SettledByTurns:
    """What a settlement makes of one play of three to five players. Money is each player's own, in jetons."""

    rules: RuleSet
    """The rules with the settlement used."""
    players: tuple[str, ...]
    sets: int
    """Sets of each match that were counted."""
    matches: int
    """Matches settled."""
    unsettled: int
    """Matches that lack a set, because one was capped; they are in no other number."""
    changed: int
    """Matches in which somebody has other money than under the run's own settlement."""
    won: tuple[int, ...]
    """Matches in which each player wins money."""
    lost: tuple[int, ...]
    """Matches in which each player loses money."""
    money: tuple[Interval, ...]
    """Mean money of each player."""
    size: tuple[Interval, ...]
    """Mean size of it, won or lost."""


def settle_run(
    run: Run | str | Path, changes: Mapping[str, Any] | None = None, *, sets: int | None = None
) -> pd.DataFrame:
    """Settle a run again, without playing: one row per match.

    Parameters
    ----------
    run : Run or path
        A run, or its folder.
    changes : mapping, optional
        Fields of the settlement to change: ``{"tail_of_sets": 0}``, or with the path
        ``settlement.tail_of_sets``.
    sets : int, optional
        Settle the first `sets` sets (or parties) of each match as a match of that length.

    Returns
    -------
    pandas.DataFrame
        Labels, and for the written game the columns of `simkit.settle.settle`; for a partie `winner`,
        `exact` (stakes, signed for player 1) and `settled`; for three to five players those of
        `simkit.settle_turns.settle_by_turns`; for trictrac combiné those of `simkit.honours.settle_combined`, with
        partners of `simkit.honours.settle_partners`; for pools a row per player, with the columns of
        `simkit.shares.settle_pools`.

    Raises
    ------
    UsageError
        A change that is no settlement field, a length the run does not have, columns its rows lack, a run
        without matches, or an argument of another type.
    ConfigError
        A value the field does not take.
    """
    import pandas as pd

    if not isinstance(run, Run | str | os.PathLike):
        raise UsageError(f"run: {run!r} is neither a run nor the folder of one")
    run = run if isinstance(run, Run) else open_run(run)
    with doubted(run):
        frames = [
            pd.DataFrame(_labelled(run, place, rows))
            for place, rules in enumerate(settlements(run, {} if changes is None else changes))
            for rows in _settled_rows(run, place, rules, sets)
        ]
        return pd.concat(frames, ignore_index=True)


def _settled_rows(run: Run, place: int, rules: RuleSet, sets: int | None) -> Iterator[Columns]:
    """Yield settled rows block by block: one per match, of pools one per player."""
    if isinstance(rules.match, PoolFill | PoolDrain):
        from simkit.pool_accounts import pool_blocks

        _refuse_sets(rules, sets)
        yield from (rows for rows, _ in pool_blocks(run, place, rules))
    else:
        yield from (rows for rows, _ in settled_blocks(run, place, rules, sets))


def _refuse_sets(rules: RuleSet, sets: int | None) -> None:
    if sets is not None:
        raise UsageError(
            f"sets: {sets!r} given, but {rules.name} is a pool, which ends when it is won or empty"
        )


def settle_pool_summary(
    run: Run, changes: Mapping[str, Any], *, sets: int | None = None, out: Path | None = None
) -> tuple[PoolSettled, ...]:
    """Settle a run of pools again and sum up each of its plays, as `settle_summary`; rows are of players."""
    from simkit.pool_accounts import PoolSums, pool_blocks

    new = settlements(run, changes)
    with doubted(run), ExitStack() as stack:
        write = stack.enter_context(_RowsFile(out, new)) if out is not None else None
        found = []
        for place, rules in enumerate(new):
            _refuse_sets(rules, sets)
            players = tuple(player.name for player in run.plays[place].players)
            sums = PoolSums(len(players))
            for rows, won_last in pool_blocks(run, place, rules):
                sums.add(rows, won_last)
                if write is not None:
                    write.add(_labelled(run, place, rows))
            found.append(sums.settled(rules, players))
    return tuple(found)


def payments(
    run: Run | str | Path, changes: Mapping[str, Any] | None = None, *, sets: int | None = None
) -> pd.DataFrame:
    """Every payment of the matches of a run, under its settlement or another: one row each, in order.

    Parameters
    ----------
    run, changes, sets
        As for `settle_run`.

    Returns
    -------
    pandas.DataFrame
        The table `payments` (docs/data_dictionary.md): who pays whom what, and for what.

    Raises
    ------
    UsageError
        As for `settle_run`; or the run holds pools, whose players pay the pot.
    """
    import pandas as pd

    from simkit.dataset.run import payment_frame

    run = run if isinstance(run, Run) else open_run(run)
    with doubted(run):
        frames = [
            payment_frame(run.plays[place].labels, columns)
            for place, rules in enumerate(settlements(run, {} if changes is None else changes))
            for columns in run.iter_payments(place, rules, match_length(rules, sets))
        ]
        return pd.concat(frames, ignore_index=True)


def write_payments(run: Run, changes: Mapping[str, Any], out: Path, *, sets: int | None = None) -> int:
    """Write every payment of the matches of a run to a file, block by block; return how many there are.

    `out` ends in ``.parquet`` or ``.csv``; for the rest see `payments`.
    """
    from simkit.dataset.schema import PAYMENTS

    new, count = settlements(run, changes), 0
    with doubted(run), _RowsFile(out, new, f"simkit.{PAYMENTS.schema_name}") as write:
        for place, rules in enumerate(new):
            for columns in run.iter_payments(place, rules, match_length(rules, sets)):
                count += len(columns["match_id"])
                words = {
                    column.name: np.array(column.values, object)[columns[column.name]]
                    for column in PAYMENTS.data
                    if column.values
                }
                write.add(_labelled(run, place, columns | words))
    return count


def settle_summary(
    run: Run, changes: Mapping[str, Any], *, sets: int | None = None, out: Path | None = None
) -> tuple[Settled | SettledByTurns, ...]:
    """Settle a run again and sum up each of its plays; with `out`, also write the rows there.

    `out` ends in ``.parquet`` or ``.csv``. Rows are read block by block, so that a run of any size needs
    little memory.
    """
    new = settlements(run, changes)
    with doubted(run), ExitStack() as stack:
        write = stack.enter_context(_RowsFile(out, new)) if out is not None else None
        found: list[Settled | SettledByTurns] = []
        for place, rules in enumerate(new):
            sums = _Sums() if rules.match.players == 2 else _SumsByTurns(rules.match.players)
            for rows, own in settled_blocks(run, place, rules, sets):
                sums.add(rows, own)
                if write is not None:
                    write.add(_labelled(run, place, rows))
            found.append(sums.settled(run, place, rules, sets))
    return tuple(found)


def _refuse_no_rule(run: Run, path: str, value: Any) -> None:
    """Refuse a path that is no rule of a play of the run, as any change of it: raises ConfigError."""
    for play in run.plays:
        part: Any = play.rules
        for step in path.split("."):
            part = getattr(part, step, None)
        if part is None:
            apply_all(play.rules, {path: value})


def settlements(run: Run, changes: Mapping[str, Any]) -> tuple[RuleSet, ...]:
    """Return the rule set of each play with the settlement changed, and nothing else."""
    if not isinstance(changes, Mapping) or not all(isinstance(path, str) for path in changes):
        raise UsageError(
            f'changes: {changes!r} is not a mapping of settlement fields to values; {{"tail_of_sets": 0}} is one'
        )
    if not any(run.counts):
        raise UsageError(without_rows(run))
    if any(play.rules.settlement is None for play in run.plays):
        raise UsageError(
            f"{run.folder} holds {run.family.units.name} of {run.family.games}: {NO_SETTLEMENT}, which nothing "
            f"settles anew; what fits it: {TABLES_QUESTIONS}"
        )
    paths: dict[str, Any] = {}
    for path, value in changes.items():
        place = _place(path)
        if "." not in place and place != "settlement":
            place = f"settlement.{place}"
        if place.partition(".")[0] != "settlement":
            _refuse_no_rule(run, place, value)
            raise UsageError(
                f"{path} is a rule of play: with another value other matches are played, so simulate them; "
                "settling again can change settlement.* only"
            )
        if place in paths:
            raise UsageError(f"{place} is given twice")
        paths[place] = value
    return tuple(apply_all(play.rules, paths) for play in run.plays)


def settled_blocks(
    run: Run, place: int, rules: RuleSet, sets: int | None = None
) -> Iterator[tuple[Columns, NDArray[np.int8]]]:
    """Yield settled matches block by block, with their winner under the run's own settlement.

    Of more than two players the latter is whether each has the same money under it, bool (matches,).
    """
    from simkit.settle import SETTLED_FROM, settle, settle_parties

    own = run.plays[place].rules
    length = match_length(own, sets)
    if own.match.players > 2:
        yield from _blocks_by_turns(run, place, rules, length)
        return
    if isinstance(rules.match, Combine) and isinstance(own.match, Combine):
        from simkit.honours import settle_combined

        seed = run.plays[place].seed
        for rows, games in run.iter_combined(place, SETTLED_FROM):
            settled = settle_combined(rows, games, rules.match, n_sets=length, seed=seed)
            yield settled, settle_combined(rows, games, own.match, n_sets=length, seed=seed)["winner"]
        return
    for rows in run.iter_sets(place, SETTLED_FROM):
        if isinstance(rules.match, Written) and isinstance(own.match, Written):
            settled = settle(rows, rules.match.settlement, n_sets=length, seed=run.plays[place].seed)
            yield (
                settled,
                settle(rows, own.match.settlement, n_sets=length, seed=run.plays[place].seed)["winner"],
            )
        elif isinstance(rules.match, TwelveHoles) and isinstance(own.match, TwelveHoles):
            settled = settle_parties(rows, rules.match.settlement, n_parties=length)
            yield settled, settle_parties(rows, own.match.settlement, n_parties=length)["winner"]


def _blocks_by_turns(
    run: Run, place: int, rules: RuleSet, length: int
) -> Iterator[tuple[Columns, NDArray[Any]]]:
    """Yield settled matches of three players or more, and whether they come to the same as in the run."""
    from simkit.settle_turns import TURNS_SETTLED_FROM, settle_by_turns

    own, seed = run.plays[place].rules.match, run.plays[place].seed
    if isinstance(rules.match, Combine) and isinstance(own, Combine):
        from simkit.honours import settle_partners

        names = [f"money_{player + 1}" for player in range(own.players)]
        for rows, games in run.iter_combined(place, TURNS_SETTLED_FROM):
            settled = settle_partners(rows, games, rules.match, n_sets=length, seed=seed)
            before = settle_partners(rows, games, own, n_sets=length, seed=seed)
            yield settled, np.all([settled[name] == before[name] for name in names], axis=0)
        return
    assert isinstance(rules.match, Written) and isinstance(own, Written)
    names = [f"money_{player + 1}" for player in range(own.players)]
    for rows in run.iter_sets(place, TURNS_SETTLED_FROM):
        settled = settle_by_turns(rows, rules.match, n_sets=length, seed=seed)
        before = settle_by_turns(rows, own, n_sets=length, seed=seed)
        yield settled, np.all([settled[name] == before[name] for name in names], axis=0)


def match_length(rules: RuleSet, sets: int | None) -> int:
    """Return how many sets to settle, after checking that the matches have them."""
    match = rules.match if isinstance(rules.match, Combine) else rules.trictrac_match
    if isinstance(match, TwelveHoles):
        parties = match.parties
        return parties if sets is None else check_whole("sets", sets, 1, parties, f"{parties}, its parties")
    if sets is None:
        return match.sets
    if match.players > 2:
        check_whole("sets", sets, 1, match.sets, f"{match.sets}, the sets played")
        return int(replace(match, sets=sets).sets)
    if isinstance(sets, bool) or not isinstance(sets, int) or sets % 2 or not 2 <= sets <= match.sets:
        raise UsageError(f"sets: {sets!r} is not an even number from 2 to {match.sets}, the sets played")
    return sets


PARTS = ("written", "honours", "pool")
"""What the result of trictrac combiné is made of, as columns of settled matches."""


class _Sums:
    """Sums over settled matches; exact, so that blocks can be forgotten."""

    def __init__(self) -> None:
        self.parts: dict[str, list[int]] = {}
        self.unsettled = self.changed = 0
        self.winners = np.zeros(3, np.int64)
        self.sets_won = np.zeros(2, np.int64)
        self.total = self.size = self.squares = 0

    def add(self, rows: Columns, own_winner: NDArray[Any]) -> None:
        settled = rows["settled"]
        exact = rows["exact"][settled].astype(np.int64)
        self.unsettled += int((~settled).sum())
        self.changed += int((rows["winner"][settled] != own_winner[settled]).sum())
        self.winners += np.bincount(rows["winner"][settled], minlength=3)
        self.sets_won += [int(rows[name][settled].sum()) for name in ("sets_won_1", "sets_won_2")]
        self.total += int(exact.sum())
        self.size += int(np.abs(exact).sum())
        self.squares += int((exact * exact).sum())
        for name in PARTS:
            if name in rows:
                sums = self.parts.setdefault(name, [0, 0])
                sums[0] += int(rows[name][settled].sum())
                sums[1] += int((rows[name][settled] ** 2).sum())

    def settled(self, run: Run, place: int, rules: RuleSet, sets: int | None) -> Settled:
        from simkit.analysis import intervals

        play = run.plays[place]
        n = int(self.winners.sum())
        drawn, won_1, won_2 = map(int, self.winners)
        return Settled(
            rules=rules,
            player_1=play.labels["player_1"],
            player_2=play.labels["player_2"],
            sets=match_length(play.rules, sets),
            matches=n,
            unsettled=self.unsettled,
            won_1=won_1,
            won_2=won_2,
            drawn=drawn,
            changed=self.changed,
            sets_won_1=float(self.sets_won[0]) / n if n else float("nan"),
            sets_won_2=float(self.sets_won[1]) / n if n else float("nan"),
            result=intervals.mean(n, self.total, self.squares),
            size=intervals.mean(n, self.size, self.squares),
            parts={name: intervals.mean(n, *sums) for name, sums in self.parts.items()},
        )


class _SumsByTurns:
    """Sums over settled matches of three players or more."""

    def __init__(self, players: int) -> None:
        self.matches = self.unsettled = self.changed = 0
        self.won, self.lost, self.total, self.size, self.squares = np.zeros((5, players), np.int64)

    def add(self, rows: Columns, same: NDArray[Any]) -> None:
        settled = rows["settled"]
        players = range(1, len(self.won) + 1)
        money = np.stack([rows[f"money_{player}"][settled] for player in players], axis=1)
        self.matches += int(settled.sum())
        self.unsettled += int((~settled).sum())
        self.changed += int((~same[settled]).sum())
        self.won += (money > 0).sum(axis=0)
        self.lost += (money < 0).sum(axis=0)
        self.total += money.sum(axis=0)
        self.size += np.abs(money).sum(axis=0)
        self.squares += (money * money).sum(axis=0)

    def settled(self, run: Run, place: int, rules: RuleSet, sets: int | None) -> SettledByTurns:
        from simkit.analysis import intervals

        play = run.plays[place]
        money, size = (
            tuple(
                intervals.mean(self.matches, int(total), int(squares))
                for total, squares in zip(sums, self.squares, strict=True)
            )
            for sums in (self.total, self.size)
        )
        return SettledByTurns(
            rules=rules,
            players=tuple(player.name for player in play.players),
            sets=match_length(play.rules, sets),
            matches=self.matches,
            unsettled=self.unsettled,
            changed=self.changed,
            won=tuple(map(int, self.won)),
            lost=tuple(map(int, self.lost)),
            money=money,
            size=size,
        )


class _RowsFile:
    """A Parquet or CSV file of settled matches that appears whole or not at all."""

    def __init__(self, path: Path, rules: Sequence[RuleSet], schema: str = "simkit.settled/1") -> None:
        self._schema = schema
        if problem := problem_of_file(path, (".parquet", ".csv")):
            raise UsageError(f"out: {path} cannot be written: {problem}")
        self._path = path.resolve()
        self._partial = draft_of(self._path)
        self._rules = json.dumps([json.loads(one.to_json()) for one in rules], ensure_ascii=False)
        self._writer: Any = None

    def __enter__(self) -> _RowsFile:
        return self

    def add(self, columns: Mapping[str, Any]) -> None:
        import pyarrow as pa

        table = pa.table({name: pa.array(values) for name, values in columns.items()})
        try:
            if self._writer is None:
                self._writer = self._opened(table.schema)
            self._writer.write_table(table)
        except OSError as error:
            raise SimkitError(f"{self._path} cannot be written: {error.strerror or error}") from error

    def _opened(self, schema: Any) -> Any:
        if self._path.suffix.lower() == ".csv":
            from pyarrow.csv import CSVWriter

            return CSVWriter(self._partial, schema)
        from pyarrow.parquet import ParquetWriter

        described = {"simkit.schema": self._schema, "simkit.rules": self._rules}
        return ParquetWriter(
            self._partial, schema.with_metadata(described), compression="zstd", write_page_checksum=True
        )

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
                if kind is None:
                    self._partial.replace(self._path)
        except OSError as error:
            raise SimkitError(f"{self._path} cannot be written: {error.strerror or error}") from error
        finally:
            self._partial.unlink(missing_ok=True)


def _labelled(run: Run, place: int, rows: Columns) -> dict[str, Any]:
    """Put a play's labels before its rows."""
    n = len(rows["match_id"])
    return {
        name: np.repeat(np.array([label], object), n) for name, label in run.plays[place].labels.items()
    } | rows


def _usual_player(rules: RuleSet) -> str:
    """Who plays both sides where nobody is named."""
    if not isinstance(rules.match, PointMatch):
        return "greedy"
    return "tables_cube" if rules.match.cube else "tables_linear"


def _named(players: Any) -> str | Player | tuple[str | Player, ...]:
    """Players as they were given, several in a tuple; each is found, or refused, by the catalogue."""
    several = items_of(players)
    return players if several is None else several


def _starting(starts: State | Sequence[State]) -> tuple[State, ...]:
    """Where matches start."""
    from simkit.drivers import State

    return check_items("starts", starts, State, "a start, as simkit.start makes them, or a list of them")


def check_progress(progress: object) -> None:
    """Refuse what cannot be told of rounds."""
    told = all(callable(getattr(progress, name, None)) for name in ("begin", "show", "complete", "flush"))
    if progress is not None and not told:
        refuse("progress", progress, "a reporter, as those of simkit.progress")


CHANGES = "a mapping of rules to values, as {'settlement.tail_of_sets': 0}"


def _variations(vary: Any) -> list[dict[str, Any]]:
    """The changes of each variant."""
    accepted = f"{CHANGES}, a text, as 'settlement.tail_of_sets=0', or a list of these"
    each = (vary,) if isinstance(vary, Mapping | str) else items_of(vary)
    if each is None:
        refuse("vary", vary, accepted)
    return [
        dict([read_change("vary", one)]) if isinstance(one, str) else check_mapping("vary", one, accepted)
        for one in each
    ]


def _at_table(players: str | Player | Sequence[str | Player], rules: RuleSet) -> Players:
    """Find the players of a match, in the order of their numbers; one alone plays for all."""
    places = rules.match.players
    players = _named(players)
    if not isinstance(players, tuple):
        return (catalogue.player(players),) * places
    if len(players) != places:
        more = " (match.players changes that)" if isinstance(rules.match, PoolFill | PoolDrain) else ""
        raise UsageError(f"players: {len(players)} given; a match by {rules.name} has {places}{more}")
    return tuple(map(catalogue.player, players))


def _place(path: str) -> str:
    """Name a rule as `simkit show` does; JSON has the settlement within the match."""
    return path.removeprefix("match.") if f"{path}.".startswith("match.settlement.") else path


def _spelled(rules: RuleSet, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Look up the values that changed paths have now."""
    found = {}
    for path in map(_place, changes):
        value: Any = rules
        for step in path.split("."):
            value = getattr(value.match if step == "settlement" else value, step)
        found[path] = value
    return found
