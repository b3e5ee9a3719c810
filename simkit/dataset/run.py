"""A run as its reader sees it: plays, frames, streams of rows, digests, and the files made from them."""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simkit import __version__
from simkit.arguments import check_text, check_type, check_whole, items_of, refuse
from simkit.dataset.folder import (
    CARD,
    DATASET,
    JOURNAL,
    LARGE_JSON,
    MANIFEST,
    OLDER_DICE,
    RUN,
    Described,
    FolderWriter,
    Part,
    Sums,
    check_labels,
    figure_columns,
    file_sha256,
    lock,
    manifest,
    publish,
    read_journal,
    read_json,
    read_promised,
    read_run,
    refuse_unnamed,
    rows_in,
    run_json,
    sound,
    sum_figures,
    unsound_file,
    write_manifest,
    writing,
)
from simkit.dataset.parquet import (
    REMEDY,
    ColumnHash,
    arrow_schema,
    damaged,
    encode,
    not_played,
    read_blocks,
    read_frame,
)
from simkit.dataset.plays import (
    DICE,
    MAX_MATCHES,
    PlaySpec,
    StoredPlay,
    canonical,
    check_path,
    check_plays,
    run_digest,
)
from simkit.dataset.schema import (
    ESTIMATES,
    FIGURE_SUMS,
    GAMES,
    HONOURS_GAMES,
    PAYMENTS,
    SETS,
    TOUTES_TABLES,
    Column,
    Family,
    Table,
)
from simkit.errors import FolderMismatch, UsageError, VerificationFailed, mistrusted
from simkit.files import read_plain
from simkit.paid import payments_of
from simkit.rules import Combine, RuleSet, TwelveHoles, Written, diff, rule_words
from simkit.settle import SETTLED_FROM
from simkit.settle_turns import TURNS_SETTLED_FROM

if TYPE_CHECKING:
    import pandas as pd


