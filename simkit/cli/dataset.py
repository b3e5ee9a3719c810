"""dataset: a named research dataset, with everything others need to read and cite it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from simkit.cli.options import Changes, Jobs, Json, Quiet, asked_players, parsed, whole
from simkit.cli.printing import print_json, print_table, print_text
from simkit.errors import UsageError

if TYPE_CHECKING:
    from simkit.dataset import PlaySpec
    from simkit.research import Built, Forecast, Research

TABLES = ("matches", "sets", "figures", "holes", "records")
RECORDS: Final = 100
"""Matches told in full where nobody says how many."""


def dataset(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the dataset.")],
    rules: Annotated[str, typer.Option(metavar="A,B", help="Rule sets.")],
    players: Annotated[
        list[str],
        typer.Option(
            metavar="P,Q", help="Players; may be given several times. Each pair plays each rule set."
        ),
    ],
    matches: Annotated[int, typer.Option(parser=whole, metavar="N", help="Matches of each of these plays.")],
    seed: Annotated[int, typer.Option(parser=whole, metavar="S", help="Seed of all dice.")] = 0,
    tables: Annotated[
        str, typer.Option(metavar="A,B", help=f"Of {', '.join(TABLES)}; the first three are always there.")
    ] = "matches,sets,figures",
    records: Annotated[
        int | None,
        typer.Option(
            parser=whole,
            metavar="K",
            help="Matches of each play told in full; needs --tables records. By default 100, or all if fewer.",
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="Title of the dataset. By default that it has, else one made of the name."
        ),
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="CC-BY-4.0, CC0-1.0 or MIT. By default that it has, else CC-BY-4.0."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Its folder. By default datasets/NAME.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what it would hold, its size and how long it takes.")
    ] = False,
    changes: Changes = None,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Build a research dataset: rule sets by players by matches, described for others. Goes on where it stopped.

    \b
    Examples:
      simkit dataset schools --rules ecrire_academie,ecrire_guiton --players greedy --matches 9000 --dry-run
      simkit dataset small --rules classical --players prudent --matches 500 --tables holes,records --records 5
    """
    from simkit import api
    from simkit.progress import reporter
    from simkit.research import Research, build, forecast, named_before

    asked = [word.strip() for word in tables.split(",") if word.strip()]
    if unknown := [word for word in asked if word not in TABLES]:
        raise UsageError(f"--tables {unknown[0]}: there are {', '.join(TABLES)}")
    if records is not None and "records" not in asked:
        raise UsageError(f"--records {records}: ask for the table too, with --tables records")
    pairs = []
    for text in players:
        one = asked_players(text)
        pairs.append(tuple(api.player(each) for each in ([one] if isinstance(one, str) else one or ())))
    folder = out or Path("datasets") / name
    given = {"title": title, "licence": licence}
    words = named_before(folder) | {field: text for field, text in given.items() if text is not None}
    research = Research(
        name=name,
        rules=tuple(api.changed(api.rule_set(word.strip()), parsed(changes)) for word in rules.split(",")),
        players=tuple(pairs),
        matches=matches,
        seed=seed,
        extras=tuple(word for word in ("holes", "records") if word in asked),
        records=(min(matches, RECORDS) if records is None else records) if "records" in asked else 0,
        **words,
    )
    if dry_run:
        found = forecast(research, jobs=jobs, tell=told)
        if as_json:
            print_json(forecast_plain(research, found))
        else:
            print_forecast(found)
        return
    built = build(research, folder, jobs=jobs, progress=reporter(quiet=quiet), tell=told)
    if as_json:
        print_json(built_plain(built))
        return
    print_text(f"{built.files} files, {built.bytes:,} bytes; digest {built.run.digest[:12]}.")
    print(built.run.folder)


def told(spec: PlaySpec, match: int) -> Any:
    """Tell a match as `simkit replay --json` does."""
    from simkit.cli.replay import transcript_plain
    from simkit.cli.tables import match_plain
    from simkit.transcript import Transcript, told_match

    found = told_match(spec.rules, spec.players, spec.seed, match, starts=spec.starts)
    return transcript_plain(found) if isinstance(found, Transcript) else match_plain(found)


def forecast_plain(research: Research, found: Forecast) -> dict[str, Any]:
    """Turn a forecast into plain values."""
    return {
        "schema": "simkit.forecast/1",
        "dataset": research.to_plain(),
        "matches": found.matches,
        "bytes": found.bytes,
        "seconds": found.seconds,
        "jobs": found.jobs,
        "pilot": found.pilot,
        "compiling_seconds": found.compiling,
        "tables": [vars(share) for share in found.tables],
    }


def print_forecast(found: Forecast) -> None:
    """Print a forecast."""
    from simkit.progress import duration

    rows = [(share.table, f"{share.rows:,}", f"{share.bytes:,}") for share in found.tables]
    total = ("together", "", f"{found.bytes:,}")
    print_table([("table", "rows", "bytes"), *rows, total], numbers=2)
    workers = "1 worker" if found.jobs == 1 else f"{found.jobs} workers"
    print_text(
        f"\n{found.matches:,} matches, about {duration(found.seconds)} with {workers}, judged by a pilot of "
        f"{found.pilot} matches. Nothing was written."
    )
    if found.compiling:
        print_text(
            f"This simkit was compiled first, in {duration(found.compiling)}, which are not in that time: "
            "compiled code is kept."
        )


def built_plain(built: Built) -> dict[str, Any]:
    """Turn what was built into plain values."""
    return {
        "dataset": built.research.to_plain(),
        "folder": str(built.run.folder),
        "new_matches": built.run.new_matches,
        "files": built.files,
        "bytes": built.bytes,
    }
