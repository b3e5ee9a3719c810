"""What `simkit compare` is asked for: what does nothing is refused in words, and what is told is told once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import simkit
from simkit import cli
from simkit.analysis import comparison
from simkit.errors import UsageError
from simkit.report.comparison import render_comparison

pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(folder: str, seed: int = 5, matches: int = 30, rules: str = "classical") -> None:
    simkit.simulate(rules, "random", matches=matches, seed=seed, out=folder, jobs=1)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Run a command; its exit code, and all that it says in one line."""

    def run(*arguments: str) -> tuple[int, str]:
        code = cli.call([*arguments, "-q"] if arguments[0] == "compare" else list(arguments))
        said = capsys.readouterr()
        return code, " ".join((said.out + said.err).split())

    return run


def test_of_stored_runs_what_only_says_how_to_play_is_refused(told: Callable[..., tuple[int, str]]) -> None:
    play("one")
    play("two", rules="soumille_1766_dlp")
    both = ("compare", "one", "two", "--measure", "rolls")
    for option, value, words in (
        (
            "--players",
            "greedy",
            "--players: nothing is played; in a stored run sit the players it was played by",
        ),
        ("--seed", "5", "--seed 5: nothing is played; a stored run has its own, here 5"),
        ("--matches", "5000", "--matches 5000: nothing is played, and the runs hold at most 30"),
    ):
        code, said = told(*both, option, value)
        assert code == 2 and words in said, said
    code, said = told(*both, "--matches", "20", "--report", "page.html")
    assert code == 0 and "seed 5, the first 20 of 30 matches." in said
    assert "the first 20 of 30 matches" in Path("page.html").read_text(encoding="utf-8")
    code, said = told(*both)
    assert code == 0 and "seed 5, 30 matches." in said
    with pytest.raises(UsageError, match="--players: nothing is played"):
        simkit.compare("one", "two", players=["random"])


def test_the_seed_is_told_once(told: Callable[..., tuple[int, str]]) -> None:
    play("one")
    play("two", seed=6)
    code, said = told("compare", "one", "two", "--measure", "rolls")
    assert code == 0 and "Baseline: classical: random against random, seed 5, 30 matches." in said
    page = render_comparison(simkit.compare("one", "two", measures=["rolls"]), "")
    assert "seed 5, seed 5" not in page and "random against random, random" not in page


def test_one_play_and_one_settlement_is_not_compared_with_itself(
    told: Callable[..., tuple[int, str]],
) -> None:
    play("one")
    shutil.copytree("one", "copy")
    play("fewer", matches=20)
    for other, words in (("one", "one twice"), ("copy", "one and copy"), ("fewer", "one and fewer")):
        code, said = told("compare", "one", other)
        assert code == 2 and f"{words}: the same play and the same settlement" in said, said
    code, said = told("compare", "classical", "classical", "--players", "random")
    assert code == 2 and "classical twice: the same play" in said
    assert not Path("results").exists()  # nothing was played first
    code, said = told("compare", "classical", "soumille_1766_dlp", "classical", "--matches", "10")
    assert code == 2 and "classical twice" in said


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--players", "prudent,prudent"), "prudent,prudent: they are one and the same player"),
        (("--players", "prudent,prudent"), "(--set PATH=VALUE, or --vary PATH=VALUE)"),
        (("--players", "prudent,greedy", "--luck", "--until", "wins=0.1"), "--luck and --until do not go"),
        (("--players", "prudent,greedy", "--level", "1"), "--level 1: a level of confidence"),
        (("--set", "game.men=15", "--until", "decided"), "--until decided: a difference of nothing"),
        (
            ("--until", "rolls=nan"),
            "--until rolls=nan: nan is no size; give a finite number above 0, as rolls=20",
        ),
        (("--margin", "rolls=inf"), "--margin rolls=inf: inf is no size"),
        (("--margin", "rolls=-3"), "--margin rolls=-3: -3 is no size"),
        (("--margin", "=3"), "--margin =3: write NAME=SIZE, as rolls=20"),
        (("--margin", "rolls=many"), "--margin rolls=many: write NAME=SIZE, as rolls=20"),
    ],
)
def test_messages_name_options(
    options: tuple[str, ...], words: str, told: Callable[..., tuple[int, str]]
) -> None:
    code, said = told("compare", "ecrire_academie", *options)
    assert code == 2 and words in said, said
    assert not Path("results").exists()


def test_other_matches_name_the_options_for_variants(told: Callable[..., tuple[int, str]]) -> None:
    code, said = told("compare", "combine", "--players", "random,prudent")
    assert code == 2 and "a variant of it (--set or --vary PATH=VALUE)" in said


