"""Finds rule sets, players and experiments by name: in `configs/` and `experiments/`, or in a file given.

The folders are those beside the package when it is a checkout, else the copies packaged in the wheel. Their
files are loaded by path under private module names, so that nothing depends on `configs` being importable;
every value at the top level of such a file is in the catalogue under its own `name`.

`python -m simkit.catalogue FOLDER` writes a page for each rule set.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import simkit
from simkit.errors import ConfigError, SimkitError, UsageError
from simkit.files import open_plain, read_plain
from simkit.rules import RuleSet, sheets
from simkit.rules.wording import either

if TYPE_CHECKING:
    from simkit.players import Player

T = TypeVar("T")
MOST_BYTES: Final = 4 * 2**20
"""The largest rule set that is read; the longest of the catalogue has a thousandth of it."""
Experiment: TypeAlias = Any  # simkit.experiment stands below and is known here by its class name only


@dataclass(frozen=True)
class Names:
    """Everything the catalogue holds, by kind and sorted; aliases are other names for the same."""

    rule_sets: tuple[str, ...]
    players: tuple[str, ...]
    experiments: tuple[str, ...]
    aliases: Mapping[str, str]


def rule_set(name: str | os.PathLike[str] | RuleSet) -> RuleSet:
    """Find a rule set.

    Parameters
    ----------
    name
        A name or alias of the catalogue, the path of a JSON file, or ``file.py:NAME``, where ``:NAME`` may be
        left out if the file declares one rule set. A `RuleSet` is returned as it is.

    Raises
    ------
    UsageError
        If there is none of that name (the nearest names are given), the file cannot be read, or `name` is
        something else.
    ConfigError
        If the file does not hold a valid rule set.
    """
    if isinstance(name, RuleSet):
        return name
    text = _text("rules", name, "a rule set")
    if text.endswith(".json"):
        return _from_json(Path(text))
    found: RuleSet = _find("rule set", text, _is_rule_set, "configs")
    return found


def player(name: str | os.PathLike[str] | Player) -> Player:
    """Find a player by its name or alias in the catalogue, or by ``file.py:NAME``.

    Raises
    ------
    UsageError
        If there is none of that name (the nearest names are given), the file cannot be read, or `name` is
        something else.
    """
    if _is_player(name):
        return name  # type: ignore[return-value]
    found: Player = _find("player", _text("players", name, "a player"), _is_player, "configs")
    return found


def listed_rule_set(name: str) -> RuleSet:
    """Find a rule set that stored data name: one of the catalogue, never a file, which might run code.

    Raises
    ------
    UsageError
        If the catalogue has none of that name.
    """
    return rule_set(_listed("rule set", name))


def listed_player(name: str) -> Player:
    """Find a player that stored data name: one of the catalogue, never a file, which might run code.

    Raises
    ------
    UsageError
        If the catalogue has none of that name.
    """
    return player(_listed("player", name))


def experiment(name: str | os.PathLike[str] | Experiment) -> Experiment:
    """Find an experiment by its name in the catalogue, or by ``file.py:NAME``.

    Raises
    ------
    UsageError
        If there is none of that name (the nearest names are given), the file cannot be read, or `name` is
        something else.
    """
    if _is_experiment(name):
        return name
    return _find("experiment", _text("experiment", name, "an experiment"), _is_experiment, "experiments")


def declared(name: str) -> tuple[str, Any]:
    """Find what a name means: its kind, "rule set", "player" or "experiment" in this order, and the value.

    Raises
    ------
    UsageError
        If there is nothing of that name, or the file cannot be read.
    ConfigError
        If a file holds no valid declaration.
    """
    if name.endswith(".json"):
        return "rule set", rule_set(name)
    if _is_file(name):
        found = _find(either(KINDS), name, _is_declaration, "")
        return next(kind for kind, wanted in KINDS.items() if wanted(found)), found
    aliases = _aliases(_modules("configs"))
    for kind, wanted in KINDS.items():
        known = _named(_modules("experiments" if kind == "experiment" else "configs"), wanted)
        if aliases.get(name, name) in known:
            return kind, known[aliases.get(name, name)]
    listed = names()
    known_names = [*listed.rule_sets, *listed.players, *listed.experiments]
    raise UsageError(_unknown(either(KINDS), name, known_names, listed.aliases))


def names() -> Names:
    """List everything the catalogue holds.

    Raises
    ------
    UsageError
        If two declarations of one kind have the same name, or an alias leads nowhere.
    """
    configs = _modules("configs")
    rule_sets, players = _named(configs, _is_rule_set), _named(configs, _is_player)
    aliases = _aliases(configs)
    for alias, target in aliases.items():
        if target not in rule_sets | players or alias in rule_sets | players:
            raise UsageError(f"the alias {alias} of {target} leads nowhere or hides a name")
    return Names(
        rule_sets=tuple(sorted(rule_sets)),
        players=tuple(sorted(players)),
        experiments=tuple(sorted(_named(_modules("experiments"), _is_experiment))),
        aliases=dict(sorted(aliases.items())),
    )


def rule_pages() -> dict[str, str]:
    """Write the pages of `docs/rules`: file name -> Markdown, one for each rule set and a list of them."""
    listed = names()
    return sheets({name: rule_set(name) for name in listed.rule_sets}, listed.aliases)


def folder(kind: str) -> Path:
    """Return where `configs` or `experiments` lie: beside the package in a checkout, else inside it."""
    package = Path(simkit.__file__).resolve().parent
    beside = package.parent
    if (beside / "pyproject.toml").is_file() and (beside / kind).is_dir():
        return beside / kind
    return package / "_packaged" / kind


def _text(argument: str, name: object, what: str) -> str:
    if not isinstance(name, str | os.PathLike):
        raise UsageError(f"{argument}: {name!r} is neither {what} nor the name of one")
    return os.fspath(name)


def _is_file(name: str) -> bool:
    return name.endswith(".py") or ".py:" in name


def _listed(kind: str, name: str) -> str:
    if _is_file(name) or name.endswith(".json"):
        raise UsageError(
            f"{name}: data name a {kind} of the catalogue; a file is read only where you name it"
        )
    return name


def _find(kind: str, name: str, wanted: Callable[[object], bool], where: str) -> Any:
    if _is_file(name):
        path, _, variable = name.rpartition(":") if ".py:" in name else (name, "", "")
        return _from_file(kind, Path(path), variable, wanted)
    modules = _modules(where)
    known = _named(modules, wanted)
    aliases = _aliases(modules)
    found = known.get(aliases.get(name, name))
    if found is None:
        aliases = {alias: target for alias, target in aliases.items() if target in known}
        raise UsageError(_unknown(kind, name, known, aliases))
    return found


def _from_json(path: Path) -> RuleSet:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(
                f"{path} has {path.stat().st_size} bytes; a rule set has fewer than {MOST_BYTES:,}"
            )
        content = read_plain(path)
        text = content.decode(json.detect_encoding(content))  # with or without a byte order mark
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {_reason(error)}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is no text in UTF-8") from None
    try:
        return RuleSet.from_json(text)
    except ConfigError as error:
        raise ConfigError(tuple(f"{path}: {problem}" for problem in error.problems)) from None


def _from_file(kind: str, path: Path, variable: str, wanted: Callable[[object], bool]) -> Any:
    try:
        open_plain(path).close()
    except FileNotFoundError:
        raise UsageError(f"{path} cannot be read: there is no such file") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {_reason(error)}") from None
    here = path.resolve()
    digest = sha256(str(here).encode("utf-8")).hexdigest()[:12]
    declared = {
        key: value for key, value in vars(_load(here, f"_simkit_file_{digest}")).items() if wanted(value)
    }
    by_name = {value.name: value for value in reversed(declared.values())}
    if not declared:
        raise UsageError(f"{path} declares no {kind}")
    if not variable and len({(type(value), value.name) for value in declared.values()}) == 1:
        return next(iter(by_name.values()))
    if not variable:
        raise UsageError(f"{path} declares several; give one as {path}:NAME, NAME being {either(declared)}")
    found = declared.get(variable, by_name.get(variable))
    if found is None:
        raise UsageError(f"{path}: {_unknown(kind, variable, [*declared, *by_name])}")
    return found


@functools.cache
def _modules(kind: str) -> tuple[ModuleType, ...]:
    files = sorted(folder(kind).glob("[!_]*.py"))
    return tuple(_load(path, f"_simkit_{kind}_{path.stem}") for path in files)


def _load(path: Path, private_name: str) -> ModuleType:
    """Run a file as a module under a name nobody imports; its faults become ours, with file and line."""
    spec = importlib.util.spec_from_file_location(private_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[private_name] = module  # dataclasses and pickle look their module up
    try:
        spec.loader.exec_module(module)
    except ConfigError as error:
        del sys.modules[private_name]
        raise ConfigError(tuple(f"{_place(path, error)}: {problem}" for problem in error.problems)) from error
    except SystemExit as error:
        del sys.modules[private_name]
        if type(error) is not SystemExit:  # a signal, which is no fault of the file
            raise
        raise ConfigError(f"{_place(path, error)}: it ends the program; a declaration must not") from error
    except Exception as error:  # whatever the file does wrong, its reader learns where
        del sys.modules[private_name]
        raise UsageError(f"{_place(path, error)}: {type(error).__name__}: {_reason(error)}") from error
    return module


def _named(modules: Iterable[ModuleType], wanted: Callable[[object], bool]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for module in modules:
        for value in vars(module).values():
            if wanted(value) and found.setdefault(value.name, value) != value:
                raise UsageError(f"{module.__file__}: the name {value.name} is declared twice")
    return found


def _aliases(modules: Iterable[ModuleType]) -> dict[str, str]:
    return {alias: name for module in modules for alias, name in getattr(module, "ALIASES", {}).items()}


def _is_rule_set(value: object) -> bool:
    return isinstance(value, RuleSet)


def _is_player(value: object) -> bool:
    from simkit.players import Player  # only where players are asked for: it takes numpy along

    return isinstance(value, Player)


def _is_experiment(value: object) -> bool:
    return type(value).__name__ == "Experiment" and isinstance(getattr(value, "name", None), str)


def _is_declaration(value: object) -> bool:
    return any(wanted(value) for wanted in KINDS.values())


KINDS: Mapping[str, Callable[[object], bool]] = {
    "rule set": _is_rule_set,
    "player": _is_player,
    "experiment": _is_experiment,
}
"""What a name can mean, in the order in which `declared` asks."""

MOST_NAMED: Final = 12
"""Names that a message lists where none is near the one given."""


def _unknown(kind: str, name: str, known: Iterable[str], aliases: Iterable[str] = ()) -> str:
    """Say that nothing has a name, with those near it; other names are offered but not counted."""
    known = list(known)
    near = get_close_matches(name, [*known, *aliases], n=3)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif len(known) > MOST_NAMED:
        hint = f"simkit list names the {len(set(known))} there are"
    else:
        hint = f"there are {', '.join(sorted({*known, *aliases})) or 'none'}"
    return f"no {kind} is called {name}; {hint}"


def _place(path: Path, error: BaseException) -> str:
    """Return file and line where a declaration went wrong."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    step = error.__traceback__
    while step is not None:
        if Path(step.tb_frame.f_code.co_filename) == path:
            line = step.tb_lineno
        step = step.tb_next
    return f"{path}, line {line}" if line else str(path)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or getattr(error, "msg", None) or str(error)


def _write_rule_pages(arguments: list[str]) -> None:
    if len(arguments) != 1:
        raise UsageError("give the folder of the pages: python -m simkit.catalogue FOLDER")
    pages = Path(arguments[0])
    pages.mkdir(parents=True, exist_ok=True)
    for name, text in rule_pages().items():
        (pages / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    try:
        _write_rule_pages(sys.argv[1:])
    except SimkitError as problem:
        print(problem, file=sys.stderr)
        raise SystemExit(problem.exit_code) from None
