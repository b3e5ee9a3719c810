"""Awards explained and plays judged, on positions of the books and on one position for each law."""

from __future__ import annotations

import pytest

from simkit import explain, numbering
from simkit.errors import IllegalPosition, UsageError
from simkit.kernel.records import FIGURES
from simkit.position import read
from simkit.rules import (
    BearOffExactPolicy,
    BearOffShortPolicy,
    BearOffTwoShortCombined,
    MovementScope,
    Trictrac,
)

CLASSICAL = Trictrac()


def means(
    position: str, dice: tuple[int, int], game: Trictrac = CLASSICAL, **more: int
) -> dict[str, list[str]]:
    """Explain a roll: what makes each figure, the man hit after its name."""
    found = explain.explain_roll(game, read(position, game), dice, **more)
    return {
        one.award.figure + (f" {one.award.target}" if one.award.target else ""): list(one.means)
        for one in found.awards
    }


def laws(position: str, dice: tuple[int, int], play: str, game: Trictrac = CLASSICAL) -> list[str]:
    """Judge a play; the laws that exclude it, none if it is legal."""
    verdict = explain.judge(game, read(position, game), dice, play)
    assert verdict.legal == (not verdict.reasons)
    assert all(reason.words for reason in verdict.reasons)
    return [reason.law for reason in verdict.reasons]


# ---------------------------------------------------------------- awards


def test_every_figure_has_its_words() -> None:
    assert set(explain.FIGURE_WORDS) == set(FIGURES)


def test_jl_331_double_six_hits_five_ways_truly_and_two_falsely() -> None:
    """J.L. 1852, no. 331, figure 36: 26 points, and 12 to the other."""
    position = "1:2 2 3:2 6 7 8:2 10:2 11:2 12:2 | 13:2 15:3 17:3 18 19 20 21 22 23 24"
    assert means(position, (6, 6)) == {
        "hit_true 18": ["from 12 by 6", "from 6 by 6 + 6 over 12"],
        "hit_true 20": ["from 8 by 6 + 6 over 14"],
        "hit_true 22": ["from 10 by 6 + 6 over 16"],
        "hit_true 24": ["from 12 by 6 + 6 over 18"],
        "hit_false 19": ["from 7 by 6 + 6, the way closed at 13"],
        "hit_false 23": ["from 11 by 6 + 6, the way closed at 17"],
    }


def test_a_way_may_go_over_either_rest_or_the_open_one_only() -> None:
    assert means("1:11 off:4 | 8 24:14", (4, 3))["hit_true 8"] == ["from 1 by 4 + 3 over 5 or 4"]
    assert means("1:11 off:4 | 5:2 8 24:12", (4, 3))["hit_true 8"] == ["from 1 by 4 + 3 over 4"]
    assert means("1:11 off:4 | 4:2 5:2 8 24:10", (4, 3))["hit_false 8"] == [
        "from 1 by 4 + 3, the way closed at 5 and 4"
    ]


def test_lepeintre_9_fills_three_ways() -> None:
    """Lepeintre 1818, part I, ch. IV, figure 9: each die and their sum."""
    found = means("1 4 5 7:3 8:2 9:2 10:2 11 12:2 | 24:15", (6, 4))
    assert found["fill_grand_jan"] == [
        "the man on 5 to 11 by 6",
        "the man on 7 to 11 by 4",
        "the man on 1 to 11 by 6 + 4 over 7 or 5",
    ]
    assert found["corner_hit"] == ["the man on 7 to 13 by 6, the man on 9 to 13 by 4"]


def test_two_men_missing_are_told_as_a_play() -> None:
    assert means("1:3 2:3 3:3 4:3 5:3 | 24:15", (4, 3))["fill_petit_jan"] == ["by the play 2/6 3/6"]


def test_filling_by_taking_the_corner_par_puissance() -> None:
    found = means("1 2:2 7:3 8:3 9:2 10:2 11:2 | 24:15", (6, 5))
    assert found["fill_grand_jan"] == ["by the play 7/12 8/12 (par puissance)"]


def test_conserving_names_the_plays_that_do_it() -> None:
    found = means("1:3 7:2 8:2 9:2 10:2 11:2 12:2 | 24:15", (5, 4))
    assert found["conserve_grand_jan"] == ["by the play 1/5 1/6", "by the play 1/5/10"]
    stuck = means("7:3 8:2 9:2 10:3 11:2 12:3 | 24:2 23:2 22:2 21:2 20:2 19:2 18:2 13", (6, 6), _lone_coin())
    assert stuck["conserve_grand_jan"] == ["no die can be played"]
    assert stuck["impuissance"] == ["no man can play the 6 or the 6"]


def _lone_coin() -> Trictrac:
    return Trictrac(own_corner_by_two=False)


