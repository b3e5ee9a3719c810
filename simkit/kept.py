"""What an experiment found, read from its folder without a row of it: estimates, and `page.json` beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from simkit.analysis import estimates as rows
from simkit.analysis.precision import Stop
from simkit.analysis.question import MAIN
from simkit.analysis.sanity import MOST_CAPPED
from simkit.dataset import DICE, PlaySpec, Run, StoredPlay, matches_estimated, read_estimates
from simkit.dataset.estimated import number_faults
from simkit.dataset.folder import digest_of, file_sha256, json_bytes, lock, parse_json, publish, writing
from simkit.errors import VerificationFailed
from simkit.example import Example, example
from simkit.experiment import Design, Experiment, ExperimentResult, design, stored_verdicts, wanted
from simkit.files import read_plain
from simkit.rules import PoolDrain, PoolFill, RuleSet, Written

if TYPE_CHECKING:
    import pandas as pd

FILE: Final = "page.json"
SCHEMA: Final = "simkit.page/1"
SEAL: Final = "sha256"
"""The digest that `page.json` carries of its other content; older versions of simkit wrote none."""
REMEDY: Final = "restore it, or take it away: the page then says what the estimates alone tell"


class RowlessRun(Run):
    """A run whose numbers are kept, and of which no row is read."""

    def __init__(self, folder: Path, name: str, plays: tuple[StoredPlay, ...], held: Sequence[int]) -> None:
        super().__init__(folder, name, plays, ())
        self._held = tuple(held)

    @property
    def counts(self) -> tuple[int, ...]:
        """Matches of each play that the estimates rest on."""
        return self._held


# ---------------------------------------------------------------- the match to show


def shown_play(experiment: Experiment) -> PlaySpec:
    """Of which play a match is shown: by the first rule set, as it is, and the first pair of players."""
    found = design(experiment)
    rules = found.rules[0]
    play = found.plays[found.place[rules.name, experiment.players[0]][MAIN]]
    return PlaySpec(rules, play.players, play.seed)


def example_of(experiment: Experiment) -> Example | None:
    """The match to show of an experiment, played anew."""
    play = shown_play(experiment)
    return example(play.rules, play.players, play.seed)


def _key(experiment: Experiment) -> dict[str, Any]:
    """What a match to show hangs on."""
    return {"dice": DICE, **StoredPlay.of(shown_play(experiment)).identity}


# ---------------------------------------------------------------- writing


def keep(folder: Path, result: ExperimentResult) -> None:
    """Write `page.json`: what the page needs beside `estimates.parquet`, which is there already."""
    stop = None if result.stop is None else asdict(result.stop)
    names = ("rules", "player_1", "player_2", "matches", "truncated", "sets")
    looks = [
        {name: value if isinstance(value, str) else int(value) for name, value in row.items()}
        for row in result.sanity[list(names)].to_dict("records")
    ]
    plain = {
        "schema": SCHEMA,
        "estimates_sha256": file_sha256(folder / "estimates.parquet"),
        "command": result.command,
        "matches": list(result.run.counts),
        "stop": stop,
        "looks": looks,
        "example_of": _key(result.experiment),
        "example": None if result.example is None else result.example.to_plain(),
    }
    with writing(folder), lock(folder):
        publish(folder, FILE, json_bytes({**plain, SEAL: digest_of(plain)}))
        (folder / ".staging").rmdir()


# ---------------------------------------------------------------- reading


def seal_fits(plain: Mapping[str, Any]) -> bool:
    """Whether what `page.json` says is what was written; true also where it carries no digest of itself."""
    rest = {name: value for name, value in plain.items() if name != SEAL}
    return SEAL not in plain or plain[SEAL] == digest_of(rest)


def kept(experiment: Experiment, run: Run, seed: int | None = None) -> ExperimentResult | None:
    """What an experiment found, from the files beside the rows; None where they do not tell all of it.

    Parameters
    ----------
    experiment : Experiment
        The declaration, with the seed of the run.
    run : Run
        Its folder, which may lack the rows. Estimates without `page.json`, written by an older simkit, do where
        nothing else has to be known.
    seed : int, optional
        The seed as the command is to name it, if that is not the experiment's own.

    Raises
    ------
    VerificationFailed
        The estimates are damaged, or `page.json` was changed after it was written.
    """
    if not matches_estimated(run.folder):
        if (run.folder / "estimates.parquet").exists() and not any(run.counts):
            read_estimates(run.folder)  # which says what is wrong with them, as no rows can mend it
        return None
    found, stored = design(experiment), _typed(read_estimates(run.folder))
    plain = _read(run.folder)
    for words in number_faults(stored):
        raise VerificationFailed(
            f"{run.folder / 'estimates.parquet'}: {words}; simkit report --anew reckons them"
        )
    looks = {tuple(row[name] for name in KEY): row for row in plain.get("looks", ())}
    sanity = list(_sanity(found, stored, looks))
    if any(math.isnan(row["sets"]) for row in sanity):
        return None
    held = plain.get("matches") or _held(experiment, found, sanity)
    import pandas as pd

    return ExperimentResult(
        experiment=experiment,
        rules=found.rules,
        players=found.players,
        run=RowlessRun(run.folder, run.name, run.plays, held),
        estimates=stored.loc[~stored["measure"].str.startswith("sanity_")].reset_index(drop=True),
        stored=stored,
        sanity=pd.DataFrame(sanity),
        verdicts=tuple(stored_verdicts(experiment, stored)),
        same=found.same,
        command=plain.get("command") or _command(experiment, found, held, seed),
        stop=_stop(plain.get("stop")),
        example=_example(experiment, plain),
    )


KEY: Final = ("rules", "player_1", "player_2")
WORDS: Final = ("measure", *KEY, "contrast", "detail", "unit", "method")


def _typed(stored: pd.DataFrame) -> pd.DataFrame:
    """The table of estimates with the types it has when it is made."""
    words = {name: stored[name].astype(object).where(stored[name].notna(), None) for name in WORDS}
    whole = {"sets": "Int16", "tail_of_sets": "Int32", "tokens_per_set": "Int16", "n": "int64"}
    return stored.assign(**words).astype(whole)[list(rows.COLUMNS)]


def _read(folder: Path) -> Mapping[str, Any]:
    """What `page.json` says; nothing if there is none.

    Raises
    ------
    VerificationFailed
        It is not what was written, or is of other estimates.
    """
    path = folder / FILE
    if not path.exists() and not path.is_symlink():
        return {}
    try:
        plain = parse_json(FILE, read_plain(path))
    except OSError as error:
        raise VerificationFailed(f"{path} cannot be read: {error.strerror or error}; {REMEDY}") from error
    except VerificationFailed as error:
        raise VerificationFailed(f"{path} was changed after it was written: {error}; {REMEDY}") from error
    if not isinstance(plain, dict) or plain.get("schema") != SCHEMA:
        raise VerificationFailed(f"{path} does not tell what the page needs (schema {SCHEMA}); {REMEDY}")
    if not seal_fits(plain):
        raise VerificationFailed(f"{path} was changed after it was written; {REMEDY}")
    if plain.get("estimates_sha256") != file_sha256(folder / "estimates.parquet"):
        raise VerificationFailed(
            f"{folder / 'estimates.parquet'} is not the one that {FILE} names; restore it, or reckon it from the "
            "rows: simkit report --anew"
        )
    return dict(plain)


def _example(experiment: Experiment, plain: Mapping[str, Any]) -> Example | None:
    if plain.get("example_of") != _key(experiment) or not plain.get("example"):
        return None
    try:
        return Example.from_plain(plain["example"])
    except (KeyError, TypeError, ValueError):  # of another version
        return None


def _stop(plain: Mapping[str, Any] | None) -> Stop | None:
    return None if plain is None else Stop(**{**plain, "looks": tuple(plain["looks"])})


def _sanity(
    found: Design, stored: pd.DataFrame, looks: Mapping[tuple[str, ...], Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The rows of the sanity table, as `simkit.analysis.sanity.sanity_row` makes them."""
    by_name = {rules.name: rules for rules in found.rules}
    of_play = stored.loc[stored["measure"].str.startswith(LOOK)]
    for name, pair in found.place:
        own = rows.estimates(rows.part(of_play, name, *pair))
        known = {one.measure.removeprefix(LOOK): one.interval for one in own}
        matches = own[0].interval.n if own else 0
        look = looks.get((name, *pair)) or {
            "truncated": 0,
            "sets": _units(by_name[name], matches, own[0].sets) if not known["capped"].mean else math.nan,
        }
        row = {
            "rules": name,
            "player_1": pair[0],
            "player_2": pair[1],
            "matches": matches,
            "truncated": look["truncated"],
            "sets": look["sets"],
            "usable": known["capped"].mean <= MOST_CAPPED,
        }
        for number, interval in known.items():
            row |= {number: interval.mean, f"{number}_low": interval.low, f"{number}_high": interval.high}
        yield row


LOOK: Final = "sanity_"


def _units(rules: RuleSet, matches: int, sets: int | None) -> float:
    """Sets of so many whole matches; NaN where their number is not fixed."""
    if isinstance(rules.match, PoolFill | PoolDrain):
        return math.nan
    return matches * (sets or 1) if isinstance(rules.match, Written) else matches


def _held(experiment: Experiment, found: Design, sanity: Sequence[Mapping[str, Any]]) -> list[int]:
    """Matches of each play, by those of each pair."""
    of_pair = {(row["player_1"], row["player_2"]): row["matches"] for row in sanity}
    each = []
    for times, pair in zip(found.times, found.pair, strict=True):
        name = experiment.players[pair]
        main = next(place[MAIN] for (_, names), place in found.place.items() if names == name)
        each.append(times * of_pair[name] // found.times[main])
    return each


def _command(experiment: Experiment, found: Design, held: Sequence[int], seed: int | None) -> str:
    matches = "" if list(held) == wanted(experiment, found) else f" --matches {min(held)}"
    return f"simkit run {experiment.name}{matches}{'' if seed is None else f' --seed {seed}'}"
