"""What stands beneath a printed table, and what fits a question is named in full."""

from __future__ import annotations

import pytest

from simkit import catalogue
from simkit.errors import ConfigError
from simkit.experiment import asks_of_tables
from simkit.players import TablesEvaluation, refuse_misfit
from simkit.report.numbers import Cell, Table
from simkit.rules import PointMatch
from simkit.rules.ruleset import TABLES_QUESTIONS


def number(n: int, method: str = "Wilson") -> Cell:
    return Cell("1", "0 to 2", 1.0, n, method)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (((Cell("a"), number(4320), number(4320)),), "n 4\u202f320; Wilson"),
        (
            ((Cell("a"), number(10), number(20)), (Cell("b"), number(10), Cell(""))),
            "n 10 (one), 20 (two); Wilson",
        ),
        (((Cell("a"), number(10)), (Cell("b"), number(20, "t"))), "n 10 (a), 20 (b); Wilson; t"),
        (((Cell("a"), number(10), number(20)), (Cell("b"), number(20), number(10))), "n 10 to 20; Wilson"),
        (tuple((Cell(str(k)), number(k, f"m{k}")) for k in range(1, 7)), "n 1 to 6; 6 methods, see Design"),
        (((Cell("a"), Cell("x")),), ""),
    ],
)
def test_n_and_method_stand_beneath_a_table(rows: tuple[tuple[Cell, ...], ...], told: str) -> None:
    assert Table(("", "one", "two"), rows).foot == told


def test_what_fits_tables_is_named_in_full() -> None:
    names = catalogue.names()
    of_tables = [name for name in names.experiments if asks_of_tables(catalogue.experiment(name).analysis)]
    named = TABLES_QUESTIONS[TABLES_QUESTIONS.index("(backgammon_225_cube") + 1 :].split(")")[0]
    assert named == ", ".join(sorted(of_tables))
    assert "rollout" in TABLES_QUESTIONS


def test_players_of_tables_are_named_in_full() -> None:
    rules = catalogue.rule_set("toutes_tables")
    assert isinstance(rules.match, PointMatch)
    with pytest.raises(ConfigError) as refused:
        refuse_misfit(rules, (catalogue.player("prudent"),) * 2)
    of_tables = [
        name
        for name in catalogue.names().players
        if isinstance(catalogue.player(name).choice, TablesEvaluation)
    ]
    assert all(name in str(refused.value) for name in of_tables)
