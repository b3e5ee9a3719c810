"""A module imports only what stands above it; configs and experiments stay declarations."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# The order of docs/architecture.md. A module may import its own layer and the layers before it.
LAYERS = (
    "errors",
    "arguments",
    "files",
    "rules",
    "kernel",
    "players",
    "settle",
    "shares",
    "pools_exact",
    "settle_turns",
    "honours",
    "paid",
    "scoresheet",
    "position",
    "tables",
    "shots",
    "drivers",
    "play",
    "combined",
    "pegs",
    "by_holes",
    "decisions",
    "numbering",
    "boards",
    "explain",
    "hindrances",
    "steps",
    "transcript",
    "example",
    "cases",
    "dataset",
    "adjourned_honours",
    "adjournment",
    "progress",
    "stopping",
    "cluster",
    "batch",
    "records",
    "extras",
    "analysis",
    "rollouts",
    "charts",
    "comparisons",
    "duplicates",
    "shown",
    "pool_accounts",
    "catalogue",
    "lockstep",
    "experiment",
    "kept",
    "report",
    "api",
    "provenance",
    "rowless",
    "verification",
    "reproduction",
    "research",
    "__init__",
    "bench",
    "cli",
)

# Slow to import: only inside the functions that need them, so that `simkit --help` answers at once.
HEAVY = {"pandas", "scipy", "matplotlib", "pyarrow", "joblib", "jinja2", "distributed", "dask"}


def modules(folder: str) -> list[Path]:
    """Python files below a folder of the repository."""
    return sorted((ROOT / folder).rglob("*.py"))


def layer(path: Path) -> str:
    """`simkit/rules/match.py` -> `rules`, `simkit/settle.py` -> `settle`."""
    first = path.relative_to(ROOT / "simkit").parts[0]
    name = first.removesuffix(".py")
    return "cli" if name == "__main__" else name


def imported(path: Path, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything a file imports, relative imports written out."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            stem = ".".join((*base, *([node.module] if node.module else [])))
            for alias in node.names:
                yield node.lineno, f"{stem}.{alias.name}"


def imported_layer(name: str) -> str | None:
    """The layer of simkit a dotted name belongs to; None outside it, for the bare package and its version."""
    parts = name.split(".")
    if parts[0] != "simkit" or parts[1:] in ([], ["__version__"]):
        return None
    return parts[1] if parts[1] in LAYERS else "__init__"


def used_of_package(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, `simkit.name`) of what is reached through `import simkit`; its file and version are free."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr.startswith("__"):
            continue
        if isinstance(node.value, ast.Name) and node.value.id == "simkit":
            yield node.lineno, f"simkit.{node.attr}"


@pytest.mark.parametrize("path", modules("simkit"), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_only_what_stands_above(path: Path) -> None:
    here = layer(path)
    assert here in LAYERS, f"simkit/{here} has no place in the order of layers"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    below = [
        f"line {line}: {name}"
        for line, name in (*imported(path, tree), *used_of_package(tree))
        if (there := imported_layer(name)) and LAYERS.index(there) > LAYERS.index(here)
    ]
    assert not below, f"{path.relative_to(ROOT)} imports a layer below its own: {below}"


@pytest.mark.parametrize("path", modules("simkit"), ids=lambda path: str(path.relative_to(ROOT)))
def test_heavy_libraries_wait_until_they_are_needed(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_import = ast.Module(
        body=[node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)], type_ignores=[]
    )
    names = {name.split(".")[0] for _, name in imported(path, at_import)}
    heavy = HEAVY if layer(path) == "kernel" else HEAVY | {"numba"}
    assert not names & heavy, f"{path.relative_to(ROOT)} imports {sorted(names & heavy)} when it is loaded"


@pytest.mark.parametrize("path", modules("configs"), ids=lambda path: path.name)
def test_a_config_imports_only_rules_and_players(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for line, name in imported(path, tree):
        allowed = name.startswith(("simkit.rules.", "simkit.players.", "__future__."))
        assert allowed, f"{path.name}, line {line}: a config imports {name}"


@pytest.mark.parametrize("path", modules("experiments"), ids=lambda path: path.name)
def test_an_experiment_names_rule_sets_and_never_imports_them(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for line, name in imported(path, tree):
        assert name.split(".")[0] != "configs", f"{path.name}, line {line}: an experiment imports {name}"
