"""What commands say of tables of several players, of pools and of sources: who sits where, by which work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import simkit
from simkit import cli
from simkit.catalogue import names, rule_set
from simkit.dataset.settled import SETTLED_COLUMNS
from simkit.rules import WORKS, seated_words, side_words, sides_of
from simkit.rules.works import SHORT, in_words

NAMES = ("anne", "ben", "cleo", "dora", "eve")


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, output and errors of a command, in lines without breaks."""
    code = cli.call([*map(str, arguments)])
    out, err = capsys.readouterr()
    return code, " ".join(out.split()), " ".join(err.split())


# ---------------------------------------------------------------- who sits where


@pytest.mark.parametrize(
    ("rules", "sides", "words"),
    [
        ("ecrire_academie", ((1,), (2,)), "anne against ben"),
        ("chouette_guiton", ((1,), (2, 3)), "1 anne against 2 ben + 3 cleo"),
        ("combine_chouette", ((1,), (2, 3)), "1 anne against 2 ben + 3 cleo"),
        ("combine_two_v_two", ((1, 2), (3, 4)), "1 anne + 2 ben against 3 cleo + 4 dora"),
        ("five_jl1852", ((1, 2), (3, 4, 5)), "1 anne + 2 ben against 3 cleo + 4 dora + 5 eve"),
        ("tourner_guiton", ((1,), (2,), (3,)), "1 anne, 2 ben, 3 cleo, each for himself"),
        ("pool_fill", ((1,), (2,), (3,), (4,)), "1 anne, 2 ben, 3 cleo, 4 dora, in line"),
        ("toutes_tables", ((1,), (2,)), "anne against ben"),
    ],
)
def test_sides_and_who_plays_against_whom(rules: str, sides: tuple[tuple[int, ...], ...], words: str) -> None:
    match = rule_set(rules).match
    assert sides_of(match) == sides
    assert seated_words(match, NAMES[: match.players]) == words


def test_every_player_of_every_rule_set_has_one_place() -> None:
    for name in names().rule_sets:
        match = rule_set(name).match
        assert sorted(sum(sides_of(match), ())) == [*range(1, match.players + 1)]
        assert len(side_words(match, (NAMES * 2)[: match.players])) == len(sides_of(match))


def test_simulate_prints_sides_and_each_for_himself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ("--matches", 2, "-q", "--jobs", 1, "--set", "match.sets=4")
    command = ("simulate", "two_v_two_guiton", "--players", "random,prudent,random,prudent")
    code, out, _ = said(capsys, *command, *few, "--out", tmp_path / "four")
    assert code == 0
    assert all(words in out for words in ("side 1", "1 random + 2 prudent", "side 2", "3 random + 4 prudent"))
    command = ("simulate", "tourner_guiton", "--players", "random,prudent,random")
    code, out, _ = said(capsys, *command, *few[:-1], "match.sets=3", "--out", tmp_path / "three")
    assert (code, out.count("1 random, 2 prudent, 3 random")) == (0, 1)
    assert "sets won" not in out


def test_the_dictionary_has_every_column_of_settled_matches(tmp_path: Path) -> None:
    told = {name for names, *_ in SETTLED_COLUMNS for name in names.split(", ")}
    numbered = {name.removesuffix("_P") for name in told if name.endswith("_P")}
    labels = {"rules", "player_1", "player_2"}
    plays = {
        "ecrire_academie": (2, {"sets": 2}),
        "classical": (2, {}),
        "combine": (2, {"sets": 2}),
        "combine_two_v_two": (4, {"sets": 4}),
        "chouette_guiton": (3, {"sets": 4}),
        "tourner_guiton": (3, {"sets": 3}),
        "pool_drain": (4, {}),
        "pool_fill": (4, {}),
    }
    for name, (players, changes) in plays.items():
        rules = rule_set(name).with_match(**changes)
        run = simkit.simulate(rules, ("random",) * players, matches=2, jobs=1, out=tmp_path / name)
        columns = set(simkit.settle_run(run).columns) - labels
        unknown = {one for one in columns - told if re.sub(r"_[1-9]$", "", one) not in numbered}
        assert not unknown, (name, unknown)


# ---------------------------------------------------------------- another rule at once


def test_a_pool_of_three_is_told_without_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("replay", "pool_drain", "--set", "match.players=3", "--players", "random", "--short")
    code, out, err = said(capsys, *command)
    assert (code, err) == (0, "")
    assert "player 3 random" in out
    assert "player 4" not in out
    assert said(capsys, *command, "--set", 1)[1].count("MATCH") == 1
    code, _, err = said(capsys, *command[:3], "match.players=2")
    assert (code, "a whole number from 3 to 8 (encyclopedia, source 001, any number; Guiton 1822" in err) == (
        3,
        True,
    )


def test_the_rules_of_a_run_are_not_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = simkit.simulate("classical", "random", matches=1, jobs=1, out=tmp_path / "run").folder
    code, out, err = said(capsys, "replay", folder, 0, "--set", "match.target_holes=4")
    assert (code, out) == (2, "")
    assert "is a run, played by its own rules" in err


def test_a_rollout_under_another_rule(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("rollout", "classical", "1:9 6 7 8 9 12:2 | 13:2 24:13", "6-5", "--matches", 20, "--jobs", 1)
    code, out, _ = said(capsys, *command, "--set", "match.target_holes=6")
    assert (code, out.startswith("classical_target_holes_6, ")) == (0, True)
    assert said(capsys, *command, "--set", "match.target_holes=0")[0] == 3


# ---------------------------------------------------------------- sources and names


def test_messages_name_works_by_author_and_year() -> None:
    assert SHORT.keys() == WORKS.keys()
    assert in_words("no (GU ch. VIII; JL 246)") == "no (Guiton 1822, ch. VIII; J.L. 1852, 246)"
    assert in_words("no (S1, any number; OURS)") == "no (encyclopedia, source 001, any number; OURS)"
    for plain in ("no GU here", "none (match.players)", "(SUM)", "('GU', 1)", "(M1)"):
        assert in_words(plain) == plain
    told = in_words("x (S0; S1)")
    assert in_words(told) == told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("simulate", "combine", "--set", "match.table_mode=tourner"),
            "never à tourner (encyclopedia, source 001",
        ),
        (("simulate", "tourner_guiton", "--set", "match.sets=8"), "a multiple of 3 from 3 to 24"),
        (("simulate", "whist"), "no rule set is called whist; simkit list names the"),
        (("adjourn", "combine", "-1", "--after", 3, "--out", "m.json"), "-1: a number below 0"),
    ],
)
def test_what_cannot_be(
    arguments: tuple[object, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, *arguments)
    assert (code in (2, 3), out) == (True, "")
    assert words in err


def test_an_event_that_cannot_follow_is_named_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "holes.txt"
    file.write_text("# a remark\n1 7 own suspend_honours\n\n1 2 own suspend_ecrire\n", encoding="utf-8")
    code, out, err = said(capsys, "holes", file)
    assert (code, out) == (2, "")
    assert (
        "line 4, event 2: suspend_ecrire is not open to him: the game of honours is suspended already" in err
    )
    file.write_text("1 6 own go\n", encoding="utf-8")
    code, out, _ = said(capsys, "holes", file, "--rules", "combine_two_v_two")
    assert code == 0
    assert "side 1, whoever of it plays (1 and 2 of the table), player 2 for side 2 (3 and 4)." in out
