"""simkit: a laboratory for the rules of trictrac.

Declare rule sets, play them many thousand times, read what a rule does:

>>> import simkit
>>> run = simkit.simulate("ecrire_academie", players=("greedy", "prudent"), matches=1000, seed=1822)
>>> run.sets  # a pandas frame; run.matches and run.figures too
>>> simkit.settle_run(run, {"tail_of_sets": 0})  # the same matches without the tail of sets
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from simkit.api import (
        adjourn,
        compare,
        open,
        payments,
        player,
        replay,
        resume,
        rollout,
        rule_set,
        run,
        settle_run,
        simulate,
        start,
    )
    from simkit.dataset import Run
    from simkit.errors import SimkitError
    from simkit.lockstep import LockStep
    from simkit.rules import RuleSet

__all__ = [
    "LockStep",
    "RuleSet",
    "Run",
    "SimkitError",
    "__version__",
    "adjourn",
    "compare",
    "open",
    "payments",
    "player",
    "replay",
    "resume",
    "rollout",
    "rule_set",
    "run",
    "settle_run",
    "simulate",
    "start",
]

_HOMES = {
    "LockStep": "simkit.lockstep",
    "RuleSet": "simkit.rules",
    "Run": "simkit.dataset",
    "SimkitError": "simkit.errors",
    "adjourn": "simkit.api",
    "compare": "simkit.api",
    "open": "simkit.api",
    "payments": "simkit.api",
    "player": "simkit.api",
    "replay": "simkit.api",
    "resume": "simkit.api",
    "rollout": "simkit.api",
    "rule_set": "simkit.api",
    "run": "simkit.api",
    "settle_run": "simkit.api",
    "simulate": "simkit.api",
    "start": "simkit.api",
}
"""Where each public name lives; it is loaded when first asked for, so that `import simkit` costs nothing."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'simkit' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