def test_opening_figures() -> None:
    assert means("1:11 2 4 5 6 | 24:15", (6, 2), roll_number=3) == {
        "six_tables": ["from 1 to 3 and 7, the two arrows that are missing"]
    }
    assert "six_tables" not in means("1:11 2 4 5 6 | 24:15", (6, 2), roll_number=4)
    assert means("1:13 8 10 | 24:15", (4, 3)) == {
        "deux_tables": ["the man on 8 to 12 by 4, the man on 10 to 13 by 3"]
    }
    assert means("1:13 8 10 | 13:2 24:13", (2, 5))["contre_deux_tables"] == [
        "the man on 10 to 12 by 2, the man on 8 to 13 by 5"
    ]
    assert means("1:13 12:2 | 24:15", (1, 1))["mezeas"] == [
        "two aces, with two men on 12 and the others on 1"
    ]


def test_a_die_left() -> None:
    """One alone may not leave the corner, and the ace would stop on the other's."""
    found = means("12:2 23 off:12 | 1:13 18:2", (6, 1))
    assert found["impuissance"] == ["no man can play the 6 once the 1 is played"]


def test_the_last_man() -> None:
    assert means("20 24 off:13 | 1:15", (5, 1))["sortie"] == ["by the play 20/off 24/off"]


def test_figures_given_up() -> None:
    game = Trictrac(pile_de_misere_enabled=True, margot_la_fendue_enabled=True, jan_de_rencontre_enabled=True)
    assert means("10 11 12:13 | 24:15", (2, 1), game)["pile_de_misere"] == ["by the play 10/12 11/12"]
    assert means("1:11 off:4 | 6 8 24:13", (4, 2), game)["margot_la_fendue"] == [
        "from 1 by 4 + 2 to 7, between 6 and 8"
    ]
    assert means("1:15 | 24:13 19 18", (6, 5), game, met=True)["jan_de_rencontre"] == [
        "the first rolls of both players are the same"
    ]


def test_the_older_school_of_the_corner_pair() -> None:
    """Charpentier 1698 counts the pair of the corner as a way to fill the jan de retour."""
    game = Trictrac(fill_retour_corner_pair_counts=True)
    position = "12:2 16 18 19:2 20:2 21:2 22 23:2 24:2 | 1:15"
    natural = ["the man on 16 to 22 by 6", "the man on 18 to 22 by 4"]
    assert means(position, (6, 4))["fill_jan_de_retour"] == natural
    assert means(position, (6, 4), game)["fill_jan_de_retour"] == [
        *natural,
        "one of the pair on 12 to 22 by 6 + 4, by an older school",
    ]


def test_names_of_an_author() -> None:
    found = explain.explain_roll(
        CLASSICAL, read("1:11 off:4 | 8 24:14"), (4, 3), names=numbering.numbering("guiton")
    )
    assert found.awards[0].means == ("from T by 4 + 3 over 4 or 3",)
    assert found.awards[0].sources == ("GU ch. I", "S2", "MA X")


@pytest.mark.parametrize("number", [0, -1, 1])
def test_impossible_roll_numbers(number: int) -> None:
    with pytest.raises(UsageError, match="roll number"):
        explain.explain_roll(CLASSICAL, read("1:13 6 7 | 24:15"), (2, 1), roll_number=number)
    explain.explain_roll(CLASSICAL, read("1:13 6 7 | 24:15"), (2, 1), roll_number=2)


# ---------------------------------------------------------------- plays

COINS_OPEN = "1:11 6 7 8 11 | 24:15"
HOME = "19:2 20:2 21:2 22:9 | 1:15"


def test_the_opening_six_five() -> None:
    (play,) = explain.list_plays(CLASSICAL, read("1:15 | 24:15"), (6, 5))
    assert (explain.moves(play.steps), str(play.position)) == ("1/6 1/7", "1:13 6 7 | 24:15")


def test_moves_name_the_rest_that_is_open() -> None:
    position = read("1:11 off:4 | 5:2 24:13")
    told = {explain.moves(play.steps) for play in explain.list_plays(CLASSICAL, position, (4, 3))}
    assert told == {"1/4/8"}


def test_nothing_to_play() -> None:
    (play,) = explain.list_plays(CLASSICAL, read("1:11 off:4 | 7:15"), (6, 6))
    assert explain.moves(play.steps) == "-"
    assert laws("1:11 off:4 | 7:15", (6, 6), "-") == []


def test_another_rest_than_the_one_named_makes_a_play_legal() -> None:
    game = Trictrac(own_corner_empty_rest=False)
    position = read("1:9 9 11 off:4 | 6:15", game)
    verdict = explain.judge(game, position, (3, 5), "9/12/17")
    assert (verdict.legal, explain.moves(verdict.steps)) == (True, "9/14/17")


@pytest.mark.parametrize(
    ("dice", "play"),
    [
        ((6, 5), "1/7 1/6"),
        ((6, 5), " 1/6  1/7 "),
        ((6, 5), "1:13 6 7 | 24:15"),
        ((6, 6), "1/7(2)"),
        ((5, 1), "1/7"),
        ((5, 1), "1/6 6/7"),
        ((5, 1), "talon/coin-bourgeois/7"),
    ],
)
def test_a_legal_play_may_be_written_in_many_ways(dice: tuple[int, int], play: str) -> None:
    assert laws("1:15 | 24:15", dice, play) == []