def test_a_number_that_is_the_same_in_every_match_has_no_p(
    told: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("compare", "pool_drain", "pool_drain_fallavel", "--players", "random", "--matches", "20")
    code, said = told(*asked, "--measure", "pot", "--report", "page.html")
    assert code == 0 and "undecided (all alike)" in said and "no difference" not in said
    assert "1.0000" not in said + Path("page.html").read_text(encoding="utf-8")
    monkeypatch.setattr(comparison, "SAME_FROM", 20)  # so many tell that any other number is rare
    code, said = told(*asked, "--measure", "pot", "--report", "page.html")
    assert code == 0 and "no difference" in said
    assert "no difference: the same in every match." in said
    assert "(all alike)" not in said and "1.0000" not in said
    page = Path("page.html").read_text(encoding="utf-8")
    assert "no difference: the same in every match" in page and "1.0000" not in page


@pytest.mark.parametrize(
    ("command", "option", "file", "problem"),
    [
        (("compare", "classical", "soumille"), "--report", "plain/x.html", "there is no folder plain"),
        (("compare", "classical", "soumille"), "--report", "none/x.html", "there is no folder none"),
        (("compare", "classical", "soumille"), "--report", "folder.html", "it is a folder"),
        (("compare", "classical", "soumille"), "--report", "plain", "it ends neither in .html nor in .htm"),
        (("compare", "classical", "soumille"), "--report", "null.html", "it is not a plain file"),
        (("compare", "classical", "soumille"), "--report", "run/x.html", "is the folder of a run"),
        (("settle", "run"), "--out", "run/matches/x.csv", "is the folder of a run"),
        (("settle", "run"), "--payments", "link/x.parquet", "is the folder of a run"),
        (("settle", "run"), "--out", "x.html", "it ends neither in .parquet nor in .csv"),
        (("replay", "classical"), "--svg", "run/boards", "is the folder of a run"),
        (("adjourn", "classical", "0", "--after", "1"), "--out", "null.html", "it is not a plain file"),
        (("adjourn", "classical", "0", "--after", "1"), "--out", "x.csv", "it does not end in .json"),
        (("adjourn", "classical", "0", "--after", "1"), "--out", "run/run.json", "is the folder of a run"),
        (("settle", "run"), "--out", "none/x.csv", "there is no folder none"),
        (("settle", "run", "--out", "x.csv"), "--payments", "none/y.csv", "there is no folder none"),
        (("adjourn", "classical", "0", "--after", "1"), "--out", "none/x.json", "there is no folder none"),
        (("replay", "classical"), "--svg", "plain", "plain is no folder"),
        (("score", "classical", "1:15 | 24:15", "6-5"), "--svg", "none/x.svg", "there is no folder none"),
        (("starts",), "--svg", "none/x.svg", "there is no folder none"),
        (("starts",), "--svg", f"{'x' * 300}.svg", "File name too long"),
    ],
)
def test_where_nothing_can_be_written_is_told_first(
    command: tuple[str, ...], option: str, file: str, problem: str, told: Callable[..., tuple[int, str]]
) -> None:
    Path("plain").write_text("", encoding="utf-8")
    Path("null.html").symlink_to("/dev/null")
    Path("link").symlink_to("run/matches")
    for folder in ("folder.html", "run/matches"):
        Path(folder).mkdir(parents=True)
    run = '{\n "schema": "run/1"'
    Path("run/run.json").write_text(run, encoding="utf-8")
    before = sorted(Path().rglob("*"))
    code, said = told(*command, option, file)
    assert code == 2 and option in said and "cannot be written: " in said and problem in said, said
    assert sorted(Path().rglob("*")) == before and Path("run/run.json").read_text(encoding="utf-8") == run


def test_two_options_do_not_write_one_file(told: Callable[..., tuple[int, str]]) -> None:
    Path("here").mkdir()
    Path("there").symlink_to("here")
    code, said = told("settle", "run", "--out", "here/x.csv", "--payments", "there/../here/x.csv")
    assert code == 2 and "--out here/x.csv and --payments there/../here/x.csv are one file" in said


def test_options_are_named_as_they_were_given(told: Callable[..., tuple[int, str]]) -> None:
    for option in ("--vary", "--set"):
        assert (
            f"{option}: 'nope' is not a change; write PATH=VALUE"
            in told("compare", "classical", option, "nope")[1]
        )
    assert told("compare", "one", "two", "--jobs", "0")[0] == 2


def test_the_page_of_runs_of_unlike_length_takes_them_whole(told: Callable[..., tuple[int, str]]) -> None:
    for out, seed, matches in (("long", "1", "30"), ("short", "2", "20")):
        play = ("simulate", "twelve_hole", "--players", "random", "--seed", seed, "--matches", matches)
        assert told(*play, "--out", out, "--quiet")[0] == 0
    assert told("compare", "short", "long", "--report", "page.html")[0] == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert "<pre>simkit compare short long</pre>" in page and "n: 20 and 30 matches." in page


def test_the_shorter_of_two_runs_is_named_at_the_end(told: Callable[..., tuple[int, str]]) -> None:
    """And what it has is not told as known when only the longer has as many as it would take."""
    for out, seed, matches in (("long", "1", "300"), ("short", "2", "60")):
        play = ("simulate", "twelve_hole", "--players", "random", "--seed", seed, "--matches", matches)
        assert told(*play, "--out", out, "--quiet")[0] == 0
    asked = ("compare", "long", "short", "--measure", "rolls", "--until")
    code, said = told(*asked, "rolls=500")
    assert code == 0 and "the shortest side having 60 matches: reached with 300 matches" in " ".join(
        said.split()
    )
    whole = simkit.compare("long", "short", measures=["rolls"]).frame.iloc[0]
    half = (whole["difference_high"] - whole["difference_low"]) / 2
    code, said = told(*asked, f"rolls={0.7 * half:.3f}")  # twice the 60, and fewer than the 300
    assert code == 6 and "not reached with 300 matches" in " ".join(said.split())
