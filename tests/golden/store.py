"""Makes the small runs of this version that later versions must be able to read; see docs/datasets.md.

    python tests/golden/store.py            at a clean commit, before a release
    python tests/golden/store.py --anew     make those of this version again: their rows must be the same

They go to `tests/golden/stored/VERSION/`, and the first 16 hex digits of their content hashes to
`tests/golden/stored/hashes.json`. Runs of earlier versions are never made again.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import simkit
from simkit.cli.dataset import told
from simkit.dataset import content_hash, open_run
from simkit.dataset.folder import commit
from simkit.research import Research, build

STORED = Path(__file__).resolve().parent / "stored"
HASHES = STORED / "hashes.json"
SEED = 1822
RUNS = {
    "parties": ("twelve_hole", "random", 3),
    "turns": ("tourner_guiton", "random", 2),
    "combine": ("combine_classical", "random", 2),
    "combine_turns": ("combine_chouette", "random", 2),
    "pools": ("pool_drain", "random", 2),
    "games": ("toutes_tables_225", "random", 3),
}
"""Rule set, player and matches of a run of every family of tables, by name."""
DATASET = "dataset"
"""A research dataset of matches of two sets, with holes and a match told in full."""


def make(root: Path) -> dict[str, str]:
    """Make all of them below `root`; their content hashes, by version and name."""
    hashes = {}
    for name, (rules, player, matches) in RUNS.items():
        run = simkit.simulate(rules, player, matches=matches, seed=SEED, jobs=1, out=root / name)
        hashes[name] = content_hash(run)
    asked = Research(
        name="stored",
        rules=(simkit.rule_set("ecrire_academie").with_match(sets=2),),
        players=((simkit.player("random"),),),
        matches=2,
        seed=SEED,
        extras=("holes", "records"),
        records=1,
    )
    hashes[DATASET] = content_hash(build(asked, root / DATASET, jobs=1, tell=told).run)
    for lock in root.rglob(".lock"):
        lock.unlink()
    return {f"{simkit.__version__}/{name}": found[:16] for name, found in hashes.items()}


def hashes() -> dict[str, str]:
    """What has been stored, by version and name."""
    found: dict[str, str] = json.loads(HASHES.read_bytes())
    return found


def main(arguments: list[str]) -> str:
    """Store the runs of this version; what went wrong, or nothing."""
    place = STORED / simkit.__version__
    if commit() == "unknown" or commit().endswith("-dirty"):
        return f"the checkout is at {commit()}: commit everything first, so that the runs name what made them"
    if place.exists() and arguments != ["--anew"]:
        return f"{place} is there already; --anew makes it again"
    with TemporaryDirectory() as made:
        found, known = make(Path(made)), hashes()
        for name, digest in found.items():
            if known.get(name, digest) != digest:
                return f"{name}: other rows than those stored; a version's rows never change"
        gone = {name for name in known if name.startswith(f"{simkit.__version__}/")} - set(found)
        if gone:
            return f"{', '.join(sorted(gone))}: stored, and no longer made"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(made, place)
    HASHES.write_text(json.dumps(known | found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for name in found:
        assert open_run(STORED / name).complete
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
