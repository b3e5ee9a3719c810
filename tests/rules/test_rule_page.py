"""`RuleSet.words()`: a page that names every rule with its value, its meaning and its sources."""

from __future__ import annotations

import pytest

from simkit import catalogue
from simkit.rules import RuleSet, describe
from simkit.rules.page import WIDTH


def joined(name: str) -> str:
    return joined_of(catalogue.rule_set(name))


def joined_of(rules: RuleSet) -> str:
    return " ".join(" ".join(rules.words()).split())


@pytest.mark.parametrize("name", catalogue.names().rule_sets)
def test_a_page_names_every_rule_and_fits_its_width(name: str) -> None:
    rules = catalogue.rule_set(name)
    lines = rules.words()
    assert max(map(len, lines)) <= WIDTH
    text = joined(name)
    for rule in (*describe(rules.game), *describe(rules.match)):
        assert f"{rule.path.partition('.')[2]} {rule.value}" in text, rule.path
        assert rule.doc.rstrip(".") in text
        assert f"[{rule.sources}" in text
    assert rules.title in text
    assert rules.digest in text
    assert rules.play_digest in text


def test_numbers_units_meaning_and_sources() -> None:
    text = joined("ecrire_academie")
    assert (
        "tail_of_sets 20 points. To the player who won more sets (queue des paris), nobody at equal sets;"
        in text
    )
    assert "jan_points 4, on a doublet 6 points." in text
    assert "GU Guiton, Traité complet du jeu de trictrac" in text


def test_a_disputed_rule_shows_its_reading_and_the_others() -> None:
    text = joined("ecrire_academie")
    assert (
        "set_first_die winner_prev. Who throws first in each set after the first: the winner of the set"
        " before. [S0 section 11; GU ch. III; JL 221] Other readings: alternate [S1; VT 58; MA V];"
        " stays [GU ch. VIII; JL 244; VT 66 and 73]."
    ) in text


def test_a_truth_value_names_who_holds_otherwise() -> None:
    text = joined("classical")
    assert "own empty corner. [MA IX; FA; otherwise MM, in moving]" in text
    assert "only together. [JL 43; GU ch. IV; MA IX; S2]" in text
    flipped = joined("soumille_1766_dlp")
    assert (
        "* sortie_enabled false. Whether bearing off the last man scores (sortie). [S3, silent]"
        " Other readings: true [GU ch. VII; JL 118; PR law 9; MA VIII; S2]. Default: true."
    ) in flipped
    ours = joined_of(catalogue.rule_set("classical").with_game(own_corner_by_two=False))
    assert "(d'emblée). [Our alternative] Other readings: true [JL 43; GU ch. IV; MA IX; S2; S3]." in ours


def test_rules_of_the_game_stand_in_groups() -> None:
    lines = catalogue.rule_set("classical").words()
    headings = [lines.index(name) for name in ("Movement", "Bearing off", "What scores", "Points and holes")]
    assert headings == sorted(headings)
    assert sum(line.strip() == "What scores" for line in lines) == 1
    assert all(lines[at - 1] == "" for at in headings)


def test_the_first_lines_say_what_is_not_at_its_default() -> None:
    opening = " ".join(" ".join(catalogue.rule_set("province_1749").words()[:6]).split())
    assert (
        "Not at the default: game.bear_off_exact_policy inside_first,"
        " game.bear_off_two_short_combined only_to_conserve."
    ) in opening
    assert "Not at the default" not in joined("classical")


def test_what_differs_from_the_default_is_marked() -> None:
    no_tail = joined("ecrire_academie_no_tail_of_sets")
    assert "* tail_of_sets 0 points." in no_tail
    assert "Default: 20." in no_tail
    assert "* differs from the default." in no_tail
    assert "* " not in joined("classical")
    usual = {rule.path: rule.usual for rule in describe(catalogue.rule_set("academie").match)}
    assert usual["settlement.price_scheme"] == "plain"
    assert usual["match.target_holes"] == ""


@pytest.mark.parametrize("name", catalogue.names().rule_sets)
def test_the_full_name_given_as_an_example_is_of_the_page(name: str) -> None:
    rules = catalogue.rule_set(name)
    (line,) = (line for line in rules.words() if line.startswith("A rule's full name"))
    path = line.removesuffix(".").rpartition(" ")[2]
    assert path in {rule.path for rule in describe(rules.game)}