class Run:
    """A run folder, open for reading; made by `open_run`.

    It shows everything the folder holds, be it more or fewer matches than somebody last asked for.

    Attributes
    ----------
    folder : Path
        Where it is.
    name : str
        Name of the run; empty if its folder was named instead.
    plays : tuple of StoredPlay
        What was played, in the order used by `counts` and the argument `play` of the methods.
    parts : tuple of Part
        The published stretches, ordered by play and first match.
    new_matches : int
        Matches added by the call that returned this run; 0 for one that was only opened.
    rows_in : tuple of Path
        The folders that hold the rows, one for each play, where the folder does not hold them itself.
    limits : tuple of int
        The matches of each play that count then: the first so many, should there be more.
    dice : str
        The dice it was played with; a run of older ones can be read, and not gone on with.
    fresh : bool
        Whether all matches, also those that do not count, were added by the call that returned this run.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        plays: tuple[StoredPlay, ...],
        parts: tuple[Part, ...],
        new_matches: int = 0,
        rows_in: tuple[Path, ...] = (),
        limits: tuple[int, ...] = (),
        dice: str = DICE,
        fresh: bool | None = None,
    ) -> None:
        self.folder = folder
        self.name = name
        self.plays = plays
        self.parts = parts
        self.new_matches = new_matches
        self.rows_in = rows_in
        self.limits = limits
        self.dice = dice
        self.fresh = new_matches >= sum(part.matches for part in parts) if fresh is None else fresh

    def first(self, matches: Sequence[int]) -> Run:
        """The same run with the first so many matches of each play, and nothing of the others."""
        several = items_of(matches)
        if several is None or len(several) != len(self.plays):
            refuse("matches", matches, f"a list of {len(self.plays)}, a number of matches for each play")
        matches = [
            check_whole("matches", int(one) if isinstance(one, np.integer) else one, 0, MAX_MATCHES)
            for one in several
        ]
        if all(held <= some for held, some in zip(self.counts, matches, strict=True)):
            return self
        parts = tuple(part for part in self.parts if part.first < matches[part.play])
        return Run(
            self.folder,
            self.name,
            self.plays,
            parts,
            self.new_matches,
            self.rows_in,
            tuple(matches),
            self.dice,
            self.fresh,
        )

    def is_cut(self, part: Part) -> bool:
        """Whether some matches of a part do not count."""
        return self._counted(part) < part.matches

    def path(self, part: Part, table: Table) -> Path:
        """The file of a part that holds its rows of a table."""
        if not self.rows_in:
            return self.folder / part.path(table)
        return self.rows_in[part.play] / replace(part, play=0).path(table)

    def __repr__(self) -> str:
        held = ", ".join(
            f"{play.title} ({count} matches)" for play, count in zip(self.plays, self.counts, strict=True)
        )
        return f"Run({self.digest[:12]}: {held})"

    @property
    def digest(self) -> str:
        """64 hex digits of what was played; the number of matches is no part of it."""
        return run_digest(self.plays, self.dice)

    @property
    def family(self) -> Family:
        """What is kept of its plays, which are all of one family of games."""
        return self.plays[0].family

    @property
    def counts(self) -> tuple[int, ...]:
        """Matches held of each play."""
        return tuple(
            sum(self._counted(part) for part in self.parts if part.play == play)
            for play in range(len(self.plays))
        )

    @property
    def complete(self) -> bool:
        """Whether the last run came to its end: there is a manifest, and it counts the matches held."""
        try:
            plain = read_json(self.folder / MANIFEST, LARGE_JSON)
            return tuple(play["matches"] for play in plain["plays"]) == self.counts
        except (VerificationFailed, KeyError, TypeError):
            return False

    @cached_property
    def matches(self) -> pd.DataFrame:
        """All rows of `matches`, by play and match; the labels are categoricals. Read once, then kept."""
        return self._frame(self.family.matches)

    @cached_property
    def sets(self) -> pd.DataFrame:
        """All rows of `sets`, by play, match and set: some 60 bytes each. Read once, then kept.

        `iter_sets` reads the same rows block by block.

        Raises
        ------
        UsageError
            The run holds games of toutes tables or backgammon.
        """
        return self._frame(self._units(SETS))

    @cached_property
    def games(self) -> pd.DataFrame:
        """All rows of `games`, by play, match and game, of a run of toutes tables or backgammon.

        Raises
        ------
        UsageError
            The run holds sets or parties of trictrac.
        """
        return self._frame(self._units(GAMES))

    @cached_property
    def honours_games(self) -> pd.DataFrame:
        """All rows of `honours_games`, by play, match and game, of a run of trictrac combiné.

        Raises
        ------
        UsageError
            The run holds another game.
        """
        self._combined()
        return self._frame(HONOURS_GAMES)

    @cached_property
    def shares(self) -> pd.DataFrame:
        """All rows of `shares`, by play, pool and player, of a run of pools.

        Raises
        ------
        UsageError
            The run holds no pools.
        """
        return self._frame(self._kept("shares"))

    @cached_property
    def figures(self) -> pd.DataFrame:
        """Times and points of every award, one row per play, side and figure, exact over all matches held.

        Raises
        ------
        UsageError
            The run holds games of toutes tables or backgammon, which score no figures.
        """
        self._units(SETS)
        return figures_frame(self.plays, self.figure_sums())

    @property
    def estimates(self) -> pd.DataFrame:
        """The table of estimates.

        Raises
        ------
        UsageError
            None has been written yet.
        """
        return read_estimates(self.folder)

    def figure_sums(self) -> list[Sums]:
        """Per play, int64 of shape (2 sides, figures, 2): ways and points, in the order of `FIGURES`.

        They are kept by parts only: where a limit lies within a part, all of its matches are in the sums.
        """
        return sum_figures(self.parts, len(self.plays), len(self.family.figures))

    def iter_matches(
        self, play: int = 0, columns: Sequence[str] | None = None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """The rows of `matches` of one play in blocks; see `iter_sets`."""
        self.check_play(play)
        return self._blocks(self.plays[play].family.matches, play, columns)

    def iter_sets(
        self, play: int = 0, columns: Sequence[str] | None = None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """The rows of `sets` of one play in blocks of whole matches, ordered by match and set.

        Parameters
        ----------
        play : int
            Place in `plays`.
        columns : sequence of str, optional
            Columns to read, all data columns if not given. Labels are the play's own and not among them;
            `ended_by` comes as int8 codes, places in `ENDED_BY`.

        Yields
        ------
        dict of str to ndarray
            Columns of equal length with the types of the schema: 65,536 rows and the rest of a chunk, fewer
            at the end of a file.

        Raises
        ------
        UsageError
            No such play or column, or the run holds games of toutes tables or backgammon.
        VerificationFailed
            A file is damaged.
        """
        return self._blocks(self._units(SETS, play), play, columns)

    def iter_games(
        self, play: int = 0, columns: Sequence[str] | None = None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """The rows of `games` of one play in blocks, as `iter_sets`, of a run of toutes tables or backgammon."""
        return self._blocks(self._units(GAMES, play), play, columns)

    def iter_combined(
        self, play: int = 0, columns: Sequence[str] | None = None
    ) -> Iterator[tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]]:
        """The rows of `sets` in blocks as `iter_sets`, each with the `honours_games` of the same matches.

        Raises
        ------
        UsageError
            No such play or column, or the run holds no trictrac combiné.
        VerificationFailed
            A file is damaged.
        """
        self._combined()
        self.check_play(play)
        for part in (one for one in self.parts if one.play == play):
            blocks = list(self._part_blocks(part, HONOURS_GAMES, None))
            games = {
                column.name: np.concatenate([np.zeros(0, _dtype(column)), *(b[column.name] for b in blocks)])
                for column in HONOURS_GAMES.data
            }
            wanted = columns if columns is None or "match_id" in columns else (*columns, "match_id")
            for block in self._part_blocks(part, self.family.units, wanted):
                ends = np.searchsorted(games["match_id"], (block["match_id"][0], block["match_id"][-1] + 1))
                sets = {name: block[name] for name in columns or block}
                yield sets, {name: column[slice(*ends)] for name, column in games.items()}

    @cached_property
    def payments(self) -> pd.DataFrame:
        """Every payment of its matches under the settlement of the run itself: table `payments`.

        They are reckoned from the rows when first asked for; `simkit.payments` lists those of another settlement.

        Raises
        ------
        UsageError
            The run holds pools, or matches to points.
        """
        import pandas as pd

        with doubted(self):
            frames = [
                payment_frame(self.plays[play].labels, columns)
                for play, one in enumerate(self.plays)
                for columns in self.iter_payments(play, one.rules)
            ]
            return pd.concat(frames, ignore_index=True)

    def iter_payments(
        self, play: int, rules: RuleSet, n_sets: int | None = None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """The payments of whole matches in blocks, as `simkit.paid.payments_of` lists them.

        `rules` has the settlement, and is otherwise what was played.
        """
        self.check_play(play)
        check_type("rules", rules, RuleSet, "a rule set")
        if n_sets is not None:
            check_whole("n_sets", n_sets, 1, MAX_MATCHES)
        seed = self.plays[play].seed
        columns = TURNS_SETTLED_FROM if rules.match.players > 2 else SETTLED_FROM
        if not isinstance(rules.match, Combine | Written | TwelveHoles):
            payments_of(rules, {})  # which says why there are none
        if HONOURS_GAMES in self.family.others:
            for rows, games in self.iter_combined(play, columns):
                yield payments_of(rules, rows, games, n_sets=n_sets, seed=seed)
            return
        for rows in self.iter_sets(play, columns):
            yield payments_of(rules, rows, n_sets=n_sets, seed=seed)

    def _combined(self) -> None:
        """Refuse a run of another game, which has no games of honours."""
        if HONOURS_GAMES not in self.family.others:
            raise UsageError(f"{self.folder} holds {self.family.games} and no games of honours")

    def iter_rows(
        self, table: str, play: int = 0, columns: Sequence[str] | None = None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """The rows of any table that grows with the matches, by its name, in blocks of whole matches.

        Raises
        ------
        UsageError
            The run keeps no table of that name.
        """
        self.check_play(play)
        check_text("table", table)
        return self._blocks(self._kept(table, play), play, columns)

    def _kept(self, name: str, play: int = 0) -> Table:
        """The table of that name which this run keeps of a play."""
        family = self.plays[play].family
        for table in family.played:
            if table.name == name:
                return table
        held = ", ".join(table.name for table in family.played)
        raise UsageError(f"{self.folder} holds {held} of {family.games} and no {name}")

    def _units(self, table: Table, play: int | None = None) -> Table:
        """The table of that name which this run keeps of a play, or of all its plays."""
        place = 0 if play is None else play
        self.check_play(place)
        held = self.plays[place].family.units
        if held.name != table.name:
            raise UsageError(
                f"{self.folder} holds {held.name} of {self.family.games} and no {table.name}; read its "
                f"{held.name}"
            )
        if play is None and any(one.family.units is not held for one in self.plays):
            raise UsageError(
                f"{self.folder} gathers plays that keep other columns of {held.name}; iter_{held.name} reads "
                "them play by play"
            )
        return held

    def of_match(self, match: int, play: int = 0) -> dict[str, dict[str, NDArray[Any]]]:
        """The rows of one match, by table: one of `matches`, and all of `sets` (or `games`) in order.

        Columns are those of `iter_sets`; only the file that holds the match is read.

        Raises
        ------
        UsageError
            No such play, or a match the run does not hold.
        VerificationFailed
            A file is damaged, or lacks the match.
        """
        self.check_play(play)
        held = self.counts[play]
        if isinstance(match, bool) or not isinstance(match, int) or not 0 <= match < held:
            words = f"matches 0 to {held - 1}" if held else "no match"
            raise UsageError(f"match {match!r}: {self.folder} holds {words} of {self.plays[play].title}")
        part = next((one for one in self.parts if one.play == play and one.first <= match < one.end), None)
        if part is None:
            raise UsageError(
                f"match {match}: {self.folder} does not hold it yet; the command that made the run goes on from "
                "there"
            )
        found = {}
        for table in self.plays[play].family.played:
            none = {column.name: np.zeros(0, _dtype(column)) for column in table.data}
            found[table.name] = none
            for block in read_blocks(self.path(part, table), table):
                rows = block["match_id"] == match
                if rows.any():  # no match is divided between blocks
                    found[table.name] = {name: column[rows] for name, column in block.items()}
                    break
            if found[table.name] is none and table not in self.family.others:
                raise damaged(part.path(table), f"lacks match {match}")
        return found

    def check_play(self, play: int) -> None:
        """Refuse a number that is no play of the run, with UsageError."""
        if isinstance(play, bool) or not isinstance(play, int) or not 0 <= play < len(self.plays):
            raise UsageError(f"play: {play} is not one of the {len(self.plays)} of this run, counted from 0")

    def _blocks(
        self, table: Table, play: int, columns: Sequence[str] | None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        self.check_play(play)
        for part in self.parts:
            if part.play == play:
                yield from self._part_blocks(part, table, columns)

    def _part_blocks(
        self, part: Part, table: Table, columns: Sequence[str] | None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        path = self.path(part, table)
        if self._counted(part) == part.matches:
            blocks = read_blocks(path, table, columns)
        else:
            blocks = _first_rows(path, table, columns, self.limits[part.play])
        at = part.first
        for block in blocks:
            if "match_id" in block and len(block["match_id"]):
                ids = block["match_id"]
                if ids[0] < at or ids[-1] >= part.end or (ids[1:] < ids[:-1]).any():
                    raise not_played(path, "matches that are not its own, or not in their order")
                at = ids[-1]
            yield block

    def _counted(self, part: Part) -> int:
        """Matches of a part that count."""
        return min(part.end, self.limits[part.play]) - part.first if self.limits else part.matches

    def _frame(self, table: Table) -> pd.DataFrame:
        frame = read_frame([self.path(part, table) for part in self.parts], table)
        if not self.limits:
            return frame  # type: ignore[no-any-return]
        rows = [part.files[table.name].rows for part in self.parts]
        limit = np.repeat([self.limits[part.play] for part in self.parts], rows)
        return frame.loc[frame["match_id"].to_numpy() < limit].reset_index(drop=True)  # type: ignore[no-any-return]


def _dtype(column: Column) -> str:
    """The type of a column of a block: a category comes as its code."""
    return "int8" if column.dtype == "category" else column.dtype


def _first_rows(
    path: Path, table: Table, columns: Sequence[str] | None, limit: int
) -> Iterator[dict[str, NDArray[Any]]]:
    """The rows of a file that belong to matches below a limit, in blocks."""
    wanted = columns if columns is None or "match_id" in columns else (*columns, "match_id")
    for block in read_blocks(path, table, wanted):
        counted = block["match_id"] < limit
        if counted.any():
            yield {name: block[name][counted] for name in columns or block}


def open_run(folder: str | Path) -> Run:
    """Open a run folder for reading; rows that lie in other runs are read from there.

    Raises
    ------
    UsageError
        There is no run in this folder.
    VerificationFailed
        What it holds is not what its journal says, or `run.json` was changed; `play_run` mends both.
    """
    folder = check_path("folder", folder)
    found = read_run(folder)
    name, plays = found.name, found.plays
    if found.rows_of:
        run = _gathered(folder, name, plays, found.rows_of, found.matches, found.dice)
        if (folder / MANIFEST).exists():
            _refuse_fewer(run)
        return run
    return Run(folder, name, plays, _sound_parts(folder, plays, found.dice), dice=found.dice)


def _refuse_fewer(run: Run) -> None:
    """Refuse a finished run if another folder that has its rows holds fewer; git keeps a folder without any.

    Raises
    ------
    VerificationFailed
        With the folder.
    """
    for play, place, held, counted in zip(run.plays, run.rows_in, run.counts, run.limits, strict=True):
        kept = (place / JOURNAL).exists() or (place / play.family.matches.name).exists()
        if held < counted and kept:
            raise VerificationFailed(
                f"{place} holds {held} of the {counted} matches of {play.title} that {run.folder / MANIFEST} "
                f"counts; {REMEDY}"
            )


def without_rows(run: Run) -> str:
    """Say why a run holds no matches: they were not kept, or are not played yet; and what helps."""
    if not (run.folder / "estimates.parquet").exists() or (run.folder / JOURNAL).exists():
        return f"{run.folder} holds no matches yet; the command that made it goes on from there"
    try:
        told = read_json(run.folder / "page.json").get("command")
    except (VerificationFailed, AttributeError):
        told = None
    command = textwrap.shorten(told, 200) if isinstance(told, str) and told else f"simkit run {run.name}"
    return (
        f"{run.folder} was kept without its rows, and this needs them: {command} plays them and keeps them; "
        f"simkit reproduce {run.folder} --into DIR plays them elsewhere"
    )


def doubted(*runs: Run) -> AbstractContextManager[None]:
    """Tell whatever goes wrong with rows that are read as what no play leaves (`simkit.errors.mistrusted`).

    Digests vouch for nothing that comes from elsewhere, and what a play cannot leave takes as many checks as there
    are rules. A run of which this process has just played every match is not doubted.
    """
    old = list(dict.fromkeys(str(run.folder) for run in runs if not run.fresh))
    if not old:
        return nullcontext()
    return mistrusted(
        f"{' or '.join(old)} holds rows that no match has; simkit verify RUN --replay all tells which"
    )


def figures_frame(plays: Sequence[StoredPlay], sums: Sequence[Sums]) -> pd.DataFrame:
    """Times and points of every award, one row per play, side and figure."""
    import pandas as pd

    frames = []
    for play, one in zip(plays, sums, strict=True):
        columns = figure_columns(one)
        frame = pd.DataFrame({**play.labels, **columns})
        kinds = pd.CategoricalDtype(list(FIGURE_SUMS.column("figure").values))
        frame["figure"] = pd.Categorical.from_codes(columns["figure"], dtype=kinds)
        frames.append(frame)
    whole = pd.concat(frames, ignore_index=True)
    for column in FIGURE_SUMS.labels:
        whole[column.name] = whole[column.name].astype("category")
    return whole


def _sound_parts(folder: Path, plays: tuple[StoredPlay, ...], dice: str) -> tuple[Part, ...]:
    """The parts that a folder holds itself; raises VerificationFailed as `open_run`."""
    promised = read_promised(folder, plays, dice)
    parts = read_journal(folder, plays)
    refuse_unnamed(folder, plays, promised, parts)
    for part in parts:
        if not sound(folder, part):
            raise VerificationFailed(
                f"{folder}: {unsound_file(folder, part)} is damaged or missing; {REMEDY}"
            )
    check_labels(folder, plays, parts)
    return parts


def gather(
    folder: str | Path, name: str, plays: Sequence[PlaySpec], rows_of: str, matches: Sequence[int]
) -> Run:
    """Make a run folder that holds no rows: each play's lie in a run of its own, named `rows_of`.

    The folder is `<root>/<name>/<digest>`, the runs are `<root>/<rows_of>/<digest of the play>`. Of each so many
    matches count, however many others want of it. Written are `run.json` and the card, unless the folder keeps
    estimates of more matches, which these then go on to describe.

    Raises
    ------
    UsageError
        The folder holds rows of its own.
    VerificationFailed
        A run that holds the rows is damaged.
    SimkitError
        The folder cannot be written, or is being written by another process.
    """
    folder, stored = Path(folder), check_plays(plays)
    if (folder / JOURNAL).exists():
        raise UsageError(f"{folder} holds rows of its own; move it away, its rows are now those of {rows_of}")
    run = _gathered(folder, name, stored, rows_of, tuple(matches))
    if matches_estimated(folder) > max(run.counts):
        return run
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with lock(folder):
            (folder / MANIFEST).unlink(missing_ok=True)
            publish(folder, RUN, run_json(name, stored, rows_of, matches))
            publish(folder, CARD, card(stored, run.counts, name, run.rows_in).encode())
            (folder / ".staging").rmdir()
    return run


def _gathered(
    folder: Path,
    name: str,
    plays: tuple[StoredPlay, ...],
    rows_of: str,
    limits: tuple[int, ...],
    dice: str = DICE,
) -> Run:
    """The run of a folder whose rows lie elsewhere; plays that are not there have no rows."""
    places = rows_in(folder, rows_of, plays, dice)
    parts: list[Part] = []
    for number, (play, place) in enumerate(zip(plays, places, strict=True)):
        if (place / RUN).exists():
            found = read_run(place)
            if found.rows_of or found.digest != run_digest([play], dice):
                raise VerificationFailed(f"{place} does not hold the rows of {play.title}")
            own = (part for part in _sound_parts(place, found.plays, dice) if part.first < limits[number])
            parts += (replace(part, play=number) for part in own)
    return Run(folder, name, plays, tuple(parts), rows_in=places, limits=limits, dice=dice)


def content_hash(run: Run) -> str:
    """SHA-256 over labels, decoded columns and sums of a run.

    The same for any number of workers, any chunks, any order of topping up and any version of pyarrow; it
    reads every row once.
    """
    contents = []
    for place, (play, sums) in enumerate(zip(run.plays, run.figure_sums(), strict=True)):
        hashes: dict[str, str] = {}
        for table in play.family.played:
            digest = ColumnHash(table)
            for block in run._blocks(table, place, None):
                digest.update(block)
            hashes[table.name] = digest.hexdigest()
        contents.append({**play.labels, **play.identity, **hashes, "figures": sums.tolist()})
    return hashlib.sha256(canonical(contents)).hexdigest()


def verify(run: Run) -> None:
    """Read every byte of a run and compare it with journal and manifest.

    Raises
    ------
    VerificationFailed
        A file's size, digest, page checksums or decoded columns are not those noted, or a path of the
        manifest leads out of the folder.
    """
    for part in run.parts:
        for table in run.plays[part.play].family.played:
            facts, path, file = part.files[table.name], part.path(table), run.path(part, table)
            if file_sha256(file) != facts.sha256:
                raise damaged(path, "has other bytes than were written")
            digest = ColumnHash(table)
            for block in read_blocks(file, table):
                digest.update(block)
            if digest.hexdigest() != facts.content_sha256:
                raise damaged(path, "has other columns than were written")
    if (run.folder / MANIFEST).exists():
        verify_manifest(run)


def verify_manifest(run: Run) -> None:
    """Compare the manifest of a run with its journal, and with the files that are made from the rows.

    Raises
    ------
    VerificationFailed
        There is none, a digest in it is not that of the journal or of the file, or a path leads out of the
        folder.
    """
    plain = read_json(run.folder / MANIFEST, LARGE_JSON)
    try:
        entries = {str(entry["path"]): str(entry["sha256"]) for entry in plain["files"]}
    except (KeyError, TypeError) as error:
        raise VerificationFailed(f"{MANIFEST} is no manifest of a run; {REMEDY}") from error
    noted = {
        part.path(table).as_posix(): part.files[table.name].sha256
        for part in (() if run.rows_in else run.parts)
        for table in run.family.played
    }
    for name, sha256 in entries.items():
        path = inside(run.folder, name)
        if (noted.get(name) or file_sha256(path)) != sha256:
            raise damaged(path, "has other bytes than the manifest names")
    if not noted.keys() <= entries.keys():
        raise VerificationFailed(f"{MANIFEST} does not name every file of the run; {REMEDY}")


def manifest_fits(run: Run) -> bool:
    """Whether the manifest is what it should be for the files as they are now; the rows are not read."""
    try:
        stored = read_plain(run.folder / MANIFEST)
    except OSError:
        return False
    return stored == manifest(run.folder, run.plays, run.parts)


def inside(folder: Path, name: str) -> Path:
    """The file `name` of a run folder, if it is a plain file in it.

    Raises
    ------
    VerificationFailed
        The name leads elsewhere, by `..`, from the root or over a link, or nothing is there.
    """
    path = folder / name
    try:
        within = path.resolve().is_relative_to(folder.resolve())
        ours = within and path.is_file() and not path.is_symlink()
        missing = within and not path.is_symlink() and not path.exists()
    except (OSError, ValueError, RuntimeError):  # too long, a null byte, links in a circle
        ours = missing = False
    if missing:
        raise VerificationFailed(f"{textwrap.shorten(name, 100)} is missing")
    if not ours:
        raise VerificationFailed(
            f"{MANIFEST}: {textwrap.shorten(repr(name), 100)} is no file of this run folder"
        )
    return path


def read_estimates(folder: str | Path) -> pd.DataFrame:
    """The table of estimates of a run folder, whether its rows are there or not.

    Raises
    ------
    UsageError
        None has been written yet.
    VerificationFailed
        The file is damaged, or of an older version.
    """
    path = Path(folder) / "estimates.parquet"
    if not path.exists():
        raise UsageError(f"{folder} holds no estimates yet")
    return read_frame([path], ESTIMATES)  # type: ignore[no-any-return]


def matches_estimated(folder: str | Path) -> int:
    """The matches of a pair that the estimates in a folder rest on, the most of any; 0 if there are none."""
    try:
        stored = read_estimates(folder)
    except (UsageError, VerificationFailed):  # none, or of another version: nothing to spare
        return 0
    looks = stored.loc[stored["measure"].str.startswith("sanity_"), "n"]
    return int(looks.max()) if len(looks) else 0


def write_estimates(folder: str | Path, frame: pd.DataFrame) -> None:
    """Write `estimates.parquet` into a run folder, whole or not at all, and renew the manifest.

    Parameters
    ----------
    frame : pandas.DataFrame
        The columns of the table `estimates`, in any order.

    Raises
    ------
    UsageError
        Columns are missing or unknown, hold values of another type, or there is no such folder.
    SimkitError
        The folder cannot be written, or is being written by another process.
    """
    import pyarrow as pa

    folder = Path(folder)
    digest = _of_these_dice(folder).digest
    expected = [column.name for column in ESTIMATES.columns]
    if set(frame.columns) != set(expected):
        missing, unknown = (
            sorted(set(expected) - set(frame.columns)),
            sorted(set(frame.columns) - set(expected)),
        )
        raise UsageError(f"estimates: missing columns {missing}, unknown columns {unknown}")
    schema = arrow_schema(ESTIMATES, {"version": __version__, "dice": DICE, "run_digest": digest})
    arrays = []
    for column, field in zip(ESTIMATES.columns, schema, strict=True):
        try:
            kind = pa.string() if column.dtype == "category" else field.type
            array = pa.Array.from_pandas(frame[column.name].to_numpy(object), type=kind)
        except (pa.ArrowException, OverflowError, ValueError) as error:
            raise UsageError(f"estimates: column {column.name} is not {column.dtype}: {error}") from error
        if array.null_count and not column.nullable:
            raise UsageError(f"estimates: column {column.name} has empty values")
        arrays.append(array.cast(field.type) if column.dtype == "category" else array)
    rows = pa.Table.from_arrays(arrays, schema=schema)

    with writing(folder), lock(folder):
        publish(folder, "estimates.parquet", encode(ESTIMATES, schema, rows))
        if (folder / MANIFEST).exists():
            _renew(folder)
        (folder / ".staging").rmdir()


def renew_manifest(folder: str | Path) -> None:
    """Write the manifest of a finished run anew, after a file that is made from the rest was written.

    A folder whose rows are neither in it nor where it says is left without: it is kept without its rows.

    Raises
    ------
    VerificationFailed
        The folder is damaged.
    SimkitError
        It cannot be written, or is being written by another process.
    """
    folder = Path(folder)
    if not (folder / MANIFEST).exists():
        found = read_run(folder)
        if not any(place.exists() for place in rows_in(folder, found.rows_of, found.plays, found.dice)):
            return
    with writing(folder), lock(folder):
        _renew(folder)
        (folder / ".staging").rmdir()


def _of_these_dice(folder: Path) -> Described:
    """What `run.json` says, if the run can still be gone on with."""
    found = read_run(folder)
    if found.dice != DICE:
        raise FolderMismatch(f"{folder} {OLDER_DICE.format(found.dice)}")
    return found


def _renew(folder: Path) -> None:
    found = _of_these_dice(folder)
    promised = read_promised(folder, found.plays)
    parts = read_journal(folder, found.plays)
    if not found.rows_of:
        refuse_unnamed(folder, found.plays, promised, parts)
    write_manifest(folder, found.plays, parts, found.matches)


def start_words(play: StoredPlay) -> str:
    """Say where the matches of a play start; the men are seen by the player to roll."""
    from simkit.drivers.tables_state import score_words, told

    first, of_games = play.starts[0], play.family.units is GAMES
    count = len(play.starts)
    score, counted = "", ""
    if of_games and told(first):
        score, counted = f", score {score_words(first)}", ", and points made before it count in the match"
    more = f" or one of {count - 1} other starts in run.json, in turn" if count > 1 else ""
    then = (
        f"it serves the first game{counted}"
        if of_games
        else "holes and points made before it count as made in the match"
    )
    return (
        f"{play.title}: every match starts from a position, `{first.position}` (player {first.roller + 1} to "
        f"roll{score}){more}; {then}."
    )


def card(
    plays: Sequence[StoredPlay],
    counts: Sequence[int],
    name: str,
    rows_in: Sequence[Path] = (),
    read: Sequence[int] = (),
) -> str:
    """The dataset card of a run, Markdown with a JSON front matter that dataset hosts read.

    `counts`: matches of each play; `rows_in`: where they lie, if not beside the card; `read`: how many of them the
    estimates beside the card were made from, the first of each play, if there are any.
    """
    family = plays[0].family
    tables = [
        {"config_name": table.name, "data_files": f"{table.name}/*.parquet"}
        for table in (*family.played, *family.sums)
    ]
    lines = [
        "---",
        json.dumps({"license": "mit", **({} if rows_in else {"configs": tables})}),
        "---",
        "",
        f"# {name or f'Simulated {family.games}'}, run {run_digest(plays)[:12]}",
        "",
        "## What it is",
        "",
        f"Matches of {family.games} between computer players of stated skill, simulated by simkit.",
        "",
        f"| rules | player 1 | player 2 | matches |{' read for estimates |' if read else ''} seed |",
        f"|---|---|---|---|{'---|' if read else ''}---|",
    ]
    for place, (play, matches) in enumerate(zip(plays, counts, strict=True)):
        estimated = f" {read[place]} |" if read else ""
        lines.append(f"| {' | '.join(play.labels.values())} | {matches} |{estimated} {play.seed} |")
    if read and tuple(read) != tuple(counts):
        lines += ["", "The estimates are made from the first matches of a play where more were played."]
    for play in plays:
        if play.starts:
            lines += ["", start_words(play)]
    if rows_in:
        lines += ["", "The rows are shared with other experiments and lie in runs of their own:", ""]
        lines += [
            f"- {play.title}: `{place.parent.name}/{place.name}`"
            for play, place in zip(plays, rows_in, strict=True)
        ]
    lines += ["", "## Players", ""]
    players = {player.name: player for play in plays for player in play.players}
    for player in players.values():
        lines.append(f"- **{player.name}**: {player.title}")
        told_of_him = _without_going(player.words) if family is TOUTES_TABLES else player.words
        lines += [f"  - {words.strip()}" for words in told_of_him if words != player.title]
    lines += ["", "## Rules", ""]
    told: list[RuleSet] = []
    for rules in {play.rules.name: play.rules for play in plays}.values():
        sources = "; ".join(str(source) for source in rules.sources) or "no source given"
        lines.append(
            f"- **{rules.name}**: {rules.title.rstrip('.')}. {sources.rstrip('.')}. "
            f"{_differences(rules, told)}Digest of play {rules.play_digest[:12]}."
        )
        told.append(rules)
    lines += [
        "",
        "## How it was made",
        "",
        f"simkit {__version__}, dice {DICE}. A match depends on rules, players, seed and its number alone, "
        "not on machine, workers or order: the same command makes the same rows. All rules are in "
        f"`{RUN}`, every file with its digests in `{MANIFEST}`, every published part in `{JOURNAL}`.",
        "",
        "## Tables",
        "",
        f"{_who_is_who(plays)} Names, units and descriptions also stand in the files.",
    ]
    for table in family.tables:
        lines += ["", f"### {table.name}", "", f"One row: {table.row}. Key: {', '.join(table.key)}.", ""]
        lines += [f"- `{c.name}` ({c.dtype}, {c.unit}): {c.description}" for c in table.columns]
    lines += [
        "",
        "## Limits",
        "",
        "The players are programs that follow simple rules; what the rows show holds for them. Rows with "
        + (
            "`truncated` or `ended_by` = `capped` were cut at the cap on rolls. Sets"
            if family.figures
            else "`truncated` were cut at the cap on rolls. Games"
        )
        + " of one match are not independent: intervals belong to matches.",
        "",
        "## Licence and citation",
        "",
        "MIT, as simkit itself; please cite simkit with its version and the digest above.",
        "",
    ]
    return "\n".join(lines)


def _without_going(words: Sequence[str]) -> Iterator[str]:
    """A player in words without when he goes, which this family does not know; older runs have it."""
    going = False
    for line in words:
        going = line.startswith(("Holds or goes", " ")) and (going or not line.startswith(" "))
        if not going:
            yield line


def _differences(rules: RuleSet, told: Sequence[RuleSet]) -> str:
    """In what a rule set differs from the first with its title, as a sentence; empty if it is the first."""
    first = next((one for one in told if one.title == rules.title), None)
    if first is None:
        return ""
    found = diff(first, rules)
    if not found:
        return f"The same rules as `{first.name}`. "
    changes = (f"{one.path} {rule_words(one.b)}, not {rule_words(one.a)}" for one in found)
    return f"Otherwise than `{first.name}`: {'; '.join(changes)}. "


def _who_is_who(plays: Sequence[StoredPlay]) -> str:
    """Say what the columns of players 1 and 2 are of."""
    if all(play.rules.match.players == 2 for play in plays):
        return "The two players are called 1 and 2."
    return (
        "The two players are called 1 and 2. Where more are at the table these are the two sides: of each set "
        "the two who play it, whose numbers at the table are `player_1_seat` and `player_2_seat`; the label "
        "`player_2` names all players but the first."
    )


def write_card(folder: str | Path, read: Sequence[int] = ()) -> None:
    """Write `README.md`, the dataset card, into a run folder from what the folder holds now.

    `read`: how many matches of each play the estimates in the folder were made from, if there are any.
    """
    run = open_run(folder)
    with writing(run.folder), lock(run.folder):
        publish(run.folder, CARD, card(run.plays, run.counts, run.name, run.rows_in, read).encode())
        if (run.folder / MANIFEST).exists():
            _renew(run.folder)
        (run.folder / ".staging").rmdir()


def finish(writer: FolderWriter, new_matches: int) -> Run:
    """Close a folder's run: sums, card, manifest; the run as a reader would open it."""
    run = Run(writer.folder, writer.name, writer.plays, writer.parts, new_matches)
    fewer = matches_estimated(run.folder) > max(
        run.counts, default=0
    )  # then the card is of the estimates kept
    described = (run.folder / DATASET).exists()  # a research dataset, which has a card of its own
    writer.finish(None if fewer or described else card(run.plays, run.counts, run.name))
    return run


def payment_frame(labels: Mapping[str, str], columns: Mapping[str, NDArray[Any]]) -> pd.DataFrame:
    """Payments as a frame, the labels of their play first and categories in words."""
    import pandas as pd

    n = len(columns["match_id"])
    frame = pd.DataFrame({name: pd.Categorical([label] * n, [label]) for name, label in labels.items()})
    for column in PAYMENTS.data:
        values = columns[column.name]
        words = np.array(column.values, object)
        frame[column.name] = pd.Categorical(words[values], column.values) if column.values else values
    return frame
