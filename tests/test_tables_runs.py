"""Runs of toutes tables: their rows, their folder, and the questions of trictrac that they refuse."""

from __future__ import annotations

import json
from dataclasses import replace as replace_dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import simkit
from simkit import api, cli
from simkit.analysis.tails import TailsOfSets
from simkit.batch import Plan, play_run
from simkit.catalogue import player, rule_set
from simkit.cli import main
from simkit.cli.options import parsed
from simkit.dataset import GAME_ENDED_BY, GAMES, POINT_MATCHES, PlaySpec, content_hash, open_run, verify
from simkit.dataset.plays import StoredPlay
from simkit.dataset.run import card as card_of
from simkit.drivers import play_chunk
from simkit.errors import ConfigError, UsageError
from simkit.experiment import Experiment, design
from simkit.rules import MoveRule, StartSelection, replace

RULES = rule_set("toutes_tables_225")
PAIR = (player("random"), player("tables_linear"))


def exit_code(*arguments: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    return ended.value.code


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> simkit.Run:
    folder = tmp_path_factory.mktemp("runs") / "run"
    return simkit.simulate(RULES, PAIR, matches=60, seed=4, jobs=1, out=folder)


def test_a_run_keeps_matches_and_games(run: simkit.Run) -> None:
    assert sorted(path.name for path in run.folder.iterdir() if path.is_dir()) == ["games", "matches"]
    chunk = play_chunk(RULES, PAIR, 4, 0, 60)
    for frame, table, columns in (
        (run.matches, POINT_MATCHES, chunk.matches),
        (run.games, GAMES, chunk.sets),
    ):
        assert list(frame.columns) == [column.name for column in table.columns]
        assert set(frame["rules"]) == {"toutes_tables_225"}
        ends = pd.Categorical(frame.get("ended_by", []), GAME_ENDED_BY).codes
        for name, column in columns.items():
            kept = ends if name == "ended_by" else frame[name].to_numpy()
            assert np.array_equal(kept, column), name
    (block,) = run.iter_games(columns=("start_a", "points"))
    assert list(block) == ["start_a", "points"]
    assert set(run.of_match(3)) == {"matches", "games"}
    assert [sums.shape for sums in run.figure_sums()] == [(2, 0, 2)]
    verify(run)


def test_a_run_has_no_sets_and_no_figures(run: simkit.Run) -> None:
    for asked in (lambda: run.sets, lambda: run.figures, lambda: [*run.iter_sets()]):
        with pytest.raises(UsageError, match="holds games of toutes tables or backgammon and no sets"):
            asked()
    (folder,) = {run.folder}
    parties = simkit.simulate("classical", "random", matches=2, jobs=1, out=folder.parent / "parties")
    with pytest.raises(UsageError, match="holds sets of trictrac and no games"):
        _ = parties.games


def test_workers_and_topping_up_change_no_row(run: simkit.Run, tmp_path: Path) -> None:
    play = PlaySpec(RULES, PAIR, 4)
    play_run(play, 25, folder=tmp_path / "run", jobs=1, chunk_matches=10)
    grown = play_run(play, 60, folder=tmp_path / "run", jobs=2, chunk_matches=7)
    assert content_hash(grown) == content_hash(run)
    assert open_run(tmp_path / "run").complete


def test_the_files_say_what_they_hold(run: simkit.Run) -> None:
    card = (run.folder / "README.md").read_text(encoding="utf-8")
    assert "Matches of toutes tables or backgammon between computer players" in card
    assert "`start_a` (int8, die)" in card
    assert "figures" not in json.loads(card.split("---")[1])
    assert "read for estimates" not in card
    assert "Holds or goes" not in card and "go_1024" not in card
    manifest = json.loads((run.folder / "manifest.json").read_text(encoding="utf-8"))
    assert set(manifest["tables"]) == {"matches", "games", "estimates"}
    assert manifest["tables"]["matches"]["schema"] == "point_matches/1"


def test_the_card_tells_rule_sets_apart_and_what_the_estimates_read(tmp_path: Path) -> None:

    other = RULES.with_game(move_rule=MoveRule.MAX_DICE)
    names = (RULES, replace(other, name="by_dice"), replace(RULES, name="the_same"))
    plays = [StoredPlay.of(PlaySpec(rules, PAIR, 4)) for rules in names]
    text = card_of(plays, (450, 30, 20), "some", read=(130, 30, 20))
    assert "| matches | read for estimates | seed |\n|---|---|---|---|---|---|\n" in text
    assert " | 450 | 130 | 4 |\n" in text
    assert "The estimates are made from the first matches of a play where more were played." in text
    assert f"Otherwise than `{RULES.name}`: game.move_rule max_dice, not max_points. Digest" in text
    assert f"The same rules as `{RULES.name}`. Digest" in text
    told = replace_dataclass(plays[0].players[0], words=PAIR[0].words())  # as older runs have it
    older = replace_dataclass(plays[0], players=(told, plays[0].players[1]))
    assert "go_1024" in " ".join(told.words)
    assert card_of([older], (450,), "some") == card_of(plays[:1], (450,), "some")
    assert "where more were played" not in card_of(plays, (450, 30, 20), "some", read=(450, 30, 20))


def test_a_damaged_part_is_played_again(run: simkit.Run, tmp_path: Path) -> None:
    play = PlaySpec(RULES, PAIR, 4)
    play_run(play, 60, folder=tmp_path / "run", jobs=1)
    (part,) = (tmp_path / "run" / "games").iterdir()
    part.write_bytes(part.read_bytes()[:-20])
    assert content_hash(play_run(play, 60, folder=tmp_path / "run", jobs=1)) == content_hash(run)


def test_two_families_cannot_share_a_run(tmp_path: Path) -> None:
    random = (player("random"), player("random"))
    plays = [PlaySpec(rule_set(name), random, 0) for name in ("classical", "backgammon")]
    with pytest.raises(UsageError, match="cannot share a run: they keep different tables"):
        play_run(plays, 2, folder=tmp_path / "run")


def test_a_plan_follows_from_the_points() -> None:
    short, long = (Plan.of(PlaySpec(RULES.with_match(match_points=n), PAIR, 0)) for n in (1, 100))
    assert long.chunk < short.chunk
    assert short.round % short.chunk == 0


def test_the_default_player_fits_the_game(tmp_path: Path) -> None:
    run = simkit.simulate("backgammon", matches=2, jobs=1, out=tmp_path / "run")
    assert run.plays[0].labels["player_1"] == "tables_linear"


def test_a_run_with_the_cube(tmp_path: Path) -> None:
    run = simkit.simulate("backgammon_225_cube", matches=40, jobs=1, out=tmp_path / "run")
    assert run.plays[0].labels["player_1"] == "tables_cube"
    games = run.games
    assert set(games["ended_by"].unique()) == {"win", "drop"}
    dropped = games[games["ended_by"] == "drop"]
    assert (dropped["points"] == dropped["cube"]).all()
    assert (games["points"] % games["cube"] == 0).all()
    assert ((games["cube"] == 1) == (games["cube_owner"] == 0)).all()
    (block,) = run.iter_games(columns=("ended_by", "cube"))
    assert set(block["ended_by"]) == {0, 1}
    verify(run)
    assert isinstance(simkit.replay(run, 7).rows["cube"], np.ndarray)


def test_an_experiment_of_trictrac_is_refused() -> None:
    asked = Experiment(
        name="asked",
        title="Asked",
        question="What do tails do in toutes tables?",
        rules=("toutes_tables_225",),
        players=(("random", "random"),),
        matches=10,
        seed=0,
        analysis=TailsOfSets(settlements=({},), lengths=(2, 8)),
        claims=(),
    )
    with pytest.raises(
        ConfigError, match="toutes_tables_225 is a game of toutes tables or backgammon, and this is"
    ):
        design(asked)


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        ("settle RUN", 2, "a match to points has points only, which nothing settles anew"),
        ("settle RUN --set settlement.tail_of_sets=0", 2, "a match to points has points only"),
        ("report RUN", 2, "was made by no experiment"),
        ("simulate toutes_tables_225 --players greedy", 3, "he plays trictrac"),
        ("simulate classical --players tables_linear", 3, "he plays toutes tables and backgammon"),
        ("simulate toutes_tables_225 --set match.match_points=0", 3, "match.match_points: 0 is not allowed"),
        (
            "simulate toutes_tables_225 --set game.fixed_start=[1,2,3,4]",
            3,
            "start_selection random_225 is not",
        ),
        ("simulate backgammon --from POSITION --score 3:4", 2, "holes:points are of trictrac"),
        ("rollout backgammon POSITION 6-5 --players greedy", 3, "he plays trictrac"),
        ("simulate backgammon --set match.cube=yes", 3, "match.cube: 'yes' is not allowed; true or false"),
        ("simulate backgammon --set match.cube_limit=8", 3, "it needs match.cube true"),
        (
            "simulate backgammon_cube --set match.cube_limit=3",
            3,
            "match.cube_limit: 3 is not allowed; 2, 4, 8",
        ),
        ("simulate classical --players tables_cube", 3, "he plays toutes tables and backgammon"),
        (
            "simulate toutes_tables --set match.match_end_mid_pair=false",
            3,
            "it needs match.games_per_start 2",
        ),
        (
            "simulate toutes_tables --set game.fixed_start=1",
            3,
            "c < d from 1 to 6, as 1-6-1-5 (in JSON [1,6,1,5])",
        ),
        ("simulate toutes_tables --set match.fixed_start=1-6-1-5", 3, "it belongs to game.fixed_start"),
        (
            "simulate toutes_tables --set game.start_selection=fixed --set game.fixed_start=1-6-1",
            3,
            "four dice a < b and c < d from 1 to 6",
        ),
        ("simulate toutes_tables --set game.fixed_start=1-6-1-x", 3, "as 1-6-1-5"),
        ("replay backgammon --players greedy", 3, "he plays trictrac"),
        ("simulate backgammon --players=", 2, "--players '': name one player"),
        ("replay backgammon --players random,", 2, "--players 'random,': name one player"),
        ("compare backgammon backgammon_cube --players=", 2, "name one player"),
        ("rollout classical POSITION 6-5 --players=", 2, "name one player"),
        ("settle RUN", 2, "compare for two runs, or run with a question of this family"),
        ("starts --svg starts.png", 2, "starts.png cannot be written: it does not end in .svg"),
        ("score backgammon POSITION 6-5 --svg board", 2, "board cannot be written: it does not end in .svg"),
        (
            "plays classical POSITION 6-5 --svg board.txt",
            2,
            "board.txt cannot be written: it does not end in .svg",
        ),
        ("adjourn RUN 3 --after 1 --out FILE", 2, "this is a question of trictrac"),
    ],
)
def test_bad_input(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    run: simkit.Run,
    command: str,
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    places = {"RUN": str(run.folder), "POSITION": "1:15 | 24:15", "FILE": "match.json"}
    assert exit_code(*(places.get(word, word) for word in command.split())) == code
    told = capsys.readouterr()
    assert words in " ".join(told.err.split())
    assert not told.out
    assert not [*tmp_path.iterdir()]


def test_simulate_says_what_was_won(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["simulate", "backgammon_225", "--matches", "20", "--jobs", "1", "--quiet"]
    assert exit_code(*command, "--json") == 0
    (found,) = json.loads(capsys.readouterr().out)["plays"]
    assert found["points_1"] + found["points_2"] >= 60
    assert found["games_won_1"] + found["games_won_2"] >= 20
    assert exit_code(*command) == 0
    assert "points 1" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["1-6-1-5", "1,6,1,5", "1-6 1-5", "1 6 1 5", "[1,6,1,5]"])
def test_a_start_is_read_as_it_is_written(text: str) -> None:
    found = simkit.rule_set("toutes_tables").with_game(
        start_selection=StartSelection.FIXED, fixed_start=(1, 6, 1, 5)
    )
    changes = parsed(["game.start_selection=fixed", f"game.fixed_start={text}"])
    assert api.changed(simkit.rule_set("toutes_tables"), changes).digest == found.digest


def test_a_name_of_two_kinds_leads_to_its_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run = simkit.simulate("backgammon_225_cube", matches=2, jobs=1)
    assert cli.call(["report", "backgammon_225_cube"]) == 2
    said = "".join(capsys.readouterr().err.split())
    assert f"therunsofthisnameareresults/backgammon_225_cube/{run.folder.name}of1play" in said
    assert cli.call(["report", str(run.folder)]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "a run of the rule set of that name, which has no report" in said