@pytest.mark.parametrize(
    ("law", "position", "dice", "play"),
    [
        ("M2", "1:15 | 24:15", (6, 5), "1/8 1/6"),
        ("M2", "1:15 | 24:15", (6, 5), "2/8 1/6"),
        ("M2", "1:14 9 | 24:15", (6, 5), "9/3 1/6"),
        ("M2", "1:15 | 24:15", (3, 3), "1/4(2) 4/7(2)"),
        ("M4", "1:11 off:4 | 7 24:14", (6, 2), "1/7 1/3"),
        ("M4", "1:11 off:4 | 5:2 4 24:12", (4, 3), "1/8"),
        ("M4", "1:11 off:4 | 5:2 24:13", (4, 3), "1/5/8"),
        ("M5", "1:15 | 24:15", (6, 5), "1/12"),
        ("M5", "1:13 12:2 | 24:15", (6, 5), "12/18 1/6"),
        ("M7", COINS_OPEN, (6, 5), "7/13 8/13"),
        ("M8", "1:11 7:2 8:2 | 13:2 24:13", (6, 5), "7/12 8/12"),
        ("M9", COINS_OPEN, (6, 5), "7/12 8/12"),
        ("M11", "1:13 10:2 | 24:15", (6, 2), "10/16 1/3"),
        ("M13", "1:15 | 24:15", (6, 5), "1/7"),
        ("M14", "18 19:7 21:7 | 1 4 6 9 14 15 17 20:3 22 24:4", (5, 1), "18/19"),
        ("M15", "1:15 | 24:15", (6, 5), "-"),
        ("M16", "1:3 2:3 3:3 4:3 5:3 | 24:15", (4, 3), "1/5 1/4"),
        ("M18", "18 19:2 20:2 21:2 22:8 | 1:15", (6, 3), "19/off 20/23"),
        ("M19", "19 20:2 21:2 22:10 | 1:15", (5, 1), "22/off 19/20"),
        ("M20", "19 22 off:13 | 1:15", (5, 2), "19/21 21/off"),
        ("M22", "19 20 off:13 | 1:15", (6, 5), "19/24 20/off"),
    ],
)
def test_the_law_that_excludes_a_play(law: str, position: str, dice: tuple[int, int], play: str) -> None:
    assert law in laws(position, dice, play)


@pytest.mark.parametrize(
    ("law", "game", "position", "dice", "play"),
    [
        (
            "M1",
            Trictrac(movement_scope=MovementScope.OWN_HALF, stall_limit=200),
            COINS_OPEN,
            (6, 5),
            "11/17 1/6",
        ),
        ("M1", Trictrac(max_men_per_point=2, stall_limit=200), "1:13 6:2 | 24:15", (5, 1), "1/6 1/2"),
        ("M6", Trictrac(own_corner_empty_rest=False), "1:9 9 11 off:4 | 6:13 14:2", (3, 5), "9/12/17"),
        ("M7", Trictrac(opponent_corner_empty_rest=False), "1:8 12:3 off:4 | 6:13 18:2", (1, 6), "12/13/19"),
        ("M8", Trictrac(corner_par_puissance=False), "1:11 7:2 8:2 | 24:15", (6, 5), "7/12 8/12"),
        ("M19", Trictrac(bear_off_exact_policy=BearOffExactPolicy.MANDATORY), HOME, (3, 1), "19/22 22/23"),
        ("M19", Trictrac(bear_off_short_policy=BearOffShortPolicy.FARTHEST_MAN), HOME, (2, 1), "20/22 20/21"),
        (
            "M20",
            Trictrac(bear_off_two_short_combined=BearOffTwoShortCombined.FORBIDDEN),
            "19 21 off:13 | 1:15",
            (3, 1),
            "21/off",
        ),
    ],
)
def test_laws_of_other_rules(
    law: str, game: Trictrac, position: str, dice: tuple[int, int], play: str
) -> None:
    assert law in laws(position, dice, play, game)


def test_the_field_that_would_let_a_play_pass_is_named() -> None:
    verdict = explain.judge(CLASSICAL, read(COINS_OPEN), (6, 5), "7/12 8/12")
    assert [reason.field for reason in verdict.reasons] == ["puissance_only_if_not_natural"]


@pytest.mark.parametrize("play", ["1-7", "7", "1/7(3)", "off/3", "1/off/3", "x/7", "1/99"])
def test_what_is_no_play(play: str) -> None:
    with pytest.raises(UsageError):
        explain.judge(CLASSICAL, read("1:15 | 24:15"), (6, 5), play)


def test_a_position_asked_about_must_be_of_the_same_men() -> None:
    with pytest.raises(UsageError, match="none of the other's men"):
        explain.judge(CLASSICAL, read("1:15 | 24:15"), (6, 5), "1:13 6 7 | 24:14 23")
    with pytest.raises(UsageError, match="fifteen men"):
        explain.judge(CLASSICAL, read("1:15 | 24:15"), (6, 5), "1:14 6 7 | 24:15")
    with pytest.raises(IllegalPosition):
        explain.judge(CLASSICAL, read("1:15 | 24:15"), (6, 5), "1:13 6 77 | 24:15")
