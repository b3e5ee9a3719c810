"""The intervals cover as often as docs/statistics.md says, and false positives are as rare."""

from __future__ import annotations

from pathlib import Path

import pytest
from coverages import lines

DOCS = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


@pytest.mark.slow
def test_the_documentation_prints_what_simulation_finds() -> None:
    said = DOCS.read_text(encoding="utf-8").splitlines()
    missing = [line for line in lines() if line not in said]
    assert not missing, "not in docs/statistics.md; python tests/coverages.py prints them"
