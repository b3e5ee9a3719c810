"""A wrong rule set cannot be built, and the error names every fault in plain words."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from simkit.errors import ConfigError
from simkit.rules import (
    GeneralTailBasis,
    HitPoints,
    MovementScope,
    RuleSet,
    SetFirstDie,
    Settlement,
    Source,
    Tariff,
    Trictrac,
    TwelveHoles,
    Written,
    replace,
)

NOTHING = Tariff(simple=0, doublet=0)


def problems(build: Callable[[], object]) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        build()
    assert "pydantic" not in str(caught.value)
    return caught.value.problems


def test_an_odd_number_of_sets_is_refused_with_what_is_allowed_and_its_source() -> None:
    assert problems(lambda: Written(sets=7)) == (
        "match.sets: 7 is not allowed; an even number from 2 to 24 (Académie, source 000, section 2)",
    )


@pytest.mark.parametrize("sets", [0, -2, 26, 3, True, "8", 8.0, None])
def test_only_even_numbers_from_2_to_24_are_numbers_of_sets(sets: object) -> None:
    (problem,) = problems(lambda: Written(sets=sets))  # type: ignore[arg-type]
    assert problem.startswith(f"match.sets: {sets!r} is not allowed")


def test_a_negative_tail_is_refused() -> None:
    assert problems(lambda: Settlement(tail_of_sets=-20)) == (
        "settlement.tail_of_sets: -20 is not allowed; a whole number from 0 to 10000"
        " (Académie, source 000, section 6; Guiton 1822, ch. VIII)",
    )


def test_a_truth_value_is_no_whole_number() -> None:
    (problem,) = problems(lambda: Settlement(tokens_per_set=True))
    assert problem == (
        "settlement.tokens_per_set: True is not allowed; 0, 1 or 2 (Académie, source 000, section 8; "
        "encyclopedia, source 001; J.L. 1852)"
    )


def test_a_whole_number_is_no_truth_value() -> None:
    (problem,) = problems(lambda: Trictrac(pile_de_misere_enabled=1))  # type: ignore[arg-type]
    assert "game.pile_de_misere_enabled: 1 is not allowed; true or false" in problem


def test_a_misspelt_field_gets_the_nearest_name() -> None:
    assert problems(lambda: Settlement(tail_of_set=0)) == (  # type: ignore[call-arg]
        "settlement.tail_of_set: no such field; did you mean tail_of_sets?",
    )


def test_a_field_given_in_the_wrong_place_is_told_where_it_belongs() -> None:
    assert problems(lambda: Written(tail_of_sets=0)) == (  # type: ignore[call-arg]
        "match.tail_of_sets: no such field; it belongs to settlement.tail_of_sets",
    )


def test_the_word_of_an_enum_is_not_its_member() -> None:
    assert problems(lambda: Written(set_first_die="alternate")) == (  # type: ignore[arg-type]
        "match.set_first_die: 'alternate' is text; write SetFirstDie.ALTERNATE",
    )
    (problem,) = problems(lambda: Written(set_first_die="loser"))  # type: ignore[arg-type]
    assert problem.startswith("match.set_first_die: 'loser' is not allowed; winner_prev, alternate or stays")


def test_a_field_left_out_and_a_value_without_a_name() -> None:
    assert problems(lambda: Tariff(simple=4)) == (  # type: ignore[call-arg]
        "Tariff.doublet: missing; a whole number from 0 to 60",
    )
    assert "Tariff: 4 was given without a name; the fields are simple, doublet" in problems(
        lambda: Tariff(4, 6)  # type: ignore[call-arg]
    )


def test_several_errors_are_told_at_once() -> None:
    found = problems(
        lambda: Written(sets=7, set_min_holes=0, set_first_die=3, settlement=TwelveHoles(), tail=1)  # type: ignore[arg-type,call-arg]
    )
    assert [problem.partition(":")[0] for problem in found] == [
        "match.set_min_holes",
        "match.set_first_die",
        "match.settlement",
        "match.tail",
        "match.sets",
    ]


def test_each_wrong_item_of_a_tuple_is_named() -> None:
    found = problems(
        lambda: RuleSet(
            name="Not a name",
            title="",
            sources=("a book", Source(work="Guiton")),  # type: ignore[arg-type]
            game=Trictrac(),
            match=3,  # type: ignore[arg-type]
        )
    )
    assert found[0].startswith("RuleSet.name: 'Not a name' is not allowed; lower-case letters")
    assert found[1:] == (
        "RuleSet.title: '' is not allowed; a text that is not empty, of at most 2000 characters, none of which "
        "is unseen",
        "RuleSet.sources[0]: 'a book' is not allowed; a Source",
        "RuleSet.match: 3 is not allowed; a TwelveHoles, a Written, a Combine, a PointMatch, a PoolFill or a "
        "PoolDrain",
    )


def test_a_game_in_which_nothing_scores_is_refused_beside_a_wrong_field() -> None:
    found = problems(
        lambda: Trictrac(
            jan_points=NOTHING,
            hit_points=HitPoints(grand=NOTHING, petit=NOTHING),
            impuissance_points=0,
            points_per_hole=0,
        )
    )
    assert found[0].startswith("game.points_per_hole: 0 is not allowed")
    assert found[1:] == ("game: no figure pays any points; no hole could ever be made",)


def test_a_cross_check_keeps_silent_when_a_field_it_needs_is_wrong() -> None:
    found = problems(lambda: Trictrac(jan_points=None, impuissance_points=0))  # type: ignore[arg-type]
    assert [problem.partition(":")[0] for problem in found] == ["game.jan_points"]


def test_a_written_match_whose_sets_could_never_end_is_refused() -> None:
    """Points only for dice the other cannot play: every hole is made on the other's die, nobody may go."""
    barren = Trictrac(jan_points=NOTHING, hit_points=HitPoints(grand=NOTHING, petit=NOTHING))
    (problem,) = problems(lambda: RuleSet(name="barren", title="Barren", game=barren, match=Written()))
    assert problem.startswith("match: a set ends only when a player goes after a hole of his own roll")
    RuleSet(name="barren", title="Barren", game=barren, match=TwelveHoles())


