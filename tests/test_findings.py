"""The findings are what the stored estimates say, and the page in docs is up to date."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_experiment import SMALL, capping_driver, played

from simkit import catalogue
from simkit.dataset import read_estimates, write_estimates
from simkit.errors import UsageError
from simkit.experiment import stored_verdicts
from simkit.report.__main__ import main
from simkit.report.findings import findings

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", ["played", "cut"])
def test_stored_verdicts_are_those_of_the_run(tmp_path: Path, name: str) -> None:
    result = played(SMALL, tmp_path, *([capping_driver] if name == "cut" else []))
    write_estimates(result.folder, result.stored)
    assert tuple(stored_verdicts(SMALL, read_estimates(result.folder))) == result.verdicts


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A catalogue that has the small experiment and another without results."""
    other = replace(SMALL, name="other")
    found = {"small": SMALL, "other": other}
    monkeypatch.setattr(
        catalogue, "names", lambda: type("Names", (), {"experiments": tuple(found), "rule_sets": ()})()
    )
    monkeypatch.setattr(catalogue, "experiment", found.__getitem__)
    return found


def test_a_page_of_one_experiment(tmp_path: Path, alone: Any) -> None:
    result = played(SMALL, tmp_path / "results")
    write_estimates(result.folder, result.stored)
    main(["--findings", str(tmp_path / "results"), str(tmp_path / "findings.md")])
    text = (tmp_path / "findings.md").read_text(encoding="utf-8")
    link = f"results/small/{result.digest[:12]}/report.html"
    assert f"- [Small]({link}): B5 confirmed\n- no results are stored of `other`\n" in text
    assert "### B5. The payment of the sets can cost the leader the match." in text
    for verdict in result.verdicts:
        assert f"| {verdict.players} | 200 | **confirmed** | {verdict.numbers} |" in text
    assert "Command: `simkit run small`. Seed 7." in text


def test_the_command_names_another_number_of_matches(tmp_path: Path, alone: Any) -> None:
    alone["small"] = replace(SMALL, matches=500)
    result = played(SMALL, tmp_path)
    write_estimates(result.folder, result.stored)
    assert "`simkit run small --matches 200`" in findings(tmp_path, tmp_path)


def test_a_wrong_request_is_told() -> None:
    with pytest.raises(UsageError, match="--findings RESULTS"):
        main(["--findings"])


def test_the_page_in_docs_is_what_the_results_say() -> None:
    if not (ROOT / "results").is_dir():
        pytest.skip("a wheel has no results")
    text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    assert findings(ROOT / "results", ROOT / "docs") == text
    for link in re.findall(r"\]\((\.\./[^)]+)\)", text):
        assert (ROOT / "docs" / link).resolve().is_file()
