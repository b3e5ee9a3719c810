"""A match told roll by roll: the same rows, awards that add up, words a player can read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import simkit
from simkit import cli
from simkit.batch import play_run
from simkit.catalogue import names, player, rule_set
from simkit.dataset import SETS, PlaySpec, Run
from simkit.drivers import play_chunk
from simkit.errors import UsageError, VerificationFailed
from simkit.kernel.records import FIGURES, MAX_ROLLS
from simkit.position import read
from simkit.rules import (
    Combine,
    NextPartieFirstDie,
    RuleSet,
    TableMode,
    TwelveHoles,
    Written,
    apply_all,
)
from simkit.transcript import Roll, Transcript, transcribe

GOLDEN = Path(__file__).parent / "golden" / "partie.txt"
SEED = 7


def shortened(name: str) -> RuleSet:
    """A rule set of the catalogue, a written match with as few sets as it may have, two where there are two."""
    rules = rule_set(name)
    fewest = {TableMode.TOURNER: 3, TableMode.FIVE: 6}
    if isinstance(rules.match, Combine):
        return rules.with_match(sets=2)
    if not isinstance(rules.match, Written):
        return rules
    return rules.with_match(sets=fewest.get(rules.match.table_mode, 2))


TOLD = Written | TwelveHoles
TRICTRAC = [name for name in names().rule_sets if isinstance(rule_set(name).match, TOLD)]


def told(rules: RuleSet, one: str, other: str = "", match: int = 3, **more: Any) -> Transcript:
    return transcribe(rules, (player(one), player(other or one)), SEED, match, **more)


def rolls(transcript: Transcript) -> Iterator[Roll]:
    return (roll for one in transcript.sets for roll in one.rolls)


# ---------------------------------------------------------------- the same match


@pytest.mark.parametrize("name", TRICTRAC)
@pytest.mark.parametrize("who", ["greedy", "prudent", "random"])
def test_the_match_told_is_the_match_played(name: str, who: str) -> None:
    rules = shortened(name)
    pair = (player(who),) * rules.match.players
    found = transcribe(rules, pair, SEED, 3)
    played = play_chunk(rules, pair, SEED, 3, 1)
    for kept, now in ((played.sets, found.rows), (played.matches, found.matches)):
        assert kept.keys() == now.keys()
        assert all(np.array_equal(kept[column], now[column]) for column in kept)
    assert np.array_equal(sums_of_figures(found), played.figures)
    for one in found.sets:
        assert len(one.rolls) == one.row["rolls"] + one.row["rolls_do_overs"]
        assert [roll.number for roll in one.rolls] == [*range(1, len(one.rolls) + 1)]
        check_account(one.rolls)
        assert (one.rolls[-1].ends, one.rolls[-1].after.holes) == (
            one.row["ended_by"],
            (one.row["holes_1"], one.row["holes_2"]),
        )
        goings = sum(roll.decision is not None and roll.decision.went for roll in one.rolls)
        ended = isinstance(rules.match, Written | Combine)
        assert goings == one.row["settings"] + one.row["settings_do_overs"] - 1 + ended


def sums_of_figures(transcript: Transcript) -> Any:
    """Ways and points of every award that is marked, as a run sums them."""
    sums = np.zeros((2, len(FIGURES), 2), np.int64)
    for roll in rolls(transcript):
        for gain in roll.gains:
            assert gain.points == sum(one.award.points for one in gain.awards) > 0
            if gain.marked:
                for one in gain.awards:
                    ways = one.award.dice_unplayed or one.award.ways
                    sums[gain.player - 1, FIGURES.index(one.award.figure)] += (ways, one.award.points)
    return sums


def check_account(told_rolls: tuple[Roll, ...]) -> None:
    """Every roll starts from the score and the men that the one before leaves."""
    for roll, following in zip(told_rolls, (*told_rolls[1:], None), strict=True):
        score = roll.before
        for gain in roll.gains:
            assert gain.before == score
            score = gain.after
        went = roll.decision is not None and roll.decision.went
        if roll.restart is None and not went:
            assert score == roll.after
        if went:  # be it to win or to concede the set
            assert (roll.after.points, roll.after.bredouille) == ((0, 0), (False, False))
        if following is None:
            continue
        assert following.before == roll.after
        if roll.restart:
            assert str(following.position) == "1:15 | 24:15"
        else:
            assert roll.play is not None
            assert following.player == 3 - roll.player
            assert following.position.other[::-1] == roll.play.position.mover
            assert following.position.mover[::-1] == roll.position.other


def test_what_a_roll_leads_to_is_told() -> None:
    """Do-overs, concessions, settings, restarts after bearing off and for want of points, what was not done."""
    written = rule_set("ecrire_academie")
    done_over = told(written, "random", match=7, set_no=2).sets[0]
    (end,) = (roll for roll in done_over.rolls if roll.restart == "do_over")
    assert end.decision is not None and (end.decision.went, end.decision.going) == (True, "do_over")
    assert end.gains[-1].after.holes == (10, 10) and end.after.holes == (0, 0)
    assert done_over.rolls[end.number].attempt == 2

    found = told(written, "greedy", match=0)
    assert {roll.restart for roll in rolls(found)} >= {None, "pickup", "reprise"}
    decisions = {(one.went, one.going) for roll in rolls(found) if (one := roll.decision)}
    assert decisions >= {(True, "pickup"), (True, "win"), (False, "do_over"), (False, "concession")}
    (reprise,) = (roll for roll in found.sets[0].rolls if roll.restart == "reprise")
    assert reprise.play is not None and reprise.play.position.off[0] == 15
    conceded = told(written, "greedy", match=5, set_no=1).sets[0]
    assert conceded.row["ended_by"] == conceded.rolls[-1].ends == "concession"
    assert "wins set 1, which is conceded," in told(written, "greedy", match=5, set_no=1).text()

    stalled = told(rule_set("soumille_1766_dlp"), "greedy")
    stalls = [roll for roll in rolls(stalled) if roll.restart == "stall"]
    assert stalls and all(roll.play is not None for roll in stalls)
    assert "nobody can move, nobody scores\n-- 200 rolls without points: the men start" in stalled.text()


@pytest.mark.slow
def test_a_capped_partie_is_told_up_to_its_cap() -> None:
    rules = apply_all(rule_set("soumille_1766_dlp"), {"game.stall_limit": 10_000, "match.parties": 2})
    found = told(rules, "greedy")
    (one,) = found.sets
    assert (one.row["winner"], one.row["ended_by"], len(one.rolls)) == (0, "capped", MAX_ROLLS)
    assert (found.settled, one.worth) == (None, {})
    assert found.text().endswith(
        "\nPartie 1 was stopped after 20,000 rolls. It has no winner, and the match is not settled."
    )
    with pytest.raises(UsageError, match="ended with number 1, which was stopped after 20,000 rolls"):
        told(rules, "greedy", set_no=2)


def test_parties_in_a_row() -> None:
    rules = rule_set("twelve_hole_honours").with_match(
        parties=3, next_partie_first_die=NextPartieFirstDie.DRAW
    )
    found = told(rules, "greedy")
    for one in found.sets:
        assert one.draw is not None
        assert one.row["first_player"] == (1 if one.draw[0] > one.draw[1] else 2)
    text = found.text()
    assert "PARTIE 3 of 3: player" in text
    assert text.count("draws") == 3
    assert found.settled is not None
    result = "Player 1 wins the match, by " if found.settled["exact"] > 0 else "Player 2 wins the match, by "
    assert (
        f"{result}{abs(found.settled['exact'])} stake" in text
        if found.settled["winner"]
        else "Nobody" in text
    )


# ---------------------------------------------------------------- of a run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two plays of little matches, six each."""
    rules = rule_set("ecrire_academie").with_match(sets=2)
    plays = [
        PlaySpec(rules, (player("greedy"), player("random")), 5),
        PlaySpec(rules, (player("random"), player("random")), 6),
    ]
    return play_run(plays, 6, folder=tmp_path_factory.mktemp("replayed") / "run", jobs=1)


