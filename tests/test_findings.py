"""The findings are what the stored estimates say, and the page in docs is up to date."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_experiment import SMALL, capping_driver, played

from simkit import catalogue
from simkit.analysis.words import count, in_words
from simkit.dataset import read_estimates, write_estimates
from simkit.errors import UsageError
from simkit.experiment import stored_verdicts
from simkit.report.__main__ import main
from simkit.report.findings import findings
from simkit.report.influence import influence, measured

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
        assert f"| {verdict.players} | 200 matches | **confirmed** | {verdict.numbers} |" in text
    assert "Command: `simkit run small`. Seed 7." in text


def test_the_command_names_another_number_of_matches(tmp_path: Path, alone: Any) -> None:
    alone["small"] = replace(SMALL, matches=500)
    result = played(SMALL, tmp_path)
    write_estimates(result.folder, result.stored)
    assert "`simkit run small --matches 200`" in findings(tmp_path, tmp_path)


def test_a_wrong_request_is_told() -> None:
    with pytest.raises(UsageError, match="--findings RESULTS"):
        main(["--findings"])


def test_the_matches_are_those_of_the_numbers_judged(tmp_path: Path, alone: Any) -> None:
    """Parties in which a share was sought among few matches: the number of those, not of all."""
    cut = played(SMALL, tmp_path, capping_driver)
    write_estimates(cut.folder, cut.stored)
    text = findings(tmp_path, tmp_path)
    for verdict in cut.verdicts:
        told = in_words([f"{count(n)} matches" for n in verdict.matches]) if verdict.matches else "none"
        assert f"| {verdict.players} | {told} | **{verdict.verdict}** | " in text
    assert "| none | **undecided** | " in text


def test_skill_and_the_time_of_the_criteria_stand_beside_the_verdicts(tmp_path: Path, alone: Any) -> None:
    claim = replace(SMALL.claims[0], skill_note="Nobody minds the score.")
    alone["small"] = replace(SMALL, claims=(claim,), criteria_set="on a Monday")
    result = played(alone["small"], tmp_path)
    write_estimates(result.folder, result.stored)
    text = findings(tmp_path, tmp_path)
    assert "Criteria were set on a Monday.\n" in text
    assert "\n\nSkill: Nobody minds the score.\n\n| players | n |" in text


def test_rulings_lead_to_the_numbers_of_the_fields_that_are_measured() -> None:
    """And say `not measured` of no such field, and `measured` of no other."""
    text = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8").partition("## Fixed choices")[0]
    fields = measured()
    for entry in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        title = entry.partition("\n")[0]
        names = set(re.findall(r"`(\w+)`", entry if "no source disputes" in title else title))
        links = re.findall(r"\(influence\.md#([\w-]+)\)", entry)
        asked = [heading for heading, known in fields.items() if names & known]
        if "no source disputes" in title:
            asked = asked[:1]  # their readings of the match and the settlement are told above
        assert links == [heading.lower().replace(" ", "-") for heading in asked], title
        assert not (asked and "not measured" in entry), title


@pytest.mark.parametrize("name", ["findings", "influence"])
def test_the_page_in_docs_is_what_the_results_say(name: str) -> None:
    if not (ROOT / "results").is_dir():
        pytest.skip("a wheel has no results")
    pages = {
        "findings": lambda: findings(ROOT / "results", ROOT / "docs"),
        "influence": lambda: influence(ROOT / "results"),
    }
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    assert pages[name]() == text
    for link in re.findall(r"\]\((\.\./[^)]+)\)", text):
        assert (ROOT / "docs" / link).resolve().is_file()
