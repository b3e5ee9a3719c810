"""Figures and tables of a comparison and of an experiment, as a notebook shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

import simkit
from simkit.errors import UsageError


def test_a_comparison_is_drawn_and_shown(tmp_path: Path) -> None:
    found = simkit.compare(
        "ecrire_academie",
        vary=[{"settlement.tail_of_sets": 0}, {"settlement.tail_of_sets": 10}],
        players="random",
        matches=40,
        root=tmp_path,
    )
    figure = found.figure()
    measures = list(dict.fromkeys(found.frame["measure"]))
    assert len(figure.axes) == len(measures)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [
        one.name for one in found.variants
    ]
    assert measures[0] in found._repr_html_()
    assert len(found.figure(measures[-1]).axes) == 1
    with pytest.raises(UsageError, match="what was compared"):
        found.figure("luck")


def test_an_experiment_is_drawn_and_shown(tmp_path: Path) -> None:
    result = simkit.run("twelve_hole_duration", matches=60, root=tmp_path)
    measure = str(result.estimates["measure"].iloc[0])
    assert result.figure(measure).axes[0].get_xlabel().startswith(measure)
    assert "<table" in result._repr_html_()
    with pytest.raises(UsageError, match="the estimates are of"):
        result.figure("luck")