def test_a_written_match_without_going_is_refused() -> None:
    silent = Trictrac(go_enabled=False)
    assert problems(lambda: RuleSet(name="silent", title="Silent", game=silent, match=Written())) == (
        "game.go_enabled: false is not allowed; a set of a written match ends only when a player goes"
        " (Académie, source 000, section 3)",
    )
    RuleSet(name="silent", title="Silent", game=silent, match=TwelveHoles())


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (
            {"movement_scope": MovementScope.OWN_HALF},
            "with game.movement_scope own_half no man leaves arrows 1 to 12",
        ),
        ({"max_men_per_point": 2}, "with game.max_men_per_point 2 the last quarter never holds all 15 men"),
    ],
)
def test_a_game_whose_men_come_to_rest_needs_a_limit(game: dict[str, Any], why: str) -> None:
    (problem,) = problems(lambda: Trictrac(**game))
    assert problem.startswith(f"game.stall_limit: none is not allowed; {why}")
    limited = Trictrac(stall_limit=200, **game)
    RuleSet(name="limited", title="Limited", game=limited, match=TwelveHoles())
    (problem,) = problems(lambda: RuleSet(name="limited", title="Limited", game=limited, match=Written()))
    assert problem.startswith("game.impuissance_enabled: true is not allowed; a set ends only when")
    quiet = replace(limited, impuissance_enabled=False)
    RuleSet(name="quiet", title="Quiet", game=quiet, match=Written())


def test_room_for_three_men_an_arrow_lets_the_game_end() -> None:
    assert Trictrac(max_men_per_point=3).stall_limit is None


@pytest.mark.parametrize("limit", [0, 3, True, 200.0])
def test_a_limit_too_short_to_score_before_it_is_refused(limit: object) -> None:
    (problem,) = problems(lambda: Trictrac(stall_limit=limit))  # type: ignore[arg-type]
    assert problem == (
        f"game.stall_limit: {limit!r} is not allowed; a whole number from 4 to 10000 or none"
        " (summary of Soumille, source 003, which needs one)"
    )


def test_figures_that_are_off_pay_nobody() -> None:
    """Hits at nothing, every jan and unplayed die off: no hole; the first roll of a game is not enough."""
    off: dict[str, Any] = dict.fromkeys(
        (
            "six_tables_enabled",
            "deux_tables_enabled",
            "mezeas_enabled",
            "contre_jans_enabled",
            "corner_hit_enabled",
            "fills_enabled",
            "conserve_enabled",
            "sortie_enabled",
            "impuissance_enabled",
        ),
        False,
    )
    hits = HitPoints(grand=NOTHING, petit=NOTHING)
    none = ("game: no figure pays any points; no hole could ever be made",)
    assert problems(lambda: Trictrac(hit_points=hits, **off)) == none
    assert problems(lambda: Trictrac(hit_points=hits, **(off | {"jan_de_rencontre_enabled": True}))) == none
    only_doublets = Tariff(simple=0, doublet=6)
    six = off | {"six_tables_enabled": True}
    assert problems(lambda: Trictrac(hit_points=hits, jan_points=only_doublets, **six)) == none
    Trictrac(hit_points=hits, **six)
    Trictrac(hit_points=hits, **(off | {"contre_jans_enabled": True}))
    half: dict[str, Any] = {"movement_scope": MovementScope.OWN_HALF, "stall_limit": 200, "hit_points": hits}
    assert problems(lambda: Trictrac(**half, **(off | {"sortie_enabled": True}))) == none


def test_replace_validates() -> None:
    changed = replace(Written(), sets=12, settlement=Settlement(general_tail_basis=GeneralTailBasis.EXACT))
    assert (changed.sets, changed.set_first_die) == (12, SetFirstDie.WINNER_PREV)
    assert problems(lambda: replace(changed, sets=5, tale=1)) == (
        "match.tale: no such field; the fields are sets, set_min_holes, max_holes_per_set, set_first_die, "
        "table_mode, players, rotation_first_set_leaver, settlement",
        "match.sets: 5 is not allowed; an even number from 2 to 24 (Académie, source 000, section 2)",
    )
    with pytest.raises(ConfigError):
        dataclasses.replace(changed, sets=5)


def test_rule_sets_are_values() -> None:
    one = RuleSet(name="one", title="One", game=Trictrac(), match=Written())
    same = RuleSet(name="one", title="One", game=Trictrac(), match=Written())
    assert one == same
    assert hash(one) == hash(same)
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.name = "two"  # type: ignore[misc]


@pytest.mark.parametrize("title", ["\x1b[31mX", "a\u202eb", "a\nb", "x" * 2001])
def test_a_title_steers_no_terminal(title: str) -> None:
    found = problems(lambda: RuleSet(name="own", title=title, game=Trictrac(), match=TwelveHoles()))
    assert found[0].startswith("RuleSet.title: ") and "none of which is unseen" in found[0]