@pytest.mark.parametrize("place", [0, 1])
def test_a_match_of_a_run(run: Run, place: int) -> None:
    found = simkit.replay(run.folder, 4, play=place)
    stored = run.sets[(run.sets["match_id"] == 4) & (run.sets["player_1"] == found.players[0].name)]
    for column in SETS.data:
        assert (
            found.rows[column.name].tolist()
            == (stored[column.name].cat.codes if column.values else stored[column.name]).to_list()
        )
    assert found == simkit.replay(run, 4, players=[one.name for one in found.players])
    assert simkit.replay(run, 4, play=place, set_no=2).sets == found.sets[1:]


def test_a_run_that_was_changed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = run.of_match(2, 0)
    rows["sets"]["holes_1"] = rows["sets"]["holes_1"] + 1
    monkeypatch.setattr(Run, "of_match", lambda *_: rows)
    with pytest.raises(VerificationFailed, match=r"match 2 replayed is not the one kept: sets\.holes_1 is "):
        simkit.replay(run, 2, play=0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"match": 6, "play": 1}, "holds matches 0 to 5 of ecrire"),
        ({"match": 0}, "holds several plays, choose one by its number: play 0, "),
        ({"match": 0, "play": 2}, "play: 2 is not one of the 2"),
        ({"match": 0, "players": "prudent"}, "prudent against prudent, as they are now, did not play this"),
        ({"match": 0, "play": 0, "seed": 5}, "has its own seed"),
        ({"match": 0, "play": 0, "set_no": 3}, "set 3: match 0 of ecrire_academie has sets 1 to 2"),
        ({"match": 0, "play": 0, "set_no": 0}, "set 0: "),
        ({"match": 0, "play": 0, "numbering": "roman"}, "the numberings are"),
    ],
)
def test_what_a_run_does_not_hold(run: Run, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        simkit.replay(run, **arguments)


def test_players_of_a_run_are_found_again_or_given(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    text = """from simkit.players import CoinToss, Player, RandomPlay
ONE = Player(name="{}", title="Mine.", choice=RandomPlay(), decision=CoinToss(go_1024={}))
"""
    for name, chance, words in (
        ("nobody", 5, "no player is called nobody"),
        ("greedy", 6, "greedy is another"),
    ):
        file = tmp_path / f"{name}.py"
        file.write_text(text.format(name, chance))
        made = simkit.simulate("classical", f"{file}:ONE", matches=2, out=tmp_path / name, jobs=1)
        with pytest.raises(UsageError, match=f"{words}.*give both players"):
            simkit.replay(made, 1)
        assert len(simkit.replay(made, 1, players=f"{file}:ONE").sets) == 1


def test_a_run_from_a_position(tmp_path: Path) -> None:
    start = simkit.start("1:9 6 7 8 9 12:2 | 13:2 24:13", "3:4b 2:0", to_roll=2, dice=(6, 5))
    made = simkit.simulate("classical", matches=2, starts=start, out=tmp_path / "run", jobs=1)
    found = simkit.replay(made, 1)
    first = found.sets[0].rolls[0]
    assert (first.position, first.dice, first.player) == (start.position, (6, 5), 2)
    assert first.before.holes == (3, 2)
    assert found.rows["rolls"].tolist() == [len(found.sets[0].rolls)]
    text = found.text()
    assert "THE PARTIE: it starts from 1:9 6 7 8 9 12:2 | 13:2 24:13, score 3:4b 2:0, player 2 to" in text
    assert found == simkit.replay("classical", 1, starts=start)


# ---------------------------------------------------------------- as it is printed


def answer(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.call(["replay", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_short_partie_as_a_player_reads_it() -> None:
    """The text is reviewed as a whole; `print(text)` of this test's transcript writes it anew."""
    rules = rule_set("classical").with_match(target_holes=4)
    text = told(rules, "greedy", "prudent", match=1).text(boards={9}, men=True)
    assert text == GOLDEN.read_text(encoding="utf-8").rstrip("\n")


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("numbering", ["magriel", "guiton", "soumille"])
def test_lines_fit_the_page(width: int, numbering: str) -> None:
    found = simkit.replay("ecrire_academie", 0, seed=SEED, set_no=1, numbering=numbering)
    assert max(map(len, found.text(width, men=True).split("\n"))) <= width


def test_printed_alone_and_in_short(capsys: pytest.CaptureFixture[str]) -> None:
    code, whole, err = answer(capsys, "ecrire_academie", 7, "--players", "random", "--seed", 7)
    assert (code, err) == (0, "")
    assert "Match 7 of seed 7" in whole
    assert "-- attempt 2, holes and points wiped, consolation 4: the men start again" in whole
    assert "(10 + 4)" in whole or "+ 4 - " in whole
    code, short, _ = answer(
        capsys, "ecrire_academie", "--match", 7, "--players", "random,random", "--seed", 7, "--short"
    )
    assert code == 0
    assert not set(short.split("\n")) - set(whole.split("\n"))
    settled = simkit.replay("ecrire_academie", 7, players="random", seed=7).settled
    assert settled is not None
    money = next(line for line in short.split("\n") if line.startswith("money"))
    assert int(money.split()[-1]) == settled["money"]
    code, one, _ = answer(capsys, "ecrire_academie", 7, "--players", "random", "--seed", 7, "--set", 2)
    assert (code, "SETTLEMENT" in one, "SET 2 of 8" in one, "SET 1" in one) == (0, False, True, False)


def test_one_json_document_with_everything(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = answer(capsys, "ecrire_academie", 0, "--seed", 7, "--set", 1, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["schema"], found["match"], found["seed"]) == ("simkit.transcript/1", 0, 7)
    (one,) = found["sets"]
    assert one["row"]["rolls"] == len(one["rolls"])
    assert one["worth"].keys() == {"value", "multiplier", "consolation", "kind"}
    assert found["settlement"].keys() >= {"exact", "rounded", "money", "winner"}
    for roll in one["rolls"]:
        position = read(roll["position"])
        assert len(roll["dice"]) == 2
        if roll["play"] and not roll["restart"]:
            assert position.other == read(roll["play"]["position"]).other
        for gain in roll["gains"]:
            assert gain["points"] == sum(award["points"] for award in gain["awards"])
            assert all(award["means"] for award in gain["awards"])


def test_boards_of_every_roll(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ("classical", 3, "--seed", 7, "--svg", tmp_path / "boards", "--board")
    code, out, err = answer(capsys, *arguments)
    count = len(told(rule_set("classical"), "greedy").sets[0].rolls)
    assert (code, out.count("x the mover"), f"{count} boards" in err) == (0, count, True)
    pictures = sorted((tmp_path / "boards").iterdir())
    assert len(pictures) == count
    assert all(ElementTree.parse(one).getroot().tag.endswith("svg") for one in pictures)
    code, out, _ = answer(capsys, "classical", 3, "--seed", 7, "--board-at", 2, "--board-at", 5)
    assert (code, out.count("x the mover")) == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("classical", 1, "--match", 2), "two matches are asked for"),
        (("clasical", 1), "did you mean classical"),
        (("classical", "--match", -1), "match: -1 is not a whole number from 0"),
        (("classical", "--seed", -1), "seed: -1"),
        (("classical", 1, "--play", 0), "classical is no run"),
        (("classical", 1, "--set", 2), "is one partie, its only set"),
        (("classical", 1, "--set", "two"), "--set two: give the number of a set, or PATH=VALUE"),
        (("classical", 1, "--set", 1, "--set", 2), "--set 1 and --set 2: one set is told"),
        (("classical", -1), "-1: a number below 0 stands for nothing here; matches are counted from 0"),
        (("classical", 1, "--board-at", 100_000), "the rolls told are numbered 1 to "),
        (("classical", 1, "--players", "greedy,prudent,random"), "has 2"),
        (("classical", 1, "--players", "grady"), "did you mean greedy"),
        (("classical", 1, "--roll", "6-5"), "give it with --from"),
        (("classical", 1, "--from", "1:14 | 24:15"), "14 men"),
        (("classical", 1, "--svg", "/dev/null/boards"), "'--svg': /dev/null/boards cannot be written"),
        (("no/such/folder", 1), "no rule set is called no/such/folder"),
    ],
)
def test_what_cannot_be_replayed(
    capsys: pytest.CaptureFixture[str], arguments: tuple[object, ...], words: str
) -> None:
    code, out, err = answer(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert "Traceback" not in err
