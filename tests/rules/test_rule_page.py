"""`RuleSet.words()`: a page that names every rule with its value, its meaning and its sources."""

from __future__ import annotations

import pytest

from simkit import catalogue
from simkit.rules import describe
from simkit.rules.page import WIDTH


def joined(name: str) -> str:
    return " ".join(" ".join(catalogue.rule_set(name).words()).split())


@pytest.mark.parametrize("name", catalogue.names().rule_sets)
def test_a_page_names_every_rule_and_fits_its_width(name: str) -> None:
    rules = catalogue.rule_set(name)
    lines = rules.words()
    assert max(map(len, lines)) <= WIDTH
    text = joined(name)
    for rule in (*describe(rules.game), *describe(rules.match)):
        assert f"{rule.path.partition('.')[2]} {rule.value}" in text, rule.path
        assert rule.doc.rstrip(".") in text
        assert f"[{rule.sources}]" in text
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
        " before. [S0 section 11; GU ch. III; JL 221] Other readings: alternate [S1; VT 58; MA V]."
    ) in text


def test_what_differs_from_the_default_is_marked() -> None:
    no_tail = joined("ecrire_academie_no_tail_of_sets")
    assert "* tail_of_sets 0 points." in no_tail
    assert "Default: 20." in no_tail
    assert "* differs from the default." in no_tail
    assert "* " not in joined("classical")
    usual = {rule.path: rule.usual for rule in describe(catalogue.rule_set("academie").match)}
    assert usual["settlement.price_scheme"] == "plain"
    assert usual["match.target_holes"] == ""
