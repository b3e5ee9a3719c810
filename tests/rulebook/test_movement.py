"""Laws of movement on positions a reader can set up, each with its source."""

from __future__ import annotations

from simkit.play import Position, legal_plays, read, score_roll
from simkit.rules import BearOffExactPolicy, Trictrac

CLASSICAL = Trictrac()
ACADEMIE = Trictrac(bear_off_exact_policy=BearOffExactPolicy.MANDATORY)


def plays(position: str, dice: tuple[int, int], game: Trictrac = CLASSICAL) -> set[str]:
    """Return the mover's side of every position the roll can lead to."""
    return {str(after).split(" |")[0] for after in legal_plays(game, read(position), dice)}


def test_opening_six_five_and_double_six_have_one_play() -> None:
    """A lone man may not enter the own coin, nor may the other's coin be taken (M5, M7)."""
    assert plays("1:15 | 24:15", (6, 5)) == {"1:13 6 7"}
    assert plays("1:15 | 24:15", (6, 6)) == {"1:13 7:2"}


def test_higher_die_when_either_could_be_played_but_not_both() -> None:
    """Guiton 1822, ch. VI; J.L. 1852, no. 83; also when the last man comes home (M14)."""
    assert plays("18 19:7 21:7 | 1 4 6 9 14 15 17 20:3 22 24:4", (5, 1)) == {"19:7 21:7 23"}


def test_coin_taken_naturally_before_par_puissance() -> None:
    """Guiton 1822, ch. IV; J.L. 1852, nos 44 and 62 (M8, M9)."""
    both = plays("1:11 7 8 6 11 | 24:15", (6, 5))
    assert "1:11 8 11 12:2" in both  # from 6 and 7
    puissance = plays("1:11 7:2 8:2 | 24:15", (6, 5))
    assert "1:11 7 8 12:2" in puissance
    assert "1:11 7 8 12:2" not in plays("1:11 7:2 8:2 | 13:2 24:13", (6, 5))


def test_coin_is_left_by_its_last_two_men_together() -> None:
    """Guiton 1822, ch. IV; J.L. 1852, no. 80 (M5)."""
    found = plays("1:13 12:2 | 24:7 23:8", (4, 3))
    assert "1:13 15 16" not in found  # the other can still fill his grand jan: 13 to 18 is forbidden (M11)
    open_board = plays("12:2 19:13 | 1:2 2:2 3:2 4:2 5:2 6:2 7:3", (4, 3))
    assert "15 16 19:13" in open_board
    assert all("12 " not in play for play in open_board)


def test_rest_in_a_forbidden_quarter_is_a_passage() -> None:
    """Malfilâtre 2013, XIV: over the grand jan he can still fill into a petit jan he cannot (M11, M12)."""
    found = plays("1:12 10 12:2 | 18:15", (4, 5))
    assert "1:12 12:2 19" in found  # 10 by 14, or 15, to 19
    assert not any(f" {arrow}" in play for play in found for arrow in (13, 14, 15, 16, 17))


def test_exact_number_may_or_must_leave() -> None:
    """Guiton 1822, ch. VII: the man may leave; Académie: he must (M19)."""
    position = "19:2 20:2 21:2 22:9 | 1:15"
    assert {"off:1" in play for play in plays(position, (3, 1))} == {True, False}
    assert all("off:1" in play for play in plays(position, (3, 1), ACADEMIE))


def test_two_short_numbers_take_one_man_off() -> None:
    """Guiton 1822, ch. VII; Malfilâtre 2013, VIII: 19 and 22, roll 5-2 has one play (M20)."""
    assert plays("19 22 off:13 | 1:15", (5, 2)) == {"24:2 off:13"}


def test_last_man_off_ends_the_roll() -> None:
    """J.L. 1852, no. 118: the unused die is void, nothing is paid for it (M22)."""
    scored = score_roll(CLASSICAL, read("24 off:14 | 1:15"), (6, 3))
    assert [(award.figure, award.points) for award in scored.awards] == [("sortie", 4)]
    assert scored.plays == (Position((0,) * 24, read("24 off:14 | 1:15").other, (15, 0)),)


def test_double_six_hits_five_ways_truly_and_two_falsely() -> None:
    """26 points, and 12 to the other player. J.L., Le jeu de trictrac rendu facile (1852), no. 331."""
    position = read("1:2 2 3:2 6 7 8:2 10:2 11:2 12:2 | 13:2 15:3 17:3 18 19 20 21 22 23 24")
    scored = score_roll(CLASSICAL, position, (6, 6))
    assert (scored.mover_points, scored.other_points) == (26, 12)
