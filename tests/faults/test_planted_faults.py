"""Every planted fault is caught by the worked examples, the twin or the invariants."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from faults import planted_combine, planted_tables, planted_turns
from faults.planted import FAULTS, Fault

ROOT = Path(__file__).parents[2]
NETS = ("cases", "rulebook", "examples_of_fields", "twin", "units", "invariants", "fields")


TABLES_NETS = ("cases", "counts", "twin", "invariants", "games", "choice", "cube", "from_states")
COMBINE_NETS = ("cases", "events", "pool", "matches")
TURNS_NETS = ("cases", "seats", "lots", "pools", "money", "turns_of_the_twin")


def run_nets(tree: Path, nets: str = "nets.py") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(tree), "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    script = ROOT / "tests" / "faults" / nets
    return subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False, cwd=tree
    )


def copy_of_project(folder: Path) -> Path:
    for part in ("simkit", "configs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "_packaged"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_each_fault_names_a_line_that_is_there_once() -> None:
    assert len(FAULTS) >= 40
    for fault in FAULTS:
        text = (ROOT / "simkit" / "kernel" / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.right) == 1, fault.name


def test_the_kernel_as_it_stands_is_not_caught(tmp_path: Path) -> None:
    """Also the run of the suite with compilation off."""
    found = run_nets(copy_of_project(tmp_path))
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_caught(fault: Fault, tmp_path: Path) -> None:
    tree = copy_of_project(tmp_path)
    path = tree / "simkit" / "kernel" / fault.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    found = run_nets(tree)
    assert found.returncode == 1, f"not caught: {fault.name}\n{found.stdout}{found.stderr}"
    assert found.stdout.split(":")[0] in NETS, found.stdout + found.stderr


# ---------------------------------------------------------------- toutes tables


def test_each_fault_of_toutes_tables_names_a_line_that_is_there_once() -> None:
    assert len(planted_tables.FAULTS) >= 40
    for fault in planted_tables.FAULTS:
        text = (ROOT / "simkit" / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.right) == 1, fault.name


def test_the_kernel_of_toutes_tables_as_it_stands_is_not_caught(tmp_path: Path) -> None:
    found = run_nets(copy_of_project(tmp_path), "nets_tables.py")
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.slow
@pytest.mark.parametrize("fault", planted_tables.FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_of_toutes_tables_is_caught(fault: Fault, tmp_path: Path) -> None:
    tree = copy_of_project(tmp_path)
    path = tree / "simkit" / fault.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    found = run_nets(tree, "nets_tables.py")
    assert found.returncode == 1, f"not caught: {fault.name}\n{found.stdout}{found.stderr}"
    assert found.stdout.split(":")[0] in TABLES_NETS, found.stdout + found.stderr


# ---------------------------------------------------------------- trictrac combiné


def test_each_fault_of_combine_names_a_line_that_is_there_once() -> None:
    assert len(planted_combine.FAULTS) >= 40
    for fault in planted_combine.FAULTS:
        text = (ROOT / "simkit" / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.right) == 1, fault.name


def test_combine_as_it_stands_is_not_caught(tmp_path: Path) -> None:
    found = run_nets(copy_of_project(tmp_path), "nets_combine.py")
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.slow
@pytest.mark.parametrize("fault", planted_combine.FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_of_combine_is_caught(fault: Fault, tmp_path: Path) -> None:
    tree = copy_of_project(tmp_path)
    path = tree / "simkit" / fault.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    found = run_nets(tree, "nets_combine.py")
    assert found.returncode == 1, f"not caught: {fault.name}\n{found.stdout}{found.stderr}"
    assert found.stdout.split(":")[0] in COMBINE_NETS, found.stdout + found.stderr


# ---------------------------------------------------------------- seats and pots


def test_each_fault_of_seats_and_pots_names_a_line_that_is_there_once() -> None:
    assert len(planted_turns.FAULTS) >= 60
    for fault in planted_turns.FAULTS:
        text = (ROOT / "simkit" / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.right) == 1, fault.name


def test_seats_and_pots_as_they_stand_are_not_caught(tmp_path: Path) -> None:
    found = run_nets(copy_of_project(tmp_path), "nets_turns.py")
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.slow
@pytest.mark.parametrize("fault", planted_turns.FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_of_seats_and_pots_is_caught(fault: Fault, tmp_path: Path) -> None:
    tree = copy_of_project(tmp_path)
    path = tree / "simkit" / fault.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    found = run_nets(tree, "nets_turns.py")
    assert found.returncode == 1, f"not caught: {fault.name}\n{found.stdout}{found.stderr}"
    assert found.stdout.split(":")[0] in TURNS_NETS, found.stdout + found.stderr
