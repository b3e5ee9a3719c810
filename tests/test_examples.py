"""The examples of `examples/` run as they stand, and say what they are meant to say."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SAID = {
    "player_in_numpy.py": ("In pairs wins", "The run says the same"),
    "player_in_numba.py": ("The careful player wins", "He marks"),
    "reanalysis.py": ("ecrire_academie by", "winner_holes"),
}


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_example(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # runs go below the current folder
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    out = capsys.readouterr().out
    assert all(words in out for words in SAID[name])
