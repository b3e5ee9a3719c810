"""What a run folder describes, found again as values that can be played: rules, players, seed, starts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from simkit import catalogue
from simkit.api import found_again
from simkit.dataset import PlaySpec, StoredPlay
from simkit.dataset.folder import DATASET, describe_run, read_journal, read_promised
from simkit.errors import ConfigError, SimkitError, UsageError
from simkit.experiment import Experiment, design


def plays_again(name: str, plays: Sequence[StoredPlay]) -> tuple[PlaySpec, ...]:
    """The plays of a run, with their players as they were.

    Players come from the experiment the run is named after, which may seat them in a way of its own, else from
    the catalogue by name, else from any other experiment.

    Raises
    ------
    UsageError
        A player is unknown, or is another now than when this was played.
    """
    seeds = {play.seed for play in plays}
    known = dict(_designed(name, seeds)) if name in catalogue.names().experiments else {}
    found = []
    for play in plays:
        key = _key(play)
        if key not in known:
            try:
                players = found_again(play)
            except UsageError:
                for other in catalogue.names().experiments:
                    known |= dict(_designed(other, seeds))
                if key not in known:
                    raise
            else:
                known[key] = PlaySpec(play.rules, players, play.seed, play.starts)
        found.append(replace(known[key], rules=play.rules))
    return tuple(found)


def experiment_of(name: str, plays: Sequence[StoredPlay]) -> Experiment | None:
    """The experiment of the catalogue that made a run of this name, with the run's seed; None if none did."""
    if name not in catalogue.names().experiments:
        return None
    declared = replace(catalogue.experiment(name), seed=plays[0].seed)
    planned = [StoredPlay.of(play).identity for play in design(declared).plays]
    return declared if planned == [play.identity for play in plays] else None


def written_with(folder: Path) -> str:
    """The command that wrote a run, in words where `run.json` and the journal do not tell all of it."""
    try:
        found = describe_run(folder)
        promised = read_promised(folder, found.plays, found.dice) or ()
        parts = () if found.rows_of else read_journal(folder, found.plays, lambda _: None)
    except SimkitError:
        return "the command that wrote it"
    play = found.plays[0]
    matches = max(sum(part.matches for part in parts), sum(count for _, _, count in promised))
    if (folder / DATASET).exists():
        return f"simkit dataset {found.name} with the options it was built with"
    if (experiment := experiment_of(found.name, found.plays)) is not None:
        own = catalogue.experiment(found.name).seed == experiment.seed
        return f"`simkit run {found.name}{'' if own else f' --seed {experiment.seed}'}`"
    place = f"--out {shlex.quote(str(folder))}"
    if len(found.plays) > 1 or play.starts or not _listed(play):
        return f"the simkit command that wrote it, with {place},"
    players = ",".join(player.name for player in play.players)
    asked = f"--players {players} --matches {matches} --seed {play.seed}"
    return f"`simkit simulate {play.rules.name} {asked} {place}`"


def _listed(play: StoredPlay) -> bool:
    """Whether the catalogue knows rules and players by their names, as they were."""
    try:
        found_again(play)
        return catalogue.listed_rule_set(play.rules.name).digest == play.rules.digest
    except SimkitError:
        return False


def _designed(name: str, seeds: set[int]) -> Iterator[tuple[str, PlaySpec]]:
    """The plays of an experiment of the catalogue under these seeds, by what identifies them."""
    for seed in seeds:
        try:
            planned = design(replace(catalogue.experiment(name), seed=seed)).plays
        except ConfigError:  # an experiment that cannot be asks for nothing
            continue
        for play in planned:
            yield _key(StoredPlay.of(play)), play


def _key(play: StoredPlay) -> str:
    return repr(play.identity)
